"""docs/decisions/007-words-that-changed.md, from the records in git: `python -m shuffleproof.report.changed_words` prints it."""

import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from shuffleproof.proofs_check.ledger.verdict import Status
from shuffleproof.report.formal_table import extent, upper_methods

BEFORE = "3342715c"
"""The last commit before `proved` had to cover every number of a statement: 562 statements."""
NOW = "9a4bb27b"
"""The commit up to which the page goes: move it on, and print the page again, where words have changed since."""
_RECORD = "proofs_check/recorded.json"
_ABOUT = """# Words that changed since proved covers every number

Made by `python -m shuffleproof.report.changed_words` from the records in git, commits
{before} to {now}; a test makes it again. `alone` is what a row's own check, theorem or argument shows, `along the chain`
the weakest of what it rests on. Why a word changed is told by the commit that changed it; decision
006 has the arguments.

"""
Row = Mapping[str, object]


def _git(*arguments: str) -> str:
    root = Path(__file__).resolve().parents[2]
    return subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True).stdout


def _words(row: Row | None) -> str:
    """Say how a row stands: alone, along its chain where that is another word, and what is wrong with it if it is refuted."""
    if row is None:
        return "none"
    chain = "" if row["status"] == row["own_status"] else f", {row['status']} along its chain"
    kind = f" ({row['kind']})" if row.get("kind") else ""
    return f"{row['own_status']}{kind}{chain}"


def changes(before: str, now: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield (row, words before, words after, subject of the commit), one for each time that a row's words changed, oldest first."""
    last: Mapping[str, Row] = json.loads(_git("show", f"{before}:{_RECORD}"))
    for line in _git("log", "--reverse", "--format=%h %s", f"{before}..{now}", "--", _RECORD).splitlines():
        commit, _, subject = line.partition(" ")
        found: Mapping[str, Row] = json.loads(_git("show", f"{commit}:{_RECORD}"))
        for id in [*found, *(id for id in last if id not in found)]:
            words = _words(last.get(id)), _words(found.get(id))
            if words[0] != words[1]:
                yield id, *words, subject
        last = found


def table(before: str, now: str) -> str:
    """Return the counts by status at both commits, as a table."""
    ends = [json.loads(_git("show", f"{commit}:{_RECORD}")) for commit in (before, now)]
    counts = [Counter(row[field] for row in rows.values()) for rows in ends for field in ("own_status", "status")]
    head = "| status | before, alone | before, along the chain | now, alone | now, along the chain |\n|---|---|---|---|---|\n"
    lines = [f"| {status} | {' | '.join(str(count[status]) for count in counts)} |" for status in Status]
    sums = f"| all | {' | '.join(str(sum(count.values())) for count in counts)} |"
    return head + "\n".join([*lines, sums]) + "\n"


def by_method(before: str, now: str) -> str:
    """Return the methods counted by status, and by how much of them Coq had checked for finitely many messages, at both commits."""
    counts: list[Counter[object]] = []
    for commit in (before, now):
        rows: Mapping[str, Row] = json.loads(_git("show", f"{commit}:{_RECORD}"))
        formal = [id for id, row in rows.items() if row["status"] == Status.FORMAL]
        asked = [method for method in upper_methods() if method.statement in rows]
        counts.append(Counter([*(rows[method.statement]["status"] for method in asked), *(extent(method, formal) for method in asked)]))
    says = {"all of it": "formal for finitely many messages", "a part": "a part of it", "none": "no theorem"}
    lines = [f"| {says.get(name, name)} | {' | '.join(str(count[name]) for count in counts)} |" for name in (*Status, *says)]
    head = "\nThe methods of today, by their statements:\n\n| methods | before | now |\n|---|---|---|\n"
    return head + "\n".join(line for line in lines if not line.endswith("| 0 | 0 |")) + "\n"


def page(now: str = NOW) -> str:
    """Return the page: counts, then the rows by what became of their words, a commit a line."""
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for id, was, became, subject in changes(BEFORE, now):
        grouped.setdefault((was, became, subject), []).append(id)
    lines = []
    for heading, wanted in (
        ("Rows whose word changed", lambda key: "none" not in key[:2]),
        ("New rows", lambda key: key[0] == "none"),
        ("Rows that are gone", lambda key: key[1] == "none"),
    ):
        lines.append(f"\n## {heading}\n")
        for (was, became, subject), ids in grouped.items():
            if wanted((was, became)):
                change = became if was == "none" else was if became == "none" else f"{was} to {became}"
                lines.append(f"- {change}: {', '.join(ids)}. {subject}.")
    return _ABOUT.format(before=BEFORE, now=now) + table(BEFORE, now) + by_method(BEFORE, now) + "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
