"""BC20, section 3.3: pointer chasing, multi-party pointer jumping and Table 2, and with constants what each model takes and needs."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import comb

import sympy
from flint import arb

from shuffleproof.impl.ball.bounds.samples import support_samples
from shuffleproof.impl.ball.calibration.histogram import calibrate
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, surely_less, upper_end
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Coq, Kind, Row, Verdict, derived, erratum, statement, unchecked
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.spec.protocols import support_identification
from shuffleproof.spec.protocols.pointer_chasing import chased
from shuffleproof.spec.protocols.pointer_jumping import Labelling, labellings, path
from shuffleproof.spec.vocabulary.numerals import decimal_text


@statement(
    "BC20.Def3.5",
    says="PC(k, l): from samples of U_{(1, a), (2, b)} name the k-th of a_1, b_(a_1), a_(b_(a_1)), ...; it suffices to identify the "
    "support, which has h = 2 elements",
    range="k, l >= 1, a and b permutations of [l]",
    mutants={"support {a, b}, without the labels 1 and 2": {"labelled": False}},
)
def chasing(budget: Budget, *, labelled: bool = True) -> Verdict:
    """Equal supports give equal answers. labelled: whether the support's elements carry the labels 1 and 2."""
    lengths, steps = range(1, budget.pick(quick=3, full=4) + 1), range(1, 5)

    def cases() -> Iterator[tuple[int, int]]:
        yield from product(lengths, steps)

    def holds(length: int, k: int) -> bool:
        answers: dict[frozenset[object], int] = {}
        for a, b in product(permutations(range(1, length + 1)), repeat=2):
            support: frozenset[object] = frozenset({(1, a), (2, b)}) if labelled else frozenset({a, b})
            answer = chased(a, b, k=k)
            if answers.setdefault(support, answer) != answer:
                return False
            if labelled and len(support) != 2:
                return False
        return True

    return exhaustive.for_all(cases(), holds=holds).verdict(
        domain=f"all pairs of permutations of 1, ..., l for l <= {lengths[-1]}, k <= {steps[-1]}"
    )


@statement(
    "BC20.Def3.6",
    says="MPJ(s, h): from samples of U_{Z_1, ..., Z_h}, Z_i a labelling of level i of the complete s-ary tree by {0, ..., s - 1}, name the "
    "root-leaf path; it suffices to identify the support, which has h elements",
    range="s >= 2, h >= 1",
    mutants={"for s = 1 as well": {"sizes": ((1, 2),)}},
)
def jumping(budget: Budget, *, sizes: Sequence[tuple[int, int]] = ((2, 1), (2, 2), (2, 3), (3, 2), (4, 1))) -> Verdict:
    """Return whether the set of labellings has h elements and determines the path."""
    del budget

    def holds(s: int, h: int) -> bool:
        answers: dict[frozenset[Labelling], tuple[int, ...]] = {}
        for levels in labellings(s=s, h=h):
            support = frozenset(levels)
            if len(support) != h or answers.setdefault(support, path(levels, s=s)) != path(levels, s=s):
                return False
        return True

    return exhaustive.for_all(sizes, holds=holds).verdict(
        domain="all labellings for (s, h) = " + ", ".join(map(str, sizes)),
        note="levels have different numbers of nodes for s >= 2, so the set needs no labels; for s = 1 all levels look alike, and there is "
        "only one path to name",
    )


