"""Parameters drawn at random for the cross-checks, by what a method takes: small and rational for exact arithmetic, large for float64.

A method that two engines carry and whose parameters nobody can draw is a failure of the cross-checks: `small` and `large` say so.
"""

import math
import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from shuffleproof.methods import carried_out
from shuffleproof.spec.vocabulary.bound import Quantity
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import CLONES, K_RR_EXHAUSTIVE, STRONGER_CLONES
from shuffleproof.spec.vocabulary.methods.protocols import ASYMMETRIC_SUMS, BIT_SUM, COORDINATE_SUMS
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import (
    BLANKET,
    HOMOGENEOUS,
    LEAKING_RESPONSE,
    OPTIMAL_PAIR,
    RANDOMIZER_PAIR,
)
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import INFINITE, parse_epsilon, probability
from shuffleproof.spec.vocabulary.randomizers import NAMED

Parameters = dict[str, Any]
Draw = Callable[[random.Random, Method, Quantity], Parameters]
_WHOLE_RANGE_TO = 10**4
"""Up to this n every epsilon below eps0 is drawn, above it only where delta >= 1e-299: to certify a delta of 1e-1000000 is slow."""


def small(drawn: random.Random, method: Method, quantity: Quantity) -> Parameters:
    """Parameters that exact arithmetic answers. Raises LookupError where none can be drawn."""
    return _found(_SMALL, method)(drawn, method, quantity)


def large(drawn: random.Random, method: Method, quantity: Quantity) -> Parameters:
    """Parameters over the whole stated range of float64. Raises LookupError where none can be drawn."""
    return _found(_LARGE, method)(drawn, method, quantity)


def _found(draws: Mapping[tuple[str, ...], Draw], method: Method) -> Draw:
    if method.takes not in draws:
        raise LookupError(f"nobody draws parameters for the cross-checks of {method.name!r}, which takes {' and '.join(method.takes)}")
    return draws[method.takes]


def _share(drawn: random.Random) -> Fraction:
    return Fraction(1, 10 ** drawn.randint(0, 12)) * Fraction(drawn.randint(0, 60), 60)


def _central(drawn: random.Random, quantity: Quantity, largest: Fraction) -> Parameters:
    """delta, or epsilon up to a little more than ln(largest)."""
    if quantity == "epsilon":
        return {"delta": _share(drawn)}
    return {"epsilon": parse_epsilon(f"ln {1 + (largest - 1) * Fraction(drawn.randint(0, 66), 60)}")}


def _local(drawn: random.Random) -> Fraction:
    return 1 + Fraction(drawn.randint(0, 400), drawn.randint(1, 60))


def _small_local(drawn: random.Random, _: Method, quantity: Quantity) -> Parameters:
    n, local = drawn.randint(1, 40), _local(drawn)
    return {"n": n, "epsilon0": parse_epsilon(f"ln {local}"), **_central(drawn, quantity, local)}


def _small_approximate(drawn: random.Random, method: Method, quantity: Quantity) -> Parameters:
    own = _small_local(drawn, method, quantity)
    delta0 = _share(drawn) / 10
    if quantity == "epsilon":  # below delta0 no epsilon is enough
        own["delta"] = delta0 + (1 - delta0) * own["delta"]
    return {**own, "delta0": delta0}


def _small_k_ary(drawn: random.Random, method: Method, quantity: Quantity) -> Parameters:
    local, of_two = _local(drawn), method is K_RR_EXHAUSTIVE  # beyond two items there is no other engine
    n, k = (drawn.randint(1, 6), 2) if of_two else (drawn.randint(1, 16), drawn.randint(3, 12))
    own = {"n": n, "k": k, "epsilon0": parse_epsilon(f"ln {local}")}
    return {**own, **_central(drawn, quantity, local)}


def _small_noise(drawn: random.Random, _: Method, quantity: Quantity) -> Parameters:
    n, p = drawn.randint(1, 40), Fraction(drawn.randint(1, 59), 60)
    if quantity == "delta":
        central = 1 + Fraction(drawn.randint(0, 400), drawn.randint(1, 60))
        return {"n": n, "p": p, "epsilon": parse_epsilon(f"ln {central}")}
    floor = p**n + (1 - p) ** n  # at least what gives the dataset away: below that no epsilon is enough
    floor = min(Fraction(1), floor)
    return {"n": n, "p": p, "delta": floor + (1 - floor) * _share(drawn)}


