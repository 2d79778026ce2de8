"""The privacy blanket of k-ary randomized response: its exact sum bounds all neighbouring datasets; closed forms; EFMRTT19."""

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import floor

import sympy
from flint import arb

from shuffleproof.impl.ball.bounds.clones.clones import stronger_clones
from shuffleproof.impl.ball.bounds.k_rr import k_rr_closed_forms, k_rr_pairs
from shuffleproof.impl.ball.bounds.k_rr.k_rr_closed_forms import Form
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision
from shuffleproof.impl.ball.numeric.binomial import log_half_mass
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Cited, Coq, Verdict, derived, recalled
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.ledger.methods.random_randomizers import AdaptiveSteps
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed, between
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import Case, Pair, least_margin
from shuffleproof.spec.bounds.k_rr.k_rr_blanket import dominating_pair
from shuffleproof.spec.bounds.k_rr.k_rr_exhaustive import Others, classes_of_others, profile
from shuffleproof.spec.bounds.variation_ratio import optimal_pair
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, multinomial, product as joint, total_variation
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.numerals import parse_epsilon

PairOf = Callable[[int, int, Fraction], Pair]
"""(n, k, e^eps0) -> a pair that is claimed to dominate shuffled kRR."""
_ORDERS = (Fraction(3, 2), Fraction(4), Fraction(20))  # e^eps0: little privacy lost, some, and nearly all


def the_pair(n: int, k: int, T: Fraction) -> Pair:
    """The pair as specified."""
    return dominating_pair(n=n, k=k, exp_epsilon0=T)


def _changed(*, r_factor: Fraction = Fraction(1), merged: bool = False, replaced: bool = False) -> PairOf:
    """Mutants: another mass r for the others' reports; the other values not distinguished from no report; a blanket without the input."""

    def pair(n: int, k: int, T: Fraction) -> Pair:
        r: Fraction = 1 / (T + k - 1)
        other: list[Fraction] = [r * r_factor, r * r_factor, (k - 2) * r]
        others = multinomial(n - 1, [*other, 1 - sum(other, Fraction(0))])
        special = (T * r, r) if not replaced else ((T - 1) * r, 2 * r)

        def counted(y: tuple[tuple[int, ...], int]) -> tuple[int, ...]:
            counts = tuple(number + (kind == y[1]) for kind, number in enumerate(y[0][:3]))
            return counts[:2] if merged else counts

        laws = (Distribution({0: first, 1: second, 2: (k - 2) * r}) for first, second in (special, special[::-1]))
        P, Q = (joint(others, law).map(counted) for law in laws)
        return P, Q

    return pair


def _datasets(budget: Budget) -> Iterator[tuple[Others, int, Fraction]]:
    most = budget.pick(quick=3, full=5)
    for n, k, T in product(range(1, most + 1), (2, 3, 4), _ORDERS):
        yield from ((others, k, T) for others in classes_of_others(n=n, k=k))


def _margin(case: tuple[Others, int, Fraction], pair_of: PairOf) -> Fraction:
    """The least D(pair) - D(shuffled kRR on (0 | 1, others)) over all orders that can decide."""
    others, k, T = case
    truth, bound = profile(others=others, k=k, exp_epsilon0=T), PrivacyProfile(*pair_of(len(others) + 1, k, T))
    orders = {Fraction(1), *truth.corners(), *bound.corners()}
    return min(bound.delta(exp_epsilon=E) - truth.delta(exp_epsilon=E) for E in orders)


def _adaptive_case(draw: random.Random) -> tuple[Case, int, Fraction]:
    """kRR of functions of the data that the earlier reports choose; inputs 0, 1, 2."""
    n, k, T = draw.choice((2, 3)), draw.choice((2, 3)), draw.choice(_ORDERS)
    randomizer = k_rr(k=k, exp_epsilon0=T)
    pool = []
    for _ in range(3):
        values = [draw.randrange(k) for _ in range(3)]
        pool.append(LocalRandomizer(range(3), {x: randomizer.distribution(values[x]) for x in range(3)}))
    steps = AdaptiveSteps(tuple(pool), tuple(draw.randrange(3) for _ in range(n)))
    beta = (T - 1) / (T + k - 1)
    return Case(Parameters(T, beta, T), steps, tuple(draw.randrange(3) for _ in range(n - 1))), k, T


