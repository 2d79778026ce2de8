"""Examples of what is seen of the messages, of accuracy and of the controlled sum, as the specification computes them: SeenExamples.v."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise, product
from random import Random

from shuffleproof.proofs_check.formal.sources import HEAD
from shuffleproof.spec.bounds.swap import controlled_sum
from shuffleproof.spec.distribution import Distribution, hockey_stick
from shuffleproof.spec.model import LocalRandomizer, shuffled_distribution, shuffled_vectors_distribution
from shuffleproof.spec.protocols import bit_sum, zero_sum
from shuffleproof.spec.randomizers import r_gap, r_inf

SEED = 20
"""What SeenExamples.v was drawn with."""

EACH = 3
"""Examples of each lemma in SeenExamples.v: some four seconds of Coq's time."""

MODULES = """Definitions Divergence Shuffling ConvexOrder ControlledSum FiveCorners PureRandomizers SeveralMessages BitSum Integers
  SmallCases SeenCases ControlledCases"""
"""What a module of these examples imports."""

SLIGHTLY_LESS = Fraction(999, 1000)
"""The factor of a delta, or a failure probability, that is refused."""

Table = list[list[int]]
ViewOf = Callable[[tuple[int, ...]], Distribution[tuple[int, ...]]]


def seen_examples(seed: int = SEED, *, each: int = EACH) -> str:
    """SeenExamples.v: `each` examples of every lemma. The same seed draws the same ones."""
    says = f"What is seen of the messages, at parameters that were drawn (seed {seed}), as the executable specification computes it."
    head = f"(* {says}\n   Written by `proofs_check/formal/seen.py`. *)\n" + HEAD.format(modules=MODULES)
    made = []
    for number in range(each):
        pick, name = Random(f"seen {seed} {number}"), f"seen_{number}"
        order = Fraction(pick.randint(2, 9), pick.randint(4, 7))
        made += [
            _histogram(f"{name}_histogram", pick, order),
            _two_bits(f"{name}_r_inf", pick),
            _gap(f"{name}_r_gap", pick, order),
            _bit_sum(f"{name}_bit_sum", pick, order),
            _zero_sum(f"{name}_zero_sum", pick),
            _controlled(f"{name}_controlled", pick),
        ]
    return head + "\n".join(made)


