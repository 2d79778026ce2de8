"""FMT21, appendix F: equation (25), what is to be computed, the bisection, equation (26) and Proposition F.3, Algorithms 4 to 6 together.

T = e^eps0, E = e^eps, q = T/(T + 1), p = 1/T. Algorithm 5 is in `appendix_f_each_c`, Algorithm 6 in `appendix_f_over_blocks`."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

import sympy

from shuffleproof.impl.ball.numeric.arithmetic import ball, surely_less
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Cited, Kind, Row, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.ledger.points import HALF
from shuffleproof.proofs_check.papers.fmt21.appendices.appendix_f_over_blocks import divergence, never_below, run_on
from shuffleproof.proofs_check.papers.fmt21.appendices.block_sums import all_runs, bin_s, bin_s_lower, bisect, block_sum, order_at
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


@statement(
    "FMT21.Eq26",
    where="Appendix F, proof of Proposition F.3, equation (26) and the display before it",
    kind=Kind.MISPRINT,
    says="it suffices that M1 >= min{delta^U, max{integral of P - e^eps Q, integral of Q - e^eps P}}",
    range="n >= 1, eps0 > eps >= 0, delta^U in [0, 1], S >= 1",
    grounds=[
        "FMT21.LemF.1",
        Row("FMT21.LemF.2", corrected=True),
        Cited("induction over the blocks, one step of it symbolic"),
        SYMPY,
        EXACT,
    ],
    mutants={"corrected statement with max{delta^U, .} for min{delta^U, .}": {"target": max}},
)
def equation_26(budget: Budget, *, target: Callable[[Fraction, Fraction], Fraction] = min) -> Verdict:
    """The integrals, as printed, have no max{0, .}: each is 1 - e^eps <= 0, and M = 0 satisfies (26) for every eps >= 0."""
    T, n, iterations = Fraction(256), 3, 3
    returned = bin_s(delta=Fraction(1, 100), iterations=iterations, M=lambda x: Fraction(0))
    E = order_at(returned, root=Fraction(2), halvings=3)
    D = divergence(n=n, T=T, E=E)
    corrected = never_below(budget, run_on, target)
    return erratum(
        witness=f"M = 0 satisfies (26) as printed; with it n = {n}, e^eps0 = {T}, delta = 1/100, three iterations return e^eps = {E}, "
        f"where D = {float(D):.4f}",
        is_witness=E == 2 and Fraction(1, 100) < D and 1 - E <= 0,
        corrected="M1 >= min{delta^U, max of the integrals of max{0, P - e^eps Q} and max{0, Q - e^eps P}}: that suffices, and it holds",
        beside=corrected,
        note="the proof that follows uses max{0, .} throughout: a misprint",
    )


Search = Callable[[Fraction, int, Callable[[Fraction], Fraction]], Fraction]


@statement(
    "FMT21.PropF.3",
    says="eps = BinS(eps0, delta, T, M1(n, eps0, delta, S, .)) makes the pair (25) (eps, delta)-indistinguishable",
    range="n in N, eps0 > 0, delta in [0, 1], T in N (S is not quantified; S >= 1 here)",
    governs=["impl.fast.bounds.clones.clones"],
    grounds=["FMT21.Alg4", "FMT21.Alg6", EXACT],
    mutants={
        "eps^R moves where delta_t <= delta: M1 returns delta where it gives up": {
            "search": lambda delta, iterations, M: bisect(moves_left=lambda x: M(x) <= delta, iterations=iterations).right
        },
        "returns eps^L": {"search": lambda delta, iterations, M: bin_s_lower(delta=delta, iterations=iterations, M=M)},
    },
)
def proposition_f3(
    budget: Budget, *, search: Search = lambda delta, iterations, M: bin_s(delta=delta, iterations=iterations, M=M)
) -> Verdict:
    """Algorithms 4 to 6 together, exactly: e^eps0 = root^(2^k), so that k halvings of eps0 keep e^eps rational."""
    largest = budget.pick(quick=6, full=10)
    levels = tuple(map(Fraction, ("0", "1/1000", "1/20", "1/5", "1/2", "1")))

    def cases() -> Iterator[tuple[int, int, int, Fraction, int]]:
        for n, (root, halvings), S, delta in product((1, 2, 4, largest), ((2, 3), (3, 2), (2, 1)), (1, 2, 5, 9), levels):
            for iterations in range(halvings + 1):
                yield n, root**2**halvings, S, delta, iterations

    def returned(n: int, T: int, S: int, delta: Fraction, iterations: int) -> Fraction:
        halvings = 3 if T == 256 else 2 if T == 81 else 1
        root = Fraction(3 if T == 81 else 2)

        def profile(x: Fraction) -> Fraction:
            return block_sum(n=n, T=Fraction(T), delta_u=delta, S=S, E=order_at(x, root=root, halvings=halvings)).value

        return order_at(search(delta, iterations, profile), root=root, halvings=halvings)

    found = exhaustive.least_slack(cases(), slack=lambda case: case[3] - divergence(n=case[0], T=Fraction(case[1]), E=returned(*case)))
    domain = (
        f"all n, S >= 1, eps0 > 0, delta in [0, 1], T >= 0, from Algorithms 4 and 6; run exactly for n <= {largest}, e^eps0 = 4, 81, 256"
    )
    if found.holds:
        return Verdict.exhausted(
            domain=domain,
            cases=found.cases,
            slack=f"least delta - D is {found.slack} over the runs",
            note="exact arithmetic is assumed; T = 0 and delta = 0 return eps0; with delta = 1 eps tends to 0. "
            'The proof\'s "first t - 1 iterations" are the first t',
        )
    n, T, S, delta, iterations = found.counterexample or (0, 0, 0, Fraction(0), 0)
    witness = (
        f"n = {n}, e^eps0 = {T}, S = {S}, delta = {delta}, {iterations} iterations: returns e^eps with D - delta = {-(found.slack or 0)}"
    )
    return Verdict.refuted(witness, domain=domain, cases=found.cases)


@statement(
    "FMT21.AppF.symbol-T",
    where="Appendix F, Algorithms 4 and 6, Proposition F.3",
    kind=Kind.MISPRINT,
    says="T is one number: the iterations of Algorithm 4, for any T in N, and the last block of Algorithm 6",
    range="n >= 1, eps0 > 0, delta in [0, 1], T in N",
    grounds=["FMT21.PropF.3", EXACT],
    mutants={"corrected statement with floor(n/S) - 2 for the last block": {"short": 2}},
)
def symbol_t(budget: Budget, *, short: int = 0) -> Verdict:
    """One iteration, S = 1, e^eps0 = 4: whether Algorithm 6 over the blocks 0, ..., T is below the divergence that it stands for."""
    E, T, delta = Fraction(2), Fraction(4), Fraction(1, 20)

    def left_out(n: int, last: int) -> bool:
        found = block_sum(n=n, T=T, delta_u=Fraction(1), S=1, E=E, order=range(last + 1)).value
        return found < divergence(n=n, T=T, E=E)

    users = range(2, budget.pick(quick=14, full=20))
    wrong = next((n for n in users if left_out(n, n - short)), None)
    against = f"n = {wrong}, S = 1, blocks to {wrong - short}: less than the divergence, and BinS returns ln 2" if wrong else None
    return erratum(
        witness="n = 12, S = 1, e^eps0 = 4, delta = 1/20, T = 1: Algorithm 6 over t = 0, 1 returns "
        f"{float(block_sum(n=12, T=T, delta_u=delta, S=1, E=E, order=range(2)).value):.4f} at e^eps = 2, so BinS returns ln 2, where the "
        f"divergence is {float(divergence(n=12, T=T, E=E)):.4f}",
        is_witness=block_sum(n=12, T=T, delta_u=delta, S=1, E=E, order=range(2)).value < delta < divergence(n=12, T=T, E=E),
        corrected="two numbers: any T for Algorithm 4, and floor(n/S) for the last block of Algorithm 6",
        counterexample=against,
        domain=f"n < {users.stop}, S = 1, e^eps0 = 4, e^eps = 2; in general by Proposition F.3",
        cases=len(users) + 1,
        note="the display (26) has eps and eps_t for one number too, and the range [0, B^t) of C is named C_t",
    )
