"""The objects that users ask: shuffled randomizers, many rounds of them, and what every mechanism can be asked.

survey = shuffled(KRR(k=10, epsilon0=1), n=10_000)
survey.epsilon(delta="1e-6")                                        # a Bracket: the truth between two bounds
survey.epsilon(delta="1e-6", method="clones", engine="ball", digits=30)    # one method by its name: a Bound
survey.delta(epsilon=[0.01, 0.02])                                  # many points: Answers
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, Unpack, cast, overload

from shuffleproof.answering import MOST_DIGITS, EngineChoice, How, answer_by, below
from shuffleproof.default_choice import Candidate
from shuffleproof.keywords import by_keyword, keyword_record, own_arithmetic, own_names
from shuffleproof.mechanisms.brackets import DIGITS_OF_LOOSER, Answers, Bracket, Refusal
from shuffleproof.mechanisms.randomizers import FromDistribution, Parameters, Randomizer, VariationRatio
from shuffleproof.methods import METHODS, engines_for, name_among
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.errors import (
    DomainError,
    RegimeError,
    ResourceLimitError,
    ShuffleproofError,
    UndecidedError,
    UnsupportedError,
    require,
)
from shuffleproof.spec.vocabulary.given_distribution import MOST_USERS
from shuffleproof.spec.vocabulary.methods import MethodName
from shuffleproof.spec.vocabulary.numerals import (
    LARGEST_COUNT,
    Epsilon,
    Number,
    as_given,
    count,
    in_words,
    parse_epsilon,
    probability,
    renyi_order,
)
from shuffleproof.spec.vocabulary.scope import SHUFFLED_REPORTS, Mechanisms, Relation

__dir__ = own_names(__name__)

_OVER: Mapping[Quantity, str] = {"epsilon": "delta", "delta": "epsilon", "renyi": "order"}
_DIGITS = 9
"""Significant digits of an answer for which none were asked: eight are shown."""
_EXACT_TO = 20
"""Users up to which nobody asks for digits, so that exact arithmetic may answer."""
_REFUSED = (RegimeError, UnsupportedError, UndecidedError, ResourceLimitError)


_ABOVE: Mapping[str, tuple[str, str]] = {
    "rounds": ("shuffleproof.accounting.rounds", "Rounds"),
    "each_rounds": ("shuffleproof.accounting.rounds", "EachRounds"),
    "renyi": ("shuffleproof.accounting.renyi_of_distributions", "bracket"),
    "rounds_below": ("shuffleproof.accounting.rounds_below", "rounds_below"),
    "to_dp_accounting": ("shuffleproof.accounting.dp_accounting", "privacy_loss_distribution"),
    "to_opendp": ("shuffleproof.measurement", "measurement"),
}
"""What every mechanism offers and modules above this one carry out, which import it: bound by name, as engines are to methods."""


def from_above(name: str) -> Any:
    """Return what a module above this one has under that name."""
    module, found = _ABOVE[name]
    return getattr(import_module(module), found)


class Points(Protocol):
    """Many numbers: a list, a tuple, an array of numpy's, a column of a table."""

    def __iter__(self) -> Any: ...

    def __len__(self) -> int: ...


