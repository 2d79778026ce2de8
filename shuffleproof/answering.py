"""One question put to one method by its name, carried out by an engine that can answer."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from inspect import signature
from types import MappingProxyType
from typing import Any, Literal, NotRequired, TypedDict, cast, get_args

from shuffleproof.impl.ball.numeric.budget import one_answer
from shuffleproof.keywords import own_arithmetic, unexpected
from shuffleproof.methods import METHODS, carried_out, carrier_of, engines_for, method_named
from shuffleproof.spec.vocabulary.asking import Question, read
from shuffleproof.spec.vocabulary.bound import Bound, Engine, Quantity
from shuffleproof.spec.vocabulary.errors import DomainError, FloatRangeError, ResourceLimitError, UnsupportedError, require_one_of
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.named_randomizer import Family
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count
from shuffleproof.spec.vocabulary.parameters import CENTRAL, Given, N
from shuffleproof.spec.vocabulary.randomizers import RANDOMIZER, completed

EngineChoice = Literal["auto", "exact", "ball", "fast"]
ENGINE_CHOICES: tuple[EngineChoice, ...] = get_args(EngineChoice)
MOST_DIGITS = 300
"""Digits that one may ask for: more than any decision needs, and few enough for a second where sums are short."""
_EXACT_IS_CHEAP_TO = 20
"""Users up to which the exact specification answers where no engine and no digits are asked for."""
_LEAST_DIGITS = 6
"""Digits that the certified engine settles at least where each costs little: an upper end of one digit would rise with n by a few
percent."""
_FAST_DIGITS = 6
"""Digits that float64 sides may settle where balls take too long: what settles fewer than were asked for is no answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """A bound, and why another engine than the one asked for gave it (None if the one asked for did).

    in_digits: the least bound with the digits that were asked for, where another with fewer lies below it; else None.
    """

    bound: Bound
    handed_over: str | None = None
    in_digits: Bound | None = None


class How(TypedDict):
    """Names the method and engine by which a question is answered, and to how many digits; each as `answer` takes it."""

    method: str
    engine: str
    digits: Number | None
    or_fewer: NotRequired[bool]
    hand_over: NotRequired[bool]


class OfRandomizer(TypedDict, total=False):
    """A named randomizer, one of `spec.vocabulary.randomizers.NAMED`, and what it needs.

    k: items, for k-rr, subset and hadamard (for the others, if they are fixed); d: size of the subsets; blocks: of Hadamard response, a
    power of two (ASZ19's if left out); buckets: of hashing; family: of its functions, "uniform", or "any" for the worst of them; p_own,
    p_other: of unary encoding, the probabilities that the own and another item's bit are 1; both imply epsilon0, which may then be left
    out; radius: of the square wave (its authors' if left out).
    """

    randomizer: str | None
    k: Number | None
    d: Number | None
    blocks: Number | None
    buckets: Number | None
    family: Family | None
    p_own: Number | None
    p_other: Number | None
    radius: Number | None


def answer_by(
    *,
    quantity: Quantity,
    parameters: Given,
    method: str,
    engine: str = "auto",
    digits: Number | None = None,
    or_fewer: bool = False,
    hand_over: bool = True,
    typed: Given = MappingProxyType({}),
) -> Answer:
    """Return what one method answers by an engine that can, with a word on which engine stepped in.

    typed: as what parameters were given that have been read already; or_fewer: whether float64 may settle fewer digits than were asked
    for, where ball arithmetic would take too long; hand_over: whether that answers where float64 was asked and cannot.
    Raises DomainError, RegimeError, UnsupportedError, UndecidedError or ResourceLimitError.
    """
    chosen = method_named(method)
    parameters = completed(parameters)
    require_one_of(engine, ENGINE_CHOICES, parameter="engine")
    if digits is not None:
        digits = count(digits, parameter="digits", maximum=MOST_DIGITS)
        if engine in ("fast", "exact"):
            raise DomainError(
                parameter="digits", value=digits, requirement=f"left out with engine {engine!r}, whose precision is not chosen"
            )
    if quantity == "renyi" and chosen.infinite_renyi:
        from shuffleproof.spec.vocabulary.refusals import always_infinite_renyi

        _read(chosen, quantity, parameters)
        raise always_infinite_renyi(chosen)
    if quantity not in chosen.quantities:
        others = [each.name for each in METHODS.values() if quantity in each.quantities and _speaks_of(each, chosen)]
        advice = f"use {' or '.join(others) or 'another method'}"
        raise UnsupportedError(what=f"{quantity} by {method!r}", reason=f"{chosen.statement} gives no {quantity}", advice=advice)
    question = _read(chosen, quantity, parameters, typed)
    if engine == "auto":
        only = engines_for(chosen, quantity)
        if only in (("exact",), ("fast",)):
            if only == ("fast",) and digits is not None and not or_fewer:
                what, advice = f"{digits} digits of {chosen.name!r}", "leave digits out"
                raise UnsupportedError(what=what, reason="float64 alone carries it", advice=advice)
            return Answer(bound=_ask(chosen, only[0], quantity, question))
        if digits is None and question.values["n"] <= _EXACT_IS_CHEAP_TO and "exact" in only and _in_rationals(chosen, question):
            try:
                return Answer(bound=_ask(chosen, "exact", quantity, question))
            except (UnsupportedError, ResourceLimitError):
                pass  # too many outcomes, or an irrational e^(epsilon0/2): nobody asked for this engine by name
        settled = carrier_of(chosen, "ball").digits if {"ball", "fast"} <= set(only) else None
        if or_fewer and digits is not None and settled is not None and digits > settled:  # balls would refuse, and floats may answer
            too_many = f"ball arithmetic settles at most {settled} digits of {chosen.name!r}"
            return Answer(bound=_ask(chosen, "fast", quantity, question), handed_over=too_many)
        try:
            return Answer(bound=_ask(chosen, "ball", quantity, question, digits=digits))
        except ResourceLimitError as refusal:
            needed = None if or_fewer else digits
            if "fast" not in only or (needed is not None and needed > _FAST_DIGITS):
                raise
            try:
                found = _ask(chosen, "fast", quantity, question)
            except UnsupportedError:
                raise refusal from None
            if needed is not None and (found.upper - found.lower) * 10**needed > found.upper:
                raise
            return Answer(bound=found, handed_over=str(refusal))
    wanted = cast(Engine, engine)
    if wanted == "fast":
        try:
            return Answer(bound=_ask(chosen, "fast", quantity, question))
        except UnsupportedError as refusal:
            if not hand_over or "ball" not in engines_for(chosen, quantity):
                raise
            return Answer(bound=_ask(chosen, "ball", quantity, question), handed_over=str(refusal))
    return Answer(bound=_ask(chosen, wanted, quantity, question, digits=digits))


