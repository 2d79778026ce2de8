"""The special user's report in the place of a random other user's: an upper side that homogeneous datasets reach for many users."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from typing import Any

import numpy as np
from hypothesis import strategies as st

from shuffleproof.impl.fast.bounds import another_place as in_floats
from shuffleproof.impl.fast.bounds.laplace_places import Cell, LaplaceKinds
from shuffleproof.impl.fast.bounds.randomizer_laws import kinds_of_others
from shuffleproof.impl.fast.bounds.unlike_sums import Part, Tilt
from shuffleproof.proofs_check.ledger import EXACT, Argument, Budget, Row, Status, Verdict, statement
from shuffleproof.proofs_check.ledger.methods import sampled
from shuffleproof.proofs_check.ledger.methods.random_randomizers import laws
from shuffleproof.proofs_check.papers.beyond.any_law_limits import NAMED, finite
from shuffleproof.spec.bounds import another_place
from shuffleproof.spec.bounds.any_law import of_items
from shuffleproof.spec.bounds.optimal_parameters import finite_law
from shuffleproof.spec.distribution import Distribution, mixture
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.model import LocalRandomizer, shuffled_law
from shuffleproof.spec.vocabulary.numerals import epsilon0_parameter
from shuffleproof.spec.vocabulary.randomizers import KRR, RAPPOR, AsymmetricRAPPOR, Hadamard, LocalHashing, NamedRandomizer, Subset

Masses = Mapping[Any, Fraction]
Case = tuple[Distribution[Any], Distribution[Any], tuple[Distribution[Any], ...], Distribution[Any], Fraction, Fraction]
"""R_0, R_1, the laws of the others, omega, eta and E."""
Bound = Callable[..., Fraction]
_ORDERS = (Fraction(1), Fraction(5, 4), Fraction(2))


def _masses(law: Distribution[Any]) -> Masses:
    return dict(law.items())


def _of_masses(masses: Masses) -> Distribution[Any]:
    return Distribution({y: m for y, m in masses.items() if m})


@st.composite
def _unlike_users(draw: st.DrawFn) -> Case:
    """Arbitrary laws on three messages, zeros among them, for the special user and up to three others, and a law that is part of these."""
    common, share = draw(laws(outputs=3)), Fraction(draw(st.integers(0, 3)), 4)
    first, second = draw(laws(outputs=3)), draw(laws(outputs=3))
    others = tuple(mixture([(share, common), (1 - share, draw(laws(outputs=3)))]) for _ in range(draw(st.integers(1, 3))))
    return first, second, others, common, share, draw(st.sampled_from(_ORDERS))


def _told(case: Case, b: int) -> Distribution[Any]:
    """What is told: the senders, their reports, and the other reports in no order; enumerated user by user."""
    first, second, others, common, share, _ = case
    special = (first, second)[b]
    rests = [_of_masses(another_place.left(_masses(law), _masses(common), share)) for law in others]
    found: dict[Any, Fraction] = {}
    everybody = range(len(others))
    for r in range(len(others) + 1):
        for drew in combinations(everybody, r):
            weight = share**r * (1 - share) ** (len(others) - r)
            for J in drew or (None,):
                reports = {k: special if k == J else rests[k] for k in everybody if k not in drew or k == J}
                shown = [special] if J is None else []
                plain = [_masses(common).items()] * r
                for ys in product(*(law.items() for law in reports.values()), *(law.items() for law in shown), *plain):
                    mass = weight / max(r, 1) * math.prod((m for _, m in ys), start=Fraction(1))
                    if mass:
                        own = tuple(zip(reports, (y for y, _ in ys), strict=False))
                        rest = tuple(sorted((y for y, _ in ys[len(reports) :]), key=repr))
                        view = (own, rest, J is None)
                        found[view] = found.get(view, Fraction(0)) + mass
    return Distribution(found)


def _reports(view: Any) -> tuple[Any, ...]:
    own, rest, _ = view
    return tuple(sorted((*(y for _, y in own), *rest), key=repr))


def _multiset(law: Distribution[Any]) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for y, mass in law.items():
        key = tuple(sorted(y, key=repr))
        found[key] = found.get(key, Fraction(0)) + mass
    return found


def _place_holds(case: Case, bound: Bound) -> bool:
    """Whether what is told determines the reports, and is worth what the sum says; so that the bound is above the truth."""
    first, second, others, common, share, E = case
    truths, views = [], []
    for b in (0, 1):
        reports = [(first, second)[b], *others]
        truth = shuffled_law(LocalRandomizer(range(len(reports)), dict(enumerate(reports))), tuple(range(len(reports))))
        view = _told(case, b)
        image: dict[Any, Fraction] = {}
        for told, mass in view.items():
            image[_reports(told)] = image.get(_reports(told), Fraction(0)) + mass
        if image != _multiset(truth):
            return False
        truths.append(truth)
        views.append(view)
    given: dict[str, Any] = {"first": _masses(first), "second": _masses(second), "others": [_masses(law) for law in others]}
    found = bound(**given, common=_masses(common), share=share, exp_epsilon=E)
    return found == hockey_stick(*views, exp_epsilon=E) >= hockey_stick(*truths, exp_epsilon=E)


def _falls_with_users(case: Case) -> bool:
    """Whether the mean over all sets of S users does not grow with S."""
    first, second, others, common, share, E = case
    rests = [another_place.left(_masses(law), _masses(common), share) for law in others]
    means = []
    for S in range(1, len(rests) + 1):
        sets = list(combinations(rests, S))
        values = [another_place.among(first=_masses(first), second=_masses(second), hiding=chosen, exp_epsilon=E) for chosen in sets]
        means.append(sum(values, Fraction(0)) / len(sets))
    return all(after <= before for before, after in pairwise(means))


def _one_sender_more(**given: Any) -> Fraction:
    """Mutant: one more user to hide among, of a law of the others'."""
    given["others"] = [*given["others"], given["others"][0]]
    return another_place.delta(**given)


