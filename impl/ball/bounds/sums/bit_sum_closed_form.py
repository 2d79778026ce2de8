"""The closed form for shuffled noisy bits, rounded up: CSUZZ19, Claim 4.6."""

from fractions import Fraction

from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, precision, upper_end
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.errors import RegimeError
from shuffleproof.spec.vocabulary.numerals import Epsilon, parse_epsilon
from shuffleproof.spec.vocabulary.parameters import DELTA, N

_BITS = 192
"""Working precision in bits; the result is rounded up."""


@reads(N, DELTA, epsilon0=parse_epsilon)
def epsilon_of_binary_rr(*, n: int, epsilon0: Epsilon, delta: Fraction) -> Fraction:
    """Upper bound on epsilon of n shuffled reports of 2RR by Claim 4.6 at lambda = 2n/(e^eps0 + 1) (CSUZZ19).

    n: users, at least 1; epsilon0 at least 0; 0 < delta < 1. With g = lambda - sqrt(2 lambda ln(2/delta)) it is
    sqrt(32 ln(4/delta)/g) (1 - g/n). Raises DomainError; RegimeError where lambda >= 14 ln(4/delta) is not certified.
    """
    if delta in (0, 1):
        raise RegimeError(statement="CSUZZ19.Clm4.6", condition="0 < delta < 1", given=str(delta), advice='use method "clones"')
    with precision(_BITS):
        noise, L = 2 * n / (exp_of(epsilon0) + 1), ball(4 / delta).log()
        if not noise >= 14 * L:
            shown = f"lambda = {float(noise.mid()):.6g} against {float((14 * L).mid()):.6g}"
            raise RegimeError(statement="CSUZZ19.Clm4.6", condition="lambda >= 14 ln(4/delta)", given=shown, advice='use method "clones"')
        g = noise - (2 * noise * ball(2 / delta).log()).sqrt()
        return upper_end((32 * L / g).sqrt() * (1 - g / n))
