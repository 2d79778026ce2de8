"""The exact distribution of the shuffled messages of a finite local randomizer, and its privacy profile over all neighbouring datasets.

One message each: the user with input x contributes the linear form L_x = sum over y of R(x)(y) t_y, and the shuffled messages, a count
for every outcome, have the distribution whose probabilities are the coefficients of the product of the users' forms. So a distribution is a
power product of polynomials, and two neighbouring datasets share all factors but one. All distributions of R are written over one common
denominator, so that everything is integer arithmetic (flint), with one division at the end; the last outcome's variable is 1, since the
degree is known.

Cost: a distribution of n users over k outcomes has binomial(n + k - 1, k - 1) coefficients; the worst pair takes that many for each of the
binomial(n + m - 2, m - 1) datasets of the other n - 1 users over m different inputs, times m (m - 1) ordered pairs.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import combinations_with_replacement, permutations
from typing import Any

from flint import Ordering, fmpz_mpoly_ctx

from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, about, require

LARGEST_DISTRIBUTION = 2_000_000
"""Coefficients of one distribution."""
LARGEST_SEARCH = 50_000_000
"""Coefficients over all pairs of a search: about a minute."""


@dataclass(frozen=True, kw_only=True)
class WorstPair:
    """The neighbouring datasets with the largest delta, for one e^epsilon.

    delta: of that pair, exact; dataset: how many users have each input, the changed user as `changed[0]`; changed: that user's two inputs,
    the divergence being that of the first from the second; pairs: how many ordered pairs were computed.
    """

    delta: Fraction
    dataset: tuple[int, ...]
    changed: tuple[int, int]
    pairs: int


class ShuffledRandomizer:
    """A finite local randomizer with one message a user, ready for exact distributions of any number of users."""

    def __init__(self, rows: Sequence[Sequence[Fraction]]) -> None:
        """rows: the distribution of each input over the same outcomes: at least one row, at least one outcome, exact, each summing to 1.

        Raises DomainError.
        """
        require(len(rows) > 0, parameter="rows", value=rows, requirement="at least one distribution")
        outcomes = len(rows[0])
        for row in rows:
            if len(row) != outcomes or not row or any(p < 0 for p in row) or sum(row) != 1:
                raise DomainError(parameter="rows", value=tuple(row), requirement=f"probabilities of {outcomes} outcomes with sum 1")
        self.rows, self.outcomes = tuple(tuple(Fraction(p) for p in row) for row in rows), outcomes
        self.denominator = reduce(math.lcm, (p.denominator for row in self.rows for p in row), 1)
        names = tuple(f"t{y}" for y in range(max(1, outcomes - 1)))
        self._ring = fmpz_mpoly_ctx.get(names, Ordering.degrevlex)
        self._forms = [self._form(row) for row in self.rows]

    def distribution(self, dataset: Sequence[int]) -> dict[tuple[int, ...], Fraction]:
        """The distribution of the shuffled messages. dataset: how many users have each input.

        Returns counts of the outcomes -> probability, exact.
        Raises DomainError, ResourceLimitError (more than LARGEST_DISTRIBUTION coefficients).
        """
        users = self._users(dataset)
        self._affordable(users, pairs=0)
        whole = self.denominator**users
        found = self._product(dataset).to_dict()
        return {self._counts(powers, users): Fraction(int(weight), whole) for powers, weight in found.items()}

    def delta(self, dataset: Sequence[int], *, changed: tuple[int, int], exp_epsilon: Fraction) -> Fraction:
        """Hockey-stick divergence of one ordered pair of neighbours, exact.

        dataset: how many of the *other* users have each input; changed: the changed user's input in the first and the second dataset;
        exp_epsilon: e^epsilon >= 1. Raises DomainError, ResourceLimitError.
        """
        users = self._users(dataset) + 1
        self._affordable(users, pairs=0)
        require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
        return self._divergence(self._product(dataset), changed, Fraction(exp_epsilon), users)

    def worst_pair(self, *, n: int, exp_epsilon: Fraction) -> WorstPair:
        """The largest delta over all neighbouring datasets of n users, exhausted, both directions: exactly the shuffled protocol's delta.

        The order of users does not matter after the shuffler, and inputs with the same distribution are one input, so datasets are
        multisets of different rows. n: users, at least 1; exp_epsilon: e^epsilon >= 1.
        Raises DomainError, ResourceLimitError (more than LARGEST_DISTRIBUTION coefficients in a distribution, or LARGEST_SEARCH in all).
        """
        require(n >= 1, parameter="n", value=n, requirement="at least 1")
        require(exp_epsilon >= 1, parameter="exp_epsilon", value=exp_epsilon, requirement="at least 1")
        order, different = Fraction(exp_epsilon), list(dict.fromkeys(self.rows))
        inputs = [self.rows.index(row) for row in different]
        pairs = math.comb(n + len(inputs) - 2, len(inputs) - 1) * len(inputs) * (len(inputs) - 1)
        self._affordable(n, pairs=pairs)
        best = WorstPair(delta=Fraction(0), dataset=self._histogram([inputs[0]] * n), changed=(inputs[0], inputs[0]), pairs=pairs)
        for others, product in self._datasets(inputs, n - 1):
            for changed in permutations(inputs, 2):
                delta = self._divergence(product, changed, order, n)
                if delta > best.delta:
                    best = WorstPair(delta=delta, dataset=self._histogram([*others, changed[0]]), changed=changed, pairs=pairs)
        return best

    def _datasets(self, inputs: Sequence[int], users: int) -> Iterator[tuple[tuple[int, ...], Any]]:
        """Every multiset of so many inputs with the product of its forms: that of a smaller multiset, times one form."""
        one = self._forms[0] ** 0
        known: Mapping[tuple[int, ...], Any] = {(): one}
        for size in range(1, users + 1):
            known = {chosen: known[chosen[:-1]] * self._forms[chosen[-1]] for chosen in combinations_with_replacement(inputs, size)}
        yield from known.items()

    def _divergence(self, others: Any, changed: tuple[int, int], exp_epsilon: Fraction, users: int) -> Fraction:
        first, second = (self._forms[x] for x in changed)
        gap = others * (first * exp_epsilon.denominator - second * exp_epsilon.numerator)
        positive = sum(int(weight) for weight in gap.coeffs() if weight > 0)
        return Fraction(positive, self.denominator**users * exp_epsilon.denominator)

    def _product(self, dataset: Sequence[int]) -> Any:
        result = self._forms[0] ** 0
        for form, users in zip(self._forms, dataset, strict=True):
            result *= form**users
        return result

    def _form(self, row: Sequence[Fraction]) -> Any:
        weights = [int(p * self.denominator) for p in row]
        variables: list[Any] = [*self._ring.gens()[: self.outcomes - 1], 1]
        form = self._ring.from_dict({})
        for weight, variable in zip(weights, variables, strict=True):
            form += weight * variable
        return form

    def _counts(self, powers: Sequence[int], users: int) -> tuple[int, ...]:
        first = tuple(int(power) for power in powers)[: self.outcomes - 1]
        return (*first, users - sum(first))

    def _histogram(self, inputs: Sequence[int]) -> tuple[int, ...]:
        return tuple(inputs.count(x) for x in range(len(self.rows)))

    def _users(self, dataset: Sequence[int]) -> int:
        if len(dataset) != len(self.rows) or any(users < 0 for users in dataset):
            raise DomainError(parameter="dataset", value=tuple(dataset), requirement=f"{len(self.rows)} counts of at least 0")
        return sum(dataset)

    def _affordable(self, users: int, *, pairs: int) -> None:
        coefficients = math.comb(users + self.outcomes - 1, self.outcomes - 1)
        if coefficients > LARGEST_DISTRIBUTION or coefficients * pairs > LARGEST_SEARCH:
            raise ResourceLimitError(
                what=f"exact distributions of {users} users over {self.outcomes} outcomes",
                needed=f"{about(coefficients)} coefficients, {about(max(pairs, 1))} times",
                limit=f"{LARGEST_DISTRIBUTION:.0e} coefficients, {LARGEST_SEARCH:.0e} in all",
            )
