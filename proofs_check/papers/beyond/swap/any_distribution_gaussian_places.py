"""The random-swap bound of Gaussian noise: three inputs on a line, and losses that reach far beyond their deviation."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any

import numpy as np
from hypothesis import strategies as st

from shuffleproof.impl.ball.numeric.arithmetic import ball, surely_less
from shuffleproof.impl.fast.bounds.blanket import gaussian_reports, one_large_loss
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import Atoms, as_losses
from shuffleproof.impl.fast.bounds.swap import gaussian_places, users_in_blocks
from shuffleproof.impl.fast.bounds.swap.gaussian_cells import GaussianLosses
from shuffleproof.impl.fast.bounds.swap.input_triples import POINTS
from shuffleproof.impl.fast.bounds.swap.unlike_sums import Tilt
from shuffleproof.proofs_check.ledger import EXACT, Budget, Status, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import sampled
from shuffleproof.proofs_check.ledger.methods.masses import positive_part, sum_of
from shuffleproof.proofs_check.papers.beyond.swap.any_distribution_places_of_laplace_noise import in_64ths, worth

Curve = Callable[..., tuple[str, Fraction]]
_TRIPLES = ((0, 64, 3), (3, 64, 0), (64, 5, 0), (10, 40, 50), (60, 20, 64), (30, 10, 20), (1, 63, 0), (0, 1, 64), (64, 0, 64), (64, 0, 31))
"""Inputs in 64ths: ends, middles, and neighbours, in several orders."""
_BEYOND = 7  # standard deviations beyond the ends: 1e-12 of the mass
_STEPS = 1 << 12  # cells of the line


class _Plain(GaussianLosses):
    """Mutant: the ends of a cell as they are."""

    def beside_mixture(self, low: int, high: int) -> Any:
        far, _, less = super().beside_mixture(low, high)
        return far, 1.0, less * 0 + 1


class _Larger(GaussianLosses):
    """Mutant: the larger of two distributions for the least."""

    def least(self, low: int, high: int) -> Any:
        (one, at_one), (other, at_other) = self.distribution(low), self.distribution(high)
        return np.maximum(one, other), np.maximum(at_one, at_other)


class _Kept(GaussianLosses):
    """Mutant: nothing is revealed."""

    def given_away(self, exp_epsilon: float) -> float:
        return super().given_away(exp_epsilon) * 0


def _masses(rate: float, x: Fraction) -> Any:
    """R_x, in units of sigma, of cells from far below 0 to far above 1, x in [0, 1]; tails from the nearer side."""
    y = np.linspace(-_BEYOND, rate + _BEYOND, _STEPS + 1) - rate * float(x)
    up = np.array([math.erfc(each / math.sqrt(2)) / 2 for each in np.abs(y)])
    inner = np.where(y[1:] <= 0, up[1:] - up[:-1], np.where(y[:-1] >= 0, up[:-1] - up[1:], 1 - up[:-1] - up[1:]))
    return np.concatenate([up[:1], inner, up[-1:]])


def _at_most(known: GaussianLosses, name: str, s: Fraction, E: float, t: float) -> float:
    """Return what the loss types say of the point s of a curve: the least of its cells, of which both ends may be mixed, and of all."""
    found, at = [max(worth(law, t) for group in known.atoms(E, 1.0) for law in group)], s * POINTS
    for cell in (cell for cell in known.cells if cell.curve == name and cell.low <= at <= cell.high):
        low, *high = (worth(law, t) for law in known.distributions_of(cell, E))
        share = float((at - cell.low) / (cell.high - cell.low)) if high else 0.0
        found.append((1 - share) * low + share * sum(high))
    return min(found)


def _near_and_far_fail(*, factor: Fraction, moved: bool, scaled: bool) -> str:
    """A case of two near reports and a far one where E(L - t)_+ is above what is said of M; or nothing.

    Of M/R_0, R_s - M at most gamma = 1/10 of M and nothing in all, and E R_1/R_0, on reports of R_0's masses. moved, scaled: whether eta
    and 1/(1 - q) are there.
    """
    gamma, thresholds = Fraction(1, 10), [*(Fraction(k, 4) for k in range(-24, 13)), Fraction(-1, 2500), Fraction(1, 2500)]
    for rare, q, first, second in product((Fraction(1, 1000), Fraction(1, 4)), (Fraction(1, 10), Fraction(1, 2)), (-1, 0, 1), (-1, 0, 1)):
        near, M = (rare, 1 - rare), (Fraction(1), rare / (1 - rare), Fraction(3))
        apart = (first * gamma * M[0], second * gamma * M[1])
        surplus = near[0] * apart[0] + near[1] * apart[1]
        eta = abs(surplus) / (near[0] * M[0] + near[1] * M[1]) if moved else Fraction(0)
        for lost, t in product((*(tuple(map(Fraction, each)) for each in ((0, 0, 6), (1, 0, 2))), (*M[:2], Fraction(6))), thresholds):
            own, said = max(M[2] - surplus - lost[2] - t, Fraction(0)), max((1 + gamma) * M[2] - lost[2] - t, Fraction(0))
            for mass, at, more, less in zip(near, M, apart, lost, strict=False):
                own += mass * max(at + more - less - t, Fraction(0))
                V, spread = ((1 + eta) * at - less) / (1 - q if scaled else 1), factor * (gamma + eta) * at / q
                said += mass * ((1 - q) * max(V - t, Fraction(0)) + q / 2 * (max(spread - t, Fraction(0)) + max(-spread - t, Fraction(0))))
            if own > said:
                return f"R_0 = ({rare}, {1 - rare}, 1), q = {q}, R_s - M = ({first}, {second}) gamma M, E R_1/R_0 = {lost}, t = {t}"
    return ""


def _triple_fails(known: GaussianLosses, triple: tuple[int, int, int], E: float, curve: Curve) -> str:
    """A threshold at which the distribution of L for inputs in 64ths is above what the loss types say of its point; or nothing.

    Its own E(L - t)_+ is summed over merged cells, which is a lower side.
    """
    first, second, other = (_masses(known.rate, Fraction(x, 64)) for x in triple)
    name, s = curve(*triple)
    losses = (first - E * second) / other
    for t in (*np.linspace(float(losses.min()), 0.0, 7), *np.linspace(0.02, 0.6, 6) * max(1.0, float(losses.max()))):
        own = float((other * np.maximum(losses - t, 0.0)).sum())
        if own > _at_most(known, name, s, E, float(t)) + known.given_away(E) + 1e-12 * (1 + abs(t)):
            return f"threshold {t:.4f}"
    return ""


def _near_the_mixture(h: Fraction, t: Fraction, x: Fraction, below: Fraction, above: Fraction) -> bool:
    """Return whether e^(-below x^2) M <= R_s <= e^(above h^2) M, if not surely violated: a = 0, b = h, sigma = 1, x = h (y - h/2)."""
    y = x / h + h / 2
    at_a, at_b, at_s = (ball(-((y - place) ** 2) / 2).exp() for place in (Fraction(0), h, t * h))
    mixture = ball(1 - t) * at_a + ball(t) * at_b
    return not (surely_less(at_s, ball(-below * x * x).exp() * mixture) or surely_less(ball(above * h * h).exp() * mixture, at_s))


@derived(
    "BEYOND.any-law-gaussian-triples",
    says="of Gaussian noise on [0, 1] three inputs are no worse than those stretched to reach from 0 to 1: for all of them, E >= 1 and t, "
    "E(L - t)_+ is at most what the float64 engine's loss types say of a cell, or of the mixture of its ends, and what is revealed; for "
    "s = (1 - t) a + t b, h = b - a, M = (1 - t) R_a + t R_b and x = (h/sigma^2) (y - (a + b)/2), e^(-x^2/8) M <= R_s <= e^(h^2/(8 "
    "sigma^2)) M; of R_s within gamma M of M, spread by 2 (gamma + eta) M on near reports that lack eta M, the same is at most the mixture",
    range="inputs in [0, 1], sigma from 1/10 to 10^6, E >= 1 and t",
    governs=[
        "impl.fast.bounds.swap.gaussian_places",
        "impl.fast.bounds.swap.gaussian_cells",
        "impl.fast.bounds.swap.gaussian_inputs",
        "impl.fast.bounds.swap.input_triples",
        "impl.fast.bounds.swap.means_beyond",
    ],
    grounds=[
        "noise-on-an-interval#three-inputs-of-gaussian-noise",
        "BEYOND.any-law-place",
        "BEYOND.any-law-alike-blocks",
        "BEYOND.any-law-rare-losses",
        EXACT,
    ],
    mutants={
        "stretched the other way round": {"mirrored": True},
        "the ends of cells as they are": {"engine": _Plain},
        "near reports lack nothing": {"moved": False},
        "losses of near reports are not scaled": {"scaled": False},
        "the larger of two distributions for the least": {"engine": _Larger},
        "nothing is revealed": {"engine": _Kept},
        "a standard deviation a tenth larger": {"wider": Fraction(11, 10)},
        "e^(-x^2/9) M <= R_s": {"below": Fraction(1, 9)},
        "R_s <= e^(h^2/(9 sigma^2)) M": {"above": Fraction(1, 9)},
        "near reports are spread by 199/100 (gamma + eta) M": {"factor": Fraction(199, 100)},
    },
    missing="inputs, orders, thresholds and sigma other than those compared",
)
def gaussian_triples(
    budget: Budget,
    *,
    mirrored: bool = False,
    engine: Callable[[Fraction, Fraction, float], GaussianLosses] = GaussianLosses,
    wider: Fraction = Fraction(1),
    below: Fraction = Fraction(1, 8),
    above: Fraction = Fraction(1, 8),
    factor: Fraction = Fraction(2),
    moved: bool = True,
    scaled: bool = True,
) -> Verdict:
    """below, above: 1/8 in both bounds on R_s by the mixture of R_a and R_b. factor, moved, scaled: of near reports' spread."""
    if witness := _near_and_far_fail(factor=factor, moved=moved, scaled=scaled):
        return Verdict.refuted(witness, domain="three reports", cases=1)
    points = list(product(map(Fraction, ("1/100", "1", "3")), map(Fraction, ("1/4", "1/2", "9/10")), map(Fraction, ("-2", "1/4", "1/2"))))
    for h, t, x in points:
        if not _near_the_mixture(h, t, x, below, above):
            return Verdict.refuted(f"a = 0, b = {h}, sigma = 1, t = {t}, x = {x}", domain="the mixture of two densities", cases=1)

    def curve(*triple: int) -> tuple[str, Fraction]:
        name, s = in_64ths(*triple)
        return name, 1 - s if mirrored else s

    decided = len(points)
    chosen = _TRIPLES if budget.depth == "quick" else tuple(permutations(range(0, 65, 9), 3))
    for sigma, epsilon in (
        ((Fraction(1), 1e-3), (Fraction(1, 2), 1.0))
        if budget.depth == "quick"
        else product((Fraction(1, 3), Fraction(1), Fraction(5)), (1e-3, 0.1, 10.0))
    ):
        known = engine(sigma, Fraction(4), epsilon)
        for triple, E in product(chosen, (1.0, 1.7)):
            decided += 1
            if told := _triple_fails(known, triple, E, curve):
                witness = f"sigma = {sigma}, E = {E}, inputs {triple} in 64ths: {told}"
                return Verdict.refuted(witness, domain="triples of inputs", cases=decided)
    for sigma in (Fraction(2),) if budget.depth == "quick" else (Fraction(1, 2), Fraction(1), Fraction(2)):
        decided += 1
        asked: dict[str, Any] = {"n": 10**4, "delta": "1e-6"}
        if gaussian_places.epsilon(sigma=sigma * wider, **asked).upper < gaussian_reports.epsilon_below(sigma=sigma, **asked).lower:
            return Verdict.refuted(f"sigma = {sigma}", domain="one pair of datasets", cases=decided)
    domain = f"all inputs by the argument; {decided} triples and orders, at 13 thresholds each, and one pair of datasets"
    return Verdict.argued(domain=domain, cases=decided)


