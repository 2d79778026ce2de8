"""The names of the figures and tables, and the module and function that makes each; nothing heavy is imported before one is asked for."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from shuffleproof.figures.chart import Figure, Table
from shuffleproof.spec.errors import DomainError


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A figure or table.

    name: for the command line; says: one line; made_by: "module:function" below shuffleproof.figures, called without arguments;
    in_report: a table that `verify` computes for its report (it must take seconds, not minutes).
    """

    name: str
    says: str
    made_by: str
    in_report: bool = False


ENTRIES: tuple[Entry, ...] = (
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
    Entry(
        name="lszkg22-two-norms",
        says="LSZKG22, section 7(c): Algorithm 2 from two norms of every user",
        made_by="lszkg22:norms_only",
    ),
    Entry(
        name="bit-sum-calibration",
        says="the least lambda of the bit sum, certified from both sides, beside CSUZZ19's Lemma 4.8",
        made_by="calibration_tables:bit_sum",
        in_report=True,
    ),
)


def entry(name: str) -> Entry:
    """The entry of a name. Raises DomainError with the names there are."""
    for known in ENTRIES:
        if known.name == name:
            return known
    raise DomainError(parameter="NAME", value=name, requirement=f"one of {', '.join(known.name for known in ENTRIES)}")


def made(chosen: Entry) -> Figure | Table:
    """Compute the figure or table."""
    module, _, function = chosen.made_by.partition(":")
    content: Any = getattr(importlib.import_module(f"shuffleproof.figures.{module}"), function)()
    if not isinstance(content, Figure | Table):
        raise TypeError(f"{chosen.made_by} made {type(content).__name__}")
    return content
