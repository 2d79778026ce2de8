"""Frequency estimation: what every randomizer's error is at the largest local epsilon0 that shuffling certifies."""

from fractions import Fraction
from itertools import product

from shuffleproof.figures.chart import Table
from shuffleproof.impl.ball.calibration.frequency import FrequencyCalibration, calibrate
from shuffleproof.impl.ball.frequency import RANDOMIZERS, WorstErrors, worst_errors
from shuffleproof.spec.vocabulary.elementary import Direction
from shuffleproof.spec.vocabulary.numerals import decimal_text
from shuffleproof.spec.vocabulary.progress import steps

USERS = ("1e4", "1e6")
EPSILONS = ("0.1", "0.5")
ITEMS = ("10", "1000", "100000")
DELTA = "1e-6"
_DIGITS = 4  # Of each number, rounded to the side that holds.
_NAMES = {"blocks": "B", "subset_size": "d"}


def by_randomizer() -> Table:
    """Squared l2 error, worst dataset, for every randomizer at the certified epsilon0, beside Theorem 5.2's choice."""
    rows: list[tuple[str, ...]] = []
    for n, epsilon in steps(product(USERS, EPSILONS), of="parts"):
        found = calibrate(randomizer="hadamard", n=n, k=ITEMS[0], epsilon=epsilon, delta=DELTA)
        for k, randomizer in steps(product(ITEMS, RANDOMIZERS), of="rows"):
            rows.append(_row(found, n=n, k=k, epsilon=epsilon, randomizer=randomizer))
    return Table(
        title=f"Frequency estimation with one message a user at delta = {DELTA} (FMT21, section 5.1): epsilon0 and error by randomizer",
        columns=(
            "n",
            "eps",
            "k",
            "randomizer",
            "eps0",
            "setting",
            "bits",
            "squared l2 error",
            "one item",
            "Thm 5.2 eps0",
            "its error over ours",
        ),
        rows=rows,
        notes=(
            "eps0: the largest for which the stronger clones bound certifies (eps, delta) after shuffling, rounded down; it does not "
            "depend on the randomizer.",
            "squared l2 error: E ||p(X) - p^||^2 on the worst dataset; one item: the largest variance of one estimate; both rounded up. "
            "An error above 1 is worse than answering nothing.",
            "setting: the number of blocks B or the subset size d with the smallest error. bits: of a message, at most.",
            "Thm 5.2 eps0: the paper's choice with its branches joined (FMT21.Thm5.2.explicit), rounded down; the printed one is negative "
            "where eps is between sqrt(ln(1/delta)/n) and ten times that.",
        ),
    )


def _row(found: FrequencyCalibration, *, n: str, k: str, epsilon: str, randomizer: str) -> tuple[str, ...]:
    ours = worst_errors(randomizer=randomizer, k=k, n=n, epsilon0=found.value)
    assert found.paper.corrected is not None
    chosen = found.paper.corrected[0]
    theirs = worst_errors(randomizer=randomizer, k=k, n=n, epsilon0=chosen)
    return (
        n,
        epsilon,
        k,
        randomizer,
        _text(found.value, "down"),
        _setting(ours),
        str(ours.message_bits),
        _text(ours.squared_l2[1], "up"),
        _text(ours.per_item[1], "up"),
        _text(chosen, "down"),
        _text(theirs.squared_l2[0] / ours.squared_l2[1], "down"),
    )


def _setting(errors: WorstErrors) -> str:
    return ", ".join(f"{_NAMES[name]} = {value}" for name, value in errors.settings.items() if name in _NAMES)


def _text(x: Fraction, direction: Direction) -> str:
    return decimal_text(x, digits=_DIGITS, direction=direction)
