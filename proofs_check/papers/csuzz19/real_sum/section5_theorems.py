"""CSUZZ19, Theorems 5.1, 5.3 and 5.4: the privacy of the real sum, and its error with explicit constants."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import floor

import sympy
from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, surely_less, upper_end
from shuffleproof.impl.ball.numeric.binomial import log_half_mass, lower_tail
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Status, Verdict, conjunction, derived, recalled
from shuffleproof.proofs_check.ledger.methods import interval, symbolic
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed
from shuffleproof.proofs_check.ledger.points import BITS
from shuffleproof.proofs_check.papers.csuzz19.appendices.appendix_c import real_error
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_3 import Setting
from shuffleproof.spec.bounds.sums import bit_sum as of_bits, real_sum as of_reals
from shuffleproof.spec.protocols import bit_sum, real_sum

_Runs = tuple[int, int, Fraction, Fraction | None]
"""n, r, lambda/n, and e^eps0 of one run; None stands for the eps0 at which its randomizer is purely private."""


def _composed(*, constant: Fraction = Fraction(8)) -> Verdict:
    """One run's exact (eps0, delta0), then the exact tagged profile at eps = eps0 sqrt(constant r ln(2/delta)), delta = 2 r delta0."""
    cases: list[_Runs] = [(n, r, Fraction(99, 100), None) for n in (1, 2) for r in (1, 2, 4)]
    cases += [(n, r, share, Fraction(51, 50)) for n in (2, 3) for r in (1, 2, 3) for share in (Fraction(9, 10), Fraction(99, 100))]

    def reached() -> Iterator[tuple[str, Fraction]]:
        for n, r, share, order in cases:
            lam = share * n
            if order is None:
                one, delta = (2 - share) / share, Fraction(1, 10**9)
            else:
                one, delta = order, 2 * r * of_bits.worst_ones(n=n, lam=lam, exp_epsilon=order)[0]
            if delta >= 1:
                continue
            epsilon = ball(one).log() * (ball(constant * r) * (2 / ball(delta)).log()).sqrt()
            if surely_less(epsilon, arb(1)):
                order = lower_end(epsilon.exp())
                largest = max(profile.delta(exp_epsilon=order) for profile in of_reals.tagged_profiles(n=n, lam=lam, r=r))
                yield f"n = {n}, r = {r}, lambda = {lam}, e^eps0 = {one}, delta = {float(delta):.3g}", largest / delta

    return at_most_claimed(
        reached(), domain="exact tagged profiles, n <= 3, r <= 4", slack="the exact delta is at most {} of the stated one"
    )


@recalled(
    "CSUZZ19.Thm5.4",
    says="with eps0 = eps/sqrt(8 r ln(2/delta)) and delta0 = delta/(2r), every lambda >= lambda*(n, eps0, delta0), the least one with "
    "which the bit sum is (eps0, delta0)-DP, makes the real sum (eps, delta)-DP",
    range="eps, delta in (0, 1), n, r >= 1",
    governs=["spec.bounds.sums.real_sum", "spec.protocols.real_sum"],
    grounds=["CSUZZ19.Lem3.6", "CSUZZ19.Sec5.3.monotone", EXACT, BALLS, SYMPY],
    weaker={"constant": "larger"},
    mutants={"eps0 = eps/sqrt(r ln(2/delta)/10)": {"constant": Fraction(1, 10)}},
)
def privacy(budget: Budget, *, constant: Fraction = Fraction(8)) -> Verdict:
    """Lemma 3.6 with delta' = delta/2: its second term is eps sqrt(2/8), its first eps^2 ((e^eps0 - 1)/eps0)/(8 ln(2/delta)).

    Their sum is at most eps if it is at eps = r = delta = 1, where eps0 = 1/sqrt(8 ln 2): so from 5.2 in place of 8 on.
    """
    points = _composed(constant=constant)
    if not points.holds:
        return points
    e, r, length = sympy.symbols("e r l", positive=True)
    factor = symbolic.rational(constant)
    each_squared = e**2 / (factor * r * length)
    largest = 1 / (ball(constant) * ball(2).log()).sqrt()  # of eps0, at eps = 1, r = 1, delta = 1
    second = (2 / ball(constant)).sqrt()
    steps = (
        symbolic.are_identical(each_squared * 2 * r * length, e**2 * 2 / factor),
        symbolic.are_identical(each_squared * r, e**2 / (factor * length)),
        symbolic.holds(surely_less(second + largest.expm1() * largest, arb(1))),
    )
    return Verdict.proved(
        domain=f"all eps <= 1, delta in (0, 1), r, n; {points.domain}",
        cases=points.cases + 3,
        slack=points.slack,
        note="both views: the untagged one is a post-processing of the tagged one (CSUZZ19.Sec5.3.ordering)",
        given=all(steps),
    )


