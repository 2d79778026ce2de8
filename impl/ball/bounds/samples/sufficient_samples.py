"""Numbers of users that are enough, certified: one named protocol for every function and model of CSUZZ19, Table 1.

Every function returns an n at which the named protocol is private as stated and errs by more than alpha with probability at most beta,
whatever the data; the least one that bisection finds, and not always the least of all. Shuffled sums use the paper's own lambda
(CSUZZ19.Lem4.8.all) and its composition (CSUZZ19.Thm5.4); errors are bounded by Bernstein's inequality (CSUZZ19.ThmE.3) or exactly.
"""

from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, surely_less, upper_end
from shuffleproof.impl.ball.numeric.least import least
from shuffleproof.spec.vocabulary.errors import RegimeError, require

_BITS = 128
"""Working precision in bits: 38 digits, where a whole number of users is decided."""
LARGEST_N = 10**15
"""Users up to which a search goes."""


def central_bit_mean(*, alpha: Fraction, epsilon: Fraction, beta: Fraction) -> int:
    """Two-sided geometric noise on the sum: Pr[|noise| > alpha n] = 2 a^(m + 1)/(1 + a), a = e^-eps, m = floor(alpha n)."""
    return _certified(alpha, epsilon, beta, lambda n: geometric_beyond(floor(alpha * n), ball(epsilon)))


def central_real_mean(*, alpha: Fraction, epsilon: Fraction, beta: Fraction) -> int:
    """Laplace noise of scale 1/eps on the sum: Pr[|noise| > alpha n] = e^(-alpha n eps)."""
    return _certified(alpha, epsilon, beta, lambda n: (-ball(alpha * n * epsilon)).exp())


def central_selection(*, d: int, alpha: Fraction, epsilon: Fraction, beta: Fraction) -> int:
    """The exponential mechanism: at worst all other d - 1 scores are floor(alpha n) + 1 below the best."""

    def wrong(n: int) -> arb:
        weight = (d - 1) * (-ball(epsilon * (floor(alpha * n) + 1) / 2)).exp()
        return weight / (1 + weight)

    return _certified(alpha, epsilon, beta, wrong, d=d)


def central_histogram(*, d: int, alpha: Fraction, epsilon: Fraction, beta: Fraction) -> int:
    """Two-sided geometric noise at eps/2 on every bin, independent."""

    def wrong(n: int) -> arb:
        return 1 - (1 - geometric_beyond(floor(alpha * n), ball(epsilon / 2))) ** d

    return _certified(alpha, epsilon, beta, wrong, d=d)


def stability_histogram(*, alpha: Fraction, epsilon: Fraction, delta: Fraction, beta: Fraction) -> int:
    """Noise at eps/2 on the held bins, at most n of them, and nothing below a threshold t with Pr[1 + noise >= t] <= delta: for any d."""
    threshold = stability_threshold(epsilon, delta)

    def wrong(n: int) -> arb:
        room = floor(alpha * n) - threshold
        return n * geometric_beyond(room, ball(epsilon / 2)) if room >= 0 else arb(1)

    return _certified(alpha, epsilon, beta, wrong)


def stability_threshold(epsilon: Fraction, delta: Fraction) -> int:
    """A threshold t >= 2 with a^(t - 1)/(1 + a) <= delta for certain, a = e^(-epsilon/2); the least, up to rounding."""
    with precision(_BITS):
        a = (-ball(epsilon / 2)).exp()
        return 1 + max(1, ceil(upper_end((ball(1 / delta) / (1 + a)).log() / ball(epsilon / 2))))


def local_mean(*, alpha: Fraction, epsilon: Fraction, beta: Fraction) -> int:
    """Randomized response on a randomly rounded number: terms of range (e^eps + 1)/(e^eps - 1), by Hoeffding's inequality."""
    return _certified(alpha, epsilon, beta, lambda n: _hoeffding(n, alpha, ball(epsilon)))


def local_selection(*, d: int, alpha: Fraction, epsilon: Fraction, beta: Fraction) -> int:
    """Each user answers by randomized response for one random coordinate; every mean up to alpha/2 by Bernstein's inequality."""
    return _certified(alpha, epsilon, beta, lambda n: _one_coordinate(n, d, alpha, epsilon), d=d)


