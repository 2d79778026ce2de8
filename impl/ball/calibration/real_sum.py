"""The least lambda of the real sum at each number r of bits per user, and the r with the smallest worst mean squared error.

In the untagged view lambda is found as for the bit sum, with r bits that change. In the tagged view the composition of `tagged_runs` is
what has to meet the target, and the untagged view, a post-processing, is what shows that a smaller lambda fails.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, get_args

from flint import arb

from shuffleproof.impl.ball.bounds.sums.real_sum import LARGEST_R, View
from shuffleproof.impl.ball.bounds.sums.tagged_runs import LARGEST_R as LARGEST_TAGGED_R, composed, datasets
from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum
from shuffleproof.impl.ball.calibration.lambda_search import Between, Target, least_lambda
from shuffleproof.impl.ball.calibration.prescriptions import papers_lambda
from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, log_of, precision
from shuffleproof.impl.ball.numeric.budget import one_answer
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.calibration import Calibration, PapersNoise
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, decimal_text, float_toward, shortest
from shuffleproof.spec.vocabulary.parameters import DELTA, EPSILON, N
from shuffleproof.spec.vocabulary.progress import steps
from shuffleproof.spec.vocabulary.tables import Tabular, ends_of

PROTOCOL = "real-sum"
PARAMETER = "lambda"
RUNS = (1, 2, 4, 8, 16, 32, 64)
"""The numbers of bits per user that are looked at unless others are given."""
CLOSENESS = Fraction(1, 10**4)
"""Relative distance of the lambda that meets the target and one that fails, unless another is asked."""
_STATEMENT = {"untagged": "CSUZZ19.Sec5.3.untagged", "tagged": "CSUZZ19.Sec5.3.tagged"}
_THEOREM = "CSUZZ19.Thm5.4"
_BITS = 160
"""Working precision in bits of the errors by which numbers of bits a user are compared."""
_MOST_STEPS = 12
"""Steps at most to a lambda that meets the target in the tagged view."""
_SHARES = tuple(Fraction(each, 100) for each in (1, 2, 4, 8, 16, 32, 64))


@dataclass(frozen=True, slots=True)
class AtRuns:
    """One r: lambda from both sides, and the worst mean squared error over all datasets there; None where lambda is n.

    error_at_fails_at: no lambda that meets the target has a smaller one.
    """

    r: int
    value: Fraction
    fails_at: Fraction | None
    error: Fraction | None
    error_at_fails_at: Fraction


@dataclass(frozen=True, slots=True, repr=False)
class BestRuns(Tabular):
    """Every r, and the one whose certified error is smallest, with its calibration; decided: no other r can have a smaller error."""

    view: str
    rows: tuple[AtRuns, ...]
    best: int
    decided: bool
    calibration: Calibration

    @property
    def headline(self) -> str:
        """The noise of the best r."""
        return f"{self.calibration.headline}, r = {self.best}"

    def __str__(self) -> str:
        """Return the calibration of the best r, and a line for each r that was looked at."""
        lines = [
            f"r = {self.best} has the smallest worst error{'' if self.decided else ' that is certified; another may have a smaller one'}"
        ]
        for row in self.rows:
            error = "" if row.error is None else f", worst mean squared error {decimal_text(row.error, digits=6, direction='up')}"
            lines.append(f"  r = {row.r}: lambda = {decimal_text(row.value, digits=8, direction='up')}{error}")
        return "\n".join([str(self.calibration), *lines])

    def columns(self) -> dict[str, list[Any]]:
        """A row for each r: the least lambda between floats, and the worst mean squared error at most (nan where lambda is n)."""
        known = [(f"r = {row.r}", row.fails_at, row.value) for row in self.rows]
        errors = [float("nan") if row.error is None else float_toward(row.error, direction="up") for row in self.rows]
        return {"runs": [name for name, _, _ in known], **ends_of(known), "error_at_most": errors}


_SEARCH = 2.0
"""What the search for one r may cost, in answers of one bound: about a minute."""


@reads(N, EPSILON, DELTA)
def calibrate(
    *,
    n: int,
    epsilon: Epsilon,
    delta: Fraction,
    view: str,
    runs: Sequence[Number] = RUNS,
    closeness: Fraction = CLOSENESS,
    by_how_much: bool = True,
    inputs: dict[str, str],
) -> BestRuns:
    """For each r the least lambda for which the real sum is (epsilon, delta)-DP in this view, and the r of the smallest worst error.

    n: users, at least 1; epsilon >= 0 and delta in [0, 1], exact; view: "untagged" or "tagged"; runs: the r to look at, each from 1 to
    10^4 (tagged: to 256); closeness: the relative distance of value and fails_at to aim at; tagged, it is some percent;
    by_how_much: whether the worst delta at fails_at is looked for as well.
    value is certified for all neighbouring datasets, fails_at by one. Raises DomainError, UndecidedError, ResourceLimitError.
    """
    require(view in get_args(View), parameter="view", value=view, requirement='"untagged" or "tagged"')
    require(len(runs) > 0, parameter="r", value=runs, requirement="at least one number of bits")
    most = LARGEST_TAGGED_R if view == "tagged" else LARGEST_R
    chosen = sorted({count(r, parameter="r", maximum=most) for r in runs})
    found = {}
    for r in steps(chosen, of="numbers of bits"):
        with one_answer(times=_SEARCH):
            found[r] = _least(Target(n, r, epsilon, delta), view, closeness, by_how_much)
    rows = tuple(_row(n, r, between) for r, between in found.items())
    possible = [row for row in rows if row.error is not None]
    best = min(possible, key=lambda row: row.error or Fraction(0)) if possible else rows[0]
    decided = all(row.r == best.r or (best.error is not None and row.error_at_fails_at >= best.error) for row in rows)
    inputs |= {"view": view, "r": " ".join(map(str, chosen))}
    return BestRuns(view, rows, best.r, decided, _calibration(n, best, found[best.r], view, epsilon, delta, inputs))


def worst_mean_squared_error(n: int, lam: Fraction, r: int) -> Fraction:
    """The largest over all datasets: n/(4 r^2) from rounding, and (n/(n - lambda))^2 (lambda/2)(1 - lambda/(2n))/r from the random bits.

    Given the rounded bits the messages add the second term whatever the bits are; the first is the variance of the rounding, where one
    bit of each user is Ber(m), at most 1/4 each, and is attained by x = 1/(2r). Both add up as the output is unbiased given the bits.
    """
    noise = (n / (n - lam)) ** 2 * lam / 2 * (1 - lam / (2 * n)) / r
    return Fraction(n, 4 * r * r) + noise


def _row(n: int, r: int, found: Between) -> AtRuns:
    error = worst_mean_squared_error(n, found.value, r) if found.value < n else None
    least = worst_mean_squared_error(n, found.fails_at if found.fails_at is not None else Fraction(0), r)
    return AtRuns(r, found.value, found.fails_at, error, least)


def _least(target: Target, view: str, closeness: Fraction, by_how_much: bool) -> Between:
    """Search as `least_lambda` does; in the tagged view with an upper side of its own."""
    below = least_lambda(target, closeness=closeness, by_how_much=by_how_much)
    if view == "untagged" or target.r == 1 or target.delta in (0, 1):
        return below
    return _tagged(target, below)


def _tagged(target: Target, below: Between) -> Between:
    """Search from the untagged value upward until the composition meets the target; where it does not in time, the local value does."""
    high = min(_up(target.enough()[1]), Fraction(target.n))
    low, lam = below.value, below.value * Fraction(101, 100)
    best: Between | None = None
    for _ in range(_MOST_STEPS):
        if not low < lam < high:
            break
        run = Sum(target.n - 1, 1, lam / (2 * target.n))
        reached = composed(run, target.r, least_delta=target.delta).delta(target.epsilon)
        if reached <= target.delta:
            best = _with_failure(target, lam, below, reached)
            break
        excess = _log_ratio(reached, target.delta)
        # ln delta falls by about epsilon^2/4 for each lambda/r; a little further than that says.
        slope = max(float(target.epsilon.bounds(bits=64)[1]) ** 2 / 4 / target.r, 1e-12)
        low, lam = lam, _up(lam + max(Fraction(excess / slope) * Fraction(11, 10), lam / 200))
    return best or Between(high, below.fails_at, below.k, {**below.certified, "delta at value": (Fraction(0), Fraction(0))})


def _with_failure(target: Target, value: Fraction, below: Between, reached: Fraction) -> Between:
    """The largest of a few lambda below value at which some dataset misses the target: the untagged one, or a tagged one's."""
    for share in _SHARES:
        lam = _up(value * (1 - share))
        if below.fails_at is not None and lam <= below.fails_at:
            break
        runs = composed(Sum(target.n - 1, 1, lam / (2 * target.n)), target.r, least_delta=target.delta)
        missed = max(dataset.delta(target.epsilon) for dataset in datasets(runs))
        if missed > target.delta:
            certified = {"delta at value": (Fraction(0), reached), "delta at fails_at": (missed, runs.delta(target.epsilon))}
            return Between(value, lam, 0, certified)
    return Between(value, below.fails_at, below.k, {**below.certified, "delta at value": (Fraction(0), reached)})