def _small_bits(drawn: random.Random, method: Method, quantity: Quantity) -> Parameters:
    several = "r" in method.takes
    n = drawn.randint(1, 4 if several else 12)
    lam = Fraction(drawn.randint(1, 59), 60) * n
    own = {"n": n, "lam": lam, **({"r": drawn.randint(1, 3)} if several else {})}
    return {**own, **_central(drawn, quantity, (2 * n - lam) / lam)}


def _small_coordinates(drawn: random.Random, _: Method, quantity: Quantity) -> Parameters:
    changed, local = drawn.randint(1, 2), (1 + Fraction(drawn.randint(1, 120), 60)) ** 2  # two coordinates take a root
    own = {"n": drawn.randint(1, 5), "changed": changed, "epsilon0": parse_epsilon(f"ln {local}")}
    return {**own, **_central(drawn, quantity, local)}


def _small_fakes(drawn: random.Random, method: Method, quantity: Quantity) -> Parameters:
    own = _small_noise(drawn, method, quantity)
    fakes = min(own["n"], 12)
    if quantity == "epsilon":  # below the probability that a bin with one count gives the data away no epsilon is enough
        own["delta"] = max(own["delta"], own["p"] ** fakes + (1 - own["p"]) ** fakes)
    return {**own, "n": drawn.randint(1, 9), "fakes": fakes, **({"delta": min(own["delta"], Fraction(1))} if "delta" in own else {})}


def _small_laplace(drawn: random.Random, _: Method, quantity: Quantity) -> Parameters:
    sensitivity, unit = drawn.randint(1, 6), 1 + Fraction(drawn.randint(1, 60), 60)
    local = unit**sensitivity
    own = {"n": drawn.randint(1, 5), "sensitivity": sensitivity, "epsilon0": parse_epsilon(f"ln {local}")}
    return {**own, **_central(drawn, quantity, local)}


def _large_laplace(drawn: random.Random, _: Method, quantity: Quantity) -> Parameters:
    sensitivity, local = round(10 ** drawn.uniform(0, 6)), Fraction(round(10 ** drawn.uniform(1, 4)), 1000)
    own = {"n": drawn.randint(1, 10**6), "sensitivity": sensitivity, "epsilon0": local}
    if quantity == "epsilon":
        return {**own, "delta": Fraction(round(10 ** drawn.uniform(0, 6)), 10**7)}
    return {**own, "epsilon": local * Fraction(drawn.randint(0, 59), 60)}


def _small_coins(drawn: random.Random, method: Method, quantity: Quantity) -> Parameters:
    n, coins, s = drawn.randint(1, 4), drawn.randint(1, 6), drawn.randint(1, 3)
    found = _small_noise(drawn, method, quantity)
    if quantity == "epsilon":  # below the probability of less heads, or tails, than s no epsilon is enough
        found["delta"] = Fraction(1) if s > n * coins else Fraction(drawn.randint(1, 9), 10) if s < n * coins / 2 else Fraction(1)
        p = min(found["p"], 1 - found["p"])
        floor = sum((math.comb(n * coins, z) * p**z * (1 - p) ** (n * coins - z) for z in range(s)), Fraction(0))
        found["delta"] = max(found["delta"], min(Fraction(1), floor + Fraction(1, 1000)))
    return {**found, "n": n, "sensitivity": s, "coins": coins}


def _small_gaussians(drawn: random.Random, _: Method, quantity: Quantity) -> Parameters:
    own = {"n": drawn.randint(1, 3), "sensitivity": drawn.randint(1, 4), "variance": Fraction(drawn.randint(1, 90), 30)}
    if quantity == "epsilon":
        return {**own, "delta": Fraction(1, 10 ** drawn.randint(0, 9)) * Fraction(drawn.randint(1, 60), 60)}
    return {**own, "epsilon": parse_epsilon(f"ln {1 + Fraction(drawn.randint(0, 400), drawn.randint(1, 60))}")}


