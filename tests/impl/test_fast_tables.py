"""Privacy profiles from tables: entries against balls, sides against balls of 25 digits and the engine without tables, and mutants."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx

from shuffleproof.impl.ball.bounds.clones import clones as ball
from shuffleproof.impl.ball.bounds.clones.clones import stronger_clones as stronger_ball
from shuffleproof.impl.fast.bounds.clones import clones as fast
from shuffleproof.impl.fast.bounds.clones import clones_mixture, clones_table, clones_weights
from shuffleproof.impl.fast.bounds.clones.clones import stronger_clones
from shuffleproof.impl.fast.bounds.clones.clones_table import ClonesTable, total
from shuffleproof.impl.fast.numeric import poisson_weights
from shuffleproof.impl.fast.numeric.poisson_weights import PoissonWeights, running_sums
from shuffleproof.impl.fast.numeric.results import U
from shuffleproof.spec.bounds.clones import clones as exact
from shuffleproof.spec.vocabulary.errors import DomainError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import parse_epsilon

DEEP = pytest.mark.deep
WIDEST = Fraction(1, 10**12)
"""Mostly 2e-14; more where all thresholds are within a hundredth of an integer."""


def worst_error(weights: PoissonWeights, *, x: Decimal, anchor: int, seed: int = 1) -> float:
    """The largest relative error, in units of U, of the entries at both ends, near the anchor and at random."""
    draw = random.Random(seed)
    anywhere = [draw.randint(weights.first, weights.last) for _ in range(150)]
    near = range(max(weights.first, anchor - 30), min(weights.last, anchor + 30) + 1)
    with ctx.workprec(200):
        ball_of_x, at_anchor = arb(str(x)), arb(weights.at(anchor))
        worst = 0.0
        for k in {weights.first, weights.last, *anywhere, *near}:
            truth = at_anchor * ((k - anchor) * ball_of_x.log() + arb(anchor + 1).lgamma() - arb(k + 1).lgamma()).exp()
            worst = max(worst, abs(float((arb(weights.at(k)) / truth - 1).mid())) / U)
    return worst


CHAINS = [
    ("1e-3", 0),
    ("18.3123456789123456789123", 18),
    ("367879.44117144232159552377", 367_879),
    ("183939720.585721160797761885", 183_939_720),
]


@pytest.mark.parametrize(("x", "anchor"), CHAINS)
def test_an_entry_is_within_two_roundings_however_far_from_the_anchor(x: str, anchor: int) -> None:
    weights = PoissonWeights(x=Decimal(x), anchor=anchor, at_anchor=1.0)
    weights.cover(max(0, anchor - 100_000), anchor + 100_000)
    assert worst_error(weights, x=Decimal(x), anchor=anchor) < poisson_weights.ROUNDINGS


def drop_low_part_of_x(weights: PoissonWeights) -> None:
    weights._low = 0.0
    weights.cover(weights.first - 50_000, weights.last + 50_000)


def forget_residuals(weights: PoissonWeights) -> None:
    for _ in range(20):
        weights.cover(weights.first - 2000, weights.last + 2000)
        weights._ends = {end: (product, 0.0) for end, (product, _) in weights._ends.items()}


def wrong_entry(weights: PoissonWeights) -> None:
    weights.cover(weights.first - 100, weights.last + 100)
    weights.values[90] *= 1 + 8 * U


@pytest.mark.parametrize("mutant", [drop_low_part_of_x, forget_residuals, wrong_entry])
def test_wrong_entries_are_noticed(mutant: Callable[[PoissonWeights], None]) -> None:
    """An entry off by four units in the last place is one of them."""
    x, anchor = CHAINS[2]
    weights = PoissonWeights(x=Decimal(x), anchor=anchor, at_anchor=1.0)
    mutant(weights)
    assert worst_error(weights, x=Decimal(x), anchor=anchor) > poisson_weights.ROUNDINGS


@pytest.mark.parametrize(("x", "anchor"), CHAINS)
def test_an_entry_has_the_same_bits_whatever_is_asked_for(x: str, anchor: int) -> None:
    draw = random.Random(3)
    whole, grown = (PoissonWeights(x=Decimal(x), anchor=anchor, at_anchor=1.0) for _ in range(2))
    whole.cover(max(0, anchor - 60_000), anchor + 60_000)
    while not (grown.first <= whole.first and whole.last <= grown.last):
        grown.cover(max(whole.first, grown.first - draw.randint(0, 9000)), min(whole.last, grown.last + draw.randint(0, 9000)))
    assert (grown.first, grown.last) == (whole.first, whole.last)
    assert grown.values.tobytes() == whole.values.tobytes()


def test_running_sums_and_totals_are_within_their_roundings() -> None:
    draw = np.random.default_rng(4)
    for size in (1, 2, 300, 20_000, 50_001):
        terms = np.exp(draw.normal(scale=5, size=size))
        sums, truth, worst = running_sums(terms), Fraction(0), 0.0
        for got, term in zip(sums.tolist(), terms.tolist(), strict=True):
            truth += Fraction(term)
            worst = max(worst, abs(float(Fraction(got) / truth - 1)) / U) if size < 1000 or draw.random() < 0.01 else worst
        assert worst <= 1.01
        assert abs(float(Fraction(total(terms.copy())) / truth - 1)) <= 8 * U


EXTREMES = [
    (n, epsilon0, position)
    for n in (1, 2, 3, 10, 1000, 10**6)
    for epsilon0 in ("1e-6", "0.1", "1", "4", "20")
    for position in ("0", "1e-18", "0.001", "0.01", "0.3", "0.9", "0.9999999", "scale", "far")
]


def placed(n: int, epsilon0: str, position: str) -> Fraction:
    """An epsilon below epsilon0: a part of it, or at the scale of e^(eps0/2)/sqrt(n), where delta is moderate or small."""
    if position not in ("scale", "far"):
        return Fraction(position) * Fraction(epsilon0)
    scale = math.exp(float(epsilon0) / 2) * -math.expm1(-float(epsilon0)) / math.sqrt(n) * (3 if position == "scale" else 25)
    return Fraction(min(scale, 0.99 * float(epsilon0)))


def assert_contains(method: str, n: int, epsilon0: str, epsilon: Fraction, *, digits: int = 25) -> None:
    fast_engine, ball_engine = {"clones": (fast, ball), "stronger": (stronger_clones, stronger_ball)}[method]
    (found,) = fast_engine.profile(n=n, epsilon0=epsilon0, epsilons=[epsilon])
    if found.lower == 0 and n > 1000:  # balls take seconds for what is below 10^-1000
        return
    certified = ball_engine.delta(n=n, epsilon0=epsilon0, epsilon=epsilon, digits=digits)
    given_to = f"{method}, n={n}, epsilon0={epsilon0}, epsilon={float(epsilon)!r}"
    assert found.lower <= certified.lower, given_to
    assert certified.upper <= found.upper, given_to
    if found.lower > 0:
        assert found.upper - found.lower <= WIDEST * found.upper, given_to
    else:
        assert certified.upper <= Fraction(clones_table.FLOOR), given_to


@pytest.mark.parametrize("method", ["clones", "stronger"])
def test_sides_contain_balls_of_25_digits_at_extreme_parameters(method: str) -> None:
    for n, epsilon0, position in EXTREMES if method == "clones" else EXTREMES[::5]:
        assert_contains(method, n, epsilon0, placed(n, epsilon0, position))


@pytest.mark.parametrize("n", [3, 1000, 10**6])
@pytest.mark.parametrize("epsilon0", ["1e-200", "1e-100", "1e-30", "100", "700"])
def test_sides_contain_balls_at_both_ends_of_the_range_of_epsilon0(n: int, epsilon0: str) -> None:
    for part in ("0", "1e-3", "0.4", "0.999"):
        assert_contains("clones", n, epsilon0, Fraction(part) * Fraction(epsilon0))


BILLION = [
    ("1e-6", "scale"),
    ("4", "scale"),
    ("20", "0.9"),
    *(pytest.param(*case, marks=DEEP) for case in (("0.1", "0"), ("1", "scale"), ("1", "far"), ("4", "far"))),
]


@pytest.mark.parametrize(("epsilon0", "position"), BILLION)
def test_sides_contain_balls_for_a_billion_users(epsilon0: str, position: str) -> None:
    assert_contains("clones", 10**9, epsilon0, placed(10**9, epsilon0, position), digits=17)


@pytest.mark.parametrize(("n", "epsilon0"), [(1000, "1"), (10_000, "1"), (1000, "1e-6"), (100_000, "0.1"), (10**6, "4"), (2000, "ln 3")])
def test_deltas_down_to_the_smallest(n: int, epsilon0: str) -> None:
    deltas = ["1e-3", "1e-20", "1e-100", "1e-200", "1e-250", "1e-299"]
    for delta, found in zip(deltas, fast.inverse_profile(n=n, epsilon0=epsilon0, deltas=deltas), strict=True):
        assert_contains("clones", n, epsilon0, found.upper)
        assert ball.delta(n=n, epsilon0=epsilon0, epsilon=found.upper, digits=20).upper <= Fraction(delta)
        if found.side == "enclosure":
            assert ball.delta(n=n, epsilon0=epsilon0, epsilon=found.lower, digits=20).lower > Fraction(delta)
            assert found.upper - found.lower <= Fraction(1, 10**11) * found.upper


def test_agrees_with_the_engine_without_tables() -> None:
    draw = random.Random(7)
    for _ in range(60):
        n, epsilon0 = int(10 ** draw.uniform(0, 5.5)), draw.choice([10 ** draw.uniform(-9, 1), draw.uniform(0, 20), draw.uniform(0, 600)])
        width = math.exp(min(epsilon0, 300) / 2) / math.sqrt(n)
        epsilons = [min(epsilon0 * draw.random(), width * draw.uniform(0, 20)) for _ in range(4)]
        for epsilon, found in zip(epsilons, fast.profile(n=n, epsilon0=epsilon0, epsilons=epsilons), strict=True):
            alone = fast.delta(n=n, epsilon0=epsilon0, epsilon=epsilon)
            assert found.lower <= alone.upper, (n, epsilon0, epsilon)
            assert alone.lower <= found.upper, (n, epsilon0, epsilon)
            assert found.upper - found.lower <= WIDEST * found.upper or found.upper - found.lower <= alone.upper - alone.lower


@dataclass(frozen=True)
class Case:
    n: int
    epsilon0: str
    epsilon: str


CASES = [
    Case(n, epsilon0, epsilon)
    for n, epsilon0, epsilon in (
        (3, "1", "0"),
        (30, "1", "0"),
        (30, "1", "0.9"),
        (300, "5", "3"),
        (1000, "1", "0.1"),
        (20_000, "3", "2.5"),
        (20_000, "0.2", "0.01"),
        (200_000, "0.5", "0.01"),
    )
]


@pytest.fixture(scope="module")
def truths() -> dict[Case, tuple[Fraction, Fraction]]:
    found = {case: ball.delta(n=case.n, epsilon0=case.epsilon0, epsilon=case.epsilon, digits=25) for case in CASES}
    return {case: (bound.lower, bound.upper) for case, bound in found.items()}


def missed(truths: dict[Case, tuple[Fraction, Fraction]]) -> list[Case]:
    found = []
    for case, (lower, upper) in truths.items():
        sides = ClonesTable(n=case.n, odds_factor=1, epsilon0=parse_epsilon(case.epsilon0)).delta(parse_epsilon(case.epsilon))
        if not (sides[0] <= upper and lower <= sides[1]):
            found.append(case)
    return found


def mutate_term(monkeypatch: pytest.MonkeyPatch) -> None:
    """One term dropped: the largest."""

    def total_without_one(terms: clones_table.Floats) -> float:
        terms[np.argmax(terms)] = 0.0
        return total(terms)

    monkeypatch.setattr(clones_table, "total", total_without_one)


def mutate_rho(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first 40 bits of rho in the thresholds."""
    original = clones_table.Sum.__init__

    def cut_off(self: clones_table.Sum, *arguments: object) -> None:
        original(self, *arguments)  # type: ignore[arg-type]
        self.scaled_rho = self.scaled_rho >> 100 << 100

    monkeypatch.setattr(clones_table.Sum, "__init__", cut_off)


