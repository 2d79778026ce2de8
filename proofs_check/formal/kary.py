"""A theorem for k-ary randomized response, ready for `coqc`: its privacy blanket by Coq's own integers, for many users.

`Blanket.delta` does what `kary_delta_le` of KaryWindow.v does, step by step, and gives the least fraction that it accepts. Whatever is
chosen here decides how tight the number is, never whether it holds.
"""

from dataclasses import astuple, dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil, log, log1p, sqrt

from shuffleproof.proofs_check.formal.instance import DIGITS, exponentials, rounded, shortened
from shuffleproof.proofs_check.formal.sources import HEAD
from shuffleproof.proofs_check.formal.window import Window, begun, following, log_binomial, quotient_up, reach
from shuffleproof.spec.vocabulary.errors import UnsupportedError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, epsilon0_parameter, parse_epsilon

LARGEST_N = 10**6
"""Users: Coq takes about 10 s for 10^4 of them, and as many times longer as the square root of their number is larger."""
LARGEST_EPSILON0 = 20
"""Beyond it so few reports come from the blanket that float64 chooses no window."""
BITS = 48
"""Bits of the integers that masses begin with, more where the bound is below 2^-30: 10^-11 of delta is lost."""
RATIONAL_BITS = 24
"""Bits behind the point of what stands for an irrational exponential, where these separate the two: Coq takes half as long as with 60."""
NEGLIGIBLE = 12.0
"""What lies outside a window is e^-12 of the bound: it is counted."""
CLOSE_N = 1000
"""Users up to which the points lie half a standard deviation apart; a whole one beyond, which costs delta less than a hundredth."""


