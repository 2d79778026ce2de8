"""`pytest --shuffleproof-target=CONNECT`: every case of a conformance suite as a test of your own, beside your own tests.

    pytest --shuffleproof-target=py:mypackage.harness:factory
    pytest --shuffleproof-target="cmd:./my-harness" --shuffleproof-suite=smoke -k epsilon

Nothing is imported and nothing is collected without the option.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from shuffleproof.conformance.report import CaseResult
    from shuffleproof.spec.vocabulary.errors import ShuffleproofError

_HOLDS_NOTHING_AGAINST = ("conforms", "loose")


class NotConformingError(Exception):
    """A case did not conform; the message is the judge's."""


class ConformanceCase(pytest.Item):
    """One case of the suite. The first one that runs has all selected ones asked, in one process of the harness; the others look up."""

    def __init__(self, *, case_id: str, **rest: Any) -> None:
        super().__init__(**rest)
        self.case_id = case_id

    def runtest(self) -> None:
        """Pass if the case conforms (or is loose), skip if it is not supported, fail otherwise."""
        result = _results(self.session)[self.case_id]
        verdict = result.verdict.value
        if verdict == "unsupported":
            pytest.skip(result.detail)
        if verdict not in _HOLDS_NOTHING_AGAINST:
            given = ", ".join(f"{name} = {text}" for name, text in result.given.items())
            answered = f"answered {result.claim} {result.value}; " if result.value is not None else ""
            raise NotConformingError(f"{verdict}: {result.operation} at {given}: {answered}{result.detail}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The judge's words instead of a traceback through this file."""
        if isinstance(excinfo.value, NotConformingError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str, None, str]:
        """Where a report places the case."""
        return "shuffleproof", None, self.case_id


def pytest_addoption(parser: pytest.Parser) -> None:
    """The two options."""
    group = parser.getgroup("shuffleproof", "conformance with shuffleproof's test vectors")
    group.addoption("--shuffleproof-target", metavar="CONNECT", help='"py:package.module:factory" or "cmd:./my-harness"')
    group.addoption("--shuffleproof-suite", metavar="NAME", default="all", help='see "shuffleproof conform list"; default all')


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
    items += [ConformanceCase.from_parent(session, name=f"shuffleproof[{case.id}]", case_id=case.id) for case in cases]


_RESULTS: pytest.StashKey[dict[str, CaseResult] | ShuffleproofError] = pytest.StashKey()


def _results(session: pytest.Session) -> dict[str, CaseResult]:
    """The results of the selected cases, asked once; a harness that does not start is not started again for every case."""
    from shuffleproof.conformance.runner import run
    from shuffleproof.spec.vocabulary.errors import ShuffleproofError

    config = session.config
    if _RESULTS not in config.stash:
        wanted = {item.case_id for item in session.items if isinstance(item, ConformanceCase)}
        target, suite = config.getoption("--shuffleproof-target"), config.getoption("--shuffleproof-suite")
        try:
            config.stash[_RESULTS] = {result.id: result for result in run(connect=target, suite=suite, only=wanted).results}
        except ShuffleproofError as error:
            config.stash[_RESULTS] = error
    found = config.stash[_RESULTS]
    if isinstance(found, ShuffleproofError):
        raise NotConformingError(str(found))
    return found
