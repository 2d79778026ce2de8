"""The two bins of the histogram: which pair of distributions every two neighbouring datasets give, and which event is best for it.

P, Q are the distributions of (1 + B_1, B_2) and (B_1, 1 + B_2), B_1, B_2 ~ Bin(N, g) independent with PMF b. As b(c)/b(c - 1) is
(N + 1 - c) g/(c (1 - g)), the likelihood ratio P/Q = b(u - 1) b(v)/(b(u) b(v - 1)) = u (N + 1 - v)/((N + 1 - u) v) has no g in it.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import sympy

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Coq, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.spec.bounds.noise import histogram as two_bins
from shuffleproof.spec.distribution import Distribution, binomial
from shuffleproof.spec.distribution import product as independent
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.privacy_profile import PrivacyProfile
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

    return exhaustive.for_all(cases(), holds=exhaustive.unpacked(holds)).verdict(
        domain="all n, all d >= 2 and all neighbours: the counts are independent, c_j(x) + Bin(n, p), and replacing one user's value "
        "lowers one c_j and raises another by one; bins with one distribution on both sides drop out, a shift by c_j is a bijection, and "
        f"exchanging the two bins exchanges the directions. All ordered pairs with n <= {users}, d <= {bins}, two p, from the messages "
        f"themselves",
        witness=lambda c: f"d = {c[0]}, x = {c[1]}, x' = {c[2]}, p = {c[3]}",
        note="with one bin neighbours differ in nothing, and delta is 0",
    )


@derived(
    "BC20.Thm3.2-one-event",
    says="the likelihood ratio of the two bins, u (N + 1 - v)/((N + 1 - u) v), does not depend on g: one event attains the divergence for "
    "all g",
    range="N >= 1, g in (0, 1), E >= 1",
    governs=["impl.ball.bounds.noise.histogram_sums", "impl.ball.bounds.noise.histogram"],
    grounds=[SYMPY, EXACT, "histograms#pieces-of-the-profile"],
    mutants={"u (N + 3 - v)/((N + 3 - u) v)": {"total": 3}},
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

    found = exhaustive.least_slack(product(range(1, most + 1), _NOISE, _ORDERS), slack=exhaustive.unpacked(slack))
    if not identity:
        at = Fraction(total, 2 * (1 + total))
        return Verdict.refuted(f"N = 2, u = 1, v = 2: the ratio is 1/4, and not {at}", domain="all N", cases=1)
    return found.verdict(
        domain=f"all N, g, E: the ratio as an identity; exact divergences at N <= {most}, five g, six orders",
        witness=lambda c: f"N = {c[0]}, g = {c[1]}, E = {c[2]}: the event has less than the divergence",
    )
