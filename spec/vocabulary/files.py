"""The one reader of whole files, within a limit, and the one writer: files appear whole or not at all, and are on disk when it says so."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from shuffleproof.spec.vocabulary.errors import DomainError, OutputError, ShuffleproofError

_UNFINISHED = ".unfinished"
_DEVICE_FAILED = frozenset(
    getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG", "EIO", "EBADF", "ENXIO", "ENODEV", "ESTALE") if hasattr(errno, name)
)
"""What a disk or a terminal says that has failed, or is full or closed; everything else speaks about the path that was asked for."""


def failed_device(error: OSError) -> bool:
    """Return whether an error of the system is about the device, and not about the path: full, over quota, closed, broken."""
    return error.errno in _DEVICE_FAILED


def cannot_write(path: str, error: OSError, *, parameter: str = "output", kind: str = "file") -> ShuffleproofError:
    """Return what to raise for a file that cannot be written: OutputError where the device has failed, else DomainError about the path."""
    reason = error.strerror or str(error) or type(error).__name__
    if failed_device(error):
        return OutputError(path, reason)
    return DomainError(parameter=parameter, value=path, requirement=f"a {kind} that can be written ({reason})")


def read_at_most(path: Path, *, limit: int) -> bytes:
    """Read a file, a pipe or a device of at most `limit` bytes. Raises OSError, also where there is more: then nothing else is read."""
    try:
        with open(path, "rb") as file:
            content = file.read(limit + 1)
    except ValueError:  # a null byte in the name
        raise OSError(errno.EINVAL, "not the name of a file", str(path)) from None
    if len(content) > limit:
        size = f"{limit >> 20} MiB" if limit >> 20 else f"{limit} bytes"
        raise OSError(errno.EFBIG, f"it holds more than {size}", str(path))
    return content


def text_of(path: Path, *, limit: int, parameter: str, wanted: str, encoding: str = "utf-8-sig") -> str:
    """The text of somebody's file. wanted: what would be accepted, for the DomainError where it cannot be read, is too long or no UTF-8."""
    try:
        return read_at_most(path, limit=limit).decode(encoding)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise DomainError(parameter=parameter, value=str(path), requirement=f"{wanted} ({reason})") from None


def made_folder(folder: Path, *, parameter: str) -> None:
    """Make a folder, and those above it, unless it is there; see that files can be written in it. Raises DomainError, OutputError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".probe"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise cannot_write(str(folder), error, parameter=parameter, kind="folder") from None


def require_writable(path: Path, *, parameter: str = "output") -> None:
    """Refuse, before any work starts, a path at which no file can appear. Raises DomainError, OutputError."""
    try:
        with contextlib.suppress(FileNotFoundError):  # a link in a ring, a name that is too long: these are errors
            os.stat(path)
        folder = Path(os.path.realpath(path)).parent
        if path.is_dir() or not folder.is_dir():
            reason = "is a folder" if path.is_dir() else "its folder does not exist"
        elif not path.exists() and not os.access(folder, os.W_OK):
            reason = "nothing can be written to its folder"
        else:
            return
    except OSError as error:
        raise cannot_write(str(path), error, parameter=parameter) from None
    raise DomainError(parameter=parameter, value=str(path), requirement=f"a file that can be written ({reason})")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file; what is no file, such as a pipe or a terminal, is written to as it is. Errors as for `whole_file`."""
    try:
        if path.exists() and not path.is_file():
            with open(path, "wb") as stream:
                stream.write(content)
            return
    except OSError as error:
        raise cannot_write(str(path), error) from None
    with whole_file(path) as temporary:
        temporary.write_bytes(content)


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A temporary path to write to, which becomes `path` when the block ends well, on disk by then, and is removed otherwise.

    The temporary file is one of `unfinished(path)`. Raises DomainError for a path that cannot be written, OutputError where the device is
    full or broken.
    """
    shown = str(path)
    try:
        path = Path(os.path.realpath(path))  # a link stays a link
        if path.exists() and not path.is_file():
            raise DomainError(parameter="output", value=shown, requirement="a file that can be written (it is something else)")
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=_UNFINISHED)
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            with open(temporary, "rb+") as file:
                os.fsync(file.fileno())
            temporary.chmod(_mode(path))
            temporary.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
    except OSError as error:
        raise cannot_write(shown, error) from None
    _remember_name(path.parent)


def unfinished(path: Path) -> list[Path]:
    """The files that writers who were killed have left beside a path."""
    pattern = re.compile(re.escape(f".{path.name}.") + r"\w+" + re.escape(_UNFINISHED))
    return [each for each in path.parent.iterdir() if pattern.fullmatch(each.name)]


def _mode(path: Path) -> int:
    """Return the permissions of the file that is replaced, or those of a new file under the caller's umask.

    The umask is read from the system's account of this process: asking for it with `os.umask` would change it for other threads.
    """
    with contextlib.suppress(FileNotFoundError):
        return stat.S_IMODE(path.stat().st_mode)
    with contextlib.suppress(OSError, StopIteration):
        lines = Path("/proc/self/status").read_text("ascii", "replace").splitlines()
        return 0o666 & ~int(next(line for line in lines if line.startswith("Umask:")).split()[1], 8)
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


def _remember_name(folder: Path) -> None:
    """Have a rename survive a power cut; where a folder cannot be opened, the system sees to it."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