def _histogram(name: str, pick: Random, order: Fraction) -> str:
    """Histograms of one dataset and a neighbour, of all neighbouring datasets, and how often a count is off by two."""
    m, k = pick.choice([(2, 3), (3, 2), (2, 2)])
    n, over = pick.choice([2, 3]), pick.randint(k, 9)
    table = [composition(pick, over, k) for _ in range(m)]
    views = {data: shuffled_distribution(randomizer(table), data) for data in product(range(m), repeat=n)}
    # All neighbouring datasets, by their definition: one value differs at most.
    pairs = [(w, v) for w in views for v in views if sum(a != b for a, b in zip(w, v, strict=True)) <= 1]
    delta = max(hockey_stick(views[w], views[v], exp_epsilon=order) for w, v in pairs)
    beta = max(sum((p for seen, p in law.items() if abs(w.count(1) - seen.count(1)) > 1), Fraction(0)) for w, law in views.items())
    data, other = pick.choice([(w, v) for w, v in pairs if w != v])
    value = hockey_stick(views[data], views[other], exp_epsilon=order)
    computed = f"seen_hockey_is {name}_table {over} {n} {k} (seen_histogram {k}) {two(order)} {row(data)} {row(other)} {two(value)}"
    mechanism = f"(fun w : {n}.-tuple 'I_{m} => image_law (@histogram [finType of 'I_{k}] {n}) (messages randomizer w))"
    wrong = f"(fun w s => (off_by_two (map (@nat_of_ord {m}) w) (map (@nat_of_ord {k}) s))%:R)"
    private = [
        f"private {ratio(order)} {ratio(delta)} {mechanism}",
        *([f"~ private {ratio(order)} {ratio(delta * SLIGHTLY_LESS)} {mechanism}"] if delta else []),
        f"accurate (fun w : {n}.-tuple 'I_{m} => messages randomizer w) {wrong} {ratio(beta)}",
        *([f"~ accurate (fun w : {n}.-tuple 'I_{m} => messages randomizer w) {wrong} {ratio(beta * SLIGHTLY_LESS)}"] if beta else []),
    ]
    decided = f"seen_private_iff (@coding_ord {k}) den_gt0 tabulated (@histogram_name_inj {k} {n}.+1) (@histogram_named {k} {n})"
    iff = f"({decided} _ _ (erefl : (0 < {order.denominator})%Z) (erefl : (0 < {{}})%Z))"
    often = f"(seen_accurate_iff {n} off_by_two _ den_gt0 (erefl : (0 < {{}})%Z) tabulated)"
    steps = [
        f"by apply/{iff.format(delta.denominator)}; vm_cast_no_check (erefl true).",
        *([f"by move/{iff.format((delta * SLIGHTLY_LESS).denominator)}; vm_compute."] if delta else []),
        f"by apply/{often.format(beta.denominator)}; vm_cast_no_check (erefl true).",
        *([f"by move/{often.format((beta * SLIGHTLY_LESS).denominator)}; vm_compute."] if beta else []),
    ]
    return f"""{_table(name, table)}
Lemma {name}_computed : {computed}.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) (randomizer : 'I_{m} -> dist R [finType of 'I_{k}]) (w w' : {n}.-tuple 'I_{m}) :
  (forall x s, randomizer x s = of_Z R ({name}_table x s) / of_Z R {over}) ->
  map (@nat_of_ord {m}) w = {row(data)} -> map (@nat_of_ord {m}) w' = {row(other)} ->
  hockey {ratio(order)} (image_law (@histogram _ {n}) (messages randomizer w)) (image_law (@histogram _ {n}) (messages randomizer w')) =
  {ratio(value)}.
Proof.
move=> tabulated w_is w'_is.
apply: (seen_hockey_sound (@coding_ord {k}) (erefl : (0 < {over})%Z) tabulated (@histogram_name_inj {k} {n}.+1) (@histogram_named {k} {n})).
by rewrite w_is w'_is; apply: {name}_computed.
Qed.

Theorem {name}_of_all (R : realFieldType) (randomizer : 'I_{m} -> dist R [finType of 'I_{k}]) :
  (forall x s, randomizer x s = of_Z R ({name}_table x s) / of_Z R {over}) ->
  {_all(private)}.
Proof.
move=> tabulated; have den_gt0 : (0 < {over})%Z by [].
{_split(steps)}
Qed.
"""


def _two_bits(name: str, pick: Random) -> str:
    """The view of x and 1 - x is the same on all data: its divergence of an order below 1 is 1 less that order."""
    n, order = pick.choice([1, 2, 3]), Fraction(pick.randint(1, 6), 7)
    data = tuple(pick.randrange(2) for _ in range(n))
    return _bits_view(
        name, n, 2, data, order, lambda w: shuffled_vectors_distribution(r_inf.r_inf(), w), "both_table", 1, "r_inf R", "@r_inf_tabulated R"
    )


def _gap(name: str, pick: Random, order: Fraction) -> str:
    """R^gap with drawn weights: its supports, and the divergence of two views."""
    weights = [dict.fromkeys(support, 0) for support in (r_gap.VECTORS, r_gap.WITHOUT_TWO_ONES)]
    over = 2 * len(r_gap.VECTORS)
    for law in weights:
        law.update(zip(law, composition(pick, over, len(law)), strict=True))
    first, second = ({v: Fraction(weight, over) for v, weight in law.items()} for law in weights)
    gap = r_gap.r_gap(weights=(first, second))
    table = [[law.get(_digits(code), 0) for code in range(2**4)] for law in weights]
    n = 2
    data = tuple(pick.randrange(2) for _ in range(n))
    shown = _bits_view(
        name, n, 4, data, order, lambda w: shuffled_vectors_distribution(gap, w), f"{name}_table", over, "randomizer", "tabulated"
    )
    return f"""{_table(name, table)}
Theorem {name}_supports (R : realFieldType) (randomizer : bool -> dist R [finType of 4.-tuple bool]) :
  (forall x (v : 4.-tuple bool), randomizer x v = of_Z R ({name}_table x (bits_code v)) / of_Z R {over}) -> r_gap_support randomizer.
Proof. by move=> tabulated; apply: (gap_table_sound (erefl : (0 < {over})%Z) tabulated). Qed.

{shown}"""


