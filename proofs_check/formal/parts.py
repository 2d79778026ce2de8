"""PartExamples.v, from the specification: parts, corner distributions, at levels, users in blocks and unlike, named randomizers."""

from fractions import Fraction
from random import Random

from shuffleproof.proofs_check.formal.seen import EACH, SEED, composition, ratio, two
from shuffleproof.proofs_check.formal.sources import HEAD
from shuffleproof.spec.bounds.k_rr import k_rr_clones
from shuffleproof.spec.bounds.swap import controlled_sum, first_arrival_approximate
from shuffleproof.spec.bounds.swap.another_place import in_blocks, positive
from shuffleproof.spec.bounds.swap.swap_in_levels import sum_in_blocks
from shuffleproof.spec.distribution import hockey_stick
from shuffleproof.spec.randomizers import k_rr, local_hashing, unary_encoding

LARGEST_NUMERAL = 5000
"""Natural numbers that Coq reads as such: beyond, it reads them by a function, through which `field` does not see."""
MODULES = """Definitions PairDefinitions PairCounts ThreeParts ConvexOrder ControlledSum FiveCorners Integers SmallCases
  ControlledCases PartCases Perspective ArrivalAll ClonesLeft AdaptiveApproximate Programs GridLaws LawCases
  ArrivalApproximate LeakCases TypeBlocks OneRandomizer NamedParameters"""
"""What a module of these examples imports."""


def part_examples(seed: int = SEED, *, each: int = EACH) -> str:
    """PartExamples.v: `each` examples of each lemma."""
    says = (
        f"Theorem 4.1's pair and single corner laws, at parameters that were drawn (seed {seed}), as the executable specification has them."
    )
    head = (
        f"(* {says}\n   Written by `proofs_check/formal/parts.py`. *)\n"
        + HEAD.format(modules=MODULES)
        + "From mathcomp Require Import ring.\n\n"
    )
    made = []
    for number in range(each):
        pick = Random(f"parts {seed} {number}")
        made.append(_three_parts(f"parts_{number}", pick))
        made += [_one_corner(f"corner_{number}_{i}", pick, i) for i in range(5)]
        made += [*_at_a_level(f"level_{number}", pick), _leaking(f"level_{number}_leaking", pick)]
        made += [_leaking_at_a_level(f"level_{number}_{kind}", kind, pick) for kind in ("relative", "thinned")]
        made.append(_in_blocks(f"blocks_{number}", Random(f"blocks {seed} {number}")))
        made.append(_unlike(f"unlike_{number}", Random(f"unlike {seed} {number}")))
        made += _named(f"named_{number}", Random(f"named {seed} {number}"))
    return head + "\n".join(made)


def _three_parts(name: str, pick: Random) -> str:
    """The divergence of Theorem 4.1's pair."""
    n, p, q = pick.choice([1, 2, 3, 4]), Fraction(1, 3) * Fraction(pick.randint(1, 7), 7), Fraction(pick.randint(1, 6), 7)
    order = Fraction(pick.randint(4, 9), pick.randint(4, 7))
    value = hockey_stick(*k_rr_clones.dominating_pair(n=n, p=p, q=q), exp_epsilon=order)
    special = [f"(pair_counts (part_special_{x} {ratio(q)}) (part_others {ratio(p)}) {n - 1})" for x in (0, 1)]
    return f"""Lemma {name}_computed : parts_V_is {two(p)} {two(q)} {two(order)} {n} {two(value)}.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) :
  hockey {ratio(order)} {special[0]}
    {special[1]} = {ratio(value)}.
Proof. exact: parts_V_is_sound {name}_computed. Qed.
"""


def _one_corner(name: str, pick: Random, i: int) -> str:
    """The mean positive part of a sum of losses of one corner distribution."""
    j, T = pick.choice([1, 2, 3]), 1 + Fraction(pick.randint(1, 9), pick.randint(2, 5))
    E = Fraction(pick.randint(1, 9), 10)  # below 1 every corner distribution has a positive loss
    law = controlled_sum.corner_losses(T=T, exp_epsilon=E, share=Fraction(0))[i]
    value = controlled_sum.controlled_sums([law], j)[j]
    return f"""Lemma {name}_computed : corner_mean_is {two(T)} {two(E)} {i} {j} {two(value)}.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) : V [:: nth [::] (corner_laws {ratio(T)} {ratio(E)}) {i}] {j} 0 = {ratio(value)}.
Proof. exact: corner_mean_sound (erefl : ({i} < 5)%N) {name}_computed. Qed.
"""


