"""Numbers of users that are not enough, certified: selection, histograms and means in the central, local and one-message shuffle models.

Every function returns the least n >= 1 that its argument does not exclude, so every such protocol needs at least that many users.
Central arguments are packings with group privacy. Local and one-message arguments bound the information that the messages carry about a
hidden index (CSUZZ19.Thm6.5.explicit, CSUZZ19.Thm6.7.explicit, CSUZZ19.Cor6.6, CSUZZ19.Cor6.8 of the ledger), non-interactive protocols
with the same randomizer for all users or not. A central bound holds in every model.
"""

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, precision, surely_less
from shuffleproof.impl.ball.numeric.binomial import log_half_mass, relative_entropy
from shuffleproof.impl.ball.numeric.least import least
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, require

_BITS = 128
"""Working precision in bits: 38 digits, where a whole number of users is decided."""
LARGEST_N = 10**15
"""Users up to which a search goes."""
LARGEST_WINDOW = 10_000
"""Neighbouring numbers of ones up to which n are excluded: what is not tried is not excluded, which is sound."""
_SPILL = Fraction(1, 20)
"""Probability with which a wrong coordinate may look as good as the right one, in the selection arguments."""
_BIASES = tuple(Fraction(q, 100) for q in range(2, 88, 2))


def central_mean(*, alpha: Fraction, epsilon: Fraction, delta: Fraction, success: Fraction) -> int:
    """Mean of bits up to alpha with this probability, (epsilon, delta)-DP: h = floor(2 alpha n) + 1 users distinguish two datasets."""
    _require(alpha=alpha, epsilon=epsilon, delta=delta, success=success)
    return _packing(lambda n: floor(2 * alpha * n) + 1, wrong=ball(1 - success), epsilon=epsilon, delta=delta, success=success)


def central_selection(*, d: int, alpha: Fraction, epsilon: Fraction, delta: Fraction, success: Fraction) -> int:
    """Selection among d coordinates up to alpha n: h = floor(alpha n) + 1 users with one bit make one coordinate the only good answer."""
    _require(alpha=alpha, epsilon=epsilon, delta=delta, success=success, d=d)
    return _packing(lambda n: floor(alpha * n) + 1, wrong=ball(Fraction(1, d)), epsilon=epsilon, delta=delta, success=success)


def central_histogram(*, d: int, alpha: Fraction, epsilon: Fraction, delta: Fraction, success: Fraction) -> int:
    """All d frequencies up to alpha < 1/2: h = floor(2 alpha n) + 1 users move to one of d - 1 other values."""
    _require(alpha=alpha, epsilon=epsilon, delta=delta, success=success, d=d)
    wrong = ball((1 - success) / (d - 1))
    return _packing(lambda n: floor(2 * alpha * n) + 1, wrong=wrong, epsilon=epsilon, delta=delta, success=success)


def local_histogram(*, d: int, alpha: Fraction, epsilon: Fraction, success: Fraction) -> int:
    """All d frequencies up to alpha < 1/2, each user epsilon-DP: n ln(1 + V) >= kl(success || 1/d), V = (e^eps - 1)^2/(4 e^eps)."""
    _require(alpha=alpha, epsilon=epsilon, success=success, d=d)
    with precision(_BITS):
        needed, each = relative_entropy(ball(success), ball(Fraction(1, d))), (1 + local_chi_square(ball(epsilon).exp())).log()
        return not_excluded(lambda n: surely_less(n * each, needed))


def one_message_histogram(*, d: int, alpha: Fraction, epsilon: Fraction, delta: Fraction, success: Fraction) -> int:
    """All d frequencies up to alpha < 1/2, one message each, (epsilon, delta)-DP after shuffling.

    n ln(1 + (T - 1)^2/T) >= kl(success - n delta || 1/d) with T = n e^eps.
    """
    _require(alpha=alpha, epsilon=epsilon, delta=delta, success=success, d=d)
    with precision(_BITS):

        def excluded(n: int) -> bool:
            left = success - n * delta
            if left <= Fraction(1, d):
                return False
            each = (1 + one_message_chi_square(n, ball(epsilon).exp())).log()
            return surely_less(n * each, relative_entropy(ball(left), ball(Fraction(1, d))))

        return not_excluded(excluded)


