"""Many rounds of shuffled eps0-DP randomizers on the same users: every way of composing the dominating pair, side by side."""

import time
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, Unpack, overload

from shuffleproof.accounting.rounds_below import rounds_below
from shuffleproof.answering import OfRandomizer, given, not_given
from shuffleproof.impl.ball.numeric.budget import one_answer
from shuffleproof.keywords import by_keyword, own_arithmetic, own_names
from shuffleproof.mechanisms.mechanism import Points, shuffled
from shuffleproof.mechanisms.randomizers import randomizer_of
from shuffleproof.methods import METHODS, name_among
from shuffleproof.planning.composed import RENYI_CONVERSION, Composition, Compositions, Row
from shuffleproof.planning.one_round import DistributionRound, GridPoint, OneRound, PairRound, PlaceRound, Round
from shuffleproof.planning.ways_of_composing import by_basic, by_library, by_renyi, by_theorem, on_grid
from shuffleproof.spec.vocabulary.errors import DomainError, ShuffleproofError, require
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import STRONGER_CLONES
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import (
    FIRST_ARRIVAL,
    GAUSSIAN_BLANKET,
    GAUSSIAN_PLACE,
    OPTIMAL_PAIR,
    RANDOMIZER_PAIR,
)
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    decimal_text,
    epsilon0_parameter,
    exact_fraction,
    probability,
    proper_share,
    ratio_bound,
)
from shuffleproof.spec.vocabulary.progress import steps
from shuffleproof.spec.vocabulary.randomizers import RANDOMIZER, SIZES, class_named, completed, is_hashing, of_given

__dir__ = own_names(__name__)

_Way = tuple[str, str, str | None, Method, Callable[[], tuple[Fraction | None, str]]]
"""A row's name, its statement, its engine, the method that one round is asked by, and what computes it and says how."""
CELLS = 128
"""Grid points of one round's epsilon: with more, rounding to the grid adds less, and the work is more."""
MOST_ROUNDS = 10**6
"""Rounds at most, as many as a plan repeats one."""
_PARAMETER_DIGITS = 60
"""Of p, beta and q of a named randomizer: more than any engine is asked for."""


class OfRound(OfRandomizer, total=False):
    """Lists what a round is asked with: epsilon0 above 0, for all eps0-DP randomizers or a named one; or p, beta and q; or sigma."""

    epsilon0: Number | Epsilon | None
    p: Number | None
    beta: Number | None
    q: Number | None
    sigma: Number | None


class _OfCompose(OfRound, total=False):
    """Lists what `compose` takes beside n, rounds and delta."""

    method: str | None
    engine: str | None
    cells: int
    library: bool


_IN_ORDER = ("p", "beta", "q", "sigma", RANDOMIZER.name, *(each.name for each in SIZES))


@overload
def compose(*, n: Number, rounds: Number, delta: Number, **how: Unpack[_OfCompose]) -> Composition: ...


@overload
def compose(*, n: Number, rounds: Points, delta: Number, **how: Unpack[_OfCompose]) -> Compositions: ...


