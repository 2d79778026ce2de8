"""Every named randomizer by its whole law: how far the bracket is open, what the blanket leaves open, and what p, beta and q alone say."""

from __future__ import annotations

import math
from functools import cache
from itertools import product

from shuffleproof.bounds import answer
from shuffleproof.figures.chart import Table
from shuffleproof.spec.vocabulary.numerals import decimal_text, parse_epsilon
from shuffleproof.spec.vocabulary.progress import steps
from shuffleproof.spec.vocabulary.randomizers import named

DELTA = "1e-6"
RANDOMIZERS: tuple[dict[str, str], ...] = (
    {"randomizer": "krr", "k": "10"},
    {"randomizer": "hadamard", "k": "100"},
    {"randomizer": "subset", "k": "16", "d": "4"},
    {"randomizer": "asymmetric-rappor"},
    {"randomizer": "rappor"},
    {"randomizer": "hash", "buckets": "16"},
    {"randomizer": "hash", "buckets": "4"},
    {"randomizer": "hash", "buckets": "2"},
    {"randomizer": "laplace"},
)
LOCAL = ("1", "3")
USERS = (10**4, 10**6)
_DIGITS = 6


@cache
def randomizer_brackets(local: tuple[str, ...] = LOCAL, users: tuple[int, ...] = USERS, chosen: tuple[int, ...] | None = None) -> Table:
    """For every named randomizer: a lower and an upper bound, their ratio, the blanket's, and the optimal pair's epsilon.

    chosen: places in RANDOMIZERS, all if None.
    """
    taken = [RANDOMIZERS[i] for i in chosen] if chosen is not None else list(RANDOMIZERS)
    places = list(product(taken, local, users))
    return Table(
        title=f"Shuffled named randomizers by their whole laws: epsilon at delta = {DELTA}, from both sides",
        columns=("randomizer", "eps0", "n", "at least", "at most", "by", "ratio", "blanket's ratio", "of mu", "optimal pair", "gained"),
        rows=[_row(own, each, n) for own, each, n in steps(places, of="brackets")],
        notes=(
            "at least: neighbouring datasets in which all others hold one input (method homogeneous). at most: all neighbouring datasets, "
            "the less of methods another-place and blanket. All float64, rounded to their safe side, as is their ratio.",
            "of mu: of the normal laws that the blanket and the lower side tend to for many users, the root of their chi-squares, about. "
            "To that order no datasets are worse than those of the lower side, and another-place has their value "
            "(docs/mathematics/any-law.md).",
            "optimal pair: all that p, beta and q tell (method randomizer-pair), float64, rounded up. gained: its epsilon over that of "
            "at most.",
        ),
    )


def _row(own: dict[str, str], epsilon0: str, n: int) -> tuple[str, ...]:
    given = {**own, "n": str(n), "epsilon0": epsilon0, "delta": DELTA}
    blanket, place, lower, pair = (
        answer(quantity="epsilon", parameters=given, method=method, engine="fast").bound
        for method in ("blanket", "another-place", "homogeneous", "randomizer-pair")
    )
    upper = min(blanket, place, key=lambda bound: bound.upper)
    told = ", ".join([own["randomizer"], *(f"{name} = {text}" for name, text in own.items() if name != "randomizer")])
    return (
        told,
        epsilon0,
        str(n),
        decimal_text(lower.lower, digits=_DIGITS, direction="down"),
        decimal_text(upper.upper, digits=_DIGITS, direction="up"),
        upper.method,
        decimal_text(upper.upper / lower.lower, digits=5, direction="up"),
        decimal_text(blanket.upper / lower.lower, digits=5, direction="up"),
        f"{_for_many_users(own, epsilon0):.4f}",
        decimal_text(pair.upper, digits=_DIGITS, direction="up"),
        decimal_text(pair.upper / upper.upper, digits=4, direction="down"),
    )


def _for_many_users(own: dict[str, str], epsilon0: str) -> float:
    from shuffleproof.impl.fast.bounds.randomizer_laws import blanket_laws, homogeneous_laws

    sizes = {name: text for name, text in own.items() if name != "randomizer"}
    randomizer, local = named(own["randomizer"], **sizes), parse_epsilon(epsilon0)
    above, below = (max(law.chi_square() for law in laws(randomizer, local)) for laws in (blanket_laws, homogeneous_laws))
    return math.sqrt(above / below)
