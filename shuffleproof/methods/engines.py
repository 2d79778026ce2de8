"""Which engine carries which method: one line for each pair, or for those that have one module name, and nothing else about either.

A line names the module that has the functions, in the package of its engine (`PACKAGES`). `shuffleproof.methods` imports it when the
method is first asked by that engine. Methods are listed to people in the order of their first lines.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from shuffleproof.spec.vocabulary.bound import Engine, Quantity
from shuffleproof.spec.vocabulary.method import DIGITS_ON_GRIDS, Method
from shuffleproof.spec.vocabulary.methods import clones, protocols, randomizer_distributions

PACKAGES: Mapping[Engine, str] = {
    "exact": "shuffleproof.spec.bounds",
    "ball": "shuffleproof.impl.ball.bounds",
    "fast": "shuffleproof.impl.fast.bounds",
}
"""The package in which an engine's modules lie."""


@dataclass(frozen=True, slots=True, eq=False)
class Carrier:
    """One engine of one method: where its functions are, which bear the names of the quantities.

    place: `family.module` in the engine's package, with `:OBJECT` where an object in it has the functions; ending: what stands behind
    the names of the quantities; fixed: arguments that every call is given; quantities: those that the engine has, all of the method's where
    none is named; digits: the most that it settles, where it refuses more; any_epsilon: of exact arithmetic, whether it answers where
    e^epsilon or e^epsilon0 is irrational.
    """

    method: Method
    engine: Engine
    place: str
    ending: str = ""
    fixed: Mapping[str, str] = field(default_factory=dict)
    quantities: tuple[Quantity, ...] = ()
    digits: int | None = None
    any_epsilon: bool = False

    @property
    def carried(self) -> tuple[Quantity, ...]:
        """The quantities that this engine answers for the method."""
        return self.quantities or self.method.quantities

    @property
    def module(self) -> str:
        """The whole name of the module."""
        return f"{PACKAGES[self.engine]}.{self.place.partition(':')[0]}"

    @property
    def holder(self) -> str:
        """The name of the object in the module that has the functions, or nothing."""
        return self.place.partition(":")[2]


def _carriers(method: Method, engines: tuple[Engine, ...], place: str) -> Iterator[Carrier]:
    """Those of engines whose modules have one name."""
    return (Carrier(method, each, place) for each in engines)


