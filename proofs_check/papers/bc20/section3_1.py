"""BC20, section 3.1: the zero-sum protocol, its view, its privacy, and that it keeps zero."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product

import sympy

from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Coq, Kind, Status, Verdict, derived, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.papers.bc20.appendix_a import points
from shuffleproof.proofs_check.papers.bc20.printed_noise import Point, private_at
from shuffleproof.proofs_check.papers.fmt21.appendices.appendix_g import either_larger
from shuffleproof.spec.bounds.noise import zero_sum as zero_sum_bound
from shuffleproof.spec.distribution import Distribution, binomial, hockey_stick
from shuffleproof.spec.model import LocalRandomizer, shuffled_vectors_distribution
from shuffleproof.spec.protocols import zero_sum
from shuffleproof.spec.vocabulary.elementary import log_bounds
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError

_NOISE = tuple(map(Fraction, ("0", "1/3", "1/2", "3/4", "1")))


def _described(case: tuple[tuple[int, ...], Fraction]) -> str:
    return f"x = {case[0]}, p = {case[1]}"


def _datasets(most: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    for n in range(1, most + 1):
        yield from product(product((0, 1), repeat=n), _NOISE)


@statement(
    "BC20.Fig1",
    says="R^zsum(x) outputs x + z copies of 1 with z ~ Ber(p), p = 1 - (50/(eps^2 n)) ln(2/delta); A^zsum outputs c* - p if "
    "c* = |y|/n > 1, else 0",
    range="n >= 1, p in [0, 1]",
    governs=["spec.protocols.zero_sum"],
    mutants={"c* > 3/4 for c* > 1": {"threshold": Fraction(3, 4)}, "p = 1 - (49/(eps^2 n)) ln(2/delta)": {"constant": Fraction(49)}},
)
def figure_1(budget: Budget, *, threshold: Fraction = Fraction(1), constant: Fraction = Fraction(50)) -> Verdict:
    """The specified parts against the figure's steps, written out once more, and the specified p against its formula."""
    most = budget.pick(quick=4, full=6)
    for n, epsilon, delta in ((70, Fraction(1), Fraction(1)), (10**5, Fraction(1, 4), Fraction(1, 10**6))):
        low, high = zero_sum.papers_p(n=n, epsilon=epsilon, delta=delta)
        least, largest = (1 - constant * end / (epsilon**2 * n) for end in log_bounds(2 / delta, bits=80)[::-1])
        if not low <= least <= largest <= high:
            return Verdict.refuted(f"n = {n}, eps = {epsilon}, delta = {delta}: p is not {float(least):.6g}", domain="p", cases=1)

    def by_steps(dataset: tuple[int, ...], p: Fraction) -> Distribution[Fraction]:
        n = len(dataset)
        totals: dict[Fraction, Fraction] = {}
        for noise in product((0, 1), repeat=n):
            weight = Fraction(1)
            for z in noise:
                weight *= p if z else 1 - p
            messages = [1 for x, z in zip(dataset, noise, strict=True) for _ in range(x + z)]
            c_star = Fraction(len(messages), n)
            output = c_star - p if c_star > threshold else Fraction(0)
            totals[output] = totals.get(output, Fraction(0)) + weight
        return Distribution(totals)

    return exhaustive.for_all(
        _datasets(most), holds=lambda c: zero_sum.protocol(n=len(c[0]), p=c[1]).output(c[0]) == by_steps(c[0], c[1])
    ).verdict(
        domain=f"all datasets of n <= {most} users, p = 0, 1/3, 1/2, 3/4, 1; the formula of p at two points",
        witness=_described,
        note="the text at hand has lost the minus signs of p = 1 - (50/(eps^2 n)) ln(2/delta) and of c* - p; the proofs of parts i and ii "
        "restore them",
    )


