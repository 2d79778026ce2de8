"""Pages from templates: everything that is filled in is escaped, and control characters in it are written out."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

from shuffleproof.conformance.judging.judge import UNREPROACHED
from shuffleproof.proofs_check.papers import TITLES
from shuffleproof.proofs_check.papers.reading import accounted
from shuffleproof.report import typeset
from shuffleproof.report.texts import COLOURS, VERDICT_COLOURS, answered, counted, folded, judged_again, printable

if TYPE_CHECKING:
    from jinja2 import Environment

    from shuffleproof.report.records import CaseRow, StatementRow, TableRow, VerificationReport

PAGES = (
    ("index.html", "Verification"),
    ("errata.html", "Errata"),
    ("readings.html", "Readings and questions"),
    ("checks.html", "How sharp the checks are"),
    ("tables.html", "Tables"),
    ("shipped.html", "What others ship"),
)
"""File name and title of every page that the navigation leads to; each statement has a page in `statements`, each paper in `papers`."""
LEGEND = {
    "formal": "a theorem checked by Coq's kernel",
    "proved": "a symbolic or interval computation over the whole stated range",
    "argued": "a written argument; what a computer checked of it is named",
    "exhausted": "every case of a finite domain, exactly",
    "certified": "rigorous enclosures, or exact rationals, at listed points",
    "sampled": "drawn cases only",
    "refuted": "a certified counterexample inside the stated range",
    "vacuous": "nothing satisfies the hypothesis in part of the range",
    "open": "not machine-checked",
}
"""What a status of the ledger means, for people."""
_MAY_BE_ABSENT: Mapping[str, Any] = {
    "kind": None,
    "weight": None,
    "own_status": None,
    "grounds": None,
    "theorem": None,
    "checked_with": None,
    "rests_on": (),
    "source": None,
    "chain": (),
    "unreached": (),
    "not_falsified": None,
    "number_mutants": (),
    "number_mutants_in_all": 0,
    "missing": None,
    "of_engines": None,
    "found": None,
}
_MOST_SERIOUS_FIRST = ("false", "false in part", "gap", "misprint", None)


def report_pages(content: VerificationReport) -> dict[str, str]:
    """Every page of a report of `verify`, by its file name inside the report's folder."""
    rows = [cast("StatementRow", {**_MAY_BE_ABSENT, **row}) for row in content["ledger"]]
    papers = list(dict.fromkeys(row["paper"] for row in rows))
    errata = sorted((row for row in rows if row["status"] == "refuted" and is_erratum(row)), key=_importance)
    beside = [row for row in rows if row["status"] in ("refuted", "vacuous", "open") and row not in errata]
    parts = {
        "errata.html": [
            ("What something people use depends on", [row for row in errata if row["weight"]]),
            ("The rest", [row for row in errata if not row["weight"]]),
        ],
        "readings.html": [(paper, [row for row in beside if row["paper"] == paper]) for paper in papers],
    }
    shared: dict[str, Any] = {"papers": papers, "known": {row["id"] for row in rows}}
    made = {
        "index.html": render("verification.html", page="index.html", report={**content, "ledger": rows}, errata=errata, **shared),
        "errata.html": render("errata.html", page="errata.html", parts=parts["errata.html"], heading="Errata", **shared),
        "readings.html": render(
            "errata.html", page="readings.html", parts=parts["readings.html"], heading="Readings and questions", **shared
        ),
        "checks.html": render("checks.html", page="checks.html", rows=rows, **shared),
        "tables.html": tables_page(content["tables"]),
        "shipped.html": render("claims.html", page="shipped.html", rows=content.get("shipped", ())),
    }
    for at, row in enumerate(rows):
        around = {"before": rows[at - 1]["id"] if at else None, "after": rows[at + 1]["id"] if at + 1 < len(rows) else None}
        resting = [other["id"] for other in rows if row["id"] in rests_on(other)]
        made[statement_file(row["id"])] = render("statement.html", page=None, root="../", row=row, resting=resting, **around, **shared)
    for paper in papers:
        own = [row for row in rows if row["paper"] == paper]
        sections = accounted((row["id"] for row in own), paper)
        told: dict[str, Any] = {"paper": paper, "title": TITLES[paper], "rows": own, "sections": sections}
        made[paper_file(paper)] = render("paper.html", page=None, root="../", **told, **shared)
    return made


