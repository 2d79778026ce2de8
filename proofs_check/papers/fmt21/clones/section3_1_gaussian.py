"""FMT21, section 3.1: Gaussian noise on a bounded vector, by replacement and by deletion."""

from fractions import Fraction
from itertools import product

import sympy
from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, precision
from shuffleproof.proofs_check.ledger import BALLS, SYMPY, Budget, Cited, Verdict, statement
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.proofs_check.ledger.points import BITS


def _below(x: arb) -> arb:
    """Phi(x), the standard normal distribution function."""
    return (-x / ball(2).sqrt()).erfc() / 2


def _delta(epsilon: arb, shift: arb) -> arb:
    """D_(e^eps) of two unit Gaussians at this distance: Phi(-eps/s + s/2) - e^eps Phi(-eps/s - s/2)."""
    return _below(shift / 2 - epsilon / shift) - epsilon.exp() * _below(-shift / 2 - epsilon / shift)


@statement(
    "FMT21.Sec3.1.remark-gaussian",
    where="Section 3.1, after Lemma 3.7",
    says="isotropic Gaussian noise on a vector of a ball of radius r that is (eps, delta)-DP is also deletion (eps/2, delta)-DP",
    range="all r, sigma > 0, eps >= 0, with delta the exact delta of two points at distance 2r",
    grounds=[
        SYMPY,
        BALLS,
        Cited("Mills' bound: Phi(-x) < phi(x)/x for x > 0", "known-facts#normal-tails"),
        Cited("the divergence of two Gaussians depends on their distance only and grows with it", "known-facts#normal-tails"),
    ],
    weaker={"share": "larger"},
    mutants={"deletion (eps/2, delta/2)-DP": {"share": Fraction(1, 2)}},
)
def gaussian(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """share: of the replacement delta that is claimed for deletion."""
    e, s = sympy.symbols("e s", positive=True)
    x = e / s + s / 2
    # with a = -e/s + s/2: phi(a) = e^e phi(x), so t -> D(t e, t s) has the derivative phi(a) (s - e Phi(-x)/phi(x)) > phi(a) (s - e/x)
    # one number serves all shifts only if it is at least 1: at a large shift both deltas are as near to 1 as one likes
    algebra = [
        symbolic.is_nonnegative(symbolic.rational(share) - 1),
        symbolic.are_identical(x**2 - (s / 2 - e / s) ** 2, 2 * e),
        symbolic.are_identical(s - e / x, s**3 / (2 * e + s**2)),
    ]
    epsilons, shifts = ("0", "1/100", "1/2", "1", "4"), ("1/100", "1/2", "1", "3", "8", "16")
    holds, cases, failing = all(algebra), 3, None
    with precision(BITS):
        for epsilon, shift in product(map(Fraction, epsilons), map(Fraction, shifts)):
            cases += 1
            replaced, deleted = _delta(ball(epsilon), ball(shift)), _delta(ball(epsilon / 2), ball(shift / 2))
            if not deleted <= ball(share) * replaced:
                holds, failing = False, failing or f"eps = {epsilon}, 2r/sigma = {shift}"
    domain = "all eps >= 0, radii, noise levels, dimensions: D(t eps, t s) grows with t; certified at points"
    if not holds:
        return Verdict.refuted(failing or "the algebra fails", domain=domain, cases=cases)
    note = "reference: the noise alone, at distance r; two vectors are at distance 2r at most"
    return Verdict.proved(domain=domain, cases=cases, note=note)
