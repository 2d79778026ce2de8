"""The special user's report in the place of a random other user's: above what datasets reach, near it for many users."""

import tracemalloc
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from shuffleproof.impl.fast.bounds.blanket import any_distribution
from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses, sides
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import Atoms, LossesOfOthers
from shuffleproof.impl.fast.bounds.k_rr import binary_rr_exhaustive
from shuffleproof.impl.fast.bounds.swap import another_place, first_arrival, swap_in_levels, users_in_blocks
from shuffleproof.impl.fast.bounds.swap.loss_types import types_of
from shuffleproof.impl.fast.bounds.swap.unlike_sums import Tilt
from shuffleproof.spec.bounds.swap import another_place as exact
from shuffleproof.spec.randomizers.hadamard_response import Hadamard
from shuffleproof.spec.randomizers.k_rr import KRR
from shuffleproof.spec.randomizers.laplace import Laplace
from shuffleproof.spec.randomizers.local_hashing import LocalHashing
from shuffleproof.spec.randomizers.unary_encoding import RAPPOR, AsymmetricRAPPOR
from shuffleproof.spec.vocabulary.errors import DomainError, UnsupportedError
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import ANOTHER_PLACE
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon

_QUARTERS = {0: Fraction(3, 4), 1: Fraction(1, 4)}, {0: Fraction(1, 4), 1: Fraction(3, 4)}
_EVEN = {0: Fraction(1, 2), 1: Fraction(1, 2)}


def test_one_other_user_who_always_draws_from_omega_hides_as_much_as_one_draw_of_what_is_left() -> None:
    first, second = _QUARTERS
    told: dict[str, Any] = {"first": first, "second": second, "exp_epsilon": Fraction(3, 2)}
    alone = exact.among(**told, hiding=[_EVEN])
    assert alone == Fraction(3, 8)
    # R_k = omega/2 + m/2, both uniform: nobody draws from omega half of the time
    assert exact.delta(**told, others=[_EVEN], common=_EVEN, share=Fraction(1, 2)) == Fraction(3, 8)
    assert exact.delta(**told, others=[_EVEN] * 2, common=_EVEN, share=Fraction(1, 2)) < Fraction(3, 8)


def test_the_least_distribution_above_two_has_corners_where_their_functions_cross() -> None:
    narrow, wide = {Fraction(0): Fraction(1)}, {Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2)}
    assert exact.least_above([narrow, wide]) == wide
    left = {Fraction(-2): Fraction(1, 3), Fraction(1): Fraction(2, 3)}
    right = {Fraction(-1): Fraction(2, 3), Fraction(2): Fraction(1, 3)}
    both = exact.least_above([left, right])
    assert sum(both.values()) == 1
    assert sum(at * mass for at, mass in both.items()) == 0
    assert both == {Fraction(-2): Fraction(1, 3), Fraction(0): Fraction(1, 3), Fraction(2): Fraction(1, 3)}


def test_blocks_add_up_to_all_users() -> None:
    for users, groups in ((100, [3, 3, 3]), (21, [3, 3, 3]), (22, [3, 2, 1]), (5, [])):
        told = exact.in_blocks(users=users, groups=groups)
        assert sum(size * times for size, times in told.items()) == users
        assert list(told.values()) == users_in_blocks.numbers_of_blocks(users, [*groups, 1])
    with pytest.raises(DomainError, match="at least 21"):
        exact.in_blocks(users=20, groups=[3, 3, 3])


@pytest.mark.parametrize(
    ("randomizer", "epsilon0", "reached", "enough"),
    [
        (LocalHashing(buckets=2), 3, "0.1120", "0.1158"),
        (LocalHashing(buckets=4), 3, "0.1593", "0.1613"),
        (RAPPOR(), 1, "0.02648", "0.02666"),
        (Hadamard(k=100), 1, "0.0313", "0.0318"),
        (Laplace(), 1, "0.0313", "0.0322"),
        (Laplace(), 3, "0.1352", "0.1437"),
    ],
)
def test_brackets_of_ten_thousand_users_close(randomizer: NamedRandomizer, epsilon0: int, reached: str, enough: str) -> None:
    asked: dict[str, Any] = {"n": 10**4, "randomizer": randomizer, "epsilon0": epsilon0}
    assert any_distribution.delta(**asked, epsilon=reached, view="below").lower > Fraction(1, 10**6)
    assert another_place.delta(**asked, epsilon=enough).upper < Fraction(1, 10**6)