CARRIERS: tuple[Carrier, ...] = (
    *_carriers(clones.CLONES, ("exact", "ball", "fast"), "clones.clones"),
    *_carriers(clones.STRONGER_CLONES, ("exact", "ball", "fast"), "clones.clones:stronger_clones"),
    Carrier(clones.CLONES_CLOSED_FORM, "ball", "clones.clones", ending="_closed_form"),
    *_carriers(clones.BINARY_RR_PAIR, ("exact", "ball"), "lower.binary_rr"),
    *_carriers(clones.APPROX_CLONES, ("exact", "ball"), "clones.approx_clones"),
    *_carriers(clones.STRONGER_APPROX_CLONES, ("exact", "ball"), "clones.approx_clones:stronger_approx_clones"),
    Carrier(clones.APPROX_CLONES_CLOSED_FORM, "ball", "clones.approx_clones", ending="_closed_form"),
    Carrier(clones.K_RR_CLONES, "exact", "k_rr.k_rr_clones"),
    Carrier(clones.K_RR_CLONES, "ball", "k_rr.k_rr_pairs:CLONES"),
    Carrier(clones.K_RR_CLOSED_FORM, "ball", "k_rr.k_rr_closed_forms", ending="_of_clones"),
    Carrier(clones.K_RR_PAIR, "exact", "k_rr.k_rr_pair"),
    Carrier(clones.K_RR_PAIR, "ball", "k_rr.k_rr_pairs:HOMOGENEOUS"),
    Carrier(clones.K_RR_EXHAUSTIVE, "exact", "k_rr.k_rr_exhaustive"),
    Carrier(clones.K_RR_EXHAUSTIVE, "ball", "k_rr.binary_rr_exhaustive"),
    Carrier(clones.K_RR_EXHAUSTIVE, "fast", "k_rr.binary_rr_exhaustive", quantities=("epsilon", "delta")),
    Carrier(clones.K_RR_BLANKET, "exact", "k_rr.k_rr_blanket"),
    Carrier(clones.K_RR_BLANKET, "ball", "k_rr.k_rr_pairs:BLANKET"),
    Carrier(clones.K_RR_BLANKET_HOEFFDING, "ball", "k_rr.k_rr_closed_forms", fixed={"form": "hoeffding"}),
    Carrier(clones.K_RR_BLANKET_BENNETT, "ball", "k_rr.k_rr_closed_forms", fixed={"form": "bennett"}),
    *_carriers(protocols.ZERO_SUM, ("exact", "ball"), "noise.zero_sum"),
    *_carriers(protocols.HISTOGRAM, ("exact", "ball"), "noise.histogram"),
    *_carriers(protocols.BIT_SUM, ("exact", "ball"), "sums.bit_sum"),
    Carrier(protocols.BIT_SUM, "fast", "sums.bit_sum", quantities=("epsilon", "delta")),
    Carrier(protocols.REAL_SUM_UNTAGGED, "exact", "sums.real_sum:untagged"),
    Carrier(protocols.REAL_SUM_UNTAGGED, "ball", "sums.real_sum", fixed={"view": "untagged"}),
    Carrier(protocols.REAL_SUM_TAGGED, "exact", "sums.real_sum:tagged"),
    Carrier(protocols.REAL_SUM_TAGGED, "ball", "sums.real_sum", fixed={"view": "tagged"}),
    *_carriers(protocols.COORDINATE_SUMS, ("exact", "ball"), "sums.coordinate_sums"),
    Carrier(protocols.COORDINATE_SUMS, "fast", "sums.coordinate_sums", quantities=("epsilon", "delta")),
    Carrier(protocols.ASYMMETRIC_SUMS, "exact", "sums.coordinate_sums:asymmetric_sums"),
    *_carriers(protocols.ASYMMETRIC_SUMS, ("ball", "fast"), "sums.asymmetric_sums"),
    *_carriers(protocols.FAKE_USERS, ("exact", "ball", "fast"), "noise.fake_users"),
    *_carriers(protocols.LAPLACE_SUM, ("exact", "ball", "fast"), "noise.laplace_sum"),
    *_carriers(protocols.BINOMIAL_SUM, ("exact", "ball", "fast"), "noise.binomial_sum"),
    Carrier(protocols.DISCRETE_GAUSSIAN_SUM, "exact", "noise.discrete_gaussian_sum", any_epsilon=True),
    *_carriers(protocols.DISCRETE_GAUSSIAN_SUM, ("ball", "fast"), "noise.discrete_gaussian_sum"),
    *_carriers(protocols.SPLIT_AND_MIX, ("exact", "ball", "fast"), "noise.split_and_mix"),
    *_carriers(randomizer_distributions.OPTIMAL_PAIR, ("exact", "ball"), "variation_ratio.optimal_pair"),
    Carrier(randomizer_distributions.OPTIMAL_PAIR, "fast", "variation_ratio.optimal_pair", quantities=("epsilon", "delta")),
    *_carriers(randomizer_distributions.RANDOMIZER_PAIR, ("exact", "ball"), "variation_ratio.optimal_parameters"),
    Carrier(randomizer_distributions.RANDOMIZER_PAIR, "fast", "variation_ratio.optimal_parameters", quantities=("epsilon", "delta")),
    *_carriers(randomizer_distributions.RANDOMIZER_LOWER, ("exact", "ball"), "lower.randomizer_lower"),
    Carrier(randomizer_distributions.BLANKET, "exact", "blanket.any_distribution", fixed={"view": "above"}),
    Carrier(randomizer_distributions.BLANKET, "ball", "blanket.any_distribution", fixed={"view": "above"}, digits=DIGITS_ON_GRIDS),
    Carrier(randomizer_distributions.BLANKET, "fast", "blanket.any_distribution", fixed={"view": "above"}),
    Carrier(randomizer_distributions.ANOTHER_PLACE, "fast", "swap.another_place"),
    Carrier(randomizer_distributions.FIRST_ARRIVAL, "fast", "swap.first_arrival"),
    Carrier(randomizer_distributions.ADAPTIVE_PAIR, "fast", "swap.adaptive_pair"),
    Carrier(randomizer_distributions.FIRST_ARRIVAL_APPROXIMATE, "fast", "swap.first_arrival_approximate"),
    Carrier(randomizer_distributions.HOMOGENEOUS, "exact", "blanket.any_distribution", fixed={"view": "below"}),
    Carrier(randomizer_distributions.HOMOGENEOUS, "ball", "blanket.any_distribution", fixed={"view": "below"}, digits=DIGITS_ON_GRIDS),
    Carrier(randomizer_distributions.HOMOGENEOUS, "fast", "blanket.any_distribution", fixed={"view": "below"}),
    Carrier(randomizer_distributions.GAUSSIAN_BLANKET, "fast", "blanket.gaussian_reports"),
    Carrier(randomizer_distributions.GAUSSIAN_PLACE, "fast", "swap.gaussian_places"),
    Carrier(randomizer_distributions.GAUSSIAN_HOMOGENEOUS, "fast", "blanket.gaussian_reports", ending="_below"),
    Carrier(randomizer_distributions.LEAKING_RESPONSE, "exact", "lower.leaking_response"),
    Carrier(randomizer_distributions.LEAKING_RESPONSE, "ball", "lower.leaking_response", digits=DIGITS_ON_GRIDS),
    Carrier(randomizer_distributions.LEAKING_RESPONSE, "fast", "lower.leaking_response"),
)
