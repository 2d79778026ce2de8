"""The instances that the repository states: small n exactly, as the specification has them, and large n by a window."""

from __future__ import annotations

from shuffleproof.proofs_check.formal.instance import instance, module


def exact_instances() -> str:
    """ExactInstances.v."""
    made = {
        "shuffled_1_user": instance(n=1, epsilon0="ln 4", epsilon="ln 2", exact=True),
        "shuffled_2_users": instance(n=2, epsilon0="ln 4", epsilon=0, exact=True),
        "shuffled_10_users": instance(n=10, epsilon0="ln 3", epsilon="ln 3/2", exact=True),
        "shuffled_100_users": instance(n=100, epsilon0="ln 3", epsilon="ln 3/2", exact=True),
    }
    return module(made, says="The privacy of few shuffled users, with the clones pair's delta itself.")


def window_instances() -> str:
    """WindowInstances.v."""
    made = {
        "shuffled_1000_users": instance(n=1000, epsilon0="ln 3", epsilon="ln 6/5"),
        "shuffled_10000_users": instance(n=10**4, epsilon0=1, epsilon="1/10"),
        "shuffled_1000000_users": instance(n=10**6, epsilon0="ln 3", epsilon="ln 101/100"),
    }
    return module(made, says="The privacy of many shuffled users, by a window: delta is rounded up.")


SHOWN = {"ExactInstances": exact_instances, "WindowInstances": window_instances}
"""Module of the formal proofs -> what writes it."""