Masses = dict[Fraction, Fraction]


def in_floats(law: Masses) -> Atoms:
    """Return a distribution of a loss as the float64 engine takes it."""
    return np.array([float(m) for m in law.values()]), np.array([float(x) for x in law]), 2.0**-50


@st.composite
def _few_rare(draw: st.DrawFn) -> list[Masses]:
    """Two distributions of a loss on small integers, of different means, each with one large loss of probability 1/20 or less."""
    found = []
    for _ in range(2):
        rare, p = Fraction(draw(st.sampled_from([-40, 25, 60]))), Fraction(draw(st.integers(0, 3)), 60)
        low, high, share = -draw(st.integers(1, 3)), draw(st.integers(0, 3)), Fraction(draw(st.integers(1, 3)), 4)
        found.append({Fraction(low): (1 - p) * share, Fraction(high): (1 - p) * (1 - share), rare: p})
    return found


def _not_raised(atoms: Atoms, end: float) -> tuple[Atoms, Atoms]:
    """Mutant: large losses where they are, whatever the mean of the others."""
    mass, at, error = atoms
    return users_in_blocks.divided(atoms, end)[0], (mass[np.abs(at) > end], at[np.abs(at) > end], error)


def _rare_hold(several: list[Masses], divide: Callable[..., Any], compound: Callable[..., Any]) -> bool:
    """Return whether the sum with rare losses aside is above the exact one, whatever the users' loss types, for several tilts."""
    end = 8.0
    atoms = [in_floats(law) for law in several]
    for theta, users in product((0.01, 0.06), (1, 4)):
        tilt = Tilt(theta, 1 << 12)
        parts = [divide(each, end) for each in atoms]
        small = tilt.above([tilt.of(mass, at, level=-2, error=error) for (mass, at, error), _ in parts])
        rare = [tilt.of(mass, at, level=-2, error=error, all_of_it=False) for _, (mass, at, error) in parts if float(mass.sum())]
        total = tilt.power(small, users)
        if rare:
            total = tilt.product(total, compound(tilt, tilt.above(rare), users))
        said = Fraction(tilt.positive(total))
        for held in combinations_with_replacement(several, users):
            if positive_part(sum_of(held)) > said:
                return False
    return True


