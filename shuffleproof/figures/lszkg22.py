"""LSZKG22 on the standard library's words: how many items a user has, Algorithm 2 from two norms, one word's count debiased."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from shuffleproof.data.standard_library import Users, WordCounts, word_counts
from shuffleproof.figures.chart import Curve, Figure, Panel, Table
from shuffleproof.impl.fast.numeric.thresholds import regularisation, simulate_private_threshold
from shuffleproof.impl.fast.protocols.user_histogram import Histograms, simulate_mean_counts
from shuffleproof.spec.vocabulary.progress import steps

Floats = NDArray[np.float64]

SEED = 20220608  # Of everything that is drawn: a figure is drawn the same each time.
_SLOPE = 421.0  # T at eps = 1, delta = 1e-5 and 100 words, about
WORDS = ("self", "the", "name")
BOUNDS: dict[Users, float] = {"modules": 1000.0, "functions": 100.0}
"""Public bounds on the thresholds, round numbers, by data set."""
SPARSITY: dict[Users, int] = {"modules": 100, "functions": 25}
"""How many items a user is taken to have at most, by data set."""


def histograms(data: WordCounts, *, d: int) -> Histograms:
    """The users' histograms over the d most frequent words, as the paper takes the top elements of its data sets."""
    kept = data.item < d
    return Histograms.of(data.user[kept], data.item[kept], data.count[kept], d=d, n=len(data.users))


def distinct_items() -> Figure:
    """Figure 1: how many distinct items each user has, users by falling number."""
    curves, notes = [], []
    for kind in BOUNDS:
        data = word_counts(kind)
        distinct = np.sort(np.bincount(data.user, minlength=len(data.users)))[::-1]
        ranks = np.unique(np.geomspace(1, np.count_nonzero(distinct), 300).astype(np.int64))
        curves.append(Curve(label=kind, side="exact", x=ranks.tolist(), y=[float(v) for v in distinct[ranks - 1]]))
        notes.append(
            f"{data}: median {int(np.median(distinct))} distinct words, {np.mean(distinct <= 100):.0%} of the users have at most 100."
        )
    return Figure(
        title="LSZKG22, Figure 1, on other data: distinct items of each user",
        panels=[
            Panel(
                title="Users of the standard library",
                x_label="rank of the user",
                y_label="distinct words",
                curves=curves,
                x_scale="log",
                y_scale="log",
            )
        ],
        notes=[*notes, "The paper's remark that most users have few items although d is large holds for functions, hardly for modules."],
    )


def norms_only(*, trials: int = 3) -> Table:
    """Section 7(c): the server runs Algorithm 2 on two norms of every user, and finds what the central algorithm finds."""
    rows = []
    for kind in BOUNDS:
        data = histograms(word_counts(kind), d=100)
        sent = [messages(data, user) for user in range(data.n)]
        m = np.array([euclidean for _, euclidean in sent])
        w = np.array([total / euclidean if euclidean else 0.0 for total, euclidean in sent])
        for epsilon in (0.1, 1.0):
            for trial in steps(range(trials), of="trials"):
                central = _threshold(kind, data.norms(p=2), data.weights(p=2), epsilon=epsilon, trial=trial)
                federated = _threshold(kind, m, w, epsilon=epsilon, trial=trial)
                verdict = "equal" if central == federated else "DIFFERENT"
                rows.append([kind, str(data.n), f"{epsilon:g}", f"{central:.6f}", f"{federated:.6f}", verdict])
    equal = sum(row[-1] == "equal" for row in rows)
    return Table(
        title="LSZKG22, section 7(c): Algorithm 2 when users send their l1 and l2 norms only",
        columns=["users", "n", "eps'", "C, central", "C, from norms", "to the last bit"],
        rows=rows,
        notes=[
            f"{equal} of {len(rows)} thresholds are equal to the last bit: the algorithm uses nothing of a user but these two numbers.",
            "Same noise in both columns. A user sends 2 numbers, once: the clipping of the weights and the sorting are the server's, which "
            "sees both numbers of every user; the secure aggregation that would hide them is left to future work by the paper.",
        ],
    )


def _threshold(kind: Users, m: Floats, w: Floats, *, epsilon: float, trial: int) -> float:
    B, W = BOUNDS[kind], math.sqrt(SPARSITY[kind])
    lam = regularisation(n=m.size, T=_SLOPE, W=W, B=B, epsilon=epsilon)
    generator = np.random.default_rng((SEED, trial))
    return simulate_private_threshold(m, w, T=_SLOPE, W=W, lam=lam, B=B, epsilon=epsilon, generator=generator)


def messages(data: Histograms, user: int) -> tuple[float, float]:
    """Return what one user sends: ||h||_1 and ||h||_2, computed from its own histogram alone."""
    low, high = np.searchsorted(data.user, [user, user + 1])
    own = data.count[low:high]
    return float(own.sum()), math.sqrt(float((own * own).sum()))


