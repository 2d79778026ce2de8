"""Arrays in float64: products, scratch memory, rounds on grids and batches of shuffled distributions."""

import threading
from fractions import Fraction
from functools import reduce

import numpy as np
import pytest
from mpmath import mp, mpf

from shuffleproof.impl.ball import gaussian, rounds_on_grid, shuffled_batches
from shuffleproof.impl.fast.bounds.clones.clones_mixture import Mixture
from shuffleproof.impl.fast.bounds.clones.clones_profile import ClonesProfile
from shuffleproof.impl.fast.numeric import convolution
from shuffleproof.impl.fast.numeric.convolution import AT_ONCE, Floats, LargestMeans, convolved, convolved_often, squares, worst
from shuffleproof.spec import composition
from shuffleproof.spec.bounds.clones import clones
from shuffleproof.spec.bounds.clones.clones import stronger_clones
from shuffleproof.spec.bounds.noise.gaussian import shuffled_batches_demand
from shuffleproof.spec.distribution import PrivacyProfile
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError
from shuffleproof.spec.vocabulary.methods.clones import CLONES, STRONGER_CLONES
from shuffleproof.spec.vocabulary.methods.protocols import BIT_SUM
from shuffleproof.spec.vocabulary.numerals import parse_epsilon
from shuffleproof.spec.vocabulary.scope import Relation


def exactly(arrays: list[Floats]) -> list[int]:
    """The product, in units of 2^-1074 for each factor: floats are whole numbers of these."""
    return reduce(lambda x, y: product(x, y), [[int(Fraction(float(each)) * 2**1074) for each in x] for x in arrays])


def product(x: list[int], y: list[int]) -> list[int]:
    found = [0] * (len(x) + len(y) - 1)
    for i, one in enumerate(x):
        for j, other in enumerate(y):
            found[i + j] += one * other
    return found


def distance(found: Floats, wanted: list[int], factors: int) -> Fraction:
    unit = Fraction(1, 2 ** (1074 * factors))
    return sum((abs(Fraction(float(z)) - w * unit) for z, w in zip(found, wanted, strict=True)), Fraction(0))


def drawn(generator: np.random.Generator, length: int, kind: str) -> Floats:
    match kind:
        case "smooth":
            return generator.random(length)
        case "steep":
            return np.exp(-80 * generator.random(length))
        case "peaked":
            x = generator.random(length) * 1e-9
            x[generator.integers(length, size=3)] = 1.0
            return x
        case _:
            return np.where(generator.random(length) < 0.8, 0.0, generator.standard_normal(length))


KINDS = ("smooth", "steep", "peaked", "few and signed")


@pytest.mark.parametrize("kind", KINDS[:3])
def test_the_largest_of_several_means_and_squares_are_as_near_as_they_say(kind: str) -> None:
    generator = np.random.default_rng(5)
    rows, x = np.array([drawn(generator, 40, kind) for _ in range(3)]), drawn(generator, 130, kind)
    found, error = LargestMeans(rows).of(x)
    each = [exactly([row[::-1], x])[39:130] for row in rows]
    unit = Fraction(1, 2 ** (1074 * 2))
    assert len(found) == 91
    for z, sums in zip(found, zip(*each, strict=True), strict=True):
        assert abs(Fraction(float(z)) - max(sums) * unit) <= Fraction(error)
    assert error <= 1e-12 * float(rows.sum(axis=1).max() * x.sum())
    for row, square, of_row in zip(rows, *squares(rows), strict=True):
        assert all(abs(Fraction(float(z)) - each * unit) <= Fraction(of_row) for z, each in zip(square, exactly([row, row]), strict=True))
        assert of_row <= 1e-12 * float(row.sum()) ** 2


@pytest.mark.parametrize("allowed", [0.0, 1e-9])
@pytest.mark.parametrize("lengths", [(1, 1), (1, 90), (13, 14), (90, 70), (150, 40)])
def test_products_are_as_near_as_they_say(lengths: tuple[int, int], allowed: float) -> None:
    generator = np.random.default_rng(sum(lengths))
    for one in KINDS:
        for other in KINDS:
            x, y = drawn(generator, lengths[0], one), drawn(generator, lengths[1], other)
            terms = float(np.abs(x).sum() * np.abs(y).sum())
            for factors in ((x, y), (x, x)):
                z, error = convolved(*factors, allowed=allowed)
                assert distance(z, exactly(list(factors)), 2) <= Fraction(error)
            assert convolved(x, y, allowed=allowed)[1] <= max(allowed, 1e-12) * terms


