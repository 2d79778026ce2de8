"""How a plan's question is drawn, by its randomizer or protocol: from what users hold to unbiased estimates.

A randomizer is drawn with a rational T just below its e^epsilon0: its reports are a post-processing of those of e^epsilon0 itself. An
answer that is no item counts as the first one; an empty text has no item in a vector; what is not 1 is a bit 0.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np

from shuffleproof.impl.release.binomial import binomial
from shuffleproof.impl.release.bit_sum import messages_of_one
from shuffleproof.impl.release.entropy import BitSource
from shuffleproof.impl.release.histogram import excess_messages
from shuffleproof.impl.release.integer_noise import discrete_gaussians, noise_of
from shuffleproof.impl.release.shares import mixed, total
from shuffleproof.impl.release.sliding_window import exact_lengths, reports
from shuffleproof.impl.release.uniform import uniforms_below
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
from shuffleproof.planning.plan.schema import Question
from shuffleproof.spec.randomizers.sliding_window import SlidingWindow
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.errors import DomainError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, epsilon0_parameter, exact_fraction

_WHOLE = re.compile("[0-9]{1,18}")
_STEPS = 2**20
"""A randomizer's T is a multiple of 1/2^20."""
_CELLS = 1 << 30
"""Into so many a real report is rounded: far below its noise."""
_SAYS_SOMETHING = "large enough that messages say something"
Estimates = list[tuple[str, Fraction]]


def as_drawn(question: Question) -> Question:
    """Return the question with the epsilon0 that is drawn, a little smaller than planned: its error is a little larger."""
    if question.kind == "krr":
        drawn: Mechanism = shuffled(KRR(k=len(question.items), epsilon0=Epsilon(None, kept(question))), n=1)
    elif question.kind == "asymmetric-rappor":
        drawn = AsymmetricCoordinateSums(n=1, epsilon0=Epsilon(None, kept(question)))
    elif question.kind == "rappor":
        drawn = CoordinateSums(n=1, epsilon0=Epsilon(None, kept(question, half=True)), changed=1)
    else:
        return question
    return replace(question, mechanism=drawn)


def kept(question: Question, *, half: bool = False) -> Fraction:
    """A rational at most e^epsilon0, or e^(epsilon0/2), and at least 1."""
    assert question.local is not None
    low = question.local.bounds(bits=64)[0] / (2 if half else 1)
    return max(Fraction(1), Fraction(int(exp_bounds(low, bits=64)[0] * _STEPS), _STEPS))


def _k_rr(question: Question, held: list[str], source: BitSource) -> Estimates:
    """k-RR: the item with probability T/(T + k - 1), else one of the others; drawn by counts, as shuffling forgets the rest."""
    items, T, n = question.items, kept(question), len(held)
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
    require(T > 1, parameter="epsilon0", value=str(question.local), requirement=_SAYS_SOMETHING)
    apart, other = (T - 1) / (T + k - 1), 1 / (T + k - 1)
    return [(item, (int(number) - n * other) / apart) for item, number in zip(items, seen, strict=True)]


def _rappor(question: Question, held: list[str], source: BitSource) -> Estimates:
    """The sums of the coordinates of vectors whose bits are flipped with probability 1/(h + 1), h at most e^(epsilon0/2)."""
    h, n = kept(question, half=True), len(held)
    require(h > 1, parameter="epsilon0", value=str(question.local), requirement=_SAYS_SOMETHING)
    flip = 1 / (h + 1)
    return _by_coordinate(
        question, held, lambda ones: (messages_of_one(bits=n, ones=ones, flip=flip, source=source) - n * flip) / (1 - 2 * flip)
    )


def _asymmetric_rappor(question: Question, held: list[str], source: BitSource) -> Estimates:
    """The sums of vectors whose own bit is 1 with probability 1/2 and every other one with 1/(T + 1), T at most e^epsilon0."""
    return _of_bits(question, held, Fraction(1, 2), 1 / (kept(question) + 1), source)


def _unary(question: Question, held: list[str], source: BitSource) -> Estimates:
    """The sums of vectors whose own bit is 1 with probability T q/(T q + 1 - q), T at most e^epsilon0, and every other one with q."""
    assert isinstance(question.one, Shuffled)
    asked = question.one.randomizer
    assert isinstance(asked, UnaryEncoding)
    T, q = kept(question), exact_fraction(asked.p_other, parameter="p_other")
    return _of_bits(question, held, T * q / (T * q + 1 - q), q, source)


def _of_bits(question: Question, held: list[str], own: Fraction, other: Fraction, source: BitSource) -> Estimates:
    n = len(held)
    require(own > other, parameter="epsilon0", value=str(question.local), requirement=_SAYS_SOMETHING)

    def estimate(holders: int) -> Fraction:
        drawn = (binomial(n=size, p=p, size=1, source=source)[0] for size, p in ((holders, own), (n - holders, other)))
        return (sum(int(each) for each in drawn) - n * other) / (own - other)

    return _by_coordinate(question, held, estimate)


def _by_coordinate(question: Question, held: list[str], estimate: Callable[[int], Fraction]) -> Estimates:
    """estimate: of how many hold the item of a coordinate, drawn once for each coordinate that is asked for."""
    counts = Counter(coordinate_of(text, question.coordinates) for text in held if text)
    asked = {item: coordinate_of(item, question.coordinates) for item in question.items}
    wanted = sorted(set(asked.values())) if asked else range(question.coordinates)
    estimates = {at: estimate(counts[at]) for at in wanted}
    return [(item, estimates[at]) for item, at in asked.items()] if asked else [(str(at), each) for at, each in estimates.items()]


