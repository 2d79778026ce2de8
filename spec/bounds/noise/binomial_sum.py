"""The exact privacy profile of binomial noise on a sum, which users add in parts.

Each of n honest users adds the heads of m coins Bern(p): together Z ~ Bin(n m, p). The pair is Z and s + Z, s the sensitivity.

>>> delta(n=2, sensitivity=1, coins=2, p="1/2", epsilon="ln 2").exact
'0.1875'
"""

from collections.abc import Mapping
from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import answers
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, binomial
from shuffleproof.spec.vocabulary.errors import RegimeError, ResourceLimitError
from shuffleproof.spec.vocabulary.methods.protocols import BINOMIAL_SUM
from shuffleproof.spec.vocabulary.numerals import decimal_text
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


def _refused(profile: PrivacyProfile[int], *, sensitivity: int, inputs: Mapping[str, str], **_: object) -> RegimeError:
    """The sum gives the data away with that probability."""
    both = ((profile.p, profile.q), (profile.q, profile.p))
    revealed = max(sum((mass for z, mass in law.items() if not other[z]), Fraction(0)) for law, other in both)
    shown = f"{decimal_text(revealed, digits=6, direction='up')} for s = {sensitivity}"
    return no_epsilon_for_binomial_sum(revealed=shown, delta=inputs["delta"])


delta, epsilon, _ = answers(BINOMIAL_SUM, _profiles, refused=_refused)
