"""P^hist on real data: counts read, the guarantee certified, estimates drawn and what they are worth (BC20, Figure 2).

Over an open universe most bins hold nobody. Their estimate is 0 for certain (BC20, Theorem 3.1, part iii), so they need no noise drawn; but
then nothing may distinguish a bin that was drawn for and came out 0 from one that was not: no row, no count of rows read or bins touched,
no confidence that depends on them, no order that does. What is written is a function of the estimates that are not 0, and of public
numbers.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shuffleproof.run.answer import Guarantee, Printed, Target, failure_probability
from shuffleproof.spec.vocabulary.errors import RegimeError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, decimal_text, positive, shortest
from shuffleproof.spec.vocabulary.tables import ends_of


@dataclass(frozen=True)
class Confidence:
    """How far estimates may be off, whatever the data are.

    each, all_at_once: error of one item's count, and of all items' counts together, exceeded with probability at most beta.
    """

    beta: Fraction
    each: int
    all_at_once: int


@dataclass(frozen=True, repr=False)
class Histogram(Printed):
    """The released estimates of counts. open: over all texts, where an item that is not listed is estimated 0."""

    data: str
    n: int
    noise: Fraction
    open: bool
    estimates: tuple[tuple[str, Fraction], ...]
    guarantee: Guarantee
    confidence: Confidence

    @property
    def headline(self) -> str:
        """The data and how many rows they have; not the number of estimates, which would say how many bins somebody holds."""
        return f"{self.data}, n = {self.n}"

    def columns(self) -> dict[str, list[Any]]:
        """Each item, its estimate, and between which floats all counts at once lie except with probability beta."""
        error = self.confidence.all_at_once
        known = [(item, estimate - error, estimate + error) for item, estimate in self.estimates]
        return {"item": [item for item, _ in self.estimates], "estimate": [float(each) for _, each in self.estimates], **ends_of(known)}

    def __str__(self) -> str:
        """Return what was asked, what is certified, and how far estimates may be off; without the estimates."""
        beta, confidence = decimal_text(self.confidence.beta, digits=6, direction="up"), self.confidence
        universe = "over all texts; an item without a row is estimated 0" if self.open else "over the listed domain"
        lines = [
            f"histogram of {self.data}: n = {self.n}, expected noise n (1 - p) = {shortest(self.noise)} in every bin, {universe}",
            str(self.guarantee),
            f"  each item's estimate is within {confidence.each} of its count except with probability {beta},",
            f"  all of them at once within {confidence.all_at_once} except with probability {beta} (certified, for all data)",
        ]
        return "\n".join(lines)

    def as_json(self, *, with_estimates: bool) -> dict[str, Any]:
        """The record as JSON-ready values: numbers that matter are strings."""
        confidence = self.confidence
        answer: dict[str, Any] = {
            "protocol": "histogram",
            "data": self.data,
            "n": self.n,
            "universe": "open" if self.open else "listed",
            "expected_noise": shortest(self.noise),
            "guarantee": self.guarantee.as_json(),
            "confidence": {
                "failure_probability": decimal_text(confidence.beta, digits=20, direction="up"),
                "error_of_each_item": str(confidence.each),
                "error_of_all_items_at_once": str(confidence.all_at_once),
                "covers": "items without a row too, which are estimated 0" if self.open else "all items of the domain",
            },
        }
        if with_estimates:
            answer["estimates"] = [{"item": item, "estimate": shortest(estimate)} for item, estimate in self.estimates]
        return answer


def release(
    *,
    data: str,
    column: str,
    user: str | None,
    domain: str | None,
    epsilon: Number | Epsilon,
    delta: Number,
    noise: Number | None,
    beta: Number,
) -> Histogram:
    """Read a data set, certify the guarantee, and only then draw. Everything is refused that the guarantee does not cover.

    domain: a file that lists the bins; None for an open universe, of which only estimates that are not 0 come back. noise: n (1 - p),
    None for the least that is certified. beta: how often the stated errors may be exceeded. Raises DomainError, RegimeError.
    """
    from shuffleproof.data.readers import domain_of

    target, failing = Target.parsed(epsilon=epsilon, delta=delta), failure_probability(beta)
    asked = None if noise is None else positive(noise, parameter="noise")
    bins = None if domain is None else domain_of(domain, column=column, what="bins")
    counts, n, protects = counted(data, column, user, bins)
    silent = least_noise(n, target) if asked is None else asked
    require(silent < n, parameter="noise", value=noise, requirement=f"below n = {n}")
    guarantee = certified(n, silent, target, protects)
    guarantee.require_met(noise=shortest(silent))
    confidence = confidence_for(n, silent, failing, bins=None if bins is None else len(bins))
    drawn_for = sorted(counts) if bins is None else bins
    estimates = drawn_estimates([counts[item] for item in drawn_for], n, silent)
    rows = list(zip(drawn_for, estimates, strict=True))
    written = rows if bins is not None else not_zero(rows)
    return Histogram(data, n, silent, bins is None, tuple(written), guarantee, confidence)


def not_zero(rows: list[tuple[str, Fraction]]) -> list[tuple[str, Fraction]]:
    """Return what may be published of an open universe, in the order of the items: 0 is the estimate of every item that nobody holds."""
    return [(item, estimate) for item, estimate in rows if estimate]


def counted(data: str, column: str, user: str | None, bins: list[str] | None) -> tuple[Counter[str], int, str]:
    """How many rows hold each item, how many rows count, and what a row is.

    An item that is empty, or outside the domain, is held in no bin, and of a user with several rows the first counts. That is not refused:
    it would reveal something to everybody about one user. Such a user moves one bin instead of two: a projection of the pair that is
    certified.
    """
    from shuffleproof.data import standard_library
    from shuffleproof.data.readers import texts

    counts: Counter[str] = Counter()
    if data == standard_library.NAME:
        require(user is None, parameter="user", value=user, requirement="left out: every occurrence is a user of its own")
        counts.update(standard_library.identifiers())
        n = sum(counts.values())
        protects = f"{standard_library.PROTECTS} ({standard_library.described()})"
    else:
        users: set[str] = set()
        n = 0
        for batch in texts(data=data, columns=[column] if user is None else [column, user], forgiving=True):
            rows = batch if user is None else list(_first_of_each(batch, users))
            n += len(rows)
            counts.update(row[0] for row in rows)
        protects = "one row: a user with one item" if user is not None else "one row; a user with several rows is not protected as a whole"
    del counts[""]
    inside = counts if bins is None else Counter({item: counts[item] for item in bins if item in counts})
    return inside, n, protects


def _first_of_each(batch: Sequence[tuple[str, ...]], users: set[str]) -> Iterator[tuple[str, ...]]:
    for row in batch:
        if row[1] not in users:
            users.add(row[1])
            yield row


def least_noise(n: int, target: Target) -> Fraction:
    """The least noise with which the target is met, rounded up to a whole number, or n/2. Raises RegimeError where no noise meets it."""
    from shuffleproof.impl.ball.calibration import histogram as engine

    found = engine.calibrate(n=n, epsilon=target.epsilon, delta=target.delta)
    if found.value is None:
        advice = "ask for a larger epsilon or delta, or of more users"
        raise RegimeError(
            statement=found.statement, condition="a noise that meets the target", given=f"none: {found.unattainable}", advice=advice
        )
    return min(Fraction(max(1, math.ceil(found.value))), Fraction(n, 2))


def certified(n: int, noise: Fraction, target: Target, protects: str) -> Guarantee:
    """Replacing one row moves the counts of two bins by one each: the profile of these two, certified."""
    from shuffleproof.impl.ball.bounds.noise import histogram as two_bins

    bound = two_bins.delta(n=n, p=1 - noise / n, epsilon=target.epsilon, digits=6)
    return Guarantee(target, bound.upper, bound.statement, "the profile of the two bins that change", protects)


def drawn_estimates(counts: Sequence[int], n: int, noise: Fraction) -> list[Fraction]:
    """n times what the analyzer estimates: the excess over n messages, plus n (1 - p), where there is an excess; else 0."""
    import numpy as np

    from shuffleproof.impl.release.entropy import OperatingSystem
    from shuffleproof.impl.release.histogram import excess_messages

    held = np.array(counts, dtype=np.int64)
    excess = excess_messages(counts=held, n=n, p=1 - noise / n, source=OperatingSystem())
    return [excess_of_bin + noise if excess_of_bin > 0 else Fraction(0) for excess_of_bin in excess.tolist()]


def confidence_for(n: int, noise: Fraction, beta: Fraction, *, bins: int | None) -> Confidence:
    """Errors of a count that one bin, and any bin, exceed with probability at most beta."""
    from shuffleproof.impl.release.accuracy import histogram_error

    of_one, of_any = (histogram_error(n=n, silent=noise, beta=beta, items=items) for items in (1, n if bins is None else min(n, bins)))
    return Confidence(beta, of_one, of_any)
