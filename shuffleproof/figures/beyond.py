"""Beyond the papers: how far each bound on shuffled randomizers is from the truth, from both sides."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from shuffleproof.bounds import answer
from shuffleproof.figures.chart import Curve, Figure, Panel, Table, log_panel
from shuffleproof.figures.fmt21 import asked, logarithmic, lower_end, upper_end
from shuffleproof.mechanisms.mechanism import shuffled
from shuffleproof.mechanisms.randomizers import KRR, AnyRandomizer, Randomizer, named_in
from shuffleproof.planning.sweep.points import Points, numbers
from shuffleproof.spec.vocabulary.bound import Bound
from shuffleproof.spec.vocabulary.numerals import Epsilon, Number, as_given, decimal_text, exact_fraction
from shuffleproof.spec.vocabulary.parameters import EPSILON0
from shuffleproof.spec.vocabulary.progress import steps
from shuffleproof.spec.vocabulary.randomizers import RANDOMIZER

DELTA = "1e-6"
CATEGORIES = (3, 10, 100)  # Numbers of items of k-RR: few, some and many.
LOCAL = ("1", "3", "5", "8")
USERS = (10**3, 10**4, 10**6)  # Numbers of users of a row.
_MANY = 10**6  # So many users take seconds a row.
_MANY_OF = 10  # The only number of items with which they are shown in the table of all numbers of items.
_DIGITS = 8  # Of certified ends, which the table shows rounded to their sides.
_SIDES = (
    "Certified by ball arithmetic, but for EFMRTT19's formula (recalled, checked at points) and the optimal pair (float64, rounded to its "
    "side). Clones: FMT21, Theorem 3.2. Stronger clones: FMT23's general pair (BEYOND.CorF2). Optimal pair: BEYOND.ThmF3 with p, beta "
    "and q of k-RR. Blanket: BBGN19's sum, exact (BEYOND.k-rr-blanket), and by Bennett's inequality.",
    "Lower: shuffled k-RR on (1, 3, ..., 3) and (2, 3, ..., 3), or 2RR on (0, ..., 0) and (1, 0, ..., 0): one pair of datasets each, and "
    "what one randomizer needs is needed for all.",
)


@cache
def k_rr_brackets(categories: tuple[int, ...] = CATEGORIES, local: tuple[str, ...] = LOCAL, users: tuple[int, ...] = USERS) -> Table:
    """For shuffled k-RR: a lower bound, an upper bound for all datasets, their ratio, and what the published pair would claim."""
    places = [place for place in product(categories, local, users) if place[2] < _MANY or place[0] == _MANY_OF]
    return Table(
        title=f"Shuffled k-ary randomized response: epsilon at delta = {DELTA}, from both sides",
        columns=("k", "eps0", "n", "at least", "at most", "ratio", "optimal pair", "published claim", "the claim is"),
        rows=[_bracket(k, each, n) for k, each, n in steps(places, of="brackets")],
        notes=(
            "at least: the datasets (1, 3, ..., 3) and (2, 3, ..., 3) (method k-rr-pair). at most: all neighbouring datasets, adaptive "
            "functions too (method k-rr-blanket). Both certified and rounded to their safe side, as is their ratio.",
            "optimal pair: all that p, beta, q of k-RR determine, for adaptive randomizers (method randomizer-pair); float64, rounded up.",
            "published claim: the variation-ratio reduction's pair as published (recalled), which hides one count; rounded up. "
            "It is too small where it is below the certified lower bound; the refutation is BEYOND.Published-variation-ratio.",
            "Rows of a million users take seconds each, and stand there for k = 10 only.",
        ),
    )


def _bracket(k: int, epsilon0: str, n: int) -> tuple[str, ...]:
    from shuffleproof.impl.ball.bounds.variation_ratio.published_variation_ratio import claimed_epsilon

    own = {"n": str(n), "k": str(k), "epsilon0": epsilon0, "delta": DELTA}
    lower = answer(quantity="epsilon", parameters=own, method="k-rr-pair", digits=_DIGITS).bound.lower
    upper = answer(quantity="epsilon", parameters=own, method="k-rr-blanket", digits=_DIGITS).bound.upper
    own_pair = answer(quantity="epsilon", parameters={**own, "randomizer": "k-rr"}, method="randomizer-pair", engine="fast").bound.upper
    _, claimed = claimed_epsilon(n=n, k=k, epsilon0=epsilon0, delta=DELTA, digits=_DIGITS)
    return (
        str(k),
        epsilon0,
        str(n),
        decimal_text(lower, digits=_DIGITS, direction="down"),
        decimal_text(upper, digits=_DIGITS, direction="up"),
        decimal_text(upper / lower, digits=_DIGITS, direction="up"),
        decimal_text(own_pair, digits=_DIGITS, direction="up"),
        decimal_text(claimed, digits=_DIGITS, direction="up"),
        "too small" if claimed < lower else "not refuted here",
    )


@cache
def over_epsilon0(points: int = 15, n: int = 1000, k: int = 10) -> Figure:
    """Every bound against eps0, for all eps0-DP randomizers and for k-RR."""
    places = [(n, each) for each in logarithmic(0.1, 8, points)]
    return _figure(f"Central epsilon over eps0 for n = {n}, delta = {DELTA}", "local epsilon0", [float(e) for _, e in places], places, k)


@cache
def over_users(points: int = 13, epsilon0: str = "1", k: int = 10) -> Figure:
    """Every bound against n, for all eps0-DP randomizers and for k-RR."""
    places = [(round(float(each)), epsilon0) for each in logarithmic(1e2, 1e6, points, digits=6)]
    title = f"Central epsilon over n for eps0 = {epsilon0}, delta = {DELTA}"
    return _figure(title, "number of users n", [float(n) for n, _ in places], places, k)


def brackets(
    *, n: Points = "100:1e6:9", epsilon0: Number | Epsilon = 1, delta: Number = DELTA, randomizer: str = "k-rr", **sizes: Number
) -> Figure:
    """The bracket of the truth over n, for every eps0-DP randomizer, adaptive too, and for a named one: by default 10-ary response.

    n: as `sweep` takes it, "FIRST:LAST:COUNT" for numbers in equal ratios; epsilon0, delta: the same at all of them; randomizer: its name,
    with its sizes. Each end is the tightest that the library knows. Raises DomainError.
    """
    users = whole_numbers(n)
    if randomizer in ("k-rr", "krr") and not sizes:
        sizes = {"k": 10}
    named = named_in({RANDOMIZER.name: randomizer, EPSILON0.name: epsilon0, **sizes})
    curves: list[Curve] = []
    for label, each in (("any randomizer", AnyRandomizer(epsilon0=epsilon0)), (_named(named), named)):
        found = [shuffled(each, n=count).epsilon(delta=delta) for count in steps(users, of="points")]
        x = [float(count) for count in users]
        curves.append(Curve(label=label, side="upper", x=x, y=[one.at_most for one in found]))
        curves.append(Curve(label=label, side="lower", x=x, y=[None if one.lower is None else one.at_least for one in found]))
    panel = log_panel("number of users n", "epsilon", curves)
    given = as_given(eps0=epsilon0, delta=delta)
    return Figure(title=f"What shuffling leaves of epsilon0 = {given['eps0']}, at delta = {given['delta']}", panels=[panel])


def whole_numbers(n: Points) -> list[int]:
    """Numbers of users as `sweep` takes them. Raises DomainError."""
    return [exact_fraction(each, parameter="n").numerator for each in numbers(n, parameter="n", whole=True)]


def _named(randomizer: Randomizer) -> str:
    """A curve's name: "10-ary response", or the randomizer as it prints."""
    return f"{randomizer.k}-ary response" if isinstance(randomizer, KRR) else str(randomizer)