@derived(
    "BEYOND.any-law-rare-losses",
    says="let a_k and b_k be the parts of the distribution of L_k up to c' and beyond, X_k of the distribution of a_k and 0 else, mu_k "
    "its mean, and b above all b_k, moved by -mu_k where that is positive, in the order of increasing convex functions. Then E(sum of "
    "L_k)_+ is at most that of the sum of X_k and of the measure sum over j of S^j/j! times the j-th power of b",
    range="all independent losses, every c'",
    governs=["impl.fast.bounds.swap.users_in_blocks", "impl.fast.bounds.swap.unlike_sums"],
    grounds=["noise-on-an-interval#rare-large-losses", EXACT],
    mutants={
        "large losses are not raised by the others' mean": {"divide": _not_raised},
        "one user's large losses for all": {"compound": lambda tilt, large, users: tilt.compound(large, 1) if users else large},
    },
    missing="more users and loss types than are enumerated",
)
def rare_losses(
    budget: Budget,
    *,
    divide: Callable[..., Any] = lambda atoms, end: users_in_blocks.divided(atoms, end),
    compound: Callable[..., Any] = lambda tilt, large, users: tilt.compound(large, users),
) -> Verdict:
    return sampled.for_all(
        _few_rare(), holds=lambda several: _rare_hold(several, divide, compound), budget=budget, quick=15, full=150
    ).verdict(
        claims=Status.ARGUED,
        domain="all distributions by the argument; two random loss types in all numbers of each, for up to four users",
        witness=lambda several: f"loss types {several}",
    )


