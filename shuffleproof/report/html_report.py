"""The report of `verify` as an HTML page: verdicts on our own part, the ledger, the targets of the conformance suite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from shuffleproof.report.html_page import definitions, document, listed, table
from shuffleproof.report.ledger_text import COLOURS, counted, domain_and_slack
from shuffleproof.report.verify_text import cross_check_line, judged_again, mutants_counted

Content = Mapping[str, Any]

_LEGEND = (
    "proved: symbolic or interval proof over the stated range; exhausted: every case of a finite domain, exactly; certified: rigorous "
    "enclosures, or exact rationals, at listed points; sampled: drawn cases only; refuted: a certified counterexample inside the stated "
    "range; vacuous: nothing satisfies the hypothesis there; open: not machine-checked.",
    "unsound: an upper bound below the certified truth, or a lower one above it; loose: sound, but beyond the truth by more than the case "
    "allows; mismatch: an estimate, law or sample outside its tolerance; refused: declined a case that has an answer.",
    "To decide a statement again: shuffleproof ledger check ID. To judge a target again: the command with it. For a "
    "third-party package it makes the environment if it is not in the cache; SHUFFLEPROOF_CACHE=DIR with an empty folder makes it anew.",
)
_VERDICT_COLOURS = {"conforms": "green", "loose": "cyan", "unsupported": "quiet", "refused": "yellow", "unsound": "red", "mismatch": "red"}


def page(content: Content) -> str:
    """The whole page for a report (see shuffleproof.report.stored)."""
    rows = content["ledger"]
    about = (
        f"shuffleproof {content['shuffleproof']}, Python {content['python']}, {content['system']}; started {content['started']}, "
        f"{content['seconds']} s; depth {content['depth']}, seed {content['seed']}"
    )
    body = [
        "<h1>shuffleproof: verification report</h1>",
        f'<p class="quiet">{escape(about)}</p>',
        _verdict(content),
        "<h2>The ledger: which statements hold as printed</h2>",
        f"<p>{len(rows)} statements: {escape(counted(rows))}; {escape(mutants_counted(rows))}.</p>",
        *_papers(rows),
        "<h2>Engines against each other</h2>",
        listed(cross_check_line(check) for check in content["cross_checks"]),
        "<h2>Our engines through the conformance suite</h2>",
        _targets(content["engines"], "run -i"),
        "<h2>Third-party packages through the conformance suite</h2>",
        _targets(content["third_party"], "third-party"),
        "<h2>How to read this</h2>",
        listed(_LEGEND),
    ]
    return document("index.html", body)


def _verdict(content: Content) -> str:
    problems: Sequence[str] = content["problems"]
    if not problems:
        return '<p class="verdict green">Every promise of our own holds: no drift, no surviving mutant, no engine contradicted.</p>'
    return f'<div class="verdict red">{len(problems)} of our own promises broken{listed(problems)}</div>'


def _papers(rows: Sequence[Content]) -> list[str]:
    parts = []
    for paper in dict.fromkeys(row["paper"] for row in rows):
        own = [row for row in rows if row["paper"] == paper]
        parts.append(f"<h3>{escape(paper)}: {escape(counted(own))}</h3>")
        parts.append(table(("statement", "status", "what it says; domain [cases]", "slack, or witness"), (_ledger_row(row) for row in own)))
    return parts


def _ledger_row(row: Content) -> tuple[str, ...]:
    domain, slack = domain_and_slack(row)
    details = [("says", row["says"]), ("range", row["range"]), ("place", f"{row['where']}; formula from: {row['provenance']}")]
    details += [("witness", row["witness"]), ("holds instead", row["corrected"]), ("note", row["note"]), ("slack", row["slack"])]
    details += [("rests on", "; ".join(row["rests_on"])), ("governs", ", ".join(row["governs"])), ("seconds", row["seconds"])]
    details += [("mutant " + ("killed" if mutant["killed"] else "SURVIVES"), mutant["change"]) for mutant in row["mutants"]]
    status = f'<span class="status {COLOURS[row["status"]]}">{escape(row["status"])}</span>'
    says = f"<details><summary>{escape(row['says'])}</summary>{definitions(details)}</details>"
    return escape(row["id"]), status, f'{says}<span class="quiet">{escape(domain)}</span>', escape(slack)


def _targets(targets: Sequence[Content], verb: str) -> str:
    return table(("target", "verdicts", "cases that do not conform"), (_target_row(target, verb) for target in targets))


def _target_row(target: Content, verb: str) -> tuple[str, ...]:
    name, command = escape(target["target"]), judged_again(target, verb)
    if target["failed"]:
        return name, '<span class="yellow">not judged</span>', escape(target["failed"])
    about = target["implementation"]
    name += f'<br><span class="quiet">{escape(about["name"])} {escape(about["version"])} ({escape(about["language"])})</span>'
    name += f"<br><code>{escape(command)}</code>"
    counts = (
        f'<span class="status {_VERDICT_COLOURS.get(verdict, "red")}">{number} {escape(verdict)}</span>'
        for verdict, number in target["summary"].items()
    )
    against = [_case(case, command) for case in target["cases"] if case["verdict"] not in ("conforms", "loose", "unsupported")]
    loose = [_case(case, command) for case in target["cases"] if case["verdict"] == "loose"]
    folded = f'<details><summary><span class="cyan">{len(loose)} loose</span></summary>{"".join(loose)}</details>' if loose else ""
    return name, "<br>".join(counts), "".join(against) + folded


def _case(case: Content, command: str) -> str:
    given = ", ".join(f"{name} = {text}" for name, text in case["input"].items())
    answered = f"{case['claim']}: {case['value']}" if case["claim"] else ""
    items = (("input", given), ("answered", answered), ("truth", case["expected"]), ("command", command))
    colour = _VERDICT_COLOURS.get(case["verdict"], "red")
    title = f'<span class="{colour}">{escape(case["verdict"])}</span> {escape(case["id"])}: {escape(case["detail"])}'
    return f"<details><summary>{title}</summary>{definitions(items)}</details>"
