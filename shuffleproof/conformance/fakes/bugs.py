"""The planted bugs: each replaces the answers to one operation, and says what somebody did wrong."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial

from shuffleproof.conformance.fakes import honest, second_opinion as right
from shuffleproof.conformance.fakes.honest import Answerer, Given, Reply
from shuffleproof.conformance.fakes.second_opinion import RefusedError, number, whole
from shuffleproof.conformance.fakes.wrong_formulas import WRONG_FORMULAS


@dataclass(frozen=True, kw_only=True)
class Bug:
    """Says what was done wrong, and what comes of it.

    operation: where it is planted; says: what was done wrong; answer: what comes of it, of a process that has answered nothing yet
    where it remembers.
    """

    operation: str
    says: str
    answer: Answerer
    remembers: Callable[[], Answerer] | None = None

    def started(self) -> Answerer:
        """How a fresh process answers."""
        return self.answer if self.remembers is None else self.remembers()


def _simulated(answerer: Answerer, given: Given) -> Reply:
    """Return what a simulation would say that is seeded with the question's text: near the truth, and never twice the same."""
    reply = answerer(given)
    if "value" not in reply:
        return reply
    if isinstance(reply["value"], dict):
        return {**reply, "value": {y: _blurred(p, y, given, by=8e-10) for y, p in reply["value"].items()}}
    return {"claim": "estimate", "value": _blurred(reply["value"], "", given, by=8e-7)}


def _kept(answerer: Answerer, *keys: str) -> Callable[[], Answerer]:
    """A table of answers kept by some of the keys only: what differs in the others is answered as the first of them was."""

    def start() -> Answerer:
        known: dict[tuple[str, ...], Reply] = {}

        def answer(given: Given) -> Reply:
            reply = answerer(given)
            return known.setdefault(tuple(given.get(key, "") for key in keys), reply)

        return answer

    return start


def _stuck_after_a_refusal() -> Answerer:
    """Once an input was refused, the answer before it is given again, once."""
    last: list[Reply] = []
    stuck: list[bool] = []

    def answer(given: Given) -> Reply:
        try:
            reply = honest.hockey_stick(given)
        except RefusedError:
            stuck[:] = [True]
            raise
        told = last[0] if stuck and last else reply
        last[:], stuck[:] = [reply], []
        return told

    return answer


_RUN = 3
"""By chance the answers of a simulation can be in order; in this run of it they are not, for any of the relations."""


def _blurred(value: str, outcome: str, given: Given, *, by: float) -> str:
    seed = hashlib.sha256(f"{_RUN} {sorted(given.items())} {outcome}".encode()).digest()
    at = right.exponential(value) if value.startswith("ln") else None
    with localcontext() as context:
        context.prec = 40
        top = Fraction(value) if at is None else at
        truth = Decimal(top.numerator) / Decimal(top.denominator)
        drawn = int.from_bytes(seed[:8], "big") / 2**63 - 1
        return str((truth if at is None else truth.ln()) * (1 + Decimal(by * drawn))).lower()


def _exponentials(given: Given, *keys: str) -> dict[str, Fraction]:
    """e to these of the numbers given, which are logarithms."""
    return {key: honest.rational(given[key]) for key in keys if "epsilon0" in given}


def _another(answerer: Answerer, changed: Callable[[Given], Given], given: Given) -> Reply:
    """Answer another question, once it is known that the one that was asked has an answer. changed: what is read otherwise in it."""
    answerer(given)
    return answerer({**given, **changed(given)})


def _squared_rounds(given: Given) -> Given:
    """Squared as often as it can be, and the rest of the rounds forgotten."""
    rounds = str(2 ** (whole(given["rounds"], least=1).bit_length() - 1))
    return {"rounds": rounds} if given["rule"] in ("shuffled", "losses") else {}


def _clamped_rate(given: Given) -> Given:
    return {"rate": given["C"]} if "rate" in given and number(given["rate"]) > number(given["C"]) > 0 else {}


_READ_OTHERWISE: tuple[tuple[str, str, str, Callable[[Given], Given]], ...] = (
    (
        "rounded-key",
        "delta",
        "kept by e^epsilon0 to one decimal, and found again for others",
        lambda x: {key: f"ln {max(1, round(T * 10)) / Fraction(10)}" for key, T in _exponentials(x, "epsilon0").items()},
    ),
    ("one-user-less", "delta", "n - 1 users for n", lambda x: {"n": str(max(1, whole(x["n"], least=1) - 1))}),
    ("rounds-capped", "compose", "no more than three rounds", lambda x: {"rounds": str(min(whole(x["rounds"], least=1), 3))}),
    ("by-squaring", "compose", "rounds down to a power of two", _squared_rounds),
    (
        "first-distribution",
        "compose",
        "only the first of several privacy loss distributions",
        lambda x: {key: x[key].split(" ")[0] for key in ("ratios", "masses") if x["rule"] == "losses"},
    ),
    ("rate-clamped", "debias", "rates above the threshold taken for it", _clamped_rate),
    (
        "runs-forgotten",
        "calibrate",
        "tagged runs calibrated as one",
        lambda x: {"protocol": "bit-sum", "r": "1"} if x["protocol"] == "real-sum-tagged" else {},
    ),
    ("one-bit-each", "calibrate", "the r bits of each user calibrated as one", lambda x: {"r": "1"} if "r" in x else {}),
    ("beta-of-two", "parameter", "the total variation of two categories, whatever k is", lambda x: {"k": "2"} if "k" in x else {}),
)
"""Bugs that answer another question than was asked: name, operation, what was done wrong, and what is read otherwise."""


BUGS: Mapping[str, Bug] = (
    {name: Bug(operation=operation, says=says, answer=answer) for name, operation, says, answer in WRONG_FORMULAS}
    | {
        name: Bug(operation=operation, says=says, answer=partial(_another, honest.HONEST[operation], changed))
        for name, operation, says, changed in _READ_OTHERWISE
    }
    | {
        f"simulated-{operation}": Bug(
            operation=operation,
            says="a simulation seeded with the text of the question: within every tolerance, and at odds with itself",
            answer=partial(_simulated, honest.HONEST[operation]),
        )
        for operation in honest.HONEST
        if operation not in ("calibrate", "parameter", "noise_cdf", "profile", "renyi_divergence")  # which have no relations
    }
    | {
        name: Bug(operation=operation, says=says, answer=remembers(), remembers=remembers)
        for name, operation, says, remembers in (
            ("stale-by-n", "delta", "a table kept without the number of users", _kept(honest.delta, "method", "epsilon0", "p", "epsilon")),
            ("stale-by-epsilon0", "epsilon", "a table kept without epsilon0", _kept(honest.epsilon, "n", "delta")),
            ("stale-profile", "profile", "a table kept by the number of users alone", _kept(honest.profile, "method", "n", "epsilons")),
            (
                "stale-rounds",
                "renyi_divergence",
                "a table kept without the rounds",
                _kept(honest.renyi_divergence, "n", "epsilon0", "order", "ratios", "masses"),
            ),
            ("stuck", "hockey_stick", "after a refusal the answer before it once more", _stuck_after_a_refusal),
        )
    }
)
"""Name -> bug. None is here that every case finds which finds some other bug: it would demand nothing more of the cases."""
