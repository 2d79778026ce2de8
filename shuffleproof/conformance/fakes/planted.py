"""A right implementation with one planted bug, each like one that has been made: `python -m shuffleproof.conformance.fakes.planted NAME`.

The name "none" plants nothing, and then everything conforms (or is loose); with any other name something must not.
"""

import json
import sys

from shuffleproof.conformance.fakes.bugs import BUGS
from shuffleproof.conformance.fakes.enumeration import say
from shuffleproof.conformance.fakes.honest import HONEST, answered

GREETING = {
    "version": 1,
    "implementation": {"name": "planted", "version": "1", "language": "python"},
    "capabilities": {
        "operations": list(HONEST),
        "methods": ["clones", "zero-sum"],
        "randomizers": ["binary-rr", "k-rr", "krr", "laplace", "rappor"],
        "protocols": ["zero-sum", "histogram", "bit-sum", "real-sum", "real-sum-tagged", "frequency", "user-histogram"],
    },
}


def main() -> None:
    """Serve with the bug named on the command line."""
    bug = None if sys.argv[1] == "none" else BUGS[sys.argv[1]]
    wrong = None if bug is None else bug.started()
    for line in sys.stdin:
        message = json.loads(line)
        match message["cmd"]:
            case "start":
                say(GREETING)
            case "configure":
                say({"configured": True})
            case "run":
                operation = message["operation"]
                answerer = wrong if bug is not None and wrong is not None and bug.operation == operation else HONEST[operation]
                say({"seq": message["seq"], **answered(answerer, message["input"])})
            case "stop":
                return


if __name__ == "__main__":
    main()
