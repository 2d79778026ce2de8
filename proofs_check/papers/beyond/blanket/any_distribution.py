"""Any randomizer's distribution: its blanket from above, homogeneous datasets from below, and the grids for sums of losses."""

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any

import numpy as np
import sympy
from hypothesis import strategies as st

from shuffleproof.impl.ball.bounds.blanket import any_distribution as certified, one_sum as in_balls
from shuffleproof.impl.ball.numeric.arithmetic import ball, precision
from shuffleproof.impl.fast.bounds.blanket import one_sum as in_floats, one_sum_contour as along_a_line
from shuffleproof.impl.fast.numeric.results import U
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Status, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.masses import merged, positive_part, sum_of
from shuffleproof.proofs_check.ledger.methods.random_randomizers import distributions
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import least_margin
from shuffleproof.spec.bounds.blanket import any_distribution
from shuffleproof.spec.bounds.blanket.one_sum import LossType, blanket_loss_types, dominating_pair, loss_types, profile
from shuffleproof.spec.bounds.lower import leaking_response
from shuffleproof.spec.distribution import Distribution, PrivacyProfile
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution
from shuffleproof.spec.randomizers import noise_on_levels
from shuffleproof.spec.randomizers.exact import exact_distribution
from shuffleproof.spec.vocabulary.randomizers import named

NAMED: tuple[tuple[str, dict[str, int]], ...] = (
    ("krr", {"k": 2}),
    ("krr", {"k": 4}),
    ("rappor", {"k": 2}),
    ("rappor", {"k": 3}),
    ("asymmetric-rappor", {"k": 3}),
    ("subset", {"k": 4, "d": 2}),
    ("subset", {"k": 4, "d": 3}),
    ("hadamard", {"k": 3, "blocks": 1}),
    ("hadamard", {"k": 3, "blocks": 2}),
    ("hadamard", {"k": 3, "blocks": 4}),
    ("hash", {"buckets": 2, "k": 2}),
    ("hash", {"buckets": 2, "k": 3}),
    ("hash", {"buckets": 3, "k": 2}),
)
_T = Fraction(9, 4)  # e^eps0 of noise on levels: a square, so that its root is rational
_WEIGHTS = (Fraction(1), Fraction(2, 3), Fraction(1, 5))  # falling with the distance, and not geometric
DISTRIBUTIONS: Mapping[str, Callable[[], LocalRandomizer[int, Any]]] = {
    "clipped Laplace noise on three levels": lambda: noise_on_levels.clipped_laplace(levels=3, ratio=1 / _T),
    "staircase noise on three levels": lambda: noise_on_levels.by_distance(
        levels=3, weights=noise_on_levels.staircase_weights(levels=3, exp_epsilon0=_T, high=1, beyond=1), beyond=1
    ),
    "discrete noise with weights 1, 2/3, 1/5 on three levels": lambda: noise_on_levels.by_distance(levels=3, weights=_WEIGHTS),
    "kRR, 9/4, 3/2 and 3 to 1": lambda: noise_on_levels.k_rr_by_item(exp_epsilons=[_T, Fraction(3, 2), Fraction(3)]),
    "binary response that leaks": lambda: leaking_response.leaking_response(k=2, exp_epsilon0=_T, delta0=Fraction(1, 10)),
}
"""Randomizers that are offered as exact distributions, and the one that leaks."""
AnyDistribution = Distribution[Any]
Cover = Callable[[list[AnyDistribution], Any], Fraction]


def _randomizer(name: str, own: dict[str, int], T: Fraction = _T) -> LocalRandomizer[int, Any]:
    record = named(name, **own)
    return exact_distribution(record, T)


def _least(found: list[AnyDistribution], y: Any) -> Fraction:
    return min(law[y] for law in found)


@st.composite
def _any_distributions(draw: st.DrawFn) -> tuple[LocalRandomizer[int, int], int]:
    """Three arbitrary distributions on three messages, zeros and point masses among them, and a number of users."""
    return LocalRandomizer(range(3), dict(enumerate(draw(distributions(outputs=3)) for _ in range(3)))), draw(st.integers(1, 4))


