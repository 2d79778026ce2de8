"""The names of the figures and tables, and the module and function that makes each; nothing heavy is imported before one is asked for."""

import importlib
from dataclasses import dataclass
from typing import Any

from shuffleproof.figures.chart import Figure, Table
from shuffleproof.spec.vocabulary.errors import require, require_one_of
from shuffleproof.spec.vocabulary.parameters import DELTA, EPSILON0
from shuffleproof.spec.vocabulary.randomizers import RANDOMIZER, SIZES


@dataclass(frozen=True, kw_only=True)
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
    Entry(
        name="fig1",
        says="FMT21, Figure 1, as a computed example: a distribution split into clones and a left-over",
        made_by="fmt21_examples:fig1",
    ),
    Entry(name="fig2a", says="FMT21, Figure 2(a): central epsilon over n, eps0 = 0.1", made_by="fmt21:fig2a"),
    Entry(name="fig2b", says="FMT21, Figure 2(b): central epsilon over n, eps0 = 6", made_by="fmt21:fig2b"),
    Entry(name="fig2c", says="FMT21, Figure 2(c): central epsilon over eps0, n = 1e6", made_by="fmt21:fig2c"),
    Entry(name="fig3a", says="FMT21, Figure 3(a): Renyi divergence over its order", made_by="fmt21_rounds:fig3a"),
    Entry(name="fig3b", says="FMT21, Figure 3(b): T rounds together, eps0 = 1", made_by="fmt21_rounds:fig3b"),
    Entry(name="fig3c", says="FMT21, Figure 3(c): T rounds together, eps0 = 3", made_by="fmt21_rounds:fig3c"),
    Entry(name="fig3d", says="FMT21, Figure 3(d): 10,000 rounds together over eps0", made_by="fmt21_rounds:fig3d"),
    Entry(name="fig4", says="FMT21, Figure 4: where amplification ends, with the pairs that it covers", made_by="fmt21:fig4"),
    Entry(name="fig5", says="FMT21, Figure 5, as a computed example: clipping an approximate randomizer", made_by="fmt21_examples:fig5"),
    Entry(
        name="table1", says="FMT21, Table 1: the rates, and certified epsilons beside them", made_by="fmt21_examples:table1", in_report=True
    ),
    Entry(
        name="csuzz19-table1",
        says="CSUZZ19, Table 1, with numbers: users needed and users that are enough, in the central, shuffled and local models",
        made_by="csuzz19:table1",
    ),
    Entry(
        name="bc20-table1",
        says="BC20, Table 1, with numbers: simultaneous errors that histograms keep to and that none can beat, in three models",
        made_by="bc20:table1",
        in_report=True,
    ),
    Entry(
        name="bc20-table2",
        says="BC20, Table 2, with numbers: samples for pointer chasing and pointer jumping, needed and enough, in three models",
        made_by="bc20:table2",
        in_report=True,
    ),
    Entry(
        name="bc20-real-data",
        says="BC20's histogram on identifiers of the standard library: calibrated noise against the paper's, errors certified and measured",
        made_by="bc20_real_data:simultaneous_error",
    ),
    Entry(
        name="lszkg22-figure1",
        says="LSZKG22, Figure 1, on the standard library's words: distinct items of each user, by rank",
        made_by="lszkg22:distinct_items",
    ),
    Entry(
        name="lszkg22-figure2",
        says="LSZKG22, Figure 2, on the standard library's words: relative loss of Algorithm 1 by choice of threshold",
        made_by="lszkg22_histograms:histogram_study",
    ),
    Entry(
        name="lszkg22-figure2-table",
        says="LSZKG22, Figure 2 as a table, with standard errors",
        made_by="lszkg22_histograms:histogram_table",
    ),
    Entry(
        name="lszkg22-figure3",
        says="LSZKG22, Figure 3 (Figure 4 in the text): debiasing on synthetic Poisson-Dirichlet data",
        made_by="lszkg22_synthetic:poisson_dirichlet",
    ),
    Entry(
        name="lszkg22-words",
        says="LSZKG22, the table of single words, on the standard library's: clipping against debiasing",
        made_by="lszkg22:single_words",
    ),
    Entry(name="lszkg22-two-norms", says="LSZKG22, section 7(c): Algorithm 2 from two norms of every user", made_by="lszkg22:norms_only"),
    Entry(
        name="bit-sum-calibration",
        says="the least lambda of the bit sum, certified from both sides, beside CSUZZ19's Lemma 4.8",
        made_by="calibration_tables:bit_sum",
        in_report=True,
    ),
    Entry(
        name="frequency-estimation",
        says="FMT21, section 5.1: certified epsilon0 and exact worst error of every randomizer for frequency estimation",
        made_by="frequency:by_randomizer",
    ),
    Entry(
        name="k-rr-brackets",
        says="k-ary randomized response between a lower bound and one for all datasets, beside what the published pair claims",
        made_by="beyond:k_rr_brackets",
    ),
    Entry(
        name="randomizer-brackets",
        says="every named randomizer by its whole distribution, from both sides, beside what its blanket and p, beta and q alone tell",
        made_by="whole_laws:randomizer_brackets",
    ),
    Entry(
        name="shuffled-sgd",
        says="FMT21, section 5.2: accuracy of a logistic regression by shuffled SGD beside its certified privacy",
        made_by="shuffled_sgd:table",
    ),
    Entry(
        name="brackets",
        says="the bracket of epsilon over n: all eps0-DP randomizers, and a named one",
        made_by="beyond:brackets",
        takes=("n", EPSILON0.name, DELTA.name, RANDOMIZER.name, *(each.name for each in SIZES)),
    ),
    Entry(
        name="literature",
        says="epsilon over n by the published analyses and by ours, for 10-ary response and for Laplace noise",
        made_by="literature:literature",
        takes=("n",),
    ),
    Entry(
        name="literature-table",
        says="the same as a table, with the seconds that each epsilon took",
        made_by="literature:literature_table",
        takes=("n",),
    ),
    Entry(
        name="shuffle-indices",
        says="shuffle indices of every named randomizer, from above and from below",
        made_by="literature:shuffle_indices",
    ),
    Entry(name="beyond-eps0", says="every bound over eps0: all eps0-DP randomizers, and k-ary response", made_by="beyond:over_epsilon0"),
    Entry(name="beyond-n", says="every bound over n: all eps0-DP randomizers, and k-ary response", made_by="beyond:over_users"),
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
