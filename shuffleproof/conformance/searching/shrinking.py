"""The simplest input that still fails, fewer digits first, then smaller numbers; and what has to be asked before it."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from shuffleproof.conformance.vectors import Case

Given = Mapping[str, str]
MOST_TRIES = 200
"""Questions asked to make a failing one shorter, at most."""
_COUNTS = ("n", "k", "rounds", "order", "input", "messages", "ones", "r", "bin", "x", "d", "buckets")
_DISTRIBUTIONS = ("p", "q", "laws")
_ZEROS = (1, 2, 3, 6, 9, 12, 15, 17, 20, 30, 45)
"""Decimal places at which an improbable outcome is tried."""


def shrunk(given: Given, fails: Callable[[Given], bool], *, tries: int = MOST_TRIES) -> dict[str, str]:
    """An input that fails as the one given does, and of whose simplifications none that was tried does.

    fails: asks; called at most `tries` times. The input given is known to fail.
    """
    best, seen = dict(given), {_key(given)}
    while True:
        for simpler in sorted(_simpler(best), key=weight):
            if weight(simpler) >= weight(best) or _key(simpler) in seen:
                continue
            if tries <= 0:
                return best
            seen.add(_key(simpler))
            tries -= 1
            if fails(simpler):
                best = simpler
                break
        else:
            return best


def weight(given: Given) -> tuple[int, int]:
    """Return what is to become less: the characters of an input, then the numbers in it."""
    return sum(map(len, given.values())), sum(int(part) for text in given.values() for part in re.findall(r"\d+", text))


def _key(given: Given) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(given.items()))


def _simpler(given: Given) -> Iterator[dict[str, str]]:
    several = "," in given.get("p", "") or "laws" in given
    for key, text in given.items():
        if key in _COUNTS:
            yield from ({**given, key: str(number)} for number in _smaller(text))
        elif key in ("norms", "dataset", "epsilons"):
            parts = text.split(",")
            yield from ({**given, key: ",".join(parts[:i] + parts[i + 1 :])} for i in range(len(parts)) if len(parts) > 1)
            for i, part in enumerate(parts):
                plainer = {f"ln {other}" for other in _plainer(part[3:])} | {"0"} if part.startswith("ln ") else _plainer(part)
                yield from ({**given, key: ",".join([*parts[:i], other, *parts[i + 1 :]])} for other in sorted(plainer))
        elif key in ("ratios", "masses"):
            continue
        elif several and key in _DISTRIBUTIONS:
            rows = text.split(" ")
            yield from ({**given, key: " ".join(rows[:i] + rows[i + 1 :])} for i in range(len(rows)) if len(rows) > 2)
            for i, row in enumerate(rows):
                yield from ({**given, key: " ".join([*rows[:i], other, *rows[i + 1 :]])} for other in _plainer_distributions(row))
        elif text.startswith("ln "):
            yield from ({**given, key: f"ln {other}"} for other in _plainer(text[3:]))
            yield {**given, key: "0"}
        else:
            yield from ({**given, key: other} for other in _plainer(text))
    if several:
        yield from _merged(given)
    if "ratios" in given:
        yield from _fewer_losses(given)


def _fewer_losses(given: Given) -> Iterator[dict[str, str]]:
    """One privacy loss distribution less, or a plainer one; ratios and masses belong together."""
    ratios, masses = (given[key].split(" ") for key in ("ratios", "masses"))
    for i in range(len(ratios)):
        if len(ratios) > 1:
            yield {**given, "ratios": " ".join(ratios[:i] + ratios[i + 1 :]), "masses": " ".join(masses[:i] + masses[i + 1 :])}
        for ratio, mass in (("1", "1"), ("1", "1/2"), ("2", "1"), ("2,1/2", "2/3,1/3"), ("1", "999999/1000000")):
            yield {
                **given,
                "ratios": " ".join([*ratios[:i], ratio, *ratios[i + 1 :]]),
                "masses": " ".join([*masses[:i], mass, *masses[i + 1 :]]),
            }


def _smaller(text: str) -> set[int]:
    number = int(text) if text.isdigit() else 0
    return {each for each in (0, 1, 2, 3, number // 10, number // 2, number - 1) if 0 <= each < number}


def _plainer(text: str) -> set[str]:
    """Numbers near, or merely simple."""
    try:
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        return set()
    found = {"0", "1", "2", "1/2", *(str(number.limit_denominator(most)) for most in (1, 2, 4, 10, 100))}
    if number > 0:
        found.add(f"1e{math.floor(math.log10(number.numerator) - math.log10(number.denominator))}")
    return found - {text}


def _plainer_distributions(row: str) -> Iterator[str]:
    law = [Fraction(each) for each in row.split(",")]
    even = [Fraction(1, len(law))] * len(law)
    least = law.index(min(law))
    for zeros in _ZEROS:
        tiny = Fraction(1, 10**zeros)
        rest = (1 - tiny) / (len(law) - 1) if len(law) > 1 else Fraction(1)
        yield ",".join(str(tiny if i == least and len(law) > 1 else rest) for i in range(len(law)))
    for rounded in (even, *([each.limit_denominator(most) for each in law[:-1]] for most in (2, 4, 10, 100))):
        whole = [*rounded[: len(law) - 1], 1 - sum(rounded[: len(law) - 1], Fraction(0))]
        if min(whole) >= 0:
            yield ",".join(map(str, whole))


def _merged(given: Given) -> Iterator[dict[str, str]]:
    """Two outcomes made one, in every distribution; all distributions even, or all the same with an improbable outcome."""
    laws = {key: [row.split(",") for row in given[key].split(" ")] for key in _DISTRIBUTIONS if key in given}
    outcomes = min(len(row) for rows in laws.values() for row in rows)
    yield {**given, **{key: " ".join(",".join([f"1/{len(row)}"] * len(row)) for row in rows) for key, rows in laws.items()}}
    for zeros in (*_ZEROS, 50, 55):
        same = f"1/{10**zeros},{10**zeros - 1}/{10**zeros}"
        yield {**given, **{key: " ".join([same] * len(rows)) for key, rows in laws.items()}}
    for i in range(outcomes - 1):
        if outcomes > 2:
            merged = {key: " ".join(_without(row, i) for row in rows) for key, rows in laws.items()}
            yield {**given, **merged}


def _without(row: list[str], i: int) -> str:
    return ",".join([*row[:i], str(Fraction(row[i]) + Fraction(row[i + 1])), *row[i + 2 :]])


_MOST_BEFORE = 400
"""Questions before a wrong answer that are asked again in search of the one that it comes of."""
_MOST_TRIES = 40
"""Conversations in search of the question that a wrong answer comes of; and to make that one shorter."""

Fails = Callable[[Sequence[Case]], bool]
"""Whether a fresh process, asked these questions in a row, answers the last of them wrongly."""


def needed_before(case: Case, earlier: Sequence[Case], *, fails: Fails) -> tuple[Case, ...] | None:
    """Questions after which the case, which does not fail alone, fails, as few as were found; None where it does not.

    earlier: what was asked before it, in order. Large parts are left out first, then small ones.
    """
    left = _distinct(earlier)[-_MOST_BEFORE:]
    if not left or not fails([*left, case]):
        return None
    size, tries = -(-len(left) // 2), _MOST_TRIES
    while size and tries > 0:
        at = 0
        while at < len(left) and len(left) > 1 and tries > 0:
            tries -= 1
            fewer = left[:at] + left[at + size :]
            if fewer and fails([*fewer, case]):
                left = fewer
            else:
                at += size
        size //= 2
    return tuple(left)


def simplest_before(case: Case, earlier: Case, *, made: Callable[[Given], Case | None], fails: Fails) -> Case:
    """The one question before it, made simpler as long as the case still fails after it. made: the case of an input, None if it is none."""
    best = earlier

    def still(given: Given) -> bool:
        nonlocal best
        simpler = made(given)
        found = simpler is not None and simpler.id != case.id and fails([simpler, case])
        if found and simpler is not None:
            best = simpler
        return found

    shrunk(earlier.given, still, tries=_MOST_TRIES)
    return best


def _distinct(cases: Sequence[Case]) -> list[Case]:
    """Each once, at the place where it was asked last."""
    found: dict[str, Case] = {}
    for case in cases:
        found.pop(case.id, None)
        found[case.id] = case
    return list(found.values())
