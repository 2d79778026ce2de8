"""What a plan says, as records; every number is kept as it was written."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from shuffleproof.mechanisms.mechanism import Mechanism, shuffled
from shuffleproof.mechanisms.participation import RandomParticipation
from shuffleproof.mechanisms.protocols import (
    AsymmetricCoordinateSums,
    BinomialSum,
    BitSum,
    CoordinateSums,
    DiscreteGaussianSum,
    FakeUsers,
    Histogram,
    LaplaceSum,
    RealSum,
    SplitAndMix,
    ZeroSum,
)
from shuffleproof.mechanisms.randomizers import NAMED, AnyRandomizer, FromDistribution, Gaussian, Randomizer
from shuffleproof.planning.plan.places import line_of, lines
from shuffleproof.spec.vocabulary.errors import DomainError, require, require_one_of
from shuffleproof.spec.vocabulary.files import read_at_most
from shuffleproof.spec.vocabulary.numerals import Epsilon, as_given, count, epsilon0_parameter, exact_fraction, parse_epsilon, proper_share
from shuffleproof.spec.vocabulary.randomizers import one_of, printed_names

Relation = Literal["one-user", "one-value"]
RELATIONS: Mapping[str, str] = {
    "one-user": "neighbours differ in all answers of one user, in all rounds",
    "one-value": "neighbours differ in one value of one column that one user holds in one attempt of one round",
}
NEIGHBOURS: Mapping[str, str] = {
    "replace-one": "what a user holds is replaced by anything else",
    "deletion": "what a user holds is replaced by nothing: the report of an item drawn at random, a vector without an item, a bit 0",
    "add-remove": "a user is there or not: only where nothing that is seen is of the user's making but what the shuffler's noise covers",
}
_COUNTED = "how many messages there are shows whether a user is missing"
_NOISE_MISSING = "the noise that the user adds would be missing too"
_INSTEAD = '"deletion", or the protocol fake-users, where the shuffler adds all the noise'
RELEASED: Mapping[str, str] = {
    "by the clock": "a batch is released when its time is over, and dropped or kept back if it is smaller than planned, but for add-remove",
    "when full": "a batch is released as soon as it is full",
}
VIEWS: Mapping[str, str] = {
    "messages": "the shuffled messages of the question by themselves",
    "sums": "the sums of the coordinates, as secure aggregation releases them",
    "thresholded-sums": "the sums above a threshold, computed from the sums alone, which bound them",
    "estimate": "the estimates computed from the sums alone, which bound them",
}
OF_ONE_ITEM: Mapping[str, str] = {
    "thresholded-sums": "the sum of one item's coordinate where it is above a threshold: that sum bounds it",
    "estimate": "the estimate of one item, which says what the sum of its coordinate says",
}
"""The same where one item alone is asked for: one coordinate is seen, and nothing of the others (BEYOND.views-of-sums)."""
_AGGREGATED = "the sum over all users, as secure aggregation releases it: nothing is claimed where their messages are seen"
_OF_PROTOCOLS: Mapping[str, str] = {
    "fake-users": "the shuffled messages of the question by themselves, those of fake users among them",
    "split-and-mix": "the shuffled shares of the question by themselves",
    **dict.fromkeys(("laplace-sum", "binomial-sum", "discrete-gaussian-sum"), _AGGREGATED),
}
"""What is seen of the protocols whose messages are not shuffled by themselves."""
_SUMMED: Mapping[str, type[CoordinateSums]] = {"rappor": CoordinateSums, "asymmetric-rappor": AsymmetricCoordinateSums}
"""Randomizers of independent bits, whose sums are less than their messages."""
VECTORS = ("unary", *_SUMMED)
"""Randomizers whose report is a vector of bits, one for each coordinate."""
_RANDOMIZERS: Mapping[str, tuple[type[Randomizer], tuple[str, ...]]] = {
    "any": (AnyRandomizer, ("epsilon0",)),
    **{name: (each, (*each.kind.takes(), "epsilon0")) for name, each in NAMED.items()},
    "gaussian": (Gaussian, ("sigma",)),
    "law": (FromDistribution, ("law", "rounding")),
}
_PROTOCOLS: Mapping[str, tuple[type[Mechanism], tuple[str, ...]]] = {
    "bit-sum": (BitSum, ("lam",)),
    "real-sum": (RealSum, ("lam", "r", "view")),
    "zero-sum": (ZeroSum, ("p",)),
    "histogram": (Histogram, ("p",)),
    "fake-users": (FakeUsers, ("fakes", "p")),
    "laplace-sum": (LaplaceSum, ("sensitivity", "epsilon0")),
    "binomial-sum": (BinomialSum, ("sensitivity", "coins", "p")),
    "split-and-mix": (SplitAndMix, ("messages", "modulus", "sensitivity", "epsilon0")),
    "discrete-gaussian-sum": (DiscreteGaussianSum, ("sensitivity", "variance")),
}
_MAY_BE_LEFT_OUT = {
    **{name: tuple(size for size in each.kind.takes() if size not in each.kind.needs()) for name, each in NAMED.items()},
    "law": ("rounding",),
    "real-sum": ("view",),
}
_CALLED = {"eps": "epsilon", "eps0": "epsilon0", "n": "users", "rounds": "repeat", "times": "repeat"}
"""Keys that people write as the command line and papers call the same thing."""
_PARAMETERS = tuple(dict.fromkeys(name for _, taken in (*_RANDOMIZERS.values(), *_PROTOCOLS.values()) for name in taken))
_OF_A_RUN = ("column", "items", "coordinates", "threshold")
_LARGEST_FILE = 2**20
"""Bytes of a plan that are read: a plan is written by hand."""
_MOST_ITEMS = 10**5
"""Items and coordinates that are numbered where a plan gives only how many there are."""
_MOST_REPEATS = 10**6
"""Releases of one round: as many rounds as `compose` takes."""
_LARGEST_GROUP = 10**3
"""Users that are protected together: delta grows by e^epsilon for each."""

EXAMPLE = f"""\
# A plan: who reports what, how often, and what must hold in the end. Numbers are what is written (0.1 is 1/10), or text ("1/3", "ln 3").

