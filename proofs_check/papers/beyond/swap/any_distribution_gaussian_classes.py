"""The random-swap bound of narrow Gaussian noise: one large loss, whatever the others hold."""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any
from unittest.mock import patch

import numpy as np
from hypothesis import strategies as st

from shuffleproof.impl.fast.bounds.blanket import gaussian_reports, one_large_loss
from shuffleproof.impl.fast.bounds.blanket.one_sum import Losses
from shuffleproof.impl.fast.bounds.blanket.randomizer_distributions import Atoms, as_losses
from shuffleproof.impl.fast.bounds.swap import gaussian_large_losses
from shuffleproof.impl.fast.bounds.swap.gaussian_inputs import Inputs
from shuffleproof.impl.fast.bounds.swap.means_beyond import above
from shuffleproof.proofs_check.ledger import EXACT, Budget, Status, Verdict, derived
from shuffleproof.proofs_check.ledger.methods import sampled
from shuffleproof.proofs_check.ledger.methods.masses import positive_part, sum_of
from shuffleproof.proofs_check.papers.beyond.swap.any_distribution_gaussian_places import Masses, in_floats
from shuffleproof.proofs_check.papers.beyond.swap.any_distribution_places_of_laplace_noise import worth

_SIGMA, _Z, _N, _E = Fraction(1, 4), Fraction(5), 10**4, math.exp(8.0)
_REVEALED = math.erfc(float(_Z) / math.sqrt(2))
_STEPS = 1 << 13  # cells of the line


@st.composite
def _two_classes(draw: st.DrawFn) -> tuple[Masses, Masses, int]:
    """A loss with a large one, rarely, and nothing else; one that is seldom far below 0; and so many users."""
    p, small, n = Fraction(draw(st.integers(1, 10)), 2000), draw(st.integers(3, 5)), draw(st.integers(2, 5))
    first = {Fraction(draw(st.integers(30, 90))): p, Fraction(-small): 1 - p}
    low, rare = draw(st.integers(-3, 0)), Fraction(1, draw(st.integers(4, 8)))
    other = draw(st.sampled_from([Fraction(0), Fraction(1, 1000)]))
    return first, {Fraction(low): 1 - rare - other, Fraction(-16): rare, Fraction(60): other}, n


def _largest(several: Iterable[Atoms], thresholds: Any) -> Any:
    """Return the largest E(L - t)_+ of several distributions, at each threshold t."""
    return np.max([[worth(atoms, t) for t in thresholds] for atoms in several], axis=0)


def _either(first: Masses, second: Masses) -> Losses:
    """The least distribution above both in the increasing convex order, by second differences of the larger mean beyond each integer."""
    knots = np.arange(-17.0, 92.0)
    beyond = _largest((in_floats(first), in_floats(second)), knots)
    return above(beyond * (1 + 1e-12) + np.minimum(knots, 0.0), knots)


def _classes_hold(drawn: tuple[Masses, Masses, int], bound: Callable[..., float | None]) -> bool:
    """Return whether the bound is above the exact sums of so many users, however many of each class."""
    first, second, n = drawn
    found = bound(*(as_losses(in_floats(law)) for law in (first, second)), _either(first, second), n=n)
    exact = max(positive_part(sum_of([first] * k + [second] * (n - k))) for k in range(n + 1)) / n
    return found is None or exact <= Fraction(found) * (1 + Fraction(1, 10**9))


def _triples_covered(classes: Callable[..., Any]) -> str:
    """Say which triple of inputs has a mean of losses beyond some threshold that neither class has, or nothing."""
    thresholds = _E * np.array([-50.0, -4.0, -1.5, -1.01, -0.9, -0.3, 0.0, 0.01, 1.0, 30.0, 1e3, 1e4, 1e5])
    known = [_largest(each, thresholds) for each in classes(_SIGMA, _Z, _N, _E)]
    inputs = Inputs(_SIGMA, _Z, _STEPS)
    for triple in product((0, 250, 512, 700, 880, 1001, 1024), repeat=3):
        (first, _), (second, _), (other, _) = (inputs.distribution(x) for x in triple)
        own = _largest([(other, (first - _E * second) / other, 0.0)], thresholds)
        if not any((own <= each * (1 + 1e-5) + _REVEALED + 1e-9).all() for each in known):
            return f"{triple}"
    return ""


