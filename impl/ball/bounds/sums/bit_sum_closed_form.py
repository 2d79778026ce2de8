"""The closed form for shuffled noisy bits, rounded up: CSUZZ19, Claim 4.6."""

from fractions import Fraction

from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, precision, upper_end
from shuffleproof.spec.vocabulary.errors import RegimeError
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, parse_epsilon, probability

_BITS = 192
"""Working precision in bits; the result is rounded up."""


def epsilon_of_binary_rr(*, n: Number, epsilon0: Number | Epsilon, delta: Number) -> Fraction:
    """Upper bound on epsilon of n shuffled reports of 2RR by Claim 4.6 at lambda = 2n/(e^eps0 + 1) (CSUZZ19).

    n: users, at least 1; epsilon0 at least 0; 0 < delta < 1. With g = lambda - sqrt(2 lambda ln(2/delta)) it is
    sqrt(32 ln(4/delta)/g) (1 - g/n). Raises DomainError; RegimeError where lambda >= 14 ln(4/delta) is not certified.
    """
    users, local, target = count(n, parameter="n"), parse_epsilon(epsilon0), probability(delta, parameter="delta")
    if target in (0, 1):
        raise RegimeError(statement="CSUZZ19.Clm4.6", condition="0 < delta < 1", given=str(target), advice='use method "clones"')
    with precision(_BITS):
        noise, L = 2 * users / (exp_of(local) + 1), ball(4 / target).log()
        if not noise >= 14 * L:
            shown = f"lambda = {float(noise.mid()):.6g} against {float((14 * L).mid()):.6g}"
            raise RegimeError(statement="CSUZZ19.Clm4.6", condition="lambda >= 14 ln(4/delta)", given=shown, advice='use method "clones"')
        g = noise - (2 * noise * ball(2 / target).log()).sqrt()
        return upper_end((32 * L / g).sqrt() * (1 - g / users))
