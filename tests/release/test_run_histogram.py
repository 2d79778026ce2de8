"""`run histogram`: what is released, what is refused, and that a bin estimated 0 leaves no trace of having been touched."""

import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from commands import Run, ended
from scripted_generator import Enumerated, distribution_of

from shuffleproof.data import standard_library
from shuffleproof.impl.release import histogram as released
from shuffleproof.run import histogram_release as command
from shuffleproof.spec.bounds.noise import histogram as two_bins
from shuffleproof.spec.distribution import Distribution, PrivacyProfile
from shuffleproof.spec.protocols import zero_sum
from shuffleproof.spec.vocabulary.errors import DomainError, UnsupportedError


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    return partial(ended, capfd, "run", "histogram")


@pytest.fixture
def data(tmp_path: Path) -> Callable[..., str]:
    def written(*items: str, name: str = "data.csv", header: str = "item") -> str:
        (tmp_path / name).write_text("\n".join([header, *items]) + "\n")
        return str(tmp_path / name)

    return written


EVERYTHING = Distribution[tuple[Any, ...]]


def everything_written(run: Run, path: str, output: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> EVERYTHING:
    """The exact distribution of all that a run writes anywhere: exit code, both streams, the file, and what else is in its folder."""

    def once(tape: Any) -> tuple[Any, ...]:
        monkeypatch.setattr(released, "BinomialSampler", lambda *, n, p, source: Enumerated(tape, n, p))
        output.unlink(missing_ok=True)
        ended = run("--data", path, "--open", "--eps", "ln 2", "--delta", "0.99", "--noise", "3/2", "-o", str(output), *options)
        assert ended.code == 0, ended.err
        return (*ended, output.read_bytes(), tuple(sorted(entry.name for entry in output.parent.iterdir())))

    return Distribution({outcome: weight for outcome, weight in distribution_of(once).items() if isinstance(outcome, tuple)})


def two_datasets(run: Run, data: Callable[..., str], tmp_path: Path, patch: pytest.MonkeyPatch, *options: str) -> tuple[EVERYTHING, ...]:
    """What is written where x is present once, and where it is absent: three users, p = 1/2."""
    folder = tmp_path / "out"
    folder.mkdir()
    return tuple(
        everything_written(run, data(*items), folder / "estimates.csv", patch, *options) for items in (("a", "x", "a"), ("a", "a", "a"))
    )


@pytest.mark.parametrize("options", [(), ("--format", "json")])
def test_an_item_present_once_leaves_no_more_trace_than_its_profile_allows(
    run: Run, data: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    """BC20, Theorem 3.2, on the bytes that are written: the exact delta of all of them is at most that of the messages."""
    present, absent = two_datasets(run, data, tmp_path, monkeypatch, *options)
    allowed = two_bins.delta(n=3, p="1/2", epsilon="ln 2").upper
    assert 0 < PrivacyProfile(present, absent).delta(exp_epsilon=Fraction(2)) <= allowed
    assert PrivacyProfile(present, absent).delta(exp_epsilon=Fraction(1)) < 1


@pytest.mark.parametrize("options", [(), ("--format", "json")])
def test_a_bin_estimated_zero_is_as_if_it_had_never_been_touched(
    run: Run, data: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    present, absent = two_datasets(run, data, tmp_path, monkeypatch, *options)
    untouched = {outcome for outcome in present.support if b"x," not in outcome[3]}
    assert sum(present[outcome] for outcome in untouched) == zero_sum.estimate_distribution(n=3, p=Fraction(1, 2), ones=1)[Fraction(0)]
    reached = zero_sum.estimate_distribution(n=3, p=Fraction(1, 2), ones=2)
    assert len(untouched) == len(reached.support)  # one for each estimate of a, and no more
    assert untouched <= set(absent.support)  # and each of them is what is written where x is nowhere


def test_the_test_on_bytes_kills_a_run_that_tells(
    run: Run, data: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mutant: bins estimated 0 are written."""
    monkeypatch.setattr(command, "not_zero", lambda rows: rows)
    present, absent = two_datasets(run, data, tmp_path, monkeypatch)
    assert PrivacyProfile(present, absent).delta(exp_epsilon=Fraction(2)) == 1


def test_the_test_on_bytes_kills_a_confidence_that_knows_the_bins(
    run: Run, data: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mutant: the simultaneous error is stated for as many bins as were touched."""
    counted, confidence, touched = command.counted, command.confidence_for, [0]

    def counting(*given: Any) -> Any:
        counts, n, protects = counted(*given)
        touched[0] = len(counts)
        return counts, n, protects

    monkeypatch.setattr(command, "counted", counting)
    monkeypatch.setattr(command, "confidence_for", lambda n, noise, beta, *, bins: confidence(n, noise, Fraction(touched[0], 4), bins=bins))
    present, absent = two_datasets(run, data, tmp_path, monkeypatch)
    assert PrivacyProfile(present, absent).delta(exp_epsilon=Fraction(2)) == 1


def test_rows_come_in_the_order_of_the_items_not_of_the_data(run: Run, data: Callable[..., str]) -> None:
    found = []
    for order in (["b"] * 900 + ["a"] * 1100, ["a"] * 1100 + ["b"] * 900):
        ended = run("--data", data(*order), "--open", "--eps", "1", "--delta", "1e-3", "--noise", "100", "--format", "json")
        found.append([row["item"] for row in json.loads(ended.out)["estimates"]])
    assert found == [["a", "b"], ["a", "b"]]


def test_a_listed_domain_is_answered_in_full_and_within_the_stated_error(run: Run, data: Callable[..., str]) -> None:
    held = {"red": 3000, "green": 1500, "blue": 500, "black": 0, 'odd, "name"': 0}
    domain = data(*["red", "green", "blue", "black", '"odd, ""name"""'], name="domain.csv")
    path = data(*[item for item, times in held.items() for _ in range(times)])
    ended = run("--data", path, "--domain", domain, "--eps", "1", "--delta", "1e-6", "--beta", "1e-9", "--format", "json")
    assert ended.code == 0, ended.err
    answer = json.loads(ended.out)
    assert answer["n"] == 5000
    assert answer["expected_noise"] == "43"  # 42.838 is enough, rounded up
    assert [row["item"] for row in answer["estimates"]] == list(held)
    for row, times in zip(answer["estimates"], held.values(), strict=True):
        assert abs(Fraction(row["estimate"]) - times) <= int(answer["confidence"]["error_of_all_items_at_once"])
    assert Fraction(answer["guarantee"]["delta"]) <= Fraction("1e-6")
    assert answer["guarantee"]["relation"] == "replace-one"


def test_the_stated_error_holds_exactly_and_not_with_one_less() -> None:
    """The failure probability of every count, by enumeration, against what is certified for all of them."""
    for n, noise in ((12, Fraction(3)), (20, Fraction(9, 2)), (30, Fraction(1))):
        p = 1 - noise / n
        for beta in (Fraction(1, 4), Fraction(1, 20), Fraction(1, 1000)):
            stated = command.confidence_for(n, noise, beta, bins=None)

            def fails(count: int, error: int, n: int = n, p: Fraction = p) -> Fraction:
                law = zero_sum.estimate_distribution(n=n, p=p, ones=count)
                return sum((weight for estimate, weight in law.items() if abs(n * estimate - count) > error), Fraction(0))

            assert max(fails(count, stated.each) for count in range(n + 1)) <= beta
            assert stated.each == 0 or max(fails(count, stated.each - 1) for count in range(n + 1)) > beta
            for counts in ((n,), (n // 2, n - n // 2), (n // 3, n // 3, n - 2 * (n // 3)), (1,) * n):
                none = Fraction(1)
                for count in counts:
                    none *= 1 - fails(count, stated.all_at_once)
                assert 1 - none <= beta


REFUSED = [
    (("--noise", "10"), "--noise 10: must be enough for delta = 1e-6 at eps = 1"),
    (("--noise", "0"), "--noise 0: must be above 0"),
    (("--noise", "400"), "--noise 400: must be below n = 400"),
    (("--delta", "0"), "--delta 0: must be above 0"),
    (("--delta", "2"), "--delta 2"),
    (("--eps", "-1"), "--eps -1"),
    (("--beta", "0"), "--beta 0"),
    (("--eps", "1/100"), "BC20.Thm3.2 needs a noise that meets the target, got none: the target fails at n/2"),
    (("--column", "other"), "--column other"),
    (("--data", "absent.csv"), "absent.csv"),
    (("-o", "absent/out.csv"), "-o absent/out.csv"),
]


@pytest.mark.parametrize(("options", "says"), REFUSED)
def test_what_is_not_covered_is_refused_before_any_output(
    run: Run, data: Callable[..., str], tmp_path: Path, options: tuple[str, ...], says: str
) -> None:
    given = {"--data": data(*["a"] * 400), "--eps": "1", "--delta": "1e-6", "-o": str(tmp_path / "out.csv")}
    given.update(zip(options[::2], options[1::2], strict=True))
    ended = run("--open", *[text for pair in given.items() for text in pair])
    assert (ended.code, ended.out) == (2, "")
    assert says in ended.err
    assert not (tmp_path / "out.csv").exists()


def test_bad_data_are_refused_before_any_output(run: Run, data: Callable[..., str]) -> None:
    rest = ("--eps", "1", "--delta", "1e-6", "--noise", "300")
    domain = data("a", "b", name="domain.csv")
    for path, says in ((data(name="empty.csv"), "at least one row"), (data("a", name="other.csv", header="other"), "column")):
        ended = run("--data", path, "--domain", domain, *rest)
        assert (ended.code, ended.out) == (2, "")
        assert says in ended.err
    twice = data("a", "b", "a", name="twice.csv")
    assert "without repeats" in run("--data", data("a"), "--domain", twice, *rest).err
    for wrong in ((), ("--open", "--domain", domain)):
        ended = run("--data", data("a"), *wrong, *rest)
        assert ended.code == 2
        assert "--domain" in ended.err


def test_items_that_are_none_are_held_in_no_bin_and_their_users_count(run: Run, data: Callable[..., str]) -> None:
    """A refusal would reveal something to everybody about one user."""
    rest = ("--domain", data("a", "b", name="domain.csv"), "--eps", "1", "--delta", "1e-3", "--noise", "100", "--format", "json")
    for other in ("outside", '""', "\x1b[31m", '"stray" mark'):
        ended = run("--data", data(*["a"] * 500, other), *rest)
        assert (ended.code, ended.err) == (0, "")
        found = json.loads(ended.out)
        assert found["n"] == 501
        assert [row["item"] for row in found["estimates"]] == ["a", "b"]


def test_of_a_user_with_two_rows_the_first_counts(run: Run, data: Callable[..., str]) -> None:
    rest = ("--open", "--eps", "1", "--delta", "1e-3", "--noise", "100", "--user", "user")
    path = data(*[f"a,{i}" for i in range(500)], header="item,user")
    assert "a user with one item" in run("--data", path, *rest).out
    ended = run("--data", data(*[f"{'ab'[i // 500]},{i % 500}" for i in range(1000)], header="item,user"), *rest, "--format", "json")
    assert (ended.code, json.loads(ended.out)["n"]) == (0, 500)
    assert "b" not in [row["item"] for row in json.loads(ended.out)["estimates"]]


def test_the_standard_library_says_what_is_protected(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standard_library, "identifiers", lambda: ["self"] * 1500 + ["rare"] * 10 + ["other"] * 500)
    ended = run("--data", "stdlib-identifiers", "--open", "--eps", "1", "--delta", "1e-3", "--noise", "100")
    assert "protects one occurrence of an identifier, not a module" in ended.out
    assert "self,1" in ended.out
    assert "rare" not in ended.out
    refused = run("--data", "stdlib-identifiers", "--open", "--eps", "1", "--delta", "1e-3", "--user", "module")
    assert (refused.code, refused.out) == (2, "")


def test_identifiers_are_the_names_in_the_order_of_the_modules(tmp_path: Path) -> None:
    (tmp_path / "b.py").write_text("import os\nx = os.path  # comment with words\n")
    (tmp_path / "a.py").write_text('def f(self):\n    return "text", self\n')
    (tmp_path / "broken.py").write_text("def (\n  '''")
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "c.py").write_text("left_out = 1\n")
    assert list(standard_library.occurrences(tmp_path)) == ["f", "self", "self", "os", "x", "os", "path"]
    once = standard_library.identifiers(sample=4, seed=1, top=tmp_path)
    assert once == standard_library.identifiers(sample=4, seed=1, top=tmp_path)
    assert len(once) == 4
    with pytest.raises(DomainError):
        standard_library.identifiers(sample=8, top=tmp_path)
    with pytest.raises(UnsupportedError):
        standard_library.identifiers(top=tmp_path / "nothing")
