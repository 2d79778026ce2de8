"""Figures and tables of FMT21 again, and those of our own bounds beside those of the literature."""

import re
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import pytest

from shuffleproof import bounds
from shuffleproof.figures import fmt21, fmt21_examples, fmt21_rounds
from shuffleproof.figures.beyond import efmrtt19, k_rr_brackets, over_epsilon0, over_users
from shuffleproof.figures.chart import Curve, Figure, Table
from shuffleproof.figures.drawing import apart, drawn
from shuffleproof.figures.literature import literature, shuffle_indices
from shuffleproof.figures.registry import ENTRIES, entry
from shuffleproof.figures.whole_distributions import RANDOMIZERS, randomizer_brackets
from shuffleproof.impl.ball.bounds.variation_ratio.published_variation_ratio import claimed_delta, claimed_epsilon
from shuffleproof.mechanisms.randomizers import NamedRandomizer
from shuffleproof.proofs_check.papers.beyond.variation_ratio.theorem import hidden_d
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters
from shuffleproof.spec.distribution import hockey_stick
from shuffleproof.spec.vocabulary.numerals import Epsilon


def test_the_table_brackets_and_refutes_what_was_published() -> None:
    rows = k_rr_brackets(categories=(3, 10), local=("1", "5"), users=(300, 1000)).rows
    assert [row[:3] for row in rows] == [(k, local, n) for k in ("3", "10") for local in ("1", "5") for n in ("300", "1000")]
    for row in rows:
        lower, upper, ratio, pair, claimed = (Fraction(text) for text in row[3:8])
        assert lower < upper <= ratio * lower * (1 + Fraction(1, 10**7))
        assert upper <= Fraction(row[1])
        assert lower < pair < 2 * upper
        assert (row[8] == "too small") == (claimed < lower)
    assert [row[8] for row in rows] == ["not refuted here"] * 4 + ["too small"] * 4


def test_the_published_claim_is_that_of_the_pair_with_one_count_hidden() -> None:
    for n, k, T, E in ((3, 3, 4, Fraction(37, 10)), (4, 5, 9, Fraction(2)), (5, 2, 3, Fraction(3, 2)), (4, 6, 9, Fraction(1))):
        beta = Fraction(T - 1, T + k - 1)
        exact = hockey_stick(*hidden_d(n, Parameters(Fraction(T), beta, Fraction(T))), exp_epsilon=E)
        central = Epsilon(Fraction(0) if E == 1 else None, E)
        lower, upper = claimed_delta(n=n, k=k, epsilon0=f"ln {T}", epsilon=central)
        assert lower <= exact <= upper
        assert upper - lower <= upper / 10**15
        low, high = claimed_epsilon(n=n, k=k, epsilon0=f"ln {T}", delta=exact)
        assert low <= central.bounds(bits=100)[1]
        assert high >= central.bounds(bits=100)[0]


def test_the_optimal_pair_is_in_the_table_and_the_picture_at_a_million_users() -> None:
    (row,) = k_rr_brackets(categories=(10,), local=("2",), users=(10**6,)).rows
    lower, upper, pair = Fraction(row[3]), Fraction(row[4]), Fraction(row[6])
    assert lower < pair < Fraction(1001, 1000) * upper
    curve = next(curve for curve in over_users(points=2, epsilon0="2").panels[1].curves if curve.label == "optimal pair")
    assert curve.x[-1] == 10**6
    assert curve.y[-1] == pytest.approx(float(pair), rel=1e-5)


@pytest.mark.parametrize(("made", "of_any"), [("eps0, n = 200", 4), ("n, eps0 = 2", 4), ("eps0, n = 1000", 5)])
def test_every_upper_curve_is_above_the_lower_one_and_they_come_in_order(made: str, of_any: int) -> None:
    figure = over_users(points=2, epsilon0="2") if made[0] == "n" else over_epsilon0(points=3, n=int(made.rpartition(" ")[2]))
    assert [len(panel.curves) for panel in figure.panels] == [of_any, 6]
    for panel in figure.panels:
        curves = {curve.label: curve.y for curve in panel.curves}
        lowers, uppers = ([curve.y for curve in panel.curves if curve.side == side] for side in ("lower", "upper"))
        assert lowers
        for lower, upper in product(lowers, uppers):
            assert all(y is None or low is None or y >= low for y, low in zip(upper, lower, strict=True))
        order = ["FMT21's clones", "stronger clones", "optimal pair", "blanket, exact sum"]
        known = [curves[label] for label in order if label in curves]
        for larger, smaller in pairwise(known):
            assert all(a is None or b is None or a * (1 + 1e-3) >= b for a, b in zip(larger, smaller, strict=True))


