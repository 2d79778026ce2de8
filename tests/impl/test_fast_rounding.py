"""What the float64 engine assumes about arithmetic, measured against balls, and the error counts that rest on it."""

import math
import operator as op
import random
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction

import flint
import numpy as np
import pytest
from flint import arb, fmpq, fmpz

from shuffleproof.impl.fast.bounds.clones import clones_constants, clones_mixture, clones_profile
from shuffleproof.impl.fast.bounds.clones.clones_constants import ClonesConstants, LocalConstants
from shuffleproof.impl.fast.numeric import results
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.numerals import Epsilon, parse_epsilon

DEEP = pytest.mark.deep


@pytest.fixture(autouse=True)
def precise() -> Iterator[None]:
    with flint.ctx.workprec(700):
        yield


def ball(x: Decimal | float | Fraction | int) -> arb:
    numerator, denominator = x.as_integer_ratio()
    return arb(fmpq(numerator, denominator))


def relative_error(x: Decimal | float, truth: arb) -> float:
    """|x/truth - 1|, from above."""
    return float(abs(ball(x) / truth - 1).upper())


def worst_decimal_errors(count: int) -> tuple[float, float]:
    """The largest relative errors of ln and exp over the box that results.ASSUMPTIONS names, near 1 and near 0 included."""
    draw, worst_ln, worst_exp = random.Random(20), 0.0, 0.0
    with results.working():
        for _ in range(count):
            near_1 = draw.choice((1 + 10 ** draw.uniform(-15, -1), draw.uniform(0.5, 2)))
            x = (
                Decimal(draw.choice((10 ** draw.uniform(-300, 305), near_1, draw.uniform(1, 1e10))))
                / 3
                * Decimal("2.9999999999999999999999999999999999")
            )
            worst_ln = max(worst_ln, relative_error(x.ln(), ball(x).log()))
            y = Decimal(draw.choice((draw.uniform(-2000, 2000), 10 ** draw.uniform(-60, 3), -(10 ** draw.uniform(-60, 3))))) / 3
            worst_exp = max(worst_exp, relative_error(y.exp(), ball(y).exp()))
    return worst_ln, worst_exp


@pytest.mark.parametrize("count", [1_000, pytest.param(100_000, marks=DEEP)])
def test_decimal_logarithms_and_exponentials_are_as_good_as_recorded(count: int) -> None:
    (assumption,) = results.ASSUMPTIONS
    worst = max(worst_decimal_errors(count))
    assert 0 < worst <= assumption.worst
    assert assumption.assumed >= 8 * assumption.worst


@pytest.mark.parametrize("k", [0, 1, 2, 20, 255, 256, 257, 1000, 12_345, 10**6, 999_999_999, 10**9])
def test_log_factorial_keeps_its_promise(k: int) -> None:
    assert abs(ball(results.log_factorial(k)) - arb(k + 1).lgamma()).upper() <= 1e-37


def test_log_factorial_check_notices_a_wrong_coefficient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "_STIRLING", (*results._STIRLING[:-1], Fraction(1, 157)))
    assert abs(ball(results.log_factorial.__wrapped__(300)) - arb(301).lgamma()).upper() > 1e-37


@pytest.mark.parametrize(
    ("larger", "smaller"),
    [
        ("1", "0.5"),
        ("700", 0),
        ("1e-200", "1e-201"),
        ("1", Fraction(1) - Fraction(1, 10**300)),
        ("1", Fraction(1) - Fraction(2, 10**8)),
        ("ln 3", "ln 2"),
        ("ln 3", "1"),
        ("1.0986122886681096914", "ln 3"),
        ("1", "ln 2"),
        ("ln 1e100", "230.258509299404568401799145468436420760110148862"),
    ],
)
def test_differences_of_exponentials_do_not_cancel(larger: str, smaller: str) -> None:
    above, below = parse_epsilon(larger), parse_epsilon(smaller)

    def exact(epsilon: Epsilon) -> arb:
        return ball(epsilon.exp) if epsilon.exp is not None else ball(epsilon.rational or 0).exp()

    with flint.ctx.workprec(3000):
        assert relative_error(results.exponential_difference(above, below), exact(above) - exact(below)) < 1e-40
        assert relative_error(results.exponential_minus_1(above), exact(above) - 1) < 1e-45


def test_exponentials_that_a_thousand_digits_do_not_separate_are_refused() -> None:
    with flint.ctx.workprec(4000):
        mantissa, exponent = arb(3).log().mid().man_exp()
    above = Fraction(int(mantissa)) * Fraction(2) ** int(exponent) + Fraction(1, 2**3900)
    with pytest.raises(UnsupportedError, match="ball"):
        results.exponential_difference(Epsilon(above, None), parse_epsilon("ln 3"))


def test_scalars_do_not_depend_on_the_callers_decimal_context() -> None:
    with localcontext() as context:
        context.prec = 5
        narrow = results.log_factorial.__wrapped__(1000), results.exponential_minus_1(parse_epsilon("0.3"))
    assert narrow == (results.log_factorial.__wrapped__(1000), results.exponential_minus_1(parse_epsilon("0.3")))


