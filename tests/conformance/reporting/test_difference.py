"""Two reports compared: nothing that got worse is missed, and what is no longer asked is not called fixed."""

import json
import sys
from pathlib import Path

import pytest

from shuffleproof.command_line import program
from shuffleproof.conformance.reporting.difference import difference
from shuffleproof.conformance.running.runner import run
from shuffleproof.conformance.running.selection import Selection

FINE = ("conforms", "loose", "unsupported", "skipped")
BAD = ("refused", "unskipped", "mismatch", "unsound", "protocol", "timed-out", "crashed")


def report(verdict: str | None) -> dict[str, object]:
    return {"cases": [] if verdict is None else [{"id": "x", "verdict": verdict, "detail": "because"}]}


@pytest.mark.parametrize("new", BAD)
@pytest.mark.parametrize("old", [*FINE, None])
def test_what_speaks_against_it_now_and_did_not_is_worse(old: str | None, new: str) -> None:
    found = difference(report(old), report(new))
    assert [change.id for change in found.worse] == ["x"]
    assert found.exit_code == 1


@pytest.mark.parametrize(
    ("old", "new", "kind", "code"),
    [
        ("unsound", "conforms", "fixed", 0),
        ("crashed", "loose", "fixed", 0),
        ("unsound", "unsupported", "changed", 0),
        ("unsound", "mismatch", "changed", 0),
        ("mismatch", "unsound", "worse", 1),
        ("conforms", "loose", "changed", 0),
        ("unsound", None, "gone", 3),
        ("conforms", None, "gone", 3),
    ],
)
def test_every_other_change_has_its_kind(old: str, new: str | None, kind: str, code: int) -> None:
    found = difference(report(old), report(new))
    assert {name: len(getattr(found, name)) for name in ("worse", "fixed", "changed", "gone")} == {
        name: int(name == kind) for name in ("worse", "fixed", "changed", "gone")
    }
    assert found.exit_code == code


def test_what_is_the_same_is_no_change() -> None:
    for verdict in (*FINE, *BAD):
        found = difference(report(verdict), report(verdict))
        assert (found.worse, found.fixed, found.changed, found.gone) == ((), (), (), ())


def test_the_command_line_says_what_got_worse(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    paths = [tmp_path / "old.json", tmp_path / "new.json"]
    for path, bug in zip(paths, ("none", "weight-below-slope"), strict=True):
        harness = f"cmd:{sys.executable} -m shuffleproof.conformance.fakes.planted {bug}"
        path.write_text(
            json.dumps(run(connect=harness, only=Selection(operations=["threshold"])).as_json(), indent=1, ensure_ascii=False) + "\n"
        )
    for order, code, told in ((paths, 1, "worse: threshold"), (paths[::-1], 0, "fixed: threshold")):
        with pytest.raises(SystemExit) as end:
            program.main(["conform", "diff", *map(str, order)])
        assert end.value.code == code
        assert told in capsys.readouterr().out
