"""Building the formal proofs with Coq, reading what was proved, and recording it.

Sources are copied into a folder where they differ: Coq compiles again what changed and what rests on it. What was proved is read
from Coq, never from the sources: the statement by `Check`, the assumptions by `Print Assumptions`.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from random import SystemRandom

from shuffleproof.proofs_check.formal.coins import coin_examples
from shuffleproof.proofs_check.formal.parts import part_examples
from shuffleproof.proofs_check.formal.seen import seen_examples
from shuffleproof.proofs_check.formal.shown import SHOWN, drawn_examples
from shuffleproof.proofs_check.formal.sources import FOLDER, modules, without_comments
from shuffleproof.proofs_check.formal.statements import digests, with_a_false_hypothesis
from shuffleproof.proofs_check.formal.theorems import BESIDE_THE_PROOFS, NAMED, PINS, Named
from shuffleproof.spec.vocabulary.errors import ShuffleproofError
from shuffleproof.spec.vocabulary.files import write_whole

RECORDS = FOLDER / "records.json"
CLOSED = "Closed under the global context"
PACKAGES = "coq libcoq-mathcomp-algebra libcoq-mathcomp-zify libcoq-mathcomp-algebra-tactics"
GAPS = (
    r"Admitted|admit|give_up|Abort|Axioms?|Parameters?|Conjectures?|bypass_check|Guard\s+Checking|Positivity\s+Checking|Universe\s+Checking"
    r"|type-in-type|impredicative-set"
)
"""Words that can leave a gap, or could switch a check of the kernel off."""


class FormalError(ShuffleproofError):
    """A formal proof does not hold as it stands: Coq refuses it, or it has a gap, or it assumes something."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A theorem as Coq states it.

    states: the digest of the reviewed statement that it was checked against, None where there is none. seconds: of processor time that its
    module took. sources: a digest of its module and all it rests on.
    """

    theorem: str
    module: str
    row: str | None
    says: str
    statement: str
    states: str | None
    assumptions: tuple[str, ...]
    checked_with: str
    seconds: float | None
    sources: str


def coq_version() -> str | None:
    """The version of the Coq compiler that is installed, or None."""
    if (coqc := shutil.which("coqc")) is None:
        return None
    found = re.search(r"version (\S+)", run([coqc, "--version"], Path.cwd()))
    return found[1] if found else None


def mathcomp_version() -> str | None:
    """The version of Mathematical Components that is installed, as Debian's package says it, or None."""
    if (query := shutil.which("dpkg-query")) is None:
        return None
    command = [query, "--show", "--showformat", "${Version}", "libcoq-mathcomp-algebra"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    return said.stdout.partition("-")[0] or None if said.returncode == 0 else None


def checked_with(version: str) -> str:
    """Return what checks, for the records: "Coq 8.16.1, MathComp 1.15.0"."""
    library = mathcomp_version()
    return f"Coq {version}" + (f", MathComp {library}" if library else "")


def gaps(texts: Mapping[str, str]) -> list[str]:
    """Where a source admits, assumes or abandons something, outside comments: "Module, line 3: Admitted"."""
    found = []
    for name, text in texts.items():
        bare = without_comments(text)
        found += [f"{name}, line {bare.count(chr(10), 0, at.start()) + 1}: {at[0]}" for at in re.finditer(rf"\b(?:{GAPS})\b", bare)]
    return found


def digest(module: str, texts: Mapping[str, str]) -> str:
    """A digest of a module and of every module that it rests on."""
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += _required(texts[name])
    joined = "\n".join(f"{name}\n{texts[name]}" for name in sorted(seen))
    return hashlib.sha256(joined.encode()).hexdigest()


def build(directory: Path, *, texts: Mapping[str, str], jobs: int = 2, left: Sequence[str] = ()) -> dict[str, float]:
    """Compile all modules in a folder but those that are left; what is compiled already and unchanged stays.

    Returns the processor time that each one took.

    Raises FormalError for a gap in a source, and where Coq refuses one.
    """
    if planted := gaps(texts):
        raise FormalError("the formal proofs have gaps: " + "; ".join(planted))
    directory.mkdir(parents=True, exist_ok=True)
    for path in directory.glob("*.v"):
        if path.stem not in texts:
            path.unlink()
    for name, text in {"_CoqProject": (FOLDER / "_CoqProject").read_text("utf-8"), **{f"{name}.v": texts[name] for name in texts}}.items():
        path = directory / name
        if not path.is_file() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
    run(["coq_makefile", "-f", "_CoqProject", *sorted(f"{name}.v" for name in texts), "-o", "Makefile"], directory)
    asked = [f"{name}.vo" for name in texts if name not in left]
    output = run(["make", "--no-print-directory", f"-j{jobs}", "TIMED=1", *asked], directory)
    kept = directory / "seconds.json"
    seconds: dict[str, float] = json.loads(kept.read_text("utf-8")) if kept.is_file() else {}
    seconds |= {name: float(user) for name, user in re.findall(r"^(\w+)\.vo \(real: [0-9.]+, user: ([0-9.]+)", output, flags=re.MULTILINE)}
    write_whole(kept, json.dumps(seconds).encode())
    return seconds


def read(
    directory: Path, *, texts: Mapping[str, str], seconds: Mapping[str, float], named: Sequence[Named] = NAMED, version: str
) -> list[Checked]:
    """Return what Coq says of the named theorems. Raises FormalError where one is missing or assumes anything."""
    names = {one.theorem: f"Shuffleproof.{one.module}.{one.theorem}" for one in named}
    together = f"Definition {_TOGETHER} := ({', '.join(f'@{full}' for full in names.values())}, tt)."  # takes as long as one of them
    asked = [line for name, full in names.items() for line in (_heading(name), f"Check {full}.")]
    asked += [_heading(_TOGETHER), together, f"Print Assumptions {_TOGETHER}."]
    said = dict(re.findall(r"^=== (\w+)\n(.*?)(?=^=== |\Z)", _asked(directory, named, asked), flags=re.MULTILINE | re.DOTALL))
    if said[_TOGETHER].strip() != CLOSED:
        _refuse_assumptions(directory, named, names)
    reviewed = digests(texts)
    return [
        Checked(
            theorem=one.theorem,
            module=one.module,
            row=one.row,
            says=one.content,
            statement=re.sub(r"\s+", " ", said[one.theorem].strip().split(":", 1)[1]).strip(),
            states=reviewed.get(one.theorem),
            assumptions=(),
            checked_with=checked_with(version),
            seconds=seconds.get(one.module),
            sources=digest(one.module, texts),
        )
        for one in named
    ]


_TOGETHER = "all_of_them"


def _heading(name: str) -> str:
    return f'Goal True. idtac "=== {name}". Abort.'


def _refuse_assumptions(directory: Path, named: Sequence[Named], names: Mapping[str, str]) -> None:
    """Where they assume something together: which of them does."""
    for name, full in names.items():
        if (found := _asked(directory, named, [f"Print Assumptions {full}."]).strip()) != CLOSED:
            raise FormalError(f"{name} is not closed: {found}")
    raise FormalError("the named theorems together are not closed, though each of them is")


def _asked(directory: Path, named: Sequence[Named], questions: Sequence[str]) -> str:
    """Return what Coq answers."""
    lines = [
        "From mathcomp Require Import all_ssreflect all_fingroup all_algebra.",
        f"From Shuffleproof Require Import {' '.join(dict.fromkeys(['Definitions', *(one.module for one in named)]))}.",
        "Unset Printing Implicit Defensive.",
        "Local Open Scope ring_scope.",
        "Set Printing Width 120.",
        *questions,
    ]
    return _accepts(directory, "Read", "\n".join(lines) + "\n")


def check(directory: Path, *, jobs: int = 2, recording: bool = False, numbers: bool = True) -> list[Checked]:
    """Build everything and read every named theorem.

    recording: what theorems without a reviewed statement say may differ from what was recorded of them.
    numbers: the modules beside the proofs too.
    Raises FormalError, also where Coq is not installed, or accepts a pinned theorem with a false hypothesis more.
    """
    version = coq_version()
    if version is None:
        raise FormalError(f"Coq is not installed; on Debian 12: apt-get install {PACKAGES}")
    directory, texts = directory.resolve(), modules()
    for name, write in SHOWN.items():
        if texts.get(name) != write():
            raise FormalError(f"{name}.v does not state what the specification and `shown.py` say")
    left = () if numbers else (*BESIDE_THE_PROOFS, "PinnedNumbers")
    named = [one for one in NAMED if one.module not in left]
    seconds = build(directory, texts=texts, jobs=jobs, left=left)
    seed = SystemRandom().randrange(2**32)
    beside = {
        "Mutated": with_a_false_hypothesis((one.theorem, one.module) for pins in PINS.values() for one in pins if one in named),
        "Drawn": drawn_examples(seed, each=DRAWN),
        "DrawnSeen": seen_examples(seed),
        "DrawnParts": part_examples(seed),
        "DrawnCoins": coin_examples(seed),
    }
    with ThreadPoolExecutor(jobs) as pool:
        reading = pool.submit(read, directory, texts=texts, seconds=seconds, named=named, version=version)  # the longest
        answers = {name: pool.submit(_accepts, directory, name, text) for name, text in beside.items()}
    if error := answers.pop("Mutated").exception():
        raise error
    if error := next(filter(None, (answer.exception() for answer in answers.values())), None):
        raise FormalError(f"the definitions and the specification differ on parameters drawn with seed {seed}: {error}") from error
    checked = reading.result()
    before = {one.theorem: one for one in recorded()}
    if not recording and (other := [one.theorem for one in checked if says_otherwise(one, before.get(one.theorem))]):
        raise FormalError(f"no longer what was recorded (--record records it): {', '.join(other)}")
    return checked


DRAWN = 5
"""Examples of each theorem that are drawn anew whenever the proofs are built: some three seconds of Coq's time."""


def _accepts(directory: Path, name: str, text: str) -> str:
    """Return what Coq says of a module beside the others. Raises FormalError where it refuses it."""
    path = directory / "reading" / f"{name}.v"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    return run([*_COQC, "-Q", str(directory), "Shuffleproof", str(path)], path.parent)


_COQC = ["coqc", "-w", "-notation-overridden,-ambiguous-paths"]


def says_otherwise(one: Checked, before: Checked | None) -> bool:
    """Return whether a theorem is stated otherwise than was recorded by the same version of Coq, which prints statements alike."""
    return before is not None and before.checked_with == one.checked_with and before.statement != one.statement


def record(checked: Iterable[Checked], path: Path = RECORDS) -> None:
    """Write what was checked, for machines without Coq. Records of the same sources keep their seconds, so that the file stays as it is."""
    before = {one.theorem: one for one in recorded(path)}
    rows = []
    for one in checked:
        old = before.get(one.theorem)
        same = old is not None and old.sources == one.sources and old.seconds is not None
        rows.append({**asdict(one), "seconds": old.seconds if same and old is not None else one.seconds})
    write_whole(path, (json.dumps(rows, indent=1, ensure_ascii=False) + "\n").encode())


def recorded(path: Path = RECORDS) -> list[Checked]:
    """Return what was last recorded; empty if nothing was."""
    if not path.is_file():
        return []
    return [Checked(**{"states": None, **row, "assumptions": tuple(row["assumptions"])}) for row in json.loads(path.read_text("utf-8"))]


def outdated(records: Iterable[Checked], texts: Mapping[str, str]) -> list[str]:
    """Theorems whose sources or statements have changed since they were recorded: they are not to be shown as checked."""
    reviewed = digests(texts)
    return [
        one.theorem
        for one in records
        if one.module not in texts or digest(one.module, texts) != one.sources or reviewed.get(one.theorem) != one.states
    ]


def _required(text: str) -> list[str]:
    return [name for names in re.findall(r"From Shuffleproof Require Import ([\w\s]+)\.", without_comments(text)) for name in names.split()]


COLLECTING = "s=2M,o=400"
"""Of OCaml's garbage collector for coqc, unless the caller's OCAMLRUNPARAM says otherwise: words of the young heap, and percent of garbage.

Coq's own choice, a young heap of 32M words, leaves the processor's caches: compiling takes 5 to 15 % longer, and nearly twice the memory.
"""


def attempt(command: Sequence[str], directory: Path) -> subprocess.CompletedProcess[str]:
    """Run a program of Coq's, its errors among what it says."""
    environment = {"OCAMLRUNPARAM": COLLECTING, **os.environ, "LC_ALL": "C.UTF-8"}
    return subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=environment)


def run(command: Sequence[str], directory: Path) -> str:
    """Return what a program says, errors and timings included."""
    done = attempt(command, directory)
    if done.returncode != 0:
        raise FormalError(f"{Path(command[0]).name} refuses: {done.stdout.strip()[-2000:]}")
    return done.stdout
