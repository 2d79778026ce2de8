"""Any randomizer's distribution: the blanket from above, homogeneous datasets from below, three engines."""

import math
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.fft
from enclosures import meet
from flint import arb

import shuffleproof as sp
from shuffleproof.impl.ball.bounds.blanket import (
    any_distribution as ball,
    given_distribution as ball_given_distribution,
    one_sum_profile as ball_profile,
    randomizer_distributions as ball_distributions,
)
from shuffleproof.impl.ball.bounds.k_rr import k_rr_closed_forms, k_rr_pairs
from shuffleproof.impl.ball.numeric.arithmetic import lower_end, precision, upper_end
from shuffleproof.impl.fast.bounds.blanket import (
    any_distribution as fast,
    one_sum,
    one_sum_contour,
    one_sum_profile,
    randomizer_distributions,
)
from shuffleproof.impl.fast.bounds.swap import another_place
from shuffleproof.impl.fast.bounds.variation_ratio import optimal_parameters as fast_pair
from shuffleproof.impl.fast.numeric.results import U, decimal_of, working
from shuffleproof.spec.bounds.blanket import any_distribution as exact
from shuffleproof.spec.bounds.blanket.any_distribution import View
from shuffleproof.spec.bounds.blanket.one_sum import dominating_pair, loss_types
from shuffleproof.spec.distribution import PrivacyProfile
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import parse_epsilon
from shuffleproof.spec.vocabulary.randomizers import named

NAMED: tuple[tuple[str, dict[str, int]], ...] = (
    ("krr", {"k": 2}),
    ("krr", {"k": 6}),
    ("rappor", {}),
    ("rappor", {"k": 2}),
    ("rappor", {"k": 4}),
    ("asymmetric-rappor", {}),
    ("asymmetric-rappor", {"k": 3}),
    ("subset", {"k": 5, "d": 2}),
    ("subset", {"k": 4, "d": 2}),
    ("hadamard", {"k": 2}),
    ("hadamard", {"k": 7, "blocks": 1}),
    ("hadamard", {"k": 9, "blocks": 2}),
    ("hadamard", {"k": 5, "blocks": 4}),
    ("hash", {"buckets": 2}),
    ("hash", {"buckets": 3, "k": 2}),
    ("hash", {"buckets": 2, "k": 4}),
)
VIEWS: tuple[View, ...] = ("above", "below")


@pytest.mark.parametrize(("name", "own"), NAMED)
def test_the_engines_enclose_the_exact_value_of_every_named_randomizer(name: str, own: dict[str, int]) -> None:
    drawn = random.Random(f"{name} {own}")
    for view in VIEWS:
        n, T = drawn.choice([1, 2, 3, 5]), (1 + Fraction(drawn.randint(1, 90), 60)) ** 2
        E = 1 + (T - 1) * Fraction(drawn.randint(0, 57), 60) / drawn.choice([1, 100])
        delta = Fraction(drawn.randint(0, 59), 60 * 10 ** drawn.randint(0, 6))
        asked: dict[str, Any] = {"n": n, "randomizer": named(name, **own), "epsilon0": f"ln {T}", "view": view}
        truth, ends = exact.delta(**asked, epsilon=f"ln {E}"), exact.epsilon(**asked, delta=delta)
        for engine, digits in ((ball, {"digits": 2}), (fast, {})):
            found = engine.delta(**asked, epsilon=f"ln {E}", **digits)
            assert found.lower <= truth.upper <= found.upper
            found = engine.epsilon(**asked, delta=delta, **digits)
            assert meet(found, ends)


def test_the_blanket_of_kary_response_is_the_one_with_a_method_of_its_own() -> None:
    own: dict[str, Any] = {"n": 300, "epsilon0": 1, "delta": "1e-6"}
    known = k_rr_pairs.BLANKET.epsilon(**own, k=10, digits=9)
    found = fast.epsilon(randomizer=named("krr", k=10), **own)
    assert found.lower <= known.lower <= known.upper <= found.upper < found.lower * Fraction(100001, 100000)


