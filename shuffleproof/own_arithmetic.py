"""The caller's settings of arithmetic do not reach our computations, nor ours the caller."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from decimal import Context, DivisionByZero, InvalidOperation, Overflow, localcontext


@contextmanager
def own_arithmetic() -> Iterator[None]:
    """Compute with decimal's and numpy's own defaults, and give this thread's settings back afterwards.

    A caller who traps Inexact, or has numpy raise on underflow, gets the same answers as everybody. numpy is not imported for this:
    an engine that needs it and is the first to import it finds its defaults.
    """
    with ExitStack() as stack:
        stack.enter_context(localcontext(Context(traps=[InvalidOperation, DivisionByZero, Overflow])))
        if numpy := sys.modules.get("numpy"):
            stack.enter_context(numpy.errstate(divide="warn", over="warn", under="ignore", invalid="warn"))
        yield
