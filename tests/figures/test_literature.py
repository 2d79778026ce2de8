"""The page beside the literature is recomputed: who is above whom, what is unsound, and one shuffle index from both sides."""

import re
from pathlib import Path

import pytest

from shuffleproof import bounds
from shuffleproof.figures.literature import literature, shuffle_indices
from shuffleproof.figures.registry import entry
from shuffleproof.figures.whole_laws import RANDOMIZERS
from shuffleproof.mechanisms.randomizers import NamedRandomizer

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


def test_the_figures_have_names() -> None:
    assert {entry(name).made_by for name in ("literature", "literature-table", "shuffle-indices")} == {
        f"literature:{made}" for made in ("literature", "literature_table", "shuffle_indices")
    }
