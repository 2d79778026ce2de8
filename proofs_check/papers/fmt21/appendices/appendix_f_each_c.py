"""FMT21, appendix F, second part: Algorithm 5 for each value c of C, Lemmas F.1 and F.2.

T = e^eps0, E = e^eps, q = T/(T + 1), p = 1/T; B is Algorithm 5, tau its cut-off.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product

import sympy

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Kind, Verdict, derived, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.papers.fmt21.appendices.block_sums import (
    SIGNS,
    Sign,
    binomial_mass,
    conditional_distributions,
    cut_off,
    inner_sum,
    positive_part,
)
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import consecutive_binomials
from shuffleproof.spec.bounds.clones.clones import dominating_pair
from shuffleproof.spec.distribution import hockey_stick

_LOCAL = tuple(map(Fraction, ("5/4", "2", "3", "9")))
_CENTRAL = tuple(map(Fraction, ("1/3", "4/5", "1", "9/8", "3/2", "2", "5")))
Case = tuple[int, Fraction, Fraction]


def orders(largest_c: int) -> list[Case]:
    """All (c, E, T) with c <= largest_c and 1/T < E < T on a fixed grid, integer cut-offs among them."""
    return [(c, E, T) for c, T, E in product(range(largest_c + 1), _LOCAL, _CENTRAL) if 1 / T < E < T]


def _shown(case: Case | None) -> str:
    return "c, e^eps, e^eps0 = " + ", ".join(map(str, case or ()))


def _sign_identities() -> list[bool]:
    """Where P_c(a) - E Q_c(a) is positive, for all c and a, given (c + 1 - a) binom(c, a - 1) = a binom(c, a) =: (c + 1 - a) B.

    It is 2^-c (u binom(c, a) - v binom(c, a - 1)) with u, v > 0 for 1/T < E < T, and tau = (c + 1)/(v/u + 1) lies in (0, c + 1):
    positive at a = 0, negative at a = c + 1, and for 1 <= a <= c of the sign of tau - a.
    """
    c, a, B, T, E, X, Y = sympy.symbols("c a B T E X Y", positive=True)
    q = T / (T + 1)
    u, v = q - E * (1 - q), q * E - (1 - q)
    tau = (c + 1) / (v / u + 1)
    return [
        consecutive_binomials(),
        symbolic.are_identical(((E + 1) * q - 1) / ((E + 1) * q - E), v / u),  # the printed e^(eps_{q, eps})
        symbolic.are_identical(u, (T - E) / (T + 1)),
        symbolic.are_identical(v, (T * E - 1) / (T + 1)),
        symbolic.are_identical(a * (u * B * (c + 1 - a) / a - v * B), B * (u + v) * (tau - a)),
        symbolic.are_identical(tau * v / u, c + 1 - tau),
        symbolic.are_identical((c + 1) / (u / v + 1), c + 1 - tau),  # the cut-off for "-" mirrors that for "+"
        # Q_c(c + 1 - a) = P_c(a): X = binom(c, a) = binom(c, c - a), Y = binom(c, a - 1) = binom(c, c + 1 - a)
        symbolic.are_identical((1 - q) * Y + q * X, q * X + (1 - q) * Y),
    ]


@derived(
    "FMT21.Alg5",
    says="B(c, eps, eps0, +) = B(c, eps, eps0, -), and at an integer cut-off tau the term a = tau is 0, so <= and < give the same",
    range="c >= 0, -eps0 < eps < eps0",
    governs=["impl.ball.bounds.clones.clones", "impl.fast.bounds.clones.clones"],
    grounds=[SYMPY, EXACT],
    mutants={
        "the cut-off for + used for - too": {
            "other": lambda case: inner_sum(case[0], case[1], case[2], "-", tau=cut_off(c=case[0], E=case[1], T=case[2], sign="+"))
        }
    },
)
def algorithm_5(budget: Budget, *, other: Callable[[Case], Fraction] = lambda case: inner_sum(*case, "-")) -> Verdict:
    """other: B(c, eps, eps0, -) for the statement; and a term at an integer cut-off is 0."""
    largest = budget.pick(quick=14, full=40)
    identities = _sign_identities()

    def holds(case: Case) -> bool:
        c, E, T = case
        tau = cut_off(c=c, E=E, T=T, sign="+")
        P, Q = conditional_distributions(c, T)
        at_tau = P[int(tau)] - E * Q[int(tau)] if tau.denominator == 1 else Fraction(0)
        return inner_sum(c, E, T, "+") == other(case) and at_tau == 0

    grid = orders(largest)
    ties = sum(cut_off(c=c, E=E, T=T, sign="+").denominator == 1 for c, E, T in grid)
    found = exhaustive.for_all(grid, holds=holds)
    domain = f"all c >= 0, -eps0 < eps < eps0; enumerated for c <= {largest}, {ties} integer cut-offs among them"
    cases = found.cases + len(identities)
    return Verdict.proved(domain=domain, cases=cases, note="one sign suffices", against=found.described, given=all(identities) and ties > 0)


@statement(
    "FMT21.LemF.1",
    says="for eps < eps0: Pr(C = c) B(c, eps, eps0, +) = sum over a of max{0, P(a, c) - e^eps Q(a, c)}, and for - with P and Q exchanged",
    range="c integer, eps < eps0",
    governs=["impl.ball.bounds.clones.clones", "impl.fast.bounds.clones.clones"],
    grounds=[SYMPY, EXACT],
    mutants={"the cut-off moved up by 1": {"shift": Fraction(1)}, "the cut-off moved down by 1/2": {"shift": Fraction(-1, 2)}},
)
def lemma_f1(budget: Budget, *, shift: Fraction = Fraction(0)) -> Verdict:
    """shift: added to the cut-off, 0 for the statement."""
    largest = budget.pick(quick=14, full=40)
    # the sign changes at the cut-off, which takes every real value: moved by anything, it leaves terms of the wrong sign in or out
    identities = [*_sign_identities(), symbolic.holds(shift == 0)]

    def holds(case: tuple[Case, Sign]) -> bool:
        (c, E, T), sign = case
        return inner_sum(c, E, T, sign, tau=cut_off(c=c, E=E, T=T, sign=sign) + shift) == positive_part(c, E, T, sign)

    found = exhaustive.for_all(product(orders(largest), SIGNS), holds=holds)
    domain = f"all c >= 0, eps0 > 0, -eps0 < eps < eps0 by the sign of each term; enumerated for c <= {largest}, e^eps0 = 5/4, 2, 3, 9"
    cases = found.cases + len(identities)
    if found.holds and all(identities):
        return Verdict.proved(
            domain=domain,
            cases=cases,
            note="an integer cut-off changes nothing, the term there is 0; both signs give the same number. Left out: c < 0, where "
            "Bin(c, 1/2) is not defined and Pr(C = c) = 0, and eps <= -eps0, where the printed logarithm is not defined",
        )
    case, sign = found.counterexample or (None, "+")
    return Verdict.refuted(f"{_shown(case)}, b = {sign}", domain=domain, cases=cases)


@statement(
    "FMT21.LemF.1.step-survival",
    kind=Kind.MISPRINT,
    says="noting that 1 - gamma_P = Pr(P >= tau) and 1 - gamma_Q = Pr(Q >= tau)",
    range="c >= 0, eps < eps0",
    mutants={"corrected statement with >= for >": {"strict": False}},
)
def survival(budget: Budget, *, strict: bool = True) -> Verdict:
    """strict: True for the corrected statement 1 - gamma_P = Pr(P > tau)."""
    largest = budget.pick(quick=12, full=30)

    def tail(c: int, E: Fraction, T: Fraction) -> tuple[Fraction, Fraction, Fraction]:
        P, _ = conditional_distributions(c, T)
        tau = cut_off(c=c, E=E, T=T, sign="-")
        at_most = sum((P[a] for a in range(c + 2) if a <= tau), Fraction(0))
        return (
            1 - at_most,
            sum((P[a] for a in range(c + 2) if a > tau), Fraction(0)),
            sum((P[a] for a in range(c + 2) if a >= tau), Fraction(0)),
        )

    found = exhaustive.for_all(orders(largest), holds=lambda case: tail(*case)[0] == tail(*case)[1 if strict else 2])
    printed = tail(1, Fraction(1), Fraction(3))
    return erratum(
        witness=f"c = 1, eps = 0, e^eps0 = 3: tau = 1, 1 - gamma_P = {printed[0]}, Pr(P >= tau) = {printed[2]}",
        is_witness=printed[0] != printed[2],
        corrected="1 - gamma_P = Pr(P > tau) and 1 - gamma_Q = Pr(Q > tau)",
        beside=found.verdict(domain=f"corrected: by definition; enumerated for c <= {largest}"),
        note="harmless: the term at an integer tau is 0",
    )


@statement(
    "FMT21.LemF.1.step-any-epsilon",
    kind=Kind.READING,
    says="for any eps, (1 - q) - e^eps q < 0, q = e^eps0/(e^eps0 + 1)",
    range="all eps, eps0 > 0",
    grounds=[SYMPY, EXACT],
    mutants={"corrected statement with eps > -2 eps0": {"lower": -2}},
)
def negative_factor(budget: Budget, *, lower: int = -1) -> Verdict:
    """Corrected: (1 - q) - E q < 0 for eps > -eps0; a mutant says eps > lower eps0 with lower < -1."""
    T, E = sympy.symbols("T E", positive=True)
    q = T / (T + 1)
    general = symbolic.are_identical((1 - q) - E * q, (1 - E * T) / (T + 1))

    def factor(E_: Fraction, T_: Fraction) -> Fraction:
        return (1 - E_ * T_) / (T_ + 1)

    cases = [(T_**lower * step, T_) for T_ in _LOCAL for step in map(Fraction, ("1001/1000", "3/2", "4", "100"))]
    found = exhaustive.for_all(cases, holds=lambda case: factor(*case) < 0)
    printed = factor(Fraction(1, 4), Fraction(3))
    return erratum(
        witness=f"e^eps0 = 3, e^eps = 1/4: (1 - q) - e^eps q = {printed}; at eps = -eps0 it is 0",
        is_witness=printed > 0 and factor(Fraction(1, 3), Fraction(3)) == 0,
        corrected="(1 - q) - e^eps q = (1 - e^(eps + eps0))/(e^eps0 + 1) is negative iff eps > -eps0",
        counterexample=None if found.holds and general else f"e^eps, e^eps0 = {', '.join(map(str, found.counterexample or ()))}",
        domain="corrected: all eps0, eps, symbolic",
        cases=found.cases + 1,
        note="harmless: privacy parameters are not negative",
    )


@statement(
    "FMT21.LemF.2",
    kind=Kind.MISPRINT,
    says="for eps < eps0 and b = + or -: if c > c' then B(c, eps, eps0, b) < B(c', eps, eps0, b)",
    range="c > c' >= 0, eps < eps0",
    governs=["impl.fast.bounds.clones.clones"],
    grounds=[SYMPY, EXACT],
    mutants={
        "corrected statement with equality for every c = c' + 1": {"tie": lambda c, lower, r: c == lower + 1},
        "corrected statement with equality iff c'/(e^(eps_{q, eps}) + 1) is an integer": {
            "tie": lambda c, lower, r: c == lower + 1 and (lower / (r + 1)).denominator == 1
        },
    },
)
def lemma_f2(
    budget: Budget,
    *,
    tie: Callable[[int, int, Fraction], bool] = lambda c, lower, r: c == lower + 1 and ((lower + 1) / (r + 1)).denominator == 1,
) -> Verdict:
    """Corrected: B(c) <= B(c'), with equality iff tie(c, c', r).

    With f the function P_c - E Q_c of a, Pascal's rule gives P_(c+1)(a) - E Q_(c+1)(a) = (f(a) + f(a - 1))/2, so B(c + 1) <= B(c), and less
    iff f(a - 1) and f(a) have opposite signs for some a: iff tau(c) = (c + 1)/(r + 1), where f changes sign, is no integer. Two
    consecutive cut-offs differ by 1/(r + 1) in (0, 1), so not both are integers.
    """
    T, E = sympy.symbols("T E", positive=True)
    q = T / (T + 1)
    u, v = q - E * (1 - q), q * E - (1 - q)
    identities = [*_sign_identities(), symbolic.are_identical(u + v, (T - 1) * (E + 1) / (T + 1))]
    largest = budget.pick(quick=12, full=30)

    def holds(E_: Fraction, T_: Fraction, lower: int, upper: int, sign: Sign) -> bool:
        r = (T_ * E_ - 1) / (T_ - E_)
        at_upper, at_lower = inner_sum(upper, E_, T_, sign), inner_sum(lower, E_, T_, sign)
        return at_upper == at_lower if tie(upper, lower, r) else at_upper < at_lower

    grid = [(E_, T_) for T_, E_ in product(_LOCAL, _CENTRAL) if 1 / T_ < E_ < T_]
    cases = ((E_, T_, lower, upper, sign) for E_, T_ in grid for lower, upper in combinations(range(largest + 1), 2) for sign in SIGNS)
    found = exhaustive.for_all(cases, holds=holds)
    values = [inner_sum(c, Fraction(1), Fraction(3), "+") for c in (1, 2)]
    return erratum(
        witness=f"eps = 0, e^eps0 = 3, c' = 1, c = 2: B = {values[0]} and {values[1]}, equal",
        is_witness=values[0] == values[1],
        corrected="B(c) <= B(c') for c > c', with equality iff c = c' + 1 and tau(c') = (c' + 1)/(e^(eps_{q, eps}) + 1) is an integer",
        counterexample=None
        if found.holds and all(identities)
        else f"e^eps, e^eps0, c', c, b = {', '.join(map(str, found.counterexample or ()))}",
        domain=f"corrected: all c > c' >= 0, -eps0 < eps < eps0; enumerated for c <= {largest}",
        cases=found.cases + len(identities),
        note="the printed proof shows <= only, and Proposition F.3 needs no more",
    )


@statement(
    "FMT21.AppF.remark-integral",
    where="Appendix F, before Algorithm 5 and after Algorithm 6",
    kind=Kind.MISPRINT,
    says="Algorithm 5 computes the sum over a of max{0, P(a, c) - e^eps Q(a, c)}, and the divergence is the sum over c of B(c, ..., +)",
    range="n >= 1, eps < eps0",
    grounds=["FMT21.LemF.1", EXACT],
    mutants={"corrected statement with C ~ Bin(n, p)": {"users_in_c": 0}},
)
def sum_of_inner(budget: Budget, *, users_in_c: int = -1) -> Verdict:
    """users_in_c: C ~ Bin(n + users_in_c, p), -1 for the corrected statement."""
    users = budget.pick(quick=6, full=10)

    def holds(n: int, T: Fraction, E: Fraction) -> bool:
        weighted = sum((binomial_mass(n + users_in_c, 1 / T, c) * inner_sum(c, E, T, "+") for c in range(n + 1)), Fraction(0))
        return weighted == hockey_stick(*dominating_pair(n=n, exp_epsilon0=T), exp_epsilon=E)

    cases = [(n, T, E) for n, T, E in product(range(1, users + 1), _LOCAL, _CENTRAL) if 1 <= E < T]
    found = exhaustive.for_all(cases, holds=holds)
    unweighted = sum((inner_sum(c, Fraction(1), Fraction(2), "+") for c in range(2)), Fraction(0))
    true = hockey_stick(*dominating_pair(n=2, exp_epsilon0=Fraction(2)), exp_epsilon=Fraction(1))
    return erratum(
        witness=f"n = 2, e^eps0 = 2, eps = 0: the sum of B(c) over c = 0, 1 is {unweighted}, the divergence is {true}",
        is_witness=unweighted != true,
        corrected="B(c) is the sum given C = c: the divergence is the sum over c of Pr(C = c) B(c), as in Lemma F.1 and Algorithm 6",
        beside=found.verdict(domain=f"corrected: from Lemma F.1; enumerated for n <= {users}"),
    )