def _truth(randomizer: LocalRandomizer[int, Any], special: int, others: tuple[int, ...]) -> AnyDistribution:
    return shuffled_distribution(randomizer, (special, *others))


def _loss_types(randomizer: LocalRandomizer[int, Any], x: int, z: int, cover: Callable[[Any], Fraction]) -> tuple[LossType, ...]:
    first, second = (dict(randomizer.distribution(each).items()) for each in (x, z))
    return loss_types(first, second, {y: cover(y) for y in randomizer.messages})


def _by_ratio(pair: tuple[AnyDistribution, AnyDistribution]) -> dict[Fraction, tuple[Fraction, Fraction]]:
    """Both masses of every share P/(P + Q): two pairs have all divergences in common where these agree."""
    found: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for y in {*pair[0].support, *pair[1].support}:
        p, q = pair[0][y], pair[1][y]
        before = found.get(p / (p + q), (Fraction(0), Fraction(0)))
        found[p / (p + q)] = (before[0] + p, before[1] + q)
    return found


def _is_identity(case: tuple[LocalRandomizer[int, Any], int], *, more: int, scale: Fraction) -> bool:
    """Return whether the pair and the reports of (x_0, x_2, ..., x_2), (x_1, x_2, ..., x_2) have the same divergences, for all x_2."""
    randomizer, n = case

    def scaled(law: AnyDistribution) -> Callable[[Any], Fraction]:
        return lambda y: scale * law[y]

    for other in randomizer.domain:
        pair = dominating_pair(n=n + more, loss_types=_loss_types(randomizer, 0, 1, scaled(randomizer.distribution(other))))
        if _by_ratio(pair) != _by_ratio((_truth(randomizer, 0, (other,) * (n - 1)), _truth(randomizer, 1, (other,) * (n - 1)))):
            return False
    return True


@derived(
    "BEYOND.any-law-identity",
    says="where all others hold x_2, D_E of the shuffled reports of (x_0, x_2, ...) and (x_1, x_2, ...) is E[(L_1 + ... + L_n)_+]/n, "
    "L = u - E v, u = R_0/R_(x_2), v = R_1/R_(x_2), and what R_0 and R_1 send where R_(x_2) is 0 has infinite privacy loss",
    range="all distributions, n, E >= 0",
    governs=["spec.bounds.blanket.one_sum"],
    grounds=["optimal-pair#from-below-homogeneous-datasets", "BEYOND.LemL1", EXACT],
    mutants={"n + 1 draws": {"more": 1}, "99/100 of the distribution of the others": {"scale": Fraction(99, 100)}},
    missing="the reduction to one sum for all n and distributions",
)
def identity(budget: Budget, *, more: int = 0, scale: Fraction = Fraction(1)) -> Verdict:
    listed = [(randomizer, n) for _, randomizer, n in _exhausted(budget) if n < 4]
    named = exhaustive.for_all(listed, holds=lambda case: _is_identity(case, more=more, scale=scale))
    found = sampled.for_all(
        _any_distributions(), holds=lambda case: _is_identity(case, more=more, scale=scale), budget=budget, quick=30, full=300
    )
    if not named.holds:
        return named.verdict(domain="named randomizers", witness=lambda case: f"a named randomizer, n = {case[1]}")
    return found.verdict(
        domain=f"random distributions on three messages, n <= 4, zeros among them, every E that can decide; {named.cases} named cases, n "
        f"<= 3",
        witness=lambda case: f"{[case[0].distribution(x) for x in case[0].domain]}, n = {case[1]}",
    )


