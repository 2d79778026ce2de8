"""How hypothesis runs here: no deadlines (certified arithmetic varies), the same examples each time unless HYPOTHESIS_PROFILE=deep."""

import os
import signal

from hypothesis import settings

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # Started in the background by a shell without job control: programs under test would inherit it, and some are to be interrupted.
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("repeatable", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("deep", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
