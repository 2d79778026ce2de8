"""Central baselines by hand, the approximate-to-pure transform, and composition by the lower convex envelope."""

from fractions import Fraction
from itertools import product

import pytest
from enclosures import deltas_on_grid
from hypothesis import given, strategies as st
from strategies import distributions, examples

from shuffleproof.impl.ball import privacy_loss
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters, dominating_pair
from shuffleproof.spec.composition import composed
from shuffleproof.spec.distribution import Distribution, PrivacyProfile, hockey_stick, max_divergence, total_variation
from shuffleproof.spec.protocols import approx_to_pure, central
from shuffleproof.spec.randomizers.binary_rr import binary_rr
from shuffleproof.spec.vocabulary.elementary import log_bounds
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError

TWO, THREE = Fraction(2), Fraction(3)


def test_the_exponential_mechanism_by_hand() -> None:
    """Scores 2, 1, 0 at e^(eps/2) = 2: weights 4, 2, 1."""
    law = central.exponential_mechanism((2, 1, 0), exp_half_epsilon=TWO)
    assert [law[j] for j in range(3)] == [Fraction(4, 7), Fraction(2, 7), Fraction(1, 7)]
    assert central.selection_failure((2, 1, 0), exp_half_epsilon=TWO, slack=Fraction(1)) == Fraction(1, 7)
    assert central.selection_failure((2, 1, 0), exp_half_epsilon=TWO, slack=Fraction(2)) == 0


def test_geometric_noise_by_hand() -> None:
    """a = 1/2: masses 1/3, 1/6, 1/12, ... on both sides."""
    assert [central.geometric_at(z, exp_epsilon=TWO) for z in (0, 1, -2)] == [Fraction(1, 3), Fraction(1, 6), Fraction(1, 12)]
    assert central.geometric_above(0, exp_epsilon=TWO) == Fraction(1, 3)
    assert central.geometric_above(-1, exp_epsilon=TWO) == Fraction(2, 3)


@examples(60)
@given(st.integers(-30, 30), st.sampled_from([Fraction(3, 2), TWO, Fraction(10)]))
def test_the_tail_is_the_sum_of_the_masses(z, exp_epsilon) -> None:
    steps = central.geometric_above(z, exp_epsilon=exp_epsilon) - central.geometric_above(z + 1, exp_epsilon=exp_epsilon)
    assert steps == central.geometric_at(z + 1, exp_epsilon=exp_epsilon)


def test_clamping_keeps_all_mass() -> None:
    """Distribution itself refuses weights that do not sum to 1."""
    assert central.geometric_count(3, exp_epsilon=TWO, low=0, high=0).support == (0,)
    law = central.geometric_count(3, exp_epsilon=TWO, low=2, high=4)
    assert (law[2], law[3], law[4]) == (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))


def test_an_empty_bin_is_never_released() -> None:
    assert central.stability_bin(0, exp_epsilon_bin=TWO, threshold=1, high=5).support == (0,)
    law = central.stability_bin(2, exp_epsilon_bin=TWO, threshold=3, high=5)
    assert set(law.support) == {0, 3, 4, 5}
    assert law[0] == central.geometric_above(-1, exp_epsilon=TWO)  # noise below 1


def test_the_threshold_is_the_least() -> None:
    delta = Fraction(1, 10**6)
    threshold = central.stability_threshold(exp_epsilon_bin=TWO, delta=delta)
    assert central.stability_delta(exp_epsilon_bin=TWO, threshold=threshold) <= delta
    assert central.stability_delta(exp_epsilon_bin=TWO, threshold=threshold - 1) > delta
    assert central.stability_threshold(exp_epsilon_bin=TWO, delta=Fraction(9, 10)) == 1


@pytest.mark.parametrize("threshold", [1, 2, 4])
def test_the_stability_histogram_is_as_private_as_stated_and_not_more(threshold) -> None:
    """One user moves from a bin of its own to another one."""
    laws = [
        central.stability_histogram(counts, exp_epsilon_bin=THREE, threshold=threshold, high=threshold + 2) for counts in ((1, 0), (0, 1))
    ]
    assert hockey_stick(*laws, exp_epsilon=THREE**2) == central.stability_delta(exp_epsilon_bin=THREE, threshold=threshold)


