"""Distributions without pure local privacy: Gaussian noise on an interval against its blanket, and response that leaks."""

from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, permutations, product
from typing import Any

from flint import arb

from shuffleproof.impl.ball.bounds.blanket import gaussian_reports as certified
from shuffleproof.impl.ball.bounds.lower import leaking_response as leaking_in_balls
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end
from shuffleproof.impl.fast.bounds.blanket import gaussian_reports as in_floats
from shuffleproof.impl.fast.bounds.lower import leaking_response as leaking_in_floats
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Verdict, derived
from shuffleproof.spec.bounds.lower import leaking_response
from shuffleproof.spec.distribution import Distribution, hockey_stick
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution

_PARTS = 8  # of [0, 1]: inputs that are tried beside its ends
_SHORT = 10**15  # masses are multiples of 1 over it; the margin counts what that moves


def _below(y: arb, x: Fraction, sigma: Fraction) -> arb:
    """R_x(-infinity, y)."""
    return ((ball(x) - y) / ball(sigma) / arb(2).sqrt()).erfc() / 2


def _cells(x: Fraction, sigma: Fraction) -> list[arb]:
    """Masses under R_x of cells of sigma/4 from -4 sigma to 1 + 4 sigma, and of both tails."""
    steps = 4 * (8 + int(1 / sigma))
    at = [_below(ball(-4 * sigma + j * (1 + 8 * sigma) / steps), x, sigma) for j in range(steps + 1)]
    return [at[0], *(b - a for a, b in pairwise(at)), 1 - at[-1]]


def _cover(sigma: Fraction) -> list[arb]:
    """Return min(R_0, R_1) on cells of which none holds both sides of 1/2."""
    return [
        min(pair, key=lambda each: float(each.mid())) for pair in zip(_cells(Fraction(0), sigma), _cells(Fraction(1), sigma), strict=True)
    ]


def _of_ends(sigma: Fraction, E: Fraction, t: Fraction, near: Fraction) -> arb:
    """sup_A [R_near(A) - E R_1(A) - t m(A)] over half-lines to the left, at the one where the integrand of near = 0 is 0."""
    half, one, zero = ball(Fraction(1, 2)), Fraction(1), Fraction(0)
    y = half - ball(sigma**2) * ball(t + E).log() if t + E > 1 else half + ball(sigma**2) * ball((1 - t) / E).log()
    middle = _below(half, one, sigma)
    m = _below(y, one, sigma) if t + E > 1 else middle + _below(y, zero, sigma) - _below(half, zero, sigma)
    return _below(y, near, sigma) - ball(E) * _below(y, one, sigma) - ball(t) * m


def _worst_pair(budget: Budget, near: Fraction) -> str:
    """Where merged cells of some pair are surely above the ends, if anywhere."""
    for sigma, E in product((Fraction(1, 2), Fraction(1, 4)), (Fraction(1), Fraction(3, 2))):
        m = _cover(sigma)
        known = [_cells(Fraction(j, _PARTS), sigma) for j in range(0, _PARTS + 1, budget.pick(quick=4, full=1))]
        for t in (Fraction(k, 4) for k in range(-12, 13, budget.pick(quick=6, full=1))):
            top = _of_ends(sigma, E, t, near)
            for first, second in permutations(known, 2):
                found = sum(((a - ball(E) * b - ball(t) * c).max(arb(0)) for a, b, c in zip(first, second, m, strict=True)), arb(0))
                if found > top:
                    return f"sigma = {sigma}, E = {E}, t = {t}"
    return ""


def _rounded(sigma: Fraction) -> LocalRandomizer[int, int]:
    """Reports of 0, 1/2 and 1 in four cells: exact numbers that lie within 10^-14 of the masses."""
    rows: dict[int, Distribution[int]] = {}
    for j in range(3):
        at = [_below(ball(y), Fraction(j, 2), sigma) for y in (-sigma, Fraction(1, 2), 1 + sigma)]
        masses = [Fraction(int(lower_end(b - a) * _SHORT), _SHORT) for a, b in zip([arb(0), *at], [*at, arb(1)], strict=True)]
        rows[j] = Distribution(dict(enumerate([*masses[:-1], 1 - sum(masses[:-1], Fraction(0))])))
    return LocalRandomizer(range(3), rows)


def _worst(randomizer: LocalRandomizer[int, int], n: int, E: Fraction) -> tuple[Fraction, Fraction]:
    """Over all neighbouring datasets; and of 0 and 1, all others holding 0."""
    worst, alike = Fraction(0), Fraction(0)
    for others in combinations_with_replacement(randomizer.domain, n - 1):
        for x, z in permutations(randomizer.domain, 2):
            found = hockey_stick(
                shuffled_distribution(randomizer, (x, *others)), shuffled_distribution(randomizer, (z, *others)), exp_epsilon=E
            )
            worst = max(worst, found)
            if {x, z} == {0, 2} and not any(others):
                alike = max(alike, found)
    return worst, alike


