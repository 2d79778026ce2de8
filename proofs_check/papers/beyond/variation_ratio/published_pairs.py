"""The pair published for the variation ratio: refuted where beta is below its largest value, beside the statement that holds."""

from fractions import Fraction

from shuffleproof.proofs_check.ledger import EXACT, Budget, Kind, Verdict, erratum, recalled
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import (
    PairOf,
    general_cases,
    least_margin,
    listed_parameters,
    self_witness,
    shown,
    slack,
)
from shuffleproof.proofs_check.papers.beyond.variation_ratio.theorem import changed_pair, hidden_d, the_pair
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.model import shuffled_law
from shuffleproof.spec.randomizers.k_rr import k_rr

_WITNESS = Parameters(Fraction(4), Fraction(1, 2), Fraction(4))
_ORDER = Fraction(37, 10)  # e^epsilon of the witness: found by a search, and decided exactly


def all_zeros_event() -> tuple[Fraction, Fraction]:
    """P(S) - E Q(S) for k-RR, k = 3, e^eps0 = 4, on (0, 0, 0) and (1, 0, 0), S = "all are 0", E = 37/10; and the published bound."""
    randomizer = k_rr(k=3, exp_epsilon0=Fraction(4))
    first, second = (shuffled_law(randomizer, (x, 0, 0)) for x in (0, 1))
    event = (0, 0, 0)
    return first[event] - _ORDER * second[event], hockey_stick(*hidden_d(3, _WITNESS), exp_epsilon=_ORDER)


@recalled(
    "BEYOND.Published-variation-ratio",
    where="the variation-ratio reduction (Wang et al., VLDB 2024)",
    kind=Kind.READING,
    says="for R_0 <= p R_1, R_1 <= p R_0, TV(R_0, R_1) <= beta and R_0, R_1 <= q R_k the pair (A + D_1, C - A + D_2), "
    "(A + D_2, C - A + D_1) dominates: C ~ Bin(n-1, 2r), A ~ Bin(C, 1/2), (D_1, D_2) = (1, 0), (0, 1), (0, 0) by p alpha, alpha, the rest",
    range="beta <= (p-1)/(p+1)",
    governs=["spec.bounds.variation_ratio.optimal_pair"],
    grounds=[EXACT],
    mutants={
        "the corrected pair with r times 1.01": {"corrected": changed_pair(r_factor=Fraction(101, 100))},
        "the correction left out": {"corrected": hidden_d},
    },
)
def variation_ratio(budget: Budget, *, corrected: PairOf = the_pair) -> Verdict:
    gained, claimed = all_zeros_event()
    own = exhaustive.least_slack(
        [(n, parameters) for n in (1, 2, 3) for parameters in listed_parameters()],
        slack=lambda case: least_margin(corrected(*case), self_witness(*case)),
    )
    random = sampled.least_slack(
        general_cases(largest=3, outputs=2), slack=lambda case: slack(case, corrected), budget=budget, quick=25, full=150
    )
    failing = None
    if own.counterexample is not None:
        failing = f"n = {own.counterexample[0]}, {shown(own.counterexample[1])}: its own mechanism exceeds it"
    elif random.counterexample is not None:
        failing = str(random.counterexample)
    largest_beta = [
        (n, Parameters(p, Fraction(1), q)) for n in (1, 2, 3, 4) for p in (Fraction(3, 2), Fraction(4)) for q in (p, p + 2, Fraction(2))
    ]
    same = exhaustive.for_all(
        largest_beta,
        holds=lambda case: all(
            hockey_stick(*hidden_d(*case), exp_epsilon=E) == hockey_stick(*the_pair(*case), exp_epsilon=E)
            for E in (Fraction(1), Fraction(6, 5), Fraction(3))
        ),
    )
    return erratum(
        witness=f"k-RR, k = 3, e^eps0 = 4, on (0, 0, 0) and (1, 0, 0), E = 37/10: `all reports are 0` alone gives {gained}, "
        f"the published pair with p = q = 4, beta = 1/2 gives {claimed}",
        is_witness=gained > claimed,
        corrected="observe the count d of reports that leave both inputs as likely too: V(n, p, beta, q) of BEYOND.ThmF3; where "
        "beta = (p-1)/(p+1) there is no d and the two agree",
        counterexample=failing if same.holds else f"{same.counterexample}: the pairs differ at the largest beta",
        domain="the printed pair at its witness; the corrected one on a list, against its own mechanism and random adaptive ones",
        cases=own.cases + random.cases + same.cases + 1,
        note="the pair is recalled from the published paper (Wang et al., VLDB 2024) and from code that follows it; the published text was "
        "not at hand",
    )
