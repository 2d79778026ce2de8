"""The verbs around the ledger, the conformance kit and the vectors, each with its exit codes."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from commands import ended
from harnesses import HONEST, fake

from shuffleproof.conformance import vectors
from shuffleproof.conformance.third_party import environments
from shuffleproof.conformance.third_party.targets import JUDGED_EARLIER, NOT_JUDGED
from shuffleproof.proofs_check import ledger
from shuffleproof.proofs_check.ledger import Entry, Status, checking
from shuffleproof.verification import ledger_run


def test_the_ledger_is_listed_with_the_recorded_status(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ended(capsys, "ledger", "list")
    record = ledger.recorded()
    assert code == 0
    for line in out.splitlines():
        id, status = line.split(maxsplit=1)
        assert status.startswith(record[id].status)
    rows = json.loads(ended(capsys, "ledger", "list", "--paper", "FMT21", "--format", "json")[1])
    assert [row["id"] for row in rows] == [line.split()[0] for line in out.splitlines() if line.startswith("FMT21.")]


def test_the_ledger_is_listed_by_status_and_errata_are_told_from_readings(capsys: pytest.CaptureFixture[str]) -> None:
    refuted = json.loads(ended(capsys, "ledger", "list", "--status", "refuted", "--format", "json")[1])
    errata = json.loads(ended(capsys, "ledger", "list", "--errata", "--format", "json")[1])
    assert {row["recorded"] for row in refuted} == {"refuted"}
    assert [row["id"] for row in errata] == [row["id"] for row in refuted if row["kind"] != "reading"]
    assert 0 < sum(row["weight"] is not None for row in errata) < len(errata) < len(refuted)
    assert "refuted (reading)" in ended(capsys, "ledger", "list", "--status", "refuted")[1]
    assert ended(capsys, "ledger", "list", "--errata", "--status", "open")[:2] == (0, "")


def test_a_statement_is_shown_with_what_its_check_rejects(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ended(capsys, "ledger", "show", "FMT21.Lem2.3")
    assert code == 0
    shown = json.loads(ended(capsys, "ledger", "show", "FMT21.Lem2.3", "--format", "json")[1])
    for words in (shown["says"], shown["where"], *shown["mutants"]):
        assert words in out


@pytest.mark.parametrize(("id", "answer"), [("FMT21.Lem2.3", "yes"), ("FMT21.LemF.2", "no (")])
def test_a_statement_is_shown_with_whether_it_holds_as_printed(id: str, answer: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = ended(capsys, "ledger", "show", id)[1]
    assert f"as printed: {answer}" in out
    shown = json.loads(ended(capsys, "ledger", "show", id, "--format", "json")[1])
    assert shown["holds_as_printed"] is (answer == "yes")
    assert all((shown[name] is None) is (answer == "yes") for name in ("kind", "witness", "corrected"))


def test_recorded_statuses_are_listed_where_nothing_can_be_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(checking, "_EXTRA", ("a_package_that_nobody_has",))
    code, out, _ = ended(capsys, "ledger", "list", "--paper", "FMT21")
    assert code == 0
    assert "FMT21.LemF.2  refuted\n" in out
    assert "BC20" not in out


def test_a_statement_is_checked_again(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ended(capsys, "ledger", "check", "FMT21.Def2.2", "--format", "json")
    assert (code, err) == (0, "")
    (row,) = json.loads(out)
    assert {"id", "paper", "status", "domain", "cases", "slack", "witness", "rests_on", "seconds"} <= set(row)
    assert (row["id"], row["paper"]) == ("FMT21.Def2.2", "FMT21")


def test_what_is_refuted_is_answered_with_its_witness(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ended(capsys, "ledger", "check", "FMT21.LemF.2")
    assert code == 0
    assert "FMT21.LemF.2 is refuted" in out
    assert "witness:" in out
    assert "holds instead:" in out


def test_a_status_other_than_the_recorded_one_is_exit_code_1(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "recorded", lambda: {"FMT21.Def2.2": Entry(own_status=Status.OPEN, status=Status.OPEN)})
    code, _, err = ended(capsys, "ledger", "check", "FMT21.Def2.2")
    assert code == 1
    assert "drift: FMT21.Def2.2" in err


def test_a_check_that_goes_wrong_is_exit_code_70(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_run, "_carry_out", lambda task, budget: ["KeyError: 'x'"])
    code, _, err = ended(capsys, "ledger", "check", "FMT21.Def2.2")
    assert code == 70
    assert "FMT21.Def2.2: KeyError" in err


def test_a_ledger_with_nothing_to_check_is_exit_code_5(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "select", lambda *_, **__: [])
    assert ended(capsys, "ledger", "check")[0] == 5


@pytest.mark.parametrize(
    "arguments",
    [
        ("ledger", "list", "--status", "wrong"),
        ("ledger", "check", "--depth", "bottomless"),
        ("conform", "run", "-i", "nonsense"),
        ("conform", "run", "-i", HONEST, "--deadline", "-1"),
        ("conform", "run", "-i", HONEST, "--deadline", "soon"),
        ("vectors", "write", "--directory", "there/is/no/such/folder"),
        ("vectors", "write", "--directory", "/"),
        ("vectors", "write", "--directory", ""),
    ],
)
def test_a_bad_argument_is_one_line_and_exit_code_2(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    code, out, err = ended(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("verb", "connect", "code"),
    [
        ("smoke", HONEST, 0),
        ("smoke", fake("unsound"), 1),
        ("run", HONEST, 0),
        ("run", fake("loose"), 0),
        ("run", fake("unsound"), 1),
        ("run", fake("broken crashing"), 4),
    ],
)
def test_a_target_is_judged(capsys: pytest.CaptureFixture[str], verb: str, connect: str, code: int) -> None:
    suite = ("--suite", "smoke") if verb == "run" else ()
    found, out, _ = ended(capsys, "conform", verb, "-i", connect, *suite, "--format", "json")
    report = json.loads(out)
    assert found == code == report["exit_code"]
    assert sum(report["summary"].values()) == len(report["cases"]) > 0


def test_a_target_that_does_not_start_is_exit_code_4(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ended(capsys, "conform", "run", "-i", "cmd:there-is-no-such-program")
    assert (code, out, err.count("\n")) == (4, "", 1)


def test_what_speaks_against_a_target_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = ended(capsys, "conform", "run", "-i", fake("unsound"), "--suite", "smoke")
    lines = out.splitlines()
    assert any(line.strip().startswith("unsound: ") for line in lines)
    assert any("below the truth" in line for line in lines)
    assert "unsound" in lines[-1]


def test_a_third_party_package_is_judged_by_name(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def made(name: str, **_: Any) -> environments.Ready | environments.Missing:
        if name == "opendp":
            return environments.Missing(name=name, reason="cannot be installed")
        return environments.Ready(name=name, connect=fake("unsound"), version="1", seconds=0.0)

    monkeypatch.setattr(environments, "prepare", made)
    code, out, _ = ended(capsys, "conform", "third-party", "autodp")
    assert code == 1
    assert "unsound: " in out
    code, out, err = ended(capsys, "conform", "third-party", "opendp")
    assert (code, out) == (4, "")
    assert "opendp: cannot be installed" in err


def test_a_third_party_package_takes_the_options_of_a_run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = []

    def made(name: str, **_: Any) -> environments.Ready:
        prepared.append(name)
        return environments.Ready(name=name, connect=fake("loose"), version="1", seconds=0.0)

    monkeypatch.setattr(environments, "prepare", made)
    options = ("--suite", "smoke", "--jobs", "2", "--seed", "77", "--format", "json")
    code, out, _ = ended(capsys, "conform", "third-party", "autodp", *options)
    report = json.loads(out)
    assert (code, report["suite"], report["seed"], len(report["cases"])) == (0, "smoke", "77", vectors.suites()["smoke"])
    for wrong in (("--suite", "nonsense"), ("--jobs", "0"), ("--seed", "-1"), ("--report", "no/such/folder/r.html")):
        assert ended(capsys, "conform", "third-party", "autodp", *wrong)[0] == 2
    assert prepared == ["autodp"], "nothing is installed for a command that is refused"


def test_third_party_packages_are_listed_and_an_unknown_one_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ended(capsys, "conform", "third-party")
    assert code == 0
    names = [line.split()[0] for line in out.splitlines()]
    assert names[: -len(NOT_JUDGED) - len(JUDGED_EARLIER)] == list(environments.available())
    assert all(f"not judged: {package} {why}" in out for package, why in NOT_JUDGED.items())
    assert all(f"judged earlier: {package}, {found}" in out for package, found in JUDGED_EARLIER.items())
    code, out, _ = ended(capsys, "conform", "third-party", "--format", "json")
    assert code == 0
    assert [row["name"] for row in json.loads(out)["targets"]] == list(environments.available())
    code, _, err = ended(capsys, "conform", "third-party", "no-such-package")
    assert code == 2
    assert "must be one of opendp" in err


def test_a_stored_report_is_shown_and_a_damaged_one_is_exit_code_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    code, out, _ = ended(capsys, "conform", "run", "-i", fake("unsound"), "--suite", "smoke", "--report", str(path))
    assert ended(capsys, "conform", "show", str(path)) == (code, out, "")
    path.write_bytes(path.read_bytes()[:-100])
    code, out, err = ended(capsys, "conform", "show", str(path))
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_the_suites_are_listed_and_what_a_harness_declares(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ended(capsys, "conform", "list")
    assert code == 0
    assert set(vectors.suites()) == {line.partition(":")[0] for line in out.splitlines()}
    suites = json.loads(ended(capsys, "conform", "list", "--format", "json")[1])["suites"]
    assert {row["suite"]: row["cases"] for row in suites} == vectors.suites()
    text = ended(capsys, "conform", "list", "-i", HONEST)[1]
    declared = json.loads(ended(capsys, "conform", "list", "-i", HONEST, "--format", "json")[1])
    assert declared["capabilities"]["randomizers"] == ["binary-rr", "k-rr"]
    for row in declared["suites"]:
        assert f"{row['declared']} of {row['cases']}" in text


def test_the_packaged_vectors_are_sound(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ended(capsys, "vectors", "lint")
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == len(vectors.load_all())
    assert json.loads(ended(capsys, "vectors", "lint", "--format", "json")[1])["findings"] == []


@pytest.mark.parametrize("damage", [lambda text: text.replace('"n": "10"', '"n": "11"', 1), lambda text: text[:-20], lambda text: ""])
def test_a_damaged_vectors_file_is_a_finding(capsys: pytest.CaptureFixture[str], tmp_path: Path, damage: Any) -> None:
    text = (vectors.DIRECTORY / "delta.json").read_text("utf-8")
    assert damage(text) != text
    (tmp_path / "delta.json").write_text(damage(text), "utf-8")
    code, out, err = ended(capsys, "vectors", "lint", "--directory", str(tmp_path))
    assert (code, out.count("\n"), err) == (1, 1, "")
    assert "delta.json" in out


def test_vectors_are_written_where_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from shuffleproof.conformance.catalogue import generate

    def write(directory: Path, *, step: Any) -> tuple[Path, ...]:
        step("delta clones n=1")
        return (directory / "delta.json",)

    monkeypatch.setattr(generate, "write", write)
    assert ended(capsys, "vectors", "write", "--directory", str(tmp_path)) == (0, f"{tmp_path / 'delta.json'}\n", "")
    shutil.copytree(vectors.DIRECTORY, tmp_path, dirs_exist_ok=True)
    (tmp_path / vectors.VERSION).write_text("version 1.0.0\ncases 0\n", "utf-8")
    assert (
        "the cases are not those of version 1.0.0: give them another one"
        in ended(capsys, "vectors", "write", "--directory", str(tmp_path)).out
    )
    assert json.loads(ended(capsys, "vectors", "write", "--directory", str(tmp_path), "--format", "json")[1]) == [
        str(tmp_path / "delta.json")
    ]


@pytest.mark.parametrize(("number", "code", "word"), [(signal.SIGTERM, 143, "terminated"), (signal.SIGINT, 130, "interrupted")])
def test_a_signal_ends_a_run_with_its_code_and_one_line(tmp_path: Path, number: int, code: int, word: str) -> None:
    """Neither a half-written report nor a harness is left; what was asked until then is reported, and as interrupted."""
    command = [
        sys.executable,
        "-m",
        "shuffleproof",
        "conform",
        "run",
        "-i",
        fake("broken hanging"),
        "--report",
        str(tmp_path / "report.json"),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    until = time.monotonic() + 20
    while not children.read_text() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (code, f"shuffleproof: {word}\n")
    assert [path.name for path in tmp_path.iterdir()] == (["report.json"] if out else [])
    assert out == "" or "cases were not asked" in out
