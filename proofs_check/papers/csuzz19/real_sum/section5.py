"""CSUZZ19, section 5: sums of numbers in [0, 1]."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import ceil, floor

from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Verdict, derived, recalled
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.csuzz19.appendices.appendix_c import Place, noise_radius, places, rounded_sums
from shuffleproof.proofs_check.papers.csuzz19.appendices.appendix_e import beyond, hoeffding_steps
from shuffleproof.proofs_check.papers.csuzz19.bit_sum.section4_4 import error_steps
from shuffleproof.spec.distribution import Distribution, moments
from shuffleproof.spec.model import MultiMessageProtocol
from shuffleproof.spec.protocols import bit_sum, real_sum
from shuffleproof.spec.vocabulary.numerals import decimal_text

_GRID = tuple(Fraction(m, 60) for m in range(61))


def _moments(law: Distribution[tuple[int, ...]], r: int) -> tuple[Fraction, Fraction]:
    """Mean and variance of the mean of the bits."""
    return moments(law.map(lambda bits: Fraction(sum(bits), r)))


@derived(
    "CSUZZ19.Alg5",
    says="E_r(x): with mu = ceil(x r), p = x r - mu + 1: b_j = 1 for j < mu, Ber(p) for j = mu, 0 for j > mu; so the mean of the bits has "
    "expectation x and variance p (1 - p)/r^2 <= 1/(4 r^2)",
    range="x in [0, 1], r >= 1",
    governs=["spec.protocols.real_sum"],
    grounds=[EXACT, "sums-and-selection#coins-and-rounding"],
    weaker={"most": "larger"},
    mutants={"mu = floor(x r)": {"down": True}, "at most 1/(5 r^2)": {"most": Fraction(1, 5)}},
    missing="x and r beyond the enumerated ones",
)
def encoder(budget: Budget, *, down: bool = False, most: Fraction = Fraction(1, 4)) -> Verdict:
    """The specified encoder, or (down) one with mu = floor(x r); its mean, its variance, and one random bit at most."""
    runs = budget.pick(quick=5, full=12)

    def encoded(x: Fraction, r: int) -> Distribution[tuple[int, ...]]:
        mu = floor(x * r) if down else ceil(x * r)
        p = x * r - mu + 1
        if mu == 0:
            return Distribution.point((0,) * r)
        ones, zeros = (1,) * (mu - 1), (0,) * (r - mu)
        return Distribution({(*ones, 1, *zeros): min(p, Fraction(1)), (*ones, 0, *zeros): 1 - min(p, Fraction(1))})

    def holds(x: Fraction, r: int) -> bool:
        law = encoded(x, r)
        p = x * r - ceil(x * r) + 1
        mean, variance = _moments(law, r)
        same = down or law == real_sum.encoder(x, r=r)
        return same and mean == x and variance == p * (1 - p) / r**2 <= most / r**2

    return exhaustive.for_all(product(_GRID, range(1, runs + 1)), holds=holds).verdict(
        domain=f"all x and r: the mean is (mu - 1 + p)/r = x; x = 0, 1/60, ..., 1 and r <= {runs} exactly",
        note="at x = 0 the text's mu is 0 and its bit number mu does not exist: all bits are 0, as the mean wants",
    )


@derived(
    "CSUZZ19.Sec5.1.remark-examples",
    says="for r = 1 the encoder sends Ber(x), with mean x and variance x (1 - x); for x = 0.4, r = 4 it sends (1, Ber(0.6), 0, 0), with "
    "mean 0.4 and variance 0.015",
    range="r = 1 with x in [0, 1]; x = 0.4 with r = 4",
    governs=["spec.protocols.real_sum"],
    mutants={"(1, Ber(0.4), 0, 0)": {"p": Fraction(2, 5)}},
)
def examples(budget: Budget, *, p: Fraction = Fraction(3, 5)) -> Verdict:
    law = real_sum.encoder(Fraction(2, 5), r=4)
    stated = Distribution({(1, 1, 0, 0): p, (1, 0, 0, 0): 1 - p})
    one_bit = all(_moments(real_sum.encoder(x, r=1), 1) == (x, x * (1 - x)) and real_sum.encoder(x, r=1)[(1,)] == x for x in _GRID)
    domain = "x = 2/5, r = 4; r = 1 for x = 0, 1/60, ..., 1"
    if law != stated or _moments(law, 4) != (Fraction(2, 5), Fraction(15, 1000)) or not one_bit:
        return Verdict.refuted(f"E_4(2/5) = {law}, mean and variance {_moments(law, 4)}", domain=domain, cases=62)
    return Verdict.exhausted(domain=domain, cases=62)


@recalled(
    "CSUZZ19.Alg6",
    says="b = E_r(x); send R_lambda(b_1), ..., R_lambda(b_r); output (1/r)(n/(n - lambda))(sum y_ij - lambda r/2), an unbiased estimate "
    "of the sum; for r = 1 and bits it is the bit sum",
    range="n, r >= 1, 0 <= lambda < n",
    governs=["spec.protocols.real_sum"],
    grounds=[EXACT, "sums-and-selection#coins-and-rounding"],
    mutants={"lambda r for lambda r/2": {"shift": Fraction(1)}},
    missing="n and r beyond the enumerated ones",
)
def protocol(budget: Budget, *, shift: Fraction = Fraction(1, 2)) -> Verdict:
    """The protocol message by message: unbiased with lambda r shift taken off, its mean squared error, and the bit sum at r = 1."""
    inputs = (Fraction(0), Fraction(1, 4), Fraction(2, 3), Fraction(1))
    sizes = ((1, 1), (1, 3), (2, 2), (3, 1)) if budget.depth == "quick" else ((1, 1), (1, 3), (2, 2), (3, 1), (1, 4), (2, 3), (4, 1))

    def cases() -> Iterator[tuple[tuple[Fraction, ...], int, Fraction]]:
        for (n, r), share in product(sizes, map(Fraction, ("1/5", "3/4"))):
            yield from ((x, r, share * n) for x in combinations_with_replacement(inputs, n))

    def holds(dataset: tuple[Fraction, ...], r: int, lam: Fraction) -> bool:
        n = len(dataset)
        send = real_sum.randomizer(inputs=inputs, n=n, lam=lam, r=r)
        protocol = MultiMessageProtocol(send, lambda y: n / (n - lam) * (sum(y) - lam * r * shift) / r)
        law = protocol.output(dataset)
        mean, variance = moments(law)
        worst = real_sum.worst_mean_squared_error(n=n, lam=lam, r=r)
        good = mean == sum(dataset) and variance == real_sum.mean_squared_error(dataset, lam=lam, r=r) <= worst
        if r == 1 and set(dataset) <= {0, 1}:
            good = good and law == bit_sum.estimate_distribution(n=n, lam=lam, ones=int(sum(dataset)))
        return good and law == real_sum.estimate_distribution(dataset, lam=lam, r=r)

    return exhaustive.for_all(cases(), holds=holds).verdict(
        domain=f"(n, r) = {', '.join(map(str, sizes))}, lambda/n = 1/5, 3/4, all datasets with inputs 0, 1/4, 2/3, 1",
        witness=lambda c: f"x = ({', '.join(map(str, c[0]))}), r = {c[1]}, lambda = {c[2]}",
    )


@derived(
    "CSUZZ19.Clm5.2",
    says="|sum of E_1(x_i) - x_i| < sqrt(n ln(2/beta)/2) with probability at least 1 - beta",
    range="n >= 1, x in [0, 1]^n, beta in (0, 1)",
    governs=["spec.protocols.real_sum"],
    grounds=["CSUZZ19.ThmE.2", EXACT, BALLS, "sums-and-selection#errors-with-high-probability"],
    mutants={"sqrt(n ln(2/beta)/8)": {"factor": Fraction(1, 8)}},
    missing="Hoeffding's inequality for these sums; compared at points",
)
def one_bit(budget: Budget, *, factor: Fraction = Fraction(1, 2)) -> Verdict:
    """Pr[|sum (E_1(x_i) - x_i)| >= sqrt(factor n ln(2/beta))] <= beta."""
    return rounded_sums(factor=factor, runs=(1,), users=budget.pick(quick=4, full=7), many=30)


def _accuracy(where: list[Place], *, rounding: Fraction = Fraction(2), noise: Fraction = Fraction(2)) -> Verdict:
    """Both radii together against 2 beta, exactly; rounding and noise are the constants under the roots."""
    inputs, worst = (Fraction(0), Fraction(1, 2), Fraction(7, 10)), Fraction(0)

    def cases() -> Iterator[tuple[Place, tuple[Fraction, ...]]]:
        for at in where:
            yield from ((at, (x,) * at[0]) for x in inputs)

    def holds(case: tuple[Place, tuple[Fraction, ...]]) -> bool:
        nonlocal worst
        (n, r, lam, beta), dataset = case
        radius = noise_radius(n=n, lam=lam, r=r, beta=beta, factor=noise) + (ball(rounding * n) * (2 / ball(beta)).log()).sqrt() / r
        law = real_sum.estimate_distribution(dataset, lam=lam, r=r)
        reached = beyond(law, centre=sum(dataset, Fraction(0)), radius=radius) / (2 * beta)
        worst = max(worst, reached)
        return reached <= 1

    found = exhaustive.for_all(cases(), holds=holds)
    if found.holds and not (rounding and all(hoeffding_steps(1 / Fraction(rounding))) and all(error_steps(Fraction(noise)))):
        note = "Hoeffding's and Bennett's inequalities do not give these terms"
        return Verdict.undecided(note, domain="all of the stated range", cases=found.cases)
    return found.verdict(
        domain=f"all of the stated range, by Claims C.1 and C.2 and the union bound; {found.cases} cases exactly",
        witness=lambda c: f"n = {c[0][0]}, r = {c[0][1]}, lambda = {c[0][2]}, beta = {c[0][3]}, all x_i = {c[1][0]}",
        slack=f"the probability is at most {decimal_text(worst, digits=3, direction='up')} of 2 beta",
        note="the first term may be halved (CSUZZ19.ClmC.1.half)",
    )


@recalled(
    "CSUZZ19.Thm5.5",
    says="|P(x) - sum x_i| < (sqrt(2)/r) sqrt(n ln(2/beta)) + (n/(n - lambda)) sqrt(2 (lambda/r) ln(2/beta)) with probability at least "
    "1 - 2 beta",
    range="n > lambda >= 2 ln(2/beta), r >= 1, beta in (0, 1)",
    governs=["spec.protocols.real_sum"],
    grounds=["CSUZZ19.ClmC.1", "CSUZZ19.ClmC.2", EXACT, BALLS, "sums-and-selection#errors-with-high-probability"],
    mutants={
        "both terms a quarter": {"where": [(10, 1, Fraction(19, 2), Fraction(1, 10))], "rounding": Fraction(1, 8), "noise": Fraction(1, 8)},
        "without lambda >= 2 ln(2/beta), for bits": {"where": [(10, 2, Fraction(1, 20), Fraction(1, 10**7))], "rounding": Fraction(0)},
    },
    missing="that the two events are put together; compared at points",
)
def accuracy(
    budget: Budget, *, where: list[Place] | None = None, rounding: Fraction = Fraction(2), noise: Fraction = Fraction(2)
) -> Verdict:
    return _accuracy(where or [at for at in places(budget) if at[0] * at[1] <= 20], rounding=rounding, noise=noise)
