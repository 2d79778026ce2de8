"""FMT21, appendix D: the steps from Theorem 4.1's pair to Lemma A.1.

FMT21, appendix E: the steps of the proof of Corollary 4.2, the adaptive case that they miss, and what holds instead.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain, product

import sympy

from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Coq, Kind, Verdict, derived, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import clone_counts
from shuffleproof.spec.bounds.k_rr.k_rr_clones import Counts, dominating_pair, k_rr_parameters
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, binomial, hockey_stick, mixture, multinomial
from shuffleproof.spec.model import LocalRandomizer, adaptive_shuffled_distribution
from shuffleproof.spec.randomizers.k_rr import k_rr

_PARAMETERS = (Fraction(1, 3), Fraction(1, 5), Fraction(2, 7))  # probabilities, none of them 1/2, which could hide an exchange


def components(n: int, p: Fraction) -> tuple[Distribution[Counts], Distribution[Counts], Distribution[Counts]]:
    """kappa_1^0, kappa_1^1 and kappa_0: (A+1, B, C), (A, B+1, C) and (A, B, C+1) for (A, B, C, .) ~ MultNom(n-1; p, p, p, 1-3p)."""
    others = multinomial(n - 1, [p, p, p, 1 - 3 * p])
    first, second, third = (others.map(lambda y, k=k: _raised(y, k)) for k in range(3))  # type: ignore[misc]
    return first, second, third


def _raised(counts: tuple[int, ...], kind: int) -> Counts:
    a, b, c = (number + (i == kind) for i, number in enumerate(counts[:3]))
    return a, b, c


@statement(
    "FMT21.AppD.step-thinning",
    says="with P = (A'+1, B'), Q = (A', B'+1), (A', B', .) ~ MultNom(n-1; p, p, 1-2p), drawing c ~ Bin(n-a-b, p/(1-2p)) turns (P, Q) into "
    "(kappa_1^0, kappa_1^1), and with the coordinates permuted into (kappa_1^b, kappa_0)",
    range="all n, p in (0, 1/3]",
    governs=["spec.bounds.k_rr.k_rr_clones"],
    grounds=["distributions-of-views#thinning-and-mixing-counts", SYMPY, EXACT],
    mutants={"c ~ Bin(n - a - b + 1, p/(1-2p))": {"shift": 1}},
    missing="the step from equal masses to equal distributions, beyond n = 6",
)
def thinning(budget: Budget, *, shift: int = 0) -> Verdict:
    """shift: added to n - a - b in the binomial."""
    largest = budget.pick(quick=4, full=6)
    # the pair that (P, Q) turns into, among kappa_1^0, kappa_1^1, kappa_0, by where a, b, c are put
    orders: dict[tuple[int, int], Callable[[int, int, int], Counts]] = {
        (0, 1): lambda a, b, c: (a, b, c),
        (0, 2): lambda a, b, c: (a, c, b),
        (1, 2): lambda a, b, c: (c, a, b),
    }

    def holds(n: int, p: Fraction, which: tuple[int, int]) -> bool:
        place = orders[which]

        def extended(y: tuple[int, int]) -> Distribution[Counts]:
            return binomial(n - sum(y) + shift, p / (1 - 2 * p)).map(lambda c: place(*y, c))

        pair = clone_counts(n, 2 * p)
        wanted = components(n, p)
        return all(law.then(extended) == wanted[index] for law, index in zip(pair, which, strict=True))

    found = exhaustive.for_all(product(range(1, largest + 1), _PARAMETERS, orders), holds=holds)
    # the mass of (a, b) under MultNom(N; p, p, 1-2p) times that of c under Bin(N-a-b, p/(1-2p)), for any N, a, b, c
    p, a, b, c, d = sympy.symbols("p a b c d", positive=True)
    f = sympy.factorial
    outer = f(a + b + c + d) / (f(a) * f(b) * f(c + d)) * p ** (a + b) * (1 - 2 * p) ** (c + d)
    inner = f(c + d) / (f(c) * f(d)) * (p / (1 - 2 * p)) ** c * ((1 - 3 * p) / (1 - 2 * p)) ** d
    whole = f(a + b + c + d) / (f(a) * f(b) * f(c) * f(d)) * p ** (a + b + c) * (1 - 3 * p) ** d
    general = sympy.simplify(sympy.expand_log(sympy.log(outer * inner / whole), force=True)) == 0
    domain = f"all n, p in (0, 1/3] by the masses; distributions compared for n <= {largest}, p = 1/3, 1/5, 2/7"
    if not (found.holds and general):
        witness = f"n, p, pair = {found.counterexample}" if found.counterexample else "the masses differ"
        return Verdict.refuted(witness, domain=domain, cases=found.cases)
    return Verdict.exhausted(domain=domain, cases=found.cases + 1, note="p <= 1/3 is what makes p/(1-2p) a probability")


@statement(
    "FMT21.AppD.step-mixture",
    where="Appendix D, equation (24)",
    says="tau_b = (1-q) kappa_0 + q kappa_1^b for the distributions tau_0, tau_1 of (A+G, B, C+1-G) and (A, B+G, C+1-G)",
    range="all n, p in (0, 1/3], q in (0, 1)",
    governs=["spec.bounds.k_rr.k_rr_clones"],
    grounds=["distributions-of-views#thinning-and-mixing-counts", EXACT, SYMPY],
    mutants={"kappa_1^0 and kappa_0 exchanged": {"swapped": True}},
    missing="conditioning on the special report, beyond n = 6",
)
def mixture_of_components(budget: Budget, *, swapped: bool = False) -> Verdict:
    largest = budget.pick(quick=4, full=6)

    def holds(n: int, p: Fraction, q: Fraction) -> bool:
        first, second, third = components(n, p)
        if swapped:
            first, third = third, first
        built = tuple(mixture([(1 - q, third), (q, special)]) for special in (first, second))
        return built == dominating_pair(n=n, p=p, q=q)

    return exhaustive.for_all(product(range(1, largest + 1), _PARAMETERS, (Fraction(0), Fraction(1, 3), Fraction(1))), holds=holds).verdict(
        domain=f"n <= {largest}, p = 1/3, 1/5, 2/7, q = 0, 1/3, 1",
        note="for every n it is the distribution of G, conditioned on. With Lemma 2.3, delta becomes q delta: both divergences that enter "
        "are from kappa_1^b, to kappa_0 and to kappa_1^(1-b)",
    )


Values = tuple[int, ...]
"""f(x_1^0), f(x_1^1), f(x_2), f(x_3), ... at one step: the dataset's users are distinguished by their index, 0 and 1 being user 1."""
Case = tuple[int, Fraction, int, tuple[tuple[Values, ...], ...]]
"""k, T = e^eps0, n, and for each step the functions by the code of its history."""


