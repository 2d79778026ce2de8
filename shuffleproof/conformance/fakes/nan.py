"""Answers with what floating point says when it has nothing to say. Must be judged as breaking the protocol, and not as small."""

from shuffleproof.conformance.fakes.enumeration import Message, serve

NOT_NUMBERS = ("nan", "NaN", "inf", "-inf", "1e400000", "")


def reply(seq: int, delta: str) -> Message:
    """No number: as text, or as the constant that some JSON writers write."""
    value: object = NOT_NUMBERS[seq % len(NOT_NUMBERS)] if seq % 4 else float("nan")
    return {"seq": seq, "claim": "upper", "value": value}


if __name__ == "__main__":
    serve("nan", reply)
