"""Every sampler for real data against its distribution: the tree of bit scripts is walked, dyadic masses bracket exact probabilities."""

import os
from collections.abc import Callable, Hashable
from fractions import Fraction

import numpy as np
import pytest
from scripted_bits import ExhaustedError, ScriptedBits, bracketed, decided_masses

from shuffleproof.impl.release import bernoulli as bernoulli_module, binomial as binomial_module
from shuffleproof.impl.release.bernoulli import bernoulli, bernoulli_exp, bernoulli_sum
from shuffleproof.impl.release.binomial import BinomialSampler, binomial
from shuffleproof.impl.release.binomial_table import Window, distribution_function
from shuffleproof.impl.release.entropy import BitSource, OperatingSystem
from shuffleproof.impl.release.integer_noise import discrete_gaussian, discrete_gaussians, discrete_laplace, discrete_laplaces
from shuffleproof.impl.release.uniform import uniform_below, uniforms_below
from shuffleproof.spec import distribution
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError

Ends = Callable[[Hashable], tuple[Fraction, Fraction]]

BINOMIALS = [
    (0, Fraction(1, 3), 1, 4),
    (1, Fraction(1, 3), 1, 12),
    (3, Fraction(1, 2), 2, 8),  # F takes dyadic values: a comparison with the wrong strictness shows at once
    (4, Fraction(3, 4), 1, 10),
    (5, Fraction(1, 3), 3, 9),
    (7, Fraction(0), 1, 4),
    (7, Fraction(1), 1, 4),
    (40, Fraction(1, 50), 2, 10),  # the window ends long before 40, so the tail is reached through undecided blocks
    (40, Fraction(49, 50), 2, 10),
    (60, Fraction(1, 2), 4, 12),  # cut off on both sides
]


def exact(law: distribution.Distribution[int]) -> Ends:
    def ends(y: Hashable) -> tuple[Fraction, Fraction]:
        assert isinstance(y, int)
        return law[y], law[y]

    return ends


def holds(sampler: Callable[[BitSource], Hashable], law: Ends, *, depth: int, block_bits: int = 1, left: Fraction = Fraction(1, 8)) -> bool:
    """The bracket, for a tree deep enough to leave at most `left` of the mass open."""
    masses, undecided = decided_masses(sampler, depth=depth, block_bits=block_bits)
    assert sum(masses.values()) + undecided == 1
    assert undecided <= left, "the tree is too shallow to say anything"
    return bracketed(masses, undecided, law)


def one_binomial(n: int, p: Fraction) -> Callable[[BitSource], int]:
    return lambda source: int(binomial(n=n, p=p, size=1, source=source)[0])


@pytest.mark.parametrize(("n", "p", "block_bits", "depth"), BINOMIALS)
def test_binomial_draws_have_the_exact_distribution(n: int, p: Fraction, block_bits: int, depth: int) -> None:
    assert holds(one_binomial(n, p), exact(distribution.binomial(n, p)), depth=depth, block_bits=block_bits)


@pytest.mark.parametrize(("n", "p"), [(1, Fraction(1, 3)), (6, Fraction(2, 7)), (30, Fraction(1, 2)), (50, Fraction(1, 1000))])
@pytest.mark.parametrize("block_bits", [5, 64])
def test_binomial_draws_decide_right_next_to_every_step_of_the_distribution_function(n: int, p: Fraction, block_bits: int) -> None:
    """200 bits that fall just short of F(k), and 200 that just exceed it."""
    assert decides_at_every_step(n, p, block_bits)


