"""What a plan's promise rests on beside its computation: what has to be true, and what is written and hardly meant."""

import math
from collections.abc import Iterator

from shuffleproof.planning.plan.schema import Plan
from shuffleproof.spec.vocabulary.numerals import shortest


def assumptions(plan: Plan) -> Iterator[str]:
    """Return everything that has to be true for the promise to hold, and that no computation here can check, a sentence each."""
    yield "Every device draws its randomness from a source that nobody can predict, and runs exactly the randomizers of this plan."
    yield "Nothing about the users is released but what is listed as “what is seen”: no times, addresses or sizes of messages."
    for each in plan.rounds:
        # Who is there, and who decides that.
        many = f"{'exactly' if each.exactly else 'at least'} {each.users:,} users"
        follow = f"all but {each.dishonest:,} of whom follow the plan" if each.dishonest else "all of whom follow the plan"
        if each.rate < 1:
            yield f"{each.name}: every attempt has {many} on its list, {follow}."
            yield (
                f"{each.name}: each device on the list decides by a secret coin of probability {shortest(each.rate)}, whatever it holds, "
                "whether it takes part; nobody else learns what the coin said, and no log shows who came. A share of people who answer "
                "is no such coin: for that, users are those who answer, without rate."
            )
        else:
            fewer = "" if plan.neighbours == "add-remove" else "; of an attempt with fewer nothing is released"
            yield f"{each.name}: {many} take part in every attempt, {follow}{fewer}."
        # How often one user is there, and in what else.
        if each.same_users and each.repeat > 1:
            yield f"{each.name}: the same users send a report in every attempt; a user who misses one is not covered by this promise."
        if each.rate == 1 and each.participations < each.repeat:
            most = f"{each.participations} of the {each.repeat} attempts"
            yield f"{each.name}: no user takes part in more than {most}, which has to be counted."
        if each.overlap == 0 and len(plan.rounds) > 1:
            yield f"{each.name}: nobody who may take part in it may take part in another round."
        if any(asked.memoised for asked in each.questions):
            yield f"{each.name}: a memoised report is drawn once, kept, and sent again unchanged, whatever the value has become."
    if plan.relation == "one-value":
        yield "The promise is about one answer of one user, not about all that a user sends over time."


def warnings(plan: Plan) -> Iterator[str]:
    """Return what is computed as written and hardly meant: a delta that lets a user be published, batches that mostly drop."""
    fewest = min(plan.rounds, key=lambda each: each.users)
    if plan.delta * fewest.users > 1:
        told = f"delta = {shortest(plan.delta)} is above one over the {fewest.users:,} users of {fewest.name}"
        yield f"{told}; publishing the data of one user drawn at random is (0, 1/n)-DP too"
    for each in plan.rounds:
        mean = each.users * each.rate
        if each.rate < 1 and each.least > math.ceil(mean):  # a binomial's median is at most the mean, rounded up
            on_average = f"{math.floor(mean):,} of {each.users:,} users come on average"
            yield f"{each.name}: at least half of its batches are dropped: {on_average}, and least = {each.least:,}"
