"""The coordinate sums of asymmetric RAPPOR reports over all neighbouring datasets, certified (BEYOND.asymmetric-sums).

With k holders among the others, S = Bin(k, 1/2) + Bin(n - 1 - k, q) is a product of polynomials in ball arithmetic, q = 1/(e^eps0 + 1).
The coordinate that loses a user is S + Ber(1/2) against S + Ber(q); the one that gains a user, its zeros counted, T + Ber(1 - q) against
T + Ber(1/2). Likelihood ratios rise, so for every y of one coordinate the cells (x, y) that count are those from some x on; cells whose
sign is not certain are in the event below and are paid for above, and so is what lies outside the window.

Datasets with k to k' holders share k fair bits and n - 1 - k' of q: boxes of datasets are halved, worst first.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count as counter

from flint import arb, arb_poly

from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.binomial import masses
from shuffleproof.impl.ball.numeric.results import certified
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.errors import ResourceLimitError
from shuffleproof.spec.vocabulary.methods.protocols import ASYMMETRIC_SUMS
from shuffleproof.spec.vocabulary.numerals import Epsilon

LARGEST_N = 10_000
"""Users: polynomials of all counts take seconds there."""
_WORK = 300_000
"""Cells that a search looks at, about."""
_FEWEST = 100
"""Boxes of datasets that it looks at, at least. The bounds are sound wherever it stops, and wider the sooner."""
_BITS = 512
"""Bits beyond four a digit: masses down to 2^-512 are enclosed to full digits, and farther ones absolutely."""
_MOST_ROUNDS = 40
"""Searches over datasets for one epsilon, at most."""
_LARGEST_GAP = Fraction(1)
"""Relative distance of the ends of epsilon beyond which the gap is not widened."""
_MOST_HALVINGS = 100
"""Halvings for one dataset's epsilon at most."""
Block = tuple[int, int]
Box = tuple[Block | None, Block | None]


@certified(ASYMMETRIC_SUMS)
def delta(*, n: int, changed: int, epsilon0: Epsilon, epsilon: Epsilon, digits: int = 15) -> Found:
    """The least delta for which the coordinate sums are (epsilon, delta)-DP: lower is one dataset's, upper holds for all.

    n: at most 10^4; epsilon0: of one report where an item is replaced; digits: where every dataset can be looked at, else some percent; not
    below about 1e-70.
    """
    _require_affordable(n)
    bits = _BITS + 4 * digits
    with precision(bits):
        if epsilon0.exp == 1 or exp_of(epsilon) >= _largest(epsilon0, changed):
            return Found.exactly(0)
        found = _Search(n - 1, changed, epsilon0, bits).worst(exp_of(epsilon), gap=Fraction(1, 10**digits))
    return Found(found.lower, found.upper, precision=bits)


@certified(ASYMMETRIC_SUMS)
def epsilon(*, n: int, changed: int, epsilon0: Epsilon, delta: Fraction, digits: int = 15) -> Found:
    """Least epsilon for which the coordinate sums are (epsilon, delta)-DP; ln((e^eps0 + 1)/2) or eps0 at delta = 0.

    Some dataset exceeds delta below lower, none does at upper.
    """
    _require_affordable(n)
    if delta == 1 or epsilon0.exp == 1:
        return Found.exactly(0)
    bits = _BITS + 4 * digits + 2 * (delta.denominator.bit_length() - delta.numerator.bit_length() if delta else 0)
    with precision(bits):
        top = _largest(epsilon0, changed).log()
        if delta == 0:
            return Found(lower_end(top), upper_end(top))
        if _Search(n - 1, changed, epsilon0, bits).worst(arb(1), gap=Fraction(1), target=delta).upper <= delta:
            return Found.exactly(0)
        search = _Search(n - 1, changed, epsilon0, bits)
        return Found(*_least_epsilon(search, delta, upper_end(top), Fraction(1, 10**digits)), precision=bits)


