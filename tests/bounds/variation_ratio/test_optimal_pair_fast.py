"""The optimal pair in float64: both sides around the exact and the certified values, at any n, and the mutants that these tests kill."""

import json
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from commands import output_of
from enclosures import meet

from shuffleproof.bounds import answer
from shuffleproof.impl.ball.bounds.k_rr import k_rr_pairs
from shuffleproof.impl.ball.bounds.lower import randomizer_lower
from shuffleproof.impl.ball.bounds.variation_ratio import optimal_pair as ball, optimal_parameters as ball_parameters
from shuffleproof.impl.fast.bounds.clones.clones import stronger_clones
from shuffleproof.impl.fast.bounds.variation_ratio import optimal_pair as fast, optimal_parameters
from shuffleproof.spec.bounds.variation_ratio import optimal_pair as exact
from shuffleproof.spec.randomizers.hadamard_response import Hadamard
from shuffleproof.spec.randomizers.k_rr import KRR
from shuffleproof.spec.randomizers.k_subset import Subset
from shuffleproof.spec.randomizers.laplace import Laplace
from shuffleproof.spec.randomizers.local_hashing import LocalHashing
from shuffleproof.spec.randomizers.unary_encoding import RAPPOR, AsymmetricRAPPOR
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import RegimeError, UnsupportedError
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import INFINITE, Epsilon, Number, exact_fraction, parse_epsilon

K_RR: dict[str, Any] = {"p": "2.7182818284590453", "beta": "0.14664427", "q": "2.7182818284590453"}
"""At least those of kRR with k = 10 and eps0 = 1."""


def width(bound: Bound) -> float:
    return float((bound.upper - bound.lower) / bound.upper)


CASES: tuple[tuple[int, Number, Number, Number, Number], ...] = (
    (30, 4, "1/2", 4, "0.3"),
    (100, K_RR["p"], K_RR["beta"], K_RR["q"], "0.99"),  # near ln p
    (100, K_RR["p"], K_RR["beta"], K_RR["q"], "0.9999999"),
    (300, K_RR["p"], K_RR["beta"], K_RR["q"], "1e-9"),
    (300, K_RR["p"], K_RR["beta"], K_RR["q"], 0),
    (300, K_RR["p"], K_RR["beta"], K_RR["q"], "0.35"),  # about 1e-19
    (500, INFINITE, "1/2", 3, "0.3"),
    (500, INFINITE, "1/20", 6, 3),
    (300, INFINITE, "1/2", "3/2", "0.2"),  # nobody sends none
    (300, K_RR["p"], K_RR["beta"], "1.14664427", "0.1"),  # neither
    (2000, K_RR["p"], 1, K_RR["q"], "0.1"),  # no d
    (500, "1.01", "0.001", "1.5", "0.001"),
    (200, 3000, "0.997", 3000, "3"),
    (400, 60, "1/10", 2, "0.5"),
    (2000, K_RR["p"], K_RR["beta"], K_RR["q"], "0.08"),
)


@pytest.mark.parametrize(("n", "p", "beta", "q", "epsilon"), CASES)
def test_certified_values_meet_the_sides(n: int, p: Number, beta: Number, q: Number, epsilon: Number) -> None:
    found = fast.delta(n=n, p=p, beta=beta, q=q, epsilon=epsilon)
    certified = ball.delta(n=n, p=p, beta=beta, q=q, epsilon=epsilon, digits=12)
    assert meet(found, certified)
    assert width(found) < 2e-5


@pytest.mark.parametrize("delta", ["1e-2", "1e-6", "1e-12", "1e-40"])
def test_certified_deltas_confirm_the_ends_of_epsilon(delta: str) -> None:
    for n, p, beta, q in ((700, K_RR["p"], K_RR["beta"], K_RR["q"]), (200, 60, "0.6", 50), (2000, 3, "1/2", 3)):
        found = fast.epsilon(n=n, p=p, beta=beta, q=q, delta=delta)
        assert width(found) < 4e-5
        assert ball.delta(n=n, p=p, beta=beta, q=q, epsilon=found.lower, digits=12).lower > Fraction(delta)
        assert ball.delta(n=n, p=p, beta=beta, q=q, epsilon=found.upper, digits=12).upper <= Fraction(delta)


