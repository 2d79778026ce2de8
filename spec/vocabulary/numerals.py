"""Numbers in and out: exact parsing, exact comparison, and printing that rounds toward a stated side.

Grammar of a number:   [+-] digits [. digits] [e [+-] digits]   or   number / number     ("1e-6", "7/24", "0.1" is 1/10)
Grammar of an epsilon: a number, or   ln number                                          ("ln 3" means e^epsilon = 3 exactly)
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import total_ordering
from typing import Any, Protocol

from shuffleproof.spec.vocabulary.elementary import Direction, exp_bounds, log_bounds
from shuffleproof.spec.vocabulary.errors import DomainError, require


class Whole(Protocol):
    """An integer of another library, such as numpy's; not an array of them, which has an index too."""

    def __index__(self) -> int: ...

    def bit_count(self) -> Any:
        """How many binary digits are 1."""
        ...


class SupportsIntegerRatio(Protocol):
    """A number that says which rational it is, as numpy's floats of every length do."""

    def as_integer_ratio(self) -> tuple[int, int]:
        """The numerator and the denominator."""
        ...


Number = int | Fraction | Decimal | float | str | Whole | SupportsIntegerRatio
"""What is taken for a number: text is exact, a float stands for its binary value; numpy's scalars are welcome."""

_NEARLY = re.compile(r"(?P<digits>[0-9]+(?:\.[0-9]+)?)\s*(?P<suffix>[%kKmM])|10\s*(?:\^|\*\*)\s*\(?(?P<exponent>[+-]?[0-9]{1,4})\)?")
"""How people write numbers that are not in the grammar: percents, thousands and millions, powers of ten."""
_DECIMAL = re.compile(r"([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?|([+-]?)\.(\d+)(?:[eE]([+-]?\d+))?", re.ASCII)
_LOGARITHM = re.compile(r"ln\s*(?:\((?P<inside>[^()]*)\)|\s(?P<bare>[^()]*))", re.ASCII)
_THOUSANDS_BY_POINTS = re.compile(r"[0-9]{1,3}(\.000)+")
_IN_THOUSANDS = re.compile(r"[1-9]\d{0,2}([,_ \u00a0\u202f])\d{3}(?:\1\d{3})*", re.ASCII)
_LONGEST_TEXT = 4_000
"""Characters of a number: the interpreter converts at most 4300 digits."""
_LARGEST_EXPONENT = 10_000
"""Decimal exponent of a number, in size: beyond it a rational would fill memory."""
_LONGEST_GIVEN_BITS = 2_000
"""Bits of a rational that a result repeats digit by digit."""
INFINITE = "infinity"
LARGEST_COUNT = 10**18
"""Largest whole number that is taken for a size: below 2^63, so that every engine holds it."""
LARGEST_EPSILON0 = 10_000
"""Largest epsilon0, and epsilon: e^10000 has 4343 digits before the point, which every engine but float64 holds."""
LARGEST_ORDER = 10**6
"""Largest order of a Renyi divergence."""


def exact_fraction(
    value: Number, *, parameter: str, requirement: str = 'a number such as 3, "1e-6" or "7/24"', largest_exponent: int = _LARGEST_EXPONENT
) -> Fraction:
    """The exact rational value of a number.

    value: an int, Fraction, Decimal, finite float (taken at its binary value), a scalar of numpy's, or text in the grammar above.
    largest_exponent: of a text; how long the exact value may become.
    Raises DomainError, naming the parameter, for anything else.

    >>> exact_fraction("0.1", parameter="delta")
    Fraction(1, 10)
    """
    if isinstance(value, bool) or type(value).__name__ == "bool_":  # numpy's before 2, which may be an index
        raise DomainError(parameter=parameter, value=value, requirement=requirement)
    if isinstance(value, Fraction):
        return value
    if isinstance(value, (float, Decimal)):
        if not (value.is_finite() if isinstance(value, Decimal) else math.isfinite(value)):
            raise DomainError(parameter=parameter, value=value, requirement=requirement)
        if isinstance(value, Decimal) and value != 0 and abs(value.adjusted()) > _LARGEST_EXPONENT:
            raise DomainError(parameter=parameter, value=value, requirement=f"given with an exponent of at most {_LARGEST_EXPONENT}")
        return Fraction(value)
    if isinstance(value, str):
        return _parsed(value, parameter=parameter, requirement=requirement, largest_exponent=largest_exponent)
    try:
        return Fraction(operator.index(value))  # type: ignore[arg-type]  # what is no integer is tried as a ratio
    except TypeError:
        pass
    try:
        numerator, denominator = value.as_integer_ratio()  # type: ignore[union-attr]
        return Fraction(int(numerator), int(denominator))
    except (AttributeError, TypeError, ValueError, OverflowError):  # the last two for what is not finite
        raise DomainError(parameter=parameter, value=value, requirement=requirement) from None


