"""What a claim is about, and that nothing combines claims which are about different things."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

import shuffleproof as sp
from shuffleproof.brackets import Bracket
from shuffleproof.methods import METHODS
from shuffleproof.spec.vocabulary.scope import Mechanisms

ADAPTIVE, FIXED, ONE = Mechanisms.EVERY_ADAPTIVE, Mechanisms.EVERY, Mechanisms.ONE


def test_scopes_are_partially_ordered() -> None:
    for a, b, c in product(Mechanisms, repeat=3):
        assert a.contains(a)
        assert a is b or not (a.contains(b) and b.contains(a))
        assert a.contains(c) or not (a.contains(b) and b.contains(c))
    assert ADAPTIVE.contains(FIXED)
    assert not FIXED.contains(ADAPTIVE)
    assert not Mechanisms.LEAKING.contains(ADAPTIVE)


def test_every_method_says_what_it_is_about_as_its_claim_does() -> None:
    for method in METHODS.values():
        claim = method.claim(method.quantities[0])
        assert method.mechanisms.adaptive == ("adaptive" in claim and "not adaptive" not in claim), method.name
        if method.side == "upper":
            assert (method.mechanisms.rank >= 2) == ("eps0-DP local" in claim or "(eps0, delta0)-DP local" in claim), method.name


def bracket(upper: Mechanisms, lower: Mechanisms, about: Mechanisms) -> Bracket:
    known = sp.shuffled(sp.AnyRandomizer(epsilon0=1), n=100).epsilon(delta="1e-6")
    assert known.lower is not None
    of = {"upper": replace(known.upper, mechanisms=upper), "lower": replace(known.lower, mechanisms=lower)}
    return Bracket(quantity="epsilon", of="a mechanism", mechanisms=about, **of)


@pytest.mark.parametrize(("upper", "lower", "about"), [(FIXED, ONE, ADAPTIVE), (ADAPTIVE, ADAPTIVE, FIXED), (FIXED, ADAPTIVE, FIXED)])
def test_a_bracket_refuses_bounds_of_another_scope(upper: Mechanisms, lower: Mechanisms, about: Mechanisms) -> None:
    with pytest.raises(ValueError, match=r"does not hold for|says nothing of"):
        bracket(upper, lower, about)
    assert bracket(ADAPTIVE, ONE, about).mechanisms is about


def test_compare_has_a_bracket_for_each_scope() -> None:
    """One randomizer for all users is less than an adaptive sequence: the smaller number is not said of the latter."""
    found = sp.compare(n=10**4, epsilon0=1, delta="1e-6")
    adaptive, fixed = found.brackets
    assert (adaptive.mechanisms, fixed.mechanisms) == (ADAPTIVE, FIXED)
    assert fixed.upper.method == "another-place-for-all"
    assert fixed.upper.upper < Fraction("0.0383") < Fraction("0.0379") * Fraction("1.05") < adaptive.upper.upper
    assert found.bracket == adaptive
    assert str(ADAPTIVE) in str(adaptive)


@pytest.mark.parametrize("named", [{"randomizer": "laplace"}, {"randomizer": "krr", "k": 10}, {"randomizer": "rappor"}])
def test_a_claim_names_only_what_it_is_about(named: dict[str, object]) -> None:
    for row in sp.compare(n=50, epsilon0=1, delta="1e-6", **named):  # type: ignore[arg-type]
        if row.bound is not None:
            told = row.bound.claim + row.bound.value_of
            assert "hash functions" not in told
            assert ("item" not in told) or "third item" in told or named["randomizer"] == "rappor"
            assert "256" not in told or named["randomizer"] == "laplace"
            assert "where k is not given" not in told
