"""What one secret coin of each user decides: several releases to those who take part, composed first and amplified once.

Two releases to the same sample are not two samples: who took part is hidden once, so the theorem of random participation is applied to
everything together that is seen of m users (docs/mathematics/random-participation, "Several releases on one coin").
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Unpack, cast

from shuffleproof.answering import How
from shuffleproof.keywords import keyword_record
from shuffleproof.mechanisms.brackets import Bracket
from shuffleproof.mechanisms.mechanism import Mechanism
from shuffleproof.mechanisms.participation import BITS, LEAST, Mixture, RandomParticipation
from shuffleproof.mechanisms.randomizers import Parameters
from shuffleproof.spec.vocabulary.bound import Bound, Engine, Quantity
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.methods.noise_and_sampling import RANDOM_PARTICIPATION
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, exact_fraction, in_words, parse_epsilon, probability
from shuffleproof.spec.vocabulary.scope import Relation

if TYPE_CHECKING:
    from shuffleproof.impl.ball.privacy_loss import GridMeasure

_NEGLIGIBLE = Fraction(1, 1000)
"""The share of the delta that matters which tails of the composed grids and rare numbers of users may take, each in full."""

Part = tuple[RandomParticipation, int]
"""One release, and how often it is made to the same participants."""

TOGETHER = ("BEYOND.random-participation-of-several", "BEYOND.Envelope")
"""The ledger's ids of what one coin decides together, beside those of what is released."""


@keyword_record
class OneCoin(Mixture):
    """Several releases to those who take part, on one secret coin of each user.

    parts: at least one, each with how often it is released, at least once; all of the same users, rate, least and change. changed: those
    of them whose answers neighbours differ in (one release of each), or None where they differ in all. Raises DomainError.
    """

    parts: tuple[Part, ...]
    changed: tuple[RandomParticipation, ...] | None = None

    def __post_init__(self) -> None:
        coins = {(count(each.n, parameter="n"), each.rate, each.least, each.change, each.at_least) for each, _ in self.parts}
        if len(coins) != 1 or any(times < 1 for _, times in self.parts):
            wanted = "at least one release, each at least once, all of the same users, rate, least and change"
            raise DomainError(parameter="parts", value=f"{len(self.parts)} releases", requirement=wanted)

    @property
    def _any(self) -> RandomParticipation:
        return self.parts[0][0]

    @property
    def n(self) -> Number:  # type: ignore[override]
        """All users who may take part."""
        return self._any.n

    def __str__(self) -> str:
        return "on one coin: " + "; ".join(f"{times} x {each}" if times > 1 else str(each) for each, times in self.parts)

    def neighbours(self) -> Relation:
        """Those whose difference it hides."""
        return self._any.neighbours()

    def carried_by(self) -> tuple[Engine, tuple[str, ...]]:
        """The engine of what is composed, float64 if one of them is, and what that rests on."""
        found = [each.carried_by() for each, _ in self.parts]
        engine = "fast" if any(each == "fast" for each, _ in found) else found[0][0]
        return engine, tuple(dict.fromkeys(row for _, rows in found for row in rows))

    def _bracket(self, quantity: Quantity, central: Parameters, engine: str | None, digits: Number | None) -> Bracket:
        from shuffleproof.impl.ball.random_participation import crossing

        self._require_mixed(quantity, engine, of="of several releases on one coin")
        if quantity == "epsilon":
            target = probability(cast(Number, central["delta"]), parameter="delta")
            known = crossing(lambda epsilon: self._upper(epsilon, target), target, upward=True)
        else:
            known = self._upper(parse_epsilon(cast(Number, central["epsilon"])).bounds(bits=BITS)[0], LEAST)
        carrier, rests_on = self.carried_by()
        one = self._any
        given = as_given(n=one.n, rate=one.rate, **central)
        method = RANDOM_PARTICIPATION
        upper = method.bound(quantity, side="upper", lower=Fraction(0), upper=known, engine=carrier, inputs=given, rests_on=rests_on)
        mixed = (id for each, _ in self.parts for id in each.governed_by(often=True))
        ids = (*TOGETHER, *mixed)
        upper = replace(upper, relation=self.neighbours(), also=tuple(dict.fromkeys((*upper.also, *ids))))
        return Bracket(quantity=quantity, of=f"{self}, {in_words(as_given(**central))}", upper=upper)

    def _ask(self, quantity: Quantity, given: Parameters, **how: Unpack[How]) -> Bound:
        central = {name: value for name, value in given.items() if name != "n"}
        return self._bracket(quantity, central, how["engine"], how["digits"]).upper

    def _upper(self, epsilon: Fraction, size: Fraction) -> Fraction:
        """delta from above; size: of the deltas that matter."""
        from shuffleproof.impl.ball.random_participation import above, short_order, uncounted

        E, one = short_order(epsilon), self._any
        differ = self.parts if self.changed is None else tuple((each, 1) for each in self.changed)

        def smaller(m: int, order: Fraction) -> Fraction:
            return _delta(tuple((each, times, False) for each, times in differ), m, order, size)

        def exchanged(m: int, order: Fraction) -> Fraction:
            return _delta(tuple((each, times, one.change != "add-remove") for each, times in self.parts), m, order, size)

        if one.change == "add-remove":
            rate = exact_fraction(one.rate, parameter="rate")

            def there_or_not(order: Fraction) -> Fraction:
                """Return the delta of what is there or not; other answers on the coin, there in any case, show who came."""
                value = smaller(1, order)
                return value if self.changed is None else value + (1 - E / order) * max(Fraction(0), exchanged(1, order) - value)

            return uncounted(rate=rate, E=E, delta_of=there_or_not)
        all_alike = self.changed is None and not any(each.changes_less for each, _ in self.parts)
        return above(
            one.blocks,
            n=count(one.n, parameter="n"),
            E=E,
            delta_of=smaller,
            negligible=size * _NEGLIGIBLE,
            exchanged=None if all_alike else exchanged,
        )


def _delta(pieces: tuple[tuple[RandomParticipation, int, bool], ...], m: int, order: Fraction, size: Fraction) -> Fraction:
    """Upper bound on the delta, at this order, of everything that is released to m participants.

    pieces: each with how often, and whether it is asked for the exchange of two users or for the neighbours' own change.
    """
    from shuffleproof.impl.ball.privacy_loss import delta_of

    if len(pieces) == 1 and pieces[0][1] == 1:
        one, _, whole = pieces[0]
        return one.delta_of_participants(m, order, size, exchanged=whole)
    alone: dict[Mechanism, int] = {}
    for one, times, whole in pieces:
        mechanism, factors = one.of_participants(m, exchanged=whole)
        alone[mechanism] = alone.get(mechanism, 0) + times * factors
    measure, step = _measured(tuple(alone.items()), size * _NEGLIGIBLE)
    return delta_of(measure, step=step, epsilon=Epsilon(None, order).bounds(bits=BITS)[0])


@lru_cache(maxsize=256)
def _measured(alone: tuple[tuple[Mechanism, int], ...], beyond: Fraction) -> tuple[GridMeasure, Fraction]:
    """The composition of these on a grid that suits all of them, and its step; beyond: mass that may go to an infinite loss."""
    from shuffleproof.accounting.profile_on_grid import common_step, measure
    from shuffleproof.impl.ball.privacy_loss import together

    share = beyond / sum(times for _, times in alone)
    step = common_step([mechanism for mechanism, _ in alone], beyond=share, often=True)
    return together([(measure(mechanism, step=step, beyond=share, often=True), times) for mechanism, times in alone], delta=beyond), step