class Mechanism:
    """Something whose privacy can be asked for. Numbers given as text are exact; arrays are answered point by point."""

    n: Number

    def methods(self) -> Mapping[str, Parameters]:
        """The methods that speak of it, by name, with their parameters beside n and the central one."""
        raise NotImplementedError

    def candidates(self, quantity: Quantity, *, digits: int | None = None) -> tuple[Candidate, ...]:
        """The methods to ask where none is named. digits: those asked for, None for what is shown."""
        raise NotImplementedError

    def mechanisms(self) -> Mechanisms:
        """Those of which its answers are the worst: this one, mostly."""
        return Mechanisms.ONE

    def neighbours(self) -> Relation:
        """Return the relation of neighbouring datasets of its answers: replace-one, unless a subclass says otherwise."""
        return Relation.REPLACE_ONE

    def seen(self) -> str:
        """Return what the adversary sees of it: the shuffled reports, unless a subclass says otherwise."""
        return SHUFFLED_REPORTS

    @overload
    def epsilon(
        self, *, delta: Number, method: None = None, engine: EngineChoice | None = None, digits: Number | None = None
    ) -> Bracket: ...

    @overload
    def epsilon(self, *, delta: Number, method: MethodName, engine: EngineChoice | None = None, digits: Number | None = None) -> Bound: ...

    @overload
    def epsilon(
        self, *, delta: Points, method: None = None, engine: EngineChoice | None = None, digits: Number | None = None
    ) -> Answers[Bracket]: ...

    @overload
    def epsilon(
        self, *, delta: Points, method: MethodName, engine: EngineChoice | None = None, digits: Number | None = None
    ) -> Answers[Bound]: ...

    @by_keyword
    @own_arithmetic()
    def epsilon(
        self, *, delta: Number | Points, method: MethodName | None = None, engine: EngineChoice | None = None, digits: Number | None = None
    ) -> Bracket | Bound | Answers[Bracket] | Answers[Bound]:
        """The least epsilon for which it is (epsilon, delta)-DP.

        delta: in [0, 1], or many of them. method: one by its name, whose Bound is returned; None for the best of those with a small cost,
        as a Bracket of the truth. engine: "auto", "exact", "ball" or "fast"; None for the cheapest that settles what is shown. digits:
        significant digits of the certified engine. Many points give Answers, in their order.
        Raises DomainError, RegimeError, UnsupportedError, UndecidedError or ResourceLimitError.
        """
        return cast(Bracket, self._answered("epsilon", delta, method, engine, digits))

    @overload
    def delta(
        self, *, epsilon: Number | Epsilon, method: None = None, engine: EngineChoice | None = None, digits: Number | None = None
    ) -> Bracket: ...

    @overload
    def delta(
        self, *, epsilon: Number | Epsilon, method: MethodName, engine: EngineChoice | None = None, digits: Number | None = None
    ) -> Bound: ...

    @overload
    def delta(
        self, *, epsilon: Points, method: None = None, engine: EngineChoice | None = None, digits: Number | None = None
    ) -> Answers[Bracket]: ...

    @overload
    def delta(
        self, *, epsilon: Points, method: MethodName, engine: EngineChoice | None = None, digits: Number | None = None
    ) -> Answers[Bound]: ...

    @by_keyword
    @own_arithmetic()
    def delta(
        self,
        *,
        epsilon: Number | Epsilon | Points,
        method: MethodName | None = None,
        engine: EngineChoice | None = None,
        digits: Number | None = None,
    ) -> Bracket | Bound | Answers[Bracket] | Answers[Bound]:
        """The delta for which it is (epsilon, delta)-DP. epsilon: at least 0, or many of them; the rest as for `epsilon`."""
        return cast(Bracket, self._answered("delta", epsilon, method, engine, digits))

    @overload
    def renyi(self, *, order: Number, method: None = None, engine: EngineChoice | None = None, digits: Number | None = None) -> Bracket: ...

    @overload
    def renyi(self, *, order: Number, method: MethodName, engine: EngineChoice | None = None, digits: Number | None = None) -> Bound: ...

    @overload
    def renyi(
        self, *, order: Points, method: None = None, engine: EngineChoice | None = None, digits: Number | None = None
    ) -> Answers[Bracket]: ...

    @overload
    def renyi(
        self, *, order: Points, method: MethodName, engine: EngineChoice | None = None, digits: Number | None = None
    ) -> Answers[Bound]: ...

    @by_keyword
    @own_arithmetic()
    def renyi(
        self, *, order: Number | Points, method: MethodName | None = None, engine: EngineChoice | None = None, digits: Number | None = None
    ) -> Bracket | Bound | Answers[Bracket] | Answers[Bound]:
        """The Renyi divergence of an order above 1, or of many of them; the rest as for `epsilon`."""
        return cast(Bracket, self._answered("renyi", order, method, engine, digits))

    @by_keyword
    @own_arithmetic()
    def profile(self, *, epsilons: Points, engine: EngineChoice | None = None, digits: Number | None = None) -> Answers[Bracket]:
        """The privacy profile: delta at each of these epsilons. The rest as for `delta`."""
        return self.delta(epsilon=epsilons, engine=engine, digits=digits)

    @own_arithmetic()
    def rounds(self, rounds: Number | Points) -> Any:
        """A `Rounds`: so many rounds on the same users, 1 to 10^6, each with fresh randomness, in any adaptive order.

        Of several numbers an `EachRounds`, whose `epsilon` is Answers over the number of rounds.
        """
        if isinstance(rounds, Iterable) and not isinstance(rounds, str):
            return from_above("each_rounds")(each=tuple(from_above("rounds")(one=self, rounds=each) for each in rounds))
        return from_above("rounds")(one=self, rounds=rounds)

    @own_arithmetic()
    def factors(self) -> tuple[Mechanism, int]:
        """A mechanism, and how often it is to be composed so that it bounds this one: itself, once, unless something quicker is known.

        `protocols.factors_of` knows of shuffled reports, too.
        """
        return self, 1

    @own_arithmetic()
    def to_dp_accounting(self, *, interval: float = 1e-4) -> Any:
        """A pessimistic privacy loss distribution for dp-accounting (extra `accounting`), on a grid of losses of this interval.

        Its masses are certified upper ends; see `shuffleproof.accounting`, which also has an event and an accountant. Raises DomainError;
        ResourceLimitError where the grid would be too fine; what `delta` raises.
        """
        return from_above("to_dp_accounting")(self, interval=interval)

    @own_arithmetic()
    def to_opendp(self, function: Callable[[Any], Any], *, delta: Number, input_domain: Any) -> Any:
        """A measurement of OpenDP's (extra `opendp`) that runs a function of yours; see `shuffleproof.measurement.measurement`."""
        return from_above("to_opendp")(self, function, delta=delta, input_domain=input_domain)

    @own_arithmetic()
    def by_method(self, quantity: Quantity, central: Number | Epsilon, *, method: str, engine: str, digits: Number | None = None) -> Bound:
        """One method's Bound, as `epsilon`, `delta` and `renyi` return it: for methods that are chosen on the way, not written down."""
        return cast(Bound, self._one(quantity, _OVER[quantity], central, method, engine, digits))

    def _answered(
        self,
        quantity: Quantity,
        central: Number | Epsilon | Points,
        method: MethodName | None,
        engine: EngineChoice | None,
        digits: Number | None,
    ) -> Any:
        over = _OVER[quantity]
        if getattr(central, "shape", None) == ():  # an array without axes holds one number
            central = cast(Any, central)[()]
        if isinstance(central, str | bytes | Epsilon) or not isinstance(central, Iterable):
            return self._one(quantity, over, cast(Number, central), method, engine, digits)
        points = list(_flat(central))
        shape = tuple(getattr(central, "shape", None) or (len(points),))
        for point in points:  # before any work starts
            _require_central(quantity, point)
        answers = tuple(self._one(quantity, over, point, method, engine, digits) for point in points)
        return Answers(over=over, points=tuple(as_given(x=point)["x"] for point in points), answers=answers, shape=shape)

    def _one(
        self, quantity: Quantity, over: str, central: Number | Epsilon, method: str | None, engine: str | None, digits: Number | None
    ) -> Bracket | Bound:
        _require_central(quantity, central)
        if method is None:
            found = self._bracket(quantity, {over: central}, engine, digits)
            if digits is None or engine not in (None, "auto"):
                return found
            return self._narrowest(
                found, partial(self._bracket, quantity, {over: central}, engine, None), count(digits, parameter="digits")
            )
        known = self.methods()
        chosen = name_among(method, known)
        given: Parameters = {"n": self.n, **known[chosen], over: central}
        return self._ask(quantity, given, method=chosen, engine=engine or "auto", digits=digits)

    def _narrowest(self, found: Bracket, without: Callable[[], Bracket], digits: int) -> Bracket:
        """Either end by the best method, with digits or without. found: with so many digits; without: asks for the bracket without."""
        many, any_number = ({each.method for each in self.candidates(found.quantity, digits=d) if each.cheap} for d in (digits, None))
        if any_number <= many and not found.refusals and "law" not in found.upper.inputs:  # of a given distribution balls try fewer pairs
            return found
        other, ends, larger = without(), {"upper": found.upper, "lower": found.lower}, []
        if below(other.upper, found.upper):
            ends["upper"] = other.upper
            larger.append(found.upper)
        if other.lower is not None and (found.lower is None or found.lower.upper < other.lower.lower):
            ends["lower"] = other.lower
            larger += [] if found.lower is None else [found.lower]
        told = tuple(looser(each, digits) for each in larger)
        return replace(found, **ends, refusals=(*found.refusals, *told))  # type: ignore[arg-type]

    def _ask(self, quantity: Quantity, given: Parameters, **how: Unpack[How]) -> Bound:
        return answer_by(quantity=quantity, parameters=given, **how).bound

    def _reached(self, upper: Bound) -> Bound | None:
        """A lower bound that an upper one brings with it."""
        return reached(upper) if METHODS[upper.method].reached else None

    def _bracket(self, quantity: Quantity, central: Parameters, engine: str | None, digits: Number | None) -> Bracket:
        bounds: list[Bound] = []
        refused: list[tuple[str, ShuffleproofError]] = []
        small = count(self.n, parameter="n") <= _EXACT_TO
        wanted_digits = None if digits is None else count(digits, parameter="digits", maximum=MOST_DIGITS)
        for each in self.candidates(quantity, digits=wanted_digits):
            method = METHODS.get(each.method)
            able = method is None or engine in (None, "auto") or engine in engines_for(method, quantity)
            if not (each.cheap and able) and any(method is None or bound.claim_side == method.side for bound in bounds):
                continue  # it was for where the cheap ones refuse, or another engine's
            given: Parameters = {**each.parameters, "n": self.n, **central}
            asked = engine or (each.engine if digits is None else "auto")
            wanted = _DIGITS if digits is None and asked == "auto" and not small else digits
            try:
                bounds.append(
                    self._ask(
                        quantity,
                        given,
                        method=each.method,
                        engine=asked,
                        digits=wanted,
                        or_fewer=digits is None,
                        hand_over=engine is not None or each.hands_over,
                    )
                )
            except _REFUSED as refusal:
                refused.append((each.method, refusal))
        uppers = [each for each in bounds if each.claim_side == "upper"]
        if not uppers:
            raise refused[0][1]
        bounds += [below for each in uppers if (below := self._reached(each)) is not None]
        return Bracket(
            quantity=quantity,
            of=f"{self}, {in_words(as_given(**central))}",
            upper=min(uppers, key=lambda each: each.upper),
            lower=max((each for each in bounds if each.claim_side == "lower"), key=lambda each: each.lower, default=None),
            refusals=tuple(Refusal(method=method, why=str(refusal)) for method, refusal in refused),
            mechanisms=self.mechanisms(),
        )


