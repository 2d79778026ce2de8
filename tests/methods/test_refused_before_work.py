"""What has no end is refused before any work, and names what would be accepted."""

import sys
from fractions import Fraction

import pytest

from shuffleproof import audit, calibrate
from shuffleproof.claims.formula import Formula
from shuffleproof.planning.plan import schema
from shuffleproof.planning.sweep.swept import sweep
from shuffleproof.spec.vocabulary.errors import DomainError

LAWS = [["3/4", "1/4"], ["1/4", "3/4"]]


@pytest.mark.parametrize(
    "call",
    [
        lambda: calibrate.split_and_mix(n=1000, modulus=2**32, epsilon="1e300", delta="1e-6"),
        lambda: audit.law(LAWS, epsilon0="1e10000"),
        lambda: audit.law(LAWS, n=10, epsilon="1e10000"),
        lambda: audit.samples([["0", "1"], ["0", "1"]], epsilon="1e308", delta="1e-6"),
    ],
)
def test_an_epsilon_beyond_every_use_is_refused(call):
    with pytest.raises(DomainError, match="at most 10000"):
        call()


@pytest.mark.parametrize("content", ["a = " + "[" * 5000, "a = 1" + "0" * 100_000])
def test_a_plan_that_no_parser_takes_is_refused(tmp_path, content):
    path = tmp_path / "plan.toml"
    path.write_text(content)
    with pytest.raises(DomainError, match="TOML"):
        schema.read(path)


def test_a_formula_nested_deeper_than_the_stack_is_refused():
    def deep(frames):
        return deep(frames - 1) if frames else Formula("-" * 400 + "n").ends({"n": Fraction(3)})

    assert deep(0) == (3, 3)
    with pytest.raises(DomainError, match="nested"):
        deep(sys.getrecursionlimit() - 300)


def test_more_workers_than_any_cluster_has_are_refused(tmp_path):
    with pytest.raises(DomainError, match="10000"):
        sweep(n=[10], epsilon0=[1], delta=["1e-6"], output=tmp_path / "out.jsonl", workers="1e9")
