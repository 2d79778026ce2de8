"""The reviewed statements of Statements.v: their texts, their digests with all definitions they use, and the pins of the theorems.

A theorem is pinned when Pinned.v proves the statement of its name by the theorem alone: a hypothesis that is put before a theorem, or a
weaker conclusion, is a type error there. The ledger's rows hold the digests, so that a statement changes only where a row does.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping

from shuffleproof.proofs_check.formal.sources import modules, without_comments

STATEMENTS = "Statements"
DIGEST_LETTERS = 16
"""Hexadecimal digits of SHA-256 that a row holds: 64 bits, enough to notice any change that is not made to collide."""
_DEFINED = re.compile(r"^(?:Definition|Fixpoint|Record)\s+([\w']+)(.*?)\.(?=\s*(?:$|\n))", flags=re.MULTILINE | re.DOTALL)


def statements(texts: Mapping[str, str]) -> dict[str, str]:
    """The statements by name, comments left out and spaces alike."""
    found = _DEFINED.findall(without_comments(texts[STATEMENTS])) if STATEMENTS in texts else []
    return {name: _alike(body.partition(":=")[2]) for name, body in found}


def definitions(texts: Mapping[str, str]) -> dict[str, str]:
    """Every definition of the other modules by name, as text; those of one name that stands in several modules together."""
    found: dict[str, str] = {}
    for module in sorted(set(texts) - {STATEMENTS}):
        for name, body in _DEFINED.findall(without_comments(texts[module])):
            found[name] = f"{found.get(name, '')} {module}.{name}{_alike(body)}"
    return found


def digests(texts: Mapping[str, str] | None = None) -> dict[str, str]:
    """A digest of each statement and of all definitions under it: it changes with whatever the statement says."""
    texts = modules() if texts is None else texts
    known, said = definitions(texts), statements(texts)
    return {name: _digest([text, *(known[used] for used in _under(text, known))]) for name, text in said.items()}


def pinned(names: Iterable[tuple[str, str]]) -> str:
    """Pinned.v or PinnedNumbers.v, of pairs of a theorem and its module."""
    pairs = list(names)
    imported = " ".join(dict.fromkeys([*(module for _, module in pairs), STATEMENTS]))
    lines = (f"Theorem {name} : Statements.{name}.\nProof. exact: (@{module}.{name}). Qed.\n" for name, module in pairs)
    return _HEAD.format(
        says="Statements of Statements.v, each proved by the theorem of its name and by nothing else.", imported=imported
    ) + "\n".join(lines)


def with_a_false_hypothesis(names: Iterable[tuple[str, str]]) -> str:
    """A file that Coq accepts only if it refuses every pinned theorem with one false hypothesis more."""
    pairs = list(names)
    imported = " ".join(dict.fromkeys([*(module for _, module in pairs), STATEMENTS]))
    lines = (f"Fail Definition mutated_{name} : Statements.{name} := fun _ : 0%N = 1%N => @{module}.{name}.\n" for name, module in pairs)
    return _HEAD.format(says="Each theorem with a hypothesis that is false: none proves its statement.", imported=imported) + "".join(lines)


_HEAD = """(* {says} Written by `proofs_check/formal/statements.py`. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import {imported}.

"""


def _under(text: str, known: Mapping[str, str]) -> list[str]:
    """The definitions that a text uses, and those that they use."""
    seen: set[str] = set()
    waiting = [text]
    while waiting:
        new = {word for word in re.findall(r"[A-Za-z_][\w']*", waiting.pop()) if word in known} - seen
        seen |= new
        waiting += [known[word] for word in new]
    return sorted(seen)


def _digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:DIGEST_LETTERS]


def _alike(text: str) -> str:
    return " ".join(text.split())
