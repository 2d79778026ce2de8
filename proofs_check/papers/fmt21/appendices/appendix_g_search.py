"""FMT21, appendix G, second part: Algorithm 7, Proposition G.1, and whether the pair is a worst one.

T = e^eps0, E = e^eps, q = T/(T + 1). With k ones among the other users' data the pair is that of `others_with_ones`; the paper's is k = 0.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product

from shuffleproof.proofs_check.ledger import EXACT, Budget, Cited, Coq, Kind, Status, Verdict, derived, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.fmt21.appendices.block_sums import bin_s, bin_s_lower, bisect, order_at
from shuffleproof.spec.bounds.lower.binary_rr import pair
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, bernoulli, binomial, convolution, hockey_stick
from shuffleproof.spec.model import shuffled_distribution
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.vocabulary.scope import neighbouring_datasets

_LOCAL = tuple(map(Fraction, ("3/2", "2", "3", "9")))
_CENTRAL = tuple(map(Fraction, ("1", "9/8", "5/4", "3/2", "2", "5")))
Sums = tuple[Distribution[int], Distribution[int]]


@cache
def others_with_ones(*, n: int, k: int, T: Fraction) -> Sums:
    """The distributions of the number of reported ones when the first user holds 0, or 1, and k of the other n - 1 users hold 1."""
    q = T / (T + 1)
    others = convolution(binomial(n - 1 - k, 1 - q), binomial(k, q))
    return convolution(others, bernoulli(1 - q)), convolution(others, bernoulli(q))


@cache
def _divergence(n: int, k: int, T: Fraction, E: Fraction) -> Fraction:
    zero, one = others_with_ones(n=n, k=k, T=T)
    return max(hockey_stick(zero, one, exp_epsilon=E), hockey_stick(one, zero, exp_epsilon=E))


def _listed(case: tuple[object, ...] | None) -> str:
    return ", ".join(map(str, case or ()))


def _strictly_decreasing(budget: Budget) -> exhaustive.Enumeration[tuple[int, Fraction, Fraction]]:
    """M falls strictly until it is 0: for E' < E and S = {P > E Q}, D_E' >= P(S) - E' Q(S) = D_E + (E - E') Q(S).

    Here Q(S) > 0 if D_E > 0, for both distributions have the support {0, ..., n}.
    """
    cases = [(n, T, E) for n, T, E in product(range(1, budget.pick(quick=6, full=12)), _LOCAL, _CENTRAL) if E < T]
    return exhaustive.for_all(cases, holds=lambda case: _divergence(*_at(case)) > _divergence(*_at((case[0], case[1], case[2] + 1))))


def _at(case: tuple[int, Fraction, Fraction]) -> tuple[int, int, Fraction, Fraction]:
    return case[0], 0, case[1], case[2]


@statement(
    "FMT21.Alg7",
    where="Appendix G, Algorithm 7 and the text before Proposition G.1",
    says="for the duration of the algorithm the least eps at which c^0, c^1 are (eps, delta)-indistinguishable lies in [eps^L, eps^R]",
    range="n >= 1, eps0 > 0, delta in [0, 1], T >= 0",
    grounds=[
        "distributions-of-views#binary-response-on-homogeneous-data",
        Cited(
            "every outcome of the pair has positive probability under both distributions",
            "known-facts#outcomes-that-both-distributions-have",
        ),
        EXACT,
    ],
    mutants={"eps^R moves where delta_t > delta": {"moves_left": lambda middle, least: least > middle}},
    missing="that the profile falls strictly, and bisections of more than ten steps",
)
def algorithm_7(budget: Budget, *, moves_left: Callable[[Fraction, Fraction], bool] = lambda middle, least: least < middle) -> Verdict:
    """moves_left(midpoint, D): the answer to "M(eps_t) < delta?" where D is the least eps with M <= delta; D < midpoint for the statement.

    The midpoints are multiples of 2^-T, so a D on each multiple and between any two neighbours covers all D in [0, 1].
    """
    iterations = budget.pick(quick=7, full=10)
    decreasing = _strictly_decreasing(budget)

    def holds(rounds: int, least: Fraction) -> bool:
        run = bisect(moves_left=lambda x: moves_left(x, least), iterations=rounds)
        return all(left <= least <= right for left, right in run.history)

    cases = ((rounds, Fraction(j, 2 ** (rounds + 1))) for rounds in range(iterations + 1) for j in range(2 ** (rounds + 1) + 1))
    found = exhaustive.for_all(cases, holds=holds)
    domain = f"every place of D among the midpoints, ties included, T = 0, ..., {iterations}; every M that falls strictly until it is 0"
    if not found.holds:
        return Verdict.refuted(f"T, D/eps0 = {_listed(found.counterexample)}", domain=domain, cases=found.cases)
    return Verdict(
        status=Status.EXHAUSTED if decreasing.holds else Status.OPEN,
        domain=domain,
        cases=found.cases + decreasing.cases,
        note="at a tie M(eps_t) = delta > 0 the least eps is eps_t = eps^L; for delta = 0 it is eps0. Only eps >= 0 count",
    )


@derived(
    "FMT21.AppG.below-all",
    where="Appendix G, before Proposition G.1",
    says="a delta with which the shuffled messages of every eps0-DP randomizer of n users are (eps, delta)-DP is no smaller than either "
    "divergence of c^0 and c^1",
    range="n >= 1, eps >= 0, eps0 >= 0, in any ordered field",
    governs=["spec.bounds.lower.binary_rr"],
    grounds=[Coq("binary_pair_below", states="badd4435055a4b48")],
    mutants={"a hundredth more": {"factor": Fraction(101, 100)}},
)
def below_all(budget: Budget, *, factor: Fraction = Fraction(1)) -> Verdict:
    """factor: what the divergences are multiplied by, 1 for the statement."""

    def holds(n: int, T: Fraction, E: Fraction) -> bool:
        randomizer = binary_rr(exp_epsilon0=T)
        views = ([shuffled_distribution(randomizer, data) for data in pair] for pair in neighbouring_datasets(range(2), n=n))
        delta = max(hockey_stick(*each, exp_epsilon=E) for each in views)  # what holds for all randomizers holds for this one
        return delta >= factor * _divergence(n, 0, T, E)

    cases = list(product(range(1, budget.pick(quick=3, full=4) + 1), _LOCAL, (Fraction(1), Fraction(9, 8))))
    return exhaustive.for_all(cases, holds=holds).verdict(domain="all of it by Coq; 2RR itself, few users", witness=str)


Search = Callable[[Fraction, int, Callable[[Fraction], Fraction]], Fraction]


@statement(
    "FMT21.PropG.1",
    says="eps = BinSLower(eps0, delta, T, M) with M of equation (27) is at most eps_delta, the least eps at which A_s is (eps, delta)-DP",
    range="n in N, eps0 > 0, delta in [0, 1], T in N",
    governs=["spec.bounds.lower.binary_rr", "impl.ball.bounds.lower.binary_rr"],
    grounds=["distributions-of-views#binary-response-on-homogeneous-data", "FMT21.Alg7", "FMT21.Eq27", "FMT21.AppG.below-all", EXACT],
    mutants={"returns eps^R, as Algorithm 4 does": {"search": lambda delta, iterations, M: bin_s(delta=delta, iterations=iterations, M=M)}},
    missing="the pair beyond n = 9 and bisections of more than ten steps",
)
def proposition_g1(
    budget: Budget, *, search: Search = lambda delta, iterations, M: bin_s_lower(delta=delta, iterations=iterations, M=M)
) -> Verdict:
    """Algorithm 7 run exactly (e^eps0 = root^(2^k)) against the exact eps_delta over all neighbouring datasets, ties among the deltas."""
    largest = budget.pick(quick=5, full=9)

    def cases() -> Iterator[tuple[int, int, int, Fraction, int]]:
        for n, (root, halvings) in product((1, 2, largest), ((2, 3), (3, 2), (2, 1))):
            T = Fraction(root) ** 2**halvings
            ties = {
                _divergence(n, 0, T, order_at(Fraction(j, 4), root=Fraction(root), halvings=halvings)) for j in (1, 2, 3) if halvings > 1
            }
            levels = sorted({*map(Fraction, ("0", "1/1000", "1/20", "1/3", "1")), *ties})
            for delta, iterations in product(levels, range(halvings + 1)):
                yield n, root, halvings, delta, iterations

    def slack(n: int, root: int, halvings: int, delta: Fraction, iterations: int) -> Fraction:
        T = Fraction(root) ** 2**halvings

        def profile(x: Fraction) -> Fraction:
            return _divergence(n, 0, T, order_at(x, root=Fraction(root), halvings=halvings))

        returned = order_at(search(delta, iterations, profile), root=Fraction(root), halvings=halvings)
        exact = PrivacyProfile(*pair(n=n, exp_epsilon0=T)).exp_epsilon(delta=delta)
        assert exact is not None
        return exact - returned

    found = exhaustive.least_slack(cases(), slack=slack)
    domain = f"all n, eps0 > 0, delta in [0, 1], T >= 0, from Algorithm 7; run exactly for n <= {largest}, e^eps0 = 4, 81, 256, with ties"
    if found.holds:
        slack_text = f"least e^(eps_delta) - e^eps is {found.slack} (reached at ties, and for delta = 1)"
        note = "eps_delta is the largest over all pairs, so one pair bounds it from below; eps_delta is read as the least eps >= 0"
        return Verdict.exhausted(domain=domain, cases=found.cases, slack=slack_text, note=note)
    witness = f"n, root, k (e^eps0 = root^(2^k)), delta, T = {_listed(found.counterexample)}"
    return Verdict.refuted(witness, domain=domain, cases=found.cases)


@derived(
    "FMT21.AppG.remark-worst-pair",
    kind=Kind.READING,
    says="(0, ..., 0), (1, 0, ..., 0) is a worst pair for shuffled 2RR: its least eps is eps_delta (the paper claims a lower bound only)",
    range="n >= 1, eps0 > 0, delta in [0, 1]",
    governs=["spec.bounds.lower.binary_rr"],
    mutants={"corrected statement with k = 0 only": {"candidates": lambda n: range(1)}},
)
def worst_pair(budget: Budget, *, candidates: Callable[[int], range] = range) -> Verdict:
    """candidates(n): the numbers of ones among the others that are looked at, range(n) for the corrected statement."""
    users, all_data = budget.pick(quick=6, full=9), budget.pick(quick=4, full=5)

    def holds(n: int, T: Fraction, E: Fraction) -> bool:
        by_ones = [_divergence(n, k, T, E) for k in range(n)]
        if any(by_ones[k] != by_ones[n - 1 - k] for k in range(n)):
            return False
        found = max(by_ones[k] for k in candidates(n))
        if n > all_data:
            return found == max(by_ones)
        randomizer = binary_rr(exp_epsilon0=T)
        laws = [(shuffled_distribution(randomizer, x), shuffled_distribution(randomizer, y)) for x, y in neighbouring_datasets((0, 1), n=n)]
        return found == max(hockey_stick(a, b, exp_epsilon=E) for a, b in laws)

    cases = [(n, T, E) for n, T, E in product(range(1, users + 1), _LOCAL, _CENTRAL) if E < T]
    checked = exhaustive.for_all(cases, holds=holds)
    T = Fraction(2)
    here, worse = _divergence(3, 0, T, Fraction(1)), _divergence(3, 1, T, Fraction(1))
    loss = [PrivacyProfile(*others_with_ones(n=10, k=k, T=Fraction(3, 2))).exp_epsilon(delta=Fraction(1, 20)) for k in (0, 3)]
    at_zero, at_three = (float(value) for value in loss if value is not None)
    return erratum(
        witness=f"n = 3, e^eps0 = 2, eps = 0: {here} on (0,0,0)/(1,0,0) and {worse} on (0,1,0)/(1,1,0)",
        is_witness=here < worse,
        corrected="the largest divergence is over k = 0, ..., n - 1 ones among the other users; k and n - 1 - k give the same",
        beside=checked.verdict(domain=f"corrected: all neighbouring datasets for n <= {all_data}, all k for n <= {users}"),
        note="so the pair bounds eps_delta from below only; at n = 10, e^eps0 = 3/2, delta = 1/20 it gives "
        f"e^eps = {at_zero:.5f}, and k = 3 gives {at_three:.5f}",
    )
