"""Methods that speak of all randomizers of a local guarantee, (eps0, delta0)-DP ones too, and of k-ary randomized response."""

from functools import partial

from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.protocols import BIT_SUM_IN_BALLS, BIT_SUM_IN_FLOATS
from shuffleproof.spec.vocabulary.parameters import DELTA0, EPSILON0, K
from shuffleproof.spec.vocabulary.randomizers import K_RR
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
    pair="the closed form of Theorem 3.8 with the best share of delta",
    says="the closed formula for (eps0, delta0)-DP randomizers, with the share of delta that is best for it",
    needs="n >= 1, eps0 <= ln(n / (16 ln(2/delta'))) for the delta' > 0 that delta0 leaves of delta",
    quantities=("epsilon",),
)
_of_k_rr = partial(Method, parameters=(K, EPSILON0), of_randomizer=K_RR)
_of_adaptive_k_rr = partial(
    _of_k_rr,
    mechanisms=Mechanisms.ONE_ADAPTIVE,
    side="upper",
    follows="k-ary randomized response of eps0, of any functions of the data, adaptive too, run on shuffled data satisfies "
    "({epsilon}, {delta})-DP",
)
K_RR_CLONES = _of_adaptive_k_rr(
    name="k-rr-clones",
    statement="FMT21.Cor4.2-pair",
    pair="the pair of Theorem 4.1 with k-RR's p and q, 0 beyond eps0",
    says="k-ary randomized response: numerical, by the refined analysis; for k far above n the clones pair can be smaller",
    needs="n up to about 10^8, k >= 2, eps0 >= 0, any delta",
)
K_RR_PAIR = _of_k_rr(
    name="k-rr-pair",
    statement="FMT21.Sec4.1.pair",
    mechanisms=Mechanisms.ONE,
    pair="shuffled k-RR on the neighbours (1, 3, ..., 3) and (2, 3, ..., 3)",
    side="lower",
    follows="this pair reaches it, so shuffled k-ary randomized response has no smaller {quantity}; other pairs may be worse",
    says="one neighbouring pair of shuffled k-ary randomized response: its privacy is no better than that",
    needs="n up to about 10^8, k >= 3, eps0 >= 0, any delta",
)
K_RR_CLOSED_FORM = _of_adaptive_k_rr(
    name="k-rr-closed-form",
    statement="FMT21.Cor4.2-condition",
    pair="the closed form of Corollary 4.2",
    says="the closed formula for k-ary randomized response: looser, and only in its regime",
    needs="0 < delta <= 1, n >= 2.515 (k + 1)(e^eps0 + k - 1) ln(2/delta)/k",
    quantities=("epsilon",),
)
K_RR_EXHAUSTIVE = _of_k_rr(
    name="k-rr-exhaustive",
    statement="FMT21.Sec4.1.all-pairs",
    mechanisms=Mechanisms.ONE,
    fast_also=BIT_SUM_IN_FLOATS,
    ball_also=BIT_SUM_IN_BALLS,
    also=("FMT21.Sec4.1.binary",),
    renyi_also=("CSUZZ19.Profile.renyi",),
    pair="the worst neighbouring pair of shuffled k-RR",
    side="upper",
    reached=True,
    follows="k-ary randomized response of eps0, one randomizer for all, run on shuffled data satisfies ({epsilon}, {delta})-DP, and not "
    "with a smaller {quantity}",
    says="shuffled k-ary randomized response: tight, the largest divergence over all neighbouring datasets",
    needs="any n where k = 2; for k > 2 and in exact arithmetic 1 <= n <= 6, rational e^eps0 and e^eps",
    quantities=("epsilon", "delta", "renyi"),
)
K_RR_BLANKET = _of_adaptive_k_rr(
    name="k-rr-blanket",
    statement="BEYOND.k-rr-blanket",
    pair="the privacy blanket pair of k-RR",
    says="k-ary randomized response: numerical, the exact sum over its privacy blanket; often within a millionth of k-rr-pair",
    needs="n >= 1, k >= 2, eps0 >= 0, any delta",
)
K_RR_BLANKET_HOEFFDING = _of_adaptive_k_rr(
    name="k-rr-blanket-hoeffding",
    statement="BEYOND.BBGN19-hoeffding",
    pair="BBGN19's bound by Hoeffding's inequality on k-RR's privacy blanket",
    says="a closed formula above the sum of k-rr-blanket, by Hoeffding's inequality",
    needs="n >= 1, k >= 2, eps0 >= 0, any delta",
)
K_RR_BLANKET_BENNETT = _of_adaptive_k_rr(
    name="k-rr-blanket-bennett",
    statement="BEYOND.BBGN19-bennett",
    pair="BBGN19's bound by Bennett's inequality on k-RR's privacy blanket",
    says="a closed formula above the sum of k-rr-blanket, by Bennett's inequality: the smaller one for many categories",
    needs="n >= 1, k >= 2, eps0 >= 0, any delta",
)
