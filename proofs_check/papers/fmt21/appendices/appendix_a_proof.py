"""FMT21, appendix A: the printed proof of Lemma A.1, step by step.

Throughout L = ln(4/delta) and l = ln(2/delta): the lemma assumes pn >= 16 l, several steps use pn >= 16 L.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil, comb, log

import sympy
from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, surely_less
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Cited, Kind, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import clone_counts, consecutive_binomials
from shuffleproof.spec.bounds.clones.clones import Counts


@statement(
    "FMT21.LemA.1.step-ratio",
    kind=Kind.MISPRINT,
    says="Pr(P = (a, b)) = (a/b) Pr(Q = (a, b)) for every output (a, b)",
    range="all n, p and (a, b)",
    grounds=[SYMPY, EXACT],
    mutants={"corrected statement with b P = (a + 1) Q": {"shift": 1}},
)
def step_ratio(budget: Budget, *, shift: int = 0) -> Verdict:
    """shift: 0 for the corrected statement b P = a Q, else b P = (a + shift) Q."""
    users = budget.pick(quick=6, full=12)

    def cases() -> Iterator[tuple[int, Fraction, Counts]]:
        for n, p in product(range(1, users + 1), (Fraction(1, 3), Fraction(1))):
            P, Q = clone_counts(n, p)
            for y in {*P.support, *Q.support}:
                yield n, p, y

    def holds(case: tuple[int, Fraction, Counts]) -> bool:
        n, p, (first, second) = case
        P, Q = clone_counts(n, p)
        return second * P[first, second] == (first + shift) * Q[first, second]

    found = exhaustive.for_all(cases(), holds=holds)
    P, Q = clone_counts(2, Fraction(1, 2))
    return erratum(
        witness=f"n = 2, p = 1/2, (a, b) = (2, 0): a/b is undefined, Pr(P = (2, 0)) = {P[2, 0]}, Pr(Q = (2, 0)) = {Q[2, 0]}",
        is_witness=P[2, 0] > 0 and Q[2, 0] == 0,
        corrected="b Pr(P = (a, b)) = a Pr(Q = (a, b)) for every (a, b): with b = 0 the log-ratio is infinite",
        counterexample=None if found.holds and consecutive_binomials(shift=shift) else f"n, p, (a, b) = {found.counterexample}",
        domain=f"all (a, b), c by the ratio of consecutive binomial coefficients; enumerated for n <= {users}, p = 1/3 and 1",
        cases=found.cases + 1,
        note="harmless: the event b = 0 lies outside (14)",
    )


def _outside_14(*, n: int, p: Fraction, delta: Fraction, spread: Fraction) -> Fraction:
    """Probability that (14) fails, with sqrt(spread pn L) for its first bound; a comparison left undecided counts as a failure."""
    L = (4 / ball(delta)).log()
    total = Fraction(0)
    for c in range(n):
        mass = comb(n - 1, c) * p**c * (1 - p) ** (n - 1 - c)
        if not surely_less(ball((c - p * n) ** 2 / (spread * p * n)), L):
            total += mass
            continue
        far = sum(comb(c, a) for a in range(c + 1) if c and not surely_less(ball(2 * (a - Fraction(c, 2)) ** 2 / c), L))
        total += mass * Fraction(far, 2**c)
    return total


@statement(
    "FMT21.LemA.1.step-concentration",
    where="Appendix A, proof of Lemma A.1, equation (14)",
    kind=Kind.MISPRINT,
    says="with probability delta, since p >= 3 ln(4/delta)/n, both |C - pn| <= sqrt(3pn ln(4/delta)) "
    "and |A - C/2| <= sqrt((C/2) ln(4/delta)), read as (C/2) ln and not C/(2 ln)",
    range="pn >= 3 ln(4/delta), delta in (0, 1]",
    grounds=[SYMPY, Cited("the multiplicative Chernoff bounds and Hoeffding's inequality", "known-facts#moments-and-tails"), EXACT, BALLS],
    mutants={"corrected statement with sqrt(pn ln(4/delta)/2) for the first bound": {"spread": Fraction(1, 2)}},
)
def step_concentration(budget: Budget, *, spread: Fraction = Fraction(3)) -> Verdict:
    """Chernoff's bound about the mean (n - 1)p, carried over to pn.

    Above: C is stochastically below Bin(n, p), so exp(-(3pnL)/(3pn)) covers it. Below, with x = sqrt(3pnL): (x - p)^2 >= 2(n - 1)pL iff
    nL + 2L + p >= 2 sqrt(3nL) sqrt(p); least at p = 1, where ((n + 2)L + 1)^2 > 12nL as a quadratic in n without real roots for L > 1.
    """
    n, L, g, v = sympy.symbols("n L g v", positive=True)
    quadratic = ((n + 2) * L + 1) ** 2 - 12 * n * L
    identities = [
        symbolic.are_identical(sympy.discriminant(quadratic, n), -96 * L**2 * (L - 1)),
        symbolic.are_identical((v**2 - 2 * g * v) - (1 - 2 * g), (1 - v) * (2 * g - (1 + v))),
    ]
    users = (8, 12, 20, 40, 80) if budget.depth == "quick" else (8, 12, 20, 40, 80, 160, 240)

    def cases() -> Iterator[tuple[int, Fraction, Fraction]]:
        for users_, p, delta in product(
            users, (Fraction(1, 4), Fraction(3, 5), Fraction(1)), (Fraction(1), Fraction(1, 10), Fraction(1, 100))
        ):
            if float(p * users_) > 3 * log(4 / delta):
                yield users_, p, delta

    found = exhaustive.least_slack(
        cases(), slack=lambda case: 1 - _outside_14(n=case[0], p=case[1], delta=case[2], spread=spread) / case[2]
    )
    inside = 1 - _outside_14(n=40, p=Fraction(1), delta=Fraction(1, 10), spread=Fraction(3))
    assert found.slack is not None
    share = float(1 - found.slack)
    counterexample = f"n, p, delta = {', '.join(map(str, found.counterexample or ()))}: (14) fails with probability {share:.4g} delta"
    return erratum(
        witness=f"n = 40, p = 1, delta = 1/10: (14) holds with probability {float(inside):.6f}",
        is_witness=inside > Fraction(9, 10),
        corrected="for pn >= 3 ln(4/delta) both bounds of (14) hold with probability >= 1 - delta (C has mean (n - 1)p, harmlessly)",
        counterexample=None if found.holds and all(identities) else counterexample,
        domain="corrected: all n, p, delta in (0, 1] with pn >= 3L; enumerated for n up to " + str(users[-1]),
        cases=found.cases + len(identities),
        slack=f"(14) fails with probability at most {share:.4g} delta in the enumerated cases",
    )


def _just_inside(delta: Fraction) -> tuple[int, Fraction, arb, arb]:
    """n = 1000 and p with pn just at 16 l, with L and l as balls; certified to satisfy the lemma's hypothesis."""
    L, low = (4 / ball(delta)).log(), (2 / ball(delta)).log()
    p = Fraction(ceil(16 * log(2 / delta) * 10**6) + 1, 10**9)
    if not ball(1000 * p) >= 16 * low:
        raise ValueError(f"p = {p} is not inside the hypothesis")
    return 1000, p, L, low


