"""FMT21, section 6: what Figure 2 shows, and Table 1's rates."""

from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import sympy

from shuffleproof.impl.ball.bounds.clones import clones
from shuffleproof.impl.ball.bounds.lower import binary_rr
from shuffleproof.impl.ball.numeric.arithmetic import ball, precision, surely_less
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Kind, Row, Verdict, erratum, statement, unchecked
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.spec.bounds.clones.clones import dominating_pair
from shuffleproof.spec.distribution import hockey_stick

_LOCAL = tuple(map(Fraction, ("3/2", "2", "5", "12")))


@cache
def _ends_of_ratio(n: int, local: str) -> tuple[Fraction, Fraction]:
    """Return the lower bound of 2RR over Clones, and Clones over it, at delta = 1e-6."""
    above = clones.epsilon(n=n, epsilon0=local, delta="1e-6", digits=6)
    below = binary_rr.epsilon(n=n, epsilon0=local, delta="1e-6", digits=6)
    return below.lower / above.upper, above.upper / below.lower


@statement(
    "FMT21.Sec6.remark-tracks",
    where="Section 6, on Figure 2",
    says="Clones closely tracks 2RR, lower bound, particularly for small eps0",
    range="Figure 2's n and delta; `closely` taken as a ratio of at most 1.1",
    governs=["impl.ball.bounds.clones.clones", "impl.ball.bounds.lower.binary_rr"],
    grounds=[BALLS, "FMT21.Thm3.2", "FMT21.PropG.1"],
    mutants={"a ratio of at most 1.01": {"most": Fraction(101, 100)}},
)
def closest(budget: Budget, *, most: Fraction = Fraction(11, 10)) -> Verdict:
    places = tuple((n, local) for n in (10**5, 10**6, 10**7) for local in ("0.01", "0.1"))
    ratios = {place: _ends_of_ratio(*place) for place in (*places, (10**6, "1"), (10**6, "8"))}
    wrong = [place for place in places if not ratios[place][0] <= 1 <= ratios[place][1] <= most]
    domain = "n = 1e5, 1e6, 1e7 with eps0 = 0.01, 0.1, delta = 1e-6: ratio at most 1.1"
    if wrong:
        return Verdict.refuted(f"n, eps0 = {wrong[0]}: {float(ratios[wrong[0]][1]):.4f}", domain=domain, cases=len(ratios))
    far = ", ".join(f"{float(ratios[10**6, local][1]):.2f} at eps0 = {local}" for local in ("1", "8"))
    return Verdict.certified(
        domain=domain,
        cases=len(ratios),
        slack=f"largest ratio there {float(max(ratios[place][1] for place in places)):.4f}",
        note=f"for larger eps0 they part: {far} (n = 1e6)",
    )


@statement(
    "FMT21.Sec6.remark-monotone",
    where="Section 6, on Figure 2; Appendix F",
    range="Figure 2's n, eps0 and delta",
    says="in all three graphs of Figure 2, Clones should be monotone: the exact bound falls with n and rises with eps0",
    grounds=[EXACT, Row("FMT21.LemF.2", corrected=True)],
    mutants={"it rises with n": {"sign": -1}},
)
def monotone(budget: Budget, *, sign: int = 1) -> Verdict:
    """delta falls with n and rises with eps0, so the epsilon for any delta does."""
    deltas = {
        (n, T, E): hockey_stick(*dominating_pair(n=n, exp_epsilon0=T), exp_epsilon=E)
        for n, T, E in product(range(1, 9), _LOCAL, map(Fraction, ("1", "5/4", "2", "4")))
    }

    def slack(case: tuple[int, Fraction, Fraction]) -> Fraction:
        n, T, E = case
        more_users, weaker = deltas.get((n + 1, T, E)), [deltas[n, other, E] for other in _LOCAL if other > T]
        steps = [sign * (deltas[case] - more_users)] if more_users is not None else []
        return min([*steps, *(value - deltas[case] for value in weaker)], default=Fraction(0))

    return exhaustive.least_slack(sorted(deltas), slack=slack).verdict(
        domain="n <= 8, e^eps0 = 3/2, 2, 5, 12, e^eps = 1, 5/4, 2, 4",
        witness=lambda case: f"n, e^eps0, e^eps = {', '.join(map(str, case))}",
        note="in n for all: C grows stochastically, and the inner divergence does not grow with C (Lemma F.2). The paper's curves "
        "wiggle; those of `figure fig2a` to `fig2c` do not",
    )


