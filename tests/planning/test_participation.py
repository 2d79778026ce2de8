"""Users who take part at random: blocks of counts and mixtures against the exact ones; answers against whole views at small n."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any, cast

import pytest

from shuffleproof import (
    KRR,
    RAPPOR,
    AnyRandomizer,
    BinomialSum,
    BitSum,
    CoordinateSums,
    FakeUsers,
    Histogram,
    LaplaceSum,
    RealSum,
    SplitAndMix,
    VariationRatio,
    ZeroSum,
    shuffled,
)
from shuffleproof.accounting import profile_by_chords
from shuffleproof.accounting.one_coin import OneCoin
from shuffleproof.accounting.profile_on_grid import source
from shuffleproof.impl.ball import random_participation as ball
from shuffleproof.mechanisms import participation
from shuffleproof.mechanisms.participation import RandomParticipation
from shuffleproof.spec.bounds import random_participation as exact
from shuffleproof.spec.bounds.lower import binary_rr
from shuffleproof.spec.bounds.sums.coordinate_sums import coordinate_distribution
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, binomial, convolution, hockey_stick, product
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.scope import Mechanisms


def test_more_users_than_there_are_people_are_refused_before_their_tails_are_summed() -> None:
    with pytest.raises(ResourceLimitError, match=r"tails of 1\.0e\+12 users"):
        ball.blocks(n=10**12, rate=Fraction(1, 2))


@pytest.mark.parametrize(("n", "rate", "least"), [(1, "1/3", 1), (2, "1", 2), (7, "9/10", 3), (300, "1/50", 1), (300, "49/50", 290)])
def test_blocks_hold_every_count_once_with_its_probability(n: int, rate: str, least: int) -> None:
    g = Fraction(rate)
    parts = ball.blocks(n=n, rate=g, least=least)
    assert [m for part in parts for m in range(part.least, part.most + 1)] == list(range(n if g == 1 else least, n + 1))
    law = binomial(n, g)
    for part in parts:
        share = sum((law[m] * Fraction(m, n) for m in range(part.least, part.most + 1)), Fraction(0))
        assert part.below <= share <= part.above <= share + Fraction(1, 10**20)


def test_two_tails_are_below_the_divergence_of_the_pair() -> None:
    for m in (1, 2, 9):
        zero, one = binary_rr.pair(n=m, exp_epsilon0=Fraction(3))
        for E in (Fraction(1), Fraction(11, 10), Fraction(2), Fraction(29, 10), Fraction(4)):
            truth = hockey_stick(one, zero, exp_epsilon=E)
            assert truth - Fraction(1, 10**20) <= ball.one_bit(m, E, T=Fraction(3)) <= truth


@pytest.mark.parametrize("least", [1, 3])
def test_the_bracket_holds_the_homogeneous_pair_of_the_whole_view(least: int) -> None:
    """Binary randomized response of four users: below every bound, and what the lower side is of."""
    randomizer, rate = k_rr(k=2, exp_epsilon0=Fraction(3)), Fraction(1, 2)
    views = [exact.view(randomizer, data, rate=rate, least=least) for data in ((1, 0, 0, 0), (0, 0, 0, 0))]
    one = RandomParticipation(one=shuffled(KRR(k=2, epsilon0="ln 3"), n=4), rate=rate, least=least)
    for E in ("1", "11/10", "3/2"):
        found = one.delta(epsilon=f"ln {E}")
        truth = hockey_stick(*views, exp_epsilon=Fraction(E))
        assert found.lower.lower <= truth <= found.upper.upper
        assert found.lower.view == found.upper.view == "what is seen of those who take part"
        assert truth == 0 or found.lower.lower >= truth * Fraction(9, 10) or len(ball.blocks(n=4, rate=rate, least=least)) < 4


def _coordinates(of: Callable[[int, int], Distribution[int]]) -> Callable[[list[Any]], Distribution[Any]]:
    """Of two items; of: (users, those who hold the item) -> the distribution of a coordinate."""

    def distribution_of(present: list[Any]) -> Distribution[Any]:
        return product(*(of(len(present), present.count(item)) for item in (0, 1)))

    return distribution_of


def _total(of: Callable[[int, int], Distribution[int]]) -> Callable[[list[Any]], Distribution[Any]]:
    """Of numbers of ones; of: (users, ones among all they hold) -> the distribution of the total."""
    return lambda present: of(len(present), sum(present))


SUMS = _coordinates(lambda m, ones: coordinate_distribution(n=m, own=Fraction(3, 4), other=Fraction(1, 4), holders=ones))
BINS = _coordinates(lambda m, ones: binomial(m, Fraction(1, 2)).map(lambda z: z + ones))
FAKES = _coordinates(lambda m, ones: binomial(2, Fraction(1, 3)).map(lambda z: z + ones))
REALS = _total(lambda m, ones: convolution(binomial(ones, Fraction(3, 4)), binomial(2 * m - ones, Fraction(1, 4))))
COINS = _total(lambda m, ones: binomial(2 * m, Fraction(1, 2)).map(lambda z: z + ones))


@pytest.mark.parametrize(
    ("one", "change", "law_of", "held", "other"),
    [
        (CoordinateSums(n=3, epsilon0="ln 9"), "replace-one", SUMS, (0, 1), [1]),
        (CoordinateSums(n=3, epsilon0="ln 9"), "deletion", SUMS, (0, 1), [None]),
        (CoordinateSums(n=3, epsilon0="ln 3", changed="1"), "replace-one", SUMS, (0, 1), [None]),
        (RealSum(n=3, lam="3/2", r=2, view="untagged"), "replace-one", REALS, (0, 1, 2), [2]),
        (BinomialSum(n=3, sensitivity=2, coins=2), "replace-one", COINS, (0, 1, 2), [2]),
        (Histogram(n=3, p="1/2"), "replace-one", BINS, (0, 1), [1]),
        (Histogram(n=3, p="1/2"), "deletion", BINS, (0, 1), [None]),
        (FakeUsers(n=3, fakes=2, p="1/3"), "replace-one", FAKES, (0, 1), [1]),
        (FakeUsers(n=3, fakes=2, p="1/3"), "deletion", FAKES, (0, 1), [None]),
        (FakeUsers(n=3, fakes=2, p="1/3"), "add-remove", FAKES, (0, 1), []),
    ],
)
def test_no_dataset_exceeds_what_is_claimed_of_sums(one: Any, change: Any, law_of: Any, held: tuple[int, ...], other: list[Any]) -> None:
    """Every dataset of three users against one whose first user holds something else, nothing, or is not there."""
    rate = Fraction(1, 3)
    found = RandomParticipation(one=one, rate=rate, change=change)
    ids = {"add-remove": "-uncounted", "deletion": "-deletion"}
    assert found.delta(epsilon=1).upper.statement.removeprefix("BEYOND.random-participation") == ids.get(
        change, "-deletion" * (other == [None])
    )
    bounds = {E: found.delta(epsilon=f"ln {E}").upper.upper for E in ("21/20", "3/2")}
    for others in combinations_with_replacement(held, 2):
        views = [exact.seen(law_of, [*own, *others], rate=rate, counted=change != "add-remove", least=0) for own in ([0], other)]
        for E, upper in bounds.items():
            assert PrivacyProfile(*views).delta(exp_epsilon=Fraction(E)) <= upper


def test_where_nobody_is_counted_the_noise_of_an_empty_batch_is_released_too() -> None:
    """Dropped, it would show more than is claimed."""
    found = RandomParticipation(one=FakeUsers(n=2, fakes=2, p="1/3"), rate="1/3", change="add-remove")
    upper = found.delta(epsilon=0).upper.upper
    released, dropped = (
        PrivacyProfile(*(exact.seen(FAKES, data, rate=Fraction(1, 3), least=least, counted=False) for data in ([0, 1], [1]))).delta(
            exp_epsilon=Fraction(1)
        )
        for least in (0, 1)
    )
    assert released <= upper < dropped
    assert "no batch dropped" in str(found)


@pytest.mark.parametrize("rate", [Fraction(1, 3), Fraction(1)])
@pytest.mark.parametrize("E", [Fraction(1), Fraction(21, 20), Fraction(3, 2)])
def test_where_nobody_is_counted_one_who_may_come_is_measured_from_nobody_exactly(rate: Fraction, E: Fraction) -> None:
    alone, nobody = FAKES([0]), FAKES([])
    there, gone = (exact.seen(FAKES, data, rate=rate, counted=False) for data in ([0], []))
    claimed = exact.uncounted(lambda order: hockey_stick(alone, nobody, exp_epsilon=order), rate=rate, exp_epsilon=E)
    assert claimed == hockey_stick(there, gone, exp_epsilon=E) > 0


def test_a_change_counts_by_the_part_beta_of_an_order_and_an_exchange_by_what_is_left() -> None:
    """By hand, two users at g = 1/2 and E = 2: one comes with probability 1/2, order 3 and beta 2/3; both with 1/4, order 2 and beta 1."""
    asked: dict[str, Any] = {"n": 2, "rate": Fraction(1, 2), "exp_epsilon": Fraction(2)}
    of_change = exact.mixed(lambda m, order: order, exchanged=lambda m, order: Fraction(0), **asked)
    of_exchange = exact.mixed(lambda m, order: Fraction(0), exchanged=lambda m, order: order, **asked)
    assert (of_change, of_exchange) == (Fraction(1, 2) * Fraction(1, 2) * 2 + Fraction(1, 4) * 2, Fraction(1, 2) * Fraction(1, 2))
    assert exact.mixed(lambda m, order: order, **asked) == of_change + of_exchange


def test_noise_in_parts_is_whole_in_every_batch() -> None:
    """Each adds the least-th part: the answer is that of the whole noise for all batches, and of no users less than that."""
    for one in (LaplaceSum(n=40, sensitivity=1, epsilon0=1), SplitAndMix(n=40, messages=9, modulus=64, sensitivity=1, epsilon0=1)):
        found = RandomParticipation(one=one, rate="1/2", least=12)
        assert found._alone(12) == found._alone(40)
        assert found._alone(12)[0].n == 12
        alone = found._alone(12)[0].delta(epsilon="1/2").upper  # type: ignore[union-attr]
        assert alone.lower <= RandomParticipation(one=one, rate=1, least=12).delta(epsilon="1/2").upper.upper <= alone.upper * 2


@pytest.mark.parametrize("method", ["stronger-clones", "first-arrival"])
def test_everybody_taking_part_is_the_mechanism_itself(method: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    one = shuffled(AnyRandomizer(epsilon0=1), n=100)
    monkeypatch.setattr(participation, "_FEW", 0 if method == "first-arrival" else 10**9)
    found = RandomParticipation(one=one, rate=1).epsilon(delta="1e-4")
    alone = one.epsilon(delta="1e-4", method=method)
    assert one.epsilon(delta="1e-4", method="binary-rr-pair").lower <= found.upper.upper <= alone.upper * Fraction(1001, 1000)


@pytest.mark.parametrize(("n", "epsilon0", "most"), [(10**6, "1/10000", "0"), (2000, 0, "0"), (2000, 3, "0.4605")])
def test_all_randomizers_are_answered_at_once_where_nothing_is_left_or_few_take_part(n: int, epsilon0: Any, most: str) -> None:
    found = RandomParticipation(one=shuffled(AnyRandomizer(epsilon0=epsilon0), n=n), rate="1/4").epsilon(delta="1e-6").upper
    assert found.upper <= Fraction(most)
    assert "BEYOND.first-arrival" not in found.statements


def test_all_randomizers_are_asked_by_first_arrival_where_that_is_a_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(participation, "_FEW", 0)
    one = RandomParticipation(one=shuffled(AnyRandomizer(epsilon0=1), n=150), rate="1/2")
    found = one.epsilon(delta="1e-3")
    assert found.mechanisms is found.upper.mechanisms is Mechanisms.EVERY_ADAPTIVE
    step = found.upper.upper / 4
    by_chords = one.uppers([k * step for k in range(6)], least=Fraction(1, 10**7))
    assert by_chords[4] >= one.delta(epsilon=found.upper.upper).upper.upper * Fraction(99, 100)
    with monkeypatch.context() as patch:
        patch.setattr(RandomParticipation, "_slower", None)
        clones = one.epsilon(delta="1e-3").upper
        assert found.lower.lower < found.upper.upper < clones.upper * Fraction(98, 100)
        assert all(
            chord <= direct
            for chord, direct in zip(by_chords, one.uppers([k * step for k in range(6)], least=Fraction(1, 10**7)), strict=True)
        )
    assert "BEYOND.first-arrival" in found.upper.statements
    assert "BEYOND.first-arrival" not in clones.statements


@pytest.mark.parametrize(("asked", "ks"), [(AnyRandomizer(epsilon0="ln 3"), (2, 3)), (KRR(k=3, epsilon0="ln 3"), (3,))])
def test_what_takes_longer_is_above_the_whole_view_too(asked: Any, ks: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of so few users it is no gain, and is not asked: here it is."""
    monkeypatch.setattr(participation, "_FEW", 0)
    monkeypatch.setattr(profile_by_chords, "_GAIN", Fraction(2))
    profile_by_chords.gains.cache_clear()
    profile_by_chords.by_distribution.cache_clear()
    one, rate = RandomParticipation(one=shuffled(asked, n=4), rate="1/2"), Fraction(1, 2)
    assert one._slower is not None
    epsilons = [Fraction(k, 10) for k in range(6)]
    by_chords = one.uppers(epsilons, least=Fraction(1, 10**6))
    for k in ks:
        views = [exact.view(k_rr(k=k, exp_epsilon0=Fraction(3)), (own, *(k - 1,) * 3), rate=rate) for own in (0, k - 1)]
        for epsilon, chord in zip(epsilons, by_chords, strict=True):
            truth = PrivacyProfile(*views).delta(exp_epsilon=exp_bounds(epsilon, bits=64)[1])
            assert truth <= min(one.delta(epsilon=epsilon).upper.upper, chord)
    profile_by_chords.gains.cache_clear()
    profile_by_chords.by_distribution.cache_clear()


