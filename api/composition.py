"""Many rounds of shuffled eps0-DP randomizers on the same users: every way of composing the dominating pair, side by side."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.bounds import answer
from shuffleproof.methods import Method, method_named
from shuffleproof.spec.errors import DomainError, ResourceLimitError, ShuffleproofError, UndecidedError, UnsupportedError, require
from shuffleproof.spec.numerals import Epsilon, Number, count, decimal_text, epsilon0_parameter, probability

METHODS = ("clones", "stronger-clones")
"""Pairs that are their own mirror image and dominate every randomizer."""
CELLS = 128
SHARES = (Fraction(1, 50), Fraction(1, 5), Fraction(3, 5))
"""How much of delta the rounds themselves may take where a theorem needs the rest; each share proves a bound."""
MOST_ROUNDS = 10**6
_CUT = Fraction(1, 10**4)
_SMALL_N = 300


@dataclass(frozen=True, kw_only=True)
class Row:
    """One way of composing.

    name: for users; statement: the ledger id that it rests on; certified: whether epsilon is proved (else it is a number of a library in
    float64); epsilon: of all rounds, None where the row has no answer, and why in says; seconds: what it took.
    """

    name: str
    statement: str
    certified: bool
    epsilon: Fraction | None
    says: str
    seconds: float


def compose(
    *,
    n: Number,
    epsilon0: Number | Epsilon,
    rounds: Number,
    delta: Number,
    method: str = "clones",
    engine: str = "ball",
    cells: int = CELLS,
) -> list[Row]:
    """epsilon of `rounds` adaptive rounds together, each of n users' eps0-DP randomizers on shuffled data, for one total delta.

    n: users; epsilon0: local parameter above 0; rounds: 1 to 10^6; delta: above 0 and below 1, for all rounds; method: "clones" or
    "stronger-clones"; engine: "ball", or "fast" for what one round is asked for, whose sides are then sound in float64; cells: grid
    points per sign of the certified grid.
    Raises DomainError before any work starts. A row whose way is too expensive says so.
    """
    offered = _offered(method)
    users, local = count(n, parameter="n"), epsilon0_parameter(epsilon0)
    runs, total = count(rounds, parameter="rounds", maximum=MOST_ROUNDS), probability(delta, parameter="delta")
    require(local.exp != 1, parameter="epsilon0", value=epsilon0, requirement="above 0: at 0 nothing is lost")
    require(0 < total < 1, parameter="delta", value=delta, requirement="above 0 and below 1")
    one = OneRound(method=offered, n=users, epsilon0=local, engine=engine)
    points: list[GridPoint] = []

    def grid() -> tuple[Fraction | None, str]:
        points.extend(one.profile(rounds=runs, delta=total, cells=cells))
        return on_grid(points, rounds=runs, delta=total), f"losses on a grid of {decimal_text(points[1].epsilon, digits=3, direction='up')}"

    ways: tuple[tuple[str, str, bool, Callable[[], tuple[Fraction | None, str]]], ...] = (
        ("basic composition", "FMT21.Sec6.1.basic", True, lambda: by_basic(one, rounds=runs, delta=total)),
        ("advanced composition", "FMT21.Sec6.1.advanced", True, lambda: by_theorem(one, "advanced", rounds=runs, delta=total)),
        ("optimal composition", "FMT21.Sec6.1.optimal", True, lambda: by_theorem(one, "optimal", rounds=runs, delta=total)),
        ("Renyi divergences", "FMT21.Sec6.1.conversion", True, lambda: by_renyi(one, rounds=runs, delta=total)),
        ("the pair itself, on a grid", "FMT21.Sec6.1.grid", True, grid),
        ("the pair itself, by dp-accounting", "", False, lambda: by_library(points, rounds=runs, delta=total)),
    )
    return [_row(name, statement, certified, way) for name, statement, certified, way in ways]


@dataclass(frozen=True)
class GridPoint:
    """Certified ends of delta at one epsilon."""

    epsilon: Fraction
    lower: Fraction
    upper: Fraction


class OneRound:
    """What is asked about a single round, each question once."""

    def __init__(self, *, method: Method, n: int, epsilon0: Epsilon, engine: str) -> None:
        self.method, self.n, self.epsilon0, self.engine = method, n, epsilon0, engine
        self._epsilons: dict[Fraction, Fraction] = {}
        self._renyi: dict[Fraction, Fraction | None] = {}

    def epsilon(self, delta: Fraction) -> Fraction:
        """An upper bound on epsilon for a delta."""
        if delta not in self._epsilons:
            self._epsilons[delta] = self._ask("epsilon", delta=delta)[1]
        return self._epsilons[delta]

    def profile(self, *, rounds: int, delta: Fraction, cells: int) -> list[GridPoint]:
        """delta at k h, k = 0 .. cells, up to where all rounds together have little of delta left to lose."""
        top = self._ask("epsilon", delta=delta * _CUT / rounds)[1]
        if top == 0:
            top = min(Fraction(1, 100), self.epsilon0.bounds(bits=64)[0] / 2)
        step = Fraction(decimal_text(top / cells, digits=6, direction="up"))
        return [GridPoint(k * step, *self._ask("delta", epsilon=k * step)) for k in range(cells + 1)]

    def divergences(self, orders: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
        """(order, upper bound) for those orders that are not too expensive."""
        if self.engine == "fast":
            from shuffleproof.impl.fast.bounds.renyi_family import RenyiFamily as Fast

            quick = Fast(n=self.n, odds_factor=self._odds_factor, epsilon0=self.epsilon0)
            return self._each(orders, lambda order: quick.divergence(order=order)[1])
        from shuffleproof.impl.ball.bounds.renyi_family import RenyiFamily

        family, small = RenyiFamily(n=self.n, odds_factor=self._odds_factor, epsilon0=self.epsilon0), self.n <= _SMALL_N
        return self._each(orders, lambda order: family.divergence(order=order, digits=7, route="auto" if small else "moments")[1])

    @property
    def _odds_factor(self) -> int:
        return 1 + METHODS.index(self.method.name)

    @staticmethod
    def _each(orders: Sequence[Fraction], divergence: Callable[[Fraction], Fraction]) -> list[tuple[Fraction, Fraction]]:
        found = []
        for order in sorted(orders, reverse=True):
            try:
                found.append((order, divergence(order)))
            except (UndecidedError, UnsupportedError, ResourceLimitError):
                continue  # other orders prove a bound too
        return found

    def _ask(self, quantity: str, **parameter: Fraction) -> tuple[Fraction, Fraction]:
        digits = 12 if self.engine == "ball" else None
        parameters: dict[str, Number | Epsilon] = {"n": self.n, "epsilon0": self.epsilon0, **parameter}
        bound = answer(
            quantity="epsilon" if quantity == "epsilon" else "delta",
            parameters=parameters,
            method=self.method.name,
            engine=self.engine,
            digits=digits,
        ).bound
        return bound.lower, bound.upper


def by_basic(one: OneRound, *, rounds: int, delta: Fraction) -> tuple[Fraction, str]:
    """rounds times the epsilon of one round at delta/rounds."""
    return rounds * one.epsilon(delta / rounds), "delta shared among the rounds"


def by_theorem(one: OneRound, name: str, *, rounds: int, delta: Fraction) -> tuple[Fraction, str]:
    """KOV15's "advanced" or "optimal" composition of (epsilon, delta)-DP rounds, the best of the shares."""
    from shuffleproof.impl.ball import composition

    theorem = composition.advanced if name == "advanced" else composition.optimal
    found = []
    for share in SHARES:
        each = delta * share / rounds
        found.append((theorem(epsilon=one.epsilon(each), delta=each, rounds=rounds, total_delta=delta), share))
    least, share = min(found)
    return least, f"of one round's (eps, delta), {float(share):.0%} of delta for the rounds themselves"


