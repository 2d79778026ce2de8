"""Memory that is used again: never by two owners at once, and never across threads where it is scratch."""

import threading

import numpy as np

from shuffleproof.impl.fast.bounds.clones.clones_mixture import Mixture
from shuffleproof.impl.fast.bounds.clones.clones_profile import ClonesProfile
from shuffleproof.impl.fast.numeric import scratch
from shuffleproof.spec.vocabulary.numerals import parse_epsilon


def mixture(left: int) -> Mixture:
    return Mixture.around(m=1000, odds=0.5, left=left, anchor=330, right=400)


def test_two_mixtures_at_once_share_no_memory() -> None:
    first, second = mixture(200), mixture(250)
    assert not np.shares_memory(first.masses, second.masses)
    assert not np.shares_memory(first.masses, first.cumulative)
    before = first.masses.copy(), first.cumulative.copy()
    third = mixture(100)
    assert np.array_equal(before[0], first.masses)
    assert np.array_equal(before[1], first.cumulative)
    assert len(third.masses) != len(second.masses)


def test_memory_comes_back_when_its_owner_is_gone() -> None:
    kept = mixture(200)
    free = len(scratch._free)
    gone = mixture(250)
    taken = free - len(scratch._free)
    del gone
    assert len(scratch._free) == min(free - taken + 2, scratch._MOST_FREE)
    assert all(not np.shares_memory(kept.masses, array) for array in scratch._free)


def test_profiles_in_turns_do_not_disturb_each_other() -> None:
    """Their windows are kept, their walks use the same memory."""
    points = [(n, parse_epsilon(text)) for text in ("0.05", "0.02", "0.11") for n in (10**4, 10**5)]
    alone = {(n, x): ClonesProfile(n=n, odds_factor=1, epsilon0=parse_epsilon(1)).delta(x) for n, x in points}
    profiles = {n: ClonesProfile(n=n, odds_factor=1, epsilon0=parse_epsilon(1)) for n in (10**4, 10**5)}
    for n, x in points:
        lower, upper = profiles[n].delta(x)
        assert lower <= alone[n, x][1]
        assert alone[n, x][0] <= upper


def test_threads_have_scratch_of_their_own() -> None:
    mine = scratch.scratch("a name", 100)
    others = []
    thread = threading.Thread(target=lambda: others.append(scratch.scratch("a name", 100)))
    thread.start()
    thread.join()
    assert not np.shares_memory(mine, others[0])
    assert np.shares_memory(mine, scratch.scratch("a name", 50))
