"""Closed forms for shuffled kRR, certified: Hoeffding's and Bennett's for its privacy blanket (BBGN19, section 5.3), and that of FMT21.

Write L for (R_0 - E R_1)/omega at a blanket report, omega uniform on k values, T = e^eps0, E = e^eps > 1, gamma = k/(T + k - 1): it is
gamma (T - E), gamma (1 - E T) and gamma (1 - E) with probabilities 1/k, 1/k, 1 - 2/k, the mean -a, a = E - 1. For M ~ Bin(n, gamma)
    delta <= E[(L_1 + ... + L_M)_+]/(gamma n) <= c (1 - gamma (1 - e^-x))^n/(gamma n),
where E[(L_1 + ... + L_m)_+] <= c e^(-m x), since the tail beyond 0 is integrated:
    Hoeffding   c = b^2/(4 a), x = 2 a^2/b^2, b = gamma (T - 1)(1 + E) the range of L
    Bennett     c = h/ln(1 + u), x = (v/h^2)((1 + u) ln(1 + u) - u), u = a h/v, h = gamma (T - E) + a the largest L + a, v the variance
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_difference, exp_of, expm1_of, precision, upper_end
from shuffleproof.impl.ball.numeric.results import certified, narrowed, surely_at_most
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import K_RR_BLANKET_BENNETT, K_RR_BLANKET_HOEFFDING, K_RR_CLOSED_FORM
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text
from shuffleproof.spec.vocabulary.refusals import outside_k_rr_closed_form

_CONDITION = Fraction(503, 200)
"""2.515: the constant with which FMT21, Corollary 4.2, holds (FMT21.Cor4.2-condition). The printed condition is
another; a smaller constant is unproved."""
_FAR_APART = 64
"""Ends of a search whose exponents differ by more bits than this are brought together by their exponents."""
Form = Literal["hoeffding", "bennett"]
_METHODS: dict[Form, Method] = {"hoeffding": K_RR_BLANKET_HOEFFDING, "bennett": K_RR_BLANKET_BENNETT}
_MOST_BITS = 1 << 16
"""Precision at which the formula is refused: values near 1, where logarithms cancel, are settled long before."""


@certified(K_RR_BLANKET_HOEFFDING)
def delta(*, n: int, k: int, epsilon0: Epsilon, epsilon: Epsilon, form: Form = "hoeffding", digits: int = 15) -> Found:
    """The closed form at epsilon: shuffled kRR is (epsilon, upper)-DP (BEYOND.BBGN19-hoeffding, BEYOND.BBGN19-bennett).

    Exact: 0 where epsilon >= epsilon0, 1 where the form exceeds it (at epsilon = 0).
    """
    if epsilon >= epsilon0:
        return replace(Found.exactly(0), method=_METHODS[form])
    return replace(_enclosure(form, n, k, epsilon0, epsilon, digits=digits), method=_METHODS[form])


@certified(K_RR_BLANKET_HOEFFDING)
def epsilon(*, n: int, k: int, epsilon0: Epsilon, delta: Fraction, form: Form = "hoeffding", digits: int = 15) -> Found:
    """An epsilon at which the closed form is certainly at most delta, found by bisection; epsilon0 itself where there is none below it.

    The form may rise again in epsilon, and is then not searched any further: only the upper end says something.
    """
    return replace(_least(form, n, k, epsilon0, delta, digits), method=_METHODS[form])


def _least(form: Form, n: int, k: int, epsilon0: Epsilon, delta: Fraction, digits: int) -> Found:
    if delta == 1 or epsilon0.exp == 1:
        return Found.exactly(0)
    whole = Found.exactly_epsilon(epsilon0, bits=4 * digits + 64)

    def enough(x: Fraction) -> bool:
        return _enclosure(form, n, k, epsilon0, Epsilon(x, None), digits=4).upper <= delta

    high = whole.lower * (1 - Fraction(1, 10 ** (digits + 1)))
    if delta == 0 or not enough(high):
        return whole
    ratio, low = Fraction(1, 2), high / 2
    while enough(low):  # epsilon may be far smaller than epsilon0
        high, low, ratio = low, low * ratio, ratio * ratio
    while (high - low) * 10 ** (digits + 1) > high:
        apart = math.ceil(high / low).bit_length()  # far apart, the exponents are halved: numbers would be, thousands of times
        middle = _short(high / (1 << apart // 2) if apart > _FAR_APART else (low + high) / 2, digits)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return Found(Fraction(0), high, False)


def _enclosure(form: Form, n: int, k: int, epsilon0: Epsilon, epsilon: Epsilon, *, digits: int) -> Found:
    """Ends of the closed form, as close as wanted, the upper one at most 1; 1 at epsilon = 0, where it is infinite."""
    if epsilon.exp == 1:
        return Found.exactly(1)
    bits = 4 * digits + 4 * n.bit_length() + 96
    found = narrowed(
        lambda: ends(_value(form, n, k, epsilon0, epsilon)), digits=digits + 1, bits=bits, quantity="the closed form", most=_MOST_BITS
    )
    lower = max(found.lower, Fraction(0))
    return Found.exactly(1) if lower >= 1 else replace(found, lower=lower, upper=min(found.upper, Fraction(1)))


def _value(form: Form, n: int, k: int, epsilon0: Epsilon, epsilon: Epsilon) -> arb:
    T, E, T_minus_1, a = exp_of(epsilon0), exp_of(epsilon), expm1_of(epsilon0), expm1_of(epsilon)
    gamma, gap = k / (T + (k - 1)), exp_difference(epsilon0, epsilon)
    if form == "hoeffding":
        b = gamma * T_minus_1 * (1 + E)
        c, x = b * b / (4 * a), 2 * (a / b) ** 2
    else:
        h = gamma * gap + a
        v = gamma**2 * (gap**2 + (a * T + T_minus_1) ** 2 + (k - 2) * a**2) / k - a**2
        u = a * h / v
        c, x = h / u.log1p(), v / h**2 * ((1 + u) * u.log1p() - u)
    return c / (gamma * n) * (n * (gamma * (-x).expm1()).log1p()).exp()


def _short(x: Fraction, digits: int) -> Fraction:
    """x to some more digits than those asked for: evaluation points are short numbers."""
    return Fraction(decimal_text(x, digits=digits + 4, direction="down"))


@certified(K_RR_CLOSED_FORM)
def epsilon_of_clones(*, n: int, k: int, epsilon0: Epsilon, delta: Fraction, inputs: Mapping[str, str], digits: int = 15) -> Found:
    """ln(1 + (T - 1)(4 sqrt(2 (k + 1) ln(4/delta)/((T + k - 1) k n)) + 4 (k + 1)/(k n))), T = e^epsilon0 (FMT21, Corollary 4.2).

    Raises RegimeError unless n >= 2.515 (k + 1)(T + k - 1) ln(2/delta)/k is certified (the printed condition is not enough).
    """
    if delta == 0:
        raise outside_k_rr_closed_form(needed="infinity", n=inputs["n"])
    lost = k.bit_length() + 2 * int(epsilon0.bounds(bits=16)[1])
    if not surely_at_most(lambda: _users_needed(k, epsilon0, delta), n, more_bits=lost):
        with precision(128 + lost):
            needed = decimal_text(upper_end(_users_needed(k, epsilon0, delta)), digits=6, direction="up")
        raise outside_k_rr_closed_form(needed=needed, n=inputs["n"])
    bits = math.ceil(3.33 * digits) + n.bit_length() + k.bit_length() + 64
    return narrowed(lambda: ends(_of_clones(n, k, epsilon0, delta)), digits=digits + 1, bits=bits, quantity="epsilon")


def _of_clones(n: int, k: int, epsilon0: Epsilon, delta: Fraction) -> arb:
    part = ball(Fraction(k + 1, k * n))
    root = (2 * part * ball(4 / delta).log() / (exp_of(epsilon0) + (k - 1))).sqrt()
    return (expm1_of(epsilon0) * (4 * root + 4 * part)).log1p()


def _users_needed(k: int, epsilon0: Epsilon, delta: Fraction) -> arb:
    """2.515 (k + 1)(T + k - 1) ln(2/delta)/k."""
    return ball(_CONDITION * Fraction(k + 1, k)) * (exp_of(epsilon0) + (k - 1)) * ball(2 / delta).log()
