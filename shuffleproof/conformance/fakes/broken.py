"""Harnesses that are wrong as programs, and otherwise right: `python -m shuffleproof.conformance.fakes.broken NAME`."""

import os
import signal
import sys
import time

from shuffleproof.conformance.fakes.enumeration import Message, serve

_LOG = "debug: " + "x" * 1016 + "\n"


def _crashing(seq: int, delta: str) -> Message:
    """Ends in every third question, once with half an answer written. Must be judged crashed there, and heard on the others."""
    if seq % 3 == 0:
        print("about to divide by zero", file=sys.stderr)
        if seq % 2 == 0:
            print('{"seq": ', end="", flush=True)
        os._exit(3)
    return _right(seq, delta)


def _flooding(seq: int, delta: str) -> Message:
    """Answers every third question without end, in lines or in one line. Must be judged as breaking the protocol there."""
    while seq % 3 == 0:
        sys.stdout.write('{"seq": 0, "claim": "upper", "value": "1"}' * 100 + ("\n" if seq % 2 else ""))
    return _right(seq, delta)


def _gushing(seq: int, delta: str) -> Message:
    """Writes 3 MiB of log for every answer: never too much for one, far too fast for many. Must be stopped for that."""
    sys.stderr.write(_LOG * 3072)
    sys.stderr.flush()
    return _right(seq, delta)


def _hanging(seq: int, delta: str) -> Message:
    """Never answers every fourth question, nor ends when asked to. Must be judged timed-out there, and be gone afterwards."""
    while seq % 4 == 0:
        time.sleep(60)
    return _right(seq, delta)


def _right(seq: int, delta: str) -> Message:
    return {"seq": seq, "claim": "exact", "value": delta}


_REPLIES = {"crashing": _crashing, "flooding": _flooding, "gushing": _gushing, "hanging": _hanging}

if __name__ == "__main__":
    if sys.argv[1] == "hanging":
        for polite in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(polite, signal.SIG_IGN)
    serve(sys.argv[1], _REPLIES[sys.argv[1]])
