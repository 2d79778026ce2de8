"""Asking: one conversation or several side by side, until no case is left."""

import queue
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from shuffleproof.conformance.judging.judge import UNREPROACHED, Judgement, Verdict, judge
from shuffleproof.conformance.reporting.report import CaseResult
from shuffleproof.conformance.running.conversation import Conversation
from shuffleproof.conformance.running.journal import Crash
from shuffleproof.conformance.running.protocol import Answer
from shuffleproof.conformance.vectors import Case
from shuffleproof.spec.vocabulary.errors import HarnessCrashError, HarnessError, HarnessStartError, HarnessTimeoutError


@dataclass(frozen=True, kw_only=True)
class Item:
    """A case that is still to be asked. seq: the number it is asked under; crash: what its first try ended with, if it had one."""

    seq: int
    case: Case
    crash: Crash | None = None


@dataclass(frozen=True, kw_only=True)
class Unsettled:
    """A result that comes from giving up; a run that is taken up again tries anew."""

    result: CaseResult


class Work:
    """Holds what is left to ask, shared by the conversations.

    error: the probability with which an honest sampler may be rejected on one case; farewell: the verdict on what is left when a
    conversation is given up, and why.
    """

    def __init__(self, items: Iterable[Item], *, error: Fraction) -> None:
        self.items, self.error = deque(items), error
        self.farewell: tuple[Verdict, str] | None = None

    def take(self) -> Item | None:
        """The next one, or None."""
        try:
            return self.items.popleft()
        except IndexError:
            return None


Event = CaseResult | Crash | Unsettled


def events(conversation: Conversation, others: Sequence[Conversation], work: Work) -> Iterator[Event]:
    """Everything that happens until nothing is left: results, first crashes, and what remains of a harness that is given up.

    conversation: already started; others: to work beside it, not yet started.
    """
    if others:
        yield from _side_by_side(conversation, others, work)
    else:
        yield from _asked(conversation, work)
    while (item := work.take()) is not None:
        assert work.farewell is not None
        verdict, why = work.farewell
        if item.crash is not None:
            judgement = Judgement(verdict=Verdict.CRASHED, detail=item.crash.reason)
            yield Unsettled(result=judged(item.case, judgement, seconds=item.crash.seconds))
        else:
            yield Unsettled(result=judged(item.case, Judgement(verdict=verdict, detail=f"not asked: {why}")))


def _side_by_side(conversation: Conversation, others: Sequence[Conversation], work: Work) -> Iterator[Event]:
    """The events of several conversations, each in a thread of its own; none asks again before its last event has been dealt with."""
    every = [conversation, *others]
    told: queue.SimpleQueue[tuple[Event | BaseException | None, threading.Event]] = queue.SimpleQueue()
    stopped = threading.Event()

    def tell(what: Event | BaseException | None) -> None:
        dealt_with = threading.Event()
        told.put((what, dealt_with))
        while not dealt_with.wait(0.5) and not stopped.is_set():
            pass

    def serve(own: Conversation) -> None:
        try:
            if own is not conversation:
                with suppress(HarnessStartError):  # the others do its share
                    own.start()
            for event in _asked(own, work):
                tell(event)
                if stopped.is_set():
                    break
            own.close()
            tell(None)
        except BaseException as error:
            own.close()
            tell(error)

    threads = [threading.Thread(target=serve, args=(own,), daemon=True) for own in every]
    try:
        for thread in threads:
            thread.start()
        working = len(threads)
        while working:
            event, dealt_with = told.get()
            if isinstance(event, BaseException):
                raise event
            if event is None:
                working -= 1
            else:
                yield event
            dealt_with.set()
    finally:
        stopped.set()
        for own in every:
            own.abandon()
        for thread in threads:
            if thread.is_alive():
                thread.join(timeout=10)


def _asked(conversation: Conversation, work: Work) -> Iterator[Event]:
    """Ask until nothing is left or the harness is given up."""
    while conversation.given_up is None and (item := work.take()) is not None:
        if item.crash is not None:
            conversation.renew()
        try:
            answer = conversation.ask(item.seq, item.case)
        except HarnessError as failure:
            seconds, said = conversation.seconds, conversation.stderr
            if item.crash is None and isinstance(failure, (HarnessCrashError, HarnessStartError)):
                crash = Crash(id=item.case.id, reason=failure.reason, seconds=seconds)
                work.items.append(replace(item, crash=crash))
                yield crash
            else:
                judgement = Judgement(verdict=verdict_of(failure), detail=failure.reason)
                yield judged(item.case, judgement, seconds=seconds, stderr=said)
        else:
            seconds, said = conversation.seconds, conversation.stderr
            yield judged(item.case, judge(item.case, answer, error=work.error), answer=answer, seconds=seconds, stderr=said)
    if conversation.given_up is not None:
        work.farewell = (verdict_of(conversation.given_up), conversation.farewell)


def judged(case: Case, judgement: Judgement, *, answer: Answer | None = None, seconds: float | None = None, stderr: str = "") -> CaseResult:
    """Return what became of a case, for the report. stderr: what the harness wrote there; kept where the verdict is against it."""
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
        off=judgement.off,
        flags=case.flags,
        seconds=seconds,
        stderr=None if judgement.verdict in UNREPROACHED else stderr.rstrip() or None,
    )


def verdict_of(failure: HarnessError) -> Verdict:
    """The verdict on a harness that failed as a program."""
    if isinstance(failure, HarnessTimeoutError):
        return Verdict.TIMED_OUT
    if isinstance(failure, (HarnessCrashError, HarnessStartError)):
        return Verdict.CRASHED
    return Verdict.PROTOCOL
