"""CSUZZ19, the arguments by which the profiles of bit sums and real sums are computed for all datasets, of any size.

Noisy bits: `ones` bits equal to 1 and `zeros` equal to 0, each flipped with probability p = lambda/(2n). Among neighbours `changed` more
bits are 1 in one dataset (P_1) and 0 in the other (P_0); the `others` bits have k ones.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.spec.bounds.clones.clones import stronger_clones
from shuffleproof.spec.distribution import Distribution, binomial, convolution, hockey_stick
from shuffleproof.spec.protocols import real_sum

_FLIPS = tuple(map(Fraction, ("1/20", "1/4", "2/5")))
_ORDERS = tuple(map(Fraction, ("1", "6/5", "2", "9")))
Pair = tuple[Distribution[int], Distribution[int]]
Place = tuple[int, int, Fraction, Fraction]
"""Others, changed, p and e^eps."""


def _distribution(ones: int, zeros: int, p: Fraction) -> Distribution[int]:
    return convolution(binomial(ones, 1 - p), binomial(zeros, p))


def _pair(ones: int, zeros: int, changed: int, p: Fraction) -> Pair:
    return _distribution(ones + changed, zeros, p), _distribution(ones, zeros + changed, p)


def _up(ones: int, zeros: int, changed: int, p: Fraction, order: Fraction) -> Fraction:
    return hockey_stick(*_pair(ones, zeros, changed, p), exp_epsilon=order)


def _places(budget: Budget, *, quick: int, full: int) -> Iterator[Place]:
    yield from product(range(budget.pick(quick=quick, full=full) + 1), (1, 2), _FLIPS, _ORDERS)


def _told(place: Place) -> str:
    others, changed, p, order = place
    return f"{others} others, {changed} changed, p = {p}, e^eps = {order}"


@derived(
    "CSUZZ19.Profile.one-direction",
    where="Definition 3.4 for Algorithms 1 and 6",
    says="D(P_0 || P_1) with k ones among the others is D(P_1 || P_0) with others - k, so the largest D(P_1 || P_0) over all k is the "
    "largest of both directions",
    range="all numbers of bits, p in [0, 1/2], eps >= 0",
    governs=["impl.ball.bounds.sums.worst_dataset", "impl.fast.bounds.sums.bit_sum"],
    grounds=[EXACT, "sums-of-engines#the-bit-sums-largest-divergence"],
    mutants={"k up to half of the others, one direction": {"share": Fraction(1, 2)}},
    missing="users beyond the enumerated ones",
)
def one_direction(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """max over k <= share others of D(P_1 || P_0) against the largest of both directions over all k."""

    def holds(others: int, changed: int, p: Fraction, order: Fraction) -> bool:
        pairs = [_pair(k, others - k, changed, p) for k in range(others + 1)]
        up = [hockey_stick(one, zero, exp_epsilon=order) for one, zero in pairs]
        down = [hockey_stick(zero, one, exp_epsilon=order) for one, zero in pairs]
        return down == up[::-1] and max(up[: int(share * others) + 1]) == max(up + down)

    return exhaustive.for_all(_places(budget, quick=6, full=14), holds=holds).verdict(
        domain=f"others <= {budget.pick(quick=6, full=14)}, changed = 1, 2, three p, four e^eps",
        witness=lambda place: f"{_told(place)}: some other dataset, or the other direction, needs more",
        note="for all sizes: exchanging 0 and 1 turns k into others - k and P_1 into P_0",
    )


@derived(
    "CSUZZ19.Profile.blocks",
    where="Definition 3.4 for Algorithms 1 and 6",
    says="for all k from k_0 to k_1, D(P_1 || P_0) is at most what it is with k_0 ones and others - k_1 zeros as the only other bits",
    range="0 <= k_0 <= k_1 <= others, changed >= 1, p in [0, 1/2], eps >= 0",
    governs=["impl.ball.bounds.sums.worst_dataset", "impl.ball.bounds.sums.tagged_runs", "impl.fast.bounds.sums.bit_sum"],
    grounds=[EXACT, "sums-of-engines#the-bit-sums-largest-divergence"],
    mutants={
        "the dataset with k_0 ones bounds the block by itself": {"shared": "first"},
        "k_1 ones and others - k_0 zeros are shared": {"shared": "too many"},
    },
    missing="users beyond the enumerated ones",
)
def blocks(budget: Budget, *, shared: str = "both") -> Verdict:
    """The divergence with k_0 ones and others - k_1 zeros against that of every k in between."""

    def slack(others: int, changed: int, p: Fraction, order: Fraction) -> Fraction:
        single = [_up(k, others - k, changed, p, order) for k in range(others + 1)]
        margins = []
        for least in range(others + 1):
            for most in range(least, others + 1):
                zeros = others - (most if shared == "both" else least)
                ones = most if shared == "too many" else least
                margins.append(_up(ones, zeros, changed, p, order) - max(single[least : most + 1]))
        return min(margins)

    return exhaustive.least_slack(_places(budget, quick=5, full=12), slack=slack).verdict(
        domain=f"others <= {budget.pick(quick=5, full=12)}, all blocks, changed = 1, 2, three p, four e^eps",
        witness=lambda place: f"{_told(place)}: some k of some block needs more than the block's bound",
        note="for all sizes: the number of ones is that of the shared bits, a pair of distributions without k, plus an independent number "
        "whose distribution is the same on both datasets; adding it is post-processing (CSUZZ19.Lem3.2)",
    )


@derived(
    "CSUZZ19.Profile.one-tail",
    where="Definition 3.4 for Algorithms 1 and 6",
    says="D(P_1 || P_0) = P_1(>= c) - e^eps P_0(>= c) for the first number of ones c with P_1(c) > e^eps P_0(c)",
    range="all numbers of bits, p in (0, 1/2), eps >= 0",
    governs=["impl.ball.bounds.sums.noisy_bits", "impl.ball.bounds.sums.tagged_runs"],
    grounds=[EXACT, "CSUZZ19.Sec5.3.ratio-order", "sums-of-engines#the-bit-sums-largest-divergence"],
    mutants={"from the next number on": {"late": 1}, "the lower tail": {"upper": False}},
    missing="log-concavity, beyond the enumerated users",
)
def one_tail(budget: Budget, *, late: int = 0, upper: bool = True) -> Verdict:
    """D(P_1 || P_0) as the difference of two tails from the first c with P_1(c) > e^eps P_0(c) on."""

    def holds(others: int, changed: int, p: Fraction, order: Fraction) -> bool:
        for k in range(others + 1):
            one, zero = _pair(k, others - k, changed, p)
            numbers = range(others + changed + 1)
            first = next((c for c in numbers if one[c] > order * zero[c]), others + changed + 1) + late
            tail = [c for c in numbers if (c >= first if upper else c < first)]
            if sum((one[c] - order * zero[c] for c in tail), Fraction(0)) != hockey_stick(one, zero, exp_epsilon=order):
                return False
        return True

    return exhaustive.for_all(_places(budget, quick=6, full=14), holds=holds).verdict(
        domain=f"others <= {budget.pick(quick=6, full=14)}, all k, changed = 1, 2, three p, four e^eps",
        witness=_told,
        note="for all sizes because P_1(c)/P_0(c) rises with c (CSUZZ19.Sec5.3.ratio-order)",
    )


@derived(
    "CSUZZ19.Profile.one-difference",
    where="Definition 3.4 for Algorithm 1",
    says="with S the number of ones among the others and c = 1 - p - e^eps p >= 0: D(P_1 || P_0) is the largest of c Pr(S = u) - "
    "(e^eps - 1) Pr(S > u) over all u, and its steps from u to u + 1 are first not negative, then not positive",
    range="all numbers of bits, changed = 1, p in (0, 1/2), 0 <= eps <= ln((1 - p)/p)",
    governs=["impl.fast.bounds.sums.noisy_bits"],
    grounds=[EXACT, "CSUZZ19.Profile.one-tail", "sums-of-engines#the-bit-sums-largest-divergence"],
    mutants={"Pr(S >= u) in the place of Pr(S > u)": {"reach": 0}, "e^eps in the place of e^eps - 1": {"less": Fraction(0)}},
    missing="users beyond the enumerated ones",
)
def one_difference(budget: Budget, *, reach: int = 1, less: Fraction = Fraction(1)) -> Verdict:
    """D(P_1 || P_0) against the largest of the differences over all u, and the signs of their steps."""
    largest = budget.pick(quick=6, full=14)

    def holds(ones: int, zeros: int, p: Fraction, order: Fraction) -> bool:
        if order > (1 - p) / p:
            return True
        law, c = _distribution(ones, zeros, p), 1 - p - order * p
        values = [
            c * law[u] - (order - less) * sum((w for s, w in law.items() if s >= u + reach), Fraction(0)) for u in range(ones + zeros + 1)
        ]
        top = values.index(max(values))
        unimodal = values[: top + 1] == sorted(values[: top + 1]) and values[top:] == sorted(values[top:], reverse=True)
        return unimodal and max(values) == _up(ones, zeros, 1, p, order)

    cases = [(k, others - k, p, order) for others in range(largest + 1) for k in range(others + 1) for p in _FLIPS for order in _ORDERS]
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"others <= {largest}, all k, three p, four e^eps",
        note="for all sizes: P_1(> u) = Pr(S > u) + (1 - p) Pr(S = u) and P_0(> u) with p, of which D is the largest difference; a step is "
        "(c + e^eps - 1) Pr(S = u + 1) - c Pr(S = u), and S is log-concave",
    )


def _bounded(terms: list[Fraction], *, first_term_only: bool) -> bool:
    """Beyond every place where the ratio of the last two terms is below 1, the rest is at most last ratio/(1 - ratio)."""
    for at in range(1, len(terms)):
        inner, outer = terms[at - 1], terms[at]
        rest = sum(terms[at + 1 :], Fraction(0))
        if outer == 0 < inner and rest > 0:
            return False
        if 0 < outer < inner:
            ratio = outer / inner
            if rest > (outer * ratio if first_term_only else outer * ratio / (1 - ratio)):
                return False
    return True


@derived(
    "CSUZZ19.Profile.rest",
    where="Definition 3.4 for Algorithms 1 and 6",
    says="with Z = A - B, A ~ Bin(zeros, p), B ~ Bin(ones, p): the terms Pr(B = i) Pr(A = u + i) of Pr(Z = u) and Pr(B = i) Pr(A > u + i) "
    "of Pr(Z > u) that lie beyond two neighbouring ones with ratio rho < 1 add up to at most the outer one times rho/(1 - rho)",
    range="all numbers of bits, p in (0, 1/2], all u",
    governs=["impl.ball.bounds.sums.noisy_bits", "impl.fast.bounds.sums.noisy_bits"],
    grounds=[EXACT, "sums-of-engines#the-bit-sums-largest-divergence"],
    mutants={"at most the outer one times rho": {"first_term_only": True}},
    missing="terms beyond the enumerated ones",
)
def rest(budget: Budget, *, first_term_only: bool = False) -> Verdict:
    """The terms Pr(B = i) Pr(A = u + i) and Pr(B = i) Pr(A > u + i) beyond every place, against the geometric series there."""
    largest = budget.pick(quick=5, full=9)

    def holds(ones: int, zeros: int, p: Fraction) -> bool:
        a, b = binomial(zeros, p), binomial(ones, p)
        above = {s: sum((w for y, w in a.items() if y > s), Fraction(0)) for s in range(-ones - zeros - 2, ones + zeros + 2)}
        for u in range(-ones, zeros + 1):
            for terms in ([b[i] * a[u + i] for i in range(ones + 1)], [b[i] * above[u + i] for i in range(ones + 1)]):
                if not all(_bounded(side, first_term_only=first_term_only) for side in (terms, terms[::-1])):
                    return False
        return True

    sizes = [*product(range(largest + 1), range(largest + 1)), (0, 24), (24, 0), (12, 12)]
    return exhaustive.for_all(((*size, p) for size, p in product(sizes, _FLIPS)), holds=holds).verdict(
        domain=f"ones, zeros <= {largest}, and 24 bits in three ways, all u, all places, both directions, three p",
        note="for all sizes: masses and tails of a binomial distribution are log-concave, and so are products of log-concave sequences",
    )


@derived(
    "CSUZZ19.Profile.envelope",
    where="Claim 4.3",
    says="revealing which of the others send random bits bounds every dataset by one pair, the average over s ~ Bin(n - 1, lambda/n) of "
    "Bin(s, 1/2) beside the user's bit; it is the general clones pair with e^eps0 = (2n - lambda)/lambda",
    range="n >= 1, lambda in (0, n), eps >= 0",
    governs=["spec.bounds.clones.clones"],
    grounds=[EXACT, "CSUZZ19.Clm4.3", "sums-and-selection#who-sends-coins"],
    mutants={"Bin(n - 1, 2 lambda/n) random bits": {"clones": Fraction(2)}},
    missing="users beyond the enumerated ones",
)
def envelope(budget: Budget, *, clones: Fraction = Fraction(1)) -> Verdict:
    """clones: how many times the clones of the general pair the revealed random bits are taken to be."""
    largest = budget.pick(quick=6, full=12)

    def slack(n: int, p: Fraction, order: Fraction) -> Fraction:
        revealed = Fraction(0)
        for s, weight in binomial(n - 1, min(2 * p * clones, Fraction(1))).items():
            coins = binomial(s, Fraction(1, 2))
            with_one, with_zero = (convolution(coins, binomial(1, q)) for q in (1 - p, p))
            revealed += weight * hockey_stick(with_one, with_zero, exp_epsilon=order)
        general = stronger_clones.dominating_pair(n=n, exp_epsilon0=(1 - p) / p)
        if clones == 1 and hockey_stick(*general, exp_epsilon=order) != revealed:
            return Fraction(-1)
        return revealed - max(_up(k, n - 1 - k, 1, p, order) for k in range(n))

    return exhaustive.least_slack(product(range(1, largest + 1), _FLIPS, _ORDERS), slack=slack).verdict(
        domain=f"n <= {largest}, three p, four e^eps",
        note="it halves the variance of the number of ones, so it asks for about twice the lambda that blocks of datasets do",
    )


@derived(
    "CSUZZ19.Alg6.worst-error",
    says="the largest mean squared error over all datasets is n/(4 r^2), from rounding, plus (n/(n - lambda))^2 (lambda/2)(1 - "
    "lambda/(2n))/r, from the random bits; x = 1/(2r) for everybody has it",
    range="n, r >= 1, 0 <= lambda < n",
    governs=["impl.ball.calibration.real_sum", "spec.protocols.real_sum"],
    grounds=[SYMPY, "CSUZZ19.Alg6", "sums-and-selection#coins-and-rounding"],
    mutants={
        "n/(4 r) from rounding": {"power": 1},
        "n/(5 r^2) from rounding": {"parts": Fraction(5)},
        "lambda/3": {"half": Fraction(1, 3)},
    },
    missing="that variances add up, for all n and r",
)
def worst_error(budget: Budget, *, parts: Fraction = Fraction(4), power: int = 2, half: Fraction = Fraction(1, 2)) -> Verdict:
    """The noise term and the rounding term against (n/((n - lambda) r))^2 n ((r - 1) p (1 - p) + 1/4), p = lambda/(2n); and x = 1/(2r)."""
    n, lam, r = sympy.symbols("n lambda r", positive=True)
    p = lam / (2 * n)
    whole = (n / ((n - lam) * r)) ** 2 * n * ((r - 1) * p * (1 - p) + sympy.Rational(1, 4))
    noise = (n / (n - lam)) ** 2 * (symbolic.rational(half) * lam) * (1 - p) / r
    domain = "all n, r, lambda < n, as rational functions; x = 1/(2r) at n, r <= 4, lambda/n = 1/3, 4/5"
    attained = all(
        real_sum.mean_squared_error((Fraction(1, 2 * runs),) * users, lam=share * users, r=runs)
        == real_sum.worst_mean_squared_error(n=users, lam=share * users, r=runs)
        for users, runs, share in product(range(1, 5), range(1, 5), (Fraction(1, 3), Fraction(4, 5)))
    )
    if symbolic.are_identical(whole, noise + n / (symbolic.rational(parts) * r**power)) and attained:
        return Verdict.proved(domain=domain, cases=33)
    return Verdict.refuted("n = 2, lambda = 1, r = 2", domain=domain, cases=33)