def test_efmrtt19_is_drawn_only_where_it_is_stated() -> None:
    assert efmrtt19(1000, "1/2") is None
    assert efmrtt19(999, "0.1") is None
    found = efmrtt19(10**6, "0.1")
    assert found is not None
    assert found == pytest.approx(12 * 0.1 * 3.7169 / 1000, rel=1e-4)


def test_the_entries_are_registered() -> None:
    made = {name: entry(name).made_by for name in ("k-rr-brackets", "beyond-eps0", "beyond-n")}
    assert made == {"k-rr-brackets": "beyond:k_rr_brackets", "beyond-eps0": "beyond:over_epsilon0", "beyond-n": "beyond:over_users"}


def test_the_blanket_is_never_above_the_optimal_pair_in_the_table_of_randomizers() -> None:
    rows = randomizer_brackets(local=("1",), users=(10**4,), chosen=(0, 8)).rows
    assert [row[0] for row in rows] == ["k-rr, k = 10", "hash, buckets = 4"]
    assert [row[5] for row in rows] == ["blanket", "another-place"]
    for _, _, _, low, high, _, ratio, blanket, limit, above, below, pair, gained in rows:
        assert float(limit) == pytest.approx((float(above) / float(below)) ** 0.5, rel=2e-4)
        assert float(low) <= float(high) <= float(pair)
        assert 1 <= float(ratio) <= float(blanket) < 1.11
        assert float(ratio) < 1.01
        assert 1 <= float(limit) < 1.1
        assert float(gained) >= 1


CLOSE = 5e-4
"""Relative: what our own bounds may move from one version to another before the page has to be written again."""
PAGE = (Path(__file__).resolve().parents[2] / "docs" / "mathematics" / "related-work.md").read_text("utf-8")


def shown(heading: str) -> dict[str, list[float]]:
    """The rows of the table under a heading of the page: each epsilon, its seconds left out."""
    rows = re.findall(r"^\| (.+?) \| (.+) \|$", PAGE.partition(heading)[2].partition("\n\n")[2].partition("\n\n")[0], re.MULTILINE)[1:]
    return {name: [float(cell) for cell in cells.split("|")[:-1] if cell.strip()] for name, cells in rows}


def test_the_tables_of_the_page_are_todays() -> None:
    for heading, panel in zip(("10-ary response:", "Laplace noise on $[0, 1]$:"), literature().panels, strict=True):
        printed = shown(heading)
        assert [name.partition(": no bound")[0].partition(", an estimate")[0] for name in printed] == [
            curve.label for curve in panel.curves
        ]
        for curve, values in zip(panel.curves, printed.values(), strict=True):
            assert [value for value in curve.y if value is not None][: len(values)] == pytest.approx(values, rel=CLOSE), curve.label


NAMES = {"hashing into 2 buckets": "hash, buckets = 2", "hashing into 4 buckets": "hash, buckets = 4", "Laplace noise": "laplace"}


def test_both_ends_beside_bbgn19_are_todays() -> None:
    table = PAGE.partition("| randomizer | $\\varepsilon_0$ | $n$ | Hoeffding |")[2].partition("\n\n")[0].splitlines()[2:]
    assert len(table) == 20
    for row in table:
        name, epsilon0, users, *_, swap, least = (cell.strip() for cell in row.strip("|").split("|"))
        randomizer = RANDOMIZERS[NAMES.get(name, name.lower().replace(" ", "-"))](epsilon0)
        assert isinstance(randomizer, NamedRandomizer)
        asked = {"n": 10 ** int(users.strip("$")[-1]), "delta": "1e-6", **randomizer.asked_with()}
        above, below = (bounds.epsilon(**asked, method=method, engine="fast") for method in ("another-place", "homogeneous"))  # type: ignore[arg-type]
        assert (above.upper_float, below.lower_float) == pytest.approx((float(swap), float(least)), rel=CLOSE), row


