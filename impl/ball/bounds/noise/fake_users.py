"""A histogram to which the shuffler adds fake users: its pair is that of P^hist with so many users (BEYOND.fake-users)."""

from collections.abc import Mapping
from dataclasses import replace

from shuffleproof.impl.ball.bounds.noise import histogram
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import RegimeError
from shuffleproof.spec.vocabulary.methods.protocols import FAKE_USERS
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, count
from shuffleproof.spec.vocabulary.refusals import no_epsilon_for_fake_users


def delta(*, n: Number, fakes: Number, p: Number, epsilon: Number | Epsilon, digits: int = 15) -> Bound:
    """The least delta for which the histogram is (epsilon, delta)-DP with two bins or more, enclosed (BEYOND.fake-users).

    n: users, at least 1, which change nothing; fakes: at least 1; p, epsilon, digits and errors as for `histogram.delta`.
    """
    count(n, parameter="n")
    found = histogram.delta(n=count(fakes, parameter="fakes"), p=p, epsilon=epsilon, digits=digits)
    return _restated(found, inputs=as_given(n=n, fakes=fakes, p=p, eps=epsilon))


def epsilon(*, n: Number, fakes: Number, p: Number, delta: Number, digits: int = 15) -> Bound:
    """Least epsilon for which the histogram is (epsilon, delta)-DP, enclosed; the rest as for `histogram.epsilon` (BEYOND.fake-users)."""
    count(n, parameter="n")
    try:
        found = histogram.epsilon(n=count(fakes, parameter="fakes"), p=p, delta=delta, digits=digits)
    except RegimeError as refused:  # of the same delta, in the words of a histogram without fake users
        raise no_epsilon_for_fake_users(delta=str(delta)) from refused
    return _restated(found, inputs=as_given(n=n, fakes=fakes, p=p, delta=delta))


def _restated(found: Bound, *, inputs: Mapping[str, str]) -> Bound:
    return replace(FAKE_USERS.restated(found, inputs=inputs), statement=FAKE_USERS.statement)
