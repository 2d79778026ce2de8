"""What the runs of bit sums and real sums share: the unbiased estimate and its error."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shuffleproof.run.answer import Guarantee
from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import Number, decimal_text, exact_fraction, shortest
from shuffleproof.spec.vocabulary.tables import Tabular, ends_of


@dataclass(frozen=True, repr=False)
class Sum(Tabular):
    """A released sum. estimate: exact; deviation: an upper end of its standard deviation; error: exceeded with probability at most beta."""

    protocol: str
    data: str
    column: str
    n: int
    lam: Fraction
    r: int | None
    estimate: Fraction
    deviation: Fraction
    error: Fraction
    beta: Fraction
    guarantee: Guarantee

    @property
    def headline(self) -> str:
        """The estimate."""
        return f"{self.protocol}: {decimal_text(self.estimate, digits=8, direction='down')}"

    @property
    def notes(self) -> tuple[str, ...]:
        """The lines that are printed."""
        return tuple(str(self).split("\n"))

    def columns(self) -> dict[str, list[Any]]:
        """One row: the estimate, and between which floats the sum lies except with probability beta."""
        known = [(self.column, self.estimate - self.error, self.estimate + self.error)]
        return {"column": [self.column], "estimate": [float(self.estimate)], **ends_of(known)}

    def __str__(self) -> str:
        """The estimate, what is certified of its privacy, and how far it may be off."""
        deviation, error, beta = (decimal_text(x, digits=6, direction="up") for x in (self.deviation, self.error, self.beta))
        lines = [
            f"{self.protocol} of {self.data}, column {self.column!r}: {decimal_text(self.estimate, digits=20, direction='down')}",
            f"n = {self.n}, lambda = {shortest(self.lam)}{'' if self.r is None else f', r = {self.r}'}",
            str(self.guarantee),
            f"  unbiased; standard deviation at most {deviation}, whatever the data are",
            f"  within {error} of the sum except with probability {beta} (Bernstein's inequality)",
        ]
        return "\n".join(lines)


def noise_parameter(noise: Number) -> Fraction:
    """lambda, at least 0. Raises DomainError."""
    lam = exact_fraction(noise, parameter="noise")
    require(lam >= 0, parameter="noise", value=noise, requirement="at least 0")
    return lam


def require_below(lam: Fraction, n: int, noise: Number) -> None:
    """Raises DomainError unless lambda < n."""
    wanted = f"below n = {n}, where the messages say nothing about the sum"
    require(lam < n, parameter="noise", value=noise, requirement=wanted)


def estimated(
    protocol: str, *, data: str, column: str, n: int, lam: Fraction, r: int | None, seen: int, beta: Fraction, guarantee: Guarantee
) -> Sum:
    """(1/r)(n/(n - lambda))(seen - lambda r/2), unbiased (CSUZZ19, Claims B.1 and B.2), and how far it may be off, for all data."""
    from shuffleproof.impl.release.accuracy import sum_deviations

    runs = r or 1
    deviation, error = sum_deviations(n=n, lam=lam, r=r, beta=beta)
    return Sum(
        protocol=protocol,
        data=data,
        column=column,
        n=n,
        lam=lam,
        r=r,
        estimate=n / (n - lam) / runs * (seen - lam * runs / 2),
        deviation=deviation,
        error=error,
        beta=beta,
        guarantee=guarantee,
    )
