"""The report of one conformance run as a single HTML page that needs nothing else."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from shuffleproof.report.pages import render
from shuffleproof.report.texts import MEANINGS, printable, rank, with_commas

_SAID = {0: "Nothing is held against it.", 1: "It claims what is not true, or declines what has an answer.", 5: "Nothing ran."}
_FAILED = "It failed as a program, so the other verdicts are incomplete."


def page(report: Mapping[str, Any], *, code: int, again: Sequence[str] | None = None) -> str:
    """The whole page. report: as `conform run --format json` prints it; code: its exit code; again: the command that asks again."""
    asked = ["--cases", report["cases_file"]] if "cases_file" in report else ["--suite", report["suite"]]
    command = again or ["shuffleproof", "conform", "run", "-i", report["connect"], *asked, "--seed", report["seed"]]
    said = f"Interrupted: {report['unasked']} cases were not asked." if "unasked" in report else _SAID.get(code, _FAILED)
    return render(
        "conform.html",
        page=None,
        report=report,
        code=code,
        said=said,
        cases=sorted(report["cases"], key=rank),
        meanings={verdict: meaning for verdict, meaning in MEANINGS.items() if verdict in report["summary"]},
        again=shlex.join(command) if report["suite"] != "start" else None,
        with_commas=with_commas,
        printable=printable,
    )