def test_of_one_randomizer_the_whole_distribution_is_asked_where_that_is_a_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    one = RandomParticipation(one=shuffled(RAPPOR(epsilon0=2), n=3000), rate="1/2")
    upper = one.epsilon(delta="1e-3").upper
    monkeypatch.setattr(RandomParticipation, "_slower", None)
    assert upper.upper < one.epsilon(delta="1e-3").upper.upper * Fraction(9, 10)
    assert "BEYOND.any-law-place" in upper.statements


def test_a_search_by_shape_ends_at_the_target_or_where_it_must_be() -> None:
    def shape(x: Fraction) -> Fraction:
        return min(Fraction(1), Fraction(math.exp(-50 * x)))

    at = ball.crossing(shape, Fraction(1, 10**6), upward=True)
    for gain, first in ((Fraction(1, 10), at * Fraction(9, 10)), (Fraction(1, 10**4), at), (Fraction(1), at / 2), (Fraction(0), at)):
        found = ball.crossing_by_shape(lambda x, gain=gain: gain * shape(x), Fraction(1, 10**6), shape=shape, at=at, first=first)  # type: ignore[misc]
        assert found <= at
        assert gain * shape(found) <= Fraction(1, 10**6)
        assert not gain or gain * shape(found * Fraction(995, 1000)) > Fraction(1, 10**6) or found == at


