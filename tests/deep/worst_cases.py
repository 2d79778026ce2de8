"""`python tests/deep/worst_cases.py MINUTES`: random, extreme and hostile calls of every method and verb, under a watch of 60 s and 2 GiB.

Each call is answered or refused with an error of ours, within the watch; whatever is not is printed as one line that asks it again. The
seconds are of the processor, so that a busy machine accuses nobody. Cases follow from the seed and their number; the state is kept in
build/worst-SEED.json after each, and the next run goes on there, or is done after so many calls (--calls).
"""

import argparse
import json
import os
import random
import resource
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import worst_commands

from shuffleproof.spec.vocabulary.files import write_whole

BUILD = Path(__file__).resolve().parents[2] / "build"
SECONDS = 60
"""Of the processor, for one call: what a user waits for without thinking that it has stopped."""
BYTES = 2 << 30
"""Of address space, for all calls of one process: the memory of a small machine."""
CALLS = 2_500
"""Calls after which a walk is done."""
SLOW = 20.0
"""Seconds from which a call is listed, though it is within the watch."""
_ASK = [sys.executable, os.path.abspath(__file__), "--answer"]


def case(number: int, seed: int) -> dict[str, Any]:
    """The question of this number, to a method or to the command line: JSON-ready, every number as its text."""
    if number % 2:
        return worst_commands.command(random.Random(f"{seed} {number}"))
    from shuffleproof.methods import METHODS, engines_for
    from shuffleproof.spec.vocabulary.randomizers import NAMED

    chance = random.Random(f"{seed} {number}")

    def logarithmic(low: float, high: float) -> str:
        return f"{10 ** chance.uniform(low, high):.3g}"

    method = METHODS[chance.choice(sorted(METHODS))]
    quantity = chance.choice(method.quantities)
    n = chance.choice((1, 2, 10**12, round(10 ** chance.uniform(0, 12)), round(10 ** chance.uniform(2, 6))))
    given: dict[str, str] = {"n": str(n)}
    for each in method.parameters:
        # A parameter that nobody draws is a KeyError: a walk whose questions are all refused would find nothing.
        given[each.name] = {
            "epsilon0": chance.choice((logarithmic(-12, 4), logarithmic(-1, 1), "0", "700", "10000")),
            "delta0": chance.choice((logarithmic(-300, 0), "0", "1")),
            "k": str(chance.choice((2, 3, 10**9, round(10 ** chance.uniform(0.4, 9))))),
            "p": chance.choice((logarithmic(0, 12), "infinity", "1"))
            if "beta" in method.takes
            else chance.choice(("0.5", "0", "1", "0.999", logarithmic(-12, 0))),
            "beta": chance.choice((logarithmic(-12, 0), "1", "0")),
            "q": logarithmic(0, 9),
            "lam": str(chance.choice((0, n, round(n * chance.random()), min(n, round(10 ** chance.uniform(0, 6)))))),
            "r": str(chance.choice((1, 2, 10, 1000, 10**9))),
            "changed": str(chance.choice((1, 2))),
            "sensitivity": str(chance.choice((1, 2, 10**9, round(10 ** chance.uniform(0, 12))))),
            "sigma": chance.choice((logarithmic(-6, 6), logarithmic(-1, 2))),
            "messages": str(chance.choice((1, 2, 1000, round(10 ** chance.uniform(0, 9))))),
            "modulus": str(chance.choice((2, 2**256, round(10 ** chance.uniform(0.4, 70))))),
            "variance": chance.choice((logarithmic(-12, 9), logarithmic(-1, 3), "1000000000")),
            "coins": str(chance.choice((1, 2, 10**9, round(10 ** chance.uniform(0, 12))))),
            "fakes": str(chance.choice((1, 2, 10**12, round(10 ** chance.uniform(0, 12)), round(10 ** chance.uniform(2, 6))))),
            "randomizer": chance.choice(sorted(NAMED)),
        }[each.name]
    if "dishonest" in (each.name for each in method.optional):
        given["dishonest"] = str(chance.choice((0, 0, n // 2, n - 1)))
    if "randomizer" in given:
        given |= randomizer_needs(given["randomizer"], chance)
    third = {"epsilon": "delta", "delta": "epsilon", "renyi": "order"}[quantity]
    deltas = (logarithmic(-300, 0), logarithmic(-12, -2), "0", "1", "1e-300")
    given[third] = {
        "delta": chance.choice(deltas),
        "epsilon": chance.choice((logarithmic(-6, 1), "0", logarithmic(-12, 4))),
        "order": chance.choice(("2", logarithmic(0.01, 6), "1000000")),
    }[third]
    engine = chance.choice((*engines_for(method, quantity), "auto"))
    digits = None if engine in ("exact", "fast") else chance.choice((None, 1, 6, 30, 300))
    return {"quantity": quantity, "method": method.name, "engine": engine, "digits": digits, "parameters": given}


def randomizer_needs(name: str, chance: random.Random) -> dict[str, str]:
    from shuffleproof.spec.vocabulary.randomizers import NAMED

    k = chance.choice((2, 3, 10**9, round(10 ** chance.uniform(0.4, 9))))
    values: dict[str, object] = {"k": k, "d": max(1, k // chance.choice((2, 3, 10)))}
    values |= {"blocks": chance.choice((1, 4)), "buckets": chance.choice((2, 4, 1000))}
    values |= {"p_other": chance.choice(("1/4", "1/2", "1e-9")), "p_own": chance.choice(("1/2", "999/1000"))}
    needed = {each: str(values[each]) for each in NAMED[name].needs()}
    return needed | ({"family": chance.choice(("any", "uniform"))} if name == "hash" and chance.random() < 0.5 else {})


def answered() -> None:
    """In the watched process: answer the questions on stdin, one line each."""
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    from shuffleproof.bounds import answer
    from shuffleproof.spec.vocabulary.errors import ShuffleproofError

    for line in sys.stdin:
        asked = json.loads(line)
        before = time.process_time()
        try:
            said = worst_commands.ended(**asked) if "command" in asked else "answered" if answer(**asked) else ""
        except ShuffleproofError as refusal:
            said = f"{type(refusal).__name__}: {refusal}"
        except Exception as error:
            said = f"FAULT {type(error).__name__}: {error}"
        print(json.dumps([said[:300], round(time.process_time() - before, 2)]), flush=True)


def walked(first: int, seed: int, until: float) -> Iterator[tuple[dict[str, Any], str, float]]:
    """Questions with what was said, and the seconds of the processor that it took."""
    number, watched = first, None
    try:
        while time.monotonic() < until:
            watched = watched or subprocess.Popen(_ASK, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            asked = case(number, seed)
            number += 1
            said, seconds = _watched_answer(watched, asked)
            if said is not None and watched.poll() is not None:
                watched = _ended(watched)
            if said is None:
                said, watched = ("HANGS" if seconds else "FAULT the process died"), _ended(watched)
            yield asked, said, seconds
    finally:
        _ended(watched)


def _watched_answer(watched: subprocess.Popen[str], asked: dict[str, Any]) -> tuple[str | None, float]:
    """What was said, None if nothing; the seconds, 0 where the process died."""
    assert watched.stdin is not None
    assert watched.stdout is not None
    begun = used(watched.pid)
    watched.stdin.write(json.dumps(asked) + "\n")
    watched.stdin.flush()
    while not select.select([watched.stdout], [], [], 0.5)[0]:
        if used(watched.pid) - begun > SECONDS:
            return None, float(SECONDS)
    line = watched.stdout.readline()
    if not line:
        return None, 0.0
    try:
        said, seconds = json.loads(line)
    except ValueError:  # printed by what answers: what follows is out of step
        watched.kill()
        watched.wait()
        return f"FAULT it printed {line[:200]!r}", 0.0
    return said, seconds


def _ended(watched: subprocess.Popen[str] | None) -> None:
    if watched is not None:
        with watched:
            watched.kill()


def used(pid: int) -> float:
    """Seconds of the processor that a process has used."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def fresh() -> dict[str, Any]:
    """Nothing was asked yet. next: the first number that was not asked; slowest: seconds; wrong, slow: lines that ask again."""
    return {"next": 0, "refused": 0, "slowest": 0.0, "wrong": [], "slow": []}


def after(state: dict[str, Any], question: dict[str, Any], said: str, seconds: float) -> dict[str, Any]:
    """The state when one more question was answered."""
    bad = said.startswith(("FAULT", "HANGS"))
    again = json.dumps(question).replace("null", "None")
    line = f"{said} ({seconds} s): {'worst_commands.ended' if 'command' in question else 'answer'}(**{again})"
    return {
        "next": state["next"] + 1,
        "refused": state["refused"] + (not bad and not said.startswith(("answered", "0:", "1:", "3:"))),
        "slowest": max(state["slowest"], seconds),
        "wrong": state["wrong"] + [line] * bad,
        "slow": state["slow"] + [line] * (not bad and seconds > SLOW),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minutes", nargs="?", type=float, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument("--answer", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.answer:
        answered()
        return 0
    kept = BUILD / f"worst-{options.seed}.json"
    state = json.loads(kept.read_text("utf-8")) if kept.exists() else fresh()
    BUILD.mkdir(exist_ok=True)
    print(f"seed {options.seed}, from question {state['next']}", flush=True)
    until = time.monotonic() + 60 * options.minutes
    if state["next"] < options.calls:
        for found in walked(state["next"], options.seed, until):
            state = after(state, *found)
            write_whole(kept, json.dumps(state, indent=1).encode())
            if state["next"] >= options.calls:
                break
    print("\n".join(state["wrong"] + state["slow"]))
    print(
        f"seed {options.seed}: {state['next']} questions, {state['refused']} refused, the slowest {state['slowest']} s; "
        f"{len(state['wrong'])} at fault, or not within {SECONDS} s and {BYTES >> 30} GiB"
    )
    return 1 if state["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
