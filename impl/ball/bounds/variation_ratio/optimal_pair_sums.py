"""Certified sums for the optimal pair at one epsilon, over the counts of n draws from (r, r, rho/q, none): a, b, c = a + b, d.

With x = 1/p (0 for infinite p), E = e^eps < p, M the multinomial mass, t = a - b and w = (1 + x)/2 c + d, BEYOND.LemL5 gives
    delta = (q/n) E[X_+],   X = a (1 - E x) + b (x - E) - d (E - 1) = D t/2 - (E - 1) w,   D = (1 - x)(1 + E),
and for an event S, with S1 = E[t; S] and S2 = E[w; S],
    P(S) = (q/n) (S2 + (1 - x)/2 S1),   Q(S) = (q/n) (S2 - (1 - x)/2 S1),   P(S) - E Q(S) = (q/n) E[X; S].
*Any* event S gives a lower bound. The upper side adds what S leaves out of X > 0, and what it takes in of X < 0.

Where d does not vary given c (its share s of the draws that are not c is 0 or 1), or does not count (E = 1), X > 0 is b < tau_c, linear
in c: one walk over c, with f and F the PMF and CDF of Bin(c, 1/2) at floor(tau_c), as b f(b) sums to c/2 F - (c - t)/2 f.

Otherwise the sums go along chains, all c of one t = a - b, of which few count (optimal_pair_chains.py). Below those S has nothing. Above
them, it has all d up to that of the chain at the front, which moves to the next t as c grows. What c and d are left out, and what they
contribute at most, is in optimal_pair_window.py.

Thresholds are taken from above, to within err: S has at most one d with X < 0 for each c and t, X >= -D kappa err, of a mass of at most
f <= F. In one walk over c a threshold off by err < 1/4 misses, or adds, one b with |tau - b| <= err, and f(t + 1) <= f(t) (c - t).

Cost: about 2 microseconds for each c of each chain, O(sqrt(n digits)) for each chain.
"""

from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_chains import Chains, Sums, scaled
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_window import NOWHERE, Masses, Order, Window, window_of
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, upper_end
from shuffleproof.impl.ball.numeric.binomial import log_half_mass, log_mass, lower_tail_over_mass
from shuffleproof.impl.ball.numeric.budget import one_answer, spend
from shuffleproof.impl.ball.numeric.results import Evaluation
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UndecidedError, about
from shuffleproof.spec.vocabulary.numerals import Epsilon

LARGEST_WINDOW = 2_500_000
"""Steps over the counts at most: about a quarter of a minute at 15 digits."""
_EACH = 1.4
"""Units of work of a step."""
_EVALUATIONS = 2.9
"""Of the size of the last one, in a search: a rough one, one at the root, and one just above it."""


def evaluate(*, n: int, masses: Masses, epsilon: Epsilon, bits: int, spread: float) -> Evaluation:
    """Enclosure of the pair's profile at epsilon with e^epsilon < p, with working precision `bits` (the caller sets it)."""
    order = Order.at(masses.x, epsilon)
    window = affordable_window(n, masses, order, spread=spread)
    spend(window.steps, each=_EACH, bits=bits, what=f"certified sums of the optimal pair for n = {n}")
    if window.chains is None:
        sums, outside = _one_walk(n, masses, order, window, bits=bits), arb(0)
    else:
        sums, outside = _by_chains(Chains.of(n, masses, order, window, bits=bits), order)
    scale = ball(masses.q / n)
    value = scale * (order.D / 2 * sums.s1 - order.E_minus_1 * sums.s2)
    in_q = scale * (sums.s2 - ball((1 - masses.x) / 2) * sums.s1)
    above = value + scale * order.D * sums.doubtful + window.outside + outside
    return Evaluation(order.E, value, in_q, max(lower_end(value), Fraction(0)), upper_end(above), bits)


def affordable_window(n: int, masses: Masses, order: Order, *, spread: float) -> Window:
    """The window of an evaluation. Raises ResourceLimitError if it is too large."""
    found = window_of(n, masses, order, spread=spread)
    if found.steps > LARGEST_WINDOW:
        what = f"certified sums of the optimal pair for n = {n}"
        raise ResourceLimitError(
            what=what, needed=f"{about(found.steps)} steps", limit=f"{LARGEST_WINDOW:.0e} steps, about a quarter of a minute"
        )
    return found


def affordable_search(n: int, masses: Masses, order: Order, *, spread: float) -> None:
    """Raises ResourceLimitError where a search whose last evaluation has this order and spread would take too much; nothing is begun."""
    steps = affordable_window(n, masses, order, spread=spread).steps
    with one_answer():
        spend(_EVALUATIONS * steps, each=_EACH, bits=0, what=f"a search by certified sums of the optimal pair for n = {n}")


