"""Bounds handed to other libraries, accountants and measurements, and what rounds reach from below."""

import math
import pickle
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import opendp.prelude as dp
import pytest
from dp_accounting import dp_event
from hypothesis import given, settings, strategies as st

import shuffleproof as sp
from shuffleproof import KRR, AnyRandomizer, UserHistogram, ZeroSum, compose, shuffled
from shuffleproof.accounting import filters, profile_on_grid, rounds_below
from shuffleproof.accounting.dp_accounting import ShuffledDpEvent, ShuffledPldAccountant
from shuffleproof.accounting.renyi_of_distributions import renyi_below
from shuffleproof.impl.ball import gaussian, privacy_loss
from shuffleproof.impl.ball.privacy_loss import envelope, epsilon_of, together
from shuffleproof.measurement import measurement, privacy_profile
from shuffleproof.mechanisms.mechanism import Mechanism
from shuffleproof.spec.bounds import random_participation
from shuffleproof.spec.bounds.noise import binomial_sum, discrete_gaussian_sum, fake_users, histogram, laplace_sum, split_and_mix
from shuffleproof.spec.bounds.sums import coordinate_sums, real_sum
from shuffleproof.spec.composition import by_likelihood_ratio, composed
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, independent
from shuffleproof.spec.model import shuffled_distribution
from shuffleproof.spec.protocols import zero_sum
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.elementary import log_bounds
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError
from shuffleproof.spec.vocabulary.methods.protocols import NOISY_BITS_IN_FLOATS, REAL_SUM_UNTAGGED
from shuffleproof.spec.vocabulary.scope import COUNTED_OR_NOT, Relation

SURVEY = shuffled(AnyRandomizer(epsilon0=1), n=1000)
RESPONSE = shuffled(KRR(k=10, epsilon0=1), n=1000)
QUICK = "stronger-clones"
"""The method of grids of all randomizers: the tightest one takes a second at each point."""
FLOAT64_UP = 1 + Fraction(1, 10**12)
"""The profile of a test is rounded to nearest, and so not quite convex."""
FLOAT64 = 1 - 1e-9
"""What dp-accounting computes from the masses is rounded to nearest."""


@pytest.mark.parametrize("mechanism", [SURVEY, shuffled(KRR(k=10, epsilon0=1), n=300), ZeroSum(n=200, p="4/5")], ids=str)
def test_the_distribution_is_nowhere_below_the_certified_profile(mechanism: Mechanism) -> None:
    ours = mechanism.to_dp_accounting(interval=1e-2)
    for epsilon in (0.0, 0.0125, 0.05, 0.11, 0.23):
        reached = mechanism.delta(epsilon=epsilon, method="k-rr-pair") if mechanism is SURVEY else mechanism.delta(epsilon=epsilon).upper
        assert ours.get_delta_for_epsilon(epsilon) >= float(reached.lower) * FLOAT64


def test_at_grid_points_little_is_lost() -> None:
    ours = SURVEY.to_dp_accounting(interval=1e-2)
    for epsilon in (0.05, 0.1):
        assert ours.get_delta_for_epsilon(epsilon) <= SURVEY.delta(epsilon=epsilon, method=QUICK).guarantee * 1.001


def test_a_fine_grid_is_asked_where_the_profile_bends_and_lies_close_above_it() -> None:
    """Chords are above a convex profile, and below the profile of epsilons 1/32 of a step smaller; it is not asked everywhere."""
    step, points, asked = Fraction(1, 10**4), 2001, set[int]()

    def profile(k: int) -> Fraction:
        asked.add(k)
        return Fraction(math.exp(-30 * k * float(step)) / 2)

    found = profile_on_grid._nearly_straight(profile, points=points, step=step)
    assert len(found) == points > 5 * len(asked)
    for k in range(1, points):
        assert profile(k) <= found[k] * FLOAT64_UP
        assert float(found[k]) <= math.exp(-30 * float(step) * (k - 1 / 32)) / 2