def _nobody_forgotten(**given: Any) -> Fraction:
    """Mutant: as if somebody always drew from omega."""
    losses = {y: m - given["exp_epsilon"] * given["second"].get(y, Fraction(0)) for y, m in given["first"].items()}
    alone = sum((max(loss, Fraction(0)) for loss in losses.values()), Fraction(0))
    found: Fraction = another_place.delta(**given) - (1 - given["share"]) ** len(given["others"]) * alone
    return found


def _whole_laws(**given: Any) -> Fraction:
    """Mutant: the others' whole laws, omega's part left in."""
    share, laws_of_others = given["share"], given["others"]
    found: Fraction
    found, N = another_place.delta(**{**given, "others": laws_of_others, "share": Fraction(0)}), len(laws_of_others)
    found *= (1 - share) ** N
    for S in range(1, N + 1):
        r = N - S + 1
        weight = share**r * (1 - share) ** (N - r) * Fraction(S, r)
        for chosen in combinations(laws_of_others, S):
            asked = {name: given[name] for name in ("first", "second", "exp_epsilon")}
            found += weight * another_place.among(**asked, hiding=chosen)
    return found


def _named_cases(budget: Budget) -> list[Case]:
    """Named randomizers, all datasets of a few users, omega their blanket with all of its mass or half of it."""
    found: list[Case] = []
    for named in NAMED[:: 3 if budget.depth == "quick" else 1]:
        randomizer = finite(named)
        cover = {y: min(randomizer.law(x)[y] for x in randomizer.domain) for y in randomizer.messages}
        mass = sum(cover.values(), Fraction(0))
        common = Distribution({y: m / mass for y, m in cover.items()})
        largest = 3 if len(randomizer.messages) <= 3 else 2 if len(randomizer.messages) <= 4 else 1
        for users, share in product(range(1, largest + 1), (mass / 2, mass)):
            for pair in permutations(tuple(randomizer.domain)[:3], 2):
                for others in combinations_with_replacement(tuple(randomizer.domain)[:3], users):
                    held = tuple(randomizer.law(x) for x in others)
                    found.append((randomizer.law(pair[0]), randomizer.law(pair[1]), held, common, share, Fraction(5, 4)))
    return found[:: 7 if budget.depth == "quick" else 1]


