"""The questions delta(epsilon), epsilon(delta) and Renyi divergence, put to a method by name, carried out by an engine that can answer."""

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack, cast

from shuffleproof.answering import MOST_DIGITS, Answer, EngineChoice, OfRandomizer, answer_by, below, given, not_given
from shuffleproof.keywords import by_keyword, own_names
from shuffleproof.methods import METHODS
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.errors import (
    DomainError,
    RegimeError,
    ResourceLimitError,
    ShuffleproofError,
    UndecidedError,
    UnsupportedError,
)
from shuffleproof.spec.vocabulary.methods import MethodName
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count
from shuffleproof.spec.vocabulary.parameters import CENTRAL, DELTA0, EPSILON0, ORDER, SIGMA, Given, N
from shuffleproof.spec.vocabulary.randomizers import RANDOMIZER, SIZES, completed, of_given

if TYPE_CHECKING:
    from shuffleproof.mechanisms.brackets import Bracket

__dir__ = own_names(__name__)


class OfMethod(OfRandomizer, total=False):
    """Lists what methods take beside n and the central parameter; None is as if left out.

    epsilon0: local parameter in [0, 10000], for the methods that bound all epsilon0-DP randomizers. delta0: their local delta in [0, 1],
    for the methods for (epsilon0, delta0)-DP randomizers. k: number of categories, for k-ary randomized response. p: noise parameter in
    [0, 1], for methods "zero-sum" and "histogram"; for method "optimal-pair" the bound on the likelihood ratio of the two distributions
    that differ, at least 1 or "infinity", beside beta, the bound on their total variation, and q, on their ratio to any other user's
    distribution (round all three up). lam: lambda in [0, n], for the bit sum and the real sums; r: bits per user, for the real sums.
    dishonest: how many users send no noise, or reveal theirs, for methods "zero-sum" and "histogram". changed: 1 or 2, for the coordinate
    sums. sensitivity: by how much one user moves the sum, for methods "laplace-sum", "binomial-sum" and "discrete-gaussian-sum", coins and
    variance: what each user adds, for the last two; fakes: fake users, for "fake-users"; messages and
    modulus: of shares, for "split-and-mix", which takes the sensitivity too; sigma: standard deviation of
    Gaussian noise on [0, 1], for methods "gaussian-blanket", "gaussian-place" and "gaussian-homogeneous".
    """

    epsilon0: Number | Epsilon | None
    delta0: Number | None
    p: Number | None
    beta: Number | None
    q: Number | None
    lam: Number | None
    r: Number | None
    dishonest: Number | None
    changed: Number | None
    sensitivity: Number | None
    fakes: Number | None
    coins: Number | None
    messages: Number | None
    modulus: Number | None
    variance: Number | None
    sigma: Number | None


@by_keyword
def delta(
    *,
    n: Number,
    epsilon: Number | Epsilon,
    method: MethodName | None = None,
    engine: EngineChoice = "auto",
    digits: Number | None = None,
    **own: Unpack[OfMethod],
) -> Bound:
    """The delta for which the shuffled messages of n users are (epsilon, delta)-DP, by a named method.

    n: users, an integer from 1 to 10^18. epsilon: central parameter, at least 0. Texts such as "1e-6" and "ln 3" are exact. own: epsilon0
    or whatever else the method takes: see `OfMethod`. method: a name from `shuffleproof bound list`; if None, the least bound of those
    that are cheap (`shuffleproof.default_choice`): the result says by which. engine: "auto" (exact where that is cheap, else certified
    balls, or float64 where balls would take too long and at most six digits are asked for), "exact", "ball" or "fast" (float64; balls
    answer where it cannot guarantee a side). digits: significant digits of the certified engine, 15 if None; where no method is named and
    one with fewer digits has a smaller bound, that is the answer.
    Returns a Bound; its claim says which side of the truth it is on.
    Raises DomainError, RegimeError, UnsupportedError, UndecidedError or ResourceLimitError; TypeError for an argument that no method takes.
    """
    parameters = {"n": n, **given(OfMethod, own, to=delta), "epsilon": epsilon}
    return answer(quantity="delta", parameters=parameters, method=method, engine=engine, digits=digits).bound


@by_keyword
def epsilon(
    *,
    n: Number,
    delta: Number,
    method: MethodName | None = None,
    engine: EngineChoice = "auto",
    digits: Number | None = None,
    **own: Unpack[OfMethod],
) -> Bound:
    """The least epsilon for which the shuffled messages of n users are (epsilon, delta)-DP, by a named method.

    delta: in [0, 1], exact as text. The other parameters, the result and the errors are those of `delta`.
    """
    parameters = {"n": n, **given(OfMethod, own, to=epsilon), "delta": delta}
    return answer(quantity="epsilon", parameters=parameters, method=method, engine=engine, digits=digits).bound


