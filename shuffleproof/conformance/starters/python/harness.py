"""A complete harness: the laws of binary and k-ary randomized response. Replace `law` by a call of your own code."""

import json
import math
import sys
from fractions import Fraction

ABOUT = {"name": "starter", "version": "1", "language": "python"}
ABLE = {"operations": ["randomizer_law"], "methods": [], "randomizers": ["binary-rr", "k-rr"]}


class RefusedError(Exception):
    """This input has no answer."""


class UnsupportedError(Exception):
    """This input may have an answer, but not from here."""


def exponential(text: str) -> Fraction:
    """e^epsilon0: exact for "ln 3", "ln(7/3)"; else a float."""
    if text.startswith("ln"):
        value = Fraction(text[2:].strip(" ()"))
        if value < 1:
            raise RefusedError("epsilon0 must be at least 0")
        return value
    if float(Fraction(text)) < 0:
        raise RefusedError("epsilon0 must be at least 0")
    if float(Fraction(text)) > 700:
        raise UnsupportedError("e^epsilon0 is beyond a float")
    return Fraction(math.exp(float(Fraction(text))))


def law(given: dict[str, str]) -> dict[str, str]:
    """The law of one report: outcome -> probability, as texts."""
    k = 2 if given["randomizer"] == "binary-rr" else int(given["k"])
    x, T = int(given["input"]), exponential(given["epsilon0"])
    if not 0 <= x < k:
        raise RefusedError("the input must be one of 0, ..., k - 1")
    weights = {y: (T if y == x else 1) / (T + k - 1) for y in range(k)}
    return {str(y): str(p) if "ln" in given["epsilon0"] else repr(float(p)) for y, p in weights.items()}


def answer(given: dict[str, str]) -> dict[str, object]:
    """What goes back to the runner."""
    try:
        return {"claim": "law", "value": law(given)}
    except (RefusedError, ValueError) as reason:
        return {"refused": str(reason)}
    except UnsupportedError as reason:
        return {"unsupported": str(reason)}


for line in sys.stdin:
    ask = json.loads(line)
    if ask["cmd"] == "stop":
        break
    replies = {"start": {"version": 1, "implementation": ABOUT, "capabilities": ABLE}, "configure": {"configured": True}}
    print(json.dumps(replies.get(ask["cmd"]) or {"seq": ask["seq"], **answer(ask["input"])}), flush=True)