@pytest.mark.parametrize("n", [10**3, 10**5, 10**9])
@pytest.mark.parametrize("epsilon0", ["0.1", "1", "5"])
def test_without_d_it_is_the_stronger_clones_pair(n: int, epsilon0: str) -> None:
    """BEYOND.CorF2, against the engine that sums that pair by parts, at any n."""
    T = parse_epsilon(epsilon0).exp_bounds(bits=200)[1]
    found = fast.epsilon(n=n, p=T, beta=1, q=T, delta="1e-6")
    other = stronger_clones.epsilon(n=n, epsilon0=epsilon0, delta="1e-6")
    assert meet(found, other)
    assert width(found) < 1e-4


@pytest.mark.parametrize("n", [10**4, 10**5, 10**6, 10**9])
def test_at_large_n_it_lies_between_its_neighbours(n: int) -> None:
    """Below the stronger clones, above one pair of datasets of kRR, and falling in n; its sides stay close."""
    found = optimal_parameters.epsilon(n=n, randomizer=KRR(k=10), epsilon0=1, delta="1e-6")
    assert width(found) < 1e-5
    assert found.upper < stronger_clones.epsilon(n=n, epsilon0=1, delta="1e-6").lower
    if n <= 10**6:
        assert k_rr_pairs.HOMOGENEOUS.epsilon(n=n, k=10, epsilon0=1, delta="1e-6", digits=6).lower < found.upper
    assert optimal_parameters.epsilon(n=9 * n // 10, randomizer=KRR(k=10), epsilon0=1, delta="1e-6").lower > found.upper
    deltas = [
        optimal_parameters.delta(n=n, randomizer=KRR(k=10), epsilon0=1, epsilon=found.upper * each) for each in (Fraction(1, 2), 1, 2)
    ]
    assert deltas[0].lower > deltas[1].upper > deltas[2].upper
    assert deltas[1].upper <= Fraction(1, 10**6)


@pytest.mark.parametrize("n", [1, 2, 6, pytest.param(30, marks=pytest.mark.deep)])
@pytest.mark.parametrize("gap", [Fraction(1, 10**12), Fraction(1, 3), Fraction(999, 1000)])
def test_where_b_and_d_outweigh_every_a_one_atom_is_left(n: int, gap: Fraction) -> None:
    p = Fraction(10**12)
    for beta, q in ((Fraction(1, 2), Fraction(4)), (Fraction(1, 100), p), (Fraction(999, 1000), Fraction(2))):
        found = fast.delta(n=n, p=p, beta=beta, q=q, epsilon=Epsilon(None, p * (1 - gap)))
        truth = exact.delta(n=n, p=p, beta=beta, q=q, epsilon=Epsilon(None, p * (1 - gap))).upper
        assert found.lower <= truth <= found.upper <= truth * (1 + Fraction(1, 10**7))


@pytest.mark.parametrize(
    ("randomizer", "epsilon0", "n", "delta"),
    [
        (KRR(k=3), 5, 10**4, "1e-12"),
        (KRR(k=100), 8, 10**6, "1e-3"),
        (KRR(k=100), 12, 10**6, "1e-3"),
        (Laplace(), 12, 10**4, "1e-3"),
        (LocalHashing(buckets=8), 5, 10**4, "1e-12"),
        (LocalHashing(buckets=8), "1e-4", 10**7, "1e-9"),
    ],
)
def test_sides_stay_close_over_the_range_that_is_asked_for(randomizer: NamedRandomizer, epsilon0: Number, n: int, delta: str) -> None:
    assert width(optimal_parameters.epsilon(n=n, epsilon0=epsilon0, delta=delta, randomizer=randomizer)) < 5e-6


@pytest.mark.parametrize(
    ("given_", "match"),
    [
        ({"n": 2 * 10**9}, "n up to"),
        ({"delta": "1e-301"}, "delta = 1e-301"),
        ({"p": 10**320, "beta": "0.5", "q": 5}, "this p"),
        ({"q": 10**285}, "1e-280"),
    ],
)
def test_outside_its_range_it_says_which_engine_answers(given_: dict[str, Any], match: str) -> None:
    with pytest.raises(UnsupportedError, match=match) as refused:
        fast.epsilon(**{"n": 100, **K_RR, "delta": "1e-6", **given_})
    assert 'engine "ball"' in str(refused.value)


def test_below_the_mass_of_infinite_loss_no_epsilon_is_enough() -> None:
    with pytest.raises(RegimeError, match="infinite privacy loss"):
        fast.epsilon(n=5, p=INFINITE, beta="1/2", q=2, delta="1e-9")


NAMED: tuple[NamedRandomizer, ...] = (
    KRR(k=10),
    Laplace(),
    RAPPOR(),
    AsymmetricRAPPOR(),
    Subset(k=12, d=3),
    LocalHashing(buckets=5),
    *(Hadamard(k=k) for k in (2, 5, 8, 127, 128)),
    *(Hadamard(k=100, blocks=blocks) for blocks in (1, 4, 64)),
)


@pytest.mark.parametrize("randomizer", NAMED, ids=str)
def test_both_engines_compute_the_same_parameters(randomizer: NamedRandomizer) -> None:
    for epsilon0 in (0, "1e-5", 1, "ln 4", 8):
        ours, theirs = (
            optimal_parameters.parameters(epsilon0=epsilon0, randomizer=randomizer),
            ball_parameters.parameters(epsilon0=epsilon0, digits=45, randomizer=randomizer),
        )
        for mine, other in zip(ours, theirs, strict=True):
            assert mine == other or abs(mine / other - 1) < Fraction(1, 10**40)
        if epsilon0 in (0, "ln 4") and not isinstance(randomizer, Laplace | RAPPOR):
            assert ours == theirs


def test_a_named_randomizer_has_its_own_claim() -> None:
    found = optimal_parameters.epsilon(n=10**5, randomizer=Laplace(), epsilon0=1, delta="1e-6")
    assert (found.method, found.inputs["randomizer"], found.inputs["eps0"]) == ("randomizer-pair", "laplace", "1")
    assert randomizer_lower.epsilon(n=10**5, randomizer=Laplace(), epsilon0=1, delta="1e-6", digits=4).lower < found.upper
    assert optimal_parameters.epsilon(n=10, randomizer=RAPPOR(), epsilon0=2, delta=0).exact == "2"
    assert optimal_parameters.delta(n=10, randomizer=RAPPOR(), epsilon0=2, epsilon=2).upper == 0


def test_where_balls_would_take_too_long_it_answers_and_says_so() -> None:
    given_: dict[str, Any] = {"n": 10**9, "randomizer": "krr", "k": 10, "epsilon0": 1, "delta": "1e-12"}
    found = answer(quantity="epsilon", parameters=given_, method="randomizer-pair")
    assert (found.bound.engine, found.bound.side) == ("fast", "enclosure")
    assert "would take" in found.handed_over
    assert answer(quantity="epsilon", parameters={**given_, "n": 500}, method="randomizer-pair").bound.engine == "ball"


@pytest.mark.deep
def test_compare_has_a_bracket_where_balls_would_take_too_long(capsys: pytest.CaptureFixture[str]) -> None:
    asked = "compare -n 1000000000 --randomizer krr --k 10 --eps0 1 --delta 1e-12 --format json"
    (row,) = (row for row in json.loads(output_of(capsys, *asked.split())) if row["method"] == "randomizer-pair")
    assert row["engine"] == "fast"


def test_tiny_epsilons_keep_their_sides() -> None:
    at_zero = fast.delta(n=1000, **K_RR, epsilon=0)
    for epsilon in ("1e-30", "1e-180", "1e-250"):
        found = fast.delta(n=1000, **K_RR, epsilon=epsilon)
        assert meet(found, at_zero)
        assert math.isclose(found.upper_float, at_zero.upper_float, rel_tol=1e-9)
    nearly = fast.epsilon(n=1000, **K_RR, delta=at_zero.lower)
    assert nearly.upper < Fraction(1, 10**6)
    assert fast.epsilon(n=1000, **K_RR, delta=at_zero.upper * (1 + Fraction(1, 10**9))).exact == "0"


@pytest.mark.parametrize("E", [50, 100])
def test_products_below_the_range_of_floats_are_not_zero(E: int) -> None:
    """tau >= 0 for the last few counts c only, where Pr(c) f_c(t) is below 1e-330 of the anchor's: delta is about 1e-460."""
    found = fast.delta(n=800, p=10**200, beta="1/3", q="4/3", epsilon=f"ln {E}")
    certified = ball.delta(n=800, p=10**200, beta="1/3", q="4/3", epsilon=f"ln {E}", digits=4)
    assert found.lower <= certified.upper
    assert 0 < certified.lower <= found.upper


def test_exponents_in_the_millions_are_no_rationals() -> None:
    """Rationals with as many digits would."""
    infinite: dict[str, Any] = {"n": 10**9, "p": INFINITE, "beta": "1/4", "q": 3}
    assert 0 < fast.delta(n=10**9, p=3, beta="1/4", q=3, epsilon="1.0986122886681").upper < Fraction(1, 10**200)
    assert 0 == fast.delta(**infinite, epsilon=30).lower < fast.delta(**infinite, epsilon=30).upper < Fraction(1, 10**900)
    assert width(fast.epsilon(**infinite, delta="1e-10")) < 1e-5
    with pytest.raises(RegimeError, match="infinite privacy loss"):
        fast.epsilon(**infinite, delta=0)


@pytest.mark.parametrize(("p", "beta", "q"), [(10**100, "1/2", 12), (10**300, 1, "3/2")])
def test_losses_whose_powers_are_beyond_a_float_do_not_disturb_the_guess(p: int, beta: Number, q: Number) -> None:
    for n, epsilon in ((4, 180), (1000, 100)):
        found = fast.delta(n=n, p=p, beta=beta, q=q, epsilon=epsilon)
        assert 0 <= found.lower <= found.upper <= 1
    found, truth = (engine.delta(n=4, p=p, beta=beta, q=q, epsilon=180) for engine in (fast, ball))
    assert found.lower <= truth.upper
    assert truth.lower <= found.upper <= truth.lower * (1 + Fraction(1, 10**7))


@pytest.mark.parametrize(
    ("n", "p", "beta", "epsilon"), [(2000, 2, "1/10", "0.5"), (2000, "3/2", "1/10", "0.3"), (3000, "3/2", "1/10", "0.2")]
)
def test_counts_far_out_whose_ratios_are_beyond_the_floats_are_answered(n: int, p: Number, beta: Number, epsilon: Number) -> None:
    """f_c(b)/f_c(t) overflows, alone or times f_c(t), where the table of d is 0 or the masses of c are tiny: delta is below 1e-150."""
    found = fast.delta(n=n, p=p, beta=beta, q=p, epsilon=epsilon)
    certified = ball.delta(n=n, p=p, beta=beta, q=p, epsilon=epsilon, digits=8)
    assert found.lower <= certified.upper
    assert certified.lower <= found.upper < Fraction(1, 10**150)


def test_the_smallest_delta_is_answered_where_ratios_are_beyond_the_floats() -> None:
    assert width(fast.epsilon(n=9000, p=50, beta="3/4", q=20, delta="1e-149")) < 1e-4


def test_rare_reports_of_many_users_are_answered() -> None:
    assert optimal_parameters.delta(n=10**8, randomizer=AsymmetricRAPPOR(k=100), epsilon0=11, epsilon=1).upper < Fraction(1, 10**200)


@pytest.mark.parametrize("changed", ["a", "d", "q", "x"])
def test_a_changed_distribution_of_one_draw_is_noticed(changed: str) -> None:
    pair = fast._Pair.of(n=5000, p=Fraction(K_RR["p"]), beta=Fraction(K_RR["beta"]), q=Fraction(K_RR["q"]))
    assert pair is not None
    truth = ball.delta(n=5000, **K_RR, epsilon="0.04", digits=12)
    for factor, holds in ((Fraction(1), True), (Fraction(1001, 1000), False)):
        own = replace(pair, **{changed: getattr(pair, changed) * factor})
        lower, upper = own.sides(parse_epsilon("0.04"))
        assert (lower <= truth.upper and truth.lower <= upper) == holds


@pytest.mark.parametrize(("n", "q"), [(1, 4), (2, 10**6), (1183, 4), (10**9, 10**50)])
@pytest.mark.parametrize("beta", ["1e-126", "1e-9", "1/4"])
def test_delta_is_never_above_beta_however_wide_the_sides(n: int, q: Number, beta: Number) -> None:
    assert fast.epsilon(n=n, p=3, beta=beta, q=q, delta=beta).exact == "0"
    assert fast.delta(n=n, p=3, beta=beta, q=q, epsilon="1e-3").upper <= exact_fraction(beta, parameter="beta")
    if n <= 2:
        at_zero = exact.delta(n=n, p=3, beta=beta, q=q, epsilon=0).upper
        assert fast.delta(n=n, p=3, beta=beta, q=q, epsilon=0).upper >= at_zero
        assert at_zero <= exact_fraction(beta, parameter="beta")
