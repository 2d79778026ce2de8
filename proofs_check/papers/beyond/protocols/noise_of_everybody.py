"""Discrete Laplace noise that users add in parts: its distribution, and what a sum with it says.

Histograms with fake users whom the shuffler adds.

Noise that everybody adds to a sum: coins, and discrete Gaussians.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from typing import Any

from shuffleproof.proofs_check.ledger import EXACT, Budget, Cited, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.spec.bounds.noise import binomial_sum, discrete_gaussian_sum, fake_users, histogram, laplace_sum, zero_sum
from shuffleproof.spec.distribution import PrivacyProfile, binomial, convolution
from shuffleproof.spec.vocabulary.elementary import exp_bounds

_RATIOS = (Fraction(1, 3), Fraction(4, 5))  # e^(-1/scale): narrow and wide noise
_TERMS = 7  # orders that are tried: powers of the ratio and between them
_REACH = 12  # integers that are summed one by one; beyond them both distributions are geometric


def _shifted(alpha: Fraction, shift: int, z: int) -> Fraction:
    """Pr(shift + Z = z)."""
    return (1 - alpha) / (1 + alpha) * alpha ** abs(z - shift)


def _by_sums(alpha: Fraction, shift: int, E: Fraction) -> Fraction:
    """D_E(Z || shift + Z): integers up to _REACH beside the shift; beyond them on the left both are geometric with one ratio."""
    total = sum(
        (max(Fraction(0), _shifted(alpha, 0, z) - E * _shifted(alpha, shift, z)) for z in range(-_REACH, shift + _REACH)), Fraction(0)
    )
    beyond = alpha / (1 - alpha)  # of the mass at -_REACH, all together
    return total + beyond * max(Fraction(0), _shifted(alpha, 0, -_REACH) - E * _shifted(alpha, shift, -_REACH))


@derived(
    "BEYOND.laplace-sum",
    says="let each of N >= n honest users add X - Y to their integer, X, Y independent Polya(1/n, a) variables; only the sum is seen. For "
    "data that one user moves by at most s it is (s ln 1/a, 0)-DP, and its deltas are at most those of discrete Laplace noise of "
    "ratio a and its shift by s, which are max over 0 <= t < s of 1 - (a^(t + 1) + E a^(s - t))/(1 + a), or 0; with n honest users and "
    "data that move it by s they are these",
    range="n >= 1, s >= 1, a in (0, 1), E >= 1",
    governs=[
        "spec.bounds.noise.laplace_sum",
        "impl.ball.bounds.noise.laplace_sum",
        "impl.fast.bounds.noise.laplace_sum",
        "impl.release.integer_noise",
    ],
    grounds=["noise-in-parts#noise-in-parts", EXACT],
    mutants={"each user adds a part for one user more": {"more": 1}, "the power next to the shift is one smaller": {"power": 1}},
    missing="more users and larger shifts than enumerated",
)
def noise_in_parts(budget: Budget, *, more: int = 0, power: int = 0) -> Verdict:
    """n-fold sums of parts are geometric; the merged pair, the closed form and sums over integers agree; smaller shifts say less."""
    largest = budget.pick(quick=3, full=5)

    def holds(alpha: Fraction, size: int) -> bool:
        part = laplace_sum.part(share=Fraction(1, size + more), alpha=alpha, terms=_TERMS)
        whole = part
        for _ in range(size - 1):
            whole = [sum((whole[i] * part[k - i] for i in range(k + 1)), Fraction(0)) for k in range(len(whole))]
        if whole != [alpha**k for k in range(_TERMS)]:  # a geometric variable; the difference of two is discrete Laplace
            return False
        profile = PrivacyProfile(*laplace_sum.pair(alpha=alpha, sensitivity=size))
        orders = sorted({Fraction(1), Fraction(11, 10), Fraction(3), *profile.corners()})
        for E in orders:
            closed = max(1 - (alpha ** (t + 1) + E * alpha ** (size - t - power)) / (1 + alpha) for t in range(size))
            value = profile.delta(exp_epsilon=E)
            smaller = max((_by_sums(alpha, shift, E) for shift in range(1, size)), default=Fraction(0))
            if not (value == max(closed, Fraction(0)) == _by_sums(alpha, size, E) >= smaller):
                return False
        return True

    return exhaustive.for_all([(alpha, size) for alpha in _RATIOS for size in range(1, largest + 1)], holds=holds).verdict(
        domain=f"a = 1/3, 4/5, n = s from 1 to {largest}, parts up to {_TERMS} terms, all corners of the profile",
        note="for all: (1 - a)/(1 - a x) is the n-th power of its n-th root, Polya(1/n, a)'s generating function; parts of further users "
        "are post-processing; the ratio of the two distributions is constant up to 0 and from s on, and monotone between",
    )


@derived(
    "BEYOND.fake-users",
    says="let every user send their item, and let the shuffler add, for each of f fake users and each of two bins or more, a message of it "
    "with probability p. Over all datasets that differ in one user's item the deltas are those of P^hist with f users and the same p, "
    "however many users there are and whatever they know of each other",
    range="n >= 1, f >= 1, p in [0, 1], eps >= 0",
    governs=[
        "spec.bounds.noise.fake_users",
        "impl.ball.bounds.noise.fake_users",
        "impl.fast.bounds.noise.fake_users",
        "impl.ball.calibration.least_noise",
    ],
    grounds=["noise-in-parts#fake-users", EXACT, "BC20.Thm3.2"],
    mutants={"one more fake user": {"more": 1}, "the users' noise counts too": {"own": 1}},
    missing="more users, fakes and bins than enumerated",
)
def fake_users_of_the_shuffler(budget: Budget, *, more: int = 0, own: int = 0) -> Verdict:
    """All bins of all neighbouring datasets against P^hist's pair of two bins, at every corner of all profiles."""
    largest = budget.pick(quick=2, full=3)

    def holds(n: int, d: int, fakes: int, p: Fraction) -> bool:
        compared = PrivacyProfile(*histogram.pair(n=fakes + more + own * (n - 1), p=p))
        every: list[PrivacyProfile[Any]] = []
        for others in product(range(n), repeat=d):
            if sum(others) == n - 1:
                laws = [fake_users.messages_distribution([k + (x == y) for y, k in enumerate(others)], fakes=fakes, p=p) for x in range(2)]
                every.append(PrivacyProfile(*laws))
        orders = {Fraction(1), Fraction(7, 5), *compared.corners(), *every[0].corners()}
        return all(each.delta(exp_epsilon=E) == compared.delta(exp_epsilon=E) for each in every for E in orders)

    cases = [
        (n, d, fakes, p) for n in (1, 2, 3) for d in (2, 3) for fakes in range(1, largest + 1) for p in (Fraction(1, 3), Fraction(1, 2))
    ]
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"n <= 3, two and three bins, f <= {largest}, p = 1/3, 1/2, all neighbouring datasets, all corners",
        note="for all: counts of the others shift both distributions alike, other bins have one distribution in both, and P^hist's noise "
        "is Bin(f, p) too",
    )


