"""R^infinity: shuffled it reveals nothing, unshuffled everything (BC20, Claim 4.3)."""

from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.model import LocalRandomizer

Vector = tuple[int, ...]


def r_inf() -> LocalRandomizer[int, Vector]:
    """On x in {0, 1} the two messages x and 1 - x, in this order."""
    laws: dict[int, Distribution[Vector]] = {x: Distribution.point((x, 1 - x)) for x in (0, 1)}
    return LocalRandomizer((0, 1), laws)
