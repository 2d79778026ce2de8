"""What follows from Theorem F3, what it does not cover, and the values that anybody can compute again."""

from dataclasses import replace
from fractions import Fraction

from shuffleproof.proofs_check.ledger import EXACT, Budget, Cited, Status, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled
from shuffleproof.proofs_check.papers.beyond.variation_ratio.mechanisms import (
    Case,
    Pair,
    PairOf,
    general_cases,
    least_margin,
    listed_parameters,
    self_witness,
    shown,
)
from shuffleproof.proofs_check.papers.beyond.variation_ratio.theorem import hidden_d, the_pair
from shuffleproof.spec.bounds.clones.clones import stronger_clones
from shuffleproof.spec.bounds.lower import binary_rr as two_rr
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters
from shuffleproof.spec.distribution import hockey_stick, product, renyi_moment
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.randomizers.k_rr import k_rr


def _twofold(pair: Pair) -> Pair:
    return product(pair[0], pair[0]), product(pair[1], pair[1])


def _composed(case: Case, pair_of: PairOf) -> Fraction:
    """Least margin of the Renyi moments of order 2 and 3, both directions, and of two rounds at every order."""
    pair, mechanism = pair_of(case.n, case.parameters), (case.distribution(0), case.distribution(1))
    margins = [least_margin(_twofold(pair), _twofold(mechanism))]
    for order in (2, 3):
        for i in (0, 1):
            bound, truth = (renyi_moment(laws[i], laws[1 - i], order=order) for laws in (pair, mechanism))
            if bound is not None:
                margins.append(Fraction(-1) if truth is None else bound - truth)
    return min(margins)


@derived(
    "BEYOND.Cor-composition",
    where="corollary on composition",
    says="the pair dominates in Blackwell's order: every f-divergence, all Renyi orders, and k rounds by the k-fold product of the pair",
    range="as in Theorem F3",
    grounds=[EXACT, "BEYOND.ThmF3", Cited("Blackwell's theorem", "known-facts#dominating-pairs-and-their-products")],
    mutants={
        "d hidden": {"pair_of": hidden_d},
        "a quarter of beta, by drawn mechanisms alone": {
            "pair_of": lambda n, parameters: the_pair(n, replace(parameters, beta=parameters.beta / 4)),
            "drawn_only": True,
        },
        "99/100 of beta for three users": {
            "pair_of": lambda n, asked: the_pair(n, replace(asked, beta=asked.beta * (Fraction(99, 100) if n == 3 else 1)))
        },
    },
    missing="Blackwell's theorem, and mechanisms beyond the drawn ones; products of pairs are from Coq",
)
def composition(budget: Budget, *, pair_of: PairOf = the_pair, drawn_only: bool = False) -> Verdict:
    """drawn_only: without the pair's own mechanism, for mutants that drawn ones alone have to reject."""
    own = exhaustive.least_slack(
        [(n, parameters) for parameters in listed_parameters()[1:7] for n in (1, 2, 3)],
        slack=lambda case: least_margin(_twofold(pair_of(*case)), _twofold(self_witness(*case))),
    )
    domain = "two rounds of one mechanism, n <= 3, Renyi orders 2 and 3; random adaptive mechanisms with n <= 2"
    if own.counterexample is not None and not drawn_only:
        witness = f"two rounds of the pair's own mechanism, n = {own.counterexample[0]}, {shown(own.counterexample[1])}"
        return Verdict.refuted(witness, domain=domain, cases=own.cases)
    found = sampled.least_slack(
        general_cases(largest=2, outputs=2), slack=lambda case: _composed(case, pair_of), budget=budget, quick=15, full=80
    )
    note = "domination at all orders both ways is Blackwell's order: every f-divergence, and products of pairs for adaptive composition"
    return found.verdict(domain=domain, witness=str, note=note)


def _users_with_their_own(alphabet: int) -> Fraction:
    """D_2 for T = 4, n = 2: user 1 sends 2RR on {0, 1}, user 2 sends 2RR on {alphabet, alphabet + 1}, whatever the step."""
    rr = binary_rr(exp_epsilon0=Fraction(4))
    laws = {x: rr.distribution(x) for x in (0, 1)} | {2: rr.distribution(0).map(lambda y: y + alphabet)}
    R = LocalRandomizer((0, 1, 2), laws)
    views = [shuffled_distribution(R, (b, 2)) for b in (0, 1)]
    return hockey_stick(views[0], views[1], exp_epsilon=Fraction(2))