def _at_a_level(name: str, pick: Random) -> list[str]:
    """The distributions of first arrival, and those of clones with what is left, atom by atom."""
    T, E = 1 + Fraction(pick.randint(1, 9), pick.randint(2, 5)), Fraction(pick.randint(5, 20), 10)
    share = Fraction(pick.randint(1, 9), 10) / (T + 1)
    laws = {"arrival": controlled_sum.corner_losses, "clone": controlled_sum.clones_losses}
    return [
        _listed_distributions(f"{name}_{kind}", f"{kind}_laws", (T, E, share), given(T=T, exp_epsilon=E, share=share))
        for kind, given in laws.items()
    ]


def _leaking(name: str, pick: Random) -> str:
    """The distributions with leaks, thinned, in the order of the proof: the leak, 0 where nothing is kept, the corners, 0 by thinning."""
    n, T, E = pick.randint(1, 4), 1 + Fraction(pick.randint(1, 9), pick.randint(2, 5)), Fraction(pick.randint(10, 20), 10)
    delta0 = Fraction(1, pick.randint(20, 40))
    mass = first_arrival_approximate.common(others=n, T=T, delta0=delta0, thinned=True)
    share = mass * Fraction(pick.randint(1, 9), 10)
    laws = first_arrival_approximate.leaking_losses(others=n, T=T, delta0=delta0, exp_epsilon=E, share=share, thinned=True)
    zero, nothing = Fraction(0), (3 * delta0 - delta0 / T) * (1 - share / mass) / (1 - share)
    ordered: list[controlled_sum.Losses] = []
    for *corners, leak, rest in laws:
        ordered.append((leak, (zero, nothing), *corners, (zero, rest[1] - nothing)))
    return _listed_distributions(name, "approximate_corners", (T, E, share, delta0), ordered, f" {n}")


def _listed_distributions(name: str, of: str, at: tuple[Fraction, ...], laws: list[controlled_sum.Losses], others: str = "") -> str:
    integers = [[f"(({x.numerator}, {x.denominator}), ({p.numerator}, {p.denominator}))" for x, p in law] for law in laws]
    rationals = [[f"({ratio(x)}, {ratio(p)})" for x, p in law] for law in laws]
    listed, said = ("[:: " + ";\n    ".join(f"[:: {'; '.join(law)}]" for law in written) + "]" for written in (integers, rationals))
    return f"""Lemma {name}_computed : {of}_is {" ".join(map(two, at))}{others}
  {listed}%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) : {of} {" ".join(map(ratio, at))}{others} =
  {said}.
Proof. exact: {of}_is_sound {name}_computed. Qed.
"""


def _leaking_at_a_level(name: str, kind: str, pick: Random) -> str:
    """The distributions of first arrival with leaks, in the order of the definition: the leak, 0 where nothing is kept, the corners."""
    n, T, E = pick.randint(1, 4), 1 + Fraction(pick.randint(1, 9), pick.randint(2, 5)), Fraction(pick.randint(10, 20), 10)
    delta0, thinned = Fraction(1, pick.randint(40, 60)) * min(Fraction(1), T - 1), kind == "thinned"
    most = first_arrival_approximate.common(others=n, T=T, delta0=delta0, thinned=thinned)
    share = most * Fraction(pick.randint(1, 9), 10) / (1 if thinned else (T / (1 - 3 * delta0)) ** 2 - 1)
    laws = first_arrival_approximate.leaking_losses(others=n, T=T, delta0=delta0, exp_epsilon=E, share=share, thinned=thinned)
    ordered = [(leak, rest, *corners) for *corners, leak, rest in laws]
    listed = ";\n    ".join(f"[:: {'; '.join(f'({_written(x)}, {_written(p)})' for x, p in law)}]" for law in ordered)
    at = [_written(x) for x in (T, E, delta0, T)]
    inputs, given = f"{' '.join(at)} {n} {_written(share)}", " ".join(f"(of_Q R {x})" for x in at)
    return f"""Definition {name}_listed := [:: {listed}].
Lemma {name}_computed : {kind}_laws_is {inputs} {name}_listed.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) : {kind}_laws {given} {n} (of_Q R {_written(share)}) =
  [seq law_q R c | c <- {name}_listed].
Proof. exact: {kind}_laws_is_sound {name}_computed. Qed.
"""


