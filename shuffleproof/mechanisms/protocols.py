"""The papers' protocols as objects: how private each one is with the noise that it is given."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from importlib import import_module
from typing import Any, ClassVar, Literal, Unpack, cast

from shuffleproof.answering import How
from shuffleproof.default_choice import Candidate
from shuffleproof.keywords import keyword_record, own_names
from shuffleproof.mechanisms.brackets import Bracket
from shuffleproof.mechanisms.mechanism import Mechanism, Shuffled, WithProfile, from_above, reached
from shuffleproof.mechanisms.randomizers import KRR, Parameters
from shuffleproof.methods import METHODS, carrier_of
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.errors import DomainError, UnsupportedError, require, require_one_of
from shuffleproof.spec.vocabulary.methods.noise_and_sampling import GAUSSIAN
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    epsilon0_parameter,
    exact_fraction,
    in_words,
    positive,
    probability,
    told,
)
from shuffleproof.spec.vocabulary.parameters import N, Parameter
from shuffleproof.spec.vocabulary.scope import COUNTED_OR_NOT, Relation

__dir__ = own_names(__name__)

View = Literal["untagged", "tagged"]
_BITS = 256
"""Bits of ends of epsilon0 and of square roots; the end that is sound is taken."""
_FEW_USERS = 10
"""Users up to which balls are quick over two coordinates; float64 is asked beyond."""
_RUNGS = 60
"""Steps of a ladder of epsilons, each four fifths of the next: down to 1.5e-6 of epsilon0."""


class Protocol(Mechanism):
    """A protocol with one method of its own, over all neighbouring datasets: what it is made of is n and what that method takes."""

    method: str
    title: ClassVar[str]

    def __post_init__(self) -> None:
        for each in self._parameters():
            try:
                each.read(getattr(self, each.name), {"n": self.n})
            except DomainError as error:  # of lambda, which is `lam` here
                named = each.name if error.parameter == each.protocol_key else error.parameter
                raise DomainError(parameter=named, value=error.value, requirement=error.requirement) from None

    def __str__(self) -> str:
        asked = {"n", *self.own_parameters()}
        given = {each.option.lstrip("-"): getattr(self, each.name) for each in self._parameters() if each.name in asked}
        return f"{self.title}, {in_words(as_given(**given))}"

    def _parameters(self) -> list[Parameter]:
        """In the order of its fields."""
        method = METHODS[self.method]
        known = {each.name: each for each in (N, *method.parameters, *method.optional)}
        return [known[each.name] for each in fields(self) if each.name in known]  # type: ignore[arg-type]

    def own_parameters(self) -> Parameters:
        """Beside n and the central parameter; dishonest users if there are any."""
        return {**{name: getattr(self, name) for name in METHODS[self.method].takes}, **told(getattr(self, "dishonest", 0))}

    def seen(self) -> str:
        """Return what the adversary sees: the view of its method."""
        return METHODS[self.method].view

    def methods(self) -> Mapping[str, Parameters]:
        """Its own."""
        return {self.method: self.own_parameters()}

    def candidates(self, quantity: Quantity, *, digits: int | None = None) -> tuple[Candidate, ...]:
        """Its own."""
        return (Candidate(method=self.method, parameters=self.own_parameters()),)


@keyword_record
class BitSum(Protocol):
    """CSUZZ19's sum of n bits, one message of one bit each: a fair coin with probability lam/n, else the truth.

    n: users; lam: lambda, the expected number of coins, in [0, n]. Raises DomainError.
    """

    n: Number
    lam: Number
    method = "bit-sum"
    title = "bit sum"

    def factors(self) -> tuple[Mechanism, int]:
        """One coordinate whose bits are flipped with probability lam/(2n)."""
        noise = exact_fraction(self.lam, parameter="lam")
        if noise == 0:
            return self, 1
        return CoordinateSums(n=self.n, epsilon0=Epsilon(None, 2 * count(self.n, parameter="n") / noise - 1), changed=1), 1


@keyword_record
class RealSum(Protocol):
    """CSUZZ19's sum of n numbers in [0, 1], each rounded to r bits that are sent like those of the bit sum.

    n: users; lam: lambda, expected coins in each run, in [0, n]; r: bits a user; view: "untagged" where all messages are shuffled
    together, "tagged" where the r runs can be distinguished. Raises DomainError.
    """

    n: Number
    lam: Number
    r: Number
    view: View

    def __post_init__(self) -> None:
        require_one_of(self.view, ("untagged", "tagged"), parameter="view")
        super().__post_init__()

    def __str__(self) -> str:
        return f"{self.view} real sum, {in_words(as_given(n=self.n, r=self.r, **{'lambda': self.lam}))}"

    @property
    def method(self) -> str:  # type: ignore[override]  # one for each view
        """The method of its view."""
        return f"real-sum-{self.view}"


@keyword_record
class ZeroSum(Protocol):
    """BC20's sum of n bits that is exactly 0 where all of them are: each user sends their bit, and a noise bit.

    n: users; p: probability that a noise bit is 1, in [0, 1]; dishonest: users without noise, 0 to n - 1. Raises DomainError.
    """

    n: Number
    p: Number
    dishonest: Number = 0
    method = "zero-sum"
    title = "zero sum"


@keyword_record
class Histogram(Protocol):
    """BC20's histogram over two bins or more, a zero sum in each: an item that nobody has is estimated as exactly 0.

    n: users with one item each; p: that a noise bit is 1, in [0, 1]; dishonest: users without noise, 0 to n - 1. Raises DomainError.
    """

    n: Number
    p: Number
    dishonest: Number = 0
    method = "histogram"
    title = "histogram"


@keyword_record
class CoordinateSums(Protocol, WithProfile):
    """The sums of the coordinates of n RAPPOR reports, and nothing else of them: what secure aggregation releases.

    n: users; epsilon0: local parameter of the whole change, each changed bit keeping epsilon0/changed; changed: 2 where a user's item is
    replaced, 1 where it is dropped. Three items or more. Raises DomainError.
    """

    n: Number
    epsilon0: Number | Epsilon
    changed: Number = 2
    method = "coordinate-sums"
    title = "coordinate sums of RAPPOR reports"

    def neighbours(self) -> Relation:
        """Those where a user's item is replaced, or is dropped where one coordinate changes."""
        return Relation.DELETION if count(self.changed, parameter="changed") == 1 else Relation.REPLACE_ONE

    def _ask(self, quantity: Quantity, given: Parameters, **how: Unpack[How]) -> Bound:
        return replace(super()._ask(quantity, given, **how), relation=self.neighbours())

    def candidates(self, quantity: Quantity, *, digits: int | None = None) -> tuple[Candidate, ...]:
        """Its own, in float64 where two coordinates would take balls long."""
        many = count(self.n, parameter="n") > _FEW_USERS and quantity != "renyi"
        return (Candidate(method=self.method, parameters=self.own_parameters(), engine="fast" if many else "auto"),)

    def factors(self) -> tuple[Mechanism, int]:
        """One coordinate's sum, and how many of them change: they are independent, so together they are at most these composed."""
        changed = count(self.changed, parameter="changed", maximum=2)
        if changed == 1:
            return self, 1
        share = epsilon0_parameter(self.epsilon0).bounds(bits=_BITS)[1] / changed
        return CoordinateSums(n=self.n, epsilon0=share, changed=1), changed

    def uppers(self, epsilons: Sequence[Fraction], *, least: Fraction) -> list[Fraction]:
        """Upper bounds on the deltas of one changed coordinate at many epsilons, some percent above the truth down to delta = least.

        Raises UnsupportedError.
        """
        require(count(self.changed, parameter="changed") == 1, parameter="changed", value=self.changed, requirement="1: one coordinate")
        users, local = count(self.n, parameter="n"), epsilon0_parameter(self.epsilon0)
        carried: Any = import_module(carrier_of(METHODS[self.method], "fast").module)
        found: list[Fraction] = carried.one_coordinate(n=users, epsilon0=local, epsilons=epsilons, least=least)
        return found

    def top(self, *, beyond: Fraction) -> Fraction:
        """An epsilon at which the delta of one changed coordinate is at most `beyond`. Raises UnsupportedError."""
        local = epsilon0_parameter(self.epsilon0).bounds(bits=64)[1]
        ladder = [local * Fraction(4, 5) ** i for i in range(_RUNGS)][::-1]
        return next((each for each, delta in zip(ladder, self.uppers(ladder, least=beyond), strict=True) if delta <= beyond), local)