def mutate_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clones_table, "accumulated", lambda roundings: 0.0)
    monkeypatch.setattr(clones_table, "ETA", 0.0)


def narrow(monkeypatch: pytest.MonkeyPatch, *, left: bool) -> None:
    """Windows that end a few counts from their middle, on one side: a bound on the other side's tail would hide what is missing."""

    def window(*, m: int, odds: float, phi: float, spread: float) -> tuple[int, int, int]:
        first, anchor, last = clones_mixture.window(m=m, odds=odds, phi=phi, spread=spread)
        return (max(first, anchor - 3), anchor, last) if left else (first, anchor, min(last, anchor + 3))

    monkeypatch.setattr(clones_table, "window", window)
    monkeypatch.setattr(clones_table, "TAIL_SHARE", math.inf)


def mutate_left_tail(monkeypatch: pytest.MonkeyPatch) -> None:
    narrow(monkeypatch, left=True)
    monkeypatch.setattr(clones_table.Sum, "_left_tail", lambda self: 0.0)


def mutate_right_tail(monkeypatch: pytest.MonkeyPatch) -> None:
    narrow(monkeypatch, left=False)
    monkeypatch.setattr(clones_table.Sum, "_right_tail", lambda self, t, last: 0.0)


def mutate_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last inner sum cut off without a word."""
    original = clones_table.Sum._last_inner_sum
    monkeypatch.setattr(clones_table.Sum, "_series_length", lambda self, t: min(t + 1, 4))
    monkeypatch.setattr(clones_table.Sum, "_last_inner_sum", lambda self, t, f, length: (*original(self, t, f, length)[:2], 0.0))


def mutate_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Odds in 60 digits, off by a part in 10^13."""
    original = clones_weights.PoissonWeights
    monkeypatch.setattr(
        clones_weights,
        "PoissonWeights",
        lambda *, x, anchor, at_anchor: original(x=x * (1 + Decimal("1e-14") * (at_anchor == 1)), anchor=anchor, at_anchor=at_anchor),
    )


