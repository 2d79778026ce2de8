"""Answers about several rounds: composition of shuffled pairs and of privacy loss distributions, their Renyi divergences, profiles.

Exact where e^epsilon0 is rational and users and rounds are few. Beyond that every loss of the pair is moved to a grid, down for the lower
end and up for the upper one: delta of a composition is the mean of max(0, 1 - e^(epsilon - loss)) under P, which grows with every loss.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import arb, fmpz_poly

from shuffleproof.conformance.inputs import numbers
from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, exp_of, lower_end, precision, upper_end
from shuffleproof.methods import carried_out, engines_for, method_named
from shuffleproof.spec import composition
from shuffleproof.spec.bounds import binary_rr, clones, stronger_clones
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, require, require_one_of
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    count,
    epsilon0_parameter,
    parse_epsilon,
    probability,
    renyi_order,
)

Given = Mapping[str, str]
Ends = tuple[Fraction, Fraction]
_PAIRS: Mapping[str, Callable[..., tuple[Distribution[Any], Distribution[Any]]]] = {
    "clones": clones.dominating_pair,
    "stronger-clones": stronger_clones.dominating_pair,
    "binary-rr-pair": binary_rr.pair,
}
"""Whose rounds are composed; clones pairs are their own mirror images."""
MOST_ROUNDS, MOST_USERS = 1000, 300
_MOST_ATOMS = 3000
_BITS = 160
_CELLS, _MOST_CELLS = 20_000, 80_000
"""Of the losses of one round, and of all together."""


def composed_delta(given: Given) -> Ends:
    """delta of so many rounds of a method's pair at an epsilon, equal ends where it is exact. Raises DomainError, ResourceLimitError."""
    epsilon, exact = parse_epsilon(given["epsilon"]), _exact_profile(given)
    if exact is not None:
        low, high = epsilon.exp_bounds(bits=4 * 40)
        return exact.delta(exp_epsilon=high), exact.delta(exp_epsilon=low)
    sides = [_on_grid(given, up) for up in (False, True)]
    with precision(_BITS):
        order = exp_of(epsilon)
        least, most = (_ends_of(side, lambda p, q: p - order * q) for side in sides)
    return max(Fraction(0), least[0]), min(Fraction(1), most[1])


def composed_epsilon(given: Given) -> tuple[Ends, Fraction | None]:
    """The least epsilon of so many rounds, and e to it where that is rational. Raises DomainError, ResourceLimitError."""
    target, exact = probability(given["delta"], parameter="delta"), _exact_profile(given)
    if exact is not None:
        found = exact.exp_epsilon(delta=target)
        assert found is not None  # both laws of these pairs have one support
        return Epsilon(Fraction(0) if found == 1 else None, found).bounds(bits=200), found
    require(target > 0, parameter="delta", value=given["delta"], requirement="above 0 where rounds are composed on a grid")
    sides = [_on_grid(given, up) for up in (False, True)]
    with precision(_BITS):
        low, high = (_ends_of(side, lambda p, q: (p - ball(target)) / q) for side in sides)
        return (_log(low[0])[0], _log(high[1])[1]), None


def losses_delta(given: Given) -> Ends:
    """delta at an epsilon of privacy loss distributions, all of them so many times over. Raises DomainError, ResourceLimitError."""
    epsilon = parse_epsilon(given["epsilon"])
    total: dict[Fraction, Fraction] = {Fraction(1): Fraction(1)}
    finite = Fraction(1)
    each, rounds = _loss_distributions(given)
    for _ in range(rounds):
        for one in each:
            finite *= sum(one.values())
            total = _times(total, one)

    def delta(order: Fraction) -> Fraction:
        return 1 - finite + sum((mass * (1 - order / ratio) for ratio, mass in total.items() if ratio > order), Fraction(0))

    low, high = epsilon.exp_bounds(bits=4 * 40)
    return delta(high), delta(low)


