"""BC20, section 3.2: the histogram protocol, its privacy, its accuracy and its messages."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product

import sympy
from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, surely_less, upper_end
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Cited, Coq, Kind, Verdict, derived, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.papers.bc20.section3_1_accuracy import Setting, failure, noise_masses, settings
from shuffleproof.proofs_check.papers.bc20.section3_1_constant import SUFFICIENT
from shuffleproof.spec.bounds.noise import histogram as two_bins, zero_sum as one_bin
from shuffleproof.spec.distribution import PrivacyProfile
from shuffleproof.spec.protocols import histogram, zero_sum
from shuffleproof.spec.vocabulary.numerals import decimal_text

_NOISE = tuple(map(Fraction, ("1/3", "1/2", "3/4")))


def _small_datasets(users: int, bins: int) -> Iterator[tuple[int, tuple[int, ...], Fraction]]:
    for d, n, p in product(range(1, bins + 1), range(1, users + 1), _NOISE):
        for dataset in combinations_with_replacement(range(1, d + 1), n):
            yield d, dataset, p


@statement(
    "BC20.Fig2",
    says="R^hist concatenates j R^zsum(1[x = j]) over j in [d]; A^hist runs A^zsum on the messages of value j; so the estimates are d "
    "independent executions of P^zsum on the bits 1[x_i = j]",
    range="n, d >= 1, p in [0, 1]",
    governs=["spec.protocols.histogram"],
    grounds=[EXACT, "histograms#what-the-protocols-send-and-answer"],
    mutants={"labels moved by one bin": {"label_shift": 1}},
    missing="users and bins beyond the enumerated ones",
)
def figure_2(budget: Budget, *, label_shift: int = 0) -> Verdict:
    """The specified protocol against independent executions of P^zsum on the bits b_(i,j)."""
    users, bins = budget.pick(quick=2, full=3), 3

    def holds(d: int, dataset: tuple[int, ...], p: Fraction) -> bool:
        n = len(dataset)
        output = histogram.protocol(n=n, d=d, p=p).output(dataset)
        for j in range(1, d + 1):
            ones = sum(x + label_shift == j for x in dataset)
            if output.map(lambda estimates, j=j: estimates[j - 1]) != zero_sum.estimate_distribution(n=n, p=p, ones=ones):  # type: ignore[misc]
                return False
        return output == histogram.estimates_distribution(dataset, d=d, p=p)

    return exhaustive.for_all(_small_datasets(users, bins), holds=holds).verdict(
        domain=f"all datasets of n <= {users} users, d <= {bins} bins, p = 1/3, 1/2, 3/4"
    )


@statement(
    "BC20.Thm3.2",
    where="Theorem 3.2, part i",
    says="P^hist is (2 eps, 2 delta)-DP in the shuffled model for n >= (100/eps^2) ln(2/delta)",
    range="eps, delta in (0, 1], n >= (100/eps^2) ln(2/delta), d >= 1",
    governs=["spec.bounds.noise.histogram", "spec.protocols.histogram"],
    grounds=[
        "distributions-of-views#the-zero-sum-and-the-histogram",
        "BC20.Thm3.1",
        "BC20.Thm3.2-pair",
        Coq("basic_composition", states="c98e8e8210b666c4"),
        EXACT,
    ],
    mutants={
        "(2 eps, delta), by composition from (eps, delta) for one bin": {"factor": 1},
        "(eps, 2 delta), by composition from (eps, delta) for one bin": {"power": 1},
    },
    missing="Theorem 3.1 for all n; that two independent zero sums decide, and basic composition, are from Coq",
)
def composed(budget: Budget, *, power: int = 2, factor: int = 2) -> Verdict:
    """Exact: the two-bin divergence at e^(power eps) against factor times the one-bin divergence at e^eps."""
    users = budget.pick(quick=8, full=20)
    orders = tuple(map(Fraction, ("1", "21/20", "5/4", "3/2", "2", "3")))
    largest, place = Fraction(0), ""

    def slack(case: tuple[int, Fraction, Fraction]) -> Fraction:
        nonlocal largest, place
        n, p, order = case
        single = PrivacyProfile(*one_bin.pair(n=n, p=p)).delta(exp_epsilon=order)
        both = PrivacyProfile(*two_bins.pair(n=n, p=p)).delta(exp_epsilon=order**power)
        if both / single > largest:
            largest, place = both / single, f"n = {n}, p = {p}, e^eps = {order}"
        return factor * single - both

    cases = product(range(1, users + 1), (Fraction(1, 2), Fraction(3, 5), Fraction(9, 10)), orders)
    return exhaustive.least_slack(cases, slack=slack).verdict(
        domain=f"from Theorem 3.1 by basic composition of two independent bins; exact two-bin profiles for n <= {users}",
        witness=lambda c: f"n = {c[0]}, p = {c[1]}, e^eps = {c[2]}: the two bins' divergence is above {factor} times one bin's",
        slack=f"the two bins have at most {float(largest):.3f} times one bin's delta at twice its epsilon ({place})",
        note="with the printed noise more is true: BC20.Thm3.2-sharper",
    )


@derived(
    "BC20.Thm3.2-sharper",
    says="P^hist as printed, at (eps, delta), is (eps, delta)-DP and not only (2 eps, 2 delta)-DP",
    range="eps, delta in (0, 1], n >= (100/eps^2) ln(2/delta), d >= 1",
    governs=["spec.protocols.histogram"],
    grounds=["BC20.Thm3.1-constant", Coq("basic_composition", states="c98e8e8210b666c4"), SYMPY],
    weaker={"printed": "larger", "sufficient": "smaller"},
    mutants={"50 becomes 2 in the protocol": {"printed": Fraction(2)}},
)
def sharper(budget: Budget, *, printed: Fraction = Fraction(50), sufficient: Fraction = SUFFICIENT) -> Verdict:
    """printed ln(2/delta)/eps^2 against sufficient ln(2/(delta/2))/(eps/2)^2, with ln(4/delta) <= 2 ln(2/delta) for delta <= 1."""
    t, y = sympy.symbols("t y", positive=True)
    doubled = symbolic.is_nonnegative(2 * (y + t) - (2 * y + t), at_least={t: 0, y: 0})  # y = ln 2, t = ln(1/delta)
    needed = 8 * sufficient
    enough = symbolic.holds(needed <= printed)
    domain = "eps, delta in (0, 1], n >= (100/eps^2) ln(2/delta), all d"
    if not enough:
        at = two_bins.delta(n=60, p="1/2", epsilon="ln 2").upper  # too little noise: an exact profile above the target
        goal = 2 * (-ball(30 / printed) * ball(2).log() ** 2).exp()  # delta with (printed/(ln 2)^2) ln(2/delta) = 30 = n (1 - p)
        if surely_less(goal, ball(at)):
            witness = f"n = 60, p = 1/2, eps = ln 2: delta = {float(at):.4g} > {float(goal.mid()):.4g}"
            return Verdict.refuted(witness, domain=domain, cases=1)
        return Verdict.undecided("the noise is too little for the proof, and no witness was found", domain=domain, cases=1)
    return Verdict.proved(
        domain=domain,
        cases=2,
        slack=f"{float(needed):g} of the {float(printed):g} are needed",
        note="each of the two bins is (eps/2, delta/2)-DP by itself, with room: so Claim 3.4, which runs the protocol at (eps, delta) and "
        "claims (eps, delta)-DP, needs no halving",
        given=doubled,
    )


@statement(
    "BC20.Thm3.2.ii",
    kind=Kind.READING,
    says="for every beta >= delta^25, P^hist has (alpha, beta)-per-query accuracy for alpha = O((1/(eps^2 n)) log(1/delta))",
    range="eps, delta in (0, 1], n >= (100/eps^2) ln(2/delta), beta >= delta^25; delta -> 1 is the edge of BC20.Thm3.1.ii-order",
    governs=["spec.protocols.histogram"],
    grounds=[BALLS, "BC20.Thm3.1.ii", "BC20.Fig2"],
    mutants={"corrected statement with ln(1/delta) and the constant 10^6": {"in_terms_of": "ln(1/delta)", "constant": Fraction(10**6)}},
)
def per_query(budget: Budget, *, in_terms_of: str = "ln(2/delta)", constant: Fraction = Fraction("120.8")) -> Verdict:
    """Near delta = 1: the estimate of a full bin is c/n - p for an integer c, so it misses by at least dist(n p, Z)/n."""
    near_one = 1 - Fraction(1, 10**12)
    at = Setting(70, Fraction(1), near_one, (1 + near_one**25) / 2)
    off_grid = at.p() * at.n
    distance = min(abs(off_grid - 35), abs(off_grid - 36), key=lambda gap: upper_end(gap))
    printed = ball(10**9) * ball(1 / near_one).log()  # n eps^2 alpha with the constant 10^9
    term = ball(2 / near_one).log() if in_terms_of == "ln(2/delta)" else ball(1 / near_one).log()
    corrected_alpha = ball(constant) * term / at.n
    low, high = failure(at, ones=at.n, alpha=corrected_alpha, masses=noise_masses(at.n, at.p()))
    beaten = low > at.beta
    against = (
        f"{at}, all users in one bin: with {float(constant):g} {in_terms_of} the error exceeds alpha with probability {float(low):.4g}"
    )
    return erratum(
        witness="n = 70, eps = 1, delta = 1 - 1e-12, beta = (1 + delta^25)/2 < 1, all users in one bin: the estimate is off by at least "
        f"{float(distance.mid()):.3f}/n, always, which is more than 10^9 (1/(eps^2 n)) ln(1/delta)",
        is_witness=surely_less(printed, distance) and at.beta < 1 and at.beta > near_one**25,
        corrected="alpha = 120.8 (1/(eps^2 n)) ln(2/delta) for every beta >= delta^25, from Theorem 3.1, part ii",
        counterexample=against if beaten else None if high <= at.beta else "undecided",
        domain="one witness; the corrected statement there, and in general by BC20.Thm3.1.ii and BC20.Thm3.1.ii-order",
        cases=2,
    )


def partitions(n: int) -> list[tuple[int, ...]]:
    """A few ways to spread n users over bins, the even and the uneven ones; empty bins are left out, their estimate is exactly 0."""
    return [(1,) * n, (n,), (n // 2, n - n // 2), (2,) * (n // 2) + (1,) * (n % 2), (*(1,) * (n // 2), n - n // 2)]


def simultaneous_failure(at: Setting, *, held: Sequence[int], alpha: arb, masses: Sequence[arb]) -> tuple[Fraction, Fraction]:
    """Ends of Pr[some bin errs by more than alpha]: the bins are independent."""
    ends = {ones: failure(at, ones=ones, alpha=alpha, masses=masses) for ones in set(held)}
    none_low, none_high = arb(1), arb(1)
    for ones in held:
        none_low, none_high = none_low * (1 - ball(ends[ones][1])), none_high * (1 - ball(ends[ones][0]))
    return max(Fraction(0), lower_end(1 - none_high)), upper_end(1 - none_low)


@statement(
    "BC20.Thm3.2.iii",
    says="for every beta >= n delta^25, P^hist has (alpha, beta)-simultaneous accuracy for alpha = O((1/(eps^2 n)) log(1/delta)), any d",
    range="eps, delta in (0, 1], n >= (100/eps^2) ln(2/delta), beta >= n delta^25",
    governs=["spec.protocols.histogram"],
    grounds=[
        "BC20.Thm3.1.ii",
        "BC20.Thm3.1.iii",
        "BC20.Fig2",
        Cited("the union bound over at most n bins", "known-facts#moments-and-tails"),
        BALLS,
        "histograms#simultaneous-error",
    ],
    mutants={"an eighth of the error": {"share": 8}},
    missing="how parts ii and iii of Theorem 3.1 are put together; the constants are certified",
)
def simultaneous(budget: Budget, *, share: int = 1, constant: Fraction = Fraction(614)) -> Verdict:
    """alpha at beta/n as in the proof; share > 1 divides it. The order: n >= 70 and n delta^25 <= 1 keep delta away from 1."""
    cases, worst, place = 0, Fraction(0), ""
    domain = "eps, delta in (0, 1], n >= (100/eps^2) ln(2/delta), n delta^25 <= beta <= 1, all d, all datasets"
    for one in settings(budget):
        if one.n * one.delta**25 > 1:
            continue
        for beta in (one.n * one.delta**25, Fraction(1)):
            at = Setting(one.n, one.epsilon, one.delta, beta)
            alpha = Setting(one.n, one.epsilon, one.delta, beta / one.n).alpha() / share
            masses = noise_masses(at.n, at.p())
            for held in partitions(at.n):
                cases += 1
                low, high = simultaneous_failure(at, held=held, alpha=alpha, masses=masses)
                if low > beta:
                    witness = f"{at}, {len(set(held))} sizes of bins, largest {max(held)}: probability at least {float(low):.4g}"
                    return Verdict.refuted(witness, domain=domain, cases=cases)
                if high / beta >= worst:
                    worst, place = high / beta, f"{at}, largest bin {max(held)}"
    # delta <= 70^(-1/25): ln(2/delta) <= (1 + ln 2/(ln 70/25)) ln(1/delta), and alpha <= (50 + 50 sqrt 2) ln(2/delta)/(eps^2 n)
    order = surely_less((50 + 50 * ball(2).sqrt()) * (1 + 25 * ball(2).log() / ball(70).log()), ball(constant))
    return Verdict.certified(
        domain=domain,
        cases=cases + 1,
        slack=f"alpha <= {float(constant):g} (1/(eps^2 n)) ln(1/delta); the exact failure probability takes up at most "
        f"{decimal_text(worst, digits=3, direction='up')} of beta ({place})",
        note="where n delta^25 > 1 the statement is about no beta; that is what keeps log(1/delta) away from 0 here, unlike in part ii",
        against=None if order else f"delta = 70^(-1/25), beta = n delta^25: alpha eps^2 n is not below {float(constant):g} ln(1/delta)",
    )


@statement(
    "BC20.Thm3.2.iv",
    says="each user sends at most 1 + d messages, each one of d values",
    range="x in [d], p in [0, 1]",
    governs=["spec.protocols.histogram"],
    grounds=[EXACT, "histograms#what-the-protocols-send-and-answer"],
    mutants={"at most d messages": {"extra": 0}},
    missing="d beyond the enumerated ones",
)
def messages(budget: Budget, *, extra: int = 1) -> Verdict:
    bins = budget.pick(quick=5, full=8)
    cases = [(d, p, x) for d in range(1, bins + 1) for p in _NOISE for x in range(1, d + 1)]

    def holds(d: int, p: Fraction, x: int) -> bool:
        vectors = histogram.randomizer(d=d, p=p).distribution(x).support
        return max(map(len, vectors)) <= extra + d and all(1 <= message <= d for y in vectors for message in y)

    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"d <= {bins}, p = 1/3, 1/2, 3/4, all inputs",
        witness=lambda c: f"d = {c[0]}, x = {c[2]}: more than {extra} + d messages",
        note="1 + d is reached with probability p^d, and 1 + d p messages are expected",
    )
