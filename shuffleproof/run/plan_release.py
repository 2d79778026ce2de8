"""One round of a plan on real data: every question released as planned, by exact distributions and the operating system's entropy.

A randomizer is drawn with a rational T just below its e^epsilon0: its reports are a post-processing of those of e^epsilon0 itself. An
answer that is no item counts as the first one; an empty text has no item in a vector; what is not 1 is a bit 0.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import cast

import numpy as np

from shuffleproof.impl.release.entropy import BitSource, OperatingSystem
from shuffleproof.mechanisms.mechanism import Mechanism, Shuffled, shuffled
from shuffleproof.mechanisms.protocols import (
    AsymmetricCoordinateSums,
    BinomialSum,
    BitSum,
    CoordinateSums,
    DiscreteGaussianSum,
    FakeUsers,
    Histogram,
    LaplaceSum,
    SplitAndMix,
    ZeroSum,
)
from shuffleproof.mechanisms.randomizers import KRR, Piecewise, SquareWave, UnaryEncoding
from shuffleproof.planning.plan.answer import Evaluation
from shuffleproof.planning.plan.evaluation import evaluate
from shuffleproof.planning.plan.schema import VECTORS, Plan, Question, Round
from shuffleproof.planning.plan.utility import Utility, utility
from shuffleproof.spec.randomizers.sliding_window import SlidingWindow
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, UnsupportedError, require, require_one_of
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, decimal_text, epsilon0_parameter, exact_fraction

_WHOLE = re.compile("[0-9]{1,18}")
_STEPS = 2**20
"""A randomizer's T is a multiple of 1/2^20."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Holds what is released of a question.

    estimates: unbiased, for all users, exact rationals of what was drawn; utility: how far they may be off, None if thresholded; rounds: in
    how many it is to be shown as it is, reports being memoized: the plan does not cover that they are drawn again.
    """

    question: str
    estimates: tuple[tuple[str, Fraction], ...]
    utility: Utility | None
    rounds: int = 1


_CELLS = 1 << 30
"""Into so many a real report is rounded: far below its noise."""


@dataclass(frozen=True, kw_only=True)
class Released:
    """One round. reports: how many there were, None where neighbours differ in that; evaluation: what holds of the whole plan."""

    round: str
    reports: int | None
    answers: tuple[Answer, ...]
    evaluation: Evaluation


def release(plan: Plan, *, round_: str, data: str, source: BitSource | None = None) -> Released:
    """One holding of a round. The plan must be certified to meet its target; then the data are read, and only then is drawn.

    round_: by name; data: CSV or Parquet with one row for each user who is there, at least as many as planned; source: of bits, the
    operating system's unless given. Raises RegimeError where the plan is not met or the batch is too small; DomainError; UnsupportedError
    where a question cannot be released here; what `evaluate` raises.
    """
    from shuffleproof.data.readers import texts

    known = {each.name: each for each in plan.rounds}
    chosen = known[require_one_of(round_, known, parameter="round")]
    for question in chosen.questions:
        _require_released(question)
        if question.memoised and chosen.repeat > 1 and not chosen.same_users and chosen.batch is None:
            reason = "users who change have to remember their reports themselves, and here they would be drawn again"
            raise UnsupportedError(
                what=f"a release of {question.name}", reason=reason, advice="same_users = true, where they do not change"
            )
    asked = sum(each.repeat for each in plan.rounds if each is chosen or (each.batch is not None and each.batch == chosen.batch))
    if chosen.rate < 1 and chosen.batch is not None and asked > 1:
        raise UnsupportedError(
            what=f"a release of {chosen.name} with rate = {chosen.rate}, where its batch {chosen.batch!r} is asked {asked} times",
            reason="one coin of each user decides all of these, and here it would be tossed again",
            advice="a round that is held once, or no batch: then each attempt has coins of its own, and is counted so",
        )
    found = evaluate(plan, lower=False)
    if found.met is not True:
        upper = decimal_text(found.upper, digits=8, direction="up")
        advice = "nothing was read: see `plan check` for what would do"
        raise RegimeError(
            statement=found.statement, condition=f"a plan that meets epsilon <= {plan.wanted}", given=f"epsilon <= {upper}", advice=advice
        )
    columns = [question.column for question in chosen.questions]
    hidden = plan.neighbours == "add-remove"  # nothing may tell how many there are, and the noise does not depend on it
    rows = [row for batch in texts(data=data, columns=columns, forgiving=True, may_be_empty=hidden) for row in batch]
    wanted = f"users = {chosen.users} rows, as exactly = true says" if chosen.exactly else f"at least users = {chosen.users} rows"
    enough = len(rows) == chosen.users if chosen.exactly else len(rows) >= chosen.users
    require(hidden or enough, parameter="data", value=f"{len(rows)} rows", requirement=wanted)
    bits = source or OperatingSystem()
    users = chosen.users if hidden else len(rows)
    if chosen.rate < 1:
        rows = [row for row, there in zip(rows, _present(len(rows), chosen.rate, bits), strict=True) if there]
    if not hidden and len(rows) < min(chosen.least, chosen.users):
        advice = f"the batch is dropped, and counts as one of the round's {chosen.repeat} attempts: hold the next one, if one is left"
        raise RegimeError(
            statement=found.statement, condition=f"a batch of at least {chosen.least} reports", given=f"{len(rows)}", advice=advice
        )
    answers = tuple(_answer(chosen, question, [row[at] for row in rows], users, bits) for at, question in enumerate(chosen.questions))
    return Released(round=round_, reports=None if hidden else len(rows), answers=answers, evaluation=found)


def _require_released(question: Question) -> None:
    """Require that it can be released here. Raises UnsupportedError."""
    if question.kind not in _RELEASES:
        raise UnsupportedError(
            what=f"a release of {question.name}", reason=f"{question.kind} is not drawn here", advice=f"ask it by {', '.join(_RELEASES)}"
        )
    k = getattr(question.one.randomizer, "k", None) if isinstance(question.one, Shuffled) and question.kind not in VECTORS else None
    length, items = "given: the length of the vectors, into which texts are hashed", len(question.items)
    needed: tuple[tuple[tuple[str, ...], bool, str, object, str], ...] = (
        ((question.kind,), k is None or items == count(k, parameter="k"), "items", items, f"as many as k = {k}"),
        (VECTORS, question.coordinates > 0, "coordinates", question.coordinates or "nothing", length),
        (("histogram", "fake-users"), items > 0, "items", "nothing", 'given, or the histogram asked by "run histogram --open"'),
    )
    for kinds, holds, name, value, wanted in needed:
        require(question.kind not in kinds or holds, parameter=f"{question.name}.{name}", value=value, requirement=wanted)


def _present(users: int, rate: Fraction, source: BitSource) -> Sequence[bool]:
    from shuffleproof.impl.release.uniform import uniforms_below

    return cast(Sequence[bool], uniforms_below(m=rate.denominator, size=users, source=source) < rate.numerator)


def _answer(round_: Round, question: Question, held: list[str], users: int, source: BitSource) -> Answer:
    """The estimates for all users: where they take part at random, those for the reports divided by the rate."""
    drawn = _RELEASES[question.kind](question, held, source)
    estimates = [(item, value / round_.rate) for item, value in drawn]
    if question.threshold is not None:
        estimates = [each for each in estimates if each[1] >= question.threshold]
    known = None if question.threshold is not None else utility(replace(round_, users=users), _as_drawn(question))
    return Answer(question=question.name, estimates=tuple(estimates), utility=known, rounds=round_.repeat if question.memoised else 1)


def _as_drawn(question: Question) -> Question:
    """Return the question with the epsilon0 that is drawn, a little smaller than planned: its error is a little larger."""
    if question.kind == "krr":
        drawn: Mechanism = shuffled(KRR(k=len(question.items), epsilon0=Epsilon(None, _kept(question))), n=1)
    elif question.kind == "asymmetric-rappor":
        drawn = AsymmetricCoordinateSums(n=1, epsilon0=Epsilon(None, _kept(question)))
    elif question.kind == "rappor":
        drawn = CoordinateSums(n=1, epsilon0=Epsilon(None, _kept(question, half=True)), changed=1)
    else:
        return question
    return replace(question, mechanism=drawn)


def _kept(question: Question, *, half: bool = False) -> Fraction:
    """A rational at most e^epsilon0, or e^(epsilon0/2), and at least 1."""
    assert question.local is not None
    low = question.local.bounds(bits=64)[0] / (2 if half else 1)
    return max(Fraction(1), Fraction(int(exp_bounds(low, bits=64)[0] * _STEPS), _STEPS))


def _k_rr(question: Question, held: list[str], source: BitSource) -> list[tuple[str, Fraction]]:
    """k-RR: the item with probability T/(T + k - 1), else one of the others; drawn by counts, as shuffling forgets the rest."""
    from shuffleproof.impl.release.binomial import binomial
    from shuffleproof.impl.release.uniform import uniforms_below

    items, T, n = question.items, _kept(question), len(held)
    k = len(items)
    place = {item: at for at, item in enumerate(items)}
    counts = np.zeros(k, dtype=np.int64)
    for item, number in Counter(held).items():
        if item in place:
            counts[place[item]] += number
    counts[0] += n - int(counts.sum())
    seen = np.zeros(k, dtype=np.int64)
    for at in range(k):
        changed = int(binomial(n=int(counts[at]), p=(k - 1) / (T + k - 1), size=1, source=source)[0])
        seen[at] += counts[at] - changed
        others = uniforms_below(m=k - 1, size=changed, source=source)
        seen += np.bincount(others + (others >= at), minlength=k)
    require(T > 1, parameter="epsilon0", value=str(question.local), requirement="large enough that messages say something")
    apart, other = (T - 1) / (T + k - 1), 1 / (T + k - 1)
    return [(item, (int(number) - n * other) / apart) for item, number in zip(items, seen, strict=True)]


def _rappor(question: Question, held: list[str], source: BitSource) -> list[tuple[str, Fraction]]:
    """The sums of the coordinates of vectors whose bits are flipped with probability 1/(h + 1), h at most e^(epsilon0/2)."""
    from shuffleproof.impl.release.bit_sum import messages_of_one

    h, n = _kept(question, half=True), len(held)
    require(h > 1, parameter="epsilon0", value=str(question.local), requirement="large enough that messages say something")
    flip = 1 / (h + 1)
    return _by_coordinate(
        question, held, lambda ones: (messages_of_one(bits=n, ones=ones, flip=flip, source=source) - n * flip) / (1 - 2 * flip)
    )


def _asymmetric_rappor(question: Question, held: list[str], source: BitSource) -> list[tuple[str, Fraction]]:
    """The sums of vectors whose own bit is 1 with probability 1/2 and every other one with 1/(T + 1), T at most e^epsilon0."""
    return _of_bits(question, held, Fraction(1, 2), 1 / (_kept(question) + 1), source)


def _unary(question: Question, held: list[str], source: BitSource) -> list[tuple[str, Fraction]]:
    """The sums of vectors whose own bit is 1 with probability T q/(T q + 1 - q), T at most e^epsilon0, and every other one with q."""
    assert isinstance(question.one, Shuffled)
    asked = question.one.randomizer
    assert isinstance(asked, UnaryEncoding)
    T, q = _kept(question), exact_fraction(asked.p_other, parameter="p_other")
    return _of_bits(question, held, T * q / (T * q + 1 - q), q, source)


def _of_bits(question: Question, held: list[str], own: Fraction, other: Fraction, source: BitSource) -> list[tuple[str, Fraction]]:
    from shuffleproof.impl.release.binomial import binomial

    n = len(held)
    require(own > other, parameter="epsilon0", value=str(question.local), requirement="large enough that messages say something")

    def estimate(holders: int) -> Fraction:
        drawn = (binomial(n=size, p=p, size=1, source=source)[0] for size, p in ((holders, own), (n - holders, other)))
        return (sum(int(each) for each in drawn) - n * other) / (own - other)

    return _by_coordinate(question, held, estimate)


def _by_coordinate(question: Question, held: list[str], estimate: Callable[[int], Fraction]) -> list[tuple[str, Fraction]]:
    """estimate: of how many hold the item of a coordinate, drawn once for each coordinate that is asked for."""
    counts = Counter(coordinate_of(text, question.coordinates) for text in held if text)
    asked = {item: coordinate_of(item, question.coordinates) for item in question.items}
    wanted = sorted(set(asked.values())) if asked else range(question.coordinates)
    estimates = {at: estimate(counts[at]) for at in wanted}
    return [(item, estimates[at]) for item, at in asked.items()] if asked else [(str(at), each) for at, each in estimates.items()]


def coordinate_of(text: str, coordinates: int) -> int:
    """The coordinate of a text: its SHA-256 as a number, modulo how many there are."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest(), "big") % coordinates


