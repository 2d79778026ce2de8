"""Inputs that are lists: numbers separated by commas, and distributions separated by spaces; several inputs shown as one."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import count, exact_fraction

BETWEEN = "; "
"""Separates the texts of several inputs that are shown as one."""


def numbers(text: str, *, parameter: str) -> tuple[Fraction, ...]:
    """Exact numbers from "3/4,1/4". Raises DomainError.

    >>> numbers("1/2,0.5", parameter="p")
    (Fraction(1, 2), Fraction(1, 2))
    """
    return tuple(exact_fraction(part, parameter=parameter) for part in text.split(","))


def distribution(text: str, *, parameter: str) -> tuple[Fraction, ...]:
    """The probabilities of outcomes 0, 1, ...: at least 0, with sum 1. Raises DomainError."""
    row = numbers(text, parameter=parameter)
    proper = all(p >= 0 for p in row) and sum(row) == 1
    require(proper, parameter=parameter, value=text, requirement="probabilities with sum 1, separated by commas")
    return row


def distributions(text: str, *, parameter: str = "laws") -> tuple[tuple[Fraction, ...], ...]:
    """The distribution of each input 0, 1, ... over the same outcomes, from "3/4,1/4 1/4,3/4". Raises DomainError."""
    rows = tuple(distribution(part, parameter=parameter) for part in text.split(" "))
    same = len({len(row) for row in rows}) == 1
    require(same, parameter=parameter, value=text, requirement="laws over the same outcomes, separated by one space")
    return rows


def indices(text: str, *, parameter: str, below: int) -> tuple[int, ...]:
    """Whole numbers from 0 to below - 1, separated by commas. Raises DomainError."""
    return tuple(count(part, parameter=parameter, minimum=0, maximum=below - 1) for part in text.split(","))


def noise_terms(given: Mapping[str, str]) -> tuple[int, int]:
    """How many terms of noise, one or two, and the integer x they are compared with. Raises DomainError."""
    x = exact_fraction(given["x"], parameter="x")
    require(x.denominator == 1 and abs(x) <= 10**6, parameter="x", value=given["x"], requirement="an integer from -10^6 to 10^6")
    return count(given["terms"], parameter="terms", minimum=1, maximum=2), int(x)


def together(inputs: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Several inputs as one, for people: where they differ, the texts one after the other, separated by "; "."""
    keys = list(dict.fromkeys(key for given in inputs for key in given))
    texts = {key: [given.get(key, "-") for given in inputs] for key in keys}
    return {key: each[0] if len(set(each)) == 1 else BETWEEN.join(each) for key, each in texts.items()}


def apart(given: Mapping[str, str]) -> tuple[dict[str, str], ...]:
    """The inputs that `together` has made one of; an input that is alone comes back as it is."""
    many = max(len(text.split(BETWEEN)) for text in given.values()) if given else 1
    columns = {key: text.split(BETWEEN) if BETWEEN in text else [text] * many for key, text in given.items()}
    return tuple({key: texts[i] for key, texts in columns.items() if texts[i] != "-"} for i in range(many))
