"""Central-model mechanisms with exact distributions: what shuffled protocols are compared with (CSUZZ19, Table 1; BC20, Tables 1-2)."""

from collections.abc import Sequence
from fractions import Fraction

from shuffleproof.spec.distribution import Distribution, independent
from shuffleproof.spec.vocabulary.errors import require

Counts = tuple[int, ...]


def exponential_mechanism(scores: Sequence[int], *, exp_half_epsilon: Fraction) -> Distribution[int]:
    """Return the distribution of j in {0, ..., d - 1} with mass proportional to e^(eps scores_j/2).  (McSherry, Talwar; CSUZZ19, 6.2.1).

    scores: at least one integer, each of which one user changes by at most 1; then the output is eps-DP.
    exp_half_epsilon: e^(eps/2) >= 1, exact. Raises DomainError.
    """
    require(len(scores) > 0, parameter="scores", value=scores, requirement="at least one score")
    require(exp_half_epsilon >= 1, parameter="exp_half_epsilon", value=exp_half_epsilon, requirement="at least 1")
    best = max(scores)
    weights = [Fraction(exp_half_epsilon) ** (score - best) for score in scores]
    return Distribution({j: weight / sum(weights) for j, weight in enumerate(weights)})


def selection_failure(scores: Sequence[int], *, exp_half_epsilon: Fraction, slack: Fraction) -> Fraction:
    """Pr[the exponential mechanism outputs a j with scores_j < max - slack], exactly. Parameters and errors as there."""
    law = exponential_mechanism(scores, exp_half_epsilon=exp_half_epsilon)
    return sum((weight for j, weight in law.items() if scores[j] < max(scores) - slack), Fraction(0))


def geometric_at(z: int, *, exp_epsilon: Fraction) -> Fraction:
    """Pr[noise = z] of the two-sided geometric distribution: (1 - a)/(1 + a) a^|z| with a = e^-eps.  exp_epsilon > 1, exact.

    Raises DomainError.
    """
    a = _alpha(exp_epsilon)
    return (1 - a) / (1 + a) * a ** abs(z)


def geometric_above(z: int, *, exp_epsilon: Fraction) -> Fraction:
    """Pr[noise > z] of the two-sided geometric distribution, for any integer z. Parameters and errors as for `geometric_at`."""
    a = _alpha(exp_epsilon)
    return a ** (z + 1) / (1 + a) if z >= 0 else 1 - a ** (-z) / (1 + a)


def geometric_count(count: int, *, exp_epsilon: Fraction, low: int, high: int) -> Distribution[int]:
    """The distribution of count + two-sided geometric noise, clamped to {low, ..., high}; clamping is post-processing.

    exp_epsilon: e^eps > 1, exact; a count that one user changes by at most 1 is then released with eps-DP; low <= high. Raises DomainError.
    """
    require(low <= high, parameter="low", value=low, requirement=f"at most high = {high}")
    if low == high:
        return Distribution.point(low)
    inner = {y: geometric_at(y - count, exp_epsilon=exp_epsilon) for y in range(low + 1, high)}
    below = 1 - geometric_above(low - count, exp_epsilon=exp_epsilon)
    above = geometric_above(high - 1 - count, exp_epsilon=exp_epsilon)
    return Distribution({low: below, **inner, high: above})


def geometric_histogram(counts: Sequence[int], *, exp_epsilon_bin: Fraction, low: int, high: int) -> Distribution[Counts]:
    """Every bin with independent two-sided geometric noise, clamped to {low, ..., high}.

    counts: how many users hold each value; exp_epsilon_bin: e^eps_bin > 1, exact. Replacing one user's value changes two bins by one, so
    the output is 2 eps_bin-DP (add or remove a user: eps_bin-DP). Raises DomainError.
    """
    return independent(geometric_count(count, exp_epsilon=exp_epsilon_bin, low=low, high=high) for count in counts)


def stability_bin(count: int, *, exp_epsilon_bin: Fraction, threshold: int, high: int) -> Distribution[int]:
    """One bin of the stability-based histogram: 0 where the count is 0; else count + noise if that reaches the threshold, else 0.

    Values are clamped to at most high >= threshold. An empty bin is never released, so only the held values cost anything,
    however large the domain.  (Bun, Nissim, Stemmer; Vadhan; BC20, Table 1)

    count >= 0; exp_epsilon_bin: e^eps_bin > 1, exact; threshold >= 1. Raises DomainError.
    """
    require(count >= 0, parameter="count", value=count, requirement="at least 0")
    require(threshold >= 1, parameter="threshold", value=threshold, requirement="an integer of at least 1")
    require(high >= threshold, parameter="high", value=high, requirement=f"at least the threshold {threshold}")
    if count == 0:
        _alpha(exp_epsilon_bin)
        return Distribution.point(0)
    noisy = geometric_count(count, exp_epsilon=exp_epsilon_bin, low=threshold - 1, high=high)
    return noisy.map(lambda y: y if y >= threshold else 0)


def stability_histogram(counts: Sequence[int], *, exp_epsilon_bin: Fraction, threshold: int, high: int) -> Distribution[Counts]:
    """Every bin released by `stability_bin`, independently: (2 eps_bin, delta)-DP under replacement, delta from `stability_delta`.

    counts: how many users hold each value; the others as for `stability_bin`. Raises DomainError.
    """
    return independent(stability_bin(count, exp_epsilon_bin=exp_epsilon_bin, threshold=threshold, high=high) for count in counts)


def stability_delta(*, exp_epsilon_bin: Fraction, threshold: int) -> Fraction:
    """The delta with which the stability-based histogram is (2 eps_bin, delta)-DP under replacement: q = Pr[1 + noise >= threshold].

    A replacement empties at most one bin and fills at most one. Either direction sees only one of the two appear, so q counts once.
    Parameters as for `stability_bin`.
    """
    require(threshold >= 1, parameter="threshold", value=threshold, requirement="an integer of at least 1")
    return geometric_above(threshold - 2, exp_epsilon=exp_epsilon_bin)


def stability_threshold(*, exp_epsilon_bin: Fraction, delta: Fraction) -> int:
    """The least threshold whose `stability_delta` is at most delta in (0, 1). Raises DomainError."""
    require(0 < delta < 1, parameter="delta", value=delta, requirement="above 0 and below 1")
    low, high = 0, 1
    while stability_delta(exp_epsilon_bin=exp_epsilon_bin, threshold=high) > delta:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if stability_delta(exp_epsilon_bin=exp_epsilon_bin, threshold=middle) > delta:
            low = middle
        else:
            high = middle
    return high


def _alpha(exp_epsilon: Fraction) -> Fraction:
    require(exp_epsilon > 1, parameter="exp_epsilon", value=exp_epsilon, requirement="above 1")
    return 1 / Fraction(exp_epsilon)