def test_composed_by_the_library_it_agrees_with_our_certified_composition() -> None:
    found = compose(randomizer="k-rr", k=10, n=1000, epsilon0=1, rounds=5, delta="1e-6")
    ours = float(min(row.epsilon for row in found.rows if row.epsilon is not None))
    theirs = RESPONSE.to_dp_accounting(interval=2e-3).self_compose(5).get_epsilon_for_delta(1e-6)
    assert theirs == pytest.approx(ours, rel=5e-3)


def test_the_accountant_composes_shuffled_events_with_its_own() -> None:
    alone, both = ShuffledPldAccountant(1e-2), ShuffledPldAccountant(1e-2)
    event = ShuffledDpEvent(SURVEY)
    alone.compose(event, 2)
    both.compose(dp_event.ComposedDpEvent([dp_event.SelfComposedDpEvent(event, 2), dp_event.GaussianDpEvent(20.0)]))
    assert 0 < alone.get_epsilon(1e-6) < both.get_epsilon(1e-6)
    assert pickle.loads(pickle.dumps(event)) == event


@pytest.mark.parametrize(("interval", "error"), [(0, DomainError), (-1.0, DomainError), (1e-9, ResourceLimitError)])
def test_a_grid_that_cannot_be_is_refused(interval: float, error: type[Exception]) -> None:
    with pytest.raises(error, match="interval"):
        SURVEY.to_dp_accounting(interval=interval)


def test_the_accountant_refuses_what_is_not_about_its_neighbours() -> None:
    for relation in COUNTED_OR_NOT:
        event = ShuffledDpEvent(UserHistogram(threshold=1, domain_size=10, sigma=5, relation=relation))
        assert ShuffledPldAccountant().supports(event) is (relation is Relation.REPLACE_ONE)


def test_composed_with_a_gaussian_it_stays_above_our_certified_composition() -> None:
    """On a grid five times coarser, by 0.17 %; on the same grid the two agree to four digits. Its Gaussian has twice the sensitivity."""
    theirs = {}
    for interval in (1e-2, 2e-3):
        accountant = ShuffledPldAccountant(interval)
        theirs[interval] = accountant.compose(
            dp_event.ComposedDpEvent([ShuffledDpEvent(RESPONSE), dp_event.GaussianDpEvent(20.0)])
        ).get_epsilon(1e-6)
    step, delta = Fraction(1, 500), Fraction(1, 10**6)
    own = [RESPONSE.delta(epsilon=k * step, method="k-rr-blanket", engine="fast").upper for k in range(120)]
    noise = [gaussian.delta(noise_multiplier=10, epsilon=k * step, relation=Relation.REPLACE_ONE).upper for k in range(320)]
    measures = [(envelope(own, step=step), 1), (envelope(noise, step=step), 1)]
    ours = epsilon_of(together(measures, delta=delta), step=step, delta=delta)
    assert 1.0005 < theirs[1e-2] / float(ours) < 1.002
    assert theirs[2e-3] == pytest.approx(float(ours), rel=1e-4)


def test_the_privacy_map_is_the_certified_bound() -> None:
    dp.enable_features("contrib", "honest-but-curious")
    domain = dp.vector_domain(dp.atom_domain(T=bool), size=1000)
    made = measurement(SURVEY, sum, delta="1e-6", input_domain=domain)
    assert made.map(1) == (SURVEY.epsilon(delta="1e-6").upper.guarantee, math.nextafter(1e-6, 1))  # the float 1e-6 is below 10^-6
    assert made.map(0) == (0.0, 0.0)
    assert made([True] * 1000) == 1000
    with pytest.raises(dp.OpenDPException, match="one user"):
        made.map(2)


def test_the_profile_is_ours_rounded_up() -> None:
    dp.enable_features("contrib")
    profile = privacy_profile(SURVEY)
    assert profile.delta(0.1) == SURVEY.delta(epsilon=0.1).upper.guarantee


@pytest.mark.parametrize("relation", COUNTED_OR_NOT)
def test_the_metric_is_that_of_the_relation(relation: Relation) -> None:
    """Noise for one user more is too little where a user is replaced."""
    dp.enable_features("contrib", "honest-but-curious")
    mechanism = UserHistogram(threshold=1, domain_size=10, sigma=5, relation=relation)
    made = measurement(mechanism, len, delta="1e-6", input_domain=dp.vector_domain(dp.atom_domain(T=int)))
    assert (made.input_metric == dp.change_one_distance()) is (relation is Relation.REPLACE_ONE)
    assert (made.input_metric == dp.symmetric_distance()) is (relation is Relation.ADD_REMOVE)


