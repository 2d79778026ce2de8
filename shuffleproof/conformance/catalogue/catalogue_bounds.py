"""Questions about delta and epsilon of the methods. Each line: the input, then its flags; "*" puts it in the short suite too."""

from shuffleproof.conformance.catalogue.question import Question, question

_CLONES_DELTA = """
n=1; epsilon0=ln 3; epsilon=0                             | EDGE_CASE DEGENERATE
n=1; epsilon0=ln 3; epsilon=ln 2                          | EDGE_CASE *
n=1; epsilon0=ln 3; epsilon=ln 3                          | EDGE_CASE TIE DEGENERATE *
n=2; epsilon0=ln 3; epsilon=0                             | EDGE_CASE
n=2; epsilon0=ln 4; epsilon=0                             | EDGE_CASE
n=2; epsilon0=ln 2; epsilon=ln 5/4                        | TIE *
n=2; epsilon0=ln 2; epsilon=ln 2                          | TIE EDGE_CASE
n=2; epsilon0=ln 1.000000001; epsilon=0                   | CANCELLATION
n=2; epsilon0=ln 1.000000001; epsilon=ln 1.0000000005     | CANCELLATION WRONG_SIDE
n=3; epsilon0=ln 3; epsilon=0                             | EDGE_CASE
n=3; epsilon0=ln 3; epsilon=ln 7/5                        | TIE *
n=3; epsilon0=ln 3; epsilon=ln 1.399999999999999          | TIE WRONG_SIDE
n=3; epsilon0=ln 3; epsilon=ln 1.400000000000001          | TIE WRONG_SIDE
n=3; epsilon0=ln 3; epsilon=ln 3                          | TIE EDGE_CASE *
n=3; epsilon0=ln 3; epsilon=ln 4                          | EDGE_CASE
n=3; epsilon0=ln 3; epsilon=ln 2.999999999999             | CANCELLATION EDGE_CASE
n=4; epsilon0=ln 3; epsilon=ln 5/3                        | TIE
n=5; epsilon0=ln 3; epsilon=ln 11/9                       | TIE
n=7; epsilon0=ln 9; epsilon=ln 2                          | GRID
n=10; epsilon0=0; epsilon=0                               | DEGENERATE KNOWN_BUG *
n=10; epsilon0=ln 1; epsilon=ln 2                         | DEGENERATE PARSE KNOWN_BUG
n=12; epsilon0=ln 3; epsilon=ln 11/10                     | WRONG_SIDE *
n=12; epsilon0=ln 3; epsilon=ln(1.1)                      | PARSE
n=25; epsilon0=ln 2; epsilon=ln 1.01                      | WRONG_SIDE
n=25; epsilon0=ln 16; epsilon=ln 5                        | WRONG_SIDE GRID
n=40; epsilon0=ln 3; epsilon=0                            | EDGE_CASE
n=40; epsilon0=ln 3; epsilon=ln 6/5                       | WRONG_SIDE
n=40; epsilon0=ln 9; epsilon=ln 2                         | GRID
n=40; epsilon0=ln 3; epsilon=ln 2.99                      | CANCELLATION
n=1; epsilon0=ln 1e300; epsilon=ln 2                      | OVERFLOW
n=3; epsilon0=ln 1e100; epsilon=ln 1e99                   | OVERFLOW GRID
n=1; epsilon0=1; epsilon=1/2                              | PARSE WRONG_SIDE
n=1; epsilon0=1; epsilon=1                                | EDGE_CASE TIE
n=2; epsilon0=1; epsilon=+0.5                             | PARSE
n=3; epsilon0=1; epsilon=.5                               | PARSE
n=3; epsilon0=1; epsilon=5E-1                             | PARSE
n=2; epsilon0=1e-9; epsilon=0                             | CANCELLATION
n=1000; epsilon0=1e-9; epsilon=5e-10                      | CANCELLATION KNOWN_BUG
n=100000000; epsilon0=1e-9; epsilon=1e-13                 | CANCELLATION
n=3; epsilon0=4; epsilon=3.999999                         | CANCELLATION
n=1e3; epsilon0=1; epsilon=0.1                            | PARSE WRONG_SIDE
n=1000; epsilon0=1; epsilon=0.1                           | WRONG_SIDE *
n=1000; epsilon0=1; epsilon=0.12345678912345678           | GRID WRONG_SIDE
n=1000; epsilon0=1; epsilon=1/3                           | PARSE GRID
n=999; epsilon0=3; epsilon=0                              | EDGE_CASE KNOWN_BUG
n=10007; epsilon0=2; epsilon=0.05                         | GRID
n=100000; epsilon0=ln 3; epsilon=ln 1.03                  | WRONG_SIDE
n=100000; epsilon0=4; epsilon=0.25                        | UNDERFLOW
n=100001; epsilon0=12; epsilon=11                         | KNOWN_BUG GRID
n=1000000; epsilon0=1; epsilon=0.005                      | WRONG_SIDE
n=1000000; epsilon0=1; epsilon=0.05                       | UNDERFLOW KNOWN_BUG
n=1000000; epsilon0=1; epsilon=0.1                        | UNDERFLOW KNOWN_BUG
n=10000; epsilon0=1; epsilon=0.999999                     | UNDERFLOW CANCELLATION
n=1000; epsilon0=40; epsilon=39.5                         | KNOWN_BUG CANCELLATION
n=100000000; epsilon0=40; epsilon=0                       | KNOWN_BUG WRONG_SIDE
n=1000000000000; epsilon0=20; epsilon=0.01                | OVERFLOW WRONG_SIDE
n=1000000; epsilon0=50; epsilon=49.999                    | CANCELLATION
n=2; epsilon0=700; epsilon=0                              | OVERFLOW WRONG_SIDE
n=1000; epsilon0=700; epsilon=699                         | OVERFLOW
n=1; epsilon0=800; epsilon=1                              | OVERFLOW UNDERFLOW KNOWN_BUG
n=1000000; epsilon0=800; epsilon=799.5                    | OVERFLOW KNOWN_BUG
n=100000000; epsilon0=1; epsilon=0.0003                   | WRONG_SIDE KNOWN_BUG
n=100000000; epsilon0=4; epsilon=0.004                    | WRONG_SIDE
"""

