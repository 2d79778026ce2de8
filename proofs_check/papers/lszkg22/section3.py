"""LSZKG22, section 3: neighbours, differential privacy, clipping, and why Poisson counts."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb

import sympy
from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, precision
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Cited, Kind, Verdict, derived, erratum, recalled, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed
from shuffleproof.proofs_check.papers.lszkg22.instances import F, histograms, with_rational_norm
from shuffleproof.spec.distribution import Distribution, bernoulli, convolution, indistinguishable, indistinguishable_on_all_events, moments
from shuffleproof.spec.protocols.user_histogram import Norm, clip, norm
from shuffleproof.spec.vocabulary.scope import neighbouring_datasets


@statement(
    "LSZKG22.Def3.1",
    says="D and D' are neighbouring if D_j = D'_j for all users j but one, the number of users being known and fixed",
    governs=["spec.vocabulary.scope"],
    mutants={"they differ in two users": {"differ": 2}},
)
def neighbours(budget: Budget, *, differ: int = 1) -> Verdict:
    """The enumerated pairs, moved to every user's place, against all pairs of equal length that differ in exactly so many places."""
    domain, decided = (0, 1, 2), 0
    for n in (1, 2, 3):
        enumerated = set()
        for x, y in neighbouring_datasets(domain, n=n):
            for i in range(n):
                enumerated.add(((*x[1 : i + 1], x[0], *x[i + 1 :]), (*y[1 : i + 1], y[0], *y[i + 1 :])))
        for x, y in product(product(domain, repeat=n), repeat=2):
            decided += 1
            if ((x, y) in enumerated) != (sum(a != b for a, b in zip(x, y, strict=True)) == differ):
                return Verdict.refuted(f"D = {x}, D' = {y}", domain="n <= 3", cases=decided)
    return Verdict.exhausted(
        domain="all pairs of datasets of n <= 3 users with three possible histograms each",
        cases=decided,
        note="replace-one, with n public; add-remove (one user more or less, n private) is the other relation, and every sensitivity, "
        "scale and bound here takes one of the two by name",
    )


@statement(
    "LSZKG22.Def3.2",
    says="(eps, delta)-DP: P(M(D) in S) <= e^eps P(M(D') in S) + delta for all neighbours and all S: hockey-stick divergence <= delta",
    range="eps >= 0, delta in [0, 1]",
    governs=["spec.distribution"],
    mutants={"the events are allowed twice the delta": {"delta_factor": F(2)}},
)
def definition_of_privacy(budget: Budget, *, delta_factor: Fraction = F(1)) -> Verdict:
    laws = [Distribution(dict(enumerate((F(a, 4), F(b, 4), F(4 - a - b, 4))))) for a in range(5) for b in range(5 - a)]
    cases = product(laws, laws, (F(1), F(3, 2), F(3)), (F(0), F(1, 8), F(1, 4)))
    found = exhaustive.for_all(
        cases,
        holds=lambda P, Q, E, delta: (
            indistinguishable(P, Q, exp_epsilon=E, delta=delta)
            == indistinguishable_on_all_events(P, Q, exp_epsilon=E, delta=delta * delta_factor)
        ),
    )
    return found.verdict(
        domain="all pairs of distributions on three outcomes with weights in quarters, e^eps = 1, 3/2, 3, delta = 0, 1/8, 1/4"
    )


@recalled(
    "LSZKG22.Sec3.1.clip",
    says="clip_p(x, C) = x min(1, C/||x||_p): below x, in the ball of radius C, and it takes away (||x||_1/||x||_p)(||x||_p - C)_+ in l1",
    range="x >= 0, C >= 0, p = 1, 2",
    governs=["spec.protocols.user_histogram"],
    grounds=[EXACT, SYMPY, "user-histograms#clipping-and-noise"],
    mutants={"one half more is taken away": {"extra": F(1, 2)}},
    missing="vectors beyond the enumerated ones: one scaling",
)
def clipping(budget: Budget, *, extra: Fraction = Fraction(0)) -> Verdict:
    """clip_p(h, C) = h min(1, C/||h||_p): in the ball, below h, and what it takes away has l1 norm (||h||_1/||h||_p)(||h||_p - C)_+."""
    thresholds = tuple(F(k, 2) for k in range(13))
    cases: list[tuple[tuple[int, ...], Norm, Fraction]] = [(h, 1, C) for h in histograms(d=3, most=3) for C in thresholds]
    cases += [(h, 2, C) for h in with_rational_norm(d=3, most=7) for C in thresholds]

    def holds(h: tuple[int, ...], p: Norm, C: Fraction) -> bool:
        kept, m = clip(h, p=p, C=C), norm(h, p=p)
        taken = [x - y for x, y in zip(h, kept, strict=True)]
        weight = norm(h, p=1) / m if m else F(0)
        return norm(kept, p=p) <= C and min(taken) >= 0 and sum(taken) == weight * max(m - C + extra, F(0))

    found = exhaustive.for_all(cases, holds=holds)
    x, m, C = sympy.symbols("x m C", positive=True)
    identity = symbolic.are_identical(x - x * C / m, (x / m) * (m - C))
    verdict = found.verdict(
        domain="all h and C: coordinate by coordinate x - x C/m = (x/m)(m - C); exhausted for d = 3, counts <= 3 (p = 1), <= 7 (p = 2, "
        "rational norms), C = 0, 1/2, ..., 6"
    )
    if not identity:
        return Verdict.undecided("the identity was not decided", domain="coordinate by coordinate", cases=1)
    return verdict


