"""What a plan says, as records; every number is kept as it was written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from shuffleproof.mechanisms.mechanism import Mechanism
from shuffleproof.mechanisms.participation import RandomParticipation
from shuffleproof.mechanisms.protocols import FakeUsers
from shuffleproof.spec.vocabulary.numerals import Epsilon, as_given, count
from shuffleproof.spec.vocabulary.randomizers import printed_names

Relation = Literal["one-user", "one-value"]
RELATIONS: Mapping[str, str] = {
    "one-user": "neighbours differ in all answers of one user, in all rounds",
    "one-value": "neighbours differ in one value of one column that one user holds in one attempt of one round",
}
NEIGHBOURS: Mapping[str, str] = {
    "replace-one": "what a user holds is replaced by anything else",
    "deletion": "what a user holds is replaced by nothing: the report of an item drawn at random, a vector without an item, a bit 0",
    "add-remove": "a user is there or not: only where nothing that is seen is of the user's making but what the shuffler's noise covers",
}
RELEASED: Mapping[str, str] = {
    "by the clock": "a batch is released when its time is over, and dropped or kept back if it is smaller than planned, but for add-remove",
    "when full": "a batch is released as soon as it is full",
}
VIEWS: Mapping[str, str] = {
    "messages": "the shuffled messages of the question by themselves",
    "sums": "the sums of the coordinates, as secure aggregation releases them",
    "thresholded-sums": "the sums above a threshold, computed from the sums alone, which bound them",
    "estimate": "the estimates computed from the sums alone, which bound them",
}
OF_ONE_ITEM: Mapping[str, str] = {
    "thresholded-sums": "the sum of one item's coordinate where it is above a threshold: that sum bounds it",
    "estimate": "the estimate of one item, which says what the sum of its coordinate says",
}
"""The same where one item alone is asked for: one coordinate is seen, and nothing of the others (BEYOND.views-of-sums)."""
AGGREGATED = "the sum over all users, as secure aggregation releases it: nothing is claimed where their messages are seen"
VECTORS = ("unary", "rappor", "asymmetric-rappor")
"""Randomizers whose report is a vector of bits, one for each coordinate."""

EXAMPLE = f"""\
# A plan: who reports what, how often, and what must hold in the end. Numbers are what is written (0.1 is 1/10), or text ("1/3", "ln 3").

# one-user: neighbours differ in all answers of one user, in all rounds; one-value: in one value that a user holds in one round.
relation = "one-user"
# replace-one: what the user holds is replaced; deletion: by nothing.
neighbours = "replace-one"

[target]
epsilon = 1
delta = "1e-6"

[[rounds]]
name = "weekly telemetry"
repeat = 52                 # how often this round is held
users = 1_000_000           # who take part each time, at least
dishonest = 1_000           # of these, at most so many reveal their messages, or send none: they hide nobody
participations = 52         # in so many of the attempts at most does one user take part; beside rate write eligible

# rate = 0.1                # not a response rate (then users are those who answer): each device tosses a secret coin of this
#                           # probability, and nobody sees who came; batches below `least` are dropped
# overlap = 0               # none of its users takes part in another round: it composes in parallel with the others

  [[rounds.questions]]
  name = "crashed today"
  randomizer = "k-rr"       # any, gaussian, {printed_names()}; law, with law = "FILE"
  k = 2
  epsilon0 = 2

  [[rounds.questions]]
  name = "favourite of ten"
  randomizer = "k-rr"
  k = 10
  epsilon0 = 2
"""


@dataclass(frozen=True, kw_only=True)
class Question:
    """Says what each user is asked in a round.

    kind: its randomizer or protocol; mechanism: its shuffled reports, with the honest users alone; local: epsilon0 of one report, None for
    a protocol; memoised: whether each user sends one memoized report in every round; view: what of it is released. Of a run alone:
    column: what holds the answers; items: what can be answered, or is asked for of many coordinates; coordinates: of
    vectors, into which texts are hashed, 0 for none; threshold: estimates below are dropped.
    """

    name: str
    kind: str
    mechanism: Mechanism
    local: Epsilon | None
    memoised: bool = False
    view: str = VIEWS["messages"]
    column: str = ""
    items: tuple[str, ...] = ()
    coordinates: int = 0
    threshold: Fraction | None = None

    @property
    def aggregated(self) -> bool:
        """Return whether sums over all users are what is seen, as secure aggregation gives them, and nobody's message."""
        return self.view in (AGGREGATED, *OF_ONE_ITEM.values(), *(text for name, text in VIEWS.items() if name != "messages"))

    @property
    def one(self) -> Mechanism:
        """Return what those who are there take part in."""
        return self.mechanism.one if isinstance(self.mechanism, RandomParticipation) else self.mechanism

    @property
    def parts(self) -> int:
        """How many users' parts are all of the noise, where users add it in parts: those of a batch at least."""
        return count(self.mechanism.least if isinstance(self.mechanism, RandomParticipation) else self.mechanism.n, parameter="n")

    @property
    def fakes(self) -> int:
        """The fake users of a histogram with them: where neighbours differ in who is there it is asked as a zero sum of so many."""
        return count(self.one.fakes if isinstance(self.one, FakeUsers) else self.one.n, parameter="fakes")


@dataclass(frozen=True, kw_only=True)
class Round:
    """A round, held `repeat` times.

    users: at least; dishonest: at most, hiding nobody; participations: how many of the attempts one user is asked in at most, who takes
    part in each or, beside rate, tosses a coin in each; same_users: whether the same users take part every time; rate: the probability
    with which each of them does, on a secret coin; least: reports that make a batch; overlap: the share of its users who may be asked in
    other rounds too; batch: whose data it asks, where a name was given; exactly: whether there are exactly `users`, and never more.
    """

    name: str
    repeat: int
    users: int
    dishonest: int
    participations: int
    same_users: bool
    rate: Fraction
    least: int
    overlap: Fraction
    batch: str | None
    questions: tuple[Question, ...]
    exactly: bool = False


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Says who reports what, how often, and what must hold in the end.

    epsilon, delta: the target; relation: what neighbours differ in; neighbours: how; group: in so many users; rounds: at least
    one; content, folder: what it was read from; digest: SHA-256 of the file it was read from, if it was."""

    relation: Relation
    neighbours: str
    group: int
    epsilon: Epsilon
    delta: Fraction
    rounds: tuple[Round, ...]
    content: Mapping[str, Any] = field(repr=False, compare=False)
    folder: Path = field(default=Path(), repr=False, compare=False)
    digest: str | None = field(default=None, repr=False, compare=False)

    @property
    def wanted(self) -> str:
        """The target's epsilon as it was written."""
        return as_given(epsilon=self.content["target"]["epsilon"])["epsilon"]