_T, _P, _BETA, _Q = Fraction(3), Fraction(5), Fraction(3, 10), Fraction(4)
_ALPHA = _BETA / (_P - 1)
_LIKE = (_T / (_T + 1), 1 / (_T + 1))
PAIRS = {  # what others send, R_0 and R_1
    "clones": [(1 / (2 * _T), *_LIKE), (1 / (2 * _T), *_LIKE[::-1])],
    "stronger-clones": [(1 / (_T + 1), *_LIKE), (1 / (_T + 1), *_LIKE[::-1])],
    "optimal-pair": [
        (_ALPHA * _P / _Q, _P * _ALPHA, _ALPHA),
        (_ALPHA * _P / _Q, _ALPHA, _P * _ALPHA),
        ((1 - _ALPHA * (_P + 1)) / _Q, 1 - _ALPHA * (_P + 1), 1 - _ALPHA * (_P + 1)),
    ],
}


@pytest.mark.parametrize("name", PAIRS)
def test_the_one_sum_carries_the_pairs_that_have_engines_of_their_own(name: str) -> None:
    own: dict[str, Any] = {"p": _P, "beta": _BETA, "q": _Q} if name == "optimal-pair" else {"epsilon0": f"ln {_T}"}
    for n in (1, 4):
        E = Fraction(5, 4)
        found = PrivacyProfile(*dominating_pair(n=n, loss_types=PAIRS[name])).delta(exp_epsilon=E)
        assert sp.delta(n=n, epsilon=f"ln {E}", method=name, engine="exact", **own).upper == found
    local, epsilon = parse_epsilon(f"ln {_P if name == 'optimal-pair' else _T}"), parse_epsilon("ln 1.2")
    asked: dict[str, Any] = {"n": 1000, "epsilon0": local, "epsilon": epsilon}
    with working():
        law = randomizer_distributions.LossDistribution.of([(decimal_of(m), decimal_of(a), decimal_of(b)) for m, a, b in PAIRS[name]])
    in_floats = one_sum_profile.delta_of([law], **asked)
    in_balls = ball_profile.delta_of([ball_given_distribution._OfPair(tuple(PAIRS[name]))], digits=3, **asked)
    for engine in ("fast", "ball"):
        known = sp.delta(n=1000, epsilon="ln 1.2", method=name, engine=engine, **own)
        for one in (in_floats, in_balls):
            assert one.lower <= known.upper
            assert known.lower <= one.upper <= known.upper * Fraction(1001, 1000)


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("laplace", {}),
        ("rappor", {}),
        ("asymmetric-rappor", {}),
        ("subset", {"k": 16, "d": 4}),
        ("hadamard", {"k": 15}),
        ("hash", {"buckets": 4}),
    ],
)
@pytest.mark.parametrize(("n", "epsilon0"), [(10**4, 1), (10**6, 3)])
def test_the_blanket_is_never_above_the_pair_of_three_numbers_and_brackets_close(
    name: str, own: dict[str, int], n: int, epsilon0: int
) -> None:
    asked: dict[str, Any] = {"n": n, "randomizer": named(name, **own), "epsilon0": epsilon0, "delta": "1e-6"}
    upper, lower = fast.epsilon(**asked), fast.epsilon(**asked, view="below")
    assert upper.upper < fast_pair.epsilon(**asked).upper
    assert lower.upper < upper.lower or (name, epsilon0) == ("hadamard", 3)
    assert upper.upper / lower.lower < (Fraction(142, 100) if name == "laplace" else Fraction(117, 100))
    if (name, epsilon0) == ("hadamard", 3):
        assert upper.upper / lower.lower < Fraction(10001, 10000)


def test_float64_and_balls_agree_on_noise_on_an_interval() -> None:
    for view in VIEWS:
        one = fast.delta(n=1000, randomizer=named("laplace"), epsilon0=1, epsilon="0.1", view=view)
        other = ball.delta(n=1000, randomizer=named("laplace"), epsilon0=1, epsilon="0.1", digits=2, view=view)
        assert one.lower * Fraction(999, 1000) < other.upper
        assert other.lower < one.upper
    assert fast.delta(n=1000, randomizer=named("laplace"), epsilon0=1, epsilon="0.1", view="below").upper < one.upper * 2
    assert one.inputs["datasets"] == "inputs 0 and 1; all others hold 0"


