"""Questions about protocols with parameters of their own, debiasing and calibration. Lines as in `catalogue_finite`."""

from shuffleproof.conformance.catalogue.catalogue_finite import read
from shuffleproof.conformance.catalogue.question import Question

_N = "n must be a whole number of at least 1"
_P = "p must be a number in [0, 1]"
_DELTA = "delta must be a number in [0, 1]"

_DELTAS = {
    "zero-sum": f"""
n=1; p=1/2; epsilon=0                                     | EDGE_CASE DEGENERATE
n=3; p=1/2; epsilon=ln 2                                  | TIE *
n=3; p=1/3; epsilon=ln 2                                  | NEIGHBOURING
n=3; p=2/3; epsilon=ln 2                                  | NEIGHBOURING *
n=10; p=9/10; epsilon=0                                   | EDGE_CASE NEIGHBOURING
n=10; p=9/10; epsilon=ln 100                              | NEIGHBOURING
n=10; p=0; epsilon=ln 2                                   | DEGENERATE
n=10; p=1; epsilon=ln 2                                   | DEGENERATE
n=50; p=0.9; epsilon=ln 3/2                               | PARSE GRID
n=100; p=1/2; epsilon=ln 1.000000001                      | CANCELLATION
n=1000; p=0.99; epsilon=1                                 | NEIGHBOURING WRONG_SIDE
n=100000; p=0.999; epsilon=1                              | WRONG_SIDE NEIGHBOURING
n=100000; p=1/2; epsilon=0.5                              | UNDERFLOW
n=0; p=1/2; epsilon=1                                     | EDGE_CASE | {_N}
n=10; p=-1e-9; epsilon=1                                  | EDGE_CASE | {_P}
n=10; p=1.000000000000000000001; epsilon=1                | PARSE EDGE_CASE | {_P}
""",
    "bit-sum": """
n=1; lambda=1/2; epsilon=0                                | EDGE_CASE
n=3; lambda=2; epsilon=0                                  | NEIGHBOURING *
n=3; lambda=2; epsilon=ln 5/4                             | NEIGHBOURING
n=5; lambda=5; epsilon=0                                  | DEGENERATE
n=5; lambda=0; epsilon=ln 2                               | DEGENERATE
n=6; lambda=1; epsilon=ln 2                               | NEIGHBOURING EDGE_CASE
n=8; lambda=0.1; epsilon=ln 3                             | PARSE NEIGHBOURING
n=8; lambda=4; epsilon=ln 1.000000001                     | CANCELLATION
n=12; lambda=7; epsilon=ln 6/5                            | GRID NEIGHBOURING
n=100; lambda=20; epsilon=1                               | WRONG_SIDE NEIGHBOURING
n=10; lambda=11; epsilon=1                                | EDGE_CASE | lambda must be at most n
n=10; lambda=-1; epsilon=1                                | EDGE_CASE | lambda must be at least 0
""",
    "optimal-pair": """
n=1; p=4; beta=1/2; q=4; epsilon=ln 2                     | EDGE_CASE
n=3; p=4; beta=1/2; q=4; epsilon=ln 2                     | GRID *
n=3; p=4; beta=3/5; q=4; epsilon=0                        | EDGE_CASE
n=3; p=4; beta=1; q=4; epsilon=ln 2                       | EDGE_CASE REGIME
n=5; p=infinity; beta=1/10; q=2; epsilon=ln 3             | OVERFLOW EDGE_CASE
n=6; p=3; beta=0; q=3; epsilon=0                          | DEGENERATE
n=8; p=3; beta=1/3; q=3; epsilon=ln 5/4                   | GRID
n=4; p=1/2; beta=1/2; q=2; epsilon=1                      | EDGE_CASE | p must be at least 1
n=4; p=2; beta=1/3; q=1/2; epsilon=1                      | EDGE_CASE | q must be at least 1
n=4; p=2; beta=3/2; q=2; epsilon=1                        | EDGE_CASE | beta must be in [0, 1]
""",
    "coordinate-sums": """
n=1; changed=1; epsilon0=ln 4; epsilon=0                  | EDGE_CASE
n=1; changed=2; epsilon0=ln 4; epsilon=ln 2               | TIE EDGE_CASE
n=3; changed=2; epsilon0=ln 4; epsilon=ln 2               | NEIGHBOURING
n=3; changed=1; epsilon0=ln 2; epsilon=ln 2               | TIE NEIGHBOURING
n=4; changed=2; epsilon0=ln 25; epsilon=ln 3/2            | NEIGHBOURING
n=5; changed=2; epsilon0=ln 9/4; epsilon=ln 9/4           | EDGE_CASE
n=6; changed=2; epsilon0=ln 4; epsilon=ln 1.000000001     | CANCELLATION
n=8; changed=1; epsilon0=ln 101; epsilon=ln 7             | GRID NEIGHBOURING
n=3; changed=3; epsilon0=ln 4; epsilon=0                  | EDGE_CASE | changed must be 1 or 2
n=3; changed=1; epsilon0=-1; epsilon=0                    | EDGE_CASE | epsilon0 must be at least 0
""",
    "asymmetric-coordinate-sums": """
n=1; changed=1; epsilon0=ln 4; epsilon=0                  | EDGE_CASE
n=1; changed=2; epsilon0=ln 4; epsilon=ln 2               | TIE EDGE_CASE
n=3; changed=2; epsilon0=ln 4; epsilon=ln 2               | NEIGHBOURING
n=3; changed=1; epsilon0=ln 3; epsilon=ln 3/2             | TIE NEIGHBOURING
n=8; changed=1; epsilon0=ln 9; epsilon=ln 9/2             | NEIGHBOURING
n=4; changed=2; epsilon0=ln 25; epsilon=ln 3/2            | NEIGHBOURING
n=4; changed=1; epsilon0=ln 9; epsilon=ln 5               | EDGE_CASE
n=6; changed=2; epsilon0=ln 4; epsilon=ln 1.000000001     | CANCELLATION
n=3; changed=3; epsilon0=ln 4; epsilon=0                  | EDGE_CASE | changed must be 1 or 2
""",
    "laplace-sum": """
n=1; sensitivity=1; epsilon0=ln 2; epsilon=0              | EDGE_CASE
n=7; sensitivity=1; epsilon0=ln 3; epsilon=ln 3           | TIE EDGE_CASE
n=7; sensitivity=2; epsilon0=ln 4; epsilon=ln 2           | TIE
n=7; sensitivity=3; epsilon0=ln 8; epsilon=ln 4           | TIE GRID
n=2; sensitivity=5; epsilon0=1; epsilon=1/2               | NEIGHBOURING WRONG_SIDE
n=2; sensitivity=1000000; epsilon0=1; epsilon=0.999       | CANCELLATION
n=2; sensitivity=1; epsilon0=700; epsilon=699             | OVERFLOW CANCELLATION
n=9; sensitivity=4; epsilon0=0; epsilon=0                 | DEGENERATE
n=9; sensitivity=0; epsilon0=1; epsilon=0                 | DEGENERATE | sensitivity must be at least 1
""",
    "fake-users": """
n=1; fakes=1; p=1/2; epsilon=0                            | EDGE_CASE
n=1000000; fakes=2; p=1/2; epsilon=ln 2                   | TIE EDGE_CASE
n=5; fakes=3; p=1/3; epsilon=ln 2                         | NEIGHBOURING
n=5; fakes=3; p=2/3; epsilon=ln 2                         | NEIGHBOURING
n=2; fakes=10; p=9/10; epsilon=ln 100                     | NEIGHBOURING
n=2; fakes=4; p=1; epsilon=ln 2                           | DEGENERATE
n=3; fakes=30; p=1/2; epsilon=ln 1.000000001              | CANCELLATION
n=3; fakes=1000; p=0.1; epsilon=1                         | WRONG_SIDE PARSE
n=3; fakes=0; p=1/2; epsilon=1                            | EDGE_CASE | fakes must be at least 1
""",
    "binomial-sum": f"""
n=1; sensitivity=1; coins=1; p=1/2; epsilon=0             | EDGE_CASE
n=2; sensitivity=1; coins=2; p=1/2; epsilon=ln 2          | TIE
n=3; sensitivity=2; coins=4; p=1/3; epsilon=ln 2          | NEIGHBOURING
n=3; sensitivity=2; coins=4; p=2/3; epsilon=ln 2          | NEIGHBOURING
n=2; sensitivity=7; coins=3; p=1/2; epsilon=ln 3          | DEGENERATE EDGE_CASE
n=10; sensitivity=3; coins=10; p=1/2; epsilon=ln 1.000000001 | CANCELLATION
n=1000; sensitivity=1; coins=5; p=0.01; epsilon=1         | WRONG_SIDE NEIGHBOURING
n=100000; sensitivity=3; coins=2; p=1/2; epsilon=0.5      | UNDERFLOW
n=3; sensitivity=1; coins=0; p=1/2; epsilon=1             | EDGE_CASE | coins must be at least 1
n=3; sensitivity=1; coins=2; p=3/2; epsilon=1             | EDGE_CASE | {_P}
""",
    "discrete-gaussian-sum": """
n=1; sensitivity=1; variance=1; epsilon=0                 | EDGE_CASE
n=2; sensitivity=1; variance=1/4; epsilon=1               | GRID
n=3; sensitivity=2; variance=5/2; epsilon=ln 2            | GRID NEIGHBOURING
n=4; sensitivity=1; variance=1e-1; epsilon=1/2            | DEGENERATE
n=8; sensitivity=1; variance=4; epsilon=1e-9              | CANCELLATION
n=100; sensitivity=10; variance=3; epsilon=3              | WRONG_SIDE
n=20; sensitivity=1; variance=1; epsilon=9                | UNDERFLOW
n=2; sensitivity=1; variance=0; epsilon=1                 | EDGE_CASE | variance must be above 0
""",
    "split-and-mix": """
n=1; messages=1; modulus=2; sensitivity=1; epsilon0=ln 2; epsilon=0 | EDGE_CASE
n=2; messages=3; modulus=5; sensitivity=1; epsilon0=ln 3; epsilon=ln 2 | NEIGHBOURING
n=3; messages=8; modulus=7; sensitivity=2; epsilon0=ln 4; epsilon=ln 2 | GRID
n=3; messages=8; modulus=8; sensitivity=2; epsilon0=ln 4; epsilon=ln 2 | GRID
n=4; messages=10; modulus=11; sensitivity=1; epsilon0=ln 3; epsilon=ln 3 | TIE EDGE_CASE
n=4; messages=10; modulus=11; sensitivity=1; epsilon0=ln 3; epsilon=ln 9 | EDGE_CASE REGIME
n=2; messages=1; modulus=100; sensitivity=1; epsilon0=1; epsilon=1/2 | DEGENERATE
n=50; messages=30; modulus=1000003; sensitivity=100; epsilon0=1; epsilon=1 | UNDERFLOW
n=3; messages=0; modulus=5; sensitivity=1; epsilon0=1; epsilon=1/2 | EDGE_CASE | messages must be at least 1
n=3; messages=4; modulus=1; sensitivity=1; epsilon0=1; epsilon=1/2 | EDGE_CASE | modulus must be at least 2
""",
}
_EPSILONS = {
    "zero-sum": f"""
n=3; p=1/2; delta=1/4                                     | TIE *
n=3; p=1/2; delta=1/8                                     | TIE EDGE_CASE REGIME
n=10; p=9/10; delta=1/2                                   | NEIGHBOURING *
n=20; p=0.8; delta=1/10                                   | NEIGHBOURING PARSE
n=10; p=1/2; delta=1                                      | EDGE_CASE
n=1000; p=0.9; delta=1e-6                                 | WRONG_SIDE NEIGHBOURING
n=100000; p=0.999; delta=1e-6                             | WRONG_SIDE
n=3; p=1/2; delta=0.124999999                             | REGIME EDGE_CASE | delta is below the probability that the data are given away
n=10; p=1; delta=1e-6                                     | REGIME DEGENERATE | without noise no epsilon is enough
n=10; p=1/2; delta=-1e-9                                  | EDGE_CASE | {_DELTA}
""",
    "bit-sum": f"""
n=1; lambda=1/2; delta=0                                  | EDGE_CASE *
n=3; lambda=2; delta=1/20                                 | NEIGHBOURING
n=8; lambda=4; delta=1e-3                                 | NEIGHBOURING
n=12; lambda=0.5; delta=0.01                              | PARSE NEIGHBOURING
n=5; lambda=5; delta=0                                    | DEGENERATE
n=10; lambda=0; delta=1e-6                                | REGIME DEGENERATE | without noise no epsilon is enough
n=10; lambda=1; delta=2                                   | EDGE_CASE | {_DELTA}
""",
    "optimal-pair": f"""
n=3; p=4; beta=1/2; q=4; delta=1/10                       | GRID *
n=6; p=3; beta=1/3; q=3; delta=0                          | EDGE_CASE
n=8; p=3; beta=1/2; q=3; delta=1e-3                       | GRID
n=5; p=infinity; beta=1/10; q=2; delta=0                  | REGIME | no epsilon is enough for infinite p and delta = 0
n=4; p=2; beta=1/3; q=2; delta=nan                        | PARSE | {_DELTA}
""",
    "coordinate-sums": f"""
n=1; changed=1; epsilon0=ln 4; delta=0                    | EDGE_CASE
n=3; changed=2; epsilon0=ln 4; delta=1/20                 | NEIGHBOURING
n=4; changed=2; epsilon0=ln 25; delta=1e-3                | NEIGHBOURING
n=6; changed=1; epsilon0=ln 9; delta=1/100                | PARSE NEIGHBOURING
n=3; changed=1; epsilon0=ln 4; delta=2                    | EDGE_CASE | {_DELTA}
""",
    "asymmetric-coordinate-sums": f"""
n=1; changed=1; epsilon0=ln 4; delta=0                    | EDGE_CASE
n=3; changed=2; epsilon0=ln 4; delta=1/20                 | NEIGHBOURING
n=6; changed=1; epsilon0=ln 9; delta=1/100                | NEIGHBOURING
n=3; changed=1; epsilon0=ln 4; delta=2                    | EDGE_CASE | {_DELTA}
""",
    "laplace-sum": f"""
n=1; sensitivity=2; epsilon0=ln 4; delta=0                | EDGE_CASE
n=1; sensitivity=2; epsilon0=ln 4; delta=1/10             | TIE
n=500; sensitivity=1; epsilon0=1; delta=1e-6              | WRONG_SIDE
n=500; sensitivity=1000000; epsilon0=1; delta=1e-3        | WRONG_SIDE CANCELLATION
n=500; sensitivity=3; epsilon0=1; delta=1                 | EDGE_CASE
n=5; sensitivity=3; epsilon0=1; delta=-1                  | EDGE_CASE | {_DELTA}
""",
    "fake-users": f"""
n=7; fakes=3; p=1/2; delta=1/2                            | TIE NEIGHBOURING
n=7; fakes=10; p=9/10; delta=1/2                          | NEIGHBOURING
n=7; fakes=2; p=1/2; delta=7/16                           | TIE EDGE_CASE REGIME
n=7; fakes=2; p=1/2; delta=0.437499999                    | REGIME EDGE_CASE | delta is below the probability that a count gives data away
n=7; fakes=1000; p=1/2; delta=1e-6                        | WRONG_SIDE
n=7; fakes=3; p=1/2; delta=2                              | EDGE_CASE | {_DELTA}
""",
    "binomial-sum": f"""
n=2; sensitivity=1; coins=2; p=1/2; delta=1/8             | NEIGHBOURING
n=2; sensitivity=1; coins=2; p=1/2; delta=1/16            | TIE EDGE_CASE REGIME
n=2; sensitivity=1; coins=2; p=1/2; delta=0.062499999     | REGIME EDGE_CASE | delta is below the probability that the sum gives data away
n=3; sensitivity=2; coins=4; p=1/3; delta=1/10            | NEIGHBOURING
n=1000; sensitivity=2; coins=3; p=1/2; delta=1e-6         | WRONG_SIDE
n=2; sensitivity=1; coins=2; p=1/2; delta=-1              | EDGE_CASE | {_DELTA}
""",
    "discrete-gaussian-sum": """
n=1; sensitivity=1; variance=1; delta=1/10                | EDGE_CASE
n=3; sensitivity=2; variance=5/2; delta=1e-3              | GRID
n=50; sensitivity=4; variance=2; delta=1e-9               | WRONG_SIDE
n=3; sensitivity=1; variance=2; delta=1                   | EDGE_CASE
n=3; sensitivity=1; variance=2; delta=0                   | REGIME EDGE_CASE | the likelihood ratio of Gaussian noise has no bound
""",
    "split-and-mix": f"""
n=3; messages=8; modulus=7; sensitivity=2; epsilon0=ln 4; delta=1/8 | GRID NEIGHBOURING
n=10; messages=20; modulus=101; sensitivity=3; epsilon0=1; delta=1e-3 | WRONG_SIDE
n=1; messages=1; modulus=2; sensitivity=1; epsilon0=ln 3; delta=1/8 | EDGE_CASE
n=2; messages=3; modulus=5; sensitivity=1; epsilon0=ln 3; delta=1/100 | REGIME | delta is below (1 + e^epsilon0) times the distance
n=3; messages=8; modulus=7; sensitivity=2; epsilon0=ln 4; delta=3/2 | EDGE_CASE | {_DELTA}
""",
}

