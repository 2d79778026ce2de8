"""Looking for inputs on which a harness is wrong: drawn from a seed, judged against certified truth, shrunk to the simplest."""

import random
import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from shuffleproof.conformance.catalogue import own_cases
from shuffleproof.conformance.catalogue.truth import truth
from shuffleproof.conformance.judging.judge import BROKEN, UNREPROACHED, WRONG, Judgement, Verdict, judge
from shuffleproof.conformance.operations import OPERATIONS
from shuffleproof.conformance.reporting import reproduction
from shuffleproof.conformance.reporting.report import CaseResult
from shuffleproof.conformance.running import DEADLINE, SEED
from shuffleproof.conformance.running.asking import judged, verdict_of
from shuffleproof.conformance.running.conversation import Conversation
from shuffleproof.conformance.running.harness import STDERR_SAYS
from shuffleproof.conformance.running.protocol import Answer, Greeting
from shuffleproof.conformance.running.runner import DIGITS
from shuffleproof.conformance.searching import search_inputs
from shuffleproof.conformance.searching.shrinking import Given, needed_before, shrunk, simplest_before
from shuffleproof.conformance.vectors import Case
from shuffleproof.spec.vocabulary.errors import HarnessError, ResourceLimitError, UndecidedError, UnsupportedError, require, require_one_of
from shuffleproof.spec.vocabulary.randomizers import canonical_name

MOST = 1000
"""Questions of a search, unless others are given."""
SECONDS = 60.0
"""Seconds of a search, unless others are given."""
_NUMBERS = re.compile(r"[-+]?\d[\d./]*(e[-+]?\d+)?")
_LONGEST = 600
"""Characters of a truth that is asked for: answers may not be much longer."""
_OCCASIONS = 3
"""How often a question may have been asked before it is looked at what went before."""
_KINDS = ("method", "randomizer", "protocol", "rule")
Ask = Callable[[int, Case], Answer]


@dataclass(frozen=True, kw_only=True)
class Found:
    """Holds what a search has found.

    asked: questions of the search that had an answer or a failure, without those of shrinking; undecided: inputs of which our own code
    could not say the truth; results: one for each class of findings, at its simplest input; cases: those inputs; interruption: Ctrl-C, or
    the signal that ended it, so that this is what was found until then; out_of_time: whether it ended before its last question; seen: id of
    a case -> how many questions found the same. before: id of a case that is answered rightly by a fresh process -> what must be asked
    first for it to be answered wrongly, nothing where that was not found.
    """

    asked: int
    undecided: int
    results: tuple[CaseResult, ...]
    cases: tuple[Case, ...]
    interruption: KeyboardInterrupt | None = field(default=None, repr=False, compare=False)
    out_of_time: bool = False
    seen: Mapping[str, int] = field(default_factory=dict)
    before: Mapping[str, tuple[Case, ...]] = field(default_factory=dict)

    @property
    def interrupted(self) -> bool:
        """Return whether it was ended, so that this is what was found until then."""
        return self.interruption is not None

    @property
    def exit_code(self) -> int:
        """0: nothing found; 1: wrong answers; 4: failed as a program; 5: nothing was asked; 130: interrupted, whatever was found."""
        if self.interrupted or not self.asked:
            return 130 if self.interrupted else 5
        return 4 if any(result.verdict in BROKEN for result in self.results) else 1 if self.results else 0


