"""BC20, section 4: with one message a user, pure privacy after shuffling is pure privacy before it."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product

import sympy
from hypothesis import strategies as st

from shuffleproof.proofs_check.ledger import SYMPY, Budget, Coq, Verdict, for_finite_sets, statement
from shuffleproof.proofs_check.ledger.methods import sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.random_randomizers import described, distributions, exp_epsilon0s, randomizers
from shuffleproof.spec.distribution import Distribution, max_divergence, mixture
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution
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
