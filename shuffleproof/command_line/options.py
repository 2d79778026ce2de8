"""What the verbs of the command line share: options, JSON on stdout, progress on stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from rich.progress import Progress

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass
class Invocation:
    """What holds for one run of the command line. verbose: show tracebacks."""

    verbose: bool = False


def verbose_option(command: Command) -> Command:
    """-v, --verbose: tracebacks with errors. Understood before and after the verb."""

    def remember(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
        if value:
            context.ensure_object(Invocation).verbose = True

    return click.option(
        "-v", "--verbose", is_flag=True, expose_value=False, is_eager=True, callback=remember, help="Show tracebacks with errors."
    )(command)


def format_option(command: Command) -> Command:
    """--format text|json, handed on as `as_json`."""

    def chosen(_context: click.Context, _parameter: click.Parameter, value: str) -> bool:
        return value == "json"

    option = click.option(
        "--format", "as_json", type=click.Choice(["text", "json"]), default="text", callback=chosen, help="For people, or for programs."
    )
    return verbose_option(option(command))


def depth_option(command: Command) -> Command:
    """--depth quick|full."""
    return click.option(
        "--depth",
        type=click.Choice(["quick", "full"]),
        default="quick",
        show_default=True,
        help="How much work the checks may do: seconds, or more cases and larger n.",
    )(command)


def print_json(value: object) -> None:
    """One JSON value on stdout; NaN and infinity are refused, since JSON has none."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def progress_bar() -> Progress:
    """A progress bar on stderr; silent where nobody watches (no terminal, or CI). Use as a context manager."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    watched = sys.stderr.isatty() and not os.environ.get("CI")
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("[dim]{task.fields[now]}"),
        console=Console(stderr=True),
        disable=not watched,
        transient=True,
    )
