"""BC20, section 3.1: parameters outside Theorem 3.1, and users who deviate from the protocol."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from shuffleproof.impl.ball.calibration.zero_sum import calibrate
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Verdict, conjunction, derived, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.points import ORDERS
from shuffleproof.proofs_check.papers.bc20.printed_noise import Point, private_at, smallest_n
from shuffleproof.proofs_check.papers.bc20.section3_1_constant import SUFFICIENT, TOO_SMALL
from shuffleproof.spec.bounds.noise import histogram as two_bins, zero_sum as profiles
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, convolution, product as independent
from shuffleproof.spec.protocols import histogram, zero_sum
from shuffleproof.spec.vocabulary.errors import RegimeError

_NOISE = tuple(map(Fraction, ("1/3", "1/2", "9/10")))


def _outside(at: Point) -> bool:
    """Return whether Theorem 3.1 does not apply."""
    try:
        zero_sum.papers_p(n=at.n, epsilon=at.epsilon, delta=at.delta)
    except RegimeError:
        return True
    return False


@statement(
    "BC20.Sec3.1.remark-broader",
    where="Section 3.1, before Figure 1",
    says="(eps, delta)-privacy holds in a broader parameter regime with p set to a different function: p = 1 - 4.52 ln(2/delta)/(eps^2 n) "
    "for n >= (9.04/eps^2) ln(2/delta), eleven times fewer users than Theorem 3.1 asks for, and for eps > 1 the calibrated p",
    range="eps, delta in (0, 1], n >= (9.04/eps^2) ln(2/delta); six points with eps > 1",
    governs=["impl.ball.calibration.zero_sum", "impl.ball.bounds.noise.zero_sum"],
    grounds=["BC20.Thm3.1-constant", BALLS, "BC20.Sec3.1.remark-view", "BC20.Thm3.1-pieces", "BC20.Thm3.1-envelope"],
    mutants={
        "4.4 for 4.52, n >= (8.8/eps^2) ln(2/delta)": {"constant": TOO_SMALL, "deltas": [Fraction(1, 10**347)], "beyond_one": False},
        "2 for 4.52, n >= (4/eps^2) ln(2/delta)": {"constant": Fraction(2), "deltas": [Fraction(1, 10**6)], "beyond_one": False},
    },
)
def broader(
    budget: Budget,
    *,
    constant: Fraction = SUFFICIENT,
    deltas: Sequence[Fraction] = [Fraction(1, 10**power) for power in (1, 6, 30)],
    beyond_one: bool = True,
) -> Verdict:
    """Points at the edge n = (2 constant/eps^2) ln(2/delta), where Theorem 3.1 says nothing; and eps > 1 by calibration."""
    points = [Point(smallest_n(epsilon=e, delta=d, constant=constant), e, d) for e in (Fraction(1), Fraction(1, 2)) for d in deltas]
    outside = [at for at in points if _outside(at)]
    if len(outside) < len(points):
        return Verdict.undecided("some of the points lie inside the theorem's regime", domain="the edge of the regime", cases=1)
    at_edge = private_at(outside, constant=constant)
    if not at_edge.holds or not beyond_one:
        return at_edge
    large = [(n, e, d) for n, e in ((100, 2), (60, 4), (50, 700)) for d in (Fraction(1, 10**6), Fraction(1, 10**12))]
    answered = [calibrate(n=n, epsilon=e, delta=d) for n, e, d in large]
    if any(found.value is None or found.paper.lower is not None for found in answered):
        return Verdict.undecided("a target that was expected to be met is not", domain="eps > 1", cases=len(large))
    edge = Verdict.certified(
        domain="eps, delta in (0, 1], n >= (9.04/eps^2) ln(2/delta), p = 1 - 4.52 ln(2/delta)/(eps^2 n)",
        cases=at_edge.cases,
        slack=at_edge.slack,
    )
    listed = Verdict.certified(domain="eps = 2, 4, 700 at n = 100, 60, 50 and delta = 1e-6, 1e-12, by calibration", cases=len(large))
    note = (
        "Theorem 4.11 of the reference is not in the text; what it is cited for is shown by the profile itself. Whether p = 1/2 meets a "
        "target, and which p do from there down, the calibration decides at any n, eps and delta"
    )
    return conjunction([edge, listed], note=note)


Dishonest = Distribution[int]
_SILENT = Distribution.point(0)
_BEHAVIOURS: tuple[Dishonest, ...] = (
    _SILENT,
    Distribution.point(2),
    Distribution({0: Fraction(1, 3), 1: Fraction(1, 6), 3: Fraction(1, 2)}),
)
"""Numbers of messages that a dishonest user may send: none, two, or drawn from any distribution of its own."""


def _total(honest: Sequence[int], p: Fraction, dishonest: Sequence[Dishonest]) -> Distribution[int]:
    """The distribution of the number of messages, each honest user by its randomizer, each dishonest one by a distribution of its own."""
    return convolution(*(zero_sum.randomizer(p=p).distribution(x).map(len) for x in honest), *dishonest)


@derived(
    "BC20.Thm3.1-dishonest",
    where="Section 2, after Definition 2.5, and Theorem 3.1, part i",
    says="with k of n users deviating in any way that does not depend on the others' data, the zero sum keeps for every honest user the "
    "privacy of n - k users, Bin(n - k, p) against its shift, both ways: no less, and exactly that where the k send no noise or reveal it",
    range="0 <= k < n, p in [0, 1], eps >= 0",
    governs=["spec.bounds.noise.zero_sum", "impl.ball.bounds.noise.zero_sum", "impl.ball.calibration.zero_sum"],
    grounds=[EXACT, "histograms#users-who-deviate"],
    mutants={
        "it keeps the privacy of n users": {"remaining": lambda n, silent: n},
        "it keeps the privacy of n - k - 1 users where that is positive": {
            "remaining": lambda n, silent: max(1, n - silent - (silent > 0))
        },
    },
    missing="deviations and users beyond the enumerated ones",
)
def dishonest(budget: Budget, *, remaining: Callable[[int, int], int] = lambda n, silent: n - silent) -> Verdict:
    """remaining: how many users' noise is left, from n and the number of dishonest users."""
    most = budget.pick(quick=4, full=6)

    def cases() -> Iterator[tuple[int, int, tuple[int, ...], Fraction, Dishonest]]:
        for n in range(1, most + 1):
            for silent in range(n):
                for others in product((0, 1), repeat=n - silent - 1):
                    yield from ((n, silent, others, p, behaviour) for p in _NOISE for behaviour in _BEHAVIOURS)

    def holds(n: int, silent: int, others: tuple[int, ...], p: Fraction, behaviour: Dishonest) -> bool:
        claimed = PrivacyProfile(*profiles.pair(n=remaining(n, silent), p=p))
        views = PrivacyProfile(*(_total((x, *others), p, [behaviour] * silent) for x in (0, 1)))
        fixed = len(list(behaviour.support)) == 1
        for order in ORDERS:
            found, bound = views.delta(exp_epsilon=order), claimed.delta(exp_epsilon=order)
            if found > bound or (fixed and found != bound):
                return False
        return True

    return exhaustive.for_all(cases(), holds=holds).verdict(
        domain="all n, k < n and p: messages that do not depend on the honest users' data are added to the view, a post-processing, and a "
        f"known number of them is taken off again; exact views for n <= {most}, three p, three behaviours, e^eps = 1, 3/2, 3",
        note="messages of a random number hide more: the bound is attained by silent users, and by users whose messages are known",
    )


