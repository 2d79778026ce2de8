"""Whole distributions in float64 against the clones engine: what the smaller bracket of a named randomizer costs in time."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

from bench.measuring import Row, in_turns, times
from shuffleproof.impl.fast.bounds.blanket import any_distribution
from shuffleproof.impl.fast.bounds.clones import clones
from shuffleproof.impl.fast.bounds.swap import another_place, first_arrival, first_arrival_approximate as approximate
from shuffleproof.spec.vocabulary.randomizers import named

_DELTA = "1e-6"
_TARGET = 10
_RANDOMIZERS: tuple[tuple[str, dict[str, int]], ...] = (("krr", {"k": 10}), ("rappor", {}), ("hash", {"buckets": 4}), ("laplace", {}))


def epsilon(*, quick: bool) -> Iterator[Row]:
    """Epsilon of the blanket, of homogeneous datasets and of the random swap, at eps0 = 1; each distribution is made ready once, before."""
    for (name, own), n in product(_RANDOMIZERS, (10**4, 10**6) if quick else (10**3, 10**4, 10**6, 10**8)):
        asked: dict[str, Any] = {"n": n, "randomizer": named(name, **own), "epsilon0": 1, "delta": _DELTA}
        general = partial(clones.epsilon, n=n, epsilon0=1, delta=_DELTA)
        sides = {
            "blanket": partial(any_distribution.epsilon, **asked),
            "homogeneous datasets": partial(any_distribution.epsilon, **asked, view="below"),
            "the random swap": partial(another_place.epsilon, **asked),
        }
        for told, whole in sides.items():
            found = whole(), general()
            ours, theirs = in_turns(whole, general, runs=3)
            slower, share = ours.median / max(theirs.median, 1e-9), float(found[0].upper / found[1].upper)
            small = name != "laplace"  # which is a density
            yield Row(
                f"sound float64 epsilon of {told}, {name}, eps0 = 1, n = {n}",
                ours,
                theirs,
                "the clones engine",
                target=f"at most {_TARGET} times the clones engine" if small else "",
                met=slower <= _TARGET if small else None,
                note=f"{times(slower)} times the clones engine, for an epsilon of {times(share)} of its",
                facts={"slower": slower, "share": share},
            )


def every_sequence(*, quick: bool) -> Iterator[Row]:
    """Epsilon of all adaptive sequences, of (eps0, delta0)-DP ones at eps0 = 1 too: what first arrival costs next to the clones engine."""
    most = 5
    users = (10**5, 10**6) if quick else (100, 300, 1000, 2000, 5000, 10**4, 10**5, 10**6, 10**7, 10**8)
    for epsilon0, n in product(("1",) if quick else ("0.5", "1", "2", "3", "4", "5", "8"), users):
        asked: dict[str, Any] = {"n": n, "epsilon0": epsilon0, "delta": _DELTA}
        general = partial(clones.epsilon, **asked)
        methods = {"first-arrival": first_arrival.epsilon}
        if epsilon0 == "1":
            methods["first-arrival-approximate"] = partial(approximate.epsilon, delta0="1e-9")
        for told, method in methods.items():
            whole = partial(method, **asked)
            share = float(whole().upper / general().upper)
            ours, theirs = in_turns(whole, general, runs=3)
            slower = ours.median / max(theirs.median, 1e-9)
            yield Row(
                f"sound float64 epsilon of {told}, eps0 = {epsilon0}, n = {n}",
                ours,
                theirs,
                "the clones engine",
                target=f"at most {most} times the clones engine" if n >= 10**5 else "under half a second",
                met=slower <= most if n >= 10**5 else ours.median < 0.5,
                note=f"{times(slower)} times the clones engine, for an epsilon of {times(share)} of its",
                facts={"slower": slower, "share": share},
            )
