"""Stored vectors are what was written, or they are refused with the file and the place."""

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from shuffleproof.conformance import lint, stored_json, vectors
from shuffleproof.conformance.operations import OPERATIONS
from shuffleproof.spec.vocabulary.errors import DomainError, IntegrityError

PACKAGED = vectors.load_all()


def content(operation: str = "epsilon", *, cases: int = 2) -> dict[str, Any]:
    """A short file: the first cases of the first group."""
    stored = deepcopy(dict(next(file.content for file in PACKAGED if file.content["operation"] == operation)))
    group = stored["groups"][0]
    group["cases"] = group["cases"][:cases]
    used = {flag for case in group["cases"] for flag in case["flags"]}
    return {**stored, "groups": [group], "flags": {flag: text for flag, text in stored["flags"].items() if flag in used}}


def write(folder: Path, made: dict[str, Any], *, name: str = "epsilon") -> Path:
    stored_json.write(folder / f"{name}.json", vectors.sealed(made))
    return folder / f"{name}.json"


def refusal(path: Path) -> str:
    with pytest.raises(IntegrityError) as caught:
        vectors.load(path)
    assert caught.value.path == str(path)
    return caught.value.reason


def test_the_packaged_vectors_are_whole_and_make_sense() -> None:
    assert lint.lint() == ()


def test_what_the_packaged_vectors_hold() -> None:
    counts = {(file.content["operation"], group["name"]): len(group["cases"]) for file in PACKAGED for group in file.content["groups"]}
    assert {operation for operation, _ in counts} == set(OPERATIONS)
    own = ("zero-sum", "bit-sum", "optimal-pair")
    for operation in ("delta", "epsilon"):
        for method in ("clones", "stronger-clones", "binary-rr-pair", *own):
            assert counts[operation, method] >= 5
    assert sum(counts.values()) >= 500
    sizes = vectors.suites()
    assert sizes["all"] == sum(counts.values()) == sizes["fmt21"] + sizes["finite"] + sizes["protocols"] + sizes["randomizers"]
    assert 20 <= sizes["smoke"] <= 80
    cases = vectors.suite_cases("all")
    assert {flag for case in cases for flag in case.flags} == {
        *("EDGE_CASE", "WRONG_SIDE", "NEIGHBOURING", "REGIME", "CANCELLATION", "UNDERFLOW", "OVERFLOW"),
        *("DEGENERATE", "GRID", "TIE", "PARSE", "KNOWN_BUG"),
    }
    assert {case.expected.kind for case in cases} == {"exact", "enclosure", "bracket", "law", "law-enclosure", "refusal", "relation"}
    assert {case.operation for case in cases if "smoke" in case.suites} == set(OPERATIONS)
    assert {case.operation for case in cases if case.expected.kind == "refusal"} == set(OPERATIONS)


def test_a_short_file_is_read_back(tmp_path: Path) -> None:
    file = vectors.load(write(tmp_path, content()))
    assert [case.id for case in file.cases] == [case["id"] for case in content()["groups"][0]["cases"]]
    assert [str(finding) for finding in lint.lint(tmp_path)] == []


def test_every_flipped_digit_is_found(tmp_path: Path) -> None:
    """All positions: in values, inputs, slacks, identifiers, prose, code hashes and the digests themselves."""
    path = write(tmp_path, content(cases=1))
    whole = path.read_bytes()
    positions = [match.start() for match in re.finditer(rb"[0-9]", whole)]
    assert len(positions) > 300
    for position in positions[::3]:
        other = b"1" if whole[position : position + 1] != b"1" else b"7"
        path.write_bytes(whole[:position] + other + whole[position + 1 :])
        refusal(path)


@pytest.mark.parametrize(
    ("before", "place"),
    [
        ('"value": "ln ', r"groups\[0\].cases\[0\]"),
        ('"n": "', r"groups\[0\].cases\[0\]"),
        ('"slack": "', r"groups\[0\].cases\[0\]"),
        ('"relative": "', r"groups\[0\].cases\[0\]"),
        ('"id": "epsilon clones n=', r"groups\[0\].cases\[0\]"),
        ('"statement": "FMT', r"groups\[0\] \(clones\)"),
        ('"generate.py": "[a-f]*', "digest: the file's content"),
        ('"format": "shuffleproof-vectors-', r"\$.format"),
    ],
)
def test_a_flipped_digit_is_placed(tmp_path: Path, before: str, place: str) -> None:
    path = write(tmp_path, content())
    text = path.read_text()
    found = re.search(before + "(?=[0-9])", text)
    digit = text[found.end()]
    path.write_text(text[: found.end()] + ("2" if digit != "2" else "5") + text[found.end() + 1 :])
    assert re.search(place, refusal(path))


