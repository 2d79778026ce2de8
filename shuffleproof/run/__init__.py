"""The papers' protocols on real data: noise of exact distributions from the system's entropy, released only where privacy is certified.

Everything that the guarantee does not cover is refused before anything is drawn. What these functions return may be published; what they
were given may not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from shuffleproof.keywords import own_arithmetic, own_names
from shuffleproof.spec.vocabulary.errors import DomainError, require, require_one_of
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number
from shuffleproof.spec.vocabulary.scope import COUNTED_OR_NOT, Relation

if TYPE_CHECKING:
    from shuffleproof.run.histogram_release import Histogram
    from shuffleproof.run.sums import Sum
    from shuffleproof.run.user_histogram_release import Histogram as UserHistogram

__dir__ = own_names(__name__)


@own_arithmetic()
def bit_sum(*, data: str, column: str, epsilon: Number | Epsilon, delta: Number, noise: Number, beta: Number = "0.05") -> Sum:
    """How many users hold 1, by CSUZZ19's one-bit protocol, when one row is replaced.

    data: a CSV or Parquet file, "-" for standard input, one row for every user; column: holds 1, or else 0 whatever it is;
    epsilon, delta: what must hold, delta in (0, 1]; noise: lambda, how many of the n messages are expected to be fair coins; beta: how
    often the stated error may be exceeded.
    Raises DomainError where this noise is not certified for (epsilon, delta), or the file is none; never because of one cell.
    """
    from shuffleproof.run.sums import released

    return released(data=data, column=column, epsilon=epsilon, delta=delta, noise=noise, beta=beta)


@own_arithmetic()
def real_sum(
    *,
    data: str,
    column: str,
    epsilon: Number | Epsilon,
    delta: Number,
    noise: Number,
    r: Number = 1,
    view: Literal["untagged", "tagged"] = "untagged",
    beta: Number = "0.05",
) -> Sum:
    """The sum of the users' numbers in [0, 1], by r one-bit messages from each (CSUZZ19).

    A number outside [0, 1] counts as the nearest one inside, what is no number as 0. view: whether messages are shuffled all
    together, or say which of the r they are. The other parameters and errors as for `bit_sum`.
    """
    from shuffleproof.run.sums import released

    require_one_of(view, ("untagged", "tagged"), parameter="view")
    return released(data=data, column=column, epsilon=epsilon, delta=delta, noise=noise, beta=beta, r=r, view=view)


@own_arithmetic()
def histogram(
    *,
    data: str,
    epsilon: Number | Epsilon,
    delta: Number,
    column: str = "item",
    user: str | None = None,
    domain: str | None = None,
    noise: Number | None = None,
    beta: Number = "0.05",
) -> Histogram:
    """How many users hold each item, one item each, by BC20's histogram protocol, when one row is replaced.

    data: a file as for `bit_sum`, or "stdlib-identifiers"; column: holds the item, in no bin where it is empty or outside the
    domain; user: a column that names each row's user, whose first row counts; domain: a file that lists the bins in a column of the same
    name, None for all texts, of which only estimates that are not 0 come back; noise: n (1 - p), the expected noise in every bin, the
    least that is certified, rounded up, if None. The rest as for `bit_sum`.
    """
    from shuffleproof.run.histogram_release import release

    return release(data=data, column=column, user=user, domain=domain, epsilon=epsilon, delta=delta, noise=noise, beta=beta)


@own_arithmetic()
def user_histogram(
    *,
    data: str,
    user: str,
    item: str,
    relation: Relation,
    epsilon: Number | Epsilon,
    delta: Number | None = None,
    count: str | None = None,
    domain: str | None = None,
    domain_size: Number | None = None,
    users: Number | None = None,
    threshold: Number | Literal["auto"] = "auto",
    threshold_share: Number | None = None,
    max_threshold: Number | None = None,
    sparsity: Number | None = None,
    regularisation: Number | None = None,
    sampler: Literal["own", "opendp"] = "own",
) -> UserHistogram:
    """How often each item of a public domain occurs, all of a user's rows protected at once (LSZKG22).

    data: CSV or Parquet, "-" for CSV on standard input, rows of user, item and, if there is such a column, count; relation: whether a user
    is replaced, or added or removed; epsilon: the whole budget; delta: with it l2 clipping and Gaussian noise, without it l1 and Laplace;
    domain: a file that lists the items, or domain_size: items are 0 to domain_size - 1; users: their public number, needed where one is
    replaced, a public guess otherwise; threshold: where histograms are clipped, "auto" to find it privately with threshold_share of the
    budget (1/10 if None), a public bound max_threshold, sparsity (items a user has, with delta) and Algorithm 2's regularisation, from
    users if None: all four are left out beside a threshold; sampler: who draws the noise, both exactly. Raises DomainError for whatever
    the guarantee does not cover.
    """
    from shuffleproof.data.user_items import user_items
    from shuffleproof.impl.release.entropy import OperatingSystem
    from shuffleproof.impl.release.noise import OpenDP, Own
    from shuffleproof.impl.release.user_histogram import Entries
    from shuffleproof.run.user_histogram_release import items_of, plan, released

    if relation not in COUNTED_OR_NOT:
        raise DomainError(parameter="relation", value=relation, requirement="Relation.REPLACE_ONE or Relation.ADD_REMOVE")
    require_one_of(sampler, ("own", "opendp"), parameter="sampler")
    items = items_of(domain, domain_size, item)
    chosen = plan(
        d=len(items),
        relation=relation,
        users=users,
        epsilon=epsilon,
        delta=delta,
        threshold=threshold,
        threshold_share=threshold_share,
        max_threshold=max_threshold,
        sparsity=sparsity,
        regularisation=regularisation,
    )
    drawing = OpenDP() if sampler == "opendp" else Own(OperatingSystem())
    grouped = user_items(data=data, user=user, item=item, count=count, domain=items)
    too_many = chosen.n is not None and relation is Relation.REPLACE_ONE and grouped.users > chosen.n
    require(not too_many, parameter="users", value=users, requirement="the number of users, which these data exceed")
    return released(chosen, Entries(grouped.users, grouped.user, grouped.item, grouped.count), domain=items, sampler=drawing)
