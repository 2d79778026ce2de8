"""Claims in tables, and formulas that claim, judged against brackets of the truth."""

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
from commands import output_of
from hypothesis import given, strategies as st

from shuffleproof.claims import region
from shuffleproof.claims.formula import Formula
from shuffleproof.claims.judging import Judgement, Judgements, Standing, judged
from shuffleproof.claims.region import survey
from shuffleproof.claims.shipped import PUBLISHED, SHIPPED, compared, shipped
from shuffleproof.claims.table import of_rows, read
from shuffleproof.spec.vocabulary.errors import DomainError, UnsupportedError

GIVEN = {"n": "100", "eps0": "1", "delta": "1e-3"}
BRACKET = judged(given=GIVEN, claimed=(Fraction(0), Fraction(0))).bracket


@pytest.mark.parametrize(
    ("claimed", "standing"),
    [
        (Fraction(0), Standing.IMPOSSIBLE),
        (BRACKET.lower.lower - Fraction(1, 10**30), Standing.IMPOSSIBLE),
        (BRACKET.lower.lower, Standing.UNDECIDED),
        (BRACKET.upper.upper - Fraction(1, 10**30), Standing.UNDECIDED),
        (BRACKET.upper.upper, Standing.SOUND),
        (Fraction(5), Standing.SOUND),
    ],
)
def test_a_claim_is_judged_at_the_ends_to_the_last_digit(claimed: Fraction, standing: Standing) -> None:
    assert judged(given=GIVEN, claimed=(claimed, claimed)).standing is standing


def test_a_claim_known_only_between_two_ends_is_judged_by_all_of_it() -> None:
    low, high = BRACKET.lower.lower, BRACKET.upper.upper
    assert judged(given=GIVEN, claimed=(low / 2, low)).standing is Standing.UNDECIDED
    assert judged(given=GIVEN, claimed=(low, high + 1)).standing is Standing.UNDECIDED


def test_a_claim_whose_delta_is_known_only_between_two_ends_is_judged_by_all_of_it() -> None:
    claimed, least, most = (BRACKET.upper.upper,) * 2, Fraction(1, 10**6), Fraction(1, 1000)
    assert judged(given=GIVEN, claimed=claimed, delta=(most, most)).standing is Standing.SOUND
    assert judged(given=GIVEN, claimed=claimed, delta=(least, least)).standing is Standing.IMPOSSIBLE
    assert judged(given=GIVEN, claimed=claimed, delta=(least, most)).standing is Standing.UNDECIDED


def test_theorem_3_1_is_sound_inside_its_condition_and_the_root_without_it_is_not() -> None:
    inside = shipped("theorem-3.1")
    assert inside.where is not None
    found = survey(Formula(inside.epsilon), condition=Formula(inside.where), points=5)
    assert found.judgements
    assert found.standing is Standing.SOUND
    wrong = survey(Formula(f"({inside.epsilon})/40"), condition=Formula(inside.where), points=5)
    assert wrong.witness is not None


def test_a_wrong_formula_gets_its_simplest_witness() -> None:
    found = survey(Formula(shipped("aidotnet").epsilon), points=0)
    assert found.witness.given["eps0"] == "1"
    assert found.count(Standing.IMPOSSIBLE) > 0
    assert found.count(Standing.SOUND) > 0


def test_a_point_that_is_met_again_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    truth, asked = region.judged, list[object]()
    monkeypatch.setattr(region, "judged", lambda **given: asked.append(given) or truth(**given))
    found = survey(Formula("eps0"), fixed={"n": "100", "eps0": "1", "delta": "1e-6"}, points=3)
    assert (len(found.judgements), len(asked)) == (4, 1)


def test_every_shipped_formula_can_be_read() -> None:
    for each in SHIPPED:
        for text in (each.epsilon, each.delta, each.where):
            assert text is None or Formula(text)


