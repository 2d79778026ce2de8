"""Rounds of a clones pair from both sides on a grid of privacy losses; Renyi divergences of privacy loss distributions.

delta of a composition is the mean under P of max(0, 1 - e^(epsilon - loss)), which grows with every loss and every mass: losses and masses
rounded down to a grid give its lower end, rounded up the upper one.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from flint import arb, fmpz_poly

from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, lower_end, precision, upper_end
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, require
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import CLONES, STRONGER_CLONES
from shuffleproof.spec.vocabulary.numerals import Epsilon

Ends = tuple[Fraction, Fraction]
MOST_USERS = 300
"""Users of a pair whose losses are listed, all of them: their number grows with n^2."""
_BITS = 160
"""Masses are integers over 2^_BITS."""
_CELLS = 20_000
"""Cells of the losses of one round."""
_MOST_CELLS = 80_000
"""Cells of the losses of all rounds together, about."""


def delta(method: Method, *, n: int, epsilon0: Epsilon, rounds: int, epsilon: Epsilon) -> Ends:
    """Ends around delta of so many rounds of the pair of `clones` or `stronger-clones`. Raises ResourceLimitError, DomainError."""
    sides = [_on_grid(method, n, epsilon0, rounds, up) for up in (False, True)]
    with precision(_BITS):
        order = exp_of(epsilon)
        low, high = (_ends_of(side, lambda p, q: p - order * q) for side in sides)
    return max(Fraction(0), low[0]), max(Fraction(0), min(Fraction(1), high[1]))  # the event that never happens is one, too


def epsilon(method: Method, *, n: int, epsilon0: Epsilon, rounds: int, delta: Fraction) -> Ends:
    """Ends around the least epsilon of so many rounds at delta, which is above 0. Raises ResourceLimitError, DomainError."""
    require(delta > 0, parameter="delta", value=delta, requirement="above 0 where rounds are composed on a grid")
    sides = [_on_grid(method, n, epsilon0, rounds, up) for up in (False, True)]
    with precision(_BITS):
        low, high = (_ends_of(side, lambda p, q: (p - ball(delta)) / q) for side in sides)
        return _log(low[0])[0], _log(high[1])[1]


def renyi_of_losses(distributions: Sequence[Mapping[Fraction, Fraction]], *, order: Fraction, digits: int) -> Ends:
    """Ends around the Renyi divergence of independent pairs, each by the masses under P of its ratios P/Q, which add up to 1."""
    if all(ratio == 1 for one in distributions for ratio in one):
        return Fraction(0), Fraction(0)
    with precision(4 * digits + 64):
        moments = [sum((ball(m) * ball(ratio) ** ball(order - 1) for ratio, m in one.items()), arb(0)) for one in distributions]
        low, high = ends(sum((moment.log() for moment in moments), arb(0)) / ball(order - 1))
    return max(Fraction(0), low), high


def _on_grid(method: Method, n: int, local: Epsilon, rounds: int, up: bool) -> list[tuple[int, int, Fraction]]:
    """(loss in steps, mass over 2^_BITS, step) of all rounds, from the largest loss down: every loss and mass rounded to one side."""
    if n > MOST_USERS:
        raise ResourceLimitError(what="rounds of a pair on a grid", needed=f"n = {n}", limit=f"n = {MOST_USERS}")
    span = local.bounds(bits=64)[1]
    require(span <= 50, parameter="epsilon0", value=str(local), requirement="at most 50 where rounds are composed on a grid")
    cells = min(_CELLS, _MOST_CELLS // (2 * rounds))
    if not cells:
        raise ResourceLimitError(what="rounds of a pair on a grid", needed=f"{rounds} rounds", limit=f"{_MOST_CELLS // 2} rounds")
    step = Fraction(math.ceil(max(span, Fraction(1, 10**6)) * 2**40 / cells), 2**40)
    one: dict[int, int] = {}
    with precision(_BITS + 64):
        for p, loss in _atoms(method, n, local):
            low, high = ends(loss)
            at = math.ceil(high / step) if up else math.floor(low / step)
            mass = math.ceil(upper_end(p) * 2**_BITS) if up else max(0, math.floor(lower_end(p) * 2**_BITS))
            one[at] = one.get(at, 0) + mass
    least = min(one)
    first = fmpz_poly([one.get(least + i, 0) for i in range(max(one) - least + 1)])
    result: fmpz_poly | None = None
    power = first
    for bit in bin(rounds)[:1:-1]:
        if bit == "1":
            result = power if result is None else _product(result, power, up)
        power = _product(power, power, up) if power.degree() <= _MOST_CELLS else power  # beyond that it is not needed
    assert result is not None
    masses = [int(mass) for mass in result.coeffs()]
    return [(rounds * least + i, masses[i], step) for i in range(len(masses) - 1, -1, -1) if masses[i]]


def _product(one: fmpz_poly, other: fmpz_poly, up: bool) -> fmpz_poly:
    return fmpz_poly([-(-int(mass) >> _BITS) if up else int(mass) >> _BITS for mass in (one * other).coeffs()])


def _ends_of(grid: Sequence[tuple[int, int, Fraction]], value: Callable[[arb, arb], arb]) -> Ends:
    """The ends of the largest of value(P, Q) over the events "loss of at least so many steps above 0": the best one is among them."""
    in_p, in_q = 0, arb(0)
    largest: arb | None = None
    for loss, mass, step in grid:
        if loss <= 0:
            break
        in_p += mass
        in_q += mass * (-ball(step * loss)).exp()
        now = value(arb(in_p) / 2**_BITS, in_q / 2**_BITS)
        if largest is None or now > largest:
            largest = now
        elif not now < largest:
            largest = now.max(largest)
    return (Fraction(0), Fraction(0)) if largest is None else ends(largest)


def _log(x: Fraction) -> Ends:
    return ends(ball(x).log()) if x > 1 else (Fraction(0), Fraction(0))


def _atoms(method: Method, n: int, local: Epsilon) -> Iterator[tuple[arb, arb]]:
    """(mass under P, loss) of every outcome of the pair of FMT21, Theorem 3.2, or of the same with the larger clone probability."""
    require(method in (CLONES, STRONGER_CLONES), parameter="method", value=method.name, requirement="clones or stronger-clones")
    T = exp_of(local)
    clone = 1 / T if method is CLONES else 2 / (T + 1)
    for c in range(n):
        weight = math.comb(n - 1, c) * clone**c * (1 - clone) ** (n - 1 - c) / arb(2) ** c / (T + 1)
        for a in range(c + 2):
            b = c + 1 - a
            yield weight * (T * (math.comb(c, a - 1) if a else 0) + math.comb(c, a)), ((T * a + b) / (a + T * b)).log()
