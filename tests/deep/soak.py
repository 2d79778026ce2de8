"""`python tests/deep/soak.py HOURS`: engines and methods against each other and themselves, for hours of processor.

Three kinds of questions, which follow from the seed and their number: whether exact values lie inside balls and float64 sides around
them (as `verify` asks some hundred of); whether methods stand in the order that theorems give them (clones, stronger clones, a
randomizer's own pair, every upper bound above every lower one); whether a bound falls with n and delta and rises with eps0. What
contradicts itself is made as simple as it can be and still does, and printed as one line that asks it again.

The state is kept in build/soak-SEED.json every ten seconds; the next run goes on there, and runs of two seeds go on side by side. Where
the code of specification or engines has changed, what counts begins again, and what contradicted itself is asked first.
"""

import argparse
import hashlib
import json
import math
import random
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from shuffleproof.bounds import answer
from shuffleproof.conformance.stored_json import code_digest as digest
from shuffleproof.methods import METHODS, engines_for
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import ShuffleproofError
from shuffleproof.spec.vocabulary.files import write_whole
from shuffleproof.spec.vocabulary.numerals import as_given
from shuffleproof.spec.vocabulary.randomizers import NAMED
from shuffleproof.verification import cross_checks, drawn_parameters

TOP = Path(__file__).resolve().parents[2]
BUILD = TOP / "build"
Question = dict[str, Any]

ORDERS: tuple[tuple[str, str], ...] = (
    ("clones-closed-form", "clones"),
    ("clones", "stronger-clones"),
    ("stronger-clones", "binary-rr-pair"),
    ("approximate-clones", "stronger-approximate-clones"),
    ("stronger-clones", "randomizer-pair"),
    ("randomizer-pair", "randomizer-lower"),
    ("randomizer-pair", "homogeneous"),
    ("blanket", "homogeneous"),
    ("blanket", "randomizer-lower"),
    ("stronger-clones", "k-rr-blanket"),
    ("k-rr-clones", "k-rr-pair"),
    ("k-rr-blanket", "k-rr-pair"),
    ("k-rr-blanket-hoeffding", "k-rr-blanket"),
    ("k-rr-blanket-bennett", "k-rr-blanket"),
    ("stronger-clones", "k-rr-pair"),
    ("stronger-clones", "adaptive-pair"),
    ("first-arrival", "adaptive-pair"),
    ("first-arrival", "binary-rr-pair"),
    ("first-arrival", "k-rr-pair"),
    ("another-place", "homogeneous"),
    ("another-place", "randomizer-lower"),
    ("approximate-clones-closed-form", "leaking-response"),
    ("first-arrival-approximate", "leaking-response"),
    ("gaussian-blanket", "gaussian-homogeneous"),
    ("gaussian-place", "gaussian-homogeneous"),
    ("k-rr-closed-form", "k-rr-pair"),
)
"""The first is never below the second, at the same parameters."""
FALLING = ("clones", "stronger-clones", "binary-rr-pair", "k-rr-clones", "k-rr-pair", "k-rr-blanket", "randomizer-pair", "homogeneous")
"""Methods whose value falls with n, since anybody can add one more message to those of the others, and with delta or epsilon."""
RISING = ("clones", "stronger-clones", "binary-rr-pair", "k-rr-pair")
"""Methods whose value rises with eps0: less private randomizers are more of them, or give the others by processing of reports."""


