"""What is printed of the objects that people get, numbers of dishonest users among it; and a user's file under mypy --strict."""

import importlib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import shuffleproof
import shuffleproof as sp
from shuffleproof.report.texts import broken, say
from shuffleproof.spec.vocabulary.errors import DomainError, MissingExtraError


def test_a_comparison_is_a_table_with_the_tightest_first() -> None:
    found = sp.compare(n=50, epsilon0=1, delta="1e-3")
    uppers = [row.bound.upper for row in found.tightest_first() if row.bound is not None and row.bound.claim_side == "upper"]
    lowers = [row.bound.lower for row in found.tightest_first() if row.bound is not None and row.bound.claim_side == "lower"]
    assert uppers == sorted(uppers)
    assert lowers == sorted(lowers, reverse=True)
    assert str(found).splitlines()[2].split()[:2] == ["[1]", found.tightest_first()[0].name]
    told = [line[1:].partition("]")[0].split(", ") for line in found.guarantees().splitlines()]
    assert sorted(int(number) for numbers in told for number in numbers) == list(range(1, len(found) + 1))
    assert len(told) < len(found)  # rows of one claim share its line
    assert all(f"{bracket.ends} ({bracket.source})" in str(found) for bracket in found.brackets)
    assert all(bracket.upper.statement in found.chains() for bracket in found.brackets)


@pytest.mark.parametrize("asked", [float, lambda it: it < 1, lambda it: it >= 1], ids=["float", "below", "above"])
def test_a_bracket_is_no_number_and_says_what_is(asked: Callable[[object], object]) -> None:
    with pytest.raises(TypeError, match=r"\.guarantee"):
        asked(sp.shuffled(sp.KRR(k=3, epsilon0=1), n=50).epsilon(delta="1e-3"))


def test_a_release_prints_itself_and_says_nothing_of_who_is_in_the_data(tmp_path: Path) -> None:
    data, asked = tmp_path / "d.csv", {"epsilon": 1, "delta": "1e-6"}
    data.write_text("bit\n" + "0\n1\n1\n1\n" * 100, "utf-8")
    found = sp.run.bit_sum(data=str(data), column="bit", noise=90, **asked)
    assert "-DP, certified, when one row is replaced" in str(found)
    bins = sp.run.histogram(data=str(data), column="bit", domain=None, noise=190, **asked)
    assert repr(bins) == f"<Histogram of {data}, n = 400>"  # not how many items somebody holds
    assert str(bins).splitlines()[0].endswith("over all texts; an item without a row is estimated 0")


def test_a_profile_by_tables_is_drawn_on_a_logarithmic_axis() -> None:
    from matplotlib.figure import Figure

    found = sp.privacy_profile(n=1000, epsilon0=1, epsilons=["0.05", "0.1", "0.15"])
    assert (repr(found), found.columns()["epsilon"]) == ("<Answers of delta at 3 values of epsilon>", [0.05, 0.1, 0.15])
    for drawn in (found, sp.shuffled(sp.KRR(k=3, epsilon0=1), n=50).profile(epsilons=["0.1", "0.5", "0.9"])):
        axes = drawn.plot(Figure().add_subplot())
        assert (axes.get_yscale(), axes.get_xscale()) == ("log", "linear")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (lambda: sp.KRR(50, 4), r"KRR\(epsilon0=\.\.\., k=\.\.\.\)"),
        (lambda: sp.shuffled(sp.KRR(k=3, epsilon0=1), n=5).epsilon("1e-6"), r"epsilon\(delta=\.\.\.\)"),
        (lambda: sp.calibrate.zero_sum(100), r"zero_sum\(n=\.\.\., epsilon=\.\.\., delta=\.\.\.\)"),
    ],
)
def test_numbers_without_their_names_are_refused_with_the_names(asked: Callable[[], object], told: str) -> None:
    with pytest.raises(TypeError, match=told):
        asked()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("short", "short"),
        ("  upper: one two", "  upper:\n    one\n    two"),
        ("[1, 2] one two", "[1, 2] one\n       two"),
        ("unbreakable-words one\n", "unbreakable-words\n  one\n"),
        ("a  1  2\n\nb", "a  1  2\n\nb"),
        ("    $ one two three", "    $ one two three"),
    ],
)
def test_a_terminal_gets_lines_that_are_broken_between_words(text: str, told: str) -> None:
    assert broken(text, columns=10) == told


