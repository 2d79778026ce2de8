"""CSUZZ19, section 2: two claims whose formulas the text at hand has lost, kept as questions."""

from shuffleproof.proofs_check.ledger import unchecked

unchecked(
    "CSUZZ19.Sec2.3.best-attempt",
    says="(a question) the authors' best attempt at [17]'s method, for randomized response with a large local eps, gives an error just "
    "below that of the local model",
    range="as printed",
    why="the formulas are lost in the text at hand, and the attempt is not described. What is true of randomized response of every local "
    "eps is CSUZZ19.Sec2.3.remark-amplified, and of every randomizer FMT21.Thm3.2",
)


unchecked(
    "CSUZZ19.Sec2.2.approximation-term",
    where="Section 2.2, in parentheses after the definition of variable selection",
    says="(a question) any sufficiently small constant fraction in the approximation term of variable selection leads "
    "to the same lower bounds",
    range="as printed",
    why="`the same` is up to constants that are not stated; with the printed fraction the bounds have constants: CSUZZ19.Thm6.5, "
    "CSUZZ19.Cor6.6. That a smaller fraction is no easier holds by definition",
)
