"""The table of shuffled SGD, on fewer rows."""

from decimal import Decimal

import pytest

from shuffleproof.figures import shuffled_sgd
from shuffleproof.figures.registry import entry, made


def test_accuracy_falls_and_privacy_rises_with_the_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = shuffled_sgd.synthetic()
    monkeypatch.setattr(shuffled_sgd, "RUNS", 2)
    monkeypatch.setattr(shuffled_sgd, "synthetic", lambda: (whole[0][:4000], whole[1][:4000], whole[2], whole[3]))
    table = made(entry("shuffled-sgd"))
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]  # type: ignore[union-attr]
    assert {row["users"] for row in rows if row["data"] == "breast cancer"} <= {"456", "448"}
    for name in ("breast cancer", "synthetic"):
        own = [row for row in rows if row["data"] == name]
        assert [row["epsilon <="] == "none" for row in own] == [row["sigma"] == "0" for row in own]
        assert float(own[0]["accuracy"]) > float(own[-1]["accuracy"]) > 0.5
    amplified = [row for row in rows if row["data"] == "synthetic" and row["sigma"] != "0" and row["passes"] == "1"]
    assert all(Decimal(row["epsilon <="]) <= Decimal(row["one pass, order known"]) for row in amplified)
    assert any("569 rows" in note for note in table.notes)
