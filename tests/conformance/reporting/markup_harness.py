"""A harness for the tests of the report: everything it says looks like HTML, and it fails in every way that a report has a word for.

By the number of the case: it refuses, answers a distribution, an upper bound that is too small, an estimate, hangs, ends, or breaks the
protocol.
"""

import json
import os
import sys
import time

MARKUP = '<script>console.error("run")</script><img src="x" onerror="console.error(1)"></td></table>\u001b[31m&amp;'
GREETING = {
    "version": 1,
    "implementation": {"name": f"a deliberately bad harness {MARKUP}", "version": MARKUP, "language": MARKUP},
    "capabilities": {"operations": ["delta", "epsilon", "randomizer_law"], "methods": ["clones"], "randomizers": ["binary-rr", "k-rr"]},
}


def reply(message: dict[str, object], at: int) -> dict[str, object]:
    """The answer to one question."""
    seq = message["seq"]
    if at % 40 == 7:
        os._exit(9)
    if at == 9:
        time.sleep(60)
    if at % 40 == 11:
        return {"seq": seq, "claim": MARKUP, "value": "1"}
    if message["operation"] == "randomizer_law":
        return {"seq": seq, "claim": "law", "value": {MARKUP: "1/3", "0": "2/3"}}
    kinds: list[dict[str, object]] = [
        {"claim": "upper", "value": "1e-400"},
        {"claim": "upper", "value": "700"},
        {"claim": "estimate", "value": "0." + "123456789" * 20},
        {"refused": MARKUP},
        {"unsupported": MARKUP},
    ]
    return {"seq": seq, **kinds[at % len(kinds)]}


def main() -> None:
    """Answer until asked to stop."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "stop":
            return
        answers = {"start": GREETING, "configure": {"configured": True}}
        print(json.dumps(answers.get(message["cmd"]) or reply(message, int(message["seq"]))), flush=True)


if __name__ == "__main__":
    main()
