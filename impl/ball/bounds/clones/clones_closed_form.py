"""The closed form of FMT21, Theorem 3.1, certified."""

import math
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, expm1_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.evaluation import MOST_BITS
from shuffleproof.impl.ball.numeric.results import enclosed
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.methods.clones import CLONES_CLOSED_FORM
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, decimal_text, epsilon0_parameter, probability


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta: Number, digits: int = 15) -> Bound:
    """ln(1 + (T - 1)/(T + 1) (8 sqrt(T ln(4/delta))/sqrt(n) + 8 T/n)), T = e^epsilon0, enclosed (FMT21, Theorem 3.1, equation (1)).

    n: users, at least 1; epsilon0 in [0, 10000]; delta in (0, 1]; digits: relative width of the enclosure at most 10^-digits, 1 to 1000.
    Returns an enclosure of the formula; every sequence of eps0-DP local randomizers run on shuffled data is (upper, delta)-DP.
    Raises RegimeError unless epsilon0 <= ln(n/(16 ln(2/delta))) is certified, DomainError outside the domains.
    """
    users, local, target = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    wanted = count(digits, parameter="digits", maximum=1000)
    _require_regime(users, local, target, given=str(epsilon0))
    bits = math.ceil(3.33 * wanted) + users.bit_length() + 64
    while bits <= MOST_BITS:
        with precision(bits):
            lower, upper = ends(_formula(users, local, target))
        if (upper - lower) * 10 ** (wanted + 1) <= upper:
            inputs = as_given(n=n, eps0=epsilon0, delta=delta)
            return enclosed(CLONES_CLOSED_FORM, "epsilon", lower, upper, digits=wanted, precision=bits, inputs=inputs)
        bits *= 2
    raise UndecidedError(quantity="epsilon", enclosure=("0", decimal_text(upper, digits=12, direction="up")), precision=bits)


def _formula(n: int, epsilon0: Epsilon, delta: Fraction) -> arb:
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
