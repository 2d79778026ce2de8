"""BBGN19: Balle, Bell, Gascon, Nissim, "The Privacy Blanket of the Shuffle Model", from memory; every statement is computed again."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy

from shuffleproof.impl.ball.bounds.k_rr import k_rr_pairs
from shuffleproof.impl.ball.numeric.arithmetic import ball, upper_end
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Verdict, recalled
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed
from shuffleproof.spec.bounds.blanket.one_sum import blanket_loss_types, profile
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, multinomial
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.randomizers.k_rr import k_rr

Randomizer = LocalRandomizer[int, int]
_RECALLED = "recalled from the published paper; the text was not at hand"


def _k_rr(most: int) -> Iterator[tuple[Fraction, Randomizer]]:
    for T in map(Fraction, ("3/2", "4")):
        yield T, binary_rr(exp_epsilon0=T)
        yield from ((T, k_rr(k=k, exp_epsilon0=T)) for k in range(3, most + 1))


def _randomizers(most: int) -> Iterator[tuple[Fraction, Randomizer]]:
    """e^eps0 and a randomizer that is exactly eps0-DP: kRR, and three distributions in small parts."""
    yield from _k_rr(most)
    rows = [(1, 1, 2), (2, 1, 1), (1, 2, 1)], [(1, 2, 3), (2, 2, 2), (3, 2, 1)], [(1, 3, 4), (2, 2, 4), (4, 3, 1)]
    for three in rows:
        laws = [Distribution({y: Fraction(weight, sum(row)) for y, weight in enumerate(row)}) for row in three]
        yield max(p[y] / q[y] for p, q in product(laws, laws) for y in range(3)), LocalRandomizer(range(3), dict(enumerate(laws)))


def _blanket(randomizer: Randomizer) -> dict[int, Fraction]:
    return {y: min(randomizer.distribution(x)[y] for x in randomizer.domain) for y in randomizer.messages}


@recalled(
    "BBGN19.Lem5.1",
    where="Section 5.1, the total mass of the blanket",
    says="an eps0-DP randomizer has gamma = sum over y of the least probability of y at least e^-eps0; kRR has k/(e^eps0 + k - 1)",
    range="eps0 >= 0, all randomizers",
    governs=["spec.bounds.blanket.one_sum"],
    mutants={"kRR: (k - 1)/(e^eps0 + k - 1)": {"fewer": 1}, "e^(-0.99 eps0), which e^eps0 = 2^400 refutes": {"halves": Fraction(99, 50)}},
)
def mass(budget: Budget, *, halves: int | Fraction = 2, fewer: int = 0) -> Verdict:
    """halves: gamma^2 e^(halves eps0) is compared with 1; fewer: values of kRR left out."""
    power = Fraction(halves)

    def is_enough(gamma: Fraction, T: Fraction) -> bool:
        return gamma ** (2 * power.denominator) * T**power.numerator >= 1

    eps0 = sympy.Symbol("eps0", positive=True)
    # min_x R_x >= e^-eps0 R_z for any z, and R_z sums to 1: gamma >= e^-eps0, which has to be e^(-halves eps0/2) at least
    implied = symbolic.is_nonnegative(symbolic.rational(power / 2 - 1) * eps0, at_least={eps0: 0})
    large = Fraction(2**400)
    if not is_enough(2 / (large + 1), large):
        return Verdict.refuted("kRR, k = 2, e^eps0 = 2^400: gamma = 2/(2^400 + 1)", domain="kRR", cases=1)
    most = budget.pick(quick=4, full=6)
    of_k_rr = [(T, len(list(randomizer.domain)), sum(_blanket(randomizer).values())) for T, randomizer in _k_rr(most)]
    wrong = next((f"kRR, k = {k}, e^eps0 = {T}: {gamma}" for T, k, gamma in of_k_rr if gamma != (k - fewer) / (T + k - 1)), None)
    if wrong is not None:
        return Verdict.refuted(wrong, domain="kRR", cases=len(of_k_rr))
    found = exhaustive.for_all(_randomizers(most), holds=lambda case: is_enough(sum(_blanket(case[1]).values(), Fraction(0)), case[0]))
    verdict = found.verdict(
        domain="kRR and three other randomizers, exactly; in general the least distribution is at least e^-eps0 times any one of them",
        witness=lambda case: f"e^eps0 = {case[0]}, {[case[1].distribution(x) for x in case[1].domain]}",
        note=_RECALLED,
    )
    if verdict.holds and not implied:
        return Verdict.undecided("the least distribution gives e^-eps0 and no more", domain="all randomizers", cases=1)
    return verdict


@recalled(
    "BBGN19.Lem5.2",
    where="Section 5.2, the privacy amplification random variable",
    says="L = (R_0 - e^eps R_1)/omega at W ~ omega, omega the blanket: E L = 1 - e^eps; gamma e^-eps0 (1 - e^(eps + 2 eps0)) <= L <= "
    "gamma e^eps0 (1 - e^(eps - 2 eps0)); E L^2 <= gamma e^eps0 (e^(2 eps) + 1) - 2 gamma^2 e^(eps - 2 eps0)",
    range="eps >= 0, eps0-DP randomizers",
    grounds=[SYMPY, EXACT],
    mutants={"eps0 for 2 eps0 on the left": {"left": 1}, "half of the second moment": {"share": Fraction(1, 2)}},
)
def moments(budget: Budget, *, left: int = 2, share: Fraction = Fraction(1)) -> Verdict:
    """left: the multiple of eps0 on the left; share: of the bound on the second moment."""
    u, v, T, E, s = sympy.symbols("u v T E s", positive=True)  # R_0/m, R_1/m in [1, T], m = gamma omega; L = gamma (u - E v)
    lower = u - E * v - (1 - E * T**left) / T
    upper = T * (1 - E / T**2) - (u - E * v)
    ends = (
        symbolic.is_nonnegative(
            lower.subs(v, T).subs(T, 1 + s), at_least={s: 0, E: 1, u: 1}
        ),  # least at v = T; left = 1 leaves it negative
        symbolic.is_nonnegative(upper.subs(u, T).subs(T, 1 + s), at_least={s: 0, E: 1, v: 1}),
    )

    def holds(case: tuple[tuple[Fraction, Randomizer], Fraction]) -> bool:
        (T_, randomizer), E_ = case
        m = _blanket(randomizer)
        gamma = sum(m.values())
        for x, z in product(randomizer.domain, repeat=2):
            values = [(m[y] / gamma, gamma * (randomizer.distribution(x)[y] - E_ * randomizer.distribution(z)[y]) / m[y]) for y in m]
            mean, second = (sum((w * value**power for w, value in values), Fraction(0)) for power in (1, 2))
            if mean != 1 - E_ or second > share * (gamma * T_ * (E_**2 + 1) - 2 * gamma**2 * E_ / T_**2):
                return False
        return True

    found = exhaustive.for_all(product(_randomizers(budget.pick(quick=3, full=5)), map(Fraction, ("1", "3/2", "5"))), holds=holds)
    domain = "the range for all u, v in [1, e^eps0], symbolically; means and second moments exactly for kRR and three other randomizers"
    if not all(ends):
        return Verdict.refuted("u = 1, v = e^eps0: L is below the left end", domain=domain, cases=2)
    return found.verdict(domain=domain, witness=lambda case: f"e^eps0 = {case[0][0]}, e^eps = {case[1]}", note=_RECALLED)


@recalled(
    "BBGN19.Lem5.3",
    where="Section 5.2, the sum over the blanket",
    says="the shuffled reports of neighbours have D <= (1/(gamma n)) E[(L_1 + ... + L_M)_+], M ~ Bin(n, gamma) and L_i independent",
    range="n >= 1, eps >= 0, all randomizers with gamma > 0",
    governs=["spec.bounds.blanket.one_sum"],
    grounds=[EXACT, "BEYOND.any-law-above"],
    mutants={"M ~ Bin(n, 11/10 gamma)": {"more": Fraction(11, 10)}, "n + 1 in the place of n": {"users": 1}},
)
def one_sum(budget: Budget, *, more: Fraction = Fraction(1), users: int = 0) -> Verdict:
    """The sum written out over M and over how often each message is drawn, against all neighbouring datasets; and against spec's."""

    def written_out(randomizer: Randomizer, n: int, x: int, z: int, E: Fraction) -> Fraction:
        m = _blanket(randomizer)
        gamma, ys = sum(m.values()) * more, list(m)
        total = Fraction(0)
        for counts, weight in multinomial(n + users, [*(gamma * m[y] / sum(m.values()) for y in ys), 1 - gamma]).items():
            drawn = zip(counts, ys, strict=False)
            value = sum(
                (number * (randomizer.distribution(x)[y] - E * randomizer.distribution(z)[y]) / m[y] for number, y in drawn), Fraction(0)
            )
            total += weight * max(value, Fraction(0)) / (n + users)
        return total

    def slack(case: tuple[tuple[Fraction, Randomizer], int, Fraction]) -> Fraction:
        (_, randomizer), n, E = case
        if sum(_blanket(randomizer).values()) * more > 1:
            return Fraction(0)
        margins = []
        for x, z in product(randomizer.domain, repeat=2):
            claimed = written_out(randomizer, n, x, z, E)
            for rest in product(randomizer.domain, repeat=n - 1):
                truth = PrivacyProfile(*(shuffled_distribution(randomizer, (first, *rest)) for first in (x, z))).delta(exp_epsilon=E)
                margins.append(max(claimed, written_out(randomizer, n, z, x, E)) - truth)
        by_spec = max(profile(n=n, loss_types=each).delta(exp_epsilon=E) for each in blanket_loss_types(randomizer))
        ours = max(written_out(randomizer, n, x, z, E) for x, z in product(randomizer.domain, repeat=2))
        return min(margins) if ours == by_spec else Fraction(-1)

    cases = product(list(_randomizers(3)), range(1, budget.pick(quick=2, full=3) + 1), map(Fraction, ("1", "5/4")))
    return exhaustive.least_slack(cases, slack=slack).verdict(
        domain="kRR and three other randomizers, n <= 2 (3 in full depth), e^eps = 1, 5/4, all neighbouring datasets",
        witness=lambda case: f"e^eps0 = {case[0][0]}, n = {case[1]}, e^eps = {case[2]}",
        note=f"for all n and distributions: BEYOND.any-law-above. {_RECALLED}; Hoeffding's and Bennett's for kRR: BEYOND.BBGN19-hoeffding, "
        "BEYOND.BBGN19-bennett",
    )


