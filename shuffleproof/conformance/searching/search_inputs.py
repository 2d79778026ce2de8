"""Inputs to search among, drawn at random: simple numbers, and the places where implementations have been wrong.

Those places are ties of thresholds and likelihood ratios, one or two users, epsilon0 near 0, near ln n and far beyond what a float64 holds,
probabilities of 0, 1 and almost nothing, outcomes that some input never sends, and answers that there are none of.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.conformance.running.protocol import Greeting
from shuffleproof.spec.vocabulary.numerals import count
from shuffleproof.spec.vocabulary.randomizers import NAMED

Given = dict[str, str]
_SIMPLE = ("2", "3", "3/2", "4", "5", "10", "11/10", "7/3", "100", "1e15", "1.000000001")
_TINY_WEIGHTS = ("1e-3", "1e-9", "1e-15", "1e-60")
_TINY = ("1e-3", "1e-6", "1e-9", "1e-15", "1e-100", "1e-300")
_OF_RANDOMIZERS = ("shuffled-randomizer", "randomizer-pair", "randomizer-lower", "blanket", "homogeneous", "another-place")
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
        name = _one(rng, greeting.methods)
        own = None if name is None else _of_method(rng, operation, name, greeting)
        return None if own is None or name is None else {"method": name, **own}
    if operation == "randomizer_law":
        name = _one(rng, [each for each in greeting.randomizers if each in _RANDOMIZERS])
        return None if name is None else _randomizer_law(rng, name)
    if operation in ("estimate", "calibrate"):
        draws = _ESTIMATES if operation == "estimate" else _CALIBRATIONS
        name = _one(rng, [each for each in greeting.protocols if each in draws])
        return None if name is None else {"protocol": name, **draws[name](rng)}
    if operation == "parameter":
        drawn_one = _sized(rng, greeting)
        return None if drawn_one is None else {**drawn_one, "which": rng.choice(["p", "beta", "beta", "q"])}
    if operation in ("profile", "renyi_divergence") or (operation == "compose" and rng.random() < 0.4):
        return _of_rounds(rng, operation, greeting)
    return _DRAWS[operation](rng)


def _of_rounds(rng: random.Random, operation: str, greeting: Greeting) -> Given | None:
    """Draw rounds of a method's pair where one is declared, of few users; else of privacy loss distributions, which have no profiles."""
    known = _OF_OPERATION[operation]
    name = _one(rng, [each for each in greeting.methods if each in known])
    n, rounds = _users(rng, most=5), str(rng.randint(1, 3))
    local, _ = _logarithm(rng, n)
    if operation == "profile":
        if name is None:
            return None
        own = {"p": rng.choice(["1/2", "2/3", "9/10"])} if name == "zero-sum" else {"epsilon0": local}
        asked = [f"ln {rng.choice(_SIMPLE[:8])}" if rng.random() < 0.7 else rng.choice(["0", "1/10"]) for _ in range(rng.randint(1, 4))]
        return {"method": name, "n": str(n), **own, "epsilons": ",".join(asked)}
    ending = {"order": rng.choice(["2", "3", "3/2", "10"]), "rounds": rounds}
    if operation == "compose":
        ending = {"rounds": rounds, rng.choice(["epsilon", "epsilon", "delta"]): ""}
        ending |= {"epsilon": f"ln {rng.choice(_SIMPLE[:8])}"} if "epsilon" in ending else {"delta": _probability(rng)}
    if name is None or (rng.random() < 0.5 and ("epsilon" in ending or operation != "compose")):
        if operation == "compose" and "epsilon" not in ending:
            return None
        laws = [_losses(rng, whole=operation != "compose") for _ in range(rng.choice([1, 1, 2]))]
        own = {"ratios": " ".join(ratios for ratios, _ in laws), "masses": " ".join(masses for _, masses in laws)}
        return {**({"rule": "losses"} if operation == "compose" else {}), **own, **ending}
    return {**({"rule": "shuffled"} if operation == "compose" else {}), "method": name, "n": str(n), "epsilon0": local, **ending}


def _losses(rng: random.Random, *, whole: bool) -> tuple[str, str]:
    """Ratios and masses of a pair of distributions on a few outcomes; not whole: now and then an outcome has none of the second."""
    ratio = Fraction(rng.choice(_SIMPLE[:8]))
    p = ratio / (1 + ratio)
    lost = Fraction(0) if whole or rng.random() < 0.5 else Fraction(1, rng.choice([4, 10, 10**6]))
    return f"{ratio},{1 / ratio}", f"{p * (1 - lost)},{(1 - p) * (1 - lost)}"


