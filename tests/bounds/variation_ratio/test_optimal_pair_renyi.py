"""Renyi divergences of the optimal pair: exact, certified by two routes, and what must be refused."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

import pytest
from enclosures import meet
from flint import arb

import shuffleproof
from shuffleproof.impl.ball.bounds.clones.clones import stronger_clones as stronger
from shuffleproof.impl.ball.bounds.clones.renyi_series import Series
from shuffleproof.impl.ball.bounds.variation_ratio import (
    optimal_pair as ball,
    optimal_pair_counts,
    optimal_pair_moments,
    optimal_parameters as ball_named,
)
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_masses import Masses
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_moments import Moments
from shuffleproof.impl.ball.numeric.arithmetic import ends, precision, upper_end
from shuffleproof.spec.bounds.variation_ratio import optimal_pair as exact, optimal_parameters as exact_named
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters, dominating_pair
from shuffleproof.spec.distribution import renyi_moment
from shuffleproof.spec.vocabulary.errors import RegimeError, ResourceLimitError, UndecidedError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import INFINITE, Epsilon, Number
from shuffleproof.spec.vocabulary.randomizers import named

SMALL: dict[str, Number] = {"p": 4, "beta": "1/2", "q": 4}


def test_a_value_by_hand() -> None:
    """n = 1: P = (2/3, 1/6, 1/6), Q = (1/6, 2/3, 1/6), and the sum of P^2/Q is 8/3 + 1/24 + 1/6."""
    assert exact.renyi(n=1, **SMALL, order=2).exact == "ln 23/8"


@pytest.mark.parametrize(("n", "order"), [(300, 2), (400, "3.5"), (1200, 24)])
def test_both_certified_routes_agree(n: int, order: Number) -> None:
    moments, counts = (ball.renyi(n=n, p=3, beta="1/3", q="5/2", order=order, digits=7, route=route) for route in ("moments", "counts"))
    assert meet(moments, counts)
    assert moments.side == counts.side == "enclosure"


@pytest.mark.parametrize(("n", "T", "order"), [(40, 3, 2), (400, 20, "2.5"), (5000, 3, 10), (10**6, 20, 30)])
def test_the_largest_beta_gives_the_stronger_clones(n: int, T: int, order: Number) -> None:
    assert meet(ball.renyi(n=n, p=T, beta=1, q=T, order=order), stronger.renyi(n=n, epsilon0=f"ln {T}", order=order))


def test_a_thousand_million_users_are_answered_to_twelve_digits() -> None:
    found = ball.renyi(n=10**9, p=3, beta="1/4", q=3, order=50)
    assert (found.upper - found.lower) * 10**12 <= found.upper


def test_large_orders_are_answered_for_many_users() -> None:
    """The powers that are not computed are bounded one by one: h alone is e^(10^5) here."""
    found = ball.renyi(n=10**9, p=3, beta="1/4", q=3, order=10**5, digits=6)
    smaller = ball.renyi(n=10**9, p=3, beta="1/4", q=3, order=10**4, digits=6)
    assert 10 * smaller.lower < found.upper < 11 * smaller.lower


def test_divergences_grow_with_the_order_and_with_every_parameter_and_shrink_with_n() -> None:
    values = [ball.renyi(n=40, **SMALL, order=order, digits=6) for order in ("1.5", 2, 8, 64)]
    assert all(below.upper < above.lower for below, above in pairwise(values))
    base = exact.renyi(n=9, **SMALL, order=4)
    for change in ({"p": 5}, {"beta": "3/5"}, {"q": 5}):
        assert base.upper < exact.renyi(**{"n": 9, **SMALL, "order": 4, **change}).lower  # type: ignore[arg-type]
    assert exact.renyi(n=10, **SMALL, order=4).upper < base.lower


def test_a_randomizer_is_the_pair_of_its_parameters() -> None:
    truth = exact_named.renyi(n=6, randomizer=named("krr", k=3), epsilon0="ln 4", order=5)
    assert (truth.lower, truth.upper) == (lambda found: (found.lower, found.upper))(exact.renyi(n=6, **SMALL, order=5))
    certified = ball_named.renyi(n=6, randomizer=named("krr", k=3), epsilon0="ln 4", order=5)
    assert meet(truth, certified)
    assert truth.inputs == certified.inputs == {"n": "6", "randomizer": "k-rr", "k": "3", "eps0": "ln 4", "order": "5"}
    assert truth.claim == certified.claim
    own = shuffleproof.renyi(n=10**4, randomizer="krr", k=10, epsilon0=1, order=16)
    assert 3 * own.upper < shuffleproof.renyi(n=10**4, epsilon0=1, order=16).lower


def below_the_truth(changed: Callable[[Moments], None] | None = None) -> int:
    """For how many cases of three users and few moments the upper end falls below the truth; the lower end never exceeds it."""
    found = 0
    for drawn, order, (terms, powers) in product(THREE, (2, 6), ((2, 2), (3, 2), (2, 8), (6, 8), (20, 2))):
        moment = renyi_moment(*dominating_pair(n=3, parameters=drawn), order=order)
        with precision(256):
            masses = Masses.of(x=1 / drawn.p, beta=drawn.clipped_beta(), q=drawn.q)
            moments = Moments.of(n=3, masses=masses, terms=terms, powers=powers)
            if changed is not None:
                changed(moments)
            low, high = ends(moments.excess(Series.of(epsilon0=Epsilon(None, drawn.p), order=Fraction(order))))
        assert low <= moment - 1
        found += high < moment - 1
    return found


HALF = Fraction(1, 2)
QUARTER = Masses.of(x=Fraction(1, 4), beta=HALF, q=Fraction(3, 2))
THREE = (
    Parameters(Fraction(4), HALF, Fraction(3, 2)),
    Parameters(Fraction(20), HALF, Fraction(20)),
    Parameters(Fraction(20), HALF, Fraction(2)),
)


def without_the_taylor_remainder(moments: Moments) -> None:
    moments.values[moments.powers] = [arb(0)] * (moments.terms + 1)


def without_the_powers_beyond(moments: Moments) -> None:
    moments.values[0][moments.terms] = arb(0)


def test_nothing_that_is_left_out_may_be_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sound for three users and a handful of moments; three mutants, each without one of the remainders, are not."""
    assert below_the_truth() == 0
    assert below_the_truth(without_the_taylor_remainder) > 0
    assert below_the_truth(without_the_powers_beyond) > 0
    monkeypatch.setattr(optimal_pair_moments, "probability_below", lambda n, q, eta: arb(0))
    assert below_the_truth() > 0


