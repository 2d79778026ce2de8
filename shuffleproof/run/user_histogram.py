"""`shuffleproof run user-histogram`: how often items occur among users who have many, every user protected as a whole (LSZKG22)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from shuffleproof.command_line.options import format_option, print_json
from shuffleproof.spec.vocabulary.errors import DomainError, require
from shuffleproof.spec.vocabulary.numerals import count as whole
from shuffleproof.spec.vocabulary.numerals import exact_fraction, parse_epsilon
from shuffleproof.spec.vocabulary.relation import Relation

if TYPE_CHECKING:
    from shuffleproof.run.user_histogram_release import Histogram

_RELATIONS = {"replace": Relation.REPLACE_ONE, "add-remove": Relation.ADD_REMOVE}
_LARGEST_DOMAIN = 10**7
_EPSILON_BITS = 64


@click.command("user-histogram")
@click.option("--data", required=True, metavar="FILE", help='CSV or Parquet, or "-" for CSV on standard input: rows of user and item.')
@click.option("--user", required=True, metavar="COLUMN", help="The column that names the user of each row.")
@click.option("--item", required=True, metavar="COLUMN", help="The column that names the item of each row.")
@click.option("--count", default=None, metavar="COLUMN", help="A column that says how often; without it every row counts once.")
@click.option("--domain", default=None, metavar="FILE", help="A file that lists the items, in a column of the item column's name.")
@click.option("--domain-size", default=None, metavar="D", help="Items are the whole numbers from 0 to D - 1.")
@click.option(
    "--relation", required=True, type=click.Choice(sorted(_RELATIONS)), help="Protect replacing one user, or adding or removing one."
)
@click.option("--users", default=None, metavar="N", help="Public number of users: needed with replace; a public guess with add-remove.")
@click.option("--eps", "epsilon", required=True, metavar="NUMBER", help="The whole budget, threshold and release together.")
@click.option("--delta", default=None, metavar="NUMBER", help="With it L2 clipping and Gaussian noise, without L1 and Laplace (pure).")
@click.option("--threshold", default="auto", show_default=True, metavar="auto|C", help="Find the clipping threshold privately, or take C.")
@click.option("--threshold-share", default="1/10", show_default=True, metavar="NUMBER", help="Of the budget, for finding the threshold.")
@click.option("--max-threshold", default=None, metavar="B", help="Public bound on the threshold; needed with auto.")
@click.option("--sparsity", default=None, metavar="S", help="Public guess of how many items a user has; needed with auto and --delta.")
@click.option("--regularisation", default=None, metavar="LAMBDA", help="Of Algorithm 2, public; from --users and B if not given.")
@click.option(
    "--sampler", default="own", show_default=True, type=click.Choice(["own", "opendp"]), help="Who draws the noise; both are exact."
)
@click.option("-o", "--output", default=None, metavar="FILE", help="Write the estimates there: .json with the guarantee, else CSV.")
@format_option
def user_histogram(as_json: bool, output: str | None, **given: Any) -> None:
    """How often each item of a public domain occurs, all of a user's rows protected at once.

    \b
    shuffleproof run user-histogram --data words.csv --user author --item word --domain vocabulary.csv --relation add-remove \\
        --users 10000 --eps 1 --delta 1e-6 --max-threshold 100 --sparsity 50 -o counts.json

    Every item of the domain gets an estimate with noise, present or not. Items outside are dropped without a trace. The domain, B, S,
    lambda and N must be public: chosen without looking at the data.
    """
    from shuffleproof.data.writers import csv_bytes, require_writable, write_bytes, write_json

    require_writable(output)
    found = run(**given)
    table = [(item, estimate) for item, estimate in zip(found.domain, found.estimates, strict=True)]
    if output is not None and output.endswith(".json"):
        write_json(output, found.as_json(with_estimates=True))
    elif output is not None:
        write_bytes(output, csv_bytes(["item", "estimate"], table))
    if as_json:
        print_json(found.as_json(with_estimates=output is None))
        return
    click.echo(str(found))
    if output is None:
        click.echo("")
        click.echo(csv_bytes(["item", "estimate"], table).decode("utf-8"), nl=False)


def run(
    *,
    data: str,
    user: str,
    item: str,
    count: str | None,
    domain: str | None,
    domain_size: str | None,
    relation: str,
    users: str | None,
    epsilon: str,
    delta: str | None,
    threshold: str,
    threshold_share: str,
    max_threshold: str | None,
    sparsity: str | None,
    regularisation: str | None,
    sampler: str,
) -> Histogram:
    """Check every public input, read the data, and only then draw. Raises DomainError for whatever the guarantee does not cover."""
    from shuffleproof.data.user_items import user_items
    from shuffleproof.impl.release.entropy import OperatingSystem
    from shuffleproof.impl.release.noise import OpenDP, Own
    from shuffleproof.impl.release.user_histogram import Entries
    from shuffleproof.run.user_histogram_release import plan, released

    central = parse_epsilon(epsilon)
    budget = central.bounds(bits=_EPSILON_BITS)[0]
    require(budget > 0, parameter="eps", value=epsilon, requirement="above 0")
    n = None if users is None else whole(users, parameter="users")
    if n is None and _RELATIONS[relation] is Relation.REPLACE_ONE:
        reason = "given: with --relation replace the number of users is public, and it must not be read off the data"
        raise DomainError(parameter="users", value="nothing", requirement=reason)
    items = _domain(domain, domain_size, item)
    chosen = plan(
        d=len(items),
        n=n,
        relation=_RELATIONS[relation],
        budget=budget,
        budget_text=epsilon,
        delta=None if delta is None else _delta(delta),
        threshold=None if threshold == "auto" else _at_least_zero(threshold, "threshold"),
        share=exact_fraction(threshold_share, parameter="threshold-share"),
        B=None if max_threshold is None else _at_least_zero(max_threshold, "max-threshold"),
        sparsity=None if sparsity is None else whole(sparsity, parameter="sparsity"),
        lam=None if regularisation is None else _at_least_zero(regularisation, "regularisation"),
    )
    drawing = OpenDP() if sampler == "opendp" else Own(OperatingSystem())
    grouped = user_items(data=data, user=user, item=item, count=count, domain=items)
    if n is not None and _RELATIONS[relation] is Relation.REPLACE_ONE and grouped.users > n:
        raise DomainError(parameter="users", value=users, requirement="the number of users, which these data exceed")
    entries = Entries(grouped.users, grouped.user, grouped.item, grouped.count)
    return released(chosen, entries, domain=items, sampler=drawing)


def _domain(domain: str | None, size: str | None, item: str) -> list[str]:
    if domain is not None and size is not None:
        raise click.UsageError("give one of --domain and --domain-size")
    if size is not None:
        return [str(number) for number in range(whole(size, parameter="domain-size", maximum=_LARGEST_DOMAIN))]
    if domain is None:
        reason = (
            "given as --domain FILE or --domain-size D: which items occur is private itself, so that a domain read off the data would tell "
            "who is in it"
        )
        raise DomainError(parameter="domain", value="nothing", requirement=reason)
    from shuffleproof.data.readers import texts

    items = [text for batch in texts(data=domain, columns=[item]) for (text,) in batch]
    seen: set[str] = set()
    for text in items:
        if text in seen:
            raise DomainError(parameter=f"domain {domain}", value=text, requirement="a list of items without repeats")
        seen.add(text)
    return items


def _delta(value: str) -> Fraction:
    delta = exact_fraction(value, parameter="delta")
    require(0 < delta < 1, parameter="delta", value=value, requirement="above 0 and below 1, or left out for pure differential privacy")
    return delta


def _at_least_zero(value: str, parameter: str) -> Fraction:
    exact = exact_fraction(value, parameter=parameter)
    require(exact >= 0, parameter=parameter, value=value, requirement="at least 0")
    return exact