@derived(
    "BEYOND.fake-users-who-is-there",
    says="let every user who is there send their item, and let the shuffler add, for each of f fake users and each bin, a message of it "
    "with probability p. Over all datasets of which one has a user more than the other, with one bin or more, the deltas of the "
    "messages, which show how many there are, are those of the zero sum with f users and the same p",
    range="f >= 1, p in [0, 1], eps >= 0, any number of users",
    governs=["spec.bounds.noise.fake_users", "spec.bounds.noise.zero_sum"],
    grounds=["noise-in-parts#who-is-there", EXACT, "BC20.Thm3.1"],
    mutants={
        "one more fake user": {"more": 1},
        "the user who comes brings a noise message": {"brought": 1},
        "a user who is there changes two bins": {"changed": 2},
    },
    missing="more users, fakes and bins than enumerated",
)
def who_is_there(budget: Budget, *, more: int = 0, brought: int = 0, changed: int = 1) -> Verdict:
    """All bins of all datasets with and without one user, the total of the messages beside them, against the zero sum's pair."""
    largest = budget.pick(quick=2, full=3)

    def holds(n: int, d: int, fakes: int, p: Fraction) -> bool:
        compared = PrivacyProfile(*zero_sum.pair(n=fakes + more, p=p))
        every: list[PrivacyProfile[Any]] = []
        for others in product(range(n + 1), repeat=d):
            if sum(others) == n:
                there = [k + (x < changed) + brought * (x == 0) for x, k in enumerate(others)]
                laws = [fake_users.messages_distribution(counts, fakes=fakes, p=p) for counts in (there, others)]
                every.append(PrivacyProfile(*(law.map(lambda seen: (sum(seen), seen)) for law in laws)))
        orders = {Fraction(1), Fraction(7, 5), *compared.corners(), *every[0].corners()}
        return all(each.delta(exp_epsilon=E) == compared.delta(exp_epsilon=E) for each in every for E in orders)

    cases = [
        (n, d, fakes, p) for n in (0, 1, 2) for d in (1, 2, 3) for fakes in range(1, largest + 1) for p in (Fraction(1, 3), Fraction(1, 2))
    ]
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"up to 2 users beside, up to three bins, f <= {largest}, p = 1/3, 1/2, all pairs of datasets, all corners",
        note="for all: the other bins have one distribution in both datasets and are independent of the bin that changes; how many "
        "messages there are is a function of the bins; counts of the others shift both distributions alike",
    )


