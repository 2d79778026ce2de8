"""A right implementation with one planted bug, each like one that has been made: `python -m shuffleproof.conformance.fakes.planted NAME`.

The name "none" plants nothing, and then everything conforms (or is loose); with any other name something must not.
"""

import sys

from shuffleproof.conformance.fakes.bugs import BUGS
from shuffleproof.conformance.fakes.enumeration import serve_all
from shuffleproof.conformance.fakes.honest import HONEST, answered

CAPABILITIES = {
    "operations": list(HONEST),
    "methods": ["clones", "zero-sum"],
    "randomizers": ["binary-rr", "k-rr", "krr", "laplace", "rappor"],
    "protocols": ["zero-sum", "histogram", "bit-sum", "real-sum", "real-sum-tagged", "frequency", "user-histogram"],
}


def main() -> None:
    """Serve with the bug named on the command line."""
    answerers = dict(HONEST)
    if sys.argv[1] != "none":
        bug = BUGS[sys.argv[1]]
        answerers[bug.operation] = bug.started()
    serve_all("planted", CAPABILITIES, lambda asked: {"seq": asked["seq"], **answered(answerers[asked["operation"]], asked["input"])})


if __name__ == "__main__":
    main()