@dataclass(frozen=True)
class Blanket:
    """The parameters of `kary_delta_le`: users, values, e^epsilon0 and e^epsilon; where the points begin, and ln of the bound, about."""

    n: int
    k: int
    exp_epsilon0: Fraction
    exp_epsilon: Fraction
    log_bound: float

    @cached_property
    def losses(self) -> tuple[int, int, int, int]:
        """Return the three losses and their unit, as the program has them."""
        (t, u), (e, f), weight = self.exp_epsilon0.as_integer_ratio(), self.exp_epsilon.as_integer_ratio(), self.other[1]
        moved = (e - f) * (self.k - 2) * u * u
        return (t * f - e * u) * weight + moved, (e * t - f * u) * weight - moved, (e - f) * u * weight, u * f * weight

    @cached_property
    def special(self) -> tuple[int, int]:
        """Return how often a user's report is one of the two values and from the blanket."""
        t, u = self.exp_epsilon0.as_integer_ratio()
        return 2 * u, t + (self.k - 1) * u

    @cached_property
    def other(self) -> tuple[int, int]:
        """Return how often another report is from the blanket."""
        t, u = self.exp_epsilon0.as_integer_ratio()
        return (self.k - 2) * u, t + (self.k - 3) * u

    @cached_property
    def places(self) -> tuple[int, int, int]:
        """Return the first point, how far apart the points are, and how many there are."""
        p = self.other[0] / self.other[1]
        first, last = _bulk(self.n, p, NEGLIGIBLE - self.log_bound)
        apart = sqrt(self.n * p * (1 - p)) * (0.5 if self.n <= CLOSE_N else 1)
        stretch = max(1, round(apart))
        return first, stretch, -(-(last + 1 - first) // stretch) + 1

    @cached_property
    def bounded(self) -> list[tuple[Fraction, Window]]:
        """Return the bound at each point, over its largest possible value, and its window."""
        first, stretch, points = self.places
        return [self._at(first + i * stretch) for i in range(points)]

    @cached_property
    def unit(self) -> int:
        """Return what the bounds are counted in."""
        least = min(bound for bound, _ in self.bounded)
        return 1 << BITS + max(0, least.denominator.bit_length() - least.numerator.bit_length())

    @property
    def bits(self) -> int:
        """Return the bits of the integers that masses begin with."""
        return BITS + max(0, ceil(-self.log_bound / log(2)) - 30)

    @property
    def numerators(self) -> list[int]:
        """Return the bounds, rounded up."""
        return [ceil(bound * self.unit) for bound, _ in self.bounded]

    @property
    def delta(self) -> Fraction:
        """Return the least delta that the program accepts."""
        first, stretch, _ = self.places
        cu, ct = self.other
        low = high = 1 << self.bits
        total, weight, d = 0, 0, first
        for left, right in pairwise(self.numerators):
            value = stretch * left
            for _ in range(stretch):
                total += high * value
                weight += low
                value += right - left
                up, down = max(0, self.n - d) * cu, (d + 1) * (ct - cu)
                low, high, d = low * up // down, quotient_up(high * up, down), d + 1
        below = Fraction((1 << self.bits) * first * (ct - cu), (self.n + 1 - first) * cu - first * (ct - cu))
        beyond = Fraction(high * (d + 1) * (ct - cu), (d + 1) * (ct - cu) - max(0, self.n - d) * cu)
        own, _, _, unit = self.losses
        return (below + beyond + Fraction(total, stretch * self.unit)) / weight * Fraction(own, unit)

    def _at(self, d: int) -> tuple[Fraction, Window]:
        """Return the bound with d reports of other values, and its window."""
        (own, other, common, _), (cu, ct), n = self.losses, self.special, self.n
        s, slope = common * d, own + other
        first_c, last_c = _bulk(n, cu / ct, NEGLIGIBLE - self.log_bound)
        if s // own > n * cu // ct:  # what is summed would be a tail of which the window knows no total
            raise UnsupportedError(
                what="a formal theorem",
                reason="two values are sent so rarely that its window does not reach the reports that decide",
                advice="fewer values, a smaller epsilon or, where delta is small anyway, stronger-clones",
            )
        first_c = max(first_c, s // own)
        threshold = max(0, -(-(other * first_c + s) // slope) - 1)
        middle = first_c // 2
        depth = NEGLIGIBLE + max(0.0, log_binomial(first_c, middle) - log_binomial(first_c, threshold))
        first_a, last_a = (reach(lambda a: log_binomial(first_c, a), middle, way, low=0, high=first_c, depth=depth) for way in (-1, 1))
        first_a, last_a = min(first_a, threshold), max(last_a, threshold)
        window = Window(first_c, last_c - first_c + 1, first_a, threshold - first_a, last_a - threshold, self.bits)
        return _sliding(n, own, other, cu, ct, s, window), window


@dataclass(frozen=True, slots=True)
class Kary:
    """(epsilon, delta)-DP of n shuffled users of k-ary randomized response, with what Coq needs to confirm it."""

    epsilon0: Epsilon
    epsilon: Epsilon
    blanket: Blanket
    delta: Fraction


def kary(*, n: Number, k: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon) -> Kary:
    """Return the blanket's delta of k-ary randomized response, rounded up to 12 digits, with what Coq needs (BEYOND.k-rr-blanket).

    n: users, 1 to 10^6; k: values, at least 3 (of two values stronger clones are the same pair); 0 < epsilon0 <= 20;
    0 <= epsilon < epsilon0. An irrational exponential is replaced by a rational within 2^-60 of it, above for epsilon0 and below for
    epsilon. Raises DomainError, and UnsupportedError where delta is 1 or the window does not do.
    """
    users, values = count(n, parameter="n", maximum=LARGEST_N), count(k, parameter="k")
    require(values >= 3, parameter="k", value=values, requirement="at least 3 here: with two values stronger-clones is the same bound")
    local, central = epsilon0_parameter(epsilon0), parse_epsilon(epsilon)
    within = parse_epsilon(0) < local <= parse_epsilon(LARGEST_EPSILON0)
    require(within, parameter="epsilon0", value=str(local), requirement=f"greater than 0 and at most {LARGEST_EPSILON0} here")
    require(central < local, parameter="epsilon", value=str(central), requirement=f"less than the local one, {local}: delta is 0 there")
    _, T, E = exponentials(local, central)
    above = T if local.exp is not None else rounded(T, up=True, bits=RATIONAL_BITS)
    below = E if central.exp is not None else rounded(E, up=False, bits=RATIONAL_BITS)
    if (T - E) * 2**RATIONAL_BITS > 1000:
        T, E = above, below
    blanket, found = Blanket(users, values, T, E, 0.0), Fraction(0)
    for _ in range(12):  # where the bound is very small, what lies outside the first window is most of the first answer
        better = blanket.delta
        settled, found = better > found * Fraction(999, 1000) > 0, better
        if settled:
            break
        own, _, _, unit = blanket.losses
        bound = found * unit / own
        blanket = replace(blanket, log_bound=min(0.0, log(bound.numerator) - log(bound.denominator)))
    if found >= 1:
        raise UnsupportedError(what="a formal theorem", reason="delta is 1, which says nothing", advice="more users, or a smaller epsilon0")
    return Kary(local, central, blanket, shortened(found, digits=DIGITS))


def theorem(made: Kary, *, name: str) -> str:
    """Return the theorem in Coq's language, with the computation that the kernel repeats."""
    blanket = made.blanket
    (t, u), (e, f) = blanket.exp_epsilon0.as_integer_ratio(), blanket.exp_epsilon.as_integer_ratio()
    numerator, denominator = made.delta.as_integer_ratio()
    first, stretch, _ = blanket.places
    points = ";\n   ".join(
        f"({bound}, SlidingWindow {' '.join(map(str, astuple(window)))})"
        for bound, (_, window) in zip(blanket.numerators, blanket.bounded, strict=True)
    )
    users = f"{blanket.n} {t} {u} {blanket.k} {e} {f} {numerator} {denominator}"
    private = f"private E (of_Z R {numerator} / of_Z R {denominator})"
    given = f"n = {blanket.n}, k = {blanket.k}, epsilon0 = {made.epsilon0}, epsilon = {made.epsilon}"
    return f"""(* {given}; delta is about {float(made.delta):.6g}. *)
Lemma {name}_computed : (kary_delta_le {users} {first} {stretch} {blanket.unit} {blanket.bits}
  [:: {points}])%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) (K : finType) (T E : R) (T_ge1 : 1 <= T) (k_ge2 : (1 < #|K|)%N) (D : Type) (F : seq K -> D -> K) :
  #|K| = {blanket.k}%N -> T <= of_Z R {t} / of_Z R {u} -> of_Z R {e} / of_Z R {f} <= E ->
  {private} (fun w : (Z.to_nat {blanket.n}).-tuple D => shuffled (k_rr_of T_ge1 k_ge2 F) w).
Proof. by move=> k_is T_le E_ge; apply: (private_by_kary_window _ _ _ {name}_computed _ T_le E_ge); rewrite k_is. Qed.
"""


def module(made: Kary, *, name: str, says: str) -> str:
    """Return a whole file: one theorem."""
    return f"""(* {says}
   It says: k-ary randomized response with e^epsilon0 = T to any function of the data, which may depend on what was sent before, is
   (epsilon, delta)-DP with e^epsilon = E when n users' messages are shuffled.  (BEYOND.k-rr-blanket)
   Written by `proofs_check/formal/kary.py`. *)
{HEAD.format(modules="Definitions ThreeParts Programs Integers SlidingNumbers KaryWindow")}{theorem(made, name=name)}"""


def _bulk(n: int, p: float, depth: float) -> tuple[int, int]:
    """Return where the masses of Bin(n, p) are e^-depth of the largest."""

    def log_mass(c: int) -> float:
        return log_binomial(n, c) + c * log(p) + (n - c) * log1p(-p)

    low, high = (reach(log_mass, min(n, int(n * p)), way, low=0, high=n, depth=depth) for way in (-1, 1))
    return low, high


def _sliding(n: int, own: int, other: int, cu: int, ct: int, s: int, window: Window) -> Fraction:
    """Return the least bound that `sliding_le` of SlidingNumbers.v accepts: of n losses' mean positive part at -s, over n times `own`."""
    first_c, one = window.first_c, 1 << window.bits
    fair, scale = begun(window)
    a = window.first_a + window.to_threshold

    slope = own + other
    mass_low, mass_high, total, weight, c = one, one, 0, 0, first_c
    for _ in range(window.steps):
        if not (c <= n and a <= c and slope * a <= other * c + s <= slope * (a + 1)):
            raise UnsupportedError(what="a formal theorem", reason=f"its window leaves users or threshold at {c}", advice="more users")
        total += mass_high * (slope * (c - a) * fair.high - ((other - own) * c + 2 * s) * fair.above)
        weight += mass_low
        up, down = (n - c) * cu, (c + 1) * (ct - cu)
        mass_low, mass_high = mass_low * up // down, quotient_up(mass_high * up, down)
        stay = other * (c + 1) + s <= slope * (a + 1)
        fair = following(fair, c, a, stay=stay)
        a += not stay
        c += 1
    nothing = own * first_c <= s
    below_up, below_down = (0, 1) if nothing else (first_c * (ct - cu), (n + 1 - first_c) * cu)
    above_up, above_down = max(0, n - c) * cu, (c + 1) * (ct - cu)
    if below_down <= below_up or above_down <= above_up or min(scale, weight) <= 0:
        raise UnsupportedError(what="a formal theorem", reason="its window is too narrow", advice="more users, or a smaller epsilon0")
    outside = Fraction(one * below_up, below_down - below_up) + Fraction(mass_high * above_down, above_down - above_up)
    return (outside + Fraction(total, 2 * own * n * scale)) / weight
