"""The optimal pair V(n, p, beta, q), certified for any n: BEYOND.ThmF3, by ball arithmetic.

It is a pair of three counts (three_counts.py), delta = (q/n) E[X_+] for a sum X of n draws; its Renyi divergences are in
optimal_pair_renyi. Exchanging a and b exchanges P and Q and keeps M_n, so both directions are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_masses import Pair
from shuffleproof.impl.ball.bounds.variation_ratio.three_counts_search import enclose, initial_guess, root
from shuffleproof.impl.ball.numeric.arithmetic import lower_end, precision, upper_end
from shuffleproof.impl.ball.numeric.results import certified, evaluated
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import OPTIMAL_PAIR
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text

if TYPE_CHECKING:
    from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_renyi import Route


@certified(OPTIMAL_PAIR)
def delta(*, n: int, p: Fraction | None, beta: Fraction, q: Fraction, epsilon: Epsilon, digits: int = 15) -> Found:
    """delta of the optimal pair at epsilon: shuffled randomizers with H(p, beta, q) are (epsilon, upper)-DP (BEYOND.ThmF3).

    n: at most 10^9; p: None where it is infinite; where p, beta and q are not known exactly, round all three up. Exact (0) where
    e^epsilon >= p. Cost O(sqrt(n digits)) for each of the chains of three_counts_sums, which are few.
    """
    pair = Pair.of(n=n, p=p, beta=beta, q=q)
    if pair.masses is None or (pair.top is not None and epsilon >= pair.top):
        return Found.exactly(0)
    if pair.top is None and epsilon >= Epsilon(None, Fraction(pair.largest_ratio)):
        bits = 4 * digits + 64 + n.bit_length()
        with precision(bits):
            revealed = pair.revealed()
        return Found(lower_end(revealed), upper_end(revealed), precision=bits)
    return evaluated(enclose(partial(pair.masses.counted, n), n, epsilon, digits + 1))


@certified(OPTIMAL_PAIR)
def epsilon(
    *, n: int, p: Fraction | None, beta: Fraction, q: Fraction, delta: Fraction, inputs: Mapping[str, str], digits: int = 15
) -> Found:
    """Least epsilon at which the optimal pair's delta is at most delta: delta(lower) > delta >= delta(upper) is certified (BEYOND.ThmF3).

    Exactly ln p at delta = 0 for finite p, exactly 0 where delta >= delta(0) is certified. Raises RegimeError where p is infinite and delta
    is below the probability that the special report has infinite privacy loss, so that no epsilon is enough.
    """
    pair = Pair.of(n=n, p=p, beta=beta, q=q)
    masses, top = pair.masses, pair.top
    if masses is None or delta == 1:
        return Found.exactly(0)
    if top is None:
        side = pair.compared_with_revealed(delta)
        if side < 0:
            with precision(128):
                revealed = decimal_text(upper_end(pair.revealed()), digits=12, direction="up")
            from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_optimal_pair

            raise no_epsilon_for_optimal_pair(revealed=revealed, delta=inputs["delta"])
        top = Epsilon(None, Fraction(pair.largest_ratio))
        if side == 0 or top.exp == 1:
            return Found.exactly_epsilon(top, bits=4 * digits + 16)
    elif delta == 0:  # a alone has positive probability, and there the likelihood ratio is p itself
        return Found.exactly_epsilon(top, bits=4 * digits + 16)
    make = partial(masses.counted, n)
    return root(make, n=n, top=top, delta=delta, digits=digits, start=initial_guess(make, n, top, delta))


@certified(OPTIMAL_PAIR)
def renyi(*, n: int, p: Fraction | None, beta: Fraction, q: Fraction, order: Fraction, digits: int = 12, route: Route = "auto") -> Found:
    """Renyi divergence of the optimal pair: shuffled randomizers with H(p, beta, q) are (upper, order)-RDP (BEYOND.Renyi).

    route: "moments", "counts", or whichever answers, moments first. Exactly 0 where beta is 0. Raises RegimeError where p is infinite, and
    with it the divergence; ResourceLimitError beyond about half a minute.
    """
    from shuffleproof.impl.ball.bounds.variation_ratio.optimal_pair_renyi import PairRenyi

    family = PairRenyi(Pair.of(n=n, p=p, beta=beta, q=q))
    if family.pair.masses is None:
        return Found.exactly(0)
    lower, upper, bits = family.divergence(order=order, digits=digits, route=route)
    return Found(lower, upper, precision=bits)