def test_only_whole_lines_on_a_terminal_are_broken_and_only_a_file_gets_control_characters(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    say("\x1b one two three")
    assert capsys.readouterr().out == "\x1b one two three\n"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("shutil.get_terminal_size", lambda *_: os.terminal_size((10, 20)))
    for how, out, err in (({}, "one two\n  three\n", ""), ({"nl": False}, "one two three", ""), ({"err": True}, "", "one two three\n")):
        say("one two three", **how)
        assert capsys.readouterr() == (out, err)
    say("\x1b one", nl=False)
    say("\x1b one", err=True)
    assert "\x1b" not in "".join(capsys.readouterr())


def test_numbers_in_floats_are_divided_by_their_sums() -> None:
    rows = [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]
    with pytest.raises(sp.DomainError, match="normalize=True"):
        sp.FromDistribution(rows)
    assert repr(sp.FromDistribution(rows, normalize=True)) == "<FromDistribution of 2 inputs and 3 outcomes>"


@pytest.mark.parametrize(
    ("package", "module", "extra"),
    [
        ("dp_accounting", "accounting.dp_accounting", "accounting"),
        ("opendp", "measurement", "opendp"),
        ("autodp", "renyi_accounting", "autodp"),
    ],
)
def test_a_package_that_is_missing_is_one_typed_error(monkeypatch: pytest.MonkeyPatch, package: str, module: str, extra: str) -> None:
    for name in [each for each in sys.modules if each.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"shuffleproof.{module}", raising=False)
    with pytest.raises(MissingExtraError, match=rf"shuffleproof\[{extra}\]"):
        importlib.import_module(f"shuffleproof.{module}")


def test_claims_of_rounds_and_of_thousands_are_read(tmp_path: Path) -> None:
    path = tmp_path / "claims.csv"
    path.write_text('n,eps0,delta,epsilon,rounds\n"1,000",1,1e-3,0.9,3\n1000,1,1e-3,0.01,1\n', "utf-8")
    many, one = sp.audit.claims(path)
    path.write_text('n,eps0,delta,epsilon\n1000,1,1e-3,"0,900"\n', "utf-8")
    with pytest.raises(sp.DomainError, match="epsilon = 0,900"):  # read as 900 it would hold
        sp.audit.claims(path)
    assert (many.given["n"], many.given["rounds"], str(many.standing), str(one.standing)) == ("1000", "3", "sound", "impossible")
    assert (one.bracket.upper.method, one.given["rounds"]) == ("first-arrival", "1")  # no composition
    assert many.bracket.upper.upper == sp.shuffled(sp.AnyRandomizer(epsilon0=1), n=1000).rounds(3).epsilon(delta="1e-3").upper.upper


@pytest.mark.parametrize("method", ["zero-sum", "histogram"])
def test_the_honest_keep_the_privacy_of_fewer_users(method: str) -> None:
    for n, silent in ((20, 8), (3000, 1000)):
        found = shuffleproof.delta(n=n, p="1/2", epsilon="ln 5/4", dishonest=silent, method=method)
        alone = shuffleproof.delta(n=n - silent, p="1/2", epsilon="ln 5/4", method=method)
        assert (found.lower, found.upper) == pytest.approx((alone.lower, alone.upper), rel=1e-14)
        assert found.inputs["dishonest"] == str(silent)
        assert f"of whom {silent} or fewer send no noise" in found.claim
        assert "dishonest" not in alone.inputs


@pytest.mark.parametrize(
    ("method", "given"),
    [
        ("clones", {"epsilon0": 1, "dishonest": 1}),
        ("zero-sum", {"p": "1/2", "dishonest": 10}),
        ("histogram", {"p": "1/2", "dishonest": "1/2"}),
    ],
)
def test_a_number_that_means_nothing_is_refused(method: str, given: dict[str, object]) -> None:
    with pytest.raises(DomainError, match="dishonest"):
        shuffleproof.delta(n=10, epsilon="ln 2", method=method, **given)  # type: ignore[arg-type]


TOP = Path(__file__).resolve().parents[2]
USERS_FILE = Path(__file__).with_name("users_file_for_types.py")


@pytest.mark.deep
def test_a_users_file_is_checked_strictly(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    package = tmp_path / "tree" / "shuffleproof"
    package.mkdir(parents=True)
    for part in (*(TOP / "shuffleproof").iterdir(), *(TOP / layer for layer in ("spec", "impl", "proofs_check"))):
        if part.name != "__pycache__":
            (package / part.name).symlink_to(part)
    imports = ["--ignore-missing-imports", "--follow-imports", "silent"]
    settings = ["--strict", *imports, "--config-file", "", "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *settings, "--no-error-summary", str(USERS_FILE)],
        env={**os.environ, "MYPYPATH": str(tmp_path / "tree")},
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    reported = {int(line) for line in re.findall(rf"{re.escape(USERS_FILE.name)}:(\d+): error", done.stdout)}
    wrong = {number for number, line in enumerate(USERS_FILE.read_text("utf-8").splitlines(), start=1) if line.endswith("# wrong")}
    assert reported == wrong, done.stdout + done.stderr