def count(value: Number, *, parameter: str, minimum: int = 1, maximum: int = LARGEST_COUNT) -> int:
    """An exact integer between minimum and maximum; "1e6" is one. Raises DomainError."""
    short = f"{maximum:.0e}"
    requirement = f"an integer from {minimum} to {short if maximum >= 10**6 and Fraction(short) == maximum else maximum}"
    if isinstance(value, str) and _THOUSANDS_BY_POINTS.fullmatch(value.strip()):  # 50.000 is fifty here and fifty thousand elsewhere
        raise DomainError(parameter=parameter, value=value, requirement=f"{requirement}, without a point")
    exact = exact_fraction(value, parameter=parameter, requirement=requirement)
    require(exact.denominator == 1 and minimum <= exact <= maximum, parameter=parameter, value=value, requirement=requirement)
    return int(exact)


def ungrouped(text: str) -> str:
    """Return a whole number without the marks between its thousands, "10,000", "10_000" or "10 000" as 10000; other text as it is.

    Of whole numbers alone: "0,001" is a decimal in many countries, and stays what it is.
    """
    return re.sub(r"\D", "", text) if _IN_THOUSANDS.fullmatch(text.strip()) else text


def honest_count(n: int, dishonest: Number) -> int:
    """How many of n users remain when this many are dishonest, an integer from 0 to n - 1. Raises DomainError."""
    silent = count(dishonest, parameter="dishonest", minimum=0)
    require(silent < n, parameter="dishonest", value=dishonest, requirement=f"an integer from 0 to n - 1 = {n - 1}")
    return n - silent


def probability(value: Number, *, parameter: str) -> Fraction:
    """An exact number in [0, 1]. Raises DomainError."""
    exact = exact_fraction(value, parameter=parameter, requirement="a number in [0, 1]")
    require(0 <= exact <= 1, parameter=parameter, value=value, requirement="in [0, 1]")
    return exact


def positive(value: Number, *, parameter: str) -> Fraction:
    """An exact number above 0. Raises DomainError."""
    exact = exact_fraction(value, parameter=parameter)
    require(exact > 0, parameter=parameter, value=value, requirement="above 0")
    return exact


def proper_share(value: Number, *, parameter: str, why: str = "") -> Fraction:
    """An exact number above 0 and below 1; why: it is neither of them. Raises DomainError."""
    exact = probability(value, parameter=parameter)
    require(0 < exact < 1, parameter=parameter, value=value, requirement=f"above 0 and below 1{why}")
    return exact


def ratio_bound(value: Number, *, parameter: str) -> Fraction | None:
    """A bound on likelihood ratios: an exact number of at least 1, or "infinity", returned as None. Raises DomainError."""
    if isinstance(value, str) and value.strip() == INFINITE:
        return None
    requirement = f'a number of at least 1, or "{INFINITE}"'
    exact = exact_fraction(value, parameter=parameter, requirement=requirement)
    require(exact >= 1, parameter=parameter, value=value, requirement=requirement)
    return exact