def _half_fails(delta: Fraction) -> bool:
    n, p, L, _ = _just_inside(delta)
    return surely_less(ball(p * n), 12 * L)


@statement(
    "FMT21.LemA.1.step-half",
    where="Appendix A, proof of Lemma A.1, after (14)",
    kind=Kind.GAP,
    weight="the closed form of Theorem 3.1 rests on Lemma A.1, whose printed proof needs ln(4/delta) in the condition, or delta <= 1/4",
    says="sqrt(3pn ln(4/delta)) <= pn/2, for which the text takes p >= 16 ln(4/delta)/n: the lemma assumes p >= 16 ln(2/delta)/n",
    range="pn >= 16 ln(2/delta), delta in (0, 1]",
    grounds=[SYMPY, BALLS],
    mutants={"corrected statement with delta <= 1/3": {"largest": Fraction(1, 3)}},
)
def step_half(budget: Budget, *, largest: Fraction = Fraction(1, 4)) -> Verdict:
    d = sympy.Symbol("d", positive=True)
    general = symbolic.are_identical((2 / d) ** 4 - (4 / d) ** 3, 16 * (1 - 4 * d) / d**4) and largest <= Fraction(1, 4)
    levels = [largest, *(largest * Fraction(k, 16) for k in range(1, 16)), *(largest / 10**k for k in range(1, 12))]
    found = exhaustive.for_all(levels, holds=lambda delta: not _half_fails(delta))
    at_twelve = bool(ball(12) >= 16 * ball(2).log()) and surely_less(ball(12), 12 * ball(4).log())
    return erratum(
        witness="delta = 1, n = 12, p = 1: pn = 12 >= 16 ln 2 = 11.09..., but sqrt(3pn ln 4) = 7.06... > 6 = pn/2",
        is_witness=at_twelve,
        corrected="it is pn >= 12 ln(4/delta): it follows from pn >= 16 ln(2/delta) iff delta <= 1/4, and always from pn >= 16 ln(4/delta)",
        counterexample=None if found.holds and general else f"delta = {found.counterexample}, n = 1000, pn just at 16 ln(2/delta)",
        domain="corrected: all delta <= 1/4, symbolic; the step itself at 27 levels",
        cases=found.cases + 1,
        note="the text says p >= 16 ln(4/delta)/n, which the lemma does not assume",
    )


