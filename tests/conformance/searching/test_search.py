"""Planted bugs are found by searching, at a one-line input; where nothing is planted nothing is found."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import commands
import pytest
from commands import output_of
from harnesses import fake

from shuffleproof.command_line import program
from shuffleproof.command_line.conform_report import shown_search
from shuffleproof.conformance import starter
from shuffleproof.conformance.catalogue import own_cases
from shuffleproof.conformance.fakes import honest
from shuffleproof.conformance.fakes.bugs import BUGS
from shuffleproof.conformance.fakes.planted import CAPABILITIES
from shuffleproof.conformance.judging.judge import judge
from shuffleproof.conformance.running.protocol import Answer, Greeting, parse_answer
from shuffleproof.conformance.searching.search import Found, by_hand, search, searched
from shuffleproof.conformance.searching.search_inputs import Narrowing, users_among
from shuffleproof.conformance.searching.shrinking import shrunk, weight
from shuffleproof.conformance.vectors import Case
from shuffleproof.spec.vocabulary.errors import DomainError, HarnessCrashError, HarnessTimeoutError

_DECLARED = Greeting(name="planted", version="1", language="python", **{name: tuple(all_) for name, all_ in CAPABILITIES.items()})  # type: ignore[arg-type]
_SEARCHED = [name for name in BUGS if not name.startswith("simulated-")]
"""A simulation is within every tolerance of the truth: only relations between its answers show it."""
_QUICK = ("half-the-distance", "not-strictly-more", "weight-below-slope", "beyond-the-range", "one-minus-truth", "small-dropped")


def search_for(name: str, operation: str, *, most: int, seed: int = 1) -> Found:
    bug = BUGS.get(name)
    wrong = None if bug is None else bug.started()

    def ask(seq: int, case: Case) -> Answer:
        planted = bug is not None and bug.operation == case.operation
        reply = honest.answered(wrong if wrong is not None and planted else honest.HONEST[case.operation], dict(case.given))
        line = json.dumps({"seq": seq, **reply}).encode()
        return parse_answer(line, seq=seq, operation=case.operation, implementation=name)

    return searched(ask, _DECLARED, operations=[operation], seed=seed, most=most)


@pytest.mark.parametrize("operation", ["randomizer_law", "estimate", "threshold", "renyi", "shuffle_law", "debias"])
def test_nothing_is_found_where_nothing_is_wrong(operation: str) -> None:
    found = search_for("none", operation, most=60)
    assert found.results == ()
    assert found.asked > 20


@pytest.mark.deep
@pytest.mark.parametrize("operation", honest.HONEST)
@pytest.mark.parametrize("seed", [2, 3])
def test_nothing_is_found_where_nothing_is_wrong_by_a_longer_search(operation: str, seed: int) -> None:
    assert search_for("none", operation, most=200, seed=seed).results == ()


@pytest.mark.parametrize("name", _QUICK)
def test_planted_bugs_are_found(name: str) -> None:
    found = search_for(name, BUGS[name].operation, most=100)
    assert found.results
    assert found.exit_code == 1


@pytest.mark.deep
@pytest.mark.parametrize("name", _SEARCHED)
def test_every_planted_bug_is_found_at_a_short_input(name: str) -> None:
    found = search_for(name, BUGS[name].operation, most=400)
    assert found.results
    assert min(len(case.id) for case in found.cases) <= 350


def test_what_is_found_is_the_simplest() -> None:
    """A tie of a threshold, at one norm; off by one user, at two."""
    assert [case.id for case in search_for("weight-below-slope", "threshold", most=100).cases] == ["threshold rule=minimiser norms=1 T=1"]
    assert any(" n=2 " in case.id for case in search_for("one-user-less", "delta", most=40).cases)


def test_one_fault_of_a_program_is_found_once_whatever_it_was_asked() -> None:
    def ask(seq: int, case: Case) -> Answer:
        raise HarnessCrashError(implementation="x", reason=f"exit status 1 while an answer was due; its stderr ends: 'no row {seq}'")

    found = searched(ask, _DECLARED, operations=["randomizer_law", "threshold"], seed=1, most=12)
    assert len(found.results) == 1
    assert found.seen == {found.cases[0].id: found.asked}
    assert found.asked > 5
    assert found.exit_code == 4


def test_either_spelling_of_k_rr_names_the_questions_of_both(tmp_path: Path) -> None:
    """The starter declares "krr", as the kit asks of shuffled reports, and "k-rr", as it asks of one report."""
    (tmp_path / "harness.py").write_text(starter("python"), "utf-8")
    harness = f"cmd:{sys.executable} {tmp_path / 'harness.py'}"
    for name in ("k-rr", "krr"):
        assert search(harness, operations=["epsilon"], randomizers=[name], users="10:100", most=2).asked == 2


def test_a_search_keeps_to_the_randomizer_and_the_users_that_are_asked_for() -> None:
    asked: list[Case] = []

    def ask(seq: int, case: Case) -> Answer:
        asked.append(case)
        raise HarnessTimeoutError(implementation="x", reason="without an answer after 1 s")

    narrowing = Narrowing(randomizers=frozenset({"k-rr"}))
    searched(ask, _DECLARED, operations=["randomizer_law"], narrowing=narrowing, seed=1, most=10)
    assert {case.given["randomizer"] for case in asked} == {"k-rr"}
    asked.clear()
    searched(ask, _DECLARED, operations=["epsilon", "threshold"], narrowing=Narrowing(users=users_among("7:9")), seed=1, most=8)
    assert {case.given["n"] for case in asked} <= {"7", "8", "9"}
    assert asked
    for wrong in ("0", "9:7", "x", "1:y"):
        with pytest.raises(DomainError, match="n"):
            users_among(wrong)


def test_the_same_seed_finds_the_same() -> None:
    one, other = (search_for("half-the-distance", "hockey_stick", most=50) for _ in range(2))
    assert one.cases == other.cases


def test_shrinking_keeps_failing_and_never_grows() -> None:
    asked = []

    def fails(given: object) -> bool:
        asked.append(given)
        return int(given["n"]) >= 17  # type: ignore[index]

    start = {"n": "93721", "epsilon0": "ln 7/3", "delta": "37/60"}
    found = shrunk(start, fails)
    assert int(found["n"]) == 17
    assert weight(found) < weight(start)
    assert len(asked) <= 200
    assert shrunk(start, lambda _: False) == start


def test_a_harness_is_searched_and_what_is_found_is_asked_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    harness = fake("planted bias-kept")
    saved = tmp_path / "found.json"
    text = output_of(capsys, "conform", "search", "-i", harness, "--operation", "estimate", "--most", "40", "--save", str(saved), code=1)
    (first, *_) = own_cases.read(saved)
    assert f"mismatch: {first.id}" in text
    assert f"--cases {saved} --case '{first.id}'" in text
    output_of(capsys, "conform", "run", "-i", harness, "--cases", str(saved), code=1)


@pytest.mark.parametrize(("ended", "words"), [("out_of_time", "ended by --time: "), ("interrupted", "interrupted: ")])
def test_a_search_that_ended_early_says_so_in_words_and_in_json(ended: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    early: dict[str, Any] = {"out_of_time": True} if ended == "out_of_time" else {"interruption": KeyboardInterrupt()}
    found = Found(asked=3, undecided=0, results=(), cases=(), **early)
    shown_search(found, connect="cmd:false", seed=0, save=None, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert {name: told[name] for name in ("interrupted", "out_of_time")} == {name: name == ended for name in ("interrupted", "out_of_time")}
    shown_search(found, connect="cmd:false", seed=0, save=None, as_json=False)
    assert capsys.readouterr().out.startswith(words)


@pytest.mark.parametrize(("wrong", "told"), [(["--operation", "beta"], "--operation beta"), (["--save", "found.csv"], "--save found.csv")])
def test_what_cannot_be_searched_is_said(capsys: pytest.CaptureFixture[str], wrong: list[str], told: str) -> None:
    code, _, err = commands.ended(capsys, "conform", "search", "-i", "cmd:false", *wrong)
    assert (code, told in err) == (2, True)


@pytest.mark.parametrize(("name", "operation", "first"), [("stale-by-n", "delta", " n="), ("stuck", "hockey_stick", "exp_epsilon=")])
def test_a_harness_that_remembers_is_said_to_with_what_must_be_asked_first(name: str, operation: str, first: str) -> None:
    """Alone, each of these questions is answered rightly; one question before it is named, and the pair is asked again by one line."""
    harness = fake(f"planted {name}")
    found = search(harness, operations=[operation], most=60)
    assert found.exit_code == 1
    for case, result in zip(found.cases, found.results, strict=True):
        assert found.before[case.id]
        assert first in found.before[case.id][0].id
        line = by_hand(result, connect=harness, seed=1, before=found.before[case.id])
        *_, last = subprocess.run(line, shell=True, capture_output=True, text=True, check=True).stdout.splitlines()
        answer = parse_answer(last.encode(), seq=1 + len(found.before[case.id]), operation=operation, implementation=name)
        assert judge(case, answer).verdict is result.verdict


def test_a_wrong_answer_that_comes_alone_is_not_said_to_be_remembered() -> None:
    assert search(fake("planted half-the-distance"), operations=["hockey_stick"], most=20).before == {}


def test_a_search_that_is_terminated_is_not_said_to_be_interrupted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Mutant: whatever ends it counts as Ctrl-C."""
    replies = iter([b'{"seq": 1, "refused": "no"}'])

    def ask(_: int, case: Case) -> Answer:
        line = next(replies, None)
        if line is None:
            raise program._Terminated
        return parse_answer(line, seq=1, operation=case.operation, implementation="refusing")

    found = searched(ask, _DECLARED, operations=["randomizer_law"], seed=1, most=9)
    assert found.asked == 1
    monkeypatch.setattr("shuffleproof.conformance.searching.search.search", lambda *_, **__: found)
    code, _, err = commands.ended(capsys, "conform", "search", "-i", "cmd:false")
    assert (code, err) == (143, "shuffleproof: terminated\n")


def test_a_search_that_is_interrupted_says_so_whatever_it_found() -> None:
    codes = {
        (asked, interrupted): Found(
            asked=asked, undecided=0, results=(), cases=(), interruption=KeyboardInterrupt() if interrupted else None
        ).exit_code
        for asked in (0, 9)
        for interrupted in (False, True)
    }
    assert codes == {(0, False): 5, (9, False): 0, (0, True): 130, (9, True): 130}
