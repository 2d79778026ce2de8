"""CSUZZ19, Appendix C: the accuracy of the real sum."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import ceil, isqrt

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, surely_less
from shuffleproof.impl.ball.numeric.binomial import log_half_mass
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.csuzz19.appendices.appendix_e import beyond, hoeffding_steps, not_by_hoeffding
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_3 import Setting
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_3_lambda import steps_without_conditions
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_4 import error_steps, too_often
from shuffleproof.spec.distribution import Distribution, convolution, moments
from shuffleproof.spec.protocols import bit_sum, real_sum
from shuffleproof.spec.vocabulary.numerals import decimal_text

_INPUTS = tuple(map(Fraction, ("0", "1/3", "1/2", "4/5", "1")))
_BETAS = tuple(map(Fraction, ("9/10", "1/10", "1/1000")))


def rounded_distribution(dataset: Sequence[Fraction], *, r: int) -> Distribution[Fraction]:
    """The distribution of (1/r) times the number of ones of all encodings."""
    return convolution(*(real_sum.encoder(x, r=r).map(sum) for x in dataset)).map(lambda y: Fraction(y, r))


def rounded_sums(*, factor: Fraction, runs: Sequence[int], users: int, many: int) -> Verdict:
    """The mean of the ones of r encodings is the sum of x, and misses it by (1/r) sqrt(factor n ln(2/beta)) with probability beta at most.

    factor: 2 in Claim C.1, 1/2 by Hoeffding's inequality; runs: values of r; users: at most, of all inputs; many: users with one input.
    """
    worst = Fraction(0)
    datasets = [x for n in range(1, users + 1) for x in combinations_with_replacement(_INPUTS, n)]
    datasets += [(Fraction(1, share),) * many for share in (2, 10, 20)]

    def holds(case: tuple[tuple[Fraction, ...], int]) -> bool:
        nonlocal worst
        dataset, r = case
        law = rounded_distribution(dataset, r=r)
        for beta in _BETAS:
            radius = (ball(factor * len(dataset)) * (2 / ball(beta)).log()).sqrt() / r
            reached = beyond(law, centre=sum(dataset, Fraction(0)), radius=radius, reached=True) / beta
            worst = max(worst, reached)
            if reached > 1:
                return False
        return moments(law)[0] == sum(dataset)

    found = exhaustive.for_all(product(datasets, runs), holds=holds)
    if found.holds and not all(hoeffding_steps(1 / Fraction(factor))):
        return not_by_hoeffding(factor, cases=found.cases)
    return found.verdict(
        domain="all n, r, x, beta by Hoeffding's inequality, since one bit of a user is random and the user's mean varies by 1/r at most; "
        f"{found.cases} datasets exactly, n <= {many}",
        witness=lambda c: f"x = ({', '.join(map(str, c[0]))}), r = {c[1]}",
        slack=f"at the datasets the probability is at most {decimal_text(worst, digits=3, direction='up')} of beta",
    )


@derived(
    "CSUZZ19.ClmC.1",
    says="(1/r) sum over i, j of b_ij has expectation sum of x_i and misses it by (sqrt(2)/r) sqrt(n ln(2/beta)) or more with probability "
    "at most beta",
    range="n, r >= 1, beta in (0, 1), x in [0, 1]^n",
    governs=["spec.protocols.real_sum"],
    grounds=["CSUZZ19.ThmE.2", EXACT, BALLS, "sums-and-selection#errors-with-high-probability"],
    mutants={"a quarter of the radius": {"factor": Fraction(1, 8)}},
    missing="Hoeffding's inequality for these sums; compared at points",
)
def rounding(budget: Budget, *, factor: Fraction = Fraction(2)) -> Verdict:
    return rounded_sums(factor=factor, runs=(1, 2, 5), users=budget.pick(quick=3, full=5), many=12)


@derived(
    "CSUZZ19.ClmC.1.half",
    says="(1/r) sum over i, j of b_ij misses sum of x_i by half of Claim C.1's radius, (1/r) sqrt(n ln(2/beta)/2), or more with "
    "probability at most beta",
    range="n, r >= 1, beta in (0, 1), x in [0, 1]^n",
    governs=["spec.protocols.real_sum"],
    grounds=["CSUZZ19.ThmE.2", EXACT, BALLS, "sums-and-selection#errors-with-high-probability"],
    mutants={"a quarter of the radius": {"factor": Fraction(1, 8)}},
    missing="Hoeffding's inequality for these sums; compared at points",
)
def rounding_half(budget: Budget, *, factor: Fraction = Fraction(1, 2)) -> Verdict:
    return rounded_sums(factor=factor, runs=(1, 2, 5), users=budget.pick(quick=3, full=5), many=12)


def noise_radius(*, n: int, lam: Fraction, r: int, beta: Fraction, factor: Fraction = Fraction(2)) -> arb:
    """(n/(n - lambda)) sqrt(factor (lambda/r) ln(2/beta))."""
    return (ball(factor * lam / r) * (2 / ball(beta)).log()).sqrt() * n / ball(n - lam)


Place = tuple[int, int, Fraction, Fraction]
"""n, r, lambda, beta."""


def places(budget: Budget) -> list[Place]:
    """lambda >= 2 ln(2/beta), near both ends."""
    found: list[Place] = []
    for n, r, beta in product((3, 10) if budget.depth == "quick" else (3, 10, 20), (1, 2, 5), _BETAS):
        least = 2 * (2 / ball(beta)).log()
        lams = (Fraction(8, 5), Fraction(n, 2), Fraction(n) - Fraction(1, 2))
        found += [(n, r, lam, beta) for lam in lams if lam < n and surely_less(least, ball(lam))]
    return found


def _bits_distribution(n: int, r: int, lam: Fraction, ones: int) -> Distribution[Fraction]:
    """The distribution of the estimate when `ones` of the n r bits are 1."""
    # The bit sum of n r users with r lambda for lambda has the same flips.
    return bit_sum.ones_distribution(n=n * r, lam=lam * r, ones=ones).map(lambda y: real_sum.estimate(ones=y, n=n, lam=lam, r=r))


@derived(
    "CSUZZ19.ClmC.2",
    says="for fixed bits the output has expectation (1/r) sum b_ij and misses it by more than (n/(n - lambda)) sqrt(2 (lambda/r) "
    "ln(2/beta)) with probability at most beta",
    range="n > lambda >= 2 ln(2/beta), r >= 1, beta in (0, 1)",
    governs=["spec.protocols.real_sum"],
    grounds=["CSUZZ19.ThmE.3", EXACT, BALLS, SYMPY, "sums-and-selection#errors-with-high-probability"],
    mutants={
        "without lambda >= 2 ln(2/beta)": {"where": [(10, 2, Fraction(1, 20), Fraction(1, 10**7))]},
        "sqrt((lambda/r) ln(2/beta)), which n = 10^6 refutes": {"factor": Fraction(1)},
    },
    missing="Bennett's inequality for these sums; compared at points",
)
def fixed_bits(budget: Budget, *, where: Sequence[Place] | None = None, factor: Fraction = Fraction(2)) -> Verdict:
    worst = Fraction(0)

    def holds(case: tuple[Place, int]) -> bool:
        nonlocal worst
        (n, r, lam, beta), ones = case
        law = _bits_distribution(n, r, lam, ones)
        reached = beyond(law, centre=Fraction(ones, r), radius=noise_radius(n=n, lam=lam, r=r, beta=beta, factor=factor)) / beta
        worst = max(worst, reached)
        return reached <= 1 and moments(law)[0] == Fraction(ones, r)

    found = exhaustive.for_all(
        ((at, ones) for at in where or places(budget) for ones in sorted({0, at[0] * at[1] // 3, at[0] * at[1]})), holds=holds
    )
    # variance v = (lambda r/2)(1 - lambda/(2n)), as for the bit sum of n r users with r lambda
    if found.holds and not all(error_steps(Fraction(factor))):
        return too_often(factor, domain="all", cases=found.cases)
    return found.verdict(
        domain=f"all of the stated range; {found.cases} cases (n, r, lambda, beta, number of ones) exactly",
        witness=lambda c: f"n = {c[0][0]}, r = {c[0][1]}, lambda = {c[0][2]}, beta = {c[0][3]}, {c[1]} ones",
        slack=f"the probability is at most {decimal_text(worst, digits=3, direction='up')} of beta",
    )


Corner = tuple[int, Fraction, Fraction]
"""n, eps, delta."""


def chosen(at: Corner) -> tuple[int, Fraction]:
    """r = ceil(eps sqrt n) and the lambda of Lemma 4.8 at eps0 = eps/sqrt(8 r ln(2/delta)), delta0 = delta/(2 r)."""
    n, epsilon, delta = at
    squared = ceil(epsilon**2 * n)
    r = isqrt(squared - 1) + 1
    each = lower_end(ball(epsilon) / (8 * r * (2 / ball(delta)).log()).sqrt())
    return r, Setting(n=n, epsilon=Fraction(int(each * 2**60), 2**60), delta=delta / (2 * r)).random_users()


def _zeros_beyond(n: int, r: int, lam: Fraction, radius: arb) -> arb:
    """Pr[error > radius] where every user holds 0: the number of ones is Bin(n r, lambda/(2 n))."""
    bits, f, total = n * r, ball(lam / (2 * n)), arb(0)
    for y in range(bits + 1):
        error = ball(abs(real_sum.estimate(ones=y, n=n, lam=lam, r=r)))
        if surely_less(radius, error):
            total += (log_half_mass(bits, y) + bits * arb(2).log() + y * f.log() + (bits - y) * (1 - f).log()).exp()
    return total


def real_error(*, constant: int | Fraction = 84) -> Verdict:
    """(sqrt 2 + constant sqrt(ln(8r/delta) ln(2/delta))) sqrt(ln(2/beta))/eps: the constants in general, one dataset exactly.

    Below 84, Lemma 4.8 is taken with less than 432, which its proof without conditions allows down to 340: there are such lambda.
    """
    domain = "n >= 1, eps, delta in (0, 1), 2 ln(2/beta) <= lambda, r = ceil(eps sqrt n)"
    at, beta = (100, Fraction(9, 10), Fraction(1, 2)), Fraction(1, 10)
    r, lam = chosen(at)
    length = ((8 * r / ball(at[2])).log() * (2 / ball(at[2])).log()).sqrt()
    radius = (ball(2).sqrt() + ball(constant) * length) * (2 / ball(beta)).log().sqrt() / ball(at[1])
    missed = _zeros_beyond(100, r, lam, radius)
    if surely_less(ball(2 * beta), missed):
        witness = f"n = 100, eps = 9/10, delta = 1/2, r = {r}, x = 0, beta = 1/10: probability {missed.str(4, radius=False)} > 2 beta"
        return Verdict.refuted(witness, domain=domain, cases=1)
    second = min(Fraction(432), Fraction(constant) ** 2 * Fraction(999, 16000))
    # First branch: n/(n - lambda) <= 3/2 and lambda/r = 512 L l/eps^2; second: n/(n - lambda) = sqrt(432 L/n)/eps0 and lambda < n.
    steps = [
        surely_less(ball(Fraction(9 * 2 * 512, 4)).sqrt(), ball(constant)),
        surely_less(ball(2 * second * 8).sqrt(), ball(constant)),
        *steps_without_conditions(Fraction(64), second),
    ]
    return Verdict.certified(
        domain=domain,
        cases=3,
        slack="48 in the first branch of Lemma 4.8, 83.2 in the second",
        note="r is printed without a ceiling, but must be an integer of at least 1; for smaller beta the condition of Theorem 5.5 fails, "
        "and no other bound is proved there",
        given=all(steps),
    )


@derived(
    "CSUZZ19.CorC.3",
    says="there are lambda and r = ceil(eps sqrt n) with which the real sum is (eps, delta)-DP and errs by more than "
    "(sqrt(2) + 84 sqrt(ln(8r/delta) ln(2/delta))) sqrt(ln(2/beta))/eps with probability at most 2 beta",
    range="n >= 1, eps, delta in (0, 1), beta >= 2 e^(-lambda/2); the constant 84 is ours",
    governs=["spec.protocols.real_sum"],
    grounds=["CSUZZ19.Thm5.4", "CSUZZ19.Thm5.5", "CSUZZ19.Lem4.8.all", BALLS],
    mutants={"10 for 84, with this lambda": {"constant": 10}},
)
def corollary(budget: Budget, *, constant: int = 84) -> Verdict:
    return real_error(constant=constant)
