"""Simultaneous errors of histograms, in counts, certified: what a named protocol keeps to, and what nothing can (BC20, Table 1).

A number `reached` by a protocol is exceeded on some bin with probability at most beta, whatever the data; a number `needed` is one below
which no protocol of the model keeps with probability 1 - beta. Errors are n times those of the paper.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.samples.necessary_samples import local_chi_square
from shuffleproof.impl.ball.bounds.samples.sufficient_samples import bernstein, geometric_beyond, papers_lambda, stability_threshold
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, surely_less, upper_end
from shuffleproof.impl.ball.numeric.binomial import lower_tail, relative_entropy
from shuffleproof.impl.ball.numeric.least import least
from shuffleproof.spec.vocabulary.errors import RegimeError, ResourceLimitError, require

_BITS = 128
"""Working precision in bits: 38 digits, where a whole error is decided."""
_SPILL = Fraction(1, 20)
"""Probability of too few users holding the value, the 1/20 of BC20.Tab1-local. Any value below 1 - beta - 1/(d - 1) would be sound."""
_LARGEST = 10**100
"""Errors up to which a search goes."""
_GRID = 10**6
"""Shares of users holding a bin that are tried are multiples of one over this."""


def reached_local(*, n: int, d: int, epsilon: Fraction, beta: Fraction) -> int:
    """Every user sends the d bits of an indicator by randomized response at epsilon/2 each; Hoeffding's inequality for every bin."""
    _require(n=n, d=d, epsilon=epsilon, beta=beta)
    with precision(_BITS):
        T = ball(epsilon / 2).exp()
        return math.ceil(upper_end((T + 1) / (T - 1) * (n * ball(2 * d / beta).log() / 2).sqrt()))


def reached_by_bit_sums(*, n: int, d: int, epsilon: Fraction, delta: Fraction, beta: Fraction) -> int:
    """d bit sums at CSUZZ19's lambda for (epsilon/2, delta/2) each; Bernstein's inequality. RegimeError where Lemma 4.8 has no lambda."""
    _require(n=n, d=d, epsilon=epsilon, beta=beta, delta=delta)
    with precision(_BITS):
        lam = papers_lambda(n, ball(epsilon / 2), ball(delta / 2))
        if lam is None:
            raise RegimeError(
                statement="CSUZZ19.Lem4.8", condition="epsilon <= 1 and a lambda below n", given=f"n = {n}", advice="take more users"
            )
        f = lam / (2 * n)
        return _least(lambda m: bernstein(n * f * (1 - f), ball(Fraction(m, n)) * (n - lam)), beta / d, most=n)


def printed(*, n: int, epsilon: Fraction, delta: Fraction, beta: Fraction) -> int:
    """n alpha of BC20, Theorem 3.2, part iii: Theorem 3.1, part ii, at beta/n for each bin that is held.

    Raises RegimeError outside n >= (100/epsilon^2) ln(2/delta) and beta >= n delta^25; epsilon in (0, 1].
    """
    _require(n=n, d=2, epsilon=epsilon, beta=beta, delta=delta)
    with precision(_BITS):
        length = ball(2 / delta).log()
        needed = 100 * length / ball(epsilon**2)
        if epsilon > 1 or not surely_less(needed, ball(n)) or beta < n * delta**25:
            condition = "epsilon <= 1, n >= (100/epsilon^2) ln(2/delta) and beta >= n delta^25"
            given = f"epsilon = {epsilon}, n = {n}, {float(needed.mid()):.6g} asked for"
            raise RegimeError(statement="BC20.Thm3.2.iii", condition=condition, given=given, advice="take more users")
        other = ball(2 * n / beta).log()
        return math.ceil(upper_end(50 * length / ball(epsilon**2) + (200 * length * other).sqrt() / ball(epsilon)))


def reached_by_geometric_noise(*, d: int, epsilon: Fraction, beta: Fraction) -> int:
    """Central: two-sided geometric noise at epsilon/2 on every bin, independent; (epsilon, 0)-DP for replacing one user."""
    _require(n=2, d=d, epsilon=epsilon, beta=beta)
    with precision(_BITS):
        return _least(lambda m: 1 - (1 - geometric_beyond(m, ball(epsilon / 2))) ** d, beta)