@by_keyword
def renyi(
    *,
    n: Number,
    order: Number,
    method: MethodName | None = None,
    engine: EngineChoice = "auto",
    digits: Number | None = None,
    **own: Unpack[OfMethod],
) -> Bound:
    """The Renyi divergence, of an order above 1, that the shuffled messages of n users have at most (at least, for a lower bound).

    order: any number above 1, at most 10^6 (an integer for engine "exact"); digits: significant digits of the certified engine, 12 if None.
    The other parameters are those of `delta`; `shuffleproof bound list` says which methods answer.
    Returns a Bound; its claim says which side of the truth it is on. Raises what `delta` raises, RegimeError where every one is infinite.
    """
    parameters = {"n": n, **given(OfMethod, own, to=renyi), "order": order}
    return answer(quantity="renyi", parameters=parameters, method=method, engine=engine, digits=digits).bound


def answer(
    *,
    quantity: Quantity,
    parameters: Given,
    method: str | None = None,
    engine: str = "auto",
    digits: Number | None = None,
    or_fewer: bool = False,
    hand_over: bool = True,
) -> Answer:
    """`delta`, `epsilon` or `renyi` by the name of the quantity, with a word on which engine stepped in. Domains and errors are theirs.

    method: any name that is offered, or None for the least bound of those that are cheap; the rest as for `answering.answer_by`.
    """
    if method is None:
        # What all methods share is read here, once: they are asked with exact values, and results repeat what was typed.
        shared = [each for each in (N, EPSILON0, DELTA0, SIGMA, CENTRAL[quantity]) if each.name in parameters]
        typed = {each.name: parameters[each.name] for each in shared}
        if quantity == "renyi" and {*parameters} != {N.name, EPSILON0.name, ORDER.name}:  # of all randomizers that takes seconds
            bracket = renyi_bracket(parameters, engine=engine, digits=digits)
            if bracket is not None:
                return Answer(bound=bracket.upper)
        exact = {**parameters, **{each.name: each.read(typed[each.name], parameters) for each in shared}}
        if RANDOMIZER.name in parameters:
            with suppress(DomainError):  # the method that is asked says what is wrong
                exact |= {name: value for name, value in vars(of_given(parameters)).items() if value is not None}
        wanted = None if digits is None else count(digits, parameter="digits", maximum=MOST_DIGITS)
        asked = _least(quantity, exact, typed, engine=engine, digits=wanted, or_fewer=or_fewer)
        if wanted is None or engine != "auto" or not _more_without(quantity, exact, wanted):
            return asked
        least = _least(quantity, exact, typed, engine=engine, digits=None, or_fewer=or_fewer)
        return replace(least, in_digits=asked.bound) if below(least.bound, asked.bound) else asked
    return answer_by(
        quantity=quantity, parameters=parameters, method=method, engine=engine, digits=digits, or_fewer=or_fewer, hand_over=hand_over
    )


def _more_without(quantity: Quantity, parameters: Given, digits: int) -> bool:
    """Return whether methods answer without digits that are not asked for so many."""
    from shuffleproof.default_choice import candidates

    many, any_number = ({each.method for each in candidates(quantity, parameters, digits=d) if each.cheap} for d in (digits, None))
    return not any_number <= many


def renyi_bracket(parameters: Given, *, engine: str = "auto", digits: Number | None = None) -> "Bracket | None":
    """The Renyi divergence of shuffled reports from both sides, as their object answers it.

    parameters: n, order, and what says which randomizer it is: epsilon0 alone, sigma alone, or a named one's; None where they say something
    else. Domains and errors are those of `renyi`.
    """
    from shuffleproof.mechanisms.mechanism import shuffled
    from shuffleproof.mechanisms.randomizers import randomizer_of

    own = {name: value for name, value in completed(parameters).items() if name not in (N.name, ORDER.name)}
    named = {RANDOMIZER.name, EPSILON0.name} <= {*own} <= {RANDOMIZER.name, EPSILON0.name, *(each.name for each in SIZES)}
    if {*own} not in ({EPSILON0.name}, {SIGMA.name}) and not named:
        return None  # the method that is asked says what is missing or too much
    reports = shuffled(randomizer_of(own), cast(Number, parameters[N.name]))
    return reports.renyi(order=cast(Number, parameters[ORDER.name]), engine=cast(EngineChoice, engine), digits=digits)


def _least(quantity: Quantity, parameters: Given, typed: Given, *, engine: str, digits: int | None, or_fewer: bool) -> Answer:
    """The least bound of the methods that are asked where none is named. Raises what the first one raised if none answers.

    typed: as what those of the parameters were given that have been read.
    """
    from shuffleproof.default_choice import candidates

    found: list[Answer] = []
    refusals: list[ShuffleproofError] = []
    for each in candidates(quantity, parameters, engine=engine, digits=digits):
        if found and not each.cheap:
            break
        for needed in METHODS[each.method].parameters:
            if needed.name not in each.parameters:
                raise not_given(needed.name, beside=parameters, method=None)
        try:
            asked = answer_by(
                quantity=quantity,
                parameters=each.parameters,
                method=each.method,
                engine=each.engine if engine == "auto" else engine,
                hand_over=engine != "auto" or each.hands_over,
                digits=digits,
                or_fewer=or_fewer,
                typed=typed,
            )
        except (RegimeError, UnsupportedError, UndecidedError, ResourceLimitError) as refusal:
            refusals.append(refusal)
        else:
            found.append(asked)
    if not found:
        raise refusals[0]
    return min(found, key=lambda each: (each.bound.shown_upper, each.bound.upper))
