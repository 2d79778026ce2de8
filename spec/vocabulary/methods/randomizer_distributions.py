"""Methods that take a randomizer by p, beta and q, or by its whole distribution; and what such distributions say of all randomizers."""

from dataclasses import replace
from functools import partial

from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import ANY_MESSAGES, STRONGER_CLONES
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.parameters import BETA, DELTA0, EPSILON0, RATIO, SIGMA, Q
from shuffleproof.spec.vocabulary.randomizers import RANDOMIZER, SIZES, is_hashing
from shuffleproof.spec.vocabulary.scope import Mechanisms

_of_named = partial(Method, parameters=(RANDOMIZER, EPSILON0), optional=SIZES)
_of_one = partial(_of_named, mechanisms=Mechanisms.ONE)
_of_gaussian_noise = partial(
    Method,
    mechanisms=Mechanisms.ONE,
    parameters=(SIGMA,),
    on_grids=True,
    needs="n >= 1, sigma from 1/10 to 10^6, and for an epsilon delta > 0; float64 only",
)
_PAIR_AS_A_SUM = ("BEYOND.LemL5", "BEYOND.any-law-grids", "BEYOND.any-law-line", "BEYOND.Chord")
"""What float64 rests on for the optimal pair: it is one sum of four losses."""
OPTIMAL_PAIR = Method(
    name="optimal-pair",
    statement="BEYOND.ThmF3",
    mechanisms=Mechanisms.RATIOS_ADAPTIVE,
    fast_also=_PAIR_AS_A_SUM,
    ball_also=("BEYOND.Chains",),
    also=ANY_MESSAGES,
    renyi_also=("BEYOND.Renyi", "BEYOND.Renyi-moments"),
    pair="the optimal pair of (p, beta, q)",
    side="upper",
    follows="local randomizers attached to the steps, adaptive too, with R_0 <= p R_1, R_1 <= p R_0, TV(R_0, R_1) <= beta and "
    "R_0, R_1 <= q R_k at every step, run on shuffled data, satisfy ({epsilon}, {delta})-DP; users' own randomizers, on alphabets of "
    "their own, are covered only where this holds across them",
    says="the least pair for randomizers with R_0 <= p R_1, R_1 <= p R_0, total variation at most beta, and R_0, R_1 <= q R_k",
    needs='n >= 1, p >= 1 or "infinity", beta in [0, 1], q >= 1: round all three up',
    quantities=("epsilon", "delta", "renyi"),
    parameters=(RATIO, BETA, Q),
    composed="optimal pair",
)
RANDOMIZER_PAIR = _of_named(
    name="randomizer-pair",
    statement="BEYOND.ThmF3",
    mechanisms=Mechanisms.ONE_ADAPTIVE,
    fast_also=_PAIR_AS_A_SUM,
    ball_also=("BEYOND.Chains",),
    laplace_also=ANY_MESSAGES,
    also=("BEYOND.Parameters",),
    renyi_also=("BEYOND.Renyi", "BEYOND.Renyi-moments"),
    pair="the optimal pair of the randomizer's (p, beta, q), rounded up where irrational",
    side="upper",
    follows="{randomizer}, of any functions of the data, adaptive too, used by every user and run on shuffled data satisfies "
    "({epsilon}, {delta})-DP",
    says="the optimal pair with the p, beta and q of a named randomizer",
    needs="n >= 1, eps0 >= 0; --k for k-rr; --k and --d for subset; --k for hadamard (and --blocks); --buckets for hash; "
    "--p-other for unary, and --p-own instead of eps0, if you like",
    quantities=("epsilon", "delta", "renyi"),
    composed="optimal pair",
)
RANDOMIZER_LOWER = _of_one(
    name="randomizer-lower",
    statement="BEYOND.randomizer-lower",
    pair="the output classes of the randomizer's shuffled reports on (x_0, z, ..., z) and (x_1, z, ..., z), z a third item or x_1",
    side="lower",
    follows="the neighbours (x_0, z, ..., z) and (x_1, z, ..., z), z a third item or x_1, reach it, so {randomizer}, used by every "
    "user and run on shuffled data, has no smaller {quantity}; other pairs may be worse",
    says="one neighbouring pair of a named randomizer, its reports merged into a few output classes: its privacy is no better than that",
    needs="n up to about 10^8, eps0 >= 0; what randomizer-pair needs; hash functions uniform, three items or more unless --k says 2",
    uniform_hashing=True,
)
BLANKET = _of_one(
    name="blanket",
    statement="BEYOND.any-law-above",
    laplace_also=("BEYOND.any-law-worst-pair",),
    on_grids=True,
    pair="the named randomizer's privacy blanket, by its whole distribution",
    side="upper",
    follows="{randomizer}, used by every user and run on shuffled data, satisfies ({epsilon}, {delta})-DP",
    says="a named randomizer: numerical, by its whole distribution and not p, beta and q alone; never above randomizer-pair",
    needs="n >= 1, eps0 >= 0; what randomizer-pair needs; hash functions uniform, for all items together where k is given, else pairwise; "
    "up to six digits",
    uniform_hashing=True,
)
ANOTHER_PLACE = _of_one(
    name="another-place",
    aliases=("hidden-groups",),
    statement="BEYOND.any-law-place",
    laplace_also=("BEYOND.swap-in-order",),
    also=(
        "BEYOND.any-law-rare-losses",
        "BEYOND.swap-in-levels",
        "BEYOND.swap-in-levels.blocks",
        "BEYOND.swap-in-levels.line",
        "BEYOND.swap-in-levels.few-others",
        "BEYOND.any-law-alike-blocks",
        "BEYOND.Chord",
    ),
    on_grids=True,
    pair="the named randomizer's report swapped with that of a random other user, the others' reports revealed with their senders",
    side="upper",
    follows="{randomizer}, used by every user and run on shuffled data, satisfies ({epsilon}, {delta})-DP",
    says="a named randomizer: numerical, whatever the others hold; for many users it tends to what homogeneous datasets reach",
    needs="n >= 1, eps0 > 0; hash functions uniform, for all items together where k is given, else for any three, unless --family any is "
    "asked; float64 only",
    uniform_hashing=True,
    any_hashing=True,
)
_ALL_ADAPTIVE = (
    "BEYOND.CorF2",
    "BEYOND.LemL5",
    "BEYOND.controlled-sum-continued",
    "BEYOND.controlled-sum-gained",
    "BEYOND.controlled-sum-smoothed",
    "BEYOND.controlled-sum-blocks",
    *ANY_MESSAGES,
)
"""What first arrival rests on beside its own statement, with leaks or without."""
FIRST_ARRIVAL = Method(
    name="first-arrival",
    aliases=("another-place-for-all",),
    statement="BEYOND.first-arrival",
    mechanisms=Mechanisms.EVERY_ADAPTIVE,
    fast_also=("FMT21.Thm3.2-mirror", "FMT21.LemF.1", "BEYOND.Chord"),
    on_grids=True,
    also=_ALL_ADAPTIVE,
    pair="the least of stronger clones and the random-swap bound in levels, for all adaptive sequences of eps0-DP randomizers",
    side="upper",
    follows="every sequence of eps0-DP local randomizers, adaptive too, run on shuffled data satisfies ({epsilon}, {delta})-DP; "
    "randomizers that users bring are covered only where no report is more than e^eps0 times as likely from one user as from another",
    says="numerical: at most stronger clones, and near what adaptive-pair attains, whatever the number of users",
    needs="n >= 1, eps0 >= 0; float64 only",
    parameters=(EPSILON0,),
    composed="chords",
    in_tails=STRONGER_CLONES.name,
    slow_until=2500,
)
ADAPTIVE_PAIR = Method(
    name="adaptive-pair",
    statement="BEYOND.controlled-sum-attained",
    mechanisms=Mechanisms.EVERY_ADAPTIVE,
    on_grids=True,
    also=("BEYOND.any-law-leaking",),
    pair="an adaptive sequence of eps0-DP randomizers on neighbouring datasets whose other records are all alike",
    side="lower",
    follows="this adaptive sequence of eps0-DP randomizers, or binary or 3-ary response, reaches it, so no bound on {quantity} that holds "
    "for all adaptive sequences of eps0-DP randomizers is smaller; others may be worse",
    says="adaptive eps0-DP randomizers, from below: each step is the worst for the losses of the reports before it",
    needs="n >= 1, eps0 >= 0; float64 only; beyond 2,000 users it is binary or 3-ary response",
    parameters=(EPSILON0,),
)
FIRST_ARRIVAL_APPROXIMATE = Method(
    name="first-arrival-approximate",
    aliases=("another-place-for-all-approximate",),
    statement="BEYOND.first-arrival-approximate",
    mechanisms=Mechanisms.LEAKING_ADAPTIVE,
    fast_also=("FMT21.Thm3.2-mirror", "FMT21.LemF.1", "BEYOND.Chord"),
    on_grids=True,
    also=("BEYOND.first-arrival", *_ALL_ADAPTIVE),
    pair="the random-swap bound in levels, for all adaptive sequences of (eps0, delta0)-DP randomizers",
    side="upper",
    follows="every sequence of (eps0, delta0)-DP local randomizers attached to the steps, adaptive too, run on shuffled data satisfies "
    "({epsilon}, {delta})-DP; users' own randomizers are covered only where (eps0, delta0)-DP holds across them",
    says="numerical: delta0 is paid once, not for each user; for many users leaking-response reaches it",
    needs="n >= 1, eps0 >= 0, delta0 in [0, 1], and for an epsilon delta >= delta0; float64 only",
    parameters=(EPSILON0, DELTA0),
)
HOMOGENEOUS = _of_one(
    name="homogeneous",
    statement="BEYOND.any-law-below",
    on_grids=True,
    pair="the neighbours (x_0, z, ..., z) and (x_1, z, ..., z), {reports}",
    side="lower",
    follows="the neighbours (x_0, z, ..., z) and (x_1, z, ..., z) reach it, so {randomizer}, used by every user and run on "
    "shuffled data, has no smaller {quantity}; other pairs may be worse",
    says="neighbouring datasets of a named randomizer in which all others hold one item: its privacy is no better than that",
    needs="n >= 1, eps0 >= 0; what randomizer-pair needs; hash functions uniform, three items or more unless --k says 2; up to six digits",
    uniform_hashing=True,
)
GAUSSIAN_BLANKET = _of_gaussian_noise(
    name="gaussian-blanket",
    statement="BEYOND.any-law-gaussian",
    also=("BEYOND.any-law-one-large-loss",),
    pair="the privacy blanket of Gaussian noise on [0, 1], the least of the densities at its ends",
    side="upper",
    follows="numbers in [0, 1], to each of which its user adds N(0, sigma^2), run on shuffled data, satisfy ({epsilon}, {delta})-DP",
    says="Gaussian noise of each user on a number in [0, 1]: numerical, by its whole distribution; no pure local privacy is needed",
    composed="chords",
)
GAUSSIAN_PLACE = _of_gaussian_noise(
    name="gaussian-place",
    statement="BEYOND.any-law-gaussian-triples",
    also=(
        "BEYOND.any-law-one-large-loss-of-classes",
        "BEYOND.any-law-gaussian",
        "BEYOND.swap-in-order",
        "BEYOND.swap-in-levels.blocks",
        "BEYOND.swap-in-levels.line",
        "BEYOND.swap-in-levels.few-others",
        "BEYOND.Chord",
    ),
    pair="a report with Gaussian noise swapped with that of a random other user, the others' reports revealed with their senders",
    side="upper",
    follows=GAUSSIAN_BLANKET.follows,
    says="Gaussian noise of each user on a number in [0, 1]: numerical, whatever the others hold; for many users below gaussian-blanket",
    composed="chords",
    in_tails=GAUSSIAN_BLANKET.name,
)
GAUSSIAN_HOMOGENEOUS = _of_gaussian_noise(
    name="gaussian-homogeneous",
    statement="BEYOND.any-law-gaussian",
    also=("BEYOND.any-law-one-large-loss",),
    pair="Gaussian noise on the neighbours (0, 0, ..., 0) and (1, 0, ..., 0), reports merged into cells",
    side="lower",
    follows="the neighbours (0, 0, ..., 0) and (1, 0, ..., 0) reach it, so shuffled numbers in [0, 1], to each of which its user adds "
    "N(0, sigma^2), have no smaller {quantity}; other pairs may be worse",
    says="one neighbouring pair of shuffled numbers with Gaussian noise: their privacy is no better than that",
)
LEAKING_RESPONSE = Method(
    name="leaking-response",
    statement="BEYOND.any-law-leaking",
    mechanisms=Mechanisms.ONE,
    on_grids=True,
    pair="binary or 3-ary response that gives its input away with probability delta0, all others alike",
    side="lower",
    follows="this randomizer is (eps0, delta0)-DP, and neighbouring datasets reach it, so no bound on {quantity} that holds for all "
    "(eps0, delta0)-DP randomizers is smaller; other randomizers may be worse",
    says="(eps0, delta0)-DP randomizers, from below: response that leaks with probability delta0, by its whole distribution",
    needs="n >= 1, eps0 >= 0, delta0 in [0, 1], and for an epsilon delta >= delta0",
    parameters=(EPSILON0, DELTA0),
)


def about_family(method: Method, randomizer: NamedRandomizer) -> NamedRandomizer:
    """A randomizer as the method speaks of it: hashing with the family of functions named. Raises DomainError where it is of another.

    A lower bound for uniform functions is one for the worst family, of which they are one.
    """
    if not is_hashing(randomizer):
        return randomizer
    if method.any_hashing and randomizer.family == "any":
        return randomizer
    if method.uniform_hashing and method.side == "upper" and randomizer.family == "any":
        requirement = f"uniform: method {method.name!r} speaks of no other hash functions (randomizer-pair speaks of any)"
        raise DomainError(parameter="family", value="any", requirement=requirement)
    return replace(randomizer, family="uniform" if method.uniform_hashing else randomizer.family or "any")
