"""FMT21, section 4: remarks on Theorems 4.1 and 3.1; with sections 2 and 3.1 and appendix D, symbols and indices that are misprinted."""

from fractions import Fraction
from itertools import product

import sympy
from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Kind, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.random_randomizers import Randomizer, described, exp_epsilon0s, randomizers
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import binary_components
from shuffleproof.proofs_check.papers.fmt21.k_rr.section4_reduction import left_over_of_three
from shuffleproof.spec.bounds.clones.clones import dominating_pair as clones_pair
from shuffleproof.spec.bounds.k_rr.k_rr_clones import dominating_pair
from shuffleproof.spec.bounds.lower.leaking_response import leaking_response
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, hockey_stick, mixture, multinomial, total_variation
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.binary_rr import binary_rr

_LEAK = Fraction(1, 10)
"""A probability that is far from rounding and leaves most of a distribution as it is."""


@statement(
    "FMT21.Sec2.symbol-epsilon",
    where="Section 2, after Definition 2.2",
    kind=Kind.MISPRINT,
    says="a single pass eps0-DP local protocol is, equivalently, a sequence of algorithms such that R^(i)(z_(1:i-1), .) is an "
    "(eps, delta)-DP local randomizer for all z_(1:i-1)",
    range="eps0, eps >= 0, delta in [0, 1]",
    mutants={"corrected statement with 2 eps0 for the transcript": {"power": 2}},
)
def symbol_epsilon(budget: Budget, *, power: int = 1) -> Verdict:
    """One message that reveals its bit rarely is (eps, delta)-DP, and no eps0-DP transcript; the largest ratios are those of the steps."""
    leaking = leaking_response(k=2, exp_epsilon0=Fraction(3), delta0=_LEAK)
    is_approximate = hockey_stick(leaking.distribution(0), leaking.distribution(1), exp_epsilon=Fraction(3)) <= _LEAK
    apart = hockey_stick(leaking.distribution(0), leaking.distribution(1), exp_epsilon=Fraction(10**9))

    def is_reached(case: tuple[Fraction, ...]) -> bool:
        first, after_0, after_1 = ([[(T if x == y else 1) / (T + 1) for y in range(2)] for x in range(2)] for T in case)
        laws = {
            x: {(y, z): first[x[0]][y] * (after_1 if y else after_0)[x[1]][z] for y, z in product(range(2), repeat=2)}
            for x in product(range(2), repeat=2)
        }
        pairs = [(x, w) for x, w in product(laws, repeat=2) if sum(a != b for a, b in zip(x, w, strict=True)) == 1]
        return max(laws[x][z] / laws[w][z] for x, w in pairs for z in laws[x]) == max(case) ** power

    found = exhaustive.for_all(list(product((Fraction(1), Fraction(3, 2), Fraction(4)), repeat=3)), holds=is_reached)
    return erratum(
        witness=f"n = 1, binary response with e^eps0 = 3 that reveals its bit with probability {_LEAK}: (ln 3, {_LEAK})-DP, and D_E of "
        f"both transcripts is at least {_LEAK}, whatever E",
        is_witness=is_approximate and apart >= _LEAK,
        corrected="R^(i)(z_(1:i-1), .) is an eps0-DP local randomizer for all z_(1:i-1), as in Theorem 3.1; for (eps, delta) see "
        "FMT21.Sec2.remark-local-protocol",
        beside=found.verdict(domain="one randomizer; two users, 27 adaptive pairs of binary responses, all neighbouring data"),
        cases=found.cases + 1,
    )


