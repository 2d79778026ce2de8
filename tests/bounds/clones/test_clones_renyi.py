"""Renyi divergences of the clones pair and its relatives: exact, certified by two routes, and in float64."""

import json
from fractions import Fraction
from itertools import pairwise

import pytest
from commands import ended
from enclosures import meet
from hypothesis import given, strategies as st
from strategies import examples

import shuffleproof
from shuffleproof.impl.ball.bounds.clones import clones as ball
from shuffleproof.impl.ball.bounds.clones.renyi_series import Series
from shuffleproof.impl.ball.numeric.arithmetic import precision, upper_end
from shuffleproof.impl.fast.bounds.clones import clones as fast, renyi_family as fast_family
from shuffleproof.spec.bounds.clones import clones as exact
from shuffleproof.spec.vocabulary.errors import ResourceLimitError, UnsupportedError
from shuffleproof.spec.vocabulary.numerals import parse_epsilon


@examples(15)
@given(
    n=st.integers(20_000, 300_000),
    local=st.fractions(Fraction(1, 100), Fraction(4), max_denominator=100),
    order=st.fractions(Fraction(101, 100), Fraction(40), max_denominator=100),
)
def test_float64_and_balls_agree(n: int, local: Fraction, order: Fraction) -> None:
    try:
        quick = fast.renyi(n=n, epsilon0=local, order=order)
    except UnsupportedError:
        return
    assert meet(quick, ball.renyi(n=n, epsilon0=local, order=order))
    assert (quick.upper - quick.lower) * 10**9 < quick.upper


@pytest.mark.parametrize(("n", "local", "order"), [(2000, "1", "5.5"), (1500, "ln 3", "2"), (3000, "1/2", "20"), (10_000, "1", "32")])
def test_both_certified_routes_agree(n: int, local: str, order: str) -> None:
    direct = ball.renyi(n=n, epsilon0=local, order=order, route="direct")
    assert meet(direct, ball.renyi(n=n, epsilon0=local, order=order, route="moments", digits=20))
    assert (direct.upper - direct.lower) * 10**12 <= direct.upper


def test_order_32_for_a_million_users_by_both_engines() -> None:
    certified = ball.renyi(n=10**6, epsilon0=1, order=32)
    quick = fast.renyi(n=10**6, epsilon0=1, order=32)
    assert certified.upper <= quick.upper <= certified.upper * (1 + Fraction(1, 10**6))


def test_divergences_grow_with_the_order_towards_the_local_epsilon() -> None:
    values = [ball.renyi(n=200, epsilon0=1, order=order) for order in ("1.5", 2, 8, 64, 512, 4096)]
    for below, above in pairwise(values):
        assert below.upper < above.lower
    assert Fraction(9, 10) < values[-1].lower < values[-1].upper < 1


def test_stronger_clones_are_never_larger_and_the_pair_of_2rr_is_below_both() -> None:
    for order in (2, "7.25", 30):
        of = {name: shuffleproof.renyi(n=5000, epsilon0=2, order=order, method=name) for name in ("clones", "stronger-clones")}
        pair = shuffleproof.renyi(n=5000, epsilon0=2, order=order, method="binary-rr-pair")
        assert pair.lower <= of["stronger-clones"].upper < of["clones"].lower


def test_what_is_left_out_is_never_too_small() -> None:
    """The bound beyond J powers against the powers themselves."""
    with precision(200):
        series = Series.of(epsilon0=parse_epsilon("1"), order=Fraction(9))
        for N in (40, 400):
            smallest = series.coefficient(1) / 10**40
            normal = [series.coefficient(j) for j in range(200)]
            factor, rest = 1, normal[0] * 0
            for j in range(1, 12):
                factor *= 2 * j - 1
                rest += normal[j] * factor / N**j if j >= 5 else 0
            assert upper_end(rest) < upper_end(series.beyond(terms=5, N=N, smallest=smallest))


def test_a_bound_that_forgets_what_is_left_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant: two powers only, and nothing for the others."""
    truth = ball.renyi(n=2000, epsilon0=2, order=20)
    monkeypatch.setattr(Series, "terms", lambda self, **_: 2)
    monkeypatch.setattr(Series, "beyond", lambda self, *, smallest, **_: smallest * 0)
    assert not meet(truth, ball.renyi(n=2000, epsilon0=2, order=20))


def test_a_wrong_moment_in_float64_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = fast_family._weight
    monkeypatch.setattr(fast_family, "_weight", lambda j, i: right(j, i) * (1 + 1e-5 * (i < j - 1)))
    assert not meet(fast.renyi(n=2000, epsilon0=2, order=5), ball.renyi(n=2000, epsilon0=2, order=5))


def test_the_command_line_answers_and_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    def ran(*arguments: str) -> tuple[object, str]:
        return ended(capsys, "bound", "renyi", "-n", "100000", *arguments)[:2]

    local, pair = ("--eps0", "1"), ("--method", "optimal-pair", "--beta", "1/4", "--q", "3")
    code, text = ran(*local, "--order", "32", "--method", "clones")
    assert not code
    assert text.startswith("renyi <= 0.00037")
    assert "(upper, alpha)-RDP" in text
    code, text = ran(*local, "--randomizer", "krr", "--k", "10", "--order", "32")
    assert not code
    assert "(upper, alpha)-RDP" in text
    code, text = ran(*local, "--order", "2.5", "--method", "binary-rr-pair", "--format", "json")
    assert json.loads(text)["quantity"] == "renyi"
    assert json.loads(text)["claim"].startswith("lower:")
    code, text = ran(*pair, "--p", "3", "--order", "2.5", "--engine", "fast", "--format", "json")
    assert (json.loads(text)["quantity"], json.loads(text)["engine"]) == ("renyi", "ball")
    for refused in ((*local, "--order", "1"), (*local, "--order", "2", "--method", "k-rr-clones"), ("--order", "2")):
        assert ran(*refused)[0] == 2
    assert ran(*pair, "--p", "infinity", "--order", "2")[0] == 2


def test_what_an_engine_cannot_do_it_says() -> None:
    with pytest.raises(UnsupportedError, match="irrational"):
        exact.renyi(n=5, epsilon0="ln 2", order="2.5")
    with pytest.raises(ResourceLimitError):
        exact.renyi(n=5, epsilon0="ln 2", order=10**5)
    assert shuffleproof.renyi(n=5, epsilon0="ln 2", order="2.5").engine == "ball"
    assert 799 < shuffleproof.renyi(n=1, epsilon0=800, order=2).lower < 800
    assert 799 < shuffleproof.renyi(n=1, epsilon0=800, order=2, method="binary-rr-pair").lower < 800
    with pytest.raises(ResourceLimitError):
        exact.renyi(n=101, epsilon0="ln 2", order=2)
    with pytest.raises(UnsupportedError):
        fast.renyi(n=5, epsilon0=1, order=2)
    with pytest.raises(ResourceLimitError):
        ball.renyi(n=10**6, epsilon0=5, order=5000)
    with pytest.raises(ResourceLimitError):
        ball.renyi(n=10**15, epsilon0=1, order=2)
    with pytest.raises(UnsupportedError):
        shuffleproof.renyi(n=5, epsilon0=1, order=2, method="clones-closed-form")