def _sliding_window(question: Question, held: list[str], source: BitSource) -> list[tuple[str, Fraction]]:
    """The sum of numbers, those beyond the interval clipped and what is none in its middle: of reports drawn exactly, then rounded.

    A report has the mean ((T - 1) w (t x + w/2) + (w + t)^2/2)/(T w + t), which is solved for x; rounding moves it by half a cell at most.
    """
    from shuffleproof.impl.release.sliding_window import exact_lengths, reports

    assert isinstance(question.one, Shuffled)
    asked = question.one.randomizer
    assert isinstance(asked, Piecewise | SquareWave)
    record, local = asked.record(), epsilon0_parameter(asked.epsilon0)
    assert isinstance(record, SlidingWindow)
    low = -1 if isinstance(asked, Piecewise) else 0
    inputs = [(_number(text, low) - low) / (1 - low) for text in held]
    drawn = reports(window=record.window, way=record.way, epsilon0=local, inputs=inputs, cells=_CELLS, source=source)
    w, t, T = exact_lengths(window=record.window, way=record.way, epsilon0=local)
    require(T > 1, parameter="epsilon0", value=str(local), requirement="large enough that messages say something")
    total = sum(Fraction(2 * cell + 1, 2 * _CELLS) for cell in drawn) * (w + t) * (T * w + t)
    scaled = (total - len(drawn) * ((T - 1) * w * w + (w + t) ** 2) / 2) / ((T - 1) * w * t)
    return [("sum", scaled * (1 - low) + len(drawn) * low)]


