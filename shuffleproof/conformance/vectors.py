"""Stored test vectors: reading them with every seal checked, sealing them, and exporting them for whoever uses nothing of this package."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from shuffleproof.conformance import stored_json
from shuffleproof.conformance.catalogue.inputs import together
from shuffleproof.conformance.judging.quantity import Quantity, parse_quantity
from shuffleproof.spec.vocabulary.errors import IntegrityError, require_one_of
from shuffleproof.spec.vocabulary.files import cannot_write, write_whole
from shuffleproof.spec.vocabulary.numerals import exact_fraction
from shuffleproof.spec.vocabulary.progress import steps

FORMAT = "shuffleproof-vectors-1"
DIRECTORY = Path(__file__).with_name("vectors")
"""The vectors that come with this package."""


VERSION = "VERSION"
"""The file that says which edition of the vectors a folder holds: a line `version` and a line `cases`."""
CASES = "cases.jsonl"
"""The exported file with a case a line."""
SCHEMA = "schema.json"
"""The exported schema of the other files."""
_EXPORTED = ("id", "input", "inputs", "expected", "slack", "tolerance", "flags", "suites", "comment")


@dataclass(frozen=True, kw_only=True)
class Expected:
    """Says what is known to be true of a case.

    kind: "exact" or "enclosure" (lower <= truth <= upper, equal where exact), "bracket" (the same, but wider: lower is certified to fail,
    upper to meet what is asked), "law" or "law-enclosure" (ends for each outcome in distribution: outcome -> (lower, upper)), "refusal"
    (there is no answer, because ...), or "relation": the answers to several questions are nonincreasing, nondecreasing or equal in their
    order, or convex as a function of the points `at`. Of a refusal, upper is from where on an upper claim is true all the same. "part": one
    question of a relation. shown: the stored text, for people.
    """

    kind: str
    lower: Quantity | None = None
    upper: Quantity | None = None
    distribution: Mapping[str, tuple[Fraction, Fraction]] | None = None
    because: str | None = None
    relation: str | None = None
    at: tuple[Fraction, ...] = ()
    shown: str


@dataclass(frozen=True, kw_only=True)
class Case:
    """One question with its expected answer.

    given: the input that a harness is sent; inputs: those of a relation, in order, and then given is all of them together, for people;
    slack: relative distance beyond which a sound claim is loose; an estimate conforms within relative_tolerance * truth +
    absolute_tolerance; flags: what a failure here means; place: file and position, for messages.
    """

    id: str
    operation: str
    group: str
    given: Mapping[str, str]
    expected: Expected
    slack: Fraction
    relative_tolerance: Fraction
    absolute_tolerance: Fraction
    flags: tuple[str, ...]
    suites: tuple[str, ...]
    comment: str
    place: str
    inputs: tuple[Mapping[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class VectorsFile:
    """A file of vectors whose seals hold. content: as stored; cases: in stored order; digest: of everything."""

    path: Path
    content: Mapping[str, Any]
    cases: tuple[Case, ...]
    digest: str


_KNOWN: dict[Path, VectorsFile] = {}


def load(path: Path) -> VectorsFile:
    """The vectors in one file. Raises IntegrityError, naming the file and the place, unless it is exactly what was written."""
    content, known = stored_json.read(path), _KNOWN.get(path)
    if known is not None and known.content == content:  # read before by this process, every seal checked
        return known
    broken = stored_json.violation(content, schema="vectors") or _broken_seal(content) or _duplicate(content)
    if broken is not None:
        raise IntegrityError(path=str(path), reason=broken)
    cases = tuple(_case(path, content["operation"], place, group, case) for place, group, case in stored_cases(content))
    _KNOWN[path] = found = VectorsFile(path=path, content=content, cases=cases, digest=content["digest"])
    return found


def load_all(directory: Path | None = None) -> tuple[VectorsFile, ...]:
    """Every vectors file of a directory (by default the packaged one), by name. Raises IntegrityError, also if there is none."""
    where = DIRECTORY if directory is None else directory
    files = tuple(load(path) for path in steps(sorted(where.glob("*.json")), of="files"))
    if not files:
        raise IntegrityError(path=str(where), reason="holds no vectors")
    seen: dict[str, Path] = {}
    for file in files:
        for case in file.cases:
            if case.id in seen:
                raise IntegrityError(path=case.place, reason=f"id {case.id!r} is taken by {seen[case.id].name}")
            seen[case.id] = file.path
    return files


def edition(directory: Path | None = None) -> tuple[str, str] | None:
    """The version that a folder of vectors says it has, and the digest of the cases that it had then; None if it says nothing.

    Raises IntegrityError for a file of another form.
    """
    path = (DIRECTORY if directory is None else directory) / VERSION
    if not path.exists():
        return None
    try:
        told = dict(line.split(" ") for line in path.read_text("utf-8").splitlines())
        return told["version"], told["cases"]
    except (ValueError, KeyError, UnicodeDecodeError):
        raise IntegrityError(path=str(path), reason="must have the lines version and cases") from None


def cases_digest(files: Sequence[VectorsFile]) -> str:
    """SHA-256 of all cases, by their own digests in the order of their ids: whatever code made them, and however they are grouped."""
    found = sorted((case["id"], case["digest"]) for file in files for _, _, case in stored_cases(file.content))
    return stored_json.digest([list(each) for each in found])


def digests(files: Sequence[VectorsFile]) -> dict[str, str]:
    """The name of each file and its digest, for a report."""
    return {file.path.name: file.digest for file in files}


def suites() -> dict[str, int]:
    """The names of the suites and how many cases each holds."""
    counts: dict[str, int] = {}
    for file in load_all():
        for case in file.cases:
            for suite in case.suites:
                counts[suite] = counts.get(suite, 0) + 1
    return counts


def suite_cases(suite: str, *, files: Sequence[VectorsFile] = ()) -> tuple[Case, ...]:
    """The cases of a suite, in stored order. Raises DomainError for an unknown suite, IntegrityError for a damaged file.

    files: loaded before, if they were; else the packaged ones are read.
    """
    files = files or load_all()
    known = sorted({name for file in files for case in file.cases for name in case.suites})
    require_one_of(suite, known, parameter="suite")
    return tuple(case for file in files for case in file.cases if suite in case.suites)


def export(folder: Path) -> tuple[Path, ...]:
    """Write the packaged vectors to a folder, which is made if need be: a case a line, the files, their schema, the guide, the version.

    Each file appears whole or not at all; every seal is checked first. Raises IntegrityError, DomainError (folder).
    """
    files, here = load_all(), DIRECTORY
    lines = [
        json.dumps({"operation": file.content["operation"], **{key: case[key] for key in _EXPORTED if key in case}}, ensure_ascii=True)
        for file in files
        for _, _, case in stored_cases(file.content)
    ]
    made = {CASES: "".join(f"{line}\n" for line in lines).encode("ascii")}
    made |= {path.name: path.read_bytes() for path in (*(file.path for file in files), here / VERSION, here / "README.md")}
    made[SCHEMA] = (here.parent / "schema" / "vectors.json").read_bytes()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(str(folder), error, parameter="folder", kind="folder") from None
    for name, content in made.items():
        write_whole(folder / name, content)
    return tuple(folder / name for name in made)


def sealed(content: Mapping[str, Any]) -> dict[str, Any]:
    """The content with its digests: of each case (to find a change), of each group, and of the whole."""
    groups = []
    for group in content["groups"]:
        cases = [stored_json.with_digest(case, length=16) for case in group["cases"]]
        groups.append(stored_json.with_digest({**group, "cases": cases}))
    return stored_json.with_digest({**content, "groups": groups})


def stored_cases(content: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    """(place, group, case) for every case of a file's content."""
    for i, group in enumerate(content["groups"]):
        for j, case in enumerate(group["cases"]):
            yield f"groups[{i}].cases[{j}]", group, case


