"""How numbers and options may be spelled, what JSON answers hold, and which files an answer loads."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import every_verb
import pytest
from commands import ended, output_of

from shuffleproof.command_line.options import Verb, spellings

VERBS = dict(every_verb.leaves())
ONE_THING = (
    ("-n", "--n"),
    ("-k", "--k"),
    ("-d", "--d"),
    ("--r", "-r"),
    ("--p", "-p"),
    ("-o", "--output"),
    ("--eps", "--epsilon"),
    ("--eps0", "--epsilon0"),
    ("--jobs", "--workers"),
)
RENAMED = {
    "bound epsilon": [("--lambda", "--noise", "--lam")],
    "bound delta": [("--lambda", "--noise", "--lam")],
    "run bit-sum": [("--lambda", "--noise")],
    "run real-sum": [("--lambda", "--noise")],
    "advise": [("-d", "--d", "--domain-size"), ("--max-messages", "--most-messages")],
    "calibrate user-histogram": [("--domain-size", "-d", "--d")],
    "run user-histogram": [("--domain-size", "-d", "--d")],
    "run histogram": [("--open", "--open-universe")],
    "conform run": [("-i", "--connect"), ("--report", "--reports")],
}


@pytest.mark.parametrize("verb", VERBS)
def test_every_spelling_of_an_option_is_understood_as_that_option(verb: str) -> None:
    command = VERBS[verb]
    assert isinstance(command, Verb)
    context = click.Context(command)
    parameters = command.get_params(context)
    parser = command.make_parser(context)
    options = [each for each in parameters if isinstance(each, click.Option)]
    own = {spelling: each for each in options for spelling in each.opts}
    for group in (*ONE_THING, *RENAMED.get(verb, ())):
        meant = {own[spelling].name for spelling in group if spelling in own}
        assert verb not in RENAMED or group in ONE_THING or len(meant) == 1, group
        if len(meant) == 1:
            known = parser._long_opt | parser._short_opt
            assert {known[spelling].dest for spelling in group} == meant, group
    every = [spelling for each in options for spelling in spellings(each, parameters)]
    assert len(every) == len(set(every))


@pytest.mark.parametrize(
    ("given", "also"),
    [
        (
            "bound epsilon --method k-rr-clones -n 50 --k 3 --eps0 1 --delta 1e-2",
            "bound epsilon --method krr_clones --n 50 -k3 --epsilon0 1 --delta 1e-2",
        ),
        ("bound epsilon --method bit-sum -n 50 --lambda 30 --delta 1e-2", "bound epsilon --method bit_sum -n 50 --noise=30 --delta 1e-2"),
        (
            "calibrate frequency --randomizer krr -n 100 -k 3 --eps 1 --delta 1e-2",
            "calibrate frequency --randomizer k-rr -n 100 --k 3 --epsilon 1 --delta 1e-2",
        ),
        (
            "calibrate user-histogram --threshold 1 --domain-size 3 --relation replace --eps 1",
            "calibrate user-histogram --threshold 1 -d 3 --relation replace-one --epsilon 1",
        ),
        (
            "compose --method stronger-clones -n 50 --eps0 1 --rounds 2 --delta 1e-2",
            "compose --method Stronger_Clones --n 50 --epsilon0 1 --rounds 2 --delta 1e-2",
        ),
    ],
)
def test_old_and_new_spellings_have_one_answer(given: str, also: str, capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    for line in (given, also):
        answers.append([word for word in output_of(capsys, *line.split()).split() if "." in word and not word.startswith("0.00")][:1])
    assert answers[0] == answers[1] != []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("bound epsilon -n 10 --epsilon0 -1 --delta 0.1", "--epsilon0 -1: must be at least 0"),
        ("bound epsilon --n 0 --eps0 1 --delta 0.1", "--n 0: must be"),
        ("calibrate bit-sum -n 10 --epsilon=-1 --delta 0.1", "--epsilon -1: must be"),
        ("calibrate user-histogram --threshold 1 -d x --relation replace --eps 1", "-d x: must be"),
        ("bound epsilon --method krr-blankets -n 9 --eps0 1 --delta 0.1", "(did you mean 'k-rr-blanket'?)"),
        ("bound epsilon --method bit-sum -n 9 --delta 0.1", "--lambda: must be given"),
        ("run user-histogram --data x --user u --item i --domain-size 3 --relation replace --eps 1", "--users: must be given"),
    ],
)
def test_an_error_speaks_the_spelling_that_was_typed(line: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = ended(capsys, *line.split())
    assert (code, told in err) == (2, True)


IDLE = (
    "verify --show report --depth full",
    "ledger check --formal FMT21.Lem2.3",
    "ledger check --formal --paper FMT21",
    "ledger check --formal --depth full",
    "conform third-party --seed 3",
    "conform third-party --report x.json",
    "conform list --deadline 3",
    "conform run -i py:x:y --skip-must-fail",
    "conform run -i py:x:y --suite smoke --cases cases.csv",
    "figure list -o list.csv",
    "run histogram --data stdlib-identifiers --open --column name --eps 1 --delta 1e-6",
    "run histogram --data stdlib-identifiers --open --user name --eps 1 --delta 1e-6",
    *(
        f"run user-histogram --data x --user u --item i -d 3 --relation add-remove --eps 1 --threshold 1 {idle}"
        for idle in ("--threshold-share 1/10", "--max-threshold 3", "--sparsity 3", "--regularisation 3", "--users 9")
    ),
    "run user-histogram --data x --user u --item i -d 3 --relation add-remove --eps 1 --max-threshold 3 --users 9 --regularisation 3",
    "run user-histogram --data x --user u --item i -d 3 --relation add-remove --eps 1 --max-threshold 3 --users 9 --sparsity 3",
    "run user-histogram --data x --user u --item i -d 3 --domain f --relation add-remove --eps 1 --threshold 1",
    "audit formula eps0 --points 0 --seed 4",
    "audit formula --shipped google --where eps0<1",
    "audit distribution distribution.csv -n 100",
    "audit distribution distribution.csv --delta 1e-6",
    "bound delta --users distributions.json --eps 1 -n 3",
    "bound epsilon -n 10 --eps0 1 --delta 1e-6 --engine fast --digits 9",
    "bound epsilon --method clones -n 10 --eps0 1 --k 4 --delta 1e-6",
    "bound epsilon --randomizer laplace -n 10 --eps0 1 --k 4 --delta 1e-6",
    "sweep -n 10 --eps0 1 --delta 1e-6 --digits 9 -o x.jsonl",
    "compose -n 10 --eps0 1 --delta 1e-6 --rounds 2 --beta 1/2",
    "advise --task bit-sum -n 10 --eps 1 --delta 1e-6 -k 3",
    "advise --task frequencies -n 10 --eps 1 --delta 1e-6 -k 3 -d 4",
)


@pytest.mark.parametrize("line", IDLE)
def test_an_option_without_effect_beside_another_is_refused(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ended(capsys, *line.split())
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert any(
        word in err for word in ("left out", "leave it out", "goes with", "go with", "must be used with", "go together", "says who")
    ), err


PAGE = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "json.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## (.+)\n\n((?:.|\n)*?)(?=^## |\Z)", PAGE, re.MULTILINE))
FREE = {
    "settings",
    "certified",
    "also_meets",
    "input",
    "value",
    "vectors",
    "summary",
    "rows of a matrix",
    "flags",
    "judged_earlier",
    "not_judged",
}
"""Fields whose keys are names of parameters, cases or files."""
QUICK = {
    "bound epsilon",
    "bound list",
    "compare",
    "calibrate zero-sum",
    "run check",
    "run bit-sum",
    "ledger show",
    "audit distribution",
    "conform list",
    "conform third-party",
    "vectors lint",
}


def rows(section: str) -> Iterator[tuple[list[str], str]]:
    """The names in the first cell of each row of a table, and the rest of the row."""
    for first, rest in re.findall(r"^\| (`[^|]+) \| (.+) \|$", SECTIONS[section], re.MULTILINE):
        yield re.findall(r"`([^`]+)`", first), rest


RECORD = {verb: next(iter(re.findall(r"\[(\w+)\]", told)), None) for verbs, told in rows("Which verb prints what") for verb in verbs}
FIELDS = {section: {name for names, _ in rows(section) for name in names} for section in SECTIONS}
INNER = {
    section: {name: found[0] for names, told in rows(section) for name in names if (found := re.findall(r"\[(\w+)\]\(#", told))}
    for section in SECTIONS
}
ASKED = FIELDS["Asked"]


def unknown(value: Any, record: str, place: str = "") -> Iterator[str]:
    """Fields of a value that the record's section does not have, nor that of a record in it."""
    if isinstance(value, list):
        for each in value:
            yield from unknown(each, record, place)
    elif isinstance(value, dict):
        for name, inner in value.items():
            here = f"{place}.{name}"
            matrix_row = record == "Matrix" and place == ".rows"
            if not matrix_row and name not in FIELDS[record] | ASKED:
                yield f"{record}{here}"
            if name not in FREE:
                yield from unknown(inner, INNER[record].get(name, record), here)


