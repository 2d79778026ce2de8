"""The reductions of FMT21, section 3 and appendix C, built: decompositions, Algorithm 1, counts of clones, and pure ones nearby, exactly.

That it holds for all randomizers with finitely many messages is Coq's (`shuffled_as_counts`); here are the same objects, computed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import prod
from typing import Any

import sympy
from sympy.polys.rings import ring

from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.proofs_check.ledger.methods.random_randomizers import AdaptiveSteps, Randomizer
from shuffleproof.proofs_check.ledger.points import HALF
from shuffleproof.spec.bounds.clones.clones import Counts
from shuffleproof.spec.distribution import Distribution, binomial, hockey_stick, mixture
from shuffleproof.spec.model import AdaptiveSequence, LocalRandomizer
from shuffleproof.spec.randomizers.clipping import clipped
from shuffleproof.spec.vocabulary.errors import DomainError, require


@cache
def clone_counts(n: int, p: Fraction) -> tuple[Distribution[Counts], Distribution[Counts]]:
    """The distributions of P0 = (A + 1, C - A) and Q0 = (A, C - A + 1) for C ~ Bin(n - 1, p), A ~ Bin(C, 1/2)."""
    c_and_a = binomial(n - 1, p).then(lambda c: binomial(c, Fraction(1, 2)).map(lambda a: (c, a)))
    return c_and_a.map(lambda y: (y[1] + 1, y[0] - y[1])), c_and_a.map(lambda y: (y[1], y[0] - y[1] + 1))


def consecutive_binomials(*, shift: int = 0) -> bool:
    """Return whether (c + 1 - a) binom(c, a - 1) = (a + shift) binom(c, a) for all c and a; shift is 0 except in mutants."""
    c, a = sympy.symbols("c a")
    ratio = sympy.gammasimp(sympy.binomial(c, a - 1).rewrite(sympy.gamma) / sympy.binomial(c, a).rewrite(sympy.gamma))
    return symbolic.are_identical((c + 1 - a) * ratio, a + shift)


AnyDistribution = Distribution[Any]
History = tuple[Any, ...]


def combination(*terms: tuple[Fraction, AnyDistribution]) -> AnyDistribution:
    """sum_i weight_i P_i for weights of either sign that sum to 1. Raises DomainError if that is no distribution."""
    outcomes = dict.fromkeys(y for _, p in terms for y in p.support)
    return Distribution({y: sum((weight * p[y] for weight, p in terms), Fraction(0)) for y in outcomes})


def binary_components(r0: AnyDistribution, r1: AnyDistribution, *, exp_epsilon0: Fraction) -> tuple[AnyDistribution, AnyDistribution]:
    """Q(0), Q(1) of Lemma 3.4: r0 and r1 are binary randomized response followed by Q.

    Q(b) = (T r_b - r_(1-b)) / (T - 1) with T = e^epsilon0; for T = 1 both are r0 = r1.
    Raises DomainError if r0 and r1 are not epsilon0-indistinguishable.
    """
    T = exp_epsilon0
    if T == 1:
        require(r0 == r1, parameter="r1", value=r1, requirement="equal to r0 when epsilon0 = 0")
        return r0, r1
    return combination((T / (T - 1), r0), (-1 / (T - 1), r1)), combination((T / (T - 1), r1), (-1 / (T - 1), r0))


def left_over(r: AnyDistribution, r0: AnyDistribution, *, exp_epsilon0: Fraction) -> AnyDistribution:
    """LO with r = r0/T + (1 - 1/T) LO, T = e^epsilon0 (proof of Theorem 3.2); for T = 1 any distribution would do, and r is returned.

    Raises DomainError if r and r0 are not epsilon0-indistinguishable in the direction that this needs.
    """
    T = exp_epsilon0
    if T == 1:
        require(r == r0, parameter="r", value=r, requirement="equal to r0 when epsilon0 = 0")
        return r
    return combination((T / (T - 1), r), (-1 / (T - 1), r0))


def left_over_of_two(r: AnyDistribution, r0: AnyDistribution, r1: AnyDistribution, *, p: Fraction) -> AnyDistribution:
    """LO with r = p/2 r0 + p/2 r1 + (1 - p) LO, equation (2); for p = 1 it has no weight, and r is returned.

    Raises DomainError if there is no such distribution.
    """
    if p == 1:
        require(r == combination((p / 2, r0), (p / 2, r1)), parameter="r", value=r, requirement="(r0 + r1)/2 when p = 1")
        return r
    return combination((1 / (1 - p), r), (-p / (2 * (1 - p)), r0), (-p / (2 * (1 - p)), r1))


@dataclass(frozen=True)
class Clones:
    """Holds what Lemma 3.3 and Algorithm 1 start from, and with three components Theorem 4.1 and Algorithm 3.

    components: what the clones send, R^(i)(z_(1:i-1), x_1^0) and R^(i)(z_(1:i-1), x_1^1), by step i = 0, ..., n - 1 and history.
    left_over: LO^(i)(z_(1:i-1), x), by step, history and data point. others: x_2, ..., x_n. size: the number of components.
    with_replacement: whether one data point may be drawn at several steps, which no algorithm of the paper does.
    """

    components: Callable[[int, History], Sequence[AnyDistribution]]
    left_over: Callable[[int, History, Any], AnyDistribution]
    others: tuple[Any, ...]
    size: int = 2
    with_replacement: bool = False

    @property
    def n(self) -> int:
        """Number of users."""
        return len(self.others) + 1

    def placed(self, y: Sequence[int]) -> AnyDistribution:
        """The distribution of the algorithm's output z_1, ..., z_n on y in {0, ..., size}^n, where `size` is what is left over.

        Raises DomainError on y of `size` alone, where the algorithm asks for an element of the empty set at its last step.
        """
        name, values = {2: "Algorithm 1", 3: "Algorithm 3"}[self.size], ", ".join(map(str, range(self.size + 1)))
        require(len(y) == self.n, parameter="y", value=y, requirement=f"{self.n} values in {values}")
        law: Distribution[tuple[History, frozenset[int]]] = Distribution.point(((), frozenset(range(len(self.others)))))
        for i, kind in enumerate(y):

            def step(state: tuple[History, frozenset[int]], i: int = i, kind: int = kind) -> Distribution[tuple[History, frozenset[int]]]:
                z, free = state
                if kind != self.size:
                    return self.components(i, z)[kind].map(lambda output: ((*z, output), free))
                if not free:
                    requirement = f"not all {self.size}: {name} has no element left to choose"
                    raise DomainError(parameter="y", value=tuple(y), requirement=requirement)
                return Distribution.uniform(sorted(free)).then(
                    lambda j: self.left_over(i, z, self.others[j]).map(
                        lambda output: ((*z, output), free if self.with_replacement else free - {j})
                    )
                )

            law = law.then(step)
        return law.map(lambda state: state[0])

    def is_defined(self, y: Sequence[int]) -> bool:
        """Return whether the algorithm gives some output on y."""
        try:
            self.placed(y)
        except DomainError:
            return False
        return True

    def of_counts(self) -> Callable[[tuple[int, ...]], AnyDistribution]:
        """f of Lemma 3.3, or Phi of Theorem 4.1, on counts: arrange them uniformly at random among n places, then run the algorithm."""

        @cache
        def f(counts: tuple[int, ...]) -> AnyDistribution:
            base = tuple(kind for kind, number in enumerate((*counts, self.n - sum(counts))) for _ in range(number))
            return Distribution.uniform(sorted(set(permutations(base)))).then(self.placed)

        return f


def clones_of(randomizers: AdaptiveSequence, *, x0: Any, x1: Any, others: Sequence[Any], p: Fraction) -> Clones:
    """Algorithm 1's inputs for randomizers that satisfy equation (2) with this p. Raises DomainError (when used) if they do not."""

    def first(i: int, z: History) -> tuple[AnyDistribution, AnyDistribution]:
        randomizer = randomizers[i](z)
        return randomizer.distribution(x0), randomizer.distribution(x1)

    return Clones(first, lambda i, z, x: left_over_of_two(randomizers[i](z).distribution(x), *first(i, z), p=p), tuple(others))


