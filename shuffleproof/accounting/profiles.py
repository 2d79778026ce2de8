"""A whole privacy profile at once: what depends on n and epsilon0 alone is computed once for all its points."""

from collections.abc import Iterable
from typing import Literal

from shuffleproof.bounds import answer
from shuffleproof.keywords import by_keyword, own_arithmetic, own_names
from shuffleproof.mechanisms.brackets import Answers
from shuffleproof.methods import Functions, engines_for, functions, method_named
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import UnsupportedError
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
    method: one that bounds all epsilon0-DP randomizers, such as "stronger-clones" or "clones". These two answer from tables that are made
    once, mostly to 13 digits; where tables do not reach, and for other methods, points are answered one by one.
    Returns `Answers`, which print, plot and make tables: one Bound for each epsilon, in their order; its claim says which side of the truth
    it is on.
    Raises DomainError before any work starts, RegimeError, UnsupportedError, UndecidedError or ResourceLimitError (FMT21, Theorem 3.2).

    >>> [bound.decimals(digits=12)[1] for bound in privacy_profile(n=10**6, epsilon0=1, epsilons=["0.004", "0.005"])]
    ['2.57420502062e-7', '1.0414701726e-8']
    """
    points = list(epsilons)
    method_named(method)
    count(n, parameter="n")
    epsilon0_parameter(epsilon0)
    for epsilon in points:
        parse_epsilon(epsilon)
    answers = tuple(tabulated(quantity="delta", n=n, epsilon0=epsilon0, central=epsilon, method=method) for epsilon in points)
    return Answers(over="epsilon", points=tuple(as_given(x=each)["x"] for each in points), answers=answers, shape=(len(points),))


def tabulated(
    *, quantity: Literal["delta", "epsilon"], n: Number, epsilon0: Number | Epsilon, central: Number | Epsilon, method: str
) -> Bound:
    """One point, by tables where the method has them and they reach, else by engine "fast"; the same in any order of the points."""
    chosen = method_named(method)
    tables = functions(chosen, "fast") if "fast" in engines_for(chosen, quantity) else Functions()
    try:
        if quantity == "epsilon" and tables.inverse_profile is not None:
            return tables.inverse_profile(n=n, epsilon0=epsilon0, deltas=[central])[0]
        if quantity == "delta" and tables.profile is not None:
            return tables.profile(n=n, epsilon0=epsilon0, epsilons=[central])[0]
    except UnsupportedError:
        pass  # the engine without tables, or balls, may be able to answer
    third = "delta" if quantity == "epsilon" else "epsilon"
    return answer(quantity=quantity, parameters={"n": n, "epsilon0": epsilon0, third: central}, method=method, engine="fast").bound