# one-user: neighbours differ in all answers of one user, in all rounds; one-value: in one value that a user holds in one round.
relation = "one-user"
# replace-one: what the user holds is replaced; deletion: by nothing.
neighbours = "replace-one"

[target]
epsilon = 1
delta = "1e-6"

[[rounds]]
name = "weekly telemetry"
repeat = 52                 # how often this round is held
users = 1_000_000           # who take part each time, at least
dishonest = 1_000           # of these, at most so many reveal their messages, or send none: they hide nobody
participations = 52         # in so many of the attempts at most does one user take part; beside rate write eligible

# rate = 0.1                # not a response rate (then users are those who answer): each device tosses a secret coin of this
#                           # probability, and nobody sees who came; batches below `least` are dropped
# overlap = 0               # none of its users takes part in another round: it composes in parallel with the others

  [[rounds.questions]]
  name = "crashed today"
  randomizer = "k-rr"       # any, gaussian, {printed_names()}; law, with law = "FILE"
  k = 2
  epsilon0 = 2

  [[rounds.questions]]
  name = "favourite of ten"
  randomizer = "k-rr"
  k = 10
  epsilon0 = 2
"""


@dataclass(frozen=True, kw_only=True)
class Question:
    """Says what each user is asked in a round.

    kind: its randomizer or protocol; mechanism: its shuffled reports, with the honest users alone; local: epsilon0 of one report, None for
    a protocol; memoised: whether each user sends one memoized report in every round; view: what of it is released. Of a run alone:
    column: what holds the answers; items: what can be answered, or is asked for of many coordinates; coordinates: of
    vectors, into which texts are hashed, 0 for none; threshold: estimates below are dropped.
    """

    name: str
    kind: str
    mechanism: Mechanism
    local: Epsilon | None
    memoised: bool = False
    view: str = VIEWS["messages"]
    column: str = ""
    items: tuple[str, ...] = ()
    coordinates: int = 0
    threshold: Fraction | None = None

    @property
    def aggregated(self) -> bool:
        """Return whether sums over all users are what is seen, as secure aggregation gives them, and nobody's message."""
        return self.view in (_AGGREGATED, *OF_ONE_ITEM.values(), *(text for name, text in VIEWS.items() if name != "messages"))

    @property
    def one(self) -> Mechanism:
        """Return what those who are there take part in."""
        return self.mechanism.one if isinstance(self.mechanism, RandomParticipation) else self.mechanism

    @property
    def parts(self) -> int:
        """How many users' parts are all of the noise, where users add it in parts: those of a batch at least."""
        return count(self.mechanism.least if isinstance(self.mechanism, RandomParticipation) else self.mechanism.n, parameter="n")

    @property
    def fakes(self) -> int:
        """The fake users of a histogram with them: where neighbours differ in who is there it is asked as a zero sum of so many."""
        return count(self.one.fakes if isinstance(self.one, FakeUsers) else self.one.n, parameter="fakes")


