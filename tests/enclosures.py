"""How tests compare two enclosures of one number."""

from shuffleproof.spec.vocabulary.bound import Bound


def meet(one: Bound, other: Bound) -> bool:
    """Whether one number can lie in both."""
    return one.lower <= other.upper and other.lower <= one.upper
