"""`shuffleproof bound`: a bound by a named method, or the least of those that are cheap."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shuffleproof.answering import ENGINE_CHOICES
from shuffleproof.bounds import answer, renyi_bracket
from shuffleproof.command_line.method_options import MethodsCommand, parameter_options, warn_of_delta
from shuffleproof.command_line.options import Verbs, format_option, options, print_json
from shuffleproof.ledger import weakest
from shuffleproof.methods import METHODS, engines_for, method_named
from shuffleproof.report.texts import say
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.errors import DomainError, UnsupportedError, require, require_one_of
from shuffleproof.spec.vocabulary.numerals import ungrouped
from shuffleproof.spec.vocabulary.parameters import CENTRAL, DELTA, EPSILON, ORDER, SIGMA, N
from shuffleproof.spec.vocabulary.randomizers import RANDOMIZER, SIZES, printed_names

if TYPE_CHECKING:
    from shuffleproof.mechanisms.brackets import Bracket

_OF_USERS = "optimal-pair"


_users = options(
    parameter_options(N),
    click.option(
        "--rounding",
        default=None,
        metavar="NUMBER",
        help="How far a probability of --distribution may lie from what is written, such as 5e-7.",
    ),
    click.option(
        "--distribution",
        default=None,
        metavar="FILE|DISTRIBUTION",
        help="A randomizer by its exact distribution, and everything that it says: your own (JSON or CSV), or one "
        'that "bound --help" lists.',
    ),
    click.option(
        "--users",
        "users",
        default=None,
        metavar="FILE",
        type=click.Path(path_type=Path),
        help="Users with randomizers of their own, by their exact distributions (JSON): n, p, beta and q are computed.",
    ),
)
_method_and_engine = options(
    click.option(
        "--method",
        default=None,
        metavar="NAME",
        help='If not given, the least bound of those that are cheap. "shuffleproof bound list" lists them.',
    ),
    click.option("--engine", default="auto", metavar="|".join(ENGINE_CHOICES), help="What computes it. Default: auto."),
    click.option("--digits", default=None, metavar="COUNT", help="Significant digits of the certified engine; 15 if not given."),
)


class _Quantities(Verbs):
    """The quantities, which an option before them must follow."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does; where an option of theirs comes first, say what it is an option of."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as wrong:
            raise click.UsageError(
                f"{wrong.format_message()} Which bound comes first: bound epsilon, bound delta or bound renyi.", ctx
            ) from None


@click.group(cls=_Quantities)
def bound() -> None:
    """A bound by a named method, certified unless it says otherwise.

    \b
    shuffleproof bound epsilon -n 1000000 --eps0 1 --delta 1e-6 --digits 30
    shuffleproof bound delta -n 1000000 --eps0 1 --eps 0.005 --engine fast
    shuffleproof bound epsilon --method approximate-clones -n 1000000 --eps0 2 --delta0 1e-14 --delta 1e-6
    shuffleproof bound epsilon --method k-rr-clones -n 100000 --k 10 --eps0 1 --delta 1e-6
    shuffleproof bound epsilon --method bit-sum -n 1000 --lambda 300 --delta 1e-6
    shuffleproof bound delta --method zero-sum -n 100000 --p 0.9996593 --eps 1 --dishonest 1000
    shuffleproof bound delta --method histogram -n 100000 --p 0.9995733 --eps 1
    shuffleproof bound epsilon --method optimal-pair -n 10000 --p 2.719 --beta 0.147 --q 2.719 --delta 1e-6
    shuffleproof bound epsilon --randomizer subset --k 16 --d 4 -n 10000 --eps0 1 --delta 1e-6
    shuffleproof bound epsilon --method randomizer-lower --randomizer subset --k 16 --d 4 -n 10000 --eps0 1 --delta 1e-6
    shuffleproof bound delta --users distributions.json --eps "ln 2"
    shuffleproof bound epsilon --distribution distribution.csv -n 10000 --delta 1e-6
    shuffleproof bound epsilon --distribution clipped-laplace:levels=5,eps0=1 -n 10000 --delta 1e-6
    shuffleproof bound renyi -n 1000000 --eps0 1 --order 32
    shuffleproof bound renyi --randomizer k-rr --k 10 -n 1000000 --eps0 1 --order 32
    shuffleproof bound renyi --sigma 1 -n 100000 --order 8
    shuffleproof bound list

    distributions.json: {"format": "shuffleproof-users-1", "users": [{"count": 99, "inputs": {"no": {"a": "3/4", "b": "1/4"}, "yes": {"a":
    "1/4", "b": "3/4"}}}, ...]}, an entry for each user, or for count of them. Refused where one may send what another never does.

    distribution.csv: a line input,outcome,probability and one such line for each outcome of each input; JSON: {"format":
    "shuffleproof-law-1", "inputs": {"no": {"a": "3/4", "b": "1/4"}, "yes": {"a": "1/4", "b": "3/4"}}}. What an input never sends may be
    left out.

    DISTRIBUTION: noise on a number in [0, 1] that is rounded to levels, or k-RR with a setting for each item:

    \b
    clipped-laplace:levels=5,eps0=1
    truncated-gaussian:levels=5,sigma=1,beyond=2
    staircase:levels=5,eps0=1,high=2,beyond=4
    k-rr-by-item:eps0=1,eps0=1,eps0=2
    """