def _calibration(n: int, best: AtRuns, found: Between, view: str, epsilon: Epsilon, delta: Fraction, inputs: dict[str, str]) -> Calibration:
    certified = dict(found.certified)
    if best.error is not None:
        with precision(_BITS):
            certified["largest root mean squared error at value"] = ends(ball(best.error).sqrt())
    return Calibration(
        protocol=PROTOCOL,
        parameter=PARAMETER,
        statement=_STATEMENT[view],
        value=best.value,
        noisiest=f"n = {n}, where the messages say nothing about the data",
        fails_at=best.fails_at,
        expected_noise=best.value,
        settings={"lambda": shortest(best.value), "r": str(best.r)},
        paper=_papers(n, best.r, epsilon, delta),
        certified=certified,
        inputs=inputs,
    )


def _papers(n: int, r: int, epsilon: Epsilon, delta: Fraction) -> PapersNoise:
    """Theorem 5.4 at this r: Lemma 4.8 at eps/sqrt(8 r ln(2/delta)) and delta/(2r)."""
    if not 0 < delta < 1:
        return PapersNoise(statement=_THEOREM, fails=f"it needs delta in (0, 1); delta is {delta}")
    with precision(_BITS):
        share: arb = log_of(epsilon) / (8 * r * ball(2 / delta).log()).sqrt()
        low, high = ends(share)
    ends_of = [papers_lambda(n, Epsilon(each, None), delta / (2 * r)) for each in (low, high)]
    if ends_of[0].fails is not None or ends_of[1].fails is not None:
        share_text = decimal_text(high, digits=4, direction="up")
        reason = ends_of[0].fails or ends_of[1].fails
        return PapersNoise(statement=_THEOREM, fails=f"at eps/sqrt(8 r ln(2/delta)) = {share_text} and delta/(2r), r = {r}: {reason}")
    return PapersNoise(statement=_THEOREM, lower=ends_of[1].lower, upper=ends_of[0].upper)


def _log_ratio(value: Fraction, target: Fraction) -> float:
    with precision(64):
        return float((ball(value) / ball(target)).log().mid())


def _up(x: Fraction) -> Fraction:
    return Fraction(decimal_text(x, digits=12, direction="up"))
