"""dp-accounting's privacy loss distribution (PLD) of the clones pair, over the harness protocol.

Wraps `from_two_probability_mass_functions`, `get_delta_for_epsilon` and `get_epsilon_for_delta` of
`dp_accounting.pld.privacy_loss_distribution`, at the package's default grid (1e-4).

Claim: upper (default, pessimistic_estimate=True), for which the package documents that "the resulting epsilon-hockey stick divergence
computation gives an upper estimate to the real value"; or lower (--optimistic, pessimistic_estimate=False: losses rounded down).

The package accounts for any pair and knows no shuffling, so the pair is built here: FMT21, Theorem 3.2, in 40 digits, each log mass
handed over as its nearest float64. It is its own mirror image, as the default symmetric=True assumes. epsilon and delta as asked
become floats on the side that keeps the claim. What is on the wrong side of the truth after that is the package's, and so is
whether an epsilon or delta outside its domain is refused; n and epsilon0 are checked here.
"""

import math
import sys
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))
from serving import RefusedError, UnsupportedError, exact, on_side, serve

sys.path.pop()
try:
    from dp_accounting.pld import privacy_loss_distribution as pld
except ImportError as error:
    sys.exit(f"the package dp-accounting cannot be imported here: {error}")

CLAIM = "lower" if "--optimistic" in sys.argv[1:] else "upper"
LARGEST_N = 500
"""The pair has n (n + 3)/2 outcomes."""
LARGEST_EPSILON0 = 1_000
"""The package's grid has 20,000 epsilon0 points."""


def safe_float(number: str, *, largest: float) -> float:
    """The float64 at or below a number for an upper claim, at or above it for a lower one: both profiles are non-increasing."""
    nearest = on_side(number, up=CLAIM == "lower")
    with localcontext(prec=800):
        if not 0 <= exact(number) <= largest and 0 <= nearest <= largest:
            raise RefusedError("outside its domain by less than a float64 can say")
    return nearest


@lru_cache(maxsize=8)
def distribution(n: int, epsilon0: str) -> Any:
    """The package's PLD of the clones pair: (a, b) counts, P(a, b) proportional to e^epsilon0 a + b and Q(a, b) = P(b, a)."""
    with localcontext(prec=40):
        e0 = exact(epsilon0)
        T = e0.exp()
        log_factorial = list(accumulate((Decimal(j).ln() for j in range(1, n + 1)), initial=Decimal(0)))
        log_clone, log_other = -e0 - Decimal(2).ln(), (T - 1).ln() - e0 if e0 > 0 else None
        P: dict[tuple[int, int], float] = {}
        for c in range(n) if log_other is not None else [n - 1]:
            others = (n - 1 - c) * log_other if log_other is not None else 0
            weight = log_factorial[n - 1] - log_factorial[n - 1 - c] + c * log_clone + others - (T + 1).ln()
            for a in range(c + 2):
                b = c + 1 - a
                P[a, b] = float(weight - log_factorial[a] - log_factorial[b] + (T * a + b).ln())
    Q = {(a, b): P[b, a] for a, b in P}
    return pld.from_two_probability_mass_functions(Q, P, pessimistic_estimate=CLAIM == "upper")


def bound(operation: str, given: dict[str, str]) -> dict[str, str]:
    """The package's delta or epsilon, as the exact decimal expansion of its float."""
    if operation not in ("delta", "epsilon") or given["method"] != "clones":
        raise UnsupportedError("only delta and epsilon of the clones pair")
    n, e0 = Fraction(given["n"]), exact(given["epsilon0"])
    if n.denominator != 1 or n < 1 or e0 < 0:
        raise RefusedError("the pair that this harness builds needs a positive integer n and epsilon0 of at least 0")
    if n > LARGEST_N or e0 > LARGEST_EPSILON0:
        return {"unsupported": f"built for n up to {LARGEST_N} and epsilon0 up to {LARGEST_EPSILON0} only"}
    asked = safe_float(given["epsilon"], largest=math.inf) if operation == "delta" else safe_float(given["delta"], largest=1)
    losses = distribution(int(n), given["epsilon0"])
    value = float(losses.get_delta_for_epsilon(asked) if operation == "delta" else losses.get_epsilon_for_delta(asked))
    if math.isinf(value):
        raise RefusedError(f"the package answered {value}")
    return {"claim": CLAIM, "value": str(Decimal(value)).lower()}


if __name__ == "__main__":
    serve(
        bound,
        name=f"dp-accounting {'pessimistic' if CLAIM == 'upper' else 'optimistic'} PLD",
        package="dp-accounting",
        operations=["delta", "epsilon"],
        methods=["clones"],
    )
