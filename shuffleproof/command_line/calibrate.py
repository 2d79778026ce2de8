"""`shuffleproof calibrate PROTOCOL`: the least noise that meets a target, printed."""

import time
from collections.abc import Callable
from typing import TypeVar, get_args

import click

from shuffleproof import calibrate as calibration
from shuffleproof.calibrate import AmplificationBound, FrequencyRandomizer
from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.method_options import RELATIONS, relation_option
from shuffleproof.command_line.options import Name, Verbs, format_option, print_json
from shuffleproof.mechanisms.protocols import View
from shuffleproof.report import calibrations
from shuffleproof.report.texts import say
from shuffleproof.spec.vocabulary.calibration import Calibration

T = TypeVar("T")
_honest_users = click.option("-n", "n", required=True, metavar="COUNT", help="Number of honest users, at least.")
_sensitivity = click.option(
    "--sensitivity", default="1", show_default=True, metavar="COUNT", help="By how much one user's data moves the integer sum."
)
_central_epsilon = click.option("--eps", "epsilon", required=True, metavar="NUMBER", help='Central epsilon, such as 0.5 or "ln 3".')
_delta_inside = click.option("--delta", required=True, metavar="NUMBER", help="Central delta, above 0 and below 1.")


@click.group(cls=Verbs)
def calibrate() -> None:
    """The least noise that is certified to meet (epsilon, delta), beside noise that is certified not to; or the largest local epsilon0.

    The target is that of one release. For rounds on the same users write a plan (`plan init`): `plan check FILE --least-noise QUESTION`
    finds the largest epsilon0 of a question with which all of them together meet it.
    """


@calibrate.command("zero-sum")
@click.option("-n", "n", required=True, metavar="COUNT", help="Number of users.")
@click.option("--eps", "epsilon", required=True, metavar="NUMBER", help='Central epsilon, such as 1 or "ln 3".')
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta in [0, 1], such as 1e-6.")
@click.option("--dishonest", default="0", metavar="COUNT", help="How many users may send no noise, or tell theirs. Default: 0.")
@format_option
def calibrate_zero_sum(n: str, epsilon: str, delta: str, dishonest: str, as_json: bool) -> ExitCode:
    """The least noise with which the zero sum (binary sums that keep zero) is (epsilon, delta)-DP.

    \b
    shuffleproof calibrate zero-sum -n 100000 --eps 1 --delta 1e-6
    shuffleproof calibrate zero-sum -n 100000 --eps 1 --delta 1e-6 --dishonest 1000 --format json

    value is the smallest n (1 - p) such that it and every larger one up to n/2 meet the target.
    """
    started = time.perf_counter()
    found = calibration.zero_sum(n=n, epsilon=epsilon, delta=delta, dishonest=dishonest)
    return _print(found, started=started, as_json=as_json)


@calibrate.command("histogram")
@click.option("-n", "n", required=True, metavar="COUNT", help="Number of users.")
@click.option("--eps", "epsilon", required=True, metavar="NUMBER", help='Central epsilon of the whole histogram, such as 1 or "ln 3".')
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta of the whole histogram in [0, 1], such as 1e-6.")
@click.option("--dishonest", default="0", metavar="COUNT", help="How many users may send no noise, or tell theirs. Default: 0.")
@format_option
def calibrate_histogram(n: str, epsilon: str, delta: str, dishonest: str, as_json: bool) -> ExitCode:
    """The least noise in every bin with which the histogram is (epsilon, delta)-DP, for any number of bins from two on.

    \b
    shuffleproof calibrate histogram -n 100000 --eps 1 --delta 1e-6
    shuffleproof calibrate histogram -n 100000 --eps 1 --delta 1e-6 --format json

    value is the smallest n (1 - p) such that it and every larger one up to n/2 meet the target by the exact profile of two bins;
    what basic composition of two bins needs, and the paper's noise for it, stand beside it.
    """
    started = time.perf_counter()
    found = calibration.histogram(n=n, epsilon=epsilon, delta=delta, dishonest=dishonest)
    return _print(found, started=started, as_json=as_json)


@calibrate.command("bit-sum")
@click.option("-n", "n", required=True, metavar="COUNT", help="Number of users.")
@_central_epsilon
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta in [0, 1], such as 1e-6.")
@format_option
def calibrate_bit_sum(n: str, epsilon: str, delta: str, as_json: bool) -> ExitCode:
    """The least lambda (expected number of random bits) with which the bit sum is (epsilon, delta)-DP.

    \b
    shuffleproof calibrate bit-sum -n 100000 --eps 0.5 --delta 1e-6
    shuffleproof calibrate bit-sum -n 1000 --eps 1 --delta 1e-9 --format json

    value is certified for all neighbouring datasets, and so is every lambda above it up to n.
    """
    started = time.perf_counter()
    found = calibration.bit_sum(n=n, epsilon=epsilon, delta=delta)
    return _print(found, started=started, as_json=as_json)


