"""Virtual environments for third-party packages: one per package, pinned, made once, cached, and shared by every process.

An environment is made under a temporary name and renamed when complete, so a folder with its final name is always whole. Whoever
loses a race throws its own copy away.
"""

import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from shuffleproof.conformance.third_party.targets import TARGETS, Target
from shuffleproof.spec.vocabulary.errors import DomainError, require_one_of

Progress = Callable[[str], None]

_CHECK_IMPORT = "import importlib, importlib.metadata as m, sys; importlib.import_module(sys.argv[1]); print(m.version(sys.argv[2]))"
_RECORD = "environment.json"
_TIME_LIMIT = 900.0
"""Seconds that installing a package may take: a quarter of an hour."""
_LAST_LINES = 3
"""Of what a step that failed wrote that are shown."""
_LONGEST = 300
"""Characters of these."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ready:
    """A harness that can be started. connect: how, in the runner's notation. seconds: what this call took."""

    name: str
    connect: str
    version: str
    seconds: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Missing:
    """A package that could not be made ready here, and why."""

    name: str
    reason: str


class _NotReadyError(Exception):
    """A step failed; the message is what the user sees."""


def available() -> tuple[str, ...]:
    """Names of the rows that `prepare` knows."""
    return tuple(target.name for target in TARGETS)


def prepare(name: str, *, source: Path | None = None, progress: Progress | None = None) -> Ready | Missing:
    """Make the environment of a third-party package, or find it in the cache, and say how to start its harness.

    name: one of available(). source: a folder with the package's code, which is then judged in the place of the pinned release, beside its
    pinned dependencies. progress: called with a short line at each step.
    Returns Missing with the reason when the package cannot be installed or imported here, or takes too long.
    Raises DomainError for an unknown name, or a folder that does not hold the package.
    """
    targets = {target.name: target for target in TARGETS}
    require_one_of(name, targets, parameter="name")
    target = targets[name]
    folder = files(__package__) / target.package
    requirements, harness = folder / "requirements.txt", folder / "harness.py"
    code = None if source is None else folder_of(target, source)
    made = make_ready(target, requirements=requirements.read_text(encoding="utf-8"), harness=Path(str(harness)), progress=progress)
    return made if code is None or isinstance(made, Missing) else _from_source(made, target, Path(str(harness)), code)


def folder_of(target: Target, source: Path) -> Path:
    """The folder on which Python finds the package's module: the one given, or "src" in it. Raises DomainError."""
    parts = target.module.split(".")
    for folder in (source, source / "src"):
        found = folder.joinpath(*parts)
        if found.is_dir() or found.with_suffix(".py").is_file():
            return folder.absolute()
    wanted = f"a folder that holds {'/'.join(parts)}, or src/{'/'.join(parts)}"
    raise DomainError(parameter="source", value=str(source), requirement=wanted)


_WITH_SOURCE = """
import importlib.metadata, runpy, sys
folder, package, told, harness, *arguments = sys.argv[1:]
sys.path.insert(0, folder)
released = importlib.metadata.version
importlib.metadata.version = lambda name: told if name == package else released(name)
sys.argv = [harness, *arguments]
runpy.run_path(harness, run_name="__main__")
""".strip()


def _from_source(made: Ready, target: Target, harness: Path, code: Path) -> Ready:
    """The same harness with somebody's code in front of the release, whose version is what its files are."""
    python = shlex.split(made.connect.removeprefix("cmd:"))[0]
    files = sorted((code / target.module.split(".")[0]).rglob("*.py")) or [code.joinpath(*target.module.split(".")).with_suffix(".py")]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]
    told = f"source {digest}"
    command = shlex.join([python, "-I", "-B", "-c", _WITH_SOURCE, str(code), target.package, told, str(harness), *target.arguments])
    return replace(made, connect=f"cmd:{command}", version=told)


def make_ready(
    target: Target, *, requirements: str, harness: Path, progress: Progress | None = None, time_limit: float = _TIME_LIMIT
) -> Ready | Missing:
    """Do what `prepare` does, for any package: requirements is the text of a requirements file, harness the script to run."""
    started = time.monotonic()
    report = progress if progress is not None else _silent
    try:
        place = _environments() / f"{target.package}-{_fingerprint(requirements)}"
        version = _recorded_version(place)
        if version is None:
            place.parent.mkdir(parents=True, exist_ok=True)
            deadline = started + time_limit
            with _turn(place, deadline=deadline, report=lambda: report(f"{target.package}: waiting for another process to install it")):
                version = _recorded_version(place) or _install(
                    target, requirements=requirements, place=place, deadline=deadline, report=report
                )
    except _NotReadyError as error:
        return Missing(name=target.name, reason=str(error))
    except (OSError, RuntimeError) as error:  # RuntimeError: there is no home folder to keep a cache in
        return Missing(name=target.name, reason=f"the cache cannot be written: {getattr(error, 'strerror', None) or error}")
    command = shlex.join([str(_python(place)), "-I", str(harness), *target.arguments])
    return Ready(name=target.name, connect=f"cmd:{command}", version=version, seconds=time.monotonic() - started)