def test_a_histogram_is_a_product_of_its_bins() -> None:
    law = central.geometric_histogram((1, 2), exp_epsilon_bin=TWO, low=0, high=3)
    first, second = (central.geometric_count(c, exp_epsilon=TWO, low=0, high=3) for c in (1, 2))
    assert law[(1, 3)] == first[1] * second[3]


@pytest.mark.parametrize(
    "call",
    [
        lambda: central.exponential_mechanism((), exp_half_epsilon=TWO),
        lambda: central.exponential_mechanism((1,), exp_half_epsilon=Fraction(1, 2)),
        lambda: central.geometric_at(0, exp_epsilon=Fraction(1)),
        lambda: central.geometric_count(0, exp_epsilon=TWO, low=2, high=1),
        lambda: central.stability_bin(-1, exp_epsilon_bin=TWO, threshold=1, high=2),
        lambda: central.stability_bin(0, exp_epsilon_bin=Fraction(1), threshold=1, high=2),
        lambda: central.stability_bin(1, exp_epsilon_bin=TWO, threshold=0, high=2),
        lambda: central.stability_bin(1, exp_epsilon_bin=TWO, threshold=3, high=2),
        lambda: central.stability_threshold(exp_epsilon_bin=TWO, delta=Fraction(0)),
    ],
)
def test_bad_parameters_are_refused(call) -> None:
    with pytest.raises(DomainError):
        call()


HALF = Fraction(1, 2)


def test_the_index_by_hand() -> None:
    """p = (1, 0): the first is accepted for sure. p = (1/2, 1/2): both or neither with probability 1/2."""
    assert approx_to_pure.index_distribution([Fraction(1), Fraction(0)]) == Distribution.point(0)
    assert approx_to_pure.index_distribution([HALF, HALF]) == Distribution.uniform((0, 1))
    # p = (1/2, 1/4): H = {0} 3/8, {1} 1/8, both 1/8, none 3/8.
    assert approx_to_pure.index_distribution([HALF, Fraction(1, 4)])[0] == Fraction(3, 8) + Fraction(1, 16) + Fraction(3, 16)


def test_one_round_reports_the_public_draw() -> None:
    """T = 1: the only index is reported whether it was accepted or not."""
    R = binary_rr(exp_epsilon0=Fraction(3))
    law = approx_to_pure.closed_form(R.distribution(1), R.distribution(0), exp_epsilon=Fraction(3), k=Fraction(9), T=1)
    assert law == R.distribution(0)


def test_many_rounds_bring_the_randomizer_back() -> None:
    """For a pure randomizer the distance is (1 - 1/k)^T at most, and falls to 0."""
    R = binary_rr(exp_epsilon0=Fraction(2))
    for T in (1, 10, 100):
        law = approx_to_pure.closed_form(R.distribution(1), R.distribution(0), exp_epsilon=Fraction(2), k=Fraction(4), T=T)
        assert total_variation(law, R.distribution(1)) <= Fraction(3, 4) ** T


@examples(40)
@given(distributions(3, parts=5), distributions(3, parts=5), st.sampled_from([Fraction(6, 5), Fraction(2), Fraction(5)]), st.integers(1, 3))
def test_the_distance_bound_holds(R_x, rho, exp_epsilon, T) -> None:
    delta = max(hockey_stick(R_x, rho, exp_epsilon=exp_epsilon), hockey_stick(rho, R_x, exp_epsilon=exp_epsilon))
    law = approx_to_pure.output_distribution(R_x, rho, exp_epsilon=exp_epsilon, k=2 * exp_epsilon**2, T=T)
    bound = approx_to_pure.distance_bound(exp_epsilon=exp_epsilon, delta=delta, k=2 * exp_epsilon**2, T=T)
    assert total_variation(law, R_x) <= bound


@examples(150)
@given(distributions(3, parts=5), distributions(3, parts=5), st.sampled_from([Fraction(1), Fraction(6, 5), Fraction(2), Fraction(5)]))
def test_clipping_moves_exactly_what_lies_outside(R_x, rho, exp_epsilon) -> None:
    """The distance is the larger of the two masses outside, so at most delta; the result lies within e^(+-eps) of rho."""
    law = approx_to_pure.clipped(R_x, rho, exp_epsilon=exp_epsilon)
    above, below = hockey_stick(R_x, rho, exp_epsilon=exp_epsilon), hockey_stick(rho, R_x, exp_epsilon=exp_epsilon) / exp_epsilon
    assert total_variation(R_x, law) == max(above, below)
    for p, q in ((law, rho), (rho, law)):
        ratio = max_divergence(p, q)
        assert ratio <= exp_epsilon


