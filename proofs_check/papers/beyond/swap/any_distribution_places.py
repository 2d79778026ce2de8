"""The special user's report swapped with that of a random other user: an upper side that homogeneous datasets reach for many users."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from typing import Any

from hypothesis import strategies as st

from shuffleproof.impl.fast.bounds.swap import one_pool
from shuffleproof.proofs_check.ledger import EXACT, Budget, Coq, Status, Verdict, conjunction, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.proofs_check.ledger.methods.random_randomizers import distributions
from shuffleproof.proofs_check.papers.beyond.blanket.any_distribution import DISTRIBUTIONS
from shuffleproof.proofs_check.papers.beyond.blanket.any_distribution_limits import NAMED, finite
from shuffleproof.spec.bounds.swap import another_place
from shuffleproof.spec.distribution import Distribution, hockey_stick, mixture
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution

Masses = Mapping[Any, Fraction]
Case = tuple[Distribution[Any], Distribution[Any], tuple[Distribution[Any], ...], Distribution[Any], Fraction, Fraction]
"""R_0, R_1, the distributions of the others, omega, eta and E."""
Bound = Callable[..., Fraction]
_ORDERS = (Fraction(1), Fraction(5, 4), Fraction(2))  # e^epsilon: total variation first, then below the drawn ratios


def _masses(law: Distribution[Any]) -> Masses:
    return dict(law.items())


def _of_masses(masses: Masses) -> Distribution[Any]:
    return Distribution({y: m for y, m in masses.items() if m})


@st.composite
def _unlike_users(draw: st.DrawFn) -> Case:
    """Arbitrary distributions on three messages, zeros among them, for the special user and up to three others, and a part of these."""
    common, share = draw(distributions(outputs=3)), Fraction(draw(st.integers(0, 3)), 4)
    first, second = draw(distributions(outputs=3)), draw(distributions(outputs=3))
    others = tuple(mixture([(share, common), (1 - share, draw(distributions(outputs=3)))]) for _ in range(draw(st.integers(1, 3))))
    return first, second, others, common, share, draw(st.sampled_from(_ORDERS))


def _told(case: Case, b: int) -> Distribution[Any]:
    """Return what is revealed to the adversary: the senders, their reports, and the other reports in no order; enumerated user by user."""
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


def _place_holds(case: Case, bound: Bound) -> bool:
    """Return whether the view determines the reports, and has the divergence that the sum says; so that the bound is above the truth."""
    first, second, others, common, share, E = case
    truths, views = [], []
    for b in (0, 1):
        reports = [(first, second)[b], *others]
        truth = shuffled_distribution(LocalRandomizer(range(len(reports)), dict(enumerate(reports))), tuple(range(len(reports))))
        view = _told(case, b)
        if view.map(_reports) != truth.map(lambda y: tuple(sorted(y, key=repr))):
            return False
        truths.append(truth)
        views.append(view)
    given: dict[str, Any] = {"first": _masses(first), "second": _masses(second), "others": [_masses(law) for law in others]}
    found = bound(**given, common=_masses(common), share=share, exp_epsilon=E)
    return found == hockey_stick(*views, exp_epsilon=E) >= hockey_stick(*truths, exp_epsilon=E)


def _falls_with_users(case: Case, number: Callable[[int], int] = lambda S: S) -> bool:
    """Return whether the mean over all sets of S users does not grow with S. number: what a sum of S losses is divided by."""
    first, second, others, common, share, E = case
    rests = [another_place.left(_masses(law), _masses(common), share) for law in others]
    means = []
    for S in range(1, len(rests) + 1):
        sets = list(combinations(rests, S))
        values = [another_place.among(first=_masses(first), second=_masses(second), hiding=chosen, exp_epsilon=E) for chosen in sets]
        means.append(sum(values, Fraction(0)) / len(sets) * S / number(S))
    return all(after <= before for before, after in pairwise(means))


def _nothing_at_infinity(**given: Any) -> Fraction:
    """Mutant: what is sent where nobody else's rest sends anything is forgotten."""
    share, found = given["share"], another_place.delta(**given)
    rests = [another_place.left(law, given["common"], share) for law in given["others"]]
    N = len(rests)
    for rest in rests:
        apart = (m - given["exp_epsilon"] * given["second"].get(y, Fraction(0)) for y, m in given["first"].items() if not rest.get(y))
        lost = sum((max(loss, Fraction(0)) for loss in apart), Fraction(0))
        found -= lost * sum((math.comb(N, r) * share**r * (1 - share) ** (N - r) for r in range(1, N + 1)), Fraction(0)) / N
    return Fraction(found)


def _one_sender_more(**given: Any) -> Fraction:
    """Mutant: one more user to hide among, of a distribution of the others'."""
    given["others"] = [*given["others"], *given["others"][:1]]
    return another_place.delta(**given)


def _nobody_forgotten(**given: Any) -> Fraction:
    """Mutant: as if somebody always drew from omega."""
    losses = {y: m - given["exp_epsilon"] * given["second"].get(y, Fraction(0)) for y, m in given["first"].items()}
    alone = sum((max(loss, Fraction(0)) for loss in losses.values()), Fraction(0))
    found: Fraction = another_place.delta(**given) - (1 - given["share"]) ** len(given["others"]) * alone
    return found


