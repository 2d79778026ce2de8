"""The two bins of the histogram: their pair and its best event, how fast their profile falls with their noise, and the least noise.

P, Q are the distributions of (1 + B_1, B_2) and (B_1, 1 + B_2), B_1, B_2 ~ Bin(N, g) independent with PMF b, H(g) = D(P || Q) at E = e^eps.

One event. As b(c)/b(c - 1) is (N + 1 - c) g/(c (1 - g)), the likelihood ratio P/Q = b(u - 1) b(v)/(b(u) b(v - 1)), which is
u (N + 1 - v)/((N + 1 - u) v), has no g in it.

Slope. P and Q are, up to (1 - g)^(2N), polynomials in x = e^theta = g/(1 - g), of degree k = u + v - 1 at (u, v). So is
H (1 + x)^(2N), without negative coefficients, since one event is best for all g and P - E Q >= 0 on it. The logarithm of such a polynomial
G has the derivative kappa, the mean of k under the weights of its terms, and their variance as second derivative; 2N ln(1 + x) has 2N g
and 2N g(1 - g). Hence on [theta', theta''] (ln H)' <= kappa(theta'') - 2N g'; and ln G lies below its chord, 2N ln(1 + x) at most
2N g''(1 - g'') (theta'' - theta')^2/8 below its own, for g'' <= 1/2.

Pairs revealed. Let every user's two noise bits be shown as a pair. Pairs (0, 0) and (1, 1) say nothing; W ~ Bin(N, 2g(1 - g)) users show
(1, 0) or (0, 1), equally likely, and the one whose data differ adds (1, 0) under P, (0, 1) under Q. So the view is W and Bin(W, 1/2), plus
one under P: its divergence is the mean over W of D(1 + Bin(W, 1/2) || Bin(W, 1/2)), which does not rise with W, as adding a fair bit is a
post-processing, and W grows with g up to 1/2. Adding up the pairs gives the two counts back, so this is at least H.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import sympy

from shuffleproof.impl.ball.bounds.noise import histogram as certified
from shuffleproof.impl.ball.calibration.histogram import COMPOSITION, calibrate
from shuffleproof.impl.ball.numeric.arithmetic import ball, surely_less
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Cited, Coq, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.papers.bc20.section3_1_calibration import between_noises
from shuffleproof.spec.bounds.noise import histogram as two_bins
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, binomial, hockey_stick, product as independent
from shuffleproof.spec.protocols import histogram
from shuffleproof.spec.vocabulary.scope import neighbouring_datasets

_ORDERS = tuple(map(Fraction, ("1", "21/20", "3/2", "2", "7", "60")))
_NOISE = tuple(map(Fraction, ("1/20", "1/5", "1/3", "1/2", "9/10")))


def _shifted(counts: tuple[int, ...], p: Fraction) -> Distribution[tuple[int, ...]]:
    """Independent c_j + Bin(n, p), n the sum of the counts."""
    law: Distribution[tuple[int, ...]] = Distribution.point(())
    for count in counts:
        law = independent(law, binomial(sum(counts), p)).map(lambda both, count=count: (*both[0], count + both[1]))  # type: ignore[misc]
    return law


@derived(
    "BC20.Thm3.2-pair",
    says="every two neighbouring datasets over d >= 2 bins, in either order, have the profile of (1 + Bin, Bin) against (Bin, 1 + Bin), "
    "two independent Bin(n, p): which bins, what the others hold and how many there are does not matter",
    range="n >= 1, d >= 2, p in [0, 1], eps >= 0",
    governs=["spec.bounds.noise.histogram", "impl.ball.bounds.noise.histogram", "spec.protocols.histogram"],
    grounds=[Coq("histogram_pair", states="0bd39c9fb04b00d0"), EXACT],
    mutants={"two independent Bin(n + 1, p)": {"moved": 1}},
)
def the_pair(budget: Budget, *, moved: int = 0) -> Verdict:
    """Every ordered neighbouring pair: its distributions as independent shifted binomials, and its profile against the pair of two bins.

    moved: users added to the claimed pair's noise, in the mutant.
    """
    users, bins = budget.pick(quick=3, full=4), 3
    noise = (Fraction(1, 3), Fraction(9, 10))

    def cases() -> Iterator[tuple[int, tuple[int, ...], tuple[int, ...], Fraction]]:
        for d in range(2, bins + 1):
            for n, p in product(range(1, users + 1), noise):
                for x, y in neighbouring_datasets(range(1, d + 1), n=n):
                    if tuple(sorted(x[1:])) == x[1:]:
                        yield d, x, y, p

    @cache
    def claimed(n: int, p: Fraction, order: Fraction) -> Fraction:
        return PrivacyProfile(*two_bins.pair(n=n + moved, p=p)).delta(exp_epsilon=order)

    def holds(d: int, x: tuple[int, ...], y: tuple[int, ...], p: Fraction) -> bool:
        views = [histogram.messages_distribution(data, d=d, p=p) for data in (x, y)]
        changed = [j for j in range(d) if histogram.counts(x, d=d)[j] != histogram.counts(y, d=d)[j]]
        if views != [_shifted(histogram.counts(data, d=d), p) for data in (x, y)] or len(changed) != 2:
            return False
        return all(hockey_stick(*views, exp_epsilon=order) == claimed(len(x), p, order) for order in (Fraction(1), Fraction(3, 2)))

    return exhaustive.for_all(cases(), holds=holds).verdict(
        domain="all n, all d >= 2 and all neighbours: the counts are independent, c_j(x) + Bin(n, p), and replacing one user's value "
        "lowers one c_j and raises another by one; bins with one distribution on both sides drop out, a shift by c_j is a bijection, and "
        f"exchanging the two bins exchanges the directions. All ordered pairs with n <= {users}, d <= {bins}, two p, from the messages "
        f"themselves",
        note="with one bin neighbours differ in nothing, and delta is 0",
    )


@derived(
    "BC20.Thm3.2-one-event",
    says="the likelihood ratio of the two bins, u (N + 1 - v)/((N + 1 - u) v), does not depend on g: one event attains the divergence for "
    "all g",
    range="N >= 1, g in (0, 1), E >= 1",
    governs=["impl.ball.bounds.noise.histogram_sums", "impl.ball.bounds.noise.histogram"],
    grounds=[SYMPY, EXACT, "histograms#pieces-of-the-profile"],
    mutants={"u (N + 3 - v)/((N + 3 - u) v)": {"total": 3}, "u (N + 0.99 - v)/((N + 0.99 - u) v)": {"total": Fraction(99, 100)}},
    missing="N beyond the enumerated ones: the odds cancel",
)
def one_event(budget: Budget, *, total: int = 1) -> Verdict:
    """The event E v (N + total - u) < u (N + total - v) attains the divergence at every g."""
    most = budget.pick(quick=7, full=14)
    N, u, v, x = sympy.symbols("N u v x", positive=True)
    at_u, at_v = (N + 1 - u) * x / u, (N + 1 - v) * x / v  # b(c)/b(c - 1) in terms of the odds x
    identity = symbolic.are_identical(at_v / at_u, u * (N + symbolic.rational(total) - v) / ((N + symbolic.rational(total) - u) * v))

    def slack(n: int, g: Fraction, order: Fraction) -> Fraction:
        b = [comb(n, c) * g**c * (1 - g) ** (n - c) for c in range(n + 1)]
        up, same = [Fraction(0), *b], [*b, Fraction(0)]
        cells = product(range(n + 2), range(n + 2))
        event = [(i, j) for i, j in cells if order * j * (n + total - i) < i * (n + total - j)]
        value = sum((up[i] * same[j] - order * same[i] * up[j] for i, j in event), Fraction(0))
        return value - hockey_stick(*two_bins.pair(n=n, p=g), exp_epsilon=order)

    found = exhaustive.least_slack(product(range(1, most + 1), _NOISE, _ORDERS), slack=slack)
    if not identity:
        at = Fraction(total, 2 * (1 + total))
        return Verdict.refuted(f"N = 2, u = 1, v = 2: the ratio is 1/4, and not {at}", domain="all N", cases=1)
    return found.verdict(domain=f"all N, g, E: the ratio as an identity; exact divergences at N <= {most}, five g, six orders")


Coefficients = tuple[Fraction, ...]


def _polynomials(most: int) -> Iterator[Coefficients]:
    """Coefficients of H (1 + x)^(2N) for real profiles, and single and paired powers, for which the bounds are sharpest."""
    for n, order in product(range(1, most + 1), (Fraction(1), Fraction(2))):
        p, q = two_bins.pair(n=n, p=Fraction(1, 2))
        terms = [Fraction(0)] * (2 * n + 1)
        for y in p.support:
            terms[sum(y) - n] += max(Fraction(0), p[y] - order * q[y])
        yield tuple(terms)
        for k in range(2 * n + 1):
            yield tuple(Fraction(j == k) for j in range(2 * n + 1))
            yield tuple(Fraction(j in (k, n)) for j in range(2 * n + 1))
        yield (Fraction(1), *[Fraction(0)] * (2 * n - 1), Fraction(1000))


@derived(
    "BC20.Thm3.2-slope",
    says="H falls on all of [g', g''] if the mean of u + v - 1 given its event at g'' is at most 2 N g'; and on any [g', g''] with g'' <= "
    "1/2 ln H is at most N g''(1 - g'') (theta'' - theta')^2/4 above the larger of its ends, theta = ln(g/(1 - g))",
    range="N >= 1, 0 < g' < g'' <= 1/2, E >= 1",
    governs=["impl.ball.calibration.histogram"],
    grounds=[Cited("convexity of ln of a sum of exponentials", "known-facts#convex-functions"), SYMPY, EXACT, BALLS],
    mutants={"the mean at g'": {"mean_at_left": True}, "a sixteenth for a quarter": {"chord": Fraction(1, 16)}},
)
def slope(budget: Budget, *, mean_at_left: bool = False, chord: Fraction = Fraction(1, 4)) -> Verdict:
    """Both bounds on [g', g''], g'' <= 1/2, for polynomials without negative coefficients; in ball arithmetic, where logarithms enter."""
    x, a, b, c = sympy.symbols("x a b c", positive=True)
    G = a + b * x + c * x**3
    mean = x * sympy.diff(G, x) / G
    variance = (a * b * x + 9 * a * c * x**3 + 4 * b * c * x**4) / G**2
    if not symbolic.are_identical(x * sympy.diff(mean, x), variance):
        return Verdict.undecided("the second derivative was not decided", domain="all N", cases=1)
    most = budget.pick(quick=2, full=6)
    found = _between_the_ends(most, mean_at_left=mean_at_left, chord=chord)
    # a variable on [0, 2 N] has a variance of at most N^2, which is what the chord is lifted by
    return found.verdict(
        domain=f"all N, by the proof in the module's text; exact values and balls for real and extreme polynomials of N <= {most}",
        witness=lambda c: f"coefficients {tuple(map(str, c[0]))}, g' = {c[1]}, g'' = {c[2]}, g = {c[3]}",
        given=symbolic.holds(chord >= Fraction(1, 4)),
    )


@cache
def _height_and_mean(terms: Coefficients, g: Fraction) -> tuple[Fraction, Fraction]:
    """H at g, and the mean of the degree under the weights of its terms."""
    weights = [c * g**k * (1 - g) ** (len(terms) - 1 - k) if c else Fraction(0) for k, c in enumerate(terms)]
    height = sum(weights, Fraction(0))
    return height, sum((k * weight for k, weight in enumerate(weights) if weight), Fraction(0)) / height


def _between_the_ends(
    most: int, *, mean_at_left: bool, chord: Fraction
) -> exhaustive.Enumeration[tuple[Coefficients, Fraction, Fraction, Fraction]]:
    """Both bounds for these polynomials, at three places between any two points of a grid."""
    grid = [Fraction(i, 16) for i in range(1, 9)]
    narrow = tuple(Fraction(k == 63) for k in range(129))  # one term, between g nearest to 1/2: there the chord's bound is nearly exact

    def cases() -> Iterator[tuple[Coefficients, Fraction, Fraction, Fraction]]:
        yield narrow, Fraction(62, 128), Fraction(1, 2), Fraction(63, 128)
        for terms in _polynomials(most):
            for i, left in enumerate(grid):
                for right in grid[i + 1 :]:
                    yield from ((terms, left, right, left + (right - left) * share) for share in map(Fraction, ("1/4", "1/2", "3/4")))

    def holds(terms: Coefficients, left: Fraction, right: Fraction, between: Fraction) -> bool:
        N2 = len(terms) - 1
        (at_left, mean_left), (at, _), (at_right, mean_right) = (_height_and_mean(terms, g) for g in (left, between, right))
        if (mean_left if mean_at_left else mean_right) <= N2 * left and not at_left >= at >= at_right:
            return False
        theta = (ball(right / left) * ball((1 - left) / (1 - right))).log()
        bound = ball(max(at_left, at_right)).log() + ball(chord) * N2 / 2 * ball(right * (1 - right)) * theta * theta
        return not surely_less(bound, ball(at).log())

    return exhaustive.for_all(cases(), holds=holds)


def _revealed(n: int, g: Fraction, order: Fraction, *, factor: int = 2) -> Fraction:
    """The divergence with pairs revealed; factor: 2 for W ~ Bin(N, 2g(1 - g))."""
    share = min(Fraction(1), factor * g * (1 - g))
    total = Fraction(0)
    for w, weight in binomial(n, share).items():
        fair = binomial(w, Fraction(1, 2))
        total += weight * hockey_stick(fair.map(lambda c: c + 1), fair, exp_epsilon=order)
    return total


@derived(
    "BC20.Thm3.2-paired",
    says="H is at most the mean of D(1 + Bin(W, 1/2) || Bin(W, 1/2)) over W ~ Bin(N, 2g(1 - g)), which does not rise with g in (0, 1/2]",
    range="N >= 1, 0 < g <= 1/2, E >= 1",
    governs=["impl.ball.calibration.histogram"],
    grounds=[Coq("hockey_post_processing", states="f0767e545a1b662a"), EXACT],
    mutants={"W ~ Bin(N, 3g(1 - g))": {"factor": 3}, "it does not fall with g": {"rises": True}},
)
def paired(budget: Budget, *, factor: int = 2, rises: bool = False) -> Verdict:
    """It is at least H, and does not rise with g up to 1/2; rises: claims that it does not fall."""
    most = budget.pick(quick=6, full=12)
    grid = [Fraction(i, 12) for i in range(1, 7)]

    def slack(n: int, order: Fraction, i: int) -> Fraction:
        here = _revealed(n, grid[i], order, factor=factor)
        above = here - hockey_stick(*two_bins.pair(n=n, p=grid[i]), exp_epsilon=order)
        if i + 1 == len(grid):
            return above
        step = here - _revealed(n, grid[i + 1], order, factor=factor)
        return min(above, -step if rises else step)

    return exhaustive.least_slack(product(range(1, most + 1), _ORDERS, range(len(grid))), slack=slack).verdict(
        domain=f"all N, g <= 1/2, E, by the proof in the module's text; exact values at N <= {most}, six g, six orders",
        witness=lambda c: f"N = {c[0]}, E = {c[1]}, g = {grid[c[2]]}",
        note="it is the optimal pair of N + 1 users at p infinite, beta = 1, q = 1/(g(1 - g)) of BEYOND.ThmF3: each other user is a clone "
        "of either with probability g(1 - g)",
    )


@derived(
    "BC20.Thm3.2-calibrated",
    says="at n = 10^5, eps = 1, delta = 1e-6 every expected noise n(1 - p) from 42.66355650188 to n/2 in each bin meets the target, and "
    "42.66355650187 does not; the paper's, for (1/2, 5e-7) in each of two bins, is more than 71 times as much",
    range="n = 10^5, eps = 1, delta = 1e-6, d >= 2",
    governs=["impl.ball.calibration.histogram", "impl.ball.bounds.noise.histogram"],
    grounds=[BALLS, "BC20.Thm3.2-pair", "BC20.Thm3.2-one-event", "BC20.Thm3.2-slope", "BC20.Thm3.2-paired"],
    mutants={
        "42.66355650187 meets it": {"value": Fraction("42.66355650187"), "fails_at": Fraction("42")},
        "42.66355650188 does not meet it": {"value": Fraction("42.7"), "fails_at": Fraction("42.66355650188")},
        "the paper's is more than 72 times as much": {"times": Fraction(72)},
    },
)
def calibrated(
    budget: Budget,
    *,
    value: Fraction = Fraction("42.66355650188"),
    fails_at: Fraction = Fraction("42.66355650187"),
    times: Fraction = Fraction(71),
) -> Verdict:
    """n = 10^5, eps = 1, delta = 1e-6 for the whole histogram: both noises, what composition needs, and the paper's."""
    found = calibrate(n=10**5, epsilon=1, delta=Fraction(1, 10**6))
    composed = found.also_meets[COMPOSITION]
    assert composed is not None
    note = f"for two (1/2, 5e-7)-DP bins, of which basic composition needs {float(composed):.6g}"
    return between_noises(found, certified.delta, value=value, fails_at=fails_at, times=times, note=note)
