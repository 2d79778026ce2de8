"""Answer a batch of points, one row for each."""

import time
from collections.abc import Mapping
from typing import Any

from shuffleproof.accounting.profiles import tabulated
from shuffleproof.bounds import answer
from shuffleproof.planning.sweep.points import Batch, Point, Settings
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.errors import RegimeError, ResourceLimitError, UndecidedError, UnsupportedError

COLUMNS = ("n", "eps0", "delta", "eps", "quantity", "method", "asked_engine", "digits", "engine", "side", "lower", "upper", "refused")
"""What a row may have beside its seconds; numbers that matter are texts, lower rounded down and upper rounded up."""


def answer_batch(batch: Batch) -> list[dict[str, Any]]:
    """The rows of a batch. Raises DomainError where a parameter is outside its domain; a refusal is a row with the reason.

    Points that share n and epsilon0 are answered one after the other, since an engine may keep what depends on these alone. That affects
    seconds, not bounds: a row is the same in any batch.
    """
    rows: dict[Point, dict[str, Any]] = {}
    for point in sorted(batch.points, key=lambda point: (point.epsilon0, point.n)):
        rows[point] = _row(batch.settings, point)
    return [rows[point] for point in batch.points]


def _row(settings: Settings, point: Point) -> dict[str, Any]:
    third = "delta" if settings.quantity == "epsilon" else "eps"
    row: dict[str, Any] = {"n": point.n, "eps0": point.epsilon0, third: point.central, "quantity": settings.quantity}
    row |= {"method": settings.method, "asked_engine": settings.engine, "digits": settings.digits}
    started = time.perf_counter()
    try:
        found = _answer(settings, point)
    except (RegimeError, UnsupportedError, UndecidedError, ResourceLimitError) as refusal:
        row |= {"refused": str(refusal)}
    else:
        lower, upper = found.decimals()
        row |= {"engine": found.engine, "side": found.side, "lower": lower, "upper": upper}
    return row | {"seconds": round(time.perf_counter() - started, 6)}


def _answer(settings: Settings, point: Point) -> Bound:
    if settings.engine == "fast":
        return tabulated(quantity=settings.quantity, n=point.n, epsilon0=point.epsilon0, central=point.central, method=settings.method)
    third = "delta" if settings.quantity == "epsilon" else "epsilon"
    parameters = {"n": point.n, "epsilon0": point.epsilon0, third: point.central}
    return answer(
        quantity=settings.quantity, parameters=parameters, method=settings.method, engine=settings.engine, digits=settings.digits
    ).bound


def key_of(row: Mapping[str, Any]) -> str:
    """The key of the point that a row answers. Raises KeyError where it is no row."""
    third = "delta" if row["quantity"] == "epsilon" else "eps"
    return Point(row["n"], row["eps0"], row[third]).key
