"""The local randomizers that can be shuffled: named ones, any with a privacy parameter, and users' own distributions.

Each one knows which methods bound its shuffled reports, and with what they are asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, cast

from shuffleproof.default_choice import MOST_IN_FLOATS, SIDES, Candidate, candidates
from shuffleproof.keywords import formerly, keyword_record, own_names
from shuffleproof.methods.selection import speaking_of
from shuffleproof.spec.randomizers import hadamard_response, k_rr, k_subset, laplace, local_hashing, piecewise, square_wave, unary_encoding
from shuffleproof.spec.vocabulary import named_randomizer, randomizers as records
from shuffleproof.spec.vocabulary.bound import Quantity
from shuffleproof.spec.vocabulary.errors import RegimeError, UnsupportedError, require
from shuffleproof.spec.vocabulary.numerals import (
    INFINITE,
    Epsilon,
    Number,
    as_given,
    decimal_text,
    epsilon0_parameter,
    exact_fraction,
    in_words,
    probability,
    ratio_bound,
)
from shuffleproof.spec.vocabulary.parameters import EPSILON0, SIGMA, Given, noise_on_interval
from shuffleproof.spec.vocabulary.scope import Mechanisms

if TYPE_CHECKING:
    from shuffleproof.conformance.audit.distribution_file import RoundedDistribution

__dir__ = own_names(__name__)

Parameters = Mapping[str, Number | Epsilon]
_SHORT = 10**40
"""Denominator to which long parameters of a distribution are rounded up, which is sound: relative to them 1e-40 at most."""


@lru_cache(maxsize=256)
def _methods(asked: tuple[tuple[str, Number | Epsilon, type], ...]) -> Mapping[str, Parameters]:
    """Those of `Randomizer.methods`, found once for each way of writing the parameters: a profile is asked for at hundreds of points."""
    found = speaking_of({name: value for name, value, _ in asked})
    return MappingProxyType({each.method.name: each.parameters for each in found if not each.again})


@keyword_record
class Randomizer:
    """Says what each user runs on their own value. Frozen, hashable, picklable; numbers as everywhere: text such as "ln 3" is exact.

    mechanisms: those of which answers are the worst: this one, but where it stands for many.
    """

    mechanisms: ClassVar[Mechanisms] = Mechanisms.ONE

    def __str__(self) -> str:
        given = as_given(**{each.name: getattr(self, each.name) for each in fields(self)})
        return f"{type(self).__name__}({in_words(given)})"

    def methods(self) -> Mapping[str, Parameters]:
        """The methods that speak of its shuffled reports, by name, with what they take beside n and the central parameter."""
        return _methods(tuple((name, value, type(value)) for name, value in self.asked_with().items()))

    def asked_with(self) -> Parameters:
        """The parameters by which methods know it: what it is made of."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def candidates(self, quantity: Quantity, *, n: int, digits: int | None = None) -> tuple[Candidate, ...]:
        """The methods to ask where none is named: those with a small cost at this n, the best of each side among them."""
        given = {"n": n, **self.asked_with()}
        upper, lower = (candidates(quantity, given, digits=digits, side=side, quick=True) for side in SIDES)
        return (*upper, *lower)

    def in_rounds(self) -> Parameters | None:
        """Return what `compose` takes for many rounds of it, or None where it does not know it."""
        return None


@keyword_record
class AnyRandomizer(Randomizer):
    """Any epsilon0-DP randomizer, the worst of them all: adaptive ones too, chosen step by step from what was sent before.

    epsilon0: in [0, 10000]. Every step has one randomizer, for whomever it falls to. Randomizers that users choose for themselves are not
    covered, by no method: a report that only its sender could have sent is hidden by nobody. For these there is `shuffled_users`.
    Raises DomainError.
    """

    mechanisms = Mechanisms.EVERY_ADAPTIVE
    epsilon0: Number | Epsilon

    def __post_init__(self) -> None:
        epsilon0_parameter(self.epsilon0)

    def in_rounds(self) -> Parameters:
        """Return what every randomizer that is epsilon0-DP is covered by."""
        return self.asked_with()


