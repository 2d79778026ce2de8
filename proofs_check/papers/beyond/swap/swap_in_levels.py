"""First arrival at the loss types of one randomizer: above all datasets, those chosen as reports come in among them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from math import comb
from typing import Any

from hypothesis import strategies as st

from shuffleproof.proofs_check.ledger import EXACT, Budget, Coq, Status, Verdict, conjunction, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.proofs_check.ledger.points import ZERO
from shuffleproof.spec.bounds.swap import another_place, swap_in_levels
from shuffleproof.spec.distribution import Distribution, binomial, hockey_stick
from shuffleproof.spec.model import LocalRandomizer, adaptive_shuffled_distribution, shuffled_distribution

Masses = Mapping[int, Fraction]
Bound = Callable[..., Fraction]


@dataclass(frozen=True)
class Case:
    """A randomizer, its distributions by item, with the pair x_0 = 0, x_1 = 1; omega in proportion to the blanket, or where R_0 = R_1."""

    distributions: tuple[tuple[Fraction, ...], ...]
    even: bool
    E: Fraction

    @property
    def masses(self) -> list[Masses]:
        """R_x of each item."""
        return [dict(enumerate(law)) for law in self.distributions]

    @property
    def common(self) -> tuple[dict[int, Fraction], Fraction]:
        """omega, and the largest share of it that every distribution has."""
        first, second = self.distributions[:2]
        least = {y: min(column) for y, column in enumerate(zip(*self.distributions, strict=True)) if not self.even or first[y] == second[y]}
        total = sum(least.values(), ZERO)
        return {y: p / total for y, p in least.items()}, total

    def asked(self, *, turned: bool = False) -> dict[str, Any]:
        """Return what the bound is asked with."""
        first, second = self.masses[:2]
        pair = (second, first) if turned else (first, second)
        return {"first": pair[0], "second": pair[1], "others": self.masses, "common": self.common[0], "exp_epsilon": self.E}


def _response(k: int, T: int) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(Fraction(T if x == y else 1, T + k - 1) for y in range(k)) for x in range(k))


def _of_weights(*rows: Sequence[int]) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(Fraction(w, sum(row)) for w in row) for row in rows)


_RANDOMIZERS = {
    "binary response": _response(2, 3),
    "3-ary response": _response(3, 2),
    "basic RAPPOR of two items": _of_weights((2, 4, 1, 2), (2, 1, 4, 2)),
    "one message alike": _of_weights((3, 1, 2), (1, 3, 2)),
    "a third item that is unlike": _of_weights((4, 1, 2, 2), (1, 4, 2, 2), (1, 1, 1, 6)),
    "messages that some never send": _of_weights((2, 0, 2, 1), (0, 2, 2, 1), (1, 1, 1, 2)),
}
_MIDDLE = Fraction(5, 4)
"""The order at which most datasets are compared: below the ratio of reports of all these randomizers."""
_ORDERS = [Fraction(1), _MIDDLE, Fraction(2)]


def _cases() -> Iterator[Case]:
    for laws in _RANDOMIZERS.values():
        for even in (False, True):
            if not even or any(a == b and min(column) for a, b, *column in zip(*laws[:2], *laws, strict=True)):
                yield from (Case(laws, even, E) for E in _ORDERS)


@cache
def _truths(laws: tuple[tuple[Fraction, ...], ...], n: int) -> list[tuple[Distribution[Any], Distribution[Any]]]:
    """Return for every dataset of the others the distributions of the shuffled reports."""
    randomizer = LocalRandomizer(tuple(range(len(laws))), {x: Distribution(dict(enumerate(law))) for x, law in enumerate(laws)})
    sets = combinations_with_replacement(range(len(laws)), n - 1)
    return [(shuffled_distribution(randomizer, (0, *others)), shuffled_distribution(randomizer, (1, *others))) for others in sets]


def _cuts(case: Case) -> list[tuple[Fraction, ...]]:
    most = case.common[1]
    return [(), (most / 9,), (most / 2,), (most * Fraction(19, 20),), (most / 5, most / 2), (most,)]


@lru_cache(maxsize=128)  # many strategies are held against one bound
def _bounds(case: Case, n: int, arrived: Bound, nobody: Bound, *, fixed: bool = False) -> tuple[tuple[bool, Fraction], ...]:
    """Return the bounds by every choice of levels, for both orders of the datasets; fixed: of data that do not depend on reports."""
    found = []
    for turned, cuts in product((False, True), _cuts(case)):
        if cuts and cuts[-1] == 1:  # no share is left
            continue
        asked, total, before = case.asked(turned=turned), ZERO, ZERO
        for eta in cuts:
            total += (1 - before) ** (n - 1) * arrived(N=n - 1, before=before, share=eta, fixed=fixed, **asked)
            before = eta
        found.append((turned, total + (1 - before) ** (n - 1) * nobody(n=n, share=before, **asked)))
    return tuple(found)


def _above_all_datasets(point: tuple[Case, int], arrived: Bound, nobody: Bound) -> bool:
    """Return whether no dataset is above the bound of fixed data, in both orders, and that not above the bound of all."""
    case, n = point
    largest = [
        max(hockey_stick(*(pair[::-1] if turned else pair), exp_epsilon=case.E) for pair in _truths(case.distributions, n))
        for turned in (False, True)
    ]
    pairs = zip(_bounds(case, n, arrived, nobody, fixed=True), _bounds(case, n, arrived, nobody), strict=True)
    return all(whatever >= bound >= largest[turned] for (turned, bound), (_, whatever) in pairs)


def _above_all_pools(point: tuple[Case, int], arrived: Bound) -> bool:
    """Return whether the mean over the pool is at least that of every dataset, and is it where all hold the worst item."""
    case, n = point
    asked, share, found = case.asked(), case.common[1] * Fraction(3, 5), list[Fraction]()
    pair, E, common = (asked["first"], asked["second"]), case.E, asked["common"]
    alone = sum((max(p - E * pair[1].get(y, ZERO), ZERO) for y, p in pair[0].items()), ZERO)
    for others in combinations_with_replacement(case.masses, n - 1):
        view = another_place.delta(first=pair[0], second=pair[1], others=others, common=common, share=share, exp_epsilon=E)
        found.append(view - (1 - share) ** (n - 1) * alone)
    bound = arrived(N=n - 1, before=ZERO, share=share, fixed=True, **asked)
    attained = n == 2 and all(min(law.values()) > 0 for law in case.masses)
    return bound >= max(found) and (not attained or bound == max(found))


def _is_written_twice(case: Case, arrived: Bound, nobody: Bound) -> bool:
    """Return whether both parts are what is said of six users whose others hold one item: of three or four other sums are the same."""
    before, share = (case.common[1] * Fraction(part, 5) for part in (1, 3))
    pair, E, common, own = case.masses[:2], case.E, case.common[0], case.masses[-1]
    asked = {**case.asked(), "others": [own, own]}
    types, infinite = swap_in_levels.losses(first=pair[0], second=pair[1], hiding=another_place.left(own, common, share), exp_epsilon=E)
    sums = [another_place.positive([types] * S) for S in range(7)]
    pool = binomial(5, (share - before) / (1 - before))
    hidden = sum((p * (sums[6 - r] / (6 - r) + infinite) for r, p in pool.items() if r), ZERO)
    alone = sums[6] / 6 + infinite
    return arrived(N=5, before=before, share=share, **asked) == hidden and nobody(n=6, share=share, **asked) == alone


def _adaptive(case: Case, n: int, choose: Callable[[tuple[int, ...], int], int]) -> list[Distribution[Any]]:
    """The reports in their order where the other user j = 1, ..., n - 1 holds choose(reports so far, j)."""

    def step(history: tuple[Any, ...]) -> LocalRandomizer[int, int]:
        held = {0: 0, 1: 1, **{1 + j: choose(history, j) for j in range(1, n)}}
        return LocalRandomizer(tuple(held), {x: Distribution(case.masses[item]) for x, item in held.items()})

    return [adaptive_shuffled_distribution([step] * n, (b, *range(2, n + 1))) for b in (0, 1)]


def _above_adaptive(case: Case, n: int, choose: Callable[[tuple[int, ...], int], int], arrived: Bound, nobody: Bound) -> bool:
    laws = _adaptive(case, n, choose)
    truth = [hockey_stick(*(laws[::-1] if turned else laws), exp_epsilon=case.E) for turned in (False, True)]
    return all(bound >= truth[turned] for turned, bound in _bounds(case, n, arrived, nobody))


def _above_all_strategies(case: Case, arrived: Bound, nobody: Bound) -> bool:
    """Return whether no way to choose the one other user's item by the first report is above the bound."""
    items, messages = range(len(case.distributions)), range(len(case.distributions[0]))
    for held in product(items, repeat=1 + len(messages)):
        if not _above_adaptive(case, 2, lambda h, _, held=held: held[1 + h[0]] if h else held[0], arrived, nobody):  # type: ignore[misc]
            return False
    return True


