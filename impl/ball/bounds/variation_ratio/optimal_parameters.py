"""p, beta and q of a randomizer by closed forms (BEYOND.Parameters), rounded up, and the optimal pair with them, certified."""

from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.variation_ratio import optimal_pair
from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, expm1_of, precision, under_first, upper_end, weights_of
from shuffleproof.impl.ball.numeric.results import certified
from shuffleproof.spec.vocabulary.asking import Found
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.likelihoods import Classes, exact_weights
from shuffleproof.spec.vocabulary.methods.randomizer_distributions import RANDOMIZER_PAIR
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, epsilon0_parameter


def parameters(*, randomizer: NamedRandomizer, epsilon0: Number | Epsilon, digits: int = 30) -> tuple[Fraction, Fraction, Fraction]:
    """(p, beta, q) of a randomizer by its name, each at least its exact value and at most 1 + 10^-digits of it; exact where rational.

    randomizer: a record of spec.vocabulary.randomizers; epsilon0 in [0, 10000].
    beta is 1 - e^(-eps0/2) for Laplace noise, and (T - 1) c/(T a + b), T = e^eps0, for others: c is the weight of the outputs that prefer
    one of two inputs only, a of those that prefer it, b of those that do not. Raises DomainError.
    """
    local, wanted = epsilon0_parameter(epsilon0), count(digits, parameter="digits", maximum=10_000)
    if local.exp == 1:
        return Fraction(1), Fraction(0), Fraction(1)
    # T - 1 and r - 1 may be far smaller than T: so many bits more.
    smallest = local.bounds(bits=32)[0]  # perhaps far below what a float holds
    lost = max(0, smallest.denominator.bit_length() - smallest.numerator.bit_length() + 1)
    bits = 4 * wanted + 2 * lost + 32
    T = local.exp_bounds(bits=bits)[1]
    with precision(bits + 32):
        if randomizer.noise:
            return T, 1 - 1 / upper_end(ball(T).sqrt()), T
        return T, min(Fraction(1), _beta(randomizer.furthest.two_inputs(local), local)), T


@certified(RANDOMIZER_PAIR)
def delta(*, n: int, randomizer: NamedRandomizer, epsilon0: Epsilon, epsilon: Epsilon, digits: int = 15) -> Found | Bound:
    """delta of the optimal pair with the randomizer's p, beta and q, rounded up (BEYOND.ThmF3); exactly 0 where epsilon >= epsilon0."""
    if epsilon >= epsilon0:
        return Found.exactly(0)
    return optimal_pair.delta(n=n, **_rounded_up(randomizer, epsilon0, n, digits), epsilon=epsilon, digits=digits)


@certified(RANDOMIZER_PAIR)
def epsilon(*, n: int, randomizer: NamedRandomizer, epsilon0: Epsilon, delta: Fraction, digits: int = 15) -> Found | Bound:
    """Least epsilon at which that delta is at most delta (BEYOND.ThmF3); exactly epsilon0 at delta = 0."""
    if delta == 0:
        return Found.exactly_epsilon(epsilon0, bits=4 * digits + 16)
    return optimal_pair.epsilon(n=n, **_rounded_up(randomizer, epsilon0, n, digits), delta=delta, digits=digits)


@certified(RANDOMIZER_PAIR)
def renyi(*, n: int, randomizer: NamedRandomizer, epsilon0: Epsilon, order: Fraction, digits: int = 12) -> Bound:
    """Renyi divergence of the optimal pair with these: it grows with p, beta and q (BEYOND.Renyi, BEYOND.LemL7)."""
    return optimal_pair.renyi(n=n, **_rounded_up(randomizer, epsilon0, n, digits), order=order, digits=digits)


def _rounded_up(randomizer: NamedRandomizer, epsilon0: Epsilon, n: int, digits: int) -> dict[str, Fraction]:
    """p, beta and q to so many digits that their rounding is not seen in the result."""
    found = parameters(randomizer=randomizer, epsilon0=epsilon0, digits=parameter_digits(n, digits))
    return dict(zip(("p", "beta", "q"), found, strict=True))


def parameter_digits(n: int, digits: int) -> int:
    """Digits of p, beta and q beside which their rounding is not seen in the result."""
    return 2 * digits + 20 + len(str(n))


def _beta(classes: Classes, epsilon0: Epsilon) -> Fraction:
    """The total variation of the two inputs of these classes, rounded up where it is irrational."""
    apart = [each.first > each.second for each in classes]
    exact = exact_weights(classes, epsilon0)
    if exact is not None and epsilon0.exp is not None:
        T = epsilon0.exp
        total = sum((w * (T if each.first else 1) for w, each in zip(exact, classes, strict=True)), Fraction(0))
        return (T - 1) * sum((w for w, alone in zip(exact, apart, strict=True) if alone), Fraction(0)) / total
    weights = weights_of(classes, epsilon0)
    first_alone = sum((w for w, alone in zip(weights, apart, strict=True) if alone), arb(0))
    return upper_end(expm1_of(epsilon0) * first_alone / under_first(classes, weights, exp_of(epsilon0)))