def renyi_divergence(given: Given, *, digits: int) -> Ends:
    """Of a method's pair or of privacy loss distributions, of so many rounds. Raises DomainError, ResourceLimitError."""
    rounds = count(given["rounds"], parameter="rounds", maximum=10**6)
    if "method" in given:
        method = method_named(given["method"])
        require("renyi" in method.quantities, parameter="method", value=method.name, requirement="a method with Renyi divergences")
        names = {each.protocol_key: each.name for each in method.parameters}
        asked = {names.get(key, key): text for key, text in given.items() if key not in ("method", "rounds")}
        for name in asked:
            require(name in ("n", "order", *method.takes), parameter=name, value=asked[name], requirement=f"left out for {method.name}")
        assert "ball" in engines_for(method, "renyi")
        found = carried_out(method, "ball", "renyi")(**asked, digits=digits)
        return rounds * found.lower, rounds * found.upper
    order = renyi_order(given["order"])
    each, _ = _loss_distributions(given, most=10**6)
    if any(sum(one.values()) < 1 for one in each):
        raise DomainError(parameter="masses", value=given["masses"], requirement="of sum 1: else the divergence is infinite")
    with precision(4 * digits + 64):
        logs = [sum((ball(m) * ball(ratio) ** ball(order - 1) for ratio, m in one.items()), arb(0)).log() for one in each]
        if all(ratio == 1 for one in each for ratio in one):
            return Fraction(0), Fraction(0)
        low, high = ends(rounds * sum(logs, arb(0)) / ball(order - 1))
    return max(Fraction(0), low), high


def epsilons(given: Given) -> tuple[str, ...]:
    """The epsilons that a profile is asked at, each as it is written. Raises DomainError."""
    found = tuple(text.strip() for text in given["epsilons"].split(","))
    for text in found:
        parse_epsilon(text, parameter="epsilons")
    return found


def _loss_distributions(given: Given, *, most: int = MOST_ROUNDS) -> tuple[list[dict[Fraction, Fraction]], int]:
    """Each as ratio -> mass under P, and how often all of them are run."""
    ratios = [numbers(row, parameter="ratios") for row in given["ratios"].split(" ")]
    masses = [numbers(row, parameter="masses") for row in given["masses"].split(" ")]
    alike = [len(row) for row in ratios] == [len(row) for row in masses]
    require(alike, parameter="masses", value=given["masses"], requirement="one for each ratio")
    found = []
    for row, weights in zip(ratios, masses, strict=True):
        require(all(r > 0 for r in row), parameter="ratios", value=given["ratios"], requirement="above 0")
        require(all(m >= 0 for m in weights), parameter="masses", value=given["masses"], requirement="at least 0")
        require(sum(weights) <= 1, parameter="masses", value=given["masses"], requirement="of sum at most 1")
        under_q = sum((m / r for r, m in zip(row, weights, strict=True)), Fraction(0))
        require(
            under_q <= 1, parameter="masses", value=given["masses"], requirement="such that under q, divided by the ratios, they are too"
        )
        one: dict[Fraction, Fraction] = {}
        for r, m in zip(row, weights, strict=True):
            if m:
                one[r] = one.get(r, Fraction(0)) + m
        found.append(one)
    return found, count(given["rounds"], parameter="rounds", maximum=most)


def _times(one: Mapping[Fraction, Fraction], other: Mapping[Fraction, Fraction]) -> dict[Fraction, Fraction]:
    found: dict[Fraction, Fraction] = {}
    for r, m in one.items():
        for s, w in other.items():
            found[r * s] = found.get(r * s, Fraction(0)) + m * w
    if len(found) > 20 * _MOST_ATOMS:
        raise ResourceLimitError(what="a composition of losses", needed=f"{len(found)} of them", limit=f"{20 * _MOST_ATOMS}")
    return found


def _exact_profile(given: Given) -> PrivacyProfile[Any] | None:
    """That of all rounds together, where it can be enumerated; checks every parameter."""
    n, rounds = count(given["n"], parameter="n"), count(given["rounds"], parameter="rounds", maximum=MOST_ROUNDS)
    name, local = require_one_of(given["method"], _PAIRS, parameter="method"), epsilon0_parameter(given["epsilon0"])
    if local.exp is None or n > 40:
        return None
    one = _PAIRS[name](n=n, exp_epsilon0=local.exp)
    atoms = len(composition.by_likelihood_ratio(*one)[0].support)
    if math.comb(atoms + rounds - 1, min(rounds, atoms - 1)) > _MOST_ATOMS:  # multisets of ratios
        return None
    return PrivacyProfile(*composition.composed([one] * rounds))


