"""FMT21, appendix A: Lemma A.1 as stated, by a route of its own, and the least constants it could have.

The printed proof needs more than the lemma's hypothesis (its steps are checked in `appendix_a_proof`); the proof here is the one of
`likelihood_tail`, which also says exactly how far the constants 16 and 8 can be lowered.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import log

from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, surely_less
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Status, Verdict, conjunction, derived, statement
from shuffleproof.proofs_check.ledger.methods import symbolic
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed
from shuffleproof.proofs_check.papers.fmt21.appendices import likelihood_tail as tail
from shuffleproof.proofs_check.papers.fmt21.appendices.block_sums import clones_delta
from shuffleproof.proofs_check.papers.fmt21.appendices.likelihood_tail import Claim, find_violation

PRINTED = Claim(factor=Fraction(8), condition=Fraction(16), inside=4, offset=8)
"""e^eps = 1 + sqrt(64 ln(4/delta))/sqrt(p n) + 8/(p n) for p >= 16 ln(2/delta)/n."""
LEAST = (
    Claim(factor=Fraction(441, 100), condition=Fraction(16)),
    Claim(factor=Fraction(577, 100), condition=Fraction(8)),
    Claim(factor=Fraction(797, 100), condition=Fraction(503, 100)),
)
"""e^eps = 1 + c sqrt(ln(2/delta)/(p n)) for p n >= K ln(2/delta): the least c to three digits for each K."""
_MOST_USERS = 1000  # above it exact sums over C take minutes; with 16 in the condition no corner has so many
_LARGEST_FULL = 10  # e^eps0 up to which all of C is summed; beyond it a part of it shows an excess


def _worst_tail_share(claim: Claim, *, users: Sequence[int]) -> tuple[int, float]:
    """How many small cases inside the hypothesis were enumerated, and the largest share of delta that the tail takes up there."""
    cases, worst = 0, 0.0
    for n, p, delta in product(users, (Fraction(1), Fraction(3, 4), Fraction(2, 5)), (Fraction(1), Fraction(1, 2), Fraction(1, 10))):
        level = ball(delta)
        if not claim.condition_holds(n=n, p=p, delta=level):
            continue
        probability = tail.two_sided_tail(n=n, p=p, exp_epsilon=claim.exp_epsilon(n=n, p=p, delta=level))
        cases, worst = cases + 1, max(worst, float(probability / delta))
    return cases, worst


def _described(claim: Claim) -> str:
    beyond = f" + {claim.offset}/(pn)" if claim.offset else ""
    value = f"e^eps = 1 + {float(claim.factor):g} sqrt(ln({claim.inside}/delta)/(pn)){beyond}"
    return f"{value} for pn >= {float(claim.condition):g} ln(2/delta)"


def _covered(claim: Claim, one_sided: bool) -> bool:
    """Return whether the tail at ln(2/delta) carries the claim's inside and offset, both tails together or, for a divergence, one alone.

    One tail is at most delta/2 at ln(2/delta), so delta at ln(1/delta); and 1/(p n) less in e^eps makes it e^(1/(4e)) times as large, as
    phi falls at a rate of ln(r)/(1 + r)^2 <= ln(r)/(4 r) <= 1/(4e) at most.
    """
    if not one_sided:
        return symbolic.holds(claim.inside >= 2) and symbolic.holds(claim.offset >= 0)
    spare = ball(min(2, max(1, claim.inside))).log()
    lost = ball(-claim.offset) / (4 * ball(1).exp())
    enough = claim.offset >= 0 or not surely_less(spare, lost)
    return symbolic.holds(claim.inside >= 1) and symbolic.holds(enough)


def _tail_verdict(claim: Claim, *, users: Sequence[int], one_sided: bool = False) -> Verdict:
    domain = f"all n, p in [0, 1], delta in (0, 1]: {_described(claim)}"
    near = tail.rate_near_zero(claim.factor)
    far = tail.rate_on_interval(claim.factor, top=tail.root_above(claim.condition))
    cases = 1 + far.boxes
    covered = _covered(claim, one_sided)
    if not (near and far.holds):
        witness = find_violation(claim)
        if witness:
            return Verdict.refuted(witness, domain=domain, cases=cases)
        place = f" (s = {float(far.point[0]):.4f})" if far.point else ""
        return Verdict.undecided(f"the exponential bound does not reach delta{place}", domain=domain, cases=cases)
    if not covered:
        return Verdict.undecided("the tails of the proof do not cover this inside and offset", domain=domain, cases=cases)
    checked, share = _worst_tail_share(claim, users=users) if not one_sided else (0, 0.0)
    return Verdict.proved(
        domain=domain + "; under P, and under Q by exchanging the coordinates",
        cases=cases + checked,
        slack=f"1 - phi(1 + {float(claim.factor):g} s) - s^2 >= {far.slack} for s = sqrt(ln(2/delta)/(pn)) away from 0; "
        f"in {checked} enumerated cases the tail is at most {share:.3f} delta",
        against=f"the enumerated tail takes up {share:.3f} delta" if share > 1 else None,
    )


@derived(
    "FMT21.LemA.1.step-exponential",
    where="Appendix A, in place of the printed proof of Lemma A.1",
    says="E of e^(lambda (counts of A)) e^(-lambda r (counts of C - A)) over one of the n - 1 others is 1 - p (1 - m), at least m, "
    "m = (e^lambda + e^(-lambda r))/2; at e^lambda(1 + r) = r, m = phi(r), whose logarithm falls at the rate ln(r)/(1 + r)^2",
    range="p in [0, 1], r >= 1",
    grounds=[SYMPY],
    mutants={
        "e^lambda(1 + r) = r^2": {"minimiser_power": 2},
        "two such others": {"others": 2},
        "the rate ln(r)/(1 + r)": {"slope_power": 1},
    },
)
def exponential_bound(budget: Budget, *, minimiser_power: int = 1, others: int = 1, slope_power: int = 2) -> Verdict:
    steps = tail.chernoff_identities(minimiser_power=minimiser_power, others=others, slope_power=slope_power)
    domain = "all p, r, lambda, as rational functions"
    if not all(steps):
        return Verdict.refuted(f"line {steps.index(False) + 1} is no identity", domain=domain, cases=len(steps))
    return Verdict.proved(domain=domain, cases=len(steps), slack="0: identities")


@statement(
    "FMT21.LemA.1",
    says="for p >= 16 ln(2/delta)/n and eps = ln(1 + sqrt(64 ln(4/delta))/sqrt(pn) + 8/(pn)) the log-ratio of P = (A+1, C-A) "
    "to Q = (A, C-A+1) is in [-eps, eps] with probability >= 1 - delta under P and under Q; so P, Q are (eps, delta)-indistinguishable",
    range="n in N, p in [0, 1], delta in (0, 1], p >= 16 ln(2/delta)/n",
    governs=["spec.bounds.clones.clones_closed_form", "impl.ball.bounds.clones.clones"],
    grounds=[SYMPY, BALLS, "FMT21.LemA.1.step-exponential", "BEYOND.Markov", "BEYOND.exponential-bounds"],
    weaker={"claim.factor": "larger", "claim.condition": "larger", "claim.inside": "larger", "claim.offset": "larger"},
    mutants={
        "sqrt(64 ln(4/delta)) becomes sqrt(16 ln(4/delta))": {
            "claim": Claim(factor=Fraction(4), condition=Fraction(16), inside=4, offset=8),
            "users": (12,),
        },
        "the condition becomes p >= 4 ln(2/delta)/n": {
            "claim": Claim(factor=Fraction(8), condition=Fraction(4), inside=4, offset=8),
            "users": (12,),
        },
    },
)
def lemma_a1(budget: Budget, *, claim: Claim = PRINTED, users: Sequence[int] = ()) -> Verdict:
    found = _tail_verdict(claim, users=users or ((12, 16, 23, 40) if budget.depth == "quick" else (12, 13, 16, 23, 40, 64, 120)))
    note = (
        "symbolic: the exponential bound, the slope of phi, s near 0; interval: all other s. The printed proof needs pn >= 16 ln(4/delta); "
        "code that asks for that refuses what is right"
    )
    return conjunction([found], note=note)


@derived(
    "FMT21.LemA.1-constants",
    says="Lemma A.1 holds with eps = ln(1 + c sqrt(ln(2/delta)/(pn))) for pn >= K ln(2/delta) and (K, c) = (16, 4.41), (8, 5.77), "
    "(5.03, 7.97); with c smaller by 0.01 it fails in each case",
    range="n in N, p in [0, 1], delta in (0, 1], pn >= K ln(2/delta)",
    grounds=[SYMPY, BALLS, "FMT21.LemA.1.step-exponential", "BEYOND.Markov", "BEYOND.exponential-bounds"],
    weaker={"step": "larger"},
    mutants={
        "(K, c) = (16, 4.40)": {"claims": [Claim(factor=Fraction(440, 100), condition=Fraction(16))]},
        "(K, c) = (16, 4.50) is least": {"claims": [Claim(factor=Fraction(450, 100), condition=Fraction(16))]},
    },
)
def least_constants(
    budget: Budget, *, claims: Sequence[Claim] = LEAST, step: Fraction = Fraction(1, 100), users: Sequence[int] = (12, 23)
) -> Verdict:
    """Each claim holds, and fails with its factor lowered by one step."""
    parts = []
    for claim in claims:
        found = _tail_verdict(claim, users=users)
        parts.append(found)
        if not found.holds:
            continue
        lowered = Claim(factor=claim.factor - step, condition=claim.condition, inside=claim.inside, offset=claim.offset)
        domain = f"{float(lowered.factor):g} is too small for K = {float(claim.condition):g}"
        witness = find_violation(lowered)
        if witness:
            parts.append(Verdict.proved(domain=domain, cases=1, note=witness))
        elif _tail_verdict(lowered, users=users).holds:
            parts.append(Verdict(status=Status.REFUTED, domain=domain, cases=1, witness=f"{_described(lowered)} is proved"))
        else:
            parts.append(Verdict(status=Status.OPEN, domain=domain, cases=1, note="no violation found"))
    return conjunction(parts)


def _no_finite_ratio(condition: Fraction) -> str | None:
    """A point inside pn >= condition ln(2/delta) where P has more mass than delta off the support of Q, or None.

    Pr(C - A = 0) under P is (1 - p/2)^(n - 1), and Q never has second coordinate 0.
    """
    p, delta = Fraction(1, 10_000), Fraction(1, 10**200)
    n = int(float(condition) * (log(2) + 200 * log(10)) * 10_000) + 1
    holds = Claim(factor=Fraction(0), condition=condition).condition_holds(n=n, p=p, delta=ball(delta))
    log_excess = (n - 1) * (1 - ball(p) / 2).log() - ball(delta).log()
    if not holds or not log_excess > 0:
        return None
    excess = float(lower_end(log_excess))
    return f"n = {n}, p = {p}, delta = 1e-200: Pr(P = (a, 0)) exceeds delta by a factor of e^{excess:.4g}, and Q = (a, 0) never occurs"


@derived(
    "FMT21.LemA.1-limits",
    says="in eps = ln(1 + c sqrt(ln(2/delta)/(pn))) for pn >= K ln(2/delta), no K < 2 works with any c, and no c < 2 sqrt 2 with any K",
    range="all K, c",
    grounds=[SYMPY, BALLS, "FMT21.LemA.1.step-exponential", "BEYOND.Markov", "BEYOND.exponential-bounds"],
    mutants={"no K < 3 works": {"k": Fraction(3)}, "no c <= 3.4 works": {"c": Fraction(34, 10)}},
)
def limits(budget: Budget, *, k: Fraction = Fraction(2), c: Fraction = Fraction(5, 2)) -> Verdict:
    """No condition constant up to k and no factor up to c can work; checked just below each."""
    domain = f"pn >= K ln(2/delta) with K = {float(k):g} - 0.01 and every c; c = {float(c):g} with K = 40, 400, 10000"
    without_ratio = _no_finite_ratio(k - Fraction(1, 100))
    if without_ratio is None:
        for factor in (19, 10**4):
            sufficient = Claim(factor=Fraction(factor), condition=k - Fraction(1, 100))
            if _tail_verdict(sufficient, users=(12,)).holds:
                return Verdict.refuted(f"{_described(sufficient)} is proved", domain=domain, cases=1)
        return Verdict.undecided("no violation found", domain=domain, cases=1)
    found = []
    for condition in (40, 400, 10_000):
        claim = Claim(factor=c, condition=Fraction(condition))
        witness = find_violation(claim)
        if witness is None:
            proved = _tail_verdict(claim, users=(12,)).holds
            note = f"{_described(claim)}: no violation found"
            if proved:
                return Verdict.refuted(f"{_described(claim)} is proved", domain=domain, cases=2)
            return Verdict.undecided(note, domain=domain, cases=2)
        found.append(witness)
    note = (
        f"{without_ratio}; {'; '.join(found)}. In general 1 - phi(r) < 1/2 for all r and 1 - phi(1 + t) < t^2/8 near 0, and by "
        "Cramer's theorem the exponential bound is exact in the limit p -> 0, pn -> oo: K <= 2 and c <= 2 sqrt 2 never work"
    )
    return Verdict.certified(domain=domain, cases=1 + len(found), note=note)


_CORNERS = tuple(product((Fraction(5, 4), Fraction(2), Fraction(5)), (Fraction(1), Fraction(1, 4), Fraction(1, 100))))


@derived(
    "FMT21.Thm3.1-constants",
    where="Appendix A",
    says="for eps0 <= ln(n/(16 ln(2/delta))), A_s is (eps, q delta)-DP with q = (e^eps0 - 1)/(e^eps0 + 1) and "
    "eps = ln(1 + 4.41 q sqrt(e^eps0 ln(2/delta)/n)): Theorem 3.1 with 4.41 for 8, ln(2/delta) for ln(4/delta) and no second term",
    range="n in N, delta in (0, 1], 0 < eps0 <= ln(n/(16 ln(2/delta)))",
    grounds=[
        SYMPY,
        BALLS,
        "BEYOND.Markov",
        "BEYOND.exponential-bounds",
        "FMT21.Thm3.2",
        "FMT21.Lem2.3",
        "FMT21.Lem3.5.step-mixture",
        "FMT21.Lem3.5.step-convexity",
        EXACT,
    ],
    weaker={"claim.factor": "larger", "claim.condition": "larger", "claim.inside": "larger", "claim.offset": "larger"},
    mutants={"p delta, p = e^-eps0, in place of q delta": {"corners": [(Fraction(500), Fraction(1))], "share": "p delta"}},
)
def improved_closed_form(
    budget: Budget, *, claim: Claim = LEAST[0], corners: Sequence[tuple[Fraction, Fraction]] = _CORNERS, share: str = "q delta"
) -> Verdict:
    """Exact profiles of the clones pair against the improved closed form, n just inside its condition for each (e^eps0, delta)."""
    tail = _tail_verdict(claim, users=(), one_sided=True)
    if not tail.holds:
        return tail

    def reached() -> Iterator[tuple[str, Fraction]]:
        for T, delta in corners:
            q = (T - 1) / (T + 1)
            n = int(float(lower_end(ball(claim.condition * T) * (2 / ball(delta)).log()))) + 1
            E = max(Fraction(1), lower_end(1 + ball(q) * (claim.exp_epsilon(n=n, p=1 / T, delta=ball(delta)) - 1)))
            if n > _MOST_USERS and T <= _LARGEST_FULL:
                continue
            if T > _LARGEST_FULL:  # summing over part of C shows an excess, never its absence
                value = clones_delta(n=n, T=T, E=E + Fraction(1, 10**12), up_to=60)
            else:
                value = clones_delta(n=n, T=T, E=E)
            yield f"n = {n}, e^eps0 = {T}, delta = {delta}", value / (q * delta if share == "q delta" else delta / T)

    points = at_most_claimed(
        reached(),
        domain=f"eps0 <= ln(n/({float(claim.condition):g} ln(2/delta)))",
        slack=f"exact D is at most {{}} of {share} at points of the clones pair",
        holds=Status.PROVED,
    )
    return conjunction([tail, points])
