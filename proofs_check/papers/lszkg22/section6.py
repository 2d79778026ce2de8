"""LSZKG22, sections 6 and 7: remarks beside the experiments, and the federated form of Algorithm 2."""

from fractions import Fraction
from itertools import product

import sympy

from shuffleproof.impl.ball import user_histogram as certified
from shuffleproof.impl.ball.numeric.arithmetic import lower_end, upper_end
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Verdict, derived, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.lszkg22.instances import Counts, F, user_sets, with_rational_norm
from shuffleproof.spec.protocols.thresholds import User, bounded, minimiser, objective, private_threshold, user
from shuffleproof.spec.vocabulary.numerals import decimal_text


@derived(
    "LSZKG22.Sec6.bounded-weights",
    where="Section 6, setup: clip each weight to sqrt(s)",
    says="the bias that min(w_i, sqrt(s)) introduces: U at the threshold so found exceeds U(C*) by at most sum of (w_i - sqrt(s))_+ "
    "||h_i||_2",
    governs=["spec.protocols.thresholds"],
    grounds=[EXACT, "user-histograms#clipping-and-noise"],
    mutants={"a quarter of that sum": {"factor": F(1, 4)}},
    missing="datasets beyond the enumerated ones",
)
def bounded_weights(budget: Budget, *, factor: Fraction = Fraction(1)) -> Verdict:
    """U at the threshold of the bounded weights against U(C*) + factor sum of (w_i - W)_+ m_i."""
    W = F(1)
    sets = user_sets(norms=tuple(map(F, (1, 2, 4))), weights=tuple(map(F, ("1", "3/2", "3"))), most=budget.pick(quick=3, full=4))

    def holds(users: tuple[User, ...], T: Fraction) -> bool:
        chosen, best = minimiser(bounded(users, W=W), T=T), minimiser(users, T=T)
        cut = sum((max(w - W, F(0)) * m for m, w in users), F(0))
        return objective(users, C=chosen, T=T) <= objective(users, C=best, T=T) + factor * cut

    return exhaustive.for_all(product(sets, map(F, ("1/2", "1", "2", "4"))), holds=holds).verdict(
        domain="all datasets: the bounded objective lies below U by at most sum of (w_i - W)_+ m_i; exhausted for up to 3 users, 4 slopes",
        witness=lambda c: f"{[(str(m), str(w)) for m, w in c[0]]}, T = {c[1]}, W = 1",
        note="negligible is a matter of the weights and norms that are cut, not of the number of users: one user can make up the whole sum",
    )


@statement(
    "LSZKG22.Sec6.1.quantile",
    where="Section 6.1: the quantile baseline, without any theoretical support",
    says="the ceil(T)-th largest ||h_i||_2, T of Theorem 4.2, is no 2-approximation: its error can be above 9 times the least",
    range="Gaussian noise, d > 1",
    governs=["impl.ball.user_histogram"],
    grounds=[BALLS],
    mutants={"above 10 times, on this dataset": {"factor": F(10)}},
)
def quantile(budget: Budget, *, factor: Fraction = F(9)) -> Verdict:
    """d = 100, T = 100, 99 users with ten copies of each item and 200 with one item: the 100-th largest ||h_i||_2 against C*."""
    sg = F(12533141373155003, 10**16)  # sigma/C for T = d sg sqrt(2/pi) = 100, nearly
    heavy: Counts = (10,) * 100
    light: Counts = (1,) + (0,) * 99
    data = [heavy] * 99 + [light] * 200
    slope = certified.gaussian_slope
    assert certified.best_threshold_squared(data, slope=lambda: slope(d=100, sigma_over_C=sg)) == 100**2
    errors = {C: certified.gaussian_error(data, d=100, C=C, sigma=sg * C) for C in (F(1), F(100))}
    ratio = errors[F(1)] / errors[F(100)]
    return Verdict.certified(
        domain="one dataset: d = 100, T = 100, 99 users with ten copies of every item, 200 users with one item",
        cases=1,
        slack=f"error of the quantile over the error of C* = 100: {decimal_text(lower_end(ratio), digits=5, direction='down')}",
        note="the quantile counts users where Theorem 4.2 counts their weights, up to sqrt(d) each",
        against=None if lower_end(ratio) > factor else f"the ratio is at most {decimal_text(upper_end(ratio), digits=5, direction='up')}",
    )


