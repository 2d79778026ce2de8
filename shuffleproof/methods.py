"""The methods that users can ask for by name: what each one is, what it needs, and which engines carry it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from shuffleproof.spec.vocabulary.bound import Engine, Quantity
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.methods import (
    APPROX_CLONES,
    APPROX_CLONES_CLOSED_FORM,
    BINARY_RR_PAIR,
    BIT_SUM,
    CLONES,
    CLONES_CLOSED_FORM,
    HISTOGRAM,
    K_RR_BLANKET,
    K_RR_BLANKET_BENNETT,
    K_RR_BLANKET_HOEFFDING,
    K_RR_CLONES,
    K_RR_CLOSED_FORM,
    K_RR_EXHAUSTIVE,
    K_RR_PAIR,
    OPTIMAL_PAIR,
    RANDOMIZER_LOWER,
    RANDOMIZER_PAIR,
    REAL_SUM_TAGGED,
    REAL_SUM_UNTAGGED,
    STRONGER_APPROX_CLONES,
    STRONGER_CLONES,
    ZERO_SUM,
)
from shuffleproof.spec.vocabulary.methods import Method as BoundMethod
from shuffleproof.spec.vocabulary.randomizers import named as checked_randomizer
from shuffleproof.spec.vocabulary.relation import Relation


@dataclass(frozen=True, kw_only=True, slots=True)
class Method:
    """One way of bounding the privacy of shuffled messages, as users see it.

    bound: its entry in the specification (name, statement, side, what follows). says: one line of meaning. needs: conditions, in words.
    quantities: what it answers. engines: what carries it. module: its file name in spec.bounds and on every floor of impl.
    parameters: what it takes beside n and the central parameter: a bound for all eps0-DP randomizers, or a protocol's own parameter.
    optional: what it may be given beside them. renyi_engines: what carries its Renyi divergences, where that is not the same.
    fixed: what its name settles for a module that serves several methods.
    """

    bound: BoundMethod
    says: str
    needs: str
    quantities: tuple[Quantity, ...]
    engines: tuple[Engine, ...]
    module: str
    parameters: tuple[str, ...] = ("epsilon0",)
    optional: tuple[str, ...] = ()
    renyi_engines: tuple[Engine, ...] = ()
    fixed: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What users type."""
        return self.bound.name

    @property
    def statement(self) -> str:
        """The ledger id that it rests on."""
        return self.bound.statement

    @property
    def claim(self) -> Literal["upper", "lower"]:
        """The side of the truth that its value is on."""
        return self.bound.side

    @property
    def relation(self) -> Relation:
        """For which neighbouring datasets."""
        return self.bound.relation

    def engines_for(self, quantity: Quantity) -> tuple[Engine, ...]:
        """What carries it for a quantity."""
        return self.renyi_engines if quantity == "renyi" and self.renyi_engines else self.engines

    def module_of(self, engine: Engine, quantity: Quantity = "epsilon") -> str:
        """The module that carries this method for an engine; Renyi divergences have their own beside it."""
        room = "spec" if engine == "exact" else f"impl.{engine}"
        return f"shuffleproof.{room}.bounds.{self.module}{'_renyi' if quantity == 'renyi' else ''}"


