"""The same for shuffled (epsilon0, delta0)-DP local randomizers with a smaller price of delta0, exactly (FMT21.Thm3.8-constant)."""

from fractions import Fraction

from shuffleproof.spec.bounds.clones.approx_clones import exact_delta, exact_epsilon
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.clones import STRONGER_APPROX_CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number


def cost(n: int, T: Fraction, delta0: Fraction) -> tuple[Fraction, Fraction]:
    """(e^epsilon + 1)(3/(2 T))(n - 1) delta0 + delta0: the other users lose delta0/T each where the paper counts delta0."""
    return 3 * (n - 1) * delta0 / (2 * T), delta0


def delta(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, epsilon: Number | Epsilon) -> Bound:
    """The least delta'(epsilon') + (e^epsilon' + 1)(3/2) e^-epsilon0 (n - 1) delta0 + delta0 over epsilon' <= epsilon, exact.

    Parameters, result and errors as for `approx_clones.delta`.

    >>> delta(n=2, epsilon0="ln 4", delta0="1e-3", epsilon=0).exact
    '0.52675'
    """
    return exact_delta(STRONGER_APPROX_CLONES, cost, n=n, epsilon0=epsilon0, delta0=delta0, epsilon=epsilon)


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, delta: Number) -> Bound:
    """Least epsilon at which that delta is at most delta, exact. Parameters, result and errors as for `approx_clones.epsilon`."""
    return exact_epsilon(STRONGER_APPROX_CLONES, cost, n=n, epsilon0=epsilon0, delta0=delta0, delta=delta)
