"""FMT21, appendix F, first part: equation (25), what is to be computed, and the bisection.

T = e^eps0, E = e^eps, q = T/(T + 1), p = 1/T. Algorithm 5 is in `appendix_f_each_c`, Algorithm 6 in `appendix_f_over_blocks`.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

import sympy

from shuffleproof.impl.ball.numeric.arithmetic import ball, surely_less
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Kind, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.ledger.points import HALF
from shuffleproof.proofs_check.papers.fmt21.appendices.block_sums import all_runs
from shuffleproof.spec.bounds.clones.clones import Counts, dominating_pair, stronger_clones
from shuffleproof.spec.distribution import Distribution, binomial, hockey_stick, indistinguishable_on_all_events, mixture

_LOCAL = tuple(map(Fraction, ("5/4", "2", "3", "9")))


def pair_25(*, n: int, T: Fraction) -> tuple[Distribution[Counts], Distribution[Counts]]:
    """Equation (25): P is (A, C) with probability q and (A + 1, C) otherwise, Q the other way round."""
    A_C: Distribution[Counts] = binomial(n - 1, 1 / T).then(lambda c: binomial(c, HALF).map(lambda a: (a, c)))
    one_more: Distribution[Counts] = A_C.map(lambda y: (y[0] + 1, y[1]))
    q = T / (T + 1)
    return mixture([(q, A_C), (1 - q, one_more)]), mixture([(1 - q, A_C), (q, one_more)])


@statement(
    "FMT21.Eq25",
    says="the pair of equation (25) is Theorem 3.2's pair up to the bijection (a, b) -> (b, a + b - 1) of outcomes",
    range="n >= 1, eps0 >= 0",
    governs=["spec.bounds.clones.clones", "impl.ball.bounds.clones.clones", "impl.fast.bounds.clones.clones"],
    grounds=[SYMPY, EXACT],
    mutants={"the bijection (a, b) -> (a, a + b - 1), which exchanges P and Q": {"bijection": lambda y: (y[0], y[0] + y[1] - 1)}},
)
def equation_25(budget: Budget, *, bijection: Callable[[Counts], Counts] = lambda y: (y[1], y[0] + y[1] - 1)) -> Verdict:
    A, C, Delta = sympy.symbols("A C Delta")
    first, second = bijection((A + Delta, C - A + 1 - Delta))
    coupled = symbolic.is_zero(sympy.expand(first - ((C - A) + 1 - Delta))) and symbolic.is_zero(sympy.expand(second - C))
    users = budget.pick(quick=6, full=10)

    def holds(n: int, T: Fraction) -> bool:
        return tuple(law.map(bijection) for law in dominating_pair(n=n, exp_epsilon0=T)) == pair_25(n=n, T=T)

    found = exhaustive.for_all(product(range(1, users + 1), _LOCAL), holds=holds)
    domain = f"all n, eps0 by the coupling A -> C - A; distributions compared for n <= {users}, e^eps0 = 5/4, 2, 3, 9"
    return Verdict.proved(domain=domain, cases=found.cases + 2, against=found.described, given=coupled)


@statement(
    "FMT21.AppF.remark-theorem",
    where="Appendix F, first sentence",
    kind=Kind.MISPRINT,
    says="what Appendix F implements is the proof of Theorem 3.1; (25) is for all n >= 1 and eps0 > 0, Theorem 3.1 for eps0 <= ln(n/(16 "
    "ln(2/delta)))",
    range="n >= 1, eps0 > 0",
    grounds=["FMT21.Eq25", BALLS, EXACT],
    mutants={"corrected statement with the pair of the stronger clones": {"pair_of": stronger_clones.dominating_pair}},
)
def theorem_3_2(budget: Budget, *, pair_of: Callable[..., tuple[Distribution[Counts], Distribution[Counts]]] = dominating_pair) -> Verdict:
    """Theorem 3.1 says nothing of n = 4 users, for which Algorithms 4 to 6 answer; what they take is Theorem 3.2's pair."""
    beyond = surely_less(ball(4), 16 * ball(2).log())
    pairs = [(n, T, E) for n in range(1, budget.pick(quick=6, full=9)) for T in _LOCAL for E in (Fraction(1), (1 + T) / 2)]
    against = next(
        (
            f"n = {n}, e^eps0 = {T}, e^eps = {E}: another divergence"
            for n, T, E in pairs
            if hockey_stick(*pair_25(n=n, T=T), exp_epsilon=E) != hockey_stick(*pair_of(n=n, exp_epsilon0=T), exp_epsilon=E)
        ),
        None,
    )
    return erratum(
        witness="n = 4: n < 16 ln 2, so the condition of Theorem 3.1 holds for no eps0 >= 0 and delta <= 1; Proposition F.3 is for any n",
        is_witness=beyond,
        corrected="the numerical bound of Theorem 3.2: (25) is its pair",
        counterexample=against,
        domain="one n; the pairs of (25) and of Theorem 3.2 for few users, in general by FMT21.Eq25",
        cases=len(pairs) + 1,
    )


