"""The amplification code that random-allocation vendors (`shuffle_external`, a public project's), over the harness protocol.

Wraps `numericalanalysis(n, epsorig, delta, num_iterations, step, upperbound)` and `deltacomp(n, eps0, eps, deltaupper, step, upperbound)`
of `random_allocation.external_sources.shuffle_external`, which compute epsilon and delta of the clones pair (FMT21, Theorem 3.2).

Claim: upper (default, upperbound=True), "this produces an upper bound on the true delta"; or lower (--lower, upperbound=False). step = 1
and 20 iterations; epsilon and delta as asked become floats on the side that keeps the claim, epsilon0 too. What is on the wrong side after
that is the package's. n and the domain are checked here, since it checks nothing.
"""

import math
import sys
import warnings
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from serving import RefusedError, UnsupportedError, exact, on_side, serve

sys.path.pop()
warnings.simplefilter("ignore")
try:
    from random_allocation.external_sources import shuffle_external
except ImportError as error:
    sys.exit(f"the package random-allocation cannot be imported here: {error}")

CLAIM = "lower" if "--lower" in sys.argv[1:] else "upper"
LARGEST_N = 200
"""Users up to which the package is asked, so that its answers come in time."""
LARGEST_EPSILON0 = 30
"""Largest epsilon0 with which it is asked."""
ITERATIONS = 20
"""Halvings of its search for epsilon: a width of 3e-5 of the largest, on the side that its claim is."""


def bound(operation: str, given: dict[str, str]) -> dict[str, str]:
    """The package's delta or epsilon, as the exact decimal expansion of its float."""
    if operation not in ("delta", "epsilon") or given["method"] != "clones":
        raise UnsupportedError("only delta and epsilon of the clones pair")
    n, upper = Fraction(given["n"]), CLAIM == "upper"
    asked = exact(given["epsilon"] if operation == "delta" else given["delta"])
    if n.denominator != 1 or n < 1 or exact(given["epsilon0"]) < 0 or asked < 0 or (operation == "epsilon" and asked > 1):
        raise RefusedError("outside the domain, which the package does not check")
    if n > LARGEST_N or exact(given["epsilon0"]) > LARGEST_EPSILON0:
        return {"unsupported": f"asked for n up to {LARGEST_N} and epsilon0 up to {LARGEST_EPSILON0} only"}
    local = on_side(given["epsilon0"], up=upper)
    if operation == "epsilon":
        value = shuffle_external.numericalanalysis(int(n), local, on_side(given["delta"], up=not upper), ITERATIONS, 1, upper)
    else:
        epsilon = on_side(given["epsilon"], up=not upper)
        if epsilon >= local:
            return {"unsupported": "the package asks for an epsilon below epsilon0"}
        value = shuffle_external.deltacomp(int(n), local, epsilon, 1.0, 1, upper)
    if not math.isfinite(value):
        raise RefusedError(f"the package answered {value}")
    return {"claim": CLAIM, "value": str(Decimal(float(value))).lower()}


if __name__ == "__main__":
    serve(
        bound,
        name=f"random-allocation shuffle_external, {CLAIM}",
        package="random-allocation",
        operations=["delta", "epsilon"],
        methods=["clones"],
    )