def test_the_page_has_every_verb_and_every_record_that_it_names() -> None:
    takes_json = {name for name, command in every_verb.leaves() if any(option.name == "as_json" for option in command.params)}
    assert set(RECORD) == takes_json
    assert {record for record in RECORD.values() if record} | {inner for each in INNER.values() for inner in each.values()} <= set(FIELDS)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("verb", [pytest.param(verb, marks=() if verb in QUICK else pytest.mark.deep) for verb in RECORD])
def test_every_field_that_a_verb_prints_is_in_the_reference(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    printed = json.loads(output_of(capsys, *verb.split(), *every_verb.QUICK[verb], "--format", "json", code=None))
    record = RECORD[verb]
    if record is not None:
        assert list(unknown(printed, record)) == []


def test_a_field_that_is_not_in_the_reference_is_noticed() -> None:
    assert list(unknown([{"method": "clones", "colour": 1, "guarantees": {"side": "upper", "shade": 2}}], "Bound")) == [
        "Bound.colour",
        "Guaranteed.guarantees.shade",
    ]


_PROGRAM = """
import sys
from shuffleproof.command_line.program import main
try:
    main(sys.argv[1:])
finally:
    print(*(name for name in sys.modules if name.startswith("shuffleproof")), file=sys.stderr)
"""


def _loaded(*typed: str) -> set[str]:
    return {*subprocess.run([sys.executable, "-c", _PROGRAM, *typed], check=True, capture_output=True, text=True).stderr.split()}


@pytest.mark.parametrize(
    ("typed", "most"),
    [
        ("--version", 17),
        ("--help", 17),
        ("bound epsilon --method clones -n 100 --eps0 1 --delta 1e-6", 58),
        ("compare --randomizer laplace -n 1000 --eps0 1 --delta 1e-6", 99),
    ],
    ids=lambda each: str(each).partition(" -")[0],
)
def test_a_command_loads_so_many_files_at_most(typed: str, most: int) -> None:
    """A command that needs more says so here. Of named randomizers it loads the one that was named."""
    loaded = _loaded(*typed.split())
    assert len(loaded) <= most, sorted(loaded)
    assert {name for name in loaded if name.startswith("shuffleproof.spec.randomizers.")} <= {"shuffleproof.spec.randomizers.laplace"}
