"""What identifies the code that made a file: its statements, but not what it imports from where, nor what it says about itself."""

import ast
import hashlib


def digest(source: str) -> str:
    """SHA-256 of what a module does: without imports, docstrings, comments and layout, so that what only moves or is explained keeps it."""
    return hashlib.sha256(ast.unparse(_Doing().visit(ast.parse(source))).encode()).hexdigest()


class _Doing(ast.NodeTransformer):
    """Leaves out imports, and texts that stand alone: docstrings of modules, classes, functions and constants."""

    def visit_Import(self, node: ast.Import) -> None:
        return None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        return None

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        alone = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if alone else self.generic_visit(node)
