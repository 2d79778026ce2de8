"""What dp-accounting (extra `accounting`) says: numbers in float64, never a certificate."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from dp_accounting.pld import pld_pmf, privacy_loss_distribution


def composed_epsilon(deltas: Sequence[float], *, step: float, rounds: int, delta: float) -> float:
    """epsilon of so many rounds of a pair that is its own mirror image, from its profile at 0, step, 2 step, ...; an estimate."""
    last = len(deltas) - 1
    mirrored = [-math.expm1(-k * step) + math.exp(-k * step) * deltas[k] for k in range(last, 0, -1)]
    pmf = pld_pmf.create_pmf_pessimistic_connect_dots_fixed_gap(
        discretization=step,
        rounded_epsilon_lower=-last,
        rounded_epsilon_upper=last,
        deltas=np.minimum.accumulate(np.array([*mirrored, *deltas])),
    )
    composed = privacy_loss_distribution.PrivacyLossDistribution(pmf).self_compose(rounds)
    return float(composed.get_epsilon_for_delta(delta))
