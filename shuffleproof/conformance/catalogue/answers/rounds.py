"""Answers about several rounds: composition of shuffled pairs and of privacy loss distributions, their Renyi divergences, profiles.

Exact where e^epsilon0 is rational and users and rounds are few; beyond that between two ends on a grid of losses.
"""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from shuffleproof.conformance.catalogue.inputs import numbers
from shuffleproof.impl.ball import rounds_on_grid
from shuffleproof.impl.ball.bounds.clones import clones as ball_clones
from shuffleproof.impl.ball.bounds.clones.clones import stronger_clones as ball_stronger_clones
from shuffleproof.impl.ball.bounds.lower import binary_rr as ball_binary_rr
from shuffleproof.impl.ball.bounds.variation_ratio import optimal_pair as ball_optimal_pair
from shuffleproof.spec import composition
from shuffleproof.spec.bounds.clones import clones
from shuffleproof.spec.bounds.clones.clones import stronger_clones
from shuffleproof.spec.bounds.lower import binary_rr
from shuffleproof.spec.distribution import Distribution, PrivacyProfile
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, require, require_one_of
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import BINARY_RR_PAIR, CLONES, STRONGER_CLONES
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import OPTIMAL_PAIR
from shuffleproof.spec.vocabulary.numerals import Epsilon, count, epsilon0_parameter, parse_epsilon, probability, renyi_order

Given = Mapping[str, str]
Ends = tuple[Fraction, Fraction]
_PAIRS: Mapping[str, Callable[..., tuple[Distribution[Any], Distribution[Any]]]] = {
    "clones": clones.dominating_pair,
    "stronger-clones": stronger_clones.dominating_pair,
    "binary-rr-pair": binary_rr.pair,
}
"""Whose rounds are composed; clones pairs are their own mirror images."""
_ON_GRID: Mapping[str, Method] = {"clones": CLONES, "stronger-clones": STRONGER_CLONES}
_RENYI: Mapping[str, tuple[Method, Callable[..., Bound]]] = {
    "clones": (CLONES, ball_clones.renyi),
    "stronger-clones": (STRONGER_CLONES, ball_stronger_clones.renyi),
    "binary-rr-pair": (BINARY_RR_PAIR, ball_binary_rr.renyi),
    "optimal-pair": (OPTIMAL_PAIR, ball_optimal_pair.renyi),
}
MOST_ROUNDS = 1000
"""Rounds that a question may have: each exact composition is of one round more."""
_MOST_ATOMS = 3000
"""Different likelihood ratios of an exact composition: its sums of fractions take seconds."""


def composed_delta(given: Given) -> Ends:
    """delta of so many rounds of a method's pair at an epsilon, equal ends where it is exact. Raises DomainError, ResourceLimitError."""
    epsilon, exact = parse_epsilon(given["epsilon"]), _exact_profile(given)
    if exact is not None:
        low, high = epsilon.exp_bounds(bits=4 * 40)
        return exact.delta(exp_epsilon=high), exact.delta(exp_epsilon=low)
    return rounds_on_grid.delta(**_asked(given), epsilon=epsilon)


def composed_epsilon(given: Given) -> tuple[Ends, Fraction | None]:
    """The least epsilon of so many rounds, and e to it where that is rational. Raises DomainError, ResourceLimitError."""
    target, exact = probability(given["delta"], parameter="delta"), _exact_profile(given)
    if exact is not None:
        found = exact.exp_epsilon(delta=target)
        assert found is not None  # both distributions of these pairs have one support
        return Epsilon(Fraction(0) if found == 1 else None, found).bounds(bits=200), found
    return rounds_on_grid.epsilon(**_asked(given), delta=target), None


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
    """Return that of a method's pair or of privacy loss distributions, of so many rounds. Raises DomainError, ResourceLimitError."""
    rounds = count(given["rounds"], parameter="rounds", maximum=10**6)
    if "method" in given:
        method, divergence = _RENYI[require_one_of(given["method"], _RENYI, parameter="method")]
        asked = {key: text for key, text in given.items() if key not in ("method", "rounds")}
        for name in asked:
            require(name in ("n", "order", *method.takes), parameter=name, value=asked[name], requirement=f"left out for {method.name}")
        for name in method.takes:
            require(name in asked, parameter=name, value="nothing", requirement=f"given for {method.name}")
        found = divergence(**asked, digits=digits)
        return rounds * found.lower, rounds * found.upper
    order = renyi_order(given["order"])
    each, _ = _loss_distributions(given, most=10**6)
    if any(sum(one.values()) < 1 for one in each):
        raise DomainError(parameter="masses", value=given["masses"], requirement="of sum 1: else the divergence is infinite")
    low, high = rounds_on_grid.renyi_of_losses(each, order=order, digits=digits)
    return rounds * low, rounds * high


def epsilons(given: Given) -> tuple[str, ...]:
    """The epsilons that a profile is asked at, each as it is written. Raises DomainError."""
    found = tuple(text.strip() for text in given["epsilons"].split(","))
    for text in found:
        parse_epsilon(text, parameter="epsilons")
    return found


def _asked(given: Given) -> dict[str, Any]:
    """Return what the grid is asked; a pair that is no mirror image of its own is not put on it."""
    if given["method"] not in _ON_GRID:
        needed = f"{given['rounds']} rounds of n = {given['n']}"
        raise ResourceLimitError(
            what=f"rounds of {given['method']}", needed=needed, limit="few users and rounds, and a rational e^epsilon0"
        )
    local, n = epsilon0_parameter(given["epsilon0"]), count(given["n"], parameter="n")
    return {"method": _ON_GRID[given["method"]], "n": n, "epsilon0": local, "rounds": count(given["rounds"], parameter="rounds")}


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