def _bits_view(
    name: str, n: int, bits: int, data: tuple[int, ...], order: Fraction, law: ViewOf, table: str, over: int, randomizer: str, known: str
) -> str:
    """The divergence of two views of vectors of bits, one user's bit changed."""
    other = (1 - data[0], *data[1:])
    value = hockey_stick(law(data), law(other), exp_epsilon=order)
    variable = randomizer == "randomizer"
    given = f" (randomizer : bool -> dist R [finType of {bits}.-tuple bool])" if variable else ""
    tabulated = (
        f"\n  (forall x (v : {bits}.-tuple bool), randomizer x v = of_Z R ({table} x (bits_code v)) / of_Z R {over}) ->" if variable else ""
    )
    return f"""Lemma {name}_computed :
  seen_hockey_is {table} {over} {n} {2**bits} (seen_bits {bits}) {two(order)} {row(data)} {row(other)} {two(value)}.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType){given} (w w' : {n}.-tuple bool) :{tabulated}
  map nat_of_bool w = {row(data)} -> map nat_of_bool w' = {row(other)} ->
  hockey {ratio(order)} (view ({randomizer}) w) (view ({randomizer}) w') = {ratio(value)}.
Proof.
move=> {"tabulated " if variable else ""}w_is w'_is.
apply: (@seen_hockey_sound R bool _ {2**bits} (fun v : {bits}.-tuple bool => bits_code v) nat_of_bool ({randomizer}) {table} {over} {n}
  (@coding_bits {bits}) (erefl : (0 < {over})%Z) ({known}) _ (@all_counts _ {bits} {n}) (@bits_name _) (seen_bits {bits}) (@bits_name_inj _)
  (@bits_named {bits} {n})).
by rewrite w_is w'_is; apply: {name}_computed.
Qed.
"""


def _bit_sum(name: str, pick: Random, order: Fraction) -> str:
    """The divergence of two views of the bit sum."""
    n = pick.choice([1, 2, 3, 4])
    lam = Fraction(pick.randint(1, 4 * n - 1), 4)
    data = tuple(pick.randrange(2) for _ in range(n))
    other = (1 - data[0], *data[1:])
    protocol = bit_sum.protocol(n=n, lam=lam)
    value = hockey_stick(protocol.view(data), protocol.view(other), exp_epsilon=order)
    table, over = f"(bit_sum_table {n} {two(lam)})", 2 * n * lam.denominator
    return f"""Lemma {name}_computed : seen_hockey_is {table} {over} {n} 2 seen_ones {two(order)} {row(data)} {row(other)} {two(value)}.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) (n_gt0 : (0 < {n})%N) (range : 0 <= {ratio(lam)} <= {n}%:R) (w w' : {n}.-tuple bool) :
  map nat_of_bool w = {row(data)} -> map nat_of_bool w' = {row(other)} ->
  hockey {ratio(order)} (bit_sum_view n_gt0 range w) (bit_sum_view n_gt0 range w') = {ratio(value)}.
Proof.
move=> w_is w'_is; rewrite (eq_hockey _ (image_law_shuffle _ (@ones_permuted {n})) (image_law_shuffle _ (@ones_permuted {n}))).
have tabulated x s := bit_sum_tabulated n_gt0 range x s (erefl : (0 < {lam.denominator})%Z).
apply: (seen_hockey_sound coding_bool (erefl : (0 < {over})%Z) tabulated (@ones_name_inj {n}.+1) (@ones_named {n})).
by rewrite w_is w'_is; apply: {name}_computed.
Qed.
"""


