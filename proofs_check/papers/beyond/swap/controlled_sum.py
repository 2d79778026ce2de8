"""Adaptive sequences of eps0-DP randomizers from above: first arrival, its view enumerated and its losses compared."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import factorial
from typing import Any

from hypothesis import strategies as st

from shuffleproof.proofs_check.ledger import EXACT, Budget, Status, Verdict, conjunction, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.proofs_check.ledger.methods.masses import merged, sum_of
from shuffleproof.proofs_check.ledger.methods.random_randomizers import AdaptiveSteps, adaptive_steps
from shuffleproof.proofs_check.ledger.points import ONE, ZERO
from shuffleproof.proofs_check.papers.beyond.swap.controlled_sums import arrival_bound
from shuffleproof.spec.bounds.swap import controlled_sum
from shuffleproof.spec.bounds.swap.another_place import corner_distributions
from shuffleproof.spec.bounds.swap.controlled_sum import Losses
from shuffleproof.spec.distribution import hockey_stick
from shuffleproof.spec.model import LocalRandomizer, adaptive_shuffled_distribution
from shuffleproof.spec.vocabulary.errors import DomainError

Masses = Mapping[int, Fraction]
Distributions = Callable[..., list[Losses]]


@dataclass(frozen=True)
class Case:
    """An adaptive sequence, what the other users hold, T, E and the share eta of omega."""

    steps: AdaptiveSteps
    others: tuple[int, ...]
    T: Fraction
    E: Fraction
    eta: Fraction
    shares: Callable[[Fraction, tuple[int, ...]], Fraction] = lambda eta, _: eta

    def share(self, history: tuple[int, ...]) -> Fraction:
        """The probability that another user draws from omega there: eta."""
        return self.shares(self.eta, history)

    @property
    def n(self) -> int:
        """The number of users."""
        return len(self.others) + 1

    def at(self, history: tuple[int, ...]) -> LocalRandomizer[int, int]:
        """The randomizer of the step that follows these reports."""
        return self.steps.at(len(history), history)

    def omega(self, history: tuple[int, ...]) -> Masses:
        """(T R_0 - R_1)/(T - 1) there."""
        R = self.at(history)
        return {y: (self.T * R.distribution(0)[y] - R.distribution(1)[y]) / (self.T - 1) for y in R.messages}

    def left(self, history: tuple[int, ...], k: int) -> Masses:
        """(R_k - eta omega)/(1 - eta) of the other user k = 1, ..., N there."""
        R, omega, eta = self.at(history), self.omega(history), self.share(history)
        return {y: (R.distribution(self.others[k - 1])[y] - eta * omega[y]) / (1 - eta) for y in R.messages}

    def special(self, history: tuple[int, ...], b: int) -> Masses:
        """R_b there."""
        R = self.at(history)
        return {y: R.distribution(b)[y] for y in R.messages}


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Up to three users; the other users hold anything; eta up to near 1/(T + 1)."""
    n, T = draw(st.integers(2, 3)), draw(st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(5)]))
    steps = draw(adaptive_steps(n=n, exp_epsilon0=T))
    others = tuple(draw(st.lists(st.integers(0, 2), min_size=n - 1, max_size=n - 1)))
    E = draw(st.sampled_from([Fraction(1), Fraction(5, 4), (1 + T) / 2]))
    return Case(steps, others, T, E, draw(st.sampled_from([Fraction(1, 5), Fraction(1, 2), Fraction(9, 10)])) / (T + 1))


def _runs(n: int, law_of: Callable[[int, tuple[int, ...]], Masses]) -> dict[tuple[int, ...], Fraction]:
    """The distribution of all reports, each step's given those before it."""
    found: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    for i in range(n):
        found = {(*z, y): p * q for z, p in found.items() for y, q in law_of(i, z).items() if p * q}
    return found