MANY = (
    (sp.shuffled(sp.KRR(k=50, epsilon0=4), n=200_000), 52, "1.001"),
    (sp.shuffled(sp.RAPPOR(epsilon0=1), n=10**6), 100, "1.004"),
    (sp.shuffled(sp.Subset(k=10, d=3, epsilon0=1), n=10**6), 100, "1.004"),
    (sp.shuffled(sp.LocalHashing(buckets=4, epsilon0=1), n=10**6), 100, "1.001"),
    (sp.shuffled(sp.Gaussian(sigma="1/2"), n=10**6), 100, "1.08"),  # rare losses are far larger than most
)


def _of_homogeneous_krr(n: int, k: int, T: Fraction, rounds: int, delta: Fraction) -> Fraction:
    """e^epsilon of so many rounds of (1, k, ..., k) against (2, k, ..., k), in rationals."""
    rest = (k - 1,) * (n - 1)
    pair = tuple(shuffled_distribution(k_rr(k=k, exp_epsilon0=T), (x, *rest)) for x in (0, 1))
    found = PrivacyProfile(*composed([(pair[0], pair[1])] * rounds)).exp_epsilon(delta=delta)
    assert found is not None
    return found


@given(
    n=st.integers(1, 3),
    k=st.integers(2, 4),
    T=st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(4)]),
    rounds=st.integers(1, 3),
    delta=st.sampled_from([Fraction(1, 10), Fraction(1, 50), Fraction(1, 1000)]),
    finer=st.sampled_from([Fraction(1), Fraction(1, 20), Fraction(1, 10**4)]),
)
@settings(max_examples=8, deadline=None)
def test_rounds_of_few_users_stay_below_the_exact_composition_and_near_it(
    n: int, k: int, T: Fraction, rounds: int, delta: Fraction, finer: Fraction
) -> None:
    """finer: times the deviation of a loss, by which grids are chosen; below 1 as if rare losses were far larger."""
    mechanism, deviation = sp.shuffled(sp.KRR(k=k, epsilon0=f"ln {T}"), n=n), rounds_below.Pair.deviation
    with patch.object(rounds_below.Pair, "deviation", lambda pair, top: deviation(pair, top) * finer):
        found = rounds_below.rounds_below([(mechanism, rounds)], delta=delta, of="rounds")
    low, high = log_bounds(_of_homogeneous_krr(n, k, T, rounds, delta), bits=64)
    assert found.lower <= high
    assert found.lower >= low - Fraction(3, 200) * rounds * log_bounds(T, bits=64)[1]


@pytest.mark.parametrize(("mechanism", "rounds", "ratio"), MANY, ids=lambda each: str(each))
def test_a_year_of_rounds_is_bracketed_closely(mechanism: Mechanism, rounds: int, ratio: str) -> None:
    found = mechanism.rounds(rounds).epsilon(delta="1e-6")
    assert found.lower.statement == "BEYOND.rounds-below"
    assert 1 <= found.ratio <= Fraction(ratio)


def test_losses_rounded_up_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from shuffleproof.impl.ball import privacy_loss_below

    honest = privacy_loss_below.beneath

    def up(*nodes: Any, **grid: Any) -> privacy_loss.GridMeasure:
        found = honest(*nodes, **grid)
        return privacy_loss.GridMeasure(found.low + 1, found.masses, 0, below=True)

    monkeypatch.setattr(privacy_loss_below, "beneath", up)
    found = rounds_below.rounds_below([(sp.shuffled(sp.KRR(k=3, epsilon0="ln 2"), n=3), 3)], delta=Fraction(1, 1000), of="rounds")
    assert found.lower > log_bounds(_of_homogeneous_krr(3, 3, Fraction(2), 3, Fraction(1, 1000)), bits=64)[1]