@derived(
    "BEYOND.k-rr-blanket",
    where="the privacy blanket (BBGN19) of k-ary randomized response",
    says="the counts of a special user who sends 0, 1, d with masses (T r, r, (k - 2) r) under P and (r, T r, (k - 2) r) under Q, "
    "r = 1/(T + k - 1), and of n - 1 others who send 0, 1, d with masses r, r, (k - 2) r, dominate shuffled kRR of any functions of the "
    "data, adaptive too, on all neighbouring datasets",
    range="n >= 1, k >= 2, T = e^eps0 >= 1, every order E >= 0",
    governs=["spec.bounds.k_rr.k_rr_blanket", "impl.ball.bounds.k_rr.k_rr_pairs"],
    grounds=[Coq("k_rr_blanket_dominates", states="748f5629708b836a"), EXACT, "BEYOND.LemL1", "BEYOND.LemL4"],
    mutants={
        "r times 21/20 for the others": {"pair_of": _changed(r_factor=Fraction(21, 20))},
        "other values not distinguished from no report": {"pair_of": _changed(merged=True)},
        "T - 1 and 2 in the place of T and 1": {"pair_of": _changed(replaced=True)},
    },
)
def blanket(budget: Budget, *, pair_of: PairOf = the_pair) -> Verdict:
    domain = f"all neighbouring datasets, n <= {budget.pick(quick=3, full=5)}, k = 2, 3, 4, e^eps0 in {{3/2, 4, 20}}, every order"
    found = exhaustive.least_slack(_datasets(budget), slack=lambda case: _margin(case, pair_of))
    if found.counterexample is not None:
        others, k, T = found.counterexample
        witness = f"k = {k}, e^eps0 = {T}, (x_2..x_n) = {others}: the pair is below by {-_margin(found.counterexample, pair_of)}"
        return Verdict.refuted(witness, domain=domain, cases=found.cases)
    draw, drawn = random.Random(budget.seed), budget.pick(quick=25, full=200)
    for _ in range(drawn):
        case, k, T = _adaptive_case(draw)
        if least_margin(pair_of(case.n, k, T), (case.distribution(0), case.distribution(1))) < 0:
            return Verdict.refuted(str(case), domain="adaptive functions", cases=drawn)
    return Verdict.exhausted(
        domain=domain,
        cases=found.cases,
        slack=None if found.slack is None else f"{found.slack}, attained",
        note="P = M_n (T a + b + d)/n, M_n multinomial with masses r, r, (k - 2) r. "
        "For all n: LemL1 with m = 1/(T + k - 1) on every value, below every R_k. Given the past, (u, v) is (T, 1), (1, T), "
        "(1, 1), none with masses r, r, (k - 2) r, (T - 1) r where f(x_1^0) and f(x_1^1) differ, and has the smaller distribution of u - "
        f"E v (its mean, by Jensen) where they agree; the sum of n such is the pair. {drawn} random adaptive mechanisms with n <= 3 agree",
    )


@derived(
    "BEYOND.k-rr-blanket-gain",
    where="the privacy blanket (BBGN19) of k-ary randomized response",
    says="kRR's blanket pair is dominated by the optimal pair V(n, T, (T-1)/(T+k-1), T): it is never the larger of the two",
    range="n >= 1, k >= 2, T > 1, every order",
    governs=["spec.bounds.k_rr.k_rr_blanket"],
    grounds=[SYMPY, "FMT21.Sec2.subadditivity", EXACT],
    mutants={"beta times 0.99": {"beta_factor": Fraction(99, 100)}},
)
def gain(budget: Budget, *, beta_factor: Fraction = Fraction(1)) -> Verdict:
    """Both corner distributions, symbolically: a and b alike; d's mass (k - 2) r at 1 - E, or a T-th of it at T (1 - E), the rest at 0."""
    T, k = sympy.symbols("T k", positive=True)
    r = 1 / (T + k - 1)
    beta = beta_factor.numerator * (T - 1) * r / beta_factor.denominator
    alpha = beta / (T - 1)
    same = (alpha - r, T * (1 - alpha * (T + 1)) / T - (k - 2) * r)  # p alpha/q - r; T times (rho/q) - (k - 2) r
    domain = "all T > 1, k >= 2"
    if not all(symbolic.is_zero(each) for each in same):
        return Verdict.refuted("masses of a or of d differ", domain=domain, cases=2)
    cases = [(n, size, order) for n in (1, 2, 3) for size in (2, 3, 5) for order in _ORDERS]
    for n, size, order in cases:
        total = total_variation(*(k_rr(k=size, exp_epsilon0=order).distribution(x) for x in (0, 1)))
        if least_margin(optimal_pair.dominating_pair(n=n, parameters=Parameters(order, total, order)), the_pair(n, size, order)) < 0:
            return Verdict.refuted(f"n = {n}, k = {size}, e^eps0 = {order}", domain=domain, cases=len(cases))
    return Verdict.proved(
        domain=domain,
        cases=2 + len(cases),
        note="q/p = 1: values of a and b agree too. A point 1 - E of mass (k - 2) r spreads to T (1 - E) and 0 with the same mass and mean",
    )