def _view(case: Case, b: int, omega_at: Callable[[int], bool]) -> dict[Any, Fraction]:
    """Return what is revealed where somebody draws from omega: reports, steps of the pool, and who of the others stands where."""
    N, found = case.n - 1, dict[Any, Fraction]()
    for order in permutations(range(case.n)):  # order[i] is the user at step i, 0 the special one
        for r in range(1, N + 1):
            weight = Fraction(1, factorial(case.n) * r)
            for pool in combinations(range(1, case.n), r):

                def distribution_of(i: int, z: tuple[int, ...], order: Any = order, pool: Any = pool) -> Masses:
                    user, eta = order[i], case.share(z)
                    common = case.omega(z) if omega_at(i) else case.special(z, 1)
                    law, share = (common, eta) if user in pool else (case.left(z, user), 1 - eta) if user else (case.special(z, b), ONE)
                    return {y: share * p for y, p in law.items()}

                for z, p in _runs(case.n, distribution_of).items():
                    for J in pool:
                        stood = tuple(J if user == 0 else None if user in pool else user for user in order)
                        found[z, stood] = found.get((z, stood), ZERO) + weight * p
    return found


def _reports(case: Case, b: int, view: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
    """The distribution of the reports by the view, and where nobody draws from omega by what is left of the others."""
    found = [(z, p) for (z, _), p in view.items()]
    for order in permutations(range(case.n)):

        def distribution_of(i: int, z: tuple[int, ...], order: Any = order) -> Masses:
            return {y: (1 - case.share(z)) * p for y, p in case.left(z, order[i]).items()} if order[i] else case.special(z, b)

        found += [(z, p / factorial(case.n)) for z, p in _runs(case.n, distribution_of).items()]
    return merged(found)


def _sums(case: Case, divided: Callable[[int, int], int]) -> tuple[Fraction, list[tuple[int, Fraction]]]:
    """The view's divergence by the sums of losses; and each E(sum_k L_k)_+ with its number of users S."""
    N, total, each = case.n - 1, ZERO, list[tuple[int, Fraction]]()
    for r in range(1, N + 1):
        S = N - r + 1
        weight = Fraction(factorial(r), r * factorial(case.n)) * case.eta**r * (1 - case.eta) ** (N - r)
        for steps in combinations(range(case.n), S):
            for users in permutations(range(1, case.n), S):
                stood = dict(zip(steps, users, strict=True))

                def distribution_of(i: int, z: tuple[int, ...], stood: Any = stood) -> Masses:
                    return case.left(z, stood[i]) if i in stood else case.omega(z)

                mean = ZERO
                for z, p in _runs(case.n, distribution_of).items():
                    losses = [
                        (case.special(z[:i], 0)[z[i]] - case.E * case.special(z[:i], 1)[z[i]]) / case.left(z[:i], k)[z[i]]
                        for i, k in stood.items()
                    ]
                    mean += p * max(sum(losses, ZERO), ZERO)
                each.append((S, mean))
                total += weight * mean * S / divided(S, r)
    return total, each


def _view_holds(case: Case, divided: Callable[[int, int], int], omega_at: Callable[[int], bool], laws: Distributions) -> bool:
    """Return whether the view determines the reports, has the sums' divergence, and each sum is at most the controlled one."""
    total, each = _sums(case, divided)
    views = [_view(case, b, omega_at) for b in (0, 1)]
    truths = [dict(adaptive_shuffled_distribution(case.steps.sequence, (b, *case.others)).items()) for b in (0, 1)]
    if any(_reports(case, b, views[b]) != truths[b] for b in (0, 1)):
        return False
    worth = sum((max(p - case.E * views[1].get(view, ZERO), ZERO) for view, p in views[0].items()), ZERO)
    V = controlled_sum.controlled_sums(laws(T=case.T, exp_epsilon=case.E, share=case.eta), case.n - 1)
    return total == worth and all(mean <= V[S] for S, mean in each)


def _bounded(case: Case, bound: Callable[..., Fraction]) -> bool:
    """Return whether first arrival by none, one and two levels is above the truth, in both orders of the datasets."""
    laws = [adaptive_shuffled_distribution(case.steps.sequence, (b, *case.others)) for b in (0, 1)]
    truth = max(hockey_stick(laws[b], laws[1 - b], exp_epsilon=case.E) for b in (0, 1))
    cuts = [(), (case.eta,), (case.eta / 2, case.eta)]
    return all(bound(n=case.n, T=case.T, exp_epsilon=case.E, levels=levels) >= truth for levels in cuts)


_NEARLY = Fraction(999, 1000)
"""The largest level that is tried, of what the statement allows."""
_POINTS = [(n, Fraction(T), Fraction(E)) for T, E in (("9/4", "1"), ("3", "3/2"), ("3/2", "5/4"), ("7", "4")) for n in (1, 2, 3, 4)]


def _above_worst(point: tuple[int, Fraction, Fraction], bound: Callable[..., Fraction], limit: Fraction) -> bool:
    """Return whether first arrival has a value above what the worst sequence attains, by levels up to limit/(T + 1)."""
    n, T, E = point
    cut, last = 1 / (4 * n * (T + 1)), limit * _NEARLY / (T + 1)
    reached = controlled_sum.attained(n=n, T=T, exp_epsilon=E)
    try:
        return all(bound(n=n, T=T, exp_epsilon=E, levels=levels) >= reached for levels in ((), (cut,), (cut, 2 * cut), (last,)))
    except DomainError:  # a report would be left with a negative probability: with one user the formula is 0 there
        return False


def _is_the_theorem(point: tuple[int, Fraction, Fraction], bound: Callable[..., Fraction]) -> bool:
    """Return whether the bound is what BEYOND.first-arrival-all.finite says, of more users than are enumerated."""
    n, T, E = point
    levels = (1 / (4 * (T + 1)), 2 / (3 * (T + 1)))
    return bound(n=n, T=T, exp_epsilon=E, levels=levels) == arrival_bound(n, T, E, [ZERO, *levels])


def _corners_hold(point: tuple[int, Fraction, Fraction], laws: Distributions) -> bool:
    """Return whether C_l are the losses of the randomizers whose reports are corners, against what is left of R_2, each with mean 1 - E."""
    _, T, E = point
    share, own = 3 / (4 * (T + 1)), []
    for law in corner_distributions(T):
        omega = {(u, v): p * (T * u - v) / (T - 1) for (u, v), p in law.items()}
        left = {at: (p - share * omega[at]) / (1 - share) for at, p in law.items()}
        own.append({((u - E * v) * p / left[u, v], left[u, v]) for (u, v), p in law.items()})
    return [set(law) for law in laws(T=T, exp_epsilon=E, share=share)] == own


def _unlike_left(*, T: Fraction, exp_epsilon: Fraction, share: Fraction) -> list[Losses]:
    """Mutant: losses against R_k instead of what is left of it."""
    del share
    return controlled_sum.corner_losses(T=T, exp_epsilon=exp_epsilon, share=ZERO)


def _other_mean(*, T: Fraction, exp_epsilon: Fraction, share: Fraction) -> list[Losses]:
    """Mutant: a conditional mean of (1 - E) - (T - 1)/2."""
    laws = controlled_sum.corner_losses(T=T, exp_epsilon=exp_epsilon, share=share)
    return [tuple((value - (T - 1) / 2, p) for value, p in law) for law in laws]


def _smaller_corner(*, T: Fraction, exp_epsilon: Fraction, share: Fraction) -> list[Losses]:
    """Mutant: T for T + 1 in o at the corner (T, 1)."""
    found = []
    for law in corner_distributions(T):
        left = {(u, v): (1 - share * min(T, (T * u - v) / (T - 1))) / (1 - share) for u, v in law}
        found.append(tuple(((u - exp_epsilon * v) / left[u, v], p * left[u, v]) for (u, v), p in law.items()))
    return found


@derived(
    "BEYOND.first-arrival",
    says="let every step of an adaptive sequence run an eps0-DP randomizer on shuffled data, T = e^eps0, N = n - 1, E >= 1, and let "
    "0 = eta_0 < eta_1 < ... < eta_L < 1/(T + 1), d_l = (eta_l - eta_(l-1))/(1 - eta_(l-1)). With C_l the corner distributions of the "
    "losses against (R_k - eta_l omega)/(1 - eta_l), omega = (T R_0 - R_1)/(T - 1) at every step and history, V_0(s) = s_+, V_(j+1)(s) = "
    "max over c in C of E V_j(s + L_c), G_C(S) = V_S(0)/S, and F that of n steps of clones with what is left, D_E is at most "
    "(1 - eta_L)^N F(eta_L) and, summed over l from 1 to L and r from 1 to N, "
    "(1 - eta_(l-1))^N binom(N, r) d_l^r (1 - d_l)^(N-r) G_(C_l)(N - r + 1)",
    range="eps0 > 0, E >= 1, n >= 1; adaptive sequences, all neighbouring datasets",
    governs=["spec.bounds.swap.controlled_sum", "impl.fast.bounds.swap.first_arrival"],
    grounds=["BEYOND.any-law-all-randomizers", "BEYOND.first-arrival-all.finite", "controlled-sum#first-arrival", EXACT],
    mutants={
        "omega on the first step only": {"omega_at": lambda i: i == 0},
        "eta depends on the history": {"told": lambda case: replace(case, shares=lambda eta, history: eta / (1 + sum(history) % 2))},
        "one user more to hide among": {"divided": lambda S, _: S + 1},
        "losses against the whole of R_k": {"distributions": _unlike_left},
        "binary response's losses alone": {
            "distributions": lambda *, T, exp_epsilon, share: controlled_sum.corner_losses(T=T, exp_epsilon=exp_epsilon, share=share)[:1]
        },
        "another conditional mean": {"distributions": _other_mean},
        "T for T + 1": {"distributions": _smaller_corner},
        "n + 1 for n": {
            "bound": lambda *, n, T, exp_epsilon, levels=(): controlled_sum.first_arrival(
                n=n + 1, T=T, exp_epsilon=exp_epsilon, levels=levels
            )
        },
        "levels up to 1.01/(T + 1)": {"limit": Fraction(101, 100)},
        "half of it for one user alone": {"bound": lambda **asked: controlled_sum.first_arrival(**asked) / (2 if asked["n"] == 1 else 1)},
        "one user more from five on": {"bound": lambda *, n, **asked: controlled_sum.first_arrival(n=n + (n > 4), **asked)},
    },
    weaker={"limit": "smaller"},
    missing="infinitely many messages, which the argument is for: of finitely many BEYOND.first-arrival-all.finite has all of it, and "
    "random adaptive sequences of up to three users are enumerated here",
)
def first_arrival(
    budget: Budget,
    *,
    divided: Callable[[int, int], int] = lambda S, _: S,
    omega_at: Callable[[int], bool] = lambda _: True,
    told: Callable[[Case], Case] = lambda case: case,
    distributions: Distributions = controlled_sum.corner_losses,
    bound: Callable[..., Fraction] = controlled_sum.first_arrival,
    limit: Fraction = ONE,
) -> Verdict:
    """limit: levels are below limit/(T + 1)."""

    def parts() -> Iterator[Verdict]:
        corners = exhaustive.for_all(_POINTS, holds=lambda point: _corners_hold(point, distributions))
        yield corners.verdict(claims=Status.ARGUED, domain="the losses at corners", witness=str)
        views = sampled.for_all(
            cases(), holds=lambda case: _view_holds(told(case), divided, omega_at, distributions), budget=budget, quick=60, full=1000
        )
        yield views.verdict(claims=Status.ARGUED, domain="the view: all by the argument; random adaptive sequences", witness=str)
        above = exhaustive.for_all(_POINTS, holds=lambda point: _above_worst(point, bound, limit))
        theorem = exhaustive.for_all([(5, Fraction(3), Fraction(3, 2))], holds=lambda point: _is_the_theorem(point, bound))
        truths = sampled.for_all(cases(), holds=lambda case: _bounded(case, bound), budget=budget, quick=60, full=1000)
        yield theorem.verdict(claims=Status.ARGUED, domain="the formula of five users, written twice", witness=str)
        yield above.verdict(claims=Status.ARGUED, domain="the worst sequence of one to four users", witness=str)
        yield truths.verdict(claims=Status.ARGUED, domain="the bound: all by the argument; random adaptive sequences", witness=str)

    return conjunction(parts())


@st.composite
def _smooth(draw: st.DrawFn) -> tuple[Losses, list[Losses]]:
    """The distribution of X on a few integers, and two or three loss types of mean 0, the last of which goes on alone."""
    width = draw(st.integers(0, 5))
    X = tuple((Fraction(x), Fraction(1, 2 * width + 1)) for x in range(-width, width + 1))
    sides = draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=3))
    types: list[Losses] = []
    for low, high in sides:
        p = Fraction(low, low + high) if low and high else ZERO
        types.append(((Fraction(-low), 1 - p), (Fraction(high), p)) if p else ((ZERO, Fraction(1)),))
    return X, types