@total_ordering
@dataclass(frozen=True, slots=True)
class Epsilon:
    """A privacy parameter, exact: either epsilon itself is rational, or e^epsilon is.

    rational: epsilon if it is known as a rational, else None. exp: e^epsilon if that is rational, else None.
    Both are given for epsilon = 0 only (by the Lindemann-Weierstrass theorem there is no other such value).

    >>> parse_epsilon("ln 7/3").exp
    Fraction(7, 3)
    >>> parse_epsilon("ln 3") < parse_epsilon("1.1")
    True
    """

    rational: Fraction | None
    exp: Fraction | None

    def __post_init__(self) -> None:
        if self.rational is None and self.exp is None:
            raise TypeError("an Epsilon needs its value or its exponential")
        if self.rational == 0 or self.exp == 1:  # whichever form was given, 0 has both
            if self.rational not in (0, None) or self.exp not in (1, None):
                raise TypeError(f"{self.rational} and ln {self.exp} are two different numbers")
            object.__setattr__(self, "rational", Fraction(0))
            object.__setattr__(self, "exp", Fraction(1))
        elif self.rational is not None and self.exp is not None:
            raise TypeError(f"{self.rational} and ln {self.exp} are two different numbers")

    def __str__(self) -> str:
        return shortest(self.rational) if self.rational is not None else f"ln {ratio_text(_some(self.exp))}"

    def __lt__(self, other: Epsilon) -> bool:
        return compare(self, other) < 0

    def bounds(self, *, bits: int) -> tuple[Fraction, Fraction]:
        """Rationals lower <= epsilon <= upper with relative distance at most 2^-bits; equal if epsilon is rational."""
        return (self.rational, self.rational) if self.rational is not None else log_bounds(_some(self.exp), bits=bits)

    def exp_bounds(self, *, bits: int) -> tuple[Fraction, Fraction]:
        """Rationals lower <= e^epsilon <= upper with relative distance at most 2^-bits; equal if e^epsilon is rational."""
        return (self.exp, self.exp) if self.exp is not None else exp_bounds(_some(self.rational), bits=bits)


def parse_epsilon(value: Number | Epsilon, *, parameter: str = "epsilon", maximum: int | None = None) -> Epsilon:
    """An exact privacy parameter, at least 0 (and at most maximum, where there is one). Raises DomainError."""
    if isinstance(value, Epsilon):
        epsilon, text = value, str(value)
    else:
        text = _given(value)
        match = _LOGARITHM.fullmatch(value.strip()) if isinstance(value, str) else None
        wanted = 'a number such as 1 or "0.5", or a logarithm such as "ln 3"'
        if match is None:
            rational = exact_fraction(value, parameter=parameter, requirement=wanted)
            epsilon = Epsilon(rational, None)
        else:
            exp = _parsed((match["inside"] or match["bare"] or "").strip(), parameter=parameter, requirement=wanted)
            require(exp > 0, parameter=parameter, value=text, requirement="the logarithm of a positive number")
            epsilon = Epsilon(None, exp)
    smallest = epsilon.rational >= 0 if epsilon.rational is not None else _some(epsilon.exp) >= 1
    require(smallest, parameter=parameter, value=text, requirement="at least 0")
    if maximum is not None:
        require(epsilon <= Epsilon(Fraction(maximum), None), parameter=parameter, value=text, requirement=f"at most {maximum}")
    return epsilon


def epsilon0_parameter(value: Number | Epsilon) -> Epsilon:
    """The local privacy parameter epsilon0, in [0, 10000]. Raises DomainError."""
    return parse_epsilon(value, parameter="epsilon0", maximum=LARGEST_EPSILON0)


def renyi_order(value: Number) -> Fraction:
    """An order of the Renyi divergence, above 1 and at most 10^6. Raises DomainError."""
    requirement = f"a number above 1, at most {LARGEST_ORDER}"
    exact = exact_fraction(value, parameter="order", requirement=requirement)
    require(1 < exact <= LARGEST_ORDER, parameter="order", value=value, requirement=requirement)
    return exact


def lambda_parameter(value: Number, *, n: int) -> Fraction:
    """The bit sum's lambda, the expected number of random bits among n: an exact number in [0, n]. Raises DomainError."""
    requirement = f"a number from 0 to n = {n}"
    exact = exact_fraction(value, parameter="lambda", requirement=requirement)
    require(0 <= exact <= n, parameter="lambda", value=value, requirement=requirement)
    return exact


def noise_variance(value: Number) -> Fraction:
    """The parameter sigma^2 of discrete Gaussian noise: an exact number above 0, at most 10^9. Raises DomainError."""
    exact = exact_fraction(value, parameter="variance")
    require(0 < exact <= 10**9, parameter="variance", value=value, requirement="above 0, at most 10^9")
    return exact


