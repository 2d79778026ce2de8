"""What `print` shows of a report: a line, and a line for each of the first cases against it."""

from shuffleproof.conformance.judging.judge import Verdict
from shuffleproof.conformance.reporting.report import CaseResult, Report


def reported(*verdicts: Verdict) -> Report:
    results = tuple(
        CaseResult(id=f"delta n={at}", operation="delta", given={}, verdict=verdict, detail="\x1b[2J" + "9" * 300, expected="0", flags=())
        for at, verdict in enumerate(verdicts)
    )
    about = {"name": "x", "version": "1", "language": "Python"}
    return Report(connect="py:x:y", suite="smoke", implementation=about, vectors={}, seed=1, digits=9, results=results)


def test_a_report_prints_in_a_few_short_lines() -> None:
    found = reported(Verdict.CONFORMS, *[Verdict.UNSOUND] * 12)
    lines = str(found).splitlines()
    assert lines[0] == "x 1, suite smoke, 13 cases: 1 conforms, 12 unsound"
    assert lines[1].startswith("  unsound: delta n=1: ")
    assert lines[-1] == "  and 2 more in `results`"
    assert max(map(len, lines)) < 200
    assert "\x1b" not in str(found)
    assert repr(found) == "<Report of x, suite smoke: 1 conforms, 12 unsound>"
    assert repr(found.results[1]) == "<CaseResult unsound: delta n=1>"
    assert str(reported(Verdict.LOOSE)) == "x 1, suite smoke, 1 case: 1 loose"