@keyword_record
class ApproximateRandomizer(Randomizer):
    """Any (epsilon0, delta0)-DP randomizer, the worst of them all: adaptive ones too, as for `AnyRandomizer`.

    epsilon0: in [0, 10000]; delta0: in [0, 1], which method "first-arrival-approximate" pays once, and the others about n times. Raises
    DomainError.
    """

    mechanisms = Mechanisms.LEAKING_ADAPTIVE
    epsilon0: Number | Epsilon
    delta0: Number

    def __post_init__(self) -> None:
        epsilon0_parameter(self.epsilon0)
        probability(self.delta0, parameter="delta0")

    def candidates(self, quantity: Quantity, *, n: int, digits: int | None = None) -> tuple[Candidate, ...]:
        """Those for (epsilon0, delta0); without a delta0, Renyi divergences by what holds for epsilon0."""
        if quantity == "renyi" and probability(self.delta0, parameter="delta0") == 0:
            return AnyRandomizer(epsilon0=self.epsilon0).candidates(quantity, n=n, digits=digits)
        return super().candidates(quantity, n=n, digits=digits)


@keyword_record
class NamedRandomizer(Randomizer):
    """A randomizer that has a name, and bounds of its own. epsilon0: its local parameter, in [0, 10000]."""

    kind: ClassVar[type[named_randomizer.NamedRandomizer]]
    epsilon0: Number | Epsilon

    def __post_init__(self) -> None:
        epsilon0_parameter(self.epsilon0)
        self.record()

    def _sizes(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name != "epsilon0"}

    def record(self) -> named_randomizer.NamedRandomizer:
        """Its declaration, with its settings."""
        return records.named(self.kind.name, **self._sizes())

    @cached_property
    def _own(self) -> dict[str, str]:
        return {"randomizer": self.kind.name, **as_given(**self._sizes())}

    def asked_with(self) -> Parameters:
        """Its name, epsilon0 and sizes."""
        return {"epsilon0": self.epsilon0, **self._own}

    def in_rounds(self) -> Parameters:
        """Its optimal pair's."""
        return self.asked_with()


@keyword_record
class KRR(NamedRandomizer):
    """k-ary randomized response: the truth with probability e^eps0/(e^eps0 + k - 1), each other item with 1/(e^eps0 + k - 1).

    k: items, at least 2. Raises DomainError.
    """

    kind = k_rr.KRR
    k: Number


@keyword_record
class Laplace(NamedRandomizer):
    """Laplace noise of scale 1/eps0 on a number in [0, 1]."""

    kind = laplace.Laplace


@keyword_record
class RAPPOR(NamedRandomizer):
    """RAPPOR, one report: each bit of the one-hot vector flipped with probability 1/(e^(eps0/2) + 1). k: items, if they are to be fixed."""

    kind = unary_encoding.RAPPOR
    k: Number | None = None


@keyword_record
class UnaryEncoding(NamedRandomizer):
    """Unary encoding: the bit of the user's item is 1 with probability p, every other one with q (Wang et al. 2017). Raises DomainError.

    p_own: p; p_other: q, below it; k: items, if fixed. epsilon0 is ln(p (1 - q)/(q (1 - p))); it may be given instead of p_own.
    """

    kind = unary_encoding.UnaryEncoding
    epsilon0: Number | Epsilon | None = None  # type: ignore[assignment]
    p_other: Number
    p_own: Number | None = None
    k: Number | None = None

    def __post_init__(self) -> None:
        found = records.completed({"randomizer": self.kind.name, **as_given(epsilon0=self.epsilon0, **self._sizes())})
        require("epsilon0" in found, parameter="epsilon0", value="(nothing)", requirement="given, or p_own")
        object.__setattr__(self, "epsilon0", self.epsilon0 if self.epsilon0 is not None else str(found["epsilon0"]))
        super().__post_init__()


@keyword_record
class AsymmetricRAPPOR(NamedRandomizer):
    """Optimized unary encoding: the user's own bit kept with probability 1/2, the others set with 1/(e^eps0 + 1). k: items, if fixed."""

    kind = unary_encoding.AsymmetricRAPPOR
    k: Number | None = None


@keyword_record
class Subset(NamedRandomizer):
    """d-subset selection of k items. k: at least 2; d: from 1 to k - 1. Raises DomainError."""

    kind = k_subset.Subset
    k: Number
    d: Number


@keyword_record
class Hadamard(NamedRandomizer):
    """Hadamard response of k items. blocks: a power of two; ASZ19's if None. Raises DomainError."""

    kind = hadamard_response.Hadamard
    k: Number
    blocks: Number | None = None