_CLONES_EPSILON = """
n=1; epsilon0=ln 3; delta=0                               | EDGE_CASE DEGENERATE KNOWN_BUG *
n=1; epsilon0=ln 3; delta=1/2                             | TIE EDGE_CASE *
n=1; epsilon0=ln 3; delta=0.499999999999999               | TIE CANCELLATION WRONG_SIDE
n=1; epsilon0=ln 3; delta=1                               | EDGE_CASE
n=1; epsilon0=1; delta=1e-6                               | WRONG_SIDE
n=2; epsilon0=ln 3; delta=1e-6                            | WRONG_SIDE
n=2; epsilon0=ln 3; delta=5/12                            | TIE
n=2; epsilon0=ln 4; delta=21/40                           | TIE EDGE_CASE
n=2; epsilon0=ln 4; delta=0.524999999999999               | TIE CANCELLATION WRONG_SIDE
n=2; epsilon0=ln 2; delta=3/16                            | TIE
n=2; epsilon0=ln 1.000000001; delta=1e-10                 | CANCELLATION
n=3; epsilon0=ln 3; delta=5/18                            | TIE *
n=3; epsilon0=ln 3; delta=0.277777777777777               | TIE WRONG_SIDE
n=3; epsilon0=ln 3; delta=1e-300                          | UNDERFLOW CANCELLATION KNOWN_BUG
n=3; epsilon0=ln 3; delta=0                               | EDGE_CASE KNOWN_BUG *
n=4; epsilon0=ln 3; delta=125/648                         | TIE
n=5; epsilon0=ln 3; delta=1399/5832                       | TIE
n=7; epsilon0=ln 9; delta=1/10                            | GRID
n=7; epsilon0=ln 3; delta=1/10                            | GRID
n=10; epsilon0=0; delta=0                                 | DEGENERATE EDGE_CASE KNOWN_BUG
n=10; epsilon0=0; delta=1e-6                              | DEGENERATE KNOWN_BUG
n=12; epsilon0=ln 3; delta=1/100                          | WRONG_SIDE *
n=12; epsilon0=ln 3; delta=1e-2                           | PARSE
n=25; epsilon0=ln 2; delta=1e-15                          | KNOWN_BUG
n=25; epsilon0=ln 16; delta=1/3                           | GRID PARSE
n=40; epsilon0=ln 3; delta=1e-6                           | WRONG_SIDE
n=40; epsilon0=ln 3; delta=0.1                            | WRONG_SIDE
n=40; epsilon0=ln 9; delta=1e-15                          | KNOWN_BUG
n=40; epsilon0=ln 3; delta=0.999999                       | EDGE_CASE
n=1; epsilon0=ln 1e300; delta=1e-6                        | OVERFLOW
n=3; epsilon0=ln 1e100; delta=1e-6                        | OVERFLOW GRID
n=1000; epsilon0=1; delta=0                               | EDGE_CASE KNOWN_BUG
n=1000; epsilon0=1; delta=1                               | EDGE_CASE
n=1000; epsilon0=1; delta=1e-6                            | WRONG_SIDE *
n=1e3; epsilon0=1.0; delta=.000001                        | PARSE
n=1000; epsilon0=1e-9; delta=1e-11                        | CANCELLATION
n=1000; epsilon0=1e-9; delta=1e-6                         | DEGENERATE EDGE_CASE
n=3; epsilon0=1e-9; delta=1e-300                          | CANCELLATION UNDERFLOW
n=2; epsilon0=4; delta=1e-15                              | CANCELLATION
n=10; epsilon0=40; delta=1/2                              | KNOWN_BUG
n=1000; epsilon0=40; delta=1e-6                           | KNOWN_BUG
n=2; epsilon0=50; delta=1e-300                            | CANCELLATION UNDERFLOW
n=1; epsilon0=700; delta=1e-6                             | OVERFLOW
n=1000; epsilon0=700; delta=1/2                           | OVERFLOW
n=2; epsilon0=800; delta=1e-6                             | OVERFLOW KNOWN_BUG
n=1000000; epsilon0=800; delta=1e-15                      | OVERFLOW KNOWN_BUG
n=1000000000000; epsilon0=20; delta=1e-9                  | OVERFLOW WRONG_SIDE
n=1000000; epsilon0=800; delta=0                          | OVERFLOW EDGE_CASE
n=999; epsilon0=4; delta=1e-6                             | GRID KNOWN_BUG
n=10000; epsilon0=1; delta=1e-6                           | WRONG_SIDE *
n=10000; epsilon0=1; delta=1e-15                          | KNOWN_BUG
n=10000; epsilon0=1; delta=1e-300                         | UNDERFLOW KNOWN_BUG
n=10000; epsilon0=1; delta=1/2                            | EDGE_CASE
n=10007; epsilon0=2; delta=1e-9                           | GRID
n=100000; epsilon0=ln 3; delta=1e-6                       | WRONG_SIDE
n=100000; epsilon0=4; delta=1e-6                          | WRONG_SIDE KNOWN_BUG
n=100001; epsilon0=12; delta=1e-6                         | KNOWN_BUG GRID
n=1000000; epsilon0=1; delta=1e-6                         | WRONG_SIDE
n=1000000; epsilon0=4; delta=1e-15                        | KNOWN_BUG
n=10000000; epsilon0=1; delta=1e-6                        | WRONG_SIDE
n=10000000; epsilon0=4; delta=1e-300                      | UNDERFLOW KNOWN_BUG
n=100000000; epsilon0=4; delta=1e-6                       | WRONG_SIDE
n=100000000; epsilon0=1; delta=1e-6                       | WRONG_SIDE
n=100000000; epsilon0=40; delta=1e-6                      | KNOWN_BUG
"""

