"""Distributions without pure local privacy through the sum of losses: Gaussian noise on [0, 1], and response that leaks."""

import itertools
import math
import random
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import pytest
from enclosures import meet

import shuffleproof as sp
from shuffleproof.impl.ball.bounds.blanket import gaussian_reports as ball, one_sum_counts
from shuffleproof.impl.ball.bounds.lower import leaking_response as leaking_ball
from shuffleproof.impl.ball.numeric import arithmetic
from shuffleproof.impl.fast.bounds.blanket import gaussian_reports as fast, one_sum
from shuffleproof.impl.fast.bounds.blanket.one_sum_profile import profile_of
from shuffleproof.impl.fast.bounds.lower import leaking_response as leaking_fast
from shuffleproof.impl.fast.bounds.swap import gaussian_places as places
from shuffleproof.spec.bounds.lower import leaking_response as leaking
from shuffleproof.spec.bounds.swap.another_place import positive
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, UnsupportedError


def _one_user(sigma: float, epsilon: float) -> float:
    """delta of one number in [0, 1] with Gaussian noise."""
    mu = 1 / sigma
    tail = [math.erfc((epsilon / mu + sign * mu / 2) / math.sqrt(2)) / 2 for sign in (-1, 1)]
    return tail[0] - math.exp(epsilon) * tail[1]


@pytest.mark.parametrize(("sigma", "epsilon"), [(1.0, 0.5), (0.25, 3.0), (40.0, 0.001)])
def test_one_user_is_as_private_as_central_gaussian_noise(sigma: float, epsilon: float) -> None:
    asked: dict[str, Any] = {"n": 1, "sigma": str(sigma), "epsilon": str(epsilon)}
    above, below, truth = fast.delta(**asked), fast.delta_below(**asked), _one_user(sigma, epsilon)
    assert below.lower <= above.upper
    assert float(below.upper) <= truth * (1 + 1e-9)
    assert float(above.lower) * (1 - 1e-9) <= truth <= float(above.upper) * (1 + 1e-9)
    assert float(above.upper / below.lower) < 1.01


def test_float64_and_balls_agree_on_the_blanket_of_gaussian_noise() -> None:
    asked: dict[str, Any] = {"n": 30, "sigma": 1, "epsilon": "0.3"}
    one, other = fast.delta(**asked), ball.delta(**asked, digits=1)
    assert one.lower < other.upper
    assert other.lower < one.upper


def test_a_bracket_of_gaussian_noise_is_as_wide_as_its_chi_squares_say() -> None:
    found = sp.shuffled(sp.Gaussian(sigma=1), n=10**4).epsilon(delta="1e-6")
    assert (found.upper.method, found.lower.method) == ("gaussian-place", "gaussian-homogeneous")
    assert 1 < float(found.upper.upper / found.lower.lower) < 1.06
    assert 1.3 < float(fast.epsilon(n=10**4, sigma=1, delta="1e-6").upper / found.lower.lower) < 1.33


@pytest.mark.parametrize("n", [2, 20, 200])
@pytest.mark.parametrize("sigma", [Fraction(1), Fraction(4)])
def test_what_stands_for_nothing_is_taken_off_the_lower_end(n: int, sigma: Fraction) -> None:
    for z, epsilon in itertools.product((Fraction(1), Fraction(2), Fraction(3)), (Fraction(1, 20), Fraction(1, 2))):
        near, far = (NormalDist().cdf(-float(end)) for end in (z, z + 1 / sigma))
        E = math.exp(epsilon)
        lost = min((E - 1) * (near + far), n * far)
        cut, bare = fast.blanket_distribution(sigma, z), replace(fast.blanket_distribution(sigma, z), beyond=(Decimal(0), Decimal(0)))
        ((low, _),), ((kept, _),) = (profile_of(each, n=n, epsilons=[epsilon]) for each in (cut, bare))
        assert float(low) == pytest.approx(max(0.0, float(kept) - lost), rel=1e-9, abs=1e-15)
        given = ball._Blanket(sigma, z, n).given_away(arithmetic.ball(Fraction(E)), swapped=False)
        assert [float(-arithmetic.lower_end(given)), float(arithmetic.upper_end(given))] == pytest.approx([lost, near], rel=1e-6)


def test_another_users_place_is_above_one_pair_for_few_users_and_where_it_says_little() -> None:
    for n, sigma, delta in ((1, 1, "1e-6"), (2, "1/10", "1e-3"), (3000, 4, "1e-9")):
        asked: dict[str, Any] = {"n": n, "sigma": sigma, "delta": delta}
        above, below = places.epsilon(**asked), fast.epsilon_below(**asked)
        assert below.lower <= above.upper
    assert 1e-9 / 2 < places.delta(n=3000, sigma=4, epsilon=above.upper).upper < 1e-9 * 2


