"""FMT21, section 5.2: stochastic gradient descent over a random order of the users."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

import sympy
from flint import arb

from shuffleproof.impl.ball import gaussian
from shuffleproof.impl.ball.bounds.clones import approx_clones, clones
from shuffleproof.impl.ball.numeric.arithmetic import ball, upper_end
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Cited, Kind, Status, Verdict, derived, erratum, statement
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed, between
from shuffleproof.proofs_check.ledger.points import BITS
from shuffleproof.spec.vocabulary.scope import Relation


def _moved(*, shift: Fraction, sigma: Fraction, epsilon: Fraction) -> Fraction:
    """A certified lower end of delta at epsilon for N(0, sigma^2) against N(shift, sigma^2)."""
    return gaussian.delta(noise_multiplier=sigma / shift, epsilon=epsilon, relation=Relation.REPLACE_ONE, digits=6).lower


def _at_most(*, shift: Fraction, sigma: Fraction, epsilon: Fraction) -> Fraction:
    """A certified upper end of the same, for a sigma that may have been rounded up."""
    rounded_down = sigma * (1 - Fraction(1, 1 << (BITS - 8)))
    return gaussian.delta(noise_multiplier=rounded_down / shift, epsilon=epsilon, relation=Relation.REPLACE_ONE, digits=6).upper


def _printed_sigma(epsilon0: Fraction, delta0: Fraction) -> Fraction:
    """(1 + sqrt(2 ln(1/delta0)))/eps0, from above: more noise than printed makes a refutation stronger."""
    value = (1 + (-2 * ball(delta0).log()).sqrt()) / ball(epsilon0)
    return upper_end(value)


_GAUSSIAN_PROFILE = Cited(
    "Balle and Wang (2018), Theorem 8: the exact profile of Gaussian noise, which depends on the distance of the means only",
    "noise#the-gaussian-profile",
)
_ONE = Fraction(1)  # eps0 of the witness
_MILLIONTH = Fraction(1, 10**6)  # its delta0


def _one_step(*, distance: Fraction, factor: int) -> tuple[Fraction, bool]:
    """Steps at `distance`, noise of `factor` times the printed sigma: delta(1) from below, and whether it is too much."""
    reached = _moved(shift=distance, sigma=factor * _printed_sigma(_ONE, _MILLIONTH), epsilon=_ONE)
    return reached, reached > _MILLIONTH


def _unclipped(*, gradient: Fraction) -> Verdict:
    """Gradients 0 and `gradient` at theta_0, added as they are; eps0 = 1, delta0 = 1e-6, and the printed noise."""
    reached, refuted = _one_step(distance=gradient, factor=1)
    return Verdict(
        status=Status.REFUTED if refuted else Status.CERTIFIED,
        domain="d = 1, eps0 = 1, delta0 = 1e-6",
        cases=1,
        corrected="theta_i = theta_(i-1) - eta_i (g~_i + b_i): the clipped gradient, and sigma for distance 2" if refuted else None,
        witness=f"gradients 0 and {gradient} of two users at theta_0: delta(1) > {float(reached):.4f} in one step" if refuted else None,
    )


def _corrected_step(*, distance: Fraction, factor: int) -> Verdict:
    """The corrected step, or one that was corrected in part."""
    reached = _at_most(shift=distance, sigma=factor * _printed_sigma(_ONE, _MILLIONTH), epsilon=_ONE)
    refuted = reached > _MILLIONTH
    return Verdict.certified(
        domain="d = 1, eps0 = 1, delta0 = 1e-6",
        cases=1,
        against=f"steps at distance {distance}: delta(1) is about {float(reached):.3e}" if refuted else None,
    )


@statement(
    "FMT21.Alg2",
    kind=Kind.MISPRINT,
    weight="an implementation that follows the printed line adds noise to a gradient of any norm and is not private",
    says="each step theta_i = theta_(i-1) - eta_i (g_i + b_i), b_i ~ N(0, sigma^2 I), is an (eps0, delta0)-DP local randomizer",
    range="all losses with gradients of any norm",
    governs=["impl.fast.protocols.shuffled_sgd", "impl.ball.shuffled_sgd"],
    grounds=[BALLS, _GAUSSIAN_PROFILE],
    mutants={
        "the corrected step with the printed noise: clipped gradients are at distance up to 2": {"factor": 1},
        "the corrected step without clipping to norm 1, but 2": {"distance": Fraction(4)},
    },
)
def as_printed(budget: Budget, *, distance: Fraction = Fraction(2), factor: int = 2) -> Verdict:
    """distance, factor: of clipped gradients, and of the printed sigma in the corrected step."""
    found, corrected = _unclipped(gradient=Fraction(1000)), _corrected_step(distance=distance, factor=factor)
    return erratum(
        witness=found.witness or "none",
        is_witness=found.status is Status.REFUTED,
        corrected="theta_i = theta_(i-1) - eta_i (g~_i + b_i): the clipped gradient, and sigma for distance 2",
        beside=corrected,
        domain=f"{found.domain}; the corrected step at {corrected.domain}",
        cases=found.cases + corrected.cases,
        note=found.note,
    )


@statement(
    "FMT21.Alg2.noise",
    kind=Kind.FALSE,
    weight="an implementation with the printed sigma, under neighbours by replacement, is less private than its eps0 and delta0 say",
    says="sigma = (1 + sqrt(2 ln(1/delta0)))/eps0 makes a gradient clipped to norm 1 (eps0, delta0)-DP under replacement",
    range="all eps0 > 0 and 0 < delta0 < 1; two clipped gradients are at distance up to 2",
    governs=["impl.ball.shuffled_sgd"],
    grounds=[BALLS, _GAUSSIAN_PROFILE],
    mutants={
        "the corrected noise for gradients clipped to norm 2": {"distance": 4},
        "the corrected noise a tenth smaller, at eps0 = 4, delta0 = 1e-2": {"factor": Fraction(9, 10)},
    },
)
def noise(budget: Budget, *, distance: int = 2, factor: Fraction = Fraction(2)) -> Verdict:
    """sigma = (1 + sqrt(2 ln(1/delta0)))/eps0 against means at distance 2; then factor times that against this distance."""
    failing, against, cases = None, None, 0
    for epsilon0 in map(Fraction, ("1/10", "1", "4")):
        for delta0 in (Fraction(1, 10**j) for j in (2, 6, 12)):
            cases += 2
            printed = _printed_sigma(epsilon0, delta0)
            reached = _moved(shift=Fraction(2), sigma=printed, epsilon=epsilon0)
            if reached > delta0 and failing is None:
                failing = f"eps0 = {epsilon0}, delta0 = {float(delta0):.0e}: delta(eps0) > {float(reached):.3e}"
            still = _at_most(shift=Fraction(distance), sigma=factor * printed, epsilon=epsilon0)
            if still > delta0 and against is None:
                against = f"distance {distance}, eps0 = {epsilon0}, delta0 = {float(delta0):.0e}: delta(eps0) is about {float(still):.3e}"
    return erratum(
        witness=failing or "none",
        is_witness=failing is not None,
        corrected="sigma = 2 (1 + sqrt(2 ln(1/delta0)))/eps0 under replacement: see FMT21.Alg2.noise-doubled",
        counterexample=against,
        domain="eps0 in {1/10, 1, 4}, delta0 in {1e-2, 1e-6, 1e-12}",
        cases=cases,
    )


@derived(
    "FMT21.Alg2.noise-doubled",
    says="sigma = 2 (1 + sqrt(2 ln(1/delta0)))/eps0 makes a clipped gradient (eps0, delta0)-DP under replacement, half of it by deletion",
    range="0 < delta0 < 1, 0 < eps0 <= 2 (1 + sqrt(2 ln(1/delta0)))",
    governs=["impl.ball.shuffled_sgd"],
    grounds=[SYMPY, _GAUSSIAN_PROFILE, Cited("Chernoff's bound Phi(-s) <= e^(-s^2/2)/2 for s >= 0", "known-facts#normal-tails")],
    weaker={"limit": "smaller"},
    mutants={"eps0 up to 20 times as large": {"limit": 40}},
)
def doubled(budget: Budget, *, limit: int = 2) -> Verdict:
    """Put shift/sigma = eps0/(1 + s), s = sqrt(2 ln(1/delta0)): delta <= Phi(-(1 + s) + eps0/(2 (1 + s))) <= Phi(-s) <= delta0/2.

    limit: eps0 is claimed to go up to limit (1 + s).
    """
    s, e = sympy.symbols("s e", positive=True)
    mu = e / (1 + s)
    identity = symbolic.are_identical(e / mu - mu / 2 - s, 1 - e / (2 * (1 + s)))
    edge = sympy.simplify((1 - e / (2 * (1 + s))).subs(e, limit * (1 + s)))
    holds = identity and symbolic.holds(edge >= 0)
    failing = None
    if not holds:
        delta0 = Fraction(1, 10)
        epsilon0 = Fraction(limit * 4)
        reached = _moved(shift=Fraction(2), sigma=2 * _printed_sigma(epsilon0, delta0), epsilon=epsilon0)
        failing = f"eps0 = {epsilon0}, delta0 = 1/10: delta(eps0) > {float(reached):.4f}" if reached > delta0 else "the argument ends there"
    return Verdict(
        status=Status.PROVED if holds else Status.REFUTED,
        domain="0 < delta0 < 1, 0 < eps0 <= 2 (1 + sqrt(2 ln(1/delta0)))",
        cases=2,
        witness=failing,
        note=None if failing else "beyond that it fails: eps0 = 80, delta0 = 1/10, where both terms of the profile are near 1",
    )


@statement(
    "FMT21.Prop5.3.explicit",
    where="Section 5.2, Proposition 5.3 and its proof",
    says="with a step that is (eps0, delta0)-DP, a pass is (eps, delta + (e^eps + 1)(1 + e^-eps0/2) n delta0)-DP, eps as in Theorem 3.1",
    range="eps0 <= ln(n/(16 ln(2/delta)))",
    governs=["impl.ball.shuffled_sgd"],
    grounds=[BALLS, "FMT21.Thm3.8", "FMT21.Thm3.1"],
    mutants={"a tenth of the constant 8": {"constant": Fraction(8, 10)}},
)
def proposition(budget: Budget, *, constant: Fraction = Fraction(8)) -> Verdict:
    """Theorem 3.8's numerical bound against the closed form in the place of (12), constant in the place of 8."""

    def reached() -> Iterator[tuple[str, arb]]:
        for n, epsilon0, delta in ((10**4, "1", "1e-6"), (10**5, "2", "1e-6"), (10**6, "4", "1e-8")):
            delta0 = Fraction(delta) / (10 * n)
            closed = clones.epsilon_closed_form(n=n, epsilon0=epsilon0, delta=delta, digits=10).upper
            claimed = upper_end(((ball(closed).exp() - 1) * ball(constant / 8) + 1).log())
            price = (ball(claimed).exp() + 1) * (1 + (-ball(Fraction(epsilon0))).exp() / 2) * ball(n * delta0)
            alone = clones.delta(n=n, epsilon0=epsilon0, epsilon=claimed, digits=6)
            priced = approx_clones.delta(n=n, epsilon0=epsilon0, delta0=delta0, epsilon=claimed, digits=6)
            where = f"n = {n}, eps0 = {epsilon0}, delta = {delta}"
            yield f"{where}: the clones' delta at that epsilon", between(alone) / ball(Fraction(delta))
            yield where, between(priced) / (ball(Fraction(delta)) + price)

    return at_most_claimed(
        reached(),
        domain="(n, eps0, delta) = (1e4, 1, 1e-6), (1e5, 2, 1e-6), (1e6, 4, 1e-8), delta0 = delta/(10 n)",
        slack="at most {} of what is claimed",
        note="for the corrected algorithm; the term is (e^eps + 1)(1 + e^-eps0/2) n delta0, as the proof has it",
    )


