"""How far the estimates of a plan's questions are off, at most: certified where a question's randomizer or protocol has a known error."""

from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from shuffleproof.mechanisms.mechanism import Mechanism, Shuffled
from shuffleproof.mechanisms.protocols import (
    AsymmetricCoordinateSums,
    BinomialSum,
    BitSum,
    CoordinateSums,
    DiscreteGaussianSum,
    FakeUsers,
    Histogram,
    LaplaceSum,
    RealSum,
    SplitAndMix,
    ZeroSum,
)
from shuffleproof.mechanisms.randomizers import KRR, RAPPOR, AsymmetricRAPPOR, Gaussian, Laplace, NamedRandomizer
from shuffleproof.planning.plan.schema import Question, Round
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, decimal_text, epsilon0_parameter, exact_fraction

_ERRORS = "BEYOND.estimate-errors"
_HASHED = "the count of each item's coordinate, with all that is hashed to it"
_ANY_K = 2
"""Where the error of one item does not depend on how many there are."""
_SHOWN = 4
"""Significant digits of a standard deviation: it is read beside a number of users."""


@dataclass(frozen=True, kw_only=True)
class Utility:
    """Says how far off an estimate may be.

    error: upper bound on the standard deviation of the unbiased estimate of a count or a sum over all users, on the worst dataset, where
    all of them are honest; of: what is estimated; users: over how many; statement: what it rests on."""

    error: Fraction
    of: str
    users: int
    statement: str

    def __str__(self) -> str:
        error = decimal_text(self.error, digits=_SHOWN, direction="up")
        return f"{self.of} over {self.users:,} users, standard deviation at most {error}, where all are honest"


def how_well(known: Utility | None) -> str:
    """How far the estimate of one release is off, in words."""
    return "no certified error is known of its estimate" if known is None else str(known)


def utility(round_: Round, question: Question) -> Utility | None:
    """The certified error of a question's estimate in one release; None where none is known here, or nothing can be estimated."""
    from shuffleproof.impl.release.accuracy import square_root_above

    try:
        known = _variance(question, round_.users)
    except DomainError:  # nothing can be estimated from messages that say nothing
        return None
    if known is None:
        return None
    variance, of, statement = known
    if round_.rate < 1:  # a user who stays away counts 0, the others 1/rate; fake users are there all the same
        own = variance / round_.rate if question.kind == "fake-users" else variance
        largest = count(getattr(question.one, "sensitivity", 1), parameter="sensitivity") ** 2
        variance = (own + round_.users * largest * (1 - round_.rate)) / round_.rate
    if question.coordinates and question.kind in ("rappor", "asymmetric-rappor"):
        of = _HASHED
    return Utility(error=square_root_above(variance), of=of, users=round_.users, statement=statement)


def _variance(question: Question, n: int) -> tuple[Fraction, str, str] | None:
    from shuffleproof.impl.release import accuracy

    one = question.one
    if isinstance(one, Shuffled):
        return _of_reports(one, n)
    if isinstance(one, AsymmetricCoordinateSums):
        return _of_frequencies("asymmetric-rappor", _ANY_K, n, epsilon0_parameter(one.epsilon0))
    if isinstance(one, CoordinateSums):
        bit = epsilon0_parameter(one.epsilon0).bounds(bits=128)[0] / count(one.changed, parameter="changed")
        return accuracy.randomized_response_error(n=n, epsilon0=Epsilon(bit, None)), "each item's count", _ERRORS
    if isinstance(one, BitSum):
        lam = exact_fraction(one.lam, parameter="lam") * n / count(one.n, parameter="n")
        return accuracy.bit_sum_error(n=n, lam=lam), "the sum of bits", "CSUZZ19.ClmB.2"
    if isinstance(one, RealSum):
        lam, r = exact_fraction(one.lam, parameter="lam") * n / count(one.n, parameter="n"), count(one.r, parameter="r")
        return accuracy.sum_deviations(n=n, lam=lam, r=r, beta=Fraction(1, 2))[0] ** 2, "the sum of numbers", _ERRORS
    if isinstance(one, FakeUsers) or question.kind == "fake-users":
        return _of_noise(ZeroSum(n=question.fakes, p=one.p), question.fakes, "each item's count")  # type: ignore[attr-defined]
    if isinstance(one, LaplaceSum | SplitAndMix):
        unit = epsilon0_parameter(one.epsilon0).bounds(bits=128)[0] / count(one.sensitivity, parameter="sensitivity")
        alone = accuracy.randomized_response_error(n=2, epsilon0=Epsilon(unit, None))  # 2 a/(1 - a)^2, a = e^-unit
        return alone * n / question.parts, "the sum of integers", f"BEYOND.{one.method}"
    if isinstance(one, BinomialSum):
        coins, p = count(one.coins, parameter="coins"), exact_fraction(one.p, parameter="p")
        return n * coins * p * (1 - p), "the sum of integers", "BEYOND.binomial-sum"
    if isinstance(one, DiscreteGaussianSum):  # a discrete Gaussian's variance is at most its parameter
        return n * exact_fraction(one.variance, parameter="variance"), "the sum of integers", "BEYOND.discrete-gaussian-sum"
    return _of_noise(one, n, "the sum of bits" if question.kind == "zero-sum" else "each item's count")


def _of_noise(one: Mechanism, n: int, of: str) -> tuple[Fraction, str, str] | None:
    from shuffleproof.impl.release import accuracy

    if not isinstance(one, ZeroSum | Histogram):
        return None
    silent = n * (1 - exact_fraction(one.p, parameter="p"))
    return accuracy.zero_sum_errors(n=n, silent=silent)[0], of, _ERRORS


def _of_reports(one: Shuffled, n: int) -> tuple[Fraction, str, str] | None:
    from shuffleproof.impl.release import accuracy

    chosen = one.randomizer
    if isinstance(chosen, Gaussian):
        return n * exact_fraction(chosen.sigma, parameter="sigma") ** 2, "the sum of numbers", "definition"
    if not isinstance(chosen, NamedRandomizer):
        return None
    local = epsilon0_parameter(cast(Number, chosen.epsilon0))
    if isinstance(chosen, KRR):
        return _of_frequencies("k-rr", chosen.k, n, local)
    if isinstance(chosen, AsymmetricRAPPOR):
        return _of_frequencies("asymmetric-rappor", _ANY_K, n, local)
    if isinstance(chosen, RAPPOR):
        return accuracy.randomized_response_error(n=n, epsilon0=Epsilon(local.bounds(bits=128)[0] / 2, None)), "each item's count", _ERRORS
    if isinstance(chosen, Laplace):
        return accuracy.laplace_error(n=n, epsilon0=local), "the sum of numbers", _ERRORS
    return None


def _of_frequencies(randomizer: str, k: Number, n: int, local: Epsilon) -> tuple[Fraction, str, str]:
    from shuffleproof.impl.ball.frequency import worst_errors

    return worst_errors(randomizer=randomizer, k=k, n=n, epsilon0=local).per_item[1] * n**2, "each item's count", "definition"
