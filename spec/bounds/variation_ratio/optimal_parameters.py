"""p, beta and q of a randomizer, from its own exact distribution, and the optimal pair with them.

>>> from shuffleproof.spec.randomizers.k_rr import KRR
>>> delta(n=3, randomizer=KRR(k=3), epsilon0="ln 4", epsilon="ln 2").upper
Fraction(361, 1728)
"""

from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, TypeVar

from shuffleproof.spec.bounds.exact_pair import answers, rational_exp, require_enumerable
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import LARGEST_N, Counts, Parameters, profiles_of
from shuffleproof.spec.distribution import PrivacyProfile, total_variation
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.blanket import pair_parameters
from shuffleproof.spec.randomizers.exact import exact_distribution
from shuffleproof.spec.vocabulary.errors import RegimeError, require
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import RANDOMIZER_PAIR
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer, half_power
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, epsilon0_parameter

X = TypeVar("X", bound=Hashable)
Y = TypeVar("Y", bound=Hashable)


def of_distribution(randomizer: LocalRandomizer[X, Y]) -> Parameters:
    """p = q, the largest likelihood ratio of any two distributions, and beta, their largest total variation: for all datasets.

    Raises RegimeError where a message of one input is impossible for another: then no other user hides it, and no q is enough.
    """
    p, beta = pair_parameters(randomizer)
    if p is None:
        raise RegimeError(
            statement=RANDOMIZER_PAIR.statement,
            condition="R_0, R_1 <= q R_k for some q",
            given="a randomizer with a message that is possible for some inputs only",
            advice="give p, beta and q of the datasets in question yourself",
        )
    return Parameters(p, beta, p)


def of_users(randomizers: Sequence[LocalRandomizer[Any, Any]], *, names: Sequence[str] | None = None) -> Parameters:
    """p, beta and q where every user has a randomizer of their own: for all datasets and all neighbours.

    randomizers: one for each of at least two users. p and beta: the largest of any user's distributions; q: the largest likelihood ratio of
    one user's distribution to another user's. names: what a refusal calls the users; their places, from 0 on, if None.
    Raises DomainError; RegimeError where one user may send what another never does: epsilon0 alone says nothing then (BEYOND.Scope-users).
    """
    require(len(randomizers) >= 2, parameter="randomizers", value=len(randomizers), requirement="one for each of at least two users")
    most = [{y: max(each.distribution(x)[y] for x in each.domain) for y in each.messages} for each in randomizers]
    least = [{y: min(each.distribution(x)[y] for x in each.domain) for y in each.messages} for each in randomizers]
    q = Fraction(1)
    for i, j in permutations(range(len(randomizers)), 2):
        for y, probability_of_i in most[i].items():
            if not least[j].get(y):
                one, two = (i, j) if names is None else (names[i], names[j])
                raise RegimeError(
                    statement=RANDOMIZER_PAIR.statement,
                    condition="R_0, R_1 <= q R_k for some q and every other user k",
                    given=f"messages of user {one} that user {two} never sends, whatever the input or at one of them",
                    advice="whoever sees them knows whose they are, and what epsilon0 alone bounds does not hold (two users with 2RR, one "
                    "on {0, 1}, one on {2, 3}: at e^eps0 = 4 and e^eps = 2 delta is 2/5, that of the stronger clones 8/25, "
                    "BEYOND.Scope-users): let all users choose from the same messages",
                )
            q = max(q, probability_of_i / least[j][y])
    # Every `least` is positive: it was compared with another user's `most`, and that with it.
    p = max(most_of_it / least[i][y] for i, of_user in enumerate(most) for y, most_of_it in of_user.items())
    distances = [
        total_variation(each.distribution(x), each.distribution(z))
        for each in dict.fromkeys(randomizers)
        for x, z in combinations(each.domain, 2)
    ]
    return Parameters(p, max(distances, default=Fraction(0)), q)


def of_named(*, randomizer: NamedRandomizer, epsilon0: Number | Epsilon) -> Parameters:
    """p, beta and q of a randomizer by its name, exact: from its distribution if that is finite; by TV = 1 - e^(-eps0/2) for Laplace noise.

    randomizer: a record of spec.vocabulary.randomizers; epsilon0 in [0, 10000] with rational
    exponential, the square of a rational for "rappor" and "laplace". Local hashing is taken where hash functions never collide, which
    is where its distributions are furthest apart. Raises DomainError, UnsupportedError, ResourceLimitError.
    """
    T = rational_exp(epsilon0_parameter(epsilon0), "epsilon0")
    if randomizer.noise:
        return Parameters(T, 1 - 1 / half_power(T, randomizer.name), T)
    furthest = randomizer.furthest
    return of_distribution(exact_distribution(furthest, T, most=2 if furthest.for_items else None))


def _profiles(*, n: int, randomizer: NamedRandomizer, exp_epsilon0: Fraction) -> list[PrivacyProfile[Counts]]:
    """p is finite: both distributions have one support."""
    require_enumerable(n, LARGEST_N)
    return profiles_of(of_named(randomizer=randomizer, epsilon0=Epsilon(None, exp_epsilon0)), n)


delta, epsilon, renyi = answers(RANDOMIZER_PAIR, _profiles)
