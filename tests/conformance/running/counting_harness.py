"""A harness for the tests of the runner: writes down every request that it answers, and dies on every so many of its process.

counting_harness.py LOG EVERY [SECONDS]: appends the number of each answered request to LOG; EVERY = 0 never dies.
"""

import json
import os
import sys
import time

GREETING = {
    "version": 1,
    "implementation": {"name": "counting", "version": "1", "language": "python"},
    "capabilities": {"operations": ["epsilon"], "methods": ["clones", "stronger-clones"], "randomizers": []},
}


def main() -> None:
    log, every = sys.argv[1], int(sys.argv[2])
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 0.0
    asked = 0
    with open(log, "a") as file:
        for line in sys.stdin:
            message = json.loads(line)
            reply: dict[str, object] = {"configured": True}
            if message["cmd"] == "start":
                reply = GREETING
            elif message["cmd"] == "stop":
                return
            elif message["cmd"] == "run":
                asked += 1
                if every and asked == every:
                    os._exit(9)
                time.sleep(seconds)
                file.write(f"{message['seq']}\n")
                file.flush()
                reply = {"seq": message["seq"], "claim": "upper", "value": message["input"]["epsilon0"]}
            print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
