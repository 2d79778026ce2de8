"""CSUZZ19, Claim 4.6 to Claim 4.10: a random number of random users, the choice of lambda, the inverse of eps*.

L = ln(4/delta), l = ln(2/delta), g = lambda - sqrt(2 lambda l) and eps* = sqrt(32 L/g) (1 - g/n) as in the paper.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil

import sympy
from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, surely_less, upper_end
from shuffleproof.proofs_check.ledger import BALLS, SYMPY, Budget, Kind, Verdict, derived, erratum, recalled, statement
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_2 import fixed_set_steps
from shuffleproof.proofs_check.papers.csuzz19.profiles.bit_sum_divergence import every_pair_divergence, homogeneous_divergence


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A place in the lemma's range. n users, epsilon and delta exact; first and second: the constants 64 (with 192 = 3 * 64) and 432."""

    n: int
    epsilon: Fraction
    delta: Fraction
    first: Fraction = Fraction(64)
    second: Fraction = Fraction(432)

    def __str__(self) -> str:
        return f"n = {self.n}, eps = {self.epsilon}, delta = {self.delta}"

    @property
    def length(self) -> arb:
        """L = ln(4/delta)."""
        return (4 / ball(self.delta)).log()

    def random_users(self) -> Fraction:
        """The lambda of equation 6, rounded down to a multiple of 2^-40: a certificate for it holds for the printed one (monotone)."""
        n, epsilon = ball(self.n), ball(self.epsilon)
        large = epsilon * epsilon * n >= 3 * ball(self.first) * self.length
        if large:
            value = ball(self.first) * self.length / (epsilon * epsilon)
        else:
            value = n - epsilon * n * (n / (ball(self.second) * self.length)).sqrt()
        scale = 1 << 40
        return Fraction(int(lower_end(value) * scale), scale)


def near_the_edges(first: Fraction = Fraction(64), second: Fraction = Fraction(432)) -> list[Setting]:
    """One place in either branch, with few users; with much smaller constants both are in the first."""
    named = ((450, Fraction(1, 2)), (500, Fraction(1, 1000)))
    return [Setting(n=n, epsilon=Fraction(99, 100), delta=delta, first=first, second=second) for n, delta in named]


def settings(budget: Budget) -> list[Setting]:
    """Places on both sides of the second branch, of n = 92 L, and outside the printed range."""
    users = (20, 200, 450) if budget.depth == "quick" else (20, 60, 200, 600, 1500, 4000)
    epsilons, deltas = map(Fraction, ("1", "1/4", "1/100")), tuple(map(Fraction, ("9/10", "1/1000", "1/1000000000")))
    return [Setting(n=n, epsilon=e, delta=d) for n, e, d in product(users, epsilons, deltas)]


def met_by_every_pair(places: Sequence[Setting]) -> Verdict:
    """Return whether the lambda of each place is certified to be (eps, delta)-DP on all pairs; refuted where the one pair exceeds delta."""

    def reached() -> Iterator[tuple[Setting, tuple[Fraction, Fraction]]]:
        for at in places:
            lam, order = at.random_users(), ball(at.epsilon).exp()
            below = lower_end(homogeneous_divergence(at.n, lam, order) / ball(at.delta))
            local = ball(2 * at.n - lam) <= order * ball(lam)  # one message is eps-DP by itself
            above = Fraction(0) if local or below > 1 else upper_end(every_pair_divergence(at.n, lam, order) / ball(at.delta))
            yield at, (below, above)

    return at_most_claimed(reached(), domain=f"{len(places)} certified points", slack="at most {} of delta is needed")


def proved(steps: Sequence[bool], points: Verdict, *, domain: str, note: str | None = None) -> Verdict:
    """Proved by these steps over the domain, with certified points beside it; refuted or open as the points are."""
    if not points.holds:
        return points
    return Verdict.certified(
        domain=f"{domain}; {points.domain}", cases=len(steps) + points.cases, slack=points.slack, note=note, given=all(steps)
    )


def _enough_random_users() -> bool:
    """Put w = sqrt(lambda/L): g >= L (w^2 - sqrt(2) w), which rises from w = 1/sqrt 2 on and exceeds 8 L at w = sqrt 14."""
    w = ball(14).sqrt()
    return surely_less(ball(8), w * w - ball(2).sqrt() * w) and surely_less(1 / ball(2).sqrt(), w)


def decreasing() -> list[bool]:
    """sqrt(32 L/g) (1 - g/n) falls in g, and g rises in lambda from lambda = l/2 on."""
    g, n, w, v = sympy.symbols("g n w v", positive=True)  # w^2 = lambda, v^2 = 2 l
    square = (1 - g / n) ** 2 / g
    return [
        symbolic.is_nonnegative(-sympy.diff(square, g) * g**2 * n**2 / (n - g), at_least={n: 0, g: 0}),
        symbolic.are_identical(sympy.diff(w**2 - v * w, w), 2 * w - v),  # at least 0 iff w >= v/2, lambda >= l/2
    ]


