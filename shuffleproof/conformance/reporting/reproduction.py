"""Lines for a shell that ask one question of a harness again: without the kit, and by the kit."""

import shlex
from collections.abc import Mapping, Sequence

from shuffleproof.conformance.catalogue.inputs import apart
from shuffleproof.conformance.running import protocol
from shuffleproof.conformance.running.harness import command

FORMAT = r"%s\n"
"""What printf makes of each message: a line."""


def by_hand(
    *, connect: str, seed: int, digits: int, operation: str, given: Mapping[str, str], before: Sequence[tuple[str, Mapping[str, str]]] = ()
) -> str:
    """Return what the harness was sent, piped to it: its answers are seen as it writes them.

    given: an input, or those of a relation together, which are then sent one after the other; before: (operation, input) of what is to be
    asked first. Raises DomainError (connect).
    """
    questions = [*before, *((operation, each) for each in apart(given))]
    asked = [protocol.run_message(seq=seq, operation=of, given=each) for seq, (of, each) in enumerate(questions, start=1)]
    messages = [protocol.start_message(), protocol.configure_message(seed=seed, digits=digits), *asked, protocol.stop_message()]
    lines = [message.decode("ascii").rstrip("\n") for message in messages]
    return f"{shlex.join(['printf', FORMAT, *lines])} | {shlex.join(command(connect))}"


def by_the_kit(*, connect: str, seed: int, case_id: str, cases: str | None = None) -> str:
    """The command that asks the case again and judges the answer. cases: the file that the case comes from, None for a stored vector."""
    source = ["--cases", cases] if cases is not None else []
    return shlex.join(["shuffleproof", "conform", "run", "-i", connect, "--seed", str(seed), *source, "--case", case_id])
