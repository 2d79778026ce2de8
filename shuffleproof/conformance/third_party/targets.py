"""The third-party packages that are judged, one row each; a package with two claims is two rows that share an environment."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """A third-party package as one row of a report.

    name: of the row. package: name of its folder here and of its distribution. module: what must be importable.
    arguments: given to its harness. about: what is judged, in one line.
    """

    name: str
    package: str
    module: str
    arguments: tuple[str, ...] = ()
    about: str


TARGETS: tuple[Target, ...] = (
    Target(name="opendp", package="opendp", module="opendp.prelude", about="OpenDP: binary and k-ary randomized response, sampled"),
    Target(
        name="dp-accounting",
        package="dp-accounting",
        module="dp_accounting.pld.privacy_loss_distribution",
        about="dp-accounting: pessimistic privacy loss distribution of the clones pair",
    ),
    Target(
        name="dp-accounting-optimistic",
        package="dp-accounting",
        module="dp_accounting.pld.privacy_loss_distribution",
        arguments=("--optimistic",),
        about="dp-accounting: optimistic privacy loss distribution of the clones pair",
    ),
    Target(
        name="autodp",
        package="autodp",
        module="autodp.mechanism_zoo",
        about="autodp: Renyi divergences of randomized response, and what they say of delta and of composition",
    ),
    Target(
        name="autodp-fourier",
        package="autodp",
        module="autodp.mechanism_zoo",
        arguments=("--fourier",),
        about="autodp: composed randomized response by the Fourier accountant",
    ),
    Target(
        name="autodp-accountant",
        package="autodp",
        module="autodp.mechanism_zoo",
        arguments=("--accountant",),
        about="autodp: pure mechanisms composed by DP_acct, epsilon at delta = 0",
    ),
    Target(
        name="random-allocation",
        package="random-allocation",
        module="random_allocation.external_sources.shuffle_external",
        about="random-allocation: the amplification code that it vendors, upper bounds of the clones pair",
    ),
    Target(
        name="random-allocation-lower",
        package="random-allocation",
        module="random_allocation.external_sources.shuffle_external",
        arguments=("--lower",),
        about="random-allocation: the same code's lower bounds of the clones pair",
    ),
)

NOT_JUDGED: Mapping[str, str] = MappingProxyType(
    {
        "opendp-smartnoise-core 0.2.6": "ends the process that imports it, on purpose: it is deprecated",
        "trasgodp 2.1.0": "nothing was found: its randomized response follows the distribution that it states, as far as samples show",
        "forgetnet 0.1.21": "answers none of the questions: it shuffles blocks of a gradient without noise and names an epsilon of mutual "
        "information, block^2/(2 size), which is no differential privacy; to be imported it needs torch, transformers and trl",
    }
)
"""Packages that were looked at and have no row, and why."""

JUDGED_EARLIER: Mapping[str, str] = MappingProxyType(
    {
        "pure-ldp 1.2.0": "direct encoding: 34 conform, 6 mismatches, 2 refused. From epsilon 37 on p rounds to 1 and the input is "
        "released as it is, which no finite epsilon allows (DEClient(37, 2, index_mapper=lambda x: x).p is 1.0); data outside the domain "
        "are answered (DEClient(5, 3).privatise(0) is -1 at times), and negative epsilon (DEClient(-1, 2).p is 0.269); the global "
        "generator foresees it (after random.seed(0), DEClient(1, 10, index_mapper=lambda x: x).privatise(3) answers 6, 3, 7, 4); "
        "importlib.metadata.requires names neither scikit-learn nor statsmodels, without which it cannot be imported",
        "ldp-toolbox 0.1.3": "generalised randomized response: 31 conform, 6 mismatches, 5 refused. At epsilon 40 and k = 16 q is stated "
        "as 0 (GeneralizedRandomizedResponse(16, 40.0).q); epsilon = 0 is a ValueError; so is 800, where it overflows",
        "multi-freq-ldpy 0.2.5": "generalised randomized response, sampled: 34 conform, 5 refused. GRR_Client(0, 2, 0.0) is a "
        "ValueError, and GRR_Client(0, 2, 710.0) too, where it overflows (709.0 is not)",
        "diffprivlib 0.6.6": "binary mechanism, sampled: 20 conform, 2 refused. Binary(epsilon=0, value0='0', value1='1') is a "
        "ValueError; from epsilon 38 on math.exp(epsilon) + 1 == math.exp(epsilon), and the input is released as it is",
    }
)
"""What the whole suite (test vectors 3.1.4) said of packages that are no longer judged, with what shows it again beside the pinned release:
they sample k-ary response as others here do."""