_POINTS = (
    (1, 2, 4, Fraction(2)),
    (1, 10, 20, Fraction(11, 10)),
    (30, 2, 4, Fraction(3, 2)),
    (100, 3, 4, Fraction(11, 10)),
    (1000, 2, 3, Fraction(11, 10)),
    (1000, 10, 20, Fraction(2)),
    (3000, 2, 3, Fraction(12, 10)),
    (3000, 40, 3, Fraction(105, 100)),
)
"""(n, k, e^eps0, e^eps)"""


def _many_users(form: Form, exponent: Fraction) -> tuple[str, arb]:
    """Return what is reached for k = 2 and so many users that the exponents decide, eps0 so near 0 that all are in the blanket.

    Given that, S is a sum of fair coins, and some terms of E[S_+] beyond its threshold are a lower bound.
    """
    n, share = {"hoeffding": (250_000, Fraction(1, 10)), "bennett": (10**7, Fraction(15, 1000))}[form]
    T, E = 1 + Fraction(1, 10**12), 1 + share / 10**12
    gamma, gain, loss = 2 / (T + 1), T - E, E * T - 1
    with precision(256):
        first = floor(n * loss / (gain + loss)) + 1
        mass, total = log_half_mass(n, first).exp(), arb(0)
        for j in range(first, first + 1000):
            total += mass * ball(gamma * (j * gain - (n - j) * loss))
            mass *= ball(Fraction(n - j, j + 1))
        truth, stated = ball(gamma) ** n * total / ball(gamma * n), _by_formula(form, n, 2, T, E, exponent)
        return f"n = {n}, k = 2, e^eps0 = 1 + 10^-12, e^eps = 1 + {share} 10^-12", truth / stated


def _by_formula(form: Form, n: int, k: int, T: int | Fraction, E: Fraction, exponent: Fraction) -> arb:
    """The closed form written down again, with its exponent times a factor."""
    gamma, a = ball(k / Fraction(T + k - 1)), ball(E - 1)
    values = [(gamma * ball(T - E), Fraction(1, k)), (gamma * ball(1 - E * T), Fraction(1, k)), (gamma * ball(1 - E), Fraction(k - 2, k))]
    if form == "hoeffding":
        b = values[0][0] - values[1][0]
        c, x = b**2 / (4 * a), 2 * a**2 / b**2
    else:
        h, variance = values[0][0] + a, sum((ball(weight) * (value + a) ** 2 for value, weight in values), arb(0))
        u = a * h / variance
        c, x = h / (1 + u).log(), variance / h**2 * ((1 + u) * (1 + u).log() - u)
    return c / (gamma * n) * (1 - gamma * (1 - (-x * ball(exponent)).exp())) ** n