@st.composite
def _strategies(draw: st.DrawFn) -> tuple[Case, dict[tuple[tuple[int, ...], int], int]]:
    case = draw(st.sampled_from([each for each in _cases() if len(each.distributions[0]) <= 3]))
    messages = range(len(case.distributions[0]))
    histories: list[tuple[int, ...]] = [h for length in range(3) for h in product(messages, repeat=length)]
    items = draw(st.lists(st.integers(0, len(case.distributions) - 1), min_size=2 * len(histories), max_size=2 * len(histories)))
    return case, dict(zip(product(histories, (1, 2)), items, strict=True))


def _half_omega(*, share: Fraction, before: Fraction, **asked: Any) -> Fraction:
    """Mutant: losses against what is left where half of the share is taken."""
    d = (share - before) / (1 - before)
    least = share / 2
    return swap_in_levels.arrived(share=least, before=(least - d) / (1 - d), **asked)


def _inverted(*, others: Sequence[Masses], common: Masses, share: Fraction, before: Fraction, **asked: Any) -> Fraction:
    """Mutant: 1/w for w."""
    turned = []
    for law in others:
        w = {y: (1 - share * common.get(y, ZERO) / p) / (1 - share) for y, p in law.items() if p}
        turned.append({y: (p / w[y] if w.get(y) else p) * (1 - share) + share * common.get(y, ZERO) for y, p in law.items()})
    return swap_in_levels.arrived(others=turned, common=common, share=share, before=before, **asked)


