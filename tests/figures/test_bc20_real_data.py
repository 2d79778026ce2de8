"""The table of BC20's histogram on real data, on a data set that is quicker to make."""

from fractions import Fraction

from shuffleproof.figures import registry
from shuffleproof.figures.bc20_real_data import simultaneous_error


def test_errors_stay_within_what_is_certified_and_the_calibrated_noise_is_the_least() -> None:
    items = [f"item {i}" for i in range(200) for _ in range(i)] * 2
    table = simultaneous_error(items=items, runs=3)
    least, printed, composed = table.rows
    assert Fraction(least[0]) < Fraction(printed[0]) < Fraction(composed[0])
    for row in table.rows:
        assert Fraction(row[2]) <= Fraction("1e-6")
        assert Fraction(row[4]) <= Fraction(row[5])
    assert Fraction(least[5]) < 2 * Fraction(least[3])
    assert int(float(least[6])) > int(float(printed[6]))  # less noise, more rows
    assert any("not a module" in note for note in table.notes)


def test_the_table_can_be_asked_for_by_name() -> None:
    assert registry.entry("bc20-real-data").made_by == "bc20_real_data:simultaneous_error"