@derived(
    "BEYOND.any-law-gaussian",
    says="of noise with a symmetric log-concave density on [0, 1] the inputs 0 and 1 are the worst against m = min(R_0, R_1), in the "
    "convex order of L, for every E; with what is rarer than -z sigma revealed, D_E <= E[(L_1 + ... + L_n)_+]/n + R_0(y < -z sigma), "
    "for all neighbouring datasets; and merged reports of (0, 0, ..., 0), (1, 0, ..., 0) are a lower side",
    range="symmetric log-concave noise, inputs in [0, 1], n, E >= 1; the engines: Gaussian noise, sigma from 1/10 to 10^6",
    governs=["impl.fast.bounds.blanket.gaussian_reports", "impl.ball.bounds.blanket.gaussian_reports"],
    grounds=["noise-on-an-interval#the-worst-pair-against-the-blanket", "BEYOND.any-law-above", "BEYOND.any-law-identity", EXACT, BALLS],
    mutants={
        "the inputs 1/8 and 1 are the worst": {"near": Fraction(1, 8)},
        "a standard deviation a tenth larger": {"wider": Fraction(11, 10)},
        "three users more": {"more": 3},
    },
    missing="the steps of the argument; cells of the distributions are compared in ball arithmetic, and rounded reports with the engines "
    "for few users",
)
def gaussian(budget: Budget, *, near: Fraction = Fraction(0), wider: Fraction = Fraction(1), more: int = 0) -> Verdict:
    cases = 0
    if witness := _worst_pair(budget, near):
        return Verdict.refuted(witness, domain="pairs on eighths", cases=1)
    for E in (Fraction(2),) if budget.depth == "quick" else (Fraction(1), Fraction(2)):  # one user: the closed form
        cases += 1
        truth = _of_ends(Fraction(1), E, Fraction(0), Fraction(0))
        one = in_floats.delta(n=1 + more, sigma=wider, epsilon=f"ln {E}")
        if not (ball(one.lower) <= truth <= ball(one.upper)):
            return Verdict.refuted(f"E = {E}", domain="one user", cases=cases)
    for sigma, n, E in product(
        (Fraction(1, 2),), range(2, 2 + budget.pick(quick=1, full=3)), (Fraction(3), Fraction(1))[: budget.pick(quick=1, full=2)]
    ):
        cases += 1
        worst, alike = _worst(_rounded(sigma), n, E)
        asked: dict[str, Any] = {"n": n + more, "sigma": sigma * wider, "epsilon": f"ln {E}"}
        above, below = in_floats.delta(**asked), in_floats.delta_below(**asked)
        margin = n * Fraction(10, _SHORT)
        sides = [above, certified.delta(**asked, digits=1)] if budget.depth != "quick" else [above]
        if any(worst > each.upper + margin for each in sides) or alike > below.upper + margin or below.lower > above.upper:
            return Verdict.refuted(f"sigma = {sigma}, n = {n}, E = {E}", domain="rounded reports", cases=cases)
    domain = "all symmetric log-concave noise, by the argument; Gaussian noise on eighths in cells; rounded reports, all datasets of n <= 4"
    return Verdict.argued(domain=domain, cases=cases)


@derived(
    "BEYOND.any-law-leaking",
    says="k-ary response that reveals its input with probability delta0 is (eps0, delta0)-DP, and not for a smaller delta0; the method's "
    "number, the larger one of two items and of three, is the divergence of neighbouring datasets where all others hold the last item, of "
    "three delta0 + E(L_1 + ... + L_n)_+/n, and the engines enclose it",
    range="eps0 >= 0, delta0 in [0, 1], n, E >= 1",
    governs=["spec.bounds.lower.leaking_response", "impl.fast.bounds.lower.leaking_response", "impl.ball.bounds.lower.leaking_response"],
    grounds=["every-randomizer#without-pure-local-privacy-from-below", "BEYOND.any-law-identity", EXACT, BALLS],
    mutants={
        "one user more": {"more": 1},
        "a leak a tenth smaller": {"leaking": Fraction(9, 10)},
        "e^eps raised by a hundredth": {"order": Fraction(101, 100)},
    },
    missing="the reduction to one sum for all n and settings, and the engines there",
)
def leaking(budget: Budget, *, more: int = 0, leaking: Fraction = Fraction(1), order: Fraction = Fraction(1)) -> Verdict:
    cases, domain = 0, "e^eps0 = 3/2, 3, delta0 = 0, 1/10, 2/3, n <= 4, e^eps = 1, 5/4, 3, both engines"
    for T, delta0, n in product((Fraction(3, 2), Fraction(3)), (Fraction(1, 10), Fraction(0), Fraction(2, 3)), range(1, 5)):
        for E in (Fraction(1), Fraction(5, 4), Fraction(3)):
            cases += 1
            reached = Fraction(0)
            for k in (2, 3):
                randomizer = leaking_response.leaking_response(k=k, exp_epsilon0=T, delta0=delta0)
                if any(
                    hockey_stick(randomizer.distribution(x), randomizer.distribution(z), exp_epsilon=T) != delta0
                    for x, z in permutations(range(k), 2)
                ):
                    return Verdict.refuted(f"k = {k}, T = {T}, delta0 = {delta0}", domain=domain, cases=cases)
                for x, z in ((0, 1), (1, 0)):
                    views = [shuffled_distribution(randomizer, (special, *[k - 1] * (n - 1))) for special in (x, z)]
                    reached = max(reached, hockey_stick(*views, exp_epsilon=E))
            asked: dict[str, Any] = {"n": n + more, "epsilon0": f"ln {T}", "delta0": delta0 * leaking, "epsilon": f"ln {E * order}"}
            exact, floats = leaking_response.delta(**asked), leaking_in_floats.delta(**asked)
            boxes = [floats] if budget.depth == "quick" else [floats, leaking_in_balls.delta(**asked, digits=2)]
            if exact.upper != reached or any(not box.lower <= reached <= box.upper for box in boxes):
                return Verdict.refuted(f"T = {T}, delta0 = {delta0}, n = {n}, E = {E}", domain=domain, cases=cases)
            if budget.depth == "quick" and cases >= 12:
                return Verdict.argued(domain=f"all by the argument; {domain}", cases=cases)
    return Verdict.argued(domain=f"all by the argument; {domain}", cases=cases)
