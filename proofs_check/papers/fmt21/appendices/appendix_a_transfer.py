"""FMT21, appendix A: the printed proof of Lemma 3.5, from the clone counts P0, Q0 to the pair P, Q, step by step."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import sympy

from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Kind, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, positive_parts, symbolic
from shuffleproof.proofs_check.ledger.points import HALF
from shuffleproof.proofs_check.papers.fmt21.appendices.block_sums import clones_delta
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import clone_counts
from shuffleproof.proofs_check.papers.fmt21.clones.section3_bound_remarks import printed_order
from shuffleproof.spec.bounds.clones.clones import Counts, dominating_pair
from shuffleproof.spec.distribution import Distribution, hockey_stick, mixture

_ORDERS = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(4))  # e^epsilon: total variation first


@statement(
    "FMT21.Lem3.5.step-mixture",
    says="with T = (P0 + Q0)/2: P = 2/(e^eps0 + 1) T + (e^eps0 - 1)/(e^eps0 + 1) P0, and Q likewise with Q0",
    range="all n, eps0 >= 0",
    governs=["spec.bounds.clones.clones"],
    grounds=[SYMPY, EXACT],
    mutants={"1/10 of the weight moved from P0 to T": {"shift": Fraction(1, 10)}},
)
def step_mixture(budget: Budget, *, shift: Fraction = Fraction(0)) -> Verdict:
    """shift: added to the weight of the middle distribution and taken from the other, 0 for the statement."""
    T = sympy.Symbol("T", positive=True)
    middle, outer = 2 / (T + 1) + sympy.Rational(shift.numerator, shift.denominator), (T - 1) / (T + 1)
    outer -= sympy.Rational(shift.numerator, shift.denominator)
    general = [
        symbolic.are_identical(middle / 2 + outer, T / (T + 1)),  # the weight of P0 in P, and of Q0 in Q
        symbolic.are_identical(middle / 2, 1 / (T + 1)),
    ]
    users = budget.pick(quick=5, full=9)

    def holds(n: int, T_: Fraction) -> bool:
        P0, Q0 = clone_counts(n, 1 / T_)
        middle_law = mixture([(HALF, P0), (HALF, Q0)])
        weights = (2 / (T_ + 1) + shift, (T_ - 1) / (T_ + 1) - shift)
        return dominating_pair(n=n, exp_epsilon0=T_) == tuple(mixture([*zip(weights, (middle_law, law), strict=True)]) for law in (P0, Q0))

    found = exhaustive.for_all(product(range(1, users + 1), (Fraction(3, 2), Fraction(2), Fraction(7))), holds=holds)
    domain = f"all n and eps0 >= 0 by the weights; distributions compared for n <= {users}, e^eps0 = 3/2, 2, 7"
    return Verdict.proved(domain=domain, cases=found.cases + len(general), against=found.described, given=all(general))


_Pair = tuple[Distribution[Counts], Distribution[Counts]]


def _arbitrary() -> list[_Pair]:
    laws = [Distribution({(0, 0): Fraction(k, 4), (0, 1): 1 - Fraction(k, 4)}) for k in range(5)]
    return list(product(laws, laws))


@statement(
    "FMT21.Lem3.5.step-convexity",
    says="for any eps > 0, by convexity, max{D(T || P0), D(Q0 || T)} <= D(P0 || Q0) at order e^eps",
    range="P0 = (A+1, C-A), Q0 = (A, C-A+1), T = (P0 + Q0)/2, all n, p, eps >= 0",
    grounds=[SYMPY, EXACT, "FMT21.Sec2.subadditivity"],
    mutants={
        "two arbitrary distributions in place of P0, Q0": {"pairs": _arbitrary(), "share": Fraction(1)},
        "D(P0 || Q0)/3 on the right": {"share": Fraction(1, 3)},
    },
)
def step_convexity(budget: Budget, *, pairs: Sequence[_Pair] = (), share: Fraction = HALF) -> Verdict:
    """Outcome by outcome, (x + y)/2 - Ex = (y - Ex)/2 - (E - 1)x/2, and alike for the other two; then the mirror image of the pair."""
    users = budget.pick(quick=6, full=10)
    listed = pairs or [clone_counts(n, p) for n in range(1, users + 1) for p in (Fraction(1, 4), Fraction(2, 3), Fraction(1))]
    x, y, E = sympy.symbols("x y E")
    weight, ranges = sympy.Rational(share), {E: 1}
    steps = [  # the last part of each is at most 0, and its positive part 0
        positive_parts.is_combination((x + y) / 2 - E * x, [(weight, y - E * x), ((E - 1) / 2, -x)], at_least=ranges),  # D(T || P0)
        positive_parts.is_combination(y - E * (x + y) / 2, [(weight, y - E * x), ((E - 1) / 2, -y)], at_least=ranges),  # D(Q0 || T)
        positive_parts.is_combination(x - E * (x + y) / 2, [(weight, x - E * y), ((E - 1) / 2, -x)], at_least=ranges),  # D(P0 || T)
    ]

    def slack(case: tuple[_Pair, Fraction]) -> Fraction:
        (P0, Q0), order = case
        T = mixture([(HALF, P0), (HALF, Q0)])
        left = max(hockey_stick(a, b, exp_epsilon=order) for a, b in ((T, P0), (Q0, T), (P0, T)))
        return share * hockey_stick(P0, Q0, exp_epsilon=order) - left

    found = exhaustive.least_slack(product(listed, _ORDERS), slack=slack)
    mirrored = exhaustive.for_all(listed, holds=lambda pair: pair[0].map(lambda counts: (counts[1], counts[0])) == pair[1])
    domain = f"all n, p, eps >= 0: pointwise, and the mirror image; enumerated for n <= {users}"
    cases = found.cases + len(steps) + mirrored.cases
    if not (found.holds and mirrored.holds and all(steps)):
        witness = f"P0, Q0, e^eps = {found.counterexample}" if found.counterexample else "a pointwise identity, or the mirror image"
        return Verdict.refuted(witness, domain=domain, cases=cases)
    return Verdict.proved(
        domain=domain,
        cases=cases,
        slack="even with D(P0 || Q0)/2 on the right",
        note="convexity alone gives D(Q0 || P0); that this is D(P0 || Q0) is the mirror symmetry of the pair (given C, C - A is like "
        "A), and false for pairs without it. The step that follows needs D(P0 || T), which is also at most D(P0 || Q0)/2",
    )


@statement(
    "FMT21.Lem3.5.step-delta",
    kind=Kind.MISPRINT,
    says="by Lemma 2.3, P and Q are (eps, p delta)-indistinguishable, p = e^-eps0",
    range="n, delta, eps0, eps as in Lemma 3.5",
    grounds=["FMT21.LemA.1", "FMT21.Lem2.3", "FMT21.Lem3.5.step-mixture", "FMT21.Lem3.5.step-convexity", EXACT],
    mutants={"corrected statement with q delta/200": {"divisor": 200}},
)
def step_delta(budget: Budget, *, divisor: int = 1) -> Verdict:
    """divisor: 1 for the corrected statement q delta, else q delta/divisor."""
    T, n = Fraction(200), 2219
    value = clones_delta(n=n, T=T, E=printed_order(n=n, T=T, delta=Fraction(1)), up_to=40)
    inside = bool(ball(n / T) >= 16 * ball(2).log())
    corners = [(Fraction(5, 4), Fraction(1), 15), (Fraction(2), Fraction(1), 23), (Fraction(5), Fraction(1, 10), 240), (T, Fraction(1), n)]

    def slack(T_: Fraction, delta: Fraction, users: int) -> Fraction:
        found = clones_delta(n=users, T=T_, E=printed_order(n=users, T=T_, delta=delta), up_to=40)
        return (T_ - 1) / (T_ + 1) * delta / divisor - found

    checked = exhaustive.least_slack(corners, slack=slack)
    return erratum(
        witness=f"e^eps0 = 200, n = {n}, delta = 1 (n >= 16 e^eps0 ln 2): D(P || Q) >= {float(value):.5f} > p delta = 0.005 at (7)'s eps",
        is_witness=inside and value > 1 / T,
        corrected="they are (eps, q delta)-indistinguishable with q = (e^eps0 - 1)/(e^eps0 + 1), the weight in the mixture (Lemma 2.3's q)",
        beside=checked.verdict(domain="corrected: as in Lemma 3.5, from the statements it rests on"),
        note="Lemma 3.5 itself claims delta only, and stands",
    )
