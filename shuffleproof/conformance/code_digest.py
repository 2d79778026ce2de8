"""What identifies the code that made a file: its statements, but not what it imports from where, nor what it says about itself."""

from __future__ import annotations

import ast
import hashlib


def digest(source: str) -> str:
    """SHA-256 of a module's lines without imports, docstrings and blank lines: what only moves keeps its digest."""
    dropped: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            dropped.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False) is not None:
            said = node.body[0]
            dropped.update(range(said.lineno, (said.end_lineno or said.lineno) + 1))
    kept = [line for number, line in enumerate(source.splitlines(), 1) if number not in dropped and line.strip()]
    return hashlib.sha256("\n".join(kept).encode()).hexdigest()
