"""Lemma L1 as code: the refined view w = (z, B, identities), its two distributions, and the sequential process nu; all exact."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any

from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import Case
from shuffleproof.spec.model import LocalRandomizer

View = tuple[tuple[Any, int | None], ...]
"""For each step its output, and who drew it from the residual; None for a step of B."""
Density = dict[Any, Fraction]
Blanket = Callable[[LocalRandomizer[int, int], Case], Density]


def larger_over_q(randomizer: LocalRandomizer[int, int], case: Case) -> Density:
    """Blanket A: m = max(R_0, R_1)/q."""
    R_0, R_1 = randomizer.distribution(0), randomizer.distribution(1)
    return {y: max(R_0[y], R_1[y]) / case.parameters.q for y in randomizer.messages if R_0[y] or R_1[y]}


def least_of_all(randomizer: LocalRandomizer[int, int], case: Case) -> Density:
    """Blanket B, for local privacy only: m = min over the inputs 0, 1, x_2, ..., x_n."""
    inputs = {0, 1, *case.others}
    return {y: least for y in randomizer.messages if (least := min(randomizer.distribution(x)[y] for x in inputs))}


@dataclass(frozen=True)
class Step:
    """One step after a history: the blanket m, the distributions R_0, R_1 and the residuals R_k - m of the users 2..n."""

    m: Density
    special: tuple[Any, Any]
    residual: Callable[[int, Any], Fraction]

    @classmethod
    def of(cls, case: Case, blanket: Blanket, i: int, history: tuple[Any, ...]) -> Step:
        """Step i of the case after these outputs."""
        randomizer = case.steps.at(i, history)
        m = blanket(randomizer, case)
        return cls(
            m,
            (randomizer.distribution(0), randomizer.distribution(1)),
            lambda user, y: randomizer.distribution(case.others[user])[y] - m.get(y, Fraction(0)),
        )

    def outputs(self) -> set[Any]:
        """Whatever the blanket or one of the special user's distributions can send (residuals add their own)."""
        return {*self.m, *self.special[0].support, *self.special[1].support}


def refined_distribution(case: Case, blanket: Blanket, b: int) -> dict[View, Fraction]:
    """The distribution of w under X_b by its definition: a uniform order of the users, each splitting into blanket and residual."""
    found: dict[View, Fraction] = {}
    orders = list(permutations(range(case.n)))
    for order in orders:
        for view, weight in _runs(case, blanket, b, order, (), Fraction(1, len(orders))):
            found[view] = found.get(view, Fraction(0)) + weight
    return found


def _runs(case: Case, blanket: Blanket, b: int, order: tuple[int, ...], view: View, weight: Fraction) -> Iterator[tuple[View, Fraction]]:
    i = len(view)
    if i == case.n:
        yield view, weight
        return
    step, user = Step.of(case, blanket, i, tuple(z for z, _ in view)), order[i] - 1  # user -1 is the special one
    branches: list[tuple[tuple[Any, int | None], Fraction]]
    if user < 0:
        branches = [((z, None), mass) for z, mass in step.special[b].items()]
    else:
        messages = case.steps.at(i, tuple(z for z, _ in view)).messages
        branches = [((z, None), mass) for z, mass in step.m.items()]
        branches += [((z, user), mass) for z in messages if (mass := step.residual(user, z))]
    for outcome, mass in branches:
        yield from _runs(case, blanket, b, order, (*view, outcome), weight * mass)


@dataclass(frozen=True)
class Path:
    """A path of nu: its view, its probability, the sums of u_j and of v_j over B, and the steps' distributions of (u, v) on the way."""

    view: View
    weight: Fraction
    u: Fraction
    v: Fraction


def sequential_paths(case: Case, blanket: Blanket, *, with_replacement: bool = False) -> Iterator[Path]:
    """The process nu without its cemetery. with_replacement: identities drawn from all of 2..n every time (a mutant)."""

    def extended(path: Path, unused: tuple[int, ...]) -> Iterator[Path]:
        i = len(path.view)
        if i == case.n:
            yield path
            return
        history = tuple(z for z, _ in path.view)
        step = Step.of(case, blanket, i, history)
        for z, mass in step.m.items():
            u, v = (law[z] / mass for law in step.special)
            yield from extended(Path((*path.view, (z, None)), path.weight * mass, path.u + u, path.v + v), unused)
        for user in unused:
            for z in case.steps.at(i, history).messages:
                if mass := step.residual(user, z):
                    weight = path.weight * mass / len(unused)
                    left = unused if with_replacement else tuple(other for other in unused if other != user)
                    yield from extended(Path((*path.view, (z, user)), weight, path.u, path.v), left)

    yield from extended(Path((), Fraction(1), Fraction(0), Fraction(0)), tuple(range(case.n - 1)))


def identity_holds(case: Case, blanket: Blanket, *, with_replacement: bool = False, users: int | None = None) -> bool:
    """Equation (1) for both b at every w, the push-forward of w to z, and equation (2) at a few orders."""
    n = case.n if users is None else users
    laws = [refined_distribution(case, blanket, b) for b in (0, 1)]
    paths = list(sequential_paths(case, blanket, with_replacement=with_replacement))
    for b, law in enumerate(laws):
        by_nu: dict[View, Fraction] = {}
        for path in paths:
            by_nu[path.view] = by_nu.get(path.view, Fraction(0)) + path.weight * (path.v if b else path.u) / n
        if {view: mass for view, mass in by_nu.items() if mass} != {view: mass for view, mass in law.items() if mass}:
            return False
        outputs: dict[Any, Fraction] = {}
        for view, mass in law.items():
            z = tuple(output for output, _ in view)
            outputs[z] = outputs.get(z, Fraction(0)) + mass
        truth = case.distribution(b)
        if any(truth[z] != mass for z, mass in outputs.items()) or sum(outputs.values()) != 1:
            return False
    return all(
        _divergence(laws, E) == sum((path.weight * max(Fraction(0), path.u - E * path.v) for path in paths), Fraction(0)) / n
        for E in (Fraction(0), Fraction(1), Fraction(3, 2), Fraction(5))
    )


def _divergence(laws: list[dict[View, Fraction]], E: Fraction) -> Fraction:
    views = {*laws[0], *laws[1]}
    return sum((max(Fraction(0), laws[0].get(w, Fraction(0)) - E * laws[1].get(w, Fraction(0))) for w in views), Fraction(0))


def coefficients_agree(*, users: int, with_replacement: bool = False) -> bool:
    """Equation (1), coefficient by coefficient: for every B and every identities outside B, the orders of the users that fit w.

    With the special user at step j of B, (|B| - 1)! orders out of n! fit, whatever j; nu gives 1/n times the product of 1/(n - 1 - t)
    over the residual steps t. Both multiply the same product of densities, so this settles the identity for all distributions.
    """
    n = users
    counts: dict[tuple[tuple[int | None, ...], int], int] = {}
    for order in permutations(range(n)):
        j = order.index(0)
        for chosen in range(1 << n):
            if chosen >> j & 1:
                pattern = tuple(None if chosen >> i & 1 else order[i] for i in range(n))
                counts[pattern, j] = counts.get((pattern, j), 0) + 1
    orders = 1
    for k in range(2, n + 1):
        orders *= k
    for (pattern, _), fitting in counts.items():
        by_nu = Fraction(1, n)
        for t in range(sum(identity is not None for identity in pattern)):
            by_nu /= n - 1 - (0 if with_replacement else t)
        if Fraction(fitting, orders) != by_nu:
            return False
    return True
