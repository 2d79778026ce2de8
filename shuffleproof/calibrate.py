"""The least noise that is certified to meet a target (epsilon, delta), protocol by protocol; or the largest local epsilon0.

Each function returns a frozen record: the noise, exact, with what is certified on either side of it, and what the paper asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, get_args

from shuffleproof.impl.ball.numeric.budget import one_answer
from shuffleproof.keywords import by_keyword, own_arithmetic, own_names
from shuffleproof.spec.vocabulary.calibration import Calibration, PapersNoise
from shuffleproof.spec.vocabulary.errors import DomainError, as_named, require_one_of
from shuffleproof.spec.vocabulary.numerals import (
    LARGEST_EPSILON0,
    Epsilon,
    Number,
    as_given,
    count,
    decimal_text,
    parse_epsilon,
    probability,
    shortest,
)
from shuffleproof.spec.vocabulary.scope import COUNTED_OR_NOT, Relation

if TYPE_CHECKING:
    from shuffleproof.impl.ball.calibration.frequency import FrequencyCalibration
    from shuffleproof.impl.ball.calibration.real_sum import BestRuns

__dir__ = own_names(__name__)

FrequencyRandomizer = Literal["hadamard", "k-rr", "k-subset", "rappor", "asymmetric-rappor", "krr", "subset"]
"""What estimates frequencies; the last two are other names of the second and the third."""
AmplificationBound = Literal["best", "stronger-clones", "clones"]
_SEARCH = 2.0
"""What a calibration may cost, in answers of one bound: about a minute."""
_ALIASES = {"krr": "k-rr", "subset": "k-subset"}


@by_keyword
@own_arithmetic()
def zero_sum(*, n: Number, epsilon: Number | Epsilon, delta: Number, dishonest: Number = 0) -> Calibration:
    """The least expected noise n (1 - p) with which BC20's zero sum is (epsilon, delta)-DP: it and all larger ones up to n/2 meet that.

    n: users; epsilon: at least 0; delta: in [0, 1]; dishonest: how many users may send no noise, or reveal theirs.
    Raises DomainError, UndecidedError, ResourceLimitError (BC20.Thm3.1).

    >>> zero_sum(n=1000, epsilon=1, delta="1e-6").settings["p"]
    '0.96599944337836'
    """
    from shuffleproof.impl.ball.calibration import zero_sum as engine

    with one_answer(times=_SEARCH):
        return engine.calibrate(n=n, epsilon=epsilon, delta=delta, dishonest=dishonest)


@by_keyword
@own_arithmetic()
def histogram(*, n: Number, epsilon: Number | Epsilon, delta: Number, dishonest: Number = 0) -> Calibration:
    """The least expected noise n (1 - p) of every bin with which BC20's histogram is (epsilon, delta)-DP, for two bins or more.

    Parameters and errors as for `zero_sum`; the target is that of the whole histogram (BC20.Thm3.2).
    """
    from shuffleproof.impl.ball.calibration import histogram as engine

    with one_answer(times=_SEARCH):
        return engine.calibrate(n=n, epsilon=epsilon, delta=delta, dishonest=dishonest)


@by_keyword
@own_arithmetic()
def bit_sum(*, n: Number, epsilon: Number | Epsilon, delta: Number) -> Calibration:
    """The least lambda (expected number of random bits) with which CSUZZ19's bit sum is (epsilon, delta)-DP.

    Every larger lambda up to n meets the target too. n: users; epsilon: at least 0; delta: in [0, 1]. Raises DomainError, UndecidedError,
    ResourceLimitError (CSUZZ19.Def3.4.bit-sum).
    """
    from shuffleproof.impl.ball.calibration import bit_sum as engine

    with one_answer(times=_SEARCH):
        return engine.calibrate(n=n, epsilon=epsilon, delta=delta)


@by_keyword
@own_arithmetic()
def real_sum(
    *, n: Number, epsilon: Number | Epsilon, delta: Number, view: Literal["untagged", "tagged"], runs: Sequence[Number] | None = None
) -> BestRuns:
    """The least lambda with which CSUZZ19's real sum is (epsilon, delta)-DP, at each number r of bits a user, and the best r.

    view: whether the r runs of one-bit messages can be distinguished; runs: the r to look at, 1, 2, 4, ..., 64 if None. The best r has the
    smallest mean squared error on the worst dataset, rounding included. The rest as for `bit_sum`.
    """
    from shuffleproof.impl.ball.calibration import real_sum as engine

    require_one_of(view, ("untagged", "tagged"), parameter="view")
    return engine.calibrate(n=n, epsilon=epsilon, delta=delta, view=view, runs=runs or engine.RUNS)


@by_keyword
@own_arithmetic()
def frequency(
    *, randomizer: FrequencyRandomizer, n: Number, k: Number, epsilon: Number | Epsilon, delta: Number, bound: AmplificationBound = "best"
) -> FrequencyCalibration:
    """The largest local epsilon0 that is certified to give (epsilon, delta) after shuffling, with the exact worst error there.

    randomizer: what every user runs; n: users; k: items, at least 2; epsilon: at least 0; delta: above 0 and below 1; bound: what
    certifies the amplification: "clones" or "stronger-clones", for all epsilon0-DP randomizers, or "best", the largest of what the latter,
    the randomizer's own p, beta and q, and its whole distribution allow: the record says which, and whether float64 alone has met the
    target. Raises DomainError, UndecidedError, ResourceLimitError (FMT21, section 5.1; BEYOND.ThmF3, BEYOND.any-law-above).
    """
    from shuffleproof.impl.ball.calibration import frequency as engine

    name = require_one_of(as_named(randomizer, get_args(FrequencyRandomizer)), get_args(FrequencyRandomizer), parameter="randomizer")
    chosen = require_one_of(bound, get_args(AmplificationBound), parameter="bound")
    with one_answer(times=_SEARCH):
        own = _ALIASES.get(name, name)
        everybodys = "stronger-clones" if chosen == "best" else chosen
        found = engine.calibrate(randomizer=own, n=n, k=k, epsilon=epsilon, delta=delta, bound=everybodys)
    if chosen != "best":
        return found
    from shuffleproof.planning.advise.frequencies import improved

    return improved(found, epsilon=epsilon, delta=delta)


@by_keyword
@own_arithmetic()
def laplace_sum(*, n: Number, sensitivity: Number = 1, epsilon: Number | Epsilon, delta: Number) -> Calibration:
    """The least discrete Laplace noise, added in parts by n honest users, for a sum under secure aggregation to be (epsilon, delta)-DP.

    n: honest users, at least; sensitivity: by how much one user moves the sum; epsilon: above 0, at most 1000; delta: in [0, 1). value: the
    scale of the noise, sensitivity/epsilon0, which falls with epsilon0. Raises DomainError, UndecidedError (BEYOND.laplace-sum).

    >>> laplace_sum(n=100, epsilon=1, delta="1e-6").settings["epsilon0"]
    '1.0000013'
    """
    from shuffleproof.impl.ball.calibration.least_noise import largest_epsilon0

    count(n, parameter="n")
    local, fails = largest_epsilon0(sensitivity=sensitivity, epsilon=epsilon, delta=delta)
    scale = count(sensitivity, parameter="sensitivity") / local
    return _found(
        "laplace-sum",
        "scale of the noise",
        value=scale,
        noisiest="any larger scale",
        fails_at=count(sensitivity, parameter="sensitivity") / fails,
        expected_noise=scale,
        settings={"epsilon0": shortest(local)},
        inputs=as_given(n=n, sensitivity=sensitivity, eps=epsilon, delta=delta),
    )


@by_keyword
@own_arithmetic()
def fake_users(*, n: Number, p: Number = "1/2", epsilon: Number | Epsilon, delta: Number) -> Calibration:
    """The fewest fake users whose noise the shuffler adds to a histogram for it to be (epsilon, delta)-DP; more of them meet it too.

    n: users, who send no noise and change nothing; p: with which a fake user adds a message to each bin, in (0, 1); epsilon: at least 0;
    delta: above 0 and below 1. Raises DomainError, UndecidedError, ResourceLimitError, UnsupportedError (BEYOND.fake-users).

    >>> fake_users(n=1000, epsilon=1, delta="1e-6").settings["fakes"]
    '148'
    """
    from shuffleproof.impl.ball.calibration.least_noise import fewest_fakes

    count(n, parameter="n")
    with one_answer(times=_SEARCH):
        value, fails = fewest_fakes(p=p, epsilon=epsilon, delta=delta)
    return _found(
        "fake-users",
        "fakes",
        value=value,
        noisiest="any number of them",
        fails_at=fails,
        expected_noise=value * probability(p, parameter="p"),
        settings={"fakes": str(value), "p": shortest(probability(p, parameter="p"))},
        inputs=as_given(n=n, p=p, eps=epsilon, delta=delta),
    )


@by_keyword
@own_arithmetic()
def binomial_sum(*, n: Number, sensitivity: Number = 1, p: Number = "1/2", epsilon: Number | Epsilon, delta: Number) -> Calibration:
    """The fewest coins that each of n honest users adds to a sum under secure aggregation for it to be (epsilon, delta)-DP.

    n: honest users, at least; sensitivity: by how much one user moves the sum; p: of heads, in (0, 1); epsilon: at least 0; delta: above 0
    and below 1. More coins meet it too. Raises DomainError, UnsupportedError, UndecidedError, ResourceLimitError (BEYOND.binomial-sum).

    >>> binomial_sum(n=10, epsilon=1, delta="1e-6").settings["coins"]
    '8'
    """
    from shuffleproof.impl.ball.calibration.least_noise import fewest_coins

    users, heads = count(n, parameter="n"), probability(p, parameter="p")
    with one_answer(times=_SEARCH):
        value, fails = fewest_coins(n=users, sensitivity=sensitivity, p=heads, epsilon=epsilon, delta=delta)
    return _found(
        "binomial-sum",
        "coins of each user",
        value=value,
        noisiest="any number of them",
        fails_at=fails,
        expected_noise=value * users * heads,
        settings={"coins": str(value), "p": shortest(heads)},
        inputs=as_given(n=n, sensitivity=sensitivity, p=p, eps=epsilon, delta=delta),
    )


@by_keyword
@own_arithmetic()
def discrete_gaussian_sum(*, n: Number, sensitivity: Number = 1, epsilon: Number | Epsilon, delta: Number) -> Calibration:
    """The least variance of the discrete Gaussian that each of n honest users adds to a sum under secure aggregation.

    n: honest users, at least; sensitivity: by how much one user moves the sum; epsilon: above 0; delta: above 0 and below 1. value is
    certified to be enough, fails_at not to be; nothing is claimed of larger variances than value. Below about 1/4 each user's noise is
    nearly always 0: scale the data up, and the sensitivity with them. Raises DomainError, UnsupportedError, UndecidedError,
    ResourceLimitError (BEYOND.discrete-gaussian-sum).

    >>> discrete_gaussian_sum(n=100, sensitivity=10, epsilon=1, delta="1e-6").settings["variance"][:5]
    '17.84'
    """
    from shuffleproof.impl.ball.calibration.least_noise import least_variance

    users = count(n, parameter="n")
    with one_answer(times=_SEARCH):
        value, fails = least_variance(n=users, sensitivity=sensitivity, epsilon=epsilon, delta=delta)
    return _found(
        "discrete-gaussian-sum",
        "variance of each user",
        value=value,
        noisiest=None,
        fails_at=fails,
        expected_noise=value * users,
        settings={"variance": shortest(value)},
        inputs=as_given(n=n, sensitivity=sensitivity, eps=epsilon, delta=delta),
    )


@by_keyword
@own_arithmetic()
def split_and_mix(*, n: Number, modulus: Number, sensitivity: Number = 1, epsilon: Number | Epsilon, delta: Number) -> Calibration:
    """A number of shares of each user with which a sum by split and mix is shown to be (epsilon, delta)-DP, its noise being pure.

    The noise is that of epsilon0 = epsilon, so that all of delta is left to what shuffled shares show beyond their sum. n: honest users, at
    least; modulus: q; sensitivity: by how much one user moves the sum; epsilon: above 0; delta: above 0 and below 1. One share
    less is not shown to meet it; of more nothing is claimed. Raises DomainError, UnsupportedError (BEYOND.split-and-mix).

    >>> split_and_mix(n=1000, modulus=2**32, epsilon=1, delta="1e-6").settings["messages"]
    '9'
    """
    from shuffleproof.impl.ball.calibration.least_noise import fewest_messages, recalled_messages

    central = parse_epsilon(epsilon, maximum=LARGEST_EPSILON0).bounds(bits=64)[0]
    if not central > 0:
        raise DomainError(parameter="epsilon", value=str(epsilon), requirement="above 0")
    value = fewest_messages(n=n, modulus=modulus, epsilon=epsilon, delta=delta)
    recalled = recalled_messages(n=n, modulus=modulus, epsilon=epsilon, delta=delta)
    ends = None if recalled is None else Fraction(recalled)
    fails = None if ends else f"n = {n} is below 19"
    paper = PapersNoise(statement="BEYOND.BBGN20-messages", lower=ends, upper=ends, fails=fails, recalled=True)
    return _found(
        "split-and-mix",
        "messages of each user",
        value=value,
        noisiest=None,
        fails_at=None,
        expected_noise=Fraction(count(sensitivity, parameter="sensitivity")) / central,
        settings={"messages": str(value), "epsilon0": decimal_text(central, digits=12, direction="down")},
        paper=paper,
        inputs=as_given(n=n, modulus=modulus, sensitivity=sensitivity, eps=epsilon, delta=delta),
    )


def _found(
    protocol: str,
    parameter: str,
    *,
    value: Fraction | int,
    noisiest: str | None,
    fails_at: Fraction | int | None,
    expected_noise: Fraction,
    settings: dict[str, str],
    inputs: dict[str, str],
    paper: PapersNoise | None = None,
) -> Calibration:
    """State the result of a protocol nearby: as a rule no paper's noise is followed there; the statement has the protocol's name."""
    return Calibration(
        protocol=protocol,
        parameter=parameter,
        statement=f"BEYOND.{protocol}",
        value=Fraction(value),
        noisiest=noisiest,
        fails_at=None if fails_at is None else Fraction(fails_at),
        expected_noise=expected_noise,
        paper=paper or PapersNoise(),
        settings=settings,
        inputs=inputs,
    )


@by_keyword
@own_arithmetic()
def user_histogram(
    *, threshold: Number, domain_size: Number, relation: Relation, epsilon: Number | Epsilon, delta: Number | None = None
) -> Calibration:
    """The least noise on every item with which clipped sums of users' histograms are (epsilon, delta)-DP, for any number of users.

    threshold: where each user's histogram is clipped, in l2, or in l1 where there is no delta; domain_size: items; relation: which datasets
    are neighbours; delta: with it Gaussian noise, without it Laplace noise, and pure. Raises DomainError, RegimeError, UndecidedError
    (LSZKG22, Algorithm 1).
    """
    from shuffleproof.impl.ball.calibration import user_histogram as engine

    if relation not in COUNTED_OR_NOT:
        raise DomainError(parameter="relation", value=relation, requirement="Relation.REPLACE_ONE or Relation.ADD_REMOVE")
    return engine.calibrate(threshold=threshold, domain_size=domain_size, relation=relation, epsilon=epsilon, delta=delta)
