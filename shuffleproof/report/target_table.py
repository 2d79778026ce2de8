"""docs/mathematics/targets.md, made by asking: `python -m shuffleproof.report.target_table > docs/mathematics/targets.md` (two minutes)."""

from dataclasses import dataclass
from fractions import Fraction

from shuffleproof.mechanisms.brackets import Bracket
from shuffleproof.mechanisms.mechanism import shuffled
from shuffleproof.mechanisms.randomizers import KRR, RAPPOR, AnyRandomizer, ApproximateRandomizer, Laplace, LocalHashing, Randomizer
from shuffleproof.spec.vocabulary.numerals import decimal_text

DELTA = "1e-6"
"""The delta of all points."""
_ABOUT = """# How near the two sides are

Made by `python -m shuffleproof.report.target_table`; a test recomputes it. Epsilon at
$\\delta = 10^{-6}$, replace-one, from below and from above, as `epsilon` answers where no method is
named, and the larger over the smaller (rounded up) beside what was aimed at. For all randomizers
both sides speak of adaptive sequences; for a named one of all datasets from above and of
homogeneous ones from below, which {doc}`controlled-sum` cannot pass for few users.

| randomizer | $\\varepsilon_0$ | $n$ | at least | at most | ratio | aim | |
|---|---|---|---|---|---|---|---|
"""
_SLACK = Fraction(2, 10**4)
"""A ratio that is recomputed may differ by so much, from one machine to another: less than two units of its last digit."""


@dataclass(frozen=True)
class Aim:
    """A randomizer, n, and the largest ratio of upper to lower bound that is aimed at."""

    words: str
    randomizer: Randomizer
    n: int
    ratio: Fraction

    def bracket(self) -> Bracket:
        """Return what is known of its epsilon."""
        found = shuffled(self.randomizer, n=self.n).epsilon(delta=DELTA)
        assert isinstance(found, Bracket)
        return found

    def row(self) -> list[str]:
        """The cells of its row."""
        found = self.bracket()
        assert found.lower is not None
        low, high = found.lower.lower, found.upper.upper
        ends = decimal_text(low, digits=6, direction="down"), decimal_text(high, digits=6, direction="up")
        ratio = decimal_text(high / low, digits=5, direction="up")
        met = "" if high <= low * self.ratio else "missed"
        local = str(getattr(self.randomizer, "epsilon0"))  # noqa: B009
        return [self.words, local, f"{self.n:,}", *ends, ratio, decimal_text(self.ratio, digits=5, direction="down"), met]

    def agrees(self, row: list[str]) -> bool:
        """Return whether what is known today is what the row says, or nearer by no more than a machine's last digit."""
        today = self.row()
        return row[:3] == today[:3] and abs(Fraction(today[5]) - Fraction(row[5])) <= _SLACK and row[6:] == today[6:]


def _aims() -> tuple[Aim, ...]:
    two, eight = Fraction("1.002"), Fraction("1.008")
    every = [Aim("all, adaptive", AnyRandomizer(epsilon0=1), n, two) for n in (100, 300, 1000, 10**4, 10**6, 10**8)]
    every += [Aim("all, adaptive", AnyRandomizer(epsilon0=e), n, eight) for e in (2, 3, 4, 5) for n in (100, 300, 1000, 10**4, 10**6)]
    leaking = [(1, n, two) for n in (1000, 10**4, 10**6)] + [(3, n, eight) for n in (1000, 10**4, 10**6)]
    every += [Aim("all, adaptive, delta0 = 1e-8", ApproximateRandomizer(epsilon0=e, delta0="1e-8"), n, aim) for e, n, aim in leaking]
    few = {1: {100: "1.02", 300: "1.007", 1000: "1.005", 10**4: "1.005"}, 3: {1000: "1.02", 10**4: "1.02"}}
    for e, aims in few.items():
        named = {
            "RAPPOR": RAPPOR(epsilon0=e),
            "hashing into 2": LocalHashing(buckets=2, epsilon0=e, family="uniform"),
            "hashing into 4": LocalHashing(buckets=4, epsilon0=e, family="uniform"),
            "k-RR, k = 3": KRR(k=3, epsilon0=e),
            "Laplace noise": Laplace(epsilon0=e),
        }
        every += [Aim(words, of, n, Fraction(ratio)) for words, of in named.items() for n, ratio in aims.items()]
    return tuple(every)


AIMS = _aims()
"""The points of the table."""


def markdown() -> str:
    """Return the page; asks for every point."""
    return _ABOUT + "".join(f"| {' | '.join(aim.row())} |\n" for aim in AIMS)


def rows_of(page: str) -> list[list[str]]:
    """Return the cells of the rows of a page."""
    lines = [line for line in page.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


if __name__ == "__main__":
    print(markdown(), end="")
