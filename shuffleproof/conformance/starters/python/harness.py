"""A complete harness: distributions of binary and k-ary randomized response, and an epsilon of shuffled reports that is sound and loose.

Replace `law` and `epsilon` by calls of your own code.
"""

import json
import math
import sys
from fractions import Fraction

ABOUT = {"name": "starter", "version": "1", "language": "python"}
ABLE = {
    "operations": ["randomizer_law", "epsilon"],
    "methods": ["shuffled-randomizer"],
    "randomizers": ["binary-rr", "k-rr", "krr", "rappor", "laplace"],
}


class RefusedError(Exception):
    """This input has no answer."""


class UnsupportedError(Exception):
    """This input may have an answer, but not from here."""


def exponential(text: str) -> Fraction:
    """e^epsilon0: exact for "ln 3", "ln(7/3)"; else a float."""
    exact = text.startswith("ln")
    value = Fraction(text[2:].strip(" ()") if exact else text)
    if value < exact:
        raise RefusedError("epsilon0 must be at least 0")
    if exact:
        return value
    if value > 700:
        raise UnsupportedError("e^epsilon0 is beyond a float")
    return Fraction(math.exp(value))


def distribution(given: dict[str, str]) -> dict[str, str]:
    """The distribution of one report: outcome -> probability, as texts."""
    k = 2 if given["randomizer"] == "binary-rr" else int(given["k"])
    x, T = int(given["input"]), exponential(given["epsilon0"])
    if not 0 <= x < k:
        raise RefusedError("the input must be one of 0, ..., k - 1")
    weights = {y: (T if y == x else 1) / (T + k - 1) for y in range(k)}
    return {str(y): str(p) if "ln" in given["epsilon0"] else repr(float(p)) for y, p in weights.items()}


def epsilon(given: dict[str, str]) -> str:
    """An upper bound on the epsilon of n shuffled reports, for any delta: that of one report, so nothing is gained by shuffling."""
    text = given["epsilon0"]
    if int(given["n"]) < 1 or int(given.get("k", 2)) < 2 or not 0 <= Fraction(given["delta"]) <= 1:
        raise RefusedError("n must be at least 1, k at least 2, and delta from 0 to 1")
    return repr(math.log(exponential(text)) * (1 + 1e-12)) if text.startswith("ln") else text


def answer(operation: str, given: dict[str, str]) -> dict[str, object]:
    """Return what goes back to the runner."""
    try:
        if operation == "epsilon":
            return {"claim": "upper", "value": epsilon(given)}
        return {"claim": "law", "value": distribution(given)}
    except (RefusedError, ValueError) as reason:
        return {"refused": str(reason)}
    except UnsupportedError as reason:
        return {"unsupported": str(reason)}


for line in sys.stdin:
    ask = json.loads(line)
    if ask["cmd"] == "stop":
        break
    replies = {"start": {"version": 1, "implementation": ABOUT, "capabilities": ABLE}, "configure": {"configured": True}}
    print(json.dumps(replies.get(ask["cmd"]) or {"seq": ask["seq"], **answer(ask["operation"], ask["input"])}), flush=True)