@dataclass(frozen=True, kw_only=True)
class Round:
    """A round, held `repeat` times.

    users: at least; dishonest: at most, hiding nobody; participations: how many of the attempts one user is asked in at most, who takes
    part in each or, beside rate, tosses a coin in each; same_users: whether the same users take part every time; rate: the probability
    with which each of them does, on a secret coin; least: reports that make a batch; overlap: the share of its users who may be asked in
    other rounds too; batch: whose data it asks, where a name was given; exactly: whether there are exactly `users`, and never more.
    """

    name: str
    repeat: int
    users: int
    dishonest: int
    participations: int
    same_users: bool
    rate: Fraction
    least: int
    overlap: Fraction
    batch: str | None
    questions: tuple[Question, ...]
    exactly: bool = False


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Says who reports what, how often, and what must hold in the end.

    epsilon, delta: the target; relation: what neighbours differ in; neighbours: how; group: in so many users; rounds: at least
    one; content, folder: what it was read from; digest: SHA-256 of the file it was read from, if it was."""

    relation: Relation
    neighbours: str
    group: int
    epsilon: Epsilon
    delta: Fraction
    rounds: tuple[Round, ...]
    content: Mapping[str, Any] = field(repr=False, compare=False)
    folder: Path = field(default=Path(), repr=False, compare=False)
    digest: str | None = field(default=None, repr=False, compare=False)

    @property
    def wanted(self) -> str:
        """The target's epsilon as it was written."""
        return as_given(epsilon=self.content["target"]["epsilon"])["epsilon"]


def read(path: Path) -> Plan:
    """The plan in a TOML file. Raises DomainError naming the line, the key, the value and what would be accepted."""
    try:
        text = read_at_most(path, limit=_LARGEST_FILE).decode("utf-8")
        content = tomllib.loads(text, parse_float=lambda number: _Decimal(number.replace("_", "")))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise DomainError(parameter="FILE", value=str(path), requirement=f"a TOML file that can be read ({reason})") from None
    except RecursionError:
        raise DomainError(parameter="FILE", value=str(path), requirement="TOML that is not nested so deeply") from None
    except ValueError as error:  # TOMLDecodeError, and an integer of more digits than the interpreter converts
        raise DomainError(parameter="FILE", value=str(path), requirement=f"TOML: {error}") from None
    try:
        return replace(parsed(content, folder=path.parent), digest=sha256(text.encode()).hexdigest())
    except DomainError as error:
        known = lines(text)
        misspelt = f"{error.parameter}.{error.value}".removeprefix("plan.") if isinstance(error.value, str) else ""
        line = line_of(misspelt if misspelt in known else error.parameter, known)
        raise DomainError(parameter=error.parameter, value=error.value, requirement=error.requirement, line=line) from None


class _Decimal(str):
    """A decimal of a TOML file as its text, which is exact: the float nearest to 0.3 is another number."""

    __slots__ = ()


def plan_of(given: Plan | str | Path | Mapping[str, Any]) -> Plan:
    """Return a plan: itself, or read from the path of a TOML file, or from the values of one. Raises DomainError."""
    if isinstance(given, Plan):
        return given
    return parsed(given) if isinstance(given, Mapping) else read(Path(given))


def parsed(content: Mapping[str, Any], *, folder: Path = Path()) -> Plan:
    """A plan from the values of a TOML file; folder: where the files that it names lie. Raises DomainError."""
    _only(content, "plan", ("relation", "neighbours", "group", "target", "rounds"))
    relation = require_one_of(content.get("relation", "nothing"), RELATIONS, parameter="relation")
    neighbours = content.get("neighbours", "replace-one")
    require_one_of(neighbours, NEIGHBOURS, parameter="neighbours")
    group = count(content.get("group", 1), parameter="group", maximum=_LARGEST_GROUP)
    target = content.get("target")
    if not isinstance(target, dict):
        given = "nothing" if target is None else target
        raise DomainError(parameter="target", value=given, requirement="a table [target] with epsilon and delta")
    _only(target, "target", ("epsilon", "delta"))
    epsilon = parse_epsilon(_needed(target, "target", "epsilon"), parameter="target.epsilon")
    delta = proper_share(_needed(target, "target", "delta"), parameter="target.delta")
    made = tuple(_round(each, place, folder, str(neighbours)) for place, each in _tables(content, "rounds", "[[rounds]]"))
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


