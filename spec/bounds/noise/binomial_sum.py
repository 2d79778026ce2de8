"""The exact privacy profile of binomial noise on a sum, which users add in parts.

Each of n honest users adds the heads of m coins Bern(p): together Z ~ Bin(n m, p). The pair is Z and s + Z, s the sensitivity.

>>> delta(n=2, sensitivity=1, coins=2, p="1/2", epsilon="ln 2").exact
'0.1875'
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from shuffleproof.spec.bounds.exact_pair import answers, upward
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, binomial
from shuffleproof.spec.vocabulary.errors import RegimeError, ResourceLimitError
from shuffleproof.spec.vocabulary.methods.protocols import BINOMIAL_SUM
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_binomial_sum

LARGEST_COINS = 200
"""Coins of all users together that are enumerated; the certified engine goes further."""


def pair(*, coins: int, p: Fraction, sensitivity: int) -> tuple[Distribution[int], Distribution[int]]:
    """The distributions of Z and s + Z; coins: of all honest users together."""
    noise = binomial(coins, p)
    return noise, noise.map(lambda z: z + sensitivity)


def _profiles(*, n: int, sensitivity: int, coins: int, p: Fraction) -> list[PrivacyProfile[int]]:
    if n * coins > LARGEST_COINS:
        raise ResourceLimitError(what="exact arithmetic", needed=f"n coins = {n * coins}", limit=f"{LARGEST_COINS}: use engine 'ball'")
    return [PrivacyProfile(*pair(coins=n * coins, p=p, sensitivity=sensitivity))]


def _refused(revealed: Fraction, delta: str, given: Mapping[str, Any]) -> RegimeError:
    return no_epsilon_for_binomial_sum(revealed=f"{upward(revealed)} for s = {given['sensitivity']}", delta=delta)


delta, epsilon, _ = answers(BINOMIAL_SUM, _profiles, refused=_refused)