def _in_blocks(name: str, pick: Random) -> str:
    """The controlled sum of blocks of users of several types: one, two or four of a type to a block, the largest first."""
    kinds, pairings, unit = pick.randint(1, 3), pick.randint(0, 2), pick.randint(1, 4)
    over = pick.randint(3, 9)
    # Two values a type, the first of them positive.
    drawn = [((pick.randint(1, 7), -pick.randint(0, 7)), composition(pick, over, 2)) for _ in range(kinds)]
    types = [tuple((Fraction(x, unit), Fraction(p, over)) for x, p in zip(*law, strict=True)) for law in drawn]
    groups = [kinds] * pairings
    users = sum(kinds << j for j in range(pairings)) + pick.randint(0, 3)
    value = sum_in_blocks(types, users, groups=groups)
    *kept, number = in_blocks(users=users, groups=groups).values()
    numbers = "; ".join(f"[:: {'; '.join(f'({x}, {p})' for x, p in zip(*law, strict=True))}]" for law in drawn)
    sizes = [(f"{over**2**j}%Z", f"({'doubled_numbers (' * j}{name}_numbers{')' * j})") for j in range(pairings + 1)]
    steps = " ++ ".join(f"nseq {times} ({q}, {laws})" for (q, laws), times in zip(reversed(sizes), [number, *reversed(kept)], strict=True))
    first, *rest = [f"(scaled R {unit} {q} {laws})" for q, laws in sizes]
    further = f"[:: {'; '.join(f'({times}%N, {laws})' for times, laws in zip(kept, rest, strict=True))}]"
    return f"""Definition {name}_numbers : seq (seq (Z * Z)) := [:: {numbers}]%Z.
Lemma {name}_computed : blocks_V_is {unit} ({steps}) {two(value)}.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) (rest : seq (nat * seq (loss R)) := {further}) :
  enough_kept {first} rest {users} /\\ V_steps (rev (steps_of {first} rest {users})) 0 = {ratio(value)}.
Proof.
split; last by apply: (blocks_V_is_sound {name}_computed); exact: erefl.
by rewrite /rest; do ?[split; [exact: measures_scaled | exact: doubled_scaled | by [] | by [] |]].
Qed.
"""


def _unlike(name: str, pick: Random) -> str:
    """The mean positive part of the losses of users no two of whom are alike; one of them draws from omega, and has none."""
    users, reports, unit, over = pick.randint(1, 3), pick.randint(2, 3), pick.randint(1, 4), pick.randint(3, 9)
    drawn = [([pick.randint(-7, 7) for _ in range(reports)], composition(pick, over, reports)) for _ in range(users)]
    omega = composition(pick, over, reports)
    value = positive([[(Fraction(x, unit), Fraction(p, over)) for x, p in zip(*law, strict=True)] for law in drawn])
    rows = [("false", *law) for law in drawn]
    rows.insert(pick.randint(0, users), ("true", [1] * reports, omega))
    listed = "; ".join(f"({told}, [:: {'; '.join(f'({x}, {p})' for x, p in zip(*law, strict=True))}])" for told, *law in rows)
    return f"""Definition {name}_users : seq (bool * seq (Z * Z)) := [:: {listed}]%Z.
Definition {name}_omega : seq Z := [:: {"; ".join(map(str, omega))}]%Z.
Lemma {name}_computed : unlike_is {unit} {over} {name}_omega {name}_users {two(value)}.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) (of_user := fun k : 'I_{users + 1} => nth (false, [::]) {name}_users k)
    (at_report := fun k (s : 'I_{reports}) => nth (0%Z, 0%Z) (of_user k).2 s) :
  unlike_sum (fun s : 'I_{reports} => of_Z R (nth 0%Z {name}_omega s) / of_Z R {over}) (fun k s => of_Z R (at_report k s).2 / of_Z R {over})
    (fun k s => of_Z R (at_report k s).1 / of_Z R {unit}) [set k | (of_user k).1] = {ratio(value)}.
Proof. exact: (unlike_is_sound R (erefl : size {name}_users = {users + 1}%N) {name}_computed). Qed.
"""