def efmrtt19(n: int, epsilon0: str) -> float | None:
    """EFMRTT19: 12 eps0 sqrt(ln(1/delta)/n) (BEYOND.EFMRTT19), rounded up; None where it is not stated: eps0 >= 1/2 or n < 1000."""
    if n < 1000 or Fraction(epsilon0) >= Fraction(1, 2):
        return None
    return 12 * float(epsilon0) * math.sqrt(-math.log(float(DELTA)) / n) * (1 + 1e-12)


def _figure(title: str, x_label: str, x: Sequence[float], places: Sequence[tuple[int, str]], k: int) -> Figure:
    def each(method: str, end: Callable[[Bound], float], own: dict[str, str]) -> list[float | None]:
        engine = "fast" if method == "randomizer-pair" else "auto"
        at_each = ({"n": str(n), "epsilon0": local, "delta": DELTA, **own} for n, local in steps(places, of="points"))
        return [asked(end, parameters, method=method, engine=engine, digits=4) for parameters in at_each]

    def upper(label: str, method: str, **own: str) -> Curve:
        return Curve(label=label, side="upper", x=x, y=each(method, upper_end, own))

    def lower(label: str, method: str, **own: str) -> Curve:
        return Curve(label=label, side="lower", x=x, y=each(method, lower_end, own))

    clones, stronger = upper("FMT21's clones", "clones"), upper("stronger clones", "stronger-clones")
    any_randomizer = [clones, stronger, lower("2RR pair", "binary-rr-pair"), lower("k-RR pair, k = 3", "k-rr-pair", k="3")]
    recalled = Curve(label="EFMRTT19", side="upper", x=x, y=[efmrtt19(*place) for place in places])
    if any(y is not None for y in recalled.y):
        any_randomizer.append(recalled)
    k_rr = [
        clones,
        stronger,
        upper("blanket, Bennett", "k-rr-blanket-bennett", k=str(k)),
        upper("optimal pair", "randomizer-pair", randomizer="k-rr", k=str(k)),
        upper("blanket, exact sum", "k-rr-blanket", k=str(k)),
        lower("k-RR pair", "k-rr-pair", k=str(k)),
    ]
    panels = [
        Panel(title=name, x_label=x_label, y_label="central epsilon", curves=curves, x_scale="log", y_scale="log")
        for name, curves in (("every eps0-DP randomizer", any_randomizer), (f"k-ary randomized response, k = {k}", k_rr))
    ]
    return Figure(title=title, panels=panels, notes=_SIDES)
