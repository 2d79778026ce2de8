"""BC20, Claim 4.2 and Theorem 4.1, on 500 different random randomizers: the least epsilon before and after shuffling, exactly."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from shuffleproof.proofs_check.ledger import EXACT, Budget, Library, Verdict, derived
from shuffleproof.proofs_check.ledger.methods.random_randomizers import Randomizer, described
from shuffleproof.proofs_check.papers.bc20.section4 import shuffled_exp_epsilon
from shuffleproof.spec.distribution import Distribution

NUMBER = 500  # randomizers that are drawn: some seconds
_NOT_PRIVATE = 10  # one in so many may have outcomes that one input never sends


def drawn(*, seed: int, number: int) -> list[Randomizer]:
    """So many different randomizers on two or three inputs and messages; every tenth of the drawn ones may have probabilities of 0."""
    source, found = Random(seed), dict[str, Randomizer]()
    while len(found) < number:
        inputs, outputs = source.choice((2, 3)), source.choice((2, 3))
        least = 0 if source.randrange(_NOT_PRIVATE) == 0 else 1
        laws = {x: _law(source, outputs, least) for x in range(inputs)}
        randomizer = Randomizer(range(inputs), laws)
        found.setdefault(described(randomizer), randomizer)
    return list(found.values())


def _law(source: Random, outputs: int, least: int) -> Distribution[int]:
    weights = [source.randint(least, 20) for _ in range(outputs)]
    if not any(weights):
        weights[source.randrange(outputs)] = 1
    return Distribution({y: Fraction(weight, sum(weights)) for y, weight in enumerate(weights)})


def _cases(budget: Budget) -> Iterator[tuple[Randomizer, int]]:
    """Every randomizer with two users, and with three: all of them in full depth, every tenth else."""
    every = budget.pick(quick=10, full=1)
    for at, randomizer in enumerate(drawn(seed=budget.seed, number=NUMBER)):
        yield randomizer, 2
        if at % every == 0:
            yield randomizer, 3


@derived(
    "BC20.Thm4.1-drawn",
    where="Claim 4.2, Theorem 4.1 (and Theorem 1.3)",
    says="the least eps with delta = 0 is the same before and after shuffling one message a user",
    range="all randomizers, n >= 1",
    governs=["spec.model"],
    grounds=[EXACT, Library("the generator of the standard library, seed 0")],
    mutants={"shuffling takes a hundredth off e^eps - 1": {"share": Fraction(99, 100)}},
)
def collapse(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """Return whether e^eps - 1 after shuffling is exactly share times that of the randomizer, or both are infinite."""
    infinite = 0
    for cases, (randomizer, n) in enumerate(_cases(budget), 1):
        local, shuffled = randomizer.exp_epsilon0(), shuffled_exp_epsilon(randomizer, n=n)
        infinite += local is None and n == 2
        same = shuffled is local if local is None or shuffled is None else shuffled - 1 == share * (local - 1)
        if not same:
            witness = f"R = {described(randomizer)}, n = {n}: e^eps is {shuffled} after shuffling and {local} before"
            return Verdict.refuted(witness, domain="drawn randomizers", cases=cases)
    return Verdict.sampled(
        domain=f"{NUMBER} different randomizers on two or three inputs and messages, denominators of at most 60, {infinite} of "
        "them without a finite eps; n = 2, and n = 3 for some or all of them; all neighbouring datasets",
        cases=cases,
        slack="0: equal in every case",
        note="that shuffling cannot lower it is BC20.Clm4.2; that it cannot raise it is post-processing",
    )
