"""The vectors as plain files, for consumers that use nothing of this package."""

import json
from pathlib import Path

from shuffleproof.conformance import vectors
from shuffleproof.spec.vocabulary.files import cannot_write, write_whole

CASES = "cases.jsonl"
"""The exported file with a case a line."""
SCHEMA = "schema.json"
"""The exported schema of the other files."""
_KEPT = ("id", "input", "inputs", "expected", "slack", "tolerance", "flags", "suites", "comment")


def export(folder: Path) -> tuple[Path, ...]:
    """Write the packaged vectors to a folder, which is made if need be: a case a line, the files, their schema, the guide, the version.

    Each file appears whole or not at all; every seal is checked first. Raises IntegrityError, DomainError (folder).
    """
    files, here = vectors.load_all(), vectors.DIRECTORY
    lines = [
        json.dumps({"operation": file.content["operation"], **{key: case[key] for key in _KEPT if key in case}}, ensure_ascii=True)
        for file in files
        for _, _, case in vectors.stored_cases(file.content)
    ]
    made = {CASES: "".join(f"{line}\n" for line in lines).encode("ascii")}
    made |= {path.name: path.read_bytes() for path in (*(file.path for file in files), here / vectors.VERSION, here / "README.md")}
    made[SCHEMA] = (here.parent / "schema" / "vectors.json").read_bytes()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(str(folder), error, parameter="folder", kind="folder") from None
    for name, content in made.items():
        write_whole(folder / name, content)
    return tuple(folder / name for name in made)
