"""FMT21, sections 2, 3.1 and 4 and appendix D: symbols for two things or for another, an index for another, a range one too short."""

from fractions import Fraction
from itertools import product

from shuffleproof.proofs_check.ledger import EXACT, Budget, Kind, Verdict, erratum, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive
from shuffleproof.spec.bounds.lower.leaking_response import leaking_response
from shuffleproof.spec.distribution import multinomial
from shuffleproof.spec.divergence import hockey_stick, total_variation

_LEAK = Fraction(1, 10)
"""A probability that is far from rounding and leaves most of a distribution as it is."""


@statement(
    "FMT21.Sec2.symbol-epsilon",
    where="Section 2, after Definition 2.2",
    kind=Kind.MISPRINT,
    says="a single pass eps0-DP local protocol is, equivalently, a sequence of algorithms such that R^(i)(z_(1:i-1), .) is an "
    "(eps, delta)-DP local randomizer for all z_(1:i-1)",
    range="eps0, eps >= 0, delta in [0, 1]",
    mutants={"corrected statement with 2 eps0 for the transcript": {"power": 2}},
)
def symbol_epsilon(budget: Budget, *, power: int = 1) -> Verdict:
    """One message that reveals its bit rarely is (eps, delta)-DP, and no eps0-DP transcript; the largest ratios are those of the steps."""
    leaking = leaking_response(k=2, exp_epsilon0=Fraction(3), delta0=_LEAK)
    is_approximate = hockey_stick(leaking.distribution(0), leaking.distribution(1), exp_epsilon=Fraction(3)) <= _LEAK
    apart = hockey_stick(leaking.distribution(0), leaking.distribution(1), exp_epsilon=Fraction(10**9))

    def is_reached(case: tuple[Fraction, ...]) -> bool:
        first, after_0, after_1 = ([[(T if x == y else 1) / (T + 1) for y in range(2)] for x in range(2)] for T in case)
        laws = {
            x: {(y, z): first[x[0]][y] * (after_1 if y else after_0)[x[1]][z] for y, z in product(range(2), repeat=2)}
            for x in product(range(2), repeat=2)
        }
        pairs = [(x, w) for x, w in product(laws, repeat=2) if sum(a != b for a, b in zip(x, w, strict=True)) == 1]
        return max(laws[x][z] / laws[w][z] for x, w in pairs for z in laws[x]) == max(case) ** power

    found = exhaustive.for_all(list(product((Fraction(1), Fraction(3, 2), Fraction(4)), repeat=3)), holds=is_reached)
    return erratum(
        witness=f"n = 1, binary response with e^eps0 = 3 that reveals its bit with probability {_LEAK}: (ln 3, {_LEAK})-DP, and D_E of "
        f"both transcripts is at least {_LEAK}, whatever E",
        is_witness=is_approximate and apart >= _LEAK,
        corrected="R^(i)(z_(1:i-1), .) is an eps0-DP local randomizer for all z_(1:i-1), as in Theorem 3.1; for (eps, delta) see "
        "FMT21.Sec2.remark-local-protocol",
        counterexample=None if found.holds else f"e^eps0 of the first step, and of the second after 0 and 1: {found.counterexample}",
        domain="one randomizer; two users, 27 adaptive pairs of binary responses, all neighbouring data",
        cases=found.cases + 1,
    )


