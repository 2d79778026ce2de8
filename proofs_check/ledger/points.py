"""The numbers that many checks share: their working precision, and points at which what is enumerated is compared."""

from fractions import Fraction

BITS = 128
"""Working precision of a check's balls, in bits, in which every check runs: some 38 digits, where what is compared differs in its first
ten or so. A check that needs more asks for it.

With too few the ends of two balls overlap, and a comparison is undecided or fails; it is never wrong.
"""
ORDERS = (Fraction(1), Fraction(3, 2), Fraction(3))
"""e^epsilon at which divergences of small distributions are compared: epsilon = 0, where it is total variation, and a smaller and a larger
one."""
NUDGE = Fraction(1, 10**6)
"""How far below the least delta, or order, a claim is asked again and must be false: any positive number would do."""
ZERO = Fraction(0)
"""No probability, and the smaller part of a positive part."""
ONE = Fraction(1)
"""The whole probability, and a factor that changes nothing."""
HALF = Fraction(1, 2)
"""The probability of a fair coin."""
TENTH = Fraction(1, 10)
"""The accuracy alpha, and the probability of failure beta, at which tables of sample sizes are computed."""
