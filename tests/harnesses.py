"""Harnesses that tests ask, as the commands that start them; and cases, of which a test says what it is about."""

import os
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

from shuffleproof.conformance.vectors import Case

HONEST = "py:shuffleproof.verification.own_harness:exact"
RUNNING = Path(__file__).parent / "conformance" / "running"
PYTHONPATH = f"{RUNNING}{os.pathsep}{RUNNING.parents[1]}"
"""By which another process imports the tests of running harnesses."""


def fake(name: str) -> str:
    """Return the command of an implementation with a planted fault."""
    return f"cmd:{sys.executable} -m shuffleproof.conformance.fakes.{name}"


def bad(kind: str, path: object = "-") -> str:
    """Return the command of a harness that breaks the protocol in this way."""
    return f"cmd:{sys.executable} -S -E {RUNNING / 'bad_harness.py'} {kind} {path}"


def counting(log: Path, every: int = 0, seconds: float = 0) -> str:
    """Return the command of a harness that writes down what it answers, and dies on every so many questions."""
    return f"cmd:{sys.executable} -S -E {RUNNING / 'counting_harness.py'} {log} {every} {seconds}"


def answered(log: Path) -> Counter[int]:
    """How often each question was answered by a harness that counts."""
    return Counter(int(line) for line in log.read_text().split())


def a_case(**own: Any) -> Case:
    """Return a case with this operation and expectation, and no tolerance but a slack of a millionth unless it is given."""
    usual: dict[str, Any] = {"id": "a case", "group": "g", "given": {}, "flags": (), "suites": ("made",), "comment": "", "place": "here"}
    usual |= {"slack": Fraction(1, 10**6), "relative_tolerance": Fraction(0), "absolute_tolerance": Fraction(0)}
    return Case(**{**usual, **own})
