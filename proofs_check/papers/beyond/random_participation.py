"""Random participation: users who toss a hidden coin before they report, and what their shuffled reports say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

from shuffleproof.proofs_check.ledger import EXACT, Argument, Budget, Row, Verdict, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.spec.bounds import random_participation
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.model import LocalRandomizer, shuffled_law
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.randomizers.k_rr import k_rr

_RATES = (Fraction(1, 3), Fraction(3, 4))
_ORDERS = (Fraction(1), Fraction(21, 20), Fraction(5, 4), Fraction(2), Fraction(5, 2))
_T = Fraction(4)
Mixed = Callable[..., Fraction]


def _pairs(k: int, n: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Neighbouring datasets of n users, up to the order of the others."""
    for others in combinations_with_replacement(range(k), n - 1):
        yield from (((x, *others), (y, *others)) for x in range(k) for y in range(k) if x != y)


@cache
def _law(k: int, dataset: tuple[int, ...]) -> Distribution[Any]:
    return shuffled_law(_randomizer(k), dataset)


@cache
def _randomizer(k: int) -> LocalRandomizer[int, int]:
    return k_rr(k=k, exp_epsilon0=_T)


@cache
def _worst(k: int, m: int, E: Fraction) -> Fraction:
    """The exact delta of m users who all take part."""
    return max(hockey_stick(_law(k, x), _law(k, y), exp_epsilon=E) for x, y in _pairs(k, m))


@cache
def _view(k: int, dataset: tuple[int, ...], rate: Fraction, least: int) -> Distribution[Any]:
    return random_participation.view(_randomizer(k), dataset, rate=rate, least=least)


def _by_rate(delta_of: Callable[[int, Fraction], Fraction], *, n: int, rate: Fraction, exp_epsilon: Fraction, least: int = 1) -> Fraction:
    """The mixture as if 1/g amplified every m: a mistake."""
    return random_participation.mixed(
        lambda m, order: delta_of(m, 1 + (order - 1) * Fraction(m, n) / rate), n=n, rate=rate, exp_epsilon=exp_epsilon, least=least
    )


def _not_amplified(
    delta_of: Callable[[int, Fraction], Fraction], *, n: int, rate: Fraction, exp_epsilon: Fraction, least: int = 1
) -> Fraction:
    """The mixture at order E for every m: above the truth, and not the truth of one pair."""
    return random_participation.mixed(
        lambda m, order: delta_of(m, 1 + (order - 1) * Fraction(m, n)), n=n, rate=rate, exp_epsilon=exp_epsilon, least=least
    )


@statement(
    "BEYOND.random-participation",
    where="docs/mathematics/random-participation.md",
    provenance="derived",
    says="let each of n users take part with probability g on a hidden toss, and let the reports of those m who do be shuffled "
    "(batches of fewer than a stated number dropped). If the shuffled reports of any m users are (ln E_m, delta_m(E_m))-DP for neighbours "
    "of which one user's data is replaced, then at every order E the delta is at most the mean over m of (m/n) delta_m(1 + (E - 1) n/m); "
    "with the divergences of (x, z, ..., z) from (z, ..., z) in the place of delta_m it is that of this pair, exactly",
    formula=r"\delta(E) \le \sum_m \Pr(\mathrm{Bin}(n, g) = m)\, \frac mn\, \delta_m\!\left(1 + (E - 1)\frac nm\right)",
    range="n >= 1, g in [0, 1], E >= 1",
    governs=["spec.bounds.random_participation", "impl.ball.random_participation"],
    grounds=[Argument("random-participation#random-participation"), EXACT, Row("FMT21.Lem2.3")],
    mutants={
        "every m amplifies as the mean does": {"mixed": _by_rate},
        "nothing amplifies": {"mixed": _not_amplified},
        "the pair is taken the other way round": {"forward": False},
    },
    missing="more users than enumerated",
)
def users_who_take_part_at_random(budget: Budget, *, mixed: Mixed = random_participation.mixed, forward: bool = True) -> Verdict:
    """All neighbouring datasets of kRR with 2 and 3 items, the whole view against the mixture; the homogeneous pair, exactly."""
    largest = budget.pick(quick=2, full=3)

    def holds(case: tuple[int, int, Fraction, int]) -> bool:
        k, n, rate, least = case
        for E in _ORDERS:
            bound = mixed(lambda m, order: _worst(k, m, order), n=n, rate=rate, exp_epsilon=E, least=least)
            views = ((_view(k, x, rate, least), _view(k, y, rate, least)) for x, y in _pairs(k, n))
            if any(PrivacyProfile(p, q).delta(exp_epsilon=E) > bound for p, q in views):
                return False
            special, others = (0, *[1] * (n - 1)), (1,) * n
            p, q = (_view(k, each, rate, least) for each in (special, others))
            exactly = mixed(lambda m, order: _homogeneous(k, m, order, forward), n=n, rate=rate, exp_epsilon=E, least=least)
            if hockey_stick(p, q, exp_epsilon=E) != exactly:
                return False
        return True

    cases = [(k, n, rate, least) for k in (2, 3) for n in range(1, largest + 1) for rate in _RATES for least in (1, 2) if least <= n]
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"kRR of k = 2, 3 items, e^eps0 = 4, n <= {largest}, all neighbouring datasets, g = 1/3, 3/4, five orders",
        witness=lambda case: f"k, n, g, least = {case}",
        note="for all n and all randomizers: m is seen, and given m the sample is a uniform subset; user 1 is in it with probability m/n, "
        "and the law without user 1 is within delta_m of the law with them, by exchanging user 1 for a user who is not in the sample",
    )


def _homogeneous(k: int, m: int, E: Fraction, forward: bool) -> Fraction:
    laws: Sequence[Distribution[Any]] = (_law(k, (0, *[1] * (m - 1))), _law(k, (1,) * m))
    p, q = laws if forward else laws[::-1]
    return hockey_stick(p, q, exp_epsilon=E)