def clones_of_binary_components(
    randomizers: AdaptiveSequence, *, x0: Any, x1: Any, others: Sequence[Any], exp_epsilon0: Fraction
) -> Clones:
    """Algorithm 1's inputs in the proof of Theorem 3.2: Q^(i) on x0 and x1, p = e^-epsilon0, any epsilon0-DP randomizers.

    The other data points may equal x0 or x1: each is read as a fresh element of the domain that is randomized alike.
    """

    def first(i: int, z: History) -> tuple[AnyDistribution, AnyDistribution]:
        randomizer = randomizers[i](z)
        return binary_components(randomizer.distribution(x0), randomizer.distribution(x1), exp_epsilon0=exp_epsilon0)

    return Clones(
        first, lambda i, z, x: left_over_of_two(randomizers[i](z).distribution(x), *first(i, z), p=1 / exp_epsilon0), tuple(others)
    )


def coefficients_agree(*, clone_count_shift: int = 0) -> bool:
    """The coefficients of both sides of Lemma 3.3 agree for every n: a quotient of factorials in n and the counts that is 1.

    A monomial names the places with 0, 1 and 2 (z_0, z_1, z_2 of them) and one data point for each 2. In A_s(X_0)(z) it arises from
    z_0 places for user 1 and (z_0 + z_1 - 1)! ways to spread the other clones, out of n!; on the other side from the counts' probability,
    one arrangement in n!/(z_0! z_1! z_2!) and one choice in (n - 1)!/(n - 1 - z_2)!. Powers of p, 1 - p and 1/2 are the same.
    """
    z0, z1, z2 = sympy.symbols("z0 z1 z2", integer=True, positive=True)
    n, f = z0 + z1 + z2, sympy.factorial
    c = z0 + z1 - 1 + clone_count_shift
    counts = f(n - 1) / (f(c) * f(n - 1 - c)) * f(c) / (f(z0 - 1) * f(z1))
    arranged = f(z0) * f(z1) * f(z2) / f(n)
    chosen = f(n - 1 - z2) / f(n - 1)
    in_shuffle = z0 * f(z0 + z1 - 1) / f(n)
    return symbolic.is_one_by_gammas(counts * arranged * chosen / in_shuffle)


