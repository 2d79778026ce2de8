"""FMT21, Figure 3: Renyi divergences of shuffled randomizers, and many rounds together."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, partial

from shuffleproof.figures.chart import Curve, Figure, log_panel
from shuffleproof.figures.fmt21 import asked, logarithmic, lower_end, upper_end
from shuffleproof.methods import method_named
from shuffleproof.planning.composition import CELLS
from shuffleproof.planning.one_round import OneRound
from shuffleproof.planning.ways_of_composing import by_renyi, by_theorem, on_grid
from shuffleproof.spec.vocabulary.numerals import float_toward, parse_epsilon
from shuffleproof.spec.vocabulary.progress import steps

DELTA = Fraction(1, 10**6)  # Of all rounds together.
POINTS = 51  # Points of each curve.
_GDDSK = "Not drawn: GDDSK21, whose Theorem 1 is not in the paper, and could not be established."
_WAYS = (
    "Clones, via approximate DP: one round's (eps, delta), numerical, by advanced composition (KOV15, Theorem 4.3, Hoeffding's branch; "
    "the best of three ways to share delta), and by optimal composition of the same. Clones, via RDP: Renyi divergences of the pair, "
    "added up, converted by CKS20, Proposition 12, at the best of 30 orders or more. Beyond the paper: the pair itself composed on a grid "
    "of losses, rounded upwards. One round's numbers are float64 with sound sides; what is made of them is certified."
)


@cache
def fig3a(points: int = POINTS, n: int = 20_000, epsilon0: int = 5) -> Figure:
    """Figure 3(a): eps(alpha) for eps0 = 5, alpha from 3 to 1e4."""
    orders = logarithmic(3, 1e4, points)
    x = [float(order) for order in orders]
    given = [{"n": str(n), "epsilon0": str(epsilon0), "order": order} for order in orders]
    clones = [asked(upper_end, each, quantity="renyi", method="clones", engine="fast") for each in steps(given, of="orders")]
    pair = [asked(lower_end, each, quantity="renyi", method="binary-rr-pair") for each in given]
    curves = [
        Curve(label="Clones", side="upper", x=x, y=clones),
        Curve(label="2RR pair", side="lower", x=x, y=pair),
        Curve(label="eps0", side="reference", x=[x[0], x[-1]], y=[float(epsilon0)] * 2),
    ]
    panel = log_panel("order alpha", "eps(alpha)", curves)
    notes = (
        f"n = {n}; the paper's n is not in its text. Both curves are certified, the first in float64 where its series is short enough.",
        _GDDSK,
    )
    return Figure(title=f"FMT21, Figure 3(a): Renyi divergence of one round, eps0 = {epsilon0}", panels=[panel], notes=notes)


@cache
def fig3d(points: int = POINTS, n: int = 10**6, rounds: int = 10_000, cells: int = 32) -> Figure:
    """Figure 3(d): 10,000 rounds, eps0 from 0.05 to 4."""
    local = logarithmic(0.05, 4, points)
    rows = []
    for epsilon0 in steps(local, of="points"):
        one = _one_round(n, epsilon0)
        grid = one.profile(rounds=rounds, delta=DELTA, cells=cells)
        rows.append([*_by_theorems(one, rounds, None), _float(on_grid(grid, rounds=rounds, delta=DELTA))])
    curves = _curves([float(each) for each in local], rows)
    panel = log_panel("local epsilon0", "central epsilon", curves)
    notes = (f"n = {n:.0e}, delta = 1e-6 in all; the paper's n and delta are not in its text.", _WAYS, _GDDSK)
    return Figure(title=f"FMT21, Figure 3(d): {rounds:,} rounds together", panels=[panel], notes=notes)


@cache
def _over_rounds(
    letter: str, *, epsilon0: str, n: int = 10**6, points: int = POINTS, largest: int = 10_000, cells: int = CELLS // 2
) -> Figure:
    """Figure 3(b) and (c): rounds from 1 to 1e4."""
    rounds = sorted({round(float(each)) for each in logarithmic(1, largest, points + 12, digits=6)})
    one = _one_round(n, epsilon0)
    grid, divergences = one.profile(rounds=largest, delta=DELTA, cells=cells), _divergences(one)
    rows = [[*_by_theorems(one, each, divergences), _float(on_grid(grid, rounds=each, delta=DELTA))] for each in steps(rounds, of="points")]
    panel = log_panel("rounds T", "central epsilon", _curves([float(each) for each in rounds], rows))
    notes = (f"n = {n:.0e}, eps0 = {epsilon0} each round, delta = 1e-6 in all; the paper's own are not in its text.", _WAYS, _GDDSK)
    return Figure(title=f"FMT21, Figure 3({letter}): T rounds together, eps0 = {epsilon0}", panels=[panel], notes=notes)


fig3b, fig3c = partial(_over_rounds, "b", epsilon0="1"), partial(_over_rounds, "c", epsilon0="3")


def _one_round(n: int, epsilon0: str) -> OneRound:
    return OneRound(method=method_named("clones"), n=n, epsilon0=parse_epsilon(epsilon0), cells=0, engine="fast")


def _divergences(one: OneRound) -> list[tuple[Fraction, Fraction]]:
    return one.divergences([Fraction(round(1000 * (1 + 0.02 * 1.16**k)), 1000) for k in range(92)])


def _by_theorems(one: OneRound, rounds: int, divergences: Sequence[tuple[Fraction, Fraction]] | None) -> list[float | None]:
    """Upper ends by advanced, optimal and Renyi composition; divergences: those to use, or None for orders near the best."""
    from shuffleproof.impl.ball import composition

    if divergences is None:
        renyi = by_renyi(one, rounds=rounds, delta=DELTA)[0]
    else:
        renyi = composition.by_renyi(divergences=divergences, rounds=rounds, delta=DELTA)[0]
    advanced, optimal = (by_theorem(one, name, rounds=rounds, delta=DELTA)[0] for name in ("advanced", "optimal"))
    return [_float(advanced), _float(optimal), _float(renyi)]


def _curves(x: Sequence[float], rows: Sequence[Sequence[float | None]]) -> list[Curve]:
    labels = (
        "Clones, via approximate DP, advanced",
        "Clones, via approximate DP, optimal",
        "Clones, via RDP",
        "Clones, the pair on a grid",
    )
    return [Curve(label=label, side="upper", x=x, y=[row[at] for row in rows]) for at, label in enumerate(labels)]


def _float(epsilon: Fraction | None) -> float | None:
    if epsilon is None:
        return None
    value = float_toward(epsilon, direction="up")
    return value if math.isfinite(value) else None