@statement(
    "BC20.Tab2",
    where="Table 2, shuffled row, and the text after Definitions 3.5 and 3.6",
    kind=Kind.READING,
    says="PC(k, l) takes O((1/eps^2) log(1/delta)) samples in the shuffled model, independent of k and l; MPJ(s, h) takes "
    "O(h log h (1/eps^2) log(1/delta)) for delta < (1/(200 h))^(1/25)",
    range="eps in (0, 1], delta in (0, 1], h >= 1; delta -> 1 is the edge of BC20.Thm3.1.ii-order, h = 1 that of BC20.Clm3.4",
    grounds=[Row("BC20.Clm3.4", corrected=True), "BC20.Def3.5", "BC20.Def3.6", BALLS],
    mutants={"corrected statement without its condition on delta": {"with_condition": False}},
)
def table_2(budget: Budget, *, with_condition: bool = True) -> Verdict:
    """The shuffled PC entry without a condition on delta: C (1/eps^2) log(1/delta) < 1 sample for delta near 1, whatever C is."""
    delta, length = 1 - Fraction(1, 10**9), 2
    none_left = surely_less(ball(10**8) * ball(1 / delta).log(), ball(1))
    edge = (-ball(400).log() / 25).exp()
    inside = surely_less(ball(delta), edge)
    guess = Fraction(1, length)
    against = None if with_condition and not inside else f"delta = 1 - 1e-9, eps = 1, PC(1, {length}): no sample, success at most {guess}"
    return erratum(
        witness=f"delta = 1 - 1e-9, eps = 1: 10^8 (1/eps^2) ln(1/delta) < 1, so no sample is left, and PC(1, {length}) is answered "
        f"correctly with probability at most {guess}; no constant helps, as delta -> 1",
        is_witness=none_left and guess < Fraction(99, 100),
        corrected="with the condition of Claim 3.4 at h = 2, delta < (1/400)^(1/25) = 0.787, and for MPJ h >= 2",
        counterexample=against,
        domain="one witness; the corrected entries by BC20.Clm3.4 as corrected",
        cases=2,
        note="MPJ(s, 1) with s >= 2 needs samples too, where h log h = 0 says none",
    )


@statement(
    "BC20.Tab2-quotient",
    where="Section 3.3, after Table 2",
    says="the central model improves the shuffled bounds of Table 2 by 1/eps, from h log h (1/eps^2) log(1/delta) to h log h (1/eps) "
    "log(1/delta)",
    range="the bounds as printed, h >= 2; they hold as BC20.Clm3.4 is corrected, and as BC20.Tab2-central says",
    grounds=[SYMPY, Row("BC20.Clm3.4", corrected=True), "BC20.Tab2-central"],
    mutants={"by 1/eps^2": {"power": 2}},
)
def table_2_quotient(budget: Budget, *, power: int = 1) -> Verdict:
    e, h, log_h, m = sympy.symbols("e h l m", positive=True)
    domain = "the quotient of the shuffled and the central bound, for all h >= 2, eps, delta"
    if symbolic.are_identical(h * log_h * m / e**2, h * log_h * m / e / e**power):
        return Verdict.proved(domain=domain, cases=1, note="of upper bounds: that either is the least is not claimed")
    return Verdict.refuted(f"eps = 1/2: the quotient is 2, not {2**power}", domain=domain, cases=1)


unchecked(
    "BC20.Tab2-cited",
    where="Table 2, local row, MPJ; section 3.3",
    says="(cited) MPJ(h^4, h) needs Omega(h^3/(eps^2 log h)) samples in the local model, even if users answer in turn",
    range="as cited, h >= 2: at h = 1 the bound divides by log h = 0",
    why="for users who answer in turn it is a theorem of another paper; one round needs far more (BC20.Tab2-local)",
)


_CENTRAL_RATE = 1280  # so many h ln h (1/eps) ln(1/delta) samples are enough


@derived(
    "BC20.Clm3.4-exact",
    where="proof of Claim 3.4: the solver",
    says="P^hist and then the bins estimated at (t + 1)/n or more name H with probability f_h(n)/h^n, f_j(m) = sum over c of C(m, c) s(c) "
    "f_(j-1)(m - c), s(c) = Pr[c + Bin(n, p) > n and >= n p + t + 1], whatever H and the domain are",
    range="1 <= h <= d, n >= 1, p in [0, 1], t >= 0",
    governs=["spec.protocols.support_identification", "spec.protocols.pointer_chasing", "spec.protocols.pointer_jumping"],
    grounds=[EXACT, "BC20.Thm3.1.iii", "histograms#identifying-a-support"],
    mutants={"the bins are filled independently of each other": {"independent": True}},
    missing="samples beyond the enumerated ones",
)
def exact_success(budget: Budget, *, independent: bool = False) -> Verdict:
    """Pr[the answer is H] from all datasets of H^n, against the formula; independent: the counts of the bins taken as independent."""
    shares = map(Fraction, ("1/3", "3/4", "1"))
    largest = budget.pick(quick=3, full=4)

    def holds(h: int, n: int, p: Fraction, t: Fraction) -> bool:
        enumerated = support_identification.answers_distribution(range(1, h + 1), n=n, d=h + 1, p=p, t=t)[frozenset(range(1, h + 1))]
        if independent:
            return enumerated == support_identification.success(h=h, n=n, p=p, t=t, needed=1) ** h
        return enumerated == support_identification.success(h=h, n=n, p=p, t=t)

    cases = [(h, n, p, t) for p in shares for h in (1, 2, 3) for n in range(1, largest + 1) for t in (Fraction(0), Fraction(2))]
    return exhaustive.for_all((c for c in cases if c[0] < 3 or c[1] < 4), holds=holds).verdict(
        domain=f"h <= 3 of h + 1 values, n <= {largest}, p = 1/3, 3/4, 1, t = 0, 2: all datasets, all messages",
        note="a value that nobody holds is never named, so the size of the domain does not enter",
    )


