"""Files keep the permissions that their owner gave them, and nothing is read beyond a limit."""

import os
import stat
import sys
from pathlib import Path

import pytest

from shuffleproof.spec.vocabulary.files import read_at_most, write_whole

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o007])
def test_a_new_file_has_the_permissions_of_the_umask(tmp_path, mask):
    before = os.umask(mask)
    try:
        write_whole(tmp_path / "out", b"x")
    finally:
        os.umask(before)
    assert mode(tmp_path / "out") == 0o666 & ~mask


def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    path.chmod(0o600)
    write_whole(path, b"new")
    assert (path.read_bytes(), mode(path)) == (b"new", 0o600)


def test_no_more_is_read_than_the_limit(tmp_path):
    (tmp_path / "small").write_bytes(b"1234")
    assert read_at_most(tmp_path / "small", limit=4) == b"1234"
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    for path in (tmp_path / "small", tmp_path / "sparse", Path("/dev/zero")):
        with pytest.raises(OSError, match="more than"):
            read_at_most(path, limit=3)
