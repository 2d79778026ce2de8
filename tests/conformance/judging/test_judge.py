"""The judge: one part in 10^30 on the wrong side is unsound, any distance on the right side is not."""

import random
from fractions import Fraction
from math import comb

from harnesses import a_case
from hypothesis import given, strategies as st
from strategies import examples

from shuffleproof.conformance.judging.judge import FAMILY_WISE_ERROR, FEWEST_SAMPLES, Judgement, Verdict, judge
from shuffleproof.conformance.running.protocol import Answer
from shuffleproof.conformance.vectors import Case, expected_from

EXACT = {"kind": "exact", "value": "7/24"}
LN_3 = {"kind": "exact", "value": "ln 3"}
ENCLOSURE = {"kind": "enclosure", "lower": "0.05300531648031327", "upper": "0.05300531648031328"}
ZERO = {"kind": "exact", "value": "0"}
DISTRIBUTION = {"kind": "law", "law": {"0": "3/4", "1": "1/4"}}
REFUSAL = {"kind": "refusal", "because": "n must be at least 1"}
ULP = Fraction(1, 10**60)


def case(expected: dict[str, object], *, relative: str = "1e-6", absolute: str = "0") -> Case:
    law = expected["kind"] in ("law", "law-enclosure")
    return a_case(
        operation="randomizer_law" if law else "epsilon",
        expected=expected_from(expected),
        relative_tolerance=Fraction(relative),
        absolute_tolerance=Fraction(absolute),
    )


def verdict(expected: dict[str, object], claim: str, value: object, **tolerance: str) -> Verdict:
    return judged(expected, claim, value, **tolerance).verdict


def judged(expected: dict[str, object], claim: str, value: object, **tolerance: str) -> Judgement:
    table = value if isinstance(value, dict) else None
    answer = Answer(claim=claim, table=table) if table is not None else Answer(claim=claim, value=str(value))
    return judge(case(expected, **tolerance), answer)


def test_an_upper_claim_is_unsound_however_little_it_is_below_the_truth() -> None:
    truth = Fraction(7, 24)
    assert verdict(EXACT, "upper", truth) is Verdict.CONFORMS
    assert verdict(EXACT, "upper", truth - ULP) is Verdict.UNSOUND
    assert verdict(EXACT, "upper", truth + ULP) is Verdict.CONFORMS
    assert verdict(EXACT, "upper", truth * (1 - Fraction(1, 10**9))) is Verdict.UNSOUND
    assert verdict(EXACT, "upper", -1) is Verdict.UNSOUND


def test_a_truth_below_0_is_judged_like_any_other() -> None:
    """Unbiased estimates can be negative."""
    below = {"kind": "exact", "value": "-2/3"}
    assert verdict(below, "exact", "-2/3") is Verdict.CONFORMS
    assert verdict(below, "exact", "-2/3000001") is Verdict.MISMATCH
    assert verdict(below, "upper", "-2/3") is Verdict.CONFORMS
    assert verdict(below, "upper", "-0.67") is Verdict.UNSOUND
    assert verdict(below, "upper", "-0.6") is Verdict.LOOSE
    assert verdict(below, "lower", "-0.6") is Verdict.UNSOUND
    assert verdict(below, "estimate", "-0.6666667") is Verdict.CONFORMS
    assert verdict(below, "estimate", "-0.66666") is Verdict.MISMATCH
    assert verdict(below, "estimate", "0.6666667") is Verdict.MISMATCH


def test_the_least_noise_is_judged_by_what_fails_and_what_is_enough() -> None:
    least = {"kind": "bracket", "lower": "2.4412", "upper": "2.4413"}
    assert verdict(least, "upper", "2.4413") is Verdict.CONFORMS
    assert verdict(least, "upper", "2.4412") is Verdict.CONFORMS
    assert verdict(least, "upper", "2.4411") is Verdict.UNSOUND
    assert verdict(least, "upper", "3") is Verdict.LOOSE
    assert verdict(least, "estimate", "2.44125") is Verdict.CONFORMS
    assert verdict(least, "estimate", "2.5") is Verdict.MISMATCH


def test_a_lower_claim_is_unsound_however_little_it_is_above_the_truth() -> None:
    truth = Fraction(7, 24)
    assert verdict(EXACT, "lower", truth) is Verdict.CONFORMS
    assert verdict(EXACT, "lower", truth + ULP) is Verdict.UNSOUND
    assert verdict(EXACT, "lower", truth - ULP) is Verdict.CONFORMS
    assert verdict(EXACT, "lower", truth / 2) is Verdict.LOOSE
    assert verdict(EXACT, "lower", 0) is Verdict.LOOSE
    assert verdict(EXACT, "lower", -1) is Verdict.LOOSE


