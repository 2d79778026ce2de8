"""The privacy of stochastic gradient descent over a random order of the users, certified step by step (FMT21, section 5.2).

One pass: the users are put in a random order and cut into batches; step i publishes the sum of its batch's gradients, each clipped to
l2 norm 1, plus N(0, sigma^2) in every coordinate. Replacing a user moves one clipped gradient, so one sum by at most 2.
Given how users are grouped, the batches are shuffled data elements and the steps an adaptive sequence of local randomizers.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from shuffleproof.impl.ball import composition, gaussian
from shuffleproof.impl.ball.bounds.clones import approx_clones
from shuffleproof.spec.vocabulary.asking import reads
from shuffleproof.spec.vocabulary.errors import RegimeError, ResourceLimitError, UndecidedError, require
from shuffleproof.spec.vocabulary.numerals import count, positive, proper_share
from shuffleproof.spec.vocabulary.scope import Relation

SENSITIVITY = 2
"""Of a sum of gradients of norm at most 1, one of which is replaced by another."""
_DIGITS = 8
"""Digits of each step's certified answer, which is rounded up."""
_SHARES = tuple(Fraction(1, 10**j) for j in (1, 2, 3, 5))


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step of the argument. says: what holds; statement: by which ledger entry or theorem; epsilon, delta: both upper bounds."""

    says: str
    statement: str
    epsilon: Fraction
    delta: Fraction


@dataclass(frozen=True, kw_only=True)
class Guarantee:
    """The whole training is (epsilon, delta)-DP by `steps`, the last of which is the claim; replace-one neighbours.

    amplified: whether the random order is what makes epsilon so small; local: epsilon of one pass without it, at the same delta.
    """

    epsilon: Fraction
    delta: Fraction
    amplified: bool
    local: Fraction
    steps: tuple[Step, ...]


@reads(users=count, batch=count, passes=partial(count, maximum=10**6), sigma=positive, delta=proper_share)
def guarantee(*, users: int, batch: int, passes: int, sigma: Fraction, delta: Fraction) -> Guarantee:
    """An upper bound on epsilon of the final parameters, and of everything on the way to them, at this delta.

    users: at least 1, a multiple of batch; batch: users in a step, at least 1; passes: over all users, each in a fresh order; sigma:
    standard deviation of the noise on a batch's sum of clipped gradients, above 0; 0 < delta < 1.
    Source: FMT21, Theorem 3.8 (or its stronger form) for one pass, KOV15, Theorem 4.1 over passes. Raises DomainError.
    """
    require(users % batch == 0, parameter="batch", value=batch, requirement=f"a divisor of the {users} users")
    share = delta if passes == 1 else delta / (2 * passes)
    local = _gaussian(sigma, share)
    one_pass = min((_amplified(users // batch, sigma, share), (local,)), key=lambda steps: steps[-1].epsilon)
    steps = one_pass
    if passes > 1:
        total = composition.optimal(epsilon=one_pass[-1].epsilon, delta=share, rounds=passes, total_delta=delta)
        says = f"{passes} passes, each in a fresh random order, compose"
        steps = (*one_pass, Step(says=says, statement="KOV15, Theorem 4.1", epsilon=total, delta=delta))
    last = steps[-1]
    return Guarantee(epsilon=last.epsilon, delta=last.delta, amplified=len(one_pass) > 1, local=local.epsilon, steps=steps)


def _gaussian(noise: Fraction, delta: Fraction) -> Step:
    found = gaussian.epsilon(noise_multiplier=noise / SENSITIVITY, delta=delta, relation=Relation.REPLACE_ONE, digits=_DIGITS)
    says = "one step, on its own: Gaussian noise on a sum that moves by at most 2; each user is in one step of a pass"
    return Step(says=says, statement="Balle and Wang (2018), Theorem 8", epsilon=found.upper, delta=delta)


def _amplified(steps: int, noise: Fraction, delta: Fraction) -> tuple[Step, ...]:
    """The best of a few choices of delta0, each of which proves a bound; the local step alone where none does."""
    best: tuple[Step, ...] = (_gaussian(noise, delta),)
    for part in _SHARES:
        step = _gaussian(noise, delta * part / steps)
        for engine, statement in ((approx_clones.FMT21, "FMT21.Thm3.8"), (approx_clones.stronger_approx_clones, "FMT21.Thm3.8-constant")):
            try:
                found = engine.epsilon(n=steps, epsilon0=step.epsilon, delta0=step.delta, delta=delta, digits=_DIGITS)
            except (RegimeError, ResourceLimitError, UndecidedError):
                continue
            if found.upper < best[-1].epsilon:
                says = f"one pass: {steps} shuffled batches, each an (epsilon0, delta0)-DP report to an adaptive sequence"
                best = (step, Step(says=says, statement=statement, epsilon=found.upper, delta=delta))
    return best
