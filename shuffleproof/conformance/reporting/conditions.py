"""What failing inputs have in common: the simplest condition on the input that all who meet it fail, and as many as possible do."""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations

from shuffleproof.conformance.catalogue.inputs import BETWEEN
from shuffleproof.conformance.judging.quantity import parse_quantity
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import decimal_text

Given = Mapping[str, str]
_FEWEST = 2
"""Failing inputs that a condition must hold for: fewer say nothing."""
_FEWEST_OF_TWO = 3
"""The same of a condition that is made of two, or speaks of notation."""
_SHOWN_DIGITS = 6
"""Digits of a number that a condition names."""


@dataclass(frozen=True, kw_only=True)
class Condition:
    """says: in words, such as "n <= 100"; holds: for an input; failing: of how many failing inputs; weak: whether two prove little."""

    says: str
    holds: Callable[[Given], bool]
    failing: int
    weak: bool = False

    def __str__(self) -> str:
        return f"whenever {self.says}"


def condition(failing: Sequence[Given], others: Sequence[Given]) -> Condition | None:
    """The condition that most failing inputs meet, and none of the others.

    Tried are bounds on one number, its value, its notation, how two numbers compare, and two of these together. Found among the inputs that
    were asked: it is no proof of what happens elsewhere. None where no condition holds for two failing inputs or more, or nothing speaks
    against "always" (no other input was judged).
    """
    if len(failing) < _FEWEST:
        return None
    if not others:
        return Condition(says="it is asked of these cases", holds=lambda _: True, failing=len(failing))
    single = [*_candidates(failing, others)]
    best = _best([each for each in single if not any(each.holds(given) for given in others)], failing)
    if best is not None and best.failing == len(failing):
        return best
    useful = sorted(single, key=lambda each: (sum(each.holds(given) for given in others), len(each.says)))[:40]
    both = [_both(one, other, failing) for one, other in combinations(useful, 2)]
    pair = _best([each for each in both if not any(each.holds(given) for given in others)], failing)
    if best is None or (pair is not None and pair.failing > best.failing):
        return pair
    return best


def _best(found: Sequence[Condition], failing: Sequence[Given]) -> Condition | None:
    """That of most failing inputs, then the shortest."""
    enough = [each for each in found if each.failing >= (_FEWEST_OF_TWO if each.weak else _FEWEST)]
    return max(enough, key=lambda each: (each.failing, -len(each.says)), default=None)


def _both(one: Condition, other: Condition, failing: Sequence[Given]) -> Condition:
    def holds(given: Given) -> bool:
        return one.holds(given) and other.holds(given)

    return Condition(says=f"{one.says} and {other.says}", holds=holds, failing=sum(map(holds, failing)), weak=True)


def _candidates(failing: Sequence[Given], others: Sequence[Given]) -> Iterator[Condition]:
    keys = list(dict.fromkeys(key for given in (*failing, *others) for key in given))
    tests: list[tuple[str, Callable[[Given], bool]]] = []
    for key in keys:
        tests.extend(_of_key(key, failing, others))
    for low, high in (("epsilon0", "epsilon"), ("n", "r"), ("n", "k"), ("n", "messages"), ("n", "ones")):
        if low in keys and high in keys:
            tests.extend(_compared(low, high))
    for says, holds in tests:
        number = sum(map(holds, failing))
        if number:
            yield Condition(says=says, holds=holds, failing=number, weak=not any(sign in says for sign in ("<", ">", "=")))


def _of_key(key: str, failing: Sequence[Given], others: Sequence[Given]) -> Iterator[tuple[str, Callable[[Given], bool]]]:
    """Conditions on one key: bounds, values, notations."""
    bad = [value for given in failing if (value := _number(given, key)) is not None]
    good = [value for given in others if (value := _number(given, key)) is not None]
    texts = {value: given[key] for given in failing if (value := _number(given, key)) is not None}
    # A bound that parts at least some failing inputs from others, as far out as no other input allows.
    for below in (True, False):
        edges = [value for value in bad if not any(other <= value if below else other >= value for other in good)]
        if edges:
            edge = max(edges) if below else min(edges)
            yield f"{key} {'<=' if below else '>='} {_shown(texts[edge])}", _bound(key, edge, below)
        loose = [value for value in bad if good and (value < max(good) if below else value > min(good))]
        if loose:  # for two conditions together
            edge = max(bad) if below else min(bad)
            yield f"{key} {'<=' if below else '>='} {_shown(texts[edge])}", _bound(key, edge, below)
    for text in dict.fromkeys(given[key] for given in failing if key in given):
        value = _number({key: text}, key)
        if value is not None and len(text) <= 40:
            yield f"{key} = {text}", partial(_meets, key, partial(operator.eq, value), None)
        elif value is None and len(text) <= 40:
            yield f"{key} is {text}", _same_text(key, text)
    for says, mark in (("has a / in it", "/"), ("is a logarithm", "ln"), ("has an exponent", "e")):
        yield f"{key} {says}", _noted(key, mark)
    yield f"{key} is not given", lambda given: key not in given
    if key in ("n", "k", "rounds", "r"):
        yield f"{key} is odd", _remainder(key, 1)
        yield f"{key} is even", _remainder(key, 0)


def _compared(low: str, high: str) -> Iterator[tuple[str, Callable[[Given], bool]]]:
    for sign, holds in (("<", operator.lt), ("=", operator.eq), (">", operator.gt)):
        yield f"{low} {sign} {high}", partial(_meets, low, holds, high)


def _meets(key: str, test: Callable[..., bool], other: str | None, given: Given) -> bool:
    """Return whether a number meets a test; other: the key of a second one, which is tested with it."""
    values = [_number(given, each) for each in (key, other) if each is not None]
    return None not in values and test(*values)


def _bound(key: str, edge: Fraction, below: bool) -> Callable[[Given], bool]:
    return partial(_meets, key, partial(operator.ge if below else operator.le, edge), None)


def _same_text(key: str, text: str) -> Callable[[Given], bool]:
    return lambda given: given.get(key) == text


def _noted(key: str, mark: str) -> Callable[[Given], bool]:
    def holds(given: Given) -> bool:
        text = given.get(key, "").lower()
        return _number(given, key) is not None and mark in (text.removeprefix("ln") if mark == "e" else text)

    return holds


def _remainder(key: str, rest: int) -> Callable[[Given], bool]:
    return partial(_meets, key, lambda value: value % 2 == rest, None)


def _number(given: Given, key: str) -> Fraction | None:
    text = given.get(key)
    return None if text is None else _value(text)


@lru_cache(maxsize=10_000)
def _value(text: str) -> Fraction | None:
    """A number, or a rational a hair below a logarithm: close enough to distinguish inputs."""
    if BETWEEN in text or "," in text or len(text) > 200:
        return None
    try:
        return parse_quantity(text).bounds()[0]
    except DomainError:
        return None


def _shown(text: str) -> str:
    """A number as it was written, where that is short."""
    if len(text) <= 12:
        return text
    number = _value(text) or Fraction(0)
    shown = decimal_text(abs(number), digits=_SHOWN_DIGITS, direction="down")
    return f"-{shown}" if number < 0 else shown
