"""FMT21, section 4.1: the remarks on how the bound for k-ary randomized response depends on k and epsilon0."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import sympy

from shuffleproof.impl.ball.bounds.k_rr import k_rr_pairs
from shuffleproof.proofs_check.ledger import BALLS, SYMPY, Budget, Kind, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import symbolic


def _deltas_fall(ks: Sequence[int]) -> bool:
    """The certified delta of Theorem 4.1's pair falls in k, at n = 10^4, eps0 = 3, eps = 1/10."""
    bounds = [k_rr_pairs.CLONES.delta(n=10**4, k=k, epsilon0=3, epsilon=Fraction(1, 10), digits=4) for k in ks]
    return all(left.lower > right.upper for left, right in pairwise(bounds))


@statement(
    "FMT21.Sec4.1.remark-improves",
    where="Sections 1 and 4",
    says="the amplification of kRR, as bounded by (11), improves with k for a fixed eps0",
    range="all k, eps0, n, delta",
    governs=["spec.bounds.k_rr.k_rr_clones"],
    grounds=[SYMPY, BALLS],
    weaker={"factor": "smaller"},
    mutants={"the squared leading term falls by 2 when k doubles": {"factor": 3}},
)
def improves(budget: Budget, *, factor: int = 1) -> Verdict:
    """factor: (11)'s leading term, squared, falls by this factor when k doubles; 1 for the statement."""
    T, k = sympy.symbols("T k", positive=True)
    leading, rest = (k + 1) / (k * (T + k - 1)), (k + 1) / k
    falls = [
        symbolic.is_nonnegative(leading - leading.subs(k, k + 1), at_least={T: 1, k: 1}, strict=True),
        symbolic.is_nonnegative(rest - rest.subs(k, k + 1), at_least={k: 1}, strict=True),
        symbolic.is_nonnegative(leading - factor * leading.subs(k, 2 * k), at_least={T: 1, k: 1}),
        _deltas_fall((2, 3, 5, 10, 30, 100)),
        _deltas_fall((10**4, 10**3)),
    ]
    domain = "equation (11): all k >= 1, eps0 >= 0, by algebra; the pair's certified delta at k = 2, ..., 100 for n = 10^4, eps0 = 3"
    if not all(falls):
        return Verdict.refuted("k = 1, T = 1: the leading term falls by less", domain=domain, cases=len(falls))
    return Verdict.proved(
        domain=domain,
        cases=len(falls),
        note="not without end: the second term stays above 4 (T-1)/n, the condition on n grows like k (FMT21.Cor4.2-condition), and the "
        "numerical bound has its best k: at n = 10^4, eps0 = 3, eps = 0.1 it rises from k = 10^3 to 10^4, since p falls like 1/k and the "
        "pair runs out of clones",
    )


@statement(
    "FMT21.Sec4.1.remark-small-k",
    where="Section 4.1, after Corollary 4.2",
    says="when k is small, (11) matches the bound of Theorem 3.1: made explicit, for k = 2 each of its two terms is between 3/4 and 3/2 of "
    "that of (1)",
    range="k = 2, all eps0 >= 0, n, delta",
    grounds=[SYMPY],
    mutants={"between 0.76 and 3/2": {"least": Fraction(76, 100)}},
)
def small_k(budget: Budget, *, least: Fraction = Fraction(3, 4)) -> Verdict:
    """The two terms of (11) at k = 2 over those of (1): squares of the leading ones, and the rest."""
    T = sympy.Symbol("T", positive=True)
    leading = (32 * sympy.Rational(3, 2) / (T + 1)) / (64 * T / (T + 1) ** 2)
    rest = sympy.Integer(6) / (8 * T / (T + 1))
    low = sympy.Rational(least.numerator, least.denominator)
    bounds = [
        symbolic.is_nonnegative(term - below, at_least={T: 1}) and symbolic.is_nonnegative(above - term, at_least={T: 1})
        for term, below, above in ((leading, low**2, sympy.Rational(9, 4)), (rest, low, sympy.Rational(3, 2)))
    ]
    domain = "k = 2, all eps0 >= 0, n, delta: each of the two terms"
    if not all(bounds):
        return Verdict.refuted("e^eps0 = 1000: the second terms have the ratio 0.75 (T+1)/T = 0.75075", domain=domain, cases=2)
    note = "the ratios are sqrt(3 (T+1)/(4 T)) and 3 (T+1)/(4 T): (11) is the larger for small eps0, the smaller for large"
    return Verdict.proved(domain=domain, cases=4, note=note)


@statement(
    "FMT21.Sec4.1.remark-large-k",
    where="Section 4.1, after Corollary 4.2",
    kind=Kind.PART,
    says="when k and eps0 are large, eps scales like e^eps0/sqrt(kn)",
    range="large k and eps0",
    grounds=[SYMPY],
    mutants={"corrected statement with a constant of at least 1": {"most": 1}},
)
def large_k(budget: Budget, *, most: int = 2) -> Verdict:
    """Leading term squared: (T-1)^2 32 (k+1) L/((T+k-1) k n), against (T-1)^2 32 L/(max(T, k) n)."""
    k = sympy.Symbol("k", positive=True)
    # with m the larger and s the smaller of T and k, both at least 1
    m, s = sympy.symbols("m s", positive=True)
    ratio = m / (m + s - 1) * (1 + 1 / k)
    rest = m / (m + s - 1)
    bounded = [
        symbolic.is_nonnegative((sympy.Integer(1) - rest), at_least={m: 1, s: 1}),
        symbolic.is_nonnegative((rest - sympy.Rational(1, most)).subs(m, s + m), at_least={m: 0, s: 1}),
        symbolic.are_identical(ratio / rest, 1 + 1 / k),
    ]
    big, small = (sympy.Rational(10**4 * (10**4 + 1), (order + 10**4 - 1) * 10**4) for order in (10**8, 10**4))
    return erratum(
        witness="k = 10^4: from e^eps0 = 10^4 to 10^8 the leading term of (11) over e^eps0/sqrt(kn) falls by a factor above 70",
        is_witness=small > 70**2 * big,
        corrected="the leading term of (11) is (e^eps0 - 1)/sqrt(max(e^eps0, k) n) times 4 sqrt(2 ln(4/delta)) and a constant in "
        "[0.7, 1.42]: like e^eps0/sqrt(kn) for k >= e^eps0, like e^(eps0/2)/sqrt(n) for k <= e^eps0",
        counterexample=None if all(bounded) else "T = k = m: m/(2m-1) comes down to 1/2, below what is claimed",
        domain="all k, eps0 by algebra",
        cases=len(bounded) + 1,
    )