@calibrate.command("laplace-sum")
@_honest_users
@_sensitivity
@_central_epsilon
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta in [0, 1), such as 1e-6, or 0.")
@format_option
def calibrate_laplace_sum(n: str, sensitivity: str, epsilon: str, delta: str, as_json: bool) -> ExitCode:
    """The least discrete Laplace noise, added in parts, with which a sum under secure aggregation is (epsilon, delta)-DP.

    \b
    shuffleproof calibrate laplace-sum -n 1000 --eps 1 --delta 1e-6

    value is the scale of the noise; settings has epsilon0, which is what the sum costs without delta.
    """
    started = time.perf_counter()
    found = calibration.laplace_sum(n=n, sensitivity=sensitivity, epsilon=epsilon, delta=delta)
    return _print(found, started=started, as_json=as_json)


@calibrate.command("fake-users")
@click.option("-n", "n", required=True, metavar="COUNT", help="Number of users, which changes nothing.")
@click.option("--p", "p", default="1/2", show_default=True, metavar="NUMBER", help="That a fake user adds a message to a bin, in (0, 1).")
@click.option("--eps", "epsilon", required=True, metavar="NUMBER", help='Central epsilon of the whole histogram, such as 1 or "ln 3".')
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta of the whole histogram, above 0 and below 1.")
@format_option
def calibrate_fake_users(n: str, p: str, epsilon: str, delta: str, as_json: bool) -> ExitCode:
    """The fewest fake users with whose noise a histogram is (epsilon, delta)-DP, the shuffler adding it.

    \b
    shuffleproof calibrate fake-users -n 1000 --eps 1 --delta 1e-6

    value is how many there must be at least; users send their items, and no noise.
    """
    started = time.perf_counter()
    found = calibration.fake_users(n=n, p=p, epsilon=epsilon, delta=delta)
    return _print(found, started=started, as_json=as_json)


@calibrate.command("binomial-sum")
@_honest_users
@_sensitivity
@click.option("--p", "p", default="1/2", show_default=True, metavar="NUMBER", help="That a coin is heads, in (0, 1).")
@_central_epsilon
@_delta_inside
@format_option
def calibrate_binomial_sum(n: str, sensitivity: str, p: str, epsilon: str, delta: str, as_json: bool) -> ExitCode:
    """The fewest coins that each user adds for a sum under secure aggregation to be (epsilon, delta)-DP.

    \b
    shuffleproof calibrate binomial-sum -n 1000 --sensitivity 10 --eps 1 --delta 1e-6

    value is how many coins each honest user tosses; the heads are added to the data.
    """
    started = time.perf_counter()
    found = calibration.binomial_sum(n=n, sensitivity=sensitivity, p=p, epsilon=epsilon, delta=delta)
    return _print(found, started=started, as_json=as_json)


@calibrate.command("discrete-gaussian-sum")
@_honest_users
@_sensitivity
@_central_epsilon
@_delta_inside
@format_option
def calibrate_discrete_gaussian_sum(n: str, sensitivity: str, epsilon: str, delta: str, as_json: bool) -> ExitCode:
    """The least variance of every user's discrete Gaussian noise for a sum under secure aggregation to be (epsilon, delta)-DP.

    \b
    shuffleproof calibrate discrete-gaussian-sum -n 1000 --sensitivity 100 --eps 1 --delta 1e-6

    value is sigma^2 of each honest user, by the distribution of the noises' sum. Data are scaled up to make it 1/4 or more.
    """
    started = time.perf_counter()
    found = calibration.discrete_gaussian_sum(n=n, sensitivity=sensitivity, epsilon=epsilon, delta=delta)
    return _print(found, started=started, as_json=as_json)


@calibrate.command("split-and-mix")
@_honest_users
@click.option("--modulus", required=True, metavar="COUNT", help="The modulus of shares and of their sum, such as 2^32 = 4294967296.")
@_sensitivity
@_central_epsilon
@_delta_inside
@format_option
def calibrate_split_and_mix(n: str, modulus: str, sensitivity: str, epsilon: str, delta: str, as_json: bool) -> ExitCode:
    """A number of shares of each user with which a sum by split and mix is shown to be (epsilon, delta)-DP.

    \b
    shuffleproof calibrate split-and-mix -n 1000 --modulus 4294967296 --eps 1 --delta 1e-6

    value is how many messages each user sends; the noise in the sum is discrete Laplace noise of epsilon0 = epsilon, in parts.
    """
    started = time.perf_counter()
    found = calibration.split_and_mix(n=n, modulus=modulus, sensitivity=sensitivity, epsilon=epsilon, delta=delta)
    return _print(found, started=started, as_json=as_json)


