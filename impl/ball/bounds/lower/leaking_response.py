"""(eps0, delta0)-DP randomizers from below, certified: response of two or three items that leaks with probability delta0."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.blanket.one_sum_profile import DIGITS, delta_of, epsilon_of, require_on_grids
from shuffleproof.impl.ball.bounds.blanket.randomizer_distributions import CELLS, Row
from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of
from shuffleproof.impl.ball.numeric.results import certified
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.bound import Quantity
from shuffleproof.spec.vocabulary.errors import UndecidedError, UnsupportedError
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import LEAKING_RESPONSE
from shuffleproof.spec.vocabulary.numerals import Epsilon, shortest
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_approx_clones


@dataclass(frozen=True)
class _Leaking:
    """Response of so many items, 2 or 3; all others hold the last one."""

    epsilon0: Epsilon
    delta0: Fraction
    items: int

    @property
    def dataset(self) -> str:
        """Return what all others hold."""
        return f"{'binary' if self.items == 2 else '3-ary'} response; all others hold the {'second' if self.items == 2 else 'third'} item"

    def is_symmetric(self) -> bool:
        """Return whether exchanging the first two items changes nothing, as it does of three items."""
        return self.items > 2

    def rows(self, *, cells: int = CELLS) -> list[Row]:
        """Return what a report reveals where it does not leak, and leaks that somebody else may have sent."""
        T = exp_of(self.epsilon0)
        share, last = ball(1 - self.delta0) / (T + self.items - 1), self.items - 1

        def ratio(y: int, x: int) -> arb:
            """R_x/R_last."""
            return arb(1) if y not in (x, last) or x == last else T if y == x else 1 / T

        pairs = [(share * (T if y == last else 1), ratio(y, 0), ratio(y, 1)) for y in range(self.items)]
        if self.delta0:
            pairs.append((ball(self.delta0), arb(0), arb(1 if last == 1 else 0)))
        return [(m, u, v, u, v) for m, u, v in pairs]

    def given_away(self, E: arb, *, swapped: bool) -> arb:
        """delta0, unless others may have sent that leak."""
        return arb(0) if swapped and self.items == 2 else ball(self.delta0)


@certified(LEAKING_RESPONSE)
def delta(*, n: int, epsilon0: Epsilon, delta0: Fraction, epsilon: Epsilon, digits: int = DIGITS) -> Found:
    """delta at epsilon of these datasets, to at most 6 digits (BEYOND.any-law-leaking); exactly delta0 from epsilon0 on."""
    require_on_grids(digits)
    if epsilon >= epsilon0 or delta0 == 1:
        return Found.exactly(delta0)
    distributions = [_Leaking(epsilon0, delta0, items) for items in (2, 3)]
    with _said_of_leaks("delta"):
        return delta_of(distributions, n=n, epsilon0=epsilon0, epsilon=epsilon, digits=digits)


@certified(LEAKING_RESPONSE)
def epsilon(*, n: int, epsilon0: Epsilon, delta0: Fraction, delta: Fraction, digits: int = DIGITS) -> Found:
    """Least epsilon at which that delta is at most delta; exactly epsilon0 at delta = delta0.

    Raises RegimeError below delta0; UnsupportedError where grids settle nothing, and users are many.
    """
    require_on_grids(digits)
    if delta < delta0:
        raise no_epsilon_for_approx_clones(LEAKING_RESPONSE, delta0=shortest(delta0), delta=shortest(delta))
    if epsilon0.exp == 1 or delta == 1:
        return Found.exactly(0)
    if delta == delta0:
        return Found.exactly_epsilon(epsilon0, bits=4 * digits + 64)
    distributions = [_Leaking(epsilon0, delta0, items) for items in (2, 3)]
    with _said_of_leaks("epsilon"):
        return epsilon_of(distributions, n=n, epsilon0=epsilon0, delta=delta, digits=digits)


@contextmanager
def _said_of_leaks(quantity: Quantity) -> Iterator[None]:
    """Return what grids leave open, with the reason and what helps."""
    try:
        yield
    except UndecidedError as error:
        reason = f"leaks that are rare beside delta leave a grid too wide near epsilon0 ({error})"
        raise UnsupportedError(
            what=f"{quantity} of leaking response in ball arithmetic", reason=reason, advice='use engine "fast"'
        ) from None
