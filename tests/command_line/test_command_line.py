"""The command line: what it prints where, and how it ends."""

import json
import re
import subprocess
import sys
from functools import partial

import pytest
from commands import Run, ended

from shuffleproof.command_line import bound as command_line_bound
from shuffleproof.command_line.verbs import VERBS
from shuffleproof.spec.vocabulary.errors import HarnessStartError, IntegrityError, ShuffleproofError, UndecidedError
from shuffleproof.spec.vocabulary.files import OutputError


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return partial(ended, capsys)


GOOD = ("bound", "epsilon", "-n", "1000", "--eps0", "ln 3", "--delta", "1e-6")


def test_a_bound_is_one_line_with_its_claim_below(run: Run) -> None:
    ended = run(*GOOD)
    assert ended.code == 0
    assert ended.err == ""
    first, second, third = ended.out.splitlines()
    assert first.startswith("epsilon <= 0.")
    assert "first-arrival, BEYOND first-arrival; replace-one; n = 1000, eps0 = ln 3, delta = 1e-6" in first
    assert second.strip().startswith("upper:")
    assert third.startswith("  rests on BEYOND.first-arrival, BEYOND.CorF2, ")
    assert third.endswith(": argued")


def test_thousands_may_be_set_apart_wherever_a_whole_number_is_asked_for(run: Run) -> None:
    asked = ("bound", "epsilon", "--method", "clones-closed-form", "--eps0", "1", "--delta", "1e-6", "-n")
    assert len({run(*asked, n).out for n in ("50000", "50,000", "50_000", "50 000")}) == 1
    repeated = run("calibrate", "real-sum", "-n", "2", "--eps", "1", "--delta", "1", "--view", "untagged", "--r", "1", "--r", "1,024")
    assert "r = 1 1024" in repeated.out
    assert "-n 50,00: must be an integer" in run(*asked, "50,00").err


def test_a_lower_bound_says_so(run: Run) -> None:
    ended = run(*GOOD, "--method", "binary-rr-pair")
    assert ended.out.startswith("epsilon >= 0.")
    assert "lower" in ended.out


OPTIMAL = ("bound", "delta", "--method", "optimal-pair", "-n", "3", "--beta", "1/2", "--q", "4", "--eps", "ln 2")


def test_the_optimal_pair_is_asked_by_its_three_parameters(run: Run) -> None:
    ended = run(*OPTIMAL, "--p", "4")
    assert ended.out.startswith("delta <= 361/1728")
    assert "BEYOND Theorem F3" in ended.out
    assert "R_0, R_1 <= q R_k at every step" in ended.out
    assert run(*OPTIMAL, "--p", "infinity", "--engine", "ball").code == 0


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (OPTIMAL, "--p: must be given"),
        ((*OPTIMAL, "--p", "1/2"), "--p 1/2: must be"),
        ((*OPTIMAL, "--p", "4", "--eps0", "1"), "--eps0 1: must be left out"),
        ((*OPTIMAL[:-4], "--q", "infinity", "--eps", "0", "--p", "4"), "--q infinity: must be"),
        ((*GOOD, "--beta", "1/2"), "--beta 1/2: must be left out"),
        (
            ("bound", "delta", "--method", "bit-sum", "-n", "3", "--lambda", "9", "--eps", "1"),
            "--lambda 9: must be a number from 0 to n = 3",
        ),
        (("compar",), "'compare'"),
    ],
)
def test_a_wrong_verb_or_parameter_is_named_with_what_was_meant(run: Run, arguments: tuple[str, ...], named: str) -> None:
    ended = run(*arguments)
    assert ended.code == 2
    assert named in ended.err