@keyword_record
class AsymmetricCoordinateSums(CoordinateSums):
    """The sums of the coordinates of n asymmetric RAPPOR reports, and nothing else of them.

    n: users; epsilon0: of one report where an item is replaced; changed: 2 where a user's item is replaced, 1 where it is dropped, or where
    the sum of one coordinate alone is released. Three items or more. Raises DomainError.
    """

    method = "asymmetric-coordinate-sums"
    title = "coordinate sums of asymmetric RAPPOR reports"

    def factors(self) -> tuple[Mechanism, int]:
        """One coordinate's sum, in the worse direction, and how many of them change."""
        return replace(self, changed=1), count(self.changed, parameter="changed", maximum=2)


@keyword_record
class FakeUsers(Protocol):
    """A histogram to which the shuffler adds fake users: each of them a message of a bin with probability p, bin by bin.

    n: users, who send one item each and no noise; fakes: fake users, at least 1; p: in [0, 1]. The n does not change the answer, and users
    who collude do not either: what they trust is the shuffler. Raises DomainError.
    """

    n: Number
    fakes: Number
    p: Number
    method = "fake-users"
    title = "histogram with fake users"


@keyword_record
class LaplaceSum(Protocol):
    """A sum of integers under secure aggregation, with discrete Laplace noise that users add in parts.

    n: users who are honest, at least: each adds the n-th part; sensitivity: by how much one user's data moves the sum at most; epsilon0:
    what it costs at delta = 0, the noise being of ratio e^(-epsilon0/sensitivity). The n does not change the answer. Raises DomainError.
    """

    n: Number
    sensitivity: Number
    epsilon0: Number | Epsilon
    method = "laplace-sum"
    title = "discrete Laplace noise in parts"


