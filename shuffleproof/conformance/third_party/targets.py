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
        name="pure-ldp",
        package="pure-ldp",
        module="pure_ldp.frequency_oracles.direct_encoding",
        about="pure-ldp: direct encoding, the distribution it states",
    ),
    Target(
        name="pure-ldp-sampled",
        package="pure-ldp",
        module="pure_ldp.frequency_oracles.direct_encoding",
        arguments=("--sampled",),
        about="pure-ldp: direct encoding, sampled",
    ),
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
    Target(name="diffprivlib", package="diffprivlib", module="diffprivlib.mechanisms", about="diffprivlib: the binary mechanism, sampled"),
    Target(
        name="multi-freq-ldpy",
        package="multi-freq-ldpy",
        module="multi_freq_ldpy.pure_frequency_oracles.GRR",
        about="multi-freq-ldpy: generalised randomized response, sampled",
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
    Target(
        name="ldp-toolbox",
        package="ldp-toolbox",
        module="ldp_toolbox.protocols.frequency.grr",
        about="ldp-toolbox: generalised randomized response, the distribution it states",
    ),
    Target(
        name="ldp-toolbox-sampled",
        package="ldp-toolbox",
        module="ldp_toolbox.protocols.frequency.grr",
        arguments=("--sampled",),
        about="ldp-toolbox: generalised randomized response, sampled",
    ),
)

NOT_JUDGED: Mapping[str, str] = MappingProxyType(
    {
        "opendp-smartnoise-core 0.2.6": "ends the process that imports it, on purpose: it is deprecated",
        "trasgodp 2.1.0": "nothing was found: its randomized response follows the distribution that it states, as far as samples show",
        "forgetnet 0.1.21": "answers none of the questions: it shuffles blocks of a gradient without noise and tells an epsilon of mutual "
        "information, block^2/(2 size), which is no differential privacy; to be imported it needs torch, transformers and trl",
    }
)
"""Packages that were looked at and have no row, and why."""