def binomial_beyond(n: int, q: Fraction, radius: arb) -> arb:
    """Pr[|Bin(n, q) - n q| > radius] at the working precision; outcomes that are not decided count."""
    total, log_q, log_other, shift = arb(0), ball(q).log(), ball(1 - q).log(), n * arb(2).log()
    for y in range(n + 1):
        if not surely_less(ball(abs(y - n * q)), radius):
            total += (log_half_mass(n, y) + shift + y * log_q + (n - y) * log_other).exp()
    return total


def _one_message_error(at: Setting, length: arb, rounding: Fraction, noise: Fraction) -> arb:
    """Return the claimed error, length for ln(2/beta)."""
    return ball(rounding) * (at.n * length).sqrt() + ball(noise) * (at.length * length).sqrt() / ball(at.epsilon)


def _rare_error(n: int, epsilon: Fraction, rounding: Fraction, noise: Fraction) -> tuple[str, arb]:
    """Return the share of beta with n halves, beta = 2 e^-400, where Hoeffding's inequality is nearly exact."""
    at = Setting(n=n, epsilon=epsilon, delta=Fraction(1, 10**6))
    length, kept = ball(400), ball((at.n - at.random_users()) / at.n)
    radius = _one_message_error(at, length, rounding, noise)
    reached = 2 * lower_tail(at.n, Fraction(1, 2), floor(lower_end(at.n / arb(2) - radius * kept)), bits=BITS)
    return f"{at}, beta = 2 e^-400, all x_i = 1/2", reached / (2 * (-length).exp())


@recalled(
    "CSUZZ19.Thm5.3",
    says="with r = 1 and the lambda of Lemma 4.8 the real sum is (eps, delta)-DP and errs by more than "
    "O(sqrt(n log(2/beta)) + sqrt(log(4/delta) log(2/beta))/eps) with probability at most beta: constants 0.71 and 14.7",
    range="n >= 1, eps, delta, beta in (0, 1); the constants are ours",
    governs=["spec.protocols.real_sum"],
    grounds=["CSUZZ19.ThmE.2", "CSUZZ19.Lem4.8.all", BALLS],
    mutants={"0.7 for 0.71": {"rounding": Fraction(7, 10)}, "14.5 for 14.7": {"noise": Fraction(145, 10)}},
)
def one_message(budget: Budget, *, rounding: Fraction = Fraction(71, 100), noise: Fraction = Fraction(147, 10)) -> Verdict:
    """rounding sqrt(n ln(2/beta)) + noise sqrt(ln(4/delta) ln(2/beta))/eps against the exact error on x = 0 and x = 1/2."""
    users = (20, 400) if budget.depth == "quick" else (1, 20, 200, 1000, 5000)

    def reached() -> Iterator[tuple[str, arb]]:
        for n, epsilon, delta in product(users, map(Fraction, ("1", "1/10")), map(Fraction, ("1/2", "1/1000000"))):
            at = Setting(n=n, epsilon=epsilon, delta=delta)
            lam = at.random_users()
            for beta in map(Fraction, ("9/10", "1/10", "1/100000000")):
                radius = _one_message_error(at, (2 / ball(beta)).log(), rounding, noise)
                for mean in (lam / (2 * n), Fraction(1, 2)):
                    text = f"{at}, beta = {beta}, all x_i = {'0' if mean < Fraction(1, 2) else '1/2'}"
                    yield text, binomial_beyond(n, mean, radius * ball((n - lam) / n)) / ball(beta)
        yield _rare_error(10**6, Fraction(1, 10**5), rounding, noise)  # the noise decides
        yield _rare_error(10**14, Fraction(1), rounding, noise)  # the rounding does

    # (n/(n - lambda)) sqrt(n ln(2/beta)/2): in the first branch sqrt(L)/eps = w sqrt(n)/8, w^2 = lambda/n <= 1/3
    first = interval.prove_on_box(
        lambda w: ball(rounding) + ball(noise) * w / 8 - 1 / ((1 - w * w) * arb(2).sqrt()), box=[(Fraction(0), Fraction(578, 1000))]
    )
    steps = (first.holds, surely_less(ball(216).sqrt(), ball(noise)))  # n/(n - lambda) = sqrt(432 L/n)/eps in the second
    return at_most_claimed(
        reached(),
        domain=f"all n >= 1, eps, delta, beta in (0, 1); {24 * len(users) + 2} certified points",
        slack="the probability is at most {} beta",
        beside=len(steps),
        note="Hoeffding's inequality for the n messages themselves: no condition on n, lambda or beta. With ln(1/beta) in place of "
        "ln(2/beta) the bound would go to 0 for beta -> 1, and the estimates of a fixed n and lambda miss most x by a fixed distance",
        given=all(steps),
    )