def _number(text: str, low: int) -> Fraction:
    """The number in the text, clipped to [low, 1]; the middle where there is none."""
    try:
        exact = exact_fraction(text, parameter="data")
    except DomainError:
        return Fraction(low + 1, 2)
    return min(Fraction(1), max(Fraction(low), exact))


def _bit_sum(question: Question, held: list[str], source: BitSource) -> list[tuple[str, Fraction]]:
    from shuffleproof.impl.release.bit_sum import messages_of_one

    one, n = question.one, len(held)
    assert isinstance(one, BitSum)
    flip = exact_fraction(one.lam, parameter="lam") / exact_fraction(one.n, parameter="n") / 2
    require(flip < Fraction(1, 2), parameter="lam", value=one.lam, requirement="below n: else messages say nothing")
    total = messages_of_one(bits=n, ones=held.count("1"), flip=flip, source=source)
    return [("1", (total - n * flip) / (1 - 2 * flip))]


def _noisy_counts(question: Question, held: list[str], source: BitSource) -> list[tuple[str, Fraction]]:
    """The zero sum of every bin: its count and Bin(n, p), less what is expected."""
    from shuffleproof.impl.release.histogram import excess_messages

    one, n = question.one, len(held)
    assert isinstance(one, ZeroSum | Histogram | FakeUsers)
    if question.kind == "fake-users":
        n = question.fakes
    p = exact_fraction(one.p, parameter="p")
    items = ("1",) if question.kind == "zero-sum" else question.items
    counts = Counter(held)
    none = np.zeros(len(items), dtype=np.int64)
    noise = excess_messages(counts=none, n=n, p=p, source=source)  # -Bin(n, 1 - p): the messages of noise, less n
    return [(item, counts[item] + int(number) + n * (1 - p)) for item, number in zip(items, noise, strict=True)]


