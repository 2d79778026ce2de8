"""Methods that speak of k-ary randomized response."""

from functools import partial

from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.protocols import BIT_SUM_IN_BALLS, BIT_SUM_IN_FLOATS
from shuffleproof.spec.vocabulary.parameters import EPSILON0, K
from shuffleproof.spec.vocabulary.randomizers import K_RR
from shuffleproof.spec.vocabulary.scope import Mechanisms

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
