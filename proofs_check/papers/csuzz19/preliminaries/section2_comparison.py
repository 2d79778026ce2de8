"""CSUZZ19, sections 2.1 and 2.3: the bit sum beside local protocols and beside amplification by shuffling, as numbers."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy
from flint import arb

from shuffleproof.impl.ball.bounds.samples import necessary_samples
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, surely_less, upper_end
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Cited, Verdict, recalled, statement, unchecked
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_3 import Setting
from shuffleproof.spec.protocols import bit_sum, real_sum

PLACE = Setting(n=10**6, epsilon=Fraction(1), delta=Fraction(1, 10**6))


@statement(
    "CSUZZ19.Sec2.1.remark-intuition",
    says="in the local model eps-DP needs lambda close to n: exactly lambda >= 2n/(e^eps + 1)",
    range="n >= 1, eps > 0",
    governs=["spec.protocols.bit_sum"],
    grounds=[SYMPY, EXACT],
    mutants={"lambda >= n/(e^eps + 1)": {"factor": Fraction(1)}},
)
def local_noise(budget: Budget, *, factor: Fraction = Fraction(2)) -> Verdict:
    """R_(n, lambda) is eps-DP iff lambda >= factor n/(e^eps + 1), exactly, just at and just below."""

    def holds(n: int, order: Fraction) -> bool:
        least = factor * n / (order + 1)
        reached = bit_sum.randomizer(n=n, lam=least).exp_epsilon0()
        below = bit_sum.randomizer(n=n, lam=least * Fraction(999, 1000)).exp_epsilon0()
        return reached is not None and reached <= order and (below is None or below > order)

    found = exhaustive.for_all(((n, order) for n in (1, 10, 1000) for order in map(Fraction, ("11/10", "2", "20"))), holds=holds)
    n, order = sympy.symbols("n E", positive=True)
    q = 1 / (order + 1)
    return found.verdict(
        domain="all n, eps; three n and three e^eps at and just below the threshold",
        note="n - lambda = n tanh(eps/2) <= n eps/2: close to n for small eps, where the shuffled protocol needs lambda of order "
        "ln(1/delta)/eps^2",
        given=symbolic.are_identical((1 - q) / q, order) and symbolic.are_identical(n - 2 * n / (order + 1), n * (order - 1) / (order + 1)),
    )


@recalled(
    "CSUZZ19.Sec2.3.comparison",
    says="at n = 10^6, eps = 1, delta = 10^-6 the bit sum amplifies randomized response of a local epsilon above 7 and below 8, where [17] "
    "stops at 1/2, and its error is below 1/40 of that of local 1-DP",
    governs=["spec.protocols.bit_sum"],
    grounds=[BALLS, SYMPY],
    mutants={
        "its error is below 1/60 of that of local 1-DP": {"smallest_gain": Fraction(60)},
        "the randomizer's own epsilon is below 1/2": {"largest_local": Fraction(1, 2)},
        "it is above 77/10": {"smallest_local": Fraction(77, 10)},
    },
)
def comparison(
    budget: Budget, *, smallest_local: Fraction = Fraction(7), largest_local: Fraction = Fraction(8), smallest_gain: Fraction = Fraction(40)
) -> Verdict:
    """At n = 10^6, eps = 1, delta = 10^-6: the randomizer's own epsilon, and the errors with and without a shuffler."""
    domain = str(PLACE)
    lam = PLACE.random_users()
    own = ball((2 * PLACE.n - lam) / lam).log()
    ours = ball(bit_sum.mean_squared_error(n=PLACE.n, lam=lam)).sqrt()
    alone = ball(Fraction(1, 2)).tanh()  # n - lambda = n tanh(eps/2) at eps = 1
    local = (PLACE.n * (1 - alone * alone)).sqrt() / (2 * alone)
    half = ball(Fraction(1, 4)).tanh()
    limited = (PLACE.n * (1 - half * half)).sqrt() / (2 * half)
    told = (
        f"lambda = {float(lam):.5g}: the randomizer alone is {own.str(4, radius=False)}-DP and its root mean squared error "
        f"{ours.str(4, radius=False)}; local 1-DP has {local.str(4, radius=False)}, local 1/2-DP, the most that [17] covers as it is "
        f"recalled here, {limited.str(4, radius=False)}"
    )
    as_said = surely_less(ball(smallest_local), own) and surely_less(own, ball(largest_local))
    if as_said and surely_less(ball(smallest_gain), local / ours) and surely_less(local, limited):
        return Verdict.certified(domain=domain, cases=4, slack=told)
    return Verdict.refuted(told, domain=domain, cases=4)


