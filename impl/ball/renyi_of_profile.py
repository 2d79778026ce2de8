"""Renyi divergences of everything whose privacy profile has known upper values, every rounding upwards (BEYOND.Renyi-chords).

Where all neighbouring datasets, both ways round, have D_E <= u_k at E = E_k = e^eps_k, 1 = E_0 < ... < E_K, and 0 at E_K, each profile lies
below the lower convex envelope f of these points and of their mirror images (1/E_k, 1 - 1/E_k + u_k/E_k). The moment of order alpha is

    1 + alpha (alpha - 1) integral over E > 0 of E^(alpha - 2) (D_E(P || Q) - max(0, 1 - E)) dE,

which grows with the profile; of the broken line f it is the sum over its corners of E^alpha (slope after - slope before). This needs no
order among the slopes, so that which corners are taken may be settled with rationals close to the E_k.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, upper_end
from shuffleproof.impl.ball.privacy_loss import lower_corners
from shuffleproof.spec.vocabulary.errors import require

_BITS = 320
"""Working precision in bits, beyond four a unit of the largest epsilon: powers of e^epsilon cancel."""


def renyi(points: Sequence[tuple[Fraction, Fraction]], *, order: Fraction) -> Fraction:
    """An upper bound on the Renyi divergence.

    points: epsilon from 0 upwards, each with an upper value of delta, the last one 0; order: above 1. Raises DomainError.
    """
    epsilons, uppers = [epsilon for epsilon, _ in points], [upper for _, upper in points]
    rising = len(points) >= 2 and epsilons[0] == 0 and all(low < high for low, high in pairwise(epsilons))
    require(rising, parameter="points", value=len(points), requirement="at least two, at epsilons from 0 upwards")
    require(all(0 <= upper <= 1 for upper in uppers), parameter="points", value=max(uppers), requirement="each upper value in [0, 1]")
    require(uppers[-1] == 0, parameter="points", value=uppers[-1], requirement="ended where nothing is left of delta")
    require(order > 1, parameter="order", value=order, requirement="above 1")
    with precision(_BITS + 4 * math.ceil(epsilons[-1])):
        rational = [lower_end(ball(epsilon).exp()) for epsilon in epsilons]
        corners = lower_corners(uppers, rational)
        losses = [epsilons[k] if k >= 0 else -epsilons[-k] for k in corners]
        E = [ball(loss).exp() for loss in losses]
        heights = [ball(uppers[k]) if k >= 0 else 1 - at * ball(1 - uppers[-k]) for k, at in zip(corners, E, strict=True)]
        steps = zip(pairwise(E), pairwise(heights), strict=True)
        slopes = [arb(-1), *((above - below) / (right - left) for (left, right), (below, above) in steps), arb(0)]
        weights = [(ball(order * loss)).exp() for loss in losses]
        moment = sum((weight * (after - before) for weight, (before, after) in zip(weights, pairwise(slopes), strict=True)), arb(0))
        return max(Fraction(0), min(upper_end(moment.log() / ball(order - 1)), epsilons[-1]))
