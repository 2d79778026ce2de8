"""Questions about methods, named randomizers and their rounds, drawn at random; and the numbers that all questions are made of."""

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from shuffleproof.conformance.running.protocol import Greeting
from shuffleproof.spec.vocabulary.randomizers import NAMED

Given = dict[str, str]
SIMPLE = ("2", "3", "3/2", "4", "5", "10", "11/10", "7/3", "100", "1e15", "1.000000001")
_TINY = ("1e-3", "1e-6", "1e-9", "1e-15", "1e-100", "1e-300")
_OF_RANDOMIZERS = ("shuffled-randomizer", "randomizer-pair", "randomizer-lower", "blanket", "homogeneous", "another-place")
_OF_OPERATION = {
    "profile": ("clones", "stronger-clones", "zero-sum"),
    "compose": ("clones", "stronger-clones", "binary-rr-pair"),
    "renyi_divergence": ("clones", "stronger-clones", "binary-rr-pair"),
}


def of_method(rng: random.Random, operation: str, method: str, greeting: Greeting) -> Given | None:
    """Draw what delta or epsilon of a method is asked with; None where it needs a randomizer and none is declared."""
    slow = "optimal" in method or "bit-sum" in method
    n = users(rng, most=8 if slow else 40)
    if not slow and rng.random() < 0.2:
        n = round(10 ** rng.uniform(2, 5))
    if method == "optimal-pair":
        p, q = (1 + Fraction(rng.randint(1, 60), 15) for _ in "pq")
        beta = min((p - 1) / (p + 1), q - 1) * Fraction(rng.randint(1, 4), 4)
        own, exp = {"p": str(p), "beta": str(beta), "q": str(q)}, p
    elif method == "zero-sum":
        own, exp = {"p": rng.choice(["1/2", "0", "1", str(Fraction(rng.randint(1, 19), 20))])}, Fraction(max(n, 2))
    elif method == "bit-sum":
        own, exp = {"lambda": str(n * Fraction(rng.randint(1, 20), 20))}, Fraction(max(n, 2))
    elif method in ("coordinate-sums", "asymmetric-coordinate-sums"):
        n, exp = min(n, 5), Fraction(rng.randint(2, 9)) ** 2  # two coordinates take a root
        own = {"changed": str(rng.randint(1, 2)), "epsilon0": f"ln {exp}"}
    elif method == "laplace-sum":
        s = rng.randint(1, 5)
        exp = (1 + Fraction(rng.randint(1, 20), 10)) ** s
        own = {"sensitivity": str(s), "epsilon0": f"ln {exp}"}
    elif method == "fake-users":
        own = {"fakes": str(users(rng)), "p": _often_half(rng)}
        exp = Fraction(int(own["fakes"]) + 1)
    elif method == "binomial-sum":
        n, coins, s = min(n, 12), rng.randint(1, 12), rng.randint(1, 5)
        own = {"sensitivity": str(s), "coins": str(coins), "p": _often_half(rng)}
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
        own, exp = {"p": _often_half(rng)}, Fraction(max(n, 2))
    elif method.startswith("real-sum"):
        n = min(n, 4)
        own, exp = {"lambda": str(n * Fraction(rng.randint(1, 20), 20)), "r": str(rng.randint(1, 3))}, Fraction(max(n, 2))
    elif method in _OF_RANDOMIZERS:
        chosen = sized(rng, greeting)
        if chosen is None:
            return None
        own, exp = chosen, Fraction(3)
    else:
        text, exp = logarithm(rng, n)
        own = {"epsilon0": text}
        if method.startswith("k-rr"):
            n, own = min(n, 6), {"k": str(rng.randint(2, 4)), **own}
        if method == "leaking-response" or "approximate" in method:
            own["delta0"] = rng.choice(["0", "1e-9", "1e-3"])
    if operation == "epsilon":
        return {"n": str(n), **own, "delta": probability(rng)}
    inside = str((1 + (exp - 1) * Fraction(rng.randint(0, 12), 12)).limit_denominator(1000))
    central = rng.choice([f"ln {inside}", f"ln {inside}", f"ln {exp}", "0", "ln 11/10", "1/10"])
    return {"n": str(n), **own, "epsilon": central}


