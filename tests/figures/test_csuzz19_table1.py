"""CSUZZ19, Table 1 with numbers."""

import csv
import io

import pytest

from shuffleproof.figures.chart import Table
from shuffleproof.figures.csuzz19 import DIMENSIONS, table1
from shuffleproof.figures.registry import entry


@pytest.fixture(scope="module")
def table() -> Table:
    return table1()


def test_every_cell_has_both_sides_in_order(table) -> None:
    assert len(table.rows) == 7 * 2 + 8 * len(DIMENSIONS) + 1
    for row in table.rows:
        needed, enough = int(row[3]), int(row[5])
        assert 1 <= needed <= enough


def test_the_models_are_ordered_as_the_paper_says(table) -> None:
    """Selection at d = 10^6: central < shuffled < local, with orders of magnitude between them."""
    enough = {row[1]: int(row[5]) for row in table.rows if row[0] == "selection" and row[2] == f"d = {10**6}"}
    needed = {row[1]: int(row[3]) for row in table.rows if row[0] == "selection" and row[2] == f"d = {10**6}"}
    assert enough["central"] < needed["one message"]
    assert enough["shuffled"] < needed["local"]


def test_the_table_is_registered_and_reads_back(table) -> None:
    assert entry("csuzz19-table1").made_by == "csuzz19:table1"
    lines = [line for line in table.csv().decode("utf-8").splitlines() if not line.startswith("#")]
    assert len(list(csv.DictReader(io.StringIO("\n".join(lines))))) == len(table.rows)
