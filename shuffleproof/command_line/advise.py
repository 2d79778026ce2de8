"""`shuffleproof advise`: the protocol with the least certified error for a task, and all that were considered."""

from __future__ import annotations

import time
from decimal import Decimal
from fractions import Fraction

import click

from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.command_line.options import format_option, print_json
from shuffleproof.planning.advise import frequencies, sums
from shuffleproof.planning.advise.choice import Advice, Choice, ranked
from shuffleproof.planning.advise.local import Target
from shuffleproof.spec.vocabulary.errors import DomainError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, decimal_text, parse_epsilon, probability

TASKS = {
    "frequencies": "worst expected squared l2 error of the k frequencies",
    "histogram": "worst expected squared l2 error of the d counts",
    "bit-sum": "worst mean squared error of the sum of n bits",
    "real-sum": "worst mean squared error of the sum of n numbers in [0, 1]",
}
USER_LEVEL = (
    "not among these: LSZKG22's protocol, which does another task: histograms of all rows of a user, hidden together; "
    'here a user has one item ("shuffleproof run user-histogram")'
)
_DIGITS = 12
_SHOWN = 5
_SMALL, _LARGE = Decimal("1e-3"), Decimal("1e9")
_LARGEST_N = 10**9 - 1


def advice(
    *,
    task: str,
    n: Number,
    epsilon: Number | Epsilon,
    delta: Number,
    k: Number | None = None,
    d: Number | None = None,
    most_messages: Number | None = None,
) -> Advice:
    """Every protocol for the task at the target, calibrated, in order of certified error.

    task: "frequencies" (with k, 2 to 10^9), "histogram" (with d, 2 to 10^9), "bit-sum" or "real-sum"; n: users, 1 to 10^9 - 1; epsilon in
    [0, 1000]; delta in (0, 1), at least 1e-300; most_messages: how many messages one user may send, None for any number.
    Each error is an upper bound that holds on all datasets, at a setting that is certified for all neighbouring datasets, or sound in
    float64 where its standing says so. Raises DomainError.
    """
    require(task in TASKS, parameter="task", value=task, requirement=f"one of {', '.join(TASKS)}")
    users, central = count(n, parameter="n", maximum=_LARGEST_N), parse_epsilon(epsilon, maximum=1000)
    target = probability(delta, parameter="delta")
    require(Fraction(1, 10**300) <= target < 1, parameter="delta", value=delta, requirement="at least 1e-300 and below 1")
    size = _size(task, k=k, d=d)
    most = None if most_messages is None else count(most_messages, parameter="max-messages")
    goal = Target(users, central, target)
    if task in ("frequencies", "histogram"):
        found = frequencies.choices(goal, k=size, unit=Fraction(1 if task == "frequencies" else users**2))
    else:
        found = sums.of_bits(goal) if task == "bit-sum" else sums.of_numbers(goal)
    inputs = as_given(n=n, eps=epsilon, delta=delta, k=k, d=d, max_messages=most_messages)
    left_out = USER_LEVEL if task in ("frequencies", "histogram") else None
    return Advice(task=task, measure=TASKS[task], choices=ranked(found, most_messages=most), inputs=inputs, left_out=left_out)


@click.command("advise")
@click.option("--task", type=click.Choice(tuple(TASKS)), required=True, help="What is to be learned.")
@click.option("-n", "n", required=True, metavar="COUNT", help="Number of users.")
@click.option("--eps", "epsilon", required=True, metavar="NUMBER", help='Central epsilon, such as 0.5 or "ln 3".')
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta above 0 and below 1, such as 1e-6.")
@click.option("-k", "--k", "k", default=None, metavar="COUNT", help="Number of items (frequencies).")
@click.option("-d", "--d", "d", default=None, metavar="COUNT", help="Number of bins (histogram).")
@click.option("--max-messages", "most_messages", default=None, metavar="COUNT", help="Most messages that one user may send.")
@format_option
def advise(task: str, n: str, epsilon: str, delta: str, k: str | None, d: str | None, most_messages: str | None, as_json: bool) -> ExitCode:
    """The protocol with the least certified error for a task at (epsilon, delta), and every other that was considered.

    \b
    shuffleproof advise --task frequencies -n 1000000 --k 100 --eps 1 --delta 1e-6
    shuffleproof advise --task bit-sum -n 100000 --eps 0.5 --delta 1e-6
    shuffleproof advise --task histogram -n 100000 --d 1000 --eps 1 --delta 1e-6 --max-messages 1 --format json

    Errors are upper bounds for the worst dataset, at settings certified for all neighbouring datasets, or
    sound in float64 where a line says so. Least among the choices shown.
    """
    started = time.perf_counter()
    found = advice(task=task, n=n, epsilon=epsilon, delta=delta, k=k, d=d, most_messages=most_messages)
    if as_json:
        print_json({**json_record(found), "seconds": round(time.perf_counter() - started, 6)})
    else:
        click.echo(text(found))
    return ExitCode.NEGATIVE if found.best is None else ExitCode.ANSWERED


