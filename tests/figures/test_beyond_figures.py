"""The pictures and the table of the bounds beyond the papers."""

from fractions import Fraction
from itertools import pairwise, product

import pytest

from shuffleproof.figures.beyond import efmrtt19, k_rr_brackets, over_epsilon0, over_users
from shuffleproof.figures.registry import entry
from shuffleproof.figures.whole_laws import randomizer_brackets
from shuffleproof.impl.ball.bounds.variation_ratio.published_variation_ratio import claimed_delta, claimed_epsilon
from shuffleproof.proofs_check.papers.beyond.variation_ratio.theorem import hidden_d
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters
from shuffleproof.spec.divergence import hockey_stick
from shuffleproof.spec.vocabulary.numerals import Epsilon


def test_the_table_brackets_and_refutes_what_was_published() -> None:
    rows = k_rr_brackets(categories=(3, 10), local=("1", "5"), users=(300, 1000)).rows
    assert [row[:3] for row in rows] == [(k, local, n) for k in ("3", "10") for local in ("1", "5") for n in ("300", "1000")]
    for row in rows:
        lower, upper, ratio, pair, claimed = (Fraction(text) for text in row[3:8])
        assert lower < upper <= ratio * lower * (1 + Fraction(1, 10**7))
        assert upper <= Fraction(row[1])
        assert lower < pair < 2 * upper
        assert (row[8] == "too small") == (claimed < lower)
    assert [row[8] for row in rows] == ["not refuted here"] * 4 + ["too small"] * 4


def test_the_published_claim_is_that_of_the_pair_with_one_count_hidden() -> None:
    for n, k, T, E in ((3, 3, 4, Fraction(37, 10)), (4, 5, 9, Fraction(2)), (5, 2, 3, Fraction(3, 2)), (4, 6, 9, Fraction(1))):
        beta = Fraction(T - 1, T + k - 1)
        exact = hockey_stick(*hidden_d(n, Parameters(Fraction(T), beta, Fraction(T))), exp_epsilon=E)
        central = Epsilon(Fraction(0) if E == 1 else None, E)
        lower, upper = claimed_delta(n=n, k=k, epsilon0=f"ln {T}", epsilon=central)
        assert lower <= exact <= upper
        assert upper - lower <= upper / 10**15
        low, high = claimed_epsilon(n=n, k=k, epsilon0=f"ln {T}", delta=exact)
        assert low <= central.bounds(bits=100)[1]
        assert high >= central.bounds(bits=100)[0]


def test_the_optimal_pair_is_in_the_table_and_the_picture_at_a_million_users() -> None:
    (row,) = k_rr_brackets(categories=(10,), local=("2",), users=(10**6,)).rows
    lower, upper, pair = Fraction(row[3]), Fraction(row[4]), Fraction(row[6])
    assert lower < pair < Fraction(1001, 1000) * upper
    curve = next(curve for curve in over_users(points=2, epsilon0="2").panels[1].curves if curve.label == "optimal pair")
    assert curve.x[-1] == 10**6
    assert curve.y[-1] == pytest.approx(float(pair), rel=1e-5)


@pytest.mark.parametrize(("made", "of_any"), [("eps0, n = 200", 4), ("n, eps0 = 2", 4), ("eps0, n = 1000", 5)])
def test_every_upper_curve_is_above_the_lower_one_and_they_come_in_order(made: str, of_any: int) -> None:
    figure = over_users(points=2, epsilon0="2") if made[0] == "n" else over_epsilon0(points=3, n=int(made.rpartition(" ")[2]))
    assert [len(panel.curves) for panel in figure.panels] == [of_any, 6]
    for panel in figure.panels:
        curves = {curve.label: curve.y for curve in panel.curves}
        lowers, uppers = ([curve.y for curve in panel.curves if curve.side == side] for side in ("lower", "upper"))
        assert lowers
        for lower, upper in product(lowers, uppers):
            assert all(y is None or low is None or y >= low for y, low in zip(upper, lower, strict=True))
        order = ["FMT21's clones", "stronger clones", "optimal pair", "blanket, exact sum"]
        known = [curves[label] for label in order if label in curves]
        for larger, smaller in pairwise(known):
            assert all(a is None or b is None or a * (1 + 1e-3) >= b for a, b in zip(larger, smaller, strict=True))


def test_efmrtt19_is_drawn_only_where_it_is_stated() -> None:
    assert efmrtt19(1000, "1/2") is None
    assert efmrtt19(999, "0.1") is None
    found = efmrtt19(10**6, "0.1")
    assert found is not None
    assert found == pytest.approx(12 * 0.1 * 3.7169 / 1000, rel=1e-4)


def test_the_entries_are_registered() -> None:
    made = {name: entry(name).made_by for name in ("k-rr-brackets", "beyond-eps0", "beyond-n")}
    assert made == {"k-rr-brackets": "beyond:k_rr_brackets", "beyond-eps0": "beyond:over_epsilon0", "beyond-n": "beyond:over_users"}


def test_the_blanket_is_never_above_the_optimal_pair_in_the_table_of_randomizers() -> None:
    rows = randomizer_brackets(local=("1",), users=(10**4,), chosen=(0, 8)).rows
    assert [row[0] for row in rows] == ["k-rr, k = 10", "hash, buckets = 4"]
    assert [row[5] for row in rows] == ["blanket", "another-place"]
    for _, _, _, low, high, _, ratio, blanket, limit, above, below, pair, gained in rows:
        assert float(limit) == pytest.approx((float(above) / float(below)) ** 0.5, rel=2e-4)
        assert float(low) <= float(high) <= float(pair)
        assert 1 <= float(ratio) <= float(blanket) < 1.11
        assert float(ratio) < 1.01
        assert 1 <= float(limit) < 1.1
        assert float(gained) >= 1
