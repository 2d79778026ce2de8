"""Answers every third question with output that never ends, in lines or in one line. Must be judged as breaking the protocol there."""

import sys

from shuffleproof.conformance.fakes.enumeration import Message, serve


def reply(seq: int, delta: str) -> Message:
    """The truth, or far too much."""
    while seq % 3 == 0:
        sys.stdout.write('{"seq": 0, "claim": "upper", "value": "1"}' * 100 + ("\n" if seq % 2 else ""))
    return {"seq": seq, "claim": "exact", "value": delta}


if __name__ == "__main__":
    serve("flooding", reply)
