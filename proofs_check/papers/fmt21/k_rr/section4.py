"""FMT21, section 4: Theorem 4.1 and Algorithm 3 on exact adaptive randomizers."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product

from hypothesis import strategies as st

from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.proofs_check.ledger import BALLS, SYMPY, Budget, Coq, Kind, Status, Verdict, derived, erratum, for_finite_sets, statement
from shuffleproof.proofs_check.ledger.ground import Ground
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.proofs_check.ledger.methods.random_randomizers import AdaptiveSteps, distributions
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed
from shuffleproof.proofs_check.papers.fmt21.appendices import likelihood_tail as tail
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import AnyDistribution, Clones
from shuffleproof.proofs_check.papers.fmt21.k_rr import section4_reduction as reduction
from shuffleproof.proofs_check.papers.fmt21.k_rr.section4_reduction import Setting, least_users, lone_outcome, share, three_clones
from shuffleproof.spec.bounds.k_rr.k_rr_clones import dominating_pair
from shuffleproof.spec.distribution import Distribution, mixture
from shuffleproof.spec.model import LocalRandomizer, adaptive_shuffled_distribution

Triple = tuple[AnyDistribution, AnyDistribution, AnyDistribution]
Case = tuple[Fraction, Fraction, AdaptiveSteps, dict[int, Triple], tuple[int, ...]]
"""p, q, adaptive randomizers on {0, 1, 2, 3}, their components by the randomizer's identity, (x_2..x_n); X_b = (b, x_2..x_n)."""