def _two_totals(honest: Sequence[int], p: Fraction) -> Distribution[tuple[int, int]]:
    """The distribution of the numbers of messages of value 1 and 2 from the honest users."""
    law: Distribution[tuple[int, int]] = Distribution.point((0, 0))
    for x in honest:
        sent = histogram.randomizer(d=2, p=p).distribution(x).map(lambda y: (y.count(1), y.count(2)))
        law = independent(law, sent).map(lambda both: (both[0][0] + both[1][0], both[0][1] + both[1][1]))
    return law


@derived(
    "BC20.Thm3.2-dishonest",
    where="Section 2, after Definition 2.5, and Theorem 3.2, part i",
    says="with k of n users deviating in any way that does not depend on the others' data, the histogram keeps for every honest user the "
    "privacy of n - k users, (1 + B_1, B_2) against (B_1, 1 + B_2) for independent B_1, B_2 ~ Bin(n - k, p): no less, and exactly that "
    "where the k send no noise or reveal it",
    range="0 <= k < n, d >= 2, p in [0, 1], eps >= 0",
    governs=["spec.bounds.noise.histogram", "impl.ball.bounds.noise.histogram", "impl.ball.calibration.histogram"],
    grounds=["BC20.Thm3.2-pair", EXACT, "histograms#users-who-deviate"],
    mutants={"it keeps the privacy of n users": {"remaining": lambda n, silent: n}},
    missing="deviations and users beyond the enumerated ones",
)
def dishonest_bins(budget: Budget, *, remaining: Callable[[int, int], int] = lambda n, silent: n - silent) -> Verdict:
    """The same for two bins, from the honest users' messages."""
    most = budget.pick(quick=3, full=4)
    cases = [(n, silent, p, order) for n in range(1, most + 1) for silent in range(n) for p in _NOISE for order in ORDERS]

    def holds(n: int, silent: int, p: Fraction, order: Fraction) -> bool:
        views = [_two_totals((x, *(2,) * (n - silent - 1)), p) for x in (1, 2)]
        claimed = PrivacyProfile(*two_bins.pair(n=remaining(n, silent), p=p))
        return PrivacyProfile(*views).delta(exp_epsilon=order) == claimed.delta(exp_epsilon=order)

    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"all n, k < n, p and d >= 2, as for the zero sum; exact views of two bins for n <= {most}, three p, e^eps = 1, 3/2, 3"
    )
