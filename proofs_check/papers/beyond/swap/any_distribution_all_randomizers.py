"""All eps0-DP randomizers together: five distributions of a loss above those of all of them."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product

from hypothesis import strategies as st

from shuffleproof.impl.fast.bounds.swap.first_arrival import Class
from shuffleproof.proofs_check.ledger import EXACT, Budget, Status, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import sampled
from shuffleproof.proofs_check.ledger.methods.masses import merged
from shuffleproof.proofs_check.ledger.points import ONE
from shuffleproof.proofs_check.papers.beyond.variation_ratio.all_sequences import vertices
from shuffleproof.spec.bounds.swap.another_place import corner_distributions

Point = tuple[Fraction, Fraction]
Corners = Mapping[Point, Fraction]
Distributions = Callable[[Fraction], list[dict[Point, Fraction]]]


def _corners(T: Fraction) -> list[Point]:
    return [(1 / T, 1 / T), (T, T), (ONE, T), (T, ONE), (ONE, 1 / T), (1 / T, ONE)]


def _vertices(T: Fraction) -> tuple[dict[Point, Fraction], ...]:
    """All distributions on three corners or fewer with both means 1 that are no mixture of others."""
    corners = _corners(T)
    return vertices(corners, [(ONE, *at) for at in corners], [ONE] * 3)


@st.composite
def _private(draw: st.DrawFn) -> tuple[Fraction, list[list[Fraction]], Fraction]:
    """T, three distributions on four messages within T of each other, and an order from 1 to T."""
    T = draw(st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(5)]))
    level = draw(st.lists(st.integers(1, 4), min_size=4, max_size=4))
    rows = [[w * draw(st.sampled_from([Fraction(1), (1 + T) / 2, T])) for w in level] for _ in range(3)]
    laws = [[x / sum(row) for x in row] for row in rows]
    reached = max(a / b for row, other in product(laws, repeat=2) for a, b in zip(row, other, strict=True))
    return reached, laws, 1 + draw(st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1)])) * (reached - 1)


def _above(law: Corners, E: Fraction, t: Fraction) -> Fraction:
    """E(u - E v - t)_+."""
    return sum((mass * max(u - E * v - t, Fraction(0)) for (u, v), mass in law.items()), Fraction(0))


def _inside(case: tuple[Fraction, list[list[Fraction]], Fraction], laws_of: Distributions) -> bool:
    """Return whether every threshold's E(L - t)_+ is at most the largest of the corner distributions'."""
    T, (first, second, other), E = case
    if T <= 1:
        return True
    own = merged(((a / m, b / m), m) for a, b, m in zip(first, second, other, strict=True))
    loss_types = laws_of(T)
    thresholds = {u - E * v for law in (own, *loss_types) for u, v in law}
    return all(_above(own, E, t) <= max(_above(law, E, t) for law in loss_types) for t in thresholds)


def _without_the_third(T: Fraction) -> list[dict[Point, Fraction]]:
    """Mutant: as if nobody else's distribution could prefer neither."""
    loss_types = corner_distributions(T)
    return [loss_types[0], *loss_types[2:]]


@derived(
    "BEYOND.any-law-all-randomizers",
    says="of an eps0-DP randomizer, T = e^eps0, (u, v) = (R_0/R_k, R_1/R_k) lies where 1/T <= u, v, u/v <= T, with E u = E v = 1, and the "
    "distribution of L = u - E v under R_k is at most, in the convex order, a mixture of five distributions at the corners of that, the "
    "same for all convex functions",
    range="eps0 > 0, E >= 1",
    governs=["spec.bounds.swap.another_place", "impl.fast.bounds.swap.first_arrival"],
    grounds=["every-randomizer#pure-local-privacy", EXACT],
    mutants={
        "nobody prefers neither": {"distributions_of": _without_the_third},
        "a hundredth less than T - 1": {"distributions_of": lambda T: corner_distributions(1 + (T - 1) * Fraction(99, 100))},
    },
    not_falsified="the vertices reject every mutant before the random distributions are drawn, which accompany the argument",
    missing="that five distributions are all for every T; compared with all vertices for some",
)
def all_randomizers(budget: Budget, *, distributions_of: Distributions = corner_distributions) -> Verdict:
    decided = 0
    for text in ("3/2", "2", "5", "20"):
        T = Fraction(text)
        decided += 1
        known, extreme = distributions_of(T), _vertices(T)
        if any(law not in known for law in extreme) or len(known) != len(extreme):
            return Verdict.refuted(f"T = {T}: {extreme}", domain="vertices", cases=decided)
        E = (1 + T) / 2
        for of_engine, law in zip(Class(T, E, 2).corner_losses(Fraction(0)), known, strict=True):
            if sorted(of_engine) != sorted((u - E * v, p) for (u, v), p in law.items()):
                return Verdict.refuted(f"T = {T}: {of_engine}", domain="the engine's losses", cases=decided)
    return sampled.for_all(_private(), holds=lambda case: _inside(case, distributions_of), budget=budget, quick=40, full=1000).verdict(
        claims=Status.ARGUED,
        domain=f"all distributions by the argument; all vertices for {decided} T, and random distributions at all thresholds that matter",
        witness=lambda case: f"T = {case[0]}, distributions {case[1]}, E = {case[2]}",
    )
