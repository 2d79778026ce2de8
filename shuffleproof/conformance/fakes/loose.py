"""Claims twice the truth: true, and useless. Must be judged loose, by a factor of 2, and not worse."""

from fractions import Fraction

from shuffleproof.conformance.fakes.enumeration import Message, serve


def reply(seq: int, delta: str) -> Message:
    """2 delta, an upper bound."""
    return {"seq": seq, "claim": "upper", "value": str(2 * Fraction(delta))}


if __name__ == "__main__":
    serve("loose", reply)
