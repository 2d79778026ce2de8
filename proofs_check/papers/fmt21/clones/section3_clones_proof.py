"""FMT21, section 3: the process (z, y) in the proof of Lemma 3.3, enumerated."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import perm
from typing import Any

from shuffleproof.proofs_check.ledger import Budget, Kind, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.proofs_check.papers.fmt21.clones.reduction import Clones, clone_counts, clones_of
from shuffleproof.proofs_check.papers.fmt21.clones.section3_clones import Case, decomposable_cases
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, hockey_stick
from shuffleproof.spec.model import LocalRandomizer, adaptive_shuffled_distribution, shuffled_distribution

_State = tuple[tuple[int, ...], tuple[Any, ...]]


@dataclass(frozen=True)
class _Draw:
    """One outcome of the process: which user stands at each place, what each place reports, and the outputs."""

    users: tuple[int, ...]
    y: tuple[int, ...]
    z: tuple[Any, ...]

    @property
    def chosen(self) -> tuple[int, ...]:
        """The users at the places with a 2, in order: the restriction of pi that sampling z needs."""
        return tuple(user for user, kind in zip(self.users, self.y, strict=True) if kind == 2)


def _process(case: Case, bit: int, *, first_place: bool) -> Distribution[_Draw]:
    """The joint distribution of (pi, y, z) on input bit: y_i = bit where pi(i) = 1 (at i = 1 if first_place), else an independent Y."""
    p, steps, others = case
    clones: Clones = clones_of(steps.sequence, x0=0, x1=1, others=others, p=p)
    Y = Distribution({0: p / 2, 1: p / 2, 2: 1 - p})
    weights: defaultdict[_Draw, Fraction] = defaultdict(Fraction)
    orders = list(permutations(range(clones.n)))
    for users in orders:
        law: Distribution[_State] = Distribution.point(((), ()))
        for i, user in enumerate(users):
            report = Distribution.point(bit) if (i == 0 if first_place else user == 0) else Y

            def step(
                state: tuple[tuple[int, ...], tuple[Any, ...]], i: int = i, user: int = user, report: Distribution[int] = report
            ) -> Any:
                y, z = state

                def output(kind: int) -> Distribution[_State]:
                    if kind != 2:
                        message = clones.components(i, z)[kind]
                    else:  # with first_place, user 1 may be asked for a left-over distribution that it does not have; it answers as itself
                        message = clones.left_over(i, z, others[user - 1]) if user else clones.components(i, z)[bit]
                    return message.map(lambda m: ((*y, kind), (*z, m)))

                return report.then(output)

            law = law.then(step)
        for (y, z), weight in law.items():
            weights[_Draw(users, y, z)] += weight / len(orders)
    return Distribution(weights)


def _conditioned(law: Distribution[_Draw], y: tuple[int, ...]) -> Distribution[_Draw]:
    mass = sum((weight for draw, weight in law.items() if draw.y == y), Fraction(0))
    return Distribution({draw: weight / mass for draw, weight in law.items() if draw.y == y})


def _process_as_claimed(case: Case, *, first_place: bool = False) -> bool:
    """z ~ A_s(X_b), y ~ rho_b; given y, the users at its 2s are a uniform injection; that and z's distribution do not depend on b."""
    _, steps, others = case
    n = len(others) + 1
    joint = [_process(case, bit, first_place=first_place) for bit in (0, 1)]
    for bit in (0, 1):
        if joint[bit].map(lambda draw: draw.z) != adaptive_shuffled_distribution(steps.sequence, (bit, *others)):
            return False
        reports = joint[bit].map(lambda draw: draw.y)
        if any(reports[y] != reports[tuple(y[i] for i in order)] for y in reports.support for order in permutations(range(n))):
            return False
    seen: list[dict[tuple[int, ...], Distribution[_Draw]]] = [
        {y: _conditioned(law, y) for y in law.map(lambda draw: draw.y).support} for law in joint
    ]
    for given in seen:
        for y, law in given.items():
            chosen = law.map(lambda draw: draw.chosen)
            if any(weight != Fraction(1, perm(n - 1, y.count(2))) for _, weight in chosen.items()):
                return False
    both = set(seen[0]) & set(seen[1])
    return all(seen[0][y].map(lambda draw: draw.z) == seen[1][y].map(lambda draw: draw.z) for y in both)


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
    largest = budget.pick(quick=2, full=3)
    found = sampled.for_all(
        decomposable_cases(largest=largest),
        holds=lambda case: _process_as_claimed(case, first_place=first_place),
        budget=budget,
        quick=25,
        full=200,
    )
    return erratum(
        witness="n = 2, pi = (2, 1): `if i = 1, we set y_i = b` leaves y_2 undefined (user 1 stands at place 2); n = 3, y = (0, 2, 2), "
        "LO(x) = x: the set T = {2, 3} leaves z_2 z_3 = 2 3 or 3 2 open",
        is_witness=_order_matters(),
        corrected="set y_i = b where pi(i) = 1; given y = v, pi restricted to {i : v_i = 2} is a uniform injection into {2..n}, the same "
        "for both b, and z needs that restriction, not only its image T",
        beside=found.verdict(domain=f"two exact witnesses; the corrected process enumerated for random adaptive sequences, n <= {largest}"),
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