@keyword_record
class LocalHashing(NamedRandomizer):
    """Local hashing into buckets, by default with the worst family of hash functions. Raises DomainError.

    buckets: at least 2; k: items, if fixed; family: of hash functions: "any" is the worst of all families, so that answers hold whatever
    the functions are (BLH and OLH implementations differ in them); "uniform" promises all functions alike, and answers are smaller.
    """

    kind = local_hashing.LocalHashing
    buckets: Number
    k: Number | None = None
    family: named_randomizer.Family = "any"

    def __str__(self) -> str:
        """Print as every randomizer does; of the default family also that it is the worst one."""
        return super().__str__().replace("family = any", "family = any, the worst of all")


@keyword_record
class Piecewise(NamedRandomizer):
    """The piecewise mechanism (Wang et al. 2019) for a number in [-1, 1]: bounds are for all numbers, and for reports as real numbers."""

    kind = piecewise.Piecewise


@keyword_record
class SquareWave(NamedRandomizer):
    """The square wave (Li et al. 2020) for a number in [0, 1]: bounds are for all numbers. radius: b, in (0, 1/2]; the authors' if None."""

    kind = square_wave.SquareWave
    radius: Number | None = None


@keyword_record
class Gaussian(Randomizer):
    """Gaussian noise on a number in [0, 1]: no pure local privacy. sigma: its standard deviation, from 1/10 to 10^6. Raises DomainError."""

    sigma: Number

    def __post_init__(self) -> None:
        noise_on_interval(self.sigma)


NAMED: Mapping[str, type[NamedRandomizer]] = {each.kind.name: each for each in NamedRandomizer.__subclasses__()}
"""By the names that they have on the command line, in files and in tables."""


def named_in(parameters: Given) -> NamedRandomizer:
    """The randomizer of a question's parameters.

    Raises DomainError where there is none of that name, or what it needs is missing; UnsupportedError where one is declared without a
    class here.
    """
    record = records.class_named(parameters[records.RANDOMIZER.name])
    if record.name not in NAMED:
        what, reason = f"randomizer {record.printed()!r} as an object", f"{__name__} has no class whose kind is {record.__name__}"
        raise UnsupportedError(what=what, reason=reason, advice="declare one, as for the others")
    sizes: dict[str, Any] = {each.name: parameters[each.name] for each in records.SIZES if each.name in parameters}
    return NAMED[record.name](epsilon0=cast(Number, parameters[EPSILON0.name]), **sizes)


def randomizer_of(parameters: Given) -> Randomizer:
    """The randomizer of a question's parameters: Gaussian noise, a named one, or any of epsilon0. Raises what `named_in` raises."""
    if SIGMA.name in parameters:
        return Gaussian(sigma=cast(Number, parameters[SIGMA.name]))
    return named_in(parameters) if records.RANDOMIZER.name in parameters else AnyRandomizer(epsilon0=parameters[EPSILON0.name])


@keyword_record
class VariationRatio(Randomizer):
    """Randomizers with R_0 <= p R_1, R_1 <= p R_0, total variation at most beta, and R_0, R_1 <= q R_k for any other user's R_k.

    p: at least 1, or "infinity"; beta: in [0, 1]; q: at least 1. Round all three up. Raises DomainError.
    """

    mechanisms = Mechanisms.RATIOS_ADAPTIVE
    p: Number
    beta: Number
    q: Number

    def __post_init__(self) -> None:
        ratio_bound(self.p, parameter="p")
        probability(self.beta, parameter="beta")
        require(self.q != INFINITE, parameter="q", value=self.q, requirement="a number of at least 1")
        ratio_bound(self.q, parameter="q")

    def asked_with(self) -> Parameters:
        """The three."""
        return {"p": self.p, "beta": self.beta, "q": self.q}

    def in_rounds(self) -> Parameters | None:
        """The optimal pair's."""
        return {**self.asked_with(), "method": "optimal-pair"}


