"""Shuffled k-ary randomized response on actual neighbouring datasets: one pair for the lower side, and all of them for few users.

FMT21, section 4.1: the remarks on how the bound for k-ary randomized response depends on k and epsilon0.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import sympy

from shuffleproof.impl.ball.bounds.k_rr import k_rr_pairs
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Coq, Kind, Verdict, derived, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.spec.bounds.k_rr import k_rr_pair
from shuffleproof.spec.bounds.k_rr.k_rr_clones import dominating_pair, k_rr_parameters
from shuffleproof.spec.bounds.k_rr.k_rr_exhaustive import Others, classes_of_others, profile
from shuffleproof.spec.bounds.sums import bit_sum
from shuffleproof.spec.distribution import PrivacyProfile, hockey_stick
from shuffleproof.spec.model import shuffled_distribution
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.scope import neighbouring_datasets

_ORDERS = (Fraction(3, 2), Fraction(6))  # e^eps0: some privacy lost, and much
Case = tuple[int, int, Fraction]
"""n, k, T = e^eps0."""


def _profiles_agree(left: PrivacyProfile[Any], right: PrivacyProfile[Any]) -> bool:
    """The same delta at every order: both are piecewise linear between these."""
    return all(left.delta(exp_epsilon=E) == right.delta(exp_epsilon=E) for E in {Fraction(1), *left.corners(), *right.corners()})


@derived(
    "FMT21.Sec4.1.pair",
    says="the counts of reports 1, 2, 3 and others in shuffled kRR, (1, 3, ..., 3) and (2, 3, ..., 3) have the "
    "divergences of the outputs themselves: every (eps, delta) of shuffled kRR is at least theirs",
    range="all n, k >= 3, eps0",
    governs=["spec.bounds.k_rr.k_rr_pair", "impl.ball.bounds.k_rr.k_rr_pairs"],
    grounds=["distributions-of-views#k-ary-response", EXACT],
    mutants={"the others hold 1": {"third": 0}},
    missing="merging beyond n = 5 and k = 5; the bound itself needs data processing only",
)
def pair(budget: Budget, *, third: int = 2) -> Verdict:
    """third: the value that the other users hold, 2 (written 3 in the text) for the statement."""

    def holds(n: int, k: int, T: Fraction) -> bool:
        randomizer = k_rr(k=k, exp_epsilon0=T)
        laws = [shuffled_distribution(randomizer, (b, *(third,) * (n - 1))) for b in (0, 1)]
        merged = k_rr_pair.pair(n=n, k=k, exp_epsilon0=T)
        counted = [law.map(lambda z: (z.count(0), z.count(1), z.count(2), len(z) - sum(map(z.count, range(3))))) for law in laws]
        # the counts' distributions are equal, and merging has lost nothing
        return tuple(counted) == merged and _profiles_agree(PrivacyProfile(laws[0], laws[1]), PrivacyProfile(merged[0], merged[1]))

    cases = product(range(1, budget.pick(quick=4, full=6)), (3, 4, 5), _ORDERS)
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"n <= {budget.pick(quick=3, full=5)}, k = 3, 4, 5, e^eps0 = 3/2, 6; merging for every n: the other reports have equal "
        f"distributions",
        note="P = M (T a + b + s/T + t)/n, Q = M (a + T b + s/T + t)/n: the pair is its own mirror image, so one direction is both",
    )


def _unordered(domain: range, n: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Neighbouring datasets, sorted, each unordered pair once: the shuffler does not see the order of users."""
    seen = set()
    for x, y in neighbouring_datasets(domain, n=n):
        pair = frozenset((tuple(sorted(x)), tuple(sorted(y))))
        if len(pair) == 2 and pair not in seen:
            seen.add(pair)
            one, other = sorted(pair)
            yield one, other


