"""FMT21, Table 1 with numbers, and Figures 1 and 5 as computed examples."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from shuffleproof.figures.chart import Curve, Figure, Panel, Table
from shuffleproof.figures.fmt21 import DELTA, asked, closed_form_2rr, upper_end
from shuffleproof.spec.vocabulary.numerals import decimal_text, ratio_text

if TYPE_CHECKING:
    from shuffleproof.spec.distribution import Distribution


def table1(n: int = 10**6, epsilon0: int = 4, k: int = 1000, delta0: str = "1e-16") -> Table:
    """Table 1: the rates as printed, their values, and the epsilons that are certified."""
    T = math.exp(epsilon0)
    shared = {"n": str(n), "epsilon0": str(epsilon0), "delta": DELTA}

    def certified(method: str, **more: str) -> str:
        value = asked(upper_end, {**shared, **more}, method=method)
        return "does not apply" if value is None else decimal_text(Fraction(value), digits=3, direction="up")

    both = f"{certified('clones-closed-form')} closed form, {certified('clones')} numerical"
    k_rr = f"{certified('k-rr-closed-form', k=str(k))} closed form, {certified('k-rr-clones', k=str(k))} numerical"
    own = closed_form_2rr(n, epsilon0)
    two_rr = "does not apply" if own is None else f"{decimal_text(Fraction(own), digits=3, direction='up')} Claim 4.6"
    approximate = f"{certified('approximate-clones', delta0=delta0)} numerical, delta0 = {delta0}"
    unknown = "constants not in the paper"
    rows = [
        ("binary randomized response", "CSUZZ19", "e^(eps0/2)/sqrt(n)", _rate(T**0.5 / math.sqrt(n)), two_rr),
        ("binary randomized response", "Theorem 3.1", "e^(eps0/2)/sqrt(n)", _rate(T**0.5 / math.sqrt(n)), both),
        ("not adaptive", "BBGN19", "e^eps0/sqrt(n)", _rate(T / math.sqrt(n)), unknown),
        ("adaptive", "EFMRTT19", "e^(3 eps0)/sqrt(n)", _rate(T**3 / math.sqrt(n)), unknown),
        ("adaptive", "BKMTT20", "e^(2.5 eps0)/sqrt(n)", _rate(T**2.5 / math.sqrt(n)), unknown),
        ("adaptive", "Theorem 3.1", "e^(eps0/2)/sqrt(n)", _rate(T**0.5 / math.sqrt(n)), both),
        ("adaptive, (eps0, delta0)-DP", "BKMTT20", "e^(20 eps0)/sqrt(n)", _rate(T**20 / math.sqrt(n)), unknown),
        ("adaptive, (eps0, delta0)-DP", "Theorem 3.8", "e^(eps0/2)/sqrt(n)", _rate(T**0.5 / math.sqrt(n)), approximate),
        (
            f"k-randomized response, k = {k}",
            "BBGN19",
            "max(x, sqrt(x)), x = (e^eps0 + k)/n",
            _rate(max((T + k) / n, math.sqrt((T + k) / n))),
            unknown,
        ),
        (f"k-randomized response, k = {k}", "Corollary 4.2", "e^eps0/sqrt(n (e^eps0 + k))", _rate(T / math.sqrt(n * (T + k))), k_rr),
    ]
    return Table(
        title=f"FMT21, Table 1, with numbers: n = 1e{round(math.log10(n))}, eps0 = {epsilon0}, delta = {DELTA}",
        columns=("setting", "result", "rate as printed", "its value", "certified epsilon"),
        rows=rows,
        notes=(
            "Rates leave out constant factors and sqrt(ln(1/delta)): their values compare results, they are no epsilons, and some exceed "
            "eps0 itself.",
            "Certified epsilons hold for the whole setting; Corollary 4.2 under the condition with which it is proved "
            "(ledger: FMT21.Cor4.2-condition). Theorem 3.8 also spends its delta0 terms inside delta.",
        ),
    )


def fig1() -> Table:
    """Figure 1: one user's distribution split into clones and a left-over, for ternary randomized response with e^eps0 = 3."""
    from shuffleproof.spec.distribution import Distribution, mixture
    from shuffleproof.spec.randomizers.k_rr import k_rr

    T, names = Fraction(3), ("x_1^0", "x_1^1", "x_i")
    randomizer = k_rr(k=3, exp_epsilon0=T)
    first, second, other = (randomizer.distribution(x) for x in range(3))
    share = 1 / (2 * T)
    left_over = Distribution({y: (other[y] - share * (first[y] + second[y])) / (1 - 1 / T) for y in range(3)})
    if mixture([(share, first), (share, second), (1 - 1 / T, left_over)]) != other:
        raise AssertionError("the parts do not add up to the distribution")
    rows = [
        (
            f"report {names[y]}",
            *(ratio_text(value) for value in (other[y], share * first[y], share * second[y], (1 - 1 / T) * left_over[y], left_over[y])),
        )
        for y in range(3)
    ]
    masses = (Fraction(1), share, share, 1 - 1 / T, Fraction(1))
    rows.append(("in all", *(ratio_text(mass) for mass in masses)))
    return Table(
        title="FMT21, Figure 1, an example: ternary randomized response, e^eps0 = 3, seen as clones of the first user",
        columns=("outcome", "R(x_i)", "e^-eps0/2 R(x_1^0)", "e^-eps0/2 R(x_1^1)", "(1 - e^-eps0) LO(x_i)", "LO(x_i)"),
        rows=rows,
        notes=(
            "Every other user i reports like the first user on X_0 with probability e^-eps0/2 = 1/6, on X_1 with 1/6, and by the left-over "
            "distribution LO(x_i) with 2/3: exact rationals, and LO is a distribution because R is eps0-DP.",
            "Whoever sees which of the three happened (0, 1 or 2) sees more than the reports: that is Theorem 3.2's pair.",
        ),
    )


