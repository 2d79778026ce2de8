"""k-ary randomized response, k-RR (FMT21, section 4.1)."""

from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.spec.distribution import Distribution, mixture
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.likelihoods import Classes, Dataset, output_classes, third_or_second
from shuffleproof.spec.vocabulary.named_randomizer import Exact, NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon


@dataclass(frozen=True, kw_only=True)
class KRR(NamedRandomizer):
    """The truth with probability T/(T + k - 1), each other item with 1/(T + k - 1), T = e^eps0."""

    name = "krr"
    called = "k-rr"
    aliases = ("k-rr", "grr", "generalized-randomized-response")
    says = "k-ary randomized response"
    k: int

    def exact(self, T: Fraction, most: int | None) -> Exact:
        """All items."""
        return self.k, self.k, lambda: k_rr(k=self.k, exp_epsilon0=T)

    def against_blanket(self, epsilon0: Epsilon) -> Classes:
        """One output for each item, preferred by that item alone."""
        return output_classes((1, 1, 0, 0), (1, 0, 1, 0), (self.k - 2, 0, 0, 0))

    def datasets(self, epsilon0: Epsilon) -> tuple[Dataset, ...]:
        """All others hold a third item, or x_1."""
        return third_or_second(self.three_inputs(epsilon0), self.against_blanket(epsilon0))

    def three_inputs(self, epsilon0: Epsilon) -> Classes | None:
        """Where there are three items."""
        return output_classes((1, 1, 0, 0), (1, 0, 1, 0), (1, 0, 0, 1), (self.k - 3, 0, 0, 0)) if self.k > 2 else None


def k_rr(*, k: int, exp_epsilon0: Fraction) -> LocalRandomizer[int, int]:
    """k-RR on {0, ..., k - 1}: the input with probability (e^eps0 - 1)/(e^eps0 + k - 1), otherwise a uniform value.

    k: number of categories, at least 1; exp_epsilon0: e^epsilon0 >= 1, exact. The randomizer is exactly epsilon0-DP for k >= 2.
    Raises DomainError outside these.
    """
    require(k >= 1, parameter="k", value=k, requirement="an integer of at least 1")
    require(exp_epsilon0 >= 1, parameter="exp_epsilon0", value=exp_epsilon0, requirement="at least 1")
    T = Fraction(exp_epsilon0)
    uniform = Distribution.uniform(range(k))
    truth = (T - 1) / (T + k - 1)
    return LocalRandomizer(range(k), {x: mixture([(truth, Distribution.point(x)), (1 - truth, uniform)]) for x in range(k)})
