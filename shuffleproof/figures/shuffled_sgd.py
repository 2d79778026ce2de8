"""FMT21, section 5.2: logistic regression over a random order of the users, its accuracy beside its certified privacy."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from shuffleproof.figures.chart import Table
from shuffleproof.impl.ball.shuffled_sgd import Guarantee, guarantee
from shuffleproof.impl.fast.protocols.shuffled_sgd import accuracy, simulate_shuffled_sgd
from shuffleproof.spec.vocabulary.errors import optional
from shuffleproof.spec.vocabulary.numerals import decimal_text
from shuffleproof.spec.vocabulary.progress import steps

Floats = NDArray[np.float64]
SEED = 20210911  # Of everything that is drawn: the table is the same each time.
RUNS = 5  # Over which the accuracy is averaged.
SYNTHETIC_ROWS = 100_000  # Users of the synthetic set, each with one row.
SYNTHETIC_FEATURES = 10  # Features of a synthetic row.
DELTA = "1e-6"


def table() -> Table:
    """Accuracy on held-out rows, mean and standard error over seeds, for several noise levels on two data sets."""
    rows = []
    for name, data, settings in (
        ("breast cancer", breast_cancer(), (("0", 8, 5, 1.0), ("8", 8, 5, 1.0), ("20", 16, 5, 1.0))),
        ("synthetic", synthetic(), (("0", 10, 1, 4.0), ("8", 10, 1, 4.0), ("12", 10, 1, 4.0), ("12", 10, 2, 4.0), ("24", 40, 1, 4.0))),
    ):
        for sigma, batch, passes, rate in steps(settings, of="settings"):
            rows.append(_row(name, data, sigma=sigma, batch=batch, passes=passes, learning_rate=rate))
    return Table(
        title=f"Logistic regression by shuffled SGD, delta = {DELTA}: certified epsilon and accuracy",
        columns=("data", "users", "batch", "passes", "sigma", "epsilon <=", "one pass, order known", "accuracy", "standard error"),
        rows=rows,
        notes=(
            "epsilon: certified for exact Gaussian noise of standard deviation sigma on a batch's sum of gradients clipped to norm 1, when "
            "one user is replaced; the simulation draws float64 noise, so that its numbers are for comparison and not for release.",
            f"accuracy: on held-out rows, mean over {RUNS} seeds. Breast cancer: scikit-learn's set of 569 rows, 456 of them for training.",
            "With 57 batches there is next to nothing to hide among: there the random order does not help. Standardization and the "
            "choice of sigma, batch and rate are not covered by epsilon.",
        ),
    )


def breast_cancer() -> tuple[Floats, Floats, Floats, Floats]:
    """Training rows, labels, test rows, labels: standardized, with a constant column. Raises MissingExtraError without scikit-learn."""
    datasets = optional("sklearn.datasets", extra="learning", what="the breast cancer data set")
    values, labels = datasets.load_breast_cancer(return_X_y=True)
    order = np.random.default_rng(SEED).permutation(len(values))
    values = (values - values.mean(axis=0)) / values.std(axis=0)
    features = np.column_stack([values, np.ones(len(values))])[order] / np.sqrt(values.shape[1] + 1)
    signs = np.where(labels[order] == 1, 1.0, -1.0)
    return features[:456], signs[:456], features[456:], signs[456:]


def synthetic() -> tuple[Floats, Floats, Floats, Floats]:
    """100 000 rows of unit vectors labelled by a noisy half-space, and 20 000 more to test on."""
    generator, total = np.random.default_rng(SEED), SYNTHETIC_ROWS + 20_000
    values = generator.normal(size=(total, SYNTHETIC_FEATURES))
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    direction = generator.normal(size=SYNTHETIC_FEATURES)
    direction /= np.linalg.norm(direction)
    signs = np.where(values @ direction + generator.normal(0.0, 0.1, total) >= 0, 1.0, -1.0)
    return values[:SYNTHETIC_ROWS], signs[:SYNTHETIC_ROWS], values[SYNTHETIC_ROWS:], signs[SYNTHETIC_ROWS:]


def _row(
    name: str, data: tuple[Floats, Floats, Floats, Floats], *, sigma: str, batch: int, passes: int, learning_rate: float
) -> tuple[str, ...]:
    features, labels, held_out, answers = data
    users = len(features) - len(features) % batch
    found: Guarantee | None = None
    if sigma != "0":
        found = guarantee(users=users, batch=batch, passes=passes, sigma=sigma, delta=DELTA)
    reached = [
        accuracy(
            simulate_shuffled_sgd(
                features=features[:users],
                labels=labels[:users],
                sigma=float(sigma),
                batch=batch,
                passes=passes,
                learning_rate=learning_rate,
                generator=np.random.default_rng((SEED, run)),
            ),
            held_out,
            answers,
        )
        for run in range(RUNS)
    ]
    error = float(np.std(reached, ddof=1) / np.sqrt(RUNS))
    epsilon, alone = ("none", "none") if found is None else (_up(found.epsilon), _up(found.local))
    return name, str(users), str(batch), str(passes), sigma, epsilon, alone, f"{np.mean(reached):.4f}", f"{error:.4f}"


def _up(x: Fraction) -> str:
    return decimal_text(x, digits=4, direction="up")