def _zero_sum(name: str, pick: Random) -> str:
    """The probability of a number of ones among the zero sum's messages."""
    n, p = pick.choice([1, 2, 3]), Fraction(pick.randint(1, 6), 7)
    data = tuple(pick.randrange(2) for _ in range(n))
    count = sum(data) + pick.randint(0, n)
    law = shuffled_vectors_distribution(zero_sum.randomizer(p=p), data).map(len)
    value = law[count]
    computed = f"seen_event_is (zero_sum_table {two(p)}) {p.denominator} {n} 3 (fun s => sumn s == {count}%N) {row(data)} {two(value)}"
    return f"""Lemma {name}_computed : {computed}.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) (range : 0 <= {ratio(p)} <= 1) (w : {n}.-tuple bool) : map nat_of_bool w = {row(data)} ->
  \\sum_(m | total_ones m == {count}%N) messages (zero_sum range) w m = {ratio(value)}.
Proof.
move=> w_is; have den_gt0 : (0 < {p.denominator})%Z by [].
rewrite (eq_bigl (fun m : {n}.-tuple 'I_3 => sumn (map (@nat_of_ord 3) m) == {count}%N)) => [|m]; last by rewrite total_ones_named.
have tabulated x s := zero_sum_tabulated range x s den_gt0.
apply: (@seen_event_is_sound R bool _ 3 (@nat_of_ord 3) nat_of_bool _ _ _ {n} (@coding_ord 3) den_gt0 tabulated
  (fun s => sumn s == {count}%N) w).
by rewrite w_is; apply: {name}_computed.
Qed.
"""


def _controlled(name: str, pick: Random) -> str:
    """V_j(0) of the five corner distributions."""
    j, T = pick.choice([1, 2, 3]), 1 + Fraction(pick.randint(1, 9), pick.randint(2, 5))
    E = 1 + (T - 1) * Fraction(pick.randint(0, 5), 6)
    value = controlled_sum.controlled_sums(controlled_sum.corner_losses(T=T, exp_epsilon=E, share=Fraction(0)), j)[j]
    return f"""Lemma {name}_computed : corner_V_is {two(T)} {two(E)} {j} {two(value)}.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) : V (corner_laws {ratio(T)} {ratio(E)}) {j} 0 = {ratio(value)}.
Proof. exact: corner_V_is_sound {name}_computed. Qed.
"""


def composition(pick: Random, over: int, parts: int) -> list[int]:
    """Positive integers, so many of them, with the sum `over`."""
    cuts = sorted(pick.sample(range(1, over), parts - 1))
    return [high - low for low, high in pairwise([0, *cuts, over])]


def _digits(code: int) -> tuple[int, ...]:
    """The four binary digits of a number, the lowest first: Coq's `bits_code` of them is the number."""
    return tuple(code >> i & 1 for i in range(4))


def randomizer(table: Table) -> LocalRandomizer[int, int]:
    """Return the randomizer whose probabilities are the rows of the table over their sum."""
    laws = {x: Distribution({y: Fraction(weight, sum(row)) for y, weight in enumerate(row)}) for x, row in enumerate(table)}
    return LocalRandomizer(range(len(table)), laws)


def listed(table: Table) -> str:
    """Write a table as a list of lists."""
    return f"[:: {'; '.join(row(each).removesuffix('%N') for each in table)}]"


def _table(name: str, table: Table) -> str:
    return f"Definition {name}_table (x s : nat) : Z := nth 0%Z (nth [::] {listed(table)}%Z x) s.\n"


def row(numbers: Sequence[int]) -> str:
    """Write natural numbers as a list."""
    return f"[:: {'; '.join(map(str, numbers))}]%N"


def two(value: Fraction) -> str:
    """Write a fraction as two integers, as the programs take it."""
    return f"{value.numerator} {value.denominator}"


def ratio(value: Fraction) -> str:
    """Write a fraction as an element of the field R."""
    return f"(of_Z R {value.numerator if value >= 0 else f'({value.numerator})'} / of_Z R {value.denominator})"


def _all(claims: Sequence[str]) -> str:
    """Return what SSReflect splits into as many goals."""
    return claims[0] if len(claims) == 1 else f"[/\\ {', '.join(claims[:-1])}\n    & {claims[-1]}]"


def _split(steps: Sequence[str]) -> str:
    return "\n".join(steps) if len(steps) == 1 else "split.\n" + "\n".join(f"- {step}" for step in steps)