def test_unlike_rounds_lose_more_than_either_and_less_than_their_sum() -> None:
    first, second = sp.shuffled(sp.KRR(k=4, epsilon0=1), n=1000), sp.shuffled(sp.RAPPOR(epsilon0=1), n=1000)
    delta = Fraction(1, 10**6)
    both = rounds_below.rounds_below([(first, 2), (second, 3)], delta=delta, of="both")
    alone = [rounds_below.rounds_below([part], delta=delta, of="one") for part in ((first, 2), (second, 3))]
    assert all(each is not None and each.lower < both.lower for each in alone)
    assert both.lower < sum(each.lower for each in alone if each is not None)


@pytest.mark.parametrize(
    "mechanism",
    [
        sp.SplitAndMix(n=10, messages=30, modulus=3, sensitivity=2, epsilon0=1),
        sp.RealSum(n=10, lam=10, r=2, view="untagged"),
        sp.BinomialSum(n=2, sensitivity=3, coins=1),
        sp.ZeroSum(n=10, p=0),
    ],
    ids=str,
)
def test_a_mechanism_without_a_pair_has_no_lower_bound_of_its_rounds(mechanism: Mechanism) -> None:
    assert rounds_below.rounds_below([(mechanism, 2)], delta=Fraction(1, 100), of="two") is None


def _modulo(modulus: int, alpha: Fraction, sensitivity: int) -> tuple[Distribution[int], Distribution[int]]:
    noise = split_and_mix.noise_modulo(modulus, alpha=alpha)
    return noise, Distribution({(y + sensitivity) % modulus: mass for y, mass in noise.items()})


def _of_bits_asymmetric(n: int, T: int, changed: int) -> tuple[Any, Any]:
    laws = [coordinate_sums.coordinate_distribution(n=n, own=Fraction(1, 2), other=Fraction(1, T + 1), holders=held) for held in (1, 0)]
    return tuple(independent(each) for each in (laws[:changed], laws[::-1][:changed]))


PROTOCOLS: dict[str, Callable[[int, Fraction, int], tuple[Mechanism, tuple[Any, Any]]]] = {
    "laplace-sum": lambda n, p, s: (
        sp.LaplaceSum(n=n, sensitivity=s, epsilon0=f"ln {(1 / p) ** s}"),
        laplace_sum.pair(alpha=p, sensitivity=s),
    ),
    "binomial-sum": lambda n, p, s: (sp.BinomialSum(n=n, sensitivity=s, coins=3, p=p), binomial_sum.pair(coins=3 * n, p=p, sensitivity=s)),
    "zero-sum": lambda n, p, s: (
        sp.ZeroSum(n=n + s, p=p, dishonest=s),
        (zero_sum.messages_distribution(n=n, p=p, ones=0), zero_sum.messages_distribution(n=n, p=p, ones=1)),
    ),
    "histogram": lambda n, p, s: (sp.Histogram(n=n, p=p), histogram.pair(n=n, p=p)),
    "fake-users": lambda n, p, s: (sp.FakeUsers(n=9, fakes=n, p=p), fake_users.pair(fakes=n, p=p)),
    "real-sum-tagged": lambda n, p, s: (
        sp.RealSum(n=n, lam=n * p, r=s, view="tagged"),
        real_sum.tagged_pair(n=n, lam=n * p, ones=(0,) * s),
    ),
    "real-sum-untagged": lambda n, p, s: (
        sp.RealSum(n=n, lam=n * p, r=s, view="untagged"),
        real_sum.untagged_pair(n=n, lam=n * p, r=s, ones=0),
    ),
    "split-and-mix": lambda n, p, s: (
        sp.SplitAndMix(n=n, messages=30, modulus=15, sensitivity=s, epsilon0=f"ln {(1 / p) ** (3 * s)}"),
        _modulo(15, p**3, s),
    ),
    "asymmetric-coordinate-sums": lambda n, p, s: (
        sp.AsymmetricCoordinateSums(n=n, epsilon0=f"ln {p.denominator}", changed=s),
        _of_bits_asymmetric(n, p.denominator, s),
    ),
}
"""Protocols whose rounds are composed from below, each with the exact distributions of its pair: of n, a probability, a sensitivity or a
number."""


