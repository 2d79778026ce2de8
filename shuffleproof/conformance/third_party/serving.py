"""What the harnesses of third-party packages share: the loop of the harness protocol, and numbers as they are written.

A harness runs in its package's environment, where shuffleproof is not installed: this file stands on its own.
"""

import json
import math
import sys
from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from importlib.metadata import version
from typing import Any


class RefusedError(Exception):
    """A question without an answer, and why."""


class UnsupportedError(Exception):
    """A question that the package has no function for."""


def exact(number: str) -> Decimal:
    """A number ("0.5", "7/24") or a logarithm ("ln 3"), to the digits of the context."""
    logarithm = number.strip().startswith("ln")
    fraction = Fraction(number.strip()[2:].strip(" ()") if logarithm else number)
    if logarithm and fraction <= 0:
        raise RefusedError("the logarithm of a positive number is needed")
    quotient = Decimal(fraction.numerator) / Decimal(fraction.denominator)
    return quotient.ln() if logarithm else quotient


def on_side(number: str, *, up: bool) -> float:
    """The float64 at or above a number, or at or below it."""
    with localcontext(prec=800):
        value = exact(number)
        nearest = float(value)
        wrong = nearest < value if up else nearest > value
        return math.nextafter(nearest, math.inf if up else -math.inf) if wrong else nearest


def serve(
    reply: Callable[[str, dict[str, str]], dict[str, Any]],
    *,
    name: str,
    package: str,
    operations: Sequence[str],
    methods: Sequence[str] = (),
    randomizers: Sequence[str] = (),
) -> None:
    """Answer one line after another until asked to stop; only answers go to standard output.

    reply: from an operation and its input to the claim and the value. Raises nothing: whatever the package raises is its answer.
    """
    greeting = {
        "version": 1,
        "implementation": {"name": name, "version": version(package), "language": "python"},
        "capabilities": {"operations": [*operations], "methods": [*methods], "randomizers": [*randomizers]},
    }
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "stop":
            break
        said = {"start": greeting, "configure": {"configured": True}}.get(message["cmd"])
        print(json.dumps(said or {"seq": message["seq"], **_answer(reply, message)}), file=answers, flush=True)


def _answer(reply: Callable[[str, dict[str, str]], dict[str, Any]], message: dict[str, Any]) -> dict[str, Any]:
    try:
        return reply(message["operation"], message["input"])
    except UnsupportedError as error:
        return {"unsupported": str(error)}
    except RefusedError as error:
        return {"refused": str(error)}
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}".partition("\n")[0][:500]}
