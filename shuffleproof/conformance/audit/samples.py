"""A statistically valid lower bound on epsilon from outputs on two neighbouring inputs.

Half of the samples choose an event, the other half test it: with S and the direction fixed beforehand, Clopper and Pearson's limits at
half the error each give P(S) >= a and Q(S) <= b together with probability at least 1 - level, and then a mechanism that is
(epsilon, delta)-DP has a <= e^epsilon b + delta. So epsilon >= ln((a - delta)/b), except with probability `level`. One event is tested, so
nothing has to be shared out.
"""

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.impl.ball.numeric.arithmetic import precision, upper_end
from shuffleproof.impl.ball.numeric.binomial import lower_tail
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import Epsilon

Counts = Mapping[Hashable, int]
_BITS = 128
"""Bits of e^epsilon, from both sides; the end that favours the mechanism is compared."""
_CAUTION = 2.0
"""Standard errors that an event's apparent advantage is reduced by when events are compared; only a choice."""


@dataclass(frozen=True, kw_only=True)
class View:
    """One way to distinguish outputs.

    name: in words; ranking, weighing: counts of what it makes of the outputs of both sides, in the two halves of the half that chooses;
    testing: in the half that tests.
    """

    name: str
    ranking: tuple[Counter[Hashable], Counter[Hashable]]
    weighing: tuple[Counter[Hashable], Counter[Hashable]]
    testing: tuple[Counter[Hashable], Counter[Hashable]]

    @property
    def choosing(self) -> tuple[Counter[Hashable], Counter[Hashable]]:
        """Counts in the half that chooses."""
        return self.ranking[0] + self.weighing[0], self.ranking[1] + self.weighing[1]


@dataclass(frozen=True, kw_only=True)
class Found:
    """Holds what the samples show. violation: whether (epsilon, delta)-DP is refuted at the level asked for.

    exp_epsilon: with confidence 1 - level the mechanism's e^epsilon at this delta is at least that; 0 where nothing is shown, None where
    it is infinite. event: the outputs it rests on; first: the side whose outputs they are more likely to be; in_first, in_second: how
    many of the `tested` samples of that side, and of the other one, fall in it; at_least, at_most: their certified limits.
    """

    violation: bool
    exp_epsilon: Fraction | None
    event: frozenset[Hashable]
    first: int
    tested: tuple[int, int]
    in_first: int
    in_second: int
    at_least: Fraction
    at_most: Fraction


def audited(
    choosing: tuple[Counts, Counts], testing: tuple[Counts, Counts], *, epsilon: Epsilon, delta: Fraction, level: Fraction
) -> Found:
    """Test (epsilon, delta)-DP on counts of outputs.

    choosing, testing: counts of outputs on the two sides, from different samples; each side of `testing` has at least one. level: the
    probability with which a mechanism that is (epsilon, delta)-DP may be accused, at most, in (0, 1). Raises DomainError.
    """
    require(0 < level < 1, parameter="level", value=level, requirement="above 0 and below 1")
    require(0 <= delta <= 1, parameter="delta", value=delta, requirement="in [0, 1]")
    sizes = tuple(sum(side.values()) for side in testing)
    require(min(sizes) >= 1, parameter="samples", value=sizes, requirement="at least one on each side in the half that tests")
    first, event = _chosen(choosing, epsilon, delta)
    sides = (testing[first], testing[1 - first])
    in_first, in_second = (sum(number for output, number in side.items() if output in event) for side in sides)
    tested = (sizes[first], sizes[1 - first])
    a = lower_limit(in_first, tested[0], alpha=level / 2)
    b = upper_limit(in_second, tested[1], alpha=level / 2)
    shown = max(Fraction(0), a - delta)
    exp_epsilon = shown / b if b > 0 else (None if shown > 0 else Fraction(0))
    return Found(
        violation=exp_epsilon is None or exp_epsilon > epsilon.exp_bounds(bits=_BITS)[1],
        exp_epsilon=exp_epsilon,
        event=event,
        first=first,
        tested=tested,
        in_first=in_first,
        in_second=in_second,
        at_least=a,
        at_most=b,
    )


def audited_in(views: Sequence[View], *, epsilon: Epsilon, delta: Fraction, level: Fraction) -> tuple[View, Found]:
    """Test the claim in the view of the outputs in which the choosing half shows most; that view, and what is found.

    One event of one view is tested, and the testing half has no say in which: nothing has to be shared out, however many views there are.
    Parameters as for `audited`. Raises DomainError.
    """
    require(len(views) > 0, parameter="views", value=0, requirement="at least one")
    chosen = max(views, key=lambda view: _promise(view, epsilon, delta))
    return chosen, audited(chosen.choosing, chosen.testing, epsilon=epsilon, delta=delta, level=level)


def halves(outputs: Sequence[Hashable]) -> tuple[Counter[Hashable], Counter[Hashable]]:
    """Counts of every second output, from the first on and from the second on. The order must not depend on what the outputs are."""
    return Counter(outputs[0::2]), Counter(outputs[1::2])