def decides_at_every_step(n: int, p: Fraction, block_bits: int, bits: int = 200) -> bool:
    law, reached = distribution.binomial(n, p), Fraction(0)
    for k in range(n):
        reached += law[k]
        for drawn, outcome in ((reached * 2**bits // 1 - 1, k), (reached * 2**bits // 1 + 1, k + 1)):
            if not 0 <= drawn < 2**bits or not reached - law[k] <= Fraction(drawn, 2**bits) < reached + law[k + 1]:
                continue
            script = ScriptedBits(format(drawn, f"0{bits}b") + "0" * 64, block_bits=block_bits)
            if binomial(n=n, p=p, size=1, source=script)[0] != outcome:
                return False
    return True


class RoundedWindow(Window):
    """Mutant: the distribution function as float64 knows it, taken for exact."""

    def __init__(self, *, n: int, p: Fraction, block_bits: int) -> None:
        super().__init__(n=n, p=p, block_bits=block_bits)
        law = distribution.binomial(n, p)
        floats = np.cumsum([float(law[k]) for k in range(n)])
        steps = [int(Fraction(min(x, 1.0)) * 2**block_bits) for x in floats]
        self.first, self.closed_left, self.closed_right = 0, True, True
        self.below = np.array([min(step, 2**block_bits - 1) for step in steps], dtype=np.uint64)
        self.unsure = self.below - np.uint64(1)


class TailDropped(Window):
    """Mutant: blocks beyond the window count for its edge."""

    def __init__(self, *, n: int, p: Fraction, block_bits: int) -> None:
        super().__init__(n=n, p=p, block_bits=block_bits)
        self.closed_left = self.closed_right = True
        self.unsure = self.below - np.uint64(1)


class NotStrict(Window):
    """Mutant: U < F(k) is concluded from a block that may as well begin a U beyond F(k)."""

    def __init__(self, *, n: int, p: Fraction, block_bits: int) -> None:
        super().__init__(n=n, p=p, block_bits=block_bits)
        self.below = self.below + np.uint64(1)
        self.unsure = np.maximum(self.unsure, self.below - np.uint64(1))


@pytest.mark.parametrize(
    ("mutant", "n", "p", "block_bits", "depth"),
    [
        (TailDropped, 40, Fraction(1, 50), 2, 10),
        (TailDropped, 60, Fraction(1, 2), 4, 12),
        (NotStrict, 3, Fraction(1, 2), 2, 8),
        (NotStrict, 5, Fraction(1, 3), 3, 9),
    ],
)
def test_the_tree_kills_a_sampler_that_is_wrong(
    mutant: type[Window], n: int, p: Fraction, block_bits: int, depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(binomial_module, "Window", mutant)
    assert not holds(one_binomial(n, p), exact(distribution.binomial(n, p)), depth=depth, block_bits=block_bits)


@pytest.mark.parametrize(("n", "p"), [(6, Fraction(2, 7)), (50, Fraction(1, 1000))])
def test_the_steps_kill_a_distribution_function_rounded_to_floats(n: int, p: Fraction, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binomial_module, "Window", RoundedWindow)
    assert not decides_at_every_step(n, p, 64)


@pytest.mark.parametrize(("n", "p"), [(30, Fraction(2, 7)), (400, Fraction(1, 2)), (1000, Fraction(1, 997))])
@pytest.mark.parametrize("block_bits", [7, 64])
def test_the_table_encloses_the_distribution_function_to_a_block(n: int, p: Fraction, block_bits: int) -> None:
    window, law, reached = Window(n=n, p=p, block_bits=block_bits), distribution.binomial(n, p), Fraction(0)
    before = sum((law[k] for k in range(window.first)), Fraction(0))
    for k, (low, high) in enumerate(zip(window.below.tolist(), window.unsure.tolist(), strict=True), start=window.first):
        reached += law[k]
        assert low <= 2**block_bits * (before + reached) <= high + 1 <= low + 2
    assert before < Fraction(1, 2**block_bits)
    assert 1 - before - reached < Fraction(1, 2**block_bits) or window.closed_right


@pytest.mark.parametrize("k", [-1, 0, 3, 100, 399, 400])
def test_the_refined_distribution_function_encloses_the_exact_one(k: int) -> None:
    law = distribution.binomial(400, Fraction(2, 7))
    value = sum((law[j] for j in range(k + 1)), Fraction(0))
    low, high = distribution_function(n=400, p=Fraction(2, 7), k=k, bits=100)
    assert low <= value <= high <= low + Fraction(1, 2**100)
    assert distribution_function(n=400, p=Fraction(0), k=k, bits=100) == (k >= 0, k >= 0)
    assert distribution_function(n=400, p=Fraction(1), k=k, bits=100) == (k >= 400, k >= 400)


def test_many_draws_are_the_draws_of_one_table_block_by_block() -> None:
    bits = np.random.default_rng(7).integers(0, 2, size=4000)
    script = "".join(map(str, bits))
    many = BinomialSampler(n=30, p="1/5", source=ScriptedBits(script, block_bits=8)).draw(100)
    law, reached = distribution.binomial(30, Fraction(1, 5)), np.zeros(100, dtype=np.int64)
    uniform = [Fraction(int(script[8 * i : 8 * i + 8], 2), 256) for i in range(100)]
    step = Fraction(0)
    for k in range(31):
        step += law[k]
        reached += np.array([u >= step for u in uniform])
    assert np.count_nonzero(many != reached) <= 8  # where the first 8 bits leave it open, further ones decide


def test_a_binomial_beyond_the_largest_table_is_refused_before_any_work() -> None:
    with pytest.raises(ResourceLimitError):
        BinomialSampler(n=10**15, p="1/2", source=OperatingSystem())


@pytest.mark.parametrize(("n", "p", "size"), [(-1, "1/2", 1), (3, "3/2", 1), (3, "1/2", -1), (2.5, "1/2", 1)])
def test_binomial_refuses_what_is_outside_its_domain(n: int, p: str, size: int) -> None:
    with pytest.raises(DomainError):
        binomial(n=n, p=p, size=size, source=OperatingSystem())


@pytest.mark.parametrize("p", [Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(7, 8), Fraction(1, 1000)])
@pytest.mark.parametrize("block_bits", [1, 3])
def test_bernoulli_has_the_exact_distribution(p: Fraction, block_bits: int) -> None:
    def sampler(source: BitSource) -> int:
        return int(bernoulli(p=p, source=source))

    assert holds(sampler, exact(distribution.bernoulli(p)), depth=12, block_bits=block_bits)


@pytest.mark.parametrize("x", [Fraction(0), Fraction(1), Fraction(1, 7), Fraction(9, 2)])
def test_bernoulli_exp_has_the_exact_distribution(x: Fraction) -> None:
    low, high = exp_bounds(-x, bits=80)
    ends = {1: (low, high), 0: (1 - high, 1 - low)}

    def exactly(y: Hashable) -> tuple[Fraction, Fraction]:
        assert isinstance(y, int)
        return ends[y]

    assert holds(lambda source: int(bernoulli_exp(x=x, source=source)), exactly, depth=12)


@pytest.mark.parametrize("m", [1, 2, 3, 5, 7, 8])
def test_uniform_integers_have_the_exact_distribution(m: int) -> None:
    law = exact(distribution.Distribution.uniform(range(m)))
    assert holds(lambda source: uniform_below(m=m, source=source), law, depth=12)
    assert holds(lambda source: int(uniforms_below(m=m, size=1, source=source)[0]), law, depth=12, block_bits=3)


@pytest.mark.parametrize(
    ("numerators", "denominator", "block_bits", "depth"),
    [([1, 2, 0, 3], 3, 2, 14), ([1, 2, 0, 3], 3, 4, 12), ([1, 2, 0, 3], 3, 8, 8), ([3, 11, 0, 16], 16, 4, 12), ([3, 11, 0, 16], 16, 8, 8)],
)
def test_a_sum_of_bernoullis_has_the_exact_distribution(numerators: list[int], denominator: int, block_bits: int, depth: int) -> None:
    """With a denominator of 16, quarters of a block decide, and ties go on with the bits that are left."""
    law: distribution.Distribution[int] = distribution.Distribution.point(0)
    for a in numerators:
        law = distribution.convolution(law, distribution.bernoulli(Fraction(a, denominator)))

    def sampler(source: BitSource) -> int:
        return bernoulli_sum(numerators=np.array(numerators, dtype=np.int64), denominator=denominator, source=source)

    assert holds(sampler, exact(law), depth=depth, block_bits=block_bits, left=Fraction(2, 3))


def test_ties_that_are_dropped_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutant: a quarter of a block decides, whatever comes after it."""
    summed = bernoulli_module._summed
    monkeypatch.setattr(bernoulli_module, "_summed", lambda numerators, denominator, source: 0)
    numerators = np.array([3], dtype=np.int64)
    law = exact(distribution.bernoulli(Fraction(3, 16)))
    assert not holds(lambda source: summed(numerators, 16, source), law, depth=8, block_bits=4)


def discrete_distribution(weight: Callable[[int], tuple[Fraction, Fraction]], reach: int, rest: Fraction) -> Ends:
    """The distribution proportional to weight(x), of which all x beyond the reach together have a weight of at most `rest`."""
    low = sum((weight(x)[0] for x in range(-reach, reach + 1)), Fraction(0))
    high = sum((weight(x)[1] for x in range(-reach, reach + 1)), Fraction(0)) + rest

    def ends(y: Hashable) -> tuple[Fraction, Fraction]:
        assert isinstance(y, int)
        return weight(y)[0] / high, weight(y)[1] / low

    return ends


@pytest.mark.parametrize("scale", [Fraction(1, 2), Fraction(1), Fraction(2, 3), Fraction(3)])
def test_discrete_laplace_has_the_exact_distribution(scale: Fraction) -> None:
    law = discrete_distribution(lambda x: exp_bounds(-abs(x) / scale, bits=60), 60, Fraction(1, 10**8))
    assert holds(lambda source: discrete_laplace(scale=scale, source=source), law, depth=12, left=Fraction(2, 3))


@pytest.mark.parametrize("variance", [Fraction(1, 3), Fraction(1), Fraction(5, 2)])
def test_discrete_gaussian_has_the_exact_distribution(variance: Fraction) -> None:
    law = discrete_distribution(lambda x: exp_bounds(-(x**2) / (2 * variance), bits=60), 20, Fraction(1, 10**20))
    assert holds(lambda source: discrete_gaussian(variance=variance, source=source), law, depth=12, left=Fraction(4, 5))


def test_zero_with_two_signs_is_killed() -> None:
    """Mutant of the discrete Laplace sampler: minus zero is kept."""

    def mutant(source: BitSource) -> int:
        v = 0
        while bernoulli_exp(x=1, source=source):
            v += 1
        return -v if source.bits(1) else v

    law = discrete_distribution(lambda x: exp_bounds(Fraction(-abs(x)), bits=60), 60, Fraction(1, 10**8))
    assert not holds(mutant, law, depth=12, left=Fraction(1, 2))


def test_vectorised_noise_has_the_variance_of_its_distribution() -> None:
    """A gross check only: the distribution itself is checked draw by draw above."""
    source = OperatingSystem()
    assert 3 < np.var(discrete_laplaces(scale=2, size=1000, source=source)) < 20
    assert 2 < np.var(discrete_gaussians(variance=4, size=1000, source=source)) < 8


@pytest.mark.parametrize("wrong", ["0", "-1", "x"])
def test_a_scale_that_is_not_positive_is_refused(wrong: str) -> None:
    with pytest.raises(DomainError):
        discrete_laplace(scale=wrong, source=OperatingSystem())
    with pytest.raises(DomainError):
        discrete_gaussian(variance=wrong, source=OperatingSystem())


def test_a_script_that_ends_says_so() -> None:
    with pytest.raises(ExhaustedError):
        bernoulli(p="1/3", source=ScriptedBits("01"))


def test_a_forked_process_does_not_repeat_its_parents_bits() -> None:
    source = OperatingSystem()
    source.bits(64)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, source.bits(256).to_bytes(32, "little"))
        os._exit(0)
    os.waitpid(child, 0)
    assert int.from_bytes(os.read(read, 32), "little") != source.bits(256)