@statement(
    "FMT21.Prop5.3",
    where="Section 5.2, Proposition 5.3, equation (12)",
    kind=Kind.FALSE,
    weight="this is the privacy guarantee of Algorithm 2; it falls with the gradient of the last line, whatever the constants "
    "(FMT21.Alg2), and where that is clipped its proof falls with the printed sigma (FMT21.Alg2.noise); with both mended it holds",
    says="Algorithm 2 is (eps, delta + O(e^eps delta0 n))-DP with eps = O((1 - e^-eps0)(sqrt(e^eps0 log(1/delta)/n) + e^eps0/n))",
    range="delta in [0, 1], eps0 <= ln(n/(16 ln(2/delta)))",
    grounds=[BALLS, _GAUSSIAN_PROFILE],
    mutants={"the corrected statement with a tenth of the constant 8": {"constant": Fraction(8, 10)}},
)
def asymptotic(budget: Budget, *, constant: Fraction = Fraction(8)) -> Verdict:
    found, corrected = _unclipped(gradient=Fraction(1000)), proposition.check(budget, constant=constant)
    clipped, too_little = _one_step(distance=Fraction(2), factor=1)
    return erratum(
        witness=f"{found.witness}; no eps of the order of (12) is reached, whatever the constant. Clipped gradients 1 and -1, the printed "
        f"noise: delta(1) > {float(clipped):.3e}, so Theorem 3.8 does not apply either",
        is_witness=found.status is Status.REFUTED and too_little,
        corrected="FMT21.Prop5.3.explicit, for the algorithm that adds the clipped gradient and noise for distance 2",
        beside=corrected,
        domain="one user, d = 1: one step of Algorithm 2 as printed; the corrected bound at three settings",
        cases=2 + corrected.cases,
        note="no misprint: clipping alone does not mend it. For the corrected algorithm FMT21.Prop5.3.explicit has the constants",
    )


