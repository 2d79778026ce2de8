"""The runner: asks a harness every case of a suite, survives whatever it does, and has the judge decide."""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path

from shuffleproof.conformance import vectors
from shuffleproof.conformance.judging import relations
from shuffleproof.conformance.judging.judge import FAMILY_WISE_ERROR, Judgement, Verdict
from shuffleproof.conformance.reporting.report import ABOUT, CaseResult, Report, circumstances
from shuffleproof.conformance.running import DEADLINE, SEED, journal as journals
from shuffleproof.conformance.running.asking import Item, Unsettled, Work, events, judged
from shuffleproof.conformance.running.conversation import RESTARTS, Conversation
from shuffleproof.conformance.running.journal import Crash, Journal
from shuffleproof.conformance.running.protocol import Greeting
from shuffleproof.conformance.running.selection import EVERYTHING, Selection, held_to_failing, left_out
from shuffleproof.conformance.vectors import Case
from shuffleproof.spec.vocabulary.errors import require

__all__ = ["DIGITS", "RESTARTS", "Interrupted", "Options", "run", "run_cases", "smoke"]

DIGITS = 12
"""Digits that an answer should have, unless others are asked for: what tolerances of vectors assume."""
MOST_JOBS = 64
"""Conversations at once, at most."""

OnResult = Callable[[CaseResult], object]


class Interrupted(KeyboardInterrupt):
    """A run was interrupted after it had asked something. report: what it has until then; its cause is what interrupted it."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self.report = report


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a run is done.

    deadline: seconds for each request; start_deadline: for the greeting and the configuration, each; seed, digits: sent with `configure`,
    and the seed also orders the cases; jobs: how many harness processes work side by side; resume: a journal to keep and to go on from;
    skip: ids that are not asked, or, with skip_must_fail, are asked and must fail.
    """

    deadline: float = DEADLINE
    start_deadline: float = DEADLINE
    seed: int = SEED
    digits: int = DIGITS
    jobs: int = 1
    resume: Path | None = None
    skip: Collection[str] = ()
    skip_must_fail: bool = False

    def check(self) -> None:
        """Raises DomainError for what cannot be meant."""
        require(0 <= self.seed < 10**18, parameter="seed", value=self.seed, requirement="an integer from 0 to 10^18 - 1")
        require(1 <= self.digits <= 1000, parameter="digits", value=self.digits, requirement="an integer from 1 to 1000")
        require(1 <= self.jobs <= MOST_JOBS, parameter="jobs", value=self.jobs, requirement=f"an integer from 1 to {MOST_JOBS}")
        for seconds in (self.deadline, self.start_deadline):
            require(0 < seconds <= 86_400, parameter="deadline", value=seconds, requirement="a number of seconds in (0, 86400]")


def run(
    *, connect: str, suite: str = "all", only: Selection = EVERYTHING, on_result: OnResult | None = None, options: Options | None = None
) -> Report:
    """Run a suite against a harness and judge every answer.

    connect: "cmd:./my-harness args" (no shell) or "py:package.module:factory"; suite: a name from `vectors.suites()`; only: which of
    its cases are asked; on_result: called with each CaseResult as soon as there is one.

    See `run_cases` for what happens, and for what else is raised. Raises DomainError (suite, only), IntegrityError (vectors).
    """
    files = vectors.load_all()
    cases = only.of(vectors.suite_cases(suite, files=files))
    return run_cases(cases, connect=connect, suite=suite, digests=vectors.digests(files), on_result=on_result, options=options)


