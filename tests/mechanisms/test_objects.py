"""Objects that are asked how private they are: brackets of the truth, named methods, arrays, rounds."""

import json
import math
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import shuffleproof as sp

DISTRIBUTION = {"no": {"a": "3/4", "b": "1/4"}, "yes": {"a": "1/4", "b": "3/4"}}
RANDOMIZERS = (
    sp.KRR(k=2, epsilon0="ln 3"),
    sp.KRR(k=5, epsilon0="ln 3"),
    sp.Laplace(epsilon0="ln 4"),
    sp.RAPPOR(epsilon0="ln 4"),
    sp.AsymmetricRAPPOR(epsilon0="ln 3"),
    sp.Subset(k=4, d=2, epsilon0="ln 3"),
    sp.Hadamard(k=3, epsilon0="ln 3"),
    sp.LocalHashing(buckets=4, epsilon0="ln 3"),
    sp.AnyRandomizer(epsilon0="ln 3"),
    sp.ApproximateRandomizer(epsilon0="ln 3", delta0="1e-20"),
    sp.VariationRatio(p=3, beta="1/2", q=3),
    sp.FromDistribution(DISTRIBUTION),
)
PROTOCOLS = (
    sp.BitSum(n=50, lam=20),
    sp.RealSum(n=50, lam=20, r=2, view="untagged"),
    sp.ZeroSum(n=50, p="0.7"),
    sp.Histogram(n=50, p="0.7", dishonest=3),
    sp.CoordinateSums(n=50, epsilon0=2),
    sp.CoordinateSums(n=5, epsilon0="ln 4", changed=1),
    sp.AsymmetricCoordinateSums(n=5, epsilon0="ln 4"),
    sp.UserHistogram(threshold=10, domain_size=4, sigma=40, relation=sp.Relation.REPLACE_ONE),
)
MECHANISMS = (*(sp.shuffled(each, n=25) for each in RANDOMIZERS), *PROTOCOLS)


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_every_mechanism_answers_with_a_bracket_of_the_truth(mechanism: Any) -> None:
    found = mechanism.delta(epsilon="ln 2")
    assert isinstance(found, sp.Bracket)
    assert 0 <= (0 if found.lower is None else found.lower.lower) <= found.upper.upper <= 1
    assert found.guarantee >= found.upper.upper
    assert "\n" not in str(found)
    assert str(mechanism) in str(found)
    assert pickle.loads(pickle.dumps(found)) == found
    assert hash(pickle.loads(pickle.dumps(mechanism))) == hash(mechanism)
    assert pickle.loads(pickle.dumps(mechanism)) == mechanism


def test_the_bracket_of_small_randomized_response_holds_the_truth_over_all_datasets() -> None:
    survey = sp.shuffled(sp.KRR(k=3, epsilon0="ln 4"), n=3)
    truth = survey.delta(epsilon="ln 2", method="k-rr-exhaustive").upper
    found = survey.delta(epsilon="ln 2")
    assert found.lower.lower <= truth <= found.upper.upper
    assert found.ratio >= 1


def test_a_bracket_takes_the_least_upper_and_the_greatest_lower_bound_of_what_was_asked() -> None:
    survey = sp.shuffled(sp.KRR(k=10, epsilon0=1), n=300)
    found = survey.epsilon(delta="1e-6")
    for method in ("k-rr-blanket", "randomizer-pair", "stronger-clones"):
        assert found.upper.upper <= survey.epsilon(delta="1e-6", method=method, engine="auto", digits=6).upper  # type: ignore[call-overload]
    assert (found.upper.method, found.lower and found.lower.method) == ("k-rr-blanket", "k-rr-pair")