_STRONGER_DELTA = """
n=1; epsilon0=ln 3; epsilon=0                             | EDGE_CASE DEGENERATE
n=1; epsilon0=ln 4; epsilon=ln 2                          | EDGE_CASE
n=2; epsilon0=ln 4; epsilon=0                             | EDGE_CASE TIE
n=3; epsilon0=ln 4; epsilon=ln 3/2                        | TIE
n=3; epsilon0=ln 4; epsilon=ln 37/10                      | WRONG_SIDE *
n=3; epsilon0=ln 4; epsilon=ln 4                          | TIE EDGE_CASE
n=3; epsilon0=ln 4; epsilon=ln 5                          | EDGE_CASE
n=10; epsilon0=0; epsilon=0                               | DEGENERATE
n=2; epsilon0=ln 1.000000001; epsilon=ln 1.0000000005     | CANCELLATION WRONG_SIDE
n=12; epsilon0=ln 3; epsilon=ln 11/10                     | WRONG_SIDE
n=40; epsilon0=ln 9; epsilon=ln 2                         | GRID
n=40; epsilon0=ln 3; epsilon=ln 2.99                      | CANCELLATION
n=3; epsilon0=1; epsilon=5E-1                             | PARSE
n=1000; epsilon0=1; epsilon=0.1                           | WRONG_SIDE *
n=1000; epsilon0=1e-9; epsilon=5e-10                      | CANCELLATION
n=10007; epsilon0=2; epsilon=0.05                         | GRID
n=100000; epsilon0=4; epsilon=0.25                        | UNDERFLOW
n=1000000; epsilon0=1; epsilon=0.05                       | UNDERFLOW
n=1000; epsilon0=40; epsilon=39.5                         | CANCELLATION
n=1000; epsilon0=700; epsilon=699                         | OVERFLOW
n=1000000; epsilon0=800; epsilon=799.5                    | OVERFLOW
n=100000000; epsilon0=4; epsilon=0.002                    | WRONG_SIDE
"""