@derived(
    "FMT21.Sec4.1.all-pairs",
    says="up to the users' order, the names of the values 3, ..., k and the exchange of 1 and 2, shuffled kRR has the listed classes of "
    "neighbouring pairs; the largest delta over them is its delta",
    range="all n, k >= 2, eps0, eps >= 0",
    governs=["spec.bounds.k_rr.k_rr_exhaustive"],
    grounds=["distributions-of-views#k-ary-response", EXACT],
    mutants={"only the first class of datasets": {"classes": 1}},
    missing="the symmetry beyond four users",
)
def all_pairs(budget: Budget, *, classes: int | None = None) -> Verdict:
    """classes: how many classes of datasets are kept; None keeps all, as the statement does."""

    def holds(n: int, k: int, T: Fraction) -> bool:
        randomizer = k_rr(k=k, exp_epsilon0=T)
        kept = list(classes_of_others(n=n, k=k))[:classes]
        few = [profile(others=others, k=k, exp_epsilon0=T) for others in kept]
        every = [PrivacyProfile(*(shuffled_distribution(randomizer, data) for data in pair)) for pair in _unordered(range(k), n)]
        orders = {E for each in (*few, *every) for E in (Fraction(1), *each.corners())}
        p, q = k_rr_parameters(k=k, exp_epsilon0=T)
        above = PrivacyProfile(*dominating_pair(n=n, p=p, q=q))
        worst = {E: max(each.delta(exp_epsilon=E) for each in few) for E in orders}
        exact = all(worst[E] == max(each.delta(exp_epsilon=E) for each in every) for E in orders)
        return exact and all(worst[E] <= above.delta(exp_epsilon=E) for E in orders if E < T)

    cases = [(n, k, T) for n, k in ((1, 2), (2, 2), (2, 3), (3, 2)) for T in _ORDERS] + [(3, 3, Fraction(6))]
    if budget.depth == "full":
        cases += [(3, 4, T) for T in _ORDERS] + [(4, 2, Fraction(6)), (4, 3, Fraction(6))]
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"all neighbours and orders, (n, k) = {', '.join(dict.fromkeys(f'({n}, {k})' for n, k, _ in cases))}, e^eps0 = 3/2, 6",
        note="for every n by symmetry of the shuffler and of kRR; the profiles' corners decide all orders. Theorem 4.1's pair is above all",
    )


@derived(
    "FMT21.Sec4.1.two-items.finite",
    says="for finitely many messages: of any randomizer of two values, kRR with k = 2 among them, the least delta of the shuffled reports "
    "over all neighbouring datasets is the largest over i = 0, ..., n - 1 of that of i and i + 1 users with the second value, both ways",
    range="all n >= 1, eps >= 0, randomizers of two values with finitely many messages, in any ordered field",
    governs=["spec.bounds.k_rr.k_rr_exhaustive"],
    grounds=[Coq("two_items_profile", states="235e552117ab45e4")],
    mutants={"nobody holds the second value": {"most": 1}},
)
def two_items(budget: Budget, *, most: int | None = None) -> Verdict:
    """most: how many of the numbers of users with the second value are kept, all for the statement."""

    def holds(n: int, T: Fraction, E: Fraction) -> bool:
        randomizer = k_rr(k=2, exp_epsilon0=T)

        def delta(*pair: tuple[int, ...]) -> Fraction:
            return max(
                hockey_stick(*(shuffled_distribution(randomizer, data) for data in order), exp_epsilon=E) for order in (pair, pair[::-1])
            )

        few = [delta((1,) * i + (0,) * (n - i), (1,) * (i + 1) + (0,) * (n - i - 1)) for i in range(n)]
        return max(few[:most]) == max(delta(*pair) for pair in neighbouring_datasets(range(2), n=n))

    cases = list(product(range(1, budget.pick(quick=3, full=4) + 1), _ORDERS, (Fraction(1), Fraction(5, 4))))
    return exhaustive.for_all(cases, holds=holds).verdict(domain="all of it by Coq; kRR with k = 2, three users", witness=str)


@derived(
    "FMT21.Sec4.1.binary",
    says="shuffled kRR with k = 2 has, over all neighbouring datasets, the deltas of the bit sum with lambda = 2n/(e^eps0 + 1); for "
    "a larger lambda they are no larger",
    range="all n, eps0 > 0, eps >= 0",
    governs=["impl.ball.bounds.k_rr.binary_rr_exhaustive", "impl.fast.bounds.k_rr.binary_rr_exhaustive"],
    mutants={"lambda = n/(e^eps0 + 1)": {"factor": Fraction(1)}, "for a larger lambda they are no smaller": {"sign": -1}},
)
def binary(budget: Budget, *, factor: Fraction = Fraction(2), sign: int = 1) -> Verdict:
    """Every delta of both, at the corners of all their profiles, and with a tenth more noise."""
    largest = budget.pick(quick=3, full=5)

    def holds(n: int, T: Fraction) -> bool:
        lam = factor * n / (T + 1)
        few: list[PrivacyProfile[Any]] = [profile(others=others, k=2, exp_epsilon0=T) for others in classes_of_others(n=n, k=2)]
        bits: list[PrivacyProfile[Any]] = [*bit_sum.profiles(n=n, lam=lam)]
        noisier: list[PrivacyProfile[Any]] = [*bit_sum.profiles(n=n, lam=lam + (n - lam) / 10)]
        orders = {E for each in (*few, *bits) for E in (Fraction(1), *each.corners())}
        every: tuple[list[PrivacyProfile[Any]], ...] = (few, bits, noisier)
        worst = [[max(each.delta(exp_epsilon=E) for each in some) for E in orders] for some in every]
        return worst[0] == worst[1] and all(sign * (less - more) >= 0 for less, more in zip(worst[1], worst[2], strict=True))

    cases = product(range(1, largest + 1), _ORDERS)
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"n <= {largest}, e^eps0 = 3/2, 6, all classes of datasets, all orders",
        note="for all n: a report is the bit flipped with probability 1/(e^eps0 + 1) = lambda/(2n), the number of ones says "
        "the multiset of messages, and flipping every message once more with a small probability is post-processing",
    )