@st.composite
def decomposable_cases(draw: st.DrawFn, *, largest: int) -> Case:
    """Adaptive randomizers with equations (8) and (9) for a common p and q; not differentially private in general."""
    n = draw(st.integers(1, largest))
    p = draw(st.sampled_from([Fraction(1, 3), Fraction(1, 4)]) | st.fractions(min_value=Fraction(1, 9), max_value=Fraction(1, 3)))
    q = draw(st.sampled_from([Fraction(1, 2), Fraction(1)]) | st.fractions(min_value=0, max_value=1, max_denominator=7))
    pool, components = [], {}
    for _ in range(draw(st.integers(1, 2))):
        *triple, first, second = (draw(distributions(outputs=2)) for _ in range(5))
        mixed = [mixture([*((p, part) for part in triple), (1 - 3 * p, rest)]) for rest in (first, second)]
        special = [mixture([(q, triple[b]), (1 - q, triple[2])]) for b in (0, 1)]
        pool.append(LocalRandomizer(range(4), dict(enumerate([*special, *mixed]))))
        components[id(pool[-1])] = (triple[0], triple[1], triple[2])
    keys = tuple(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    others = tuple(draw(st.lists(st.integers(2, 3), min_size=n - 1, max_size=n - 1)))
    return p, q, AdaptiveSteps(tuple(pool), keys), components, others


def equal_distributions(case: Case, *, swapped: bool = False, with_replacement: bool = False) -> bool:
    """A_s(X_0) = Phi(P) and A_s(X_1) = Phi(Q) exactly, with Phi from Algorithm 3."""
    p, q, steps, components, others = case
    clones = three_clones(steps.sequence, lambda i, z: components[id(steps.at(i, z))], others=others, p=p)
    phi = replace(clones, with_replacement=with_replacement).of_counts()
    pair = dominating_pair(n=len(others) + 1, p=p, q=q)
    return all(pair[1 - b if swapped else b].then(phi) == adaptive_shuffled_distribution(steps.sequence, (b, *others)) for b in (0, 1))


@statement(
    "FMT21.Thm4.1",
    says="with (8) R(x_1^b) = q Q_1(x_1^b) + (1-q) Q_0 and (9) R(x) = p Q_1(x_1^0) + p Q_1(x_1^1) + p Q_0 + (1-3p) LO(x) at every step "
    "there is Phi with A_s(X_0) ~ Phi(A+G, B, C+1-G) and A_s(X_1) ~ Phi(A, B+G, C+1-G), (A, B, C, .) ~ MultNom(n-1; p, p, p, 1-3p), "
    "G ~ Bern(q)",
    range="all n, p in (0, 1/3], q in (0, 1), adaptive randomizers with these decompositions, neighbours whose other data points differ "
    "from x_1^0 and x_1^1",
    governs=["spec.bounds.k_rr.k_rr_clones", "spec.model"],
    grounds=[SYMPY, "clones-reduction#counting-orders"],
    mutants={
        "the two pairs exchanged": {"swapped": True},
        "Algorithm 3 draws data points with replacement": {"with_replacement": True},
        "in the coefficients, one data point more to choose from than there is": {"shift": 1},
    },
    missing="randomizers with infinitely many messages; for finite sets of messages Coq has checked it all: FMT21.Thm4.1.finite",
)
def theorem_41(budget: Budget, *, swapped: bool = False, with_replacement: bool = False, shift: int = 0) -> Verdict:
    largest = 1 if swapped else 3
    found = sampled.for_all(
        decomposable_cases(largest=largest),
        holds=lambda case: equal_distributions(case, swapped=swapped, with_replacement=with_replacement),
        budget=budget,
        quick=15,
        full=80,
    )
    agree = reduction.coefficients_agree(shift=shift)
    domain = f"all n by coefficients, and the written count behind them; {found.cases} random sequences, n <= {largest}, exactly"
    if found.counterexample is not None:
        p, q, steps, _, others = found.counterexample
        return Verdict.refuted(f"p = {p}, q = {q}, {steps}, (x_2..x_n) = {others}", domain=domain, cases=found.cases)
    return Verdict.argued(
        domain=domain,
        cases=found.cases + 1,
        slack="0: equality of distributions",
        note="eps0-DP is among the hypotheses and is not needed; q = 0 and q = 1 do as well. `LO_b` in (9) should read `LO`: it must not "
        "depend on b",
        against=None if agree else "the coefficients of a common monomial differ as functions of z_0, ..., z_3",
    )


for_finite_sets(
    theorem_41,
    Coq("three_clones", states="82ba0b68a00bef12"),
    says="Theorem 4.1 for messages from a finite set: one kernel takes the counts (A+G, B, C+1-G) to the distribution of A_s(X_0) and "
    "(A, B+G, C+1-G) to that of A_s(X_1), whichever user's value differs",
    range="all n, 0 < p <= 1/3, 0 <= q <= 1 in any ordered field, data of any type, adaptive randomizers with finitely many messages and "
    "(8) and (9) at every step",
)


def _settings(budget: Budget, condition: Fraction) -> list[Setting]:
    """n at the edge of the condition and well inside it."""
    chosen = [(Fraction(1, 20), Fraction(1, 2)), (Fraction(3, 10), Fraction(9, 10)), (Fraction(1, 100), Fraction(1, 50))]
    if budget.depth == "full":
        chosen += [(Fraction(33, 100), Fraction(1, 10)), (Fraction(1, 1000), Fraction(99, 100))]
    scales = (1, 6) if budget.depth == "full" else (1,)
    deltas = [Fraction(1, 2), Fraction(1, 1000), Fraction(1, 10**9)] + [Fraction(1, 10**30)] * (budget.depth == "full")
    return [Setting(scale * least_users(p, d, condition=condition), p, q, d) for (p, q), d in product(chosen, deltas) for scale in scales]


_GROUNDS: list[Ground | str] = [
    "FMT21.Thm4.1",
    "FMT21.LemA.1",
    SYMPY,
    BALLS,
    "BEYOND.Markov",
    "BEYOND.exponential-bounds",
    "FMT21.AppD.step-thinning",
    "FMT21.AppD.step-mixture",
    "FMT21.Lem2.3",
]


@statement(
    "FMT21.Thm4.1-bound",
    says="for p >= 8 ln(2/delta)/n, A_s(X_0) and A_s(X_1) are (eps, q delta)-indistinguishable, eps = ln(1 + q (4 sqrt(2 ln(4/delta)/(pn)) "
    "+ 4/(pn)))  (10)",
    range="p in (0, 1/3], q in (0, 1), n, delta in [0, 1] with p >= 8 ln(2/delta)/n",
    governs=["impl.ball.bounds.variation_ratio.three_counts_sums"],
    grounds=_GROUNDS,
    weaker={"condition": "larger", "scale": "larger"},
    mutants={"0.3 of that e^eps - 1": {"scale": Fraction(3, 10)}, "10^-12 delta for q delta": {"of_delta": Fraction(1, 10**12)}},
)
def equation_10(
    budget: Budget, *, condition: Fraction = Fraction(8), scale: Fraction = Fraction(1), of_delta: Fraction | None = None
) -> Verdict:
    """The closed form for p n >= condition ln(2/delta): Lemma A.1's tail at 2 p carries it, the pair's profile confirms it."""
    factor = 8 * scale
    far = tail.rate_on_interval(factor, top=tail.root_above(2 * condition))
    proved = tail.rate_near_zero(factor) and far.holds
    found = at_most_claimed(
        ((setting, share(setting, scale=scale, of_delta=of_delta)) for setting in _settings(budget, condition)),
        domain=f"all p in (0, 1/3], q in (0, 1), n, delta in (0, 1] with pn >= {float(condition):g} ln(2/delta)",
        slack="D <= {} q delta at certified settings",
        holds=Status.PROVED,
        beside=far.boxes,
        note="Lemma A.1 with 2p for its p: 8 sqrt(ln(4/delta)/(2pn)) = 4 sqrt(2 ln(4/delta)/(pn)), 8/(2pn) = 4/(pn), 2pn >= 16 ln(2/delta)",
        given=proved,
    )
    if found.status is Status.OPEN and not proved and (against := lone_outcome(condition=condition, scale=scale)):
        return Verdict.refuted(against, domain="one outcome", cases=found.cases + 1)
    return found


@derived(
    "FMT21.Thm4.1-condition",
    says="equation (10) holds for p >= 2.515 ln(2/delta)/n already",
    range="p in (0, 1/3], q in (0, 1), n, delta in (0, 1] with p >= 2.515 ln(2/delta)/n",
    governs=["spec.bounds.k_rr.k_rr_closed_form", "impl.ball.bounds.k_rr.k_rr_closed_forms"],
    grounds=_GROUNDS,
    weaker={"condition": "larger"},
    mutants={"p >= ln(2/delta)/n": {"condition": Fraction(1)}},
)
def condition(budget: Budget, *, condition: Fraction = Fraction(503, 200)) -> Verdict:
    return equation_10.check(budget, condition=condition)


@statement(
    "FMT21.Thm4.1-range",
    says="equation (10) is stated for any n, any p in (0, 1/3] and any delta in [0, 1] such that p >= 8 ln(2/delta)/n: for every n and "
    "delta some p does",
    range="all n, p in (0, 1/3], delta in [0, 1]",
    grounds=[BALLS],
    mutants={"n = 17 is excluded too": {"users": 17}},
)
def empty_range(budget: Budget, *, users: int = 16) -> Verdict:
    """p <= 1/3 and p >= 8 ln(2/delta)/n >= 8 ln 2/n."""
    domain = f"delta = 0 (ln(2/delta) is infinite); n <= {users} with any delta; in general n < 24 ln(2/delta)"
    edge = 24 * ball(2).log()
    empty = bool(edge > users)
    if not empty:
        return Verdict.refuted(f"n = {users}, delta = 1, p = 1/3: 8 ln 2/{users} <= 1/3", domain=domain, cases=users)
    return Verdict(status=Status.VACUOUS, domain=domain, cases=users, slack=f"24 ln 2 > {users}")


def _defined(y: tuple[int, ...]) -> bool:
    point: AnyDistribution = Distribution.point(0)
    return Clones(lambda i, z: (point, point, point), lambda i, z, x: point, tuple(range(2, len(y) + 1)), size=3).is_defined(y)


@statement(
    "FMT21.Alg3",
    kind=Kind.MISPRINT,
    says="Algorithm 3 takes any y in {0, 1, 2, 3}^n",
    range="all n, y in {0, 1, 2, 3}^n",
    governs=["proofs_check.papers.fmt21.k_rr.section4_reduction"],
    mutants={"corrected statement asks for at least one 0 or 1": {"needed": lambda y: 0 in y or 1 in y}},
)
def algorithm_3(budget: Budget, *, needed: Callable[[tuple[int, ...]], bool] = lambda y: set(y) != {3}) -> Verdict:
    largest = budget.pick(quick=4, full=5)
    cases = (y for n in range(1, largest + 1) for y in product(range(4), repeat=n))
    found = exhaustive.for_all(cases, holds=lambda y: _defined(y) == needed(y))
    return erratum(
        witness="n = 1, y = (3): the loop wants an element of [2:1] \\ J, which is empty; so does the last step on y = (3, ..., 3)",
        is_witness=not _defined((3,)),
        corrected="Algorithm 3 is defined on every y with at least one 0, 1 or 2; rho_0 and rho_1 put no mass elsewhere, as user 1 reports "
        "b or 2",
        beside=found.verdict(domain=f"all y in {{0, 1, 2, 3}}^n, n <= {largest}"),
    )
