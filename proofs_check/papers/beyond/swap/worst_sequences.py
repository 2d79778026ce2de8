"""The worst adaptive sequence of few users, over all of them: backward induction over the vertices of what one step may send."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement

from shuffleproof.proofs_check.ledger import EXACT, Budget, Status, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.points import ZERO
from shuffleproof.proofs_check.papers.beyond.variation_ratio.all_sequences import locally_private, supremum
from shuffleproof.spec.bounds.swap import controlled_sum

_POINTS = tuple((Fraction(T), Fraction(E)) for T, E in (("3/2", "1"), ("9/4", "5/4"), ("3", "1"), ("5", "2")))
Point = tuple[tuple[int, ...], int, Fraction, Fraction]


def _cases(budget: Budget) -> list[Point]:
    """List what others hold, numbers of inputs, T and E: three users; in the full run four, and of four inputs three."""
    sizes = [(1, 3), (2, 3), (3, 3), (2, 4)][: budget.pick(quick=2, full=4)]
    return [(held, inputs, *point) for N, inputs in sizes for held in combinations_with_replacement(range(inputs), N) for point in _POINTS]


def _holds(case: Point, bound: Callable[..., Fraction], reached: Callable[..., Fraction]) -> bool:
    held, inputs, T, E = case
    n = len(held) + 1
    worst = supremum(locally_private(inputs=inputs, T=T), held=held, E=E)
    cut = 1 / (3 * (T + 1))
    if any(bound(n=n, T=T, exp_epsilon=E, levels=levels) < worst for levels in ((), (cut,), (cut, 2 * cut))):
        return False
    return len(set(held)) > 1 or held[0] < 2 or worst == reached(n=n, T=T, exp_epsilon=E)


def _nobody_counts(*, n: int, T: Fraction, exp_epsilon: Fraction, levels: Sequence[Fraction] = ()) -> Fraction:
    """Mutant: nothing where nobody has drawn from omega."""
    last = levels[-1] if levels else ZERO
    nobody = controlled_sum.controlled_sums(controlled_sum.clones_losses(T=T, exp_epsilon=exp_epsilon, share=last), n)[n] / n
    whole = controlled_sum.first_arrival(n=n, T=T, exp_epsilon=exp_epsilon, levels=levels)
    return whole - (1 - last) ** (n - 1) * nobody / 2


def _one_distribution(*, n: int, T: Fraction, exp_epsilon: Fraction) -> Fraction:
    """Mutant: binary response at all steps, no largest of several."""
    laws = controlled_sum.corner_losses(T=T, exp_epsilon=exp_epsilon, share=ZERO)[:1]
    return controlled_sum.controlled_sums(laws, n)[n] / n


@derived(
    "BEYOND.first-arrival-few",
    where="controlled sum",
    says="for up to four users whose data take three values, and three whose data take four: the largest D_E over all adaptive sequences "
    "of eps0-DP randomizers is at most first arrival with no, one and two levels, and V_n(0)/n where all others hold one value that is "
    "neither x_0 nor x_1",
    range="(T, E) = (3/2, 1), (9/4, 5/4), (3, 1), (5, 2); n = 2, 3, 4; levels at 1/3 and 2/3 of 1/(T + 1)",
    governs=["spec.bounds.swap.controlled_sum"],
    grounds=["BEYOND.any-law-all-randomizers", EXACT],
    mutants={
        "n + 1 for n": {"bound": lambda *, n, **asked: controlled_sum.first_arrival(n=n + 1, **asked)},
        "half of what is left where nobody has drawn": {"bound": _nobody_counts},
        "max replaced by one distribution": {"reached": _one_distribution},
    },
)
def few(
    budget: Budget,
    *,
    bound: Callable[..., Fraction] = controlled_sum.first_arrival,
    reached: Callable[..., Fraction] = controlled_sum.attained,
) -> Verdict:
    return exhaustive.for_all(_cases(budget), holds=lambda case: _holds(case, bound, reached)).verdict(
        claims=Status.EXHAUSTED,
        domain="all adaptive sequences, by the vertices of every step; all datasets of two to four users",
        witness=str,
    )
