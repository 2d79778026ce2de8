"""Wrong formulas, each in the place of one right answer: what was done wrong is said in the table at the end."""

import math
import struct
from fractions import Fraction
from functools import partial

from shuffleproof.conformance.fakes import honest, inverses, second_opinion as right
from shuffleproof.conformance.fakes.honest import Answerer, Given, Reply, estimate, exact, logarithm
from shuffleproof.conformance.fakes.second_opinion import RefusedError, number, whole


def _half_the_distance(given: Given) -> Reply:
    p, q = right.pair(given)
    order = number(given["exp_epsilon"])
    honest.hockey_stick(given)
    return exact(sum((abs(a - order * b) for a, b in zip(p, q, strict=True)), Fraction(0)) / 2)


def _larger_direction(given: Given) -> Reply:
    p, q = right.pair(given)
    order = number(given["exp_epsilon"])
    return exact(max(right.divergence(p, q, order), right.divergence(q, p, order)))


def _one_minus_overlap(given: Given) -> Reply:
    honest.hockey_stick(given)
    (p, q), order = right.pair(given), float(min(number(given["exp_epsilon"]), Fraction(10) ** 300))
    return estimate(1 - math.fsum(min(float(a), order * float(b)) for a, b in zip(p, q, strict=True)))


def _zeros_left_out(given: Given) -> Reply:
    laws = right.rows(given["laws"])
    columns = [column for column in zip(*laws, strict=True) if all(column)]
    return logarithm(max([Fraction(1), *(max(column) / min(column) for column in columns)]))


def _equal_distributions_refused(given: Given) -> Reply:
    reply = honest.local_epsilon(given)
    if reply["value"] == "ln 1":
        raise RefusedError("no difference to measure")
    return reply


def _small_probabilities_dropped(given: Given) -> Reply:
    reply = honest.shuffle_law(given)
    return {**reply, "value": {y: p for y, p in reply["value"].items() if float(Fraction(p)) > 1e-8}}


def _one_minus_truth(given: Given) -> Reply:
    reply = honest.randomizer_law({**given, "epsilon0": "ln 2"})
    k, epsilon0 = len(reply["value"]), given["epsilon0"]
    exp = right.exponential(epsilon0)
    local = math.log(exp) if exp is not None else float(number(epsilon0))
    truth = 1 / (1 + (k - 1) * math.exp(-local))
    law = {y: repr(truth if y == str(int(number(given["input"]))) else (1 - truth) / max(1, k - 1)) for y in reply["value"]}
    return {"claim": "law", "value": law}


def _nearest_float(given: Given) -> Reply:
    reply = honest.delta(given)
    return {"claim": "upper", "value": str(Fraction(float(Fraction(reply["value"]))))}


def _one_direction_of_the_zero_sum(given: Given) -> Reply:
    if "p" not in given:
        return honest.delta(given)
    n, p, order = honest.zero_sum_input(given)
    law = right.binomial(n, p)
    return exact(right.divergence([*law, Fraction(0)], [Fraction(0), *law], order))


def _not_strictly_more(given: Given) -> Reply:
    if given.get("messages") == given["n"] and "p" in given:
        return exact(1 - number(given["p"]))
    return honest.analyzed(given)


def _bias_kept(given: Given) -> Reply:
    reply = honest.analyzed(given)
    if "lambda" not in given:
        return reply
    n, lam = number(given["n"]), number(given["lambda"])
    return exact(Fraction(reply["value"]) + n / (n - lam) * lam / 2)


def _float_powers(given: Given) -> Reply:
    honest.renyi(given)
    order = whole(given["order"], least=2)
    try:
        return estimate(math.fsum(float(a) ** order / float(b) ** (order - 1) for a, b in zip(*right.pair(given), strict=True) if a))
    except (OverflowError, ZeroDivisionError):
        raise RefusedError("too large") from None


def _failures_added_after_all(given: Given) -> Reply:
    if given["rule"] != "optimal":
        return honest.compose(given)
    reply = honest.compose({**given, "delta": "0"})
    return exact(min(Fraction(1), Fraction(reply["value"]) + whole(given["rounds"], least=1) * number(given["delta"])))


def _one_term_too_few(given: Given) -> Reply:
    if given["rule"] != "optimal" or Fraction(given["delta"]):
        return honest.compose(given)
    T, E, k = honest.rational(given["epsilon"]), honest.rational(given["total_epsilon"]), whole(given["rounds"], least=1)
    terms = [math.comb(k, lies) * (T ** (k - lies) - E * T**lies) / (1 + T) ** k for lies in range(k + 1)]
    return exact(sum(sorted(term for term in terms if term > 0)[1:], Fraction(0)))