def local_histogram(*, d: int, alpha: Fraction, epsilon: Fraction, beta: Fraction) -> int:
    """Each user sends the d bits of its value's indicator in one message, each by randomized response at eps/2: two of them change."""
    return _certified(alpha, epsilon, beta, lambda n: d * _hoeffding(n, alpha, ball(epsilon / 2)), d=d)


def one_message_selection(*, d: int, alpha: Fraction, epsilon: Fraction, delta: Fraction, beta: Fraction) -> int:
    """The local protocol at the eps0 that shuffling amplifies to (epsilon, delta)."""
    return _certified(alpha, epsilon, beta, lambda n: _one_coordinate(n, d, alpha, amplified(n, epsilon, delta)), d=d)


def one_message_histogram(*, d: int, alpha: Fraction, epsilon: Fraction, delta: Fraction, beta: Fraction) -> int:
    """The local protocol at the eps0 that shuffling amplifies to (epsilon, delta)."""
    return _certified(alpha, epsilon, beta, lambda n: d * _hoeffding(n, alpha, ball(amplified(n, epsilon, delta) / 2)), d=d)


def amplified(n: int, epsilon: Fraction, delta: Fraction) -> Fraction:
    """The largest eps0 of a grid, at least epsilon, at which n shuffled eps0-DP messages are (epsilon, delta)-DP by FMT21, Theorem 3.1."""
    L = ball(4 / delta).log()

    def misses(step: int) -> bool:
        T = ball(epsilon + Fraction(step, 20)).exp()
        central = (1 + (T - 1) / (T + 1) * (8 * (T * L / n).sqrt() + 8 * T / n)).log()
        return not (surely_less(16 * L * T, arb(n)) and surely_less(central, ball(epsilon)))

    return epsilon + Fraction(bisect_left(range(1, 240), True, key=misses), 20)


def shuffled_bit_mean(*, alpha: Fraction, epsilon: Fraction, delta: Fraction, beta: Fraction) -> int:
    """The bit sum P_(n, lambda) with the paper's lambda."""
    return _shuffled(1, alpha, ball(epsilon), ball(delta), beta, rounded=False)


def shuffled_real_mean(*, alpha: Fraction, epsilon: Fraction, delta: Fraction, beta: Fraction, r: int) -> int:
    """The real sum with r bits a user, each run (eps/sqrt(8 r ln(2/delta)), delta/(2 r))-DP; r = 1 is one message, at (eps, delta)."""
    if r == 1:
        return _shuffled(1, alpha, ball(epsilon), ball(delta), beta, rounded=True)
    require(epsilon <= 1, parameter="epsilon", value=epsilon, requirement="at most 1")
    with precision(_BITS):
        each_epsilon, each_delta = composed_share(epsilon, delta, r)
    return _shuffled(r, alpha, each_epsilon, each_delta, beta, rounded=True)


