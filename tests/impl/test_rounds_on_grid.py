"""Rounds on a grid of privacy losses: the exact values of small pairs lie between its ends, and ends that are swapped do not hold them."""

from fractions import Fraction

import pytest

from shuffleproof.impl.ball import rounds_on_grid
from shuffleproof.spec import composition
from shuffleproof.spec.bounds.clones import clones
from shuffleproof.spec.bounds.clones.clones import stronger_clones
from shuffleproof.spec.privacy_profile import PrivacyProfile
from shuffleproof.spec.vocabulary.errors import DomainError, ResourceLimitError
from shuffleproof.spec.vocabulary.methods.clones import CLONES, STRONGER_CLONES
from shuffleproof.spec.vocabulary.methods.protocols import BIT_SUM
from shuffleproof.spec.vocabulary.numerals import parse_epsilon

PAIRS = {CLONES: clones.dominating_pair, STRONGER_CLONES: stronger_clones.dominating_pair}


@pytest.fixture(autouse=True)
def few_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds_on_grid, "_CELLS", 300)


@pytest.mark.parametrize("method", PAIRS, ids=lambda method: method.name)
@pytest.mark.parametrize(
    ("n", "local", "rounds", "order"), [(1, "3", 2, "3"), (3, "3", 3, "2"), (4, "9", 2, "11/10"), (2, "2", 1, "1"), (1, "3/2", 1, "4")]
)
def test_exact_values_lie_between_the_ends(method: object, n: int, local: str, rounds: int, order: str) -> None:
    T, E = Fraction(local), Fraction(order)
    exact = PrivacyProfile(*composition.composed([PAIRS[method](n=n, exp_epsilon0=T)] * rounds))  # type: ignore[index]
    asked = {"method": method, "n": n, "epsilon0": parse_epsilon(f"ln {T}"), "rounds": rounds}
    low, high = rounds_on_grid.delta(**asked, epsilon=parse_epsilon(f"ln {E}"))  # type: ignore[arg-type]
    truth = exact.delta(exp_epsilon=E)
    assert low <= truth <= high
    assert 0 <= high - low < Fraction(1, 20)
    assert low < truth or truth == 0
    target = Fraction(1, 50)
    found = exact.exp_epsilon(delta=target)
    assert found is not None
    low, high = rounds_on_grid.epsilon(**asked, delta=target)  # type: ignore[arg-type]
    least, most = parse_epsilon(f"ln {found}").bounds(bits=64)
    assert low <= most
    assert least <= high
    assert high - low < Fraction(1, 10)


def test_losses_rounded_the_wrong_way_miss_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mutant: up where down is due."""
    right = rounds_on_grid._on_grid
    monkeypatch.setattr(rounds_on_grid, "_on_grid", lambda *asked: right(*asked[:-1], not asked[-1]))
    asked = {"method": CLONES, "n": 3, "epsilon0": parse_epsilon("ln 3"), "rounds": 3}
    low, high = rounds_on_grid.delta(**asked, epsilon=parse_epsilon("ln 2"))  # type: ignore[arg-type]
    assert not low <= Fraction(156971, 373248) <= high


def test_what_is_not_put_on_the_grid_is_refused() -> None:
    asked = {"epsilon0": parse_epsilon("1"), "rounds": 2, "epsilon": parse_epsilon("1")}
    with pytest.raises(ResourceLimitError, match="n = 301"):
        rounds_on_grid.delta(method=CLONES, n=301, **asked)  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="method"):
        rounds_on_grid.delta(method=BIT_SUM, n=3, **asked)  # type: ignore[arg-type]


def test_a_renyi_divergence_of_losses_is_that_of_their_pair() -> None:
    low, high = rounds_on_grid.renyi_of_losses(
        [{Fraction(3): Fraction(3, 4), Fraction(1, 3): Fraction(1, 4)}], order=Fraction(2), digits=20
    )
    least, most = parse_epsilon("ln 7/3").bounds(bits=128)
    assert low <= most
    assert least <= high
    assert high - low < Fraction(1, 10**20)
