"""CSUZZ19, appendix B: mean, variance and error of the bit sum."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil

import sympy
from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, surely_less, upper_end
from shuffleproof.proofs_check.ledger import Budget, Kind, Status, Verdict, derived, erratum, recalled, statement
from shuffleproof.proofs_check.ledger.ground import BALLS, EXACT, SYMPY, Cited
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed
from shuffleproof.proofs_check.ledger.points import HALF
from shuffleproof.proofs_check.papers.csuzz19.appendices.appendix_e import beyond
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_3 import Setting
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_4 import error_steps
from shuffleproof.spec.distribution import moments
from shuffleproof.spec.protocols import bit_sum


@derived(
    "CSUZZ19.ClmB.1",
    says="E[y_i] = ((n - lambda)/n) x_i + lambda/(2n) and Var[y_i] = (lambda/(2n)) (1 - lambda/(2n))",
    range="n >= 1, lambda in [0, n], x_i in {0, 1}",
    governs=["spec.protocols.bit_sum"],
    grounds=[SYMPY, EXACT, "sums-and-selection#coins-and-rounding"],
    mutants={"lambda/(3n) in the mean": {"half": Fraction(1, 3)}},
    missing="n and lambda beyond the enumerated ones: the moments of one bit",
)
def message(budget: Budget, *, half: Fraction = HALF) -> Verdict:
    largest = budget.pick(quick=6, full=12)

    def holds(n: int, share: Fraction, x: int) -> bool:
        lam = share * n
        mean = (n - lam) / n * x + lam / n * half
        return moments(bit_sum.randomizer(n=n, lam=lam).distribution(x)) == (mean, lam / (2 * n) * (1 - lam / (2 * n)))

    shares = tuple(map(Fraction, ("0", "1/3", "1/2", "1")))
    found = exhaustive.for_all(product(range(1, largest + 1), shares, (0, 1)), holds=holds)
    n, lam = sympy.symbols("n lambda", positive=True)
    q = lam / (2 * n)
    steps = [symbolic.are_identical((n - lam) / n * x + lam / (2 * n), 1 - q if x else q) for x in (0, 1)]
    return found.verdict(
        domain="all n, lambda, x: y is 1 with probability lambda/(2n) or 1 - lambda/(2n)",
        witness=lambda c: f"n = {c[0]}, lambda = {c[1] * c[0]}, x = {c[2]}",
        given=all(steps),
    )


@derived(
    "CSUZZ19.ClmB.2",
    says="E[P_(n, lambda)(x)] = sum of x_i and Var = (n/(n - lambda))^2 (lambda/2) (1 - lambda/(2n))",
    range="n >= 1, lambda in [0, n), x in {0, 1}^n",
    governs=["spec.protocols.bit_sum"],
    grounds=["CSUZZ19.ClmB.1", EXACT, "sums-and-selection#coins-and-rounding"],
    mutants={"n/(n - lambda) not squared": {"scaled": 1}},
    missing="n and lambda beyond the enumerated ones: variances add up",
)
def output(budget: Budget, *, scaled: int = 2) -> Verdict:
    """scaled: the power of n/(n - lambda) in the variance."""
    largest = budget.pick(quick=6, full=15)

    def holds(n: int, share: Fraction) -> bool:
        lam = share * n
        claimed = (n / (n - lam)) ** scaled * (lam / 2) * (1 - lam / (2 * n))
        known = [moments(bit_sum.estimate_distribution(n=n, lam=lam, ones=ones)) for ones in range(n + 1)]
        return all(found == (Fraction(ones), claimed) for ones, found in enumerate(known)) and (
            scaled != 2 or claimed == bit_sum.mean_squared_error(n=n, lam=lam)
        )

    return exhaustive.for_all(product(range(1, largest + 1), map(Fraction, ("0", "1/3", "4/5"))), holds=holds).verdict(
        domain=f"all n, lambda, x: n independent messages (Claim B.1); n <= {largest}, all numbers of ones enumerated",
        witness=lambda c: f"n = {c[0]}, lambda = {c[1] * c[0]}",
        note="the variance is the same on every dataset, so it is the worst-case mean squared error",
    )


@derived(
    "CSUZZ19.CorB.3",
    says="for n > lambda >= 2 ln(2/beta), P_(n, lambda) is (alpha, beta)-accurate for sums of bits with "
    "alpha = sqrt(2 lambda ln(2/beta) (1 - lambda/(2n))) n/(n - lambda)",
    range="n > lambda >= 2 ln(2/beta), beta in (0, 1)",
    governs=["spec.protocols.bit_sum"],
    grounds=["CSUZZ19.ThmE.3", SYMPY, EXACT],
    weaker={"shrink": "larger"},
    mutants={"half of that alpha": {"shrink": HALF}},
)
def sharper(budget: Budget, *, shrink: Fraction = Fraction(1)) -> Verdict:
    """B.3 by Bernstein's inequality; shrink: a factor on the error."""

    def reached() -> Iterator[tuple[str, Fraction]]:
        places = ((8, Fraction(5), Fraction(1, 2)), (30, Fraction(8), Fraction(1, 10)), (30, Fraction(29), Fraction(1, 1000)))
        for (n, lam, beta), part in product(places, (0, 1, 2)):
            radius = ball(shrink) * (2 * ball(lam) * (2 / ball(beta)).log() * ball(1 - lam / (2 * n))).sqrt() * n / ball(n - lam)
            law = bit_sum.estimate_distribution(n=n, lam=lam, ones=n * part // 2)
            share = beyond(law, centre=Fraction(n * part // 2), radius=radius) / beta
            yield f"n = {n}, lambda = {lam}, beta = {beta}, {n * part // 2} ones", share

    # the variance is v = (lambda/2)(1 - lambda/(2n)), and the square of the radius 4 shrink^2 v ln(2/beta)
    steps = [*error_steps(2 * shrink**2), shrink > 0]
    domain, slack = "all of the stated range; three certified points", "the probability is at most {} of beta"
    return at_most_claimed(reached(), domain=domain, slack=slack, holds=Status.PROVED, beside=len(steps), given=all(steps))


def _error_steps() -> list[bool]:
    """Branch 1: n/(n - lambda) <= 3/2 and sqrt(2 * 64) 3/2 < 17. Branch 2: lambda <= n and n/(n - lambda) = sqrt(432 L)/(eps sqrt n)."""
    return [surely_less(ball(128).sqrt() * 3 / 2, ball(17)), surely_less((2 * ball(432)).sqrt(), ball(Fraction(294, 10)))]


def beats_every_lambda(*, n: int, constant: Fraction) -> bool:
    """Return whether at delta = 1/2, eps = 1 every private lambda errs by n or more, too often for some beta, where the bound is below n.

    (1, 1/2)-DP needs lambda >= 1/2: else Pr[no one] - e Pr'[no one] >= 1 - lambda/2 - e lambda/(2n) > 1/2. On x = 0 all n messages are
    1 with probability (lambda/(2n))^n >= (4n)^-n, and the output is then at least n; beta is half of that.
    """
    noise_needed = surely_less(ball(HALF), 1 - ball(Fraction(1, 4)) - ball(1).exp() / (4 * n))
    length = n * ball(4 * n).log() + ball(4).log()  # ln(2/beta)
    return noise_needed and surely_less(ball(constant) * (ball(8).log() * length).sqrt(), ball(n))


def _beyond_the_bound(*, constant: Fraction) -> Iterator[tuple[str, Fraction]]:
    """At exact points with lambda >= 2 ln(2/beta), for the lambda of Lemma 4.8: the probability of a larger error, as a share of beta."""
    for n, delta, beta in product((20, 30), map(Fraction, ("9/10", "1/1000")), map(Fraction, ("1/2", "1/100"))):
        at = Setting(n=n, epsilon=Fraction(1), delta=delta)
        lam = Fraction(round(at.random_users() * 64) + 1, 64)  # rounded up: more noise than Lemma 4.8 asks for
        if not surely_less(2 * (2 / ball(beta)).log(), ball(lam)):
            continue
        law, radius = bit_sum.estimate_distribution(n=n, lam=lam, ones=0), ball(constant) * (at.length * (2 / ball(beta)).log()).sqrt()
        yield f"{at}, beta = {beta}: an error above {constant} sqrt(...)/eps", beyond(law, centre=Fraction(0), radius=radius) / beta


@recalled(
    "CSUZZ19.CorB.4",
    where="Corollary B.4, and the remark after Theorem 4.11",
    says="some lambda makes P_(n, lambda) (eps, delta)-DP with error below 30 sqrt(ln(4/delta) ln(2/beta))/eps, with probability at least "
    "1 - beta on every dataset",
    range="n, eps, delta as in Lemma 4.8, beta >= 2 e^(-lambda/2): the condition on beta is ours, as in Theorem 5.1; the text at hand has "
    "lost its formulas",
    governs=["spec.protocols.bit_sum"],
    grounds=["CSUZZ19.CorB.3", "CSUZZ19.Lem4.8.all", BALLS, EXACT],
    mutants={"1 for 30": {"constant": Fraction(1)}},
)
def error(budget: Budget, *, constant: Fraction = Fraction(30)) -> Verdict:
    """The bound at exact points, and the constants of both branches."""
    steps = _error_steps()
    return at_most_claimed(
        _beyond_the_bound(constant=constant),
        domain="constants: all of the range; exact points",
        beside=len(steps),
        slack="at the points the probability is at most {} of beta",
        note="17 for 30 in the first branch, 29.4 in the second; the condition is lambda >= 2 ln(2/beta), and cannot be left out "
        "(CSUZZ19.CorB.4.every-beta)",
        given=all(steps),
    )


@recalled(
    "CSUZZ19.CorB.4.every-beta",
    where="Corollary B.4, and the remark after Theorem 4.11",
    kind=Kind.READING,
    says="a reading: the error bound of Corollary B.4 holds for every beta in (0, 1)",
    range="n, eps, delta as in Lemma 4.8, beta in (0, 1)",
    governs=["spec.protocols.bit_sum"],
    grounds=["CSUZZ19.CorB.3", "CSUZZ19.Lem4.8.all", BALLS, EXACT],
    mutants={"corrected statement with 1 for 30": {"constant": Fraction(1)}},
)
def every_beta(budget: Budget, *, constant: Fraction = Fraction(30)) -> Verdict:
    n, points = 40_000, at_most_claimed(_beyond_the_bound(constant=constant), domain="exact points", slack="{}")
    return erratum(
        witness=f"n = {n}, eps = 1, delta = 1/2, beta = (4n)^-n/2, x = (0, ..., 0): every lambda that is (1, 1/2)-DP is at least 1/2, "
        "so with probability above beta all messages are 1 and the error is at least n, while 30 sqrt(ln(4/delta) ln(2/beta)) < n; "
        "with another constant for 30 a larger n does the same",
        is_witness=beats_every_lambda(n=n, constant=Fraction(30)),
        corrected="for beta >= 2 e^(-lambda/2): CSUZZ19.CorB.4",
        beside=points,
        domain=f"one witness; {points.cases} exact points of the corrected statement",
        cases=1 + points.cases,
        note="the text at hand has lost its formulas, a condition on beta perhaps among them",
    )


def squared_error_bound(first: Fraction, second: Fraction) -> list[bool]:
    """Branch 1: L/eps^2 = n s/64, s = lambda/n <= 1/3. Branch 2: n (1 - t^2)/(4 t^2) <= n/(4 t^2) = 108 L/eps^2, t^2 = eps^2 n/(432 L)."""
    e, n, length = sympy.symbols("e n L", positive=True)
    t_squared = e**2 * n / (432 * length)
    share = sympy.symbols("s", positive=True)
    exact = (1 / (1 - share)) ** 2 * n * share / 2 * (1 - share / 2)
    return [
        symbolic.is_nonnegative(symbolic.rational(first) - exact / (n * share / 64), at_least={n: 0}, between={share: (0, Fraction(1, 3))}),
        symbolic.are_identical(exact, n * (1 - (1 - share) ** 2) / (4 * (1 - share) ** 2)),
        symbolic.are_identical(n / (4 * t_squared), 108 * length / e**2) and symbolic.holds(second >= 108),
    ]


@derived(
    "CSUZZ19.CorB.4.explicit",
    says="with the lambda of Lemma 4.8 the protocol is (eps, delta)-DP and its root mean squared error on every dataset is at most "
    "sqrt(108 ln(4/delta))/eps (sqrt(60 ln(4/delta))/eps in the first branch)",
    range="n >= 1, delta in (0, 1), 0 < eps <= 1",
    governs=["spec.protocols.bit_sum"],
    grounds=["CSUZZ19.ClmB.2", "CSUZZ19.Lem4.8.all", SYMPY, BALLS],
    weaker={"first": "larger", "second": "larger"},
    mutants={
        "sqrt(100 ln(4/delta))/eps": {"second": Fraction(100)},
        "sqrt(59 ln(4/delta))/eps in the first branch": {"first": Fraction(59)},
    },
)
def mean_squared(budget: Budget, *, first: Fraction = Fraction(60), second: Fraction = Fraction(108)) -> Verdict:
    def reached() -> Iterator[tuple[Setting, arb]]:
        delta = Fraction(1, 10**9)
        edge = Setting(n=ceil(upper_end(192 * (4 / ball(delta)).log())), epsilon=Fraction(1), delta=delta)  # of the first branch
        listed = product((20, 1000, 10**6), map(Fraction, ("1", "1/10", "1/1000")), (Fraction(9, 10), delta))
        for at in (edge, *(Setting(n=n, epsilon=epsilon, delta=small) for n, epsilon, small in listed)):
            is_first = surely_less(192 * at.length, ball(at.epsilon) ** 2 * at.n)
            claimed: arb = ball(first if is_first else second) * at.length / ball(at.epsilon) ** 2
            yield at, ball(bit_sum.mean_squared_error(n=at.n, lam=at.random_users())) / claimed

    steps = squared_error_bound(first, second)
    return at_most_claimed(
        reached(),
        domain="all n >= 1, delta in (0, 1), 0 < eps <= 1; certified: n = 20 to 10^6, eps = 1, 1/10, 1/1000, delta = 9/10, 10^-9",
        slack="the mean squared error is up to {} of the bound",
        holds=Status.PROVED,
        beside=len(steps),
        given=all(steps),
    )


@statement(
    "CSUZZ19.AppB.remark-gaussian",
    where="Appendix B, before Corollary B.4",
    says="with the lambda of Lemma 4.8 the error is of the same order as the Gaussian mechanism's: its bound is at most 11.1 times "
    "sqrt(2 ln(5/(4 delta)))/eps",
    range="delta in (0, 1/2], 0 < eps < 1",
    grounds=[BALLS, "CSUZZ19.CorB.4.explicit", Cited("ln(4/delta)/ln(5/(4 delta)) = 1 + ln(16/5)/ln(5/(4 delta)) rises with delta")],
    mutants={"at most 7.3 times, its limit for small delta": {"largest": Fraction(73, 10)}},
)
def gaussian(budget: Budget, *, largest: Fraction = Fraction(111, 10)) -> Verdict:
    """sqrt(108 L)/sqrt(2 ln(5/(4 delta))) is at most `largest` for delta <= 1/2: the quotient of logarithms rises with delta."""
    domain = "delta in (0, 1/2], 0 < eps < 1"
    at_half = (108 * ball(8).log() / (2 * ball(Fraction(5, 2)).log())).sqrt()
    if surely_less(at_half, ball(largest)):
        return Verdict.certified(domain=domain, cases=1, slack=f"{at_half.str(5, radius=False)} at delta = 1/2")
    witness = f"delta = 1/2: the quotient of the bounds is {at_half.str(5, radius=False)}"
    return Verdict.refuted(witness, domain=domain, cases=1)
