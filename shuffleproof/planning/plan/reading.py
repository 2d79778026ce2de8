"""A plan from a TOML file or its values; errors name the line, the key, what it is and what would be accepted."""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from shuffleproof.planning.plan import toml_tables as toml
from shuffleproof.planning.plan.question import question_of, with_neighbours
from shuffleproof.planning.plan.schema import NEIGHBOURS, RELATIONS, RELEASED, Plan, Round
from shuffleproof.spec.vocabulary.errors import DomainError, require, require_one_of
from shuffleproof.spec.vocabulary.files import text_of
from shuffleproof.spec.vocabulary.numerals import count, exact_fraction, parse_epsilon, proper_share

_LARGEST_FILE = 2**20
"""Bytes of a plan that are read: a plan is written by hand."""
_MOST_REPEATS = 10**6
"""Releases of one round: as many rounds as `compose` takes."""
_LARGEST_GROUP = 10**3
"""Users that are protected together: delta grows by e^epsilon for each."""
_ROUND = (
    *("name", "repeat", "users", "dishonest", "participations", "eligible", "same_users"),
    *("rate", "least", "exactly", "released", "overlap", "batch", "questions"),
)


def plan_of(given: Plan | str | Path | Mapping[str, Any]) -> Plan:
    """Return a plan: itself, or read from the path of a TOML file, or from the values of one. Raises DomainError."""
    if isinstance(given, Plan):
        return given
    return parsed(given) if isinstance(given, Mapping) else read(Path(given))


def read(path: Path) -> Plan:
    """The plan in a TOML file. Raises DomainError naming the line, the key, the value and what would be accepted."""
    text = text_of(path, limit=_LARGEST_FILE, parameter="FILE", wanted="a TOML file that can be read", encoding="utf-8")
    try:
        content = tomllib.loads(text, parse_float=lambda number: toml.Decimal(number.replace("_", "")))
    except RecursionError:
        raise DomainError(parameter="FILE", value=str(path), requirement="TOML that is not nested so deeply") from None
    except ValueError as error:  # TOMLDecodeError, and an integer of more digits than the interpreter converts
        raise DomainError(parameter="FILE", value=str(path), requirement=f"TOML: {error}") from None
    try:
        return replace(parsed(content, folder=path.parent), digest=sha256(text.encode()).hexdigest())
    except DomainError as error:
        known = toml.lines(text)
        misspelt = f"{error.parameter}.{error.value}".removeprefix("plan.") if isinstance(error.value, str) else ""
        line = toml.line_of(misspelt if misspelt in known else error.parameter, known)
        raise DomainError(parameter=error.parameter, value=error.value, requirement=error.requirement, line=line) from None


def parsed(content: Mapping[str, Any], *, folder: Path = Path()) -> Plan:
    """A plan from the values of a TOML file; folder: where the files that it names lie. Raises DomainError."""
    toml.only(content, "plan", ("relation", "neighbours", "group", "target", "rounds"))
    relation = require_one_of(content.get("relation", "nothing"), RELATIONS, parameter="relation")
    neighbours = content.get("neighbours", "replace-one")
    require_one_of(neighbours, NEIGHBOURS, parameter="neighbours")
    group = count(content.get("group", 1), parameter="group", maximum=_LARGEST_GROUP)
    target = content.get("target")
    if not isinstance(target, dict):
        given = "nothing" if target is None else target
        raise DomainError(parameter="target", value=given, requirement="a table [target] with epsilon and delta")
    toml.only(target, "target", ("epsilon", "delta"))
    epsilon = parse_epsilon(toml.needed(target, "target", "epsilon"), parameter="target.epsilon")
    delta = proper_share(toml.needed(target, "target", "delta"), parameter="target.delta")
    made = tuple(_round(each, place, folder, str(neighbours)) for place, each in toml.tables(content, "rounds", "[[rounds]]"))
    _require_names([each.name for each in made], "rounds", "round")
    _require_batches(made)
    _require_memoised_once(made)
    return Plan(
        relation="one-user" if relation == "one-user" else "one-value",
        neighbours=str(neighbours),
        group=group,
        epsilon=epsilon,
        delta=delta,
        rounds=made,
        content=content,
        folder=folder,
    )