_OFFERED = (
    Method(
        bound=CLONES,
        says="numerical: the profile of the pair of distributions that dominates every sequence of eps0-DP randomizers",
        needs="n >= 1, eps0 >= 0, any delta",
        quantities=("epsilon", "delta", "renyi"),
        engines=("exact", "ball", "fast"),
        module="clones",
    ),
    Method(
        bound=STRONGER_CLONES,
        says="the same with more clones, 2/(e^eps0 + 1) of the others for e^-eps0: never larger, often 30 percent smaller",
        needs="n >= 1, eps0 >= 0, any delta",
        quantities=("epsilon", "delta", "renyi"),
        engines=("exact", "ball", "fast"),
        module="stronger_clones",
    ),
    Method(
        bound=CLONES_CLOSED_FORM,
        says="the closed formula for the same setting: looser, and only in its regime",
        needs="0 < delta <= 1, eps0 <= ln(n / (16 ln(2/delta)))",
        quantities=("epsilon",),
        engines=("ball",),
        module="clones_closed_form",
    ),
    Method(
        bound=BINARY_RR_PAIR,
        says="one neighbouring pair of shuffled binary randomized response: no bound for all eps0-DP randomizers can go below it",
        needs="n >= 1, eps0 >= 0, any delta",
        quantities=("epsilon", "delta", "renyi"),
        engines=("exact", "ball"),
        module="binary_rr",
    ),
    Method(
        bound=APPROX_CLONES,
        says="(eps0, delta0)-DP randomizers: the clones pair, plus (e^eps + 1)(1 + e^-eps0/2) n delta0",
        needs="n >= 1, eps0 >= 0, delta0 in [0, 1], and for an epsilon delta >= delta0",
        quantities=("epsilon", "delta"),
        engines=("exact", "ball"),
        module="approx_clones",
        parameters=("epsilon0", "delta0"),
    ),
    Method(
        bound=STRONGER_APPROX_CLONES,
        says="the same with a smaller price, (e^eps + 1)(3/2) e^-eps0 (n - 1) delta0 + delta0: never larger",
        needs="n >= 1, eps0 >= 0, delta0 in [0, 1], and for an epsilon delta >= delta0",
        quantities=("epsilon", "delta"),
        engines=("exact", "ball"),
        module="stronger_approx_clones",
        parameters=("epsilon0", "delta0"),
    ),
    Method(
        bound=APPROX_CLONES_CLOSED_FORM,
        says="the closed formula for (eps0, delta0)-DP randomizers, with the share of delta that is best for it",
        needs="n >= 1, eps0 <= ln(n / (16 ln(2/delta'))) for the delta' > 0 that delta0 leaves of delta",
        quantities=("epsilon",),
        engines=("ball",),
        module="approx_clones_closed_form",
        parameters=("epsilon0", "delta0"),
    ),
    Method(
        bound=K_RR_CLONES,
        says="k-ary randomized response: numerical, by the refined analysis; for k far above n the clones pair can be smaller",
        needs="n up to about 10^8, k >= 2, eps0 >= 0, any delta",
        quantities=("epsilon", "delta"),
        engines=("exact", "ball"),
        module="k_rr_clones",
        parameters=("k", "epsilon0"),
    ),
    Method(
        bound=K_RR_CLOSED_FORM,
        says="the closed formula for k-ary randomized response: looser, and only in its regime",
        needs="0 < delta <= 1, n >= 2.515 (k + 1)(e^eps0 + k - 1) ln(2/delta)/k",
        quantities=("epsilon",),
        engines=("ball",),
        module="k_rr_closed_form",
        parameters=("k", "epsilon0"),
    ),
    Method(
        bound=K_RR_PAIR,
        says="one neighbouring pair of shuffled k-ary randomized response: its privacy is no better than that",
        needs="n up to about 10^8, k >= 3, eps0 >= 0, any delta",
        quantities=("epsilon", "delta"),
        engines=("exact", "ball"),
        module="k_rr_pair",
        parameters=("k", "epsilon0"),
    ),
    Method(
        bound=K_RR_EXHAUSTIVE,
        says="shuffled k-ary randomized response over all neighbouring datasets: how private it is, neither more nor less",
        needs="1 <= n <= 6, k >= 2, rational e^eps0 and e^eps",
        quantities=("epsilon", "delta"),
        engines=("exact",),
        module="k_rr_exhaustive",
        parameters=("k", "epsilon0"),
    ),
    Method(
        bound=K_RR_BLANKET,
        says="k-ary randomized response: numerical, the exact sum over its privacy blanket; often within a millionth of k-rr-pair",
        needs="n >= 1, k >= 2, eps0 >= 0, any delta",
        quantities=("epsilon", "delta"),
        engines=("exact", "ball"),
        module="k_rr_blanket",
        parameters=("k", "epsilon0"),
    ),
    Method(
        bound=K_RR_BLANKET_HOEFFDING,
        says="a closed formula above that sum, by Hoeffding's inequality",
        needs="n >= 1, k >= 2, eps0 >= 0, any delta",
        quantities=("epsilon", "delta"),
        engines=("ball",),
        module="k_rr_blanket_closed_forms",
        parameters=("k", "epsilon0"),
        fixed={"form": "hoeffding"},
    ),
    Method(
        bound=K_RR_BLANKET_BENNETT,
        says="a closed formula above that sum, by Bennett's inequality: the smaller one for many categories",
        needs="n >= 1, k >= 2, eps0 >= 0, any delta",
        quantities=("epsilon", "delta"),
        engines=("ball",),
        module="k_rr_blanket_closed_forms",
        parameters=("k", "epsilon0"),
        fixed={"form": "bennett"},
    ),
    Method(
        bound=ZERO_SUM,
        says="the zero-sum protocol for binary sums: how private it is with its noise parameter p, neither more nor less",
        needs="n >= 1, p in [0, 1], and for an epsilon delta >= max(p, 1 - p)^n",
        quantities=("epsilon", "delta"),
        engines=("exact", "ball"),
        module="zero_sum",
        parameters=("p",),
        optional=("dishonest",),
    ),
    Method(
        bound=HISTOGRAM,
        says="the histogram protocol for two bins or more: how private it is with its noise parameter p, neither more nor less",
        needs="n >= 1, p in [0, 1], and for an epsilon delta >= p^n + (1 - p)^n - (p (1 - p))^n",
        quantities=("epsilon", "delta"),
        engines=("exact", "ball"),
        module="histogram",
        parameters=("p",),
        optional=("dishonest",),
    ),
    Method(
        bound=BIT_SUM,
        says="the bit sum, n bits by randomized response: how private it is with its parameter lambda, over all datasets",
        needs="n >= 1, lambda in [0, n], and for an epsilon lambda > 0",
        quantities=("epsilon", "delta"),
        engines=("exact", "ball"),
        module="bit_sum",
        parameters=("lam",),
    ),
    Method(
        bound=REAL_SUM_UNTAGGED,
        says="the real sum, r bits from each user: how private it is where all bits are shuffled together, over all datasets",
        needs="n >= 1, lambda in [0, n], r from 1 to 10^4, and for an epsilon lambda > 0",
        quantities=("epsilon", "delta"),
        engines=("exact", "ball"),
        module="real_sum",
        parameters=("lam", "r"),
        fixed={"view": "untagged"},
    ),
    Method(
        bound=REAL_SUM_TAGGED,
        says="the same where the r runs can be told apart: never smaller, and often hardly larger",
        needs="n >= 1, lambda in [0, n], r from 1 to 256, and for an epsilon lambda > 0",
        quantities=("epsilon", "delta"),
        engines=("exact", "ball"),
        module="real_sum",
        parameters=("lam", "r"),
        fixed={"view": "tagged"},
    ),
    Method(
        bound=OPTIMAL_PAIR,
        says="the least pair for randomizers with R_0 <= p R_1, R_1 <= p R_0, total variation at most beta, and R_0, R_1 <= q R_k",
        needs='n >= 1, p >= 1 or "infinity", beta in [0, 1], q >= 1: round all three up',
        quantities=("epsilon", "delta", "renyi"),
        engines=("exact", "ball", "fast"),
        module="optimal_pair",
        parameters=("p", "beta", "q"),
        renyi_engines=("exact", "ball"),
    ),
    Method(
        bound=RANDOMIZER_PAIR,
        says="the same with p, beta and q computed: krr, laplace, rappor, asymmetric-rappor, subset, hadamard, hash",
        needs="n >= 1, eps0 >= 0; --k for krr; --k and --d for subset; --k for hadamard (and --blocks); --buckets for hash",
        quantities=("epsilon", "delta", "renyi"),
        engines=("exact", "ball", "fast"),
        module="optimal_parameters",
        parameters=("randomizer", "epsilon0"),
        optional=("k", "d", "blocks", "buckets"),
        renyi_engines=("exact", "ball"),
    ),
    Method(
        bound=RANDOMIZER_LOWER,
        says="one neighbouring pair of a named randomizer, its reports merged into a few kinds: its privacy is no better than that",
        needs="n up to about 10^8, eps0 >= 0; what randomizer-pair needs; hash functions uniform, three items or more unless --k says 2",
        quantities=("epsilon", "delta"),
        engines=("exact", "ball"),
        module="randomizer_lower",
        parameters=("randomizer", "epsilon0"),
        optional=("k", "d", "blocks", "buckets"),
    ),
)

