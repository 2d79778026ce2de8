"""Checking the compiled proofs once more, with Coq's separate checker, and what was last recorded of that."""

from __future__ import annotations

import hashlib
import json
import re
import resource
import shutil
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from shuffleproof.proofs_check.formal.build import FOLDER, PACKAGES, FormalError, checked_with, coq_version, run
from shuffleproof.spec.vocabulary.files import write_whole

RECHECKED = FOLDER / "rechecked.json"
BY_VIRTUAL_MACHINE: tuple[str, ...] = ()
"""Numbers that rest on the virtual machine of Coq's kernel alone: `coqchk` has none and computes some thirty times as slowly."""

BY_COMPUTATION = ("MillionUsers", "IrrationalInstances", "StrongerInstances", "WindowInstances", "ExactInstances", "PairExamples")
"""The numbers that `coqchk` computes again, each file by itself beside the others; the longest first."""


@dataclass(frozen=True, slots=True)
class Rechecked:
    """What `coqchk` said of the compiled modules. lists: what it has loaded without a body, none of it ours; seconds: of processor time."""

    modules: tuple[str, ...]
    lists: tuple[str, ...]
    checked_with: str
    seconds: float
    sources: str


def recheck(directory: Path, *, texts: Mapping[str, str], jobs: int = 1) -> Rechecked:
    """Check the compiled modules but `BY_VIRTUAL_MACHINE`, and the libraries under them, again with Coq's separate checker.

    Raises FormalError where it finds fault.

    What it lists under "Axioms" are primitives of numbers that libraries load and what MathComp seals behind module types, with no body in
    sight; that no theorem here uses an axiom is `Print Assumptions`' answer. Anything of these modules in that list is refused.
    """
    version = coq_version()
    if version is None or shutil.which("coqchk") is None:
        raise FormalError(f"Coq is not installed; on Debian 12: apt-get install {PACKAGES}")
    computed = [name for name in BY_COMPUTATION if name in texts]
    proofs = [name for name in rechecked(texts) if name not in computed]
    # What a file of numbers rests on is checked with the proofs, and not once more with each of them.
    asked = [[f"Shuffleproof.{name}" for name in proofs], *(["-norec", f"Shuffleproof.{name}"] for name in computed)]
    began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with ThreadPoolExecutor(jobs) as pool:
        said = list(pool.map(lambda names: run(["coqchk", "-silent", "-o", "-Q", ".", "Shuffleproof", *names], directory), asked))
    seconds = round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began, 1)
    lists = tuple(sorted({name for one in said for name in summarized(one)}))
    return Rechecked(rechecked(texts), lists, checked_with(version), seconds, digest_of_rechecked(texts))


def rechecked(texts: Mapping[str, str]) -> tuple[str, ...]:
    """The modules that are checked once more."""
    return tuple(name for name in sorted(texts) if name not in BY_VIRTUAL_MACHINE)


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


def digest_of_rechecked(texts: Mapping[str, str]) -> str:
    """A digest of the sources of these modules."""
    return hashlib.sha256("\n".join(f"{name}\n{texts[name]}" for name in rechecked(texts)).encode()).hexdigest()


def write(again: Rechecked, path: Path = RECHECKED) -> None:
    """Record it."""
    write_whole(path, (json.dumps(asdict(again), indent=1) + "\n").encode())


def last(path: Path = RECHECKED) -> Rechecked:
    """What was last recorded."""
    row = json.loads(path.read_text("utf-8"))
    return Rechecked(**{**row, "modules": tuple(row["modules"]), "lists": tuple(row["lists"])})
