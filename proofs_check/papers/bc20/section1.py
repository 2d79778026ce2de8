"""BC20, section 1: the informal theorems, Table 1, and the remarks on other work."""

from fractions import Fraction
from itertools import permutations, product

import sympy
from hypothesis import strategies as st

from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Kind, Row, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.random_randomizers import described, exp_epsilon0s, randomizers
from shuffleproof.proofs_check.papers.bc20.printed_noise import smallest_n
from shuffleproof.proofs_check.papers.bc20.section3_1_accuracy import Setting, failure, noise_masses
from shuffleproof.proofs_check.papers.bc20.section3_3_local import local_need
from shuffleproof.proofs_check.papers.bc20.section4 import simulated
from shuffleproof.spec.distribution import PrivacyProfile, hockey_stick
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.scope import neighbouring_datasets

_RATE = Fraction(205)  # the constant in the error of Theorem 1.1, as the row certifies it
_Randomizer = LocalRandomizer[int, int]


def _edge() -> Setting:
    """delta = 1/n at eps = 1 and, up to rounding, the least n that Theorem 3.1 allows there."""
    n = 730
    assert smallest_n(epsilon=Fraction(1), delta=Fraction(1, n)) <= n
    return Setting(n, Fraction(1), Fraction(1, n), Fraction(1, 100))


@statement(
    "BC20.Thm1.1",
    says="for eps < 1 and delta = o(1/n) some (eps, delta)-DP shuffled protocol reports a histogram with simultaneous error "
    "O(log(1/delta)/(eps^2 n)) with constant probability",
    range="eps in (0, 1), delta <= 1/n, n >= 2",
    governs=["spec.protocols.histogram"],
    grounds=["BC20.Thm3.2-sharper", "BC20.Thm3.2.iii", BALLS, "histograms#simultaneous-error"],
    mutants={"P^hist has that error with the constant 1": {"rate": Fraction(1)}},
    missing="how the cases of n are put together; the constants are certified",
)
def histogram_theorem(budget: Budget, *, rate: Fraction = _RATE) -> Verdict:
    """Error at most rate (1/(eps^2 n)) ln(1/delta) for delta <= 1/n, n >= 2: by P^hist, or by all zeros where its condition on n fails."""
    at = _edge()
    # where n < (100/eps^2) ln(2/delta) the error 1 is at most 100 ln(2/delta)/(eps^2 n) <= 200 ln(1/delta)/(eps^2 n), as delta <= 1/2
    # elsewhere n >= 70, and (50 + 50 sqrt 2) ln(2/delta) with ln(2/delta) <= (1 + ln 2/ln 70) ln(1/delta)
    general = (50 + 50 * ball(2).sqrt()) * (1 + ball(2).log() / ball(70).log())
    enough = general <= ball(rate) and ball(200) <= ball(rate)
    low, _ = failure(at, ones=at.n, alpha=ball(rate) * ball(1 / at.delta).log() / at.n, masses=noise_masses(at.n, at.p()))
    return Verdict.certified(
        domain="eps in (0, 1], delta <= 1/n, n >= 2, all d",
        cases=2,
        slack=f"the constant is {float(rate):g}; the success probability is at least 1 - n delta^25 >= 1 - 2^-24",
        note="a small delta needs no condition of its own: where n < (100/eps^2) ln(2/delta) the histogram of zeros is good enough",
        given=enough,
        against=f"{at}, all users in one bin: the error exceeds alpha with probability {float(low):.4g}" if low > Fraction(1, 2) else None,
    )


@statement(
    "BC20.Sec1.1.remark-smaller-error",
    where="Section 1.1, after Theorem 1.1",
    kind=Kind.READING,
    says="the error O(log(1/delta)/(eps^2 n)) is smaller than O(sqrt(log d log(1/delta))/(eps n)) when log(1/delta) = o(log d)",
    range="any eps < 1: a reading that lets eps depend on n and d; for constant eps the text is right",
    grounds=[SYMPY],
    mutants={"corrected statement with o(eps log d)": {"power": 1}},
)
def smaller_error(budget: Budget, *, power: int = 2) -> Verdict:
    """The square of the quotient of the errors is L/(eps^2 log d), L = log(1/delta); corrected condition: L = o(eps^power log d)."""
    m, L = sympy.symbols("m L", positive=True)

    def family(x: sympy.Rational) -> tuple[sympy.Expr, sympy.Expr]:
        """eps = 1/m, log d = m^x L: the printed condition's quotient, and the errors' quotient squared."""
        log_d = m**x * L
        return L / log_d, L * m**2 / log_d

    condition, errors = family(sympy.Rational(1))
    is_witness = sympy.limit(condition, m, sympy.oo) == 0 and sympy.limit(errors, m, sympy.oo) == sympy.oo
    x = sympy.Rational(power + 2, 2) if power < 2 else sympy.Rational(3)
    corrected_condition, corrected_errors = family(x)[0] * m**power, family(x)[1]
    against = None
    if sympy.limit(corrected_condition, m, sympy.oo) == 0 and sympy.limit(corrected_errors, m, sympy.oo) != 0:
        against = f"eps = 1/m, log d = m^({x}) log(1/delta), m -> oo: the condition holds and the other error is the smaller one"
    e, log_d = sympy.symbols("e g", positive=True)
    general = symbolic.are_identical((L / e**2) ** 2 / (log_d * L / e**2), L / (e**2 * log_d))
    return erratum(
        witness="eps = 1/m, log d = m log(1/delta), m -> oo: log(1/delta)/log d -> 0, and the quotient of the two errors grows like sqrt m",
        is_witness=is_witness and general,
        corrected="the error is smaller when log(1/delta) = o(eps^2 log d); for constant eps that is the printed condition",
        counterexample=against,
        domain="errors O(sqrt(log d log(1/delta))/(eps n)) and O(log(1/delta)/(eps^2 n)), as orders",
        cases=3,
    )


