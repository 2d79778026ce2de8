"""Certified sums for a pair of three counts at one epsilon: the masses P(S), Q(S) of the event S that the divergence takes.

In the notation of three_counts.py, with c = a + b, t = a - b, S1 = E[t; S] and S2 = E[b + L; S],
    P(S) = scale (S1 + S2),   Q(S) = scale S2,   P(S) - E Q(S) = scale (S1 - (E - 1) S2) = scale E[X; S].
*Any* event S gives D_E'(P || Q) >= P(S) - E' Q(S) for every E', so the lower side needs no exact thresholds. The upper side adds what S
leaves out of X > 0, and what it takes in of X < 0.

Where z does not vary given c (nothing, or all that is not c, falls there), or does not count (E = 1), it is at its mean in L, which is a
function of c, and X > 0 is b < tau_c, linear in c: one walk over c, as FMT21, Lemma F.1 has it for the clones pairs.

Otherwise the sums go along chains, all c of one t, of which few count (three_counts_chains.py). Below those S has nothing. Above them, it
has all z up to that of the chain at the front, which moves to the next t as c grows.

Thresholds are taken from above, to within err: S has at most one z with X < 0 for each c and t, X >= -(E - 1) w err, of a mass of at most
f <= F. In one walk over c a threshold off by err < 1/4 misses, or adds, one b with |tau - b| <= err, and f(t + 1) <= f(t) (c - t).

Cost: 2 microseconds for each c of a walk or of a chain, O(sqrt(n p digits)) of them, p the chance of a or b in the tilted distribution.
"""

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.variation_ratio.three_counts import NOWHERE, Pair, Window, window_of
from shuffleproof.impl.ball.bounds.variation_ratio.three_counts_chains import Chains, Sums, scaled
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, upper_end
from shuffleproof.impl.ball.numeric.binomial import log_half_mass, log_mass, lower_tail_over_mass
from shuffleproof.impl.ball.numeric.budget import one_answer, spend
from shuffleproof.impl.ball.numeric.results import Evaluation
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError, about


@dataclass(frozen=True)
class _Limit:
    """Steps at most, how long that is at 15 digits, and the units of work of one."""

    steps: int
    duration: str
    each: float


WALK = _Limit(20_000_000, "about a minute", 1.0)
"""Of one walk over c: reached by the clones pair at n of about 10^12."""
_CHAINS = _Limit(6_000_000, "about half a minute", 1.4)
"""Of all chains together."""
_SPARE_BITS = 16
"""Bits beside those that chains lose: with fewer hardly a digit would be left."""
_EVALUATIONS = 2.9
"""Of the size of the last one, in a search: a rough one, one at the root, and one just above it."""


def evaluate(pair: Pair, *, E: arb, E_minus_1: arb, bits: int, spread: float, digits: int = 0) -> Evaluation:
    """Enclosure of the pair's profile at E, 1 <= E < e^epsilon0, with working precision `bits` (the caller sets it).

    digits: how many are wanted. Raises UndecidedError where so few bits would not leave them.
    """
    window = affordable_window(pair, E_minus_1, spread=spread)
    if bits < window.cancelled + max(_SPARE_BITS, 3.33 * digits + 1):  # else the sum would be taken twice
        raise UndecidedError(quantity="the chains of the pair", enclosure=("0", "1"), precision=bits)
    spend(window.steps, each=_limit(window).each, bits=bits, what=_what(pair.n))
    if window.chains is None:
        sums, outside = _one_walk(pair, E, E_minus_1, window, bits=bits), arb(0)
    else:
        sums, outside = _by_chains(Chains.of(pair, E_minus_1, window, bits=bits))
    value = pair.scale * (sums.s1 - E_minus_1 * sums.s2)
    doubt = pair.scale * (E + 1 if window.chains is None else E_minus_1 * pair.w) * sums.doubtful
    return Evaluation(
        E, value, pair.scale * sums.s2, max(lower_end(value), Fraction(0)), upper_end(value + doubt + window.outside + outside), bits
    )


def affordable_window(pair: Pair, E_minus_1: arb, *, spread: float) -> Window:
    """The window of an evaluation. Raises ResourceLimitError if it is too large."""
    found = window_of(pair, E_minus_1, spread=spread)
    limit = _limit(found)
    if found.steps > limit.steps:
        needed = f"{about(found.steps)} steps"
        raise ResourceLimitError(what=_what(pair.n), needed=needed, limit=f"{limit.steps:.0e} steps, {limit.duration}")
    return found


def affordable_search(pair: Pair, E_minus_1: arb, *, spread: float) -> None:
    """Raises ResourceLimitError where a search whose last evaluation is this one would take too much; nothing is begun."""
    window = affordable_window(pair, E_minus_1, spread=spread)
    with one_answer():
        spend(_EVALUATIONS * window.steps, each=_limit(window).each, bits=0, what=f"a search by {_what(pair.n)}")


def _limit(window: Window) -> _Limit:
    return WALK if window.chains is None else _CHAINS


def _what(n: int) -> str:
    return f"certified sums for n = {n}"


