"""FMT21, section 3.1: deletion privacy for local randomizers against replacement privacy."""

from fractions import Fraction
from itertools import product

from shuffleproof.proofs_check.ledger import EXACT, Budget, Kind, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.methods.exhaustive import laws_in_parts
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.divergence import hockey_stick, indistinguishable

_Case = tuple[Distribution[int], Distribution[int], Distribution[int], Fraction]


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
    governs=["spec.divergence"],
    grounds=[EXACT],
    mutants={"corrected statement with 0.9 (1 + e^eps) delta": {"share": Fraction(9, 10)}},
)
def deletion_to_replacement(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """Compare deletion (eps, delta) with replacement (2 eps, share (1 + e^eps) delta); and back, with rho = R(x_0)."""
    order, delta = Fraction(2), Fraction(1, 10)
    p, q, rho = _against_reference(order, delta)
    is_deletion = all(indistinguishable(law, rho, exp_epsilon=order, delta=delta) for law in (p, q))
    reached = hockey_stick(p, q, exp_epsilon=order**2)
    laws = laws_in_parts(budget.pick(quick=3, full=5), 3)

    def slack(r0: Distribution[int], r1: Distribution[int], reference: Distribution[int], E: Fraction) -> Fraction:
        least = max(_least_delta(r0, reference, E), _least_delta(r1, reference, E))
        return share * (1 + E) * least - _least_delta(r0, r1, E**2)

    found = exhaustive.least_slack(product(laws, laws, laws, (Fraction(1), Fraction(3, 2), Fraction(3))), slack=exhaustive.unpacked(slack))
    against = found.counterexample
    return erratum(
        witness="e^eps = 2, delta = 1/10, two messages, Pr(message 1) = 3/10 under R(x), 0 under R(x'), 1/10 under rho: deletion "
        f"(eps, delta)-DP, but the divergence of R(x) from R(x') at e^(2 eps) = 4 is {reached}, not at most 2 delta = 1/5",
        is_witness=is_deletion and reached > 2 * delta,
        corrected="a deletion (eps, delta)-DP randomizer is replacement (2 eps, (1 + e^eps) delta)-DP, and no better in general; "
        "for delta = 0 or eps = 0 the text is right",
        counterexample=None if against is None else f"R(x) = {against[0]}, R(x') = {against[1]}, rho = {against[2]}, e^eps = {against[3]}",
        domain="one exact randomizer; all distributions R(x), R(x'), rho on 3 messages in parts of 1/3 (full: 1/5), e^eps in 1, 3/2, 3, "
        "least delta",
        cases=found.cases + 1,
        slack=None if found.slack is None else f"{found.slack} (the witness attains equality)",
        note="in general D_(e^2eps)(P || Q) <= D_(e^eps)(P || rho) + e^eps D_(e^eps)(rho || Q), summed over outcomes",
    )
