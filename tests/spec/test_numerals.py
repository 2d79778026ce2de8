"""Exact parsing, exact comparison, directed printing."""

import math
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, strategies as st

from shuffleproof.spec.vocabulary.elementary import exp_bounds, log_bounds
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    as_given,
    certain_digits,
    compare,
    count,
    decimal_text,
    epsilon0_parameter,
    exact_fraction,
    float_toward,
    parse_epsilon,
    probability,
    shortest,
    ungrouped,
)

rationals = st.fractions(min_value=Fraction(-(10**9)), max_value=Fraction(10**9))


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        ("0.1", Fraction(1, 10)),
        (0.1, Fraction(3602879701896397, 36028797018963968)),
        (Decimal("0.1"), Fraction(1, 10)),
        ("1e-6", Fraction(1, 10**6)),
        ("7/24", Fraction(7, 24)),
        (" 3 ", Fraction(3)),
        (".5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("-1.5e1/3", Fraction(-5)),
        (7, Fraction(7)),
    ],
)
def test_numbers_are_taken_exactly(value, exact):
    assert exact_fraction(value, parameter="x") == exact


@pytest.mark.parametrize(
    "value",
    [
        "",
        "nan",
        "inf",
        "-inf",
        "1e",
        "e5",
        "1//2",
        "1/0",
        "1/2/3",
        "0x10",
        "1_000",
        "١",
        "1e99999",
        "1" * 6000,
        True,
        None,
        [],
        math.nan,
        math.inf,
        1j,
    ],
)
def test_anything_else_is_a_domain_error_that_names_the_parameter(value):
    with pytest.raises(DomainError) as caught:
        exact_fraction(value, parameter="delta")
    assert caught.value.parameter == "delta"


REFUSED = {
    count: [0, -1, "1.5", "1e400", "nan", 1.5, "", "1e19", "50.000", "1.000.000"],
    probability: ["-1e-300", "1.0000000000000001", 2, "nan"],
    exact_fraction: [np.float32("inf"), np.float32("nan"), np.longdouble("nan"), np.True_, np.array([1, 2]), np.array(0.5)],
    lambda text, parameter: parse_epsilon(text): ["ln", "ln 0", "ln -3", "ln 0.5", "ln3", "log 3", "ln ln 3", "ln (3", "-1", "-0.0000001"],
}


@pytest.mark.parametrize(("read", "value"), [(read, value) for read, values in REFUSED.items() for value in values])
def test_what_is_no_count_probability_number_or_epsilon_is_refused(read, value):
    with pytest.raises(DomainError):
        read(value, parameter="x")


def test_counts_may_be_written_with_an_exponent():
    assert count("1e6", parameter="n") == 10**6
    assert count("2.5e1", parameter="n") == 25


@pytest.mark.parametrize("text", ["1234567", "1,234,567", "1_234_567", "1 234 567", "1\u202f234\u00a0567"])
def test_the_thousands_of_a_whole_number_may_be_set_apart_by_one_mark(text):
    assert ungrouped(text) == (text if "\u202f" in text else "1234567")


@pytest.mark.parametrize("text", ["0,001", "1,5", "1,2345", "12,34,567", "1,234_567", "1,234.5", "-1,234", "1e6", ""])
def test_what_may_be_a_decimal_stays_as_it_is(text):
    assert ungrouped(text) == text


def test_a_limit_that_is_no_power_of_ten_is_told_in_full():
    for maximum, told in ((10**9, "1e\\+09"), (10**9 - 1, "999999999")):
        with pytest.raises(DomainError, match=f"from 1 to {told}$"):
            count(10**10, parameter="n", maximum=maximum)


@pytest.mark.parametrize(("text", "exp"), [("ln 3", 3), ("ln(7/2)", Fraction(7, 2)), ("ln 1.25", Fraction(5, 4)), ("ln 1", 1)])
def test_logarithms_give_an_exact_exponential(text, exp):
    assert parse_epsilon(text).exp == exp


