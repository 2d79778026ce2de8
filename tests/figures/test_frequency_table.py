"""The table of frequency estimation: every randomizer, safe roundings, and the order that is known."""

import pytest

from shuffleproof.figures import frequency
from shuffleproof.figures.chart import Table
from shuffleproof.figures.registry import entry
from shuffleproof.impl.ball.frequency import RANDOMIZERS


@pytest.fixture(scope="module")
def table() -> Table:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frequency, "USERS", ("1e4",))
        return frequency.by_randomizer()


def test_the_table_is_registered() -> None:
    assert entry("frequency-estimation").made_by == "frequency:by_randomizer"


def test_it_has_every_randomizer_for_every_target(table: Table) -> None:
    assert len(table.rows) == len(frequency.EPSILONS) * len(frequency.ITEMS) * len(RANDOMIZERS)
    assert {row[3] for row in table.rows} == set(RANDOMIZERS)


def test_subset_selection_has_the_smallest_error_and_beats_the_papers_choice(table: Table) -> None:
    for at in range(0, len(table.rows), len(RANDOMIZERS)):
        errors = {row[3]: float(row[7]) for row in table.rows[at : at + len(RANDOMIZERS)]}
        assert errors["k-subset"] == min(errors.values())
    assert all(float(row[-1]) > 1 for row in table.rows)
    assert all(float(row[4]) > float(row[9]) for row in table.rows)