@pytest.mark.parametrize(("name", "own"), [*NAMED, ("laplace", {})])
def test_masses_of_every_distribution_sum_to_one(name: str, own: dict[str, int]) -> None:
    for epsilon0 in ("1e-9", "1", "3", "50"):
        local = parse_epsilon(epsilon0)
        randomizer = named(name, **own)
        for law in (
            *randomizer_distributions.blanket_distributions(randomizer, local),
            *randomizer_distributions.homogeneous_distributions(randomizer, local),
        ):
            assert float(law.mass.sum()) <= 1 + 1e-12
            for ratio in (law.u, law.v, law.mean_u, law.mean_v):
                assert float((law.mass * ratio).sum()) == pytest.approx(1, rel=1e-9)
        with precision(300):
            for of_balls in (
                *ball_distributions.blanket_distributions(randomizer, local),
                *ball_distributions.homogeneous_distributions(randomizer, local),
            ):
                rows = of_balls.rows()
                assert lower_end(sum((row[0] for row in rows), rows[0][0] * 0)) <= 1
                for i in range(1, 5):
                    total = sum((row[0] * row[i] for row in rows), rows[0][0] * 0)
                    assert lower_end(total) <= 1 <= upper_end(total)


def test_sides_hold_for_random_distributions_with_zeros_one_atom_and_far_apart_masses() -> None:
    drawn = random.Random(5)
    for _ in range(150):
        rows = [[Fraction(drawn.choice([0, 1, 2, 5, 1000])) for _ in range(drawn.randint(1, 4))]]
        rows += [[Fraction(drawn.choice([0, 1, 3, 7])) for _ in rows[0]], [Fraction(drawn.choice([1, 2, 10**6])) for _ in rows[0]]]
        if not all(sum(row) for row in rows):
            continue
        first, second, cover = ({y: mass / sum(row) for y, mass in enumerate(row)} for row in rows)
        share = Fraction(1, drawn.choice([1, 1, 2, 10**5]))
        found = loss_types(first, second, {y: mass * share for y, mass in cover.items()})
        n, E = drawn.randint(1, 5), 1 + Fraction(drawn.choice([0, 1, 30]), drawn.choice([1, 9, 10**6]))
        P, Q = dominating_pair(n=n, loss_types=found)
        truth = sum((max(Fraction(0), P[y] - E * Q[y]) for y in P.support), Fraction(0))
        mass, u, v = (np.array([float(each) for each in column]) for column in zip(*((m, a / m, b / m) for m, a, b in found), strict=True))
        doubt = 12 * U * (u + float(E) * v)
        losses = one_sum.Losses(mass, u - float(E) * v + doubt, u - float(E) * v - doubt, 2 * U)
        lower, upper = one_sum.sides(losses, n=n, length=drawn.choice([16, 200, 3000]))
        assert Fraction(lower) <= truth <= Fraction(upper)


def test_sums_along_a_line_lie_within_those_on_a_grid() -> None:
    drawn = random.Random(8)
    for name, own in (("krr", {"k": 2}), ("krr", {"k": 10}), ("hash", {"buckets": 2}), ("subset", {"k": 5, "d": 2}), ("laplace", {})):
        n, epsilon0 = drawn.choice([10**4, 10**6, 10**8]), drawn.choice(["0.1", "1", "4"])
        law = randomizer_distributions.homogeneous_distributions(named(name, **own), parse_epsilon(epsilon0))[0]
        losses = law.losses(math.exp(drawn.choice([0.1, 1, 3]) * math.sqrt(law.chi_square() / n)))
        found = one_sum_contour.sides(losses.mass, losses.at, losses.worth, error=losses.error, n=n)
        wide = one_sum.on_a_grid(losses, n=n, length=1 << 12)
        assert wide[0] <= found[1]
        assert found[0] <= wide[1]
        assert found[1] - found[0] < 1e-4 * found[1]


def test_a_sum_far_above_0_has_its_mean_between_the_sides_along_a_line() -> None:
    """Where all losses are positive the positive part is the sum, and the terms of many periods count."""
    for mass, at, width in (
        ([2**-11, 1 - 2**-11], [0.5, 0.67], 0.01),
        ([2**-15, 1 - 2**-15], [0.9, 0.4], 0.05),
        ([0.25, 0.75], [0.9, 0.85], 0.01),
    ):
        truth = sum(Fraction(m) * Fraction(x) for m, x in zip(mass, at, strict=True))
        found = one_sum_contour.sides(np.array(mass), np.array(at), np.array(at), error=0.0, n=40, width=width)
        assert Fraction(found[0]) <= truth <= Fraction(found[1])