def test_every_case_is_enclosed(truths: dict[Case, tuple[Fraction, Fraction]]) -> None:
    assert missed(truths) == []


@pytest.mark.parametrize("left", [True, False])
def test_what_a_narrow_window_leaves_out_is_bounded(
    left: bool, truths: dict[Case, tuple[Fraction, Fraction]], monkeypatch: pytest.MonkeyPatch
) -> None:
    narrow(monkeypatch, left=left)
    assert missed(truths) == []


@pytest.mark.parametrize(
    "mutant", [mutate_term, mutate_rho, mutate_rounding, mutate_left_tail, mutate_right_tail, mutate_rest, mutate_odds]
)
def test_mutants_are_noticed(
    mutant: Callable[[pytest.MonkeyPatch], None], truths: dict[Case, tuple[Fraction, Fraction]], monkeypatch: pytest.MonkeyPatch
) -> None:
    mutant(monkeypatch)
    assert missed(truths) != []


def test_small_sums_enclose_exact_rationals() -> None:
    draw = random.Random(9)
    for _ in range(40):
        n, T = draw.randint(3, 30), Fraction(draw.randint(41, 400), 40)
        E = 1 + (T - 1) * Fraction(draw.randint(0, 20), 21)
        truth = exact.delta(n=n, epsilon0=f"ln {T}", epsilon=f"ln {E}")
        (bound,) = fast.profile(n=n, epsilon0=f"ln {T}", epsilons=[f"ln {E}"])
        assert bound.lower <= truth.lower <= bound.upper


