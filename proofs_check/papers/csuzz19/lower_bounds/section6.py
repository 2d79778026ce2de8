"""CSUZZ19, section 6 and 6.1: from one-message shuffled protocols to local ones."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy
from hypothesis import strategies as st

from shuffleproof.impl.ball.bounds.samples import necessary_samples, sufficient_samples
from shuffleproof.impl.ball.numeric.arithmetic import ball, surely_less, upper_end
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Coq, Verdict, derived, for_finite_sets, recalled, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.random_randomizers import described, distributions, randomizers
from shuffleproof.proofs_check.papers.bc20.section4 import simulated
from shuffleproof.proofs_check.papers.csuzz19.appendices.appendix_d_theorem import NUMBERS_CHANGED, NUMBERS_WEAKER, theorem as theorem_d1
from shuffleproof.proofs_check.papers.csuzz19.appendices.appendix_d_without_conditions import FAR_APART
from shuffleproof.spec.bounds.sums import bit_sum
from shuffleproof.spec.distribution import hockey_stick, total_variation
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution
from shuffleproof.spec.protocols import approx_to_pure
from shuffleproof.spec.vocabulary.scope import neighbouring_datasets

_Randomizer = LocalRandomizer[int, int]
_Case = tuple[_Randomizer, int, Fraction]
"""R, n, e^eps."""


def local_delta(R: _Randomizer, order: Fraction) -> Fraction:
    """The least delta for which R is (ln order, delta)-DP."""
    return max(hockey_stick(R.distribution(x), R.distribution(y), exp_epsilon=order) for x, y in product(R.domain, repeat=2))


def shuffled_delta(R: _Randomizer, n: int, order: Fraction) -> Fraction:
    """The least delta for which n shuffled messages of R are (ln order, delta)-DP, over all neighbouring datasets."""
    views = {data: shuffled_distribution(R, data) for data in product(R.domain, repeat=n)}
    return max(hockey_stick(views[x], views[y], exp_epsilon=order) for x, y in neighbouring_datasets(R.domain, n=n))


@st.composite
def _cases(draw: st.DrawFn, *, users: int = 1) -> _Case:
    if draw(st.booleans()):
        R = draw(randomizers(exp_epsilon0=draw(st.sampled_from((Fraction(2), Fraction(5), Fraction(20)))), inputs=2))
    else:
        inputs = draw(st.integers(2, 3))
        R = LocalRandomizer(range(inputs), {x: draw(distributions(outputs=draw(st.integers(2, 3)))) for x in range(inputs)})
    return R, draw(st.integers(users, 3)), draw(st.sampled_from(tuple(map(Fraction, ("1", "6/5", "2", "4")))))


def _rarely_flipped(budget: Budget) -> Iterator[tuple[int, Fraction]]:
    for n in range(2, budget.pick(quick=7, full=14)):
        yield n, Fraction(1, 100 * n * n)


def _flipping_slack(case: tuple[int, Fraction], *, n_minus: Fraction | int) -> Fraction:
    """delta of n shuffled randomized responses at eps = 0 minus that of one at order n - n_minus: (1 - q) - order q."""
    n, q = case
    shuffled, _ = bit_sum.worst_ones(n=n, lam=2 * n * q, exp_epsilon=Fraction(1))
    return shuffled - max(Fraction(0), 1 - q - (n - n_minus) * q)


@recalled(
    "CSUZZ19.Thm6.2",
    says="if n shuffled messages of R are (eps, delta)-DP, R itself is (eps + ln n, delta)-DP",
    range="any R, n >= 1, eps >= 0, delta in [0, 1]",
    governs=["spec.model"],
    grounds=[EXACT, "one-message#from-shuffled-to-local-with-ln-n"],
    mutants={"ln(n - 1) for ln n": {"fewer": 1}},
    missing="messages that are not finitely many; for finite sets Coq has CSUZZ19.Thm6.2.finite",
)
def lemma(budget: Budget, *, fewer: int = 0) -> Verdict:
    """The profile of R at (n - fewer) e^eps against that of the shuffled messages at e^eps; drawn R, and rarely flipped bits."""

    def slack(R: _Randomizer, n: int, E: Fraction) -> Fraction:
        return shuffled_delta(R, n, E) - local_delta(R, (n - fewer) * E)

    drawn = sampled.least_slack(_cases(users=1 + fewer), slack=slack, budget=budget, quick=45, full=500)
    bits = exhaustive.least_slack(_rarely_flipped(budget), slack=lambda c: _flipping_slack(c, n_minus=fewer))
    if drawn.counterexample is not None:
        return drawn.verdict(domain="drawn randomizers", witness=lambda c: f"R = {described(c[0])}, n = {c[1]}, e^eps = {c[2]}")
    p, a, E, n, d = sympy.symbols("p a E n d", positive=True)
    # p = Pr[R(x) in Y], a = Pr[R(x') in Y]. Pr on (x, x', ..., x') of some message in Y >= p, on (x', ..., x') <= n a: p <= E n a + d.
    step = symbolic.are_identical((E * n * a + d) - p, E * (n * a) + (d - p))
    return bits.verdict(
        domain="all R, Y, n, eps, delta: by the event that some message lies in Y, on (x', ..., x') and (x, x', ..., x'); "
        f"{drawn.cases} drawn randomizers, n <= 3, and {bits.cases} randomized responses",
        witness=lambda c: (
            f"randomized response that flips with probability {c[1]}, n = {c[0]}, eps = 0: R has a larger delta at "
            f"ln({c[0]} - {fewer}) than the shuffled messages at 0"
        ),
        slack=f"{float(bits.slack or 0):.2g} (a rarely flipped bit; ln n is the right term: CSUZZ19.Thm6.2.sharp)",
        given=step,
    )


for_finite_sets(
    lemma,
    Coq("one_message_is_local", states="313f467d399c1659"),
    says="Theorem 6.2 for finitely many messages: if the histogram of n messages of R is (eps, delta)-DP, R is (eps + ln n, delta)-DP",
    range="n >= 1, e^eps >= 0 and delta in any ordered field, data of any type, any R with finitely many messages",
)


@derived(
    "CSUZZ19.Thm6.2.sharp",
    says="ln n cannot be lowered: for every n >= 2 and c < n some R is not (ln c, delta)-DP although n shuffled messages are (0, delta)-DP",
    range="n >= 2",
    governs=["spec.bounds.sums.bit_sum"],
    grounds=[EXACT, SYMPY, "CSUZZ19.Clm4.2"],
    mutants={"even for c = n": {"gap": Fraction(0)}},
)
def sharp(budget: Budget, *, gap: Fraction = Fraction(1, 10)) -> Verdict:
    """For n users and order c = n - gap there is a q with a larger local than shuffled delta; gap = 0 would contradict Theorem 6.2."""
    found = exhaustive.least_slack(_rarely_flipped(budget), slack=lambda c: -_flipping_slack(c, n_minus=gap), strict=True)
    q, n = sympy.symbols("q n", positive=True)
    # (1 - q)^(n - 1) <= 1 - (n - 1) q + C(n - 1, 2) q^2, and a mass of at most C(n - 1, 2) q^2 from two flips or more:
    # (1 - 2 q)(1 - (n - 1) q + (n - 1)(n - 2) q^2) = 1 - (n + 1) q + n (n - 1) q^2 - 2 (n - 1)(n - 2) q^3.
    expanded = symbolic.are_identical(
        (1 - 2 * q) * (1 - (n - 1) * q + (n - 1) * (n - 2) * q**2), 1 - (n + 1) * q + n * (n - 1) * q**2 - 2 * (n - 1) * (n - 2) * q**3
    )
    return found.verdict(
        domain="all n >= 2, eps = 0 and every c < n: randomized response with flip probability q < (n - c)/(n (n - 1)); "
        f"exact profiles over all datasets for {found.cases} n with c = n - {gap}",
        witness=lambda c: f"n = {c[0]}, q = {c[1]}: R is (ln({c[0]} - {gap}), delta)-DP with the delta of the shuffled messages",
        note="shuffled, delta = (1 - 2 q) max_y Pr[others give y] <= 1 - (n + 1) q + n (n - 1) q^2; alone, delta at ln c is 1 - (1 + c) q",
        given=expanded,
    )


statement(
    "CSUZZ19.Clm6.3",
    says="if (S, R, A) is (alpha, beta)-accurate, so is the local protocol (R, A o S)",
    governs=["spec.model"],
    grounds=["BC20.Clm4.2", "one-message#pure-privacy-before-and-after-shuffling"],
    mutants={"(R, A) without the shuffle in the analyzer": {"permuted": False}},
    missing="that the two distributions agree beyond the drawn protocols",
)(simulated.check)


recalled(
    "CSUZZ19.Thm6.4",
    says="as Theorem D.1: if (R, A) is (eps, delta)-DP and (alpha, beta)-accurate, eps > 2/3 and delta < (beta/(8 n ln(n/beta))) e^(-6 "
    "eps), another local protocol is (8 eps, 0)-DP and (alpha, 4 beta)-accurate",
    range="eps > 2/3, delta < (beta/(8 n ln(n/beta))) e^(-6 eps)",
    governs=["spec.protocols.approx_to_pure"],
    grounds=["CSUZZ19.ClmD.2", "CSUZZ19.ThmD.1.sharper", BALLS, "CSUZZ19.ClmD.5.sharp", "CSUZZ19.LemD.6.sharp"],
    weaker=NUMBERS_WEAKER,
    mutants=NUMBERS_CHANGED,
)(theorem_d1.check)


def _enough_epsilon(times: Fraction, added: bool) -> Verdict:
    """The bit sum at n users: may times (eps_S + ln n), or eps_S alone unless added, be all that local protocols get for 4 beta?"""
    alpha, epsilon, delta = Fraction(1, 1000), Fraction(1, 2), Fraction(1, 10**46)
    n = sufficient_samples.shuffled_bit_mean(alpha=alpha, epsilon=epsilon, delta=delta, beta=Fraction(1, 40))
    allowed = upper_end(ball(times) * (ball(epsilon) + (ball(n).log() if added else 0)))
    local = necessary_samples.local_mean(alpha=alpha, epsilon=allowed, success=Fraction(9, 10))
    told = f"eps_S = 1/2, delta_S = 1e-46, beta = 1/40, mean of bits up to {alpha}: the bit sum does it with n = {n} users"
    if delta * n**8 < 1 and n < local:
        witness = f"{told}, ({float(allowed):.4g}, 0)-DP local protocols need {local} for 4 beta"
        return Verdict.refuted(witness, domain="one problem", cases=1)
    note = f"{told}, and no bound forbids local protocols with {float(allowed):.4g}"
    return Verdict.certified(domain="one problem that local protocols could not do with eps_S", cases=1, note=note)


@recalled(
    "CSUZZ19.Thm6.1",
    says="a one-message shuffled protocol that is (eps_S, delta_S)-DP, eps_S <= 1, delta_S < n^-8, and (alpha, beta)-accurate has a local "
    "counterpart that is (8 (eps_S + ln n), 0)-DP and (alpha, 4 beta)-accurate",
    range="beta = Omega(1), n larger than some absolute constant",
    grounds=["CSUZZ19.Thm6.2", "CSUZZ19.Thm6.4", BALLS],
    mutants={"(eps_S, 0)-DP": {"times": Fraction(1), "added": False}},
)
def transformation(budget: Budget, *, times: Fraction = Fraction(8), added: bool = True) -> Verdict:
    """delta_S < n^-8 meets Theorem 6.4 at eps = 1 + ln n: 8 e^6 ln(n/beta) <= beta n, from some n on; beta = 1/10."""
    beta = Fraction(1, 10)
    possible = _enough_epsilon(times, added)
    if not possible.holds:
        return possible

    def meets(n: int) -> bool:
        return surely_less(8 * ball(6).exp() * ball(n / beta).log(), ball(beta * n))

    low, high = 3, 4
    while not meets(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if meets(middle) else (middle, high)
    return Verdict.certified(
        domain=f"eps_S <= 1, beta = 1/10; n/ln(n/beta) rises; {possible.domain}",
        cases=2,
        slack=f"n >= {high} is enough by the printed way",
        note="(2 (eps_S + ln n), 0) and (alpha, beta + n delta_S) for every n: CSUZZ19.Thm6.1.sharper",
    )


@derived(
    "CSUZZ19.Thm6.1.sharper",
    says="a one-message shuffled protocol that is (eps, delta)-DP and (alpha, beta)-accurate has a local counterpart that is "
    "(2 (eps + ln n), 0)-DP and (alpha, beta + n delta)-accurate",
    range="eps >= 0, delta in [0, 1], n >= 1, any beta",
    governs=["spec.protocols.approx_to_pure"],
    grounds=["CSUZZ19.Thm6.2", "CSUZZ19.ThmD.1.sharper", EXACT, "one-message#clipping-around-one-distribution"],
    mutants={"a tenth of n delta": {"share": Fraction(1, 10)}, "1.9 (eps + ln n)": {"power": Fraction(19, 10)}},
    missing="randomizers with infinitely many messages; for finite sets Coq has checked it all: CSUZZ19.Thm6.1.sharper.finite",
)
def sharper(budget: Budget, *, power: Fraction = Fraction(2), share: Fraction = Fraction(1)) -> Verdict:
    """Exact: R at order n e^eps has at most the shuffled delta, and is clipped there to within share delta of itself."""
    return _clipped(budget, power, share, "all one-message protocols, by Theorem 6.2 and clipping")


for_finite_sets(
    sharper,
    Coq("local_of_shuffled", states="3c563982049beb85"),
    says="for finitely many messages: where n shuffled messages are (eps, delta)-DP there is a (2 (eps + ln n), 0)-DP local randomizer, "
    "with which every analyzer that shuffles for itself fails with probability beta + n delta at most if it did with beta at most",
    range="n >= 1, e^eps >= 1 and delta >= 0 in any ordered field, any data, finitely many messages, any analyzer, outputs and distance",
)


@derived(
    "CSUZZ19.Thm6.1.finite",
    says="Theorem 6.1 for finitely many messages, n large meaning 3 beta n^7 >= 1: (eps_S, delta_S)-DP with delta_S <= n^-8 and (alpha, "
    "beta) become (8 (eps_S + ln n), 0)-DP and (alpha, 4 beta)",
    range="n >= 1, e^eps_S >= 1 in any ordered field, any data, finitely many messages, any analyzer, outputs and distance",
    governs=["spec.protocols.approx_to_pure"],
    grounds=[Coq("local_of_shuffled_as_printed", states="3882c46a1dafade4")],
    mutants={
        "a tenth of n delta for what is to stay below 3 beta": {"share": Fraction(1, 10)},
        "eps_S + ln n for 8 (eps_S + ln n)": {"power": Fraction(1)},
    },
)
def transformation_finite(budget: Budget, *, power: Fraction = Fraction(8), share: Fraction = Fraction(1)) -> Verdict:
    """The same of the specification's drawn randomizers, clipped; that it holds for all is Coq's verdict."""
    return _clipped(budget, power, share, "all of it by Coq")


def _clipped(budget: Budget, power: Fraction, share: Fraction, domain: str) -> Verdict:
    """Check whether randomizers that are clipped at order n e^eps keep to this power of it, and to this share of delta."""

    def slack(R: _Randomizer, n: int, E: Fraction) -> Fraction:
        clipped = approx_to_pure.clipped_randomizer(R, x0=0, exp_epsilon=n * E)
        ratio = clipped.exp_epsilon0()
        far = max(total_variation(R.distribution(x), clipped.distribution(x)) for x in R.domain)
        within = (n * E) ** power.numerator - ratio**power.denominator if ratio else Fraction(-1)
        return min(within, share * shuffled_delta(R, n, E) - far)

    known, order = FAR_APART
    if slack(known, 1, order) < 0:
        return Verdict.refuted(f"R = {described(known)}, n = 1, e^eps = {order}: ratios are e^(2 eps)", domain=domain, cases=1)
    found = sampled.least_slack(_cases(), slack=slack, budget=budget, quick=30, full=300)
    return found.verdict(
        domain=f"{domain}; {found.cases} drawn randomizers, n <= 3", witness=lambda c: f"R = {described(c[0])}, n = {c[1]}, e^eps = {c[2]}"
    )
