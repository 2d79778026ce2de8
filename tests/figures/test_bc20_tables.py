"""BC20, Tables 1 and 2 with numbers, and the certified errors behind them."""

import math
from fractions import Fraction

import pytest

from shuffleproof.figures import bc20
from shuffleproof.figures.chart import Table
from shuffleproof.figures.registry import entry
from shuffleproof.impl.ball.bounds.samples import simultaneous_error
from shuffleproof.spec.distribution import multinomial
from shuffleproof.spec.protocols import central
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError

HALF, TENTH, MILLIONTH = Fraction(1, 2), Fraction(1, 10), Fraction(1, 10**6)


@pytest.fixture(scope="module")
def errors() -> Table:
    return bc20.table1()


@pytest.fixture(scope="module")
def samples() -> Table:
    return bc20.table2()


def test_every_cell_of_table_1_is_certified_from_both_sides_or_says_that_it_is_not(errors) -> None:
    without = 0
    for row in errors.rows:
        if row[3] == bc20.NO_CONSTANT:
            without += 1
            continue
        assert 0 < Fraction(row[5]) <= Fraction(row[3]) < bc20.USERS
    assert without == 2
    assert [row[0] for row in errors.rows] == ["local"] * 3 + ["shuffled"] * 8 + ["central"] * 4


def test_the_models_are_ordered_as_table_1_says(errors) -> None:
    """At d = 10^6 nothing local comes near the calibrated histogram, whose error does not depend on d; the printed one is far from it."""
    reached = {(row[2], row[4]): int(row[3]) for row in errors.rows if row[3] != bc20.NO_CONSTANT}
    least_local = min(Fraction(row[5]) for row in errors.rows if row[0] == "local" and row[2] == "1000000")
    assert reached["any", "stability-based"] < reached["any", "Theorem 3.2, calibrated noise"] < least_local
    assert 10 * reached["any", "Theorem 3.2, calibrated noise"] < reached["any", "Theorem 3.2, exact tails"]
    assert reached["any", "Theorem 3.2, exact tails"] < reached["any", "Theorem 3.2 as stated"]
    assert reached["100", "geometric noise"] < reached["any", "stability-based"]


def test_table_2_is_ordered_as_the_paper_says(samples) -> None:
    for row in samples.rows:
        if row[3].isdigit() and row[5].isdigit():
            assert int(row[3]) <= int(row[5])
        if row[7] != bc20.NOT_SOUGHT:
            assert Fraction(row[7]) > Fraction(98, 100)
    enough = {(row[0], row[1], row[6]): int(row[5]) for row in samples.rows if row[5].isdigit()}
    chased = [enough[f"PC(2, {length})", "shuffled", "calibrated noise"] for length in bc20.LENGTHS]
    assert len(set(chased)) == 1, "independent of l"
    needed = {(row[0], row[1]): row[3] for row in samples.rows}
    assert int(needed["PC(2, 1000000)", "local"]) > 10_000 * chased[0]
    assert needed["MPJ(16, 2)", "local, in turn"] == bc20.NO_CONSTANT
    for problem in ("PC(2, 10)", "MPJ(256, 4)"):
        by = [enough[problem, "shuffled", how] for how in ("calibrated noise", "printed noise", "the proof's reduction")]
        assert by == sorted(by)


def test_both_tables_are_part_of_the_report() -> None:
    for name in ("bc20-table1", "bc20-table2"):
        assert entry(name).in_report


def test_local_errors_by_hand() -> None:
    """(T + 1)/(T - 1) sqrt(n ln(2 d/beta)/2) with T = e^(eps/2)."""
    T = math.exp(0.25)
    by_hand = (T + 1) / (T - 1) * math.sqrt(10**5 * math.log(2 * 100 / 0.1) / 2)
    assert simultaneous_error.reached_local(n=10**5, d=100, epsilon=HALF, beta=TENTH) == math.ceil(by_hand)


def test_what_is_needed_locally_is_as_tight_as_its_two_conditions() -> None:
    """With g found here in floats: information below the need, and all but 1/20 of Bin(n, g) above K."""
    n, d, T = 10**4, 50, math.exp(0.5)
    found = simultaneous_error.needed_local(n=n, d=d, epsilon=HALF, beta=TENTH)
    V, left = (T - 1) ** 2 / (4 * T), 0.85
    wanted = left * math.log(left * (d - 1)) + (1 - left) * math.log((1 - left) / (1 - 1 / (d - 1)))
    g = max(x / 10**5 for x in range(1, 10**5) if n * math.log(1 + (x / 10**5) ** 2 * V / ((1 - x / 10**5) / T + x / 10**5)) < wanted)
    K = 2 * float(found) - 1
    assert pytest.approx(n * g - 1.645 * math.sqrt(n * g * (1 - g)), rel=0.02) == K


def test_the_central_errors_hold_for_exact_laws() -> None:
    """Two bins at e^(eps/2) = 2: eps = 2 ln 2 is just above 693/500."""
    epsilon, n, delta, beta = Fraction(693, 500), 12, Fraction(1, 40), Fraction(1, 5)
    exp_bin = Fraction(2)
    reached = simultaneous_error.reached_by_geometric_noise(d=2, epsilon=epsilon, beta=beta)
    exact = 1 - (1 - 2 * central.geometric_above(reached, exp_epsilon=exp_bin)) ** 2
    assert exact <= beta < 1 - (1 - 2 * central.geometric_above(reached - 1, exp_epsilon=exp_bin)) ** 2
    stable = simultaneous_error.reached_by_stability(n=n, epsilon=epsilon, delta=delta, beta=beta)
    threshold = central.stability_threshold(exp_epsilon_bin=exp_bin, delta=delta)
    for counts, _ in multinomial(n, [HALF, HALF]).items():
        law = central.stability_histogram(counts, exp_epsilon_bin=exp_bin, threshold=threshold, high=60)
        failing = sum(
            (w for released, w in law.items() if any(abs(r - c) > stable for r, c in zip(released, counts, strict=True))), Fraction(0)
        )
        assert failing <= beta


def test_what_is_needed_of_every_private_protocol_by_hand() -> None:
    """delta small: beta/(d - 1) e^(h eps) < 1 - beta for h up to 2 ln(9 * 99), at eps = 1/2."""
    needed = simultaneous_error.needed_private(n=10**5, d=100, epsilon=HALF, delta=Fraction(1, 10**30), beta=TENTH)
    assert needed == Fraction(math.floor(2 * math.log(9 * 99)), 2)


def test_the_printed_error_needs_the_theorems_condition() -> None:
    assert simultaneous_error.printed(n=10**5, epsilon=HALF, delta=MILLIONTH, beta=TENTH) == 3313
    with pytest.raises(RegimeError, match=r"5803|100/epsilon"):
        simultaneous_error.printed(n=5000, epsilon=HALF, delta=MILLIONTH, beta=TENTH)


@pytest.mark.parametrize(
    "call",
    [
        lambda: simultaneous_error.reached_local(n=0, d=2, epsilon=HALF, beta=TENTH),
        lambda: simultaneous_error.needed_local(n=10, d=2, epsilon=HALF, beta=TENTH),
        lambda: simultaneous_error.reached_by_stability(n=10, epsilon=HALF, delta=Fraction(0), beta=TENTH),
        lambda: simultaneous_error.needed_private(n=10, d=5, epsilon=Fraction(0), delta=MILLIONTH, beta=TENTH),
    ],
)
def test_bad_input_is_refused(call) -> None:
    with pytest.raises(DomainError):
        call()
