"""FMT21, section 3: is the condition of Theorem 3.1 ln(2/delta) or ln(4/delta)? A question of users of the authors' code, answered."""

from fractions import Fraction

from shuffleproof.impl.ball.numeric.arithmetic import ball, precision, upper_end
from shuffleproof.proofs_check.ledger import BALLS, SYMPY, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.points import BITS
from shuffleproof.proofs_check.papers.fmt21.appendices import likelihood_tail as tail
from shuffleproof.proofs_check.papers.fmt21.appendices.likelihood_tail import Claim, find_violation


def _between(delta: Fraction) -> bool:
    """Return whether some n and T meet 16 T ln(2/delta) <= n but not 16 T ln(4/delta) <= n: n = 16 T ln(2/delta) rounded up, T = 100."""
    with precision(BITS):
        by_two, by_four = (ball(Fraction(1600)) * (ball(inside / delta)).log() for inside in (2, 4))
        n = int(upper_end(by_two)) + 1
        return bool(by_two <= n) and bool(by_four > n)


@derived(
    "FMT21.Thm3.1-condition",
    where="Theorem 3.1, Lemma 3.5, Lemma A.1, Theorem 3.8",
    says="(a question of users) Theorem 3.1 holds with ln(2/delta) in its condition, as printed; ln(4/delta) is not needed",
    range="all n, eps0 >= 0, delta in (0, 1] with eps0 <= ln(n/(16 ln(2/delta)))",
    governs=["spec.bounds.clones.clones_closed_form", "impl.ball.bounds.clones.clones_closed_form"],
    grounds=["FMT21.LemA.1", "FMT21.Lem3.5", "FMT21.Thm3.2", SYMPY, BALLS, "BEYOND.Markov", "BEYOND.exponential-bounds"],
    weaker={"constant": "larger", "factor": "larger"},
    mutants={"4 ln(2/delta) for 16 ln(2/delta)": {"constant": Fraction(4)}, "2 for the constant 8 under the root": {"factor": Fraction(2)}},
)
def condition(budget: Budget, *, constant: Fraction = Fraction(16), factor: Fraction = Fraction(8)) -> Verdict:
    """Theorem 3.1 with eps0 <= ln(n/(constant ln(2/delta))): the exponential bound on the likelihood ratio's tail, for all of it."""
    claim = Claim(factor=factor, condition=constant, inside=4, offset=8)
    far = tail.rate_on_interval(claim.factor, top=tail.root_above(constant))
    holds = tail.rate_near_zero(claim.factor) and far.holds
    deltas = [Fraction(1), Fraction(1, 10**6), Fraction(1, 10**30)]
    domain = "all n, eps0 >= 0, delta in (0, 1] with eps0 <= ln(n/(16 ln(2/delta)))"
    if not holds:
        witness = find_violation(claim)
        if witness:
            return Verdict.refuted(witness, domain=domain, cases=far.boxes)
        return Verdict.undecided("the exponential bound does not reach delta", domain=domain, cases=far.boxes)
    if not all(map(_between, deltas)):
        raise AssertionError("the two conditions do not differ")
    return Verdict.proved(
        domain=domain,
        cases=far.boxes + len(deltas),
        slack=f"1 - phi(1 + 8 s) - s^2 >= {far.slack} for s = sqrt(ln(2/delta)/(pn)) away from 0",
        note="ln(2/delta), as printed. Two steps of the printed proof use ln(4/delta) (FMT21.LemA.1.step-half, -quarter): it covers "
        "the range between the two conditions, which is never empty, for small delta only. A direct bound on the tail does without, and "
        "even 5.03 for 16 is enough, with 7.97 for 8 (FMT21.LemA.1-constants). Code that asks for ln(4/delta) refuses what is right",
    )
