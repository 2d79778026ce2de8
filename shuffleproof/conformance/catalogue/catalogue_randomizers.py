"""Questions about named randomizers, their parameters, and integer noise. Lines as in `catalogue_finite`."""

from collections.abc import Mapping
from itertools import product

from shuffleproof.conformance.catalogue.catalogue_finite import read
from shuffleproof.conformance.catalogue.question import Question
from shuffleproof.conformance.operations import SHUFFLED

_BOTH: Mapping[str, str] = {
    "approximate-clones": """
n=1; epsilon0=ln 3; delta0=0                              | EDGE_CASE
n=10; epsilon0=ln 2; delta0=1e-9                          | GRID
n=1000; epsilon0=1; delta0=1e-12                          | UNDERFLOW WRONG_SIDE
n=100; epsilon0=0; delta0=1e-9                            | DEGENERATE
n=10; epsilon0=1; delta0=2                                | EDGE_CASE | delta0 must be a number in [0, 1]
""",
    "leaking-response": """
n=1; epsilon0=ln 3; delta0=1/100                          | EDGE_CASE
n=2; epsilon0=ln 3; delta0=0                              | EDGE_CASE NEIGHBOURING
n=3; epsilon0=ln 5; delta0=1e-3                           | NEIGHBOURING
n=4; epsilon0=0; delta0=1e-7                              | DEGENERATE
n=3; epsilon0=ln 3; delta0=-1e-9                          | EDGE_CASE | delta0 must be a number in [0, 1]
""",
    "k-rr-clones": """
n=1; k=3; epsilon0=ln 3                                   | EDGE_CASE
n=3; k=3; epsilon0=ln 2                                   | GRID
n=5; k=2; epsilon0=ln 4                                   | EDGE_CASE
n=200; k=10; epsilon0=1                                   | WRONG_SIDE
n=3; k=1; epsilon0=1                                      | EDGE_CASE | k must be at least 2
""",
    "k-rr-blanket": """
n=1; k=3; epsilon0=ln 3                                   | EDGE_CASE
n=3; k=3; epsilon0=ln 2                                   | GRID *
n=6; k=4; epsilon0=ln 6                                   | REGIME
n=4; k=2; epsilon0=ln 4                                   | EDGE_CASE REGIME
n=1000; k=10; epsilon0=1                                  | WRONG_SIDE
n=1000; k=3; epsilon0=ln 1000                             | REGIME
n=100; k=100; epsilon0=2                                  | GRID
n=0; k=3; epsilon0=1                                      | EDGE_CASE | n must be a whole number of at least 1
""",
    "k-rr-pair": """
n=1; k=3; epsilon0=ln 3                                   | EDGE_CASE
n=3; k=3; epsilon0=ln 2                                   | GRID
n=6; k=4; epsilon0=ln 6                                   | NEIGHBOURING
n=200; k=10; epsilon0=1                                   | WRONG_SIDE
""",
    "real-sum-untagged": """
n=1; lambda=1/2; r=3                                      | EDGE_CASE
n=3; lambda=1; r=2                                        | NEIGHBOURING
n=4; lambda=4; r=3                                        | DEGENERATE
n=3; lambda=2; r=0                                        | EDGE_CASE | there is at least one message each
""",
    "shuffled-randomizer": """
n=1; randomizer=laplace; epsilon0=1                       | EDGE_CASE
n=1000; randomizer=laplace; epsilon0=1                    | WRONG_SIDE
n=100; randomizer=rappor; epsilon0=2                      | WRONG_SIDE
n=1000; randomizer=asymmetric-rappor; epsilon0=ln 4       | NEIGHBOURING
n=100; randomizer=krr; k=4; epsilon0=1                    | NEIGHBOURING *
n=5; randomizer=krr; k=2; epsilon0=ln 4                   | EDGE_CASE
n=20; randomizer=krr; k=3; epsilon0=ln 20                 | REGIME
n=100; randomizer=hadamard; k=7; epsilon0=1               | GRID
n=100; randomizer=subset; k=6; d=2; epsilon0=1            | NEIGHBOURING
n=1000; randomizer=hash; buckets=4; epsilon0=1            | WRONG_SIDE
n=10000; randomizer=krr; k=10; epsilon0=6                 | WRONG_SIDE
n=1000; randomizer=krr; k=4; epsilon0=5                   | WRONG_SIDE
n=10000; randomizer=hash; buckets=4; epsilon0=5           | WRONG_SIDE
n=1000; randomizer=laplace; epsilon0=5                    | WRONG_SIDE
n=10; randomizer=krr; k=4; epsilon0=0                     | DEGENERATE
n=10; randomizer=laplace; epsilon0=-1                     | EDGE_CASE | epsilon0 must be a number of at least 0
""",
}
_NAMED = (
    "laplace",
    "piecewise",
    "square-wave",
    "rappor",
    "asymmetric-rappor",
    "krr; k=3",
    "krr; k=10",
    "hadamard; k=7",
    "subset; k=6; d=2",
    "hash; buckets=2",
    "hash; buckets=4",
)
_USERS = (10, 100, 1000, 10**4, 10**6)
"""Numbers of users that are asked: one a decade up to 10^4, and 10^6."""
_LOCAL = ("1/2", "1", "3")
_MOST_FOR_DELTA = 1000
"""Users up to which delta is asked for: beyond, at the epsilons that are asked, it is below any number of interest."""
_SMALL_DELTA = ("n=10000;", "n=1000000;")
"""Of so many users epsilon is asked for at the smaller delta alone: at the larger one it is 0."""
_AT = {"delta": ("epsilon=ln 11/10", "epsilon=ln 3/2"), "epsilon": ("delta=1e-2", "delta=1e-6")}