def of_rounds(rng: random.Random, operation: str, greeting: Greeting) -> Given | None:
    """Draw rounds of a method's pair where one is declared, of few users; else of privacy loss distributions, which have no profiles."""
    known = _OF_OPERATION[operation]
    name = one_of(rng, [each for each in greeting.methods if each in known])
    n, rounds = users(rng, most=5), str(rng.randint(1, 3))
    local, _ = logarithm(rng, n)
    if operation == "profile":
        if name is None:
            return None
        own = {"p": rng.choice(["1/2", "2/3", "9/10"])} if name == "zero-sum" else {"epsilon0": local}
        asked = [f"ln {rng.choice(SIMPLE[:8])}" if rng.random() < 0.7 else rng.choice(["0", "1/10"]) for _ in range(rng.randint(1, 4))]
        return {"method": name, "n": str(n), **own, "epsilons": ",".join(asked)}
    ending = {"order": rng.choice(["2", "3", "3/2", "10"]), "rounds": rounds}
    if operation == "compose":
        ending = {"rounds": rounds, rng.choice(["epsilon", "epsilon", "delta"]): ""}
        ending |= {"epsilon": f"ln {rng.choice(SIMPLE[:8])}"} if "epsilon" in ending else {"delta": probability(rng)}
    if name is None or (rng.random() < 0.5 and ("epsilon" in ending or operation != "compose")):
        if operation == "compose" and "epsilon" not in ending:
            return None
        laws = [_losses(rng, whole=operation != "compose") for _ in range(rng.choice([1, 1, 2]))]
        own = {"ratios": " ".join(ratios for ratios, _ in laws), "masses": " ".join(masses for _, masses in laws)}
        return {**({"rule": "losses"} if operation == "compose" else {}), **own, **ending}
    return {**({"rule": "shuffled"} if operation == "compose" else {}), "method": name, "n": str(n), "epsilon0": local, **ending}


def _losses(rng: random.Random, *, whole: bool) -> tuple[str, str]:
    """Ratios and masses of a pair of distributions on a few outcomes; not whole: now and then an outcome has none of the second."""
    ratio = Fraction(rng.choice(SIMPLE[:8]))
    p = ratio / (1 + ratio)
    lost = Fraction(0) if whole or rng.random() < 0.5 else Fraction(1, rng.choice([4, 10, 10**6]))
    return f"{ratio},{1 / ratio}", f"{p * (1 - lost)},{(1 - p) * (1 - lost)}"


_SIZED: Mapping[str, Callable[[random.Random], Given]] = {
    **{name: lambda rng: {} for name, record in NAMED.items() if not record.needs()},
    "krr": lambda rng: {"k": str(rng.randint(2, 12))},
    "hadamard": lambda rng: {"k": str(rng.randint(2, 12))},
    "subset": lambda rng: {"k": (k := str(rng.randint(3, 12))), "d": str(rng.randint(1, int(k)))},
    "hash": lambda rng: {"buckets": str(rng.randint(2, 12))},
}


def sized(rng: random.Random, greeting: Greeting) -> Given | None:
    """A named randomizer that is declared, with sizes and an epsilon0."""
    name = one_of(rng, [each for each in greeting.randomizers if each in _SIZED])
    if name is None:
        return None
    return {"randomizer": name, **_SIZED[name](rng), "epsilon0": logarithm(rng, rng.randint(2, 40))[0]}


def one_of(rng: random.Random, names: Sequence[str]) -> str | None:
    """One of these names; None where there is none."""
    return rng.choice(names) if names else None


def users(rng: random.Random, *, most: int = 40) -> int:
    """A number of users, often one or two."""
    return rng.choice([1, 2, rng.randint(1, 6), rng.randint(1, most), rng.randint(1, most)])


def logarithm(rng: random.Random, n: int) -> tuple[str, Fraction]:
    """An epsilon0 as a text, and about e to it."""
    exp = Fraction(rng.choice([*SIMPLE, str(max(2, n)), str(1 + Fraction(rng.randint(1, 90), rng.randint(1, 30)))]))
    if rng.random() < 0.7:
        return f"ln {exp}", exp
    small = rng.choice(["0", "1", "1/2", "4", "1e-9", "0.1", "20", "40"])
    return small, 1 + Fraction(small) + Fraction(small) ** 2 / 2


def _often_half(rng: random.Random) -> str:
    """A probability inside of (0, 1), often 1/2."""
    return rng.choice(["1/2", str(Fraction(rng.randint(1, 19), 20))])


def probability(rng: random.Random) -> str:
    """A probability, often 0, 1 or next to nothing."""
    return rng.choice(["0", "1", "1/2", *_TINY, str(Fraction(rng.randint(1, 59), 60))])