METHODS: Mapping[str, Method] = MappingProxyType({method.name: method for method in _OFFERED})
"""Every method by its name, in the order in which they are listed to people."""


def method_named(name: str) -> Method:
    """The method of this name. Raises DomainError, listing the names there are."""
    if name not in METHODS:
        raise DomainError(parameter="method", value=name, requirement=f"one of {', '.join(METHODS)}")
    return METHODS[name]


def comparable(named: Mapping[str, str]) -> list[tuple[str, dict[str, str]]]:
    """The methods that speak of one thing, each with what it takes beside n, epsilon0 and the central parameter.

    named: empty for all eps0-DP randomizers; else "randomizer" with what it needs, as texts. A bound for all of them holds for each one,
    but their lower bounds do not; kRR's, here with three categories, is a lower bound for all of them. Each randomizer has a neighbouring
    pair of its own. kRR has bounds of its own; with two categories it is binary randomized response.
    Raises DomainError where a randomizer is not named, or what it needs is missing.
    """
    for_all = [method for method in _OFFERED if method.parameters == ("epsilon0",)]
    if not named:
        return [*((method.name, {}) for method in for_all), (K_RR_PAIR.name, {"k": "3"})]
    own = {name: named.get(name) for name in ("k", "d", "blocks", "buckets")}
    chosen, given = checked_randomizer(named.get("randomizer", "(nothing)"), **own)
    rows = [(RANDOMIZER_PAIR.name, dict(named))]
    if chosen.name == "krr":
        rows += [(method.name, {"k": named["k"]}) for method in _OFFERED if method.parameters == ("k", "epsilon0")]
        if given["k"] == 2:
            rows = [row for row in rows if row[0] != K_RR_PAIR.name]
    else:  # for kRR it is the same pair as k-rr-pair, or binary-rr-pair
        rows.append((RANDOMIZER_LOWER.name, dict(named)))
    return rows + [(method.name, {}) for method in for_all if method.claim == "upper" or (chosen.name, given.get("k")) == ("krr", 2)]
