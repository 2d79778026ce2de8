"""How far the blanket and homogeneous datasets are from the truth: given distributions, reports in pairs, mixed datasets, chi-squares."""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from typing import Any

import sympy
from hypothesis import strategies as st

from shuffleproof.impl.ball.bounds.blanket import given_distribution as ball_given_distribution
from shuffleproof.impl.fast.bounds.blanket import given_distribution as fast_given_distribution
from shuffleproof.impl.fast.bounds.swap import given_distribution_places as fast_given_distribution_places
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Status, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.random_randomizers import distributions
from shuffleproof.spec.bounds.blanket import given_distribution, paired_reports
from shuffleproof.spec.bounds.blanket.one_sum import loss_types, profile
from shuffleproof.spec.distribution import Distribution, hockey_stick
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution
from shuffleproof.spec.randomizers.exact import exact_distribution
from shuffleproof.spec.randomizers.k_rr import KRR
from shuffleproof.spec.randomizers.k_subset import Subset
from shuffleproof.spec.randomizers.local_hashing import LocalHashing
from shuffleproof.spec.randomizers.noise_on_levels import k_rr_by_item
from shuffleproof.spec.randomizers.unary_encoding import RAPPOR, AsymmetricRAPPOR
from shuffleproof.spec.vocabulary.given_distribution import GivenDistribution
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer

_T = Fraction(9, 4)  # e^eps0 of named randomizers: a square, so that its root is rational
NAMED: tuple[NamedRandomizer, ...] = (
    KRR(k=2),
    KRR(k=3),
    RAPPOR(k=2),
    LocalHashing(buckets=2, k=2),
    AsymmetricRAPPOR(k=2),
    Subset(k=4, d=2),
)
Randomizer = LocalRandomizer[Any, Any]
Share = Callable[[Fraction, Fraction], Fraction]


def finite(randomizer: NamedRandomizer) -> Randomizer:
    """A named randomizer with its sizes, by its distribution at e^eps0 = 9/4."""
    return exact_distribution(randomizer, _T)


def _masses(randomizer: Randomizer, x: object) -> dict[Any, Fraction]:
    law = randomizer.distribution(x)
    return {y: law[y] for y in randomizer.messages}


def _worst(randomizer: Randomizer, n: int, E: Fraction) -> tuple[Fraction, Fraction]:
    """The largest hockey-stick divergence over all neighbouring datasets, and over those in which all others hold one input."""
    everywhere, alike = Fraction(0), Fraction(0)
    for others in combinations_with_replacement(randomizer.domain, n - 1):
        found = max(
            hockey_stick(shuffled_distribution(randomizer, (x, *others)), shuffled_distribution(randomizer, (z, *others)), exp_epsilon=E)
            for x, z in permutations(randomizer.domain, 2)
        )
        everywhere = max(everywhere, found)
        if len(set(others)) <= 1:
            alike = max(alike, found)
    return everywhere, alike


@st.composite
def _few_users(draw: st.DrawFn) -> tuple[Randomizer, int, Fraction]:
    """Two or three arbitrary distributions on three messages, zeros and point masses among them, users and an order."""
    inputs = draw(st.integers(2, 3))
    randomizer = LocalRandomizer(range(inputs), {x: draw(distributions(outputs=3)) for x in range(inputs)})
    return randomizer, draw(st.integers(2, 4)), draw(st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(4)]))


def _in_pairs(randomizer: Randomizer, n: int, E: Fraction, share: Share) -> tuple[Fraction, Fraction]:
    """The bound where reports are revealed in pairs, largest over pairs of inputs, and the blanket's; share: how odds become a mean."""
    all_laws = {x: _masses(randomizer, x) for x in randomizer.domain}
    cover = {y: min(law[y] for law in all_laws.values()) for y in randomizer.messages}
    told, blanket = Fraction(0), Fraction(0)
    for x, z in permutations(randomizer.domain, 2):
        given: dict[str, Any] = {"first": all_laws[x], "second": all_laws[z], "cover": cover}
        told = max(told, paired_reports.delta(n=n, others=list(all_laws.values()), exp_epsilon=E, share=share, **given))
        blanket = max(blanket, profile(n=n, loss_types=loss_types(all_laws[x], all_laws[z], cover)).delta(exp_epsilon=E))
    return told, blanket


