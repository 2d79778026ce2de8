"""The clones bound: cost against n, targets, and what others do for the same numbers."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from scipy.stats import binom

from bench import straightforward
from bench.measuring import Row, Seconds, in_turns
from shuffleproof.impl.ball.bounds.clones import clones as ball
from shuffleproof.impl.ball.bounds.clones.clones import stronger_clones as stronger
from shuffleproof.impl.fast.bounds.clones import clones as fast

LogMasses = dict[tuple[int, int], float]
_DELTA = "1e-8"
_AT, _INTERVAL = 0.3, 1e-4
_STEEPEST = 0.6
"""Of a straight line through ln seconds against ln n, where the sum dominates: a square root is 0.5, and timings have noise."""


def certified_cost(*, quick: bool) -> Iterator[Row]:
    """12 digits of epsilon for n = 10^3 ... 10^10, eps0 = 1 and 4: rows for the plot."""
    for epsilon0 in ("1", "4"):
        points = []
        for exponent in range(3, 9 if quick else 11):
            n = 10**exponent
            (own,) = in_turns(partial(ball.epsilon, n=n, epsilon0=epsilon0, delta=_DELTA, digits=12), runs=3 if exponent < 9 else 1)
            points.append((n, own.median))
            yield Row(f"certified epsilon, 12 digits, eps0 = {epsilon0}, n = 10^{exponent}", own)
        large = [(math.log(n), math.log(seconds)) for n, seconds in points if n >= 10**6]
        slope = (large[-1][1] - large[0][1]) / (large[-1][0] - large[0][0])
        last = Seconds.of([points[-1][1]])
        note = f"between n = 10^6 and the last, seconds grow like n^{slope:.2f}"
        yield Row(
            f"certified epsilon, 12 digits, eps0 = {epsilon0}, at the last n",
            last,
            target="no faster than sqrt(n)",
            met=slope < _STEEPEST,
            note=note,
        )


def targets(*, quick: bool) -> Iterator[Row]:
    """What was promised for one machine."""
    for epsilon0 in ("1", "4"):
        (own,) = in_turns(partial(ball.epsilon, n=10**6, epsilon0=epsilon0, delta=_DELTA, digits=30), runs=5)
        yield Row(f"certified epsilon, 30 digits, n = 10^6, eps0 = {epsilon0}", own, target="0.5 s", met=own.median <= 0.5)
        if not quick:
            (own,) = in_turns(partial(ball.epsilon, n=10**9, epsilon0=epsilon0, delta=_DELTA, digits=12), runs=3)
            yield Row(f"certified epsilon, 12 digits, n = 10^9, eps0 = {epsilon0}", own, target="4 s", met=own.median <= 4)
        for exponent in (3, 6, 9):
            n = 10**exponent
            (own,) = in_turns(partial(fast.epsilon, n=n, epsilon0=epsilon0, delta=_DELTA), runs=15)
            found = fast.epsilon(n=n, epsilon0=epsilon0, delta=_DELTA)
            gap = float((found.upper - found.lower) / found.upper)
            name = f"sound float64 epsilon, n = 10^{exponent}, eps0 = {epsilon0}"
            met = own.median <= 0.02 and gap <= 1e-6
            yield Row(name, own, target="20 ms, relative gap 1e-6", met=met, note=f"relative gap {gap:.1e}")


def against_straightforward_code(*, quick: bool) -> Iterator[Row]:
    """Sound float64 against one evaluation for each c, with bisection."""
    for n in (10**3, 10**4) if quick else (10**3, 10**4, 10**5):
        ours, theirs = in_turns(
            partial(fast.epsilon, n=n, epsilon0=1, delta=_DELTA),
            partial(straightforward.epsilon, n=n, epsilon0=1.0, delta_target=float(_DELTA)),
            runs=3 if n < 10**5 else 1,
        )
        truth = ball.epsilon(n=n, epsilon0=1, delta=_DELTA, digits=15)
        error = Fraction(straightforward.epsilon(n=n, epsilon0=1.0, delta_target=float(_DELTA))) - truth.upper
        side = "below" if error < 0 else "above"
        note = f"the other's answer is {float(abs(error) / truth.upper):.1e} {side} the certified upper end, relatively"
        yield Row(f"sound float64 epsilon, n = {n}", ours, theirs, "scipy, each c, bisection", note=note)


def against_extra_accounting(*, quick: bool) -> Iterator[Row]:
    """delta of the clones pair against the privacy loss distribution of the same pair (dp-accounting)."""
    for n in (100,) if quick else (100, 300):
        P, Q = _log_masses(n)
        excess = _accounted(P, Q) / float(fast.delta(n=n, epsilon0=1, epsilon=_AT).upper) - 1  # imports are paid for here
        ours, peer = in_turns(partial(fast.delta, n=n, epsilon0=1, epsilon=_AT), partial(_accounted, P, Q), runs=3)
        note = f"the pair's masses were given to it; with steps of {_INTERVAL} its delta is {excess:.1e} above the truth, relatively"
        yield Row(f"delta of the clones pair, n = {n}", ours, peer, "dp-accounting, privacy loss distribution", note=note)


def against_published_code(*, quick: bool) -> Iterator[Row]:
    """15 certified digits at n = 10^6 against what papers' authors publish for the same pair, where their modules can be imported.

    The first setting of each is that of its own example, the second a finer one.
    """
    n, delta = 10**6, "1e-6"
    for name, own, module, steps in (
        ("clones", ball.epsilon, "computeamplification", (10, 20)),  # apple/ml-shuffling-amplification
        ("stronger clones", stronger.epsilon, "unifiedamplification", (12, 20)),  # wangsw/PrivacyAmplification
    ):
        for epsilon0 in (1, 3, 4):
            ours = partial(own, n=n, epsilon0=epsilon0, delta=delta, digits=15)
            title, least = f"certified epsilon of {name}, 15 digits, n = 10^6, eps0 = {epsilon0}", ours().upper
            try:
                published = import_module(module)
            except ImportError:
                (alone,) = in_turns(ours, runs=3)
                yield Row(title, alone, note=f"not compared: no module {module} here (PYTHONPATH may name a folder that has it)")
                continue
            for halvings in steps[:1] if quick else steps:
                theirs = _published(published, n=n, epsilon0=epsilon0, delta=float(delta), halvings=halvings)
                own_time, peer = in_turns(ours, theirs, runs=1 if quick else 3)
                excess = float(Fraction(theirs()) / least - 1)
                met = None if halvings != steps[0] else peer.median >= 100 * own_time.median
                note = f"its epsilon is {excess:.1%} above the certified one"
                against, target = f"{module}, {halvings} halvings", "" if met is None else "the other takes 100 times ours"
                yield Row(title, own_time, peer, against, target=target, met=met, note=note, facts={"excess": excess})


def _published(module: Any, *, n: int, epsilon0: int, delta: float, halvings: int) -> Callable[[], float]:
    """The upper bound on epsilon of a module that papers' authors publish, in its own words."""
    if hasattr(module, "numericalanalysis"):
        return lambda: float(module.numericalanalysis(n, epsilon0, delta, halvings, 100, True))
    p = math.exp(epsilon0)
    return lambda: float(module.amplificationUB(p, (p - 1) / (p + 1), p, p, n, delta, halvings))


