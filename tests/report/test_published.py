"""What the report publishes: pages, tables of errata and of targets, formulas that are typeset."""

import re
import sys
from dataclasses import replace
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from shuffleproof.command_line import program
from shuffleproof.conformance.judging.judge import Verdict
from shuffleproof.conformance.reporting import report
from shuffleproof.impl.ball.bounds.variation_ratio.published_variation_ratio import claimed_delta, claimed_epsilon
from shuffleproof.ledger import statements
from shuffleproof.proofs_check import ledger
from shuffleproof.report import errata_table, formal_table, method_table
from shuffleproof.report.pages import is_erratum
from shuffleproof.report.published import explained, is_published
from shuffleproof.report.target_table import AIMS, Aim, rows_of
from shuffleproof.report.typeset import signs
from shuffleproof.spec.vocabulary.numerals import decimal_text

GIVEN = {"method": "shuffled-randomizer", "randomizer": "k-rr", "n": "100", "k": "10", "epsilon0": "1"}


def row(operation: str, value: Fraction) -> report.CaseResult:
    return report.CaseResult(
        id="1",
        operation=operation,
        given={**GIVEN, **({"delta": "1e-6"} if operation == "epsilon" else {"epsilon": "1/4"})},
        verdict=Verdict.UNSOUND,
        detail="below the truth",
        claim="upper",
        value=decimal_text(value, digits=12, direction="up"),
        expected="",
        flags=(),
    )


@pytest.mark.parametrize("operation", ["epsilon", "delta"])
def test_the_published_pair_is_recognised(operation: str) -> None:
    own = {"n": 100, "k": 10, "epsilon0": 1}
    claimed = claimed_epsilon(**own, delta="1e-6") if operation == "epsilon" else claimed_delta(**own, epsilon="1/4")  # type: ignore[arg-type]
    case = row(operation, claimed[1])
    assert "BEYOND.Published-variation-ratio" in explained(case).detail
    assert is_published(replace(case, given={**case.given, "randomizer": "krr"}))
    assert not is_published(row(operation, claimed[1] * Fraction(9998, 10000)))
    others: tuple[dict[str, Any], ...] = ({"verdict": Verdict.CONFORMS}, {"claim": "lower"}, {"operation": "renyi"}, {"value": "nan"})
    for other in others:
        assert not is_published(replace(case, **other))
    for changes in ({"k": "2"}, {"n": "100000"}, {"randomizer": "laplace"}, {"epsilon0": "none"}):
        assert not is_published(replace(case, given={**case.given, **changes}))
    assert explained(replace(case, verdict=Verdict.CONFORMS)).detail == "below the truth"


def test_what_is_below_its_methods_number_is_told_to_be_declared_as_another() -> None:
    case = replace(row("epsilon", Fraction(1, 10)), given={"method": "clones", "n": "100", "epsilon0": "1", "delta": "1e-6"})
    assert "the number that the method clones gives" in explained(case).detail
    for other in (replace(case, verdict=Verdict.LOOSE), replace(case, claim="lower"), row("epsilon", Fraction(1, 10**9))):
        assert explained(other).detail == "below the truth"


HARNESS = """
import json, sys
for message in map(json.loads, sys.stdin):
    if message["cmd"] == "stop":
        break
    greeting = {"version": 1, "implementation": {"name": "a paper", "version": "1", "language": "python"}}
    able = {"operations": ["epsilon"], "methods": ["shuffled-randomizer"], "randomizers": ["k-rr"]}
    told = {"start": {**greeting, "capabilities": able}, "configure": {"configured": True}}
    print(json.dumps(told.get(message["cmd"], {"seq": message.get("seq"), "claim": "upper", "value": sys.argv[1]})), flush=True)
"""


def test_a_report_that_says_so_is_read_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("cases.csv", "harness.py", "report.json")
    cases, harness, stored = (tmp_path / name for name in names)
    cases.write_text("operation,method,randomizer,k,n,epsilon0,delta\nepsilon,shuffled-randomizer,k-rr,10,100,1,1e-6\n", "utf-8")
    harness.write_text(HARNESS, "utf-8")
    answer = decimal_text(claimed_epsilon(n=100, k=10, epsilon0=1, delta="1e-6")[1], digits=12, direction="up")
    asked = f"cmd:{sys.executable} {harness} {answer}"
    with pytest.raises(SystemExit, match="1"):
        program.main(["conform", "run", "-i", asked, "--cases", str(cases), "--report", str(stored)])
    assert "BEYOND.Published-variation-ratio" in report.read(stored)["cases"][0]["detail"]
    with pytest.raises(SystemExit, match="1"):
        program.main(["conform", "show", str(stored)])
    assert "refuted" in capsys.readouterr().out


DOCS = Path(__file__).resolve().parents[2] / "docs"
WRITTEN = {"errata.md": errata_table, "formal-methods.md": formal_table, "methods.md": method_table}


@pytest.mark.parametrize("page", WRITTEN)
def test_a_page_is_what_the_code_writes(page: str) -> None:
    made = WRITTEN[page]
    assert (DOCS / page).read_text("utf-8") == made.markdown(), f"run python -m {made.__name__} > docs/{page}"


def test_the_errata_are_those_of_the_report() -> None:
    refuted = statements(status="refuted")
    told = [each.id for each in refuted if is_erratum({"provenance": each.provenance, "kind": each.kind})]  # type: ignore[typeddict-item]
    assert [each.id for each in statements(errata=True)] == told


PAGE_TARGETS = (DOCS / "mathematics" / "targets.md").read_text("utf-8")
QUICK = next(i for i, aim in enumerate(AIMS) if aim.n >= 10**6 and aim.words.startswith("all"))


def test_there_is_a_row_for_every_aim() -> None:
    assert len(rows_of(PAGE_TARGETS)) == len(AIMS)


def test_a_row_of_another_ratio_is_noticed() -> None:
    aim, row = AIMS[QUICK], rows_of(PAGE_TARGETS)[QUICK]
    assert aim.agrees(row)
    assert not aim.agrees([*row[:5], "1.0123", *row[6:]])
    assert not aim.agrees([*row[:7], "missed"])


@pytest.mark.parametrize("i", range(len(AIMS)))
def test_every_row_is_todays(i: int) -> None:
    aim: Aim = AIMS[i]
    assert aim.agrees(rows_of(PAGE_TARGETS)[i]), aim


def test_no_statement_says_what_another_says_unless_it_repeats_it() -> None:
    """Words that were copied to the wrong row would say what its row does not."""
    rows: dict[str, list[str]] = {}
    for entry in ledger.registry().values():
        rows.setdefault(entry.says, []).append(entry.id)
    assert [ids for ids in rows.values() if len(ids) > 1] == []


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "x_<b>", "e^(<i>)", "a & b", 'on="x"'])
def test_words_never_become_markup(text: str) -> None:
    made = signs(text)
    assert re.sub(r"</?su[bp]>", "", made).count("<") == 0
    assert not re.search(r"&(?!lt;|gt;|amp;|#)", made)


@pytest.mark.parametrize(
    ("text", "shown"), [("k-rr-delta",) * 2, ("shuffleproof.spec.bounds.clones.clones",) * 2, ("kappa_2x", "κ<sub>2x</sub>")]
)
def test_names_stay_names(text: str, shown: str) -> None:
    assert unescape(signs(text)) == shown
