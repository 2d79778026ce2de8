"""What methods refuse, and where: each refusal names the condition, what was given, and what to ask instead."""

from shuffleproof.spec.vocabulary.errors import RegimeError, UnsupportedError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.clones import (
    APPROX_CLONES,
    APPROX_CLONES_CLOSED_FORM,
    CLONES,
    CLONES_CLOSED_FORM,
    K_RR_CLONES,
    K_RR_CLOSED_FORM,
)
from shuffleproof.spec.vocabulary.methods.protocols import (
    BINOMIAL_SUM,
    DISCRETE_GAUSSIAN_SUM,
    FAKE_USERS,
    HISTOGRAM,
    SPLIT_AND_MIX,
    ZERO_SUM,
)
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import GAUSSIAN_BLANKET, OPTIMAL_PAIR
from shuffleproof.spec.vocabulary.numerals import Number, count

_NEARER = ", or bring p nearer to 1/2"


def _refusal(method: Method, condition: str, *, given: str, advice: str) -> RegimeError:
    return RegimeError(statement=method.statement, condition=condition, given=given, advice=advice)


def _outside(method: Method, condition: str, *, given: str, use: Method) -> RegimeError:
    """A closed form beyond its condition. use: the method whose sum it bounds."""
    return _refusal(method, condition, given=given, advice=f'use method "{use.name}" (numerical), which has no such condition')


def _no_epsilon(method: Method, condition: str, *, delta: str, more: str = "") -> RegimeError:
    """A delta below what no epsilon bounds. more: what would also do."""
    return _refusal(method, condition, given=f"delta = {delta}", advice=f"no epsilon is enough: ask for a larger delta{more}")


def outside_closed_form(*, limit: str, epsilon0: str) -> RegimeError:
    """The refusal of Theorem 3.1 beyond its own condition on epsilon0."""
    return _outside(CLONES_CLOSED_FORM, f"eps0 <= ln(n / (16 ln(2/delta))) = {limit}", given=epsilon0, use=CLONES)


def outside_approx_closed_form(*, inner: str, epsilon0: str) -> RegimeError:
    """The refusal of Theorem 3.8's closed form. inner: an upper bound on what delta0 leaves of delta."""
    condition = "eps0 <= ln(n / (16 ln(2/delta'))) with delta' > 0, the part of delta that delta0 leaves"
    return _outside(APPROX_CLONES_CLOSED_FORM, condition, given=f"eps0 = {epsilon0}, delta' at most {inner}", use=APPROX_CLONES)


def outside_k_rr_closed_form(*, needed: str, n: str) -> RegimeError:
    """The refusal of Corollary 4.2 beyond the condition with which it holds. needed: the least n."""
    return _outside(K_RR_CLOSED_FORM, f"n >= 2.515 (k + 1)(e^eps0 + k - 1) ln(2/delta)/k = {needed}", given=f"n = {n}", use=K_RR_CLONES)


def no_epsilon_for_zero_sum(*, revealed: str, delta: str) -> RegimeError:
    """The refusal of a delta below the probability that the number of messages gives the dataset away. revealed: that probability."""
    return _no_epsilon(ZERO_SUM, f"delta >= max(p^n, (1 - p)^n) = {revealed}", delta=delta, more=_NEARER)


def no_epsilon_for_binomial_sum(*, revealed: str, delta: str) -> RegimeError:
    """The refusal of a delta below the probability that heads, or tails, are so few that the sum gives the data away."""
    condition = f"delta >= the chance of fewer heads, or tails, than the sensitivity, {revealed}"
    return _no_epsilon(BINOMIAL_SUM, condition, delta=delta, more=", more coins, or p nearer to 1/2")


def too_few_shares(*, delta: str) -> RegimeError:
    """The refusal of a delta that the distance of mixed shares alone exceeds."""
    condition = "delta >= (1 + e^epsilon0) times the distance of the shares from uniform ones with their sum"
    advice = "no epsilon is shown to be enough: send more messages each, or ask for a larger delta"
    return _refusal(SPLIT_AND_MIX, condition, given=f"delta = {delta}", advice=advice)