def _continued_holds(case: tuple[Losses, list[Losses]], times: Callable[[int], int], points: Callable[[Fraction], Fraction]) -> bool:
    """Return whether m steps from f are at most m draws of the last type, and m times what the others are more for f at most."""
    X, types = case

    @cache
    def f(s: Fraction) -> Fraction:
        return sum((p * max(s + x, ZERO) for x, p in X), ZERO)

    def after(law: Losses, of: Callable[[Fraction], Fraction], s: Fraction) -> Fraction:
        return sum((p * of(s + x) for x, p in law), ZERO)

    last = types[-1]
    e = max(after(law, f, s) - after(last, f, s) for law in types for x, _ in X for y, _ in last for s in (points(-x - y),))
    e, best, alone = max(e, ZERO), f, f
    for m in (1, 2, 3):

        def following(s: Fraction, of: Callable[[Fraction], Fraction] = best) -> Fraction:
            return max(after(law, of, s) for law in types)

        def going_on(s: Fraction, of: Callable[[Fraction], Fraction] = alone) -> Fraction:
            return after(last, of, s)

        best, alone = cache(following), cache(going_on)
        if any(best(Fraction(s)) > alone(Fraction(s)) + times(m) * e for s in range(-4, 5)):
            return False
    return True


@derived(
    "BEYOND.controlled-sum-continued",
    says="let f(s) = E(s + X)_+, and let E f(s + L_c) <= E f(s + L) + e for all loss types c in C and all s. Then m more steps of the "
    "controlled sum, from f, are at most E f(s + L_1 + ... + L_m) + m e, the L_i independent and distributed like L. For X and L of "
    "finitely many values, equal means and masses, the condition holds for all s if it does where s is minus a value of X + L",
    range="finitely many distributions of finitely many values, all m and s",
    governs=["impl.fast.bounds.swap.controlled_sum", "impl.fast.bounds.swap.controlled_sum_grid"],
    grounds=["controlled-sum#many-users", EXACT],
    mutants={"e once": {"times": lambda m: min(m, 1)}, "the condition elsewhere": {"points": lambda s: s + Fraction(1, 2) + 8}},
    missing="drawn distributions on integers, up to three steps",
)
def continued(
    budget: Budget, *, times: Callable[[int], int] = lambda m: m, points: Callable[[Fraction], Fraction] = lambda s: s
) -> Verdict:
    half, even = Fraction(1, 2), tuple((Fraction(x), Fraction(1, 21)) for x in range(-10, 11))
    flat = (even, [((Fraction(-1), half), (Fraction(1), half)), ((ZERO, Fraction(1)),)])
    known = exhaustive.for_all([flat], holds=lambda case: _continued_holds(case, times, points))
    drawn = sampled.for_all(_smooth(), holds=lambda case: _continued_holds(case, times, points), budget=budget, quick=60, full=600)
    return conjunction(
        [
            known.verdict(claims=Status.ARGUED, domain="a flat distribution", witness=str),
            drawn.verdict(claims=Status.ARGUED, domain="all by the argument; drawn distributions", witness=str),
        ]
    )


