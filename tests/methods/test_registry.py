"""A method is one record and its engines: everything else about it is derived."""

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import shuffleproof
from shuffleproof import answering, methods
from shuffleproof.command_line.bound import bound
from shuffleproof.command_line.compare import compare
from shuffleproof.impl.ball import bounds as ball_bounds
from shuffleproof.impl.ball.numeric.results import certified
from shuffleproof.methods import METHODS, method_named
from shuffleproof.methods.engines import CARRIERS, Carrier
from shuffleproof.report.method_table import markdown
from shuffleproof.spec import bounds as exact_bounds
from shuffleproof.spec.vocabulary import methods as records
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.bound import Quantity
from shuffleproof.spec.vocabulary.method import DIGITS_ON_GRIDS
from shuffleproof.spec.vocabulary.methods.clones import CLONES
from shuffleproof.verification import cross_checks, drawn_parameters
from shuffleproof.verification.own_harness import EngineHarness

RECORD = """
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.parameters import EPSILON0
from shuffleproof.spec.vocabulary.scope import Mechanisms

TOY = Method(
    name="toy",
    aliases=("plaything",),
    statement="FMT21.Def2.2",
    mechanisms=Mechanisms.EVERY_ADAPTIVE,
    pair="the local pair",
    side="upper",
    follows="eps0-DP local randomizers run on shuffled data satisfy ({epsilon}, {delta})-DP, as they do alone",
    says="no amplification at all: what one report reveals",
    needs="eps0 >= 0",
    quantities=("epsilon", "delta"),
    parameters=(EPSILON0,),
)
"""
EXACT = """
from fractions import Fraction

from shuffleproof.spec.bounds.exact_pair import exact
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.methods.toy_record import TOY
from shuffleproof.spec.vocabulary.numerals import Epsilon


def value_of_delta(epsilon0, epsilon):
    T, t = epsilon0.exp_bounds(bits=200)[1], epsilon.exp_bounds(bits=200)[0]
    value = max(Fraction(0), (T - t) / (T + 1))
    return Found(value, value)


def value_of_epsilon(epsilon0, delta):
    T = epsilon0.exp_bounds(bits=200)[1]
    return Found(*Epsilon(None, max(Fraction(1), T - delta * (T + 1))).bounds(bits=200))


@exact(TOY)
def delta(*, n, epsilon0, epsilon):
    return value_of_delta(epsilon0, epsilon)


@exact(TOY)
def epsilon(*, n, epsilon0, delta):
    return value_of_epsilon(epsilon0, delta)
"""
BALL = """
from shuffleproof.impl.ball.numeric.results import certified
from shuffleproof.spec.bounds.toy import value_of_delta, value_of_epsilon
from shuffleproof.spec.vocabulary.methods.toy_record import TOY


@certified(TOY)
def delta(*, n, epsilon0, epsilon, digits=15):
    return value_of_delta(epsilon0, epsilon)


@certified(TOY)
def epsilon(*, n, epsilon0, delta, digits=15):
    return value_of_epsilon(epsilon0, delta)
"""
FILES = ((records, "toy_record", RECORD), (exact_bounds, "toy", EXACT), (ball_bounds, "toy", BALL))


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A method in three files, a record and two engines, and a line for each engine."""
    for package, name, text in FILES:
        folder = tmp_path / package.__name__
        folder.mkdir()
        (folder / f"{name}.py").write_text(text, "utf-8")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
    record = import_module(f"{records.__name__}.toy_record").TOY
    methods.offer(Carrier(record, "exact", "toy"), Carrier(record, "ball", "toy"))
    yield
    methods.withdraw("toy")
    for package, name, _ in FILES:
        sys.modules.pop(f"{package.__name__}.{name}", None)
        vars(package).pop(name, None)


def printed(*arguments: str) -> str:
    ended = CliRunner().invoke(bound, [*arguments], catch_exceptions=False)
    assert ended.exit_code == 0
    return ended.output


@pytest.mark.usefixtures("toy")
def test_a_method_of_three_files_is_answered_listed_compared_checked_declared_and_documented() -> None:
    assert printed("delta", "--method", "toy", "-n", "5", "--eps0", "ln 3", "--eps", "ln 2").startswith("delta <= 0.25")
    assert shuffleproof.delta(n=5, epsilon0="ln 3", epsilon="ln 2", method="toy").method == "toy"
    assert method_named("plaything") is METHODS["toy"]
    listed = {row["method"]: row for row in json.loads(printed("list", "--format", "json"))}
    assert listed["toy"]["engines"] == ["exact", "ball"]
    assert "no amplification at all" in printed("list")
    assert "| `toy` | " in markdown()
    rows = json.loads(CliRunner().invoke(compare, ["-n", "5", "--eps0", "1", "--delta", "1e-6", "--format", "json"]).output)
    assert "toy" in [row["method"] for row in rows]
    assert "toy" in EngineHarness("ball").capabilities["methods"]
    assert "toy" in [method.name for method in cross_checks.compared("exact", "ball")]


@pytest.mark.usefixtures("toy")
def test_the_cross_checks_notice_a_wrong_engine_of_a_method_nobody_else_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross_checks, "compared", lambda *_: (METHODS["toy"],))
    engine = import_module(f"{ball_bounds.__name__}.toy")
    right = engine.value_of_delta

    @certified(METHODS["toy"])
    def delta(*, n: int, digits: int = 15, **given: Any) -> Found:
        found: Found = right(**given)
        return replace(found, lower=found.lower / 2, upper=found.upper * Fraction(9, 10))

    monkeypatch.setattr(engine, "delta", delta)  # before the method is first asked
    assert cross_checks.exact_inside_balls(cases=8, seed=1).failures != ()


@pytest.mark.usefixtures("toy")
def test_the_cross_checks_find_nothing_wrong_with_a_right_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross_checks, "compared", lambda *_: (METHODS["toy"],))
    check = cross_checks.exact_inside_balls(cases=8, seed=1)
    assert (check.cases, check.failures) == (8, ())


@pytest.mark.parametrize("quantity", ["delta", "epsilon"])
def test_every_method_of_two_engines_has_parameters_drawn_for_its_cross_check(quantity: Quantity) -> None:
    drawn = random.Random(1)
    for method in cross_checks.compared("exact", "ball"):
        assert set(method.takes) <= set(drawn_parameters.small(drawn, method, quantity))
    for method in cross_checks.compared("fast", "ball"):
        assert set(method.takes) <= set(drawn_parameters.large(drawn, method, quantity))


def test_a_method_whose_parameters_nobody_draws_is_a_failure() -> None:
    odd = replace(CLONES, name="odd", parameters=(*CLONES.parameters, *METHODS["bit-sum"].parameters))
    with pytest.raises(LookupError, match="nobody draws parameters for the cross-checks of 'odd'"):
        drawn_parameters.small(random.Random(1), odd, "delta")


def test_an_option_that_two_meanings_share_tells_both() -> None:
    help_text = " ".join(printed("delta", "--help").split())
    assert "p of the noise Bern(p) (zero-sum, histogram, fake-users, binomial-sum); R_0 <= p R_1, R_1 <= p R_0" in help_text
    assert "--dishonest" not in printed("renyi", "--help")


def test_an_engine_that_would_always_refuse_is_not_asked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grids settle so many digits in ball arithmetic; where fewer do, float64 is asked at once, and its refusal is shown."""
    assert {each.digits for each in CARRIERS} == {None, DIGITS_ON_GRIDS}
    asked: list[str] = []
    real = answering.carried_out

    def counted(method: Any, engine: Any, quantity: Quantity) -> Any:
        asked.append(engine)
        return real(method, engine, quantity)

    monkeypatch.setattr(answering, "carried_out", counted)
    question: Any = {"n": 2, "randomizer": "krr", "k": 2, "epsilon0": 1, "epsilon": "1/2"}
    for digits, engine in ((DIGITS_ON_GRIDS, "ball"), (DIGITS_ON_GRIDS + 1, "fast")):
        found = answering.answer_by(quantity="delta", parameters=question, method="blanket", digits=digits, or_fewer=True)
        assert (found.bound.engine, asked.pop(), asked) == (engine, engine, [])
    # Exact arithmetic is asked of rational numbers alone.
    for asks, engine in (({"epsilon0": 1, "epsilon": "ln 2"}, "ball"), ({"epsilon0": "ln 2", "epsilon": "ln 3/2"}, "exact")):
        for method, about in (("clones", {}), ("k-rr-pair", {"k": 3}), ("blanket", {"randomizer": "krr", "k": 2})):
            answering.answer_by(quantity="delta", parameters={"n": 5, **about, **asks}, method=method)
            assert (asked.pop(), asked) == (engine, []), method
    laplace: Any = {"n": 2, "randomizer": "laplace", "epsilon0": "ln 2", "epsilon": "ln 3/2"}
    answering.answer_by(quantity="delta", parameters=laplace, method="blanket")
    assert asked == ["ball"]
