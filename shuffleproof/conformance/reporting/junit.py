"""A report as JUnit XML, the form that continuous-integration servers show."""

import re
import xml.etree.ElementTree as Tree
from collections.abc import Mapping
from typing import Any

from shuffleproof.conformance.judging.judge import BROKEN, DECLINED, NOT_JUDGED, WRONG
from shuffleproof.spec.vocabulary.numerals import in_words

_KINDS = {"failure": WRONG | DECLINED, "error": BROKEN, "skipped": NOT_JUDGED}
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What XML 1.0 cannot hold, not even escaped; and marks that turn the direction of writing, by which a text could show another."""


def junit(report: Mapping[str, Any]) -> bytes:
    """The XML of a report given as JSON values: one test case for each case, its verdict in the judge's words.

    unsound, mismatch, refused and unskipped are failures; crashed, timed-out and protocol errors; unsupported and skipped are skipped.
    """
    cases = report["cases"]
    about = report["implementation"]
    counts = {kind: sum(case["verdict"] in kinds for case in cases) for kind, kinds in _KINDS.items()}
    seconds = sum(float(case["seconds"] or 0) for case in cases)
    suite = Tree.Element(
        "testsuite",
        name=_clean(f"shuffleproof {report['suite']}: {about['name']} {about['version']}"),
        tests=str(len(cases)),
        failures=str(counts["failure"]),
        errors=str(counts["error"]),
        skipped=str(counts["skipped"]),
        time=f"{seconds:.6f}",
    )
    properties = Tree.SubElement(suite, "properties")
    for name in ("connect", "seed", "digits", "replayed", "digest"):
        Tree.SubElement(properties, "property", name=name, value=_clean(report[name]))
    for case in cases:
        place = _clean(f"shuffleproof.{report['suite']}.{case['operation']}")
        element = Tree.SubElement(suite, "testcase", classname=place, name=_clean(case["id"]), time=case["seconds"] or "0")
        for kind, kinds in _KINDS.items():
            if case["verdict"] in kinds:
                found = Tree.SubElement(element, kind, message=_clean(f"{case['verdict']}: {case['detail']}"))
                if kind != "skipped":
                    found.set("type", case["verdict"])
                    found.text = _clean(_told(case))
        told = [_told(case)] if case["verdict"] == "loose" else []
        if written := "\n".join([*told, *case.get("reproduce", {}).values()]):
            Tree.SubElement(element, "system-out").text = _clean(written)
    if "unasked" in report:
        element = Tree.SubElement(suite, "testcase", classname=_clean(f"shuffleproof.{report['suite']}"), name="the whole suite", time="0")
        Tree.SubElement(element, "error", message=f"interrupted: {report['unasked']} cases were not asked", type="interrupted")
        suite.set("tests", str(len(cases) + 1))
        suite.set("errors", str(counts["error"] + 1))
    root = Tree.Element("testsuites")
    root.append(suite)
    return bytes(Tree.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _told(case: Mapping[str, Any]) -> str:
    given = in_words(case["input"])
    answered = f"answered {case['claim']} {case['value']}" if case["value"] is not None else "no value"
    flags = " ".join(case["flags"]) or "none"
    return "\n".join((f"{case['operation']} at {given}", answered, f"expected {case['expected']}", case["detail"], f"flags: {flags}"))


def _clean(text: str) -> str:
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