@pytest.mark.parametrize("name", PROTOCOLS)
@given(
    n=st.integers(1, 3),
    p=st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(1, 5)]),
    s=st.integers(1, 2),
    rounds=st.integers(2, 3),
    delta=st.sampled_from([Fraction(1, 3), Fraction(1, 10), Fraction(1, 1000)]),
)
@settings(max_examples=4, deadline=None)
def test_rounds_of_noise_on_sums_are_bracketed_around_the_exact_composition(
    name: str, n: int, p: Fraction, s: int, rounds: int, delta: Fraction
) -> None:
    mechanism, pair = PROTOCOLS[name](n, p, s)
    exact = PrivacyProfile(*composed([by_likelihood_ratio(*pair)] * rounds)).exp_epsilon(delta=delta)
    found = rounds_below.rounds_below([(mechanism, rounds)], delta=delta, of="rounds")
    assert found is not None
    if exact is None:  # no epsilon is enough, and any is a lower bound
        return
    low, high = log_bounds(exact, bits=64) if exact > 1 else (Fraction(0), Fraction(0))
    assert low * Fraction(9, 10) <= found.lower <= high
    with suppress(RegimeError, ResourceLimitError):  # a round alone, or the end of the grid, has more than delta
        assert mechanism.rounds(rounds).epsilon(delta=delta).upper.upper >= low


@pytest.mark.parametrize(
    ("mechanism", "seen"),
    [
        (sp.LaplaceSum(n=10, sensitivity=1, epsilon0=1), "the noisy sum"),
        (sp.UserHistogram(threshold=1, domain_size=3, sigma=2, relation=Relation.ADD_REMOVE), "the noisy sum"),
        (sp.CoordinateSums(n=20, epsilon0=1), "the sums of the coordinates"),
        (sp.ZeroSum(n=10, p="1/2"), "the shuffled reports"),
        (sp.BitSum(n=10, lam=5), "the shuffled reports"),
    ],
)
def test_rounds_speak_of_what_a_round_shows(mechanism: Mechanism, seen: str) -> None:
    """Of noise on a sum nobody's message may be seen, in many rounds as in one."""
    one, many = mechanism.epsilon(delta="1e-2").upper, mechanism.rounds(2).epsilon(delta="1e-2")
    assert many.lower is not None
    assert {one.view, many.upper.view, many.lower.view} == {seen}
    assert one.statement in many.upper.statements
    assert f"each as {one.statement} has it" in many.upper.claim or many.upper.statement != "BEYOND.Envelope"


@pytest.mark.parametrize(("n", "sensitivity", "variance", "delta"), [(1, 1, 1, "1/10"), (2, 2, "3/2", "1/1000")])
def test_two_rounds_of_discrete_gaussians_are_bracketed_around_their_composition(
    n: int, sensitivity: int, variance: str, delta: str
) -> None:
    mechanism = sp.DiscreteGaussianSum(n=n, sensitivity=sensitivity, variance=variance)
    found = mechanism.rounds(2).epsilon(delta=delta)
    law = discrete_gaussian_sum.total(discrete_gaussian_sum.one(Fraction(variance)), n)
    masses = list(zip(law.low, law.high, strict=True))
    both = list(zip(masses[sensitivity:], masses, strict=False))

    def at(epsilon: Fraction, side: int) -> float:
        """The composition's divergence; outcomes that the shift leaves out are below 1e-25."""
        E, unit = math.exp(epsilon), float(discrete_gaussian_sum.UNIT)
        p, q = ([float(pair[i][side]) / unit for pair in both] for i in (0, 1))
        return math.fsum(max(0.0, a * b - E * c * d) for a, c in zip(p, q, strict=True) for b, d in zip(p, q, strict=True))

    assert found.lower.statement == "BEYOND.rounds-below"
    assert at(found.lower.lower, 0) * (1 + 1e-9) >= float(Fraction(delta)) >= at(found.upper.upper, 1) * (1 - 1e-9)
    assert found.ratio <= Fraction("1.01")


