"""Which protocol for a task: all that are known calibrated to a target, in order of their certified errors."""

from fractions import Fraction
from typing import Literal, get_args

from shuffleproof.keywords import by_keyword, own_arithmetic, own_names
from shuffleproof.planning.advise import frequencies, sums
from shuffleproof.planning.advise.choice import Advice, ranked
from shuffleproof.planning.advise.local import Target
from shuffleproof.spec.vocabulary.errors import DomainError, require, require_one_of
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count, parse_epsilon, probability

__dir__ = own_names(__name__)

Task = Literal["frequencies", "histogram", "bit-sum", "real-sum"]
TASKS: dict[Task, str] = {
    "frequencies": "worst expected squared l2 error of the k frequencies",
    "histogram": "worst expected squared l2 error of the d counts",
    "bit-sum": "worst mean squared error of the sum of n bits",
    "real-sum": "worst mean squared error of the sum of n numbers in [0, 1]",
}
USER_LEVEL = (
    "not among these: LSZKG22's protocol, which does another task: histograms of all rows of a user, hidden together; "
    'here a user has one item ("shuffleproof run user-histogram")'
)
_LARGEST_N = 10**9
"""Users at most: as the bounds that decide."""


@by_keyword
@own_arithmetic()
def advise(
    *,
    task: Task,
    n: Number,
    epsilon: Number | Epsilon,
    delta: Number,
    k: Number | None = None,
    d: Number | None = None,
    most_messages: Number | None = None,
) -> Advice:
    """Every protocol for the task at the target, calibrated, in order of certified error.

    task: "frequencies" (with k, 2 to 10^9), "histogram" (with d, 2 to 10^9), "bit-sum" or "real-sum"; n: users, 1 to 10^9; epsilon in
    [0, 1000]; delta in (0, 1), at least 1e-300; most_messages: how many messages one user may send, None for any number.
    Each error is an upper bound that holds on all datasets, at a setting that is certified for all neighbouring datasets, or sound in
    float64 where its standing says so. Raises DomainError.
    """
    require_one_of(task, get_args(Task), parameter="task")
    users, central = count(n, parameter="n", maximum=_LARGEST_N), parse_epsilon(epsilon, maximum=1000)
    target = probability(delta, parameter="delta")
    require(Fraction(1, 10**300) <= target < 1, parameter="delta", value=delta, requirement="at least 1e-300 and below 1")
    size = _size(task, k=k, d=d)
    most = None if most_messages is None else count(most_messages, parameter="most_messages")
    goal = Target(users, central, target)
    if task in ("frequencies", "histogram"):
        found = frequencies.choices(goal, k=size, unit=Fraction(1 if task == "frequencies" else users**2))
    else:
        found = sums.of_bits(goal) if task == "bit-sum" else sums.of_numbers(goal)
    inputs = as_given(n=n, eps=epsilon, delta=delta, k=k, d=d, max_messages=most_messages)
    left_out = USER_LEVEL if task in ("frequencies", "histogram") else None
    return Advice(task=task, measure=TASKS[task], choices=ranked(found, most_messages=most), inputs=inputs, left_out=left_out)


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
