"""A theorem for the parameters asked for, ready for `coqc`: adaptive T-LDP randomizers on n shuffled users are (E, delta)-DP."""

from dataclasses import astuple, dataclass, replace
from fractions import Fraction
from math import ceil, log
from typing import Literal

from shuffleproof.proofs_check.formal.sources import HEAD
from shuffleproof.proofs_check.formal.window import Window, plan, window_delta
from shuffleproof.spec.bounds.clones import clones
from shuffleproof.spec.bounds.clones.clones import stronger_clones
from shuffleproof.spec.vocabulary.errors import UnsupportedError, require
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, count, parse_epsilon

LARGEST_EXACT_N = 100
"""Users up to which delta is summed whole: some n^2/2 exact terms."""
LARGEST_N = 10**8
"""Coq takes about 15 s where n is 10^6, and sqrt(n) times as long beyond."""
LARGEST_EPSILON0 = 700
"""E^700 is near the largest float64, with which the window is chosen."""
EXPONENTIAL_BITS = 60
"""Bits behind the point of the rational ends of e^epsilon0 and e^epsilon, at first."""
_BITS_OF_DIFFERENCE = 50
"""Significant bits that e^epsilon0 - e^epsilon is to have left, so that delta has its digits."""
_MOST_BITS = 960
"""Bits behind the point at which no more are tried: what is stated stays true, and is only less tight."""
DIGITS = 12
"""Significant digits of the stated delta, rounded up."""
Pair = Literal["clones", "stronger-clones"]
"""Which pair's delta is stated: that of FMT21, Theorem 3.2, or of BEYOND.CorF2."""


@dataclass(frozen=True, slots=True)
class Instance:
    """(epsilon, delta)-DP of n shuffled users with e^epsilon0 <= exp_epsilon0 and e^epsilon >= exp_epsilon. window: None if exact."""

    pair: Pair
    n: int
    epsilon0: Epsilon
    epsilon: Epsilon
    exp_epsilon0: Fraction
    exp_epsilon: Fraction
    delta: Fraction
    window: Window | None

    @property
    def clone(self) -> Fraction:
        """How often another user is a clone."""
        return _clone(self.pair, self.exp_epsilon0)


def instance(
    *, n: Number, epsilon0: Number | Epsilon, epsilon: Number | Epsilon, digits: int = DIGITS, exact: bool = False, pair: Pair = "clones"
) -> Instance:
    """A pair's delta, rounded up to some digits, with what Coq needs to confirm it; or the delta itself (FMT21, Theorem 3.2; BEYOND.CorF2).

    n: users, 1 to 10^8, exact: up to 100; 0 < epsilon0 <= 700; 0 <= epsilon < epsilon0; digits: of delta, 1 to 15. An irrational
    exponential is replaced by a rational within 2^-60 of it, closer where the two are nearly the same, above for epsilon0 and below for
    epsilon. A delta below 10^-40 may be far from tight. exact: needs rational exponentials ("ln 3").
    Raises DomainError, and UnsupportedError where delta is 1, which would say nothing.
    """
    users = count(n, parameter="n", maximum=LARGEST_EXACT_N if exact else LARGEST_N)
    local, central = parse_epsilon(epsilon0, parameter="epsilon0"), parse_epsilon(epsilon)
    require(0 < digits <= 15, parameter="digits", value=digits, requirement="from 1 to 15")
    require(local.exp != 1, parameter="epsilon0", value=str(local), requirement="greater than 0")
    require(
        local <= parse_epsilon(LARGEST_EPSILON0), parameter="epsilon0", value=str(local), requirement=f"at most {LARGEST_EPSILON0} here"
    )
    wanted = f"less than the local one, {local}: from there on delta is 0"
    require(central < local, parameter="epsilon", value=str(central), requirement=wanted)
    bits, exp_local, exp_central = exponentials(local, central)
    if exact:
        value = (clones if pair == "clones" else stronger_clones).delta(n=users, epsilon0=local, epsilon=central).exact
        if value is None:
            raise UnsupportedError(what="an exact formal number", reason="e^epsilon0 or e^epsilon is irrational", advice="leave exact out")
        delta = Fraction(value)
        return Instance(pair, users, local, central, exp_local, exp_central, delta, None)
    clone = _clone(pair, exp_local)
    rough, log_delta = Fraction(0), 0.0
    for _ in range(5):  # where delta is very small, what lies outside the first window is most of the first answer
        window = plan(n=users, clone=clone, exp_epsilon0=exp_local, exp_epsilon=exp_central, log_delta=log_delta)
        window = replace(window, bits=window.bits + bits - EXPONENTIAL_BITS)
        better = window_delta(n=users, clone=clone, exp_epsilon0=exp_local, exp_epsilon=exp_central, window=window)
        settled, rough = better > rough * Fraction(999, 1000) > 0, better
        log_delta = min(0.0, _log(rough))
        if settled:
            break
    if rough >= 1:
        raise UnsupportedError(what="a formal theorem", reason="delta is 1, which says nothing", advice="more users, or a smaller epsilon0")
    return Instance(pair, users, local, central, exp_local, exp_central, shortened(rough, digits=digits), window)


