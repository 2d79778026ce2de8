"""The least lambda of the bit sum that is certified to meet (epsilon, delta), for any n (CSUZZ19, Algorithm 1; Lemma 4.8 beside it).

Each dataset's delta falls as lambda rises (post-processing: CSUZZ19.Sec5.3.monotone), so one dataset's crossing is where the target
certainly fails, and a little above it all datasets are certified; a dataset that turns out worse takes the first one's place.
"""

from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.sums.worst_dataset import Sum, worst
from shuffleproof.impl.ball.calibration.lambda_search import Target, least_lambda
from shuffleproof.impl.ball.calibration.prescriptions import LEMMA_4_8, papers_lambda
from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, precision
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.calibration import Calibration, PapersNoise
from shuffleproof.spec.vocabulary.numerals import Epsilon, shortest
from shuffleproof.spec.vocabulary.parameters import DELTA, EPSILON, N

PROTOCOL = "bit-sum"
PARAMETER = "lambda"
STATEMENT = "CSUZZ19.Def3.4.bit-sum"
CLOSENESS = Fraction(1, 10**6)
"""Relative distance of the lambda that meets the target and one that fails, unless another is asked."""
_BITS = 128
"""Working precision in bits of the errors shown beside."""
_ROUGH_PAIRS = 24
"""The paper's delta is far below the target: its order of magnitude is enough."""


@reads(N, EPSILON, DELTA)
def calibrate(
    *, n: int, epsilon: Epsilon, delta: Fraction, closeness: Fraction = CLOSENESS, by_how_much: bool = True, inputs: dict[str, str]
) -> Calibration:
    """The least lambda for which the bit sum is (epsilon, delta)-DP, from both sides, and the lambda of Lemma 4.8.

    n: users, at least 1; epsilon >= 0 and delta in [0, 1], exact; closeness: the relative distance of value and fails_at to aim at;
    where that would take too many pairs it is wider, at most about 5 percent; by_how_much: whether the worst delta at fails_at, and the
    paper's at its own lambda, are looked for as well.
    value is certified for all neighbouring datasets, fails_at by one; beside them the root mean squared errors, and their ratio to the
    paper's. Raises DomainError, UndecidedError, ResourceLimitError.
    """
    found = least_lambda(Target(n, 1, epsilon, delta), closeness=closeness, by_how_much=by_how_much)
    paper = papers_lambda(n, epsilon, delta)
    certified = dict(found.certified)
    if found.value < n:
        certified["root mean squared error at value"] = root_mean_squared_error(n, found.value, found.value)
    if paper.lower is not None and paper.upper is not None:
        prescribed = paper.lower, paper.upper
        paper = _with_delta(prescribed, n, epsilon) if by_how_much else paper
        certified["root mean squared error at the paper's lambda"] = root_mean_squared_error(n, *prescribed)
        certified["ratio of the paper's error to that at value"] = _error_ratio(n, prescribed, found.value)
    return Calibration(
        protocol=PROTOCOL,
        parameter=PARAMETER,
        statement=STATEMENT,
        value=found.value,
        noisiest=f"n = {n}, where the messages say nothing about the data",
        fails_at=found.fails_at,
        expected_noise=found.value,
        settings={"lambda": shortest(found.value)},
        paper=paper,
        certified=certified,
        inputs=inputs,
    )


def root_mean_squared_error(n: int, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """Ends of the bit sum's root mean squared error for lambda in [low, high], below n (CSUZZ19, Claim B.2): it rises with lambda."""
    with precision(_BITS):
        return ends(_mean_squared_error(n, low).sqrt())[0], ends(_mean_squared_error(n, high).sqrt())[1]


def _with_delta(prescribed: tuple[Fraction, Fraction], n: int, epsilon: Epsilon) -> PapersNoise:
    """State it with the delta that the bit sum has there: at most that of the lower end of lambda, at least that of the upper one."""
    least, most = (worst(Sum(n - 1, 1, lam / (2 * n)), epsilon, digits=1, pairs=_ROUGH_PAIRS) for lam in reversed(prescribed))
    return PapersNoise(statement=LEMMA_4_8, lower=prescribed[0], upper=prescribed[1], delta=(least.lower, most.upper))


def _error_ratio(n: int, prescribed: tuple[Fraction, Fraction], value: Fraction) -> tuple[Fraction, Fraction]:
    with precision(_BITS):
        ours = _mean_squared_error(n, value)
        low, high = (_mean_squared_error(n, lam) / ours for lam in prescribed)
        return ends(low.sqrt())[0], ends(high.sqrt())[1]


def _mean_squared_error(n: int, lam: Fraction) -> arb:
    """(n/(n - lambda))^2 (lambda/2)(1 - lambda/(2n)), the same on every dataset."""
    return ball((n / (n - lam)) ** 2 * lam / 2 * (1 - lam / (2 * n)))
