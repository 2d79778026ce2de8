"""`python tests/deep/plans.py HOURS`: drawn plans against what they mean, for hours of processor.

Which plan is drawn follows from its number. The state is kept in build/plans.json every minute, and the next run goes on there. Once
code that certifies plans is changed, what was compared before is counted as earlier. In the end it prints the hours of the processor for
the present code, how many plans were compared and of which numbers, how many combinations of features occurred in these and in how many
plans each feature did, for which two keys others were refused, and the number of every plan whose certificate is below the exact
divergence, or that cannot be compared; then the exit code is 1.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shuffleproof.spec.vocabulary.files import write_whole

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "tests" / "planning"), str(TOP / "tests" / "deep")]
from drawn_plans import FAMILY_IN_LONG_RUNS, LARGEST_IN_LONG_RUNS, compare, keep_certificates, on_coarse_grids  # noqa: E402
from soak import code_of  # noqa: E402

STATE = TOP / "build" / "plans.json"
FIRST = 10**4
"""The first number: smaller ones are the ordinary test's."""
ENOUGH = 10**5
"""Plans compared after which nothing more is drawn."""
_KEPT_EVERY = 60.0
"""Seconds of the processor."""


FINE_EVERY = 8
"""One of so many families is certified on the grids of everybody's plans; on coarser ones epsilon is up to 0.3 % larger, at a quarter of
the cost."""


def compare_larger(number: int) -> tuple[str, frozenset[str]]:
    """Plans as in the ordinary test, and larger ones; some certified as everybody's plans are."""
    with pytest.MonkeyPatch.context() as patch:
        if number // FAMILY_IN_LONG_RUNS % FINE_EVERY:
            on_coarse_grids(patch)
        return compare(number, largest=LARGEST_IN_LONG_RUNS, of_a_family=FAMILY_IN_LONG_RUNS)


Compare = Callable[[int], tuple[str, frozenset[str]]]
FRESH: dict[str, Any] = {
    "code": "",
    "next": FIRST,
    "seconds": 0.0,
    "outcomes": {},
    "combinations": [],
    "features": {},
    "false": [],
    "failed": {},
    "again": [],
    "earlier": 0,
}
"""Nothing was drawn. next: the first number that was not; again: numbers to be drawn before; earlier: plans compared with other code."""


def gone_on(state: dict[str, Any], seconds: float, compared: Compare = compare_larger) -> dict[str, Any]:
    """The state after so many seconds more, or after enough plans."""
    following, again, false = state["next"], list(state["again"]), list(state["false"])
    outcomes, combinations = Counter(state["outcomes"]), set(state["combinations"])
    occurred, failed = Counter(state["features"]), dict(state["failed"])
    begun = time.process_time()
    while time.process_time() < begun + seconds and outcomes["held"] < ENOUGH:
        number = again.pop(0) if again else following
        following += number == following
        try:
            outcome, features = compared(number)
        except AssertionError:
            false.append(number)
        except Exception as error:  # hours are not lost for one plan; its number says what to look at
            failed[str(number)] = repr(error)[:200]
        else:
            outcomes[outcome] += 1
            if outcome == "held":
                combinations.add(", ".join(sorted(features)))
                occurred.update(features)
    found = {"next": following, "again": again, "outcomes": dict(outcomes), "combinations": sorted(combinations), "false": false}
    found |= {"features": dict(occurred), "failed": failed}
    return {**state, **found, "seconds": round(state["seconds"] + time.process_time() - begun, 3)}


def continued(state: dict[str, Any], code: str) -> dict[str, Any]:
    """The state for the present code, on new plans; those that were certified below the truth are drawn again first."""
    if state.get("code") == code:
        return state
    held = state.get("earlier", 0) + state["outcomes"].get("held", 0)
    return {**FRESH, "code": code, "next": state["next"], "earlier": held, "again": state.get("again", []) + state["false"]}


def told(state: dict[str, Any]) -> str:
    """What was found, in lines."""
    held = f"{state['outcomes'].get('held', 0)} plans compared in {state['seconds'] / 3600:.2f} hours of the processor"
    lines = [f"{held}, of the present code: of numbers below {state['next']}, from {FIRST} on"]
    lines.append(", ".join(f"{feature} in {times}" for feature, times in Counter(state["features"]).most_common()))
    lines += [f"{len(state['combinations'])} combinations of features; {state['earlier']} plans of earlier code"]
    lines += [f"  {outcome}: {times}" for outcome, times in Counter(state["outcomes"]).most_common() if outcome != "held"]
    lines += [f"not compared: plan {number}: {error}" for number, error in state["failed"].items()]
    return "\n".join(lines + [f"certified below the truth: plan {number}" for number in state["false"]])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hours", type=float)
    left = parser.parse_args().hours * 3600
    keep_certificates()
    state = continued(
        json.loads(STATE.read_text("utf-8")) if STATE.exists() else FRESH,
        code_of("spec", "impl", "shuffleproof/accounting", "shuffleproof/mechanisms", "shuffleproof/planning"),
    )
    STATE.parent.mkdir(exist_ok=True)
    while left > 0 and state["outcomes"].get("held", 0) < ENOUGH:
        state = gone_on(state, min(left, _KEPT_EVERY))
        left -= _KEPT_EVERY
        write_whole(STATE, json.dumps(state).encode("utf-8"))
    print(told(state))
    return 1 if state["false"] or state["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
