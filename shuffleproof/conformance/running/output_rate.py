"""How fast a harness writes: bytes over a sliding window, over all restarts of one conversation."""

import time
from collections import deque

MOST_OUTPUT_OF_A_WINDOW = 32 << 20
"""Bytes on stdout and stderr together; an answer has some 100, and the longest that is allowed 1 MiB."""
WINDOW_SECONDS = 4.0
"""Seconds over which output is counted: a burst within it is an answer, a stream is not."""
_SLOTS = 64
"""Into so many parts the window is divided: what is kept is bounded, too."""


class OutputRate:
    """Counts what arrives; see `exceeded` and `pause`."""

    def __init__(self) -> None:
        self.most, self.seconds = MOST_OUTPUT_OF_A_WINDOW, WINDOW_SECONDS
        self._slots: deque[tuple[int, int]] = deque()
        self._written = 0

    @property
    def told(self) -> str:
        """The limit, in words."""
        return f"{self.most} bytes within {self.seconds:g} s"

    def add(self, written: int) -> None:
        """Count bytes that have just arrived."""
        slot = self._forget()
        last = self._slots.pop()[1] if self._slots and self._slots[-1][0] == slot else 0
        self._slots.append((slot, last + written))
        self._written += written

    @property
    def exceeded(self) -> bool:
        """Return whether the window holds more than it may."""
        self._forget()
        return self._written > self.most

    @property
    def pause(self) -> float:
        """Seconds until the window is half empty; 0 if it is. Who waits for that before a restart lets no restart evade the limit."""
        slot = self._forget()
        left, wait = self._written, 0
        for begun, written in self._slots:
            if 2 * left <= self.most:
                break
            left, wait = left - written, begun + _SLOTS + 1 - slot
        return wait * self.seconds / _SLOTS

    def _forget(self) -> int:
        """Drop what has left the window; the number of the present slot."""
        slot = int(time.monotonic() * _SLOTS / self.seconds)
        while self._slots and self._slots[0][0] < slot - _SLOTS:
            self._written -= self._slots.popleft()[1]
        return slot
