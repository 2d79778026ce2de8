"""CSUZZ19, Lemma 4.8: where its range is empty, what holds without its conditions, how loose it is; and that DP is monotone in lambda.

The lemma without its conditions, n >= 1, 0 < delta < 1, 0 < eps <= 1, L = ln(4/delta), t = 1 - lambda/n:

(a) eps^2 n >= 192 L: Claim 4.9, whose proof uses nothing else.
Otherwise lambda = n - eps n^(3/2)/sqrt(432 L), so t = eps sqrt(n/(432 L)) < 2/3.
(b) n <= 92 L: t <= eps sqrt(92/432) <= tanh(eps/2), so the randomizer alone is eps-DP: (1 + t)/(1 - t) <= e^eps. Shuffling is not needed.
(c) n > 92 L: of the n - 1 others s ~ Bin(n - 1, lambda/n) are random, lambda/n > 1/3, and by Chernoff s >= s0 with probability
    1 - delta/2 for an s0 >= 0.24 n, which is above 2n/27 and above 8 L. By Claim 4.4 and CSUZZ19.Clm4.5.independent the protocol is
    (t sqrt(32 L/s0), t delta)-DP, and t sqrt(32 L/s0) = eps sqrt(2n/(27 s0)) <= eps.

The same steps hold with 42 for 64 and 340 for 432, where 1/3 is 1 - sqrt(3 first/second) and 92 is 92 second/432.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import sympy

from shuffleproof.impl.ball.numeric.arithmetic import ball, surely_less, upper_end
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Coq, Status, Verdict, derived, recalled
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_3 import (
    Setting,
    first_branch_steps,
    least_share,
    met_by_every_pair,
    near_the_edges,
    proved,
    second_branch_steps,
    settings,
)
from shuffleproof.proofs_check.papers.csuzz19.profiles.bit_sum_divergence import every_pair_divergence, homogeneous_divergence
from shuffleproof.spec.bounds.sums import bit_sum as profile
from shuffleproof.spec.distribution import Distribution, binomial, convolution
from shuffleproof.spec.protocols import bit_sum


@recalled(
    "CSUZZ19.Lem4.8.range",
    where="Lemma 4.8, Claims 4.9 and 4.10",
    says="the lemma is stated for n >= 14 L and sqrt(3456) L/n < eps < 1, L = ln(4/delta): for every such n some eps meets that",
    range="delta in (0, 1)",
    grounds=[BALLS, SYMPY],
    mutants={"empty at n = 59 L too": {"users": 897}},
)
def empty_range(budget: Budget, *, users: int = 500, delta: Fraction = Fraction(1, 10**6)) -> Verdict:
    """sqrt(3456) L/n < eps < 1 at n >= 14 L: whether any eps is left."""
    domain = "14 L <= n <= sqrt(3456) L = 58.78... L, L = ln(4/delta)"
    length = (4 / ball(delta)).log()
    in_range = not surely_less(ball(users), 14 * length)
    lowest = ball(3456).sqrt() * length / users
    somebody = surely_less(lowest, ball(1))
    if somebody or not in_range:
        told = f"n = {users}, delta = {delta}: every eps from {lowest.str(5, radius=False)} to 1 is in the range"
        return Verdict.refuted(told, domain=domain, cases=1)
    note = (
        f"the interval of eps is empty exactly for n <= sqrt(3456) L, and n >= 14 L promises more: n = {users}, delta = {delta} asks for "
        f"eps > {lowest.str(5, radius=False)} and eps < 1. With delta = 1/n^2 nothing is left up to n = 878"
    )
    return Verdict(status=Status.VACUOUS, domain=domain, cases=1, note=note)


@recalled(
    "CSUZZ19.Lem4.8",
    says="P_(n, lambda) is (eps, delta)-DP for lambda = 64 L/eps^2 if eps >= sqrt(192 L/n), else n - eps n^(3/2)/sqrt(432 L), L = "
    "ln(4/delta)",
    range="delta in (0, 1), n >= 14 L, sqrt(3456) L/n < eps < 1",
    governs=["spec.bounds.sums.bit_sum", "impl.ball.bounds.sums.bit_sum"],
    grounds=["distributions-of-views#the-noise-of-the-bit-sum", "CSUZZ19.Clm4.9", "CSUZZ19.Clm4.10", BALLS, SYMPY],
    mutants={"1 in place of 64": {"first": Fraction(1)}, "61 in place of 432": {"second": Fraction(61)}},
    missing="how the two claims are put together; the numbers are certified at points",
)
def lemma(budget: Budget, *, first: Fraction = Fraction(64), second: Fraction = Fraction(432)) -> Verdict:
    note = (
        "empty for n <= sqrt(3456) L (CSUZZ19.Lem4.8.range); no condition on n, and none on eps from below, is needed (CSUZZ19.Lem4.8.all)"
    )
    steps = [*first_branch_steps(first), *second_branch_steps(second, first)]
    points = met_by_every_pair(near_the_edges(first, second))
    return proved(steps, points, domain="all of the stated range, where it is not empty", note=note)


def _local_step(multiple: Fraction, second: Fraction = Fraction(432)) -> bool:
    """(b): sqrt(multiple/432) <= tanh(1/2); tanh is concave, so tanh(eps/2) >= eps tanh(1/2) for eps <= 1."""
    return surely_less((ball(multiple) / ball(second)).sqrt(), ball(Fraction(1, 2)).tanh())


def steps_without_conditions(first: Fraction, second: Fraction) -> list[bool]:
    """(a), (b) and (c) of the module's text, with m = 92 second/432 for 92. For (c) n > m L >= m ln 4, so (n - 1)/n > 1 - 1/(m ln 4)."""
    multiple = Fraction(92, 432) * second
    r, m = least_share(second, first), ball(multiple)
    mean = r * (1 - 1 / (m * ball(4).log()))  # of s/n
    least = mean - (2 * mean / m).sqrt()  # s0/n, with L >= l and n > m L; it rises with the mean from 1/(2 m) on
    chernoff = [
        symbolic.holds(surely_less(1 / (2 * m), mean)),
        symbolic.holds(surely_less(32 / ball(second), least)),  # 2/27
        symbolic.holds(surely_less(ball(8), m * least)),
    ]
    t, n, length, s0 = sympy.symbols("t n L s0", positive=True)
    of_432 = symbolic.rational(second)
    return [
        *first_branch_steps(first),
        symbolic.holds(_local_step(multiple, second)),
        symbolic.are_identical((1 - (1 - t) / 2) / ((1 - t) / 2), (1 + t) / (1 - t)),  # (1 - q)/q with q = lambda/(2n)
        *chernoff,
        symbolic.are_identical(n / (of_432 * length) * (32 * length / s0), 32 * n / (of_432 * s0)),
    ]


