"""`python tests/deep/mutations.py MINUTES`: small faults planted in the code, each of which a test of its own layer should notice.

A mutant changes one place of one module (`ledger.faults`): a comparison's edge, a sign, a factor, a number by 1, a rounding's direction, a
term or a step left out, a condition. The tests nearest to the module, by who imports whom, and the ledger's rows that govern it are run
against it. What survives is printed: it may be a test that is missing, or change nothing, and then it is listed in
`equivalent_mutants.txt` with the reason. Exit code 1 where more than a quarter of all survive.
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
from itertools import islice
from pathlib import Path

from shuffleproof.proofs_check.ledger.checking import registry
from shuffleproof.proofs_check.ledger.faults import faults

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
"""Layers, and the folders of tests that are theirs."""
SECONDS = 240
"""What no nearest tests take; a mutant that takes longer has been noticed."""
NEAREST = 6


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """path: of the module, below the top; line: the statement; was, becomes: what is changed in it; index: among the module's faults."""

    path: str
    line: str
    was: str
    becomes: str
    index: int

    def applied(self, text: str) -> str:
        """The module's text with the fault, as a machine writes it."""
        tree = ast.parse(text)
        _, _, change = next(islice(faults(tree.body, of_calls=False), self.index, None))
        with change():
            return ast.unparse(tree)

    @property
    def told(self) -> str:
        """The fault in one line."""
        return f"{self.path}: {self.was} -> {self.becomes} in {self.line}"


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
    for index, (statement, shown, change) in enumerate(faults(ast.parse(text).body, of_calls=False)):
        line, was = ast.unparse(statement).partition("\n")[0], ast.unparse(shown)
        with change():
            yield Mutant(path=path, line=line, was=was, becomes=ast.unparse(shown), index=index)


def modules() -> list[str]:
    """The modules that are mutated."""
    found = []
    for layer in TESTS_OF:
        place = TOP / layer
        found += [place] if place.is_file() else [each for each in sorted(place.rglob("*.py")) if each.name != "__init__.py"]
    return [each.relative_to(TOP).as_posix() for each in found]


def name_of(path: str) -> str:
    """What a module is imported as."""
    parts = Path(path).with_suffix("").parts
    return ".".join(parts if parts[0] == "shuffleproof" else ("shuffleproof", *parts))


@cache
def _imports() -> dict[str, set[str]]:
    """Who imports whom: by path, the names of modules of ours."""
    every = [each for layer in ("spec", "impl", "shuffleproof", "tests") for each in sorted((TOP / layer).rglob("*.py"))]
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
    """The test files of a module's layer that are nearest to it: they import it, or what imports it."""
    (folders,) = (tests for layer, tests in TESTS_OF.items() if path.startswith(layer))
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


@cache
def rows(path: str) -> tuple[str, ...]:
    """The ledger's rows that govern a module: their checks are its tests too."""
    module = name_of(path).removeprefix("shuffleproof.")
    governing = [id for id, row in registry().items() if any(f"{module}.".startswith(f"{each}.") for each in row.governs)]
    return tuple(f"tests/proofs_check/test_statements.py::test_the_verdict_is_the_recorded_one[{id}]" for id in governing)


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
            "-k",
            "not deep or test_statements",
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
            digest = hashlib.sha256(text.encode()).hexdigest()[:16]
            key = f"{digest} {mutant.index} {mutant.told}"
            if key not in known:
                found = outcome(mutant.path, mutant.applied(text), nearest_tests(mutant.path) + rows(mutant.path))
                known[key] = {"key": key, "outcome": found}
                journal.write(json.dumps(known[key]) + "\n")
                journal.flush()
            tried += 1
            if known[key]["outcome"] == "survives" and mutant.told not in excused:
                survivors.append(mutant.told)
                print(f"survives: {mutant.told}", flush=True)
    print(f"{tried} mutants, {len(survivors)} of them survive and are not known to change nothing")
    return 1 if 4 * len(survivors) > tried else 0


if __name__ == "__main__":
    sys.exit(main())
