"""pure-ldp's direct encoding (k-ary randomized response), over the harness protocol.

Wraps `pure_ldp.frequency_oracles.direct_encoding.DEClient(epsilon, d)`, with d = 2 as "binary-rr" and d = k as "k-rr". The index
mapper is the identity, since the default one counts data from 1. epsilon is the float64 nearest to epsilon0.

Two claims, of one package:
- distribution (default): the client publishes its probabilities as attributes, p for the true value, q for each other one. They are
answered
  as the exact decimal expansions of the two floats. This is the distribution that the package says it follows.
- samples (--sampled): what `privatise` returns, counted. This is what the package does. It draws from Python's `random`, which
  `configure` seeds.
"""

import json
import random
import sys
import warnings
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from importlib.metadata import version
from typing import Any

warnings.simplefilter("ignore")
try:
    from pure_ldp.frequency_oracles.direct_encoding import DEClient
except ImportError as error:
    sys.exit(f"the package pure-ldp cannot be imported here: {error}")

SAMPLED = "--sampled" in sys.argv[1:]
RELEASES = 250_000
"""At 250,000 releases and a family-wise error of 1e-9, an error of 2.5 % in a probability of 1/4, or of 1.5 % in one of 1/2, shows."""

GREETING = {
    "version": 1,
    "implementation": {
        "name": "pure-ldp direct encoding, " + ("sampled" if SAMPLED else "stated distribution"),
        "version": version("pure-ldp"),
        "language": "python",
    },
    "capabilities": {"operations": ["randomizer_law"], "methods": [], "randomizers": ["binary-rr", "k-rr"]},
}


def nearest_float(epsilon: str) -> float:
    """The float64 nearest to a number ("0.5", "7/24") or a logarithm ("ln 3")."""
    logarithm = epsilon.strip().startswith("ln")
    exact = Fraction(epsilon.strip()[2:].strip(" ()") if logarithm else epsilon)
    with localcontext(prec=60):
        return float((Decimal(exact.numerator) / Decimal(exact.denominator)).ln()) if logarithm else float(exact)


def law_or_samples(given: dict[str, str]) -> dict[str, str]:
    """Outcome -> probability, or outcome -> how often it was released."""
    k = 2 if given["randomizer"] == "binary-rr" else int(given["k"])
    x = int(given["input"])
    client = DEClient(nearest_float(given["epsilon0"]), k, index_mapper=lambda data: data)
    if SAMPLED:
        counts = Counter(client.privatise(x) for _ in range(RELEASES))
        return {str(outcome): str(times) for outcome, times in sorted(counts.items())}
    return {str(outcome): str(Decimal(float(client.p if outcome == x else client.q))) for outcome in sorted({*range(k), x})}


def answer(message: dict[str, Any]) -> dict[str, Any]:
    """The reply to one message."""
    if message["cmd"] == "start":
        return GREETING
    if message["cmd"] == "configure":
        random.seed(int(message["seed"]))
        return {"configured": True}
    if message["operation"] != "randomizer_law" or message["input"]["randomizer"] not in ("binary-rr", "k-rr"):
        return {"seq": message["seq"], "unsupported": "only randomizer_law of binary-rr and k-rr"}
    try:
        return {"seq": message["seq"], "claim": "samples" if SAMPLED else "law", "value": law_or_samples(message["input"])}
    except Exception as error:  # whatever the package raises is its answer
        return {"seq": message["seq"], "refused": f"{type(error).__name__}: {error}".partition("\n")[0][:500]}


def main() -> None:
    """Answer one line after another until told to stop; only answers go to standard output."""
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "stop":
            break
        print(json.dumps(answer(message)), file=answers, flush=True)


if __name__ == "__main__":
    main()
