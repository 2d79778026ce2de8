"""How hypothesis runs here: no deadlines (certified arithmetic varies), the same examples every time unless a deep run asks for new ones."""

import os

from hypothesis import settings

settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.register_profile("deep", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
