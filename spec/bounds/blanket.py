"""The privacy blanket of a randomizer by its whole law, exactly: an upper bound over all neighbouring datasets (BEYOND.any-law-above)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from shuffleproof.spec.bounds.exact_pair import enumerable, exact_value, rational_exp
from shuffleproof.spec.bounds.one_sum import Kind, blanket_kinds, kinds, profile
from shuffleproof.spec.bounds.optimal_parameters import LARGEST_LAW, finite_law, half_power
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.local_hashing import local_hashing
from shuffleproof.spec.randomizers.rappor import asymmetric_rappor, rappor
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.methods import BLANKET
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, epsilon0_parameter, parse_epsilon, probability
from shuffleproof.spec.vocabulary.randomizers import named

LARGEST_N = 40
_MOST_MESSAGES = 1 << 12


def kinds_of_named(name: str, T: Fraction, own: dict[str, int]) -> list[tuple[Kind, ...]]:
    """For every pair of inputs of a named randomizer its kinds against the blanket, each once. T: e^epsilon0.

    Where k is not given any number of items is meant: then some item of another user's is not preferred by a report, whatever the report,
    and the blanket is the least that a report's law can be. Raises UnsupportedError, ResourceLimitError.
    """
    if name == "laplace":
        advice = 'use engine "ball" or "fast", or randomizer-pair'
        raise UnsupportedError(what="the whole law of 'laplace' in exact arithmetic", reason="it is continuous", advice=advice)
    if name in ("krr", "subset", "hadamard"):
        return blanket_kinds(finite_law(name, T, own))
    if "k" in own:
        return blanket_kinds(of_items(name, T, own, own["k"]))
    two = of_items(name, T, own, 2)
    first, second = (dict(two.law(x).items()) for x in two.domain)
    cover = {y: min(first[y], second[y]) for y in two.messages}
    for y in two.messages:
        prefers = [y[0][x] == y[1] if name == "hash" else bool(y[x]) for x in (0, 1)]
        if all(prefers):  # T times as likely for an item that is preferred as for one that is not
            cover[y] /= T
    return [kinds(first, second, cover)]


def of_items(name: str, T: Fraction, own: dict[str, int], k: int) -> LocalRandomizer[int, Any]:
    """RAPPOR, asymmetric RAPPOR or hashing with uniform functions, with k items. Raises UnsupportedError, ResourceLimitError."""
    messages = own["buckets"] ** (k + 1) if name == "hash" else 2**k
    if messages > _MOST_MESSAGES or k * messages > 4 * LARGEST_LAW:
        limit = f'{_MOST_MESSAGES} messages (engine "ball" has closed forms)'
        raise ResourceLimitError(what=f"the law of {name!r}", needed=f"{k} inputs times {messages} messages", limit=limit)
    if name == "hash":
        return local_hashing(k=k, buckets=own["buckets"], exp_epsilon0=T)
    return rappor(k=k, exp_half_epsilon0=half_power(T, name)) if name == "rappor" else asymmetric_rappor(k=k, exp_epsilon0=T)


def delta(
    *,
    n: Number,
    randomizer: str,
    epsilon0: Number | Epsilon,
    epsilon: Number | Epsilon,
    k: Number | None = None,
    d: Number | None = None,
    blocks: Number | None = None,
    buckets: Number | None = None,
) -> Bound:
    """delta of the sum over the blanket at epsilon, the largest over all pairs of inputs and both directions, exact.

    n: users, 1 to 40, where the sums are few; randomizer: a name of spec.vocabulary.randomizers but "laplace", with k, d, blocks, buckets
    as it needs them; where k may be left out it then stands for any number of items; hash functions are uniform. epsilon0 in [0, 10000]
    and epsilon >= 0 with rational exponential, for "rappor" the square of a rational.
    Returns a Bound of side "exact" whose claim is an upper bound: for all neighbouring datasets (BEYOND.any-law-above).
    Raises DomainError, UnsupportedError, ResourceLimitError.
    """
    chosen, own = named(randomizer, k=k, d=d, blocks=blocks, buckets=buckets)
    users, local, central = enumerable(n, LARGEST_N), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    T, E = rational_exp(local, "epsilon0"), rational_exp(central, "epsilon")
    value = max(profile(n=users, kinds=each).delta(exp_epsilon=E) for each in kinds_of_named(chosen.name, T, own))
    inputs = as_given(n=n, randomizer=randomizer, k=k, d=d, blocks=blocks, buckets=buckets, eps0=epsilon0, eps=epsilon)
    return exact_value(BLANKET, "delta", value, inputs=inputs)


def epsilon(
    *,
    n: Number,
    randomizer: str,
    epsilon0: Number | Epsilon,
    delta: Number,
    k: Number | None = None,
    d: Number | None = None,
    blocks: Number | None = None,
    buckets: Number | None = None,
) -> Bound:
    """Least epsilon at which that delta is at most delta, exact.

    n and the randomizer: as for `delta`; delta in [0, 1].
    Returns a Bound of side "exact" whose claim is an upper bound: for all neighbouring datasets (BEYOND.any-law-above).
    Raises DomainError, UnsupportedError, ResourceLimitError.
    """
    chosen, own = named(randomizer, k=k, d=d, blocks=blocks, buckets=buckets)
    users, local, target = enumerable(n, LARGEST_N), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    T = rational_exp(local, "epsilon0")
    found = [profile(n=users, kinds=each).exp_epsilon(delta=target) for each in kinds_of_named(chosen.name, T, own)]
    inputs = as_given(n=n, randomizer=randomizer, k=k, d=d, blocks=blocks, buckets=buckets, eps0=epsilon0, delta=delta)
    values = [each for each in found if each is not None]
    assert len(values) == len(found)  # the named randomizers have one support
    return exact_value(BLANKET, "epsilon", max(values), inputs=inputs)