@statement(
    "FMT21.Sec3.1.symbol-A",
    where="Section 3.1, second paragraph",
    kind=Kind.MISPRINT,
    says="for any (eps0, delta0)-DP randomizer A there is an eps0'-DP randomizer, named A as well, that is delta0' close to A",
    range="eps0 >= 0, delta0 in [0, 1]",
    grounds=["FMT21.Lem3.7", EXACT],
    mutants={"corrected statement with delta0/2": {"share": Fraction(1, 2)}},
)
def symbol_a(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """Response that reveals its input with probability delta0 has no eps0'; what shows a response in its place is delta0 close to it."""
    leaking = leaking_response(k=2, exp_epsilon0=Fraction(3), delta0=_LEAK)
    apart = hockey_stick(leaking.distribution(0), leaking.distribution(1), exp_epsilon=Fraction(10**9))

    def is_close(k: int, T: Fraction, delta0: Fraction) -> bool:
        tells, plain = (leaking_response(k=k, exp_epsilon0=T, delta0=each) for each in (delta0, Fraction(0)))
        pure = all(hockey_stick(plain.distribution(x), plain.distribution(z), exp_epsilon=T) == 0 for x, z in product(range(k), repeat=2))
        return pure and all(total_variation(tells.distribution(x), plain.distribution(x)) <= share * delta0 for x in range(k))

    cases = list(product((2, 3, 5), (Fraction(1), Fraction(3), Fraction(9)), (Fraction(0), _LEAK, Fraction(1, 2), Fraction(1))))
    found = exhaustive.for_all(cases, holds=is_close)
    return erratum(
        witness=f"binary response with e^eps0 = 3 that reveals its bit with probability {_LEAK}: D_E of both inputs is at least {_LEAK}, "
        "whatever E",
        is_witness=apart >= _LEAK,
        corrected="another randomizer A' that is eps0'-DP, and TV(A(x), A'(x)) <= delta0'; with deletion in the place of replacement, "
        "FMT21.Lem3.7",
        beside=found.verdict(domain="one randomizer; response that reveals its input, three k, three eps0, four delta0"),
        cases=found.cases + 1,
    )


@statement(
    "FMT21.Sec4.symbol-index",
    where="Section 4, before Theorem 4.1",
    kind=Kind.MISPRINT,
    says="the probabilities of a multinomial distribution are such that the sum of p_k over i in [k] is 1",
    range="n >= 0, k >= 1, p_1, ..., p_k >= 0",
    mutants={"corrected statement with p_k left out": {"last": 1}},
)
def symbol_index(budget: Budget, *, last: int = 0) -> Verdict:
    """last: how many of the last probabilities are left out of the sum."""
    largest = budget.pick(quick=4, full=6)
    at = Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)

    def is_distribution(n: int, parts: tuple[int, ...]) -> bool:
        p = [Fraction(part, sum(parts)) for part in parts]
        law = multinomial(n, p)
        alone = [sum((mass for counts, mass in law.items() if counts[i] == n), Fraction(0)) for i in range(len(p))]
        return n == 0 or (alone == [each**n for each in p] and sum([*p, *p][: len(p) - last]) == 1)

    cases = [(n, parts) for n in range(largest + 1) for parts in product(range(3), repeat=3) if sum(parts)]
    found = exhaustive.for_all(cases, holds=is_distribution)
    return erratum(
        witness="k = 3, p = (1/2, 1/4, 1/4), which are probabilities: the sum of p_3 over three i is 3/4",
        is_witness=sum(at) == 1 != len(at) * at[-1],
        corrected="the sum of p_i over i in [k] is 1",
        beside=found.verdict(domain=f"one p; n <= {largest}, k = 3, p in fifths and less"),
        cases=found.cases + 1,
    )