_ORDERS = (Fraction(1), Fraction(11, 10), Fraction(3))  # e^epsilon, beside the profile's corners
_PI_SQUARED = Fraction(986, 100)
"""A little below pi^2, so that what falls with it is not too small."""
_BITS = 120  # of enclosures
_CLOSE = Fraction(1, 10**20)  # enclosures of 120 bits are closer than that


def _half_lines(masses: Sequence[Fraction], shift: int, E: Fraction, step: int) -> Fraction:
    """The largest F(t) - E F(t - shift), masses at 0, 1, ..."""
    sums = [Fraction(0)]
    for mass in masses:
        sums.append(sums[-1] + mass)
    return max(sums[t] - E * sums[max(t - shift - step, 0)] for t in range(len(sums)))


@derived(
    "BEYOND.binomial-sum",
    says="let each of N >= n honest users add the heads of m coins Bern(p) to their integer; only the sum is seen. For data that one user "
    "moves by at most s its deltas are at most those of Bin(n m, p) and its shift by s, which are the larger of max over t of F(t) - E F(t "
    "- s) for p and for 1 - p, F the distribution function; with n honest users and data that move it by s they are these",
    range="n >= 1, m >= 1, s >= 1, p in [0, 1], E >= 1",
    governs=[
        "spec.bounds.noise.binomial_sum",
        "impl.ball.bounds.noise.binomial_sum",
        "impl.fast.bounds.noise.binomial_sum",
        "impl.fast.bounds.noise.noise_window",
    ],
    grounds=["noise-in-parts#coins-from-everybody", EXACT],
    mutants={"one coin more for each user": {"more": 1}, "the shift is one larger": {"step": 1}, "one direction alone": {"ways": 1}},
    missing="more coins and larger shifts than enumerated",
)
def coins_from_everybody(budget: Budget, *, more: int = 0, step: int = 0, ways: int = 2) -> Verdict:
    """n-fold sums of binomials are binomial; the profile of the pair is that of half-lines in both directions; smaller shifts say less."""
    largest = budget.pick(quick=4, full=6)

    def holds(n: int, m: int, s: int, p: Fraction) -> bool:
        law, mirrored = reduce(convolution, [binomial(m, p)] * n), binomial(n * m, 1 - p)
        if law != binomial(n * m + more, p):
            return False
        profile = PrivacyProfile(*binomial_sum.pair(coins=n * m, p=p, sensitivity=s))
        smaller = [PrivacyProfile(*binomial_sum.pair(coins=n * m, p=p, sensitivity=shift)) for shift in range(1, s)]
        masses = [[each[z] for z in range(n * m + 1)] for each in (law, mirrored)]
        for E in sorted({*_ORDERS, *profile.corners()}):
            value = profile.delta(exp_epsilon=E)
            if value != max(_half_lines(each, s, E, step) for each in masses[:ways]):
                return False
            if any(each.delta(exp_epsilon=E) > value for each in smaller):
                return False
        return True

    cases = [
        (n, m, s, p)
        for n in (1, 2, 3)
        for m in (1, 2)
        for s in range(1, largest - 1)
        for p in (Fraction(1, 3), Fraction(1, 2), Fraction(9, 10))
        if n * m <= largest
    ]
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"n <= 3, m <= 2, n m <= {largest}, s <= {largest - 2}, p = 1/3, 1/2, 9/10, all corners of the profile",
        note="for all: binomial masses are log-concave, so that the ratio to the shift's falls; what further users add is post-processing",
    )


