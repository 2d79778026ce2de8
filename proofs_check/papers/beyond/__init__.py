"""One theorem beyond the four papers: the optimal dominating pair for shuffled randomizers, its proof lemma by lemma, and its witnesses."""

READING_ORDER = (
    "reduction_to_one_sum",
    "corner_laws",
    "backward_induction",
    "pair",
    "theorem",
    "consequences",
    "published_pairs",
    "total_variations",
    "k_rr_blanket",
    "named_parameters",
    "randomizer_lower",
    "coordinate_sums",
    "random_participation",
    "filters",
    "laplace_sum",
    "fake_users",
    "shuffled_batches",
    "sums_over_one_count",
    "more_draws",
    "chords",
    "chains_of_counts",
    "rounds",
    "accuracy",
    "elementary",
)
"""The modules in the order of the proof and of what follows from it; others come after them."""
