"""A named randomizer by its whole law, exactly: above by its privacy blanket, below by datasets in which all others hold one item.

Above (BEYOND.any-law-above): for all neighbouring datasets. Below (BEYOND.any-law-below): of all inputs x_0, x_1, x_2 those are taken whose
sum of (R_0 - R_1)^2/R_(x_2) is largest, which decides when there are many users; where several share it, the larger value.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from shuffleproof.spec.bounds.exact_pair import enumerable, exact_value, rational_exp
from shuffleproof.spec.bounds.one_sum import Kind, blanket_kinds, chi_square, homogeneous_kinds, kinds, profile
from shuffleproof.spec.bounds.optimal_parameters import LARGEST_LAW, finite_law, half_power, not_finite
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.local_hashing import local_hashing
from shuffleproof.spec.randomizers.rappor import asymmetric_rappor, rappor
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import ResourceLimitError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.randomizer_laws import BLANKET, HOMOGENEOUS
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, epsilon0_parameter, parse_epsilon, probability
from shuffleproof.spec.vocabulary.randomizers import KRR, RAPPOR, AsymmetricRAPPOR, Hadamard, LocalHashing, NamedRandomizer, Subset

View = Literal["above", "below"]
METHODS: Mapping[View, Method] = {"above": BLANKET, "below": HOMOGENEOUS}
LARGEST_N = 40
_MOST_MESSAGES = 1 << 12
_THREE = 3


def against_blanket(randomizer: NamedRandomizer, T: Fraction) -> list[tuple[Kind, ...]]:
    """For every pair of inputs of a named randomizer its kinds against the blanket, each once. T: e^epsilon0.

    Where k is not given any number of items is meant: then some item of another user's is not preferred by a report, whatever the report,
    and the blanket is the least that a report's law can be. Raises UnsupportedError, ResourceLimitError.
    """
    match randomizer:
        case KRR() | Subset() | Hadamard():
            return blanket_kinds(finite_law(randomizer, T))
        case RAPPOR(k=int(k)) | AsymmetricRAPPOR(k=int(k)) | LocalHashing(k=int(k)):
            return blanket_kinds(of_items(randomizer, T, k))
    two = of_items(randomizer, T, 2)
    first, second = (dict(two.law(x).items()) for x in two.domain)
    cover = {y: min(first[y], second[y]) for y in two.messages}
    for y in two.messages:
        prefers = [y[0][x] == y[1] if isinstance(randomizer, LocalHashing) else bool(y[x]) for x in (0, 1)]
        if all(prefers):  # T times as likely for an item that is preferred as for one that is not
            cover[y] /= T
    return [kinds(first, second, cover)]


def on_homogeneous(randomizer: NamedRandomizer, T: Fraction) -> list[tuple[tuple[int, int, int], tuple[Kind, ...]]]:
    """The inputs (x_0, x_1, x_2) of a named randomizer with the largest sum of (R_0 - R_1)^2/R_(x_2), and their kinds. T: e^epsilon0.

    kRR, subsets, RAPPOR and hashing treat all items alike: three of them are enough. Raises UnsupportedError, ResourceLimitError.
    """
    match randomizer:
        case Hadamard():
            law = finite_law(randomizer, T)
        case KRR() | Subset():
            whole = finite_law(randomizer, T)
            law = LocalRandomizer(whole.domain[:_THREE], {x: whole.law(x) for x in whole.domain[:_THREE]})
        case RAPPOR(k=k) | AsymmetricRAPPOR(k=k) | LocalHashing(k=k):
            law = of_items(randomizer, T, min(k or _THREE, _THREE))
        case _:
            raise not_finite(randomizer)
    found = homogeneous_kinds(law)
    sizes = [chi_square(each) or Fraction(0) for _, each in found]
    return [row for row, size in zip(found, sizes, strict=True) if size == max(sizes)]


def of_items(randomizer: NamedRandomizer, T: Fraction, k: int) -> LocalRandomizer[int, Any]:
    """RAPPOR, asymmetric RAPPOR or hashing with uniform functions, with k items. Raises UnsupportedError, ResourceLimitError."""
    messages = randomizer.buckets ** (k + 1) if isinstance(randomizer, LocalHashing) else 2**k
    if messages > _MOST_MESSAGES or k * messages > 4 * LARGEST_LAW:
        limit = f'{_MOST_MESSAGES} messages (engine "ball" has closed forms)'
        raise ResourceLimitError(what=f"the law of {randomizer.name!r}", needed=f"{k} inputs times {messages} messages", limit=limit)
    match randomizer:
        case LocalHashing(buckets=buckets):
            return local_hashing(k=k, buckets=buckets, exp_epsilon0=T)
        case RAPPOR():
            return rappor(k=k, exp_half_epsilon0=half_power(T, randomizer.name))
        case AsymmetricRAPPOR():
            return asymmetric_rappor(k=k, exp_epsilon0=T)
    raise not_finite(randomizer)


def delta(*, n: Number, randomizer: NamedRandomizer, epsilon0: Number | Epsilon, epsilon: Number | Epsilon, view: View = "above") -> Bound:
    """delta at epsilon, exact: of the sum over the blanket, the largest over all pairs of inputs; or the one that datasets reach.

    n: users, 1 to 40, where the sums are few; randomizer: a record of spec.vocabulary.randomizers with a finite law; where k may be left
    out it then stands for any number of items, below for three or more; hash functions are uniform. epsilon0 in [0, 10000] and
    epsilon >= 0 with rational exponential, for "rappor" the square of a rational. view: "above" or "below".
    Returns a Bound of side "exact", the larger of both directions. Above its claim is an upper bound, for all neighbouring datasets; below
    a lower bound: other datasets may be worse.
    Raises DomainError, UnsupportedError, ResourceLimitError.
    """
    users, local, central = enumerable(n, LARGEST_N), epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    T, E = rational_exp(local, "epsilon0"), rational_exp(central, "epsilon")
    found = [(profile(n=users, kinds=each).delta(exp_epsilon=E), told) for told, each in _kinds(randomizer, T, view)]
    value, told = max(found, key=lambda row: row[0])
    return exact_value(METHODS[view], "delta", value, inputs={**randomizer.inputs(n=n, eps0=epsilon0, eps=epsilon), **told})


def epsilon(*, n: Number, randomizer: NamedRandomizer, epsilon0: Number | Epsilon, delta: Number, view: View = "above") -> Bound:
    """Least epsilon at which that delta is at most delta, exact.

    n, view and the randomizer: as for `delta`; delta in [0, 1]. Returns a Bound of side "exact" whose claim is as there.
    Raises DomainError, UnsupportedError, ResourceLimitError.
    """
    users, local, target = enumerable(n, LARGEST_N), epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    T = rational_exp(local, "epsilon0")
    best: tuple[Fraction, Mapping[str, str]] = (Fraction(1), {})
    for told, each in _kinds(randomizer, T, view):
        found = profile(n=users, kinds=each).exp_epsilon(delta=target)
        assert found is not None  # the named randomizers have one support
        if found >= best[0]:
            best = found, told
    inputs = {**randomizer.inputs(n=n, eps0=epsilon0, delta=delta), **best[1]}
    return exact_value(METHODS[view], "epsilon", best[0], inputs=inputs)


def _kinds(randomizer: NamedRandomizer, T: Fraction, view: View) -> list[tuple[Mapping[str, str], tuple[Kind, ...]]]:
    """Kinds, and which datasets they are of where they are of any."""
    if view == "above":
        return [({}, each) for each in against_blanket(randomizer, T)]
    return [
        ({"datasets": f"items {first} and {second}; all others hold {held}"}, each)
        for (first, second, held), each in on_homogeneous(randomizer, T)
    ]
