"""One theorem beyond the four papers: the optimal dominating pair for shuffled randomizers, its proof lemma by lemma, and its witnesses."""

READING_ORDER = (
    "one_sum",
    "corner_distributions",
    "pair",
    "theorem",
    "consequences",
    "published_pairs",
    "controlled_sum",
    "controlled_sum_smoothed",
    "k_rr_blanket",
    "sliding_windows",
    "randomizer_lower",
    "coordinate_sums",
    "random_participation",
    "filters",
    "noise_of_everybody",
    "split_and_mix",
    "sums_over_one_count",
    "rounds",
    "rounds_below",
    "renyi_from_profiles",
    "renyi_from_powers",
    "accuracy",
    "elementary",
)
"""The modules in the order of the proof and of what follows from it; others come after them."""
