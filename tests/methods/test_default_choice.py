"""Where no method is named, the least bound of those that are cheap answers, and says which it is."""

import itertools
from fractions import Fraction
from typing import Any, get_args

import pytest

import shuffleproof
from shuffleproof import DomainError, answering
from shuffleproof.bounds import answer
from shuffleproof.default_choice import CHEAP, LOWER, UPPER, Asked, candidates
from shuffleproof.methods import METHODS
from shuffleproof.spec.vocabulary.bound import Quantity
from shuffleproof.spec.vocabulary.errors import ResourceLimitError
from shuffleproof.spec.vocabulary.named_randomizer import FAMILIES

KRR: dict[str, Any] = {"randomizer": "krr", "k": 10, "epsilon0": 1}


def names(quantity: Quantity, *, cheap: bool = True, **given: Any) -> list[str]:
    return [each.method for each in candidates(quantity, given) if each.cheap or not cheap]


@pytest.mark.parametrize("n", [1, 2, 60])
@pytest.mark.parametrize("named", [{"epsilon0": 1}, KRR, {**KRR, "k": 2}, {**KRR, "randomizer": "k-rr"}])
def test_the_default_is_never_above_a_cheap_sibling(n: int, named: dict[str, Any]) -> None:
    given = {"n": n, **named, "delta": "1e-6"}
    found = shuffleproof.epsilon(**given)
    for each in candidates("epsilon", given):
        sibling = answer(quantity="epsilon", parameters=each.parameters, method=each.method).bound
        assert found.upper <= sibling.upper
    assert found.upper <= shuffleproof.epsilon(n=n, epsilon0=1, delta="1e-6", method="clones").upper


def test_randomized_response_of_many_users_is_not_asked_of_sums_over_all_counts() -> None:
    assert names("epsilon", n=30_000, **KRR, delta="1e-6") == ["k-rr-blanket", "randomizer-pair"]
    assert names("epsilon", n=30_000, **KRR, delta="1e-6", cheap=False) == ["k-rr-blanket", "randomizer-pair", "stronger-clones"]
    assert names("epsilon", n=10**6, **KRR, delta="1e-6") == ["randomizer-pair", "blanket"]
    assert names("renyi", n=30_000, **KRR, order=2) == ["randomizer-pair"]
    assert names("epsilon", n=99, randomizer="laplace", epsilon0=1, delta="1e-6") == ["randomizer-pair", "blanket"]


def test_of_any_family_of_hash_functions_nobody_is_told_what_holds_for_uniform_ones() -> None:
    assert names("epsilon", n=1000, randomizer="hash", buckets=4, epsilon0=1, delta="1e-6") == ["randomizer-pair", "another-place"]
    for buckets in (2, 4):
        found = shuffleproof.epsilon(n=1000, randomizer="hash", buckets=buckets, epsilon0=1, delta="1e-6")
        assert found.inputs["family"] == "any"
        assert "uniform" not in found.claim


def test_the_whole_distribution_answers_where_it_says_more_than_three_numbers() -> None:
    given: dict[str, Any] = {"n": 99, "randomizer": "laplace", "epsilon0": 1, "delta": "1e-6"}
    found = shuffleproof.epsilon(**given)
    assert found.method == "blanket"
    assert shuffleproof.epsilon(**{**given, "n": 900}).method == "another-place"
    assert found.upper < shuffleproof.epsilon(**given, method="randomizer-pair", engine="fast").lower * Fraction(96, 100)
    bracket = shuffleproof.shuffled(shuffleproof.Laplace(epsilon0=1), n=99).epsilon(delta="1e-6")
    assert bracket.upper.upper == found.upper
    assert bracket.lower.method == "homogeneous"


@pytest.mark.parametrize(
    ("n", "epsilon0", "least"), [(19, 1, "blanket"), (200, 1, "another-place"), (900, 2, "another-place"), (10_000, 6, "another-place")]
)
def test_of_two_items_the_blanket_is_asked_and_from_some_users_on_the_random_swap(n: int, epsilon0: int, least: str) -> None:
    given: dict[str, Any] = {"n": n, "randomizer": "asymmetric-rappor", "k": 2, "epsilon0": epsilon0, "delta": "1e-6"}
    found = shuffleproof.epsilon(**given)
    assert found.method == least
    asked = [each.method for each in candidates("epsilon", given)]
    assert asked == ["randomizer-pair", "blanket", *["another-place"] * (n >= 20), "stronger-clones"]


