"""The bounds that can be asked for by name: what each one's number is of, and what follows from it."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.parameters import (
    BETA,
    CHANGED,
    COINS,
    DELTA0,
    DISHONEST,
    EPSILON0,
    FAKES,
    LAMBDA,
    MESSAGES,
    MODULUS,
    NOISE,
    RATIO,
    SENSITIVITY,
    SIGMA,
    VARIANCE,
    K,
    Q,
    R,
)
from shuffleproof.spec.vocabulary.randomizers import KRR, NAMED, RANDOMIZER, SIZES, LocalHashing, NamedRandomizer
from shuffleproof.spec.vocabulary.relation import Relation

MethodName = Literal[
    "clones",
    "stronger-clones",
    "clones-closed-form",
    "binary-rr-pair",
    "approximate-clones",
    "stronger-approximate-clones",
    "approximate-clones-closed-form",
    "k-rr-clones",
    "k-rr-closed-form",
    "k-rr-pair",
    "k-rr-exhaustive",
    "k-rr-blanket",
    "k-rr-blanket-hoeffding",
    "k-rr-blanket-bennett",
    "zero-sum",
    "histogram",
    "bit-sum",
    "real-sum-untagged",
    "real-sum-tagged",
    "coordinate-sums",
    "asymmetric-coordinate-sums",
    "laplace-sum",
    "binomial-sum",
    "discrete-gaussian-sum",
    "split-and-mix",
    "fake-users",
    "optimal-pair",
    "randomizer-pair",
    "randomizer-lower",
    "blanket",
    "hidden-groups",
    "another-place",
    "another-place-for-all",
    "homogeneous",
    "gaussian-blanket",
    "gaussian-homogeneous",
    "leaking-response",
]
"""The names that can be asked for, for type checkers."""

CLONES = Method(
    name="clones",
    statement="FMT21.Thm3.2",
    pair="the clones pair",
    side="upper",
    follows="every sequence of eps0-DP local randomizers, adaptive too, run on shuffled data satisfies ({epsilon}, {delta})-DP",
    says="numerical: the profile of the pair of distributions that dominates every sequence of eps0-DP randomizers",
    needs="n >= 1, eps0 >= 0, any delta",
    quantities=("epsilon", "delta", "renyi"),
    parameters=(EPSILON0,),
)
CLONES_CLOSED_FORM = Method(
    name="clones-closed-form",
    statement="FMT21.Thm3.1",
    pair="the closed form of Theorem 3.1",
    side="upper",
    follows="every sequence of eps0-DP local randomizers, adaptive too, run on shuffled data satisfies ({epsilon}, {delta})-DP",
    says="the closed formula for the same setting: looser, and only in its regime",
    needs="0 < delta <= 1, eps0 <= ln(n / (16 ln(2/delta)))",
    quantities=("epsilon",),
    parameters=(EPSILON0,),
)
BINARY_RR_PAIR = Method(
    name="binary-rr-pair",
    statement="FMT21.PropG.1",
    pair="shuffled 2RR on the neighbours (0, ..., 0) and (1, 0, ..., 0)",
    side="lower",
    follows="this pair reaches it, so no bound on {quantity} that holds for all eps0-DP randomizers is smaller; other pairs may be worse",
    says="one neighbouring pair of shuffled binary randomized response: no bound for all eps0-DP randomizers can go below it",
    needs="n >= 1, eps0 >= 0, any delta",
    quantities=("epsilon", "delta", "renyi"),
    parameters=(EPSILON0,),
)
STRONGER_CLONES = Method(
    name="stronger-clones",
    statement="BEYOND.CorF2",
    pair="the stronger clones pair",
    side="upper",
    follows="every sequence of eps0-DP local randomizers attached to the steps, adaptive too, run on shuffled data satisfies "
    "({epsilon}, {delta})-DP; users' own randomizers are covered only where R_0, R_1 <= e^eps0 R_k holds across them",
    says="the same with more clones, 2/(e^eps0 + 1) of the others for e^-eps0: never larger, often 30 percent smaller",
    needs="n >= 1, eps0 >= 0, any delta",
    quantities=("epsilon", "delta", "renyi"),
    parameters=(EPSILON0,),
)
OPTIMAL_PAIR = Method(
    name="optimal-pair",
    statement="BEYOND.ThmF3",
    pair="the optimal pair of (p, beta, q)",
    side="upper",
    follows="local randomizers attached to the steps, adaptive too, with R_0 <= p R_1, R_1 <= p R_0, TV(R_0, R_1) <= beta and "
    "R_0, R_1 <= q R_k at every step, run on shuffled data, satisfy ({epsilon}, {delta})-DP; users' own randomizers, on alphabets of "
    "their own, are covered only where this holds across them",
    says="the least pair for randomizers with R_0 <= p R_1, R_1 <= p R_0, total variation at most beta, and R_0, R_1 <= q R_k",
    needs='n >= 1, p >= 1 or "infinity", beta in [0, 1], q >= 1: round all three up',
    quantities=("epsilon", "delta", "renyi"),
    parameters=(RATIO, BETA, Q),
)
ZERO_SUM = Method(
    name="zero-sum",
    statement="BC20.Thm3.1",
    pair="Bin(n, p) and its shift by one",
    side="upper",
    reached=True,
    follows="the zero-sum protocol of n users with noise Bern(p) each satisfies ({epsilon}, {delta})-DP, and not with a {quantity} below "
    "the value's lower end: every two neighbouring datasets give this pair",
    says="the zero-sum protocol for binary sums: how private it is with its noise parameter p, neither more nor less",
    needs="n >= 1, p in [0, 1], and for an epsilon delta >= max(p, 1 - p)^n",
    quantities=("epsilon", "delta"),
    parameters=(NOISE,),
    optional=(DISHONEST,),
    infinite_renyi="at one end the number of messages gives the dataset away",
)
HISTOGRAM = Method(
    name="histogram",
    statement="BC20.Thm3.2",
    pair="two bins of the histogram, one count up and one down",
    side="upper",
    reached=True,
    follows="the histogram protocol of n users with noise Bern(p) in each of two bins or more satisfies ({epsilon}, {delta})-DP, and not "
    "with a {quantity} below the value's lower end: every two neighbouring datasets give this pair",
    says="the histogram protocol for two bins or more: how private it is with its noise parameter p, neither more nor less",
    needs="n >= 1, p in [0, 1], and for an epsilon delta >= p^n + (1 - p)^n - (p (1 - p))^n",
    quantities=("epsilon", "delta"),
    parameters=(NOISE,),
    optional=(DISHONEST,),
    infinite_renyi="at its ends the number of messages of a bin gives the dataset away",
)
BIT_SUM = Method(
    name="bit-sum",
    statement="CSUZZ19.Def3.4.bit-sum",
    pair="the worst neighbouring pair of the bit sum",
    side="upper",
    reached=True,
    follows="the bit sum of n users with parameter lambda satisfies ({epsilon}, {delta})-DP, and not with a {quantity} below the value's "
    "lower end: the value is over all neighbouring datasets",
    says="the bit sum, n bits by randomized response: how private it is with its parameter lambda, over all datasets",
    needs="n >= 1, lambda in [0, n], and for an epsilon or a Renyi divergence lambda > 0",
    quantities=("epsilon", "delta", "renyi"),
    parameters=(LAMBDA,),
)
REAL_SUM_UNTAGGED = Method(
    name="real-sum-untagged",
    statement="CSUZZ19.Sec5.3.untagged",
    pair="the worst neighbouring pair of the untagged real sum",
    side="upper",
    reached=True,
    follows="the real sum of n users with parameters lambda and r, whose messages carry no tags and are all shuffled together, satisfies "
    "({epsilon}, {delta})-DP, and not with a {quantity} below the value's lower end: the value is over all neighbouring datasets",
    says="the real sum, r bits from each user: how private it is where all bits are shuffled together, over all datasets",
    needs="n >= 1, lambda in [0, n], r from 1 to 10^4, and for an epsilon or a Renyi divergence lambda > 0",
    quantities=("epsilon", "delta", "renyi"),
    parameters=(LAMBDA, R),
)
REAL_SUM_TAGGED = Method(
    name="real-sum-tagged",
    statement="CSUZZ19.Sec5.3.tagged",
    pair="the worst neighbouring pair of the tagged real sum",
    side="upper",
    reached=True,
    follows="the real sum of n users with parameters lambda and r, whose r runs can be told apart, satisfies ({epsilon}, {delta})-DP, and "
    "not with a {quantity} below the value's lower end: the value is over all neighbouring datasets",
    says="the same where the r runs can be told apart: never smaller, and often hardly larger",
    needs="n >= 1, lambda in [0, n], r from 1 to 256, and for an epsilon or a Renyi divergence lambda > 0",
    quantities=("epsilon", "delta", "renyi"),
    parameters=(LAMBDA, R),
)
COORDINATE_SUMS = Method(
    name="coordinate-sums",
    statement="BEYOND.coordinate-sums",
    pair="the worst neighbouring pair of the coordinate sums of RAPPOR reports",
    side="upper",
    reached=True,
    follows="who sees only the sum of each coordinate of n RAPPOR reports, eps0 for a whole change, sees something that is ({epsilon}, "
    "{delta})-DP, and not with a {quantity} below the value's lower end: the value is over all neighbouring datasets",
    says="RAPPOR where only the sums of the coordinates are released, as by secure aggregation: how private they are, over all datasets",
    needs="n >= 1, eps0 >= 0 for the whole change, each bit keeping eps0/changed; three items or more",
    quantities=("epsilon", "delta", "renyi"),
    parameters=(CHANGED, EPSILON0),
)
ASYMMETRIC_SUMS = Method(
    name="asymmetric-coordinate-sums",
    statement="BEYOND.asymmetric-sums",
    pair="the worst neighbouring pair of the coordinate sums of asymmetric RAPPOR reports",
    side="upper",
    reached=True,
    follows="who sees only the sum of each coordinate of n asymmetric RAPPOR reports, eps0 for a report, sees something that is "
    "({epsilon}, {delta})-DP, and not with a {quantity} below the value's lower end: the value is over all neighbouring datasets",
    says="the same of asymmetric RAPPOR, whose own bit is 1 with probability 1/2 and every other one with 1/(e^eps0 + 1)",
    needs="n >= 1, eps0 >= 0 of a report where an item is replaced; three items or more",
    quantities=("epsilon", "delta"),
    parameters=(CHANGED, EPSILON0),
)
LAPLACE_SUM = Method(
    name="laplace-sum",
    statement="BEYOND.laplace-sum",
    pair="discrete Laplace noise and its shift by the sensitivity",
    side="upper",
    reached=True,
    follows="a sum of integers that one user's data moves by at most the sensitivity, under secure aggregation where at least n "
    "honest users each add the n-th part of discrete Laplace noise of ratio e^(-eps0/sensitivity), is ({epsilon}, {delta})-DP, and not "
    "with a {quantity} below the value's lower end where exactly n are honest and some data move it that far",
    says="a sum under secure aggregation, discrete Laplace noise added in parts by everybody: how private it is, neither more nor less",
    needs="n >= 1 honest users, sensitivity >= 1, eps0 >= 0: what it costs at delta = 0",
    quantities=("epsilon", "delta"),
    parameters=(SENSITIVITY, EPSILON0),
)
BINOMIAL_SUM = Method(
    name="binomial-sum",
    statement="BEYOND.binomial-sum",
    pair="binomial noise and its shift by the sensitivity",
    side="upper",
    reached=True,
    follows="a sum of integers that one user's data moves by at most the sensitivity, under secure aggregation where at least n "
    "honest users each add the heads of so many coins Bern(p), is ({epsilon}, {delta})-DP, and not with a {quantity} below the value's "
    "lower end where exactly n are honest and some data move it that far",
    says="a sum under secure aggregation, coins added by everybody: how private it is, neither more nor less",
    needs="n >= 1 honest users, sensitivity >= 1, coins >= 1, p in [0, 1]; for an epsilon delta at least the chance of fewer "
    "heads, or tails, than the sensitivity",
    quantities=("epsilon", "delta"),
    parameters=(SENSITIVITY, COINS, NOISE),
    infinite_renyi="at its ends the sum gives the data away",
)
DISCRETE_GAUSSIAN_SUM = Method(
    name="discrete-gaussian-sum",
    statement="BEYOND.discrete-gaussian-sum",
    pair="the sum of n discrete Gaussians and its shift by the sensitivity",
    side="upper",
    reached=True,
    follows="a sum of integers that one user's data moves by at most the sensitivity, under secure aggregation where at least n "
    "honest users each add discrete Gaussian noise of this variance, is ({epsilon}, {delta})-DP, and not with a {quantity} below the "
    "value's lower end where exactly n are honest and some data move it that far",
    says="a sum under secure aggregation, discrete Gaussian noise from everybody: by the exact law of the noises' sum",
    needs="n >= 1 honest users, sensitivity >= 1, variance above 0; for an epsilon delta > 0",
    quantities=("epsilon", "delta"),
    parameters=(SENSITIVITY, VARIANCE),
)
SPLIT_AND_MIX = Method(
    name="split-and-mix",
    statement="BEYOND.split-and-mix",
    pair="discrete Laplace noise and its shift, with the distance of mixed shares from uniform ones",
    side="upper",
    follows="a sum modulo q of integers that one user's data moves by at most the sensitivity, where at least n honest users each add the "
    "n-th part of discrete Laplace noise of ratio e^(-eps0/sensitivity) and split it into so many shares, which are all shuffled, is "
    "({epsilon}, {delta})-DP, and so is everything that the shuffled messages show",
    says="a sum by shares that are shuffled, discrete Laplace noise in parts: nobody is trusted to add, and the shuffler alone to mix",
    needs="n >= 1 honest users, messages >= 1, modulus >= 2; beyond 160 users so many messages that the bound is shown; for an epsilon "
    "delta at least (1 + e^eps0) times the distance of the shares",
    quantities=("epsilon", "delta"),
    parameters=(MESSAGES, MODULUS, SENSITIVITY, EPSILON0),
)
FAKE_USERS = Method(
    name="fake-users",
    statement="BEYOND.fake-users",
    pair="two bins of a histogram, one count up and one down, with the noise of fake users",
    side="upper",
    reached=True,
    follows="a histogram of two bins or more, to which the shuffler adds the noise Bern(p) of so many fake users in each bin, satisfies "
    "({epsilon}, {delta})-DP, whatever the n users know of each other, and not with a {quantity} below the value's lower end",
    says="a histogram to which the shuffler adds fake users: every user sends their item and no noise; how private it is, exactly",
    needs="n >= 1, fakes >= 1, p in [0, 1], and for an epsilon delta >= p^f + (1 - p)^f - (p (1 - p))^f, f the fakes",
    quantities=("epsilon", "delta"),
    parameters=(FAKES, NOISE),
    infinite_renyi="at its ends the number of messages of a bin gives the dataset away",
)
GAUSSIAN = Method(
    name="gaussian",
    statement="LSZKG22.Alg1.gaussian-profile",
    pair="N(mu, 1) and N(0, 1), mu = sensitivity/sigma",
    side="upper",
    follows="adding N(0, sigma^2) to every coordinate satisfies ({epsilon}, {delta})-DP where neighbours move the sum by at most the "
    "sensitivity in l2, and not with a {quantity} below the value's lower end where some move it that far",
)
DISCRETE_GAUSSIAN = Method(
    name="discrete-gaussian",
    statement="LSZKG22.Alg1.discrete-gaussian",
    pair="the concentrated-DP bound on discrete Gaussian noise",
    side="upper",
    follows="adding the discrete Gaussian to every coordinate satisfies ({epsilon}, {delta})-DP where neighbours move the integer sum by "
    "at most the sensitivity in l2, in any dimension",
)
_APPROXIMATE = "every sequence of (eps0, delta0)-DP local randomizers, adaptive too, run on shuffled data satisfies ({epsilon}, {delta})-DP"
_GIVEN_AWAY = "a randomizer that is (eps0, delta0)-DP may give its input away with probability delta0"
APPROX_CLONES = Method(
    name="approximate-clones",
    statement="FMT21.Thm3.8",
    pair="the clones pair with the delta0 terms of Theorem 3.8, delta0 beyond eps0",
    side="upper",
    follows=_APPROXIMATE,
    says="(eps0, delta0)-DP randomizers: the clones pair, plus (e^eps + 1)(1 + e^-eps0/2) n delta0",
    needs="n >= 1, eps0 >= 0, delta0 in [0, 1], and for an epsilon delta >= delta0",
    quantities=("epsilon", "delta"),
    parameters=(EPSILON0, DELTA0),
    infinite_renyi=_GIVEN_AWAY,
)
STRONGER_APPROX_CLONES = Method(
    name="stronger-approximate-clones",
    statement="FMT21.Thm3.8-constant",
    pair="the clones pair with the smaller delta0 terms, delta0 beyond eps0",
    side="upper",
    follows=_APPROXIMATE,
    says="the same with a smaller price, (e^eps + 1)(3/2) e^-eps0 (n - 1) delta0 + delta0: never larger",
    needs="n >= 1, eps0 >= 0, delta0 in [0, 1], and for an epsilon delta >= delta0",
    quantities=("epsilon", "delta"),
    parameters=(EPSILON0, DELTA0),
    infinite_renyi=_GIVEN_AWAY,
)
APPROX_CLONES_CLOSED_FORM = Method(
    name="approximate-clones-closed-form",
    statement="FMT21.Thm3.8",
    pair="the closed form of Theorem 3.8 with the best share of delta",
    side="upper",
    follows=_APPROXIMATE,
    says="the closed formula for (eps0, delta0)-DP randomizers, with the share of delta that is best for it",
    needs="n >= 1, eps0 <= ln(n / (16 ln(2/delta'))) for the delta' > 0 that delta0 leaves of delta",
    quantities=("epsilon",),
    parameters=(EPSILON0, DELTA0),
    infinite_renyi=_GIVEN_AWAY,
)
K_RR_CLONES = Method(
    name="k-rr-clones",
    statement="FMT21.Cor4.2-pair",
    pair="the pair of Theorem 4.1 with kRR's p and q, 0 beyond eps0",
    side="upper",
    follows="k-ary randomized response of eps0, of any functions of the data, adaptive too, run on shuffled data satisfies "
    "({epsilon}, {delta})-DP",
    says="k-ary randomized response: numerical, by the refined analysis; for k far above n the clones pair can be smaller",
    needs="n up to about 10^8, k >= 2, eps0 >= 0, any delta",
    quantities=("epsilon", "delta"),
    parameters=(K, EPSILON0),
    of_randomizer=KRR,
)
K_RR_PAIR = Method(
    name="k-rr-pair",
    statement="FMT21.Sec4.1.pair",
    pair="shuffled kRR on the neighbours (1, 3, ..., 3) and (2, 3, ..., 3)",
    side="lower",
    follows="this pair reaches it, so shuffled k-ary randomized response has no smaller {quantity}; other pairs may be worse",
    says="one neighbouring pair of shuffled k-ary randomized response: its privacy is no better than that",
    needs="n up to about 10^8, k >= 3, eps0 >= 0, any delta",
    quantities=("epsilon", "delta"),
    parameters=(K, EPSILON0),
    of_randomizer=KRR,
)
DISCRETE_GAUSSIAN_LINE = Method(
    name="discrete-gaussian-line",
    statement="LSZKG22.Alg1.discrete-gaussian-line",
    pair="the discrete Gaussian and its shift by the sensitivity",
    side="upper",
    follows="adding the discrete Gaussian to one integer sum that neighbours move by at most the sensitivity satisfies ({epsilon}, "
    "{delta})-DP, and not with a {quantity} below the value's lower end where some move it that far",
)
SUBSAMPLED_GAUSSIAN = Method(
    name="subsampled-gaussian",
    statement="LSZKG22.Cor4.3.sampled",
    pair="the Renyi bound on sampled Gaussian steps",
    side="upper",
    follows="Gaussian steps on Poisson samples of the users, chosen adaptively, together satisfy ({epsilon}, {delta})-DP",
    relation=Relation.ADD_REMOVE,
)
SHUFFLED_BATCHES = Method(
    name="shuffled-batches",
    statement="BEYOND.shuffled-batches",
    pair="the event that some batch's sum is large, where all other gradients are -1",
    side="lower",
    follows="one epoch of Gaussian steps over shuffled batches, of which one record's gradient may be replaced by zero, has no smaller "
    "{quantity}: amplification by shuffling does not apply to it, and sampling is another mechanism",
)
RANDOM_PARTICIPATION = Method(
    name="random-participation",
    statement="BEYOND.random-participation",
    pair="the mixture over how many take part",
    side="upper",
    follows="the shuffled reports of those of n users who take part, each with a probability of their own hidden toss, satisfy ({epsilon}, "
    "{delta})-DP",
)
ONE_BIT_PARTICIPATION = Method(
    name="random-participation-bit",
    statement="BEYOND.random-participation",
    pair="randomized response of users who take part at random, on (1, 0, ..., 0) and (0, ..., 0)",
    side="lower",
    follows="this pair reaches it, so binary randomized response of users who take part at random has no smaller {quantity}",
)
K_RR_CLOSED_FORM = Method(
    name="k-rr-closed-form",
    statement="FMT21.Cor4.2-condition",
    pair="the closed form of Corollary 4.2",
    side="upper",
    follows="k-ary randomized response of eps0, of any functions of the data, adaptive too, run on shuffled data satisfies "
    "({epsilon}, {delta})-DP",
    says="the closed formula for k-ary randomized response: looser, and only in its regime",
    needs="0 < delta <= 1, n >= 2.515 (k + 1)(e^eps0 + k - 1) ln(2/delta)/k",
    quantities=("epsilon",),
    parameters=(K, EPSILON0),
    of_randomizer=KRR,
)
K_RR_EXHAUSTIVE = Method(
    name="k-rr-exhaustive",
    statement="FMT21.Sec4.1.all-pairs",
    pair="the worst neighbouring pair of shuffled kRR",
    side="upper",
    reached=True,
    follows="k-ary randomized response of eps0, one randomizer for all, run on shuffled data satisfies ({epsilon}, {delta})-DP, and not "
    "with a smaller {quantity}",
    says="shuffled k-ary randomized response over all neighbouring datasets: how private it is, neither more nor less",
    needs="any n where k = 2; for k > 2 and in exact arithmetic 1 <= n <= 6, rational e^eps0 and e^eps",
    quantities=("epsilon", "delta", "renyi"),
    parameters=(K, EPSILON0),
    of_randomizer=KRR,
)
K_RR_BLANKET = Method(
    name="k-rr-blanket",
    statement="BEYOND.k-rr-blanket",
    pair="the privacy blanket pair of kRR",
    side="upper",
    follows="k-ary randomized response of eps0, of any functions of the data, adaptive too, run on shuffled data satisfies "
    "({epsilon}, {delta})-DP",
    says="k-ary randomized response: numerical, the exact sum over its privacy blanket; often within a millionth of k-rr-pair",
    needs="n >= 1, k >= 2, eps0 >= 0, any delta",
    quantities=("epsilon", "delta"),
    parameters=(K, EPSILON0),
    of_randomizer=KRR,
)
K_RR_BLANKET_HOEFFDING = Method(
    name="k-rr-blanket-hoeffding",
    statement="BEYOND.BBGN19-hoeffding",
    pair="BBGN19's bound by Hoeffding's inequality on kRR's privacy blanket",
    side="upper",
    follows=K_RR_BLANKET.follows,
    says="a closed formula above that sum, by Hoeffding's inequality",
    needs="n >= 1, k >= 2, eps0 >= 0, any delta",
    quantities=("epsilon", "delta"),
    parameters=(K, EPSILON0),
    of_randomizer=KRR,
)
K_RR_BLANKET_BENNETT = Method(
    name="k-rr-blanket-bennett",
    statement="BEYOND.BBGN19-bennett",
    pair="BBGN19's bound by Bennett's inequality on kRR's privacy blanket",
    side="upper",
    follows=K_RR_BLANKET.follows,
    says="a closed formula above that sum, by Bennett's inequality: the smaller one for many categories",
    needs="n >= 1, k >= 2, eps0 >= 0, any delta",
    quantities=("epsilon", "delta"),
    parameters=(K, EPSILON0),
    of_randomizer=KRR,
)
RANDOMIZER_PAIR = Method(
    name="randomizer-pair",
    statement="BEYOND.ThmF3",
    pair="the optimal pair of the randomizer's (p, beta, q), rounded up where irrational",
    side="upper",
    follows="the named randomizer, of any functions of the data, adaptive too, used by every user and run on shuffled data satisfies "
    "({epsilon}, {delta})-DP",
    says=f"the same with p, beta and q computed: {', '.join(NAMED)}",
    needs="n >= 1, eps0 >= 0; --k for krr; --k and --d for subset; --k for hadamard (and --blocks); --buckets for hash",
    quantities=("epsilon", "delta", "renyi"),
    parameters=(RANDOMIZER, EPSILON0),
    optional=SIZES,
)
RANDOMIZER_LOWER = Method(
    name="randomizer-lower",
    statement="BEYOND.randomizer-lower",
    pair="the kinds of the randomizer's shuffled reports on (x_0, z, ..., z) and (x_1, z, ..., z), z a third item or x_1",
    side="lower",
    follows="the neighbours (x_0, z, ..., z) and (x_1, z, ..., z), z a third item or x_1, reach it, so the named randomizer, used by every "
    "user and run on shuffled data, has no smaller {quantity} (hash functions uniform, three items or more where k is not given); other "
    "pairs may be worse",
    says="one neighbouring pair of a named randomizer, its reports merged into a few kinds: its privacy is no better than that",
    needs="n up to about 10^8, eps0 >= 0; what randomizer-pair needs; hash functions uniform, three items or more unless --k says 2",
    quantities=("epsilon", "delta"),
    parameters=(RANDOMIZER, EPSILON0),
    optional=SIZES,
    uniform_hashing=True,
)
BLANKET = Method(
    name="blanket",
    statement="BEYOND.any-law-above",
    pair="the named randomizer's privacy blanket, by its whole law",
    side="upper",
    follows="the named randomizer, used by every user and run on shuffled data, satisfies ({epsilon}, {delta})-DP "
    "(hash functions uniform; any number of items where k is not given)",
    says="a named randomizer: numerical, by everything its law says and not p, beta and q alone; never above randomizer-pair",
    needs="n >= 1, eps0 >= 0; what randomizer-pair needs; hash functions uniform, for all items together where k is given, else pairwise; "
    "up to six digits",
    quantities=("epsilon", "delta"),
    parameters=(RANDOMIZER, EPSILON0),
    optional=SIZES,
    uniform_hashing=True,
)
HIDDEN_GROUPS = Method(
    name="hidden-groups",
    statement="BEYOND.any-law-groups",
    pair="the named randomizer's report among those of other users that are hidden in groups of up to three",
    side="upper",
    follows="the named randomizer, used by every user and run on shuffled data, satisfies ({epsilon}, {delta})-DP "
    "(hash functions uniform; any number of items where k is not given)",
    says="a named randomizer: numerical, other users hidden together where their items balance; below blanket for many users",
    needs="n >= 1, eps0 > 0; rappor, asymmetric-rappor or hash with uniform functions; float64 only",
    quantities=("epsilon", "delta"),
    parameters=(RANDOMIZER, EPSILON0),
    optional=SIZES,
    uniform_hashing=True,
)
ANOTHER_PLACE = Method(
    name="another-place",
    statement="BEYOND.any-law-place",
    pair="the named randomizer's report in the place of a random other user's, the others' reports told with their senders",
    side="upper",
    follows="the named randomizer, used by every user and run on shuffled data, satisfies ({epsilon}, {delta})-DP "
    "(hash functions uniform; any number of items where k is not given)",
    says="a named randomizer: numerical, whatever the others hold; for many users it tends to what homogeneous datasets reach",
    needs="n >= 1, eps0 > 0; hash functions uniform, for all items together where k is given, else for any three; float64 only",
    quantities=("epsilon", "delta"),
    parameters=(RANDOMIZER, EPSILON0),
    optional=SIZES,
    uniform_hashing=True,
)
ANOTHER_PLACE_FOR_ALL = Method(
    name="another-place-for-all",
    statement="BEYOND.any-law-all-randomizers",
    pair="a report in the place of a random other user's, for all eps0-DP randomizers together",
    side="upper",
    follows="every eps0-DP local randomizer, not adaptive and used by every user, run on shuffled data satisfies ({epsilon}, {delta})-DP",
    says="numerical: for many users no eps0-DP randomizer leaves a gap to it, 3-ary response or binary response reach it",
    needs="n >= 1, eps0 > 0; one randomizer for all users, no answer to earlier reports; float64 only",
    quantities=("epsilon", "delta"),
    parameters=(EPSILON0,),
)
HOMOGENEOUS = Method(
    name="homogeneous",
    statement="BEYOND.any-law-below",
    pair="the neighbours (x_0, z, ..., z) and (x_1, z, ..., z), all reports told apart (Laplace noise on [0, 1] in 256 cells)",
    side="lower",
    follows="the neighbours (x_0, z, ..., z) and (x_1, z, ..., z) reach it, so the named randomizer, used by every user and run on "
    "shuffled data, has no smaller {quantity} (hash functions uniform, three items or more where k is not given); other pairs may be worse",
    says="neighbouring datasets of a named randomizer in which all others hold one item: its privacy is no better than that",
    needs="n >= 1, eps0 >= 0; what randomizer-pair needs; hash functions uniform, three items or more unless --k says 2; up to six digits",
    quantities=("epsilon", "delta"),
    parameters=(RANDOMIZER, EPSILON0),
    optional=SIZES,
    uniform_hashing=True,
)
GAUSSIAN_BLANKET = Method(
    name="gaussian-blanket",
    statement="BEYOND.any-law-gaussian",
    pair="the privacy blanket of Gaussian noise on [0, 1], the least of the densities at its ends",
    side="upper",
    follows="numbers in [0, 1], to each of which its user adds N(0, sigma^2), run on shuffled data, satisfy ({epsilon}, {delta})-DP",
    says="Gaussian noise of each user on a number in [0, 1]: numerical, by its whole law; no pure local privacy is needed",
    needs="n >= 1, sigma from 1/10 to 10^6, and for an epsilon delta > 0; float64 only",
    quantities=("epsilon", "delta"),
    parameters=(SIGMA,),
)
GAUSSIAN_HOMOGENEOUS = Method(
    name="gaussian-homogeneous",
    statement="BEYOND.any-law-gaussian",
    pair="Gaussian noise on the neighbours (0, 0, ..., 0) and (1, 0, ..., 0), reports merged into cells",
    side="lower",
    follows="the neighbours (0, 0, ..., 0) and (1, 0, ..., 0) reach it, so shuffled numbers in [0, 1], to each of which its user adds "
    "N(0, sigma^2), have no smaller {quantity}; other pairs may be worse",
    says="one neighbouring pair of shuffled numbers with Gaussian noise: their privacy is no better than that",
    needs="n >= 1, sigma from 1/10 to 10^6, and for an epsilon delta > 0; float64 only",
    quantities=("epsilon", "delta"),
    parameters=(SIGMA,),
)
LEAKING_RESPONSE = Method(
    name="leaking-response",
    statement="BEYOND.any-law-leaking",
    pair="binary or 3-ary response that gives its input away with probability delta0, all others alike",
    side="lower",
    follows="this randomizer is (eps0, delta0)-DP, and neighbouring datasets reach it, so no bound on {quantity} that holds for all "
    "(eps0, delta0)-DP randomizers is smaller; other randomizers may be worse",
    says="(eps0, delta0)-DP randomizers, from below: response that leaks with probability delta0, by its whole law",
    needs="n >= 1, eps0 >= 0, delta0 in [0, 1], and for an epsilon delta >= delta0",
    quantities=("epsilon", "delta"),
    parameters=(EPSILON0, DELTA0),
)


def with_dishonest(method: Method, dishonest: int) -> Method:
    """The zero sum or the histogram where some users send no noise, or tell theirs: what follows for the others."""
    if not dishonest:
        return method
    protocol = "zero-sum protocol" if method is ZERO_SUM else "histogram protocol with two bins or more"
    noise = "Bern(p)" if method is ZERO_SUM else "Bern(p) in each bin"
    return replace(
        method,
        statement=f"{method.statement}-dishonest",
        pair=f"{method.pair}, with the noise of the honest users only",
        follows=f"the {protocol} of n users, of whom {dishonest} or fewer send no noise or tell theirs and the others send noise {noise}, "
        "is ({epsilon}, {delta})-DP for every honest user, and not with a {quantity} below the value's lower end",
    )


def about_family(method: Method, randomizer: NamedRandomizer) -> NamedRandomizer:
    """A randomizer as the method speaks of it: hashing with the family of functions named. Raises DomainError where it is of another.

    A lower bound for uniform functions is one for the worst family, of which they are one.
    """
    if not isinstance(randomizer, LocalHashing):
        return randomizer
    if method.uniform_hashing and method.side == "upper" and randomizer.family == "any":
        requirement = f"uniform: method {method.name!r} speaks of no other hash functions (randomizer-pair speaks of any)"
        raise DomainError(parameter="family", value="any", requirement=requirement)
    return replace(randomizer, family="uniform" if method.uniform_hashing else randomizer.family or "any")