@recalled(
    "CSUZZ19.Sec2.3.remark-amplified",
    says="for randomized response a local epsilon of ln n - O(ln ln(1/delta)) is amplified to a constant: at eps the local one may be "
    "ln(n eps^2/(32 L) - 1) >= ln n + 2 ln eps - ln(32 L) - 1/5",
    range="eps^2 n >= 192 L, L = ln(4/delta), 0 < eps <= 1",
    governs=["spec.protocols.bit_sum"],
    grounds=["CSUZZ19.Lem4.8", BALLS, SYMPY],
    weaker={"lost": "larger", "edge": "larger"},
    mutants={"ln n + 1 in place of ln n - 1/5": {"lost": Fraction(-1)}, "33 for 32": {"each": Fraction(33)}},
)
def amplified(budget: Budget, *, lost: Fraction = Fraction(1, 5), edge: Fraction = Fraction(192), each: Fraction = Fraction(32)) -> Verdict:
    """The largest local epsilon that Lemma 4.8 brings down to eps in its first branch: e^eps0 = n eps^2/(32 L) - 1."""
    n, e, length = sympy.symbols("n e L", positive=True)
    lam = 64 * length / e**2
    domain = "first branch of Lemma 4.8: eps^2 n >= 192 L"
    if not symbolic.are_identical((2 * n - lam) / lam, n * e**2 / (symbolic.rational(each) * length) - 1):
        return Verdict.refuted(f"eps^2 n = 1000 L: e^eps0 is not 1000/{each} - 1", domain=domain, cases=1)
    least = ball(edge) / 32  # of n eps^2/(32 L), so that subtracting 1 loses a factor least/(least - 1) at most
    most_lost = (least / (least - 1)).log()
    enough = symbolic.holds(edge > 32 and upper_end(most_lost) <= lost)
    if surely_less(ball(lost), most_lost):
        witness = f"eps^2 n = {edge} L: the local epsilon is ln n + 2 ln eps - ln(32 L) - {most_lost.str(5, radius=False)}"
        return Verdict.refuted(witness, domain=domain, cases=1)
    return Verdict.proved(domain=domain, cases=2, given=enough)


@statement(
    "CSUZZ19.Sec2.1.remark-laplace",
    where="Section 2.1, after Theorem 2.1",
    says="in the central model the Laplace mechanism is eps-DP with expected error 1/eps",
    range="eps > 0; the lower bound for local protocols beside it is cited by the paper and not checked here",
    grounds=[SYMPY],
    mutants={"1/(2 eps)": {"scale": Fraction(1, 2)}},
)
def laplace(budget: Budget, *, scale: Fraction = Fraction(1)) -> Verdict:
    """The mean absolute value of the Laplace distribution with density (eps/2) e^(-eps |x|)."""
    x, e = sympy.symbols("x e", positive=True)
    mean = sympy.integrate(2 * x * (e / 2) * sympy.exp(-e * x), (x, 0, sympy.oo))
    domain = "all eps > 0"
    if sympy.simplify(mean - sympy.Rational(scale.numerator, scale.denominator) / e) == 0:
        return Verdict.certified(domain=domain, cases=1)
    return Verdict.refuted(f"eps = 1: the mean absolute error is {sympy.simplify(mean.subs(e, 1))}", domain=domain, cases=1)


