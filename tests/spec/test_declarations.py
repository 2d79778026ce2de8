"""Every declaration of a randomizer against its exact distribution, over its parameters: nothing else says what its outputs are."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given, strategies as st
from strategies import examples

from shuffleproof.answering import OfRandomizer
from shuffleproof.planning.composition import compose
from shuffleproof.spec.distribution import Distribution, total_variation
from shuffleproof.spec.model import LocalRandomizer
from shuffleproof.spec.randomizers.blanket import privacy_blanket
from shuffleproof.spec.randomizers.exact import exact_distribution
from shuffleproof.spec.randomizers.hadamard_response import Hadamard
from shuffleproof.spec.randomizers.k_rr import KRR
from shuffleproof.spec.randomizers.k_subset import Subset
from shuffleproof.spec.randomizers.local_hashing import LocalHashing
from shuffleproof.spec.randomizers.piecewise import Piecewise
from shuffleproof.spec.randomizers.sliding_window import SlidingWindow
from shuffleproof.spec.randomizers.square_wave import SquareWave
from shuffleproof.spec.randomizers.unary_encoding import RAPPOR, AsymmetricRAPPOR, UnaryEncoding
from shuffleproof.spec.vocabulary import randomizers
from shuffleproof.spec.vocabulary.errors import UnsupportedError
from shuffleproof.spec.vocabulary.likelihoods import Classes, OutputClass, exact_weights
from shuffleproof.spec.vocabulary.named_randomizer import SETTINGS, NamedRandomizer
from shuffleproof.spec.vocabulary.numerals import Epsilon
from shuffleproof.spec.vocabulary.randomizers import NAMED

Merged = dict[tuple[Fraction, ...], Fraction]
"""The mass of the outputs with one likelihood vector, its entries summing to 1."""
ROOTS = st.one_of(
    st.fractions(min_value=1, max_value=50, max_denominator=60).filter(lambda x: x > 1),
    st.sampled_from([1 + Fraction(1, 10**40), Fraction(10**150)]),
)
"""e^(epsilon0/2): ordinary, next to 1, and beyond everything that is used."""


def subsets() -> st.SearchStrategy[NamedRandomizer]:
    return st.tuples(st.integers(2, 12), st.integers(1, 11)).filter(lambda each: each[1] < each[0]).map(lambda e: Subset(k=e[0], d=e[1]))


ITEMS = st.integers(2, 4)
RANDOMIZERS: dict[str, st.SearchStrategy[NamedRandomizer]] = {
    "krr": st.integers(2, 14).map(lambda k: KRR(k=k)),
    "rappor": st.integers(2, 4).map(lambda k: RAPPOR(k=k)),
    "unary": st.builds(
        UnaryEncoding, p_other=st.fractions(min_value=Fraction(1, 50), max_value=Fraction(49, 50), max_denominator=50), k=ITEMS
    ),
    "asymmetric-rappor": st.integers(2, 4).map(lambda k: AsymmetricRAPPOR(k=k)),
    "subset": subsets().filter(lambda each: len(each_distribution(each, Fraction(2)).messages) < 100),
    "hadamard": st.builds(Hadamard, k=st.integers(2, 7), blocks=st.sampled_from([None, 1, 2, 4])),
    "piecewise": st.just(Piecewise()),
    "square-wave": st.builds(
        SquareWave,
        radius=st.sampled_from([Fraction(1, 2)]) | st.fractions(min_value=Fraction(1, 99), max_value=Fraction(1, 2), max_denominator=99),
    ),
    "hash": st.builds(LocalHashing, buckets=st.integers(2, 3), k=st.integers(2, 3), family=st.just("uniform")),
}


def each_distribution(randomizer: NamedRandomizer, T: Fraction) -> LocalRandomizer[int, Any]:
    return exact_distribution(randomizer, T, largest=20_000)


def declared(classes: Classes, T: Fraction) -> Merged:
    """The classes' masses under the three, merged where their likelihood vectors are alike."""
    weights = exact_weights(classes, Epsilon(None, T))
    assert weights is not None
    levels = [(each.first, each.second, each.third) for each in classes]
    Z = sum(w * T**first for w, (first, _, _) in zip(weights, levels, strict=True))
    return merged([w * T**level / Z for level in three] for w, three in zip(weights, levels, strict=True))


