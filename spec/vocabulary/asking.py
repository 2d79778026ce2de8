"""A question is read once: engines' functions take exact values, and say what they found.

Such a function is declared for its method (`@certified(CLONES)` in ball arithmetic), takes the method's parameters by their names, each as
its record reads it, and returns what it found. `answering` hands it a question that has been read; whoever calls it has it read there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial, update_wrapper, wraps
from types import MappingProxyType
from typing import Any, TypeVar, cast

from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.protocols import with_dishonest
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import about_family
from shuffleproof.spec.vocabulary.named_randomizer import SETTINGS, NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon, as_given, count, shortest
from shuffleproof.spec.vocabulary.parameters import CENTRAL, DISHONEST, EPSILON, Given, N, Parameter
from shuffleproof.spec.vocabulary.randomizers import RANDOMIZER, SIZES, of_given

T = TypeVar("T")

MOST_DIGITS = 1000
"""Decimal digits of an enclosure that may be asked for: a limit of what is tested, not of the arithmetic."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question that a method is asked.

    values: exact, by the names of the parameters; inputs: what a result repeats of them, as texts.
    """

    values: Mapping[str, Any]
    inputs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Found:
    """Ends of a method's own value, lower <= value <= upper, with what is known of them; see `Bound`.

    lower_certified, upper_certified: whether that end is informative; method: whose value it is, where not that of the function's own;
    told: what a result repeats besides; rests_on: assumptions, where not the engine's own; digits: to which ends are rounded, where not
    to those asked for.
    """

    lower: Fraction
    upper: Fraction
    lower_certified: bool = True
    precision: int | None = None
    exact: str | None = None
    method: Method | None = None
    told: Mapping[str, str] = field(default_factory=dict)
    rests_on: tuple[str, ...] = ()
    digits: int | None = None
    upper_certified: bool = True

    @classmethod
    def exactly(cls, value: Fraction | int, text: str = "") -> Found:
        """A rational value. text: how it is written, where not in the shortest way."""
        exact = Fraction(value)
        return cls(exact, exact, exact=text or shortest(exact))

    @classmethod
    def exactly_epsilon(cls, value: Epsilon, *, bits: int) -> Found:
        """A value that may be a logarithm; bits: of its ends."""
        lower, upper = value.bounds(bits=bits)
        return cls(lower, upper, exact=str(value))

    def or_larger(self, *others: Found) -> Found:
        """The largest of several values: its lower end is that of the one whose lower end is largest."""
        found = (self, *others)
        certified = max(found, key=lambda each: each.lower).lower_certified
        return Found(max(each.lower for each in found), max(each.upper for each in found), certified)


Finish = Callable[[Method, Quantity, Found, Mapping[str, str], Any], Bound]
"""How an engine makes a Bound of what was found, with a question's texts; the last argument: the digits that were asked for, or None."""


