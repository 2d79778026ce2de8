"""All (eps0, delta0)-DP randomizers together: delta0 is paid once, and what is left is nearly eps0-DP."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any

from hypothesis import strategies as st

from shuffleproof.impl.fast.bounds.blanket import given_law
from shuffleproof.impl.fast.bounds.blanket.randomizer_laws import ApproximateKinds
from shuffleproof.impl.fast.bounds.swap import another_place_approximate as in_floats
from shuffleproof.proofs_check.ledger import EXACT, Argument, Budget, Row, Status, Verdict, statement
from shuffleproof.proofs_check.ledger.methods import sampled
from shuffleproof.proofs_check.ledger.methods.random_randomizers import laws
from shuffleproof.spec.bounds.swap import another_place_approximate as approximate
from shuffleproof.spec.bounds.swap.another_place import among, positive
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.model import LocalRandomizer, shuffled_law
from shuffleproof.spec.vocabulary.given_law import GivenLaw
from shuffleproof.spec.vocabulary.numerals import epsilon0_parameter

Masses = Mapping[int, Fraction]
Losses = Mapping[Fraction, Fraction]
_ONE, _THIRD, _SHORT = Fraction(1), Fraction(1, 3), 1e-11


@dataclass(frozen=True)
class Case:
    """A randomizer by its laws, which is (ln T, delta0)-DP for no smaller delta0."""

    T: Fraction
    delta0: Fraction
    laws: tuple[Masses, ...]

    @classmethod
    def of(cls, T: Fraction, rows: list[list[Fraction]]) -> Case:
        """From rows of probabilities, its delta0 found."""
        known = [Distribution({y: mass for y, mass in enumerate(row) if mass}) for row in rows]
        delta0 = max(hockey_stick(p, q, exp_epsilon=T) for p, q in permutations(known, 2))
        return cls(T, delta0, tuple(dict(law.items()) for law in known))


@dataclass(frozen=True)
class Claim:
    """What is claimed of (T, delta0, E): laws of a loss, the share that is given away, and the mass that sets users aside."""

    kinds: Callable[..., list[dict[Fraction, Fraction]]] = approximate.kinds
    paid: Fraction = _ONE
    common: Callable[..., Fraction] = approximate.common


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


def _known(levels: int = 2) -> Iterator[Case]:
    for T, leak in ((Fraction(3, 2), Fraction(1, 20)), (Fraction(3), Fraction(1, 100)))[:levels]:
        for rows in (_own_leaks, _both_leaks, _one_sided):
            yield Case.of(T, rows(T, leak))
    yield Case.of(Fraction(3), _two_leaks(Fraction(3), Fraction(1, 100)))


@st.composite
def _leaking(draw: st.DrawFn) -> Case:
    """Response of two or three levels on three messages, and messages that are sent seldom, by any inputs, with any likelihood ratios."""
    T, inputs = draw(st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(5)])), draw(st.integers(2, 3))
    seldom, rows = Fraction(draw(st.integers(1, 6)), draw(st.sampled_from([50, 1000]))), []
    for _ in range(inputs):
        often = [draw(st.sampled_from([_ONE, T, (1 + T) / 2])) for _ in range(3)]
        leaks, share = draw(laws(outputs=3)), seldom * draw(st.sampled_from([Fraction(0), _ONE, 1 / T]))
        rows.append([*((1 - share) * mass / sum(often) for mass in often), *(share * leaks[y] for y in range(3))])
    return Case.of(T, rows)


def _above(law: Losses, t: Fraction) -> Fraction:
    return sum((mass * max(at - t, Fraction(0)) for at, mass in law.items()), Fraction(0))


def _orders(T: Fraction) -> tuple[Fraction, ...]:
    return _ONE, (9 + T) / 10, (1 + T) / 2


def _of_triples(case: Case, claim: Claim) -> str:
    """Where what three laws keep is not as said: how much they lose, within T of each other, a loss below the kinds."""
    T, leak = case.T, case.delta0
    for first, second in permutations(case.laws, 2):
        for other in case.laws:
            found = approximate.parts(first, second, other, exp_epsilon0=T)
            kept = [sum(column, Fraction(0)) for column in zip(*found.rest, strict=True)]
            told = f"T = {T}, R_0, R_1, R_k = {first}, {second}, {other}"
            if found.given_away > leak or min(kept[:2]) < 1 - 2 * leak or kept[2] < 1 - 3 * leak:
                return told
            if any(max(row) > T * min(row) for row in found.rest) or sum(m for _, _, m in found.leaks) > leak / T:
                return told
            for E in _orders(T):
                own, several = found.losses(E), claim.kinds(exp_epsilon0=T, delta0=leak, exp_epsilon=E)
                for t in {at for law in (own, *several) for at in law}:
                    if _above(own, t) > max(_above(law, t) for law in several):
                        return f"{told}, E = {E}, t = {t}"
    return ""


def _of_places(case: Case, claim: Claim, users: int) -> str:
    """Where so many users, told with their reports, hide another one's report less than is said."""
    for first, second in permutations(case.laws, 2):
        for hiding in combinations_with_replacement(case.laws, users):
            for E in _orders(case.T):
                truth = among(first=first, second=second, hiding=hiding, exp_epsilon=E)
                found = [approximate.parts(first, second, law, exp_epsilon0=case.T) for law in hiding]
                kept = positive(each.losses(E).items() for each in found) / users
                if truth > claim.paid * case.delta0 + kept:
                    return f"T = {case.T}, R_0, R_1 = {first}, {second}, among {hiding}, E = {E}"
    return ""


