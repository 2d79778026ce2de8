"""Beside the literature: epsilon by each published analysis and by ours, its seconds, and shuffle indices from both sides."""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from statistics import NormalDist

from shuffleproof.figures.beyond import whole_numbers
from shuffleproof.figures.chart import Curve, Figure, Panel, Side, Table
from shuffleproof.figures.fmt21 import asked, lower_end, upper_end
from shuffleproof.figures.whole_distributions import RANDOMIZERS, chi_squares, gaussian_chi_squares
from shuffleproof.mechanisms.randomizers import NamedRandomizer
from shuffleproof.planning.sweep.points import Points
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, decimal_text, epsilon0_parameter
from shuffleproof.spec.vocabulary.progress import steps
from shuffleproof.spec.vocabulary.randomizers import of_given

DELTA = "1e-6"
USERS = "100:1e8:7"
CHOSEN = ("k-rr, k = 10", "laplace")
_PUBLISHED_UP_TO = 10**5
"""Users up to which the published pair is evaluated: in ball arithmetic its sums take minutes beyond."""
_SIGMAS = (Fraction(1, 2), Fraction(1), Fraction(2))
"""Standard deviations of Gaussian noise in the table of shuffle indices."""
_BISECTIONS = 60  # Halvings of an interval: more than float64 has bits.
_DIGITS = 5  # Of each epsilon that is compared.
_LOCAL = Epsilon(Fraction(1), None)
_NOTES = (
    "eps0 = 1, delta = 1e-6. Upper and lower bounds are sound (balls or float64 with every rounding counted); estimates are marked.",
    "BBGN19: the privacy blanket by Hoeffding's and by Bennett's inequality; of Laplace noise evaluated in floating point. FMT21: clones, "
    "Theorem 3.2. FMT23: stronger clones. Variation ratio: Wang et al. 2024, by the sound pair for p, beta and q (BEYOND.ThmF3); the pair "
    "as published hides one count and is too small (BEYOND.Published-variation-ratio). Su, Cheng, Wang 2025: the blanket divergence, best "
    "of all decompositions, here with sound roundings. Takagi, Liew 2026: what the shuffle index alone says, to leading order.",
)


@dataclass(frozen=True)
class Analysis:
    """One curve: whose it is, what it claims, and an epsilon for a randomizer and so many users; None where it has none."""

    label: str
    side: Side
    epsilon: Callable[[NamedRandomizer, int], float | None]


def _asked(
    method: str, *, for_all: bool = False, lower: bool = False, k_only: bool = False
) -> Callable[[NamedRandomizer, int], float | None]:
    """A method of the library; for_all: of every eps0-DP randomizer; k_only: of k-ary response alone."""

    def epsilon(randomizer: NamedRandomizer, n: int) -> float | None:
        if k_only and randomizer.kind.name != "krr":
            return None
        own: Mapping[str, Number | Epsilon] = {"epsilon0": 1} if for_all else randomizer.asked_with()
        if k_only:
            own = {name: value for name, value in own.items() if name != "randomizer"}
        engine = "auto" if k_only else "fast"
        return asked(lower_end if lower else upper_end, {"n": n, "delta": DELTA, **own}, method=method, engine=engine, digits=_DIGITS)

    return epsilon


