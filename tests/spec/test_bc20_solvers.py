"""Support identification, pointer chasing and pointer jumping over the histogram protocol (BC20, section 3.3)."""

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from scripted_generator import distribution_of

from shuffleproof.impl.ball.bounds.noise.histogram import delta as two_bins
from shuffleproof.impl.ball.bounds.samples import pointer_samples, support_samples
from shuffleproof.impl.fast.protocols.support_identification import simulate_identification
from shuffleproof.spec.distribution import binomial, mixture, multinomial
from shuffleproof.spec.model import shuffled_distribution
from shuffleproof.spec.protocols import central, histogram, pointer_chasing, pointer_jumping, support_identification
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
MILLIONTH = Fraction(1, 10**6)
CASES = [
    ((1, 2), 3, 3, THIRD, Fraction(0)),
    ((1, 3), 3, 3, Fraction(2, 3), Fraction(1)),
    ((2,), 2, 2, HALF, Fraction(0)),
    ((1, 2, 3), 4, 3, Fraction(3, 4), HALF),
    ((1, 2), 3, 3, Fraction(3, 4), Fraction(3)),
    ((1, 2), 2, 4, Fraction(1), Fraction(0)),
]


@pytest.mark.parametrize(("support", "n", "d", "p", "t"), CASES)
def test_the_success_probability_is_that_of_all_datasets_enumerated(support, n, d, p, t) -> None:
    law = support_identification.answers_distribution(support, n=n, d=d, p=p, t=t)
    assert law[frozenset(support)] == support_identification.success(h=len(support), n=n, p=p, t=t)
    for needed in range(len(support) + 1):
        named = sum((w for found, w in law.items() if set(support[:needed]) <= found), Fraction(0))
        assert named == support_identification.success(h=len(support), n=n, p=p, t=t, needed=needed)
    assert all(found <= set(support) for found in law.support), "an item that nobody holds is never named"


def test_the_success_probability_does_not_depend_on_the_domain_nor_on_the_support() -> None:
    given = {"n": 3, "p": Fraction(2, 3), "t": Fraction(0)}
    whole = support_identification.success(h=2, **given)
    for support, d in [((1, 2), 2), ((1, 2), 4), ((2, 4), 4)]:
        assert support_identification.answers_distribution(support, d=d, **given)[frozenset(support)] == whole


def test_every_t_up_to_the_noise_names_the_bins_that_are_not_estimated_0() -> None:
    """An estimate that is not 0 is at least (n + 1)/n - p."""
    n, p = 5, Fraction(3, 5)
    at_zero = support_identification.success(h=2, n=n, p=p)
    assert support_identification.success(h=2, n=n, p=p, t=n * (1 - p)) == at_zero
    assert support_identification.success(h=2, n=n, p=p, t=n * (1 - p) + 1) < at_zero


def test_a_bin_is_chosen_with_the_probability_of_its_count() -> None:
    n, p, t = 4, THIRD, Fraction(1)
    by_counts = sum(w * support_identification.chosen_with(c, n=n, p=p, t=t) for c, w in binomial(n, HALF).items())
    assert by_counts == support_identification.success(h=2, n=n, p=p, t=t, needed=1)


def test_pointers_are_chased_through_the_messages_of_all_users() -> None:
    """PC(k, 2) through randomizer, shuffler and analyzer: a right answer, or none, with the probability stated."""
    n, p, listed = 2, HALF, pointer_chasing.items(length=2)
    randomizer = histogram.randomizer(d=len(listed), p=p)
    for (a, b), k in product([((1, 2), (2, 1)), ((2, 1), (1, 2))], (1, 2, 3)):
        bins = [listed.index(item) + 1 for item in pointer_chasing.instance(a, b)]
        laws = [
            shuffled_distribution(randomizer, data).map(
                lambda view: pointer_chasing.solve([y for sent in view for y in sent], k=k, length=2, n=n, p=p)  # noqa: B023
            )
            for data in product(bins, repeat=n)
        ]
        law = mixture([(Fraction(1, len(laws)), one) for one in laws])
        right = pointer_chasing.chased(a, b, k=k)
        assert set(law.support) <= {right, None}
        assert law[right] == pointer_chasing.success(k=k, n=n, p=p) > 0


def test_what_is_chased_by_hand() -> None:
    a, b = (2, 3, 1), (3, 1, 2)
    assert [pointer_chasing.chased(a, b, k=k) for k in (1, 2, 3)] == [2, 1, 2]
    assert pointer_chasing.answer([(1, a), (2, b)], k=2) == 1
    assert pointer_chasing.answer([(1, a)], k=1) == 2
    assert pointer_chasing.answer([(1, a)], k=2) is None
    assert pointer_chasing.answer([(1, a), (1, b), (2, b)], k=2) is None
    assert len(pointer_chasing.items(length=3)) == 12


