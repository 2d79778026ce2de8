"""Methods that speak of all randomizers of a local guarantee: hidden among clones, for (eps0, delta0)-DP randomizers too."""

from functools import partial

from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.parameters import DELTA0, EPSILON0
from shuffleproof.spec.vocabulary.scope import Mechanisms

ANY_MESSAGES = ("BEYOND.LemL1", "BEYOND.LemL4")
"""Coq has the theorems on pairs for finitely many messages; for real ones they rest on the reduction and the induction, as argued."""
_of_all = partial(Method, mechanisms=Mechanisms.EVERY_ADAPTIVE, side="upper", parameters=(EPSILON0,))
CLONES = _of_all(
    name="clones",
    statement="FMT21.Thm3.2",
    fast_also=("FMT21.Thm3.2-mirror", "FMT21.LemF.1"),
    ball_also=("FMT21.Thm3.2-mirror", "FMT21.LemF.1"),
    renyi_also=("BEYOND.Cor-composition", "FMT21.Def6.2", "FMT21.Sec6.1.one-variable", "FMT21.Sec6.1.powers"),
    pair="the clones pair",
    follows="every sequence of eps0-DP local randomizers, adaptive too, run on shuffled data satisfies ({epsilon}, {delta})-DP",
    says="numerical: the profile of the pair of distributions that dominates every sequence of eps0-DP randomizers",
    needs="n >= 1, eps0 >= 0, any delta",
    quantities=("epsilon", "delta", "renyi"),
    composed="profile",
)
CLONES_CLOSED_FORM = _of_all(
    name="clones-closed-form",
    statement="FMT21.Thm3.1",
    also=("FMT21.Thm3.1-condition",),
    pair="the closed form of Theorem 3.1",
    follows=CLONES.follows,
    says="FMT21's closed formula for the setting of clones: looser, and only where eps0 is small for n",
    needs="0 < delta <= 1, eps0 <= ln(n / (16 ln(2/delta)))",
    quantities=("epsilon",),
)
BINARY_RR_PAIR = Method(
    name="binary-rr-pair",
    statement="FMT21.PropG.1",
    mechanisms=Mechanisms.ONE,
    pair="shuffled 2RR on the neighbours (0, ..., 0) and (1, 0, ..., 0)",
    side="lower",
    follows="this pair reaches it, so no bound on {quantity} that holds for all eps0-DP randomizers is smaller; other pairs may be worse",
    says="one neighbouring pair of shuffled binary randomized response: no bound for all eps0-DP randomizers can go below it",
    needs="n >= 1, eps0 >= 0, any delta",
    quantities=("epsilon", "delta", "renyi"),
    parameters=(EPSILON0,),
)
STRONGER_CLONES = _of_all(
    name="stronger-clones",
    statement="BEYOND.CorF2",
    fast_also=("FMT21.Thm3.2-mirror", "FMT21.LemF.1"),
    ball_also=("FMT21.Thm3.2-mirror", "FMT21.LemF.1"),
    also=(*ANY_MESSAGES, "BEYOND.LemL5"),
    renyi_also=("BEYOND.Renyi", "FMT21.Def6.2", "FMT21.Sec6.1.one-variable", "FMT21.Sec6.1.powers"),
    pair="the stronger clones pair",
    follows="every sequence of eps0-DP local randomizers, adaptive too, run on shuffled data satisfies ({epsilon}, {delta})-DP; "
    "randomizers that users bring are covered only where no report is more than e^eps0 times as likely from one user as from another",
    says="the clones pair with clones of probability 2/(e^eps0 + 1) in place of e^-eps0: never larger, often 30 percent smaller",
    needs="n >= 1, eps0 >= 0, any delta",
    quantities=("epsilon", "delta", "renyi"),
    composed="profile",
)
_of_all_approximate = partial(
    Method,
    mechanisms=Mechanisms.LEAKING_ADAPTIVE,
    side="upper",
    follows="every sequence of (eps0, delta0)-DP local randomizers, adaptive too, run on shuffled data satisfies ({epsilon}, {delta})-DP",
    parameters=(EPSILON0, DELTA0),
    infinite_renyi="a randomizer that is (eps0, delta0)-DP may give its input away with probability delta0",
)
APPROX_CLONES = _of_all_approximate(
    name="approximate-clones",
    statement="FMT21.Thm3.8",
    ball_also=("FMT21.Thm3.2-mirror", "FMT21.LemF.1"),
    pair="the clones pair with the delta0 terms of Theorem 3.8, delta0 beyond eps0",
    says="(eps0, delta0)-DP randomizers: the clones pair, plus (e^eps + 1)(1 + e^-eps0/2) n delta0",
    needs="n >= 1, eps0 >= 0, delta0 in [0, 1], and for an epsilon delta >= delta0",
)
STRONGER_APPROX_CLONES = _of_all_approximate(
    name="stronger-approximate-clones",
    statement="FMT21.Thm3.8-constant",
    ball_also=("FMT21.Thm3.2-mirror", "FMT21.LemF.1"),
    pair="the clones pair with the smaller delta0 terms, delta0 beyond eps0",
    says="(eps0, delta0)-DP randomizers: the clones pair, plus delta0 + (e^eps + 1)(3/2) e^-eps0 (n - 1) delta0",
    needs="n >= 1, eps0 >= 0, delta0 in [0, 1], and for an epsilon delta >= delta0",
)
APPROX_CLONES_CLOSED_FORM = _of_all_approximate(
    name="approximate-clones-closed-form",
    statement="FMT21.Thm3.8",
    also=("FMT21.Thm3.1-condition",),
    pair="the closed form of Theorem 3.8 with the best share of delta",
    says="the closed formula for (eps0, delta0)-DP randomizers, with the share of delta that is best for it",
    needs="n >= 1, eps0 <= ln(n / (16 ln(2/delta'))) for the delta' > 0 that delta0 leaves of delta",
    quantities=("epsilon",),
)
