"""How often items occur among users who have many, every user protected as a whole (LSZKG22)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from shuffleproof.data.source import LARGEST_DOMAIN
from shuffleproof.spec.vocabulary.errors import DomainError, require, require_one_of
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, exact_fraction, parse_epsilon
from shuffleproof.spec.vocabulary.numerals import count as whole
from shuffleproof.spec.vocabulary.relation import COUNTED_OR_NOT, Relation

if TYPE_CHECKING:
    from shuffleproof.run.user_histogram_release import Histogram

_EPSILON_BITS = 64
"""Bits of the lower end of epsilon, which is what is spent."""


def answered(
    *,
    data: str,
    user: str,
    item: str,
    count: str | None,
    domain: str | None,
    domain_size: Number | None,
    relation: Relation,
    users: Number | None,
    epsilon: Number | Epsilon,
    delta: Number | None,
    threshold: Number | Literal["auto"],
    threshold_share: Number | None,
    max_threshold: Number | None,
    sparsity: Number | None,
    regularisation: Number | None,
    sampler: Literal["own", "opendp"],
) -> Histogram:
    """Check every public input, read the data, and only then draw. Raises DomainError for whatever the guarantee does not cover."""
    from shuffleproof.data.user_items import user_items
    from shuffleproof.impl.release.entropy import OperatingSystem
    from shuffleproof.impl.release.noise import OpenDP, Own
    from shuffleproof.impl.release.user_histogram import Entries
    from shuffleproof.run.user_histogram_release import plan, released

    if relation not in COUNTED_OR_NOT:
        raise DomainError(parameter="relation", value=relation, requirement="Relation.REPLACE_ONE or Relation.ADD_REMOVE")
    require_one_of(sampler, ("own", "opendp"), parameter="sampler")
    central = parse_epsilon(epsilon)
    budget = central.bounds(bits=_EPSILON_BITS)[0]
    require(budget > 0, parameter="eps", value=epsilon, requirement="above 0")
    n = None if users is None else whole(users, parameter="users")
    if n is None and relation is Relation.REPLACE_ONE:
        reason = "given: where a user is replaced the number of users is public, and it must not be read off the data"
        raise DomainError(parameter="users", value="nothing", requirement=reason)
    if threshold != "auto":  # then they say nothing, and whoever gave them believes that they do
        unused = {
            "threshold_share": threshold_share,
            "max_threshold": max_threshold,
            "sparsity": sparsity,
            "regularisation": regularisation,
        }
        for name, value in unused.items():
            require(value is None, parameter=name, value=value, requirement='left out beside a threshold: it belongs to threshold "auto"')
    if n is not None and relation is Relation.ADD_REMOVE:
        needed = threshold == "auto" and regularisation is None
        require(needed, parameter="users", value=users, requirement="left out: with add-remove it serves Algorithm 2's lambda alone")
    if sparsity is not None and delta is None:
        raise DomainError(parameter="sparsity", value=sparsity, requirement="left out without delta: in l1 nothing depends on it")
    items = _domain(domain, domain_size, item)
    chosen = plan(
        d=len(items),
        n=n,
        relation=relation,
        budget=budget,
        budget_text=as_given(epsilon=epsilon)["epsilon"],
        delta=None if delta is None else _delta(delta),
        threshold=None if threshold == "auto" else _at_least_zero(threshold, "threshold"),
        share=exact_fraction("1/10" if threshold_share is None else threshold_share, parameter="threshold_share"),
        B=None if max_threshold is None else _at_least_zero(max_threshold, "max_threshold"),
        sparsity=None if sparsity is None else whole(sparsity, parameter="sparsity"),
        lam=None if regularisation is None else _at_least_zero(regularisation, "regularisation"),
    )
    drawing = OpenDP() if sampler == "opendp" else Own(OperatingSystem())
    grouped = user_items(data=data, user=user, item=item, count=count, domain=items)
    if n is not None and relation is Relation.REPLACE_ONE and grouped.users > n:
        raise DomainError(parameter="users", value=users, requirement="the number of users, which these data exceed")
    entries = Entries(grouped.users, grouped.user, grouped.item, grouped.count)
    return released(chosen, entries, domain=items, sampler=drawing)


def _domain(domain: str | None, size: Number | None, item: str) -> list[str]:
    if domain is not None and size is not None:
        raise DomainError(parameter="domain_size", value=size, requirement="left out where a file lists the domain")
    if size is not None:
        return [str(number) for number in range(whole(size, parameter="domain_size", maximum=LARGEST_DOMAIN))]
    if domain is None:
        reason = "given, or its size: which items occur is private itself, so that a domain read off the data would tell who is in it"
        raise DomainError(parameter="domain", value="nothing", requirement=reason)
    from shuffleproof.data.readers import domain_of

    items = domain_of(domain, column=item)
    seen: set[str] = set()
    for text in items:
        if text in seen:
            raise DomainError(parameter=f"domain {domain}", value=text, requirement="a list of items without repeats")
        seen.add(text)
    return items


def _delta(value: Number) -> Fraction:
    delta = exact_fraction(value, parameter="delta")
    require(0 < delta < 1, parameter="delta", value=value, requirement="above 0 and below 1, or left out for pure differential privacy")
    return delta


def _at_least_zero(value: Number, parameter: str) -> Fraction:
    exact = exact_fraction(value, parameter=parameter)
    require(exact >= 0, parameter=parameter, value=value, requirement="at least 0")
    return exact