_OF_OPERATION = {
    "profile": ("clones", "stronger-clones", "zero-sum"),
    "compose": ("clones", "stronger-clones", "binary-rr-pair"),
    "renyi_divergence": ("clones", "stronger-clones", "binary-rr-pair"),
}


def _one(rng: random.Random, names: Sequence[str]) -> str | None:
    return rng.choice(names) if names else None


def _users(rng: random.Random, *, most: int = 40) -> int:
    return rng.choice([1, 2, rng.randint(1, 6), rng.randint(1, most), rng.randint(1, most)])


def _text(x: Fraction) -> str:
    return str(x)


def _logarithm(rng: random.Random, n: int) -> tuple[str, Fraction]:
    """An epsilon0 as a text, and about e to it."""
    exp = Fraction(rng.choice([*_SIMPLE, str(max(2, n)), str(1 + Fraction(rng.randint(1, 90), rng.randint(1, 30)))]))
    if rng.random() < 0.7:
        return f"ln {exp}", exp
    small = rng.choice(["0", "1", "1/2", "4", "1e-9", "0.1", "20", "40"])
    return small, 1 + Fraction(small) + Fraction(small) ** 2 / 2


def _probability(rng: random.Random) -> str:
    return rng.choice(["0", "1", "1/2", *_TINY, _text(Fraction(rng.randint(1, 59), 60))])


def _of_method(rng: random.Random, operation: str, method: str, greeting: Greeting) -> Given | None:
    slow = "optimal" in method or "bit-sum" in method
    n = _users(rng, most=8 if slow else 40)
    if not slow and rng.random() < 0.2:
        n = round(10 ** rng.uniform(2, 5))
    if method == "optimal-pair":
        p, q = (1 + Fraction(rng.randint(1, 60), 15) for _ in "pq")
        beta = min((p - 1) / (p + 1), q - 1) * Fraction(rng.randint(1, 4), 4)
        own, exp = {"p": _text(p), "beta": _text(beta), "q": _text(q)}, p
    elif method == "zero-sum":
        own, exp = {"p": rng.choice(["1/2", "0", "1", _text(Fraction(rng.randint(1, 19), 20))])}, Fraction(max(n, 2))
    elif method == "bit-sum":
        own, exp = {"lambda": _text(n * Fraction(rng.randint(1, 20), 20))}, Fraction(max(n, 2))
    elif method in ("coordinate-sums", "asymmetric-coordinate-sums"):
        n, exp = min(n, 5), Fraction(rng.randint(2, 9)) ** 2  # two coordinates take a root
        own = {"changed": str(rng.randint(1, 2)), "epsilon0": f"ln {exp}"}
    elif method == "laplace-sum":
        s = rng.randint(1, 5)
        exp = (1 + Fraction(rng.randint(1, 20), 10)) ** s
        own = {"sensitivity": str(s), "epsilon0": f"ln {exp}"}
    elif method == "fake-users":
        own = {"fakes": str(_users(rng)), "p": rng.choice(["1/2", _text(Fraction(rng.randint(1, 19), 20))])}
        exp = Fraction(int(own["fakes"]) + 1)
    elif method == "binomial-sum":
        n, coins, s = min(n, 12), rng.randint(1, 12), rng.randint(1, 5)
        own = {"sensitivity": str(s), "coins": str(coins), "p": rng.choice(["1/2", _text(Fraction(rng.randint(1, 19), 20))])}
        exp = Fraction(n * coins + 1)
    elif method == "discrete-gaussian-sum":
        n = min(n, 40)
        own = {"sensitivity": str(rng.randint(1, 5)), "variance": rng.choice(["1", "1/2", "2/3", "5/2", "4", "10"])}
        exp = Fraction(20)
    elif method == "split-and-mix":
        n, s = min(n, 12), rng.randint(1, 3)
        exp = (1 + Fraction(rng.randint(1, 20), 10)) ** s
        own = {"messages": rng.choice(["1", "2", "3", "10", "40"]), "modulus": rng.choice(["2", "7", "10", "1000003"])}
        own |= {"sensitivity": str(s), "epsilon0": f"ln {exp}"}
    elif method == "histogram":
        own, exp = {"p": rng.choice(["1/2", _text(Fraction(rng.randint(1, 19), 20))])}, Fraction(max(n, 2))
    elif method.startswith("real-sum"):
        n = min(n, 4)
        own, exp = {"lambda": _text(n * Fraction(rng.randint(1, 20), 20)), "r": str(rng.randint(1, 3))}, Fraction(max(n, 2))
    elif method in _OF_RANDOMIZERS:
        sized = _sized(rng, greeting)
        if sized is None:
            return None
        own, exp = sized, Fraction(3)
    else:
        text, exp = _logarithm(rng, n)
        own = {"epsilon0": text}
        if method.startswith("k-rr"):
            n, own = min(n, 6), {"k": str(rng.randint(2, 4)), **own}
        if method == "leaking-response" or "approximate" in method:
            own["delta0"] = rng.choice(["0", "1e-9", "1e-3"])
    if operation == "epsilon":
        return {"n": str(n), **own, "delta": _probability(rng)}
    inside = _text((1 + (exp - 1) * Fraction(rng.randint(0, 12), 12)).limit_denominator(1000))
    central = rng.choice([f"ln {inside}", f"ln {inside}", f"ln {exp}", "0", "ln 11/10", "1/10"])
    return {"n": str(n), **own, "epsilon": central}