def smoke(connect: str, *, deadline: float = DEADLINE, on_result: OnResult | None = None) -> Report:
    """Check whether a harness starts, takes its configuration, and answers one question for each operation it declares.

    connect, on_result: as for `run`; deadline: seconds for each request, the greeting too. Raises DomainError, IntegrityError,
    HarnessStartError.
    """
    options = Options(deadline=deadline, start_deadline=deadline)
    options.check()
    with closing(_conversation(connect, options)) as conversation:
        greeting = conversation.start()
    chosen: dict[str, Case] = {}
    files = vectors.load_all()
    for case in vectors.suite_cases("smoke", files=files):
        if case.expected.kind not in ("refusal", "relation") and greeting.supports(case.operation, case.given):
            chosen.setdefault(case.operation, case)
    asked, digests = tuple(chosen.values()), vectors.digests(files)
    return run_cases(asked, connect=connect, suite="start", digests=digests, on_result=on_result, options=options)


def run_cases(
    cases: Sequence[Case],
    *,
    connect: str,
    suite: str,
    digests: Mapping[str, str],
    on_result: OnResult | None = None,
    options: Options | None = None,
    cases_file: str | None = None,
) -> Report:
    """Ask a harness the questions of these cases, each under its number in the order given, in an order drawn from the seed.

    A case is one question; a relation is several, and has a result when all of them have. A case whose operation, method or randomizer
    the harness does not declare is unsupported without being asked. After a crash, a time-out or a broken conversation the harness is
    restarted; the question on which it crashed is asked once more, of a fresh process, when all others have been.
    A process that is restarted RESTARTS times in a row without an answer is given up; when all are, what is left gets the last failure's
    verdict, unasked. However this ends, no process of the harness is left; KeyboardInterrupt is raised as Interrupted, with a report.

    digests: of the files that the cases come from, for the report, as is cases_file. Raises DomainError (connect, options),
    IntegrityError (a damaged journal), HarnessStartError if the harness never comes up.
    """
    options = options or Options()
    options.check()
    error = FAMILY_WISE_ERROR / max(1, sum(case.expected.distribution is not None for case in cases))
    settled: dict[str, CaseResult] = {}
    with ExitStack() as stack:
        conversation = _conversation(connect, options)
        stack.callback(conversation.close)
        greeting = conversation.start()
        about = {"name": greeting.name, "version": greeting.version, "language": greeting.language}
        journal, made = None, circumstances(deadline=options.deadline)
        if options.resume is not None:
            same: dict[str, object] = {"suite": suite, "seed": str(options.seed), "digits": str(options.digits), "implementation": about}
            same |= {"skip": sorted(options.skip), "skip_must_fail": options.skip_must_fail, "cases": _digest(cases, digests)}
            journal = stack.enter_context(
                Journal(options.resume, run=same, about=_about(made, connect, digests, cases, greeting, cases_file))
            )

        def settle(result: CaseResult) -> None:
            settled[result.id] = _listed(result) if result.id in options.skip else result
            if on_result is not None:
                on_result(settled[result.id])

        gathering = relations.Gathering(cases)

        def hear(result: CaseResult) -> None:
            whole = gathering.heard(result)
            if whole is not None:
                settle(whole)

        before = journal.results if journal is not None else {}
        crashes = dict(journal.crashes) if journal is not None else {}
        queued = []
        for case in cases:
            if all(question.id in before for question in relations.questions(case)):
                continue
            if not greeting.supports(case.operation, case.given):
                settle(judged(case, Judgement(verdict=Verdict.UNSUPPORTED, detail="not declared by the harness")))
            elif case.id in options.skip and not options.skip_must_fail:
                settle(judged(case, left_out()))
        asked = [(case.id, question) for case in cases for question in relations.questions(case)]
        for seq, (name, question) in enumerate(asked, start=1):
            if name in settled:
                continue
            if question.id in before:
                hear(before[question.id])
            else:
                queued.append(Item(seq=seq, case=question, crash=crashes.get(question.id)))
        work = Work(sorted(queued, key=lambda item: (item.crash is not None, _place(options.seed, item.case.id))), error=error)
        others = [_conversation(connect, options) for _ in range(options.jobs - 1)]
        interruption: KeyboardInterrupt | None = None
        try:
            for event in events(conversation, others, work):
                if isinstance(event, Crash):
                    crashes[event.id] = event
                    if journal is not None:
                        journal.crashed(event)
                    continue
                if journal is not None and not isinstance(event, Unsettled):
                    journal.settle(event)
                hear(event.result if isinstance(event, Unsettled) else event)
        except KeyboardInterrupt as signalled:
            interruption = signalled
    results = tuple(settled[case.id] for case in cases if case.id in settled)
    report = Report(
        connect=connect,
        suite=suite,
        implementation=about,
        vectors=digests,
        seed=options.seed,
        digits=options.digits,
        replayed=len(crashes),
        unasked=len(cases) - len(results),
        cases_file=cases_file,
        about=made,
        earlier=tuple(each for each in journal.earlier if each["answers"] != "0") if journal is not None else (),
        peak_memory=max((each.peak_memory for each in (conversation, *others) if each.peak_memory is not None), default=None),
        results=results,
    )
    if interruption is not None:
        if any(result.seconds is not None for result in results):
            raise Interrupted(report) from interruption
        raise interruption
    return report