@statement(
    "FMT21.AppE.step-condition",
    kind=Kind.PART,
    weight="Corollary 4.2 takes its condition from this step, and fails for large k, where the step does",
    says="eps0 <= ln(n/(16 ln(2/delta))) implies p >= 8 ln(2/delta)/n for p = k/((k+1)(e^eps0+k-1))",
    range="all k, eps0, n, delta",
    grounds=[SYMPY, BALLS],
    mutants={"corrected statement for e^eps0 >= k": {"at_least": 0}},
)
def step_condition(budget: Budget, *, at_least: int = 1) -> Verdict:
    """at_least: the corrected condition is T >= k + at_least."""
    T, k = sympy.symbols("T k", positive=True)
    spare = 16 * T - 8 * (k + 1) * (T + k - 1) / k  # times ln(2/delta): what the printed condition has beyond p >= 8 ln(2/delta)/n
    factored = symbolic.are_identical(spare, 8 * (k - 1) * (T - (k + 1)) / k)
    enough = symbolic.is_nonnegative(spare.subs(T, k + at_least + T), at_least={T: 0, k: 2})
    p, n = Fraction(10, 121), 45
    witness = bool(32 * ball(2).log() * 2 <= n) and bool(ball(p) * n < 16 * ball(2).log())
    return erratum(
        witness="k = 10, e^eps0 = 2, delta = 1/2, n = 45: eps0 <= ln(n/(16 ln 4)), and p = 10/121 < 8 ln 4/45",
        is_witness=witness,
        corrected="16 T - 8 (k+1)(T+k-1)/k = 8 (k-1)(T-k-1)/k: the implication holds for T = e^eps0 >= k + 1, and only then (k >= 2)",
        counterexample=None if factored and enough else "k = 2, T = 2.5: n = 16 T ln(2/delta) gives p n = 7.6 ln(2/delta)",
        domain="all k >= 2, eps0 > 0, by algebra",
        cases=2,
    )


