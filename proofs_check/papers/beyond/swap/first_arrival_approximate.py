"""Adaptive sequences of (eps0, delta0)-DP randomizers: delta0 is paid once, and what is left is nearly eps0-DP."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import lcm
from typing import Any

from hypothesis import strategies as st

from shuffleproof.impl.fast.bounds.blanket import given_distribution
from shuffleproof.impl.fast.bounds.swap import first_arrival_approximate as in_floats
from shuffleproof.impl.fast.bounds.swap.first_arrival import Class
from shuffleproof.proofs_check.ledger import EXACT, Budget, Status, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import sampled
from shuffleproof.proofs_check.ledger.methods.random_randomizers import AdaptiveSteps, distributions
from shuffleproof.proofs_check.ledger.points import ONE, ZERO
from shuffleproof.proofs_check.papers.beyond.swap.controlled_sums import by_pool
from shuffleproof.spec.bounds.swap import first_arrival_approximate as approximate
from shuffleproof.spec.bounds.swap.another_place import among, positive
from shuffleproof.spec.distribution import Distribution, hockey_stick
from shuffleproof.spec.model import LocalRandomizer, adaptive_shuffled_distribution
from shuffleproof.spec.vocabulary.given_distribution import GivenDistribution

Masses = Mapping[int, Fraction]
Losses = Mapping[Fraction, Fraction]
Atoms = tuple[tuple[Fraction, Fraction], ...]


@dataclass(frozen=True)
class Case:
    """A randomizer by its distributions, which is (ln T, delta0)-DP for no smaller delta0."""

    T: Fraction
    delta0: Fraction
    distributions: tuple[Masses, ...]

    @classmethod
    def of(cls, T: Fraction, rows: list[list[Fraction]]) -> Case:
        """Make it from rows of probabilities, its delta0 found."""
        known = [Distribution({y: mass for y, mass in enumerate(row) if mass}) for row in rows]
        delta0 = max(hockey_stick(p, q, exp_epsilon=T) for p, q in permutations(known, 2))
        return cls(T, delta0, tuple(dict(law.items()) for law in known))


@dataclass(frozen=True)
class Claim:
    """Holds what is claimed of (T, delta0, E): losses, the share of delta0 that is revealed, omega's mass, and the whole bound."""

    losses: Callable[..., list[Atoms]] = approximate.leaking_losses
    paid: Fraction = ONE
    common: Callable[..., Fraction] = approximate.common
    bound: Callable[..., Fraction] = approximate.delta


def _own_leaks(T: Fraction, leak: Fraction) -> list[list[Fraction]]:
    """3-ary response; each item has a leak of its own."""
    few = (1 - leak) / (T + 2)
    return [[*(few * (T if x == y else 1) for y in range(3)), *(leak * (x == y) for y in range(3))] for x in range(3)]


def _both_leaks(T: Fraction, leak: Fraction) -> list[list[Fraction]]:
    """The first item is sent beyond T times the second in one report, and beyond T times the third in another one."""
    few, zero = (1 - leak * (2 + 1 / T)) / (T + 2), Fraction(0)
    return [
        [T * few, few, few, leak, zero, leak, leak / T],
        [few, T * few, few, zero, leak, leak / T, leak],
        [few, few, T * few, leak / T, leak, zero, leak],
    ]


def _two_leaks(T: Fraction, delta0: Fraction) -> list[list[Fraction]]:
    """The second item is sent beyond T times the third in one report and beyond T times the first in another: R_1 loses 2 delta0."""
    A = delta0 * T / (T - 1)
    apart = [[A / T, A / T**2], [A, A], [A / T**2, A / T]]
    rows = []
    for x, leaks in enumerate(apart):
        rest = (1 - sum(leaks, Fraction(0))) / 4
        rows.append([*(rest * (2 if x == y else 1) for y in range(3)), *leaks])
    return rows


def _one_sided(T: Fraction, leak: Fraction) -> list[list[Fraction]]:
    """Binary response, one item of which leaks."""
    few = 1 / (T + 1)
    return [[T * few, few, Fraction(0)], [(1 - leak) * few, (1 - leak) * T * few, leak]]


