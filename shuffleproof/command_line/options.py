"""What the verbs of the command line share: how options are typed and refused, JSON on stdout, progress on stderr."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from shuffleproof.command_line.waiting import hush, watched
from shuffleproof.keywords import PLANNED
from shuffleproof.report.texts import say, shortened
from shuffleproof.spec.vocabulary.errors import DomainError, as_named, require_one_of
from shuffleproof.spec.vocabulary.numerals import ungrouped
from shuffleproof.spec.vocabulary.tables import FrozenMapping

if TYPE_CHECKING:
    from rich.progress import Progress

Command = TypeVar("Command", bound=Callable[..., Any])


_STEADY = 3600.0
"""Seconds over which the speed of a bar is averaged: over rich's 30 the time left jumps with every long case."""


@dataclass
class Invocation:
    """Holds what is true of one run of the command line. verbose: show tracebacks; arguments: what was typed."""

    verbose: bool = False
    arguments: Sequence[str] = ()


def options(*each: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Options that several commands have, in this order."""

    def add(command: Command) -> Command:
        for option in reversed(each):
            command = option(command)
        return command

    return add


def as_typed_line() -> str:
    """The command that is under way, for a shell."""
    return shlex.join(["shuffleproof", *click.get_current_context().ensure_object(Invocation).arguments])


def verbose_option(command: Command) -> Command:
    """-v, --verbose: tracebacks with errors. Understood before and after the verb."""

    def remember(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
        if value:
            context.ensure_object(Invocation).verbose = True

    return click.option(
        "-v", "--verbose", is_flag=True, expose_value=False, is_eager=True, callback=remember, help="Show tracebacks with errors."
    )(command)


_SPELLINGS = (
    *(("--eps", "--epsilon"), ("--jobs", "--workers", "-j"), ("-o", "--output")),
    *(("--distribution", "--law"), ("--mutate", "--bend"), ("--type", "--kind")),  # as they are called now, and were
)
"""Ways of writing that mean one thing wherever one of them is an option."""


def spellings(option: click.Option, beside: Iterable[click.Parameter]) -> list[str]:
    """Every way of writing an option: those in the help, then those by which it is called elsewhere.

    "-n" is "--n" too, "--eps0" is "--epsilon0", as in Python, and what another command calls it is understood. beside: the other options
    of the command, whose own ways of writing are theirs.
    """
    known = [*option.opts, *option.secondary_opts]
    theirs = {each for other in beside if other is not option for each in (*other.opts, *other.secondary_opts)}
    also = [f"--{each[1:]}" for each in option.opts if len(each) == 2]
    also += [each[1:] for each in option.opts if len(each) == 3]
    also += [f"--{(option.name or '').replace('_', '-')}"] if len(option.name or "") > 1 and option.callback is None else []
    also += [each for group in _SPELLINGS if {*known, *also} & {*group} for each in group]
    return [*known, *(each for each in dict.fromkeys(also) if each not in known and each not in theirs)]


class Name(click.Choice[str]):
    """One of some names, of which also what other commands call them is understood. also: such a name -> the one that is meant."""

    def __init__(self, names: Iterable[str], also: Mapping[str, str] = FrozenMapping({})) -> None:
        super().__init__(list(names), case_sensitive=False)
        self._also = also

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name itself. Raises DomainError with the nearest one."""
        named = as_named(value, (*self.choices, *self._also))
        return require_one_of(self._also.get(named, named), self.choices, parameter=(param and param.name) or "name")


class Verb(click.Command):
    """A command whose options can be typed as they are called elsewhere."""

    def make_parser(self, ctx: click.Context) -> Any:
        """click's, which knows every spelling."""
        parser = super().make_parser(ctx)
        parameters = self.get_params(ctx)
        for option in parameters:
            if isinstance(option, click.Option):
                spelled = copy(option)
                shown = {*option.opts, *option.secondary_opts}
                spelled.opts, spelled.secondary_opts = [each for each in spellings(option, parameters) if each not in shown], []
                if spelled.opts:
                    spelled.add_to_parser(parser, ctx)
        return parser

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does, and read "50_000", "50 000" and "50,000" where a whole number is asked for."""
        try:
            left = super().parse_args(ctx, args)
        except click.NoSuchOption as wrong:
            if wrong.option_name.lstrip("-") not in PLANNED:
                raise
            told = f"{wrong.message} Who takes part, and how often, stands in a plan: shuffleproof plan init > plan.toml"
            raise click.UsageError(told, ctx) from None
        for each in self.get_params(ctx):
            value = ctx.params.get(each.name or "")
            if each.metavar == "COUNT" and value is not None:
                ctx.params[each.name or ""] = tuple(map(ungrouped, value)) if each.multiple else ungrouped(value)
        return left

    def invoke(self, ctx: click.Context) -> Any:
        """Return what was asked, once it is known that nothing that is read would be overwritten. Raises click.UsageError."""
        files = [
            (each, path)
            for each in self.get_params(ctx)
            if isinstance(each.type, click.Path) or each.metavar == "FILE"
            for path in _paths(ctx.params.get(each.name or ""))
        ]
        for each, path in files:
            if isinstance(each, click.Option) and each.name in _WRITTEN:
                for other, read in files:
                    if other is not each and _one_file(path, read):
                        said = other.opts[0] if isinstance(other, click.Option) else other.human_readable_name
                        raise click.UsageError(f"{each.opts[0]} {path}: must be another file than {said}, which it would replace")
        return super().invoke(ctx)


_WRITTEN = ("output", "outputs", "page", "report", "reports", "formal", "save", "resume")
"""Options whose file is written."""


def _paths(value: object) -> list[str]:
    return [str(each) for each in (value if isinstance(value, tuple) else (value,)) if each is not None and str(each) != "-"]


def _one_file(path: str, other: str) -> bool:
    try:
        return os.path.realpath(path) == os.path.realpath(other) and not (os.path.exists(path) and not os.path.isfile(path))
    except OSError:
        return False


class Verbs(click.Group):
    """A group of such commands."""

    command_class = Verb

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, or of one that it had."""
        return super().get_command(ctx, _FORMER_VERBS.get(cmd_name, cmd_name))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Add the nearest name that there is, which click does itself from 8.4 on."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as wrong:
            from shuffleproof.spec.vocabulary.bound import Quantity

            nearest = [f"bound {args[0]}"] if args[0] in get_args(Quantity) else get_close_matches(args[0], self.list_commands(ctx), n=1)
            if nearest and repr(nearest[0]) not in wrong.format_message():
                raise click.UsageError(f"{wrong.format_message()} Did you mean {nearest[0]!r}?", ctx) from None
            raise


def refuse_idle(where: str, *names: str) -> None:
    """Refuse options that were typed where they have no effect: whoever gave them believes that they have. names: of their parameters."""
    context = click.get_current_context()
    for each in context.command.get_params(context):
        typed = context.get_parameter_source(each.name or "") is click.core.ParameterSource.COMMANDLINE
        if each.name in names and typed and context.params.get(each.name) != ():  # which click 8.2 calls typed where nothing was
            said = each.opts[0] if isinstance(each, click.Option) else each.human_readable_name
            raise click.UsageError(f"{said} has no effect {where}: leave it out")


def as_typed(error: DomainError, *, program: click.Group, arguments: Sequence[str]) -> str:
    """Return what is wrong with a parameter, under the name of the option that was typed to the verb, or that should have been."""
    command: click.Command = program
    for word in arguments:
        if isinstance(command, click.Group) and (now := _FORMER_VERBS.get(word, word)) in command.commands:
            command = command.commands[now]
    options = command.get_params(click.Context(command))
    meant = error.parameter.lstrip("-")
    told = str(error).removeprefix(error.parameter).removeprefix(" =")
    for each in options:
        known = spellings(each, options) if isinstance(each, click.Option) else []
        if known and meant in (each.name, *(spelling.lstrip("-") for spelling in known)):
            typed = next((spelling for spelling in known if any(word.partition("=")[0] == spelling for word in arguments)), known[0])
            return typed + told.removeprefix(" (nothing)").removeprefix(" nothing")
    if meant in _OF_VALUES:  # what a file or a name was given for, only its place says
        for known in (spellings(each, options) for each in options if isinstance(each, click.Option)):
            for spelling in known:
                if f"{spelling}={error.value}" in arguments or (spelling, str(error.value)) in pairwise(arguments):
                    return spelling + told
    for each in options:
        if isinstance(each, click.Argument):
            label = each.human_readable_name.strip("[].")
            if meant.lower() == label.lower() or (meant in _OF_VALUES and str(error.value) in arguments):
                return label + told
    return str(error)


_FORMER_VERBS = {"bend": "mutate", "law": "distribution"}
"""Verbs by the names that they had."""
_OF_VALUES = ("FILE", "distribution", "name", "id", "round", "question")
"""Parameters that several options may be about."""


def format_option(command: Command) -> Command:
    """--format text|json, handed on as `as_json`."""

    def chosen(_context: click.Context, _parameter: click.Parameter, value: str) -> bool:
        return value == "json"

    option = click.option(
        "--format", "as_json", type=Name(["text", "json"]), default="text", callback=chosen, help="For people, or for programs."
    )
    return verbose_option(option(command))


def depth_option(command: Command) -> Command:
    """--depth quick|full."""
    return click.option(
        "--depth",
        type=Name(["quick", "full"]),
        default="quick",
        show_default=True,
        help="How much work the checks may do: seconds, or more cases and larger n.",
    )(command)


def print_json(value: object) -> None:
    """One JSON value on stdout; NaN and infinity are refused, since JSON has none, and what a terminal would execute is escaped."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    say("".join(each if each.isprintable() or each == "\n" else json.dumps(each)[1:-1] for each in text))


def progress_bar() -> Progress:
    """A progress bar on stderr; silent where nobody watches (no terminal, or CI). Use as a context manager.

    What is at work is said by the task's field `now`, which may be somebody else's text.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.text import Text

    class Now(TextColumn):
        def render(self, task: Task) -> Text:
            return Text(shortened(str(task.fields["now"]), longest=80, longest_word=30), style="dim")

    hush()
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        Now(""),
        console=Console(stderr=True, quiet=not watched()),  # some versions of rich end even what is disabled with an empty line
        disable=not watched(),
        transient=True,
        speed_estimate_period=_STEADY,
    )
