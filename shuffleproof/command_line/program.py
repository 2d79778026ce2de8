"""The program `shuffleproof`: every verb under one name. The answer goes to stdout, the rest to stderr, the outcome to the exit code."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType
from typing import NoReturn

import click

from shuffleproof import __version__
from shuffleproof.command_line.advise import advise
from shuffleproof.command_line.audit import audit
from shuffleproof.command_line.bound import bound, compare
from shuffleproof.command_line.calibrate import calibrate
from shuffleproof.command_line.compose import compose
from shuffleproof.command_line.conform import conform
from shuffleproof.command_line.exit_codes import ExitCode, of_error
from shuffleproof.command_line.figure import figure
from shuffleproof.command_line.ledger import ledger
from shuffleproof.command_line.options import Invocation, verbose_option
from shuffleproof.command_line.run import run
from shuffleproof.command_line.sweep import sweep
from shuffleproof.command_line.vectors import vectors
from shuffleproof.command_line.verify import verify
from shuffleproof.spec.vocabulary.errors import ShuffleproofError

_INTERRUPTED = 130
_TERMINATED = 143
_PIPE_CLOSED = 141


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, message="shuffleproof %(version)s")
@verbose_option
def shuffleproof() -> None:
    """The shuffle model of differential privacy: certified bounds, a ledger of checked statements, a conformance kit.

    The answer goes to stdout, everything else to stderr. Exit codes: 0 answered or conforms; 1 negative verdict; 2 usage, or a
    parameter outside its domain; 3 undecided, or over a resource limit; 4 a harness failed; 5 nothing ran; 70 a bug of ours.
    """


for command in (verify, bound, compare, sweep, compose, advise, calibrate, run, figure, ledger, audit, conform, vectors):
    shuffleproof.add_command(command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code. arguments: those of the process if None."""
    invocation = Invocation()
    with suppress(ValueError):  # not in the main thread: whoever calls from elsewhere has handlers of their own
        signal.signal(signal.SIGTERM, _terminated)
    try:
        code = _run(arguments, invocation)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output is gone: end as Unix tools do, and keep the interpreter from complaining when it flushes again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = _PIPE_CLOSED
    sys.exit(code)


def _run(arguments: Sequence[str] | None, invocation: Invocation) -> int:
    try:
        # Not click's own `main`: it ends a closed pipe with 1, which means a negative verdict here.
        given = list(sys.argv[1:] if arguments is None else arguments)
        with shuffleproof.make_context("shuffleproof", given, obj=invocation) as context:
            return int(shuffleproof.invoke(context) or ExitCode.ANSWERED)
    except BrokenPipeError:
        raise
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as help_text:
        click.echo(help_text.format_message(), err=True)
        return ExitCode.USAGE
    except click.ClickException as error:
        _complain(_one_line(error.format_message()))
        return ExitCode.USAGE
    except _Terminated:
        _complain("terminated")
        return _TERMINATED
    except (click.Abort, KeyboardInterrupt):
        _complain("interrupted")
        return _INTERRUPTED
    except ShuffleproofError as error:
        _show_traceback(invocation)
        _complain(_one_line(str(error)))
        return of_error(error)
    except Exception as error:
        _show_traceback(invocation)
        hint = "" if invocation.verbose else " (run again with -v to see where)"
        _complain(f"internal error: {_one_line(f'{type(error).__name__}: {error}')}{hint}")
        return ExitCode.BUG


class _Terminated(KeyboardInterrupt):
    """SIGTERM, so that it ends the work as Ctrl-C does: children are stopped, files stay whole, finished parts are kept."""


def _terminated(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise _Terminated


def _complain(message: str) -> None:
    click.echo(f"shuffleproof: {message}", err=True)


def _show_traceback(invocation: Invocation) -> None:
    if invocation.verbose:
        traceback.print_exc(file=sys.stderr)


def _one_line(text: str) -> str:
    return " ".join(text.split())
