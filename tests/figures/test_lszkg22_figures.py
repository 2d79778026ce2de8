"""LSZKG22's experiments on a small part of the data and with few runs: what is drawn is there, and the numbers mean what they say."""

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from shuffleproof.data import standard_library
from shuffleproof.data.standard_library import WordCounts, word_counts, words
from shuffleproof.figures import lszkg22, lszkg22_histograms, lszkg22_synthetic
from shuffleproof.figures.chart import Figure, Table
from shuffleproof.figures.drawing import drawn
from shuffleproof.impl.fast.protocols.user_histogram import Histograms, expected_error, relative_loss, simulate_release
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.scope import Relation

SOURCE = b'''
"""Read the file."""
import os.path as path
class HTTPServer:
    """Serve."""
    def get_it(self, maxLine):
        """Get it."""
        def inner(x): return x.lineNumber
        return maxLine
'''


@pytest.fixture(scope="module")
def few_modules() -> Iterator[None]:
    """The first fifty modules instead of all."""
    everything = standard_library.library_modules
    patch = pytest.MonkeyPatch()
    patch.setattr(standard_library, "library_modules", lambda top: sorted(everything(top))[:50])
    standard_library._both.cache_clear()
    lszkg22_histograms.study.cache_clear()
    yield
    patch.undo()
    standard_library._both.cache_clear()
    lszkg22_histograms.study.cache_clear()


def test_words_are_those_of_docstrings_and_identifiers() -> None:
    found = sorted(words(SOURCE))
    method = "HTTPServer.get_it"
    outside = [("", word) for word in ("file", "http", "os", "path", "read", "serve", "server", "the")]
    inside = [(method, word) for word in ("get", "get", "inner", "it", "it", "line", "line", "line", "max", "max", "number", "self")]
    assert found == sorted(outside + inside)
    assert list(words(b"def broken(:")) == []


@pytest.mark.usefixtures("few_modules")
def test_the_data_set_is_deterministic_and_counts_every_pair_once() -> None:
    first = word_counts()
    standard_library._both.cache_clear()
    second = word_counts()
    assert (first.users, first.words) == (second.users, second.words)
    assert np.array_equal(first.count, second.count)
    assert len(set(zip(first.user.tolist(), first.item.tolist(), strict=True))) == first.count.size
    totals = np.bincount(first.item, weights=first.count)
    assert (np.diff(totals) <= 0).all()
    assert first.of_word(first.words[0]).sum() == totals[0]
    assert len(word_counts("functions").users) > len(first.users)
    with pytest.raises(DomainError, match="word"):
        first.of_word("no such word")


@pytest.mark.usefixtures("few_modules")
def test_figure_1_falls_with_the_rank() -> None:
    figure = lszkg22.distinct_items()
    for curve in figure.panels[0].curves:
        y = [value for value in curve.y if value is not None]
        assert y == sorted(y, reverse=True)
        assert min(y) >= 1


@pytest.mark.usefixtures("few_modules")
def test_two_norms_are_all_that_algorithm_2_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    table = lszkg22.norms_only(trials=2)
    assert {row[-1] for row in table.rows} == {"equal"}
    right = lszkg22.messages
    monkeypatch.setattr(lszkg22, "messages", lambda data, user: (right(data, user)[0] + 1, right(data, user)[1]))
    assert "DIFFERENT" in {row[-1] for row in lszkg22.norms_only(trials=1).rows}


@pytest.mark.usefixtures("few_modules")
def test_figure_2_has_every_method_with_standard_errors() -> None:
    figure, table = lszkg22_histograms.histogram_study(trials=4), lszkg22_histograms.histogram_table(trials=4)
    for panel in figure.panels:
        assert [curve.label for curve in panel.curves] == list(lszkg22_histograms.METHODS)
        assert all(curve.error is not None for curve in panel.curves)
    assert len(table.rows) == 2 * len(lszkg22_histograms.METHODS)
    mean = figure.panels[0].curves[0].y[2]
    assert mean is not None
    assert table.rows[0][4].startswith(f"{mean:.4f} +- ")
    assert any("lost in its text" in note for note in figure.notes)


def test_the_expected_error_is_the_mean_of_the_simulated_one() -> None:
    data = Histograms.of([0, 0, 1, 2], [0, 1, 1, 2], [9, 2, 5, 1], d=4, n=3)
    generator = np.random.default_rng(1)
    losses = [
        relative_loss(
            simulate_release(data, p=2, C=3.0, relation=Relation.REPLACE_ONE, multiplier=0.8, generator=generator), truth=data.aggregate()
        )
        for _ in range(4000)
    ]
    expected = expected_error(data, C=3.0, relation=Relation.REPLACE_ONE, multiplier=0.8) / data.aggregate().sum()
    assert np.mean(losses) == pytest.approx(expected, abs=5 * np.std(losses) / math.sqrt(len(losses)))


@pytest.mark.usefixtures("few_modules")
def test_the_table_of_single_words_compares_on_the_same_noise() -> None:
    data = word_counts()
    missing = [word for word in lszkg22.WORDS if word not in data.words]
    assert missing == []
    table = lszkg22.single_words(trials=20)
    assert len(table.rows) == 2 * 2 * len(lszkg22.WORDS)
    assert {row[-1] for row in table.rows} <= {"yes", "no", "not decided"}


def test_debiasing_helps_like_users_and_hurts_where_noise_rules() -> None:
    """The two ends of Figure 3, with fewer runs: which of the paper's claims holds where."""

    def gain(*, n: int, alpha: float, epsilon: float) -> float:
        found = lszkg22_synthetic.losses(n=n, alpha=alpha, epsilon=epsilon, choose=lambda _counts, _generator: 2, trials=300, stream=(9, n))
        return lszkg22.standard_errors(found[:, 1], found[:, 2])

    assert gain(n=1000, alpha=100.0, epsilon=1.0) > 10
    assert gain(n=100, alpha=100.0, epsilon=0.1) < -3


def test_standard_errors_tell_better_from_worse() -> None:
    one, other = np.array([1.0, 2.0, 3.0]), np.array([0.5, 1.4, 2.6])
    assert lszkg22.standard_errors(one, other) > 3
    assert lszkg22.standard_errors(other, one) < -3
    assert lszkg22.standard_errors(one, one) == 0


@pytest.mark.usefixtures("few_modules")
def test_the_pictures_can_be_drawn(tmp_path: Path) -> None:
    for content in (
        lszkg22_synthetic.poisson_dirichlet(trials=3),
        lszkg22_histograms.histogram_study(trials=4),
        lszkg22.norms_only(trials=1),
    ):
        assert isinstance(content, Figure | Table)
        assert drawn(content, form="svg").lstrip().startswith(b"<?xml")
        assert content.csv().startswith(b"# LSZKG22")


def test_a_word_table_names_its_kind() -> None:
    empty = np.zeros(0, dtype=np.int64)
    assert "0 functions" in str(WordCounts("functions", (), (), empty, empty, empty))
