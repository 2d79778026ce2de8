"""Our mechanisms as OpenDP's objects (extra `opendp`): a measurement with a certified privacy map, and a privacy profile."""

from collections.abc import Callable
from typing import Any

from shuffleproof.keywords import own_names
from shuffleproof.mechanisms.mechanism import Mechanism
from shuffleproof.spec.vocabulary.errors import MissingExtraError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import Number, float_toward, probability
from shuffleproof.spec.vocabulary.scope import Relation

try:
    import opendp.prelude as dp
except ModuleNotFoundError:
    raise MissingExtraError(package="opendp", extra="opendp", what="OpenDP's objects") from None

__dir__ = own_names(__name__)


def measurement(mechanism: Mechanism, function: Callable[[Any], Any], *, delta: Number, input_domain: Any) -> Any:
    """A measurement of OpenDP's that runs a function of yours, with our certified (epsilon, delta) as its privacy map.

    mechanism: what `shuffled` or a protocol made; function: what it does with a dataset of input_domain: that it is this mechanism is
    yours to promise, which is why OpenDP asks for its feature "honest-but-curious"; delta: in [0, 1]. The metric is the change-one
    distance, or the symmetric one where neighbours are datasets with a user more; the measure is (epsilon, delta), both rounded up.
    Raises DomainError, UnsupportedError for neighbours of deletion, and what `mechanism.epsilon` raises; the map raises UnsupportedError
    for a distance above 1.
    """
    known = {Relation.REPLACE_ONE: dp.change_one_distance, Relation.ADD_REMOVE: dp.symmetric_distance}
    relation = mechanism.neighbours()
    if relation not in known:
        reason = f"it is about {relation.value}, and OpenDP has no distance that says so"
        raise UnsupportedError(what=f"{mechanism} for OpenDP", reason=reason, advice="ask for replacement: changed=2, or change left out")
    target = probability(delta, parameter="delta")
    epsilon = mechanism.epsilon(delta=target).upper.guarantee

    def privacy_map(distance: int) -> tuple[float, float]:
        if distance > 1:
            raise UnsupportedError(
                what=f"a distance of {distance}", reason="the answer is for one user", advice="compose, or use group privacy"
            )
        return (epsilon, float_toward(target, direction="up")) if distance else (0.0, 0.0)

    measure = dp.fixed_smoothed_max_divergence()
    return dp.m.make_user_measurement(input_domain, known[relation](), measure, function, privacy_map)


def privacy_profile(mechanism: Mechanism) -> Any:
    """A privacy profile of OpenDP's: delta at each epsilon, certified and rounded up. mechanism: what `shuffled` or a protocol made."""
    return dp.new_privacy_profile(lambda epsilon: mechanism.delta(epsilon=epsilon).upper.guarantee)  # type: ignore[no-untyped-call]
