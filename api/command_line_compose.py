"""`shuffleproof compose`: many rounds on the same users, every way of composing side by side."""

from __future__ import annotations

import time

import click

from shuffleproof.command_line_options import format_option, print_json
from shuffleproof.spec.numerals import decimal_text


@click.command()
@click.option("-n", "n", required=True, metavar="COUNT", help="Number of users.")
@click.option("--eps0", "epsilon0", required=True, metavar="NUMBER", help='Local parameter of each round, such as 1 or "ln 3".')
@click.option("--rounds", required=True, metavar="COUNT", help="How many rounds, each with fresh randomness of all users.")
@click.option("--delta", required=True, metavar="NUMBER", help="Central delta of all rounds together, such as 1e-6.")
@click.option("--method", default="clones", metavar="NAME", help='"clones" (default) or "stronger-clones".')
@format_option
def compose(n: str, epsilon0: str, rounds: str, delta: str, method: str, as_json: bool) -> None:
    """The epsilon of many adaptive rounds of shuffled eps0-DP randomizers together.

    \b
    shuffleproof compose -n 1000000 --eps0 1 --rounds 100 --delta 1e-6
    shuffleproof compose --method stronger-clones -n 100000 --eps0 2 --rounds 10 --delta 1e-8 --format json

    Every row but the last is certified: the data of all rounds together is (epsilon, delta)-DP. The last is dp-accounting's number in
    float64 (extra `accounting`), for comparison.
    """
    from shuffleproof.composition import compose as composed

    started = time.perf_counter()
    rows = composed(n=n, epsilon0=epsilon0, rounds=rounds, delta=delta, method=method)
    least = min((row for row in rows if row.certified and row.epsilon is not None), key=lambda row: row.epsilon or 0, default=None)
    shown = {row.name: None if row.epsilon is None else decimal_text(row.epsilon, digits=8, direction="up") for row in rows}
    if as_json:
        print_json(
            {
                "quantity": "epsilon",
                "method": method,
                "n": n,
                "eps0": epsilon0,
                "rounds": rounds,
                "delta": delta,
                "relation": "replace-one",
                "least_certified": None if least is None else shown[least.name],
                "rows": [
                    {
                        "name": row.name,
                        "certified": row.certified,
                        "upper" if row.certified else "estimate": shown[row.name],
                        "statement": row.statement or None,
                        "says": row.says,
                        "seconds": round(row.seconds, 6),
                    }
                    for row in rows
                ],
                "seconds": round(time.perf_counter() - started, 6),
            }
        )
        return
    click.echo(
        f"epsilon of {rounds} rounds together (method {method}, replace-one; n = {n}, eps0 = {epsilon0} each round, delta = {delta} in all)"
    )
    for row in rows:
        value = "no answer" if row.epsilon is None else f"{'<=' if row.certified else '~ '} {shown[row.name]}"
        click.echo(f"  {row.name:<34} {value:<15} {'certified  ' if row.certified else 'UNCERTIFIED'} {row.seconds:6.2f} s   {row.says}")
    if least is not None:
        click.echo(
            f"upper: {rounds} adaptive rounds of eps0-DP local randomizers on shuffled data satisfy ({shown[least.name]}, {delta})-DP"
        )