@keyword_record
class BinomialSum(Protocol):
    """A sum of integers under secure aggregation, to which each user adds the heads of some coins.

    n: users who are honest, at least; sensitivity: by how much one user's data moves the sum at most; coins: of each user, at least 1;
    p: that a coin is heads, in [0, 1]. Raises DomainError.
    """

    n: Number
    sensitivity: Number
    coins: Number
    p: Number = "1/2"
    method = "binomial-sum"
    title = "binomial noise in parts"


@keyword_record
class DiscreteGaussianSum(Protocol):
    """A sum of integers under secure aggregation, to which each user adds a discrete Gaussian.

    n: users who are honest, at least; sensitivity: by how much one user's data moves the sum at most; variance: sigma^2 of each user's
    noise, above 0. The guarantee is of the distribution of the noises' sum, which is no discrete Gaussian. Raises DomainError.
    """

    n: Number
    sensitivity: Number
    variance: Number
    method = "discrete-gaussian-sum"
    title = "discrete Gaussian noise from everybody"


@keyword_record
class SplitAndMix(Protocol):
    """A sum of integers by shares: users add discrete Laplace noise in parts, split the result modulo q, and all shares are shuffled.

    n: users who are honest, at least; messages: shares of each, at least 1; modulus: q, at least 2 (large enough for the sum and its noise,
    which matters for the estimate alone); sensitivity, epsilon0: of the noise, as for `LaplaceSum`. Raises DomainError.
    """

    n: Number
    messages: Number
    modulus: Number
    sensitivity: Number
    epsilon0: Number | Epsilon
    method = "split-and-mix"
    title = "split and mix"

    def _bracket(self, quantity: Quantity, central: Parameters, engine: str | None, digits: Number | None) -> Bracket:
        """The method's, and a lower bound on epsilon by the noisy sum, which all shares add up to (BEYOND.split-and-mix-below)."""
        found = super()._bracket(quantity, central, engine, digits)
        delta = probability(cast(Number, central["delta"]), parameter="delta") if quantity == "epsilon" else Fraction(0)
        if not 0 < delta < 1 or engine not in (None, "auto"):
            return found
        return replace(found, lower=from_above("rounds_below")([(self, 1)], delta=delta, of=str(self)))