@pytest.mark.parametrize(
    ("arguments", "quantity", "given"),
    [
        (GOOD, "epsilon", {"n": "1000", "eps0": "ln 3", "delta": "1e-6"}),
        (("bound", "delta", "-n", "1e3", "--eps0", "0.10", "--eps", "1/20"), "delta", {"n": "1e3", "eps0": "0.10", "eps": "1/20"}),
    ],
)
def test_a_bound_as_json_has_what_was_promised_and_keeps_numbers_as_given(
    run: Run, arguments: tuple[str, ...], quantity: str, given: dict[str, str]
) -> None:
    ended = run(*arguments, "--format", "json")
    record = json.loads(ended.out)
    promised = {"quantity", "method", "engine", "side", "lower", "upper", "value_of", "claim", "statement", "relation", "seconds"}
    assert promised <= set(record)
    assert record["quantity"] == quantity
    assert {key: record[key] for key in given} == given
    assert isinstance(record["upper"], str)
    assert float(record["lower"]) <= float(record["upper"])


@pytest.mark.parametrize(
    "changed",
    [
        {"-n": "0"},
        {"-n": "-3"},
        {"-n": "1.5"},
        {"-n": "1e400"},
        {"-n": "9" * 6000},
        {"--eps0": "-1"},
        {"--eps0": "nan"},
        {"--eps0": "ln 0"},
        {"--delta": "1.0000001"},
        {"--delta": "-1e-9"},
        {"--delta": "half"},
        {"--method": "magic"},
        {"--engine": "quantum"},
        {"--digits": "0"},
        {"--format": "yaml"},
        {"--method": "clones-closed-form", "--eps0": "5"},
        {"--engine": "exact", "--eps0": "1", "-n": "100"},
    ],
)
def test_a_bad_value_is_one_line_on_stderr_and_exit_code_2(run: Run, changed: dict[str, str]) -> None:
    options = {"-n": "1000", "--eps0": "1", "--delta": "1e-6", **changed}
    ended = run("bound", "epsilon", *(word for option in options.items() for word in option))
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.startswith("shuffleproof: ")
    assert ended.err.count("\n") == 1