@pytest.mark.parametrize(
    ("randomizer", "own"),
    [
        (sp.AnyRandomizer(epsilon0=1), {}),
        (sp.ApproximateRandomizer(epsilon0=1, delta0="1e-12"), {"delta0": "1e-12"}),
        (sp.Laplace(epsilon0=1), {"randomizer": "laplace"}),
        (sp.Hadamard(epsilon0=1, k=8), {"randomizer": "hadamard", "k": 8}),
        (sp.VariationRatio(p=3, beta="1/2", q=3), {"p": 3, "beta": "1/2", "q": 3}),
    ],
)
def test_an_object_is_no_looser_than_the_function_that_asks_the_same(randomizer: sp.Randomizer, own: dict[str, Any]) -> None:
    given = own if "p" in own else {"epsilon0": 1, **own}
    for n in (2, 40, 400):
        found = sp.shuffled(randomizer, n=n).epsilon(delta="1e-4").upper.upper
        assert found <= sp.epsilon(n=n, delta="1e-4", **given).upper * Fraction(1000001, 1000000)


def test_one_named_method_answers_with_its_bound() -> None:
    survey = sp.shuffled(sp.AnyRandomizer(epsilon0=1), n=1000)
    assert survey.epsilon(delta="1e-6", method="clones", engine="ball", digits=30) == sp.epsilon(
        n=1000, epsilon0=1, delta="1e-6", method="clones", engine="ball", digits=30
    )


def test_a_method_that_speaks_of_something_else_is_refused_with_those_that_do_not() -> None:
    with pytest.raises(sp.DomainError, match=r"method = binary-rr-pair: must be one of .*randomizer-pair"):
        sp.shuffled(sp.KRR(k=10, epsilon0=1), n=1000).epsilon(delta="1e-6", method="binary-rr-pair")
    with pytest.raises(sp.DomainError, match=r"did you mean 'clones'\?"):
        sp.shuffled(sp.AnyRandomizer(epsilon0=1), n=1000).epsilon(delta="1e-6", method="clone")  # type: ignore[call-overload]


@pytest.mark.parametrize("n", [10**9, 10**18])
@pytest.mark.parametrize("randomizer", [sp.AnyRandomizer(epsilon0=1), sp.KRR(k=3, epsilon0=1), sp.Laplace(epsilon0=1)], ids=str)
def test_very_many_users_are_answered_from_above(randomizer: sp.Randomizer, n: int) -> None:
    found = sp.shuffled(randomizer, n=n).epsilon(delta="1e-6")
    assert 0 < found.upper.upper < Fraction(1, 1000)


@pytest.mark.parametrize("epsilon0", [0, "1e-300", 700])
@pytest.mark.parametrize("n", [1, 2])
def test_the_ends_of_the_domain_are_answered(n: int, epsilon0: Any) -> None:
    for randomizer in (sp.AnyRandomizer(epsilon0=epsilon0), sp.KRR(k=3, epsilon0=epsilon0)):
        survey = sp.shuffled(randomizer, n=n)
        for delta in (0, "1e-300", 1):
            assert survey.epsilon(delta=delta).upper.upper <= sp.shuffled(sp.AnyRandomizer(epsilon0=epsilon0), n=1).epsilon(delta=0).at_most
        assert survey.delta(epsilon=epsilon0).upper.upper <= Fraction(1, 10**9)


def test_scalars_of_numpys_are_the_numbers_they_stand_for() -> None:
    plain = sp.shuffled(sp.KRR(k=3, epsilon0=0.5), n=30).delta(epsilon=0.25)
    assert sp.shuffled(sp.KRR(k=np.int64(3), epsilon0=np.float32(0.5)), n=np.int32(30)).delta(epsilon=np.float64(0.25)).upper == plain.upper


@pytest.mark.parametrize("points", [["0.5", "0.1"], (0.5, 0.1), np.array([0.5, 0.1])], ids=["texts", "tuple", "numpy"])
def test_many_points_are_answered_in_their_order(points: Any) -> None:
    survey = sp.shuffled(sp.AnyRandomizer(epsilon0="ln 3"), n=10)
    found = survey.delta(epsilon=points)
    assert [each.upper for each in found] == [survey.delta(epsilon=point).upper for point in points]
    assert len(found) == 2
    assert found[0].upper.upper < found[-1].upper.upper
    ends = found.to_numpy()
    assert ends.shape == (2, 2)
    assert (ends[:, 0] <= ends[:, 1]).all()
    assert found.columns()["epsilon"] == [0.5, 0.1]
    assert found.columns()["upper_by"] == ["stronger-clones"] * 2
    assert pickle.loads(pickle.dumps(found)) == found
    assert "<td>0.5</td>" in found._repr_html_()