def search(
    connect: str,
    *,
    operations: Collection[str] = (),
    methods: Collection[str] = (),
    randomizers: Collection[str] = (),
    users: str | None = None,
    seed: int = SEED,
    seconds: float = SECONDS,
    most: int = MOST,
    deadline: float = DEADLINE,
    save: Path | None = None,
    on_asked: Callable[[CaseResult], object] = lambda _: None,
) -> Found:
    """Search a harness for wrong answers.

    connect, deadline: as for a run; operations, methods, randomizers: among which, of those that the harness declares (all where empty);
    users: about how many, "1000" or "10:1000" for a range (any where None); seed: the same draws again; seconds, most: it ends after so
    long, or so many questions; save: a file of cases for what is found, if something is.
    Raises DomainError, HarnessStartError.
    """
    for name in operations:
        require_one_of(name, OPERATIONS, parameter="operation")
    among_users = None if users is None else search_inputs.users_among(users)
    require(seconds > 0, parameter="time", value=seconds, requirement="a number of seconds above 0")
    require(most > 0, parameter="most", value=most, requirement="an integer of at least 1")
    with closing(
        Conversation(connect, deadline=deadline, start_deadline=max(deadline, DEADLINE), seed=seed, digits=DIGITS)
    ) as conversation:
        greeting = conversation.start()
        for name in methods:
            require_one_of(name, greeting.methods, parameter="method")
        # The kit spells k-RR in two ways, as an operation's own ("k-rr") and in questions of shuffled reports ("krr"): either names both.
        meant = {canonical_name(name) for name in randomizers}
        declared = tuple(name for name in greeting.randomizers if canonical_name(name) in meant)
        for name in randomizers:
            if canonical_name(name) not in map(canonical_name, declared):
                require_one_of(name, greeting.randomizers, parameter="randomizer")
        narrowing = search_inputs.Narrowing(randomizers=frozenset(declared), users=among_users)
        among = [name for name in greeting.operations if name in OPERATIONS and (not operations or name in operations)]
        if methods:
            among = [name for name in among if name in ("delta", "epsilon")]
            greeting = replace(greeting, methods=tuple(methods))
        if randomizers:
            greeting = replace(greeting, randomizers=declared)
        ends = time.monotonic() + seconds

        def goes_on() -> bool:
            return conversation.given_up is None and time.monotonic() < ends

        asked: list[Case] = []

        def ask(seq: int, case: Case) -> Answer:
            asked.append(case)
            return conversation.ask(seq, case)

        found = searched(ask, greeting, operations=among, narrowing=narrowing, seed=seed, most=most, goes_on=goes_on, on_asked=on_asked)
        if not found.interrupted and conversation.given_up is None:
            out_of_time = time.monotonic() >= ends
            found = replace(found, before=remembered(conversation, found, asked), out_of_time=out_of_time)
    if save is not None and found.cases:
        own_cases.write(save, found.cases)
    return found


def searched(
    ask: Ask,
    greeting: Greeting,
    *,
    operations: Collection[str],
    narrowing: search_inputs.Narrowing = search_inputs.EVERYTHING,
    seed: int,
    most: int,
    goes_on: Callable[[], bool] = lambda: True,
    on_asked: Callable[[CaseResult], object] = lambda _: None,
) -> Found:
    """The search itself, whoever answers. ask: a number and a case; narrowing: what is drawn; goes_on: asked before each question."""
    rng, names = random.Random(f"search, {seed}"), list(operations)
    found: dict[tuple[str, ...], tuple[Case, CaseResult]] = {}
    seen: Counter[tuple[str, ...]] = Counter()
    asked = undecided = 0
    interruption = None
    try:
        for turn in range(most if names else 0):
            if not goes_on():
                break
            operation = names[turn % len(names)]
            given = narrowing.drawn(rng, operation, greeting)
            if given is None:
                continue
            one = _one(ask, operation, given)
            if one is None:
                undecided += 1
                continue
            case, result = one
            if result.verdict is Verdict.UNSUPPORTED:
                continue
            asked += 1
            on_asked(result)
            kind = _kind(case, result)
            seen[kind] += 1
            if result.verdict in UNREPROACHED or kind in found:
                continue
            found[kind] = one  # what there is of it, if shrinking is interrupted

            def fails(simpler: Given, operation: str = operation, kind: tuple[str, ...] = kind) -> bool:
                other = _one(ask, operation, simpler) if goes_on() and narrowing.holds(simpler) else None
                failing = other is not None and _kind(*other) == kind
                if failing and other is not None:
                    found[kind] = other
                return failing

            shrunk(given, fails)
    except KeyboardInterrupt as signalled:
        if not asked:
            raise
        interruption = signalled
    results = tuple(result for _, result in found.values())
    cases = tuple(case for case, _ in found.values())
    often = {case.id: seen[kind] for kind, (case, _) in found.items()}
    return Found(asked=asked, undecided=undecided, results=results, cases=cases, interruption=interruption, seen=often)


