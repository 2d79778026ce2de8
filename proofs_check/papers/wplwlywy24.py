"""WPLWLYWY24: Wang, Peng, Li, Wen, Li, Yu, Wang, Yang, "Privacy Amplification via Shuffling: Unified, Simplified, and Tightened".

The table of (p, beta, q), from memory, each row against the randomizer's own distribution. The pair itself:
BEYOND.Published-variation-ratio.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import comb, isqrt

from shuffleproof.proofs_check.ledger import Budget, Statement, Status, Verdict, recalled
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.spec.bounds.variation_ratio.optimal_parameters import of_named
from shuffleproof.spec.vocabulary.randomizers import named

Formula = Callable[[Fraction, Mapping[str, int]], Fraction]
_ORDERS = tuple(map(Fraction, ("9/4", "4", "25")))


def _root(T: Fraction) -> Fraction:
    return Fraction(isqrt(T.numerator), isqrt(T.denominator))


def _subset(T: Fraction, own: Mapping[str, int]) -> Fraction:
    """In the paper's letters: subsets of size k out of d items."""
    d, k = own["k"], own["d"]
    only = comb(d - 1, k - 1) - (comb(d - 2, k - 2) if k > 1 else 0)
    return (T - 1) * only / (T * comb(d - 1, k - 1) + comb(d - 1, k))


def _check(name: str, sizes: Sequence[Mapping[str, int]], formula: Formula) -> Callable[..., Verdict]:
    def check(budget: Budget, *, beta: Fraction = Fraction(1), q: Fraction = Fraction(1)) -> Verdict:
        """beta, q: factors on the stated ones."""

        def holds(T: Fraction, own: Mapping[str, int]) -> bool:
            truth = of_named(randomizer=named(name, **own), epsilon0=f"ln {T}")
            return (truth.p, truth.beta, truth.q) == (T, beta * formula(T, own), q * T)

        return exhaustive.for_all([(T, own) for T in _ORDERS for own in sizes], holds=holds).verdict(
            claims=Status.CERTIFIED,
            domain=f"e^eps0 = 9/4, 4, 25; {len(sizes)} sizes, from the distribution itself",
            witness=lambda case: (
                f"e^eps0 = {case[0]}, {dict(case[1])}: it has {of_named(randomizer=named(name, **case[1]), epsilon0=f'ln {case[0]}')}"
            ),
            note="recalled from the published paper; the text was not at hand. p = q = e^eps0 are the least that hold",
        )

    return check


_ROWS: tuple[tuple[str, str, str, Sequence[Mapping[str, int]], Formula], ...] = (
    ("binary", "krr", "(e^eps0 - 1)/(e^eps0 + 1) for binary randomized response", ({"k": 2},), lambda T, own: (T - 1) / (T + 1)),
    (
        "krr",
        "krr",
        "(e^eps0 - 1)/(e^eps0 + k - 1) for kRR",
        tuple({"k": k} for k in range(2, 8)),
        lambda T, own: (T - 1) / (T + own["k"] - 1),
    ),
    (
        "subset",
        "subset",
        "(e^eps0 - 1)(C(d-1, k-1) - C(d-2, k-2))/(e^eps0 C(d-1, k-1) + C(d-1, k)) for k-subsets of d items",
        tuple({"k": k, "d": d} for k in range(2, 6) for d in range(1, k)),
        _subset,
    ),
    (
        "hash",
        "hash",
        "(e^eps0 - 1)/(e^eps0 + l - 1) for local hashing into l buckets",
        tuple({"buckets": b} for b in (2, 3, 5)),
        lambda T, own: (T - 1) / (T + own["buckets"] - 1),
    ),
    (
        "hadamard",
        "hadamard",
        "(s (e^eps0 - 1)/2)/(s e^eps0 + K - s), K = 2 s, for Hadamard response in one block",
        tuple({"k": k, "blocks": 1} for k in range(3, 7)),
        lambda T, own: (T - 1) / (2 * (T + 1)),
    ),
    ("rappor", "rappor", "(e^(eps0/2) - 1)/(e^(eps0/2) + 1) for RAPPOR", ({},), lambda T, own: (_root(T) - 1) / (_root(T) + 1)),
    ("laplace", "laplace", "1 - e^(-eps0/2) for Laplace noise on [0, 1]", ({},), lambda T, own: 1 - 1 / _root(T)),
)


def _declared() -> list[Statement]:
    return [
        recalled(
            f"WPLWLYWY24.Tab.{id}",
            where="the table of parameters",
            says=f"p = q = e^eps0, and beta = {says}",
            range="eps0 > 0",
            governs=["spec.bounds.variation_ratio.optimal_parameters"],
            mutants={"beta times 99/100": {"beta": Fraction(99, 100)}, "q times 99/100": {"q": Fraction(99, 100)}},
        )(_check(name, sizes, formula))
        for id, name, says, sizes, formula in _ROWS
    ]


_declared()
