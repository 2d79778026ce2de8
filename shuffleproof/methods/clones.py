"""The engines of clones, of all randomizers of a local guarantee."""

from __future__ import annotations

from shuffleproof.registry import Functions, carries
from shuffleproof.spec.vocabulary.methods.clones import (
    APPROX_CLONES,
    APPROX_CLONES_CLOSED_FORM,
    BINARY_RR_PAIR,
    CLONES,
    CLONES_CLOSED_FORM,
    STRONGER_APPROX_CLONES,
    STRONGER_CLONES,
)


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
