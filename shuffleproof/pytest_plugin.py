"""`pytest --shuffleproof-target=CONNECT`: every case of a conformance suite as a test of your own, beside your own tests.

    pytest --shuffleproof-target=py:mypackage.harness:factory
    pytest --shuffleproof-target="cmd:./my-harness" --shuffleproof-suite=smoke -k epsilon
    pytest --shuffleproof-target="cmd:./my-harness" shuffleproof::delta-clones-n-1-epsilon0-ln-3-epsilon-0

Nothing is imported and nothing is collected without the option.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from shuffleproof.conformance.reporting.report import CaseResult
    from shuffleproof.spec.vocabulary.errors import ShuffleproofError

    _Told = tuple[CaseResult, dict[str, str]]

_HOLDS_NOTHING_AGAINST = ("conforms", "loose")
_PLACE = "shuffleproof::"
_PASTED: pytest.StashKey[list[str]] = pytest.StashKey()


def node_id(case_id: str) -> str:
    """The id of a case's test: nothing in it that a shell or -k would take for something else."""
    return _PLACE + re.sub(r"[^\w.+/-]+", "-", case_id)


class NotConformingError(Exception):
    """A case did not conform; the message is the judge's."""


class ConformanceCase(pytest.Item):
    """One case of the suite. The first one that runs has all selected ones asked, in one process of the harness; the others look up."""

    def __init__(self, *, case_id: str, **rest: Any) -> None:
        super().__init__(**rest)
        self.case_id = case_id

    def runtest(self) -> None:
        """Pass if the case conforms (or is loose), skip if it is not supported, fail otherwise."""
        result, reproduce = _results(self.session)[self.case_id]
        verdict = result.verdict.value
        if verdict == "unsupported":
            pytest.skip(result.detail)
        if verdict not in _HOLDS_NOTHING_AGAINST:
            given = ", ".join(f"{name} = {text}" for name, text in result.given.items())
            answered = f"answered {result.claim} {result.value}; " if result.value is not None else ""
            lines = [f"{verdict}: {result.operation} at {given}: {answered}{result.detail}", *reproduce.values()]
            raise NotConformingError("\n".join(lines))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The judge's words instead of a traceback through this file."""
        if isinstance(excinfo.value, NotConformingError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, None, str]:
        """Where a report places the case."""
        return "shuffleproof", None, self.name


def pytest_addoption(parser: pytest.Parser) -> None:
    """The two options."""
    group = parser.getgroup("shuffleproof", "conformance with shuffleproof's test vectors")
    group.addoption("--shuffleproof-target", metavar="CONNECT", help='"py:package.module:factory" or "cmd:./my-harness"')
    group.addoption("--shuffleproof-suite", metavar="NAME", default="all", help='see "shuffleproof conform list"; default all')


def pytest_configure(config: pytest.Config) -> None:
    """Ids of cases among the arguments are no files: they are put aside, and select."""
    if config.getoption("--shuffleproof-target") is not None:
        config.stash[_PASTED] = [argument for argument in config.args if argument.startswith(_PLACE)]
        config.args = [argument for argument in config.args if not argument.startswith(_PLACE)]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the cases, before -k and -m select."""
    if config.getoption("--shuffleproof-target") is None:
        return
    from shuffleproof.conformance.vectors import suite_cases
    from shuffleproof.spec.vocabulary.errors import ShuffleproofError

    try:
        cases = suite_cases(config.getoption("--shuffleproof-suite"))
    except ShuffleproofError as error:
        raise pytest.UsageError(str(error)) from None
    named = {node_id(case.id): case.id for case in cases}
    pasted = config.stash[_PASTED]
    for name in pasted:
        if name not in named:
            near = "".join(f"\n  {each}" for each in get_close_matches(name, named, n=3, cutoff=0.5))
            raise pytest.UsageError(f"{name}: no case of this suite has this id; the nearest:{near or ' none'}")
    for name in pasted or named:
        title = name.removeprefix(_PLACE)
        items.append(ConformanceCase.from_parent(session, name=title, nodeid=name, case_id=named[name]))


_RESULTS: pytest.StashKey[dict[str, _Told] | ShuffleproofError] = pytest.StashKey()


def _results(session: pytest.Session) -> dict[str, _Told]:
    """The results of the selected cases, asked once; a harness that does not start is not started again for every case."""
    from shuffleproof.conformance.running.runner import run
    from shuffleproof.conformance.running.selection import Selection
    from shuffleproof.spec.vocabulary.errors import ShuffleproofError

    config = session.config
    if _RESULTS not in config.stash:
        wanted = {item.case_id for item in session.items if isinstance(item, ConformanceCase)}
        target, suite = config.getoption("--shuffleproof-target"), config.getoption("--shuffleproof-suite")
        try:
            report = run(connect=target, suite=suite, only=Selection(ids=wanted))
            config.stash[_RESULTS] = {result.id: (result, report.reproduce(result)) for result in report.results}
        except ShuffleproofError as error:
            config.stash[_RESULTS] = error
    found = config.stash[_RESULTS]
    if isinstance(found, ShuffleproofError):
        raise NotConformingError(str(found))
    return found
