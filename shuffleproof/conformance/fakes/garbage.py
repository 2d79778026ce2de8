"""Writes something other than an answer to every second question, differently each time. Must be judged as breaking the protocol there."""

import sys

from shuffleproof.conformance.fakes.enumeration import Message, serve

GARBAGE = (
    b"loading model... done",
    b'{"seq": %d, "claim": "upper", "value": "1"',
    b'{"seq": %d, "claim": "upper", "value": "0.5", "value": "1"}',
    b'{"seq": %d, "claim": "upper", "value": 0.5}',
    b'{"seq": true, "claim": "upper", "value": "1"}',
    b'{"seq": 999999, "claim": "upper", "value": "1"}',
    b'{"seq": %d, "claim": "upper", "value": "1", "confidence": "high"}',
    b'{"seq": %d, "claim": "certain", "value": "1"}',
    b'{"seq": %d, "refused": "\\ud800"}',
    b"\xff\xfe{\x00}\x00",
    b"",
    b'{"seq": %d, "claim": "upper", "value": "1"}\n{"seq": %d, "claim": "upper", "value": "0"}',
)


def reply(seq: int, delta: str) -> Message | None:
    """The truth, or something that is no answer."""
    if seq % 2:
        return {"seq": seq, "claim": "exact", "value": delta}
    text = GARBAGE[seq // 2 % len(GARBAGE)]
    sys.stdout.buffer.write(text.replace(b"%d", b"%d" % seq) + b"\n")
    sys.stdout.buffer.flush()
    return None


if __name__ == "__main__":
    serve("garbage", reply)
