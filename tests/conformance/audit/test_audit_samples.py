"""Audits by samples: the limits are valid, a mechanism at its claim is rarely accused, one beyond it is found."""

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from strategies import examples

from shuffleproof.audit import samples
from shuffleproof.conformance.audit import sample_file
from shuffleproof.conformance.audit.samples import Found, audited, edges_of, halves, lower_limit, upper_limit
from shuffleproof.spec.distribution import binomial
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.numerals import Epsilon, parse_epsilon

LEVEL = Fraction(1, 20)
NO_DELTA = Fraction(0)


def tail_up_to(successes: int, trials: int, p: Fraction) -> Fraction:
    law = binomial(trials, p)
    return sum((law[k] for k in range(successes + 1)), Fraction(0))


@examples(30)
@given(trials=st.integers(1, 12), data=st.data(), alpha=st.sampled_from([Fraction(1, 40), Fraction(1, 3), Fraction(1, 10**6)]))
def test_the_limits_are_those_of_the_exact_binomial_distribution(trials: int, data: st.DataObject, alpha: Fraction) -> None:
    """At the upper limit so few successes have probability at most alpha, exactly; just inside it, more."""
    successes = data.draw(st.integers(0, trials))
    upper = upper_limit(successes, trials, alpha=alpha)
    if successes == trials:
        assert upper == 1
    else:
        assert tail_up_to(successes, trials, upper) <= alpha
        assert tail_up_to(successes, trials, upper - Fraction(1, 10**10)) > alpha
    assert lower_limit(trials - successes, trials, alpha=alpha) == 1 - upper


@pytest.mark.parametrize("p", [Fraction(0), Fraction(1, 50), Fraction(1, 2), Fraction(9, 10), Fraction(1)])
def test_a_limit_misses_with_probability_at_most_alpha(p: Fraction) -> None:
    """Summed over everything that could have been observed, exactly."""
    trials, alpha = 20, Fraction(1, 20)
    law = binomial(trials, p)
    missed = sum((law[k] for k in range(trials + 1) if upper_limit(k, trials, alpha=alpha) < p), Fraction(0))
    assert missed <= alpha
    missed = sum((law[k] for k in range(trials + 1) if lower_limit(k, trials, alpha=alpha) > p), Fraction(0))
    assert missed <= alpha


def randomized_response(exp_epsilon: float, trials: int, x: int, generator: np.random.Generator) -> Counter[object]:
    ones = int(generator.binomial(trials, (exp_epsilon if x else 1) / (1 + exp_epsilon)))
    return Counter({1: ones, 0: trials - ones})


def ternary(exp_epsilon: float, trials: int, x: int, generator: np.random.Generator) -> Counter[object]:
    """3-ary randomized response, inputs 0 and 1."""
    weights = np.ones(3)
    weights[x] = exp_epsilon
    return Counter(dict(enumerate(int(k) for k in generator.multinomial(trials, weights / weights.sum()))))


Mechanism = Callable[[float, int, int, np.random.Generator], Counter[object]]


