"""The third-party packages that are judged, one row each; a package with two claims is two rows that share an environment."""

from __future__ import annotations

from dataclasses import dataclass


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
    Target(
        name="opendp",
        package="opendp",
        module="opendp.prelude",
        about="OpenDP: binary and k-ary randomized response, sampled",
    ),
    Target(
        name="pure-ldp",
        package="pure-ldp",
        module="pure_ldp.frequency_oracles.direct_encoding",
        about="pure-ldp: direct encoding, the law it states",
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
    Target(
        name="diffprivlib",
        package="diffprivlib",
        module="diffprivlib.mechanisms",
        about="diffprivlib: the binary mechanism, sampled",
    ),
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
)