def single_words(*, trials: int = 400) -> Table:
    """The table beside Figure 4: relative loss of one frequent word's count, clipping against clipping and debiasing."""
    rows, verdicts = [], []
    for kind, B in BOUNDS.items():
        data = word_counts(kind)
        for number, word in steps(enumerate(WORDS), of="words"):
            counts = data.of_word(word)
            for epsilon in (0.1, 1.0):
                generator = np.random.default_rng((SEED, number, data.user.size, round(10 * epsilon)))
                chosen, losses = word_losses(counts, B=B, epsilon=epsilon, trials=trials, generator=generator)
                verdicts.append(_better(losses[:, 1], losses[:, 2]))
                spread = counts.var() / counts.mean()
                about = [kind, word, f"{counts.mean():.2f}", f"{spread:.1f}", f"{epsilon:g}", f"{chosen.mean():.1f}"]
                rows.append([*about, *(_mean_std(losses[:, column]) for column in range(3)), verdicts[-1]])
    return Table(
        title="LSZKG22, the table of single words, on other data: relative loss, mean and standard deviation",
        columns=["users", "word", "mean", "variance/mean", "eps", "mean C", "clipping", "+ clamping", "+ debiasing", "debiasing helps"],
        rows=rows,
        notes=[
            f"{trials} runs a row, the same noise for all methods. C from Algorithm 2 (Laplace flavour, eps' = eps/10, lambda of "
            "Corollary 4.4, B = 1000 for modules and 100 for functions), rounded, at least 2. Clamping: into [0, C - 1/3], which "
            "Algorithm 4 needs for f_C to have an inverse there; shown by itself because part of the gain over clipping is its doing.",
            f"Debiasing beats clamping by more than 3 standard errors in {verdicts.count('yes')} of {len(rows)} rows and loses in "
            f"{verdicts.count('no')}. As in the paper the gain is far from that of near-i.i.d. synthetic data: these counts vary several "
            "times as much as Poisson counts, and at a threshold well above the mean f_C hardly differs from the identity.",
        ],
    )


def word_losses(
    counts: NDArray[np.int64], *, B: float, epsilon: float, trials: int, generator: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(thresholds, relative losses of clipping, clamping and debiasing in columns) of one item's count, one row for each run."""
    n, total = counts.size, float(counts.sum())
    chosen = np.array([count_threshold(counts, n=n, B=B, epsilon=epsilon, generator=generator) for _ in range(trials)])
    losses = np.empty((trials, 3))
    for at, C in enumerate(chosen.tolist()):
        losses[at] = one_run(counts, n=n, C=C, epsilon=epsilon, total=total, generator=generator)
    return chosen, losses


def one_run(
    counts: NDArray[np.int64], *, n: int, C: int, epsilon: float, total: float, generator: np.random.Generator
) -> tuple[float, float, float]:
    """Relative losses of the three estimates with Lambda = C - 1/3, as Theorem 5.1 has it."""
    found = simulate_mean_counts(counts, n=n, C=C, epsilon=epsilon, largest=C - 1 / 3, generator=generator)
    clipped, clamped, debiased = (abs(n * float(each[0]) - total) / total for each in (found.clipped, found.clamped, found.debiased))
    return clipped, clamped, debiased


def count_threshold(counts: NDArray[np.int64], *, n: int, B: float, epsilon: float, generator: np.random.Generator) -> int:
    """Algorithm 2 on one item's counts with a tenth of epsilon: an integer threshold, at least 2."""
    T, small = 1 / epsilon, epsilon / 10
    lam = regularisation(n=n, T=T, W=1.0, B=B, epsilon=small)
    weights = (counts > 0).astype(np.float64)
    private = simulate_private_threshold(counts, weights, T=T, W=1.0, lam=lam, B=B, epsilon=small, generator=generator)
    return max(2, round(private))


def standard_error(values: Floats) -> float:
    """Return that of the mean."""
    return float(values.std(ddof=1)) / math.sqrt(values.size)


def listed(values: Sequence[float]) -> str:
    """The values with commas, or that there are none."""
    return ", ".join(f"{value:g}" for value in values) or "none of these"


def standard_errors(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return by how many standard errors `other` is smaller than `one`, run by run; 0 where they never differ."""
    gap = one - other
    spread = standard_error(gap)
    return float(gap.mean()) / spread if spread else 0.0


def _better(one: NDArray[np.float64], other: NDArray[np.float64]) -> str:
    by = standard_errors(one, other)
    return "yes" if by > 3 else "no" if by < -3 else "not decided"


def _mean_std(values: NDArray[np.float64]) -> str:
    return f"{values.mean():.4f} +- {values.std(ddof=1):.4f}"