def _above_margin(randomizer: LocalRandomizer[int, Any], n: int, *, cover: Cover) -> Fraction:
    """Least of pair - truth over all neighbouring datasets, up to the order of the users, both directions and every E that can decide."""
    worst = Fraction(1)
    all_laws = [randomizer.distribution(x) for x in randomizer.domain]
    for x, z in permutations(randomizer.domain, 2):
        if x < z:
            pair = dominating_pair(n=n, loss_types=_loss_types(randomizer, x, z, lambda y: cover(all_laws, y)))
            for others in combinations_with_replacement(randomizer.domain, n - 1):
                worst = min(worst, least_margin(pair, (_truth(randomizer, x, others), _truth(randomizer, z, others))))
    return worst


def _exhausted(budget: Budget) -> Iterator[tuple[str, LocalRandomizer[int, Any], int]]:
    for name, own in NAMED[:: 3 if budget.depth == "quick" else 1]:
        randomizer = _randomizer(name, own)
        messages = len(randomizer.messages)
        largest = 4 if messages <= budget.pick(quick=2, full=8) else 3 if messages <= budget.pick(quick=4, full=16) else 2
        for n in range(1, largest + 1):
            yield f"{name}, {own}", randomizer, n
    for name, law in list(DISTRIBUTIONS.items())[:: 3 if budget.depth == "quick" else 1]:
        for n in range(1, 1 + budget.pick(quick=3, full=4)):
            yield name, law(), n


@derived(
    "BEYOND.any-law-above",
    says="with m the least distribution of all inputs, D_E <= E[(L_1 + ... + L_n)_+]/n and the mass with infinite privacy loss where m is "
    "0, for all neighbouring datasets, both directions and all E; it is at most the optimal pair of the randomizer's p, beta and q",
    range="all randomizers, n, E >= 0",
    governs=[
        "spec.bounds.blanket.any_distribution",
        "impl.ball.bounds.blanket.any_distribution",
        "impl.ball.bounds.blanket.randomizer_distributions",
        "impl.fast.bounds.blanket.any_distribution",
        "impl.fast.bounds.blanket.randomizer_distributions",
    ],
    grounds=["BEYOND.LemL1", "blanket-divergence#from-above", EXACT],
    mutants={
        "the mean of all distributions for the least": {"cover": lambda found, y: sum((law[y] for law in found), Fraction(0)) / len(found)},
        "the larger of the first two distributions for the least": {
            "cover": lambda found, y: min(max(found[0][y], found[1][y]), found[-1][y])
        },
    },
    missing="that a smaller blanket only raises the sum; the reduction to one sum for all n and distributions",
)
def above(budget: Budget, *, cover: Cover = _least) -> Verdict:
    found = sampled.least_slack(
        _any_distributions(), slack=lambda case: _above_margin(*case, cover=cover), budget=budget, quick=3, full=200
    )
    for decided, (told, randomizer, n) in enumerate(_exhausted(budget), 1):
        if _above_margin(randomizer, n, cover=cover) < 0:
            return Verdict.refuted(f"{told}, n = {n}, e^eps0 = {_T}", domain="named randomizers", cases=decided)
    return found.verdict(
        claims=Status.ARGUED,
        domain=f"all distributions, by the argument; exhausted over all datasets: {decided} named cases, noise on levels among them, n <= "
        f"4, e^eps0 = {_T}; random distributions, n <= 4",
        witness=lambda case: f"{[case[0].distribution(x) for x in case[0].domain]}, n = {case[1]}",
    )