def from_journal(path: Path) -> Report:
    """The report of what a journal holds, whether or not its run has come to an end. Raises IntegrityError."""
    held = journals.read(path)
    first, last = held.parts[0], held.parts[-1]
    suite = held.run["suite"]
    stored = [case for file in vectors.load_all() for case in file.cases if suite in case.suites]
    mine = [case for case in stored if all(question.id in held.results for question in relations.questions(case))]
    if {question.id for case in mine for question in relations.questions(case)}.isdisjoint(held.results):
        results = list(held.results.values())  # of somebody's own cases
    else:
        gathering = relations.Gathering(mine)
        parts = [held.results[question.id] for case in mine for question in relations.questions(case)]
        results = [whole for part in parts if (whole := gathering.heard(part)) is not None]
    listed = set(held.run.get("skip", ()))
    return Report(
        connect=first.get("connect", "unknown"),
        suite=suite,
        implementation=held.run["implementation"],
        vectors=json.loads(first.get("vectors", "{}")),
        seed=int(held.run["seed"]),
        digits=int(held.run["digits"]),
        replayed=len(held.crashes),
        unasked=max(0, int(first.get("declared", len(results))) - len(results)),
        cases_file=first.get("cases_file"),
        about={key: value for key, value in last.items() if key in ABOUT},
        earlier=tuple({key: value for key, value in part.items() if key in (*ABOUT, "answers")} for part in held.parts[:-1]),
        results=tuple(_listed(result) if result.id in listed else result for result in results),
    )


def _about(
    made: Mapping[str, str], connect: str, digests: Mapping[str, str], cases: Sequence[Case], greeting: Greeting, cases_file: str | None
) -> dict[str, str]:
    """Return what a journal remembers of a run so that it can be shown without it."""
    declared = sum(greeting.supports(case.operation, case.given) for case in cases)
    more = {"cases_file": cases_file} if cases_file is not None else {}
    return {**made, "connect": connect, "vectors": json.dumps(dict(digests)), "declared": str(declared), **more}


def _conversation(connect: str, options: Options) -> Conversation:
    return Conversation(connect, deadline=options.deadline, start_deadline=options.start_deadline, seed=options.seed, digits=options.digits)


def _place(seed: int, name: str) -> str:
    """Where the seed puts a case: the same everywhere, whatever else is asked."""
    return hashlib.sha256(f"{seed} {name}".encode()).hexdigest()


def _digest(cases: Iterable[Case], digests: Mapping[str, str]) -> str:
    """Return what a journal is about: the cases and the files they come from."""
    told = "\n".join([*(f"{name} {digest}" for name, digest in sorted(digests.items())), *(case.id for case in cases)])
    return hashlib.sha256(told.encode()).hexdigest()


def _listed(result: CaseResult) -> CaseResult:
    """A listed case that was asked: it must fail."""
    judgement = held_to_failing(Judgement(verdict=result.verdict, detail=result.detail, ratio=result.ratio))
    return replace(result, verdict=judgement.verdict, detail=judgement.detail)