class WithProfile(Mechanism):
    """A mechanism that knows upper values of its own profile at many points."""

    def top(self, *, beyond: Fraction) -> Fraction:
        """An epsilon at which delta is at most `beyond`."""
        raise NotImplementedError

    def uppers(self, epsilons: Sequence[Fraction], *, least: Fraction) -> list[Fraction]:
        """Upper bounds on delta at many epsilons; least: the smallest delta that matters."""
        raise NotImplementedError


def looser(bound: Bound, digits: Number) -> Refusal:
    """Return what is said of a bound that has the digits asked for where another one, with fewer, is tighter."""
    return Refusal(method=bound.method, why=f"{digits} {DIGITS_OF_LOOSER}: {bound}")


def reached(upper: Bound) -> Bound | None:
    """The lower end of a method's value as a bound, where that is the value of the worst neighbouring datasets."""
    if upper.side not in ("enclosure", "exact"):
        return None
    return replace(upper, claim=f"lower: its worst neighbouring datasets reach it, so no smaller {upper.quantity} holds")


@keyword_record
class Shuffled(Mechanism):
    """The shuffled reports of n users who each run the randomizer once. Made by `shuffled`."""

    randomizer: Randomizer
    n: Number

    def __post_init__(self) -> None:
        if not isinstance(self.randomizer, Randomizer):
            wanted = "a randomizer, such as KRR(k=10, epsilon0=1) or AnyRandomizer(epsilon0=1)"
            raise DomainError(parameter="randomizer", value=self.randomizer, requirement=wanted)
        count(self.n, parameter="n", maximum=MOST_USERS if isinstance(self.randomizer, FromDistribution) else LARGEST_COUNT)

    def __str__(self) -> str:
        return f"shuffled {self.randomizer}, n = {as_given(n=self.n)['n']}"

    def methods(self) -> Mapping[str, Parameters]:
        """The randomizer's."""
        return self.randomizer.methods()

    def mechanisms(self) -> Mechanisms:
        """The randomizer's."""
        return self.randomizer.mechanisms

    def candidates(self, quantity: Quantity, *, digits: int | None = None) -> tuple[Candidate, ...]:
        """The randomizer's at this n."""
        return self.randomizer.candidates(quantity, n=count(self.n, parameter="n"), digits=digits)

    def _bracket(self, quantity: Quantity, central: Parameters, engine: str | None, digits: Number | None) -> Bracket:
        by_methods = partial(super()._bracket, quantity, central, engine, digits)
        if quantity != "renyi" or engine not in (None, "auto"):
            return by_methods()
        found: Bracket = from_above("renyi")(self, by_methods, order=central["order"], digits=digits)
        return found

    def _ask(self, quantity: Quantity, given: Parameters, **how: Unpack[How]) -> Bound:
        if isinstance(self.randomizer, FromDistribution):
            from shuffleproof.mechanisms.distributions import BY_WHOLE_DISTRIBUTION, ask

            if how["method"] in BY_WHOLE_DISTRIBUTION:
                digits, central = None if how.get("or_fewer") else how["digits"], given[_OVER[quantity]]
                distribution = self.randomizer.distribution
                return ask(distribution, quantity, n=self.n, central=central, method=how["method"], engine=how["engine"], digits=digits)
        return super()._ask(quantity, given, **how)