@derived(
    "BEYOND.any-law-below",
    says="the datasets that the method names attain its number: the shuffled reports of (x_0, x_2, ..., x_2) and (x_1, x_2, ..., x_2) have "
    "that hockey-stick divergence, and the certified and the float64 blanket and datasets enclose the exact ones",
    range="the named finite randomizers",
    governs=[
        "spec.bounds.blanket.any_distribution",
        "impl.ball.bounds.blanket.any_distribution",
        "impl.fast.bounds.blanket.any_distribution",
    ],
    grounds=["optimal-pair#from-below-homogeneous-datasets", "BEYOND.any-law-identity", EXACT, BALLS],
    mutants={"one user more": {"more": 1}, "e^eps raised by a hundredth": {"order": Fraction(101, 100)}},
    missing="users and distributions beyond the enumerated ones, and the engines there",
)
def below(budget: Budget, *, more: int = 0, order: Fraction = Fraction(1)) -> Verdict:
    decided, domain = 0, f"named randomizers, e^eps0 = {_T}, n = 2, 3, e^eps = 1, 3/2"
    for name, own in NAMED[:: 2 if budget.depth == "quick" else 1]:
        for n, E in product(range(2, 1 + budget.pick(quick=2, full=3)), (Fraction(1), Fraction(3, 2))):
            decided += 1
            randomizer = _randomizer(name, own)
            reached = max(
                PrivacyProfile(*(_truth(randomizer, special, (held,) * (n - 1)) for special in (x, z))).delta(exp_epsilon=E * order)
                for (x, z, held), _ in any_distribution.on_homogeneous(named(name, **own), _T)
            )
            asked: dict[str, Any] = {"randomizer": named(name, **own), "epsilon0": f"ln {_T}", "epsilon": f"ln {E}", "n": n + more}
            of_blanket = max(profile(n=n, loss_types=each).delta(exp_epsilon=E * order) for each in blanket_loss_types(randomizer))
            boxes = [
                (certified.delta(**asked, view="below", digits=3), reached),
                (certified.delta(**asked, view="above", digits=3), of_blanket),
            ]
            if any_distribution.delta(**asked, view="below").upper != reached or any(
                not box.lower <= truth <= box.upper for box, truth in boxes
            ):
                return Verdict.refuted(f"{name}, {own}, n = {n}, e^eps = {E}", domain=domain, cases=decided)
    return Verdict.exhausted(domain=domain, cases=decided, slack="0: equality")


Atoms = list[tuple[Fraction, Fraction]]
"""Masses, and losses."""


@st.composite
def _sums(draw: st.DrawFn) -> tuple[Atoms, int, int]:
    """A distribution of losses with small or very unlike masses, a number of users, and a length of the grid."""
    weights = draw(st.lists(st.sampled_from([1, 2, 7, 10**4, 10**9]), min_size=1, max_size=4))
    total = sum(weights) * draw(st.sampled_from([1, 1, 3, 10**6]))
    losses = [draw(st.fractions(min_value=-20, max_value=6, max_denominator=50)) for _ in weights]
    return (
        [(Fraction(w, total), x) for w, x in zip(weights, losses, strict=True)],
        draw(st.integers(1, 6)),
        draw(st.sampled_from([32, 500])),
    )


def _expected(atoms: Atoms, n: int) -> Fraction:
    """E[(L_1 + ... + L_n)_+]/n."""
    law = merged([(Fraction(0), 1 - sum((mass for mass, _ in atoms), Fraction(0))), *((loss, mass) for mass, loss in atoms)])
    return positive_part(sum_of([law] * n)) / n


def _encloses(case: tuple[Atoms, int, int], *, moved: Fraction, heavier: Fraction) -> bool:
    """Return whether both engines' sides hold; moved: added to every loss, heavier: a factor of every mass, in the engines' input only."""
    atoms, n, length = case
    truth = _expected(atoms, n)
    given = [(mass * heavier, loss + moved) for mass, loss in atoms]
    with precision(200):
        balls = [(ball(mass), ball(loss), ball(loss)) for mass, loss in given]
        found = in_balls.enclose(balls, n=n, length=length, bits=120, cut=-40.0)
    mass, loss = (np.array([float(each[i]) for each in given]) for i in (0, 1))
    doubt = 4 * U * (np.abs(loss) + 1e-300)
    lower, upper = in_floats.sides(in_floats.Losses(mass, loss + doubt, loss - doubt, 4 * U), n=n, length=length)
    return found.lower <= truth <= found.upper and Fraction(lower) <= truth <= Fraction(upper)