_ROUND = (
    *("name", "repeat", "users", "dishonest", "participations", "eligible", "same_users"),
    *("rate", "least", "exactly", "released", "overlap", "batch", "questions"),
)


def _round(given: Mapping[str, Any], place: str, folder: Path, neighbours: str) -> Round:
    _only(given, place, _ROUND)
    repeat = count(given.get("repeat", 1), parameter=f"{place}.repeat", maximum=_MOST_REPEATS)
    users = count(_needed(given, place, "users"), parameter=f"{place}.users")
    dishonest = count(given.get("dishonest", 0), parameter=f"{place}.dishonest", minimum=0, maximum=users - 1)
    key = "eligible" if "eligible" in given else "participations"
    named = f"{place}.{key}"
    participations = count(given.get(key, repeat), parameter=named)
    require(participations <= repeat, parameter=named, value=participations, requirement=f"at most repeat = {repeat}: a round once each")
    _require_said(given, place, repeat, participations)
    same = _flag(given, place, "same_users")
    # Where somebody stays away, the difference between two rounds shows a memoized report.
    wanted = f"repeat = {repeat} where same_users = true: the same users take part every time"
    require(not same or participations == repeat, parameter=named, value=participations, requirement=wanted)
    rate, least = _rate(given, place, users, dishonest, same=same)
    wanted = '"by the clock", or left out, where neighbours differ in who is there: a batch that is full would show it'
    _require(neighbours != "add-remove" or given.get("released") != "when full", given, place, "released", wanted)
    wanted = "left out where neighbours differ in who is there: a batch that is dropped would show it"
    _require(neighbours != "add-remove" or "least" not in given, given, place, "least", wanted)
    exactly = _flag(given, place, "exactly")
    wanted = "left out without least: elsewhere more users than planned only hide better"
    require(not exactly or "least" in given, parameter=f"{place}.exactly", value="true", requirement=wanted)
    overlap = exact_fraction(given.get("overlap", 1), parameter=f"{place}.overlap")
    told = "from 0 (its users take part in no other round) to 1 (they may take part in all): a share of its users"
    _require(0 <= overlap <= 1, given, place, "overlap", told)
    made = []
    for asked, each in _tables(given, "questions", "[[rounds.questions]]", f"{place}."):
        question = _with_data(_question(each, asked, users, users - dishonest, folder, neighbours), each, asked)
        made.append(_present(question, place, rate, least, neighbours, exactly=exactly))
    _require_names([each.name for each in made], f"{place}.questions", "question")
    return Round(
        name=_text(given, place, "name", place),
        repeat=repeat,
        users=users,
        dishonest=dishonest,
        participations=participations,
        same_users=same,
        rate=rate,
        least=least + dishonest if rate < 1 else users,
        overlap=overlap,
        batch=None if "batch" not in given else _text(given, place, "batch", ""),
        questions=tuple(made),
        exactly=exactly,
    )


def _require_said(given: Mapping[str, Any], place: str, repeat: int, participations: int) -> None:
    """How often one user is asked, in a key that says what is meant: with coins, to be asked is not to take part."""
    by_coin = "rate" in given
    told = "left out without rate: participations says how often one user takes part"
    _require("eligible" not in given or by_coin, given, place, "eligible", told)
    told = (
        f"repeat = {repeat} beside rate, where coins decide who takes part and nobody counts: `eligible` says in how many attempts one "
        "user may toss the coin"
    )
    few = by_coin and "participations" in given and count(given["participations"], parameter="participations") < repeat
    _require(not few, given, place, "participations", told)
    told = f"repeat = {repeat} beside batch: all its attempts ask the same users"
    key = "eligible" if "eligible" in given else "participations"
    require("batch" not in given or participations == repeat, parameter=f"{place}.{key}", value=participations, requirement=told)


def _rate(given: Mapping[str, Any], place: str, users: int, dishonest: int, *, same: bool) -> tuple[Fraction, int]:
    """Return with which probability a user takes part, and how many honest users at least make a batch that is released."""
    released = require_one_of(given.get("released", "by the clock"), RELEASED, parameter=f"{place}.released")
    if "rate" not in given:
        _require("least" not in given, given, place, "least", "left out, or beside rate: without it every batch has at least `users`")
        return Fraction(1), 1
    rate = exact_fraction(given["rate"], parameter=f"{place}.rate")
    _require(0 < rate <= 1, given, place, "rate", "above 0, at most 1")
    wanted = 'left out where released = "when full": then it is not by chance how many take part'
    _require(released != "when full", given, place, "rate", wanted)
    wanted = "false beside rate: who takes part changes from batch to batch"
    require(not same, parameter=f"{place}.same_users", value=same, requirement=wanted)
    wanted = "left out beside rate = 1: everybody takes part, and every batch has at least `users`"
    _require(rate < 1 or "least" not in given, given, place, "least", wanted)
    least = count(given.get("least", 1), parameter=f"{place}.least", maximum=users)
    return rate, max(1, least - dishonest)