def _one_walk(n: int, masses: Masses, order: Order, window: Window, *, bits: int) -> Sums:
    """S1 and S2 where X > 0 is b < tau_c = (sigma + kappa s) c - kappa s n, with d at its mean s (n - c).

    c walks upwards with g = Pr(c) f_c(t) and G = Pr(c) F_c(t), as in clones_sums: Pr(c + 1)/Pr(c) = odds (n - c)/(c + 1).
    """
    s, scale = masses.share, bits + (n + 1).bit_length() + 8
    steep = ball(s) * order.kappa
    slope, shift = scaled(order.sigma + steep, scale), scaled(steep * n, scale)
    error = Fraction((slope[1] - slope[0]) * (n + 1) + shift[1] - shift[0], 1 << scale)
    if error * 4 >= 1:
        raise UndecidedError(quantity="thresholds of the optimal pair", enclosure=("0", "1"), precision=bits)
    # The first c whose threshold may not be negative.
    low, high = max(window.c[0], 1, -(-shift[0] // slope[1])), window.c[1]
    if low > high:
        return Sums(arb(0), arb(0), arb(0))
    position = low * slope[0] - shift[1]
    t = max(position >> scale, 0)
    g = (log_mass(n, low, p=ball(masses.either), rest=ball(1 - masses.either)) + log_half_mass(low, t)).exp()
    G = g * lower_tail_over_mass(low, t, against=1, bits=bits)
    s1, of_c, total, half = arb(0), arb(0), arb(0), arb(0.5)
    odds = ball(masses.either / (1 - masses.either)) if masses.either < 1 else arb(0)
    for c in range(low, high):
        s1 += g * (c - t)
        of_c += G * c
        total += G
        k = odds * (n - c)
        G = (G - g * half) * k / (c + 1)
        position += slope[0]
        if position >> scale > t:
            t += 1
            g = g * k / (2 * t)
            G += g
        else:
            g = g * k / (2 * (c + 1 - t))
    s1 += g * (high - t)
    of_c += G * high
    total += G
    return Sums(s1, ball((1 + masses.x) / 2 - s) * of_c + ball(s) * n * total, ball(error) * s1)


def _by_chains(law: Chains, order: Order) -> tuple[Sums, arb]:
    """S1 and S2 where d varies, and a bound on what S leaves out of c's range: d beyond the front, or where a chain has ended.

    For each parity the front is the last chain that there is at a c, or the first on which d is all but surely below u: it moves to the
    next t as c grows, and what was the front goes on as a chain.
    """
    window, total = law.window, Sums(arb(0), arb(0), arb(0))
    assert window.chains is not None
    below, above = NOWHERE, NOWHERE  # how far from its tilted mean d is left out
    first, last = window.chains
    for parity in (0, 1):  # t = a - b and c = a + b are both even or both odd
        # The chains t = lowest, lowest + 2, ..., highest of this parity, and the counts c = start, ..., end. Chains below the lowest are
        # not summed: how far their d would be from its mean bounds what they add.
        end = window.c[1] - (window.c[1] + parity) % 2
        lowest, highest = first + (first + parity) % 2, last - (last + parity) % 2
        start = window.c[0] + (window.c[0] + parity) % 2
        if lowest > 2 and start <= end:
            below = below.min(law.below(lowest - 2, start, end))
        c = max(start, lowest)
        if c > end:
            continue
        # At the first c all chains up to the front t begin, each up to the c at which it stops; from there on it is left out, too.
        t = lowest
        while t < min(highest, c) and law.full_to(t, highest) < c:
            t += 2
        stops = {other: law.stop(other) for other in range(lowest, t, 2)}
        begun = law.begin(c, [*(other for other, stop in stops.items() if stop >= c), t])
        state, ratio = begun.pop(t), law.over_mass(c, (c - t) // 2)
        for other, its in begun.items():
            law.chain(total, other, min(stops[other], end), its)
        for other, stop in stops.items():
            if (gone := max(stop + 2, c)) <= end:
                below = below.min(law.below(other, gone, end))
        # The front is summed with all chains above it, until it reaches the next t; what d beyond it adds is bounded. Then it goes on
        # as a chain, which may stop before the end, and t + 2 is the front.
        while True:
            until = end if t >= highest else min(max(t, law.full_to(t, highest)), end)
            if until >= (begins := max(state.c, t + 2)):
                above = above.min(law.above(t, begins, until))
            state, ratio = law.front(total, t, until, state, ratio)
            if state.c > end:
                break
            if (stop := law.stop(t)) >= state.c:
                law.chain(total, t, min(stop, end), state)
            if (gone := max(stop + 2, state.c)) <= end:
                below = below.min(law.below(t, gone, end))
            state, ratio = law.raised(t, state, ratio)
            t += 2
    total.doubtful = ball(law.error) * order.kappa * total.doubtful
    return total, window.left_out(below, law.n) + window.left_out(above, law.n)