def _random_number(budget: Budget, *, constant: Fraction = Fraction(32), places: Sequence[tuple[int, Fraction]] = ()) -> Verdict:
    """(eps*, delta) at lambda = 14 L, in the middle, and just below n, from above on every pair and from below on one."""
    users = (60, 300) if budget.depth == "quick" else (60, 300, 1000)

    def reached() -> Iterator[tuple[str, tuple[Fraction, Fraction]]]:
        for n, delta in places or product(users, map(Fraction, ("1/2", "1/1000", "1/1000000"))):
            length, short = (4 / ball(delta)).log(), (2 / ball(delta)).log()
            lowest = ceil(upper_end(14 * length))
            for lam in sorted({lam for lam in (lowest, (lowest + n) // 2, n - 1) if lowest <= lam < n}):
                g = lam - (2 * lam * short).sqrt()
                order = ((ball(constant) * length / g).sqrt() * (1 - g / n)).exp()
                below, above = homogeneous_divergence(n, Fraction(lam), order), every_pair_divergence(n, Fraction(lam), order)
                yield f"n = {n}, delta = {delta}, lambda = {lam}", (lower_end(below / ball(delta)), upper_end(above / ball(delta)))

    return at_most_claimed(reached(), domain="certified: lambda = 14 L, (14 L + n)/2, n - 1", slack="at eps* at most {} of delta is needed")


@recalled(
    "CSUZZ19.Clm4.6",
    says="for 14 ln(4/delta) <= lambda <= n, C_lambda is (eps*, delta)-DP, eps* = sqrt(32 ln(4/delta)/g) (1 - g/n), "
    "g = lambda - sqrt(2 lambda ln(2/delta))",
    range="delta in (0, 1), 14 ln(4/delta) <= lambda <= n (which needs n >= 20)",
    governs=["spec.protocols.bit_sum"],
    grounds=["distributions-of-views#the-noise-of-the-bit-sum", "CSUZZ19.Clm4.5", "CSUZZ19.ThmE.1", BALLS, SYMPY],
    mutants={"sqrt(ln(4/delta)/(2 g)) (1 - g/n)": {"constant": Fraction(1, 2)}},
    missing="how the steps are put together; each is an identity, a sign or a comparison in ball arithmetic",
)
def random_number(budget: Budget, *, constant: Fraction = Fraction(32)) -> Verdict:
    steps = [_enough_random_users(), *decreasing(), *fixed_set_steps(constant, Fraction(8))]
    points = _random_number(budget, constant=constant)
    return proved(steps, points, domain="all of the stated range: Pr[s < g] <= delta/2, and delta/2 beyond")


@recalled(
    "CSUZZ19.Cor4.7",
    says="for 14 ln(4/delta) <= lambda <= n, P_(n, lambda) is (eps*, delta)-DP, eps* = sqrt(32 ln(4/delta)/g) (1 - g/n), g = lambda - "
    "sqrt(2 lambda ln(2/delta))",
    range="delta in (0, 1), 14 ln(4/delta) <= lambda <= n",
    governs=["spec.bounds.sums.bit_sum"],
    grounds=["distributions-of-views#the-noise-of-the-bit-sum", "CSUZZ19.Clm4.6", "CSUZZ19.Clm4.3", BALLS, SYMPY],
    mutants={"P_(n, lambda) is (eps*/10, delta)-DP": {"constant": Fraction(32, 100)}},
    missing="how the steps are put together; each is an identity, a sign or a comparison in ball arithmetic",
)
def corollary(budget: Budget, *, constant: Fraction = Fraction(32)) -> Verdict:
    places = [(300, Fraction(1, 10**6)), (200, Fraction(1, 100))]
    steps = [_enough_random_users(), *decreasing(), *fixed_set_steps(constant, Fraction(8))]
    return proved(steps, _random_number(budget, constant=constant, places=places), domain="all of the stated range")


def first_branch_steps(first: Fraction) -> list[bool]:
    """Claim 4.9, first = 64: lambda = 64 L/eps^2 <= n/3 is at least 64 L >= 14 L, so g >= lambda (1 - sqrt(2/64)), as l < L.

    Then eps*^2 <= 32 L/g <= eps^2 if first (1 - sqrt(2/first)) >= 32: from 41.1 on.
    """
    e, length, kept = sympy.symbols("e L h", positive=True)
    lam = symbolic.rational(first) * length / e**2
    share = 1 - (ball(2) / ball(first)).sqrt()
    enough = surely_less(ball(14), ball(first)) and surely_less(ball(32), ball(first) * share)
    return [
        symbolic.holds(enough),
        symbolic.are_identical(32 * length / (lam * kept), e**2 * 32 / (symbolic.rational(first) * kept)),  # with h for 1 - sqrt(2/first)
        symbolic.are_identical(lam * 3, 3 * symbolic.rational(first) * length / e**2),  # lambda <= n/3 iff eps^2 n >= 3 first L
    ]


@derived(
    "CSUZZ19.Clm4.9",
    says="if eps >= sqrt(192 L/n) then with lambda = 64 L/eps^2 the protocol is (eps, delta)-DP, L = ln(4/delta)",
    range="delta in (0, 1), n >= 14 L, sqrt(3456) L/n < eps < 1, eps >= sqrt(192 L/n): nothing unless n > 192 L",
    governs=["spec.bounds.sums.bit_sum"],
    grounds=["distributions-of-views#the-noise-of-the-bit-sum", "CSUZZ19.Cor4.7", BALLS, SYMPY],
    mutants={"lambda = L/eps^2": {"constant": Fraction(1)}},
    missing="how the steps are put together; each is an identity, a sign or a comparison in ball arithmetic",
)
def first_branch(budget: Budget, *, constant: Fraction = Fraction(64)) -> Verdict:
    note = "the condition sqrt(3456) L/n < eps follows: sqrt(192 L/n) > sqrt(3456) L/n for n > 18 L"
    return proved(first_branch_steps(constant), met_by_every_pair(near_the_edges(first=constant)), domain="all of the range", note=note)


def least_share(second: Fraction, first: Fraction = Fraction(64)) -> arb:
    """Return what lambda/n exceeds in the second branch: 1 - eps sqrt(n/(second L)) where eps^2 n < 3 first L."""
    return 1 - (ball(3 * first) / ball(second)).sqrt()


def second_branch_steps(second: Fraction, first: Fraction = Fraction(64)) -> list[bool]:
    """Claim 4.10, second = 432: with t = eps sqrt(n/(432 L)) < 2/3: 1 - g/n <= t + sqrt(2 l/n), and n > sqrt(3456) L.

    So g/n > r - sqrt(2 r/sqrt(3456)), r = 1/3 the least share of lambda, and with 32/v for that eps* is at most eps (sqrt(v/second) +
    sqrt(2 v/3456)): the first from t, the second from sqrt(2 l/n), where L/n < eps/sqrt(3456).
    """
    n, length, v = sympy.symbols("n L v", positive=True)
    least = ball(3456).sqrt()  # of n/L
    r = least_share(second, first)
    share = r - (2 * r / least).sqrt()  # of g in n: it rises with lambda from lambda = l/2 on
    v_most = 32 / share
    enough = (
        surely_less(14 / least, r)  # lambda >= 14 L
        and surely_less(1 / (2 * least), r)
        and surely_less(arb(0), share)
        and surely_less((v_most / ball(second)).sqrt() + (2 * v_most).sqrt() / least, arb(1))
    )
    return [
        symbolic.holds(enough),
        symbolic.are_identical((v * length / n) * (n / (symbolic.rational(second) * length)), v / symbolic.rational(second)),
        symbolic.are_identical((v * length / n) * (2 * length / n), 2 * v * (length / n) ** 2),
    ]


@derived(
    "CSUZZ19.Clm4.10",
    says="if eps < sqrt(192 L/n) then with lambda = n - eps n^(3/2)/sqrt(432 L) the protocol is (eps, delta)-DP, L = ln(4/delta)",
    range="delta in (0, 1), n >= 14 L, sqrt(3456) L/n < eps < 1, eps < sqrt(192 L/n): nothing unless n > sqrt(3456) L",
    governs=["spec.bounds.sums.bit_sum"],
    grounds=["distributions-of-views#the-noise-of-the-bit-sum", "CSUZZ19.Cor4.7", BALLS, SYMPY],
    mutants={"lambda = n - eps n^(3/2)/sqrt(61 L)": {"constant": Fraction(61)}},
    missing="how the steps are put together; each is an identity, a sign or a comparison in ball arithmetic",
)
def second_branch(budget: Budget, *, constant: Fraction = Fraction(432)) -> Verdict:
    return proved(second_branch_steps(constant), met_by_every_pair(near_the_edges(second=constant)), domain="all of the range")


@recalled(
    "CSUZZ19.Sec4.3.remark-boundary",
    where="Section 4.3, after Claim 4.9",
    says="the lambda of Claim 4.9 reaches n/3 as eps comes down to sqrt(192 L/n), where that of Claim 4.10 is n/3 too, L = ln(4/delta)",
    range="n >= 1, delta in (0, 1)",
    grounds=[BALLS, SYMPY],
    mutants={"400 for 432": {"second": 400}, "180 for 192": {"edge": 180}},
)
def at_the_boundary(budget: Budget, *, second: int = 432, edge: int = 192) -> Verdict:
    """Both branches at eps = sqrt(192 L/n), as shares of n; and the first branch where it reaches n."""
    e, n, length = sympy.symbols("e n L", positive=True)
    least = sympy.sqrt(edge * length / n)
    first = sympy.simplify((64 * length / e**2 / n).subs(e, least))
    other = sympy.simplify((1 - e * sympy.sqrt(n / (second * length))).subs(e, least))
    meaningless = sympy.simplify((64 * length / e**2 / n).subs(e, 8 * sympy.sqrt(length / n)))
    domain = "all n, L; eps = sqrt(192 L/n)"
    if first == other == sympy.Rational(1, 3) and meaningless == 1:
        note = "equation 6 is continuous; below eps = 8 sqrt(L/n) the first branch would ask for more than n"
        return Verdict.certified(domain=domain, cases=3, note=note)
    return Verdict.refuted(f"at eps = sqrt(192 L/n) the branches give {first} n and {other} n", domain=domain, cases=3)


@statement(
    "CSUZZ19.Sec4.3.remark-inverse",
    where="Section 4.3, before Lemma 4.8",
    says="eps* = sqrt(32 ln(4/delta)/g) (1 - g/n), g = lambda - sqrt(2 lambda ln(2/delta)), decreases as lambda increases",
    range="14 ln(4/delta) <= lambda <= n",
    grounds=[BALLS, SYMPY],
    weaker={"lowest": "larger"},
    mutants={"from lambda = 2 ln(2/delta) on, where g = 0, and below": {"lowest": Fraction(1, 4)}},
)
def inverse(budget: Budget, *, lowest: Fraction = Fraction(14)) -> Verdict:
    """lowest: the least lambda, as a multiple of l = ln(2/delta); eps* is defined where g > 0 and g rises from lambda = l/2 on."""
    domain = "all n, delta, lambda in the stated range"
    if not symbolic.holds(lowest > 2):
        witness = f"lambda = {lowest} ln(2/delta): g = lambda - sqrt(2 lambda ln(2/delta)) <= 0, and eps* is not defined"
        return Verdict.refuted(witness, domain=domain, cases=1)
    return Verdict.proved(domain=domain, cases=2, given=all(decreasing()))


@statement(
    "CSUZZ19.Sec4.3.inverse",
    where="Section 4.3, before Lemma 4.8",
    kind=Kind.PART,
    says="for every eps > 0 there is a lambda*(eps), the minimum lambda <= n with eps*(lambda) <= eps",
    range="eps > 0, n > 14 ln(4/delta), delta in (0, 1)",
    grounds=[BALLS, SYMPY],
    mutants={"corrected statement with eps*(n)/2 for eps*(n)": {"share": Fraction(1, 2)}},
)
def inverse_exists(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """At lambda = n: 1 - g/n = sqrt(2 l/n) > 0, so eps*(n) = sqrt(32 L/g) sqrt(2 l/n) > 0; below it no lambda is left.

    share: of eps*(n), from which on a lambda is claimed to be there; eps* is continuous and falls on [14 L, n].
    """
    falls, least, refuted, places = all(decreasing()), None, None, list(product((10**3, 10**6), map(Fraction, ("1/2", "1/1000000"))))
    for n, delta in places:
        L, short = (4 / ball(delta)).log(), (2 / ball(delta)).log()
        g = n - (2 * ball(n) * short).sqrt()
        last = (32 * L / g).sqrt() * (2 * short / n).sqrt()
        least = last if least is None else least
        if surely_less(ball(share) * last, last):
            refuted = f"n = {n}, delta = {delta}, eps = {share} eps*(n): eps*(lambda) > eps for every lambda <= n"
    positive = least is not None and surely_less(ball(0), least)
    shown = float(lower_end(least)) if least is not None else 0.0
    return erratum(
        witness=f"n = 1000, delta = 1/2: eps*(n) = {shown:.4f}, and eps* falls up to there, so no lambda has eps* <= {shown / 2:.4f}",
        is_witness=positive,
        corrected="for eps >= eps*(n) = sqrt(32 ln(4/delta)/(n - sqrt(2 n ln(2/delta)))) sqrt(2 ln(2/delta)/n)",
        counterexample=refuted,
        domain="all n, delta, eps in the range, as eps* is continuous and falls; four places in numbers",
        cases=len(places) + 2,
        note="Lemma 4.8 asks for eps > sqrt(3456) ln(4/delta)/n, which is more: it is not touched",
        given=falls,
    )