@derived(
    "BEYOND.discrete-gaussian-sum",
    says="let each of N >= n honest users add discrete Gaussian noise of sigma^2 to their integer; only the sum is seen. For "
    "data that one user moves by at most s its deltas are at most max over t of F(t) - E F(t - s), F the distribution "
    "function of the sum of n such noises; with n honest users and data that move it by s they are these. The masses of "
    "that sum, times e^(x^2/(2 n sigma^2)), are within a factor prod over k < n of (1 + r_k)/(1 - r_k) of each other, r_k"
    " = 2 sum over j >= 1 of e^(-2 pi^2 j^2 sigma^2 k/(k + 1)), where all r_k < 1",
    range="n >= 1, s >= 1, sigma > 0, E >= 1",
    governs=[
        "spec.bounds.noise.discrete_gaussian_sum",
        "impl.ball.bounds.noise.discrete_gaussian_sum",
        "impl.fast.bounds.noise.discrete_gaussian_sum",
        "impl.release.integer_noise",
    ],
    grounds=[
        "noise-in-parts#discrete-gaussians-from-everybody",
        EXACT,
        Cited("Poisson summation", "noise-in-parts#discrete-gaussians-from-everybody"),
        Cited("convolutions of log-concave sequences are log-concave", "noise-in-parts#discrete-gaussians-from-everybody"),
        Cited("Jacobi's triple product", "noise-in-parts#discrete-gaussians-from-everybody"),
    ],
    mutants={
        "the shift is one larger": {"step": 1},
        "the exponents of r_k are twice as large": {"rate": 2},
        "the sum is the discrete Gaussian of its variance": {"factors": 0},
    },
    missing="more users, other variances and larger shifts than looked at",
)
def discrete_gaussians_from_everybody(budget: Budget, *, step: int = 0, rate: int = 1, factors: int = 1) -> Verdict:
    """Convolutions between rationals: the definition against half-lines and smaller shifts, the masses against a discrete Gaussian's."""
    largest = budget.pick(quick=3, full=4)

    def holds(n: int, s: int, variance: Fraction) -> bool:
        law = discrete_gaussian_sum.total(discrete_gaussian_sum.one(variance), n)
        unit = discrete_gaussian_sum.UNIT
        low, high = ([Fraction(x, unit) for x in side] for side in (law.low, law.high))
        for E in _ORDERS:
            value = discrete_gaussian_sum.hockey_stick(law, shift=s, exp_epsilon=(E, E))
            if not all(value[0] - _CLOSE <= _half_lines(side, s, E, step) <= value[1] + _CLOSE for side in (low, high)):
                return False
            if any(discrete_gaussian_sum.hockey_stick(law, shift=r, exp_epsilon=(E, E))[0] > value[1] for r in range(1, s)):
                return False
        near = range(-4, 5)
        raised = [
            [ends[x - law.first] * exp_bounds(Fraction(x * x) / (2 * n * variance), bits=_BITS)[side] for x in near]
            for side, ends in enumerate((low, high))
        ]
        return max(raised[0]) <= min(raised[1]) * _factor(n, variance, rate) ** factors

    cases = [(n, s, variance) for n in range(1, largest + 1) for s in (1, 3) for variance in (Fraction(1, 3), Fraction(1), Fraction(3))]
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"n <= {largest}, s = 1, 3, sigma^2 = 1/3, 1, 3, E = 1, 11/10, 3, masses at |x| <= 4, all to 10^-20",
        note="for all: sums of log-concave variables are log-concave, so that the ratio to the shift's mass falls; Poisson summation "
        "bounds what one more convolution does to the masses",
    )


def _factor(n: int, variance: Fraction, rate: int) -> Fraction:
    """prod of (1 + r_k)/(1 - r_k), from above."""
    found = Fraction(1)
    for k in range(1, n):
        exponents = (2 * rate * _PI_SQUARED * variance * k * j * j / (k + 1) for j in (1, 2, 3, 4))
        r = 2 * sum((exp_bounds(-each, bits=_BITS)[1] for each in exponents), Fraction(1, 10**30))
        found *= (1 + r) / (1 - r)
    return found