def test_a_picture_of_claims_has_the_factor_of_each_over_what_varies() -> None:
    """Too small lies below 1, loose above; a claim of 0 is off by no finite factor, and alone it has no picture."""
    figure = pytest.importorskip("matplotlib.figure")
    low, high = BRACKET.lower.lower, BRACKET.upper.upper
    points = [(0, "1e-3"), (low / 4, "1e-4"), (low, "1e-5"), (3 * high, "1e-9")]
    claims = [Judgement(given={**GIVEN, "delta": delta}, claimed=(Fraction(at), Fraction(at)), bracket=BRACKET) for at, delta in points]
    axes = Judgements(claims).plot(figure.Figure().add_subplot())
    assert [(*line.get_xdata(), *line.get_ydata()) for line in axes.lines[:3]] == [(1e-4, 0.25), (1e-5, 1.0), (1e-9, 3.0)]
    assert (axes.get_xlabel(), axes.get_xscale(), axes.get_yscale()) == ("delta", "log", "log")
    with pytest.raises(UnsupportedError, match="no claim has a finite factor"):
        Judgements(claims[:1]).plot()


def test_the_page_of_shipped_formulas_tells_each_with_its_place_and_witness() -> None:
    """One that falls below the truth at once, and one that holds."""
    from shuffleproof.report.claims import of_formula, page

    surveys = [(shipped(name), survey(Formula(shipped(name).epsilon), fixed={"n": "100"}, points=0)) for name in ("optirs", "theorem-3.1")]
    text = page([of_formula(each, found) for each, found in surveys])
    assert all(each.file in text for each, _ in surveys)
    assert surveys[0][1].witness is not None
    assert "impossible: epsilon = " in text


def test_the_published_table_of_sums_is_sound_and_loose(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """draft-wang-ppm-differential-privacy: by a factor of 1.49 at epsilon0 = 5, and a number below the truth in its place is impossible."""
    from shuffleproof.report.claims import of_number, page

    found = compared(PUBLISHED[0])
    assert found.standing is Standing.SOUND
    assert Fraction(148, 100) < found.factor < Fraction(150, 100)
    assert "draft-wang" in page([of_number(PUBLISHED[0], found)])
    table = tmp_path / "draft.csv"
    table.write_text("n,eps0,delta,epsilon\n100000,5,1e-9,0.21\n", "utf-8")
    assert "impossible" in output_of(
        capsys, "audit", "claims", str(table), "--set", "randomizer=coordinate-sums", "--set", "changed=1", code=1
    )


def test_a_table_is_judged_row_by_row_with_its_own_column_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.csv"
    path.write_text("users,eps0,delta,claimed\n100,1,1e-3,5\n100,1,1e-3,0.001\n\n", "utf-8")
    options = ["--column", "n=users", "--column", "epsilon=claimed"]
    rows = json.loads(output_of(capsys, "audit", "claims", str(path), *options, "--format", "json", code=1))
    assert [(row["line"], row["standing"]) for row in rows] == [(2, "sound"), (3, "impossible")]


def test_columns_may_be_called_as_in_python_or_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("n,epsilon0,delta,eps\n100,1,1e-3,5\n", "utf-8")
    (row,) = read(path)
    assert (row.given["eps0"], row.claimed) == ("1", "5")
    assert of_rows([{"n": 100, "epsilon0": 1, "delta": "1e-3", "eps": 5}])[0].claimed == "5"
    path.write_text("n,eps0,delta,epsilon,eps\n100,1,1e-3,5,4\n", "utf-8")
    assert read(path)[0].claimed == "5"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "first line"),
        ("n,eps0\n1,1\n", "delta, epsilon"),
        ("n,eps0,delta,epsilon\n1,1,1e-3\n", "line 2"),
        ("n,eps0,delta,epsilon\nx,1,1e-3,1\n", "line 2, n"),
        ("n,eps0,delta,epsilon\n10,1,1e-3,-1\n", "line 2, epsilon"),
        ("n,eps0,delta,epsilon\n10,1,1e-3,\n", "line 2, epsilon"),
        ("n,eps0,delta,epsilon,randomizer\n10,1,1e-3,1,lapace\n", "laplace"),
        ("n,eps0,delta,epsilon,randomizer\n10,1,1e-3,1,krr\n", "line 2, k"),
    ],
)
def test_a_bad_table_is_refused_with_its_place(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(DomainError, match=named):
        [row.judged() for row in read(path)]
    with pytest.raises(DomainError, match="fixed = foo"):
        read(path, fixed={"foo": "1"})


def test_the_command_says_where_a_formula_fails(capsys: pytest.CaptureFixture[str]) -> None:
    out = output_of(capsys, "audit", "formula", "eps0/1000", "--points", "0", code=1)
    assert "impossible at every point asked with" in out
    output_of(capsys, "audit", "formula", "eps0", "--points", "0")
    for wrong in ([], ["eps0", "--shipped", "aidotnet"], ["eps0 < 1"], ["eps0", "--where", "n"], ["eps0", "--set", "n"]):
        output_of(capsys, "audit", "formula", *wrong, code=2)
    # A name that is none would be judged as if it had not been said: of a randomizer, for all of them.
    for value in ("randomiser=laplace", "n=0", "eps0=-1"):
        output_of(capsys, "audit", "formula", "eps0", "--set", value, "--points", "0", code=2)


AT = {"n": Fraction(1000), "eps0": Fraction(2), "delta": Fraction(1, 10**6), "k": Fraction(10)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2*3 - 4/8", 6.5),
        ("-2**2", -4.0),
        ("eps0^2", 4.0),
        ("sqrt(ln(1/delta)/n)", math.sqrt(math.log(1e6) / 1000)),
        ("log10(n) + log2(8) + log(e)", 7.0),
        ("min(eps0, 1, k) + max(0, pi) + abs(-1)", 2 + math.pi),
        ("epsilon0 + eps", 4.0),
        ("expm1(1e-3) + log1p(0)", math.expm1(1e-3)),
    ],
)
def test_a_formula_is_what_it_says(text: str, value: float) -> None:
    ends = Formula(text).ends(AT)
    assert ends[0] <= ends[1]
    assert float(ends[0]) == pytest.approx(value, rel=1e-14)