@derived(
    "CSUZZ19.Lem4.8.all",
    says="P_(n, lambda) with lambda = 64 L/eps^2 if eps >= sqrt(192 L/n), else n - eps n^(3/2)/sqrt(432 L), as in Lemma 4.8, is (eps, "
    "delta)-DP for all n >= 1, delta in (0, 1) and 0 < eps <= 1: neither n >= 14 L nor sqrt(3456) L/n < eps is needed",
    range="n >= 1, delta in (0, 1), 0 < eps <= 1",
    governs=["spec.bounds.sums.bit_sum"],
    grounds=[
        "distributions-of-views#the-noise-of-the-bit-sum",
        "CSUZZ19.Clm4.9",
        "CSUZZ19.Clm4.4",
        "CSUZZ19.Clm4.5.independent",
        "CSUZZ19.ThmE.1",
        BALLS,
        SYMPY,
    ],
    mutants={"with 64 replaced by 1": {"first": Fraction(1)}, "with 432 replaced by 3": {"second": Fraction(3)}},
    missing="how the three cases are put together; the numbers are certified at points",
)
def without_conditions(budget: Budget, *, first: Fraction = Fraction(64), second: Fraction = Fraction(432)) -> Verdict:
    places = [replace(place, first=first, second=second) for place in reversed(settings(budget))]
    steps = steps_without_conditions(first, second)
    return proved(steps, met_by_every_pair(places), domain="all of the range; cases (a), (b), (c)")