def remembered(conversation: Conversation, found: Found, asked: Sequence[Case]) -> dict[str, tuple[Case, ...]]:
    """The wrong answers of a search that a fresh process does not give, with what must be asked first (see `Found`)."""
    told: dict[str, tuple[Case, ...]] = {}
    for case, result in zip(found.cases, found.results, strict=True):
        if result.verdict not in WRONG:
            continue
        kind = _kind(case, result)

        def fails(questions: Sequence[Case], kind: tuple[str, ...] = kind) -> bool:
            conversation.renew()
            *earlier, last = questions
            for seq, question in enumerate(earlier, start=1):
                with suppress(HarnessError):
                    conversation.ask(seq, question)
            return _kind(*_asked(conversation.ask, last, seq=len(questions))) == kind

        needed: tuple[Case, ...] | None = () if fails([case]) else None
        for at in [at for at, each in enumerate(asked) if each.id == case.id and needed is None][:_OCCASIONS]:
            alike = [each for each in asked[:at] if each.operation == case.operation and each.id != case.id]
            needed = needed_before(case, alike, fails=fails) if needed is None else needed
        if needed is not None and len(needed) == 1:
            needed = (simplest_before(case, needed[0], made=partial(_made, case.operation), fails=fails),)
        if needed is None or needed:
            told[case.id] = needed or ()
    return told


def by_hand(result: CaseResult, *, connect: str, seed: int, before: Sequence[Case] = ()) -> str:
    """The line that asks a finding again, piped to the harness; before: what is asked first."""
    first = [(case.operation, case.given) for case in before]
    return reproduction.by_hand(connect=connect, seed=seed, digits=DIGITS, operation=result.operation, given=result.given, before=first)


def _one(ask: Ask, operation: str, given: Given) -> tuple[Case, CaseResult] | None:
    """An input asked and judged; None where its truth is not to be had."""
    case = _made(operation, given)
    return None if case is None else _asked(ask, case)


def _made(operation: str, given: Given) -> Case | None:
    try:
        case = own_cases.case_of(operation, given, truth(operation, given))
    except (UndecidedError, ResourceLimitError, UnsupportedError):
        return None
    return case if len(case.expected.shown) <= _LONGEST or case.expected.kind == "refusal" else None


def _asked(ask: Ask, case: Case, *, seq: int = 1) -> tuple[Case, CaseResult]:
    started = time.monotonic()
    try:
        answer = ask(seq, case)
    except HarnessError as failure:
        seconds = time.monotonic() - started
        return case, judged(case, Judgement(verdict=verdict_of(failure), detail=failure.reason), seconds=seconds)
    return case, judged(case, judge(case, answer), answer=answer, seconds=time.monotonic() - started)


def _kind(case: Case, result: CaseResult) -> tuple[str, ...]:
    """Return what makes two findings one: the operation, of what, the verdict, and whether there is an answer at all.

    A program that fails with the same words on stderr, numbers apart, or breaks the protocol in the same way, has one fault, whatever it
    was asked.
    """
    if result.verdict is Verdict.PROTOCOL:
        return result.verdict.value, _NUMBERS.sub("#", result.detail.partition(":")[0])
    if result.verdict in BROKEN and STDERR_SAYS in result.detail:
        return result.verdict.value, _NUMBERS.sub("#", result.detail.partition(STDERR_SAYS)[2])
    return case.operation, *(case.given.get(key, "") for key in _KINDS), result.verdict.value, str(case.expected.kind == "refusal")


__all__ = ["Found", "by_hand", "remembered", "search", "searched"]