def no_epsilon_for_histogram(*, revealed: str, delta: str) -> RegimeError:
    """The refusal of a delta below the probability that one of two counts gives the dataset away. revealed: that probability."""
    return _no_epsilon(HISTOGRAM, f"delta >= p^n + (1 - p)^n - (p (1 - p))^n = {revealed}", delta=delta, more=_NEARER)


def no_epsilon_for_fake_users(*, delta: str, revealed: str = "") -> RegimeError:
    """The same with f fake users. revealed: that probability, where it is known."""
    condition = f"delta >= p^f + (1 - p)^f - (p (1 - p))^f{revealed and f' = {revealed}'}"
    return _no_epsilon(FAKE_USERS, condition, delta=delta, more=", or more fakes")


def require_two_items(k: Number) -> None:
    """k-RR over all datasets for many users. Raises DomainError, and UnsupportedError where k is not 2."""
    if count(k, parameter="k", minimum=2) != 2:
        reason, advice = "which datasets are worst is known for k = 2 alone", 'use engine "exact" for up to 6 users, or k-rr-blanket'
        raise UnsupportedError(what="all neighbouring datasets of k-RR with k > 2", reason=reason, advice=advice)


def no_epsilon_for_bit_sum(method: Method, *, delta: str) -> RegimeError:
    """The refusal of lambda = 0, where the number of ones gives the dataset away. method: of the bit sum or a real sum."""
    advice = "no epsilon is enough without noise: ask for a larger lambda"
    return _refusal(method, "lambda > 0 or delta = 1", given=f"lambda = 0 and delta = {delta}", advice=advice)


def no_renyi_without_noise(method: Method) -> RegimeError:
    """The refusal of a Renyi divergence where lambda = 0. method: of the bit sum or a real sum."""
    advice = "every Renyi divergence is infinite without noise: ask for a larger lambda"
    return _refusal(method, "lambda > 0", given="lambda = 0", advice=advice)


def no_epsilon_for_approx_clones(method: Method, *, delta0: str, delta: str) -> RegimeError:
    """The refusal of a delta below delta0."""
    advice = "a randomizer may give its input away with probability delta0, so no epsilon is enough: ask for a larger delta"
    return _refusal(method, f"delta >= delta0 = {delta0}", given=f"delta = {delta}", advice=advice)


def no_epsilon_at_zero() -> RegimeError:
    """The refusal of delta = 0 where one report's loss has no bound."""
    advice = "with Gaussian noise no epsilon is enough: ask for a larger delta"
    return _refusal(GAUSSIAN_BLANKET, "delta > 0", given="delta = 0", advice=advice)


def no_epsilon_for_discrete_gaussian_sum() -> RegimeError:
    """The refusal of delta = 0 for a sum of discrete Gaussians."""
    advice = "no epsilon is enough: the likelihood ratio of Gaussian noise has no bound"
    return _refusal(DISCRETE_GAUSSIAN_SUM, "delta > 0", given="delta = 0", advice=advice)


def no_epsilon_for_optimal_pair(*, revealed: object, delta: str) -> RegimeError:
    """The refusal of a delta below the probability that the special report has infinite privacy loss. revealed: that probability."""
    condition = f"delta >= {revealed}, the probability that the special report has infinite privacy loss, where p is infinite"
    return _no_epsilon(OPTIMAL_PAIR, condition, delta=delta, more=", or give a finite p that the randomizer meets")


def infinite_renyi(method: Method) -> RegimeError:
    """The refusal of a Renyi divergence where the pair's likelihood ratio is not bounded: the special report may have an infinite loss."""
    advice = "every Renyi divergence of the pair is infinite: ask for epsilon or delta, or give a finite p that the randomizer has"
    return _refusal(method, "finite p", given="p = infinity", advice=advice)


def always_infinite_renyi(method: Method) -> RegimeError:
    """The refusal of a Renyi divergence of a method whose every one is infinite."""
    advice, given = "every Renyi divergence is infinite: ask for epsilon or delta", f"others: {method.infinite_renyi}"
    return _refusal(method, "outcomes that every dataset can have", given=given, advice=advice)
