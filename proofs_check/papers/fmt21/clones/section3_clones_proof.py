"""FMT21, section 3: the process (pi, y) in the proof of Lemma 3.3, enumerated; z given both is Algorithm 1's."""

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from math import perm
from typing import Any

from shuffleproof.proofs_check.ledger import Budget, Kind, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import Clones, clone_counts
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, hockey_stick, independent
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution


def _process(n: int, p: Fraction, bit: int, *, first_place: bool) -> Distribution[tuple[tuple[int, ...], tuple[int, ...]]]:
    """pi and y on input bit: y_i = bit where pi(i) = 1 (at i = 1 if first_place), else an independent Y. Users count from 0."""
    Y = Distribution({0: p / 2, 1: p / 2, 2: 1 - p})

    def reports(users: tuple[int, ...]) -> Distribution[tuple[tuple[int, ...], tuple[int, ...]]]:
        own = 0 if first_place else users.index(0)
        return independent([Distribution.point(bit) if i == own else Y for i in range(n)]).map(lambda y: (users, y))

    return Distribution.uniform(permutations(range(n))).then(reports)


def _process_as_claimed(n: int, p: Fraction, *, first_place: bool) -> bool:
    """y ~ rho_b, and given y the users at its 2s are a uniform injection of the others, for either b."""
    for bit in (0, 1):
        law = _process(n, p, bit, first_place=first_place)
        if law.map(lambda drawn: drawn[1]) != _reports(n, p, bit):
            return False
        chosen = law.map(lambda drawn: (tuple(user for user, kind in zip(*drawn, strict=True) if kind == 2), drawn[1]))
        reports = law.map(lambda drawn: drawn[1])
        if any(0 in users or weight != reports[y] / perm(n - 1, y.count(2)) for (users, y), weight in chosen.items()):
            return False
    return True


def _order_matters() -> bool:
    """For n = 3, y = (0, 2, 2) and left-over distributions that name their user, T = {2, 3} leaves two of z, one for each order."""
    clones = Clones(lambda i, z: (Distribution.point(0), Distribution.point(1)), lambda i, z, x: Distribution.point(x), (2, 3))
    return len(clones.placed((0, 2, 2)).support) == 2


@statement(
    "FMT21.Lem3.3-proof",
    where="proof of Lemma 3.3",
    kind=Kind.MISPRINT,
    says="y_i is set to b if i = 1, and sampling z given y needs only the set T = pi({i : y_i = 2})",
    range="all n",
    governs=["proofs_check.papers.fmt21.clones.reduction"],
    mutants={"the corrected process with y_1 = b at place 1, whoever stands there": {"first_place": True}},
)
def lemma_33_proof(budget: Budget, *, first_place: bool = False) -> Verdict:
    largest = budget.pick(quick=3, full=4)
    cases = product(range(1, largest + 1), (Fraction(1), Fraction(1, 2), Fraction(1, 7)))
    found = exhaustive.for_all(cases, holds=lambda n, p: _process_as_claimed(n, p, first_place=first_place))
    return erratum(
        witness="n = 2, pi = (2, 1): `if i = 1, we set y_i = b` leaves y_2 undefined (user 1 stands at place 2); n = 3, y = (0, 2, 2), "
        "LO(x) = x: the set T = {2, 3} leaves z_2 z_3 = 2 3 or 3 2 open",
        is_witness=_order_matters(),
        corrected="set y_i = b where pi(i) = 1; given y = v, pi restricted to {i : v_i = 2} is a uniform injection into {2..n}, the same "
        "for both b, and z needs that restriction, not only its image T",
        beside=found.verdict(domain=f"two exact witnesses; the corrected process enumerated for n <= {largest}, p = 1, 1/2, 1/7"),
        cases=found.cases + 2,
    )


def _reports(n: int, p: Fraction, bit: int) -> Distribution[tuple[int, ...]]:
    """rho_b: user 1 reports b, the others independent copies of Y, in a uniformly random order."""
    Y = Distribution({0: p / 2, 1: p / 2, 2: 1 - p})
    return shuffled_distribution(
        LocalRandomizer(("first", "other"), {"first": Distribution.point(bit), "other": Y}), ("first", *("other",) * (n - 1))
    ).then(lambda reports: Distribution.uniform(permutations(reports)))


@statement(
    "FMT21.Lem3.3.step-counts",
    where="after the proof of Lemma 3.3",
    says="D(rho_0 || rho_1) is the divergence between the counts of 0s and 1s, which are (1+A, C-A) and (A, C-A+1), C ~ Bin(n-1, p), A ~ "
    "Bin(C, 1/2)",
    range="all n, p in (0, 1], eps >= 0",
    governs=["spec.model"],
    mutants={"only the number of 0s and 1s together is kept": {"kept": lambda y: y.count(0) + y.count(1)}},
)
def step_counts(budget: Budget, *, kept: Callable[[tuple[int, ...]], Any] = lambda y: (y.count(0), y.count(1))) -> Verdict:
    largest = budget.pick(quick=4, full=5)

    def holds(n: int, p: Fraction) -> bool:
        rho, counts = [_reports(n, p, bit) for bit in (0, 1)], clone_counts(n, p)
        if any(law.map(lambda y: (y.count(0), y.count(1))) != pair for law, pair in zip(rho, counts, strict=True)):
            return False
        less = [law.map(kept) for law in rho]
        orders = {Fraction(1), *PrivacyProfile(rho[0], rho[1]).corners(), *PrivacyProfile(less[0], less[1]).corners()}
        return all(hockey_stick(rho[0], rho[1], exp_epsilon=E) == hockey_stick(less[0], less[1], exp_epsilon=E) for E in orders)

    return exhaustive.for_all(product(range(1, largest + 1), (Fraction(1), Fraction(1, 2), Fraction(1, 7))), holds=holds).verdict(
        domain=f"n <= {largest}, p = 1, 1/2, 1/7, all orders e^eps >= 1 (at the corners of both profiles)",
        note="the distribution of y depends on the number of 0s and on the number of 1s, not only on how many there are of both together",
    )
