"""CSUZZ19, section 3.1: differential privacy, post-processing, composition."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil, comb

import sympy
from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, upper_end
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Cited, Status, Verdict, recalled, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.ledger.methods.exhaustive import distributions_in_parts
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed
from shuffleproof.proofs_check.ledger.points import ORDERS
from shuffleproof.proofs_check.papers.csuzz19.appendices.appendix_e import FAR, far_tail
from shuffleproof.spec.distribution import Distribution, hockey_stick, indistinguishable_on_all_events

_NUDGE = Fraction(1, 10**12)  # how far below the least delta the claim must be false: any positive number would do


@statement(
    "CSUZZ19.Def3.1",
    says="M is (eps, delta)-DP if for every x ~ x' and every T: Pr[M(x) in T] <= e^eps Pr[M(x') in T] + delta",
    range="all M, eps >= 0, delta in [0, 1]",
    governs=["spec.distribution"],
    mutants={"a delta smaller by 1/1000 will do": {"slip": Fraction(1, 1000)}},
)
def definition(budget: Budget, *, slip: Fraction = Fraction(0)) -> Verdict:
    """The definition over all events against the hockey-stick divergence; slip: how far below it a delta is still accepted."""
    laws = distributions_in_parts(budget.pick(quick=5, full=7), 3)

    def holds(p: Distribution[int], q: Distribution[int], order: Fraction) -> bool:
        delta = max(hockey_stick(p, q, exp_epsilon=order), hockey_stick(q, p, exp_epsilon=order))
        claimed = max(Fraction(0), delta - slip)
        below = delta - _NUDGE
        enough = indistinguishable_on_all_events(p, q, exp_epsilon=order, delta=claimed)
        return enough and (delta == 0 or not indistinguishable_on_all_events(p, q, exp_epsilon=order, delta=below))

    return exhaustive.for_all(product(laws, laws, ORDERS), holds=holds).verdict(
        domain="all pairs of distributions on three outcomes in parts of 1/5 (1/7 at full depth), e^eps = 1, 3/2, 3, all events",
        note="the least delta of the definition is the larger of the two hockey-stick divergences",
    )


@statement(
    "CSUZZ19.Lem3.2",
    says="if M is (eps, delta)-DP then A o M is (eps, delta)-DP for every A",
    range="all M and A on finitely many outcomes, eps >= 0, delta in [0, 1]",
    governs=["spec.distribution"],
    grounds=[
        EXACT,
        Cited("a randomized map is a mixture of maps, and the divergence is jointly convex", "known-facts#post-processing-and-convexity"),
    ],
    mutants={"A may look at the dataset": {"deterministic": False}},
    missing="the form with events; Coq has it for divergences, hockey_post_processing",
)
def post_processing(budget: Budget, *, deterministic: bool = True) -> Verdict:
    """All maps of three outcomes to two, and their mixtures; not deterministic: the map may look at which distribution it was fed."""
    laws = distributions_in_parts(budget.pick(quick=4, full=7), 3)
    maps = list(product((0, 1), repeat=3))
    others = maps if not deterministic else [None]

    def slack(p: Distribution[int], q: Distribution[int], order: Fraction, f: tuple[int, ...], g: tuple[int, ...] | None) -> Fraction:
        after = hockey_stick(p.map(lambda y: f[y]), q.map(lambda y: (g or f)[y]), exp_epsilon=order)
        return hockey_stick(p, q, exp_epsilon=order) - after

    return exhaustive.least_slack(product(laws, laws, ORDERS, maps, others), slack=slack).verdict(
        domain="all pairs of distributions on three outcomes in parts of 1/4 (1/7 at full depth), all maps to two outcomes, e^eps = 1, "
        "3/2, 3",
        note="merging outcomes cannot increase a sum of positive parts: max(0, a + b) <= max(0, a) + max(0, b)",
    )


def composition_delta(*, times: int, epsilon: Fraction, claimed: arb) -> arb:
    """D_(e^claimed) of `times` runs of randomized response with e^epsilon, the worst eps-DP mechanisms (Kairouz, Oh, Viswanath)."""
    total = arb(0)
    up = ball(epsilon).exp()
    for losses in range(times + 1):
        # the likelihood ratio is e^(epsilon (times - 2 losses))
        excess = 1 - (claimed - ball(epsilon) * (times - 2 * losses)).exp()
        if excess > 0 or not excess <= 0:
            mass = comb(times, losses) * up ** (times - losses) / (1 + up) ** times
            total += mass * excess.max(arb(0))
    return total


def _hoeffding_of_losses(factor: Fraction) -> list[bool]:
    """Losses in [-eps, eps] exceed their mean, eps tanh(eps/2) each, by t with probability exp(-t^2/(2 T eps^2)) at most.

    With t = factor eps sqrt(2 T l) and l = ln(1/delta') that is exp(-factor^2 l); x for e^eps, and (x - 1)/(x + 1) <= x - 1 for the means.
    """
    e, T, length, x = sympy.symbols("e T l x", positive=True)
    squared = symbolic.rational(factor) ** 2 * e**2 * 2 * T * length
    return [
        symbolic.is_nonnegative(squared / (2 * T * e**2) - length, at_least={length: 0}),
        symbolic.is_nonnegative((x - 1) - (x - 1) / (x + 1), at_least={x: 1}),
    ]


def _by_small_losses(factor: Fraction) -> str | None:
    """10^8 runs with eps = 10^-5 and a tiny delta', if they refute this factor of the square root.

    The loss is eps (2X - T), X ~ Bin(T, p); where it is s above eps', e^eps' times the other distribution's mass is at most e^-s of this
    one's.
    """
    T, epsilon, spared = 10**8, Fraction(1, 10**5), Fraction(1, 400)
    p = Fraction(1, 2) + epsilon / 4 - epsilon**3 / 48  # at most e^eps/(1 + e^eps)
    with precision(256):
        total = ball(epsilon) * (ball(epsilon).exp() - 1) * T + ball(factor * epsilon) * (2 * T * (1 / ball(FAR)).log()).sqrt()
        reached = lower_end(far_tail(T, p, first=ceil((T + (upper_end(total) + spared) / epsilon) / 2)) * (1 - ball(-spared).exp()))
    return f"T = 10^8, eps = 10^-5, delta' = 10^-390: delta is at least {float(reached / FAR):.3g} delta'" if reached > FAR else None


@recalled(
    "CSUZZ19.Lem3.3",
    says="T mechanisms, each (eps, delta)-DP, are together (eps', delta' + T delta)-DP with "
    "eps' = eps (e^eps - 1) T + eps sqrt(2 T ln(1/delta'))",
    range="T >= 1, eps >= 0, delta in [0, 1], delta' in (0, 1)",
    governs=["spec.composition"],
    grounds=[
        "distributions-of-views#composition-of-runs",
        BALLS,
        Cited(
            "Kairouz, Oh, Viswanath 2015: randomized response is the worst eps-DP mechanism under composition",
            "known-facts#every-pair-is-a-post-processing-of-one",
        ),
    ],
    mutants={"a third of the square root": {"factor": Fraction(1, 3)}},
    missing="the constant, beyond a hundred runs of randomized response; that it is the worst mechanism is written out",
)
def advanced_composition(budget: Budget, *, factor: Fraction = Fraction(1)) -> Verdict:
    """Exact composition of randomized response, the worst case for delta = 0, against delta'; factor: of the square root."""
    times = (1, 2, 10, 100) if budget.depth == "quick" else (1, 2, 3, 5, 10, 30, 100, 300, 1000)

    def reached() -> Iterator[tuple[str, arb]]:
        epsilons, slacks = map(Fraction, ("1/100", "1/10", "1/2", "1")), tuple(map(Fraction, ("1/2", "1/1000", "1/1000000000")))
        for T, epsilon, delta in product(times, epsilons, slacks):
            e = ball(epsilon)
            total = e * (e.exp() - 1) * T + ball(factor) * e * (2 * T * (1 / ball(delta)).log()).sqrt()
            share = composition_delta(times=T, epsilon=epsilon, claimed=total) / ball(delta)
            yield f"T = {T}, eps = {epsilon}, delta' = {delta}", share

    found = at_most_claimed(
        reached(),
        domain="delta = 0, T runs of randomized response, the worst case; T up to 100 (1000), eps = 0.01, 0.1, 0.5, 1, three delta'",
        slack="the exact delta is at most {} of delta'",
        note="delta > 0 adds at most T delta: with probability delta a mechanism may give everything away",
        given=all(_hoeffding_of_losses(factor)),
    )
    against = None if found.holds or found.status is Status.REFUTED else _by_small_losses(factor)
    return found if against is None else Verdict.refuted(against, domain=found.domain, cases=found.cases + 1)
