"""BC20, Tables 1 and 2, with numbers: every cell is certified, or says that no constant is proved."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import ceil

from shuffleproof.figures.chart import Table
from shuffleproof.impl.ball.bounds.samples import pointer_samples, simultaneous_error, support_samples
from shuffleproof.spec.protocols.zero_sum import papers_p
from shuffleproof.spec.vocabulary.numerals import decimal_text
from shuffleproof.spec.vocabulary.progress import steps

EPSILON = Fraction(1, 2)  # The setting of Table 1.
DELTA = Fraction(1, 10**6)  # The setting of Table 1.
BETA = Fraction(1, 10)  # Probability that some count is off by more than the error that is shown.
USERS = 10**5  # The setting of Table 1.
DIMENSIONS = (10**2, 10**4, 10**6)  # Numbers of bins, two decades apart.
LENGTHS = (10, 10**3, 10**6)  # Of the chains of pointer chasing in Table 2.
HEIGHTS = (2, 3, 4)  # Of the trees of multi-party pointer jumping in Table 2, each node with h^4 children.
RUNS = 20_000  # Simulated runs: the share's standard error is below 0.004.
NO_CONSTANT = "no explicit constant proved"
NOT_SOUGHT = "-"
_GROUP, _INFORMATION = "group privacy", "information"


def table1() -> Table:
    """Simultaneous errors at 10^5 users: what named protocols keep to, and what no protocol of the model can."""
    return Table(
        title=f"BC20, Table 1, at n = {USERS}, eps = 1/2, delta = 1e-6: simultaneous error in counts, with probability 9/10",
        columns=("model", "as printed, times n", "d", "sufficient", "of which protocol", "necessary", "because of", "messages a user"),
        rows=[*_local_errors(), *_shuffled_errors(), *_central_errors()],
        notes=(
            "Sufficient: certified, for all data, of the protocol named. Necessary: certified; no protocol of the model errs less.",
            "Local baselines are eps-DP and of one round; two bits of an indicator, or two bins, share eps and delta. What is necessary in "
            "the central model is in every other one.",
            "The two results of Ghazi, Golowich, Kumar, Pagh and Velingker are in another paper: no constant of theirs is proved here.",
        ),
    )


def _local_errors() -> Iterator[tuple[str, ...]]:
    for d in steps(DIMENSIONS, of="dimensions"):
        reached = simultaneous_error.reached_local(n=USERS, d=d, epsilon=EPSILON, beta=BETA)
        needed = simultaneous_error.needed_local(n=USERS, d=d, epsilon=EPSILON, beta=BETA)
        yield _row("local", "Theta(sqrt(n log d)/eps)", str(d), reached, "indicators, randomized response", needed, _INFORMATION, "1")


def prescribed_noise(n: int, *, epsilon: Fraction, delta: Fraction) -> Fraction:
    """(50/eps^2) ln(2/delta), rounded up to a whole number. Raises RegimeError below the n that BC20 asks for."""
    return Fraction(ceil(n * (1 - papers_p(n=n, epsilon=epsilon, delta=delta)[0])))


def _shuffled_errors() -> Iterator[tuple[str, ...]]:
    from shuffleproof.impl.ball.calibration.histogram import calibrate
    from shuffleproof.run.histogram_release import confidence_for

    for d in steps(DIMENSIONS, of="dimensions"):
        reached = simultaneous_error.reached_by_bit_sums(n=USERS, d=d, epsilon=EPSILON, delta=DELTA, beta=BETA)
        printed = "O(sqrt(log d log(1/delta))/eps)"
        yield _row("shuffled", printed, str(d), reached, "d bit sums, CSUZZ19 Lemma 4.8", _private(d), _GROUP, str(d))
    for printed, messages in (
        ("O(sqrt(log^3 d log(log d/delta))/eps)", "O(log^3 d log(log d/delta)/eps^2)"),
        ("O(log d + sqrt(log d log(1/(eps delta)))/eps)", "O(log(1/(eps delta))/eps^2)"),
    ):
        yield ("shuffled", printed, "any", NO_CONSTANT, NOT_SOUGHT, NO_CONSTANT, NOT_SOUGHT, messages)
    calibrated = calibrate(n=USERS, epsilon=EPSILON, delta=DELTA).value
    assert calibrated is not None
    prescribed = prescribed_noise(USERS, epsilon=EPSILON, delta=DELTA)
    stated = simultaneous_error.printed(n=USERS, epsilon=EPSILON, delta=DELTA, beta=BETA)
    for reached, how, noise in (
        (stated, "Theorem 3.2 as stated", prescribed),
        (confidence_for(USERS, prescribed, BETA, bins=None).all_at_once, "Theorem 3.2, exact tails", prescribed),
        (confidence_for(USERS, calibrated, BETA, bins=None).all_at_once, "Theorem 3.2, calibrated noise", calibrated),
    ):
        messages = f"1 + {decimal_text(1 - noise / USERS, digits=4, direction='up')} d on average"
        yield _row("shuffled", "O(log(1/delta)/eps^2)", "any", reached, how, _private(DIMENSIONS[-1]), _at_largest(), messages)


def _central_errors() -> Iterator[tuple[str, ...]]:
    for d in steps(DIMENSIONS, of="dimensions"):
        reached = simultaneous_error.reached_by_geometric_noise(d=d, epsilon=EPSILON, beta=BETA)
        yield _row("central", "Theta(min(log d, log(1/delta))/eps)", str(d), reached, "geometric noise", _private(d), _GROUP, "none")
    reached = simultaneous_error.reached_by_stability(n=USERS, epsilon=EPSILON, delta=DELTA, beta=BETA)
    needed, because = _private(DIMENSIONS[-1]), _at_largest()
    yield _row("central", "Theta(min(log d, log(1/delta))/eps)", "any", reached, "stability-based", needed, because, "none")


def _private(d: int) -> Fraction:
    return simultaneous_error.needed_private(n=USERS, d=d, epsilon=EPSILON, delta=DELTA, beta=BETA)


def _at_largest() -> str:
    return f"{_GROUP}, d = {DIMENSIONS[-1]}"


def _row(model: str, printed: str, d: str, reached: int, protocol: str, needed: Fraction, because: str, messages: str) -> tuple[str, ...]:
    return model, printed, d, str(reached), protocol, decimal_text(needed, digits=12, direction="down"), because, messages


def table2() -> Table:
    """Numbers of samples for pointer chasing and pointer jumping: needed and enough, certified, and how often the solvers succeeded."""
    return Table(
        title="BC20, Table 2, at eps = 1/2, delta = 1e-6: samples for success probability 99/100",
        columns=("problem", "model", "as printed", "necessary", "because of", "sufficient", "by", "measured success"),
        rows=[*_chasing(), *_jumping()],
        notes=(
            "Necessary: certified; fewer samples are not enough for any solver of the model. Sufficient: certified, for every instance.",
            "Local solvers are eps-DP and of one round; where users answer in turn, having seen the messages before, the bound is that "
            "of another paper, and no explicit constant is proved here.",
            "The reduction's own number is 21 k h ln h with k = 2 t + 1 (the proof of Claim 3.4 with constants).",
            f"Measured: the share of {RUNS} simulated runs in which every element was named; an estimate.",
        ),
    )


def _chasing() -> Iterator[tuple[str, ...]]:
    for length in steps(LENGTHS, of="lengths"):
        problem, needed = f"PC(2, {length})", pointer_samples.local_pointer_chasing(length=length, epsilon=EPSILON)
        yield problem, "local", "Omega(l/e^eps)", str(needed), _INFORMATION, NOT_SOUGHT, NOT_SOUGHT, NOT_SOUGHT
        yield from _by_histograms(problem, 2, length, "log(1/delta)")


def _jumping() -> Iterator[tuple[str, ...]]:
    for h in steps(HEIGHTS, of="heights"):
        s = h**4
        problem, needed = f"MPJ({s}, {h})", pointer_samples.local_pointer_jumping(s=s, h=h, epsilon=EPSILON)
        sequential = "Omega(h^3/(eps^2 log h))"
        yield problem, "local, in turn", sequential, NO_CONSTANT, NOT_SOUGHT, NOT_SOUGHT, NOT_SOUGHT, NOT_SOUGHT
        yield problem, "local", NOT_SOUGHT, str(needed), _INFORMATION, NOT_SOUGHT, NOT_SOUGHT, NOT_SOUGHT
        yield from _by_histograms(problem, h, s, "h log h log(1/delta)")


def _by_histograms(problem: str, h: int, answers: int, order: str) -> Iterator[tuple[str, ...]]:
    """The shuffled and the central rows: what a private solver needs, and what the histograms take."""
    needed = str(pointer_samples.private(h=h, answers=answers, epsilon=EPSILON, delta=DELTA))
    for model, enough, by, measured in _enough(h):
        printed = f"O({order}/eps^2)" if model == "shuffled" else f"O({order}/eps)"
        yield problem, model, printed, needed, _GROUP, enough, by, measured


@cache
def _enough(h: int) -> tuple[tuple[str, str, str, str], ...]:
    """(model, samples, by which means, measured success): the same for every problem of h elements."""
    from shuffleproof.impl.ball.numeric.arithmetic import precision
    from shuffleproof.proofs_check.papers.bc20.section3_3 import Reduction

    prescribed = prescribed_noise(USERS, epsilon=EPSILON, delta=DELTA)
    calibrated = support_samples.shuffled(h=h, epsilon=EPSILON, delta=DELTA)
    printed = support_samples.shuffled_with(h=h, noise=prescribed)
    with precision(128):
        reduction = Reduction(h, EPSILON, DELTA).n()
    central = support_samples.central(h=h, epsilon=EPSILON, delta=DELTA)
    return (
        ("shuffled", str(calibrated.n), "calibrated noise", _measured(calibrated)),
        ("shuffled", str(printed.n), "printed noise", _measured(printed)),
        ("shuffled", str(reduction), "the proof's reduction", NOT_SOUGHT),
        ("central", str(central.n), f"stability-based, threshold {central.noise}", NOT_SOUGHT),
    )


def _measured(found: support_samples.Enough) -> str:
    import numpy as np

    from shuffleproof.impl.fast.protocols.support_identification import simulate_identification

    generator = np.random.default_rng(20)
    named = simulate_identification(h=found.h, n=found.n, p=1 - found.noise / found.n, runs=RUNS, generator=generator)
    return decimal_text(Fraction(int(named.all(axis=1).sum()), RUNS), digits=5, direction="down")