def _log_masses(n: int) -> tuple[LogMasses, LogMasses]:
    """Logarithms of the clones pair's masses at eps0 = 1 over count pairs (FMT21, Theorem 3.2), in floats."""
    T = math.e
    P: dict[tuple[int, int], float] = {}
    Q: dict[tuple[int, int], float] = {}
    for clones in range(n):
        a = np.arange(clones + 1)
        masses = binom.pmf(clones, n - 1, 1 / T) * binom.pmf(a, clones, 0.5)
        for left, mass in enumerate(masses.tolist()):
            for pair, own in ((P, T / (T + 1)), (Q, 1 / (T + 1))):  # the first user's message is counted on the left so often
                for z, weight in (((left + 1, clones - left), own), ((left, clones - left + 1), 1 - own)):
                    pair[z] = pair.get(z, 0.0) + mass * weight
    return tuple({z: math.log(mass) for z, mass in pair.items() if mass > 0} for pair in (P, Q))  # type: ignore[return-value]


def _accounted(P: LogMasses, Q: LogMasses) -> float:
    from dp_accounting.pld import privacy_loss_distribution

    make = privacy_loss_distribution.from_two_probability_mass_functions
    found = make(log_probability_mass_function_lower=Q, log_probability_mass_function_upper=P, value_discretization_interval=_INTERVAL)
    return float(found.get_delta_for_epsilon(_AT))
