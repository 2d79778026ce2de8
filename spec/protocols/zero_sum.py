"""P^zsum: a binary sum that is exactly 0 where the true sum is (BC20, Figure 1 and Theorem 3.1)."""

from fractions import Fraction

from shuffleproof.spec.distribution import Distribution, bernoulli, binomial
from shuffleproof.spec.model import Analyzer, LocalRandomizer, MultiMessageProtocol
from shuffleproof.spec.vocabulary.elementary import log_bounds
from shuffleproof.spec.vocabulary.errors import RegimeError, require
from shuffleproof.spec.vocabulary.numerals import decimal_text

Ones = tuple[int, ...]


def randomizer(*, p: Fraction) -> LocalRandomizer[int, Ones]:
    """Return R^zsum on x in {0, 1}: z ~ Ber(p), then the vector (1, ..., 1) of x + z copies.  (BC20, Figure 1).

    p: probability of the additional message, in [0, 1], exact. Raises DomainError outside.
    """
    _require_probability(p)

    def distribution(x: int) -> Distribution[Ones]:
        return bernoulli(p).map(lambda z: (1,) * (x + z))

    return LocalRandomizer((0, 1), {x: distribution(x) for x in (0, 1)})


def analyzer(*, n: int, p: Fraction) -> Analyzer[int, Fraction]:
    """Return A^zsum: with c* = |y|/n, the number of messages over n, output c* - p if c* > 1 and 0 otherwise.  (BC20, Figure 1).

    n: number of users, at least 1; p: as for `randomizer`. The result is a function of the shuffled messages. Raises DomainError.
    """
    _require_users(n)
    _require_probability(p)
    return lambda y: estimate(messages=len(y), n=n, p=p)


def estimate(*, messages: int, n: int, p: Fraction) -> Fraction:
    """Return what A^zsum outputs when it receives this many messages."""
    c_star = Fraction(messages, n)
    return c_star - p if c_star > 1 else Fraction(0)


def protocol(*, n: int, p: Fraction) -> MultiMessageProtocol[int, int, Fraction]:
    """P^zsum = (R^zsum, A^zsum) for n users. Domains and errors are those of its parts."""
    return MultiMessageProtocol(randomizer(p=p), analyzer(n=n, p=p))


def messages_distribution(*, n: int, p: Fraction, ones: int) -> Distribution[int]:
    """The distribution of |y| where this many hold 1: ones + Bin(n, p); it carries all of the view (BC20, proof of Theorem 3.1, part i).

    n: at least 1; p in [0, 1]; ones from 0 to n. Raises DomainError.
    """
    _require_users(n)
    _require_probability(p)
    require(0 <= ones <= n, parameter="ones", value=ones, requirement=f"an integer from 0 to {n}")
    return binomial(n, p).map(lambda noise: ones + noise)


def estimate_distribution(*, n: int, p: Fraction, ones: int) -> Distribution[Fraction]:
    """The distribution of the protocol's output on a dataset with this many ones. Domains and errors as for `messages_distribution`."""
    return messages_distribution(n=n, p=p, ones=ones).map(lambda messages: estimate(messages=messages, n=n, p=p))


def papers_p(*, n: int, epsilon: Fraction, delta: Fraction, bits: int = 64) -> tuple[Fraction, Fraction]:
    """Rational ends around p = 1 - (50/(epsilon^2 n)) ln(2/delta), the parameter of BC20, Figure 1.

    n: at least 1; epsilon and delta in (0, 1], exact; bits: 1 - p is enclosed to a relative width of 2^-bits.
    Raises DomainError outside the domain, RegimeError unless n >= (100/epsilon^2) ln(2/delta), the condition of Theorem 3.1.
    """
    _require_users(n)
    for name, value in (("epsilon", epsilon), ("delta", delta)):
        require(0 < value <= 1, parameter=name, value=value, requirement="above 0 and at most 1")
    low, high = log_bounds(2 / delta, bits=bits)
    while 100 * low <= n * epsilon**2 < 100 * high:  # ln(2/delta) is irrational, so this ends
        bits *= 2
        low, high = log_bounds(2 / delta, bits=bits)
    if n * epsilon**2 < 100 * low:
        needed = 100 * low / epsilon**2
        raise RegimeError(
            statement="BC20.Thm3.1",
            condition=f"n >= (100/epsilon^2) ln(2/delta) = {decimal_text(needed, digits=8, direction='up')}",
            given=f"n = {n}, which is {decimal_text(needed - n, digits=4, direction='up')} too few",
            advice="choose p yourself and ask for the exact profile, which has no such condition",
        )
    scale = 50 / (epsilon**2 * n)
    return 1 - scale * high, 1 - scale * low


def _require_users(n: int) -> None:
    require(n >= 1, parameter="n", value=n, requirement="an integer of at least 1")


def _require_probability(p: Fraction) -> None:
    require(0 <= p <= 1, parameter="p", value=p, requirement="in [0, 1]")