@statement(
    "LSZKG22.Sec3.2.poisson",
    where="Section 3.2, bias reduction",
    says="Poisson distributions are good approximations of Bin(n, p) where n p = l is constant: total variation at most l^2/n",
    range="0 <= l <= n",
    grounds=[BALLS, Cited("Le Cam, 1960")],
    mutants={"at most l^2/(8 n)": {"factor": F(1, 8)}},
)
def poisson_approximation(budget: Budget, *, factor: Fraction = Fraction(1)) -> Verdict:
    """TV(Bin(n, l/n), Poi(l)) <= factor l^2/n: the masses up to n, and all of what is beyond."""
    sizes, rates = (10, 30, 100, 300)[: budget.pick(quick=3, full=4)], (F(1, 10), F(1), F(3))

    def reached() -> Iterator[tuple[str, arb]]:
        for n, rate in product(sizes, rates):
            p, poisson, rest, distance = rate / n, (-ball(rate)).exp(), ball(1), ball(0)
            for k in range(n + 1):
                distance += abs(ball(comb(n, k) * p**k * (1 - p) ** (n - k)) - poisson)
                rest, poisson = rest - poisson, poisson * ball(rate) / (k + 1)
            yield f"n = {n}, l = {rate}", (distance + rest) / 2 / ball(factor * rate**2 / n)

    with precision(256):
        return at_most_claimed(reached(), domain=f"n in {sizes}, l = 1/10, 1, 3", slack="the distance is at most {} of the bound")


_SHARES = tuple(map(Fraction, ("0", "1/3", "1/2", "1")))


def _sum(rates: tuple[Fraction, ...]) -> Distribution[int]:
    """The number of users who hold the item, user i with probability rates[i]."""
    return convolution(*map(bernoulli, rates))


@derived(
    "LSZKG22.Sec1.one-item",
    where="Section 1: if each user has just one item",
    kind=Kind.READING,
    says="a reading: where each user has one item, a histogram of users with different distributions has the distribution of one whose "
    "users all draw from the common mixture: the sum of Ber(p_i) is Bin(n, mean of p_i)",
    range="n >= 1, d = 2",
    mutants={
        "the corrected statement with a larger variance": {"sign": -1},
        "the corrected statement for the sum of two mixtures": {"scale": 2},
    },
)
def one_item(budget: Budget, *, sign: int = 1, scale: int = 1) -> Verdict:
    """Users with rates p_i, against n users with their mean: the same expectation, and no larger a variance."""
    cases = [rates for n in range(1, budget.pick(quick=5, full=6)) for rates in product(_SHARES, repeat=n)]

    def holds(rates: tuple[Fraction, ...]) -> bool:
        own, mixed = moments(_sum(rates)), moments(_sum((sum(rates, Fraction(0)) / len(rates),) * len(rates)))
        return scale * own[0] == mixed[0] and sign * own[1] <= sign * mixed[1]

    found = exhaustive.for_all(cases, holds=holds)
    certain = _sum((Fraction(0), Fraction(1)))
    return erratum(
        witness="two users, one who always and one who never holds the item: their sum is 1 for sure, that of two draws from the mixture "
        "is Bin(2, 1/2)",
        is_witness=certain != _sum((Fraction(1, 2),) * 2) and certain == Distribution.point(1),
        corrected="the expectation is the same and the variance no larger, so an error bound that holds for the mixture by its variance "
        "holds; the distributions agree where the users are themselves drawn at random, with replacement",
        beside=found.verdict(domain=f"one witness; rates 0, 1/3, 1/2, 1 of n < {budget.pick(quick=5, full=6)} users"),
        cases=1 + found.cases,
    )
