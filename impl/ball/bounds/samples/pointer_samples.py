"""Numbers of samples that pointer chasing and pointer jumping certainly need (BC20, Table 2): privately at all, and in the local model.

Local, one round (BC20.Tab2-local): the messages of the n/h users in expectation who hold the last permutation or level do not depend on
which of its entries matters. Give every entry, or every pair of entries, an independent bit: what these messages reveal of all the bits
together bounds the sum of what they reveal of each, and a right answer reveals each one's to an extent of kl(SUCCESS || 1/s).
Any model (BC20.Tab2-private): only the samples of that one item, Bin(n, 1/h) of them, change between instances: group privacy.
"""

import math
from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.samples.necessary_samples import not_excluded
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, precision, surely_less
from shuffleproof.impl.ball.numeric.binomial import relative_entropy
from shuffleproof.spec.vocabulary.errors import require

SUCCESS = Fraction(99, 100)
"""Probability of a right answer for which BC20's Table 2 asks."""
LARGEST_N = 10**9
"""Samples up to which a search goes."""
_BITS = 128
"""Working precision in bits: 38 digits, where a whole number of samples is decided."""


def local_pointer_chasing(*, length: int, epsilon: Fraction) -> int:
    """PC(2, l) or PC(3, l), every user eps-DP, one round: n >= 2 floor(l/2) kl(SUCCESS || 1/2)/(2 ln cosh(eps/2)).

    length: l, at least 2; epsilon > 0. Returns the least n that this does not exclude. Raises DomainError.
    """
    require(length >= 2, parameter="length", value=length, requirement="an integer of at least 2")
    return _of_bits(2 * (length // 2), 2, epsilon)


def local_pointer_jumping(*, s: int, h: int, epsilon: Fraction) -> int:
    """MPJ(s, h), every user eps-DP, one round: n >= h s^(h - 1) kl(SUCCESS || 1/s)/(2 ln cosh(eps/2)).

    s >= 2; h >= 1; epsilon > 0. Returns the least n that this does not exclude. Raises DomainError.
    """
    require(s >= 2, parameter="s", value=s, requirement="an integer of at least 2")
    require(h >= 1, parameter="h", value=h, requirement="an integer of at least 1")
    return _of_bits(h * s ** (h - 1), s, epsilon)


def private(*, h: int, answers: int, epsilon: Fraction, delta: Fraction) -> int:
    """Any (epsilon, delta)-DP solver, central or shuffled: SUCCESS <= E min(1, e^(S eps)/answers + delta_S), S ~ Bin(n, 1/h).

    delta_S = delta (e^(S eps) - 1)/(e^eps - 1). h: elements of the support, at least 1; answers: instances with different answers that
    differ in one element only (l for PC(k, l), k = 1, 2; s for MPJ(s, h)), at least 2; epsilon > 0; delta in [0, 1).
    Returns the least n that this does not exclude. Raises DomainError.
    """
    require(h >= 1, parameter="h", value=h, requirement="an integer of at least 1")
    require(answers >= 2, parameter="answers", value=answers, requirement="an integer of at least 2")
    require(0 <= delta < 1, parameter="delta", value=delta, requirement="at least 0 and below 1")
    require(epsilon > 0, parameter="epsilon", value=epsilon, requirement="above 0")
    with precision(_BITS):
        return not_excluded(lambda n: _excluded(n, h, answers, epsilon, delta), most=LARGEST_N)


def message_information(epsilon: Fraction) -> arb:
    """ln(1 + (e^eps - 1)^2/(4 e^eps)) = 2 ln cosh(eps/2): the most an eps-DP message reveals of its user's value, in nats."""
    return 2 * ball(epsilon / 2).cosh().log()


def _of_bits(entries: int, choices: int, epsilon: Fraction) -> int:
    require(epsilon > 0, parameter="epsilon", value=epsilon, requirement="above 0")
    with precision(_BITS + entries.bit_length()):
        needed = relative_entropy(ball(SUCCESS), ball(Fraction(1, choices)))
        return max(1, math.ceil(lower_end(entries * needed / message_information(epsilon))))


def _excluded(n: int, h: int, answers: int, epsilon: Fraction, delta: Fraction) -> bool:
    """Return whether the mean of the bound on Pr[right], which does not fall with n, is certainly below SUCCESS."""
    step, share = ball(epsilon).exp(), Fraction(1, h)
    mass = arb(1) if h == 1 else (1 - ball(share)) ** n
    odds = arb(0) if h == 1 else ball(share / (1 - share))
    reached, left, grown = arb(0), arb(1), arb(1)
    for changed in range(n + 1):
        right = grown / answers + ball(delta) * (grown - 1) / (step - 1)
        if not surely_less(right, arb(1)):
            break
        grown = grown * step
        if h == 1:
            if changed == n:
                reached, left = right, arb(0)
            continue
        reached, left = reached + mass * right, left - mass
        mass = mass * odds * (n - changed) / (changed + 1)
    else:
        left = arb(0)
    return surely_less(reached + left, ball(SUCCESS))
