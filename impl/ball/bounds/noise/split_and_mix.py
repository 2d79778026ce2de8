"""Sums by shares that are mixed, certified for any number of users: the distance of the shares, and the noise in the sum.

With e_j = E[q^c] for j users, e_n = q (1 + X_n) but for parts that are not connected, X_n = E[q^(c - 1); c > 1] at most

    sum over r = 1 .. n - 1 of ((n - r)/n) u_n(r) e_r,   u_n(r) = C(n, r)^2/C(n m, r m) <= C(n, r)^(2 - m),

as the component of the first user leaves r. Up to R users e_r is computed; where the sum above at R + 1, with e_r <= 2 q for r > R, shows
that e_(R + 1) <= 2 q, it shows the same for all larger numbers, since every u_n(r) falls with n (BEYOND.split-and-mix).
"""

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from flint import arb

from shuffleproof.impl.ball.bounds.noise import laplace_sum
from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.binomial import log_choose
from shuffleproof.impl.ball.numeric.results import certified
from shuffleproof.spec.vocabulary.asking import Found, reads
from shuffleproof.spec.vocabulary.errors import ResourceLimitError
from shuffleproof.spec.vocabulary.methods.protocols import SPLIT_AND_MIX
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.parameters import MESSAGES, MODULUS, N
from shuffleproof.spec.vocabulary.refusals import too_few_shares

COMPUTED_TO = 160
"""Users up to which moments are computed exactly enough; beyond them the induction above bounds them."""
_KNOWN_TO = (COMPUTED_TO, 320, 640)
"""Users whose moments are computed for more of them: for few messages of a large modulus the induction begins later."""
_MARGIN = 60
"""Bits beyond the digits', for sums of some hundred terms with coefficients below one."""
_ONE_BY_ONE = 2_000
"""Factors that are multiplied one by one; Stirling's series takes about as long as so many."""
_MOST_STEPS = 400
"""Halvings for epsilon at most."""
Ends = tuple[Fraction, Fraction]


@certified(SPLIT_AND_MIX)
def delta(*, n: int, messages: int, modulus: int, sensitivity: int, epsilon0: Epsilon, epsilon: Epsilon, digits: int = 15) -> Found:
    """delta of the noise in the sum, and (1 + e^epsilon) times the distance of the shares (BEYOND.split-and-mix).

    messages: of each of the n honest users; sensitivity, epsilon0: of the noise; from epsilon0 on as at epsilon0. The relative width holds
    up to 160 users, beyond which only the upper end says something. Raises ResourceLimitError where so few messages are not shown to be
    near the sum alone.
    """
    low, high = _delta(_apart(n, messages, modulus, digits), sensitivity, epsilon0, epsilon, digits)
    return Found(low, high, lower_certified=n <= COMPUTED_TO)


@certified(SPLIT_AND_MIX)
def epsilon(
    *,
    n: int,
    messages: int,
    modulus: int,
    sensitivity: int,
    epsilon0: Epsilon,
    delta: Fraction,
    inputs: Mapping[str, str],
    digits: int = 15,
) -> Found:
    """The least epsilon at which that delta is reached; it is convex in e^epsilon, and comes down to delta once.

    Raises RegimeError where delta is below (1 + e^epsilon0) times the distance of the shares: more messages are needed.
    """
    apart = _apart(n, messages, modulus, digits)
    top = epsilon0.bounds(bits=4 * digits + 32)[1]
    if _delta(apart, sensitivity, epsilon0, epsilon0, digits)[1] > delta:
        raise too_few_shares(delta=inputs["delta"])
    found = []
    for side in (0, 1):
        low, high = Fraction(0), top
        if _delta(apart, sensitivity, epsilon0, Epsilon(low, Fraction(1)), digits)[side] <= delta:
            high = low
        for _ in range(_MOST_STEPS):
            if (high - low) * 10 ** (digits + 1) <= high:
                break
            middle = _short((low + high) / 2, 4 * digits + 40)
            below = _delta(apart, sensitivity, epsilon0, Epsilon(middle, None), digits + 3)[side] <= delta
            low, high = (low, middle) if below else (middle, high)
        found.append((low, high)[side])
    return Found(found[0], found[1], lower_certified=n <= COMPUTED_TO)


@reads(N, MESSAGES, MODULUS)
def distance(*, n: int, messages: int, modulus: int, digits: int = 15) -> Ends:
    """At most how far the shares are, in total variation, from uniform ones with their sum, and something below that bound.

    Raises DomainError, ResourceLimitError.
    """
    return _apart(n, messages, modulus, digits)


