"""CSUZZ19, section 2.1: what the local model costs beside the shuffled one."""

from fractions import Fraction
from itertools import product

from shuffleproof.impl.ball.bounds.samples import necessary_samples
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision
from shuffleproof.proofs_check.ledger import BALLS, Budget, Verdict, recalled
from shuffleproof.spec.vocabulary.numerals import decimal_text


@recalled(
    "CSUZZ19.Sec2.1.remark-local",
    where="Section 2.1, after Theorem 2.1 and on communication; section 1.1",
    says="an error of Omega(sqrt(n)/eps) is necessary for sums of bits in the local model: with probability 9/10 no protocol errs by at "
    "most sqrt(n)/(5 eps)",
    range="one round, eps-DP users, success 9/10; the constant 1/5 is ours, the text's formula is lost",
    governs=["impl.ball.bounds.samples.necessary_samples"],
    grounds=[BALLS, "BC20.Sec1.2.remark-means"],
    mutants={"with the constant 1": {"constant": Fraction(1)}},
)
def local_error(budget: Budget, *, constant: Fraction = Fraction(1, 5)) -> Verdict:
    """The largest n that is excluded at alpha: every protocol of n users errs by more than alpha n with probability 1/10."""
    least, decided, domain = None, 0, "alpha = 1/10, 1/100, 1/1000, eps = 1, 1/2, 1/4"
    for a, e in product(("1/10", "1/100", "1/1000"), ("1", "1/2", "1/4")):
        alpha, epsilon = Fraction(a), Fraction(e)
        decided += 1
        n = necessary_samples.local_mean(alpha=alpha, epsilon=epsilon, success=Fraction(9, 10)) - 1
        with precision(96):
            share = lower_end(ball(alpha * epsilon) * ball(n).sqrt())
        if share < constant:
            witness = f"alpha = {a}, eps = {e}: for n = {n} users the error that is excluded is {float(share):.4f} sqrt(n)/eps"
            return Verdict.refuted(witness, domain=domain, cases=decided)
        least = share if least is None else min(least, share)
    assert least is not None
    slack = f"errors up to {decimal_text(least, digits=3, direction='down')} sqrt(n)/eps are excluded"
    return Verdict.certified(domain=domain, cases=decided, slack=slack)
