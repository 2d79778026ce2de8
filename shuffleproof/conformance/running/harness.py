"""Talking to a harness that may do anything: crash, hang, flood, write half a line, ignore its input, leave children behind."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import selectors
import shlex
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from shuffleproof.conformance.running import DEADLINE, descendants, protocol
from shuffleproof.conformance.running.output_rate import OutputRate
from shuffleproof.conformance.running.protocol import Answer, Greeting
from shuffleproof.spec.vocabulary.errors import (
    HarnessCrashError,
    HarnessError,
    HarnessProtocolError,
    HarnessStartError,
    HarnessTimeoutError,
    require,
)

MOST_OUTPUT = 4 << 20
"""Bytes that a harness may write on stdout, and on stderr, for one request."""
STDERR_KEPT = 1 << 16
"""Bytes of what a harness writes on stderr about one question that are kept: the last ones."""
_GRACE_SECONDS = 1.0
"""Seconds that a harness has to end by itself when it is closed."""
_CHUNK = 1 << 16
"""Bytes read at once: what a pipe holds on Linux."""
STDERR_SAYS = "; its stderr "
"""In a reason, before what a harness wrote there."""
_STARTED: weakref.WeakSet[Harness] = weakref.WeakSet()
_COUNTED = threading.RLock()
"""Held from a start until it is counted, and where none is left: else one thread takes another's new harness for an orphan."""
_COMPLAINT = re.compile(r"^\s*(\S*(Error|Exception|Panic)\b|panic|fatal|thread '.*' panicked|terminate called|Segmentation|ERROR)")
"""The line of what a dying program writes that says why; node and Go, for one, do not end with it."""


def command(connect: str) -> list[str]:
    """The command line behind a connection text: "cmd:./my-harness --fast" or "py:package.module:factory". Raises DomainError."""
    requirement = '"cmd:" and a command, or "py:package.module:factory"'
    kind, _, rest = connect.partition(":")
    if kind == "cmd":
        try:
            words = shlex.split(rest)
        except ValueError:
            words = []
        require(len(words) > 0 and words[0] != "", parameter="connect", value=connect, requirement=requirement)
        require("\0" not in rest, parameter="connect", value=connect, requirement="free of null bytes")
        return words
    module, _, factory = rest.partition(":")
    named = kind == "py" and all(part.isidentifier() for part in module.split(".")) and factory.isidentifier()
    require(named, parameter="connect", value=connect, requirement=requirement)
    return [sys.executable, "-m", "shuffleproof.conformance.running.python_harness", rest]


