"""Ends in the middle of every third question, once with half an answer written. Must be judged crashed there, and heard on the others."""

import os
import sys

from shuffleproof.conformance.fakes.enumeration import Message, serve


def reply(seq: int, delta: str) -> Message:
    """The truth, or the end."""
    if seq % 3 == 0:
        print("about to divide by zero", file=sys.stderr)
        if seq % 2 == 0:
            print('{"seq": ', end="", flush=True)
        os._exit(3)
    return {"seq": seq, "claim": "exact", "value": delta}


if __name__ == "__main__":
    serve("crashing", reply)