def _view(budget: Budget, claimed: Callable[[int, int, Fraction], Distribution[int]]) -> Verdict:
    """claimed: the distribution of the number of messages from n, the number of ones and p."""
    most = budget.pick(quick=5, full=8)

    def holds(dataset: tuple[int, ...], p: Fraction) -> bool:
        view = shuffled_vectors_distribution(zero_sum.randomizer(p=p), dataset)
        one_view_per_length = len({len(y) for y in view.support}) == len(view.support)
        return one_view_per_length and view.map(len) == claimed(len(dataset), sum(dataset), p)

    return exhaustive.for_all(_datasets(most), holds=holds).verdict(
        domain=f"all datasets of n <= {most} users, p = 0, 1/3, 1/2, 3/4, 1", witness=_described
    )


@statement(
    "BC20.Sec3.1.remark-view",
    where="Section 3.1 and the proof of Theorem 3.1, part i",
    says="the shuffler's output is equivalent to |y| = sum of x_i + Bin(n, p) ~ n - (-(sum of x_i) + Bin(n, 1 - p))",
    range="n >= 1, p in [0, 1]",
    governs=["spec.protocols.zero_sum", "spec.bounds.noise.zero_sum", "spec.model"],
    grounds=[Coq("zero_sum_view", states="b559d6a12994fcf9"), EXACT],
    mutants={"n - (sum of x_i + Bin(n, 1 - p))": {"sign": 1}},
)
def view(budget: Budget, *, sign: int = -1) -> Verdict:
    first = _view(budget, lambda n, ones, p: binomial(n, p).map(lambda noise: ones + noise))
    second = _view(budget, lambda n, ones, p: binomial(n, 1 - p).map(lambda absent: n - (absent + sign * ones)))
    return first if first.status is Status.REFUTED else second


@derived(
    "BC20.Sec3.1.profile",
    where="Section 3.1 and the proof of Theorem 3.1, part i",
    says="over all neighbouring datasets of n users the least delta of the zero sum is that of Bin(n, p) and 1 + Bin(n, p), the larger "
    "of both ways",
    range="n >= 1, p in [0, 1], eps >= 0",
    governs=["spec.bounds.noise.zero_sum", "impl.ball.bounds.noise.zero_sum"],
    grounds=[Coq("zero_sum_profile", states="beccea3a8b5654eb"), EXACT],
    mutants={"from Bin(n, p) to 1 + Bin(n, p) alone": {"ways": 1}},
)
def profile(budget: Budget, *, ways: int = 2) -> Verdict:
    most = budget.pick(quick=4, full=5)

    def needed(n: int, p: Fraction, order: Fraction) -> Fraction:
        views = {x: shuffled_vectors_distribution(zero_sum.randomizer(p=p), x) for x in product((0, 1), repeat=n)}
        pairs = ((x, (*x[:i], 1 - x[i], *x[i + 1 :])) for x in views for i in range(n))
        return max(hockey_stick(views[x], views[y], exp_epsilon=order) for x, y in pairs)

    def claimed(n: int, p: Fraction, order: Fraction) -> Fraction:
        both = zero_sum_bound.pair(n=n, p=p)
        return max(hockey_stick(*way, exp_epsilon=order) for way in (both, both[::-1])[:ways])

    cases = product(range(1, most + 1), _NOISE, map(Fraction, ("1", "3/2", "3")))
    return exhaustive.for_all(cases, holds=lambda c: needed(*c) == claimed(*c)).verdict(
        domain=f"n <= {most}, p = 0, 1/3, 1/2, 3/4, 1, e^eps = 1, 3/2, 3, all 2^n datasets and all their neighbours",
        witness=lambda c: f"n = {c[0]}, p = {c[1]}, e^eps = {c[2]}: the pair gives {claimed(*c)}, some datasets need {needed(*c)}",
    )