def test_what_is_given_says_which_methods_are_meant() -> None:
    assert names("delta", n=9, p=4, beta="1/2", q=4, epsilon=1) == ["optimal-pair"]
    assert names("delta", n=9, epsilon0=1, delta0="1e-9", epsilon=1) == ["stronger-approximate-clones"]
    assert names("renyi", n=9, epsilon0=1, order=2) == ["stronger-clones"]
    with pytest.raises(DomainError, match="zero-sum, histogram take p"):
        shuffleproof.delta(n=9, p="1/2", epsilon=1)
    with pytest.raises(DomainError, match="left out: method 'stronger-clones' takes epsilon0"):
        shuffleproof.delta(n=9, epsilon0=1, beta="1/2", epsilon=1)
    with pytest.raises(DomainError, match=r"given, or a method by its name"):
        shuffleproof.delta(n=9, epsilon=1)
    with pytest.raises(DomainError, match=r"given beside randomizer and k"):
        shuffleproof.delta(n=9, randomizer="k-rr", k=3, epsilon=1)
    with pytest.raises(DomainError, match=r"given: method 'clones' needs it"):
        shuffleproof.delta(n=9, epsilon=1, method="clones")


def test_where_the_cheap_one_refuses_the_next_one_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = answering._ask

    def refusing(method: Any, *rest: Any, **settings: Any) -> Any:
        if method.name == "k-rr-blanket":
            raise ResourceLimitError(what="sums", needed="years", limit="a minute")
        return ask(method, *rest, **settings)

    monkeypatch.setattr(answering, "_ask", refusing)
    assert shuffleproof.delta(n=60, **KRR, epsilon=1).method == "randomizer-pair"
    with pytest.raises(ResourceLimitError):
        shuffleproof.delta(n=60, k=10, epsilon0=1, epsilon=1, method="k-rr-blanket")


def test_only_upper_bounds_answer_by_themselves_and_most_methods_are_known_to_be_cheap_for_few_users() -> None:
    for side, preferences in (("upper", UPPER), ("lower", LOWER)):
        for each in preferences:
            assert METHODS[each.method.name] is each.method
            assert each.method.side == side
            assert each.seconds(Asked(n=1, randomizer=None, digits=None)) < CHEAP
            assert set(each.method.quantities) <= set(get_args(Quantity))


def test_an_answer_on_hashing_says_which_family_of_functions_it_is_about() -> None:
    """Without one, a method's own; of the worst family uniform functions are one, so that their datasets bound it from below."""
    asked = {"n": 1000, "delta": "1e-6", "epsilon0": 1, "randomizer": "hash", "buckets": 4}
    for method, meant in (("randomizer-pair", "any"), ("randomizer-lower", "uniform")):
        assert answer(quantity="epsilon", parameters=asked, method=method).bound.inputs["family"] == meant
    unpromised, uniform = (
        shuffleproof.shuffled(shuffleproof.LocalHashing(buckets=4, epsilon0=1, family=family), n=1000) for family in FAMILIES
    )
    worst, alike = unpromised.delta(epsilon="0.1"), uniform.delta(epsilon="0.1")
    assert alike.upper.inputs["family"] == "uniform"
    assert alike.upper.upper < worst.upper.upper
    assert "family = any" in str(worst)
    with pytest.raises(DomainError, match="family = any: must be uniform"):
        answer(quantity="epsilon", parameters={**asked, "family": "any"}, method="blanket")
    with pytest.raises(DomainError, match="did you mean 'uniform'"):
        shuffleproof.LocalHashing(buckets=4, epsilon0=1, family="unifrm")  # type: ignore[arg-type]


def test_compared_methods_of_uniform_hash_functions_say_nothing_of_others() -> None:
    """Into two buckets two items may be binary response, whose epsilon is at least 0.0356 here."""
    found = shuffleproof.compare(randomizer="hash", buckets=2, n=10**4, epsilon0=1, delta="1e-6")
    binary = shuffleproof.shuffled(shuffleproof.KRR(k=2, epsilon0=1), n=10**4).epsilon(delta="1e-6", method="binary-rr-pair")
    assert found.uniform_bracket.upper.upper < Fraction(246, 10**4) < binary.lower <= found.bracket.lower.lower < found.bracket.upper.upper
    assert found.bracket.upper.inputs["family"] == "any"
    assert "any hash functions" in found.bracket.upper.claim
    worst = shuffleproof.shuffled(shuffleproof.LocalHashing(buckets=4, epsilon0=3), n=10**4).epsilon(delta="1e-6")
    assert worst.ratio < Fraction(1002, 1000)


def test_reports_that_are_told_apart_spare_the_pair_that_merges_them() -> None:
    """Of many users: it is asked where sums on grids refuse."""
    lower = [(each.method, each.cheap) for each in candidates("epsilon", {"n": 1000, "randomizer": "rappor", "epsilon0": 1}, side="lower")]
    assert lower == [("homogeneous", True), ("randomizer-lower", False)]
    found = shuffleproof.shuffled(shuffleproof.RAPPOR(epsilon0=1), n=1000).epsilon(delta="1e-301")
    assert found.lower.method == "randomizer-lower"


