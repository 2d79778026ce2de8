"""The reduction of FMT21, section 3, built explicitly: its decompositions and Algorithm 1, as exact distributions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import AdaptiveSequence
from shuffleproof.spec.vocabulary.errors import DomainError, require

Law = Distribution[Any]
History = tuple[Any, ...]
Counts = tuple[int, int]


def combination(*terms: tuple[Fraction, Law]) -> Law:
    """sum_i weight_i P_i for weights of either sign that sum to 1. Raises DomainError if that is no distribution."""
    outcomes = dict.fromkeys(y for _, p in terms for y in p.support)
    return Distribution({y: sum((weight * p[y] for weight, p in terms), Fraction(0)) for y in outcomes})


def binary_components(r0: Law, r1: Law, *, exp_epsilon0: Fraction) -> tuple[Law, Law]:
    """Q(0), Q(1) of Lemma 3.4: r0 and r1 are binary randomized response followed by Q.

    Q(b) = (T r_b - r_(1-b)) / (T - 1) with T = e^epsilon0; for T = 1 both are r0 = r1.
    Raises DomainError if r0 and r1 are not epsilon0-indistinguishable.
    """
    T = exp_epsilon0
    if T == 1:
        require(r0 == r1, parameter="r1", value=r1, requirement="equal to r0 when epsilon0 = 0")
        return r0, r1
    return combination((T / (T - 1), r0), (-1 / (T - 1), r1)), combination((T / (T - 1), r1), (-1 / (T - 1), r0))


def left_over(r: Law, r0: Law, *, exp_epsilon0: Fraction) -> Law:
    """LO with r = r0/T + (1 - 1/T) LO, T = e^epsilon0 (proof of Theorem 3.2); for T = 1 any distribution would do, and r is returned.

    Raises DomainError if r and r0 are not epsilon0-indistinguishable in the direction that this needs.
    """
    T = exp_epsilon0
    if T == 1:
        require(r == r0, parameter="r", value=r, requirement="equal to r0 when epsilon0 = 0")
        return r
    return combination((T / (T - 1), r), (-1 / (T - 1), r0))


def left_over_of_two(r: Law, r0: Law, r1: Law, *, p: Fraction) -> Law:
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
    left_over: LO^(i)(z_(1:i-1), x), by step, history and data point. others: x_2, ..., x_n. kinds: the number of components.
    """

    components: Callable[[int, History], Sequence[Law]]
    left_over: Callable[[int, History, Any], Law]
    others: tuple[Any, ...]
    kinds: int = 2

    @property
    def n(self) -> int:
        """Number of users."""
        return len(self.others) + 1

    def placed(self, y: Sequence[int]) -> Law:
        """The distribution of the algorithm's output z_1, ..., z_n on y in {0, ..., kinds}^n, where `kinds` is what is left over.

        Raises DomainError on y of `kinds` alone, where the algorithm asks for an element of the empty set at its last step.
        """
        name, values = {2: "Algorithm 1", 3: "Algorithm 3"}[self.kinds], ", ".join(map(str, range(self.kinds + 1)))
        require(len(y) == self.n, parameter="y", value=y, requirement=f"{self.n} values in {values}")
        law: Distribution[tuple[History, frozenset[int]]] = Distribution.point(((), frozenset(range(len(self.others)))))
        for i, kind in enumerate(y):

            def step(state: tuple[History, frozenset[int]], i: int = i, kind: int = kind) -> Distribution[tuple[History, frozenset[int]]]:
                z, free = state
                if kind != self.kinds:
                    return self.components(i, z)[kind].map(lambda output: ((*z, output), free))
                if not free:
                    requirement = f"not all {self.kinds}: {name} has no element left to choose"
                    raise DomainError(parameter="y", value=tuple(y), requirement=requirement)
                return Distribution.uniform(sorted(free)).then(
                    lambda j: self.left_over(i, z, self.others[j]).map(lambda output: ((*z, output), free - {j}))
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

    def of_counts(self) -> Callable[[tuple[int, ...]], Law]:
        """f of Lemma 3.3, or Phi of Theorem 4.1, on counts: arrange them uniformly at random among n places, then run the algorithm."""

        @cache
        def f(counts: tuple[int, ...]) -> Law:
            base = tuple(kind for kind, number in enumerate((*counts, self.n - sum(counts))) for _ in range(number))
            return Distribution.uniform(sorted(set(permutations(base)))).then(self.placed)

        return f


def clones_of(randomizers: AdaptiveSequence, *, x0: Any, x1: Any, others: Sequence[Any], p: Fraction) -> Clones:
    """Algorithm 1's inputs for randomizers that satisfy equation (2) with this p. Raises DomainError (when used) if they do not."""

    def first(i: int, z: History) -> tuple[Law, Law]:
        randomizer = randomizers[i](z)
        return randomizer.law(x0), randomizer.law(x1)

    return Clones(first, lambda i, z, x: left_over_of_two(randomizers[i](z).law(x), *first(i, z), p=p), tuple(others))


def clones_of_binary_components(
    randomizers: AdaptiveSequence, *, x0: Any, x1: Any, others: Sequence[Any], exp_epsilon0: Fraction
) -> Clones:
    """Algorithm 1's inputs in the proof of Theorem 3.2: Q^(i) on x0 and x1, p = e^-epsilon0, any epsilon0-DP randomizers.

    The other data points may equal x0 or x1: each is read as a fresh element of the domain that is randomized alike.
    """

    def first(i: int, z: History) -> tuple[Law, Law]:
        randomizer = randomizers[i](z)
        return binary_components(randomizer.law(x0), randomizer.law(x1), exp_epsilon0=exp_epsilon0)

    return Clones(first, lambda i, z, x: left_over_of_two(randomizers[i](z).law(x), *first(i, z), p=1 / exp_epsilon0), tuple(others))
