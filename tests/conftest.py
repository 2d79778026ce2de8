"""How hypothesis runs here: no deadlines (certified arithmetic varies), the same examples each time unless HYPOTHESIS_PROFILE=deep."""

import os

from hypothesis import settings

settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.register_profile("deep", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