def equation_6(n: int, *, swapped: bool = False) -> bool:
    """Return whether A_s(X_0) = T/(T+1) A_Q(X_0) + 1/(T+1) A_Q(X_1) for n users at every output, by (3) and (4); likewise A_s(X_1).

    Multiplied by T + 1: each term has one factor of user 1, which is T q_0 + q_1 or q_0 + T q_1 over T + 1.
    """
    names = ["T", *(f"q{b}_{i}" for b in (0, 1) for i in range(n)), *(f"r{i}_{j}" for i in range(n) for j in range(1, n))]
    polynomials, *generators = ring(names, sympy.QQ)
    known = dict(zip(names, generators, strict=True))
    T, q = known["T"], [[known[f"q{b}_{i}"] for i in range(n)] for b in (0, 1)]

    def shuffled(first: list[Any]) -> Any:
        total = polynomials.zero
        for order in permutations(range(n)):
            total += prod((known[f"r{i}_{j}"] if j else first[i] for i, j in enumerate(order)), start=polynomials.one)
        return total

    a0, a1 = shuffled(q[0]), shuffled(q[1])
    from_0, from_1 = (shuffled([T * x + y for x, y in zip(q[b], q[1 - b], strict=True)]) for b in (0, 1))
    expected = (T * a0 + a1, a0 + T * a1)
    sides = zip((from_0, from_1), expected[::-1] if swapped else expected, strict=True)
    agree = [symbolic.are_equal_polynomials(left, right) for left, right in sides]
    return all(agree)


IntegerDistribution = Distribution[int]


def least_delta(p: IntegerDistribution, q: IntegerDistribution, T: Fraction) -> Fraction:
    """The least delta0 for which p and q are (epsilon0, delta0)-indistinguishable."""
    return max(hockey_stick(p, q, exp_epsilon=T), hockey_stick(q, p, exp_epsilon=T))


def least_delta0(randomizer: Randomizer, T: Fraction) -> Fraction:
    """The least delta0 for which this is an (epsilon0, delta0)-DP local randomizer."""
    laws = [randomizer.distribution(x) for x in randomizer.domain]
    return max((least_delta(p, q, T) for i, p in enumerate(laws) for q in laws[:i]), default=Fraction(0))


