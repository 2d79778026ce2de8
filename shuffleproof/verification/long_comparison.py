"""What the long comparison of engines and methods found, which is too long for `verify`: its numbers, and the code they are of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shuffleproof.conformance.code_digest import digest
from shuffleproof.report.records import LongComparison
from shuffleproof.spec.vocabulary.files import write_whole

_RECORD = Path(__file__).parent / "soak.json"
HOURS = 24.0
"""Of processor: so long `make deep` goes on."""
_ROOMS = ("spec.bounds", "impl.ball.bounds", "impl.ball.numeric", "impl.fast.bounds", "impl.fast.numeric")
"""What is compared."""


def code() -> str:
    """A digest of the engines' code, by which a record is known to be about other code."""
    from importlib import import_module

    whole = hashlib.sha256()
    for room in _ROOMS:
        folder = Path(str(import_module(f"shuffleproof.{room}").__file__)).parent
        for path in sorted(folder.rglob("*.py")):
            whole.update(f"{room}/{path.relative_to(folder).as_posix()} {digest(path.read_text('utf-8'))}\n".encode())
    return whole.hexdigest()


def record(state: Mapping[str, Any]) -> None:
    """Keep what a run of tests/deep/soak.py has found."""
    kept = ("code", "seed", "next", "asked", "refused", "failures", "seconds", "earlier")
    write_whole(_RECORD, (json.dumps({name: state[name] for name in kept}, indent=1) + "\n").encode())


def recorded() -> LongComparison | None:
    """The numbers of the last long run, and whether they are of this code; None where none is kept.

    comparisons: by kind; declined: questions that an engine had no answer to; contradictions: one line each; hours: of processor; earlier:
    comparisons and hours of code that was changed since.
    """
    if not _RECORD.exists():
        return None
    state = json.loads(_RECORD.read_text("utf-8"))
    return {
        "comparisons": state["asked"],
        "declined": sum(state["refused"].values()),
        "contradictions": state["failures"],
        "hours": _hours(state["seconds"]),
        "earlier": {"comparisons": state["earlier"]["comparisons"], "hours": _hours(state["earlier"]["seconds"])},
        "same_code": state["code"] == code(),
    }


def _hours(seconds: float) -> str:
    return f"{seconds / 3600:.2f}"