def _unlike() -> Case:
    """Each of six items never sends one report of its own, which all others do: omega loses delta0 to each."""
    T, leak, zero = Fraction(2), Fraction(1, 50), Fraction(0)
    rows = []
    for x in range(8):
        missing = [zero if y == x - 2 else leak for y in range(6)]
        rest = 1 - sum(missing, zero)
        rows.append([rest / 2, rest / 2, *missing])
    return Case.of(T, rows)


def known_cases(levels: int = 2) -> Iterator[Case]:
    """Yield known randomizers with leaks of every size, at so many of the values of T."""
    for T, leak in ((Fraction(3, 2), Fraction(1, 20)), (Fraction(3), Fraction(1, 100)))[:levels]:
        for rows in (_own_leaks, _both_leaks, _one_sided):
            yield Case.of(T, rows(T, leak))
    yield Case.of(Fraction(3), _two_leaks(Fraction(3), Fraction(1, 100)))


@st.composite
def _leaking(draw: st.DrawFn, T: Fraction) -> Case:
    """Response of two or three levels on three messages, and messages that are sent seldom, by any inputs, with any likelihood ratios."""
    inputs = draw(st.integers(2, 3))
    seldom, rows = Fraction(draw(st.integers(1, 6)), draw(st.sampled_from([50, 1000]))), []
    for _ in range(inputs):
        often = [draw(st.sampled_from([ONE, T, (1 + T) / 2])) for _ in range(3)]
        leaks, share = draw(distributions(outputs=3)), seldom * draw(st.sampled_from([Fraction(0), ONE, 1 / T]))
        rows.append([*((1 - share) * mass / sum(often) for mass in often), *(share * leaks[y] for y in range(3))])
    return Case.of(T, rows)


@st.composite
def _sequences(draw: st.DrawFn) -> tuple[list[Case], tuple[int, ...]]:
    """One or two of them for the same T, and which a step of two or three takes by what was sent before."""
    drawn = draw(st.lists(_leaking(draw(st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(5)]))), min_size=1, max_size=2))
    return drawn, tuple(draw(st.lists(st.integers(0, 1), min_size=2, max_size=3)))


def _orders(T: Fraction) -> tuple[Fraction, ...]:
    return ONE, (9 + T) / 10, (1 + T) / 2