@statement(
    "BC20.Thm1.2",
    says="for a distributional problem the local sample complexity grows with a parameter on which the shuffled one does not depend: "
    "pointer chasing PC(2, l) takes O(1) shuffled and Omega(l) local samples",
    range="pointer chasing PC(2, l); one-round local protocols with delta = 0",
    governs=["spec.protocols.pointer_chasing", "impl.ball.bounds.samples.pointer_samples"],
    grounds=["BC20.Tab2-local", Row("BC20.Clm3.4", corrected=True), "BC20.Clm3.4-calibrated", "BC20.Def3.5", EXACT],
    mutants={"the support grows with l": {"support": 4}, "an independent bit in every entry of b": {"pairs": False}},
)
def separation(budget: Budget, *, support: int = 2, pairs: bool = True) -> Verdict:
    """The shuffled side: pointer chasing has `support` elements for every l, so Claim 3.4 does not see l. The local side: l/2 bits."""
    lengths = range(2, 5)
    sizes = {len({(1, a), (2, b)}) for length in lengths for a, b in product(permutations(range(length)), repeat=2)}
    if sizes != {support}:
        witness = f"the supports have {sorted(sizes)} elements"
        return Verdict.refuted(witness, domain="supports of PC(k, l) for l = 2, 3, 4", cases=3)
    local = local_need(budget, pairs=pairs, with_labels=False)
    if not local.holds:
        return local
    return Verdict.exhausted(
        domain="PC(2, l), l >= 2: the local side for eps-DP users of one round, the shuffled side for eps in (0, 1] and "
        "delta < (1/400)^(1/25); supports for l = 2, 3, 4",
        cases=local.cases + 3,
        slack="at eps = 1, delta = 1e-6: 165 samples are enough in the shuffled model for every l, 2.65 l are needed in the local one "
        "for even l",
        note="without the theorem of the other paper that the text cites, and with a constant: (2/5) l/e^eps and more",
    )


@statement(
    "BC20.Sec1.1.remark-polynomially-more",
    where="Section 1.1, after Theorem 1.2, and section 3.3",
    says="multi-party pointer jumping requires polynomially more samples in the sequentially interactive local than in the shuffled "
    "model: Omega(h^c) times as many for MPJ(h^4, h), with some c > 0",
    range="MPJ(h^4, h)",
    mutants={"for every delta, among them exp(-h^2/log^4 h)": {"log_inverse_delta": "h**2/log(h)**4"}},
    grounds=[],
)
def polynomially_more(budget: Budget, *, log_inverse_delta: str = "10*log(h)") -> Verdict:
    """The quotient of the local lower and the shuffled upper bound for MPJ(h^4, h) as h grows, at a given log(1/delta)."""
    h, e = sympy.symbols("h e", positive=True)
    m = sympy.sympify(log_inverse_delta, locals={"h": h})
    quotient = (h**3 / (e**2 * sympy.log(h))) / (h * sympy.log(h) * m / e**2)
    domain = f"log(1/delta) = {log_inverse_delta}, as orders in h"
    if not sympy.limit(sympy.log(quotient.subs(e, 1)) / sympy.log(h), h, sympy.oo) > 0:  # the exponent of h
        return Verdict.refuted(f"log(1/delta) = {log_inverse_delta}: the quotient of the bounds is below every h^c", domain=domain, cases=1)
    note = (
        "the local bound Omega(h^3/(eps^2 log h)) is a theorem of another paper; given that, the bounds are polynomially apart as long as "
        "log(1/delta) is polynomially below h^2, for delta = 1/poly(h) say: a condition that the text leaves out"
    )
    return Verdict.undecided(note, domain=domain, cases=1)


statement(
    "BC20.Thm1.3",
    says="for every single-message pure-DP shuffled protocol there is a local one with exactly the same privacy and sample complexity",
    governs=["spec.model"],
    grounds=["BC20.Clm4.2", "one-message#pure-privacy-before-and-after-shuffling"],
    mutants={"the local analyzer takes the messages in the users' order": {"permuted": False}},
    missing="that the two distributions agree beyond the drawn protocols",
)(simulated.check)


