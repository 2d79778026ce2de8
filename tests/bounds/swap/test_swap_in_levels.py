"""The random-swap bound in levels: float64 above exact rationals, and near what datasets reach."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from shuffleproof.impl.fast.bounds.blanket import any_distribution
from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.swap import another_place
from shuffleproof.impl.fast.bounds.swap.laplace_places import types_of_laplace
from shuffleproof.impl.fast.bounds.swap.loss_types import types_of
from shuffleproof.impl.fast.bounds.swap.saddle_guesses import about
from shuffleproof.impl.fast.bounds.swap.swap_in_levels import InLevels
from shuffleproof.impl.fast.bounds.swap.user_blocks import alike_blocks, block_steps, block_sums
from shuffleproof.impl.fast.bounds.swap.user_blocks.alike_blocks import averages
from shuffleproof.impl.fast.numeric.results import U
from shuffleproof.spec.bounds.swap import swap_in_levels as exact
from shuffleproof.spec.randomizers.k_rr import KRR
from shuffleproof.spec.randomizers.laplace import Laplace
from shuffleproof.spec.randomizers.local_hashing import LocalHashing
from shuffleproof.spec.randomizers.piecewise import Piecewise
from shuffleproof.spec.randomizers.square_wave import SquareWave
from shuffleproof.spec.randomizers.unary_encoding import RAPPOR
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon, parse_epsilon


def _response(k: int, T: int) -> list[dict[int, Fraction]]:
    return [{y: Fraction(T if x == y else 1, T + k - 1) for y in range(k)} for x in range(k)]


def test_without_levels_it_is_the_blanket_and_levels_rise_below_the_share_that_all_have() -> None:
    laws = _response(3, 2)
    asked: dict[str, Any] = {"first": laws[0], "second": laws[1], "others": laws, "exp_epsilon": Fraction(5, 4)}
    uniform = {y: Fraction(1, 3) for y in range(3)}
    none = exact.delta(n=3, common=uniform, levels=[], **asked)
    assert none == exact.nobody(n=3, common=uniform, share=Fraction(0), **asked)
    for levels in ([Fraction(1, 2), Fraction(1, 3)], [Fraction(9, 10)]):
        with pytest.raises(DomainError):
            exact.delta(n=3, common=uniform, levels=levels, **asked)


@pytest.mark.parametrize(("k", "T", "n", "E"), [(2, 3, 2, "1"), (2, 3, 7, "5/4"), (3, 2, 5, "9/8"), (2, 9, 9, "2")])
def test_floats_are_above_the_exact_sum_and_near_it(k: int, T: int, n: int, E: str) -> None:
    laws, share = _response(k, T), Fraction(1, 5 * n)
    epsilon0, uniform = Epsilon(None, Fraction(T)), {y: Fraction(1, k) for y in range(k)}
    asked: dict[str, Any] = {"first": laws[0], "second": laws[1], "others": laws, "exp_epsilon": Fraction(E)}
    *_, types = types_of(KRR(k=k), epsilon0)
    for law, of in ((types.others, exact.arrived), (types.blanket, exact.nobody)):
        losses = [Losses(m, at, at, error) for m, at, error in law(float(Fraction(E)), float(share))]
        if of is exact.nobody:
            truth = of(n=n, common=uniform, share=Fraction(float(share)), **asked)
            found = Fraction(averages(losses, [n], wanted=0.01)[0])
        else:
            truth = of(N=n - 1, common=uniform, before=Fraction(0), share=Fraction(float(share)), **asked)
            mass = 1 - (1 - share) ** (n - 1)
            found = Fraction(max(averages(losses, [S], wanted=0.01)[0] for S in range(1, n))) * mass
        assert truth * (1 - Fraction(1, 10**9)) <= found


@pytest.mark.parametrize(
    ("randomizer", "epsilon0", "n", "enough", "reached"),
    [
        (RAPPOR(), 1, 100, "0.3160", "0.311126"),
        (RAPPOR(), 1, 300, "0.1749", "0.173709"),
        (LocalHashing(buckets=2), 1, 300, "0.1648", "0.163096"),
        pytest.param(LocalHashing(buckets=2), 3, 300, "0.787", "0.7441", marks=pytest.mark.deep),  # about 8 s
        (KRR(k=10), 1, 1000, "0.0804", "0.0800"),
    ],
)
def test_few_users_are_answered_within_the_field_of_what_datasets_reach(
    randomizer: NamedRandomizer, epsilon0: int, n: int, enough: str, reached: str
) -> None:
    asked: dict[str, Any] = {"n": n, "randomizer": randomizer, "epsilon0": epsilon0}
    assert another_place.delta(**asked, epsilon=enough).upper < Fraction(1, 10**6)
    assert any_distribution.delta(**asked, epsilon=reached, view="below").lower > Fraction(99, 10**8)


def test_guesses_of_a_few_hundred_users_are_within_a_fifth() -> None:
    """Saddle points of one loss type at one level were e^2 off where epsilon0 is large, and seven values were asked for."""
    asked = InLevels([next(types_of(RAPPOR(), parse_epsilon("5")))], parse_epsilon("5"), 300)
    assert abs(asked.logarithm(3.44, 1e-6) - math.log(asked.delta(parse_epsilon("3.44"), 1e-6))) < 0.2


def test_guesses_have_no_jumps() -> None:
    """Where one type follows another at the saddle point they were up to e times too large, here and there."""
    types = types_of_laplace(Laplace(), parse_epsilon("5"))
    with np.errstate(all="ignore"):
        guesses = np.array([about(types, math.exp(3.18 + 0.004 * i), 299, 1e-6) for i in range(10)])
    assert (np.abs(np.diff(guesses) + 0.045) < 0.005).all()


def test_it_is_never_above_the_blanket_of_a_few_users() -> None:
    asked: dict[str, Any] = {"n": 3, "randomizer": KRR(k=2), "epsilon0": "ln 3"}
    found = another_place.delta(**asked, epsilon="ln 5/4").upper
    blanket = any_distribution.delta(**asked, epsilon="ln 5/4", view="above")
    assert blanket.lower <= found <= blanket.upper * (1 + Fraction(1, 100))
    assert math.isfinite(float(found))


@pytest.mark.parametrize("randomizer", [Piecewise(), SquareWave()])
@pytest.mark.parametrize("epsilon0", ["1/2", "2"])
def test_omega_of_continuous_inputs_is_the_whole_blanket(randomizer: NamedRandomizer, epsilon0: str) -> None:
    (types,) = types_of(randomizer, parse_epsilon(epsilon0))  # not the part where R_0 = R_1 as well
    share = types.most / 2
    for known in (types.others, types.blanket):
        for (whole, *_), (left, *_) in zip(known(1.5, 0.0), known(1.5, share), strict=True):
            assert (left * (1 - share) < whole * (1 - 1e-9)).all()  # something is taken from every output class


@pytest.mark.parametrize("randomizer", [Piecewise(), SquareWave()])
def test_reports_of_continuous_inputs_are_between_what_datasets_reach_and_the_blanket(randomizer: NamedRandomizer) -> None:
    asked: dict[str, Any] = {"n": 100, "randomizer": randomizer, "epsilon0": 1, "epsilon": "1/5"}
    found = another_place.delta(**asked).upper
    assert (
        any_distribution.delta(**asked, view="below").lower
        < found
        <= any_distribution.delta(**asked, view="above").upper * Fraction(101, 100)
    )


@pytest.mark.parametrize("users", [4, 9, 24])
def test_what_is_cut_off_is_counted_however_much_it_is(monkeypatch: pytest.MonkeyPatch, users: int) -> None:
    types = [[(12, "1/100"), (1, "1/2"), (-2, "49/100")], [(25, "1/900"), (0, "1/2"), (-1, "449/900")]]
    losses = []
    for law in types:
        mass, at = np.array([float(Fraction(p)) for _, p in law]), np.array([float(x) for x, _ in law])
        losses.append(Losses(mass, at, at, 2 * U))
    truth = max(_positive_part([types[0]] * k + [types[1]] * (users - k)) for k in range(users + 1)) / users

    def found(cut: float, count: int = 2) -> Fraction:
        monkeypatch.setattr(alike_blocks, "_CUT", cut)
        return Fraction(averages(losses[:count], [users], wanted=float(truth), blocks=1)[0])

    assert truth <= found(1e-6) <= truth * Fraction(102, 100)
    assert truth * Fraction(102, 100) < found(10.0) < 2 * truth
    with monkeypatch.context() as near:  # what is beyond the ends of V counts as well, however near to 0 they are
        near.setattr(block_steps, "_AROUND", 0.3)
        near.setattr(block_steps, "_ENDS", 0.3)
        assert truth * Fraction(11, 10) < found(1e-6) < 20 * truth
    trimmed = block_sums.trimmed
    for module in (alike_blocks, block_sums):
        monkeypatch.setattr(module, "trimmed", lambda *asked: replace(trimmed(*asked), cut=1e-300))
    assert found(10.0, 1) < _positive_part([types[0]] * users) / users  # of what is not counted


def test_a_number_that_counts_as_a_smaller_one_is_no_less_than_its_own_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums of more users are larger, and their means over users smaller."""
    law = [(2, "1/3"), (-1, "2/3")]
    losses = [Losses(np.array([1 / 3, 2 / 3]), np.array([2.0, -1.0]), np.zeros(2), 2 * U)]
    monkeypatch.setattr(block_steps, "_ALIGNED", 1)
    found = averages(losses, [30, 22, 19], wanted=0.1, blocks=1)
    truths, of_fewer = ([_positive_part([law] * S) / S for S in numbers] for numbers in ((30, 22, 19), (30, 15, 19)))
    for value, truth, known in zip(found, truths, of_fewer, strict=True):
        assert truth <= value <= known * Fraction(1001, 1000)
    assert found[1] > truths[1] * Fraction(11, 10)


