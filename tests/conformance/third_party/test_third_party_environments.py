"""Environments of third-party packages: made once, whole or not at all, and a failure is a row with its reason."""

import json
import os
import shlex
import subprocess
import sys
import time
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path

import pytest

from shuffleproof.conformance.third_party import environments
from shuffleproof.conformance.third_party.environments import Missing, Ready, available, make_ready, prepare
from shuffleproof.conformance.third_party.targets import TARGETS, Target
from shuffleproof.spec.vocabulary.errors import DomainError

TINY = Target(name="tiny-row", package="tiny", module="tiny", arguments=("--fast",), about="a package of one line")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own; the folder of environments in it."""
    monkeypatch.setenv("SHUFFLEPROOF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "environments"


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """A folder that holds one package, to be installed without any network."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    about = "tiny-1.5.dist-info"
    with zipfile.ZipFile(folder / "tiny-1.5-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny.py", "ANSWER = 42\n")
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.5\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", f"tiny.py,,\n{about}/METADATA,,\n{about}/WHEEL,,\n{about}/RECORD,,\n")
    return folder


@pytest.fixture
def harness(tmp_path: Path) -> Path:
    """A script that shows which package it sees and what it was given; its path has a space in it."""
    script = tmp_path / "a harness.py"
    script.write_text("import sys, tiny\nprint(tiny.ANSWER, sys.argv[1:])\n", encoding="utf-8")
    return script


class Steps:
    """Stands in for the programs that an installation runs. fails: which step fails, counted from 0, and how."""

    def __init__(self, *, fails: int | None = None, interrupted: int | None = None) -> None:
        self.fails, self.interrupted, self.taken = fails, interrupted, 0

    def __call__(self, command: Sequence[str], *, deadline: float, failure: str) -> str:
        step, self.taken = self.taken % 3, self.taken + 1
        if step == self.interrupted:
            raise KeyboardInterrupt
        if step == self.fails:
            raise environments._NotReadyError(failure)
        if step == 0:
            python = environments._python(Path(command[-1]))
            python.parent.mkdir(parents=True)
            python.write_text("", encoding="utf-8")
        return "2.0\n"


def ready(*, requirements: str = "tiny==2.0\n") -> Ready | Missing:
    return make_ready(TINY, requirements=requirements, harness=Path("harness.py"))


def test_two_at_once_make_one_environment_that_everybody_uses(cache: Path, wheels: Path, harness: Path) -> None:
    """With a real installation: pip, from a local folder."""
    requirements = f"--no-index\n--find-links {wheels}\ntiny==1.5\n"
    said: list[str] = []
    with ThreadPoolExecutor(2) as pool:
        calls = [pool.submit(make_ready, TINY, requirements=requirements, harness=harness, progress=said.append) for _ in range(2)]
        results = [call.result() for call in calls]
    assert said.count("tiny: making an environment") == 1
    assert said.count("tiny: installing 1 package") == 1
    for result in results:
        assert isinstance(result, Ready)
        assert (result.name, result.version) == ("tiny-row", "1.5")
        command = shlex.split(result.connect.removeprefix("cmd:"))
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "42 ['--fast']\n"
    [place] = [entry for entry in cache.iterdir() if entry.is_dir()]
    assert "tiny-1.5" in (place / "install.log").read_text("utf-8")

    said.clear()
    again = make_ready(TINY, requirements=requirements, harness=harness, progress=said.append)
    assert isinstance(again, Ready)
    assert said == []


def test_a_package_that_cannot_be_installed_is_a_row_with_pips_reason(cache: Path, wheels: Path) -> None:
    requirements = f"--no-index\n--find-links {wheels}\ntiny==7.7\n"
    result = make_ready(TINY, requirements=requirements, harness=Path("harness.py"))
    assert isinstance(result, Missing)
    assert result.reason.startswith("cannot be installed: ERROR: ")
    assert "tiny==7.7" in result.reason
    assert str(wheels) not in result.reason
    assert [entry for entry in cache.iterdir() if entry.is_dir()] == []


def test_a_complete_environment_is_never_made_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps()
    monkeypatch.setattr(environments, "_run", steps)
    assert isinstance(ready(), Ready)
    assert isinstance(ready(), Ready)
    assert steps.taken == 3