def test_an_array_keeps_its_shape() -> None:
    survey = sp.shuffled(sp.VariationRatio(p=3, beta="1/2", q=3), n=10)
    found = survey.epsilon(delta=np.array([[1e-2, 1e-3], [1e-4, 1e-5]]))
    assert found.to_numpy().shape == (2, 2, 2)
    assert np.isnan(found.to_numpy()[..., 0]).all()
    assert survey.epsilon(delta=np.array(1e-2)).quantity == "epsilon"
    assert survey.epsilon(delta=[]).to_numpy().shape == (0, 2)
    assert survey.epsilon(delta=(x for x in (1e-2, 1e-3))) == survey.epsilon(delta=[1e-2, 1e-3])


def test_a_bad_point_among_many_is_refused_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shuffleproof.mechanisms.mechanism.answer_by", lambda **_: pytest.fail("work was started"))
    with pytest.raises(sp.DomainError, match="epsilon = -1"):
        sp.shuffled(sp.AnyRandomizer(epsilon0=1), n=10).delta(epsilon=[1, -1])


def test_many_points_become_a_table_of_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    found = sp.shuffled(sp.AnyRandomizer(epsilon0="ln 3"), n=10).profile(epsilons=["0.1", "ln 2"])
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=dict))
    assert found.to_pandas() == found.columns()
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(sp.UnsupportedError, match=r"install 'shuffleproof\[pandas\]'"):
        found.to_pandas()


def test_many_points_are_plotted_with_both_ends() -> None:
    figure = pytest.importorskip("matplotlib.figure")
    found = sp.shuffled(sp.AnyRandomizer(epsilon0="ln 3"), n=10).profile(epsilons=["ln 2", "0.1"])
    axes = found.plot(figure.Figure().add_subplot())
    assert [line.get_label() for line in axes.lines] == ["at most", "at least"]
    assert (np.diff(axes.lines[0].get_xdata()) > 0).all()
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("epsilon", "delta")


@pytest.mark.parametrize(
    ("make", "parameter"),
    [
        (lambda: sp.KRR(k=1, epsilon0=1), "k"),
        (lambda: sp.KRR(k=3, epsilon0=-1), "epsilon0"),
        (lambda: sp.Subset(k=3, d=3, epsilon0=1), "d"),
        (lambda: sp.Hadamard(k=3, blocks=3, epsilon0=1), "blocks"),
        (lambda: sp.ApproximateRandomizer(epsilon0=1, delta0=2), "delta0"),
        (lambda: sp.VariationRatio(p=2, beta=2, q=2), "beta"),
        (lambda: sp.VariationRatio(p=2, beta="0.1", q="infinity"), "q"),
        (lambda: sp.shuffled(sp.AnyRandomizer(epsilon0=1), n=0), "n"),
        (lambda: sp.shuffled("krr", n=10), "randomizer"),  # type: ignore[arg-type]
        (lambda: sp.BitSum(n=10, lam=11), "lam"),
        (lambda: sp.RealSum(n=10, lam=1, r=0, view="tagged"), "r"),
        (lambda: sp.RealSum(n=10, lam=1, r=1, view="taged"), "view"),  # type: ignore[arg-type]
        (lambda: sp.ZeroSum(n=10, p=2), "p"),
        (lambda: sp.Histogram(n=10, p="0.5", dishonest=10), "dishonest"),
        (lambda: sp.UserHistogram(threshold=0, domain_size=1, sigma=1, relation=sp.Relation.ADD_REMOVE), "threshold"),
        (lambda: sp.UserHistogram(threshold=1, domain_size=1, sigma=1, relation="add-remove"), "relation"),  # type: ignore[arg-type]
        (lambda: sp.FromDistribution(7), "distribution"),
        (lambda: sp.FromDistribution([[1, 0]]), "distribution"),
        (lambda: sp.FromDistribution(DISTRIBUTION, rounding=1), "rounding"),
        (lambda: sp.shuffled(sp.AnyRandomizer(epsilon0=1), n=10).rounds(0), "rounds"),
        (lambda: sp.shuffled(sp.AnyRandomizer(epsilon0=1), n=10).epsilon(delta=2), "delta"),
        (lambda: sp.shuffled(sp.AnyRandomizer(epsilon0=1), n=10).epsilon(delta=b"1"), "delta"),
        (lambda: sp.shuffled(sp.AnyRandomizer(epsilon0=1), n=10).renyi(order=1), "order"),
        (lambda: sp.shuffled(sp.AnyRandomizer(epsilon0=1), n=10).epsilon(delta=0, engine="bal"), "engine"),  # type: ignore[call-overload]
    ],
)
def test_an_error_names_the_argument_that_was_used(make: Any, parameter: str) -> None:
    with pytest.raises(sp.DomainError) as error:
        make()
    assert error.value.parameter == parameter


