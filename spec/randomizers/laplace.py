"""Laplace noise on a number in [0, 1] (DMNS06): the record; its density is continuous, and each engine has the integrals that it needs."""

from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.named_randomizer import Exact, NamedRandomizer


@dataclass(frozen=True, kw_only=True)
class Laplace(NamedRandomizer):
    """A number in [0, 1] plus Laplace noise of scale 1/eps0."""

    name = "laplace"
    says = "Laplace noise of scale 1/eps0 on [0, 1]"
    reports = "reports distinguished in 256 cells"
    noise = True

    def exact(self, T: Fraction, most: int | None) -> Exact:
        """Raise UnsupportedError: no list of masses holds it."""
        raise UnsupportedError(
            what=f"the whole distribution of {self.name!r} in exact arithmetic",
            reason="it is continuous",
            advice='use engine "ball" or "fast", or randomizer-pair and randomizer-lower',
        )
