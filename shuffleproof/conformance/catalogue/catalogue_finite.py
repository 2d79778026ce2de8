"""Questions about finite distributions, randomizers, analyzers and norms.

Each line: the input; its flags, "*" for the short suite; why none.
"""

from shuffleproof.conformance.catalogue.question import Question, question

_HOCKEY_STICK = """
p=3/4,1/4; q=1/4,3/4; exp_epsilon=1                       | EDGE_CASE *
p=3/4,1/4; q=1/4,3/4; exp_epsilon=2                       | NEIGHBOURING
p=3/4,1/4; q=1/4,3/4; exp_epsilon=3                       | TIE EDGE_CASE
p=3/4,1/4; q=1/4,3/4; exp_epsilon=2.999999999999          | TIE CANCELLATION
p=1/2,1/3,1/6; q=1/6,1/3,1/2; exp_epsilon=3/2             | NEIGHBOURING
p=1/2,1/2,0; q=1/2,1/4,1/4; exp_epsilon=1                 | NEIGHBOURING EDGE_CASE *
p=1/2,1/4,1/4; q=1/2,1/2,0; exp_epsilon=2                 | NEIGHBOURING EDGE_CASE
p=1/2,1/4,1/4; q=1/2,1/2,0; exp_epsilon=1e300             | OVERFLOW NEIGHBOURING
p=1,0; q=0,1; exp_epsilon=5                               | DEGENERATE EDGE_CASE
p=1; q=1; exp_epsilon=1                                   | DEGENERATE
p=1/3,1/3,1/3; q=1/3,1/3,1/3; exp_epsilon=1.1             | DEGENERATE
p=1e-320,1; q=0,1; exp_epsilon=2                          | PARSE | p and q must be probabilities with sum 1
p=0.1,0.9; q=0.9,0.1; exp_epsilon=1                       | PARSE
p=1e-400,1/2,0.5e0; q=1,0,0; exp_epsilon=1                | PARSE UNDERFLOW | p must be probabilities with sum 1
p=0.000000001,0.999999999; q=0,1; exp_epsilon=1           | CANCELLATION UNDERFLOW
p=500000001/1000000000,499999999/1000000000; q=1/2,1/2; exp_epsilon=1.000000001 | CANCELLATION
p=1/2,1/2; q=1/2,1/2; exp_epsilon=0.999                   | EDGE_CASE | e^epsilon must be at least 1
p=1/2,1/2; q=1/2,1/4,1/4; exp_epsilon=2                   | EDGE_CASE | p and q must be laws over the same outcomes
p=3/2,-1/2; q=1/2,1/2; exp_epsilon=2                      | EDGE_CASE | probabilities must be at least 0
p=1/2,1/2; q=1/2,1/2; exp_epsilon=nan                     | PARSE KNOWN_BUG | e^epsilon must be a number
"""

_LOCAL_EPSILON = """
laws=3/4,1/4 1/4,3/4                                      | EDGE_CASE *
laws=3/5,1/5,1/5 1/5,3/5,1/5 1/5,1/5,3/5                  | EDGE_CASE
laws=1/2,1/4,1/4 1/4,1/2,1/4 1/8,3/8,1/2                  | NEIGHBOURING
laws=9/10,1/10 1/2,1/2 1/10,9/10                          | NEIGHBOURING *
laws=99/100,1/100 97/100,3/100                            | NEIGHBOURING CANCELLATION
laws=1/2,1/2 1/2,1/2                                      | DEGENERATE
laws=1                                                    | DEGENERATE EDGE_CASE
laws=1/2,1/2,0 1/3,2/3,0                                  | DEGENERATE EDGE_CASE
laws=0.1,0.9 0.3,0.7                                      | PARSE
laws=0.5000000005,0.4999999995 0.4999999995,0.5000000005  | CANCELLATION
laws=1/1000000000000000000,999999999999999999/1000000000000000000 1/2,1/2 | UNDERFLOW CANCELLATION
laws=1,0 1/2,1/2                                          | REGIME | no epsilon bounds the ratio of a probability to 0
laws=1/2,1/2,0 1/2,0,1/2                                  | REGIME KNOWN_BUG | no epsilon bounds the ratio of a probability to 0
laws=1/2,1/4 1/4,3/4                                      | EDGE_CASE | each law must have sum 1
laws=1/2,1/2 1/3,1/3,1/3                                  | EDGE_CASE | the laws must be over the same outcomes
"""