def _require_names(names: list[str], place: str, what: str) -> None:
    """Each of its own: answers, limits and runs are asked for by name."""
    at = next((at for at, name in enumerate(names, start=1) if not name.strip() or name in names[: at - 1]), None)
    if at is not None:
        wanted = f"a name of its own, that no other {what} here has: write name = ..."
        raise DomainError(parameter=f"{place}[{at}].name", value=names[at - 1], requirement=wanted)


def _require_batches(rounds: tuple[Round, ...]) -> None:
    """A batch that two rounds ask is not one whose users take part in one of them only."""
    for at, each in enumerate(rounds, start=1):
        shared = next((other.name for other in rounds if other is not each and each.batch is not None and other.batch == each.batch), None)
        if shared is not None and each.overlap == 0:
            wanted = f"above 0, or a batch of its own: {shared} asks the batch {each.batch!r} too, and one sample is not two"
            raise DomainError(parameter=f"rounds[{at}].overlap", value=str(each.overlap), requirement=wanted)
        for other in rounds:
            if other.batch is None or other.batch != each.batch or (each.rate == 1 and other.rate == 1):
                continue
            for name in ("rate", "users", "dishonest", "least", "exactly"):
                mine, theirs = getattr(each, name), getattr(other, name)
                wanted = f"{theirs}, as in {other.name}, or a batch of its own: one coin decides who comes to the batch {each.batch!r}"
                require(mine == theirs, parameter=f"rounds[{at}].{name}", value=str(mine), requirement=wanted)


def _require_memoised_once(rounds: tuple[Round, ...]) -> None:
    """A memoised report belongs to one question of one round, and says nothing of the coins that other questions rely on."""
    named: dict[str, str] = {}
    for at, each in enumerate(rounds, start=1):
        linked = each.rate < 1 and each.repeat > 1 and each.batch is None
        for asked, question in enumerate(each.questions, start=1):
            if not question.memoised:
                continue
            where, other = f"rounds[{at}].questions[{asked}]", named.setdefault(question.name, each.name)
            wanted = f"a name of its own: {other} has a memoised {question.name!r} too, and whether both are one report is not said"
            require(other == each.name, parameter=f"{where}.name", value=question.name, requirement=wanted)
            fresh = next((one.name for one in each.questions if not one.memoised), None)
            wanted = (
                f"left out beside rate = {each.rate} where {fresh!r} is answered afresh in every attempt: memoised reports link who came, "
                "and the coins are no secret; memoise all questions of the round, or give it a batch"
            )
            require(not linked or fresh is None, parameter=f"{where}.memoised", value="true", requirement=wanted)


