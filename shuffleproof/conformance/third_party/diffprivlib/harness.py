"""diffprivlib's binary mechanism, over the harness protocol.

Wraps `diffprivlib.mechanisms.Binary(epsilon, value0, value1, random_state)` as "binary-rr". epsilon is the float64 nearest to epsilon0.

Claim: samples. The mechanism exposes no distribution, so what `randomise` returns is counted. By default the package draws from the
operating system; here one `numpy.random.RandomState`, seeded by `configure`, is shared by all mechanisms, so that a run can be repeated and
no two cases see the same numbers.
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
    from diffprivlib.mechanisms import Binary
    from numpy.random import RandomState
except ImportError as error:
    sys.exit(f"the package diffprivlib cannot be imported here: {error}")

RELEASES = 20_000
"""At 20,000 releases and a family-wise error of 1e-9, an error of 9 % in a probability of 1/4, or of 3 % in one of 3/4, shows."""

GREETING = {
    "version": 1,
    "implementation": {"name": "diffprivlib binary mechanism, sampled", "version": version("diffprivlib"), "language": "python"},
    "capabilities": {"operations": ["randomizer_law"], "methods": [], "randomizers": ["binary-rr"]},
}


def nearest_float(epsilon: str) -> float:
    """The float64 nearest to a number ("0.5", "7/24") or a logarithm ("ln 3")."""
    logarithm = epsilon.strip().startswith("ln")
    exact = Fraction(epsilon.strip()[2:].strip(" ()") if logarithm else epsilon)
    with localcontext(prec=60):
        return float((Decimal(exact.numerator) / Decimal(exact.denominator)).ln()) if logarithm else float(exact)


def samples(given: dict[str, str], generator: RandomState) -> dict[str, str]:
    """How often each outcome was released."""
    mechanism = Binary(epsilon=nearest_float(given["epsilon0"]), value0="0", value1="1", random_state=generator)
    counts = Counter(mechanism.randomise(given["input"]) for _ in range(RELEASES))
    return {outcome: str(times) for outcome, times in sorted(counts.items())}


def answer(message: dict[str, Any], generator: RandomState) -> dict[str, Any]:
    """The reply to one message."""
    if message["cmd"] == "start":
        return GREETING
    if message["cmd"] == "configure":
        generator.seed(int(message["seed"]) % 2**32)
        return {"configured": True}
    if message["operation"] != "randomizer_law" or message["input"]["randomizer"] != "binary-rr":
        return {"seq": message["seq"], "unsupported": "only randomizer_law of binary-rr"}
    try:
        return {"seq": message["seq"], "claim": "samples", "value": samples(message["input"], generator)}
    except Exception as error:  # whatever the package raises is its answer
        return {"seq": message["seq"], "refused": f"{type(error).__name__}: {error}".partition("\n")[0][:500]}


def main() -> None:
    """Answer one line after another until told to stop; only answers go to standard output."""
    answers, sys.stdout = sys.stdout, sys.stderr
    generator = RandomState()
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "stop":
            break
        print(json.dumps(answer(message, generator)), file=answers, flush=True)


if __name__ == "__main__":
    main()
