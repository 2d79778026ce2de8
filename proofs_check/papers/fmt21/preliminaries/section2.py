"""FMT21, section 2: what the definitions mean, and the remarks on local and shuffled protocols."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import factorial

import sympy

from shuffleproof.proofs_check.ledger import SYMPY, Budget, Kind, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.exhaustive import distributions_in_parts
from shuffleproof.proofs_check.ledger.methods.random_randomizers import AdaptiveSteps, adaptive_steps, described, exp_epsilon0s
from shuffleproof.proofs_check.ledger.points import NUDGE
from shuffleproof.spec.distribution import (
    Distribution,
    PrivacyProfile,
    bernoulli,
    hockey_stick,
    indistinguishable,
    indistinguishable_on_all_events,
    max_divergence,
)
from shuffleproof.spec.model import LocalRandomizer, sequential_distribution, shuffled_distribution
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.vocabulary.scope import neighbouring_datasets

_ORDERS = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3))  # e^epsilon: total variation first
_IntegerDistribution = Distribution[int]
_Randomizer = LocalRandomizer[int, int]
_Step = Callable[[tuple[int, ...]], _Randomizer]


@statement(
    "FMT21.Sec2.remark-hockey-stick",
    says="P and Q are (eps, delta)-indistinguishable on every event iff max(D(P || Q), D(Q || P)) <= delta at order e^eps",
    range="all P, Q, eps >= 0, delta in [0, 1]",
    governs=["spec.distribution"],
    mutants={
        "only D(P || Q) is compared with delta": {
            "characterised": lambda p, q, order, delta: hockey_stick(p, q, exp_epsilon=order) <= delta
        },
        "max(...) < delta, strictly": {
            "characterised": lambda p, q, order, delta: (
                max(hockey_stick(p, q, exp_epsilon=order), hockey_stick(q, p, exp_epsilon=order)) < delta
            )
        },
    },
)
def events_equal_divergence(
    budget: Budget,
    *,
    characterised: Callable[[_IntegerDistribution, _IntegerDistribution, Fraction, Fraction], bool] = lambda p, q, order, delta: (
        indistinguishable(p, q, exp_epsilon=order, delta=delta)
    ),
) -> Verdict:
    outcomes, parts = 3, budget.pick(quick=4, full=7)
    laws = distributions_in_parts(parts, outcomes)

    def cases() -> Iterator[tuple[_IntegerDistribution, _IntegerDistribution, Fraction, Fraction]]:
        for p, q, order in product(laws, laws, _ORDERS):
            least = max(hockey_stick(p, q, exp_epsilon=order), hockey_stick(q, p, exp_epsilon=order))
            yield p, q, order, least
            if least > NUDGE:
                yield p, q, order, least - NUDGE

    found = exhaustive.for_all(
        cases(), holds=lambda c: characterised(*c) == indistinguishable_on_all_events(c[0], c[1], exp_epsilon=c[2], delta=c[3])
    )
    return found.verdict(
        domain=f"all pairs of distributions on {outcomes} outcomes in parts of 1/{parts}, e^eps in 1, 3/2, 2, 3, delta critical and just "
        f"below",
        witness=lambda c: f"P = {c[0]}, Q = {c[1]}, e^eps = {c[2]}, delta = {c[3]}: the two sides disagree",
        note="the paper says `if`; it is `if and only if`",
    )


@statement(
    "FMT21.Def2.1",
    says="A is (eps, delta)-DP iff A(X), A(X') are (eps, delta)-indistinguishable for all X, X' that differ on the data of one individual",
    range="all algorithms on D^n, eps >= 0, delta in [0, 1]",
    governs=["spec.vocabulary.scope", "spec.distribution", "spec.model"],
    mutants={"databases that differ on the data of two individuals count as neighbouring": {"most_changed": 2}},
)
def central_dp(budget: Budget, *, most_changed: int = 1) -> Verdict:
    """Definition 2.1 by events over all datasets that differ in up to most_changed users, against the profile over spec's neighbours."""
    largest, parts = budget.pick(quick=2, full=3), budget.pick(quick=3, full=4)
    laws = distributions_in_parts(parts, 2)
    randomizers = [LocalRandomizer((0, 1), {0: p, 1: q}) for p, q in product(laws, laws)]

    def holds(randomizer: _Randomizer, n: int, order: Fraction) -> bool:
        views = {data: shuffled_distribution(randomizer, data) for data in product((0, 1), repeat=n)}
        delta = max(PrivacyProfile(views[x], views[y]).delta(exp_epsilon=order) for x, y in neighbouring_datasets((0, 1), n=n))
        close = [(x, y) for x, y in product(views, views) if 0 < _changed(x, y) <= most_changed]

        def private(at: Fraction) -> bool:
            return all(indistinguishable_on_all_events(views[x], views[y], exp_epsilon=order, delta=at) for x, y in close)

        return private(delta) and (delta <= NUDGE or not private(delta - NUDGE))

    return exhaustive.for_all(product(randomizers, range(1, largest + 1), (Fraction(1), Fraction(2))), holds=holds).verdict(
        domain=f"all shuffled binary randomizers in parts of 1/{parts}, n <= {largest}, e^eps in 1, 2, all neighbours, all events",
        witness=lambda c: f"R = {described(c[0])}, n = {c[1]}, e^eps = {c[2]}: the least delta over neighbours is not the definition's",
    )


