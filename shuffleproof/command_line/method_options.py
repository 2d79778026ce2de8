"""Options made from the parameters of the methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import click

from shuffleproof.command_line.options import Command, Name, Verb
from shuffleproof.methods import METHODS
from shuffleproof.report.texts import say
from shuffleproof.spec.vocabulary.bound import Quantity
from shuffleproof.spec.vocabulary.numerals import count, exact_fraction
from shuffleproof.spec.vocabulary.parameters import Parameter
from shuffleproof.spec.vocabulary.randomizers import RANDOMIZER, SIZES
from shuffleproof.spec.vocabulary.scope import Relation

OF_RANDOMIZER = (RANDOMIZER, *SIZES)
_NAMED_METHODS = 5
"""An option of more methods than these does not name them in its help."""
RELATIONS = {"replace": Relation.REPLACE_ONE, "add-remove": Relation.ADD_REMOVE}
"""Which datasets are neighbours, as it is typed."""
relation_option = click.option(
    "--relation",
    required=True,
    callback=lambda _context, _parameter, typed: RELATIONS[typed],
    type=Name(sorted(RELATIONS), also={"replace-one": "replace", "add-remove-one": "add-remove"}),
    help="Protect replacing one user, or adding or removing one.",
)


class ParameterOption(click.Option):
    """The option of a parameter, with every spelling that it has or had. Its help is made when it is shown: it may name all randomizers."""

    def __init__(self, _: object = None, *, parameter: Parameter, meaning: Callable[[], str] | None = None, required: bool = False) -> None:
        super().__init__([*parameter.spellings, parameter.name], required=required, metavar=parameter.metavar)
        self._meaning = meaning or (lambda: parameter.meaning)

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """click's, with the help."""
        self.help = f"{self._meaning()}."
        return super().get_help_record(ctx)


def parameter_options(*parameters: Parameter, required: bool = False) -> Callable[[Command], Command]:
    """The options of these parameters, in their order."""

    def add(command: Command) -> Command:
        for each in reversed(parameters):
            # Without a default: where one is stated, even None, nothing is missing.
            command = click.option(*each.spellings, each.name, cls=ParameterOption, parameter=each, required=required)(command)
        return command

    return add


class MethodsCommand(Verb):
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
    methods: dict[str, dict[Parameter, list[str]]] = {}
    for method in METHODS.values():
        if quantity in method.quantities:
            for each in (*method.parameters, *method.optional):
                methods.setdefault(each.name, {}).setdefault(each, []).append(method.name)
    return [ParameterOption(parameter=next(iter(meant)), meaning=partial(_meanings, meant)) for meant in methods.values()]


def _meanings(meant: Mapping[Parameter, Sequence[str]]) -> str:
    """Say what parameters of one name mean. meant: parameter -> methods that take it."""
    named: dict[str, list[str]] = {}
    for each, methods in meant.items():
        named.setdefault(each.meaning, []).extend(methods)
    return "; ".join(says if len(methods) > _NAMED_METHODS else f"{says} ({', '.join(methods)})" for says, methods in named.items())


def warn_of_delta(n: str | None, delta: str | None) -> None:
    """Say on stderr that a delta is above 1/n, if it is: publishing one user's data, drawn at random, has delta = 1/n and epsilon = 0."""
    if n is not None and delta is not None and exact_fraction(delta, parameter="delta") * count(n, parameter="n") > 1:
        say(f"shuffleproof: delta = {delta} is above 1/n; publishing the data of one user drawn at random is (0, 1/n)-DP too", err=True)