def _distribution(rng: random.Random, outcomes: int) -> list[Fraction]:
    weights = [Fraction(rng.choice([0, 1, 1, 2, 3, rng.randint(0, 20)])) for _ in range(outcomes)]
    if rng.random() < 0.4:
        weights[rng.randrange(outcomes)] = Fraction(rng.choice(_TINY_WEIGHTS))
    if not any(weights):
        weights[0] = Fraction(1)
    return [each / sum(weights) for each in weights]


def _written(law: Sequence[Fraction]) -> str:
    return ",".join(map(str, law))


_SIZED: Mapping[str, Callable[[random.Random], Given]] = {
    **{name: lambda rng: {} for name, record in NAMED.items() if not record.needs()},
    "krr": lambda rng: {"k": str(rng.randint(2, 12))},
    "hadamard": lambda rng: {"k": str(rng.randint(2, 12))},
    "subset": lambda rng: {"k": (k := str(rng.randint(3, 12))), "d": str(rng.randint(1, int(k)))},
    "hash": lambda rng: {"buckets": str(rng.randint(2, 12))},
}


def _sized(rng: random.Random, greeting: Greeting) -> Given | None:
    """A named randomizer that is declared, with sizes and an epsilon0."""
    name = _one(rng, [each for each in greeting.randomizers if each in _SIZED])
    if name is None:
        return None
    return {"randomizer": name, **_SIZED[name](rng), "epsilon0": _logarithm(rng, rng.randint(2, 40))[0]}


def _noise_cdf(rng: random.Random) -> Given:
    x = str(rng.choice([0, 0, -1, 1, rng.randint(-12, 12), rng.randint(-12, 12)]))
    if rng.random() < 0.5:
        scale = f"ln {rng.choice(_SIMPLE[:7])}"
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
    return {"randomizer": name, **own, "epsilon0": _logarithm(rng, k)[0], "input": str(rng.choice([0, k - 1, rng.randrange(k), k]))}


def _compose(rng: random.Random) -> Given:
    rounds, exp = rng.randint(1, 6), Fraction(rng.choice(_SIMPLE[:8]))
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
    n = _users(rng)
    return {"n": str(n), "p": _probability(rng), "messages": _messages(rng, n, 2 * n)}


def _of_histogram(rng: random.Random) -> Given:
    n, bins = _users(rng), rng.randint(1, 4)
    counts = ",".join(_messages(rng, n, 2 * n) for _ in range(bins))
    return {"n": str(n), "p": _probability(rng), "counts": counts, "bin": str(rng.randint(1, bins))}


def _of_bits(rng: random.Random, *, several: bool = False) -> Given:
    n, r = _users(rng), rng.randint(1, 4) if several else 1
    own = {"r": str(r)} if several else {}
    return {"n": str(n), "lambda": _text(n * Fraction(rng.randint(0, 20), 20)), **own, "ones": _messages(rng, n, n * r)}


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
    "user-histogram": lambda rng: _of_user_histogram(rng),
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