@derived(
    "CSUZZ19.Sec5.2.remark-regime",
    where="Section 5.2, after Theorem 5.3",
    says="for eps = O(sqrt(log(1/delta)/n)) the error of rounding to one bit, sqrt(n ln(2/beta)), is O((1/eps) sqrt(ln(4/delta) "
    "ln(2/beta))), the bit sum's own; for larger eps it is not, and more bits are needed",
    range="n >= 1, eps <= sqrt(ln(4/delta)/n)",
    governs=["spec.protocols.real_sum"],
    grounds=[SYMPY],
    weaker={"factor": "smaller"},
    mutants={"for eps = 60 sqrt(ln(4/delta)/n)": {"factor": Fraction(60)}},
)
def regime(budget: Budget, *, factor: Fraction = Fraction(1)) -> Verdict:
    """eps <= factor sqrt(L/n): rounding sqrt(n ln(2/beta)/2) against the noise, sqrt(L ln(2/beta))/eps; beyond in mean square."""
    n, length = sympy.symbols("n L", positive=True)
    edge = symbolic.rational(factor) ** 2 * length / n  # eps^2, and the noise's square is L/eps^2 there
    if symbolic.is_nonnegative(length / edge - n / 2, at_least={n: 0, length: 0}):
        return Verdict.proved(
            domain="all n, delta, beta and eps <= sqrt(ln(4/delta)/n)",
            cases=1,
            slack="rounding costs at most sqrt(1/2) of the noise's bound at the edge",
        )
    users, delta = 10**6, Fraction(1, 10**6)
    epsilon = Fraction(int(upper_end(ball(factor) * ((4 / ball(delta)).log() / users).sqrt()) * 10**6), 10**6)
    lam = Setting(n=users, epsilon=epsilon, delta=delta).random_users()
    noise, whole = bit_sum.mean_squared_error(n=users, lam=lam), real_sum.worst_mean_squared_error(n=users, lam=lam, r=1)
    if whole - noise > noise:
        witness = f"n = 10^6, delta = 1e-6, eps = {epsilon}: rounding adds {float(whole - noise):.4g} to an error of {float(noise):.4g}"
        return Verdict.refuted(witness, domain="one case", cases=1)
    return Verdict.undecided("no contradiction", domain="one case", cases=1)


@recalled(
    "CSUZZ19.Thm5.1",
    says="for e^(-Omega(n^(1/4))) < delta < 1/n and polylog(n)/n <= eps < 1 there are lambda and r with which the real sum is (eps, "
    "delta)-DP and errs by more than O((1/eps) log(1/delta) sqrt(log(1/beta))) with probability at most beta, at most (284/eps) "
    "ln(1/delta) sqrt(ln(2/beta))",
    range="n >= 2, beta >= 2 e^(-lambda/2), with ln(2/beta); the condition on beta (as in Corollary B.4) and the constant 284 are ours",
    governs=["spec.protocols.real_sum"],
    grounds=["CSUZZ19.Thm5.4", "CSUZZ19.Thm5.5", "CSUZZ19.Lem4.8.all", BALLS],
    mutants={"36 for 284, with this lambda": {"constant": 36}},
)
def theorem(budget: Budget, *, constant: int = 284) -> Verdict:
    """Put l = ln(1/delta) >= ln 2, as delta < 1/n <= 1/2, and r <= eps sqrt(n) + 1 <= 2 sqrt(n):

    ln(8r/delta) <= 1.5 l + ln 16 <= 5.6 l, ln(2/delta) <= 2 l and sqrt(2) <= 2.05 l; so 284 leaves more than 84 for Corollary C.3.
    """
    steps = (
        surely_less(ball(16).log(), ball(Fraction(41, 10)) * ball(2).log()),
        surely_less(ball(2).sqrt(), ball(Fraction(205, 100)) * ball(2).log()),
    )
    inner = lower_end((constant - ball(Fraction(205, 100))) / ball(Fraction(112, 10)).sqrt())
    base = real_error(constant=Fraction(floor(1000 * inner), 1000))
    if base.status is Status.REFUTED:
        return base
    if not all(steps):
        return Verdict.undecided("the constants are below those of the proof", domain=base.domain, cases=len(steps))
    return conjunction(
        [base],
        note="so O((1/eps) log(1/delta) sqrt(log(2/beta))) with the constant 284, for n >= 2 and beta >= 2 e^(-lambda/2), where lambda is "
        "at least min(512 ln(4/delta), n/3). The lower ends that the text asks of eps and delta are not needed. For every beta, as the "
        "text says, the proof does not do: Theorem 5.5 needs lambda >= 2 ln(2/beta), and in Corollary B.4 the condition cannot be left out "
        "(CSUZZ19.CorB.4.every-beta)",
    )
