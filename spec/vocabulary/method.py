"""A named bound as a record: everything that is said of it anywhere, and how its results are written down."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from shuffleproof.spec.vocabulary.bound import Bound, Engine, Quantity, Side
from shuffleproof.spec.vocabulary.parameters import EPSILON0, Parameter
from shuffleproof.spec.vocabulary.randomizers import RANDOMIZER, class_named, randomizer_in_words
from shuffleproof.spec.vocabulary.scope import SHUFFLED_REPORTS, Mechanisms, Relation

DIGITS_ON_GRIDS = 6
"""Digits that a sum of losses on a grid settles in ball arithmetic, at most: 10^4 points settle six, and the width falls with their
square."""
_QUANTITIES: Mapping[Quantity, str] = {"epsilon": "epsilon", "delta": "delta", "renyi": "the Renyi divergence"}
_ON_GRIDS: Mapping[Engine, tuple[str, ...]] = {"ball": ("BEYOND.any-law-grids",), "fast": ("BEYOND.any-law-grids", "BEYOND.any-law-line")}
"""What sums of losses on grids rest on: float64 goes along a line of complex numbers where a grid would be too long."""


@dataclass(frozen=True, kw_only=True)
class Method:
    """A named bound: everything that is said of it anywhere, but not the code that computes it.

    name: for users, with older ones in aliases; statement: the ledger id it rests on; pair: whose value it computes; side: on which side of
    the truth its claim lies ("upper" for all randomizers, "lower" for one named neighbouring pair); follows: the claim in words, with
    {epsilon}, {delta}, {quantity}, {randomizer} to be filled in; mechanisms, relation, view: the scope of that claim; also: other ledger
    ids that every value rests on, renyi_also those that its Renyi divergences rest on besides, laplace_also those that values of Laplace
    noise do, with its real messages, and ball_also and fast_also those that the engine adds; on_grids: whether balls and float64 add up
    its losses on grids.
    Of a method that can be asked for by name: says: one line of meaning; needs: conditions, in words; quantities: what it answers;
    parameters: what it takes beside n and the central parameter; optional: what it may be given beside them; of_randomizer: the name of the
    randomizer that it speaks of, where it speaks of one; reached: whether its value is that of the worst neighbouring datasets, so that its
    lower end is a lower bound; uniform_hashing: whether of hashing it speaks of uniform functions only, or of these unless it is asked
    about any: any_hashing; infinite_renyi: why every Renyi divergence is infinite, where it is; composed: how many rounds are composed from
    it, where they can be: by its own profile, by the optimal pair of its p, beta and q, or by the chords of a profile that few points of
    are known; in_tails: a quicker method for the same that answers where little is left of delta; slow_until: users up to which a value
    takes so long that fewer of them are asked for.
    """

    name: str
    statement: str
    pair: str
    side: Literal["upper", "lower"]
    follows: str
    mechanisms: Mechanisms
    relation: Relation = Relation.REPLACE_ONE
    view: str = SHUFFLED_REPORTS
    also: tuple[str, ...] = ()
    renyi_also: tuple[str, ...] = ()
    laplace_also: tuple[str, ...] = ()
    ball_also: tuple[str, ...] = ()
    fast_also: tuple[str, ...] = ()
    on_grids: bool = False
    aliases: tuple[str, ...] = ()
    says: str = ""
    needs: str = ""
    quantities: tuple[Quantity, ...] = ("epsilon", "delta")
    parameters: tuple[Parameter, ...] = ()
    optional: tuple[Parameter, ...] = ()
    of_randomizer: str = ""
    reached: bool = False
    uniform_hashing: bool = False
    any_hashing: bool = False
    infinite_renyi: str = ""
    composed: Literal["", "profile", "optimal pair", "chords"] = ""
    in_tails: str = ""
    slow_until: int = 0

    @property
    def takes(self) -> tuple[str, ...]:
        """The names of the parameters that it needs."""
        return tuple(each.name for each in self.parameters)

    @property
    def may_take(self) -> tuple[str, ...]:
        """The names of all parameters that it can be given."""
        return tuple(each.name for each in (*self.parameters, *self.optional))

    @property
    def for_all(self) -> bool:
        """Return whether it speaks of every eps0-DP randomizer, and takes nothing else."""
        return self.takes == (EPSILON0.name,)

    @property
    def closed_form(self) -> bool:
        """Return whether it is a formula for epsilon, under a condition, and nothing else is asked of it."""
        return self.quantities == ("epsilon",)

    def rests_also_on(self, quantity: Quantity, engine: Engine = "ball", inputs: Mapping[str, str] | None = None) -> tuple[str, ...]:
        """The ledger ids that a result of an engine rests on beside the one that it is cited by.

        inputs: of the question; they say which randomizer it is about.
        """
        added = {"ball": self.ball_also, "fast": self.fast_also}.get(engine, ())
        if self.on_grids:
            added += _ON_GRIDS.get(engine, ())
        if RANDOMIZER.name in (inputs or {}) and class_named((inputs or {})[RANDOMIZER.name]).noise:
            added += self.laplace_also
        if RANDOMIZER.name in (inputs or {}):
            added += class_named((inputs or {})[RANDOMIZER.name]).also
        return (*self.also, *(self.renyi_also if quantity == "renyi" else ()), *added)

    def value_of(self, quantity: Quantity, inputs: Mapping[str, str] | None = None) -> str:
        """Which number a result of this method encloses. inputs: of the question; they say which randomizer it is about."""
        return f"{_QUANTITIES[quantity]} of {self.pair.format(**randomizer_in_words(inputs or {}, side=self.side))}"

    def claim(self, quantity: Quantity, inputs: Mapping[str, str] | None = None) -> str:
        """Return what follows for people from a result of this method. inputs: of the question; they say which randomizer it is about."""
        names = {"epsilon": "eps", "delta": "delta", **randomizer_in_words(inputs or {}, side=self.side)}
        if quantity == "renyi":
            dp, rdp = "({epsilon}, {delta})-DP", f"({self.side}, alpha)-RDP, alpha the order"
            names["quantity"], follows = "Renyi divergence", self.follows.replace(dp, rdp)
        else:
            names[quantity], names["quantity"], follows = self.side, quantity, self.follows
        return f"{self.side}: {follows.format(**names)}"

    def bound(
        self,
        quantity: Quantity,
        *,
        side: Side,
        lower: Fraction,
        upper: Fraction,
        engine: Engine,
        inputs: Mapping[str, str],
        exact: str | None = None,
        precision: int | None = None,
        rests_on: tuple[str, ...] = (),
    ) -> Bound:
        """The record of one result of this method; see Bound for the parameters."""
        return Bound(
            quantity=quantity,
            side=side,
            lower=lower,
            upper=upper,
            exact=exact,
            value_of=self.value_of(quantity, inputs),
            claim=self.claim(quantity, inputs),
            mechanisms=self.mechanisms,
            method=self.name,
            statement=self.statement,
            also=self.rests_also_on(quantity, engine, inputs),
            relation=self.relation,
            view=self.view,
            engine=engine,
            precision=precision,
            rests_on=rests_on,
            inputs=dict(inputs),
        )

    def restated(self, found: Bound, *, inputs: Mapping[str, str]) -> Bound:
        """A result of another method as one of this method, which was asked with other inputs; it rests on what both rest on."""
        quantity = found.quantity
        return replace(
            found,
            method=self.name,
            value_of=self.value_of(quantity, inputs),
            claim=self.claim(quantity, inputs),
            mechanisms=self.mechanisms,
            also=(*found.also, *self.rests_also_on(quantity, found.engine, inputs)),
            view=self.view,
            inputs=dict(inputs),
        )
