"""Every type that public functions return prints, is a table and a picture; and `dir` of public modules shows what is theirs."""

import inspect
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from html import unescape
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import shuffleproof as sp
from shuffleproof.conformance.judging.judge import Verdict
from shuffleproof.conformance.reporting.report import CaseResult, Report
from shuffleproof.figures.chart import Curve, Figure, Panel, Side, Table
from shuffleproof.planning.composed import Composition, Compositions, Row
from shuffleproof.planning.plan.reading import parsed
from shuffleproof.spec.vocabulary.methods.clones import CLONES
from shuffleproof.spec.vocabulary.tables import Tabular

SURVEY = sp.shuffled(sp.KRR(k=3, epsilon0=1), n=50)
ASKED: dict[str, Any] = {"n": 1000, "epsilon": 1, "delta": "1e-6"}
CURVE = Curve(label="clones", side="upper", x=[1.0, 2.0], y=[0.5, None])
QUESTION = {"name": "q", "randomizer": "k-rr", "k": 2, "epsilon0": 1}
PLAN = {"target": {"epsilon": 1, "delta": "1e-6"}, "rounds": [{"name": "week", "users": 50, "questions": [QUESTION]}]}


def filtered() -> sp.Filter:
    budget = sp.Filter(epsilon="1/4", delta="1e-2")
    budget.admit(SURVEY, delta="9e-3")
    return budget


def planned() -> sp.PlanFilter:
    return sp.PlanFilter(parsed({"relation": "one-value", **PLAN}))


def composed(rounds: int) -> Composition:
    """What two ways might say of so many rounds: made by hand, as computing it takes seconds."""
    rows = tuple(
        Row(name=name, statement="FMT21.Sec6.1.basic", method=CLONES, engine=engine, epsilon=epsilon, says="s", seconds=0.1)
        for name, engine, epsilon in (
            ("basic", "ball", Fraction(rounds)),
            ("grid", "fast", Fraction(rounds, 10)),
            ("library", None, Fraction(1)),
        )
    )
    inputs = {"n": "50", "eps0": "1", "rounds": str(rounds), "delta": "1e-2"}
    return Composition(method="clones", rows=rows, below=SURVEY.epsilon(delta="1e-2").lower, inputs=inputs)


def reported(folder: Path) -> object:
    results = [
        CaseResult(id=id, operation="delta", given={}, verdict=verdict, detail="d", expected="1/2", flags=(), ratio=ratio, seconds=seconds)
        for id, verdict, ratio, seconds in (("a", Verdict.CONFORMS, None, 0.5), ("b", Verdict.LOOSE, "1.5", None))
    ]
    return Report(connect="cmd:x", suite="all", implementation={"name": "x"}, vectors={}, seed=1, digits=9, results=tuple(results))


def data_in(folder: Path) -> dict[str, str]:
    (folder / "domain.csv").write_text("item\n0\n1\n", "utf-8")
    (folder / "d.csv").write_text("user,item\n" + "".join(f"{k},{k % 2}\n" for k in range(400)), "utf-8")
    return {"data": str(folder / "d.csv"), "domain": str(folder / "domain.csv")}


def user_histogram(folder: Path) -> object:
    asked: dict[str, Any] = {"relation": sp.Relation.ADD_REMOVE, "epsilon": 1, "threshold": 1, "delta": None}
    return sp.run.user_histogram(user="user", item="item", **data_in(folder), **asked)


