"""FMT21, appendix F, third part: Algorithm 6 over blocks of c, and the remarks about its exits and its order.

D stands for the larger divergence of the pair (25) at order E = e^eps; T = e^eps0, S is the block size, delta^U the level of step 1.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product

import sympy

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Cited, Kind, Row, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.papers.fmt21.appendices.block_sums import BlockSum, binomial_mass, block_sum, clones_delta, inner_sum

_LOCAL = tuple(map(Fraction, ("2", "4", "9")))
_CENTRAL = tuple(map(Fraction, ("1", "3/2", "3")))
Case = tuple[int, Fraction, int, Fraction, Fraction]
"""n, e^eps0, S, e^eps, delta^U"""

divergence = cache(clones_delta)
"""D of the pair (25): n, T, E by keyword."""


def _grid(largest_n: int) -> Iterator[Case]:
    for n, T, E in product(range(1, largest_n + 1), _LOCAL, _CENTRAL):
        if E >= T:
            continue
        D = divergence(n=n, T=T, E=E)
        for S, level in product(sorted({1, 2, 3, n, n + 2}), (Fraction(0), D / 2, D, D + Fraction(1, 20), Fraction(1))):
            yield n, T, S, E, level


def run_on(case: Case) -> BlockSum:
    """Algorithm 6 on one case."""
    n, T, S, E, level = case
    return block_sum(n=n, T=T, delta_u=level, S=S, E=E)


def _true(case: Case) -> Fraction:
    return divergence(n=case[0], T=case[1], E=case[3])


def _shown(case: Case | None) -> str:
    if case is None:
        return "no case"
    n, T, S, E, level = case
    return f"n = {n}, e^eps0 = {T}, S = {S}, e^eps = {E}, delta^U = {level}: D = {_true(case)}"


def _induction_step(largest_block: int) -> list[bool]:
    """The estimate minus the divergence over the blocks done so far never decreases.

    A block adds mass_i B_0 for each c_i where the truth is mass_i B_i, B_i = B_0 - g_i with g_i >= 0 (Lemma F.2): a gain of mass_i g_i.
    Step 2 adds mass_i for each c_i not covered, where the truth is mass_i B_i with B_i = 1 - h_i, h_i >= 0.
    """
    decided = []
    for size in range(1, largest_block + 1):
        mass, gap = sympy.symbols(f"m1:{size + 1}"), sympy.symbols(f"g1:{size + 1}")
        B0 = sympy.Symbol("B0")
        block = sum(m * B0 for m in mass) - sum(m * (B0 - g) for m, g in zip(mass, gap, strict=True))
        rest = sum(mass) - sum(m * (1 - g) for m, g in zip(mass, gap, strict=True))
        ranges: dict[sympy.Symbol, int | Fraction] = dict.fromkeys((*mass, *gap), 0)
        decided += [symbolic.is_nonnegative(sympy.expand(part), at_least=ranges) for part in (block, rest)]
    return decided


def never_below(budget: Budget, run: Callable[[Case], BlockSum], target: Callable[[Fraction, Fraction], Fraction] = min) -> Verdict:
    """Return whether run(case) >= target(delta^U, D) always; for the statement run is Algorithm 6 and target is min."""
    largest = budget.pick(quick=8, full=14)
    steps = _induction_step(budget.pick(quick=4, full=8))
    found = exhaustive.least_slack(_grid(largest), slack=lambda case: run(case).value - target(case[4], _true(case)))
    domain = f"all n, eps0 > eps >= 0, delta^U in [0, 1], S >= 1 by induction; enumerated for n <= {largest}, S in 1, 2, 3, n, n + 2"
    cases = found.cases + len(steps)
    if not found.holds:
        return Verdict.refuted(_shown(found.counterexample), domain=domain, cases=cases)
    if not all(steps):
        return Verdict.undecided("the induction step was not decided", domain=domain, cases=cases)
    slack = f"least slack {found.slack}: Algorithm 6 is exact for S = 1 up to the level delta^U"
    note = "this is equation (26) with max{0, .} in its integrals; also for S > n, where one block covers all of C"
    return Verdict.proved(domain=domain, cases=cases, slack=slack, note=note)


def _altered(case: Case, **changes: object) -> BlockSum:
    n, T, S, E, level = case
    return block_sum(n=n, T=T, delta_u=level, S=S, E=E, **changes)  # type: ignore[arg-type]


@statement(
    "FMT21.Alg6",
    says="M1(n, eps0, delta^U, S, eps) >= min{delta^U, D}, D the larger divergence of (25) at eps",
    range="n >= 1, eps0 > eps >= 0, delta^U in [0, 1], S >= 1",
    governs=["impl.fast.bounds.clones.clones"],
    grounds=[
        "FMT21.LemF.1",
        Row("FMT21.LemF.2", corrected=True),
        Cited("induction over the blocks, one step of it symbolic"),
        SYMPY,
        EXACT,
    ],
    mutants={
        "a block counts with the smaller of the values at its ends": {"run": lambda case: _altered(case, of_both_ends=min)},
        "step 2 returns without the mass that is not covered": {"run": lambda case: _altered(case, rest_counts=False)},
    },
)
def algorithm_6(budget: Budget, *, run: Callable[[Case], BlockSum] = run_on) -> Verdict:
    return never_below(budget, run=run)


@statement(
    "FMT21.AppF.remark-order",
    where="Appendix F, before Proposition F.3",
    says="the values t = 0, ..., T may be processed in any order",
    range="n >= 1, eps0 > eps >= 0, delta^U in [0, 1], S >= 1",
    mutants={"one block is never processed": {"blocks_left_out": 1}},
)
def any_order(budget: Budget, *, blocks_left_out: int = 0) -> Verdict:
    """blocks_left_out: 0 for the statement; a mutant processes fewer."""
    largest = budget.pick(quick=4, full=5)

    def cases() -> Iterator[tuple[Case, Sequence[int]]]:
        for n, T, E, S in product((3, 5, 6), _LOCAL, _CENTRAL, (1, 2, 3)):
            last = n // S
            if E >= T or last > largest:
                continue
            D = divergence(n=n, T=T, E=E)
            for order, level in product(permutations(range(last + 1), last + 1 - blocks_left_out), (D / 2, D, Fraction(1))):
                yield (n, T, S, E, level), order

    found = exhaustive.least_slack(cases(), slack=lambda pair: _altered(pair[0], order=pair[1]).value - min(pair[0][4], _true(pair[0])))
    domain = f"all orders of up to {largest + 1} blocks, n = 3, 5, 6, e^eps0 = 2, 4, 9, e^eps = 1, 3/2, 3"
    if found.counterexample is not None:
        case, order = found.counterexample
        return Verdict.refuted(f"{_shown(case)}, order {order}", domain=domain, cases=found.cases)
    note = "the induction for Algorithm 6 does not use the order either: the proof's interval [0, B^t) becomes a union of blocks"
    return Verdict.exhausted(domain=domain, cases=found.cases, note=note)


@statement(
    "FMT21.AppF.remark-large-mass",
    where="Appendix F, before Proposition F.3",
    kind=Kind.FALSE,
    says="in increasing order of |t - T/2| the c's with large probability mass are processed first: those of a block t, t S <= C < (t + 1) "
    "S, are no less likely than those of a later one",
    range="n >= 1, eps0 > 0, S >= 1",
    mutants={"corrected statement with the centre n/(2S)": {"centre": lambda n, T, S: Fraction(n, 2 * S)}},
)
def heavy_first(budget: Budget, *, centre: Callable[[int, Fraction, int], Fraction] = lambda n, T, S: Fraction(n - 1) / T / S) -> Verdict:
    """centre: the block near which the mass is, (n - 1)p/S in the corrected statement."""

    def heaviest(n: int, T: Fraction, S: int) -> int:
        masses = [sum(binomial_mass(n - 1, 1 / T, c) for c in range(t * S, min(t * S + S, n))) for t in range(n // S + 1)]
        return max(range(len(masses)), key=lambda t: masses[t])

    sizes = budget.pick(quick=100, full=400)
    cases = list(product((20, 50, sizes), (Fraction(5, 4), Fraction(2), Fraction(10), Fraction(50)), (2, 5, 10)))
    found = exhaustive.for_all(cases, holds=lambda case: abs(heaviest(*case) - centre(*case)) <= 1)
    first = float(sum(binomial_mass(99, Fraction(1, 10), c) for c in range(50, 60)))
    top = heaviest(100, Fraction(10), 10)
    return erratum(
        witness=f"n = 100, e^eps0 = 10, S = 10: t = T/2 = 5 comes first and has mass {first:.1e}; t = {top} has the largest mass",
        is_witness=top != 5 and first < 1e-20,
        corrected="the mass of C lies near its mean (n - 1)e^-eps0: process t in increasing order of |t - (n - 1)e^-eps0/S|",
        beside=found.verdict(domain="corrected: the heaviest block is within 1 of the mean's; n up to " + str(sizes)),
        note="T/2 is right for e^eps0 = 2 only; the order costs time, not soundness",
    )


def _early_exit(budget: Budget, *, printed: Callable[[Fraction, Fraction], bool], witness: Case, corrected_size: int, said: str) -> Verdict:
    """printed: what the text says of (D, delta^U) at an exit in step 1; corrected: for S = 1, D > delta^U."""
    largest = budget.pick(quick=8, full=14)
    stopped = [case for case in _grid(largest) if case[2] == corrected_size and run_on(case).exit == "step 1"]
    found = exhaustive.for_all(stopped, holds=lambda case: _true(case) > case[4])
    out = run_on(witness)
    return erratum(
        witness=f"{_shown(witness)}, and step 1 exits with max(delta_P, delta_Q) = {max(out.delta_p, out.delta_q)}: not {said}",
        is_witness=out.exit == "step 1" and not printed(_true(witness), witness[4]),
        corrected="at that exit the estimate exceeds delta^U; it is an upper estimate, so D > delta^U follows for S = 1 only. "
        "Returning delta^U is conservative either way",
        beside=found.verdict(domain=f"corrected: every exit in step 1 with S = 1, n <= {largest}"),
    )


_TOO_EARLY: Case = (4, Fraction(4), 2, Fraction(3, 2), Fraction(2, 5))
"""The early exit is taken though D is not above delta^U."""
_IN_TIME: Case = (4, Fraction(4), 1, Fraction(3, 2), Fraction(1, 10))
"""The abort is taken though D is not below delta^U, and less than D is returned."""


@statement(
    "FMT21.AppF.remark-exit",
    where="Appendix F, Algorithm 6, step 1",
    kind=Kind.PART,
    says="if max(delta_P^t, delta_Q^t) > delta^U then P and Q are not (eps, delta^U)-indistinguishable",
    range="n >= 1, eps0 > eps >= 0, delta^U in [0, 1], S >= 1",
    mutants={"corrected statement with S = 2": {"corrected_size": 2}},
)
def early_exit(
    budget: Budget,
    *,
    printed: Callable[[Fraction, Fraction], bool] = lambda D, level: level < D,
    witness: Case = _TOO_EARLY,
    corrected_size: int = 1,
    said: str = "D > delta^U",
) -> Verdict:
    return _early_exit(budget, printed=printed, witness=witness, corrected_size=corrected_size, said=said)


@statement(
    "FMT21.AppF.remark-abort",
    where="Appendix F, after Lemma F.2",
    kind=Kind.MISPRINT,
    says="when the guess for eps is too small, the algorithm aborts as soon as it has established that delta < delta^U",
    range="n >= 1, eps0 > eps >= 0, delta^U in [0, 1], S >= 1",
    mutants={"corrected statement with S = 3": {"corrected_size": 3}},
)
def abort_direction(
    budget: Budget,
    *,
    printed: Callable[[Fraction, Fraction], bool] = lambda D, level: level > D,
    witness: Case = _IN_TIME,
    corrected_size: int = 1,
    said: str = "D < delta^U",
) -> Verdict:
    return _early_exit(budget, printed=printed, witness=witness, corrected_size=corrected_size, said=said)


@statement(
    "FMT21.AppF.remark-upper-bound",
    where="Appendix F, before Algorithm 5",
    kind=Kind.READING,
    says="we present an algorithm M that upper bounds this integral (the least delta for a given eps)",
    range="n >= 1, eps0 > eps >= 0, delta^U in [0, 1], S >= 1",
    grounds=["FMT21.Alg6", EXACT],
    mutants={"corrected statement with M1 <= delta^U for M1 < delta^U": {"below": lambda value, level: value <= level}},
)
def upper_bound(budget: Budget, *, below: Callable[[Fraction, Fraction], bool] = lambda value, level: value < level) -> Verdict:
    """Corrected: M1 >= D wherever below(M1, delta^U), that is M1 < delta^U."""
    largest = budget.pick(quick=7, full=12)
    reached = [(case, value) for case in _grid(largest) if below(value := run_on(case).value, case[4])]
    found = exhaustive.for_all(reached, holds=lambda pair: pair[1] >= _true(pair[0]))
    value = run_on(_IN_TIME).value
    return erratum(
        witness=f"{_shown(_IN_TIME)}, and M1 returns {value}",
        is_witness=value < _true(_IN_TIME),
        corrected="M1 is an upper bound wherever it is below delta^U; elsewhere it says only that none below delta^U was found",
        beside=found.verdict(domain=f"corrected: from FMT21.Alg6; enumerated for n <= {largest}"),
        note="used by itself, with delta^U set, Algorithm 6 is no upper bound on delta; inside Algorithm 4 it is safe",
    )


@statement(
    "FMT21.Alg6.call",
    where="Appendix F, Algorithm 6, steps 3a and 3b",
    kind=Kind.MISPRINT,
    says="Algorithm 6 calls Algorithm 5 as B(C_max, n, p, eps, eps0, +)",
    range="as printed",
    mutants={"corrected call with eps and eps0 exchanged": {"arguments": ("C_max", "eps0", "eps", "+")}},
)
def call(budget: Budget, *, arguments: Sequence[str] = ("C_max", "eps", "eps0", "+")) -> Verdict:
    """arguments: of the corrected call, by name, against the parameters of Algorithm 5."""
    values = {"C_max": 3, "n": 7, "p": Fraction(1, 3), "eps": Fraction(3, 2), "eps0": Fraction(3), "+": "+"}
    signature = inspect.signature(inner_sum)

    def binds(names: Sequence[str]) -> bool:
        try:
            signature.bind(*(values[name] for name in names))
        except TypeError:
            return False
        return True

    printed = ("C_max", "n", "p", "eps", "eps0", "+")
    right = binds(arguments) and inner_sum(*(values[name] for name in arguments)) == inner_sum(3, Fraction(3, 2), Fraction(3), "+")  # type: ignore[arg-type]
    return erratum(
        witness=f"B({', '.join(printed)}) has six arguments, Algorithm 5 takes c, eps, eps0, b",
        is_witness=not binds(printed),
        corrected="B(C_max, eps, eps0, +), and alike in steps 3a and 3b: B depends on neither n nor p",
        counterexample=None if right else f"B({', '.join(arguments)}) is another number",
        domain="the calls in steps 3a and 3b",
        cases=2,
    )
