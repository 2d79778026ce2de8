"""Named randomizers on one neighbouring pair, reports merged into output classes: the shuffled reports themselves, exactly, few users."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from shuffleproof.impl.ball.bounds.lower import randomizer_lower as certified
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.spec.bounds.lower.randomizer_lower import (
    FOR_FIRST,
    FOR_OTHERS,
    FOR_SECOND,
    REST,
    Classes,
    Counts,
    classes_of_distribution,
    classes_of_named,
    distribution_and_inputs,
    pair,
)
from shuffleproof.spec.distribution import Distribution, PrivacyProfile
from shuffleproof.spec.model import shuffled_distribution
from shuffleproof.spec.vocabulary.numerals import shortest
from shuffleproof.spec.vocabulary.randomizers import named

_CASES: tuple[tuple[str, dict[str, int]], ...] = (
    ("krr", {"k": 2}),
    ("krr", {"k": 4}),
    ("rappor", {}),
    ("rappor", {"k": 2}),
    ("asymmetric-rappor", {}),
    ("subset", {"k": 4, "d": 2}),
    ("subset", {"k": 5, "d": 2}),
    ("subset", {"k": 4, "d": 3}),
    ("hadamard", {"k": 3, "blocks": 1}),
    ("hadamard", {"k": 3, "blocks": 2}),
    ("hadamard", {"k": 3, "blocks": 4}),
    ("hash", {"buckets": 2}),
    ("hash", {"buckets": 2, "k": 2}),
    ("hash", {"buckets": 3}),
)
_ORDERS = (Fraction(9, 4), Fraction(9))  # e^eps0, squares, so that roots are rational


def _cases(budget: Budget) -> Iterator[tuple[int, str, dict[str, int], Fraction]]:
    for name, own in _CASES:
        for T in _ORDERS:
            messages = own.get("buckets", 2) ** 4 if name == "hash" else 8
            yield 2, name, own, T
            if messages <= budget.pick(quick=8, full=16):
                yield 3, name, own, T


def _counted(law: Distribution[tuple[Any, ...]], laws: list[Distribution[Any]], classes: Classes, T: Fraction) -> Distribution[Counts]:
    """The distribution of the counts of output classes, from the distribution of the shuffled reports."""
    of_report = _class_of_report(laws, classes, T)

    def counts(z: tuple[Any, ...]) -> Counts:
        found = [of_report[y] for y in z]
        return found.count(0), found.count(1), found.count(2), found.count(REST)

    return law.map(counts)


def _class_of_report(laws: list[Distribution[Any]], classes: Classes, T: Fraction) -> dict[Any, int]:
    """Which input a report prefers to all others that are compared, if any: to be counted are two of two, two of three, or all three."""
    two_items = classes[1] == classes[2]
    compared = laws if any(law[2] for law in classes) else laws[:2]
    found = {}
    for y in {y for law in laws for y in law.support}:
        masses = [law[y] for law in compared]
        best = masses.index(max(masses))
        prefers = all(masses[best] == T * mass for i, mass in enumerate(masses) if i != best)
        found[y] = best if prefers and not (two_items and best) else REST
    return found


@dataclass(frozen=True, kw_only=True)
class _Changes:
    """Holds what the mutants change; nothing by default.

    others: factor of the others' mass of the first output class; lost: what is kept of the mass of the rest before normalising; swapped:
    the first two output classes of the second dataset. With three items only: third: factor of the others' mass of the output class that
    prefers x_2; wide: factor of their mass of each output class where it prefers x_0 to x_1, or x_1 to x_0; second_held: all others hold
    x_1.
    """

    others: Fraction = Fraction(1)
    lost: Fraction = Fraction(1)
    swapped: bool = False
    third: Fraction = Fraction(1)
    wide: Fraction = Fraction(1)
    second_held: bool = False


def _decide(n: int, name: str, own: dict[str, int], T: Fraction, *, changes: _Changes) -> str | None:
    """Return what fails for one randomizer, in words, or None."""
    randomizer, inputs = distribution_and_inputs(named(name, **own), exp_epsilon0=T)
    laws = [randomizer.distribution(x) for x in inputs]
    classes = classes_of_distribution(laws, T=T)
    held = inputs[1] if classes[1] == classes[2] or changes.second_held else inputs[2]
    truth = [shuffled_distribution(randomizer, (x, *(held,) * (n - 1))) for x in inputs[:2]]
    merged = pair(n=n, classes=_changed(classes, changes))
    if changes.swapped:
        merged = merged[0], pair(n=n, classes=(classes[1], classes[0], classes[2]))[0].map(lambda c: (c[1], c[0], c[2], c[3]))
    if tuple(_counted(law, laws, classes, T) for law in truth) != merged:
        return "the counts of output classes have another distribution in the shuffled reports"
    reached, exact = PrivacyProfile(*merged), PrivacyProfile(*truth)
    corners = {Fraction(1), *reached.corners(), *exact.corners()}
    if any(reached.delta(exp_epsilon=E) > exact.delta(exp_epsilon=E) for E in corners):
        return "the output classes reveal more than the reports"
    for E in (Fraction(1), (1 + T) / 2):
        bound = certified.delta(n=n, randomizer=named(name, **own), epsilon0=f"ln {T}", epsilon=f"ln {E}", digits=20)
        if not bound.lower <= reached.delta(exp_epsilon=E) <= bound.upper:
            return f"delta at e^eps = {shortest(E)} is {reached.delta(exp_epsilon=E)}, not in the enclosure by closed forms"
    return None


def _changed(classes: Classes, changes: _Changes) -> Classes:
    first, second, held = classes
    factors = {FOR_FIRST: changes.others}
    if second != held and held[FOR_OTHERS]:
        factors[FOR_OTHERS] = changes.third
    elif second != held:
        factors = {FOR_FIRST: changes.others * changes.wide, FOR_SECOND: changes.wide}
    kept = {output_class: held[output_class] * factor for output_class, factor in factors.items()}
    held = Distribution(
        {**dict(held.items()), **kept, REST: held[REST] + sum(held[output_class] - kept[output_class] for output_class in kept)}
    )
    if changes.lost != 1:
        weights = {**dict(first.items()), REST: first[REST] * changes.lost}
        first = Distribution({output_class: weight / sum(weights.values()) for output_class, weight in weights.items()})
    return first, second, held


def _laplace(*, at_one: int = 2) -> bool:
    """Put c = e^(eps0 t), 1 <= c <= e^(eps0/2): the masses of (-inf, t] from the densities, and c in that range.

    at_one: 2 for the distribution.
    """
    u, T, c, r = sympy.symbols("u T c r", positive=True)
    # v = e^(eps0 y): the density (eps0/2) e^(-eps0 |y - x|) dy is dv/(2 e^(eps0 x)) below x, and e^(eps0 x) dv/(2 v^2) above it
    at_zero = sympy.integrate(sympy.Rational(1, 2), (u, 0, 1)) + sympy.integrate(1 / (2 * u**2), (u, 1, c))
    at_one_law = sympy.integrate(1 / (2 * T), (u, 0, c))
    masses = symbolic.are_identical(at_zero, 1 - 1 / (2 * c)) and symbolic.are_identical(at_one_law, c / (at_one * T))
    threshold = 3 * T / (2 * T + 1)
    below = symbolic.are_identical(r * (2 * r**2 + 1) - 3 * r**2, r * (2 * r - 1) * (r - 1))  # T = r^2: c <= r for r >= 1
    above = symbolic.are_identical(threshold - 1, (T - 1) / (2 * T + 1))
    return masses and below and above


def _laplace_classes(*, at_one: int = 2) -> str | None:
    for T in _ORDERS:
        c, classes = 3 * T / (2 * T + 1), classes_of_named(randomizer=named("laplace"), epsilon0=f"ln {T}")
        if [classes[0][0], classes[1][0], classes[2][0]] != [1 - 1 / (2 * c), c / (at_one * T), c / (at_one * T)]:
            return "Laplace: the masses at most t"
        for n in (1, 4):
            reached = PrivacyProfile(*pair(n=n, classes=classes))
            for E in (Fraction(1), (1 + T) / 2):
                bound = certified.delta(n=n, randomizer=named("laplace"), epsilon0=f"ln {T}", epsilon=f"ln {E}", digits=20)
                if not bound.lower <= reached.delta(exp_epsilon=E) <= bound.upper:
                    return "Laplace: not in the enclosure"
    return None if _laplace(at_one=at_one) else "Laplace: the masses at most t, for all eps0"


@derived(
    "BEYOND.randomizer-lower",
    says="on (x_0, x_2, ..., x_2) and (x_1, x_2, ..., x_2), or with x_1 for x_2, the counts of a few output classes of shuffled reports "
    "have the listed distributions, and no larger divergence than the reports: every (eps, delta) of the named randomizer is at least "
    "theirs",
    range="all n, eps0 >= 0; kRR, RAPPOR, asymmetric RAPPOR, d-subsets, Hadamard response, uniform local hashing, Laplace noise",
    governs=[
        "spec.bounds.lower.randomizer_lower",
        "spec.randomizers.local_hashing",
        "impl.ball.bounds.lower.randomizer_lower",
        "impl.ball.bounds.lower.randomizer_lower_classes",
    ],
    grounds=["distributions-of-views#counts-of-messages", EXACT, BALLS, SYMPY],
    mutants={
        "the others' mass of the first output class times 0.99": {"changes": _Changes(others=Fraction(99, 100))},
        "the first two output classes exchanged in one dataset only": {"changes": _Changes(swapped=True)},
        "the rest of the special report times 0.99, normalised again": {"changes": _Changes(lost=Fraction(99, 100))},
        "three items: the others' mass of the output class that prefers x_2 times 0.99": {"changes": _Changes(third=Fraction(99, 100))},
        "three items, wide classes: the others' mass of both output classes times 0.99": {"changes": _Changes(wide=Fraction(99, 100))},
        "three items: all others hold x_1 in the place of x_2": {"changes": _Changes(second_held=True)},
        "Laplace: c/(3 T) at one": {"at_one": 3},
    },
    missing="that merged messages lose nothing beyond the enumerated randomizers; the bound itself needs data processing only",
)
def lower(budget: Budget, *, changes: _Changes = _Changes(), at_one: int = 2) -> Verdict:
    domain = f"e^eps0 = 9/4, 9; {len(_CASES)} randomizers of two to five items, n = 2, and 3 where messages are few; Laplace for all eps0"
    against = _laplace_classes(at_one=at_one)
    if against is not None:
        return Verdict.refuted(against, domain=domain, cases=1)
    for decided, (n, name, own, T) in enumerate(_cases(budget), 1):
        against = _decide(n, name, own, T, changes=changes)
        if against is not None:
            return Verdict.refuted(f"{name}, {own}, n = {n}, e^eps0 = {T}: {against}", domain=domain, cases=decided)
    return Verdict.exhausted(
        domain=domain,
        cases=decided + 1,
        note="for every n by data processing: a fixed function of each report commutes with the shuffler. Other pairs may be worse",
    )