@statement(
    "BC20.Sec3.1.remark-p",
    where="Section 3.1, before Figure 1",
    kind=Kind.MISPRINT,
    says="sqrt((100/n) ln(2/delta)) <= eps <= 1 makes p = 1 - (50/(eps^2 n)) ln(2/delta) lie in (1/2, 1)",
    range="eps, delta in (0, 1], n >= 1",
    governs=["spec.protocols.zero_sum"],
    grounds=[SYMPY],
    mutants={
        "corrected statement with [51/100, 1)": {"lowest": Fraction(51, 100)},
        "corrected statement for eps >= sqrt((99/n) ln(2/delta))": {"condition": Fraction(99)},
        "corrected statement with 51 for 50": {"constant": Fraction(51)},
    },
)
def range_of_p(
    budget: Budget, *, lowest: Fraction = Fraction(1, 2), condition: Fraction = Fraction(100), constant: Fraction = Fraction(50)
) -> Verdict:
    n, length, t = sympy.symbols("n l t", positive=True)
    at_equality = 1 - 50 * length / (n * (100 * length / n))
    reaches_half = symbolic.are_identical(at_equality, sympy.Rational(1, 2))
    p = 1 - symbolic.rational(constant) / (symbolic.rational(condition) + t)
    inside = symbolic.is_nonnegative(p - symbolic.rational(lowest), at_least={t: 0})
    return erratum(
        witness="delta = 1, eps = sqrt((100/n) ln 2) with n >= 70: the hypothesis holds with equality, and p = 1/2 exactly",
        is_witness=reaches_half,
        corrected="p in [1/2, 1); nothing later needs p > 1/2",
        counterexample=None if inside else f"eps^2 n = {condition} ln(2/delta): p = {1 - constant / condition} < {lowest}",
        domain="symbolic: eps^2 n = (100 + t) ln(2/delta), t >= 0",
        cases=2,
    )


@statement(
    "BC20.Thm3.1-range",
    where="Theorem 3.1, Theorem 3.2, Corollary A.4",
    says="the theorems are stated for any eps, delta in [0, 1] and any n >= (100/eps^2) ln(2/delta): some n meets that for all of them",
    range="eps, delta in [0, 1]",
    governs=["spec.protocols.zero_sum"],
    mutants={"delta = 1 makes it vacuous as well": {"cases": ((Fraction(0), Fraction(1, 2)), (Fraction(1, 2), Fraction(1)))}},
)
def stated_range(
    budget: Budget,
    *,
    cases: tuple[tuple[Fraction, Fraction], ...] = (
        (Fraction(0), Fraction(1, 2)),
        (Fraction(1, 2), Fraction(0)),
        (Fraction(0), Fraction(0)),
    ),
) -> Verdict:
    """Corners of eps, delta in [0, 1]: whether any of many n meets the condition."""
    refused, tried = [], 0
    for epsilon, delta in cases:
        met = False
        for n in (1, 100, 10**6, 10**18):
            tried += 1
            try:
                zero_sum.papers_p(n=n, epsilon=epsilon, delta=delta)
                met = True
            except (DomainError, RegimeError):
                continue
        if not met:
            refused.append((epsilon, delta))
    if len(refused) == len(cases):
        note = "(100/eps^2) ln(2/delta) is not finite at eps = 0 or delta = 0: no n meets the condition there, and p is not defined"
        return Verdict(status=Status.VACUOUS, domain="eps = 0 or delta = 0", cases=tried, note=note)
    met_at = next(case for case in cases if case not in refused)
    witness = f"eps = {met_at[0]}, delta = {met_at[1]}: some n <= 10^18 meets the condition"
    return Verdict.refuted(witness, domain="eps, delta in [0, 1]", cases=tried)


@statement(
    "BC20.Thm3.1",
    where="Theorem 3.1, part i",
    says="P^zsum is (eps, delta)-DP in the shuffled model for n >= (100/eps^2) ln(2/delta)",
    range="eps, delta in (0, 1], n >= (100/eps^2) ln(2/delta)",
    governs=["spec.bounds.noise.zero_sum", "impl.ball.bounds.noise.zero_sum", "spec.protocols.zero_sum"],
    grounds=["distributions-of-views#the-zero-sum-and-the-histogram", "BC20.CorA.4", BALLS, "BC20.Sec3.1.remark-view"],
    mutants={"50 becomes 2": {"constant": Fraction(2), "at": (Point(10**5, Fraction(1), Fraction(1, 10**6)),)}},
    missing="how Corollary A.4 and the view are put together is written and not computed; the numbers are certified at points",
)
def private(budget: Budget, *, constant: Fraction = Fraction(50), at: tuple[Point, ...] = ()) -> Verdict:
    checked = private_at(at or points(budget), constant=constant)
    if not checked.holds:
        return checked
    return Verdict.certified(
        domain="eps, delta in (0, 1], n >= (100/eps^2) ln(2/delta)",
        cases=checked.cases,
        slack=checked.slack,
        note="how little of the noise is needed: BC20.Thm3.1-constant and BC20.Thm3.1-calibrated",
    )


