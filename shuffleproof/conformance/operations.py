"""What can be asked: every operation, what it is about, the keys of its input, and how its answer looks."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One operation: questions of one form.

    about: what the answer is; keys: the sets of keys that an input may have; table: whether the answer is a distribution, outcome ->
    number; several: whether it is several numbers, place -> number, under one claim; declared: the key of the input whose text a harness
    must have declared, where the input has it, and in which list, None where the operation is enough.
    """

    name: str
    about: str
    keys: tuple[frozenset[str], ...]
    table: bool = False
    several: bool = False
    declared: tuple[str, str] | None = None


def _operation(
    name: str, about: str, *keys: str, table: bool = False, several: bool = False, declared: tuple[str, str] | None = None
) -> Operation:
    sets = tuple(frozenset(each.split()) for each in keys)
    return Operation(name=name, about=about, keys=sets, table=table, several=several, declared=declared)


_OF_ONE = (
    "method n epsilon0",
    "method n epsilon0 delta0",
    "method n k epsilon0",
    "method n randomizer epsilon0",
    "method n randomizer k epsilon0",
    "method n randomizer k d epsilon0",
    "method n randomizer buckets epsilon0",
    "method n p",
    "method n lambda",
    "method n lambda r",
    "method n p beta q",
    "method n changed epsilon0",
    "method n sensitivity epsilon0",
    "method n fakes p",
    "method n sensitivity coins p",
    "method n sensitivity variance",
    "method n messages modulus sensitivity epsilon0",
)
_RANDOMIZERS = ("randomizer", "randomizer k", "randomizer k d", "randomizer buckets")
SHUFFLED = "shuffled-randomizer"
"""The method that is no method: the truth about the shuffled reports of a named randomizer, between certified bounds."""


_ALL = (
    _operation(
        "delta",
        "delta(epsilon) of a method: for a pair of distributions, the least delta at which they are (epsilon, delta)-indistinguishable; "
        "for a protocol, the least delta over all neighbouring datasets.",
        *(f"{keys} epsilon" for keys in _OF_ONE),
        declared=("method", "methods"),
    ),
    _operation(
        "epsilon",
        "epsilon(delta) of a method: the least epsilon >= 0 at which its delta is at most delta; for a closed form, its value.",
        *(f"{keys} delta" for keys in _OF_ONE),
        declared=("method", "methods"),
    ),
    _operation(
        "randomizer_law",
        "The distribution of one report of a local randomizer: outcome -> probability.",
        "randomizer epsilon0 input",
        "randomizer k epsilon0 input",
        table=True,
        declared=("randomizer", "randomizers"),
    ),
    _operation(
        "hockey_stick",
        "The hockey-stick divergence of two finite laws: the sum over outcomes of max(0, p(y) - e^epsilon q(y)), one direction only.",
        "p q exp_epsilon",
    ),
    _operation(
        "local_epsilon",
        "The least epsilon for which a finite local randomizer, given by the distribution of each input, is epsilon-DP.",
        "laws",
    ),
    _operation(
        "shuffle_law",
        "The distribution of the shuffled messages of a finite local randomizer on a dataset: sorted messages, such as 0,0,2 -> "
        "probability.",
        "laws dataset",
        table=True,
    ),
    _operation(
        "estimate",
        "What a protocol's analyzer outputs for the messages that it receives.",
        "protocol n p messages",
        "protocol n lambda ones",
        "protocol n lambda r ones",
        "protocol n p counts bin",
        declared=("protocol", "protocols"),
    ),
    _operation(
        "renyi",
        "The Renyi moment of two finite distributions, the sum over outcomes of p(y)^order q(y)^(1 - order): one direction only.",
        "p q order",
    ),
    _operation(
        "compose",
        "Composition. rule basic: the total epsilon of rounds of epsilon-DP mechanisms, by adding. rule optimal: the least delta at "
        "total_epsilon of any rounds of (epsilon, delta)-DP mechanisms. rule product: the hockey-stick divergence of p^rounds from "
        "q^rounds. rule shuffled: delta at epsilon, or epsilon at delta, of so many rounds of a method's pair. rule losses: delta at "
        "epsilon of privacy loss distributions, all of them rounds times over, in this direction: of each, masses of the ratios "
        "p(y)/q(y) under p, what they lack of 1 where q(y) = 0.",
        "rule epsilon rounds",
        "rule epsilon delta rounds total_epsilon",
        "rule p q rounds exp_epsilon",
        "rule method n epsilon0 rounds epsilon",
        "rule method n epsilon0 rounds delta",
        "rule ratios masses rounds epsilon",
        declared=("method", "methods"),
    ),
    _operation("debias", "f_C(rate) = E min(Poisson(rate), C), or its inverse: the rate with f_C(rate) = y.", "C rate", "C y"),
    _operation(
        "threshold",
        "A clipping threshold for norms at a slope T. rule minimiser: the least minimiser of the sum of (m - C)_+ over the norms m, plus "
        "T C. rule regularised: the minimiser on [0, B] of the same plus (lambda/2) C^2.",
        "rule norms T",
        "rule norms T lambda B",
    ),
    _operation(
        "calibrate",
        "The least noise with which a protocol is (epsilon, delta)-DP. bit-sum, and real-sum with r bits per user, their runs not told "
        "apart (real-sum-tagged: told apart): lambda. zero-sum, and histogram with two bins or more: the least n (1 - p), of every bin, "
        "such that it and all noise above it up to n/2 is enough. frequency: the largest epsilon0 at which the method certifies it. "
        "user-histogram, clipped at C, of d items: the standard deviation of Gaussian noise on every item; without delta, the scale of "
        "Laplace noise.",
        "protocol n epsilon delta",
        "protocol n r epsilon delta",
        "protocol n method epsilon delta",
        "protocol C d relation epsilon delta",
        "protocol C d relation epsilon",
        declared=("protocol", "protocols"),
    ),
    _operation(
        "parameter",
        "One of the parameters (p, beta, q) of a named randomizer, as which says: p, the largest ratio of a message's probabilities on "
        "two inputs; beta, the largest total variation of two inputs' distributions; q, the largest ratio to any other input's. Round up.",
        *(f"{keys} epsilon0 which" for keys in _RANDOMIZERS),
        declared=("randomizer", "randomizers"),
    ),
    _operation(
        "noise_cdf",
        "The probability that integer noise is at most x. noise discrete-laplace: mass proportional to e^(-epsilon |z|); noise "
        "discrete-gaussian: to e^(-z^2 / (2 variance)). terms: 1, or 2 for the sum of two independent ones.",
        "noise epsilon terms x",
        "noise variance terms x",
    ),
    _operation(
        "profile",
        "delta of a method at each of several epsilons, one after the other: place -> delta, the places counted from 0.",
        "method n epsilon0 epsilons",
        "method n p epsilons",
        several=True,
        declared=("method", "methods"),
    ),
    _operation(
        "renyi_divergence",
        "The Renyi divergence of an order above 1, of so many rounds: of a method's pair, the larger of both directions; or of privacy "
        "loss distributions (see compose), in this direction. 1/(order - 1) times the logarithm of the moment.",
        "method n epsilon0 order rounds",
        "method n p beta q order rounds",
        "ratios masses order rounds",
        declared=("method", "methods"),
    ),
)

OPERATIONS: Mapping[str, Operation] = MappingProxyType({operation.name: operation for operation in _ALL})
"""Every operation by its name, in stored order."""