@statement(
    "BEYOND.any-law-place",
    where="any randomizer's law",
    provenance="derived",
    says="let each of N other users' laws be R_k = eta omega + (1 - eta) m_k. Then D_E is at most (1 - eta)^N D_E(R_0 || R_1), "
    "and for each r >= 1 of Bin(N, eta) the mean, over all sets of S = N - r + 1 of them, of E(sum of L_k)_+/S, "
    "independent, L_k = (R_0 - E R_1)/m_k under m_k; which is nonincreasing in S. No two users need be alike",
    formula=r"D_E(A(X_0) \| A(X_1)) \le (1 - \eta)^N D_E(R_0 \| R_1) + \sum_{r \ge 1} \binom{N}{r} \eta^r (1 - \eta)^{N - r}\, "
    r"\mathbb{E}_{|U| = N - r + 1} \frac{1}{|U|}\, \mathbb{E}\Big(\sum_{k \in U} L_k\Big)_+",
    range="all randomizers, datasets, omega and eta, E >= 1",
    governs=["spec.bounds.another_place", "impl.fast.bounds.another_place"],
    grounds=[Row("BEYOND.any-law-alike-blocks"), Row("BEYOND.any-law-laplace-triples"), Argument("any-law#in-another-users-place"), EXACT],
    mutants={
        "one more user to hide among": {"bound": _one_sender_more},
        "somebody always draws from omega": {"bound": _nobody_forgotten},
        "the others' whole laws": {"bound": _whole_laws},
        "two fifths of what is set aside": {"aside": 0.4},
        "twenty users more are left": {"more": 20},
    },
    missing="the argument for all laws and numbers of users; the view is enumerated for few",
)
def places(budget: Budget, *, bound: Bound = another_place.delta, aside: float = 1.0, more: int = 0) -> Verdict:
    found = sampled.for_all(
        _unlike_users(), holds=lambda case: _place_holds(case, bound) and _falls_with_users(case), budget=budget, quick=12, full=200
    )
    if not found.holds:
        return found.verdict(domain="random laws", witness=lambda case: f"R_0, R_1, others, omega, eta, E = {case}")
    decided = 0
    for case in _named_cases(budget):
        decided += 1
        if not _place_holds(case, bound):
            return Verdict(
                status=Status.REFUTED, domain="named randomizers", cases=decided, witness=f"R_0, R_1, others, omega, eta, E = {case}"
            )
    for others, blanket, level in product((60, 200), (0.5, 0.99), (1e-3, 1e-6)):
        decided += 1
        if not _set_aside(others, blanket, level, aside, more):
            witness = f"{others} others, a blanket of {blanket}, {level} for each tail"
            return Verdict(status=Status.REFUTED, domain="how many draw from omega", cases=decided, witness=witness)
    return found.verdict(
        claims=Status.ARGUED,
        domain=f"all laws by the argument; {decided} cases of named randomizers and of the tails that the float64 engine sets aside, "
        "random laws with zeros, all that is told enumerated exactly",
        witness=lambda case: f"R_0, R_1, others, omega, eta, E = {case}",
    )


def _set_aside(others: int, blanket: float, level: float, aside: float, more: int) -> bool:
    """Whether with the float64 engine's eta nobody, or too many to leave its S, draw from omega with the probability that it says."""
    found = in_floats.place(others=others, blanket=blanket, aside=level)
    if found is None:
        return True
    eta = (1 - Fraction(found.hidden)) * Fraction(blanket)
    tails = [math.comb(others, r) * eta**r * (1 - eta) ** (others - r) for r in range(others + 1)]
    most = others + 1 - found.users - more
    return tails[0] + sum(tails[max(most, 0) + 1 :], Fraction(0)) <= Fraction(found.aside * aside)


@st.composite
def _few_kinds(draw: st.DrawFn) -> list[dict[Fraction, Fraction]]:
    """Two or three laws of a loss on small integers with the mean -1/4, each on two or three values."""
    found = []
    for _ in range(draw(st.integers(2, 3))):
        low, high = Fraction(-draw(st.integers(1, 4))), Fraction(draw(st.integers(0, 4)))
        share, middle = (Fraction(-1, 4) - low) / (high - low), draw(st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(3, 4)]))
        law = {low: (1 - share) * (1 - middle), high: share * (1 - middle)}
        law[Fraction(-1, 4)] = law.get(Fraction(-1, 4), Fraction(0)) + middle
        found.append({at: mass for at, mass in law.items() if mass})
    return found


def _sum(parts: list[dict[Fraction, Fraction]]) -> dict[Fraction, Fraction]:
    sums = {Fraction(0): Fraction(1)}
    for law in parts:
        following: dict[Fraction, Fraction] = {}
        for at, weight in sums.items():
            for value, mass in law.items():
                following[at + value] = following.get(at + value, Fraction(0)) + weight * mass
        sums = following
    return sums