def test_a_path_is_named_once_every_level_is() -> None:
    levels = ((1,), (0, 1), (0, 1, 1, 0))
    assert pointer_jumping.path(levels, s=2) == (1, 1, 0)
    assert pointer_jumping.answer(levels, s=2, h=3) == (1, 1, 0)
    assert pointer_jumping.answer(levels[:2], s=2, h=3) is None
    assert pointer_jumping.answer((levels[0], levels[1], (0, 0)), s=2, h=3) is None
    listed = pointer_jumping.items(s=2, h=3)
    assert len(listed) == 2 + 4 + 16 == len(set(listed))
    assert sum(1 for _ in pointer_jumping.labellings(s=2, h=2)) == 8


def test_paths_are_solved_from_messages() -> None:
    n, p = 3, Fraction(1)  # nobody leaves a message out, so every item that is held is named
    listed = pointer_jumping.items(s=2, h=2)
    levels = pointer_jumping.instance([[1], [0, 1]], s=2)
    held = [listed.index(labels) + 1 for labels in levels]
    everybody = [j for j in range(1, len(listed) + 1) for _ in range(n)]
    assert pointer_jumping.solve([*everybody, *held, held[0]], s=2, h=2, n=n, p=p) == (1, 1)
    assert pointer_jumping.solve([*everybody, held[0]], s=2, h=2, n=n, p=p) is None
    assert pointer_jumping.success(h=2, n=n, p=p) == Fraction(3, 4)


@pytest.mark.parametrize(
    "call",
    [
        lambda: pointer_chasing.items(length=8),
        lambda: pointer_jumping.items(s=3, h=4),
        lambda: support_identification.answers_distribution(range(1, 6), n=10, d=5, p=HALF, t=Fraction(0)),
        lambda: simulate_identification(h=10**6, n=5, p=HALF, runs=1000, generator=np.random.default_rng(1)),
    ],
)
def test_what_cannot_be_listed_is_refused(call) -> None:
    with pytest.raises(ResourceLimitError):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: pointer_chasing.instance((1, 2), (1, 1)),
        lambda: pointer_chasing.instance((1, 2), (1, 2, 3)),
        lambda: pointer_chasing.success(k=0, n=3, p=HALF),
        lambda: pointer_jumping.instance([[0], [0]], s=2),
        lambda: pointer_jumping.items(s=1, h=2),
        lambda: support_identification.success(h=0, n=3, p=HALF),
        lambda: support_identification.success(h=2, n=3, p=HALF, t=Fraction(-1)),
        lambda: support_identification.success(h=2, n=3, p=Fraction(3, 2)),
        lambda: support_identification.success(h=2, n=3, p=HALF, needed=3),
        lambda: support_identification.answers_distribution((1, 1), n=3, d=3, p=HALF, t=Fraction(0)),
        lambda: support_samples.shuffled(h=2, epsilon=Fraction(1), delta=Fraction(0)),
        lambda: pointer_samples.private(h=2, answers=1, epsilon=Fraction(1), delta=MILLIONTH),
    ],
)
def test_bad_input_is_refused(call) -> None:
    with pytest.raises(DomainError):
        call()


@pytest.mark.parametrize(("h", "n", "p", "t"), [(2, 3, THIRD, 0), (2, 3, Fraction(3, 4), 1), (3, 2, HALF, 0), (1, 3, HALF, 0)])
def test_what_is_simulated_has_the_distribution_of_the_protocol(h: int, n: int, p: Fraction, t: int) -> None:
    """Every outcome of every draw, on both sides."""
    simulated = distribution_of(
        lambda generator: tuple(map(bool, simulate_identification(h=h, n=n, p=p, t=t, runs=1, generator=generator)[0]))
    )
    exact = support_identification.answers_distribution(range(1, h + 1), n=n, d=h, p=p, t=Fraction(t)).map(
        lambda found: tuple(j in found for j in range(1, h + 1))
    )
    assert simulated == dict(exact.items())


def test_simulated_and_exact_success_agree() -> None:
    n, p, runs = 30, Fraction(2, 3), 20_000
    found = simulate_identification(h=2, n=n, p=p, runs=runs, generator=np.random.default_rng(11)).all(axis=1)
    exact = float(support_identification.success(h=2, n=n, p=p))
    assert abs(found.mean() - exact) < 5 * (exact * (1 - exact) / runs) ** 0.5


@pytest.mark.parametrize(("h", "n", "noise"), [(1, 9, Fraction(4)), (2, 12, Fraction(3)), (3, 30, Fraction(5, 2)), (2, 40, Fraction(12))])
def test_the_certified_failure_is_the_union_bound_on_the_exact_one(h: int, n: int, noise: Fraction) -> None:
    p = 1 - noise / n
    one = 1 - support_identification.success(h=h, n=n, p=p, needed=1)
    lost = support_samples._lost(h, n, noise)
    assert abs(float(lost.mid()) - float(h * one)) < 1e-15 + 1e-12 * float(one)
    assert float(lost.upper()) >= float(h * one) * (1 - 1e-15)
    assert 1 - support_identification.success(h=h, n=n, p=p) <= h * one


