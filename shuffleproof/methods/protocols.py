"""The engines of protocols."""

from __future__ import annotations

from functools import partial

from shuffleproof.registry import Functions, carries
from shuffleproof.spec.vocabulary.methods.protocols import (
    ASYMMETRIC_SUMS,
    BINOMIAL_SUM,
    BIT_SUM,
    COORDINATE_SUMS,
    DISCRETE_GAUSSIAN_SUM,
    FAKE_USERS,
    HISTOGRAM,
    LAPLACE_SUM,
    REAL_SUM_TAGGED,
    REAL_SUM_UNTAGGED,
    SPLIT_AND_MIX,
    ZERO_SUM,
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
