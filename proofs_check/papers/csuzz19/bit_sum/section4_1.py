"""CSUZZ19, Algorithms 1 to 4: the bit sum, and the algorithms that simulate its view."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

from shuffleproof.proofs_check.ledger import Budget, Verdict, derived, recalled
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.points import HALF
from shuffleproof.spec.distribution import Distribution, binomial, convolution
from shuffleproof.spec.distribution import product as independent
from shuffleproof.spec.protocols import bit_sum

Bits = tuple[int, ...]


def datasets(largest: int) -> Iterator[Bits]:
    """All datasets of up to this many bits."""
    for n in range(1, largest + 1):
        yield from product((0, 1), repeat=n)


@recalled(
    "CSUZZ19.Alg1",
    says="R_(n, lambda)(x): b ~ Ber(lambda/n); x if b = 0, else Ber(1/2). A_(n, lambda): (n/(n - lambda)) (sum of y_i - lambda/2)",
    range="n >= 1, lambda in [0, n], for the analyzer [0, n)",
    governs=["spec.protocols.bit_sum"],
    mutants={"lambda in place of lambda/2": {"shift": Fraction(1)}},
)
def algorithm_1(budget: Budget, *, shift: Fraction = HALF) -> Verdict:
    """The specified protocol against the steps written out once more; and that its output is unbiased, which is what lambda/2 is for."""
    largest = budget.pick(quick=3, full=5)

    def by_steps(dataset: Bits, lam: Fraction) -> Distribution[Fraction]:
        n = len(dataset)
        totals: dict[Fraction, Fraction] = {}
        for kept in product((True, False), repeat=n):
            for drawn in product((0, 1), repeat=n):
                weight = Fraction(1)
                for keeps in kept:
                    weight *= (1 - lam / n if keeps else lam / n) * HALF  # the coin is drawn, and looked at where the bit is not kept
                y = [x if keeps else coin for x, keeps, coin in zip(dataset, kept, drawn, strict=True)]
                z = n / (n - lam) * (sum(y) - lam * shift)
                totals[z] = totals.get(z, Fraction(0)) + weight
        return Distribution(totals)

    def holds(dataset: Bits, share: Fraction) -> bool:
        lam = share * len(dataset)
        law = by_steps(dataset, lam)
        return bit_sum.protocol(n=len(dataset), lam=lam).output(dataset) == law

    return exhaustive.for_all(product(datasets(largest), map(Fraction, ("0", "1/3", "4/5"))), holds=exhaustive.unpacked(holds)).verdict(
        domain=f"all datasets of n <= {largest} users, lambda/n = 0, 1/3, 4/5",
        witness=lambda c: f"x = {c[0]}, lambda = {c[1] * len(c[0])}",
        note="the analyzer needs lambda < n; at lambda = n the randomizer is still defined, and its messages are coins",
    )


def _by_order(dataset: Bits, *, subset: Sequence[int], noise: Fraction = HALF) -> Distribution[int]:
    """Algorithm 3 user by user: a coin for each user of H, the bit of each other one."""
    law: Distribution[int] = Distribution.point(0)
    for i, x in enumerate(dataset):
        law = convolution(law, binomial(1, noise) if i in subset else Distribution.point(x))
    return law


@derived(
    "CSUZZ19.Alg3",
    says="C_H(x): the sum of x_i over i not in H, plus Bin(|H|, 1/2)",
    range="x in {0, 1}^n, H a set of users",
    governs=["spec.protocols.bit_sum"],
    mutants={"Bin(|H|, 1/3)": {"noise": Fraction(1, 3)}},
)
def algorithm_3(budget: Budget, *, noise: Fraction = HALF) -> Verdict:
    largest = budget.pick(quick=4, full=6)
    cases = ((x, h) for x in datasets(largest) for s in range(len(x) + 1) for h in combinations(range(len(x)), s))
    return exhaustive.for_all(
        cases, holds=lambda c: bit_sum.c_subset(c[0], subset=c[1]) == _by_order(c[0], subset=c[1], noise=noise)
    ).verdict(domain=f"all datasets of n <= {largest} users, all H", witness=lambda c: f"x = {c[0]}, H = {c[1]}")


@derived(
    "CSUZZ19.Alg4",
    says="C_s(x): H uniform among the sets of s users, then C_H(x)",
    range="x in {0, 1}^n, s = 0, ..., n",
    governs=["spec.protocols.bit_sum"],
    mutants={"H by increasing draws, each uniform among those that leave enough": {"ordered": True}},
)
def algorithm_4(budget: Budget, *, ordered: bool = False) -> Verdict:
    """H by drawing one user after the other; ordered: only increasing draws are made, which is not uniform."""
    largest = budget.pick(quick=3, full=5)

    def drawn(n: int, s: int) -> Distribution[tuple[int, ...]]:
        law: Distribution[tuple[int, ...]] = Distribution.point(())
        for step in range(s):

            def extended(h: tuple[int, ...], step: int = step) -> Distribution[tuple[int, ...]]:
                first = h[-1] + 1 if ordered and h else 0
                left = [i for i in range(first, n - (s - 1 - step if ordered else 0)) if i not in h]
                return Distribution.uniform([(*h, i) for i in left])

            law = law.then(extended)
        return law

    def holds(dataset: Bits, s: int) -> bool:
        by_draws = drawn(len(dataset), s).then(lambda h: _by_order(dataset, subset=h))
        return bit_sum.c_size(dataset, s=s) == by_draws

    return exhaustive.for_all(((x, s) for x in datasets(largest) for s in range(len(x) + 1)), holds=exhaustive.unpacked(holds)).verdict(
        domain=f"all datasets of n <= {largest} users, all s", witness=lambda c: f"x = {c[0]}, s = {c[1]}"
    )


@derived(
    "CSUZZ19.Alg2",
    says="C_lambda(x): s ~ Bin(n, lambda/n), H uniform of size s, then C_H(x)",
    range="x in {0, 1}^n, lambda in [0, n]",
    governs=["spec.protocols.bit_sum"],
    mutants={"s = lambda, not drawn": {"both": False}},
)
def algorithm_2(budget: Budget, *, both: bool = True) -> Verdict:
    """The size of H and then H, against every user joining H independently; both: with the size drawn, else fixed at its mean."""
    largest = budget.pick(quick=3, full=5)

    def independently(dataset: Bits, lam: Fraction) -> Distribution[int]:
        n = len(dataset)
        chosen: Distribution[tuple[int, ...]] = Distribution.point(())
        for i in range(n):
            chosen = independent(chosen, binomial(1, lam / n)).map(lambda pair, i=i: (*pair[0], i) if pair[1] else pair[0])  # type: ignore[misc]
        return chosen.then(lambda h: _by_order(dataset, subset=h))

    def claimed(dataset: Bits, lam: Fraction) -> Distribution[int]:
        return bit_sum.c_lambda(dataset, lam=lam) if both else bit_sum.c_size(dataset, s=int(lam))

    cases = ((x, Fraction(s)) for x in datasets(largest) for s in range(len(x) + 1))
    return exhaustive.for_all(cases, holds=lambda c: claimed(*c) == independently(*c)).verdict(
        domain=f"all datasets of n <= {largest} users, lambda = 0, ..., n",
        witness=lambda c: f"x = {c[0]}, lambda = {c[1]}",
        note="every user is in H independently of the others: what makes CSUZZ19.Clm4.5.independent possible",
    )