_DEBIAS = """
C=1; rate=1                                               | EDGE_CASE *
C=5; rate=0                                               | DEGENERATE EDGE_CASE
C=5; rate=3                                               | WRONG_SIDE
C=5; rate=5                                               | EDGE_CASE
C=3/2; rate=0.7                                           | GRID PARSE
C=1; rate=1e-12                                           | CANCELLATION
C=20; rate=0.1                                            | CANCELLATION
C=100; rate=1e-3                                          | UNDERFLOW CANCELLATION
C=10; rate=700                                            | UNDERFLOW OVERFLOW
C=10; rate=100                                            | CANCELLATION
C=0; rate=3                                               | DEGENERATE
C=5; y=0                                                  | DEGENERATE
C=1; y=1/2                                                | EDGE_CASE *
C=5; y=3                                                  | WRONG_SIDE
C=5; y=4.999999                                           | CANCELLATION REGIME
C=5/2; y=2                                                | GRID
C=10; y=1e-9                                              | CANCELLATION
C=50; y=40                                                | WRONG_SIDE
C=5; y=5                                                  | REGIME EDGE_CASE | f_C stays below C, so that no rate has y = C
C=5; y=6                                                  | REGIME | f_C stays below C
C=5; y=-1e-9                                              | EDGE_CASE | f_C is at least 0
C=5; rate=-1                                              | EDGE_CASE | a rate is at least 0
C=-1; rate=1                                              | EDGE_CASE | a threshold is at least 0
"""