def local_selection(*, d: int, alpha: Fraction, epsilon: Fraction, success: Fraction) -> int:
    """Selection among d coordinates up to alpha n, each user epsilon-DP: n V (1 - q)/(q d) >= kl(success - spill || 1/d)."""
    _require(alpha=alpha, epsilon=epsilon, success=success, d=d)
    with precision(_BITS):
        T = ball(epsilon).exp()
        alone = surely_less(T, ball(success * d))
        return _selection(lambda n: local_chi_square(T), d=d, alpha=alpha, delta=Fraction(0), success=success, one_user_fails=alone)


def one_message_selection(*, d: int, alpha: Fraction, epsilon: Fraction, delta: Fraction, success: Fraction) -> int:
    """Selection up to alpha n, one message each, (epsilon, delta)-DP after shuffling: with (T - 1)^2/T for V, T = n e^eps."""
    _require(alpha=alpha, epsilon=epsilon, delta=delta, success=success, d=d)
    with precision(_BITS):
        T = ball(epsilon).exp()
        alone = surely_less(T + ball(delta * d), ball(success * d))
        return _selection(lambda n: one_message_chi_square(n, T), d=d, alpha=alpha, delta=delta, success=success, one_user_fails=alone)


def local_mean(*, alpha: Fraction, epsilon: Fraction, success: Fraction) -> int:
    """Mean of bits up to alpha, each user epsilon-DP: by what stays unknown of n fair bits, then by what is known of their mean.

    Bits of mean 1/2 + J g, J = +-1, carry at most 4 g^2 ((e^eps - 1)/(e^eps + 1))^2 each about J, and an answer that is right reveals J
    unless their average is off by g - alpha; g falls as far as the n already excluded allow.
    """
    _require(alpha=alpha, epsilon=epsilon, success=success)
    with precision(_BITS):
        reached, T = _unknown_bits(alpha=alpha, epsilon=epsilon, success=success), ball(epsilon).exp()
        for steps in range(100, 0, -1):
            g, half = alpha * (1 + Fraction(steps, 25)), ball(Fraction(1, 2))
            right = ball(success) - (-2 * ball(reached * (g - alpha) ** 2)).exp()  # from `reached` users on at least this
            if g > Fraction(1, 2) or not surely_less(half, right):
                continue
            each, needed = 4 * ball(g * g) * ((T - 1) / (T + 1)) ** 2, relative_entropy(right, half)
            reached = not_excluded(lambda n, each=each, needed=needed: surely_less(n * each, needed), start=reached)  # type: ignore[misc]
        return reached