@statement(
    "FMT21.Def2.2",
    says="R is an (eps, delta)-DP local randomizer iff R(x), R(x') are (eps, delta)-indistinguishable for all pairs x, x'",
    range="all randomizers, eps >= 0, delta in [0, 1]",
    governs=["spec.model"],
    mutants={"only R(x) <= e^eps R(x') for x before x', not the converse": {"both_ways": False}},
)
def local_randomizer(budget: Budget, *, both_ways: bool = True) -> Verdict:
    """spec's least e^eps0 satisfies the definition by events, and nothing smaller does."""
    outputs, parts = 3, budget.pick(quick=4, full=6)
    laws = distributions_in_parts(parts, outputs)

    def at_order(randomizer: _Randomizer, order: Fraction) -> bool:
        if not both_ways:
            return hockey_stick(randomizer.distribution(0), randomizer.distribution(1), exp_epsilon=order) == 0
        return indistinguishable_on_all_events(randomizer.distribution(0), randomizer.distribution(1), exp_epsilon=order, delta=Fraction(0))

    def holds(randomizer: _Randomizer) -> bool:
        least = randomizer.exp_epsilon0()
        if least is None:
            return not at_order(randomizer, Fraction(10**9))
        return at_order(randomizer, least) and (least == 1 or not at_order(randomizer, max(Fraction(1), least - NUDGE)))

    return exhaustive.for_all((LocalRandomizer((0, 1), {0: p, 1: q}) for p, q in product(laws, laws)), holds=holds).verdict(
        domain=f"all randomizers from 2 inputs to {outputs} messages in parts of 1/{parts}, all events, delta = 0",
        witness=lambda r: f"R = {described(r)}: e^eps0 = {r.exp_epsilon0()} is not the definition's",
    )


def _changed(x: Sequence[int], y: Sequence[int]) -> int:
    return sum(a != b for a, b in zip(x, y, strict=True))


def _transcripts(steps: Sequence[_Step]) -> dict[tuple[int, ...], Distribution[tuple[int, ...]]]:
    return {data: sequential_distribution(steps, data) for data in product((0, 1), repeat=len(steps))}


def _worst(laws: dict[tuple[int, ...], Distribution[tuple[int, ...]]], order: Fraction) -> Fraction:
    """The least delta for which the transcripts are (eps, delta)-DP: over all pairs of datasets that differ in one place."""
    return max(hockey_stick(laws[x], laws[y], exp_epsilon=order) for x, y in product(laws, laws) if _changed(x, y) == 1)


def _same_pure_level(steps: AdaptiveSteps, factor: Fraction) -> bool:
    """Return whether the transcripts' least e^eps is this factor times the worst step's, over histories that can happen."""
    laws = _transcripts(steps.sequence)
    histories = {z[:i] for law in laws.values() for z in law.support for i in range(len(z))}
    worst_step = max(steps.at(len(z), z).exp_epsilon0() or Fraction(0) for z in histories)
    worst_pair = max(max_divergence(laws[x], laws[y]) or Fraction(0) for x, y in product(laws, laws) if _changed(x, y) == 1)
    return worst_pair == factor * worst_step


def _told_one(history: tuple[int, ...]) -> _Randomizer:
    return LocalRandomizer((0, 1), {x: Distribution.point(x if history == (1,) else 0) for x in (0, 1)})


