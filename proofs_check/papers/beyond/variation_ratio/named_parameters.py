"""p, beta and q of named randomizers: what their exact laws give, beside the closed forms with which the certified engine works."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

import sympy

from shuffleproof.impl.ball.bounds.variation_ratio import optimal_parameters as closed_forms
from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.spec.bounds.variation_ratio.optimal_parameters import of_named
from shuffleproof.spec.randomizers.square_wave import SquareWave
from shuffleproof.spec.vocabulary.randomizers import NAMED, named

Triple = tuple[Fraction, Fraction, Fraction]
_CLOSE = Fraction(1, 10**25)  # beta is asked for with 30 digits


def _cases(most: int) -> Iterator[tuple[str, Mapping[str, int | Fraction]]]:
    yield from (("krr", {"k": k}) for k in range(2, most + 3))
    yield from ((name, {}) for name, record in NAMED.items() if not record.needs() and record is not SquareWave)
    yield from (("subset", {"k": k, "d": d}) for k in range(2, most + 1) for d in range(1, k))
    yield from (("hadamard", {"k": k}) for k in range(2, 2 * most + 1))
    yield from (("hadamard", {"k": k, "blocks": blocks}) for k in range(2, most + 2) for blocks in (1, 2, 4))
    yield from (("hash", {"buckets": buckets}) for buckets in (2, 3, 5))
    yield from (("square-wave", {"radius": Fraction(1, 2 * j)}) for j in range(1, most))
    yield from (("unary", {"p_other": Fraction(j, most)}) for j in range(1, most))


def _symbolic(*, factor: int = 1) -> bool:
    """For all sizes: the messages that prefer one of two inputs only, in closed form; subsets in units of C(k - 2, d - 1)."""
    T, k, d, y = sympy.symbols("T k d y", positive=True)
    total = T + k - 1
    k_rr = symbolic.are_identical(T / total - 1 / total, factor * (T - 1) / total)
    only_one, holding, without = 1, (k - 1) / (k - d), (k - 1) / d  # C(k-2,d-1), C(k-1,d-1), C(k-1,d)
    subset = symbolic.are_identical(
        only_one * (T - 1) / (T * holding + without), factor * (T - 1) * d * (k - d) / (T * d * (k - 1) + (k - 1) * (k - d))
    )
    laplace = symbolic.are_identical((1 - y / 2) - y / 2, factor * (1 - y))  # y = e^(-eps0/2): F(1/2) - F(-1/2)
    return k_rr and subset and laplace


def _smaller(which: str) -> Callable[[str, Triple], Triple]:
    return lambda name, triple: (triple[0], triple[1] * Fraction(99, 100), triple[2]) if name == which else triple


@derived(
    "BEYOND.Parameters",
    where="parameters of known randomizers",
    says="(p, beta, q) = (T, (T-1) c/(T a + b), T): kRR 1, 1, k-1; local hashing 1, 1, l-1; d-subsets d(k-d), d(k-1), (k-1)(k-d); "
    "asymmetric RAPPOR 1, 2, 2; square wave of radius b 2 b, 2 b, 1; unary encoding has beta = p - q; "
    "Hadamard response in B > 1 blocks of b rows b/2, b/2, Bb - b/2, half that c for B = 1; RAPPOR (r-1)/(r+1) "
    "and Laplace noise and the piecewise mechanism 1 - 1/r, r = e^(eps0/2)",
    range="T = e^eps0 >= 1, two items or more",
    governs=[
        "spec.bounds.variation_ratio.optimal_parameters",
        "impl.ball.bounds.variation_ratio.optimal_parameters",
        "spec.vocabulary.randomizers",
    ],
    grounds=[EXACT, SYMPY],
    mutants={
        **{f"{name}: beta times 0.99": {"change": _smaller(name)} for name in NAMED},
        "q times 0.99": {"change": lambda name, triple: (triple[0], triple[1], triple[2] * Fraction(99, 100))},
        "twice the symbolic total variation": {"factor": 2},
    },
)
def parameters(budget: Budget, *, change: Callable[[str, Triple], Triple] = lambda name, triple: triple, factor: int = 1) -> Verdict:
    most, decided = budget.pick(quick=4, full=7), 0
    domain = f"e^eps0 in {{1, 9/4, 4, 25}}, up to {most + 2} items; kRR, subsets and Laplace noise for all sizes symbolically"
    for T in (1, Fraction(9, 4), 4, 25):
        for name, own in _cases(most):
            decided += 1
            truth = of_named(randomizer=named(name, **own), epsilon0=f"ln {T}")
            p, beta, q = change(name, closed_forms.parameters(randomizer=named(name, **own), epsilon0=f"ln {T}"))
            if not (p == q == truth.p == truth.q == T and truth.beta <= beta <= truth.beta * (1 + _CLOSE)):
                witness = f"{name}, {own}, e^eps0 = {T}: the distribution gives beta = {truth.beta}, the closed form {float(beta):.6g}"
                return Verdict.refuted(witness, domain=domain, cases=decided)
    if not _symbolic(factor=factor):
        return Verdict.refuted("kRR: T r - r", domain=domain, cases=decided)
    return Verdict.exhausted(
        domain=domain,
        cases=decided + 3,
        slack="0: equality",
        note="RAPPOR's other bits have one distribution under both inputs. Local hashing: no collisions, which only bring distributions "
        "nearer",
    )