def test_powers_beyond_the_computed_ones_are_bounded_one_by_one() -> None:
    """Against 40 computed powers, where h is of no use; a mutant with half of the mean of c is below them."""
    with precision(300):
        masses = Masses.of(x=Fraction(1, 3), beta=Fraction(1, 4), q=Fraction(3))
        few, many = (Moments.of(n=400, masses=masses, terms=terms, powers=2) for terms in (3, 41))
        series = Series.of(epsilon0=Epsilon(None, Fraction(3)), order=Fraction(40))
        h_rest = series.edge_minus_1 - series.coefficient(1) - series.coefficient(2)
        powers = sum((series.coefficient(j) * many.values[0][j] for j in range(3, 41)), arb(0))
        bound = few._beyond(series, h_rest, arb(1), powers)
        assert powers < bound < 3 * powers
        assert bound < h_rest * few.values[0][3]
        assert replace(few, mean_c=few.mean_c / 2)._beyond(series, h_rest, arb(1), powers) < powers


def test_an_order_that_moments_do_not_reach_costs_few_powers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutant: all 30,000 powers for each number of moments, 90,000 coefficients."""
    asked, coefficient = [], Series.coefficient
    monkeypatch.setattr(Series, "coefficient", lambda series, j: asked.append(j) or coefficient(series, j))
    with pytest.raises(UndecidedError):
        ball.renyi(n=10**6, p=3, beta="1/2", q=3, order=20_000, digits=6, route="moments")
    assert len(asked) < 7_000


def test_counts_outside_the_rectangle_are_still_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """However small the rectangle; mutants without its probability, or without what is added there, are below the truth."""
    drawn, order = Parameters(Fraction(4), Fraction(1, 2), Fraction(3, 2)), 3
    truth = renyi_moment(*dominating_pair(n=14, parameters=drawn), order=order)

    def upper(n: int, smallest: float) -> Fraction:
        with precision(200):
            series = Series.of(epsilon0=Epsilon(None, Fraction(4)), order=Fraction(order))
            counts = optimal_pair_counts.Counts.of(n=n, masses=QUARTER, series=series, smallest=arb(smallest))
            return upper_end(counts.excess(series, terms=4 if n == 14 else 24, direct_to=3))

    assert all(upper(14, smallest) >= truth - 1 for smallest in (10.0, 1.0, 1e-2, 1e-4, 1e-17))
    known = upper(150, 1e-17)
    assert all(known <= upper(150, smallest) <= known + 3 * Fraction(smallest) for smallest in (1e-2, 1e-4))
    with monkeypatch.context() as changed:
        changed.setattr(Series, "beyond", lambda self, terms, N, smallest: arb(0))
        assert upper(14, 10.0) < truth - 1
    monkeypatch.setattr(optimal_pair_counts, "_LEVELS", 1)
    assert upper(14, 20.0) >= truth - 1
    monkeypatch.setattr(optimal_pair_counts, "_beyond", lambda n, k, mass: arb(0))
    assert upper(14, 20.0) < truth - 1


def test_counts_below_the_level_are_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant without its probability is below what these add."""
    masses = Masses.of(x=Fraction(1, 4), beta=HALF, q=Fraction(4))
    with precision(200):
        series = Series.of(epsilon0=Epsilon(None, Fraction(4)), order=Fraction(3))
        _, below = optimal_pair_counts._above_level(14, masses, series, arb(100))
        whole = optimal_pair_counts.Counts(14, masses, (0, 14), (0, 14), arb(0))
        level = 5  # below 15/16 of the mean, 5.6
        added, kappa = arb(0), arb(8) / 5
        for c in range(1, 15):
            terms = optimal_pair_counts._Direct.of(c, series)
            added += sum((mass * terms.excess(c + kappa * d) for d, mass in whole._masses(c) if c + kappa * d < level), arb(0))
        added = added * 4 / (14 * kappa)
        assert 0 < added < below
        monkeypatch.setattr(optimal_pair_counts, "probability_below", lambda n, q, eta: arb(0))
        assert optimal_pair_counts._above_level(14, masses, series, arb(100))[1] < added