_SHUFFLE_LAW = """
laws=3/4,1/4 1/4,3/4; dataset=0                           | EDGE_CASE *
laws=3/4,1/4 1/4,3/4; dataset=0,1                         | NEIGHBOURING
laws=3/4,1/4 1/4,3/4; dataset=1,0                         | NEIGHBOURING *
laws=3/4,1/4 1/4,3/4; dataset=0,0,0,0,0                   | EDGE_CASE
laws=3/4,1/4 1/4,3/4; dataset=0,1,1,0,1,1                 | NEIGHBOURING
laws=1,0 0,1; dataset=0,1,1                               | DEGENERATE
laws=1/2,1/2 1/2,1/2; dataset=0,1,0,1                     | DEGENERATE TIE
laws=1/2,1/4,1/4 1/4,1/2,1/4 1/4,1/4,1/2; dataset=2,0,1   | GRID
laws=1/2,1/4,1/4 1/8,1/2,3/8; dataset=1,1,0,1             | GRID NEIGHBOURING
laws=0.999999999,0.000000001 0.5,0.5; dataset=0,0,1       | CANCELLATION UNDERFLOW
laws=3/4,1/4 1/4,3/4; dataset=2                           | EDGE_CASE | a user's input must have a law
laws=3/4,1/4 1/4,3/4; dataset=-1                          | EDGE_CASE | a user's input must have a law
laws=3/4,1/2 1/4,3/4; dataset=0                           | EDGE_CASE | each law must have sum 1
"""

_RENYI = """
p=3/4,1/4; q=1/4,3/4; order=2                             | EDGE_CASE *
p=1/2,1/3,1/6; q=1/3,1/3,1/3; order=2                     | NEIGHBOURING
p=1/3,1/3,1/3; q=1/2,1/3,1/6; order=2                     | NEIGHBOURING *
p=1/2,1/2,0; q=1/2,1/4,1/4; order=3                       | EDGE_CASE DEGENERATE
p=3/4,1/4; q=1/4,3/4; order=64                            | OVERFLOW
p=1/2,1/2; q=1/2,1/2; order=5                             | DEGENERATE
p=0.5000000005,0.4999999995; q=1/2,1/2; order=2           | CANCELLATION
p=0.9,0.1; q=0.1,0.9; order=1e1                           | PARSE
p=999/1000,1/1000; q=1/1000,999/1000; order=105           | OVERFLOW
p=1/2,1/4,1/4; q=1/2,1/2,0; order=2                       | REGIME | p has mass where q has none, so no moment is finite
p=3/4,1/4; q=1/4,3/4; order=1                             | EDGE_CASE | the order must be at least 2
p=3/4,1/4; q=1/4,3/4; order=5/2                           | EDGE_CASE | the order must be a whole number
"""

