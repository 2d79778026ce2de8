"""`run bit-sum` and `run real-sum`: what is released, what it says about itself, and what is refused before any output."""

import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from commands import Run, ended
from pyarrow import parquet
from scripted_generator import distribution_of, enumerated

from shuffleproof import run as released
from shuffleproof.impl.release import bit_sum as released_bit_sum, rounding
from shuffleproof.impl.release.accuracy import bernstein_deviation, square_root_above
from shuffleproof.spec.distribution import binomial
from shuffleproof.spec.protocols import bit_sum as exact_bit_sum, real_sum as exact_real_sum


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    return partial(ended, capfd, "run")


@pytest.fixture
def data(tmp_path: Path) -> Callable[..., str]:
    def written(*values: str) -> str:
        (tmp_path / "data.csv").write_text("\n".join(["x", *values]) + "\n")
        return str(tmp_path / "data.csv")

    return written


PRIVACY = ("--column", "x", "--eps", "1", "--delta", "1e-6")


def test_a_bit_sum_of_real_data_comes_with_its_guarantee_and_its_error(run: Run, data: Callable[..., str]) -> None:
    path = data(*["1"] * 700, *["0"] * 300)
    ended = run("bit-sum", "--data", path, "--noise", "300", "--beta", "1e-9", *PRIVACY, "--format", "json")
    assert ended.code == 0, ended.err
    answer = json.loads(ended.out)
    assert (answer["n"], answer["lambda"], answer["protocol"]) == (1000, "300", "bit-sum")
    assert abs(Fraction(answer["estimate"]) - 700) <= Fraction(answer["error"]) < 200
    assert Fraction(answer["guarantee"]["delta"]) <= Fraction("1e-6")
    text = run("bit-sum", "--data", path, "--noise", "300", *PRIVACY).out
    assert "certified, when one row is replaced (over all neighbouring pairs" in text


def test_a_real_sum_of_real_data_comes_with_its_guarantee_and_its_error(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "data.parquet")
    values = np.random.default_rng(1).random(4000)
    parquet.write_table(pa.table({"y": values, "x": values**2}), path)
    rest = ("--noise", "2000", "--r", "3", "--beta", "1e-9", "-o", str(tmp_path / "answer.json"))
    ended = run("real-sum", "--data", path, *rest, *PRIVACY, "--format", "json")
    assert ended.code == 0, ended.err
    answer = json.loads(ended.out)
    assert json.loads((tmp_path / "answer.json").read_text()) == answer
    assert abs(float(answer["estimate"]) - float((values**2).sum())) <= float(answer["error"]) < 1000
    assert Fraction(answer["guarantee"]["delta"]) <= Fraction("1e-6")
    assert answer["r"] == 3
    assert answer["guarantee"]["by"].startswith("untagged messages")
    tagged = run("real-sum", "--data", path, *rest, *PRIVACY, "--format", "json", "--view", "tagged")
    assert tagged.code == 0, tagged.err
    guarantee = json.loads(tagged.out)["guarantee"]
    assert guarantee["by"].startswith("tagged messages")
    assert Fraction(guarantee["delta"]) >= Fraction(answer["guarantee"]["delta"])  # untagged is a function of tagged


def summed(tape: Any, *, numerators: Any, denominator: int, source: Any) -> int:
    """In the place of exact Bernoulli draws."""
    chances = [Fraction(int(a), denominator) for a in numerators]
    return sum(tape.chosen([1 - p, p]) for p in chances)


