"""A question of a plan from the table that asks it: its randomizer or protocol, what of it is released, what neighbours differ in."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

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
from shuffleproof.planning.plan import toml_tables as toml
from shuffleproof.planning.plan.schema import AGGREGATED, OF_ONE_ITEM, VIEWS, Question
from shuffleproof.spec.vocabulary.errors import DomainError, require, require_one_of
from shuffleproof.spec.vocabulary.numerals import count, epsilon0_parameter, exact_fraction
from shuffleproof.spec.vocabulary.randomizers import one_of

_COUNTED = "how many messages there are shows whether a user is missing"
_NOISE_MISSING = "the noise that the user adds would be missing too"
_INSTEAD = '"deletion", or the protocol fake-users, where the shuffler adds all the noise'
_OF_PROTOCOLS: Mapping[str, str] = {
    "fake-users": "the shuffled messages of the question by themselves, those of fake users among them",
    "split-and-mix": "the shuffled shares of the question by themselves",
    **dict.fromkeys(("laplace-sum", "binomial-sum", "discrete-gaussian-sum"), AGGREGATED),
}
"""What is seen of the protocols whose messages are not shuffled by themselves."""
_SUMMED: Mapping[str, type[CoordinateSums]] = {"rappor": CoordinateSums, "asymmetric-rappor": AsymmetricCoordinateSums}
"""Randomizers of independent bits, whose sums are less than their messages."""
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
_PARAMETERS = tuple(dict.fromkeys(name for _, taken in (*_RANDOMIZERS.values(), *_PROTOCOLS.values()) for name in taken))
_OF_A_RUN = ("column", "items", "coordinates", "threshold")
_MOST_ITEMS = 10**5
"""Items and coordinates that are numbered where a plan gives only how many there are."""


def question_of(given: Mapping[str, Any], place: str, users: int, honest: int, folder: Path, neighbours: str) -> Question:
    """A question of users of whom all are there, and so many are honest; folder: where the files that it names lie. Raises DomainError."""
    return _with_data(_asked(given, place, users, honest, folder, neighbours), given, place)


def with_neighbours(question: Question, place: str, rate: Fraction, least: int, neighbours: str, *, exactly: bool) -> Question:
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


def _asked(given: Mapping[str, Any], place: str, users: int, honest: int, folder: Path, neighbours: str) -> Question:
    toml.only(given, place, ("name", "randomizer", "protocol", "memoised", "view", *_OF_A_RUN, *_PARAMETERS))
    if ("randomizer" in given) == ("protocol" in given):
        raise DomainError(parameter=place, value=given.get("name", "nothing"), requirement="with either a randomizer or a protocol")
    memoised = toml.flag(given, place, "memoised")
    which = "randomizer" if "randomizer" in given else "protocol"
    known: Mapping[str, tuple[Any, tuple[str, ...]]] = _RANDOMIZERS if which == "randomizer" else _PROTOCOLS
    asked = toml.text(given, place, which, "")
    kind = one_of(asked, known, parameter=f"{place}.{which}")
    made, taken = known[kind]
    called = toml.text(given, place, "name", asked)
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
        own["law"] = folder / toml.text(own, place, "law", "")
    try:
        if which == "protocol":
            toml.require_key(not memoised, given, place, "memoised", "left out: a protocol's noise is fresh in every round")
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
        toml.require_key("view" not in given or kind == "real-sum", given, place, "view", f"left out: {kind} has one view")
        return "messages"
    view = require_one_of(given.get("view", "messages"), VIEWS, parameter=f"{place}.view")
    if view != "messages" and kind not in (*_SUMMED, "krr"):
        told = " and ".join(_SUMMED)
        known = f'"messages" with {kind}: what sums hide more is known for {told}, and of k-rr they say what its messages say'
        raise DomainError(parameter=f"{place}.view", value=view, requirement=known)
    return view


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
    toml.require_key(threshold is None or threshold >= 0, given, place, "threshold", "at least 0")
    column = toml.text(given, place, "column", question.name)
    return replace(question, column=column, items=named, coordinates=coordinates, threshold=threshold)