def by_renyi(one: OneRound, *, rounds: int, delta: Fraction) -> tuple[Fraction | None, str]:
    """Renyi divergences add up, and are turned into epsilon at the best of the orders tried."""
    from shuffleproof.impl.ball import composition

    second = one.divergences([Fraction(2)])
    guess = 1 + math.sqrt(-_log(delta) / max(1e-300, rounds * float(second[0][1]) / 2)) if second else 8.0
    orders = {Fraction(round(1000 * min(max(1.01, 1 + (guess - 1) * 1.12**k), 10**6)), 1000) for k in range(-14, 15)} | {Fraction(2)}
    divergences = one.divergences(sorted(orders))
    if not divergences:
        return None, "no order is affordable for so few clones"
    least, order = composition.by_renyi(divergences=divergences, rounds=rounds, delta=delta)
    return least, f"best order tried: {float(order):.6g}"


def on_grid(points: Sequence[GridPoint], *, rounds: int, delta: Fraction) -> Fraction | None:
    """The composed pair, certified: connected dots, exact integer products, every rounding upwards."""
    from shuffleproof.impl.ball import privacy_loss

    step = points[1].epsilon
    measure = privacy_loss.on_grid([(point.lower, point.upper) for point in points], step=step)
    return privacy_loss.epsilon_of(privacy_loss.composed(measure, rounds=rounds, delta=delta), step=step, delta=delta)


def by_library(points: Sequence[GridPoint], *, rounds: int, delta: Fraction) -> tuple[Fraction | None, str]:
    """The same dots composed by dp-accounting in float64 with fast Fourier transforms: nothing is certified."""
    if not points:
        return None, "there is no grid to hand over"
    try:
        from shuffleproof.accounting import composed_epsilon
    except ImportError:
        return None, "not computed: install the extra `accounting`"
    known = [float(point.upper) for point in points]
    value = composed_epsilon(known, step=float(points[1].epsilon), rounds=rounds, delta=float(delta))
    return Fraction(value), "the same grid in float64: no certificate"


def _row(name: str, statement: str, certified: bool, way: Callable[[], tuple[Fraction | None, str]]) -> Row:
    started = time.perf_counter()
    try:
        epsilon, says = way()
    except DomainError:
        raise
    except ShuffleproofError as refusal:
        epsilon, says = None, str(refusal)
    return Row(name=name, statement=statement, certified=certified, epsilon=epsilon, says=says, seconds=time.perf_counter() - started)


def _offered(method: str) -> Method:
    if method not in METHODS:
        raise DomainError(parameter="method", value=method, requirement=f"one of {', '.join(METHODS)}")
    return method_named(method)


def _log(x: Fraction) -> float:
    return math.log(x.numerator) - math.log(x.denominator)
