"""A theorem of first arrival for the parameters asked for, ready for `coqc`: the default bound of all randomizers by Coq's own integers.

`Grid.delta` does what `arrival_delta_le` of GridLaws.v does, step by step, and gives the least fraction that it accepts. Whatever is
chosen here decides how tight the number is, never whether it holds: Coq compares the distributions on the grid with the exact ones.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count as counted
from math import ceil, log2, sqrt

import numpy as np

from shuffleproof.proofs_check.formal.instance import DIGITS, exponentials, shortened
from shuffleproof.proofs_check.formal.sources import HEAD
from shuffleproof.proofs_check.formal.window import quotient_up
from shuffleproof.spec.bounds.swap.controlled_sum import clones_losses, corner_losses
from shuffleproof.spec.vocabulary.errors import UnsupportedError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, parse_epsilon

LARGEST_N = 2000
"""Users: Coq takes about 20 s for 1000 of them, and as their number to the power 3/2 beyond."""
LEAST_EPSILON0 = Fraction(1, 10)
"""Below it the clones, whose theorem is quicker, are nearly as tight."""
LARGEST_EPSILON0 = 3
"""A step of the grid is at most 1: losses of e^3 span 40 of them."""
MASS_BITS = 10
"""Masses are multiples of 2^-10: with fewer bits Coq adds less, with more epsilon moves by less than 10^-4."""
WHOLE = 2**80
"""Unit of the binomial masses."""
VALUE_BITS = 25
"""What the controlled sum is counted in, beside a step of the grid: rounding up 1000 times costs delta 1.5e-8."""
MOST_VALUE_BITS = 40
"""So that no sum of the grid leaves 63 bits."""
ARRIVALS = 6
"""Expected users of the pool: nobody is in it with probability e^-6, which the clones with what is left make negligible."""
Held = dict[int, int]
"""A distribution on the grid: point -> mass times 2^MASS_BITS."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The parameters of `arrival_delta_le`: steps to a unit of loss, points below and above 0, what values and masses are counted in."""

    n: int
    exp_epsilon0: Fraction
    exp_epsilon: Fraction
    level: Fraction
    steps: int
    value_bits: int
    below: int
    beyond: int
    reach: int = field(init=False)
    pool: list[Held] = field(init=False)
    left: list[Held] = field(init=False)

    def __post_init__(self) -> None:
        given = {"T": self.exp_epsilon0, "exp_epsilon": self.exp_epsilon, "share": self.level}
        pool, left = ([[(x * self.steps, p) for x, p in law] for law in laws(**given)] for laws in (corner_losses, clones_losses))
        object.__setattr__(self, "reach", max(ceil(abs(x)) for law in pool + left for x, _ in law))
        for name, laws in (("pool", pool), ("left", left)):
            object.__setattr__(self, name, _needed([(law, _held(law, self.reach)) for law in laws], self.reach))

    @property
    def delta(self) -> Fraction:
        """The least delta that the program accepts."""
        values, last = self._run(self.pool, self.n - 1), self._run(self.left, self.n)[-1]
        a, b = self.level.as_integer_ratio()
        mass = WHOLE
        for _ in range(self.n - 1):
            mass = quotient_up(mass * (b - a), b)
        total = quotient_up(mass * last, self.n)
        for r in range(1, self.n):
            mass = quotient_up(mass * ((self.n - r) * a), r * (b - a))
            total += quotient_up(mass * values[self.n - 1 - r], self.n - r)
        return Fraction(total, WHOLE * self.steps << self.value_bits)

    def _run(self, laws: list[Held], steps: int) -> list[int]:
        """V_1(0), ..., V_steps(0), rounded up."""
        unit, reach = 1 << self.value_bits, self.reach
        held = np.maximum(np.arange(-self.below, self.beyond + 1, dtype=np.int64), 0) * unit
        found = []
        for _ in range(steps):
            around = np.concatenate([np.full(reach, held[0]), held, held[-1] + unit * np.arange(1, reach + 1)])
            means = [np.sum([mass * around[reach + y : reach + y + len(held)] for y, mass in law.items()], axis=0) for law in laws]
            held = 1 + (np.max(means, axis=0) >> MASS_BITS)
            found.append(int(held[self.below]))
        return found


