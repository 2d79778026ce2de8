"""Users and distributions in files on the command line: bounds of users with distributions of their own, and audits."""

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from commands import ended, output_of
from test_spellings import RECORD, unknown

from shuffleproof import AnyRandomizer, shuffled
from shuffleproof.command_line.exit_codes import ExitCode
from shuffleproof.mechanisms import users_file
from shuffleproof.spec.bounds.variation_ratio.optimal_pair import Parameters, dominating_pair
from shuffleproof.spec.distribution import Distribution, hockey_stick
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError

TWO = {"no": {"a": "3/4", "b": "1/4"}, "yes": {"a": "1/4", "b": "3/4"}}
WEAKER = {"no": {"a": "2/3", "b": "1/3"}, "yes": {"a": "1/3", "b": "2/3"}}


def written(folder: Path, users: list[dict[str, Any]] | str, **change: Any) -> Path:
    path = folder / "users.json"
    content = users if isinstance(users, str) else json.dumps({"format": "shuffleproof-users-1", "users": users, **change})
    path.write_text(content, encoding="utf-8")
    return path


def binary_rr_on(zero: str, one: str) -> dict[str, Any]:
    return {"inputs": {"0": {zero: "4/5", one: "1/5"}, "1": {zero: "1/5", one: "4/5"}}}


def test_users_with_distributions_of_their_own_get_the_pair_that_covers_all_of_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, [{"count": 3, "inputs": TWO}, {"inputs": WEAKER}])
    assert users_file.read(path) == users_file.Users(n=4, entries=2, p="3", beta="0.5", q="3")
    code, text, _ = ended(capsys, "bound", "delta", "--users", str(path), "--eps", "ln 2", "--format", "json")
    found = json.loads(text)
    P, Q = dominating_pair(n=4, parameters=Parameters(Fraction(3), Fraction(1, 2), Fraction(3)))
    assert code == ExitCode.ANSWERED
    assert (found["method"], found["n"], Fraction(found["upper"])) == ("optimal-pair", "4", hockey_stick(P, Q, exp_epsilon=Fraction(2)))


def test_one_user_of_a_kind_is_not_compared_with_itself(tmp_path: Path) -> None:
    """q = 8/3 is the largest ratio of one user's distribution to the other's, 2/3 to 1/4; within the first entry alone it is 3."""
    path = written(tmp_path, [{"inputs": TWO}, {"inputs": WEAKER}])
    found = users_file.read(path)
    assert (found.n, found.p, found.q) == (2, "3", "8/3")
    assert users_file.read(written(tmp_path, [{"count": 2, "inputs": TWO}])).q == "3"


def test_different_alphabets_are_refused_with_the_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, [binary_rr_on("0", "1"), binary_rr_on("2", "3")])
    code, out, err = ended(capsys, "bound", "delta", "--users", str(path), "--eps", "ln 2")
    assert (code, out) == (ExitCode.USAGE, "")
    for said in ("BEYOND.ThmF3 needs R_0, R_1 <= q R_k", "messages of user 1 that user 2 never sends", "2/5", "8/25", "whose they are"):
        assert said in err


def test_no_method_for_all_randomizers_covers_alphabets_of_their_own() -> None:
    """Nobody else sends what the special user sends: the truth is the local 2/5, more than any of them says, and the object says so."""
    zero, one = Distribution({0: Fraction(4, 5), 1: Fraction(1, 5)}), Distribution({0: Fraction(1, 5), 1: Fraction(4, 5)})
    truth = hockey_stick(zero, one, exp_epsilon=Fraction(2))
    two = shuffled(AnyRandomizer(epsilon0="ln 4"), n=2)
    assert two.delta(epsilon="ln 2", method="clones").upper < truth == Fraction(2, 5)
    assert two.delta(epsilon="ln 2", method="stronger-clones").upper < truth
    assert "clones" not in str(AnyRandomizer.__doc__)


def test_a_refusal_names_users_by_their_place_in_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, [{"count": 10, "inputs": TWO}, {"count": 5, "inputs": {"x": {"a": "1"}}}])
    with pytest.raises(RegimeError, match="messages of user 1 that user 11 never sends"):
        users_file.read(path)


def test_a_message_impossible_for_one_input_is_refused_among_users_of_one_kind(tmp_path: Path) -> None:
    with pytest.raises(RegimeError, match="user 1 that user 2"):
        users_file.read(written(tmp_path, [{"count": 2, "inputs": {"0": {"a": "1"}, "1": {"a": "1/2", "b": "1/2"}}}]))