def _with_data(question: Question, given: Mapping[str, Any], place: str) -> Question:
    """The same with what a run needs to know of the data."""
    items = given.get("items", [])
    require(isinstance(items, list), parameter=f"{place}.items", value=items, requirement="a list of texts")
    named = tuple(str(item) for item in items)
    require(len(set(named)) == len(named), parameter=f"{place}.items", value=", ".join(named), requirement="each item once")
    k = given.get("k") if question.kind == "krr" else None
    if k is not None and not named:
        named = tuple(str(item) for item in range(1, min(count(k, parameter="k"), _MOST_ITEMS) + 1))
    fits = k is None or len(named) in (count(k, parameter="k"), _MOST_ITEMS)
    require(fits, parameter=f"{place}.items", value=len(named), requirement=f"as many as k = {k}")
    coordinates = count(given.get("coordinates", 0), parameter=f"{place}.coordinates", minimum=0, maximum=_MOST_ITEMS)
    threshold = None if "threshold" not in given else exact_fraction(given["threshold"], parameter=f"{place}.threshold")
    _require(threshold is None or threshold >= 0, given, place, "threshold", "at least 0")
    column = _text(given, place, "column", question.name)
    return replace(question, column=column, items=named, coordinates=coordinates, threshold=threshold)


def _present(question: Question, place: str, rate: Fraction, least: int, neighbours: str, *, exactly: bool) -> Question:
    """The same with what its neighbours differ in, where all users are there or some at random."""
    one = question.mechanism
    if rate == 1:
        if neighbours == "replace-one" or not isinstance(one, Histogram | FakeUsers):
            return question
        noise = one.fakes if isinstance(one, FakeUsers) else one.n
        return replace(question, mechanism=ZeroSum(n=noise, p=one.p))  # one bin changes, and the noise stays
    try:
        sampled = RandomParticipation(one=one, rate=rate, least=least, change=neighbours, at_least=not exactly)  # type: ignore[arg-type]
        return replace(question, mechanism=sampled)
    except DomainError as error:
        where = f"{place}.rate" if error.parameter == "one" else f"{place}.{error.parameter}"
        raise DomainError(parameter=where, value=error.value, requirement=error.requirement) from None


def _question(given: Mapping[str, Any], place: str, users: int, honest: int, folder: Path, neighbours: str) -> Question:
    _only(given, place, ("name", "randomizer", "protocol", "memoised", "view", *_OF_A_RUN, *_PARAMETERS))
    if ("randomizer" in given) == ("protocol" in given):
        raise DomainError(parameter=place, value=given.get("name", "nothing"), requirement="with either a randomizer or a protocol")
    memoised = _flag(given, place, "memoised")
    which = "randomizer" if "randomizer" in given else "protocol"
    known: Mapping[str, tuple[Any, tuple[str, ...]]] = _RANDOMIZERS if which == "randomizer" else _PROTOCOLS
    asked = _text(given, place, which, "")
    kind = one_of(asked, known, parameter=f"{place}.{which}")
    made, taken = known[kind]
    called = _text(given, place, "name", asked)
    for name in _PARAMETERS:
        if name in given and name not in taken and name != "view":
            raise DomainError(parameter=f"{place}.{name}", value=given[name], requirement=f"left out: {kind} takes {', '.join(taken)}")
        if name in taken and name not in given and name not in _MAY_BE_LEFT_OUT.get(kind, ()):
            raise DomainError(parameter=f"{place}.{name}", value="nothing", requirement=f"given: {kind} takes {', '.join(taken)}")
    own = {name: given[name] for name in taken if name in given}
    view = _view(given, place, kind, which)
    if neighbours == "add-remove" and kind != "fake-users":
        why = _NOISE_MISSING if which == "protocol" else _COUNTED
        raise DomainError(parameter="neighbours", value=neighbours, requirement=f"{_INSTEAD}: of {place} ({kind}) {why}")
    if kind == "real-sum":
        own.setdefault("view", "untagged")
    if "law" in own:
        own["law"] = folder / _text(own, place, "law", "")
    try:
        if which == "protocol":
            _require(not memoised, given, place, "memoised", "left out: a protocol's noise is fresh in every round")
            mechanism = made(n=users, **own)
            if "lam" in own and honest < users:  # every user tosses a coin with probability lam/users, and only honest ones count
                own["lam"] = exact_fraction(own["lam"], parameter="lam") * honest / users
            mechanism = replace(mechanism, n=honest, **own)
            seen_of_it = _OF_PROTOCOLS.get(kind, VIEWS["messages"])
            return Question(name=called, kind=kind, mechanism=mechanism, local=None, view=seen_of_it)
        randomizer = made(**own)
        local = epsilon0_parameter(own["epsilon0"]) if "epsilon0" in own else None
        released: Mechanism = shuffled(randomizer, n=honest)
        seen = VIEWS
        if kind in _SUMMED and view != "messages":
            alone = view in OF_ONE_ITEM and isinstance(given.get("items"), list) and len(given["items"]) == 1
            released, seen = _sums(kind, honest, own["epsilon0"], one=alone or neighbours == "deletion"), OF_ONE_ITEM if alone else VIEWS
        return Question(name=called, kind=kind, mechanism=released, local=local, memoised=memoised, view=seen[view])
    except DomainError as error:
        if error.parameter.startswith("rounds["):
            raise
        raise DomainError(parameter=f"{place}.{error.parameter}", value=error.value, requirement=error.requirement) from None


