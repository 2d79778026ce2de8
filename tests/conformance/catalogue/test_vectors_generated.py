"""The vectors come out of the generating code again, bit for bit, and the code refuses to write what it cannot stand for."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from shuffleproof.conformance import vectors
from shuffleproof.conformance.catalogue import generate
from shuffleproof.conformance.catalogue.catalogue import FLAGS, groups
from shuffleproof.conformance.catalogue.question import question
from shuffleproof.conformance.code_digest import digest
from shuffleproof.conformance.operations import SHUFFLED
from shuffleproof.impl.ball.bounds.clones import clones as ball_clones
from shuffleproof.spec.bounds.clones import clones as exact_clones
from shuffleproof.spec.vocabulary.errors import DomainError, UndecidedError

STORED = {case["id"]: case for file in vectors.load_all() for _, _, case in vectors.stored_cases(file.content)}


def engines_are(monkeypatch: pytest.MonkeyPatch, **engines: object) -> None:
    """Other code for the engines, for every method."""
    monkeypatch.setattr(generate, "_engine", lambda _, engine, operation: getattr(engines[engine], operation))


def test_the_digest_of_code_is_of_what_it_does() -> None:
    code = "def f(x):\n    return x + 1\n"
    moved = '"""Says."""\nfrom other.place import (\n    g,\n)\n\ndef f(x):\n    """One\n    more."""\n    return x + 1\n'
    assert digest(code) == digest(moved)
    assert digest(code) != digest(code.replace("1", "2"))
    assert digest("x = 'a text'") != digest("x = 'another'")
    assert digest('"""Says."""\nx = """a\ntext"""') == digest('x = """a\ntext"""') != digest('x = """another\ntext"""')


def test_all_but_float64_comes_out_again_bit_for_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is exact or a ball is computed again; brackets of named randomizers, dear and of floats, are those of test_stored_brackets."""

    def as_stored(operation: str, given: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
        found = brackets.get((operation, tuple(sorted(given.items()))))
        return found or computed(operation, given)

    computed = generate._shuffled
    brackets = {
        (id.partition(" ")[0], tuple(sorted(case["input"].items()))): (case["expected"], case["engines"])
        for id, case in STORED.items()
        if case.get("input", {}).get("method") == SHUFFLED and case["expected"]["kind"] == "bracket"
    }
    monkeypatch.setattr(generate, "_shuffled", as_stored)
    for path in generate.write(tmp_path):
        assert path.read_bytes() == (vectors.DIRECTORY / path.name).read_bytes()


@pytest.mark.deep
def test_everything_comes_out_again_bit_for_bit(tmp_path: Path) -> None:
    for path in generate.write(tmp_path):
        assert path.read_bytes() == (vectors.DIRECTORY / path.name).read_bytes()


def test_the_catalogue_asks_nothing_twice_and_explains_its_flags() -> None:
    asked = [(group.operation, tuple(sorted(given.items()))) for group in groups() for q in group.questions for given in q.inputs]
    assert len(asked) == len(set(asked))
    assert {flag for group in groups() for q in group.questions for flag in q.flags} == set(FLAGS)


def test_an_exact_value_outside_the_ball_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant of the exact engine: delta for one user more."""

    def shifted(*, n: str, **rest: Any) -> Any:
        return exact_clones.delta(n=int(n) + 1, **rest)

    engines_are(monkeypatch, exact=SimpleNamespace(delta=shifted), ball=ball_clones)
    asked = question("method=clones; n=3; epsilon0=ln 3; epsilon=ln 7/5")
    with pytest.raises(generate.GenerationError, match="outside the ball"):
        generate._case("delta", asked, lambda _: None)


def test_an_epsilon_whose_ends_delta_does_not_confirm_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant of the root search: the right digits of another delta."""

    def other(*, delta: str, **rest: Any) -> Any:
        return ball_clones.epsilon(delta="1.00000000000000000000000000001e-6", **rest)

    asked = question("method=clones; n=1000; epsilon0=1; delta=1e-6")
    good = generate._case("epsilon", asked, lambda _: None)["expected"]
    assert good == STORED["epsilon clones n=1000 epsilon0=1 delta=1e-6"]["expected"]
    engines_are(monkeypatch, ball=SimpleNamespace(epsilon=other, delta=ball_clones.delta))
    with pytest.raises(generate.GenerationError, match="does not confirm"):
        generate._case("epsilon", asked, lambda _: None)


def test_where_the_search_fails_bisection_finds_the_same_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def undecided(**_: Any) -> Any:
        raise UndecidedError(quantity="epsilon", enclosure=("0", "1"), precision=53)

    asked = question("method=clones; n=3; epsilon0=1; delta=1e-300")
    good = generate._case("epsilon", asked, lambda _: None)["expected"]
    engines_are(monkeypatch, ball=SimpleNamespace(epsilon=undecided, delta=ball_clones.delta))
    assert generate._case("epsilon", asked, lambda _: None)["expected"] == good


def test_a_refusal_that_our_own_code_answers_is_not_written() -> None:
    asked = question("method=clones; n=3; epsilon0=1; delta=1e-6", refusal="of no reason at all")
    with pytest.raises(generate.GenerationError, match="is answered"):
        generate._case("epsilon", asked, lambda _: None)


def test_a_wide_enclosure_is_not_written() -> None:
    with pytest.raises(generate.GenerationError, match="wider"):
        generate._decimals("x", Fraction(1), 1 + Fraction(1, 10**29))
    assert generate._decimals("x", Fraction(2, 3), Fraction(2, 3)) == {"lower": "0." + "6" * 32, "upper": "0." + "6" * 31 + "7"}


def test_nothing_is_written_unless_everything_could_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DomainError, match="directory"):
        generate.write(tmp_path / "nowhere")

    def failing(operation: str, **_: Any) -> dict[str, Any]:
        if operation == "randomizer_law":
            raise generate.GenerationError("disagreement")
        return {}

    monkeypatch.setattr(generate, "content", failing)
    with pytest.raises(generate.GenerationError):
        generate.write(tmp_path)
    assert list(tmp_path.iterdir()) == []
