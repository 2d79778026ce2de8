"""The pair published for the variation ratio: refuted where beta is below its largest value, beside the statement that holds.

p, beta and q of named randomizers: what their exact distributions give, beside the closed forms with which the certified engine works.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

import sympy

from shuffleproof.impl.ball.bounds.variation_ratio import optimal_parameters as closed_forms
from shuffleproof.proofs_check.ledger import EXACT, SYMPY, Budget, Kind, Verdict, derived, erratum, recalled
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled, symbolic
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import (
    PairOf,
    general_cases,
    least_margin,
    listed_parameters,
    self_witness,
    shown,
    slack,
)
from shuffleproof.proofs_check.papers.beyond.variation_ratio.theorem import changed_pair, hidden_d, the_pair
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters
from shuffleproof.spec.bounds.variation_ratio.optimal_parameters import of_named
from shuffleproof.spec.distribution import hockey_stick
from shuffleproof.spec.model import shuffled_distribution
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.randomizers.square_wave import SquareWave
from shuffleproof.spec.vocabulary.randomizers import NAMED, named

_WITNESS = Parameters(Fraction(4), Fraction(1, 2), Fraction(4))
_ORDER = Fraction(37, 10)  # e^epsilon of the witness: found by a search, and decided exactly


def all_zeros_event() -> tuple[Fraction, Fraction]:
    """P(S) - E Q(S) for k-RR, k = 3, e^eps0 = 4, on (0, 0, 0) and (1, 0, 0), S = "all are 0", E = 37/10; and the published bound."""
    randomizer = k_rr(k=3, exp_epsilon0=Fraction(4))
    first, second = (shuffled_distribution(randomizer, (x, 0, 0)) for x in (0, 1))
    event = (0, 0, 0)
    return first[event] - _ORDER * second[event], hockey_stick(*hidden_d(3, _WITNESS), exp_epsilon=_ORDER)


@recalled(
    "BEYOND.Published-variation-ratio",
    where="the variation-ratio reduction (Wang et al., VLDB 2024)",
    kind=Kind.READING,
    says="for R_0 <= p R_1, R_1 <= p R_0, TV(R_0, R_1) <= beta and R_0, R_1 <= q R_k the pair (A + D_1, C - A + D_2), "
    "(A + D_2, C - A + D_1) dominates: C ~ Bin(n-1, 2r), A ~ Bin(C, 1/2), (D_1, D_2) = (1, 0), (0, 1), (0, 0) by p alpha, alpha, the rest",
    range="beta <= (p-1)/(p+1)",
    governs=["spec.bounds.variation_ratio.optimal_pair"],
    mutants={
        "the corrected pair with r times 1.01": {"corrected": changed_pair(r_factor=Fraction(101, 100))},
        "the correction left out": {"corrected": hidden_d},
    },
)
def variation_ratio(budget: Budget, *, corrected: PairOf = the_pair) -> Verdict:
    gained, claimed = all_zeros_event()
    own = exhaustive.least_slack(
        [(n, parameters) for n in (1, 2, 3) for parameters in listed_parameters()],
        slack=lambda case: least_margin(corrected(*case), self_witness(*case)),
    )
    random = sampled.least_slack(
        general_cases(largest=3, outputs=2), slack=lambda case: slack(case, corrected), budget=budget, quick=25, full=150
    )
    failing = None
    if own.counterexample is not None:
        failing = f"n = {own.counterexample[0]}, {shown(own.counterexample[1])}: its own mechanism exceeds it"
    elif random.counterexample is not None:
        failing = str(random.counterexample)
    largest_beta = [
        (n, Parameters(p, Fraction(1), q)) for n in (1, 2, 3, 4) for p in (Fraction(3, 2), Fraction(4)) for q in (p, p + 2, Fraction(2))
    ]
    same = exhaustive.for_all(
        largest_beta,
        holds=lambda case: all(
            hockey_stick(*hidden_d(*case), exp_epsilon=E) == hockey_stick(*the_pair(*case), exp_epsilon=E)
            for E in (Fraction(1), Fraction(6, 5), Fraction(3))
        ),
    )
    return erratum(
        witness=f"k-RR, k = 3, e^eps0 = 4, on (0, 0, 0) and (1, 0, 0), E = 37/10: `all reports are 0` alone gives {gained}, "
        f"the published pair with p = q = 4, beta = 1/2 gives {claimed}",
        is_witness=gained > claimed,
        corrected="observe the count d of reports that leave both inputs as likely too: V(n, p, beta, q) of BEYOND.ThmF3; where "
        "beta = (p-1)/(p+1) there is no d and the two agree",
        counterexample=failing if same.holds else f"{same.counterexample}: the pairs differ at the largest beta",
        domain="the printed pair at its witness; the corrected one on a list, against its own mechanism and random adaptive ones",
        cases=own.cases + random.cases + same.cases + 1,
        note="the pair is recalled from the published paper (Wang et al., VLDB 2024) and from code that follows it; the published text was "
        "not at hand",
    )


Triple = tuple[Fraction, Fraction, Fraction]
_CLOSE = Fraction(1, 10**25)  # beta is asked for with 30 digits


def _cases(most: int) -> Iterator[tuple[str, Mapping[str, int | Fraction]]]:
    yield from (("krr", {"k": k}) for k in range(2, most + 3))
    yield from ((name, {}) for name, record in NAMED.items() if not record.needs() and record is not SquareWave)
    yield from (("subset", {"k": k, "d": d}) for k in range(2, most + 1) for d in range(1, k))
    yield from (("hadamard", {"k": k}) for k in range(2, 2 * most + 1))
    yield from (("hadamard", {"k": k, "blocks": blocks}) for k in range(2, most + 2) for blocks in (1, 2, 4))
    yield from (("hash", {"buckets": buckets}) for buckets in (2, 3, 5))
    yield from (("square-wave", {"radius": Fraction(1, 2 * j)}) for j in range(1, most))
    yield from (("unary", {"p_other": Fraction(j, most)}) for j in range(1, most))


def _symbolic(*, factor: int = 1) -> bool:
    """For all sizes: the messages that prefer one of two inputs only, in closed form; subsets in units of C(k - 2, d - 1)."""
    T, k, d, y = sympy.symbols("T k d y", positive=True)
    total = T + k - 1
    k_rr = symbolic.are_identical(T / total - 1 / total, factor * (T - 1) / total)
    only_one, holding, without = 1, (k - 1) / (k - d), (k - 1) / d  # C(k-2,d-1), C(k-1,d-1), C(k-1,d)
    subset = symbolic.are_identical(
        only_one * (T - 1) / (T * holding + without), factor * (T - 1) * d * (k - d) / (T * d * (k - 1) + (k - 1) * (k - d))
    )
    laplace = symbolic.are_identical((1 - y / 2) - y / 2, factor * (1 - y))  # y = e^(-eps0/2): F(1/2) - F(-1/2)
    return k_rr and subset and laplace


def _smaller_parameter(which: str) -> Callable[[str, Triple], Triple]:
    return lambda name, triple: (triple[0], triple[1] * Fraction(99, 100), triple[2]) if name == which else triple


@derived(
    "BEYOND.Parameters",
    where="parameters of known randomizers",
    says="(p, beta, q) = (T, (T-1) c/(T a + b), T): kRR 1, 1, k-1; local hashing 1, 1, l-1; d-subsets d(k-d), d(k-1), (k-1)(k-d); "
    "asymmetric RAPPOR 1, 2, 2; square wave of radius b 2 b, 2 b, 1; unary encoding has beta = p - q; "
    "Hadamard response in B > 1 blocks of b rows b/2, b/2, Bb - b/2, half that c for B = 1; RAPPOR (r-1)/(r+1) "
    "and Laplace noise and the piecewise mechanism 1 - 1/r, r = e^(eps0/2)",
    range="T = e^eps0 >= 1, two items or more",
    governs=[
        "spec.bounds.variation_ratio.optimal_parameters",
        "impl.ball.bounds.variation_ratio.optimal_parameters",
        "spec.vocabulary.randomizers",
    ],
    grounds=[EXACT, SYMPY],
    mutants={
        **{f"{name}: beta times 0.99": {"change": _smaller_parameter(name)} for name in NAMED},
        "q times 0.99": {"change": lambda name, triple: (triple[0], triple[1], triple[2] * Fraction(99, 100))},
        "twice the symbolic total variation": {"factor": 2},
    },
)
def parameters(budget: Budget, *, change: Callable[[str, Triple], Triple] = lambda name, triple: triple, factor: int = 1) -> Verdict:
    most, decided = budget.pick(quick=4, full=7), 0
    domain = f"e^eps0 in {{1, 9/4, 4, 25}}, up to {most + 2} items; kRR, subsets and Laplace noise for all sizes symbolically"
    for T in (1, Fraction(9, 4), 4, 25):
        for name, own in _cases(most):
            decided += 1
            truth = of_named(randomizer=named(name, **own), epsilon0=f"ln {T}")
            p, beta, q = change(name, closed_forms.parameters(randomizer=named(name, **own), epsilon0=f"ln {T}"))
            if not (p == q == truth.p == truth.q == T and truth.beta <= beta <= truth.beta * (1 + _CLOSE)):
                witness = f"{name}, {own}, e^eps0 = {T}: the distribution gives beta = {truth.beta}, the closed form {float(beta):.6g}"
                return Verdict.refuted(witness, domain=domain, cases=decided)
    return Verdict.exhausted(
        domain=domain,
        cases=decided + 3,
        slack="0: equality",
        note="RAPPOR's other bits have one distribution under both inputs. Local hashing: no collisions, which only bring distributions "
        "nearer",
        against=None if _symbolic(factor=factor) else "kRR: T r - r",
    )
