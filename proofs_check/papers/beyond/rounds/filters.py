"""Filters: budgets for releases that are chosen by what was released before; and groups of users.

Shuffled mini-batches: why amplification by shuffling is not for them, and what one epoch demands at least.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from mpmath import mp, mpf

from shuffleproof.impl.ball import shuffled_batches, subsampled_gaussian
from shuffleproof.impl.ball.numeric.arithmetic import ball, precision
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Cited, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, hockey_stick, product as independent, renyi_moment
from shuffleproof.spec.vocabulary.scope import Relation

Pair = tuple[Distribution[Any], Distribution[Any]]
Chosen = tuple[Pair, Sequence[Pair]]


def _distribution(*masses: str) -> Distribution[int]:
    return Distribution({y: Fraction(mass) for y, mass in enumerate(masses) if Fraction(mass)})


_NOTHING: Pair = (_distribution("1"), _distribution("1"))
_LIBRARY: tuple[Pair, ...] = (
    (_distribution("2/3", "1/3"), _distribution("1/3", "2/3")),
    (_distribution("4/5", "1/5"), _distribution("1/5", "4/5")),
    (_distribution("1/2", "1/4", "1/4"), _distribution("1/4", "1/4", "1/2")),
    (_distribution("1/10", "0", "3/5", "3/10"), _distribution("0", "1/10", "3/10", "3/5")),
)
"""Pairs of distributions, one of them with outcomes that give everything away."""
_ORDERS = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(4), Fraction(8))
"""E^epsilon: products of two are among them, so that compositions are asked at corners."""


def _joint(first: Pair, later: Sequence[Pair]) -> Pair:
    """A release, and then one that is chosen by its outcome: later[y] after y."""

    def follow(side: int) -> Distribution[Hashable]:
        return first[side].then(lambda y: later[y][side].map(lambda z: (y, z)))

    return follow(0), follow(1)


def _outcomes(pair: Pair) -> int:
    return 1 + int(max((*pair[0].support, *pair[1].support)))


def _choices(library: Sequence[Pair]) -> Iterator[Chosen]:
    """Every first release, and every way of choosing the next by its outcome."""
    for first in library:
        for later in product(library, repeat=_outcomes(first)):
            yield first, later


def _delta(pair: Pair, E: Fraction) -> Fraction:
    return PrivacyProfile(*pair).delta(exp_epsilon=E)


@derived(
    "BEYOND.filter-basic",
    says="let releases be chosen one after another, each by all outcomes before it, so that the t-th is (eps_t, delta_t)-DP given these, "
    "and the sums of eps_t and of delta_t never exceed eps and delta; then everything together is (eps, delta)-DP",
    range="any number of releases, eps >= 0, delta in [0, 1]",
    governs=["filters"],
    grounds=["filters#sums-of-epsilon-and-delta", EXACT],
    mutants={
        "the later releases count on average": {
            "of_later": lambda later, E: sum((_delta(pair, E) for pair in later), Fraction(0)) / len(later)
        },
        "the first release costs nothing": {"first_counts": False},
    },
    missing="more than two releases in a row, which is the induction",
)
def sums_of_parameters(
    budget: Budget,
    *,
    of_later: Callable[[Sequence[Pair], Fraction], Fraction] = lambda later, E: max(_delta(pair, E) for pair in later),
    first_counts: bool = True,
) -> Verdict:
    """Two releases, the second chosen by the outcome of the first, in every way, at all pairs of orders."""
    library = _LIBRARY[: budget.pick(quick=3, full=4)]

    def holds(first: Pair, later: Sequence[Pair]) -> bool:
        joint = _joint(first, later)
        for E, F in product(_ORDERS, _ORDERS):
            paid = (_delta(first, E) if first_counts else 0) + of_later(later, F)
            if _delta(joint, E * F) > paid:
                return False
        return True

    return exhaustive.for_all(list(_choices(library)), holds=holds).verdict(
        domain=f"{len(library)} pairs, the second release chosen by the outcome of the first in every way, 36 pairs of orders",
        note="for all: given its outcome, what follows a release is a filter with what is left of the budget, the same for every outcome",
    )


def _moment(pair: Pair, order: int) -> Fraction | None:
    values = [renyi_moment(pair[0], pair[1], order=order), renyi_moment(pair[1], pair[0], order=order)]
    return None if None in values else max(value for value in values if value is not None)


@derived(
    "BEYOND.filter-renyi",
    says="let releases be chosen one after another, each by all outcomes before it, and let the sum of their Renyi divergences of one "
    "order alpha that is fixed at the start never exceed tau; then everything together has divergence at most tau",
    range="any number of releases, alpha > 1",
    governs=["filters"],
    grounds=["filters#renyi-divergences-of-one-order", EXACT, "FMT21.Sec6.1.conversion"],
    mutants={"the least of the later releases counts": {"of_later": min}, "the first release costs nothing": {"first_counts": False}},
    missing="more than two releases in a row, which is the induction; orders that are not integers",
)
def sums_of_divergences(budget: Budget, *, of_later: Callable[..., Fraction] = max, first_counts: bool = True) -> Verdict:
    """Moments e^((alpha - 1) D_alpha) of two releases multiply, whatever the second is chosen by."""
    library = _LIBRARY[:3]
    orders = range(2, budget.pick(quick=4, full=6))

    def holds(first: Pair, later: Sequence[Pair]) -> bool:
        joint = _joint(first, later)
        for order in orders:
            known = [_moment(pair, order) for pair in (joint, first, *later)]
            assert None not in known
            whole, alone, *rest = (value for value in known if value is not None)
            if whole > (alone if first_counts else 1) * of_later(rest):
                return False
        return True

    return exhaustive.for_all(list(_choices(library)), holds=holds).verdict(
        domain=f"3 pairs, the second release chosen by the outcome of the first in every way, orders 2 to {orders[-1]}",
        note="for all: given its outcome, what follows a release has moment at most e^((alpha - 1)(tau - D_alpha)), for every outcome",
    )


@derived(
    "BEYOND.filter-planned",
    says="let a set of releases be planned, each with a pair that dominates it whatever was released before, and let them be made in any "
    "order that is chosen on the way, some of them never; then everything together is dominated by the product of all pairs",
    range="any number of releases, E >= 0",
    governs=["filters"],
    grounds=[
        "filters#planned-releases-in-any-order",
        Cited("Blackwell's theorem", "known-facts#dominating-pairs-and-their-products"),
        EXACT,
    ],
    mutants={"what is not made does not count": {"skipped_counts": False}},
    missing="more than three releases, which is the induction; Blackwell's theorem",
)
def planned_in_any_order(budget: Budget, *, skipped_counts: bool = True) -> Verdict:
    """Three planned releases: which one comes second, or none, is chosen by the outcome of the first; against the product of all three."""
    library = _LIBRARY[: budget.pick(quick=3, full=4)]
    cases = [
        (first, others, later)
        for first in library
        for others in ((a, b) for a in library for b in library)
        for later in product((*others, _NOTHING), repeat=_outcomes(first))
    ]

    def holds(first: Pair, others: tuple[Pair, Pair], later: Sequence[Pair]) -> bool:
        joint = _joint(first, later)
        dominating = first
        for other in others if skipped_counts else others[:1]:
            dominating = independent(dominating[0], other[0]), independent(dominating[1], other[1])
        return all(hockey_stick(*joint, exp_epsilon=E) <= hockey_stick(*dominating, exp_epsilon=E) for E in _ORDERS)

    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"{len(library)} pairs, three planned, the second release any of the other two or none, by the outcome of the first",
        note="for all: draw from every pair beforehand; each release is a post-processing of its own draw, also when it is chosen late",
    )


@derived(
    "BEYOND.groups",
    says="where neighbours of which one user's data differs are (eps, delta)-indistinguishable, datasets that differ in g users are "
    "(g eps, delta (1 + e^eps + ... + e^((g - 1) eps)))-indistinguishable",
    range="g >= 1, eps >= 0",
    governs=["planning.plan.evaluation"],
    grounds=["filters#groups-of-users", EXACT],
    mutants={"delta counts g times": {"growth": Fraction(0)}},
    missing="groups of more than two users, which is the induction",
)
def groups(budget: Budget, *, growth: Fraction = Fraction(1)) -> Verdict:
    """Chains of three distributions on three outcomes. growth: 1, or 0 where the second delta is not multiplied with e^eps."""
    steps = budget.pick(quick=5, full=8)
    laws = [
        Distribution({y: Fraction(mass, steps) for y, mass in enumerate((a, b, steps - a - b)) if mass})
        for a in range(steps + 1)
        for b in range(steps + 1 - a)
    ]

    def holds(case: tuple[Distribution[int], ...]) -> bool:
        p, middle, q = case
        for E in (Fraction(1), Fraction(3, 2), Fraction(2)):
            delta = max(hockey_stick(p, middle, exp_epsilon=E), hockey_stick(middle, q, exp_epsilon=E))
            if hockey_stick(p, q, exp_epsilon=E * E) > delta * (1 + 1 + growth * (E - 1)):
                return False
        return True

    return exhaustive.for_all(list(product(laws, repeat=3)), holds=holds).verdict(
        domain=f"all chains of three distributions on three outcomes with masses of multiples of 1/{steps}, three orders",
        witness=lambda case: f"distributions {case}",
        note="for all: P <= E^(g - 1) M + delta_(g - 1) and M <= E Q + delta, with delta multiplied by what stands before it",
    )


F = Fraction


@derived(
    "BEYOND.shuffled-batches",
    says="records are shuffled into T batches and each batch's sum of gradients of norm at most 1 is released with noise N(0, z^2). For "
    "every c no epsilon below ln((P - delta)/Q) holds, P = 1 - Phi((c - 2)/z) Phi(c/z)^(T - 1), Q = 1 - Phi((c - 1)/z) Phi(c/z)^(T - 1); "
    "at T = 1000, z = 1, delta = 1e-6 that is above 3.7, where Poisson sampling at rate 1/T is (0.87, 1e-6)-DP",
    range="T >= 1, z > 0, delta in (0, 1), two batches or records enough; neighbours: one gradient replaced by zero",
    governs=["impl.ball.shuffled_batches", "spec.bounds.noise.gaussian"],
    grounds=["shuffled-batches#which-shuffling-mini-batches-are-not-it", BALLS],
    missing="that the event's two probabilities are these for all T; they are compared at points",
    mutants={
        "the record's batch is known": {"uniform": False},
        "the sums differ by 2 and 0": {"zeroed": 0},
        "at T = 1000, z = 1 it is above 4": {"claimed": F(4)},
        "Poisson sampling is known to be (0.86, 1e-6)-DP there": {"sampled": F(86, 100)},
    },
)
def batches(
    budget: Budget, *, uniform: bool = True, zeroed: int = 1, claimed: Fraction = Fraction(37, 10), sampled: Fraction = Fraction(87, 100)
) -> Verdict:
    """P and Q against the distribution of the largest sum, by averaging over the batch, and the two numbers."""
    points = [(T, z, c) for T in (1, 2, 7, 1000) for z in (F(1, 2), F(1), F(3)) for c in (F(1, 2), F(3), F(7))]
    for T, z, c in points:
        with mp.workdps(60), precision(200):
            stated = shuffled_batches.event(batches=T, noise_multiplier=z, cut=c)

            def inside(shift: int, z: Fraction = z, c: Fraction = c) -> mpf:
                return mp.ncdf((mpf(c.numerator) / c.denominator - shift) * z.denominator / z.numerator)

            for shift, value in zip((2, zeroed), stated, strict=True):
                # The record's batch is each of the T with probability 1/T; the sums of the others are noise alone.
                own = [mp.fprod([inside(shift if i == at else 0) for i in range(T)]) for at in range(min(T, 3))] if T <= 7 else []
                law = 1 - (sum(own) / len(own) if own else inside(shift) * inside(0) ** (T - 1))
                law = law if uniform else 1 - inside(shift)
                if not abs(ball(F(mp.nstr(law, 50))) - value) < ball(F(1, 10**40)):
                    return Verdict.refuted(f"T = {T}, z = {z}, c = {c}", domain="36 points", cases=36)
    below = shuffled_batches.epsilon(batches=1000, noise_multiplier=1, delta="1e-6")
    above = subsampled_gaussian.epsilon(steps=1000, rate=F(1, 1000), noise_multiplier=1, delta="1e-6", relation=Relation.ADD_REMOVE)
    return Verdict.certified(
        domain="the event's probabilities at 36 points to 40 digits; the two values at T = 1000, z = 1, delta = 1e-6",
        cases=38,
        note="for all T, z, c: given the record's batch the sums are independent; its batch is uniform, and the product is the same for "
        "each. Every event gives P <= e^eps Q + delta. Poisson's value is for add-remove",
        against=None if below.lower > claimed and above.upper < sampled else f"{below.lower} against {above.upper}",
    )
