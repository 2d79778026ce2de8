"""FMT21, appendix D: the steps from Theorem 4.1's pair to Lemma A.1."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import sympy

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Verdict, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.fmt21.clones.clone_counts import clone_counts
from shuffleproof.spec.bounds.k_rr.k_rr_clones import Counts, dominating_pair
from shuffleproof.spec.distribution import Distribution, binomial, mixture, multinomial

_PARAMETERS = (Fraction(1, 3), Fraction(1, 5), Fraction(2, 7))  # probabilities, none of them 1/2, which could hide an exchange


def components(n: int, p: Fraction) -> tuple[Distribution[Counts], Distribution[Counts], Distribution[Counts]]:
    """kappa_1^0, kappa_1^1 and kappa_0: (A+1, B, C), (A, B+1, C) and (A, B, C+1) for (A, B, C, .) ~ MultNom(n-1; p, p, p, 1-3p)."""
    others = multinomial(n - 1, [p, p, p, 1 - 3 * p])
    first, second, third = (others.map(lambda y, k=k: _raised(y, k)) for k in range(3))  # type: ignore[misc]
    return first, second, third


def _raised(counts: tuple[int, ...], kind: int) -> Counts:
    a, b, c = (number + (i == kind) for i, number in enumerate(counts[:3]))
    return a, b, c


@statement(
    "FMT21.AppD.step-thinning",
    says="with P = (A'+1, B'), Q = (A', B'+1), (A', B', .) ~ MultNom(n-1; p, p, 1-2p), drawing c ~ Bin(n-a-b, p/(1-2p)) turns (P, Q) into "
    "(kappa_1^0, kappa_1^1), and with the coordinates permuted into (kappa_1^b, kappa_0)",
    range="all n, p in (0, 1/3]",
    governs=["spec.bounds.k_rr.k_rr_clones"],
    grounds=["laws-of-views#thinning-and-mixing-counts", SYMPY, EXACT],
    mutants={"c ~ Bin(n - a - b + 1, p/(1-2p))": {"shift": 1}},
    missing="the step from equal masses to equal distributions, beyond n = 6",
)
def thinning(budget: Budget, *, shift: int = 0) -> Verdict:
    """shift: added to n - a - b in the binomial."""
    largest = budget.pick(quick=4, full=6)
    # the pair that (P, Q) turns into, among kappa_1^0, kappa_1^1, kappa_0, by where a, b, c are put
    orders: dict[tuple[int, int], Callable[[int, int, int], Counts]] = {
        (0, 1): lambda a, b, c: (a, b, c),
        (0, 2): lambda a, b, c: (a, c, b),
        (1, 2): lambda a, b, c: (c, a, b),
    }

    def holds(n: int, p: Fraction, which: tuple[int, int]) -> bool:
        place = orders[which]

        def extended(y: tuple[int, int]) -> Distribution[Counts]:
            return binomial(n - sum(y) + shift, p / (1 - 2 * p)).map(lambda c: place(*y, c))

        pair = clone_counts(n, 2 * p)
        wanted = components(n, p)
        return all(law.then(extended) == wanted[index] for law, index in zip(pair, which, strict=True))

    found = exhaustive.for_all(product(range(1, largest + 1), _PARAMETERS, orders), holds=exhaustive.unpacked(holds))
    # the mass of (a, b) under MultNom(N; p, p, 1-2p) times that of c under Bin(N-a-b, p/(1-2p)), for any N, a, b, c
    p, a, b, c, d = sympy.symbols("p a b c d", positive=True)
    f = sympy.factorial
    outer = f(a + b + c + d) / (f(a) * f(b) * f(c + d)) * p ** (a + b) * (1 - 2 * p) ** (c + d)
    inner = f(c + d) / (f(c) * f(d)) * (p / (1 - 2 * p)) ** c * ((1 - 3 * p) / (1 - 2 * p)) ** d
    whole = f(a + b + c + d) / (f(a) * f(b) * f(c) * f(d)) * p ** (a + b + c) * (1 - 3 * p) ** d
    general = sympy.simplify(sympy.expand_log(sympy.log(outer * inner / whole), force=True)) == 0
    domain = f"all n, p in (0, 1/3] by the masses; distributions compared for n <= {largest}, p = 1/3, 1/5, 2/7"
    if not (found.holds and general):
        witness = f"n, p, pair = {found.counterexample}" if found.counterexample else "the masses differ"
        return Verdict.refuted(witness, domain=domain, cases=found.cases)
    return Verdict.exhausted(domain=domain, cases=found.cases + 1, note="p <= 1/3 is what makes p/(1-2p) a probability")


@statement(
    "FMT21.AppD.step-mixture",
    where="Appendix D, equation (24)",
    says="tau_b = (1-q) kappa_0 + q kappa_1^b for the distributions tau_0, tau_1 of (A+G, B, C+1-G) and (A, B+G, C+1-G)",
    range="all n, p in (0, 1/3], q in (0, 1)",
    governs=["spec.bounds.k_rr.k_rr_clones"],
    grounds=["laws-of-views#thinning-and-mixing-counts", EXACT, SYMPY],
    mutants={"kappa_1^0 and kappa_0 exchanged": {"swapped": True}},
    missing="conditioning on the special report, beyond n = 6",
)
def mixture_of_components(budget: Budget, *, swapped: bool = False) -> Verdict:
    largest = budget.pick(quick=4, full=6)

    def holds(n: int, p: Fraction, q: Fraction) -> bool:
        first, second, third = components(n, p)
        if swapped:
            first, third = third, first
        built = tuple(mixture([(1 - q, third), (q, special)]) for special in (first, second))
        return built == dominating_pair(n=n, p=p, q=q)

    return exhaustive.for_all(
        product(range(1, largest + 1), _PARAMETERS, (Fraction(0), Fraction(1, 3), Fraction(1))), holds=exhaustive.unpacked(holds)
    ).verdict(
        domain=f"n <= {largest}, p = 1/3, 1/5, 2/7, q = 0, 1/3, 1",
        witness=lambda case: f"n, p, q = {case}: the mixture is not the pair",
        note="for every n it is the distribution of G, conditioned on. With Lemma 2.3, delta becomes q delta: both divergences that enter "
        "are from kappa_1^b, to kappa_0 and to kappa_1^(1-b)",
    )