def _taking(*places: int) -> Callable[..., float | None]:
    """Mutant: the distributions at these places (far, near, the one that dominates both) for the three."""
    return lambda *classes, n: one_large_loss.of_two_classes(*(classes[place] for place in places), n=n)


def _never_together(*classes: Losses, n: int) -> float | None:
    """Mutant: two large losses add nothing."""
    with patch.object(one_large_loss, "two_large", return_value=0.0):
        return one_large_loss.of_two_classes(*classes, n=n)


@derived(
    "BEYOND.any-law-one-large-loss-of-classes",
    says="let each of S independent losses be at most one of two distributions, far or near, in the order of increasing convex "
    "functions, a third above both, and b, a, f, p as for one large loss. If k of them are far, k_0 <= k <= k_1, E(sum L)_+ is at most "
    "that of k_0 far losses, S - k_1 near ones and k_1 - k_0 of the third distribution: at most the sum of the means of their f over "
    "the others' a, and what no, two and more large losses add. Of Gaussian noise on [0, 1] the loss of every other user is at most far, "
    "or near, beside what is revealed",
    range="all independent losses of two classes; the engine: Gaussian noise, sigma from 1/10 on, inputs in [0, 1], n",
    governs=["impl.fast.bounds.swap.gaussian_large_losses", "impl.fast.bounds.blanket.one_large_loss"],
    grounds=[
        "noise-on-an-interval#one-large-loss-whatever-the-others-hold",
        "BEYOND.any-law-one-large-loss",
        "BEYOND.any-law-gaussian-triples",
        "BEYOND.swap-in-order",
        EXACT,
    ],
    mutants={
        "all users are far": {"bound": _taking(0, 0, 0)},
        "users of both classes are never together": {
            "bound": lambda first, second, either, *, n: max(
                one_large_loss.of_two_classes(each, each, each, n=n) or 0.0 for each in (first, second)
            )
        },
        "the third distribution is the far one": {"bound": _taking(0, 1, 0)},
        "the third distribution is the near one": {"bound": _taking(0, 1, 1)},
        "two large losses never come together": {"bound": _never_together},
        "there are no near users": {"classes": lambda *asked: gaussian_large_losses.classes_at(*asked)[:1]},
        "a standard deviation a tenth larger": {"wider": Fraction(11, 10)},
    },
    missing="more users than are enumerated; inputs, orders and thresholds other than those compared",
)
def one_large_of_classes(
    budget: Budget,
    *,
    bound: Callable[..., float | None] = one_large_loss.of_two_classes,
    classes: Callable[..., Any] = gaussian_large_losses.classes_at,
    wider: Fraction = Fraction(1),
) -> Verdict:
    if witness := _triples_covered(classes):
        return Verdict.refuted(f"inputs {witness} in 1024ths", domain="triples of inputs", cases=1)
    for sigma, n, delta in ((Fraction(1, 4), 10**4, Fraction(1, 1000)), (Fraction(1, 2), 1000, Fraction(1, 10**6))):
        found = gaussian_large_losses.epsilon(n=n, sigma=sigma * wider, delta=delta)
        below = gaussian_reports.epsilon_below(n=n, sigma=sigma, delta=delta)
        if found is None or found[0] < below.lower:
            return Verdict.refuted(f"sigma = {sigma}, n = {n}", domain="one pair of datasets", cases=1)
    return sampled.for_all(_two_classes(), holds=lambda drawn: _classes_hold(drawn, bound), budget=budget, quick=40, full=300).verdict(
        claims=Status.ARGUED,
        domain="all losses and inputs by the argument; all compositions of two random classes of up to five users; 343 triples of "
        "inputs at 13 thresholds, and two pairs of datasets",
        witness=lambda drawn: f"{drawn}",
    )
