"""LSZKG22, section 4: the best threshold in hindsight.

Coordinate by coordinate, with x = b_j/E|Z_j|: E|b_j + Z_j| is E|Z_j| times g(x), where g(x) = x + e^-x for Laplace noise, and
g(x) = sqrt(2/pi) e^(-y^2/2) + y erf(y/sqrt 2), over sqrt(2/pi), y = x sqrt(2/pi), for Gaussian noise. U(C) sums E|Z_j| (1 + x). So
err <= U <= rho err with rho = max of (1 + x)/g(x), and err(C*) <= U(C*) <= U(C) <= rho err(C) for the minimiser C* of U.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

from flint import arb

from shuffleproof.impl.ball import user_histogram as certified
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision
from shuffleproof.impl.ball.numeric.results import Enclosure
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Kind, Status, Verdict, conjunction, derived, erratum
from shuffleproof.proofs_check.ledger.methods import exhaustive, interval
from shuffleproof.proofs_check.papers.lszkg22.instances import F, user_sets
from shuffleproof.spec.protocols.thresholds import User, laplace_minimisers, minimiser, objective, top_element
from shuffleproof.spec.vocabulary.numerals import decimal_text

SLOPES = tuple(map(F, ("1/2", "1", "3/2", "2", "3", "4", "11/2")))
_NORMS = tuple(map(F, (0, 1, 2, 4)))
_FAR = 12
"""Beyond x = 12 the inequalities hold because g(x) >= x."""


def laplace_gain(x: arb) -> arb:
    """g for Laplace noise."""
    return x + (-x).exp()


def gaussian_gain(x: arb) -> arb:
    """g for Gaussian noise."""
    unit = (2 / arb.pi()).sqrt()
    y = x * unit
    return (unit * (-y * y / 2).exp() + y * (y / arb(2).sqrt()).erf()) / unit


def within(gain: Callable[[arb], arb], factor: Fraction, *, name: str) -> Verdict:
    """1 + x <= factor g(x) for all x >= 0, by intervals up to x = 12."""
    found = interval.prove_on_box(lambda x: ball(factor) * gain(x) - 1 - x, box=[(0, _FAR)])
    beyond = factor * _FAR > _FAR + 1
    if not found.holds:
        at = found.point[0] if found.point else None
        witness = f"x = b/E|Z| = {decimal_text(at, digits=6, direction='down') if at is not None else '?'}: 1 + x > {factor} g(x)"
        status = Status.REFUTED if found.outcome == "no" else Status.OPEN
        return Verdict(status=status, domain=name, cases=found.boxes, witness=witness, note="undecided")
    assert beyond
    return Verdict.proved(domain=f"{name}: all x = b/E|Z| >= 0", cases=found.boxes, slack=found.slack)


def minimal(cases: Iterable[tuple[tuple[User, ...], Fraction]], chosen: Callable[[tuple[User, ...], Fraction], Fraction]) -> Verdict:
    """Return whether the chosen C minimises U over all C >= 0: U is linear between 0 and the norms and rises beyond."""

    def holds(users: tuple[User, ...], T: Fraction) -> bool:
        least = min(objective(users, C=C, T=T) for C in {F(0), *(m for m, _ in users)})
        return objective(users, C=chosen(users, T), T=T) == least

    return exhaustive.for_all(cases, holds=holds).verdict(
        domain="U is convex with right-hand slope T - S(C*) >= 0 and left-hand slope T - S(C*-) <= 0; exhausted for few users, 7 slopes T",
        witness=lambda c: f"(norm, weight): {[(str(m), str(w)) for m, w in c[0]]}, T = {c[1]}: C = {chosen(*c)} does not minimise U",
    )


def _laplace_cases(most: int) -> Iterable[tuple[tuple[User, ...], Fraction]]:
    return product(user_sets(norms=_NORMS, weights=(F(1),), most=most), SLOPES)


@derived(
    "LSZKG22.Lem4.1",
    says="with T = d s1/eps, s1 C the l1 sensitivity, the ceil(T)-th largest ||h_i||_1 (0 if there are fewer) is a 2-approximation: "
    "E||hhat - h||_1 <= 2 min over C",
    range="all datasets, d >= 1, eps > 0; the text has lost T, which is d/eps for s1 = 1, 2d/eps for s1 = 2",
    governs=["spec.protocols.thresholds"],
    grounds=[EXACT, BALLS, "user-histograms#the-best-threshold-in-hindsight"],
    mutants={"the (ceil(T) + 1)-th largest": {"shift": 1}, "a 1.46-approximation by this argument": {"factor": F(146, 100)}},
    missing="how the inequalities for one coordinate are put together; that C* minimises U, beyond few users",
)
def lemma_4_1(budget: Budget, *, factor: Fraction = Fraction(2), shift: int = 0) -> Verdict:
    def chosen(users: tuple[User, ...], T: Fraction) -> Fraction:
        return top_element([m for m, _ in users], T=T + shift)

    slope = minimal(_laplace_cases(budget.pick(quick=4, full=6)), chosen)
    return conjunction(
        [slope, within(laplace_gain, factor, name="Laplace noise")],
        note="C* is the left-continuous choice; any element of the interval of LSZKG22.Lem4.1.minimisers will do",
    )


@derived(
    "LSZKG22.Lem4.1.minimisers",
    where="Lemma 4.1, proof omitted in the paper",
    says="the minimisers of sum of (N_i - C)_+ + T C are exactly the interval from the (floor(T) + 1)-th to the ceil(T)-th largest N_i",
    range="N_i >= 0, T > 0",
    governs=["spec.protocols.thresholds"],
    grounds=[EXACT, "user-histograms#the-best-threshold-in-hindsight"],
    mutants={"only its right end": {"closed_left": False}},
    missing="the subdifferential beyond the enumerated datasets",
)
def minimisers(budget: Budget, *, closed_left: bool = True) -> Verdict:
    def holds(users: tuple[User, ...], T: Fraction) -> bool:
        low, high = laplace_minimisers([m for m, _ in users], T=T)
        if not closed_left:
            low = high
        least, tiny = objective(users, C=low, T=T), F(1, 100)
        inside = objective(users, C=high, T=T) == least
        left = low == 0 or objective(users, C=low - tiny, T=T) > least
        return inside and left and objective(users, C=high + tiny, T=T) > least

    return exhaustive.for_all(_laplace_cases(budget.pick(quick=4, full=6)), holds=holds).verdict(
        domain="all datasets and T > 0: the subdifferential of U at C > 0 is [T - #(N_i >= C), T - #(N_i > C)]; exhausted for up to 4 "
        "users with norms 0, 1, 2, 4 and 7 slopes T",
        witness=lambda c: f"norms {[str(m) for m, _ in c[0]]}, T = {c[1]}",
    )


def _tight(touching: Callable[[], tuple[arb, arb]], ratio: Enclosure, attained: Callable[[], arb], *, less: Fraction) -> Verdict:
    """rho g(x) - 1 - x is convex (g'' is a density), and 0 with slope 0 at the touching point: so it is never negative.

    touching: (1 + x)/g(x) and 1/g'(x) there, both of which have to be rho; attained: the error of C* over that of another C.
    """
    claimed = ratio.lower - less
    with precision(160):
        level, slope = touching()
        reached = attained()
        if lower_end(reached) > claimed * (1 + F(1, 10**20)):
            shown = decimal_text(lower_end(reached), digits=12, direction="down")
            return Verdict.refuted(f"d = n = 1, T = 1, the instance of this check: err(C*)/err(C') >= {shown}", domain="x >= 0", cases=3)
        for value in (level, slope, reached):
            assert abs(value - ball(ratio.lower)) < ball(F(1, 10**25))
    return Verdict.certified(
        domain="all x = b/E|Z| >= 0: convex, with value and slope 0 at the touching point; an instance attains the ratio, to 25 digits",
        cases=3,
        slack=f"ratio {decimal_text(ratio.lower, digits=18, direction='down')}",
    )


def _laplace_point() -> arb:
    """x with e^x = x + 2, from rho = (x + 2)/(x + 1)."""
    ratio = ball(certified.laplace_ratio(digits=40).lower)
    return (2 - ratio) / (ratio - 1)


def _laplace_touching() -> tuple[arb, arb]:
    x = _laplace_point()
    return (1 + x) / laplace_gain(x), 1 / (1 - (-x).exp())


def _gaussian_point() -> arb:
    """y with erf(y/sqrt 2) = e^(-y^2/2), by Newton's steps from 0.93."""
    t = ball(F(93, 100))
    for _ in range(8):
        error, slope = (t / arb(2).sqrt()).erf() - (-t * t / 2).exp(), ((2 / arb.pi()).sqrt() + t) * (-t * t / 2).exp()
        t = arb((t - error / slope).mid())
    return t


