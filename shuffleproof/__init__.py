"""The shuffle model of differential privacy, specified, certified and checked.

`shuffled(KRR(k=10, epsilon0=1), n=10_000)` and the papers' protocols are objects that are asked for `epsilon`, `delta`, `renyi`,
`profile` and `rounds`; they answer with a `Bracket` of the truth, or by a named method with a `Bound`, which says on which side of the
truth it is. The functions `epsilon`, `delta` and `renyi` ask a method by its name; `privacy_profile` answers for many epsilons at once.
Engines are imported when they are asked for, so that importing this package stays cheap. The truth is in `shuffleproof.spec`, the checks
of the papers in `shuffleproof.proofs_check`, the kit for other implementations in `shuffleproof.conformance`.
"""

from shuffleproof.bounds import EngineChoice, delta, epsilon, renyi
from shuffleproof.brackets import Answers, Bracket, Refusal
from shuffleproof.mechanisms import Mechanism, Rounds, Shuffled, shuffled, shuffled_users
from shuffleproof.profiles import privacy_profile
from shuffleproof.protocols import BitSum, Histogram, RealSum, UserHistogram, ZeroSum
from shuffleproof.randomizers import (
    KRR,
    RAPPOR,
    AnyRandomizer,
    ApproximateRandomizer,
    AsymmetricRAPPOR,
    FromLaw,
    Hadamard,
    Laplace,
    LocalHashing,
    Randomizer,
    Subset,
    VariationRatio,
)
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
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
from shuffleproof.spec.vocabulary.methods import MethodName
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number
from shuffleproof.spec.vocabulary.relation import Relation

__all__ = [
    "KRR",
    "RAPPOR",
    "Answers",
    "AnyRandomizer",
    "ApproximateRandomizer",
    "AsymmetricRAPPOR",
    "BitSum",
    "Bound",
    "Bracket",
    "DomainError",
    "EngineChoice",
    "Epsilon",
    "FromLaw",
    "Hadamard",
    "HarnessCrashError",
    "HarnessError",
    "HarnessProtocolError",
    "HarnessStartError",
    "HarnessTimeoutError",
    "Histogram",
    "IntegrityError",
    "Laplace",
    "LocalHashing",
    "Mechanism",
    "MethodName",
    "Number",
    "Quantity",
    "Randomizer",
    "RealSum",
    "Refusal",
    "RegimeError",
    "Relation",
    "ResourceLimitError",
    "Rounds",
    "Shuffled",
    "ShuffleproofError",
    "Subset",
    "UndecidedError",
    "UnsupportedError",
    "UserHistogram",
    "VariationRatio",
    "ZeroSum",
    "delta",
    "epsilon",
    "privacy_profile",
    "renyi",
    "shuffled",
    "shuffled_users",
]
__version__ = "0.1.0"