def test_parameters() -> None:
    """T = ceil(2 * 16 ln 10^4) and ceil(4 ln 10^4) at e^eps = 2, n = 1000, beta = 1/10; ln 10^4 = 9.2103."""
    assert approx_to_pure.papers_parameters(n=1000, exp_epsilon=Fraction(2), beta=Fraction(1, 10)) == (8, 295)
    sharper = approx_to_pure.sharper_parameters(n=1000, exp_epsilon=Fraction(2), delta=Fraction(0), beta=Fraction(1, 10))
    assert sharper == (4, 37)


@pytest.mark.parametrize(("changed", "parameter"), [({"k": Fraction(3)}, "k"), ({"T": 0}, "T"), ({"exp_epsilon": HALF}, "exp_epsilon")])
def test_bad_parameters_are_named(changed, parameter) -> None:
    R = binary_rr(exp_epsilon0=Fraction(2))
    given = {"exp_epsilon": Fraction(2), "k": Fraction(4), "T": 2, **changed}
    for law in (approx_to_pure.output_distribution, approx_to_pure.closed_form):
        with pytest.raises(DomainError) as caught:
            law(R.distribution(0), R.distribution(1), **given)
        assert caught.value.parameter == parameter


def test_what_cannot_be_enumerated_is_refused() -> None:
    R = binary_rr(exp_epsilon0=Fraction(2))
    with pytest.raises(ResourceLimitError):
        approx_to_pure.output_distribution(R.distribution(0), R.distribution(1), exp_epsilon=Fraction(2), k=Fraction(4), T=40)


def test_no_bound_where_there_is_none() -> None:
    for exp_epsilon, delta in product((Fraction(1), Fraction(2)), (Fraction(-1), Fraction(2))):
        with pytest.raises(DomainError):
            approx_to_pure.outside_good_set(exp_epsilon=exp_epsilon, delta=delta)
    with pytest.raises(DomainError):
        approx_to_pure.sharper_parameters(n=10, exp_epsilon=Fraction(2), delta=HALF, beta=HALF)
    assert approx_to_pure.distance_bound(exp_epsilon=Fraction(2), delta=HALF, k=Fraction(4), T=3) == 1


STEP = Fraction(1, 25)
FINITE = Parameters(Fraction(4), Fraction(1, 2), Fraction(4))
INFINITE_P = Parameters(None, Fraction(1, 3), Fraction(4, 3))


def values(n: int, parameters: Parameters) -> list[tuple[Fraction, Fraction]]:
    """Ends of delta at 0, 1, ..., 40 steps."""
    return deltas_on_grid(*dominating_pair(n=n, parameters=parameters), step=STEP, cells=40)


def epsilon(measure: privacy_loss.GridMeasure, *, rounds: int, delta: Fraction) -> Fraction | None:
    return privacy_loss.epsilon_of(privacy_loss.composed(measure, rounds=rounds, delta=delta), step=STEP, delta=delta)


def truth(n: int, parameters: Parameters, *, rounds: int, delta: Fraction) -> Fraction:
    """A lower end of epsilon of the exact composition."""
    found = PrivacyProfile(*composed([dominating_pair(n=n, parameters=parameters)] * rounds)).exp_epsilon(delta=delta)
    return log_bounds(found, bits=120)[0]


@examples(12)
@given(
    n=st.integers(1, 3),
    p=st.fractions(Fraction(5, 4), Fraction(6), max_denominator=4),
    beta=st.fractions(Fraction(1, 8), Fraction(1), max_denominator=8),
    q=st.fractions(Fraction(5, 4), Fraction(6), max_denominator=4),
    rounds=st.integers(2, 3),
    gaps=st.lists(st.fractions(Fraction(0), Fraction(1, 5), max_denominator=50), min_size=41, max_size=41),
)
def test_it_is_never_below_the_exact_composition_whatever_the_gaps(
    n: int, p: Fraction, beta: Fraction, q: Fraction, rounds: int, gaps: list[Fraction]
) -> None:
    """BEYOND.Envelope."""
    parameters, delta = Parameters(p, beta, q), Fraction(1, 10)
    uppers = [min(Fraction(1), high * (1 + gap)) for (_, high), gap in zip(values(n, parameters), gaps, strict=True)]
    found = epsilon(privacy_loss.envelope(uppers, step=STEP), rounds=rounds, delta=delta)
    assert found is None or found >= truth(n, parameters, rounds=rounds, delta=delta)