@derived(
    "FMT21.Sec4.1.worst-pair",
    kind=Kind.READING,
    says="(1, 3, ..., 3) and (2, 3, ..., 3) are the worst neighbours for shuffled kRR",
    range="all n, k >= 3, eps0, eps",
    governs=["spec.bounds.k_rr.k_rr_pair"],
    mutants={"corrected statement for all others": {"everywhere": True}},
)
def worst_pair(budget: Budget, *, everywhere: bool = False) -> Verdict:
    """everywhere: drop the restriction of the corrected statement to others that avoid 1 and 2."""
    k, T, E = 3, Fraction(3), Fraction(5, 2)
    alone, beside = (profile(others=others, k=k, exp_epsilon0=T).delta(exp_epsilon=E) for others in ((2,), (0,)))

    def slack(case: tuple[Case, Others]) -> Fraction:
        (users, categories, order), others = case
        equal = profile(others=(2,) * (users - 1), k=categories, exp_epsilon0=order)
        other = profile(others=others, k=categories, exp_epsilon0=order)
        orders = {Fraction(1), *equal.corners(), *other.corners()}
        return min(equal.delta(exp_epsilon=E) - other.delta(exp_epsilon=E) for E in orders)

    largest = budget.pick(quick=4, full=5)
    settings = product(range(2, largest + 1), (3, 4, 5), _ORDERS)
    cases = ((c, o) for c in settings for o in classes_of_others(n=c[0], k=c[1]) if everywhere or not {0, 1} & set(o))
    found = exhaustive.least_slack(cases, slack=slack)
    return erratum(
        witness=f"n = 2, k = 3, e^eps0 = 3, e^eps = 5/2: (1, 1) and (2, 1) have delta {beside}, (1, 3) and (2, 3) only {alone}",
        is_witness=beside > alone,
        corrected=f"among others that hold neither 1 nor 2, equal values are worst (n <= {largest}, k <= 5); near eps0, others with 1",
        beside=found.verdict(domain=f"n <= {largest}, k = 3, 4, 5, e^eps0 = 3/2, 6, all classes of datasets and all orders"),
        cases=found.cases + 1,
        note="so this pair gives a lower side only",
    )


def _deltas_fall(ks: Sequence[int]) -> bool:
    """The certified delta of Theorem 4.1's pair falls in k, at n = 10^4, eps0 = 3, eps = 1/10."""
    bounds = [k_rr_pairs.CLONES.delta(n=10**4, k=k, epsilon0=3, epsilon=Fraction(1, 10), digits=4) for k in ks]
    return all(left.lower > right.upper for left, right in pairwise(bounds))


@statement(
    "FMT21.Sec4.1.remark-improves",
    where="Sections 1 and 4",
    says="the amplification of kRR, as bounded by (11), improves with k for a fixed eps0",
    range="all k, eps0, n, delta",
    governs=["spec.bounds.k_rr.k_rr_clones"],
    grounds=[SYMPY, BALLS],
    weaker={"factor": "smaller"},
    mutants={"the squared leading term falls by 2 when k doubles": {"factor": 3}},
)
def improves(budget: Budget, *, factor: int = 1) -> Verdict:
    """factor: (11)'s leading term, squared, falls by this factor when k doubles; 1 for the statement."""
    T, k = sympy.symbols("T k", positive=True)
    leading, rest = (k + 1) / (k * (T + k - 1)), (k + 1) / k
    falls = [
        symbolic.is_nonnegative(leading - leading.subs(k, k + 1), at_least={T: 1, k: 1}, strict=True),
        symbolic.is_nonnegative(rest - rest.subs(k, k + 1), at_least={k: 1}, strict=True),
        symbolic.is_nonnegative(leading - factor * leading.subs(k, 2 * k), at_least={T: 1, k: 1}),
        _deltas_fall((2, 3, 5, 10, 30, 100)),
        _deltas_fall((10**4, 10**3)),
    ]
    return Verdict.proved(
        domain="equation (11): all k >= 1, eps0 >= 0, by algebra; the pair's certified delta at k = 2, ..., 100 for n = 10^4, eps0 = 3",
        cases=len(falls),
        note="not without end: the second term stays above 4 (T-1)/n, the condition on n grows like k (FMT21.Cor4.2-condition), and the "
        "numerical bound has its best k: at n = 10^4, eps0 = 3, eps = 0.1 it rises from k = 10^3 to 10^4, since p falls like 1/k and the "
        "pair runs out of clones",
        against=None if all(falls) else "k = 1, T = 1: the leading term falls by less",
    )


