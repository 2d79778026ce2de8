"""The same for shuffled (epsilon0, delta0)-DP local randomizers with a smaller price of delta0, certified (FMT21.Thm3.8-constant)."""

from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.clones import approx_clones
from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods.clones import STRONGER_APPROX_CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number


def delta(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, epsilon: Number | Epsilon, digits: int = 15) -> Bound:
    """The least delta'(epsilon') + (e^epsilon' + 1)(3/2) e^-epsilon0 (n - 1) delta0 + delta0 over epsilon' <= epsilon, enclosed.

    Parameters, result and errors as for `approx_clones.delta`.
    """
    return approx_clones.least_delta(STRONGER_APPROX_CLONES, _cost, n=n, epsilon0=epsilon0, delta0=delta0, epsilon=epsilon, digits=digits)


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, delta: Number, digits: int = 15) -> Bound:
    """Least epsilon at which that delta is at most delta, enclosed. Parameters, result and errors as for `approx_clones.epsilon`."""
    return approx_clones.least_epsilon(STRONGER_APPROX_CLONES, _cost, n=n, epsilon0=epsilon0, delta0=delta0, delta=delta, digits=digits)


def _cost(n: int, T: arb, delta0: Fraction) -> tuple[arb, arb]:
    return 3 / (2 * T) * ball((n - 1) * delta0), ball(delta0)