def test_array_arithmetic_is_rounded_to_nearest() -> None:
    """The one assumption about numpy: each of +, -, *, / returns the float nearest to the exact result (ties: either neighbour)."""
    draw = np.random.default_rng(5)
    x, y = (draw.uniform(1, 2, 2000) * 2.0 ** draw.integers(-200, 200, 2000) for _ in range(2))
    for computed, operation in ((x + y, op.add), (x - y, op.sub), (x * y, op.mul), (x / y, op.truediv)):
        for a, b, got in zip(x.tolist(), y.tolist(), computed.tolist(), strict=True):
            exact = operation(Fraction(a), Fraction(b))
            assert abs(Fraction(got) - exact) <= Fraction(results.U) * abs(exact)


def test_cumulative_products_and_sums_round_once_a_step() -> None:
    x = np.random.default_rng(6).uniform(0.9, 1.1, 5000)
    product, total = 1.0, 0.0
    for factor, running, sum_so_far in zip(x.tolist(), np.cumprod(x).tolist(), np.cumsum(x).tolist(), strict=True):
        product, total = product * factor, total + factor
        assert (running, sum_so_far) == (product, total)


def mixture_of(m: int, epsilon0: str, spread: float = 44.0) -> clones_mixture.Mixture:
    odds = float(1 / results.exponential_minus_1(parse_epsilon(epsilon0)))
    left, anchor, right = clones_mixture.window(m=m, odds=odds, phi=1.0, spread=spread)
    return clones_mixture.Mixture.around(m=m, odds=odds, left=left, anchor=anchor, right=right)


@pytest.mark.parametrize(("n", "epsilon0"), [(10**9, "3"), (10**6, "1"), (1000, "0.1"), (10**9, "20"), (50, "1e-30")])
def test_masses_stay_within_their_counted_error(n: int, epsilon0: str) -> None:
    """Up to 1.3e5 masses of Bin(n - 1, e^-eps0) against exact recurrences in ball arithmetic."""
    mixture = mixture_of(n - 1, epsilon0)
    allowed, worst = results.accumulated(mixture.mass_roundings), 0.0
    odds = 1 / (ball(parse_epsilon(epsilon0).rational or 0).exp() - 1)
    with flint.ctx.workprec(160):
        odds, middle = +odds, mixture.anchor - mixture.left
        for start, stop, step in ((middle, len(mixture.masses) - 1, 1), (middle, 0, -1)):
            mass = arb(1)
            for index in range(start, stop, step):
                c = mixture.left + index
                mass = mass * odds * fmpz(n - 1 - c) / (c + 1) if step > 0 else mass * c / (odds * fmpz(n - c))
                worst = max(worst, abs(float(ball(mixture.masses[index + step].item()) / mass) - 1))
    assert worst <= allowed + 1e-15
    assert mixture.masses[middle] == 1.0
    total = Fraction(0)
    for mass_float in mixture.masses.tolist()[:2000]:
        total += Fraction(mass_float)
    assert abs(Fraction(mixture.cumulative[:2000][-1].item()) / total - 1) <= results.accumulated(2000)


def constants_of(epsilon0: str, epsilon: str) -> ClonesConstants:
    return ClonesConstants.at(LocalConstants.at(parse_epsilon(epsilon0), odds_factor=1), parse_epsilon(epsilon))


@pytest.mark.parametrize(("n", "epsilon0", "epsilon"), [(10**9, "2.5", "0.001"), (10**6, "1", "0"), (10**9, "10", "1"), (1000, "1", "0.7")])
def test_inner_masses_and_thresholds_stay_within_their_counted_error(n: int, epsilon0: str, epsilon: str) -> None:
    """t = floor(tau) and f_c(t), walked over the window, against rationals and balls: about 1.6e5 points in the largest case."""
    mixture, constants = mixture_of(n - 1, epsilon0), constants_of(epsilon0, epsilon)
    walk = clones_profile._walk(mixture, constants)
    rho = Fraction(constants.rho)
    numerator, denominator = rho.numerator, rho.denominator
    worst, pmf = 0.0, arb(1)
    middle = mixture.anchor - mixture.left
    t, a = walk.t.astype(int).tolist(), walk.a.tolist()
    assert set(np.diff(walk.t).tolist()) <= {0.0, 1.0}
    for index, count in enumerate(range(mixture.left + 1, mixture.right + 3)):
        exact_a = (count * numerator - t[index] * denominator) / denominator
        assert abs(exact_a - a[index]) <= clones_profile.ETA
        assert 0 <= a[index] <= 1
    with flint.ctx.workprec(160):
        for index in range(middle, len(t) - 1):
            count = mixture.left + index + 1
            pmf = pmf * count / (2 * (t[index] + 1 if t[index + 1] > t[index] else count - t[index]))
            worst = max(worst, abs(float(ball(walk.pmf[index + 1].item()) / pmf) - 1))
    assert worst <= results.accumulated(walk.roundings) + 1e-15