@pytest.mark.parametrize(("n", "epsilon0", "epsilon"), [(500, 1, "0.1"), (4000, 1, "0.05"), (2000, 3, "0.3")])
def test_no_dataset_of_binary_response_is_above_it(n: int, epsilon0: int, epsilon: str) -> None:
    """Nor is either answer far above; which of these is smaller no theorem says: hashing has types that this randomizer lacks, but levels,
    omegas and grids are choices of each answer."""
    truth = binary_rr_exhaustive.delta(n=n, k=2, epsilon0=epsilon0, epsilon=epsilon)
    found = another_place.delta(n=n, randomizer=KRR(k=2), epsilon0=epsilon0, epsilon=epsilon)
    hashed = another_place.delta(n=n, randomizer=LocalHashing(buckets=2, family="any"), epsilon0=epsilon0, epsilon=epsilon)
    assert truth.upper <= min(found.upper, hashed.upper)
    assert max(found.upper, hashed.upper) < 3 * truth.upper


def test_tiny_deltas_and_large_epsilon0_are_answered_or_claim_nothing() -> None:
    asked: dict[str, Any] = {"n": 10**6, "randomizer": LocalHashing(buckets=2), "epsilon0": 1, "epsilon": "0.015"}
    found = another_place.delta(**asked).upper
    assert Fraction("1e-100") < any_distribution.delta(**asked, view="below").lower < found < Fraction("1e-90")
    assert another_place.delta(n=10**4, randomizer=RAPPOR(), epsilon0=600, epsilon=1).upper == 1
    assert another_place.epsilon(n=10**4, randomizer=Laplace(), epsilon0=40, delta="1e-6").upper < 40
    assert another_place.epsilon(n=10**4, randomizer=Laplace(), epsilon0="1e-9", delta="1e-6").upper <= Fraction(1, 10**9)
    # one loss type grows far faster than the others where these are as large, and next to it sums leave the floats
    for n, epsilon0, epsilon, most in ((10**4, 8, "4.2", "1e-18"), (3 * 10**4, 10, 5, "1e-13"), (3 * 10**4, 12, "8.1", "1e-12")):
        assert another_place.delta(n=n, randomizer=Laplace(), epsilon0=epsilon0, epsilon=epsilon).upper < Fraction(most)


def test_hash_functions_that_are_uniform_for_pairs_only_are_worse_and_are_not_promised() -> None:
    T = np.exp(3.0)  # functions x -> a x + b mod 3 of the items 0, 1 and 2, which all others hold
    first, second, other = (
        np.array([T if (a * x + b) % 3 == y else 1.0 for a, b, y in product(range(3), repeat=3)]) / (9 * (T + 2)) for x in range(3)
    )
    at = (first - np.exp(0.1452) * second) / other
    truth, _ = sides(Losses(other, at + 1e-12 * np.abs(at), at - 1e-12 * np.abs(at), 1e-12), n=10**4, length=1 << 12)
    uniform: dict[str, Any] = {"n": 10**4, "randomizer": LocalHashing(buckets=3), "epsilon0": 3, "epsilon": "0.1452"}
    assert another_place.delta(**uniform).upper < Fraction(1, 10**6) < Fraction(13, 10**6) < truth < any_distribution.delta(**uniform).upper
    assert "pairwise" not in ANOTHER_PLACE.needs
    assert another_place.delta(**{**uniform, "randomizer": LocalHashing(buckets=3, family="any")}).upper > truth


def test_a_part_above_two_is_above_both_for_every_threshold() -> None:
    tilt = Tilt(0.3, 1 << 8)
    parts = [tilt.of(np.array([p, 1 - p]), np.array([-(1 - p) / p, 1.0]), level=-4, error=0.0) for p in (0.25, 0.75)]
    both = tilt.above(parts)
    for shift in (-0.5, 0.0, 0.5, 2.0):
        moved = tilt.of(np.array([1.0]), np.array([shift]), level=-4, error=0.0)
        values = [tilt.positive(tilt.product(part, moved)) for part in (both, *parts)]
        assert values[0] >= max(values[1:]) * (1 - 1e-12)


