"""An implementation that is right in everything it declares: what the bugs of `bugs.py` are planted in."""

import math
from collections.abc import Callable, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction

from shuffleproof.conformance.fakes import inverses, second_opinion as right
from shuffleproof.conformance.fakes.enumeration import LARGEST_N, Message, clones_delta, clones_pair
from shuffleproof.conformance.fakes.second_opinion import RefusedError, number, require, whole

Given = dict[str, str]
Reply = Message
Answerer = Callable[[Given], Reply]


class UnsupportedError(Exception):
    """This input may have an answer, but not from here."""


def exact(value: Fraction) -> Reply:
    """A claim to have the truth."""
    return {"claim": "exact", "value": str(value)}


def estimate(value: float | str) -> Reply:
    """A claim to be near."""
    return {"claim": "estimate", "value": value if isinstance(value, str) else str(Fraction(value))}


def rational(epsilon: str) -> Fraction:
    """e^epsilon, where it is rational."""
    found = right.exponential(epsilon)
    if found is None:
        raise UnsupportedError("only logarithms of rationals")
    return found


def delta(given: Given) -> Reply:
    """delta of the clones pair and of the zero sum, for few users."""
    if "epsilon0" in given:
        n, local, order = whole(given["n"], least=1), rational(given["epsilon0"]), rational(given["epsilon"])
        if n > LARGEST_N:
            raise UnsupportedError("only few users")
        return exact(clones_delta(n, local, order))
    n, p, order = zero_sum_input(given)
    return exact(right.zero_sum_delta(n, p, order))


def zero_sum_input(given: Given) -> tuple[int, Fraction, Fraction]:
    """n, p and e^epsilon."""
    n, p = whole(given["n"], least=1), number(given["p"])
    require(0 <= p <= 1, "p is in [0, 1]")
    order = rational(given["epsilon"])
    if n > 100:
        raise UnsupportedError("only few users")
    return n, p, order


def randomizer_law(given: Given) -> Reply:
    """k-ary randomized response; decimals of 17 digits where e^epsilon0 is irrational."""
    k = 2 if given["randomizer"] == "binary-rr" else whole(given["k"], least=1)
    x, T = whole(given["input"], least=0, most=k - 1), right.exponential(given["epsilon0"])
    if T is not None:
        return {"claim": "law", "value": {str(y): str((T if y == x else 1) / (T + k - 1)) for y in range(k)}}
    fewer = number(given["epsilon0"])
    lie = math.exp(-fewer) / (1 + (k - 1) * math.exp(-fewer)) if fewer < 700 else 0.0
    if lie == 0:
        raise UnsupportedError("beyond a float")
    return {"claim": "law", "value": {str(y): repr(1 / (1 + (k - 1) * math.exp(-fewer)) if y == x else lie) for y in range(k)}}


def hockey_stick(given: Given) -> Reply:
    """Compute it by the best event."""
    return exact(right.divergence(*right.pair(given), number(given["exp_epsilon"])))


def local_epsilon(given: Given) -> Reply:
    """Compute it by the largest ratio."""
    return logarithm(right.local_exp_epsilon(right.rows(given["laws"])))


def logarithm(exp_epsilon: Fraction) -> Reply:
    """An epsilon, exactly."""
    return {"claim": "exact", "value": f"ln {exp_epsilon}"}


def shuffle_law(given: Given) -> Reply:
    """Compute it by going through all messages."""
    laws = right.rows(given["laws"])
    dataset = [whole(x, least=0, most=len(laws) - 1) for x in given["dataset"].split(",")]
    return {"claim": "law", "value": {",".join(map(str, y)): str(weight) for y, weight in right.shuffled(laws, dataset).items()}}


def analyzed(given: Given) -> Reply:
    """Return what the analyzers put out."""
    n = whole(given["n"], least=1)
    if "p" in given:
        p = number(given["p"])
        require(0 <= p <= 1, "p is in [0, 1]")
        counts = [whole(each, least=0, most=2 * n) for each in given.get("counts", given.get("messages", "")).split(",")]
        return exact(right.count_estimate(counts[whole(given.get("bin", "1"), least=1, most=len(counts)) - 1], n, p))
    lam, r = number(given["lambda"]), whole(given.get("r", "1"), least=1)
    require(0 <= lam < n, "lambda is in [0, n)")
    return exact(right.sum_estimate(whole(given["ones"], least=0, most=n * r), n, lam, r))


