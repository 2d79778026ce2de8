"""The page beside the literature is recomputed: who is above whom, what is unsound, and one shuffle index from both sides."""

import pytest

from shuffleproof.figures.literature import literature, shuffle_indices
from shuffleproof.figures.registry import entry


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


def test_the_shuffle_index_of_the_random_swap_bound_is_that_of_homogeneous_datasets() -> None:
    for name, _, *shown in shuffle_indices(local=("1",)).rows:
        blanket, swap, homogeneous = map(float, shown)
        assert blanket <= swap * (1 + 1e-9), name
        assert swap == pytest.approx(homogeneous, rel=5e-5 if name == "Gaussian noise" else 2e-5), name


def test_the_figures_have_names() -> None:
    assert {entry(name).made_by for name in ("literature", "literature-table", "shuffle-indices")} == {
        f"literature:{made}" for made in ("literature", "literature_table", "shuffle_indices")
    }
