"""`python tests/deep/mutations.py MINUTES`: small faults planted in the code, each of which a test of its own room should notice.

A mutant changes one place of one module: a comparison's edge, a sign, a factor, a number by 1, a rounding's direction, a term or a step
left out, a condition. The tests nearest to the module, by who imports whom, are run against it. What survives is printed, to be read:
it may be a test that is missing, or change nothing, and then it is listed in `equivalent_mutants.txt` with the reason. Exit code 1 where
more than a quarter of all survive.
Which mutants are tried follows from the seed. The journal, build/mutations.jsonl, is gone on from; a module that has changed is tried anew.
"""

import argparse
import ast
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
JOURNAL = TOP / "build" / "mutations.jsonl"
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.txt")
TESTS_OF = {
    "spec": ("spec", "bounds"),
    "impl/ball": ("bounds", "calibrate", "impl", "proofs_check", "figures", "spec"),
    "impl/fast": ("bounds", "impl", "proofs_check", "figures", "spec"),
    "impl/release": ("release",),
    "shuffleproof/conformance/judging/judge.py": ("conformance",),
}
"""Rooms, and the folders of tests that are theirs."""
SECONDS = 240
"""What no nearest tests take; a mutant that takes longer has been noticed."""
NEAREST = 6

_EDGES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_SIGNS = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "*", "**": "*"}
_OTHER_WAY = {"upper_end": "lower_end", "floor": "ceil", "max": "min", "upper": "lower", "up": "down", "next_up": "next_down", "any": "all"}
_OTHER_WAY |= {other: name for name, other in _OTHER_WAY.items()}


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """path: of the module, below the top; start, end: what is replaced, by place in its text; by: what it becomes; kind: of the change."""

    path: str
    start: int
    end: int
    by: str
    kind: str

    def applied(self, text: str) -> str:
        """The module's text with the fault."""
        return text[: self.start] + self.by + text[self.end :]

    def told(self, text: str) -> str:
        """The fault in one line: where it is, the line, and what becomes of it."""
        begin, after = text.rfind("\n", 0, self.start) + 1, text.find("\n", self.end)
        line = text[begin:after].strip()
        now = (text[begin : self.start] + self.by + text[self.end : after]).strip()
        return " ".join(f"{self.path}: {line} -> {now}".split())


@dataclass(frozen=True)
class Planted:
    """says: what is wrong; path: the module; was, now: the place that is changed, which occurs once; tests: of which one must fail."""

    says: str
    path: str
    was: str
    now: str
    tests: str


def mutants_of(path: str, text: str) -> Iterator[Mutant]:
    """Every mutant of a module."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines = text.splitlines(keepends=True)

    def place(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    def span(node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)

    def between(left: ast.expr, right: ast.expr, changes: dict[str, str], kind: str) -> Iterator[Mutant]:
        begin, end = span(left)[1], span(right)[0]
        found = re.search(r"//|\*\*|[<>=!]=|[<>+\-*/]|\band\b|\bor\b", text[begin:end])
        if found and found[0] in changes:
            yield Mutant(path=path, start=begin + found.start(), end=begin + found.end(), by=changes[found[0]], kind=kind)

    for node in _reached(ast.parse(text)):
        if isinstance(node, ast.Compare):
            for left, right in zip([node.left, *node.comparators], node.comparators, strict=False):
                yield from between(left, right, _EDGES, "edge")
        elif isinstance(node, ast.BinOp):
            yield from between(node.left, node.right, _SIGNS, "sign")
            if isinstance(node.op, ast.Add):
                plus = text.index("+", span(node.left)[1])
                yield Mutant(path=path, start=plus, end=span(node)[1], by="", kind="term left out")
        elif isinstance(node, ast.AugAssign):
            begin, end = span(node)
            yield Mutant(path=path, start=begin, end=end, by="pass", kind="step left out")
        elif isinstance(node, ast.BoolOp):
            yield from between(node.values[0], node.values[1], {"and": "or", "or": "and"}, "condition")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
            begin = span(node)[0]
            yield Mutant(path=path, start=begin, end=begin + (3 if isinstance(node.op, ast.Not) else 1), by="", kind="condition")
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            begin, end = span(node)
            yield Mutant(path=path, start=begin, end=end, by=str(node.value + 1), kind="number")
        elif isinstance(node, ast.Constant) and node.value in ("up", "down"):
            begin, end = span(node)
            yield Mutant(path=path, start=begin, end=end, by=f'"{_OTHER_WAY[str(node.value)]}"', kind="direction")
        elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            name = node.id if isinstance(node, ast.Name) else node.attr
            if name in _OTHER_WAY:
                end = span(node)[1]
                yield Mutant(path=path, start=end - len(name), end=end, by=_OTHER_WAY[name], kind="direction")


def _reached(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that compute: no annotation, no docstring, no text of an error, no declaration of what is public or imported."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, (ast.JoinedStr, ast.Raise, ast.Import, ast.ImportFrom)) or not isinstance(child, ast.AST):
                continue
            if isinstance(child, ast.keyword) and child.arg in ("requirement", "advice", "reason"):
                continue
            yield child
            yield from _reached(child)


def modules() -> list[str]:
    """The modules that are mutated."""
    found = []
    for room in TESTS_OF:
        place = TOP / room
        found += [place] if place.is_file() else [each for each in sorted(place.rglob("*.py")) if each.name != "__init__.py"]
    return [each.relative_to(TOP).as_posix() for each in found]


def name_of(path: str) -> str:
    """What a module is imported as."""
    parts = Path(path).with_suffix("").parts
    return ".".join(parts if parts[0] == "shuffleproof" else ("shuffleproof", *parts))


@cache
def _imports() -> dict[str, set[str]]:
    """Who imports whom: by path, the names of modules of ours."""
    every = [each for room in ("spec", "impl", "shuffleproof", "tests") for each in sorted((TOP / room).rglob("*.py"))]
    known = {name_of(each.relative_to(TOP).as_posix()).removesuffix(".__init__") for each in every}
    found: dict[str, set[str]] = {}
    for each in every:
        names: set[str] = set()
        for node in ast.walk(ast.parse(each.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                below = {f"{node.module}.{alias.name}" for alias in node.names}
                names |= (below & known) | ({node.module} if below - known else set())
        found[each.relative_to(TOP).as_posix()] = names & known
    return found


@cache
def nearest_tests(path: str) -> tuple[str, ...]:
    """The test files of a module's room that are nearest to it: they import it, or what imports it."""
    (folders,) = (tests for room, tests in TESTS_OF.items() if path.startswith(room))
    near, seen = [path], {path}
    while near:
        users = sorted(each for each, names in _imports().items() if each not in seen and names & {name_of(one) for one in near})
        tests = [each for each in users if each.startswith(tuple(f"tests/{folder}/" for folder in folders)) and "/test_" in each]
        if tests:
            stem = Path(path).stem
            return tuple(sorted(tests, key=lambda each: (stem not in each, each))[:NEAREST])
        seen |= set(users)
        near = [each for each in users if not each.startswith("tests/")]
    return ()