@calibrate.command("real-sum")
@click.option("-n", "n", required=True, metavar="COUNT", help="Number of users.")
@_central_epsilon
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta in [0, 1], such as 1e-6.")
@click.option("--view", type=Name(["untagged", "tagged"]), required=True, help="Whether the r runs of one-bit messages can be told apart.")
@click.option("--r", "runs", multiple=True, metavar="COUNT", help="Bits per user to look at; repeat it. Default: 1, 2, 4, ..., 64.")
@format_option
def calibrate_real_sum(n: str, epsilon: str, delta: str, view: View, runs: tuple[str, ...], as_json: bool) -> ExitCode:
    """The least lambda with which the real sum is (epsilon, delta)-DP, at each number r of bits per user, and the best r.

    \b
    shuffleproof calibrate real-sum -n 1000 --eps 1 --delta 1e-6 --view untagged
    shuffleproof calibrate real-sum -n 1000 --eps 1 --delta 1e-6 --view tagged --r 1 --r 16 --format json

    The best r is the one with the smallest mean squared error on the worst dataset, rounding included, at the certified lambda.
    """
    started = time.perf_counter()
    found = calibration.real_sum(n=n, epsilon=epsilon, delta=delta, view=view, runs=runs)
    _show(found, calibrations.runs_json, calibrations.runs_text, started=started, as_json=as_json)
    return ExitCode.ANSWERED


@calibrate.command("frequency")
@click.option("--randomizer", type=Name(get_args(FrequencyRandomizer)), required=True, help="What every user runs.")
@click.option("-n", "n", required=True, metavar="COUNT", help="Number of users.")
@click.option("-k", "k", required=True, metavar="COUNT", help="Number of items, at least 2.")
@_central_epsilon
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta above 0 and below 1, such as 1e-6.")
@click.option(
    "--bound",
    type=Name(get_args(AmplificationBound)),
    default="best",
    show_default=True,
    help="What certifies the amplification: everything that is known of the randomizer, or what holds for all of them.",
)
@format_option
def calibrate_frequency(
    randomizer: FrequencyRandomizer, n: str, k: str, epsilon: str, delta: str, bound: AmplificationBound, as_json: bool
) -> ExitCode:
    """The largest local epsilon0 that is certified to give (epsilon, delta) after shuffling, with the exact worst error there.

    \b
    shuffleproof calibrate frequency --randomizer hadamard -n 1000000 -k 1000 --eps 0.5 --delta 1e-6
    shuffleproof calibrate frequency --randomizer k-rr -n 1e6 -k 100 --eps 1 --delta 1e-6 --bound clones --format json

    value is an epsilon0: it and everything below is certified for all neighbouring datasets; at fails_at the bound no longer certifies.
    """
    started = time.perf_counter()
    found = calibration.frequency(randomizer=randomizer, n=n, k=k, epsilon=epsilon, delta=delta, bound=bound)
    _show(found, calibrations.frequency_json, calibrations.frequency_text, started=started, as_json=as_json)
    return ExitCode.ANSWERED


@calibrate.command("user-histogram")
@click.option("--threshold", required=True, metavar="C", help="Where each user's histogram is clipped: in l2, without --delta in l1.")
@click.option("--domain-size", "-d", required=True, metavar="D", help="Number of items.")
@relation_option
@click.option("--eps", "epsilon", required=True, metavar="NUMBER", help='Epsilon of the release, such as 1 or "ln 3".')
@click.option("--delta", default=None, metavar="NUMBER", help="With it Gaussian noise, without it Laplace noise (pure).")
@format_option
def calibrate_user_histogram(threshold: str, domain_size: str, relation: str, epsilon: str, delta: str | None, as_json: bool) -> ExitCode:
    """The least noise on every item with which clipped sums of users' histograms are (epsilon, delta)-DP, whatever the number of users.

    \b
    shuffleproof calibrate user-histogram --threshold 10 --domain-size 1000 --relation add-remove --eps 1 --delta 1e-6
    shuffleproof calibrate user-histogram --threshold 10 --domain-size 1000 --relation replace --eps 1

    value is the standard deviation of Gaussian noise, or the scale of Laplace noise. `run user-histogram` draws discrete noise, exactly.
    """
    started = time.perf_counter()
    found = calibration.user_histogram(
        threshold=threshold, domain_size=domain_size, relation=RELATIONS[relation], epsilon=epsilon, delta=delta
    )
    return _print(found, started=started, as_json=as_json)


def _print(found: Calibration, *, started: float, as_json: bool) -> ExitCode:
    _show(found, calibrations.json_record, calibrations.text, started=started, as_json=as_json)
    return ExitCode.ANSWERED if found.value is not None else ExitCode.NEGATIVE


def _show(found: T, record: Callable[[T], dict[str, object]], text: Callable[[T], str], *, started: float, as_json: bool) -> None:
    seconds = time.perf_counter() - started
    if as_json:
        print_json({**record(found), "seconds": round(seconds, 6)})
    else:
        say(text(found))
