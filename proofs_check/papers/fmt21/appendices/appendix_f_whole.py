"""FMT21, appendix F, last part: equation (26) and Proposition F.3, Algorithms 4 to 6 together."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Cited, Kind, Row, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.fmt21.appendices.appendix_f_over_blocks import divergence, never_below, run_on
from shuffleproof.proofs_check.papers.fmt21.appendices.block_sums import bin_s, bin_s_lower, bisect, block_sum, order_at


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