def _by_inequality(name: str) -> Callable[[NamedRandomizer, int], float | None]:
    """BBGN19 by "hoeffding" or "bennett" of all but k-ary response, on the blanket's distribution in floating point: about.

    Their delta at e^eps is c/(gamma n) (1 - gamma (1 - e^-x))^n, as {doc}`related-work` writes it out.
    """
    from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import blanket_distributions

    def epsilon(randomizer: NamedRandomizer, n: int) -> float | None:
        if randomizer.kind.name == "krr":
            return None
        (law,) = blanket_distributions(of_given(randomizer.asked_with()), _LOCAL)
        gamma = float(law.mass.sum())
        share = law.mass / gamma

        def delta_of(E: float) -> float:
            a, loss = E - 1, gamma * (law.u - E * law.v)
            if name == "hoeffding":
                reach = float(loss.max() - loss.min())
                c, x = reach**2 / (4 * a), 2 * a * a / reach**2
            else:
                largest, variance = float(loss.max()) + a, float((share * (loss + a) ** 2).sum())
                u = a * largest / variance
                c, x = largest / math.log1p(u), variance / largest**2 * ((1 + u) * math.log1p(u) - u)
            return c / (gamma * n) * math.exp(n * math.log1p(-gamma * -math.expm1(-x)))

        return _root(delta_of)

    return epsilon


def _root(delta_of: Callable[[float], float]) -> float:
    """About the epsilon at which a falling function of e^epsilon is DELTA; at most 1, which is epsilon0."""
    low, high = 1e-9, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_of(math.exp(middle)) > float(DELTA) else (low, middle)
    return high


def _published(randomizer: NamedRandomizer, n: int) -> float | None:
    from shuffleproof.impl.ball.bounds.variation_ratio.published_variation_ratio import claimed_epsilon

    own = randomizer.asked_with()
    if randomizer.kind.name != "krr" or n > _PUBLISHED_UP_TO:
        return None
    return float(claimed_epsilon(n=n, k=str(own["k"]), epsilon0=1, delta=DELTA, digits=8)[1])


def _leading(randomizer: NamedRandomizer, n: int) -> float:
    """Return the epsilon of Gaussian noise whose squared signal is the blanket's chi-square over n: the limit of many users."""
    mu, cumulative = math.sqrt(_chi_squares(randomizer)[0] / n), NormalDist().cdf

    def delta_of(E: float) -> float:
        epsilon = math.log(E)
        return cumulative(mu / 2 - epsilon / mu) - E * cumulative(-mu / 2 - epsilon / mu)

    return _root(delta_of)


ANALYSES = (
    Analysis("BBGN19, Hoeffding", "upper", _asked("k-rr-blanket-hoeffding", k_only=True)),
    Analysis("BBGN19, Hoeffding", "estimate", _by_inequality("hoeffding")),
    Analysis("BBGN19, Bennett", "upper", _asked("k-rr-blanket-bennett", k_only=True)),
    Analysis("BBGN19, Bennett", "estimate", _by_inequality("bennett")),
    Analysis("FMT21, clones", "upper", _asked("clones", for_all=True)),
    Analysis("FMT23, stronger clones", "upper", _asked("stronger-clones", for_all=True)),
    Analysis("variation ratio, sound pair", "upper", _asked("randomizer-pair")),
    Analysis("variation ratio, as published", "estimate", _published),
    Analysis("Su, Cheng, Wang: blanket divergence", "upper", _asked("blanket")),
    Analysis("Takagi, Liew: leading order", "estimate", _leading),
    Analysis("ours: random swap", "upper", _asked("another-place")),
    Analysis("ours: lower bound", "lower", _asked("homogeneous", lower=True)),
)


def _timed(name: str, users: Sequence[int]) -> Iterator[tuple[Analysis, list[float | None], list[float]]]:
    """Every analysis that says something of a randomizer: its epsilons, and the seconds of processor time of each."""
    randomizer = RANDOMIZERS[name]("1")
    assert isinstance(randomizer, NamedRandomizer)
    for each in steps(ANALYSES, of="analyses"):
        values, seconds = [], []
        for count in users:
            started = time.process_time()
            values.append(each.epsilon(randomizer, count))
            seconds.append(time.process_time() - started)
        if any(value is not None for value in values):
            yield each, values, seconds


