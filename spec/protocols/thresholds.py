"""Clipping thresholds for Algorithm 1: the best ones in hindsight, and Algorithm 2 (LSZKG22, section 4 and appendices A.1-A.2).

Every user counts through two numbers: the norm m that is clipped and the weight w = ||h||_1/m, which is what the loss gains per unit of
clipping. Laplace: m = ||h||_1, w = 1. Gaussian: m = ||h||_2, w = ||h||_1/||h||_2, and w = 0 for a user without data.
U(C) = sum of w_i (m_i - C)_+ + T C bounds the error of Algorithm 1; T = d E|Z|/C for its noise Z.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from shuffleproof.spec.protocols.user_histogram import Histogram, Norm, norm
from shuffleproof.spec.vocabulary.errors import require


class User(NamedTuple):
    """Holds what the choice of a threshold needs of one user: m, the norm that is clipped, and w, its weight; both at least 0."""

    m: Fraction
    w: Fraction


def user(h: Histogram, *, p: Norm) -> User:
    """Return the norm and the weight of one histogram, for the Laplace (p = 1) or Gaussian (p = 2) flavour.  (LSZKG22, Theorem 4.2).

    Raises DomainError; UnsupportedError where p = 2 and the norm is irrational.
    """
    m, total = norm(h, p=p), norm(h, p=1)
    return User(m, total / m if m else Fraction(0))


def bounded(users: Sequence[User], *, W: Fraction) -> list[User]:
    """Return the users with weights min(w, W): what makes a private threshold private whatever the data are.  (LSZKG22, section 6).

    W: public, sqrt(s) for the sparsity s in the paper, above 0. Raises DomainError.
    """
    require(W > 0, parameter="W", value=W, requirement="above 0")
    return [User(m, min(w, W)) for m, w in users]


def objective(users: Sequence[User], *, C: Fraction, T: Fraction) -> Fraction:
    """Return U(C) = sum of w_i (m_i - C)_+ + T C, which is at least the error of Algorithm 1.  (LSZKG22, equation (4))."""
    _require(C=C, T=T)
    return sum((w * max(m - C, Fraction(0)) for m, w in users), Fraction(0)) + T * C


def weight_above(users: Sequence[User], *, C: Fraction) -> Fraction:
    """Return S(C) = sum of w_i over the users with m_i > C; U has the right-hand slope T - S(C).  (LSZKG22, equation (5))."""
    return sum((w for m, w in users if m > C), Fraction(0))


def top_element(norms: Sequence[Fraction], *, T: Fraction) -> Fraction:
    """Return the ceil(T)-th largest of ||h_i||_1, and 0 where there are fewer users.  (LSZKG22, Lemma 4.1).

    T > 0, exact. Raises DomainError.
    """
    _require(C=Fraction(0), T=T)
    ordered = sorted(norms, reverse=True)
    return ordered[ceil(T) - 1] if ceil(T) <= len(ordered) else Fraction(0)


def laplace_minimisers(norms: Sequence[Fraction], *, T: Fraction) -> tuple[Fraction, Fraction]:
    """All C >= 0 that minimise U for weights 1: the interval from the (floor(T) + 1)-th to the ceil(T)-th largest norm (0 if too few).

    T > 0, exact. Its right end is the top element of Lemma 4.1. Raises DomainError.
    """
    high = top_element(norms, T=T)
    ordered = sorted(norms, reverse=True)
    return (ordered[floor(T)] if floor(T) < len(ordered) else Fraction(0)), high


def minimiser(users: Sequence[User], *, T: Fraction) -> Fraction:
    """Return C* = inf{C >= 0 : S(C) <= T}, the least minimiser of U; it is 0 or one of the m_i.  (LSZKG22, Theorem 4.2; equation (5)).

    T > 0, exact. The paper asks for S(C) = T, which is solved by no C at all unless T is a partial sum of the weights.
    Raises DomainError.
    """
    _require(C=Fraction(0), T=T)
    candidates = sorted({Fraction(0), *(m for m, _ in users)})
    return next(C for C in candidates if weight_above(users, C=C) <= T)


def regularised_objective(users: Sequence[User], *, C: Fraction, T: Fraction, lam: Fraction) -> Fraction:
    """Return F(C) = U(C) + (lam/2) C^2; the paper's lambda for the mean over users is lam/n.  (LSZKG22, equation (6)).

    lam > 0. Raises DomainError.
    """
    _require(C=C, T=T)
    require(lam > 0, parameter="lam", value=lam, requirement="above 0")
    return objective(users, C=C, T=T) + lam / 2 * C**2


def regularised_minimiser(users: Sequence[User], *, T: Fraction, lam: Fraction, B: Fraction) -> Fraction:
    """Return Chat, the only minimiser of F on [0, B], in closed form.  (LSZKG22, Algorithm 2).

    With the users by falling m and W_k = w_1 + ... + w_k: min(B, max(0, max over k of min(m_k, (W_k - T)/lam))).
    T > 0, lam > 0, B >= 0, all public. Raises DomainError.
    """
    _require(C=B, T=T)
    require(lam > 0, parameter="lam", value=lam, requirement="above 0")
    best, total = Fraction(0), Fraction(0)
    for m, w in sorted(users, reverse=True):
        total += w
        best = max(best, min(m, (total - T) / lam))
    return min(B, best)


def threshold_noise_scale(*, W: Fraction, lam: Fraction, epsilon: Fraction) -> Fraction:
    """Return the scale W/(lam epsilon) of the Laplace noise on Chat: Chat moves by at most W/lam between neighbours.  (LSZKG22, Lemma A.1).

    W, lam, epsilon > 0. Raises DomainError.
    """
    for name, value in (("W", W), ("lam", lam), ("epsilon", epsilon)):
        require(value > 0, parameter=name, value=value, requirement="above 0")
    return W / (lam * epsilon)


def private_threshold(users: Sequence[User], *, T: Fraction, W: Fraction, lam: Fraction, B: Fraction, noise: Fraction) -> Fraction:
    """Algorithm 2 with its noise given: Chat of the bounded users plus noise, clamped to [0, B].

    noise: drawn from the Laplace distribution of scale `threshold_noise_scale`. The result is epsilon-DP under add-remove and replace-one
    as long as T, W, lam and B are public.  (LSZKG22, Algorithm 2) Raises DomainError.
    """
    return clamp(regularised_minimiser(bounded(users, W=W), T=T, lam=lam, B=B) + noise, B=B)


def clamp(C: Fraction, *, B: Fraction) -> Fraction:
    """C moved into [0, B]."""
    return max(Fraction(0), min(B, C))


def subgradient(users: Sequence[User], *, C: Fraction, T: Fraction) -> Fraction:
    """Return T - S(C), a subgradient of U at C; one user changes it by at most the largest weight.  (LSZKG22, Corollary 4.3)."""
    return T - weight_above(users, C=C)


def noisy_descent(
    users: Sequence[User], *, T: Fraction, W: Fraction, B: Fraction, step: Fraction, noise: Sequence[Fraction]
) -> tuple[Fraction, ...]:
    """Return C_1, ..., C_K of noisy projected descent: C_1 = B/2, C_(t+1) = clamp(C_t - step (g_t + noise_t)).  (LSZKG22, Corollary 4.3).

    g_t: `subgradient` at C_t of the users with weights at most W; noise: K draws from N(0, sigma^2), the last one unused by the paper's
    output, the mean of C_1, ..., C_K. T, W, B, step and K are public; step > 0, K >= 1. Raises DomainError.
    """
    _require(C=B, T=T)
    require(step > 0, parameter="step", value=step, requirement="above 0")
    require(len(noise) >= 1, parameter="noise", value=len(noise), requirement="one draw for every step, at least one")
    return tuple(_descent(bounded(users, W=W), T, B, step, noise))


def _descent(users: Sequence[User], T: Fraction, B: Fraction, step: Fraction, noise: Sequence[Fraction]) -> Iterator[Fraction]:
    C = B / 2
    for xi in noise:
        yield C
        C = clamp(C - step * (subgradient(users, C=C, T=T) + xi), B=B)


def _require(*, C: Fraction, T: Fraction) -> None:
    require(C >= 0, parameter="C", value=C, requirement="at least 0")
    require(T > 0, parameter="T", value=T, requirement="above 0")