def test_other_requirements_get_an_environment_of_their_own(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environments, "_run", Steps())
    first, second = ready(), ready(requirements="tiny==2.0\nother==1.0\n")
    assert isinstance(first, Ready)
    assert isinstance(second, Ready)
    assert first.connect != second.connect


@pytest.mark.parametrize("damage", ["record", "python", "garbage"])
def test_a_damaged_environment_is_made_again(cache: Path, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    """Such as one whose Python was uninstalled."""
    steps = Steps()
    monkeypatch.setattr(environments, "_run", steps)
    first = ready()
    assert isinstance(first, Ready)
    [place] = [entry for entry in cache.iterdir() if entry.is_dir()]
    if damage == "record":
        (place / "environment.json").unlink()
    elif damage == "python":
        environments._python(place).unlink()
    else:
        (place / "environment.json").write_text("[]", encoding="utf-8")
    second = ready()
    assert isinstance(second, Ready)
    assert steps.taken == 6
    assert second.connect == first.connect
    assert [entry for entry in cache.iterdir() if entry.is_dir()] == [place]


@pytest.mark.parametrize(
    ("step", "reason"),
    [(0, "no virtual environment could be made"), (1, "cannot be installed"), (2, "is installed but cannot be imported")],
)
def test_a_failure_leaves_nothing_behind_and_the_next_try_starts_afresh(
    cache: Path, monkeypatch: pytest.MonkeyPatch, step: int, reason: str
) -> None:
    monkeypatch.setattr(environments, "_run", Steps(fails=step))
    assert ready() == Missing(name="tiny-row", reason=reason)
    assert [entry for entry in cache.iterdir() if entry.is_dir()] == []
    monkeypatch.setattr(environments, "_run", Steps())
    assert isinstance(ready(), Ready)


def test_an_interruption_is_passed_on_and_leaves_nothing_behind(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environments, "_run", Steps(interrupted=1))
    with pytest.raises(KeyboardInterrupt):
        ready()
    assert [entry for entry in cache.iterdir() if entry.is_dir()] == []


def test_what_a_killed_process_left_behind_is_cleared_away(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fcntl")
    monkeypatch.setattr(environments, "_run", Steps())
    left_behind = cache / f"tiny-{environments._fingerprint('tiny==2.0')}.building-abc"
    left_behind.mkdir(parents=True)
    (left_behind / "half").touch()
    assert isinstance(ready(requirements="tiny==2.0"), Ready)
    assert not left_behind.exists()


def test_without_a_home_there_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("SHUFFLEPROOF_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    assert ready() == Missing(name="tiny-row", reason="the cache cannot be written: Could not determine home directory.")


def test_who_loses_the_race_uses_the_winners_environment(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are no file locks, somebody else may have finished between our start and our rename."""
    monkeypatch.setattr(environments, "_run", Steps())
    assert isinstance(ready(), Ready)
    [place] = [entry for entry in cache.iterdir() if entry.is_dir()]
    building = cache / "building"
    building.mkdir()
    (building / "mine").touch()
    environments._publish(building, place)
    assert not (place / "mine").exists()
    assert environments._recorded_version(place) == "2.0"


def test_waiting_for_another_process_has_an_end(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setattr(environments, "_run", Steps())
    cache.mkdir(parents=True)
    said: list[str] = []
    with open(cache / f"tiny-{environments._fingerprint('tiny==2.0')}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = make_ready(TINY, requirements="tiny==2.0", harness=Path("harness.py"), progress=said.append, time_limit=0.2)
    assert result == Missing(name="tiny-row", reason="another process was still installing it when the time was up")
    assert said == ["tiny: waiting for another process to install it"]


def test_a_step_that_takes_too_long_is_ended_with_its_children(tmp_path: Path) -> None:
    number = tmp_path / "number"
    child = "import time; time.sleep(60)"
    parent = (
        f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', {child!r}]); "
        f"open({str(number)!r}, 'w').write(str(p.pid)); p.wait()"
    )
    with pytest.raises(environments._NotReadyError, match="too long"):
        environments._run([sys.executable, "-c", parent], deadline=time.monotonic() + 1.5, failure="failed")
    deadline = time.monotonic() + 5
    while _alive(int(number.read_text("utf-8"))) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _alive(int(number.read_text("utf-8")))


def _alive(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{number}/stat")
    return not (status.exists() and status.read_text("utf-8").rpartition(")")[2].split()[0] == "Z")


def test_a_cache_that_cannot_be_written_is_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("SHUFFLEPROOF_CACHE", str(tmp_path / "file"))
    result = ready()
    assert isinstance(result, Missing)
    assert result.reason == "the cache cannot be written: Not a directory"


def test_without_a_chosen_cache_the_users_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHUFFLEPROOF_CACHE", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert environments._environments() == tmp_path / "shuffleproof" / "environments"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/to/be/ignored")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert environments._environments() == tmp_path / "home" / ".cache" / "shuffleproof" / "environments"


def test_a_reason_is_one_short_line_without_paths_or_addresses() -> None:
    output = (
        "Looking in links: /srv/wheels\nWARNING: Location 'file:///srv/x/' is ignored\n"
        "ERROR: Could not find a version that satisfies x==1 (from versions: none) at https://example.org/simple/x/\n"
        "ERROR: No matching distribution found for /srv/somebody/wheels/x-1.whl\n"
    )
    said = environments._last_words(output)
    assert said.startswith("ERROR: Could not find a version that satisfies x==1 (from versions: none) at <address>")
    assert said.endswith("ERROR: No matching distribution found for x-1.whl")
    assert len(environments._last_words("word " * 1000)) == 300
    trace = "Traceback (most recent call last):\n  File \"/opt/a/b.py\", line 1\nModuleNotFoundError: No module named 'sklearn'\n"
    assert environments._last_words(trace) == "ModuleNotFoundError: No module named 'sklearn'"


def test_an_unknown_name_is_refused_before_any_work() -> None:
    with pytest.raises(DomainError, match="opendp"):
        prepare("no-such-package")


def test_every_row_has_its_harness_and_pins_everything() -> None:
    assert len(set(available())) == len(TARGETS) >= 3
    for target in TARGETS:
        folder = files(environments.__package__) / target.package
        harness = (folder / "harness.py").read_text("utf-8")
        assert len(harness.splitlines()) <= 150
        lines = [line for line in (folder / "requirements.txt").read_text("utf-8").splitlines() if line and not line.startswith("#")]
        pins = dict(line.removesuffix(" \\").split("==") for line in lines if not line.startswith("    --hash=sha256:"))
        assert sum(line.startswith("    --hash=sha256:") for line in lines) >= len(pins)
        assert target.package in pins
        assert all(pins.values())
        for argument in target.arguments:
            assert f'"{argument}" in sys.argv' in harness


@pytest.mark.deep
def test_the_real_packages_can_be_prepared_and_say_their_version() -> None:
    """In the cache that everybody uses; tests/conformance/third_party/test_third_party_harnesses.py asks them questions."""
    for name in available():
        result = prepare(name)
        assert isinstance(result, Ready), result
        words = shlex.split(result.connect.removeprefix("cmd:"))
        done = subprocess.run(words, input='{"cmd": "start", "version": 1}\n', capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)["implementation"]["version"] == result.version


def test_somebodys_folder_stands_in_front_of_the_release(tmp_path: Path) -> None:
    """What is imported is theirs, and its version says which files they were; a folder without the package is refused."""
    (tmp_path / "src" / "tiny").mkdir(parents=True)
    code = tmp_path / "src" / "tiny" / "__init__.py"
    code.write_text("ANSWER = 43\n", encoding="utf-8")
    script = tmp_path / "harness.py"
    told = 'from importlib.metadata import version\nimport sys, tiny\nprint(tiny.ANSWER, version("tiny"), sys.argv[1:])\n'
    script.write_text(told, encoding="utf-8")
    made = Ready(name="tiny-row", connect=f"cmd:{shlex.quote(sys.executable)}", version="1.5", seconds=0)

    def run() -> list[str]:
        ready = environments._from_source(made, TINY, script, environments.folder_of(TINY, tmp_path))
        words = shlex.split(ready.connect.removeprefix("cmd:"))
        said = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
        assert " ".join(said[1:3]) == ready.version
        return said

    first = run()
    assert first[0] == "43"
    assert first[3:] == ["['--fast']"]
    code.write_text("ANSWER = 44\n", encoding="utf-8")
    assert run()[:1] == ["44"]
    assert run()[2] != first[2]
    with pytest.raises(DomainError, match="source"):
        prepare("opendp", source=tmp_path)
