"""One way of doing a task at a target (epsilon, delta), with what is certified of it, and the best of several."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, ShuffleproofError, UndecidedError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import decimal_text, float_toward, in_words
from shuffleproof.spec.vocabulary.progress import steps
from shuffleproof.spec.vocabulary.scope import Relation
from shuffleproof.spec.vocabulary.tables import FrozenMapping, Tabular

SHUFFLER, NOBODY, AGGREGATION, ADDING = "a shuffler", "nobody", "a secure aggregation", "a shuffler that adds messages"
CURATOR = "one who sees all data"
"""Who is trusted."""
Standing = Literal["certified", "sound"]
"""By balls, or by float64 with every rounding accounted for: both are bounds."""


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
        """One line: its name, its certified error, the most messages of a user, and its settings; or why it is excluded."""
        if self.error is None or self.messages is None or self.excluded is not None:
            return f"{self.name}: excluded: {self.excluded}"
        error = decimal_text(self.error, digits=4, direction="up")
        sent = "1 message" if self.messages == 1 else f"{self.messages} messages"
        return f"{self.name}: error <= {error}, {sent} a user, {self.trust}; {in_words(self.settings)}"

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
        """A line for each choice, in order of certified errors."""
        return "\n".join([f"{self.task}, {self.measure} ({in_words(self.inputs)})", *(f"  {each}" for each in self.choices)])

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
        return [Choice(name=name, statement=statement, excluded=_reason(reason))]


def ranked(choices: list[Choice], *, most_messages: int | None) -> tuple[Choice, ...]:
    """In order of error; whatever sends more than most_messages is excluded."""
    return tuple(sorted((_limited(each, most_messages) for each in choices), key=_order))


def _limited(choice: Choice, most: int | None) -> Choice:
    if most is None or choice.excluded is not None or choice.messages is None or choice.messages <= most:
        return choice
    return replace(choice, excluded=f"it may send {choice.messages} messages a user; at most {most} are allowed")


def _order(choice: Choice) -> tuple[bool, bool, Fraction, int]:
    return choice.excluded is not None, choice.error is None, choice.error or Fraction(0), choice.messages or 0


def _reason(error: ShuffleproofError) -> str:
    return " ".join(str(error).split())
