"""A sum of bits, or of numbers in [0, 1]: randomized response, the zero sum, several bits a user, or noise added by everybody."""

from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from shuffleproof.planning.advise import noise
from shuffleproof.planning.advise.choice import AGGREGATION, NOBODY, SHUFFLER, Choice, all_of, considered
from shuffleproof.planning.advise.local import ANY_RANDOMIZER, CLOSE_ENOUGH, OWN_PARAMETERS, Allowed, Target, confirmed, for_any, for_one
from shuffleproof.spec.randomizers.laplace import Laplace
from shuffleproof.spec.vocabulary.elementary import log_bounds
from shuffleproof.spec.vocabulary.numerals import Epsilon, decimal_text, shortest

BIT_SUM = "CSUZZ19.Def3.4.bit-sum"
ZERO_SUM = "BC20.Thm3.1"
REAL_SUM = "CSUZZ19.Sec5.3.untagged"
TAGGED = "CSUZZ19.Sec5.3.tagged"


def of_bits(target: Target) -> list[Choice]:
    """The bit sum by its own profile, the same randomizer by what holds for any, the zero sum, and no shuffling."""
    return all_of(
        partial(considered, "bit sum", BIT_SUM, lambda: [_bit_sum(target)]),
        partial(considered, "randomized response, as any randomizer", ANY_RANDOMIZER, lambda: [_as_any(target)]),
        partial(considered, "zero sum", ZERO_SUM, lambda: _zero_sum(target)),
        partial(noise.of_everybody, target, noise.BITS),
        partial(considered, "randomized response, without shuffling", "definition", lambda: [_unshuffled(target)]),
    )


def _bit_sum(target: Target) -> Choice:
    from shuffleproof.impl.ball.calibration.bit_sum import calibrate
    from shuffleproof.impl.release import accuracy

    n = target.n
    found = calibrate(n=n, epsilon=target.epsilon, delta=target.delta, closeness=CLOSE_ENOUGH, by_how_much=False).value
    if found is None or found >= n:
        return Choice(name="bit sum", statement=BIT_SUM, excluded="only messages that say nothing meet the target")
    settings = {"lambda": shortest(found)}
    if found:
        settings["epsilon0"] = decimal_text(log_bounds((2 * n - found) / found, bits=64)[1], digits=8, direction="up")
    error = accuracy.bit_sum_error(n=n, lam=found)
    return Choice(name="bit sum", statement=BIT_SUM, settings=settings, error=error, messages=1, bits=1)


def _as_any(target: Target) -> Choice:
    from shuffleproof.impl.release import accuracy

    epsilon0 = for_any(target)
    return Choice(
        name="randomized response, as any randomizer",
        statement=ANY_RANDOMIZER,
        settings={"epsilon0": shortest(epsilon0)},
        error=accuracy.randomized_response_error(n=target.n, epsilon0=Epsilon(epsilon0, None)),
        messages=1,
        bits=1,
        note="the bit sum's randomizer, by a bound that holds for all randomizers",
    )


def _zero_sum(target: Target) -> list[Choice]:
    """Return the zero sum, as P^hist has it for one bin."""
    from shuffleproof.impl.ball.calibration.zero_sum import calibrate
    from shuffleproof.impl.release import accuracy

    found = calibrate(n=target.n, epsilon=target.epsilon, delta=target.delta)
    if found.value is None:
        return [Choice(name="zero sum", statement=ZERO_SUM, excluded=found.unattainable)]
    m, g = found.value, found.value / target.n
    unbiased, own = accuracy.zero_sum_errors(n=target.n, silent=m)

    def choice(name: str, error: Fraction, note: str) -> Choice:
        summed = "secure aggregation" in name
        return Choice(
            name=name,
            statement=ZERO_SUM,
            settings={"n (1 - p)": shortest(m)},
            error=error,
            messages=1 if summed else 2,
            expected_messages=None if summed else 2 - g,
            bits=(2 * target.n).bit_length() if summed else 1,
            note=note,
            trust=AGGREGATION if summed else SHUFFLER,
        )

    return [
        choice("binomial noise, secure aggregation", unbiased, "the zero sum's bit and coin in one message: only the sum is seen"),
        choice("zero sum, unbiased", unbiased, "the estimate c* - p, whatever c* is: post-processing of the same messages"),
        choice("zero sum", own, "exactly 0 where the sum is 0; the error is that of small sums"),
    ]