def _closed_form(form: Form, *, exponent: Fraction = Fraction(1)) -> Verdict:
    square = sympy.Symbol("s", positive=True)  # (a/b)^2, or what Bennett's inequality has in its place
    carried_by_tails = symbolic.is_nonnegative(2 * square - symbolic.rational(exponent) * 2 * square, at_least={square: 0})

    def reached() -> Iterator[tuple[str, arb]]:
        for n, k, T, E in _POINTS:
            own, central = f"ln {T}", parse_epsilon(f"ln {E}")
            truth = k_rr_pairs.BLANKET.delta(n=n, k=k, epsilon0=own, epsilon=central, digits=6)
            carried = k_rr_closed_forms.delta(n=n, k=k, epsilon0=own, epsilon=central, form=form, digits=12)
            with precision(256):
                formula = _by_formula(form, n, k, T, E, exponent)
            if exponent == 1:
                assert carried.lower * (1 - Fraction(1, 10**9)) <= min(lower_end(formula), Fraction(1)) <= carried.upper
            yield f"n = {n}, k = {k}, e^eps0 = {T}, e^eps = {E}", between(truth) / formula
        yield _many_users(form, exponent)

    return at_most_claimed(
        reached(),
        domain=f"{len(_POINTS)} points (n, k, e^eps0, e^eps), n <= 3000, and one with many users",
        slack="the exact sum is at most {} of the form",
        given=carried_by_tails,
        note="for all n: E[S_+] is the integral of Pr(S > t) over t >= 0; the exponent of the tail bound is convex in t, so above its "
        "tangent at t = 0 and the integral is c e^(-m x); m ~ Bin(n, gamma) gives the power",
    )


@derived(
    "BEYOND.BBGN19-hoeffding",
    says="delta <= (b^2/(4 a)) (1 - gamma (1 - e^(-2 a^2/b^2)))^n/(gamma n), a = E - 1, b = gamma (T - 1)(1 + E)",
    range="kRR: n >= 1, k >= 2, 1 < E < T",
    governs=["impl.ball.bounds.k_rr.k_rr_closed_forms"],
    grounds=[
        "optimal-pair#closed-forms-of-a-blanket-sum",
        BALLS,
        "BEYOND.k-rr-blanket",
        Cited("Hoeffding's inequality", "known-facts#moments-and-tails"),
    ],
    mutants={"exponent times 6/5": {"exponent": Fraction(6, 5)}},
    missing="the integral and the tangent; the numbers are compared with the exact sum at points",
)
def hoeffding(budget: Budget, *, form: Form = "hoeffding", exponent: Fraction = Fraction(1)) -> Verdict:
    return _closed_form(form=form, exponent=exponent)


@derived(
    "BEYOND.BBGN19-bennett",
    says="delta <= (h/ln(1 + u)) (1 - gamma (1 - e^(-(v/h^2)((1 + u) ln(1 + u) - u))))^n/(gamma n), h the largest L + a, v the variance "
    "of L, u = a h/v",
    range="kRR: n >= 1, k >= 2, 1 < E < T",
    governs=["impl.ball.bounds.k_rr.k_rr_closed_forms"],
    grounds=[
        "optimal-pair#closed-forms-of-a-blanket-sum",
        BALLS,
        "BEYOND.k-rr-blanket",
        Cited("Bennett's inequality", "known-facts#moments-and-tails"),
    ],
    mutants={"exponent times 6/5": {"exponent": Fraction(6, 5)}},
    missing="the integral and the tangent; the numbers are compared with the exact sum at points",
)
def bennett(budget: Budget, *, form: Form = "bennett", exponent: Fraction = Fraction(1)) -> Verdict:
    return _closed_form(form=form, exponent=exponent)


@recalled(
    "BEYOND.EFMRTT19",
    where="EFMRTT19, the first amplification bound",
    says="shuffled eps0-DP randomizers are (12 eps0 sqrt(ln(1/delta)/n), delta)-DP",
    range="eps0 < 1/2, delta < 1/100, n >= 1000",
    grounds=[BALLS, "BEYOND.CorF2"],
    mutants={"1 in the place of 12": {"constant": Fraction(1)}},
)
def efmrtt(budget: Budget, *, constant: Fraction = Fraction(12)) -> Verdict:
    points = [(n, local, delta) for n in (1000, 10**5) for local in ("1/100", "1/4", "49/100") for delta in ("1/101", "1e-6")]

    def reached() -> Iterator[tuple[str, arb]]:
        for n, local, delta in points:
            theirs = ball(constant * Fraction(local)) * ((1 / ball(Fraction(delta))).log() / n).sqrt()
            yield (
                f"n = {n}, eps0 = {local}, delta = {delta}",
                between(stronger_clones.epsilon(n=n, epsilon0=local, delta=delta, digits=4)) / theirs,
            )

    return at_most_claimed(
        reached(),
        domain=f"{len(points)} points with eps0 < 1/2, delta < 1/100, n >= 1000",
        slack="the stronger clones' epsilon is at most {} of it",
        note="the formula is recalled, the published text was not at hand; it follows at these points because a smaller bound holds there",
    )
