"""Statements of the ledger that several methods rest on beside the one that each is cited by."""

ANY_MESSAGES = ("BEYOND.LemL1", "BEYOND.LemL4")
"""Coq has the theorems on pairs for finitely many messages; for real ones they rest on the reduction and the induction, as argued."""
NOISY_BITS_IN_BALLS = ("CSUZZ19.Profile.one-tail", "CSUZZ19.Profile.rest", "CSUZZ19.Profile.circle")
"""Sums of noisy bits in balls: one tail decides, what is left out beyond it, and the contour that takes the place of long sums."""
NOISY_BITS_IN_FLOATS = ("CSUZZ19.Profile.one-difference", "CSUZZ19.Profile.rest")
"""Sums of noisy bits in float64: one difference decides, and what is left out beyond it."""
_WORST_DATASET = ("CSUZZ19.Profile.one-direction", "CSUZZ19.Profile.blocks")
BIT_SUM_IN_BALLS = (*_WORST_DATASET, *NOISY_BITS_IN_BALLS)
"""The bit sum over all datasets: one direction, numbers of ones in blocks, and the sums of each."""
BIT_SUM_IN_FLOATS = (*_WORST_DATASET, *NOISY_BITS_IN_FLOATS)
"""The same in float64."""