@dataclass(frozen=True, slots=True)
class Arrival:
    """(epsilon, delta)-DP of n shuffled users, adaptive, with what Coq needs to confirm it."""

    epsilon0: Epsilon
    epsilon: Epsilon
    grid: Grid
    delta: Fraction


def arrival(*, n: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon, delta: Fraction | None = None) -> Arrival:
    """First arrival's delta with one level, rounded up to 12 digits; or a larger delta that is wanted (BEYOND.first-arrival).

    n: users, 2 to 2000; 0.1 <= epsilon0 <= 3; 0 <= epsilon < epsilon0. An irrational exponential is replaced by a rational within 2^-60
    of it, above for epsilon0 and below for epsilon. Raises DomainError, and UnsupportedError where delta is 1, or above the wanted one.
    """
    users = count(n, parameter="n", minimum=2, maximum=LARGEST_N)
    local, central = parse_epsilon(epsilon0, parameter="epsilon0"), parse_epsilon(epsilon)
    within = parse_epsilon(LEAST_EPSILON0) <= local <= parse_epsilon(LARGEST_EPSILON0)
    require(within, parameter="epsilon0", value=str(local), requirement=f"from {float(LEAST_EPSILON0)} to {LARGEST_EPSILON0} here")
    require(central < local, parameter="epsilon", value=str(central), requirement=f"less than the local one, {local}")
    _, T, E = exponentials(local, central)
    level = Fraction(round(1e6 * min(ARRIVALS / users, 0.5 / (float(T) + 1))), 10**6)
    value_bits, depth = VALUE_BITS, 1.0
    for _ in range(3):
        # Two losses' standard deviations are about T - 1; a window of some sqrt(n) of them, wider for a small delta.
        spread = sqrt(float(sum(p * x * x for x, p in corner_losses(T=T, exp_epsilon=E, share=level)[1])))
        steps = max(1, round(2.4 / spread))
        width = depth * spread * steps * sqrt(users)
        grid = Grid(users, T, E, level, steps, value_bits, ceil(1.4 * width) + 10, ceil(1.8 * width) + 10)
        found = grid.delta
        more = max(0, ceil(-log2(max(2e6 * float(found), 1e-15))))
        if found >= 1 or value_bits == min(VALUE_BITS + more, MOST_VALUE_BITS):
            break
        value_bits, depth = min(VALUE_BITS + more, MOST_VALUE_BITS), sqrt(1 + more / 20)
    if found >= 1:
        raise UnsupportedError(what="a formal theorem", reason="delta is 1, which says nothing", advice="more users, or a smaller epsilon0")
    if delta is not None and found > delta:
        raise UnsupportedError(what=f"delta = {delta}", reason=f"the grid confirms {float(found):.3g} only", advice="a larger one")
    return Arrival(local, central, grid, shortened(found, digits=DIGITS) if delta is None else delta)


def theorem(made: Arrival, *, name: str) -> str:
    """The theorem in Coq's language, with the computation that the kernel repeats."""
    grid = made.grid
    (t, u), (e, f), (a, b) = (x.as_integer_ratio() for x in (grid.exp_epsilon0, grid.exp_epsilon, grid.level))
    numerator, denominator = made.delta.as_integer_ratio()
    counted_in = f"{grid.steps} {MASS_BITS} {1 << grid.value_bits} {WHOLE} {grid.reach} {grid.below} {grid.beyond}"
    local, above = _exponential(made.epsilon0, "T", (t, u), above=True)
    central, below = _exponential(made.epsilon, "E", (e, f), above=False)
    return f"""(* n = {grid.n}, epsilon0 = {made.epsilon0}, epsilon = {made.epsilon}; delta is about {float(made.delta):.6g}. *)
Lemma {name}_computed : arrival_delta_le {grid.n - 1} {t} {u} {e} {f} {a} {b} {numerator} {denominator} {counted_in}
  {_listed(grid.pool)}
  {_listed(grid.left)} {grid.n}.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) :
  {local} -> {central} -> ldp T randomizers ->
  private E (of_Z R {numerator} / of_Z R {denominator}) (fun w : {grid.n}.-tuple D => shuffled randomizers w).
Proof.
move=> T_is E_is local_privacy.
have T_le : T <= of_Z R {t} / of_Z R {u} by {above}.
have E_ge : of_Z R {e} / of_Z R {f} <= E by {below}.
exact: (private_by_arrival {name}_computed T_le E_ge local_privacy).
Qed.
"""