def fig5(bins: int = 60) -> Figure:
    """Figure 5: a density, its band [rho/T, T rho], what lies outside, and the distribution that Lemma 3.7 makes."""
    from shuffleproof.spec.distribution import hockey_stick, total_variation
    from shuffleproof.spec.randomizers.clipping import clipped

    T = Fraction(2)
    reference = _bump(bins, centre=Fraction(bins, 2), width=Fraction(2 * bins, 5))
    law = _bump(bins, centre=Fraction(7 * bins, 10), width=Fraction(bins, 4))
    inside = {y: min(max(law[y], reference[y] / T), T * reference[y]) for y in range(bins)}
    final: Distribution[int] = clipped(law, reference, exp_epsilon=T)
    tau = sum((max(Fraction(0), law[y] - inside[y]) for y in range(bins)), Fraction(0))
    tau_prime = sum((max(Fraction(0), inside[y] - law[y]) for y in range(bins)), Fraction(0))
    edges = [float(edge) for y in range(bins) for edge in (Fraction(y, bins), Fraction(y + 1, bins))]

    def steps(value: dict[int, Fraction]) -> list[float | None]:
        return [float(value[y] * bins) for y in range(bins) for _ in range(2)]

    curves = [
        Curve(label=label, side="exact", x=edges, y=steps(value))
        for label, value in (
            ("rho", {y: reference[y] for y in range(bins)}),
            ("T rho", {y: T * reference[y] for y in range(bins)}),
            ("rho/T", {y: reference[y] / T for y in range(bins)}),
            ("rho_x", {y: law[y] for y in range(bins)}),
            ("rho'_x: moved into the band", inside),
            ("rho''_x: a distribution again", {y: final[y] for y in range(bins)}),
        )
    ]
    deltas = (hockey_stick(law, reference, exp_epsilon=T), hockey_stick(reference, law, exp_epsilon=T))
    moved = total_variation(law, final)
    notes = (
        f"T = e^eps0 = 2. Cut off above the band: tau = {_rate(tau)}; raised below it: tau' = {_rate(tau_prime)}; they differ, so rho'_x "
        f"is no distribution. Lemma 3.7's rho''_x is one, within the band, at total variation {_rate(moved)} of rho_x, the larger of "
        f"D_T(rho_x || rho) = {_rate(deltas[0])} and D_T(rho || rho_x)/T, with D_T(rho || rho_x) = {_rate(deltas[1])}. Exact.",
    )
    panel = Panel(title="", x_label="outcome y", y_label="density", curves=curves)
    return Figure(title="FMT21, Figure 5, an example: clipping an approximate randomizer", panels=[panel], notes=notes)


def _bump(bins: int, *, centre: Fraction, width: Fraction) -> Distribution[int]:
    """A distribution with a bump of the form (1 - z^2)^2 on a constant."""
    from shuffleproof.spec.distribution import Distribution

    heights = [Fraction(1, 8) + max(Fraction(0), 1 - ((y + Fraction(1, 2) - centre) / width) ** 2) ** 2 for y in range(bins)]
    return Distribution({y: height / sum(heights) for y, height in enumerate(heights)})


def _rate(value: float | Fraction) -> str:
    return f"{float(value):.3g}"
