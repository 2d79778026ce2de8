"""Laplace noise on a number in [0, 1] (DMNS06): the record; its density is continuous, and each engine has the integrals that it needs."""

from dataclasses import dataclass

from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer


@dataclass(frozen=True, kw_only=True)
class Laplace(NamedRandomizer):
    """A number in [0, 1] plus Laplace noise of scale 1/eps0."""

    name = "laplace"
    says = "Laplace noise of scale 1/eps0 on [0, 1]"
    reports = "reports told apart in 256 cells"
    noise = True