@pytest.mark.parametrize("ones", range(4))
def test_what_a_bit_sum_releases_has_the_exact_distribution(ones: int, data: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    path = data(*["1"] * ones, *["0"] * (3 - ones))

    def once(tape: Any) -> Fraction:
        monkeypatch.setattr(released_bit_sum, "binomial", lambda **given: enumerated(**{**given, "source": tape}))
        return released.bit_sum(data=path, column="x", epsilon="1", delta="1", noise="3/2", beta="1/2").estimate

    assert distribution_of(once) == dict(exact_bit_sum.estimate_distribution(n=3, lam=Fraction(3, 2), ones=ones).items())


@pytest.mark.parametrize("r", [1, 2])
def test_what_a_real_sum_releases_has_the_exact_distribution(r: int, data: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    values = ("0.25", "1/3", "1")
    path = data(*values)

    def once(tape: Any) -> Fraction:
        monkeypatch.setattr(released_bit_sum, "binomial", lambda **given: enumerated(**{**given, "source": tape}))
        monkeypatch.setattr(rounding, "bernoulli", lambda *, p, source: bool(tape.chosen([1 - p, p])))
        monkeypatch.setattr(rounding, "bernoulli_sum", lambda **given: summed(tape, **given))
        return released.real_sum(data=path, column="x", epsilon="1", delta="1", noise="3/2", beta="1/2", r=str(r)).estimate

    assert distribution_of(once) == dict(
        exact_real_sum.estimate_distribution([Fraction(v) for v in values], lam=Fraction(3, 2), r=r).items()
    )


def test_the_stated_deviation_and_error_hold_for_every_dataset(data: Callable[..., str]) -> None:
    lam, beta = Fraction(2), Fraction(1, 5)
    for ones in range(7):
        found = released.bit_sum(data=data(*["1"] * ones, *["0"] * (6 - ones)), column="x", epsilon="1", delta="1", noise="2", beta="1/5")
        law = exact_bit_sum.estimate_distribution(n=6, lam=lam, ones=ones)
        assert exact_bit_sum.mean_squared_error(n=6, lam=lam) <= found.deviation**2
        assert sum(weight for z, weight in law.items() if abs(z - ones) > found.error) <= beta
    found = released.real_sum(data=data("0.25", "0.5"), column="x", epsilon="1", delta="1", noise="1", beta="1/5", r="2")
    worst = exact_real_sum.worst_mean_squared_error(n=2, lam=Fraction(1), r=2)
    assert worst <= found.deviation**2 <= worst * Fraction(11, 10)


def test_bernstein_holds_for_binomials() -> None:
    for n, p, beta in ((30, Fraction(1, 10), Fraction(1, 20)), (100, Fraction(1, 2), Fraction(1, 1000))):
        t = bernstein_deviation(variance=n * p * (1 - p), beta=beta)
        law = binomial(n, p)
        assert sum((weight for k, weight in law.items() if abs(k - n * p) > t), Fraction(0)) <= beta
        assert sum((weight for k, weight in law.items() if abs(k - n * p) > t / 3), Fraction(0)) > beta  # not trivially wide
    assert square_root_above(Fraction(2)) ** 2 >= 2


REFUSED = [
    ("bit-sum", ("--noise", "1001"), "--noise 1001: must be below n = 1000"),
    ("bit-sum", ("--noise", "1000"), "below n = 1000"),
    ("bit-sum", ("--noise", "-1"), "--noise -1: must be at least 0"),
    ("bit-sum", ("--noise", "10"), "--noise 10: must be enough for delta = 1e-6 at eps = 1"),
    ("bit-sum", ("--noise", "0"), "must be enough"),
    ("bit-sum", ("--delta", "0"), "--delta 0: must be above 0"),
    ("bit-sum", ("--column", "y"), "--column y"),
    ("bit-sum", ("--beta", "1"), "--beta 1"),
    ("real-sum", ("--r", "0"), "--r 0: must be an integer from 1"),
    ("real-sum", ("--noise", "1001"), "below n = 1000"),
    ("real-sum", ("--noise", "20"), "--noise 20: must be enough"),
    ("real-sum", ("--r", "10001"), "--r 10001"),
    ("real-sum", ("-o", "absent/answer.json"), "-o "),
]


@pytest.mark.parametrize(("protocol", "options", "says"), REFUSED)
def test_what_is_not_covered_is_refused(run: Run, data: Callable[..., str], protocol: str, options: tuple[str, str], says: str) -> None:
    given = {"--data": data(*["1"] * 1000), "--noise": "300", "--column": "x", "--eps": "1", "--delta": "1e-6", options[0]: options[1]}
    ended = run(protocol, *[text for pair in given.items() for text in pair])
    assert (ended.code, ended.out) == (2, "")
    assert says in ended.err


BAD = [*(("bit-sum", bad) for bad in ("2", "0.5", "nan", "")), *(("real-sum", bad) for bad in ("2", "-0.1", "nan", "inf", "x"))]


@pytest.mark.parametrize(("protocol", "bad"), BAD)
def test_a_bad_value_counts_as_a_default_and_is_not_spoken_of(run: Run, data: Callable[..., str], protocol: str, bad: str) -> None:
    """A refusal would reveal something to everybody about one user."""
    ended = run(protocol, "--data", data(*["1"] * 2000, f'"{bad}"'), "--noise", "1500", *PRIVACY, "--format", "json")
    assert (ended.code, ended.err) == (0, "")
    assert json.loads(ended.out)["n"] == 2001


@pytest.mark.parametrize(("kind", "bad"), [(kind.removesuffix("-sum"), bad) for kind, bad in BAD])
def test_a_bad_value_is_found_by_whoever_holds_the_data(run: Run, data: Callable[..., str], kind: str, bad: str) -> None:
    kind = "number" if kind == "real" else kind
    path = data("1", f'"{bad}"', "0")
    ended = run("check", "--data", path, "--column", "x", "--kind", kind)
    assert ended.code == 1
    assert f"3 rows, 1 with no {kind}" in ended.out
    assert "at line 3" in ended.out
    assert run("check", "--data", data("1", "0"), "--column", "x", "--kind", kind).code == 0


@pytest.mark.parametrize("protocol", ["bit-sum", "real-sum"])
def test_a_file_without_users_is_refused(run: Run, data: Callable[..., str], protocol: str) -> None:
    ended = run(protocol, "--data", data(), "--noise", "1", *PRIVACY)
    assert (ended.code, ended.out) == (2, "")
    assert "at least one row" in ended.err
