"""FMT21, section 3: the reduction as code, and the witnesses against its remarks, computed again."""

from fractions import Fraction
from math import exp, log, sqrt
from typing import Any

import pytest

from shuffleproof.proofs_check.papers.fmt21.appendices.likelihood_tail import Claim
from shuffleproof.proofs_check.papers.fmt21.clones import reduction as identity
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import Clones, binary_components, left_over, left_over_of_two
from shuffleproof.proofs_check.papers.fmt21.clones.section3_bound_remarks import PRINTED, Setting, certified_share, least_users
from shuffleproof.spec.distribution import Distribution, bernoulli
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.vocabulary.errors import DomainError


def _named_users(n: int) -> Clones:
    """Left-over laws that name their user, clones that name their bit."""
    return Clones(
        lambda i, z: [Distribution.point(f"bit {b}") for b in (0, 1)], lambda i, z, x: Distribution.point(x), tuple(range(2, n + 1))
    )


def test_algorithm_1_places_every_left_over_user_at_most_once() -> None:
    law = _named_users(4).placed((2, 0, 2, 2))
    assert len(law.support) == 6
    assert all(z[1] == "bit 0" and sorted((z[0], *z[2:])) == [2, 3, 4] for z in law.support)
    assert set(dict(law.items()).values()) == {Fraction(1, 6)}


def test_algorithm_1_has_nobody_left_on_all_twos_and_wants_one_value_a_user() -> None:
    with pytest.raises(DomainError, match="not all 2"):
        _named_users(2).placed((2, 2))
    with pytest.raises(DomainError, match="2 values"):
        _named_users(2).placed((0,))


def test_counts_are_arranged_uniformly() -> None:
    law = _named_users(3).of_counts()((1, 2))
    assert len(law.support) == 3
    assert set(dict(law.items()).values()) == {Fraction(1, 3)}


def test_components_of_binary_randomized_response_are_the_bits_themselves() -> None:
    randomizer = binary_rr(exp_epsilon0=Fraction(3))
    assert binary_components(randomizer.law(0), randomizer.law(1), exp_epsilon0=Fraction(3)) == (
        Distribution.point(0),
        Distribution.point(1),
    )


def test_decompositions_need_the_privacy_that_they_are_given() -> None:
    p, q = bernoulli(Fraction(3, 4)), bernoulli(Fraction(1, 4))
    with pytest.raises(DomainError):
        binary_components(p, q, exp_epsilon0=Fraction(2))
    with pytest.raises(DomainError):
        left_over(p, q, exp_epsilon0=Fraction(2))
    with pytest.raises(DomainError):
        left_over_of_two(p, q, q, p=Fraction(1, 2))
    with pytest.raises(DomainError):
        binary_components(p, q, exp_epsilon0=Fraction(1))
    assert left_over(p, p, exp_epsilon0=Fraction(1)) == p


def test_one_coefficient_of_lemma_33_by_hand() -> None:
    """n = 3: place 1 holds user 1, place 2 a clone of x_1^1 (user 3), place 3 the left-over of user 2: one order in 3!, p/2 (1 - p)."""
    u = identity.Unknowns(3)
    monomial = u.first[0][0] * u.first[1][1] * u.left_over[2, 1] * u.p
    for side in (u.shuffled(0), u.post_processed(0, trials=2)):
        assert str(side.coeff(monomial)) == "1/12"
    assert identity.coefficients_agree()
    assert not identity.coefficients_agree(clone_count_shift=1)


def test_the_closed_form_exceeds_the_local_epsilon_in_a_sliver() -> None:
    n, T, delta = 240, 1.03, 1e-6
    assert log(T) <= log(n / (16 * log(2 / delta)))
    bound = log(1 + (T - 1) / (T + 1) * (8 * sqrt(T * log(4 / delta) / n) + 8 * T / n))
    assert bound > log(T) + 1e-4


def test_the_printed_equivalence_of_the_condition_is_reversed() -> None:
    n, epsilon0, delta = 1000, log(2), 1e-6
    assert not epsilon0 > log(n / (16 * log(2 / delta)))
    assert log(2 / delta) <= n * exp(epsilon0) / 16
    assert not log(2 / delta) > n * exp(-epsilon0) / 16


@pytest.mark.parametrize(("T", "delta"), [("1", "1"), ("2", "1e-6"), ("1000", "1e-30")])
def test_the_least_number_of_users_is_at_the_edge(T: str, delta: str) -> None:
    n = least_users(Fraction(T), Fraction(delta), condition=Fraction(16))
    edge = 16 * float(Fraction(T)) * log(2 / float(Fraction(delta)))
    assert n - 1 < edge < n


@pytest.mark.parametrize("n", [30, 50])
def test_shares_of_delta_are_enclosed(n: int) -> None:
    """n = 30 is computed in exact rationals, n = 50 in balls; the claim asks for at most 1."""
    loose = Claim(factor=Fraction(1, 10), condition=Fraction(16), inside=4)
    for claim in (PRINTED, loose):
        lower, upper = certified_share(Setting(n, Fraction(2), Fraction(1, 2)), claim)
        assert lower <= upper <= lower * Fraction(1001, 1000) + Fraction(1, 10**9)
        assert upper < 1
    assert certified_share(Setting(n, Fraction(2), Fraction(1, 100)), loose)[0] > 1


def test_deletion_privacy_costs_more_than_twice_delta() -> None:
    """Pr(message 1) is 3/10, 0 and 1/10 under R(x), R(x') and the reference; e^eps = 2, delta = 1/10."""
    E, delta = Fraction(2), Fraction(1, 10)
    p, q, rho = Fraction(3, 10), Fraction(0), Fraction(1, 10)

    def divergence(a: Any, b: Any, order: Fraction) -> Fraction:
        return max(a - order * b, Fraction(0)) + max((1 - a) - order * (1 - b), Fraction(0))

    assert all(divergence(a, b, E) <= delta for a, b in ((p, rho), (rho, p), (q, rho), (rho, q)))
    assert divergence(p, q, E**2) == (1 + E) * delta > 2 * delta
