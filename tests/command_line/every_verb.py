"""A quick way to ask every verb of the command line, for tests that walk all of them; the table is checked to be complete."""

from collections.abc import Iterator
from pathlib import Path

import click

from shuffleproof.command_line.verbs import shuffleproof
from shuffleproof.report import stored

HONEST = "py:shuffleproof.verification.own_harness:exact"
_TARGET = ("-n", "1000", "--eps", "1", "--delta", "1e-6")
_SUM = ("--data", "bits.csv", "--column", "x", "--eps", "1", "--delta", "1e-2", "--noise", "60")

QUICK: dict[str, tuple[str, ...]] = {
    "verify": ("--show", "verified"),
    "bound epsilon": ("-n", "1000", "--eps0", "1", "--delta", "1e-6"),
    "bound delta": ("-n", "1000", "--eps0", "1", "--eps", "0.5"),
    "bound renyi": ("-n", "1000", "--eps0", "1", "--order", "2", "--method", "clones"),
    "bound list": (),
    "compare": ("-n", "100", "--eps0", "1", "--delta", "1e-6"),
    "sweep": ("-n", "1000", "--eps0", "1", "--delta", "1e-6", "--workers", "1", "-o", "swept.jsonl"),
    "compose": ("-n", "1000", "--eps0", "1", "--delta", "1e-6", "--rounds", "2"),
    "advise": ("--task", "bit-sum", *_TARGET),
    "calibrate zero-sum": ("-n", "1000", "--eps", "1", "--delta", "1e-3"),
    "calibrate histogram": ("-n", "1000", "--eps", "1", "--delta", "1e-3"),
    "calibrate laplace-sum": ("-n", "1000", "--eps", "1", "--delta", "1e-3"),
    "calibrate fake-users": ("-n", "1000", "--eps", "1", "--delta", "1e-3"),
    "calibrate split-and-mix": ("-n", "1000", "--modulus", "65536", "--eps", "1", "--delta", "1e-3"),
    "calibrate binomial-sum": ("-n", "1000", "--eps", "1", "--delta", "1e-3"),
    "calibrate discrete-gaussian-sum": ("-n", "100", "--sensitivity", "10", "--eps", "1", "--delta", "1e-3"),
    "calibrate bit-sum": ("-n", "1000", "--eps", "1", "--delta", "1e-3"),
    "calibrate real-sum": ("-n", "1000", "--eps", "1", "--delta", "1e-3", "--view", "tagged", "--r", "3"),
    "calibrate frequency": ("--randomizer", "krr", "-n", "1000", "-k", "3", "--eps", "1", "--delta", "1e-6"),
    "calibrate user-histogram": ("--threshold", "1", "--domain-size", "3", "--relation", "replace", "--eps", "1"),
    "plan init": (),
    "plan check": ("plan.toml",),
    "plan run": ("plan.toml", "--round", "r", "--data", "bits.csv"),
    "run histogram": ("--data", "items.csv", "--open", "--eps", "1", "--delta", "1e-2", "--noise", "60"),
    "run bit-sum": _SUM,
    "run check": ("--data", "bits.csv", "--column", "x", "--type", "bit"),
    "run real-sum": (*_SUM, "--r", "3", "--view", "tagged"),
    "run user-histogram": (
        *("--data", "items.csv", "--user", "user", "--item", "item", "--domain", "domain.csv", "--relation", "add-remove"),
        *("--eps", "1", "--threshold", "1"),
    ),
    "figure": ("fig5",),
    "ledger list": (),
    "ledger show": ("FMT21.Lem2.3",),
    "ledger check": ("FMT21.Def2.2",),
    "ledger record": ("FMT21.Def2.2",),
    "ledger mutate": ("FMT21.Def2.2",),
    "audit claims": ("claims.csv",),
    "audit formula": ("eps0", "--points", "1", "--set", "n=100", "--set", "eps0=1", "--set", "delta=1e-2"),
    "audit shipped": ("--only", "theorem-3.1"),
    "audit distribution": ("distribution.csv",),
    "audit samples": ("samples.csv", "--eps", "1", "--delta", "1e-6"),
    "conform smoke": ("-i", HONEST),
    "conform run": ("-i", HONEST, "--suite", "smoke"),
    "conform search": ("-i", HONEST, "--operation", "randomizer_law", "--most", "2"),
    "conform matrix": ("conform.json", "conform.json"),
    "conform diff": ("conform.json", "conform.json"),
    "conform third-party": (),
    "conform show": ("conform.json",),
    "conform list": (),
    "conform starter": ("python",),
    "vectors lint": (),
    "vectors write": (),
    "vectors export": ("vectors",),
}
"""Arguments with which a verb answers soon, in a folder that `prepare` has filled."""

