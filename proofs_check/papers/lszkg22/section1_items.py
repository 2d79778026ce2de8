"""LSZKG22, section 1: one item a user."""

from fractions import Fraction
from itertools import product

from shuffleproof.proofs_check.ledger import Budget, Kind, Verdict, derived, erratum
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.distribution import product as independent

_SHARES = tuple(map(Fraction, ("0", "1/3", "1/2", "1")))


def _sum(rates: tuple[Fraction, ...]) -> Distribution[int]:
    """The number of users who hold the item, user i with probability rates[i]."""
    law: Distribution[int] = Distribution.point(0)
    for rate in rates:
        law = independent(law, Distribution({1: rate, 0: 1 - rate})).map(lambda pair: pair[0] + pair[1])
    return law


def _moments(law: Distribution[int]) -> tuple[Fraction, Fraction]:
    mean = sum((w * k for k, w in law.items()), Fraction(0))
    return mean, sum((w * (k - mean) ** 2 for k, w in law.items()), Fraction(0))


@derived(
    "LSZKG22.Sec1.one-item",
    where="Section 1: if each user has just one item",
    kind=Kind.READING,
    says="a reading: where each user has one item, a histogram of users with different distributions has the distribution of one whose "
    "users all draw from the common mixture: the sum of Ber(p_i) is Bin(n, mean of p_i)",
    range="n >= 1, d = 2",
    mutants={
        "the corrected statement with a larger variance": {"sign": -1},
        "the corrected statement for the sum of two mixtures": {"scale": 2},
    },
)
def one_item(budget: Budget, *, sign: int = 1, scale: int = 1) -> Verdict:
    """Users with rates p_i, against n users with their mean: the same expectation, and no larger a variance."""
    cases = [rates for n in range(1, budget.pick(quick=5, full=6)) for rates in product(_SHARES, repeat=n)]

    def holds(rates: tuple[Fraction, ...]) -> bool:
        own, mixed = _moments(_sum(rates)), _moments(_sum((sum(rates, Fraction(0)) / len(rates),) * len(rates)))
        return scale * own[0] == mixed[0] and sign * own[1] <= sign * mixed[1]

    found = exhaustive.for_all(cases, holds=holds)
    counterexample = found.counterexample
    certain = _sum((Fraction(0), Fraction(1)))
    return erratum(
        witness="two users, one who always and one who never holds the item: their sum is 1 for sure, that of two draws from the mixture "
        "is Bin(2, 1/2)",
        is_witness=certain != _sum((Fraction(1, 2),) * 2) and certain == Distribution.point(1),
        corrected="the expectation is the same and the variance no larger, so an error bound that holds for the mixture by its variance "
        "holds; the distributions agree where the users are themselves drawn at random, with replacement",
        counterexample=None if counterexample is None else f"rates {', '.join(map(str, counterexample))}",
        domain=f"one witness; rates 0, 1/3, 1/2, 1 of n < {budget.pick(quick=5, full=6)} users",
        cases=1 + found.cases,
    )
