"""The methods that users can ask for by name, bound to the engines that carry them, which are imported when they are first asked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from shuffleproof.registry import METHODS, Functions, carried_out, carries, engines_for, functions, method_named
from shuffleproof.spec.vocabulary.methods import (
    ANOTHER_PLACE,
    ANOTHER_PLACE_FOR_ALL,
    APPROX_CLONES,
    APPROX_CLONES_CLOSED_FORM,
    ASYMMETRIC_SUMS,
    BINARY_RR_PAIR,
    BINOMIAL_SUM,
    BIT_SUM,
    BLANKET,
    CLONES,
    CLONES_CLOSED_FORM,
    COORDINATE_SUMS,
    DISCRETE_GAUSSIAN_SUM,
    FAKE_USERS,
    GAUSSIAN_BLANKET,
    GAUSSIAN_HOMOGENEOUS,
    HIDDEN_GROUPS,
    HISTOGRAM,
    HOMOGENEOUS,
    K_RR_BLANKET,
    K_RR_BLANKET_BENNETT,
    K_RR_BLANKET_HOEFFDING,
    K_RR_CLONES,
    K_RR_CLOSED_FORM,
    K_RR_EXHAUSTIVE,
    K_RR_PAIR,
    LAPLACE_SUM,
    LEAKING_RESPONSE,
    OPTIMAL_PAIR,
    RANDOMIZER_LOWER,
    RANDOMIZER_PAIR,
    REAL_SUM_TAGGED,
    REAL_SUM_UNTAGGED,
    SPLIT_AND_MIX,
    STRONGER_APPROX_CLONES,
    STRONGER_CLONES,
    ZERO_SUM,
)
from shuffleproof.spec.vocabulary.randomizers import KRR, LocalHashing, of_given

__all__ = ["METHODS", "carried_out", "comparable", "engines_for", "functions", "method_named"]


@carries(CLONES, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import clones

    return Functions(delta=clones.delta, epsilon=clones.epsilon, renyi=clones.renyi)


@carries(CLONES, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import clones

    return Functions(delta=clones.delta, epsilon=clones.epsilon, renyi=clones.renyi)


@carries(CLONES, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import clones

    return Functions(
        delta=clones.delta, epsilon=clones.epsilon, renyi=clones.renyi, profile=clones.profile, inverse_profile=clones.inverse_profile
    )


@carries(STRONGER_CLONES, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import stronger_clones

    return Functions(delta=stronger_clones.delta, epsilon=stronger_clones.epsilon, renyi=stronger_clones.renyi)


@carries(STRONGER_CLONES, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import stronger_clones

    return Functions(delta=stronger_clones.delta, epsilon=stronger_clones.epsilon, renyi=stronger_clones.renyi)


@carries(STRONGER_CLONES, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import stronger_clones

    return Functions(
        delta=stronger_clones.delta,
        epsilon=stronger_clones.epsilon,
        renyi=stronger_clones.renyi,
        profile=stronger_clones.profile,
        inverse_profile=stronger_clones.inverse_profile,
    )


@carries(CLONES_CLOSED_FORM, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import clones_closed_form

    return Functions(epsilon=clones_closed_form.epsilon)


@carries(BINARY_RR_PAIR, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import binary_rr

    return Functions(delta=binary_rr.delta, epsilon=binary_rr.epsilon, renyi=binary_rr.renyi)


@carries(BINARY_RR_PAIR, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import binary_rr

    return Functions(delta=binary_rr.delta, epsilon=binary_rr.epsilon, renyi=binary_rr.renyi)


@carries(APPROX_CLONES, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import approx_clones

    return Functions(delta=approx_clones.delta, epsilon=approx_clones.epsilon)


@carries(APPROX_CLONES, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import approx_clones

    return Functions(delta=approx_clones.delta, epsilon=approx_clones.epsilon)


@carries(STRONGER_APPROX_CLONES, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import stronger_approx_clones

    return Functions(delta=stronger_approx_clones.delta, epsilon=stronger_approx_clones.epsilon)


@carries(STRONGER_APPROX_CLONES, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import stronger_approx_clones

    return Functions(delta=stronger_approx_clones.delta, epsilon=stronger_approx_clones.epsilon)


@carries(APPROX_CLONES_CLOSED_FORM, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import approx_clones_closed_form

    return Functions(epsilon=approx_clones_closed_form.epsilon)


@carries(K_RR_CLONES, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import k_rr_clones

    return Functions(delta=k_rr_clones.delta, epsilon=k_rr_clones.epsilon)


@carries(K_RR_CLONES, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import k_rr_pairs

    return Functions(delta=k_rr_pairs.CLONES.delta, epsilon=k_rr_pairs.CLONES.epsilon)


@carries(K_RR_CLOSED_FORM, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import k_rr_closed_form

    return Functions(epsilon=k_rr_closed_form.epsilon)


@carries(K_RR_PAIR, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import k_rr_pair

    return Functions(delta=k_rr_pair.delta, epsilon=k_rr_pair.epsilon)


@carries(K_RR_PAIR, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import k_rr_pairs

    return Functions(delta=k_rr_pairs.HOMOGENEOUS.delta, epsilon=k_rr_pairs.HOMOGENEOUS.epsilon)


@carries(K_RR_EXHAUSTIVE, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import k_rr_exhaustive

    return Functions(delta=k_rr_exhaustive.delta, epsilon=k_rr_exhaustive.epsilon, renyi=k_rr_exhaustive.renyi)


@carries(K_RR_EXHAUSTIVE, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import binary_rr_exhaustive

    return Functions(delta=binary_rr_exhaustive.delta, epsilon=binary_rr_exhaustive.epsilon, renyi=binary_rr_exhaustive.renyi)


@carries(K_RR_EXHAUSTIVE, "fast", "epsilon", "delta")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import binary_rr_exhaustive

    return Functions(delta=binary_rr_exhaustive.delta, epsilon=binary_rr_exhaustive.epsilon)


@carries(K_RR_BLANKET, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import k_rr_blanket

    return Functions(delta=k_rr_blanket.delta, epsilon=k_rr_blanket.epsilon)


@carries(K_RR_BLANKET, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import k_rr_pairs

    return Functions(delta=k_rr_pairs.BLANKET.delta, epsilon=k_rr_pairs.BLANKET.epsilon)


@carries(K_RR_BLANKET_HOEFFDING, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import k_rr_blanket_closed_forms

    return Functions(
        delta=partial(k_rr_blanket_closed_forms.delta, form="hoeffding"),
        epsilon=partial(k_rr_blanket_closed_forms.epsilon, form="hoeffding"),
    )


@carries(K_RR_BLANKET_BENNETT, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import k_rr_blanket_closed_forms

    return Functions(
        delta=partial(k_rr_blanket_closed_forms.delta, form="bennett"), epsilon=partial(k_rr_blanket_closed_forms.epsilon, form="bennett")
    )


@carries(ZERO_SUM, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import zero_sum

    return Functions(delta=zero_sum.delta, epsilon=zero_sum.epsilon)


@carries(ZERO_SUM, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import zero_sum

    return Functions(delta=zero_sum.delta, epsilon=zero_sum.epsilon)


@carries(HISTOGRAM, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import histogram

    return Functions(delta=histogram.delta, epsilon=histogram.epsilon)


@carries(HISTOGRAM, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import histogram

    return Functions(delta=histogram.delta, epsilon=histogram.epsilon)


@carries(BIT_SUM, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import bit_sum

    return Functions(delta=bit_sum.delta, epsilon=bit_sum.epsilon, renyi=bit_sum.renyi)


@carries(BIT_SUM, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import bit_sum

    return Functions(delta=bit_sum.delta, epsilon=bit_sum.epsilon, renyi=bit_sum.renyi)


@carries(BIT_SUM, "fast", "epsilon", "delta")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import bit_sum

    return Functions(delta=bit_sum.delta, epsilon=bit_sum.epsilon)


@carries(REAL_SUM_UNTAGGED, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import real_sum

    return Functions(
        delta=partial(real_sum.delta, view="untagged"),
        epsilon=partial(real_sum.epsilon, view="untagged"),
        renyi=partial(real_sum.renyi, view="untagged"),
    )


@carries(REAL_SUM_UNTAGGED, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import real_sum

    return Functions(
        delta=partial(real_sum.delta, view="untagged"),
        epsilon=partial(real_sum.epsilon, view="untagged"),
        renyi=partial(real_sum.renyi, view="untagged"),
    )


@carries(REAL_SUM_TAGGED, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import real_sum

    return Functions(
        delta=partial(real_sum.delta, view="tagged"),
        epsilon=partial(real_sum.epsilon, view="tagged"),
        renyi=partial(real_sum.renyi, view="tagged"),
    )


@carries(REAL_SUM_TAGGED, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import real_sum

    return Functions(
        delta=partial(real_sum.delta, view="tagged"),
        epsilon=partial(real_sum.epsilon, view="tagged"),
        renyi=partial(real_sum.renyi, view="tagged"),
    )


@carries(COORDINATE_SUMS, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import coordinate_sums

    return Functions(delta=coordinate_sums.delta, epsilon=coordinate_sums.epsilon, renyi=coordinate_sums.renyi)


@carries(COORDINATE_SUMS, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import coordinate_sums

    return Functions(delta=coordinate_sums.delta, epsilon=coordinate_sums.epsilon, renyi=coordinate_sums.renyi)


@carries(COORDINATE_SUMS, "fast", "epsilon", "delta")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import coordinate_sums

    return Functions(delta=coordinate_sums.delta, epsilon=coordinate_sums.epsilon)


@carries(ASYMMETRIC_SUMS, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import asymmetric_sums

    return Functions(delta=asymmetric_sums.delta, epsilon=asymmetric_sums.epsilon)


@carries(ASYMMETRIC_SUMS, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import asymmetric_sums

    return Functions(delta=asymmetric_sums.delta, epsilon=asymmetric_sums.epsilon)


@carries(ASYMMETRIC_SUMS, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import asymmetric_sums

    return Functions(delta=asymmetric_sums.delta, epsilon=asymmetric_sums.epsilon)


@carries(FAKE_USERS, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import fake_users

    return Functions(delta=fake_users.delta, epsilon=fake_users.epsilon)


@carries(FAKE_USERS, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import fake_users

    return Functions(delta=fake_users.delta, epsilon=fake_users.epsilon)


@carries(FAKE_USERS, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import fake_users

    return Functions(delta=fake_users.delta, epsilon=fake_users.epsilon)


@carries(LAPLACE_SUM, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import laplace_sum

    return Functions(delta=laplace_sum.delta, epsilon=laplace_sum.epsilon)


@carries(LAPLACE_SUM, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import laplace_sum

    return Functions(delta=laplace_sum.delta, epsilon=laplace_sum.epsilon)


@carries(LAPLACE_SUM, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import laplace_sum

    return Functions(delta=laplace_sum.delta, epsilon=laplace_sum.epsilon)


@carries(BINOMIAL_SUM, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import binomial_sum

    return Functions(delta=binomial_sum.delta, epsilon=binomial_sum.epsilon)


@carries(BINOMIAL_SUM, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import binomial_sum

    return Functions(delta=binomial_sum.delta, epsilon=binomial_sum.epsilon)


@carries(BINOMIAL_SUM, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import binomial_sum

    return Functions(delta=binomial_sum.delta, epsilon=binomial_sum.epsilon)


@carries(DISCRETE_GAUSSIAN_SUM, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import discrete_gaussian_sum

    return Functions(delta=discrete_gaussian_sum.delta, epsilon=discrete_gaussian_sum.epsilon)


@carries(DISCRETE_GAUSSIAN_SUM, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import discrete_gaussian_sum

    return Functions(delta=discrete_gaussian_sum.delta, epsilon=discrete_gaussian_sum.epsilon)


@carries(DISCRETE_GAUSSIAN_SUM, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import discrete_gaussian_sum

    return Functions(delta=discrete_gaussian_sum.delta, epsilon=discrete_gaussian_sum.epsilon)


@carries(SPLIT_AND_MIX, "exact")
def _() -> Functions:
    from shuffleproof.spec.bounds import split_and_mix

    return Functions(delta=split_and_mix.delta, epsilon=split_and_mix.epsilon)


@carries(SPLIT_AND_MIX, "ball")
def _() -> Functions:
    from shuffleproof.impl.ball.bounds import split_and_mix

    return Functions(delta=split_and_mix.delta, epsilon=split_and_mix.epsilon)


@carries(SPLIT_AND_MIX, "fast")
def _() -> Functions:
    from shuffleproof.impl.fast.bounds import split_and_mix

    return Functions(delta=split_and_mix.delta, epsilon=split_and_mix.epsilon)


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


def comparable(named: Mapping[str, str]) -> list[tuple[str, dict[str, str]]]:
    """The methods that speak of one thing, each with what it takes beside n, epsilon0 and the central parameter.

    named: empty for all eps0-DP randomizers; else "randomizer" with what it needs, as texts. A bound for all of them holds for each one,
    but their lower bounds do not; kRR's, here with three categories, is a lower bound for all of them. Each randomizer has a neighbouring
    pair of its own. kRR has bounds of its own; with two categories it is binary randomized response.
    Raises DomainError where a randomizer is not named, or what it needs is missing.
    """
    for_all = [method for method in METHODS.values() if method.for_all]
    if not named:
        return [*((method.name, {}) for method in for_all), (K_RR_PAIR.name, {"k": "3"})]
    chosen = of_given({"randomizer": "(nothing)", **named})
    rows = [(RANDOMIZER_PAIR.name, dict(named))]
    its_own = [method for method in METHODS.values() if method.of_randomizer is type(chosen)]
    rows += [(method.name, {name: named[name] for name in method.takes if name != "epsilon0"}) for method in its_own]
    binary = isinstance(chosen, KRR) and chosen.k == 2
    if not isinstance(chosen, KRR):
        rows.append((RANDOMIZER_LOWER.name, dict(named)))
    elif binary:  # for kRR it is the same pair as k-rr-pair, or binary-rr-pair
        rows = [row for row in rows if row[0] != K_RR_PAIR.name]
    in_place = () if isinstance(chosen, KRR) else (ANOTHER_PLACE,)
    whole = (HOMOGENEOUS,) if isinstance(chosen, LocalHashing) and chosen.family == "any" else (BLANKET, *in_place, HOMOGENEOUS)
    rows += [(method.name, dict(named)) for method in whole]
    return rows + [(method.name, {}) for method in for_all if method.side == "upper" or binary]