def test_few_users_have_a_profile_on_a_grid_though_exact_arithmetic_answers_points() -> None:
    one = shuffleproof.RealSum(n=2, lam=1, r=2, view="untagged")
    found, alone = one.rounds(2).epsilon(delta="0.1").upper, one.epsilon(delta="0.1")
    assert alone.upper.engine == "exact"
    assert alone.upper.upper <= found.upper <= one.epsilon(delta=0).upper.upper * 2


@pytest.mark.parametrize(("n", "epsilon0"), [(10**4, 1), (10**5, 3), (10**6, 6)])
def test_any_randomizer_takes_the_best_bounds_there_are(n: int, epsilon0: int) -> None:
    """From some hundred users on kRR of three items says up to 40 percent more than binary response, and nearly all there is to say."""
    mechanism = shuffleproof.shuffled(shuffleproof.AnyRandomizer(epsilon0=epsilon0), n=n)
    bracket = mechanism.epsilon(delta="1e-6")
    assert bracket.upper.method == "first-arrival"
    assert bracket.ratio < Fraction(1001, 1000)
    found = bracket.lower
    binary = mechanism.epsilon(delta="1e-6", method="binary-rr-pair")
    assert found.method == "k-rr-pair"
    assert found.inputs["k"] == "3"
    assert found.lower > binary.upper
    assert shuffleproof.shuffled(shuffleproof.ApproximateRandomizer(epsilon0=epsilon0, delta0="1e-30"), n=n).epsilon(
        delta="1e-6"
    ).at_least >= float(found.lower) * (1 - 1e-6)


def test_of_few_users_an_adaptive_sequence_says_most() -> None:
    """None is asked for where no report is hidden, nor where exact arithmetic answers or digits are wanted."""
    asked: dict[str, Any] = {"n": 100, "epsilon0": 1, "delta": "1e-6"}
    bracket = shuffleproof.shuffled(shuffleproof.AnyRandomizer(epsilon0=1), n=100).epsilon(delta="1e-6")
    assert (bracket.lower.method, bracket.upper.method) == ("adaptive-pair", "first-arrival")
    lower = {n: {each.method for each in candidates("epsilon", {**asked, "n": n}, side="lower")} for n in (10, 25, 100, 3000, 10**9)}
    assert [n for n, methods in lower.items() if "adaptive-pair" in methods] == [100, 10**9]
    assert names("epsilon", **{**asked, "n": 10}) == ["stronger-clones"]
    assert [each.method for each in candidates("epsilon", asked, digits=15)] == ["stronger-clones"]


def test_claims_about_all_randomizers_meet_the_best_lower_bound() -> None:
    claim = {"n": 10**4, "eps0": 1, "delta": "1e-6", "epsilon": "0.03799"}
    assert [str(each.standing) for each in shuffleproof.audit.claims([claim])] == ["impossible"]


def test_gaussian_noise_of_more_users_is_no_less_private() -> None:
    """A bound for fewer users holds for more, whose messages can be added to what is seen: no way of summing may answer above another."""
    found = [shuffleproof.epsilon(n=n, sigma="1/4", delta="1e-6").at_most for n in (2, 3, 22, 23)]
    for fewer, more in itertools.pairwise(found):
        assert more <= fewer * (1 + 1e-5)


def test_asking_for_digits_never_gives_a_larger_bound_in_silence() -> None:
    """The tight method of Laplace noise has no digits to choose: it answers all the same, and the one that has them is named."""
    asked: dict[str, Any] = {"n": 10**4, "epsilon0": 1, "delta": "1e-6", "randomizer": "laplace"}
    plain, many = (answer(quantity="epsilon", parameters=asked, digits=digits) for digits in (None, 20))
    assert many.bound.upper == plain.bound.upper
    assert (many.in_digits.method, plain.in_digits) == ("randomizer-pair", None)
    assert (many.in_digits.upper - many.in_digits.lower) * 10**20 <= many.in_digits.upper
    mechanism = shuffleproof.shuffled(shuffleproof.Laplace(epsilon0=1), n=10**4)
    brackets = [mechanism.epsilon(delta="1e-6", digits=digits) for digits in (None, 20)]
    assert (brackets[1].upper, brackets[1].lower) == (brackets[0].upper, brackets[0].lower)
    assert [each.method for each in brackets[1].refusals] == ["randomizer-pair", "randomizer-lower"]


def test_few_digits_do_not_make_a_bound_for_more_users_larger() -> None:
    """With one digit the ends may lie ten percent apart, and the upper one anywhere in between."""
    asked = {"k": 100, "epsilon0": "1/10", "delta": "1e-9"}
    found = [shuffleproof.epsilon(n=n, method="k-rr-blanket", digits=1, **asked).upper for n in (504, 505, 506, 508, 512)]  # type: ignore[arg-type]
    assert all(more < fewer for fewer, more in itertools.pairwise(found))
