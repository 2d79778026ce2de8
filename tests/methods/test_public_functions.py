"""Everything that the command line does is a function that returns a frozen record, and the commands print what these return."""

import dataclasses
import json
import pickle
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import shuffleproof as sp
from shuffleproof.planning.sweep.points import numbers

DISTRIBUTION = {"no": {"a": "3/4", "b": "1/4"}, "yes": {"a": "1/4", "b": "3/4"}}
BITS = "x\n1\n0\n1\n1\n"


def frozen(record: Any) -> Any:
    """The record, which can be hashed, pickled, and not be changed."""
    assert hash(record) == hash(pickle.loads(pickle.dumps(record)))
    assert pickle.loads(pickle.dumps(record)) == record
    name = dataclasses.fields(record)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(record, name, None)
    return record


@pytest.mark.parametrize(
    "record",
    [
        lambda: sp.calibrate.zero_sum(n=100, epsilon=1, delta="1e-3"),
        lambda: sp.calibrate.histogram(n=100, epsilon=1, delta="1e-3"),
        lambda: sp.calibrate.bit_sum(n=np.int64(100), epsilon=1, delta="1e-3"),
        lambda: sp.calibrate.real_sum(n=30, epsilon=1, delta="1e-2", view="untagged", runs=[1, 2]),
        lambda: sp.calibrate.frequency(randomizer="krr", n=1000, k=4, epsilon="1/2", delta="1e-4"),
        lambda: sp.calibrate.user_histogram(threshold=3, domain_size=4, relation=sp.Relation.REPLACE_ONE, epsilon=1, delta="1e-3"),
        lambda: sp.advise(task="bit-sum", n=100, epsilon=1, delta="1e-3"),
        lambda: sp.compare(n=20, epsilon0="ln 2", delta="1e-2"),
        lambda: sp.audit.distribution(DISTRIBUTION, epsilon0="ln 3", n=3, epsilon="ln 2", delta="1/2"),
        lambda: sp.ledger.show("FMT21.LemF.2"),
        lambda: sp.shuffled(sp.AnyRandomizer(epsilon0=1), n=10).rounds(2),
    ],
)
def test_every_function_returns_a_frozen_record(record: Any) -> None:
    frozen(record())


@pytest.mark.parametrize(
    ("call", "parameter"),
    [
        (lambda: sp.calibrate.bit_sum(n=0, epsilon=1, delta="1e-3"), "n"),
        (lambda: sp.calibrate.frequency(randomizer="kr", n=9, k=2, epsilon=1, delta="1e-3"), "randomizer"),  # type: ignore[arg-type]
        (lambda: sp.calibrate.real_sum(n=9, epsilon=1, delta="1e-3", view="tag"), "view"),  # type: ignore[arg-type]
        (lambda: sp.advise(task="bitsum", n=9, epsilon=1, delta="1e-3"), "task"),  # type: ignore[arg-type]
        (lambda: sp.advise(task="bit-sum", n=9, epsilon=1, delta="1e-3", most_messages=0), "most_messages"),
        (lambda: sp.compare(n=9, epsilon0=1), "delta"),
        (lambda: sp.compare(n=9, epsilon0=1, delta0=2, delta="1e-6"), "delta0"),
        (lambda: sp.compare(n=9, epsilon0=1, delta0="1e-9", delta="1e-6", randomizer="laplace"), "delta0"),
        (lambda: sp.compare(n=9, delta="1e-6"), "epsilon0"),
        (lambda: sp.compare(n=9, sigma="1/11", delta="1e-6"), "sigma"),
        (lambda: sp.compare(n=9, sigma=1, epsilon0=1, delta="1e-6"), "epsilon0"),
        (lambda: sp.compare(n=9, sigma=1, delta0=0, delta="1e-6"), "delta0"),
        (lambda: sp.compare(n=9, sigma=1, randomizer="laplace", delta="1e-6"), "randomizer"),
        (lambda: sp.audit.distribution(DISTRIBUTION, n=3), "epsilon"),
        (lambda: sp.audit.distribution(DISTRIBUTION, delta="0.1"), "delta"),
        (lambda: sp.audit.samples(([1], [2, 3]), epsilon=1, delta=0), "samples"),
        (lambda: sp.conformance.starter("cobol"), "language"),  # type: ignore[arg-type]
        (lambda: sp.conformance.run("cmd:true", skip_must_fail=True), "skip_must_fail"),
        (lambda: sp.run.bit_sum(data="/nowhere.csv", column="x", epsilon=1, delta=0, noise=1), "delta"),
        (lambda: sp.run.real_sum(data="x", column="x", epsilon=1, delta=1, noise=1, view="t"), "view"),  # type: ignore[arg-type]
        (lambda: sp.sweep(n=9, epsilon0=1, output="x.jsonl"), "delta"),
    ],
)
def test_an_error_names_the_argument_that_was_used(call: Any, parameter: str) -> None:
    with pytest.raises(sp.DomainError) as error:
        call()
    assert error.value.parameter == parameter