def drawn(number: int, seed: int) -> tuple[str, Question]:
    """The kind of the question of this number, and what is asked."""
    chance = random.Random(f"{seed} {number}")
    kind = ("exact inside balls", "float64 against balls", "methods in order", "monotone")[number % 4]
    if kind in ("exact inside balls", "float64 against balls"):
        one, draw = ("exact", drawn_parameters.small) if kind.startswith("exact") else ("fast", drawn_parameters.large)
        methods = cross_checks.compared(one, "ball")  # type: ignore[arg-type]
        method, quantity = chance.choice(methods), chance.choice(("epsilon", "delta"))
        return kind, {"method": method.name, "quantity": quantity, "given": draw(chance, method, quantity)}  # type: ignore[arg-type]
    methods = chance.choice(ORDERS) if kind == "methods in order" else ()
    engine = chance.choice(("ball", "ball", "fast")) if all("ball" in engines_for(METHODS[each]) for each in methods) else "fast"
    in_floats = engine == "fast" and all("fast" in engines_for(METHODS[each]) for each in methods)
    n = round(10 ** chance.uniform(0, 8 if in_floats else 4))
    local = Fraction(round(chance.choice((chance.uniform(0.01, 3), 10 ** chance.uniform(-4, 0), chance.uniform(3, 9))), 5))
    local = Fraction(f"{float(local):.5g}") or Fraction(1, 100)
    quantity = chance.choice([each for each in ("epsilon", "delta") if all(each in METHODS[method].quantities for method in methods)])
    delta = Fraction(f"1e-{chance.randint(1, chance.choice((12, 60)))}")
    central = {"delta": delta} if quantity == "epsilon" else {"epsilon": Fraction(f"{float(local) * 10 ** chance.uniform(-3, 0):.4g}")}
    # The epsilon0 of unary encoding follows from its settings; RAPPOR and its asymmetric version are drawn, which it contains.
    name = chance.choice([each for each, randomizer in NAMED.items() if "p_other" not in randomizer.needs()])
    asked: Question = {
        "quantity": quantity,
        "engine": engine,
        "given": {"n": n, "epsilon0": local, **central},
        "k": chance.choice((3, 4, 10, 50)),
    }
    asked["randomizer"] = {"randomizer": name, **{size: {"k": 4, "d": 2, "buckets": 4}[size] for size in NAMED[name].needs()}}
    if kind == "methods in order":
        return kind, {**asked, "methods": methods}
    by = chance.choice(("n", "central", "epsilon0"))
    factor = chance.choice((Fraction(101, 100), Fraction(3, 2), Fraction(10)))
    return kind, {**asked, "methods": (chance.choice(RISING if by == "epsilon0" else FALLING),), "by": by, "factor": factor}


def contradiction(kind: str, asked: Question) -> str | None:
    """What is wrong, in words; None if nothing is. Raises ShuffleproofError where a question has no answer."""
    if kind == "methods in order":
        larger, smaller = (value(asked, method) for method in asked["methods"])
        return (
            None
            if larger.upper >= smaller.lower
            else f"{larger.method} is below {smaller.method}: {larger.upper_float} < {smaller.lower_float}"
        )
    if kind == "monotone":
        return _not_monotone(asked)
    compare = cross_checks.exact_inside_ball if kind.startswith("exact") else cross_checks.fast_against_ball
    found = compare((asked["method"], asked["quantity"], asked["given"]))
    if found.refused or any(fault.startswith("no answer") for fault in found.faults):
        raise _NoAnswerError
    return "; ".join(found.faults) or None


def fault(kind: str, asked: Question) -> str | None:
    """The same, where an engine that breaks down is wrong too."""
    try:
        return contradiction(kind, asked)
    except ShuffleproofError:
        raise
    except Exception as error:
        return f"{type(error).__name__}: {error}"


class _NoAnswerError(ShuffleproofError):
    """An engine declined."""


def value(asked: Question, method: str, **changed: Any) -> Bound:
    """The bound of a method for what it takes of a question."""
    given = {**asked["given"], **changed}
    if method.startswith("k-rr"):
        given["k"] = asked["k"]
    elif "randomizer" in METHODS[method].takes:
        given |= asked["randomizer"]
    elif "sigma" in METHODS[method].takes:
        given["sigma"] = 1 / given.pop("epsilon0")
    elif "delta0" in METHODS[method].takes:
        given["delta0"] = given.get("delta", Fraction(1, 10**6)) / (100 * given["n"] * 10**4)
    held = engines_for(METHODS[method], asked["quantity"])
    engine = asked["engine"] if asked["engine"] in held else "ball" if "ball" in held else "fast"
    digits = 3 if engine == "ball" else None
    return answer(quantity=asked["quantity"], parameters=given, method=method, engine=engine, digits=digits).bound


def _not_monotone(asked: Question) -> str | None:
    (method,), by, given = asked["methods"], asked["by"], asked["given"]
    name = next(name for name in ("delta", "epsilon") if name in given) if by == "central" else by
    more = math.ceil(given[name] * asked["factor"]) + 1 if name == "n" else given[name] * asked["factor"]
    if name == "delta" and more > 1:
        raise _NoAnswerError
    here, there = value(asked, method), value(asked, method, **{name: more})
    larger, smaller = (there, here) if by == "epsilon0" else (here, there)
    told = {"n": "does not fall with n", "central": f"does not fall with {name}", "epsilon0": "does not rise with eps0"}[by]
    return None if larger.upper >= smaller.lower else f"{method} {told} = {given[name]} to {more}: {here.upper_float}, {there.lower_float}"


def simplest(kind: str, asked: Question, wrong: Callable[[str, Question], str | None] = fault) -> Question:
    """The question with the least users and the shortest numbers that is still contradicted."""

    def still(candidate: Question) -> bool:
        try:
            return wrong(kind, candidate) is not None
        except ShuffleproofError:
            return False

    found = True
    while found:
        found = False
        for candidate in _simpler(asked):
            if still(candidate):
                asked, found = candidate, True
                break
    return asked


