"""The exact distributions of the named randomizers, for rational e^epsilon0: what their declarations are held against."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, cast

from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.hadamard_response import Hadamard, code, hadamard_response
from shuffleproof.spec.randomizers.k_rr import KRR, k_rr
from shuffleproof.spec.randomizers.k_subset import Subset, k_subset
from shuffleproof.spec.randomizers.local_hashing import LocalHashing, local_hashing
from shuffleproof.spec.randomizers.piecewise import Piecewise, piecewise
from shuffleproof.spec.randomizers.sliding_window import EXTREME
from shuffleproof.spec.randomizers.square_wave import SquareWave, square_wave
from shuffleproof.spec.randomizers.unary_encoding import RAPPOR, AsymmetricRAPPOR, UnaryEncoding, asymmetric_rappor, rappor, unary_encoding
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer

LARGEST_LAW = 2_000
"""Inputs times messages of a distribution that is still enumerated: seconds."""
Exact = tuple[int, int, Callable[[], LocalRandomizer[int, Any]]]
"""How many inputs and messages, and how the distribution is made."""


def exact_law(
    randomizer: NamedRandomizer, T: Fraction, *, most: int | None = None, largest: int = LARGEST_LAW
) -> LocalRandomizer[int, Any]:
    """The distribution of a named randomizer with e^epsilon0 = T on its inputs, or as many of them; of any number of items with so many.

    most: at least 2; of unary encodings and hashing so many items are encoded at most: further bits have one distribution under all of
    these; largest: inputs times messages, at most.
    Raises UnsupportedError where it has no list of masses, or irrational ones; ResourceLimitError where that is too long.
    """
    if type(randomizer) not in _EXACT:
        advice = 'use engine "ball" or "fast", or randomizer-pair and randomizer-lower'
        raise UnsupportedError(
            what=f"the whole distribution of {randomizer.name!r} in exact arithmetic", reason="it is continuous", advice=advice
        )
    inputs, messages, made = _EXACT[type(randomizer)](randomizer, T, most)
    if inputs * messages > largest:
        what = f"the distribution of {randomizer.name!r}"
        limit = f'{largest} (engine "ball" has closed forms)'
        raise ResourceLimitError(what=what, needed=f"{inputs} inputs times {messages} messages", limit=limit)
    whole = made()
    some = whole.domain[:most]
    return whole if some == whole.domain else LocalRandomizer(some, {x: whole.law(x) for x in some})


def prefers(message: Any, x: int) -> bool:
    """Return whether a vector of bits, or a hash function with a bucket, prefers item x."""
    return bool(message[0][x] == message[1] if isinstance(message[0], tuple) else message[x])


def half_power(T: Fraction, name: str) -> Fraction:
    """e^(epsilon0/2) for e^epsilon0 = T, the square of a rational. Raises UnsupportedError, naming the randomizer, for any other."""
    root = Fraction(math.isqrt(T.numerator), math.isqrt(T.denominator))
    if root**2 != T:
        raise UnsupportedError(
            what=f"{name!r} with e^epsilon0 = {T} in exact arithmetic",
            reason="e^(epsilon0/2) is irrational",
            advice='give e^epsilon0 as the square of a rational, such as "ln 9/4", or use engine "ball"',
        )
    return root


def _of_k_rr(randomizer: NamedRandomizer, T: Fraction, _: int | None) -> Exact:
    k = cast(KRR, randomizer).k
    return k, k, lambda: k_rr(k=k, exp_epsilon0=T)


def _of_subset(randomizer: NamedRandomizer, T: Fraction, _: int | None) -> Exact:
    k, d = cast(Subset, randomizer).k, cast(Subset, randomizer).d
    return k, math.comb(k, d) if k <= LARGEST_LAW else LARGEST_LAW + 1, lambda: k_subset(k=k, d=d, exp_epsilon0=T)


def _of_hadamard(randomizer: NamedRandomizer, T: Fraction, _: int | None) -> Exact:
    k, blocks = cast(Hadamard, randomizer).k, cast(Hadamard, randomizer).blocks
    messages = code(k=k, exp_epsilon0=T, blocks=blocks).messages if k <= LARGEST_LAW else k
    return k, messages, lambda: hadamard_response(k=k, exp_epsilon0=T, blocks=blocks)


def _of_hashing(randomizer: NamedRandomizer, T: Fraction, most: int | None) -> Exact:
    k, buckets = _items(randomizer, most), cast(LocalHashing, randomizer).buckets
    return k, buckets ** (k + 1), lambda: local_hashing(k=k, buckets=buckets, exp_epsilon0=T)


def _of_rappor(randomizer: NamedRandomizer, T: Fraction, most: int | None) -> Exact:
    k, root = _items(randomizer, most), half_power(T, randomizer.name)
    return k, _vectors(k), lambda: rappor(k=k, exp_half_epsilon0=root)


def _of_asymmetric_rappor(randomizer: NamedRandomizer, T: Fraction, most: int | None) -> Exact:
    k = _items(randomizer, most)
    return k, _vectors(k), lambda: asymmetric_rappor(k=k, exp_epsilon0=T)


def _of_unary_encoding(randomizer: NamedRandomizer, T: Fraction, most: int | None) -> Exact:
    k, q = _items(randomizer, most), cast(UnaryEncoding, randomizer).p_other
    return k, _vectors(k), lambda: unary_encoding(k=k, p_own=T * q / (T * q + 1 - q), p_other=q)


def _of_piecewise(randomizer: NamedRandomizer, T: Fraction, _: int | None) -> Exact:
    root = half_power(T, randomizer.name)
    return EXTREME, 2 * EXTREME + 1, lambda: piecewise(exp_half_epsilon0=root)


def _of_square_wave(randomizer: NamedRandomizer, T: Fraction, _: int | None) -> Exact:
    radius = cast(SquareWave, randomizer).radius
    if radius is None:
        what = f"{randomizer.name!r} with its authors' radius in exact arithmetic"
        raise UnsupportedError(what=what, reason="that is irrational", advice='give a radius, or use engine "ball"')
    return EXTREME, 2 * EXTREME + 1, lambda: square_wave(radius=radius, exp_epsilon0=T)


def _items(randomizer: NamedRandomizer, most: int | None) -> int:
    """Return how many items to list: as many as were asked for, or all of them. Raises UnsupportedError where that may be any number."""
    given = [each for each in (getattr(randomizer, "k", None), most) if each is not None]
    if not given:
        raise UnsupportedError(
            what=f"the whole distribution of {randomizer.name!r}", reason="its number of items is left out", advice="give k"
        )
    return min(given)


def _vectors(k: int) -> int:
    """2^k, or too many."""
    return 1 << min(k, LARGEST_LAW)


_EXACT: Mapping[type[NamedRandomizer], Callable[[NamedRandomizer, Fraction, int | None], Exact]] = {
    KRR: _of_k_rr,
    Subset: _of_subset,
    Hadamard: _of_hadamard,
    LocalHashing: _of_hashing,
    RAPPOR: _of_rappor,
    UnaryEncoding: _of_unary_encoding,
    AsymmetricRAPPOR: _of_asymmetric_rappor,
    Piecewise: _of_piecewise,
    SquareWave: _of_square_wave,
}
