"""Which questions the vectors ask: inputs, flags and suites. The answers are made in `generate.py`.

Chosen to hurt: edges of every range, ties, tiny and huge parameters, and the inputs on which published code has failed.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from shuffleproof.conformance.catalogue import (
    catalogue_bounds,
    catalogue_distributions,
    catalogue_finite,
    catalogue_protocols,
    catalogue_randomizers,
    catalogue_refusals,
    catalogue_relations,
    catalogue_rounds,
)
from shuffleproof.conformance.catalogue.question import Question
from shuffleproof.conformance.operations import OPERATIONS, SHUFFLED
from shuffleproof.spec.vocabulary.methods.clones import (
    APPROX_CLONES,
    BINARY_RR_PAIR,
    CLONES,
    CLONES_CLOSED_FORM,
    K_RR_BLANKET,
    K_RR_CLONES,
    K_RR_PAIR,
    STRONGER_CLONES,
)
from shuffleproof.spec.vocabulary.methods.protocols import (
    ASYMMETRIC_SUMS,
    BINOMIAL_SUM,
    BIT_SUM,
    COORDINATE_SUMS,
    DISCRETE_GAUSSIAN_SUM,
    FAKE_USERS,
    LAPLACE_SUM,
    REAL_SUM_UNTAGGED,
    SPLIT_AND_MIX,
    ZERO_SUM,
)
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import LEAKING_RESPONSE, OPTIMAL_PAIR

FLAGS = {
    "EDGE_CASE": "A parameter sits on the edge of its range or of a region of the formula; a failure suggests a strict comparison that "
    "should not be strict, or an index that is off by one.",
    "WRONG_SIDE": "Rounding to the nearest number, or reporting the wrong end of a bisection, puts the answer on the wrong side here.",
    "NEIGHBOURING": "The order of two laws or datasets, or which datasets are neighbours, matters here; a failure suggests that one "
    "direction, one pair, or another relation was taken.",
    "REGIME": "At or beyond the edge of the theorem's own condition; a failure means that a bound is quoted where the theorem says "
    "nothing, or withheld where it holds.",
    "CANCELLATION": "The answer is a small difference of nearly equal numbers; a failure suggests that it is computed as such in fixed "
    "precision.",
    "UNDERFLOW": "The answer or something on the way is below what float64 can hold; a failure suggests a probability that became 0.",
    "OVERFLOW": "e^epsilon0 is near or beyond what float64 can hold; a failure suggests that it became infinite.",
    "DEGENERATE": "Distributions coincide or collapse to a point (epsilon0 = 0, one user, one category); a failure suggests a division of "
    "0 by 0.",
    "GRID": "The parameters fit no round grid, or the number of users is smaller than a usual step; a failure suggests discretisation that "
    "errs on the wrong side.",
    "TIE": "Outcomes have a likelihood ratio of exactly e^epsilon, or the answer is exactly a corner of the profile; a failure suggests a "
    "tie broken by rounding.",
    "PARSE": "The same number in another notation of the grammar; a failure suggests that numbers pass through float64 on their way in.",
    "KNOWN_BUG": "Published code has failed on inputs of this kind.",
}
"""Flag -> what a failure on a case that carries it means."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """Questions of one provenance.

    claim: which side of the truth the method is on for people, or that it is the truth; how: how expected values are made; suite: the one
    suite beside "all", and "smoke" for some, that the questions belong to.
    """

    name: str
    operation: str
    statement: str
    value_of: str
    claim: str
    how: str
    questions: tuple[Question, ...]
    suite: str = "fmt21"


_BOUND = (
    "Exact rational arithmetic where e^epsilon0 and e^epsilon are rational and n is small, found inside the certified ball where balls "
    "can decide; elsewhere certified balls, both ends of an epsilon confirmed by delta there."
)
_FORMULA = "The formula in certified balls, agreeing with an independent evaluation in multiple precision; regimes decided in balls."
_DISTRIBUTION = (
    "Exact rationals; where e^epsilon0 is irrational, the exact law at both ends of a rational enclosure of e^epsilon0, rounded outward."
)
_PROTOCOL = (
    "Exact rational arithmetic where e^epsilon is rational and n is small, found inside the certified ball where balls can decide; "
    "elsewhere certified balls, both ends of an epsilon confirmed by delta there."
)
_EXACT = "Exact rational arithmetic, by the definition."
_DEBIASED = "Certified balls; for the inverse, f_C at both ends on either side of y."
_LEAST = "Certified balls on both sides: one end is certified to be enough, the other one not to be; rounded outward."
_RELATED = "Nothing is stored of the answers: they are judged against each other. Our own, exact or certified, satisfy the relation."


def groups() -> Iterator[Group]:
    """Every group, in stored order."""
    yield from _bounds_and_distributions()
    yield from _protocols()
    yield from _finite()
    yield from _randomizers()
    yield from _rounds()
    for table in catalogue_relations.TABLES:
        claim = "law" if OPERATIONS[table.operation].table else "exact"
        about = table.value_of
        yield _group(table.name, table.operation, table.statement, about, claim, _RELATED, table.questions(), table.suite)


def _bounds_and_distributions() -> Iterator[Group]:
    for operation in ("delta", "epsilon"):
        for method, value, how in (
            (CLONES, f"{operation} of {CLONES.pair}", _BOUND),
            (STRONGER_CLONES, f"{operation} of {STRONGER_CLONES.pair}", _BOUND),
            (CLONES_CLOSED_FORM, "the right-hand side of inequality (1)", _FORMULA),
            (BINARY_RR_PAIR, f"{operation} of {BINARY_RR_PAIR.pair}, in the worse direction", _BOUND),
        ):
            answerable = catalogue_bounds.questions(operation, method.name)
            refusals = catalogue_refusals.questions(operation, method.name)
            if answerable:
                yield Group(
                    name=method.name,
                    operation=operation,
                    statement=method.statement,
                    value_of=value,
                    claim=method.side,
                    how=how,
                    questions=(*answerable, *refusals),
                )
    for randomizer, statement in (("binary-rr", "FMT21.AppG"), ("k-rr", "FMT21.Sec4.1")):
        questions = (*catalogue_distributions.questions(randomizer), *catalogue_refusals.questions("randomizer_law", randomizer))
        value = "the law of one report, outcome by outcome"
        yield Group(
            name=randomizer,
            operation="randomizer_law",
            statement=statement,
            value_of=value,
            claim="law",
            how=_DISTRIBUTION,
            questions=questions,
        )


_DELTA_OF = (
    (ZERO_SUM, "the zero sum of n users with noise probability p, over all neighbouring datasets"),
    (BIT_SUM, "the bit sum of n users with parameter lambda, over all neighbouring datasets"),
    (OPTIMAL_PAIR, OPTIMAL_PAIR.pair),
    (COORDINATE_SUMS, "the coordinate sums of n RAPPOR reports, one or two coordinates changed, over all neighbouring datasets"),
    (ASYMMETRIC_SUMS, "the coordinate sums of n asymmetric RAPPOR reports, one or two coordinates changed, over all neighbouring datasets"),
    (LAPLACE_SUM, "an integer sum with discrete Laplace noise of ratio e^(-epsilon0/sensitivity), moved by the sensitivity"),
    (FAKE_USERS, "a histogram with Bin(fakes, p) messages more in each bin: two bins, one count up and one down, either way round"),
    (BINOMIAL_SUM, "an integer sum with noise Bin(n coins, p), moved by the sensitivity, in the worse direction"),
    (DISCRETE_GAUSSIAN_SUM, "an integer sum with n independent discrete Gaussians of this variance, moved by the sensitivity"),
    (SPLIT_AND_MIX, "mixed shares modulo q: the noise's delta, as of laplace-sum, and (1 + e^epsilon) times the distance of the shares"),
)
_ESTIMATES = {"zero-sum": "BC20.Fig1", "histogram": "BC20.Fig2", "bit-sum": "CSUZZ19.Alg1", "real-sum": "CSUZZ19.Alg6"}
_LEAST_NOISE = {
    "zero-sum": ("BC20.Thm3.1-calibrated", "upper"),
    "histogram": ("BC20.Thm3.2-calibrated", "upper"),
    "bit-sum": ("CSUZZ19.Lem4.8.all", "upper"),
    "real-sum": ("CSUZZ19.Sec5.3.untagged", "upper"),
    "real-sum-tagged": ("CSUZZ19.Sec5.3.tagged", "upper"),
    "user-histogram": ("LSZKG22.Alg1.gaussian-calibration", "upper"),
    "frequency": ("BEYOND.CorF2", "lower"),
}
_BY_DEFINITION = (
    ("hockey_stick", "FMT21.Sec2.remark-hockey-stick", "the hockey-stick divergence of p from q", "finite"),
    ("local_epsilon", "FMT21.Def2.2", "the least epsilon of a finite local randomizer", "finite"),
    ("shuffle_law", "FMT21.Sec2.remark-shuffle-commutes", "the law of the shuffled messages", "finite"),
    ("renyi", "FMT21.Def6.1", "the Renyi moment of p from q", "finite"),
    ("compose", "KOV15.Thm4.1", "what composition makes of guarantees, or of a pair of laws", "finite"),
    ("threshold", "LSZKG22.Lem4.1.minimisers", "the threshold of least cost", "protocols"),
)


def _protocols() -> Iterator[Group]:
    for operation in ("delta", "epsilon"):
        for method, value in _DELTA_OF:
            asked = catalogue_protocols.bounds(operation, method.name)
            about = f"{operation} of {value}"
            yield _group(method.name, operation, method.statement, about, method.side, _PROTOCOL, asked, "protocols")
    for protocol, statement in _ESTIMATES.items():
        asked = catalogue_finite.questions("estimate", protocol)
        yield _group(protocol, "estimate", statement, "the analyzer's output", "exact", _EXACT, asked, "protocols")
    value = "f_C, or its inverse"
    yield _group("poisson", "debias", "LSZKG22.Alg4.inverse", value, "exact", _DEBIASED, catalogue_protocols.debias(), "protocols")
    for protocol, (statement, claim) in _LEAST_NOISE.items():
        asked = catalogue_protocols.calibrate(protocol)
        value = "the least noise that is enough" if claim == "upper" else "the largest epsilon0 that is certified"
        yield _group(protocol, "calibrate", statement, value, claim, _LEAST, asked, "protocols")


def _finite() -> Iterator[Group]:
    for operation, statement, value, suite in _BY_DEFINITION:
        claim = "law" if operation == "shuffle_law" else "exact"
        yield _group("finite", operation, statement, value, claim, _EXACT, catalogue_finite.questions(operation), suite)


_OF_METHODS = (APPROX_CLONES, LEAKING_RESPONSE, K_RR_CLONES, K_RR_BLANKET, K_RR_PAIR, REAL_SUM_UNTAGGED)
_BRACKETED = (
    "Certified balls on both sides: the upper end is the least of our upper bounds, the lower end the largest of one pair of neighbours; "
    "rounded outward."
)
_IN_BALLS = "Exact rationals where e^epsilon0 is rational and the value is; elsewhere certified balls."


def _randomizers() -> Iterator[Group]:
    for operation in ("delta", "epsilon"):
        for method in _OF_METHODS:
            asked = catalogue_randomizers.bounds(operation, method.name)
            about = f"{operation} of {method.pair}"
            yield _group(method.name, operation, method.statement, about, method.side, _PROTOCOL, asked, "randomizers")
        asked = catalogue_randomizers.bounds(operation, SHUFFLED)
        about = f"{operation} of a named randomizer's shuffled reports, over all neighbouring datasets"
        yield _group(SHUFFLED, operation, "BEYOND.ThmF3", about, "exact", _BRACKETED, asked, "randomizers")
    parameters, noises = catalogue_randomizers.parameters(), catalogue_randomizers.noises()
    about = "p, beta or q of a named randomizer"
    yield _group("parameters", "parameter", "BEYOND.ThmF3", about, "upper", _IN_BALLS, parameters, "randomizers")
    about = "the distribution function of integer noise"
    yield _group("noise", "noise_cdf", "LSZKG22.Alg1.error-discrete-laplace", about, "exact", _IN_BALLS, noises, "randomizers")


def _rounds() -> Iterator[Group]:
    about = "what rounds of a pair, or of privacy loss distributions, have together"
    yield _group("rounds", "compose", "BEYOND.Envelope", about, "exact", _EXACT, catalogue_rounds.shuffled(), "finite")
    about = "the Renyi divergence of rounds"
    asked = catalogue_rounds.renyi_divergences()
    yield _group("rounds", "renyi_divergence", "FMT21.Def6.1", about, "exact", _IN_BALLS, asked, "finite")
    about = "delta at each of several epsilons"
    yield _group("several", "profile", "FMT21.Thm3.2", about, "exact", _BOUND, catalogue_rounds.profiles(), "fmt21")


def _group(
    name: str, operation: str, statement: str, value_of: str, claim: str, how: str, questions: tuple[Question, ...], suite: str
) -> Group:
    return Group(
        name=name, operation=operation, statement=statement, value_of=value_of, claim=claim, how=how, questions=questions, suite=suite
    )
