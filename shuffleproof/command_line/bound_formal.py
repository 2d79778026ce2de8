"""`shuffleproof bound delta --formal`: the bound as a theorem that Coq checks."""

import re
import shlex
from pathlib import Path

import click

from shuffleproof.proofs_check.formal.instance import Pair, instance, module
from shuffleproof.report.texts import say
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.files import require_writable, write_whole
from shuffleproof.spec.vocabulary.numerals import decimal_text


def write_formal(path: Path, *, n: str | None, epsilon: str, users: Path | None, method: str | None, **own: str | None) -> str:
    """Write the theorem; returns the method that it is about."""
    others = sorted(name for name, value in own.items() if value is not None and name != "epsilon0")
    epsilon0 = own.get("epsilon0")
    if method not in (None, "clones", "stronger-clones") or users is not None or others or n is None or epsilon0 is None:
        raise click.UsageError(
            "--formal is for every randomizer that is eps0-DP: it needs -n, --eps0 and --eps, and as the method clones or stronger-clones"
        )
    # coqc takes no other name.
    named = re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*\.v", path.name) is not None
    require(
        named, parameter="formal", value=str(path), requirement="named as Coq names files: letters, digits and _, then .v, as in Mine.v"
    )
    require_writable(path, parameter="formal")
    pair: Pair = "stronger-clones" if method == "stronger-clones" else "clones"
    made = instance(n=n, epsilon0=epsilon0, epsilon=epsilon, pair=pair)
    write_whole(path, module({"shuffled_data_are_private": made}, says="The privacy of shuffled data.").encode())
    stated = decimal_text(made.delta, digits=12, direction="up")
    say(
        f"{path}: a theorem with delta = {stated}; after `make formal`: coqc -Q build/formal Shuffleproof {shlex.quote(str(path))}",
        err=True,
    )
    return pair