@derived(
    "BEYOND.any-law-grids",
    says="spreading x to k h and (k + 1) h with its mean kept raises E(s + x)_+ for every s; E[S phi] <= E[S_+] for every test phi, 0 <= "
    "phi <= 1; and x_+ <= e^(theta x - 1)/theta: so the sides on grids, tilted, cut and rounded, enclose E[(L_1 + ... + L_n)_+]/n",
    range="all distributions of L, n, theta > 0",
    governs=[
        "impl.ball.bounds.blanket.one_sum",
        "impl.ball.bounds.blanket.one_sum_profile",
        "impl.fast.bounds.blanket.one_sum",
        "impl.fast.bounds.blanket.one_sum_profile",
        "impl.fast.numeric.convolution",
    ],
    grounds=["sums-of-losses#on-a-grid", SYMPY, EXACT, BALLS],
    mutants={
        "every loss raised by 1/100": {"moved": Fraction(1, 100)},
        "every loss lowered by 1/100": {"moved": Fraction(-1, 100)},
        "every mass times 99/100": {"heavier": Fraction(99, 100)},
        "two thirds of x's share to the far point": {"far": Fraction(2, 3)},
    },
    missing="the steps from cells to sums for all distributions and grids; the pieces are symbolic or decided on drawn distributions",
)
def grids(budget: Budget, *, moved: Fraction = Fraction(0), heavier: Fraction = Fraction(1), far: Fraction = Fraction(1)) -> Verdict:
    f, h, theta = sympy.symbols("f h theta", positive=True)
    # at a kink where x itself is, s + x = 0, the spread is worth f (h - f h) = f (1 - f) h > 0, and its mean is f h
    kept = symbolic.are_identical(far * f * h + (1 - f) * 0, f * h)
    # e^(theta x - 1)/theta - x is convex in x, with its least value 0 at x = 1/theta
    x = sympy.symbols("x", real=True)
    gap = sympy.exp(theta * x - 1) / theta - x
    touches = symbolic.are_identical(sympy.simplify(gap.subs(x, 1 / theta)), 0) and symbolic.are_identical(
        sympy.simplify(sympy.diff(gap, x).subs(x, 1 / theta)), 0
    )
    if not (kept and touches):
        return Verdict.refuted("x = f h does not keep its mean", domain="one step", cases=1)
    return sampled.for_all(
        _sums(), holds=lambda case: _encloses(case, moved=moved, heavier=heavier), budget=budget, quick=30, full=600
    ).verdict(
        claims=Status.ARGUED,
        domain="all distributions by the argument; random distributions of up to four losses, n <= 6, both engines around the exact value",
        witness=lambda case: f"(mass, loss) = {[(str(m), str(x)) for m, x in case[0]]}, n = {case[1]}, length {case[2]}",
    )


@st.composite
def _many_reports(draw: st.DrawFn) -> tuple[Atoms, int]:
    """Two losses of either sign, on lattices too, and reports so many that they are summed along a line."""
    weights = draw(st.lists(st.sampled_from([1, 2, 7, 40, 10**4]), min_size=2, max_size=2))
    total = sum(weights) * draw(st.sampled_from([1, 1, 3, 100]))
    losses = (
        draw(st.fractions(min_value=Fraction(1, 9), max_value=5, max_denominator=9)),
        draw(st.fractions(min_value=-9, max_value=Fraction(-1, 9), max_denominator=9)),
    )
    return [(Fraction(w, total), x) for w, x in zip(weights, losses, strict=True)], draw(st.integers(32, 70))


def _expected_of_two(atoms: Atoms, n: int) -> Fraction:
    """E[(L_1 + ... + L_n)_+]/n for two losses beside 0, by counts."""
    scale = math.lcm(*(each.denominator for atom in atoms for each in atom))
    (p, x), (q, y) = ((int(mass * scale), int(loss * scale)) for mass, loss in atoms)
    rest, total = scale - p - q, 0
    for i in range(n + 1):
        of_i = math.comb(n, i) * p**i
        total += sum(of_i * math.comb(n - i, j) * q**j * rest ** (n - i - j) * max(0, i * x + j * y) for j in range(n - i + 1))
    return Fraction(total, n * scale ** (n + 1))