def _round(given: Mapping[str, Any], place: str, folder: Path, neighbours: str) -> Round:
    toml.only(given, place, _ROUND)
    repeat = count(given.get("repeat", 1), parameter=f"{place}.repeat", maximum=_MOST_REPEATS)
    users = count(toml.needed(given, place, "users"), parameter=f"{place}.users")
    dishonest = count(given.get("dishonest", 0), parameter=f"{place}.dishonest", minimum=0, maximum=users - 1)
    key = "eligible" if "eligible" in given else "participations"
    named = f"{place}.{key}"
    participations = count(given.get(key, repeat), parameter=named)
    require(participations <= repeat, parameter=named, value=participations, requirement=f"at most repeat = {repeat}: a round once each")
    _require_said(given, place, repeat, participations)
    same = toml.flag(given, place, "same_users")
    # Where somebody stays away, the difference between two rounds shows a memoized report.
    wanted = f"repeat = {repeat} where same_users = true: the same users take part every time"
    require(not same or participations == repeat, parameter=named, value=participations, requirement=wanted)
    rate, least = _rate(given, place, users, dishonest, same=same)
    wanted = '"by the clock", or left out, where neighbours differ in who is there: a batch that is full would show it'
    toml.require_key(neighbours != "add-remove" or given.get("released") != "when full", given, place, "released", wanted)
    wanted = "left out where neighbours differ in who is there: a batch that is dropped would show it"
    toml.require_key(neighbours != "add-remove" or "least" not in given, given, place, "least", wanted)
    exactly = toml.flag(given, place, "exactly")
    wanted = "left out without least: elsewhere more users than planned only hide better"
    require(not exactly or "least" in given, parameter=f"{place}.exactly", value="true", requirement=wanted)
    overlap = exact_fraction(given.get("overlap", 1), parameter=f"{place}.overlap")
    told = "from 0 (its users take part in no other round) to 1 (they may take part in all): a share of its users"
    toml.require_key(0 <= overlap <= 1, given, place, "overlap", told)
    made = []
    for asked, each in toml.tables(given, "questions", "[[rounds.questions]]", f"{place}."):
        question = question_of(each, asked, users, users - dishonest, folder, neighbours)
        made.append(with_neighbours(question, place, rate, least, neighbours, exactly=exactly))
    _require_names([each.name for each in made], f"{place}.questions", "question")
    return Round(
        name=toml.text(given, place, "name", place),
        repeat=repeat,
        users=users,
        dishonest=dishonest,
        participations=participations,
        same_users=same,
        rate=rate,
        least=least + dishonest if rate < 1 else users,
        overlap=overlap,
        batch=None if "batch" not in given else toml.text(given, place, "batch", ""),
        questions=tuple(made),
        exactly=exactly,
    )


def _require_said(given: Mapping[str, Any], place: str, repeat: int, participations: int) -> None:
    """How often one user is asked, in a key that says what is meant: with coins, to be asked is not to take part."""
    by_coin = "rate" in given
    told = "left out without rate: participations says how often one user takes part"
    toml.require_key("eligible" not in given or by_coin, given, place, "eligible", told)
    told = (
        f"repeat = {repeat} beside rate, where coins decide who takes part and nobody counts: `eligible` says in how many attempts one "
        "user may toss the coin"
    )
    few = by_coin and "participations" in given and count(given["participations"], parameter="participations") < repeat
    toml.require_key(not few, given, place, "participations", told)
    told = f"repeat = {repeat} beside batch: all its attempts ask the same users"
    key = "eligible" if "eligible" in given else "participations"
    require("batch" not in given or participations == repeat, parameter=f"{place}.{key}", value=participations, requirement=told)


def _rate(given: Mapping[str, Any], place: str, users: int, dishonest: int, *, same: bool) -> tuple[Fraction, int]:
    """Return with which probability a user takes part, and how many honest users at least make a batch that is released."""
    released = require_one_of(given.get("released", "by the clock"), RELEASED, parameter=f"{place}.released")
    if "rate" not in given:
        toml.require_key(
            "least" not in given, given, place, "least", "left out, or beside rate: without it every batch has at least `users`"
        )
        return Fraction(1), 1
    rate = exact_fraction(given["rate"], parameter=f"{place}.rate")
    toml.require_key(0 < rate <= 1, given, place, "rate", "above 0, at most 1")
    wanted = 'left out where released = "when full": then it is not by chance how many take part'
    toml.require_key(released != "when full", given, place, "rate", wanted)
    wanted = "false beside rate: who takes part changes from batch to batch"
    require(not same, parameter=f"{place}.same_users", value=same, requirement=wanted)
    wanted = "left out beside rate = 1: everybody takes part, and every batch has at least `users`"
    toml.require_key(rate < 1 or "least" not in given, given, place, "least", wanted)
    least = count(given.get("least", 1), parameter=f"{place}.least", maximum=users)
    return rate, max(1, least - dishonest)
