"""What a calibration returns: the least noise that is certified to meet a target, the noise certified not to, and the paper's."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from shuffleproof.spec.vocabulary.numerals import decimal_text, in_words
from shuffleproof.spec.vocabulary.scope import Relation
from shuffleproof.spec.vocabulary.tables import FrozenMapping, Tabular, ends_of


@dataclass(frozen=True, kw_only=True, slots=True)
class PapersNoise:
    """Holds what the paper prescribes for the same target.

    statement: its ledger id, None where no paper prescribes any. lower, upper: rational ends around the paper's noise (an irrational number
    as a rule); None where its theorem does not apply. fails: the condition that fails, and by how much; None where it applies.
    delta: certified ends of the delta that the protocol has with the paper's noise, where they are known. recalled: whether it stands here
    from memory of a published text that was not at hand.
    """

    statement: str | None = None
    lower: Fraction | None = None
    upper: Fraction | None = None
    fails: str | None = None
    delta: tuple[Fraction, Fraction] | None = None
    recalled: bool = False

    def __post_init__(self) -> None:
        known = sum(each is not None for each in (self.lower, self.fails))
        if (self.lower is None) != (self.upper is None) or known != (self.statement is not None):
            raise ValueError("either two ends around the paper's noise, or the condition that fails")


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Calibration(Tabular):
    """The least noise of a protocol that is certified to meet (epsilon, delta)-DP.

    protocol: its name for users. parameter: what value and fails_at measure ("n (1 - p)"). statement: the ledger id of the profile.
    value: the noise, exact; it meets the target, as does everything noisier up to `noisiest`; None where the target is unattainable.
    noisiest: the noisiest setting there is, in words; None where nothing is claimed of more noise than value.
    fails_at: a smaller noise that is certified not to meet it; None if none is known.
    expected_noise: bit-sum: lambda; zero-sum and histogram: n (1 - p); user-histogram: value; None as value is.
    settings: the protocol's own parameters at value, in the number grammar ({"p": "0.9996593"}).
    paper: the paper's noise for the same target. unattainable: why nothing meets the target, where value is None.
    certified: what was computed at the two points, name -> (lower, upper) ends ("delta at value", ...).
    also_meets: noise that other arguments certify, which is more, name of the argument -> noise; None where that argument reaches none.
    inputs: the parameters, as given.
    """

    protocol: str
    parameter: str
    statement: str
    value: Fraction | None
    noisiest: str | None
    fails_at: Fraction | None
    expected_noise: Fraction | None
    paper: PapersNoise
    settings: Mapping[str, str] = field(default_factory=dict)
    unattainable: str | None = None
    certified: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)
    also_meets: Mapping[str, Fraction | None] = field(default_factory=dict)
    relation: Relation = Relation.REPLACE_ONE
    inputs: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.value is None) == (self.unattainable is None):
            raise ValueError("either a value, or why there is none")
        if self.value is not None and self.fails_at is not None and not self.fails_at < self.value:
            raise ValueError(f"fails at {self.fails_at}, which is not below {self.value}")
        for name in ("settings", "certified", "also_meets", "inputs"):
            object.__setattr__(self, name, FrozenMapping(getattr(self, name)))

    @property
    def measured(self) -> str:
        """See `Tabular`."""
        return self.parameter

    @property
    def headline(self) -> str:
        """The noise that meets the target, or that none does."""
        if self.value is None:
            return f"{self.protocol}: unattainable"
        return f"{self.protocol}: {self.parameter} = {decimal_text(self.value, digits=8, direction='up')}"

    def __str__(self) -> str:
        """The noise that meets the target, the noise that does not, and the settings; or why there is none."""
        asked = in_words(self.inputs)
        if self.value is None:
            return f"{self.headline}: {self.unattainable} ({asked})"
        fails = "" if self.fails_at is None else f"; {decimal_text(self.fails_at, digits=8, direction='down')} fails"
        return f"{self.headline} meets the target{fails}; {in_words(self.settings)} ({asked})"

    @property
    def notes(self) -> tuple[str, ...]:
        """The line that is printed, and why the paper's theorem does not apply where it does not."""
        return str(self), *([] if self.paper.fails is None else [f"{self.paper.statement} does not apply: {self.paper.fails}"])

    def columns(self) -> dict[str, list[Any]]:
        """The least noise between what fails and what meets the target, what other arguments certify, and the paper's noise, as floats."""
        known = (
            ("the least noise", self.fails_at, self.value),
            *((f"meets the target: {name}", None, noise) for name, noise in self.also_meets.items()),
            *([] if self.paper.lower is None else [(f"the paper's, {self.paper.statement}", self.paper.lower, self.paper.upper)]),
        )
        return {"noise": [name for name, _, _ in known], "measured_in": [self.parameter for _ in known], **ends_of(known)}

    @property
    def relative_distance(self) -> Fraction | None:
        """(value - fails_at)/value: how much of the value may be more than is needed; None where that is not known."""
        if self.value is None or self.fails_at is None:
            return None
        return (self.value - self.fails_at) / self.value if self.value else Fraction(0)