_COMPOSE = """
rule=basic; epsilon=ln 2; rounds=3                        | EDGE_CASE *
rule=basic; epsilon=ln 1.000000001; rounds=10             | CANCELLATION
rule=basic; epsilon=0; rounds=7                           | DEGENERATE
rule=optimal; epsilon=ln 3; delta=0; rounds=1; total_epsilon=ln 3      | TIE EDGE_CASE
rule=optimal; epsilon=ln 3; delta=0; rounds=1; total_epsilon=ln 2      | EDGE_CASE *
rule=optimal; epsilon=ln 2; delta=1/1000; rounds=5; total_epsilon=ln 8 | TIE
rule=optimal; epsilon=ln 2; delta=0; rounds=10; total_epsilon=ln 64    | TIE
rule=optimal; epsilon=ln 2; delta=1e-9; rounds=6; total_epsilon=ln 5   | GRID CANCELLATION
rule=optimal; epsilon=ln 2; delta=0; rounds=4; total_epsilon=ln 16     | TIE EDGE_CASE
rule=optimal; epsilon=ln 2; delta=1e-20; rounds=4; total_epsilon=ln 16 | CANCELLATION UNDERFLOW
rule=optimal; epsilon=0; delta=1/10; rounds=3; total_epsilon=0         | DEGENERATE
rule=optimal; epsilon=ln 1.1; delta=0; rounds=50; total_epsilon=ln 4   | GRID
rule=product; p=3/4,1/4; q=1/4,3/4; rounds=2; exp_epsilon=3            | TIE
rule=product; p=3/4,1/4; q=1/4,3/4; rounds=5; exp_epsilon=2            | GRID
rule=product; p=1/2,1/3,1/6; q=1/3,1/3,1/3; rounds=3; exp_epsilon=3/2  | NEIGHBOURING *
rule=product; p=1/2,1/4,1/4; q=1/2,1/2,0; rounds=4; exp_epsilon=10     | NEIGHBOURING
rule=basic; epsilon=ln 2; rounds=0                        | EDGE_CASE | there must be at least one round
rule=optimal; epsilon=ln 2; delta=2; rounds=2; total_epsilon=ln 2      | EDGE_CASE | delta must be in [0, 1]
rule=product; p=3/4,1/4; q=1/4,3/4; rounds=2; exp_epsilon=1/2          | EDGE_CASE | e^epsilon must be at least 1
"""

_THRESHOLD = """
rule=minimiser; norms=5,3,1; T=1                          | TIE *
rule=minimiser; norms=5,3,1; T=3/2                        | GRID
rule=minimiser; norms=5,3,1; T=1/2                        | EDGE_CASE
rule=minimiser; norms=5,3,1; T=3                          | TIE EDGE_CASE
rule=minimiser; norms=5,3,1; T=2.999999999                | TIE GRID
rule=minimiser; norms=5,3,1; T=100                        | EDGE_CASE
rule=minimiser; norms=4,4,4,2; T=2                        | TIE
rule=minimiser; norms=4,4,4,2; T=3                        | TIE
rule=minimiser; norms=0,0,0; T=1                          | DEGENERATE
rule=minimiser; norms=7; T=1                              | DEGENERATE TIE
rule=minimiser; norms=1e300,1e-300,1; T=1                 | OVERFLOW UNDERFLOW
rule=minimiser; norms=0.1,0.2,0.3; T=2                    | PARSE TIE
rule=regularised; norms=5,3,1; T=1; lambda=1; B=10        | EDGE_CASE *
rule=regularised; norms=5,3,1; T=1; lambda=1/2; B=10      | TIE
rule=regularised; norms=5,3,1; T=1; lambda=1/100; B=10    | GRID
rule=regularised; norms=5,3,1; T=1/2; lambda=1; B=1/2     | EDGE_CASE
rule=regularised; norms=5,3,1; T=4; lambda=1; B=10        | EDGE_CASE DEGENERATE
rule=minimiser; norms=5,3,1; T=0                          | EDGE_CASE | the slope must be above 0
rule=minimiser; norms=5,-3,1; T=1                         | EDGE_CASE | norms are at least 0
rule=regularised; norms=5,3,1; T=1; lambda=0; B=10        | REGIME | lambda must be above 0: there need be no only minimiser
"""

