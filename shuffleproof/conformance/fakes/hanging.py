"""Never answers every fourth question, and ignores a polite request to end. Must be judged timed-out there, and be gone afterwards."""

import signal
import time

from shuffleproof.conformance.fakes.enumeration import Message, serve


def reply(seq: int, delta: str) -> Message:
    """The truth, or nothing."""
    while seq % 4 == 0:
        time.sleep(60)
    return {"seq": seq, "claim": "exact", "value": delta}


if __name__ == "__main__":
    for polite in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(polite, signal.SIG_IGN)
    serve("hanging", reply)
