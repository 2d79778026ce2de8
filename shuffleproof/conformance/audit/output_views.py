"""The ways to distinguish outputs among which the choosing half of the samples picks one."""

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import pairwise
from typing import Literal, get_args

from shuffleproof.conformance.audit.samples import View, edges_of, halves
from shuffleproof.spec.vocabulary.errors import DomainError, require_one_of

OutputType = Literal["auto", "number", "text", "bits"]
MOST_DISTINCT = 256
"""Up to so many different outputs they are distinguished as they are; more numbers than that also by interval, and by their last digits."""
_BINS = 64
"""Intervals that numbers are sorted into: each should hold some dozens of the choosing samples."""
_LONGEST_BITS = 256
"""Bits of a text that is looked at bit by bit."""
_CODE = re.compile(r"[+-]?0\d")
"""A text with a leading zero is a code, and no number."""
_MODULI = (2, 4, 16)
"""Numbers are also looked at by their remainders: leaks in low bits are seen in few samples."""


def output_views(one: Sequence[str], two: Sequence[str], *, type: OutputType = "auto") -> tuple[tuple[View, ...], str]:
    """The views of outputs on two inputs, the plainest first, and what the outputs were taken for.

    type: "number" (by interval, as they are, near the ends, by their last binary and decimal digits), "text" (as they are, by length, by
    first and last character), "bits" (as they are, by the number of ones, bit by bit); "auto" takes more than 256 different outputs, half
    of which or more are finite numbers, for numbers, and fewer, or others, for texts; texts of 0 and 1 of one length for bits.
    The choosing half, every second output from the first on, alone decides. Raises DomainError for outputs that are not of the type.
    """
    choosing = [*one[0::2], *two[0::2]]
    kind = require_one_of(type, get_args(OutputType), parameter="type")
    if kind == "auto":
        kind = _kind(choosing)
    elif kind == "bits" and not _are_bits([*one, *two]):
        raise DomainError(parameter="type", value=kind, requirement=f"of texts of 0 and 1, of one length up to {_LONGEST_BITS}")
    elif kind == "number" and not any(_finite(text) is not None for text in choosing):
        raise DomainError(parameter="type", value=kind, requirement="of numbers: none of the outputs is one")
    labels = {"number": _of_numbers, "text": _of_texts, "bits": _of_bits}[kind](choosing)
    made = []
    for name, label in labels:
        chosen, other_chosen = (list(map(label, side[0::2])) for side in (one, two))
        tested, other_tested = (map(label, side[1::2]) for side in (one, two))
        (ranking, weighing), (other_ranking, other_weighing) = halves(chosen), halves(other_chosen)
        made.append(
            View(
                name=name,
                ranking=(ranking, other_ranking),
                weighing=(weighing, other_weighing),
                testing=(Counter(tested), Counter(other_tested)),
            )
        )
    return tuple(made), kind


def _kind(choosing: Sequence[str]) -> str:
    different = set(choosing)
    if len(choosing[0]) > 1 and _are_bits(choosing):
        return "bits"
    if len(different) <= MOST_DISTINCT or any(_CODE.match(text) for text in different):
        return "text"
    numbers = sum(_finite(text) is not None for text in choosing)
    return "number" if 2 * numbers >= len(choosing) else "text"


def _are_bits(outputs: Sequence[str]) -> bool:
    length = len(outputs[0])
    return length <= _LONGEST_BITS and all(len(text) == length and not text.strip("01") for text in outputs)


_Labels = Iterator[tuple[str, Callable[[str], Hashable]]]


def _of_numbers(choosing: Sequence[str]) -> _Labels:
    """Yield the ways to distinguish numbers; what is no finite number counts as itself in all of them."""
    numbers = [number for text in choosing if (number := _finite(text)) is not None]
    yield "by interval", _interval(edges_of(numbers, bins=_BINS))
    ordered = sorted(numbers)
    ends = sorted({ordered[min(at, len(ordered) - 1)] for at in _powers(len(ordered))} | {ordered[-1 - at] for at in _powers(len(ordered))})
    yield "near the ends", _interval(ends)
    yield "as they are", lambda text: text
    grid = max((number.as_integer_ratio()[1].bit_length() - 1 for number in numbers), default=0)
    for modulus in _MODULI:
        yield f"by multiples of 2^-{grid}, modulo {modulus}", _binary_digits(grid, modulus)
    yield "by the last decimal digit", lambda text: text if _finite(text) is None else f"... {_last_digit(text)}"


def _of_texts(_choosing: Sequence[str]) -> _Labels:
    yield "as they are", lambda text: text
    yield "by length", lambda text: f"{len(text)} characters"
    yield "by the first character", lambda text: f"{text[:1]}..."
    yield "by the last character", lambda text: f"...{text[-1:]}"


def _of_bits(choosing: Sequence[str]) -> _Labels:
    yield "as they are", lambda text: text
    yield "by the number of ones", lambda text: f"{text.count('1')} ones"
    for at in range(len(choosing[0])):
        yield f"by bit {at + 1}", lambda text, at=at: f"bit {at + 1} is {text[at : at + 1]}"  # type: ignore[misc]


def _interval(edges: Sequence[float]) -> Callable[[str], Hashable]:
    """The name of the interval between two edges that a number lies in."""
    names = [f"below {edges[0]!r}" if edges else "every number"]
    names += [f"from {low!r} to below {high!r}" for low, high in pairwise(edges)]
    names += [f"from {edges[-1]!r} on"] if edges else []

    def label(text: str) -> Hashable:
        number = _finite(text)
        if number is None:
            return text
        return names[bisect_right(edges, number)]

    return label


def _binary_digits(grid: int, modulus: int) -> Callable[[str], Hashable]:
    def label(text: str) -> Hashable:
        number = _finite(text)
        if number is None:
            return text
        numerator, denominator = number.as_integer_ratio()
        return f"{(numerator << grid) // denominator % modulus} modulo {modulus}"

    return label


def _last_digit(text: str) -> str:
    """Return the last digit before an exponent."""
    digits = re.split("[eE]", text)[0].rstrip()
    return digits[-1:] if digits[-1:].isdigit() else "0"


def _powers(most: int) -> list[int]:
    """0, 1, 3, 7, ... below a limit: so many outputs lie at or beyond the places where intervals near the ends begin."""
    return [2**k - 1 for k in range(1 + max(most, 1).bit_length()) if 2**k - 1 < most]


def _finite(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