_CALIBRATE = {
    "zero-sum": f"""
n=100; epsilon=1; delta=1e-3                              | WRONG_SIDE *
n=1000; epsilon=1; delta=1e-6                             | WRONG_SIDE NEIGHBOURING
n=100000; epsilon=1; delta=1e-6                           | WRONG_SIDE
n=100000; epsilon=0.1; delta=1e-6                         | WRONG_SIDE PARSE
n=1000000; epsilon=ln 3; delta=1e-9                       | UNDERFLOW
n=0; epsilon=1; delta=1e-6                                | EDGE_CASE | {_N}
n=10; epsilon=0.01; delta=1e-9                            | REGIME | so few users cannot have that much privacy
n=100; epsilon=1; delta=-1                                | EDGE_CASE | {_DELTA}
""",
    "bit-sum": f"""
n=100; epsilon=1; delta=1e-3                              | WRONG_SIDE NEIGHBOURING *
n=1000; epsilon=1; delta=1e-6                             | WRONG_SIDE NEIGHBOURING
n=100; epsilon=1; delta=2                                 | EDGE_CASE | {_DELTA}
""",
    "histogram": f"""
n=8; epsilon=ln 3; delta=1/5                              | NEIGHBOURING *
n=10; epsilon=ln 3; delta=1/10                            | NEIGHBOURING WRONG_SIDE
n=12; epsilon=ln 8; delta=1/100                           | NEIGHBOURING GRID
n=1000; epsilon=1; delta=1e-6                             | WRONG_SIDE
n=100000; epsilon=0.5; delta=1e-9                         | UNDERFLOW NEIGHBOURING
n=0; epsilon=1; delta=1e-6                                | EDGE_CASE | {_N}
n=10; epsilon=0.01; delta=1e-9                            | REGIME | so few users cannot have that much privacy
n=100; epsilon=1; delta=-1                                | EDGE_CASE | {_DELTA}
""",
    "real-sum": f"""
n=4; r=2; epsilon=ln 3; delta=1/10                        | NEIGHBOURING *
n=3; r=3; epsilon=ln 4; delta=1/20                        | NEIGHBOURING
n=5; r=1; epsilon=ln 2; delta=1/10                        | EDGE_CASE
n=100; r=10; epsilon=1; delta=1e-3                        | WRONG_SIDE
n=1000; r=4; epsilon=1; delta=1e-6                        | WRONG_SIDE NEIGHBOURING
n=100; r=0; epsilon=1; delta=1e-3                         | EDGE_CASE | there is at least one message each
n=100; r=10; epsilon=1; delta=2                           | EDGE_CASE | {_DELTA}
""",
    "real-sum-tagged": f"""
n=4; r=2; epsilon=ln 3; delta=1/10                        | NEIGHBOURING *
n=5; r=1; epsilon=ln 2; delta=1/10                        | EDGE_CASE
n=100; r=4; epsilon=1; delta=1e-6                         | NEIGHBOURING WRONG_SIDE
n=100; r=0; epsilon=1; delta=1e-3                         | EDGE_CASE | there is at least one message each
n=100; r=4; epsilon=1; delta=2                            | EDGE_CASE | {_DELTA}
""",
    "user-histogram": f"""
C=1; d=10; relation=replace-one; epsilon=1; delta=1e-6    | NEIGHBOURING *
C=1; d=10; relation=add-remove; epsilon=1; delta=1e-6     | NEIGHBOURING
C=5/2; d=1; relation=replace-one; epsilon=1/2; delta=1e-9 | NEIGHBOURING EDGE_CASE
C=1; d=10; relation=add-remove; epsilon=20; delta=1e-9    | REGIME
C=3; d=2; relation=replace-one; epsilon=ln 2              | NEIGHBOURING
C=3; d=2; relation=add-remove; epsilon=1/10               | NEIGHBOURING PARSE
C=0; d=2; relation=add-remove; epsilon=1                  | EDGE_CASE | a threshold is above 0
C=1; d=2; relation=add-remove; epsilon=0                  | EDGE_CASE | without delta epsilon is above 0
C=1; d=2; relation=add-remove; epsilon=1; delta=2         | EDGE_CASE | {_DELTA}
C=1; d=2; relation=swap; epsilon=1; delta=1e-6            | PARSE | the relation is replace-one or add-remove
""",
    "frequency": f"""
n=10; method=clones; epsilon=ln 2; delta=1/10             | WRONG_SIDE *
n=20; method=clones; epsilon=ln 3/2; delta=1/50           | WRONG_SIDE GRID
n=1000; method=clones; epsilon=1/2; delta=1e-6            | GRID
n=1000; method=stronger-clones; epsilon=1/2; delta=1e-6   | WRONG_SIDE
n=1000000; method=stronger-clones; epsilon=0.5; delta=1e-9 | UNDERFLOW
n=0; method=clones; epsilon=1; delta=1e-6                 | EDGE_CASE | {_N}
n=10; method=clones; epsilon=-1; delta=1e-6               | EDGE_CASE | epsilon must be at least 0
n=10; method=clones; epsilon=1; delta=2                   | EDGE_CASE | {_DELTA}
""",
}


def bounds(operation: str, method: str) -> tuple[Question, ...]:
    """The questions about delta or epsilon of one method."""
    tables = {"delta": _DELTAS, "epsilon": _EPSILONS}[operation]
    return read(tables[method], before=f"method={method}; ")


def debias() -> tuple[Question, ...]:
    """The questions about f_C and its inverse."""
    return read(_DEBIAS)


def calibrate(protocol: str) -> tuple[Question, ...]:
    """The questions about the least noise of one protocol."""
    return read(_CALIBRATE[protocol], before=f"protocol={protocol}; ")
