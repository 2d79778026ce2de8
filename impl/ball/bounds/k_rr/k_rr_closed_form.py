"""The closed form for shuffled k-ary randomized response, certified (FMT21, Corollary 4.2, under a condition with which it is true)."""

import math
from collections.abc import Mapping
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, expm1_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.results import certified, narrowed
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.clones import K_RR_CLOSED_FORM
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text
from shuffleproof.spec.vocabulary.refusals import outside_k_rr_closed_form

_CONDITION = Fraction(503, 200)
"""2.515: the constant with which FMT21, Corollary 4.2, holds (FMT21.Cor4.2-condition). The printed condition is
another; a smaller constant is unproved."""


@certified(K_RR_CLOSED_FORM)
def epsilon(*, n: int, k: int, epsilon0: Epsilon, delta: Fraction, inputs: Mapping[str, str], digits: int = 15) -> Found:
    """ln(1 + (T - 1)(4 sqrt(2 (k + 1) ln(4/delta)/((T + k - 1) k n)) + 4 (k + 1)/(k n))), T = e^epsilon0 (FMT21, Corollary 4.2).

    Raises RegimeError unless n >= 2.515 (k + 1)(T + k - 1) ln(2/delta)/k is certified (the printed condition is not enough).
    """
    if delta == 0:
        raise outside_k_rr_closed_form(needed="infinity", n=inputs["n"])
    _require_regime(n, k, epsilon0, delta, given=inputs["n"])
    bits = math.ceil(3.33 * digits) + n.bit_length() + k.bit_length() + 64
    return narrowed(lambda: ends(_formula(n, k, epsilon0, delta)), digits=digits + 1, bits=bits, quantity="epsilon")


def _formula(n: int, k: int, epsilon0: Epsilon, delta: Fraction) -> arb:
    part = ball(Fraction(k + 1, k * n))
    root = (2 * part * ball(4 / delta).log() / (exp_of(epsilon0) + (k - 1))).sqrt()
    return (expm1_of(epsilon0) * (4 * root + 4 * part)).log1p()


def _require_regime(n: int, k: int, epsilon0: Epsilon, delta: Fraction, *, given: str) -> None:
    """2.515 (k + 1)(T + k - 1) ln(2/delta)/k <= n, certified; what cannot be certified is refused, which errs on the safe side."""
    for bits in (128, 1024):
        with precision(bits + k.bit_length() + 2 * int(epsilon0.bounds(bits=16)[1])):
            needed = ball(_CONDITION * Fraction(k + 1, k)) * (exp_of(epsilon0) + (k - 1)) * ball(2 / delta).log()
            if upper_end(needed) <= n:
                return
            if lower_end(needed) > n:
                break
    raise outside_k_rr_closed_form(needed=decimal_text(upper_end(needed), digits=6, direction="up"), n=given)
