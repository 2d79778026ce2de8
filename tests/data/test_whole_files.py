"""Files that appear whole or not at all, and what their writers leave when they are killed."""

from pathlib import Path

import pytest

from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.files import unfinished, whole_file


def test_a_file_appears_when_its_block_ends_well(tmp_path: Path) -> None:
    target = tmp_path / "inside" / "x.bin"
    target.parent.mkdir()
    with whole_file(target, beside=tmp_path / "x") as temporary:
        temporary.write_bytes(b"whole")
        assert temporary.parent == tmp_path
        assert not target.exists()
        assert unfinished(tmp_path / "x") == [temporary]
    assert target.read_bytes() == b"whole"
    assert unfinished(tmp_path / "x") == []


def test_a_block_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "x.bin"
    target.write_bytes(b"before")

    def fails() -> None:
        with whole_file(target, beside=target) as temporary:
            temporary.write_bytes(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fails()
    assert [path.name for path in tmp_path.iterdir()] == ["x.bin"]
    assert target.read_bytes() == b"before"


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="a file that can be written"), whole_file(tmp_path / "no" / "x", beside=tmp_path / "no" / "x"):
        pass


def test_only_the_unfinished_files_of_a_path_are_found(tmp_path: Path) -> None:
    for name in (".x.ab_1.unfinished", ".x.y.ab.unfinished", "x.ab.unfinished", ".x.ab", ".xz.ab.unfinished"):
        (tmp_path / name).touch()
    assert [path.name for path in unfinished(tmp_path / "x")] == [".x.ab_1.unfinished"]
