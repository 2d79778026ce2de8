"""Lemma 3.3 and Theorem 3.2 as polynomial identities: unknown probabilities, so that one identity settles every randomizer.

Fix an output z_1, ..., z_n. With a_i = R^(i)(z_(1:i-1), x_1^0)(z_i), b_i the same for x_1^1 and l_ij = LO^(i)(z_(1:i-1), x_j)(z_i), both
A_s(X_b)(z) and the distribution of Algorithm 1 at z are polynomials in these numbers: adaptivity only says which numbers they are.
"""

from fractions import Fraction
from itertools import permutations, product
from math import comb, factorial, prod
from typing import Any

import sympy
from sympy.polys.rings import ring

from shuffleproof.proofs_check.ledger.methods import symbolic

Polynomial = Any


class Unknowns:
    """The unknown probabilities of n places: p, a_i, b_i and l_ij, as generators of one polynomial ring."""

    def __init__(self, n: int) -> None:
        names = ["p", *(f"a{i}" for i in range(n)), *(f"b{i}" for i in range(n)), *(f"l{i}_{j}" for i in range(n) for j in range(1, n))]
        self.ring, *generators = ring(names, sympy.QQ)
        known = dict(zip(names, generators, strict=True))
        self.n, self.p = n, known["p"]
        self.first = ([known[f"a{i}"] for i in range(n)], [known[f"b{i}"] for i in range(n)])
        self.left_over = {(i, j): known[f"l{i}_{j}"] for i in range(n) for j in range(1, n)}

    def rational(self, x: Fraction) -> Polynomial:
        """A rational number as an element of the ring."""
        return self.ring.domain_new(sympy.QQ(x.numerator, x.denominator))

    def randomized(self, i: int, j: int) -> Polynomial:
        """R^(i)(z_(1:i-1), x_j)(z_i) by equation (2), for user j >= 1 (users and places count from 0)."""
        half = self.rational(Fraction(1, 2)) * self.p
        return half * self.first[0][i] + half * self.first[1][i] + (1 - self.p) * self.left_over[i, j]

    def shuffled(self, bit: int) -> Polynomial:
        """A_s(X_bit)(z): the average over all orders of the product over the places."""
        total = self.ring.zero
        for order in permutations(range(self.n)):
            total += prod((self.randomized(i, j) if j else self.first[bit][i] for i, j in enumerate(order)), start=self.ring.one)
        return total * self.rational(Fraction(1, factorial(self.n)))

    def algorithm1(self, y: tuple[int, ...], *, with_replacement: bool = False) -> Polynomial:
        """Algorithm 1's distribution at z on input y, not all 2: the average over the choices of data points for the places with a 2."""
        places = [i for i, kind in enumerate(y) if kind == 2]
        users = range(1, self.n)
        choices = list(product(users, repeat=len(places)) if with_replacement else permutations(users, len(places)))
        clones = prod((self.first[kind][i] for i, kind in enumerate(y) if kind != 2), start=self.ring.one)
        total = self.ring.zero
        for choice in choices:
            total += prod((self.left_over[i, j] for i, j in zip(places, choice, strict=True)), start=self.ring.one)
        return total * clones * self.rational(Fraction(1, len(choices)))

    def of_counts(self, zeros: int, ones: int, *, with_replacement: bool = False) -> Polynomial:
        """f(zeros, ones)(z): Algorithm 1 on a uniformly random arrangement."""
        base = (0,) * zeros + (1,) * ones + (2,) * (self.n - zeros - ones)
        arrangements = sorted(set(permutations(base)))
        total = sum((self.algorithm1(y, with_replacement=with_replacement) for y in arrangements), start=self.ring.zero)
        return total * self.rational(Fraction(1, len(arrangements)))

    def post_processed(self, bit: int, *, trials: int, with_replacement: bool = False) -> Polynomial:
        """The distribution at z of f(A + 1 - bit, C - A + bit), C ~ Bin(trials, p), A ~ Bin(C, 1/2)."""
        total = self.ring.zero
        for c in range(trials + 1):
            weight = self.rational(Fraction(comb(trials, c), 2**c)) * self.p**c * (1 - self.p) ** (trials - c)
            for a in range(c + 1):
                counts = (a + 1 - bit, c - a + bit)
                total += weight * comb(c, a) * self.of_counts(*counts, with_replacement=with_replacement)
        return total


def coefficients_agree(*, clone_count_shift: int = 0) -> bool:
    """The coefficients of both sides of Lemma 3.3 agree for every n: a quotient of factorials in n and the counts that is 1.

    A monomial names the places with 0, 1 and 2 (z_0, z_1, z_2 of them) and one data point for each 2. In A_s(X_0)(z) it arises from
    z_0 places for user 1 and (z_0 + z_1 - 1)! ways to spread the other clones, out of n!; on the other side from the counts' probability,
    one arrangement in n!/(z_0! z_1! z_2!) and one choice in (n - 1)!/(n - 1 - z_2)!. Powers of p, 1 - p and 1/2 are the same.
    """
    z0, z1, z2 = sympy.symbols("z0 z1 z2", integer=True, positive=True)
    n, f = z0 + z1 + z2, sympy.factorial
    c = z0 + z1 - 1 + clone_count_shift
    counts = f(n - 1) / (f(c) * f(n - 1 - c)) * f(c) / (f(z0 - 1) * f(z1))
    arranged = f(z0) * f(z1) * f(z2) / f(n)
    chosen = f(n - 1 - z2) / f(n - 1)
    in_shuffle = z0 * f(z0 + z1 - 1) / f(n)
    return symbolic.is_one_by_gammas(counts * arranged * chosen / in_shuffle)


def lemma_33(n: int, *, with_replacement: bool = False) -> bool:
    """Return whether Lemma 3.3 holds for n users at every output, for all p, randomizers and left-over distributions."""
    u = Unknowns(n)
    sides = ((u.shuffled(b), u.post_processed(b, trials=n - 1, with_replacement=with_replacement)) for b in (0, 1))
    return all(symbolic.are_equal_polynomials(left, right) for left, right in sides)


def equation_6(n: int, *, swapped: bool = False) -> bool:
    """Return whether A_s(X_0) = T/(T+1) A_Q(X_0) + 1/(T+1) A_Q(X_1) for n users at every output, by (3) and (4); likewise A_s(X_1).

    Multiplied by T + 1: each term has one factor of user 1, which is T q_0 + q_1 or q_0 + T q_1 over T + 1.
    """
    names = ["T", *(f"q{b}_{i}" for b in (0, 1) for i in range(n)), *(f"r{i}_{j}" for i in range(n) for j in range(1, n))]
    polynomials, *generators = ring(names, sympy.QQ)
    known = dict(zip(names, generators, strict=True))
    T, q = known["T"], [[known[f"q{b}_{i}"] for i in range(n)] for b in (0, 1)]

    def shuffled(first: list[Polynomial]) -> Polynomial:
        total = polynomials.zero
        for order in permutations(range(n)):
            total += prod((known[f"r{i}_{j}"] if j else first[i] for i, j in enumerate(order)), start=polynomials.one)
        return total

    a0, a1 = shuffled(q[0]), shuffled(q[1])
    from_0, from_1 = (shuffled([T * x + y for x, y in zip(q[b], q[1 - b], strict=True)]) for b in (0, 1))
    expected = (T * a0 + a1, a0 + T * a1)
    sides = zip((from_0, from_1), expected[::-1] if swapped else expected, strict=True)
    agree = [symbolic.are_equal_polynomials(left, right) for left, right in sides]
    return all(agree)
