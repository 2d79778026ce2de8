"""CSUZZ19, section 6.2.1, footnote 2: from samples to datasets."""

from fractions import Fraction
from itertools import product

from shuffleproof.proofs_check.ledger import EXACT, Budget, Status, Verdict, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive


@statement(
    "CSUZZ19.Sec6.2.1.footnote-2",
    says="a lower bound for the distributional version of selection implies one for the version on datasets: who names on every dataset a "
    "coordinate within n/10 of the best, with probability 9/10, names one whose mean is within 1/10 + 2t of the best mean, with "
    "probability 9/10 - 2 d e^(-2 n t^2)",
    range="n independent samples of any distribution on {0, 1}^d, t > 0",
    grounds=[EXACT, "sums-and-selection#from-samples-to-datasets", "CSUZZ19.ThmE.2"],
    mutants={"within 1/10 + t of the best mean": {"slacks": 1}},
    missing="Hoeffding's inequality for every coordinate, and the union of d + 1 events",
)
def footnote(budget: Budget, *, slacks: int = 2) -> Verdict:
    """For every grid of sample means and means within t of them: who is within 1/10 in the sample is within 1/10 + slacks t in the mean."""
    tenths = [Fraction(k, 10) for k in range(11)]
    steps = (Fraction(1, 10), Fraction(1, 5))

    def holds(sample: tuple[Fraction, ...], sides: tuple[int, ...], t: Fraction) -> bool:
        means = [s + side * t for s, side in zip(sample, sides, strict=True)]
        named = [j for j, s in enumerate(sample) if s >= max(sample) - Fraction(1, 10)]
        return all(means[j] >= max(means) - Fraction(1, 10) - slacks * t for j in named)

    cases = product(product(tenths, repeat=2), product((-1, 0, 1), repeat=2), steps)
    return exhaustive.for_all(cases, holds=exhaustive.unpacked(holds)).verdict(
        claims=Status.ARGUED,
        domain="all n, d and distributions, by the written argument; two coordinates, sample means in tenths, means at distance 0 or t, "
        "t = 1/10, 1/5",
        witness=lambda c: f"sample means {c[0][0]}, {c[0][1]}, means at {c[1][0]} t, {c[1][1]} t from them, t = {c[2]}",
    )