def _unshuffled(target: Target) -> Choice:
    from shuffleproof.impl.release import accuracy

    return Choice(
        name="randomized response, without shuffling",
        statement="definition",
        settings={"epsilon0": "eps"},
        error=accuracy.randomized_response_error(n=target.n, epsilon0=target.epsilon),
        messages=1,
        bits=1,
        note="nobody is trusted to shuffle, and delta is 0",
        trust=NOBODY,
    )


def of_numbers(target: Target) -> list[Choice]:
    """The real sum with several numbers of bits per user, Laplace noise added by everybody, and that without shuffling."""
    tagged = "its messages reveal more: at each r it needs at least the noise of the untagged view, for the same error"
    return all_of(
        partial(considered, "real sum", REAL_SUM, lambda: _real_sums(target)),
        lambda: [Choice(name="real sum, tagged", statement=TAGGED, excluded=tagged)],
        partial(noise.of_everybody, target, noise.NUMBERS),
        partial(considered, "Laplace noise", OWN_PARAMETERS, lambda: [_laplace(target)]),
        partial(considered, "Laplace noise, without shuffling", "definition", lambda: [_laplace_unshuffled(target)]),
    )


def runs_to_try(target: Target) -> tuple[int, ...]:
    """1, and two powers of two where rounding to r bits, at most n/(4 r^2), falls below the noise of one bit, about that of any r.

    Where they are more than any bound takes, as many as it does, as rounding is then most of the error.
    """
    from shuffleproof.impl.ball.bounds.sums.real_sum import LARGEST_R

    noise = _lambda_and_error(target.n, target.epsilon, target.delta, 1)[0] or Fraction(1)
    r = 1
    while r * r * noise < target.n:
        r *= 2
    return tuple(sorted({1, r, 2 * r} if 2 * r <= LARGEST_R else {1, LARGEST_R}))


def _real_sums(target: Target) -> list[Choice]:
    return all_of(*(partial(considered, _of_runs(r), REAL_SUM, partial(_real_sum, target, r)) for r in runs_to_try(target)))


@lru_cache(maxsize=8)
def _lambda_and_error(n: int, epsilon: Epsilon, delta: Fraction, r: int) -> tuple[Fraction, Fraction | None]:
    """Return lambda and the error of r bits a user, within a percent; no error where only messages that say nothing meet the target."""
    from shuffleproof.impl.ball.calibration.real_sum import calibrate

    told: dict[str, Any] = {"view": "untagged", "runs": (r,), "closeness": Fraction(1, 100), "by_how_much": False}
    (row,) = calibrate(n=n, epsilon=epsilon, delta=delta, **told).rows
    return row.value, row.error


def _real_sum(target: Target, r: int) -> list[Choice]:
    value, error = _lambda_and_error(target.n, target.epsilon, target.delta, r)
    return [
        Choice(
            name=_of_runs(r),
            statement=REAL_SUM,
            settings={"r": str(r), "lambda": shortest(value)},
            error=error,
            messages=r,
            bits=1,
            excluded="only messages that say nothing meet the target" if error is None else None,
        )
    ]


def _of_runs(r: int) -> str:
    return f"real sum, {r} bits a user" if r > 1 else "real sum, 1 bit a user"


def _laplace(target: Target) -> Choice:
    from shuffleproof.impl.release import accuracy

    known = for_any(target)
    larger = for_one(target, randomizer=Laplace(), known=known)
    allowed = Allowed(known, "certified") if larger is None else confirmed(target, larger, randomizer=Laplace())
    return Choice(
        name="Laplace noise",
        statement=ANY_RANDOMIZER if larger is None else OWN_PARAMETERS,
        standing=allowed.standing,
        settings={"epsilon0": shortest(allowed.epsilon0)},
        error=accuracy.laplace_error(n=target.n, epsilon0=Epsilon(allowed.epsilon0, None)),
        messages=1,
        note="a message is a real number; the guarantee is that of exact Laplace noise",
    )


def _laplace_unshuffled(target: Target) -> Choice:
    from shuffleproof.impl.release import accuracy

    return Choice(
        name="Laplace noise, without shuffling",
        statement="definition",
        settings={"epsilon0": "eps"},
        error=accuracy.laplace_error(n=target.n, epsilon0=target.epsilon),
        messages=1,
        note="nobody is trusted to shuffle, and delta is 0",
        trust=NOBODY,
    )
