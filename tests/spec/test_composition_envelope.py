"""Composition from upper values alone: the lower convex envelope against exact compositions, the connected dots, and mutants."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from shuffleproof.impl.ball import privacy_loss
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters, dominating_pair
from shuffleproof.spec.composition import composed
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.elementary import exp_bounds, log_bounds
from shuffleproof.spec.vocabulary.errors import DomainError

STEP = Fraction(1, 25)
FINITE = Parameters(Fraction(4), Fraction(1, 2), Fraction(4))
INFINITE_P = Parameters(None, Fraction(1, 3), Fraction(4, 3))


def values(n: int, parameters: Parameters, *, cells: int = 40) -> list[tuple[Fraction, Fraction]]:
    """Ends of delta at k step."""
    profile = PrivacyProfile(*dominating_pair(n=n, parameters=parameters))
    found = []
    for k in range(cells + 1):
        low, high = exp_bounds(k * STEP, bits=120)
        found.append((profile.delta(exp_epsilon=high), profile.delta(exp_epsilon=low)))
    return found


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
    measure = privacy_loss.envelope([high for _, high in points], step=STEP)
    assert 2**privacy_loss.BITS <= measure.total <= 2**privacy_loss.BITS + 2 * len(points)
    wide, narrow = (epsilon(each, rounds=rounds, delta=delta) for each in (measure, privacy_loss.on_grid(points, step=STEP)))
    assert abs(wide - narrow) < Fraction(1, 10**15)
    exact = truth(n, parameters, rounds=rounds, delta=delta)
    assert exact <= wide < exact + Fraction(1, 500)


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


def test_masses_rounded_down_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant on a coarse scale; with masses rounded up that scale is sound."""
    uppers, delta = [high for _, high in values(3, FINITE)], Fraction(1, 20)
    exact = truth(3, FINITE, rounds=2, delta=delta)
    monkeypatch.setattr(privacy_loss, "BITS", 12)
    sound = epsilon(privacy_loss.envelope(uppers, step=STEP), rounds=2, delta=delta)
    assert sound is None or sound > exact
    monkeypatch.setattr(privacy_loss, "_scaled", lambda mass: int(float(mass.mid()) * 2**12))
    monkeypatch.setattr(privacy_loss, "_up", lambda mass: mass >> 12)
    broken = epsilon(privacy_loss.envelope(uppers, step=STEP), rounds=2, delta=delta)
    assert broken < exact


def test_values_beside_their_place_are_noticed() -> None:
    """A mutant: each value one step to the left, where the profile is larger."""
    uppers, delta = [high for _, high in values(3, FINITE)], Fraction(1, 5)
    broken = epsilon(privacy_loss.envelope(uppers[1:], step=STEP), rounds=2, delta=delta)
    assert broken < truth(3, FINITE, rounds=2, delta=delta)


@pytest.mark.parametrize("wrong", [[], [Fraction(1, 2)], [Fraction(2), Fraction(1)], [Fraction(1), Fraction(-1)]])
def test_bad_input_is_refused(wrong: list[Fraction]) -> None:
    with pytest.raises(DomainError):
        privacy_loss.envelope(wrong, step=STEP)