def _large_coins(drawn: random.Random, _: Method, quantity: Quantity) -> Parameters:
    n, coins, p = drawn.randint(100, 10**4), drawn.randint(1, 30), Fraction(drawn.randint(20, 40), 60)
    s = drawn.randint(1, 1 + math.isqrt(n * coins) // 8)
    own = {"n": n, "sensitivity": s, "coins": coins, "p": p}
    if quantity == "epsilon":
        return {**own, "delta": Fraction(10) ** drawn.randint(-9, -1)}
    return {**own, "epsilon": Fraction(drawn.randint(0, 60 * s), 10 * math.isqrt(n * coins))}


def _large_gaussians(drawn: random.Random, _: Method, quantity: Quantity) -> Parameters:
    n, variance, s = drawn.randint(1, 10**5), Fraction(drawn.randint(150, 900), 100), drawn.randint(1, 300)
    own = {"n": n, "sensitivity": s, "variance": variance}
    if quantity == "epsilon":
        return {**own, "delta": Fraction(10) ** drawn.randint(-12, -1)}
    shift = Fraction(s / math.sqrt(n * variance)).limit_denominator(10**4)  # of the sum, in standard deviations
    return {**own, "epsilon": min(shift * Fraction(drawn.randint(0, 40), 10) + shift**2 / 2, Fraction(100))}


def _large_fakes(drawn: random.Random, _: Method, quantity: Quantity) -> Parameters:
    fakes = drawn.randint(100, 10**4)
    own = {"n": drawn.randint(1, 9), "fakes": fakes, "p": Fraction(drawn.randint(15, 45), 60)}
    if quantity == "epsilon":
        return {**own, "delta": Fraction(10) ** drawn.randint(-9, -1)}
    return {**own, "epsilon": Fraction(drawn.randint(0, 300), math.isqrt(fakes * 100))}


def _small_shares(drawn: random.Random, method: Method, quantity: Quantity) -> Parameters:
    own = _small_laplace(drawn, method, "delta" if quantity == "delta" else "epsilon")
    own |= {"messages": drawn.randint(3, 12), "modulus": drawn.randint(2, 40)}
    if quantity == "epsilon":  # below the distance of the shares no epsilon is shown to be enough
        own["delta"] = Fraction(1) if drawn.random() < 0.2 or own["n"] > 1 else own["delta"]
    return own


def _large_shares(drawn: random.Random, method: Method, quantity: Quantity) -> Parameters:
    own = _large_laplace(drawn, method, quantity)
    local = Fraction(drawn.randint(1, 30), 10)
    own |= {"n": drawn.randint(20, 120), "messages": drawn.randint(20, 40), "modulus": 2 ** drawn.randint(1, 40), "epsilon0": local}
    return {**own, "epsilon": local * Fraction(drawn.randint(0, 59), 60)} if quantity == "delta" else own


def _small_pair(drawn: random.Random, _: Method, quantity: Quantity) -> Parameters:
    p, q = 1 + Fraction(drawn.randint(1, 240), 60), 1 + Fraction(drawn.randint(1, 240), 60)
    beta = min((p - 1) / (p + 1), q - 1) * Fraction(drawn.randint(1, 60), 60)
    return {"n": drawn.randint(1, 10), "p": p, "beta": beta, "q": q, **_central(drawn, quantity, p)}


_SIZES: Mapping[str, Callable[[random.Random, Mapping[str, Any]], int | Fraction]] = {
    "k": lambda drawn, _: drawn.randint(3, 6),
    "d": lambda drawn, own: drawn.randint(1, own["k"] - 1),
    "buckets": lambda drawn, _: drawn.randint(2, 4),
    "p_other": lambda drawn, _: Fraction(drawn.randint(1, 19), 20),
}


def _named(drawn: random.Random) -> NamedRandomizer:
    """A named randomizer with few items, messages and buckets. Raises LookupError where it needs a size that nobody draws."""
    chosen, own = NAMED[drawn.choice([*NAMED])], dict[str, Any]()
    for name in chosen.needs():
        if name not in _SIZES:
            raise LookupError(f"nobody draws {name!r} of {chosen.name!r} for the cross-checks")
        own[name] = _SIZES[name](drawn, own)
    return chosen(**own)


def _small_named(drawn: random.Random, _: Method, quantity: Quantity) -> Parameters:
    local = (1 + Fraction(drawn.randint(1, 120), 60)) ** 2  # RAPPOR and Laplace noise take a root
    return {
        "n": drawn.randint(1, 7),
        "randomizer": _named(drawn),
        "epsilon0": parse_epsilon(f"ln {local}"),
        **_central(drawn, quantity, local),
    }


def _large_local(drawn: random.Random, method: Method, quantity: Quantity) -> Parameters:
    n = max(1, round(10 ** drawn.uniform(0, 9)))
    local = Fraction(round(drawn.choice([drawn.uniform(0, 3), drawn.uniform(0, 12), drawn.uniform(0, 700)]), 6)).limit_denominator(10**6)
    if quantity == "epsilon":
        exponent = drawn.choice([drawn.uniform(-12, 0), drawn.uniform(-300, 0)])
        return {"n": n, "epsilon0": local, "delta": probability(f"1e{math.floor(exponent)}", parameter="delta")}
    # Near the two ends of the range, and in between on both scales: where the profile is flat, steep, and vanishing.
    share = Fraction(drawn.choice([10 ** drawn.uniform(-9, 0), drawn.uniform(0, 1), 1 - 10 ** drawn.uniform(-9, -1)]))
    top = local if n <= _WHOLE_RANGE_TO else carried_out(method, "fast", "epsilon")(n=n, epsilon0=local, delta="1e-299").upper
    return {"n": n, "epsilon0": local, "epsilon": (top * share).limit_denominator(10**12)}


def _large_pair(drawn: random.Random, _: Method, quantity: Quantity) -> Parameters:
    """p finite or not; beta up to the largest that p and q allow, and often just that."""
    n, ratio = round(10 ** drawn.uniform(0, 3)), Fraction(round(1 + math.exp(drawn.uniform(-6, 6)), 6)).limit_denominator(10**6)
    infinite = drawn.random() < 0.2
    p = INFINITE if infinite else ratio
    q = 1 + Fraction(round(math.exp(drawn.uniform(-4, 3)), 6)).limit_denominator(10**6)
    largest = min(Fraction(1) if infinite else (ratio - 1) / (ratio + 1), q - 1)
    beta = largest * drawn.choice([Fraction(1), Fraction(drawn.randint(1, 60), 60)])
    own = {"n": n, "p": p, "beta": beta, "q": q}
    if quantity == "delta":
        top = Fraction(math.log(max(n, 2) if infinite else ratio) * drawn.choice([10 ** drawn.uniform(-9, 0), drawn.uniform(0, 1.01)]))
        return {**own, "epsilon": top.limit_denominator(10**12)}
    floor = beta if infinite else Fraction(0)  # from the probability that the special report has infinite privacy loss on
    share = Fraction(10) ** math.floor(drawn.choice([drawn.uniform(-12, 0), drawn.uniform(-100, 0)]))
    return {**own, "delta": floor + (1 - floor) * share}


def _large_binary(drawn: random.Random, _: Method, quantity: Quantity) -> Parameters:
    own = {"n": round(10 ** drawn.uniform(0, 3.5)), "k": 2}
    local = Fraction(round(math.exp(drawn.uniform(-4, 2.5)), 6)).limit_denominator(10**6)
    if quantity == "epsilon":
        return {**own, "epsilon0": local, "delta": Fraction(10) ** math.floor(drawn.uniform(-20, 0))}
    share = Fraction(drawn.choice([10 ** drawn.uniform(-6, 0), drawn.uniform(0, 1.01)])).limit_denominator(10**9)
    return {**own, "epsilon0": local, "epsilon": local * share}


def _large_coordinates(drawn: random.Random, _: Method, quantity: Quantity) -> Parameters:
    changed = drawn.choice([1, 1, 2])  # two coordinates take balls a while
    n, local = (
        round(10 ** drawn.uniform(0, 3 if changed == 1 else 1.7)),
        Fraction(round(math.exp(drawn.uniform(-3, 2)), 6)).limit_denominator(10**6),
    )
    own = {"n": n, "changed": changed, "epsilon0": local}
    if quantity == "epsilon":
        return {**own, "delta": Fraction(10) ** math.floor(drawn.uniform(-12, 0))}
    return {**own, "epsilon": local * Fraction(drawn.uniform(0, 1.01)).limit_denominator(10**6)}


def _large_bits(drawn: random.Random, _: Method, quantity: Quantity) -> Parameters:
    n = round(10 ** drawn.uniform(0, 3.5))
    lam = n * Fraction(round(drawn.choice([drawn.uniform(0.01, 0.99), 10 ** drawn.uniform(-3, 0)]), 6)).limit_denominator(10**6)
    if quantity == "epsilon":
        return {"n": n, "lam": lam, "delta": Fraction(10) ** math.floor(drawn.choice([drawn.uniform(-12, 0), drawn.uniform(-60, 0)]))}
    top = Fraction(math.log(2 * n / lam - 1) * drawn.choice([10 ** drawn.uniform(-6, 0), drawn.uniform(0, 1.01)]))
    return {"n": n, "lam": lam, "epsilon": top.limit_denominator(10**9)}


def _large_named(drawn: random.Random, _: Method, quantity: Quantity) -> Parameters:
    local = Fraction(round(math.exp(drawn.uniform(-6, 2)), 6)).limit_denominator(10**6)
    own = {"n": round(10 ** drawn.uniform(0, 3)), "randomizer": _named(drawn), "epsilon0": local}
    if quantity == "delta":
        return {
            **own,
            "epsilon": local * Fraction(drawn.choice([10 ** drawn.uniform(-9, 0), drawn.uniform(0, 1.01)])).limit_denominator(10**9),
        }
    return {**own, "delta": Fraction(10) ** math.floor(drawn.choice([drawn.uniform(-12, 0), drawn.uniform(-100, 0)]))}


def _large_approximate(drawn: random.Random, _: Method, quantity: Quantity) -> Parameters:
    local = Fraction(round(math.exp(drawn.uniform(-3, 1.5)), 6)).limit_denominator(10**6)
    leak = Fraction(drawn.randint(0, 9), 10 ** drawn.randint(1, 20))
    own: Parameters = {"n": round(10 ** drawn.uniform(0, 3)), "epsilon0": local, "delta0": leak}
    if quantity == "delta":
        return {**own, "epsilon": local * Fraction(drawn.randint(0, 66), 60)}
    share = Fraction(10) ** math.floor(drawn.uniform(-12, 0))
    return {**own, "delta": leak + (1 - leak) * share}


_LOCAL = CLONES.takes
_SMALL: Mapping[tuple[str, ...], Draw] = {
    _LOCAL: _small_local,
    ("epsilon0", "delta0"): _small_approximate,
    ("k", "epsilon0"): _small_k_ary,
    ("p",): _small_noise,
    ("changed", "epsilon0"): _small_coordinates,
    ("sensitivity", "epsilon0"): _small_laplace,
    ("sensitivity", "coins", "p"): _small_coins,
    ("sensitivity", "variance"): _small_gaussians,
    ("messages", "modulus", "sensitivity", "epsilon0"): _small_shares,
    ("fakes", "p"): _small_fakes,
    ("lam",): _small_bits,
    ("lam", "r"): _small_bits,
    ("p", "beta", "q"): _small_pair,
    ("randomizer", "epsilon0"): _small_named,
}
_LARGE: Mapping[tuple[str, ...], Draw] = {
    _LOCAL: _large_local,
    ("k", "epsilon0"): _large_binary,
    ("changed", "epsilon0"): _large_coordinates,
    ("sensitivity", "epsilon0"): _large_laplace,
    ("sensitivity", "coins", "p"): _large_coins,
    ("sensitivity", "variance"): _large_gaussians,
    ("messages", "modulus", "sensitivity", "epsilon0"): _large_shares,
    ("fakes", "p"): _large_fakes,
    ("lam",): _large_bits,
    ("epsilon0", "delta0"): _large_approximate,
    ("p", "beta", "q"): _large_pair,
    ("randomizer", "epsilon0"): _large_named,
}
SHARES: Mapping[str, int] = {CLONES.name: 12, STRONGER_CLONES.name: 12, OPTIMAL_PAIR.name: 6, RANDOMIZER_PAIR.name: 6}
"""How many turns a method has in a cycle of cases against float64, where not one."""
MOST_DIGITS: Mapping[str, int] = {
    ASYMMETRIC_SUMS.name: 3,
    BIT_SUM.name: 3,
    COORDINATE_SUMS.name: 3,
    K_RR_EXHAUSTIVE.name: 3,
    BLANKET.name: 3,
    HOMOGENEOUS.name: 3,
    LEAKING_RESPONSE.name: 3,
}
"""How many digits balls are asked for at most, of a method that settles few."""