@statement(
    "BC20.Thm3.1.iii",
    says="P^zsum(0, ..., 0) = 0, with probability 1",
    range="n >= 1, p in [0, 1]",
    governs=["spec.protocols.zero_sum"],
    grounds=[EXACT, "histograms#what-the-protocols-send-and-answer"],
    mutants={"the analyzer estimates from c* >= 1 on": {"weakly": True}},
    missing="n beyond the enumerated ones: a count that never exceeds n",
)
def keeps_zero(budget: Budget, *, weakly: bool = False) -> Verdict:
    """Pr[output 0] = 1 on zeros; weakly: the analyzer's c* > 1 becomes c* >= 1."""
    most = budget.pick(quick=12, full=40)

    def holds(n: int, p: Fraction) -> bool:
        noise = zero_sum.messages_distribution(n=n, p=p, ones=0)
        if weakly:
            return noise.map(lambda c: Fraction(c, n) - p if c >= n else Fraction(0)) == Distribution.point(Fraction(0))
        return noise.map(lambda c: zero_sum.estimate(messages=c, n=n, p=p)) == Distribution.point(Fraction(0))

    return exhaustive.for_all(product(range(1, most + 1), _NOISE), holds=holds).verdict(
        domain=f"all n and p: n messages give c* <= 1; the specified analyzer at n <= {most} and five p"
    )


@statement(
    "BC20.Thm3.1.iv",
    says="each user sends at most two one-bit messages: x + z <= 2",
    range="x in {0, 1}, p in [0, 1]",
    governs=["spec.protocols.zero_sum"],
    grounds=[EXACT, "histograms#what-the-protocols-send-and-answer"],
    mutants={"at most one message": {"most": 1}},
    missing="nothing but the enumeration of one randomizer, for all p",
)
def messages(budget: Budget, *, most: int = 2) -> Verdict:
    randomizers: list[LocalRandomizer[int, tuple[int, ...]]] = [zero_sum.randomizer(p=p) for p in _NOISE]
    found = exhaustive.for_all(
        product(randomizers, (0, 1)), holds=lambda c: all(len(y) <= most and set(y) <= {1} for y in c[0].distribution(c[1]).support)
    )
    return found.verdict(
        domain="x = 0, 1; five p, among them 0 and 1",
        witness=lambda c: f"x = {c[1]}: {max(map(len, c[0].distribution(c[1]).support))} messages",
    )


@derived(
    "BC20.Thm3.1-directions",
    says="D(Bin(n, p) || 1 + Bin(n, p)) and D(1 + Bin(n, p) || Bin(n, p)), both at e^eps, differ for p != 1/2, and either can be the "
    "larger: both count",
    range="n >= 1, p in (0, 1), eps >= 0",
    governs=["spec.bounds.noise.zero_sum", "impl.ball.bounds.noise.zero_sum"],
    mutants={
        "the first is the larger at n = 10, p = 9/10": {
            "few_wins": (10, Fraction(9, 10), Fraction(2)),
            "many_wins": (2, Fraction(2, 5), Fraction(2)),
        }
    },
)
def directions(
    budget: Budget,
    *,
    few_wins: tuple[int, Fraction, Fraction] = (2, Fraction(2, 5), Fraction(2)),
    many_wins: tuple[int, Fraction, Fraction] = (10, Fraction(9, 10), Fraction(2)),
) -> Verdict:
    """Two points at which one or the other hockey-stick divergence of Bin(n, p) and its shift is the larger."""
    few, many = (partial(zero_sum.messages_distribution, ones=ones) for ones in (0, 1))
    return either_larger(
        {f"n = {n}, p = {p}, e^eps = {order}": (few(n=n, p=p), many(n=n, p=p), order) for n, p, order in (few_wins, many_wins)}
    )
