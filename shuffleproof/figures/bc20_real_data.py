"""BC20's histogram on real data: the calibrated noise beside the paper's, what is certified of both, and the errors measured."""

from collections import Counter
from fractions import Fraction
from math import ceil
from statistics import median

from shuffleproof.data.standard_library import PROTECTS, described, identifiers
from shuffleproof.figures.bc20 import prescribed_noise
from shuffleproof.figures.chart import Table
from shuffleproof.impl.ball.calibration.histogram import calibrate
from shuffleproof.run.answer import Target
from shuffleproof.run.histogram_release import certified, confidence_for, drawn_estimates, not_zero
from shuffleproof.spec.vocabulary.numerals import decimal_text
from shuffleproof.spec.vocabulary.progress import steps

EPSILON, DELTA = "1", "1e-6"
RUNS = 25  # Runs over which the error is averaged.
_BETA = Fraction(1, 20)  # Probability that some count is off by more than the bound that is shown.


def simultaneous_error(*, items: list[str] | None = None, runs: int = RUNS) -> Table:
    """The largest error over all items, over several runs with exact noise; the data are public, so that their errors may be published."""
    counts = Counter(identifiers() if items is None else items)
    n, target = sum(counts.values()), Target.parsed(epsilon=EPSILON, delta=DELTA)
    rows = [_row(name, counts, n, noise, target, runs) for name, noise in steps(_noises(n), of="amounts of noise")]
    return Table(
        title=f"BC20's histogram at eps = {EPSILON}, delta = {DELTA}: error over all items at once",
        columns=(
            "noise n (1 - p)",
            "chosen as",
            "certified delta",
            "certified error, beta = 1/20",
            "largest error: median",
            "largest",
            "rows: median",
        ),
        rows=rows,
        notes=(
            f"data: {described()}; {len(counts)} distinct",
            f"protected is {PROTECTS}; errors are in counts, over {runs} runs; items without a row are estimated 0",
            "the certified error holds for all data and all items at once, except with probability beta",
        ),
    )


def _noises(n: int) -> list[tuple[str, Fraction]]:
    found = calibrate(n=n, epsilon=EPSILON, delta=DELTA)
    assert found.value is not None
    assert found.paper.upper is not None
    return [
        ("the least that is certified", found.value),
        ("printed for (eps, delta)", prescribed_noise(n, epsilon=Fraction(EPSILON), delta=Fraction(DELTA))),
        ("printed for (eps/2, delta/2), as Theorem 3.2 composes", Fraction(ceil(found.paper.upper))),
    ]


def _row(name: str, counts: Counter[str], n: int, noise: Fraction, target: Target, runs: int) -> tuple[str, ...]:
    held, errors, shown = list(counts.values()), [], []
    for _ in steps(range(runs), of="runs"):
        estimates = drawn_estimates(held, n, noise)
        errors.append(max(abs(estimate - count) for estimate, count in zip(estimates, held, strict=True)))
        shown.append(len(not_zero(list(zip(counts, estimates, strict=True)))))
    return (
        decimal_text(noise, digits=6, direction="up"),
        name,
        certified(n, noise, target, PROTECTS).delta_text,
        str(confidence_for(n, noise, _BETA, bins=None).all_at_once),
        decimal_text(median(errors), digits=6, direction="up"),
        decimal_text(max(errors), digits=6, direction="up"),
        str(median(shown)),
    )