def test_a_truncated_file_is_refused_at_every_length(tmp_path: Path) -> None:
    path = write(tmp_path, content(cases=1))
    whole = path.read_bytes()
    for length in [0, 1, *range(2, len(whole), 97), len(whole) - 2, len(whole) - 1]:
        path.write_bytes(whole[:length])
        assert re.search(r"line \d+", refusal(path))


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text + "\n",
        lambda text: text.replace(" ", "  ", 1),
        lambda text: "﻿" + text,
        lambda text: text.replace('"operation"', '"operation": "epsilon",\n "operation"', 1),
        lambda text: text.replace('"slack"', '"lots_of_slack"', 1),
        lambda text: text.replace('"comment": ""', '"comment": NaN', 1),
        lambda text: text.replace('"comment": ""', '"comment": 0.5', 1),
        lambda text: "[]\n",
        lambda text: json.dumps(json.loads(text)),
    ],
)
def test_any_other_change_is_refused(tmp_path: Path, damage: Any) -> None:
    path = write(tmp_path, content())
    path.write_text(damage(path.read_text()), encoding="utf-8", newline="")
    refusal(path)


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    assert "cannot be read" in refusal(tmp_path / "nothing.json")
    with pytest.raises(IntegrityError, match="holds no vectors"):
        vectors.load_all(tmp_path)
    with pytest.raises(DomainError, match="one of all, finite, fmt21, protocols, randomizers, smoke"):
        vectors.suite_cases("everything")


@pytest.mark.parametrize(
    "where", ["", "groups.0", "groups.0.provenance", "groups.0.cases.0", "groups.0.cases.0.expected", "groups.0.cases.0.input"]
)
def test_unknown_keys_are_refused_even_with_right_digests(tmp_path: Path, where: str) -> None:
    made = content()
    place: Any = made
    for step in where.split(".") if where else []:
        place = place[int(step)] if step.isdigit() else place[step]
    place["surprise"] = "1"
    assert "surprise" in refusal(write(tmp_path, made))


def test_numbers_that_matter_are_strings(tmp_path: Path) -> None:
    made = content()
    made["groups"][0]["cases"][0]["slack"] = 1
    assert "is not of type 'string'" in refusal(write(tmp_path, made))


def test_duplicate_ids_are_refused_within_and_across_files(tmp_path: Path) -> None:
    made = content()
    made["groups"][0]["cases"][1]["id"] = made["groups"][0]["cases"][0]["id"]
    assert "is taken by groups[0].cases[0]" in refusal(write(tmp_path, made))
    write(tmp_path, content())
    write(tmp_path, content(), name="again")
    with pytest.raises(IntegrityError, match=r"is taken by again\.json"):
        vectors.load_all(tmp_path)


def messages(folder: Path, made: dict[str, Any], *, name: str = "epsilon") -> str:
    write(folder, made, name=name)
    return "\n".join(map(str, lint.lint(folder)))


def test_lint_finds_an_enclosure_upside_down_or_wide(tmp_path: Path) -> None:
    made = content()
    case = made["groups"][0]["cases"][0]
    case["expected"] = {"kind": "enclosure", "lower": "0.5", "upper": "0.4"}
    assert "lower end above upper end" in messages(tmp_path, made)
    case["expected"] = {"kind": "enclosure", "lower": "0.5", "upper": "0.500000000000000000000000000001"}
    assert "enclosure wider than 1e-30" in messages(tmp_path, made)
    case["expected"] = {"kind": "enclosure", "lower": "0.5", "upper": "0.5000000000000000000000000000001"}
    assert "enclosure wider" not in messages(tmp_path, made)


def test_lint_finds_a_bracket_that_says_little(tmp_path: Path) -> None:
    made = content("calibrate")
    case = made["groups"][0]["cases"][0]
    case["expected"] = {"kind": "bracket", "lower": "10", "upper": "10.02"}
    assert "wider than 0.001" in messages(tmp_path, made, name="calibrate")
    case["expected"] = {"kind": "bracket", "lower": "10", "upper": "10.002"}
    assert messages(tmp_path, made, name="calibrate") == ""