def test_a_sum_that_is_hardly_ever_above_0_does_not_overflow_along_a_line() -> None:
    mass, at = np.array([2.0**-30, 1 - 2.0**-30]), np.array([1.0, -1.0])
    assert one_sum_contour.sides(mass, at, at, error=0.0, n=10**4, width=0.05) is None


def test_a_hundred_thousand_atoms_are_summed() -> None:
    y = np.linspace(0, 1, 10**5)
    u, v = np.exp(0.5 - y), np.exp(y - 0.5)
    u, v = u / u.mean(), v / v.mean()
    at = u - 1.01 * v
    lower, upper = one_sum.sides(one_sum.Losses(np.full(len(y), 1e-5), at + 1e-14, at - 1e-14, 1e-15), n=10**4, length=1 << 13)
    assert 0 < lower < upper < lower * 1.01


@pytest.mark.parametrize("n", [1, 2, pytest.param(10**9, marks=pytest.mark.deep)])
@pytest.mark.parametrize("epsilon0", ["0", "1e-9", "50"])
@pytest.mark.parametrize("delta", ["0", "1e-300", "1e-3", "1"])
def test_extreme_parameters_are_answered_or_refused(n: int, epsilon0: str, delta: str) -> None:
    asked: dict[str, Any] = {"n": n, "randomizer": named("subset", k=16, d=4), "epsilon0": epsilon0, "delta": delta}
    try:
        upper, lower = fast.epsilon(**asked), fast.epsilon(**asked, view="below")
    except UnsupportedError:
        assert n == 10**9
        assert 0 < Fraction(delta) < 1
        return
    assert 0 <= lower.lower <= upper.upper <= max(Fraction(epsilon0), Fraction(0)) * Fraction(1000001, 1000000)


@pytest.mark.parametrize(("name", "own"), [("krr", {"k": 10}), ("hash", {"buckets": 4})])
def test_the_blanket_is_known_where_one_report_decides(name: str, own: dict[str, int]) -> None:
    found = fast.epsilon(n=10**6, randomizer=named(name, **own), epsilon0=50, delta="1e-6")
    assert found.upper - found.lower <= Fraction(1, 10**5)
    assert found.lower > 49


def test_transforms_and_exponentials_are_as_near_as_is_assumed() -> None:
    """Against extended precision, and balls: a fifth of what is granted to the transform, half of what is granted to exp."""
    drawn = np.random.default_rng(1)
    fft, exp, cosine = (next(each for each in one_sum.ASSUMPTIONS if word in each.what) for word in ("fft", "exp", "cos"))
    for length in (16, 24, 4096, 3 << 14, 1 << 17):
        for x in (drawn.random(length), np.exp(-drawn.random(length) * 80), drawn.standard_normal(length)):
            found, wanted = np.fft.rfft(x), scipy.fft.rfft(x.astype(np.longdouble))
            back, again = np.fft.irfft(found, length), scipy.fft.irfft(found.astype(np.clongdouble), length)
            for one, other in ((found, wanted), (back, again)):
                error = float(np.sqrt((np.abs(one - other) ** 2).sum() / (np.abs(other) ** 2).sum()))
                assert error <= fft.worst * math.log2(length) < fft.assumed * math.log2(length) / 5
    with precision(120):
        for x in drawn.uniform(-700, 700, 2000):
            for value in (float(np.exp(x)), math.exp(x)):
                assert abs(float((arb(value) / arb(float(x)).exp() - 1).mid())) <= exp.worst < exp.assumed / 2
        angles = np.concatenate([drawn.uniform(-1e6, 1e6, 1000), drawn.uniform(-7, 7, 1000)])
        for x, cos, sin in zip(angles.tolist(), np.cos(angles).tolist(), np.sin(angles).tolist(), strict=True):
            for value, known in ((cos, arb(x).cos()), (sin, arb(x).sin())):
                assert abs(float((arb(value) - known).mid())) <= cosine.worst < cosine.assumed / 3


