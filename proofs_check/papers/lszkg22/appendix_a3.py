"""LSZKG22, appendix A.3: where the slope of f_C is at least one half."""

from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.proofs_check.ledger import BALLS, Budget, Cited, Kind, Verdict, derived, erratum
from shuffleproof.proofs_check.papers.lszkg22.instances import F

_SIZES = (*range(1, 101), 200, 500, 1000, 3000)


def _not_above(below: Fraction) -> str | None:
    """The first C with f_C'(C - below) < 1/2, in words; None where it is above 1/2 for all of them."""
    for C in _SIZES:
        there = ball(F(C) - below).gamma_upper(arb(C), regularized=1) - arb(1) / 2
        assert there > 0 or there < 0
        if there < 0:
            return f"C = {C}, l = C - {below}: f_C'(l) is not above 1/2"
    return None


@derived(
    "LSZKG22.AppA.3.median",
    where="Appendix A.3, what its first sentence is used for",
    says="f_C'(l) > 1/2 for l <= C - 1/3: the median of the Gamma(C) distribution is above C - 1/3",
    range="integer C >= 1",
    governs=["impl.ball.debiasing"],
    grounds=[BALLS, Cited("Choi, 1994 (all C)", "user-histograms#the-clipped-mean-of-poisson-counts")],
    mutants={"l <= C - 3/10": {"below": F(3, 10)}},
    missing="the median for every C, which is cited; it is certified for C <= 100 and a few more",
)
def median(budget: Budget, *, below: Fraction = F(1, 3)) -> Verdict:
    failing = _not_above(below)
    domain = "C = 1, ..., 100, 200, 500, 1000, 3000; f_C' falls with l"
    return Verdict.certified(domain=domain, cases=len(_SIZES), against=failing if failing else None)


@derived(
    "LSZKG22.AppA.3.slope",
    where="Appendix A.3, first sentence (its formulas are lost)",
    kind=Kind.READING,
    says="a reading: when l <= C, f_C'(l) >= 1/2",
    range="integer C >= 1",
    governs=["impl.ball.debiasing"],
    grounds=[BALLS, Cited("Choi, 1994 (all C)")],
    mutants={"corrected statement with C - 3/10": {"below": F(3, 10)}},
)
def slope(budget: Budget, *, below: Fraction = F(1, 3)) -> Verdict:
    """f_C'(C - below) > 1/2, certified for C <= 100 and a few more; at l = C it is below 1/2."""
    sizes, failing = _SIZES, _not_above(below)
    at_C = [ball(C).gamma_upper(arb(C), regularized=1) < arb(1) / 2 for C in sizes]
    return erratum(
        witness="l = C for each of C = 1, ..., 100: f_C'(C) = P(Poi(C) < C) < 1/2, 1/e at C = 1",
        is_witness=all(at_C),
        corrected="f_C'(l) > 1/2 for l <= C - 1/3 (the median of the Gamma(C) distribution is above C - 1/3), so lbar <= C - 1/3 is what "
        "(1) needs",
        counterexample=failing,
        domain="C = 1, ..., 100, 200, 500, 1000, 3000; f_C' falls with l",
        cases=2 * len(sizes),
    )