def merged(rows: Iterable[Sequence[Fraction]]) -> Merged:
    found: Merged = Counter()  # type: ignore[assignment]
    for row in rows:
        if total := sum(row):
            found[tuple(each / total for each in row)] += total
    return dict(found)


def of_distributions(*laws: Distribution[object] | dict[object, Fraction]) -> Merged:
    outputs = dict.fromkeys(y for law in laws for y in (law.support if isinstance(law, Distribution) else law))
    return merged([law[y] for law in laws] for y in outputs)


@pytest.mark.parametrize("name", RANDOMIZERS)
@examples(8)
@given(data=st.data(), root=ROOTS)
def test_the_declared_classes_are_those_of_the_exact_distribution(name: str, data: st.DataObject, root: Fraction) -> None:
    _require_exact_classes(data.draw(RANDOMIZERS[name]), root**2)


SMALL = [
    *(Hadamard(k=k, blocks=blocks) for k in range(2, 9) for blocks in (1, 2, 4)),
    *(Subset(k=k, d=d) for k in (2, 3, 4) for d in range(1, k)),
    *(each(k=2) for each in (KRR, RAPPOR, AsymmetricRAPPOR)),
]


@pytest.mark.parametrize("randomizer", SMALL, ids=str)
def test_every_small_randomizer_declares_its_own_classes(randomizer: NamedRandomizer) -> None:
    """Which rows a block has, or that there are two items, decides which classes there are: a drawn test has few such examples."""
    _require_exact_classes(randomizer, Fraction(4))


@pytest.mark.parametrize("buckets", [2, 3, 4])
def test_hashing_by_any_functions_declares_what_each_function_makes_of_three_items(buckets: int) -> None:
    T = Fraction(4)
    law = exact_distribution(KRR(k=buckets), T)
    there = [of_distributions(*(law.distribution(bucket) for bucket in hashed)) for hashed in product(range(buckets), repeat=3)]
    _each_is_declared(LocalHashing(buckets=buckets, family="any"), Epsilon(None, T), there)


def _require_exact_classes(randomizer: NamedRandomizer, T: Fraction) -> None:
    """Of all x_0, x_1 and x_2; and each that is declared is there, its inputs in some order."""
    law, epsilon0 = each_distribution(randomizer, T), Epsilon(None, T)
    inputs = law.domain if not randomizer.alike else law.domain[:3]
    # Where a window is half of the outputs, only two are disjoint, and of what is declared two inputs that share all are left.
    two_windows = isinstance(randomizer, SlidingWindow) and len(inputs) == 2
    triples = [triple for triple in product(inputs, repeat=3) if triple[0] != triple[1] or two_windows]
    every = {triple: of_distributions(*(law.distribution(x) for x in triple)) for triple in triples}
    there = list(every.values())
    datasets = [declared(each.classes, T) for each in randomizer.datasets(epsilon0)]
    assert all(each in there for each in datasets)
    if not isinstance(randomizer, SlidingWindow):  # of windows the others are mixtures: test_any_three_windows_are_a_mixture
        _each_is_declared(randomizer, epsilon0, there)
    three = randomizer.three_inputs(epsilon0)
    if three is not None:
        assert declared(three, T) in there
        orders = [tuple(replace(c, first=levels[i], second=levels[j], third=levels[k]) for c, levels in _with(three)) for i, j, k in ORDERS]
        assert all(declared(order, T) == declared(three, T) for order in orders)


def _each_is_declared(randomizer: NamedRandomizer, epsilon0: Epsilon, there: list[Merged]) -> None:
    T = epsilon0.exp or Fraction(1)
    others = [declared(classes, T) for classes in randomizer.others(epsilon0)]
    turned = [declared(tuple(replace(c, first=c.second, second=c.first) for c in each), T) for each in randomizer.others(epsilon0)]
    assert all(each in (*others, *turned) for each in there)


ORDERS = list(permutations(range(3)))


def _with(classes: Classes) -> list[tuple[OutputClass, tuple[int, int, int]]]:
    return [(each, (each.first, each.second, each.third)) for each in classes]