def module(made: Arrival, *, name: str, says: str) -> str:
    """A whole file: one theorem."""
    return f"""(* {says}
   It says: if no randomizer's law on one input exceeds T times its law on another, then what n shuffled users send is
   (epsilon, delta)-DP with e^epsilon = E, for every adaptive sequence of such randomizers.  (BEYOND.first-arrival)
   Written by `proofs_check/formal/arrival.py`. *)
{HEAD.format(modules="Definitions Programs Integers GridLaws ControlledNumbers Exponential")}{theorem(made, name=name)}"""


def _exponential(epsilon: Epsilon, power: str, rational: tuple[int, int], *, above: bool) -> tuple[str, str]:
    """How e^epsilon is said: by its series for a rational epsilon up to 1, else by the rational; and how that gives the rational."""
    given = "T_is" if above else "E_is"
    if epsilon.rational is None or epsilon.exp is not None or epsilon.rational > 1:
        x = f"of_Z R {rational[0]} / of_Z R {rational[1]}"
        return (f"T <= {x}" if above else f"{x} <= E"), f"exact: {given}"
    p, q = epsilon.rational.as_integer_ratio()
    terms = next(k for k in counted() if _told(epsilon.rational, k, above=above, rational=Fraction(*rational)))
    route = "exp_at_most" if above else "exp_at_least"
    told = f"(@{route} R {p} {q} {terms} {rational[0]} {rational[1]} {power} (erefl true))"
    if epsilon.rational == 1:
        return f"is_exp 1 {power}", f"apply: {told}; rewrite of_Z1 divr1; exact: {given}"
    return f"is_exp (of_Z R {p} / of_Z R {q}) {power}", f"exact: ({told} {given})"


def _told(x: Fraction, terms: int, *, above: bool, rational: Fraction) -> bool:
    """Return whether so many terms of e^x's series put it on the rational's side."""
    term = total = Fraction(1)
    for k in range(1, terms + 1):
        term *= x / k
        total += term
    return total + 2 * term * x / (terms + 1) <= rational if above else rational <= total


def _hinge(law: list[tuple[Fraction, Fraction]], z: int) -> Fraction:
    return sum((p * max(x - z, Fraction(0)) for x, p in law), Fraction(0)) * (1 << MASS_BITS)


def _held(law: list[tuple[Fraction, Fraction]], reach: int) -> Held:
    """The least distribution on the grid whose mean positive parts are above these, as far as multiples of 2^-MASS_BITS let it."""
    found: Held = {}
    tail = hinge = 0
    for point in range(reach, -reach - 1, -1):
        mass = max(tail, ceil(_hinge(law, point - 1)) - hinge) if point > -reach else (1 << MASS_BITS)
        if mass > tail:
            found[point] = mass - tail
        tail, hinge = mass, hinge + mass
    return found


def _needed(laws: list[tuple[list[tuple[Fraction, Fraction]], Held]], reach: int) -> list[Held]:
    """Leave out what is above a distribution that another one is above as well."""
    kept = list(range(len(laws)))
    for i in range(len(laws)):
        if any(j != i and _is_above(laws[j][1], laws[i][0], reach) for j in kept):
            kept.remove(i)
    return [laws[i][1] for i in kept]


def _is_above(held: Held, law: list[tuple[Fraction, Fraction]], reach: int) -> bool:
    return all(_hinge(law, z) <= sum(mass * max(y - z, 0) for y, mass in held.items()) for z in range(-reach, reach + 1))


def _listed(laws: list[Held]) -> str:
    return f"[:: {'; '.join('[:: ' + '; '.join(f'({y}, {mass})' for y, mass in law.items()) + ']' for law in laws)}]%Z"