def test_what_is_not_a_cover_is_refused() -> None:
    half = {0: Fraction(1, 2), 1: Fraction(1, 2)}
    with pytest.raises(DomainError, match="at least 0"):
        loss_types(half, half, {0: Fraction(-1, 2), 1: Fraction(1, 2)})
    with pytest.raises(DomainError, match="sub-density"):
        loss_types(half, half, {0: Fraction(1), 1: Fraction(1, 2)})


def test_what_cannot_be_answered_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="continuous"):
        exact.delta(n=2, randomizer=named("laplace"), epsilon0="ln 4", epsilon="ln 2")
    with pytest.raises(ResourceLimitError, match="6 digits"):
        ball.epsilon(n=100, randomizer=named("rappor"), epsilon0=1, delta="1e-6", digits=9)
    with pytest.raises(UnsupportedError, match="n up to"):
        fast.epsilon(n=10**10, randomizer=named("rappor"), epsilon0=1, delta="1e-6")


def test_distributions_that_are_hidden_by_nothing_give_themselves_away() -> None:
    P, Q = dominating_pair(n=3, loss_types=loss_types({"a": Fraction(1)}, {"b": Fraction(1)}, {"c": Fraction(1)}))
    assert PrivacyProfile(P, Q).delta(exp_epsilon=Fraction(100)) == 1


@pytest.mark.parametrize(("k", "epsilon0"), [(2, 3), (10, 1)])
def test_the_blanket_is_below_the_published_inequalities_on_it(k: int, epsilon0: int) -> None:
    own: dict[str, Any] = {"n": 10**4, "epsilon0": epsilon0, "delta": "1e-6"}
    ours = fast.epsilon(randomizer=named("krr", k=k), **own).upper
    assert all(ours < k_rr_closed_forms.epsilon(k=k, form=form, digits=5, **own).upper for form in ("hoeffding", "bennett"))


def _reports(name: str, epsilon0: float) -> tuple[Any, Any, Any]:
    """The blanket's masses, R_0/m and R_1/m, in floats; of noise in 20,000 cells."""
    if name == "Laplace noise":
        y, T = (np.arange(20_000) + 0.5) / 20_000, np.exp(epsilon0)
        between = epsilon0 / 40_000 * np.exp(-epsilon0 * np.maximum(y, 1 - y))
        u = np.maximum(1, np.append([T, 1], np.exp(epsilon0 * (1 - 2 * y))))
        v = np.maximum(1, np.append([1, T], np.exp(epsilon0 * (2 * y - 1))))
        return np.append([1 / (2 * T)] * 2, between), u, v
    buckets = {f"hashing into {k} buckets": k for k in (2, 4)}.get(name)
    one = named("hash", buckets=buckets, family="uniform") if buckets else named(name.lower().replace(" ", "-"))
    rows = exact.against_blanket(one, Fraction(float(np.exp(epsilon0 / 2))) ** 2)[0]
    mass, first, second = (np.array([float(x) for x in column]) for column in zip(*rows, strict=True))
    return mass, first / mass, second / mass


def _by_inequality(form: str, n: int, reports: tuple[Any, Any, Any], epsilon: float) -> float:
    """BBGN19's bounds on delta, as docs/mathematics/related-work.md writes them."""
    mass, u, v = reports
    E, gamma = np.exp(epsilon), mass.sum()
    losses, a = gamma * (u - E * v), np.expm1(epsilon)
    if form == "hoeffding":
        b = losses.max() - losses.min()
        c, x = b * b / (4 * a), 2 * (a / b) ** 2
    else:
        h, variance = losses.max() + a, (mass * losses**2).sum() / gamma - a * a
        w = a * h / variance
        c, x = h / np.log1p(w), variance / h**2 * ((1 + w) * np.log1p(w) - w)
    return float(c / (gamma * n) * np.exp(n * np.log1p(gamma * np.expm1(-x))))