def _positive_part(laws: list[list[tuple[int, str]]]) -> Fraction:
    """Return E(L_1 + ... + L_S)_+, exactly."""
    sums = {0: Fraction(1)}
    for law in laws:
        following: dict[int, Fraction] = {}
        for s, p in sums.items():
            for x, q in law:
                following[s + x] = following.get(s + x, Fraction(0)) + p * Fraction(q)
        sums = following
    return sum((max(s, 0) * p for s, p in sums.items()), Fraction(0))


@pytest.mark.parametrize("blocks", [1.0, math.inf])  # by transforms, whose errors are more than what is kept, and directly
@pytest.mark.parametrize("before", [1e-9, 0.1])
def test_what_is_cut_off_of_a_square_far_above_counts(before: float, blocks: float) -> None:
    """It counts as a share of what is kept, and so does `before`, which is a share of both."""
    mass = np.zeros((1, 401))
    mass[0, [0, 400]] = 1.0, 1e-140
    x = block_sums.Blocks(0, 0, mass, before)
    theta = 350 / 400  # e^(theta x) times the mass of the square's last point is e^56, and without it that is less than the floats hold
    found = block_sums.doubled(x, 1.0, theta, 1e-15, blocks)
    assert math.isfinite(found.cut) is math.isinf(blocks)
    assert found.first + found.mass.shape[1] <= 800
    assert found.cumulant(theta) + math.log1p(found.cut) >= 2 * (x.cumulant(theta) + math.log1p(before))


