"""The report of `verify` as one HTML page that needs nothing else: no network, no script, no font."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from shuffleproof.ledger_text import COLOURS, counted, domain_and_slack
from shuffleproof.verify_text import cross_check_line, mutants_counted

Content = Mapping[str, Any]

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --quiet: #767676; --green: #1a7f37; --cyan: #1b7c83; --red: #cf222e; --yellow: #9a6700; }
@media (prefers-color-scheme: dark) { :root { --quiet: #999; --green: #57c46c; --cyan: #56c2c9; --red: #ff7b72; --yellow: #e3b341; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 78rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.quiet { color: var(--quiet); } .verdict { font-size: 1.1rem; margin: 1rem 0; padding: .6rem .9rem; border-left: .3rem solid; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .45rem .7rem .45rem 0; }
th { border-bottom: 2px solid var(--line); font-weight: 600; } td { border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
td.name { white-space: nowrap; overflow-wrap: normal; font-weight: 600; } .status { white-space: nowrap; }
summary { cursor: pointer; } details dl { margin: .4rem 0; } dt { color: var(--quiet); font-size: .85rem; } dd { margin: 0 0 .35rem 0; }
.green { color: var(--green); } .cyan { color: var(--cyan); } .red { color: var(--red); } .yellow { color: var(--yellow); }
code { font-size: .9em; }
"""
_HEAD = (
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    f"<title>shuffleproof report</title><style>{_STYLE}</style></head><body>\n"
)
_LEGEND = (
    "proved: symbolic or interval proof over the stated range; exhausted: every case of a finite domain, exactly; certified: rigorous "
    "enclosures, or exact rationals, at listed points; sampled: drawn cases only; refuted: a certified counterexample inside the stated "
    "range; vacuous: nothing satisfies the hypothesis there; open: not machine-checked.",
    "unsound: an upper bound below the certified truth, or a lower one above it; loose: sound, but beyond the truth by more than the case "
    "allows; mismatch: an estimate, law or sample outside its tolerance; refused: declined a case that has an answer.",
    "To decide a statement again: shuffleproof ledger check ID. To judge a target again: shuffleproof conform run -i TARGET.",
)
_VERDICT_COLOURS = {"conforms": "green", "loose": "cyan", "unsupported": "quiet", "refused": "yellow", "unsound": "red", "mismatch": "red"}


def page(content: Content) -> str:
    """The whole page for a report (see shuffleproof.report)."""
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
        _table(("statement", "status", "what it says; domain [cases]", "slack, or witness"), (_ledger_row(row) for row in rows)),
        "<h2>Engines against each other</h2>",
        _list(cross_check_line(check) for check in content["cross_checks"]),
        "<h2>Our engines through the conformance suite</h2>",
        _targets(content["engines"]),
        "<h2>Third-party packages through the conformance suite</h2>",
        _targets(content["third_party"]),
        "<h2>How to read this</h2>",
        _list(_LEGEND),
    ]
    return _HEAD + "\n".join(body) + "\n</body></html>\n"


def _verdict(content: Content) -> str:
    problems: Sequence[str] = content["problems"]
    if not problems:
        return '<p class="verdict green">Every promise of our own holds: no drift, no surviving mutant, no engine contradicted.</p>'
    return f'<div class="verdict red">{len(problems)} of our own promises broken{_list(problems)}</div>'


def _ledger_row(row: Content) -> tuple[str, ...]:
    domain, slack = domain_and_slack(row)
    details = [("says", row["says"]), ("range", row["range"]), ("place", f"{row['where']}; formula from: {row['provenance']}")]
    details += [("witness", row["witness"]), ("holds instead", row["corrected"]), ("note", row["note"]), ("slack", row["slack"])]
    details += [("rests on", "; ".join(row["rests_on"])), ("governs", ", ".join(row["governs"])), ("seconds", row["seconds"])]
    details += [("mutant " + ("killed" if mutant["killed"] else "SURVIVES"), mutant["change"]) for mutant in row["mutants"]]
    listed = "".join(f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in details if text)
    status = f'<span class="status {COLOURS[row["status"]]}">{escape(row["status"])}</span>'
    says = f"<details><summary>{escape(row['says'])}</summary><dl>{listed}</dl></details>"
    return escape(row["id"]), status, f'{says}<span class="quiet">{escape(domain)}</span>', escape(slack)


def _targets(targets: Sequence[Content]) -> str:
    return _table(("target", "verdicts", "cases that do not conform"), (_target_row(target) for target in targets))


def _target_row(target: Content) -> tuple[str, ...]:
    name = escape(target["target"])
    if target["failed"]:
        return name, '<span class="yellow">not judged</span>', escape(target["failed"])
    about = target["implementation"]
    name += f'<br><span class="quiet">{escape(about["name"])} {escape(about["version"])} ({escape(about["language"])})</span>'
    counts = (
        f'<span class="status {_VERDICT_COLOURS.get(verdict, "red")}">{number} {escape(verdict)}</span>'
        for verdict, number in target["summary"].items()
    )
    against = [_case(case) for case in target["cases"] if case["verdict"] not in ("conforms", "loose", "unsupported")]
    loose = [_case(case) for case in target["cases"] if case["verdict"] == "loose"]
    folded = f'<details><summary><span class="cyan">{len(loose)} loose</span></summary>{"".join(loose)}</details>' if loose else ""
    return name, "<br>".join(counts), "".join(against) + folded


def _case(case: Content) -> str:
    given = ", ".join(f"{name} = {text}" for name, text in case["input"].items())
    items = (("input", given), ("answered", f"{case['claim']}: {case['value']}" if case["claim"] else ""), ("truth", case["expected"]))
    listed = "".join(f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in items if text)
    colour = _VERDICT_COLOURS.get(case["verdict"], "red")
    title = f'<span class="{colour}">{escape(case["verdict"])}</span> {escape(case["id"])}: {escape(case["detail"])}'
    return f"<details><summary>{title}</summary><dl>{listed}</dl></details>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "\n".join('<tr><td class="name">' + "</td><td>".join(cells) + "</td></tr>" for cells in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>" if body else "<p>None.</p>"


def _list(lines: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"