def _environments() -> Path:
    """Where environments are kept: under $SHUFFLEPROOF_CACHE, else under the user's cache folder."""
    chosen = os.environ.get("SHUFFLEPROOF_CACHE")
    if chosen:
        return Path(chosen).expanduser().absolute() / "environments"
    if sys.platform == "darwin":
        caches = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        caches = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        configured = Path(os.environ.get("XDG_CACHE_HOME", ""))
        caches = configured if configured.is_absolute() else Path.home() / ".cache"
    return caches / "shuffleproof" / "environments"


def _fingerprint(requirements: str) -> str:
    """Names the contents of an environment: what is asked for, and the Python that it is installed for."""
    identity = "\n".join([requirements, sys.version, sysconfig.get_platform()])
    return hashlib.sha256(identity.encode()).hexdigest()[:12]


def _recorded_version(place: Path) -> str | None:
    """The version of the package in a complete environment whose Python still exists, else None."""
    try:
        version = json.loads((place / _RECORD).read_text(encoding="utf-8"))["version"]
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return version if isinstance(version, str) and _python(place).exists() else None


def _python(place: Path) -> Path:
    return place / "Scripts" / "python.exe" if os.name == "nt" else place / "bin" / "python"


@contextmanager
def _turn(place: Path, *, deadline: float, report: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of one environment, so that it is installed once. Where there are no file locks the rename alone decides."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(place.with_name(f"{place.name}.lock"), "w") as lock:
        told = False
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not told:
                    report()
                    told = True
                if time.monotonic() > deadline:
                    raise _NotReadyError("another process was still installing it when the time was up") from None
                time.sleep(0.1)
        for left_behind in place.parent.glob(f"{place.name}.building-*"):  # by a process that was killed: nobody else holds the lock
            shutil.rmtree(left_behind, ignore_errors=True)
        yield


def _install(target: Target, *, requirements: str, place: Path, deadline: float, report: Progress) -> str:
    """Make the environment under a temporary name and rename it; returns the package's version."""
    building = Path(tempfile.mkdtemp(prefix=f"{place.name}.building-", dir=place.parent))
    try:
        python = str(_python(building))
        wanted = building / "requirements.txt"
        wanted.write_text(requirements, encoding="utf-8")
        started = time.monotonic()
        report(f"{target.package}: making an environment")
        _run([sys.executable, "-I", "-m", "venv", str(building)], deadline=deadline, failure="no virtual environment could be made")
        pins = sum(bool(re.match(r"\w", line)) for line in requirements.splitlines())
        report(f"{target.package}: installing {pins} package{'s' if pins != 1 else ''}")
        install = [
            python,
            "-I",
            "-m",
            "pip",
            "install",
            "--no-input",
            "--no-compile",
            "--no-deps",  # the list names everything
            "--disable-pip-version-check",
            "--requirement",
            str(wanted),
        ]
        output = _run(install, deadline=deadline, failure="cannot be installed")
        report(f"{target.package}: importing it")
        version = _run(
            [python, "-I", "-W", "ignore", "-c", _CHECK_IMPORT, target.module, target.package],
            deadline=deadline,
            failure="is installed but cannot be imported",
        ).strip()
        version = version.splitlines()[-1] if version else "unknown"
        (building / "install.log").write_text(output, encoding="utf-8")
        record = {"version": version, "seconds": round(time.monotonic() - started, 1)}
        (building / _RECORD).write_text(json.dumps(record) + "\n", encoding="utf-8")
        _publish(building, place)
        return version
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _publish(building: Path, place: Path) -> None:
    """Give a complete environment its name, unless somebody else has; what stands there damaged is moved out of the way first."""
    if place.exists() and _recorded_version(place) is None:
        damaged = Path(tempfile.mkdtemp(prefix=f"{place.name}.damaged-", dir=place.parent))
        with suppress(OSError):
            place.rename(damaged / place.name)
        shutil.rmtree(damaged, ignore_errors=True)
    try:
        building.rename(place)
    except OSError:
        if _recorded_version(place) is None:
            raise


def _run(command: Sequence[str], *, deadline: float, failure: str) -> str:
    """Run a step to its end and return what it wrote; the step and all its children end at the deadline or with an interruption."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PIP_TARGET", "PIP_PREFIX", "PIP_USER")}
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        env=environment,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise _NotReadyError("took too long to install") from None
    finally:
        if process.poll() is None:
            _end(process)
    if process.returncode != 0:
        raise _NotReadyError(f"{failure}: {_last_words(output) or f'exit code {process.returncode}'}")
    return output


def _end(process: subprocess.Popen[str]) -> None:
    if os.name == "posix":
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()


def _last_words(output: str) -> str:
    """The end of what a step wrote, fit for a table: no paths, no hosts, no warnings, one line."""
    said = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in said if re.match(r"(ERROR|error|\w+Error)\b", line)]
    text = " ".join((errors or said)[-_LAST_LINES:])
    text = re.sub(r"\w+://[^\s'\"]+", "<address>", text)
    text = re.sub(r"(?<![\w.<])(?:[A-Za-z]:)?[/\\](?:[^\s'\":/\\]+[/\\])+", "", text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _silent(line: str) -> None:
    """Progress that nobody asked for."""