def _gained_holds(
    case: tuple[Losses, list[Losses]], base: Fraction, growth: Callable[..., Fraction], steps: Callable[[int], range]
) -> bool:
    """Return whether m steps from f are at most m draws of the last type, and what the others gain at each, carried on by Phi.

    e^t is `base`, the losses are whole; a gain is also written with K_c, the difference of positive parts.
    """
    X, types = case
    last, places = types[-1], range(-36, 37)  # beyond these nothing is gained

    def transform(law: Losses) -> Fraction:
        return sum((p * base ** int(x) for x, p in law), ZERO)

    def part(law: Losses, y: Fraction) -> Fraction:
        return sum((p * max(x - y, ZERO) for x, p in law), ZERO)

    def gained_by(law: Losses, s: int, summed: dict[int, Fraction]) -> Fraction:
        return sum((p * q * (part(law, -s - x - y) - part(last, -s - x - y)) for x, p in X for y, q in summed.items()), ZERO)

    phi = growth(transform(law) for law in types)
    alone = {s: sum((p * max(s + x, ZERO) for x, p in X), ZERO) for s in range(-60, 61)}
    best, summed, found = alone, {0: ONE}, list[Fraction]()
    for m in range(1, 4):
        inside = range(min(alone) + 3, max(alone) - 2)
        after = [{s: sum((p * alone[s + int(x)] for x, p in law), ZERO) for s in inside} for law in types]
        gains = {s: max(law[s] for law in after) - after[-1][s] for s in places}
        if any(max(gained_by(law, s, summed) for law in types) != gains[s] for s in (-4, 0, 3)):
            return False
        found.append(max(gain / base**s for s, gain in gains.items()))
        best = {s: max(sum((p * best[s + int(x)] for x, p in law), ZERO) for law in types) for s in inside}
        alone = after[-1]
        more = {s: sum((found[i] * phi ** (m - 1 - i) for i in steps(m)), ZERO) * base**s for s in range(-9, 10)}
        if any(best[s] > alone[s] + more[s] for s in more):
            return False
        summed = sum_of([summed, merged((int(x), p) for x, p in last)])
    return True