def test_an_irrational_truth_is_compared_exactly() -> None:
    below = "1.09861228866810969139524523692252570464749055782274"
    above = "1.09861228866810969139524523692252570464749055782275"
    assert verdict(LN_3, "upper", below) is Verdict.UNSOUND
    assert verdict(LN_3, "upper", above) is Verdict.CONFORMS
    assert verdict(LN_3, "lower", above) is Verdict.UNSOUND
    assert verdict(LN_3, "lower", below) is Verdict.CONFORMS
    assert verdict(LN_3, "upper", "ln 3") is Verdict.CONFORMS
    assert verdict(LN_3, "upper", "ln 2.999999999999999999999999") is Verdict.UNSOUND


def test_inside_the_enclosure_nothing_can_be_held_against_a_claim() -> None:
    for claim in ("upper", "lower", "exact", "estimate"):
        for value in (ENCLOSURE["lower"], "0.053005316480313275", ENCLOSURE["upper"]):
            assert verdict(ENCLOSURE, claim, value) is Verdict.CONFORMS
    below, above = Fraction(ENCLOSURE["lower"]) - ULP, Fraction(ENCLOSURE["upper"]) + ULP
    assert verdict(ENCLOSURE, "upper", below) is Verdict.UNSOUND
    assert verdict(ENCLOSURE, "lower", above) is Verdict.UNSOUND
    assert verdict(ENCLOSURE, "exact", below) is Verdict.MISMATCH
    assert verdict(ENCLOSURE, "exact", above) is Verdict.MISMATCH


def test_a_sound_claim_is_loose_beyond_the_slack_and_says_by_how_much() -> None:
    truth = Fraction(7, 24)
    edge = truth * (1 + Fraction(1, 10**6))
    assert verdict(EXACT, "upper", edge) is Verdict.CONFORMS
    assert verdict(EXACT, "upper", edge + ULP) is Verdict.LOOSE
    assert judged(EXACT, "upper", 2 * truth).ratio == "2"
    assert judged(EXACT, "lower", truth / 4).ratio == "4"
    assert judged(ZERO, "upper", "1e-300") == Judgement(verdict=Verdict.LOOSE, detail="sound, but the truth is 0", ratio="infinite")
    assert verdict(ZERO, "upper", 0) is Verdict.CONFORMS
    assert verdict(ZERO, "upper", "-1e-300") is Verdict.UNSOUND


def test_an_exact_claim_must_be_exact() -> None:
    assert verdict(EXACT, "exact", "14/48") is Verdict.CONFORMS
    assert verdict(EXACT, "exact", Fraction(7, 24) + ULP) is Verdict.MISMATCH
    assert verdict(LN_3, "exact", "ln 9/3") is Verdict.CONFORMS
    assert verdict(LN_3, "exact", "1.0986122886681098") is Verdict.MISMATCH


def test_an_estimate_must_be_within_its_tolerance_on_either_side() -> None:
    truth, relative = Fraction(7, 24), Fraction(1, 10**6)
    for sign in (1, -1):
        assert verdict(EXACT, "estimate", truth * (1 + sign * relative)) is Verdict.CONFORMS
        assert verdict(EXACT, "estimate", truth * (1 + sign * relative) + sign * ULP) is Verdict.MISMATCH
    assert verdict(ZERO, "estimate", "1e-13", absolute="1e-12") is Verdict.CONFORMS
    assert verdict(ZERO, "estimate", "-1e-13", absolute="1e-12") is Verdict.CONFORMS
    assert verdict(ZERO, "estimate", "1e-11", absolute="1e-12") is Verdict.MISMATCH
    assert verdict(ZERO, "estimate", "ln 0.5", absolute="1e-12") is Verdict.MISMATCH


def test_refusals() -> None:
    refused, unsupported = Answer(claim="refused", reason="no"), Answer(claim="unsupported", reason="no")
    assert judge(case(REFUSAL), refused).verdict is Verdict.CONFORMS
    assert judge(case(REFUSAL), unsupported).verdict is Verdict.UNSUPPORTED
    assert judge(case(EXACT), refused).verdict is Verdict.REFUSED
    assert judge(case(EXACT), unsupported).verdict is Verdict.UNSUPPORTED
    for claim in ("upper", "lower", "exact", "estimate"):
        assert verdict(REFUSAL, claim, "0.5") is Verdict.MISMATCH
    assert verdict(REFUSAL, "law", {"0": "1"}) is Verdict.MISMATCH
    assert verdict(EXACT, "law", {"0": "1"}) is Verdict.MISMATCH
    assert verdict(DISTRIBUTION, "upper", "1") is Verdict.MISMATCH


