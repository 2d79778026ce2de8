"""FMT21, appendix A: Lemma A.1 by the exponential bound, its least constants, and where the printed proof fails."""

from fractions import Fraction
from itertools import pairwise

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from mpmath import exp, loggamma, mp, mpf
from strategies import examples

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end
from shuffleproof.proofs_check.papers.fmt21.appendices.likelihood_tail import Claim, Point, phi, root_above, two_sided_tail, violation
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import clone_counts
from shuffleproof.spec.divergence import hockey_stick


def test_a_violation_agrees_with_mpmath() -> None:
    """The single outcome named as a witness, in a second library: its term of the divergence exceeds delta."""
    claim, point = (
        Claim(factor=Fraction(4), condition=Fraction(16), inside=4, offset=8),
        Point(n=3_695_228, p=Fraction(1, 1000), decimals=100, a=2330, b=1162),
    )
    assert violation(claim, point) is not None
    with mp.workdps(60):
        mean, log_delta = mpf(point.n) / 1000, -100 * mp.log(10)
        assert mean >= 16 * (mp.log(2) - log_delta)
        e_eps = 1 + 8 * mp.sqrt((mp.log(4) - log_delta) / mean) / 2 + 8 / mean
        x, y, rest = point.a - 1, point.b, point.n - point.a - point.b
        log_mass = loggamma(point.n) - loggamma(x + 1) - loggamma(y + 1) - loggamma(rest + 1)
        log_mass += (x + y) * mp.log(mpf(1) / 2000) + rest * mp.log(mpf(999) / 1000)
        assert exp(log_mass - log_delta) * (1 - e_eps * point.b / point.a) > 1


def test_a_point_outside_the_hypothesis_is_no_violation() -> None:
    claim = Claim(factor=Fraction(4), condition=Fraction(16), inside=4, offset=8)
    assert violation(claim, Point(n=3_000_000, p=Fraction(1, 1000), decimals=100, a=2330, b=1162)) is None


@pytest.mark.parametrize(("k", "root"), [(16, Fraction(1, 4)), (9, Fraction(1, 3))])
def test_root_of_a_square_is_exact(k: int, root: Fraction) -> None:
    assert root_above(Fraction(k)) == root


@pytest.mark.parametrize("k", ["8", "5.03", "2.99", "40"])
def test_root_is_rounded_up(k: str) -> None:
    root = root_above(Fraction(k))
    assert root**2 >= 1 / Fraction(k) > (root - Fraction(2, 10**9)) ** 2


def test_phi_falls_from_one_towards_one_half() -> None:
    assert phi(arb(1)) == 1
    values = [phi(arb(r)) for r in (1, 2, 5, 100, 10**9)]
    assert all(later < earlier for earlier, later in pairwise(values))
    assert lower_end(values[-1]) > Fraction(1, 2)


@examples(30)
@given(st.integers(1, 9), st.fractions(Fraction(1, 20), 1, max_denominator=20), st.fractions(Fraction(11, 10), 6, max_denominator=10))
def test_the_tail_bounds_the_divergence(n: int, p: Fraction, order: Fraction) -> None:
    """D(P || Q) at e^eps is at most the probability under P that the ratio leaves [e^-eps, e^eps] (FMT21, Lemma A.1, last sentence)."""
    P, Q = clone_counts(n, p)
    tail = two_sided_tail(n=n, p=p, exp_epsilon=ball(order))
    assert tail == sum(weight for (a, b), weight in P.items() if a >= order * b or b >= order * a)
    assert hockey_stick(P, Q, exp_epsilon=order) <= tail
