"""Cases: operations, those that users bring, and vectors as they are generated."""

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from commands import output_of
from harnesses import fake

from shuffleproof.conformance import vectors
from shuffleproof.conformance.catalogue import generate, inputs, own_cases
from shuffleproof.conformance.catalogue.catalogue import FLAGS, groups
from shuffleproof.conformance.catalogue.question import question
from shuffleproof.conformance.catalogue.truth import truth
from shuffleproof.conformance.judging import relations
from shuffleproof.conformance.judging.quantity import compare
from shuffleproof.conformance.operations import OPERATIONS, SHUFFLED
from shuffleproof.conformance.running import protocol
from shuffleproof.conformance.stored_json import code_digest as digest, violation
from shuffleproof.impl.ball.bounds.clones import clones as ball_clones
from shuffleproof.spec.bounds.clones import clones as exact_clones
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, UndecidedError

FAST = [case for case in vectors.suite_cases("smoke") if case.expected.kind != "relation"]


@pytest.mark.parametrize("case", FAST, ids=lambda case: case.id)
def test_the_truth_computed_now_is_the_stored_one(case: vectors.Case) -> None:
    """Of every kind of question: refusals are refusals, numbers and distributions enclose or equal what is stored."""
    found = truth(case.operation, case.given)
    assert (found.kind == "refusal") == (case.expected.kind == "refusal")
    if found.lower is not None and case.expected.lower is not None:
        assert found.upper is not None
        assert case.expected.upper is not None
        assert compare(found.lower, case.expected.upper) <= 0 <= compare(found.upper, case.expected.lower)
    elif found.distribution is not None:
        assert found.distribution.keys() == case.expected.distribution.keys()
        for y, (low, high) in found.distribution.items():
            assert low <= case.expected.distribution[y][1]
            assert high >= case.expected.distribution[y][0]
    else:
        assert found.kind == "refusal"


def test_a_wrong_truth_would_be_noticed() -> None:
    """The neighbour of a question has another truth, and what compares them says so."""
    asked = {"method": "clones", "n": "10", "epsilon0": "ln 3", "delta": "1/100"}
    one, other = truth("epsilon", asked), truth("epsilon", {**asked, "n": "11"})
    assert one.lower is not None
    assert other.upper is not None
    assert compare(one.lower, other.upper) > 0


@pytest.mark.parametrize(
    ("operation", "given"),
    [
        ("shuffle_law", {"laws": f"1e-300,{1 - Fraction(1, 10**300)} 1/2,1/2", "dataset": ",".join("0" * 16)}),
        ("renyi", {"p": "1/3,2/3", "q": f"1e-300,{1 - Fraction(1, 10**300)}", "order": "15"}),
        ("delta", {"method": "clones", "n": "40", "epsilon0": f"ln {1 + Fraction(1, 10**200)}", "epsilon": "0"}),
    ],
)
def test_an_answer_too_long_to_be_read_is_no_refusal(operation: str, given: dict[str, str]) -> None:
    """Mutant: it is, and whoever answers is said to be wrong."""
    with pytest.raises(ResourceLimitError, match=r"a number of \d+ characters"):
        truth(operation, given)


CSV = """operation,method,n,epsilon0,epsilon,delta,p,q,exp_epsilon
delta,clones,7,ln 3,ln 2,,,,
epsilon,clones,1000,1,,1e-6,,,
delta,clones,0,ln 3,ln 2,,,,
hockey_stick,,,,,,"3/4,1/4","1/4,3/4",2
"""


def test_csv_and_json_are_the_same_cases(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(CSV)
    cases = own_cases.read(tmp_path / "own.csv")
    own_cases.write(tmp_path / "own.json", cases)
    again = own_cases.read(tmp_path / "own.json")
    assert [(case.id, case.given, case.expected) for case in again] == [(case.id, case.given, case.expected) for case in cases]
    assert [case.expected.kind for case in cases] == ["exact", "enclosure", "refusal", "exact"]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.csv", "operation,method,m\ndelta,clones,3\n", "columns"),
        ("a.csv", 'operation,method,n\ndelta,"clones,3\ndelta,clones,4\n', "line 2 = a quotation mark"),
        ("a.csv", "method,n\nclones,3\n", "column operation"),
        ("a.csv", "operation,method,n\ndelta,clones,3\n", "line 2"),
        ("a.csv", "operation,method,n,epsilon0,epsilon\ndelta,clone,3,1,1\n", "clones"),
        ("a.csv", "operation,method,n,epsilon0,epsilon\nbeta,clones,3,1,1\n", "delta"),
        ("a.csv", CSV + CSV.splitlines()[1] + "\n", "second"),
        ("a.csv", "operation\n", "a case in it"),
        ("a.json", "{}", "a list"),
        ("a.json", '[{"operation": "delta"}]', "case 1"),
        ("a.json", '[{"operation": "delta", "input": {"n": 0.5}}]', "numbers that matter are strings"),
        ("none.csv", None, "No such file"),
    ],
)
def test_what_cannot_be_asked_is_said_with_its_place(tmp_path: Path, name: str, text: str | None, told: str) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(DomainError, match=told):
        own_cases.read(tmp_path / name)