@derived(
    "BC20.Clm3.4-calibrated",
    says="at eps = 1, delta = 1e-6 with the least certified noise, 165 samples identify a support of 2 in a domain of any size, 305 one of "
    "4 and 780 one of 10",
    governs=["impl.ball.bounds.samples.support_samples"],
    grounds=["BC20.Clm3.4-exact", "BC20.Thm3.2-pair", BALLS],
    mutants={"with half of the samples": {"fewer": 2}},
)
def calibrated(budget: Budget, *, fewer: int = 1) -> Verdict:
    """(h, n) at eps = 1, delta = 1e-6: the noise certified there, and the failure by a union bound; fewer: n divided by this."""
    del budget
    against, worst = None, Fraction(0)
    points = [(2, 165), (4, 305), (10, 780)]
    for h, enough in points:
        n = enough // fewer
        found = calibrate(n=n, epsilon="1", delta="1e-6")
        noise = found.value if found.value is not None else Fraction(n, 2)
        lost = support_samples._lost(h, n, noise)
        worst = max(worst, upper_end(lost))
        one = lower_end(lost) / h  # losing a given element, a lower bound on losing any
        if one > Fraction(1, 100):
            against = (
                f"h = {h}, n = {n}, noise {decimal_text(noise, digits=6, direction='up')}: an element is lost with probability above 1/100"
            )
            break
    return Verdict.certified(
        domain="eps = 1, delta = 1e-6, (h, n) = " + ", ".join(map(str, points)),
        cases=len(points),
        slack=f"the probability of losing an element is at most {decimal_text(worst, digits=4, direction='up')}",
        note="the proof of Claim 3.4, with its constants, takes 50,394 samples at h = 2",
        given=worst <= Fraction(1, 100),
        against=against,
    )


def _right(E: Fraction, changed: int, answers: int, delta: Fraction) -> Fraction:
    """Return the answer with the most votes with probability delta, else one by weights e^(votes eps/2): an (eps, delta)-DP solver."""
    weight = E**changed  # E = e^(eps/2)
    return delta * (changed > 0) + (1 - delta) * weight / (weight + answers - 1)


@derived(
    "BC20.Tab2-private",
    where="Table 2, shuffled and central rows",
    says="an (eps, delta)-DP solver, shuffled or central, of PC(k, l) for k = 1, 2 (h = 2, l answers) or MPJ(s, h) (s answers) succeeds "
    "with probability at most E min(1, e^(S eps)/answers + delta (e^(S eps) - 1)/(e^eps - 1)), S ~ Bin(n, 1/h)",
    range="eps > 0, delta in [0, 1), n >= 1",
    governs=["impl.ball.bounds.samples.pointer_samples"],
    grounds=[Coq("group_privacy", states="489efad78a067246"), EXACT, "histograms#identifying-a-support"],
    mutants={"with one changed sample less": {"fewer": 1}},
    missing="samples beyond the enumerated ones; group privacy",
)
def private(budget: Budget, *, fewer: int = 0) -> Verdict:
    """That solver's exact success against the mean of min(1, e^(S eps)/answers + delta_S); fewer: changes left out of S."""
    most = budget.pick(quick=6, full=10)

    def holds(root: Fraction, n: int, h: int, answers: int, delta: Fraction) -> bool:
        success, bound = Fraction(0), Fraction(0)
        for changed in range(n + 1):
            weight = comb(n, changed) * Fraction(1, h) ** changed * (1 - Fraction(1, h)) ** (n - changed)
            grown = root ** (2 * max(0, changed - fewer))
            success += weight * _right(root, changed, answers, delta)
            bound += weight * min(Fraction(1), grown / answers + delta * (grown - 1) / (root**2 - 1))
        return success <= bound

    roots = map(Fraction, ("11/10", "3/2", "3"))
    cases = product(roots, range(1, most + 1), (1, 2, 3), (2, 10, 1000), (Fraction(0), Fraction(1, 100)))
    return exhaustive.for_all(cases, holds=holds).verdict(
        domain=f"all (eps, delta)-DP solvers, by group privacy; one solver exactly, n <= {most}, h <= 3, 2, 10 and 1000 answers",
        note="instances that differ in one element of the support: samples of the others can be kept, so S ~ Bin(n, 1/h) of them change. "
        "From one fixed instance Pr[answer j] <= min(1, e^(S eps) Pr[j] + delta_S), and the mean over the answers j is concave in Pr[j]",
    )


