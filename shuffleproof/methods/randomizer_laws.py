"""The engines that take a randomizer by its law, or by p, beta and q."""

from __future__ import annotations

from functools import partial

from shuffleproof.registry import Functions, carries
from shuffleproof.spec.vocabulary.methods.randomizer_laws import (
    ADAPTIVE_PAIR,
    ANOTHER_PLACE,
    ANOTHER_PLACE_FOR_ALL,
    ANOTHER_PLACE_FOR_ALL_APPROXIMATE,
    BLANKET,
    FIRST_ARRIVAL,
    GAUSSIAN_BLANKET,
    GAUSSIAN_HOMOGENEOUS,
    GAUSSIAN_PLACE,
    HIDDEN_GROUPS,
    HOMOGENEOUS,
    LEAKING_RESPONSE,
    OPTIMAL_PAIR,
    RANDOMIZER_LOWER,
    RANDOMIZER_PAIR,
)


@carries(OPTIMAL_PAIR, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import optimal_pair

    return Functions(delta=optimal_pair.delta, epsilon=optimal_pair.epsilon, renyi=optimal_pair.renyi)


@carries(OPTIMAL_PAIR, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import optimal_pair

    return Functions(delta=optimal_pair.delta, epsilon=optimal_pair.epsilon, renyi=optimal_pair.renyi)


@carries(OPTIMAL_PAIR, "fast", "epsilon", "delta")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import optimal_pair

    return Functions(delta=optimal_pair.delta, epsilon=optimal_pair.epsilon)


@carries(RANDOMIZER_PAIR, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import optimal_parameters

    return Functions(delta=optimal_parameters.delta, epsilon=optimal_parameters.epsilon, renyi=optimal_parameters.renyi)


@carries(RANDOMIZER_PAIR, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import optimal_parameters

    return Functions(delta=optimal_parameters.delta, epsilon=optimal_parameters.epsilon, renyi=optimal_parameters.renyi)


@carries(RANDOMIZER_PAIR, "fast", "epsilon", "delta")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import optimal_parameters

    return Functions(delta=optimal_parameters.delta, epsilon=optimal_parameters.epsilon)


@carries(RANDOMIZER_LOWER, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import randomizer_lower

    return Functions(delta=randomizer_lower.delta, epsilon=randomizer_lower.epsilon)


@carries(RANDOMIZER_LOWER, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import randomizer_lower

    return Functions(delta=randomizer_lower.delta, epsilon=randomizer_lower.epsilon)


@carries(BLANKET, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import any_law

    return Functions(delta=partial(any_law.delta, view="above"), epsilon=partial(any_law.epsilon, view="above"))


@carries(BLANKET, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import any_law

    return Functions(delta=partial(any_law.delta, view="above"), epsilon=partial(any_law.epsilon, view="above"))


@carries(BLANKET, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import any_law

    return Functions(delta=partial(any_law.delta, view="above"), epsilon=partial(any_law.epsilon, view="above"))


@carries(HIDDEN_GROUPS, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import hidden_groups

    return Functions(delta=hidden_groups.delta, epsilon=hidden_groups.epsilon)


@carries(ANOTHER_PLACE, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import another_place

    return Functions(delta=another_place.delta, epsilon=another_place.epsilon)


@carries(ANOTHER_PLACE_FOR_ALL, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import another_place

    return Functions(delta=another_place.delta, epsilon=another_place.epsilon)


@carries(FIRST_ARRIVAL, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import controlled_sum

    return Functions(delta=controlled_sum.delta, epsilon=controlled_sum.epsilon)


@carries(ADAPTIVE_PAIR, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import controlled_sum

    return Functions(delta=controlled_sum.delta_below, epsilon=controlled_sum.epsilon_below)


@carries(ANOTHER_PLACE_FOR_ALL_APPROXIMATE, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import another_place_approximate

    return Functions(delta=another_place_approximate.delta, epsilon=another_place_approximate.epsilon)


@carries(HOMOGENEOUS, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import any_law

    return Functions(delta=partial(any_law.delta, view="below"), epsilon=partial(any_law.epsilon, view="below"))


@carries(HOMOGENEOUS, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import any_law

    return Functions(delta=partial(any_law.delta, view="below"), epsilon=partial(any_law.epsilon, view="below"))


@carries(HOMOGENEOUS, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import any_law

    return Functions(delta=partial(any_law.delta, view="below"), epsilon=partial(any_law.epsilon, view="below"))


@carries(GAUSSIAN_BLANKET, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import gaussian_reports

    return Functions(delta=gaussian_reports.delta, epsilon=gaussian_reports.epsilon)


@carries(GAUSSIAN_PLACE, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import gaussian_places

    return Functions(delta=gaussian_places.delta, epsilon=gaussian_places.epsilon)


@carries(GAUSSIAN_HOMOGENEOUS, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import gaussian_reports

    return Functions(delta=gaussian_reports.delta_below, epsilon=gaussian_reports.epsilon_below)


@carries(LEAKING_RESPONSE, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import leaking_response

    return Functions(delta=leaking_response.delta, epsilon=leaking_response.epsilon)


@carries(LEAKING_RESPONSE, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import leaking_response

    return Functions(delta=leaking_response.delta, epsilon=leaking_response.epsilon)


@carries(LEAKING_RESPONSE, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import leaking_response

    return Functions(delta=leaking_response.delta, epsilon=leaking_response.epsilon)
