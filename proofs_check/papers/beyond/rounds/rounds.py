"""Rounds of the optimal pair: upper values of its profile made into a pair on a grid, and its Renyi divergences."""

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise, product

from shuffleproof.impl.ball import privacy_loss
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Cited, Status, Verdict, conjunction, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.methods.masses import merged
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import Pair, listed_parameters, shown
from shuffleproof.proofs_check.papers.beyond.variation_ratio.theorem import the_pair
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters
from shuffleproof.spec.composition import composed
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, hockey_stick, multinomial, product as independent, renyi_moment
from shuffleproof.spec.model import shuffled_distribution
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.elementary import exp_bounds, log_bounds

Measure = Mapping[Fraction | None, Fraction]
"""Likelihood ratio (None: infinite) -> mass under P."""
_G = Fraction(6, 5)  # ratio of neighbouring orders: rational, in place of e^step
_CELLS = 12  # orders above 1: beyond the last the profile is 0
_GAPS = tuple(map(Fraction, ("0", "1/1000", "1/10")))
_PAIRS = tuple(parameters for parameters in listed_parameters() if parameters.clipped_beta())


def _raised(values: Sequence[Fraction], gap: Fraction) -> list[Fraction]:
    """Upper values: each raised by a share of the gap that follows no order."""
    return [min(Fraction(1), value * (1 + gap * ((7 * k * k + 3 * k) % 11) / 10)) for k, value in enumerate(values)]


