"""LSZKG22: the ledger's own tools against independent computations, its witnesses by hand."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st
from strategies import examples

from shuffleproof.impl.ball import user_histogram as certified
from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.proofs_check.ledger import registry
from shuffleproof.proofs_check.papers.lszkg22.appendix_a import expected_objective
from shuffleproof.proofs_check.papers.lszkg22.instances import Setting, user_sets, with_rational_norm
from shuffleproof.proofs_check.papers.lszkg22.section4_thresholds import gaussian_gain, laplace_gain
from shuffleproof.proofs_check.papers.lszkg22.section5_extensions import composed_delta
from shuffleproof.spec.protocols.thresholds import User, minimiser, objective
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.scope import Relation

F = Fraction
STATEMENTS = [entry for entry in registry().values() if entry.paper == "LSZKG22"]
NUMBERED = ("Def3.1", "Def3.2", "Alg1.sensitivity", "Lem4.1", "Thm4.2", "Alg2", "Cor4.3", "Cor4.4", "Alg3", "Alg4.f", "Thm5.1", "Thm5.2")
NUMBERED_IN_THE_APPENDIX = ("Eq4", "Eq5", "Eq6", "Eq7", "Eq8", "LemA.1", "LemA.2")


def test_every_numbered_statement_has_a_row() -> None:
    ids = {entry.id for entry in STATEMENTS}
    assert {f"LSZKG22.{place}" for place in NUMBERED + NUMBERED_IN_THE_APPENDIX} <= ids


@examples(25)
@given(st.sampled_from(list(user_sets(norms=(F(1), F(3)), weights=(F(1), F(2)), most=3))), st.integers(0, 4), st.integers(1, 6))
def test_the_expected_objective_by_quadrature(users, centre, scale) -> None:
    """E U(clamp(centre + Z, 0, B)) in floats."""
    B, T, b = 4.0, 1.5, scale / 2
    steps = 4000
    total = 0.0
    for k in range(-steps, steps):
        z = (k + 0.5) * 20 * b / steps
        C = min(B, max(0.0, centre + z))
        value = sum(float(w) * max(float(m) - C, 0.0) for m, w in users) + T * C
        total += value * math.exp(-abs(z) / b) / (2 * b) * 20 * b / steps
    found = expected_objective(users, T=F(3, 2), centre=F(centre), scale=F(scale, 2), B=F(4))
    assert float(found.mid()) == pytest.approx(total, rel=1e-4)


def test_the_best_threshold_is_the_specified_one() -> None:
    data = list(with_rational_norm(d=2, most=5))
    users = [User(F(math.isqrt(sum(x * x for x in h))), F(0)) for h in data]
    users = [User(m, F(sum(h)) / m if m else F(0)) for (m, _), h in zip(users, data, strict=True)]
    for T in (F(1, 3), F(2), F(5), F(40)):
        found = certified.best_threshold_squared(data, slope=lambda T=T: ball(T) + ball(F(1, 10**9)))
        assert found == minimiser(users, T=T + F(1, 10**9)) ** 2


def test_the_certified_objective_is_the_specified_one() -> None:
    data, users = [(3, 4), (6, 8), (0, 0)], [User(F(5), F(7, 5)), User(F(10), F(7, 5)), User(F(0), F(0))]
    found = certified.objective(data, p=2, C=F(6), slope=ball(2))
    assert abs(found - ball(objective(users, C=F(6), T=F(2)))) < 1e-15


def test_grid_sensitivities_by_hand() -> None:
    assert certified.grid_sensitivity_squared(p=2, d=3, relation=Relation.REPLACE_ONE, C=F(3, 2), unit=F(1)) == 4
    assert certified.grid_sensitivity_squared(p=1, d=3, relation=Relation.REPLACE_ONE, C=F(3, 2), unit=F(1)) == 4
    assert certified.grid_sensitivity_squared(p=1, d=1, relation=Relation.REPLACE_ONE, C=F(7, 2), unit=F(1)) == 9
    assert certified.grid_sensitivity_squared(p=2, d=3, relation=Relation.ADD_REMOVE, C=F(3, 2), unit=F(1, 2)) == 9
    with pytest.raises(DomainError):
        certified.grid_sensitivity_squared(p=1, d=1, relation=Relation.ADD_REMOVE, C=F(1), unit=F(0))


@given(st.floats(0, 12))
def test_the_gains_are_expected_absolute_values(x) -> None:
    """E|b + Z|/E|Z| at b = x E|Z|."""
    y = x * math.sqrt(2 / math.pi)
    gauss = (math.sqrt(2 / math.pi) * math.exp(-y * y / 2) + y * math.erf(y / math.sqrt(2))) / math.sqrt(2 / math.pi)
    assert float(laplace_gain(ball(F(x))).mid()) == pytest.approx(x + math.exp(-x))
    assert float(gaussian_gain(ball(F(x))).mid()) == pytest.approx(gauss)


def test_the_constants() -> None:
    assert float(certified.laplace_ratio().lower) == pytest.approx(1.465941272384992886)
    assert float(certified.gaussian_ratio().lower) == pytest.approx(1.542677429748196252)


def test_the_two_point_setting_of_the_example() -> None:
    """LSZKG22.Sec5.example: mu = 1 - 2/e^2, and the gap between the biases."""
    case = Setting((F(0), F(2)), 2, F(1), F(5, 3))
    assert float(case.mu.mid()) == pytest.approx(1 - 2 * math.exp(-2))
    assert float((case.g - case.mu).mid()) == pytest.approx(0.0552075, abs=1e-6)
    assert case.spread == 1


def test_two_symbols_compose_by_hand() -> None:
    """d = 2 at e^each = 2: losses 2 each, 0, -2 each with weights 4/9, 4/9, 1/9."""
    found = composed_delta(d=2, each=ball(2).log(), epsilon=F(1, 2))
    expected = 4 / 9 - math.exp(0.5) / 9
    assert float(found.mid()) == pytest.approx(expected)
