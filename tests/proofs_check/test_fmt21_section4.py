"""FMT21, section 4 and appendices D and E: Algorithm 3 as code, the witnesses by hand."""

from fractions import Fraction
from itertools import product
from math import ceil, log, log1p, sqrt

import pytest

from shuffleproof.impl.ball.numeric.arithmetic import ball, precision
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import Clones
from shuffleproof.proofs_check.papers.fmt21.k_rr.section4_1 import equation_11, printed_users
from shuffleproof.proofs_check.papers.fmt21.k_rr.section4_reduction import left_over_of_three, profile
from shuffleproof.spec.bounds.k_rr.k_rr_clones import dominating_pair, k_rr_parameters
from shuffleproof.spec.distribution import Distribution, mixture
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.model import shuffled_law
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.errors import DomainError


def test_shuffled_k_rr_is_a_post_processing_of_three_counts() -> None:
    """Corollary 4.2's proof where the two values differ: Q_1 = point masses, Q_0 uniform, kRR's p and q; the others hold 2."""
    k, T, n = 3, Fraction(3), 3
    p, q = k_rr_parameters(k=k, exp_epsilon0=T)
    randomizer = k_rr(k=k, exp_epsilon0=T)
    triple = (Distribution.point(0), Distribution.point(1), Distribution.uniform(range(k)))
    rest = left_over_of_three(randomizer.law(2), triple, p=p)
    assert mixture([*((p, part) for part in triple), (1 - 3 * p, rest)]) == randomizer.law(2)
    phi = Clones(lambda i, z: triple, lambda i, z, x: rest, (2,) * (n - 1), kinds=3).of_counts()
    for b, counts in enumerate(dominating_pair(n=n, p=p, q=q)):
        assert counts.then(phi).map(lambda z: tuple(sorted(z))) == shuffled_law(randomizer, (b, 2, 2))


def _named() -> Clones:
    named = tuple(Distribution.point(f"kind {kind}") for kind in range(3))
    return Clones(lambda i, z: named, lambda i, z, x: Distribution.point(x), (2, 3, 4), kinds=3)


def test_algorithm_3_places_every_left_over_user_at_most_once() -> None:
    law = _named().placed((3, 2, 3, 0))
    assert set(law.support) == {(i, "kind 2", j, "kind 0") for i, j in product((2, 3, 4), repeat=2) if i != j}
    with pytest.raises(DomainError, match="not all 3"):
        _named().placed((3, 3, 3, 3))
    with pytest.raises(DomainError, match="4 values"):
        _named().placed((0,))


def test_no_left_over_law_where_there_are_too_few_clones() -> None:
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
    with precision(100):
        value = equation_11(n, k, ball(Fraction(5, 2)), ball(Fraction(1, 10**6)))
    assert float(value.mid()) == pytest.approx(by_hand, rel=1e-12)
    assert printed_users(Fraction(2), Fraction(1, 10**40)) == 2970 == ceil(32 * log(2e40))


def test_the_rederived_bound_is_worse_by_more_than_the_printed_factor() -> None:
    """e^eps0 = 11/10, n = 37, delta = 1/2, in floats."""
    T, n, level = 1.1, 37, log(8)
    assert 24 * T * log(4) <= n
    q = (T - 1) / (T + 1)
    first = log1p(q * (8 * sqrt(T * level / n) + 8 * T / n))
    second = log1p(q * (4 * sqrt(6 * T * level / n) + 12 * T / n))
    assert second > sqrt(1.5) * first