def best_shuffled_real_mean(*, alpha: Fraction, epsilon: Fraction, delta: Fraction, beta: Fraction, most_runs: int) -> tuple[int, int]:
    """(n, r) with the smallest n over r = 1, 2, 4, ... and the numbers near the best of them, up to most_runs."""

    def users(r: int) -> tuple[int, int]:
        return shuffled_real_mean(alpha=alpha, epsilon=epsilon, delta=delta, beta=beta, r=r), r

    powers = [2**j for j in range(most_runs.bit_length()) if 2**j <= most_runs]
    near = min(map(users, powers))[1]
    around = range(max(1, near // 2), min(2 * near, most_runs) + 1)
    return min(map(users, around))


def shuffled_selection(*, d: int, alpha: Fraction, epsilon: Fraction, delta: Fraction, beta: Fraction) -> int:
    """d bit sums, each (eps/sqrt(8 d ln(2/delta)), delta/(2 d))-DP and right up to alpha n/2 but for beta/d, in one round of shuffling."""
    require(epsilon <= 1, parameter="epsilon", value=epsilon, requirement="at most 1")
    with precision(_BITS):
        each_epsilon, each_delta = composed_share(epsilon, delta, d)
    return _shuffled(1, alpha / 2, each_epsilon, each_delta, beta / d, rounded=False)


def shuffled_histogram(*, d: int, alpha: Fraction, epsilon: Fraction, delta: Fraction, beta: Fraction) -> int:
    """d bit sums at (eps/2, delta/2), since one user changes two of them, each right up to alpha n but for beta/d."""
    return _shuffled(1, alpha, ball(epsilon / 2), ball(delta / 2), beta / d, rounded=False)


def composed_share(epsilon: Fraction, delta: Fraction, runs: int) -> tuple[arb, arb]:
    """Return (eps/sqrt(8 r ln(2/delta)), delta/(2 r)): what each of r runs may use.  (CSUZZ19, Theorem 5.4)."""
    return ball(epsilon) / (8 * runs * ball(2 / delta).log()).sqrt(), ball(delta / (2 * runs))


def papers_lambda(n: int, epsilon: arb, delta: arb) -> arb | None:
    """lambda of CSUZZ19, Lemma 4.8, at the working precision; None where epsilon <= 1 or the branch is not certain."""
    L = (4 / delta).log()
    edge = (192 * L / n).sqrt()
    if not epsilon <= 1:
        return None
    if surely_less(edge, epsilon):
        return 64 * L / epsilon**2
    if surely_less(epsilon, edge):
        return n - epsilon * n * arb(n).sqrt() / (432 * L).sqrt()
    return None


def geometric_beyond(m: int, epsilon: arb) -> arb:
    """Pr[|noise| > m] for two-sided geometric noise at this epsilon."""
    a = (-epsilon).exp()
    return 2 * a ** (m + 1) / (1 + a)


def bernstein(variance: arb, t: arb) -> arb:
    """Return 2 exp(-t^2/(2 (variance + t/3))) for a sum of independent terms, each within 1 of its mean.  (CSUZZ19, Theorem E.3)."""
    return 2 * (-(t**2) / (2 * (variance + t / 3))).exp()


def _one_coordinate(n: int, d: int, alpha: Fraction, epsilon: Fraction) -> arb:
    """Some mean off by more than alpha/2: a user's term is d c w, w = +-1/2, with probability 1/d, else 0.

    Its mean is that of (bit - 1/2), its variance at most d c^2/4, and it is within d c/2 + 1/2 of its mean.
    """
    c, t = (ball(epsilon).exp() + 1) / (ball(epsilon).exp() - 1), ball(alpha / 2)
    return d * 2 * (-n * t**2 / (2 * (d * c**2 / 4 + (d * c + 1) / 2 * t / 3))).exp()


def _hoeffding(n: int, alpha: Fraction, epsilon: arb) -> arb:
    c = (epsilon.exp() + 1) / (epsilon.exp() - 1)
    return 2 * (-2 * n * ball(alpha) ** 2 / c**2).exp()


def _shuffled(r: int, alpha: Fraction, epsilon: arb, delta: arb, beta: Fraction, *, rounded: bool) -> int:
    """r bit sums of n users, each with the paper's lambda at (epsilon, delta), averaged; rounded: their bits round one number of each user.

    The n r messages are independent. A message on a bit has variance f (1 - f), f = lambda/(2 n); the randomly rounded bit of a user's
    run costs up to 1/4 in all.
    """

    def wrong(n: int) -> arb:
        lam = papers_lambda(n, epsilon, delta)
        if lam is None:
            return arb(1)
        f = lam / (2 * n)
        variance = n * ((r - 1) * f * (1 - f) + arb(1) / 4) if rounded else n * r * f * (1 - f)
        return bernstein(variance, ball(alpha) * r * (n - lam))

    return _certified(alpha, Fraction(1), beta, wrong)


def _certified(alpha: Fraction, epsilon: Fraction, beta: Fraction, wrong: Callable[[int], arb], *, d: int = 2) -> int:
    """An n with wrong(n) <= beta for certain, by doubling and bisection."""
    require(0 < alpha < Fraction(1, 2), parameter="alpha", value=alpha, requirement="above 0 and below 1/2")
    require(epsilon > 0, parameter="epsilon", value=epsilon, requirement="above 0")
    require(0 < beta < 1, parameter="beta", value=beta, requirement="above 0 and below 1")
    require(d >= 2, parameter="d", value=d, requirement="an integer of at least 2")
    refusal = RegimeError(
        statement="CSUZZ19.Tab1",
        condition="an n at which the error is small enough",
        given=f"no such n up to {LARGEST_N:.0e}",
        advice="ask for a larger epsilon (at most 1 for shuffled sums), alpha or beta",
    )
    with precision(_BITS):
        return least(lambda n: lower_end(ball(beta) - wrong(n)) >= 0, most=LARGEST_N, refusal=refusal)