@statement(
    "FMT21.AppD.step-sample",
    where="Appendix D, postprocessing",
    kind=Kind.MISPRINT,
    says="a sample (a, b) of P = (A' + 1, B') or Q = (A', B' + 1), (A', B', .) ~ MultNom(n-1; p, p, 1-2p), is in [n] x [n]",
    range="n >= 1, p in (0, 1/2]",
    grounds=["FMT21.AppD.step-thinning", EXACT],
    mutants={"corrected statement with a + b <= n - 1": {"fewer": 1}},
)
def sample_range(budget: Budget, *, fewer: int = 0) -> Verdict:
    """fewer: how many fewer than n the two counts are at most."""
    largest = budget.pick(quick=5, full=9)

    def counts(n: int, p: Fraction) -> set[tuple[int, int]]:
        others = multinomial(n - 1, [p, p, 1 - 2 * p]).support
        return {pair for a, b, _ in others for pair in ((a + 1, b), (a, b + 1))}

    cases = list(product(range(1, largest + 1), (Fraction(1, 3), Fraction(1, 5), Fraction(1, 2))))
    found = exhaustive.for_all(cases, holds=lambda case: all(a >= 0 and b >= 0 and 1 <= a + b <= case[0] - fewer for a, b in counts(*case)))
    return erratum(
        witness="n = 1: P is (1, 0) and Q is (0, 1), and 0 is not in [1]",
        is_witness=counts(1, Fraction(1, 3)) == {(1, 0), (0, 1)},
        corrected="(a, b) in {0, ..., n}^2 with 1 <= a + b <= n, for which Bin(n - a - b, p/(1 - 2p)) is defined",
        beside=found.verdict(domain=f"one n; n <= {largest}, p = 1/3, 1/5, 1/2"),
        cases=found.cases + 1,
    )


_T = sympy.Symbol("T", positive=True)


def _largest_distance(randomizer: Randomizer) -> Fraction:
    domain = randomizer.domain
    return max(total_variation(randomizer.distribution(x), randomizer.distribution(other)) for x in domain for other in domain)