def test_a_comparison_has_a_bracket_of_the_truth() -> None:
    found = sp.compare(n=20, epsilon0="ln 2", delta="1e-2")
    assert {row.method for row in found} >= {"clones", "stronger-clones", "binary-rr-pair"}
    assert found.bracket.upper.upper == min(row.bound.upper for row in found if row.bound and row.bound.claim_side == "upper")


def test_randomizers_that_leak_are_compared_with_what_holds_for_all_of_them() -> None:
    found = sp.compare(n=2, epsilon0="ln 2", delta0="1e-6", epsilon="1/2")
    assert [row.method for row in found if row.bound is None] == ["approximate-clones-closed-form"]
    assert {row.method for row in found} == {
        *(f"{each}approximate-clones" for each in ("", "stronger-")),
        *(
            "approximate-clones-closed-form",
            "first-arrival-approximate",
            "leaking-response",
            "binary-rr-pair",
            "k-rr-pair",
            "adaptive-pair",
        ),
    }
    assert found.bracket.lower.method == "leaking-response"


def test_gaussian_noise_is_compared_by_its_own_methods() -> None:
    found = sp.compare(n=40, sigma=2, epsilon="1/2")
    assert [(row.method, row.why_not) for row in found] == [(f"gaussian-{each}", None) for each in ("blanket", "place", "homogeneous")]
    assert found.of == "n = 40, sigma = 2, eps = 1/2"
    whole = sp.shuffled(sp.Gaussian(sigma=2), n=40).delta(epsilon="1/2")
    assert found.bracket.upper.upper == whole.upper.upper
    assert found.bracket.lower == whole.lower is not None
    assert 0 < whole.lower.lower < whole.upper.upper


def test_a_distribution_is_judged_from_python_as_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "law.json").write_text(json.dumps({"format": "shuffleproof-law-1", "inputs": DISTRIBUTION}), "utf-8")
    for law in (DISTRIBUTION, tmp_path / "law.json"):
        assert sp.audit.distribution(law, epsilon0="ln 3").standing == "supported"
        assert sp.audit.distribution(law, epsilon0=1).standing == "contradicted"
    assert sp.audit.distribution([["0.7", "0.3"], ["0.3", "0.7"]], rounding="0.1", epsilon0="ln 3").standing == "undecided"


def test_samples_that_tell_two_inputs_apart_show_a_violation() -> None:
    assert sp.audit.samples(([0] * 400, [1] * 400), epsilon=1, delta="1e-6").violation
    assert not sp.audit.samples((np.zeros(400), np.zeros(400)), epsilon=1, delta="1e-6").violation  # type: ignore[arg-type]


def test_claims_in_a_table_are_judged(tmp_path: Path) -> None:
    (tmp_path / "claims.csv").write_text("n,eps0,delta,epsilon\n100,1,1e-6,0.1\n100,1,1e-6,0.9\n", "utf-8")
    assert [str(each.standing) for each in sp.audit.claims(tmp_path / "claims.csv")] == ["impossible", "sound"]
    told = {"n": 100, "eps0": 1, "delta": "1e-6"}
    assert [str(each.standing) for each in sp.audit.claims([{**told, "epsilon": "0.1"}, {**told, "epsilon": 0.9}])] == [
        "impossible",
        "sound",
    ]
    with pytest.raises(sp.DomainError, match="row 2, epsilon"):
        sp.audit.claims([{**told, "epsilon": 1}, told])
    with pytest.raises(sp.DomainError, match="row 1, delta = 2"):
        sp.audit.claims([{**told, "delta": 2, "epsilon": 1}])
    with pytest.raises(sp.DomainError, match="did you mean 'eps0'"):
        sp.audit.claims([told], columns={"eps": "x"})