def edges_of(choosing: Sequence[float], *, bins: int) -> list[float]:
    """Where intervals begin: quantiles of `choosing`, so that no tested sample has a say in them."""
    ordered = sorted(choosing)
    return sorted({ordered[len(ordered) * at // bins] for at in range(1, bins)}) if ordered else []


def _chosen(choosing: tuple[Counts, Counts], epsilon: Epsilon, delta: Fraction) -> tuple[int, frozenset[Hashable]]:
    """The direction and the event of largest apparent advantage P(S) - e^epsilon Q(S) - delta, less its standard errors.

    Only events {outputs of the largest ratios} come into question: by Neyman and Pearson's lemma the best one is one of these.
    """
    E, margin = float(min(epsilon.exp_bounds(bits=_BITS)[1], Fraction(10**300))), float(delta)
    best, chosen, size = -math.inf, 0, 0
    orders: list[list[Hashable]] = []
    for first in (0, 1):
        p, q = choosing[first], choosing[1 - first]
        m, k = max(1, sum(p.values())), max(1, sum(q.values()))
        outputs = _by_ratio(p, q)
        in_p = in_q = 0
        for at, output in enumerate(outputs, start=1):
            in_p, in_q = in_p + p.get(output, 0), in_q + q.get(output, 0)
            a, b = in_p / m, (in_q + 1) / k
            error = math.sqrt(a * (1 - a) / m + E * E * min(b, 1.0) / k) if E < 1e150 else math.inf
            score = (a - E * b - margin) / error - _CAUTION if error > 0 else -math.inf
            if score > best:
                best, chosen, size = score, first, at  # the set is made once: making it here would be quadratic
        orders.append(outputs)
    return chosen, frozenset(orders[chosen][:size])


def _promise(view: View, epsilon: Epsilon, delta: Fraction) -> float:
    """The largest advantage, in standard errors, of events that the ranking quarter proposes and the weighing quarter has not seen before.

    Where nearly all outputs are different every event looks good to those samples that have proposed it: others have to weigh it.
    """
    E, margin = float(min(epsilon.exp_bounds(bits=_BITS)[1], Fraction(10**150))), float(delta)
    best = -math.inf
    for first in (0, 1):
        ranked = _by_ratio(view.ranking[first], view.ranking[1 - first])
        p, q = view.weighing[first], view.weighing[1 - first]
        m, k = max(1, p.total()), max(1, q.total())
        in_p = in_q = 0
        for output in ranked:
            in_p, in_q = in_p + p.get(output, 0), in_q + q.get(output, 0)
            a, b = in_p / m, (in_q + 1) / k
            error = math.sqrt(a * (1 - a) / m + E * E * min(b, 1.0) / k)
            best = max(best, (a - E * b - margin) / error)
    return best


def _by_ratio(p: Counts, q: Counts) -> list[Hashable]:
    """All outputs, those first that are likelier under p."""
    m, k = max(1, sum(p.values())), max(1, sum(q.values()))
    return sorted(set(p) | set(q), key=lambda output: (-(p.get(output, 0) / m) / ((q.get(output, 0) + 0.5) / k), repr(output)))


_LIMIT_BITS = 96
"""Working precision in bits, beyond which ends are rounded outward."""
_STEPS = 44
"""Halvings: the limit is known to 2^-44, far less than sampling leaves open. Coarser limits are sound, and weaker."""


def lower_limit(successes: int, trials: int, *, alpha: Fraction) -> Fraction:
    """A limit that lies above the true probability with probability at most alpha, whatever it is.

    successes in {0, ..., trials}; trials at least 1; 0 < alpha < 1. It is the largest p on a grid of 2^-44 at which as many successes, or
    more, are certified to have probability at most alpha; 0 where there is none. Raises DomainError.
    """
    return 1 - upper_limit(trials - successes, trials, alpha=alpha)


def upper_limit(successes: int, trials: int, *, alpha: Fraction) -> Fraction:
    """A limit that lies below the true probability with probability at most alpha, whatever it is; parameters as for `lower_limit`."""
    require(trials >= 1, parameter="trials", value=trials, requirement="at least 1")
    require(0 <= successes <= trials, parameter="successes", value=successes, requirement=f"an integer from 0 to {trials}")
    require(0 < alpha < 1, parameter="alpha", value=alpha, requirement="above 0 and below 1")
    if successes == trials:
        return Fraction(1)
    # Pr(Bin(trials, p) <= successes) falls in p; below the observed share it is never as small as any alpha of interest.
    low, high = Fraction(successes, trials), Fraction(1)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        middle = Fraction(round(middle * 2**_STEPS), 2**_STEPS)
        if not low < middle < high:
            break
        with precision(_LIMIT_BITS):
            surely = upper_end(lower_tail(trials, middle, successes, bits=_LIMIT_BITS)) <= alpha
        low, high = (low, middle) if surely else (middle, high)
    return high