def below(bound: Bound, other: Bound) -> bool:
    """Return whether an upper bound lies below another method's whole value."""
    return bound.method != other.method and bound.upper < other.lower


def given(known: type, own: Mapping[str, Any], *, to: Callable[..., object]) -> dict[str, Any]:
    """Return what was given of a dictionary's keys. known: the class of the dictionary; to: the function that was called.

    Raises TypeError with the nearest name for another key.
    """
    for name in own:
        if name not in known.__annotations__:
            raise unexpected(name, (*known.__annotations__, *signature(to).parameters))
    return {name: value for name, value in own.items() if value is not None}


def not_given(name: str, *, beside: Iterable[str], method: str | None) -> DomainError:
    """Return the error for a parameter that is missing. beside: what was given; method: the one that was asked for by its name."""
    if method is None:
        typed = " and ".join(each for each in beside if each not in (N.name, *(central.name for central in CENTRAL.values())))
        wanted = f"given beside {typed}" if typed else "given, or a method by its name that takes something else"
        return DomainError(parameter=name, value="(nothing)", requirement=wanted)
    return DomainError(parameter=name, value="(nothing)", requirement=f"given: method {method!r} needs it")


def _speaks_of(other: Method, method: Method) -> bool:
    """Return whether it answers for what a method is asked about: by the same parameters, or for all randomizers if that is about one."""
    about_one = bool(method.of_randomizer) or RANDOMIZER in method.parameters
    return set(other.takes) == set(method.takes) or (other.for_all and about_one and set(other.takes) <= set(method.takes))


def _read(method: Method, quantity: Quantity, parameters: Given, typed: Given = MappingProxyType({})) -> Question:
    """The question, after every parameter has been found inside its domain: an engine's own limits must not be reported first."""
    count(cast(Number, parameters["n"]), parameter="n")
    for needed in method.parameters:
        if needed.name not in parameters:
            raise not_given(needed.name, beside=parameters, method=method.name)
    for name, value in sorted(parameters.items(), key=lambda given: given[0] != RANDOMIZER.name):  # before what it needs
        if name not in (N.name, CENTRAL[quantity].name, *method.may_take):
            taken = " and ".join(method.takes)
            raise DomainError(parameter=name, value=value, requirement=f"left out: method {method.name!r} takes {taken}")
    return read(method, quantity, parameters, typed=typed)


def _in_rationals(method: Method, question: Question) -> bool:
    """Return whether exact arithmetic may answer: it has no e^epsilon that is irrational, and no distribution that is continuous."""
    if carrier_of(method, "exact").any_epsilon:
        return True
    randomizer = question.values.get(RANDOMIZER.name)
    continuous = method.on_grids and randomizer is not None and randomizer.noise
    return not continuous and all(each.exp is not None for each in question.values.values() if isinstance(each, Epsilon))


def _ask(method: Method, engine: Engine, quantity: Quantity, question: Question, *, digits: int | None = None) -> Bound:
    with own_arithmetic():
        carry_out = carried_out(method, engine, quantity)
        if engine != "ball":
            try:
                return carry_out.answer(question)
            except FloatRangeError as refusal:  # the float64 engines know their own range, not who has balls
                if "ball" in engines_for(method, quantity):
                    raise
                raise FloatRangeError(what=refusal.what, reason=refusal.reason, balls=False) from None
        if digits is not None and not method.on_grids:
            digits = max(digits, _LEAST_DIGITS)
        with one_answer():  # whatever a method asks of others on its way counts together
            return carry_out.answer(question, **({} if digits is None else {"digits": digits}))