def test_an_answer_names_the_statements_of_what_is_mixed() -> None:
    """Beside the mixture's own, those of the deltas for each number of users; with several releases on one coin those of all of them."""
    krr, bins = shuffled(KRR(k=3, epsilon0=1), n=40), Histogram(n=40, p="1/2")
    for one, mixed in (
        (krr, krr.delta(epsilon=0, method=cast(Any, source(shuffled(KRR(k=3, epsilon0=1), n=20))[0]), engine="fast")),
        (bins, bins.delta(epsilon=0).upper),
    ):
        for at_least in (False, True):
            found = RandomParticipation(one=one, rate="1/2", least=5, at_least=at_least).epsilon(delta="1e-2").upper
            assert {"BEYOND.random-participation", *mixed.statements} <= set(found.statements)
            assert ("BEYOND.random-participation-at-least" in found.statements) == at_least
    few = (shuffled(KRR(k=3, epsilon0=1), n=6), shuffled(AnyRandomizer(epsilon0=1), n=6))
    parts = tuple((RandomParticipation(one=one, rate="1/2", least=5), 1) for one in few)
    together = OneCoin(parts=parts).delta(epsilon=1).upper.statements
    assert {"BEYOND.random-participation-of-several", *(id for one, _ in parts for id in one.governed_by())} <= set(together)