def _encloses_along_a_line(case: tuple[Atoms, int], *, moved: Fraction, heavier: Fraction) -> bool:
    """Return whether the sides hold and are near, where there are any."""
    atoms, n = case
    mass, loss = (np.array([float(each) for each in column]) for column in zip(*((p * heavier, x + moved) for p, x in atoms), strict=True))
    doubt = 4 * U * np.abs(loss)
    found = along_a_line.sides(mass, loss + doubt, loss - doubt, error=4 * U, n=n)
    return found is None or Fraction(found[0]) <= _expected_of_two(atoms, n) <= Fraction(found[1])


@derived(
    "BEYOND.any-law-line",
    says="for Z normal, s > 0, f_s the density of sZ: x Phi(x/s) = E(x + sZ)_+ - s^2 f_s(x) <= x_+ <= E(x + sZ)_+; and by Poisson's "
    "formula sums along a line are upper sides of both terms, (1/P) sum over j of M(z_j)^n e^(s^2 z_j^2/2)/z_j^2 being the sum over k of "
    "e^(theta k P) E(S + sZ - k P)_+, z_j = theta + 2 pi i j/P: so the sides, cut and rounded, enclose E[(L_1 + ... + L_n)_+]/n",
    range="all distributions of L with M finite, n, theta > 0, s > 0, P > 0",
    governs=["impl.fast.bounds.blanket.one_sum_contour"],
    grounds=["sums-of-losses#along-a-line", SYMPY, EXACT],
    mutants={
        "every loss raised by 1/1000": {"moved": Fraction(1, 1000)},
        "every loss lowered by 1/1000": {"moved": Fraction(-1, 1000)},
        "every mass times 99/100": {"heavier": Fraction(99, 100)},
        "half of s^2 f": {"of_density": Fraction(1, 2)},
    },
    missing="Poisson's formula and what is left out of it, for all distributions; the sides are decided on drawn distributions of two "
    "losses and 0",
)
def line(budget: Budget, *, moved: Fraction = Fraction(0), heavier: Fraction = Fraction(1), of_density: Fraction = Fraction(1)) -> Verdict:
    s = sympy.Symbol("s", positive=True)
    x, y = sympy.symbols("x y", real=True)
    density = sympy.exp(-(y**2) / (2 * s**2)) / (s * sympy.sqrt(2 * sympy.pi))
    # E(x + sZ)_+ is the integral of (x + y) over the density of sZ, y >= -x; that of y alone is s^2 f(x)
    first = sympy.integrate(y * density, (y, -x, sympy.oo))
    if not symbolic.are_identical(sympy.simplify(first / density.subs(y, x)), of_density * s**2):
        return Verdict.refuted(f"the mean of y there is {first}", domain="the smoothed positive part", cases=1)
    found = sampled.for_all(
        _many_reports(), holds=lambda case: _encloses_along_a_line(case, moved=moved, heavier=heavier), budget=budget, quick=25, full=400
    )
    return found.verdict(
        claims=Status.ARGUED,
        domain="all distributions by the argument; random distributions of two losses and 0, 32 <= n <= 70, around the exact value",
        witness=lambda case: f"(mass, loss) = {[(str(m), str(x)) for m, x in case[0]]}, n = {case[1]}",
    )


def _of_laplace(r: Fraction, parts: int, x: int) -> tuple[list[Fraction], list[Fraction]]:
    """Cells of [0, 1], and outside of it: masses under the input x/parts, and under m. r: e^(eps0/parts)."""

    def below(j: int, at: int) -> Fraction:
        return r ** (j - at) / 2 if j <= at else 1 - r ** (at - j) / 2

    def masses(at: int) -> list[Fraction]:
        inner = [below(j + 1, at) - below(j, at) for j in range(parts)]
        return [below(0, at), *inner, 1 - below(parts, at)]

    ends = masses(0), masses(parts)
    return masses(x), [min(one, other) for one, other in zip(*ends, strict=True)]


