"""The program `shuffleproof`: the answer goes to stdout, the rest to stderr, the outcome to the exit code, signals to their ends.

Next to nothing is imported at the top: whoever interrupts the program while it starts gets one line as well.
"""

from __future__ import annotations

import sys

try:
    import os
    import signal
except KeyboardInterrupt:  # nothing else can be heard here
    print("shuffleproof: interrupted", file=sys.stderr)
    raise SystemExit(130) from None

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType
    from typing import NoReturn

_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
_INTERRUPTED = 130
"""Exit code 128 + 2, SIGINT, as shells have it."""
_PIPE_CLOSED = 141
"""Exit code 128 + 13, SIGPIPE."""
_TERMINATED = 143
"""Exit code 128 + 15, SIGTERM."""
_SOON = 0.01
"""Seconds after which a signal that was lost is sent again."""
_NOT_INSTALLED = 2
"""Exit code where a dependency is missing: that of missing extras, `ExitCode.USAGE`."""
_OUTPUT = 74
"""Exit code where output cannot be written: EX_IOERR of sysexits.h."""


class _Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP, so that it ends the work as Ctrl-C does: children are stopped, files stay whole, finished parts are kept."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code. arguments: those of the process if None."""
    for number in _ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:  # under nohup
            _handle(number, _terminated)
    if sys.stderr is None:  # closed: then nobody wants to hear
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (it is to last)
    if sys.stdout is None:
        _complain("standard output is closed: there is nowhere to write the answer to")
        sys.exit(_OUTPUT)
    if hasattr(sys.stdout, "reconfigure"):  # a terminal that knows fewer letters, a file whose name is no text
        sys.stdout.reconfigure(errors="backslashreplace")
    swallowed = sys.unraisablehook
    sys.unraisablehook = _heard_again_or(swallowed)
    try:
        code = _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output is gone: end as Unix tools do
        _forget_output()
        code = _PIPE_CLOSED
    except KeyboardInterrupt as interruption:
        if arguments is None:  # a second one is no news
            _leave_signals()
        code = _told(interruption)
    except ModuleNotFoundError as missing:  # click itself, or what it is made of
        _complain(_not_installed(missing))
        code = _NOT_INSTALLED
    except RuntimeError as error:
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        code = _told(error.__cause__)
    except OSError as error:
        _forget_output()
        _complain(f"{error.filename or 'standard output'}: cannot be written ({error.strerror or error})")
        code = _OUTPUT
    finally:
        if arguments is None:
            _leave_signals()
        sys.unraisablehook = swallowed
    sys.exit(code)


def _run(given: list[str]) -> int:
    """The exit code. Raises KeyboardInterrupt, and OSError where standard output fails."""
    import click

    from shuffleproof.command_line.exit_codes import ExitCode, of_error
    from shuffleproof.command_line.options import Invocation, as_typed
    from shuffleproof.command_line.verbs import shuffleproof
    from shuffleproof.command_line.waiting import sign_of_life
    from shuffleproof.spec.vocabulary.errors import DomainError, HarnessError, ShuffleproofError

    invocation = Invocation(arguments=tuple(given))

    def show_traceback() -> None:
        if invocation.verbose:
            import traceback

            traceback.print_exc(file=sys.stderr)

    try:
        # Not click's own `main`: it ends a closed pipe with 1, which means a negative verdict here.
        with sign_of_life("shuffleproof"), shuffleproof.make_context("shuffleproof", given, obj=invocation) as context:
            return int(shuffleproof.invoke(context) or ExitCode.ANSWERED)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as help_text:
        click.echo(help_text.format_message(), err=True)
        return ExitCode.USAGE
    except click.ClickException as error:
        _complain(error.format_message())
        return ExitCode.USAGE
    except click.Abort:
        raise KeyboardInterrupt from None
    except ShuffleproofError as error:
        show_traceback()
        said = as_typed(error, program=shuffleproof, arguments=given) if isinstance(error, DomainError) else str(error)
        _complain(": ".join([*getattr(error, "__notes__", ()), said]))  # the notes say where: a plan's questions, a line of claims
        for line in error.stderr.splitlines() if isinstance(error, HarnessError) else ():
            _complain(line, who="its stderr")
        return of_error(error)
    except MemoryError:
        show_traceback()
        _complain("not enough memory")
        return ExitCode.UNDECIDED
    except Exception as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # in __set_name__, while a class was made: 3.11 hides it in a RuntimeError
            raise error.__cause__ from None
        from shuffleproof.spec.vocabulary.files import failed_device

        if isinstance(error, OSError) and (isinstance(error, BrokenPipeError) or failed_device(error)):
            raise
        if isinstance(error, ModuleNotFoundError) and not (error.name or "shuffleproof").startswith("shuffleproof"):
            show_traceback()
            _complain(_not_installed(error))
            return _NOT_INSTALLED
        if isinstance(error, OSError) and error.filename is not None and any(str(error.filename) in word for word in given):
            show_traceback()
            _complain(f"{error.filename}: cannot be used ({error.strerror})")
            return ExitCode.USAGE
        show_traceback()
        hint = "" if invocation.verbose else " (run again with -v to see where)"
        _complain(f"internal error: {type(error).__name__}: {error}{hint}")
        return ExitCode.BUG


def _heard_again_or(other: Callable[[sys.UnraisableHookArgs], object]) -> Callable[[sys.UnraisableHookArgs], None]:
    """A signal that comes while a callback runs (of a weak reference, as in every import, or `__del__`) is lost there: it is sent again."""

    def heard(swallowed: sys.UnraisableHookArgs) -> None:
        if not issubclass(swallowed.exc_type, KeyboardInterrupt):
            other(swallowed)
            return
        import _thread

        number = signal.SIGTERM if issubclass(swallowed.exc_type, _Terminated) else signal.SIGINT
        _thread.start_new_thread(_again, (number,))

    return heard


def _again(number: signal.Signals) -> None:
    """Once the callback has ended."""
    import _thread
    import time

    time.sleep(_SOON)
    _thread.interrupt_main(number)


def _not_installed(missing: ModuleNotFoundError) -> str:
    """Say how to install what every installation has."""
    return f"{missing.name} is not installed: install shuffleproof with its dependencies (pip install shuffleproof, or . in a clone)"


def _told(interruption: KeyboardInterrupt) -> int:
    """Say how the work was ended; the exit code."""
    ended = isinstance(interruption, _Terminated)
    _complain("terminated" if ended else "interrupted")
    return _TERMINATED if ended else _INTERRUPTED


def _terminated(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise _Terminated


def _leave_signals() -> None:
    """A signal while everything is put away ends the process at once, and without words."""
    for number in (signal.SIGINT, *_ENDING):
        _handle(number, signal.SIG_DFL)


def _handle(number: int, handler: Callable[[int, FrameType | None], object] | signal.Handlers) -> None:
    try:
        signal.signal(number, handler)
    except ValueError:  # not in the main thread: whoever calls from elsewhere has handlers of their own
        return


def _complain(message: str, *, who: str = "shuffleproof") -> None:
    """One line on stderr, in which nothing can move a terminal's cursor."""
    line = " ".join(message.split()) if who == "shuffleproof" else message
    try:
        print(f"{who}: " + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line), file=sys.stderr, flush=True)
    except OSError:  # nobody can hear it: the exit code remains
        return


def _forget_output() -> None:
    """Keep the interpreter from complaining when it flushes at its end what could not be written."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
