"""`shuffleproof calibrate PROTOCOL`: the least noise that meets a target, printed."""

import time
from collections.abc import Callable
from typing import Any, get_args

import click

from shuffleproof import calibrate as calibration
from shuffleproof.calibrate import AmplificationBound, FrequencyRandomizer
from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.method_options import relation_option
from shuffleproof.command_line.options import Command, Name, Verbs, format_option, options, print_json
from shuffleproof.report import calibrations
from shuffleproof.report.texts import say

_users = click.option("-n", "n", required=True, metavar="COUNT", help="Number of users.")
_honest_users = click.option("-n", "n", required=True, metavar="COUNT", help="Number of honest users, at least.")
_dishonest = click.option(
    "--dishonest", default="0", metavar="COUNT", help="How many users may send no noise, or reveal theirs. Default: 0."
)
_sensitivity = click.option(
    "--sensitivity", default="1", show_default=True, metavar="COUNT", help="By how much one user's data moves the integer sum."
)


def _epsilon(says: str) -> Callable[[Command], Command]:
    return click.option("--eps", "epsilon", required=True, metavar="NUMBER", help=says)


def _delta(says: str) -> Callable[[Command], Command]:
    return click.option("--delta", required=True, metavar="NUMBER", help=says)


def _p(says: str) -> Callable[[Command], Command]:
    return click.option("--p", default="1/2", show_default=True, metavar="NUMBER", help=says)


_central_epsilon = _epsilon('Central epsilon, such as 0.5 or "ln 3".')
_of_histogram = _epsilon('Central epsilon of the whole histogram, such as 1 or "ln 3".')
_some_delta = _delta("Central delta in [0, 1], such as 1e-6.")
_delta_inside = _delta("Central delta, above 0 and below 1.")


@click.group(cls=Verbs)
def calibrate() -> None:
    """The least noise that is certified to meet (epsilon, delta), beside noise that is certified not to; or the largest local epsilon0.

    The target is that of one release. For rounds on the same users write a plan (`plan init`): `plan check FILE --least-noise QUESTION`
    finds the largest epsilon0 of a question with which all of them together meet it.
    """


def _protocol(
    *asked: Callable[[Any], Any],
    record: Callable[[Any], dict[str, object]] = calibrations.json_record,
    text: Callable[[Any], str] = calibrations.text,
) -> Callable[[Callable[[], None]], None]:
    """Make a command of a function that has its name and its help: with these options it asks the function of that name in Python."""

    def add(described: Callable[[], None]) -> None:
        def ask(as_json: bool, **given: Any) -> ExitCode:
            started = time.perf_counter()
            found = getattr(calibration, described.__name__)(**given)
            seconds = time.perf_counter() - started
            if as_json:
                print_json({**record(found), "seconds": round(seconds, 6)})
            else:
                say(text(found))
            return ExitCode.NEGATIVE if getattr(found, "value", found) is None else ExitCode.ANSWERED

        command = options(*asked)(format_option(ask))
        calibrate.command(described.__name__.replace("_", "-"), help=described.__doc__)(command)

    return add


@_protocol(_users, _epsilon('Central epsilon, such as 1 or "ln 3".'), _some_delta, _dishonest)
def zero_sum() -> None:
    """The least noise with which the zero sum (binary sums that keep zero) is (epsilon, delta)-DP.

    \b
    shuffleproof calibrate zero-sum -n 100000 --eps 1 --delta 1e-6
    shuffleproof calibrate zero-sum -n 100000 --eps 1 --delta 1e-6 --dishonest 1000 --format json

    value is the smallest n (1 - p) such that it and every larger one up to n/2 meet the target.
    """


@_protocol(_users, _of_histogram, _delta("Central delta of the whole histogram in [0, 1], such as 1e-6."), _dishonest)
def histogram() -> None:
    """The least noise in every bin with which the histogram is (epsilon, delta)-DP, for any number of bins from two on.

    \b
    shuffleproof calibrate histogram -n 100000 --eps 1 --delta 1e-6
    shuffleproof calibrate histogram -n 100000 --eps 1 --delta 1e-6 --format json

    value is the smallest n (1 - p) such that it and every larger one up to n/2 meet the target by the exact profile of two bins;
    what basic composition of two bins needs, and the paper's noise for it, stand beside it.
    """


@_protocol(_users, _central_epsilon, _some_delta)
def bit_sum() -> None:
    """The least lambda (expected number of random bits) with which the bit sum is (epsilon, delta)-DP.

    \b
    shuffleproof calibrate bit-sum -n 100000 --eps 0.5 --delta 1e-6
    shuffleproof calibrate bit-sum -n 1000 --eps 1 --delta 1e-9 --format json

    value is certified for all neighbouring datasets, and so is every lambda above it up to n.
    """


@_protocol(_honest_users, _sensitivity, _central_epsilon, _delta("Central delta in [0, 1), such as 1e-6, or 0."))
def laplace_sum() -> None:
    """The least discrete Laplace noise, added in parts, with which a sum under secure aggregation is (epsilon, delta)-DP.

    \b
    shuffleproof calibrate laplace-sum -n 1000 --eps 1 --delta 1e-6

    value is the scale of the noise; settings has epsilon0, which is what the sum costs without delta.
    """