def test_a_profile_by_chords_is_not_below_the_profile_and_hardly_above_it() -> None:
    """Of many participants; each order anew would take half a second, and a search asks for hundreds."""
    alone = CoordinateSums(n=1000, epsilon0=2, changed=1)
    chords = participation._chords(alone, Fraction(1, 10**24))
    orders = [1 + Fraction(k, 97) for k in (1, 3, 10, 20, 40)]
    exact = alone.uppers([Epsilon(None, each).bounds(bits=96)[0] for each in orders], least=Fraction(1, 10**30))
    for order, upper in zip(orders, exact, strict=True):
        assert (
            upper * (1 - Fraction(1, 10**9)) <= participation._on_chords(chords, order) <= upper * (1 + Fraction(1, 1000)) + chords[-1][1]
        )
    assert participation._on_chords(chords, chords[-1][0] + 5) == chords[-1][1] <= Fraction(1, 10**24)


def test_a_search_by_secants_ends_on_its_side_of_the_target() -> None:
    """However delta falls, and where it is 0 from some epsilon on."""
    falls: tuple[Callable[[Fraction], Fraction], ...] = (
        lambda x: Fraction(math.exp(-50 * x)),
        lambda x: max(Fraction(0), Fraction(1, 2) - x),
        lambda x: Fraction(int(x < 3)),
        lambda x: Fraction(1, 10) + (Fraction(1, 10**30) if x < 3 else 0),
    )
    for fall in falls:
        for target in (Fraction(1, 10), Fraction(1, 10**9)):
            if fall(Fraction(99)) > target:
                continue
            asked: list[Fraction] = []

            def counted(x: Fraction, fall: Any = fall, asked: list[Fraction] = asked) -> Fraction:
                asked.append(x)
                return fall(x)  # type: ignore[no-any-return]

            high, low = (ball.crossing(counted, target, upward=upward) for upward in (True, False))
            assert fall(high) <= target < fall(low)
            assert low <= high <= low * (1 + Fraction(3, 10**5))
            assert len(asked) <= 60
            for part in (Fraction(1, 3), Fraction(98, 100), Fraction(1), Fraction(101, 100), Fraction(4)):
                found = ball.crossing(fall, target, upward=True, close=Fraction(1, 100), near=high * part)
                assert fall(found) <= target < fall(found * Fraction(98, 100))