def test_enough_samples_are_enough_and_private_at_the_noise_stated() -> None:
    found = support_samples.shuffled(h=2, epsilon=Fraction(1), delta=MILLIONTH)
    p = 1 - found.noise / found.n
    assert two_bins(n=found.n, p=p, epsilon=1).upper <= MILLIONTH
    failure = 1 - pointer_chasing.success(k=2, n=found.n, p=p.limit_denominator(10**4))
    assert failure == pytest.approx(float(found.failure), rel=0.02)
    assert found.failure < Fraction(1, 100)


def test_what_everybody_holds_is_lost_where_no_additional_message_is_sent() -> None:
    """6 samples were said to be enough at noise 3, and to fail never: they fail once in 64."""
    found = support_samples.shuffled_with(h=1, noise=Fraction(3))
    truth = 1 - support_identification.success(h=1, n=found.n, p=1 - Fraction(3, found.n))
    assert found.n == 7
    assert truth <= found.failure <= truth * (1 + Fraction(1, 10**30))


def test_the_central_histogram_fails_as_rarely_as_is_certified() -> None:
    """Its exact distribution at e^(eps/2) = 2, delta = 1/40, on the counts of 7 samples over two values."""
    n, delta, threshold = 7, Fraction(1, 40), 6
    assert central.stability_threshold(exp_epsilon_bin=Fraction(2), delta=delta) == threshold
    exact = Fraction(0)
    for counts, weight in multinomial(n, [HALF, HALF]).items():
        law = central.stability_histogram(counts, exp_epsilon_bin=Fraction(2), threshold=threshold, high=20)
        exact += weight * sum((w for released, w in law.items() if 0 in released), Fraction(0))
    with support_samples.precision(128):
        union = support_samples._below_threshold(2, n, threshold, support_samples.arb(2).log())
    one = sum(
        w * central.stability_bin(c, exp_epsilon_bin=Fraction(2), threshold=threshold, high=20)[0] for c, w in binomial(n, HALF).items()
    )
    assert float(union.mid()) == pytest.approx(float(2 * one), rel=1e-14)
    assert exact <= 2 * one


def test_fewer_samples_than_needed_never_are_enough() -> None:
    for epsilon, h in product((HALF, Fraction(1)), (2, 5)):
        needed = pointer_samples.private(h=h, answers=h**4, epsilon=epsilon, delta=MILLIONTH)
        in_the_middle = support_samples.central(h=h, epsilon=epsilon, delta=MILLIONTH).n
        assert needed <= in_the_middle
        assert in_the_middle <= support_samples.shuffled_with(h=h, noise=Fraction(50)).n or epsilon < 1


def test_needed_samples_by_hand() -> None:
    """kl(0.99 || 1/2) = 0.637 nats of 2 ln cosh(1/4) = 0.0619 a message; group privacy at h = 1 is 0.99 <= e^(n eps)/l."""
    assert pointer_samples.local_pointer_chasing(length=100, epsilon=HALF) == 1030
    assert pointer_samples.local_pointer_chasing(length=101, epsilon=HALF) == 1030
    assert pointer_samples.local_pointer_jumping(s=2, h=1, epsilon=HALF) == 11
    assert pointer_samples.private(h=1, answers=8, epsilon=Fraction(1), delta=Fraction(0)) == 3


def test_a_local_protocol_of_few_users_does_not_beat_the_bound() -> None:
    """PC(2, 2) by randomized response on b alone, (1, a) answered at random: the best exact success for n users stays below the bound's."""
    epsilon = Fraction(1)
    truth = Fraction(2721, 2721 + 1001)  # above e/(e + 1): more than is allowed
    for n in range(1, pointer_samples.local_pointer_chasing(length=2, epsilon=epsilon)):
        success = Fraction(0)
        for types, w in binomial(n, HALF).items():
            right = binomial(types, truth)
            others = binomial(n - types, HALF)
            for (r, u), (o, v) in product(right.items(), others.items()):
                success += w * u * v * (Fraction(1) if 2 * (r + o) > n else HALF if 2 * (r + o) == n else Fraction(0))
        assert success < Fraction(99, 100)


def test_instances_of_a_length_have_as_many_answers() -> None:
    """l permutations b with different answers differ in (2, b) only: what the bound on private solvers counts."""
    for length in (2, 3):
        a = tuple(range(1, length + 1))
        assert {pointer_chasing.chased(a, b, k=2) for b in permutations(a)} == set(a)