def test_epsilon0_has_a_largest_value():
    assert epsilon0_parameter("10000").rational == 10000
    for text in ("10001", "1e9999", "ln 1e5000"):
        with pytest.raises(DomainError):
            epsilon0_parameter(text)


@given(st.fractions(min_value=Fraction(-50), max_value=Fraction(800)), st.integers(4, 300))
def test_exponential_bounds_hold_and_are_as_tight_as_promised(x, bits):
    lower, upper = exp_bounds(x, bits=bits)
    assert lower <= upper
    assert (upper - lower) * 2**bits <= upper
    with mpmath.workprec(bits + 200):
        value = mpmath.exp(mpmath.mpf(x.numerator) / x.denominator)
        assert mpmath.mpf(lower.numerator) / lower.denominator <= value * (1 + mpmath.mpf(2) ** -(bits + 100))
        assert mpmath.mpf(upper.numerator) / upper.denominator >= value * (1 - mpmath.mpf(2) ** -(bits + 100))


@given(st.fractions(min_value=Fraction(1), max_value=Fraction(10**30)), st.integers(4, 300))
def test_logarithm_bounds_invert_exponential_bounds(ratio, bits):
    lower, upper = log_bounds(ratio, bits=bits)
    assert (upper - lower) * 2**bits <= max(upper, 0) * Fraction(3, 2)
    assert exp_bounds(lower, bits=bits + 64)[0] <= ratio <= exp_bounds(upper, bits=bits + 64)[1]


@pytest.mark.parametrize("bits", [1, 64, 300])
@pytest.mark.parametrize("exponent", [0, 1, 40, 10_000])
def test_logarithms_close_to_ratio_1_are_bounded_by_their_series(bits, exponent):
    """Below u = 2^-bits, at it and above it: u - u^2/2 < ln(1 + u) < u - u^2/2 + u^3/3, and Newton's steps where u is larger."""
    u = Fraction(1, 10**exponent * 2**bits)
    for close in (u, u * Fraction(9, 10), u * Fraction(11, 10)):
        lower, upper = log_bounds(1 + close, bits=bits)
        assert lower <= close - close**2 / 2 + close**3 / 3
        assert close - close**2 / 2 <= upper
        assert (upper - lower) * 2**bits <= upper * Fraction(3, 2)


@given(st.fractions(min_value=Fraction(1), max_value=Fraction(10**6)), st.integers(1, 60))
def test_comparison_separates_a_logarithm_from_its_neighbouring_rationals(ratio, digits):
    lower, upper = log_bounds(ratio, bits=4 * digits + 8)
    logarithm = Epsilon(Fraction(0) if ratio == 1 else None, ratio)
    if ratio == 1:
        assert compare(logarithm, Epsilon(Fraction(0), Fraction(1))) == 0
        return
    gap = upper / 10**digits + (upper - lower)
    assert compare(logarithm, Epsilon(upper + gap, None)) == -1
    assert compare(Epsilon(lower - gap, None) if lower > gap else Epsilon(Fraction(0), Fraction(1)), logarithm) == -1
    assert compare(Epsilon(upper + gap, None), logarithm) == 1


@given(rationals, st.integers(1, 40))
def test_decimal_text_rounds_to_the_stated_side(x, digits):
    down, up = decimal_text(x, digits=digits, direction="down"), decimal_text(x, digits=digits, direction="up")
    assert Fraction(down) <= x <= Fraction(up)
    assert Fraction(up) - Fraction(down) <= abs(x) * Fraction(10) ** (1 - digits)


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(1), "1"),
        (Fraction(123456789), "123456789"),
        (Fraction(1, 10**5), "0.00001"),
        (Fraction(1, 10**6), "1e-6"),
        (Fraction(10) ** 300, "1e+300"),
        (Fraction(-5, 2), "-2.5"),
    ],
)
def test_short_numbers_print_as_people_write_them(x, text):
    assert decimal_text(x, digits=17, direction="down") == decimal_text(x, digits=17, direction="up") == text
    assert exact_fraction(text, parameter="x") == x