def _positive(law: Mapping[Fraction, Fraction]) -> Fraction:
    return sum((mass * at for at, mass in law.items() if at > 0), Fraction(0))


Count = Callable[..., dict[int, int]]
Over = Callable[[list[dict[Fraction, Fraction]]], dict[Fraction, Fraction]]


def _over(parts: list[dict[Fraction, Fraction]]) -> dict[Fraction, Fraction]:
    return another_place.least_above(parts)


def _blocks_hold(several: list[dict[Fraction, Fraction]], over: Over, count: Count) -> bool:
    """Whether the blocks' sum is above that of S users for all numbers of each kind, and the float64 engine's above the blocks'."""
    block = 2
    for S in (4, 5):
        if len(several) * (block - 1) > S:
            continue
        blocks = {1: over(several), 2: over([_sum([law, law]) for law in several])}
        number = count(users=S, kinds=len(several), block=block)
        total = _sum([blocks[size] for size, times in number.items() for _ in range(times)])
        for held in combinations_with_replacement(several, S):
            for shift in (Fraction(0), Fraction(1, 2), Fraction(S, 2)):
                if _positive({at + shift: mass for at, mass in _sum(list(held)).items()}) > _positive(
                    {at + shift: mass for at, mass in total.items()}
                ):
                    return False
    return True


def _engine_is_above(several: list[dict[Fraction, Fraction]], grown: float) -> bool:
    """Whether the float64 parts are above the exact sums, for several tilts, and near them."""
    for theta, times in product((0.05, 0.7), (1, 5)):
        tilt = Tilt(theta, 1 << 10)
        parts: list[Part] = []
        for law in several:
            mass, at = (np.array([float(x) for x in column]) for column in (law.values(), law.keys()))
            parts.append(tilt.of(mass, at, level=-2, error=2.0**-50))
        both = tilt.power(tilt.above([tilt.product(part, part) for part in parts]), times)
        exact = _sum([another_place.least_above([_sum([law, law]) for law in several])] * times)
        if not _positive(exact) <= Fraction(tilt.positive(both) * grown):
            return False
    return True


def _first_kind(several: list[dict[Fraction, Fraction]]) -> dict[Fraction, Fraction]:
    """Mutant: the law of one kind for all."""
    return several[0]


