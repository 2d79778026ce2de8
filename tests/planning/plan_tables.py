"""Tables of plans of one round or two, as they stand in a file."""

from collections.abc import Mapping
from typing import Any

BITS = {"name": "q", "randomizer": "krr", "k": 2, "epsilon0": "ln 3"}


def table_of(
    *questions: Mapping[str, Any],
    relation: str = "one-user",
    neighbours: str = "replace-one",
    delta: str = "1e-6",
    users: int = 2,
    other: Mapping[str, Any] | None = None,
    **own: Any,
) -> dict[str, Any]:
    """Return a plan of the round `r`; other: what a second round `s`, which asks `BITS`, has of its own."""
    asked = [{"name": f"question {at}", **each} for at, each in enumerate(questions or (BITS,))]
    rounds = [{"name": "r", "users": users, "questions": asked, **own}]
    rounds += [] if other is None else [{"name": "s", "users": users, "questions": [BITS], **other}]
    return {"relation": relation, "neighbours": neighbours, "target": {"epsilon": 1, "delta": delta}, "rounds": rounds}
