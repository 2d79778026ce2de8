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

import json
import sys
import warnings
from decimal import Decimal, localcontext
from fractions import Fraction
from importlib.metadata import version
from typing import Any

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

GREETING = {
    "version": 1,
    "implementation": {"name": NAME, "version": version("autodp"), "language": "python"},
    "capabilities": {
        "operations": ["compose"] if NARROW else ["renyi", "hockey_stick", "local_epsilon", "compose"],
        "methods": [],
        "randomizers": [],
    },
}


class UnsupportedError(Exception):
    """A question that the package has no function for."""


def nearest_float(epsilon: str) -> float:
    """The float64 nearest to a number ("0.5", "7/24") or a logarithm ("ln 3")."""
    logarithm = epsilon.strip().startswith("ln")
    exact = Fraction(epsilon.strip()[2:].strip(" ()") if logarithm else epsilon)
    with localcontext(prec=60):
        return float((Decimal(exact.numerator) / Decimal(exact.denominator)).ln()) if logarithm else float(exact)


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


def answer(message: dict[str, Any]) -> dict[str, Any]:
    """The reply to one message."""
    if message["cmd"] == "start":
        return GREETING
    if message["cmd"] == "configure":
        return {"configured": True}
    try:
        claim, value = claim_and_value(message["operation"], message["input"])
        if (number := Decimal(value)).is_infinite():
            return {"seq": message["seq"], "refused": f"the package answered {value}"}
        return {"seq": message["seq"], "claim": claim, "value": str(number).lower()}
    except UnsupportedError as error:
        return {"seq": message["seq"], "unsupported": str(error)}
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
