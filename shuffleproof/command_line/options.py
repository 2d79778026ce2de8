"""What the verbs of the command line share: options, made from the parameters of the methods, JSON on stdout, progress on stderr."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from shuffleproof.command_line.waiting import hush, watched
from shuffleproof.methods import METHODS
from shuffleproof.spec.vocabulary.bound import Quantity
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.parameters import Parameter
from shuffleproof.spec.vocabulary.randomizers import RANDOMIZER, SIZES

if TYPE_CHECKING:
    from rich.progress import Progress

Command = TypeVar("Command", bound=Callable[..., Any])


OF_RANDOMIZER = (RANDOMIZER, *SIZES)
_NAMED_METHODS = 3
"""An option of more methods than these does not name them in its help."""


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


def option_of(parameter: Parameter, *, says: str | None = None, required: bool = False) -> click.Option:
    """The option of a parameter, with every spelling that it has or had."""
    return click.Option(
        [*parameter.spellings, parameter.name], required=required, metavar=parameter.metavar, help=f"{says or parameter.says}."
    )


def parameter_options(*parameters: Parameter, required: bool = False) -> Callable[[Command], Command]:
    """The options of these parameters, in their order."""

    def add(command: Command) -> Command:
        for each in reversed(parameters):
            command = click.option(*each.spellings, each.name, default=None, required=required, metavar=each.metavar, help=f"{each.says}.")(
                command
            )
        return command

    return add


class MethodsCommand(click.Command):
    """A command with an option for every parameter of every method that answers its quantity, as they are offered when it is run."""

    def __init__(self, *args: Any, quantity: Quantity, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.quantity: Quantity = quantity

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The first option, those of the methods, and the rest."""
        first, *others = super().get_params(ctx)
        return [first, *method_options(self.quantity), *others]


def method_options(quantity: Quantity) -> list[click.Option]:
    """An option for every parameter of the methods that answer a quantity; two that share a name share it, with the meaning of both."""
    meanings: dict[str, dict[str, list[str]]] = {}
    first: dict[str, Parameter] = {}
    for method in METHODS.values():
        if quantity in method.quantities:
            for each in (*method.parameters, *method.optional):
                first.setdefault(each.name, each)
                meanings.setdefault(each.name, {}).setdefault(each.says, []).append(method.name)
    return [option_of(each, says="; ".join(_meant(*meaning) for meaning in meanings[name].items())) for name, each in first.items()]


def _meant(says: str, methods: Sequence[str]) -> str:
    return says if len(methods) > _NAMED_METHODS else f"{says} ({', '.join(methods)})"


def as_typed(error: DomainError, *, program: click.Group, arguments: Sequence[str]) -> str:
    """What is wrong with a parameter, under the name of the option that was typed to the verb, or that should have been."""
    command: click.Command = program
    for word in arguments:
        if isinstance(command, click.Group) and word in command.commands:
            command = command.commands[word]
    options = command.get_params(click.Context(command))
    for each in options:
        if isinstance(each, click.Option) and error.parameter in (each.name, *(spelling.lstrip("-") for spelling in each.opts)):
            typed = next(
                (spelling for spelling in each.opts if any(word.partition("=")[0] == spelling for word in arguments)), each.opts[0]
            )
            told = str(error).removeprefix(error.parameter).removeprefix(" =")
            return typed + told.removeprefix(" (nothing)")
    return str(error)


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
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    hush()
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("[dim]{task.fields[now]}"),
        console=Console(stderr=True),
        disable=not watched(),
        transient=True,
    )
