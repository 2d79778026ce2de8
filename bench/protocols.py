"""Exact distributions, and the conformance runner."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from bench.measuring import Row, Seconds, in_turns
from shuffleproof.impl.exact.shuffled_law import ShuffledRandomizer
from shuffleproof.spec.model import shuffled_law
from shuffleproof.spec.randomizers.k_rr import k_rr


def exact_laws(*, quick: bool) -> Iterator[Row]:
    """The exact law of the shuffled messages of 4-ary randomized response: integer polynomials against enumeration in fractions."""
    randomizer = k_rr(k=4, exp_epsilon0=Fraction(3))
    rows = [[randomizer.law(x)[y] for y in range(4)] for x in range(4)]
    for n in (4, 6) if quick else (4, 6, 8):
        dataset = [i % 4 for i in range(n)]
        counts = [dataset.count(x) for x in range(4)]
        ours, theirs = in_turns(partial(_law, rows, counts), partial(shuffled_law, randomizer, dataset), runs=3)
        yield Row(f"exact shuffled distribution, k = 4, n = {n}", ours, theirs, "enumeration in fractions")
    (own,) = in_turns(lambda: ShuffledRandomizer(rows).law([10, 10, 10, 10]), runs=3)
    yield Row("exact shuffled distribution, k = 4, n = 40", own, target="5 s", met=own.median <= 5)
    users = 8 if quick else 12
    (own,) = in_turns(lambda: ShuffledRandomizer(rows).worst_pair(n=users, exp_epsilon=Fraction(3, 2)), runs=1)
    yield Row(f"worst pair of all neighbours, exact, k = 4, n = {users}", own)


def runner(*, quick: bool) -> Iterator[Row]:
    """The conformance runner on our own float64 engine: start-up included."""
    suite = "smoke" if quick else "fmt21"
    command = [
        sys.executable,
        "-m",
        "shuffleproof",
        "conform",
        "run",
        "-i",
        "py:shuffleproof.verification.own_harness:fast",
        "--suite",
        suite,
    ]
    started = time.perf_counter()
    done = subprocess.run([*command, "--format", "json"], capture_output=True, text=True, timeout=200)
    seconds = time.perf_counter() - started
    cases = sum(json.loads(done.stdout)["summary"].values())
    yield Row(f"conformance suite {suite!r}, elapsed", Seconds.of([seconds]), note=f"{cases} cases, {cases / seconds:.0f} a second")


def _law(rows: list[list[Fraction]], counts: list[int]) -> object:
    return ShuffledRandomizer(rows).law(counts)
