"""What the theme leaves out for keyboards and screen readers: names of landmarks, levels of headings, boxes that take the focus."""

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

_CHANGES = (
    (re.compile(r'<p class="caption" role="heading">'), '<p class="caption" role="heading" aria-level="2">'),
    (re.compile(r'<aside class="sidebar-drawer">'), '<aside class="sidebar-drawer" aria-label="Contents">'),
    (re.compile(r'<aside class="toc-drawer([^"]*)">'), r'<aside class="toc-drawer\1" aria-label="On this page">'),
    (re.compile(r'<div class="sidebar-tree">'), '<div class="sidebar-tree" role="navigation" aria-label="Pages">'),
    (re.compile(r"<pre>"), '<pre tabindex="0">'),
    (re.compile(r'<div class="(table-wrapper [^"]*|math)">'), r'<div class="\1" tabindex="0">'),
)


def _complete(app: Sphinx, error: Exception | None) -> None:
    if error is None:
        for page in Path(app.outdir).rglob("*.html"):
            before = page.read_text("utf-8")
            after = before
            for pattern, complete in _CHANGES:
                after = pattern.sub(complete, after)
            if after != before:
                page.write_text(after, "utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Complete the pages when all are written."""
    app.connect("build-finished", _complete)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
