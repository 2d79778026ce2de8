"""Lists of cases that somebody knows to fail: left out, or held to failing still."""

from collections.abc import Collection
from pathlib import Path

from shuffleproof.conformance.judging.judge import Judgement, Verdict
from shuffleproof.spec.vocabulary.errors import DomainError, require
from shuffleproof.spec.vocabulary.files import read_at_most

_LARGEST_FILE = 1 << 22
"""Bytes of a list of cases known to fail: 4 MiB."""


def read(path: Path, *, known: Collection[str]) -> frozenset[str]:
    """The ids listed in a file, one a line; what follows " #" is a remark, and so is a line that begins with "#".

    known: every id there is. Raises DomainError naming the line for an id that is unknown or listed twice, or if the file cannot be read.
    """
    try:
        text = read_at_most(path, limit=_LARGEST_FILE).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise DomainError(parameter="skip", value=str(path), requirement=f"a file of case ids that can be read ({reason})") from None
    listed: set[str] = set()
    for number, line in enumerate(text.splitlines(), start=1):
        name = "" if line.lstrip().startswith("#") else line.partition(" #")[0].strip()
        if not name:
            continue
        place = f"{path}, line {number}"
        require(name in known, parameter=place, value=name, requirement="the id of a case of the suite")
        require(name not in listed, parameter=place, value=name, requirement="listed once")
        listed.add(name)
    return frozenset(listed)


def left_out() -> Judgement:
    """The judgement on a listed case that is not asked."""
    return Judgement(verdict=Verdict.SKIPPED, detail="listed to be skipped")


def held_to_failing(judgement: Judgement) -> Judgement:
    """The judgement on a listed case that is asked because it must fail: one that does not fail is listed wrongly."""
    if judgement.verdict in (Verdict.UNSUPPORTED, Verdict.SKIPPED):
        return judgement
    if judgement.verdict in (Verdict.CONFORMS, Verdict.LOOSE):
        detail = f"listed to be skipped, but it does not fail any more ({judgement.verdict.value}): take it off the list"
        return Judgement(verdict=Verdict.UNSKIPPED, detail=detail)
    return Judgement(verdict=Verdict.SKIPPED, detail=f"fails, as listed: {judgement.verdict.value}: {judgement.detail}")