@statement(
    "FMT21.Sec4.1.remark-small-k",
    where="Section 4.1, after Corollary 4.2",
    says="when k is small, (11) matches the bound of Theorem 3.1: made explicit, for k = 2 each of its two terms is between 3/4 and 3/2 of "
    "that of (1)",
    range="k = 2, all eps0 >= 0, n, delta",
    grounds=[SYMPY],
    mutants={"between 0.76 and 3/2": {"least": Fraction(76, 100)}},
)
def small_k(budget: Budget, *, least: Fraction = Fraction(3, 4)) -> Verdict:
    """The two terms of (11) at k = 2 over those of (1): squares of the leading ones, and the rest."""
    T = sympy.Symbol("T", positive=True)
    leading = (32 * sympy.Rational(3, 2) / (T + 1)) / (64 * T / (T + 1) ** 2)
    rest = sympy.Integer(6) / (8 * T / (T + 1))
    low = sympy.Rational(least.numerator, least.denominator)
    bounds = [
        symbolic.is_nonnegative(term - below, at_least={T: 1}) and symbolic.is_nonnegative(above - term, at_least={T: 1})
        for term, below, above in ((leading, low**2, sympy.Rational(9, 4)), (rest, low, sympy.Rational(3, 2)))
    ]
    domain = "k = 2, all eps0 >= 0, n, delta: each of the two terms"
    if not all(bounds):
        return Verdict.refuted("e^eps0 = 1000: the second terms have the ratio 0.75 (T+1)/T = 0.75075", domain=domain, cases=2)
    note = "the ratios are sqrt(3 (T+1)/(4 T)) and 3 (T+1)/(4 T): (11) is the larger for small eps0, the smaller for large"
    return Verdict.proved(domain=domain, cases=4, note=note)


@statement(
    "FMT21.Sec4.1.remark-large-k",
    where="Section 4.1, after Corollary 4.2",
    kind=Kind.PART,
    says="when k and eps0 are large, eps scales like e^eps0/sqrt(kn)",
    range="large k and eps0",
    grounds=[SYMPY],
    mutants={"corrected statement with a constant of at least 1": {"most": 1}},
)
def large_k(budget: Budget, *, most: int = 2) -> Verdict:
    """Leading term squared: (T-1)^2 32 (k+1) L/((T+k-1) k n), against (T-1)^2 32 L/(max(T, k) n)."""
    k = sympy.Symbol("k", positive=True)
    # with m the larger and s the smaller of T and k, both at least 1
    m, s = sympy.symbols("m s", positive=True)
    ratio = m / (m + s - 1) * (1 + 1 / k)
    rest = m / (m + s - 1)
    bounded = [
        symbolic.is_nonnegative((sympy.Integer(1) - rest), at_least={m: 1, s: 1}),
        symbolic.is_nonnegative((rest - sympy.Rational(1, most)).subs(m, s + m), at_least={m: 0, s: 1}),
        symbolic.are_identical(ratio / rest, 1 + 1 / k),
    ]
    big, small = (sympy.Rational(10**4 * (10**4 + 1), (order + 10**4 - 1) * 10**4) for order in (10**8, 10**4))
    return erratum(
        witness="k = 10^4: from e^eps0 = 10^4 to 10^8 the leading term of (11) over e^eps0/sqrt(kn) falls by a factor above 70",
        is_witness=small > 70**2 * big,
        corrected="the leading term of (11) is (e^eps0 - 1)/sqrt(max(e^eps0, k) n) times 4 sqrt(2 ln(4/delta)) and a constant in "
        "[0.7, 1.42]: like e^eps0/sqrt(kn) for k >= e^eps0, like e^(eps0/2)/sqrt(n) for k <= e^eps0",
        counterexample=None if all(bounded) else "T = k = m: m/(2m-1) comes down to 1/2, below what is claimed",
        domain="all k, eps0 by algebra",
        cases=len(bounded) + 1,
    )
