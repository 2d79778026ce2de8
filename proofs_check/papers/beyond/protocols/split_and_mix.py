"""Shares that are mixed: how near to the sum alone."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from math import comb

from shuffleproof.impl.ball.calibration import least_noise as calibration
from shuffleproof.proofs_check.ledger import EXACT, Budget, Verdict, derived, recalled
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.methods.masses import sum_of
from shuffleproof.proofs_check.ledger.points import ZERO
from shuffleproof.spec.bounds.noise import laplace_sum, split_and_mix
from shuffleproof.spec.distribution import Distribution, hockey_stick
from shuffleproof.spec.vocabulary.elementary import exp_bounds
from shuffleproof.spec.vocabulary.numerals import parse_epsilon, probability

_SIZES = ((2, 2, 2), (2, 2, 3), (2, 2, 5), (2, 3, 2), (2, 3, 3), (3, 2, 2), (3, 2, 3))
"""Users, shares and modulus, the last in the full run alone."""


def _components(n: int, messages: int, order: tuple[int, ...]) -> int:
    """Count components of the graph whose edges join user e // m of the first order with user order[e] // m of the second."""
    of = list(range(2 * n))
    for e, place in enumerate(order):
        one, other = of[e // messages], of[n + place // messages]
        of = [one if each == other else each for each in of]
    return len(set(of))


def _moment(n: int, messages: int, modulus: int) -> Fraction:
    """E[q^(c - 1)] by going through all orders."""
    orders = list(permutations(range(n * messages)))
    return Fraction(sum(modulus ** (_components(n, messages, each) - 1) for each in orders), len(orders))


def _split(n: int, k: int, m: int) -> Fraction:
    return Fraction(comb(n, k) ** 2, comb(n * m, k * m))


def _beyond(n: int, m: int, q: int, known: int) -> Fraction:
    """The bound for n users by the moments of up to `known`, all others being at most 2 q."""
    total = sum(
        (_split(n, r, m) * split_and_mix.components_moment(n=r, messages=m, modulus=q) * q for r in range(1, known + 1)), Fraction(0)
    )
    total += 2 * q * sum((Fraction(k, n) * _split(n, k, m) for k in range(1, known + 1)), Fraction(0))
    wide = max(n, 2 * known + 2)
    return total + 2 * q * wide * Fraction(comb(wide, known + 1)) ** (2 - m)


@derived(
    "BEYOND.split-and-mix",
    says="let each of n users split a number modulo q into m shares, uniform with that sum, and let all shares be shuffled. "
    "The view is within sqrt(E[q^(c - 1)] - 1)/2, in total variation, of that of n m uniform numbers with the same sum, c"
    " the number of components of a random m-regular bipartite multigraph on n + n vertices. E[q^(c - 1)] follows from "
    "u_j(k) = C(j, k)^2/C(j m, k m) for j <= n; if E[q^c] <= 2 q for R + 1 users by the bound that uses only numbers up "
    "to R, so it is for all larger numbers. With discrete Laplace noise in the sum, added in parts, the shuffled messages"
    " are (eps, delta)-DP for the delta of that noise and (1 + e^eps) times this distance",
    range="n >= 1, m >= 1, q >= 2; for the bound beyond R users m >= 3",
    governs=[
        "spec.bounds.noise.split_and_mix",
        "impl.ball.bounds.noise.split_and_mix",
        "impl.fast.bounds.noise.split_and_mix",
        "impl.release.shares",
    ],
    grounds=["split-and-mix#shares-that-are-mixed", EXACT, "BEYOND.laplace-sum"],
    mutants={
        "half of the distance": {"part": 2},
        "components counted with q - 1": {"less": 1},
        "the bound without what is not known": {"known": 1},
    },
    missing="more users, messages and larger moduli than enumerated; that noise in the sum and the distance add up, (1 + e^eps) times",
)
def shares_that_are_mixed(budget: Budget, *, part: int = 1, less: int = 0, known: int = 0) -> Verdict:
    """Views against uniform shares for all inputs; chi^2 of zeros, and the mean over all orders, are the recurrence's number."""
    sizes = _SIZES[: budget.pick(quick=6, full=7)]

    def cases() -> Iterator[tuple[int, int, int, tuple[int, ...]]]:
        for n, m, q in sizes:
            for inputs in product(range(q), repeat=n):
                if list(inputs) == sorted(inputs):
                    yield n, m, q, inputs

    def holds(n: int, m: int, q: int, inputs: tuple[int, ...]) -> bool:
        seen = split_and_mix.view(inputs, messages=m, modulus=q)
        uniform = split_and_mix.ideal(sum(inputs), shares=n * m, modulus=q)
        apart = sum((abs(seen[each] - uniform[each]) for each in uniform.support), Fraction(0)) / 2
        at_most = split_and_mix.distance(n=n, messages=m, modulus=q)[1]
        if apart > at_most / part:
            return False
        if any(inputs):
            return True
        moment = split_and_mix.components_moment(n=n, messages=m, modulus=q - less) if q > less + 1 else Fraction(0)
        square = sum((mass**2 / uniform[each] for each, mass in seen.items()), Fraction(0))
        return moment == square == _moment(n, m, q) and min(square - 1, Fraction(4)) <= (2 * at_most) ** 2

    def bounded(n: int, m: int, q: int) -> bool:
        for R in (2, 3):
            if n > R and _beyond(R + 1, m, q, R) <= 1:
                at_most = 0 if known else _beyond(n, m, q, R)
                if split_and_mix.components_moment(n=n, messages=m, modulus=q) - 1 > at_most:
                    return False
        return all(_split(n, k, m) * Fraction(comb(n, k)) ** (m - 2) <= 1 and _split(n + 1, k, m) <= _split(n, k, m) for k in range(1, n))

    found = exhaustive.for_all(cases(), holds=holds)
    if not found.holds:
        return found.verdict(domain="small sizes")
    larger = [(n, m, q) for n in range(2, budget.pick(quick=9, full=12)) for m in (3, 4, 6) for q in (2, 7)]
    return exhaustive.for_all(larger, holds=bounded).verdict(
        domain=f"n, m, q in {sizes}, all inputs; the bound beyond R = 2, 3 for n <= {larger[-1][0]}, m = 3, 4, 6, q = 2, 7",
        note="for all: two orders of the shares put 2 n equations on them, of rank 2 n - c; the rest is Cauchy and Schwarz's inequality",
    )


@derived(
    "BEYOND.split-and-mix-below",
    says="the shuffled shares show the sum of all numbers and their noise modulo q. Where q >= 2 s, between sums that are s apart, the "
    "divergence of order E <= 1/a^s of that, and so of the shares, is at least that of discrete Laplace noise of ratio a and its shift by "
    "s, less (a^(h + 1) + E a^(q - h - s))/(1 + a), h = floor((q - s)/2)",
    range="a in (0, 1), s >= 1, q >= 2 s, 1 <= E <= 1/a^s",
    governs=["spec.bounds.noise.split_and_mix", "accounting.attained_pairs"],
    grounds=["split-and-mix#from-below", EXACT, "BEYOND.laplace-sum"],
    mutants={"a quarter of it": {"part": Fraction(1, 4)}, "a step further on either side": {"further": 1}},
    missing="larger moduli and further ratios than enumerated",
)
def sums_modulo(budget: Budget, *, part: Fraction = Fraction(1), further: int = 0) -> Verdict:
    """The noise modulo q and its shift, exactly, at all orders where either divergence has a corner."""

    def holds(a: Fraction, s: int, q: int) -> bool:
        noise = split_and_mix.noise_modulo(q, alpha=a)
        moved = Distribution({(y + s) % q: mass for y, mass in noise.items()})
        h, whole = (q - s) // 2, laplace_sum.pair(alpha=a, sensitivity=s)
        return all(
            hockey_stick(noise, moved, exp_epsilon=E) + part * a**further * (a ** (h + 1) + E * a ** (q - h - s)) / (1 + a)
            >= hockey_stick(*whole, exp_epsilon=E)
            for E in {a ** (2 * t - s) for t in range(s // 2 + 1)}
        )

    cases = [
        (a, s, q)
        for a in (Fraction(1, 5), Fraction(1, 2), Fraction(9, 10))
        for s in range(1, budget.pick(quick=4, full=6))
        for q in range(2 * s, 2 * s + budget.pick(quick=6, full=12))
    ]
    return exhaustive.for_all(cases, holds=holds).verdict(domain=f"a = 1/5, 1/2, 9/10, s <= {cases[-1][1]}, q <= {cases[-1][2]}")


def _ones(x: int, m: int) -> dict[int, int]:
    """How often so many of m shares modulo 2 that add up to x are 1."""
    return {ones: comb(m, ones) for ones in range(m + 1) if ones % 2 == x}


def _worst_of_bits(n: int, m: int) -> Fraction:
    """The largest total variation between the views of two inputs of one sum modulo 2: the view is how many shares are 1."""
    views = [sum_of([_ones(0, m)] * (n - held) + [_ones(1, m)] * held) for held in range(n + 1)]
    pairs = ((views[a], views[b]) for a in range(n + 1) for b in range(a, n + 1, 2))
    apart = (sum((abs(v.get(y, ZERO) - w.get(y, ZERO)) for y in v.keys() | w.keys()), ZERO) for v, w in pairs)
    return max(apart) / (2 << n * (m - 1))


@recalled(
    "BEYOND.BBGN20-messages",
    where="BBGN20, the number of shares of split and mix",
    says="with n >= 19 users, m >= 3 shares of each and a modulus q, the views of two inputs of one sum are within sqrt(q (e/n)^(m - 2)) "
    "in total variation, so that m = ceil((2 sigma + log2 q)/(log2 n - log2 e) + 2) shares are enough for 2^-sigma",
    range="n >= 19, m >= 3, q >= 2, as recalled",
    governs=["impl.ball.calibration.least_noise"],
    grounds=[EXACT, "BEYOND.split-and-mix"],
    mutants={"the fourth power of the bound": {"power": 4}, "m - 1 in the place of m - 2": {"fewer": 1}, "without q": {"of_modulus": 0}},
)
def recalled_number_of_shares(budget: Budget, *, power: int = 1, fewer: int = 2, of_modulus: int = 1) -> Verdict:
    """The exact distance for bits; otherwise the moment that bounds it, which is below the recalled bound; the two numbers agree."""

    def at_most(n: int, m: int, q: int) -> Fraction:
        """A little below the square of the recalled bound."""
        of_q = Fraction(q) if of_modulus else Fraction(1)
        return (of_q * exp_bounds(Fraction(m - fewer), bits=64)[0] / Fraction(n) ** (m - fewer)) ** power

    def holds(n: int, m: int, q: int) -> bool:
        claimed = at_most(n, m, q)
        if q == 2 and n <= 24 and _worst_of_bits(n, m) ** 2 > claimed:
            return False
        return claimed >= 1 or split_and_mix.components_moment(n=n, messages=m, modulus=q) - 1 <= claimed

    published = split_and_mix.recalled_messages(n=10**4, modulus=2**32, security=Fraction(2**40))
    if published != 12:
        return Verdict.refuted(f"{published} shares in the place of 12", domain="the published example", cases=1)
    users = (19, 20, 24, 60, 40)[: budget.pick(quick=4, full=5)]
    cases = [(n, m, q) for n in users for m in (3, 4, 6, 9) for q in (2, 3, 256, 2**32)]
    found = exhaustive.for_all(cases, holds=holds)
    targets = [
        (n, q, epsilon, delta) for n in (19, 10**4, 10**8) for q in (2, 2**32) for epsilon in ("0", "ln 3") for delta in ("1/4", "1e-9")
    ]
    for n, q, epsilon, delta in targets:
        security = (1 + parse_epsilon(epsilon).exp_bounds(bits=64)[1]) / probability(delta, parameter="delta")
        spec = split_and_mix.recalled_messages(n=n, modulus=q, security=security)
        if calibration.recalled_messages(n=n, modulus=q, epsilon=epsilon, delta=delta) != spec:
            return Verdict.refuted(f"n = {n}, q = {q}", domain="two computations of m", cases=len(targets))
    return found.verdict(
        domain=f"n in {users}, m = 3, 4, 6, 9, q = 2, 3, 2^8, 2^32; the exact distance for q = 2 and n <= 24",
        note="recalled; the published example, 12 shares of 10^4 users for 32 bits and 2^-40, comes out. From about 10^4 users on it "
        "claims fewer shares than our bound shows for large moduli: not contradicted, and not shown",
    )