@statement(
    "FMT21.Eq13",
    kind=Kind.READING,
    says="(sqrt(log(1/delta) n) + e^eps0 - 1) log(1 + (e^eps0 - 1)/n) is about sqrt(log(1/delta)) (e^eps0 - 1)/sqrt(n)",
    range="Proposition 5.3's, with which it is compared; `about` taken as a factor of at most 2",
    grounds=[BALLS],
    mutants={
        "the corrected right side without its first term": {"first": 0},
        "the corrected right side without its second term": {"second": 0},
    },
)
def approximation(budget: Budget, *, first: int = 1, second: int = 1) -> Verdict:
    """(13)'s left side over its right side at the largest eps0 of Proposition 5.3; then over both terms, for small eps0 too.

    first, second: the coefficients of the corrected right side's terms.
    """
    n, L = ball(10**8), ball(10**6).log()
    largest = n / (16 * ball(2 * 10**6).log())
    left = [((L * n).sqrt() + (T - 1)) * ((T - 1) / n).log1p() for T in (largest, ball(2))]
    terms = [(L.sqrt() * (T - 1) / n.sqrt(), (T - 1) ** 2 / n) for T in (largest, ball(2))]
    ratio: arb = left[0] / terms[0][0]
    corrected = [side / (first * one + second * other) for side, (one, other) in zip(left, terms, strict=True)]
    against = next((f"the left side is {float(r.mid()):.3g} times the right" for r in corrected if not (r < 2 and r > ball(1) / 2)), None)
    return erratum(
        witness=f"n = 1e+08, e^eps0 = {float(largest.mid()):.4g}: the left side is {float(ratio.mid()):.3g} times the right",
        is_witness=bool(ratio > 2),
        corrected="sqrt(log(1/delta)) (e^eps0 - 1)/sqrt(n) + (e^eps0 - 1)^2/n for e^eps0 - 1 << n: both terms count",
        counterexample=against,
        domain="n = 1e8, delta = 1e-6, e^eps0 = n/(16 ln(2/delta)) and e^eps0 = 2",
        cases=3,
    )


