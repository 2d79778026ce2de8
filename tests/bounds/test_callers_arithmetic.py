"""What a caller has set for decimal and numpy neither breaks an answer nor is changed by one."""

import decimal

import numpy as np
import pytest

from shuffleproof import bounds

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
