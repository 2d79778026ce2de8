"""BC20, Theorem 1.2 with constants: one-round local solvers need samples in proportion to the number of pointers."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy
from flint import arb
from hypothesis import strategies as st

from shuffleproof.impl.ball.bounds.samples import pointer_samples
from shuffleproof.impl.ball.numeric.arithmetic import ball, surely_less, upper_end
from shuffleproof.impl.ball.numeric.binomial import relative_entropy
from shuffleproof.proofs_check.ledger import BALLS, EXACT, SYMPY, Budget, Cited, Status, Verdict, conjunction, statement
from shuffleproof.proofs_check.ledger.methods import exhaustive, sampled, symbolic
from shuffleproof.proofs_check.ledger.methods.masses import merged
from shuffleproof.proofs_check.ledger.methods.random_randomizers import Randomizer, described, distributions, randomizers
from shuffleproof.spec.distribution import Distribution, mixture, product as independent
from shuffleproof.spec.protocols import pointer_chasing, pointer_jumping
from shuffleproof.spec.randomizers.binary_rr import binary_rr

_RATE = Fraction(2, 5)  # a lower bound is so much of l/e^eps at least


def _swapped(bits: tuple[int, ...], length: int) -> tuple[int, ...]:
    """b with the pair (2 j - 1, 2 j) exchanged where bit j is 1."""
    order = list(range(1, length + 1))
    for j, bit in enumerate(bits):
        if bit:
            order[2 * j], order[2 * j + 1] = order[2 * j + 1], order[2 * j]
    return tuple(order)


def _shifted(bits: tuple[int, ...], length: int) -> tuple[int, ...]:
    """b_i = i or the next one, by a bit for every entry."""
    return tuple(1 + (i + bit) % length for i, bit in enumerate(bits))


def _hidden_bits(budget: Budget, *, pairs: bool = True) -> Verdict:
    """Every pair's bit is the answer for some a, whatever the other bits are, for k = 2 and 3; pairs: bits for pairs or for entries."""
    longest = budget.pick(quick=5, full=8)

    def holds(length: int, j: int, k: int) -> bool:
        target = 2 * j if pairs else j
        a = list(range(1, length + 1))
        a[0], a[target - 1] = a[target - 1], a[0]
        seen: dict[int, set[int]] = {0: set(), 1: set()}
        for bits in product((0, 1), repeat=length // 2 if pairs else length):
            b = _swapped(bits, length) if pairs else _shifted(bits, length)
            if sorted(b) != list(range(1, length + 1)):
                return False
            seen[bits[j - 1]].add(pointer_chasing.chased(tuple(a), b, k=k))
        return len(seen[0]) == len(seen[1]) == 1 and seen[0] != seen[1]

    found = exhaustive.for_all(
        ((length, j, k) for length in range(2, longest + 1) for j in range(1, length // 2 + 1) for k in (2, 3)), holds=holds
    )
    return found.verdict(domain=f"PC(2, l) and PC(3, l), l <= {longest}, all exchanges of pairs")


def _hidden_labels() -> Verdict:
    """Every node of the last level is reached by some labels above it, and then its label is the last of the path."""

    def cases() -> Iterator[tuple[int, int, int]]:
        yield from ((s, h, node) for s, h in ((2, 1), (2, 2), (2, 3), (3, 2)) for node in range(s ** (h - 1)))

    def holds(s: int, h: int, node: int) -> bool:
        above = [tuple([node // s ** (h - 2 - level) % s] * s**level) for level in range(h - 1)]
        return all(pointer_jumping.path([*above, last], s=s)[-1] == last[node] for last in product(range(s), repeat=s ** (h - 1)))

    return exhaustive.for_all(cases(), holds=holds).verdict(domain="MPJ(s, h), (s, h) = (2, 1), (2, 2), (2, 3), (3, 2)")


@st.composite
def _channels(draw: st.DrawFn) -> tuple[Fraction, Randomizer, Distribution[int]]:
    """e^eps, an eps-DP randomizer on four values, and a distribution of the value; randomized response on one of two even bits often."""
    T = draw(st.sampled_from(tuple(map(Fraction, ("11/10", "2", "5")))))
    if draw(st.booleans()):
        coin = binary_rr(exp_epsilon0=T)
        return T, Randomizer(range(4), {x: coin.distribution(x // 2) for x in range(4)}), Distribution.uniform(range(4))
    return T, draw(randomizers(exp_epsilon0=T, inputs=4)), draw(distributions(outputs=4))


def _variance(budget: Budget, *, share: Fraction = Fraction(1)) -> Verdict:
    """The mean over the value of chi2(R(x) || M) is at most (T - 1)^2/(4 T): symbolic, and drawn."""
    T, m = sympy.symbols("T m", positive=True)
    above = sympy.Symbol("a", positive=True)  # T - 1
    claimed = symbolic.is_nonnegative((symbolic.rational(share) - 1) * above**2 / (4 * (1 + above)), at_least={above: 0})
    square = symbolic.are_identical((T - 1) ** 2 / (4 * T) - (T * m - 1) * (1 - m), T * (m - (T + 1) / (2 * T)) ** 2)

    def holds(exp_epsilon: Fraction, randomizer: Randomizer, prior: Distribution[int]) -> bool:
        M = mixture([(weight, randomizer.distribution(x)) for x, weight in prior.items()])
        found = sum(
            (weight * (randomizer.distribution(x)[y] - w) ** 2 / w for x, weight in prior.items() for y, w in M.items()), Fraction(0)
        )
        return found <= share * (exp_epsilon - 1) ** 2 / (4 * exp_epsilon)

    found = sampled.for_all(_channels(), holds=holds, budget=budget, quick=60, full=400)
    return found.verdict(
        domain=f"one message, every distribution of its value, and {found.cases} drawn ones",
        witness=lambda c: f"e^eps = {c[0]}, R = {described(c[1])}, prior {dict(c[2].items())}: more than {share} (T - 1)^2/(4 T)",
        given=square and claimed,
    )


def _information(joint: dict[tuple[int, int], Fraction]) -> arb:
    """I of a joint distribution of two indices, in nats."""
    rows, columns = ({key[side] for key in joint} for side in (0, 1))
    row = {x: sum((w for key, w in joint.items() if key[0] == x), Fraction(0)) for x in rows}
    column = {y: sum((w for key, w in joint.items() if key[1] == y), Fraction(0)) for y in columns}
    return sum((ball(w) * ball(w / (row[x] * column[y])).log() for (x, y), w in joint.items() if w), arb(0))


def _of_each(budget: Budget) -> Verdict:
    """Two messages on two independent bits: what they reveal of each bit, together, is at most 2 ln(1 + V); balls decide each case."""

    def holds(T: Fraction, randomizer: Randomizer, _: Distribution[int]) -> bool:
        both = {
            x: independent(randomizer.distribution(x), randomizer.distribution(x)).map(lambda pair: 3 * pair[0] + pair[1]) for x in range(4)
        }
        told = arb(0)
        for bit in (0, 1):
            told += _information(merged(((x >> bit & 1, y), both[x][y] / 4) for x, y in product(range(4), range(9))))
        most = 2 * (1 + ball((T - 1) ** 2 / (4 * T))).log()
        return not surely_less(most, told)

    found = sampled.for_all(_channels(), holds=holds, budget=budget, quick=15, full=100)
    return found.verdict(
        domain=f"independent bits, by the chain rule; {found.cases} drawn randomizers, two users, two bits",
        witness=lambda c: f"e^eps = {c[0]}, R = {described(c[1])}: the messages reveal more of the bits",
    )


def _order(*, rate: Fraction = _RATE) -> Verdict:
    """2 floor(l/2) >= 2 l/3 and 2 ln cosh(eps/2) <= eps < e^eps, as (T + 1)^2 <= 4 T^2: the bound is at least rate l/e^eps."""
    each = relative_entropy(ball(Fraction(99, 100)), ball(Fraction(1, 2)))
    T = sympy.Symbol("T", positive=True)
    squared = symbolic.is_nonnegative(4 * T**2 - (T + 1) ** 2, at_least={T: 1})  # cosh(eps/2)^2 = (T + 1)^2/(4 T)
    general = symbolic.holds(surely_less(ball(rate), each * 2 / 3)) and squared
    at_three = upper_end(2 * each / pointer_samples.message_information(Fraction(1)) * ball(1).exp() / 3)
    domain = "constant of l/e^eps, all l >= 2 and eps > 0"
    if at_three < rate:
        return Verdict.refuted(f"l = 3, eps = 1: the bound is {float(at_three):.3g} l/e^eps", domain=domain, cases=1)
    return Verdict.proved(domain=domain, cases=1, given=general)


_NOTE = (
    "whether a user holds (1, a) or (2, b) is revealed to the analyzer for free. Then the messages of the n/2 users in expectation who "
    "hold (2, b) have a distribution that does not depend on a, so they are the same for every pair that may be asked for; a right answer "
    "to pair j with probability 0.99 is kl(0.99 || 1/2) of information on its bit. Randomizers may differ from user to user and share "
    "public coins; users who answer in turn are not covered"
)


def local_need(
    budget: Budget, *, share: Fraction = Fraction(1), pairs: bool = True, rate: Fraction = _RATE, with_labels: bool = True
) -> Verdict:
    """All parts of the argument."""
    parts = [_hidden_bits(budget, pairs=pairs), _variance(budget, share=share), _of_each(budget), _order(rate=rate)]
    if with_labels:
        parts.append(_hidden_labels())
    whole = conjunction(parts, note=_NOTE)
    if whole.status in (Status.REFUTED, Status.OPEN):
        return whole
    return Verdict.proved(
        domain="all one-round eps-DP local solvers, l >= 2, s >= 2, h >= 1, eps > 0: " + whole.domain,
        cases=whole.cases,
        slack="at eps = 1: 2.65 l samples for even l",
        note=_NOTE,
    )


@statement(
    "BC20.Tab2-local",
    where="Table 2, local row, PC(2, l)",
    says="PC(2, l) needs Omega(l/e^eps) samples in the one-round local model: at least 2 floor(l/2) kl(0.99 || 1/2)/(2 ln cosh(eps/2)) >= "
    "(2/5) l/e^eps; so does PC(3, l); and MPJ(s, h) needs h s^(h - 1) kl(0.99 || 1/s)/(2 ln cosh(eps/2))",
    range="l >= 2, s >= 2, h >= 1, eps > 0; every user eps-DP, one round",
    governs=["impl.ball.bounds.samples.pointer_samples"],
    grounds=[
        EXACT,
        Cited("the inequality of Bhatia and Davis: variance <= (max - mean)(mean - min)", "known-facts#information"),
        SYMPY,
        Cited("chain rule of mutual information, KL <= ln(1 + chi-square)", "known-facts#information"),
        BALLS,
    ],
    weaker={"share": "larger", "rate": "smaller"},
    mutants={
        "a message reveals half as much": {"share": Fraction(1, 2)},
        "an independent bit for every entry of b": {"pairs": False},
        "with the constant 20 for 2/5": {"rate": Fraction(20)},
    },
)
def local(budget: Budget, *, share: Fraction = Fraction(1), pairs: bool = True, rate: Fraction = _RATE) -> Verdict:
    return local_need(budget, share=share, pairs=pairs, rate=rate)