def _gaussian_touching() -> tuple[arb, arb]:
    y = _gaussian_point()
    unit = (2 / arb.pi()).sqrt()
    return (1 + y / unit) / gaussian_gain(y / unit), 1 / (y / arb(2).sqrt()).erf()


def _laplace_attained() -> arb:
    """d = n = 1, T = 1 (eps = 1), N = 1: err(C*) = err(1) = 1 against err(C') with C' = 1/(1 + x), e^x = x + 2."""
    C = 1 / (1 + _laplace_point())
    return 1 / ((1 - C) + C * (-(1 - C) / C).exp())


def _gaussian_attained() -> arb:
    """d = n = 1, T = 1, m = 1: C* = 0 with err 1, against C' with (1 - C')/sigma = t, sigma = C' sqrt(pi/2), erf(t/sqrt 2) = e^(-t^2/2)."""
    t, spread = _gaussian_point(), (arb.pi() / 2).sqrt()
    C = 1 / (1 + t * spread)
    return 1 / (C * spread * (2 / arb.pi()).sqrt() * (-t * t / 2).exp() + (1 - C) * (t / arb(2).sqrt()).erf())


@derived(
    "LSZKG22.Lem4.1.sharp",
    says="the factor 2 may be replaced by rho_L = (x + 2)/(x + 1) = 1.46594..., e^x = x + 2, and by nothing smaller",
    range="all datasets, d >= 1, eps > 0",
    governs=["impl.ball.user_histogram"],
    grounds=[BALLS, "LSZKG22.Alg1.error-laplace", "LSZKG22.Alg1.error-gaussian", "user-histograms#the-best-threshold-in-hindsight"],
    mutants={"a millionth less than rho_L": {"less": F(1, 10**6)}},
    missing="that the quotient is largest where its derivative vanishes; the numbers are certified",
)
def laplace_sharp(
    budget: Budget,
    *,
    touching: Callable[[], tuple[arb, arb]] = _laplace_touching,
    ratio: Enclosure = certified.laplace_ratio(digits=40),
    attained: Callable[[], arb] = _laplace_attained,
    less: Fraction = F(0),
) -> Verdict:
    return _tight(touching=touching, ratio=ratio, attained=attained, less=less)


