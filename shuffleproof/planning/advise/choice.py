"""One way of doing a task at a target (epsilon, delta), with what is certified of it, and the best of several."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, UndecidedError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import amount, decimal_text, float_toward, in_words
from shuffleproof.spec.vocabulary.progress import steps
from shuffleproof.spec.vocabulary.scope import Relation
from shuffleproof.spec.vocabulary.tables import FrozenMapping, Tabular

SHUFFLER, NOBODY, AGGREGATION, ADDING = "a shuffler", "nobody", "a secure aggregation", "a shuffler that adds messages"
CURATOR = "one who sees all data"
"""Who is trusted."""
Standing = Literal["certified", "sound"]
"""By balls, or by float64 with every rounding accounted for: both are bounds."""
_DIGITS = 12
"""Of numbers in JSON, rounded to the side that holds."""
_SHOWN = 5
"""Of errors in a line."""
_SMALL = Decimal("1e-3")
"""Errors below it are shown with an exponent."""
_LARGE = Decimal("1e9")
"""Errors from it on are shown with an exponent."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """A protocol at one setting that is shown to meet the target.

    name: for users; statement: the ledger id that the guarantee rests on; standing: whether balls show that the setting meets the target,
    or float64 with every rounding accounted for; settings: its own parameters, in words or in the number grammar.
    error: an upper bound, exact, on the expected error on the worst dataset; None where there is none. messages: the most that one user
    may send; expected_messages: an upper bound on how many one user sends on average, as many if not given; bits: of one message, None
    where it is a real number.
    trust: who has to be trusted with what.
    excluded: why it may not be chosen; None where it may. note: what the reader should know.
    """

    name: str
    statement: str
    standing: Standing = "certified"
    settings: Mapping[str, str] = field(default_factory=dict)
    error: Fraction | None = None
    messages: int | None = None
    expected_messages: Fraction | None = None
    bits: int | None = None
    excluded: str | None = None
    note: str | None = None
    trust: str = SHUFFLER

    def __str__(self) -> str:
        """One line: its name, and what is known of it."""
        return f"{self.name}: {self.told}"

    @property
    def told(self) -> str:
        """Its certified error, what a user sends, who is trusted, settings and statement; or why it is excluded."""
        if self.error is None or self.messages is None or self.excluded is not None:
            return f"excluded: {self.excluded}"
        parts = [
            f"<= {_rounded_up(self.error)}",
            self._sent(self.messages),
            f"trusts {self.trust}",
            in_words(self.settings),
            self.statement,
        ]
        return f"{'; '.join(parts)}{', sound' if self.standing == 'sound' else ''}"

    def _sent(self, messages: int) -> str:
        size = "of a real number" if self.bits is None else f"of {amount(self.bits, 'bit')}"
        if messages == 1:
            return f"1 message {size}"
        assert self.expected_messages is not None
        if messages == self.expected_messages:
            return f"{messages} messages {size}"
        mean = decimal_text(self.expected_messages, digits=6, direction="up")
        often = f"nearly always {messages}" if Fraction(mean) >= messages else f"at most {mean} on average"
        return f"up to {messages} messages {size}, {often}"

    def as_json(self) -> dict[str, object]:
        """The record as JSON-ready values: numbers that matter are strings, errors rounded up."""
        mean = self.expected_messages
        return {
            "name": self.name,
            "error_at_most": None if self.error is None else decimal_text(self.error, digits=_DIGITS, direction="up"),
            "messages_at_most": self.messages,
            "expected_messages_at_most": None if mean is None else decimal_text(mean, digits=_DIGITS, direction="up"),
            "bits_of_a_message": self.bits,
            "settings": dict(self.settings),
            "statement": self.statement,
            "standing": self.standing if self.excluded is None else None,
            "excluded": self.excluded,
            "note": self.note,
            "trust": self.trust if self.excluded is None else None,
        }

    def __post_init__(self) -> None:
        if self.excluded is None and (self.error is None or self.messages is None):
            raise ValueError(f"{self.name}: a choice has an error and a cost, or a reason why it is excluded")
        object.__setattr__(self, "settings", FrozenMapping(self.settings))
        if self.expected_messages is None and self.messages is not None:
            object.__setattr__(self, "expected_messages", Fraction(self.messages))


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Advice(Tabular):
    """All choices that were considered, in order of their certified errors, those that are excluded last.

    measure: what the errors are of. inputs: the parameters, as given. left_out: what is not among them because it does another task.
    """

    task: str
    measure: str
    choices: tuple[Choice, ...]
    inputs: Mapping[str, str]
    left_out: str | None = None
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "inputs", FrozenMapping(self.inputs))

    def __repr__(self) -> str:
        return f"<Advice on {self.task}: {len(self.choices)} choices; {in_words(self.inputs)}>"

    def __str__(self) -> str:
        """The advice, then a line for each choice, in order of certified errors, and why some are excluded."""
        best = self.best
        said = "nothing that is known here meets the target"
        if best is not None:
            said = f"{best.name}{f', with {in_words(best.settings)}' if best.settings else ''}"
        floats = any(each.excluded is None and each.standing == "sound" for each in self.choices)
        otherwise = ', or sound in float64 where it says "sound"' if floats else ""
        lines = [
            f"{self.task}: {said} ({self.relation.value}; {in_words(self.inputs)})",
            f"  {self.measure}, certified from above, at settings certified to meet the target{otherwise}:",
        ]
        width = max(len(each.name) for each in self.choices)
        for each in self.choices:
            lines.append(f"  {each.name:<{width}}  {each.told}")
            if each.note is not None and each.excluded is None:
                lines.append(f"  {'':<{width}}  {each.note}")
        return "\n".join([*lines, *([] if self.left_out is None else [f"  {self.left_out}"])])

    def as_json(self) -> dict[str, object]:
        """The record as JSON-ready values, the choices in their order."""
        return {
            "task": self.task,
            "measure": self.measure,
            "advice": None if self.best is None else self.best.name,
            "choices": [each.as_json() for each in self.choices],
            "left_out": self.left_out,
            "relation": self.relation.value,
            **self.inputs,
        }

    @property
    def measured(self) -> str:
        """See `Tabular`."""
        return f"error at most: {self.measure}"

    @property
    def headline(self) -> str:
        """The best choice in a line."""
        return f"{self.task}: {self.best.name}" if self.best is not None else f"{self.task}: nothing meets the target"

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what the errors are of, and why choices are excluded."""
        excluded = (f"{each.name}: excluded: {each.excluded}" for each in self.choices if each.excluded is not None)
        return f"error: {self.measure} ({in_words(self.inputs)})", *excluded

    def columns(self) -> dict[str, list[Any]]:
        """Choice, its error at most (a float rounded up, nan where it has none), messages a user, who is trusted, and settings."""
        return {
            "choice": [each.name for each in self.choices],
            "at_most": [float("nan") if each.error is None else float_toward(each.error, direction="up") for each in self.choices],
            "messages": [each.messages for each in self.choices],
            "trust": [each.trust for each in self.choices],
            "settings": [in_words(each.settings) for each in self.choices],
        }

    @property
    def best(self) -> Choice | None:
        """The least certified error among those that are not excluded and trust a shuffler at most: others are there to compare with."""
        return next((each for each in self.choices if each.excluded is None and each.trust in (SHUFFLER, NOBODY)), None)