@st.composite
def _one_large(draw: st.DrawFn) -> tuple[Masses, int]:
    """A distribution of a loss on small integers with a mean below 0 and a large loss of probability 1/60 or less; and so many users."""
    p, small = Fraction(draw(st.integers(1, 10)), 600), draw(st.integers(-4, -2))
    law = {Fraction(draw(st.integers(20, 90))): p, Fraction(draw(st.integers(0, 2))): (1 - p) / 5, Fraction(small): (1 - p) * 4 / 5}
    return law, draw(st.integers(1, 5))


def _one_large_holds(drawn: tuple[Masses, int], parts: Callable[..., Any], below: Callable[..., float]) -> bool:
    """Return whether both bounds hold, and the upper one is near: its grid holds all integers."""
    law, n = drawn
    losses = as_losses(in_floats(law))
    exact, found = positive_part(sum_of([law] * n)) / n, parts(losses, n=n)
    return found is None or Fraction(below(losses, n=n)) <= exact <= sum(map(Fraction, found)) <= exact * Fraction(21, 20)


def _without(part: int) -> Callable[..., Any]:
    """Mutant: one of the parts adds nothing."""
    return lambda losses, n: [each for i, each in enumerate(one_large_loss.parts(losses, n=n) or (1, 1, 1, 1)) if i != part]


@derived(
    "BEYOND.any-law-one-large-loss",
    says="let b be the part of the distribution of L beyond a cut c > 0, a the rest, p the mass of b. By how many of n users have a large "
    "loss, E(sum L)_+/n is at most the mean over n - 1 draws of a of f(sum a), f(r) the integral of (x + r)_+ over b, and E(sum of n "
    "a)_+/n, and (n - 1)/2 times the mean over n - 2 draws of g(sum a), g(r) the double integral of (x + y + r)_+ over b, and ((n - 1) "
    "p)^2/2 E[b] + ((n - 1) p)^3/6 E[a_+]; and at least (1 - p)^(n - 1) f((n - 1) E[a]/(1 - p))",
    range="all independent losses of one distribution, every c > 0",
    governs=["impl.fast.bounds.blanket.one_large_loss", "impl.fast.bounds.blanket.gaussian_one_report"],
    grounds=["noise-on-an-interval#one-large-loss", EXACT],
    mutants={
        "two large losses never come together": {"parts": _without(2)},
        "three large losses never come together": {"parts": _without(3)},
        "small losses alone are never positive": {"parts": _without(1)},
        "others lose nothing, from below": {"below": lambda losses, n: one_large_loss.lower_side(losses, n=1)},
    },
    missing="more users than are enumerated",
)
def one_large(
    budget: Budget, *, parts: Callable[..., Any] = one_large_loss.parts, below: Callable[..., float] = one_large_loss.lower_side
) -> Verdict:
    return sampled.for_all(
        _one_large(), holds=lambda drawn: _one_large_holds(drawn, parts, below), budget=budget, quick=40, full=300
    ).verdict(
        claims=Status.ARGUED,
        domain="all distributions by the argument; random distributions of up to five users",
        witness=lambda drawn: f"{drawn}",
    )
