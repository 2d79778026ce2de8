"""Tables of calibrated noise: what is certified to be enough, what is certified not to be, and what the paper prescribes."""

from fractions import Fraction
from itertools import product

from shuffleproof.figures.chart import Table
from shuffleproof.impl.ball.calibration.bit_sum import calibrate
from shuffleproof.spec.vocabulary.elementary import Direction
from shuffleproof.spec.vocabulary.numerals import decimal_text
from shuffleproof.spec.vocabulary.progress import steps

USERS = ("1e3", "1e5", "1e7")
EPSILONS = ("0.1", "0.5", "1")
DELTAS = ("1e-6", "1e-9")
_CLOSENESS = Fraction(1, 1000)  # Relative distance of a calibrated parameter from the least that is private.
_DIGITS = 6  # Of each number of the table.
_GAIN = "ratio of the paper's error to that at value"


def bit_sum() -> Table:
    """The least lambda of the bit sum beside that of CSUZZ19, Lemma 4.8, and the ratio of the errors."""
    rows = [_row(n, epsilon, delta) for n, epsilon, delta in steps(product(USERS, EPSILONS, DELTAS), of="rows")]
    return Table(
        title="The least lambda of the bit sum, over all neighbouring datasets (CSUZZ19, Algorithm 1 and Lemma 4.8)",
        columns=("n", "eps", "delta", "enough", "not enough", "ratio", "rms error", "Lemma 4.8", "its error over ours", "why not"),
        rows=rows,
        notes=(
            "enough: certified for every neighbouring pair, as is every larger lambda. not enough: one neighbouring pair exceeds delta. "
            "ratio: the first over the second, rounded up.",
            "rms error: root of the mean squared error at the certified lambda, the same on every dataset, rounded up. "
            "its error over ours: that at the paper's lambda over that at ours, rounded down.",
            "why not: the conditions of Lemma 4.8 that fail, and by how much; it is stated for delta in (0, 1), n >= 14 ln(4/delta) and "
            "sqrt(3456) ln(4/delta)/n < eps < 1.",
        ),
    )


def _row(n: str, epsilon: str, delta: str) -> tuple[str, ...]:
    found = calibrate(n=n, epsilon=epsilon, delta=delta, closeness=_CLOSENESS)
    error = found.certified.get("root mean squared error at value")
    gain = found.certified.get(_GAIN)
    enough, fails = _text(found.value, "up"), _text(found.fails_at, "down")
    return (
        n,
        epsilon,
        delta,
        enough,
        fails,
        _text(Fraction(enough) / Fraction(fails) if fails else None, "up"),
        _text(None if error is None else error[1], "up"),
        _text(found.paper.lower, "down"),
        _text(None if gain is None else gain[0], "down"),
        found.paper.fails or "",
    )


def _text(x: Fraction | None, direction: Direction) -> str:
    return "" if x is None else decimal_text(x, digits=_DIGITS, direction=direction)
