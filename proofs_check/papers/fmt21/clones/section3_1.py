"""FMT21, section 3.1: deletion and replacement privacy, and Lemma 3.7, on all distributions in small parts.

FMT21, section 3.1: deletion privacy for local randomizers against replacement privacy.

FMT21, section 3.1: Gaussian noise on a bounded vector, by replacement and by deletion.

FMT21, section 3.1 and appendix C: the earlier reduction it names, and equations (18) and (19) of Lemma 3.7's proof.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import TypeVar

import sympy
from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Cited, Kind, Status, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.ledger.methods.exhaustive import distributions_in_parts
from shuffleproof.proofs_check.ledger.points import NUDGE, ORDERS
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import IntegerDistribution, least_delta
from shuffleproof.spec.distribution import Distribution, hockey_stick, indistinguishable, indistinguishable_on_all_events, total_variation
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.clipping import clipped, clipped_randomizer, deletion_delta
from shuffleproof.spec.vocabulary.errors import DomainError

Clipped = TypeVar("Clipped")


@statement(
    "FMT21.Def3.6",
    says="R is deletion (eps, delta)-DP if for some reference rho every R(x) and rho are (eps, delta)-indistinguishable",
    range="all randomizers, eps >= 0, delta in [0, 1]",
    governs=["spec.randomizers.clipping"],
    mutants={"the reference need not be dominated by R(x)": {"one_way": True}},
)
def definition(budget: Budget, *, one_way: bool = False) -> Verdict:
    """one_way: only R(x) against the reference."""
    listed = distributions_in_parts(budget.pick(quick=2, full=4), 3)

    def holds(first: IntegerDistribution, second: IntegerDistribution, reference: IntegerDistribution, T: Fraction) -> bool:
        randomizer = LocalRandomizer((0, 1), {0: first, 1: second})
        least = deletion_delta(randomizer, reference, exp_epsilon=T)
        if one_way:
            least = max(hockey_stick(law, reference, exp_epsilon=T) for law in (first, second))
        found = [
            all(indistinguishable_on_all_events(law, reference, exp_epsilon=T, delta=delta) for law in (first, second))
            for delta in (least, max(Fraction(0), least - NUDGE))
        ]
        return found == [True, least == 0]

    return exhaustive.for_all(product(listed, listed, listed, ORDERS), holds=holds).verdict(
        domain="all R(x), R(x'), rho on 3 messages in parts of 1/2 (full: 1/4), e^eps = 1, 3/2, 3, delta critical and just below"
    )


@statement(
    "FMT21.Sec3.1.remark-replacement",
    where="Section 3.1, after Definition 3.6",
    says="a replacement (eps, delta)-DP algorithm is also a deletion (eps, delta)-DP algorithm",
    range="all randomizers, eps >= 0, delta in [0, 1]",
    governs=["spec.randomizers.clipping"],
    grounds=[EXACT, Cited("the definitions: every R(x') is compared with R(x) in both")],
    mutants={"deletion (eps, 0.9 delta), with that reference": {"share": Fraction(9, 10)}},
)
def replacement(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    listed = distributions_in_parts(budget.pick(quick=3, full=5), 2)

    def slack(case: tuple[IntegerDistribution, IntegerDistribution, IntegerDistribution, Fraction]) -> Fraction:
        randomizer = LocalRandomizer(range(3), dict(enumerate(case[:3])))
        T = case[3]
        replaced = max(least_delta(p, q, T) for p, q in product(case[:3], repeat=2))
        return share * replaced - deletion_delta(randomizer, case[0], exp_epsilon=T)

    return exhaustive.least_slack(product(listed, listed, listed, ORDERS), slack=slack).verdict(
        domain="all R and eps: rho = R(x) for any x; computed for all distributions on 2 messages in parts of 1/3 (full: 1/5)",
        witness=lambda c: f"R = {c[:3]}, rho = {c[0]}, e^eps = {c[3]}",
    )


@statement(
    "FMT21.Lem3.7",
    where="Lemma 3.7 (and section 1)",
    says="a deletion (eps, delta)-DP randomizer with reference rho has a deletion eps-DP randomizer with reference rho at total variation "
    "at most delta for every input: its distributions clipped to [e^-eps rho, e^eps rho] and balanced",
    range="all randomizers, eps >= 0, delta in [0, 1]",
    governs=["spec.randomizers.clipping"],
    grounds=[EXACT, "FMT21.Lem3.7.step-levels", "nearby-randomizers#clipping-a-distribution-to-a-reference"],
    mutants={
        "total variation at most 0.9 delta": {"share": Fraction(9, 10)},
        "what is cut is not balanced": {
            "clip": lambda law, rho, *, exp_epsilon: Distribution({y: min(p, exp_epsilon * rho[y]) for y, p in law.items()})
        },
    },
    missing="that the level of the clipping exists, by continuity; distributions are enumerated in small parts",
)
def lemma_37(budget: Budget, *, share: Fraction = Fraction(1), clip: Callable[..., IntegerDistribution] = clipped) -> Verdict:
    listed = distributions_in_parts(budget.pick(quick=4, full=7), 3)
    exact = 0

    def slack(case: tuple[IntegerDistribution, IntegerDistribution, Fraction]) -> Fraction:
        nonlocal exact
        law, reference, T = case
        near = _made(clip, law, reference, T)
        if near is None or any(not reference[y] / T <= near[y] <= T * reference[y] for y in (*law.support, *reference.support)):
            return Fraction(-1)
        forward, backward = hockey_stick(law, reference, exp_epsilon=T), hockey_stick(reference, law, exp_epsilon=T)
        exact += total_variation(law, near) == max(forward, backward / T)
        return share * max(forward, backward) - total_variation(law, near)

    found = exhaustive.least_slack(product(listed, listed, ORDERS), slack=slack)
    sharper = "at most" if exact < found.cases else "exactly"
    return found.verdict(
        claims=Status.ARGUED,
        domain=f"all distributions, by the written argument; on 3 messages in parts of 1/{budget.pick(quick=4, full=7)}, e^eps = 1, 3/2, 3",
        witness=lambda c: f"R(x) = {c[0]}, rho = {c[1]}, e^eps = {c[2]}",
        note=f"the printed proof; its second case is a mirror image. The total variation is {sharper} max(D_(e^eps)(R(x) || rho), "
        "e^-eps D_(e^eps)(rho || R(x)))",
    )


def _made(clip: Callable[..., Clipped], of: object, reference: IntegerDistribution, T: Fraction) -> Clipped | None:
    """Return what is clipped, or None where no level leaves a distribution: that refutes the construction and ends no check."""
    try:
        return clip(of, reference, exp_epsilon=T)
    except (AssertionError, DomainError):
        return None


@statement(
    "FMT21.Lem3.7-replacement",
    where="Lemma 3.7 and the remark after it",
    says="in particular R' is replacement 2 eps-DP; the factor 2 is avoided where R is also deletion (eps/2, delta)-DP",
    range="all randomizers, eps >= 0, delta in [0, 1]",
    governs=["spec.randomizers.clipping"],
    grounds=["FMT21.Lem3.7", EXACT],
    mutants={"replacement 1.98 eps-DP in general": {"power": Fraction(99, 50)}},
)
def lemma_37_replacement(budget: Budget, *, power: int = 2) -> Verdict:
    """power: R' is claimed to be replacement (power eps)-DP."""
    listed = distributions_in_parts(budget.pick(quick=2, full=4), 3)

    def slack(first: IntegerDistribution, second: IntegerDistribution, reference: IntegerDistribution, T: Fraction) -> Fraction:
        near = _made(clipped_randomizer, LocalRandomizer((0, 1), {0: first, 1: second}), reference, T)
        order = near.exp_epsilon0() if near is not None else None
        return Fraction(-1) if order is None else T**power - order

    over, under, rho = (Distribution({0: p, 1: 1 - p}) for p in map(Fraction, ("3/8", "1/6", "1/4")))  # both ends at e^eps = 3/2
    cases = [(over, under, rho, Fraction(3, 2)), *product(listed, listed, listed, ORDERS)]
    return exhaustive.least_slack(cases, slack=slack).verdict(
        domain="all randomizers: e^-eps rho <= R'(x), R'(x') <= e^eps rho; computed for all distributions on 3 messages in parts of 1/2 "
        "(full: 1/4)",
        note="so clipping at eps/2 a randomizer that is deletion (eps/2, delta)-DP as well gives a replacement eps-DP one",
    )