def _require_affordable(n: int) -> None:
    if n > LARGEST_N:
        raise ResourceLimitError(what="a search over all datasets", needed=f"n = {n}", limit=f'n up to {LARGEST_N}: use engine "fast"')


def _largest(epsilon0: Epsilon, changed: int) -> arb:
    """The largest likelihood ratio: e^epsilon0 where two coordinates change, (e^epsilon0 + 1)/2 where one does."""
    T = exp_of(epsilon0)
    return T if changed == 2 else (T + 1) / 2


def _least_epsilon(search: _Search, target: Fraction, top: Fraction, gap: Fraction) -> tuple[Fraction, Fraction]:
    """One dataset's epsilon from below; a little above it all datasets are certified."""
    wanted = math.log(target.denominator) - math.log(target.numerator)
    guess = min(Fraction(2 * math.sqrt(wanted / max(search.variance, 1e-9))), top / 2)
    box = search.worst(ball(guess).exp(), gap=Fraction(1, 2)).box
    low = search.missed(box, target, Fraction(0), top, gap / 4)
    for _ in range(_MOST_ROUNDS):
        high = low * (1 + gap) if low > 0 else gap * guess
        if high >= top:
            break
        found = search.worst(ball(high).exp(), gap=Fraction(0), target=target)
        if found.upper <= target:
            return low, high
        if found.lower > target:  # a worse dataset
            low = search.missed(found.box, target, high, top, gap / 4)
        else:
            gap = min(max(4 * gap, Fraction(1, 10**4)), _LARGEST_GAP)
    return low, top


