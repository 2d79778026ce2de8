"""Shuffled mini-batches: why amplification by shuffling is not for them, and what one epoch demands at least."""

from fractions import Fraction

from mpmath import mp, mpf

from shuffleproof.impl.ball import shuffled_batches, subsampled_gaussian
from shuffleproof.impl.ball.numeric.arithmetic import ball, precision
from shuffleproof.proofs_check.ledger import BALLS, Budget, Verdict, derived
from shuffleproof.spec.vocabulary.relation import Relation

F = Fraction
_CLAIMED = F(37, 10)


@derived(
    "BEYOND.shuffled-batches",
    where="docs/mathematics/shuffled-batches.md",
    says="records are shuffled into T batches and each batch's sum of gradients of norm at most 1 is released with noise N(0, z^2). For "
    "every c no epsilon below ln((P - delta)/Q) holds, P = 1 - Phi((c - 2)/z) Phi(c/z)^(T - 1), Q = 1 - Phi((c - 1)/z) Phi(c/z)^(T - 1); "
    "at T = 1000, z = 1, delta = 1e-6 that is above 3.7, where Poisson sampling at rate 1/T is (0.87, 1e-6)-DP",
    range="T >= 1, z > 0, delta in (0, 1), two batches or records enough; neighbours: one gradient replaced by zero",
    governs=["impl.ball.shuffled_batches", "spec.bounds.noise.gaussian"],
    grounds=["shuffled-batches#which-shuffling-mini-batches-are-not-it", BALLS],
    missing="that the event's two probabilities are these for all T; they are compared at points",
    mutants={
        "the record's batch is known": {"uniform": False},
        "the sums differ by 2 and 0": {"zeroed": 0},
        "at T = 1000, z = 1 it is above 4": {"claimed": F(4)},
    },
)
def batches(budget: Budget, *, uniform: bool = True, zeroed: int = 1, claimed: Fraction = _CLAIMED) -> Verdict:
    """P and Q against the distribution of the largest sum, by averaging over the batch, and the two numbers."""
    points = [(T, z, c) for T in (1, 2, 7, 1000) for z in (F(1, 2), F(1), F(3)) for c in (F(1, 2), F(3), F(7))]
    for T, z, c in points:
        with mp.workdps(60), precision(200):
            stated = shuffled_batches.event(batches=T, noise_multiplier=z, cut=c)

            def inside(shift: int, z: Fraction = z, c: Fraction = c) -> mpf:
                return mp.ncdf((mpf(c.numerator) / c.denominator - shift) * z.denominator / z.numerator)

            for shift, value in zip((2, zeroed), stated, strict=True):
                # The record's batch is each of the T with probability 1/T; the sums of the others are noise alone.
                own = [mp.fprod([inside(shift if i == at else 0) for i in range(T)]) for at in range(min(T, 3))] if T <= 7 else []
                law = 1 - (sum(own) / len(own) if own else inside(shift) * inside(0) ** (T - 1))
                law = law if uniform else 1 - inside(shift)
                if not abs(ball(F(mp.nstr(law, 50))) - value) < ball(F(1, 10**40)):
                    return Verdict.refuted(f"T = {T}, z = {z}, c = {c}", domain="36 points", cases=36)
    below = shuffled_batches.epsilon(batches=1000, noise_multiplier=1, delta="1e-6")
    above = subsampled_gaussian.epsilon(steps=1000, rate=F(1, 1000), noise_multiplier=1, delta="1e-6", relation=Relation.ADD_REMOVE)
    if not (below.lower > claimed and above.upper < F(87, 100)):
        return Verdict.refuted(f"{below.lower} against {above.upper}", domain="T = 1000, z = 1", cases=1)
    return Verdict.certified(
        domain="the event's probabilities at 36 points to 40 digits; the two values at T = 1000, z = 1, delta = 1e-6",
        cases=38,
        note="for all T, z, c: given the record's batch the sums are independent; its batch is uniform, and the product is the same for "
        "each. Every event gives P <= e^eps Q + delta. Poisson's value is for add-remove",
    )
