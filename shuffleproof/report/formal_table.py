"""docs/formal-methods.md, from the methods and the ledger: `python -m shuffleproof.report.formal_table > docs/formal-methods.md`."""

from __future__ import annotations

from collections.abc import Sequence

from shuffleproof.methods import METHODS, engines_for
from shuffleproof.proofs_check.ledger import Coq, Status, recorded, registry
from shuffleproof.spec.vocabulary.method import Method

ABOUT = """# What Coq has checked of each method

Made by `python -m shuffleproof.report.formal_table` from the methods and the ledger. A method's number rests on a statement; where a
theorem [checked by Coq](formal.md) says it, or says it for finitely many messages, it stands here, with what is left outside of the
kernel: a number computed by the engines that are named, unless [`--formal`](formal.md) has the kernel compute it too.

| method | statement | status | theorems | left outside |
| --- | --- | --- | --- | --- |
"""
FOR_FINITE_MESSAGES = {
    "BEYOND.any-law-place": ("BEYOND.any-law-place.finite",),
    "BEYOND.any-law-above": ("BEYOND.any-law-above.finite", "BEYOND.any-law-identity.finite"),
    "BEYOND.any-law-all-randomizers": ("BEYOND.adaptive-all.finite", "BEYOND.corner-mixture.finite", "BEYOND.controlled-sum-blocks"),
    "BEYOND.first-arrival-approximate": ("BEYOND.adaptive-approximate.finite",),
    "BEYOND.first-arrival": ("BEYOND.first-arrival-all.finite", "BEYOND.first-arrival-cut.finite"),
    "FMT21.Thm3.2": ("FMT21.Thm3.2.finite",),
    "FMT21.Thm3.8": ("FMT21.Thm3.8.finite",),
    "FMT21.Thm3.8-constant": ("FMT21.Thm3.8.finite",),
    "FMT21.Cor4.2-pair": ("FMT21.Cor4.2-pair.finite",),
    "CSUZZ19.Def3.4.bit-sum": ("CSUZZ19.Sec5.3.monotone",),
    "BC20.Thm3.1": ("BC20.Sec3.1.remark-view",),
}
"""A statement that a method rests on -> the formal rows that say its content, or the part of it that is in the kernel."""
PARTS = {
    "BC20.Thm3.1": "all but the view's law",
    "CSUZZ19.Def3.4.bit-sum": "all but that privacy improves with lambda",
    "FMT21.Cor4.2-pair": "functions that do not tell the two data points apart",
    "BEYOND.first-arrival-approximate": "levels and omega near (T R_0 - R_1)/(T - 1): the theorem has one pool, thinned",
}
"""Statements of which the formal rows say a part: what they leave."""


def markdown() -> str:
    """Return the page: a row for each method with an upper side, then how many of them have a theorem."""
    rows = [_row(method) for method in METHODS.values() if method.side == "upper"]
    return ABOUT + "".join(f"| {' | '.join(row)} |\n" for row in rows) + _counted(rows)


def _counted(rows: Sequence[tuple[str, ...]]) -> str:
    """Count the methods by how much of their statement is a theorem of Coq, and the formal rows of the ledger."""
    whole = sum(status == Status.FORMAL.value for _, _, status, _, _ in rows)
    none = sum(theorems == "none" for _, _, _, theorems, _ in rows)
    formal = sum(row.status is Status.FORMAL for row in recorded().values())
    part = len(rows) - whole - none
    return (
        f"\nOf these {len(rows)} methods {whole} rest on a statement that is formal as a whole, {part} on one of which\n"
        f"theorems say a part or the case of finitely many messages, {none} on none. {formal} statements of the ledger are formal.\n"
    )


def _row(method: Method) -> tuple[str, ...]:
    record, known = recorded(), registry()
    whole = record[method.statement].status is Status.FORMAL
    rows = (method.statement,) if whole else FOR_FINITE_MESSAGES.get(method.statement, ())
    found = [ground for row in rows if record[row].status is Status.FORMAL for ground in known[row].grounds if isinstance(ground, Coq)]
    number = f"the number, by {' and '.join(engines_for(method))}"
    if found and method.name.endswith("closed-form"):
        number = f"the closed form; {number}"
    left = number if whole else f"{PARTS.get(method.statement, 'messages that are not finitely many')}; {number}" if found else "all of it"
    theorems = ", ".join(f"`{ground.theorem}`" for ground in found)
    return f"`{method.name}`", method.statement, record[method.statement].status.value, theorems or "none", left


if __name__ == "__main__":
    print(markdown(), end="")