def test_a_wrong_centre_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    original = optimal_pair_moments._one_draw
    monkeypatch.setattr(optimal_pair_moments, "_one_draw", lambda masses, kappa, *rest: original(masses, kappa * Fraction(101, 100), *rest))
    broken = ball.renyi(n=2000, p=3, beta="1/3", q="5/2", order=4, digits=6, route="moments")
    monkeypatch.undo()
    assert not meet(broken, ball.renyi(n=2000, p=3, beta="1/3", q="5/2", order=4))


def test_what_cannot_be_answered_is_refused() -> None:
    for engine in (exact, ball):
        with pytest.raises(RegimeError, match="infinite"):
            engine.renyi(n=5, p=INFINITE, beta="1/2", q=2, order=2)
        assert engine.renyi(n=5, p=INFINITE, beta=0, q=2, order=2).upper == 0
        assert engine.renyi(n=5, p=3, beta=0, q=2, order=2).exact == "0"
    with pytest.raises(ResourceLimitError):
        exact.renyi(n=41, **SMALL, order=2)
    with pytest.raises(UnsupportedError, match="irrational"):
        exact.renyi(n=4, **SMALL, order="2.5")
    with pytest.raises(ResourceLimitError, match="terms"):
        ball.renyi(n=10**6, p=3, beta="1/4", q=3, order=10**6)
