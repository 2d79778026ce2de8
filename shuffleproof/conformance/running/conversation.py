"""One harness that is asked question after question, restarted when it fails, and given up when it only fails."""

import threading
import time

from shuffleproof.conformance.running.harness import Harness
from shuffleproof.conformance.running.output_rate import OutputRate
from shuffleproof.conformance.running.protocol import Answer, Greeting, HarnessAnswerError
from shuffleproof.conformance.vectors import Case
from shuffleproof.spec.vocabulary.errors import HarnessCrashError, HarnessError, HarnessProtocolError

RESTARTS = 5
"""How often in a row a harness is restarted without answering anything, before it is given up."""
MOST_OUTPUT_OF_A_RUN = 256 << 20
"""Bytes that one conversation may bring on stdout and stderr together, over all restarts."""


class Conversation:
    """A harness that is restarted when it fails, up to RESTARTS times in a row without an answer.

    given_up: the failure after which nothing more is asked, or None. seconds: that the last question took, without any start of the
    harness; stderr: what was written on stderr meanwhile; peak_memory: bytes that one of its processes has held at most, None where
    unknown.
    """

    def __init__(self, connect: str, *, deadline: float, start_deadline: float, seed: int, digits: int) -> None:
        self._connect, self._deadline, self._start_deadline, self._seed, self._digits = connect, deadline, start_deadline, seed, digits
        self._harness: Harness | None = None
        self._failures = 0
        self._output = 0
        self._rate = OutputRate()
        self._abandoned = threading.Event()
        self._fresh = False
        self.given_up: HarnessError | None = None
        self.seconds, self.stderr = 0.0, ""
        self.peak_memory: int | None = None

    def start(self) -> Greeting:
        """Start the harness; what it declares. Raises HarnessStartError, after which there is nothing to close."""
        self._abandoned.wait(self._rate.pause)
        harness = self._harness = Harness(self._connect, deadline=self._deadline, start_deadline=self._start_deadline, rate=self._rate)
        self._fresh = True
        try:
            if self.given_up is not None:
                harness.interrupt()
            greeting = harness.greet()
            harness.configure(seed=self._seed, digits=self._digits)
        except BaseException:
            self._end(at_once=True)
            raise
        return greeting

    def ask(self, seq: int, case: Case) -> Answer:
        """The answer to a case, from a restarted harness if need be. Raises HarnessError."""
        self.seconds, self.stderr = 0.0, ""
        try:
            if self._harness is None:
                self.start()
            assert self._harness is not None
            self._fresh = False
            answer = self._timed(self._harness, seq, case)
        except HarnessAnswerError:
            self._failures = 0
            raise
        except HarnessError as failure:
            self.stderr = self.stderr or failure.stderr
            self._end(at_once=True)
            self._failures += 1
            if self._failures > RESTARTS and self.given_up is None:
                self.given_up = failure
            self._weigh()
            raise
        self._failures = 0
        self._weigh()
        return answer

    def _timed(self, harness: Harness, seq: int, case: Case) -> Answer:
        started = time.monotonic()
        try:
            return harness.ask(seq=seq, operation=case.operation, given=case.given)
        finally:
            self.seconds, self.stderr = time.monotonic() - started, harness.stderr
            if harness.peak_memory is not None:
                self.peak_memory = max(harness.peak_memory, self.peak_memory or 0)

    def renew(self) -> None:
        """Have the next question answered by a process that has not been asked any."""
        if not self._fresh:
            self._end(at_once=False)

    @property
    def farewell(self) -> str:
        """Why nothing more is asked."""
        if self.given_up is None:
            return ""
        if self._failures > RESTARTS:
            return f"given up after {RESTARTS} restarts in a row; last: {self.given_up.reason}"
        return f"given up: {self.given_up.reason}"

    def close(self) -> None:
        """End the harness, with everything it started."""
        self._end(at_once=False)

    def abandon(self) -> None:
        """Kill the harness from another thread: whoever is asking gets a HarnessError, and nothing is started any more."""
        self.given_up = HarnessCrashError(implementation=self._connect, reason="interrupted")
        self._abandoned.set()
        harness = self._harness
        if harness is not None:
            harness.interrupt()

    def _weigh(self) -> None:
        """Give up a harness that has written more than a run may bring: reports are kept, and disks are finite."""
        written = self._output + (self._harness.written if self._harness is not None else 0)
        if written > MOST_OUTPUT_OF_A_RUN and self.given_up is None:
            reason = f"more than {MOST_OUTPUT_OF_A_RUN} bytes in one run"
            self.given_up = HarnessProtocolError(implementation=self._connect, reason=reason)

    def _end(self, *, at_once: bool) -> None:
        harness, self._harness = self._harness, None
        if harness is not None:
            self._output += harness.written
            if at_once:
                harness.kill()
            else:
                harness.close()
