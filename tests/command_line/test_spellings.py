"""One name for one thing: what an option or a value is called by one command is understood by all of them, and so are older names."""

import sys
from pathlib import Path

import click
import pytest
from commands import ended, output_of

from shuffleproof.command_line import program
from shuffleproof.command_line.options import Verb, spellings

sys.path.insert(0, str(Path(__file__).parent))
import every_verb

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
        ("run user-histogram --data x --user u --item i --relation replace --eps 1", "--users: must be given"),
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
    "audit law law.csv -n 100",
    "audit law law.csv --delta 1e-6",
    "bound delta --users laws.json --eps 1 -n 3",
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
    with pytest.raises(SystemExit) as end:
        program.main(line.split())
    out, err = capsys.readouterr()
    assert (end.value.code, out, err.count("\n")) == (2, "", 1), err
    assert any(
        word in err for word in ("left out", "leave it out", "goes with", "go with", "must be used with", "go together", "says who")
    ), err
