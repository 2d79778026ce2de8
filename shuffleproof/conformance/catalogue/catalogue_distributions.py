"""Questions about the distribution of one report of a local randomizer."""

from shuffleproof.conformance.catalogue.question import Question, question

_BINARY = """
epsilon0=ln 3; input=0                                    | *
epsilon0=ln 3; input=1                                    |
epsilon0=0; input=0                                       | DEGENERATE KNOWN_BUG *
epsilon0=ln 1; input=1                                    | DEGENERATE PARSE
epsilon0=ln 2; input=1                                    | WRONG_SIDE
epsilon0=ln 7/3; input=0                                  | PARSE
epsilon0=ln(7/3); input=1                                 | PARSE
epsilon0=ln 1.000000001; input=0                          | CANCELLATION
epsilon0=ln 1e300; input=0                                | UNDERFLOW CANCELLATION
epsilon0=1e-9; input=0                                    | CANCELLATION
epsilon0=0.1; input=1                                     | WRONG_SIDE
epsilon0=1/3; input=0                                     | PARSE
epsilon0=1; input=0                                       | WRONG_SIDE *
epsilon0=4; input=1                                       | WRONG_SIDE
epsilon0=40; input=0                                      | CANCELLATION KNOWN_BUG
epsilon0=50; input=1                                      | CANCELLATION
epsilon0=700; input=0                                     | CANCELLATION UNDERFLOW
epsilon0=800; input=1                                     | OVERFLOW UNDERFLOW KNOWN_BUG
"""

_K_ARY = """
k=2; epsilon0=ln 3; input=0                               | EDGE_CASE *
k=2; epsilon0=1; input=1                                  | EDGE_CASE
k=3; epsilon0=ln 3; input=2                               | EDGE_CASE *
k=3; epsilon0=0; input=0                                  | DEGENERATE KNOWN_BUG
k=4; epsilon0=ln 2; input=0                               | WRONG_SIDE
k=4; epsilon0=ln 7/3; input=3                             | PARSE EDGE_CASE
k=5; epsilon0=1e-9; input=4                               | CANCELLATION EDGE_CASE
k=10; epsilon0=1; input=7                                 | WRONG_SIDE
k=10; epsilon0=4; input=0                                 | WRONG_SIDE
k=16; epsilon0=ln 16; input=15                            | EDGE_CASE
k=16; epsilon0=40; input=0                                | CANCELLATION KNOWN_BUG
k=3; epsilon0=700; input=1                                | CANCELLATION UNDERFLOW
k=3; epsilon0=800; input=1                                | OVERFLOW UNDERFLOW KNOWN_BUG
k=64; epsilon0=ln 1e6; input=63                           | CANCELLATION
"""

_TABLES = {"binary-rr": _BINARY, "k-rr": _K_ARY}


def questions(randomizer: str) -> tuple[Question, ...]:
    """The questions that have an answer, for one randomizer."""
    found = []
    for line in _TABLES[randomizer].strip().splitlines():
        text, _, marks = line.partition("|")
        flags = marks.split()
        found.append(question(f"randomizer={randomizer}; {text.strip()}", *(flag for flag in flags if flag != "*"), smoke="*" in flags))
    return tuple(found)