@recalled(
    "CSUZZ19.Sec2.1.remark-fewer-bits",
    where="Section 2.1, communication complexity",
    says="with b one-bit messages a user the error is O(sqrt(n)/b + ln(b/delta)/eps): at most sqrt(n)/(2b) + sqrt(864 ln(8b/delta) "
    "ln(2/delta))/eps",
    range="n, b >= 1, delta in (0, 1), 0 < eps <= 1",
    governs=["spec.protocols.real_sum"],
    grounds=["CSUZZ19.Thm2.1", Cited("worst variance n/(4 b^2) + (1/b) that of the bit sum"), BALLS, SYMPY],
    mutants={"sqrt(n)/(200 b)": {"rounding": Fraction(1, 200)}, "432 for 864": {"noise": Fraction(432)}},
)
def fewer_bits(budget: Budget, *, rounding: Fraction = Fraction(1, 2), noise: Fraction = Fraction(864)) -> Verdict:
    """Root mean squared error at most rounding sqrt(n)/b + sqrt(noise ln(8b/delta) ln(2/delta))/eps with b bits a user; its worst case."""

    def reached() -> Iterator[tuple[str, arb]]:
        for users, bits in product((10**4, 10**8, 10**12), (1, 10, 1000)):
            short, long = (2 / ball(PLACE.delta)).log(), (8 * bits / ball(PLACE.delta)).log()
            each = Fraction(int(lower_end(1 / (8 * bits * short).sqrt()) * 2**60), 2**60)
            lam = Setting(n=users, epsilon=each, delta=PLACE.delta / (2 * bits)).random_users()
            claimed = ball(rounding) * ball(users).sqrt() / bits + (ball(noise) * long * short).sqrt()
            share = ball(real_sum.worst_mean_squared_error(n=users, lam=lam, r=bits)).sqrt() / claimed
            yield f"n = {users}, b = {bits}, eps = 1, delta = 10^-6", share

    return at_most_claimed(
        reached(),
        domain="all n, b >= 1, delta in (0, 1), 0 < eps <= 1; certified: n = 10^4, 10^8, 10^12, b = 1, 10, 1000, eps = 1, delta = 10^-6",
        slack="at the points the error is at most {} of the bound",
        given=rounding >= Fraction(1, 2) and noise >= 864,
    )


unchecked(
    "CSUZZ19.Sec2.3.best-attempt",
    says="(a question) the authors' best attempt at [17]'s method, for randomized response with a large local eps, gives an error just "
    "below that of the local model",
    why="the formulas are lost in the text at hand, and the attempt is not described. What is true of randomized response of every local "
    "eps is CSUZZ19.Sec2.3.remark-amplified, and of every randomizer FMT21.Thm3.2",
)


unchecked(
    "CSUZZ19.Sec2.2.approximation-term",
    where="Section 2.2, in parentheses after the definition of variable selection",
    says="(a question) any sufficiently small constant fraction in the approximation term of variable selection leads "
    "to the same lower bounds",
    why="`the same` is up to constants that are not stated; with the printed fraction the bounds have constants: CSUZZ19.Thm6.5, "
    "CSUZZ19.Cor6.6. That a smaller fraction is no easier holds by definition",
)


@recalled(
    "CSUZZ19.Sec2.1.remark-local",
    where="Section 2.1, after Theorem 2.1 and on communication; section 1.1",
    says="an error of Omega(sqrt(n)/eps) is necessary for sums of bits in the local model: with probability 9/10 no protocol errs by at "
    "most sqrt(n)/(5 eps)",
    range="one round, eps-DP users, success 9/10; the constant 1/5 is ours, the text's formula is lost",
    governs=["impl.ball.bounds.samples.necessary_samples"],
    grounds=[BALLS, "BC20.Sec1.2.remark-means"],
    mutants={"with the constant 1": {"constant": Fraction(1)}},
)
def local_error(budget: Budget, *, constant: Fraction = Fraction(1, 5)) -> Verdict:
    """The largest n that is excluded at alpha: every protocol of n users errs by more than alpha n with probability 1/10."""

    def reached() -> Iterator[tuple[str, arb]]:
        for a, e in product(("1/10", "1/100", "1/1000"), ("1", "1/2", "1/4")):
            alpha, epsilon = Fraction(a), Fraction(e)
            n = necessary_samples.local_mean(alpha=alpha, epsilon=epsilon, success=Fraction(9, 10)) - 1
            yield f"alpha = {a}, eps = {e}, n = {n}", ball(constant / alpha / epsilon) / ball(n).sqrt()

    slack = f"{float(constant):g} sqrt(n)/eps is at most {{}} of the error that is excluded"
    return at_most_claimed(reached(), domain="alpha = 1/10, 1/100, 1/1000, eps = 1, 1/2, 1/4", slack=slack)