unchecked(
    "FMT21.Sec6.remark-others",
    where="Section 6, on Figure 2; Table 1",
    range="Figure 2's n, eps0 and delta",
    says="Clones is tighter than BBGN19 and BKMTT20 in all regimes tested, and BKMTT20 is tighter than EFMRTT19",
    why="the constants of the other bounds are not in the paper, BBGN19's curves come from other code, and nothing was compared but rates",
)


@statement(
    "FMT21.Tab1.order",
    where="Table 1; Section 6, on Figure 2",
    range="eps0 > 0, constants suppressed",
    says="the rates of Table 1 are in the order Theorem 3.1, BBGN19, BKMTT20, EFMRTT19: e^(eps0/2) < e^eps0 < e^(5 eps0/2) < e^(3 eps0), "
    "each over sqrt(n)",
    mutants={"BKMTT20's rate with e^(3.5 eps0)": {"bkmtt20": Fraction(7, 2)}},
)
def order_of_rates(budget: Budget, *, bkmtt20: Fraction = Fraction(5, 2)) -> Verdict:
    """Exponents a of the rates e^(a eps0)/sqrt(n) in Table 1: Theorem 3.1, BBGN19, BKMTT20, EFMRTT19."""
    exponents = {"Theorem 3.1": Fraction(1, 2), "BBGN19": Fraction(1), "BKMTT20": bkmtt20, "EFMRTT19": Fraction(3)}
    wrong = [f"{one} against {other}" for one, other in pairwise(exponents) if not exponents[one] < exponents[other]]
    return Verdict.certified(domain="the rates of Table 1 for eps0 > 0, as printed", cases=3, against=wrong[0] if wrong else None)


@statement(
    "FMT21.Tab1.k-rr",
    where="Table 1, last row; Section 1",
    says="BBGN19's rate for k-randomized response, sqrt((e^eps0 + k)/n), matches Corollary 4.2's, e^eps0/sqrt(n (e^eps0 + k)), for k = "
    "O(e^eps0); worse beyond: their ratio is 1 + k/e^eps0",
    range="rates only, constants suppressed",
    grounds=[SYMPY],
    mutants={"the ratio is 1 + k e^(-2 eps0)": {"power": 2}},
)
def k_rr_rates(budget: Budget, *, power: int = 1) -> Verdict:
    """sqrt((T + k)/n) over T/sqrt(n (T + k)) is (T + k)/T."""
    T, k, n = sympy.symbols("T k n", positive=True)
    ratio_squared = ((T + k) / n) / (T**2 / (n * (T + k)))
    domain = "all n, k, eps0 with e^eps0 + k <= n, where BBGN19's maximum is its second term"
    if symbolic.are_identical(ratio_squared, (1 + k / T**power) ** 2):
        return Verdict.proved(domain=domain, cases=1, slack="the ratio is 1 + k e^-eps0")
    return Verdict.refuted("the ratio is 1 + k e^-eps0", domain=domain, cases=1)


