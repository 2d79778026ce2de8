"""Questions whose answers are judged against each other. Lines: relation | inputs | flags | why it holds; "~" as in `question.related`."""

from dataclasses import dataclass

from shuffleproof.conformance.catalogue.question import Question, related

_MORE_EPSILON = "more epsilon needs no more delta"
_MORE_DELTA = "more delta needs no more epsilon"
_MORE_USERS = "one more clone is a post-processing of the messages"
_MORE_LOCAL = "whoever is epsilon0-DP is so for any larger epsilon0"
_CONVEX = "a divergence is a supremum of functions linear in e^epsilon"
_ONE_NUMBER = "one number, written in several ways"
_RELABELLED = "the names of the outcomes do not matter"


@dataclass(frozen=True, kw_only=True)
class Table:
    """Relations of one provenance. lines: as above."""

    name: str
    operation: str
    statement: str
    value_of: str
    suite: str
    lines: str

    def questions(self) -> tuple[Question, ...]:
        """One for each line."""
        found = []
        for line in self.lines.strip().splitlines():
            relation, text, flags, because = (part.strip() for part in line.split("|"))
            found.append(related(relation, text, *flags.split(), because=because))
        return tuple(found)


TABLES = (
    Table(
        name="clones-relations",
        operation="delta",
        statement="FMT21.Thm3.2",
        value_of="delta of the clones pair",
        suite="fmt21",
        lines=f"""
nonincreasing | method=clones; n=17; epsilon0=ln 3; epsilon=ln 6/5 ~ ln 1.200000001 ~ ln 1.200000002 | WRONG_SIDE | {_MORE_EPSILON}
nonincreasing | method=clones; n=20 ~ 21 ~ 22; epsilon0=ln 1e9; epsilon=ln 2 | CANCELLATION | {_MORE_USERS}
nondecreasing | method=clones; n=19; epsilon0=ln 3 ~ ln 3.000000001 ~ ln 3.000000002; epsilon=ln 5/4 | GRID | {_MORE_LOCAL}
convex | method=clones; n=18; epsilon0=ln 3; epsilon=ln 1.1999999 ~ ln 1.2 ~ ln 1.2000001 ~ ln 1.2000002 | TIE GRID | {_CONVEX}
equal | method=clones; n=16 ~ 1.6e1 ~ 16.0 ~ 32/2; epsilon0=ln 3; epsilon=ln 6/5 | PARSE | {_ONE_NUMBER}
equal | method=clones; n=16; epsilon0=ln 3; epsilon=ln 1.1 ~ ln(1.1) ~ ln 11/10 ~ ln 1.1e0 | PARSE | {_ONE_NUMBER}
""",
    ),
    Table(
        name="zero-sum-relations",
        operation="delta",
        statement="BC20.Thm3.1",
        value_of="delta of the zero sum",
        suite="protocols",
        lines=f"""
nonincreasing | method=zero-sum; n=30; p=0.9; epsilon=ln 3 ~ ln 3.000000001 ~ ln 3.000000002 | NEIGHBOURING | {_MORE_EPSILON}
convex | method=zero-sum; n=29; p=0.9; epsilon=ln 2.9999998 ~ ln 2.9999999 ~ ln 3 ~ ln 3.0000001 ~ ln 3.0000002 \
| NEIGHBOURING TIE | {_CONVEX}
equal | method=zero-sum; n=28; p=0.9 ~ 9/10 ~ 9e-1 ~ .90; epsilon=ln 3 | PARSE | {_ONE_NUMBER}
""",
    ),
    Table(
        name="clones-relations",
        operation="epsilon",
        statement="FMT21.Thm3.2",
        value_of="epsilon of the clones pair",
        suite="fmt21",
        lines=f"""
nonincreasing | method=clones; n=16; epsilon0=ln 3; delta=1e-2 ~ 0.010000001 ~ 0.010000002 | WRONG_SIDE | {_MORE_DELTA}
nonincreasing | method=clones; n=20 ~ 21 ~ 22; epsilon0=ln 1e9; delta=1/10 | CANCELLATION | {_MORE_USERS}
nondecreasing | method=clones; n=15; epsilon0=ln 3 ~ ln 3.000000001 ~ ln 3.000000002; delta=1/50 | GRID | {_MORE_LOCAL}
equal | method=clones; n=16; epsilon0=ln 3; delta=1e-6 ~ 0.000001 ~ 1/1000000 ~ .001e-3 | PARSE | {_ONE_NUMBER}
""",
    ),
    Table(
        name="randomized-response-relations",
        operation="randomizer_law",
        statement="FMT21.Sec4.1",
        value_of="the law of one report",
        suite="fmt21",
        lines=f"""
equal | randomizer=binary-rr; epsilon0=ln 5; input=1 ~~ randomizer=k-rr; k=2; epsilon0=ln 5; input=1 | EDGE_CASE | binary is k = 2
equal | randomizer=binary-rr; epsilon0=2; input=0 ~~ randomizer=k-rr; k=2; epsilon0=2; input=0 | EDGE_CASE | binary is k = 2
equal | randomizer=k-rr; k=3; epsilon0=0.1 ~ 1/10 ~ 1e-1 ~ .1; input=0 | PARSE | {_ONE_NUMBER}
""",
    ),
    Table(
        name="relations",
        operation="hockey_stick",
        statement="FMT21.Sec2.remark-hockey-stick",
        value_of="the hockey-stick divergence of p from q",
        suite="finite",
        lines=f"""
equal | p=1/2,3/10,1/5; q=1/4,1/4,1/2; exp_epsilon=1 ~~ p=1/4,1/4,1/2; q=1/2,3/10,1/5; exp_epsilon=1 | NEIGHBOURING | \
symmetric at e^epsilon = 1
equal | p=1/2,3/10,1/5; q=1/4,1/4,1/2; exp_epsilon=11/10 ~~ p=1/5,1/2,3/10; q=1/2,1/4,1/4; exp_epsilon=1.1 | GRID PARSE | {_RELABELLED}
nonincreasing | p=1/2,3/10,1/5; q=1/4,1/4,1/2; exp_epsilon=1.1 ~ 1.100000001 ~ 1.100000002 | GRID | {_MORE_EPSILON}
convex | p=1/2,3/10,1/5; q=1/4,1/4,1/2; exp_epsilon=1.1999998 ~ 1.1999999 ~ 1.2 ~ 1.2000001 ~ 1.2000002 | TIE GRID | {_CONVEX}
""",
    ),
    Table(
        name="relations",
        operation="local_epsilon",
        statement="FMT21.Def2.2",
        value_of="the least epsilon of a finite local randomizer",
        suite="finite",
        lines=f"""
equal | laws=2/3,1/3 1/2,1/2 1/5,4/5 ~ 1/5,4/5 2/3,1/3 1/2,1/2 ~ 1/3,2/3 4/5,1/5 1/2,1/2 | NEIGHBOURING | \
{_RELABELLED}, nor those of the inputs
""",
    ),
    Table(
        name="relations",
        operation="shuffle_law",
        statement="FMT21.Sec2.remark-shuffle-commutes",
        value_of="the law of the shuffled messages",
        suite="finite",
        lines="""
equal | laws=2/3,1/3 1/5,4/5; dataset=0,1,1,1 ~ 1,0,1,1 ~ 1,1,1,0 | NEIGHBOURING | who holds what is shuffled away
""",
    ),
    Table(
        name="relations",
        operation="renyi",
        statement="FMT21.Def6.1",
        value_of="the Renyi moment of p from q",
        suite="finite",
        lines=f"""
nondecreasing | p=0.50001,0.49999; q=1/2,1/2; order=2 ~ 3 ~ 4 | CANCELLATION | ln of a moment is convex in the order, and 0 at 0 and 1
convex | p=0.5001,0.4999; q=1/2,1/2; order=2 ~ 3 ~ 4 ~ 5 | CANCELLATION | (p/q)^order is convex in the order
equal | p=1/2,3/10,1/5; q=1/4,1/4,1/2; order=7 ~~ p=1/5,1/2,3/10; q=1/2,1/4,1/4; order=7 | NEIGHBOURING | {_RELABELLED}
""",
    ),
    Table(
        name="relations",
        operation="compose",
        statement="KOV15.Thm4.1",
        value_of="what composition makes of guarantees, or of a pair of laws",
        suite="finite",
        lines=f"""
nonincreasing | rule=optimal; epsilon=ln 2; delta=1e-3; rounds=7; total_epsilon=ln 5 ~ ln 5.00000001 ~ ln 5.00000002 | GRID | \
{_MORE_EPSILON}
convex | rule=optimal; epsilon=ln 2; delta=1e-3; rounds=6; total_epsilon=ln 5 ~ ln 5.000001 ~ ln 5.000002 ~ ln 5.000003 | GRID | {_CONVEX}
equal | rule=optimal; epsilon=ln 3; delta=0; rounds=4; total_epsilon=ln 2 ~~ rule=product; p=3/4,1/4; q=1/4,3/4; rounds=4; exp_epsilon=2 \
| TIE | randomized response is the worst there is
""",
    ),
    Table(
        name="bits-relations",
        operation="estimate",
        statement="CSUZZ19.Alg6",
        value_of="the analyzer's output",
        suite="protocols",
        lines="""
equal | protocol=bit-sum; n=9; lambda=2; ones=4 ~~ protocol=real-sum; n=9; lambda=2; r=1; ones=4 | EDGE_CASE | one bit per user
""",
    ),
    Table(
        name="bins-relations",
        operation="estimate",
        statement="BC20.Fig2",
        value_of="the analyzer's output",
        suite="protocols",
        lines="""
equal | protocol=zero-sum; n=9; p=3/4; messages=11 ~~ protocol=histogram; n=9; p=3/4; counts=3,11,9; bin=2 | EDGE_CASE | \
each bin is a zero sum
""",
    ),
    Table(
        name="relations",
        operation="debias",
        statement="LSZKG22.Alg4.inverse",
        value_of="f_C, or its inverse",
        suite="protocols",
        lines=f"""
nondecreasing | C=7; rate=3 ~ 3.00000001 ~ 3.00000002 | WRONG_SIDE | a larger rate has more above every step
nondecreasing | C=7 ~ 7.00000001 ~ 7.00000002; rate=5 | GRID | a larger C cuts less
convex | C=7; y=3 ~ 3.001 ~ 3.002 | CANCELLATION | f_C is concave and rises, so its inverse is convex
equal | C=7; rate=0.7 ~ 7/10 ~ 7e-1 | PARSE | {_ONE_NUMBER}
""",
    ),
    Table(
        name="relations",
        operation="threshold",
        statement="LSZKG22.Lem4.1.minimisers",
        value_of="the threshold of least cost",
        suite="protocols",
        lines="""
equal | rule=minimiser; norms=6,4,2,1 ~ 1,4,6,2 ~ 2,1,4,6; T=5/2 | TIE | the order of the norms does not matter
nonincreasing | rule=regularised; norms=6,4,2,1; T=1 ~ 1.000000001 ~ 1.000000002; lambda=1/3; B=10 | GRID | a larger slope pulls to 0
""",
    ),
)
