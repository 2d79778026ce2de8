"""Test vectors, the harness protocol, the runner and the judge: how other implementations are measured.

`run` asks an implementation every case of a suite and judges its answers; `smoke` asks one question of each operation; `run_third_party`
does what `run` does for a package that is known here, in a pinned environment of its own; `suites` counts the cases; `starter` is a
harness to begin with.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from shuffleproof.conformance.running import DEADLINE, SEED
from shuffleproof.spec.vocabulary.errors import HarnessStartError, require, require_one_of

if TYPE_CHECKING:
    from shuffleproof.conformance.reporting.report import CaseResult, Report
    from shuffleproof.conformance.running.selection import Selection

Language = Literal["python", "javascript", "cpp", "rust", "go", "julia", "r"]


def __dir__() -> list[str]:
    return [*(name for name in globals() if name.startswith("__")), "run", "run_third_party", "smoke", "starter", "suites"]


def run(
    connect: str,
    *,
    suite: str = "all",
    deadline: float = DEADLINE,
    seed: int = SEED,
    jobs: int = 1,
    resume: str | Path | None = None,
    skip: Collection[str] | str | Path = (),
    skip_must_fail: bool = False,
    only: Selection | None = None,
    cases: str | Path | None = None,
    on_result: Callable[[CaseResult], object] | None = None,
) -> Report:
    """Ask an implementation every case of a suite and judge every answer.

    connect: "cmd:./my-harness --option" (no shell) or "py:package.module:factory"; suite: a name of `suites()`; deadline: seconds for each
    request; seed: sent to the harness, and orders the cases; jobs: processes of the harness, side by side; resume: a journal to keep and
    to go on from; skip: ids of cases, or a file of them, that are not asked, or, with skip_must_fail, are asked and must fail;
    only: which cases of the suite are asked, all of them where it is left out;
    cases: a file of inputs, CSV or JSON, to ask instead of a suite: their truth is computed first;
    on_result: called with each result as soon as there is one.
    Returns a frozen report; its exit_code is 0 where everything conforms. Raises DomainError, IntegrityError, HarnessStartError.
    """
    from shuffleproof.conformance.catalogue import own_cases
    from shuffleproof.conformance.running import runner
    from shuffleproof.conformance.running.selection import EVERYTHING, known_to_fail
    from shuffleproof.conformance.vectors import digests, load_all, suite_cases

    require(bool(skip) or not skip_must_fail, parameter="skip_must_fail", value="given", requirement="used with skip")
    require(cases is None or suite == "all", parameter="suite", value=suite, requirement="left out with cases")
    if cases is None:
        files = load_all()
        asked, sealed = suite_cases(suite, files=files), digests(files)
    else:
        asked, sealed = own_cases.read(Path(cases)), own_cases.digests(Path(cases))
    if isinstance(skip, str | Path):
        skip = known_to_fail(Path(skip), known={case.id for case in asked}) if skip else ()
    journal = None if resume is None else Path(resume)
    options = runner.Options(deadline=deadline, seed=seed, jobs=jobs, resume=journal, skip=skip, skip_must_fail=skip_must_fail)
    return runner.run_cases(
        (only or EVERYTHING).of(asked),
        connect=connect,
        suite=suite if cases is None else "own",
        digests=sealed,
        on_result=on_result,
        options=options,
        cases_file=None if cases is None else str(cases),
    )


def smoke(connect: str, *, deadline: float = DEADLINE, on_result: Callable[[CaseResult], object] | None = None) -> Report:
    """Check whether a harness starts, takes its configuration, and answers one question of each operation that it declares.

    Parameters as for `run`. Raises DomainError, IntegrityError, HarnessStartError.
    """
    from shuffleproof.conformance.running import runner

    return runner.smoke(connect, deadline=deadline, on_result=on_result)


def run_third_party(
    name: str,
    *,
    source: str | Path | None = None,
    suite: str = "all",
    deadline: float = DEADLINE,
    seed: int = SEED,
    jobs: int = 1,
    on_result: Callable[[CaseResult], object] | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> Report:
    """Judge a package that is known here ("opendp", "dp-accounting", ...), in a pinned environment that is made where it is not yet.

    source: a folder with the package's code, judged in the place of its release; on_progress: called with a line at each step of making
    it; the rest as for `run`. Raises HarnessStartError where it cannot be made.
    """
    from shuffleproof.conformance.running import runner
    from shuffleproof.conformance.third_party.environments import Missing, prepare
    from shuffleproof.conformance.vectors import suite_cases

    suite_cases(suite)  # before minutes are spent on an environment
    options = runner.Options(deadline=deadline, seed=seed, jobs=jobs)
    options.check()
    made = prepare(name, source=None if source is None else Path(source), progress=on_progress)
    if isinstance(made, Missing):
        raise HarnessStartError(implementation=name, reason=made.reason)
    return runner.run(connect=made.connect, suite=suite, on_result=on_result, options=options)


def suites() -> dict[str, int]:
    """The suites, with the number of cases in each. Raises IntegrityError where the vectors are not as they were written.

    >>> "smoke" in suites()
    True
    """
    from shuffleproof.conformance import vectors

    return vectors.suites()


def starter(language: Language) -> str:
    """A complete harness to begin with, as text: the distributions of randomized response, at most 75 lines. Raises DomainError."""
    from typing import get_args

    from shuffleproof.conformance import starters

    return starters.text(require_one_of(language, get_args(Language), parameter="language"))
