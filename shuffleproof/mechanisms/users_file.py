"""Users who each have a randomizer of their own, as a file, and the p, beta and q that cover all of them."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError, about, require
from shuffleproof.spec.vocabulary.numerals import INFINITE, LARGEST_COUNT, shortest

LARGEST_FILE = 1 << 24
"""Bytes of a file: 16 MiB."""
LARGEST_WORK = 2_000_000
"""Pairs of inputs of one entry and pairs of entries, times messages, and more for long denominators: seconds."""
_SHORT_DENOMINATOR = 2_000
"""Bits below which the length of a distribution's denominators hardly costs time; sums take its square."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Users:
    """n users with `entries` different entries in the file, and the parameters of the optimal pair that covers them, as exact texts."""

    n: int
    entries: int
    p: str
    beta: str
    q: str


def read(path: Path) -> Users:
    """The parameters over all users' randomizers, exactly, for all datasets and all neighbours (BEYOND.ThmF3).

    path: JSON, {"format": "shuffleproof-users-1", "users": [{"inputs": {"0": {"a": "3/4", "b": "1/4"}, ...}}, ...]}, an entry for each
    user; "count": 1000 beside "inputs" says that the entry stands for so many. At least two users.
    Raises DomainError naming the place; RegimeError where one user may send what another never does; ResourceLimitError.
    """
    from shuffleproof.conformance.audit.distribution_file import RoundedDistribution, checked, denominator_bits
    from shuffleproof.spec.bounds.variation_ratio.optimal_parameters import of_users
    from shuffleproof.spec.distribution import Distribution
    from shuffleproof.spec.model import LocalRandomizer

    entries = _entries(path)
    n = sum(count for count, _ in entries)
    require(2 <= n <= LARGEST_COUNT, parameter="users", value=n, requirement=f"two or more, and at most {LARGEST_COUNT:.0e}")
    distributions: list[RoundedDistribution] = []
    for number, (_, inputs) in enumerate(entries, start=1):
        try:
            distributions.append(checked(inputs, Fraction(0)))
        except DomainError as error:
            place = f"entry {number}: {error.parameter}"
            required = error.requirement.partition(";")[0]  # what follows is about a distribution's own command
            raise DomainError(parameter=place, value=error.value, requirement=required) from None
    pairs = len(distributions) ** 2 + sum(len(distribution.inputs) ** 2 for distribution in distributions)
    longest = max(denominator_bits(row) for distribution in distributions for row in distribution.rows)
    work = pairs * len({y for distribution in distributions for y in distribution.outcomes}) * (1 + (longest // _SHORT_DENOMINATOR) ** 2)
    if work > LARGEST_WORK:
        what = "the likelihood ratios of all users' distributions"
        raise ResourceLimitError(
            what=what, needed=f"{about(work)} steps", limit=f'{LARGEST_WORK:.0e} (give "count" where randomizers are equal)'
        )
    randomizers, names, first = [], [], 1
    for (count, _), distribution in zip(entries, distributions, strict=True):
        rows = {
            x: Distribution(dict(zip(distribution.outcomes, row, strict=True)))
            for x, row in zip(distribution.inputs, distribution.rows, strict=True)
        }
        # Two of one entry stand for all of them: whatever differs between two users of it is then compared.
        of_kind = min(count, 2)
        randomizers += [LocalRandomizer(distribution.inputs, rows)] * of_kind
        names += [str(user) for user in range(first, first + of_kind)]
        first += count
    found = of_users(randomizers, names=names)
    p = INFINITE if found.p is None else shortest(found.p)
    return Users(n=n, entries=len(entries), p=p, beta=shortest(found.beta), q=shortest(found.q))


def _entries(path: Path) -> list[tuple[int, dict[str, dict[str, str]]]]:
    """(count, inputs) of every entry."""
    from shuffleproof.conformance import stored_json
    from shuffleproof.conformance.audit.distribution_file import beginning

    content = beginning(path, parameter="users", size=LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise DomainError(parameter="users", value=str(path), requirement=f"a file of at most {LARGEST_FILE} bytes")
    try:
        value = stored_json.parse(content)
    except stored_json.JsonError as error:
        raise DomainError(parameter="users", value=str(error), requirement="strict JSON") from None
    broken = stored_json.violation(value, schema="users")
    if broken is not None:
        raise DomainError(parameter="users", value=broken, requirement="of the form of conformance/schema/users.json")
    return [(entry.get("count", 1), entry["inputs"]) for entry in value["users"]]