def test_the_bracket_of_all_randomizers_together_closes() -> None:
    third: dict[str, Any] = {"n": 10**6, "randomizer": KRR(k=3), "epsilon0": 1}
    assert any_distribution.delta(**third, epsilon="0.003078", view="below").lower > Fraction(1, 10**6)
    assert first_arrival.delta(n=10**6, epsilon0=1, epsilon="0.003081").upper < Fraction(1, 10**6)


def test_an_epsilon_whose_delta_is_above_by_an_ulp_is_not_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    above = float(np.nextafter(1e-300, 1.0))
    assert np.log(above) == np.log(1e-300)
    asked: list[Fraction] = []
    monkeypatch.setattr(swap_in_levels.InLevels, "delta", lambda _, x, wanted: asked.append(x.bounds(bits=64)[0]) or above)
    found = another_place.epsilon(n=10**4, randomizer=RAPPOR(), epsilon0=1, delta="1e-300")
    assert max(asked) < found.upper <= 1


@pytest.mark.filterwarnings("error")
def test_the_largest_epsilon0_is_answered_without_a_warning() -> None:
    assert another_place.epsilon(n=10**3, randomizer=AsymmetricRAPPOR(k=2), epsilon0=690, delta="1e-3").upper < 690


@pytest.mark.parametrize("randomizer", [RAPPOR(), Laplace()], ids=repr)
@pytest.mark.parametrize("epsilon0", ["1e-300", "1e-20", "1e-6"])
def test_many_users_of_a_tiny_epsilon0_need_hardly_any_epsilon(randomizer: NamedRandomizer, epsilon0: str) -> None:
    """What a line would take billions of points for is answered by blocks, or by nothing that leaves the floats."""
    assert another_place.epsilon(n=10**6, randomizer=randomizer, epsilon0=epsilon0, delta="1e-6").upper <= Fraction("1e-30")


@pytest.mark.parametrize("n", [1, 2, 5000])
def test_few_users_of_the_least_epsilon0_are_answered(n: int) -> None:
    assert another_place.epsilon(n=n, randomizer=Laplace(), epsilon0="1e-300", delta="1e-6").upper <= Fraction("1e-300")


def test_a_blanket_that_decides_alone_is_asked_in_full() -> None:
    """Mutant: its rough bound, of which levels of many users are otherwise far below, is 16 here."""
    assert another_place.epsilon(n=433_072, randomizer=AsymmetricRAPPOR(), epsilon0="16.2", delta="6.1e-6").upper < 4.957


@pytest.mark.parametrize(
    ("randomizer", "epsilon0", "n", "delta", "enough"),
    [
        (RAPPOR(), "14.2", 581_074, "9.02e-3", "8.22"),
        (RAPPOR(), "17.8", 771_877, "1.4e-11", "14.12"),
        (RAPPOR(), "ln 2", 58, "9.67e-20", "0.63279"),
        (RAPPOR(), "2.95", 93, "4.07e-11", "2.5486"),
        (AsymmetricRAPPOR(), "0.00431", 27_671, "6.61e-6", "1.4461e-6"),
    ],
)
def test_corners_are_no_wider_than_they_were(randomizer: NamedRandomizer, epsilon0: str, n: int, delta: str, enough: str) -> None:
    """8.9, 14.8: losses of -5 10^9 beside 10^6; 0.6359: a search that ended; 2.5492: a jump of guesses; 1.4466e-6: hardly below it at 0."""
    assert another_place.epsilon(n=n, randomizer=randomizer, epsilon0=epsilon0, delta=delta).upper <= Fraction(enough)