def test_carrying_into_a_new_digit():
    assert decimal_text(Fraction(999999, 1000000), digits=3, direction="up") == "1"
    assert decimal_text(Fraction(999999, 1000000), digits=3, direction="down") == "0.999"


@given(rationals)
def test_shortest_is_exact(x):
    assert exact_fraction(shortest(x), parameter="x") == x


@given(st.fractions(min_value=Fraction(-(10**400)), max_value=Fraction(10**400)))
def test_floats_stay_on_their_side(x):
    low, high = float_toward(x, direction="down"), float_toward(x, direction="up")
    assert low == -math.inf or Fraction(low) <= x
    assert high == math.inf or Fraction(high) >= x


@pytest.mark.parametrize(("lower", "upper", "digits"), [(1, 1, None), (0, 1, 0), (Fraction(9, 10), 1, 1), (1 - Fraction(1, 10**15), 1, 15)])
def test_certain_digits(lower, upper, digits):
    assert certain_digits(Fraction(lower), Fraction(upper)) == digits


def test_numbers_beyond_the_interpreters_conversion_limit_are_still_printed_and_refused_properly():
    long = Fraction(10**6000 + 1, 3)
    assert shortest(long) == "1" + "0" * 5999 + "1/3"
    assert as_given(delta=1 / long)["delta"].startswith("about 2.9999")
    assert as_given(n=10, epsilon=parse_epsilon("ln 3")) == {"n": "10", "epsilon": "ln 3"}
    with pytest.raises(DomainError):
        count(10**5000, parameter="n")
    with pytest.raises(DomainError):
        exact_fraction("1" * 4500, parameter="n")


@pytest.mark.parametrize("epsilon", ["1e9", "1e9999", 2])
@pytest.mark.parametrize("logarithm", ["ln 1.5", "ln 1.0000001", "ln 1.999"])
def test_a_number_is_told_from_a_small_logarithm_without_its_exponential(epsilon, logarithm):
    assert compare(parse_epsilon(epsilon), parse_epsilon(logarithm)) == 1
    assert compare(parse_epsilon(logarithm), parse_epsilon(epsilon)) == -1


def test_an_epsilon_of_zero_is_the_same_in_either_form():
    assert Epsilon(Fraction(0), None) == Epsilon(None, Fraction(1)) == parse_epsilon(0)
    assert compare(Epsilon(Fraction(0), None), Epsilon(None, Fraction(1))) == 0


@pytest.mark.parametrize(
    ("rational", "exp"), [(None, None), (Fraction(1), Fraction(3)), (Fraction(0), Fraction(2)), (Fraction(1), Fraction(1))]
)
def test_an_epsilon_cannot_be_two_numbers(rational, exp):
    with pytest.raises(TypeError):
        Epsilon(rational, exp)


def test_decimals_beyond_floats_are_numbers_and_signalling_ones_are_not():
    assert exact_fraction(Decimal("1e400"), parameter="x") == 10**400
    for value in ("sNaN", "NaN", "Infinity"):
        with pytest.raises(DomainError):
            exact_fraction(Decimal(value), parameter="x")


def test_an_epsilon_too_long_to_print_is_still_accepted_or_refused_properly():
    assert parse_epsilon(Fraction(1, 2**20000)).rational == Fraction(1, 2**20000)
    with pytest.raises(DomainError, match="about -"):
        parse_epsilon(-Fraction(1, 2**20000))


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (np.int64(3), Fraction(3)),
        (np.uint8(200), Fraction(200)),
        (np.float64(0.1), Fraction(0.1)),
        (np.float32(0.1), Fraction(13421773, 2**27)),
        (np.longdouble("0.5"), Fraction(1, 2)),
    ],
)
def test_a_scalar_of_numpys_is_the_rational_that_it_stands_for(value, exact):
    assert exact_fraction(value, parameter="x") == exact
    told = as_given(x=value)["x"]
    assert told == str(value) if isinstance(value, (np.integer, float)) else Fraction(told) == exact