@statement(
    "FMT21.AppE.step-decomposition",
    kind=Kind.GAP,
    weight="Corollary 4.2 takes its clones from this step; where two inputs share a value of f it needs another argument",
    says="with Q_0 uniform, Q_1(x_1^b) = 1_f(x_1^b), q = (T-1)/(T+k-1), p = k/((k+1)(T+k-1)) and the printed LO, kRR(f^(i)(x)) satisfies "
    "(8) and (9), T = e^eps0",
    range="all k, eps0, functions f^(i)",
    governs=["spec.bounds.k_rr.k_rr_clones"],
    grounds=[SYMPY, EXACT],
    mutants={"corrected statement with two clones of 1_j": {"clones": 3}},
)
def step_decomposition(budget: Budget, *, clones: int = 2) -> Verdict:
    """clones: how many clones of 1_j the corrected decomposition takes at a step with f(x_1^0) = f(x_1^1) = j; 1 for the statement."""
    T, k = sympy.symbols("T k", positive=True)
    p, q, total = k / ((k + 1) * (T + k - 1)), (T - 1) / (T + k - 1), T + k - 1
    usual = [
        symbolic.are_identical(p * (k - 2) + q, 1 - 3 * p),  # the printed LO has mass 1 where the two values differ
        symbolic.are_identical(1 / total, p / k + p),  # and (9) holds at an output f(x_1^b) other than f(x)
        symbolic.are_identical(1 / total, p / k + p),
    ]
    mass = symbolic.is_zero(p * (k - 1) + q - (1 - 3 * p) - p)  # where they agree it has p too much before dividing
    # with u = Q_1(j), v = Q_0(j), q u + (1-q) v = kRR(j)(j) = T/total, equation (9) at j needs 2u + v <= (k+1)/k; for k = 2, T = 7:
    size, order = 2, Fraction(7)
    share = Fraction(order - 1, order + size - 1)
    least = min(2 * u + (order / (order + size - 1) - share * u) / (1 - share) for u in (Fraction(1), Fraction(5, 6)))
    impossible = least > Fraction(size + 1, size)
    # the corrected one: kRR(x) = p 1_j + p nu + (1-2p) LO(x) with a non-negative rest
    rest_at_j = symbolic.is_nonnegative(1 / total - (clones - 1) * p - p / k, at_least={T: 1, k: 2})
    rest_elsewhere = symbolic.is_nonnegative(1 / total - p / k, at_least={T: 1, k: 2})
    holds = rest_at_j and rest_elsewhere and all(usual)
    return erratum(
        witness="f(x_1^0) = f(x_1^1) = j: the printed LO has mass (1-2p)/(1-3p) > 1; for k = 2, e^eps0 = 7 no Q_0, Q_1 give (8), (9)",
        is_witness=mass and impossible,
        corrected="where f(x_1^0) = f(x_1^1) = j at a step, kRR(f(x)) = p 1_j + p nu + (1-2p) LO(x), one clone of 1_j and not "
        "two: there the corollary's use of Theorem 4.1 needs FMT21.Cor4.2-pair",
        counterexample=None if holds else "T = 1, k = 2: kRR(x)(j) = 1/2 < 2p + p/k",
        domain="all k >= 2, eps0, by algebra",
        cases=5,
        note="(8) forces Q_1(x_1^0) = Q_1(x_1^1) there. The f^(i) may depend on earlier outputs, so this happens at some steps only",
    )


def _mechanism(case: Case) -> list[object]:
    """The adaptive sequence kRR(f^(i)(z, x)) on the users' indices."""
    k, T, n, functions = case
    randomizer = k_rr(k=k, exp_epsilon0=T)
    domain = tuple(range(n + 1))

    def step(i: int) -> object:
        def at(history: tuple[int, ...]) -> LocalRandomizer[int, int]:
            code = sum(z * k**position for position, z in enumerate(history))
            values = functions[i][code % len(functions[i])]
            return LocalRandomizer(domain, {x: randomizer.distribution(values[x]) for x in domain})

        return at

    return [step(i) for i in range(n)]