@bound.command("epsilon", cls=MethodsCommand, quantity="epsilon")
@_users
@parameter_options(DELTA, required=True)
@_method_and_engine
@format_option
def bound_epsilon(delta: str, **asked: Any) -> None:
    """The least epsilon for which the shuffled messages are (epsilon, delta)-DP.

    \b
    shuffleproof bound epsilon -n 10000 --eps0 1 --delta 1e-6
    shuffleproof bound epsilon --randomizer k-rr --k 10 -n 10000 --eps0 1 --delta 1e-6

    The options below are those of all methods; "bound --help" has an example of each, "bound list METHOD" what one of them needs.
    """
    _answered("epsilon", delta, **asked)


@bound.command("delta", cls=MethodsCommand, quantity="delta")
@_users
@parameter_options(EPSILON, required=True)
@_method_and_engine
@click.option(
    "--formal",
    default=None,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Also write the bound of clones, stronger-clones or first-arrival as a theorem that Coq checks, for -n, --eps0 and --eps alone, "
    "or of k-rr-blanket, with --k; how, says docs/formal.md.",
)
@format_option
def bound_delta(epsilon: str, **asked: Any) -> None:
    """The delta for which the shuffled messages are (epsilon, delta)-DP."""
    _answered("delta", epsilon, **asked)


def _answered(
    quantity: Quantity,
    central: str,
    *,
    n: str | None,
    users: Path | None,
    distribution: str | None,
    method: str | None,
    engine: str,
    digits: str | None,
    as_json: bool,
    formal: Path | None = None,
    **own: str | None,
) -> None:
    """Print a bound for named parameters, for users with randomizers of their own, or for a distribution, whichever was given.

    central: what the quantity is asked at; formal: of delta alone, where its theorem is written.
    """
    if distribution is not None:
        _print_of_distribution(
            distribution, quantity, central, method, engine, as_json, n=n, users=users, digits=digits, formal=formal, **own
        )
        return
    if formal is not None:
        from shuffleproof.command_line.bound_formal import write_formal

        method = write_formal(formal, n=n, epsilon=central, users=users, method=method, **own)
    named = {"n": n, **own} if users is None else _of_users(users, method, n=n, **own)
    asked = {**named, CENTRAL[quantity].name: central}
    _print_bound(quantity, asked, method if users is None else _OF_USERS, engine, digits, as_json)


