"""CSUZZ19, section 6.2: the central baselines, and Table 1 with numbers in it."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from flint import arb

from shuffleproof.impl.ball.bounds.samples import necessary_samples, sufficient_samples
from shuffleproof.impl.ball.numeric.arithmetic import ball
from shuffleproof.proofs_check.ledger import BALLS, EXACT, Budget, Row, Verdict, conjunction, recalled, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.proofs_check.ledger.methods.shares import at_most_claimed, enough_users
from shuffleproof.proofs_check.ledger.points import TENTH
from shuffleproof.spec.distribution import hockey_stick, max_divergence
from shuffleproof.spec.protocols import central


@statement(
    "CSUZZ19.Sec6.2.1.remark-central",
    where="Section 6.2.1, after Corollary 6.6",
    says="in the central model the exponential mechanism solves selection with n = O(log d/eps), and this is optimal: what is enough "
    "is at most 4 times what a packing needs",
    range="eps > 0, d >= 2; the factor 4 is ours, at the listed points",
    governs=["spec.protocols.central", "impl.ball.bounds.samples.sufficient_samples"],
    grounds=[EXACT, BALLS],
    mutants={"e^(eps score/1.98)": {"half": Fraction(99, 50)}, "at most 2 times": {"factor": Fraction(2)}},
)
def exponential(budget: Budget, *, half: int = 2, factor: Fraction = Fraction(4)) -> Verdict:
    """Privacy over all score changes, and the worst failure probability, exactly; half = 1 puts e^eps where e^(eps/2) belongs."""
    E = Fraction(3, 2)  # e^(eps/2)
    most = budget.pick(quick=3, full=4)

    def cases() -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        scores = [s for d in (2, 3) for s in product(range(most), repeat=d)]
        moves = {d: list(product((-1, 0, 1), repeat=d)) for d in (2, 3)}
        far = [((60, 0, 0), (59, 1, 1)), ((59, 1, 1), (60, 0, 0))]  # nearly e^eps: the sums of weights are those of the first
        return [*far, *((s, tuple(a + b for a, b in zip(s, move, strict=True))) for s in scores for move in moves[len(s)])]

    def holds(case: tuple[tuple[int, ...], tuple[int, ...]]) -> bool:
        p, q = (central.exponential_mechanism(s, exp_half_epsilon=E ** (3 - half)) for s in case)
        ratio = max_divergence(p, q)
        if ratio is None or ratio > E**2:
            return False
        scores, d = case[0], len(case[0])
        x = (d - 1) * E**-2  # all others 2 = floor(alpha n) + 1 below, alpha n = 1
        return half == 1 or central.selection_failure(scores, exp_half_epsilon=E, slack=Fraction(1)) <= x / (1 + x)

    def reached() -> Iterator[tuple[str, Fraction]]:
        for d, epsilon in product((10**2, 10**4, 10**9), map(Fraction, ("1", "1/10"))):
            enough = sufficient_samples.central_selection(d=d, alpha=TENTH, epsilon=epsilon, beta=TENTH)
            needed = necessary_samples.central_selection(d=d, alpha=TENTH, epsilon=epsilon, delta=Fraction(0), success=1 - TENTH)
            yield f"d = {d}, eps = {epsilon}", enough / (factor * needed)

    found = exhaustive.for_all(cases(), holds=holds)
    worst = central.selection_failure((2, 0, 0), exp_half_epsilon=E, slack=Fraction(1)) == (2 * E**-2) / (1 + 2 * E**-2)
    solved = found.verdict(
        domain=f"e^(eps/2) = 3/2, all scores below {most} of d <= 3, all changes by at most 1",
        witness=lambda c: f"scores {c[0]} and {c[1]}",
        note="fails with probability at most x/(1 + x), x = (d - 1) e^(-eps (floor(n/10) + 1)/2): n = (20/eps) ln(10 d) users are enough, "
        "and 10 (ln(0.9 d)/eps - 1) are needed by a packing (impl.ball.bounds.samples.necessary_samples)",
        given=worst,
    )
    optimal = at_most_claimed(
        reached(), domain="d = 10^2, 10^4, 10^9, eps = 1, 1/10", slack="what is enough is at most {} of the factor times what is needed"
    )
    return conjunction([solved, optimal])


@statement(
    "CSUZZ19.Sec6.2.2.remark-central",
    where="Section 6.2.2, after Corollary 6.8",
    says="in the central model histograms can be released with an error that does not depend on d, which may be infinite: "
    "the stability-based histogram is (2 eps_bin, Pr[1 + noise >= threshold])-DP; noise on every bin is 2 eps_bin-DP",
    range="eps_bin > 0, threshold >= 1",
    governs=["spec.protocols.central"],
    weaker={"lower_threshold": "smaller"},
    mutants={"released from threshold - 1 on": {"lower_threshold": 1}, "eps_bin for 2 eps_bin": {"power": 1}},
)
def stability(budget: Budget, *, lower_threshold: int = 0, power: int = 2) -> Verdict:
    """The exact profile of neighbouring histograms at e^(power eps_bin) against q, q reached; and the geometric one, pure."""
    cases = [
        (E, threshold, moved)
        for E in map(Fraction, ("3/2", "2", "3"))
        for threshold in range(2, budget.pick(quick=4, full=6))
        for moved in product(range(1, 4), range(3))
    ]
    reached: set[tuple[Fraction, int]] = set()

    def holds(case: tuple[Fraction, int, tuple[int, int]]) -> bool:
        E, threshold, (a, b) = case
        laws = [
            central.stability_histogram(counts, exp_epsilon_bin=E, threshold=threshold - lower_threshold, high=threshold + 2)
            for counts in ((a, b), (a - 1, b + 1))
        ]
        delta = max(hockey_stick(*laws, exp_epsilon=E**power), hockey_stick(laws[1], laws[0], exp_epsilon=E**power))
        bound = central.stability_delta(exp_epsilon_bin=E, threshold=threshold)
        if delta == bound:
            reached.add((E, threshold))
        noisy = [central.geometric_histogram(counts, exp_epsilon_bin=E, low=-2, high=4) for counts in ((a, b), (a - 1, b + 1))]
        ratio = max_divergence(*noisy)
        return delta <= bound and ratio is not None and ratio <= E**power

    found = exhaustive.for_all(cases, holds=holds)
    is_reached = len(reached) == len({case[:2] for case in cases})
    return found.verdict(
        domain=f"e^eps_bin = 3/2, 2, 3; all changed pairs of bins with counts up to 3; {found.cases} cases; other bins have the same "
        f"distribution",
        witness=lambda c: f"e^eps_bin = {c[0]}, threshold = {c[1]}, counts {c[2]} against {(c[2][0] - 1, c[2][1] + 1)}",
        slack="0: delta = Pr[1 + noise >= threshold] is reached where a bin of one user empties" if is_reached else None,
        note="an empty bin is never released, so d may be infinite; any n with n/10 above the threshold and the noise will do",
    )


@statement(
    "CSUZZ19.Sec6.2.1.remark-local",
    where="Section 6.2.1, after Corollary 6.6",
    says="in the local model d log d/eps^2 users are sufficient for selection: 800 d ln(20 d) ((e^eps + 1)/(e^eps - 1))^2 for accuracy "
    "n/10 with probability 9/10",
    range="the constant is ours, at the listed points",
    governs=["impl.ball.bounds.samples.sufficient_samples"],
    grounds=[BALLS, "CSUZZ19.ThmE.3"],
    mutants={"1 for 800": {"constant": 1}},
)
def local_selection(budget: Budget, *, constant: int = 800) -> Verdict:
    """constant d ln(20 d) ((e^eps + 1)/(e^eps - 1))^2 users, at points: at least the certified n, or fewer than local protocols need."""

    def points() -> Iterator[tuple[str, arb, int, int]]:
        for d, epsilon in product((2, 10, 10**3, 10**6), map(Fraction, ("1/10", "1", "3"))):
            T = ball(epsilon).exp()
            claimed = constant * d * ball(20 * d).log() * ((T + 1) / (T - 1)) ** 2
            enough = sufficient_samples.local_selection(d=d, alpha=TENTH, epsilon=epsilon, beta=TENTH)
            needed = necessary_samples.local_selection(d=d, alpha=TENTH, epsilon=epsilon, success=1 - TENTH)
            yield f"d = {d}, eps = {epsilon}", claimed, enough, needed

    return enough_users(points(), domain="12 points: d = 2 to 10^6, eps = 1/10, 1, 3", note="the necessary side is Theorem 6.5")


Setting = tuple[Fraction, Fraction, Fraction, int]
"""eps, delta, alpha, d."""


def ends(at: Setting) -> dict[str, tuple[int, int]]:
    """For every row and model of Table 1: a number of users that is needed, and one that is enough, for probability 9/10.

    What is needed in the central model is needed in all.
    """
    epsilon, delta, alpha, d = at
    need, enough, right = necessary_samples, sufficient_samples, 1 - TENTH
    mean_needed = need.central_mean(alpha=alpha, epsilon=epsilon, delta=delta, success=right)
    selection_needed = need.central_selection(d=d, alpha=TENTH, epsilon=epsilon, delta=delta, success=right)
    histogram_needed = need.central_histogram(d=d, alpha=TENTH, epsilon=epsilon, delta=delta, success=right)
    local_mean_needed = need.local_mean(alpha=alpha, epsilon=epsilon, success=right)
    local_mean = enough.local_mean(alpha=alpha, epsilon=epsilon, beta=TENTH)
    one_selection = need.one_message_selection(d=d, alpha=TENTH, epsilon=epsilon, delta=delta, success=right)
    one_histogram = need.one_message_histogram(d=d, alpha=TENTH, epsilon=epsilon, delta=delta, success=right)
    given = {"alpha": TENTH, "epsilon": epsilon, "delta": delta, "beta": TENTH}
    return {
        "bit mean, central": (mean_needed, enough.central_bit_mean(alpha=alpha, epsilon=epsilon, beta=TENTH)),
        "bit mean, shuffled": (mean_needed, enough.shuffled_bit_mean(alpha=alpha, epsilon=epsilon, delta=delta, beta=TENTH)),
        "bit mean, local": (max(mean_needed, local_mean_needed), local_mean),
        "real mean, central": (mean_needed, enough.central_real_mean(alpha=alpha, epsilon=epsilon, beta=TENTH)),
        "real mean, one message": (mean_needed, enough.shuffled_real_mean(alpha=alpha, epsilon=epsilon, delta=delta, beta=TENTH, r=1)),
        "real mean, shuffled": (
            mean_needed,
            enough.best_shuffled_real_mean(alpha=alpha, epsilon=epsilon, delta=delta, beta=TENTH, most_runs=40)[0],
        ),
        "real mean, local": (max(mean_needed, local_mean_needed), local_mean),
        "selection, central": (selection_needed, enough.central_selection(d=d, alpha=TENTH, epsilon=epsilon, beta=TENTH)),
        "selection, one message": (max(selection_needed, one_selection), enough.one_message_selection(d=d, **given)),
        "selection, shuffled": (selection_needed, enough.shuffled_selection(d=d, **given)),
        "selection, local": (
            max(selection_needed, need.local_selection(d=d, alpha=TENTH, epsilon=epsilon, success=right)),
            enough.local_selection(d=d, alpha=TENTH, epsilon=epsilon, beta=TENTH),
        ),
        "histogram, central": (histogram_needed, enough.central_histogram(d=d, alpha=TENTH, epsilon=epsilon, beta=TENTH)),
        "histogram, central, any d": (
            need.central_histogram(d=2, alpha=TENTH, epsilon=epsilon, delta=delta, success=right),
            enough.stability_histogram(alpha=TENTH, epsilon=epsilon, delta=delta, beta=TENTH),
        ),
        "histogram, one message": (max(histogram_needed, one_histogram), enough.one_message_histogram(d=d, **given)),
        "histogram, shuffled": (histogram_needed, enough.shuffled_histogram(d=d, **given)),
        "histogram, local": (
            max(histogram_needed, need.local_histogram(d=d, alpha=TENTH, epsilon=epsilon, success=right)),
            enough.local_histogram(d=d, alpha=TENTH, epsilon=epsilon, beta=TENTH),
        ),
    }


@recalled(
    "CSUZZ19.Tab1",
    says="how many users four problems need in the central, one-message shuffled, shuffled and local models: every cell with a number that "
    "is needed and one that is enough",
    governs=["impl.ball.bounds.samples.necessary_samples", "impl.ball.bounds.samples.sufficient_samples"],
    grounds=[
        BALLS,
        "CSUZZ19.Thm6.5",
        "CSUZZ19.Thm6.7",
        Row("CSUZZ19.Cor6.6", corrected=True),
        Row("CSUZZ19.Cor6.8", corrected=True),
        "CSUZZ19.Lem4.8.all",
        "FMT21.Thm3.1",
    ],
    mutants={
        "local selection takes as many users as are needed for it times ten thousand": {
            "scale": lambda cell: 10_000 if cell == "selection, local" else 1
        },
        "a hundred times more users are needed for a central mean": {"scale": lambda cell: 100 if cell == "bit mean, central" else 1},
    },
)
def table(budget: Budget, *, scale: Callable[[str], int] = lambda cell: 1) -> Verdict:
    """needed <= enough in every cell, at every setting: two computations that know nothing of each other."""
    settings = list(
        product(
            map(Fraction, ("1/10", "1/2", "9/10")),
            (Fraction(1, 10**6),) if budget.depth == "quick" else (Fraction(1, 10**6), Fraction(1, 10**9)),
            (Fraction(1, 100),),
            (10, 10**4) if budget.depth == "quick" else (10, 100, 10**4, 10**6),
        )
    )
    reached = (
        (f"{cell}: eps = {at[0]}, delta = {at[1]}, alpha = {at[2]}, d = {at[3]}", Fraction(needed * scale(cell), enough))
        for at in settings
        for cell, (needed, enough) in ends(at).items()
    )
    return at_most_claimed(
        reached,
        domain=f"{len(settings)} settings (eps, delta, d), alpha = 1/100 for means and 1/10 else, probability 9/10",
        slack="what is needed is at most {} of what is enough",
        note='the numbers: "shuffleproof figure csuzz19-table1". The O() and Omega() of the printed table are statements of their own',
    )