def test_a_threshold_one_too_high_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison of the test above, with the mutant and without."""
    original = clones_profile.thresholds
    mixture, constants = mixture_of(999, "1"), constants_of("1", "0.7")
    exact = [count * Fraction(constants.rho) for count in range(mixture.left + 1, mixture.right + 3)]
    for shift, right in ((0, True), (1, False)):
        t, a = original(mixture.left + 1, len(mixture.masses) + 1, constants.rho)
        monkeypatch.setattr(clones_profile, "thresholds", lambda first, length, rho, found=(t + shift, a): found)
        walk = clones_profile._walk(mixture, constants)
        errors = [abs(tau - Fraction(t) - Fraction(a)) for tau, t, a in zip(exact, walk.t.tolist(), walk.a.tolist(), strict=True)]
        assert (max(errors) <= Fraction(clones_profile.ETA)) == right


@pytest.mark.parametrize("y", [0.0, 1e-30, 1e-8, 0.01, 0.3, 0.7, 0.95, 0.999, 1 - 2e-9])
def test_phi_is_enclosed(y: float) -> None:
    lower, upper = clones_constants._phi_bounds(y)
    x = ball(y)
    phi = (-((1 + x) * (1 + x).log() + (1 - x) * (1 - x).log()) / 2).exp()
    assert ball(lower) < phi
    assert phi <= ball(upper)
    assert upper - lower < 0.04


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize(
    ("m", "c", "t", "epsilon0"),
    [(10**9 - 1, 367_000_000, 183_000_000, "1"), (1000, 1000, 3, "0.01"), (10**9 - 1, 3, 1, "ln 1e9"), (4, 0, 0, "1e-9")],
)
def test_the_anchor_mass_keeps_its_promise(m: int, c: int, t: int, epsilon0: str, k: int) -> None:
    """ln of m!/(t! (c - t)! (m - c)!) (k/2)^c (T - 1)^(m - c)/(T - 1 + k)^m."""
    parameter = parse_epsilon(epsilon0)
    T = ball(parameter.exp) if parameter.exp is not None else ball(parameter.rational or 0).exp()
    truth = arb(m + 1).lgamma() - arb(t + 1).lgamma() - arb(c - t + 1).lgamma() - arb(m - c + 1).lgamma() + c * (arb(k) / 2).log()
    truth += (m - c) * (T - 1).log() - m * (T - 1 + k).log()
    assert abs(ball(LocalConstants.at(parameter, odds_factor=k).log_mass(m=m, c=c, t=t)) - truth).upper() < 1e-36


@pytest.mark.parametrize("k", [0, 1, 7, 10**6, 2**40 - 1])
def test_the_error_after_k_roundings_is_just_above_gamma_k(k: int) -> None:
    """Higham's lemma 3.1: k U/(1 - k U)."""
    gamma = k * Fraction(results.U) / (1 - k * Fraction(results.U))
    assert gamma <= Fraction(results.accumulated(k)) <= gamma * Fraction(1001, 1000)


@pytest.mark.parametrize(("left", "anchor", "right"), [(0, 10, 30), (5, 12, 12), (20, 20, 39)])
def test_every_rounding_of_a_window_is_counted(left: int, anchor: int, right: int) -> None:
    """From the anchor four a step: the odds, the ratio's quotient and product, and the product of masses; one more for each summand."""
    mixture = clones_mixture.Mixture.around(m=39, odds=0.5, left=left, anchor=anchor, right=right)
    steps = max(anchor - left, right - anchor)
    assert mixture.mass_roundings >= 4 * steps
    assert mixture.sum_roundings >= 4 * steps + (right - left + 1)


@pytest.mark.parametrize(("left", "right"), [(0, 12), (0, 20), (12, 39), (8, 39), (11, 14)])
@pytest.mark.parametrize("growth", [Fraction(1), Fraction(1, 2), Fraction(3, 4)])
def test_tails_cover_what_lies_beyond_the_window_and_little_more(left: int, right: int, growth: Fraction) -> None:
    """Exactly: masses relative to the anchor's, times growth^j."""
    m, odds, anchor = 39, Fraction(1, 2), min(13, right)
    relative = [Fraction(math.comb(m, c), math.comb(m, anchor)) * odds ** (c - anchor) for c in range(m + 1)]
    mixture = clones_mixture.Mixture.around(m=m, odds=float(odds), left=left, anchor=anchor, right=right)
    below = sum((relative[left - j] * growth**j for j in range(1, left + 1)), Fraction(0))
    above = sum((relative[right + 1 + j] * growth**j for j in range(m - right)), Fraction(0))
    assert below <= mixture.left_tail(float(growth)) <= 4 * below
    assert above <= mixture.right_tail(float(growth)) <= 4 * above


@pytest.mark.parametrize("value", ["0.12355", "-0.12345", "0", "1e-4000", "1e4000"])
def test_floats_lie_around_decimals_whatever_the_caller_rounds_to(value: str) -> None:
    x = Decimal(value)
    with localcontext() as context:
        context.prec = 3
        low, high = results.outward(x, x)
    assert Decimal(low) <= x <= Decimal(high)
    assert high == low or high == math.nextafter(low, math.inf)
