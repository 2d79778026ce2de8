"""Named randomizers on one neighbouring pair, their reports merged into few output classes: a lower bound for the privacy of each of them.

A fixed function of every report commutes with the shuffler, so that the shuffled output classes reveal no more than the shuffled reports do
(data processing): whatever the output classes' counts reveal, the reports reveal. With three items or more the pair is (x_0, x_2, ..., x_2)
and (x_1, x_2, ..., x_2), and a report prefers an item to another where it is T = e^eps0 times as likely for the first. The output classes:
    narrow: prefers x_0 to both others; x_1 to both; x_2 to both; anything else.
    wide: prefers x_0 to x_1; x_1 to x_0; anything else.
Wide is taken where it reveals more per report, in the squared difference of the first two distributions over the distribution of the
others. With two items, with Laplace noise, in two Hadamard blocks, and where no report prefers x_0 to both, the others hold x_1, and the
output classes are: prefers x_0 to x_1, or not; for Laplace noise on [0, 1] of x_0 = 0 and x_1 = 1: at most ln(3 T/(2 T + 1))/eps0, or
above.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from shuffleproof.spec.bounds.exact_pair import answers, rational_exp
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, multinomial, with_one_more
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.exact import exact_distribution
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import RANDOMIZER_LOWER
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, epsilon0_parameter

Counts = tuple[int, ...]
Classes = tuple[Distribution[int], Distribution[int], Distribution[int]]
"""The distributions of a report's output class: of the special user's in the first dataset, in the second, and of any other user's."""
FOR_FIRST, FOR_SECOND, FOR_OTHERS, REST = range(4)
LARGEST_N = 25
"""The pair has about n^3/6 outcomes, built from n^4/24 terms: n = 25 takes seconds."""


def distribution_and_inputs(randomizer: NamedRandomizer, *, exp_epsilon0: Fraction) -> tuple[LocalRandomizer[int, Any], tuple[int, ...]]:
    """The distribution of a finite named randomizer, and its inputs x_0, x_1 and, with three items or more, x_2.

    Items beyond the third change neither the first three bits of unary encodings, nor how three items are hashed: these take three where k
    is not given. Hadamard response in two blocks takes two: each prefers the messages of a block of its own.
    Raises UnsupportedError, ResourceLimitError.
    """
    three = randomizer.noise or randomizer.three_inputs(Epsilon(None, exp_epsilon0)) is not None
    law = exact_distribution(randomizer, exp_epsilon0, most=3 if three else 2)
    return law, law.domain


def classes_of_distribution(laws: Sequence[Distribution[Any]], *, T: Fraction) -> Classes:
    """The distributions of the output classes, from the distributions of the reports of x_0, x_1 and, if there is one, x_2."""
    if len(laws) == 3:
        first, second, others = laws
        alone = sum((p for y, p in second.items() if first[y] == T * p and first[y] == T * others[y]), Fraction(0))
        shared = sum((p for y, p in second.items() if first[y] == T * p and others[y] == T * p), Fraction(0))
        if alone:
            wide = 0 < shared < alone and (alone + shared) ** 2 > alone * (alone + T * shared)
            rows = [law.map(lambda y: _output_class([each[y] for each in laws], T=T, wide=wide)) for law in laws]
            return rows[0], rows[1], rows[2]
    one, other = (law.map(lambda y: FOR_FIRST if laws[0][y] == T * laws[1][y] else REST) for law in laws[:2])
    return one, other, other


def classes_of_laplace(*, T: Fraction) -> Classes:
    """The classes: 0 or 1 with Laplace noise of scale 1/eps0 is at most t, or above; e^(eps0 t) = c = 3 T/(2 T + 1), 0 <= t <= 1/2."""
    c = 3 * T / (2 * T + 1)
    at_zero, at_one = 1 - 1 / (2 * c), c / (2 * T)
    one, other = (Distribution({FOR_FIRST: p, REST: 1 - p}) for p in (at_zero, at_one))
    return one, other, other


def classes_of_named(*, randomizer: NamedRandomizer, epsilon0: Number | Epsilon) -> Classes:
    """The distributions of the output classes of a randomizer by its name, exact.

    randomizer: a record of spec.vocabulary.randomizers; where k may be left out it then stands for
    three items or more; hash functions are uniform. epsilon0 in [0, 10000] with rational exponential, the square of a rational for
    "rappor". Raises DomainError, UnsupportedError, ResourceLimitError.
    """
    T = rational_exp(epsilon0_parameter(epsilon0), "epsilon0")
    if randomizer.noise:
        return classes_of_laplace(T=T)
    law, inputs = distribution_and_inputs(randomizer, exp_epsilon0=T)
    return classes_of_distribution([law.distribution(x) for x in inputs], T=T)


def pair(*, n: int, classes: Classes) -> tuple[Distribution[Counts], Distribution[Counts]]:
    """How many of n shuffled reports are of each output class, in both datasets. n: users, at least 1."""
    first, second, others = classes
    counts = multinomial(n - 1, [others[output_class] for output_class in range(4)])
    return with_one_more(counts, first), with_one_more(counts, second)


def _profiles(*, n: int, randomizer: NamedRandomizer, exp_epsilon0: Fraction) -> list[PrivacyProfile[Counts]]:
    """Every output class has positive probability under both distributions, or under neither."""
    return [PrivacyProfile(*pair(n=n, classes=classes_of_named(randomizer=randomizer, epsilon0=Epsilon(None, exp_epsilon0))))]


delta, epsilon, _ = answers(RANDOMIZER_LOWER, _profiles, largest_n=LARGEST_N)


def _output_class(masses: Sequence[Fraction], *, T: Fraction, wide: bool) -> int:
    """The output class of a report that has these masses under the distributions of x_0, x_1 and x_2."""
    for output_class in (FOR_FIRST, FOR_SECOND) if wide else (FOR_FIRST, FOR_SECOND, FOR_OTHERS):
        against = (1 - output_class,) if wide else [other for other in range(3) if other != output_class]
        if all(masses[output_class] == T * masses[other] for other in against):
            return output_class
    return REST
