"""Other users hidden in groups, and reports that are unlike: what an upper side that knows the dataset gains over the blanket."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any

from hypothesis import strategies as st

from shuffleproof.impl.fast.bounds.swap import hidden_groups as in_floats
from shuffleproof.proofs_check.ledger import EXACT, Argument, Budget, Row, Status, Verdict, statement
from shuffleproof.proofs_check.ledger.methods import sampled
from shuffleproof.proofs_check.ledger.methods.random_randomizers import laws
from shuffleproof.proofs_check.papers.beyond.blanket.any_law_limits import NAMED, finite
from shuffleproof.spec.bounds.swap import hidden_groups
from shuffleproof.spec.distribution import Distribution, mixture
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.model import LocalRandomizer, shuffled_law
from shuffleproof.spec.randomizers.local_hashing import LocalHashing
from shuffleproof.spec.randomizers.unary_encoding import RAPPOR, AsymmetricRAPPOR
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import epsilon0_parameter

Law = Distribution[Any]
Multiset = tuple[Any, ...]
_ORDERS = (Fraction(1), Fraction(5, 4), Fraction(2))


def _shuffled(reports: list[Law]) -> Distribution[Multiset]:
    """The law of the multiset of independent reports."""
    return shuffled_law(LocalRandomizer(range(len(reports)), dict(enumerate(reports))), tuple(range(len(reports))))


def _partitions(users: tuple[int, ...]) -> list[list[tuple[int, ...]]]:
    """All partitions into groups."""
    if not users:
        return [[]]
    first, rest = users[0], users[1:]
    found = [[(first,), *smaller] for smaller in _partitions(rest)]
    for smaller in _partitions(rest):
        found += [[*smaller[:i], (first, *group), *smaller[i + 1 :]] for i, group in enumerate(smaller)]
    return found


@st.composite
def _groups(draw: st.DrawFn) -> tuple[tuple[Law, ...], tuple[int, ...], Law, Fraction]:
    """Three laws, what up to four others hold, a law m that is one of them, a mean of them, or any; and an order."""
    rows = tuple(draw(laws(outputs=3)) for _ in range(3))
    others = tuple(draw(st.lists(st.integers(0, 2), min_size=1, max_size=3)))
    kind = draw(st.integers(0, 4))
    target = rows[kind] if kind < 3 else mixture([(Fraction(1, 2), rows[0]), (Fraction(1, 2), rows[kind - 2])])
    return rows, others, target, draw(st.sampled_from(_ORDERS))


def _as_masses(law: Law) -> Mapping[Any, Fraction]:
    return dict(law.items())


def _group_margin(members: list[Law], target: Law, more: Fraction) -> Fraction:
    """Least coefficient of the group's law less s times that of the draws of m: 0 where equal reports decide."""
    s = hidden_groups.hidden([_as_masses(law) for law in members], _as_masses(target)) * more
    own, drawn = _shuffled(members), _shuffled([target] * len(members))
    return min(own[z] - s * drawn[z] for z in drawn.support)


def _covers(first: Law, second: Law, target: Law) -> bool:
    return {*first.support, *second.support} <= set(target.support)


def _holds(
    rows: tuple[Law, ...], inputs: tuple[int, int], others: tuple[int, ...], target: Law, E: Fraction, *, more: Fraction, one_more: int
) -> bool:
    """Whether the bound is above the truth for every partition of the others, and each group's law above the draws' share."""
    first, second = rows[inputs[0]], rows[inputs[1]]
    truth = hockey_stick(_shuffled([first, *(rows[k] for k in others)]), _shuffled([second, *(rows[k] for k in others)]), exp_epsilon=E)
    for groups in _partitions(others):
        members = [[rows[k] for k in group] for group in groups]
        if any(_group_margin(group, target, more) < 0 for group in members):
            return False
        if not _covers(first, second, target):
            continue
        known = [[_as_masses(law) for law in group] for group in members] + [[_as_masses(target)]] * one_more
        bound = hidden_groups.delta(
            first=_as_masses(first), second=_as_masses(second), target=_as_masses(target), groups=known, exp_epsilon=E
        )
        if bound < truth:
            return False
    return True