def _laplace_value(r: Fraction, parts: int, pair: tuple[int, int], E: Fraction, t: Fraction) -> Fraction:
    """Sum over the cells of (R_0 - E R_1 - t m)_+: below the integral, by merging."""
    (first, m), (second, _) = (_of_laplace(r, parts, x) for x in pair)
    return sum((max(Fraction(0), a - E * b - t * c) for a, b, c in zip(first, second, m, strict=True)), Fraction(0))


def _laplace_top(r: Fraction, parts: int, E: Fraction, t: Fraction) -> Fraction:
    """For the inputs 0 and 1, above the integral: each cell's mass of u (or v, in the other half) spread to its ends."""
    (first, m), (second, _) = (_of_laplace(r, parts, x) for x in (0, parts))
    total = Fraction(0)
    for j, (a, b, c) in enumerate(zip(first, second, m, strict=True)):
        if j in (0, parts + 1):
            total += max(Fraction(0), a - E * b - t * c)
            continue
        left, right = (r ** (parts - 2 * (j - 1)), r ** (parts - 2 * j))  # R_0/R_1 at the ends of the cell
        u = [max(each, Fraction(1)) for each in (left, right)]
        v = [max(1 / each, Fraction(1)) for each in (left, right)]
        mean, at = (a, u) if 2 * j <= parts else (b, v)
        share = (mean / c - at[1]) / (at[0] - at[1])
        total += sum(c * w * max(Fraction(0), u[i] - E * v[i] - t) for i, w in ((0, share), (1, 1 - share)))
    return total


@derived(
    "BEYOND.any-law-worst-pair",
    says="against the blanket of Laplace noise on [0, 1] the inputs 0 and 1 are the worst: their L is above that of any other two in the "
    "convex order, for every E; for the named finite randomizers the pair that closed forms take is, Hadamard response's in two blocks",
    range="eps0 >= 0, all inputs, E >= 1",
    governs=["impl.ball.bounds.blanket.randomizer_distributions", "impl.fast.bounds.blanket.randomizer_distributions"],
    grounds=["noise-on-an-interval#the-worst-pair-of-laplace-noise-by-reflection", EXACT],
    mutants={"the inputs 1/8 and 1 are the worst": {"worst": 1}, "of Hadamard response the pairs of one block only": {"apart": False}},
    missing="the reflections of the argument; cells of the distributions are compared exactly",
)
def worst_pair(budget: Budget, *, worst: int = 0, apart: bool = True) -> Verdict:
    parts, cases = 8, 0
    codes = _randomizer("hadamard", {"k": 4, "blocks": 2})
    pairs = [(0, 1), (0, 2)]  # of two blocks, and of one
    taken = pairs[0] if apart else pairs[1]
    all_laws = [codes.distribution(x) for x in codes.domain]
    for n in (1, 2, 3):
        one, *others = (
            dominating_pair(n=n, loss_types=_loss_types(codes, *pair, lambda y: _least(all_laws, y))) for pair in (taken, *pairs)
        )
        cases += 1
        if any(least_margin(one, other) < 0 for other in others):
            return Verdict.refuted(f"k = 4, two blocks, n = {n}", domain="Hadamard response", cases=cases)
    for root, E in product((Fraction(9, 8), Fraction(3, 2)), (Fraction(1), Fraction(3, 2))):
        for t in (Fraction(k, 4) for k in range(-12, 13, budget.pick(quick=4, full=1))):
            top = max(_laplace_top(root, parts, E, t), Fraction(0)) if not worst else _laplace_value(root, parts, (worst, parts), E, t)
            for pair in permutations(range(parts + 1), 2):
                cases += 1
                if _laplace_value(root, parts, pair, E, t) > top:
                    witness = f"inputs {pair[0]}/8 and {pair[1]}/8, e^(eps0/8) = {root}, E = {E}, t = {t}"
                    return Verdict.refuted(witness, domain="Laplace noise on eighths", cases=cases)
    domain = "all eps0, inputs and E, by the argument; Laplace noise on eighths, merged, against cells spread to their ends"
    return Verdict.argued(domain=domain, cases=cases)
