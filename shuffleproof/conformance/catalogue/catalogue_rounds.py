"""Questions about several rounds, and about several epsilons at once. Lines as in `catalogue_finite`."""

from shuffleproof.conformance.catalogue.catalogue_finite import read
from shuffleproof.conformance.catalogue.question import Question

_N = "n must be a whole number of at least 1"
_ROUNDS = "there must be at least one round"

_SHUFFLED = f"""
rule=shuffled; method=clones; n=1; epsilon0=ln 3; rounds=2; epsilon=ln 3          | TIE EDGE_CASE *
rule=shuffled; method=clones; n=3; epsilon0=ln 3; rounds=1; epsilon=ln 7/5        | TIE EDGE_CASE
rule=shuffled; method=clones; n=3; epsilon0=ln 3; rounds=3; epsilon=ln 2          | GRID
rule=shuffled; method=clones; n=5; epsilon0=ln 2; rounds=2; epsilon=0             | EDGE_CASE
rule=shuffled; method=clones; n=4; epsilon0=ln 3; rounds=2; epsilon=ln 8.999999   | CANCELLATION EDGE_CASE
rule=shuffled; method=clones; n=4; epsilon0=0; rounds=5; epsilon=0                | DEGENERATE
rule=shuffled; method=stronger-clones; n=5; epsilon0=ln 3; rounds=2; epsilon=ln 2 | GRID
rule=shuffled; method=binary-rr-pair; n=6; epsilon0=ln 3; rounds=3; epsilon=ln 2  | NEIGHBOURING
rule=shuffled; method=clones; n=3; epsilon0=ln 3; rounds=2; delta=1/20            | WRONG_SIDE *
rule=shuffled; method=clones; n=5; epsilon0=ln 2; rounds=2; delta=1e-6            | WRONG_SIDE
rule=shuffled; method=clones; n=4; epsilon0=ln 3; rounds=2; delta=0               | TIE EDGE_CASE
rule=shuffled; method=stronger-clones; n=4; epsilon0=ln 4; rounds=2; delta=1e-3   | WRONG_SIDE
rule=shuffled; method=binary-rr-pair; n=6; epsilon0=ln 3; rounds=2; delta=1/100   | NEIGHBOURING
rule=losses; ratios=3,1/3; masses=3/4,1/4; rounds=3; epsilon=ln 3                 | TIE *
rule=losses; ratios=3,1/3; masses=3/4,1/4; rounds=2; epsilon=1                    | WRONG_SIDE
rule=losses; ratios=2,1/2; masses=2/3,1/4; rounds=2; epsilon=ln 2                 | DEGENERATE NEIGHBOURING
rule=losses; ratios=3,1/3 2,1/2; masses=3/4,1/4 2/3,1/3; rounds=1; epsilon=ln 2   | NEIGHBOURING
rule=losses; ratios=1.000001,1; masses=1/2,1/2; rounds=4; epsilon=ln 1.000002     | CANCELLATION
rule=losses; ratios=1; masses=1/2; rounds=2; epsilon=100                          | DEGENERATE EDGE_CASE
rule=losses; ratios=1; masses=1; rounds=9; epsilon=0                              | DEGENERATE
rule=shuffled; method=clones; n=0; epsilon0=ln 3; rounds=2; epsilon=0             | EDGE_CASE | {_N}
rule=shuffled; method=clones; n=3; epsilon0=ln 3; rounds=0; delta=1/20            | EDGE_CASE | {_ROUNDS}
rule=shuffled; method=clones; n=3; epsilon0=ln 3; rounds=2; delta=2               | EDGE_CASE | delta must be in [0, 1]
rule=losses; ratios=1/2; masses=1; rounds=2; epsilon=1                            | EDGE_CASE | q would have mass 2
rule=losses; ratios=2,1; masses=3/4,1/2; rounds=2; epsilon=1                      | EDGE_CASE | masses of sum above 1
"""

_RENYI_DIVERGENCE = f"""
method=clones; n=1; epsilon0=ln 3; order=2; rounds=1                  | EDGE_CASE *
method=clones; n=10; epsilon0=ln 3; order=2; rounds=1                 | GRID
method=clones; n=10; epsilon0=ln 3; order=2; rounds=3                 | GRID
method=clones; n=10; epsilon0=1; order=3; rounds=10                   | WRONG_SIDE
method=clones; n=1000; epsilon0=1; order=32; rounds=1                 | OVERFLOW WRONG_SIDE
method=clones; n=20; epsilon0=ln 3; order=3/2; rounds=2               | GRID
method=clones; n=5; epsilon0=0; order=2; rounds=3                     | DEGENERATE
method=stronger-clones; n=10; epsilon0=ln 3; order=4; rounds=2        | GRID
method=binary-rr-pair; n=10; epsilon0=ln 3; order=3; rounds=1         | NEIGHBOURING
method=optimal-pair; n=3; p=4; beta=1/2; q=4; order=2; rounds=2       | NEIGHBOURING
ratios=3,1/3; masses=3/4,1/4; order=2; rounds=1                       | EDGE_CASE *
ratios=3,1/3; masses=3/4,1/4; order=100; rounds=5                     | OVERFLOW
ratios=2,1/2 3,1/3; masses=2/3,1/3 3/4,1/4; order=3/2; rounds=2       | NEIGHBOURING GRID
ratios=1; masses=1; order=2; rounds=2                                 | DEGENERATE
ratios=2,1; masses=1/2,1/4; order=2; rounds=1                         | REGIME | an infinite loss has positive probability
method=clones; n=10; epsilon0=ln 3; order=1; rounds=1                 | EDGE_CASE | the order must be above 1
method=clones; n=0; epsilon0=ln 3; order=2; rounds=1                  | EDGE_CASE | {_N}
method=clones; n=10; epsilon0=ln 3; order=2; rounds=0                 | EDGE_CASE | {_ROUNDS}
"""

_PROFILE = f"""
method=clones; n=3; epsilon0=ln 3; epsilons=0,ln 7/5,ln 2,ln 3        | TIE EDGE_CASE *
method=clones; n=3; epsilon0=ln 9; epsilons=0,ln 7/5,ln 2,ln 3        | GRID
method=clones; n=10; epsilon0=ln 3; epsilons=ln 2,ln 3/2,0,ln 2       | EDGE_CASE
method=clones; n=1000; epsilon0=1; epsilons=0.05,0.1,0.2              | WRONG_SIDE
method=clones; n=1000000; epsilon0=1; epsilons=0.05,0.1,2             | UNDERFLOW
method=clones; n=2; epsilon0=ln 2; epsilons=ln 5/4                    | TIE EDGE_CASE
method=stronger-clones; n=20; epsilon0=ln 3; epsilons=0,ln 11/10      | GRID
method=zero-sum; n=3; p=2/3; epsilons=0,ln 2,ln 4                     | NEIGHBOURING
method=zero-sum; n=10; p=9/10; epsilons=ln 100,0                      | NEIGHBOURING
method=clones; n=3; epsilon0=ln 3; epsilons=0,-1                      | EDGE_CASE | every epsilon must be at least 0
method=clones; n=0; epsilon0=ln 3; epsilons=0,1                       | EDGE_CASE | {_N}
"""


def shuffled() -> tuple[Question, ...]:
    """The questions about rounds of shuffled pairs and of privacy loss distributions."""
    return read(_SHUFFLED)


def renyi_divergences() -> tuple[Question, ...]:
    """The questions about Renyi divergences of rounds."""
    return read(_RENYI_DIVERGENCE)


def profiles() -> tuple[Question, ...]:
    """The questions of several epsilons."""
    return read(_PROFILE)