def test_a_profile_says_what_it_is_and_refuses_what_the_engine_refuses() -> None:
    inside, beyond = fast.profile(n="1e4", epsilon0="1", epsilons=["0.05", "1"])
    assert (inside.quantity, inside.engine, inside.side, inside.claim_side) == ("delta", "fast", "enclosure", "upper")
    assert inside.inputs == {"n": "1e4", "eps0": "1", "eps": "0.05"}
    assert beyond.exact == "0"
    assert fast.inverse_profile(n=10, epsilon0=1, deltas=[0, 1])[0].exact == "1"
    with pytest.raises(DomainError):
        fast.profile(n=10, epsilon0=1, epsilons=["0.1", "-1"])
    with pytest.raises(UnsupportedError, match="n up to"):
        fast.profile(n=10**9 + 1, epsilon0=1, epsilons=["0.1"])


def test_results_do_not_depend_on_the_callers_numeric_settings() -> None:
    plain = fast.profile(n=10**5, epsilon0="1", epsilons=["0.005"])
    clones_table._kept.tables.clear()
    with localcontext() as context, np.errstate(all="raise"):
        context.prec = 6
        assert fast.profile(n=10**5, epsilon0="1", epsilons=["0.005"]) == plain


def test_only_the_last_tables_are_kept() -> None:
    for n in range(100, 120):
        fast.profile(n=n, epsilon0=1, epsilons=["0.5"])
    assert [key[0] for key in clones_table._kept.tables] == [116, 117, 118, 119]