def _pairs_hold(case: tuple[Randomizer, int, Fraction], share: Share) -> bool:
    randomizer, n, E = case
    told, blanket = _in_pairs(randomizer, n, E, share)
    return _worst(randomizer, n, E)[0] <= told and (n % 2 == 1 or told <= blanket)


@derived(
    "BEYOND.any-law-pairs",
    says="revealed in pairs, who of a pair drew from R_k - m being named but not which report is theirs, n reports give at most "
    "E[(M_1 + ... + M_(n/2))_+]/n, M the posterior mean of the losses of a pair, the least distribution above those for all k: for all "
    "datasets, and for even n never more than the blanket",
    range="all randomizers, n >= 2, E >= 1",
    governs=["spec.bounds.blanket.paired_reports"],
    grounds=["BEYOND.LemL1", "less-side-information#reports-revealed-in-pairs", EXACT],
    mutants={
        "the odds the other way round": {"share": lambda at_y, at_z: at_y / (at_y + at_z)},
        "equal odds": {"share": lambda at_y, at_z: Fraction(1, 2)},
    },
    missing="users beyond the enumerated ones, and that the least distribution above is reached",
)
def pairs(budget: Budget, *, share: Share = paired_reports.posterior) -> Verdict:
    decided = 0
    found = sampled.for_all(_few_users(), holds=lambda case: _pairs_hold(case, share), budget=budget, quick=12, full=200)
    for named in NAMED[:: 2 if budget.depth == "quick" else 1]:
        randomizer = finite(named)
        for n in range(2, 4 if len(randomizer.messages) > 4 or budget.depth == "quick" else 5):
            for E in (Fraction(1), Fraction(3, 2)):
                decided += 1
                if not _pairs_hold((randomizer, n, E), share):
                    return Verdict.refuted(f"{named}, e^eps0 = {_T}, n = {n}, E = {E}", domain="named randomizers", cases=decided)
    return found.verdict(
        claims=Status.ARGUED,
        domain=f"all distributions by the argument; all datasets of {decided} named cases, n <= 4, e^eps0 = {_T}, and of random "
        f"distributions",
        witness=lambda case: f"{[case[0].distribution(x) for x in case[0].domain]}, n = {case[1]}, E = {case[2]}",
    )


@derived(
    "BEYOND.any-law-mixed-datasets",
    where="any randomizer's distribution",
    says="datasets in which all others hold one input are not always the worst: of binary response, e^eps0 = 9/4, n = 3, E = 1, the others "
    "(0, 1) give 485/2197, one input gives 405/2197; of the distributions (9/10, 1/10) and (1/2, 1/2), n = 4, E = 17/10, the others (0, "
    "0, 1) give 9335/100000, one input 6059/100000",
    range="these two",
    mutants={"all others alike are the worst": {"mixed": False}, "one user more": {"further": 1}},
)
def mixed_datasets(budget: Budget, *, mixed: bool = True, further: int = 0) -> Verdict:
    binary = ((Fraction(9, 13), Fraction(4, 13)), (Fraction(4, 13), Fraction(9, 13)))
    skew = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 2), Fraction(1, 2)))
    for rows, n, E, wanted in (
        (binary, 3, Fraction(1), (Fraction(485, 2197), Fraction(405, 2197))),
        (skew, 4, Fraction(17, 10), (Fraction(9335, 100000), Fraction(6059, 100000))),
    ):
        two = LocalRandomizer(range(2), {x: Distribution(dict(enumerate(row))) for x, row in enumerate(rows)})
        everywhere, alike = _worst(two, n + further, E)
        if (everywhere if mixed else alike, alike) != wanted:
            return Verdict.refuted(f"n = {n + further}: {everywhere}, {alike}", domain="two distributions", cases=1)
    return Verdict.exhausted(domain="all datasets of both", cases=2)