def test_gaussian_noise_says_what_it_cannot_answer() -> None:
    for wrong in (0, "1/11", -1, "nan", 10**7):
        with pytest.raises(DomainError, match="sigma"):
            sp.Gaussian(sigma=wrong)
    survey = sp.shuffled(sp.Gaussian(sigma=1), n=100)
    with pytest.raises(RegimeError, match="delta > 0"):
        survey.epsilon(delta=0)
    with pytest.raises(UnsupportedError, match="beyond the floats"):
        places.epsilon(n=100, sigma="1/10", delta="1e-300")
    with pytest.raises(RegimeError, match="delta > 0"):
        places.epsilon(n=100, sigma=1, delta=0)
    assert places.epsilon(n=100, sigma=1, delta=1).upper == 0


@pytest.mark.parametrize(("sigma", "delta"), [(1, "1e-300"), ("1/10", "1e-300"), (10**5, "1e-400")])
def test_where_floats_end_one_report_alone_answers_for_gaussian_noise(sigma: Any, delta: str) -> None:
    """E at which R_0(y < -z sigma) is delta: ln of it is that of the density at z over z, nearly."""
    found = fast.epsilon(n=10**6, sigma=sigma, delta=delta)
    assert found.side == "upper"
    z = float(found.upper) * float(Fraction(sigma)) - 0.5 / float(Fraction(sigma))
    rarer, wanted = (-0.5 * x * x - math.log(x * math.sqrt(2 * math.pi)) for x in (z, z - 0.07)), float(delta[2:]) * math.log(10)
    assert next(rarer) <= wanted <= next(rarer)


def test_the_engines_enclose_the_exact_value_of_leaking_response() -> None:
    drawn = random.Random(18)
    for _ in range(6):
        T, delta0 = 1 + Fraction(drawn.randint(1, 200), 60), Fraction(drawn.randint(0, 9), 10 ** drawn.randint(1, 6))
        asked: dict[str, Any] = {"n": drawn.choice([1, 2, 5]), "epsilon0": f"ln {T}", "delta0": delta0}
        E, delta = 1 + (T - 1) * Fraction(drawn.randint(0, 60), 60), delta0 + (1 - delta0) * Fraction(drawn.randint(0, 30), 60)
        truth, ends = leaking.delta(**asked, epsilon=f"ln {E}"), leaking.epsilon(**asked, delta=delta)
        for engine, digits in ((leaking_ball, {"digits": 2}), (leaking_fast, {})):
            assert meet(engine.delta(**asked, epsilon=f"ln {E}", **digits), truth)
        assert meet(leaking_fast.epsilon(**asked, delta=delta), ends)


def test_leaking_response_is_worse_than_response_that_does_not_leak_and_refuses_a_smaller_delta() -> None:
    asked: dict[str, Any] = {"n": 50, "epsilon0": 1, "delta": "1e-6"}
    without, leak = leaking_fast.epsilon(**asked, delta0=0), leaking_fast.epsilon(**asked, delta0="9e-7")
    assert leak.lower > without.upper
    assert leaking_fast.epsilon(**asked, delta0="1e-6").upper >= 1
    with pytest.raises(RegimeError, match="delta0"):
        leaking_fast.epsilon(**asked, delta0="2e-6")
    bracket = sp.shuffled(sp.ApproximateRandomizer(epsilon0=1, delta0="9e-7"), n=30).delta(epsilon="1/2")
    assert bracket.lower.lower >= leaking_fast.delta(n=30, epsilon0=1, delta0="9e-7", epsilon="1/2").lower
    assert leaking_fast.delta(n=3, epsilon0=1, delta0=1, epsilon=0).upper == 1


RARE: dict[str, Any] = {"n": 3, "epsilon0": "ln 137/3", "delta0": "11/150000", "delta": "2200002849791/30000000000000000"}


def test_balls_count_where_leaks_leave_a_grid_too_wide() -> None:
    truth, found = leaking.epsilon(**RARE), leaking_ball.epsilon(**RARE, digits=3)
    assert found.lower <= truth.upper
    assert truth.lower <= found.upper <= found.lower * Fraction(1001, 1000)


def test_balls_say_what_helps_where_users_are_too_many_to_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_sum_counts, "MOST", 0)
    with pytest.raises(UnsupportedError, match=r'rare beside delta .* use engine "fast"'):
        leaking_ball.epsilon(**RARE)