@statement(
    "FMT21.Sec2.remark-local-protocol",
    where="Section 2, before Definition 2.2",
    kind=Kind.PART,
    says="with one message a client, local (eps, delta)-DP of the transcripts reduces to (eps, delta)-DP of each client's randomizer at "
    "every history: either implies the other",
    range="all protocols in which each client receives at most one message and sends one",
    governs=["spec.model"],
    mutants={"corrected statement with the transcripts' least e^eps at 0.9 of the worst step's": {"factor": Fraction(9, 10)}},
)
def local_protocol(budget: Budget, *, factor: Fraction = Fraction(1)) -> Verdict:
    """For delta = 0 transcripts and reachable steps have one level; a transcript's delta > 0 says nothing about a rare step."""
    n, coin = 2, bernoulli(Fraction(1, 10))
    pure = sampled.for_all(
        exp_epsilon0s().flatmap(lambda T: adaptive_steps(n=n, exp_epsilon0=T, inputs=2)),
        holds=lambda steps: _same_pure_level(steps, factor),
        budget=budget,
        quick=60,
        full=600,
    )
    leaky: list[_Step] = [lambda history: LocalRandomizer((0, 1), {0: coin, 1: coin}), _told_one]
    transcripts_private = _worst(_transcripts(leaky), Fraction(1)) <= Fraction(1, 10)
    step_leaks = hockey_stick(_told_one((1,)).distribution(1), _told_one((1,)).distribution(0), exp_epsilon=Fraction(10**9)) == 1
    return erratum(
        witness="client 1 sends Bern(1/10) whatever its input, client 2 its input if z_1 = 1 and else 0: transcripts of neighbours are "
        "(0, 1/10)-indistinguishable, R^(2)(1, .) is not (eps, delta)-DP for any eps and delta < 1",
        is_witness=transcripts_private and step_leaks,
        corrected="for delta = 0 the least eps of the transcripts is that of the worst R^(i)(z, .) over reachable histories z; "
        "for delta > 0 the steps' guarantee is sufficient and not necessary",
        beside=pure.verdict(domain=f"delta > 0 at one exact sequence; delta = 0, random adaptive sequences of {n} clients"),
        cases=pure.cases + 1,
        note="the same paragraph calls one protocol eps0-DP and its randomizers (eps, delta)-DP: a misprint for one of the two",
    )


@statement(
    "FMT21.Sec2.remark-shuffle-not-local",
    where="Section 2, shuffle model",
    says="a protocol that is (eps, delta)-DP in the shuffle model need not be locally (eps, delta)-DP",
    range="existence",
    governs=["spec.model"],
    mutants={"the same with a single user, n = 1": {"n": 1}},
)
def shuffle_not_local(budget: Budget, *, n: int = 2, exp_epsilon0: Fraction = Fraction(3)) -> Verdict:
    """At eps = 0, the exact deltas of 2RR alone and shuffled among n users."""
    randomizer = binary_rr(exp_epsilon0=exp_epsilon0)
    local = PrivacyProfile(randomizer.distribution(0), randomizer.distribution(1)).delta(exp_epsilon=Fraction(1))
    pairs = list(neighbouring_datasets((0, 1), n=n))
    views = [(shuffled_distribution(randomizer, x), shuffled_distribution(randomizer, y)) for x, y in pairs]
    shuffled = max(PrivacyProfile(p, q).delta(exp_epsilon=Fraction(1)) for p, q in views)
    facts = f"2RR with e^eps0 = {exp_epsilon0}, n = {n}, eps = 0: shuffled delta = {shuffled}, local delta = {local}"
    domain = "one exact protocol, all neighbouring pairs (an existence claim)"
    return Verdict.certified(domain=domain, cases=len(pairs), slack=facts, against=None if shuffled < local else f"{facts}: no difference")


@statement(
    "FMT21.Sec2.remark-shuffle-commutes",
    where="Section 2, shuffle model",
    says="for a fixed local randomizer, shuffling the randomized responses is distributed as randomizing shuffled data",
    range="all n, all randomizers that do not depend on the place",
    governs=["spec.model"],
    grounds=[SYMPY],
    mutants={"the randomizer may depend on the place": {"place_matters": True}},
)
def shuffle_commutes(budget: Budget, *, place_matters: bool = False) -> Verdict:
    """Distribution of shuffled responses = distribution of responses to shuffled data, with R(x_i)(z_j) as independent unknowns.

    For outputs z both distributions are sums over the n! orders of products of the numbers r_ij = R(x_i)(z_j), so one identity in n^2
    unknowns settles every randomizer, dataset and output.
    """
    largest, decided = budget.pick(quick=4, full=5), 0
    domain = f"all randomizers, datasets and outputs, n <= {largest} (unknown probabilities)"
    for n in range(1, largest + 1):
        places = range(n) if place_matters else (0,) * n
        r = {key: sympy.Symbol("r_{}_{}_{}".format(*key)) for key in product(range(n), repeat=3)}  # place, input, output
        responses, data = sympy.S.Zero, sympy.S.Zero
        for order in permutations(range(n)):
            # responses: user i responds first, then lands in place order[i]; data: place j randomizes the data of user order[j]
            responses += sympy.prod(r[places[i], i, order[i]] for i in range(n))
            data += sympy.prod(r[places[j], order[j], j] for j in range(n))
        decided += 1
        if not symbolic.are_identical(responses / factorial(n), data / factorial(n)):
            witness = f"n = {n}: the two distributions differ as polynomials in the response probabilities"
            return Verdict.refuted(witness, domain=domain, cases=decided)
    note = "not machine-checked for larger n, where the two sums are the permanents of a matrix and of its transpose"
    return Verdict.proved(domain=domain, cases=decided, note=note)