def _broken_seal(content: Mapping[str, Any]) -> str | None:
    for place, _, case in stored_cases(content):
        if stored_json.with_digest(case, length=16) != case:
            return f"{place} ({case['id']}): content and digest differ"
    for i, group in enumerate(content["groups"]):
        if stored_json.with_digest(group) != group:
            return f"groups[{i}] ({group['name']}): content and digest differ"
    return None if stored_json.with_digest(content) == content else "digest: the file's content and digest differ"


def _duplicate(content: Mapping[str, Any]) -> str | None:
    first: dict[str, str] = {}
    for place, _, case in stored_cases(content):
        if case["id"] in first:
            return f"{place}: id {case['id']!r} is taken by {first[case['id']]}"
        first[case["id"]] = place
    names = [group["name"] for group in content["groups"]]
    return next((f"groups[{i}]: name {name!r} given twice" for i, name in enumerate(names) if name in names[:i]), None)


def _case(path: Path, operation: str, place: str, group: Mapping[str, Any], case: Mapping[str, Any]) -> Case:
    return Case(
        id=case["id"],
        operation=operation,
        group=group["name"],
        given=together(case["inputs"]) if "inputs" in case else case["input"],
        inputs=tuple(case.get("inputs", ())),
        expected=expected_from(case["expected"]),
        slack=exact_fraction(case["slack"], parameter="slack"),
        relative_tolerance=exact_fraction(case["tolerance"]["relative"], parameter="tolerance"),
        absolute_tolerance=exact_fraction(case["tolerance"]["absolute"], parameter="tolerance"),
        flags=tuple(case["flags"]),
        suites=tuple(case["suites"]),
        comment=case["comment"],
        place=f"{path}: {place}",
    )


def expected_from(stored: Mapping[str, Any]) -> Expected:
    """The stored form of an expectation, parsed exactly."""
    kind = stored["kind"]
    if kind == "refusal":
        true_from = parse_quantity(stored["holds_from"]) if "holds_from" in stored else None
        return Expected(kind=kind, because=stored["because"], upper=true_from, shown=f"a refusal: {stored['because']}")
    if kind == "relation":
        at = tuple(exact_fraction(text, parameter="at") for text in stored.get("at", ()))
        shown = f"{stored['relation']}: {stored['because']}"
        return Expected(kind=kind, relation=stored["relation"], at=at, because=stored["because"], shown=shown)
    if kind == "exact":
        value = parse_quantity(stored["value"])
        return Expected(kind=kind, lower=value, upper=value, shown=stored["value"])
    if kind in ("enclosure", "bracket"):
        lower, upper = parse_quantity(stored["lower"]), parse_quantity(stored["upper"])
        return Expected(kind=kind, lower=lower, upper=upper, shown=f"[{stored['lower']}, {stored['upper']}]")
    lowers, uppers = (stored["law"], stored["law"]) if kind == "law" else (stored["lower"], stored["upper"])
    law = {y: (exact_fraction(low, parameter="law"), exact_fraction(uppers.get(y, "0"), parameter="law")) for y, low in lowers.items()}
    return Expected(kind=kind, distribution=law, shown=", ".join(f"{y}: {text}" for y, text in lowers.items()))
