"""The optimal pair of kRR against the clones pair: what a smaller bound costs in time, and how much smaller it is."""

from collections.abc import Iterator
from functools import partial
from itertools import product

from bench.measuring import Row, in_turns, times
from shuffleproof.impl.ball.bounds.clones import clones as certified_clones
from shuffleproof.impl.ball.bounds.variation_ratio import optimal_parameters as certified_parameters
from shuffleproof.impl.fast.bounds.clones import clones
from shuffleproof.impl.fast.bounds.variation_ratio import optimal_pair, optimal_parameters
from shuffleproof.spec.vocabulary.randomizers import named

_DELTA = "1e-6"
_TARGET = 0.05
_CERTIFIED_TARGET = 10
_DIGITS = 9


def epsilon(*, quick: bool) -> Iterator[Row]:
    """Sound float64 epsilons of both for k in {3, 10, 100}, with p, beta and q as they are: those of kRR, rounded up."""
    sizes = (10**3, 10**4, 10**6) if quick else (10**3, 10**4, 3 * 10**4, 10**5, 10**6, 10**9)
    for k, epsilon0, n in product((3, 10, 100), (1, 3, 5, 8), sizes):
        p, beta, q = optimal_parameters.parameters(randomizer=named("krr", k=k), epsilon0=epsilon0)
        pair = partial(optimal_pair.epsilon, n=n, p=p, beta=beta, q=q, delta=_DELTA)
        general = partial(clones.epsilon, n=n, epsilon0=epsilon0, delta=_DELTA)
        pair(), general()  # what the first call of each makes ready
        ours, theirs = in_turns(pair, general, runs=9 if n <= 10**6 else 3)
        slower = ours.median / max(theirs.median, 1e-9)
        found = pair()
        gap, share = float((found.upper - found.lower) / found.upper), float(found.upper / general().upper)
        yield Row(
            f"sound float64 epsilon of the optimal pair, kRR, k = {k}, eps0 = {epsilon0}, n = {n}",
            ours,
            theirs,
            "the clones engine",
            target=f"at most {_TARGET} s",
            met=ours.median <= _TARGET,
            note=f"{times(slower)} times the clones engine, for an epsilon of {times(share)} of its; relative gap {gap:.1e}",
            facts={"slower": slower, "share": share, "gap": gap},
        )


def certified(*, quick: bool) -> Iterator[Row]:
    """The same in ball arithmetic, to nine digits, p, beta and q computed too."""
    sizes = (10**3, 10**5) if quick else (10**3, 10**4, 10**5, 10**6, 10**7, 10**8)
    for k, epsilon0, n in product((10, 100), (1, 3), sizes):
        given = {"n": n, "epsilon0": epsilon0, "delta": _DELTA, "digits": _DIGITS}
        pair = partial(certified_parameters.epsilon, randomizer=named("krr", k=k), **given)
        ours, theirs = in_turns(pair, partial(certified_clones.epsilon, **given), runs=3 if n <= 10**6 else 1)
        slower = ours.median / max(theirs.median, 1e-9)
        yield Row(
            f"certified epsilon of the optimal pair, {_DIGITS} digits, kRR, k = {k}, eps0 = {epsilon0}, n = {n}",
            ours,
            theirs,
            "the certified clones engine",
            target=f"at most {_CERTIFIED_TARGET} times the certified clones engine",
            met=slower <= _CERTIFIED_TARGET,
            note=f"{times(slower)} times the certified clones engine",
            facts={"slower": slower},
        )
