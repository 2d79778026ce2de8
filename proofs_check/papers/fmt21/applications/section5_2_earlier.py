"""FMT21, section 5.2: the earlier analysis of equation (13), in full, and the first step of Proposition 5.3's proof."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product

import sympy

from shuffleproof.proofs_check.ledger import SYMPY, Budget, Cited, Kind, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, symbolic
from shuffleproof.spec.distribution import Distribution, hockey_stick, independent, mixture
from shuffleproof.spec.model import LocalRandomizer, adaptive_shuffled_distribution


@statement(
    "FMT21.Eq13.epsilon",
    where="Section 5.2, equation (13), left of the approximation",
    says="subsampling and advanced composition give eps = O(sqrt(log(1/delta) n) log(1 + (e^eps0 - 1)/n) + (e^eps0 - 1) log(1 + (e^eps0 - "
    "1)/n)): n steps of eps1 = log(1 + (e^eps0 - 1)/n), of which n eps1 (e^eps1 - 1) is the second term",
    range="all n, eps0 >= 0, delta in (0, 1); sqrt(2) for the constant of the first term",
    grounds=[
        SYMPY,
        Cited("advanced composition: eps1 sqrt(2 n ln(1/delta)) + n eps1 (e^eps1 - 1)", "known-facts#rounds-of-the-worst-pair"),
    ],
    mutants={"a sample of two of n users in a step": {"sampled": 2}, "without n in the second term of composition": {"steps": 0}},
    missing="advanced composition, which is written out; CSUZZ19.Lem3.3 has its constant",
)
def in_full(budget: Budget, *, sampled: int = 1, steps: int = 1) -> Verdict:
    """t for e^eps0 - 1 and s for eps1, which is a symbol beside e^eps1 - 1 = sampled t/n."""
    n, t, s, root = sympy.symbols("n t s r", positive=True)  # r = sqrt(n log(1/delta))
    composed = sympy.sqrt(2) * root * s + n**steps * s * (sampled * t / n)
    displayed = sympy.sqrt(2) * root * s + t * s
    domain = "all n, eps0, delta"
    if symbolic.is_zero(sympy.expand((composed - displayed) / s)):
        return Verdict.proved(domain=domain, cases=1, slack="0: the two sums are the same, with sqrt(2) on the first term")
    return Verdict.refuted("n = 2, e^eps0 = 3: the second terms differ", domain=domain, cases=1)


def _told(steps: int, share: Fraction, data: Sequence[int]) -> Distribution[tuple[int, ...]]:
    """Each step takes one user, with replacement, and reveals his value with probability `share`, else nothing (-1)."""
    one = mixture([(share, Distribution.uniform(list(data))), (1 - share, Distribution.point(-1))])
    return independent([one] * steps)


@statement(
    "FMT21.Eq13.delta",
    where="Section 5.2, before equation (13)",
    kind=Kind.MISPRINT,
    says="for any delta > 0 the analysis of sampling with replacement gives (eps, n delta + delta0/n)-DP, eps as in (13)",
    range="all n, delta > 0, (eps0, delta0)-DP steps",
    mutants={"the corrected statement with delta0/2": {"share": Fraction(1, 2)}},
)
def loss_of_sampling(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """Steps that reveal the value with probability delta0, else nothing: eps0 = 0, so (13) is 0 whatever its constant."""

    def reached(n: int, delta0: Fraction) -> Fraction:
        laws = [_told(n, delta0, data) for data in ((1, *(0,) * (n - 1)), (0,) * n)]
        return max(hockey_stick(p, q, exp_epsilon=Fraction(1)) for p, q in (laws, laws[::-1]))

    n, delta0, delta = 2, Fraction(1, 2), Fraction(1, 100)
    true, printed = reached(n, delta0), n * delta + delta0 / n
    cases = list(product(range(1, budget.pick(quick=5, full=6)), map(Fraction, ("1/10", "1/2", "9/10"))))
    against = next(
        (f"n = {m}, delta0 = {d}, delta -> 0: {reached(m, d)} is more than {share * d}" for m, d in cases if reached(m, d) > share * d),
        None,
    )
    return erratum(
        witness=f"n = 2, delta0 = 1/2, delta = 1/100, each step reveals the value of the sampled user with probability delta0 (eps0 = 0, "
        f"so eps = 0): (0, {true}) is needed, {printed} is stated",
        is_witness=true > printed,
        corrected="(eps, delta + delta0): n steps of (eps1, delta0/n), and the slack delta of advanced composition",
        counterexample=against,
        domain=f"the stated witness; n < {budget.pick(quick=5, full=6)}, delta0 = 1/10, 1/2, 9/10 for what holds instead",
        cases=1 + len(cases),
    )


_VALUES = (-1, 0, 2)  # all data of a user: of both signs, and of different size
_NOISE = Distribution({-1: Fraction(1, 4), 0: Fraction(1, 2), 1: Fraction(1, 4)})


def _gradient(theta: int, x: int) -> int:
    """Return the gradient of the loss (theta - x)^2/2, clipped to norm 1."""
    return max(-1, min(1, theta - x))


def _step(theta: int, x: int) -> Distribution[int]:
    return _NOISE.map(lambda b: theta - (_gradient(theta, x) + b))


def _descended(data: Sequence[int], start: int) -> Distribution[int]:
    """Algorithm 2 as it runs: a random order, then one step after the other on theta."""
    laws = []
    for order in permutations(data):
        law: Distribution[int] = Distribution.point(start)
        for x in order:
            law = mixture([(weight, _step(theta, x)) for theta, weight in law.items()])
        laws.append(law)
    return mixture([(Fraction(1, len(laws)), law) for law in laws])


@statement(
    "FMT21.Prop5.3.step-output",
    says="with R^(i)(z_1, ..., z_(i-1), x) the distribution of theta_i, the output of Algorithm 2 is a post-processing of the shuffled "
    "output A_s(X)",
    range="the corrected algorithm, which adds the clipped gradient",
    governs=["spec.model", "impl.fast.protocols.shuffled_sgd"],
    mutants={"every step starts from theta_0": {"remembers": False}, "the first of the outputs": {"last": False}},
)
def output(budget: Budget, *, remembers: bool = True, last: bool = True) -> Verdict:
    """The distribution of theta_n in Algorithm 2, against that of A_s(X)'s last entry, exactly, on integers with noise in {-1, 0, 1}."""

    def holds(data: tuple[int, ...], start: int) -> bool:

        def randomizer(z: tuple[int, ...]) -> LocalRandomizer[int, int]:
            theta = z[-1] if z and remembers else start
            return LocalRandomizer(_VALUES, {x: _step(theta, x) for x in _VALUES})

        shown = adaptive_shuffled_distribution([randomizer] * len(data), data)
        return shown.map(lambda z: z[-1] if last else z[0]) == _descended(data, start)

    datasets = [data for n in (1, 2, 3) for data in product(_VALUES, repeat=n)]
    return exhaustive.for_all(product(datasets, (0, 1)), holds=holds).verdict(
        domain="users with values -1, 0, 2, n <= 3, theta_0 = 0, 1, the loss (theta - x)^2/2 with clipped gradients, noise in {-1, 0, 1}"
    )