def _of_datasets(case: Case, claim: Claim, n: int) -> str:
    """Where the law that sets users aside has less mass, or reports that are shuffled are worth more, than is said; all datasets."""
    randomizer = LocalRandomizer(range(len(case.laws)), {x: Distribution(law) for x, law in enumerate(case.laws)})
    asked: dict[str, Any] = {"others": n - 1, "exp_epsilon0": case.T, "delta0": case.delta0}
    mass = claim.common(**asked)
    for others in combinations_with_replacement(randomizer.domain, n - 1):
        for x in randomizer.domain:
            held = [case.laws[k] for k in others]
            least = sum((min(at / case.T, *(law.get(y, Fraction(0)) for law in held)) for y, at in case.laws[x].items()), Fraction(0))
            if least < mass:
                return f"T = {case.T}, laws {case.laws}, the first holds {x}, the others {others}"
    if mass <= 0:
        return ""
    for E in _orders(case.T)[:2]:
        above = approximate.delta(**asked, share=mass / 2, exp_epsilon=E)
        for others in combinations_with_replacement(randomizer.domain, n - 1):
            for x, z in permutations(randomizer.domain, 2):
                views = [shuffled_law(randomizer, (special, *others)) for special in (x, z)]
                if hockey_stick(*views, exp_epsilon=E) > above:
                    return f"T = {case.T}, laws {case.laws}, {x} or {z}, the others {others}, E = {E}"
    return ""


def _holds(case: Case, claim: Claim) -> bool:
    if not 0 < case.delta0 < _THIRD:
        return True
    return not (_of_triples(case, claim) or _of_places(case, claim, 2) or _of_datasets(case, claim, 3))


def _of_engine(grown: float) -> str:
    """Where the float64 kinds are not the exact ones, rounded up by little, or its delta is below what all others alike reach."""
    for case, kept in product(_known(), (1.0, 0.75)):
        local, E = epsilon0_parameter(f"ln {case.T}"), (1 + case.T) / 2
        floats = ApproximateKinds(local, case.delta0 * Fraction(grown), 3).atoms(float(E), kept)
        exact = approximate.kinds(exp_epsilon0=case.T, delta0=case.delta0, exp_epsilon=E, kept=Fraction(kept))
        for ((mass, at, _),), law in zip(floats, exact, strict=True):
            for t in (float(t) for t in law):
                known = sum(float(m) * max(float(x) - t, 0.0) for x, m in law.items())
                found = float((mass * (at - t).clip(0.0)).sum()) + max(0.0, 1.0 - float(mass.sum())) * max(-t, 0.0)
                if not known * (1 - _SHORT) - _SHORT <= found <= known * (1 + _SHORT) + _SHORT:
                    return f"T = {case.T}, delta0 = {case.delta0}, kept {kept}, t = {t}: {found}, {known}"
    for rows, order in ((_own_leaks(Fraction(3), Fraction(1, 10000)), "11/10"), (_both_leaks(Fraction(3), Fraction(1, 10000)), "51/50")):
        reached = given_law.delta(n=1000, law=GivenLaw(("a", "b", "c"), tuple(map(tuple, rows))), epsilon=f"ln {order}", view="below")
        above = in_floats.delta(n=1000, epsilon0="ln 3", delta0=Case.of(Fraction(3), rows).delta0, epsilon=f"ln {order}")
        if reached.lower > above.upper:
            return f"{rows}, E = {order}"
    return ""


def _without_leaks(**asked: Any) -> list[dict[Fraction, Fraction]]:
    """Mutant: what R_0 sends beyond T R_1 is forgotten."""
    T, leak = asked["exp_epsilon0"], asked["delta0"]
    found = approximate.kinds(**asked)
    for law in found:
        law[T] -= leak / T
        law[Fraction(0)] += leak / T
    return found