def _laplace_sum(question: Question, held: list[str], source: BitSource) -> list[tuple[str, Fraction]]:
    """Integers from 0 to the sensitivity, what is none or beyond it clipped; everybody adds the part for the honest ones."""
    one = question.one
    assert isinstance(one, LaplaceSum)
    return [("sum", Fraction(sum(_clipped(held, one.sensitivity)) + _noise_in_parts(question, one, len(held), source)))]


def _noise_in_parts(question: Question, one: LaplaceSum | SplitAndMix, users: int, source: BitSource) -> int:
    """Draw noise of as many parts as there are honest users at least."""
    from shuffleproof.impl.release.integer_noise import noise_of

    local = epsilon0_parameter(one.epsilon0).bounds(bits=64)[0]
    require(local > 0, parameter="epsilon0", value=str(one.epsilon0), requirement="above 0: else the noise has no end")
    scale = count(one.sensitivity, parameter="sensitivity") / local
    return noise_of(users=users, honest=question.parts, scale=scale, source=source)


def _split_and_mix(question: Question, held: list[str], source: BitSource) -> list[tuple[str, Fraction]]:
    """Integers and noise as for `laplace-sum`, in shares that are drawn, mixed and added up."""
    from shuffleproof.impl.release.shares import mixed, total

    one = question.one
    assert isinstance(one, SplitAndMix)
    numbers = _clipped(held, one.sensitivity)
    numbers[0] += _noise_in_parts(question, one, len(held), source)  # all of it: whose number it is in, sums of shares do not tell
    modulus = count(one.modulus, parameter="modulus", minimum=2, maximum=1 << 256)
    shares = mixed(numbers, messages=count(one.messages, parameter="messages"), modulus=modulus, source=source)
    return [("sum", Fraction(total(shares, modulus=modulus)))]


