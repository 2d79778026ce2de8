"""P_(n, lambda) simulated with a numpy generator, for experiments only: by counts, or message by message (CSUZZ19, Algorithm 1)."""

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import Number, count, exact_fraction


def simulate_bit_sum(*, ones: Number, n: Number, noise: Number, generator: np.random.Generator, size: int = 1) -> NDArray[np.float64]:
    """`size` independent outputs of the protocol on n users of whom `ones` hold 1, from two binomials each: the per-user distribution.

    n: users, at least 1; ones: from 0 to n; noise: lambda, the expected number of random bits, in [0, n), taken as lambda/(2n) at the
    nearest float. Raises DomainError.
    """
    users, lam = parameters(n, noise)
    held = count(ones, parameter="ones", minimum=0, maximum=users)
    return estimates(simulated_ones(bits=users, ones=held, flip=float(lam / (2 * users)), size=size, generator=generator), users, lam, 1)


def simulate_messages(*, values: ArrayLike, noise: Number, generator: np.random.Generator) -> NDArray[np.int8]:
    """Draw the message of every user, in their order: the user's bit, or with probability lambda/n a fair coin.  (CSUZZ19, Algorithm 1).

    values: the users' bits; noise: lambda in [0, n). Raises DomainError.
    """
    held = np.asarray(values)
    require(held.ndim == 1 and held.size > 0, parameter="values", value=held.shape, requirement="one bit for every user")
    require(bool(np.isin(held, (0, 1)).all()), parameter="values", value="another number", requirement="0 or 1")
    users, lam = parameters(held.size, noise)
    random = generator.random(users) < float(lam / users)
    coins = generator.integers(0, 2, size=users, dtype=np.int8)
    return np.where(random, coins, held.astype(np.int8))


def parameters(n: Number, noise: Number) -> tuple[int, Fraction]:
    """(n, lambda), checked. Raises DomainError unless 0 <= lambda < n."""
    users, lam = count(n, parameter="n"), exact_fraction(noise, parameter="noise")
    wanted = f"at least 0 and below n = {users}, where the messages say nothing about the sum"
    require(0 <= lam < users, parameter="noise", value=noise, requirement=wanted)
    return users, lam


def simulated_ones(*, bits: int, ones: int, flip: float, size: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """Bin(ones, 1 - flip) + Bin(bits - ones, flip), `size` times."""
    kept = ones - generator.binomial(ones, flip, size=size)
    return np.asarray(kept + generator.binomial(bits - ones, flip, size=size), dtype=np.int64)


def estimates(ones: NDArray[np.int64], n: int, lam: Fraction, r: int) -> NDArray[np.float64]:
    """(1/r)(n/(n - lambda))(ones - lambda r/2)."""
    return np.asarray((ones - float(lam * r / 2)) * float(n / (n - lam) / r), dtype=np.float64)
