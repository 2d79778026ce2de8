"""The instances that the repository states: small n exactly, as the specification has them, and large n by a window."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from shuffleproof.proofs_check.formal import arrival, kary
from shuffleproof.proofs_check.formal.coins import coin_examples
from shuffleproof.proofs_check.formal.instance import instance, module
from shuffleproof.proofs_check.formal.pair_sum import pair_delta
from shuffleproof.proofs_check.formal.parts import part_examples
from shuffleproof.proofs_check.formal.seen import SLIGHTLY_LESS, Table, composition, listed, randomizer, ratio, row, seen_examples
from shuffleproof.proofs_check.formal.sources import HEAD
from shuffleproof.proofs_check.formal.statements import pinned
from shuffleproof.proofs_check.formal.theorems import PINS
from shuffleproof.spec.bounds.k_rr import k_rr_blanket
from shuffleproof.spec.bounds.variation_ratio import optimal_pair
from shuffleproof.spec.distribution import hockey_stick
from shuffleproof.spec.model import adaptive_shuffled_distribution, shuffled_distribution
from shuffleproof.spec.vocabulary.errors import UnsupportedError

INSTANCES: Mapping[str, tuple[str, Mapping[str, Mapping[str, Any]]]] = {
    "ExactInstances": (
        "The privacy of few shuffled users, with the clones pair's delta itself.",
        {
            "shuffled_1_user": {"n": 1, "epsilon0": "ln 4", "epsilon": "ln 2", "exact": True},
            "shuffled_2_users": {"n": 2, "epsilon0": "ln 4", "epsilon": 0, "exact": True},
            "shuffled_10_users": {"n": 10, "epsilon0": "ln 3", "epsilon": "ln 3/2", "exact": True},
            "shuffled_100_users": {"n": 100, "epsilon0": "ln 3", "epsilon": "ln 3/2", "exact": True},
        },
    ),
    "WindowInstances": (
        "The privacy of many shuffled users, by a window: delta is rounded up.",
        {
            "shuffled_1000_users": {"n": 1000, "epsilon0": "ln 3", "epsilon": "ln 6/5"},
            "shuffled_10000_users_ln_3": {"n": 10**4, "epsilon0": "ln 3", "epsilon": "ln 11/10"},
        },
    ),
    "MillionUsers": (
        "The privacy of a million shuffled users, by a window: delta is rounded up.",
        {"shuffled_1000000_users": {"n": 10**6, "epsilon0": "ln 3", "epsilon": "ln 101/100"}},
    ),
    "IrrationalInstances": (
        "The privacy of many shuffled users where e^epsilon0 and e^epsilon are irrational: by rationals on the safe side.",
        {
            "shuffled_10000_users": {"n": 10**4, "epsilon0": 1, "epsilon": "1/10"},
            "stronger_10000_users": {"n": 10**4, "epsilon0": 1, "epsilon": "1/10", "pair": "stronger-clones"},
        },
    ),
    "StrongerInstances": (
        "The privacy of shuffled users by stronger clones: up to 100 users with the pair's delta itself, else rounded up.",
        {
            "stronger_2_users": {"n": 2, "epsilon0": "ln 4", "epsilon": 0, "exact": True, "pair": "stronger-clones"},
            "stronger_10_users": {"n": 10, "epsilon0": "ln 3", "epsilon": "ln 3/2", "exact": True, "pair": "stronger-clones"},
            "stronger_100_users": {"n": 100, "epsilon0": "ln 3", "epsilon": "ln 3/2", "exact": True, "pair": "stronger-clones"},
            "stronger_1000_users": {"n": 1000, "epsilon0": "ln 3", "epsilon": "ln 6/5", "pair": "stronger-clones"},
            "stronger_10000_users_ln_3": {"n": 10**4, "epsilon0": "ln 3", "epsilon": "ln 11/10", "pair": "stronger-clones"},
        },
    ),
}
"""Modules of numbers of the clones pairs: what each says, and its theorems with the parameters of their instances."""


def instances(name: str) -> str:
    """One of these modules."""
    says, theorems = INSTANCES[name]
    return module({theorem: instance(**asked) for theorem, asked in theorems.items()}, says=says)


def small_examples() -> str:
    """SmallExamples.v."""
    head = """(* Divergences of shuffled adaptive sequences, as the executable specification computes them: Definitions.v says the same.
   The randomizer of a step is the second of two where (number + sum of earlier outputs) is odd.
   Written by `proofs_check/formal/shown.py`. *)