def outcome(path: str, source: str, tests: Sequence[str], *, seconds: float = SECONDS) -> str:
    """What the tests say of a module with this source: "survives", the first test that fails, or that they take too long."""
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "mutant.py"
        other.write_text(source, "utf-8")
        environment = {
            **os.environ,
            "PYTHONPATH": str(Path(__file__).with_name("mutant")),
            "MUTANT_MODULE": name_of(path),
            "MUTANT_PATH": str(TOP / path),
            "MUTANT_SOURCE": str(other),
            "HYPOTHESIS_PROFILE": "repeatable",
        }
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "--assert=plain",
            "--no-header",
            "--tb=no",
            "-m",
            "not deep",
            "-p",
            "no:cacheprovider",
            *tests,
        ]
        process = subprocess.Popen(
            command, cwd=TOP, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        try:
            said, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return "takes too long"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, 9)
                process.communicate()
    if process.returncode == 0:
        return "survives"
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
    return failed[1] if failed else f"no test: {said.strip()[-200:]}"


def sample(seed: int) -> Iterator[tuple[Mutant, str]]:
    """Mutants in an order drawn from the seed, a module at random each time, with the module's text."""
    chance = random.Random(seed)
    left = {path: list(mutants_of(path, (TOP / path).read_text("utf-8"))) for path in modules() if nearest_tests(path)}
    for each in left.values():
        chance.shuffle(each)
    while left := {path: each for path, each in left.items() if each}:
        path = chance.choice(sorted(left))
        yield left[path].pop(), (TOP / path).read_text("utf-8")


def equivalent() -> dict[str, str]:
    """Survivors that change nothing that anybody sees, and why."""
    said = [line.partition("  #  ") for line in EQUIVALENT.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return {mutant.strip(): why.strip() for mutant, _, why in said}


def main() -> int:
    """Try mutants until the time is up; the survivors are printed."""
    parser = argparse.ArgumentParser(description="Faults planted in the code, which tests should notice.")
    parser.add_argument("minutes", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="modules whose path begins so")
    given = parser.parse_args()
    until = time.monotonic() + 60 * given.minutes
    JOURNAL.parent.mkdir(exist_ok=True)
    known = {}
    if JOURNAL.is_file():
        known = {row["key"]: row for row in map(json.loads, JOURNAL.read_text("utf-8").splitlines())}
    excused, survivors, tried = equivalent(), [], 0
    with JOURNAL.open("a", encoding="utf-8") as journal:
        for mutant, text in sample(given.seed):
            if time.monotonic() > until:
                break
            if not mutant.path.startswith(given.only):
                continue
            told = mutant.told(text)
            digest = hashlib.sha256(text.encode()).hexdigest()[:16]
            key = f"{digest} {mutant.start} {mutant.end} {mutant.by}"
            if key not in known:
                found = outcome(mutant.path, mutant.applied(text), nearest_tests(mutant.path))
                known[key] = {"key": key, "told": told, "outcome": found}
                journal.write(json.dumps(known[key]) + "\n")
                journal.flush()
            tried += 1
            if known[key]["outcome"] == "survives" and told not in excused:
                survivors.append(told)
                print(f"survives: {told}", flush=True)
    print(f"{tried} mutants, {len(survivors)} of them survive and are not known to change nothing")
    return 1 if 4 * len(survivors) > tried else 0


if __name__ == "__main__":
    sys.exit(main())