@statement(
    "FMT21.Sec4.remark-total-variation",
    where="Section 4, before Theorem 4.1",
    kind=Kind.MISPRINT,
    says="R(x_1^0) and R(x_1^1) have total variation less than 2/(e^eps0 + 1), which is implied by R being eps0-DP",
    range="all eps0-DP randomizers, eps0 >= 0",
    governs=["spec.distribution"],
    grounds=[EXACT, "BEYOND.LemL0"],
    mutants={"corrected statement with 0.99 (e^eps0 - 1)/(e^eps0 + 1)": {"share": Fraction(99, 100)}},
)
def total_variation_remark(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """share: of (T - 1)/(T + 1) in the corrected statement."""
    T = Fraction(4)
    randomizer = binary_rr(exp_epsilon0=T)
    distance = total_variation(randomizer.distribution(0), randomizer.distribution(1))
    found = sampled.least_slack(
        exp_epsilon0s().flatmap(lambda order: randomizers(exp_epsilon0=order).map(lambda drawn: (order, drawn))),
        slack=lambda case: share * (case[0] - 1) / (case[0] + 1) - _largest_distance(case[1]),
        budget=budget,
        quick=60,
        full=600,
    )
    against = found.counterexample
    if against is None and share < 1:  # binary randomized response attains the corrected bound
        against = (T, randomizer)
    return erratum(
        witness=f"2RR with e^eps0 = 4 has total variation {distance}, not less than 2/(e^eps0 + 1) = 2/5",
        is_witness=randomizer.exp_epsilon0() == T and distance >= 2 / (T + 1),
        corrected="eps0-DP implies TV <= (e^eps0 - 1)/(e^eps0 + 1) = 1 - 2/(e^eps0 + 1), attained by 2RR, and q of (8) can be the TV; "
        "2/(e^eps0 + 1) is the weight of the common part. The printed bound is right, not strictly, for e^eps0 <= 3 only",
        counterexample=None if against is None else f"e^eps0 = {against[0]}, R = {described(against[1])}",
        domain="2RR at e^eps0 = 4; the corrected bound on random randomizers (in general: BEYOND.LemL0)",
        cases=found.cases + 1,
    )


def _decomposes(case: tuple[Fraction, Randomizer], *, share: Fraction) -> bool:
    """Equations (8) and (9) for p = share/(3 T), q = (T - 1)/(T + 1), Q_1(x_1^b) = Q(x_1^b) of Lemma 3.4, Q_0 their mean."""
    T, randomizer = case
    Q = binary_components(randomizer.distribution(0), randomizer.distribution(1), exp_epsilon0=T)
    middle = mixture([(Fraction(1, 2), Q[0]), (Fraction(1, 2), Q[1])])
    q = (T - 1) / (T + 1)
    if any(mixture([(q, Q[b]), (1 - q, middle)]) != randomizer.distribution(b) for b in (0, 1)):
        return False
    p = share / (3 * T)
    parts = (Q[0], Q[1], middle)
    needed = {y: p * sum((part[y] for part in parts), Fraction(0)) for y in randomizer.messages}
    if any(needed[y] > randomizer.distribution(2)[y] for y in needed):
        return False
    rest = left_over_of_three(randomizer.distribution(2), parts, p=p) if 3 * p < 1 else middle
    return mixture([*((p, part) for part in parts), (1 - 3 * p, rest)]) == randomizer.distribution(2)


@statement(
    "FMT21.Sec4.rederivation",
    where="Section 4, after Theorem 4.1",
    says="eps0-DP randomizers satisfy (8) and (9) with q = (T-1)/(T+1), p = 1/(3T), so for eps0 <= ln(n/(24 ln(2/delta))) "
    "eps <= ln(1 + (T-1)/(T+1) (4 sqrt(6 T ln(4/delta)/n) + 12 T/n)), T = e^eps0",
    range="all eps0 >= 0, eps0-DP randomizers, n, delta with that condition",
    grounds=[SYMPY, "FMT21.Lem3.4", "FMT21.Sec3.left-over", "FMT21.Thm4.1-bound"],
    weaker={"share": "smaller"},
    mutants={"p = 2/(5T) for p = 1/(3T)": {"share": Fraction(6, 5), "condition": 20}, "the condition with 16 for 24": {"condition": 16}},
)
def rederivation(budget: Budget, *, share: Fraction = Fraction(1), condition: int = 24) -> Verdict:
    """share: of p = 1/(3 T); condition: the constant of eps0 <= ln(n/(condition ln(2/delta)))."""
    T = _T
    n, log_term = sympy.symbols("n L", positive=True)
    p = sympy.Rational(share.numerator, share.denominator) / (3 * T)
    identities = [
        # sums of the weights of Q(x_1^0) in (2) and in its split; (10) at this p, squared root and rest; the condition
        symbolic.is_nonnegative(sympy.expand(T * (1 / (2 * T) - (p / 2 + p)))),
        symbolic.are_identical(16 * 2 * log_term / (p * n), 16 * 6 * T * log_term / (share.numerator * n) * share.denominator),
        symbolic.are_identical(4 / (p * n), 12 * T / n * share.denominator / share.numerator),
        symbolic.are_identical((p * n - 8 * log_term) * 3 * T, share.numerator * n / share.denominator - condition * T * log_term),
    ]
    cases = exp_epsilon0s().flatmap(lambda order: randomizers(exp_epsilon0=order, outputs=2).map(lambda drawn: (order, drawn)))
    # x = 2 of an extreme randomizer: 2RR with a third input treated like x_1^1, where the decomposition has nothing to spare
    laws = {x: Distribution({y: Fraction(1 + 2 * (y == (x > 0)), 4) for y in (0, 1)}) for x in range(3)}
    tight = (Fraction(3), LocalRandomizer(range(3), laws))
    found = sampled.for_all(cases, holds=lambda case: _decomposes(case, share=share), budget=budget, quick=60, full=600)
    against = found.counterexample or (None if _decomposes(tight, share=share) else tight)
    domain = "all eps0-DP randomizers, n, delta: identities in e^eps0"
    if not all(identities) or against is not None:
        witness = f"e^eps0 = {against[0]}, R = {described(against[1])}" if against else f"identity {identities.index(False) + 1} fails"
        return Verdict.refuted(witness, domain=domain, cases=found.cases)
    return Verdict.proved(
        domain=domain,
        cases=len(identities),
        note=f"spec agrees on {found.cases} random randomizers. Misprint: `x_0^0 != x_1^1` is x_1^0 != x_1^1. The condition, with 24 for "
        "16, is stronger than Theorem 3.1's; with FMT21.Thm4.1-condition 7.55 is enough",
    )


def _brackets(T: arb, n: int, delta: arb) -> tuple[arb, arb]:
    """The brackets of equation (1) and of the rederived bound."""
    L = (4 / delta).log()
    return 8 * (T * L / n).sqrt() + 8 * T / n, 4 * (6 * T * L / n).sqrt() + 12 * T / n


def _pair_is_worse(budget: Budget) -> exhaustive.Enumeration[tuple[int, Fraction, Fraction]]:
    """D of the pair of Theorem 4.1 with p = 1/(3T), q = (T-1)/(T+1), minus D of the clones pair, at the corners of the latter.

    The general form has fewer clones: two of its three components are clones, and all three together are 1/T.
    """
    orders = (Fraction(3, 2), Fraction(3), Fraction(10))
    cases = []
    for n, T in product(range(1, budget.pick(quick=4, full=7)), orders):
        clones = clones_pair(n=n, exp_epsilon0=T)
        general = dominating_pair(n=n, p=1 / (3 * T), q=(T - 1) / (T + 1))
        for E in (Fraction(1), *PrivacyProfile(*clones).corners()):
            cases.append((n, T, hockey_stick(*general, exp_epsilon=E) - hockey_stick(*clones, exp_epsilon=E)))
    return exhaustive.least_slack(cases, slack=lambda case: case[2])


@statement(
    "FMT21.Sec4.rederivation-factor",
    where="Section 4, after Theorem 4.1",
    kind=Kind.PART,
    says="the rederived bound matches that of Theorem 3.1 up to a factor of sqrt(3/2): e^eps - 1 is 4 sqrt(6 T ln(4/delta)/n) + 12 T/n to "
    "8 sqrt(T ln(4/delta)/n) + 8 T/n, T = e^eps0",
    range="all eps0 >= 0, n, delta in both ranges",
    grounds=[BALLS, EXACT, SYMPY],
    mutants={"corrected statement with 1.27 for 1.273": {"largest": Fraction(127, 100)}},
)
def rederivation_factor(budget: Budget, *, largest: Fraction = Fraction(1273, 1000)) -> Verdict:
    """The brackets' ratio (4 sqrt 6 + 12 v)/(8 + 8 v) grows with v = sqrt(T/(n ln(4/delta))) <= 1/sqrt(24 ln 2 ln 4) in the range."""
    T, n, level = ball(Fraction(11, 10)), 37, ball(Fraction(1, 2))
    in_range = bool(24 * T * (2 / level).log() <= n)
    q = (T - 1) / (T + 1)
    first, second = ((1 + q * bracket).log() for bracket in _brackets(T, n, level))
    exceeds = in_range and bool(second > ball(Fraction(3, 2)).sqrt() * first)
    v = 1 / (24 * ball(2).log() * ball(4).log()).sqrt()
    bounded = bool((4 * ball(6).sqrt() + 12 * v) / (8 + 8 * v) <= ball(largest))
    inner = [second / first for first, second in (_brackets(ball(2), 34, ball(1)),)]
    beyond = bool(inner[0] > ball(largest))
    x = sympy.Symbol("v", nonnegative=True)
    growing = symbolic.is_nonnegative(sympy.diff((sympy.Rational(979, 100) + 12 * x) / (8 + 8 * x), x), at_least={x: 0})  # 4 sqrt 6 < 12
    worse = _pair_is_worse(budget)
    failing = "T = 2, n = 34, delta = 1: the brackets differ by more" if beyond else None if bounded and growing else "not decided"
    return erratum(
        witness="e^eps0 = 11/10, n = 37, delta = 1/2, in both ranges: the rederived eps is more than sqrt(3/2) times that of Theorem 3.1",
        is_witness=exceeds,
        corrected="the leading terms differ by the factor sqrt(3/2), those in T/n by 3/2: in the range eps is at most 1.273 times as large",
        counterexample=failing or (None if worse.holds else f"pairs: {worse.counterexample}"),
        domain="all T, n, delta in the range by algebra; exact pairs for small n",
        cases=worse.cases + 2,
        note="the exact profile of Theorem 4.1's pair with these p and q is never below the clones pair's "
        f"({worse.cases} exact comparisons): here the general form loses",
    )
