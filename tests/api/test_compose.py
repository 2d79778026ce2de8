"""`shuffleproof compose`: rows, sides and refusals."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from shuffleproof.command_line import main
from shuffleproof.composition import compose
from shuffleproof.spec.errors import DomainError


def test_every_certified_row_is_ordered_as_theory_says() -> None:
    rows = {row.name: row for row in compose(n=100_000, epsilon0=1, rounds=64, delta="1e-6", engine="fast", cells=48)}
    epsilons = {name: row.epsilon for name, row in rows.items()}
    assert all(value is not None for value in epsilons.values())
    values = [float(value or 0) for value in epsilons.values()]
    basic, advanced, optimal, renyi, grid, library = values
    assert grid < renyi < optimal < advanced < basic
    assert library == pytest.approx(grid, rel=1e-3)
    assert [row.certified for row in rows.values()] == [True] * 5 + [False]


def test_one_round_on_the_grid_is_the_bound_itself() -> None:
    from shuffleproof import epsilon

    rows = {row.name: row.epsilon for row in compose(n=2000, epsilon0=1, engine="fast", rounds=1, delta="1e-5", cells=64)}
    truth = epsilon(n=2000, epsilon0=1, delta="1e-5")
    grid = rows["the pair itself, on a grid"]
    assert grid is not None
    assert truth.lower <= grid <= truth.upper * 1001 / 1000
    basic = rows["basic composition"]
    assert basic is not None
    assert truth.lower <= basic <= truth.upper * (1 + Fraction(1, 10**8))


def test_the_command_line_prints_what_is_certified(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["compose", "-n", "500", "--eps0", "ln 3", "--rounds", "4", "--delta", "1e-4"]
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert not ended.value.code
    text = capsys.readouterr().out
    assert text.count("certified  ") == 5
    assert "UNCERTIFIED" in text
    with pytest.raises(SystemExit):
        main([*arguments, "--format", "json"])
    found = json.loads(capsys.readouterr().out)
    assert found["least_certified"] == min((row["upper"] for row in found["rows"] if row["certified"]), key=float)
    assert "estimate" in found["rows"][-1]
    assert "upper" not in found["rows"][-1]


@pytest.mark.parametrize(
    "wrong",
    [{"delta": 0}, {"delta": 1}, {"rounds": 0}, {"rounds": 10**7}, {"epsilon0": 0}, {"n": 0}, {"method": "binary-rr-pair"}, {"delta": "x"}],
)
def test_bad_input_is_refused_before_any_work(wrong: dict[str, object]) -> None:
    with pytest.raises(DomainError):
        compose(**{"n": 10**9, "epsilon0": 1, "rounds": 10, "delta": "1e-6", **wrong})  # type: ignore[arg-type]