def compare(left: Epsilon, right: Epsilon) -> int:
    """-1, 0 or 1 as left is below, equal to or above right; always decided, in rational arithmetic."""
    if left.rational is not None and right.rational is not None:
        return _sign(left.rational - right.rational)
    if left.exp is not None and right.exp is not None:
        return _sign(left.exp - right.exp)
    if left.rational is None:
        return -compare(right, left)
    # e^x for rational x != 0 is irrational, so it differs from the rational right.exp and the loop ends.
    ratio, x, bits = _some(right.exp), left.rational, 64
    size = ratio.numerator.bit_length() - ratio.denominator.bit_length()  # 2^(size - 1) < ratio < 2^(size + 1), and 1/2 < ln 2 < 1
    if size >= 0 and x >= size + 1:
        return 1
    if size >= 1 and 2 * x <= size - 1:
        return -1
    while True:
        lower, upper = exp_bounds(x, bits=bits)
        if upper < ratio:
            return -1
        if lower > ratio:
            return 1
        bits *= 2


def decimal_text(x: Fraction, *, digits: int, direction: Direction) -> str:
    """x as a decimal with at most `digits` significant digits, rounded down or up (toward minus or plus infinity); 1e-6 as people type it.

    >>> decimal_text(Fraction(2, 3), digits=4, direction="down"), decimal_text(Fraction(2, 3), digits=4, direction="up")
    ('0.6666', '0.6667')
    """
    if x < 0:
        return "-" + decimal_text(-x, digits=digits, direction="up" if direction == "down" else "down")
    if x == 0:
        return "0"
    exponent = _decimal_exponent(x)
    # In integers: a product of Fractions takes greatest common divisors, which takes seconds of numbers with 100,000 digits.
    power = digits - 1 - exponent
    above, below = x.numerator * 10 ** max(power, 0), x.denominator * 10 ** max(-power, 0)
    whole = above // below if direction == "down" else -(-above // below)
    if whole >= 10**digits:
        whole, exponent = whole // 10, exponent + 1
    mantissa = str(whole).rstrip("0") or "0"
    if -5 <= exponent < max(digits, 17):
        if exponent < 0:
            return "0." + "0" * (-exponent - 1) + mantissa
        padded = mantissa.ljust(exponent + 1, "0")
        return padded[: exponent + 1] + ("." + padded[exponent + 1 :] if len(padded) > exponent + 1 else "")
    return mantissa[0] + ("." + mantissa[1:] if len(mantissa) > 1 else "") + f"e{exponent:+d}"


def padded_decimal_text(x: Fraction, *, digits: int, direction: Direction) -> str:
    """decimal_text with two digits of exponent at least, 1e-06, as C and Python print it and stored vectors have it."""
    return re.sub(r"e([+-])(\d)$", r"e\g<1>0\2", decimal_text(x, digits=digits, direction=direction))


def shortest(x: Fraction) -> str:
    """x exactly: as a decimal where that ends within 40 digits, otherwise as a ratio."""
    for digits in (17, 40):
        text = decimal_text(x, digits=digits, direction="down")
        if text == decimal_text(x, digits=digits, direction="up"):
            return text
    return ratio_text(x)


def ratio_text(x: Fraction) -> str:
    """x as "numerator/denominator" (or an integer), however long: Python's own conversion stops at 4300 digits."""
    numerator = _integer_text(x.numerator)
    return numerator if x.denominator == 1 else f"{numerator}/{_integer_text(x.denominator)}"


def as_given(**parameters: Number | Epsilon | None) -> dict[str, str]:
    """Each parameter that was given, not None, as text, for a result to repeat; very long rationals only approximately, and saying so."""
    return {name: _given(value) for name, value in parameters.items() if value is not None}


def amount(number: int | str, of: str) -> str:
    """Return how many there are of something, in words.

    >>> amount(1, "round"), amount("2", "round")
    ('1 round', '2 rounds')
    """
    return f"{number} {of}{'' if str(number) == '1' else 's'}"


def in_words(given: Mapping[str, object]) -> str:
    """ "n = 1000, eps0 = 1": what was given, name by name."""
    return ", ".join(f"{name} = {text}" for name, text in given.items())


def told(dishonest: Number) -> dict[str, Number]:
    """Return what a result repeats of a number of dishonest users: nothing where there are none."""
    return {} if exact_fraction(dishonest, parameter="dishonest") == 0 else {"dishonest": dishonest}


def certain_digits(lower: Fraction, upper: Fraction) -> int | None:
    """How many significant digits an enclosure settles: the largest d with upper - lower <= 10^-d upper; None if exact."""
    if lower == upper:
        return None
    if upper <= 0:
        return 0
    return max(0, -_decimal_exponent((upper - lower) / upper) - (0 if _power_of_ten((upper - lower) / upper) else 1))


