"""FMT21: the reductions as code, nearby randomizers, choices and witnesses of the ledger's checks, computed again or by hand."""

from fractions import Fraction
from itertools import product
from math import ceil, erfc, exp, log, sqrt

import pytest
from hypothesis import given, strategies as st

from shuffleproof.impl.ball.bounds.clones import clones
from shuffleproof.impl.ball.calibration.prescriptions import prescribed
from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.proofs_check.ledger import Status
from shuffleproof.proofs_check.ledger.methods.exhaustive import distributions_in_parts
from shuffleproof.proofs_check.ledger.methods.random_randomizers import distributions
from shuffleproof.proofs_check.papers.fmt21.appendices.likelihood_tail import Claim
from shuffleproof.proofs_check.papers.fmt21.applications.section5_1_shuffled import Choice, explicit_verdict
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import (
    Clones,
    IntegerDistribution,
    binary_components,
    least_delta0,
    left_over,
    left_over_of_two,
    one_sided_other,
)
from shuffleproof.proofs_check.papers.fmt21.clones.section3_1 import _delta
from shuffleproof.proofs_check.papers.fmt21.clones.section3_bound_remarks import PRINTED, Setting, certified_share, least_users
from shuffleproof.proofs_check.papers.fmt21.k_rr.section4_1 import equation_11, printed_users
from shuffleproof.proofs_check.papers.fmt21.k_rr.section4_reduction import left_over_of_three, profile
from shuffleproof.spec.bounds.clones import approx_clones
from shuffleproof.spec.bounds.k_rr.k_rr_clones import dominating_pair, k_rr_parameters
from shuffleproof.spec.distribution import Distribution, bernoulli, hockey_stick, mixture, total_variation
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution
from shuffleproof.spec.protocols import frequency
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import parse_epsilon


@pytest.mark.parametrize(("parts", "outcomes", "count"), [(4, 2, 5), (4, 3, 15), (1, 3, 3), (6, 1, 1)])
def test_all_distributions_in_parts_are_listed_once(parts: int, outcomes: int, count: int) -> None:
    laws = distributions_in_parts(parts, outcomes)
    assert len(laws) == len(set(laws)) == count


def _named_users(n: int) -> Clones:
    """Left-over distributions that name their user, clones that name their bit."""
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
    assert binary_components(randomizer.distribution(0), randomizer.distribution(1), exp_epsilon0=Fraction(3)) == (
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


@pytest.mark.parametrize(("T", "delta"), [("1", "1"), ("2", "1e-6"), ("1000", "1e-30")])
def test_the_least_number_of_users_is_at_the_edge(T: str, delta: str) -> None:
    n = least_users(Fraction(T), Fraction(delta), condition=Fraction(16))
    edge = 16 * float(Fraction(T)) * log(2 / float(Fraction(delta)))
    assert n - 1 < edge < n


@pytest.mark.parametrize("n", [30, 50])
def test_shares_of_delta_are_enclosed(n: int) -> None:
    """n = 30 is computed in exact rationals, n = 50 in ball arithmetic; the claim asks for at most 1."""
    loose = Claim(factor=Fraction(1, 10), condition=Fraction(16), inside=4)
    for claim in (PRINTED, loose):
        lower, upper = certified_share(Setting(n, Fraction(2), Fraction(1, 2)), claim)
        assert lower <= upper <= lower * Fraction(1001, 1000) + Fraction(1, 10**9)
        assert upper < 1
    assert certified_share(Setting(n, Fraction(2), Fraction(1, 100)), loose)[0] > 1


orders = st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(4)])
three = distributions(outputs=3)


@given(three, three, orders)
def test_one_sided_moves_exactly_what_is_missing(r: IntegerDistribution, wanted: IntegerDistribution, T: Fraction) -> None:
    near = one_sided_other(r, wanted, T)
    assert all(wanted[y] <= T * near[y] for y in range(3))
    assert total_variation(r, near) == hockey_stick(wanted, r, exp_epsilon=T) / T


def test_a_randomizer_that_tells_with_probability_delta0_attains_the_stronger_price_for_one_user() -> None:
    """n = 1, order e^eps0: the clones pair has divergence 0 there, the randomizer delta0; Theorem 3.8 says more than three times that."""
    T, delta0 = Fraction(2), Fraction(1, 10)
    tells = LocalRandomizer((0, 1), {0: Distribution({0: delta0, 2: 1 - delta0}), 1: Distribution({1: delta0, 2: 1 - delta0})})
    assert least_delta0(tells, T) == delta0
    laws_of_both = [shuffled_distribution(tells, (x,)) for x in (0, 1)]
    assert hockey_stick(*laws_of_both, exp_epsilon=T) == delta0
    slope, once = approx_clones.smaller_cost(1, T, delta0)
    assert slope * (T + 1) + once == delta0
    assert approx_clones.printed_cost(1, T, delta0)[0] * (T + 1) == Fraction(15, 4) * delta0


