"""A whole privacy profile at once."""

from collections.abc import Iterable

from shuffleproof.bounds import answer
from shuffleproof.keywords import by_keyword, own_arithmetic, own_names
from shuffleproof.mechanisms.brackets import Answers
from shuffleproof.methods import method_named
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.methods import MethodName
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, epsilon0_parameter, parse_epsilon

__dir__ = own_names(__name__)


@by_keyword
@own_arithmetic()
def privacy_profile(
    *, n: Number, epsilon0: Number | Epsilon, epsilons: Iterable[Number | Epsilon], method: MethodName = "stronger-clones"
) -> Answers[Bound]:
    """The delta of the shuffled messages of n users at each epsilon, with sound sides in float64.

    n: users, an integer from 1 to 10^18; epsilon0: local parameter in [0, 10000]; epsilons: central parameters, each at least 0;
    method: one that bounds all epsilon0-DP randomizers, such as "stronger-clones" or "clones", which mostly answer to 9 digits.
    Returns `Answers`, which print, plot and make tables: one Bound for each epsilon, in their order; its claim says which side of the truth
    it is on.
    Raises DomainError before any work starts, RegimeError, UnsupportedError, UndecidedError or ResourceLimitError (FMT21, Theorem 3.2).

    >>> [bound.decimals(digits=8)[1] for bound in privacy_profile(n=10**6, epsilon0=1, epsilons=["0.004", "0.005"])]
    ['2.5742051e-7', '1.0414702e-8']
    """
    points = list(epsilons)
    method_named(method)
    count(n, parameter="n")
    epsilon0_parameter(epsilon0)
    for epsilon in points:
        parse_epsilon(epsilon)
    asked = ({"n": n, "epsilon0": epsilon0, "epsilon": epsilon} for epsilon in points)
    answers = tuple(answer(quantity="delta", parameters=each, method=method, engine="fast").bound for each in asked)
    return Answers(over="epsilon", points=tuple(as_given(x=each)["x"] for each in points), answers=answers, shape=(len(points),))
