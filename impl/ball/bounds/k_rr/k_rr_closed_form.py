"""The closed form for shuffled k-ary randomized response, certified (FMT21, Corollary 4.2, under a condition with which it is true)."""

import math
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, expm1_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.evaluation import MOST_BITS
from shuffleproof.impl.ball.numeric.results import enclosed
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import UndecidedError
from shuffleproof.spec.vocabulary.methods.k_ary import K_RR_CLOSED_FORM
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, decimal_text, epsilon0_parameter, probability
from shuffleproof.spec.vocabulary.refusals import outside_k_rr_closed_form

_CONDITION = Fraction(503, 200)
"""2.515: the constant with which FMT21, Corollary 4.2, holds (FMT21.Cor4.2-condition). The printed condition is
another; a smaller constant is unproved."""


def epsilon(*, n: Number, k: Number, epsilon0: Number | Epsilon, delta: Number, digits: int = 15) -> Bound:
    """ln(1 + (T - 1)(4 sqrt(2 (k + 1) ln(4/delta)/((T + k - 1) k n)) + 4 (k + 1)/(k n))), T = e^epsilon0, enclosed (FMT21, Corollary 4.2).

    n: users, at least 1; k: categories, at least 2; epsilon0 in [0, 10000]; delta in (0, 1]; digits: relative width of the enclosure at
    most 10^-digits, 1 to 1000. Returns an enclosure of the formula; shuffled kRR is (upper, delta)-DP.
    Raises RegimeError unless n >= 2.515 (k + 1)(T + k - 1) ln(2/delta)/k is certified (the printed condition is not enough), DomainError.
    """
    users, categories = count(n, parameter="n"), count(k, parameter="k", minimum=2)
    local, target = epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    wanted = count(digits, parameter="digits", maximum=1000)
    if target == 0:
        raise outside_k_rr_closed_form(needed="infinity", n=str(n))
    _require_regime(users, categories, local, target, given=str(n))
    bits = math.ceil(3.33 * wanted) + users.bit_length() + categories.bit_length() + 64
    while bits <= MOST_BITS:
        with precision(bits):
            lower, upper = ends(_formula(users, categories, local, target))
        if (upper - lower) * 10 ** (wanted + 1) <= upper:
            inputs = as_given(n=n, k=k, eps0=epsilon0, delta=delta)
            return enclosed(K_RR_CLOSED_FORM, "epsilon", lower, upper, digits=wanted, precision=bits, inputs=inputs)
        bits *= 2
    raise UndecidedError(quantity="epsilon", enclosure=("0", decimal_text(upper, digits=12, direction="up")), precision=bits)


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