def _nothing(**_: Any) -> Fraction:
    """Mutant: nothing where nobody has drawn from omega."""
    return ZERO


def _half_for(others: int) -> Bound:
    """Mutant: half of it for so many others, whose data depend on the reports."""

    def halved(*, N: int, fixed: bool = False, **asked: Any) -> Fraction:
        return swap_in_levels.arrived(N=N, fixed=fixed, **asked) / (1 if fixed or others != N else 2)

    return halved


@derived(
    "BEYOND.swap-in-levels",
    says="let every user of a shuffled round run one randomizer, the special user's item be x_0 or x_1, and C_l be the distributions of "
    "(R_0 - E R_1)/m_k under m_k = (R_k - eta_l omega)/(1 - eta_l) for all items k of others, omega one distribution with eta_L omega <= "
    "R_k for all of them, 0 = eta_0 < ... < eta_L < 1, d_l = (eta_l - eta_(l-1))/(1 - eta_(l-1)), N = n - 1, E >= 1. With V_0(s) = s_+, "
    "V_(j+1)(s) = max over c in C of E V_j(s + L_c), G_C(S) = V_S(0)/S and F of n draws of the privacy blanket less eta_L omega over 1 - "
    "eta_L, D_E is at most (1 - eta_L)^N F and, summed over l from 1 to L and r from 1 to N, (1 - eta_(l-1))^N binom(N, r) d_l^r (1 - "
    "d_l)^(N-r) G_(C_l)(N - r + 1), whatever the others hold, and if they choose it by the reports before theirs. If they do not, the "
    "largest E(L_1 + ... + L_S)_+/S of independent losses of these distributions serves for G_C(S)",
    range="E >= 1, n >= 1; finite sets of messages, all neighbouring datasets; what is sent where m_k is 0 is added",
    governs=["spec.bounds.swap.swap_in_levels", "impl.fast.bounds.swap.loss_types", "impl.fast.bounds.swap.swap_in_levels"],
    grounds=[
        "BEYOND.first-arrival",
        "BEYOND.any-law-above",
        "BEYOND.any-law-place",
        "BEYOND.swap-in-levels.blocks",
        "controlled-sum#one-randomizer",
        EXACT,
    ],
    mutants={
        "half of omega": {"arrived": _half_omega},
        "an item left out": {"arrived": lambda *, others, **asked: swap_in_levels.arrived(others=others[:-1], **asked)},
        "the losses of one item": {"arrived": lambda *, others, **asked: swap_in_levels.arrived(others=others[:1], **asked)},
        "1/w for w": {"arrived": _inverted},
        "nothing where nobody has drawn": {"nobody": _nothing},
        "n + 1 draws of the blanket": {"nobody": lambda *, n, **asked: swap_in_levels.nobody(n=n + 1, **asked)},
        "nothing for one user alone": {"nobody": lambda *, n, **asked: swap_in_levels.nobody(n=n, **asked) if n > 1 else ZERO},
        "half of it for one other who sees a report": {"arrived": _half_for(1)},
        "half of it for two others who see reports": {"arrived": _half_for(2)},
        "one other more from three on": {"arrived": lambda *, N, **asked: swap_in_levels.arrived(N=N + (N > 2), **asked)},
        "nobody: one user more from four on": {"nobody": lambda *, n, **asked: swap_in_levels.nobody(n=n + (n > 3), **asked)},
    },
    missing="other randomizers, and more users: all datasets of six small ones up to three users (four in the full run), all adaptive ones "
    "of two, random of three",
)
def swap_in_levels_holds(budget: Budget, *, arrived: Bound = swap_in_levels.arrived, nobody: Bound = swap_in_levels.nobody) -> Verdict:
    return conjunction(_parts(budget, arrived, nobody))


