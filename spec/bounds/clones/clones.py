"""The clones pair, the dominating pair of FMT21, Theorem 3.2, and its stronger form, with their exact privacy profiles.

>>> delta(n=2, epsilon0="ln 4", epsilon=0).exact, stronger_clones.delta(n=2, epsilon0="ln 4", epsilon=0).exact
('0.525', '0.48')
>>> epsilon(n=3, epsilon0="ln 3", delta=0).exact
'ln 3'
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import answers
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, bernoulli, binomial, product
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import CLONES, STRONGER_CLONES

Counts = tuple[int, int]
LARGEST_N = 300
"""The pair has n(n+1)/2 + n outcomes of n log2(e^epsilon0) bits each: n = 300 takes seconds."""
LARGEST_N_RENYI = 100
"""Every outcome is raised to the order: n = 100 and order 32 take seconds."""


@dataclass(frozen=True)
class Clones:
    """A pair in which another user is a clone of either dataset's user with probability clone(e^epsilon0)."""

    method: Method
    clone: Callable[[Fraction], Fraction]

    def dominating_pair(self, *, n: int, exp_epsilon0: Fraction) -> tuple[Distribution[Counts], Distribution[Counts]]:
        """The distributions of P = (A + Delta, C - A + 1 - Delta) and Q = (A + 1 - Delta, C - A + Delta).

        C ~ Bin(n - 1, clone), A ~ Bin(C, 1/2), Delta ~ Bern(e^eps0/(e^eps0 + 1)).  (FMT21, Theorem 3.2)

        n: number of users, at least 1; exp_epsilon0: e^epsilon0 >= 1, exact. For neighbouring X_0, X_1 and every adaptive sequence of
        eps0-DP local randomizers its divergences bound those of A_s(X_0) and A_s(X_1). Raises DomainError outside the domain.
        """
        require(n >= 1, parameter="n", value=n, requirement="an integer of at least 1")
        require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
        T = Fraction(exp_epsilon0)
        c_and_a = binomial(n - 1, self.clone(T)).then(lambda c: binomial(c, Fraction(1, 2)).map(lambda a: (c, a)))
        with_delta = product(c_and_a, bernoulli(T / (T + 1)))
        P = with_delta.map(lambda y: _counts_under_p(*y[0], y[1]))
        Q = with_delta.map(lambda y: _counts_under_q(*y[0], y[1]))
        return P, Q

    def profiles(self, *, n: int, exp_epsilon0: Fraction) -> list[PrivacyProfile[Counts]]:
        """That of the pair alone, which is its own mirror image."""
        return [PrivacyProfile(*self.dominating_pair(n=n, exp_epsilon0=exp_epsilon0))]

    delta, epsilon, renyi = answers(None, profiles, largest_n=LARGEST_N, largest_n_renyi=LARGEST_N_RENYI)


FMT21 = Clones(CLONES, lambda T: 1 / T)
"""The pair of FMT21, Theorem 3.2."""
stronger_clones = Clones(STRONGER_CLONES, lambda T: 2 / (T + 1))
"""The pair in which every other user is a clone as often as possible (FMT23, the general pair; BEYOND.CorF2, a case of BEYOND.ThmF3)."""
dominating_pair, delta, epsilon, renyi = FMT21.dominating_pair, FMT21.delta, FMT21.epsilon, FMT21.renyi


def _counts_under_p(c: int, a: int, bit: int) -> Counts:
    return a + bit, c - a + 1 - bit


def _counts_under_q(c: int, a: int, bit: int) -> Counts:
    return a + 1 - bit, c - a + bit
