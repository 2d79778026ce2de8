"""What users type: every name of the package `shuffleproof`, which imports this module when it is first asked for one of them."""

from shuffleproof import audit, calibrate, conformance, figures, ledger, run
from shuffleproof.accounting.filters import Filter, PlanFilter, Spent
from shuffleproof.accounting.profiles import privacy_profile
from shuffleproof.accounting.rounds import Rounds
from shuffleproof.answering import EngineChoice
from shuffleproof.bounds import delta, epsilon, renyi
from shuffleproof.mechanisms import distributions
from shuffleproof.mechanisms.brackets import Answers, Bracket, Refusal
from shuffleproof.mechanisms.mechanism import Mechanism, Shuffled, shuffled, shuffled_users
from shuffleproof.mechanisms.participation import RandomParticipation
from shuffleproof.mechanisms.protocols import (
    AsymmetricCoordinateSums,
    BinomialSum,
    BitSum,
    CoordinateSums,
    DiscreteGaussianSum,
    FakeUsers,
    Histogram,
    LaplaceSum,
    RealSum,
    SplitAndMix,
    UserHistogram,
    ZeroSum,
)
from shuffleproof.mechanisms.randomizers import (
    KRR,
    RAPPOR,
    AnyRandomizer,
    ApproximateRandomizer,
    AsymmetricRAPPOR,
    FromDistribution,
    Gaussian,
    Hadamard,
    Laplace,
    LocalHashing,
    Piecewise,
    Randomizer,
    SquareWave,
    Subset,
    UnaryEncoding,
    VariationRatio,
)
from shuffleproof.planning.advise.advice import advise
from shuffleproof.planning.comparison import compare
from shuffleproof.planning.composition import compose
from shuffleproof.planning.plan.evaluation import check_plan
from shuffleproof.planning.sweep.swept import sweep
from shuffleproof.spec.vocabulary.bound import Bound, Quantity
from shuffleproof.spec.vocabulary.errors import (
    DomainError,
    HarnessCrashError,
    HarnessError,
    HarnessProtocolError,
    HarnessStartError,
    HarnessTimeoutError,
    IntegrityError,
    MissingExtraError,
    RegimeError,
    ResourceLimitError,
    ShuffleproofError,
    UndecidedError,
    UnsupportedError,
)
from shuffleproof.spec.vocabulary.methods import MethodName
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number
from shuffleproof.spec.vocabulary.scope import Relation

__all__ = [
    "KRR",
    "RAPPOR",
    "Answers",
    "AnyRandomizer",
    "ApproximateRandomizer",
    "AsymmetricCoordinateSums",
    "AsymmetricRAPPOR",
    "BinomialSum",
    "BitSum",
    "Bound",
    "Bracket",
    "CoordinateSums",
    "DiscreteGaussianSum",
    "DomainError",
    "EngineChoice",
    "Epsilon",
    "FakeUsers",
    "Filter",
    "FromDistribution",
    "Gaussian",
    "Hadamard",
    "HarnessCrashError",
    "HarnessError",
    "HarnessProtocolError",
    "HarnessStartError",
    "HarnessTimeoutError",
    "Histogram",
    "IntegrityError",
    "Laplace",
    "LaplaceSum",
    "LocalHashing",
    "Mechanism",
    "MethodName",
    "MissingExtraError",
    "Number",
    "Piecewise",
    "PlanFilter",
    "Quantity",
    "RandomParticipation",
    "Randomizer",
    "RealSum",
    "Refusal",
    "RegimeError",
    "Relation",
    "ResourceLimitError",
    "Rounds",
    "Shuffled",
    "ShuffleproofError",
    "Spent",
    "SplitAndMix",
    "SquareWave",
    "Subset",
    "UnaryEncoding",
    "UndecidedError",
    "UnsupportedError",
    "UserHistogram",
    "VariationRatio",
    "ZeroSum",
    "advise",
    "audit",
    "calibrate",
    "check_plan",
    "compare",
    "compose",
    "conformance",
    "delta",
    "distributions",
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
