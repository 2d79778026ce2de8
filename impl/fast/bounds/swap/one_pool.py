"""The random-swap bound with one pool of others, in float64: BEYOND.any-law-place.

Each of the N other users sends, with probability eta, a report of one distribution omega: the blanket, or its part where x_0 and x_1 do not
differ. Of those who do one is chosen at random, the special user's report stands for that one's, and all reports but those of the others
who did are revealed with their senders. S users are left, and delta is at most the mean of E(L_k, summed over them)_+/S, where L_k is the
loss against what is left of the distribution of k. Except with a probability far below delta at most r_1 users did, and S = N - r_1 + 1 is
the worst of these. The sum that serves for all datasets is that of `users_in_blocks`, which sets rare losses aside.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from shuffleproof.impl.fast.bounds.blanket.one_sum import saddle
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import LossesOfOthers, as_losses
from shuffleproof.impl.fast.bounds.swap.search import least
from shuffleproof.impl.fast.bounds.swap.users_in_blocks import summed
from shuffleproof.impl.fast.numeric.results import exponential, working
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.numerals import Epsilon

_ASIDE = 1e-4
"""The share of delta that is given to nobody, or too many, having drawn from the blanket, at least."""
_MOST_ASIDE = 0.1
"""The same at most."""
_UNKNOWN = -13.8
"""ln of the delta that is expected where nothing is known: 1e-6."""
WITHIN = 2.0
"""How many times below its guess delta may be: the tail budget is a part of the guess."""


@dataclass(frozen=True)
class Place:
    """The N others each draw from omega with probability eta: nobody, or more than r_1, with probability `aside` at most.

    hidden: the least share of R_k that is left where omega is; users: S.
    """

    aside: float
    hidden: float
    users: int


def place(*, others: int, blanket: float, aside: float) -> Place | None:
    """Choose the least eta for which nobody draws from omega with probability `aside` at most; None where there is no such one.

    blanket: the mass of the part of R_k that omega may be, at most. By Bennett's inequality r > r_1 has at most the probability
    exp(-mean h(r_1/mean)), h(x) = x ln x - x + 1.
    """
    level = -math.log(aside) * (1 + 1e-9)
    if others < 1:
        return None
    eta = -math.expm1(-level / others) * (1 + 1e-9)
    if not eta < 0.9 * blanket:
        return None
    mean = others * eta
    most = math.ceil(mean)
    while mean * ((most / mean) * math.log(most / mean) - most / mean + 1) < level:
        most += 1
    left = others - most + 1
    return Place(2 * aside * (1 + 1e-6), (1 - eta / blanket) * (1 - 1e-12), left) if left >= 1 else None


class InOnePool:
    """Delta at most, for all datasets of so many users. epsilon0: from there on delta is at most what the loss types reveal."""

    def __init__(self, loss_types: LossesOfOthers, epsilon0: Epsilon, n: int) -> None:
        self.loss_types, self.epsilon0, self.n = loss_types, epsilon0, n

    def place(self, target: float) -> Place | None:
        """Choose the tail budget that roughly minimises the bound.

        For e times less one user more is lost, and where R_0 and R_1 differ on omega,
        of the others' distributions the part of so many that draw from it.
        """
        blanket = self.loss_types.blanket
        lost = 1 + 1 / blanket if blanket else 1.0
        share = math.log(1 / target) * lost / 2 / max(1, self.n - 1)
        return place(others=self.n - 1, blanket=blanket, aside=target * min(max(share, _ASIDE), _MOST_ASIDE))

    def logarithm(self, epsilon: Epsilon, found: Place | None) -> float:
        """About ln delta."""
        users, hidden = (found.users, found.hidden) if found else (self.n, 1.0)
        with working():
            E = float(exponential(epsilon))
        try:
            with np.errstate(all="ignore"):
                guessed = saddle(as_losses(self.loss_types.foremost(E, hidden)), users)[1]
        except (ValueError, OverflowError, ZeroDivisionError):
            guessed = math.nan
        return guessed if math.isfinite(guessed) else _UNKNOWN

    def guess(self, epsilon: Epsilon) -> float:
        """About delta."""
        return math.exp(max(-667.0, min(-7.0, self.logarithm(epsilon, None))))

    def delta(self, epsilon: Epsilon, target: float) -> float:
        """target: about what comes out."""
        found = self.place(target)
        if found is None:
            return 1.0
        with working():
            E = float(exponential(epsilon))
        try:
            with np.errstate(all="ignore"):  # what is not finite is refused, or ends as 1
                of_sum = summed(self.loss_types, E, hidden=found.hidden, users=found.users)
                return min(1.0, (found.aside + of_sum + self.loss_types.given_away(E)) * (1 + 1e-12))
        except (UnsupportedError, ValueError, OverflowError, ZeroDivisionError):  # beyond the floats: nothing is claimed
            return 1.0

    def epsilon(self, delta: Fraction, *, start: float = math.inf, at_last: float | None = None) -> Fraction:
        """Return an epsilon at which delta is at most that, near the least such one. start, at_last: see `least`."""
        target, top = float(delta), self.epsilon0.bounds(bits=64)[1]
        among = self.place(target)
        guess = lru_cache(maxsize=None)(lambda x: self.logarithm(Epsilon(x, None), among))
        return least(lambda x: self.delta(Epsilon(x, None), target), guess, delta, top, start=start, at_last=at_last)
