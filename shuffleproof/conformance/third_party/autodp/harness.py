"""autodp's accounting of randomized response and of composition, over the harness protocol.

The package has no shuffling. Its `RandresponseMechanism(p)` is a pair of distributions p,1-p and 1-p,p; other pairs are unsupported.

- renyi: `get_RDP`, as a moment; local_epsilon: `get_approxDP(0)`; compose rule=basic: `DP_acct.get_eps_delta_naive`. Claim: estimate,
  since they are closed forms in float64.
- hockey_stick: `get_approx_delta`; compose rule=product: the same of `Composition`; rule=optimal with delta = 0: the same for
  `PureDP_Mechanism`. Claim: upper, since a Renyi divergence is converted, which can only lose.
- with --fourier: only compose rule=product, by `ComposeAFA` (the package's Fourier accountant). Claim: estimate.
- with --accountant: only compose rule=basic, by `DP_acct.get_eps(0)`: the epsilon of the composition at delta = 0. Claim: upper.

Probabilities, epsilon and e^epsilon are handed over as the nearest float64, or its logarithm. What the package has values for and the
operations have not (orders that are not whole, e^epsilon below 1, no rounds) is refused here.
"""

import sys
import warnings
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from serving import RefusedError, UnsupportedError, exact, serve

sys.path.pop()
warnings.simplefilter("ignore")
try:
    from autodp.dp_acct import DP_acct
    from autodp.mechanism_zoo import PureDP_Mechanism, RandresponseMechanism
    from autodp.transformer_zoo import ComposeAFA, Composition
except ImportError as error:
    sys.exit(f"the package autodp cannot be imported here: {error}")

FOURIER, ACCOUNTANT = "--fourier" in sys.argv[1:], "--accountant" in sys.argv[1:]
NARROW = FOURIER or ACCOUNTANT
NAME = "autodp " + ("Fourier accountant" if FOURIER else "DP_acct at delta 0" if ACCOUNTANT else "Renyi accountant")


def nearest_float(epsilon: str) -> float:
    """The float64 nearest to a number ("0.5", "7/24") or a logarithm ("ln 3")."""
    with localcontext(prec=60):
        return float(exact(epsilon))


def truth_probability(p: str, q: str) -> float:
    """The probability of outcome 0 in randomized response with these two distributions."""
    first, second = ([Fraction(text) for text in law.split(",")] for law in (p, q))
    if len(first) != 2 or first != second[::-1] or sum(first) != 1 or not 0 <= first[0] <= 1:
        raise UnsupportedError("only the distributions a,1-a and 1-a,a")
    return float(first[0])


def whole(number: str, *, least: int) -> int:
    """A whole number, of at least something."""
    value = Fraction(number)
    if value.denominator != 1 or value < least:
        raise ValueError(f"a whole number of at least {least} is needed")
    return int(value)


def loss(exp_epsilon: str) -> float:
    """epsilon, from e^epsilon."""
    if Fraction(exp_epsilon) < 1:
        raise ValueError("e^epsilon must be at least 1")
    return nearest_float(f"ln {exp_epsilon}")


def composed(given: dict[str, str]) -> tuple[str, float | Decimal]:
    """Claim and value of one of the rules for composition."""
    rule, rounds = given["rule"], whole(given["rounds"], least=1)
    if rule == "basic" and not FOURIER:
        accountant, epsilon = DP_acct(), nearest_float(given["epsilon"])
        for _ in range(rounds):
            accountant.update_DPlosses(epsilon, 0)
        return ("upper", accountant.get_eps(0)) if ACCOUNTANT else ("estimate", accountant.get_eps_delta_naive()[0])
    if rule == "product" and not ACCOUNTANT:
        p, epsilon = truth_probability(given["p"], given["q"]), loss(given["exp_epsilon"])
        if FOURIER:
            mechanism = RandresponseMechanism(p, RDP_off=True, phi_off=False)
            return "estimate", ComposeAFA()([mechanism], [rounds]).get_approx_delta(epsilon)
        return "upper", Composition()([RandresponseMechanism(p)], [rounds]).get_approx_delta(epsilon)
    if rule == "optimal" and not NARROW and Fraction(given["delta"]) == 0:
        mechanism = PureDP_Mechanism(nearest_float(given["epsilon"]))
        return "upper", Composition()([mechanism], [rounds]).get_approx_delta(nearest_float(given["total_epsilon"]))
    raise UnsupportedError(f"not rule={rule} with these parameters")


def reply(operation: str, given: dict[str, str]) -> dict[str, str]:
    """The package's claim and value; what is infinite is no answer."""
    claim, value = claim_and_value(operation, given)
    if (number := Decimal(value)).is_infinite():
        raise RefusedError(f"the package answered {value}")
    return {"claim": claim, "value": str(number).lower()}


def claim_and_value(operation: str, given: dict[str, str]) -> tuple[str, float | Decimal]:
    """Return what the package says, and on which side."""
    if operation == "compose":
        return composed(given)
    if NARROW or operation not in ("renyi", "hockey_stick", "local_epsilon"):
        raise UnsupportedError("no such function")
    if operation == "local_epsilon":
        laws = given["laws"].split()
        if len(laws) != 2:
            raise UnsupportedError("only the distributions a,1-a and 1-a,a")
        return "estimate", RandresponseMechanism(truth_probability(*laws)).get_approxDP(0)
    mechanism = RandresponseMechanism(truth_probability(given["p"], given["q"]))
    if operation == "hockey_stick":
        return "upper", mechanism.get_approx_delta(loss(given["exp_epsilon"]))
    order = whole(given["order"], least=2)
    return "estimate", (Decimal(order - 1) * Decimal(float(mechanism.get_RDP(order)))).exp()


if __name__ == "__main__":
    serve(reply, name=NAME, package="autodp", operations=["compose"] if NARROW else ["renyi", "hockey_stick", "local_epsilon", "compose"])