def _quarter_fails(delta: Fraction) -> int | None:
    """The least C allowed by (14) just inside the hypothesis, if it is certainly below 8L."""
    n, p, L, _ = _just_inside(delta)
    least = int(float((ball(p * n) - (3 * ball(p * n) * L).sqrt()).upper())) + 1
    return least if surely_less(ball((least - p * n) ** 2), 3 * ball(p * n) * L) and surely_less(ball(least), 8 * L) else None


@statement(
    "FMT21.LemA.1.step-quarter",
    where="Appendix A, proof of Lemma A.1, after (14)",
    kind=Kind.GAP,
    weight="the closed form of Theorem 3.1 rests on Lemma A.1, whose printed proof needs ln(4/delta) in the condition, or delta <= 2^-10",
    says="sqrt((C/2) ln(4/delta)) <= C/4 for every C as in (14), for which the text takes p >= 16 ln(4/delta)/n: the lemma assumes "
    "p >= 16 ln(2/delta)/n",
    range="pn >= 16 ln(2/delta), delta in (0, 1]",
    grounds=[SYMPY, BALLS],
    mutants={"corrected statement with delta <= 1/500": {"largest": Fraction(1, 500)}},
)
def step_quarter(budget: Budget, *, largest: Fraction = Fraction(1, 2**10)) -> Verdict:
    """Put y = L/ln 2, l = (y - 1) ln 2: pn - sqrt(3pnL) grows with pn >= 16 l, and 16 l - sqrt(48 l L) >= 8 L iff y^2 - 13y + 16 >= 0."""
    y = sympy.Symbol("y")
    least_y = 12  # delta = 2^-10
    general = (
        symbolic.are_identical((16 * (y - 1) - 8 * y) ** 2 - 48 * y * (y - 1), 16 * (y**2 - 13 * y + 16))
        and symbolic.is_nonnegative(y**2 - 13 * y + 16, at_least={y: least_y})
        and symbolic.is_nonnegative(8 * y - 16, at_least={y: least_y})
        and largest <= Fraction(1, 2**10)
    )
    levels = [largest * Fraction(k, 48) for k in range(48, 0, -1)] + [largest / 10**k for k in range(2, 30)]
    found = exhaustive.for_all(levels, holds=lambda delta: _quarter_fails(delta) is None)
    c = _quarter_fails(Fraction(1, 100))
    return erratum(
        witness=f"delta = 1/100, n = 1000, p = {_just_inside(Fraction(1, 100))[1]}: C = {c} satisfies (14) and C < 8 ln 400 = 47.9...",
        is_witness=c is not None,
        corrected="for C as in (14) it follows from pn >= 16 ln(2/delta) when delta <= 2^-10, and from pn >= 16 ln(4/delta) always",
        counterexample=None if found.holds and general else f"delta = {found.counterexample}, n = 1000, pn just at 16 ln(2/delta)",
        domain=f"corrected: all delta <= 2^-10, symbolic; the step itself at {len(levels)} levels",
        cases=found.cases + 3,
        note="so the printed proof covers the lemma as stated for delta <= 2^-10, and needs ln(4/delta) in the condition otherwise",
    )


