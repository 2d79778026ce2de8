"""The optimal pair V(n, p, beta, q): the least pair that dominates every shuffled sequence of randomizers with these three parameters.

>>> delta(n=3, p=4, beta="1/2", q=4, epsilon="ln 2").upper
Fraction(361, 1728)
>>> epsilon(n=3, p=4, beta="1/2", q=4, delta=0).exact, renyi(n=1, p=2, beta=1, q=2, order=2).exact
('ln 4', 'ln 3/2')
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import answers, require_enumerable
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, multinomial, with_one_more
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import OPTIMAL_PAIR
from shuffleproof.spec.vocabulary.numerals import INFINITE
from shuffleproof.spec.vocabulary.refusals import infinite_renyi, no_epsilon_for_optimal_pair

Counts = tuple[int, ...]
LARGEST_N = 40
"""The pair has about n^3/6 outcomes: n = 40 takes seconds."""
_A, _B, _D, _NONE = range(4)


@dataclass(frozen=True, slots=True)
class Parameters:
    """H(p, beta, q): R_0 <= p R_1, R_1 <= p R_0, TV(R_0, R_1) <= beta, and R_0, R_1 <= q R_k for every other user k, at every step.

    p: at least 1, None where it is infinite; beta in [0, 1]; q: at least 1. All exact.
    """

    p: Fraction | None
    beta: Fraction
    q: Fraction

    def __post_init__(self) -> None:
        require(self.p is None or self.p >= 1, parameter="p", value=self.p, requirement=f'at least 1, or "{INFINITE}"')
        require(0 <= self.beta <= 1, parameter="beta", value=self.beta, requirement="in [0, 1]")
        require(self.q >= 1, parameter="q", value=self.q, requirement="at least 1")

    def clipped_beta(self) -> Fraction:
        """min(beta, (p - 1)/(p + 1), q - 1): p, and q where there is another user, bound the total variation too (BEYOND.LemL0)."""
        by_p = Fraction(1) if self.p is None else (self.p - 1) / (self.p + 1)
        return min(self.beta, by_p, self.q - 1)

    def special_distribution(self) -> tuple[Distribution[int], Distribution[int]]:
        """The special user's report on (a, b, d, none): (p alpha, alpha, rho, 0) and (alpha, p alpha, rho, 0).

        alpha = beta/(p - 1), rho = 1 - alpha (p + 1); p alpha = beta, alpha = 0, rho = 1 - beta for infinite p.
        """
        beta = self.clipped_beta()
        alpha = Fraction(0) if self.p is None or self.p == 1 else beta / (self.p - 1)
        p_alpha = alpha + beta
        rho = 1 - alpha - p_alpha
        return Distribution({_A: p_alpha, _B: alpha, _D: rho}), Distribution({_A: alpha, _B: p_alpha, _D: rho})

    def other_distribution(self) -> Distribution[int]:
        """Every other user's report on (a, b, d, none): (r, r, rho/q, the rest), r = p alpha/q."""
        first, _ = self.special_distribution()
        r, rho_over_q = first[_A] / self.q, first[_D] / self.q
        return Distribution({_A: r, _B: r, _D: rho_over_q, _NONE: 1 - 2 * r - rho_over_q})


def dominating_pair(*, n: int, parameters: Parameters) -> tuple[Distribution[Counts], Distribution[Counts]]:
    """Return the distributions P and Q of the counts of (a, b, d) among n - 1 other reports and the special one.  (BEYOND.ThmF3).

    n: number of users, at least 1. For every adaptive sequence of randomizers with H(p, beta, q) at every step, and E >= 0,
    D_E(A(X_0) || A(X_1)) <= D_E(P || Q), and the other way round; and no pair that depends on (n, p, beta, q) only is smaller.
    Raises DomainError outside the domain.
    """
    require(n >= 1, parameter="n", value=n, requirement="an integer of at least 1")
    if n == 1:  # there is no R_k, so that any q is true, even one that would clip beta
        parameters = replace(parameters, q=max(parameters.q, Fraction(2)))
    other = parameters.other_distribution()
    others = multinomial(n - 1, [other[symbol] for symbol in (_A, _B, _D, _NONE)])
    P, Q = (with_one_more(others, special).map(lambda counts: counts[:3]) for special in parameters.special_distribution())
    return P, Q


def profiles_of(parameters: Parameters, n: int) -> list[PrivacyProfile[Counts]]:
    """That of the one pair. Raises ResourceLimitError for more than 40 users."""
    require_enumerable(n, LARGEST_N)
    return [PrivacyProfile(*dominating_pair(n=n, parameters=parameters))]


delta, epsilon, renyi = answers(
    OPTIMAL_PAIR,
    lambda *, n, p, beta, q: profiles_of(Parameters(p, beta, q), n),
    refused=lambda revealed, delta, _: no_epsilon_for_optimal_pair(revealed=revealed, delta=delta),
    refused_renyi=lambda: infinite_renyi(OPTIMAL_PAIR),
)