"""
    return (
        head
        + HEAD.format(modules="Definitions Integers SmallCases")
        + "\n".join(_small_example(name, *case) for name, case in SMALL.items())
    )


_TERNARY = [[4, 1, 1], [1, 4, 1], [1, 1, 4]]
_BINARY = [[6, 2], [2, 6]]
_UNEVEN = [[5, 3], [4, 4]]
SMALL = {
    "ternary_response": (_TERNARY, _TERNARY, (0, 0, 0), (1, 0, 0), Fraction(37, 10)),
    "ternary_response_apart": (_TERNARY, _TERNARY, (0, 2, 2), (1, 2, 2), Fraction(2)),
    "binary_response": (_BINARY, _BINARY, (0, 1), (1, 1), Fraction(1)),
    "adaptive": (_BINARY, _UNEVEN, (0, 1, 1), (1, 1, 1), Fraction(3, 2)),
    "adaptive_reversed": (_BINARY, _UNEVEN, (1, 1, 1), (0, 1, 1), Fraction(11, 10)),
    "one_user": (_UNEVEN, _BINARY, (0,), (1,), Fraction(1)),
}
"""The randomizers' probabilities over a common denominator, by input; the two datasets; the order E."""


def _small_example(name: str, even: Table, odd: Table, data: tuple[int, ...], other: tuple[int, ...], order: Fraction) -> str:
    over = sum(even[0])
    steps = [lambda z: randomizer(odd if (len(z) + sum(z)) % 2 else even)] * len(data)
    laws = [adaptive_shuffled_distribution(steps, dataset) for dataset in (data, other)]
    numerator, denominator = hockey_stick(laws[0], laws[1], exp_epsilon=order).as_integer_ratio()
    n, m, k = len(data), len(even), len(even[0])
    e, f = order.as_integer_ratio()
    return f"""Definition {name}_table (z : seq nat) (x s : nat) : Z :=
  nth 0%Z (nth [::] (if odd (size z + sumn z) then {listed(odd)} else {listed(even)})%Z x) s.

Lemma {name}_computed : small_case {name}_table {over} {n} {k} {e} {f} {row(data)} {row(other)} {numerator} {denominator}.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) (randomizers : adaptive_randomizers R 'I_{m} [finType of 'I_{k}]) (w w' : {n}.-tuple 'I_{m}) :
  (forall z x s, randomizers z x s = of_Z R ({name}_table (map (@nat_of_ord {k}) z) x s) / of_Z R {over}) ->
  map (@nat_of_ord {m}) w = {row(data)} -> map (@nat_of_ord {m}) w' = {row(other)} ->
  hockey (of_Z R {e} / of_Z R {f}) (shuffled randomizers w) (shuffled randomizers w') = of_Z R {numerator} / of_Z R {denominator}.
Proof. by move=> tabulated w_is w'_is; apply: small_case_sound tabulated; rewrite w_is w'_is; apply: {name}_computed. Qed.
"""


def pair_examples() -> str:
    """PairExamples.v."""
    head = """(* Divergences of the optimal pair and of the blanket's pair of k-ary randomized response, as the executable specification
   computes them: PairDefinitions.v and ThreeParts.v say the same.  (p = infinity is p_inv = 0)
   Written by `proofs_check/formal/shown.py`. *)
"""
    head += HEAD.format(
        modules="Definitions PairDefinitions PairCounts ThreeParts Integers OptimalPairNumbers OptimalPairExact KaryNumbers"
    )
    optimal = [_optimal_pair_example(name, *case) for name, case in OPTIMAL.items()]
    return head + "\n".join([*optimal, *(_blanket_example(name, *case) for name, case in BLANKET.items())])


