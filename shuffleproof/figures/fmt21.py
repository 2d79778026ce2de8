"""FMT21, Figures 2 and 4: amplification by shuffling, recomputed with certified numbers, and without wiggles."""

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from operator import attrgetter

from shuffleproof.bounds import answer
from shuffleproof.figures.chart import Curve, Figure, Panel, log_panel
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.errors import RegimeError
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, decimal_text, float_toward
from shuffleproof.spec.vocabulary.progress import steps

DELTA = "1e-6"
POINTS = 51  # Points of each curve.
_MISSING = (
    "Not drawn: BBGN19 (Bennett, Generic), which the authors took from other code, and BKMTT20: their formulas are not in the paper, "
    "and could not be established."
)
_SIDES = (
    "Clones: Theorem 3.2, numerical, sound in float64. Clones, theoretical: Theorem 3.1 where its condition holds, certified. "
    "2RR pair: shuffled binary randomized response on (0, ..., 0) and (1, 0, ..., 0), certified: no bound for all eps0-DP "
    "randomizers goes below. CSUZZ19: Claim 4.6 at lambda = 2n/(e^eps0 + 1), for 2RR only, where lambda >= 14 ln(4/delta)."
)


def logarithmic(first: float, last: float, points: int, *, digits: int = 4) -> list[str]:
    """So many numbers from first to last with equal ratios, as decimals that are exact from then on."""
    ratio = math.log(last / first) / (points - 1)
    return [decimal_text(Fraction(first * math.exp(ratio * k)), digits=digits, direction="down") for k in range(points)]


upper_end, lower_end = attrgetter("upper_float"), attrgetter("lower_float")
"""Of a bound, as floats rounded outward."""


def asked(
    end: Callable[[Bound], float],
    parameters: Mapping[str, Number | Epsilon],
    *,
    quantity: Quantity = "epsilon",
    method: str,
    engine: str = "ball",
    digits: int = 6,
) -> float | None:
    """One end of one answer, to so many digits but by the engine "fast"; None where the method does not apply."""
    shown = None if engine == "fast" else digits
    try:
        bound = answer(quantity=quantity, parameters=parameters, method=method, engine=engine, digits=shown).bound
    except RegimeError:
        return None
    return end(bound)


@cache
def fig2c(points: int = POINTS) -> Figure:
    """Figure 2(c): n = 1e6, eps0 from 0.01 to 8."""
    local = logarithmic(0.01, 8, points)
    curves = _curves([float(each) for each in local], [(10**6, each) for each in local])
    return _figure("FMT21, Figure 2(c): central epsilon for n = 1e6, delta = 1e-6", "local epsilon0", curves)


@cache
def _over_users(letter: str, *, epsilon0: str, points: int = POINTS) -> Figure:
    """Figure 2(a) and (b): n from 1e5 to 1e7."""
    users = [round(float(each)) for each in logarithmic(1e5, 1e7, points, digits=6)]
    curves = _curves([float(n) for n in users], [(n, epsilon0) for n in users])
    return _figure(f"FMT21, Figure 2({letter}): central epsilon for eps0 = {epsilon0}, delta = 1e-6", "number of users n", curves)


fig2a, fig2b = partial(_over_users, "a", epsilon0="0.1"), partial(_over_users, "b", epsilon0="6")


def _curves(x: Sequence[float], places: Sequence[tuple[int, str]]) -> list[Curve]:
    def each(method: str, end: Callable[[Bound], float], engine: str = "ball") -> list[float | None]:
        at_each = steps(places, of="points")
        return [asked(end, {"n": n, "epsilon0": local, "delta": DELTA}, method=method, engine=engine) for n, local in at_each]

    clones = each("clones", upper_end, "fast")
    return [
        Curve(label="Clones, theoretical", side="upper", x=x, y=each("clones-closed-form", upper_end)),
        Curve(label="Clones", side="upper", x=x, y=clones),
        Curve(label="CSUZZ19, 2RR only", side="upper", x=x, y=[closed_form_2rr(n, float(local)) for n, local in places]),
        Curve(label="2RR pair", side="lower", x=x, y=each("binary-rr-pair", lower_end)),
    ]


def closed_form_2rr(n: int, epsilon0: float) -> float | None:
    """CSUZZ19, Claim 4.6, for shuffled 2RR, rounded up; None outside its condition."""
    from shuffleproof.impl.ball.bounds.sums.bit_sum import epsilon_of_binary_rr

    try:
        return float_toward(epsilon_of_binary_rr(n=n, epsilon0=epsilon0, delta=DELTA), direction="up")
    except RegimeError:
        return None


def _figure(title: str, x_label: str, curves: Sequence[Curve]) -> Figure:
    panel = log_panel(x_label, "central epsilon", curves)
    return Figure(title=title, panels=[panel], notes=[_SIDES, _MISSING])


@cache
def fig4(points: int = 60, n: int = 10_000, local: tuple[int, ...] = (2, 4, 6)) -> Figure:
    """Figure 4: ln(1/delta) against epsilon, for three eps0."""
    panels = []
    for epsilon0 in steps(local, of="panels"):
        grid = [Fraction(epsilon0 * k, points) for k in range(1, points)]
        x = [float(each) for each in grid]

        # None where delta is 0, which a logarithmic axis has no place for.
        def losses(
            method: str, end: Callable[[Bound], Fraction], grid: Sequence[Fraction] = grid, epsilon0: int = epsilon0
        ) -> list[float | None]:
            found: list[float | None] = []
            for each in steps(grid, of="points"):
                parameters: dict[str, Number | Epsilon] = {"n": n, "epsilon0": epsilon0, "epsilon": each}
                delta = end(answer(quantity="delta", parameters=parameters, method=method, engine="ball", digits=6).bound)
                found.append(math.log(delta.denominator) - math.log(delta.numerator) if delta else None)
            return found

        printed, sharp = n * math.exp(-epsilon0) / 2, n * math.log1p(math.exp(-epsilon0))
        panels.append(
            Panel(
                title=f"eps0 = {epsilon0}",
                x_label="epsilon",
                y_label="ln(1/delta)",
                y_scale="log",
                curves=[
                    Curve(label="2RR on (0,...,0), (1,0,...,0)", side="exact", x=x, y=losses("binary-rr-pair", lambda bound: bound.lower)),
                    Curve(label="clones pair (Theorem 3.2)", side="exact", x=x, y=losses("clones", lambda bound: bound.upper)),
                    Curve(label="n e^-eps0/2 (the paper's dotted line)", side="reference", x=[x[0], x[-1]], y=[printed, printed]),
                    Curve(label="n ln(1 + e^-eps0)", side="reference", x=[x[0], x[-1]], y=[sharp, sharp]),
                ],
            )
        )
    notes = (
        f"n = {n}; the paper's n and its three eps0 are not in its text. The first curve is one pair of neighbouring datasets, a lower "
        "bound on what any general bound can say, not the whole of shuffled 2RR; its steps are single counts. The second is an upper "
        "bound for every randomizer. Both to 6 digits.",
        "The paper says that eps reaches eps0 about the dotted line. For 2RR that happens about n ln(1 + e^-eps0), twice as far; the "
        "dotted line is where the clones bound comes close to eps0 (ledger: FMT21.AppB.remark-transition).",
    )
    return Figure(title="FMT21, Figure 4: where amplification ends", panels=panels, notes=notes)