def test_a_distribution_is_exact_or_within_tolerance_where_it_is_rounded() -> None:
    tolerance = {"relative": "1e-9"}
    assert judged(DISTRIBUTION, "law", {"0": "3/4", "1": "1/4"}, **tolerance).detail == "every probability exact"
    assert judged(DISTRIBUTION, "law", {"0": "0.75", "1": "0.25", "2": "0"}, **tolerance).detail == "every probability exact"
    assert judged(DISTRIBUTION, "law", {"0": "0.7500000000000001", "1": "0.25"}, **tolerance).detail == "every probability within tolerance"
    assert verdict(DISTRIBUTION, "law", {"0": "750000000000001/1000000000000000", "1": "1/4"}, **tolerance) is Verdict.MISMATCH
    assert verdict(DISTRIBUTION, "law", {"0": "0.75", "1": "0.250000001"}, **tolerance) is Verdict.MISMATCH
    assert verdict(DISTRIBUTION, "law", {"0": "0.75"}, **tolerance) is Verdict.MISMATCH
    assert verdict(DISTRIBUTION, "law", {"0": "0.75", "1": "0.25", "2": "1e-300"}, **tolerance) is Verdict.MISMATCH
    assert verdict(DISTRIBUTION, "law", {"0": "1/4", "1": "3/4"}, **tolerance) is Verdict.MISMATCH


def test_a_probability_that_became_0_is_no_rounding() -> None:
    """At epsilon0 = 40 the chance to lie is 4e-18; a distribution without it protects nobody."""
    law = {
        "kind": "law-enclosure",
        "lower": {"0": "0.999999999999999995", "1": "4.2e-18"},
        "upper": {"0": "0.999999999999999996", "1": "4.3e-18"},
    }
    assert verdict(law, "law", {"0": "1", "1": "4.25e-18"}, relative="1e-9") is Verdict.CONFORMS
    assert verdict(law, "law", {"0": "1", "1": "0"}, relative="1e-9") is Verdict.MISMATCH


def test_samples_of_the_right_distribution_conform() -> None:
    source = random.Random(1)
    for total in (FEWEST_SAMPLES, 10_000, 100_000):
        ones = sum(source.random() < 0.25 for _ in range(total))
        assert verdict(DISTRIBUTION, "samples", {"0": str(total - ones), "1": str(ones)}) is Verdict.CONFORMS


def test_samples_of_another_distribution_do_not() -> None:
    assert verdict(DISTRIBUTION, "samples", {"0": "50000", "1": "50000"}) is Verdict.MISMATCH
    assert verdict(DISTRIBUTION, "samples", {"0": "73000", "1": "27000"}) is Verdict.MISMATCH
    assert verdict(DISTRIBUTION, "samples", {"0": "100000"}) is Verdict.MISMATCH
    assert verdict(DISTRIBUTION, "samples", {"0": "75000", "1": "25000", "2": "1"}) is Verdict.MISMATCH
    assert verdict(DISTRIBUTION, "samples", {"0": "75", "1": "25"}) is Verdict.MISMATCH, "too few to fail are too few to conform"


def test_samples_at_extreme_probabilities_do_not_break_the_arithmetic() -> None:
    tiny = {"kind": "law-enclosure", "lower": {"0": "1", "1": "9e-349"}, "upper": {"0": "1", "1": "1e-348"}}
    assert verdict(tiny, "samples", {"0": "100000"}) is Verdict.CONFORMS
    assert verdict(tiny, "samples", {"0": "99999", "1": "1"}) is Verdict.MISMATCH
    assert verdict(tiny, "samples", {"1": "100000"}) is Verdict.MISMATCH
    certain = {"kind": "law", "law": {"0": "1"}}
    assert verdict(certain, "samples", {"0": "100000"}) is Verdict.CONFORMS
    huge = str(10**17)
    assert verdict({"kind": "law", "law": {"0": "1/2", "1": "1/2"}}, "samples", {"0": huge, "1": huge}) is Verdict.CONFORMS


@examples(30)
@given(st.integers(FEWEST_SAMPLES, 1800), st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=97), st.sampled_from([-1, 1]))
def test_an_honest_sampler_is_rejected_with_less_than_the_stated_probability(n: int, p: Fraction, side: int) -> None:
    """The rejection region of either tail of one outcome has at most its Bonferroni share of the error, by exact binomial tails."""
    law = {"kind": "law", "law": {"a": str(p), "b": str(1 - p)}}
    share = FAMILY_WISE_ERROR / 4
    weights = [comb(n, k) * p.numerator**k * (p.denominator - p.numerator) ** (n - k) for k in range(n + 1)]
    order = range(n + 1) if side < 0 else range(n, -1, -1)
    tail, total = 0, p.denominator**n
    for k in order:
        tail += weights[k]
        if tail * share.denominator > share.numerator * total:
            # k is the first count whose tail exceeds the share: it must not be rejected.
            assert verdict(law, "samples", {"a": str(k), "b": str(n - k)}) is Verdict.CONFORMS
            break


@given(st.fractions(0, 3, max_denominator=10**6), st.fractions(0, 3, max_denominator=10**6))
def test_sides_are_mirror_images(truth: Fraction, value: Fraction) -> None:
    expected = {"kind": "exact", "value": str(truth)}
    assert (verdict(expected, "upper", value) is Verdict.UNSOUND) == (value < truth)
    assert (verdict(expected, "lower", value) is Verdict.UNSOUND) == (value > truth)
    assert (verdict(expected, "exact", value) is Verdict.MISMATCH) == (value != truth)