@pytest.mark.parametrize(
    ("mechanism", "ratio"),
    [
        (sp.LaplaceSum(n=1000, sensitivity=1, epsilon0=1), "1.00001"),
        (sp.SplitAndMix(n=1000, messages=16, modulus=2**32, sensitivity=1, epsilon0=1), "1.00001"),
        (sp.RealSum(n=10, lam=4, r=2, view="untagged"), "1.01"),
        (sp.ZeroSum(n=1000, p="1/3"), "1.001"),
        (sp.BinomialSum(n=1000, sensitivity=1, coins=100), "1.001"),
        (sp.UserHistogram(threshold=1, domain_size=100, sigma=3, relation=Relation.ADD_REMOVE), "1.001"),
    ],
    ids=str,
)
def test_rounds_of_much_noise_are_bracketed_closely(mechanism: Mechanism, ratio: str) -> None:
    found = mechanism.rounds(5).epsilon(delta="1e-6")
    assert 1 <= found.ratio <= Fraction(ratio)
    assert found.lower.relation is mechanism.neighbours()
    assert set(found.lower.also) <= {
        *found.upper.statements,
        *("BEYOND.binomial-sum", "BEYOND.laplace-sum", "BEYOND.split-and-mix-below", *NOISY_BITS_IN_FLOATS, *REAL_SUM_UNTAGGED.ball_also),
    }


def test_one_release_of_shares_and_a_plan_of_them_have_both_sides() -> None:
    one = sp.SplitAndMix(n=1000, messages=16, modulus=2**32, sensitivity=1, epsilon0=1)
    assert 1 <= one.epsilon(delta="1e-6").ratio <= Fraction("1.00001")
    question = {"name": "sum", "protocol": "split-and-mix", "messages": 16, "modulus": 2**32, "sensitivity": 1, "epsilon0": 1}
    round_ = {"name": "week", "repeat": 5, "users": 1000, "participations": 5, "same_users": True, "questions": [question]}
    found = sp.check_plan({"relation": "one-user", "target": {"epsilon": 6, "delta": "1e-6"}, "rounds": [round_]})
    assert found.lower <= found.upper <= found.lower * Fraction("1.00001")


def test_compose_says_what_no_bound_is_below() -> None:
    found = sp.compose(n=10_000, epsilon0=1, rounds=10, delta="1e-6", engine="fast")
    assert found.below.lower <= found.bound.upper
    assert sp.compose(n=20, method="optimal-pair", p=4, beta="1/2", q=4, rounds=2, delta="1e-3", engine="fast").below is None


@pytest.mark.parametrize("order", [Fraction(3, 2), 2, 9])
def test_renyi_divergences_of_few_users_stay_below_the_exact_one_and_near_it(order: Fraction) -> None:
    rest = (2, 2)
    P, Q = (shuffled_distribution(k_rr(k=3, exp_epsilon0=Fraction(3)), (x, *rest)) for x in (0, 1))
    exact = math.log(sum(float(P[y]) ** order * float(Q[y]) ** (1 - order) for y in P.support)) / (float(order) - 1)
    found = renyi_below(sp.shuffled(sp.KRR(k=3, epsilon0="ln 3"), n=3), order=order)
    assert 0.999 * exact <= float(found.lower) <= exact


@pytest.mark.parametrize(("n", "rate", "least"), [(1, "1/2", 1), (3, "1/3", 1), (3, "9/10", 2), (4, "3/4", 1)])
def test_users_who_come_at_random_are_bracketed_around_the_exact_view(n: int, rate: str, least: int) -> None:
    survey, delta = sp.RandomParticipation(one=sp.shuffled(sp.KRR(k=3, epsilon0="ln 4"), n=n), rate=rate, least=least), Fraction(1, 20)
    views = [
        random_participation.view(k_rr(k=3, exp_epsilon0=Fraction(4)), (x, *(2,) * (n - 1)), rate=Fraction(rate), least=least)
        for x in (0, 1)
    ]
    exact = PrivacyProfile(*views).exp_epsilon(delta=delta)
    found = survey.epsilon(delta=delta)
    truth = log_bounds(exact, bits=64)[1] if exact and exact > 1 else Fraction(0)
    assert found.lower.lower <= truth
    assert found.lower.lower >= (Fraction(95, 100) * truth if least == 1 else 0)
    assert found.upper.upper >= truth


