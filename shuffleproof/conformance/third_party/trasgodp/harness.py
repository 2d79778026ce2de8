"""trasgoDP's randomized response, over the harness protocol.

Wraps `dp_randomized_response_binary_array` and `dp_randomized_response_kary_array` of `trasgodp.categorical`, with "binary-rr" (and k = 2)
as the first, k = 3 and more as the second. epsilon is the float64 nearest to epsilon0.

Claim: samples. The package takes its categories from the data, so that a column of one input carries every other category once at its end;
those last ones are not counted. It draws from numpy's global generator, which `configure` seeds.
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
    from trasgodp.categorical import dp_randomized_response_binary_array, dp_randomized_response_kary_array
except ImportError as error:
    sys.exit(f"the package trasgodp cannot be imported here: {error}")

RELEASES = 250_000
"""At 250,000 releases and a family-wise error of 1e-9, an error of 2.5 % in a probability of 1/4, or of 1.5 % in one of 1/2, shows."""

GREETING = {
    "version": 1,
    "implementation": {"name": "trasgoDP randomized response, sampled", "version": version("trasgodp"), "language": "python"},
    "capabilities": {"operations": ["randomizer_law"], "methods": [], "randomizers": ["binary-rr", "k-rr"]},
}


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
    if not 0 <= x < k:
        raise ValueError("the input is no category")
    names = [f"c{y:06d}" for y in range(k)]
    column = np.array([names[x]] * RELEASES + names)
    release = dp_randomized_response_binary_array if k == 2 else dp_randomized_response_kary_array
    counts = Counter(release(column, epsilon)[:RELEASES].tolist())
    return {str(names.index(name)): str(times) for name, times in sorted(counts.items())}


def answer(message: dict[str, Any]) -> dict[str, Any]:
    """The reply to one message."""
    if message["cmd"] == "start":
        return GREETING
    if message["cmd"] == "configure":
        np.random.seed(int(message["seed"]) % 2**32)
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
