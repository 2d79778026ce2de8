"""CSUZZ19, Theorem D.1 by clipping: 2 eps for 8 eps, beta + n delta for 4 beta, and none of its conditions; fewer rounds of Algorithm 7."""

from fractions import Fraction
from itertools import product

from flint import arb
from hypothesis import strategies as st

from shuffleproof.impl.ball.numeric.arithmetic import ball, surely_less
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Coq, Status, Verdict, derived, for_finite_sets, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.proofs_check.ledger.methods.random_randomizers import described, distributions
from shuffleproof.proofs_check.papers.csuzz19.appendices.appendix_d import exact_delta
from shuffleproof.proofs_check.papers.csuzz19.appendices.appendix_d_theorem import Setting, largest_delta, settings
from shuffleproof.spec.distribution import Distribution, total_variation
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.protocols import approx_to_pure

FAR_APART: tuple[LocalRandomizer[int, int], Fraction] = (
    LocalRandomizer(range(3), {x: Distribution({0: p, 1: 1 - p}) for x, p in enumerate(map(Fraction, ("1/4", "3/8", "1/6")))}),
    Fraction(3, 2),
)
"""At e^eps = 3/2 the second distribution is on the upper end around the first, and the third on the lower one."""


@st.composite
def _any_randomizer(draw: st.DrawFn) -> tuple[LocalRandomizer[int, int], Fraction]:
    rows: dict[int, Distribution[int]] = {x: draw(distributions(outputs=3)) for x in range(3)}
    return LocalRandomizer(range(3), rows), draw(st.sampled_from(tuple(map(Fraction, ("1", "11/10", "3/2", "2", "4")))))


@derived(
    "CSUZZ19.ThmD.1.sharper",
    says="for every (eps, delta)-DP local protocol there is a (2 eps, 0)-DP one that is (alpha, beta + n delta)-accurate: clip each "
    "Pr[R(x) = y] to [e^-eps, e^eps] Pr[R(x0) = y] and spread the difference",
    range="eps >= 0, delta in [0, 1], n >= 1",
    governs=["spec.protocols.approx_to_pure"],
    grounds=[EXACT, "one-message#clipping-around-one-distribution"],
    mutants={"half of n delta": {"share": Fraction(1, 2)}, "1.98 eps for 2 eps": {"power": Fraction(99, 50)}},
    missing="randomizers with infinitely many messages; for finite sets Coq has checked it all: CSUZZ19.ThmD.1.sharper.finite",
)
def clipping(budget: Budget, *, power: int = 2, share: Fraction = Fraction(1)) -> Verdict:
    """R is (eps, delta)-DP with delta = its exact profile at eps; the clipped one has ratios <= e^(power eps) and TV <= share delta."""

    def slack(R: LocalRandomizer[int, int], E: Fraction) -> Fraction:
        clipped = approx_to_pure.clipped_randomizer(R, x0=0, exp_epsilon=E)
        ratio = clipped.exp_epsilon0()
        delta = max(exact_delta((R.distribution(x), R.distribution(y)), E) for x, y in product(R.domain, repeat=2))
        far = max(total_variation(R.distribution(x), clipped.distribution(x)) for x in R.domain)
        return Fraction(-1) if ratio is None else min(E**power - ratio, share * delta - far)

    if slack(*FAR_APART) < 0:
        witness = f"R = {described(FAR_APART[0])}, e^eps = {FAR_APART[1]}: nothing is clipped, and ratios are e^(2 eps)"
        return Verdict.refuted(witness, domain="two distributions on both sides of R(x0)", cases=1)
    found = sampled.least_slack(_any_randomizer(), slack=slack, budget=budget, quick=70, full=800)
    return found.verdict(
        domain="all R, eps >= 0: the mass above e^eps rho is D(R(x) || rho) <= delta, that missing below e^-eps rho is "
        "e^-eps D(rho || R(x)) <= delta; there is room for the difference, since e^eps rho has mass >= 1 and e^-eps rho mass <= 1; "
        f"{found.cases} drawn randomizers",
        witness=lambda c: f"R = {described(c[0])}, e^eps = {c[1]}",
        note="for n users the error probability grows by at most n delta, so delta <= 3 beta/n gives (alpha, 4 beta)",
    )


for_finite_sets(
    clipping,
    Coq("pure_by_clipping", states="fe586c795eba1ac2"),
    says="for finitely many messages: for every (eps, delta)-DP local randomizer there is a (2 eps, 0)-DP one, with which every analyzer "
    "of n messages fails with probability beta + n delta at most if it did with beta at most",
    range="n >= 0, e^eps >= 1 and delta >= 0 in any ordered field, any data, finitely many messages, any analyzer, outputs and distance",
)


