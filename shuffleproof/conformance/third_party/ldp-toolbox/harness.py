"""ldp-toolbox's generalised randomized response, over the harness protocol.

Wraps `ldp_toolbox.protocols.frequency.grr.GeneralizedRandomizedResponse(k, epsilon)`, with k = 2 as "binary-rr" and any k as "k-rr".
epsilon is the float64 nearest to epsilon0.

Two claims, of one package:
- distribution (default): the protocol's attributes, p for the true value, q for each other one, as the exact decimal expansions of the two
floats.
- samples (--sampled): what `obfuscate` returns, counted. It is compiled by numba, whose generator is not the one that `numpy.random.seed`
  sets: `configure` seeds it from compiled code, and has the client compiled, which takes seconds.
"""

import json
import sys
import warnings
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from importlib.metadata import version
from typing import Any

warnings.simplefilter("ignore")
try:
    import numpy as np
    from ldp_toolbox.protocols.frequency.grr import GeneralizedRandomizedResponse
    from numba import njit
except ImportError as error:
    sys.exit(f"the package ldp-toolbox cannot be imported here: {error}")

SAMPLED = "--sampled" in sys.argv[1:]
RELEASES = 40_000
"""At 40,000 releases and a family-wise error of 1e-9, an error of 6 % in a probability of 1/4, or of 2 % in one of 3/4, shows."""

GREETING = {
    "version": 1,
    "implementation": {
        "name": "ldp-toolbox generalised randomized response, " + ("sampled" if SAMPLED else "stated distribution"),
        "version": version("ldp-toolbox"),
        "language": "python",
    },
    "capabilities": {"operations": ["randomizer_law"], "methods": [], "randomizers": ["binary-rr", "k-rr"]},
}


@njit
def seed_compiled_code(seed):  # type: ignore[no-untyped-def]
    """Seed the generator that compiled code draws from."""
    np.random.seed(seed)


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
    client = GeneralizedRandomizedResponse(k, nearest_float(given["epsilon0"]))
    client.obfuscate(x)  # it refuses what is no input, also where only its distribution is told
    if SAMPLED:
        counts = Counter(int(client.obfuscate(x)) for _ in range(RELEASES))
        return {str(outcome): str(times) for outcome, times in sorted(counts.items())}
    return {str(outcome): str(Decimal(float(client.p if outcome == x else client.q))) for outcome in sorted({*range(k), x})}


def answer(message: dict[str, Any]) -> dict[str, Any]:
    """The reply to one message."""
    if message["cmd"] == "start":
        return GREETING
    if message["cmd"] == "configure":
        GeneralizedRandomizedResponse(2, 1.0).obfuscate(0)
        seed_compiled_code(int(message["seed"]) % 2**32)
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