@derived(
    "BEYOND.controlled-sum-gained",
    says="let M f(s) = max over c of E f(s + L_c), f_i(s) = E f(s + L_1 + ... + L_i) with one loss type L, and M f_i(s) - f_(i+1)(s) <= "
    "a_i e^(t s) for all s. Then m steps of the controlled sum from f are at most f_m(s) and e^(t s) times the sum over i < m of a_i "
    "Phi^(m-1-i), Phi the largest E e^(t L_c). For f(s) = E(s + X)_+ what L_c gains is E K_c(-s - X - L_1 - ... - L_i), "
    "K_c(y) = E(L_c - y)_+ - E(L - y)_+",
    range="finitely many distributions of finitely many values, all m, s and t",
    governs=["impl.fast.bounds.swap.one_type"],
    grounds=["controlled-sum#many-users", EXACT],
    mutants={"Phi of the least type": {"growth": min}, "the gain of the last step alone": {"steps": lambda m: range(m - 1, m)}},
    missing="drawn distributions on integers, up to three steps, two tilts",
)
def gained(budget: Budget, *, growth: Callable[..., Fraction] = max, steps: Callable[[int], range] = range) -> Verdict:
    half = Fraction(1, 2)
    X: Losses = ((ZERO, ONE),)
    wide: list[Losses] = [((Fraction(-2), half), (Fraction(2), half)), ((Fraction(-1), half), (Fraction(1), half))]
    rare: list[Losses] = [((Fraction(-1), Fraction(3, 4)), (Fraction(3), Fraction(1, 4))), ((ZERO, ONE),)]

    def holds(case: tuple[Losses, list[Losses]]) -> bool:
        return all(_gained_holds(case, base, growth, steps) for base in (ONE, Fraction(3)))

    known = exhaustive.for_all([(X, wide), (X, rare)], holds=holds)
    drawn = sampled.for_all(_smooth(), holds=holds, budget=budget, quick=20, full=300)
    return conjunction(
        [
            known.verdict(claims=Status.ARGUED, domain="two pairs of types at a kink", witness=str),
            drawn.verdict(claims=Status.ARGUED, domain="all by the argument; drawn distributions", witness=str),
        ]
    )