def tables_page(tables: Sequence[TableRow]) -> str:
    """The page of tables."""
    return render("tables.html", page="tables.html", tables=tables)


def statement_file(id: str) -> str:
    """Where the page of a statement lies inside the report's folder: the same for ever."""
    return f"statements/{id}.html"


def paper_file(paper: str) -> str:
    """Where the page of a paper lies inside the report's folder."""
    return f"papers/{paper}.html"


def is_erratum(row: StatementRow) -> bool:
    """Return whether a refuted row is about what a paper's text says, not about a reading of it, a recalled formula, or a claim here."""
    return row["provenance"] == "text" and row.get("kind") != "reading"


def _importance(row: StatementRow) -> tuple[bool, int]:
    """Sorts errata: first those that something people use depends on, and in each half by how serious the mistake is."""
    return not row["weight"], _MOST_SERIOUS_FIRST.index(row["kind"])


def rests_on(row: StatementRow) -> set[str]:
    """The ids of the statements that a row rests on."""
    named = {ground["id"] for ground in row.get("grounds") or () if ground["kind"] == "row"}
    return named | {source.split(" ")[0] for source in row.get("rests_on", ())}


def render(template: str, *, page: str | None, root: str = "", **content: object) -> str:
    """A page. template: its name without `.j2`; page: its own file name in the navigation, if it stands there; root: the way to the top."""
    return _environment().get_template(f"{template}.j2").render(page=page, root=root, pages=PAGES, **content)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("shuffleproof.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_neutral,
    )
    script = files("shuffleproof.report").joinpath("templates", "script.js").read_text("utf-8")
    style = files("shuffleproof.report").joinpath("templates", "style.css").read_text("utf-8")
    icon = base64.b64encode(files("shuffleproof.report").joinpath("templates", "favicon.svg").read_bytes()).decode("ascii")
    hashed = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    made.globals |= {
        "policy": _trusted(f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{hashed}'; img-src data:"),
        "icon": f"data:image/svg+xml;base64,{icon}",
        "script": _trusted(script),
        "style": _trusted(style),
        "colours": COLOURS,
        "verdict_colours": VERDICT_COLOURS,
        "legend": LEGEND,
        "titles": TITLES,
        "counted": counted,
        "answered": answered,
        "folded": folded,
        "judged_again": judged_again,
        "rests_on": rests_on,
        "statement_file": statement_file,
        "paper_file": paper_file,
    }
    made.filters |= {"against": _against, "loose": _loose, "code": _code, "signs": _signs, "quoted": _quoted, "short": _short}
    return made


def _neutral(value: object) -> object:
    """Return what is filled in, before it is escaped: control characters of a text are written out, and nothing is shown for nothing."""
    from markupsafe import Markup

    if value is None:
        return ""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _trusted(text: str) -> object:
    from markupsafe import Markup

    return Markup(text)


def _signs(text: str | None) -> object:
    """A text of the ledger's with the signs that its words stand for."""
    return _trusted(typeset.signs(printable(text))) if text else ""


def _quoted(text: str | None) -> object:
    """A text with what stands between backticks in quotation marks."""
    return re.sub(r"`([^`]+)`", "\u201c\\1\u201d", text) if text else ""


def _code(text: str) -> object:
    """A text of several lines, escaped line by line."""
    from markupsafe import Markup, escape

    return Markup("\n").join(escape(printable(line)) for line in text.splitlines())


def _against(cases: Iterable[CaseRow]) -> list[CaseRow]:
    return [case for case in cases if case["verdict"] not in UNREPROACHED]


def _short(text: object, kind: str) -> str:
    """A text with its long numbers cut, as such a cell shows it; report.json has all of it."""
    return folded(str(text), kind).short


def _loose(cases: Iterable[CaseRow]) -> list[CaseRow]:
    return [case for case in cases if case["verdict"] == "loose"]