def test_a_filter_says_what_its_releases_have_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    budget, survey = sp.Filter(epsilon=1, delta="1e-3"), sp.shuffled(sp.KRR(k=10, epsilon0=1), n=1000)
    assert budget.below is None
    budget.admit(survey.rounds(2), delta="1e-4")
    alone = rounds_below.rounds_below([(survey, 2)], delta=Fraction(1, 10**4), of="two")
    assert budget.below.lower == alone.lower <= budget.spent.epsilon
    assert "no epsilon below" in str(budget)
    monkeypatch.setattr(filters, "rounds_below", None)  # not composed again until something more is admitted
    assert str(budget) == str(budget)
    budget.admit(survey, delta="1e-4")
    with pytest.raises(TypeError):
        str(budget)


def test_a_method_by_its_name_is_not_asked_for_a_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    visits = sp.RandomParticipation(one=sp.shuffled(sp.KRR(k=2, epsilon0=1), n=100), rate="1/2")
    found = visits.epsilon(delta="1e-3")
    monkeypatch.delattr(sp.RandomParticipation, "_lower")
    monkeypatch.setattr(rounds_below, "rounds_below", None)
    assert visits.epsilon(delta="1e-3", method="random-participation") == found.upper
    with pytest.raises((AttributeError, TypeError)):
        visits.epsilon(delta="1e-3")


def test_years_of_users_who_come_at_random_are_bracketed() -> None:
    survey = sp.RandomParticipation(one=sp.shuffled(sp.KRR(k=50, epsilon0=2), n=100_000), rate="1/10", least=9_000)
    found = survey.rounds(52).epsilon(delta="1e-6")
    assert "BEYOND.random-participation-below" in found.lower.also
    assert 1 <= found.ratio <= Fraction("1.02")


def test_renyi_divergences_of_named_randomizers_are_bracketed() -> None:
    for randomizer, ratio in ((sp.LocalHashing(buckets=4, epsilon0=1), "1.002"), (sp.Subset(k=10, d=3, epsilon0=1), "1.01")):
        found = sp.shuffled(randomizer, n=10_000).rounds(20).renyi(order=2)
        assert found.lower.also[-1] == "BEYOND.rounds-below"
        assert 1 <= found.ratio <= Fraction(ratio)


def test_every_point_contains_what_balls_say() -> None:
    epsilons = ["0", "1e-9", "0.01", "0.1", "ln 2", "0.999999", "1", "5"]
    bounds = sp.privacy_profile(n=1000, epsilon0=1, epsilons=epsilons)
    for epsilon, bound in zip(epsilons, bounds, strict=True):
        truth = sp.delta(n=1000, epsilon0=1, epsilon=epsilon, engine="ball", digits=25)
        assert bound.lower <= truth.lower <= truth.upper <= bound.upper, epsilon
        assert bound.upper - bound.lower <= bound.upper / 10**12


def test_a_point_is_the_same_alone_and_among_others() -> None:
    epsilons = ["0.3", "0.1", "0.2"]
    assert list(sp.privacy_profile(n=500, epsilon0=2, epsilons=epsilons)) == [
        sp.privacy_profile(n=500, epsilon0=2, epsilons=[epsilon])[0] for epsilon in epsilons
    ]


def test_points_beyond_the_tables_and_methods_without_them_are_answered_one_by_one() -> None:
    (huge,) = sp.privacy_profile(n=2 * 10**9, epsilon0=12, epsilons=["0.01"])
    assert huge.engine == "ball"
    (lower,) = sp.privacy_profile(n=50, epsilon0=1, epsilons=["0.1"], method="binary-rr-pair")
    assert lower.claim_side == "lower"
    assert sp.privacy_profile(n=50, epsilon0=1, epsilons=[]).answers == ()


def test_a_bad_point_is_named_before_any_work() -> None:
    with pytest.raises(DomainError, match="epsilon"):
        sp.privacy_profile(n=10, epsilon0=1, epsilons=["0.1", "-1"])
    with pytest.raises(DomainError, match="method"):
        sp.privacy_profile(n=10, epsilon0=1, epsilons=[], method="clone")
