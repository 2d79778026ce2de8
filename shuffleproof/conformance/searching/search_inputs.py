"""Inputs to search among, drawn at random: simple numbers, and the places where implementations have been wrong.

Those places are ties of thresholds and likelihood ratios, one or two users, epsilon0 near 0, near ln n and far beyond what a float64 holds,
probabilities of 0, 1 and almost nothing, outcomes that some input never sends, and answers that there are none of.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.conformance.running.protocol import Greeting
from shuffleproof.conformance.searching.drawn_methods import (
    SIMPLE,
    Given,
    logarithm,
    of_method,
    of_rounds,
    one_of,
    probability,
    sized,
    users,
)
from shuffleproof.spec.vocabulary.numerals import count

_TINY_WEIGHTS = ("1e-3", "1e-9", "1e-15", "1e-60")
_DRAWS_FOR_ONE = 50
"""Inputs that are drawn until one is among those asked for: then the operation has none."""
_RANDOMIZERS = {"binary-rr": ("epsilon0",), "k-rr": ("k", "epsilon0")}


@dataclass(frozen=True, kw_only=True)
class Narrowing:
    """Which of the inputs that can be drawn are asked. randomizers: about one of these, if any is named; users: least and most, or None."""

    randomizers: frozenset[str] = frozenset()
    users: tuple[int, int] | None = None

    def holds(self, given: Mapping[str, str]) -> bool:
        """Return whether an input is one of these."""
        if self.randomizers and given.get("randomizer") not in self.randomizers:
            return False
        if self.users is None:
            return True
        n = given.get("n", "")
        return n.isdecimal() and self.users[0] <= int(n) <= self.users[1]

    def drawn(self, rng: random.Random, operation: str, greeting: Greeting) -> Given | None:
        """One of these inputs; a number of users outside the range is replaced, other inputs drawn again. None where there is none."""
        for _ in range(_DRAWS_FOR_ONE):
            given = drawn(rng, operation, greeting)
            if given is None or self.holds(given):
                return given
            if self.users is not None and given.get("n", "").isdecimal():
                given = {**given, "n": str(rng.randint(*self.users))}
                if self.holds(given):
                    return given
        return None


EVERYTHING = Narrowing()


def users_among(text: str) -> tuple[int, int]:
    """The least and the most of "1000", or of "10:1000". Raises DomainError."""
    first, colon, last = text.partition(":")
    least = count(first, parameter="n", minimum=1)
    return least, count(last, parameter="n", minimum=least) if colon else least


def drawn(rng: random.Random, operation: str, greeting: Greeting) -> Given | None:
    """An input of an operation within what a harness declares; None where it declares nothing that could be drawn."""
    if operation in ("delta", "epsilon"):
        name = one_of(rng, greeting.methods)
        own = None if name is None else of_method(rng, operation, name, greeting)
        return None if own is None or name is None else {"method": name, **own}
    if operation == "randomizer_law":
        name = one_of(rng, [each for each in greeting.randomizers if each in _RANDOMIZERS])
        return None if name is None else _randomizer_law(rng, name)
    if operation in ("estimate", "calibrate"):
        draws = _ESTIMATES if operation == "estimate" else _CALIBRATIONS
        name = one_of(rng, [each for each in greeting.protocols if each in draws])
        return None if name is None else {"protocol": name, **draws[name](rng)}
    if operation == "parameter":
        drawn_one = sized(rng, greeting)
        return None if drawn_one is None else {**drawn_one, "which": rng.choice(["p", "beta", "beta", "q"])}
    if operation in ("profile", "renyi_divergence") or (operation == "compose" and rng.random() < 0.4):
        return of_rounds(rng, operation, greeting)
    return _DRAWS[operation](rng)


def _distribution(rng: random.Random, outcomes: int) -> list[Fraction]:
    weights = [Fraction(rng.choice([0, 1, 1, 2, 3, rng.randint(0, 20)])) for _ in range(outcomes)]
    if rng.random() < 0.4:
        weights[rng.randrange(outcomes)] = Fraction(rng.choice(_TINY_WEIGHTS))
    if not any(weights):
        weights[0] = Fraction(1)
    return [each / sum(weights) for each in weights]


def _written(law: Sequence[Fraction]) -> str:
    return ",".join(map(str, law))


def _noise_cdf(rng: random.Random) -> Given:
    x = str(rng.choice([0, 0, -1, 1, rng.randint(-12, 12), rng.randint(-12, 12)]))
    if rng.random() < 0.5:
        scale = f"ln {rng.choice(SIMPLE[:7])}"
        return {"noise": "discrete-laplace", "epsilon": scale, "terms": rng.choice("12"), "x": x}
    return {"noise": "discrete-gaussian", "variance": rng.choice(["1", "1/4", "4", "9/4", "10"]), "terms": rng.choice("12"), "x": x}


def _pair(rng: random.Random) -> tuple[list[Fraction], list[Fraction]]:
    outcomes = rng.randint(2, 4)
    p = _distribution(rng, outcomes)
    return p, p if rng.random() < 0.1 else _distribution(rng, outcomes)


def _order(rng: random.Random, p: Sequence[Fraction], q: Sequence[Fraction]) -> str:
    """e^epsilon, often where two probabilities tie."""
    ties = [a / b for a, b in zip(p, q, strict=True) if a >= b > 0]
    return "1/2" if rng.random() < 0.05 else rng.choice(["1", "2", "3/2", "1000", *map(str, ties)])


def _hockey_stick(rng: random.Random) -> Given:
    p, q = _pair(rng)
    return {"p": _written(p), "q": _written(q), "exp_epsilon": _order(rng, p, q)}


def _distributions(rng: random.Random) -> tuple[str, int]:
    inputs, outcomes = rng.randint(2, 4), rng.randint(2, 3)
    rows = [_distribution(rng, outcomes) for _ in range(inputs)]
    if rng.random() < 0.15:
        rows = [rows[0]] * inputs
    if rng.random() < 0.5:  # nothing left out by everybody but somebody
        rows = [[(p + Fraction(1, 7)) / (1 + Fraction(outcomes, 7)) for p in row] for row in rows]
    return " ".join(map(_written, rows)), inputs


def _local_epsilon(rng: random.Random) -> Given:
    return {"laws": _distributions(rng)[0]}


def _shuffle_law(rng: random.Random) -> Given:
    laws, inputs = _distributions(rng)
    return {"laws": laws, "dataset": ",".join(str(rng.randrange(inputs)) for _ in range(rng.randint(1, 4)))}


def _renyi(rng: random.Random) -> Given:
    p, q = _pair(rng)
    return {"p": _written(p), "q": _written(q), "order": str(rng.choice([2, 3, rng.randint(2, 6), 8]))}


def _randomizer_law(rng: random.Random, name: str) -> Given:
    k = 2 if name == "binary-rr" else rng.randint(2, 7)
    own = {"k": str(k)} if name == "k-rr" else {}
    return {"randomizer": name, **own, "epsilon0": logarithm(rng, k)[0], "input": str(rng.choice([0, k - 1, rng.randrange(k), k]))}


def _compose(rng: random.Random) -> Given:
    rounds, exp = rng.randint(1, 6), Fraction(rng.choice(SIMPLE[:8]))
    rule = rng.choice(["basic", "optimal", "optimal", "product"])
    if rule == "basic":
        return {"rule": rule, "epsilon": f"ln {exp}", "rounds": str(rounds)}
    if rule == "optimal":
        total = rng.choice([exp ** rng.randint(0, rounds), 1 + (exp**rounds - 1) * Fraction(rng.randint(0, 12), 12)])
        small = rng.choice(["0", "0", "1/10", "1e-6", "1"])
        return {"rule": rule, "epsilon": f"ln {exp}", "delta": small, "rounds": str(rounds), "total_epsilon": f"ln {total}"}
    p, q = _pair(rng)
    return {"rule": rule, "p": _written(p), "q": _written(q), "rounds": str(min(rounds, 3)), "exp_epsilon": _order(rng, p, q)}


def _threshold(rng: random.Random) -> Given:
    norms = [rng.choice([Fraction(rng.randint(0, 9)), Fraction(rng.randint(0, 40), 4)]) for _ in range(rng.randint(1, 6))]
    slope = rng.choice(["1", "2", "1/2", str(rng.randint(0, 6)), "5/2"])
    own = {"norms": ",".join(map(str, norms)), "T": slope}
    if rng.random() < 0.5:
        return {"rule": "minimiser", **own}
    return {"rule": "regularised", **own, "lambda": rng.choice(["1", "1/2", "1/100", "0"]), "B": rng.choice(["1", "3", "10", "1/2"])}


def _debias(rng: random.Random) -> Given:
    cap = rng.choice(["0", "1", "2", "5", "20", "5/2"])
    if rng.random() < 0.5:
        return {"C": cap, "rate": rng.choice(["0", "1", "2", "1/2", "10", "50", "1e-3", "1e-9", "1e-15"])}
    return {"C": cap, "y": rng.choice(["0", "1", "1/2", "1e-9", cap, str(Fraction(cap) * Fraction(rng.randint(1, 11), 10))])}


def _messages(rng: random.Random, n: int, most: int) -> str:
    return str(rng.choice([0, n - 1, n, min(n + 1, most), most, rng.randint(0, most)]))


def _of_zero_sum(rng: random.Random) -> Given:
    n = users(rng)
    return {"n": str(n), "p": probability(rng), "messages": _messages(rng, n, 2 * n)}


def _of_histogram(rng: random.Random) -> Given:
    n, bins = users(rng), rng.randint(1, 4)
    counts = ",".join(_messages(rng, n, 2 * n) for _ in range(bins))
    return {"n": str(n), "p": probability(rng), "counts": counts, "bin": str(rng.randint(1, bins))}


def _of_bits(rng: random.Random, *, several: bool = False) -> Given:
    n, r = users(rng), rng.randint(1, 4) if several else 1
    own = {"r": str(r)} if several else {}
    return {"n": str(n), "lambda": str(n * Fraction(rng.randint(0, 20), 20)), **own, "ones": _messages(rng, n, n * r)}


def _target(rng: random.Random) -> Given:
    return {"epsilon": f"ln {rng.choice(['2', '3', '4', '3/2', '10'])}", "delta": rng.choice(["1/2", "1/10", "1/4", "1e-2", "3/4"])}


def _noise_of_zero_sum(rng: random.Random) -> Given:
    """Now and then so many users that a theorem's prescription fits."""
    few = {"n": str(rng.randint(1, 12)), **_target(rng)}
    return rng.choice([few, {"n": rng.choice(["1000", "2000"]), "epsilon": "1", "delta": rng.choice(["1e-2", "1e-3"])}])


