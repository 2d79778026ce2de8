"""What the distribution of a finite randomizer says about the shuffled reports of many users."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from shuffleproof.conformance.audit.distribution import (
    INFINITE,
    Between,
    Shuffled,
    common_denominator,
    distances,
    larger,
    largest,
    ratio_within,
)
from shuffleproof.conformance.audit.distribution_file import RoundedDistribution, quoted
from shuffleproof.impl.ball.bounds.blanket import given_distribution
from shuffleproof.impl.ball.bounds.variation_ratio import optimal_pair
from shuffleproof.impl.ball.numeric.budget import one_answer
from shuffleproof.impl.exact.shuffled_distribution import ShuffledRandomizer
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, UndecidedError, about
from shuffleproof.spec.vocabulary.given_distribution import GivenDistribution, View
from shuffleproof.spec.vocabulary.numerals import Epsilon

_DIGITS = 12
"""Digits of certified deltas, of which the upper end counts."""
_BITS = 128
"""Bits of e^epsilon, from both sides."""
_ROUNDED_UP_TO = 10**30
"""Denominator to which long ratios are rounded up: relative to their size, 1e-30 at most."""
_MOST_WORDS = {"search": 20_000_000, "law": 20_000_000, "laws": 100_000_000}
"""Machine words of all coefficients: over all neighbours of a search, of one distribution, of all distributions that a lower side is taken
from."""
_MOST_COMPARISONS = 500_000
"""Of probabilities, for the parameters of every two inputs."""
_MOST_PARAMETERS = 16
"""Different p, beta and q of pairs of inputs, for each of which the optimal pair is asked."""
_MOST_OF_WHOLE_DISTRIBUTIONS = 500
"""Pairs of inputs times outcomes up to which a whole distribution is put on a grid: seconds."""
_DIGITS_OF_WHOLE_DISTRIBUTIONS = 3
"""Digits of a sum on that grid, of which the end on the sound side counts."""
_MOST_USERS_OF_WHOLE_DISTRIBUTIONS = 10**8
"""Half a minute far out; beyond, the pairs of each two inputs answer alone."""
_MOST_TRIES = 1000
"""Pairs of neighbours that a lower side is taken from."""


def shuffled(law: RoundedDistribution, *, n: int, epsilon: Epsilon) -> Shuffled:
    """delta of n shuffled reports at epsilon: exact over all neighbours where that is affordable, else certified from both sides.

    Else: the upper side is the smaller of those of the whole distribution's blanket (BEYOND.any-law-above) and of the optimal pair of each
    two inputs (BEYOND.ThmF3), the lower side the largest of homogeneous datasets (BEYOND.any-law-below). Of rounded probabilities the lower
    side is that of the distribution as it is written, less what the rounding can change. Raises ResourceLimitError for too many inputs and
    outcomes.
    """
    if law.rounding == 0:
        try:
            return _exhausted(law, n, epsilon)
        except ResourceLimitError:
            pass
    upper, how_upper = _upper_side(law, n, epsilon)
    lower, how_lower = _lower_side(law, n, epsilon)
    return Shuffled(delta=Between(lower=lower, upper=upper), how_lower=how_lower, how_upper=how_upper)


def _upper_side(law: RoundedDistribution, n: int, epsilon: Epsilon) -> tuple[Fraction, str]:
    sides = []
    if law.rounding == 0 and (whole := _whole_distribution(law, n, epsilon, view="above")) is not None:
        sides.append((whole[1], "certified: the blanket of each two inputs of the whole distribution (BEYOND.any-law-above)"))
    try:
        found = _needed(_parameters(law))
        of_pairs = max((_upper(parameters, n, epsilon) for parameters in found), default=Fraction(0))
        sides.append((of_pairs, "certified: the optimal pair of the distributions of each two inputs (BEYOND.ThmF3)"))
    except ResourceLimitError:
        if not sides:
            raise
    return min(sides)


def _lower_side(law: RoundedDistribution, n: int, epsilon: Epsilon) -> tuple[Fraction, str]:
    written = law if law.rounding == 0 else _as_written(law)
    lower, how = _lower(written, n, epsilon)
    whole = _whole_distribution(written, n, epsilon, view="below")
    if whole is not None and whole[0] > lower:
        lower, how = whole[0], "certified: datasets in which all others hold one input (BEYOND.any-law-below)"
    if law.rounding:
        # Each report's distribution is within k rounding in total variation, all of them together within n times that, and D_E(P || Q)
        # changes by at most TV(P, P') + E TV(Q, Q').
        reach = n * len(law.outcomes) * law.rounding * (1 + epsilon.exp_bounds(bits=_BITS)[1])
        lower = max(Fraction(0), lower - reach)
        how = (
            f"{how}; less what the rounding can change"
            if lower
            else "none: the rounding can change delta by more than its size, and one more decimal by a tenth of that"
        )
    return lower, how


def _as_written(law: RoundedDistribution) -> RoundedDistribution:
    """The probabilities as they are written, scaled to sum 1: within k rounding of the true distribution, k the number of outcomes."""
    rows = tuple(tuple(p / sum(row, Fraction(0)) for p in row) for row in law.rows)
    return RoundedDistribution(inputs=law.inputs, outcomes=law.outcomes, rows=rows, rounding=Fraction(0))


def _whole_distribution(law: RoundedDistribution, n: int, epsilon: Epsilon, *, view: View) -> tuple[Fraction, Fraction] | None:
    """Ends by everything that the distribution says, where that is affordable."""
    if n > _MOST_USERS_OF_WHOLE_DISTRIBUTIONS or math.comb(len(law.rows), 2) * len(law.outcomes) > _MOST_OF_WHOLE_DISTRIBUTIONS:
        return None
    try:
        with one_answer():
            found = given_distribution.delta(
                n=n, distribution=GivenDistribution(law.inputs, law.rows), epsilon=epsilon, view=view, digits=_DIGITS_OF_WHOLE_DISTRIBUTIONS
            )
    except (ResourceLimitError, UndecidedError, DomainError):
        return None
    return found.lower, found.upper


def _exhausted(law: RoundedDistribution, n: int, epsilon: Epsilon) -> Shuffled:
    """Every neighbouring pair. Where e^epsilon is irrational: delta falls in it, so rationals on both sides enclose it."""
    (low, high), inputs = epsilon.exp_bounds(bits=_BITS), len(set(law.rows))
    words = _words(law, n) * max(1, math.comb(n + inputs - 2, inputs - 1) * inputs * (inputs - 1))
    if words > _MOST_WORDS["search"]:
        limit = f"{_MOST_WORDS['search']:.0e} machine words"
        raise ResourceLimitError(what=f"all neighbouring datasets of {n} users", needed=f"{about(words)}", limit=limit)
    randomizer = ShuffledRandomizer(law.rows)
    worst = randomizer.worst_pair(n=n, exp_epsilon=high)
    upper = worst.delta if low == high else randomizer.worst_pair(n=n, exp_epsilon=low).delta
    told = ", ".join(f"{users} with {quoted(name)}" for name, users in zip(law.inputs, worst.dataset, strict=True) if users)
    first, second = (quoted(law.inputs[x]) for x in worst.changed)
    how = f"{'exact' if low == high else 'certified'}, over all neighbouring datasets"
    worst_told = f"; the worst: {told}, one of which changes from {first} to {second}" if worst.delta else ""
    return Shuffled(delta=Between(lower=worst.delta, upper=upper), how_lower=how + worst_told, how_upper=how)


def _words(law: RoundedDistribution, n: int) -> int:
    """Machine words of one distribution of n users: for each of its coefficients, the integer, and a byte for each outcome's exponent."""
    outcomes, denominator = len(law.outcomes), common_denominator(law.rows)
    bits = n * denominator.bit_length() if denominator else _MOST_WORDS["law"]
    return math.comb(n + outcomes - 1, outcomes - 1) * (1 + bits // 64 + outcomes // 8)


Parameters = tuple[Fraction | None, Fraction, Fraction | None]


def _parameters(law: RoundedDistribution) -> Iterator[Parameters]:
    """p, beta and q of every two inputs, rounded up; where those are too many, one triple that covers all of them."""
    least = [min(column) for column in zip(*law.rows, strict=True)]
    reaches = [_most(row, least, law.rounding) for row in law.rows]
    slack = len(law.outcomes) * law.rounding
    pairs = [(x, y, min(Fraction(1), distance + slack)) for x, y, distance in distances(law)]
    if len(pairs) * len(law.outcomes) > _MOST_COMPARISONS:
        most = Fraction(1) if not reaches else _most_of(reaches)
        yield most, max(beta for _, _, beta in pairs), most
        return
    for x, y, beta in pairs:
        p = largest(_most(law.rows[x], law.rows[y], law.rounding), _most(law.rows[y], law.rows[x], law.rounding))
        yield p, beta, largest(reaches[x], reaches[y])


def _needed(found: Iterator[Parameters]) -> set[Parameters]:
    """The triples that no other is above, or one above too many of them: whoever lies within a triple lies within those above it."""
    needed: set[Parameters] = set()
    for new in found:
        if any(_above(old, new) for old in needed):
            continue
        needed = {old for old in needed if not _above(new, old)} | {new}
        if len(needed) > _MOST_PARAMETERS:
            needed = {(_most_of([p for p, _, _ in needed]), max(beta for _, beta, _ in needed), _most_of([q for _, _, q in needed]))}
    return needed


def _above(one: Parameters, other: Parameters) -> bool:
    return not any(larger(b, a) for a, b in zip(one, other, strict=True))


def _most_of(ratios: Sequence[Fraction | None]) -> Fraction | None:
    most: Fraction | None = Fraction(1)
    for ratio in ratios:
        most = largest(most, ratio)
    return most


def _upper(parameters: Parameters, n: int, epsilon: Epsilon) -> Fraction:
    p, beta, q = parameters
    if p is INFINITE or q is INFINITE:
        return beta  # somebody may hide nobody: the total variation of one report is a bound at every epsilon
    try:
        found = optimal_pair.delta(n=n, p=p, beta=beta, q=q, epsilon=epsilon, digits=_DIGITS)
    except ResourceLimitError:  # the largest beta that p allows costs far less
        found = optimal_pair.delta(n=n, p=p, beta=(p - 1) / (p + 1), q=q, epsilon=epsilon, digits=_DIGITS)
    return min(found.upper, beta)


def _lower(law: RoundedDistribution, n: int, epsilon: Epsilon) -> tuple[Fraction, str]:
    """The largest delta of homogeneous datasets, those with the distributions furthest apart first, as far as is affordable."""
    order = epsilon.exp_bounds(bits=_BITS)[1]
    best, told, words = Fraction(0), "none: exact distributions of so many users are not affordable", _words(law, n)
    if words > _MOST_WORDS["law"]:
        return best, told
    tries, randomizer = min(_MOST_TRIES, _MOST_WORDS["laws"] // words), ShuffledRandomizer(law.rows)
    for x, y, z in _homogeneous(law, tries):
        others = [n - 1 if at == z else 0 for at in range(len(law.rows))]
        try:
            delta = randomizer.delta(others, changed=(x, y), exp_epsilon=order)
        except ResourceLimitError:
            break
        if delta >= best:
            best = delta
            one, other, many = (quoted(law.inputs[at]) for at in (x, y, z))
            told = f"one pair: all others have {many}, one user changes from {one} to {other}"
    return best, told


def _homogeneous(law: RoundedDistribution, tries: int) -> Iterator[tuple[int, int, int]]:
    """The changed user's two inputs, and everybody else's: at most so many, at least 1; one of the two first."""
    rows = range(len(law.rows))
    furthest = sorted(distances(law), key=lambda found: -found[2])
    for x, y, _ in furthest:
        for z in sorted(rows, key=lambda z: z not in (x, y)):
            for first, second in ((x, y), (y, x)):
                yield first, second, z
                tries -= 1
                if not tries:
                    return


def _most(p: Sequence[Fraction], q: Sequence[Fraction], rounding: Fraction) -> Fraction | None:
    """The least ratio that bounds p by q for every distribution within the rounding, at least 1, rounded up; else INFINITE."""
    most = _most_of([ratio_within(a, b, rounding).upper for a, b in zip(p, q, strict=True)])
    return most if most is INFINITE else _up(most)


def _up(x: Fraction) -> Fraction:
    """A ratio of large integers as a shorter one that is not below it."""
    if x.denominator <= _ROUNDED_UP_TO:
        return x
    return Fraction(-(-x.numerator * _ROUNDED_UP_TO // x.denominator), _ROUNDED_UP_TO)
