"""The engines of k-ary randomized response."""

from __future__ import annotations

from functools import partial

from shuffleproof.registry import Functions, carries
from shuffleproof.spec.vocabulary.methods.k_ary import (
    K_RR_BLANKET,
    K_RR_BLANKET_BENNETT,
    K_RR_BLANKET_HOEFFDING,
    K_RR_CLONES,
    K_RR_CLOSED_FORM,
    K_RR_EXHAUSTIVE,
    K_RR_PAIR,
)


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