def _slack(case: Case, *, share: Fraction) -> Fraction:
    """Least D(pair) - D(A_s(X_0) || A_s(X_1)), both directions, at the corners of either. share: of q in the pair."""
    k, T, n, _ = case
    p, q = k_rr_parameters(k=k, exp_epsilon0=T)
    pair = dominating_pair(n=n, p=p, q=share * q)
    laws = [adaptive_shuffled_distribution(_mechanism(case), (b, *range(2, n + 1))) for b in (0, 1)]  # type: ignore[arg-type]
    orders = {Fraction(1), *PrivacyProfile(*laws).corners(), *PrivacyProfile(*pair).corners()}
    orders = {E for E in orders if E <= T}
    margins = (hockey_stick(*pair, exp_epsilon=E) - hockey_stick(laws[b], laws[1 - b], exp_epsilon=E) for E in orders for b in (0, 1))
    return min(margins)


def _one_user() -> Iterator[Case]:
    """All sequences of one user with two or three values, both data points distinguished or not."""
    for k, T in ((2, Fraction(3)), (3, Fraction(2))):
        for values in product(range(k), repeat=2):
            yield k, T, 1, ((values,),)


def _two_users(T: Fraction) -> Iterator[Case]:
    """Every adaptive sequence for k = 2 and n = 2, up to renaming the first output's values."""
    functions = list(product((0, 1), repeat=3))
    for first in functions:
        if first[0] == 0:
            for second in product(functions, repeat=2):
                yield 2, T, 2, ((first,), second)


@derived(
    "FMT21.Cor4.2-pair",
    says="every adaptive sequence kRR(f^(i)(z, x)) on shuffled data has divergences at most those of Theorem 4.1's pair with "
    "q = (T-1)/(T+k-1), p = k/((k+1)(T+k-1)), T = e^eps0, whether or not the f^(i) distinguish the two data points",
    range="all n, k >= 2, eps0, functions f^(i), neighbouring datasets, orders e^eps >= 1",
    governs=["spec.bounds.k_rr.k_rr_clones", "impl.ball.bounds.k_rr.k_rr_pairs"],
    grounds=[Coq("k_rr_pair_dominates", states="3bf5f190f4d8f704"), SYMPY, EXACT],
    weaker={"share": "larger"},
    mutants={
        "0.8 q for q in the pair": {"share": Fraction(4, 5)},
        "q/2 for q in the pair": {"share": Fraction(1, 2)},
        "the usual step's larger value is 2q/p": {"spread": 2},
    },
)
def pair(budget: Budget, *, share: Fraction = Fraction(1), spread: int = 1) -> Verdict:
    """share: as in _slack. spread: the numerator of the larger value of the usual step, 1 for the statement."""
    r, E = sympy.symbols("r E", positive=True)  # r = q/p
    # one draw of a step with f(x_1^0) = f(x_1^1), in which both 1_j and nothing have weight p, against the usual step's a and b
    degenerate, usual = (-(E - 1) * r, sympy.S.Zero), (-E * r, spread * r)
    algebra = [
        # the sequence's q may be no larger than the pair's, in both values of the loss
        symbolic.is_nonnegative((symbolic.rational(share) - 1) * r, at_least={r: 0}),
        symbolic.are_identical(sum(degenerate), sum(usual)),  # two values of weight p each with the same sum
        symbolic.is_nonnegative(degenerate[0] - usual[0], at_least={E: 1, r: 0}),  # and the usual ones further apart
    ]
    found = exhaustive.least_slack(chain(_one_user(), _two_users(Fraction(3))), slack=lambda case: _slack(case, share=share))
    return Verdict.proved(
        domain="all n, k >= 2, eps0, functions: by the convex order of one step, step after step",
        cases=len(algebra) + found.cases,
        note="reports 0/1, 2, 3 with weights p, p, 1-2p at degenerate steps, Phi as before: D = E(sum of X_i)_+/n, where X_i is q/p, "
        "-Eq/p, -(E-1)(1-q)/p with weight p each, or 0; at a degenerate step -(E-1)q/p and 0 stand for the first two. E g(s + X_i) is "
        "convex in s, so backwards from the last step each degenerate step may be replaced by a usual one. "
        f"{found.cases} exact adaptive sequences agree: all for n = 1 with k = 2, 3, and for k = n = 2, e^eps0 = 3",
        against=f"k, e^eps0, n, functions = {found.counterexample}"
        if found.counterexample
        else None
        if all(algebra)
        else "the degenerate step is not a contraction of the usual one",
    )