def test_a_distribution_can_be_a_mapping_an_array_or_a_file(tmp_path: Path) -> None:
    (tmp_path / "law.json").write_text(json.dumps({"format": "shuffleproof-law-1", "inputs": DISTRIBUTION}), "utf-8")
    found = [
        sp.FromDistribution(DISTRIBUTION),
        sp.FromDistribution(np.array([[0.75, 0.25], [0.25, 0.75]])),
        sp.FromDistribution(tmp_path / "law.json"),
    ]
    assert {(each.p, each.beta, each.q) for each in found} == {(3, Fraction(1, 2), 3)}
    assert found[0] == found[2]


def test_a_rounded_distribution_is_covered_whatever_it_was_before_rounding() -> None:
    exact, rounded = (
        sp.FromDistribution([["2/3", "1/3"], ["1/3", "2/3"]]),
        sp.FromDistribution([["0.67", "0.33"], ["0.33", "0.67"]], rounding="0.005"),
    )
    assert rounded.p >= exact.p
    assert rounded.beta >= exact.beta


def test_a_distribution_whose_outcomes_give_inputs_away_has_a_delta_that_no_epsilon_removes() -> None:
    survey = sp.shuffled(sp.FromDistribution([["3/4", "1/4", 0], ["1/2", "2/5", "1/10"]]), n=1000)
    assert survey.delta(epsilon=100).upper.upper == Fraction(1, 10)
    with pytest.raises(sp.RegimeError, match="never sends"):
        survey.epsilon(delta="1e-6")
    with pytest.raises(sp.RegimeError, match="never sends"):
        survey.rounds(2).epsilon(delta="1e-6")
    with pytest.raises(sp.RegimeError, match="Renyi"):
        survey.renyi(order=2)
    with pytest.raises(sp.RegimeError, match="possible for some inputs only"):
        sp.FromDistribution([[1, 0], ["0.5", "0.5"]], rounding="0.001")


def test_users_with_distributions_of_their_own_come_from_a_file(tmp_path: Path) -> None:
    users = {"format": "shuffleproof-users-1", "users": [{"count": 30, "inputs": DISTRIBUTION}]}
    (tmp_path / "users.json").write_text(json.dumps(users), "utf-8")
    survey = sp.shuffled_users(tmp_path / "users.json")
    assert (survey.n, survey.randomizer) == (30, sp.VariationRatio(p="3", beta="0.5", q="3"))


