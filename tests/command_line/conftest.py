"""A folder in which every verb can be asked."""

import sys
from functools import cache
from pathlib import Path

import pytest

from shuffleproof import ledger as statements
from shuffleproof.conformance import lint, vectors
from shuffleproof.conformance.catalogue import generate
from shuffleproof.verification import verify as verification

sys.path.insert(0, str(Path(__file__).parent))
import every_verb

load_all = cache(vectors.load_all)


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filled")
    every_verb.prepare(folder)
    return folder


@pytest.fixture
def folder(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with the files that the tables of `every_verb` name; what takes long is not done."""
    for path in filled.iterdir():
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(generate, "write", lambda *_, **__: [Path("written.json")])
    monkeypatch.setattr(lint, "lint", lambda _directory: ())
    monkeypatch.setattr(verification, "verify", lambda **_: every_verb.VERIFIED)
    monkeypatch.setattr(statements, "record", lambda *_, **__: ())
    monkeypatch.setattr(vectors, "load_all", load_all)
    return tmp_path