OPTIMAL = {
    "optimal_pair": (3, Fraction(4), Fraction(1, 2), Fraction(4), Fraction(2)),
    "optimal_pair_near_the_ratio": (3, Fraction(4), Fraction(1, 2), Fraction(4), Fraction(37, 10)),
    "optimal_pair_of_stronger_clones": (3, Fraction(4), Fraction(3, 5), Fraction(4), Fraction(3, 2)),
    "optimal_pair_of_two": (2, Fraction(4), Fraction(3, 5), Fraction(4), Fraction(1)),
    "optimal_pair_of_little_variation": (2, Fraction(2), Fraction(1, 4), Fraction(3), Fraction(3, 2)),
    "optimal_pair_of_four": (4, Fraction(10), Fraction(1, 4), Fraction(3, 2), Fraction(4)),
    "optimal_pair_without_a_ratio": (3, None, Fraction(1, 2), Fraction(2), Fraction(2)),
    "optimal_pair_of_ten_users": (10, Fraction(4), Fraction(1, 2), Fraction(4), Fraction(3, 2)),
    "optimal_pair_of_a_hundred_users": (100, Fraction(4), Fraction(1, 2), Fraction(4), Fraction(3, 2)),
}
"""Users, p, beta, q and the order E."""

FEW = 5
"""Up to so many users the program is the one with 4^n steps, which reads like the definition."""
ENUMERATED = 10
"""Up to so many users the number is the specification's, from the pair itself; beyond, from the sums that Coq's program takes too."""

BLANKET = {
    "blanket_of_binary_response": (3, 2, Fraction(3), Fraction(3, 2)),
    "blanket_of_ternary_response": (3, 3, Fraction(4), Fraction(2)),
    "blanket_of_ten_values": (4, 10, Fraction(5, 2), Fraction(11, 10)),
    "blanket_of_one_user": (1, 3, Fraction(4), Fraction(1)),
}
"""Users, k, T and the order E."""


def _optimal_pair_example(name: str, n: int, p: Fraction | None, beta: Fraction, q: Fraction, order: Fraction) -> str:
    parameters = optimal_pair.Parameters(p, beta, q)
    if n <= ENUMERATED:
        P, Q = optimal_pair.dominating_pair(n=n, parameters=parameters)
        value = hockey_stick(P, Q, exp_epsilon=order)
    else:
        value = pair_delta(n=n, parameters=parameters, order=order)
    numerator, denominator = value.as_integer_ratio()
    program, sound = ("pair_delta_is", "pair_delta_is_sound") if n <= FEW else ("pair_sum_is", "pair_sum_is_sound")
    t, u = (1, 0) if p is None else p.as_integer_ratio()
    (b, c), (g, h), (e, f) = beta.as_integer_ratio(), q.as_integer_ratio(), order.as_integer_ratio()
    valid = "; case/and3P: " + name + "_computed" if n <= FEW else ""
    proof = f"by apply: {sound} {name}_computed{valid}."
    pair = f"(of_Z R {u} / of_Z R {t}) (of_Z R {b} / of_Z R {c}) (of_Z R {g} / of_Z R {h}) {n - 1}"
    return f"""Lemma {name}_computed : {program} {t} {u} {b} {c} {g} {h} {e} {f} {n} {numerator} {denominator}.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) :
  hockey (of_Z R {e} / of_Z R {f}) (pair_P {pair}) (pair_Q {pair}) = of_Z R {numerator} / of_Z R {denominator}.
Proof. {proof} Qed.
"""


def _blanket_example(name: str, n: int, k: int, T: Fraction, order: Fraction) -> str:
    P, Q = k_rr_blanket.dominating_pair(n=n, k=k, exp_epsilon0=T)
    numerator, denominator = hockey_stick(P, Q, exp_epsilon=order).as_integer_ratio()
    (t, u), (e, f) = T.as_integer_ratio(), order.as_integer_ratio()
    ratio = f"(of_Z R {t} / of_Z R {u})"
    special = [f"(pair_counts (k_rr_special_{x} K {ratio}) (k_rr_others K {ratio}) {n - 1})" for x in (0, 1)]
    return f"""Lemma {name}_computed : blanket_delta_is {t} {u} {k} {e} {f} {n} {numerator} {denominator}.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) (K : finType) : #|K| = {k}%N ->
  hockey (of_Z R {e} / of_Z R {f}) {special[0]}
    {special[1]} = of_Z R {numerator} / of_Z R {denominator}.
Proof. by move=> K_is; apply: blanket_delta_is_sound; rewrite K_is; apply: {name}_computed. Qed.
"""


