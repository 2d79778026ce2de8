"""Bounds that `bound` has no name for: Gaussian noise on a sum, sampled and shuffled steps, users who take part at random."""

from functools import partial

from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.scope import Mechanisms, Relation

_of_one = partial(Method, mechanisms=Mechanisms.ONE)
GAUSSIAN = _of_one(
    name="gaussian",
    statement="LSZKG22.Alg1.gaussian-profile",
    view="the noisy sum",
    pair="N(mu, 1) and N(0, 1), mu = sensitivity/sigma",
    side="upper",
    follows="adding N(0, sigma^2) to every coordinate satisfies ({epsilon}, {delta})-DP where neighbours move the sum by at most the "
    "sensitivity in l2, and not with a {quantity} below the value's lower end where some move it that far",
)
DISCRETE_GAUSSIAN = _of_one(
    name="discrete-gaussian",
    statement="LSZKG22.Alg1.discrete-gaussian",
    view="the noisy sum",
    pair="the concentrated-DP bound on discrete Gaussian noise",
    side="upper",
    follows="adding the discrete Gaussian to every coordinate satisfies ({epsilon}, {delta})-DP where neighbours move the integer sum by "
    "at most the sensitivity in l2, in any dimension",
)
DISCRETE_GAUSSIAN_LINE = _of_one(
    name="discrete-gaussian-line",
    statement="LSZKG22.Alg1.discrete-gaussian-line",
    view="the noisy sum",
    pair="the discrete Gaussian and its shift by the sensitivity",
    side="upper",
    follows="adding the discrete Gaussian to one integer sum that neighbours move by at most the sensitivity satisfies ({epsilon}, "
    "{delta})-DP, and not with a {quantity} below the value's lower end where some move it that far",
)
SUBSAMPLED_GAUSSIAN = _of_one(
    name="subsampled-gaussian",
    statement="LSZKG22.Cor4.3.sampled",
    view="the noisy sums of all steps",
    pair="the Renyi bound on sampled Gaussian steps",
    side="upper",
    follows="Gaussian steps on Poisson samples of the users, chosen adaptively, together satisfy ({epsilon}, {delta})-DP",
    relation=Relation.ADD_REMOVE,
)
SHUFFLED_BATCHES = _of_one(
    name="shuffled-batches",
    statement="BEYOND.shuffled-batches",
    view="the noisy sums of all batches",
    pair="the event that some batch's sum is large, where all other gradients are -1",
    side="lower",
    follows="one epoch of Gaussian steps over shuffled batches, of which one record's gradient may be replaced by zero, has no smaller "
    "{quantity}: amplification by shuffling does not apply to it, and sampling is another mechanism",
)
RANDOM_PARTICIPATION = _of_one(
    name="random-participation",
    statement="BEYOND.random-participation",
    view="what is seen of those who take part",
    pair="the mixture over how many take part",
    side="upper",
    follows="what is seen of those of n users who take part, each with a probability of their own hidden toss, satisfies ({epsilon}, "
    "{delta})-DP",
)
ONE_BIT_PARTICIPATION = _of_one(
    name="random-participation-bit",
    statement="BEYOND.random-participation",
    view=RANDOM_PARTICIPATION.view,
    pair="randomized response of users who take part at random, on (1, 0, ..., 0) and (0, ..., 0)",
    side="lower",
    follows="this pair reaches it, so binary randomized response of users who take part at random has no smaller {quantity}",
)
