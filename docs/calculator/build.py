"""Put what the calculator's page needs into a built site: Python and Arb for browsers, pinned with their hashes, and our sources.

Usage: python docs/calculator/build.py BUILD_FOLDER SITE_FOLDER. Downloads stay in BUILD_FOLDER. Where a client or the network is missing,
the page is left without its form, and that is said (exit code 0); a hash that is not the pinned one is an error (exit code 1).
"""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
PARTS = Path("_static", "calculator", "parts")
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
LAYERS = {"shuffleproof": "shuffleproof", "spec": "shuffleproof/spec", "impl": "shuffleproof/impl"}
TARGET = ("--python-version", "3.14", "--implementation", "cp", "--abi", "cp314", "--platform", "pyemscripten_2026_0_wasm32")
NOT_THE_PINNED_ONE = ("EINTEGRITY", "DO NOT MATCH THE HASHES")
_FIRST_YEAR = (1980, 1, 1, 0, 0, 0)


class MissingError(Exception):
    """Something that is needed cannot be had here."""


def _run(*command: str, folder: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    except FileNotFoundError:
        raise MissingError(f"{command[0]} is not installed") from None
    if done.returncode:
        said = done.stdout + done.stderr
        if any(words in said for words in NOT_THE_PINNED_ONE):
            raise SystemExit(f"what was downloaded is not what is pinned:\n{said}")
        last = [line for line in said.splitlines() if line.strip()][-1:]
        raise MissingError(f"{command[0]} fails ({''.join(last)[:200]})")


def downloaded(kept: Path) -> tuple[Path, Path]:
    """The folder of CPython for browsers, and python-flint's wheel; fetched again only when what is pinned has changed."""
    pinned = "\n".join((HERE / name).read_text("utf-8") for name in ("package-lock.json", "requirements.txt"))
    stamp = kept / "fetched"
    if not stamp.exists() or stamp.read_text("utf-8") != pinned:
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, kept)
        _run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", folder=kept)
        wanted = ("--no-deps", "--only-binary", ":all:", "--require-hashes", "--requirement", str(HERE / "requirements.txt"))
        _run(sys.executable, "-m", "pip", "download", *TARGET, *wanted, "--dest", str(kept), folder=kept)
        stamp.write_text(pinned, "utf-8")
    (wheel,) = kept.glob("python_flint-*.whl")
    return kept / "node_modules" / "pyodide", wheel


def statuses() -> dict[str, list[str]]:
    """The recorded statements by status, the weakest first: the page has no ledger."""
    from shuffleproof.proofs_check.ledger import recorded

    known = {id: each.status for id, each in recorded().items()}
    ordered = sorted(set(known.values()), key=lambda status: status.weight)
    return {status.value: [id for id in sorted(known) if known[id] is status] for status in ordered}


def packed(path: Path) -> None:
    """What the page runs, and the statuses of statements, in one archive that is the same whenever it is made."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("statuses.json", _FIRST_YEAR), json.dumps(statuses()), zipfile.ZIP_DEFLATED)
        files = [(HERE / "answers.py", "answers.py")]
        for layer, inside in LAYERS.items():
            files += [(file, f"{inside}/{file.relative_to(TOP / layer).as_posix()}") for file in sorted((TOP / layer).rglob("*.py"))]
        for file, name in files:
            archive.writestr(zipfile.ZipInfo(name, _FIRST_YEAR), file.read_bytes(), zipfile.ZIP_DEFLATED)


def build(kept: Path, site: Path) -> None:
    """Fill the folder of parts, complete or not at all. Raises MissingError."""
    python, wheel = downloaded(kept)
    made, parts = kept / "parts", site / PARTS
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    for name in PYODIDE:
        shutil.copy(python / name, made)
    shutil.copy(wheel, made / "python-flint.zip")
    packed(made / "shuffleproof.zip")
    shutil.rmtree(parts, ignore_errors=True)
    shutil.copytree(made, parts)


if __name__ == "__main__":
    try:
        build(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
    except MissingError as reason:
        print(f"the calculator is left out of the site: {reason}")
