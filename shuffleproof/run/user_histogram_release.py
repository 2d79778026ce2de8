"""The budget and the public parameters of a user histogram, its release, and what is said about it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, Literal

from shuffleproof.data.readers import domain_of
from shuffleproof.data.source import LARGEST_DOMAIN
from shuffleproof.impl.ball.gaussian import classical_noise_multiplier, noise_multiplier
from shuffleproof.impl.release.noise import Sampler
from shuffleproof.impl.release.user_histogram import (
    LARGEST_THRESHOLD,
    Entries,
    Norm,
    Released,
    ThresholdSettings,
    private_threshold,
    release,
    require_threshold,
)
from shuffleproof.run.answer import Printed
from shuffleproof.spec.vocabulary.errors import DomainError, require
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    decimal_text,
    exact_fraction,
    parse_epsilon,
    proper_share,
    shortest,
)
from shuffleproof.spec.vocabulary.scope import Relation

_LEAST_BOUND = Fraction(1, 1000)
"""Least bound on the threshold that may be given: below it every histogram would be clipped to nothing."""
_EXACT = Context(prec=60)
_EPSILON_BITS = 64
"""Bits of the lower end of epsilon, which is what is spent."""


@dataclass(frozen=True)
class Plan:
    """All that is fixed before the data are opened.

    threshold: C where it is given, else None; settings: those of Algorithm 2 where it is not; release_epsilon: what is left for the
    release.
    """

    d: int
    n: int | None
    relation: Relation
    budget: Fraction
    budget_text: str
    delta: Fraction | None
    threshold: Fraction | None
    settings: ThresholdSettings | None
    release_epsilon: Fraction

    @property
    def p(self) -> Norm:
        """The norm that is clipped."""
        return 1 if self.delta is None else 2

    @property
    def both(self) -> bool:
        """Return whether two users' contributions can differ at once: replacing a user in a domain of more than one item."""
        return self.relation is Relation.REPLACE_ONE and self.d >= 2


