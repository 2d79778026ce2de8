"""A named randomizer's weights of its output classes, declared as expressions (`spec.vocabulary.likelihoods`), in ball arithmetic."""

from flint import arb, ctx

from shuffleproof.impl.ball.numeric.arithmetic import ball, exp_of, log_of, precision
from shuffleproof.spec.vocabulary.likelihoods import Classes, Symbol, evaluate, subtracts
from shuffleproof.spec.vocabulary.numerals import Epsilon

_LOST = 3
"""Bits that the weights of a class may lose for each leading zero of epsilon0: of e^epsilon0 - 1 - epsilon0 two, and one to spare."""


def weights_of(classes: Classes, epsilon0: Epsilon) -> list[arb]:
    """The weights at the current precision, and as many bits more as may cancel where epsilon0 is small."""
    smallest = epsilon0.bounds(bits=32)[0]
    lost = max(0, smallest.denominator.bit_length() - smallest.numerator.bit_length() + 1)
    with precision(ctx.prec + (_LOST * lost if any(subtracts(each.weight) for each in classes) else 0)):
        T = exp_of(epsilon0)
        at: dict[Symbol, arb] = {"T": T, "root": T.sqrt(), "epsilon0": log_of(epsilon0)}
        return [evaluate(each.weight, number=ball, symbol=at, larger=arb.max) for each in classes]