def _whole_distributions(**given: Any) -> Fraction:
    """Mutant: the others' whole distributions, omega's part left in."""
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
    """Named randomizers, noise on levels too, all datasets of a few users, one alone too, omega their blanket with all its mass or half."""
    found: list[Case] = []
    quick = budget.depth == "quick"
    for randomizer in (*(finite(named) for named in NAMED[:: 3 if quick else 1]), *(law() for law in DISTRIBUTIONS.values() if not quick)):
        cover = {y: min(randomizer.distribution(x)[y] for x in randomizer.domain) for y in randomizer.messages}
        mass = sum(cover.values(), Fraction(0))
        common = Distribution({y: m / mass for y, m in cover.items()})
        largest = 3 if len(randomizer.messages) <= 3 else 2 if len(randomizer.messages) <= 4 else 1
        for users, share in product(range(largest + 1), (mass / 2, mass)):
            for pair in permutations(tuple(randomizer.domain)[:3], 2):
                for others in combinations_with_replacement(tuple(randomizer.domain)[:3], users):
                    held = tuple(randomizer.distribution(x) for x in others)
                    found.append((randomizer.distribution(pair[0]), randomizer.distribution(pair[1]), held, common, share, Fraction(5, 4)))
    return found[:: 7 if quick else 1]


@derived(
    "BEYOND.any-law-place",
    says="let each of N other users' distributions be R_k = eta omega + (1 - eta) m_k. Then D_E is at most (1 - eta)^N D_E(R_0 || R_1), "
    "and for each r >= 1 of Bin(N, eta) the mean, over all sets of S = N - r + 1 of them, of E(sum of L_k)_+/S, "
    "independent, L_k = (R_0 - E R_1)/m_k under m_k, and with it the mass at infinity, the mean over k of what (R_0 - E R_1)_+ has where "
    "m_k is 0; which is nonincreasing in S. No two users need be alike",
    range="all randomizers, datasets, omega and eta, E >= 1",
    governs=["spec.bounds.swap.another_place", "impl.fast.bounds.swap.one_pool"],
    grounds=[
        "BEYOND.any-law-alike-blocks",
        "BEYOND.any-law-laplace-triples",
        "BEYOND.any-law-rare-losses",
        "BEYOND.any-law-grids",
        "random-swap#proof",
        EXACT,
    ],
    mutants={
        "one more user to hide among": {"bound": _one_sender_more},
        "somebody always draws from omega": {"bound": _nobody_forgotten},
        "without the mass at infinity": {"bound": _nothing_at_infinity},
        "the others' whole distributions": {"bound": _whole_distributions},
        "two fifths of the tail budget": {"aside": 0.4},
        "twenty users more are left": {"more": 20},
        "half of it for one user alone": {"bound": lambda **asked: another_place.delta(**asked) / (1 if asked["others"] else 2)},
    },
    missing="the argument for all distributions and numbers of users; the view is enumerated for few",
)
def places(budget: Budget, *, bound: Bound = another_place.delta, aside: float = 1.0, more: int = 0) -> Verdict:
    def told(case: Case) -> str:
        return f"R_0, R_1, others, omega, eta, E = {case}"

    random_laws = sampled.for_all(
        _unlike_users(), holds=lambda case: _place_holds(case, bound) and _falls_with_users(case), budget=budget, quick=12, full=200
    )
    named = exhaustive.for_all(_named_cases(budget), holds=lambda case: _place_holds(case, bound))
    tails = exhaustive.for_all(
        product((60, 200), (0.5, 0.99), (1e-3, 1e-6)), holds=lambda others, blanket, level: _set_aside(others, blanket, level, aside, more)
    )
    argued = Status.ARGUED
    return conjunction(
        [
            random_laws.verdict(
                claims=argued,
                domain="all distributions by the argument; random distributions with zeros, all that the view says",
                witness=told,
            ),
            named.verdict(claims=argued, domain="named randomizers", witness=told),
            tails.verdict(
                claims=argued,
                domain="the tails that the float64 engine sets aside",
                witness=lambda case: "{} others, a blanket of {}, {} for each tail".format(*case),
            ),
        ]
    )


@derived(
    "BEYOND.any-law-antitone.finite",
    where="any randomizer's distribution",
    says="for finitely many messages: of independent losses of S users, no two of whom need be alike, E(sum)_+/S is at most the largest "
    "E(sum)_+/(S - 1) of all but one of them",
    range="all randomizers with finitely many messages, datasets, omega, shares and losses, |U| >= 2, in any ordered field",
    governs=["spec.bounds.swap.another_place"],
    grounds=[Coq("unlike_antitone", states="d591285f58796684")],
    mutants={"divided by one user alone": {"number": lambda _: 1}},
)
def antitone(budget: Budget, *, number: Callable[[int], int] = lambda S: S) -> Verdict:
    found = sampled.for_all(_unlike_users(), holds=lambda case: _falls_with_users(case, number), budget=budget, quick=12, full=100)
    return found.verdict(domain=f"all of it by Coq; {found.cases} drawn datasets", witness=str)


def _set_aside(others: int, blanket: float, level: float, aside: float, more: int) -> bool:
    """Return whether, with the float64 engine's eta, nobody or too many draw from omega with the probability that it says."""
    found = one_pool.place(others=others, blanket=blanket, aside=level)
    if found is None:
        return True
    eta = (1 - Fraction(found.hidden)) * Fraction(blanket)
    tails = [math.comb(others, r) * eta**r * (1 - eta) ** (others - r) for r in range(others + 1)]
    most = others + 1 - found.users - more
    return tails[0] + sum(tails[max(most, 0) + 1 :], Fraction(0)) <= Fraction(found.aside * aside)