@keyword_record
class UserHistogram(Mechanism):
    """LSZKG22's histogram of all rows of each user: clipped in l2 at a threshold, summed, Gaussian noise on every item.

    threshold: C > 0; domain_size: items, at least 1; sigma: standard deviation of the noise, above 0; relation: which datasets are
    neighbours, replacing a user or adding one. The number of users does not matter. Raises DomainError.
    """

    threshold: Number
    domain_size: Number
    sigma: Number
    relation: Relation
    n = 1  # does not matter

    def __post_init__(self) -> None:
        count(self.domain_size, parameter="domain_size")
        for name in ("threshold", "sigma"):
            positive(getattr(self, name), parameter=name)
        if self.relation not in COUNTED_OR_NOT:
            wanted = "Relation.REPLACE_ONE or Relation.ADD_REMOVE"
            raise DomainError(parameter="relation", value=self.relation, requirement=wanted)

    def __str__(self) -> str:
        given = as_given(threshold=self.threshold, domain_size=self.domain_size, sigma=self.sigma)
        return f"user histogram, {in_words(given)}, {self.relation.value}"

    def neighbours(self) -> Relation:
        """Those of its relation."""
        return self.relation

    def seen(self) -> str:
        """The noisy sum."""
        return GAUSSIAN.view

    def methods(self) -> Mapping[str, Parameters]:
        """Gaussian noise on a sum of bounded sensitivity."""
        return {GAUSSIAN.name: {}}

    def candidates(self, quantity: Quantity, *, digits: int | None = None) -> tuple[Candidate, ...]:
        """The same."""
        return (Candidate(method=GAUSSIAN.name, parameters={}),)

    def _reached(self, upper: Bound) -> Bound | None:
        return reached(upper)

    def _ask(self, quantity: Quantity, given: Parameters, **how: Unpack[How]) -> Bound:
        from shuffleproof.impl.ball import gaussian

        if how["engine"] not in ("auto", "ball"):
            what = f"{quantity} of a user histogram by engine {how['engine']!r}"
            raise UnsupportedError(what=what, reason="not carried here", advice='use engine "ball"')
        wanted = 15 if (digits := how["digits"]) is None else count(digits, parameter="digits", maximum=300)
        central = {name: value for name, value in given.items() if name != "n"}
        own = as_given(C=self.threshold, d=self.domain_size, sigma=self.sigma)
        if quantity == "renyi":
            order = cast(Number, given["order"])
            found = gaussian.renyi(squared_noise_multiplier=self._squared(), order=order, relation=self.relation)
            return replace(found, inputs={**own, **as_given(order=order)})
        ask = gaussian.epsilon if quantity == "epsilon" else gaussian.delta
        low, high = self._multipliers()
        more, less = (ask(noise_multiplier=multiplier, relation=self.relation, digits=wanted, **central) for multiplier in (low, high))
        inputs = {**own, **{name: text for name, text in more.inputs.items() if name != "noise_multiplier"}}
        return replace(more, lower=min(less.lower, more.upper), inputs=inputs)

    def _squared(self) -> Fraction:
        """The square of sigma over the l2 sensitivity: two users' histograms differ by C sqrt 2, one by C (LSZKG22.Alg1)."""
        ratio = exact_fraction(self.sigma, parameter="sigma") / exact_fraction(self.threshold, parameter="threshold")
        alone = self.relation is Relation.ADD_REMOVE or count(self.domain_size, parameter="domain_size") == 1
        return ratio**2 if alone else ratio**2 / 2

    def _multipliers(self) -> tuple[Fraction, Fraction]:
        """sigma over the l2 sensitivity, from below and above."""
        from math import isqrt

        squared = self._squared()
        numerator, denominator = isqrt(squared.numerator), isqrt(squared.denominator)
        if numerator**2 == squared.numerator and denominator**2 == squared.denominator:
            return Fraction(numerator, denominator), Fraction(numerator, denominator)
        bits = _BITS + max(0, squared.denominator.bit_length() - squared.numerator.bit_length())
        root = isqrt((squared.numerator << (2 * bits)) // squared.denominator)
        return Fraction(root, 1 << bits), Fraction(root + 1, 1 << bits)


def factors_of(mechanism: Mechanism) -> tuple[Mechanism, int]:
    """`mechanism.factors()`; of two items by randomized response the number of ones is all that is seen: the sum of one coordinate."""
    if isinstance(mechanism, Shuffled) and isinstance(mechanism.randomizer, KRR) and mechanism.randomizer.k == 2:
        return CoordinateSums(n=mechanism.n, epsilon0=mechanism.randomizer.epsilon0, changed=1), 1
    return mechanism.factors()
