"""`run user-histogram`: what it releases, what it says it spent, and what it refuses before it writes anything."""

import csv
import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from commands import Ended, ended

from shuffleproof.impl.release import noise

DOMAIN = ["a", "b", "c", "d"]
HERE = "user,item,n\nann,a,3\nann,b,4\nbob,a,1\ncy,c,2\n"
NEIGHBOUR = "user,item,n\nbob,a,1\ncy,c,2\nann,d,500\nann,zzz,1000000\n"


class Case:
    """A folder with two neighbouring data sets, a domain, and a place for the answer."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys
        for name, text in (("data.csv", HERE), ("other.csv", NEIGHBOUR), ("domain.csv", "item\n" + "\n".join(DOMAIN) + "\n")):
            (folder / name).write_text(text)
        self.output = folder / "out.json"

    def run(self, *options: str, data: str = "data.csv", relation: str | None = "add-remove", domain: bool = True) -> Ended:
        arguments = ["run", "user-histogram", "--data", str(self.folder / data), "--user", "user", "--item", "item"]
        arguments += ["--relation", relation] if relation else []
        arguments += ["--domain", str(self.folder / "domain.csv")] if domain else []
        return ended(self._capsys, *arguments, *options)


AUTO = ("--count", "n", "--users", "3", "--eps", "1", "--delta", "1e-6", "--max-threshold", "10", "--sparsity", "2")


@pytest.fixture
def case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Case:
    return Case(tmp_path, capsys)


def silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """No noise, so that what is added to it can be seen."""
    zeros: Callable[..., object] = lambda *, size, **_distribution: np.zeros(size, dtype=np.int64)  # noqa: E731
    monkeypatch.setattr(noise, "discrete_laplaces", zeros)
    monkeypatch.setattr(noise, "discrete_gaussians", zeros)


def test_the_whole_budget_is_stated_and_adds_up(case: Case) -> None:
    ended = case.run(*AUTO, "--format", "json", relation="replace")
    assert ended.code == 0, ended.err
    answer = json.loads(ended.out)
    guarantee = answer["guarantee"]
    assert (guarantee["epsilon"], guarantee["relation"], guarantee["composition"]) == ("1", "replace-one", "adaptive, by adding up")
    assert [step["step"] for step in guarantee["spent"]] == ["threshold", "release"]
    assert sum(Fraction(step["epsilon"]) for step in guarantee["spent"]) == 1
    assert sum(Fraction(step["delta"]) for step in guarantee["spent"]) == Fraction(1, 10**6)
    assert [row["item"] for row in answer["estimates"]] == DOMAIN


def test_a_given_threshold_spends_everything_on_the_release(case: Case) -> None:
    ended = case.run("--eps", "ln 3", "--threshold", "2", "--format", "json")
    spent = json.loads(ended.out)["guarantee"]["spent"]
    assert [step["step"] for step in spent] == ["release"]
    assert 0 < Fraction(spent[0]["epsilon"]) < Fraction("1.0986122887")  # never above what was given
    text = case.run("--eps", "ln 3", "--threshold", "2").out
    assert "ln 3-DP, pure, certified, when one user with all its rows is added or removed" in text


def test_estimates_without_noise_are_the_clipped_counts(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """ann has (3, 4): l1 norm 7 clipped to 3.5 halves it, and l2 norm 5 clipped to 2.5 does."""
    silence(monkeypatch)
    for options in (("--threshold", "3.5"), ("--threshold", "2.5", "--delta", "1e-6")):
        answer = json.loads(case.run("--count", "n", "--eps", "1", *options, "--format", "json").out)
        found = [float(row["estimate"]) for row in answer["estimates"]]
        assert found == pytest.approx([2.5, 2, 2, 0], abs=1e-5)


@pytest.mark.parametrize("options", [AUTO, ("--eps", "1", "--threshold", "2"), ("--eps", "1", "--delta", "1e-6", "--threshold", "2")])
@pytest.mark.parametrize("form", ["json", "csv"])
def test_neighbouring_data_write_the_same_items_in_the_same_order(case: Case, options: tuple[str, ...], form: str) -> None:
    """Whatever the data hold: items nobody has are there, items outside the domain are not, and nothing counts rows or users."""
    shapes = []
    for data in ("data.csv", "other.csv"):
        output = case.folder / f"out.{form}"
        ended = case.run(*options, "-o", str(output), data=data)
        assert (ended.code, ended.err) == (0, "")
        assert "zzz" not in ended.out + output.read_text()
        if form == "csv":
            with output.open(newline="") as file:
                rows = list(csv.DictReader(file))
            shapes.append([row["item"] for row in rows])
            for row in rows:
                Fraction(row["estimate"])  # a number
        else:
            answer = json.loads(output.read_text())
            shapes.append([row["item"] for row in answer.pop("estimates")])
            answer.pop("threshold"), answer.pop("mean_absolute_noise_about"), answer.pop("resolution"), answer.pop("noise_over_sensitivity")
            answer["guarantee"].pop("spent")
            shapes[-1].append(json.dumps(answer))
    assert shapes[0] == shapes[1]
    assert shapes[0][:4] == DOMAIN


def test_with_a_fixed_threshold_only_estimates_depend_on_the_data(case: Case) -> None:
    texts = [case.run("--eps", "1", "--threshold", "2", data=data).out.split("item,estimate")[0] for data in ("data.csv", "other.csv")]
    assert texts[0] == texts[1]


def test_noise_is_drawn_for_items_that_nobody_has(case: Case) -> None:
    answer = json.loads(case.run("--eps", "1/100", "--threshold", "2", "--format", "json").out)
    assert all(row["estimate"] != "0" for row in answer["estimates"])


def test_a_domain_of_numbers(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    silence(monkeypatch)
    (case.folder / "numbers.csv").write_text("user,item\nx,1\nx,7\ny,1\ny,-1\ny,2x\n")
    ended = case.run("--eps", "1", "--threshold", "4", "--domain-size", "3", "--format", "json", data="numbers.csv", domain=False)
    assert [(row["item"], row["estimate"]) for row in json.loads(ended.out)["estimates"]] == [("0", "0"), ("1", "2"), ("2", "0")]


REPLACE = ("--relation", "replace")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--threshold", "-1"), "threshold"),
        (("--threshold", "x"), "threshold"),
        (("--threshold", "auto"), "max-threshold"),
        (("--max-threshold", "10"), "users"),
        (("--max-threshold", "10", "--delta", "1e-6", "--users", "3"), "sparsity"),
        (("--max-threshold", "0", "--users", "3"), "max-threshold"),
        (("--max-threshold", "10", "--users", "3", "--threshold-share", "1"), "threshold-share"),
        (("--max-threshold", "10", "--regularisation", "0"), "regularisation"),
        (("--threshold", "2", "--delta", "0"), "delta"),
        (("--threshold", "2", "--count", "m"), "'user', 'item', 'n'"),
        (("--threshold", "2", *REPLACE), "public"),
        (("--threshold", "2", *REPLACE, "--users", "2"), "users"),
        (("--threshold", "2", "-o", "/nowhere/out.csv"), "-o "),
        (("--threshold", "2", "--domain-size", "4"), "--domain-size"),
    ],
)
def test_what_is_wrong_is_refused_before_anything_is_written(case: Case, options: tuple[str, ...], said: str) -> None:
    ended = case.run("--eps", "1", "-o", str(case.output), *options)
    assert ended.code == 2
    assert said in ended.err
    assert ended.out == ""
    assert not case.output.exists()


@pytest.mark.parametrize("row", ["x,a,-1", "x,a,0.5", ",a,1", "x,a,"])
def test_bad_rows_are_not_refused_and_not_spoken_of(case: Case, row: str) -> None:
    """A refusal, or a word, would reveal something to everybody about one user."""
    (case.folder / "bad.csv").write_text(HERE + row + "\n")
    said = [
        case.run("--eps", "1", "--count", "n", "--threshold", "2", "-o", str(case.output), data=name) for name in ("bad.csv", "data.csv")
    ]
    assert [ended.code for ended in said] == [0, 0]
    assert said[0].out == said[1].out
    assert said[0].err == said[1].err == ""


def test_there_is_no_domain_relation_or_epsilon_by_default(case: Case) -> None:
    without_domain = case.run("--eps", "1", "--threshold", "2", domain=False)
    assert without_domain.code == 2
    assert "which items occur is private itself" in without_domain.err
    without_relation = case.run("--eps", "1", "--threshold", "2", relation=None)
    assert without_relation.code == 2
    assert "--relation" in without_relation.err
    for epsilon in ("0", "-1"):
        assert case.run("--eps", epsilon, "--threshold", "2").code == 2
    assert case.run("--threshold", "2").code == 2


def test_a_domain_with_repeats_is_refused(case: Case) -> None:
    (case.folder / "domain.csv").write_text("item\na\nb\na\n")
    ended = case.run("--eps", "1", "--threshold", "2")
    assert ended.code == 2
    assert "without repeats" in ended.err


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("piped", [False, True])
def test_a_head_without_rows_is_data_like_others(tmp_path: Path, end: str, piped: bool) -> None:
    """With add-remove neighbours a refusal would tell nobody from somebody."""
    path = tmp_path / "rows.csv"
    path.write_text(f"u,i{end}", "utf-8")
    source = "-" if piped else str(path)
    command = [sys.executable, "-m", "shuffleproof", "run", "user-histogram", "--data", source, "--user", "u", "--item", "i"]
    command += ["--domain-size", "3", "--relation", "add-remove", "--eps", "1", "--threshold", "1"]
    with path.open("rb") as file:
        ended = subprocess.run(command, stdin=file, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.count("\n") >= 7


@pytest.mark.parametrize("option", ["--threshold-share", "--max-threshold", "--sparsity", "--regularisation"])
def test_an_option_of_the_private_threshold_is_refused_beside_a_given_one(case: Case, option: str) -> None:
    ended = case.run("--eps", "1", "--threshold", "2", option, "1/2" if "share" in option else "1")
    assert (ended.code, ended.out) == (2, "")
    assert option in ended.err
    assert "left out beside a threshold" in ended.err