def accusations(mechanism: Mechanism, *, true: float, claim: str, runs: int, samples: int, seed: int) -> int:
    """In how many runs a mechanism of known epsilon is accused of exceeding the claim."""
    generator, claimed, E = np.random.default_rng(seed), parse_epsilon(claim), math.exp(true)

    def once() -> Found:
        first, second = ((mechanism(E, samples // 2, x, generator), mechanism(E, samples - samples // 2, x, generator)) for x in (0, 1))
        return audited((first[0], second[0]), (first[1], second[1]), epsilon=claimed, delta=NO_DELTA, level=LEVEL)

    return sum(once().violation for _ in range(runs))


@pytest.mark.parametrize("mechanism", [randomized_response, ternary])
def test_a_mechanism_at_its_claim_is_rarely_accused_and_one_beyond_it_is_found(mechanism: Mechanism) -> None:
    runs = 40
    false_alarms = accusations(mechanism, true=1.0, claim="1", runs=runs, samples=4000, seed=7)
    assert lower_limit(false_alarms, runs, alpha=Fraction(1, 100)) <= LEVEL
    assert accusations(mechanism, true=1.5, claim="1", runs=12, samples=20_000, seed=8) >= 11


@pytest.mark.deep
@pytest.mark.parametrize("mechanism", [randomized_response, ternary])
def test_false_alarms_and_power_over_two_thousand_runs(mechanism: Mechanism) -> None:
    """At level 0.05 with 10^5 samples a side: the 99 % lower limit of the false-alarm rate is at most 0.05, the power at least 0.9.

    The mechanism keeps its claim with equality in the one, and has 1.5 times the epsilon claimed in the other.
    """
    runs = 2000
    false_alarms = accusations(mechanism, true=1.0, claim="1", runs=runs, samples=100_000, seed=2021)
    power = accusations(mechanism, true=1.5, claim="1", runs=runs, samples=100_000, seed=2022)
    limit = lower_limit(false_alarms, runs, alpha=Fraction(1, 100))
    figures = f"{mechanism.__name__}: {false_alarms} false alarms in {runs} runs (99 % lower limit {float(limit):.4f}), {power} found"
    print(figures)
    assert limit <= LEVEL, figures
    assert power >= 0.9 * runs, figures


def test_testing_on_the_half_that_chose_would_accuse_the_innocent() -> None:
    """The mutant: without a half held out, the best of many events looks like a violation far more often than the level."""
    generator, outcomes, per_side = np.random.default_rng(3), 400, 400
    naive = honest = 0
    for _ in range(40):
        drawn = [Counter(int(y) for y in generator.integers(outcomes, size=per_side)) for _ in range(4)]
        claim = {"epsilon": Epsilon(Fraction(0), Fraction(1)), "delta": Fraction(0), "level": LEVEL}
        naive += audited((drawn[0], drawn[1]), (drawn[0], drawn[1]), **claim).violation
        honest += audited((drawn[0], drawn[1]), (drawn[2], drawn[3]), **claim).violation
    assert naive >= 30
    assert honest <= 8


def test_an_output_that_the_other_side_never_shows_is_no_proof_of_an_infinite_epsilon() -> None:
    sides = (Counter({"a": 1000}), Counter({"b": 1000}))
    found = audited(sides, sides, epsilon=parse_epsilon("1"), delta=NO_DELTA, level=LEVEL)
    assert found.violation
    assert 100 < found.exp_epsilon < 1000


def test_delta_is_allowed_for() -> None:
    """(0, 1/10)-DP: one output in ten tells the input, and nothing else does."""
    tells = (Counter({"a": 100, "c": 900}), Counter({"b": 100, "c": 900}))
    assert not audited(tells, tells, epsilon=parse_epsilon("0"), delta=Fraction(15, 100), level=LEVEL).violation
    assert audited(tells, tells, epsilon=parse_epsilon("0"), delta=Fraction(5, 100), level=LEVEL).violation


def test_both_directions_are_looked_at() -> None:
    rare = (Counter({"a": 0, "b": 10_000}), Counter({"a": 3000, "b": 7000}))
    assert audited(rare, rare, epsilon=parse_epsilon("2"), delta=NO_DELTA, level=LEVEL).first == 1
    turned = (rare[1], rare[0])
    assert audited(turned, turned, epsilon=parse_epsilon("2"), delta=NO_DELTA, level=LEVEL).first == 0


def test_intervals_begin_at_quantiles_of_the_choosing_half() -> None:
    assert (edges_of([4, 1, 3, 2], bins=2), edges_of([], bins=4)) == ([3], [])
    assert halves("abcde") == (Counter("ace"), Counter("bd"))


def test_gaussian_outputs_are_grouped_and_found(tmp_path: Path) -> None:
    generator, path = np.random.default_rng(5), tmp_path / "outputs.csv"
    rows = [f"{side},{generator.normal(at)!r}" for _ in range(3000) for side, at in (("x", 0.0), ("y", 2.0))]
    path.write_text("\n".join(["side,output", *(row.replace("np.float64(", "").replace(")", "") for row in rows)]) + "\n", "utf-8")
    given_samples = sample_file.read(path)
    assert len(given_samples.choosing[0]) <= 64
    found = audited(given_samples.choosing, given_samples.testing, epsilon=parse_epsilon("1"), delta=Fraction(1, 100), level=LEVEL)
    assert found.violation


def test_a_sorted_file_does_not_accuse_the_innocent(tmp_path: Path) -> None:
    """Both sides have the same distribution; taken line by line, the two halves of a sorted file would be nearly the same sample."""
    path = tmp_path / "outputs.csv"
    for seed in range(3):
        generator = np.random.default_rng(seed)
        rows = [f"{side},{output}" for side in ("x", "y") for output in generator.integers(200, size=2000)]
        path.write_text("\n".join(["side,output", *sorted(rows)]) + "\n", "utf-8")
        read = sample_file.read(path)
        found = audited(read.choosing, read.testing, epsilon=parse_epsilon("1/10"), delta=Fraction(1, 100), level=LEVEL)
        assert not found.violation


def test_a_file_without_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="line 1 = longer: must be at most 1048576 bytes long"):
        sample_file.read(Path("/dev/zero"))
    with pytest.raises(DomainError, match="Is a directory"):
        sample_file.read(tmp_path)


@pytest.mark.parametrize("weight", ["count", "probability"])
def test_a_table_whose_lines_are_no_samples_is_refused(tmp_path: Path, weight: str) -> None:
    """Each line would count once: of a thousand outputs of one kind nothing is found."""
    path = tmp_path / "table.csv"
    path.write_text(f"input,outcome,{weight}\nx,a,999\nx,b,1\ny,a,1\ny,b,999\n", "utf-8")
    with pytest.raises(DomainError, match="a line for each output"):
        sample_file.read(path)


def drawn(folder: Path, side: str, outputs: list[str]) -> Path:
    """A file of these outputs of one side, and as many numbers from 0 to 1 of the other."""
    generator, path = np.random.default_rng(11), folder / "outputs.csv"
    rows = [f"{side},{output}" for output in outputs] + [f"other,{float(x)!r}" for x in generator.random(len(outputs))]
    path.write_text("\n".join(["side,output", *rows]) + "\n", "utf-8")
    return path


def test_numbers_that_are_not_finite_count_as_themselves(tmp_path: Path) -> None:
    """A single nan must not make texts of all other numbers, in which nothing would ever be found."""
    numbers = [repr(float(x)) for x in np.random.default_rng(12).random(1000)]
    given_samples = sample_file.read(drawn(tmp_path, "x", ["nan"] * 600 + ["refused"] * 10 + ["1e999"] + numbers))
    seen = set().union(*given_samples.choosing, *given_samples.testing)
    assert {str(output).partition(" ")[0] for output in seen} <= {"below", "from", "nan", "refused", "1e999"}
    assert not given_samples.scattered
    found = audited(given_samples.choosing, given_samples.testing, epsilon=parse_epsilon("1"), delta=NO_DELTA, level=LEVEL)
    assert found.violation
    assert "nan" in found.event


def test_outputs_that_are_nearly_all_different_texts_are_called_scattered(tmp_path: Path) -> None:
    """On one side; but a violation that is shown all the same is not doubted beside."""
    assert sample_file.read(drawn(tmp_path, "x", [f"id {i}" for i in range(2000)]), type="text").scattered
    assert not samples(([f"{i} a" for i in range(2000)], [f"{i} b" for i in range(2000)]), epsilon=1, delta=0).scattered


_GRID = [[(2 * int(at) + side) / 2**16 for at in np.random.default_rng(side).integers(2**15, size=6000)] for side in (0, 1)]
_CODES = [[f"{2 * int(at) + side:07d}" for at in np.random.default_rng(side).integers(10**6, size=4000)] for side in (0, 1)]
_BITS = [
    ["".join("01"[int(bit)] for bit in row) for row in np.random.default_rng(side).random((4000, 24)) < [0.5] * 23 + [0.1 + 0.8 * side]]
    for side in (0, 1)
]
_TAILS = [[float(x) for x in np.random.default_rng(side).random(8000)] for side in (0, 1)]
_TAILS[1][:100] = [1 + at / 1000 for at in range(100)]


@pytest.mark.parametrize(
    ("sides", "kind", "view"),
    [
        (_GRID, "auto", "by multiples of 2^-16, modulo 2"),
        ([[repr(x) for x in side] for side in _GRID], "number", "by multiples of 2^-16, modulo 2"),
        (_CODES, "auto", "by the last character"),
        (_BITS, "auto", "by bit 24"),
        (_TAILS, "auto", "near the ends"),
    ],
    ids=["low bits", "low bits of texts", "codes", "bits", "tails"],
)
def test_a_leak_is_found_where_it_is(sides: list[list[object]], kind: str, view: str) -> None:
    """Total leaks among more than 256 different outputs: supports on a grid that do not meet, the last character, one bit, a tail."""
    found = samples((sides[0], sides[1]), epsilon=1, delta="1e-6", type=kind)  # type: ignore[arg-type]
    assert found.violation
    assert found.view == view
    honest = samples((sides[0], list(reversed(sides[0]))), epsilon="1/10", delta="1e-6", type=kind)  # type: ignore[arg-type]
    assert not honest.violation


def test_intervals_are_named_by_their_ends() -> None:
    found = samples((list(map(float, range(1000))), [x + 700.5 for x in range(1000)]), epsilon=1, delta=0)
    assert found.violation
    assert all(any(word in str(name) for word in ("below", "from")) for name in found.found.event) or found.view != "by interval"


@pytest.mark.parametrize(("kind", "outputs"), [("number", ["a", "b"]), ("bits", ["01", "2a"]), ("letters", ["1", "2"])])
def test_outputs_that_are_not_of_the_type_declared_are_refused(kind: str, outputs: list[str]) -> None:
    with pytest.raises(DomainError, match="type"):
        samples((outputs * 4, outputs * 4), epsilon=1, delta=0, type=kind)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "FILE"),
        ("side,output\n", "FILE"),
        ("side,output\nx,1\nx,2\n", "FILE"),
        ("side,output\nx,1\ny,2\n", "FILE"),
        ("side,output\nx,1\ny,2\nz,3\n", "line 4"),
        ("side,output\nx\n", "line 2"),
        ("a,b\nx,1\n", "FILE"),
        ("side,side,output\nx,y,1\n", "FILE"),
        ('side,output\nx,"1\ny,2\n', "line 2"),
        ("side,output\nx," + "1" * 200_000 + "\n", "line 2"),
        ("side,output\nx," + "1" * 2_000_000 + "\n", "line 2"),
        ("side,output\nx,\udcff\n", "line 2"),
    ],
)
def test_what_are_no_samples_is_refused_by_its_place(tmp_path: Path, text: str, place: str) -> None:
    path = tmp_path / "outputs.csv"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(DomainError) as refused:
        sample_file.read(path)
    assert refused.value.parameter.removeprefix(f"{path}, ") == place


@pytest.mark.parametrize(("level", "delta"), [(Fraction(0), Fraction(0)), (Fraction(1), Fraction(0)), (LEVEL, Fraction(2))])
def test_a_level_or_a_delta_outside_its_domain_is_refused(level: Fraction, delta: Fraction) -> None:
    sides = (Counter("ab"), Counter("ab"))
    with pytest.raises(DomainError):
        audited(sides, sides, epsilon=parse_epsilon("1"), delta=delta, level=level)


def test_the_level_is_split_between_the_two_limits() -> None:
    """Ten of ten on one side, none of ten on the other: P(S) >= (level/2)^(1/10) and Q(S) <= 1 - (level/2)^(1/10)."""
    counts = (Counter({"a": 10}), Counter({"b": 10}))
    found = audited(counts, counts, epsilon=parse_epsilon("1"), delta=NO_DELTA, level=LEVEL)
    end = float(LEVEL / 2) ** 0.1
    assert (float(found.at_least), float(found.at_most)) == pytest.approx((end, 1 - end))