def _simpler(asked: Question) -> Iterator[Question]:
    given = asked["given"]
    for name, now in given.items():
        shorter: list[Any] = []
        if name == "n":
            shorter = [now // 100, now // 10, now // 2, now - 1]
        elif isinstance(now, Fraction):
            shorter = [Fraction(f"{float(now):.1g}"), Fraction(f"{float(now):.2g}")] if 0 < float(now) < math.inf else []
        for each in shorter:
            if each != now and (name != "n" or each >= 1):
                yield {**asked, "given": {**given, name: each}}


def one_line(kind: str, asked: Question, wrong: str) -> str:
    """What a person pastes: the question and what is wrong."""
    texts = as_given(**{name: each for name, each in asked["given"].items() if name != "randomizer"})
    rest = {name: each for name, each in asked.items() if name != "given"} | {
        "randomizer": str(asked["given"].get("randomizer", asked.get("randomizer")))
    }
    return f"{kind}: {wrong} | {json.dumps({**rest, **texts}, default=str)}"


def soaked(state: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Go on from a state for so many seconds of processor; the state after that."""
    asked, spent = dict(state["asked"]), dict(state["spent"])
    failures, again = dict(state["failures"]), list(state["again"])
    number, refused, begun = state["next"], state["refused"], time.process_time()
    while (used := time.process_time() - begun) < seconds:
        this = again.pop(0) if again else number
        kind, question = drawn(this, state["seed"])
        number += this == number
        before = time.process_time()
        try:
            wrong = fault(kind, question)
        except ShuffleproofError:
            refused += 1
            continue
        for name in question["methods"] if "methods" in question else (question["method"],):
            asked[name] = asked.get(name, 0) + 1
            spent[name] = round(spent.get(name, 0.0) + time.process_time() - before, 3)
        if wrong is not None:
            least = simplest(kind, question)
            failures[str(this)] = one_line(kind, least, fault(kind, least) or wrong)
            print(failures[str(this)], flush=True)
    done = {"next": number, "again": again, "asked": asked, "spent": spent, "refused": refused, "failures": failures}
    return {**state, **done, "seconds": round(state["seconds"] + used, 3)}


@cache
def code_of(*layers: str) -> str:
    """A digest of what all code in these folders does: what was compared counts for as long as it stays."""
    files = sorted(path for layer in layers for path in (TOP / layer).rglob("*.py"))
    return hashlib.sha256("".join(digest(path.read_text("utf-8")) for path in files).encode()).hexdigest()[:20]


def fresh(seed: int) -> dict[str, Any]:
    """Nothing was asked yet.

    next: the first number that was not asked; again: numbers to be asked before; asked, spent: comparisons of each method with the present
    code, and the seconds that they took, those of the method beside it too; failures: by number of the question, a line each.
    """
    counts: dict[str, Any] = {"asked": {}, "spent": {}, "refused": 0, "seconds": 0.0, "failures": {}}
    return {"seed": seed, "code": code_of("spec", "impl"), "next": 0, "again": [], **counts}


def continued(state: dict[str, Any]) -> dict[str, Any]:
    """The state for the present code: begun again where it is of other code, with what contradicted itself there to be asked first."""
    begun = fresh(state["seed"])
    if state["code"] == begun["code"]:
        return state
    return {**begun, "next": state["next"], "again": [*state["again"], *map(int, state["failures"])]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hours", nargs="?", type=float, default=24.0, help="of processor, all runs of this seed together")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    kept = BUILD / f"soak-{options.seed}.json"
    state = continued(json.loads(kept.read_text("utf-8"))) if kept.exists() else fresh(options.seed)
    BUILD.mkdir(exist_ok=True)
    interrupted = False
    try:
        while state["seconds"] < 3600 * options.hours:
            state = soaked(state, min(10.0, 3600 * options.hours - state["seconds"]))
            write_whole(kept, json.dumps(state, indent=1).encode())
    except KeyboardInterrupt:
        interrupted = True
    asked, spent, failures = state["asked"], state["spent"], len(state["failures"])
    print("comparisons of each method since code last changed, and hours of the processor that they took:")
    print("\n".join(f"  {asked.get(name, 0):7d}  {spent.get(name, 0) / 3600:8.4f}  {name}" for name in METHODS))
    print(f"seed {options.seed}: {state['seconds'] / 3600:.2f} hours, {state['refused']} refused, {failures} contradictions")
    return 130 if interrupted else 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