def exponentials(local: Epsilon, central: Epsilon) -> tuple[int, Fraction, Fraction]:
    """e^epsilon0 rounded up and e^epsilon rounded down to so many bits that little of their difference is lost."""
    bits = EXPONENTIAL_BITS
    while True:
        exp_local = rounded(local.exp_bounds(bits=bits)[1], up=True, bits=bits) if local.exp is None else local.exp
        exp_central = rounded(central.exp_bounds(bits=bits)[0], up=False, bits=bits) if central.exp is None else central.exp
        if (exp_local - exp_central) * 2**bits >= 2**_BITS_OF_DIFFERENCE or bits >= _MOST_BITS:
            return bits, exp_local, exp_central
        bits *= 2


def theorem(made: Instance, *, name: str) -> str:
    """The theorem in Coq's language, with the computation that the kernel repeats."""
    t, u = made.exp_epsilon0.as_integer_ratio()
    e, f = made.exp_epsilon.as_integer_ratio()
    numerator, denominator = made.delta.as_integer_ratio()
    clone = f"{u} {t}" if made.pair == "clones" else f"(2 * {u}) ({t} + {u})"
    parameters = f"{made.n} {t} {u} {clone} {e} {f} {numerator} {denominator}"
    program, route = ("exact_delta_is", "private_exactly") if made.window is None else ("window_delta_le", "private_by_window")
    if made.window is not None:
        parameters += "".join(f" {value}" for value in astuple(made.window))
    route = route if made.pair == "clones" else f"stronger_{route}"
    itself = f", the {made.pair.replace('-', ' ')} pair's delta itself" if made.window is None else ""
    return f"""(* n = {made.n}, epsilon0 = {made.epsilon0}, epsilon = {made.epsilon}; delta is about {float(made.delta):.6g}{itself}. *)
Lemma {name}_computed : ({program} {parameters})%Z.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem {name} (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) :
  T <= of_Z R {t} / of_Z R {u} -> of_Z R {e} / of_Z R {f} <= E -> ldp T randomizers ->
  private E (of_Z R {numerator} / of_Z R {denominator}) (fun w : (Z.to_nat {made.n}).-tuple D => shuffled randomizers w).
Proof. by move=> T_le E_ge local_privacy; apply: ({route} T_le E_ge local_privacy {name}_computed). Qed.
"""


def module(instances: dict[str, Instance], *, says: str) -> str:
    """A whole file: a theorem for each instance, by name."""
    head = f"""(* {says}
   Each says: if no randomizer's law on one input exceeds T times its law on another, then what n shuffled users send is
   (epsilon, delta)-DP with e^epsilon = E, for every adaptive sequence of such randomizers.  (FMT21, Theorem 3.2; stronger clones)
   Written by `proofs_check/formal/instance.py`. *)
"""
    head += HEAD.format(modules="Definitions Programs Integers Numbers")
    return head + "\n".join(theorem(made, name=name) for name, made in instances.items())


def _clone(pair: Pair, exp_epsilon0: Fraction) -> Fraction:
    return 1 / exp_epsilon0 if pair == "clones" else 2 / (exp_epsilon0 + 1)


def rounded(x: Fraction, *, up: bool, bits: int) -> Fraction:
    """Return x rounded up, or down, to so many bits behind the point."""
    scaled = x * 2**bits
    return Fraction(ceil(scaled) if up else scaled.numerator // scaled.denominator, 2**bits)


def shortened(x: Fraction, *, digits: int) -> Fraction:
    """Rounded up to so many significant digits."""
    places = digits - 1 - int(_log(x) / log(10) // 1)
    scale = Fraction(10) ** places
    return Fraction(ceil(x * scale)) / scale


def _log(x: Fraction) -> float:
    return log(x.numerator) - log(x.denominator)