def local_examples() -> str:
    """LocalExamples.v."""
    head = """(* The local privacy of a few randomizers, as the executable specification computes it: epsilon0 and no less, and delta0 and
   no less at an order T below e^epsilon0. Definitions.v says the same.
   Written by `proofs_check/formal/shown.py`. *)
"""
    head += HEAD.format(modules="Definitions Integers LocalCases")
    return head + "\n".join(_local_example(name, *case) for name, case in LOCAL.items())


LOCAL = {
    "ternary_response_local": (_TERNARY, Fraction(2)),
    "binary_response_local": (_BINARY, Fraction(1)),
    "uneven_response_local": ([[5, 2, 1], [3, 3, 2]], Fraction(4, 3)),
}
"""The randomizer's probabilities over a common denominator, by input; the order at which delta0 is asked for."""


def _local_example(name: str, table: Table, order: Fraction) -> str:
    over, inputs, messages = sum(table[0]), len(table), len(table[0])
    laws = [randomizer(table).distribution(x) for x in range(inputs)]
    local = randomizer(table).exp_epsilon0()
    if local is None:
        raise UnsupportedError(what=name, reason="it is not epsilon0-DP for any epsilon0", advice="give every message a probability")
    delta0 = max(hockey_stick(first, second, exp_epsilon=order) for first in laws for second in laws)
    (a, b), (e, f) = delta0.as_integer_ratio(), order.as_integer_ratio()
    less, smaller = local * SLIGHTLY_LESS, delta0 * SLIGHTLY_LESS
    return f"""Definition {name}_table (x s : nat) : Z := nth 0%Z (nth [::] {listed(table)}%Z x) s.

Theorem {name} (R : realFieldType) (randomizers : adaptive_randomizers R 'I_{inputs} [finType of 'I_{messages}]) :
  (forall z x s, randomizers z x s = of_Z R ({name}_table x s) / of_Z R {over}) ->
  [/\\ ldp {ratio(local)} randomizers, ~ ldp {ratio(less)} randomizers,
      approximately_ldp {ratio(order)} {ratio(delta0)} randomizers
    & ~ approximately_ldp {ratio(order)} {ratio(smaller)} randomizers].
Proof.
move=> tabulated; have den_gt0 : (0 < {over})%Z by [].
split; first by apply/(small_ldp_iff {local.numerator} den_gt0 (erefl : (0 < {local.denominator})%Z) tabulated).
- by move/(small_ldp_iff {less.numerator} den_gt0 (erefl : (0 < {less.denominator})%Z) tabulated).
- by apply/(small_approximately_iff {e} den_gt0 (erefl : (0 < {f})%Z) tabulated {a} (erefl : (0 < {b})%Z)).
by move/(small_approximately_iff {e} den_gt0 (erefl : (0 < {f})%Z) tabulated {smaller.numerator} (erefl : (0 < {smaller.denominator})%Z)).
Qed.
"""


def drawn_examples(seed: int, *, each: int) -> str:
    """A module of examples with drawn parameters: `each` of every lemma. The same seed draws the same ones."""
    made = []
    for number in range(each):
        pick = Random(f"{seed} {number}")
        name, order = f"drawn_{number}", Fraction(pick.randint(0, 9), pick.randint(4, 7))
        n, inputs, outputs = pick.choice([1, 2, 3, 3, 4, 4]), pick.randint(2, 3), pick.randint(2, 3)
        over = pick.randint(outputs, 12)
        even, odd = ([composition(pick, over, outputs) for _ in range(inputs)] for _ in range(2))
        data = tuple(pick.randrange(inputs) for _ in range(n))
        place = pick.randrange(n)
        other = tuple((x + 1) % inputs if i == place else x for i, x in enumerate(data))
        made += [_small_example(f"{name}_adaptive", even, odd, data, other, order), _messages_example(name, even, data, other, order)]
        ends = [[over - outputs + 1, *[1] * (outputs - 1)], [1] * (outputs - 1) + [over - outputs + 1]]
        if over > outputs:  # an order below e^epsilon0, so that delta0 is positive and a smaller one can be refused
            made.append(_local_example(f"{name}_local", [*ends, *even], 1 + Fraction(over - outputs, pick.randint(2, 5))))
        T = 1 + Fraction(pick.randint(1, 12), pick.randint(1, 4))
        made.append(_blanket_example(f"{name}_blanket", pick.randint(1, 5), pick.choice([2, 3, 10, 11, pick.randint(12, 99)]), T, order))
        q = 1 + Fraction(pick.randint(1, 12), pick.randint(1, 4))
        beta = min((T - 1) / (T + 1), q - 1) * Fraction(pick.randint(1, 6), 6)
        made.append(_optimal_pair_example(f"{name}_pair", pick.randint(FEW + 1, FEW + 3), pick.choice([T, T, None]), beta, q, order))
    says = f"Examples with parameters that were drawn (seed {seed}), as the executable specification computes them: Coq confirms each."
    head = f"(* {says}\n   Written by `proofs_check/formal/shown.py`. *)\n"
    return head + HEAD.format(modules=_DRAWN_FROM) + "\n".join(made)


