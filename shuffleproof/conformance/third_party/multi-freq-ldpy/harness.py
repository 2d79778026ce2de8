"""multi-freq-ldpy's generalised randomized response, over the harness protocol.

Wraps `multi_freq_ldpy.pure_frequency_oracles.GRR.GRR_Client(input_data, k, epsilon)`, with k = 2 as "binary-rr" and any k as "k-rr".
epsilon is the float64 nearest to epsilon0.

Claim: samples. The client exposes no distribution, so what it returns is counted. It is compiled by numba, whose generator is not the one
that `numpy.random.seed` sets: `configure` seeds it from compiled code, and has the client compiled, which takes seconds.
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
    from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client
    from numba import njit
except ImportError as error:
    sys.exit(f"the package multi-freq-ldpy cannot be imported here: {error}")

RELEASES = 40_000
"""At 40,000 releases and a family-wise error of 1e-9, an error of 6 % in a probability of 1/4, or of 2 % in one of 3/4, shows."""

GREETING = {
    "version": 1,
    "implementation": {
        "name": "multi-freq-ldpy generalised randomized response, sampled",
        "version": version("multi-freq-ldpy"),
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


def samples(given: dict[str, str]) -> dict[str, str]:
    """How often each outcome was released."""
    k = 2 if given["randomizer"] == "binary-rr" else int(given["k"])
    x, epsilon = int(given["input"]), nearest_float(given["epsilon0"])
    counts = Counter(int(GRR_Client(x, k, epsilon)) for _ in range(RELEASES))
    return {str(outcome): str(times) for outcome, times in sorted(counts.items())}


def answer(message: dict[str, Any]) -> dict[str, Any]:
    """The reply to one message."""
    if message["cmd"] == "start":
        return GREETING
    if message["cmd"] == "configure":
        GRR_Client(0, 2, 1.0)
        seed_compiled_code(int(message["seed"]) % 2**32)
        return {"configured": True}
    if message["operation"] != "randomizer_law" or message["input"]["randomizer"] not in ("binary-rr", "k-rr"):
        return {"seq": message["seq"], "unsupported": "only randomizer_law of binary-rr and k-rr"}
    try:
        return {"seq": message["seq"], "claim": "samples", "value": samples(message["input"])}
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
