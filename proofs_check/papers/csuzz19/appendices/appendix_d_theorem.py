"""CSUZZ19, Appendix D, the theorem: its parameters (D.4, D.9) and Theorem D.1 as it follows from them."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Literal

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball, surely_less, upper_end
from shuffleproof.proofs_check.ledger import BALLS, Budget, Verdict, conjunction, derived, recalled
from shuffleproof.proofs_check.ledger.methods import exhaustive, interval, symbolic
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.protocols import approx_to_pure
from shuffleproof.spec.vocabulary.elementary import log_bounds

Setting = tuple[int, Fraction, Fraction]
"""n, e^eps, beta."""


def largest_delta(n: int, E: Fraction, beta: Fraction, power: int = 6) -> Fraction:
    """A rational just below (beta/(8 n ln(n/beta))) e^(-power eps)."""
    return beta / (8 * n * log_bounds(n / beta, bits=64)[1]) * E**-power


def _box(lowest: Fraction) -> list[tuple[Fraction, Fraction]]:
    """u = e^-eps for eps >= lowest."""
    return [(Fraction(0), upper_end((-ball(lowest)).exp()))]


def settings(budget: Budget) -> Iterator[Setting]:
    """n from 1 to 10^4, eps above 2/3, beta = 1/4 and 1/100."""
    orders = map(Fraction, ("2", "3", "7") if budget.depth == "quick" else ("39/20", "2", "5/2", "3", "5", "7"))
    yield from product((1, 2, 10, 10**4), orders, (Fraction(1, 4), Fraction(1, 100)))


def binary_error(E: Fraction, k: Fraction, T: int) -> Fraction:
    """Pr[R~(1) = 0] where R is randomized response at e^eps = E with error 1/(1 + E), and x0 = 0: exact."""
    truth, lie = E / (1 + E), 1 / (1 + E)
    R_x, rho = Distribution({1: truth, 0: lie}), Distribution({0: truth, 1: lie})
    return approx_to_pure.closed_form(R_x, rho, exp_epsilon=E, k=k, T=T)[0]


@recalled(
    "CSUZZ19.ClmD.4",
    says="for eps > 2/3 and delta < (beta/(8 n ln(n/beta))) e^(-6 eps) there are k and T with which (R~_(k,T), A) is "
    "(alpha, 4 beta)-accurate: k = 2 e^(2 eps), T = ceil(2 e^(4 eps) ln(n/beta))",
    range="(R, A) (alpha, beta)-accurate, R (eps, delta)-DP",
    governs=["spec.protocols.approx_to_pure"],
    grounds=[BALLS, "CSUZZ19.ClmD.5.sharp", "CSUZZ19.LemD.6.sharp"],
    weaker={"allowed": "larger", "lowest": "larger"},
    mutants={"(alpha, beta)-accurate, at no loss": {"allowed": Fraction(0)}, "T = k/10": {"rounds": 10}},
)
def parameters_exist(
    budget: Budget, *, allowed: Fraction = Fraction(3), rounds: int | None = None, lowest: Fraction = Fraction(2, 3), power: int = 6
) -> Verdict:
    """n TV <= allowed beta with k = 2 e^(2 eps) and T = ceil(2 e^(4 eps) ln(n/beta)), or T = ceil(k/rounds).

    Exactly for one user's randomized response at e^eps = 5, by the exact bound at points, and in general. lowest and power: 2/3 and 6
    in the conditions on eps and delta.
    """
    E, worst = Fraction(5), Fraction(0)
    k, T = approx_to_pure.papers_parameters(n=1, exp_epsilon=E, beta=1 / (1 + E))
    T = T if rounds is None else int(-(-k // rounds))
    error, limit = binary_error(E, k, T), (1 + allowed) / (1 + E)
    if error > limit:
        witness = f"n = 1, randomized response at e^eps = 5: beta = 1/6, T = {T}, error probability {float(error):.6g} > {float(limit):.6g}"
        witness += "" if float(error) > float(limit) else f" by {float(error - limit):.3g}"
        return Verdict.refuted(witness, domain="one protocol", cases=1)

    def slack(case: Setting) -> Fraction:
        nonlocal worst
        n, E, beta = case
        k, T = approx_to_pure.papers_parameters(n=n, exp_epsilon=E, beta=beta)
        eta = approx_to_pure.outside_good_set(exp_epsilon=E, delta=largest_delta(n, E, beta, power))
        # (1 - z)^T <= e^(-z T) <= 1/(1 + z T/m)^m: rational, and m = 40 is near enough.
        decay = (1 + (1 - eta) / k * T / 40) ** 40
        loss = n * (1 / decay + eta)
        worst = max(worst, loss / beta)
        return allowed * beta - loss

    def off(u: arb) -> arb:
        """Return eta, times beta/n <= 1/4."""
        return (1 + u * u) / (1 - u) * u**power / (8 * ball(4).log())

    # In general: n e^(-(1 - eta) e^(2 eps) ln(n/beta)) <= beta as (1 - eta) e^(2 eps) >= 1, and n eta <= (allowed - 1) beta.
    kept = interval.prove_on_box(lambda u: 1 - off(u) / 4 - u * u, box=_box(lowest))
    rest = interval.prove_on_box(lambda u: ball(allowed - 1) - off(u), box=_box(lowest))
    found = exhaustive.least_slack(settings(budget), slack=slack)
    return Verdict.proved(
        domain="all eps > 2/3, n >= 1, beta <= 1/4, delta below the printed bound",
        cases=kept.boxes + rest.boxes,
        slack=f"the loss is at most {float(worst):.3f} beta at {found.cases} settings",
        note="for beta > 1/4 the conclusion (alpha, 4 beta) says nothing",
        given=kept.holds and rest.holds and found.holds,
    )


def _three_terms(lowest: Fraction, power: int, divisor: Fraction) -> Verdict:
    """Each of the three terms of D.5 below beta, with 2 delta/(1 - e^-eps) for Pr[v not in G], as functions of u = e^-eps and l >= ln 4.

    The first: n e^(-T e^(-2 eps)/k) <= beta for every T >= k e^(2 eps) ln(n/beta).
    The second: n T 2 delta/(1 - u) <= beta (4 u^(power - 4) + 2 u^power/l)/(divisor (1 - u)), as T <= 2 u^-4 l + 1. The third is smaller.
    """
    domain = f"eps > {lowest}, beta <= 1/4, n >= 1"
    proof = interval.prove_on_box(lambda u: 1 - u - (4 * u ** (power - 4) + 2 * u**power / ball(4).log()) / ball(divisor), box=_box(lowest))
    if proof.outcome == "no":
        where = f"e^-eps = {float(proof.point[0]) if proof.point else 0:.4f}: the second term exceeds beta"
        return Verdict.refuted(where, domain=domain, cases=proof.boxes)
    return Verdict.proved(
        domain=domain,
        cases=proof.boxes,
        slack=f"the second term, the largest, leaves {proof.slack} of (1 - e^-eps) beta",
        note="eps >= 1/3 is enough for this step (CSUZZ19.ClmD.9.wider). The bound on delta has a pole where ln(n/beta) = 0: at n = 1 and "
        "beta near 1 it allows every delta, but there 4 beta >= 1 and nothing is claimed",
        given=proof.holds,
    )


@recalled(
    "CSUZZ19.ClmD.9",
    says="for eps > 2/3, k = 2 e^(2 eps) and delta < (beta/(8 n ln(n/beta))) e^(-6 eps) there is a T >= k e^(2 eps) ln(n/beta) with which "
    "n (1 - pmin)^T, n T Pr[v not in G] and n Pr[R(x) not in G] are at most beta each",
    range="n >= 1, beta <= 1/4",
    grounds=[BALLS],
    weaker={"lowest": "larger", "divisor": "larger"},
    mutants={"e^(-4 eps) for e^(-6 eps)": {"power": 4}, "2 n for 8 n": {"divisor": Fraction(2)}},
)
def three_terms(budget: Budget, *, lowest: Fraction = Fraction(2, 3), power: int = 6, divisor: Fraction = Fraction(8)) -> Verdict:
    return _three_terms(lowest, power, divisor)


@derived(
    "CSUZZ19.ClmD.9.wider",
    says="for eps >= 1/3, too, k = 2 e^(2 eps) and delta < (beta/(8 n ln(n/beta))) e^(-6 eps), some T >= k e^(2 eps) ln(n/beta) makes n "
    "(1 - pmin)^T, n T Pr[v not in G] and n Pr[R(x) not in G] at most beta each",
    range="n >= 1, beta <= 1/4",
    grounds=[BALLS],
    weaker={"lowest": "larger", "divisor": "larger"},
    mutants={
        "for eps >= 1/5": {"lowest": Fraction(1, 5)},
        "e^(-5 eps) for e^(-6 eps)": {"power": 5},
        "7 n for 8 n": {"divisor": Fraction(7)},
    },
)
def three_terms_wider(budget: Budget, *, lowest: Fraction = Fraction(1, 3), power: int = 6, divisor: Fraction = Fraction(8)) -> Verdict:
    return _three_terms(lowest, power, divisor)


NUMBERS_WEAKER: Mapping[str, Literal["larger"]] = dict.fromkeys(("times", "allowed", "lowest"), "larger")
NUMBERS_CHANGED = {"(eps/2, 0)-DP": {"times": Fraction(1, 2)}, "(alpha, beta)-accurate": {"allowed": Fraction(0)}}
"""Of Theorem D.1, and of Theorem 6.4, which is the same."""


@recalled(
    "CSUZZ19.ThmD.1",
    says="if (R, A) is (eps, delta)-DP and (alpha, beta)-accurate, eps > 2/3 and delta < (beta/(8 n ln(n/beta))) e^(-6 eps), there is "
    "another local protocol that is (8 eps, 0)-DP and (alpha, 4 beta)-accurate",
    range="n >= 1, beta in (0, 1)",
    governs=["spec.protocols.approx_to_pure"],
    grounds=["CSUZZ19.ClmD.2", "CSUZZ19.ThmD.1.sharper", BALLS, "CSUZZ19.ClmD.5.sharp", "CSUZZ19.LemD.6.sharp"],
    weaker=NUMBERS_WEAKER,
    mutants=NUMBERS_CHANGED,
)
def theorem(
    budget: Budget, *, times: Fraction = Fraction(8), allowed: Fraction = Fraction(3), lowest: Fraction = Fraction(2, 3), power: int = 6
) -> Verdict:
    """Privacy by Claim D.2, accuracy by Claim D.4; (times eps, 0) must allow for one user's randomized response at e^eps = 25.

    From 2 eps on there is a protocol by clipping, (alpha, beta + n delta)-accurate, and n delta <= beta e^(-6 eps)/(8 ln(n/beta)) < 3 beta
    for beta <= 1/4; for larger beta nothing is claimed.
    """
    error = Fraction(1, 26)  # beta
    by_claim = symbolic.holds(times >= (8 if times >= 8 else 2))  # what Claim D.2 gives, or clipping
    # of any (times eps, 0)-DP answer about one bit, on the worse of the two inputs
    least = 1 / (1 + (ball(times) * ball(25).log()).exp())
    clipped = surely_less(1 / (8 * ball(4).log()), ball(allowed))
    if surely_less(ball(4 * error), least):
        shown = least.str(4, radius=False)
        witness = f"n = 1, e^eps = 25, beta = 1/26: a ({times} eps, 0)-DP protocol errs with probability {shown} > 4/26"
        return Verdict.refuted(witness, domain="one bit", cases=1)
    return conjunction(
        [
            Verdict.proved(domain="privacy: CSUZZ19.ClmD.2", cases=1, given=by_claim and clipped),
            parameters_exist.check(budget, allowed=allowed, lowest=lowest, power=power),
        ],
        note="the loss with these k and T is far below 3 beta; and 2 eps is enough for 8 eps, by clipping (CSUZZ19.ThmD.1.sharper)",
    )