def _envelope(uppers: Sequence[Fraction], *, shift: int = 0, scale: int | None = None) -> Measure:
    """The masses of the lower convex envelope at E_k = G^k, exactly.

    shift: each value is taken at E_(k - shift); scale: masses are rounded down to multiples of 1/scale.
    """
    last = len(uppers) - 1 - shift
    known = list(accumulate(uppers, min))[shift:]
    right = [(_G**k, known[k]) for k in range(last + 1)]
    left = [(1 / E, 1 - (1 - u) / E) for E, u in reversed(right[1:])]
    corners: list[tuple[Fraction, Fraction]] = []
    for x, y in (*left, *right):
        while len(corners) >= 2 and (corners[-1][1] - corners[-2][1]) * (x - corners[-2][0]) >= (y - corners[-2][1]) * (
            corners[-1][0] - corners[-2][0]
        ):
            corners.pop()
        corners.append((x, y))
    slopes = [known[last] - 1, *((b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(corners)), Fraction(0)]
    masses: dict[Fraction | None, Fraction] = {None: known[last]}
    for (E, _), before, after in zip(corners, slopes, slopes[1:], strict=False):
        mass = E * (after - before)
        masses[E] = mass if scale is None else Fraction(math.floor(mass * scale), scale)
    return masses


def _twice(measure: Measure) -> Measure:
    pairs = product(measure.items(), repeat=2)
    return merged((None if E is None or F is None else E * F, mass * other) for (E, mass), (F, other) in pairs)


def _margin(measure: Measure, pair: Pair) -> Fraction:
    """Least profile of the measure - D_E(pair), both ways round, at every order that can decide (also below 1)."""
    ratios = {E for E in measure if E is not None}
    above = {Fraction(1), *ratios, *PrivacyProfile(*pair).corners()}
    orders = {Fraction(0), *above, *(1 / E for E in above), 2 * max(above)}
    return min(
        sum((mass * (1 if ratio is None else max(Fraction(0), 1 - E / ratio)) for ratio, mass in measure.items()), Fraction(0))
        - hockey_stick(pair[i], pair[1 - i], exp_epsilon=E)
        for E in orders
        for i in (0, 1)
    )


def _exact_envelope(*, shift: int = 0, scale: int | None = None) -> Verdict:
    def slack(gap: Fraction, n: int, parameters: Parameters, rounds: int) -> Fraction:
        pair = the_pair(n, parameters)
        uppers = _raised([hockey_stick(*pair, exp_epsilon=_G**k) for k in range(_CELLS + 1)], gap)
        measure = _envelope(uppers, shift=shift, scale=scale)
        if min(measure.values()) < 0 or (scale is None and sum(measure.values()) != 1):
            return Fraction(-1)
        if rounds == 1:
            return _margin(measure, pair)
        return _margin(_twice(measure), (independent(pair[0], pair[0]), independent(pair[1], pair[1])))

    cases = [*product(_GAPS, (1, 2, 3), _PAIRS, (1,)), *product(_GAPS, (2,), _PAIRS[1:3], (2,))]
    return exhaustive.least_slack(cases, slack=slack).verdict(
        domain=f"E_k = (6/5)^k, k <= {_CELLS}, upper values 0, up to 1/1000, up to 1/10 too large; n <= 3, a list of p, beta, q; one round "
        "and two: every order, both ways round, masses not negative and 1 in all",
        witness=lambda case: f"gap {case[0]}, n = {case[1]}, {shown(case[2])}, {case[3]} rounds",
    )


def _certified_envelope(*, less: Fraction = Fraction(0)) -> Verdict:
    """less: what is taken off the epsilon that is found."""
    step, delta, cells = Fraction(1, 20), Fraction(1, 4), 30

    def slack(n: int, rounds: int, parameters: Parameters, gap: Fraction) -> Fraction:
        pair = the_pair(n, parameters)
        profile, points = PrivacyProfile(*pair), []
        for k in range(cells + 1):
            low, high = exp_bounds(k * step, bits=120)
            points.append((profile.delta(exp_epsilon=high), profile.delta(exp_epsilon=low)))
        wide = privacy_loss.envelope(_raised([upper for _, upper in points], gap), step=step)
        found, narrow = (
            privacy_loss.epsilon_of(privacy_loss.composed(measure, rounds=rounds, delta=delta), step=step, delta=delta)
            for measure in (wide, privacy_loss.on_grid(points, step=step))
        )
        truth = PrivacyProfile(*composed([pair] * rounds)).exp_epsilon(delta=delta)
        if truth is None or found is None or narrow is None or (gap == 0 and abs(found - narrow) > Fraction(1, 10**12)):
            return Fraction(-1)
        return min(found, narrow) - less - log_bounds(truth, bits=120)[0]

    cases = [(2, 3, _PAIRS[1], _GAPS[0]), (3, 2, _PAIRS[1], _GAPS[1]), (2, 2, _PAIRS[4], _GAPS[2]), (3, 2, _PAIRS[7], _GAPS[0])]
    return exhaustive.least_slack(cases, slack=slack).verdict(
        claims=Status.CERTIFIED,
        domain="the certified composition, grid 1/20, delta = 1/4: 2 or 3 rounds for n = 2, 3 against the exact composition, and equal to "
        "the connected dots where nothing is added",
        witness=lambda case: f"n = {case[0]}, {case[1]} rounds, {shown(case[2])}, gap {case[3]}",
    )


Chords = Callable[..., list[Fraction]]


def _of_a_few(*, chords: Chords = privacy_loss.on_chords) -> Verdict:
    """Values at a few points, and the chords between them at all others: above the profile, and its compositions."""
    step, delta, cells = Fraction(1, 20), Fraction(1, 4), 30

    def slack(n: int, parameters: Parameters, asked: tuple[int, ...]) -> Fraction:
        pair = the_pair(n, parameters)
        profile = PrivacyProfile(*pair)
        few = [(at * step / 3, profile.delta(exp_epsilon=exp_bounds(at * step / 3, bits=120)[0])) for at in asked]
        uppers = chords(few, step=step, cells=cells)
        above = [upper - profile.delta(exp_epsilon=exp_bounds(k * step, bits=120)[1]) for k, upper in enumerate(uppers)]
        found = privacy_loss.epsilon_of(
            privacy_loss.composed(privacy_loss.envelope(uppers, step=step), rounds=2, delta=delta), step=step, delta=delta
        )
        truth = PrivacyProfile(*composed([pair] * 2)).exp_epsilon(delta=delta)
        if truth is None or found is None:
            return Fraction(-1)
        return min(*above, found - log_bounds(truth, bits=120)[0])

    cases = product((2, 3), (_PAIRS[1], _PAIRS[4]), ((0, 7, 20, 45, 75), (0, 2, 75)))
    return exhaustive.least_slack(cases, slack=slack).verdict(
        claims=Status.CERTIFIED,
        domain="values at three or five points, some between those of the grid 1/20: above the profile at each k/20, and two rounds of "
        "the pair of these chords above the exact composition",
        witness=lambda case: f"n = {case[0]}, {shown(case[1])}, values at k/60, k = {case[2]}",
    )


def _straight(points: Sequence[tuple[Fraction, Fraction]], *, step: Fraction, cells: int) -> list[Fraction]:
    """Mutant: chords between the logarithms of deltas."""
    found = []
    for k in range(cells + 1):
        after = next((i for i, (epsilon, _) in enumerate(points) if epsilon >= max(k * step, points[1][0])), len(points) - 1)
        (left, high), (right, low) = points[after - 1], points[after]
        share = min(Fraction(1), (k * step - left) / (right - left))
        found.append(min(Fraction(1), Fraction(math.exp((1 - float(share)) * math.log(high) + float(share) * math.log(low)))))
    return found


def _next_value(points: Sequence[tuple[Fraction, Fraction]], *, step: Fraction, cells: int) -> list[Fraction]:
    """Mutant: the value at the next point."""
    last = points[-1][1]
    return [next((upper for epsilon, upper in points if epsilon >= k * step), last) for k in range(cells + 1)]


@derived(
    "BEYOND.Envelope",
    says="upper values u_k of D_E(P || Q) at E_k, k = 0 .. K, E_0 = 1, of a pair that is its own mirror image, and the mirror images of "
    "these: the second differences of their lower convex envelope, with u_K at an infinite loss, are a pair that dominates it, and so do "
    "products of such pairs its compositions",
    range="every pair with D_E(P || Q) = D_E(Q || P) for all E, every gap, every number of rounds",
    governs=["impl.ball.privacy_loss"],
    grounds=["optimal-pair#envelopes-and-rounds", EXACT, BALLS],
    mutants={
        "values taken one step to the left: the chord of the wrong side": {"shift": 1},
        "masses rounded down to multiples of 2^-20": {"scale": 1 << 20},
        "an epsilon smaller by a fifth": {"less": Fraction(1, 5)},
        "between points the value at the next one": {"chords": _next_value},
        "between points chords of ln delta": {"chords": _straight},
    },
    missing="that an envelope of upper values is above every such profile; products are from Coq",
)
def envelope(
    budget: Budget, *, shift: int = 0, scale: int | None = None, less: Fraction = Fraction(0), chords: Chords = privacy_loss.on_chords
) -> Verdict:
    note = "in general: chords lie above a convex function, so any polygon through upper values does; slopes of an envelope increase"
    parts = [_exact_envelope(shift=shift, scale=scale), _certified_envelope(less=less), _of_a_few(chords=chords)]
    return conjunction(parts, note=note)


_FINITE = tuple(parameters for parameters in _PAIRS if parameters.p is not None)
_ORDERS = (2, 3, 6)  # integers, so that divergences are rational


def _draws(n: int, parameters: Parameters, kappa: Fraction) -> Distribution[tuple[int, Fraction]]:
    """t = a - b and N = a + b + kappa d of n draws from the other users' distribution; for n = 1 any q above 1 + beta is true."""
    if n == 1:
        parameters = Parameters(parameters.p, parameters.beta, max(parameters.q, Fraction(2)))
    law = parameters.other_distribution()
    return multinomial(n, [law[symbol] for symbol in range(4)]).map(lambda y: (y[0] - y[1], y[0] + y[1] + kappa * y[2]))


def _one_variable(*, less: int = 0, kappa: Fraction | None = None) -> Verdict:
    """less: from the order; kappa: in place of 2/(1 + x)."""

    def holds(n: int, parameters: Parameters, order: int) -> bool:
        assert parameters.p is not None
        x, total = 1 / parameters.p, Fraction(0)
        weight, beta_0 = kappa or 2 / (1 + x), (1 - x) / (1 + x)
        for (t, N), mass in _draws(n, parameters, weight).items():
            if N:
                total += mass * (N + beta_0 * t) ** (order - less) / (N - beta_0 * t) ** (order - less - 1)
        P, Q = the_pair(n, parameters)
        q = parameters.q if n > 1 else max(parameters.q, Fraction(2))
        return total * q / (weight * n) == renyi_moment(P, Q, order=order) == renyi_moment(Q, P, order=order)

    return exhaustive.for_all(product((1, 2, 4), _FINITE, _ORDERS), holds=holds).verdict(
        domain="n = 1, 2, 4, a list of p, beta, q, orders 2, 3, 6: the moment, and both directions",
        witness=lambda case: f"n = {case[0]}, {shown(case[1])}, order {case[2]}",
    )


def _dominates(*, more: int = 0) -> Verdict:
    """more: the pair is taken for n + more users."""

    def slack(k: int, n: int, T: Fraction, order: int) -> Fraction:
        randomizer = binary_rr(exp_epsilon0=T) if k == 2 else k_rr(k=k, exp_epsilon0=T)
        bound = renyi_moment(*the_pair(n + more, Parameters(T, (T - 1) / (T + k - 1), T)), order=order)
        assert bound is not None
        worst = Fraction(0)
        for rest in product(range(k), repeat=n - 1):
            laws = [shuffled_distribution(randomizer, (x, *rest)) for x in range(k)]
            worst = max(worst, *(renyi_moment(p, q, order=order) or Fraction(0) for p, q in product(laws, laws)))
        return bound - worst

    cases = product((2, 3), (1, 2, 3), map(Fraction, ("3/2", "4")), _ORDERS)
    return exhaustive.least_slack(cases, slack=slack).verdict(
        domain="all neighbouring datasets of n <= 3 users with 2RR and 3RR, e^eps0 = 3/2, 4, orders 2, 3, 6"
    )


@derived(
    "BEYOND.Renyi",
    says="randomizers with H(p, beta, q) are (tau, alpha)-RDP when shuffled, both ways round, tau the pair's divergence; with t = a - b, "
    "N = a + b + kappa d, kappa = 2p/(p + 1), beta_0 = (p - 1)/(p + 1), its moment is (q/(kappa n)) Exp[(N + beta_0 t)^alpha "
    "(N - beta_0 t)^(1 - alpha)] over n draws from (r, r, rho/q)",
    range="alpha > 1, finite p; for infinite p and beta > 0 the divergence is infinite",
    governs=[
        "spec.bounds.variation_ratio.optimal_pair",
        "impl.ball.bounds.variation_ratio.optimal_pair",
        "impl.ball.bounds.variation_ratio.optimal_pair_counts",
    ],
    grounds=[
        EXACT,
        "BEYOND.LemL5",
        "BEYOND.ThmF3",
        Cited("Blackwell's theorem", "known-facts#dominating-pairs-and-their-products"),
        "sums-of-engines#rényi-divergences",
    ],
    mutants={"order alpha - 1": {"less": 1}, "kappa = 2": {"kappa": Fraction(2)}, "the pair of one more user": {"more": 1}},
    missing="users beyond the enumerated ones; Blackwell's theorem",
)
def renyi(budget: Budget, *, less: int = 0, kappa: Fraction | None = None, more: int = 0) -> Verdict:
    note = "both ways round: exchanging a and b exchanges P and Q and keeps M_n. Divergences do not grow under post-processing, and "
    note += "domination at all E both ways is Blackwell's order"
    return conjunction([_one_variable(less=less, kappa=kappa), _dominates(more=more)], note=note)


def _coefficients(p: Fraction, order: int, terms: int) -> list[Fraction]:
    """e_j, j < terms: the even powers of (1 + u)^alpha (1 - u)^(1 - alpha) at u = beta_0 v, by their recursion."""
    d = [Fraction(1), Fraction(2 * (order - 1))]
    for k in range(1, 2 * terms):
        d.append((2 * (order - 1) * d[k] + (k - 1) * d[k - 1]) / (k + 1))
    return [Fraction(1), *((d[2 * j] + d[2 * j - 1]) * ((p - 1) / (p + 1)) ** (2 * j) for j in range(1, terms))]


@derived(
    "BEYOND.Renyi-moments",
    says="N = Nbar (1 + w), Nbar = Exp N: the moment minus 1 is at least the sum over 0 < j < J of e_j Exp[(t/Nbar)^2j T_K(w)], T_K the "
    "Taylor polynomial of (1 + w)^(1 - 2j), K even, and at most that and the remainders: of each j, of the powers from J on, of w < -eta",
    range="integer alpha > 1 in exact arithmetic (all real alpha by the same argument), finite p, J >= 1, K even, 0 < eta < 1",
    governs=["impl.ball.bounds.variation_ratio.optimal_pair_moments"],
    grounds=[
        EXACT,
        Cited("Taylor's theorem", "sums-of-engines#rényi-divergences"),
        Cited("Hoeffding 1963, Theorem 1, for Pr(w < -eta)", "known-facts#moments-and-tails"),
        "sums-of-engines#rényi-divergences",
    ],
    mutants={"K odd": {"odd": 1}, "without w < -eta": {"tail": 0}, "without the powers from J on": {"beyond": 0}},
    missing="users beyond the enumerated ones; the remainders",
)
def moments(budget: Budget, *, odd: int = 0, tail: int = 1, beyond: int = 1) -> Verdict:
    """odd: added to K; tail, beyond: 0 to forget N below (1 - eta) Nbar, or the powers from J on."""

    def slack(case: tuple[int, Parameters, int, tuple[int, int], Fraction]) -> Fraction:
        n, parameters, order, (J, K), eta = case
        p, q = parameters.p, parameters.q if n > 1 else max(parameters.q, Fraction(2))
        assert p is not None
        kappa = 2 * p / (p + 1)
        mean, h = kappa * n / q, (p**order + Fraction(1) / p ** (order - 1)) / (p + 1)
        e, draws = _coefficients(p, order, J), [(t / mean, N / mean - 1, mass) for (t, N), mass in _draws(n, parameters, kappa).items()]

        def expected(j: int, k: int) -> Fraction:
            return sum((mass * y ** (2 * j) * w**k for y, w, mass in draws), Fraction(0))

        below = sum((mass for _, w, mass in draws if w < -eta), Fraction(0))
        lower, more = Fraction(0), (1 - eta) * (h - 1) * below * tail
        more += beyond * (h - sum(e)) / (1 - eta) ** (2 * J - 1) * expected(J, 0)
        for j in range(1, J):
            nu = 2 * j - 1
            lower += e[j] * sum((-1) ** k * math.comb(nu + k - 1, k) * expected(j, k) for k in range(K + odd))
            more += e[j] * math.comb(nu + K + odd - 1, K + odd) / (1 - eta) ** (nu + K + odd) * expected(j, K + odd)
        truth = renyi_moment(*the_pair(n, parameters), order=order)
        assert truth is not None
        return min(truth - 1 - lower, lower + more - (truth - 1))

    chosen = (_FINITE[1], _FINITE[3], Parameters(Fraction(20), Fraction(1, 2), Fraction(2)))
    cases = product((1, 3, 5), chosen, (2, 6), ((2, 2), (3, 4)), map(Fraction, ("1/8", "1/2")))
    return exhaustive.least_slack(cases, slack=slack).verdict(
        domain="n = 1, 3, 5, three p, beta, q, orders 2, 6, (J, K) = (2, 2), (3, 4), eta = 1/8, 1/2, with the exact Pr(w < -eta)",
        witness=lambda case: f"n = {case[0]}, {shown(case[1])}, order {case[2]}, (J, K) = {case[3]}, eta = {case[4]}",
        note="for all: the K-th derivative of (1 + w)^-nu is positive and falls; for w < 0 its Taylor polynomial has positive terms. "
        "The powers from J on may be bounded one by one instead: Exp[t^2j | c] <= (2j - 1)!! c^j, and c^j <= (j/(e s))^j e^(s c)",
    )