def test_published_analyses_are_above_ours_and_the_published_pair_is_not_a_bound() -> None:
    k_rr, laplace = ({curve.label: curve.y for curve in panel.curves} for panel in literature(n="1000:10000:2").panels)
    for curves in (k_rr, laplace):
        for label in ("BBGN19, Bennett", "FMT21, clones", "variation ratio, sound pair", "Su, Cheng, Wang: blanket divergence"):
            assert all(
                lower is not None and value is not None and value > lower
                for value, lower in zip(curves[label], curves["ours: lower bound"], strict=True)
            )
    assert k_rr["variation ratio, as published"] == pytest.approx([0.080095, 0.0232517], rel=5e-6)
    assert all(claim < lower for claim, lower in zip(k_rr["variation ratio, as published"], [0.080131, 0.0232526], strict=True))  # type: ignore[operator]
    assert laplace["BBGN19, Bennett"] == pytest.approx([0.15655, 0.044977], rel=1e-4)
    assert laplace["ours: random swap"][1] < 0.86 * laplace["Su, Cheng, Wang: blanket divergence"][1]  # type: ignore[operator]


def test_ours_beside_published_code_is_todays() -> None:
    table = PAGE.partition("## Side by side with published code")[2].partition("|---|")[2].splitlines()[1:3]
    for row, asked, method in zip(
        table, ({"randomizer": "krr", "k": 10}, {"randomizer": "laplace"}), ("blanket", "another-place"), strict=True
    ):
        _, theirs, _, ours, _ = (cell.strip() for cell in row.strip("|").split("|"))
        (low, high), (above, below) = (
            [float(end) for end in ours.split(" to ")],
            (
                bounds.epsilon(n=1000, epsilon0=1, delta="1e-6", engine="fast", method=each, **asked)  # type: ignore[arg-type]
                for each in (method, "homogeneous")
            ),
        )
        assert (below.lower_float, above.upper_float) == pytest.approx((low, high), rel=CLOSE)
        assert low <= below.lower_float * (1 + 1e-9)
        assert above.upper_float <= high * (1 + 1e-9)
        assert float(theirs.split(" to ")[0]) < low < high < float(theirs.split(" to ")[1])


def test_the_shuffle_index_of_the_random_swap_bound_is_that_of_homogeneous_datasets() -> None:
    for name, _, *shown in shuffle_indices(local=("1",)).rows:
        blanket, swap, homogeneous = map(float, shown)
        assert blanket <= swap * (1 + 1e-9), name
        assert swap == pytest.approx(homogeneous, rel=5e-5 if name == "Gaussian noise" else 2e-5), name


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
    pair = fmt21.asked(fmt21.lower_end, {"n": 10**6, "epsilon0": 1, "delta": fmt21.DELTA}, method="binary-rr-pair")
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


MADE_BY = {
    "bc20-table1": "bc20:table1",
    "bc20-table2": "bc20:table2",
    "bc20-real-data": "bc20_real_data:simultaneous_error",
    "csuzz19-table1": "csuzz19:table1",
    "frequency-estimation": "frequency:by_randomizer",
    "literature": "literature:literature",
    "literature-table": "literature:literature_table",
    "shuffle-indices": "literature:shuffle_indices",
}
"""Which function makes a figure or table that is asked for by this name."""


def test_every_figure_has_a_name_and_fifty_points_or_more() -> None:
    names = {each.name: each.made_by for each in ENTRIES}
    assert MADE_BY.items() <= names.items()
    assert {"fig1", "fig2a", "fig2b", "fig2c", "fig3a", "fig3b", "fig3c", "fig3d", "fig4", "fig5", "table1"} <= names.keys()
    assert {made_by for name, made_by in names.items() if name.startswith("lszkg22")} == {
        *("lszkg22:distinct_items", "lszkg22:norms_only", "lszkg22:single_words", "lszkg22_synthetic:poisson_dirichlet"),
        *("lszkg22_histograms:histogram_study", "lszkg22_histograms:histogram_table"),
    }
    assert all(entry(name).in_report for name in ("bc20-table1", "bc20-table2"))
    assert min(fmt21.POINTS, fmt21_rounds.POINTS) >= 50
