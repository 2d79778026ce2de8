"""`shuffleproof bound delta --formal`: the bound as a theorem that Coq checks."""

import re
import shlex
from pathlib import Path

import click

from shuffleproof.proofs_check.formal import arrival, kary
from shuffleproof.proofs_check.formal.instance import instance, module
from shuffleproof.report.texts import say
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.files import require_writable, write_whole
from shuffleproof.spec.vocabulary.numerals import decimal_text

METHODS = ("clones", "stronger-clones", "first-arrival", "k-rr-blanket")
"""Whose bound can be written as a theorem; the first where none is named."""


def write_formal(path: Path, *, n: str | None, epsilon: str, users: Path | None, method: str | None, **own: str | None) -> str:
    """Write the theorem; returns the method that it is about."""
    of_values = {"k"} if method == "k-rr-blanket" else set()
    given = {name for name, value in own.items() if value is not None} - {"epsilon0"}
    epsilon0 = own.get("epsilon0")
    if method not in (None, *METHODS) or users is not None or given != of_values or n is None or epsilon0 is None:
        raise click.UsageError(
            f"--formal is for every randomizer that is eps0-DP, by {', '.join(METHODS[:-1])}: it needs -n, --eps0 and --eps; and for k-ary "
            f"randomized response, by {METHODS[-1]}: --k beside these"
        )
    # coqc takes no other name.
    named = re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*\.v", path.name) is not None
    require(
        named, parameter="formal", value=str(path), requirement="named as Coq names files: letters, digits and _, then .v, as in Mine.v"
    )
    require_writable(path, parameter="formal")
    says, name, chosen = "The privacy of shuffled data.", "shuffled_data_are_private", method or METHODS[0]
    if chosen == "first-arrival":
        arrived = arrival.arrival(n=n, epsilon0=epsilon0, epsilon=epsilon)
        text, delta = arrival.module(arrived, name=name, says=says), arrived.delta
    elif chosen == "k-rr-blanket":
        sent = kary.kary(n=n, k=str(own["k"]), epsilon0=epsilon0, epsilon=epsilon)
        text, delta = kary.module(sent, name=name, says=says), sent.delta
    else:
        made = instance(n=n, epsilon0=epsilon0, epsilon=epsilon, pair="clones" if chosen == "clones" else "stronger-clones")
        text, delta = module({name: made}, says=says), made.delta
    write_whole(path, text.encode())
    stated = decimal_text(delta, digits=12, direction="up")
    say(
        f"{path}: a theorem with delta = {stated}; after `make formal`: coqc -Q build/formal Shuffleproof {shlex.quote(str(path))}",
        err=True,
    )
    return chosen
