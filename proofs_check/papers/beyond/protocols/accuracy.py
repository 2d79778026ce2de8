"""How far released sums and counts are off: what is published beside an estimate, against the exact distributions of the protocols."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product

from shuffleproof.impl.release import accuracy
from shuffleproof.proofs_check.ledger import Budget, Verdict, derived
from shuffleproof.spec.distribution import Distribution
from shuffleproof.spec.protocols import bit_sum, histogram, real_sum, zero_sum
from shuffleproof.spec.vocabulary.numerals import Epsilon

Change = Callable[[str, Fraction], Fraction]
_CLOSE = 1 + Fraction(1, 10**15)  # enclosures of 128 bits are closer than that


def _unchanged(_: str, value: Fraction) -> Fraction:
    return value


def _times(which: str, factor: Fraction) -> dict[str, Change]:
    return {"change": lambda name, value: value * factor if name == which else value}


def _mean_square(law: Distribution[Fraction], truth: Fraction) -> Fraction:
    return sum((mass * (value - truth) ** 2 for value, mass in law.items()), Fraction(0))


def _beyond(law: Distribution[Fraction], truth: Fraction, error: Fraction) -> Fraction:
    return sum((mass for value, mass in law.items() if abs(value - truth) > error), Fraction(0))


def _errors(most: int, change: Change) -> Iterator[str | None]:
    """Return what fails in each case, in words, or None."""
    for n, share in product(range(1, most + 1), (Fraction(1, 7), Fraction(1, 2), Fraction(6, 7))):
        lam, T = share * n, (2 - share) / share
        told = change("bit sum", accuracy.bit_sum_error(n=n, lam=lam))
        of_response = change("randomized response", accuracy.randomized_response_error(n=n, epsilon0=Epsilon(None, T)))
        unbiased, own = accuracy.zero_sum_errors(n=n, silent=lam)
        unbiased, own = change("unbiased", unbiased), change("own estimate", own)
        for ones in range(n + 1):
            exact = _mean_square(bit_sum.estimate_distribution(n=n, lam=lam, ones=ones), Fraction(ones))
            yield None if exact == told else f"bit sum, n = {n}, lambda = {lam}: {exact}, not {told}"
            yield None if exact <= of_response <= exact * _CLOSE else f"randomized response, n = {n}, e^eps0 = {T}: {exact}"
            messages = zero_sum.messages_distribution(n=n, p=1 - share, ones=ones)
            shifted = _mean_square(Distribution({m - (n - lam): mass for m, mass in messages.items()}), Fraction(ones))
            own_estimates = [(n * zero_sum.estimate(messages=m, n=n, p=1 - share), mass) for m, mass in messages.items()]
            kept = sum((mass * (value - ones) ** 2 for value, mass in own_estimates), Fraction(0))
            yield None if shifted == unbiased else f"zero sum, n = {n}, p = {1 - share}: {shifted}, not {unbiased}"
            wrong = kept > own or (not ones and kept)
            yield f"zero sum's own estimate, n = {n}, p = {1 - share}, {ones} ones: {kept}" if wrong else None
    for rate in (Fraction(1, 3), Fraction(2)):  # the variance of Laplace noise of scale 1/eps0: integral of y^2 eps0 e^(-eps0 y) over y > 0
        told = change("Laplace", accuracy.laplace_error(n=3, epsilon0=Epsilon(rate, None)))
        yield None if told == 3 * 2 / rate**2 else f"Laplace noise, eps0 = {rate}: {told}"


@derived(
    "BEYOND.estimate-errors",
    where="errors of estimates",
    says="the mean squared errors of sums and counts beside a recommendation: n T/(T - 1)^2 for randomized response, "
    "(n/(n - lambda))^2 (lambda/2)(1 - lambda/(2n)) for the bit sum, m (1 - m/n) for c* - p, at most 2 m (1 - m/n) + m^2 for P^zsum's own "
    "estimate, exactly 0 at c = 0, and 2 n/eps0^2 for Laplace noise",
    range="n >= 1, lambda in (0, n), T > 1, m = n (1 - p)",
    governs=["impl.release.accuracy", "spec.protocols.bit_sum", "spec.protocols.zero_sum"],
    mutants={f"{name}: 99/100 of the error": _times(name, Fraction(99, 100)) for name in ("bit sum", "randomized response", "unbiased")}
    | {
        "own estimate: half the error": _times("own estimate", Fraction(1, 2)),
        "Laplace: half the error": _times("Laplace", Fraction(1, 2)),
    },
)
def errors(budget: Budget, *, change: Change = _unchanged) -> Verdict:
    return _decided(_errors(budget.pick(quick=5, full=8), change), domain="all datasets of up to 5 users (8 in depth), three noise levels")


def _confidence(most: int, change: Change) -> Iterator[str | None]:
    levels = Fraction(1, 2), Fraction(1, 10), Fraction(1, 1000)
    for n, share, beta in product(range(1, most + 1), (Fraction(1, 5), Fraction(1, 2)), levels):
        lam = share * n
        error = change("bit sum", accuracy.sum_deviations(n=n, lam=lam, r=None, beta=beta)[1])
        for ones in range(n + 1):
            failing = _beyond(bit_sum.estimate_distribution(n=n, lam=lam, ones=ones), Fraction(ones), error)
            yield None if failing <= beta else f"bit sum, n = {n}, lambda = {lam}, {ones} ones, beta = {beta}: {failing}"
        told = change("bit sum's deviation", accuracy.sum_deviations(n=n, lam=lam, r=None, beta=beta)[0])
        exact = bit_sum.mean_squared_error(n=n, lam=lam)
        yield None if exact <= told**2 else f"bit sum, n = {n}, lambda = {lam}: deviation {float(told)}"
    for n, r in product(range(1, most // 2 + 1), (1, 2, 3)):
        lam = Fraction(n, 3)
        deviation, error = accuracy.sum_deviations(n=n, lam=lam, r=r, beta=Fraction(1, 20))
        deviation, error = change("real sum's deviation", deviation), change("real sum", error)
        for dataset in combinations_with_replacement((Fraction(0), Fraction(1, 4), Fraction(1, 2)), n):
            messages = real_sum.untagged_distribution(dataset, lam=lam, r=r)
            law = Distribution({real_sum.estimate(ones=ones, n=n, lam=lam, r=r): mass for ones, mass in messages.items()})
            wrong = _beyond(law, sum(dataset, Fraction(0)), error) > Fraction(1, 20)
            yield f"real sum, r = {r}, {dataset}" if wrong or _mean_square(law, sum(dataset, Fraction(0))) > deviation**2 else None
    for n, share, d in product(range(1, most // 2 + 2), (Fraction(1, 5), Fraction(2, 3)), (1, 2, 3)):
        for most_off in range(n):
            told = change("histogram", accuracy.histogram_failure(error=most_off, n=n, silent=share * n, items=d))
            for held in combinations_with_replacement(range(1, d + 1), n):
                truth = [Fraction(count, n) for count in histogram.counts(held, d=d)]
                estimates = histogram.estimates_distribution(held, d=d, p=1 - share)
                failing = histogram.simultaneous_failure(estimates, truth=truth, alpha=Fraction(most_off, n))
                yield None if failing <= told else f"histogram of {held}, p = {1 - share}, error {most_off}: {failing}"


@derived(
    "BEYOND.estimate-confidence",
    where="errors of estimates",
    says="what is published beside a released sum or histogram: the standard deviation, and an error that is exceeded with probability at "
    "most beta on every dataset, by Bernstein's inequality for sums of independent messages and by both tails of Bin(n, 1 - p) for counts",
    range="n >= 1, lambda in (0, n), p in (0, 1), beta in (0, 1)",
    governs=["impl.release.accuracy"],
    mutants={
        "bit sum: a fifth of the error": _times("bit sum", Fraction(1, 5)),
        "real sum: a fifth of the error": _times("real sum", Fraction(1, 5)),
        "bit sum: 99/100 of the deviation": _times("bit sum's deviation", Fraction(99, 100)),
        "real sum: half the deviation": _times("real sum's deviation", Fraction(1, 2)),
        "histogram: 99/100 of the probability": _times("histogram", Fraction(99, 100)),
    },
)
def confidence(budget: Budget, *, change: Change = _unchanged) -> Verdict:
    return _decided(_confidence(budget.pick(quick=4, full=6), change), domain="all datasets of up to 4 users (6 in depth)")


def _decided(found: Iterator[str | None], *, domain: str) -> Verdict:
    for cases, witness in enumerate(found, 1):
        if witness is not None:
            return Verdict.refuted(witness, domain=domain, cases=cases)
    return Verdict.exhausted(domain=domain, cases=cases)