@statement(
    "FMT21.Sec5.2.remark-batches",
    where="Section 5.2, last paragraph",
    says="Proposition 5.3 extends to batches of size b by viewing each batch as one data element: n/b shuffled elements",
    range="b divides n; users are shuffled, and then cut into batches",
    governs=["impl.ball.shuffled_sgd"],
    grounds=[EXACT, "FMT21.Sec2.remark-convexity"],
    mutants={"batches sorted before they are used": {"ordered": False}},
)
def batches(budget: Budget, *, users: int = 6, batch: int = 2, ordered: bool = True) -> Verdict:
    """The order of a random permutation cut into batches is a random grouping followed by a random order of the groups, exactly."""
    counts: Counter[tuple[frozenset[int], ...]] = Counter()
    for order in permutations(range(users)):
        groups = tuple(frozenset(order[at : at + batch]) for at in range(0, users, batch))
        counts[groups if ordered else tuple(sorted(groups, key=sorted))] += 1
    by_grouping: dict[frozenset[frozenset[int]], list[int]] = {}
    for groups, number in counts.items():
        by_grouping.setdefault(frozenset(groups), []).append(number)
    orders = 1
    for k in range(1, users // batch + 1):
        orders *= k
    wrong = next((found for found in by_grouping.values() if len(found) != orders or len(set(found)) != 1), None)
    return Verdict.exhausted(
        domain=f"{users} users in batches of {batch}: every permutation; given the grouping, every order of the groups is equally likely",
        cases=sum(counts.values()),
        against=f"some grouping has {len(wrong)} orders, with weights {sorted(set(wrong))}" if wrong else None,
    )


@statement(
    "FMT21.Sec5.2.remark-improvement",
    where="Section 5.2, after equation (13)",
    says="for large eps0 Proposition 5.3 improves on (13) by a factor of Theta(sqrt(e^eps0)), (e^eps0 - 1) sqrt(log(1/delta)/n) to (1 - "
    "e^-eps0) sqrt(e^eps0 log(1/delta)/n)",
    range="the terms with 1/sqrt(n)",
    grounds=[SYMPY],
    mutants={"a factor of e^eps0": {"power": 2}},
)
def improvement(budget: Budget, *, power: int = 1) -> Verdict:
    """The ratio is claimed to be the root of e^eps0 to this power."""
    root_T, root_n, root_L = sympy.symbols("t u l", positive=True)  # of e^eps0, n and log(1/delta), so that all is rational
    T = root_T**2
    ratio = (root_L * (T - 1) / root_n) / ((1 - 1 / T) * root_T * root_L / root_n)
    holds = symbolic.are_identical(ratio, root_T**power)
    return Verdict.proved(
        domain="leading terms of (13) and (12), all e^eps0 > 1, n, delta",
        cases=1,
        note="of the two displayed bounds; that either is the least possible is not claimed",
        against=None if holds else "the ratio of the leading terms is another power of e^eps0",
    )


@statement(
    "FMT21.Sec5.2.remark-passes",
    where="Section 5.2, after equation (13)",
    says="for multiple passes over the data the analysis suffers an extra sqrt(log(1/delta)) factor compared to (13): after K passes "
    "sqrt(e^eps0 L/n) sqrt(K L) to sqrt(K L) (e^eps0 - 1)/sqrt(n), which is sqrt(e^eps0)/(e^eps0 - 1) sqrt(L), L = log(1/delta)",
    range="the terms with 1/sqrt(n), advanced composition of the passes",
    grounds=[SYMPY, Cited("the displayed bounds of both analyses", "known-facts#sums-and-variances")],
    mutants={"an extra log(1/delta)": {"power": 2}},
)
def passes(budget: Budget, *, power: int = 1) -> Verdict:
    root_T, root_n, root_L, root_K = sympy.symbols("t u l k", positive=True)  # of e^eps0, n, log(1/delta) and the passes
    shuffled = (root_T * root_L / root_n) * (root_K * root_L)  # one pass by (12), advanced composition of the passes
    sampled = (root_L * root_K) * (root_T**2 - 1) / root_n  # (13) for as many steps
    holds = symbolic.are_identical(shuffled / sampled, root_L**power * root_T / (root_T**2 - 1))
    return Verdict.proved(
        domain="leading terms of both analyses for large e^eps0, any number of passes",
        cases=1,
        note="that concentrated DP removes the factor is cited; impl.ball.shuffled_sgd composes passes with explicit numbers",
        against=None if holds else "the ratio of the leading terms has another power of log(1/delta)",
    )
