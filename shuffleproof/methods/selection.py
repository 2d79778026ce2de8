"""Which methods speak of what is asked about, and with which parameters: `compare`, the objects and the default choice all ask here.

A method speaks of a question if it takes what was given, and its scope covers what the question is about (or, from below, lies within it).
A new method needs nothing here unless what it says is said by another one already.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shuffleproof.methods import METHODS
from shuffleproof.spec.vocabulary.bound import Quantity
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import BINARY_RR_PAIR, K_RR_BLANKET, K_RR_PAIR
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import ANOTHER_PLACE, BLANKET, RANDOMIZER_LOWER
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.parameters import BETA, CENTRAL, DELTA0, EPSILON0, RATIO, Given, N, Value
from shuffleproof.spec.vocabulary.randomizers import K_RR, RANDOMIZER, SIZES, canonical_name, completed, is_hashing, is_k_rr, of_given
from shuffleproof.spec.vocabulary.scope import Mechanisms

if TYPE_CHECKING:
    from shuffleproof.spec.randomizers.local_hashing import LocalHashing

_CENTRAL = {each.name for each in CENTRAL.values()}
_SIZE_NAMES = {each.name for each in SIZES}
_WORST_ITEMS = 3
"""Items of the randomized response that is among the worst of all eps0-DP randomizers from some hundred users on; of four it says less."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Speaking:
    """A method that speaks of what is asked about.

    parameters: what it is asked with, n and the central parameter among them if they were given; translated: whether it is asked about
    another randomizer, whose bound holds for this one; again: whether another of these methods says what it says, so that it is not shown
    beside that one.
    """

    method: Method
    parameters: Mapping[str, Value]
    translated: bool = False
    again: bool = False


def speaking_of(parameters: Given, quantity: Quantity | None = None) -> list[Speaking]:
    """The methods that speak of what these parameters are about; those that speak of every randomizer last, where one is named.

    parameters: what is known beside n and the central parameter, these too if quantity is given: then methods that answer it are meant.
    Raises DomainError where a randomizer is not named, or what it needs is missing.
    """
    parameters = completed(parameters)
    randomizer = of_given(parameters) if RANDOMIZER.name in parameters else None
    about = asked_about(parameters)
    own: list[Speaking] = []
    for_all: list[Speaking] = []
    for method in METHODS.values():
        given = _asked_with(method, quantity, parameters)
        if given is not None and _of_rank(method, about) and not _says_nothing(method, randomizer):
            again = method is RANDOMIZER_LOWER and is_k_rr(randomizer)
            (for_all if method.for_all and randomizer is not None else own).append(Speaking(method=method, parameters=given, again=again))
    return [*own, *_translated(parameters, quantity, randomizer, about), *for_all]


def asked_about(parameters: Given) -> Mechanisms:
    """The mechanisms that a question without a method is about: the widest scope that its parameters name."""
    if RATIO.name in parameters and BETA.name in parameters:
        return Mechanisms.RATIOS_ADAPTIVE
    if (
        RANDOMIZER.name in parameters
        or EPSILON0.name not in parameters
        or parameters.keys() - {N.name, EPSILON0.name, DELTA0.name, *_CENTRAL}
    ):
        return Mechanisms.ONE
    return Mechanisms.LEAKING_ADAPTIVE if DELTA0.name in parameters else Mechanisms.EVERY_ADAPTIVE


def on_buckets(parameters: Given, hashing: LocalHashing) -> dict[str, Value]:
    """The question about randomized response on the buckets: hashing is that, of a function of the data.

    So upper bounds for it, of any functions, hold for hashing; and all users may have one function that separates items
    (`tells_buckets_apart`), so lower bounds hold for the worst family of functions.
    """
    rest = {name: value for name, value in parameters.items() if name not in _SIZE_NAMES}
    return {**rest, RANDOMIZER.name: K_RR, "k": hashing.buckets}


def tells_buckets_apart(hashing: LocalHashing) -> bool:
    """Return whether there are items enough for the neighbours of k-RR's pair on the buckets: a third one if there is a third bucket."""
    return hashing.buckets == 2 or hashing.k is None or hashing.k > 2


def _asked_with(method: Method, quantity: Quantity | None, parameters: Given) -> dict[str, Value] | None:
    """The parameters under which a method answers this question, or None where it does not."""
    given = dict(parameters)
    if RANDOMIZER.name in given and method.for_all:  # it holds for this one too
        given = {name: value for name, value in given.items() if name != RANDOMIZER.name and name not in _SIZE_NAMES}
    elif DELTA0.name in given and method.for_all and method.side == "lower":  # what is eps0-DP is among what is (eps0, delta0)-DP
        del given[DELTA0.name]
    elif method.of_randomizer and (RANDOMIZER.name not in given or canonical_name(given.pop(RANDOMIZER.name)) != method.of_randomizer):
        return None
    own = given.keys() - {N.name} - ({CENTRAL[quantity].name} if quantity else set())
    answers = quantity is None or quantity in method.quantities
    return given if answers and set(method.takes) <= own <= set(method.may_take) else None


def _of_rank(method: Method, about: Mechanisms) -> bool:
    """Return whether the method is about these mechanisms, adaptive or not: at least about them from above, at most from below."""
    rank = method.mechanisms.rank
    return rank >= about.rank if method.side == "upper" else rank <= about.rank


def _says_nothing(method: Method, randomizer: NamedRandomizer | None) -> bool:
    """Return whether a method that can be asked has nothing to say of a randomizer, or just what another one says by the same sum."""
    krr = is_k_rr(randomizer)
    binary = is_k_rr(randomizer) and randomizer.k == 2
    if method is BINARY_RR_PAIR:  # one randomizer, which is among all of them
        return randomizer is not None and not binary
    if method is K_RR_PAIR:
        return binary
    if method is ANOTHER_PLACE:
        return krr
    return method is BLANKET and is_hashing(randomizer) and randomizer.family == "any"


def _translated(parameters: Given, quantity: Quantity | None, randomizer: NamedRandomizer | None, about: Mechanisms) -> list[Speaking]:
    """Return what bounds for another randomizer say of what is asked about."""
    if about.contains(Mechanisms.EVERY_ADAPTIVE):
        rest = {name: value for name, value in parameters.items() if name != DELTA0.name}
        krr = {**rest, RANDOMIZER.name: K_RR, "k": _WORST_ITEMS}
        meant: tuple[Method, ...] = (K_RR_PAIR,)
    elif is_hashing(randomizer) and randomizer.family != "uniform":
        krr = on_buckets(parameters, randomizer)
        meant = (K_RR_BLANKET, *((BINARY_RR_PAIR, K_RR_PAIR) if tells_buckets_apart(randomizer) else ()))
    else:
        return []
    found = [
        Speaking(method=each.method, parameters=each.parameters, translated=True)
        for each in speaking_of(krr, quantity)
        if each.method in meant
    ]
    if is_hashing(randomizer) and randomizer.family is None:
        given = _asked_with(ANOTHER_PLACE, quantity, {**parameters, "family": "any"})
        found = [*([] if given is None else [Speaking(method=ANOTHER_PLACE, parameters=given, translated=True)]), *found]
    return found