def coordinate_of(text: str, coordinates: int) -> int:
    """The coordinate of a text: its SHA-256 as a number, modulo how many there are."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest(), "big") % coordinates


def _sliding_window(question: Question, held: list[str], source: BitSource) -> Estimates:
    """The sum of numbers, those beyond the interval clipped and what is none in its middle: of reports drawn exactly, then rounded.

    A report has the mean ((T - 1) w (t x + w/2) + (w + t)^2/2)/(T w + t), which is solved for x; rounding moves it by half a cell at most.
    """
    assert isinstance(question.one, Shuffled)
    asked = question.one.randomizer
    assert isinstance(asked, Piecewise | SquareWave)
    record, local = asked.record(), epsilon0_parameter(asked.epsilon0)
    assert isinstance(record, SlidingWindow)
    low = -1 if isinstance(asked, Piecewise) else 0
    inputs = [(_number(text, low) - low) / (1 - low) for text in held]
    drawn = reports(window=record.window, way=record.way, epsilon0=local, inputs=inputs, cells=_CELLS, source=source)
    w, t, T = exact_lengths(window=record.window, way=record.way, epsilon0=local)
    require(T > 1, parameter="epsilon0", value=str(local), requirement=_SAYS_SOMETHING)
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


def _bit_sum(question: Question, held: list[str], source: BitSource) -> Estimates:
    one, n = question.one, len(held)
    assert isinstance(one, BitSum)
    flip = exact_fraction(one.lam, parameter="lam") / exact_fraction(one.n, parameter="n") / 2
    require(flip < Fraction(1, 2), parameter="lam", value=one.lam, requirement="below n: else messages say nothing")
    total = messages_of_one(bits=n, ones=held.count("1"), flip=flip, source=source)
    return [("1", (total - n * flip) / (1 - 2 * flip))]


def _noisy_counts(question: Question, held: list[str], source: BitSource) -> Estimates:
    """The zero sum of every bin: its count and Bin(n, p), less what is expected."""
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


def _laplace_sum(question: Question, held: list[str], source: BitSource) -> Estimates:
    """Integers from 0 to the sensitivity, what is none or beyond it clipped; everybody adds the part for the honest ones."""
    one = question.one
    assert isinstance(one, LaplaceSum)
    return [("sum", Fraction(sum(_clipped(held, one.sensitivity)) + _noise_in_parts(question, one, len(held), source)))]


def _noise_in_parts(question: Question, one: LaplaceSum | SplitAndMix, users: int, source: BitSource) -> int:
    """Draw noise of as many parts as there are honest users at least."""
    local = epsilon0_parameter(one.epsilon0).bounds(bits=64)[0]
    require(local > 0, parameter="epsilon0", value=str(one.epsilon0), requirement="above 0: else the noise has no end")
    scale = count(one.sensitivity, parameter="sensitivity") / local
    return noise_of(users=users, honest=question.parts, scale=scale, source=source)


def _split_and_mix(question: Question, held: list[str], source: BitSource) -> Estimates:
    """Integers and noise as for `laplace-sum`, in shares that are drawn, mixed and added up."""
    one = question.one
    assert isinstance(one, SplitAndMix)
    numbers = _clipped(held, one.sensitivity)
    numbers[0] += _noise_in_parts(question, one, len(held), source)  # all of it: whose number it is in, sums of shares do not tell
    modulus = count(one.modulus, parameter="modulus", minimum=2, maximum=1 << 256)
    shares = mixed(numbers, messages=count(one.messages, parameter="messages"), modulus=modulus, source=source)
    return [("sum", Fraction(total(shares, modulus=modulus)))]


def _binomial_sum(question: Question, held: list[str], source: BitSource) -> Estimates:
    """Integers as for `laplace-sum`; everybody adds the heads of their coins, which are expected and taken off."""
    one = question.one
    assert isinstance(one, BinomialSum)
    p, coins = exact_fraction(one.p, parameter="p"), len(held) * count(one.coins, parameter="coins")
    heads = int(binomial(n=coins, p=p, size=1, source=source)[0])
    return [("sum", sum(_clipped(held, one.sensitivity)) + heads - coins * p)]


def _discrete_gaussian_sum(question: Question, held: list[str], source: BitSource) -> Estimates:
    """Integers as for `laplace-sum`; everybody adds a discrete Gaussian of their own."""
    one = question.one
    assert isinstance(one, DiscreteGaussianSum)
    noise = int(discrete_gaussians(variance=one.variance, size=len(held), source=source).sum())
    return [("sum", Fraction(sum(_clipped(held, one.sensitivity)) + noise))]


def _clipped(held: list[str], sensitivity: Number) -> list[int]:
    """Integers from 0 to the sensitivity: what is none counts 0, what is beyond it as much as it."""
    most = count(sensitivity, parameter="sensitivity")
    return [min(int(text), most) if _WHOLE.fullmatch(text) else 0 for text in held]


RELEASES: Mapping[str, Callable[[Question, list[str], BitSource], Estimates]] = {
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