@by_keyword
@own_arithmetic()
def compose(
    *,
    n: Number,
    rounds: Number | Points,
    delta: Number,
    method: str | None = None,
    engine: str | None = None,
    cells: int = CELLS,
    library: bool = False,
    **own: Unpack[OfRound],
) -> Composition | Compositions:
    """epsilon of `rounds` adaptive rounds together, each of n users' local randomizers on shuffled data, for one total delta.

    n: users; rounds: 1 to 10^6, or several numbers, each composed by itself; delta: above 0 and below 1, for all rounds;
    method: "clones" or "stronger-clones", for all eps0-DP randomizers; "optimal-pair", for those with p, beta and q (round all three up;
    p may be "infinity"); "randomizer-pair", for a named randomizer with epsilon0 and what it needs
    (`shuffleproof.answering.OfRandomizer`), and by whatever else its whole distribution says; "first-arrival", for all adaptive sequences
    of eps0-DP randomizers; "gaussian-place" or "gaussian-blanket", for numbers in [0, 1] with Gaussian noise of standard deviation sigma
    of each user; None for the least for what is given: for epsilon0 the stronger clones pair and first arrival beside each other.
    epsilon0: local parameter above 0. engine: "ball", or "fast" for what one round is asked for, whose sides are then sound in float64;
    None for "ball" where the grid takes it less than about a minute. All ways together may cost what one answer may.
    cells: grid points per sign of the certified grid. library: also dp-accounting's number (extra `accounting`), an estimate to compare.
    Raises DomainError before any work starts; RegimeError where p is infinite and a round gives its input away more often than delta
    allows. A row whose way is too expensive, or does not apply, says so.
    """
    if isinstance(rounds, Iterable) and not isinstance(rounds, str):
        runs_of = tuple(count(each, parameter="rounds", maximum=MOST_ROUNDS) for each in rounds)
        require(bool(runs_of), parameter="rounds", value=rounds, requirement="at least one number")
        how: dict[str, Any] = {"n": n, "delta": delta, "method": method, "engine": engine, "cells": cells, "library": library, **own}
        return Compositions(rounds=runs_of, each=tuple(compose(rounds=each, **how) for each in steps(runs_of, of="numbers of rounds")))
    asked: dict[str, Any] = {**completed(given(OfRound, own, to=compose))}
    chosen = _offered(method or default_pair(**asked))
    users, runs = count(n, parameter="n"), count(rounds, parameter="rounds", maximum=MOST_ROUNDS)
    total = proper_share(delta, parameter="delta")
    _require_parameters(chosen, asked, named=method is not None)
    if "epsilon0" in asked:
        local = epsilon0_parameter(asked["epsilon0"])
        require(local.exp != 1, parameter="epsilon0", value=asked["epsilon0"], requirement="above 0: at 0 nothing is lost")
    one: Round
    law: Round | None = None
    if chosen.composed == "profile":
        one = OneRound(method=chosen, n=users, epsilon0=local, cells=cells, engine=engine)
        if method is None and engine != "ball":
            law = PlaceRound(method=FIRST_ARRIVAL, n=users, own=asked)
    elif chosen.composed == "chords":
        require(engine in (None, "fast"), parameter="engine", value=engine, requirement='"fast", or left out: float64 alone carries it')
        one = PlaceRound(method=chosen, n=users, own=asked)
        if method is None:
            one = one.or_better(PlaceRound(method=GAUSSIAN_BLANKET, n=users, own=asked), total / runs)
            chosen = one.method
    else:
        largest: Fraction | None
        if RANDOMIZER.name in asked:
            from shuffleproof.impl.ball.bounds.variation_ratio.optimal_parameters import parameters

            if is_hashing(of_given(asked)):  # with no functions named nothing is promised of them: both sides are about the worst family
                asked = {"family": "any", **asked}
            largest, distance, cover = parameters(randomizer=of_given(asked), epsilon0=local, digits=_PARAMETER_DIGITS)
        else:
            largest, distance = ratio_bound(asked["p"], parameter="p"), probability(asked["beta"], parameter="beta")
            cover = exact_fraction(asked["q"], parameter="q")
        one = PairRound(n=users, p=largest, beta=distance, q=cover, cells=cells, engine=engine)
        one.check(rounds=runs, delta=total)
        if RANDOMIZER.name in asked and engine != "ball":
            law = DistributionRound.where_cheap(n=users, own=asked, epsilon0=local, delta=total / runs)
    points: list[GridPoint] = []

    def grid() -> tuple[Fraction | None, str]:
        points.extend(one.profile(rounds=runs, delta=total, cells=cells))
        return on_grid(points, rounds=runs, delta=total), f"losses on a grid of {_short(points[1].epsilon)}"

    def theirs() -> tuple[Fraction | None, str]:
        return by_library(points, rounds=runs, delta=total)

    renyi: _Way = ("Renyi divergences", RENYI_CONVERSION, one.renyi_engine, chosen, lambda: by_renyi(one, rounds=runs, delta=total))
    ways: tuple[_Way, ...] = (
        ("basic composition", "FMT21.Sec6.1.basic", one.engine, chosen, lambda: by_basic(one, rounds=runs, delta=total)),
        (
            "advanced composition",
            "FMT21.Sec6.1.advanced",
            one.engine,
            chosen,
            lambda: by_theorem(one, "advanced", rounds=runs, delta=total),
        ),
        ("optimal composition", "FMT21.Sec6.1.optimal", one.engine, chosen, lambda: by_theorem(one, "optimal", rounds=runs, delta=total)),
        *(() if isinstance(one, PlaceRound) else (renyi,)),
        (
            "the pair itself, on a grid",
            "FMT21.Sec6.1.grid" if chosen.composed == "profile" else "BEYOND.Envelope",
            one.engine,
            chosen,
            grid,
        ),
        *_by_distribution(law, one, rounds=runs, delta=total, cells=cells),
        *((("the pair itself, by dp-accounting", "", None, chosen, theirs),) if library else ()),
    )
    rows: tuple[Row, ...] = ()
    below = None
    for side in steps(("upper", "lower") if chosen is not OPTIMAL_PAIR else ("upper",), of="sides"):
        if side == "upper":
            with one_answer():
                rows = tuple(_row(*way) for way in steps(ways, of="ways of composing"))
        else:
            below = rounds_below([(shuffled(randomizer_of(asked), users), runs)], delta=total, of=f"{as_given(x=rounds)['x']} rounds")
    others = {name: asked[name] for name in _IN_ORDER if name in asked}
    if RANDOMIZER.name in others:
        others[RANDOMIZER.name] = class_named(others[RANDOMIZER.name]).printed()
    inputs = as_given(n=n, eps0=asked.get("epsilon0"), **others, rounds=rounds, delta=delta)
    return Composition(method=chosen.name, rows=rows, below=below, inputs=inputs)


