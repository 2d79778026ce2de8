"""Asking a harness: the protocol, its processes, the journal of a run."""

DEADLINE = 30.0
"""Seconds that a harness has for one answer, and for its start, unless others are given."""
SEED = 12345
"""Of what is random in a run, unless another is given: runs are alike."""
