"""Our mechanisms as autodp's objects: its Renyi divergences are ours, and its epsilon is not below the certified one."""

import pytest

pytest.importorskip("autodp")

from shuffleproof import AnyRandomizer, UserHistogram, shuffled
from shuffleproof.renyi_accounting import autodp_mechanism
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.scope import Relation

SURVEY = shuffled(AnyRandomizer(epsilon0=1), n=300)


def test_its_divergences_are_the_certified_ones() -> None:
    made = autodp_mechanism(SURVEY)
    for order in (2, 8.5):
        assert made.get_RDP(order) == SURVEY.renyi(order=order).upper.guarantee
    assert made.get_RDP(1) == made.get_RDP(2)


def test_other_neighbours_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="replace-one"):
        autodp_mechanism(UserHistogram(threshold=1, domain_size=10, sigma=5, relation=Relation.ADD_REMOVE))
