"""The theorems that are read and recorded, by name: where they stand, and which row of the ledger they say, all of it."""

from dataclasses import dataclass

from shuffleproof.proofs_check.formal.sources import modules
from shuffleproof.proofs_check.formal.statements import statements


@dataclass(frozen=True, slots=True)
class Named:
    """A theorem of a module. row: the ledger's row that it says in full, or none.

    says: its content, for a reader who does not know Coq, where no row has it in words and formula.
    """

    theorem: str
    module: str
    says: str = ""
    row: str | None = None

    @property
    def content(self) -> str:
        """Return what it says, or which row of the ledger says it."""
        return self.says or f"all of {self.row} (`ledger show {self.row}`)"


NAMED = (
    Named(
        "hockey_attained_by_an_event", "Divergence", "the hockey-stick divergence is attained by an event: it is the largest P(A) - E Q(A)"
    ),
    Named("dp_iff_hockey", "Divergence", "(epsilon, delta)-indistinguishability over all events says that the divergence is at most delta"),
    Named("hockey_post_processing", "Divergence", row="FMT21.Sec2.remark-post-processing.finite"),
    Named("shuffled_is_law", "Shuffling", "the outputs of a shuffled adaptive sequence have a law"),
    Named("hiding_among_the_clones", "HidingAmongTheClones", row="FMT21.Thm3.2.finite"),
    Named("clones_dominate", "HidingAmongTheClones", "so their divergences are at most the clones pair's, at every order and both ways"),
    Named("clones_private", "HidingAmongTheClones", "so a shuffled adaptive sequence is (epsilon, delta)-DP with the clones pair's delta"),
    Named("randomize_then_shuffle_private", "HidingAmongTheClones", "so are the shuffled messages of one randomizer for all"),
    Named("histogram_private", "HidingAmongTheClones", "and so is the histogram of the messages"),
    Named("exact_delta_is_sound", "ExactNumbers", "the integer program for the clones pair's delta computes it"),
    Named("window_delta_le_sound", "WindowNumbers", "the fixed-point program accepts upper bounds of the clones pair's delta only"),
    Named("private_by_window", "Numbers", "what it accepts is privacy of every shuffled adaptive sequence"),
    Named("private_exactly", "Numbers", "the same from the exact program"),
    Named("stronger_private_by_window", "Numbers", "privacy of every shuffled adaptive sequence, by stronger clones"),
    Named("stronger_private_exactly", "Numbers", "the same from the exact program"),
    *(
        Named(f"shuffled_{users}", "ExactInstances", f"adaptive randomizers, {users.replace('_', ' ')}: private with that delta")
        for users in ("1_user", "2_users", "10_users", "100_users")
    ),
    *(
        Named(f"shuffled_{users}", module, f"adaptive randomizers, {users.replace('_', ' ')}: private with that delta")
        for users, module in (
            ("1000_users", "WindowInstances"),
            ("10000_users_ln_3", "WindowInstances"),
            ("10000_users", "IrrationalInstances"),
            ("1000000_users", "MillionUsers"),
        )
    ),
    *(
        Named(f"stronger_{users}", module, f"stronger clones, {users.replace('_', ' ')}: private with that delta")
        for users, module in (
            *((f"{users}_users", "StrongerInstances") for users in (2, 10, 100, 1000)),
            ("10000_users_ln_3", "StrongerInstances"),
            ("10000_users", "IrrationalInstances"),
        )
    ),
    Named("hockey_joint_convexity", "Composition", row="FMT21.Sec2.remark-convexity.finite"),
    Named("hockey_product_dominated", "Composition", "dominating pairs compose, adaptively"),
    Named("basic_composition", "Composition", row="BEYOND.basic-composition.finite"),
    Named("group_privacy", "Composition", row="BEYOND.groups.finite"),
    Named("replacement_of_deletion", "Composition", row="FMT21.Sec3.1.remark-deletion.finite"),
    Named("shuffled_bounded", "SharedProcess", "a shared part of the randomizers bounds the divergence of a shuffled adaptive sequence"),
    Named("corner_law_largest", "CornerLaw", "the pair's score is the largest in convex order, for its ratio, total variation and bound"),
    Named("optimal_pair_dominates", "OptimalPair", "the pair of (p, beta, q) dominates every adaptive sequence with these parameters"),
    Named("optimal_pair_attained", "OptimalPairAttained", row="BEYOND.LemL7.finite"),
    Named("variation_ratio_clipped", "StrongerClones", "beta may be replaced by min(beta, (p - 1)/(p + 1), q - 1)"),
    Named("optimal_pair_in_full", "StrongerClones", row="BEYOND.ThmF3"),
    Named("ldp_variation_ratio_private", "StrongerClones", "the pair (T, beta, T) for T-LDP randomizers of total variation at most beta"),
    Named("stronger_clones_profile", "StrongerClonesPair", "the pair of (T, (T - 1)/(T + 1), T) is one of two binomial counts"),
    Named("stronger_clones_dominate", "StrongerClones", "stronger clones, every T >= 1, at every order and both ways"),
    Named("stronger_clones_in_full", "StrongerClones", row="BEYOND.CorF2"),
    Named("stronger_clones_private", "StrongerClones", "so a shuffled adaptive sequence is (epsilon, delta)-DP with that pair's delta"),
    Named("stronger_clones_histogram", "StrongerClones", "and for the histogram of the messages of one randomizer"),
    Named("pair_delta_is_sound", "OptimalPairNumbers", "the integer program for the optimal pair's delta computes it"),
    *(
        Named(f"optimal_pair{which}", "PairExamples", "a divergence of the optimal pair is what the specification says")
        for which in (
            *("", "_near_the_ratio", "_of_stronger_clones", "_of_two"),
            *("_of_little_variation", "_of_four", "_without_a_ratio", "_of_ten_users"),
        )
    ),
    Named("pair_sum_is_sound", "OptimalPairExact", "the integer program with a cubic number of steps computes it too, for a hundred users"),
    Named("optimal_pair_of_a_hundred_users", "PairExamples", "a divergence of the optimal pair of a hundred users, exactly"),
    Named(
        "three_parts_dominated",
        "ThreeParts",
        "the pair of randomizers with three common parts (FMT21, Theorem 4.1) dominates at every order",
    ),
    Named(
        "shuffled_as_counts",
        "ThreeClones",
        "where users share parts, one kernel takes the counts of these parts to the shuffled sequence, on either dataset",
    ),
    Named("three_clones", "ThreeClones", row="FMT21.Thm4.1.finite"),
    Named("k_rr_blanket_dominates", "ThreeParts", row="BEYOND.k-rr-blanket"),
    Named("sliding_le_sound", "SlidingNumbers", "the fixed-point program bounds the mean positive part of sums of three-valued losses"),
    Named("k_rr_loss_monotone", "KaryLosses", "the blanket's losses rise with epsilon0 in the convex order"),
    Named("k_rr_two_sums", "KaryLosses", "and below sums of two independent ones"),
    Named("kary_delta_le_sound", "KaryWindow", "the fixed-point program accepts upper bounds of the blanket pair's delta only"),
    Named("private_by_kary_window", "KaryWindow", "what it accepts is privacy of shuffled k-ary randomized response"),
    Named("k_rr_10000_users", "KaryInstances", "k-ary randomized response, ten values, 10000 users: private with that delta"),
    Named("blanket_delta_is_sound", "KaryNumbers", "the integer program for the blanket pair's delta computes it"),
    *(
        Named(
            f"blanket_of_{name}", "PairExamples", "a divergence of k-ary randomized response's blanket pair is what the specification says"
        )
        for name in ("binary_response", "ternary_response", "ten_values", "one_user")
    ),
    Named("one_message_is_local", "OneMessage", row="CSUZZ19.Thm6.2.finite"),
    Named("nearby_private", "NearbyRandomizers", row="FMT21.Thm3.8.step-union.finite"),
    Named(
        "clipped_nearby",
        "ApproximateRandomizers",
        "a law that is (epsilon0, delta0)-indistinguishable from rho, clipped to [rho/T, T rho], is at total variation at most delta0 "
        "(FMT21, Lemma 3.7)",
    ),
    Named(
        "approximate_clones_dominate",
        "ApproximateRandomizers",
        "(epsilon0, delta0)-DP randomizers: at every order, the clones pair's divergence and the price of delta0",
    ),
    Named("approximate_clones_private", "ApproximateRandomizers", row="FMT21.Thm3.8.finite"),
    Named("pure_one_message_is_local", "OneMessage", row="BC20.Clm4.2.finite"),
    Named("simulated_locally", "PureRandomizers", row="BC20.Thm4.1.finite"),
    Named("pure_by_clipping", "PureRandomizers", row="CSUZZ19.ThmD.1.sharper.finite"),
    Named("pure_of_approximate", "PureRandomizers", row="CSUZZ19.ThmD.1.finite"),
    Named("local_of_shuffled", "PureRandomizers", row="CSUZZ19.Thm6.1.sharper.finite"),
    Named("local_of_shuffled_as_printed", "PureRandomizers", row="CSUZZ19.Thm6.1.finite"),
    Named("nothing_after_shuffling", "SeveralMessages", row="BC20.Clm4.3"),
    Named("pre_shuffling", "SeveralMessages", row="BC20.Sec4.1.remark-pre-shuffle.finite"),
    Named("gap_in_full", "SeveralMessages", row="BC20.Clm4.4"),
    Named("zero_sum_view", "SeveralMessages", row="BC20.Sec3.1.remark-view"),
    Named("zero_sum_profile", "WorstDatasets", row="BC20.Sec3.1.profile"),
    Named("histogram_pair", "WorstDatasets", row="BC20.Thm3.2-pair"),
    Named("real_sum_private", "RealSum", row="CSUZZ19.Sec5.3.tagged.finite"),
    Named("bit_sum_profile", "WorstDatasets", row="CSUZZ19.Def3.4.bit-sum"),
    Named("two_items_profile", "WorstDatasets", row="FMT21.Sec4.1.two-items.finite"),
    Named("binary_pair_seen", "BinaryPair", row="FMT21.Eq27"),
    Named("binary_pair_below", "BinaryPair", row="FMT21.AppG.below-all"),
    Named("shuffle_of_changed", "BitSum", row="BEYOND.messages-changed.finite"),
    Named("bit_sum_monotone_in_full", "BitSum", row="CSUZZ19.Sec5.3.monotone"),
    Named("blanket_in_full", "AnyBlanket", row="BEYOND.any-law-above.finite"),
    Named("order_sum_independent", "AdaptivePlace", "losses that do not depend on the past are independent in every order"),
    Named("levels_in_general", "FirstArrival", "the pool in levels, whatever bounds the losses outside it"),
    Named("swap_in_levels", "OneRandomizer", row="BEYOND.swap-in-levels.finite"),
    Named("unlike_antitone", "OneRandomizer", row="BEYOND.any-law-antitone.finite"),
    Named("in_another_users_place", "AnotherPlace", row="BEYOND.any-law-place.finite"),
    Named("positives_le", "ConvexOrder", "of independent losses each may be replaced by one above it in the convex order"),
    Named("below_spread", "ConvexOrder", "an atom spread to two points of a grid, its mean kept, is above it"),
    Named("controlled_sum", "ControlledSum", row="BEYOND.controlled-sum.finite"),
    Named("every_loss_mixture", "FiveCorners", row="BEYOND.corner-mixture.finite"),
    Named("below_mean", "Blocks", "the order by positive parts is the order by all convex, nondecreasing, nonnegative functions"),
    Named("blocks_bound", "Blocks", row="BEYOND.controlled-sum-blocks"),
    Named("V_mean_antitone", "Blocks", row="BEYOND.controlled-sum-antitone"),
    Named("V_on_a_grid", "Blocks", row="BEYOND.controlled-sum-grid"),
    Named("V_slope", "Blocks", row="BEYOND.controlled-sum-slope"),
    Named("adaptive_in_another_users_place", "AdaptivePlace", row="BEYOND.adaptive-place.finite"),
    Named("adaptive_for_all", "AdaptiveAll", row="BEYOND.adaptive-all.finite"),
    Named("adaptive_for_all_private", "AdaptiveAll", "so the sequence is (epsilon, delta)-DP with that delta"),
    Named("adaptive_for_all_cut", "AdaptiveAll", "the same with pools of r_max users or more revealed"),
    Named("messages_for_all", "AdaptiveAll", "the same for the shuffled messages of one randomizer for all"),
    Named("adaptive_for_all_blocks", "AdaptiveAll", row="BEYOND.adaptive-all-blocks.finite"),
    Named("adaptive_approximate", "AdaptiveApproximate", row="BEYOND.adaptive-approximate.finite"),
    Named("first_arrival_eta", "FirstArrival", row="BEYOND.first-arrival-levels.finite"),
    Named("every_rest_mixture", "Perspective", row="BEYOND.first-arrival-perspective.finite"),
    Named("clones_left_bound", "ClonesLeft", row="BEYOND.first-arrival-clones.finite"),
    Named("arrival_clones", "ClonesLeft", row="BEYOND.first-arrival-all.finite"),
    Named("arrival_clones_private", "ClonesLeft", "so the sequence is (epsilon, delta)-DP with that delta"),
    Named("arrival_approximate", "ArrivalApproximate", row="BEYOND.first-arrival-approximate.finite"),
    Named("arrival_approximate_thinned", "ArrivalApproximate", row="BEYOND.first-arrival-approximate-thinned.finite"),
    Named("held_mean", "GridLaws", "no test function has a larger mean under a law than under one on the grid that the program let pass"),
    Named("private_by_arrival", "ControlledNumbers", "what the grid's program accepts is privacy of every shuffled adaptive sequence"),
    Named("exp_at_most", "Exponential", "a few terms of its series bound e^x from above, by integers"),
    Named("exp_at_least", "Exponential", "and from below"),
    Named("shuffled_1000_adaptive", "ThousandUsers", row="BEYOND.first-arrival-thousand"),
    Named("arrival_clones_cut", "ClonesLeft", row="BEYOND.first-arrival-cut.finite"),
    Named("arrival_clones_blocks", "ArrivalBlocks", row="BEYOND.first-arrival-blocks.finite"),
    Named("arrival_approximate_blocks", "ArrivalBlocks", row="BEYOND.first-arrival-approximate-blocks.finite"),
    Named("arrival_approximate_blocks_thinned", "ArrivalBlocks", row="BEYOND.first-arrival-approximate-blocks-thinned.finite"),
    Named("worst_case_attained", "Attained", row="BEYOND.controlled-sum-attained"),
    Named("no_bound_below", "Attained", "so no delta below V_n(0)/n holds for all of them"),
    Named("alike_exact", "AlikeOthers", row="BEYOND.controlled-sum-alike"),
    Named("subadditivity", "Elementary", row="FMT21.Sec2.subadditivity"),
    Named("indistinguishable_iff", "Elementary", row="FMT21.Sec2.remark-hockey-stick.finite"),
    Named("shuffling_commutes", "Elementary", row="FMT21.Sec2.remark-shuffle-commutes.finite"),
    Named("advanced_joint_convexity", "Elementary", row="FMT21.Lem2.3.finite"),
    Named("clipped_randomizer", "Elementary", row="FMT21.Lem3.7.finite"),
    Named("divergence_outside", "Elementary", row="BEYOND.LemL6.finite"),
    Named("total_variation_bounds", "Elementary", row="BEYOND.LemL0.finite"),
    Named("spread_above", "Elementary", row="BEYOND.any-law-grids.finite"),
    Named("rounds_dominated", "Rounds", row="BEYOND.composition-of-rounds.finite"),
    Named("rounds_private", "Rounds", row="FMT21.Sec6.1.basic.finite"),
    Named("two_level_parameters", "TwoLevels", row="BEYOND.Parameters-two-levels.finite"),
    Named("k_rr_parameters", "TwoLevels", row="BEYOND.Parameters-k-rr"),
    Named("unary_parameters", "NamedParameters", row="BEYOND.Parameters-unary.finite"),
    Named("hashing_parameters", "NamedParameters", row="BEYOND.Parameters-hashing.finite"),
    Named("k_rr_three_clones", "TwoLevels", row="FMT21.Cor4.2-pair.finite"),
    Named("k_rr_pair_dominates", "TwoLevels", row="FMT21.Cor4.2-pair"),
    Named("alike_identity", "AlikeOthers", row="BEYOND.any-law-identity.finite"),
    Named("small_ldp_iff", "LocalCases", "the integer program decides epsilon0-DP of small randomizers"),
    Named("small_approximately_iff", "LocalCases", "and (epsilon0, delta0)-DP"),
    *(
        Named(name, "LocalExamples", "epsilon0, and delta0 at a smaller order, are what the specification says, and no less is true")
        for name in ("ternary_response_local", "binary_response_local", "uneven_response_local")
    ),
    Named("small_case_sound", "SmallCases", "the integer program for divergences of small shuffled adaptive sequences computes them"),
    Named("seen_hockey_sound", "SeenCases", "the integer program for the divergence of what is seen of the messages computes it"),
    Named("seen_private_iff", "SeenCases", "and decides (epsilon, delta)-DP over all neighbouring datasets"),
    Named("seen_accurate_iff", "SeenCases", "and how often an analyzer fails"),
    Named("corner_V_is_sound", "ControlledCases", "the integer program for the controlled sum of the five corner laws computes it"),
    Named("parts_V_is_sound", "PartCases", "the integer program for the divergence of Theorem 4.1's pair computes it"),
    Named("participation_private", "RandomParticipation", row="BEYOND.random-participation.finite"),
    Named("participation_exact", "RandomParticipation", row="BEYOND.random-participation-exact.finite"),
    Named("participation_changes", "RandomParticipation", row="BEYOND.random-participation-deletion.finite"),
    Named("uncounted_private", "RandomParticipation", row="BEYOND.random-participation-uncounted.finite"),
    Named("uncounted_exact", "RandomParticipation", "of one user, measured from nobody, it is so exactly"),
    Named("more_users", "MoreUsers", row="BEYOND.more-users.finite"),
    Named("unlike_blocks", "TypeBlocks", row="BEYOND.swap-in-levels-blocks.finite"),
    Named("corner_mean_sound", "PartCases", "and that for the mean positive part of a sum of one corner law's losses"),
    Named("unlike_is_sound", "PartCases", "and that for the mean positive part of losses of users no two of whom are alike"),
    Named("blocks_V_is_sound", "PartCases", "and that for the controlled sum of blocks of users of several types"),
    Named("arrival_laws_is_sound", "LawCases", "the laws of first arrival are the rationals that an integer program compares"),
    Named("clone_laws_is_sound", "LawCases", "and so are those of clones with what is left"),
    Named("approximate_corners_is_sound", "LawCases", "and those with leaks"),
    Named("relative_laws_is_sound", "LeakCases", "the laws of first arrival with leaks are the rationals that Coq's own rationals give"),
    Named("thinned_laws_is_sound", "LeakCases", "and so are those that are thinned"),
    *(
        Named(f"level_{number}_{kind}", "PartExamples", f"{says}, atom by atom, are what the specification says")
        for number in range(3)
        for kind, says in (
            ("arrival", "the laws of first arrival"),
            ("clone", "the laws of clones with what is left"),
            ("leaking", "the laws with leaks"),
            ("relative", "the laws of first arrival with leaks"),
            ("thinned", "the same, thinned"),
        )
    ),
    Named("participation_is_sound", "CoinCases", "the integer program for users who come at random computes the divergence"),
    Named("uncounted_is_sound", "CoinCases", "and so does that where nobody counts them"),
    *(
        Named(f"coins_{number}_{kind}", "CoinExamples", "a divergence of users who come at random is what the specification says")
        for number in range(3)
        for kind in ("counted", "uncounted")
    ),
    *(
        Named(f"{name}_{number}{kind}", "PartExamples", f"{says} is what the specification says")
        for number in range(3)
        for name, kind, says in (
            ("blocks", "", "the controlled sum of blocks of several types"),
            ("named", "_unary", "a probability of unary encoding"),
            ("named", "_k_rr", "a probability of k-ary randomized response"),
            ("named", "_hash", "a probability of local hashing"),
            ("unlike", "", "a mean positive part of the losses of users no two of whom are alike"),
        )
    ),
    *(
        Named(f"parts_{number}", "PartExamples", "a divergence of Theorem 4.1's pair is what the specification says")
        for number in range(3)  # as many as PartExamples.v has
    ),
    *(
        Named(f"corner_{number}_{i}", "PartExamples", "a sum of losses of one corner law is what the specification says")
        for number in range(3)
        for i in range(5)
    ),
    *(
        Named(f"seen_{number}_{kind}", "SeenExamples", says)
        for number in range(3)  # as many as SeenExamples.v has of each lemma
        for kind, says in (
            ("histogram", "a divergence of two histograms is what the specification says"),
            (
                "histogram_of_all",
                "the largest divergence and failure probability over all data are what the specification says, and no less",
            ),
            ("r_inf", "a divergence of two views of x and 1 - x is what the specification says"),
            ("r_gap_supports", "the specification's weights have the supports of R^gap"),
            ("r_gap", "a divergence of two of its views is what the specification says"),
            ("bit_sum", "a divergence of two views of the bit sum is what the specification says"),
            ("zero_sum", "a probability of the zero sum's number of messages is what the specification says"),
            ("controlled", "the controlled sum of the five corner laws is what the specification says"),
        )
    ),
    *(
        Named(name, "SmallExamples", "a divergence of two datasets' shuffled outputs is what the specification says")
        for name in ("ternary_response", "ternary_response_apart", "binary_response", "adaptive", "adaptive_reversed", "one_user")
    ),
)

LONG_NUMBERS = ("KaryInstances", "ThousandUsers", "MillionUsers", "IrrationalInstances")
"""Modules of which the kernel computes a number for more than ten seconds: `make formal` leaves them to `make formal-numbers`."""

BESIDE_THE_PROOFS = (
    *LONG_NUMBERS,
    *("PairExamples", "WindowInstances", "StrongerInstances"),
    *("DrawnExamples", "SeenExamples", "PartExamples", "CoinExamples"),
)
"""Modules on which nothing rests and which `make formal` leaves to `make formal-numbers`: what takes the kernel long, the other numbers of
the clones pairs for many users and of the optimal pair, and the stored ones of those examples that are drawn anew at every build.
"""

PINNED = tuple(one for one in NAMED if one.theorem in statements(modules()))
"""Those with a reviewed statement: every theorem that makes a row of the ledger formal, or on which one rests."""

PINS = {
    "Pinned": tuple(one for one in PINNED if one.module not in LONG_NUMBERS),
    "PinnedNumbers": tuple(one for one in PINNED if one.module in LONG_NUMBERS),
}
"""The modules that prove each of these from the theorem alone, those of the long numbers apart."""