def test_own_cases_are_judged_one_sidedly(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A harness that is below the truth by one part in 10^9 is unsound; the report says how the file is asked again."""
    (tmp_path / "own.csv").write_text("operation,method,n,epsilon0,epsilon\ndelta,clones,7,ln 3,ln 2\ndelta,clones,8,ln 3,ln 2\n")
    asked = ("conform", "run", "-i", fake("unsound"), "--cases", str(tmp_path / "own.csv"), "-k", "n=7", "--format", "json")
    report = json.loads(output_of(capsys, *asked, code=1))
    (row,) = report["cases"]
    assert row["verdict"] == "unsound"
    assert f"--cases {tmp_path / 'own.csv'} --case 'delta clones n=7" in row["reproduce"]["by_the_kit"]


def test_a_wrong_answer_that_a_fresh_process_gives_rightly_is_said_to_be_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A table kept without the number of users: whichever of the two is asked second is wrong, and neither alone."""
    path = tmp_path / "own.csv"
    path.write_text("operation,method,n,epsilon0,epsilon\ndelta,clones,2,ln 3,0\ndelta,clones,3,ln 3,0\n", "utf-8")
    for bug, says in (("stale-by-n", 1), ("one-user-less", 0)):
        told = output_of(capsys, "conform", "run", "-i", fake(f"planted {bug}"), "--cases", str(path), code=1)
        assert told.count("a fresh process answers this rightly") == says


SCHEMAS = Path(vectors.__file__).parent / "schema"


def test_every_schema_knows_every_operation() -> None:
    asked, stored, told = (json.loads((SCHEMAS / f"{name}.json").read_text()) for name in ("protocol", "vectors", "report"))
    assert asked["$defs"]["operation"]["enum"] == list(OPERATIONS)
    assert stored["properties"]["operation"]["enum"] == list(OPERATIONS)
    assert told["$defs"]["case"]["properties"]["operation"]["enum"] == list(OPERATIONS)
    assert set(stored["$defs"]["input"]["properties"]) == {
        key for operation in OPERATIONS.values() for keys in operation.keys for key in keys
    }


def test_every_question_is_a_message_of_the_protocol() -> None:
    """With its own input and no other: the schema of each is closed."""
    closed = set()
    for case in [each for asked in vectors.suite_cases("all") for each in relations.questions(asked)]:
        message = json.loads(protocol.run_message(seq=1, operation=case.operation, given=case.given))
        assert violation(message, schema="protocol", definition="run") is None, case.id
        if (kind := (case.operation, *message["input"])) not in closed:
            closed.add(kind)
            message["input"]["surprise"] = "1"
            assert violation(message, schema="protocol", definition="run") is not None, case.id


def test_every_operation_has_questions_and_every_key_set_is_used() -> None:
    used: dict[str, set[frozenset[str]]] = {name: set() for name in OPERATIONS}
    for group in groups():
        used[group.operation] |= {frozenset(given) for each in group.questions for given in each.inputs}
    assert used == {name: set(operation.keys) for name, operation in OPERATIONS.items()}


def test_lists_are_read_exactly() -> None:
    assert inputs.numbers("3/4, 0.25,1e-3", parameter="p") == (Fraction(3, 4), Fraction(1, 4), Fraction(1, 1000))
    assert inputs.distributions("3/4,1/4 1/4,3/4") == ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))
    assert inputs.indices("0,2,1", parameter="dataset", below=3) == (0, 2, 1)


@pytest.mark.parametrize("text", ["", "1/2", "1/2,1/2,", "1/2 1/2", "2,-1", "1/2,1/2  1/2,1/2", "1/2,1/2 1", "a,b", "nan,1"])
def test_what_is_no_list_of_distributions(text: str) -> None:
    with pytest.raises(DomainError, match="laws"):
        inputs.distributions(text)


def test_what_is_no_dataset() -> None:
    for text in ("", "0,3", "0;1", "-1", "1.5"):
        with pytest.raises(DomainError, match="dataset"):
            inputs.indices(text, parameter="dataset", below=3)


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