@by_keyword
def shuffled(randomizer: Randomizer, n: Number) -> Shuffled:
    """The shuffled reports of n users who each run the randomizer once, adaptively where it says so.

    randomizer: a named one, such as KRR(k=10, epsilon0=1), or Gaussian, AnyRandomizer, ApproximateRandomizer, VariationRatio or
    FromDistribution; n: users, an integer from 1 to 10^18, of FromDistribution to 10^9. Raises DomainError.

    >>> from shuffleproof import AnyRandomizer
    >>> shuffled(AnyRandomizer(epsilon0="ln 3"), n=10).delta(epsilon="ln 3/2").upper.exact
    '0.0574131011962890625'
    """
    return Shuffled(randomizer=randomizer, n=n)


def shuffled_users(file: str | Path) -> Shuffled:
    """The shuffled reports of users with randomizers of their own, one report from each.

    file: JSON with the distribution of each user, as `shuffleproof bound --users` reads it. n, p, beta and q are computed, for all datasets
    and all neighbours (BEYOND.ThmF3). Raises DomainError naming the place; RegimeError where one user may send what another never does;
    ResourceLimitError.
    """
    from shuffleproof.mechanisms.users_file import read

    found = read(Path(file))
    return Shuffled(randomizer=VariationRatio(p=found.p, beta=found.beta, q=found.q), n=found.n)


def _flat(central: object) -> Iterable[Any]:
    """Every number in an array, row by row."""
    flat = getattr(central, "ravel", None)
    return cast(Iterable[Any], flat() if flat is not None and getattr(central, "ndim", 1) > 1 else central)


def _require_central(quantity: Quantity, central: Number | Epsilon) -> None:
    if quantity == "delta":
        parse_epsilon(central)
    else:
        require(not isinstance(central, Epsilon), parameter=_OVER[quantity], value=str(central), requirement="a number, not an Epsilon")
        _ = probability(cast(Number, central), parameter="delta") if quantity == "epsilon" else renyi_order(cast(Number, central))