@statement(
    "FMT21.Alg4",
    says="BinS returns eps0 or a midpoint eps_t with M(eps_t) < delta, within eps0 2^-T of an eps^L that is 0 or has M(eps^L) >= delta",
    range="every function M, delta in [0, 1], T >= 0 iterations",
    mutants={"returns eps^L": {"side": "left"}},
)
def algorithm_4(budget: Budget, *, side: str = "right") -> Verdict:
    """side: "right" for Algorithm 4, "left" for a mutant that returns eps^L."""
    iterations = budget.pick(quick=9, full=13)

    def runs() -> Iterator[tuple[int, Fraction, Fraction, bool, bool]]:
        for rounds in range(iterations + 1):
            for run, answers in all_runs(rounds):
                returned = run.right if side == "right" else run.left
                sound = returned == 1 or answers.get(returned) is True
                narrow = run.right - run.left == Fraction(1, 2**rounds) and (run.left == 0 or answers[run.left] is False)
                yield rounds, run.left, run.right, sound, narrow

    found = exhaustive.for_all(runs(), holds=lambda run: run[3] and run[4])
    domain = f"every M and delta (every sequence of answers to delta_t < delta), T = 0, ..., {iterations}"
    if found.holds:
        return Verdict.exhausted(
            domain=domain,
            cases=found.cases,
            slack="eps^R - eps^L = eps0 2^-T",
            note="sound for every M with M(eps) >= min(delta, D(eps)), monotone or not; T = 0 gives eps0, delta = 0 gives eps0",
        )
    rounds, left, right, *_ = found.counterexample or (0, 0, 0)
    return Verdict.refuted(f"T = {rounds}, final bracket [{left}, {right}] eps0", domain=domain, cases=found.cases)


@statement(
    "FMT21.AppF.remark-minimal-delta",
    where="Appendix F, after Algorithm 4",
    says="for a given eps the least delta for (25) is the larger of the sums of max{0, P - e^eps Q} and of max{0, Q - e^eps P}",
    range="n >= 1, eps >= 0, eps0 >= 0",
    governs=["spec.distribution"],
    mutants={"nine tenths of it": {"share": Fraction(9, 10)}},
)
def minimal_delta(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """share: 1 for the statement; a mutant takes a part of the divergence for the least delta."""
    users = budget.pick(quick=3, full=4)

    def holds(n: int, T: Fraction, E: Fraction) -> bool:
        P, Q = pair_25(n=n, T=T)
        least = share * max(hockey_stick(P, Q, exp_epsilon=E), hockey_stick(Q, P, exp_epsilon=E))
        below = least - Fraction(1, 10**9)
        return indistinguishable_on_all_events(P, Q, exp_epsilon=E, delta=least) and not (
            below >= 0 and indistinguishable_on_all_events(P, Q, exp_epsilon=E, delta=below)
        )

    cases = product(range(1, users + 1), map(Fraction, (2, 5)), map(Fraction, ("1", "3/2", "6")))
    found = exhaustive.for_all(cases, holds=holds)
    return found.verdict(domain=f"n <= {users}, e^eps0 = 2, 5, e^eps = 1, 3/2, 6, all events")