def test_rounds_compose_from_above_and_by_one_pair_of_datasets_from_below(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shuffleproof.planning.composition.by_library", lambda *_, **__: (None, "left out"))
    one = sp.shuffled(sp.AnyRandomizer(epsilon0="ln 2"), n=60)
    found = one.rounds(3).epsilon(delta="1e-3")
    alone = one.epsilon(delta="1e-3").lower
    assert found.lower.lower > 1.5 * alone.lower
    assert (
        one.epsilon(delta="1e-3").upper.upper
        <= found.upper.upper
        <= 3 * one.epsilon(delta=Fraction(1, 3000)).upper.upper * Fraction("1.000001")
    )
    assert "3 adaptive rounds" in found.upper.claim
    once, thrice = one.renyi(order=2), one.rounds(3).renyi(order=2)
    assert (thrice.upper.upper, thrice.lower.lower) == (3 * once.upper.upper, 3 * once.lower.lower)


@pytest.mark.parametrize(
    "one",
    [
        sp.shuffled(sp.KRR(k=2, epsilon0="ln 2"), n=4),
        sp.BitSum(n=4, lam=2),
        sp.CoordinateSums(n=3, epsilon0="ln 4"),
        sp.AsymmetricCoordinateSums(n=3, epsilon0="ln 4"),
        sp.ZeroSum(n=60, p="1/2"),
        sp.UserHistogram(threshold=1, domain_size=4, sigma=4, relation=sp.Relation.ADD_REMOVE),
        sp.shuffled(sp.ApproximateRandomizer(epsilon0=1, delta0=0), n=60),
    ],
    ids=str,
)
def test_every_mechanism_has_rounds_between_one_of_them_and_so_many_times_one(one: Any) -> None:
    delta = Fraction(1, 100)
    many = one.rounds(2).epsilon(delta=delta)
    assert many.upper.upper >= one.epsilon(delta=delta).upper.upper * Fraction(99, 100)
    assert many.upper.upper <= 2 * one.epsilon(delta=delta / 2).upper.upper * Fraction(105, 100)
    assert "2 adaptive rounds" in many.upper.claim
    assert pickle.loads(pickle.dumps(one.rounds(2))) == one.rounds(2)


def test_two_rounds_of_a_bit_sum_are_never_below_their_exact_composition() -> None:
    from shuffleproof.spec.bounds.sums import bit_sum
    from shuffleproof.spec.composition import composed
    from shuffleproof.spec.distribution import PrivacyProfile

    found = sp.BitSum(n=3, lam=1).rounds(2).epsilon(delta="1/50").upper.upper
    pairs = [bit_sum.pair(n=3, lam=Fraction(1), ones=k) for k in range(3)]
    exact = [PrivacyProfile(*composed([one, other])).exp_epsilon(delta=Fraction(1, 50)) for one in pairs for other in pairs]
    assert all(each is not None and Fraction(math.exp(found)) * (1 + Fraction(1, 10**12)) >= each for each in exact)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: sp.FakeUsers(n=10, fakes=5, p="1/2").renyi(order=2), "gives the dataset away: every Renyi divergence is infinite"),
        (lambda: sp.LaplaceSum(n=10, sensitivity=1, epsilon0=1).renyi(order=2), "gives no renyi; use another method"),
        (lambda: sp.FromDistribution("none.csv"), r"^distribution = none\.csv: must be a file that can be read"),
    ],
)
def test_a_refusal_sends_nobody_to_what_speaks_of_something_else(ask: Any, said: str) -> None:
    with pytest.raises(sp.ShuffleproofError, match=said):
        ask()


@pytest.mark.parametrize(
    ("ask", "near"),
    [
        (lambda: sp.epsilon(n=10, epsilon_0=1, delta="1e-6"), "epsilon0"),  # type: ignore[call-arg]
        (lambda: sp.epsilon(n=10, epsilon0=1, delta="1e-6", metod="clones"), "method"),  # type: ignore[call-arg]
        (lambda: sp.compose(n=10, epsilon0=1, delta="1e-6", rounds=2, methd="clones"), "method"),  # type: ignore[call-arg]
        (lambda: sp.compare(n=10, epsilon0=1, delta="1e-6", randomiser="krr"), "randomizer"),  # type: ignore[call-arg]
        (lambda: sp.delta(n=3, epsilon0=1, eps=1), "epsilon"),  # type: ignore[call-arg]
        (lambda: sp.KRR(kk=3, epsilon0=1), "k"),  # type: ignore[call-arg]
        (lambda: sp.KRR(k=3, eps=1), "epsilon0"),  # type: ignore[call-arg]
        (lambda: sp.CoordinateSums(n=10, epsilon0=1, change=1), "changed"),  # type: ignore[call-arg]
    ],
)
def test_an_argument_that_there_is_not_is_answered_with_the_nearest(ask: Any, near: str) -> None:
    with pytest.raises(TypeError, match=f"did you mean '{near}'"):
        ask()


@pytest.mark.parametrize(
    ("ask", "given"), [(sp.shuffled, {}), (sp.BitSum, {}), (sp.epsilon, {"delta": "1e-6"}), (sp.compose, {"rounds": 2, "delta": "1e-6"})]
)
def test_who_takes_part_is_asked_of_a_plan(ask: Any, given: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="'rate': who takes part, and how often, stands in a plan, for check_plan"):
        ask(n=10, **given, rate="1/10")