@derived(
    "CSUZZ19.Lem4.8.local",
    says="for eps^2 n < 192 L and n <= 92 L the lambda of Lemma 4.8, n - eps n^(3/2)/sqrt(432 L) >= 2n/(e^eps + 1), makes the randomizer "
    "itself eps-DP, without any shuffler: there the lemma's noise is that of the local model",
    range="eps^2 n < 192 L, n <= 92 L, 0 < eps <= 1",
    grounds=[BALLS, SYMPY],
    mutants={"for n <= 93 L": {"multiple": Fraction(93)}},
)
def already_local(budget: Budget, *, multiple: Fraction = Fraction(92)) -> Verdict:
    domain = f"n <= {multiple} L in the second branch, delta in (0, 1), 0 < eps <= 1"
    if _local_step(multiple):
        return Verdict.certified(domain=domain, cases=2)
    share = (ball(multiple) / 432).sqrt()
    needed = ((1 + share) / (1 - share)).log()
    return Verdict.refuted(f"n = {multiple} L, eps = 1: the randomizer is only {needed.str(5, radius=False)}-DP", domain=domain, cases=2)


def _needed(*, fails: Fraction, suffices: Fraction, n: int, epsilon: Fraction, delta: Fraction) -> Verdict:
    """At one place: with `fails` for the lemma's constant the homogeneous pair exceeds delta, with `suffices` no pair does."""
    at = {c: Setting(n=n, epsilon=epsilon, delta=delta, first=c, second=c) for c in (fails, suffices)}
    domain = str(at[fails])
    order = ball(epsilon).exp()
    printed = Setting(n=n, epsilon=epsilon, delta=delta)
    lam = {c: at[c].random_users() for c in at}
    low = homogeneous_divergence(n, lam[fails], order)
    high = every_pair_divergence(n, lam[suffices], order)
    if not surely_less(ball(delta), low):
        witness = f"{domain}: with {fails} the pair (0, ..., 0), (1, 0, ..., 0) needs only {low.str(4, radius=False)}"
        return Verdict.refuted(witness, domain=domain, cases=1)
    if surely_less(ball(delta), homogeneous_divergence(n, lam[suffices], order)):
        return Verdict.refuted(f"{domain}: with {suffices} the pair (0, ..., 0), (1, 0, ..., 0) needs more", domain=domain, cases=2)
    if upper_end(high) > delta:
        note = f"with {suffices} at most {high.str(4, radius=False)} is needed, as far as this bound goes"
        return Verdict.undecided(note, domain=domain, cases=1)
    errors = [bit_sum.mean_squared_error(n=n, lam=x) for x in (printed.random_users(), lam[suffices], lam[fails])]
    gains = [(ball(errors[0] / error)).sqrt().str(3, radius=False) for error in errors[1:]]
    note = f"the printed lambda's root mean squared error is {gains[0]} to {gains[1]} times what is needed"
    return Verdict.certified(domain=domain, cases=2, slack=note)


@derived(
    "CSUZZ19.Lem4.8.need-64",
    says="at n = 4000, eps = 9/10, delta = 1/1000, where the lemma takes 64 L/eps^2, 4 L/eps^2 is enough and 2 L/eps^2 is not, L = "
    "ln(4/delta)",
    grounds=[BALLS, SYMPY],
    mutants={"3 L/eps^2 is not enough": {"fails": Fraction(3)}, "(5/2) L/eps^2 is enough": {"suffices": Fraction(5, 2)}},
)
def need_first(budget: Budget, *, fails: Fraction = Fraction(2), suffices: Fraction = Fraction(4)) -> Verdict:
    return _needed(fails=fails, suffices=suffices, n=4000, epsilon=Fraction(9, 10), delta=Fraction(1, 1000))


@derived(
    "CSUZZ19.Lem4.8.need-432",
    says="at n = 1500, eps = 1/10, delta = 10^-9, where the lemma takes lambda = n - eps n^(3/2)/sqrt(432 L), sqrt(10 L) in the place of "
    "sqrt(432 L) is enough and sqrt(5 L) is not, L = ln(4/delta)",
    grounds=[BALLS, SYMPY],
    mutants={"sqrt(6 L) is not enough": {"fails": Fraction(6)}, "sqrt((11/2) L) is enough": {"suffices": Fraction(11, 2)}},
)
def need_second(budget: Budget, *, fails: Fraction = Fraction(5), suffices: Fraction = Fraction(10)) -> Verdict:
    return _needed(fails=fails, suffices=suffices, n=1500, epsilon=Fraction(1, 10), delta=Fraction(1, 10**9))


