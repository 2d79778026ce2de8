"""Checking the compiled proofs once more, with Coq's separate checker, and what was last recorded of that."""

import json
import re
import resource
import shutil
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from shuffleproof.proofs_check.formal.build import PACKAGES, FormalError, checked_with, coq_version, digest, run
from shuffleproof.proofs_check.formal.sources import FOLDER
from shuffleproof.spec.vocabulary.files import write_whole

RECHECKED = FOLDER / "rechecked.json"
BY_VIRTUAL_MACHINE = ("ThousandUsers", "KaryInstances")
"""Numbers that rest on the virtual machine of Coq's kernel alone: `coqchk` has none and computes some thirty times as slowly."""

BY_COMPUTATION = ("MillionUsers", "IrrationalInstances", "StrongerInstances", "WindowInstances", "ExactInstances", "PairExamples")
"""The numbers that `coqchk` computes again, each file by itself beside the others; the longest first."""


@dataclass(frozen=True, slots=True)
class Rechecked:
    """Holds what `coqchk` said of the compiled modules.

    modules: a digest of each module that was checked and of all it rests on. lists: what it has loaded without a body, none of it ours.
    seconds: of processor time for all of them.
    """

    modules: Mapping[str, str]
    lists: tuple[str, ...]
    checked_with: str
    seconds: float


def recheck(directory: Path, *, texts: Mapping[str, str], jobs: int = 1) -> Rechecked:
    """Check the compiled modules but `BY_VIRTUAL_MACHINE` again with Coq's separate checker; what is recorded as checked stays so.

    A module is checked again where it, or anything that it rests on, is not as it was; the libraries under all of them where Coq or
    Mathematical Components is another. Raises FormalError where it finds fault.

    What it lists under "Axioms" are primitives of numbers that libraries load and what MathComp seals behind module types, with no body in
    sight; that no theorem here uses an axiom is `Print Assumptions`' answer. Anything of these modules in that list is refused.
    """
    version = coq_version()
    if version is None or shutil.which("coqchk") is None:
        raise FormalError(f"Coq is not installed; on Debian 12: apt-get install {PACKAGES}")
    before = last()
    now = rechecked(texts)
    same = before.checked_with == checked_with(version)
    old = {name for name in now if same and before.modules.get(name) == now[name]}
    computed = [name for name in BY_COMPUTATION if name in now and name not in old]
    proofs = [name for name in now if name not in computed and name not in old]
    # What a module rests on is checked as a module of its own, and not once more with each of them; with other libraries, these too.
    named = [f"Shuffleproof.{name}" for name in proofs]
    asked = [[word for name in named for word in ("-norec", name)] if same else named, *(["-norec", f"Shuffleproof.{x}"] for x in computed)]
    began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with ThreadPoolExecutor(jobs) as pool:
        command = ["coqchk", "-silent", "-o", "-Q", ".", "Shuffleproof"]
        said = list(pool.map(lambda names: run([*command, *names], directory), filter(None, asked)))
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began + (before.seconds if old else 0)
    lists = {name for one in said for name in summarized(one)} | set(before.lists if old else ())
    return Rechecked(now, tuple(sorted(lists)), checked_with(version), round(seconds, 1))


def rechecked(texts: Mapping[str, str]) -> dict[str, str]:
    """The modules that are checked once more, each with a digest of it and of all it rests on."""
    return {name: digest(name, texts) for name in sorted(texts) if name not in BY_VIRTUAL_MACHINE}


def summarized(said: str) -> tuple[str, ...]:
    """The names under "Axioms" in what `coqchk -o` says. Raises FormalError for one of ours, and where a check was off."""
    sections = {title: body.split() for title, body in re.findall(r"^\* ([^:\n]+):([^*]*)", said, flags=re.MULTILINE)}
    for title in ("type-in-type", "unsafe (co)fixpoints", "positivity is assumed"):
        if not any(title in known and body == ["<none>"] for known, body in sections.items()):
            raise FormalError(f"coqchk does not say that nothing relies on {title}: {said.strip()[-2000:]}")
    names = tuple(sorted(name for name in sections.get("Axioms", ()) if name != "<none>"))
    if ours := [name for name in names if not name.startswith(("Coq.", "mathcomp."))]:
        raise FormalError(f"coqchk lists as assumed: {', '.join(ours)}")
    return names


def write(again: Rechecked, path: Path = RECHECKED) -> None:
    """Record it."""
    write_whole(path, (json.dumps(asdict(again), indent=1) + "\n").encode())


def last(path: Path = RECHECKED) -> Rechecked:
    """Return what was last recorded."""
    row = json.loads(path.read_text("utf-8"))
    return Rechecked(**{**row, "lists": tuple(row["lists"])})