def _named(name: str, pick: Random) -> list[str]:
    """A probability of unary encoding, one of k-ary randomized response and one of local hashing, whose parameters are theorems."""
    k, over = pick.randint(2, 4), pick.randint(3, 9)
    over = over if over**k <= LARGEST_NUMERAL else over - 1
    other, own = sorted(Fraction(pick.randint(1, over - 1), over) for _ in range(2))
    x, y, bits = pick.randrange(k), pick.randrange(k), tuple(pick.randrange(2) for _ in range(k))
    T = 1 + Fraction(pick.randint(1, 9), pick.randint(2, 5))
    sent = unary_encoding.unary_encoding(k=k, p_own=own, p_other=other).distribution(x)[bits]
    answered = k_rr.k_rr(k=k, exp_epsilon0=T).distribution(x)[y]
    buckets = pick.randint(2, 3)
    hashes, bucket = tuple(pick.randrange(buckets) for _ in range(k)), pick.randrange(buckets)
    told = local_hashing.local_hashing(k=k, buckets=buckets, exp_epsilon0=T).distribution(x)[hashes, bucket]
    listed = "; ".join("true" if bit else "false" for bit in bits)
    return [
        f"""Theorem {name}_unary (R : realFieldType) (x : 'I_{k}) (s : {{ffun 'I_{k} -> bool}}) :
  x = {x}%N :> nat -> (forall j : 'I_{k}, s j = nth false [:: {listed}] j) ->
  unary_mass {_numeral(own)} ({_numeral(other)} : R) x s = {_numeral(sent)}.
Proof.
move=> x_is s_is; rewrite /unary_mass !big_ord_recl big_ord0 !s_is -!val_eqE /= x_is /= /bernoulli_mass.
by field; rewrite ?pnatr_eq0.
Qed.
""",
        f"""Theorem {name}_k_rr (R : realFieldType) (T_ge1 : 1 <= {_numeral(T)} :> R) (k_ge2 : (1 < #|'I_{k}|)%N) (x y : 'I_{k}) :
  x = {x}%N :> nat -> y = {y}%N :> nat -> k_rr T_ge1 k_ge2 x y = {_numeral(answered)}.
Proof.
move=> x_is y_is; rewrite /= /k_rr_mass -val_eqE /= x_is y_is /= card_ord.
by field; rewrite ?pnatr_eq0.
Qed.
""",
        f"""Theorem {name}_hash (R : realFieldType) (T_ge1 : 1 <= {_numeral(T)} :> R) (k_ge2 : (1 < #|'I_{buckets}|)%N)
    (chosen : dist R [finType of {{ffun 'I_{k} -> 'I_{buckets}}}]) (x : 'I_{k}) (h : {{ffun 'I_{k} -> 'I_{buckets}}}) (y : 'I_{buckets}) :
  chosen h = {_numeral(Fraction(1, buckets**k))} -> x = {x}%N :> nat ->
  (forall j : 'I_{k}, h j = nth 0%N [:: {"; ".join(map(str, hashes))}]%N j :> nat) -> y = {bucket}%N :> nat ->
  hashed T_ge1 k_ge2 chosen (fun h x => h x) x (h, y) = {_numeral(told)}.
Proof.
move=> chosen_is x_is h_is y_is; rewrite /= /hashed_mass /= chosen_is /k_rr_mass -val_eqE /= h_is y_is x_is /= card_ord.
by field; rewrite ?pnatr_eq0.
Qed.
""",
    ]


def _numeral(x: Fraction) -> str:
    """Return it as a quotient of numerals, with which Coq's `field` computes."""
    return f"({x.numerator}%:R / {x.denominator}%:R)"


def _written(x: Fraction) -> str:
    """Return it as a rational of Coq."""
    return f"(written_q {f'({x.numerator})' if x < 0 else x.numerator} {x.denominator})"