@pytest.mark.parametrize("name", RANDOMIZERS)
@examples(6)
@given(data=st.data(), root=ROOTS)
def test_the_declared_blanket_is_the_exact_one_and_no_two_inputs_are_further_apart(name: str, data: st.DataObject, root: Fraction) -> None:
    randomizer, T = data.draw(RANDOMIZERS[name]), root**2
    law, epsilon0 = each_distribution(randomizer, T), Epsilon(None, T)
    share, blanket = privacy_blanket(law)
    least = {y: share * blanket[y] for y in law.messages}
    pairs = list(permutations(law.domain[:3] if randomizer.alike else law.domain, 2))
    assert declared(randomizer.against_blanket(epsilon0), T) in [
        of_distributions(law.distribution(x), law.distribution(y), least) for x, y in pairs
    ]
    two = declared(tuple(replace(each, third=0) for each in randomizer.two_inputs(epsilon0)), T)
    furthest = max(total_variation(law.distribution(x), law.distribution(y)) for x, y in pairs)
    scale = [sum(row[i] * mass for row, mass in two.items()) for i in (0, 1)]
    assert scale == [1, 1]
    assert sum(max(Fraction(0), row[0] - row[1]) * mass for row, mass in two.items()) == furthest


@examples(20)
@given(ROOTS)
def test_symmetric_and_optimized_encodings_are_cases_of_unary_encoding(root: Fraction) -> None:
    T = root**2
    cases: tuple[tuple[NamedRandomizer, Fraction], ...] = ((RAPPOR(k=3), 1 / (root + 1)), (AsymmetricRAPPOR(k=3), 1 / (T + 1)))
    for case, q in cases:
        if not Fraction(1, 10**12) <= q <= 1 - Fraction(1, 10**12):
            continue
        one = UnaryEncoding(p_other=q, k=3)
        epsilon0 = Epsilon(None, T)
        assert [declared(each.classes, T) for each in one.datasets(epsilon0)] == [declared(d.classes, T) for d in case.datasets(epsilon0)]
        assert declared(one.against_blanket(epsilon0), T) == declared(case.against_blanket(epsilon0), T)
        own = T * q / (T * q + 1 - q)
        assert UnaryEncoding(p_own=own, p_other=q).implied_epsilon0 == epsilon0


def test_every_named_randomizer_with_classes_is_drawn() -> None:
    assert {name for name, each in NAMED.items() if not each.noise} == set(RANDOMIZERS)


@pytest.mark.parametrize("place", ["first", "third"])
def test_a_class_at_a_wrong_level_is_noticed(place: str) -> None:
    """Mutant of a declaration: one of its levels is turned."""
    T, record = Fraction(4), KRR(k=5)
    one, *rest = record.against_blanket(Epsilon(None, T))
    law = exact_distribution(record, T)
    share, blanket = privacy_blanket(law)
    truth = of_distributions(law.distribution(0), law.distribution(1), {y: share * blanket[y] for y in law.messages})
    assert declared((one, *rest), T) == truth
    assert declared((replace(one, **{place: 1 - getattr(one, place)}), *rest), T) != truth


def test_any_number_of_items_is_what_many_items_tend_to() -> None:
    """Where k is left out no output is preferred by all items: the blanket's higher level has the weight (1 + z)^-(k - 2) at k items."""
    for many, some in ((RAPPOR(), RAPPOR(k=200)), (AsymmetricRAPPOR(), AsymmetricRAPPOR(k=200))):
        T = Fraction(9, 4)
        one, other = (declared(each.against_blanket(Epsilon(None, T)), T) for each in (many, some))
        assert sum(abs(one.get(row, 0) - other.get(row, 0)) for row in {**one, **other}) < Fraction(1, 10**40)
    assert Subset(k=10**9, d=5 * 10**8).against_blanket(Epsilon(None, Fraction(4)))[0].weight is not None


def test_a_randomizer_that_is_declared_half_says_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What its class lacks, where it is declared; that nobody has made an object of it, where one is asked for."""
    lacking = r"'half' .* lacks says, against_blanket, datasets, three_inputs, a reader in SETTINGS for size"
    with pytest.raises(TypeError, match=lacking):
        type("Half", (NamedRandomizer,), {"name": "half", "exact": KRR.exact, "__annotations__": {"size": int}})
    monkeypatch.setattr(randomizers, "NAMED", {**NAMED, "half": type("Half", (KRR,), {"name": "half", "called": ""})})
    with pytest.raises(UnsupportedError, match="'half' as an object"):
        compose(n=10, rounds=2, delta="1/10", epsilon0=1, randomizer="half", k=3)


def test_every_setting_may_be_given_where_randomizers_are_asked_for_by_name() -> None:
    assert set(OfRandomizer.__annotations__) == {"randomizer", *SETTINGS}