def _named_cases(budget: Budget) -> list[tuple[tuple[Law, ...], tuple[int, int], tuple[int, ...], Law]]:
    """Named randomizers with all datasets of a few users, and as m the laws of their inputs and the mean of two."""
    found = []
    for named in NAMED[:: 3 if budget.depth == "quick" else 1]:
        randomizer = finite(named)
        rows = tuple(randomizer.law(x) for x in randomizer.domain)
        largest = 3 if len(randomizer.messages) <= 4 else 2
        targets = [*rows[:2], mixture([(Fraction(1, 2), rows[0]), (Fraction(1, 2), rows[1])])]
        for users, inputs, target in product(range(1, largest + 1), permutations(range(min(3, len(rows))), 2), targets):
            found += [(rows, inputs, others, target) for others in combinations_with_replacement(range(min(3, len(rows))), users)]
    return found


@statement(
    "BEYOND.any-law-groups",
    where="any randomizer's law",
    provenance="derived",
    says="let the other users be put in groups, and let m be a law, above 0 where R_0 or R_1 is: a group's shuffled reports are i.i.d. "
    "draws of m with probability s, the least product of R_k/m over its users, and for no larger one; so D_E <= E D(H), H the number of "
    "users in groups that are hidden, independently, and D(h) the divergence among h draws of m, nonincreasing in h",
    formula=r"D_E(A(X_0) \| A(X_1)) \le \mathbb{E}\, D(H), \qquad D(h) = \frac{1}{h + 1}\, \mathbb{E}\,(L_1 + \cdots + L_{h + 1})_+, "
    r"\qquad s = \min_y \prod_k \frac{R_k(y)}{m(y)}",
    range="all randomizers, datasets, partitions and m, E >= 1",
    governs=["spec.bounds.swap.hidden_groups", "impl.fast.bounds.swap.hidden_groups"],
    grounds=[
        Row("BEYOND.LemL1"),
        Row("BEYOND.any-law-unlike-reports"),
        Argument("less-side-information#groups-of-users-whose-reports-are-drawn-together"),
        EXACT,
    ],
    mutants={
        "a hundredth more is hidden": {"more": Fraction(101, 100)},
        "one draw of m too many": {"one_more": 1},
        "a tenth more users hidden than the tail allows": {"raised": Fraction(11, 10)},
        "a tenth more said to be hidden between grid points": {"said": 1.1},
    },
    missing="the inequality of the means for all laws; the choice of groups for datasets that lie between grid points",
)
def groups(
    budget: Budget, *, more: Fraction = Fraction(1), one_more: int = 0, raised: Fraction = Fraction(1), said: float = 1.0
) -> Verdict:
    found = sampled.for_all(
        _groups(),
        holds=lambda case: _holds(case[0], (0, 1), case[1], case[2], case[3], more=more, one_more=one_more),
        budget=budget,
        quick=10,
        full=300,
    )
    if not found.holds:
        return found.verdict(domain="random laws", witness=lambda case: f"laws {case[0]}, others {case[1]}, m = {case[2]}, E = {case[3]}")
    decided = 0
    for (rows, inputs, others, target), E in product(_named_cases(budget), _ORDERS[:2]):
        decided += 1
        if not _holds(rows, inputs, others, target, E, more=more, one_more=one_more):
            return Verdict.refuted(f"inputs {inputs}, others {others}, E = {E}, m = {target}", domain="named randomizers", cases=decided)
    for sizes, share, level in product(((1, 1), (2, 1), (3, 2)), (Fraction(1, 5), Fraction(7, 10), Fraction(1)), (0.5, 3.0, 9.0)):
        decided += 1
        if not _tail_holds(sizes, share, level, raised):
            witness = f"groups of {sizes}, each hidden with probability {share}, level {level}"
            return Verdict.refuted(witness, domain="the tail of the number of hidden users", cases=decided)
    for named in (RAPPOR(), LocalHashing(buckets=2), AsymmetricRAPPOR(k=2)):
        decided += 1
        if told := _uncovered(named, said):
            return Verdict.refuted(f"{named}: {told}", domain="shares between grid points", cases=decided)
    return found.verdict(
        claims=Status.ARGUED,
        domain=f"all laws by the argument; {decided} named cases with all partitions of up to three others, tails and grids of the float64 "
        "engine, random laws with zeros",
        witness=lambda case: f"laws {case[0]}, others {case[1]}, m = {case[2]}, E = {case[3]}",
    )


