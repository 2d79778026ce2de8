"""Answers rightly, and writes 3 MiB of log for every answer: never too much for one, far too fast for many. Must be stopped for that."""

import sys

from shuffleproof.conformance.fakes.enumeration import Message, serve

LOG = "debug: " + "x" * 1016 + "\n"


def reply(seq: int, delta: str) -> Message:
    """The truth, after a lot of noise."""
    sys.stderr.write(LOG * 3072)
    sys.stderr.flush()
    return {"seq": seq, "claim": "exact", "value": delta}


if __name__ == "__main__":
    serve("gushing", reply)
