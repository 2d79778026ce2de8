"""docs/formal-methods.md, from the methods and the ledger: `python -m shuffleproof.report.formal_table > docs/formal-methods.md`."""

from collections import Counter
from collections.abc import Collection, Sequence

from shuffleproof.methods import METHODS, engines_for
from shuffleproof.proofs_check.ledger import Coq, Status, recorded, registry
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.methods.noise_and_sampling import RANDOM_PARTICIPATION

ABOUT = """# What Coq has checked of each method

Made by `python -m shuffleproof.report.formal_table` from the methods and the ledger. A method's number rests on a statement. Where
theorems [checked by Coq](formal.md) say all of it, for any data and finitely many messages, the method is formal but for what is named
on its right: a number computed by the engines that are named, unless [`--formal`](formal.md) has the kernel compute it too. A statement
about messages that are not finitely many is argued (BEYOND.measurable-messages, {doc}`mathematics/measurable-messages`), and its status
with it.

| method | statement | status | theorems | finitely many messages | left outside |
| --- | --- | --- | --- | --- | --- |
"""
FOR_FINITE_MESSAGES = {
    "BEYOND.any-law-place": (
        "BEYOND.any-law-place.finite",
        "BEYOND.swap-in-levels.finite",
        "BEYOND.swap-in-levels-blocks.finite",
        "BEYOND.any-law-antitone.finite",
    ),
    "BEYOND.any-law-above": ("BEYOND.any-law-above.finite",),
    "BEYOND.first-arrival-approximate": (
        "BEYOND.first-arrival-approximate.finite",
        "BEYOND.first-arrival-approximate-thinned.finite",
        "BEYOND.first-arrival-approximate-blocks.finite",
        "BEYOND.first-arrival-approximate-blocks-thinned.finite",
        "BEYOND.more-users.finite",
    ),
    "FMT21.Sec4.1.all-pairs": ("FMT21.Sec4.1.two-items.finite",),
    "BEYOND.first-arrival": ("BEYOND.first-arrival-all.finite", "BEYOND.first-arrival-cut.finite", "BEYOND.first-arrival-blocks.finite"),
    "FMT21.Thm3.2": ("FMT21.Thm3.2.finite",),
    "FMT21.Thm3.8": ("FMT21.Thm3.8.finite",),
    "FMT21.Thm3.8-constant": ("FMT21.Thm3.8.finite",),
    "BC20.Thm3.1": ("BC20.Sec3.1.remark-view", "BC20.Sec3.1.profile"),
    "BC20.Thm3.2": ("BC20.Thm3.2-pair",),
    "CSUZZ19.Sec5.3.tagged": ("CSUZZ19.Sec5.3.tagged.finite",),
    "BEYOND.random-participation": (
        "BEYOND.random-participation.finite",
        "BEYOND.random-participation-deletion.finite",
        "BEYOND.random-participation-uncounted.finite",
        "BEYOND.more-users.finite",
    ),
}
"""A statement that a method rests on -> the formal rows that say its content, or the part of it that is in the kernel."""
PARTS = {"FMT21.Sec4.1.all-pairs": "which datasets are the worst for three values and more, which no default asks"}
"""Statements of which the formal rows say a part: what they leave."""
_PRINTED = "the printed number of users, which takes a logarithm and which nothing computed rests on"
BESIDE = {
    "BC20.Thm3.1": _PRINTED,
    "CSUZZ19.Sec5.3.tagged": "that no smaller delta holds",
    "BC20.Thm3.2": _PRINTED,
    "BEYOND.any-law-above": "that the optimal pair is no smaller, on which no number rests",
    "BEYOND.any-law-place": "for noise on an interval fewer loss types; for it and given distributions the limit of levels",
    "FMT21.Thm3.8": "the printed epsilon0, as for closed forms",
    "BEYOND.random-participation": "for sums with noise, that true deltas do not grow with the users, whose counts are taken in blocks; "
    "the deltas of those who come, by their own method",
}
"""What a statement says beside that, and its method does not use."""


def markdown() -> str:
    """Return the page: a row for each method with an upper side, then how many of them have a theorem."""
    rows = [_row(method) for method in upper_methods()]
    return ABOUT + "".join(f"| {' | '.join(row)} |\n" for row in rows) + _counted(rows)


def upper_methods() -> list[Method]:
    """The methods that have an upper side."""
    return [method for method in (*METHODS.values(), RANDOM_PARTICIPATION) if method.side == "upper"]


def _counted(rows: Sequence[tuple[str, ...]]) -> str:
    """Count the methods by how much of their statement is a theorem of Coq, and the formal rows of the ledger."""
    extents = Counter(row[4] for row in rows)
    status = sum(row[2] == Status.FORMAL.value for row in rows)
    formal = sum(row.status is Status.FORMAL for row in recorded().values())
    return (
        f"\nOf these {len(rows)} methods {extents['all of it']} are formal for finitely many messages but for what is named, {status} of "
        f"which rest on a statement that is\nformal as it stands; of {extents['a part']} theorems say a part, of {extents['none']} none. "
        f"{formal} statements of the ledger are formal.\n"
    )


def _row(method: Method) -> tuple[str, ...]:
    record, known = recorded(), registry()
    formal = {id for id, row in record.items() if row.status is Status.FORMAL}
    found = [ground for row in formal_rows(method, formal) for ground in known[row].grounds if isinstance(ground, Coq)]
    left = ["the closed form"] if method.closed_form else [told[method.statement] for told in (PARTS, BESIDE) if method.statement in told]
    engines = ("ball",) if method is RANDOM_PARTICIPATION else engines_for(method)  # that one is asked by a rate, and by no name
    left.append(f"the number, by {' and '.join(engines)}")
    theorems = ", ".join(f"`{ground.theorem}`" for ground in found)
    statuses = record[method.statement].status.value
    how_much = extent(method, formal)
    return f"`{method.name}`", method.statement, statuses, theorems or "none", how_much, "; ".join(left) if found else "all of it"


def formal_rows(method: Method, formal: Collection[str]) -> list[str]:
    """Return those of these formal rows that say a method's statement, or its content for finitely many messages."""
    rows = (method.statement,) if method.statement in formal else FOR_FINITE_MESSAGES.get(method.statement, ())
    return [row for row in rows if row in formal]


def extent(method: Method, formal: Collection[str]) -> str:
    """Return how much of a method's statement is formal for finitely many messages, where these rows are."""
    if not formal_rows(method, formal):
        return "none"
    return "a part" if method.closed_form or method.statement in PARTS else "all of it"


if __name__ == "__main__":
    print(markdown(), end="")