@statement(
    "LSZKG22.Sec6.2.dirichlet",
    where="Section 6.2 and the caption of the synthetic figure",
    says="rates from a Dirichlet distribution with parameter alpha: larger alpha means that they are closer, E sig2 = (L/n)^2 (n - 1)/(n "
    "alpha + 1)",
    range="n >= 2 users, alpha > 0, total rate L",
    grounds=[SYMPY],
    mutants={"larger alpha means that they are further apart": {"sign": -1}},
)
def dirichlet(budget: Budget, *, sign: int = 1) -> Verdict:
    """Rates L p_i, p ~ Dir(alpha, ..., alpha) over n users: E sig2 = (L/n)^2 (n - 1)/(n alpha + 1), which falls with alpha."""
    n, alpha, L = sympy.symbols("n alpha L", positive=True)
    variance = (1 / n) * (1 - 1 / n) / (n * alpha + 1)  # of one coordinate; the mean of the coordinates is 1/n exactly
    spread = L**2 * variance
    stated = (L / n) ** 2 * (n - 1) / (n * alpha + 1)
    falls = sympy.simplify(sympy.diff(spread, alpha) * (n * alpha + 1) ** 2 * n / (L**2 * (n - 1)))
    if not (sympy.simplify(spread - stated) == 0 and sympy.simplify(falls + sign) == 0):
        return Verdict.refuted(f"d/d alpha has the factor {falls}", domain="symbolic", cases=2)
    return Verdict.certified(domain="n >= 2, alpha > 0: the derivative in alpha is -(L^2 (n - 1)/n)/(n alpha + 1)^2", cases=2)


def _message(h: Counts, norms_sent: int) -> tuple[Fraction, ...]:
    """Return what the user sends: ||h||_1, and ||h||_2."""
    m = user(h, p=2).m
    return (F(sum(h)), m)[:norms_sent]


def _received(message: tuple[Fraction, ...]) -> User:
    """Return what the server makes of it."""
    total, m = message[0], message[-1]
    return User(m, total / m if m else F(0))


@statement(
    "LSZKG22.Sec7.federated",
    where="Section 7 (c)",
    says="Algorithm 2 with users sending only ||h_i||_1 and ||h_i||_2 to the server has the output of the central one",
    governs=["spec.protocols.thresholds"],
    grounds=[EXACT, "user-histograms#clipping-and-noise"],
    mutants={"users send ||h_i||_1 only": {"norms_sent": 1}},
    missing="datasets beyond those that are computed",
)
def federated(budget: Budget, *, norms_sent: int = 2) -> Verdict:
    """Algorithm 2 as a function of the histograms, and of what users send: pairs with the same messages have the same output, always.

    norms_sent = 1: only ||h||_1 is sent, and the server takes it for ||h||_2 as well.
    """
    T, W, lam, B = F(1), F(2), F(1), F(20)
    data = list(with_rational_norm(d=4, most=budget.pick(quick=2, full=3)))
    central = {h: user(h, p=2) for h in data}
    decided = 0
    for g, h in product(data, repeat=2):
        for noise in (F(0), F(-1, 2), F(3)):
            decided += 1
            here = private_threshold([central[g], central[h]], T=T, W=W, lam=lam, B=B, noise=noise)
            sent = [_received(_message(each, norms_sent)) for each in (h, g)]  # in any order
            if private_threshold(sent, T=T, W=W, lam=lam, B=B, noise=noise) != here:
                return Verdict.refuted(f"h = {g} and {h}, noise {noise}", domain="two users", cases=decided)
    return Verdict.certified(
        domain="all datasets: T, s, lam, B are public, and the data enter through ||h_i||_1 and ||h_i||_2 only; exhausted for two users, d "
        "= 4, counts <= 2 with rational norms, in either order",
        cases=decided,
        note="equal in output, not in trust: the server sees the norms; the noise protects the threshold from everybody else. One "
        "round suffices",
    )