def _of_user_histogram(rng: random.Random) -> Given:
    own = {"C": rng.choice(["1", "2", "1/2", "10"]), "d": rng.choice(["1", "2", "3", "10"])}
    small = {} if rng.random() < 0.4 else {"delta": rng.choice(["1e-6", "1e-9", "1e-3"])}
    return {**own, "relation": rng.choice(["replace-one", "add-remove"]), "epsilon": rng.choice(["1", "1/2", "ln 3", "8", "20"]), **small}


_ESTIMATES: Mapping[str, Callable[[random.Random], Given]] = {
    "zero-sum": _of_zero_sum,
    "histogram": _of_histogram,
    "bit-sum": _of_bits,
    "real-sum": lambda rng: _of_bits(rng, several=True),
}
_CALIBRATIONS: Mapping[str, Callable[[random.Random], Given]] = {
    "zero-sum": _noise_of_zero_sum,
    "histogram": lambda rng: {"n": str(rng.randint(1, 12)), **_target(rng)},
    "bit-sum": lambda rng: {"n": str(rng.randint(1, 8)), **_target(rng)},
    "real-sum": lambda rng: {"n": str(rng.randint(1, 4)), "r": str(rng.randint(1, 3)), **_target(rng)},
    "frequency": lambda rng: {"n": str(rng.randint(1, 16)), "method": "clones", **_target(rng)},
    "real-sum-tagged": lambda rng: {"n": str(rng.randint(1, 4)), "r": str(rng.randint(1, 3)), **_target(rng)},
    "user-histogram": _of_user_histogram,
}
_DRAWS: Mapping[str, Callable[[random.Random], Given]] = {
    "hockey_stick": _hockey_stick,
    "local_epsilon": _local_epsilon,
    "shuffle_law": _shuffle_law,
    "renyi": _renyi,
    "compose": _compose,
    "threshold": _threshold,
    "debias": _debias,
    "noise_cdf": _noise_cdf,
}
