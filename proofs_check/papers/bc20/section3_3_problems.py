"""BC20, section 3.3: pointer chasing, multi-party pointer jumping, and Table 2."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product

import sympy

from shuffleproof.impl.ball.numeric.arithmetic import ball, surely_less
from shuffleproof.proofs_check.ledger import BALLS, SYMPY, Budget, Kind, Row, Verdict, erratum, statement, unchecked
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.spec.protocols.pointer_chasing import chased
from shuffleproof.spec.protocols.pointer_jumping import Labelling, labellings, path


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