@bound.command("renyi", cls=MethodsCommand, quantity="renyi")
@_users
@parameter_options(ORDER, required=True)
@parameter_options(SIGMA)
@_method_and_engine
@format_option
def bound_renyi(order: str, **asked: Any) -> None:
    """The Renyi divergence of an order that the shuffled messages have, from both sides.

    \b
    shuffleproof bound renyi -n 1000000 --eps0 1 --order 32
    shuffleproof bound renyi --randomizer k-rr --k 10 -n 1000000 --eps0 1 --order 32
    shuffleproof bound renyi --sigma 1 -n 100000 --order 8
    shuffleproof bound renyi --method bit-sum -n 1000 --lambda 300 --order 2

    At most for all neighbouring datasets, at least for one pair of them; a method by its name (--method) says what it has alone.
    """
    _answered("renyi", order, **asked)


@bound.command("list")
@click.argument("names", nargs=-1, metavar="[METHOD]...")
@format_option
def bound_list(names: tuple[str, ...], as_json: bool) -> None:
    """The methods, a line each; of those that are named all: what each one is, what it needs, what it rests on, which engines carry it.

    \b
    shuffleproof bound list
    shuffleproof bound list first-arrival k-rr-blanket
    """
    listed = [method_named(name) for name in names] or list(METHODS.values())
    if as_json:
        print_json(
            [
                {
                    "method": method.name,
                    "statement": method.statement,
                    "relation": method.relation.value,
                    "mechanisms": str(method.mechanisms),
                    "claim": method.side,
                    "says": method.says,
                    "needs": method.needs,
                    "quantities": list(method.quantities),
                    "engines": list(engines_for(method)),
                }
                for method in listed
            ]
        )
        return
    if not names:
        from shuffleproof.report.terminal import print_table

        print_table(("method", "bound"), [(method.name, f"{method.side}: {method.says}") for method in listed])
        say("\nWhat one of them needs, and what it is about: shuffleproof bound list METHOD")
    for method in listed if names else ():
        say(f"{method.name}  ({method.side} bound; {method.statement}; {method.relation.value} neighbours)")
        say(f"  {method.says}")
        say(f"  about    {method.mechanisms}")
        say(f"  needs    {method.needs}")
        say(f"  answers  {', '.join(method.quantities)}; engines {', '.join(engines_for(method))}")


def _of_users(path: Path, method: str | None, **given: str | None) -> dict[str, str | None]:
    """Return what the method is asked for users of a file, after everything else that would say it twice has been refused."""
    from shuffleproof.mechanisms.users_file import read

    if ungrouped(str(path)).isdigit() and not path.exists():
        raise DomainError(
            parameter="users", value=str(path), requirement="a file with the distribution of each user (-n is how many there are)"
        )
    for name, text in given.items():
        if text is not None:
            raise DomainError(parameter=name, value=text, requirement="left out: --users says who the users are and what they send")
    if method not in (None, _OF_USERS):
        raise DomainError(parameter="method", value=method, requirement=f"{_OF_USERS}, or left out, with --users")
    found = read(path)
    return {"n": str(found.n), "p": found.p, "beta": found.beta, "q": found.q}


def _print_of_distribution(
    given: str,
    quantity: Quantity,
    central: str,
    method: str | None,
    engine: str,
    as_json: bool,
    *,
    n: str | None,
    digits: str | None,
    rounding: str | None,
    **left_out: object,
) -> None:
    """The bracket of a distribution, or one side of it, after everything else that would say what is sent has been refused."""
    from shuffleproof.mechanisms.distributions import ask, bracket, of_text, read as read_distribution
    from shuffleproof.mechanisms.mechanism import shuffled
    from shuffleproof.mechanisms.randomizers import FromDistribution

    for name, value in left_out.items():
        if value is not None:
            raise DomainError(parameter=name, value=str(value), requirement="left out: --distribution says what every user sends")
    if n is None:
        raise click.MissingParameter(param_hint="'-n'", param_type="option")
    require_one_of(engine, ENGINE_CHOICES, parameter="engine")
    source = of_text(given) or Path(given)
    started, distribution = time.perf_counter(), read_distribution(source, rounding=rounding)
    found: Bound | Bracket
    if quantity == "renyi" or distribution.rounding:
        asked = shuffled(FromDistribution(source, rounding=rounding or 0), n=n)
        found = getattr(asked, quantity)(**{CENTRAL[quantity].name: central}, method=method, engine=engine, digits=digits)
        if not isinstance(found, Bound) and found.lower is None:
            found = found.upper
    elif method is not None:
        found = ask(distribution, quantity, n=n, central=central, method=method, engine=engine, digits=digits)
    else:
        found = bracket(distribution, quantity, n=n, central=central, engine=engine, digits=digits)
    warn_of_delta(n, central if quantity == "epsilon" else None)
    _print(found, time.perf_counter() - started, as_json)