def renyi(given: Given) -> Reply:
    """Compute it by the expectation under q."""
    return exact(right.moment(*right.pair(given), whole(given["order"], least=2)))


def compose(given: Given) -> Reply:
    """All five rules."""
    rounds = whole(given["rounds"], least=1)
    if given["rule"] == "shuffled":
        return _shuffled_rounds(given, rounds)
    if given["rule"] == "losses":
        order, (finite, losses) = rational(given["epsilon"]), loss_distribution(given)
        return exact(1 - finite + sum((m * (1 - order / ratio) for ratio, m in losses.items() if ratio > order), Fraction(0)))
    if given["rule"] == "product":
        p, q = (right.powers(law, rounds) for law in right.pair(given))
        return exact(right.divergence(p, q, number(given["exp_epsilon"])))
    each = rational(given["epsilon"])
    if given["rule"] == "basic":
        return logarithm(each**rounds)
    return exact(right.composed_delta(each, number(given["delta"]), rounds, rational(given["total_epsilon"])))


def _shuffled_rounds(given: Given, rounds: int) -> Reply:
    n = whole(given["n"], least=1)
    if given["method"] != "clones":
        raise UnsupportedError("only the clones pair")
    local = rational(given["epsilon0"])
    small = probability(given.get("delta", "0"))
    order = rational(given.get("epsilon", "0"))
    if n > 6 or n**rounds > 216:
        raise UnsupportedError("only few users and rounds")
    pairs = inverses.in_rounds(clones_pair(n, local), rounds)
    if "delta" in given:
        return logarithm(inverses.least_exp_epsilon(pairs, small))
    return exact(sum((max(Fraction(0), p - order * q) for p, q in pairs), Fraction(0)))


def loss_distribution(given: Given) -> tuple[Fraction, dict[Fraction, Fraction]]:
    """The finite mass, and ratio -> mass, of all of them in all rounds."""
    found, finite = {Fraction(1): Fraction(1)}, Fraction(1)
    if whole(given["rounds"], least=1) > 9:
        raise UnsupportedError("only few rounds")
    for _ in range(whole(given["rounds"], least=1)):
        for row, weights in zip(given["ratios"].split(" "), given["masses"].split(" "), strict=True):
            one = list(zip([number(r) for r in row.split(",")], [number(m) for m in weights.split(",")], strict=True))
            require(min(r for r, _ in one) > 0 and min(m for _, m in one) >= 0, "ratios are above 0, masses at least 0")
            require(sum(m for _, m in one) <= 1 and sum(m / r for r, m in one) <= 1, "masses are of sum at most 1")
            after: dict[Fraction, Fraction] = {}
            for ratio, mass in found.items():
                for r, m in one:
                    after[ratio * r] = after.get(ratio * r, Fraction(0)) + mass * m
            found, finite = after, finite * sum(m for _, m in one)
    return finite, found


def renyi_divergence(given: Given) -> Reply:
    """Compute it by the expectation under q of the ratio's power, in decimals."""
    rounds, order = whole(given["rounds"], least=1), number(given["order"])
    require(order > 1, "the order is above 1")
    if "method" in given:
        n = whole(given["n"], least=1)
        if given["method"] != "clones" or n > 20:
            raise UnsupportedError("only the clones pair, of few users")
        pairs = [(p / q, p) for p, q in clones_pair(n, rational(given["epsilon0"]))]
    else:
        finite, losses = loss_distribution({**given, "rounds": "1"})
        require(finite == 1, "an infinite loss has positive probability")
        pairs = list(losses.items())
    with localcontext() as context:
        context.prec = 60
        power = right.decimal(order - 1)
        moment = sum((right.decimal(m) * right.decimal(ratio) ** power for ratio, m in pairs), Decimal(0))
        found = rounds * moment.ln() / power
        return estimate(str(+found.quantize(Decimal(10) ** -50)).lower())


def profile(given: Given) -> Reply:
    """One after the other."""
    asked = {key: text for key, text in given.items() if key != "epsilons"}
    values = [delta({**asked, "epsilon": text.strip()})["value"] for text in given["epsilons"].split(",")]
    return {"claim": "exact", "value": {str(place): value for place, value in enumerate(values)}}


