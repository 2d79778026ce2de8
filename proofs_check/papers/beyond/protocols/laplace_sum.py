"""Discrete Laplace noise that users add in parts: its distribution, and what a sum with it says."""

from fractions import Fraction

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.spec.bounds.noise import laplace_sum
from shuffleproof.spec.privacy_profile import PrivacyProfile

_RATIOS = (Fraction(1, 3), Fraction(4, 5))  # e^(-1/scale): narrow and wide noise
_TERMS = 7  # orders that are tried: powers of the ratio and between them
_REACH = 12  # integers that are summed one by one; beyond them both distributions are geometric


def _shifted(alpha: Fraction, shift: int, z: int) -> Fraction:
    """Pr(shift + Z = z)."""
    return (1 - alpha) / (1 + alpha) * alpha ** abs(z - shift)


def _by_sums(alpha: Fraction, shift: int, E: Fraction) -> Fraction:
    """D_E(Z || shift + Z): integers up to _REACH beside the shift; beyond them on the left both laws are geometric with one ratio."""
    total = sum(
        (max(Fraction(0), _shifted(alpha, 0, z) - E * _shifted(alpha, shift, z)) for z in range(-_REACH, shift + _REACH)), Fraction(0)
    )
    beyond = alpha / (1 - alpha)  # of the mass at -_REACH, all together
    return total + beyond * max(Fraction(0), _shifted(alpha, 0, -_REACH) - E * _shifted(alpha, shift, -_REACH))


@derived(
    "BEYOND.laplace-sum",
    where="docs/mathematics/noise-in-parts.md",
    says="let each of N >= n honest users add X - Y to their integer, X, Y independent Polya(1/n, a) variables; only the sum is seen. For "
    "data that one user moves by at most s it is (s ln 1/a, 0)-DP, and its deltas are at most those of discrete Laplace noise of "
    "ratio a and its shift by s, which are max over 0 <= t < s of 1 - (a^(t + 1) + E a^(s - t))/(1 + a), or 0; with n honest users and "
    "data that move it by s they are these",
    range="n >= 1, s >= 1, a in (0, 1), E >= 1",
    governs=[
        "spec.bounds.noise.laplace_sum",
        "impl.ball.bounds.noise.laplace_sum",
        "impl.fast.bounds.noise.laplace_sum",
        "impl.release.polya",
    ],
    grounds=["noise-in-parts#noise-in-parts", EXACT],
    mutants={"each user adds a part for one user more": {"more": 1}, "the power next to the shift is one smaller": {"power": 1}},
    missing="more users and larger shifts than enumerated",
)
def noise_in_parts(budget: Budget, *, more: int = 0, power: int = 0) -> Verdict:
    """n-fold sums of parts are geometric; the merged pair, the closed form and sums over integers agree; smaller shifts say less."""
    largest = budget.pick(quick=3, full=5)

    def holds(alpha: Fraction, size: int) -> bool:
        part = laplace_sum.part(share=Fraction(1, size + more), alpha=alpha, terms=_TERMS)
        whole = part
        for _ in range(size - 1):
            whole = [sum((whole[i] * part[k - i] for i in range(k + 1)), Fraction(0)) for k in range(len(whole))]
        if whole != [alpha**k for k in range(_TERMS)]:  # a geometric variable; the difference of two is discrete Laplace
            return False
        profile = PrivacyProfile(*laplace_sum.pair(alpha=alpha, sensitivity=size))
        orders = sorted({Fraction(1), Fraction(11, 10), Fraction(3), *profile.corners()})
        for E in orders:
            closed = max(1 - (alpha ** (t + 1) + E * alpha ** (size - t - power)) / (1 + alpha) for t in range(size))
            value = profile.delta(exp_epsilon=E)
            smaller = max((_by_sums(alpha, shift, E) for shift in range(1, size)), default=Fraction(0))
            if not (value == max(closed, Fraction(0)) == _by_sums(alpha, size, E) >= smaller):
                return False
        return True

    return exhaustive.for_all(
        [(alpha, size) for alpha in _RATIOS for size in range(1, largest + 1)], holds=exhaustive.unpacked(holds)
    ).verdict(
        domain=f"a = 1/3, 4/5, n = s from 1 to {largest}, parts up to {_TERMS} terms, all corners of the profile",
        witness=lambda case: f"a, n = {case}",
        note="for all: (1 - a)/(1 - a x) is the n-th power of its n-th root, Polya(1/n, a)'s generating function; parts of further users "
        "are post-processing; the ratio of the two distributions is constant up to 0 and from s on, and monotone between",
    )
