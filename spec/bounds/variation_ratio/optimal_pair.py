"""The optimal pair V(n, p, beta, q): the least pair that dominates every shuffled sequence of randomizers with these three parameters."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import enumerable, exact_value, integer_order, rational_exp, renyi_of_pair
from shuffleproof.spec.distribution import Distribution, multinomial, product
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import RegimeError, require
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.randomizer_laws import OPTIMAL_PAIR
from shuffleproof.spec.vocabulary.numerals import (
    INFINITE,
    Epsilon,
    Number,
    as_given,
    exact_fraction,
    parse_epsilon,
    probability,
    ratio_bound,
)
from shuffleproof.spec.vocabulary.refusals import infinite_renyi

Counts = tuple[int, int, int]
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

    def special_law(self) -> tuple[Distribution[int], Distribution[int]]:
        """The special user's report on (a, b, d, none): (p alpha, alpha, rho, 0) and (alpha, p alpha, rho, 0).

        alpha = beta/(p - 1), rho = 1 - alpha (p + 1); p alpha = beta, alpha = 0, rho = 1 - beta for infinite p.
        """
        beta = self.clipped_beta()
        alpha = Fraction(0) if self.p is None or self.p == 1 else beta / (self.p - 1)
        p_alpha = alpha + beta
        rho = 1 - alpha - p_alpha
        return Distribution({_A: p_alpha, _B: alpha, _D: rho}), Distribution({_A: alpha, _B: p_alpha, _D: rho})

    def other_law(self) -> Distribution[int]:
        """Every other user's report on (a, b, d, none): (r, r, rho/q, the rest), r = p alpha/q."""
        first, _ = self.special_law()
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
    other = parameters.other_law()
    others = multinomial(n - 1, [other[symbol] for symbol in (_A, _B, _D, _NONE)])
    P, Q = (product(others, special).map(lambda y: _counted(y[0], y[1])) for special in parameters.special_law())
    return P, Q


def delta(*, n: Number, p: Number, beta: Number, q: Number, epsilon: Number | Epsilon) -> Bound:
    """delta of the optimal pair at epsilon, exact: shuffled randomizers with H(p, beta, q) are (epsilon, delta)-DP (BEYOND.ThmF3).

    n: users, 1 to 40; p: at least 1 or "infinity"; beta in [0, 1]; q: at least 1; where they are not known exactly, round all three
    up. epsilon >= 0 with rational exponential ("ln 3").
    Returns a Bound of side "exact" whose claim is an upper bound. Raises DomainError, UnsupportedError, ResourceLimitError.

    >>> delta(n=3, p=4, beta="1/2", q=4, epsilon="ln 2").upper
    Fraction(361, 1728)
    """
    parameters, users, central = parsed(p=p, beta=beta, q=q), enumerable(n, LARGEST_N), parse_epsilon(epsilon)
    profile = PrivacyProfile(*dominating_pair(n=users, parameters=parameters))
    value = profile.delta(exp_epsilon=rational_exp(central, "epsilon"))
    return exact_value(OPTIMAL_PAIR, "delta", value, inputs=as_given(n=n, p=p, beta=beta, q=q, eps=epsilon))


def epsilon(*, n: Number, p: Number, beta: Number, q: Number, delta: Number) -> Bound:
    """Least epsilon at which the optimal pair's delta is at most delta, exact (BEYOND.ThmF3).

    n, p, beta, q: as for `delta`; delta in [0, 1].
    Returns a Bound of side "exact" whose claim is an upper bound. Raises DomainError, ResourceLimitError; RegimeError where p is
    infinite and delta is below the probability that the special report has infinite privacy loss, so that no epsilon is enough.

    >>> epsilon(n=3, p=4, beta="1/2", q=4, delta=0).exact
    'ln 4'
    """
    parameters, users, target = parsed(p=p, beta=beta, q=q), enumerable(n, LARGEST_N), probability(delta, parameter="delta")
    P, Q = dominating_pair(n=users, parameters=parameters)
    exp_epsilon = PrivacyProfile(P, Q).exp_epsilon(delta=target)
    if exp_epsilon is None:
        revealed = sum((weight for counts, weight in P.items() if not Q[counts]), Fraction(0))
        raise RegimeError(
            statement=OPTIMAL_PAIR.statement,
            condition=f"delta >= {revealed}, the probability that the special report has infinite privacy loss, where p is infinite",
            given=f"delta = {delta}",
            advice="no epsilon is enough: ask for a larger delta, or give a finite p that the randomizer meets",
        )
    return exact_value(OPTIMAL_PAIR, "epsilon", exp_epsilon, inputs=as_given(n=n, p=p, beta=beta, q=q, delta=delta))


def parsed(*, p: Number, beta: Number, q: Number) -> Parameters:
    """The parameters from numbers as people write them; p may be "infinity". Raises DomainError."""
    return Parameters(ratio_bound(p, parameter="p"), probability(beta, parameter="beta"), exact_fraction(q, parameter="q"))


def renyi(*, n: Number, p: Number, beta: Number, q: Number, order: Number) -> Bound:
    """Renyi divergence of the optimal pair, the same both ways round: ln of a rational over order - 1 (BEYOND.Renyi).

    n: users, 1 to 40; p: at least 1; beta in [0, 1]; q: at least 1; where they are not known exactly, round all three up; order: an
    integer from 2 to 1000.
    Returns a Bound whose claim is on the upper side; exact for order 2, else enclosed to 200 bits.
    Raises DomainError, UnsupportedError, ResourceLimitError; RegimeError where p is infinite, and with it the divergence.

    >>> renyi(n=1, p=2, beta=1, q=2, order=2).exact
    'ln 3/2'
    """
    parameters = parsed(p=p, beta=beta, q=q)
    return renyi_of_parameters(OPTIMAL_PAIR, parameters, n=n, order=order, inputs=as_given(n=n, p=p, beta=beta, q=q, order=order))


def renyi_of_parameters(method: Method, parameters: Parameters, *, n: Number, order: Number, inputs: Mapping[str, str]) -> Bound:
    """The same where the parameters are known; order and errors as for `renyi`."""
    users, alpha = enumerable(n, LARGEST_N), integer_order(order)
    P, Q = dominating_pair(n=users, parameters=parameters)
    if parameters.p is None and P != Q:
        raise infinite_renyi(method)
    return renyi_of_pair(method, (P, Q), order=alpha, inputs=inputs)


def _counted(others: tuple[int, ...], special: int) -> Counts:
    a, b, d, _ = (count + (symbol == special) for symbol, count in enumerate(others))
    return a, b, d