def _delta(apart: Ends, sensitivity: int, local: Epsilon, central: Epsilon, digits: int) -> Ends:
    noise = laplace_sum.delta(n=1, sensitivity=sensitivity, epsilon0=local, epsilon=central, digits=digits + 2)
    with precision(4 * digits + _MARGIN):
        E = exp_of(central if central <= local else local)
        low, high = (1 + E) * ball(apart[0]), (1 + E) * ball(apart[1])
        return min(noise.lower + lower_end(low), Fraction(1)), min(noise.upper + upper_end(high), Fraction(1))


@lru_cache(maxsize=32)
def _apart(n: int, m: int, q: int, digits: int) -> Ends:
    """sqrt(E[q^(c - 1)] - 1)/2, at most 1."""
    if n == 1:
        return Fraction(0), Fraction(0)
    bits = 4 * digits + 4 * _MARGIN + 4 * (m * n).bit_length()
    with precision(bits):
        if n <= COMPUTED_TO:
            moments, connected = _moments(n - 1, m, q)
            parts = (ball(Fraction(k, n)) * _u(n, k, m) * connected[k] * (moments[n - k] - 1) for k in range(1, n))
            excess = sum(parts, arb(0))  # E[q^(c - 1)] - 1, without cancellation
            return _root(max(lower_end(excess), Fraction(0)), up=0), _root(upper_end(excess), up=1)
        for known in (size for size in _KNOWN_TO if size < n and m > 2):
            if not 2 * q * _u(known + 1, 1, m) < 1:  # what one user apart adds to the bound
                continue
            moments, _ = _moments(known, m, q)
            if _beyond(known + 1, m, q, moments, for_all_larger=True) < 1:
                return Fraction(0), _root(upper_end(_beyond(n, m, q, moments, for_all_larger=False)), up=1)
        needed = f"more than {m} messages of each of {n} users"
        raise ResourceLimitError(what="shares that are mixed", needed=needed, limit="what is shown for so few")


def _moments(n: int, m: int, q: int) -> tuple[list[arb], list[arb]]:
    """E[q^c] for 0 to n users, and the probabilities that they are connected."""
    moments, connected = [arb(1)], [arb(0)]
    graphs = [arb(1)]  # (j m)!/j!^2, so that u_j(k) is a quotient of three
    for j in range(1, n + 1):
        graphs.append(_rising(graphs[-1] / (j * j), (j - 1) * m, m))
        split = [k * graphs[k] * graphs[j - k] * connected[k] / (j * graphs[j]) for k in range(1, j)]
        connected.append(1 - sum(split, arb(0)))
        moments.append(q * (sum((each * moments[j - k] for k, each in enumerate(split, 1)), arb(0)) + connected[j]))
    return moments, connected


def _rising(product: arb, after: int, factors: int) -> arb:
    """The product times so many integers that follow `after`."""
    if factors > _ONE_BY_ONE:
        return product * arb(after + factors + 1).gamma() / arb(after + 1).gamma()
    for i in range(after + 1, after + factors + 1):
        product *= i
    return product


def _beyond(n: int, m: int, q: int, moments: list[arb], *, for_all_larger: bool) -> arb:
    """At least E[q^(c - 1); c > 1] for n > R users, if E[q^c] <= 2 q for every number between R and n.

    for_all_larger: with terms that all fall with n, or as small as they are for this one.
    """
    R = len(moments) - 1
    few = R if for_all_larger else min(R, n - R - 1)  # of a part with more than R others
    parts = [_u(n, r, m) for r in range(1, R + 1)]
    share = [Fraction(1) if for_all_larger else Fraction(n - r, n) for r in range(1, R + 1)]
    total = sum((ball(of) * part * each for of, part, each in zip(share, parts, moments[1:], strict=True)), arb(0))
    total += 2 * q * sum((ball(Fraction(k, n)) * part for k, part in enumerate(parts[:few], 1)), arb(0))
    wide = max(n, 2 * R + 2)  # both parts above R: at most n of them, each below C(n, R + 1)^(2 - m), which falls with n
    return total + 2 * q * wide * (-(m - 2) * log_choose(wide, R + 1)).exp()


def _u(n: int, k: int, m: int) -> arb:
    return (2 * log_choose(n, k) - log_choose(n * m, k * m)).exp()


def _root(x: Fraction, *, up: int) -> Fraction:
    """sqrt(x)/2 for x >= 0, at most 1, rounded up or down."""
    if x <= 0:
        return Fraction(0)
    shift = 2 * (200 + max(0, x.denominator.bit_length() - x.numerator.bit_length()))
    root = math.isqrt((x.numerator << shift) // (4 * x.denominator)) + up
    return min(Fraction(root, 1 << (shift // 2)), Fraction(1))


def _short(x: Fraction, bits: int) -> Fraction:
    scale = 1 << max(0, bits - x.numerator.bit_length() + x.denominator.bit_length())
    return Fraction(math.floor(x * scale), scale)
