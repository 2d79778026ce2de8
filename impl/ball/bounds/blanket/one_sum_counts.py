"""E[(L_1 + ... + L_n)_+]/n certified by all counts of the atoms, for few users and atoms: nothing but roundings is left open.

A sum is decided by how often each atom comes up, with its multinomial mass. Grids, which are for many users, may settle nothing where a
rare atom decides.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from flint import arb, fmpz

from shuffleproof.impl.ball.bounds.blanket.one_sum import Atom, Sides
from shuffleproof.impl.ball.numeric.arithmetic import lower_end, upper_end
from shuffleproof.impl.ball.numeric.budget import spend

MOST = 200_000
"""Terms, of which one takes a microsecond or two, where the sum can be positive at all."""
_EACH = 2.0
"""Units of work (evaluation.spend) of a term, about microseconds: decides only when an answer is refused as too costly."""


def terms(atoms: Sequence[Atom], n: int) -> int:
    """How many counts there are of these atoms, and of a loss of 0."""
    return math.comb(n + len(_that_count(atoms)), n)


def enclose(atoms: Sequence[Atom], *, n: int) -> Sides:
    """Both sides for n >= 1 reports. atoms: balls; with the probability that is left L = 0. Works at the current precision."""
    spend(terms(atoms, n), each=_EACH, bits=0, what=f"certified sums of losses for n = {n}")
    atoms = sorted(_that_count(atoms), key=lambda atom: float(atom[1].mid()))
    masses = [mass for mass, _, _ in atoms]
    rest = 1 - sum(masses, arb(0))
    masses.append(rest if rest > 0 else rest.max(arb(0)))
    above = _positive(masses, [at for _, at, _ in atoms], n)
    same = all(at.mid() == worth.mid() and at.rad() == worth.rad() for _, at, worth in atoms)
    below = above if same else _positive(masses, [worth for _, _, worth in atoms], n)
    return Sides(max(lower_end(below), Fraction(0)), upper_end(above), upper_end(above) - lower_end(above))


def _that_count(atoms: Sequence[Atom]) -> list[Atom]:
    return [(mass, at, worth) for mass, at, worth in atoms if not (at.is_zero() and worth.is_zero())]


def _positive(masses: Sequence[arb], places: Sequence[arb], n: int) -> arb:
    """Over the atoms that come up, the least losses first; 0, the last one, takes what is left. Sums that stay below 0 are left out.

    No deeper than there are reports: atoms that do not come up are passed over in a loop.
    """
    weights = [[arb(1)] for _ in masses]  # p^c/c!
    for mass, row in zip(masses, weights, strict=True):
        for c in range(1, n + 1):
            row.append(row[-1] * mass / c)
    zero = arb(0)
    largest = zero  # at least what one further report adds
    for place in places:
        largest = largest.max(place)

    def over(first: int, left: int, at: arb) -> arb:
        found = weights[-1][left] * at.max(zero)
        for index in range(first, len(places) if left else first):
            place = places[index]
            for c in range(1, left + 1):
                here = at + place * c
                if place < 0 and here + largest * (left - c) < 0:  # and so with larger c
                    break
                found += over(index + 1, left - c, here) * weights[index][c]
        return found

    return over(0, n, zero) * arb(fmpz(math.factorial(n))) / n
