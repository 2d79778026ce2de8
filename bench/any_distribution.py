"""Whole distributions in float64 against the clones engine: what the smaller bracket of a named randomizer costs in time."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

from bench.measuring import Row, in_turns, times
from shuffleproof.impl.fast.bounds.blanket import any_distribution
from shuffleproof.impl.fast.bounds.clones import clones
from shuffleproof.impl.fast.bounds.swap import another_place, first_arrival, first_arrival_approximate as approximate
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.randomizers import named

Asked = Callable[[], Bound]
_DELTA = "1e-6"
_OF_OTHERS = 10
"""Times the clones engine that a blanket and homogeneous datasets may take, of randomizers without a density, at eps0 = 1."""
_AT_MOST = 5
"""The same of methods that are asked by default, from 10^5 users on: below that half a second."""
_RANDOMIZERS: tuple[tuple[str, dict[str, int]], ...] = (("krr", {"k": 10}), ("rappor", {}), ("hash", {"buckets": 4}), ("laplace", {}))


def _row(told: str, whole: Asked, general: Asked, *, n: int, most: int | None = _AT_MOST) -> Row:
    """Return times of both. most: times the clones engine that may be taken; None: nothing is aimed at."""
    share = float(whole().upper / general().upper)
    ours, theirs = in_turns(whole, general, runs=3)
    slower = ours.median / max(theirs.median, 1e-9)
    of_few = most == _AT_MOST and n < 10**5
    return Row(
        f"sound float64 epsilon of {told}, n = {n}",
        ours,
        theirs,
        "the clones engine",
        target="" if most is None else "under half a second" if of_few else f"at most {most} times the clones engine",
        met=None if most is None else ours.median < 0.5 if of_few else slower <= most,
        note=f"{times(slower)} times the clones engine, for an epsilon of {times(share)} of its",
        facts={"slower": slower, "share": share},
    )


def epsilon(*, quick: bool) -> Iterator[Row]:
    """Epsilon of the random swap, and at eps0 = 1 of the blanket and of homogeneous datasets; each distribution is made ready before."""
    for (name, own), epsilon0, n in product(
        _RANDOMIZERS, ("1",) if quick else ("1", "3", "5"), (10**4, 10**6) if quick else (10**3, 10**4, 10**5, 10**6, 10**7, 10**8)
    ):
        asked: dict[str, Any] = {"n": n, "randomizer": named(name, **own), "epsilon0": epsilon0, "delta": _DELTA}
        general, words = partial(clones.epsilon, n=n, epsilon0=epsilon0, delta=_DELTA), f"{name}, eps0 = {epsilon0}"
        if name != "krr":  # whose blanket is tight
            yield _row(f"the random swap, {words}", partial(another_place.epsilon, **asked), general, n=n)
        if epsilon0 == "1":
            most = _OF_OTHERS if name != "laplace" else None  # which is a density
            for told, view in (("blanket", {}), ("homogeneous datasets", {"view": "below"})):
                yield _row(f"{told}, {words}", partial(any_distribution.epsilon, **asked, **view), general, n=n, most=most)


def every_sequence(*, quick: bool) -> Iterator[Row]:
    """Epsilon of all adaptive sequences, of (eps0, delta0)-DP ones at eps0 = 1 too: what first arrival costs next to the clones engine."""
    users = (10**5, 10**6) if quick else (100, 300, 1000, 2000, 5000, 10**4, 10**5, 10**6, 10**7, 10**8)
    for epsilon0, n in product(("1",) if quick else ("0.5", "1", "2", "3", "4", "5", "8"), users):
        asked: dict[str, Any] = {"n": n, "epsilon0": epsilon0, "delta": _DELTA}
        general = partial(clones.epsilon, **asked)
        methods = {"first-arrival": first_arrival.epsilon}
        if epsilon0 == "1":
            methods["first-arrival-approximate"] = partial(approximate.epsilon, delta0="1e-9")
        for told, method in methods.items():
            yield _row(f"{told}, eps0 = {epsilon0}", partial(method, **asked), general, n=n)