ANSWERS: dict[str, Callable[[Path], object]] = {
    "Bound": lambda _: SURVEY.delta(epsilon=1, method="clones"),
    "Bracket": lambda _: SURVEY.delta(epsilon=1),
    "Answers": lambda _: SURVEY.delta(epsilon=["0.1", "0.5"]),
    "Comparison": lambda _: sp.compare(n=50, epsilon0=1, delta="1e-3"),
    "Composition": lambda _: composed(2),
    "Compositions": lambda _: Compositions(rounds=(100, 2), each=(composed(100), composed(2))),
    "Advice": lambda _: sp.advise(task="bit-sum", **ASKED),
    "Sweep": lambda folder: sp.sweep(n="10,20", epsilon0="1", delta="1e-3", output=folder / "s.jsonl", workers=1),
    "Calibration": lambda _: sp.calibrate.zero_sum(**ASKED),
    "FrequencyCalibration": lambda _: sp.calibrate.frequency(randomizer="k-rr", k=4, **ASKED),
    "BestRuns": lambda _: sp.calibrate.real_sum(n=100, epsilon=1, delta="1e-2", view="untagged", runs=[1, 2]),
    "DistributionAudit": lambda _: sp.audit.distribution([["3/4", "1/4"], ["1/4", "3/4"]], epsilon0="ln 3"),
    "SampleAudit": lambda _: sp.audit.samples(([0] * 90 + [1] * 10, [0] * 10 + [1] * 90), epsilon="1/10", delta="1e-3"),
    "Judgements": lambda _: sp.audit.claims([{"n": 100, "eps0": 1, "delta": "1e-6", "epsilon": "0.1"}]),
    "Survey": lambda _: sp.audit.formula("eps0", fixed={"n": "9", "eps0": "1", "delta": "1e-3"}, points=0),
    "Report": reported,
    "Recorded": lambda _: sp.ledger.show("FMT21.Lem2.3"),
    "Checked": lambda _: sp.ledger.check("FMT21.Sec2.subadditivity"),
    "Filter": lambda _: filtered(),
    "Spent": lambda _: filtered().spent,
    "PlanFilter": lambda _: planned(),
    "Evaluation": lambda _: planned().evaluation,
    "Sum": lambda folder: sp.run.bit_sum(data=data_in(folder)["data"], column="item", epsilon=1, delta="1e-6", noise=90),
    "Histogram": lambda folder: sp.run.histogram(**data_in(folder), column="item", epsilon=1, delta="1e-6", noise=190),
    "UserHistogram": lambda folder: user_histogram(folder),
    "Figure": lambda _: Figure(title="t", panels=[Panel(title="", x_label="n", y_label="epsilon", curves=[CURVE])]),
    "Table": lambda _: Table(title="t", columns=["n", "epsilon"], rows=[["10", "0.5"]]),
}
"""One answer of each type. `Histogram` of users is `UserHistogram` where it is imported."""
PICTURELESS = {"DistributionAudit", "Recorded", "Checked", "PlanFilter", "UserHistogram", "Table"}
"""Nothing is claimed in numbers by these, or not by float: `plot` says so, but a table of texts has none."""
PLAIN = {"Shuffled", "RoundedDistribution", "GivenDistribution", "Fraction", "None", "Any"}
"""Inputs that functions make, not answers."""
MODULES = [it for name in sp.__all__ if isinstance(it := getattr(sp, name), ModuleType)]