def test_the_ends_of_its_domain() -> None:
    rappor = RAPPOR()
    assert Fraction("0.9999") < another_place.epsilon(n=1, randomizer=rappor, epsilon0=1, delta="1e-6").upper <= 1
    assert Fraction("0.99") < another_place.epsilon(n=2, randomizer=Laplace(), epsilon0=1, delta="1e-6").upper <= 1
    assert another_place.epsilon(n=9, randomizer=rappor, epsilon0=1, delta=1).upper == 0
    assert another_place.epsilon(n=10**6, randomizer=rappor, epsilon0=1, delta="0.5").upper == 0
    assert another_place.epsilon(n=9, randomizer=rappor, epsilon0="ln 3", delta=0).exact == "ln 3"
    assert another_place.epsilon(n=9, randomizer=rappor, epsilon0=0, delta="1e-6").exact == "0"
    assert another_place.delta(n=9, randomizer=rappor, epsilon0=1, epsilon=1).upper == 0
    with pytest.raises(UnsupportedError, match="1e-300"):
        another_place.epsilon(n=9, randomizer=rappor, epsilon0=1, delta="1e-301")
    with pytest.raises(DomainError, match="at least 1"):
        exact.delta(first=_EVEN, second=_EVEN, others=[], common=_EVEN, share=Fraction(0), exp_epsilon=Fraction(1, 2))
    with pytest.raises(DomainError, match="share of omega"):
        exact.left(_QUARTERS[0], _QUARTERS[1], Fraction(1, 2))


@pytest.mark.parametrize(("n", "epsilon0", "delta"), [(500, 3, "1e-12"), (500, 1, "1e-6"), (10**4, 1, "1e-12")])
def test_delta_at_an_epsilon_is_about_the_delta_that_it_was_asked_for(n: int, epsilon0: int, delta: str) -> None:
    """Though the tail budget has to be guessed: 3900 times as much came out where the guess is far off."""
    asked: dict[str, Any] = {"n": n, "epsilon0": epsilon0, "randomizer": RAPPOR()}
    central = another_place.epsilon(**asked, delta=delta).upper
    assert another_place.delta(**asked, epsilon=central).upper < Fraction(delta) * Fraction(6, 5)


class _OneLossType(LossesOfOthers):
    """Users who all have one distribution of losses, E aside."""

    def __init__(self, losses: Losses) -> None:
        super().__init__(0.5)
        self.losses = losses

    def atoms(self, exp_epsilon: float, kept: float) -> list[list[Atoms]]:
        return [[(self.losses.mass, self.losses.at, self.losses.error)]]

    def chi_square(self) -> float:
        return float((self.losses.mass * self.losses.at**2).sum())


@pytest.mark.parametrize("users", [40, 10**4, 10**8])
def test_users_of_one_loss_type_cost_what_their_sum_does(users: int) -> None:
    """What is cut off of each distribution grows with the number of users: it must not be a share of theirs that counts for each."""
    fewer, at = 1.2 / np.sqrt(users), np.array([1.0, -1.0, 1.25])
    losses = Losses(np.array([0.25 - fewer, 0.25 + fewer, 4e-8]), at, at, 1e-15)
    value = users_in_blocks.summed(_OneLossType(losses), 1.0, hidden=1.0, users=users)
    lower, upper = sides(losses, n=users, length=1 << 14)
    assert lower <= value <= upper * 1.003


@pytest.mark.parametrize("epsilon0", [12, 30, 600])
def test_few_users_of_huge_losses_take_little_memory(epsilon0: int) -> None:
    tracemalloc.start()
    found = another_place.delta(n=2, epsilon0=epsilon0, epsilon=Fraction(epsilon0, 2), randomizer=KRR(k=3))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert Fraction(99, 100) < found.upper <= 1
    assert most < 200 << 20


def test_what_comes_out_far_from_what_is_wanted_does_not_choose_omega() -> None:
    """Hashing into two buckets, epsilon0 = 5, n = 1000: 4.95 in the place of 3.49 with the omega that was better at 0.78."""
    epsilon0 = Epsilon(Fraction(5), None)
    asked = swap_in_levels.InLevels(types_of(LocalHashing(buckets=2), epsilon0), epsilon0, 1000)
    far = asked.delta(Epsilon(Fraction(78, 100), None), 1e-6)
    assert len(asked.types) == 2
    assert asked.delta(Epsilon(Fraction(78, 100), None), far) == pytest.approx(far, rel=0.01)
    assert len(asked.types) == 1