def _binomial_sum(question: Question, held: list[str], source: BitSource) -> list[tuple[str, Fraction]]:
    """Integers as for `laplace-sum`; everybody adds the heads of their coins, which are expected and taken off."""
    from shuffleproof.impl.release.binomial import binomial

    one = question.one
    assert isinstance(one, BinomialSum)
    p, coins = exact_fraction(one.p, parameter="p"), len(held) * count(one.coins, parameter="coins")
    heads = int(binomial(n=coins, p=p, size=1, source=source)[0])
    return [("sum", sum(_clipped(held, one.sensitivity)) + heads - coins * p)]


def _discrete_gaussian_sum(question: Question, held: list[str], source: BitSource) -> list[tuple[str, Fraction]]:
    """Integers as for `laplace-sum`; everybody adds a discrete Gaussian of their own."""
    from shuffleproof.impl.release.integer_noise import discrete_gaussians

    one = question.one
    assert isinstance(one, DiscreteGaussianSum)
    noise = int(discrete_gaussians(variance=one.variance, size=len(held), source=source).sum())
    return [("sum", Fraction(sum(_clipped(held, one.sensitivity)) + noise))]


def _clipped(held: list[str], sensitivity: Number) -> list[int]:
    """Integers from 0 to the sensitivity: what is none counts 0, what is beyond it as much as it."""
    most = count(sensitivity, parameter="sensitivity")
    return [min(int(text), most) if _WHOLE.fullmatch(text) else 0 for text in held]


_RELEASES: Mapping[str, Callable[[Question, list[str], BitSource], list[tuple[str, Fraction]]]] = {
    "krr": _k_rr,
    "rappor": _rappor,
    "asymmetric-rappor": _asymmetric_rappor,
    "unary": _unary,
    "piecewise": _sliding_window,
    "square-wave": _sliding_window,
    "bit-sum": _bit_sum,
    "zero-sum": _noisy_counts,
    "histogram": _noisy_counts,
    "fake-users": _noisy_counts,
    "laplace-sum": _laplace_sum,
    "binomial-sum": _binomial_sum,
    "discrete-gaussian-sum": _discrete_gaussian_sum,
    "split-and-mix": _split_and_mix,
}