_DRAWN_FROM = """Definitions Divergence Shuffling OneMessage PairDefinitions ThreeParts Integers SmallCases LocalCases
  OptimalPairNumbers OptimalPairExact KaryNumbers"""
STORED_SEED = 37
"""What DrawnExamples.v was drawn with."""
STORED = 8
"""How many examples of each sort it holds: seconds of Coq's time."""


def _messages_example(name: str, table: Table, data: tuple[int, ...], other: tuple[int, ...], order: Fraction) -> str:
    over, n, m, k = sum(table[0]), len(data), len(table), len(table[0])
    value = hockey_stick(*(shuffled_distribution(randomizer(table), dataset) for dataset in (data, other)), exp_epsilon=order)
    (numerator, denominator), (e, f) = value.as_integer_ratio(), order.as_integer_ratio()
    return f"""Definition {name}_table (z : seq nat) (x s : nat) : Z := nth 0%Z (nth [::] {listed(table)}%Z x) s.

Lemma {name}_computed : small_case {name}_table {over} {n} {k} {e} {f} {row(data)} {row(other)} {numerator} {denominator}.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) (randomizer : 'I_{m} -> dist R [finType of 'I_{k}]) (w w' : {n}.-tuple 'I_{m}) :
  (forall x s, randomizer x s = of_Z R ({name}_table [::] x s) / of_Z R {over}) ->
  map (@nat_of_ord {m}) w = {row(data)} -> map (@nat_of_ord {m}) w' = {row(other)} ->
  hockey (of_Z R {e} / of_Z R {f}) (shuffle (messages randomizer w)) (shuffle (messages randomizer w')) =
  of_Z R {numerator} / of_Z R {denominator}.
Proof.
move=> tabulated w_is w'_is; rewrite (eq_hockey _ (shuffle_messages randomizer w) (shuffle_messages randomizer w')).
apply: (@small_case_sound R {m} {k} (fun=> randomizer) {name}_table {over} {n} w w' {e} {f} {numerator} {denominator}).
  by rewrite w_is w'_is; apply: {name}_computed.
by move=> z x s; apply: tabulated.
Qed.
"""


def thousand_users() -> str:
    """ThousandUsers.v."""
    made = arrival.arrival(n=1000, epsilon0=1, epsilon="0.134", delta=Fraction(1, 10**6))
    says = "A number of the default bound: every adaptive sequence of 1000 users' 1-DP randomizers is (0.134, 10^-6)-DP when shuffled."
    return arrival.module(made, name="shuffled_1000_adaptive", says=says)


def kary_instances() -> str:
    """Return KaryInstances.v."""
    made = kary.kary(n=10_000, k=10, epsilon0="ln 3", epsilon="ln 21/20")
    return kary.module(made, name="k_rr_10000_users", says="A number of k-ary randomized response's privacy blanket.")


SHOWN: Mapping[str, Callable[[], str]] = {
    "SeenExamples": seen_examples,
    "PartExamples": part_examples,
    "CoinExamples": coin_examples,
    "DrawnExamples": lambda: drawn_examples(STORED_SEED, each=STORED),
    "Pinned": lambda: pinned((one.theorem, one.module) for one in PINS["Pinned"]),
    "PinnedNumbers": lambda: pinned((one.theorem, one.module) for one in PINS["PinnedNumbers"]),
    "SmallExamples": small_examples,
    "PairExamples": pair_examples,
    "LocalExamples": local_examples,
    **{name: partial(instances, name) for name in INSTANCES},
    "ThousandUsers": thousand_users,
    "KaryInstances": kary_instances,
}
"""Module of the formal proofs -> what writes it."""