def _sums(kind: str, n: int, epsilon0: Any, *, one: bool) -> CoordinateSums:
    """one: whether one coordinate changes, as of an item that is dropped, or of which nothing else is seen; else two do."""
    if one and kind == "rappor":  # each of its bits keeps half of epsilon0
        epsilon0 = epsilon0_parameter(epsilon0).bounds(bits=128)[1] / 2
    return _SUMMED[kind](n=n, epsilon0=epsilon0, changed=1 if one else 2)


def _view(given: Mapping[str, Any], place: str, kind: str, which: str) -> str:
    """Return what is released of a randomizer's reports; a protocol has views of its own, or none."""
    if which == "protocol":
        _require("view" not in given or kind == "real-sum", given, place, "view", f"left out: {kind} has one view")
        return "messages"
    view = require_one_of(given.get("view", "messages"), VIEWS, parameter=f"{place}.view")
    if view != "messages" and kind not in (*_SUMMED, "krr"):
        told = " and ".join(_SUMMED)
        known = f'"messages" with {kind}: what sums hide more is known for {told}, and of k-rr they say what its messages say'
        raise DomainError(parameter=f"{place}.view", value=view, requirement=known)
    return view


def _require(condition: bool, given: Mapping[str, Any], place: str, name: str, requirement: str) -> None:
    require(condition, parameter=f"{place}.{name}", value=given.get(name), requirement=requirement)


def _flag(given: Mapping[str, Any], place: str, name: str) -> bool:
    value = given.get(name, False)
    require(isinstance(value, bool), parameter=f"{place}.{name}", value=value, requirement="true or false")
    return bool(value)


def _tables(given: Mapping[str, Any], name: str, written: str, place: str = "") -> list[tuple[str, dict[str, Any]]]:
    """The tables of a list that may not be empty, each with its place. written: how one begins."""
    found = given.get(name)
    if not isinstance(found, list) or not found or not all(isinstance(each, dict) for each in found):
        raise DomainError(parameter=f"{place}{name}", value=found, requirement=f"at least one table {written}")
    return [(f"{place}{name}[{at}]", each) for at, each in enumerate(found, start=1)]


def _only(given: Mapping[str, Any], place: str, names: tuple[str, ...]) -> None:
    for name in given:
        meant = _CALLED.get(name)
        require(name in names or meant not in names, parameter=place, value=name, requirement=f"written {meant} in a plan")
        require_one_of(name, names, parameter=place)


def _text(given: Mapping[str, Any], place: str, name: str, default: str) -> str:
    found = given.get(name, default)
    told = isinstance(found, str) and not isinstance(found, _Decimal)
    require(told, parameter=f"{place}.{name}", value=found, requirement="text, in quotation marks")
    return str(found)


def _needed(given: Mapping[str, Any], place: str, name: str) -> Any:
    if name not in given:
        raise DomainError(parameter=f"{place}.{name}", value="nothing", requirement="given")
    return given[name]
