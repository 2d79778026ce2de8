"""Certified comparisons at points: which share of what is claimed is reached there."""

from collections.abc import Iterable
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, upper_end
from shuffleproof.proofs_check.ledger.verdict import Status, Verdict
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.numerals import decimal_text

Share = arb | Fraction | tuple[Fraction, Fraction]
"""A share in a ball, exactly, or between two ends."""


def at_most_claimed(
    reached: Iterable[tuple[object, Share]],
    *,
    domain: str,
    slack: str,
    holds: Status = Status.CERTIFIED,
    beside: int = 0,
    note: str | None = None,
    given: bool = True,
) -> Verdict:
    """Decide at every point whether at most all of what is claimed is reached; the largest share is the slack.

    reached: points, and the share of a non-negative amount that is reached there. Refuted at the first point where it is certainly above 1
    or negative, as it is of a negative claim; open if it may be above 1 anywhere. slack: a sentence with {} for the largest share, whose
    point follows. beside: how many other cases and steps were decided. holds, note, given: as in Verdict.found.
    """
    worst, where, unclear, cases = Fraction(0), "", None, beside
    for point, share in reached:
        cases += 1
        low, high = (
            share if isinstance(share, tuple) else (lower_end(share), upper_end(share)) if isinstance(share, arb) else (share, share)
        )
        if high < 0:
            return Verdict.refuted(f"{point}: what is claimed is negative", domain=domain, cases=cases)
        if low > 1:
            times = decimal_text(low, digits=4, direction="down")
            return Verdict.refuted(f"{point}: at least {times} times what is claimed", domain=domain, cases=cases)
        unclear = unclear or (str(point) if high > 1 else None)  # a later point may refute it
        if high >= worst:
            worst, where = high, str(point)
    if unclear:
        return Verdict.undecided(f"{unclear}: undecided", domain=domain, cases=cases)
    text = f"{slack.format(decimal_text(worst, digits=3, direction='up'))} ({where})"
    return Verdict.found(holds, domain=domain, cases=cases, slack=text, note=note, given=given)


def between(found: Bound) -> arb:
    """A ball around a bound's two ends."""
    return ball(found.lower).union(ball(found.upper))


def enough_users(points: Iterable[tuple[str, arb, int, int]], *, domain: str, note: str | None = None) -> Verdict:
    """Decide at every point whether the claimed number of users is certified to be enough, and below no number that is needed.

    points: a point, the claimed number, and the certified numbers of users that are enough and that are needed there.
    """
    shares = ((point, (lower_end(needed / claimed), upper_end(enough / claimed))) for point, claimed, enough, needed in points)
    return at_most_claimed(shares, domain=domain, slack="at most {} of the claimed users are certified to be enough", note=note)