@pytest.mark.parametrize("times", [1, 2, 5, AT_ONCE])
def test_several_at_once_are_as_near_as_they_say(times: int) -> None:
    generator = np.random.default_rng(times)
    for one in KINDS:
        for other in KINDS:
            x, y = drawn(generator, 20, one), drawn(generator, 9, other)
            z, error = convolved_often(x, y, times=times)
            assert distance(z, exactly([x, *[y] * times]), times + 1) <= Fraction(error)
            terms = float(np.abs(x).sum() * np.abs(y).sum() ** times)
            assert error <= (times + 1) * worst(len(z)) * terms


def test_nothing_is_peeled_where_a_transform_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    x = drawn(np.random.default_rng(5), 200, "peaked")
    whole, none = convolved(x, x), convolved(x, x, allowed=1e-9)
    assert whole[1] < none[1] / 20  # peeled, it is nearer
    monkeypatch.setattr(
        convolution, "_peeled", lambda x, norm, largest: (np.empty(0, dtype=np.int64), x, norm) if largest > 1 else pytest.fail("it is")
    )
    assert convolved(x, x, allowed=1e-9)[1] == none[1]


def test_a_bound_that_forgets_the_transform_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mutant that these tests are for."""
    monkeypatch.setattr(convolution, "FFT_ERROR", 0.0)
    generator = np.random.default_rng(7)
    x, y = (drawn(generator, 80, "peaked") for _ in range(2))
    for (z, error), factors in ((convolved(x, y, allowed=1e-9), [x, y]), (convolved_often(x, y, times=3), [x, y, y, y])):
        assert distance(z, exactly(factors), len(factors)) > Fraction(error)


def mixture(left: int) -> Mixture:
    return Mixture.around(m=1000, odds=0.5, left=left, anchor=330, right=400)


def test_two_mixtures_at_once_share_no_memory() -> None:
    first, second = mixture(200), mixture(250)
    assert not np.shares_memory(first.masses, second.masses)
    assert not np.shares_memory(first.masses, first.cumulative)
    before = first.masses.copy(), first.cumulative.copy()
    third = mixture(100)
    assert np.array_equal(before[0], first.masses)
    assert np.array_equal(before[1], first.cumulative)
    assert len(third.masses) != len(second.masses)


def test_memory_comes_back_when_its_owner_is_gone() -> None:
    kept = mixture(200)
    free = len(convolution._free)
    gone = mixture(250)
    taken = free - len(convolution._free)
    del gone
    assert len(convolution._free) == min(free - taken + 2, convolution._MOST_FREE)
    assert all(not np.shares_memory(kept.masses, array) for array in convolution._free)


def test_profiles_in_turns_do_not_disturb_each_other() -> None:
    """Their windows are kept, their walks use the same memory."""
    points = [(n, parse_epsilon(text)) for text in ("0.05", "0.02", "0.11") for n in (10**4, 10**5)]
    alone = {(n, x): ClonesProfile(n=n, odds_factor=1, epsilon0=parse_epsilon(1)).delta(x) for n, x in points}
    profiles = {n: ClonesProfile(n=n, odds_factor=1, epsilon0=parse_epsilon(1)) for n in (10**4, 10**5)}
    for n, x in points:
        lower, upper = profiles[n].delta(x)
        assert lower <= alone[n, x][1]
        assert alone[n, x][0] <= upper


def test_threads_have_scratch_of_their_own() -> None:
    mine = convolution.scratch("a name", 100)
    others = []
    thread = threading.Thread(target=lambda: others.append(convolution.scratch("a name", 100)))
    thread.start()
    thread.join()
    assert not np.shares_memory(mine, others[0])
    assert np.shares_memory(mine, convolution.scratch("a name", 50))


PAIRS = {CLONES: clones.dominating_pair, STRONGER_CLONES: stronger_clones.dominating_pair}


@pytest.fixture(autouse=True)
def few_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds_on_grid, "_CELLS", 300)


def test_more_rounds_than_a_grid_has_cells_are_refused() -> None:
    with pytest.raises(ResourceLimitError, match="40000 rounds"):
        rounds_on_grid.delta(CLONES, n=2, epsilon0=parse_epsilon(1), rounds=40_001, epsilon=parse_epsilon(1))


@pytest.mark.parametrize("method", PAIRS, ids=lambda method: method.name)
@pytest.mark.parametrize(
    ("n", "local", "rounds", "order"), [(1, "3", 2, "3"), (3, "3", 3, "2"), (4, "9", 2, "11/10"), (2, "2", 1, "1"), (1, "3/2", 1, "4")]
)
def test_exact_values_lie_between_the_ends(method: object, n: int, local: str, rounds: int, order: str) -> None:
    T, E = Fraction(local), Fraction(order)
    exact = PrivacyProfile(*composition.composed([PAIRS[method](n=n, exp_epsilon0=T)] * rounds))  # type: ignore[index]
    asked = {"method": method, "n": n, "epsilon0": parse_epsilon(f"ln {T}"), "rounds": rounds}
    low, high = rounds_on_grid.delta(**asked, epsilon=parse_epsilon(f"ln {E}"))  # type: ignore[arg-type]
    truth = exact.delta(exp_epsilon=E)
    assert low <= truth <= high
    assert 0 <= high - low < Fraction(1, 20)
    assert low < truth or truth == 0
    target = Fraction(1, 50)
    found = exact.exp_epsilon(delta=target)
    assert found is not None
    low, high = rounds_on_grid.epsilon(**asked, delta=target)  # type: ignore[arg-type]
    least, most = parse_epsilon(f"ln {found}").bounds(bits=64)
    assert low <= most
    assert least <= high
    assert high - low < Fraction(1, 10)


def test_losses_rounded_the_wrong_way_miss_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mutant: up where down is due."""
    right = rounds_on_grid._on_grid
    monkeypatch.setattr(rounds_on_grid, "_on_grid", lambda *asked: right(*asked[:-1], not asked[-1]))
    asked = {"method": CLONES, "n": 3, "epsilon0": parse_epsilon("ln 3"), "rounds": 3}
    low, high = rounds_on_grid.delta(**asked, epsilon=parse_epsilon("ln 2"))  # type: ignore[arg-type]
    assert not low <= Fraction(156971, 373248) <= high


