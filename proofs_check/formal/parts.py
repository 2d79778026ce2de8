"""PartExamples.v: Theorem 4.1's pair, single corner distributions and those of first arrival, as the specification computes them."""

from fractions import Fraction
from random import Random

from shuffleproof.proofs_check.formal.seen import EACH, SEED, ratio, two
from shuffleproof.proofs_check.formal.sources import HEAD
from shuffleproof.spec.bounds.k_rr import k_rr_clones
from shuffleproof.spec.bounds.swap import controlled_sum, first_arrival_approximate
from shuffleproof.spec.divergence import hockey_stick

MODULES = """Definitions PairDefinitions PairCounts ThreeParts ConvexOrder ControlledSum FiveCorners Integers SmallCases
  ControlledCases PartCases Perspective ArrivalAll ClonesLeft AdaptiveApproximate Programs GridLaws LawCases
  ArrivalApproximate LeakCases"""
"""What a module of these examples imports."""


def part_examples(seed: int = SEED, *, each: int = EACH) -> str:
    """PartExamples.v: `each` examples of Theorem 4.1's pair, of every corner distribution, and of those at a level, drawn by the seed."""
    says = (
        f"Theorem 4.1's pair and single corner laws, at parameters that were drawn (seed {seed}), as the executable specification has them."
    )
    head = f"(* {says}\n   Written by `proofs_check/formal/parts.py`. *)\n" + HEAD.format(modules=MODULES)
    made = []
    for number in range(each):
        pick = Random(f"parts {seed} {number}")
        made.append(_three_parts(f"parts_{number}", pick))
        made += [_one_corner(f"corner_{number}_{i}", pick, i) for i in range(5)]
        made += [*_at_a_level(f"level_{number}", pick), _leaking(f"level_{number}_leaking", pick)]
        made += [_leaking_at_a_level(f"level_{number}_{kind}", kind, pick) for kind in ("relative", "thinned")]
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
        _listed_laws(f"{name}_{kind}", f"{kind}_laws", (T, E, share), given(T=T, exp_epsilon=E, share=share))
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
    return _listed_laws(name, "approximate_corners", (T, E, share, delta0), ordered, f" {n}")


def _listed_laws(name: str, of: str, at: tuple[Fraction, ...], laws: list[controlled_sum.Losses], others: str = "") -> str:
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


def _written(x: Fraction) -> str:
    """Return it as a rational of Coq."""
    return f"(written_q {f'({x.numerator})' if x < 0 else x.numerator} {x.denominator})"