def test_the_table_beside_published_bounds_is_what_comes_out() -> None:
    text = (Path(__file__).parents[3] / "docs" / "mathematics" / "related-work.md").read_text("utf-8")
    table = text.partition("| randomizer | $\\varepsilon_0$ | $n$ | Hoeffding |")[2].partition("\n\n")[0].splitlines()[2:]
    assert len(table) == 20
    for row in table:
        name, epsilon0, users, *shown = (cell.strip() for cell in row.strip("|").split("|"))
        n, reports = 10 ** int(users.strip("$")[-1]), _reports(name, float(epsilon0))
        for form, printed in zip(("hoeffding", "bennett"), shown, strict=False):
            unit = 10 ** np.floor(np.log10(float(printed)) - 4)
            assert _by_inequality(form, n, reports, float(printed)) < 1.0001e-6
            assert _by_inequality(form, n, reports, float(printed) - 1.5 * unit) > 1e-6
        ours = [Fraction(cell) for cell in shown]
        assert ours[4] < ours[3] < ours[2] < min(ours[:2])
    last: dict[str, Any] = {"n": n, "epsilon0": epsilon0, "delta": "1e-6", "randomizer": named("laplace")}
    assert ours[2] * (1 - Fraction(1, 10**4)) < fast.epsilon(**last).upper <= ours[2]
    assert ours[3] * (1 - Fraction(1, 10**4)) < another_place.epsilon(**last).upper <= ours[3]


def test_a_grid_is_not_asked_where_doubt_about_each_loss_keeps_the_sides_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    (law,) = randomizer_distributions.blanket_distributions(named("rappor"), parse_epsilon("1e-9"))
    losses = law.losses(float(np.exp(8.11e-13)))
    *by_both, _ = one_sum.summed(losses, n=10**9, length=1 << 12, both=True)
    monkeypatch.setattr(one_sum, "on_a_grid", lambda *_, **__: pytest.fail("a grid brings nothing"))
    lower, upper = one_sum.sides(losses, n=10**9, length=1 << 12)
    assert by_both[0] <= lower < upper / 1000
    assert upper == by_both[1]


@pytest.mark.filterwarnings("error")
def test_likelihood_ratios_near_the_largest_float_leak_no_warning() -> None:
    assert 359 < sp.shuffled(sp.RAPPOR(epsilon0=360), n=2).epsilon(delta="1e-6").upper.upper <= 360


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("epsilon0", "n", "delta"), [("0.468", 25, "5.39e-15"), ("0.02", 456, "6.13e-200")])
def test_floats_know_a_lower_end_where_one_atom_alone_counts_under_the_tilt(epsilon0: str, n: int, delta: str) -> None:
    """The moments of that atom left the floats, and nothing was known of epsilon next to epsilon0, where the root is."""
    found = sp.shuffled(sp.Laplace(epsilon0=epsilon0), n=n).epsilon(delta=delta, method="homogeneous", engine="fast")
    assert found.engine == "fast"
    assert Fraction(epsilon0) * Fraction(99999, 100000) < found.lower <= found.upper < Fraction(epsilon0) * Fraction(100001, 100000)


@pytest.mark.parametrize(("rare", "lowest"), [(1e-320, -1.0), (5e-324, 0.0), (1e-200, -1e-150)])
def test_the_saddle_point_of_losses_that_are_next_to_impossible_is_found(rare: float, lowest: float) -> None:
    """Mutant: the search begins where a normal sum has it, however far that is."""
    theta, guess = one_sum_contour.saddle(np.array([rare, 1.0]), np.array([1.0, lowest]), 1e9)
    assert 100 < theta < 1000
    assert math.isfinite(guess)


@pytest.mark.parametrize("view", ["above", "below"])
def test_two_reports_of_noise_of_the_least_epsilon0_are_enclosed(view: View) -> None:
    """Cells of Laplace noise are differences of numbers that e^epsilon0 is above: of 1e-303 here, and nothing was left of them."""
    asked: dict[str, Any] = {"n": 2, "randomizer": named("laplace"), "epsilon0": parse_epsilon("1e-300"), "view": view}
    found = ball.delta(**asked, epsilon=parse_epsilon("0"))
    assert Fraction("2.4999e-301") < found.lower <= Fraction("25e-302") <= found.upper < Fraction("2.5001e-301")
    assert ball.epsilon(**asked, delta=Fraction("1e-300")).upper == 0