def _weight_below_the_slope(given: Given) -> Reply:
    if given["rule"] != "minimiser":
        return honest.threshold(given)
    honest.threshold(given)
    norms, T = sorted(number(m) for m in given["norms"].split(",")), number(given["T"])
    return exact(next(C for C in [Fraction(0), *norms] if sum(m > C for m in norms) < T))


def _beyond_the_range(given: Given) -> Reply:
    if "y" in given and number(given["y"]) >= number(given["C"]) > 0:
        return estimate("1e6")
    return honest.debias(given)


def _float_inverse(given: Given) -> Reply:
    reply = honest.debias(given)
    if "y" not in given:
        C, rate = number(given["C"]), float(number(given["rate"]))
        terms, k = math.exp(-rate), math.floor(C)
        total = 0.0
        for j in range(k):
            total += (k - j) * terms
            terms *= rate / (j + 1)
        return estimate(k - total) if k == C else reply
    return reply


def _delta_split_only(given: Given) -> Reply:
    """A histogram's noise, found for one bin and half of delta."""
    reply = honest.calibrate(given)
    if given["protocol"] != "histogram":
        return reply
    n, order = whole(given["n"], least=1), honest.rational(given["epsilon"])
    return {**reply, "value": str(inverses.histogram_noise(n, order, number(given["delta"]) / 2, bins=1))}


def _failing_end_of_a_search(given: Given) -> Reply:
    reply = honest.calibrate(given)
    if given["protocol"] != "frequency":
        return reply
    asked = whole(given["n"], least=1), honest.rational(given["epsilon"]), number(given["delta"])
    return {**reply, "value": f"ln {inverses.largest_exp_epsilon0(*asked)[1]}"}


def _single(value: Fraction) -> Fraction:
    """A number as float32 holds it."""
    try:
        return Fraction(struct.unpack("f", struct.pack("f", float(value)))[0])
    except OverflowError:
        raise RefusedError("too large") from None


def _in_single_precision(answerer: Answerer, claim: str, given: Given) -> Reply:
    reply = answerer(given)
    if not isinstance(reply.get("value"), str) or reply["value"].startswith("ln"):
        return reply
    return {"claim": claim, "value": str(_single(Fraction(reply["value"])))}


def _tiny_is_zero(given: Given) -> Reply:
    delta = Fraction(honest.delta(given)["value"])
    return {"claim": "upper", "value": str(delta if delta > Fraction(1, 10**10) else 0)}


def _zero_for_few(given: Given) -> Reply:
    reply = honest.epsilon(given)
    return {"claim": "upper", "value": "0"} if whole(given["n"], least=1) <= 2 else reply


def _clamped_to_one(given: Given) -> Reply:
    reply = honest.epsilon(given)
    return {"claim": "upper", "value": "1"} if Fraction(reply["value"].removeprefix("ln ")) > 3 else reply


def _one_category_more(given: Given) -> Reply:
    reply = honest.randomizer_law(given)
    k, T = len(reply["value"]), right.exponential(given["epsilon0"])
    if T is None or k == 2:
        return reply
    return {"claim": "law", "value": {y: str((T if y == str(whole(given["input"], least=0)) else 1) / (T + k)) for y in reply["value"]}}


def _norms_sorted_as_texts(given: Given) -> Reply:
    reply = honest.threshold(given)
    if given["rule"] != "minimiser":
        return reply
    norms, T = sorted(given["norms"].split(","), reverse=True), number(given["T"])
    at = math.floor(T)
    return exact(number(norms[at]) if at < len(norms) else Fraction(0))


def _continuous(given: Given) -> Reply:
    """The distribution function of the normal distribution in the place of the discrete one's."""
    reply = honest.noise_cdf(given)
    if given["noise"] != "discrete-gaussian":
        return reply
    spread = math.sqrt(2 * float(number(given["variance"])) * whole(given["terms"], least=1))
    return estimate(repr((1 + math.erf(float(number(given["x"])) / spread)) / 2))


def _infinite_mass_lost(given: Given) -> Reply:
    reply = honest.compose(given)
    if given["rule"] != "losses":
        return reply
    finite, _ = honest.loss_distribution(given)
    return exact(Fraction(reply["value"]) - (1 - finite))


