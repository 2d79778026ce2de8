"""BC20, section 4: pure privacy before and after shuffling, with one message a user, where it is the same, and with several."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import sympy
from hypothesis import strategies as st

from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Coq, Verdict, for_finite_sets, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.random_randomizers import described, distributions, exp_epsilon0s, randomizers
from shuffleproof.spec.distribution import Distribution, convolution, max_divergence, mixture
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution, shuffled_vectors_distribution
from shuffleproof.spec.randomizers.r_gap import VECTORS, WITHOUT_TWO_ONES, r_gap
from shuffleproof.spec.randomizers.r_inf import r_inf
from shuffleproof.spec.vocabulary.scope import neighbouring_datasets

_QUICK = 120  # drawn cases in `verify`
_FULL = 500  # drawn cases in the full run
_Randomizer = LocalRandomizer[int, int]


@st.composite
def _arbitrary(draw: st.DrawFn) -> _Randomizer:
    """Any randomizer on two or three inputs and messages; not all of them private at all."""
    inputs, outputs = draw(st.integers(2, 3)), draw(st.integers(2, 3))
    return LocalRandomizer(range(inputs), {x: draw(distributions(outputs=outputs)) for x in range(inputs)})


@st.composite
def _private(draw: st.DrawFn) -> _Randomizer:
    return draw(randomizers(exp_epsilon0=draw(exp_epsilon0s())))


@st.composite
def _cases(draw: st.DrawFn) -> tuple[_Randomizer, int]:
    return draw(st.one_of(_private(), _arbitrary())), draw(st.integers(1, 3))


def shuffled_exp_epsilon(randomizer: _Randomizer, *, n: int) -> Fraction | None:
    """e^eps for the least eps such that n shuffled messages are eps-DP, over all neighbouring datasets; None if there is none."""
    views = {data: shuffled_distribution(randomizer, data) for data in {tuple(sorted(x)) for x in product(randomizer.domain, repeat=n)}}
    pairs = {(tuple(sorted(x)), tuple(sorted(y))) for x, y in neighbouring_datasets(randomizer.domain, n=n)}
    worst = Fraction(1)
    for x, y in pairs:
        ratio = max_divergence(views[x], views[y])
        if ratio is None:
            return None
        worst = max(worst, ratio)
    return worst


@statement(
    "BC20.Clm4.2",
    says="if a single-message shuffled protocol is eps-DP, its randomizer is eps-DP: shuffling cannot improve pure epsilon",
    range="all randomizers, n >= 1, eps >= 0",
    governs=["spec.model"],
    grounds=[SYMPY, Coq("pure_one_message_is_local", states="121c03c4c0bd32ae"), "one-message#pure-privacy-before-and-after-shuffling"],
    mutants={"shuffling takes a tenth off e^eps - 1": {"share": Fraction(9, 10)}},
    missing="randomizers with infinitely many messages; for finite sets of messages Coq has checked it all: BC20.Clm4.2.finite",
)
def pure(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """Symbolic for Y^n, and drawn: e^eps - 1 of R is at most share times that of the shuffled messages, in fact equal to it."""
    a, b, E, others = sympy.symbols("a b E c", positive=True)
    # Pr on (x, ..., x) minus e^eps Pr on (x', x, ..., x): a^n - E b a^(n-1), with c for a^(n-1)
    identity = symbolic.are_identical(a * others - E * b * others, others * (a - E * b))

    def holds(case: tuple[_Randomizer, int]) -> bool:
        local, shuffled = case[0].exp_epsilon0(), shuffled_exp_epsilon(case[0], n=case[1])
        if local is None or shuffled is None:
            return local is None and shuffled is None
        return shuffled <= local and local - 1 <= share * (shuffled - 1)

    found = sampled.for_all(_cases(), holds=holds, budget=budget, quick=_QUICK, full=_FULL)
    return found.verdict(
        domain=f"all R, Y and n by the event Y^n; {found.cases} drawn randomizers, n <= 3, every pair of neighbours",
        witness=lambda case: f"R = {described(case[0])}, n = {case[1]}",
        slack="0: the least epsilon is the same before and after shuffling in every drawn case",
        note="Pr[R(x) in Y] > e^eps Pr[R(x') in Y] >= 0 is positive, so multiplying by its (n - 1)-st power keeps the strict inequality",
        given=identity,
    )


for_finite_sets(
    pure,
    Coq("pure_one_message_is_local", states="121c03c4c0bd32ae"),
    says="Claim 4.2 for finitely many messages: if the histogram of n messages of R is eps-DP, R is eps-DP",
    range="n >= 1, e^eps >= 0 in any ordered field, data of any type, any R with finitely many messages",
)


def orders(vector: tuple[int, ...]) -> Distribution[tuple[int, ...]]:
    """A uniformly random permutation of the vector."""
    return Distribution.uniform(permutations(vector))


def _reports(randomizer: _Randomizer, dataset: Sequence[int]) -> Distribution[tuple[int, ...]]:
    law: Distribution[tuple[int, ...]] = Distribution.point(())
    for x in dataset:
        message = randomizer.distribution(x)
        law = mixture([(weight, message.map(lambda y, sent=sent: (*sent, y))) for sent, weight in law.items()])  # type: ignore[misc]
    return law


@statement(
    "BC20.Thm4.1",
    says="for every eps-DP single-message shuffled protocol there is an eps-DP local protocol whose output has the same distribution on "
    "every input",
    range="all single-message protocols, n >= 1, eps >= 0",
    governs=["spec.model"],
    grounds=["BC20.Clm4.2", "one-message#pure-privacy-before-and-after-shuffling"],
    mutants={"A_L hands the messages on in the users' order": {"permuted": False}},
    missing="infinitely many messages or outputs; for finite sets Coq has checked it all: BC20.Thm4.1.finite",
)
def simulated(budget: Budget, *, permuted: bool = True) -> Verdict:
    """Return what A_L hands on to A, against what the shuffler hands on to A, as sequences; any A of equal inputs gives equal outputs."""

    @st.composite
    def cases(draw: st.DrawFn) -> tuple[_Randomizer, tuple[int, ...]]:
        randomizer = draw(st.one_of(_private(), _arbitrary()))
        dataset = draw(st.lists(st.sampled_from(randomizer.domain), min_size=1, max_size=3))
        return randomizer, tuple(dataset)

    def holds(case: tuple[_Randomizer, tuple[int, ...]]) -> bool:
        shuffled = shuffled_distribution(*case).then(orders)
        reports = _reports(*case)
        return (reports.then(orders) if permuted else reports) == shuffled

    found = sampled.for_all(cases(), holds=holds, budget=budget, quick=80, full=300)
    return found.verdict(
        domain=f"all protocols, by construction: A_L permutes and calls A; {found.cases} drawn randomizers and datasets of n <= 3",
        witness=lambda c: f"R = {described(c[0])}, x = {c[1]}",
    )


for_finite_sets(
    simulated,
    Coq("simulated_locally", states="a8697f410ec723ae"),
    says="Theorem 4.1 for finitely many messages and outputs: the randomizer of an eps-DP single-message shuffled protocol is eps-DP, and "
    "with the analyzer that first permutes its messages it gives the same distribution of outputs on every input",
    range="n >= 1, e^eps >= 0 in any ordered field, data of any type, any R and any A with finitely many messages and outputs",
)


_Vectors = LocalRandomizer[int, tuple[int, ...]]


@statement(
    "BC20.Clm4.3",
    says="R^inf: x -> (x, 1 - x) is 0-DP after shuffling and not eps-DP by itself for any finite eps",
    range="n >= 1",
    governs=["spec.randomizers.r_inf", "spec.model"],
    grounds=[Coq("nothing_after_shuffling", states="301d5b195d56b7d7"), EXACT, "histograms#what-the-protocols-send-and-answer"],
    mutants={
        "R: x -> (x, x)": {"randomizer": LocalRandomizer((0, 1), {x: Distribution.point((x, x)) for x in (0, 1)}), "most": 3},
        "R: x -> (0, 1)": {"randomizer": LocalRandomizer((0, 1), {x: Distribution.point((0, 1)) for x in (0, 1)}), "most": 3},
    },
)
def nothing_after_shuffling(budget: Budget, *, randomizer: _Vectors | None = None, most: int | None = None) -> Verdict:
    sent, most = randomizer or r_inf(), most or budget.pick(quick=6, full=10)
    domain = f"n <= {most}, all datasets; the view is always n zeros and n ones"
    found = exhaustive.for_all(
        ((n, data) for n in range(1, most + 1) for data in product((0, 1), repeat=n)),
        holds=lambda c: shuffled_vectors_distribution(sent, c[1]) == Distribution.point((0,) * c[0] + (1,) * c[0]),
    )
    if found.holds and sent.exp_epsilon0() is not None:
        return Verdict.refuted("the randomizer is pure DP by itself", domain=domain, cases=found.cases)
    return found.verdict(domain=domain + ", for all n since every user sends one of each", witness=lambda c: f"x = {c[1]}")


def _pre_shuffled(randomizer: _Vectors) -> _Vectors:
    return LocalRandomizer(randomizer.domain, {x: randomizer.distribution(x).then(orders) for x in randomizer.domain})


@statement(
    "BC20.Sec4.1.remark-pre-shuffle",
    where="Section 4.1, after Claim 4.3",
    says="a randomizer may shuffle its own messages first without loss of accuracy or privacy, as S o (S o R)^n has the distribution of S "
    "o R^n, and R^inf is then 0-DP",
    range="all multi-message randomizers",
    governs=["spec.model"],
    grounds=[EXACT, "one-message#pure-privacy-before-and-after-shuffling"],
    mutants={"R^inf is 0-DP without that": {"change": False}},
    missing="messages beyond a given number and a finite set, of which Coq says it all: BC20.Sec4.1.remark-pre-shuffle.finite",
)
def pre_shuffle(budget: Budget, *, change: bool = True) -> Verdict:
    """Drawn multi-message randomizers: pre-shuffling leaves the view as it is; S o R^inf is 0-DP. change: whether R^inf is pre-shuffled."""

    @st.composite
    def cases(draw: st.DrawFn) -> tuple[Any, tuple[int, ...]]:
        vectors = st.lists(st.integers(0, 2), max_size=3).map(tuple)
        rows = {}
        for x in (0, 1):
            options = draw(st.lists(vectors, min_size=1, max_size=3))
            rows[x] = Distribution.uniform(options)
        dataset = draw(st.lists(st.integers(0, 1), min_size=1, max_size=3))
        return LocalRandomizer((0, 1), rows), tuple(dataset)

    alone: _Vectors = _pre_shuffled(r_inf()) if change else r_inf()
    found = sampled.for_all(
        cases(),
        holds=lambda c: (
            shuffled_vectors_distribution(_pre_shuffled(c[0]), c[1]) == shuffled_vectors_distribution(*c) and alone.exp_epsilon0() == 1
        ),
        budget=budget,
        quick=60,
        full=300,
    )
    return found.verdict(
        domain=f"all randomizers: the shuffler forgets every order; {found.cases} drawn ones, n <= 3; R^inf exactly",
        witness=lambda c: f"R = {described(c[0])}, x = {c[1]}; e^eps of R^inf by itself: {alone.exp_epsilon0()}",
    )


for_finite_sets(
    pre_shuffle,
    Coq("pre_shuffling", states="ba5a03b15d7f2747"),
    says="for a given number of messages from a finite set: where every user's messages are put in a random order first, how often each "
    "message was sent by all together has on every dataset the distribution that it has without; and R^inf is then 0-DP by itself",
    range="all n, data of any type, randomizers that send so many messages of a finite set, probabilities in any ordered field",
)


@st.composite
def _gap_weights(draw: st.DrawFn) -> tuple[dict[Any, Fraction], dict[Any, Fraction]]:
    """Two distributions with exactly the supports of R^gap."""
    rows = []
    for support in (VECTORS, WITHOUT_TWO_ONES):
        raw = draw(st.lists(st.integers(1, 9), min_size=len(support), max_size=len(support)))
        rows.append({y: Fraction(weight, sum(raw)) for y, weight in zip(support, raw, strict=True)})
    return rows[0], rows[1]


def _every_sum(summands: set[int], *, least: int, largest: int) -> int | None:
    """The first n >= least whose n-fold sums miss a number of {0, ..., 4 n}; None if there is none, by induction from two terms on."""
    sums = {0}
    for n in range(1, largest + 1):
        sums = {a + b for a in sums for b in summands}
        if n >= least and sums != set(range(4 * n + 1)):
            return n
    return None


@statement(
    "BC20.Clm4.4",
    says="R^gap has no finite eps even pre-shuffled, but for n >= 2 its shuffled messages are eps-DP for a finite eps, since every "
    "number of {0, ..., 4n} is a sum of n numbers from {0, 1, 3, 4}",
    range="n >= 2, all weights with the stated supports",
    governs=["spec.randomizers.r_gap", "spec.model"],
    grounds=[Coq("gap_in_full", states="ab1c642a2f3492dc"), EXACT, "one-message#a-gap-that-shuffling-fills"],
    mutants={"for all n >= 1": {"least": 1}, "with {0, 1, 4} for {0, 1, 3, 4}": {"summands": frozenset({0, 1, 4})}},
)
def gap(budget: Budget, *, least: int = 2, summands: frozenset[int] = frozenset({0, 1, 3, 4})) -> Verdict:
    missing = _every_sum(set(summands), least=least, largest=12)
    domain = f"R^gap with any weights, n >= {least}"
    if missing is not None:
        witness = f"n = {missing}: some number of {{0, ..., {4 * missing}}} is no sum of {missing} numbers from {sorted(summands)}"
        return Verdict.refuted(witness, domain=domain, cases=missing)

    def holds(weights: tuple[dict[Any, Fraction], dict[Any, Fraction]]) -> bool:
        randomizer = r_gap(weights=weights)
        ones = {x: randomizer.distribution(x).map(sum) for x in (0, 1)}
        finite = [max_divergence(*(convolution(*(ones[x] for x in data)) for data in pair)) for pair in neighbouring_datasets((0, 1), n=2)]
        return None not in finite and max_divergence(ones[0], ones[1]) is None

    found = sampled.for_all(_gap_weights(), holds=holds, budget=budget, quick=30, full=200)
    counts = {x: r_gap().distribution(x).map(sum) for x in (0, 1)}
    least_ratios = []
    for n in range(2, budget.pick(quick=4, full=7) + 1):
        views = {k: convolution(*[counts[1]] * k, *[counts[0]] * (n - k)) for k in range(n + 1)}
        ratios = [max_divergence(views[k], views[other]) for k in range(n + 1) for other in (k - 1, k + 1) if 0 <= other <= n]
        least_ratios.append(max(ratio for ratio in ratios if ratio is not None))
    return found.verdict(
        domain=f"{domain}: sums of two terms from {{0, 1, 3, 4}} give 0, ..., 8, and more terms by induction; {found.cases} drawn weights "
        "at n = 2",
        witness=lambda c: f"weights = {c}",
        slack="with uniform weights the least e^eps is " + ", ".join(f"{float(r):.4g}" for r in least_ratios) + " for n = 2, 3, ...",
        note="alone (n = 1), pre-shuffled or not, it has no finite eps: two ones happen on input 0 only",
    )