@derived(
    "CSUZZ19.Sec5.3.monotone",
    where="Sections 4.3 and 5.3: used in Theorem 5.4",
    says="the view of P_(n, lambda') is a post-processing of that of P_(n, lambda) for lambda < lambda' <= n: flip every message "
    "independently with probability (1 - (n - lambda')/(n - lambda))/2. So every pair's profile, and the whole one, falls as lambda rises",
    range="n >= 1, 0 <= lambda < lambda' <= n",
    governs=["spec.bounds.sums.bit_sum", "impl.ball.calibration"],
    grounds=[Coq("bit_sum_monotone_in_full", states="f79dc4016b6d0dc3"), SYMPY, EXACT, "CSUZZ19.Lem3.2"],
    mutants={"1 - 2f = (9/10)(n - lambda')/(n - lambda)": {"lost": Fraction(9, 10)}},
)
def monotone(budget: Budget, *, lost: Fraction = Fraction(1)) -> Verdict:
    """Flip every message of lambda with f, 1 - 2f = (n - lambda')/(n - lambda): the views of lambda'. lost: a factor on 1 - 2f."""
    before, after, n = sympy.symbols("a b n", positive=True)
    q, flip = before / (2 * n), (1 - (n - after) / (n - before)) / 2
    per_message = symbolic.are_identical(q * (1 - flip) + (1 - q) * flip, after / (2 * n))
    largest = budget.pick(quick=5, full=8)

    def holds(case: tuple[int, Fraction, Fraction]) -> bool:
        users, less, more = case[0], min(case[1:]), max(case[1:])
        f = (1 - lost * (1 - more) / (1 - less)) / 2
        for ones in range(users + 1):

            def flipped(y: int, f: Fraction = f) -> Distribution[int]:
                return convolution(binomial(y, 1 - f), binomial(users - y, f))

            law = bit_sum.ones_distribution(n=users, lam=less * users, ones=ones).then(flipped)
            if law != bit_sum.ones_distribution(n=users, lam=more * users, ones=ones):
                return False
        return True

    shares = (Fraction(0), Fraction(1, 3), Fraction(4, 5), Fraction(9, 10))
    pairs = [(less, more) for less, more in product(shares, (*shares[1:], Fraction(1))) if less < more]
    found = exhaustive.for_all(((n, *pair) for n, pair in product(range(1, largest + 1), pairs)), holds=holds)
    return found.verdict(
        domain=f"all n and 0 <= lambda < lambda' <= n: an identity for each message; n <= {largest}, all numbers of ones, ten pairs "
        "enumerated",
        witness=lambda c: f"n = {c[0]}, lambda/n = {c[1]}, lambda'/n = {c[2]}",
        note="messages are flipped one by one after the shuffler, so the same map serves every dataset, and every pair of neighbours "
        "by itself",
        given=per_message,
    )


@derived(
    "CSUZZ19.Sec2.remark-more-users",
    where="Sections 2 and 3.2, on a lower bound for n",
    says="with the probability lambda/n of a random bit fixed, more users only improve privacy: lambda/n = lambda'/n' and n <= n' imply "
    "that the least delta of P_(n', lambda') is at most that of P_(n, lambda)",
    range="n >= 1, lambda/n fixed",
    governs=["spec.bounds.sums.bit_sum"],
    grounds=[EXACT, "CSUZZ19.Lem3.2"],
    mutants={"with lambda fixed": {"fixed": False}},
)
def monotone_in_users(budget: Budget, *, fixed: bool = True) -> Verdict:
    """The worst delta at e^eps = 1 as n grows: with the flipping probability fixed it falls; with lambda fixed (not fixed) it need not."""
    domain = "n = 2, ..., 9, lambda = 2 or lambda/n = 2/3, e^eps = 1, 3/2; all pairs"
    for cases, (order, n) in enumerate(product((Fraction(1), Fraction(3, 2)), range(2, 9)), 1):
        lams = [Fraction(2 * m, 3) if fixed else Fraction(2) for m in (n, n + 1)]
        deltas = [profile.worst_ones(n=m, lam=lam, exp_epsilon=order)[0] for m, lam in zip((n, n + 1), lams, strict=True)]
        if deltas[1] > deltas[0]:
            witness = f"lambda = {lams[0]} and {lams[1]}, e^eps = {order}: n = {n} needs delta = {deltas[0]}, n = {n + 1} needs {deltas[1]}"
            return Verdict.refuted(witness, domain=domain, cases=cases)
    note = (
        "for all n: one user more adds an independent message to both views; with lambda itself fixed the opposite can happen (the mutant)"
    )
    return Verdict.exhausted(domain=domain, cases=cases, note=note)
