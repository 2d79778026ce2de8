"""What the calculator's page asks Python for: a certified bracket by balls, what it rests on, and how to get it elsewhere.

The same file runs in the browser and in CPython, and both must say the same: a test compares them.
"""

import json
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import shuffleproof as sp

RANDOMIZERS = {
    "any": (sp.AnyRandomizer, ()),
    "krr": (sp.KRR, ("k",)),
    "laplace": (sp.Laplace, ()),
    "piecewise": (sp.Piecewise, ()),
    "square-wave": (sp.SquareWave, ()),
    "rappor": (sp.RAPPOR, ("k",)),
    "asymmetric-rappor": (sp.AsymmetricRAPPOR, ("k",)),
    "subset": (sp.Subset, ("k", "d")),
    "hadamard": (sp.Hadamard, ("k",)),
    "hash": (sp.LocalHashing, ("buckets",)),
}
"""The page's names, the objects, and what these take beside epsilon0."""
MOST_USERS = {"any": 10**7}
MOST_USERS_OF_ONE = 10**6
"""Users up to which a browser answers in seconds."""
MOST_DIGITS = 40
STATUSES = Path(__file__).with_name("statuses.json")
"""The statements by status, the weakest status first; written where the page is built."""
DIGITS_OF_THE_CURVE = 3
"""As many as can be seen."""


def asked(given: dict[str, str]) -> tuple[Any, str]:
    """The mechanism that a form asks for, and Python that makes it. Raises DomainError."""
    kind = given["randomizer"]
    made, takes = RANDOMIZERS[sp.spec.vocabulary.errors.require_one_of(kind, RANDOMIZERS, parameter="randomizer")]
    own = {"epsilon0": given["epsilon0"], **{name: given[name] for name in takes if given.get(name)}}
    most = MOST_USERS.get(kind, MOST_USERS_OF_ONE)
    users = sp.spec.vocabulary.numerals.count(given["n"], parameter="n", maximum=most)
    written = ", ".join(f"{name}={_literal(text)}" for name, text in own.items())
    return sp.shuffled(made(**own), n=users), f"sp.shuffled(sp.{made.__name__}({written}), n={users})"


def weakest(statements: Iterable[str]) -> str:
    """The weakest status of these statements: by the table that the page was built with, elsewhere by the ledger."""
    if not STATUSES.exists():
        from shuffleproof.ledger import weakest as by_ledger

        return by_ledger(statements)
    asked_for = set(statements)
    return next(status for status, ids in json.loads(STATUSES.read_text("utf-8")).items() if asked_for & set(ids))


def bracket(given: dict[str, str]) -> dict[str, Any]:
    """Everything that the page shows for one form, its fields given as texts."""
    mechanism, python = asked(given)
    digits = sp.spec.vocabulary.numerals.count(given.get("digits") or "9", parameter="digits", maximum=MOST_DIGITS)
    found = mechanism.epsilon(delta=given["delta"], engine="ball", digits=digits)
    sides = {}
    for side in ("lower", "upper"):
        bound = getattr(found, side)
        if bound is not None:
            value = getattr(bound, side)
            told = sp.spec.vocabulary.numerals.decimal_text(value, digits=digits, direction="down" if side == "lower" else "up")
            options = [word for name, text in bound.inputs.items() for word in (f"-{name}" if name == "n" else f"--{name}", text)]
            command = ["shuffleproof", "bound", "epsilon", *options, "--method", bound.method, "--engine", "ball", "--digits", str(digits)]
            sides[side] = {
                "value": told,
                "line": str(bound),
                "claim": bound.claim,
                "scope": str(bound.scope.mechanisms),
                "method": bound.method,
                "statements": list(bound.statements),
                "status": weakest(bound.statements),
                "command": shlex.join(command),
            }
    return {
        "of": found.of,
        "relation": found.upper.relation.value,
        "digits": str(digits),
        "sides": sides,
        "python": f"{python}.epsilon(delta={_literal(given['delta'])}, engine='ball', digits={digits})",
    }


def point(given: dict[str, str]) -> list[str | None]:
    """[at least, at most] as decimals rounded outward, for the curve; None for an end of which nothing is claimed at this delta.

    given: a form's fields, and under "upper" and "lower" the methods of the answer: the best at each point takes minutes to find.
    """
    mechanism, _ = asked(given)

    def end(side: str, direction: Literal["down", "up"]) -> str | None:
        try:
            found = mechanism.epsilon(delta=given["delta"], method=given[side], engine="ball", digits=DIGITS_OF_THE_CURVE)
        except (KeyError, sp.ShuffleproofError):
            return None
        return sp.spec.vocabulary.numerals.decimal_text(getattr(found, side), digits=DIGITS_OF_THE_CURVE, direction=direction)

    return [end("lower", "down"), end("upper", "up")]


def answered(question: str) -> str:
    """JSON for JSON. A refusal of ours is an answer: {"refused": text}."""
    given = json.loads(question)
    ask = {"bracket": bracket, "point": point}[given.pop("ask")]
    try:
        return json.dumps({"answer": ask(given)})
    except sp.ShuffleproofError as refusal:
        return json.dumps({"refused": str(refusal)})


def _literal(text: str) -> str:
    """A number as Python would have it: digits as they are, everything else as a text."""
    return text if text.isdecimal() else repr(text)