def _loses(h: int, n: int, found: support_samples.Enough, epsilon: Fraction) -> bool:
    """Return whether n samples certainly lose a given element with probability above 1/100."""
    lost = support_samples._below_threshold(h, max(n, 1), int(found.noise), ball(epsilon / 2))
    return surely_less(arb(h) / 100, lost)


@statement(
    "BC20.Tab2-central",
    where="Table 2, central row, and the last paragraph of section 3.3",
    says="in the central model PC and MPJ take O(h log h (1/eps) log(1/delta)) samples: 1280 h ln h (1/eps) ln(1/delta), by the "
    "stability-based histogram",
    range="h >= 2 (PC: h = 2), eps in (0, 1], delta < (1/(200 h))^(1/25)",
    governs=["spec.protocols.central", "impl.ball.bounds.samples.support_samples"],
    grounds=[Row("BC20.Clm3.4.step-coupon", corrected=True), "CSUZZ19.Sec6.2.2.remark-central", BALLS],
    mutants={"with the constant 1": {"rate": 1}},
)
def central(budget: Budget, *, rate: int = _CENTRAL_RATE) -> Verdict:
    """The stability-based histogram: t - 1 = ceil((2/eps) ln(1/delta)), k = t - 1 + ceil((2/eps) ln(200 h)), n = 21 k h ln h.

    With m = ln(1/delta) >= ln(200 h)/25 and eps <= 1: k <= (52/eps) m + 2, and n <= 21 k h ln h + 1.
    """
    sizes = (2, 3, 10) if budget.depth == "quick" else (2, 3, 10, 100, 1000)
    against, worst, points = None, 0.0, 0
    least = ball(400).log() / 25
    general = 21 * (52 + 2 / least) + 1 / (2 * ball(2).log() * least)
    for h, epsilon, small in product(sizes, (Fraction(1), Fraction(1, 4)), (False, True)):
        edge = Fraction(int(upper_end((-ball(200 * h).log() / 25).exp() * 10**6)) - 1, 10**6)
        delta = Fraction(1, 10**6) if small else edge
        order = h * ball(h).log() * ball(1 / delta).log() / ball(epsilon)
        found = support_samples.central(h=h, epsilon=epsilon, delta=delta)
        points += 1
        worst = max(worst, float(upper_end(found.n / order)))
        if against is None and surely_less(rate * order, arb(found.n // 2)) and _loses(h, int(lower_end(rate * order)), found, epsilon):
            shown = decimal_text(delta, digits=6, direction="up")
            against = f"h = {h}, eps = {epsilon}, delta = {shown}: {rate} h ln h (1/eps) ln(1/delta) samples lose an element too often"
    enough = surely_less(general, arb(rate))
    return Verdict.certified(
        domain=f"all h >= 2, eps in (0, 1], delta < (1/(200 h))^(1/25); {points} points by certified sums",
        cases=points + 1,
        slack=f"at the points at most {worst:.3g} h ln h (1/eps) ln(1/delta) samples are certified to be enough",
        note="every element held k times, and no noise below t - k: each but for 1/200. A value that nobody holds is never released. "
        "One of the two texts of the paper has neither this paragraph nor Table 2",
        given=enough,
        against=against,
    )