def all_of(*parts: Callable[[], list[Choice]]) -> list[Choice]:
    """The choices of all these, one after the other: each is a step of the work."""
    return [each for part in steps(parts, of="ways of doing the task") for each in part()]


def considered(name: str, statement: str, way: Callable[[], list[Choice]]) -> list[Choice]:
    """The choices of one way of doing the task; where it has no answer at this target, one that is excluded, with the reason."""
    try:
        return way()
    except (ResourceLimitError, UndecidedError, UnsupportedError, DomainError) as reason:
        return [Choice(name=name, statement=statement, excluded=" ".join(str(reason).split()))]


def ranked(choices: list[Choice], *, most_messages: int | None) -> tuple[Choice, ...]:
    """In order of error; whatever sends more than most_messages is excluded."""
    return tuple(sorted((_limited(each, most_messages) for each in choices), key=_order))


def _limited(choice: Choice, most: int | None) -> Choice:
    if most is None or choice.excluded is not None or choice.messages is None or choice.messages <= most:
        return choice
    return replace(choice, excluded=f"it may send {choice.messages} messages a user; at most {most} are allowed")


def _order(choice: Choice) -> tuple[bool, bool, Fraction, int]:
    return choice.excluded is not None, choice.error is None, choice.error or Fraction(0), choice.messages or 0


def _rounded_up(error: Fraction) -> str:
    """Return it with an exponent where zeros would have to be counted."""
    text = decimal_text(error, digits=_SHOWN, direction="up")
    size = Decimal(text)
    return text if size == 0 or _SMALL <= size < _LARGE else f"{size.normalize():e}"