def _falling(given: Given) -> Reply:
    values = sorted(map(Fraction, honest.profile(given)["value"].values()), reverse=True)
    return {"claim": "exact", "value": {str(place): str(value) for place, value in enumerate(values)}}


def _of_histogram(given: Given, *, relation: str = "", classical: bool = False) -> Reply:
    reply = honest.calibrate(given)
    if given["protocol"] != "user-histogram" or (classical and "delta" not in given):
        return reply
    return honest.user_histogram(given, relation=relation, classical=classical)


WRONG_FORMULAS: tuple[tuple[str, str, str, Answerer], ...] = (
    ("half-the-distance", "hockey_stick", "half the sum of |p - e^eps q|, right at e^eps = 1 only", _half_the_distance),
    ("larger-direction", "hockey_stick", "the larger of both directions where one was asked for", _larger_direction),
    ("one-minus-overlap", "hockey_stick", "1 - sum min(p, e^eps q) in floats", _one_minus_overlap),
    ("zeros-left-out", "local_epsilon", "outcomes that some input never sends left out", _zeros_left_out),
    ("equal-laws-refused", "local_epsilon", "no answer where all distributions are the same", _equal_distributions_refused),
    ("small-dropped", "shuffle_law", "probabilities below 1e-8 dropped", _small_probabilities_dropped),
    ("one-minus-truth", "randomizer_law", "the probability of a lie as 1 - P(truth) in floats", _one_minus_truth),
    ("nearest-float", "delta", "an upper bound rounded to the nearest float", _nearest_float),
    ("one-direction", "delta", "one direction of the zero sum's pair", _one_direction_of_the_zero_sum),
    ("not-strictly-more", "estimate", "c* >= 1 for c* > 1", _not_strictly_more),
    ("bias-kept", "estimate", "lambda/2 not subtracted", _bias_kept),
    ("float-powers", "renyi", "powers in floats", _float_powers),
    ("laws-swapped", "renyi", "the two distributions swapped", lambda x: honest.renyi({**x, "p": x["q"], "q": x["p"]})),
    ("failures-added", "compose", "delta added k times beside the optimal profile", _failures_added_after_all),
    ("one-term-too-few", "compose", "the smallest term of the optimal profile lost", _one_term_too_few),
    ("weight-below-slope", "threshold", "S(C) < T for S(C) <= T", _weight_below_the_slope),
    (
        "not-clamped",
        "threshold",
        "the public bound on the threshold ignored",
        lambda given: honest.threshold({**given, "B": "1000000"} if "B" in given else given),
    ),
    ("beyond-the-range", "debias", "an answer for y >= C, where there is none", _beyond_the_range),
    ("float-series", "debias", "C minus a sum near C in floats", _float_inverse),
    ("constant-1-for-50", "calibrate", "the constant of the theorem forgotten", lambda given: honest.calibrate(given, constant=1)),
    ("delta-split-only", "calibrate", "delta split over two bins, epsilon not", _delta_split_only),
    ("failing-epsilon0", "calibrate", "the end of the search at which the target is missed", _failing_end_of_a_search),
    ("float32", "delta", "single precision, claimed as an upper bound", partial(_in_single_precision, honest.delta, "upper")),
    ("zero-for-few", "epsilon", "0 for at most two users", _zero_for_few),
    ("clamped-to-one", "epsilon", "no epsilon above 1", _clamped_to_one),
    ("one-category-more", "randomizer_law", "e^epsilon0 + k in the place of e^epsilon0 + k - 1", _one_category_more),
    ("norms-as-texts", "threshold", "norms sorted as texts", _norms_sorted_as_texts),
    ("continuous", "noise_cdf", "the normal distribution for the discrete one", _continuous),
    ("parameter-float32", "parameter", "single precision", partial(_in_single_precision, honest.parameter, "upper")),
    ("infinite-mass-lost", "compose", "the mass of infinite losses lost", _infinite_mass_lost),
    ("sorted-epsilons", "profile", "deltas in falling order, whatever the order of the epsilons", _falling),
    ("neighbours-mixed", "calibrate", "one user more or less where one is replaced", partial(_of_histogram, relation="add-remove")),
    ("classical-beyond-one", "calibrate", "the classical Gaussian formula for every epsilon", partial(_of_histogram, classical=True)),
    ("tiny-is-zero", "delta", "what is below 1e-10 taken for 0", _tiny_is_zero),
)
"""Name, operation, what was done wrong, and what comes of it."""