def _unknown_bits(*, alpha: Fraction, epsilon: Fraction, success: Fraction) -> int:
    """Return the least n at which a right answer is likely enough: with probability at most E[W(K)], as only K of n fair bits stay fair.

    W(k) is the largest mass of Bin(k, 1/2) on floor(2 alpha n) + 1 neighbours. It falls in n and rises with their number, so a stretch of
    n is excluded by its first n with its last number; stretches of about 1 percent, shorter where that does not do.
    """
    fair, window = 2 / (1 + ball(epsilon).exp()), 1

    def first(neighbours: int) -> int:
        return max(1, ceil(Fraction(neighbours - 1) / (2 * alpha)))

    while window <= LARGEST_WINDOW:
        step = max(1, window // 100)
        while step and not surely_less(_guess(first(window), window + step - 1, fair), ball(success)):
            step //= 2
        if not step:
            break
        window += step
    return first(window)


def largest_window(k: int, width: int) -> arb:
    """The largest probability of Bin(k, 1/2) on `width` neighbouring values: the middle ones."""
    if width > k:
        return arb(1)
    first = (k - width + 1) // 2
    term = total = log_half_mass(k, first).exp()
    for j in range(first, first + width - 1):
        term = term * (k - j) / (j + 1)
        total += term
    return total


def _guess(n: int, width: int, fair: arb) -> arb:
    """An upper bound on E[W(K)], K ~ Bin(n, fair): exact for small n, else W falls in k and K is rarely far below its mean."""
    if n <= 60:
        masses = (arb.bin_uiui(n, k) * fair**k * (1 - fair) ** (n - k) for k in range(n + 1))
        return sum((mass * largest_window(k, width) for k, mass in enumerate(masses)), arb(0))
    rarely = Fraction(1, 200)
    least = (n * fair - (n * ball(1 / rarely).log() / 2).sqrt()).floor().unique_fmpz()
    return ball(rarely) + largest_window(max(0, int(least or 0)), width)


def local_chi_square(T: arb) -> arb:
    """(T - 1)^2/(4 T): the variance of a likelihood ratio of mean 1 whose largest value is at most T times its smallest."""
    return (T - 1) ** 2 / (4 * T)


def one_message_chi_square(n: int, exp_epsilon: arb) -> arb:
    """(T - 1)^2/T with T = n e^eps: the randomizer clipped around one of its distributions, by CSUZZ19, Theorem 6.2."""
    T = n * exp_epsilon
    return (T - 1) ** 2 / T


def spill_from(q: Fraction, *, d: int, alpha: Fraction) -> int:
    """The least n from which on (d - 1) Pr[Bin(n, q) >= (1 - alpha) n] <= 1/20, by Chernoff's bound; q < 1 - alpha."""
    rate = relative_entropy(ball(1 - alpha), ball(q))
    return not_excluded(lambda n: not surely_less((d - 1) * (-n * rate).exp(), ball(_SPILL)))


def _selection(
    chi_square: Callable[[int], arb], *, d: int, alpha: Fraction, delta: Fraction, success: Fraction, one_user_fails: bool
) -> int:
    """The first n that is not excluded, from n = 1 up: sparse bits first, then denser ones where enough users keep them apart.

    Sparse: q = sqrt(spill/d) and two users or more; (d - 1) Pr[Bin(n, q) >= 0.9 n] <= d q^2 as long as q <= 0.37 and alpha <= 1/10.
    """

    def excluded_with(ratio: arb) -> Callable[[int], bool]:
        def excluded(n: int) -> bool:
            left = success - _SPILL - n * delta
            if left <= Fraction(1, d):
                return False
            return surely_less(n * chi_square(n) * ratio / d, relative_entropy(ball(left), ball(Fraction(1, d))))

        return excluded

    if not one_user_fails:
        return 1
    reached = 2
    sparse = (ball(_SPILL) / d).sqrt()
    if alpha <= Fraction(1, 10) and surely_less(sparse, ball(Fraction(37, 100))):
        reached = max(reached, not_excluded(excluded_with((1 - sparse) / sparse), start=reached))
    for q in _BIASES:
        if q < 1 - alpha and spill_from(q, d=d, alpha=alpha) <= reached:
            reached = max(reached, not_excluded(excluded_with(ball((1 - q) / q)), start=reached))
    return reached


def _packing(changed: Callable[[int], int], *, wrong: arb, epsilon: Fraction, delta: Fraction, success: Fraction) -> int:
    """success <= wrong e^(h eps) + delta (e^(h eps) - 1)/(e^eps - 1), or n is excluded."""
    with precision(_BITS):
        step = ball(epsilon)

        def excluded(n: int) -> bool:
            grown = (changed(n) * step).exp()
            return surely_less(wrong * grown + ball(delta) * (grown - 1) / (step.exp() - 1), ball(success))

        return not_excluded(excluded)


def not_excluded(excluded: Callable[[int], bool], *, start: int = 1, most: int = LARGEST_N) -> int:
    """The least n >= start that is not excluded, where what is excluded at n is excluded below. Raises ResourceLimitError beyond `most`."""
    refusal = ResourceLimitError(what="a number of users", needed=f"more than {most:.0e}", limit=f"{most:.0e}")
    return least(lambda n: not excluded(n), start=start, most=most, refusal=refusal)


def _require(*, alpha: Fraction, epsilon: Fraction, success: Fraction, delta: Fraction = Fraction(0), d: int = 2) -> None:
    require(0 < alpha < Fraction(1, 2), parameter="alpha", value=alpha, requirement="above 0 and below 1/2")
    require(epsilon > 0, parameter="epsilon", value=epsilon, requirement="above 0")
    require(0 <= delta < 1, parameter="delta", value=delta, requirement="at least 0 and below 1")
    require(Fraction(1, 2) < success < 1, parameter="success", value=success, requirement="above 1/2 and below 1")
    require(d >= 2, parameter="d", value=d, requirement="an integer of at least 2")
