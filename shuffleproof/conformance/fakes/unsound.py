"""Claims an upper bound that is one part in 1e9 too small, as a formula evaluated in single precision would. Must be judged unsound."""

from fractions import Fraction

from shuffleproof.conformance.fakes.enumeration import Message, serve


def reply(seq: int, delta: str) -> Message:
    """delta (1 - 1e-9), claimed to be an upper bound."""
    return {"seq": seq, "claim": "upper", "value": str(Fraction(delta) * (1 - Fraction(1, 10**9)))}


if __name__ == "__main__":
    serve("unsound", reply)
