"""The closed form of FMT21, Theorem 3.1, certified."""

import math
from collections.abc import Mapping
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, expm1_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.results import certified, narrowed
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.clones import CLONES_CLOSED_FORM
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text


@certified(CLONES_CLOSED_FORM)
def epsilon(*, n: int, epsilon0: Epsilon, delta: Fraction, inputs: Mapping[str, str], digits: int = 15) -> Found:
    """ln(1 + (T - 1)/(T + 1) (8 sqrt(T ln(4/delta))/sqrt(n) + 8 T/n)), T = e^epsilon0 (FMT21, Theorem 3.1, equation (1)).

    Raises RegimeError unless epsilon0 <= ln(n/(16 ln(2/delta))) is certified.
    """
    _require_regime(n, epsilon0, delta, given=inputs["eps0"])
    bits = math.ceil(3.33 * digits) + n.bit_length() + 64
    return narrowed(lambda: ends(equation_1(n, epsilon0, delta)), digits=digits + 1, bits=bits, quantity="epsilon")


def equation_1(n: int, epsilon0: Epsilon, delta: Fraction) -> arb:
    """The formula at the current precision."""
    T = exp_of(epsilon0)
    clones = 8 * (T * ball(4 / delta).log() / n).sqrt() + 8 * T / n
    return (expm1_of(epsilon0) / (T + 1) * clones).log1p()


def _require_regime(n: int, epsilon0: Epsilon, delta: Fraction, *, given: str) -> None:
    """16 T ln(2/delta) <= n, certified; equality cannot be certified and is refused, which errs on the safe side."""
    for bits in (128, 1024) if delta else ():
        with precision(bits + 2 * int(epsilon0.bounds(bits=16)[1])):
            needed = 16 * exp_of(epsilon0) * ball(2 / delta).log()
            if upper_end(needed) <= n:
                return
            if lower_end(needed) > n:
                break
    from shuffleproof.spec.vocabulary.refusals import outside_closed_form

    with precision(64):
        limit = decimal_text(lower_end((n / (16 * ball(2 / delta).log())).log()), digits=6, direction="down") if delta else "-infinity"
    raise outside_closed_form(limit=limit, epsilon0=given)