def _engines_agree(case: tuple[Randomizer, int, Fraction], *, more: int, order: Fraction) -> bool:
    """Return whether the distribution's sides hold for every dataset, the exact lower one is tight, the others enclose the blanket's."""
    randomizer, n, E = case
    rows = tuple(tuple(randomizer.distribution(x)[y] for y in range(3)) for x in randomizer.domain)
    law = GivenDistribution(tuple(map(str, randomizer.domain)), rows)
    asked: dict[str, Any] = {"n": n + more, "distribution": law, "epsilon": f"ln {E * order}"}
    truth = _worst(randomizer, n, E)[0]
    above, below = given_distribution.delta(**asked).upper, given_distribution.delta(**asked, view="below").lower
    in_floats, in_balls = fast_given_distribution.delta(**asked), ball_given_distribution.delta(**asked, digits=2)
    return below == truth <= above and all(each.lower <= above <= each.upper for each in (in_floats, in_balls))


def _loss_types_are_above(case: tuple[Randomizer, int, Fraction], *, first: bool) -> bool:
    """Return whether each loss type of the random-swap bound is above its triples', its mass of infinite loss at least theirs.

    first: the distribution of the first triple of each loss type for all of it.
    """
    randomizer, _, E = case
    rows = tuple(tuple(randomizer.distribution(x)[y] for y in range(3)) for x in randomizer.domain)
    loss_types = fast_given_distribution_places.OfDistribution(GivenDistribution(tuple(map(str, randomizer.domain)), rows))
    groups = [[tuple(map(int, triple)) for triple in group] for group in loss_types.groups]
    for triple in ((x, z, k) for x, z in permutations(randomizer.domain, 2) for k in randomizer.domain):
        if not any(triple in group for group in groups):  # only that of the inputs in reverse may stand for it
            turned = tuple(len(rows) - 1 - x for x in triple)
            served = [group for group in groups if turned in group]
            if not served:
                return False
            served[0].append(triple)
    if first:
        loss_types.groups = [group[:1] for group in loss_types.groups]
    given_away = Fraction(loss_types.given_away(float(E)))
    for group, ((mass, at, error),) in zip(groups, loss_types.atoms(float(E), 1.0), strict=True):
        above = [(Fraction(float(m)) * Fraction(1 + error), Fraction(float(x))) for m, x in zip(mass, at, strict=True)]
        above.append((max(Fraction(0), 1 - sum((m for m, _ in above), Fraction(0))), Fraction(0)))
        beyond_above = _all_beyond(above)
        for x, z, k in group:
            losses = [(m, a - E * b) for a, b, m in zip(rows[x], rows[z], rows[k], strict=True)]
            law = [(m, loss / m) for m, loss in losses if m]
            if sum((max(loss, Fraction(0)) for m, loss in losses if not m), Fraction(0)) > given_away:
                return False
            for t in {loss for _, loss in law} | {value for _, value in above[::50]} | {Fraction(-100)}:
                if sum((mass * (at - t) for mass, at in law if at > t), Fraction(0)) > beyond_above(t):
                    return False
    return True


def _all_beyond(points: list[tuple[Fraction, Fraction]]) -> Callable[[Fraction], Fraction]:
    """Return the function t -> E(L - t)_+ of many masses and values."""
    values = sorted(at for _, at in points)
    masses, moments = [Fraction(0)], [Fraction(0)]
    for mass, at in sorted(points, key=lambda point: -point[1]):
        masses.append(masses[-1] + mass)
        moments.append(moments[-1] + mass * at)

    def beyond(t: Fraction) -> Fraction:
        above = len(values) - bisect_right(values, t)
        return moments[above] - t * masses[above]

    return beyond