@dataclass(frozen=True)
class _Distribution:
    """P, Q and their tails on a window, from a certain ratio upwards; outside: an upper end of what P has beyond it."""

    P: list[arb]
    Q: list[arb]
    P_from: list[arb]
    Q_from: list[arb]
    outside: arb

    @classmethod
    def of(cls, S: list[arb], first: arb, second: arb, bits: int) -> _Distribution:
        """S and one bit more, 1 with probability `first` in P and with `second` in Q."""
        P, Q = ([(1 - p) * here + p * before for before, here in zip([arb(0), *S], [*S, arb(0)], strict=True)] for p in (first, second))
        least = arb(2) ** (-bits // 2)
        kept = [at for at, (x, y) in enumerate(zip(P, Q, strict=True)) if x > least and y > least]
        if not kept:
            needed = f"probabilities below 2^-{bits // 2}"
            raise ResourceLimitError(
                what="coordinate sums of so large an epsilon0", needed=needed, limit='this precision: use engine "fast"'
            )
        P, Q = (each[kept[0] : kept[-1] + 1] for each in (P, Q))
        P_from, Q_from = _tails(P), _tails(Q)
        return cls(P, Q, P_from, Q_from, outside=1 - P_from[0])


@dataclass(frozen=True)
class _Found:
    lower: Fraction
    upper: Fraction
    box: Box


@dataclass
class _Search:
    """Over the numbers of holders among the others of the item that loses a user, and of the one that gains a user."""

    others: int
    changed: int
    epsilon0: Epsilon
    bits: int
    distributions: dict[tuple[bool, Block], _Distribution] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.q = 1 / (exp_of(self.epsilon0) + 1)
        self.variance = (self.others + 1) * float(self.q * (1 - self.q))
        self._pairs = max(_FEWEST, _WORK // (2 * self.others + 20))

    def distribution(self, gains: bool, block: Block) -> _Distribution:
        """Return what all numbers of holders in the block have in common."""
        if (gains, block) not in self.distributions:
            q, fair = (1 - self.q if gains else self.q), ball(Fraction(1, 2))
            S = arb_poly(masses(block[0], fair)) * arb_poly(masses(self.others - block[1], q))
            first, second = (q, fair) if gains else (fair, q)
            self.distributions[gains, block] = _Distribution.of(S.coeffs(), first, second, self.bits)
        return self.distributions[gains, block]

    def divergence(self, box: Box, E: arb) -> tuple[Fraction, Fraction]:
        """Bound delta by the distributions that a box of datasets shares: one dataset's where it holds just one."""
        one, *other = (self.distribution(gains, block) for gains, block in zip((False, True), box, strict=True) if block is not None)
        P, Q, outside = (other[0].P, other[0].Q, other[0].outside) if other else ([arb(1)], [arb(1)], arb(0))
        ratios = [x / y for x, y in zip(one.P, one.Q, strict=True)]
        total, doubt, start = arb(0), Fraction(0), len(ratios)
        for p, q in zip(P, Q, strict=True):
            wanted = E * q / p
            while start > 0 and not ratios[start - 1] <= wanted:
                start -= 1
            total += p * one.P_from[start] - E * q * one.Q_from[start]
            for at in range(start, len(ratios)):
                if ratios[at] > wanted:
                    break
                doubt += max(Fraction(0), -lower_end(p * one.P[at] - E * q * one.Q[at]))
        upper = upper_end(total + one.outside + outside) + doubt
        return max(lower_end(total), Fraction(0)), min(max(upper, Fraction(0)), Fraction(1))

    def worst(self, E: arb, *, gap: Fraction, target: Fraction | None = None) -> _Found:
        """At one order: stop at a relative width of `gap`, or as soon as it is clear on which side of the target all datasets are."""
        best, at, order = Fraction(0), next(self._boxes((0, 0))), counter()
        heap: list[tuple[Fraction, int, Box]] = []

        def look(box: Box) -> None:
            nonlocal best, at
            lower, upper = self.divergence(box, E)
            if lower > best and all(block is None or block[0] == block[1] for block in box):
                best, at = lower, box
            heapq.heappush(heap, (-upper, next(order), box))

        for k in (0, self.others):
            for box in self._boxes((k, k)):
                look(box)
        heap.clear()
        for box in self._boxes((0, self.others)):
            look(box)
        for _ in range(self._pairs):
            upper, box = -heap[0][0], heap[0][2]
            if upper <= best * (1 + gap) or (target is not None and (upper <= target or best > target)):
                break
            widths = [0 if block is None else block[1] - block[0] for block in box]
            if max(widths) == 0:
                break
            heapq.heappop(heap)
            for half in _halved(box, widths.index(max(widths))):
                if sum(block[0] for block in half if block is not None) <= self.others:  # nobody holds two items
                    look(half)
        return _Found(best, max(-heap[0][0], best), at)

    def missed(self, box: Box, target: Fraction, low: Fraction, high: Fraction, width: Fraction) -> Fraction:
        """About the largest epsilon at which this dataset's delta is certified to be more than the target; low where none is found."""
        for _ in range(_MOST_HALVINGS):
            if high - low <= width * high:
                break
            middle = _short((low + high) / 2, low, high)
            low, high = (middle, high) if self.divergence(box, ball(middle).exp())[0] > target else (low, middle)
        return low

    def _boxes(self, block: Block) -> Iterator[Box]:
        """The blocks of both coordinates, where the numbers are possible; or one coordinate that loses a user, or gains one."""
        if self.changed == 1:
            yield from ((block, None), (None, block))
        else:
            yield from ((block, (0, block[1] - block[0])), ((0, block[1] - block[0]), block))


def _short(x: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """A short fraction between the two, about x."""
    scale = 1 << max(4, 4 - math.floor(math.log2(high - low)))
    return Fraction(math.floor(x * scale), scale)


def _tails(masses: list[arb]) -> list[arb]:
    """The sums from each place on, and 0 beyond the last."""
    found = [arb(0)]
    for mass in reversed(masses):
        found.append(found[-1] + mass)
    return found[::-1]


def _halved(box: Box, at: int) -> Iterator[Box]:
    block = box[at]
    assert block is not None
    middle = (block[0] + block[1]) // 2
    for half in ((block[0], middle), (middle + 1, block[1])):
        yield (half, box[1]) if at == 0 else (box[0], half)
