"""Histograms with fake users whom the shuffler adds."""

from fractions import Fraction
from itertools import product
from typing import Any

from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.spec.bounds.noise import fake_users, histogram, zero_sum
from shuffleproof.spec.privacy_profile import PrivacyProfile


@derived(
    "BEYOND.fake-users",
    where="docs/mathematics/noise-in-parts.md",
    says="let every user send their item, and let the shuffler add, for each of f fake users and each of two bins or more, a message of it "
    "with probability p. Over all datasets that differ in one user's item the deltas are those of P^hist with f users and the same p, "
    "however many users there are and whatever they know of each other",
    range="n >= 1, f >= 1, p in [0, 1], eps >= 0",
    governs=[
        "spec.bounds.noise.fake_users",
        "impl.ball.bounds.noise.fake_users",
        "impl.fast.bounds.noise.fake_users",
        "impl.ball.calibration.fake_users",
    ],
    grounds=["noise-in-parts#fake-users", EXACT, "BC20.Thm3.2"],
    mutants={"one more fake user": {"more": 1}, "the users' noise counts too": {"own": 1}},
    missing="more users, fakes and bins than enumerated",
)
def fake_users_of_the_shuffler(budget: Budget, *, more: int = 0, own: int = 0) -> Verdict:
    """All bins of all neighbouring datasets against P^hist's pair of two bins, at every corner of all profiles."""
    largest = budget.pick(quick=2, full=3)

    def holds(n: int, d: int, fakes: int, p: Fraction) -> bool:
        compared = PrivacyProfile(*histogram.pair(n=fakes + more + own * (n - 1), p=p))
        every: list[PrivacyProfile[Any]] = []
        for others in product(range(n), repeat=d):
            if sum(others) == n - 1:
                laws = [fake_users.messages_law([k + (x == y) for y, k in enumerate(others)], fakes=fakes, p=p) for x in range(2)]
                every.append(PrivacyProfile(*laws))
        orders = {Fraction(1), Fraction(7, 5), *compared.corners(), *every[0].corners()}
        return all(each.delta(exp_epsilon=E) == compared.delta(exp_epsilon=E) for each in every for E in orders)

    cases = [
        (n, d, fakes, p) for n in (1, 2, 3) for d in (2, 3) for fakes in range(1, largest + 1) for p in (Fraction(1, 3), Fraction(1, 2))
    ]
    return exhaustive.for_all(cases, holds=exhaustive.unpacked(holds)).verdict(
        domain=f"n <= 3, two and three bins, f <= {largest}, p = 1/3, 1/2, all neighbouring datasets, all corners",
        witness=lambda case: f"n, d, f, p = {case}",
        note="for all: counts of the others shift both distributions alike, other bins have one distribution in both, and P^hist's noise "
        "is Bin(f, p) too",
    )


@derived(
    "BEYOND.fake-users-who-is-there",
    where="docs/mathematics/noise-in-parts.md",
    says="let every user who is there send their item, and let the shuffler add, for each of f fake users and each bin, a message of it "
    "with probability p. Over all datasets of which one has a user more than the other, with one bin or more, the deltas of the "
    "messages, which show how many there are, are those of the zero sum with f users and the same p",
    range="f >= 1, p in [0, 1], eps >= 0, any number of users",
    governs=["spec.bounds.noise.fake_users", "spec.bounds.noise.zero_sum"],
    grounds=["noise-in-parts#who-is-there", EXACT, "BC20.Thm3.1"],
    mutants={
        "one more fake user": {"more": 1},
        "the user who comes brings a noise message": {"brought": 1},
        "a user who is there changes two bins": {"changed": 2},
    },
    missing="more users, fakes and bins than enumerated",
)
def who_is_there(budget: Budget, *, more: int = 0, brought: int = 0, changed: int = 1) -> Verdict:
    """All bins of all datasets with and without one user, the total of the messages beside them, against the zero sum's pair."""
    largest = budget.pick(quick=2, full=3)

    def holds(n: int, d: int, fakes: int, p: Fraction) -> bool:
        compared = PrivacyProfile(*zero_sum.pair(n=fakes + more, p=p))
        every: list[PrivacyProfile[Any]] = []
        for others in product(range(n + 1), repeat=d):
            if sum(others) == n:
                there = [k + (x < changed) + brought * (x == 0) for x, k in enumerate(others)]
                laws = [fake_users.messages_law(counts, fakes=fakes, p=p) for counts in (there, others)]
                every.append(PrivacyProfile(*(law.map(lambda seen: (sum(seen), seen)) for law in laws)))
        orders = {Fraction(1), Fraction(7, 5), *compared.corners(), *every[0].corners()}
        return all(each.delta(exp_epsilon=E) == compared.delta(exp_epsilon=E) for each in every for E in orders)

    cases = [
        (n, d, fakes, p) for n in (0, 1, 2) for d in (1, 2, 3) for fakes in range(1, largest + 1) for p in (Fraction(1, 3), Fraction(1, 2))
    ]
    return exhaustive.for_all(cases, holds=exhaustive.unpacked(holds)).verdict(
        domain=f"up to 2 users beside, up to three bins, f <= {largest}, p = 1/3, 1/2, all pairs of datasets, all corners",
        witness=lambda case: f"n, d, f, p = {case}",
        note="for all: the other bins have one distribution in both datasets and are independent of the bin that changes; how many "
        "messages there are is a function of the bins; counts of the others shift both distributions alike",
    )
