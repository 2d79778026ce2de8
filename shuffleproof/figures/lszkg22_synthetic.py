"""LSZKG22's synthetic study of debiasing: Poisson counts with rates from a Dirichlet distribution (captioned Figure 3, called Figure 4)."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from shuffleproof.figures.chart import Curve, Figure, Panel
from shuffleproof.figures.lszkg22 import SEED, count_threshold, listed, one_run, standard_error, standard_errors

_ALPHAS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
"""Dirichlet parameters: from a few items with all the rate to equal rates."""
_SIZES = (20, 50, 100, 200, 500, 1000, 2000, 5000)  # Numbers of users of a curve.
_MEAN_RATE = 1.0  # lbar, the mean count of a user and item.
_LABELS = ("clipping", "clipping + clamping", "clipping + debiasing")
_B = 10.0  # Public bound of the search for a threshold, in counts: ten times the mean rate.

Losses = NDArray[np.float64]
Choose = Callable[[NDArray[np.int64], np.random.Generator], int]


def poisson_dirichlet(*, trials: int = 400) -> Figure:
    """Figure 3 (Figure 4 in the text): relative loss of clipping and of debiasing against how alike the users are, and against n."""
    n, epsilon = 1000, 1.0

    def private(counts: NDArray[np.int64], generator: np.random.Generator) -> int:
        return count_threshold(counts, n=n, B=_B, epsilon=epsilon, generator=generator)

    def against_alpha(choose: Choose, stream: int) -> list[Losses]:
        at_each = enumerate(_ALPHAS)
        return [losses(n=n, alpha=alpha, epsilon=epsilon, choose=choose, trials=trials, stream=(stream, at)) for at, alpha in at_each]

    by_private, by_fixed = against_alpha(private, 1), against_alpha(_two, 2)
    by_size = [losses(n=size, alpha=100.0, epsilon=0.1, choose=_two, trials=trials, stream=(3, at)) for at, size in enumerate(_SIZES)]
    near, far = by_private[-1].mean(axis=0), by_private[0].mean(axis=0)
    gains = [standard_errors(found[:, 1], found[:, 2]) for found in by_size]
    hurt = [size for size, gain in zip(_SIZES, gains, strict=True) if gain < -3]
    helped = [size for size, gain in zip(_SIZES, gains, strict=True) if gain > 3]
    return Figure(
        title="LSZKG22, Figure 3 (Figure 4 in the text): one item's count on synthetic Poisson data",
        panels=[
            _panel(f"private C, n = {n}, eps = {epsilon:g}", "Dirichlet parameter", _ALPHAS, by_private, columns=(0, 2)),
            _panel(f"C = 2, n = {n}, eps = {epsilon:g}", "Dirichlet parameter", _ALPHAS, by_fixed, columns=(0, 2)),
            _panel("C = 2, near-i.i.d. (parameter 100), eps = 0.1", "users n", _SIZES, by_size, columns=(0, 2, 1)),
        ],
        notes=[
            f"Rates n lbar Dirichlet(parameter, ..., parameter), lbar = {_MEAN_RATE:g}; {trials} runs a point, the same noise for all "
            "methods; bands: one standard error. Private C: Algorithm 2 (Laplace flavour, eps' = eps/10, B = 10), rounded, at least 2. "
            "Clamping: into [0, C - 1/3], as debiasing does. The paper's n, eps and lbar are lost in its text.",
            f"Reproduced: for near-i.i.d. users (parameter 100) debiasing takes the loss from {near[0]:.4f} to {near[2]:.4f}; for very "
            f"different users (0.1) it changes it from {far[0]:.4f} to {far[2]:.4f} only.",
            "Where it hurts: at C = 2 and eps = 0.1, debiasing is worse than clamping by more than three standard errors at n = "
            f"{listed(hurt)} and better at n = {listed(helped)}. It undoes the bias and stretches the noise, by up to 1/f_C'.",
        ],
    )


def losses(
    *, n: int, alpha: float, epsilon: float, choose: Choose, trials: int, stream: Sequence[int], mean_rate: float = _MEAN_RATE
) -> Losses:
    """Relative losses |hhat - h|/h, one row for each run with a count above 0: clipping, clamping, debiasing.

    stream: names the random numbers, beside the seed.
    """
    generator = np.random.default_rng((SEED, *stream))
    found: list[tuple[float, float, float]] = []
    while len(found) < trials:
        counts = generator.poisson(n * mean_rate * generator.dirichlet(np.full(n, alpha)))
        total = int(counts.sum())
        if total == 0:
            continue
        C = choose(counts, generator)
        found.append(one_run(counts, n=n, C=C, epsilon=epsilon, total=total, generator=generator))
    return np.array(found)


def _two(_counts: NDArray[np.int64], _generator: np.random.Generator) -> int:
    return 2


def _panel(title: str, x_label: str, x: Sequence[float], found: Sequence[Losses], *, columns: Sequence[int]) -> Panel:
    curves = [
        Curve(
            label=_LABELS[column],
            side="simulated",
            x=list(x),
            y=[float(each[:, column].mean()) for each in found],
            error=[standard_error(each[:, column]) for each in found],
        )
        for column in columns
    ]
    return Panel(title=title, x_label=x_label, y_label="relative loss", curves=curves, x_scale="log", y_scale="log")
