"""What a caller has set for decimal, numpy and flint neither breaks an answer nor is changed by one, in several threads too."""

import contextlib
import decimal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from inspect import isfunction
from typing import Any

import numpy as np
import pytest
from flint import ctx

import shuffleproof as sp
from shuffleproof import bounds
from shuffleproof.impl.ball.numeric.arithmetic import precision

QUESTIONS = [
    {"n": 1000, "sigma": 2, "delta": "1e-6", "method": "gaussian-blanket"},
    {"n": 1000, "epsilon0": 1, "delta": "1e-6", "method": "clones"},
    {"n": 1000, "epsilon0": 1, "delta": "1e-6", "method": "stronger-clones"},
]


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked["method"])
def test_answers_do_not_depend_on_the_callers_arithmetic(asked):
    plain = bounds.epsilon(**asked, engine="fast").upper
    hostile = decimal.Context(prec=3, traps=[decimal.Inexact, decimal.Rounded, decimal.FloatOperation])
    with np.errstate(all="raise"), decimal.localcontext(hostile):
        found = bounds.epsilon(**{**asked, "n": 1001}, engine="fast").upper
        assert (decimal.getcontext().prec, decimal.getcontext().traps[decimal.Inexact]) == (3, True)
        assert np.geterr()["under"] == "raise"
    assert found == bounds.epsilon(**{**asked, "n": 1001}, engine="fast").upper
    assert found <= plain


CALLS = {
    "calibrate.frequency": lambda: sp.calibrate.frequency(randomizer="krr", n=1000, k=4, epsilon="1/2", delta="1e-4").value,
    "renyi": lambda: sp.renyi(n=100, epsilon0=1, order=2).upper,
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_whatever_is_asked_is_computed_with_our_own_arithmetic(call):
    plain = call()
    hostile = decimal.Context(prec=3, traps=[decimal.Inexact, decimal.Rounded, decimal.FloatOperation])
    before, ctx.prec = ctx.prec, 17
    try:
        with np.errstate(all="raise"), decimal.localcontext(hostile):
            assert call() == plain
        assert ctx.prec == 17
    finally:
        ctx.prec = before


NEEDS_NONE = {"shuffled", "shuffled_users", "delta", "epsilon", "renyi"}
"""What computes nothing itself, or asks a method, which has its own arithmetic."""


def test_everything_public_that_computes_has_its_own_arithmetic():
    computing = {
        **{name: getattr(sp, name) for name in sp.__all__ if isfunction(getattr(sp, name))},
        **{name: each for module in (sp.audit, sp.calibrate, sp.run) for name, each in vars(module).items() if _is_own(module, each)},
        **{f"{kind.__name__}.{name}": getattr(kind, name) for kind, names in METHODS.items() for name in names},
        "figures.make": sp.figures.make,
    }
    assert {name for name, each in computing.items() if not _in_a_context(each)} == NEEDS_NONE


def _in_a_context(function: Any) -> bool:
    """Return whether one of the functions around this one enters a context; the one that reads keywords does not."""
    around = [function]
    while hasattr(around[-1], "__wrapped__"):
        around.append(around[-1].__wrapped__)
    return any(each.__code__.co_filename == contextlib.__file__ for each in around)


METHODS = {sp.Mechanism: ("epsilon", "delta", "renyi", "profile", "rounds", "factors"), sp.Rounds: ("epsilon", "composition", "renyi")}


def _is_own(module, each):
    return isfunction(each) and each.__module__ == module.__name__ and not each.__name__.startswith("_")


THREADS = 4
ASKED = [
    lambda digits=digits, n=n: bounds.epsilon(n=n, epsilon0=1, delta="1e-6", method="stronger-clones", engine="ball", digits=digits).upper
    for n in (100, 300)
    for digits in (3, 12, 40)
]


def test_threads_get_the_answers_that_one_gets():
    alone = [ask() for ask in ASKED]
    with _threads_switched_often(), ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(lambda ask: ask(), ASKED * THREADS)) == alone * THREADS
    assert ctx.prec == 53


def test_a_thread_waits_until_no_other_computes_in_balls():
    inside, leave, seen = threading.Event(), threading.Event(), []

    def hold():
        with precision(200):
            inside.set()
            leave.wait(10)
            seen.append(ctx.prec)

    def meddle():
        with precision(30):
            seen.append(ctx.prec)

    holder, other = threading.Thread(target=hold), threading.Thread(target=meddle)
    holder.start()
    inside.wait(10)
    other.start()
    other.join(0.05)  # long enough for one that does not wait
    leave.set()
    holder.join()
    other.join()
    assert (seen, ctx.prec) == ([200, 30], 53)


@contextlib.contextmanager
def _threads_switched_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
