"""A histogram to which the shuffler adds fake users: its pair is that of P^hist with so many users (BEYOND.fake-users)."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from shuffleproof.impl.ball.bounds.noise import histogram
from shuffleproof.impl.ball.numeric.results import certified
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import RegimeError
from shuffleproof.spec.vocabulary.methods.protocols import FAKE_USERS
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_fake_users


@certified(FAKE_USERS)
def delta(*, n: int, fakes: int, p: Fraction, epsilon: Epsilon, digits: int = 15) -> Bound:
    """The least delta for which the histogram is (epsilon, delta)-DP with two bins or more: n users change nothing (BEYOND.fake-users)."""
    return replace(histogram.delta(n=fakes, p=p, epsilon=epsilon, digits=digits), statement=FAKE_USERS.statement)


@certified(FAKE_USERS)
def epsilon(*, n: int, fakes: int, p: Fraction, delta: Fraction, inputs: Mapping[str, str], digits: int = 15) -> Bound:
    """Least epsilon for which the histogram is (epsilon, delta)-DP; the rest as for `histogram.epsilon` (BEYOND.fake-users)."""
    try:
        found = histogram.epsilon(n=fakes, p=p, delta=delta, digits=digits)
    except RegimeError as refused:  # of the same delta, in the words of a histogram without fake users
        raise no_epsilon_for_fake_users(delta=inputs["delta"]) from refused
    return replace(found, statement=FAKE_USERS.statement)