def threshold(given: Given) -> Reply:
    """Find it by trying every candidate."""
    norms, T, regularised = [number(m) for m in given["norms"].split(",")], number(given["T"]), given["rule"] == "regularised"
    require(min(norms) >= 0 and T > 0, "norms are at least 0, T above 0")
    lam = number(given["lambda"]) if regularised else Fraction(0)
    require(lam > 0 or not regularised, "lambda is above 0")
    return exact(right.least_minimiser(norms, T, lam, number(given["B"]) if regularised else None))


def debias(given: Given) -> Reply:
    """In decimals of many digits."""
    C = number(given["C"])
    require(C >= 0, "C is at least 0")
    if "rate" in given:
        rate = number(given["rate"])
        require(rate >= 0, "a rate is at least 0")
        return estimate(right.text(right.clipped_mean(rate, C)))
    y = number(given["y"])
    require(0 <= y < C, "y is in [0, C)")
    return estimate(right.text(right.clipped_inverse(y, C)) if y else "0")


def epsilon(given: Given) -> Reply:
    """epsilon of the clones pair, for few users."""
    small = probability(given["delta"])
    if given["method"] != "clones":
        raise UnsupportedError("only the clones pair")
    n, local = whole(given["n"], least=1), rational(given["epsilon0"])
    if n > LARGEST_N or local > 10**9:
        raise UnsupportedError("only few users, and no astronomic epsilon0")
    return logarithm(inverses.least_exp_epsilon(clones_pair(n, local), small))


def probability(text: str) -> Fraction:
    """A delta."""
    value = number(text)
    require(0 <= value <= 1, "delta is in [0, 1]")
    return value


def calibrate(given: Given, *, constant: int = 50) -> Reply:
    """The least noise for few users; for the zero sum what BC20's Theorem 3.1 prescribes, where it says anything."""
    protocol = given["protocol"]
    if protocol == "user-histogram":
        return user_histogram(given)
    n, small, r = whole(given["n"], least=1), probability(given["delta"]), whole(given.get("r", "1"), least=1)
    if protocol == "zero-sum":
        if given["epsilon"].startswith("ln") and given["epsilon"] != "ln 3":
            raise UnsupportedError("no logarithms but one")
        return _prescribed(n, number(given["epsilon"].replace("ln 3", "1")), small, constant)
    order = rational(given["epsilon"])
    if n * r > (20 if protocol == "frequency" else 12) or given.get("method", "clones") != "clones":
        raise UnsupportedError("only few users")
    if protocol == "histogram":
        return {"claim": "upper", "value": str(inverses.histogram_noise(n, order, small, bins=2))}
    if protocol == "frequency":
        return {"claim": "lower", "value": f"ln {inverses.largest_exp_epsilon0(n, order, small)[0]}"}
    if protocol == "real-sum-tagged":
        # Each of r runs for a share of epsilon and delta: sound, by adding up.
        share = right.root_below(order, r)
        return {"claim": "upper", "value": str(inverses.sum_noise(n, 1, share, small / r))}
    return {"claim": "upper", "value": str(inverses.sum_noise(n, r, order, small))}


def user_histogram(given: Given, *, relation: str = "", classical: bool = False) -> Reply:
    """The analytic condition of the Gaussian mechanism in floats; Laplace noise by its definition."""
    C, d = number(given["C"]), whole(given["d"], least=1)
    require(C > 0 and given["relation"] in ("replace-one", "add-remove"), "C is above 0, and the relation one of two")
    both = (relation or given["relation"]) == "replace-one" and d >= 2
    epsilon = math.log(T) if (T := right.exponential(given["epsilon"])) is not None else float(number(given["epsilon"]))
    if "delta" not in given:
        require(epsilon > 0, "epsilon is above 0")
        return {"claim": "upper", "value": str(Fraction(float(C) * (1 + both) / epsilon * (1 + 1e-9)))}
    small = probability(given["delta"])
    if not 1e-12 < small < 1 or not 0 < epsilon < 30:
        raise UnsupportedError("delta from 1e-12, epsilon to 30")
    spread = math.sqrt(2 * math.log(1.25 / float(small))) / epsilon if classical else inverses.gaussian_spread(epsilon, float(small))
    return {"claim": "upper", "value": str(Fraction(float(C) * math.sqrt(1 + both) * spread * (1 + 1e-9)))}