def test_the_gaussian_divergence_is_the_known_formula() -> None:
    for epsilon, shift in ((0.0, 1.0), (0.5, 1.0), (2.0, 3.0)):
        below = lambda x: erfc(-x / sqrt(2)) / 2  # noqa: E731
        expected = below(shift / 2 - epsilon / shift) - exp(epsilon) * below(-shift / 2 - epsilon / shift)
        from flint import arb

        assert float(_delta(arb(epsilon), arb(shift)).mid()) == pytest.approx(expected, rel=1e-12)


def test_shuffled_k_rr_is_a_post_processing_of_three_counts() -> None:
    """Corollary 4.2's proof where the two values differ: Q_1 = point masses, Q_0 uniform, kRR's p and q; the others hold 2."""
    k, T, n = 3, Fraction(3), 3
    p, q = k_rr_parameters(k=k, exp_epsilon0=T)
    randomizer = k_rr(k=k, exp_epsilon0=T)
    triple = (Distribution.point(0), Distribution.point(1), Distribution.uniform(range(k)))
    rest = left_over_of_three(randomizer.distribution(2), triple, p=p)
    assert mixture([*((p, part) for part in triple), (1 - 3 * p, rest)]) == randomizer.distribution(2)
    phi = Clones(lambda i, z: triple, lambda i, z, x: rest, (2,) * (n - 1), size=3).of_counts()
    for b, counts in enumerate(dominating_pair(n=n, p=p, q=q)):
        assert counts.then(phi).map(lambda z: tuple(sorted(z))) == shuffled_distribution(randomizer, (b, 2, 2))


def _named() -> Clones:
    named = tuple(Distribution.point(f"kind {kind}") for kind in range(3))
    return Clones(lambda i, z: named, lambda i, z, x: Distribution.point(x), (2, 3, 4), size=3)


def test_algorithm_3_places_every_left_over_user_at_most_once() -> None:
    law = _named().placed((3, 2, 3, 0))
    assert set(law.support) == {(i, "kind 2", j, "kind 0") for i, j in product((2, 3, 4), repeat=2) if i != j}
    with pytest.raises(DomainError, match="not all 3"):
        _named().placed((3, 3, 3, 3))
    with pytest.raises(DomainError, match="4 values"):
        _named().placed((0,))


def test_no_left_over_distribution_where_there_are_too_few_clones() -> None:
    fair = Distribution.uniform((0, 1))
    with pytest.raises(DomainError):
        left_over_of_three(Distribution.point(0), (fair, fair, fair), p=Fraction(1, 4))
    assert left_over_of_three(fair, (fair, fair, fair), p=Fraction(1, 3)) == fair


def test_the_certified_profile_is_the_exact_one() -> None:
    for n, p, q, E in ((5, Fraction(1, 4), Fraction(1, 3), Fraction(3, 2)), (9, Fraction(1, 10), Fraction(4, 5), Fraction(2))):
        lower, upper = profile(n, p, q, E)
        assert lower <= hockey_stick(*dominating_pair(n=n, p=p, q=q), exp_epsilon=E) <= upper


def test_equation_11_and_its_printed_condition_by_hand() -> None:
    n, k, T, delta = 10**5, 10, 2.5, 1e-6
    by_hand = (T - 1) * (4 * sqrt(2 * (k + 1) * log(4 / delta)) / sqrt((T + k - 1) * k * n) + 4 * (k + 1) / (k * n))
    value = equation_11(n, k, ball(Fraction(5, 2)), ball(Fraction(1, 10**6)))
    assert float(value.mid()) == pytest.approx(by_hand, rel=1e-12)
    assert printed_users(Fraction(2), Fraction(1, 10**40)) == 2970 == ceil(32 * log(2e40))


@pytest.mark.parametrize("n", [1, 20, 300, 10**4])
@pytest.mark.parametrize("epsilon", ["0.01", "0.3", "0.99"])
@pytest.mark.parametrize("delta", ["1e-9", "0.05", "0.4", "0.7", "0.97"])
def test_the_corrected_choice_is_private_by_the_numerical_bound(n: int, epsilon: str, delta: str) -> None:
    """By Theorem 3.2's pair, at its own choice of epsilon0: everywhere, not only where the proof uses it."""
    chosen = prescribed(n=n, epsilon=parse_epsilon(epsilon), delta=Fraction(delta)).corrected
    assert chosen is not None
    assert clones.delta(n=n, epsilon0=chosen[1], epsilon=epsilon, digits=4).upper <= Fraction(delta)


def test_a_choice_that_the_proof_does_not_reach_is_open_and_not_proved() -> None:
    verdict = explicit_verdict(Choice(constant=2815))
    assert verdict.status is Status.OPEN
    assert "error for t" in (verdict.note or "")


def test_one_block_at_a_large_epsilon0_costs_a_term_that_does_not_fall() -> None:
    """k (T + 1)^2/(T - 1)^2 - 1 tends to k - 1, where the blocks of ASZ19 let the error fall like k/T."""
    one = frequency.hadamard_worst_error(k=10, blocks=1, exp_epsilon0=Fraction(10**6), n=1)
    many = frequency.hadamard_worst_error(k=10, blocks=16, exp_epsilon0=Fraction(10**6), n=1)
    assert one > 9
    assert many < Fraction(1, 10**4)