def test_the_ways_of_composing_are_for_pairs() -> None:
    with pytest.raises(sp.UnsupportedError, match="grid"):
        sp.BitSum(n=4, lam=2).rounds(2).composition(delta="0.1")


def test_a_bracket_says_where_nothing_is_claimed() -> None:
    found = sp.shuffled(sp.VariationRatio(p=3, beta="1/2", q=3), n=10).delta(epsilon="ln 2")
    assert found.lower is None
    assert found.ratio is None
    assert "no lower bound" in str(found)
    with pytest.raises(sp.UnsupportedError):
        _ = found.at_least
    assert found.as_json()["lower"] is None
    assert float(f"{found:.3e}") >= found.upper.upper


def test_bounds_on_the_wrong_sides_make_no_bracket() -> None:
    survey = sp.shuffled(sp.KRR(k=3, epsilon0="ln 3"), n=5)
    lower, upper = (survey.delta(epsilon="ln 2", method=method) for method in ("k-rr-pair", "k-rr-blanket"))
    with pytest.raises(ValueError, match="do not bracket"):
        sp.Bracket(quantity="delta", of="it", upper=lower)
    far = survey.delta(epsilon=0, method="k-rr-pair")
    with pytest.raises(ValueError, match="lies above"):
        sp.Bracket(quantity="delta", of="it", upper=upper, lower=far)


def _point(epsilon0: Any) -> float:
    return sp.shuffled(sp.AnyRandomizer(epsilon0=epsilon0), n=5).delta(epsilon=0).guarantee


def test_one_bad_point_of_a_process_pool_fails_and_the_others_answer() -> None:
    with ProcessPoolExecutor(1) as pool:
        futures = [pool.submit(_point, epsilon0) for epsilon0 in ("ln 2", -1, "ln 3")]
        assert futures[0].result() < futures[2].result()
        with pytest.raises(sp.DomainError, match="epsilon0 = -1") as error:
            futures[1].result()
    assert error.value.parameter == "epsilon0"


def test_importing_the_package_imports_no_engine_and_nothing_large() -> None:
    code = "import sys, shuffleproof; print(*sorted({name.partition('.')[0] for name in sys.modules}), *sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    large = {
        "numpy",
        "flint",
        "mpmath",
        "scipy",
        "sympy",
        "matplotlib",
        "pandas",
        "pyarrow",
        "click",
        "rich",
        "jsonschema",
        "hypothesis",
        "dask",
    }
    assert large & set(loaded) == set()
    assert [
        name for name in loaded if name.startswith(("shuffleproof.impl", "shuffleproof.proofs_check", "shuffleproof.spec.bounds"))
    ] == []


@pytest.mark.parametrize(
    "name", ["mechanisms Shuffled", "protocols BitSum", "randomizers KRR", "brackets Bracket", "rounds Rounds", "filters Filter"]
)
def test_what_was_pickled_where_a_class_stood_before_is_read(name: str) -> None:
    module, found = name.split()
    assert pickle.loads(f"cshuffleproof.{module}\n{found}\n.".encode()) is getattr(sp, found)


def test_what_is_asked_by_a_former_name_is_understood() -> None:
    assert (sp.FromLaw, sp.laws, sp.audit.law) == (sp.FromDistribution, sp.distributions, sp.audit.distribution)
    now, before = sp.FromDistribution(DISTRIBUTION), sp.FromLaw(law=DISTRIBUTION)
    assert (before, before.law) == (now, now.distribution)
    assert str(sp.audit.law(law=DISTRIBUTION, epsilon0=1)) == str(sp.audit.distribution(DISTRIBUTION, epsilon0=1))
    with pytest.raises(TypeError):
        sp.FromDistribution(distribution=DISTRIBUTION, law=DISTRIBUTION)
    pickled = sp.FromDistribution.__new__(sp.FromDistribution)
    pickled.__setstate__({"law" if name == "distribution" else name: value for name, value in vars(now).items()})
    assert pickled == now