def _below(own: Atoms, several: list[Atoms]) -> bool:
    """Return whether at every threshold that matters the positive part of the one is at most the largest of the others'."""
    # In integers, over one denominator for losses and one for masses: thresholds are many.
    losses, masses = (lcm(*(atom[i].denominator for law in (own, *several) for atom in law)) for i in (0, 1))

    def whole(law: Atoms) -> list[tuple[int, int]]:
        return [(at.numerator * (losses // at.denominator), mass.numerator * (masses // mass.denominator)) for at, mass in law if mass]

    def above(law: list[tuple[int, int]], t: int) -> int:
        return sum(mass * (at - t) for at, mass in law if at > t)

    of_own, of_several = whole(own), list(map(whole, several))
    for t in {at for law in (of_own, *of_several) for at, _ in law}:
        least = above(of_own, t)
        if all(above(law, t) < least for law in of_several):
            return False
    return True


def _of_triples(case: Case, claimed: Callable[..., list[Atoms]]) -> str:
    """Where what three distributions keep is not as said: how much they lose, within T of each other, a loss below the five."""
    T, leak, losses = case.T, case.delta0, cache(claimed)
    hides = approximate.common(others=1, T=T, delta0=leak) > 0
    for first, second in permutations(case.distributions, 2):
        for other in case.distributions:
            found = approximate.parts(first, second, other, exp_epsilon0=T)
            kept = [sum(column, ZERO) for column in zip(*found.rest.values(), strict=True)]
            told = f"T = {T}, R_0, R_1, R_k = {first}, {second}, {other}"
            if found.given_away > leak or min(kept[:2]) < 1 - 2 * leak or kept[2] < 1 - 3 * leak:
                return told
            if any(max(row) > T * min(row) for row in found.rest.values()) or sum(m for _, _, m in found.leaks.values()) > leak / T:
                return told
            for E in _orders(T):
                asked = {"others": 1, "T": T, "delta0": leak, "exp_epsilon": E, "share": ZERO}
                if hides and not _below(tuple(found.losses(E).items()), losses(**asked)):
                    return f"{told}, E = {E}"
    return ""


def _of_omega(case: Case, claimed: Callable[..., list[Atoms]], common: Callable[..., Fraction], others: int) -> str:
    """Where omega has less mass than is said, or what it leaves of somebody's distribution has losses above those said."""
    T, leak, losses = case.T, case.delta0, cache(claimed)
    for first, second in permutations(case.distributions[:3], 2):
        for held in combinations_with_replacement(case.distributions, others) if others < 3 else [case.distributions[-others:]]:
            for thinned in (False, True):
                mass = approximate.common(others=others, T=T, delta0=leak, thinned=thinned)
                if mass <= 0:
                    continue
                if thinned:
                    omega = {y: min(at / T, *(law.get(y, ZERO) for law in held)) for y, at in first.items()}
                else:
                    omega = approximate.least_of_others(first, second, held, T=T, delta0=leak)
                total, told = sum(omega.values(), ZERO), f"T = {T}, {first}, {second}, among {held}, thinned: {thinned}"
                if total < common(others=others, T=T, delta0=leak, thinned=thinned):
                    return told
                share = mass / 2 / (1 if thinned else (T / (1 - 3 * leak)) ** 2 - 1)
                for other in set(map(tuple, (law.items() for law in held))) if others < 3 else ():
                    own = _left(case, first, second, dict(other), {y: share * at / total for y, at in omega.items()}, thinned=thinned)
                    asked = {"others": others, "T": T, "delta0": leak, "exp_epsilon": _orders(T)[1], "share": share, "thinned": thinned}
                    if not _below(own, losses(**asked)):
                        return told
    return ""


def _left(case: Case, first: Masses, second: Masses, other: Masses, taken: Masses, *, thinned: bool) -> Atoms:
    """The losses against (R_k - eta omega)/(1 - eta); taken: eta omega. Thinned, a report loses the same part of leaks and rest."""
    found, share = approximate.parts(first, second, other, exp_epsilon0=case.T), sum(taken.values(), ZERO)
    E, atoms = _orders(case.T)[1], list[tuple[Fraction, Fraction]]()
    for rows, hides in ((found.leaks, thinned), (found.rest, True)):
        for y, (u, v, m) in rows.items():
            assert isinstance(y, int)
            at = taken.get(y, ZERO) * (m / other[y] if thinned else 1) if hides else ZERO
            atoms.append(((u - E * v) / (m - at) * (1 - share), (m - at) / (1 - share)))
    return (*atoms, (ZERO, 1 - sum((m for _, m in atoms), ZERO)))


def _of_places(case: Case, paid: Fraction, users: int) -> str:
    """Where so many users, revealed with their reports, hide another one's report less than is said."""
    for first, second in permutations(case.distributions, 2):
        for hiding in combinations_with_replacement(case.distributions, users):
            found = [approximate.parts(first, second, law, exp_epsilon0=case.T) for law in hiding]
            for E in _orders(case.T):
                truth = among(first=first, second=second, hiding=hiding, exp_epsilon=E)
                kept = positive(each.losses(E).items() for each in found) / users
                if truth > paid * case.delta0 + kept:
                    return f"T = {case.T}, R_0, R_1 = {first}, {second}, among {hiding}, E = {E}"
    return ""


def _of_formula(bound: Callable[..., Fraction]) -> str:
    """Where the bound on four users by two levels is not the sum that is said: of two or three users others are the same."""
    T, delta0, E, levels = Fraction(3), Fraction(1, 100), Fraction(3, 2), (Fraction(1, 20), Fraction(1, 10))
    for thinned in (False, True):
        said, before = delta0, ZERO
        for eta in levels:
            laws = approximate.leaking_losses(others=3, T=T, delta0=delta0, exp_epsilon=E, share=eta, thinned=thinned)
            said += (1 - before) ** 3 * by_pool(laws, 4, (eta - before) / (1 - before))
            before = eta
        said += (1 - before) ** 3 * (T - E) / (T + 1)
        if bound(n=4, T=T, delta0=delta0, exp_epsilon=E, levels=levels, thinned=thinned) != said:
            return f"four users, T = {T}, delta0 = {delta0}, E = {E}, levels {levels}, thinned: {thinned}"
    return ""


def of_sequences(
    cases: list[Case], keys: tuple[int, ...], bound: Callable[..., Fraction], variants: tuple[bool, ...] = (False, True)
) -> str:
    """Where reports of an adaptive sequence of these, shuffled, are worth more than is said: all neighbours of one dataset's others.

    variants: thinned or not.
    """
    T, delta0, n, inputs = cases[0].T, max(case.delta0 for case in cases), len(keys), min(len(case.distributions) for case in cases)
    pool = [LocalRandomizer(range(inputs), {x: Distribution(case.distributions[x]) for x in range(inputs)}) for case in cases]
    steps = AdaptiveSteps(tuple(pool), keys)
    for others in combinations_with_replacement(range(inputs), n - 1):
        views = [adaptive_shuffled_distribution(steps.sequence, (x, *others)) for x in range(inputs)]
        for E, thinned in product(_orders(T)[:2], variants):
            mass = approximate.common(others=n - 1, T=T, delta0=delta0, thinned=thinned)
            most = max(ZERO, mass / (1 if thinned else (T / (1 - 3 * delta0)) ** 2 - 1))
            for levels in ([], [most / 2], [most / 4, most * Fraction(9, 10)]) if most else ([],):
                above = bound(n=n, T=T, delta0=delta0, exp_epsilon=E, levels=levels, thinned=thinned)
                if any(hockey_stick(p, q, exp_epsilon=E) > above for p, q in permutations(views, 2)):
                    return f"{steps}, the others {others}, E = {E}, levels {levels}, thinned: {thinned}"
    return ""


def _holds(drawn: tuple[list[Case], tuple[int, ...]], claim: Claim) -> bool:
    cases, keys = drawn
    if not all(0 < case.delta0 < Fraction(1, 3) for case in cases):
        return True
    return not any((*_of_three(cases[0], claim, 2), of_sequences(cases, keys, claim.bound)))


def _of_three(case: Case, claim: Claim, *others: int) -> Iterator[str]:
    """Return what is wrong with triples, with omega of so many others, and with places among them."""
    yield _of_triples(case, claim.losses)
    yield from (_of_omega(case, claim.losses, claim.common, k) for k in others)
    yield from (_of_places(case, claim.paid, k) for k in others)


def _of_engine(grown: Fraction) -> str:
    """Where the engine's types are not those of the specification, or its delta is below what all others alike attain."""
    for case, n in product(known_cases(), (2, 3, 12)):
        E, T, leak = (1 + case.T) / 2, case.T, case.delta0
        of_class = Class(T, E, n, leak * grown)
        share = of_class.most() / 2
        if not share:
            continue
        exact = approximate.leaking_losses(others=n - 1, T=T, delta0=leak, exp_epsilon=E, share=share, thinned=of_class.thinned)
        if [sorted(law) for law in of_class.corner_losses(share)] != [sorted(law[:-1]) for law in exact]:
            return f"T = {T}, delta0 = {leak}, n = {n}"
    rows = _both_leaks(Fraction(3), Fraction(1, 10000))
    asked: dict[str, Any] = {"n": 300, "epsilon": "ln 51/50"}
    reached = given_distribution.delta(**asked, distribution=GivenDistribution(("a", "b", "c"), tuple(map(tuple, rows))), view="below")
    above = in_floats.delta(**asked, epsilon0="ln 3", delta0=Case.of(Fraction(3), rows).delta0)
    return f"{rows}: {above.upper}" if reached.lower > above.upper else ""


def _one_leak(**asked: Any) -> list[Atoms]:
    """Mutant: as if R_1 lost delta0 once."""
    leak = asked["delta0"]
    return approximate.leaking_losses(**{**asked, "exp_epsilon": asked["exp_epsilon"] * (1 - leak) / (1 - 2 * leak)})


def _a_hundredth_forgotten(**asked: Any) -> Fraction:
    """Mutant: of delta0 itself."""
    bound: Fraction = approximate.delta(**asked) - asked["delta0"] / 100
    return bound


@derived(
    "BEYOND.first-arrival-approximate",
    says="let every step of an adaptive sequence run an (eps0, delta0)-DP randomizer on shuffled data, T = e^eps0, kappa = 1 - 3 delta0, "
    "T' = T/kappa. First arrival holds with delta0 added once, F = (T - E)/(T + 1), and C_l the five corner distributions of T' at E' = E "
    "(1 - 2 delta0) with w = (1 - eta (T' u - v)/c)/(1 - eta), c = T - 1 - 2 T N delta0 - 2 delta0/(1 - 2 delta0): (u - E' v)/(kappa w) "
    "with probability kappa p w, and T (1 - eta) with delta0/(T (1 - eta)). Likewise with w = theta = (1 - eta T/(1 - N delta0))/(1 - eta) "
    "everywhere, T/theta with theta delta0/T for a leak",
    range="eps0 > 0, delta0 in (0, 1/3), E in [1, T], eta_L (T'^2 - 1) < c, or eta_L T < 1 - N delta0; adaptive sequences, all neighbours",
    governs=["spec.bounds.swap.first_arrival_approximate", "impl.fast.bounds.swap.first_arrival_approximate"],
    grounds=[
        "BEYOND.any-law-all-randomizers",
        "BEYOND.first-arrival",
        "BEYOND.adaptive-approximate.finite",
        "controlled-sum#without-pure-local-privacy",
        EXACT,
    ],
    mutants={
        "leaks forgotten": {
            "claim": Claim(
                losses=lambda **asked: [
                    tuple(atom for i, atom in enumerate(law) if i != len(law) - 2) for law in approximate.leaking_losses(**asked)
                ]
            )
        },
        "R_1 loses nothing": {
            "claim": Claim(
                losses=lambda **asked: approximate.leaking_losses(
                    **{**asked, "exp_epsilon": asked["exp_epsilon"] / (1 - 2 * asked["delta0"])}
                )
            )
        },
        "R_1 loses delta0 once": {"claim": Claim(losses=_one_leak)},
        "half of delta0 in the losses": {
            "claim": Claim(losses=lambda **asked: approximate.leaking_losses(**{**asked, "delta0": asked["delta0"] / 2}))
        },
        "nine tenths of delta0 revealed": {"claim": Claim(paid=Fraction(9, 10))},
        "leaks take nothing from omega": {"claim": Claim(common=lambda **asked: approximate.common(**{**asked, "others": 0}))},
        "a hundredth of delta0 forgotten": {"claim": Claim(bound=_a_hundredth_forgotten)},
        "a delta0 of the engine smaller by a tenth": {"grown": Fraction(9, 10)},
        "one user more from four on": {"claim": Claim(bound=lambda *, n, **asked: approximate.delta(n=n + (n > 3), **asked))},
    },
    not_falsified="known randomizers reject every mutant before random ones are drawn, which accompany the argument",
    missing="the argument for all distributions and numbers of users; triples, omega, places and adaptive sequences of few users are "
    "enumerated",
)
def all_approximate(budget: Budget, *, claim: Claim = Claim(), grown: Fraction = ONE) -> Verdict:
    alone = Case.of(Fraction(3, 2), _one_sided(Fraction(3, 2), Fraction(1, 1000)))
    if witness := of_sequences([alone], (0,), claim.bound) or _of_formula(claim.bound):
        return Verdict.refuted(witness, domain="one user and a rare leak; four users", cases=1)
    decided = 2
    for case in known_cases(budget.pick(quick=1, full=2)):
        for witness in (*_of_three(case, claim, 1, 2), of_sequences([case], (0, 0), claim.bound)):
            decided += 1
            if witness:
                return Verdict.refuted(witness, domain="known randomizers", cases=decided)
    if witness := _of_omega(_unlike(), claim.losses, claim.common, 6) or _of_engine(grown):
        return Verdict.refuted(witness, domain="many others, and the engine", cases=decided + 1)
    return sampled.for_all(_sequences(), holds=lambda each: _holds(each, claim), budget=budget, quick=2, full=120).verdict(
        claims=Status.ARGUED,
        domain=f"all by the argument; {decided} cases of known randomizers, and random adaptive sequences with all these leaks: all "
        "triples at all thresholds that matter, omega of one or two others, reports revealed with one or two users', all neighbours",
        witness=str,
    )