@given(st.fractions(-100, 100), st.fractions(min_value=1, max_value=100))
def test_the_ends_hold_the_exact_value(x: Fraction, y: Fraction) -> None:
    ends = Formula("eps0/delta - eps0*delta").ends({"eps0": x, "delta": y})
    assert ends[0] <= x / y - x * y <= ends[1]


def test_numbers_are_taken_as_they_are_written() -> None:
    ends = Formula("0.1*10 - 1").ends({})
    assert ends[0] <= 0 <= ends[1]
    assert ends[1] - ends[0] < Fraction(1, 10**40)


@pytest.mark.parametrize("text", ["ln(0)", "1/0", "sqrt(0-1)", "10**10**10"])
def test_where_there_is_no_value_there_is_none(text: str) -> None:
    assert Formula(text).ends({}) is None


@pytest.mark.parametrize(
    ("text", "holds"),
    [("eps0 <= 2", True), ("eps0 < 2", False), ("1 < eps0 < 3 and n > 10", True), ("ln(3) > 2", False), ("ln(4) > 2*ln(2)", None)],
)
def test_a_condition_is_true_false_or_not_known(text: str, holds: bool | None) -> None:
    assert Formula(text).holds(AT) is holds


@pytest.mark.parametrize(
    "text",
    ["", "x", "__import__('os')", "n.real", "[n]", "lambda: 1", "eval(n)", "sqrt()", "sqrt(n=1)", "True", "'a'", "n if n else 1",
     "(" * 300 + "1" + ")" * 300, "1" * 2000, "n = 1", "n or 1", "not n", "(n < 1) + 1", "1j", "n and n", "1 < n and k",
     "sqrt(1, 2)", "log(n, 2)"],
)  # fmt: skip
def test_what_is_not_understood_is_refused(text: str) -> None:
    with pytest.raises(DomainError, match="expression"):
        Formula(text).ends(AT)


def test_a_variable_without_a_value_is_named() -> None:
    with pytest.raises(DomainError, match="k = nothing"):
        Formula("k").ends({})
