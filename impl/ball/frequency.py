"""Worst mean squared errors of one-message frequency estimation, certified for any epsilon0 (FMT21, section 5.1)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ends, exp_of, expm1_of, precision
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.errors import DomainError, UndecidedError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, count
from shuffleproof.spec.vocabulary.parameters import EPSILON0, N
from shuffleproof.spec.vocabulary.tables import FrozenMapping

_BITS = 128
"""Precision, in bits, of the first attempt."""
_MOST_BITS = 1 << 14
"""Precision, in bits, of the last."""
_DIGITS = 15
"""Digits to which both errors are enclosed."""
Errors = tuple[arb, arb]
"""n times the largest variance of one estimate, and n times the largest expected squared l2 error."""


@dataclass(frozen=True, slots=True)
class WorstErrors:
    """Over all datasets of n users: the largest variance of any one estimate, and the largest E ||p(X) - p^||_2^2, as (lower, upper).

    settings: the randomizer's own parameter, as a text. message_bits: an upper bound on log2 of the number of messages, as an integer.
    """

    per_item: tuple[Fraction, Fraction]
    squared_l2: tuple[Fraction, Fraction]
    message_bits: int
    settings: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", FrozenMapping(self.settings))


@dataclass(frozen=True, slots=True)
class _Candidate:
    """One setting of a randomizer: its errors as a function of T - 1, T and e^(eps0/2), and the number of messages."""

    settings: dict[str, str]
    errors: Callable[[arb, arb, arb], Errors]
    message_bits: int


@reads(N, EPSILON0, k=partial(count, minimum=2, maximum=10**9))
def worst_errors(*, randomizer: str, k: int, n: int, epsilon0: Epsilon) -> WorstErrors:
    """The errors at the setting with the smallest l2 error: of the number of blocks ("hadamard") or the subset size ("k-subset").

    randomizer: a name of `RANDOMIZERS`; k: items, 2 to 10^9; n: users, at least 1; epsilon0 in (0, 10000].
    Blocks range over the powers of two up to the least that is at least k, subset sizes over the two integers around k/(e^eps0 + 1).
    Both ends are within 15 digits of each other. Raises DomainError, UndecidedError.
    """
    require(randomizer in RANDOMIZERS, parameter="randomizer", value=randomizer, requirement=f"one of {', '.join(RANDOMIZERS)}")
    if epsilon0.exp == 1:
        raise DomainError(parameter="epsilon0", value=str(epsilon0), requirement="above 0: at 0 messages say nothing")
    bits = _BITS
    while bits <= _MOST_BITS:
        found = _best(RANDOMIZERS[randomizer], k, n, epsilon0, bits)
        if found is not None:
            return found
        bits *= 2
    raise UndecidedError(quantity="mean squared error", enclosure=("0", "inf"), precision=bits)


def _best(candidates: Callable[[int, arb], Iterator[_Candidate]], k: int, n: int, local: Epsilon, bits: int) -> WorstErrors | None:
    with precision(bits):
        excess, T, root = expm1_of(local), exp_of(local), exp_of(local).sqrt()
        choices = [(each, *each.errors(excess, T, root)) for each in candidates(k, T)]
        chosen, per_item, total = min(choices, key=lambda choice: choice[2].mid())
        if not (per_item.is_finite() and total.is_finite()):
            return None
        both = ends(per_item / n), ends(total / n)
    if any((high - low) * 10**_DIGITS > high for low, high in both):
        return None
    return WorstErrors(*both, chosen.message_bits, chosen.settings)


def _hadamard(k: int, T: arb) -> Iterator[_Candidate]:
    """B = 1, 2, 4, ... up to the least power of two that is at least k."""
    B = 1
    while True:
        fullest = -(-k // B)
        b = 1 << fullest.bit_length()

        def errors(excess: arb, T: arb, root: arb, B: int = B, fullest: int = fullest) -> Errors:
            spread = (excess + 2 * B) / (excess * excess)
            # An item nobody holds in a block that everybody's items are in; alone in its block, an item that everybody holds.
            per_item = spread * (T + 1) - (0 if fullest > 1 else 1)
            return per_item, spread * (2 * k + excess * fullest) - 1

        yield _Candidate({"blocks": str(B), "block_size": str(b)}, errors, (B * b).bit_length() - 1)
        if k <= B:
            return
        B *= 2


def _k_rr(k: int, T: arb) -> Iterator[_Candidate]:
    def errors(excess: arb, T: arb, root: arb) -> Errors:
        return _supported(k, own=T / (excess + k), other=1 / (excess + k), apart=excess / (excess + k), complement=(k - 1) / (excess + k))

    yield _Candidate({}, errors, (k - 1).bit_length())


def _k_subset(k: int, T: arb) -> Iterator[_Candidate]:
    """The integers on both sides of k/(T + 1), between 1 and k - 1; which two is only a choice, so that it may be made in floats."""
    about = float((k / (T + 1)).mid())
    for d in sorted({min(max(int(about) + step, 1), k - 1) for step in (0, 1)}):

        def errors(excess: arb, T: arb, root: arb, d: int = d) -> Errors:
            total = d * excess + k  # d T + k - d
            apart = d * (k - d) * excess / ((k - 1) * total)
            other = (d * T * (d - 1) + (k - d) * arb(d)) / ((k - 1) * total)
            return _supported(k, own=d * T / total, other=other, apart=apart, complement=(k - d) / total)

        yield _Candidate({"subset_size": str(d)}, errors, k)


def _rappor(k: int, T: arb) -> Iterator[_Candidate]:
    def errors(excess: arb, T: arb, root: arb) -> Errors:
        each = root * (root + 1) * (root + 1) / (excess * excess)  # r/(r - 1)^2, r - 1 = (T - 1)/(r + 1)
        return each, k * each

    yield _Candidate({}, errors, k)


def _asymmetric_rappor(k: int, T: arb) -> Iterator[_Candidate]:
    def errors(excess: arb, T: arb, root: arb) -> Errors:
        each = 4 * T / (excess * excess)
        return each + 1, k * each + 1

    yield _Candidate({}, errors, k)


def _supported(k: int, *, own: arb, other: arb, apart: arb, complement: arb) -> Errors:
    """Return both errors from the probabilities that a message supports one's own item and any other; apart: own - other, exactly."""
    of_own, of_other, squared = own * complement, other * (1 - other), apart * apart
    return of_own.max(of_other) / squared, (of_own + (k - 1) * of_other) / squared


RANDOMIZERS: dict[str, Callable[[int, arb], Iterator[_Candidate]]] = {
    "hadamard": _hadamard,
    "k-rr": _k_rr,
    "k-subset": _k_subset,
    "rappor": _rappor,
    "asymmetric-rappor": _asymmetric_rappor,
}
"""Name for users -> its settings. Subset selection's message bits are those of an indicator vector, an upper bound."""
