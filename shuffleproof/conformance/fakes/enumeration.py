"""What the fakes have in common: delta of the clones pair by enumeration, and the loop of an honest harness."""

import json
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb
from typing import Any

LARGEST_N = 40
"""Users whose messages are enumerated in an answer's time."""

Message = dict[str, Any]
Reply = Callable[[int, str], Message]
"""(sequence number, true delta as a ratio) -> the answer to send."""


def clones_pair(n: int, exp_epsilon0: Fraction) -> list[tuple[Fraction, Fraction]]:
    """(P(a, b), Q(a, b)) of the clones pair for all pairs of counts, but for where Q is 0: there P is."""
    T, p = exp_epsilon0, 1 / exp_epsilon0
    found = []
    for c in range(n):
        weight = comb(n - 1, c) * p**c * (1 - p) ** (n - 1 - c) / 2**c / (T + 1)
        for a in range(c + 2):
            own, other = comb(c, a - 1) if a else 0, comb(c, a)
            found.append((weight * (T * own + other), weight * (own + T * other)))
    return [(p, q) for p, q in found if q]


def clones_delta(n: int, exp_epsilon0: Fraction, exp_epsilon: Fraction) -> Fraction:
    """Hockey-stick divergence of the clones pair at e^epsilon: the sum of max(0, P(a, b) - e^epsilon Q(a, b)) over pairs of counts."""
    return sum((max(Fraction(0), p - exp_epsilon * q) for p, q in clones_pair(n, exp_epsilon0)), Fraction(0))


def answer(message: Message, reply: Reply) -> Message:
    """The answer to `run`: reply's, where the truth is known by enumeration."""
    seq, given = message["seq"], message["input"]
    try:
        n, exps = int(given["n"]), [_exponential(given[name]) for name in ("epsilon0", "epsilon")]
    except (KeyError, ValueError, ZeroDivisionError):
        return {"seq": seq, "unsupported": "only whole n, and logarithms of rationals"}
    if message["operation"] != "delta" or given["method"] != "clones" or n > LARGEST_N:
        return {"seq": seq, "unsupported": f"only delta of the clones pair for n up to {LARGEST_N}"}
    if n < 1 or min(exps) < 1:
        return {"seq": seq, "refused": "n must be at least 1, epsilons at least 0"}
    return reply(seq, str(clones_delta(n, *exps)))


def serve(name: str, reply: Reply) -> None:
    """Serve a harness of delta of the clones pair."""
    capabilities = {"operations": ["delta"], "methods": ["clones"], "randomizers": []}
    serve_all(name, capabilities, lambda message: answer(message, reply))


def serve_all(name: str, capabilities: Mapping[str, list[str]], run: Callable[[Message], Message]) -> None:
    """Answer line by line until `stop` or the end of the input."""
    greeting = {"version": 1, "implementation": {"name": name, "version": "1", "language": "python"}, "capabilities": capabilities}
    for line in sys.stdin:
        message = json.loads(line)
        match message["cmd"]:
            case "start":
                say(greeting)
            case "configure":
                say({"configured": True})
            case "run":
                say(run(message))
            case "stop":
                return


def say(message: Message) -> None:
    """One line on stdout, at once."""
    print(json.dumps(message), flush=True)


def _exponential(epsilon: str) -> Fraction:
    """e^epsilon of "ln 3" or "0"; ValueError for anything else."""
    if epsilon.strip() == "0":
        return Fraction(1)
    if not epsilon.startswith("ln "):
        raise ValueError(epsilon)
    return Fraction(epsilon[3:].replace(" ", ""))