def test_what_is_not_put_on_the_grid_is_refused() -> None:
    asked = {"epsilon0": parse_epsilon("1"), "rounds": 2, "epsilon": parse_epsilon("1")}
    with pytest.raises(ResourceLimitError, match="n = 301"):
        rounds_on_grid.delta(method=CLONES, n=301, **asked)  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="method"):
        rounds_on_grid.delta(method=BIT_SUM, n=3, **asked)  # type: ignore[arg-type]


def test_a_renyi_divergence_of_losses_is_that_of_their_pair() -> None:
    low, high = rounds_on_grid.renyi_of_losses(
        [{Fraction(3): Fraction(3, 4), Fraction(1, 3): Fraction(1, 4)}], order=Fraction(2), digits=20
    )
    least, most = parse_epsilon("ln 7/3").bounds(bits=128)
    assert low <= most
    assert least <= high
    assert high - low < Fraction(1, 10**20)


@pytest.mark.parametrize(("batches", "z"), [(1, "1"), (10, "1/2"), (1000, "1"), (10**6, "4/5")])
def test_the_value_is_that_of_the_reference_at_the_same_cut(batches: int, z: str) -> None:
    found = shuffled_batches.epsilon(batches=batches, noise_multiplier=z, delta="1e-6")
    cut = shuffled_batches._best_cut(batches, float(Fraction(z)), 1e-6)
    with mp.workdps(60):
        ratio = Fraction(z)
        demand = shuffled_batches_demand(
            batches=batches,
            noise_multiplier=mpf(ratio.numerator) / ratio.denominator,
            cut=mpf(cut.numerator) / cut.denominator,
            delta="1e-6",
        )
        text = mp.nstr(demand, 40)
    assert found.lower <= Fraction(text) <= found.upper


@pytest.mark.parametrize("z", ["1/2", "1", "4"])
def test_one_batch_is_the_gaussian_mechanism_and_demands_no_more(z: str) -> None:
    exact = gaussian.epsilon(noise_multiplier=z, delta="1e-6", relation=Relation.ADD_REMOVE)
    found = shuffled_batches.epsilon(batches=1, noise_multiplier=z, delta="1e-6")
    assert exact.upper * Fraction(95, 100) < found.lower <= exact.upper


def test_more_batches_and_more_noise_demand_no_more() -> None:
    lowers = [shuffled_batches.epsilon(batches=T, noise_multiplier=z, delta="1e-6").lower for T, z in ((10, 1), (1000, 1), (1000, 2))]
    assert lowers == sorted(lowers, reverse=True)


def test_ends_of_the_domain() -> None:
    assert shuffled_batches.epsilon(batches=10**9, noise_multiplier=1000, delta="1/2").exact == "0"
    for wrong in (
        {"batches": 0},
        {"noise_multiplier": 0},
        {"noise_multiplier": "1e-400"},
        {"noise_multiplier": "1e400"},
        {"delta": 0},
        {"delta": 1},
    ):
        with pytest.raises(DomainError, match=next(iter(wrong))):
            shuffled_batches.epsilon(**{"batches": 10, "noise_multiplier": 1, "delta": "1e-6", **wrong})  # type: ignore[arg-type]
