"""The report of `verify` as stored: one sealed JSON file, and pages for people beside it."""

from pathlib import Path
from typing import cast

from shuffleproof.conformance import stored_json
from shuffleproof.report.records import VerificationReport
from shuffleproof.spec.vocabulary.errors import IntegrityError
from shuffleproof.spec.vocabulary.files import made_folder, write_whole

FORMAT = "shuffleproof-verification-2"
JSON_NAME = "report.json"


def prepare(folder: Path) -> None:
    """Make sure that a report can be written to this folder, before the work starts. Raises DomainError."""
    made_folder(folder, parameter="report")


def write(folder: Path, content: VerificationReport) -> None:
    """Write the pages, then report.json with a digest of all of it. Each appears complete or not at all."""
    from shuffleproof.report.pages import report_pages

    for name, page in report_pages(content).items():
        (folder / name).parent.mkdir(exist_ok=True)
        write_whole(folder / name, page.encode("utf-8"))
    stored_json.write(folder / JSON_NAME, {**content, "digest": stored_json.digest(content)})


def read(folder: Path) -> VerificationReport:
    """The report in a folder. Raises IntegrityError unless it is exactly what was written."""
    path = folder / JSON_NAME
    content = stored_json.read(path)
    if not isinstance(content, dict) or content.get("format") != FORMAT or not VerificationReport.__required_keys__ <= {*content}:
        raise IntegrityError(path=str(path), reason=f"not a report of the format {FORMAT}")
    found = content.pop("digest", None)
    if found != stored_json.digest(content):
        raise IntegrityError(path=str(path), reason="digest: the report's content and digest differ")
    return cast(VerificationReport, content)