@statement(
    "FMT21.LemA.1.step-fractions",
    says="under (14), sqrt((C/2)L) <= C/4 and sqrt(3pnL) <= pn/2: a/b and b/a are at most (C/2 + sqrt((C/2)L) + 1)/(C/2 - sqrt((C/2)L)) "
    "<= 1 + sqrt(32L/C) + 4/C <= 1 + sqrt(64L/(pn)) + 8/(pn)",
    range="L = ln(4/delta), delta in (0, 1]",
    grounds=[SYMPY],
    weaker={"offset": "larger"},
    mutants={"2/C in place of 4/C": {"offset": 2}},
)
def step_fractions(budget: Budget, *, offset: int = 4) -> Verdict:
    """The chain of bounds on a/b and b/a, in z = sqrt(C) and m = sqrt(L/2), so that sqrt((C/2)L) = zm and sqrt(32L/C) = 8m/z.

    C >= 8L is z >= 4m, and delta <= 1 gives m >= sqrt(ln(4)/2) > 4/5. The last two lines replace C by its lower bound pn/2.
    """
    z, m, v, u, pn = sympy.symbols("z m v u pn")
    x, half = z * m, z**2 / 2
    larger = (half + x + 1) / (half - x)
    claimed = 1 + 8 * m / z + sympy.Integer(offset) / z**2
    inverse = (half + x) / (half - x + 1)
    range_: dict[sympy.Symbol, int | Fraction] = {m: Fraction(4, 5), v: 0}
    proved = [
        symbolic.is_nonnegative((claimed - larger).subs(z, 4 * m + v), at_least=range_),
        symbolic.is_nonnegative((larger - inverse).subs(z, 4 * m + v), at_least=range_),
        symbolic.is_nonnegative(8 / pn - 4 / (pn / 2 + u), at_least={pn: 1, u: 0}),
        symbolic.is_nonnegative(64 / pn - 32 / (pn / 2 + u), at_least={pn: 1, u: 0}),
    ]
    domain = "all C, A as in (14) with sqrt((C/2)L) <= C/4 and sqrt(3pnL) <= pn/2, delta in (0, 1]"
    if all(proved):
        return Verdict.proved(domain=domain, cases=len(proved), slack="equality in the second line at C = 8L")
    for root_c, half_l in product((4, 5, 8, 12), (1, 2, 3)):
        if root_c < 4 * half_l:
            continue
        left, right = (expression.subs({z: root_c, m: half_l}) for expression in (larger, claimed))
        if left > right:
            witness = f"C = {root_c**2}, L = {2 * half_l**2}, A = C/2 + sqrt(CL/2): a/b = {left} > {right}"
            return Verdict.refuted(witness, domain=domain, cases=len(proved))
    return Verdict.undecided("no proof and no counterexample", domain=domain, cases=len(proved))
