"""Our mechanisms as OpenDP's objects."""

import math

import opendp.prelude as dp
import pytest

from shuffleproof import AnyRandomizer, UserHistogram, shuffled
from shuffleproof.measurement import measurement, privacy_profile
from shuffleproof.spec.vocabulary.relation import COUNTED_OR_NOT, Relation

SURVEY = shuffled(AnyRandomizer(epsilon0=1), n=1000)


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
