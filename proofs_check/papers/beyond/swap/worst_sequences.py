"""The worst adaptive sequence of few users, over all of them: backward induction over the vertices of what one step may send."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product

from shuffleproof.proofs_check.ledger import EXACT, Budget, Status, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.points import ONE, ZERO
from shuffleproof.spec.bounds.swap import controlled_sum

Ray = tuple[Fraction, ...]
"""How likely a report is by each input, up to a factor: 1 or T."""
State = Mapping[tuple[int, ...], tuple[Fraction, Fraction]]
"""How many users of each input, and of the special one, have reported: the probability of that and of the reports, for x_0 and for x_1."""


def solved(rows: Sequence[Sequence[Fraction]]) -> list[Fraction] | None:
    """Return the solution c of sum_i c_i rows_i = (1, ..., 1); None where the rows are dependent."""
    size = len(rows)
    matrix = [[rows[i][x] for i in range(size)] + [ONE] for x in range(size)]
    for i in range(size):
        pivot = next((k for k in range(i, size) if matrix[k][i]), None)
        if pivot is None:
            return None
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        matrix[i] = [each / matrix[i][i] for each in matrix[i]]
        for k in range(size):
            if k != i and matrix[k][i]:
                matrix[k] = [a - matrix[k][i] * b for a, b in zip(matrix[k], matrix[i], strict=True)]
    return [row[-1] for row in matrix]


@cache
def vertices(inputs: int, T: Fraction) -> tuple[dict[Ray, Fraction], ...]:
    """Return the eps0-DP randomizers that are no mixtures of others, as weights of rays: every step may be taken for one of these.

    What one report shows of the inputs, r with r_x <= T r_y, is a mixture of the rays with values in {1, T}; the value of a state is
    convex and homogeneous, so that a step is a linear program in the weights of these.
    """
    rays = [ray for ray in product((ONE, T), repeat=inputs) if ONE in ray]
    found: list[dict[Ray, Fraction]] = []
    for chosen in combinations(rays, inputs):
        weights = solved(chosen)
        if weights is not None and min(weights) >= 0:
            law = {ray: c for ray, c in zip(chosen, weights, strict=True) if c}
            found += [law] if law not in found else []
    return tuple(found)


def supremum(*, held: Sequence[int], T: Fraction, exp_epsilon: Fraction, inputs: int) -> Fraction:
    """The largest D_E(A(X_0) || A(X_1)) of all adaptive sequences of eps0-DP randomizers on so many inputs; x_0 = 0, x_1 = 1.

    held: what the other users hold.
    """
    n, numbers, laws = len(held) + 1, [held.count(x) for x in range(inputs)], vertices(inputs, T)

    def after(state: State, ray: Ray, left: int) -> State:
        found: dict[tuple[int, ...], tuple[Fraction, Fraction]] = {}
        for used, (p, q) in state.items():
            moves = [
                (x, Fraction(numbers[x] - used[x], left) * ray[x], Fraction(numbers[x] - used[x], left) * ray[x]) for x in range(inputs)
            ]
            moves.append((inputs, Fraction(1 - used[-1], left) * ray[0], Fraction(1 - used[-1], left) * ray[1]))
            for i, of_first, of_second in moves:
                if of_first:
                    at = (*used[:i], used[i] + 1, *used[i + 1 :])
                    a, b = found.get(at, (ZERO, ZERO))
                    found[at] = (a + p * of_first, b + q * of_second)
        return found

    def value(state: State, left: int) -> Fraction:
        if not left:
            ((p, q),) = state.values()
            return max(p - exp_epsilon * q, ZERO)
        known = {ray: value(after(state, ray, left), left - 1) for ray in {ray for law in laws for ray in law}}
        return max(sum((c * known[ray] for ray, c in law.items()), ZERO) for law in laws)

    return value({(0,) * (inputs + 1): (ONE, ONE)}, n)


_POINTS = tuple((Fraction(T), Fraction(E)) for T, E in (("3/2", "1"), ("9/4", "5/4"), ("3", "1"), ("5", "2")))
Point = tuple[tuple[int, ...], int, Fraction, Fraction]


def _cases(budget: Budget) -> list[Point]:
    """List what others hold, numbers of inputs, T and E: three users; in the full run four, and of four inputs three."""
    sizes = [(1, 3), (2, 3), (3, 3), (2, 4)][: budget.pick(quick=2, full=4)]
    return [(held, inputs, *point) for N, inputs in sizes for held in combinations_with_replacement(range(inputs), N) for point in _POINTS]


def _holds(case: Point, bound: Callable[..., Fraction], reached: Callable[..., Fraction]) -> bool:
    held, inputs, T, E = case
    n = len(held) + 1
    worst = supremum(held=held, T=T, exp_epsilon=E, inputs=inputs)
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
