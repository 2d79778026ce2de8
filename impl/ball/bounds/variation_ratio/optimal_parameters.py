"""p, beta and q of a randomizer by closed forms (BEYOND.Parameters), rounded up, and the optimal pair with them, certified."""

from fractions import Fraction

from flint import arb

from shuffleproof.impl.ball.bounds.variation_ratio import optimal_pair
from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, expm1_of, precision, upper_end
from shuffleproof.impl.ball.numeric.class_weights import weights_of
from shuffleproof.impl.ball.numeric.results import exactly
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.likelihoods import Classes, exact_weights
from shuffleproof.spec.vocabulary.methods.randomizer_laws import RANDOMIZER_PAIR
from shuffleproof.spec.vocabulary.named_randomizer import NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, epsilon0_parameter, parse_epsilon, probability


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


def delta(*, n: Number, randomizer: NamedRandomizer, epsilon0: Number | Epsilon, epsilon: Number | Epsilon, digits: int = 15) -> Bound:
    """delta of the optimal pair with the randomizer's p, beta and q, rounded up, enclosed (BEYOND.ThmF3).

    n: users, 1 to 10^9; the randomizer as for `parameters`; epsilon >= 0; digits: relative width at most 10^-digits, 1 to 1000.
    Returns an enclosure whose claim is an upper bound, exactly 0 where epsilon >= epsilon0.
    Raises DomainError, ResourceLimitError, UndecidedError.
    """
    local, central = epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    wanted = count(digits, parameter="digits", maximum=1000)
    p, beta, q = parameters(randomizer=randomizer, epsilon0=local, digits=parameter_digits(n, wanted))
    inputs = randomizer.inputs(n=n, eps0=epsilon0, eps=epsilon)
    if central >= local:
        return exactly(RANDOMIZER_PAIR, "delta", "0", Fraction(0), Fraction(0), inputs=inputs)
    return RANDOMIZER_PAIR.restated(optimal_pair.delta(n=n, p=p, beta=beta, q=q, epsilon=central, digits=wanted), inputs=inputs)


def epsilon(*, n: Number, randomizer: NamedRandomizer, epsilon0: Number | Epsilon, delta: Number, digits: int = 15) -> Bound:
    """Least epsilon at which that delta is at most delta, enclosed (BEYOND.ThmF3); exactly epsilon0 at delta = 0.

    n, digits and the randomizer: as for `delta`; delta in [0, 1].
    Returns an enclosure whose claim is an upper bound. Raises DomainError, ResourceLimitError, UndecidedError.
    """
    local, target = epsilon0_parameter(epsilon0), probability(delta, parameter="delta")
    wanted = count(digits, parameter="digits", maximum=1000)
    p, beta, q = parameters(randomizer=randomizer, epsilon0=local, digits=parameter_digits(n, wanted))
    inputs = randomizer.inputs(n=n, eps0=epsilon0, delta=delta)
    if target == 0:
        return exactly(RANDOMIZER_PAIR, "epsilon", str(local), *local.bounds(bits=4 * wanted + 16), inputs=inputs)
    return RANDOMIZER_PAIR.restated(optimal_pair.epsilon(n=n, p=p, beta=beta, q=q, delta=target, digits=wanted), inputs=inputs)


def parameter_digits(n: Number, digits: int) -> int:
    """Digits of p, beta and q beside which their rounding is not seen in the result."""
    return 2 * digits + 20 + len(str(count(n, parameter="n")))


def renyi(*, n: Number, randomizer: NamedRandomizer, epsilon0: Number | Epsilon, order: Number, digits: int = 12) -> Bound:
    """Renyi divergence of the optimal pair with the randomizer's p, beta and q, rounded up, enclosed (BEYOND.Renyi).

    n: users, 1 to 10^9; the randomizer as for `optimal_parameters.parameters`; order: any number above 1, at most 10^6; digits:
    relative width at most 10^-digits, 1 to 1000.
    Returns an enclosure whose claim is an upper bound: the divergence grows with p, beta and q (BEYOND.LemL7).
    Raises DomainError, ResourceLimitError (beyond about half a minute), UndecidedError.
    """
    wanted = count(digits, parameter="digits", maximum=1000)
    accuracy = parameter_digits(n, wanted)
    p, beta, q = parameters(randomizer=randomizer, epsilon0=epsilon0, digits=accuracy)
    found = optimal_pair.renyi(n=n, p=p, beta=beta, q=q, order=order, digits=wanted)
    inputs = randomizer.inputs(n=n, eps0=epsilon0, order=order)
    return RANDOMIZER_PAIR.restated(found, inputs=inputs)


def _beta(classes: Classes, epsilon0: Epsilon) -> Fraction:
    """The total variation of the two inputs of these classes, rounded up where it is irrational."""
    apart = [each.first > each.second for each in classes]
    exact = exact_weights(classes, epsilon0)
    if exact is not None and epsilon0.exp is not None:
        T = epsilon0.exp
        total = sum((w * (T if each.first else 1) for w, each in zip(exact, classes, strict=True)), Fraction(0))
        return (T - 1) * sum((w for w, alone in zip(exact, apart, strict=True) if alone), Fraction(0)) / total
    weights, in_balls = weights_of(classes, epsilon0), exp_of(epsilon0)
    of_all = sum((w * (in_balls if each.first else 1) for w, each in zip(weights, classes, strict=True)), arb(0))
    return upper_end(expm1_of(epsilon0) * sum((w for w, alone in zip(weights, apart, strict=True) if alone), arb(0)) / of_all)