FILES: dict[str, tuple[tuple[str, ...], ...]] = {
    "verify": (("--show", "FILE"),),
    "bound epsilon": (("--users", "FILE", "--delta", "1e-6"), ("--distribution", "FILE", "-n", "100", "--delta", "1e-6")),
    "bound delta": (("--users", "FILE", "--eps", "1"), ("--distribution", "FILE", "-n", "100", "--eps", "1")),
    "bound renyi": (("--users", "FILE", "--order", "2"), ("--distribution", "FILE", "-n", "100", "--order", "2")),
    "sweep": (("-n", "1000", "--eps0", "1", "--delta", "1e-6", "--workers", "1", "-o", "FILE"),),
    "run histogram": (
        ("--data", "FILE", "--open", "--eps", "1", "--delta", "1e-2"),
        ("--data", "items.csv", "--domain", "FILE", "--eps", "1", "--delta", "1e-2"),
    ),
    "run bit-sum": (("--data", "FILE", *_SUM[2:]),),
    "run check": (
        ("--data", "FILE", "--column", "x", "--type", "bit"),
        ("--data", "items.csv", "--column", "item", "--type", "item", "--domain", "FILE"),
    ),
    "run real-sum": (("--data", "FILE", *_SUM[2:], "--r", "3", "--view", "tagged"),),
    "run user-histogram": (
        ("--data", "FILE", *QUICK["run user-histogram"][2:]),
        (*(word if word != "domain.csv" else "FILE" for word in QUICK["run user-histogram"]),),
    ),
    "audit claims": (("FILE",),),
    "audit distribution": (("FILE",),),
    "audit samples": (("FILE", "--eps", "1", "--delta", "1e-6"),),
    "plan check": (("FILE",),),
    "plan run": (("FILE", *QUICK["plan run"][1:]), (*QUICK["plan run"][:-1], "FILE")),
    "conform run": (
        *(("-i", HONEST, "--suite", "smoke", option, "FILE") for option in ("--resume", "--skip")),
        ("-i", HONEST, "--cases", "FILE"),
    ),
    "conform show": (("FILE",),),
    "conform matrix": (("FILE", "conform.json"),),
    "conform diff": (("FILE", "conform.json"), ("conform.json", "FILE")),
}
"""Arguments that name a file to be read, or to be continued; FILE stands for it."""

OUTPUTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "verify": (("--report", "FILE"),),
    "sweep": ((*QUICK["sweep"][:-1], "FILE.jsonl"), (*QUICK["sweep"][:-1], "FILE.parquet")),
    "run histogram": ((*QUICK["run histogram"], "-o", "FILE.csv"),),
    "run bit-sum": ((*QUICK["run bit-sum"], "-o", "FILE.json"),),
    "run real-sum": ((*QUICK["run real-sum"], "-o", "FILE.json"),),
    "run user-histogram": ((*QUICK["run user-histogram"], "-o", "FILE.csv"),),
    "figure": ((*QUICK["figure"], "-o", "FILE.csv"),),
    "plan check": ((*QUICK["plan check"], "--report", "FILE.html"),),
    "conform run": (
        *((*QUICK["conform run"], "--report", f"FILE.{form}") for form in ("json", "xml", "html")),
        (*QUICK["conform run"], "--resume", "FILE.journal"),
    ),
    "conform show": ((*QUICK["conform show"], "--report", "FILE.html"),),
    "audit shipped": (("--only", "theorem-3.1", "-o", "FILE.html"),),
    "conform matrix": ((*QUICK["conform matrix"], "-o", "FILE.html"),),
    "bound delta": ((*QUICK["bound delta"], "--formal", "FILE.v"),),
}
"""Arguments that have a file written."""


