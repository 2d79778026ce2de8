"""Small datasets on which statements about histograms are decided, exactly, and Poisson counts under Algorithms 1 and 4 (section 5).

mu = mean of f_C(lam_i), g = f_C^-1(mu), b = lbar - g, kap = 1/f_C'(largest), tau = f_C(largest) - mu, V = Var y."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement, product
from math import isqrt

from flint import arb

from shuffleproof.impl.ball import debiasing
from shuffleproof.impl.ball.numeric.arithmetic import ball, lower_end, upper_end
from shuffleproof.impl.ball.numeric.results import Enclosure
from shuffleproof.proofs_check.ledger import Budget, Verdict
from shuffleproof.spec.protocols.thresholds import User
from shuffleproof.spec.vocabulary.numerals import decimal_text

Counts = tuple[int, ...]
F = Fraction


def histograms(*, d: int, most: int) -> Iterator[Counts]:
    """All histograms on d elements with counts from 0 to most."""
    return product(range(most + 1), repeat=d)


def with_rational_norm(*, d: int, most: int) -> Iterator[Counts]:
    """Those whose l2 norm is an integer."""
    return (h for h in histograms(d=d, most=most) if isqrt(sum(x * x for x in h)) ** 2 == sum(x * x for x in h))


def user_sets(*, norms: tuple[Fraction, ...], weights: tuple[Fraction, ...], most: int) -> Iterator[tuple[User, ...]]:
    """All multisets of at most `most` users with a norm and a weight from these lists."""
    kinds = [User(m, w) for m in norms for w in weights]
    for n in range(most + 1):
        yield from combinations_with_replacement(kinds, n)


def replaced(users: tuple[User, ...], by: User) -> Iterator[tuple[User, ...]]:
    """The replace-one neighbours in which one user has become `by`."""
    for i in range(len(users)):
        yield (*users[:i], by, *users[i + 1 :])


BITS = 160  # of balls: means of up to 10^4 users are compared


@dataclass(frozen=True)
class Setting:
    """rates: of the users; C: the threshold; epsilon: of the noise; largest: the public bound of the clamp. Balls at 160 bits."""

    rates: tuple[Fraction, ...]
    C: int
    epsilon: Fraction
    largest: Fraction

    def __str__(self) -> str:
        rates = ", ".join(f"{self.rates.count(rate)} x {rate}" for rate in sorted(set(self.rates)))
        return f"rates {rates}; C = {self.C}, eps = {self.epsilon}, largest = {self.largest}"

    @property
    def n(self) -> int:
        """Number of users."""
        return len(self.rates)

    @property
    def lbar(self) -> Fraction:
        """The mean rate."""
        return sum(self.rates, F(0)) / self.n

    @property
    def spread(self) -> Fraction:
        """sig2, the variance of the rates."""
        return sum(((rate - self.lbar) ** 2 for rate in self.rates), F(0)) / self.n

    def f(self, rate: Fraction) -> arb:
        """f_C."""
        return debiasing.f(ball(rate), C=F(self.C))

    def slope(self, rate: Fraction) -> arb:
        """f_C'."""
        return debiasing.f_prime(ball(rate), C=F(self.C))

    @cached_property
    def mu(self) -> arb:
        """Mean of f_C over the users."""
        return sum((self.f(rate) for rate in self.rates), arb(0)) / self.n

    @cached_property
    def g(self) -> arb:
        """f_C^-1(mu)."""
        ends = [debiasing.inverse(y=end, C=self.C, digits=40) for end in (lower_end(self.mu), upper_end(self.mu))]
        return ball(ends[0].lower).union(ball(ends[1].upper))

    @property
    def b(self) -> arb:
        """The bias that remains, lbar - g."""
        return ball(self.lbar) - self.g

    @property
    def kap(self) -> arb:
        """The Lipschitz constant of the clamped inverse."""
        return 1 / self.slope(self.largest)

    @property
    def tau(self) -> arb:
        """f_C(largest) - mu."""
        return self.f(self.largest) - self.mu

    @property
    def noise(self) -> Fraction:
        """The variance that the Laplace noise adds to y."""
        return 2 * (self.C / (self.n * self.epsilon)) ** 2

    @cached_property
    def V(self) -> arb:
        """Var y: noise and the variance of the clipped mean."""
        clipped = sum((debiasing.variance_of_clipped(rate, C=self.C) for rate in self.rates), arb(0)) / self.n**2
        return ball(self.noise) + clipped

    def mass(self, k: int, rate: Fraction) -> arb:
        """P(Poi(rate) = k)."""
        if rate == 0:
            return arb(1 if k == 0 else 0)
        return (-ball(rate) + k * ball(rate).log() - arb(k + 1).lgamma()).exp()

    @cached_property
    def debiased(self) -> Enclosure:
        """Mean squared error of Algorithm 4."""
        return debiasing.debiased_error(rates=self.rates, C=self.C, epsilon=self.epsilon, largest=self.largest)

    @cached_property
    def clipped(self) -> Enclosure:
        """Mean squared error of Algorithm 1, over n."""
        return debiasing.clipped_error(rates=self.rates, C=self.C, epsilon=self.epsilon)


def _patterns(n: int, C: int) -> Iterator[tuple[Fraction, ...]]:
    top = F(C) - F(1, 3)
    yield (top,) * n
    yield (top / 2,) * n
    yield tuple(top * F(2 * i, n) for i in range(n)) if n > 1 else (top / 5,)
    yield (F(0),) * (n - 1) + (top * n,) if n > 1 else (F(0),)


@cache
def settings(depth: str) -> tuple[Setting, ...]:
    """The grid of the checks: lbar <= largest throughout."""
    sizes = (1, 2, 8) if depth == "quick" else (1, 2, 3, 8, 24, 60)
    found = []
    for n, C, epsilon in product(sizes, (1, 2, 5), (F(1, 4), F(2), F(20))):
        for rates in _patterns(n, C):
            lbar = sum(rates, F(0)) / n
            found += [Setting(rates, C, epsilon, largest) for largest in (F(C) - F(1, 3), F(2 * C)) if lbar <= largest]
    return tuple(found[:: 5 if depth == "quick" else 1])


def all_hold(
    budget: Budget,
    *,
    left: Callable[[Setting], Fraction | arb],
    right: Callable[[Setting], arb],
    applies: Callable[[Setting], bool] = lambda _: True,
    domain: str,
    note: str | None = None,
    over: tuple[Setting, ...] | None = None,
) -> Verdict:
    """left <= right on the grid (or `over`) in ball arithmetic: refuted where left is surely larger; it has to be decided to 1e-9."""
    largest, cases = F(0), 0
    for case in settings(budget.depth) if over is None else over:
        if not applies(case):
            continue
        cases += 1
        low, high = left(case), right(case)
        least = low if isinstance(low, Fraction) else lower_end(low)
        most = low if isinstance(low, Fraction) else upper_end(low)
        if least > upper_end(high) + F(1, 10**12):
            texts = (decimal_text(least, digits=6, direction="down"), decimal_text(upper_end(high), digits=6, direction="up"))
            return Verdict.refuted(f"{case}: {texts[0]} > {texts[1]}", domain=domain, cases=cases)
        assert most <= lower_end(high) + F(1, 10**9), str(case)
        if lower_end(high) > 0:
            largest = max(largest, most / lower_end(high))
    return Verdict.certified(
        domain=f"{domain}; in ball arithmetic at {cases} settings",
        cases=cases,
        slack=f"largest ratio {decimal_text(largest, digits=9, direction='up')}",
        note=note,
    )
