"""The parameters of known randomizers: each total variation recomputed from the distribution itself, at small sizes, beside its formula."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import sympy

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.divergence import total_variation
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.randomizers.k_rr import k_rr

Randomizer = LocalRandomizer[int, Any]
Known = tuple[str, Fraction, Randomizer, Fraction]
"""(which, e^eps0, the randomizer, its total variation by the formula)."""
_SQUARES = (Fraction(9, 4), Fraction(4), Fraction(25))  # e^eps0 whose roots are rational


def _normalised(weights: dict[Any, Fraction]) -> Distribution[Any]:
    total = sum(weights.values())
    return Distribution({y: weight / total for y, weight in weights.items()})


def k_subset(*, d: int, k: int, T: Fraction) -> Randomizer:
    """A k-subset of range(d), T times as likely if it holds the input."""
    subsets = list(combinations(range(d), k))
    return LocalRandomizer(range(d), {x: _normalised({s: T if x in s else Fraction(1) for s in subsets}) for x in range(d)})


def hadamard_response(*, K: int, T: Fraction) -> Randomizer:
    """An index y of range(K), T times as likely if row x + 1 of Sylvester's matrix has a 1 there."""

    def sign(x: int, y: int) -> int:
        return 1 - 2 * (bin(x & y).count("1") % 2)

    return LocalRandomizer(
        range(K - 1), {x: _normalised({y: T if sign(x + 1, y) == 1 else Fraction(1) for y in range(K)}) for x in range(K - 1)}
    )


def rappor(*, k: int, T: Fraction) -> Randomizer:
    """The k bits of the unary code, each kept with probability sqrt(T)/(sqrt(T) + 1); T is the square of a rational."""
    root = rappor_root(T)

    def weight(x: int, bits: tuple[int, ...]) -> Fraction:
        return root ** sum(bit == (position == x) for position, bit in enumerate(bits))

    return LocalRandomizer(range(k), {x: _normalised({bits: weight(x, bits) for bits in product((0, 1), repeat=k)}) for x in range(k)})


def local_hashing(*, d: int, buckets: int, T: Fraction) -> Randomizer:
    """A uniform function of range(d) into the buckets, and the input's bucket by randomized response."""
    functions = list(product(range(buckets), repeat=d))
    laws = {x: _normalised({(f, y): T if f[x] == y else Fraction(1) for f in functions for y in range(buckets)}) for x in range(d)}
    return LocalRandomizer(range(d), laws)


def _rows() -> Iterator[Known]:
    for T in _SQUARES:
        yield "binary randomized response", T, binary_rr(exp_epsilon0=T), (T - 1) / (T + 1)
        for k in (2, 3, 5):
            yield "k-ary randomized response", T, k_rr(k=k, exp_epsilon0=T), (T - 1) / (T + k - 1)
        for d, k in ((3, 1), (4, 2), (5, 2), (5, 3)):
            inside, both = comb(d - 1, k - 1), comb(d - 2, k - 2) if k > 1 else 0
            yield "k-subset", T, k_subset(d=d, k=k, T=T), (T - 1) * (inside - both) / (T * inside + comb(d - 1, k))
        for K in (4, 8):
            s = Fraction(K, 2)
            yield "Hadamard response", T, hadamard_response(K=K, T=T), s * (T - 1) / 2 / (s * T + K - s)
        for k in (2, 3, 4):
            root = rappor_root(T)
            yield "RAPPOR", T, rappor(k=k, T=T), (root - 1) / (root + 1)
        for buckets in (2, 3):
            collide = Fraction(1, buckets)
            yield "local hashing", T, local_hashing(d=3, buckets=buckets, T=T), (1 - collide) * (T - 1) / (T + buckets - 1)


def rappor_root(T: Fraction) -> Fraction:
    """sqrt(T) for the square of a rational."""
    root = sympy.sqrt(sympy.Rational(T.numerator, T.denominator))
    return Fraction(int(root.p), int(root.q))


def largest_total_variation(randomizer: Randomizer) -> Fraction:
    """The largest total variation between the distributions of two inputs."""
    return max(total_variation(randomizer.law(x), randomizer.law(y)) for x, y in combinations(randomizer.domain, 2))


def _laplace(*, halved: bool) -> bool:
    """Laplace noise of scale 1/eps0 on [0, 1]: TV of the laws at 0 and x is F(x/2) - F(-x/2), largest at x = 1; y = e^(-eps0/2)."""
    y = sympy.Symbol("y", positive=True)
    tail = y / 2 if halved else y**2 / 2
    return symbolic.are_identical((1 - tail) - tail, 1 - y)


def _smaller(chosen: str) -> Callable[[str, Fraction], Fraction]:
    """The beta of one randomizer times 0.99."""
    return lambda name, value: value * Fraction(99, 100) if name == chosen else value


_NAMED = ("binary randomized response", "k-ary randomized response", "k-subset", "Hadamard response", "RAPPOR", "local hashing")


@derived(
    "BEYOND.Table-beta",
    where="parameters of known randomizers",
    says="p = q = T and beta: binary RR (T-1)/(T+1); k-RR (T-1)/(T+k-1); Laplace 1 - e^(-eps0/2); RAPPOR (sqrt T - 1)/(sqrt T + 1); "
    "k-subset (T-1)(C(d-1,k-1) - C(d-2,k-2))/(T C(d-1,k-1) + C(d-1,k)); Hadamard response (s (T-1)/2)/(s T + K - s); local hashing at "
    "most (T-1)/(T+l-1)",
    range="T = e^eps0 > 1",
    governs=["spec.randomizers.binary_rr", "spec.randomizers.k_rr"],
    grounds=[EXACT, SYMPY],
    mutants={**{f"{name}: beta times 0.99": {"change": _smaller(name)} for name in _NAMED}, "Laplace: F(1) - F(-1)": {"halved": False}},
)
def table(budget: Budget, *, change: Callable[[str, Fraction], Fraction] = lambda name, value: value, halved: bool = True) -> Verdict:
    domain = "e^eps0 in {9/4, 4, 25}; k = 2, 3, 5; d <= 5; K = 4, 8; 2 to 4 bits; 3 items in 2 or 3 buckets; Laplace for all eps0"
    for decided, (name, T, randomizer, formula) in enumerate(_rows(), 1):
        found = largest_total_variation(randomizer)
        if found != change(name, formula) or randomizer.exp_epsilon0() != T:
            witness = f"{name}, e^eps0 = {T}: total variation {found}, e^eps0 of the distribution {randomizer.exp_epsilon0()}"
            return Verdict.refuted(witness, domain=domain, cases=decided)
    if not _laplace(halved=halved):
        return Verdict.refuted("Laplace: F(1/2) - F(-1/2)", domain=domain, cases=decided)
    return Verdict.exhausted(
        domain=domain,
        cases=decided + 1,
        slack="0: equality",
        note="local hashing with l buckets has (1 - 1/l) (T-1)/(T+l-1) for a uniform function, where two inputs collide; the listed "
        "(T-1)/(T+l-1) is what one that never makes them collide has",
    )