def literature(*, n: Points = USERS) -> Figure:
    """Epsilon over n by each analysis, for 10-ary response and for Laplace noise.

    n: as `sweep` takes it. Raises DomainError.
    """
    users = whole_numbers(n)
    x = [float(count) for count in users]
    panels = [
        Panel(
            title=name.replace("k-rr", "k-RR").replace("laplace", "Laplace noise"),
            x_label="number of users n",
            y_label="central epsilon",
            curves=[Curve(label=each.label, side=each.side, x=x, y=values) for each, values, _ in _timed(name, users)],
            x_scale="log",
            y_scale="log",
        )
        for name in CHOSEN
    ]
    return Figure(title="Central epsilon by the published analyses and by ours", panels=panels, notes=_NOTES)


def literature_table(*, n: Points = USERS) -> Table:
    """The same as a table, each epsilon with the seconds of processor time that it took; n: as for `literature`."""
    users = whole_numbers(n)
    rows = [
        (name, each.label, each.side, *(_cell(*found, each.side) for found in zip(values, seconds, strict=True)))
        for name in CHOSEN
        for each, values, seconds in _timed(name, users)
    ]
    columns = ("randomizer", "analysis", "what it is", *(f"n = {count:.0e}" for count in users))
    return Table(title="Central epsilon, and seconds of processor time", columns=columns, rows=rows, notes=_NOTES)


def _cell(value: float | None, seconds: float, side: Side) -> str:
    if value is None:
        return ""
    return f"{decimal_text(Fraction(value), digits=_DIGITS, direction='down' if side == 'lower' else 'up')} ({seconds:.2f} s)"


@cache
def shuffle_indices(local: tuple[str, ...] = ("1", "3")) -> Table:
    """Shuffle indices, as inverse roots of chi-squares: of the blanket, of the random-swap bound, and of homogeneous datasets."""
    rows = []
    for name, of_local in RANDOMIZERS.items():
        for each in local:
            randomizer = of_local(each)
            if isinstance(randomizer, NamedRandomizer):
                found = _chi_squares(randomizer)
                rows.append((name, each, *(f"{1 / math.sqrt(chi_square):.5f}" for chi_square in found)))
    for sigma in _SIGMAS:
        rows.append(("Gaussian noise", f"sigma = {sigma}", *(f"{1 / math.sqrt(chi_square):.5f}" for chi_square in _of_gaussian(sigma))))
    return Table(
        title="Shuffle indices from above and from below",
        columns=("randomizer", "eps0, or sigma", "blanket", "random swap", "homogeneous datasets"),
        rows=rows,
        notes=(
            "For many users epsilon is that of Gaussian noise of standard deviation index times the root of n, and sensitivity 1: a larger "
            "index is more privacy. Blanket and homogeneous datasets are the band of Takagi and Liew 2026, up to convention. The "
            "random-swap bound tends to the last column: from both sides there is one index. Floating point, not "
            "certified; cells of inputs of Laplace and Gaussian noise move its last digits.",
        ),
    )


def _of_gaussian(sigma: Fraction) -> tuple[float, float, float]:
    """Return the same three of Gaussian noise on [0, 1]."""
    from shuffleproof.impl.fast.bounds.swap.gaussian_places import loss_types_for

    above, below = gaussian_chi_squares(float(sigma))
    return above, loss_types_for(sigma, 1, Fraction(DELTA)).chi_square(), below


@cache
def _chi_squares(randomizer: NamedRandomizer) -> tuple[float, float, float]:
    """Return those of the blanket, of the worst loss type of the random-swap bound without thinning, and of homogeneous datasets."""
    from shuffleproof.impl.fast.bounds.swap.laplace_places import loss_types_of_laplace
    from shuffleproof.impl.fast.bounds.swap.loss_types import types_of

    record, local = of_given(randomizer.asked_with()), epsilon0_parameter(randomizer.epsilon0)
    above, below = chi_squares(randomizer)
    if record.noise:
        return above, loss_types_of_laplace(local).chi_square(), below
    return above, max(float((mass * loss**2).sum()) for mass, loss, _ in [*types_of(record, local)][-1].others(1.0, 0.0)), below
