"""The sources of the formal proofs, as texts: nothing here runs Coq or the specification, so that the ledger may read them."""

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def modules(folder: Path = FOLDER) -> dict[str, str]:
    """The text of every module, by name."""
    return {path.stem: path.read_text("utf-8") for path in sorted(folder.glob("*.v"))}


@cache
def without_comments(text: str) -> str:
    """The text with comments blanked, line numbers kept; comments nest."""
    out, depth = [], 0
    for piece in re.split(r"(\(\*|\*\))", text):
        if piece == "(*":
            depth += 1
        elif piece == "*)" and depth:
            depth -= 1
        else:
            out.append("\n" * piece.count("\n") if depth else piece)
    return "".join(out)


HEAD = """
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import {modules}.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

"""
"""How a module of examples begins."""