LONG: dict[str, tuple[str, ...]] = {
    "bound epsilon": ("-n", "1000000", "--eps0", "4", "--delta", "1e-30", "--method", "clones", "--engine", "ball", "--digits", "200"),
    "bound renyi": ("--method", "clones", "-n", "1000000", "--eps0", "4", "--order", "32", "--digits", "100"),
    "compare": ("-n", "10000", "--eps0", "1", "--delta", "1e-6", "--randomizer", "laplace"),
    "compose": ("-n", "100000", "--eps0", "1", "--delta", "1e-6", "--rounds", "100"),
    "calibrate real-sum": ("-n", "1000", "--eps", "1", "--delta", "1e-6", "--view", "untagged"),
    "calibrate frequency": ("--randomizer", "krr", "-n", "1000000", "-k", "100", "--eps", "1", "--delta", "1e-6"),
    "advise": ("--task", "real-sum", "-n", "10000", "--eps", "1", "--delta", "1e-6"),
    "plan check": ("plan.toml", "--report", "OUT.html"),
    "run histogram": (*QUICK["run histogram"], "-o", "OUT.csv"),
    "run real-sum": (*QUICK["run real-sum"], "-o", "OUT.json"),
    "figure": ("fig2a", "-o", "OUT.csv"),
    "ledger check": ("--paper", "LSZKG22"),
    "audit claims": ("claims.csv",),
    "audit formula": ("eps0", "--points", "20"),
    "conform search": ("-i", HONEST, "--operation", "epsilon", "--time", "20", "--save", "OUT.json"),
    "verify": ("--report", "OUT"),
}
"""Arguments with which a verb takes seconds, for tests that interrupt it; OUT is what is written, whole or not at all."""


def leaves(command: click.Command = shuffleproof, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Every verb that does something, by its whole name."""
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from leaves(below, (*path, name))
    else:
        yield " ".join(path), command


def prepare(folder: Path) -> None:
    """The files that the tables name."""
    (folder / "bits.csv").write_text("x\n" + "1\n0\n" * 60)
    (folder / "items.csv").write_text("user,item\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(120)))
    (folder / "domain.csv").write_text("item\na\nb\n")
    (folder / "claims.csv").write_text("n,eps0,delta,epsilon\n100,1,1e-2,1\n")
    (folder / "distribution.csv").write_text("input,outcome,probability\n0,a,3/4\n0,b,1/4\n1,a,1/4\n1,b,3/4\n")
    (folder / "samples.csv").write_text("side,output\n" + "x,a\nx,b\ny,a\ny,b\n" * 5)
    (folder / "plan.toml").write_text(
        'relation = "one-user"\n[target]\nepsilon = 1\ndelta = "1e-6"\n[[rounds]]\nname = "r"\nusers = 100\n'
        '[[rounds.questions]]\nname = "x"\nrandomizer = "krr"\nk = 2\nitems = ["0", "1"]\nepsilon0 = "1/2"\n'
    )
    (folder / "verified").mkdir()
    stored.write(folder / "verified", VERIFIED)
    from shuffleproof.conformance.reporting import report
    from shuffleproof.conformance.running import runner

    report.write(runner.smoke(HONEST), folder / "conform.json")


VERIFIED = {
    "format": stored.FORMAT,
    "shuffleproof": "0.1.0",
    "python": "3.11.7",
    "system": "Linux x86_64",
    "started": "2026-01-01T00:00:00+00:00",
    "seconds": "1.00",
    "depth": "quick",
    "seed": "1",
    "exit_code": 0,
    "problems": [],
    "ledger": [],
    "cross_checks": [],
    "tables": [],
    "engines": [],
    "third_party": [],
}