def float_toward(x: Fraction, *, direction: Direction) -> float:
    """The nearest float on the stated side of x (infinite where there is none)."""
    try:
        nearest = float(x)
    except OverflowError:
        nearest = math.inf if x > 0 else -math.inf
    if math.isinf(nearest):
        beyond = (nearest > 0) == (direction == "up")
        return nearest if beyond else math.copysign(math.nextafter(math.inf, 0), nearest)
    if direction == "up":
        return nearest if Fraction(nearest) >= x else math.nextafter(nearest, math.inf)
    return nearest if Fraction(nearest) <= x else math.nextafter(nearest, -math.inf)


def _parsed(text: str, *, parameter: str, requirement: str, largest_exponent: int = _LARGEST_EXPONENT) -> Fraction:
    wrong = DomainError(parameter=parameter, value=text, requirement=f"{requirement}{_meant(text)}")
    if len(text) > _LONGEST_TEXT:
        raise wrong
    parts = text.strip().split("/")
    if len(parts) > 2:
        raise wrong
    values = []
    for part in parts:
        match = _DECIMAL.fullmatch(part.strip())
        if match is None:
            raise wrong
        sign, whole, fraction, exponent, sign2, fraction2, exponent2 = match.groups(default="")
        digits, point = whole + fraction + fraction2, len(fraction) + len(fraction2)
        power = exponent or exponent2 or "0"
        if len(power) > 9 or abs(int(power)) > largest_exponent:
            raise DomainError(parameter=parameter, value=text, requirement=f"given with an exponent of at most {largest_exponent}")
        scale = int(power) - point
        value = Fraction(int(digits) * 10 ** max(scale, 0), 10 ** max(-scale, 0))
        values.append(-value if "-" in (sign, sign2) else value)
    if len(values) == 1:
        return values[0]
    if values[1] == 0:
        raise wrong
    return values[0] / values[1]


def _meant(text: str) -> str:
    """Say what a text that is no number was probably meant to be, as it is written here: 30%, 50k, 10^-6."""
    written = _NEARLY.fullmatch(text.strip()) if len(text) <= _LONGEST_TEXT else None
    if written is None:
        return ""
    digits, suffix, exponent = written.group("digits", "suffix", "exponent")
    if exponent is not None:
        return f" (write 1e{exponent})"
    if suffix == "%":
        return f" (write {digits}e-2 for {digits} %)"
    return f" (write {digits}e{3 if suffix in 'kK' else 6})"


def _given(value: Number | Epsilon) -> str:
    if isinstance(value, (int, Fraction)) and value.numerator.bit_length() + value.denominator.bit_length() > _LONGEST_GIVEN_BITS:
        return f"about {decimal_text(Fraction(value), digits=20, direction='down')}"
    if isinstance(value, float):
        return re.sub(r"e([+-])0", r"e\1", str(value))
    if isinstance(value, (int, str, Fraction, Decimal, Epsilon)) or not hasattr(value, "as_integer_ratio"):
        return str(value)
    return shortest(exact_fraction(value, parameter="value"))  # a float of another length, whose text names another number


def _integer_text(n: int) -> str:
    if n < 0:
        return "-" + _integer_text(-n)
    digits = int(n.bit_length() * 0.30103) + 1
    if digits < _LONGEST_TEXT:
        return str(n)
    high, low = divmod(n, 10 ** (digits // 2))
    return _integer_text(high) + _integer_text(low).zfill(digits // 2)


def _some(x: Fraction | None) -> Fraction:
    assert x is not None
    return x


def _sign(x: Fraction) -> int:
    return (x > 0) - (x < 0)


def _decimal_exponent(x: Fraction) -> int:
    """floor(log10 x) for x > 0, exactly."""
    estimate = math.floor((x.numerator.bit_length() - x.denominator.bit_length()) * 0.30103)
    while not _reaches(x, estimate):
        estimate -= 1
    while _reaches(x, estimate + 1):
        estimate += 1
    return estimate


def _reaches(x: Fraction, exponent: int) -> bool:
    """Return whether x >= 10^exponent."""
    return bool(x.numerator * 10 ** max(-exponent, 0) >= x.denominator * 10 ** max(exponent, 0))


def _power_of_ten(x: Fraction) -> bool:
    return x == Fraction(10) ** _decimal_exponent(x)