def reached_by_stability(*, n: int, epsilon: Fraction, delta: Fraction, beta: Fraction) -> int:
    """Central, any d: the stability-based histogram, geometric noise at epsilon/2 on held bins and nothing below a threshold.

    Beyond m >= threshold: a bin of more than m users, of which there are at most n/(m + 1), is not released, or |noise| > m.
    """
    _require(n=n, d=2, epsilon=epsilon, beta=beta, delta=delta)
    with precision(_BITS):
        threshold, step = stability_threshold(epsilon, delta), ball(epsilon / 2)

        def wrong(m: int) -> arb:
            if m < threshold:
                return arb(1)
            return (n // (m + 1)) * geometric_beyond(m - threshold, step) / 2 + n * geometric_beyond(m, step)

        return _least(wrong, beta, most=n)


def needed_private(*, n: int, d: int, epsilon: Fraction, delta: Fraction, beta: Fraction) -> Fraction:
    """Any (epsilon, delta)-DP protocol: h users move from one value to one of d - 1 others, distinguished if the error is below h/2.

    Such errors are excluded as long as beta/(d - 1) e^(h eps) + delta (e^(h eps) - 1)/(e^eps - 1) < 1 - beta, by group privacy.
    """
    _require(n=n, d=d, epsilon=epsilon, beta=beta, delta=delta)
    with precision(_BITS):
        wrong, step, h = ball(beta / (d - 1)), ball(epsilon).exp(), 0
        while h < n:
            grown = step ** (h + 1)
            if not surely_less(wrong * grown + ball(delta) * (grown - 1) / (step - 1), ball(1 - beta)):
                break
            h += 1
        return Fraction(h, 2)


def needed_local(*, n: int, d: int, epsilon: Fraction, beta: Fraction) -> Fraction:
    """Any protocol of one round in which each user is epsilon-DP: a hidden one of d - 1 values is held with probability g, else the last.

    A message reveals at most ln(1 + g^2 V/((1 - g)/T + g)) of the hidden value, T = e^epsilon, V = (T - 1)^2/(4 T). An error below
    (K + 1)/2 reveals it once more than K users hold it, all but Pr[Bin(n, g) <= K] <= 1/20 of the time; but n messages reveal less
    than kl(1 - beta - 1/20 || 1/(d - 1)) for the g that is taken.  (BC20.Tab1-local)
    d: at least 3. Returns (K + 1)/2; 0 where nothing follows.
    """
    _require(n=n, d=d, epsilon=epsilon, beta=beta)
    require(d >= 3, parameter="d", value=d, requirement="an integer of at least 3")
    left = 1 - beta - _SPILL
    if left <= Fraction(1, d - 1):
        return Fraction(0)
    with precision(_BITS):
        T = ball(epsilon).exp()
        V, wanted = local_chi_square(T), relative_entropy(ball(left), ball(Fraction(1, d - 1)))

        def too_little(g: int) -> bool:
            share = ball(Fraction(g, _GRID))
            return surely_less(n * (1 + share**2 * V / ((1 - share) / T + share)).log(), wanted)

        def frequent(few: int) -> bool:
            return not surely_less(lower_tail(n, held, few, bits=64), ball(_SPILL))

        held = Fraction(bisect_left(range(1, _GRID), True, key=lambda g: not too_little(g)), _GRID)
        return Fraction(bisect_left(range(math.floor(n * held)), True, key=frequent), 2) if held else Fraction(0)


def _least(wrong: Callable[[int], arb], beta: Fraction, *, most: int | None = None) -> int:
    """The least m with wrong(m) <= beta for certain, where wrong falls with m; at most `most`, an error that is never exceeded."""

    def kept(m: int) -> bool:
        return (most is not None and m >= most) or lower_end(ball(beta) - wrong(m)) >= 0

    return least(kept, start=0, most=_LARGEST, refusal=ResourceLimitError(what="an error", needed="more", limit=f"{_LARGEST:.0e}"))


def _require(*, n: int, d: int, epsilon: Fraction, beta: Fraction, delta: Fraction = Fraction(1, 2)) -> None:
    require(n >= 1, parameter="n", value=n, requirement="an integer of at least 1")
    require(d >= 2, parameter="d", value=d, requirement="an integer of at least 2")
    require(epsilon > 0, parameter="epsilon", value=epsilon, requirement="above 0")
    require(0 < beta < Fraction(1, 2), parameter="beta", value=beta, requirement="above 0 and below 1/2")
    require(0 < delta < 1, parameter="delta", value=delta, requirement="above 0 and below 1")
