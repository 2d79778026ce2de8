"""FMT21, section 5.1: Theorem 5.2's error beside the central model's, and beside an additive 1/sqrt(n)."""

from fractions import Fraction

from shuffleproof.impl.ball.calibration.frequency import calibrate
from shuffleproof.impl.ball.calibration.theorem_5_2 import prescribed
from shuffleproof.impl.ball.frequency import worst_errors
from shuffleproof.proofs_check.ledger import BALLS, Budget, Cited, Kind, Verdict, erratum, statement
from shuffleproof.proofs_check.papers.fmt21.applications.section5_1_shuffled import PROVED, Choice, explicit_verdict
from shuffleproof.spec.vocabulary.numerals import decimal_text, parse_epsilon

LAPLACE = 8
"""k 2 b^2 = 8 k/(eps n)^2: independent Laplace noise of scale b = 2/(eps n) on k frequencies, two of which change by 1/n."""


@statement(
    "FMT21.Sec5.1.remark-additive-term",
    where="Section 5.1, before Theorem 5.2",
    kind=Kind.READING,
    says="a reading, which drops the text's `in the central model`: for frequency estimation the error is optimal up to an additive "
    "1/sqrt(n), which is necessary in the single message shuffle model",
    range="all k, n, eps, delta",
    governs=["impl.ball.calibration.frequency"],
    grounds=[BALLS, "FMT21.Thm5.2.explicit", "BEYOND.CorF2"],
    mutants={"corrected statement with 100 for 3840": {"choice": Choice(constant=100)}},
)
def additive_term(budget: Budget, *, choice: Choice = PROVED) -> Verdict:
    found = explicit_verdict(choice)
    n = 10**5
    there = calibrate(randomizer="hadamard", n=n, k=2, epsilon="1/2", delta="1e-6")
    times = there.errors.squared_l2[1] * n
    return erratum(
        witness="n = 10^5, k = 2, eps = 1/2, delta = 1e-6: Hadamard response with eps0 = "
        f"{decimal_text(there.value, digits=6, direction='down')}, one message a user, is certified "
        f"(eps, delta)-DP, and its squared l2 error is at most {decimal_text(times, digits=3, direction='up')}/n on every dataset",
        is_witness=times < Fraction(1, 50),
        corrected="no additive term: E ||p(X) - p^||_2^2 <= 3840 k ln(1/delta)/(eps n)^2 with one message of at most log2 k + 2 bits",
        counterexample=None if found.holds else found.witness or found.note,
        domain=found.domain,
        cases=found.cases + 1,
        note="what the lower bound of [GGKPV19] says, as far as is recalled here, is that the largest error of one frequency is at least "
        "about min(n^(1/4), sqrt(k))/n for one message: that allows l2 errors far below 1/sqrt(n)",
    )


@statement(
    "FMT21.Sec5.1.remark-central",
    where="Section 5.1, before Theorem 5.2",
    kind=Kind.READING,
    says="the error matches the optimal error in the central model up to a factor O(sqrt(log(1/delta)))",
    range="all k, n, eps, delta: a reading; the text names no range",
    grounds=[BALLS, "FMT21.Thm5.2.explicit", Cited("the variance 2 b^2 of Laplace noise of scale b")],
    mutants={"corrected statement with 12 for 480": {"factor": 12}},
)
def central(budget: Budget, *, factor: int = 480) -> Verdict:
    """factor ln(1/delta) times the Laplace mechanism's 8 k/(eps n)^2, in squared l2."""
    found = explicit_verdict(Choice(constant=LAPLACE * factor))
    n, k = 100, 10**9
    chosen = prescribed(n=n, epsilon=parse_epsilon("1/10"), delta=Fraction(1, 10**6)).epsilon0
    assert chosen is not None
    error = worst_errors(randomizer="hadamard", k=k, n=n, epsilon0=chosen[1]).squared_l2[0]
    return erratum(
        witness=f"n = 100, k = 10^9, eps = 1/10, delta = 1e-6: at Theorem 5.2's eps0 the error is at least "
        f"{decimal_text(error, digits=3, direction='down')} in squared l2, while the constant answer 0, private in every model, has at "
        "most 1",
        is_witness=error > 10**6,
        corrected="in squared l2 the error is at most 480 ln(1/delta) times the 8 k/(eps n)^2 of independent Laplace noise in the central "
        "model",
        counterexample=None if found.holds else found.witness or found.note,
        domain=found.domain,
        cases=found.cases + 1,
        note="that is the optimum up to a constant for k small beside eps n only, and the lower bound is another paper's; estimates "
        "projected to the simplex never lose more than 2",
    )