@dataclass(frozen=True, repr=False)
class Histogram(Printed):
    """A release: one estimate, an exact decimal, for every item of the domain, in the domain's order."""

    plan: Plan
    domain: Sequence[str]
    threshold: Fraction
    released: Released

    @property
    def headline(self) -> str:
        """How many items the domain has."""
        return f"{len(self.domain)} items"

    def columns(self) -> dict[str, list[Any]]:
        """Each item of the domain, and its estimate as a float."""
        return {"item": list(self.domain), "estimate": [float(each) for each in self.estimates]}

    @property
    def estimates(self) -> list[str]:
        """Exact decimals."""
        scale = Decimal(1 << self.released.scale_bits)
        return [format(_EXACT.divide(Decimal(units), scale), "f") for units in self.released.units.tolist()]

    def spent(self) -> list[dict[str, str]]:
        """Return what each step is differentially private with; the steps compose adaptively by adding up."""
        plan, steps = self.plan, []
        if plan.settings is not None:
            by = f"discrete Laplace noise of scale {plan.settings.sensitivity}/eps on a grid of 2^20 thresholds (Algorithm 2)"
            steps.append(
                {"step": "threshold", "epsilon": shortest(plan.settings.epsilon), "delta": "0", "by": by, "statement": "LSZKG22.Alg2"}
            )
        delta = "0" if plan.delta is None else shortest(plan.delta)
        released = {"by": self.released.noise, "statement": self.released.statement}
        steps.append({"step": "release", "epsilon": shortest(plan.release_epsilon), "delta": delta, **released})
        return steps

    def __str__(self) -> str:
        plan = self.plan
        found = "private, by Algorithm 2" if plan.settings is not None else "given"
        flavour = "L1 clipping, discrete Laplace noise" if plan.p == 1 else "L2 clipping, discrete Gaussian noise"
        multipliers = self.multipliers()
        public = {"domain": str(plan.d), "users": str(plan.n)} if plan.n is not None else {"domain": str(plan.d)}
        lines = [
            f"user histogram over {plan.d} items: {flavour}, threshold C = {shortest(self.threshold)} ({found})",
            f"{self._guarantee()}, certified, when one user with all its rows is {_CHANGED[plan.relation]}",
            *(f"  {step['step']}: eps = {_short(step['epsilon'])}, delta = {step['delta']} ({step['statement']})" for step in self.spent()),
            f"  mean absolute noise of every estimate, of absent items too: about {self._mean_noise()}",
            *(["  noise over sensitivity: " + ", ".join(f"{name} {value}" for name, value in multipliers.items())] if multipliers else []),
            f"  public, not read off the data: {', '.join(f'{name} {value}' for name, value in {**public, **self._settings()}.items())}",
        ]
        return "\n".join(lines)

    def as_json(self, *, with_estimates: bool) -> dict[str, Any]:
        """The record as JSON-ready values: numbers that matter are strings."""
        plan = self.plan
        answer: dict[str, Any] = {
            "protocol": "user-histogram",
            "noise": "discrete Laplace" if plan.p == 1 else "discrete Gaussian",
            "threshold": shortest(self.threshold),
            "threshold_is": "private" if plan.settings is not None else "given",
            "guarantee": {
                "epsilon": plan.budget_text,
                "delta": "0" if plan.delta is None else shortest(plan.delta),
                "relation": plan.relation.value,
                "protects": "one user with all its rows",
                "spent": self.spent(),
                "composition": "adaptive, by adding up",
            },
            "public": {"domain": str(plan.d), "users": None if plan.n is None else str(plan.n), **self._settings()},
            "mean_absolute_noise_about": self._mean_noise(),
            "noise_over_sensitivity": self.multipliers(),
            "resolution": shortest(Fraction(1, 1 << self.released.scale_bits)),
        }
        if with_estimates:
            pairs = zip(self.domain, self.estimates, strict=True)
            answer["estimates"] = [{"item": item, "estimate": estimate} for item, estimate in pairs]
        return answer

    def _guarantee(self) -> str:
        plan = self.plan
        return f"({plan.budget_text}, {shortest(plan.delta)})-DP" if plan.delta is not None else f"{plan.budget_text}-DP, pure"

    def _settings(self) -> dict[str, str]:
        settings = self.plan.settings
        if settings is None:
            return {"threshold": shortest(self.threshold)}
        shown = {"B": settings.B, "weight bound": settings.W, "lambda": settings.lam, "noise slope": settings.T}
        return {name: _short(shortest(value)) for name, value in shown.items()}

    def _mean_noise(self) -> str:
        factor = 1.0 if self.plan.p == 1 else math.sqrt(2 / math.pi)
        return f"{float(self.released.over_threshold * self.threshold) * factor:.6g}"

    def multipliers(self) -> dict[str, str]:
        """The standard deviation over the sensitivity of Gaussian noise: used, and by the two calibrations of continuous noise."""
        plan = self.plan
        if plan.delta is None or self.threshold == 0:
            return {}
        used = float(self.released.over_threshold) / (math.sqrt(2) if plan.both else 1)
        analytic = noise_multiplier(epsilon=plan.release_epsilon, delta=plan.delta, digits=8).value
        shown = {"used": f"{used:.6g}", "continuous, analytic": f"{float(analytic):.6g}"}
        if plan.release_epsilon < 1:
            classical = classical_noise_multiplier(epsilon=plan.release_epsilon, delta=plan.delta, digits=8)
            shown["continuous, classical"] = f"{float(classical):.6g}"
        return shown


_CHANGED = {Relation.REPLACE_ONE: "replaced", Relation.ADD_REMOVE: "added or removed"}


