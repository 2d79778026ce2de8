"""Methods that speak of a protocol: counts and sums whose noise users, fake users or shares bring."""

from dataclasses import replace
from functools import partial

from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.parameters import (
    CHANGED,
    COINS,
    DISHONEST,
    EPSILON0,
    FAKES,
    LAMBDA,
    MESSAGES,
    MODULUS,
    NOISE,
    SENSITIVITY,
    VARIANCE,
    R,
)
from shuffleproof.spec.vocabulary.scope import Mechanisms

_tight = partial(Method, mechanisms=Mechanisms.ONE, side="upper", reached=True)
"""A protocol's own divergence, the largest over all neighbouring datasets."""
_with_renyi = partial(_tight, quantities=("epsilon", "delta", "renyi"), renyi_also=("CSUZZ19.Profile.renyi",))
NOISY_BITS_IN_BALLS = ("CSUZZ19.Profile.one-tail", "CSUZZ19.Profile.rest", "CSUZZ19.Profile.circle")
"""Sums of noisy bits in ball arithmetic: one tail decides, what is left out beyond it, and the contour that takes the place of long
sums."""
NOISY_BITS_IN_FLOATS = ("CSUZZ19.Profile.one-difference", "CSUZZ19.Profile.rest")
"""Sums of noisy bits in float64: one difference decides, and what is left out beyond it."""
_WORST_DATASET = ("CSUZZ19.Profile.one-direction", "CSUZZ19.Profile.blocks")
BIT_SUM_IN_BALLS = (*_WORST_DATASET, *NOISY_BITS_IN_BALLS)
"""The bit sum over all datasets: one direction, numbers of ones in blocks, and the sums of each."""
BIT_SUM_IN_FLOATS = (*_WORST_DATASET, *NOISY_BITS_IN_FLOATS)
"""The same in float64."""
ZERO_SUM = _tight(
    name="zero-sum",
    statement="BC20.Thm3.1",
    also=("BC20.Sec3.1.profile",),
    ball_also=NOISY_BITS_IN_BALLS,
    pair="Bin(n, p) and its shift by one",
    follows="the zero-sum protocol of n users with noise Bern(p) each satisfies ({epsilon}, {delta})-DP, and not with a {quantity} below "
    "the value's lower end: every two neighbouring datasets give this pair",
    says="the zero-sum protocol for binary sums, with its noise parameter p: tight, the worst neighbouring datasets reach it",
    needs="n >= 1, p in [0, 1], and for an epsilon delta >= max(p, 1 - p)^n",
    parameters=(NOISE,),
    optional=(DISHONEST,),
    infinite_renyi="at one end the number of messages gives the dataset away",
)
HISTOGRAM = _tight(
    name="histogram",
    statement="BC20.Thm3.2",
    also=("BC20.Thm3.2-pair", "BC20.Thm3.2-one-event"),
    pair="two bins of the histogram, one count up and one down",
    follows="the histogram protocol of n users with noise Bern(p) in each of two bins or more satisfies ({epsilon}, {delta})-DP, and not "
    "with a {quantity} below the value's lower end: every two neighbouring datasets give this pair",
    says="the histogram protocol for two bins or more, with its noise parameter p: tight, the worst neighbouring datasets reach it",
    needs="n >= 1, p in [0, 1], and for an epsilon delta >= p^n + (1 - p)^n - (p (1 - p))^n",
    parameters=(NOISE,),
    optional=(DISHONEST,),
    infinite_renyi="at its ends the number of messages of a bin gives the dataset away",
)
BIT_SUM = _with_renyi(
    name="bit-sum",
    statement="CSUZZ19.Def3.4.bit-sum",
    fast_also=BIT_SUM_IN_FLOATS,
    ball_also=BIT_SUM_IN_BALLS,
    pair="the worst neighbouring pair of the bit sum",
    follows="the bit sum of n users with parameter lambda satisfies ({epsilon}, {delta})-DP, and not with a {quantity} below the value's "
    "lower end: the value is over all neighbouring datasets",
    says="the bit sum, n bits by randomized response with its parameter lambda: tight, the worst of all neighbouring datasets",
    needs="n >= 1, lambda in [0, n], and for an epsilon or a Renyi divergence lambda > 0",
    parameters=(LAMBDA,),
)
REAL_SUM_UNTAGGED = _with_renyi(
    name="real-sum-untagged",
    statement="CSUZZ19.Sec5.3.untagged",
    ball_also=(*BIT_SUM_IN_BALLS, "CSUZZ19.Profile.grid"),
    pair="the worst neighbouring pair of the untagged real sum",
    follows="the real sum of n users with parameters lambda and r, whose messages carry no tags and are all shuffled together, satisfies "
    "({epsilon}, {delta})-DP, and not with a {quantity} below the value's lower end: the value is over all neighbouring datasets",
    says="the real sum, r bits from each user, all shuffled together: tight, the worst of all neighbouring datasets",
    needs="n >= 1, lambda in [0, n], r from 1 to 10^4, and for an epsilon or a Renyi divergence lambda > 0",
    parameters=(LAMBDA, R),
)
REAL_SUM_TAGGED = _with_renyi(
    name="real-sum-tagged",
    statement="CSUZZ19.Sec5.3.tagged",
    ball_also=(*BIT_SUM_IN_BALLS, "CSUZZ19.Profile.grid"),
    pair="the worst neighbouring pair of the tagged real sum",
    follows="the real sum of n users with parameters lambda and r, whose r runs can be distinguished, satisfies ({epsilon}, {delta})-DP, "
    "and not with a {quantity} below the value's lower end: the value is over all neighbouring datasets",
    says="the real sum with a tag for each of the r runs: tight; never below real-sum-untagged, and often hardly above it",
    needs="n >= 1, lambda in [0, n], r from 1 to 256, and for an epsilon or a Renyi divergence lambda > 0",
    parameters=(LAMBDA, R),
)
COORDINATE_SUMS = _with_renyi(
    name="coordinate-sums",
    statement="BEYOND.coordinate-sums",
    fast_also=BIT_SUM_IN_FLOATS,
    ball_also=(*BIT_SUM_IN_BALLS, "CSUZZ19.Profile.grid"),
    view="the sums of the coordinates",
    pair="the worst neighbouring pair of the coordinate sums of RAPPOR reports",
    follows="who sees only the sum of each coordinate of n RAPPOR reports, eps0 for a whole change, sees something that is ({epsilon}, "
    "{delta})-DP, and not with a {quantity} below the value's lower end: the value is over all neighbouring datasets",
    says="RAPPOR, only the sums of whose coordinates are released, as by secure aggregation: tight, over all neighbouring datasets",
    needs="n >= 1, eps0 >= 0 for the whole change, each bit keeping eps0/changed; three items or more",
    parameters=(CHANGED, EPSILON0),
)
ASYMMETRIC_SUMS = _tight(
    name="asymmetric-coordinate-sums",
    statement="BEYOND.asymmetric-sums",
    fast_also=("CSUZZ19.Profile.one-direction", *NOISY_BITS_IN_FLOATS),
    view="the sums of the coordinates",
    pair="the worst neighbouring pair of the coordinate sums of asymmetric RAPPOR reports",
    follows="who sees only the sum of each coordinate of n asymmetric RAPPOR reports, eps0 for a report, sees something that is "
    "({epsilon}, {delta})-DP, and not with a {quantity} below the value's lower end: the value is over all neighbouring datasets",
    says="sums of the coordinates of asymmetric RAPPOR, whose own bit is 1 with probability 1/2 and every other one with 1/(e^eps0 + 1)",
    needs="n >= 1, eps0 >= 0 of a report where an item is replaced; three items or more",
    parameters=(CHANGED, EPSILON0),
)
LAPLACE_SUM = _tight(
    name="laplace-sum",
    statement="BEYOND.laplace-sum",
    view="the noisy sum",
    pair="discrete Laplace noise and its shift by the sensitivity",
    follows="a sum of integers that one user's data moves by at most the sensitivity, under secure aggregation where at least n "
    "honest users each add the n-th part of discrete Laplace noise of ratio e^(-eps0/sensitivity), is ({epsilon}, {delta})-DP, and not "
    "with a {quantity} below the value's lower end where exactly n are honest and some data move it that far",
    says="a sum under secure aggregation, discrete Laplace noise added in parts by everybody: tight",
    needs="n >= 1 honest users, sensitivity >= 1, eps0 >= 0: what it costs at delta = 0",
    parameters=(SENSITIVITY, EPSILON0),
)
BINOMIAL_SUM = _tight(
    name="binomial-sum",
    statement="BEYOND.binomial-sum",
    fast_also=NOISY_BITS_IN_FLOATS,
    ball_also=NOISY_BITS_IN_BALLS,
    view="the noisy sum",
    pair="binomial noise and its shift by the sensitivity",
    follows="a sum of integers that one user's data moves by at most the sensitivity, under secure aggregation where at least n "
    "honest users each add the heads of so many coins Bern(p), is ({epsilon}, {delta})-DP, and not with a {quantity} below the value's "
    "lower end where exactly n are honest and some data move it that far",
    says="a sum under secure aggregation, coins added by everybody: tight",
    needs="n >= 1 honest users, sensitivity >= 1, coins >= 1, p in [0, 1]; for an epsilon delta at least the chance of fewer "
    "heads, or tails, than the sensitivity",
    parameters=(SENSITIVITY, COINS, NOISE),
    infinite_renyi="at its ends the sum gives the data away",
)
DISCRETE_GAUSSIAN_SUM = _tight(
    name="discrete-gaussian-sum",
    statement="BEYOND.discrete-gaussian-sum",
    fast_also=NOISY_BITS_IN_FLOATS,
    view="the noisy sum",
    pair="the sum of n discrete Gaussians and its shift by the sensitivity",
    follows="a sum of integers that one user's data moves by at most the sensitivity, under secure aggregation where at least n "
    "honest users each add discrete Gaussian noise of this variance, is ({epsilon}, {delta})-DP, and not with a {quantity} below the "
    "value's lower end where exactly n are honest and some data move it that far",
    says="a sum under secure aggregation, discrete Gaussian noise from everybody: by the exact distribution of the noises' sum",
    needs="n >= 1 honest users, sensitivity >= 1, variance above 0; for an epsilon delta > 0",
    parameters=(SENSITIVITY, VARIANCE),
)
SPLIT_AND_MIX = Method(
    name="split-and-mix",
    statement="BEYOND.split-and-mix",
    mechanisms=Mechanisms.ONE,
    pair="discrete Laplace noise and its shift, with the distance of mixed shares from uniform ones",
    side="upper",
    follows="a sum modulo q of integers that one user's data moves by at most the sensitivity, where at least n honest users each add the "
    "n-th part of discrete Laplace noise of ratio e^(-eps0/sensitivity) and split it into so many shares, which are all shuffled, is "
    "({epsilon}, {delta})-DP, and so is everything that the shuffled messages show",
    says="a sum by shares that are shuffled, discrete Laplace noise in parts: nobody is trusted to add, and the shuffler alone to mix",
    needs="n >= 1 honest users, messages >= 1, modulus >= 2; beyond 160 users so many messages that the bound is shown; for an epsilon "
    "delta at least (1 + e^eps0) times the distance of the shares",
    parameters=(MESSAGES, MODULUS, SENSITIVITY, EPSILON0),
)
FAKE_USERS = _tight(
    name="fake-users",
    statement="BEYOND.fake-users",
    fast_also=NOISY_BITS_IN_FLOATS,
    also=("BC20.Thm3.2-pair", "BC20.Thm3.2-one-event"),
    pair="two bins of a histogram, one count up and one down, with the noise of fake users",
    follows="a histogram of two bins or more, to which the shuffler adds the noise Bern(p) of so many fake users in each bin, satisfies "
    "({epsilon}, {delta})-DP, whatever the n users know of each other, and not with a {quantity} below the value's lower end",
    says="a histogram to which the shuffler adds fake users: every user sends their item and no noise; tight",
    needs="n >= 1, fakes >= 1, p in [0, 1], and for an epsilon delta >= p^f + (1 - p)^f - (p (1 - p))^f, f the fakes",
    parameters=(FAKES, NOISE),
    infinite_renyi="at its ends the number of messages of a bin gives the dataset away",
)


def with_dishonest(method: Method, dishonest: int) -> Method:
    """The zero sum or the histogram where some users send no noise, or reveal theirs: what follows for the others."""
    if not dishonest:
        return method
    protocol = "zero-sum protocol" if method is ZERO_SUM else "histogram protocol with two bins or more"
    noise = "Bern(p)" if method is ZERO_SUM else "Bern(p) in each bin"
    return replace(
        method,
        statement=f"{method.statement}-dishonest",
        pair=f"{method.pair}, with the noise of the honest users only",
        follows=f"the {protocol} of n users, of whom {dishonest} or fewer send no noise or reveal it and the others send noise {noise}, "
        "is ({epsilon}, {delta})-DP for every honest user, and not with a {quantity} below the value's lower end",
    )