def _none_left_over(*, users: int, kinds: int, block: int) -> dict[int, int]:
    """Mutant: as if numbers of each kind were multiples of the block."""
    return {block: users // block, 1: users % block}


@statement(
    "BEYOND.any-law-alike-blocks",
    where="any randomizer's law",
    provenance="derived",
    says="let each of S independent losses be of one of K kinds, all of one mean. Cut into blocks of g = 2^J alike ones, and of "
    "each kind one block of g/2, ..., 1 at most, their sum is at most, in the convex order, that of B = floor((S - K(g - "
    "1))/g) copies of the least law above all sums of g alike ones, and K, or K + 1 by the binary digits of what is over, "
    "of those of g/2, ..., 1",
    formula=r"\mathbb{E}\,(L_1 + \cdots + L_S)_+ \le \mathbb{E}\,\Big(\sum_{i \le B} \Lambda^{(g)}_i + \sum_{j < J} "
    r"\sum_{i \le K + e_j} \Lambda^{(2^j)}_i\Big)_+",
    range="all laws of one mean, numbers of each kind, g a power of two, S >= K (g - 1)",
    governs=["spec.bounds.another_place", "impl.fast.bounds.unlike_sums", "impl.fast.bounds.another_place"],
    grounds=[Argument("any-law#alike-users-in-blocks"), EXACT],
    mutants={
        "one kind's law for all": {"over": _first_kind},
        "no one left over": {"count": _none_left_over},
        "a thousandth less than the engine says": {"grown": 0.999},
        "kinds of others without x_0": {"fewer": 1},
    },
    missing="more users and kinds than are enumerated",
)
def alike_blocks(
    budget: Budget, *, over: Over = _over, count: Count = another_place.in_blocks, grown: float = 1.0, fewer: int = 0
) -> Verdict:
    found = sampled.for_all(
        _few_kinds(),
        holds=lambda several: _blocks_hold(several, over, count) and _engine_is_above(several, grown),
        budget=budget,
        quick=8,
        full=100,
    )
    if not found.holds:
        return found.verdict(domain="random kinds", witness=lambda several: f"kinds {several}")
    decided = 0
    for named in ALL_KINDS[:: 2 if budget.depth == "quick" else 1]:
        decided += 1
        if told := _unknown_kind(named, fewer):
            return Verdict(status=Status.REFUTED, domain="the kinds of another user", cases=decided, witness=f"{named}: {told}")
    return found.verdict(
        claims=Status.ARGUED,
        domain=f"all laws by the argument; random kinds with all numbers of each for up to five users, and the kinds of {decided} named "
        "randomizers by all inputs of theirs",
        witness=lambda several: f"kinds {several}",
    )


ALL_KINDS: tuple[NamedRandomizer, ...] = (
    KRR(k=2),
    KRR(k=4),
    RAPPOR(k=3),
    AsymmetricRAPPOR(k=3),
    LocalHashing(buckets=3, k=3),
    Subset(k=5, d=2),
    Hadamard(k=3, blocks=1),
    Hadamard(k=5, blocks=1),
    Hadamard(k=6, blocks=2),
    Hadamard(k=8, blocks=4),
)


def _unknown_kind(named: NamedRandomizer, fewer: int) -> str:
    """Inputs x_0, x_1 and another user's whose law of (u, v) is none of the float64 engine's kinds, or nothing."""
    randomizer = by_items(named)
    kinds = kinds_of_others(named, epsilon0_parameter("ln 9/4")).laws[fewer:]
    known = [_rounded(zip(law.mass, law.u, law.v, strict=True)) for law in kinds]
    for x, z in permutations(tuple(randomizer.domain), 2):
        for k in randomizer.domain:
            rows = ((float(m), float(randomizer.law(x)[y] / m), float(randomizer.law(z)[y] / m)) for y, m in randomizer.law(k).items())
            if _rounded(rows) not in known:
                return f"inputs {x} and {z}, another user's {k}"
    return ""


def _rounded(rows: Iterable[tuple[float, float, float]]) -> dict[tuple[float, float], float]:
    """Masses of (u, v), both to eight digits."""
    found: dict[tuple[float, float], float] = {}
    for mass, u, v in rows:
        at = round(float(u), 8), round(float(v), 8)
        found[at] = found.get(at, 0.0) + float(mass)
    return {at: round(mass, 8) for at, mass in found.items() if mass}


def by_items(named: NamedRandomizer) -> LocalRandomizer[Any, Any]:
    """Its law with its number of items, at e^eps0 = 9/4."""
    T = Fraction(9, 4)
    return finite_law(named, T) if isinstance(named, KRR | Subset | Hadamard) else of_items(named, T, named.sizes["k"])


POINTS = 1 << 10
_FINER = 2


def _masses_of_noise(epsilon0: float, x: float) -> Any:
    """R_x of y <= 0, of cells of [0, 1] and of y >= 1, x one of their ends."""
    y = np.arange(_FINER * POINTS + 1) / (_FINER * POINTS)
    below = np.where(y <= x, np.exp(-epsilon0 * np.abs(y - x)) / 2, 1 - np.exp(-epsilon0 * np.abs(y - x)) / 2)
    return np.concatenate([below[:1], np.diff(below), 1 - below[-1:]])


def _curve(first: int, second: int, other: int) -> tuple[str, Fraction]:
    """The curve of three inputs, two of them apart at least, and s there: scaled so that they reach from 0 to 1, and reflected."""
    low, high = min(first, second, other), max(first, second, other)
    first_at, second_at, other_at = (Fraction(x - low, high - low) for x in (first, second, other))
    if {first_at, second_at} == {0, 1}:
        return "between", other_at if first_at == 0 else 1 - other_at
    if {first_at, other_at} == {0, 1}:
        return "second", second_at if other_at == 0 else 1 - second_at
    return "first", first_at if other_at == 0 else 1 - first_at


def _mirrored(first: int, second: int, other: int) -> tuple[str, Fraction]:
    """Mutant: the other way round."""
    curve, s = _curve(first, second, other)
    return curve, 1 - s


class _Sharp(LaplaceKinds):
    """Mutant: the middle of a cell for all of it."""

    def apart(self, cell: Cell) -> float:
        return 0.0


class _Larger(LaplaceKinds):
    """Mutant: the larger of two laws for the least."""

    def least(self, low: int, high: int) -> Any:
        (one, at_one), (other, at_other) = self.law(low), self.law(high)
        return np.maximum(one, other), np.maximum(at_one, at_other)


_TRIPLES = ((0, 64, 3), (3, 64, 0), (64, 5, 0), (10, 40, 50), (60, 20, 64), (30, 10, 20), (1, 63, 0), (0, 1, 64), (20, 20, 30), (64, 0, 64))


def _triple_fails(known: LaplaceKinds, triple: tuple[int, int, int], E: float, curve: Callable[..., tuple[str, Fraction]]) -> str:
    """A threshold at which the law of L for inputs in 64ths is above that of its point of a curve, or of the cell; or nothing.

    Its own E(L - t)_+ is summed over merged cells, which is a lower side.
    """
    first, second, other = (_masses_of_noise(known.epsilon0, x / 64) for x in triple)
    name, s = curve(*triple)
    at = float(s * POINTS)
    around = [cell for group in known.groups for cell in group if cell.curve == name and cell.low <= at <= cell.high]
    near = math.floor(at / 2) * 2
    exact = [Cell(name, near, near)] if at == near else []
    laws_of_losses = [(cell, known.of_cell(cell, E)) for cell in around + exact]
    top = float(((first - E * second) / other).max())
    for t in (*np.linspace(-E * math.exp(known.epsilon0), 0.0, 9), *np.linspace(0.05, 0.98, 8) * max(top, 0.1)):
        own = float(np.maximum(first - E * second - t * other, 0.0).sum())
        for cell, (mass, places_of, _) in laws_of_losses:
            rest = max(0.0, 1 - float(mass.sum())) * max(-float(t), 0.0)
            if own > float((mass * np.maximum(places_of - t, 0.0)).sum()) + rest + 1e-11:
                return f"threshold {t:.4f}, {cell}"
    return "" if around else "no cell"


@statement(
    "BEYOND.any-law-laplace-triples",
    where="any randomizer's law",
    provenance="derived",
    says="of Laplace noise on [0, 1], for all x_0, x_1 and x_2, the law of L = (R_(x_0) - E R_(x_1))/R_(x_2) is at most, in the "
    "convex order, that of the triple stretched to reach from 0 to 1, which up to reflection is (0, 1, s), (s, 1, 0) or (1, "
    "s, 0); and the cells' laws of the float64 engine are above those of all their s",
    formula=r"\mathbb{E}\,\Big(\frac{R_{x_0} - E R_{x_1}}{R_{x_2}} - t\Big)_+ \le \mathbb{E}\,\Big(\frac{R_{x_0'} - E R_{x_1'}}"
    r"{R_{x_2'}} - t\Big)_+, \qquad x_i' = \frac{x_i - \min_j x_j}{\max_j x_j - \min_j x_j}",
    range="all inputs, eps0 > 0, E >= 1 and t",
    governs=["impl.fast.bounds.laplace_places"],
    grounds=[Argument("any-law#three-inputs-of-laplace-noise"), EXACT],
    mutants={
        "stretched the other way round": {"curve": _mirrored},
        "the middle of a cell for all of it": {"engine": _Sharp},
        "the larger of two laws for the least": {"engine": _Larger},
    },
    missing="inputs, orders and thresholds other than those compared",
)
def laplace_triples(
    budget: Budget, *, curve: Callable[..., tuple[str, Fraction]] = _curve, engine: Callable[[float], LaplaceKinds] = LaplaceKinds
) -> Verdict:
    decided = 0
    orders = (1.0, 1.7) if budget.depth == "quick" else (1.0, 1.05, 1.7, 5.0)
    for epsilon0 in (1.0, 3.0) if budget.depth == "quick" else (0.3, 1.0, 3.0, 6.0):
        known = engine(epsilon0)
        chosen = _TRIPLES if budget.depth == "quick" else tuple(permutations(range(0, 65, 7), 3))
        for triple, E in product(chosen, orders):
            decided += 1
            if told := _triple_fails(known, triple, E, curve):
                witness = f"eps0 = {epsilon0}, E = {E}, inputs {triple} in 64ths: {told}"
                return Verdict(status=Status.REFUTED, domain="triples of inputs", cases=decided, witness=witness)
    return Verdict(
        status=Status.ARGUED,
        domain=f"all inputs by the argument; {decided} triples and orders, at 17 thresholds each",
        cases=decided,
    )