@statement(
    "FMT21.Tab1.k-rr-beyond",
    where="Table 1, last row, this work",
    kind=Kind.PART,
    weight="read as a guarantee for many categories the row names too small an epsilon",
    says="shuffled k-ary randomized response has eps of order e^eps0/sqrt(n (e^eps0 + k)), constants and sqrt(ln(1/delta)) suppressed, for "
    "eps0 > 1",
    range="all k, n, delta with the condition of Corollary 4.2",
    grounds=["FMT21.Cor4.2-condition", BALLS, SYMPY],
    mutants={"corrected statement with the constant 1": {"constant": Fraction(1)}},
)
def k_rr_beyond(budget: Budget, *, constant: Fraction = Fraction(14)) -> Verdict:
    """One message 1 or more, of (1, 3, ..., 3) and of (2, 3, ..., 3): a lower bound on D at e^eps = 1 + (T - 1)/(2 n).

    Corrected: with L = ln(4/delta) and n k >= 2.515 (k + 1)(T + k - 1) ln(2/delta), equation (11) over sqrt(L) T/sqrt(n (T + k)) is at
    most 4 sqrt(2 (1 + 1/k)(T + k)/(T + k - 1)) <= 4 sqrt(9/2), and 4 (1 + 1/k) sqrt((T + k)/n)/sqrt(L) <= 6 sqrt(3/(2 * 2.515 ln 2 L)).
    """
    n, T, k = 10**4, 3, 10**12
    delta = Fraction(T, 8 * k)
    with precision(192):
        r = 1 / ball(T + k - 1)
        others = (1 - r) ** (n - 1)
        E = 1 + ball(Fraction(T - 1, 2 * n))
        reached = (1 - (1 - T * r) * others) - E * (1 - (1 - r) * others)
        exceeds = surely_less(ball(delta), reached) and surely_less(ball(16 * T) * (2 / ball(delta)).log(), ball(n))
        least = E.log() / (ball(T) / (ball(n) * (T + k)).sqrt() * (1 / ball(delta)).log().sqrt())
        far = surely_less(ball(100), least)
        L, short = ball(4).log(), ball(2).log()
        enough = 4 * ball(Fraction(9, 2)).sqrt() + 6 * (ball(Fraction(3, 2)) / (ball(Fraction(503, 200)) * short * L)).sqrt()
        within = symbolic.holds(surely_less(enough, ball(constant)))
        at = (10**6, 2, ball(3), (4 * ball(10**6)).log())
        printed = (at[2] - 1) * (4 * (3 * at[3] / (ball(at[0]) * (at[2] + 1))).sqrt() + ball(6) / at[0])
        beaten = surely_less(ball(constant) * (at[3] / (ball(at[0]) * (at[2] + 2))).sqrt() * at[2], printed.log1p())
    s, u = sympy.symbols("s u", positive=True)  # T = 1 + s, k = 2 + u
    ratio = symbolic.is_nonnegative(sympy.Rational(3, 2) - (3 + s + u) / (2 + s + u), at_least={s: 0, u: 0})
    against = "n = 10^6, k = 2, e^eps0 = 3, delta = 1e-6: equation (11) is more" if beaten else None
    return erratum(
        witness=f"n = 10^4, e^eps0 = 3, k = 10^12, delta = 3/(8 k): eps is above ln(1 + 1/n), {float(least.mid()):.3g} times the row, and "
        "the factor grows without limit like sqrt(k/n)/sqrt(ln k)",
        is_witness=exceeds and far,
        corrected="for n >= 2.515 (k + 1)(e^eps0 + k - 1) ln(2/delta)/k equation (11) is at most 14 sqrt(ln(4/delta)) times the row; for k "
        "beyond n a term e^eps0/n is missing, as the witness shows",
        counterexample=against if against or (within and ratio) else "undecided",
        domain="all k >= 2, eps0 >= 0 in the range of FMT21.Cor4.2-condition; one witness for k beyond n",
        cases=4,
    )


@statement(
    "FMT21.Tab1.previous",
    where="Table 1, first four rows",
    says="for eps0 > 1 this work's e^(eps0/2)/sqrt(n) is no larger than the earlier e^(eps0/2) (binary), e^eps0, e^(3 eps0), e^(2.5 eps0) "
    "and, for (eps0, delta0), e^(20 eps0), each over sqrt(n)",
    range="eps0 >= 0, rates as the table prints them",
    grounds=[SYMPY],
    weaker={"halves": "smaller"},
    mutants={"e^(3 eps0/2)/sqrt(n) in the place of e^(eps0/2)/sqrt(n)": {"halves": 3}},
)
def earlier_rates(budget: Budget, *, halves: int = 1) -> Verdict:
    """Powers of e^(eps0/2) = 1 + s: twice the exponents of the rows, against halves."""
    s = sympy.Symbol("s", positive=True)
    earlier = {"CSUZZ19": 1, "BBGN19": 2, "EFMRTT19": 6, "BKMTT20": 5, "BKMTT20, (eps0, delta0)": 40}
    ours = (1 + s) ** halves
    larger = [name for name, power in earlier.items() if not symbolic.is_nonnegative((1 + s) ** power - ours, at_least={s: 0})]
    domain = "all eps0 >= 0; five rates"
    if larger:
        return Verdict.refuted(f"eps0 = 2: below the rate of {larger[0]}", domain=domain, cases=len(earlier))
    note = "whether the earlier rates are what those papers prove is not checked; constants and sqrt(ln(1/delta)) are "
    "left out by the table"
    return Verdict.proved(domain=domain, cases=len(earlier), note=note)