def _prescribed(n: int, local: Fraction, small: Fraction, constant: int) -> Reply:
    if local <= 0 or small <= 0:
        raise UnsupportedError("outside the theorem")
    noise = constant / float(local) ** 2 * math.log(2 / float(small))
    if noise > n / 2 or local > 1:
        raise UnsupportedError("outside the theorem")
    return {"claim": "upper", "value": str(math.ceil(noise))}


def parameter(given: Given) -> Reply:
    """Compute it for k-ary randomized response only: p and q are e^epsilon0, beta is by the sum of the differences."""
    require(given["which"] in ("p", "beta", "q"), "which is p, beta or q")
    if given["randomizer"] != "krr" or given["epsilon0"].strip().startswith("-"):
        require(not given["epsilon0"].strip().startswith("-"), "epsilon0 is at least 0")
        raise UnsupportedError("only k-ary randomized response")
    k, T = whole(given["k"], least=2), right.exponential(given["epsilon0"])
    if T is None:
        raise UnsupportedError("only logarithms of rationals")
    return exact(T if given["which"] != "beta" else T / (T + k - 1) - 1 / (T + k - 1))


def noise_cdf(given: Given) -> Reply:
    """Add up masses: discrete Laplace noise exactly, below 0 as the rest of the geometric series; Gaussian noise in floats."""
    x, terms = number(given["x"]), whole(given["terms"], least=1, most=2)
    require(x.denominator == 1, "x is an integer")
    if given["noise"] == "discrete-gaussian":
        variance = number(given["variance"])
        require(variance > 0, "the variance is above 0")
        return _gaussian(float(variance), terms, int(x))
    T = right.exponential(given["epsilon"])
    require(T != 1, "epsilon is above 0")
    if T is None:
        raise UnsupportedError("only logarithms of rationals")
    if terms == 2:
        return exact(_sum_of_two(1 / T, int(x)))
    return exact(_one_term(1 / T, int(x)))


def _one_term(alpha: Fraction, x: int) -> Fraction:
    return alpha**-x / (1 + alpha) if x < 0 else 1 - alpha ** (x + 1) / (1 + alpha)


def _sum_of_two(alpha: Fraction, x: int) -> Fraction:
    """Mass by mass between 0 and |x|; by symmetry P(S <= -1) = (1 - P(S = 0))/2."""
    c = (1 - alpha) / (1 + alpha)

    def mass(z: int) -> Fraction:
        m = abs(z)
        inside = (m + 1) * alpha**m  # both of one sign
        outside = 2 * alpha ** (m + 2) / (1 - alpha**2)
        return c**2 * (inside + outside)

    below = (1 - mass(0)) / 2
    if x >= 0:
        return below + sum((mass(z) for z in range(x + 1)), Fraction(0))
    return below - sum((mass(z) for z in range(x + 1, 0)), Fraction(0))


def _gaussian(variance: float, terms: int, x: int) -> Reply:
    reach = math.ceil(math.sqrt(variance) * 40) + 2
    weights = {z: math.exp(-z * z / (2 * variance)) for z in range(-reach, reach + 1)}
    total = math.fsum(weights.values())
    if terms == 1:
        return estimate(repr(math.fsum(weight for z, weight in weights.items() if z <= x) / total))
    below, tails = 0.0, {-reach - 1: 0.0}
    for z in range(-reach, reach + 1):
        below += weights[z]
        tails[z] = below
    told = math.fsum(weight * tails.get(max(-reach - 1, min(reach, x - z)), 0.0) for z, weight in weights.items())
    return estimate(repr(told / total**2))


HONEST: Mapping[str, Answerer] = {
    "delta": delta,
    "epsilon": epsilon,
    "randomizer_law": randomizer_law,
    "hockey_stick": hockey_stick,
    "local_epsilon": local_epsilon,
    "shuffle_law": shuffle_law,
    "estimate": analyzed,
    "renyi": renyi,
    "compose": compose,
    "threshold": threshold,
    "debias": debias,
    "calibrate": calibrate,
    "parameter": parameter,
    "noise_cdf": noise_cdf,
    "profile": profile,
    "renyi_divergence": renyi_divergence,
}


def answered(answerer: Answerer, given: Given) -> Reply:
    """The answer, or the reason for none."""
    try:
        return answerer(given)
    except RefusedError as reason:
        return {"refused": str(reason)}
    except UnsupportedError as reason:
        return {"unsupported": str(reason)}