@derived(
    "BEYOND.any-law-given",
    says="of a distribution that is given, with what some inputs never send, the blanket's side holds for all datasets; of few users the "
    "exact lower side is the worst of them; balls and float64 enclose the blanket's; in the random swap the distribution of each loss "
    "type is above those of all inputs x_0, x_1, x_k that it stands for",
    range="finite distributions",
    governs=[
        "spec.bounds.blanket.given_distribution",
        "impl.ball.bounds.blanket.given_distribution",
        "impl.fast.bounds.blanket.given_distribution",
        "impl.fast.bounds.swap.given_distribution_places",
    ],
    grounds=[
        "BEYOND.any-law-above",
        "BEYOND.any-law-below",
        "BEYOND.any-law-place",
        "random-swap#a-finite-distribution-that-is-given",
        EXACT,
        BALLS,
    ],
    mutants={
        "one user more": {"more": 1},
        "e^eps raised by a hundredth": {"order": Fraction(101, 100)},
        "the distribution of a loss type's first triple for all of it": {"first": True},
    },
    missing="distributions beyond the drawn ones, and more users than are enumerated for them",
)
def given(budget: Budget, *, more: int = 0, order: Fraction = Fraction(1), first: bool = False) -> Verdict:
    by_item = k_rr_by_item(exp_epsilons=[_T, Fraction(3, 2), Fraction(3)])
    if not _loss_types_are_above((by_item, 3, Fraction(3, 2)), first=first):
        return Verdict.refuted("a loss type is not above one of its triples", domain="kRR by item", cases=1)
    found = sampled.for_all(
        _few_users(),
        holds=lambda case: _engines_agree(case, more=more, order=order) and _loss_types_are_above(case, first=first),
        budget=budget,
        quick=5,
        full=60,
    )
    return found.verdict(
        domain="random distributions of two or three inputs on three messages, zeros among them, n <= 4, all datasets",
        witness=lambda case: f"{[case[0].distribution(x) for x in case[0].domain]}, n = {case[1]}, E = {case[2]}",
    )


_CORNERS: Mapping[str, Callable[[sympy.Symbol], tuple[sympy.Expr, sympy.Expr]]] = {
    "(T, 1)": lambda T: (T, sympy.Integer(1)),
    "(T, T)": lambda T: (T, T),
    "(1/T, 1)": lambda T: (1 / T, sympy.Integer(1)),
    "(1/T, 1/T)": lambda T: (1 / T, 1 / T),
}
"""Of u = R_0/R_2 and v = R_1/R_2 within T of each other and of 1; u and v may be exchanged."""


@derived(
    "BEYOND.any-law-chi-square",
    says="for three distributions within a factor T of each other, the integral of (R_0 - R_1)^2/R_2 is at most (T - 1)^2 max(2/(T + 2), "
    "1/T): reached by 3-ary response for T >= 2, all others holding the third item, and by binary response for T <= 2",
    range="T >= 1",
    grounds=[SYMPY, "every-randomizer#pure-local-privacy", EXACT],
    mutants={
        "2/(T + 2) for all T": {"few": lambda T: 2 / (T + 2)},
        "1/T for all T": {"many": lambda T: 1 / T},
        "2/(T + 3) for T >= 2": {"many": lambda T: 2 / (T + 3)},
    },
    missing="that a convex function on the hexagon is largest at its corners; the corners are symbolic",
)
def chi_square(
    budget: Budget, *, few: Callable[[Any], Any] = lambda T: 1 / T, many: Callable[[Any], Any] = lambda T: 2 / (T + 2)
) -> Verdict:
    """(u - v)^2 is convex, so an affine function of u + v that is above it at the corners of the hexagon is above it everywhere."""
    T = sympy.symbols("T", positive=True)
    for scale, slope, where in (
        (few(T), (T - 1) ** 2 / T, {"between": {T: (1, 2)}}),
        (many(T), T * (T - 1) / (T + 2), {"at_least": {T: 2}}),
    ):
        most = (T - 1) ** 2 * scale
        for told, corner in _CORNERS.items():
            u, v = corner(T)
            above = sympy.together(most + slope * (u + v - 2) - (u - v) ** 2)
            if not symbolic.is_nonnegative(above, **where):
                return Verdict.refuted(f"at the corner {told}", domain=f"T in {where}", cases=1)
    for value, k, held in ((Fraction(3), 3, 2), (Fraction(2), 3, 2), (Fraction(2), 2, 1), (Fraction(3, 2), 2, 1)):
        law = [[value if x == y else Fraction(1) for y in range(k)] for x in range(k)]
        reached = sum(((law[0][y] - law[1][y]) ** 2 / law[held][y] for y in range(k)), Fraction(0)) / (value + k - 1)
        if reached != (value - 1) ** 2 * (many(value) if k == 3 else few(value)):
            return Verdict.refuted(f"{k}-ary response, T = {value}: {reached}", domain="equality", cases=1)
    return Verdict.argued(domain="all T >= 1: the corners by sympy, the rest by convexity; equality at four T", cases=12)
