"""The methods that users can ask for by name, bound to the engines that carry them, which are imported when they are first asked."""

from __future__ import annotations

from collections.abc import Mapping

# Imported for what they register; listed to people in this order.
from shuffleproof.methods import clones, k_ary, protocols, randomizer_laws  # noqa: F401
from shuffleproof.registry import METHODS, carried_out, engines_for, functions, method_named
from shuffleproof.spec.vocabulary.methods.clones import BINARY_RR_PAIR
from shuffleproof.spec.vocabulary.methods.k_ary import K_RR_BLANKET, K_RR_PAIR
from shuffleproof.spec.vocabulary.methods.randomizer_laws import ANOTHER_PLACE, BLANKET, HOMOGENEOUS, RANDOMIZER_LOWER, RANDOMIZER_PAIR
from shuffleproof.spec.vocabulary.parameters import DELTA0, EPSILON0, SIGMA
from shuffleproof.spec.vocabulary.randomizers import KRR, LocalHashing, of_given

__all__ = ["METHODS", "carried_out", "comparable", "engines_for", "functions", "method_named"]


def _of_buckets(hashing: LocalHashing, named: Mapping[str, str]) -> list[tuple[str, dict[str, str]]]:
    """Hashing is kRR, on buckets, of a function of the data; and if all users have one function that tells items apart, just that."""
    told: dict[str, str] = {"k": str(hashing.buckets)}
    place = [] if hashing.family == "any" else [(ANOTHER_PLACE.name, {**named, "family": "any"})]
    rows = [*place, (K_RR_BLANKET.name, told)]
    if hashing.buckets == 2:
        return [*rows, (BINARY_RR_PAIR.name, {})]
    return [*rows, (K_RR_PAIR.name, told)] if hashing.k is None or hashing.k > 2 else rows


def comparable(named: Mapping[str, str], *, leaks: bool = False) -> list[tuple[str, dict[str, str]]]:
    """The methods that speak of one thing, each with what it takes beside n, epsilon0, delta0 and the central parameter.

    named: empty for all eps0-DP randomizers; else "randomizer" with what it needs, or "sigma" of Gaussian noise, as texts. A bound for
    all of them holds for each one, but their lower bounds do not; kRR's, here with three categories, is a lower bound for all of them.
    Each randomizer has a neighbouring pair of its own. kRR has bounds of its own; with two categories it is binary randomized response.
    leaks: for all (eps0, delta0)-DP randomizers, among which those are that eps0 is enough for.
    Raises DomainError where a randomizer is not named, or what it needs is missing.
    """
    for_all = [method for method in METHODS.values() if method.for_all]
    if leaks:
        of_both = [method for method in METHODS.values() if method.takes == (EPSILON0.name, DELTA0.name)]
        below = [method for method in for_all if method.side == "lower"]
        return [*((method.name, {}) for method in (*of_both, *below)), (K_RR_PAIR.name, {"k": "3"})]
    if not named:
        return [*((method.name, {}) for method in for_all), (K_RR_PAIR.name, {"k": "3"})]
    if SIGMA.name in named:
        return [(method.name, dict(named)) for method in METHODS.values() if method.takes == (SIGMA.name,)]
    chosen = of_given({"randomizer": "(nothing)", **named})
    rows = [(RANDOMIZER_PAIR.name, dict(named))]
    its_own = [method for method in METHODS.values() if method.of_randomizer is type(chosen)]
    rows += [(method.name, {name: named[name] for name in method.takes if name != "epsilon0"}) for method in its_own]
    binary = isinstance(chosen, KRR) and chosen.k == 2
    if not isinstance(chosen, KRR):
        rows.append((RANDOMIZER_LOWER.name, dict(named)))
    elif binary:  # for kRR it is the same pair as k-rr-pair, or binary-rr-pair
        rows = [row for row in rows if row[0] != K_RR_PAIR.name]
    in_place = () if isinstance(chosen, KRR) else (ANOTHER_PLACE,)
    of_any = isinstance(chosen, LocalHashing) and chosen.family == "any"
    whole = (ANOTHER_PLACE, HOMOGENEOUS) if of_any else (BLANKET, *in_place, HOMOGENEOUS)
    rows += [(method.name, dict(named)) for method in whole]
    if isinstance(chosen, LocalHashing) and chosen.family != "uniform":
        rows += _of_buckets(chosen, named)
    return rows + [(method.name, {}) for method in for_all if method.side == "upper" or (binary and method is BINARY_RR_PAIR)]
