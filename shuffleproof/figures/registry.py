"""The names of the figures and tables, and the module and function that makes each; nothing heavy is imported before one is asked for."""

import importlib
from dataclasses import dataclass
from typing import Any

from shuffleproof.figures.chart import Figure, Table
from shuffleproof.spec.vocabulary.errors import require, require_one_of
from shuffleproof.spec.vocabulary.parameters import DELTA, EPSILON0
from shuffleproof.spec.vocabulary.randomizers import RANDOMIZER, SIZES


@dataclass(frozen=True)
class Entry:
    """A figure or table.

    name: for the command line; says: one line; made_by: "module:function" below shuffleproof.figures, called without arguments;
    in_report: a table that `verify` computes for its report (it must take seconds, not minutes); takes: keywords of the function that
    may be given.
    """

    name: str
    says: str
    made_by: str
    in_report: bool = False
    takes: tuple[str, ...] = ()


ENTRIES: tuple[Entry, ...] = (
    Entry("fig1", "FMT21, Figure 1, as a computed example: a distribution split into clones and a left-over", "fmt21_examples:fig1"),
    Entry("fig2a", "FMT21, Figure 2(a): central epsilon over n, eps0 = 0.1", "fmt21:fig2a"),
    Entry("fig2b", "FMT21, Figure 2(b): central epsilon over n, eps0 = 6", "fmt21:fig2b"),
    Entry("fig2c", "FMT21, Figure 2(c): central epsilon over eps0, n = 1e6", "fmt21:fig2c"),
    Entry("fig3a", "FMT21, Figure 3(a): Renyi divergence over its order", "fmt21_rounds:fig3a"),
    Entry("fig3b", "FMT21, Figure 3(b): T rounds together, eps0 = 1", "fmt21_rounds:fig3b"),
    Entry("fig3c", "FMT21, Figure 3(c): T rounds together, eps0 = 3", "fmt21_rounds:fig3c"),
    Entry("fig3d", "FMT21, Figure 3(d): 10,000 rounds together over eps0", "fmt21_rounds:fig3d"),
    Entry("fig4", "FMT21, Figure 4: where amplification ends, with the pairs that it covers", "fmt21:fig4"),
    Entry("fig5", "FMT21, Figure 5, as a computed example: clipping an approximate randomizer", "fmt21_examples:fig5"),
    Entry("table1", "FMT21, Table 1: the rates, and certified epsilons beside them", "fmt21_examples:table1", in_report=True),
    Entry(
        "csuzz19-table1",
        "CSUZZ19, Table 1, with numbers: users needed and users that are enough, in the central, shuffled and local models",
        "csuzz19:table1",
    ),
    Entry(
        "bc20-table1",
        "BC20, Table 1, with numbers: simultaneous errors that histograms keep to and that none can beat, in three models",
        "bc20:table1",
        in_report=True,
    ),
    Entry(
        "bc20-table2",
        "BC20, Table 2, with numbers: samples for pointer chasing and pointer jumping, needed and enough, in three models",
        "bc20:table2",
        in_report=True,
    ),
    Entry(
        "bc20-real-data",
        "BC20's histogram on identifiers of the standard library: calibrated noise against the paper's, errors certified and measured",
        "bc20_real_data:simultaneous_error",
    ),
    Entry(
        "lszkg22-figure1",
        "LSZKG22, Figure 1, on the standard library's words: distinct items of each user, by rank",
        "lszkg22:distinct_items",
    ),
    Entry(
        "lszkg22-figure2",
        "LSZKG22, Figure 2, on the standard library's words: relative loss of Algorithm 1 by choice of threshold",
        "lszkg22_histograms:histogram_study",
    ),
    Entry("lszkg22-figure2-table", "LSZKG22, Figure 2 as a table, with standard errors", "lszkg22_histograms:histogram_table"),
    Entry(
        "lszkg22-figure3",
        "LSZKG22, Figure 3 (Figure 4 in the text): debiasing on synthetic Poisson-Dirichlet data",
        "lszkg22_synthetic:poisson_dirichlet",
    ),
    Entry(
        "lszkg22-words", "LSZKG22, the table of single words, on the standard library's: clipping against debiasing", "lszkg22:single_words"
    ),
    Entry("lszkg22-two-norms", "LSZKG22, section 7(c): Algorithm 2 from two norms of every user", "lszkg22:norms_only"),
    Entry(
        "bit-sum-calibration",
        "the least lambda of the bit sum, certified from both sides, beside CSUZZ19's Lemma 4.8",
        "calibration_tables:bit_sum",
        in_report=True,
    ),
    Entry(
        "frequency-estimation",
        "FMT21, section 5.1: certified epsilon0 and exact worst error of every randomizer for frequency estimation",
        "frequency:by_randomizer",
    ),
    Entry(
        "k-rr-brackets",
        "k-ary randomized response between a lower bound and one for all datasets, beside what the published pair claims",
        "beyond:k_rr_brackets",
    ),
    Entry(
        "randomizer-brackets",
        "every named randomizer by its whole distribution, from both sides, beside what its blanket and p, beta and q alone give",
        "whole_distributions:randomizer_brackets",
    ),
    Entry(
        "shuffled-sgd",
        "FMT21, section 5.2: accuracy of a logistic regression by shuffled SGD beside its certified privacy",
        "shuffled_sgd:table",
    ),
    Entry(
        "brackets",
        "the bracket of epsilon over n: all eps0-DP randomizers, and a named one",
        "beyond:brackets",
        takes=("n", EPSILON0.name, DELTA.name, RANDOMIZER.name, *(each.name for each in SIZES)),
    ),
    Entry(
        "literature",
        "epsilon over n by the published analyses and by ours, for 10-ary response and for Laplace noise",
        "literature:literature",
        takes=("n",),
    ),
    Entry("literature-table", "the same as a table, with the seconds that each epsilon took", "literature:literature_table", takes=("n",)),
    Entry("shuffle-indices", "shuffle indices of every named randomizer, from above and from below", "literature:shuffle_indices"),
    Entry("beyond-eps0", "every bound over eps0: all eps0-DP randomizers, and k-ary response", "beyond:over_epsilon0"),
    Entry("beyond-n", "every bound over n: all eps0-DP randomizers, and k-ary response", "beyond:over_users"),
)


def entry(name: str) -> Entry:
    """The entry of a name. Raises DomainError with the names there are."""
    known = {each.name: each for each in ENTRIES}
    return known[require_one_of(name, known, parameter="name")]


def made(chosen: Entry, **own: object) -> Figure | Table:
    """Compute the figure or table. own: what it takes. Raises DomainError for what it does not."""
    for name, value in own.items():
        told = f"left out: {chosen.name} takes {', '.join(chosen.takes) or 'nothing'}"
        require(name in chosen.takes, parameter=name, value=value, requirement=told)
    module, _, function = chosen.made_by.partition(":")
    content: Any = getattr(importlib.import_module(f"shuffleproof.figures.{module}"), function)(**own)
    if not isinstance(content, Figure | Table):
        raise TypeError(f"{chosen.made_by} made {type(content).__name__}")
    return content