def _parts(budget: Budget, arrived: Bound, nobody: Bound) -> Iterator[Verdict]:
    """Return each part when it is asked for, the cheapest first."""
    most = budget.pick(quick=3, full=4)
    points = [(case, n) for case in _cases() for n in range(1, most + 1) if n < most or case.E == _MIDDLE]
    pools = [(case, n) for case, n in points if 2 <= n <= 3]
    views = exhaustive.for_all(pools, holds=lambda point: _above_all_pools(point, arrived))
    yield views.verdict(claims=Status.ARGUED, domain="the pool's sum of every dataset, two and three users", witness=str)
    middle = [case for case in _cases() if case.E == _MIDDLE]
    six = exhaustive.for_all(middle, holds=lambda case: _is_written_twice(case, arrived, nobody))
    yield six.verdict(claims=Status.ARGUED, domain="the formula of six users with one item, written twice", witness=str)
    small = [case for case in middle if len(case.distributions[0]) <= 3]
    two = exhaustive.for_all(small, holds=lambda case: _above_all_strategies(case, arrived, nobody))
    yield two.verdict(claims=Status.ARGUED, domain="all adaptive datasets of two users", witness=str)
    three = sampled.for_all(
        _strategies(),
        holds=lambda drawn: _above_adaptive(drawn[0], 3, lambda h, j: drawn[1][h, j], arrived, nobody),
        budget=budget,
        quick=12,
        full=1000,
    )
    yield three.verdict(claims=Status.ARGUED, domain="random adaptive datasets of three users", witness=str)
    datasets = exhaustive.for_all(points, holds=lambda point: _above_all_datasets(point, arrived, nobody))
    yield datasets.verdict(claims=Status.ARGUED, domain=f"all datasets of six small randomizers, up to {most} users", witness=str)


def _above_in_order(point: tuple[Case, int], ordered: Bound, nobody: Bound) -> bool:
    """Return whether no dataset is above the bound in order, for several parts of it, in both orders of the datasets."""
    case, n = point
    for turned in (False, True):
        largest = max(hockey_stick(*(pair[::-1] if turned else pair), exp_epsilon=case.E) for pair in _truths(case.distributions, n))
        asked, mass = case.asked(turned=turned), case.common[1]
        for part in (ZERO, Fraction(1, 3), Fraction(1)):
            none = (1 - mass * part) ** (n - 1) * nobody(n=n, share=mass * part, **asked) if mass * part < 1 else ZERO
            if ordered(N=n - 1, mass=mass, part=part, **asked) + none < largest:
                return False
    return True


def _tends_to_it(case: Case, ordered: Bound) -> bool:
    """Return whether levels of two others, of which a share of R_k is left at each, are above the sum in order and come near to it."""
    N, mass, E, asked, levels = 2, case.common[1], case.E, case.asked(), 40
    types = [swap_in_levels.losses(first=asked["first"], second=asked["second"], hiding=law, exp_epsilon=E) for law in case.masses]
    V, infinite = swap_in_levels.fixed_sums([law for law, _ in types], N), max(beyond for _, beyond in types)
    total, part = ZERO, Fraction(4, 5)
    for t, before in ((part * (j + 1) / levels, part * j / levels) for j in range(levels)):
        # j others are in this part of the order, all of whom drew from omega in this level, if at all, and one did
        for j in range(1, N + 1):
            drawn = (t - mass * before) ** j - (t - mass * t) ** j
            total += comb(N, j) * (1 - t) ** (N - j) * drawn * (V[N - j + 1] / (N - j + 1) + infinite)
    found = ordered(N=N, mass=mass, part=part, **asked)
    return found <= total <= found * Fraction(101, 100)


