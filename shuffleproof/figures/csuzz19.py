"""CSUZZ19, Table 1, with numbers: how many users four problems need, and how many are enough, in four models of trust."""

from fractions import Fraction

from shuffleproof.figures.chart import Table
from shuffleproof.spec.vocabulary.progress import steps

EPSILON = Fraction(1, 2)  # The setting of Table 1.
DELTA = Fraction(1, 10**6)  # The setting of Table 1.
ACCURACIES = (Fraction(1, 100), Fraction(1, 10**4))  # alpha: one that needs few users, and one that needs ten thousand times as many.
DIMENSIONS = (10**2, 10**4, 10**6)  # Numbers of bins, two decades apart.

_PROBLEMS = {"bit mean": "mean of bits", "real mean": "mean of numbers in [0, 1]", "selection": "selection", "histogram": "histogram"}
_ENOUGH = {
    "bit mean, central": "geometric noise",
    "bit mean, shuffled": "bit sum, Lemma 4.8: one message",
    "bit mean, local": "randomized response",
    "real mean, central": "Laplace noise",
    "real mean, one message": "real sum, r = 1",
    "real mean, shuffled": "real sum, best r",
    "real mean, local": "rounding, randomized response",
    "selection, central": "exponential mechanism",
    "selection, one message": "one random coordinate, FMT21 Theorem 3.1",
    "selection, shuffled": "d bit sums",
    "selection, local": "one random coordinate",
    "histogram, central": "geometric noise",
    "histogram, central, any d": "stability-based",
    "histogram, one message": "indicators, FMT21 Theorem 3.1",
    "histogram, shuffled": "d bit sums",
    "histogram, local": "indicators",
}
"""Cell -> the protocol for which its number is enough."""
_INFORMATION = {"one message": "information, Theorem 6.2", "local": "information"}


def table1() -> Table:
    """Both sides of every cell at epsilon = 1/2, delta = 1e-6, probability 9/10; all numbers certified."""
    from shuffleproof.proofs_check.papers.csuzz19.lower_bounds.section6_2_3_table1 import ends

    columns = [(alpha, DIMENSIONS[0]) for alpha in ACCURACIES] + [(ACCURACIES[0], d) for d in DIMENSIONS]
    of_columns = [ends((EPSILON, DELTA, *column)) for column in steps(columns, of="columns")]
    by_accuracy = {f"alpha = {float(alpha):g}": found for alpha, found in zip(ACCURACIES, of_columns, strict=False)}
    by_dimension = {f"d = {d}": found for d, found in zip(DIMENSIONS, of_columns[len(ACCURACIES) :], strict=True)}
    rows = []
    for problem, name in _PROBLEMS.items():
        for where, found in (by_accuracy if problem.endswith("mean") else by_dimension).items():
            for cell, protocol in _ENOUGH.items():
                if not cell.startswith(f"{problem}, ") or cell.endswith("any d"):
                    continue
                model, (needed, enough) = cell.partition(", ")[2], found[cell]
                packed = needed == found[f"{problem}, central"][0]
                rows.append((name, model, where, str(needed), "group privacy" if packed else _INFORMATION[model], str(enough), protocol))
    cell = "histogram, central, any d"
    needed, enough = by_dimension[f"d = {DIMENSIONS[0]}"][cell]
    rows.append((_PROBLEMS["histogram"], "central", "any d", str(needed), "group privacy, d = 2", str(enough), _ENOUGH[cell]))
    return Table(
        title="CSUZZ19, Table 1, at epsilon = 1/2, delta = 1e-6: users needed, and users that are enough, for success probability 9/10",
        columns=("problem", "model", "at", "needed: at least", "because of", "enough", "by"),
        rows=rows,
        notes=(
            "Both numbers are certified: no protocol of that model succeeds with fewer users than the first; the named one does with the "
            "second.",
            "Central and local baselines are (epsilon, 0)-DP except the stability-based histogram. A central bound holds in every model; "
            "a one-message protocol is a shuffled one.",
            "Means up to alpha; selection up to n/10 among d coordinates; all d frequencies up to 1/10. Nothing is interactive.",
            "Bit sums run at the paper's lambda (Lemma 4.8, Theorem 5.4), more than is needed; messages of several coordinates or "
            "runs are distinguished by tags.",
        ),
    )