def plan(
    *,
    d: int,
    relation: Relation,
    users: Number | None,
    epsilon: Number | Epsilon,
    delta: Number | None,
    threshold: Number | Literal["auto"],
    threshold_share: Number | None,
    max_threshold: Number | None,
    sparsity: Number | None,
    regularisation: Number | None,
) -> Plan:
    """Check the public inputs, divide the budget, settle Algorithm 2's parameters. Raises DomainError for what is missing or outside."""
    budget = parse_epsilon(epsilon).bounds(bits=_EPSILON_BITS)[0]
    require(budget > 0, parameter="eps", value=epsilon, requirement="above 0")
    n = None if users is None else count(users, parameter="users")
    if n is None and relation is Relation.REPLACE_ONE:
        reason = "given: where a user is replaced the number of users is public, and it must not be read off the data"
        raise DomainError(parameter="users", value="nothing", requirement=reason)
    if threshold != "auto":
        of_auto = {
            "threshold_share": threshold_share,
            "max_threshold": max_threshold,
            "sparsity": sparsity,
            "regularisation": regularisation,
        }
        for name, value in of_auto.items():  # they say nothing here, and whoever gave them believes that they do
            require(value is None, parameter=name, value=value, requirement='left out beside a threshold: it belongs to threshold "auto"')
    if n is not None and relation is Relation.ADD_REMOVE:
        needed = threshold == "auto" and regularisation is None
        require(needed, parameter="users", value=users, requirement="left out: with add-remove it serves Algorithm 2's lambda alone")
    if sparsity is not None and delta is None:
        raise DomainError(parameter="sparsity", value=sparsity, requirement="left out without delta: in l1 nothing depends on it")
    wanted = None if delta is None else exact_fraction(delta, parameter="delta")
    told = "above 0 and below 1, or left out for pure differential privacy"
    require(wanted is None or 0 < wanted < 1, parameter="delta", value=delta, requirement=told)
    budget_text = as_given(epsilon=epsilon)["epsilon"]
    if threshold != "auto":
        C = _at_least_zero(threshold, "threshold")
        require_threshold(C)
        return Plan(d, n, relation, budget, budget_text, wanted, C, None, budget)
    share = proper_share("1/10" if threshold_share is None else threshold_share, parameter="threshold_share")
    if max_threshold is None:
        raise _missing("max_threshold", "a public bound on the threshold")
    B = _at_least_zero(max_threshold, "max_threshold")
    inside = _LEAST_BOUND <= B <= LARGEST_THRESHOLD
    require(inside, parameter="max_threshold", value=shortest(B), requirement=f"from {float(_LEAST_BOUND):g} to {LARGEST_THRESHOLD}")
    if sparsity is None and wanted is not None:
        raise _missing("sparsity", "a public guess of how many items a user has")
    small = budget * share
    rest, W = budget - small, Fraction(1)
    if sparsity is not None:
        W = Fraction(math.sqrt(count(sparsity, parameter="sparsity")))
    T = _slope(d, relation, rest, wanted)
    if regularisation is not None:
        lam = _at_least_zero(regularisation, "regularisation")
    elif n is not None:
        lam = Fraction(math.sqrt(max(T, n * W) * W / small)) / B  # Corollary 4.4
    else:
        raise _missing("users", "a public guess of the number of users, for Algorithm 2's lambda (or regularisation itself)")
    require(lam > 0, parameter="regularisation", value=shortest(lam), requirement="above 0")
    settings = ThresholdSettings(p=1 if wanted is None else 2, B=B, T=T, W=W, lam=lam, epsilon=small)
    return Plan(d, n, relation, budget, budget_text, wanted, None, settings, rest)


def _at_least_zero(value: Number, parameter: str) -> Fraction:
    exact = exact_fraction(value, parameter=parameter)
    require(exact >= 0, parameter=parameter, value=value, requirement="at least 0")
    return exact


def items_of(domain: str | None, size: Number | None, item: str) -> list[str]:
    """Return the public items: those that a file lists in the column of that name, or numbers from 0 on. Raises DomainError."""
    if domain is not None and size is not None:
        raise DomainError(parameter="domain_size", value=size, requirement="left out where a file lists the domain")
    if size is not None:
        return [str(number) for number in range(count(size, parameter="domain_size", maximum=LARGEST_DOMAIN))]
    if domain is None:
        reason = "given, or its size: which items occur is private itself, so that a domain read off the data would tell who is in it"
        raise DomainError(parameter="domain", value="nothing", requirement=reason)
    return domain_of(domain, column=item)


def released(chosen: Plan, entries: Entries, *, domain: Sequence[str], sampler: Sampler) -> Histogram:
    """Draw: the threshold where it is not given, then the noise of every item."""
    C = chosen.threshold
    if C is None:
        assert chosen.settings is not None
        C = private_threshold(entries, chosen.settings, sampler=sampler)
    drawn = release(
        entries, d=chosen.d, p=chosen.p, C=C, relation=chosen.relation, epsilon=chosen.release_epsilon, delta=chosen.delta, sampler=sampler
    )
    return Histogram(chosen, domain, C, drawn)


def _slope(d: int, relation: Relation, epsilon: Fraction, delta: Fraction | None) -> Fraction:
    """T = d E|Z|/C, about: the noise that a unit of threshold costs. It is a guess for the threshold and needs no certainty."""
    both = relation is Relation.REPLACE_ONE and d >= 2
    if delta is None:
        return d * (2 if both else 1) / epsilon
    multiplier = noise_multiplier(epsilon=epsilon, delta=delta, digits=6).value
    return d * multiplier * Fraction(math.sqrt((2 if both else 1) * 2 / math.pi))


def _missing(parameter: str, what: str) -> DomainError:
    return DomainError(
        parameter=parameter, value="nothing", requirement=f"given where the threshold is found privately: {what}, chosen without the data"
    )


def _short(text: str) -> str:
    """A number to six digits, for people."""
    return decimal_text(Fraction(text), digits=6, direction="up")
