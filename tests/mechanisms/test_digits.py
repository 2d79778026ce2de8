"""Asking for digits, or for more users, never gives a worse answer in silence: every randomizer, and every operation."""

import itertools
from fractions import Fraction
from typing import Any

import pytest

import shuffleproof as sp
from shuffleproof.mechanisms.brackets import Bracket
from shuffleproof.mechanisms.randomizers import NamedRandomizer
from shuffleproof.spec.vocabulary.randomizers import NAMED

RANDOMIZERS: tuple[sp.Randomizer, ...] = (
    sp.KRR(k=2, epsilon0=1),
    sp.KRR(k=5, epsilon0=1),
    sp.Laplace(epsilon0=1),
    sp.RAPPOR(epsilon0=1),
    sp.UnaryEncoding(p_own="1/2", p_other="1/4"),
    sp.Piecewise(epsilon0=1),
    sp.SquareWave(epsilon0=1),
    sp.AsymmetricRAPPOR(epsilon0=1),
    sp.Subset(k=6, d=2, epsilon0=1),
    sp.Hadamard(k=4, epsilon0=1),
    sp.LocalHashing(buckets=3, epsilon0=1),
    sp.LocalHashing(buckets=3, epsilon0=1, family="uniform"),
    sp.AnyRandomizer(epsilon0=1),
    sp.VariationRatio(p=3, beta="1/3", q=3),
    sp.FromDistribution([["3/5", "3/10", "1/10"], ["1/10", "3/5", "3/10"], ["3/10", "1/10", "3/5"]]),
)
ASKED: dict[str, dict[str, Any]] = {"epsilon": {"delta": "1e-4"}, "delta": {"epsilon": "1/10"}, "renyi": {"order": 2}}
DIGITS = 12
DIGITS_SHOWN = Fraction(1, 10**8)
"""Relative: what is shown where no digits are asked for."""


def answered(randomizer: sp.Randomizer, quantity: str, *, n: int = 30, digits: int | None = None) -> Bracket:
    """The bracket of shuffled reports."""
    found = getattr(sp.shuffled(randomizer, n=n), quantity)(**ASKED[quantity], digits=digits)
    assert isinstance(found, Bracket)
    return found


def is_no_worse(found: Bracket, plain: Bracket) -> bool:
    """Whether either end is at least as close, but for the digits that are shown without any."""
    upper = found.upper.upper <= plain.upper.upper * (1 + DIGITS_SHOWN)
    return upper and (plain.lower is None or (found.lower is not None and found.lower.lower >= plain.lower.lower * (1 - DIGITS_SHOWN)))


def test_every_named_randomizer_is_tried() -> None:
    assert {each.kind.name for each in RANDOMIZERS if isinstance(each, NamedRandomizer)} >= set(NAMED)


@pytest.mark.parametrize("randomizer", RANDOMIZERS, ids=str)
def test_digits_never_make_a_delta_worse(randomizer: sp.Randomizer) -> None:
    assert is_no_worse(answered(randomizer, "delta", digits=DIGITS), answered(randomizer, "delta"))


def test_digits_never_make_a_renyi_divergence_worse_and_what_has_more_is_named() -> None:
    """By its whole distribution RAPPOR has no digits to choose; the pair of its parameters has, and is looser."""
    plain, many = (answered(sp.RAPPOR(epsilon0=1), "renyi", digits=digits) for digits in (None, DIGITS))
    assert (many.upper.upper, many.upper.method) == (plain.upper.upper, "another-place, chords")
    assert [each.method for each in many.refusals] == ["randomizer-pair"]
    assert "only looser bounds (randomizer-pair)" in str(many)


@pytest.mark.deep
@pytest.mark.parametrize("quantity", ["epsilon", "renyi"])
@pytest.mark.parametrize("randomizer", RANDOMIZERS, ids=str)
@pytest.mark.parametrize("n", [30, 600])
def test_digits_never_make_an_answer_worse(randomizer: sp.Randomizer, quantity: str, n: int) -> None:
    assert is_no_worse(answered(randomizer, quantity, n=n, digits=DIGITS), answered(randomizer, quantity, n=n))


@pytest.mark.deep
@pytest.mark.parametrize("randomizer", RANDOMIZERS, ids=str)
def test_more_users_are_no_less_private(randomizer: sp.Randomizer) -> None:
    """At the numbers of users from which other methods or engines answer."""
    numbers = (19, 20, 21, 22, 100, 101, 102, 149, 150, 151, 199, 200, 201, 499, 500, 501, 503, 504, 505)
    found = [answered(randomizer, "epsilon", n=n).upper.upper for n in numbers]
    assert all(more <= fewer * (1 + DIGITS_SHOWN) for fewer, more in itertools.pairwise(found))