_POINTS = (*((3000, k, e, d) for k in (2, 10) for e in ("1", "9/10") for d in ("1e-6", "1e-10")), (10**5, 10, "1/4", "1e-6"))


@recalled(
    "BBGN19.Thm3.1",
    says="shuffled kRR that sends a uniform value with probability gamma = max(14 k ln(2/delta)/((n - 1) eps^2), 27 k/((n - 1) eps)) is "
    "(eps, delta)-DP",
    range="eps <= 1, delta in (0, 1], gamma < 1",
    governs=["impl.ball.bounds.k_rr.k_rr_pairs"],
    grounds=[BALLS, "BEYOND.k-rr-blanket"],
    mutants={"a seventh of both constants": {"first": Fraction(2), "second": Fraction(27, 7)}},
)
def closed_form(budget: Budget, *, first: Fraction = Fraction(14), second: Fraction = Fraction(27)) -> Verdict:
    def reached() -> Iterator[tuple[str, tuple[Fraction, Fraction]]]:
        for n, k, e, d in _POINTS:
            epsilon, delta = Fraction(e), Fraction(d)
            gamma = upper_end(ball(first) * k * (2 / ball(delta)).log() / ((n - 1) * ball(epsilon) ** 2))
            gamma = max(gamma, second * k / ((n - 1) * epsilon))
            if gamma < 1:
                local = k / gamma - k + 1  # e^eps0
                found = k_rr_pairs.BLANKET.delta(n=n, k=k, epsilon0=f"ln {local}", epsilon=e, digits=2)
                yield f"n = {n}, k = {k}, eps = {e}, delta = {d}", (found.lower / delta, found.upper / delta)

    domain = f"{len(_POINTS)} points, those with gamma < 1; k = 2, 10, n = 3000 and once 10^5"
    return at_most_claimed(reached(), domain=domain, slack="the blanket's sum is at most {} of delta", note=_RECALLED)