Displayed = Callable[[int, int, int], Distribution[int]]
"""From theta, the argument x and the user whose turn it is to the distribution of the next theta."""


def _as_printed(theta: int, _: int, turn: int) -> Distribution[int]:
    """The display read symbol by symbol: its gradient is not clipped and taken at x_pi(i), so that nothing depends on x."""
    return _NOISE.map(lambda b: theta - (theta - turn + b))


def _shows_the_algorithm(displayed: Displayed) -> str:
    """Where A_s of the display, whose permutation is drawn afresh, does not end as Algorithm 2 does with clipped gradients."""
    for data, start in product((data for n in (1, 2, 3) for data in product(_VALUES, repeat=n)), (0, 1)):

        def randomizer(z: tuple[int, ...], data: Sequence[int] = data, start: int = start) -> LocalRandomizer[int, int]:
            theta, turn = z[-1] if z else start, data[len(z)]
            return LocalRandomizer(_VALUES, {x: displayed(theta, x, turn) for x in _VALUES})

        if adaptive_shuffled_distribution([randomizer] * len(data), data).map(lambda z: z[-1]) != _descended(data, start):
            return f"x = {data}, theta_0 = {start}: the distributions differ"
    return ""


@statement(
    "FMT21.Prop5.3.step-randomizer",
    where="Section 5.2, proof of Proposition 5.3, the first display",
    kind=Kind.MISPRINT,
    says="Algorithm 2 is A_s of R^(i)(z, x) = theta_(i-1)(z) - eta_t (grad l(theta_(i-1)(z), x_pi(i)) + b_i)",
    range="all losses, learning rates and data; t, which the text does not define, read as i",
    mutants={
        "the gradient at x, not clipped": {"corrected": lambda theta, x, _: _as_printed(theta, x, x)},
        "the clipped gradient at x_pi(i)": {"corrected": lambda theta, _, turn: _step(theta, turn)},
    },
)
def randomizer_of_a_step(budget: Budget, *, corrected: Displayed = lambda theta, x, _: _step(theta, x)) -> Verdict:
    """The right side, as printed, does not depend on x: every R^(i) is 0-DP, and A_s, which permutes the data, is not the algorithm."""
    printed, against = _shows_the_algorithm(_as_printed), _shows_the_algorithm(corrected)
    return erratum(
        witness=f"the right side depends on x_pi(i), and not on x; eta_t and the unclipped gradient for eta_i and g~_i. {printed}",
        is_witness=bool(printed),
        corrected="R^(i)(z, x) = theta_(i-1)(z) - eta_i (g~ + b_i), g~ the gradient at theta_(i-1)(z) and x, clipped to norm 1",
        counterexample=against or None,
        domain="users with values -1, 0, 2, n <= 3, theta_0 = 0, 1, the loss (theta - x)^2/2, noise in {-1, 0, 1}, eta_i = 1",
        cases=156,
    )
