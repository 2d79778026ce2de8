"""compare of a named randomizer, and what is said while somebody waits."""

import io
import json
import re
import sys
import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest
from click.testing import CliRunner

import shuffleproof
from shuffleproof.bounds import answer
from shuffleproof.command_line import waiting
from shuffleproof.command_line.bound import bound
from shuffleproof.command_line.compare import compare
from shuffleproof.impl.ball.bounds.k_rr import k_rr_closed_forms
from shuffleproof.methods.selection import speaking_of
from shuffleproof.planning.comparison import Comparison
from shuffleproof.spec.vocabulary import numerals, progress
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.randomizers import named

CENTRAL = ("-n", "60", "--eps0", "2", "--delta", "1e-3")


def printed(*arguments: str) -> str:
    ended = CliRunner().invoke(compare, [*arguments], catch_exceptions=False)
    assert ended.exit_code == 0
    return ended.output


def concluded(text: str) -> str:
    """The last sentence between the table and the guarantees."""
    return text.split("\n\n")[1].splitlines()[-1]


def test_k_ary_response_is_bracketed_from_both_sides() -> None:
    text = printed("--randomizer", "krr", "--k", "10", *CENTRAL)
    last = concluded(text)
    assert last.startswith("The smallest epsilon that holds for shuffled krr, k = 10 is at least 0.")
    lower, upper, ratio = (Fraction(last.split(word)[1].split()[0].rstrip(":.")) for word in ("at least ", "at most ", "ratio of "))
    assert 1 < upper / lower <= ratio < Fraction("1.02")
    rows = json.loads(printed("--randomizer", "krr", "--k", "10", *CENTRAL, "--format", "json"))
    names = [row["method"] for row in rows]
    assert {"randomizer-pair", "k-rr-blanket", "k-rr-blanket-bennett", "k-rr-pair", "stronger-clones", "clones"} <= set(names)
    assert "binary-rr-pair" not in names


@pytest.mark.parametrize(
    "named",
    [
        ("laplace",),
        ("rappor",),
        ("asymmetric-rappor", "--k", "2"),
        ("subset", "--k", "8", "--d", "2"),
        ("hadamard", "--k", "8"),
        ("hash", "--buckets", "4"),
        ("krr", "--k", "2"),
    ],
)
def test_every_randomizer_has_a_bracket(named: tuple[str, ...]) -> None:
    last = concluded(printed("--randomizer", *named, *CENTRAL))
    assert last.startswith(f"The smallest epsilon that holds for shuffled {named[0]}")
    lower, upper, ratio = (Fraction(last.split(word)[1].split()[0].rstrip(":.")) for word in ("at least ", "at most ", "ratio of "))
    assert 0 < lower < upper < 2
    assert 1 <= ratio < 2
    assert abs(upper / lower - ratio) < Fraction(1, 10**6)


def side_by_side(**given: str) -> dict[str, Mapping[str, object]]:
    return {each.method.name: each.parameters for each in speaking_of({"epsilon0": "1", **given}) if not each.again}


def test_the_same_pair_is_not_asked_twice() -> None:
    for k in ("2", "5"):
        assert "randomizer-lower" not in side_by_side(randomizer="krr", k=k)
    assert side_by_side(randomizer="laplace")["randomizer-lower"] == {"epsilon0": "1", "randomizer": "laplace"}


def test_two_categories_are_binary_randomized_response() -> None:
    names = side_by_side(randomizer="krr", k="2")
    assert "binary-rr-pair" in names
    assert "k-rr-pair" not in names


def test_three_categories_bound_all_randomizers_from_below_better_than_two() -> None:
    rows = {row["method"]: row for row in json.loads(printed("-n", "1000", "--eps0", "1", "--delta", "1e-6", "--format", "json"))}
    two, three = (Fraction(rows[name]["lower"]) for name in ("binary-rr-pair", "k-rr-pair"))
    assert Fraction("1.03") < three / two < Fraction("1.10")
    text = printed("-n", "1000", "--eps0", "1", "--delta", "1e-6")
    assert re.search(r"k-rr-pair, k = 3 +at least 0\.1305", text)


def test_bound_takes_a_randomizer_without_a_method() -> None:
    asked = ["delta", "--randomizer", "krr", "--k", "3", "-n", "3", "--eps0", "ln 4", "--eps", "ln 2"]
    by_pair = CliRunner().invoke(bound, [*asked, "--method", "randomizer-pair"])
    assert by_pair.output.startswith("delta <= 361/1728")
    least = CliRunner().invoke(bound, asked)
    assert least.output.startswith("delta <= 41/216")
    assert "k-rr-blanket" in least.output


def test_what_a_randomizer_needs_is_asked_for() -> None:
    for given in ({"k": "3"}, {"randomizer": "krr"}, {"randomizer": "laplace", "k": "3"}):
        with pytest.raises(DomainError):
            shuffleproof.compare(n=10, epsilon0=1, delta="1e-6", **given)


