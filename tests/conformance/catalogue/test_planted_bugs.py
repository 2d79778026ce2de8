"""Adequacy of the vectors: every planted bug is found, every flag finds one, and without a bug nothing is held against anybody."""

import json
from functools import cache

import pytest
from harnesses import fake

from shuffleproof.conformance import vectors
from shuffleproof.conformance.catalogue.catalogue import FLAGS
from shuffleproof.conformance.fakes import honest
from shuffleproof.conformance.fakes.bugs import BUGS
from shuffleproof.conformance.judging import relations
from shuffleproof.conformance.judging.judge import Verdict, judge
from shuffleproof.conformance.operations import OPERATIONS
from shuffleproof.conformance.running.asking import judged
from shuffleproof.conformance.running.protocol import parse_answer
from shuffleproof.conformance.running.runner import run
from shuffleproof.conformance.vectors import Case

_GOOD = {Verdict.CONFORMS, Verdict.LOOSE, Verdict.UNSUPPORTED}
_METHODS = {"epsilon": ("clones",)}
ASKED = tuple(
    case
    for case in vectors.suite_cases("all")
    if case.operation == "calibrate" or case.given.get("method", "clones") in _METHODS.get(case.operation, ("clones", "zero-sum"))
)
RELATIONS = tuple(case for case in ASKED if case.expected.kind == "relation")


@cache
def found(name: str) -> tuple[Case, ...]:
    """The cases that speak against an implementation with this bug. Without processes: what is sent passes the protocol all the same."""
    bug = BUGS.get(name)
    wrong = None if bug is None else bug.started()
    against = []
    for case in ASKED:
        if bug is not None and case.operation != bug.operation:
            continue
        gathering, whole = relations.Gathering([case]), None
        for question in relations.questions(case):
            reply = honest.answered(wrong or honest.HONEST[case.operation], dict(question.given))
            line = json.dumps({"seq": 1, **reply}).encode()
            answer = parse_answer(line, seq=1, operation=case.operation, implementation=name)
            whole = gathering.heard(judged(question, judge(question, answer), answer=answer))
        assert whole is not None
        if whole.verdict not in _GOOD:
            against.append(case)
    return tuple(against)


def test_without_a_bug_nothing_is_found() -> None:
    assert [case.id for case in found("none")] == []


def test_there_are_enough_bugs_in_every_operation() -> None:
    assert len(BUGS) >= 20
    assert {bug.operation for bug in BUGS.values()} == set(honest.HONEST) == set(OPERATIONS)


@pytest.mark.parametrize("name", BUGS)
def test_every_planted_bug_is_found(name: str) -> None:
    assert found(name), BUGS[name].says


def test_every_flag_finds_a_bug() -> None:
    assert {flag for name in BUGS for case in found(name) for flag in case.flags} == set(FLAGS)


def test_every_relation_finds_a_bug_that_no_single_answer_shows() -> None:
    """Each of them, not only one of each kind: near the truth everywhere, and yet at odds with itself."""
    hidden = [name for name in BUGS if found(name) and all(case in RELATIONS for case in found(name))]
    assert {BUGS[name].operation for name in hidden} == {case.operation for case in RELATIONS}
    assert {case.id for case in RELATIONS} == {case.id for name in hidden for case in found(name)}


def test_every_protocol_of_calibration_finds_a_bug() -> None:
    finding = {case.given["protocol"] for name in BUGS for case in found(name) if case.operation == "calibrate"}
    assert finding == {"zero-sum", "histogram", "real-sum", "real-sum-tagged", "frequency", "user-histogram"}


def test_no_bug_is_found_by_everything_that_it_could_be_found_by() -> None:
    """Bugs that only hard cases find are what the hard cases are for."""
    for name, bug in BUGS.items():
        possible = [case for case in ASKED if case.operation == bug.operation and case.expected.kind != "refusal"]
        assert len(found(name)) < len(possible), name


@pytest.mark.parametrize(
    ("name", "suite"), [("none", "all"), ("zeros-left-out", "finite"), ("nearest-float", "all"), ("simulated-renyi", "finite")]
)
def test_the_planted_harness_is_one(name: str, suite: str) -> None:
    """As a program of its own it is found in the same cases."""
    report = run(connect=fake(f"planted {name}"), suite=suite)
    assert report.exit_code == (0 if name == "none" else 1)
    against = {result.id for result in report.results if result.verdict not in _GOOD}
    assert against == {case.id for case in found(name) if suite in case.suites}
