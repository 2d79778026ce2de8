"""Mathematics as MathML, written into the pages: browsers show it by themselves, screen readers read it."""

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx

from shuffleproof.report.typeset import with_operators


def _inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(with_operators(convert(node.astext())))
    raise nodes.SkipNode


def _block(writer: Any, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="math">{with_operators(convert(node.astext(), display="block"))}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer under the name `mathml`."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