@derived(
    "CSUZZ19.ThmD.1.finite",
    says="Theorem D.1 for finitely many messages, in which l stands for ln(n/beta) and may be any number that is at least 1 where n >= 4 "
    "beta: with delta <= (beta/(8 n l)) e^(-6 eps) there is a protocol that is (8 eps, 0)-DP and (alpha, 4 beta)-accurate",
    range="n >= 1, e^eps >= 1 and delta >= 0 in any ordered field, any data, finitely many messages, any analyzer, outputs and distance",
    governs=["spec.protocols.approx_to_pure"],
    grounds=[Coq("pure_of_approximate", states="52961f33d4ab0ee1")],
    mutants={"eps for 8 eps": {"power": 1}},
)
def theorem_finite(budget: Budget, *, power: int = 8) -> Verdict:
    """The same of the specification's drawn randomizers; that it holds for all is Coq's verdict."""
    return clipping.check(budget, power=power)


@statement(
    "CSUZZ19.AppD.remark-conditions",
    where="Appendix D, after Theorem D.1",
    says="the conditions eps > 2/3 and delta < (beta/(8 n ln(n/beta))) e^(-6 eps) are not essential in Theorem D.1",
    range="eps >= 0",
    grounds=["CSUZZ19.ThmD.1.sharper", BALLS],
    mutants={"(alpha, 1.05 beta) for (alpha, 4 beta), by clipping": {"loss": Fraction(1, 20)}},
)
def conditions(budget: Budget, *, loss: Fraction = Fraction(3)) -> Verdict:
    """beta <= 1/4: the printed delta is <= loss beta/n iff e^(-6 eps) <= 8 loss ln(n/beta); eps = 0, n = 1, beta = 1/4 is worst."""
    least = 8 * ball(4).log() * ball(loss)
    enough, short = surely_less(arb(1), least), surely_less(least, arb(1))
    domain = "eps >= 0, n >= 1, beta <= 1/4; for larger beta (alpha, 4 beta) says nothing"
    if short:
        return Verdict.refuted("eps = 0, n = 1, beta = 1/4", domain=domain, cases=1)
    return Verdict(
        status=Status.CERTIFIED if enough else Status.OPEN,
        domain=domain,
        cases=1,
        note="the theorem holds for all eps >= 0 with delta <= 3 beta/n, and with 2 eps; neither eps > 2/3 nor the factors e^(-6 eps) and "
        "ln(n/beta) are needed",
    )


@derived(
    "CSUZZ19.AppD.2.setting-parameters",
    where="Appendix D.2, Setting parameters",
    says="k = e^(2 eps), T = ceil(k ln(n/beta)/(1 - eta)) is enough for n (1 - (1 - eta)/k)^T <= beta, about 2 e^(2 eps) times fewer "
    "rounds than k = 2 e^(2 eps), T = ceil(2 e^(4 eps) ln(n/beta))",
    range="eta < 1",
    governs=["spec.protocols.approx_to_pure"],
    grounds=[EXACT, "CSUZZ19.ClmD.5.sharp"],
    mutants={"a third of these rounds": {"times": 3}},
)
def fewer_rounds(budget: Budget, *, times: int = 1) -> Verdict:
    """Compare, with the sharper k and T, n (1 - (1 - eta)/k)^T <= beta, at the same or fewer rounds; exact."""
    gains = []

    def slack(case: Setting) -> Fraction:
        n, E, beta = case
        delta = largest_delta(n, E, beta)
        k, T = approx_to_pure.sharper_parameters(n=n, exp_epsilon=E, delta=delta, beta=beta)
        _, papers = approx_to_pure.papers_parameters(n=n, exp_epsilon=E, beta=beta)
        gains.append(papers / Fraction(T))
        eta = approx_to_pure.outside_good_set(exp_epsilon=E, delta=delta)
        decay = (1 + (1 - eta) / k * (T // times) / 400) ** 400  # at most e^((1 - eta) T/k), from below
        exact = (1 - (1 - eta) / k) ** min(T // times, 300)
        return min(beta - n * min(1 / decay, exact), gains[-1] - 1)

    small = [case for case in settings(budget) if case[1] <= 3]
    found = exhaustive.least_slack(small, slack=slack)
    return found.verdict(
        domain=f"all settings: T (1 - eta)/k >= ln(n/beta) is how T is defined; {found.cases} settings exactly, e^eps <= 3",
        witness=lambda c: f"n = {c[0]}, e^eps = {c[1]}, beta = {c[2]}",
        slack=f"{float(min(gains)):.1f} to {float(max(gains)):.1f} times fewer rounds than the paper's",
    )