_STRONGER_EPSILON = """
n=1; epsilon0=ln 3; delta=1/2                             | TIE EDGE_CASE
n=2; epsilon0=ln 4; delta=12/25                           | TIE EDGE_CASE
n=2; epsilon0=ln 4; delta=0.479999999999999               | TIE CANCELLATION WRONG_SIDE
n=3; epsilon0=ln 4; delta=8/25                            | TIE
n=3; epsilon0=ln 3; delta=0                               | EDGE_CASE
n=3; epsilon0=ln 3; delta=1e-300                          | UNDERFLOW CANCELLATION
n=10; epsilon0=0; delta=1e-6                              | DEGENERATE
n=12; epsilon0=ln 3; delta=1/100                          | WRONG_SIDE *
n=40; epsilon0=ln 9; delta=1e-15                          | GRID
n=1e3; epsilon0=1.0; delta=.000001                        | PARSE
n=1000; epsilon0=1; delta=1                               | EDGE_CASE
n=1000; epsilon0=1e-9; delta=1e-11                        | CANCELLATION
n=1000; epsilon0=40; delta=1e-6                           | CANCELLATION
n=1000000; epsilon0=800; delta=1e-15                      | OVERFLOW
n=10000; epsilon0=1; delta=1e-6                           | WRONG_SIDE
n=10000; epsilon0=1; delta=1e-300                         | UNDERFLOW
n=10007; epsilon0=2; delta=1e-9                           | GRID
n=100000; epsilon0=ln 3; delta=1e-6                       | WRONG_SIDE
n=1000000; epsilon0=4; delta=1e-15                        | WRONG_SIDE
n=10000000; epsilon0=1; delta=1e-6                        | WRONG_SIDE
n=100000000; epsilon0=4; delta=1e-6                       | WRONG_SIDE
"""

_CLOSED_FORM_EPSILON = """
n=1000; epsilon0=1.46; delta=1e-6                         | REGIME EDGE_CASE
n=12; epsilon0=0; delta=1                                 | REGIME EDGE_CASE DEGENERATE
n=10000; epsilon0=0; delta=1e-6                           | DEGENERATE KNOWN_BUG
n=10000; epsilon0=1e-9; delta=1e-6                        | CANCELLATION
n=10000; epsilon0=ln 3; delta=1e-6                        | WRONG_SIDE
n=10000; epsilon0=1; delta=1e-15                          | WRONG_SIDE
n=10000; epsilon0=1; delta=1/2                            | EDGE_CASE
n=10000; epsilon0=1; delta=1                              | EDGE_CASE
n=100000; epsilon0=ln(3); delta=1/1000000                 | PARSE
n=1000000; epsilon0=4; delta=1e-6                         | WRONG_SIDE *
n=1000000; epsilon0=1; delta=1e-300                       | UNDERFLOW KNOWN_BUG
n=100000000; epsilon0=4; delta=1e-300                     | UNDERFLOW
n=1e8; epsilon0=1; delta=1e-6                             | PARSE
n=100000000; epsilon0=12; delta=1e-9                      | WRONG_SIDE
"""

