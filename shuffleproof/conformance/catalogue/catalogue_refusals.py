"""Questions that have no answer: bad input, and theorems outside their own condition."""

from shuffleproof.conformance.catalogue.question import Question, question

_NUMBER_OF_USERS = "n must be a whole number of at least 1"
_EPSILON0 = "epsilon0 must be a number of at least 0"
_EPSILON = "epsilon must be a number of at least 0"
_DELTA = "delta must be a number in [0, 1]"
_REGIME = "Theorem 3.1 needs epsilon0 <= ln(n/(16 ln(2/delta)))"

_Bad = tuple[str, str, tuple[str, ...]]
"""(input, why it has no answer, flags)"""

_BAD_USERS_AND_EPSILON0: tuple[_Bad, ...] = (
    ("n=0; epsilon0=1", _NUMBER_OF_USERS, ("EDGE_CASE",)),
    ("n=-1; epsilon0=1", _NUMBER_OF_USERS, ()),
    ("n=3/2; epsilon0=1", _NUMBER_OF_USERS, ()),
    ("n=nan; epsilon0=1", _NUMBER_OF_USERS, ("PARSE",)),
    ("n=10; epsilon0=-1e-9", _EPSILON0, ("EDGE_CASE",)),
    ("n=10; epsilon0=nan", _EPSILON0, ("PARSE",)),
    ("n=10; epsilon0=ln 1/2", _EPSILON0, ("PARSE",)),
)
_BAD_LAST: dict[str, tuple[_Bad, ...]] = {
    "delta": (
        ("epsilon=-1e-9", _EPSILON, ("EDGE_CASE",)),
        ("epsilon=nan", _EPSILON, ("PARSE", "KNOWN_BUG")),
        ("epsilon=ln 0", _EPSILON, ("PARSE",)),
    ),
    "epsilon": (
        ("delta=-1e-300", _DELTA, ("EDGE_CASE", "UNDERFLOW")),
        ("delta=1.000000000000000000001", _DELTA, ("EDGE_CASE", "PARSE")),
        ("delta=2", _DELTA, ()),
        ("delta=nan", _DELTA, ("PARSE", "KNOWN_BUG")),
    ),
}
_LAST = {"delta": "epsilon=1/2", "epsilon": "delta=1e-6"}

_OUTSIDE_THEOREM_3_1: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("n=1000; epsilon0=1.461; delta=1e-6", ("REGIME", "EDGE_CASE")),
    ("n=1; epsilon0=1; delta=1e-6", ("REGIME", "EDGE_CASE")),
    ("n=11; epsilon0=0; delta=1", ("REGIME", "EDGE_CASE", "DEGENERATE")),
    ("n=1000000; epsilon0=40; delta=1e-6", ("REGIME", "KNOWN_BUG")),
    ("n=1000000; epsilon0=800; delta=1e-6", ("REGIME", "OVERFLOW")),
    ("n=10000; epsilon0=1; delta=1e-300", ("REGIME",)),
    ("n=1000000; epsilon0=1; delta=0", ("REGIME", "EDGE_CASE", "KNOWN_BUG")),
)

_DISTRIBUTIONS: dict[str, tuple[_Bad, ...]] = {
    "binary-rr": (
        ("epsilon0=ln 3; input=2", "the input must be 0 or 1", ("EDGE_CASE",)),
        ("epsilon0=ln 3; input=-1", "the input must be 0 or 1", ()),
        ("epsilon0=-1; input=0", _EPSILON0, ()),
        ("epsilon0=nan; input=0", _EPSILON0, ("PARSE",)),
    ),
    "k-rr": (
        ("k=3; epsilon0=ln 3; input=3", "the input must be one of 0, ..., k - 1", ("EDGE_CASE",)),
        ("k=0; epsilon0=ln 3; input=0", "k must be a whole number of at least 1", ("EDGE_CASE",)),
        ("k=3; epsilon0=-1e-9; input=0", _EPSILON0, ("EDGE_CASE",)),
    ),
}


def questions(operation: str, name: str) -> tuple[Question, ...]:
    """The refusals of one method (or randomizer, for randomizer_law)."""
    if operation == "randomizer_law":
        return tuple(question(f"randomizer={name}; {text}", *flags, refusal=because) for text, because, flags in _DISTRIBUTIONS[name])
    users: list[_Bad] = [(f"{text}; {_LAST[operation]}", because, flags) for text, because, flags in _BAD_USERS_AND_EPSILON0]
    last: list[_Bad] = [(f"n=10; epsilon0=1; {text}", because, flags) for text, because, flags in _BAD_LAST[operation]]
    if name == "clones-closed-form":
        bad = [(text, _REGIME, flags) for text, flags in _OUTSIDE_THEOREM_3_1] + users[:1] + last[-2:]
    elif name in ("stronger-clones", "binary-rr-pair"):
        bad = [users[0], users[4], last[-1]]
    else:
        bad = users + last
    smoke = {text for text, *_ in (users[0], last[-1])} if name == "clones" else set()
    return tuple(question(f"method={name}; {text}", *flags, refusal=because, smoke=text in smoke) for text, because, flags in bad)