@derived(
    "BEYOND.swap-in-order",
    says="let every user of a shuffled round run one randomizer, the special user's item be x_0 or x_1, gamma omega <= R_k for the "
    "distributions R_k of all items, omega one distribution, N = n - 1, 0 <= t <= 1, E >= 1. With G(S) the largest E(L_1 + ... + L_S)_+/S "
    "of independent losses (R_0 - E R_1)/R_k under R_k, and F(eta) of n draws of the privacy blanket less eta omega over 1 - eta, D_E is "
    "at most (1 - gamma t)^N F(gamma t) and, summed over i from 1 to N, gamma (1 - gamma)^(i-1) P(Bin(N, t) >= i) G(N - i + 1), whatever "
    "the others hold",
    range="E >= 1, n >= 1; finite sets of messages, all neighbouring datasets; what is sent where R_k is 0 is added",
    governs=["spec.bounds.swap.swap_in_levels", "impl.fast.bounds.swap.swap_in_order"],
    grounds=["BEYOND.swap-in-levels", "BEYOND.swap-in-levels.blocks", "controlled-sum#one-randomizer", EXACT],
    mutants={
        "a larger blanket": {"ordered": lambda *, mass, **asked: swap_in_levels.in_order(mass=(1 + mass) / 2, **asked)},
        "a user more is left": {"ordered": lambda *, N, **asked: swap_in_levels.in_order(N=N + 1, **asked)},
        "an item left out": {"ordered": lambda *, others, **asked: swap_in_levels.in_order(others=others[:1], **asked)},
        "nothing where nobody has drawn": {"nobody": _nothing},
        "half of it": {"ordered": lambda **asked: swap_in_levels.in_order(**asked) / 2},
        "twice as much": {"ordered": lambda **asked: swap_in_levels.in_order(**asked) * 2},
    },
    missing="other randomizers, and more users: all datasets of six small ones up to three users (four in the full run)",
)
def swap_in_order_holds(budget: Budget, *, ordered: Bound = swap_in_levels.in_order, nobody: Bound = swap_in_levels.nobody) -> Verdict:
    most = budget.pick(quick=3, full=4)
    middle = [case for case in _cases() if case.E == _MIDDLE]
    limits = exhaustive.for_all(middle, holds=lambda case: _tends_to_it(case, ordered))
    points = [(case, n) for case in _cases() for n in range(1, most + 1) if n < most or case.E == _MIDDLE]
    datasets = exhaustive.for_all(points, holds=lambda point: _above_in_order(point, ordered, nobody))
    return conjunction(
        [
            limits.verdict(claims=Status.ARGUED, domain="40 levels of two others are above it by a percent at most", witness=str),
            datasets.verdict(claims=Status.ARGUED, domain=f"all datasets of six small randomizers, up to {most} users", witness=str),
        ]
    )


@derived(
    "BEYOND.swap-in-levels.finite",
    where="one randomizer, in levels",
    says="for finitely many messages: all users run one randomizer, R_k = eta_l omega + (1 - eta_l) m_k at every level for every other "
    "user k. D_E is at most the sum over levels of (1 - eta_(l-1))^N times the mean over r ~ Bin(N, d_l), r >= 1, of bounds G_l(S)/S on "
    "E(sum of S losses)_+/S, of any S = N - r + 1 users outside the pool, independent, with what is given where m_k is 0, and (1 - "
    "eta_L)^N times that of n draws of the blanket of what is left where nobody has drawn from omega; no two users need be alike",
    range="all randomizers with finitely many messages, datasets, omega, levels below 1 and E, in any ordered field",
    governs=["spec.bounds.swap.swap_in_levels"],
    grounds=[Coq("swap_in_levels", states="e90274ab307bb6a1")],
    mutants={"nothing where nobody has drawn": {"nobody": _nothing}},
)
def in_levels(budget: Budget, *, nobody: Bound = swap_in_levels.nobody) -> Verdict:
    few = [case for case in _cases() if case.E == _MIDDLE and len(case.distributions[0]) <= 3]
    points = [(case, n) for case in few for n in range(1, budget.pick(quick=2, full=3) + 1)]
    return exhaustive.for_all(points, holds=lambda point: _above_all_datasets(point, swap_in_levels.arrived, nobody)).verdict(
        domain="all of it by Coq; all datasets of small randomizers, two users", witness=str
    )