_PAIR_DELTA = """
n=1; epsilon0=ln 3; epsilon=0                             | EDGE_CASE DEGENERATE
n=1; epsilon0=ln 3; epsilon=ln 3                          | EDGE_CASE TIE
n=2; epsilon0=ln 3; epsilon=ln 5/3                        | TIE WRONG_SIDE *
n=2; epsilon0=ln 3; epsilon=ln 2                          | WRONG_SIDE
n=3; epsilon0=ln 3; epsilon=ln 7/5                        | TIE
n=10; epsilon0=0; epsilon=0                               | DEGENERATE KNOWN_BUG
n=12; epsilon0=ln 3; epsilon=ln 11/10                     | WRONG_SIDE
n=40; epsilon0=ln 9; epsilon=ln 2                         | GRID
n=100; epsilon0=ln 3; epsilon=ln 6/5                      | WRONG_SIDE
n=2; epsilon0=1e-9; epsilon=5e-10                         | CANCELLATION
n=10000; epsilon0=1; epsilon=0.05                         | WRONG_SIDE
n=1000000; epsilon0=1; epsilon=0.05                       | UNDERFLOW
n=1000; epsilon0=40; epsilon=39                           | KNOWN_BUG
n=3; epsilon0=800; epsilon=799                            | OVERFLOW UNDERFLOW KNOWN_BUG
n=100000000; epsilon0=4; epsilon=0.002                    | WRONG_SIDE
"""

_PAIR_EPSILON = """
n=1; epsilon0=ln 3; delta=0                               | EDGE_CASE DEGENERATE
n=1; epsilon0=ln 3; delta=1/2                             | TIE EDGE_CASE
n=2; epsilon0=ln 3; delta=1/4                             | TIE WRONG_SIDE *
n=3; epsilon0=ln 3; delta=9/40                            | TIE
n=3; epsilon0=ln 3; delta=1e-300                          | UNDERFLOW CANCELLATION
n=10; epsilon0=0; delta=1e-6                              | DEGENERATE KNOWN_BUG
n=12; epsilon0=ln 3; delta=1/100                          | WRONG_SIDE
n=40; epsilon0=ln 9; delta=1e-6                           | WRONG_SIDE
n=100; epsilon0=ln 3; delta=1e-15                         | KNOWN_BUG
n=1000; epsilon0=1; delta=0                               | EDGE_CASE KNOWN_BUG
n=1000; epsilon0=1; delta=1                               | EDGE_CASE
n=10000; epsilon0=1; delta=1e-6                           | WRONG_SIDE KNOWN_BUG
n=10000; epsilon0=1; delta=1e-300                         | UNDERFLOW
n=1000; epsilon0=40; delta=1e-6                           | KNOWN_BUG
n=3; epsilon0=700; delta=1e-6                             | OVERFLOW
n=1000000; epsilon0=4; delta=1e-15                        | WRONG_SIDE
n=100000000; epsilon0=4; delta=1e-6                       | WRONG_SIDE
"""

_TABLES = {
    ("delta", "clones"): _CLONES_DELTA,
    ("epsilon", "clones"): _CLONES_EPSILON,
    ("delta", "stronger-clones"): _STRONGER_DELTA,
    ("epsilon", "stronger-clones"): _STRONGER_EPSILON,
    ("epsilon", "clones-closed-form"): _CLOSED_FORM_EPSILON,
    ("delta", "binary-rr-pair"): _PAIR_DELTA,
    ("epsilon", "binary-rr-pair"): _PAIR_EPSILON,
}


def questions(operation: str, method: str) -> tuple[Question, ...]:
    """The questions that have an answer, for one operation and method; none where the method does not give the quantity."""
    found = []
    for line in _TABLES.get((operation, method), "").strip().splitlines():
        text, _, marks = line.partition("|")
        flags = marks.split()
        found.append(question(f"method={method}; {text.strip()}", *(flag for flag in flags if flag != "*"), smoke="*" in flags))
    return tuple(found)