@statement(
    "FMT21.Sec3.1.symbol-A",
    where="Section 3.1, second paragraph",
    kind=Kind.MISPRINT,
    says="for any (eps0, delta0)-DP randomizer A there is an eps0'-DP randomizer, named A as well, that is delta0' close to A",
    range="eps0 >= 0, delta0 in [0, 1]",
    grounds=["FMT21.Lem3.7", EXACT],
    mutants={"corrected statement with delta0/2": {"share": Fraction(1, 2)}},
)
def symbol_a(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """Response that reveals its input with probability delta0 has no eps0'; what shows a response in its place is delta0 close to it."""
    leaking = leaking_response(k=2, exp_epsilon0=Fraction(3), delta0=_LEAK)
    apart = hockey_stick(leaking.distribution(0), leaking.distribution(1), exp_epsilon=Fraction(10**9))

    def is_close(k: int, T: Fraction, delta0: Fraction) -> bool:
        tells, plain = (leaking_response(k=k, exp_epsilon0=T, delta0=each) for each in (delta0, Fraction(0)))
        pure = all(hockey_stick(plain.distribution(x), plain.distribution(z), exp_epsilon=T) == 0 for x, z in product(range(k), repeat=2))
        return pure and all(total_variation(tells.distribution(x), plain.distribution(x)) <= share * delta0 for x in range(k))

    cases = list(product((2, 3, 5), (Fraction(1), Fraction(3), Fraction(9)), (Fraction(0), _LEAK, Fraction(1, 2), Fraction(1))))
    found = exhaustive.for_all(cases, holds=exhaustive.unpacked(is_close))
    return erratum(
        witness=f"binary response with e^eps0 = 3 that reveals its bit with probability {_LEAK}: D_E of both inputs is at least {_LEAK}, "
        "whatever E",
        is_witness=apart >= _LEAK,
        corrected="another randomizer A' that is eps0'-DP, and TV(A(x), A'(x)) <= delta0'; with deletion in the place of replacement, "
        "FMT21.Lem3.7",
        counterexample=None if found.holds else f"k, e^eps0, delta0 = {found.counterexample}",
        domain="one randomizer; response that reveals its input, three k, three eps0, four delta0",
        cases=found.cases + 1,
    )


@statement(
    "FMT21.Sec4.symbol-index",
    where="Section 4, before Theorem 4.1",
    kind=Kind.MISPRINT,
    says="the probabilities of a multinomial distribution are such that the sum of p_k over i in [k] is 1",
    range="n >= 0, k >= 1, p_1, ..., p_k >= 0",
    mutants={"corrected statement with p_k left out": {"last": 1}},
)
def symbol_index(budget: Budget, *, last: int = 0) -> Verdict:
    """last: how many of the last probabilities are left out of the sum."""
    largest = budget.pick(quick=4, full=6)
    at = Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)

    def is_distribution(n: int, parts: tuple[int, ...]) -> bool:
        p = [Fraction(part, sum(parts)) for part in parts]
        law = multinomial(n, p)
        alone = [sum((mass for counts, mass in law.items() if counts[i] == n), Fraction(0)) for i in range(len(p))]
        return n == 0 or (alone == [each**n for each in p] and sum([*p, *p][: len(p) - last]) == 1)

    cases = [(n, parts) for n in range(largest + 1) for parts in product(range(3), repeat=3) if sum(parts)]
    found = exhaustive.for_all(cases, holds=exhaustive.unpacked(is_distribution))
    return erratum(
        witness="k = 3, p = (1/2, 1/4, 1/4), which are probabilities: the sum of p_3 over three i is 3/4",
        is_witness=sum(at) == 1 != len(at) * at[-1],
        corrected="the sum of p_i over i in [k] is 1",
        counterexample=None if found.holds else f"n, p = {found.counterexample}",
        domain=f"one p; n <= {largest}, k = 3, p in fifths and less",
        cases=found.cases + 1,
    )


@statement(
    "FMT21.AppD.step-sample",
    where="Appendix D, postprocessing",
    kind=Kind.MISPRINT,
    says="a sample (a, b) of P = (A' + 1, B') or Q = (A', B' + 1), (A', B', .) ~ MultNom(n-1; p, p, 1-2p), is in [n] x [n]",
    range="n >= 1, p in (0, 1/2]",
    grounds=["FMT21.AppD.step-thinning", EXACT],
    mutants={"corrected statement with a + b <= n - 1": {"fewer": 1}},
)
def sample_range(budget: Budget, *, fewer: int = 0) -> Verdict:
    """fewer: how many fewer than n the two counts are at most."""
    largest = budget.pick(quick=5, full=9)

    def counts(n: int, p: Fraction) -> set[tuple[int, int]]:
        others = multinomial(n - 1, [p, p, 1 - 2 * p]).support
        return {pair for a, b, _ in others for pair in ((a + 1, b), (a, b + 1))}

    cases = list(product(range(1, largest + 1), (Fraction(1, 3), Fraction(1, 5), Fraction(1, 2))))
    found = exhaustive.for_all(cases, holds=lambda case: all(a >= 0 and b >= 0 and 1 <= a + b <= case[0] - fewer for a, b in counts(*case)))
    return erratum(
        witness="n = 1: P is (1, 0) and Q is (0, 1), and 0 is not in [1]",
        is_witness=counts(1, Fraction(1, 3)) == {(1, 0), (0, 1)},
        corrected="(a, b) in {0, ..., n}^2 with 1 <= a + b <= n, for which Bin(n - a - b, p/(1 - 2p)) is defined",
        counterexample=None if found.holds else f"n, p = {found.counterexample}",
        domain=f"one n; n <= {largest}, p = 1/3, 1/5, 1/2",
        cases=found.cases + 1,
    )