def test_more_than_a_resource_limit_allows_is_exit_code_3(run: Run) -> None:
    ended = run("bound", "epsilon", "-n", "100000", "--eps0", "ln 3", "--delta", "1e-6", "--engine", "exact")
    assert ended.code == 3
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UndecidedError(quantity="epsilon", enclosure=("0", "1"), precision=64), 3),
        (HarnessStartError(implementation="x", reason="no"), 4),
        (IntegrityError(path="x", reason="cut"), 2),
        (OutputError("x", "full"), 74),
        (MemoryError(), 3),
        (ShuffleproofError("unknown kind"), 70),
        (ZeroDivisionError("division\nby zero"), 70),
        (KeyboardInterrupt(), 130),
    ],
)
def test_every_error_has_its_exit_code_and_one_line(run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(command_line_bound, "answer", fail)
    ended = run(*GOOD)
    assert ended.code == code
    assert ended.out == ""
    assert ended.err.count("\n") == 1
    assert "Traceback" not in ended.err


@pytest.mark.parametrize("arguments", [("-v", *GOOD), (*GOOD, "-v")])
def test_verbose_shows_the_traceback_before_and_after_the_verb(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    def fail(**_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(command_line_bound, "answer", fail)
    assert "Traceback" in run(*arguments).err


def test_compare_shows_every_method_with_its_side_in_words(run: Run) -> None:
    ended = run("compare", "-n", "1000000", "--eps0", "1", "--delta", "1e-6")
    assert ended.code == 0
    table, concluded, guarantees, _ = ended.out.split("\n\n")
    rows = [tuple(re.split(r"\s{2,}", line)[1:3]) for line in table.splitlines()[2:]]
    values = dict(rows)
    assert values["clones"] == "at most 0.0043345199"
    assert values["clones-closed-form"].startswith("at most 0.0234")
    assert values["binary-rr-pair"].startswith("at least 0.00284")
    assert values["k-rr-pair, k = 3"].startswith("at least 0.00307")
    uppers, lowers = ([float(value[8:]) for _, value in rows if value.startswith(side)] for side in ("at most ", "at least"))
    assert [float(value[8:]) for _, value in rows] == sorted(uppers) + sorted(lowers, reverse=True)
    assert "is at least 0.00307" in concluded.splitlines()[-1]
    numbered = [int(number) for line in guarantees.splitlines() for number in re.findall(r"\d+", line.partition("]")[0])]
    assert sorted(numbered) == [*range(1, len(rows) + 1)]


def test_compare_shows_why_a_method_does_not_apply(run: Run) -> None:
    ended = run("compare", "-n", "100", "--eps0", "4", "--delta", "1e-6")
    assert ended.code == 0
    assert re.search(r"clones-closed-form +not applicable", ended.out)
    assert "] not applicable: FMT21.Thm3.1 needs eps0 <= " in ended.out
    rows = {row["method"]: row for row in json.loads(run("compare", "-n", "100", "--eps0", "4", "--eps", "1", "--format", "json").out)}
    assert "not_applicable" in rows["clones-closed-form"]
    assert rows["clones"]["claim"].startswith("upper")
    scopes = [scope for row in rows.values() for scope in row.get("tightest_for", ())]
    assert scopes.count("every adaptive sequence of eps0-DP randomizers") in (1, 2)


def test_compare_refuses_a_bad_parameter_instead_of_calling_every_method_inapplicable(run: Run) -> None:
    assert run("compare", "-n", "0", "--eps0", "4", "--delta", "1e-6").code == 2
    ended = run("compare", "-n", "9", "--delta", "1e-6")
    assert (ended.code, ended.err) == (2, "shuffleproof: --eps0: must be given, or sigma for Gaussian noise on numbers in [0, 1]\n")


def test_the_methods_are_listed_with_what_they_need(run: Run) -> None:
    text = run("bound", "list").out
    rows = json.loads(run("bound", "list", "--format", "json").out)
    assert all(any(line.startswith(f"{row['method']} ") for line in text.splitlines()) for row in rows)
    two = [row["method"] for row in rows[:2]]
    assert json.loads(run("bound", "list", *two, "--format", "json").out) == rows[:2]
    told = run("bound", "list", *(row["method"] for row in rows)).out
    assert all(row["needs"] in told for row in rows)
    assert "did you mean 'clones'?" in run("bound", "list", "clone").err


def test_a_closed_pipe_ends_quietly() -> None:
    program = "from shuffleproof.command_line.program import main; main(['bound', 'list'])"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_the_zero_sum_protocol_is_asked_about_with_p(run: Run) -> None:
    ended = run("bound", "epsilon", "--method", "zero-sum", "-n", "100000", "--p", "0.99", "--delta", "1e-6")
    assert ended.code == 0
    assert "zero-sum, BC20 Theorem 3.1; replace-one; n = 100000, p = 0.99, delta = 1e-6" in ended.out
    for wrong in (("--method", "zero-sum", "--eps0", "1"), ("--method", "clones", "--p", "0.5"), ("--method", "zero-sum")):
        assert run("bound", "epsilon", "-n", "1000", "--delta", "1e-6", *wrong).code == 2
    assert run("bound", "epsilon", "--method", "zero-sum", "-n", "10", "--p", "0.5", "--delta", "1e-6").code != 0
    compared = json.loads(run("compare", "-n", "100", "--eps0", "1", "--eps", "1", "--format", "json").out)
    assert "zero-sum" not in {row["method"] for row in compared}


def test_naming_a_verb_loads_no_other() -> None:
    program = "import sys; from shuffleproof.command_line.verbs import shuffleproof; shuffleproof.commands['ledger']; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert {f"shuffleproof.command_line.{name}" for name in VERBS} & {*loaded} == {"shuffleproof.command_line.ledger"}


WHERE_NO_EXTRA_IS_INSTALLED = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("hypothesis", "sympy", "matplotlib", "pyarrow", "dask", "sklearn", "opendp"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from shuffleproof.command_line.program import main
main(sys.argv[1:])
"""


def test_a_bound_with_its_status_needs_none_of_the_extras() -> None:
    done = subprocess.run([sys.executable, "-c", WHERE_NO_EXTRA_IS_INSTALLED, *GOOD, "--method", "clones"], capture_output=True, text=True)
    assert re.search(r"rests on FMT21\.Thm3\.2,.*: (formal|proved|argued)$", done.stdout.rstrip()), done.stderr