@statement(
    "BC20.Sec1.2.remark-ln-n",
    says="if a single-message shuffled protocol is (eps, delta)-DP, the local one with its randomizer is (eps + ln n, delta)-DP",
    range="all single-message protocols, n >= 1",
    grounds=[EXACT, "one-message#from-shuffled-to-local-with-ln-n"],
    mutants={"(eps + ln(n/2), delta)": {"factor": Fraction(1, 2)}},
    missing="messages that are not finitely many; for finite sets Coq has CSUZZ19.Thm6.2.finite",
)
def ln_n(budget: Budget, *, factor: Fraction = Fraction(1)) -> Verdict:
    """delta of R at factor n e^eps against the shuffled delta at e^eps."""

    def slack(randomizer: _Randomizer, n: int, order: Fraction) -> Fraction:
        views = {data: shuffled_distribution(randomizer, data) for data in product(randomizer.domain, repeat=n)}
        pairs = neighbouring_datasets(randomizer.domain, n=n)
        shuffled = max(PrivacyProfile(views[x], views[y]).delta(exp_epsilon=order) for x, y in pairs)
        rows = [randomizer.distribution(x) for x in randomizer.domain]
        return shuffled - max(hockey_stick(p, q, exp_epsilon=factor * n * order) for p, q in product(rows, repeat=2))

    drawn = exp_epsilon0s(largest=40).flatmap(lambda T: randomizers(exp_epsilon0=T))
    cases = st.tuples(drawn, st.integers(2, 3), st.sampled_from([Fraction(1), Fraction(5, 4), Fraction(2)]))
    found = sampled.least_slack(cases, slack=slack, budget=budget, quick=60, full=300)
    rare = slack(binary_rr(exp_epsilon0=Fraction(1 << 40)), 2, Fraction(1))  # of which CSUZZ19.Thm6.2.sharp is
    if found.holds and rare < 0:
        witness = f"bits flipped with probability 2^-40, n = 2, eps = 0: R needs {float(-rare):.3g} more at {factor} n"
        return Verdict.refuted(witness, domain="rarely flipped bits", cases=1)
    return found.verdict(
        domain="drawn randomizers on three inputs and messages, n = 2, 3, e^eps = 1, 5/4, 2",
        witness=lambda c: f"R = {described(c[0])}, n = {c[1]}, e^eps = {c[2]}: R needs a larger delta at {factor} n e^eps",
    )


@statement(
    "BC20.Sec1.2.remark-no-pure-amplification",
    where="Section 1.2, after Table 1",
    says="amplification by shuffling has no version with delta = 0: the least eps with which S o R^n is eps-DP is the least with which R "
    "is",
    range="all eps0-DP randomizers of one message",
    governs=["spec.model"],
    grounds=[EXACT, "BC20.Clm4.2", "one-message#pure-privacy-before-and-after-shuffling"],
    mutants={"shuffling halves e^eps - 1 at delta = 0": {"claimed_share": Fraction(1, 2)}},
    missing="randomizers beyond 2RR and 3RR, and more users",
)
def no_pure_amplification(budget: Budget, *, claimed_share: Fraction = Fraction(1)) -> Verdict:
    """At eps slightly below eps0 the shuffled profile of 2RR and 3RR is still positive, for every n."""
    most = budget.pick(quick=5, full=8)

    def holds(T: Fraction, k: int, n: int) -> bool:
        randomizer: _Randomizer = binary_rr(exp_epsilon0=T) if k == 2 else k_rr(k=k, exp_epsilon0=T)
        pair = [shuffled_distribution(randomizer, (x, *(0,) * (n - 1))) for x in (0, 1)]
        order = 1 + (T - 1) * claimed_share
        below = order - Fraction(1, 10**9)
        profile = PrivacyProfile(*pair)
        return profile.delta(exp_epsilon=order) == 0 < profile.delta(exp_epsilon=below)

    return exhaustive.for_all(product(map(Fraction, ("3/2", "2", "9")), (2, 3), range(1, most + 1)), holds=holds).verdict(
        domain=f"2RR and 3RR, e^eps0 = 3/2, 2, 9, n <= {most}, neighbours (0, ..., 0) and (1, 0, ..., 0)"
    )


statement(
    "BC20.Tab1",
    where="Table 1, row of Theorem 3.2",
    says="P^hist: simultaneous error O((1/(eps^2 n)) log(1/delta)) with O(d) messages a user, for e^(-O(n eps^2)) <= delta < 1/n",
    range="eps in (0, 1), constant success probability",
    governs=["spec.protocols.histogram"],
    grounds=["BC20.Thm3.2-sharper", "BC20.Thm3.2.iii", "BC20.Thm3.2.iv", BALLS, "histograms#simultaneous-error"],
    mutants={"with the constant 1": {"rate": Fraction(1)}},
    missing="how the cases of n are put together; the constants are certified",
)(histogram_theorem.check)
