"""Tables of the papers again: BC20 with its real data, CSUZZ19, frequencies, shuffled SGD."""

import csv
import io
import math
from decimal import Decimal
from fractions import Fraction

import pytest

from shuffleproof.figures import bc20, frequency, shuffled_sgd
from shuffleproof.figures.bc20_real_data import simultaneous_error as simultaneous_error_data
from shuffleproof.figures.chart import Table
from shuffleproof.figures.csuzz19 import DIMENSIONS, table1
from shuffleproof.figures.registry import entry, made
from shuffleproof.impl.ball.bounds.samples import simultaneous_error
from shuffleproof.impl.ball.frequency import RANDOMIZERS
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


def test_the_central_errors_hold_for_exact_distributions() -> None:
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


def test_errors_stay_within_what_is_certified_and_the_calibrated_noise_is_the_least() -> None:
    items = [f"item {i}" for i in range(200) for _ in range(i)] * 2
    table = simultaneous_error_data(items=items, runs=3)
    least, printed, composed = table.rows
    assert Fraction(least[0]) < Fraction(printed[0]) < Fraction(composed[0])
    for row in table.rows:
        assert Fraction(row[2]) <= Fraction("1e-6")
        assert Fraction(row[4]) <= Fraction(row[5])
    assert Fraction(least[5]) < 2 * Fraction(least[3])
    assert int(float(least[6])) > int(float(printed[6]))  # less noise, more rows
    assert any("not a module" in note for note in table.notes)


@pytest.fixture(scope="module")
def table() -> Table:
    return table1()


def test_every_cell_has_both_sides_in_order(table) -> None:
    assert len(table.rows) == 7 * 2 + 8 * len(DIMENSIONS) + 1
    for row in table.rows:
        needed, enough = int(row[3]), int(row[5])
        assert 1 <= needed <= enough


def test_the_models_are_ordered_as_the_paper_says(table) -> None:
    """Selection at d = 10^6: central < shuffled < local, with orders of magnitude between them."""
    enough = {row[1]: int(row[5]) for row in table.rows if row[0] == "selection" and row[2] == f"d = {10**6}"}
    needed = {row[1]: int(row[3]) for row in table.rows if row[0] == "selection" and row[2] == f"d = {10**6}"}
    assert enough["central"] < needed["one message"]
    assert enough["shuffled"] < needed["local"]


def test_the_table_reads_back(table) -> None:
    lines = [line for line in table.csv().decode("utf-8").splitlines() if not line.startswith("#")]
    assert len(list(csv.DictReader(io.StringIO("\n".join(lines))))) == len(table.rows)


@pytest.fixture(scope="module")
def table_frequency() -> Table:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frequency, "USERS", ("1e4",))
        return frequency.by_randomizer()


def test_it_has_every_randomizer_for_every_target(table_frequency: Table) -> None:
    assert len(table_frequency.rows) == len(frequency.EPSILONS) * len(frequency.ITEMS) * len(RANDOMIZERS)
    assert {row[3] for row in table_frequency.rows} == set(RANDOMIZERS)


def test_subset_selection_has_the_smallest_error_and_beats_the_papers_choice(table_frequency: Table) -> None:
    for at in range(0, len(table_frequency.rows), len(RANDOMIZERS)):
        errors = {row[3]: float(row[7]) for row in table_frequency.rows[at : at + len(RANDOMIZERS)]}
        assert errors["k-subset"] == min(errors.values())
    assert all(float(row[-1]) > 1 for row in table_frequency.rows)
    assert all(float(row[4]) > float(row[9]) for row in table_frequency.rows)


def test_accuracy_falls_and_privacy_rises_with_the_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = shuffled_sgd.synthetic()
    monkeypatch.setattr(shuffled_sgd, "RUNS", 2)
    monkeypatch.setattr(shuffled_sgd, "synthetic", lambda: (whole[0][:4000], whole[1][:4000], whole[2], whole[3]))
    table = made(entry("shuffled-sgd"))
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]  # type: ignore[union-attr]
    assert {row["users"] for row in rows if row["data"] == "breast cancer"} <= {"456", "448"}
    for name in ("breast cancer", "synthetic"):
        own = [row for row in rows if row["data"] == name]
        assert [row["epsilon <="] == "none" for row in own] == [row["sigma"] == "0" for row in own]
        assert float(own[0]["accuracy"]) > float(own[-1]["accuracy"]) > 0.5
    amplified = [row for row in rows if row["data"] == "synthetic" and row["sigma"] != "0" and row["passes"] == "1"]
    assert all(Decimal(row["epsilon <="]) <= Decimal(row["one pass, order known"]) for row in amplified)
    assert any("569 rows" in note for note in table.notes)