@pytest.mark.parametrize("ask", [shuffleproof.compare, shuffleproof.epsilon])
def test_each_number_is_read_once_for_all_methods(ask: Callable[..., object], monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []

    def read(text: str, **how: Any) -> Fraction:
        texts.append(text)
        return Fraction(text)

    monkeypatch.setattr(numerals, "_parsed", read)
    found = ask(n="12", randomizer="hash", buckets="4", epsilon0="ln 7/3", delta="1/100")
    assert not isinstance(found, Comparison) or len({row.method for row in found}) == 11
    assert sorted(texts) == ["1/100", "12", "4", "7/3"]


def test_compare_takes_fewer_digits_where_balls_would_take_too_long() -> None:
    asked = {"n": "1000000000", "randomizer": "laplace", "epsilon0": "1", "delta": "1e-60"}
    with pytest.raises(ResourceLimitError):
        answer(quantity="epsilon", parameters=asked, method="randomizer-pair", digits=9)
    found = answer(quantity="epsilon", parameters=asked, method="randomizer-pair", digits=9, or_fewer=True)
    assert found.bound.engine == "fast"
    assert "would take" in found.handed_over


def test_a_limit_of_one_method_is_a_row_of_the_comparison() -> None:
    compared = shuffleproof.compare(n=10**12, randomizer="laplace", epsilon0=1, delta="1e-13")
    assert {row.method for row in compared if row.bound is not None} == {"clones-closed-form"}
    assert "the limit is n up to 1000000000" in next(row.why_not for row in compared if row.method == "randomizer-pair")


@pytest.mark.parametrize(("one", "other"), [("krr", "k-rr"), ("subset", "k-subset")])
def test_a_randomizer_has_the_same_number_by_both_of_its_names(one: str, other: str) -> None:
    known = {"k": 4, "d": 2} if "subset" in one else {"k": 4}
    assert named(one, **known) == named(other, **known)
    assert named(one, **known).name == one


@pytest.mark.parametrize("own", [{"randomizer": "krr", "k": 10}, {"randomizer": "laplace"}, {"randomizer": "rappor", "k": 4}, {}])
def test_a_local_parameter_below_the_floats_is_compared(own: dict[str, Any]) -> None:
    compared = shuffleproof.compare(n=1000, epsilon0="1e-320", delta="1e-6", **own)
    assert compared.bracket.at_most == 0
    assert any(told in (row.why_not or "") for row in compared.rows for told in ("epsilon0 is below 1e-300", "from 1e-200 to 700"))


def test_an_epsilon_far_beyond_the_floats_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="epsilon up to 10000"):
        shuffleproof.delta(n=1000, sigma=1, epsilon="1e100", method="gaussian-place")


def test_the_closed_form_reaches_epsilons_far_below_epsilon0_in_few_steps() -> None:
    found = k_rr_closed_forms.epsilon(n=1000, k=10, epsilon0="1e-600", delta="1e-6", digits=3)
    assert found.upper < Fraction(1, 10**1190)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """To be called by a test itself: between a fixture and a test, pytest takes stderr back."""
    terminal = Terminal()
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(waiting, "_PATIENCE", 0.0)
    monkeypatch.setattr(waiting, "_EVERY", 0.01)
    monkeypatch.setattr(sys, "stderr", terminal)
    return terminal


def shown(terminal: Terminal) -> None:
    deadline = time.monotonic() + 60
    while "at work" not in terminal.getvalue():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_terminal_is_told_that_work_goes_on_and_left_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_a_terminal(monkeypatch)
    with waiting.sign_of_life("this"):
        shown(terminal)
    assert terminal.getvalue().startswith("\r\x1b[Kthis: at work for 0 s")
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_the_answer_ends_the_line_before_it_is_written(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    terminal = at_a_terminal(monkeypatch)
    before = sys.stdout
    with waiting.sign_of_life("this"):
        shown(terminal)
        print("answer")
        assert terminal.getvalue().endswith("\r\x1b[K")
    assert sys.stdout is before
    assert capsys.readouterr().out == "answer\n"


def test_a_bar_ends_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_a_terminal(monkeypatch)
    with waiting.sign_of_life("this"):
        shown(terminal)
        waiting.hush()
        assert terminal.getvalue().endswith("\r\x1b[K")


@pytest.mark.parametrize("ci", [True, False])
def test_without_a_terminal_or_in_a_ci_nothing_is_shown(monkeypatch: pytest.MonkeyPatch, ci: bool) -> None:
    monkeypatch.setattr(waiting, "_PATIENCE", 0.0)
    monkeypatch.setattr(sys, "stderr", Terminal() if ci else io.StringIO())
    monkeypatch.setenv("CI", "1" if ci else "")
    with waiting.sign_of_life("this"):
        time.sleep(0.05)
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]


def test_what_is_left_is_told_from_the_steps_that_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_a_terminal(monkeypatch)
    with waiting.sign_of_life("this"):
        for _ in progress.steps(range(4), of="parts"):
            for _ in progress.steps((1, 2), of="halves"):
                until = time.monotonic() + 60
                seen = terminal.getvalue().count("left")
                while progress.progress().share and terminal.getvalue().count("left") == seen:  # type: ignore[union-attr]
                    assert time.monotonic() < until
                    time.sleep(0.01)
    told = terminal.getvalue()
    assert re.search(r", 0 of 4 parts, 1 of 2 halves, about \d+ s left", told)  # half of the first is done
    assert re.search(r", 3 of 4 parts, 1 of 2 halves, about \d+ s left \(Ctrl-C ends it\)", told)
    assert progress.progress() is None


def test_an_answer_that_may_only_cost_so_much_says_how_much_more_it_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_a_terminal(monkeypatch)
    progress.within_limit(0.5)
    with waiting.sign_of_life("this"):
        shown(terminal)
    progress.within_limit(0.0)
    assert ", at most about 1 s more (Ctrl-C ends it)" in terminal.getvalue()