class Harness:
    """One running harness, in a process group of its own; a context manager that leaves no process behind.

    connect: see `command`. deadline: seconds for each question, from sending it to having the whole answer; start_deadline: the same for
    greeting and configuration, where interpreters start and libraries load.
    rate: what is counted of its output, also of earlier processes. written: bytes that it has written so far, on stdout and stderr.
    peak_memory: bytes that its process has held at most, as far as it was seen after an answer; None where that is not to be had.
    Every method raises a HarnessError when the harness fails; after that it is dead and only `close` makes sense.
    """

    def __init__(self, connect: str, *, deadline: float, start_deadline: float = DEADLINE, rate: OutputRate | None = None) -> None:
        for seconds in (deadline, start_deadline):
            require(0 < seconds <= 86_400, parameter="deadline", value=seconds, requirement="a number of seconds in (0, 86400]")
        self.connect, self.deadline, self.start_deadline = connect, deadline, start_deadline
        self._out, self._err, self._err_lost = b"", b"", 0
        self.written = 0
        self.peak_memory: int | None = None
        self._rate = rate or OutputRate()
        self._mark = secrets.token_hex(16)
        try:
            with _COUNTED:
                self._process = subprocess.Popen(
                    command(connect),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    start_new_session=True,
                    env={**os.environ, descendants.MARK: self._mark},
                )
                _STARTED.add(self)
        except OSError as error:
            raise HarnessStartError(implementation=connect, reason=f"cannot be started: {error.strerror}: {error.filename}") from None
        self._pipes = [pipe for pipe in (self._process.stdin, self._process.stdout, self._process.stderr) if pipe is not None]
        self._in_fd, self._out_fd, self._err_fd = (pipe.fileno() for pipe in self._pipes)
        for pipe in self._pipes:
            os.set_blocking(pipe.fileno(), False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def greet(self) -> Greeting:
        """Send `start` and return what the harness declares. Raises HarnessStartError if it does not greet as the protocol says."""
        try:
            line = self._exchange(protocol.start_message(), deadline=self.start_deadline)
            return protocol.parse_greeting(line, implementation=self.connect)
        except HarnessError as error:
            raise HarnessStartError(implementation=self.connect, reason=f"did not greet: {error.reason}", stderr=self.stderr) from None

    def configure(self, *, seed: int, digits: int) -> None:
        """Send `configure`. Raises HarnessStartError if it is not confirmed."""
        try:
            line = self._exchange(protocol.configure_message(seed=seed, digits=digits), deadline=self.start_deadline)
            protocol.parse_configured(line, implementation=self.connect)
        except HarnessError as error:
            reason = f"did not accept its configuration: {error.reason}"
            raise HarnessStartError(implementation=self.connect, reason=reason, stderr=self.stderr) from None

    def ask(self, *, seq: int, operation: str, given: Mapping[str, str]) -> Answer:
        """Ask one question. Raises HarnessTimeoutError, HarnessCrashError or HarnessProtocolError."""
        line = self._exchange(protocol.run_message(seq=seq, operation=operation, given=given), deadline=self.deadline)
        self._note_memory()
        return protocol.parse_answer(line, seq=seq, operation=operation, implementation=self.connect)

    @property
    def stderr(self) -> str:
        """Return what it has written on stderr since the last message to it; the end, where that is more than STDERR_KEPT bytes."""
        said = self._err.decode("utf-8", "replace")
        return f"[{self._err_lost} bytes before this are not kept]\n{said}" if self._err_lost else said

    def close(self) -> None:
        """Ask the harness to stop, give it a second, then kill its process group and whatever else it started. Never fails."""
        if self._process.returncode is not None:
            return
        try:
            with contextlib.suppress(OSError):
                os.write(self._in_fd, protocol.stop_message())
            self._close_stdin()
            waited_until = time.monotonic() + _GRACE_SECONDS
            while not self._ended() and time.monotonic() < waited_until:
                self._drain()
                time.sleep(0.005)
        finally:
            self._kill()

    def interrupt(self) -> None:
        """Kill the process group from any thread: the one that is waiting for an answer gets a HarnessCrashError, and ends the rest."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def kill(self) -> None:
        """End the harness at once; for one that has already failed."""
        if self._process.returncode is None:
            self._kill()

    def _exchange(self, message: bytes, *, deadline: float) -> bytes:
        """Send a message and return the one line that answers it."""
        until = time.monotonic() + deadline
        self._err, self._err_lost = b"", 0
        unsent, read, err_read = memoryview(message), len(self._out), 0
        with selectors.DefaultSelector() as selector:
            selector.register(self._in_fd, selectors.EVENT_WRITE)
            selector.register(self._out_fd, selectors.EVENT_READ)
            selector.register(self._err_fd, selectors.EVENT_READ)
            while b"\n" not in self._out:
                # One turn: wait for any of the three pipes, at most a tenth of a second, so that a quiet end is noticed, too.
                remaining = until - time.monotonic()
                if remaining <= 0:
                    said = "after half a line" if self._out else "without an answer"
                    raise HarnessTimeoutError(implementation=self.connect, reason=f"{said} after {deadline:g} s{self._last_words()}")
                for key, _ in selector.select(min(remaining, 0.1)) or self._ended_quietly():
                    # Write what the pipe takes; the rest waits for the next turn.
                    if key.fd == self._in_fd:
                        unsent = self._send(unsent)
                        if not unsent:
                            selector.unregister(self._in_fd)
                        continue
                    # Read what there is. The end of stderr is no failure, that of stdout before an answer is; too much of either is.
                    chunk = _read(key.fd)
                    if chunk is None:
                        continue
                    if key.fd == self._err_fd:
                        self._keep(chunk)
                        err_read += len(chunk)
                        if not chunk:
                            selector.unregister(self._err_fd)
                    elif not chunk:
                        raise self._crash()
                    else:
                        self._out += chunk
                        read += len(chunk)
                    self.written += len(chunk)
                    self._rate.add(len(chunk))
                    self._check_volume(read, err_read)
        line, _, self._out = self._out.partition(b"\n")
        if len(line) >= protocol.LONGEST_LINE:
            raise self._flood(f"a line of more than {protocol.LONGEST_LINE} bytes")
        if unsent:
            raise HarnessProtocolError(implementation=self.connect, reason="answered before it was asked")
        if self._out:
            first, second = (text[:60].decode("utf-8", "backslashreplace") for text in (line, self._out))
            raise HarnessProtocolError(implementation=self.connect, reason=f"wrote more than one line: first {first!r}, then {second!r}")
        return line

    def _keep(self, chunk: bytes) -> None:
        said = self._err + chunk
        self._err = said[-STDERR_KEPT:]
        self._err_lost += len(said) - len(self._err)

    def _note_memory(self) -> None:
        """Linux says what a process has held at most; elsewhere nothing is known."""
        with contextlib.suppress(OSError, ValueError, IndexError):
            status = Path(f"/proc/{self._process.pid}/status").read_text("ascii", "replace")
            peak = 1024 * int(status.partition("VmHWM:")[2].split()[0])
            self.peak_memory = max(peak, self.peak_memory or 0)

    def _send(self, unsent: memoryview) -> memoryview:
        try:
            return unsent[os.write(self._in_fd, unsent) :]
        except BlockingIOError:
            return unsent
        except OSError:
            raise self._crash() from None

    def _check_volume(self, read: int, err_read: int) -> None:
        newline = self._out.find(b"\n")
        if (newline if newline >= 0 else len(self._out)) >= protocol.LONGEST_LINE:
            raise self._flood(f"a line of more than {protocol.LONGEST_LINE} bytes")
        if read > MOST_OUTPUT or err_read > MOST_OUTPUT:
            raise self._flood(f"more than {MOST_OUTPUT} bytes for one request")
        if self._rate.exceeded:
            raise self._flood(f"too fast: more than {self._rate.told}")

    def _flood(self, what: str) -> HarnessProtocolError:
        return HarnessProtocolError(implementation=self.connect, reason=what)

    def _crash(self) -> HarnessCrashError:
        """Return what is known about an end that was not asked for."""
        until = time.monotonic() + 0.2
        while not self._ended() and time.monotonic() < until:
            time.sleep(0.005)
        self._drain()
        status = self._exit_status()
        return HarnessCrashError(implementation=self.connect, reason=f"{status} while an answer was due{self._last_words()}")

    def _last_words(self) -> str:
        words = [line for line in self._err.decode("utf-8", "replace").splitlines() if line.strip()]
        if not words:
            return ""
        complaint = next((line for line in reversed(words) if _COMPLAINT.match(line)), None)
        told = "ends" if complaint in (None, words[-1]) else "says"
        return f"{STDERR_SAYS}{told}: {(complaint or words[-1])[:300]!r}"

    def _ended_quietly(self) -> list[tuple[selectors.SelectorKey, int]]:
        """Nothing to read for a while: a child may hold the pipe of a harness that has ended."""
        if self._ended():
            chunk = _read(self._out_fd)
            if not chunk:
                raise self._crash()
            self._out += chunk
        return []

    def _ended(self) -> bool:
        """Return whether the harness itself has ended; it is not reaped, so that its number stays taken until its group is killed."""
        if self._process.returncode is not None:
            return True
        try:
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def _exit_status(self) -> str:
        with contextlib.suppress(ChildProcessError):
            state = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if state is not None:
                ended = state.si_code == os.CLD_EXITED
                return f"exited with status {state.si_status}" if ended else f"killed by {signal.Signals(state.si_status).name}"
        return "closed its output"

    def _drain(self) -> None:
        """Keep the pipes from blocking a harness that is ending."""
        _read(self._out_fd)
        while chunk := _read(self._err_fd):
            self._keep(chunk)
            if len(self._err) == STDERR_KEPT:
                return

    def _close_stdin(self) -> None:
        with contextlib.suppress(OSError):
            self._pipes[0].close()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        descendants.kill_marked(self._mark)
        with _COUNTED:
            if all(each._process.returncode is not None for each in _STARTED):
                descendants.kill_adopted()
        for pipe in self._pipes:
            with contextlib.suppress(OSError):
                pipe.close()


def interrupt_all() -> None:
    """Interrupt every harness that this process has started."""
    with contextlib.suppress(RuntimeError):  # another one has just been started: whoever means that too calls again
        for started in _STARTED:
            started.interrupt()


def _read(fd: int) -> bytes | None:
    """Return what there is, at most a chunk of it; b"" at the end, None if nothing yet."""
    try:
        return os.read(fd, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
