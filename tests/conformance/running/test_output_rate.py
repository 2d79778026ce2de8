"""The rate of a harness's output is capped, over restarts too, and an honest harness is far below it."""

import sys
import time

import pytest

from shuffleproof.conformance import vectors
from shuffleproof.conformance.judging.judge import Verdict
from shuffleproof.conformance.running import output_rate, runner
from shuffleproof.conformance.running.output_rate import OutputRate
from shuffleproof.conformance.running.runner import Options
from shuffleproof.conformance.running.selection import Selection

GUSHING = f"cmd:{sys.executable} -m shuffleproof.conformance.fakes.gushing"
HONEST = f"cmd:{sys.executable} -m shuffleproof.conformance.fakes.planted none"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that is moved by hand."""
    now = [1000.0]
    monkeypatch.setattr("shuffleproof.conformance.running.output_rate.time.monotonic", lambda: now[0])
    return now


def test_what_leaves_the_window_no_longer_counts(clock: list[float]) -> None:
    rate = OutputRate()
    rate.add(rate.most)
    assert not rate.exceeded
    rate.add(1)
    assert rate.exceeded
    clock[0] += rate.seconds / 2
    assert rate.exceeded
    clock[0] += rate.seconds
    assert not rate.exceeded


def test_a_steady_rate_below_the_limit_is_never_too_fast_and_one_above_it_is(clock: list[float]) -> None:
    for share, too_fast in ((0.9, False), (1.1, True)):
        rate, seen = OutputRate(), False
        for _ in range(1000):
            rate.add(int(share * rate.most / 200))
            seen = seen or rate.exceeded
            clock[0] += rate.seconds / 200
        assert seen is too_fast
        assert len(rate._slots) < 100, "what is remembered is bounded"
        clock[0] += 100


def test_a_pause_lasts_until_the_window_is_half_empty(clock: list[float]) -> None:
    rate = OutputRate()
    assert rate.pause == 0
    rate.add(rate.most // 2)
    assert rate.pause == 0
    clock[0] += 1
    rate.add(rate.most)
    pause = rate.pause
    assert rate.seconds <= pause <= 1.1 * rate.seconds
    clock[0] += pause
    assert rate.pause == 0
    assert not rate.exceeded


def test_gushing_is_stopped_and_restarts_do_not_make_it_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    """3 MiB for an answer is within the cap of a request; at 8 MiB within 0.4 s every third answer or so is too much."""
    monkeypatch.setattr(output_rate, "MOST_OUTPUT_OF_A_WINDOW", 8 << 20)
    monkeypatch.setattr(output_rate, "WINDOW_SECONDS", 0.4)
    arrived: list[tuple[float, int]] = []
    add = OutputRate.add

    def counted(rate: OutputRate, written: int) -> None:
        arrived.append((time.monotonic(), written))
        add(rate, written)

    monkeypatch.setattr(OutputRate, "add", counted)
    names = [case.id for case in vectors.suite_cases("fmt21") if case.id.startswith("delta clones n=3 epsilon0=ln 3")]
    report = runner.run(connect=GUSHING, suite="fmt21", only=Selection(ids=names), options=Options(deadline=20))
    stopped = [result for result in report.results if result.verdict is Verdict.PROTOCOL]
    assert report.summary.keys() == {"conforms", "protocol"}
    assert {result.detail for result in stopped} == {"too fast: more than 8388608 bytes within 0.4 s"}
    for begun, _ in arrived[::50]:
        assert sum(written for at, written in arrived if begun <= at < begun + 0.4) <= (8 << 20) + (2 << 16)


def test_an_honest_harness_is_far_below_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smoke suite as fast as it goes, under a hundredth of the limit."""
    monkeypatch.setattr(output_rate, "MOST_OUTPUT_OF_A_WINDOW", output_rate.MOST_OUTPUT_OF_A_WINDOW // 100)
    assert runner.run(connect=HONEST, suite="smoke").exit_code == 0