def json_record(found: Advice) -> dict[str, object]:
    """The record as JSON-ready values: numbers that matter are strings, errors rounded up."""
    return {
        "task": found.task,
        "measure": found.measure,
        "advice": None if found.best is None else found.best.name,
        "choices": [_row(each) for each in found.choices],
        "left_out": found.left_out,
        "relation": found.relation.value,
        **found.inputs,
    }


def text(found: Advice) -> str:
    """The record for people: the advice, then one line for every choice, and why some are excluded."""
    given = ", ".join(f"{name} = {each}" for name, each in found.inputs.items())
    best = found.best
    said = "nothing that is known here meets the target" if best is None else f"{best.name}{_with_settings(best)}"
    lines = [f"{found.task}: {said} ({found.relation.value}; {given})"]
    floats = any(each.excluded is None and each.standing == "sound" for each in found.choices)
    otherwise = ', or sound in float64 where it says "sound"' if floats else ""
    lines.append(f"  {found.measure}, certified from above, at settings certified to meet the target{otherwise}:")
    width = max(len(each.name) for each in found.choices)
    for each in found.choices:
        if each.excluded is not None:
            lines.append(f"  {each.name:<{width}}  excluded: {each.excluded}")
            continue
        assert each.error is not None
        told = [f"<= {_rounded_up(each.error)}", _cost(each), _settings(each), each.statement]
        lines.append(f"  {each.name:<{width}}  {'; '.join(told)}{', sound' if each.standing == 'sound' else ''}")
        if each.note is not None:
            lines.append(f"  {'':<{width}}  {each.note}")
    if found.left_out is not None:
        lines.append(f"  {found.left_out}")
    return "\n".join(lines)


def _cost(choice: Choice) -> str:
    size = "of a real number" if choice.bits is None else f"of {choice.bits} bit{'' if choice.bits == 1 else 's'}"
    if choice.messages == 1:
        return f"1 message {size}"
    assert choice.messages is not None
    assert choice.expected_messages is not None
    if choice.messages == choice.expected_messages:
        return f"{choice.messages} messages {size}"
    mean = decimal_text(choice.expected_messages, digits=6, direction="up")
    if Fraction(mean) >= choice.messages:
        return f"up to {choice.messages} messages {size}, nearly always {choice.messages}"
    return f"up to {choice.messages} messages {size}, at most {mean} on average"


def _settings(choice: Choice) -> str:
    return ", ".join(f"{name} = {each}" for name, each in choice.settings.items())


def _with_settings(choice: Choice) -> str:
    return f", with {_settings(choice)}" if choice.settings else ""


def _rounded_up(error: Fraction) -> str:
    """With an exponent where zeros would have to be counted."""
    text = decimal_text(error, digits=_SHOWN, direction="up")
    size = Decimal(text)
    return text if size == 0 or _SMALL <= size < _LARGE else f"{size.normalize():e}"


def _row(choice: Choice) -> dict[str, object]:
    mean = choice.expected_messages
    return {
        "name": choice.name,
        "error_at_most": None if choice.error is None else decimal_text(choice.error, digits=_DIGITS, direction="up"),
        "messages_at_most": choice.messages,
        "expected_messages_at_most": None if mean is None else decimal_text(mean, digits=_DIGITS, direction="up"),
        "bits_of_a_message": choice.bits,
        "settings": dict(choice.settings),
        "statement": choice.statement,
        "standing": choice.standing if choice.excluded is None else None,
        "excluded": choice.excluded,
        "note": choice.note,
    }


def _size(task: str, *, k: Number | None, d: Number | None) -> int:
    """The number of items or bins; 0 for sums, which have none."""
    sizes: dict[str, tuple[str, Number | None]] = {"frequencies": ("k", k), "histogram": ("d", d)}
    for whose, (name, value) in sizes.items():
        if whose != task and value is not None:
            raise DomainError(parameter=name, value=value, requirement=f"left out: the task {task!r} does not take it")
    if task not in sizes:
        return 0
    name, value = sizes[task]
    if value is None:
        raise DomainError(parameter=name, value="(nothing)", requirement=f"given: the task {task!r} needs it")
    return count(value, parameter=name, minimum=2, maximum=10**9)