@derived(
    "BEYOND.Scope-users",
    where="scope",
    says="randomizers that belong to users are not covered by eps0-DP alone: user 1 with 2RR on {0, 1} and user 2 with 2RR on {2, 3} "
    "exceed the stronger clones pair",
    range="e^eps0 = 4, n = 2, E = 2",
    governs=["spec.vocabulary.methods.clones"],
    mutants={"both users on {0, 1}": {"alphabet": 0}},
)
def scope(budget: Budget, *, alphabet: int = 2) -> Verdict:
    bound = hockey_stick(*stronger_clones.dominating_pair(n=2, exp_epsilon0=Fraction(4)), exp_epsilon=Fraction(2))
    truth = _users_with_their_own(alphabet)
    found = f"e^eps0 = 4, n = 2, E = 2: the shuffled reports have {truth}, the pair {bound}"
    status = Status.CERTIFIED if truth > bound else Status.REFUTED
    return Verdict(status=status, domain="one mechanism, exactly", cases=1, slack=found, witness=found)


def _exact_values() -> list[tuple[str, Fraction, Fraction]]:
    """(what, computed, as listed)."""
    F = Fraction
    rr3 = k_rr(k=3, exp_epsilon0=F(4))

    def true(others: tuple[int, int], E: str) -> Fraction:
        first, second = (shuffled_distribution(rr3, (b, *others)) for b in (0, 1))
        return hockey_stick(first, second, exp_epsilon=F(E))

    def f3(n: int, p: int | None, beta: str, q: str, E: str, pair_of: PairOf = the_pair) -> Fraction:
        parameters = Parameters(None if p is None else F(p), F(beta), F(q))
        return hockey_stick(*pair_of(n, parameters), exp_epsilon=F(E))

    def f2(n: int, T: int, E: str) -> Fraction:
        return hockey_stick(*stronger_clones.dominating_pair(n=n, exp_epsilon0=F(T)), exp_epsilon=F(E))

    values = [
        ("k-RR, (0|1, 0, 0), E = 37/10", true((0, 0), "37/10"), "1/45"),
        ("F3 there", f3(3, 4, "1/2", "4", "37/10"), "361/11520"),
        ("F2 there", f2(3, 4, "37/10"), "24/625"),
        ("the published pair there", f3(3, 4, "1/2", "4", "37/10", hidden_d), "1/720"),
        ("k-RR, (0|1, 2, 2), E = 1", true((2, 2), "1"), "13/36"),
        ("F3 there", f3(3, 4, "1/2", "4", "1"), "13/36"),
        ("F2 there", f2(3, 4, "1"), "51/125"),
        ("k-RR, (0|1, 2, 2), E = 2", true((2, 2), "2"), "41/216"),
        ("F3 there", f3(3, 4, "1/2", "4", "2"), "361/1728"),
        ("F2 there", f2(3, 4, "2"), "32/125"),
        ("F2(1, 4, 2)", f2(1, 4, "2"), "2/5"),
        ("F2(2, 4, 1)", f2(2, 4, "1"), "12/25"),
        ("2RR there", hockey_stick(*two_rr.pair(n=2, exp_epsilon0=F(4)), exp_epsilon=F(1)), "12/25"),
        ("F2(3, 4, 3/2)", f2(3, 4, "3/2"), "8/25"),
        ("F2(3, 4, 1/2)", f2(3, 4, "1/2"), "157/250"),
        ("F2(3, 4, 4)", f2(3, 4, "4"), "0"),
        ("F2(3, 4, 9)", f2(3, 4, "9"), "0"),
        ("F2(3, 1, 1/2)", f2(3, 1, "1/2"), "1/2"),
        ("F2(3, 1, 2)", f2(3, 1, "2"), "0"),
        ("F3(2, 2, 1/4, 3, 3/2)", f3(2, 2, "1/4", "3", "3/2"), "3/32"),
        ("the published pair there", f3(2, 2, "1/4", "3", "3/2", hidden_d), "1/12"),
        ("F3(3, 10, 1/4, 3/2, 4)", f3(3, 10, "1/4", "3/2", "4"), "361/17496"),
        ("the published pair there", f3(3, 10, "1/4", "3/2", "4", hidden_d), "25/4374"),
        ("F3(3, infinite, 1/2, 2, 2)", f3(3, None, "1/2", "2", "2"), "5/32"),
    ]
    return [(name, computed, F(listed)) for name, computed, listed in values]


@derived(
    "BEYOND.Exact-values",
    where="exact cases",
    says="24 divergences of small mechanisms and pairs, as rationals, the published pair's wrong ones among them",
    range="the list",
    governs=["spec.bounds.variation_ratio.optimal_pair", "spec.bounds.clones.clones"],
    mutants={"one of them changed": {"changed": "F2(2, 4, 1)"}},
)
def listed_values(budget: Budget, *, changed: str = "") -> Verdict:
    values = [(name, computed, listed + (name == changed)) for name, computed, listed in _exact_values()]
    wrong = [f"{name}: {computed}, listed as {listed}" for name, computed, listed in values if computed != listed]
    domain = "the list: k-RR with k = 3, e^eps0 = 4, n = 3, and small pairs"
    status = Status.REFUTED if wrong else Status.EXHAUSTED
    return Verdict(status=status, domain=domain, cases=len(values), slack="0", witness="; ".join(wrong) or None)
