"""The optimal pair V(n, p, beta, q), certified for any n: BEYOND.ThmF3, by ball arithmetic.

Its Renyi divergences, for every real order above 1, by two routes. Moments: from the centred moments of the counts, for n well above q, at
the same cost for any n (optimal_pair_moments). Counts: a sum over all of them, for moderate n (optimal_pair_counts). Exchanging a and b
exchanges P and Q and keeps M_n, so both directions are the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from flint import arb

from shuffleproof.impl.ball.bounds.clones.renyi_series import Series
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_counts import LARGEST_WORK, Counts
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_guess import initial_guess, near_root
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_moments import Moments
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_sums import affordable_search, evaluate
from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_window import Masses, Order
from shuffleproof.impl.ball.numeric.arithmetic import ball, ends, lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.evaluation import Evaluation, refined
from shuffleproof.impl.ball.numeric.results import enclosed, exactly, solved
from shuffleproof.impl.ball.numeric.root import certified_near, solve
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import RegimeError, UndecidedError, require
from shuffleproof.spec.vocabulary.methods.randomizer_laws import OPTIMAL_PAIR
from shuffleproof.spec.vocabulary.numerals import (
    Epsilon,
    Number,
    as_given,
    count,
    decimal_text,
    exact_fraction,
    parse_epsilon,
    probability,
    ratio_bound,
    renyi_order,
)
from shuffleproof.spec.vocabulary.refusals import infinite_renyi

LARGEST_N = 10**9
"""Users at most: sums over counts are refused before, moments and closed forms are tested to here."""
_EXACT_POWERS_TO = 1000
"""Users up to which delta is compared with what is revealed in exact rationals, so that a tie is one."""
_STEERED_DIGITS = 9
"""Up to so many floats steer so well that one or two certified evaluations are enough."""
Route = Literal["auto", "moments", "counts"]
_SIZES = ((24, 12), (64, 20), (144, 28))
"""(J, K) of the moments, tried in turn."""
_COUNTS = (48, 96, 192, 384)
"""J, four times the last c that is summed term by term."""


@dataclass(frozen=True)
class Pair:
    """The pair at clipped parameters. top: ln p, None for infinite p; masses: None where beta is 0."""

    n: int
    beta: Fraction
    top: Epsilon | None
    masses: Masses | None

    @classmethod
    def parsed(cls, *, n: Number, p: Number, beta: Number, q: Number) -> Pair:
        """Read numbers as people write them; p may be "infinity". beta is clipped to (p-1)/(p+1) and q-1 (BEYOND.LemL0)."""
        users = count(n, parameter="n", maximum=LARGEST_N)
        ratio = ratio_bound(p, parameter="p")
        distance, cover = probability(beta, parameter="beta"), exact_fraction(q, parameter="q")
        require(cover >= 1, parameter="q", value=q, requirement="at least 1")
        if users == 1:  # there is no R_k, so that any q is true, even one that would clip beta
            cover = max(cover, Fraction(2))
        clipped = min(distance, cover - 1, Fraction(1) if ratio is None else (ratio - 1) / (ratio + 1))
        top = None if ratio is None else Epsilon(Fraction(0) if ratio == 1 else None, ratio)
        masses = Masses.of(x=Fraction(0) if ratio is None else 1 / ratio, beta=clipped, q=cover) if clipped else None
        return cls(users, clipped, top, masses)

    @property
    def largest_ratio(self) -> int:
        """For infinite p, the largest finite likelihood ratio (a + d)/(b + d): n where d exists, else n - 1; at least 1."""
        assert self.masses is not None
        return max(1, self.n if self.masses.d else self.n - 1)

    def revealed(self) -> arb:
        """For infinite p, the probability that the special report has infinite privacy loss: it is a, and nobody else sends b or d."""
        assert self.masses is not None
        return ball(self.beta) * ball(1 - self.masses.either / 2 - self.masses.d) ** (self.n - 1)

    def compared_with_revealed(self, delta: Fraction) -> int:
        """-1, 0, 1 as delta is below, equal to, above what is revealed. Raises UndecidedError where balls cannot tell."""
        assert self.masses is not None
        if self.n <= _EXACT_POWERS_TO:
            exact = self.beta * (1 - self.masses.either / 2 - self.masses.d) ** (self.n - 1)
            return (delta > exact) - (delta < exact)
        with precision(4096):
            revealed = self.revealed()
            if ball(delta) < revealed:
                return -1
            if ball(delta) > revealed:
                return 1
        raise UndecidedError(quantity="delta at infinite epsilon", enclosure=(str(delta), str(delta)), precision=4096)


def delta(*, n: Number, p: Number, beta: Number, q: Number, epsilon: Number | Epsilon, digits: int = 15) -> Bound:
    """delta of the optimal pair at epsilon, enclosed: shuffled randomizers with H(p, beta, q) are (epsilon, upper)-DP (BEYOND.ThmF3).

    n: users, 1 to 10^9; p: at least 1 or "infinity"; beta in [0, 1]; q: at least 1; where they are not known exactly, round all three
    up. epsilon >= 0; digits: relative width of the enclosure at most 10^-digits, 1 to 1000.
    Returns an enclosure, exact (0) where e^epsilon >= p. Cost O(sqrt(n digits)) for each of the chains of optimal_pair_sums, which are few.
    Raises DomainError, ResourceLimitError, UndecidedError.
    """
    pair, central, wanted = Pair.parsed(n=n, p=p, beta=beta, q=q), parse_epsilon(epsilon), count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, p=p, beta=beta, q=q, eps=epsilon)
    if pair.masses is None or (pair.top is not None and central >= pair.top):
        return exactly(OPTIMAL_PAIR, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    if pair.top is None and central >= _logarithm(pair.largest_ratio):
        bits = 4 * wanted + 64 + pair.n.bit_length()
        with precision(bits):
            revealed = pair.revealed()
        return enclosed(OPTIMAL_PAIR, "delta", lower_end(revealed), upper_end(revealed), digits=wanted, precision=bits, inputs=inputs)
    found = _enclose(pair.n, pair.masses, central, wanted + 1)
    return enclosed(OPTIMAL_PAIR, "delta", found.lower, found.upper, digits=wanted, precision=found.bits, inputs=inputs)


def epsilon(*, n: Number, p: Number, beta: Number, q: Number, delta: Number, digits: int = 15) -> Bound:
    """Least epsilon at which the optimal pair's delta is at most delta, enclosed (BEYOND.ThmF3).

    n, p, beta, q, digits: as for `delta`; delta in [0, 1].
    Returns an enclosure with delta(lower) > delta >= delta(upper) certified; exactly ln p at delta = 0 for finite p, exactly 0 where
    delta >= delta(0) is certified. Raises DomainError, ResourceLimitError, UndecidedError; RegimeError where p is infinite and delta is
    below the probability that the special report has infinite privacy loss, so that no epsilon is enough.
    """
    pair, target = Pair.parsed(n=n, p=p, beta=beta, q=q), probability(delta, parameter="delta")
    wanted = count(digits, parameter="digits", maximum=1000)
    inputs = as_given(n=n, p=p, beta=beta, q=q, delta=delta)
    masses = pair.masses
    if masses is None or target == 1:
        return exactly(OPTIMAL_PAIR, "epsilon", "0", Fraction(0), Fraction(0), inputs=inputs)
    top = pair.top
    if top is None:
        side = pair.compared_with_revealed(target)
        if side < 0:
            with precision(128):
                revealed = decimal_text(upper_end(pair.revealed()), digits=12, direction="up")
            raise RegimeError(
                statement=OPTIMAL_PAIR.statement,
                condition=f"delta >= {revealed}, the probability that the special report has infinite privacy loss, where p is infinite",
                given=f"delta = {delta}",
                advice="no epsilon is enough: ask for a larger delta, or give a finite p that the randomizer meets",
            )
        top = _logarithm(pair.largest_ratio)
        if side == 0 or top.exp == 1:
            return exactly(OPTIMAL_PAIR, "epsilon", str(top), *top.bounds(bits=4 * wanted + 16), inputs=inputs)
    elif target == 0:  # a alone has positive probability, and there the likelihood ratio is p itself
        return exactly(OPTIMAL_PAIR, "epsilon", str(top), *top.bounds(bits=4 * wanted + 16), inputs=inputs)

    def enclose(central: Epsilon, accuracy: int) -> Evaluation:
        return _enclose(pair.n, masses, central, accuracy)

    def affordable(guess: Fraction) -> None:
        with precision(4096):  # what the last evaluation will take is known now: refuse before any work starts
            affordable_search(pair.n, masses, Order.at(masses.x, Epsilon(guess, None)), spread=_spread(wanted + 3))

    largest = math.log(top.exp.numerator) - math.log(top.exp.denominator) if top.exp else float(top.bounds(bits=64)[0])
    near = near_root(pair.n, masses, largest, target) if wanted <= _STEERED_DIGITS else None
    root = None
    if near is not None:
        guess, good_digits = near
        affordable(guess)
        close = good_digits >= wanted
        root = certified_near(enclose, x=guess, epsilon0=top, delta=target, digits=wanted, accuracy=max(4, wanted - 1), close=close)
    if root is None:
        guess, good_digits, near_zero = initial_guess(pair.n, masses, top, target)
        affordable(guess)
        root = solve(
            enclose, epsilon0=top, delta=target, digits=wanted, guess=guess, guess_is_near_zero=near_zero, guess_digits=good_digits
        )
    return solved(OPTIMAL_PAIR, root, digits=wanted, inputs=inputs)


def renyi(*, n: Number, p: Number, beta: Number, q: Number, order: Number, digits: Number = 12, route: Route = "auto") -> Bound:
    """Renyi divergence of the optimal pair, enclosed: shuffled randomizers with H(p, beta, q) are (upper, order)-RDP (BEYOND.Renyi).

    n: users, 1 to 10^9; p: at least 1; beta in [0, 1]; q: at least 1; where they are not known exactly, round all three up; order: any
    number above 1, at most 10^6; digits: relative width of the enclosure at most 10^-digits, 1 to 1000; route: "moments", "counts", or
    whichever answers, moments first.
    Returns an enclosure, exactly 0 where beta is 0. Raises DomainError; RegimeError where p is infinite, and with it the divergence;
    ResourceLimitError (beyond about half a minute), UndecidedError.
    """
    family, alpha = PairRenyi(n=n, p=p, beta=beta, q=q), renyi_order(order)
    wanted, inputs = count(digits, parameter="digits", maximum=1000), as_given(n=n, p=p, beta=beta, q=q, order=order)
    if family.pair.masses is None:
        return exactly(OPTIMAL_PAIR, "renyi", "0", Fraction(0), Fraction(0), inputs=inputs)
    lower, upper, bits = family.divergence(order=alpha, digits=wanted, route=route)
    return enclosed(OPTIMAL_PAIR, "renyi", lower, upper, digits=wanted, precision=bits, inputs=inputs)


class PairRenyi:
    """The pair at one n, p, beta, q; the moments of its counts serve every order."""

    def __init__(self, *, n: Number, p: Number, beta: Number, q: Number) -> None:
        self.pair = Pair.parsed(n=n, p=p, beta=beta, q=q)
        if self.pair.masses is not None and self.pair.top is None:
            raise infinite_renyi(OPTIMAL_PAIR)
        self._kept: dict[tuple[int, int], tuple[int, Moments]] = {}

    def divergence(
        self, *, order: Fraction, digits: int, route: Route = "auto", most: int = LARGEST_WORK
    ) -> tuple[Fraction, Fraction, int]:
        """Certified ends, to `digits` digits, and the bits they took, for a beta above 0. most: terms of a sum over counts.

        Raises as `renyi`.
        """
        masses, top = self.pair.masses, self.pair.top
        assert masses is not None
        assert top is not None
        least = math.ceil(3.33 * digits) + 4 * self.pair.n.bit_length() + 2 * (order.numerator // order.denominator).bit_length() + 96
        # e^-epsilon0 is about 1 - beta_0, which is about epsilon0 where that is small.
        local = top.bounds(bits=64)[1]
        least += math.ceil(1.45 * float(local)) + 2 * max(0, local.denominator.bit_length() - local.numerator.bit_length())
        known, bits = (Fraction(0), Fraction(0)), least
        by_moments = route == "moments" or (route == "auto" and self._many_enough(order, digits))
        for sizes in (_SIZES if by_moments else (), _COUNTS if route != "moments" else ()):
            bits, width = least, math.inf
            for size in sizes:
                with precision(bits):
                    series = Series.of(epsilon0=top, order=order)
                    value = (
                        self._by_moments(series, *size, bits) if isinstance(size, tuple) else self._by_counts(series, size, digits, most)
                    )
                    found = (value.log1p() / ball(order - 1)) if value > -1 and value.is_finite() else arb(0, 1)
                    if found.is_finite() and found > 0:
                        known = ends(found)
                if known[0] > 0 and (known[1] - known[0]) * 10**digits <= known[1]:
                    return *known, bits
                if route == "auto" and isinstance(size, tuple) and float(value.rad()) > width:  # more moments are of no use
                    break
                bits, width = bits + bits // 4, float(value.rad())
        raise UndecidedError(quantity="the Renyi divergence", enclosure=(str(float(known[0])), str(float(known[1]))), precision=bits)

    def _many_enough(self, order: Fraction, digits: int) -> bool:
        """Return whether Pr(w < -3/4), at most e^-n KL, can be left out; only a choice."""
        assert self.pair.masses is not None
        assert self.pair.top is not None
        q = float(min(self.pair.masses.q, Fraction(10**300)))
        y = 1 / (4 * q)
        rest = (1 - y) * (math.log1p(-y) - math.log1p(-1 / q)) if q > 1 else math.inf
        largest = float(order - 1) * float(self.pair.top.bounds(bits=64)[0])  # about ln h
        return self.pair.n * (rest - y * math.log(4)) > 2.31 * digits + largest

    def _by_moments(self, series: Series, terms: int, powers: int, bits: int) -> arb:
        assert self.pair.masses is not None
        known = self._kept.get((terms, powers))
        if known is None or known[0] < bits:
            known = bits, Moments.of(n=self.pair.n, masses=self.pair.masses, terms=terms, powers=powers)
            self._kept[terms, powers] = known
        return known[1].excess(series)

    def _by_counts(self, series: Series, terms: int, digits: int, most: int) -> arb:
        masses = self.pair.masses
        assert masses is not None
        # What comes out is about e_1 Exp[t^2]/Nbar^2, and at most (h - 1) Exp[c]/Nbar, as t^2j <= c^2j and c <= N; it only steers.
        share = masses.either * masses.q * (1 + masses.x) / 2
        target = min(series.coefficient(1) * ball(share * masses.q * (1 + masses.x) / 2 / self.pair.n), series.edge_minus_1 * ball(share))
        smallest = target * arb(-2.31 * digits - 6 * terms / _COUNTS[0]).exp()  # a wider window where the first one had no answer
        return Counts.of(n=self.pair.n, masses=masses, series=series, smallest=smallest).excess(
            series, terms=terms, direct_to=terms // 4, most=most
        )


def _enclose(n: int, masses: Masses, epsilon: Epsilon, digits: int) -> Evaluation:
    return refined(
        lambda bits, spread: evaluate(n=n, masses=masses, epsilon=epsilon, bits=bits, spread=spread),
        digits=digits,
        bits=math.ceil(3.33 * digits) + n.bit_length() + 32,
        spread=_spread(digits),
    )


def _spread(digits: int) -> float:
    return 2.31 * digits + 5


def _logarithm(ratio: int) -> Epsilon:
    return Epsilon(Fraction(0) if ratio == 1 else None, Fraction(ratio))