def test_sums_that_hardly_count_are_bounded_all_the_same() -> None:
    n, p = 400, 0.2
    exact_sum = sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) * (2 * k - n) for k in range(n // 2, n + 1)) / n
    (found,) = averages([Losses(np.array([p, 1 - p]), np.array([1.0, -1.0]), np.zeros(2), 1e-15)], [n], wanted=1.0)
    assert exact_sum < found < 100 * exact_sum


@pytest.mark.parametrize("users", [5, 200, 1_000, 100_000])
@pytest.mark.parametrize("rare", [0.0, 1e-320, 1e-306])
def test_places_with_hardly_any_mass_take_nothing_from_the_others(users: int, rare: float) -> None:
    """Far away they had let all other terms underflow: Laplace noise of eps0 = 3e-6 was said to be as good as no data at all."""
    loss = Fraction(2) ** -40
    at = np.array([1.0, float(loss), -float(loss)])
    found = averages([Losses(np.array([rare, 0.5, 0.5]), at, at, U)], [users], wanted=1e-300)[0]
    truth = loss * math.comb(users - 1, (users - 1) // 2) / 2**users
    assert truth <= Fraction(found)
    assert rare or found <= 1.001 * float(truth)


@pytest.mark.parametrize(("epsilon0", "n", "delta"), [("1e-12", 160, "1e-300"), ("3e-6", 10**7, "1e-12")])
def test_noise_of_tiny_epsilon0_is_above_what_two_datasets_reach(epsilon0: str, n: int, delta: str) -> None:
    asked: dict[str, Any] = {"n": n, "epsilon0": epsilon0, "delta": delta, "randomizer": Laplace()}
    assert any_distribution.epsilon(**asked, view="below").lower <= another_place.epsilon(**asked).upper
