"""What a claim is about, and that nothing combines claims which are about different things."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

import shuffleproof as sp
from shuffleproof.mechanisms.brackets import Bracket
from shuffleproof.methods import METHODS
from shuffleproof.spec.vocabulary.scope import Mechanisms

ADAPTIVE, ONE = Mechanisms.EVERY_ADAPTIVE, Mechanisms.ONE


def test_scopes_are_partially_ordered() -> None:
    for a, b, c in product(Mechanisms, repeat=3):
        assert a.contains(a)
        assert a is b or not (a.contains(b) and b.contains(a))
        assert a.contains(c) or not (a.contains(b) and b.contains(c))
    assert Mechanisms.LEAKING_ADAPTIVE.contains(ADAPTIVE)
    assert ADAPTIVE.contains(ONE)
    assert not ONE.contains(ADAPTIVE)


def test_every_method_says_what_it_is_about_as_its_claim_does() -> None:
    for method in METHODS.values():
        claim = method.claim(method.quantities[0])
        assert method.mechanisms.adaptive == ("adaptive" in claim), method.name
        if method.side == "upper":
            assert (method.mechanisms.rank >= 2) == ("eps0-DP local" in claim or "(eps0, delta0)-DP local" in claim), method.name


def bracket(upper: Mechanisms, lower: Mechanisms, about: Mechanisms) -> Bracket:
    known = sp.shuffled(sp.AnyRandomizer(epsilon0=1), n=100).epsilon(delta="1e-6")
    assert known.lower is not None
    of = {"upper": replace(known.upper, mechanisms=upper), "lower": replace(known.lower, mechanisms=lower)}
    return Bracket(quantity="epsilon", of="a mechanism", mechanisms=about, **of)


@pytest.mark.parametrize(("upper", "lower", "about"), [(ONE, ONE, ADAPTIVE), (ADAPTIVE, ADAPTIVE, ONE), (ONE, ADAPTIVE, ONE)])
def test_a_bracket_refuses_bounds_of_another_scope(upper: Mechanisms, lower: Mechanisms, about: Mechanisms) -> None:
    with pytest.raises(ValueError, match=r"does not hold for|says nothing of"):
        bracket(upper, lower, about)
    assert bracket(ADAPTIVE, ONE, about).mechanisms is about


def test_adaptive_sequences_have_the_one_bracket_of_compare() -> None:
    """No bound for one randomizer of all users is smaller than that for adaptive sequences."""
    found = sp.compare(n=10**4, epsilon0=1, delta="1e-6")
    (adaptive,) = found.brackets
    assert adaptive.mechanisms == ADAPTIVE
    assert adaptive.upper.method == "first-arrival"
    assert adaptive.lower.lower < adaptive.upper.upper < Fraction(1002, 1000) * adaptive.lower.lower
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


def test_every_statement_that_answers_rest_on_is_in_the_ledger() -> None:
    known = {each.id for each in sp.ledger.statements()}
    for method in METHODS.values():
        for quantity, engine in product(method.quantities, ("exact", "ball", "fast")):
            assert {method.statement, *method.rests_also_on(quantity, engine)} <= known  # type: ignore[arg-type]


def test_what_rests_on_a_cited_theorem_is_not_formal() -> None:
    """The pair's theorem is checked by Coq; that its Renyi divergences bound the mechanism's is Blackwell's theorem, cited."""
    found = sp.bounds.renyi(n=100, epsilon0=1, order=4)
    assert (found.statement, sp.ledger.weakest([found.statement])) == ("BEYOND.CorF2", "formal")
    assert "BEYOND.Renyi" in found.statements
    assert sp.ledger.weakest(["BEYOND.CorF2", "BEYOND.Renyi"]) == "argued"
    assert sp.ledger.weakest(found.statements) == "exhausted"  # what the engine's moments are, on few outcomes


def test_an_answer_names_parameters_grids_and_composition() -> None:
    asked = {"n": 500, "epsilon0": 1, "delta": "1e-6", "randomizer": "laplace"}
    assert "BEYOND.Parameters" in sp.bounds.epsilon(**asked, method="randomizer-pair").statements  # type: ignore[arg-type]
    assert "BEYOND.any-law-grids" in sp.bounds.epsilon(**asked, method="blanket", engine="fast").statements  # type: ignore[arg-type]
    many = sp.shuffled(sp.KRR(k=3, epsilon0=1), n=500).rounds(5)
    assert {"BEYOND.Parameters", "BEYOND.Renyi", "FMT21.Sec6.1.rdp-composition", "FMT21.Sec6.1.conversion"} <= {
        id for row in many.composition(delta="1e-6") for id in (row.statement, *row.also)
    }
    assert "BEYOND.random-participation" in sp.RandomParticipation(one=many.one, rate="1/10").epsilon(delta="1e-3").upper.statements
