"""CSUZZ19, Table 1, with numbers: how many users four problems need, and how many are enough, in four models of trust."""

from __future__ import annotations

from fractions import Fraction

from shuffleproof.figures.chart import Table

EPSILON, DELTA = Fraction(1, 2), Fraction(1, 10**6)
ACCURACIES = (Fraction(1, 100), Fraction(1, 10**4))
DIMENSIONS = (10**2, 10**4, 10**6)

_PROBLEMS = {"bit mean": "mean of bits", "real mean": "mean of numbers in [0, 1]", "selection": "selection", "histogram": "histogram"}
_MODELS = ("central", "central, any d", "one message", "shuffled", "local")
_HOW: dict[str, tuple[str, str]] = {
    "bit mean, central": ("group privacy", "geometric noise"),
    "bit mean, shuffled": ("group privacy", "bit sum, Lemma 4.8: one message"),
    "bit mean, local": ("information", "randomized response"),
    "real mean, central": ("group privacy", "Laplace noise"),
    "real mean, one message": ("group privacy", "real sum, r = 1"),
    "real mean, shuffled": ("group privacy", "real sum, best r"),
    "real mean, local": ("information", "rounding, randomized response"),
    "selection, central": ("group privacy", "exponential mechanism"),
    "selection, one message": ("information, Theorem 6.2", "one random coordinate, FMT21 Theorem 3.1"),
    "selection, shuffled": ("group privacy", "d bit sums"),
    "selection, local": ("information", "one random coordinate"),
    "histogram, central": ("group privacy", "geometric noise"),
    "histogram, central, any d": ("group privacy, d = 2", "stability-based"),
    "histogram, one message": ("group privacy; information", "indicators, FMT21 Theorem 3.1"),
    "histogram, shuffled": ("group privacy", "d bit sums"),
    "histogram, local": ("information", "indicators"),
}
"""Cell -> what proves the number that is needed, and the protocol for which the other number is enough."""


def table1() -> Table:
    """Both sides of every cell at epsilon = 1/2, delta = 1e-6, probability 9/10; all numbers certified."""
    from shuffleproof.proofs_check.papers.csuzz19.section6_2_3_table1 import ends

    rows = []
    by_accuracy = {alpha: ends((EPSILON, DELTA, alpha, DIMENSIONS[0])) for alpha in ACCURACIES}
    by_dimension = {d: ends((EPSILON, DELTA, ACCURACIES[0], d)) for d in DIMENSIONS}
    for cell, (why, protocol) in _HOW.items():
        problem, _, model = cell.partition(", ")
        cases = (
            [(f"alpha = {float(alpha):g}", found[cell]) for alpha, found in by_accuracy.items()]
            if problem.endswith("mean")
            else [(f"d = {d}", found[cell]) for d, found in by_dimension.items()]
        )
        if model == "central, any d":
            cases = [("any d", cases[0][1])]
        for where, (needed, enough) in cases:
            rows.append((_PROBLEMS[problem], model.removesuffix(", any d"), where, str(needed), why, str(enough), protocol))
    order = [*_PROBLEMS.values()]
    rows.sort(key=lambda row: (order.index(row[0]), row[2] if row[2] != "any d" else "d = 100", _MODELS.index(row[1])))
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
            "runs are told apart by tags.",
        ),
    )