@_protocol(
    click.option("-n", "n", required=True, metavar="COUNT", help="Number of users, which changes nothing."),
    _p("That a fake user adds a message to a bin, in (0, 1)."),
    _of_histogram,
    _delta("Central delta of the whole histogram, above 0 and below 1."),
)
def fake_users() -> None:
    """The fewest fake users with whose noise a histogram is (epsilon, delta)-DP, the shuffler adding it.

    \b
    shuffleproof calibrate fake-users -n 1000 --eps 1 --delta 1e-6

    value is how many there must be at least; users send their items, and no noise.
    """


@_protocol(_honest_users, _sensitivity, _p("That a coin is heads, in (0, 1)."), _central_epsilon, _delta_inside)
def binomial_sum() -> None:
    """The fewest coins that each user adds for a sum under secure aggregation to be (epsilon, delta)-DP.

    \b
    shuffleproof calibrate binomial-sum -n 1000 --sensitivity 10 --eps 1 --delta 1e-6

    value is how many coins each honest user tosses; the heads are added to the data.
    """


@_protocol(_honest_users, _sensitivity, _central_epsilon, _delta_inside)
def discrete_gaussian_sum() -> None:
    """The least variance of every user's discrete Gaussian noise for a sum under secure aggregation to be (epsilon, delta)-DP.

    \b
    shuffleproof calibrate discrete-gaussian-sum -n 1000 --sensitivity 100 --eps 1 --delta 1e-6

    value is sigma^2 of each honest user, by the distribution of the noises' sum. Data are scaled up to make it 1/4 or more.
    """


@_protocol(
    _honest_users,
    click.option("--modulus", required=True, metavar="COUNT", help="The modulus of shares and of their sum, such as 2^32 = 4294967296."),
    _sensitivity,
    _central_epsilon,
    _delta_inside,
)
def split_and_mix() -> None:
    """A number of shares of each user with which a sum by split and mix is shown to be (epsilon, delta)-DP.

    \b
    shuffleproof calibrate split-and-mix -n 1000 --modulus 4294967296 --eps 1 --delta 1e-6

    value is how many messages each user sends; the noise in the sum is discrete Laplace noise of epsilon0 = epsilon, in parts.
    """


@_protocol(
    _users,
    _central_epsilon,
    _some_delta,
    click.option(
        "--view", type=Name(["untagged", "tagged"]), required=True, help="Whether the r runs of one-bit messages can be distinguished."
    ),
    click.option("--r", "runs", multiple=True, metavar="COUNT", help="Bits per user to look at; repeat it. Default: 1, 2, 4, ..., 64."),
    record=calibrations.runs_json,
    text=calibrations.runs_text,
)
def real_sum() -> None:
    """The least lambda with which the real sum is (epsilon, delta)-DP, at each number r of bits per user, and the best r.

    \b
    shuffleproof calibrate real-sum -n 1000 --eps 1 --delta 1e-6 --view untagged
    shuffleproof calibrate real-sum -n 1000 --eps 1 --delta 1e-6 --view tagged --r 1 --r 16 --format json

    The best r is the one with the smallest mean squared error on the worst dataset, rounding included, at the certified lambda.
    """


@_protocol(
    click.option("--randomizer", type=Name(get_args(FrequencyRandomizer)), required=True, help="What every user runs."),
    _users,
    click.option("-k", "k", required=True, metavar="COUNT", help="Number of items, at least 2."),
    _central_epsilon,
    _delta("Central delta above 0 and below 1, such as 1e-6."),
    click.option(
        "--bound",
        type=Name(get_args(AmplificationBound)),
        default="best",
        show_default=True,
        help="What certifies the amplification: everything that is known of the randomizer, or what holds for all of them.",
    ),
    record=calibrations.frequency_json,
    text=calibrations.frequency_text,
)
def frequency() -> None:
    """The largest local epsilon0 that is certified to give (epsilon, delta) after shuffling, with the exact worst error there.

    \b
    shuffleproof calibrate frequency --randomizer hadamard -n 1000000 -k 1000 --eps 0.5 --delta 1e-6
    shuffleproof calibrate frequency --randomizer k-rr -n 1e6 -k 100 --eps 1 --delta 1e-6 --bound clones --format json

    value is an epsilon0: it and everything below is certified for all neighbouring datasets; at fails_at the bound no longer certifies.
    """


@_protocol(
    click.option("--threshold", required=True, metavar="C", help="Where each user's histogram is clipped: in l2, without --delta in l1."),
    click.option("--domain-size", "-d", required=True, metavar="D", help="Number of items."),
    relation_option,
    _epsilon('Epsilon of the release, such as 1 or "ln 3".'),
    click.option("--delta", default=None, metavar="NUMBER", help="With it Gaussian noise, without it Laplace noise (pure)."),
)
def user_histogram() -> None:
    """The least noise on every item with which clipped sums of users' histograms are (epsilon, delta)-DP, whatever the number of users.

    \b
    shuffleproof calibrate user-histogram --threshold 10 --domain-size 1000 --relation add-remove --eps 1 --delta 1e-6
    shuffleproof calibrate user-histogram --threshold 10 --domain-size 1000 --relation replace --eps 1

    value is the standard deviation of Gaussian noise, or the scale of Laplace noise. `run user-histogram` draws discrete noise, exactly.
    """