_ESTIMATE = {
    "zero-sum": """
n=4; p=3/4; messages=7                                    | EDGE_CASE *
n=4; p=3/4; messages=5                                    | EDGE_CASE
n=4; p=3/4; messages=4                                    | TIE EDGE_CASE *
n=4; p=3/4; messages=0                                    | DEGENERATE EDGE_CASE
n=10; p=1; messages=10                                    | DEGENERATE TIE
n=10; p=1; messages=13                                    | DEGENERATE
n=3; p=1/2; messages=6                                    | EDGE_CASE
n=1000; p=0.9; messages=1001                              | GRID WRONG_SIDE
n=7; p=0.1; messages=9                                    | PARSE
n=4; p=3/4; messages=9                                    | EDGE_CASE | each of n users sends at most 2 messages
n=4; p=3/4; messages=-1                                   | EDGE_CASE | a number of messages is at least 0
n=4; p=1.5; messages=5                                    | EDGE_CASE | p is a probability
""",
    "histogram": """
n=4; p=3/4; counts=5,4,7; bin=1                           | EDGE_CASE
n=4; p=3/4; counts=5,4,7; bin=2                           | TIE *
n=4; p=3/4; counts=5,4,7; bin=3                           | EDGE_CASE
n=4; p=3/4; counts=0,0,8; bin=1                           | DEGENERATE
n=100; p=0.98; counts=101,103,99; bin=2                   | PARSE WRONG_SIDE
n=4; p=3/4; counts=5,4,7; bin=4                           | EDGE_CASE | there are 3 bins
n=4; p=3/4; counts=5,4,9; bin=1                           | EDGE_CASE | each of n users sends at most 2 messages for a bin
""",
    "bit-sum": """
n=4; lambda=1; ones=2                                     | EDGE_CASE *
n=4; lambda=1; ones=0                                     | EDGE_CASE *
n=4; lambda=1; ones=4                                     | EDGE_CASE
n=10; lambda=0; ones=7                                    | DEGENERATE
n=10; lambda=9.999999999; ones=5                          | CANCELLATION EDGE_CASE
n=10; lambda=9.999999999; ones=6                          | CANCELLATION
n=1000; lambda=0.1; ones=333                              | PARSE GRID
n=7; lambda=3; ones=3                                     | GRID
n=10; lambda=10; ones=5                                   | DEGENERATE REGIME | at lambda = n the messages say nothing
n=10; lambda=11; ones=5                                   | EDGE_CASE | lambda must be below n
n=10; lambda=-1; ones=5                                   | EDGE_CASE | lambda is at least 0
n=10; lambda=1; ones=11                                   | EDGE_CASE | each of n users sends one message
""",
    "real-sum": """
n=4; lambda=1; r=3; ones=6                                | EDGE_CASE *
n=4; lambda=1; r=1; ones=2                                | EDGE_CASE
n=4; lambda=1; r=3; ones=0                                | EDGE_CASE
n=4; lambda=1; r=3; ones=12                               | EDGE_CASE
n=10; lambda=0; r=7; ones=33                              | DEGENERATE GRID
n=50; lambda=0.1; r=10; ones=251                          | PARSE
n=10; lambda=10; r=2; ones=5                              | DEGENERATE REGIME | at lambda = n the messages say nothing
n=4; lambda=1; r=0; ones=0                                | EDGE_CASE | there is at least one message each
n=4; lambda=1; r=3; ones=13                               | EDGE_CASE | each of n users sends r messages
""",
}
_TABLES = {
    "hockey_stick": _HOCKEY_STICK,
    "local_epsilon": _LOCAL_EPSILON,
    "shuffle_law": _SHUFFLE_LAW,
    "renyi": _RENYI,
    "compose": _COMPOSE,
    "threshold": _THRESHOLD,
}


def questions(operation: str, name: str = "") -> tuple[Question, ...]:
    """The questions of an operation; name: the protocol, for `estimate`."""
    if operation == "estimate":
        return read(_ESTIMATE[name], before=f"protocol={name}; ")
    return read(_TABLES[operation])


def read(table: str, *, before: str = "") -> tuple[Question, ...]:
    """The questions of a table: input | flags | why there is no answer, where there is none."""
    found = []
    for line in table.strip().splitlines():
        text, _, rest = line.partition("|")
        marks, _, refusal = rest.partition("|")
        flags = tuple(flag for flag in marks.split() if flag != "*")
        found.append(question(before + text.strip(), *flags, smoke="*" in marks.split(), refusal=refusal.strip() or None))
    return tuple(found)
