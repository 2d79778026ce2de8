"""BC20, appendix A: smooth distributions, and the privacy of a sum with binomial noise."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import sympy

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, surely_less
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Cited, Kind, Row, Status, Verdict, conjunction, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, interval, symbolic
from shuffleproof.proofs_check.ledger.methods.exhaustive import distributions_in_parts
from shuffleproof.proofs_check.papers.bc20.printed_noise import Point, private_at, smallest_n
from shuffleproof.spec.distribution import Distribution, binomial, hockey_stick

IntegerDistribution = Distribution[int]


def excess(law: IntegerDistribution, *, order: Fraction, shift: int, strict: bool = False) -> Fraction:
    """Pr[D(Y)/D(Y + shift) >= order] for Y ~ D, the bracket of Definition A.1; a zero denominator counts as an infinite ratio."""
    bad = [weight for y, weight in law.items() if weight > order * law[y + shift] or (not strict and weight == order * law[y + shift])]
    return sum(bad, Fraction(0))


@statement(
    "BC20.DefA.1",
    says="D over Z is (eps, delta, k)-smooth if for all k' in [-k, k]: Pr_(Y ~ D)[D(Y)/D(Y + k') >= e^(|k'| eps)] <= delta",
    range="eps >= 0, delta in [0, 1], k >= 0",
    mutants={
        "with k' = 0 left out nothing is smooth either": {"shifts": (-1, 1)},
        "with > for >= nothing is smooth either": {"strict": True},
    },
)
def smooth(budget: Budget, *, shifts: Sequence[int] = (-1, 0, 1), strict: bool = False) -> Verdict:
    """Return whether every listed distribution needs delta = 1; at shift 0 the ratio is 1 = e^0 for any distribution at all."""
    laws = [binomial(60, Fraction(1, 2)), binomial(60, Fraction(1, 4)), Distribution.uniform(range(50)), Distribution.point(0)]
    order, cases = Fraction(3), 0
    for law in laws:
        cases += len(shifts)
        least = max(excess(law, order=order ** abs(shift), shift=shift, strict=strict) for shift in shifts)
        if least < 1:
            witness = f"a distribution of {len(law.support)} outcomes is (ln 3, delta, 1)-smooth with delta = {float(least):.4g}"
            return Verdict.refuted(witness, domain="four distributions, e^eps = 3, k = 1", cases=cases)
    note = (
        "k' = 0 is in [-k, k], the ratio is 1 there for all outcomes of all distributions, and 1 >= e^0: with delta < 1 no distribution "
        "is smooth. Meant is 0 < |k'| <= k, k' an integer; the lemmas are checked with that"
    )
    return Verdict(status=Status.VACUOUS, domain="all D, eps, k; delta < 1", cases=cases, note=note)


@statement(
    "BC20.LemA.2",
    says="for f with |f(x) - f(x')| <= 1 on neighbours and eta from an (eps, delta, 1)-smooth D, f(x) + eta is (eps, delta)-DP",
    range="all f: Z^n -> Z of sensitivity 1, all (eps, delta, 1)-smooth D",
    grounds=["distributions-of-views#the-zero-sum-and-the-histogram", EXACT],
    mutants={"f may change by 2": {"change": 2}, "smooth for k' = 1 only": {"shifts": (1,)}},
    missing="distributions beyond the enumerated ones",
)
def smooth_is_private(budget: Budget, *, shifts: Sequence[int] = (-1, 1), change: int = 1) -> Verdict:
    """D_E(f + eta || f' + eta) against the least delta of smoothness, for every change of f up to `change` in size."""
    parts, outcomes = budget.pick(quick=6, full=9), 4
    orders = (Fraction(1), Fraction(3, 2), Fraction(3))
    laws = distributions_in_parts(parts, outcomes)

    def slack(law: IntegerDistribution, order: Fraction) -> Fraction:
        smoothness = max(excess(law, order=order ** abs(shift), shift=shift) for shift in shifts)
        moves = [moved for moved in range(-change, change + 1) if moved]
        moved_laws = [Distribution({y + moved: weight for y, weight in law.items()}) for moved in moves]
        return smoothness - max(hockey_stick(law, moved_law, exp_epsilon=order) for moved_law in moved_laws)

    return exhaustive.least_slack(product(laws, orders), slack=slack).verdict(
        domain=f"all distributions: P - E Q > 0 only where the ratio exceeds E, and it is at most P there; all distributions on {outcomes} "
        f"outcomes in parts of 1/{parts}, e^eps = 1, 3/2, 3, enumerated",
        note="with 0 < |k'| <= 1 in Definition A.1; as printed the premise is never met for delta < 1",
    )


def _lemma_a3_steps() -> list[bool]:
    """The proof for k' != 0, g for gamma and d for the deviation: bad outcomes lie beyond (1 +- a/2) g n, and Chernoff's bound ends it."""
    n, g, a, d = sympy.symbols("n g a d", positive=True)
    least: dict[sympy.Symbol, int | Fraction] = {n: 1}
    within: dict[sympy.Symbol, tuple[int | Fraction, int | Fraction]] = {g: (0, Fraction(1, 2)), a: (0, 1)}
    half_spread = a * g * n / 2
    up, down = (1 + a) * g * n, (1 - a) * g * n
    # |k'| <= half_spread; outcomes up to (1 + a/2) g n stay below `up` after it, those from (1 - a/2) g n on stay above `down`.
    above = (1 + a) * (n - up + 1) * g - (1 - a) * up * (1 - g)
    below = (1 + a) * (down + 1) * (1 - g) - (1 - a) * (n - down) * g
    upper = (1 + d) * sympy.log(1 + d) - d - d**2 / (2 + d)
    lower = (1 - d) * sympy.log(1 - d) + d - d**2 / 2
    at_zero = [expression.subs(d, 0) == 0 for f in (upper, lower) for expression in (f, sympy.diff(f, d))]
    return [
        symbolic.are_identical((1 + a / 2) * g * n + half_spread, up),
        symbolic.are_identical((1 - a / 2) * g * n - half_spread, down),
        symbolic.is_nonnegative(sympy.expand(above), at_least=least, between=within),
        symbolic.is_nonnegative(sympy.expand(below), at_least=least, between=within),
        *at_zero,
        symbolic.is_nonnegative(sympy.diff(upper, d, 2), at_least={d: 0}),
        symbolic.is_nonnegative(sympy.diff(lower, d, 2), between={d: (0, Fraction(1, 2))}),
        symbolic.are_identical((d**2 / (2 + d)).subs(d, a / 2) * g * n, a**2 * g * n / (8 + 2 * a)),
        symbolic.are_identical((d**2 / 2).subs(d, a / 2) * g * n, a**2 * g * n / 8),
    ]


@statement(
    "BC20.LemA.3",
    kind=Kind.MISPRINT,
    weight="Theorem 3.1, part i, is derived from this lemma at k = 1; as corrected it carries the theorem unchanged",
    says="for k <= alpha gamma n/2, Bin(n, gamma) is (eps, delta, k)-smooth with eps = ln((1 + alpha)/(1 - alpha)) and "
    "delta = exp(-alpha^2 gamma n/8) + exp(-alpha^2 gamma n/(8 + 2 alpha))",
    range="n >= 1, gamma in [0, 1/2], alpha in [0, 1], k <= alpha gamma n/2",
    grounds=[Cited("Chernoff's bound for binomial tails", "known-facts#moments-and-tails"), SYMPY, EXACT, BALLS],
    mutants={
        "corrected statement with exp(-12 alpha^2 gamma n/(8 + 2 alpha))": {"rate": Fraction(12)},
        "corrected statement for |k'| <= 2 alpha gamma n": {"reach": Fraction(2)},
    },
)
def binomial_is_smooth(budget: Budget, *, rate: Fraction = Fraction(1), reach: Fraction = Fraction(1, 2)) -> Verdict:
    """Corrected: for 0 < |k'| <= reach a g n the bracket is at most exp(-rate a^2 g n/(8 + 2 a)), one term in place of two."""
    users = (40, 100) if budget.depth == "quick" else (10, 40, 100, 250, 600)
    steps, cases, worst, against = _lemma_a3_steps(), 0, Fraction(0), None
    for n, g, a in product(users, map(Fraction, ("1/2", "1/4", "1/50")), map(Fraction, ("1/5", "1/2", "9/10"))):
        law, order = binomial(n, g), (1 + a) / (1 - a)
        largest = int(reach * a * g * n)
        claimed = (-ball(rate * a**2 * g * n / (8 + 2 * a))).exp()
        for shift in (shift for size in {1, largest // 2, largest} - {0} if size <= largest for shift in (-size, size)):
            cases += 1
            value = excess(law, order=order ** abs(shift), shift=shift)
            worst = max(worst, value / lower_end(claimed))
            if against is None and surely_less(claimed, ball(value)):
                against = f"n = {n}, gamma = {g}, alpha = {a}, k' = {shift}: probability {float(value):.4g} > {float(claimed.mid()):.4g}"
    n, g, a = 400, Fraction(1, 2), Fraction(1, 2)
    printed = (-ball(a**2 * g * n / 8)).exp() + (-ball(a**2 * g * n / (8 + 2 * a))).exp()
    at_zero = excess(binomial(n, g), order=Fraction(1), shift=0)
    return erratum(
        witness="n = 400, gamma = alpha = 1/2, k' = 0: the bracket of Definition A.1 has probability 1, delta is below 0.005",
        is_witness=surely_less(printed, ball(at_zero)),
        corrected="for every integer 0 < |k'| <= alpha gamma n/2 the bracket is at most exp(-alpha^2 gamma n/(8 + 2 alpha)): "
        "the larger of the two printed terms is enough, for each k' is one tail",
        counterexample=against,
        domain=f"symbolic: all n, gamma in [0, 1/2], alpha in [0, 1); exact: n = {', '.join(map(str, users))}, three gamma, three alpha",
        cases=cases + len(steps),
        slack=f"the exact probability takes up at most {float(worst):.3f} of the corrected bound",
        given=all(steps),
    )


def _alpha_is_large(divisor_squared: Fraction) -> Verdict:
    """tanh(eps/2) >= eps/sqrt(divisor_squared) on (0, 1]: concave in eps and 0 at 0, so the end point decides."""
    margin = (ball(1).exp() - 1) / (ball(1).exp() + 1) - 1 / ball(divisor_squared).sqrt()
    positive, text = interval.is_positive(margin), margin.str(4, radius=False)
    domain = f"alpha = (e^eps - 1)/(e^eps + 1) >= eps/sqrt({divisor_squared}) on [0, 1]"
    if positive:
        return Verdict.proved(domain=domain, cases=1, slack=f"{text} at eps = 1")
    return Verdict.refuted("eps = 1", domain=domain, cases=1)


def _corollary_steps(constant: Fraction, divisor_squared: Fraction) -> Iterator[bool]:
    """l for ln(2/delta), e for eps: what the printed chain of inequalities uses, and the condition of Lemma A.3 that it leaves out.

    Ones and zeros of the noise exchanged, and both neighbours with them, gamma is 1 - gamma: so gamma <= 1/2 may be taken, with at least
    min(constant, 100 - constant) l/(n e^2) for it, as n >= 100 l/e^2. Lemma A.3, corrected, has 8 + 2 alpha for 10, and no factor 2.
    """
    n, e, length = sympy.symbols("n e l", positive=True)
    least = min(constant, 100 - constant)
    gamma = symbolic.rational(least) * length / (n * e**2)
    yield symbolic.is_nonnegative(sympy.Rational(1, 2) - gamma.subs(n, 100 * length / e**2))
    share = sympy.Symbol("x", positive=True)  # l/(n e^2)
    yield symbolic.is_nonnegative(1 - symbolic.rational(constant + least) * share, between={share: (0, Fraction(1, 100))})
    exponent = (e**2 / symbolic.rational(divisor_squared)) * gamma * n / sympy.Rational(893, 100)
    yield symbolic.is_nonnegative(exponent - length, at_least={length: 0})  # exp(-alpha^2 gamma n/(8 + 2 alpha)) <= exp(-l) = delta/2
    yield symbolic.holds(surely_less(8 + 2 * (ball(1) / 2).tanh(), ball(Fraction(893, 100))))
    # 1 <= alpha gamma n/2, with alpha >= eps/sqrt(divisor_squared), eps <= 1 and l >= ln 2
    yield symbolic.holds(surely_less(ball(1), ball(least / 2) * ball(2).log() / ball(divisor_squared).sqrt()))


def points(budget: Budget) -> list[Point]:
    """Corners of the range of Theorem 3.1, n as small as it allows."""
    epsilons = (Fraction(1), Fraction(1, 4)) if budget.depth == "quick" else (Fraction(1), Fraction(1, 2), Fraction(1, 10))
    deltas = (Fraction(1), Fraction(9, 10), Fraction(1, 10**6), Fraction(1, 10**40))
    return [Point(smallest_n(epsilon=e, delta=d), e, d) for e, d in product(epsilons, deltas)]


@statement(
    "BC20.CorA.4",
    says="on {0, -1}^n, eta + sum of x_i with eta ~ Bin(n, 50 ln(2/delta)/(n eps^2)) is (eps, delta)-DP",
    range="eps, delta in (0, 1], n >= (100/eps^2) ln(2/delta)",
    governs=["spec.bounds.noise.zero_sum", "impl.ball.bounds.noise.zero_sum"],
    grounds=[BALLS, "BC20.LemA.2", Row("BC20.LemA.3", corrected=True), SYMPY, "BC20.Sec3.1.remark-view"],
    mutants={
        "50 becomes 2": {"constant": Fraction(2), "at": [Point(10**5, Fraction(1), Fraction(1, 10**6))]},
        "alpha in [eps/2, 1)": {"divisor_squared": Fraction(4)},
    },
)
def corollary(
    budget: Budget, *, divisor_squared: Fraction = Fraction(5), constant: Fraction = Fraction(50), at: Sequence[Point] = ()
) -> Verdict:
    steps = list(_corollary_steps(constant, divisor_squared))
    alpha = _alpha_is_large(divisor_squared)
    if alpha.status is Status.REFUTED:
        return alpha
    checked = private_at(at or points(budget), constant=constant)
    if not checked.holds:
        return checked
    if not all(steps):
        return Verdict.undecided(f"step {steps.index(False)} is not decided", domain="symbolic steps", cases=len(steps))
    parts = [
        alpha,
        Verdict.proved(domain="eps, delta in (0, 1], n >= (100/eps^2) ln(2/delta)", cases=len(steps) + checked.cases, slack=checked.slack),
    ]
    note = "the proof leaves out that Lemma A.3 needs 1 <= alpha gamma n/2: it follows, alpha gamma n/2 >= 25 ln 2/sqrt 5 > 7.7"
    return conjunction(parts, note=note)