@cache
def got(name: str, folder: Path) -> Any:
    """One answer, asked for once in the folder."""
    return ANSWERS[name](folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("answers")


def returned() -> set[str]:
    """The types that public functions say they return."""
    functions = [it for name in sp.__all__ if inspect.isfunction(it := getattr(sp, name))]
    functions += [it for module in MODULES for name in dir(module) if inspect.isfunction(it := getattr(module, name))]
    return {word for each in functions for word in re.findall(r"[A-Z]\w+", str(each.__annotations__["return"]))}


def tables(kind: type = Tabular) -> set[str]:
    """All types of tables that are imported by now, but for what they share."""
    kinds = kind.__subclasses__()
    return {each.__name__ for each in kinds if not inspect.isabstract(each)}.union(*map(tables, kinds))


def test_every_type_that_is_returned_and_every_table_is_asked_for_here() -> None:
    assert (returned() | tables()) - PLAIN <= set(ANSWERS)


@pytest.mark.parametrize("name", ANSWERS)
def test_it_prints_a_line_and_a_screen_and_html(name: str, folder: Path) -> None:
    it = got(name, folder)
    line, screen = repr(it), str(it)
    assert line.startswith(f"<{type(it).__name__}")
    assert len(line) <= 180
    assert "\n" not in line
    assert 1 <= len(screen.splitlines()) <= 40
    assert max(map(len, screen.splitlines())) <= 260
    large, _, small = it._repr_html_().partition("</span>")
    assert getattr(it, "headline", "t") in unescape(large)
    assert small.count("<td>") > 0


@pytest.mark.parametrize("name", [each for each in ANSWERS if each != "Table"])
def test_it_is_a_table_whose_ends_are_floats(name: str, folder: Path) -> None:
    it = got(name, folder)
    table = it.columns()
    assert isinstance(it, Tabular)
    assert len({len(column) for column in table.values()}) == 1
    ends = [x for column, cells in table.items() if column.endswith(("at_least", "at_most")) for x in cells]
    assert all(isinstance(x, float) for x in ends)


@pytest.mark.parametrize("name", [each for each in ANSWERS if each != "Table"])
def test_it_has_a_picture_or_says_why_not(name: str, folder: Path) -> None:
    from matplotlib.figure import Figure

    axes = Figure().add_subplot()
    if name in PICTURELESS:
        with pytest.raises(sp.UnsupportedError, match="no row has a bound"):
            got(name, folder).plot(axes)
    else:
        assert (drawn := got(name, folder).plot(axes)).lines or drawn.patches


def test_of_many_rounds_both_sides_and_each_way_are_drawn_on_logarithmic_axes(folder: Path) -> None:
    from matplotlib.figure import Figure

    many = got("Compositions", folder)
    axes = many.plot(Figure().add_subplot())
    assert [line.get_label() for line in axes.lines] == ["basic", "grid", "at most", "at least"]  # an estimate is no bound
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert [list(axes.lines[place].get_ydata()) for place in (1, 2)] == [[0.2, 10.0]] * 2
    assert list(axes.lines[-1].get_xdata()) == [2, 100]


def test_each_number_of_rounds_is_composed_by_itself() -> None:
    asked: dict[str, Any] = {"n": 10_000, "epsilon0": 1, "delta": "1e-3", "cells": 24, "engine": "ball", "method": "clones"}
    many = sp.compose(rounds=["2", 1], **asked)
    assert [one.bound for one in many] == [sp.compose(rounds=rounds, **asked).bound for rounds in (2, 1)]
    assert many.columns()["at_most"] == [one.bound.at_most for one in many]


def test_no_or_impossible_numbers_of_rounds_are_refused_before_any_work() -> None:
    for rounds in ([1, 0], []):
        with pytest.raises(sp.DomainError, match="rounds"):
            sp.compose(n=50, epsilon0=1, rounds=rounds, delta="1e-3")
        with pytest.raises(sp.DomainError, match="rounds"):
            SURVEY.rounds(rounds)


def test_many_rounds_of_an_object_are_answers_over_rounds() -> None:
    sums = sp.shuffled(sp.FromDistribution([["3/4", "1/4"], ["1/4", "3/4"]]), n=5)
    found = sums.rounds([4, 1]).epsilon(delta="1e-3")
    assert (found.over, found.points) == ("rounds", ("4", "1"))
    assert found[0].upper.upper == sums.rounds(4).epsilon(delta="1e-3").upper.upper > found[1].upper.upper


def test_numbers_in_html_are_rounded_to_the_side_of_their_column() -> None:
    found = sp.shuffled(sp.AnyRandomizer(epsilon0=1), n=50).delta(epsilon="0.3")
    low, high = (float(text) for text in re.findall(r"<td>([0-9][0-9.e-]*)</td>", found._repr_html_())[:2])
    assert low <= found.lower.lower <= found.upper.upper <= high
    shown = SURVEY.epsilon(delta=["1e-6", "1.23456789012e-6"])._repr_html_()
    assert "<td>1e-6</td>" in shown  # as it was asked, of which the float is a little below
    assert "<td>1.23456789012e-6</td>" in shown  # in full: of a smaller delta the epsilon beside it would not hold


def test_what_is_spent_and_upper_curves_are_rounded_up_in_html(folder: Path) -> None:
    """Mutant: every column down that is not called `at_most`."""
    spent, third = Fraction(123456789123, 10**14), 0.123456789123
    budget = sp.Filter(epsilon=1, delta="1e-2")
    budget.admit(SURVEY, delta=spent)
    for it in (budget, budget.spent):
        assert Fraction(re.findall(r"<td>(0.0012\d+)</td>", it._repr_html_())[0]) >= spent
    sides: tuple[Side, Side] = ("upper", "lower")
    curves = [Curve(label=side, side=side, x=[1.0], y=[third]) for side in sides]
    figure = Figure(title="t", panels=[Panel(title="", x_label="n", y_label="epsilon", curves=curves)])
    above, below = (float(text) for text in re.findall(r"<td>(0.12\d+)</td>", figure._repr_html_()))
    assert below < third < above


def public_modules() -> list[ModuleType]:
    """Those that `sp` names, and those in which its names are defined."""
    homes = {getattr(getattr(sp, name), "__module__", sp.__name__) for name in sp.__all__}
    return MODULES + [sys.modules[name] for name in sorted(homes) if name.startswith("shuffleproof.") and ".spec." not in name]


@pytest.mark.parametrize("module", public_modules(), ids=lambda module: module.__name__)
def test_dir_of_a_public_module_shows_what_it_defines(module: ModuleType) -> None:
    shown = {name for name in dir(module) if not name.startswith("_")}
    own = {name for name, it in vars(module).items() if name[0] != "_" and getattr(it, "__module__", None) == module.__name__}
    assert shown == own != set()