def test_a_formula_is_judged() -> None:
    place = {"n": "1000", "eps0": "1", "delta": "1e-6"}
    found = sp.audit.formula("eps0*sqrt(ln(1/delta)/n)", fixed=place, points=0)
    assert (str(found.standing), len(found.judgements)) == ("impossible", 1)
    assert str(sp.audit.formula("eps0", fixed=place, points=0).standing) == "sound"
    with pytest.raises(sp.DomainError, match="did you mean 'theorem"):
        sp.audit.shipped("theorem-3")
    for wrong, parameter in (({"expression": "eps0*"}, "expression"), ({"points": -1}, "points"), ({"where": "eps0"}, "where")):
        with pytest.raises(sp.DomainError, match=parameter):
            sp.audit.formula(**{"expression": "eps0", "fixed": place, "points": 0, **wrong})  # type: ignore[arg-type]


def test_a_conformance_run_is_a_report_with_its_exit_code() -> None:
    report = sp.conformance.smoke("py:shuffleproof.verification.own_harness:exact")
    assert report.exit_code == 0
    assert report.results
    assert sp.conformance.suites()["smoke"] > 0
    assert "def " in sp.conformance.starter("python")


def test_the_ledger_is_read_and_decided_again() -> None:
    assert sp.ledger.show("FMT21.LemF.2").status == "refuted"
    assert len(sp.ledger.statements(paper="FMT21")) > 50
    seen: list[str] = []
    found = sp.ledger.check("FMT21.Lem2.3", on_finished=seen.append)
    assert (found.drift, found.faults, len(found.rows), seen) == ((), (), 1, ["FMT21.Lem2.3"])


def test_a_figure_is_made_and_saved(tmp_path: Path) -> None:
    table = sp.figures.make("fig1")
    sp.figures.save(table, tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_bytes() == table.csv()
    with pytest.raises(sp.DomainError, match=r"ends in \.svg"):
        sp.figures.save(table, tmp_path / "table.docx")
    assert "fig2a" in sp.figures.names()


def test_a_run_on_data_comes_with_its_guarantee(tmp_path: Path) -> None:
    (tmp_path / "bits.csv").write_text(BITS, "utf-8")
    found = frozen(sp.run.bit_sum(data=str(tmp_path / "bits.csv"), column="x", epsilon=1, delta="0.5", noise=3))
    assert found.n == 4
    assert found.guarantee.certified <= 0.5


def test_a_sweep_from_python_is_continued_where_it_stopped(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    given: dict[str, Any] = {
        "n": [10, 20],
        "epsilon0": "ln 2",
        "epsilon": np.array([0.25]),
        "workers": 1,
        "output": tmp_path / "grid.jsonl",
    }
    found = frozen(sp.sweep(**given, on_progress=lambda done, total: seen.append((done, total))))
    assert (found.points, found.already_there, found.refused, seen[-1]) == (2, 0, 0, (2, 2))
    assert sp.sweep(**given).already_there == 2


def test_a_sweep_by_a_former_name_of_its_method_has_a_table(tmp_path: Path) -> None:
    given: dict[str, Any] = {"n": 10, "epsilon0": 1, "epsilon": 1, "workers": 1, "output": tmp_path / "grid.jsonl"}
    assert sp.sweep(**given, method="another-place-for-all").columns()["at_most"] == [0.0]


def test_a_float_in_a_sweep_stands_for_its_binary_value() -> None:
    (text,) = numbers(0.1, parameter="x")
    assert sp.AnyRandomizer(epsilon0=text) != sp.AnyRandomizer(epsilon0="0.1")
    assert Fraction(text) == Fraction(0.1)
    assert numbers(["0.1", "ln 2"], parameter="x") == ("0.1", "ln 2")


def test_every_group_of_functions_is_in_the_reference() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "python.md").read_text("utf-8")
    groups = [module.__name__ for name in sp.__all__ if isinstance(module := getattr(sp, name), ModuleType)]
    assert len(groups) > 6
    assert [name for name in groups if f".. automodule:: {name}\n   :members:" not in page] == []