@dataclass(frozen=True, init=False, repr=False)
class FromDistribution(VariationRatio):
    """A finite randomizer by its distribution, the same for all users: by p, beta and q (BEYOND.ThmF3), and by its whole distribution.

    distribution: {input: {outcome: probability}}, an array with a row for each input, or a file as `audit distribution` reads it, by its
    path; kept as a record of exact numbers. rounding: how far each probability may lie from what is written; p, beta and q then cover every
    distribution within it. normalize: divide each row by its exact sum, which has to be within 1e-9 of 1: for numbers in floats (see
    `distributions.normalized`). Where an outcome of one input is impossible for another, p and q are infinite and the whole distribution
    alone speaks: nobody else hides such an outcome, and its probability is revealed. Raises DomainError naming the place; RegimeError where
    numbers are rounded and that may be.
    """

    mechanisms = Mechanisms.ONE
    distribution: RoundedDistribution = field(repr=False)

    @formerly(law="distribution")
    def __init__(self, distribution: object, *, rounding: Number = 0, normalize: bool = False) -> None:
        from shuffleproof.conformance.audit.distribution import local
        from shuffleproof.mechanisms.distributions import normalized, read as read_distribution

        require(not (normalize and rounding), parameter="rounding", value=rounding, requirement="left out with normalize")
        read = read_distribution(normalized(distribution) if normalize else distribution, rounding=rounding or None)
        found = local(read)
        if found.exp_epsilon.upper is None:
            if read.rounding:
                raise RegimeError(
                    statement="BEYOND.ThmF3",
                    condition="R_0, R_1 <= q R_k for some q",
                    given=f"an outcome that may be possible for some inputs only ({', '.join(map(repr, found.worst))})",
                    advice="give exact numbers, or p, beta and q of the datasets in question as VariationRatio(p=..., beta=..., q=...)",
                )
            for name, value in {"p": INFINITE, "beta": 1, "q": INFINITE, "distribution": read}.items():
                object.__setattr__(self, name, value)
            return
        assert found.total_variation.upper is not None
        p, beta = _short(found.exp_epsilon.upper), min(Fraction(1), _short(found.total_variation.upper))
        for name, value in {"p": p, "beta": beta, "q": p, "distribution": read}.items():
            object.__setattr__(self, name, value)

    @property
    def law(self) -> RoundedDistribution:
        """The distribution, by its former name."""
        return self.distribution

    def __setstate__(self, state: Mapping[str, object]) -> None:
        """Take what was pickled under the former name, too."""
        vars(self).update({"distribution" if name == "law" else name: value for name, value in state.items()})

    def methods(self) -> Mapping[str, Parameters]:
        """The optimal pair of p, beta and q; and, of exact numbers, what uses the whole distribution, from above and from below."""
        whole: dict[str, Parameters] = {} if self.distribution.rounding else {"blanket": {}, "homogeneous": {}, "another-place": {}}
        return whole if self.q == INFINITE else {**super().methods(), **whole}

    def candidates(self, quantity: Quantity, *, n: int, digits: int | None = None) -> tuple[Candidate, ...]:
        """All that are worth asking; where numbers are rounded, the optimal pair."""
        from shuffleproof.mechanisms.distributions import PLACE_FROM

        place = ("another-place",) if digits is None and quantity != "renyi" and PLACE_FROM <= n <= MOST_IN_FLOATS else ()
        own = tuple(Candidate(method=name, parameters={}, in_floats=0.3) for name in ("blanket", "homogeneous", *place))
        if self.q == INFINITE:
            return own
        by_three = super().candidates(quantity, n=n, digits=digits)
        return by_three if self.distribution.rounding or quantity == "renyi" or n > MOST_IN_FLOATS else (*by_three, *own)

    def in_rounds(self) -> Parameters | None:
        """The optimal pair's, or None where q is infinite."""
        return None if self.q == INFINITE else super().in_rounds()

    def __repr__(self) -> str:
        return f"<FromDistribution of {len(self.distribution.inputs)} inputs and {len(self.distribution.outcomes)} outcomes>"

    def __str__(self) -> str:
        of = f"distribution of {len(self.distribution.inputs)} inputs and {len(self.distribution.outcomes)} outcomes"
        if self.q == INFINITE:
            return f"{of} (some for some inputs only)"
        most = decimal_text(exact_fraction(self.p, parameter="p"), digits=6, direction="up")
        return f"{of} (likelihood ratios at most {most})"


FromLaw = FromDistribution
"""Its former name."""


def _short(x: Fraction) -> Fraction:
    """x, or a number with fewer digits that is not below it."""
    return x if x.denominator <= _SHORT else Fraction(-(-x.numerator * _SHORT // x.denominator), _SHORT)
