"""FMT21, section 3.1: deletion and replacement privacy, and Lemma 3.7, on all distributions in small parts."""

from fractions import Fraction
from itertools import product

from shuffleproof.proofs_check.ledger import EXACT, Budget, Cited, Status, Verdict, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.methods.exhaustive import laws_in_parts
from shuffleproof.proofs_check.ledger.points import NUDGE, ORDERS
from shuffleproof.proofs_check.papers.fmt21.appendices.approximate_reduction import Law, least_delta
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.divergence import hockey_stick, indistinguishable_on_all_events, total_variation
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.clipping import clipped, clipped_randomizer, deletion_delta


@statement(
    "FMT21.Def3.6",
    says="R is deletion (eps, delta)-DP if for some reference rho every R(x) and rho are (eps, delta)-indistinguishable",
    range="all randomizers, eps >= 0, delta in [0, 1]",
    governs=["spec.randomizers.clipping"],
    grounds=[EXACT],
    mutants={"the reference need not be dominated by R(x)": {"one_way": True}},
)
def definition(budget: Budget, *, one_way: bool = False) -> Verdict:
    """one_way: only R(x) against the reference."""
    listed = laws_in_parts(budget.pick(quick=2, full=4), 3)

    def holds(first: Law, second: Law, reference: Law, T: Fraction) -> bool:
        randomizer = LocalRandomizer((0, 1), {0: first, 1: second})
        least = deletion_delta(randomizer, reference, exp_epsilon=T)
        if one_way:
            least = max(hockey_stick(law, reference, exp_epsilon=T) for law in (first, second))
        found = [
            all(indistinguishable_on_all_events(law, reference, exp_epsilon=T, delta=delta) for law in (first, second))
            for delta in (least, max(Fraction(0), least - NUDGE))
        ]
        return found == [True, least == 0]

    return exhaustive.for_all(product(listed, listed, listed, ORDERS), holds=exhaustive.unpacked(holds)).verdict(
        domain="all R(x), R(x'), rho on 3 messages in parts of 1/2 (full: 1/4), e^eps = 1, 3/2, 3, delta critical and just below",
        witness=lambda c: f"R(x) = {c[0]}, R(x') = {c[1]}, rho = {c[2]}, e^eps = {c[3]}: not the least delta by the events",
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
    listed = laws_in_parts(budget.pick(quick=3, full=5), 2)

    def slack(case: tuple[Law, Law, Law, Fraction]) -> Fraction:
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
    mutants={"total variation at most 0.9 delta": {"share": Fraction(9, 10)}},
    missing="that the level of the clipping exists, by continuity; distributions are enumerated in small parts",
)
def lemma_37(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    listed = laws_in_parts(budget.pick(quick=4, full=7), 3)
    exact = 0

    def slack(case: tuple[Law, Law, Fraction]) -> Fraction:
        nonlocal exact
        law, reference, T = case
        near = clipped(law, reference, exp_epsilon=T)
        if any(not reference[y] / T <= near[y] <= T * reference[y] for y in (*law.support, *reference.support)):
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


@statement(
    "FMT21.Lem3.7-replacement",
    where="Lemma 3.7 and the remark after it",
    says="in particular R' is replacement 2 eps-DP; the factor 2 is avoided where R is also deletion (eps/2, delta)-DP",
    range="all randomizers, eps >= 0, delta in [0, 1]",
    governs=["spec.randomizers.clipping"],
    grounds=["FMT21.Lem3.7", EXACT],
    mutants={"replacement eps-DP in general": {"power": 1}},
)
def lemma_37_replacement(budget: Budget, *, power: int = 2) -> Verdict:
    """power: R' is claimed to be replacement (power eps)-DP."""
    listed = laws_in_parts(budget.pick(quick=2, full=4), 3)

    def slack(first: Law, second: Law, reference: Law, T: Fraction) -> Fraction:
        near = clipped_randomizer(LocalRandomizer((0, 1), {0: first, 1: second}), reference, exp_epsilon=T)
        order = near.exp_epsilon0()
        return Fraction(-1) if order is None else T**power - order

    over, under, rho = (Distribution({0: p, 1: 1 - p}) for p in map(Fraction, ("3/8", "1/6", "1/4")))  # both ends at e^eps = 3/2
    cases = [(over, under, rho, Fraction(3, 2)), *product(listed, listed, listed, ORDERS)]
    return exhaustive.least_slack(cases, slack=exhaustive.unpacked(slack)).verdict(
        domain="all randomizers: e^-eps rho <= R'(x), R'(x') <= e^eps rho; computed for all distributions on 3 messages in parts of 1/2 "
        "(full: 1/4)",
        witness=lambda c: f"R(x) = {c[0]}, R(x') = {c[1]}, rho = {c[2]}, e^eps = {c[3]}",
        note="so clipping at eps/2 a randomizer that is deletion (eps/2, delta)-DP as well gives a replacement eps-DP one",
    )