def middle(r0: IntegerDistribution, r1: IntegerDistribution) -> IntegerDistribution:
    """(r0 + r1)/2."""
    return mixture([(HALF, r0), (HALF, r1)])


def printed_other(
    r: IntegerDistribution, r0: IntegerDistribution, r1: IntegerDistribution, new_r1: IntegerDistribution, T: Fraction
) -> IntegerDistribution:
    """L(x) of equation (22): R(x) clipped to (r0 + r1)/2, with r1 in its part of weight 1/(2T) exchanged for R'(x_1^1)."""
    near = clipped(r, middle(r0, r1), exp_epsilon=T)
    return combination((Fraction(1), near), (-1 / (2 * T), r1), (1 / (2 * T), new_r1))


def one_sided_other(r: IntegerDistribution, wanted: IntegerDistribution, T: Fraction) -> IntegerDistribution:
    """A distribution near r that is at least wanted/T: raised where it is not, lowered elsewhere in proportion to what is above wanted/T.

    Its total variation to r is D_T(wanted || r)/T: only what is missing has to be moved.
    """
    outcomes = dict.fromkeys((*r.support, *wanted.support))
    missing = sum((max(Fraction(0), wanted[y] / T - r[y]) for y in outcomes), Fraction(0))
    above = sum((max(Fraction(0), r[y] - wanted[y] / T) for y in outcomes), Fraction(0))
    keep = 1 - missing / above if above else Fraction(0)
    return Distribution({y: wanted[y] / T + keep * max(Fraction(0), r[y] - wanted[y] / T) for y in outcomes})


Other = Callable[[IntegerDistribution, IntegerDistribution, IntegerDistribution, IntegerDistribution, Fraction], IntegerDistribution]
"""(R(x), R(x_1^0), R(x_1^1), R'(x_1^1), T) -> L(x)."""


def printed(randomizer: Randomizer, T: Fraction) -> Randomizer:
    """L of appendix C for x_1^0 = 0, x_1^1 = 1: R(0) kept, R(1) clipped to it, the others by equation (22)."""
    return _nearby(randomizer, T, printed_other)


def one_sided(randomizer: Randomizer, T: Fraction) -> Randomizer:
    """The same with every other distribution moved only as far as equation (22) needs: at least (R(0) + R'(1))/(2T)."""
    return _nearby(randomizer, T, lambda r, r0, r1, new_r1, order: one_sided_other(r, middle(r0, new_r1), order))


def _nearby(randomizer: Randomizer, T: Fraction, other: Other) -> Randomizer:
    r0, r1 = randomizer.distribution(0), randomizer.distribution(1)
    new_r1 = clipped(r1, r0, exp_epsilon=T)
    rest = {x: other(randomizer.distribution(x), r0, r1, new_r1, T) for x in randomizer.domain if x > 1}
    return LocalRandomizer(randomizer.domain, {0: r0, 1: new_r1, **rest})


@dataclass(frozen=True)
class Case:
    """Adaptive steps on {0, 1, 2, 3}, X_b = (b, x_2, ..., x_n) with x_j in {2, 3}, and T = e^epsilon0."""

    T: Fraction
    steps: AdaptiveSteps
    others: tuple[int, ...]

    @property
    def n(self) -> int:
        """The number of users."""
        return len(self.others) + 1

    @property
    def delta0(self) -> Fraction:
        """The least delta0 for which every step is (epsilon0, delta0)-DP."""
        return max(least_delta0(randomizer, self.T) for randomizer in self.steps.pool)

    def replaced(self, nearby: Callable[[Randomizer, Fraction], Randomizer]) -> list[Callable[[tuple[Any, ...]], Randomizer]]:
        """The sequence with every randomizer exchanged for one nearby."""
        near: Sequence[Randomizer] = [nearby(randomizer, self.T) for randomizer in self.steps.pool]
        steps = AdaptiveSteps(tuple(near), self.steps.keys)
        return steps.sequence

    def __str__(self) -> str:
        return f"e^eps0 = {self.T}, {self.steps}, (x_2..x_n) = {self.others}"
