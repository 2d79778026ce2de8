"""Put the site together: the documentation, the report of verify, a page for each statement and each paper at a permanent address.

Usage: python docs/site.py DOCUMENTATION REPORT SITE. Ids of statements in the documentation become links to their pages, written arguments
on the page of a statement links to the page of mathematics that makes them; every page of the report leads back to the documentation.
"""

import re
import shutil
import sys
from pathlib import Path

_NAVIGATION = '<nav aria-label="Pages"><ul>'
_PAGE = re.compile(r'<span class="pre">((?:report|papers)/\w+\.html)</span>')
_ALONE = re.compile(r'(<span class="pre">|<td><p>)([A-Z0-9]+\.[A-Za-z0-9][\w.-]*)(</span>|</p></td>)')
_ARGUMENT = re.compile(r"argument: ([\w-]+)#([\w-]+)")


def linked(page: str, *, root: str, known: set[str]) -> str:
    """A page of the documentation with links: ids of statements that stand alone, pages of the report. root: the way to the top."""

    def link(found: re.Match[str]) -> str:
        before, id, after = found.groups()
        return f'{before}<a href="{root}statements/{id}.html">{id}</a>{after}' if id in known else found[0]

    return _PAGE.sub(rf'<span class="pre"><a href="{root}\1">\1</a></span>', _ALONE.sub(link, page))


def argued(page: str, *, documentation: Path) -> str:
    """A statement's page with links from the arguments that it rests on to where they are written. documentation: its folder."""

    def link(found: re.Match[str]) -> str:
        name, heading = found.groups()
        known = (documentation / "mathematics" / f"{name}.html").exists()
        return f'argument: <a href="../mathematics/{name}.html#{heading}">{name}, {heading}</a>' if known else found[0]

    return _ARGUMENT.sub(link, page)


def back(page: str, *, root: str) -> str:
    """A page of the report whose navigation begins with the documentation. root: the way to the top of the site."""
    return page.replace(_NAVIGATION, f'{_NAVIGATION}\n<li><a href="{root}index.html">Documentation</a></li>', 1)


def build(documentation: Path, report: Path, site: Path) -> None:
    """Make the site anew."""
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(documentation, site)
    known = {path.stem for path in (report / "statements").glob("*.html")}
    for path in sorted(site.rglob("*.html")):
        root = "../" * len(path.relative_to(site).parts[:-1])
        path.write_text(linked(path.read_text("utf-8"), root=root, known=known), "utf-8")
    shutil.copytree(report, site / "report")
    for folder in ("statements", "papers"):
        shutil.move(site / "report" / folder, site / folder)
        for path in (site / folder).glob("*.html"):
            page = re.sub(r'href="\.\./(?!statements/|papers/)', 'href="../report/', path.read_text("utf-8"))
            path.write_text(argued(back(page, root="../"), documentation=documentation), "utf-8")
    for path in (site / "report").glob("*.html"):
        page = re.sub(r'href="(statements|papers)/', r'href="../\1/', path.read_text("utf-8"))
        path.write_text(back(page, root="../"), "utf-8")


if __name__ == "__main__":
    build(*(Path(name) for name in sys.argv[1:4]))
