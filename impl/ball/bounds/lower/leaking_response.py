"""(eps0, delta0)-DP randomizers from below, certified: response of two or three items that leaks with probability delta0."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.blanket.one_sum_profile import DIGITS, certain_digits, delta_of, epsilon_of
from shuffleproof.impl.ball.bounds.blanket.randomizer_laws import CELLS, Row
from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of
from shuffleproof.impl.ball.numeric.results import exactly
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.errors import UndecidedError, UnsupportedError
from shuffleproof.spec.vocabulary.methods.randomizer_laws import LEAKING_RESPONSE
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, epsilon0_parameter, parse_epsilon, probability, shortest
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
        """Return what a report tells where it does not leak, and leaks that somebody else may have sent."""
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


def delta(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, epsilon: Number | Epsilon, digits: int = DIGITS) -> Bound:
    """delta at epsilon of these datasets, enclosed.

    n: users, at least 1; epsilon0 in [0, 10000]; delta0 in [0, 1]; epsilon >= 0; digits: 1 to 6. Returns an enclosure whose claim is a
    lower bound (BEYOND.any-law-leaking); exactly delta0 from epsilon0 on. Raises DomainError, ResourceLimitError, UnsupportedError.
    """
    users, local, leak = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta0, parameter="delta0")
    central, wanted = parse_epsilon(epsilon), certain_digits(digits)
    inputs = as_given(n=n, eps0=epsilon0, delta0=delta0, eps=epsilon)
    if central >= local or leak == 1:
        return exactly(LEAKING_RESPONSE, "delta", shortest(leak), leak, leak, inputs=inputs)
    laws = [_Leaking(local, leak, items) for items in (2, 3)]
    with _said_of_leaks("delta"):
        return delta_of(LEAKING_RESPONSE, laws, n=users, epsilon0=local, epsilon=central, digits=wanted, inputs=inputs)


def epsilon(*, n: Number, epsilon0: Number | Epsilon, delta0: Number, delta: Number, digits: int = DIGITS) -> Bound:
    """Least epsilon at which that delta is at most delta, enclosed; exactly epsilon0 at delta = delta0.

    n, epsilon0, delta0, digits: as for `delta`; delta in [delta0, 1].
    Raises DomainError, ResourceLimitError; RegimeError below delta0; UnsupportedError where grids settle nothing, and users are many.
    """
    users, local, leak = count(n, parameter="n"), epsilon0_parameter(epsilon0), probability(delta0, parameter="delta0")
    target, wanted = probability(delta, parameter="delta"), certain_digits(digits)
    inputs = as_given(n=n, eps0=epsilon0, delta0=delta0, delta=delta)
    if target < leak:
        raise no_epsilon_for_approx_clones(LEAKING_RESPONSE, delta0=shortest(leak), delta=shortest(target))
    if local.exp == 1 or target == 1:
        return exactly(LEAKING_RESPONSE, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    if target == leak:
        return exactly(LEAKING_RESPONSE, "epsilon", str(local), *local.bounds(bits=4 * wanted + 64), inputs=inputs)
    laws = [_Leaking(local, leak, items) for items in (2, 3)]
    with _said_of_leaks("epsilon"):
        return epsilon_of(LEAKING_RESPONSE, laws, n=users, epsilon0=local, delta=target, digits=wanted, inputs=inputs)


@contextmanager
def _said_of_leaks(quantity: Quantity) -> Iterator[None]:
    """Return what grids leave open, with the reason and what helps."""
    try:
        yield
    except UndecidedError as error:
        reason = f"leaks that are rare beside delta leave a grid too wide near epsilon0 ({error})"
        raise UnsupportedError(what=f"{quantity} of leaking response in balls", reason=reason, advice='use engine "fast"') from None