def _one_walk(pair: Pair, E: arb, E_minus_1: arb, window: Window, *, bits: int) -> Sums:
    """S1 and S2 where X > 0 is b < tau_c = ((1 - (E - 1) y) c - (E - 1) h)/(E + 1), with z at its mean s (n - c): its part joins y and h.

    One draw less, C of the n - 1 others at c - 1, turns c Pr(c) F_c(t) into 2 r n Pr(C) (F_C(t) - f_C(t)/2), and (c - t) Pr(c) f_c(t) into
    2 r n Pr(C) f_C(t)/2, f and F of Bin(C, 1/2). C walks upwards with h = Pr(C) f_C(t)/2 and M = Pr(C) (F_C(t) - f_C(t)/2), k = odds
    (n - 1 - C): M' = M k/(C + 1) - h', h' = h k/(2 (C + 1 - t)) where t stays; M' = M k/(C + 1) + h', h' = h k/(2 (t + 1)) where it is
    raised to t + 1.
    """
    n, either, rest = pair.n, 2 * pair.r, pair.g + pair.none
    hidden = pair.w * pair.g / rest if pair.g > 0 else arb(0)
    y, at_0 = pair.y - hidden, pair.h + hidden * n
    scale = bits + (n + 1).bit_length() + 8
    slope, shift = scaled((1 - E_minus_1 * y) / (E + 1), scale), scaled(E_minus_1 * at_0 / (E + 1), scale)
    error = Fraction((slope[1] - slope[0]) * (n + 1) + shift[1] - shift[0], 1 << scale)
    if error * 4 >= 1 or not 0 < slope[0] <= slope[1] <= 1 << scale:  # t is raised by at most 1 at a time
        raise UndecidedError(quantity="thresholds of the pair", enclosure=("0", "1"), precision=bits)
    # The first c whose threshold may not be negative.
    low, high = max(window.c[0], 1, -(-shift[0] // slope[1])), window.c[1]
    if low > high:
        return Sums(arb(0), arb(0), arb(0))
    step, one = slope[0], 1 << scale
    position = low * step - shift[1]
    t = max(position >> scale, 0)
    next_t = (t + 1) << scale
    g = (log_mass(n - 1, low - 1, p=either, rest=rest) + log_half_mass(low - 1, t)).exp()
    h = g / 2
    M = h * (2 * lower_tail_over_mass(low - 1, t, against=1, bits=bits) - 1)
    sum_h, sum_M, sum_M_over_c, odds, counted = arb(0), arb(0), arb(0), either / rest if rest != 0 else arb(0), at_0 != 0
    twice_t, twice_rest = 2 * t, 2 * (low - t)  # 2 (C + 1 - t)
    for c, others in zip(range(low, high), range(n - low, n - high, -1), strict=True):  # C + 1 and n - 1 - C
        sum_h += h
        sum_M += M
        if counted:
            sum_M_over_c += M / c
        k = odds * others
        position += step
        if position < next_t:
            h = h * k / twice_rest
            M = M * k / c - h
            twice_rest += 2
        else:
            next_t += one
            twice_t += 2
            h = h * k / twice_t
            M = M * k / c + h
    s1, all_M, total = (either * n * x for x in (sum_h + h, sum_M + M, sum_M_over_c + M / high))
    return Sums(s1, (all_M - s1) / 2 + y * all_M + at_0 * total, ball(error) * s1)


def _by_chains(chains: Chains) -> tuple[Sums, arb]:
    """S1 and S2 where z varies, and a bound on what S leaves out of c's range: z beyond the front, or where a chain has ended.

    For each parity the front is the last chain that there is at a c, or the first on which z is all but surely below u: it moves to the
    next t as c grows, and what was the front goes on as a chain.
    """
    window, total = chains.window, Sums(arb(0), arb(0), arb(0))
    assert window.chains is not None
    below, above = NOWHERE, chains.beyond_cap()  # how far from its tilted mean z is left out
    first, last = window.chains
    for parity in (0, 1):  # t = a - b and c = a + b are both even or both odd
        # The chains t = lowest, lowest + 2, ..., highest of this parity, and the counts c = start, ..., end. Chains below the lowest are
        # not summed: how far their z would be from its mean bounds what they add.
        end = window.c[1] - (window.c[1] + parity) % 2
        lowest, highest = first + (first + parity) % 2, last - (last + parity) % 2
        start = window.c[0] + (window.c[0] + parity) % 2
        if lowest > 2 and start <= end:
            below = below.min(chains.below(lowest - 2, start, end))
        c = max(start, lowest)
        if c > end:
            continue
        # At the first c all chains up to the front t begin, each up to the c at which it stops; from there on it is left out, too.
        t = lowest
        while t < min(highest, c) and chains.full_to(t, highest) < c:
            t += 2
        stops = {other: chains.stop(other) for other in range(lowest, t, 2)}
        begun = chains.begin(c, [*(other for other, stop in stops.items() if stop >= c), t])
        state, ratio = begun.pop(t), chains.over_mass(c, (c - t) // 2)
        for other, its in begun.items():
            chains.chain(total, other, min(stops[other], end), its)
        for other, stop in stops.items():
            if (gone := max(stop + 2, c)) <= end:
                below = below.min(chains.below(other, gone, end))
        # The front is summed with all chains above it, until it reaches the next t; what z beyond it adds is bounded. Then it goes on
        # as a chain, which may stop before the end, and t + 2 is the front.
        while True:
            until = end if t >= highest else min(max(t, chains.full_to(t, highest)), end)
            if until >= (begins := max(state.c, t + 2)):
                above = above.min(chains.above(t, begins, until))
            state, ratio = chains.front(total, t, until, state, ratio)
            if state.c > end:
                break
            if (stop := chains.stop(t)) >= state.c:
                chains.chain(total, t, min(stop, end), state)
            if (gone := max(stop + 2, state.c)) <= end:
                below = below.min(chains.below(t, gone, end))
            state, ratio = chains.raised(t, state, ratio)
            t += 2
    total.doubtful = ball(chains.error) * total.doubtful
    return total, window.left_out(below) + window.left_out(above)