_PARAMETERS = """
randomizer=laplace; epsilon0=1; which=beta                | WRONG_SIDE *
randomizer=laplace; epsilon0=ln 4; which=beta             | GRID
randomizer=laplace; epsilon0=ln 4; which=p                | PARSE
randomizer=laplace; epsilon0=0; which=beta                | DEGENERATE
randomizer=rappor; epsilon0=1; which=beta                 | WRONG_SIDE
randomizer=rappor; epsilon0=1e-9; which=beta              | CANCELLATION
randomizer=asymmetric-rappor; epsilon0=ln 3; which=beta   | NEIGHBOURING
randomizer=krr; k=4; epsilon0=ln 3; which=beta            | NEIGHBOURING
randomizer=krr; k=2; epsilon0=ln 17/3; which=beta         | WRONG_SIDE
randomizer=krr; k=10; epsilon0=1; which=beta              | WRONG_SIDE
randomizer=krr; k=10; epsilon0=1; which=q                 | WRONG_SIDE
randomizer=krr; k=2; epsilon0=40; which=beta              | CANCELLATION
randomizer=subset; k=6; d=2; epsilon0=ln 3; which=beta    | NEIGHBOURING
randomizer=subset; k=6; d=5; epsilon0=1; which=beta       | EDGE_CASE
randomizer=hash; buckets=4; epsilon0=ln 3; which=beta     | NEIGHBOURING
randomizer=hash; buckets=2; epsilon0=2; which=p           | WRONG_SIDE
randomizer=krr; k=4; epsilon0=-1; which=beta              | EDGE_CASE | epsilon0 must be a number of at least 0
randomizer=subset; k=6; d=6; epsilon0=1; which=beta       | EDGE_CASE | d must be below k
randomizer=krr; k=4; epsilon0=1; which=r                  | PARSE | which must be p, beta or q
"""

_NOISES = """
noise=discrete-laplace; epsilon=ln 2; terms=1; x=-1       | EDGE_CASE *
noise=discrete-laplace; epsilon=ln 2; terms=1; x=0        | TIE EDGE_CASE
noise=discrete-laplace; epsilon=ln 3/2; terms=1; x=7      | GRID
noise=discrete-laplace; epsilon=1; terms=1; x=-100        | UNDERFLOW
noise=discrete-laplace; epsilon=1e-3; terms=1; x=-5       | CANCELLATION
noise=discrete-laplace; epsilon=ln 2; terms=2; x=0        | TIE
noise=discrete-laplace; epsilon=ln 3; terms=2; x=-4       | GRID
noise=discrete-laplace; epsilon=1/2; terms=2; x=9         | WRONG_SIDE
noise=discrete-gaussian; variance=4; terms=1; x=0         | TIE
noise=discrete-gaussian; variance=1/100; terms=1; x=0     | GRID
noise=discrete-gaussian; variance=4; terms=1; x=-20       | UNDERFLOW
noise=discrete-gaussian; variance=9/4; terms=2; x=-3      | GRID
noise=discrete-gaussian; variance=10; terms=2; x=0        | TIE
noise=discrete-laplace; epsilon=0; terms=1; x=0           | EDGE_CASE DEGENERATE | epsilon must be above 0
noise=discrete-gaussian; variance=-1; terms=1; x=0        | EDGE_CASE | a variance is above 0
noise=discrete-laplace; epsilon=1; terms=3; x=0           | EDGE_CASE | terms must be 1 or 2
noise=discrete-laplace; epsilon=1; terms=1; x=1/2         | PARSE | x must be an integer
"""


def bounds(operation: str, method: str) -> tuple[Question, ...]:
    """The questions about delta or epsilon of one method, at one of two points in turn."""
    found = []
    lines = _BOTH[method].strip().splitlines()
    if method == SHUFFLED:
        known = {line.partition("|")[0].strip() for line in lines}
        asked = [
            f"n={n}; randomizer={named}; epsilon0={local}"
            for n, named, local in product(_USERS, _NAMED, _LOCAL)
            if operation == "epsilon" or n <= _MOST_FOR_DELTA
        ]
        lines += [f"{given} | GRID" for given in asked if given not in known]
    for place, line in enumerate(lines):
        given, bar, rest = line.partition("|")
        many = line.startswith(_SMALL_DELTA) and operation == "epsilon"
        found.append(f"{given.strip()}; {_AT[operation][1 if many else place % 2]} {bar} {rest}")
    return read("\n".join(found), before=f"method={method}; ")


def parameters() -> tuple[Question, ...]:
    """The questions about p, beta and q."""
    return read(_PARAMETERS)


def noises() -> tuple[Question, ...]:
    """The questions about distribution functions."""
    return read(_NOISES)
