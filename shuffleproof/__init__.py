"""The shuffle model of differential privacy, specified, certified and checked.

`epsilon`, `delta` and `renyi` answer by a named method and return a `Bound`, which says on which side of the truth it is;
`privacy_profile` answers for many epsilons at once. Engines are imported when they are asked for, so that importing this package stays
cheap. The truth is in `shuffleproof.spec`, the checks of the papers in `shuffleproof.proofs_check`, the kit for other implementations
in `shuffleproof.conformance`.
"""

from shuffleproof.bounds import delta, epsilon, renyi
from shuffleproof.profiles import privacy_profile
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import (
    DomainError,
    HarnessCrashError,
    HarnessError,
    HarnessProtocolError,
    HarnessStartError,
    HarnessTimeoutError,
    IntegrityError,
    RegimeError,
    ResourceLimitError,
    ShuffleproofError,
    UndecidedError,
    UnsupportedError,
)
from shuffleproof.spec.vocabulary.relation import Relation

__all__ = [
    "Bound",
    "DomainError",
    "HarnessCrashError",
    "HarnessError",
    "HarnessProtocolError",
    "HarnessStartError",
    "HarnessTimeoutError",
    "IntegrityError",
    "RegimeError",
    "Relation",
    "ResourceLimitError",
    "ShuffleproofError",
    "UndecidedError",
    "UnsupportedError",
    "delta",
    "epsilon",
    "privacy_profile",
    "renyi",
]
__version__ = "0.1.0"