def _tail_holds(sizes: tuple[int, int], share: Fraction, level: float, raised: Fraction) -> bool:
    """Whether fewer users than the float64 engine says are hidden with probability e^-level at most, for unlike groups of that mean share.

    Half of the users are in groups of either size, the ones hidden with a larger probability than the others.
    """
    users, spread = 60, min(share, 1 - share) / 2
    numbers = {0: Fraction(1)}
    for size, s in zip(sizes, (share - spread, share + spread), strict=True):
        for _ in range(users // 2 // size):
            following: dict[int, Fraction] = {}
            for h, weight in numbers.items():
                for grown, part in ((h + size, s), (h, 1 - s)):
                    if part:
                        following[grown] = following.get(grown, Fraction(0)) + weight * part
            numbers = following
    least = int(raised * (in_floats.at_least_hidden(users, float(share), level, largest=max(sizes)) + 3 * max(sizes)))
    fewer = sum((weight for h, weight in numbers.items() if h < least - 3 * max(sizes) * (raised == 1)), Fraction(0))
    return bool(float(fewer) <= math.exp(-level))


def _uncovered(named: NamedRandomizer, said: float) -> str:
    """A dataset's shares at x_0, x_1 and third items for which no way of the engine hides what it says, or nothing."""
    chosen = in_floats.ways(named, epsilon0_parameter("ln 4"), 10**4)
    third = named.three_inputs(epsilon0_parameter("ln 4")) is not None
    places = [(i, j) for i, j in product(range(41), repeat=2) if i + j <= 40 and i >= j and (third or i + j == 40)]
    shares = [(i / 40, j / 40, (40 - i - j) / 40) for i, j in places]
    enough = [in_floats.hides(way, shares) >= way.share * said for way in chosen]
    open_to = [place for at, place in enumerate(places) if not any(row[at] for row in enough)]
    return f"shares {open_to[0]}, in fortieths" if open_to else ""


@st.composite
def _unlike(draw: st.DrawFn) -> tuple[Law, Law, Law, Law, Law]:
    """W_0, W_1 and m on two messages, V_0 and V' on a bit with V' above 0 where V_0 is."""
    positive = st.integers(1, 5)

    def bit() -> Law:
        a, b = draw(positive), draw(positive)
        return Distribution({0: Fraction(a, a + b), 1: Fraction(b, a + b)})

    return bit(), bit(), bit(), bit(), bit()


def _report(first: Law, columns: list[Law]) -> Law:
    """A law for what is said of x_0 and x_1, and one for every other item."""
    law: dict[tuple[int, ...], Fraction] = {}
    for y in product(*(each.support for each in (first, *columns))):
        weight = Fraction(1)
        for part, at in zip((first, *columns), y, strict=True):
            weight *= part[at]
        law[y] = weight
    return Distribution(law)


def _simulated(case: tuple[Law, Law, Law, Law, Law], N: int, b: int) -> Distribution[Multiset]:
    """Alike reports m x V' and one of W_b x V_0: coordinates of V' moved to N columns and one plain one, at random."""
    (*rows, m, base, own), items = case, range(N)
    plain = [base] * N
    parts = []
    for slot in range(N + 1):  # what the special user's slot is given: a column, or last the plain one
        given = [_report(m, [own if k == j else base for j in items]) for k in range(N + 1) if k != slot]
        parts.append((Fraction(1, N + 1), _shuffled([_report(rows[b], plain), *given])))
    return mixture(parts)


def _told(
    case: tuple[Law, Law, Law, Law, Law], N: int, b: int, silent: Callable[[int, Fraction], Fraction]
) -> Distribution[Multiset] | None:
    """The shuffled unlike reports, put together from what is silent and what is told; None where a part is not one."""
    (*rows, m, base, own), items = case, range(N)
    alike = min(own[bit] / base[bit] for bit in (0, 1))
    alike = min(alike, Fraction(1))
    s = silent(N, alike)
    if alike == 1:
        return None if s != 1 else _simulated(case, N, b)
    left = Distribution({bit: (own[bit] - alike * base[bit]) / (1 - alike) for bit in (0, 1)})
    parts = [(s, _simulated(case, N, b))]
    for k in items:  # the report of k is told, and not the plain one
        others = [_report(m, [own if i == j else base for j in items]) for i in items if i != k]
        told = _report(m, [left if j == k else base for j in items])
        parts.append(((1 - s) / N, _shuffled([_report(rows[b], [base] * N), told, *others])))
    return mixture(parts)


@statement(
    "BEYOND.any-law-unlike-reports",
    where="any randomizer's law",
    provenance="derived",
    says="let the hidden reports Y_1, ..., Y_N be images of a law Q under channels that turn Q_0, Q_1 into R_0, R_1, all of them, and "
    "let each be the plain image U with probability s. Then one report of R_0 or R_1 among them has D_E at most g(N) = s_N D(N) + "
    "(1 - s_N) g(N - 1), s_N = s (N + 1)/(N + s), g(0) = D(0), where D(h) is that of Q_0, Q_1 among h of Q",
    formula=r"g(N) = s_N D(N) + (1 - s_N)\, g(N - 1), \qquad s_N = \frac{s\,(N + 1)}{N + s}",
    range="all laws and channels, N, E >= 0",
    governs=["spec.bounds.swap.hidden_groups", "impl.fast.bounds.swap.hidden_groups"],
    grounds=[Argument("less-side-information#items-that-nobody-else-holds"), EXACT],
    mutants={
        "silent with probability s": {"silent": lambda N, s: s},
        "silent with probability s (N + 1)/N": {"silent": lambda N, s: s * (N + 1) / N},
        "one alike report more": {"more": 1},
    },
    missing="the argument for all laws; the two decompositions are checked exactly on random ones",
)
def unlike_reports(budget: Budget, *, silent: Callable[[int, Fraction], Fraction] = hidden_groups.silent, more: int = 0) -> Verdict:
    def holds(case: tuple[Law, Law, Law, Law, Law]) -> bool:
        *rows, m, base, own = case
        for N in (1, 2):
            plain = [base] * N
            unlike = [_report(m, [own if j == k else base for j in range(N)]) for k in range(N)]
            laws = [_shuffled([_report(rows[b], plain), *unlike]) for b in (0, 1)]
            if any(_told(case, N, b, silent) != laws[b] for b in (0, 1)):
                return False
            # what is simulated from alike reports is not told more than they are, and the bound follows
            target, firsts = _report(m, [own]), [_report(rows[b], [base]) for b in (0, 1)]
            for E in _ORDERS[:2]:
                values = [
                    hidden_groups.among_alike(
                        hidden_users=h + more,
                        first=_as_masses(firsts[0]),
                        second=_as_masses(firsts[1]),
                        target=_as_masses(target),
                        exp_epsilon=E,
                    )
                    for h in range(N + 1)
                ]
                alike = min(min(own[bit] / base[bit] for bit in (0, 1)), Fraction(1))
                simulated = hockey_stick(*(_simulated(case, N, b) for b in (0, 1)), exp_epsilon=E)
                if simulated > values[N] or hockey_stick(*laws, exp_epsilon=E) > hidden_groups.among_unlike(values, alike)[N]:
                    return False
        return True

    found = sampled.for_all(_unlike(), holds=holds, budget=budget, quick=6, full=100)
    return found.verdict(
        claims=Status.ARGUED,
        domain="all laws by the argument; random laws with one coordinate for each of up to two items, exactly, at two orders",
        witness=lambda case: f"W_0, W_1, m, V_0, V' = {[str(law) for law in case]}",
    )