def _print(found: "Bound | Bracket", seconds: float, as_json: bool) -> None:
    """Print one side, or both, with what follows from each and what it rests on. Of Renyi divergences the upper one has the fields."""
    if as_json:
        if isinstance(found, Bound):
            told = _told_of(found)
        else:
            both = {"below": found.lower and _told_of(found.lower)}
            told = {**_told_of(found.upper), **both} if found.quantity == "renyi" else found.as_json()
        print_json({**told, "seconds": round(seconds, 6)})
        return
    sides = (found,) if isinstance(found, Bound) else (found.upper, found.lower)
    lines = [str(found), *(line for each in sides if each is not None for line in _notes(each))]
    if not isinstance(found, Bound):
        lines += [f"  {each}" for each in found.refusals]
        if found.lower is not None and "datasets" in found.lower.inputs:
            lines += [f"  {found.lower.inputs['datasets']}"]
    say("\n".join(lines))


def _print_bound(
    quantity: Quantity, parameters: dict[str, str | None], method: str | None, engine: str, digits: str | None, as_json: bool
) -> None:
    started = time.perf_counter()
    given = {name: text for name, text in parameters.items() if text is not None}
    wanted = "given with --distribution, whose numbers it is about"
    require("rounding" not in given, parameter="rounding", value=given.get("rounding"), requirement=wanted)
    if "n" not in given:
        raise click.MissingParameter(param_hint="'-n'", param_type="option")
    sizes = [f"--{size.name}" for size in SIZES if size.name in given]
    try:
        bracket = renyi_bracket(given, engine=engine, digits=digits) if quantity == "renyi" and method is None else None
        if bracket is not None:
            _print(bracket, time.perf_counter() - started, as_json)
            return
        result = answer(quantity=quantity, parameters=given, method=method, engine=engine, digits=digits)
    except (DomainError, UnsupportedError):
        if method is None and sizes and RANDOMIZER.name not in given:
            wanted = f"given with {' and '.join(sizes)}: {printed_names()}"
            raise DomainError(parameter=RANDOMIZER.name, value="(nothing)", requirement=wanted) from None
        raise
    warn_of_delta(given["n"], given.get("delta"))
    seconds = time.perf_counter() - started
    if result.handed_over is not None:
        say(f"shuffleproof: engine {result.bound.engine!r} answered: {result.handed_over}", err=True)
    more = result.in_digits
    if as_json:
        in_digits = {} if more is None else {"in_digits": more.as_json()}
        print_json({**_told_of(result.bound), **in_digits, "seconds": round(seconds, 6)})
    else:
        say("\n".join([str(result.bound), *_notes(result.bound)]))
        if more is not None:
            say(f"  a larger bound has {digits} digits, by --method {more.method}: {more}")


def _notes(bound: Bound) -> list[str]:
    """Return what stands below a bound: what follows from it, and which statements it rests on, with the weakest of their statuses."""
    return [f"  {bound.claim}", f"  rests on {', '.join(bound.statements)}: {weakest(bound.statements)}"]


def _told_of(bound: Bound) -> dict[str, object]:
    return {**bound.as_json(), "status": weakest(bound.statements)}