def test_users_who_say_nothing_tell_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, [{"count": 7, "inputs": {"0": {"a": "1/2", "b": "1/2"}, "1": {"a": "1/2", "b": "1/2"}}}])
    code, text, _ = ended(capsys, "bound", "epsilon", "--users", str(path), "--delta", "0", "--format", "json")
    assert (code, json.loads(text)["upper"]) == (ExitCode.ANSWERED, "0")


@pytest.mark.parametrize(
    ("users", "said"),
    [
        ([{"count": 1, "inputs": TWO}], "two or more"),
        ([{"inputs": TWO}, {"inputs": {"no": {"a": "3/4", "b": "1/8"}}}], "entry 2"),
        ([{"inputs": TWO}, {"inputs": {"no": {"a": "much"}}}], "entry 2"),
        ([{"inputs": TWO}, {"inputs": {"no": {"a": "5/4", "b": "-1/4"}}}], "entry 2"),
        ([{"count": 0, "inputs": TWO}], "users.json"),
        ([{"inputs": {}}], "users.json"),
        ("[", "strict JSON"),
        ("[]", "users.json"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(tmp_path: Path, users: list[dict[str, Any]] | str, said: str) -> None:
    with pytest.raises(DomainError, match=said):
        users_file.read(written(tmp_path, users))


def test_an_unreadable_file_and_too_many_distributions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="can be read"):
        users_file.read(tmp_path / "nobody.json")
    many = [{"inputs": TWO}] * 1000
    with pytest.raises(ResourceLimitError, match="count"):
        users_file.read(written(tmp_path, many))


def test_long_numbers_count_as_work(tmp_path: Path) -> None:
    """A file of a few megabytes must not take minutes: neither the sum of a distribution nor the comparison of many."""
    numbers = random.Random(1)
    unlike = {str(i): f"1/{numbers.getrandbits(3200) | 1}" for i in range(100)}
    with pytest.raises(ResourceLimitError, match="denominator"):
        users_file.read(written(tmp_path, [{"count": 2, "inputs": {"0": unlike}}]))
    halves = {str(x): {"a": f"{5 * 10**900 + x}/1{'0' * 901}", "b": f"{5 * 10**900 - x}/1{'0' * 901}"} for x in range(900)}
    with pytest.raises(ResourceLimitError, match="likelihood ratios"):
        users_file.read(written(tmp_path, [{"count": 2, "inputs": halves}]))


def test_four_hundred_inputs_are_answered(tmp_path: Path) -> None:
    inputs = {str(x): {"a": f"{1000 + x}/3000", "b": f"{2000 - x}/3000"} for x in range(400)}
    found = users_file.read(written(tmp_path, [{"count": 2, "inputs": inputs}, {"inputs": TWO}]))
    assert (found.p, found.q) == ("3", "8/3")


@pytest.mark.parametrize("twice", [("-n", "4"), ("--p", "3"), ("--eps0", "1"), ("--randomizer", "rappor"), ("--method", "clones")])
def test_nothing_is_said_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str], twice: tuple[str, str]) -> None:
    path = written(tmp_path, [{"count": 4, "inputs": TWO}])
    code, _, err = ended(capsys, "bound", "epsilon", "--users", str(path), "--delta", "1e-3", *twice)
    assert code == ExitCode.USAGE
    assert "--users" in err


DISTRIBUTION = '{"format": "shuffleproof-law-1", "inputs": {"0": {"a": "3/4", "b": "1/4"}, "1": {"a": "1/4", "b": "3/4"}}}'


@pytest.fixture
def law(tmp_path: Path) -> str:
    path = tmp_path / "law.json"
    path.write_text(DISTRIBUTION, "utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        ((), 0, "e^epsilon0       3"),
        (("--eps0", "ln 3"), 0, "supported: one report is ln 3-DP"),
        (("--eps0", "1"), 1, "contradicted: one report is 1-DP"),
        (("--rounding", "0.001", "--eps0", "ln 3"), 3, "undecided"),
        (("-n", "2", "--eps", "0", "--delta", "1/4"), 1, "contradicted"),
        (("-n", "2", "--eps", "ln 3/2", "--delta", "9/32"), 0, "supported"),
        (("-n", "20000", "--eps", "0.1", "--delta", "1e-6"), 0, "optimal pair"),
    ],
)
def test_a_distribution_is_judged(capsys: pytest.CaptureFixture[str], law: str, options: tuple[str, ...], code: int, words: str) -> None:
    found, out, err = ended(capsys, "audit", "distribution", law, *options)
    assert (found, err) == (code, "")
    assert words in out


