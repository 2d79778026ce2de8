"""The ways in which many rounds are composed: each an upper bound on epsilon of all rounds, from what one round is asked for."""

import math
from collections.abc import Sequence
from fractions import Fraction

from shuffleproof.accounting.profile_by_chords import BEYOND
from shuffleproof.planning.one_round import GridPoint, Round
from shuffleproof.spec.vocabulary.elementary import approximate_log

SHARES = (Fraction(1, 50), Fraction(1, 5), Fraction(3, 5))
"""How much of delta the rounds themselves may take where a theorem needs the rest; each share proves a bound."""
_NARROW = Fraction(1, 10**9)
"""Relative gaps up to which the second differences of a profile are taken as they are."""


def by_basic(one: Round, *, rounds: int, delta: Fraction) -> tuple[Fraction, str]:
    """rounds times the epsilon of one round at delta/rounds."""
    return rounds * one.epsilon(delta / rounds), "delta shared among the rounds"


def by_theorem(one: Round, name: str, *, rounds: int, delta: Fraction) -> tuple[Fraction, str]:
    """KOV15's "advanced" or "optimal" composition of (epsilon, delta)-DP rounds, the best of the shares."""
    from shuffleproof.impl.ball import composition

    theorem = composition.advanced if name == "advanced" else composition.optimal
    found = []
    for share in SHARES:
        each = delta * share / rounds
        local = one.epsilon_near(each, beyond=delta * BEYOND / rounds)
        found.append((theorem(epsilon=local, delta=each, rounds=rounds, total_delta=delta), share))
    least, share = min(found)
    return least, f"of one round's (eps, delta), {float(share):.0%} of delta for the rounds themselves"


def by_renyi(one: Round, *, rounds: int, delta: Fraction) -> tuple[Fraction | None, str]:
    """Renyi divergences add up, and are turned into epsilon at the best of the orders tried."""
    from shuffleproof.impl.ball import composition

    second = one.divergences([Fraction(2)])
    guess = 1 + math.sqrt(-approximate_log(delta) / max(1e-300, rounds * float(second[0][1]) / 2)) if second else 8.0
    orders = {Fraction(round(1000 * min(max(1.01, 1 + (guess - 1) * 1.12**k), 10**6)), 1000) for k in range(-14, 15)} | {Fraction(2)}
    divergences = [*second, *_downhill(one, sorted(orders), rounds=rounds, delta=delta)]
    if not divergences:
        return None, "no order is affordable for so few clones"
    least, order = composition.by_renyi(divergences=divergences, rounds=rounds, delta=delta)
    return least, f"best order tried: {float(order):.6g}"


def _downhill(one: Round, orders: Sequence[Fraction], *, rounds: int, delta: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Divergences from the middle order outwards, each way for as long as epsilon falls; whichever are tried, each proves a bound."""
    from shuffleproof.impl.ball import composition

    found: list[tuple[Fraction, Fraction]] = []

    def epsilon(order: Fraction) -> Fraction | None:
        known = one.divergences([order])
        found.extend(known)
        return composition.by_renyi(divergences=known, rounds=rounds, delta=delta)[0] if known else None

    middle = len(orders) // 2
    first = epsilon(orders[middle])
    for way in (orders[middle + 1 :] if first is not None else (), orders[middle - 1 :: -1]):
        last = first
        for order in way:
            value = epsilon(order)
            if last is not None and (value is None or value > last):
                break
            last = value
    return found


def on_grid(points: Sequence[GridPoint], *, rounds: int, delta: Fraction) -> Fraction | None:
    """The composed pair, certified: connected dots, or the envelope of wide enclosures; exact products, every rounding upwards."""
    from shuffleproof.impl.ball import privacy_loss

    step = points[1].epsilon
    if all(point.upper - point.lower <= _NARROW * point.upper for point in points):
        measure = privacy_loss.on_grid([(point.lower, point.upper) for point in points], step=step)
    else:
        measure = privacy_loss.envelope([point.upper for point in points], step=step)
    return privacy_loss.epsilon_of(privacy_loss.composed(measure, rounds=rounds, delta=delta, step=step), step=step, delta=delta)


def by_library(points: Sequence[GridPoint], *, rounds: int, delta: Fraction) -> tuple[Fraction | None, str]:
    """The same dots composed by dp-accounting in float64 with fast Fourier transforms: nothing is certified."""
    if not points:
        return None, "there is no grid to hand over"
    try:
        from shuffleproof.accounting.dp_accounting import composed_epsilon
    except ImportError:
        return None, "not computed: install the extra `accounting`"
    known = [float(point.upper) for point in points]
    value = composed_epsilon(known, step=float(points[1].epsilon), rounds=rounds, delta=float(delta))
    return Fraction(value), "the same grid in float64: no certificate"