class EngineFunction:
    """An engine's answer to one quantity of a method: called with numbers as people write them, or handed a question."""

    __name__: str

    def __init__(
        self,
        method: Method | None,
        function: Callable[..., Found | Bound],
        finish: Finish,
        *,
        instance: tuple[Any, ...] = (),
        fixed: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self._method, self._function, self._finish, self._instance = method, function, finish, instance
        self._asked: dict[str, Any] = {**(function.__kwdefaults__ or {}), **fixed}
        update_wrapper(self, function)

    def __get__(self, instance: Any, owner: type) -> EngineFunction:
        """Bind the function to a pair that has its method as a field."""
        return self if instance is None else _bound(self, instance)

    def fixing(self, **fixed: Any) -> EngineFunction:
        """The same with arguments that every call is given."""
        return EngineFunction(self._method, self._function, self._finish, instance=self._instance, fixed=fixed)

    @property
    def quantity(self) -> Quantity:
        """Return what it answers, by its name without what stands behind the underscore."""
        return cast(Quantity, self.__name__.partition("_")[0])

    def __call__(self, **given: Any) -> Bound:
        """Read numbers as people write them, and answer. Raises DomainError."""
        assert self._method is not None
        names = {N.name, RANDOMIZER.name, *self._method.may_take, CENTRAL[self.quantity].name}
        asked = {name: given.pop(name) for name in names & given.keys()}
        return self.answer(read(self._method, self.quantity, asked), **given)

    def answer(self, question: Question, **how: Any) -> Bound:
        """Answer a question that has been read. how: what is asked besides, such as digits."""
        assert self._method is not None
        asked = {**self._asked, **question.values, **how}
        if "inputs" in self._function.__annotations__:
            asked["inputs"] = question.inputs
        if "digits" in asked:
            asked["digits"] = count(asked["digits"], parameter="digits", maximum=MOST_DIGITS)
        found = self._function(*self._instance, **asked)
        if isinstance(found, Bound) and found.method == self._method.name:  # asked otherwise
            rest = {name: text for name, text in found.inputs.items() if name not in question.inputs}
            return replace(found, inputs={**question.inputs, **rest})
        if isinstance(found, Bound):  # of another method
            return self._method.restated(found, inputs=question.inputs)
        method = with_dishonest(found.method or self._method, question.values.get(DISHONEST.name, 0))
        return self._finish(method, self.quantity, found, {**question.inputs, **found.told}, asked.get("digits"))


def read(method: Method, quantity: Quantity, given: Given, *, typed: Given = MappingProxyType({})) -> Question:
    """Read what a method is asked, with the texts that a result repeats. Raises DomainError.

    typed: as what those of the numbers were given that have been read already.
    """
    central = CENTRAL[quantity]
    values, texts = dict(given), {}
    typed = {**given, **typed}
    for each in (N, *method.parameters, *method.optional, central):
        if each.name not in given or each in SIZES:
            continue
        if each is RANDOMIZER:
            record: Any = given[each.name]
            if not isinstance(record, NamedRandomizer):
                record = about_family(method, of_given(given))
                values = {name: value for name, value in values.items() if name not in SETTINGS}
            values[each.name] = record
            texts.update(record.settings())
        else:
            values[each.name] = each.read(given[each.name], given)
            if each is not DISHONEST:
                texts[each.option.lstrip("-")] = typed[each.name]
    if values.get(DISHONEST.name):
        texts[DISHONEST.name] = typed[DISHONEST.name]
    return Question(values, as_given(**texts))


def reads(*parameters: Parameter, **others: Callable[..., Any]) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Have numbers as people write them read before a function is called, which takes exact values: bad input is refused before any work.

    others: readers by the names of what they read, such as `exact_fraction`; parameters: further ones, read by their records. A function
    that takes `inputs` is given their texts, for a result to repeat. `digits` are counted. What is left out, or None, is not read.
    """
    readers: dict[str, Callable[..., Any]] = {"digits": partial(count, maximum=MOST_DIGITS), **others}

    def reading(function: Callable[..., T]) -> Callable[..., T]:
        @wraps(function)
        def asked(**given: Any) -> T:
            exact, texts = dict(given), {}
            for name, reader in readers.items():
                if given.get(name) is not None:
                    exact[name] = reader(given[name], parameter=name)
                    texts[EPSILON.option.lstrip("-") if name == EPSILON.name else name] = given[name]
            texts.pop("digits", None)
            for each in parameters:
                if given.get(each.name) is not None:
                    exact[each.name] = each.read(given[each.name], given)
                    if each is not DISHONEST or exact[each.name]:
                        texts[each.option.lstrip("-")] = given[each.name]
            if "inputs" in function.__annotations__:
                exact.setdefault("inputs", as_given(**texts))
            return function(**exact)

        return asked

    return reading


@lru_cache(maxsize=256)
def _bound(function: EngineFunction, instance: Any) -> EngineFunction:
    """One object for each pair, so that those who compare functions find it the same."""
    return EngineFunction(instance.method, function._function, function._finish, instance=(instance,))
