"""The process behind "py:package.module:factory": serves an object in Python over the harness protocol.

    python -m shuffleproof.conformance.running.python_harness package.module:factory

The factory takes no arguments and returns an object like `Implementation` below.
"""

import importlib
import json
import os
import sys
from collections.abc import Mapping
from typing import Any, BinaryIO, Protocol

from shuffleproof.conformance.running.protocol import VERSION, Answer, answer_message


class Implementation(Protocol):
    """The object that a factory returns.

    about: {"name", "version", "language"}; capabilities: {"operations", "methods", "randomizers"}, each a list.
    """

    about: Mapping[str, str]
    capabilities: Mapping[str, list[str]]

    def configure(self, *, seed: int, digits: int) -> None:
        """Called once, before any question."""
        ...

    def run(self, operation: str, given: Mapping[str, str]) -> Answer:
        """One answer; Answer(claim="refused" or "unsupported", reason=...) to give none. Anything raised ends the process."""
        ...


def serve(implementation: Implementation, *, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer requests from source on sink until `stop` or the end of the input."""
    for line in source:
        message: dict[str, Any] = json.loads(line)
        match message["cmd"]:
            case "start":
                capabilities = {key: list(value) for key, value in implementation.capabilities.items()}
                greeting = {"version": VERSION, "implementation": dict(implementation.about), "capabilities": capabilities}
                sink.write(json.dumps(greeting).encode("ascii") + b"\n")
            case "configure":
                implementation.configure(seed=int(message["seed"]), digits=int(message["digits"]))
                sink.write(b'{"configured": true}\n')
            case "run":
                answer = implementation.run(message["operation"], message["input"])
                sink.write(answer_message(seq=message["seq"], answer=answer))
            case "stop":
                return
        sink.flush()


def main() -> None:
    """Serve the factory named on the command line. What the code under test prints goes to stderr, never into the protocol."""
    module, _, factory = sys.argv[1].partition(":")
    sys.path.insert(0, os.getcwd())
    with os.fdopen(os.dup(1), "wb") as sink:
        os.dup2(2, 1)
        serve(getattr(importlib.import_module(module), factory)(), source=sys.stdin.buffer, sink=sink)


if __name__ == "__main__":
    main()