@pytest.mark.parametrize("n", [1, 2, 7])
def test_counted_sums_are_the_exact_ones(n: int) -> None:
    """Ties at 0, an atom of 0, probabilities that add up to 1 and that do not; means below where the atoms stand."""
    half = Fraction(1, 2)
    for atoms in ([(half, -1), (half, 1)], [(Fraction(1, 3), 0), (Fraction(1, 5), Fraction(-3, 2)), (Fraction(1, 7), 3)], [(half, -2)]):
        exact = positive([[*((Fraction(at), mass) for mass, at in atoms), (Fraction(0), 1 - sum(mass for mass, _ in atoms))]] * n) / n
        with arithmetic.precision(120):
            rows = [(arithmetic.ball(mass), arithmetic.ball(Fraction(at)), arithmetic.ball(Fraction(at) - half)) for mass, at in atoms]
            found = one_sum_counts.enclose(rows, n=n)
            narrow = one_sum_counts.enclose([(mass, at, at) for mass, at, _ in rows], n=n)
        assert found.lower <= exact <= found.upper
        assert narrow.lower <= exact <= narrow.upper <= narrow.lower + Fraction(1, 10**30)


def test_one_report_of_thousands_of_cells_is_counted_without_a_call_for_each_cell() -> None:
    with arithmetic.precision(120):
        rows = [(arithmetic.ball(Fraction(1, 4000)), arithmetic.ball(k - 3000), arithmetic.ball(k - 3000)) for k in range(4000)]
        found = one_sum_counts.enclose(rows, n=1)
    assert found.lower <= Fraction(sum(range(1000)), 4000) <= found.upper


def test_delta_in_another_users_place_is_not_lost_where_losses_are_rare() -> None:
    """It was 1: what is given away was guessed for a delta of 5e-12."""
    assert places.delta(n=1000, sigma=2, epsilon="1/10").upper < Fraction("7e-10")


@pytest.mark.deep
def test_an_epsilon_in_another_users_place_is_found_where_guesses_say_nothing() -> None:
    """Beyond 5 nothing is claimed; a search that went there for more stayed there, and 18.25 came out."""
    assert places.epsilon(n=10**5, sigma="1/2", delta="1e-9").upper < Fraction(22, 10)
    rounds = sp.shuffled(sp.Gaussian(sigma=2), n=10**4).rounds(100).epsilon(delta="1e-6").upper
    assert rounds.method == "gaussian-place, grid"
    assert rounds.upper < Fraction(22, 100)


@pytest.mark.parametrize(
    ("sigma", "n", "delta", "ratio"), [("1/3", 10**4, "1e-6", 1.015), ("1/4", 10**4, "1e-12", 1.03), ("1/5", 10**6, "1e-6", 1.03)]
)
def test_of_narrow_gaussian_noise_one_report_says_nearly_all(sigma: str, n: int, delta: str, ratio: float) -> None:
    asked: dict[str, Any] = {"n": n, "sigma": sigma}
    above, below = fast.epsilon(**asked, delta=delta), fast.epsilon_below(**asked, delta=delta)
    assert 1 <= float(above.upper / below.lower) < ratio
    at_end = fast.delta(**asked, epsilon=above.upper)
    assert fast.delta_below(**asked, epsilon=above.upper).lower <= at_end.upper <= Fraction(delta) * Fraction(101, 100)
    assert float(below.lower) == pytest.approx(_one_user_epsilon(float(Fraction(sigma)), float(delta)) - math.log(n), rel=4e-3)


def _one_user_epsilon(sigma: float, delta: float) -> float:
    low, high = 0.0, 200.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _one_user(sigma, middle) > delta else (low, middle)
    return high


def test_a_line_of_thousands_of_atoms_lies_within_the_grid_which_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutants: the last block of atoms left out of the sums; points taken for the ones beside them."""
    sigma = Fraction(1, 2)
    end = fast.end_for(sigma, Fraction(1, 10**6))
    assert end is not None
    losses = fast.losses_at(fast.blanket_distribution(sigma, end), 0.4717)
    asked: dict[str, Any] = {"n": 10**5, "length": 1 << 14}
    wide, (lower, upper, no_use) = one_sum.on_a_grid(losses, **asked), one_sum.summed(losses, **asked)
    assert len(losses.at) > 3000
    assert wide[0] < lower < upper < lower * 1.006 < wide[1]
    assert no_use
    monkeypatch.setattr(one_sum, "on_a_grid", lambda *_, **__: pytest.fail("the grid was no use"))
    assert one_sum.summed(losses, **asked, line_alone=True) == (lower, upper, True)
