"""CoinExamples.v: what is seen of users who come at random, counted or not, as the specification computes it."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from shuffleproof.proofs_check.formal.seen import EACH, SEED, composition, ratio, row, two
from shuffleproof.proofs_check.formal.sources import HEAD
from shuffleproof.spec.bounds import random_participation
from shuffleproof.spec.distribution import Distribution, hockey_stick

MODULES = "Definitions Integers SmallCases RandomParticipation CoinCases"
"""What a module of these examples imports."""

MOST = 3
"""Users of an example at most."""

OVER = 12
"""The denominator of the probabilities of what is seen of those who come."""


def coin_examples(seed: int = SEED, *, each: int = EACH) -> str:
    """CoinExamples.v: `each` examples of both views, drawn by the seed."""
    says = f"Users who come at random, at parameters that were drawn (seed {seed}), as the executable specification has them."
    head = f"(* {says}\n   Written by `proofs_check/formal/coins.py`. *)\n" + HEAD.format(modules=MODULES)
    return head + "\n".join(
        _coins(f"coins_{number}_{kind}", kind == "counted", Random(f"coins {kind} {seed} {number}"))
        for number in range(each)
        for kind in ("counted", "uncounted")
    )


def _coins(name: str, counted: bool, pick: Random) -> str:
    """The divergence of what is seen of two datasets: they differ in a value where users are counted, else in the first user."""
    k, rate, order = pick.choice([2, 3]), Fraction(pick.randint(1, 6), 7), Fraction(pick.randint(4, 9), pick.randint(4, 7))
    data = [pick.randrange(2) for _ in range(pick.randint(2, MOST))]
    other = [1 - data[0], *data[1:]] if counted else data[1:]
    least = pick.randrange(len(data) + 1) if counted else 0
    # A row of probabilities for each number of users with 0, and with 1.
    table = [composition(pick, OVER, k) for _ in range((MOST + 1) ** 2)]

    def distribution_of(present: Sequence[int]) -> Distribution[int]:
        weights = table[present.count(0) + (MOST + 1) * present.count(1)]
        return Distribution({y: Fraction(weight, OVER) for y, weight in enumerate(weights)})

    first, second = (random_participation.seen(distribution_of, users, rate=rate, least=least, counted=counted) for users in (data, other))
    value = hockey_stick(first, second, exp_epsilon=order)
    program, what, dropped = ("participation_is", "participation", f" {least}") if counted else ("uncounted_is", "uncounted", "")
    rows = "; ".join(f"[:: {'; '.join(map(str, weights))}]" for weights in table)
    given = f"{name}_table {OVER} {k} {two(rate)} {two(order)}{dropped} {row(data)} {row(other)} {two(value)}"
    return f"""Definition {name}_table (s : seq nat) (y : nat) : Z :=
  nth 0%Z (nth [::] [:: {rows}]%Z (count_mem 0%N s + {MOST + 1} * count_mem 1%N s)) y.

Lemma {name}_computed : {program} {given}.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) (seen : forall m, m.-tuple 'I_2 -> 'I_{k} -> R)
    (w : {len(data)}.-tuple 'I_2) (w' : {len(other)}.-tuple 'I_2) :
  unordered seen -> (forall m (v : m.-tuple 'I_2) y, seen m v y = of_Z R ({name}_table (map (@nat_of_ord 2) v) y) / of_Z R {OVER}) ->
  map (@nat_of_ord 2) w = {row(data)} -> map (@nat_of_ord 2) w' = {row(other)} ->
  hockey {ratio(order)} ({what} {ratio(rate)}{dropped} seen w) ({what} {ratio(rate)}{dropped} seen w') =
  {ratio(value)}.
Proof.
move=> order tabulated w_is w'_is.
apply: ({program}_sound order (erefl : (0 < {OVER})%Z) (erefl : (0 < {rate.denominator})%Z) tabulated).
by rewrite w_is w'_is; apply: {name}_computed.
Qed.
"""