def test_a_distribution_as_json(capsys: pytest.CaptureFixture[str], law: str) -> None:
    code, out, _ = ended(capsys, "audit", "distribution", law, "--eps0", "ln 3", "-n", "3", "--eps", "0", "--format", "json")
    content: dict[str, Any] = json.loads(out)
    assert code == 0
    assert content["local"]["exp_epsilon"] == {"lower": "3", "upper": "3"}
    assert content["shuffled"]["delta"]["lower"] == content["shuffled"]["delta"]["upper"]
    assert content["claims"] == [{"claim": "one report is ln 3-DP", "law": "supported"}]


@pytest.mark.parametrize(
    "options", [("--eps0", "-1"), ("-n", "0", "--eps", "1"), ("--rounding", "x"), ("-n", "2", "--eps", "0", "--delta", "2")]
)
def test_a_wrong_question_about_a_distribution_is_refused(capsys: pytest.CaptureFixture[str], law: str, options: tuple[str, ...]) -> None:
    code, out, err = ended(capsys, "audit", "distribution", law, *options)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


def samples(folder: Path, ones: tuple[int, int], total: int = 2000) -> str:
    """Outputs 1 so often on either side, spread evenly."""
    path = folder / "outputs.csv"
    rows = [f"{side},{int(at * count % total < count)}" for side, count in zip("xy", ones, strict=True) for at in range(total)]
    path.write_text("\n".join(["side,output", *rows]) + "\n", "utf-8")
    return str(path)


def test_samples_that_show_a_violation_end_with_1(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = ("audit", "samples", samples(tmp_path, (1800, 200)), "--eps", "1", "--delta", "1e-6")
    assert output_of(capsys, *asked, code=1).startswith("violation shown")
    assert json.loads(output_of(capsys, *asked, "--format", "json", code=1))["verdict"] == "violation shown"


def test_samples_that_show_none_are_not_called_private(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = ended(capsys, "audit", "samples", samples(tmp_path, (1100, 900)), "--eps", "1", "--delta", "1e-6")
    assert code == 0
    assert out.startswith("none found")
    assert "does not say that the mechanism is private" in out


@pytest.mark.parametrize("options", [("--eps", "1"), ("--eps", "x", "--delta", "0"), ("--eps", "1", "--delta", "0", "--level", "0")])
def test_a_wrong_question_about_samples_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path, options: tuple[str, ...]) -> None:
    code, out, err = ended(capsys, "audit", "samples", samples(tmp_path, (1, 1)), *options)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


@pytest.mark.parametrize(("claimed", "code"), [(("1",), 2), (("1", "0"), 1)])
def test_rows_beside_one_that_cannot_be_read_are_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], claimed: tuple[str, ...], code: int
) -> None:
    """Mutants: the first row that cannot be read ends it; an impossible or unreadable row outweighed by another one."""
    path = tmp_path / "claims.csv"
    path.write_text("n,eps0,delta,epsilon\n9,1,half,1\n" + "".join(f"9,1,1e-2,{epsilon}\n" for epsilon in claimed), "utf-8")
    found, out, _ = ended(capsys, "audit", "claims", str(path))
    assert found == code
    assert "line 2: not judged: delta = half" in out
    assert out.splitlines()[-1].startswith(f"{1 + len(claimed)} claims: 1 not judged, 1 sound")
    found, out, _ = ended(capsys, "audit", "claims", str(path), "--format", "json")
    rows: list[dict[str, Any]] = json.loads(out)
    assert found == code
    assert list(rows[0]) == ["line", "refused"]
    assert [row["line"] for row in rows] == list(range(2, 3 + len(claimed)))
    assert list(unknown(rows, RECORD["audit claims"] or "")) == []


def test_verbs_and_options_are_understood_by_their_former_names(capsys: pytest.CaptureFixture[str], law: str) -> None:
    assert ended(capsys, "audit", "law", law) == ended(capsys, "audit", "distribution", law)
    asked_by = [ended(capsys, "bound", "delta", name, law, "-n", "3", "--eps", "0") for name in ("--law", "--distribution")]
    assert asked_by[0] == asked_by[1]
    assert asked_by[0][0] == 0