def _on_grid(given: Given, up: bool) -> list[tuple[int, int, Fraction]]:
    """(loss in steps, mass over 2^_BITS, step) of all rounds, from the largest loss down: every loss and mass rounded to one side."""
    n, rounds = count(given["n"], parameter="n"), count(given["rounds"], parameter="rounds", maximum=MOST_ROUNDS)
    if n > MOST_USERS:
        raise ResourceLimitError(what="rounds of a pair on a grid", needed=f"n = {n}", limit=f"n = {MOST_USERS}")
    local = epsilon0_parameter(given["epsilon0"])
    span = local.bounds(bits=64)[1]
    require(span <= 50, parameter="epsilon0", value=given["epsilon0"], requirement="at most 50 where rounds are composed on a grid")
    cells = min(_CELLS, _MOST_CELLS // (2 * rounds))
    step = Fraction(math.ceil(max(span, Fraction(1, 10**6)) * 2**40 / cells), 2**40)
    one: dict[int, int] = {}
    with precision(_BITS + 64):
        for p, loss in _atoms(given["method"], n, local):
            low, high = ends(loss)
            at = math.ceil(high / step) if up else math.floor(low / step)
            mass = math.ceil(upper_end(p) * 2**_BITS) if up else max(0, math.floor(lower_end(p) * 2**_BITS))
            one[at] = one.get(at, 0) + mass
    least = min(one)
    first = fmpz_poly([one.get(least + i, 0) for i in range(max(one) - least + 1)])
    result: fmpz_poly | None = None
    power = first
    for bit in bin(rounds)[:1:-1]:
        if bit == "1":
            result = power if result is None else _product(result, power, up)
        power = _product(power, power, up) if power.degree() <= _MOST_CELLS else power  # beyond that it is not needed
    assert result is not None
    masses = [int(mass) for mass in result.coeffs()]
    return [(rounds * least + i, masses[i], step) for i in range(len(masses) - 1, -1, -1) if masses[i]]


def _product(one: fmpz_poly, other: fmpz_poly, up: bool) -> fmpz_poly:
    return fmpz_poly([-(-int(mass) >> _BITS) if up else int(mass) >> _BITS for mass in (one * other).coeffs()])


def _ends_of(grid: Sequence[tuple[int, int, Fraction]], value: Callable[[arb, arb], arb]) -> Ends:
    """The ends of the largest of value(P, Q) over the events "loss of at least so many steps above 0": the best one is among them."""
    in_p, in_q = 0, arb(0)
    largest: arb | None = None
    for loss, mass, step in grid:
        if loss <= 0:
            break
        in_p += mass
        in_q += mass * (-ball(step * loss)).exp()
        now = value(arb(in_p) / 2**_BITS, in_q / 2**_BITS)
        if largest is None or now > largest:
            largest = now
        elif not now < largest:
            largest = now.max(largest)
    return (Fraction(0), Fraction(0)) if largest is None else ends(largest)


def _log(x: Fraction) -> Ends:
    return ends(ball(x).log()) if x > 1 else (Fraction(0), Fraction(0))


def _atoms(method: str, n: int, local: Epsilon) -> Iterator[tuple[arb, arb]]:
    """(mass under P, loss) of every outcome of the pair of FMT21, Theorem 3.2, with its clone probability, or of shuffled 2RR."""
    T = exp_of(local)
    if method == "binary-rr-pair":
        raise ResourceLimitError(what="rounds of the binary pair", needed="a grid in two directions", limit="few users and rounds")
    clone = 1 / T if method == "clones" else 2 / (T + 1)
    for c in range(n):
        weight = math.comb(n - 1, c) * clone**c * (1 - clone) ** (n - 1 - c) / arb(2) ** c / (T + 1)
        for a in range(c + 2):
            b = c + 1 - a
            yield weight * (T * (math.comb(c, a - 1) if a else 0) + math.comb(c, a)), ((T * a + b) / (a + T * b)).log()