@pytest.mark.parametrize(
    "one",
    [shuffled(AnyRandomizer(epsilon0=2), n=2000), pytest.param(BitSum(n=30, lam=12), marks=pytest.mark.deep), ZeroSum(n=200, p="1/2")],
)
def test_taking_part_seldom_hides_better(one: object) -> None:
    often, seldom = (RandomParticipation(one=one, rate=rate).epsilon(delta="1e-2").upper.upper for rate in ("1/2", "1/4"))  # type: ignore[arg-type]
    assert seldom < often


@pytest.mark.deep
def test_many_rounds_of_it_are_composed() -> None:
    one = RandomParticipation(one=shuffled(AnyRandomizer(epsilon0=1), n=100), rate="1/2")
    assert one.epsilon(delta="1e-3").upper.upper < one.rounds(3).epsilon(delta="1e-3").upper.upper


def test_what_is_not_carried_is_refused() -> None:
    one = shuffled(AnyRandomizer(epsilon0=1), n=10)
    for rate in (0, 2):
        with pytest.raises(DomainError, match="rate"):
            RandomParticipation(one=one, rate=rate)
    with pytest.raises(DomainError, match="one"):  # whose randomizer is seen shows who is there
        RandomParticipation(one=shuffled(VariationRatio(p=3, beta="1/2", q=3), n=10), rate="1/2")
    with pytest.raises(DomainError, match="change"):
        RandomParticipation(one=Histogram(n=10, p="1/2"), rate="1/2", change="add-remove")
    with pytest.raises(DomainError, match="least"):
        RandomParticipation(one=FakeUsers(n=10, fakes=5, p="1/2"), rate="1/2", change="add-remove", least=2)
    with pytest.raises(DomainError, match="one"):
        RandomParticipation(one=ZeroSum(n=10, p="1/2", dishonest=1), rate="1/2")
    with pytest.raises(RegimeError, match="least"):
        RandomParticipation(one=ZeroSum(n=4, p="1/2"), rate="1/2").epsilon(delta="1e-6")
    with pytest.raises(UnsupportedError):
        RandomParticipation(one=one, rate="1/2").renyi(order=2)
