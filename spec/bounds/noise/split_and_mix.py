"""Sums by shares that are mixed: what they show beyond the sum, and with discrete Laplace noise in the sum, how private they are.

Each of n users splits a number modulo q into m shares, uniform with that sum, and all n m shares are shuffled. With c the number of
components of a random m-regular bipartite multigraph on n + n vertices, the view of any inputs is within sqrt(E[q^(c - 1)] - 1)/2, in total
variation, of n m uniform numbers with the same sum.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb, isqrt

from shuffleproof.spec.bounds.exact_pair import exact, halved, rational_exp
from shuffleproof.spec.bounds.noise import laplace_sum
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, require
from shuffleproof.spec.vocabulary.methods.protocols import SPLIT_AND_MIX
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import too_few_shares

LARGEST_N = 60
"""Users whose moments are computed in rationals; the certified engine goes further."""
LARGEST_SHARES = 10_000
"""Shares n m whose moments are computed in rationals: some seconds; binomial coefficients have as many bits."""
_BITS = 200
"""Square roots and powers of e are known between multiples of 2^-_BITS."""
_STEPS = 80
"""Halvings for epsilon at most."""
View = tuple[int, ...]


def view(inputs: Sequence[int], *, messages: int, modulus: int) -> Distribution[View]:
    """The distribution of the multiset of all shares, sorted, by going through all of them."""
    found: Counter[View] = Counter()
    for free in product(range(modulus), repeat=len(inputs) * (messages - 1)):
        shares = list(free)
        for i, x in enumerate(inputs):
            own = free[i * (messages - 1) : (i + 1) * (messages - 1)]
            shares.append((x - sum(own)) % modulus)
        found[tuple(sorted(shares))] += 1
    return _normalized(found)


def ideal(total: int, *, shares: int, modulus: int) -> Distribution[View]:
    """The distribution of the multiset of so many uniform numbers with this sum."""
    found: Counter[View] = Counter()
    for free in product(range(modulus), repeat=shares - 1):
        found[tuple(sorted((*free, (total - sum(free)) % modulus)))] += 1
    return _normalized(found)


def noise_modulo(modulus: int, *, alpha: Fraction) -> Distribution[int]:
    """The distribution of discrete Laplace noise modulo q: a^|z| summed over all z that are y, for each y."""
    whole = (1 - alpha) / ((1 + alpha) * (1 - alpha**modulus))
    return Distribution({y: whole * (alpha**y + alpha ** (modulus - y)) for y in range(modulus)})


def components_moment(*, n: int, messages: int, modulus: int) -> Fraction:
    """E[q^c]/q, c the number of components: the one of the first vertex has k users with probability (k/n) u_n(k) pi_k.

    u_n(k) = C(n, k)^2/C(n m, k m); pi_k, that the graph of k users is connected, is what makes these probabilities add up to 1.
    """
    connected, moments = [Fraction(0)], [Fraction(1)]
    for j in range(1, n + 1):
        split = [Fraction(k * comb(j, k) ** 2, j * comb(j * messages, k * messages)) for k in range(1, j)]
        connected.append(1 - sum((each * connected[k] for k, each in enumerate(split, 1)), Fraction(0)))
        parts = (each * connected[k] * moments[j - k] for k, each in enumerate(split, 1))
        moments.append(modulus * (sum(parts, Fraction(0)) + connected[j]))
    return moments[n] / modulus


def distance(*, n: int, messages: int, modulus: int) -> tuple[Fraction, Fraction]:
    """sqrt(E[q^(c - 1)] - 1)/2, or 1 where that is larger, between rationals."""
    excess = (components_moment(n=n, messages=messages, modulus=modulus) - 1) / 4
    unit = 1 << _BITS
    root = isqrt(excess.numerator * unit * unit // excess.denominator)
    return min(Fraction(root, unit), Fraction(1)), min(Fraction(root + (excess != 0), unit), Fraction(1))


def recalled_messages(*, n: int, modulus: int, security: Fraction) -> int:
    """Least m >= 2 with (n/e)^(m - 2) >= q security^2: BBGN20's number of shares for inputs of one sum to look alike within 1/security.

    As recalled: m = ceil((2 sigma + log2 q)/(log2 n - log2 e) + 2) for security = 2^sigma; n: users, at least 19; modulus: q; security: at
    least 1, exact. It is there to be compared with: no guarantee is taken from it (BEYOND.BBGN20-messages).
    """
    require(n >= 19, parameter="n", value=n, requirement="at least 19, as the published bound asks")
    m = 2
    while not n ** (m - 2) >= modulus * security**2 * exp_bounds(Fraction(m - 2), bits=_BITS)[1]:
        m += 1
    return m


@exact(SPLIT_AND_MIX)
def delta(*, n: int, messages: int, modulus: int, sensitivity: int, epsilon0: Epsilon, epsilon: Epsilon) -> Found:
    """delta of the noise in the sum, and (1 + e^epsilon) times the distance of the shares, between rationals (BEYOND.split-and-mix).

    n: honest users, at most 60; messages: of each, n messages at most 10^4; sensitivity, epsilon0: those of the noise, as for
    `laplace_sum.delta`; from epsilon0 on as at epsilon0.
    """
    apart = _distance(n, messages, modulus)
    noise = laplace_sum.delta(n=n, sensitivity=sensitivity, epsilon0=epsilon0, epsilon=epsilon).upper
    E = rational_exp(min(epsilon, epsilon0, key=lambda each: each.exp or 0), "epsilon")
    low, high = (min(noise + (1 + E) * end, Fraction(1)) for end in apart)
    return Found(low, high)


@exact(SPLIT_AND_MIX)
def epsilon(
    *, n: int, messages: int, modulus: int, sensitivity: int, epsilon0: Epsilon, delta: Fraction, inputs: Mapping[str, str]
) -> Found:
    """The least epsilon at which that delta is reached, by halving in e^epsilon, in which it is convex; the rest as for `delta`.

    Raises RegimeError where delta is below (1 + e^epsilon0) times the distance: more messages are needed.
    """
    apart, top = _distance(n, messages, modulus), rational_exp(epsilon0, "epsilon0")

    def reached(side: int, E: Fraction) -> bool:
        noise = laplace_sum.delta(n=n, sensitivity=sensitivity, epsilon0=epsilon0, epsilon=Epsilon(None, E)).upper
        return min(noise + (1 + E) * apart[side], Fraction(1)) <= delta

    if not reached(1, top):
        raise too_few_shares(delta=inputs["delta"])
    low, high = halved(reached, Fraction(1), top, steps=_STEPS)
    return Found(Epsilon(None, low).bounds(bits=_BITS)[0], Epsilon(None, high).bounds(bits=_BITS)[1])


def _distance(n: int, m: int, q: int) -> tuple[Fraction, Fraction]:
    if n > LARGEST_N:
        raise ResourceLimitError(what="exact arithmetic", needed=f"n = {n}", limit=f"{LARGEST_N}: use engine 'ball'")
    if n * m > LARGEST_SHARES:
        raise ResourceLimitError(what="exact arithmetic", needed=f"n messages = {n * m}", limit=f"{LARGEST_SHARES}: use engine 'ball'")
    return distance(n=n, messages=m, modulus=q)


def _normalized(found: Counter[View]) -> Distribution[View]:
    whole = sum(found.values())
    return Distribution({shares: Fraction(times, whole) for shares, times in found.items()})