@pytest.mark.parametrize(("n", "parameters", "rounds"), [(2, FINITE, 3), (3, FINITE, 2), (3, INFINITE_P, 2)])
def test_narrow_enclosures_and_the_envelope_agree(n: int, parameters: Parameters, rounds: int) -> None:
    points, delta = values(n, parameters), Fraction(1, 4)
    measures = (privacy_loss.envelope([high for _, high in points], step=STEP), privacy_loss.on_grid(points, step=STEP))
    for measure, most in zip(measures, (2 * len(points), 2**60), strict=True):
        assert 2**privacy_loss.BITS <= measure.total <= 2**privacy_loss.BITS + most
    wide, narrow = (epsilon(each, rounds=rounds, delta=delta) for each in measures)
    assert abs(wide - narrow) < Fraction(1, 10**15)
    exact = truth(n, parameters, rounds=rounds, delta=delta)
    assert exact <= min(wide, narrow) < exact + Fraction(1, 500)


def test_a_gap_costs_about_itself_where_connected_dots_would_be_lost_in_it() -> None:
    points, delta, gap = values(3, FINITE), Fraction(1, 5), Fraction(1, 10**4)
    uppers = [min(Fraction(1), high * (1 + gap * (k % 3))) for k, (_, high) in enumerate(points)]
    plain, wide = (epsilon(privacy_loss.envelope(each, step=STEP), rounds=2, delta=delta) for each in ([h for _, h in points], uppers))
    dots = epsilon(privacy_loss.on_grid(list(zip([low for low, _ in points], uppers, strict=True)), step=STEP), rounds=2, delta=delta)
    assert plain <= wide < plain * (1 + 10 * gap)
    assert dots is None or dots - plain > 10 * (wide - plain)


def test_values_that_rise_or_exceed_the_last_are_cut() -> None:
    """What is no profile is made into one: the running minimum counts."""
    flat = privacy_loss.envelope([Fraction(1, 2), Fraction(1, 4), Fraction(1, 3), Fraction(1, 4)], step=STEP)
    assert flat.infinite == 2**privacy_loss.BITS // 4
    assert flat.total - 2**privacy_loss.BITS < 10


@pytest.mark.parametrize("enveloped", [True, False])
def test_masses_rounded_down_are_noticed(enveloped: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant on a coarse scale; with masses rounded up that scale is sound."""
    points, delta = values(3, FINITE), Fraction(1, 20)

    def found() -> Fraction | None:
        measure = privacy_loss.envelope([high for _, high in points], step=STEP) if enveloped else privacy_loss.on_grid(points, step=STEP)
        return epsilon(measure, rounds=2, delta=delta)

    exact = truth(3, FINITE, rounds=2, delta=delta)
    monkeypatch.setattr(privacy_loss, "BITS", 12)
    sound = found()
    assert sound is None or sound > exact
    monkeypatch.setattr(privacy_loss, "_scaled", lambda mass: int(float(mass.mid()) * 2**12))
    monkeypatch.setattr(privacy_loss, "_up", lambda mass: mass >> 12)
    assert found() < exact


def test_values_beside_their_place_are_noticed() -> None:
    """A mutant: each value one step to the left, where the profile is larger."""
    uppers, delta = [high for _, high in values(3, FINITE)], Fraction(1, 5)
    broken = epsilon(privacy_loss.envelope(uppers[1:], step=STEP), rounds=2, delta=delta)
    assert broken < truth(3, FINITE, rounds=2, delta=delta)


@pytest.mark.parametrize("wrong", [[], [Fraction(1, 2)], [Fraction(2), Fraction(1)], [Fraction(1), Fraction(-1)]])
def test_bad_input_is_refused(wrong: list[Fraction]) -> None:
    with pytest.raises(DomainError):
        privacy_loss.envelope(wrong, step=STEP)
