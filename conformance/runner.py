"""The runner: asks a harness every case of a suite, survives whatever it does, and has the judge decide."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from fractions import Fraction
from pathlib import Path

from shuffleproof.conformance import vectors
from shuffleproof.conformance.harness import Harness
from shuffleproof.conformance.judge import FAMILY_WISE_ERROR, Judgement, Verdict, judge
from shuffleproof.conformance.protocol import OPERATIONS, Answer, Greeting, HarnessAnswerError
from shuffleproof.conformance.report import CaseResult, Report
from shuffleproof.conformance.vectors import Case
from shuffleproof.spec.errors import HarnessCrashError, HarnessError, HarnessStartError, HarnessTimeoutError, require

RESTARTS = 5
"""How often in a row a harness is restarted without answering anything, before the rest of the cases are given up."""
DEADLINE = 30.0
SEED = 12345
DIGITS = 12

OnResult = Callable[[CaseResult], object]


def run(
    *,
    connect: str,
    suite: str = "fmt21",
    deadline: float = DEADLINE,
    on_result: OnResult | None = None,
    seed: int = SEED,
    digits: int = DIGITS,
    directory: Path | None = None,
) -> Report:
    """Run a suite against a harness and judge every answer.

    connect: "cmd:./my-harness args" (no shell) or "py:package.module:factory"; suite: a name from `vectors.suites()`; deadline: seconds
    for each request; on_result: called with each CaseResult as soon as there is one; seed, digits: sent with `configure`; directory:
    other vectors than the packaged ones.

    A case whose operation, method or randomizer the harness does not declare is unsupported without being asked. After a crash, a
    time-out or a broken conversation the harness is restarted; after RESTARTS restarts in a row without an answer the remaining cases get
    the last failure's verdict, unasked. However this ends, also by KeyboardInterrupt, no process of the harness is left.

    Raises DomainError (connect, suite, deadline, seed, digits), IntegrityError (vectors), HarnessStartError if the harness never comes up.
    """
    require(0 <= seed < 10**18, parameter="seed", value=seed, requirement="an integer from 0 to 10^18 - 1")
    require(1 <= digits <= 1000, parameter="digits", value=digits, requirement="an integer from 1 to 1000")
    cases = vectors.suite_cases(suite, directory=directory)
    return _run(cases, connect=connect, suite=suite, deadline=deadline, on_result=on_result, seed=seed, digits=digits, directory=directory)


def smoke(connect: str, *, deadline: float = DEADLINE, on_result: OnResult | None = None) -> Report:
    """Whether a harness starts, takes its configuration, and answers one question for each operation it declares.

    connect, deadline, on_result: as for `run`. Raises DomainError, IntegrityError, HarnessStartError.
    """
    with Harness(connect, deadline=deadline) as harness:
        greeting = harness.greet()
    answerable = [case for case in vectors.suite_cases("smoke") if case.expected.kind != "refusal"]
    chosen = [
        next((case for case in answerable if case.operation == operation and greeting.supports(operation, case.given)), None)
        for operation in OPERATIONS
    ]
    cases = [case for case in chosen if case is not None]
    return _run(cases, connect=connect, suite="start", deadline=deadline, on_result=on_result, seed=SEED, digits=DIGITS, directory=None)


def _run(
    cases: Sequence[Case],
    *,
    connect: str,
    suite: str,
    deadline: float,
    on_result: OnResult | None,
    seed: int,
    digits: int,
    directory: Path | None,
) -> Report:
    samplable = sum(case.operation == "randomizer_law" for case in cases)
    error = FAMILY_WISE_ERROR / max(1, samplable)
    results = []
    conversation = _Conversation(connect, deadline=deadline, seed=seed, digits=digits)
    with closing(conversation):
        greeting = conversation.greeting
        for result in _results(conversation, cases, error=error):
            results.append(result)
            if on_result is not None:
                on_result(result)
    digests = {file.path.name: file.digest for file in vectors.load_all(directory)}
    about = {"name": greeting.name, "version": greeting.version, "language": greeting.language}
    return Report(connect=connect, suite=suite, implementation=about, vectors=digests, seed=seed, digits=digits, results=tuple(results))


def _results(conversation: _Conversation, cases: Sequence[Case], *, error: Fraction) -> Iterator[CaseResult]:
    for seq, case in enumerate(cases, start=1):
        if not conversation.greeting.supports(case.operation, case.given):
            yield _result(case, Judgement(verdict=Verdict.UNSUPPORTED, detail="not declared by the harness"))
            continue
        if conversation.given_up is not None:
            detail = f"not asked: given up after {RESTARTS} restarts in a row; last: {conversation.given_up.reason}"
            yield _result(case, Judgement(verdict=_verdict(conversation.given_up), detail=detail))
            continue
        started = time.monotonic()
        try:
            answer = conversation.ask(seq, case)
        except HarnessError as failure:
            seconds = time.monotonic() - started
            yield _result(case, Judgement(verdict=_verdict(failure), detail=failure.reason), seconds=seconds)
        else:
            seconds = time.monotonic() - started
            yield _result(case, judge(case, answer, error=error), answer=answer, seconds=seconds)


class _Conversation:
    """A harness that is restarted when it fails, up to RESTARTS times in a row without an answer."""

    def __init__(self, connect: str, *, deadline: float, seed: int, digits: int) -> None:
        self._connect, self._deadline, self._seed, self._digits = connect, deadline, seed, digits
        self._harness: Harness | None = None
        self._failures = 0
        self.given_up: HarnessError | None = None
        self.greeting: Greeting = self._start()

    def ask(self, seq: int, case: Case) -> Answer:
        """The answer to a case, from a restarted harness if need be. Raises HarnessError."""
        try:
            if self._harness is None:
                self._start()
            assert self._harness is not None
            answer = self._harness.ask(seq=seq, operation=case.operation, given=case.given)
        except HarnessAnswerError:
            self._failures = 0
            raise
        except HarnessError as failure:
            self._end(at_once=True)
            self._failures += 1
            if self._failures > RESTARTS:
                self.given_up = failure
            raise
        self._failures = 0
        return answer

    def close(self) -> None:
        """End the harness, with everything it started."""
        self._end(at_once=False)

    def _start(self) -> Greeting:
        harness = Harness(self._connect, deadline=self._deadline)
        try:
            greeting = harness.greet()
            harness.configure(seed=self._seed, digits=self._digits)
        except BaseException:
            harness.kill()
            raise
        self._harness = harness
        return greeting

    def _end(self, *, at_once: bool) -> None:
        harness, self._harness = self._harness, None
        if harness is not None:
            if at_once:
                harness.kill()
            else:
                harness.close()


def _verdict(failure: HarnessError) -> Verdict:
    if isinstance(failure, HarnessTimeoutError):
        return Verdict.TIMED_OUT
    if isinstance(failure, (HarnessCrashError, HarnessStartError)):
        return Verdict.CRASHED
    return Verdict.PROTOCOL


def _result(case: Case, judgement: Judgement, *, answer: Answer | None = None, seconds: float | None = None) -> CaseResult:
    value = None if answer is None else answer.value if answer.table is None else answer.table
    return CaseResult(
        id=case.id,
        operation=case.operation,
        given=case.given,
        verdict=judgement.verdict,
        detail=judgement.detail,
        claim=None if answer is None else answer.claim,
        value=value,
        expected=case.expected.shown,
        ratio=judgement.ratio,
        flags=case.flags,
        seconds=seconds,
    )
