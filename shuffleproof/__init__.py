"""The shuffle model of differential privacy, specified, certified and checked.

`shuffled(KRR(k=10, epsilon0=1), n=10_000)` and the papers' protocols are objects that are asked for `epsilon`, `delta`, `renyi`,
`profile` and `rounds`; they answer with a `Bracket` of the truth, or by a named method with a `Bound`, which says on which side of the
truth it is. The functions `epsilon`, `delta` and `renyi` ask a method by its name; `privacy_profile` answers for many epsilons at once.
`calibrate`, `audit`, `conformance`, `ledger`, `figures` and `run` have a function for each thing that the command line does; `advise`,
`compare`, `compose` and `sweep` are one each. They return frozen records. Engines are imported when they are asked for, so that importing
this package stays cheap. The truth is in `shuffleproof.spec`, the checks
of the papers in `shuffleproof.proofs_check`, the kit for other implementations in `shuffleproof.conformance`.
"""

from shuffleproof import audit, calibrate, conformance, figures, ledger, run
from shuffleproof.bounds import EngineChoice, delta, epsilon, renyi
from shuffleproof.brackets import Answers, Bracket, Refusal
from shuffleproof.mechanisms import Mechanism, Rounds, Shuffled, shuffled, shuffled_users
from shuffleproof.planning.advise.advice import advise
from shuffleproof.planning.comparison import compare
from shuffleproof.planning.composition import compose
from shuffleproof.planning.sweep.swept import sweep
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
    "advise",
    "audit",
    "calibrate",
    "compare",
    "compose",
    "conformance",
    "delta",
    "epsilon",
    "figures",
    "ledger",
    "privacy_profile",
    "renyi",
    "run",
    "shuffled",
    "shuffled_users",
    "sweep",
]
__version__ = "0.2.0"