def _by_distribution(law: Round | None, one: Round, *, rounds: int, delta: Fraction, cells: int) -> tuple[_Way, ...]:
    """Return what a randomizer's whole distribution adds to its optimal pair, and what first arrival adds to clones."""
    if law is None:
        return ()
    named = law.method.name if law.method.for_all else "the whole distribution"

    def grid() -> tuple[Fraction | None, str]:
        if not law.gains_on(one, delta / rounds):
            return None, f"one round by {named} is within 2 % of the pair's, whose grid is finer"
        points = law.profile(rounds=rounds, delta=delta, cells=cells)
        return on_grid(points, rounds=rounds, delta=delta), f"losses on a grid of {_short(points[1].epsilon)}"

    return (
        (f"basic composition of {named}", "FMT21.Sec6.1.basic", law.engine, law.method, lambda: by_basic(law, rounds=rounds, delta=delta)),
        (f"{named}, on a grid", "BEYOND.Envelope", law.engine, law.method, grid),
    )


def _row(name: str, statement: str, engine: str | None, method: Method, way: Callable[[], tuple[Fraction | None, str]]) -> Row:
    started = time.perf_counter()
    try:
        epsilon, says = way()
    except DomainError as outside:  # what the caller gave has been checked: this is about what the way makes of it
        epsilon, says = None, f"not so far out: {outside.parameter} must be {outside.requirement}"
    except ShuffleproofError as refusal:
        epsilon, says = None, str(refusal)
    return Row(
        name=name, statement=statement, method=method, engine=engine, epsilon=epsilon, says=says, seconds=time.perf_counter() - started
    )


def default_pair(**given: object) -> str:
    """The pair that is composed where none is named: the least one for what is given; of Gaussian noise one of two."""
    if given.get("randomizer") is not None:
        return RANDOMIZER_PAIR.name
    if given.get("sigma") is not None:
        return GAUSSIAN_PLACE.name
    return STRONGER_CLONES.name if given.get("epsilon0") is not None or given.get("p") is None else OPTIMAL_PAIR.name


def _offered(method: str) -> Method:
    """The method of this name, one of those whose pair is its own mirror image and dominates what it speaks of."""
    composed = {each.name: each for each in METHODS.values() if each.composed}
    return composed[name_among(method, composed)]


def _require_parameters(method: Method, given: dict[str, object], *, named: bool) -> None:
    """Raise DomainError where a parameter is missing, or is none of the method's. named: whether the method was asked for by its name."""
    for name in method.takes:
        if name not in given:
            raise not_given(name, beside=given, method=method.name if named else None)
    for name, value in given.items():
        if name not in method.may_take:
            raise DomainError(
                parameter=name, value=value, requirement=f"left out: method {method.name!r} takes {' and '.join(method.takes)}"
            )


def _short(x: Fraction) -> str:
    return decimal_text(x, digits=3, direction="up")