def _least_delta(p: Distribution[int], q: Distribution[int], order: Fraction) -> Fraction:
    return max(hockey_stick(p, q, exp_epsilon=order), hockey_stick(q, p, exp_epsilon=order))


def _against_reference(order: Fraction, delta: Fraction) -> tuple[Distribution[int], Distribution[int], Distribution[int]]:
    """R(x), R(x'), rho on {0, 1} with R(x)(1) = (1 + e^eps) delta, rho(1) = delta, R(x')(1) = 0."""
    return tuple(Distribution({1: mass, 0: 1 - mass}) for mass in ((1 + order) * delta, Fraction(0), delta))  # type: ignore[return-value]


@statement(
    "FMT21.Sec3.1.remark-deletion",
    where="Section 3.1, after Definition 3.6",
    kind=Kind.PART,
    weight="a replacement guarantee computed from a deletion guarantee by this rule has too small a delta",
    says="a deletion (eps, delta)-DP algorithm is also a replacement (2 eps, 2 delta)-DP algorithm",
    range="all eps >= 0, delta in [0, 1], randomizers with a reference distribution",
    governs=["spec.distribution"],
    mutants={"corrected statement with 0.9 (1 + e^eps) delta": {"share": Fraction(9, 10)}},
)
def deletion_to_replacement(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """Compare deletion (eps, delta) with replacement (2 eps, share (1 + e^eps) delta); and back, with rho = R(x_0)."""
    order, delta = Fraction(2), Fraction(1, 10)
    p, q, rho = _against_reference(order, delta)
    is_deletion = all(indistinguishable(law, rho, exp_epsilon=order, delta=delta) for law in (p, q))
    reached = hockey_stick(p, q, exp_epsilon=order**2)
    laws = distributions_in_parts(budget.pick(quick=3, full=5), 3)

    def slack(r0: Distribution[int], r1: Distribution[int], reference: Distribution[int], E: Fraction) -> Fraction:
        least = max(_least_delta(r0, reference, E), _least_delta(r1, reference, E))
        return share * (1 + E) * least - _least_delta(r0, r1, E**2)

    found = exhaustive.least_slack(product(laws, laws, laws, (Fraction(1), Fraction(3, 2), Fraction(3))), slack=slack)
    return erratum(
        witness="e^eps = 2, delta = 1/10, two messages, Pr(message 1) = 3/10 under R(x), 0 under R(x'), 1/10 under rho: deletion "
        f"(eps, delta)-DP, but the divergence of R(x) from R(x') at e^(2 eps) = 4 is {reached}, not at most 2 delta = 1/5",
        is_witness=is_deletion and reached > 2 * delta,
        corrected="a deletion (eps, delta)-DP randomizer is replacement (2 eps, (1 + e^eps) delta)-DP, and no better in general; "
        "for delta = 0 or eps = 0 the text is right",
        beside=found.verdict(
            domain="one exact randomizer; all distributions R(x), R(x'), rho on 3 messages in parts of 1/3 (full: 1/5), e^eps in "
            "1, 3/2, 3, least delta"
        ),
        cases=found.cases + 1,
        slack=None if found.slack is None else f"{found.slack} (the witness attains equality)",
        note="in general D_(e^2eps)(P || Q) <= D_(e^eps)(P || rho) + e^eps D_(e^eps)(rho || Q), summed over outcomes",
    )


def _below(x: arb) -> arb:
    """Phi(x), the standard normal distribution function."""
    return (-x / ball(2).sqrt()).erfc() / 2


def _delta(epsilon: arb, shift: arb) -> arb:
    """D_(e^eps) of two unit Gaussians at this distance: Phi(-eps/s + s/2) - e^eps Phi(-eps/s - s/2)."""
    return _below(shift / 2 - epsilon / shift) - epsilon.exp() * _below(-shift / 2 - epsilon / shift)


@statement(
    "FMT21.Sec3.1.remark-gaussian",
    where="Section 3.1, after Lemma 3.7",
    says="isotropic Gaussian noise on a vector of a ball of radius r that is (eps, delta)-DP is also deletion (eps/2, delta)-DP",
    range="all r, sigma > 0, eps >= 0, with delta the exact delta of two points at distance 2r",
    grounds=[
        SYMPY,
        BALLS,
        Cited("Mills' bound: Phi(-x) < phi(x)/x for x > 0", "known-facts#normal-tails"),
        Cited("the divergence of two Gaussians depends on their distance only and grows with it", "known-facts#normal-tails"),
    ],
    weaker={"share": "larger"},
    mutants={"deletion (eps/2, delta/2)-DP": {"share": Fraction(1, 2)}},
)
def gaussian(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """share: of the replacement delta that is claimed for deletion."""
    e, s = sympy.symbols("e s", positive=True)
    x = e / s + s / 2
    # with a = -e/s + s/2: phi(a) = e^e phi(x), so t -> D(t e, t s) has the derivative phi(a) (s - e Phi(-x)/phi(x)) > phi(a) (s - e/x)
    # one number serves all shifts only if it is at least 1: at a large shift both deltas are as near to 1 as one likes
    algebra = [
        symbolic.is_nonnegative(symbolic.rational(share) - 1),
        symbolic.are_identical(x**2 - (s / 2 - e / s) ** 2, 2 * e),
        symbolic.are_identical(s - e / x, s**3 / (2 * e + s**2)),
    ]
    epsilons, shifts = ("0", "1/100", "1/2", "1", "4"), ("1/100", "1/2", "1", "3", "8", "16")
    holds, cases, failing = all(algebra), 3, None
    for epsilon, shift in product(map(Fraction, epsilons), map(Fraction, shifts)):
        cases += 1
        replaced, deleted = _delta(ball(epsilon), ball(shift)), _delta(ball(epsilon / 2), ball(shift / 2))
        if not deleted <= ball(share) * replaced:
            holds, failing = False, failing or f"eps = {epsilon}, 2r/sigma = {shift}"
    domain = "all eps >= 0, radii, noise levels, dimensions: D(t eps, t s) grows with t; certified at points"
    if not holds:
        return Verdict.refuted(failing or "the algebra fails", domain=domain, cases=cases)
    note = "reference: the noise alone, at distance r; two vectors are at distance 2r at most"
    return Verdict.proved(domain=domain, cases=cases, note=note)


@statement(
    "FMT21.Sec3.1.remark-reduction",
    where="Section 3.1, before Definition 3.6",
    says="the reduction of [CSUZZ19] achieves eps0' = 8 eps0 and delta0' = O~(delta0 e^eps0/(1 - e^-eps0)); put into a bound of order "
    "e^(2.5 eps0') it gives e^(20 eps0)",
    range="all eps0 > 0, delta0; T large enough for n (1 - (1 - eta)/k)^T to be negligible",
    grounds=[SYMPY, "CSUZZ19.ClmD.2", "CSUZZ19.ClmD.5.sharp"],
    weaker={"constant": "larger", "power": "larger"},
    mutants={
        "delta0' = delta0/(1 - e^-eps0), without e^eps0 and a constant": {"constant": Fraction(1), "power": 0},
        "e^(3 eps0') gives e^(20 eps0)": {"rate": Fraction(3)},
    },
)
def reduction(budget: Budget, *, constant: Fraction = Fraction(2), power: int = 1, rate: Fraction = Fraction(5, 2)) -> Verdict:
    """Compare what is left of D.5 for large T, eta = (1 + E^-2) delta0/(1 - 1/E), E = e^eps0, with constant E^power delta0/(1 - 1/E)."""
    E = sympy.Symbol("E")
    domain = "all eps0 >= 0, delta0"
    claimed = constant.numerator * E**power / constant.denominator
    if not symbolic.holds(rate * 8 == 20):
        return Verdict.refuted(f"eps0 = 1: e^({rate * 8}), not e^20", domain=domain, cases=1)
    if not symbolic.is_nonnegative(claimed * E**2 - E**2 - 1, at_least={E: 1}):
        return Verdict.refuted("e^eps0 = 2: eta is 5/4 of delta0/(1 - e^-eps0)", domain=domain, cases=2)
    return Verdict.proved(
        domain=domain,
        cases=2,
        slack="0 as eps0 -> 0; the sharp eta has no e^eps0 at all",
        note="by the sharp form of Claim D.5; the printed one, with T = 2 e^(4 eps0) ln(n/beta) rounds, has e^(4 eps0) in the place "
        "of e^eps0",
    )


@statement(
    "FMT21.Eq19",
    where="Appendix C, proof of Lemma 3.7, equations (18) and (19), and what follows them",
    says="rho'_x = rho_x projected onto [e^-eps rho, e^eps rho] has ln(rho/rho'_x) in [-eps, eps]; tau and tau', what is cut and what is "
    "added, are at most delta; tau = tau' iff rho'_x has mass 1; and what rho_x^z adds to rho_x is added where rho > rho_x",
    range="all rho, rho_x that are (eps, delta)-indistinguishable, z >= 0",
    governs=["spec.randomizers.clipping"],
    mutants={
        "the projection onto [e^-eps rho, rho]": {"above": 0},
        "what is cut and added is at most 0.9 delta": {"share": Fraction(9, 10)},
        "what is added is added where rho < rho_x": {"side": -1},
    },
)
def projected(budget: Budget, *, above: int = 1, share: Fraction = Fraction(1), side: int = 1) -> Verdict:
    """delta: the larger of the two divergences, the least with which rho_x and rho are indistinguishable."""
    listed = distributions_in_parts(budget.pick(quick=4, full=6), 3)

    def holds(law: IntegerDistribution, reference: IntegerDistribution, T: Fraction, Z: Fraction) -> bool:
        pairs = [(law[y], reference[y]) for y in dict.fromkeys((*law.support, *reference.support))]
        delta = max(hockey_stick(law, reference, exp_epsilon=T), hockey_stick(reference, law, exp_epsilon=T))
        near = [max(min(p, T**above * q), q / T) for p, q in pairs]
        tau = sum((max(Fraction(0), p - c) for (p, _), c in zip(pairs, near, strict=True)), Fraction(0))
        added = sum((max(Fraction(0), c - p) for (p, _), c in zip(pairs, near, strict=True)), Fraction(0))
        within = all(q / T <= c <= T * q for (_, q), c in zip(pairs, near, strict=True))
        at_level = [max(min(p, T * q), q / Z) for p, q in pairs]  # rho_x^z, e^z = Z
        everywhere = sum((max(Fraction(0), c - p) for (p, _), c in zip(pairs, at_level, strict=True)), Fraction(0))
        there = sum((max(p, q / Z) - p for p, q in pairs if side * (q - p) > 0), Fraction(0))
        return within and max(tau, added) <= share * delta and (tau == added) == (sum(near) == 1) and everywhere == there

    found = exhaustive.for_all(product(listed, listed, ORDERS, (Fraction(1), Fraction(5, 4), Fraction(2))), holds=holds)
    parts = budget.pick(quick=4, full=6)
    return found.verdict(domain=f"all rho, rho_x on 3 outcomes in parts of 1/{parts}, e^eps = 1, 3/2, 3, e^z = 1, 5/4, 2")
