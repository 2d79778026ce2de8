"""Our mechanisms as dp-accounting's objects: never below the certified profile, composed with its own events."""

import math
import pickle
from fractions import Fraction

import pytest
from dp_accounting import dp_event

from shuffleproof import KRR, AnyRandomizer, UserHistogram, ZeroSum, compose, shuffled
from shuffleproof.accounting import profile_on_grid
from shuffleproof.accounting.dp_accounting import ShuffledDpEvent, ShuffledPldAccountant
from shuffleproof.impl.ball import gaussian
from shuffleproof.impl.ball.privacy_loss import envelope, epsilon_of, together
from shuffleproof.mechanisms.mechanism import Mechanism
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError
from shuffleproof.spec.vocabulary.relation import COUNTED_OR_NOT, Relation

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
