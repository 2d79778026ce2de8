(* Statements of Statements.v, each proved by the theorem of its name and by nothing else. Written by `proofs_check/formal/statements.py`. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Divergence HidingAmongTheClones Composition OptimalPairAttained StrongerClones ThreeClones ThreeParts OneMessage NearbyRandomizers ApproximateRandomizers PureRandomizers SeveralMessages WorstDatasets RealSum BinaryPair BitSum AnyBlanket OneRandomizer AnotherPlace ControlledSum FiveCorners Blocks AdaptivePlace AdaptiveAll AdaptiveApproximate FirstArrival Perspective ClonesLeft ArrivalApproximate ArrivalBlocks Attained AlikeOthers Elementary Rounds TwoLevels NamedParameters RandomParticipation MoreUsers TypeBlocks Statements.

Theorem hockey_post_processing : Statements.hockey_post_processing.
Proof. exact: (@Divergence.hockey_post_processing). Qed.

Theorem hiding_among_the_clones : Statements.hiding_among_the_clones.
Proof. exact: (@HidingAmongTheClones.hiding_among_the_clones). Qed.

Theorem hockey_joint_convexity : Statements.hockey_joint_convexity.
Proof. exact: (@Composition.hockey_joint_convexity). Qed.

Theorem basic_composition : Statements.basic_composition.
Proof. exact: (@Composition.basic_composition). Qed.

Theorem group_privacy : Statements.group_privacy.
Proof. exact: (@Composition.group_privacy). Qed.

Theorem replacement_of_deletion : Statements.replacement_of_deletion.
Proof. exact: (@Composition.replacement_of_deletion). Qed.

Theorem optimal_pair_attained : Statements.optimal_pair_attained.
Proof. exact: (@OptimalPairAttained.optimal_pair_attained). Qed.

Theorem optimal_pair_in_full : Statements.optimal_pair_in_full.
Proof. exact: (@StrongerClones.optimal_pair_in_full). Qed.

Theorem stronger_clones_in_full : Statements.stronger_clones_in_full.
Proof. exact: (@StrongerClones.stronger_clones_in_full). Qed.

Theorem three_clones : Statements.three_clones.
Proof. exact: (@ThreeClones.three_clones). Qed.

Theorem k_rr_blanket_dominates : Statements.k_rr_blanket_dominates.
Proof. exact: (@ThreeParts.k_rr_blanket_dominates). Qed.

Theorem one_message_is_local : Statements.one_message_is_local.
Proof. exact: (@OneMessage.one_message_is_local). Qed.

Theorem nearby_private : Statements.nearby_private.
Proof. exact: (@NearbyRandomizers.nearby_private). Qed.

Theorem approximate_clones_private : Statements.approximate_clones_private.
Proof. exact: (@ApproximateRandomizers.approximate_clones_private). Qed.

Theorem pure_one_message_is_local : Statements.pure_one_message_is_local.
Proof. exact: (@OneMessage.pure_one_message_is_local). Qed.

Theorem simulated_locally : Statements.simulated_locally.
Proof. exact: (@PureRandomizers.simulated_locally). Qed.

Theorem pure_by_clipping : Statements.pure_by_clipping.
Proof. exact: (@PureRandomizers.pure_by_clipping). Qed.

Theorem pure_of_approximate : Statements.pure_of_approximate.
Proof. exact: (@PureRandomizers.pure_of_approximate). Qed.

Theorem local_of_shuffled : Statements.local_of_shuffled.
Proof. exact: (@PureRandomizers.local_of_shuffled). Qed.

Theorem local_of_shuffled_as_printed : Statements.local_of_shuffled_as_printed.
Proof. exact: (@PureRandomizers.local_of_shuffled_as_printed). Qed.

Theorem nothing_after_shuffling : Statements.nothing_after_shuffling.
Proof. exact: (@SeveralMessages.nothing_after_shuffling). Qed.

Theorem pre_shuffling : Statements.pre_shuffling.
Proof. exact: (@SeveralMessages.pre_shuffling). Qed.

Theorem gap_in_full : Statements.gap_in_full.
Proof. exact: (@SeveralMessages.gap_in_full). Qed.

Theorem zero_sum_view : Statements.zero_sum_view.
Proof. exact: (@SeveralMessages.zero_sum_view). Qed.

Theorem zero_sum_profile : Statements.zero_sum_profile.
Proof. exact: (@WorstDatasets.zero_sum_profile). Qed.

Theorem histogram_pair : Statements.histogram_pair.
Proof. exact: (@WorstDatasets.histogram_pair). Qed.

Theorem real_sum_private : Statements.real_sum_private.
Proof. exact: (@RealSum.real_sum_private). Qed.

Theorem bit_sum_profile : Statements.bit_sum_profile.
Proof. exact: (@WorstDatasets.bit_sum_profile). Qed.

Theorem two_items_profile : Statements.two_items_profile.
Proof. exact: (@WorstDatasets.two_items_profile). Qed.

Theorem binary_pair_seen : Statements.binary_pair_seen.
Proof. exact: (@BinaryPair.binary_pair_seen). Qed.

Theorem binary_pair_below : Statements.binary_pair_below.
Proof. exact: (@BinaryPair.binary_pair_below). Qed.

Theorem shuffle_of_changed : Statements.shuffle_of_changed.
Proof. exact: (@BitSum.shuffle_of_changed). Qed.

Theorem bit_sum_monotone_in_full : Statements.bit_sum_monotone_in_full.
Proof. exact: (@BitSum.bit_sum_monotone_in_full). Qed.

Theorem blanket_in_full : Statements.blanket_in_full.
Proof. exact: (@AnyBlanket.blanket_in_full). Qed.

Theorem swap_in_levels : Statements.swap_in_levels.
Proof. exact: (@OneRandomizer.swap_in_levels). Qed.

Theorem unlike_antitone : Statements.unlike_antitone.
Proof. exact: (@OneRandomizer.unlike_antitone). Qed.

Theorem in_another_users_place : Statements.in_another_users_place.
Proof. exact: (@AnotherPlace.in_another_users_place). Qed.

Theorem controlled_sum : Statements.controlled_sum.
Proof. exact: (@ControlledSum.controlled_sum). Qed.

Theorem every_loss_mixture : Statements.every_loss_mixture.
Proof. exact: (@FiveCorners.every_loss_mixture). Qed.

Theorem blocks_bound : Statements.blocks_bound.
Proof. exact: (@Blocks.blocks_bound). Qed.

Theorem V_mean_antitone : Statements.V_mean_antitone.
Proof. exact: (@Blocks.V_mean_antitone). Qed.

Theorem V_on_a_grid : Statements.V_on_a_grid.
Proof. exact: (@Blocks.V_on_a_grid). Qed.

Theorem V_slope : Statements.V_slope.
Proof. exact: (@Blocks.V_slope). Qed.

Theorem adaptive_in_another_users_place : Statements.adaptive_in_another_users_place.
Proof. exact: (@AdaptivePlace.adaptive_in_another_users_place). Qed.

Theorem adaptive_for_all : Statements.adaptive_for_all.
Proof. exact: (@AdaptiveAll.adaptive_for_all). Qed.

Theorem adaptive_for_all_blocks : Statements.adaptive_for_all_blocks.
Proof. exact: (@AdaptiveAll.adaptive_for_all_blocks). Qed.

Theorem adaptive_approximate : Statements.adaptive_approximate.
Proof. exact: (@AdaptiveApproximate.adaptive_approximate). Qed.

Theorem first_arrival_eta : Statements.first_arrival_eta.
Proof. exact: (@FirstArrival.first_arrival_eta). Qed.

Theorem every_rest_mixture : Statements.every_rest_mixture.
Proof. exact: (@Perspective.every_rest_mixture). Qed.

Theorem clones_left_bound : Statements.clones_left_bound.
Proof. exact: (@ClonesLeft.clones_left_bound). Qed.

Theorem arrival_clones : Statements.arrival_clones.
Proof. exact: (@ClonesLeft.arrival_clones). Qed.

Theorem arrival_approximate : Statements.arrival_approximate.
Proof. exact: (@ArrivalApproximate.arrival_approximate). Qed.

Theorem arrival_approximate_thinned : Statements.arrival_approximate_thinned.
Proof. exact: (@ArrivalApproximate.arrival_approximate_thinned). Qed.

Theorem arrival_clones_cut : Statements.arrival_clones_cut.
Proof. exact: (@ClonesLeft.arrival_clones_cut). Qed.

Theorem arrival_clones_blocks : Statements.arrival_clones_blocks.
Proof. exact: (@ArrivalBlocks.arrival_clones_blocks). Qed.

Theorem arrival_approximate_blocks : Statements.arrival_approximate_blocks.
Proof. exact: (@ArrivalBlocks.arrival_approximate_blocks). Qed.

Theorem arrival_approximate_blocks_thinned : Statements.arrival_approximate_blocks_thinned.
Proof. exact: (@ArrivalBlocks.arrival_approximate_blocks_thinned). Qed.

Theorem worst_case_attained : Statements.worst_case_attained.
Proof. exact: (@Attained.worst_case_attained). Qed.

Theorem alike_exact : Statements.alike_exact.
Proof. exact: (@AlikeOthers.alike_exact). Qed.

Theorem subadditivity : Statements.subadditivity.
Proof. exact: (@Elementary.subadditivity). Qed.

Theorem indistinguishable_iff : Statements.indistinguishable_iff.
Proof. exact: (@Elementary.indistinguishable_iff). Qed.

Theorem shuffling_commutes : Statements.shuffling_commutes.
Proof. exact: (@Elementary.shuffling_commutes). Qed.

Theorem advanced_joint_convexity : Statements.advanced_joint_convexity.
Proof. exact: (@Elementary.advanced_joint_convexity). Qed.

Theorem clipped_randomizer : Statements.clipped_randomizer.
Proof. exact: (@Elementary.clipped_randomizer). Qed.

Theorem divergence_outside : Statements.divergence_outside.
Proof. exact: (@Elementary.divergence_outside). Qed.

Theorem total_variation_bounds : Statements.total_variation_bounds.
Proof. exact: (@Elementary.total_variation_bounds). Qed.

Theorem spread_above : Statements.spread_above.
Proof. exact: (@Elementary.spread_above). Qed.

Theorem rounds_dominated : Statements.rounds_dominated.
Proof. exact: (@Rounds.rounds_dominated). Qed.

Theorem rounds_private : Statements.rounds_private.
Proof. exact: (@Rounds.rounds_private). Qed.

Theorem two_level_parameters : Statements.two_level_parameters.
Proof. exact: (@TwoLevels.two_level_parameters). Qed.

Theorem k_rr_parameters : Statements.k_rr_parameters.
Proof. exact: (@TwoLevels.k_rr_parameters). Qed.

Theorem unary_parameters : Statements.unary_parameters.
Proof. exact: (@NamedParameters.unary_parameters). Qed.

Theorem hashing_parameters : Statements.hashing_parameters.
Proof. exact: (@NamedParameters.hashing_parameters). Qed.

Theorem k_rr_three_clones : Statements.k_rr_three_clones.
Proof. exact: (@TwoLevels.k_rr_three_clones). Qed.

Theorem k_rr_pair_dominates : Statements.k_rr_pair_dominates.
Proof. exact: (@TwoLevels.k_rr_pair_dominates). Qed.

Theorem alike_identity : Statements.alike_identity.
Proof. exact: (@AlikeOthers.alike_identity). Qed.

Theorem participation_private : Statements.participation_private.
Proof. exact: (@RandomParticipation.participation_private). Qed.

Theorem participation_exact : Statements.participation_exact.
Proof. exact: (@RandomParticipation.participation_exact). Qed.

Theorem participation_changes : Statements.participation_changes.
Proof. exact: (@RandomParticipation.participation_changes). Qed.

Theorem uncounted_private : Statements.uncounted_private.
Proof. exact: (@RandomParticipation.uncounted_private). Qed.

Theorem more_users : Statements.more_users.
Proof. exact: (@MoreUsers.more_users). Qed.

Theorem unlike_blocks : Statements.unlike_blocks.
Proof. exact: (@TypeBlocks.unlike_blocks). Qed.