def test_lint_finds_values_out_of_range(tmp_path: Path) -> None:
    made = content()
    made["groups"][0]["cases"][0]["expected"] = {"kind": "exact", "value": "ln 3.0000001"}
    assert "outside [0, epsilon0]" in messages(tmp_path, made)
    made = content("delta")
    made["groups"][0]["cases"][0]["expected"] = {"kind": "exact", "value": "1.01"}
    write(tmp_path, content())
    assert "outside [0, 1]" in messages(tmp_path, made, name="delta")


def test_lint_finds_answers_ordered_against_their_parameters(tmp_path: Path) -> None:
    """More delta or more users with a larger epsilon."""
    made = content()
    first, second = made["groups"][0]["cases"]
    first["id"], second["id"] = "first", "second"
    first["input"] = {"method": "clones", "n": "10", "epsilon0": "ln 3", "delta": "1e-6"}
    second["input"] = {"method": "clones", "n": "10", "epsilon0": "ln(3)", "delta": "1e-5"}
    first["expected"], second["expected"] = {"kind": "exact", "value": "0.5"}, {"kind": "exact", "value": "0.51"}
    assert "ordered against their parameters" in messages(tmp_path, made)
    second["input"] = {**second["input"], "n": "9"}
    assert "ordered" not in messages(tmp_path, made)
    second["input"] = {**second["input"], "n": "1e1", "delta": "1e-6"}
    assert "ordered against their parameters" in messages(tmp_path, made)


def test_lint_finds_flags_that_are_not_explained(tmp_path: Path) -> None:
    made = content()
    made["groups"][0]["cases"][0]["flags"] = ["REGIME"]
    assert "flag REGIME is not explained" in messages(tmp_path, made)
    made = content()
    made["flags"]["REGIME"] = "unused"
    assert "flag REGIME is explained but not used" in messages(tmp_path, made)


def test_lint_finds_inputs_that_do_not_fit(tmp_path: Path) -> None:
    made = content()
    case = made["groups"][0]["cases"][0]
    case["input"] = {**case["input"], "n": "0"}
    assert "is expected to be answered, but n = 0" in messages(tmp_path, made)
    case["input"] = {**case["input"], "epsilon": "1"}
    assert "input has the keys" in messages(tmp_path, made)


def test_lint_finds_distributions_that_are_none(tmp_path: Path) -> None:
    made = content("randomizer_law")
    case = made["groups"][0]["cases"][0]
    case["expected"] = {"kind": "law", "law": {"0": "3/4", "1": "1/5"}}
    assert "do not sum to 1" in messages(tmp_path, made, name="randomizer_law")
    case["expected"] = {"kind": "exact", "value": "1"}
    assert "does not suit the operation" in messages(tmp_path, made, name="randomizer_law")


def test_lint_finds_vectors_of_other_code(tmp_path: Path) -> None:
    made = content()
    made["generator"] = {**made["generator"], "generate.py": "0" * 64}
    assert "made by another generate.py" in messages(tmp_path, made)
    (tmp_path / "epsilon.json").unlink()
    assert "holds the operation epsilon" in messages(tmp_path, content(), name="delta")


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, content())
    before = path.read_bytes()

    def interrupted(source: object, target: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path, content(cases=1))
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["epsilon.json"]


def test_the_vectors_are_plain_files_with_a_version_of_their_own(tmp_path: Path) -> None:
    """Every case is there once, as it is stored; a folder whose cases are not those of its version is found."""
    paths = vectors.export(tmp_path / "out")
    assert {path.name for path in paths} >= {"cases.jsonl", "README.md", "VERSION", "schema.json", "delta.json"}
    lines = [json.loads(line) for line in (tmp_path / "out" / "cases.jsonl").read_text("ascii").splitlines()]
    assert {line["id"] for line in lines} == {case.id for file in PACKAGED for case in file.cases}
    assert len(lines) == sum(len(file.cases) for file in PACKAGED)
    told = vectors.edition()
    assert re.fullmatch(r"[0-9]+[.][0-9]+[.][0-9]+", told[0])
    assert told[1] == vectors.cases_digest(PACKAGED)
    write(tmp_path, content())
    (tmp_path / "VERSION").write_text(f"version 1.0.0\ncases {told[1]}\n", "utf-8")
    assert [finding.place for finding in lint.lint(tmp_path)] == ["VERSION"]
    (tmp_path / "VERSION").write_text("1.0.0", "utf-8")
    with pytest.raises(IntegrityError, match="lines version and cases"):
        vectors.edition(tmp_path)
