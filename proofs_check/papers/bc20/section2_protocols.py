"""BC20, section 2: what deviating users cost, and accuracy as defined."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.points import ORDERS
from shuffleproof.spec.bounds.noise import zero_sum as profiles
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.protocols import histogram, zero_sum

_NOISE = tuple(map(Fraction, ("1/3", "1/2", "9/10")))


@statement(
    "BC20.Sec2.remark-robustness",
    where="Section 2, after Definition 2.5",
    says="a user in a shuffled protocol may not have the same degree of privacy when other users deviate from it: in the zero sum "
    "delta_n(eps) <= delta_(n - k)(eps), and < for some n and k, where delta_m(eps) is the larger of D(B || 1 + B) and D(1 + B || B), B ~ "
    "Bin(m, p)",
    range="the zero-sum protocol with k of n users sending no noise",
    governs=["spec.bounds.noise.zero_sum"],
    mutants={"they have the same degree of privacy": {"unchanged": True}},
)
def robustness(budget: Budget, *, unchanged: bool = False) -> Verdict:
    """k users who send no noise leave Bin(n - k, p): the exact profile, which never improves. unchanged: claims that it stays the same."""
    most = budget.pick(quick=9, full=20)
    cases = [(n, k, p, order) for n in range(2, most + 1) for k in range(1, n) for p in _NOISE for order in ORDERS]

    def slack(n: int, k: int, p: Fraction, order: Fraction) -> Fraction:
        honest, left = (PrivacyProfile(*profiles.pair(n=users, p=p)).delta(exp_epsilon=order) for users in (n, n - k))
        return honest - left if unchanged else left - honest

    found = exhaustive.least_slack(cases, slack=exhaustive.unpacked(slack))
    n, p = 100, Fraction(1, 2)
    shown = [profiles.delta(n=users, p=p, epsilon="ln 2").lower for users in (n, n // 2, 1)]
    return found.verdict(
        domain=f"the zero-sum protocol, n <= {most}, every number k of silent users, three p, e^eps = 1, 3/2, 3",
        witness=lambda c: f"n = {c[0]}, k = {c[1]}, p = {c[2]}, e^eps = {c[3]}",
        note=f"n = 100, p = 1/2, eps = ln 2: delta is {float(shown[0]):.3g} with all users honest, {float(shown[1]):.3g} with 50 and "
        f"{float(shown[2]):.3g} with one; in a local protocol the others' behaviour changes nothing",
    )


Functional = Callable[..., Fraction]


def _accuracy(budget: Budget, functional: Functional, *, simultaneous: bool) -> Verdict:
    """Definition 2.6, or 2.7 (simultaneous), by its quantifiers over independent bins, against a functional of the joint distribution."""
    users, bins = budget.pick(quick=3, full=4), 3
    alphas = tuple(map(Fraction, ("0", "1/4", "1/2", "1")))
    cases = [
        (x, d, p, alpha)
        for d in range(1, bins + 1)
        for n in range(1, users + 1)
        for x in product(range(1, d + 1), repeat=n)
        if tuple(sorted(x)) == x
        for p in _NOISE
        for alpha in alphas
    ]

    def holds(x: tuple[int, ...], d: int, p: Fraction, alpha: Fraction) -> bool:
        n = len(x)
        truth = tuple(Fraction(x.count(j), n) for j in range(1, d + 1))
        joint = histogram.estimates_law(x, d=d, p=p)
        within = []
        for c in truth:
            of_bin = zero_sum.estimate_law(n=n, p=p, ones=int(c * n))
            within.append(sum((weight for estimate, weight in of_bin.items() if abs(estimate - c) <= alpha), Fraction(0)))
        all_within = Fraction(1)
        for probability in within:
            all_within *= probability
        return functional(joint, truth=truth, alpha=alpha) == 1 - (all_within if simultaneous else min(within))

    return exhaustive.for_all(cases, holds=exhaustive.unpacked(holds)).verdict(
        domain=f"P^hist on all datasets of n <= {users} users up to order, d <= {bins}, three p, four alpha",
        witness=lambda c: f"x = {c[0]}, d = {c[1]}, p = {c[2]}, alpha = {c[3]}",
    )


@statement(
    "BC20.Def2.6",
    says="(alpha, beta)-per-query accuracy: for all x and j, Pr[|P(x)_j - c_j(x)| <= alpha] >= 1 - beta",
    range="all histogram protocols",
    governs=["spec.protocols.histogram"],
    grounds=[EXACT, "BC20.Fig2"],
    mutants={"for all j inside the probability": {"simultaneous": True}},
)
def per_query(budget: Budget, *, functional: Functional = histogram.per_query_failure, simultaneous: bool = False) -> Verdict:
    return _accuracy(budget, functional=functional, simultaneous=simultaneous)


@statement(
    "BC20.Def2.7",
    says="(alpha, beta)-simultaneous accuracy: for all x, Pr[for all j, |P(x)_j - c_j(x)| <= alpha] >= 1 - beta",
    range="all histogram protocols",
    governs=["spec.protocols.histogram"],
    grounds=[EXACT, "BC20.Fig2"],
    mutants={"for all j outside the probability": {"simultaneous": False}},
)
def simultaneous(budget: Budget, *, functional: Functional = histogram.simultaneous_failure, simultaneous: bool = True) -> Verdict:
    return _accuracy(budget, functional=functional, simultaneous=simultaneous)