WEIGHTED = {"norms": tuple(map(F, (1, 2, 4))), "weights": tuple(map(F, ("1", "3/2")))}


@derived(
    "LSZKG22.Thm4.2",
    where="Theorem 4.2, appendix A.1",
    says="with w_i = ||h_i||_1/||h_i||_2, T = d (sigma/C) sqrt(2/pi), C* = inf{C : sum of w_i over ||h_i||_2 > C is at most T}: "
    "E||hhat - h||_1 <= 2 min over C",
    range="all datasets, d >= 1, 0 < delta < 1",
    governs=["spec.protocols.thresholds", "impl.ball.user_histogram"],
    grounds=[EXACT, BALLS, "user-histograms#the-best-threshold-in-hindsight"],
    mutants={"the sum of weights is at most T/2": {"scale": F(1, 2)}, "a 1.54-approximation by this argument": {"factor": F(154, 100)}},
    missing="how the inequalities for one coordinate are put together; that C* minimises U, beyond few users",
)
def theorem_4_2(budget: Budget, *, factor: Fraction = Fraction(2), scale: Fraction = Fraction(1)) -> Verdict:
    cases = product(user_sets(norms=WEIGHTED["norms"], weights=WEIGHTED["weights"], most=budget.pick(quick=3, full=4)), SLOPES)
    slope = minimal(cases, lambda users, T: minimiser(users, T=T * scale))
    return conjunction(
        [slope, within(gaussian_gain, factor, name="Gaussian noise")],
        note="a user without data has w = 0/0 in the paper's formula: its weight is 0. With the classical sigma, T is (2d/eps) sqrt((2/pi) "
        "ln(1.25/delta)) for d >= 2 and the theorem inherits eps < 1; with the analytic one it holds for every eps",
    )


@derived(
    "LSZKG22.Thm4.2.sharp",
    says="the factor 2 may be replaced by rho_G = 1/erf(t/sqrt 2) = 1.54267..., erf(t/sqrt 2) = e^(-t^2/2), and by nothing smaller",
    range="all datasets, d >= 1, 0 < delta < 1",
    governs=["impl.ball.user_histogram"],
    grounds=[BALLS, "LSZKG22.Alg1.error-laplace", "LSZKG22.Alg1.error-gaussian", "user-histograms#the-best-threshold-in-hindsight"],
    mutants={"a millionth less than rho_G": {"less": F(1, 10**6)}},
    missing="that the quotient is largest where its derivative vanishes; the numbers are certified",
)
def gaussian_sharp(
    budget: Budget,
    *,
    touching: Callable[[], tuple[arb, arb]] = _gaussian_touching,
    ratio: Enclosure = certified.gaussian_ratio(digits=40),
    attained: Callable[[], arb] = _gaussian_attained,
    less: Fraction = F(0),
) -> Verdict:
    return _tight(touching=touching, ratio=ratio, attained=attained, less=less)


@derived(
    "LSZKG22.Sec1.in-hindsight",
    where="Section 1: a 2-approximation of the best clipping threshold in hindsight",
    kind=Kind.READING,
    says="a reading: for each realisation of the noise, the error of C* is at most twice that of the best threshold for it",
    grounds=[EXACT, "LSZKG22.Lem4.1"],
    mutants={"corrected statement with 1.4": {"factor": F(14, 10)}},
)
def hindsight(budget: Budget, *, factor: Fraction = F(2)) -> Verdict:
    """d = n = 1, N = 4, eps = 1, noise C z with z = 1: the error of C is |4 - C + ... |, exactly (4 - C)_+ - C in size for C <= 4."""
    best, chosen, z = F(2), F(4), F(1)
    errors = {C: abs(min(F(4), C) + C * z - 4) for C in (best, chosen)}
    fails = errors[chosen] > factor * errors[best]
    expected = within(laplace_gain, factor, name="Laplace noise")
    return erratum(
        witness="d = n = 1, ||h_1||_1 = 4, eps = 1, noise of Laplace quantile z = 1 (times C): C* = 4 errs by 4, C = 2 by 0",
        is_witness=fails,
        corrected="the expected error of C* is at most rho_L (rho_G) times the least expected error over C",
        beside=expected,
        domain="d = 1; one realisation of the noise",
        cases=2,
    )