def _at_the_order(**asked: Any) -> list[dict[Fraction, Fraction]]:
    """Mutant: as if R_1 lost nothing."""
    return approximate.kinds(**{**asked, "exp_epsilon": asked["exp_epsilon"] / (1 - 2 * asked["delta0"])})


def _one_leak(**asked: Any) -> list[dict[Fraction, Fraction]]:
    """Mutant: as if R_1 lost delta0 once."""
    leak = asked["delta0"]
    return approximate.kinds(**{**asked, "exp_epsilon": asked["exp_epsilon"] * (1 - leak) / (1 - 2 * leak)})


def _half_of_it(**asked: Any) -> list[dict[Fraction, Fraction]]:
    """Mutant: half of delta0."""
    return approximate.kinds(**{**asked, "delta0": asked["delta0"] / 2})


@statement(
    "BEYOND.any-law-all-approximate",
    where="any randomizer's law",
    provenance="derived",
    says="let one (eps0, delta0)-DP randomizer be used by every user, delta0 < 1/3, T = e^eps0. In another user's place D_E is at most "
    "delta0 and E(L_1 + ... + L_S)_+/S, each L_k below a mixture of five laws: with probability 1 - 3 delta0 the loss over 1 - 3 delta0 of "
    "a corner law of T/(1 - 3 delta0) at E (1 - 2 delta0), with delta0/T it is T. Where eta is drawn aside, a share kept = 1 - eta/M of "
    "m_k is left: every loss is divided by kept, with kept times its probability. omega is the least of R_0/T and N others' laws, of mass "
    "M = (1 - N delta0)/T at least",
    formula=r"D_E(A(X_0) \| A(X_1)) \le (1 - \eta)^N + \sum_{r \ge 1} \binom{N}{r} \eta^r (1 - \eta)^{N - r} \Big[\delta_0 + \frac{1}{S}\, "
    r"\mathbb{E}\Big(\sum_{k \le S} L_k\Big)_+\Big], \qquad S = N - r + 1, \quad \eta < \frac{1 - N \delta_0}{T}",
    range="eps0 >= 0, delta0 in (0, 1/3), E >= 1, one randomizer, not adaptive",
    governs=["spec.bounds.swap.another_place_approximate", "impl.fast.bounds.swap.another_place_approximate"],
    grounds=[
        Row("BEYOND.any-law-all-randomizers"),
        Row("BEYOND.any-law-place"),
        Row("BEYOND.any-law-alike-blocks"),
        Argument("every-randomizer#without-pure-local-privacy-from-above"),
        EXACT,
    ],
    mutants={
        "leaks forgotten": {"claim": Claim(kinds=_without_leaks)},
        "R_1 loses nothing": {"claim": Claim(kinds=_at_the_order)},
        "R_1 loses delta0 once": {"claim": Claim(kinds=_one_leak)},
        "half of delta0 in the losses": {"claim": Claim(kinds=_half_of_it)},
        "nine tenths of delta0 given away": {"claim": Claim(paid=Fraction(9, 10))},
        "no mass lost by those who set aside": {"claim": Claim(common=lambda others, exp_epsilon0, delta0: 1 / exp_epsilon0)},
        "a float64 delta0 smaller by a tenth": {"grown": 0.9},
    },
    not_falsified="known randomizers reject every mutant before random ones are drawn, which accompany the argument",
    missing="the argument for all laws and numbers of users; triples, places and datasets of few users are enumerated",
)
def all_approximate(budget: Budget, *, claim: Claim = Claim(), grown: float = 1.0) -> Verdict:
    decided = 0
    for case in _known(budget.pick(quick=1, full=2)):
        for witness in (_of_triples(case, claim), _of_places(case, claim, 1), _of_places(case, claim, 2), _of_datasets(case, claim, 3)):
            decided += 1
            if witness:
                return Verdict.refuted(witness, domain="known randomizers", cases=decided)
    if witness := _of_engine(grown):
        return Verdict.refuted(witness, domain="float64", cases=decided + 1)
    found = sampled.for_all(_leaking(), holds=lambda case: _holds(case, claim), budget=budget, quick=2, full=120)
    return found.verdict(
        claims=Status.ARGUED,
        domain=f"all by the argument; {decided} cases of known randomizers, and random ones with leaks of every kind: all triples at all "
        "thresholds that matter, one or two users told with their reports, all datasets of n = 3",
        witness=lambda case: f"{case}",
    )
