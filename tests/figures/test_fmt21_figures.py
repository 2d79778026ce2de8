"""FMT21's figures with few points: sides, order, monotone where they must be, and what is missing is said."""

from itertools import pairwise

import pytest

from shuffleproof.figures import fmt21, fmt21_examples, fmt21_rounds
from shuffleproof.figures.chart import Curve, Figure, Table
from shuffleproof.figures.drawing import apart, drawn
from shuffleproof.figures.registry import ENTRIES

NAMES = {"fig1", "fig2a", "fig2b", "fig2c", "fig3a", "fig3b", "fig3c", "fig3d", "fig4", "fig5", "table1"}


def curves(figure: Figure, panel: int = 0) -> dict[str, Curve]:
    return {curve.label: curve for curve in figure.panels[panel].curves}


def known(curve: Curve) -> list[float]:
    return [value for value in curve.y if value is not None]


@pytest.mark.parametrize("make", [fmt21.fig2a, fmt21.fig2b, fmt21.fig2c])
def test_figure_2_is_ordered_monotone_and_says_what_is_missing(make: object) -> None:
    figure: Figure = make(points=5)  # type: ignore[operator]
    found = curves(figure)
    clones, theory, pair = found["Clones"], found["Clones, theoretical"], found["2RR pair"]
    assert (clones.side, pair.side) == ("upper", "lower")
    falling = figure.panels[0].x_label.startswith("number")
    for curve in (clones, pair):
        steps = [below - above for below, above in pairwise(known(curve))]
        assert len(steps) == 4
        assert all(step > 0 if falling else step < 0 for step in steps)
    assert all(low < high for low, high in zip(known(pair), known(clones), strict=True))
    assert all(high is None or low is None or low < high for low, high in zip(clones.y, theory.y, strict=True))
    for paper in ("BBGN19", "BKMTT20"):
        assert any(paper in note for note in figure.notes)
        assert not any(paper in label for label in found)


def test_the_closed_form_for_2rr_only_stops_where_its_condition_does() -> None:
    assert fmt21.closed_form_2rr(10**6, 12.0) is None
    above = fmt21.closed_form_2rr(10**6, 1.0)
    pair = fmt21.asked(fmt21.lower_end, method="binary-rr-pair", n="1000000", epsilon0="1", delta=fmt21.DELTA)
    assert above > pair


def test_figure_3a_rises_to_the_local_epsilon() -> None:
    found = curves(fmt21_rounds.fig3a(points=5, n=3000, epsilon0=4))
    clones, pair = known(found["Clones"]), known(found["2RR pair"])
    assert clones == sorted(clones)
    assert all(low < high < 4 for low, high in zip(pair, clones, strict=True))
    assert clones[-1] > 3.9


def test_figure_3_orders_the_ways_of_composing() -> None:
    figure = fmt21_rounds._over_rounds("b", n=20_000, epsilon0="1", points=0, largest=200, cells=24)
    advanced, optimal, renyi, grid = (known(curve) for curve in figure.panels[0].curves)
    assert all(first >= second for first, second in zip(advanced, optimal, strict=True))
    assert grid[-1] < renyi[-1] < optimal[-1] < advanced[-1]
    for curve in (advanced, optimal, renyi, grid):
        assert all(below < above for below, above in pairwise(curve))
    over_local = fmt21_rounds.fig3d(points=2, n=20_000, rounds=50, cells=16)
    assert all(known(curve)[0] < known(curve)[1] for curve in over_local.panels[0].curves)
    assert any("GDDSK21" in note for note in over_local.notes)


def test_figure_4_is_labelled_with_its_pairs() -> None:
    figure = fmt21.fig4(points=4, n=500, local=(2, 4))
    assert len(figure.panels) == 2
    for panel in range(2):
        found = curves(figure, panel)
        two, clones = found["2RR on (0,...,0), (1,0,...,0)"], found["clones pair (Theorem 3.2)"]
        assert all(a > b > 0 for a, b in zip(known(two), known(clones), strict=True))
        assert known(two) == sorted(known(two))
    assert any("lower bound" in note for note in figure.notes)


def test_table_1_compares_rates_and_certifies_epsilons() -> None:
    table = fmt21_examples.table1(n=100_000, epsilon0=2, k=50)
    rows = {(row[0].split(",")[0], row[1]): row for row in table.rows}
    assert len(table.rows) == 10
    assert rows["k-randomized response", "Corollary 4.2"][4].count("form") == 1
    assert rows["adaptive", "BKMTT20"][4] == "constants not in the paper"
    closed, numerical = (float(part.split()[0]) for part in rows["binary randomized response", "Theorem 3.1"][4].split(", "))
    assert numerical < closed


def test_the_examples_are_exact() -> None:
    assert fmt21_examples.fig1().rows[-1][1:] == ("1", "1/6", "1/6", "2/3", "1")
    found = curves(fmt21_examples.fig5(bins=12))
    law, band = known(found["rho''_x: a distribution again"]), known(found["T rho"])
    assert sum(law) / 24 == pytest.approx(1)
    assert all(value <= edge + 1e-12 for value, edge in zip(law, band, strict=True))
    assert sum(known(found["rho'_x: moved into the band"])) / 24 != pytest.approx(1)


def test_pictures_and_points_come_out() -> None:
    for content in (fmt21.fig2b(points=5), fmt21_examples.fig5(bins=12), fmt21_examples.fig1()):
        assert isinstance(content, Figure | Table)
        assert drawn(content, form="svg").lstrip().startswith(b"<?xml")
        assert content.csv().startswith(b"# FMT21")
    table = fmt21_examples.fig1()
    assert drawn(table, form="pdf").startswith(b"%PDF")
    assert drawn(table, form="pdf") == drawn(table, form="pdf")


@pytest.mark.parametrize("places", [[0.5, 0.5, 0.5], [0.0, 0.01, 0.9], [0.2, 0.21, 0.3, 0.31], [0.7]])
def test_the_names_of_curves_do_not_overlap_and_keep_their_order(places: list[float]) -> None:
    heights = [0.06 + 0.01 * at for at in range(len(places))]
    centres = apart(places, heights)
    for at in range(len(places) - 1):
        assert centres[at + 1] - centres[at] >= (heights[at] + heights[at + 1]) / 2 - 1e-9
    assert all(abs(centre - place) <= sum(heights) for centre, place in zip(centres, places, strict=True))
    above = apart(places, heights, least=0.1)
    assert above[0] - heights[0] / 2 >= 0.1 - 1e-9
    assert all(above[at + 1] - above[at] >= (heights[at] + heights[at + 1]) / 2 - 1e-9 for at in range(len(places) - 1))


def test_every_figure_has_a_name_and_fifty_points_or_more() -> None:
    assert {entry.name for entry in ENTRIES} >= NAMES
    assert min(fmt21.POINTS, fmt21_rounds.POINTS) >= 50
