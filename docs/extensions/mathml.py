"""Mathematics as MathML, written into the pages: browsers show it by themselves, screen readers read it."""

import re
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx

_FUNCTION = re.compile('(<mi>(?:ln|log|cosh|exp)</mi>)(?!<mo stretchy="false">.?&#x00028;)')
_AFTER_A_FACTOR = re.compile("(</mi>|</mn>|</msup>|</msub>|</mfrac>)(<mi>(?:ln|log|cosh|exp)</mi>)")
_OPERATOR = re.compile("<mi>(:|;|&#x(?:0223C|027F9|027FA|02308|02309|0230A|0230B);)</mi>")


def with_operators(converted: str) -> str:
    """MathML in which relations, colons and brackets that the converter takes for names are operators, and h log h has its spaces."""
    spaced = _FUNCTION.sub(r'\1<mspace width="0.17em"></mspace>', _AFTER_A_FACTOR.sub(r'\1<mspace width="0.17em"></mspace>\2', converted))
    return _OPERATOR.sub(r"<mo>\1</mo>", spaced.replace("<mi>&#x0007E;</mi>", "<mi>&#x0223C;</mi>"))


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
