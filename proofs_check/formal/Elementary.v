(* Elementary facts about divergences, total variations and losses, each as the ledger states it.

     subadditivity               the positive part is subadditive, with weights too                              (FMT21, section 2);
     indistinguishable_iff       both directions on every event say that the larger divergence is delta at most  (FMT21, section 2);
     shuffling_commutes          shuffled reports are distributed as the reports on shuffled data                (FMT21, section 2);
     advanced_joint_convexity    D_a'(P || Q) = q D_a(P_1 || (1 - theta) P_0 + theta Q_1), P and Q with the part (1 - q) P_0 in common
                                                                                                                 (FMT21, Lemma 2.3);
     clipped_randomizer          a randomizer near a reference has a private one near it                         (FMT21, Lemma 3.7);
     divergence_outside          the divergence at orders above the ratio and below 1;
     total_variation_bounds      what a ratio, or a law that covers both, says of the total variation;
     spread_above                atoms of independent losses spread to two points of a grid. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition NearbyRandomizers ApproximateRandomizers StrongerClones ConvexOrder.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem subadditivity (R : realFieldType) :
  (forall a b : R, Num.max (a + b) 0 <= Num.max a 0 + Num.max b 0) /\
  forall (I : finType) (weight x : I -> R), (forall i, 0 <= weight i) ->
    Num.max (\sum_i weight i * x i) 0 <= \sum_i weight i * Num.max (x i) 0.
Proof.
split=> [a b|I weight x weight0]; first exact: positive_part_add.
by apply: le_trans (positive_part_sum _ _) _; apply: ler_sum => i _; rewrite positive_part_scale.
Qed.

Theorem indistinguishable_iff (R : realFieldType) (A : finType) (E delta : R) (P Q : A -> R) :
  dp E delta P Q /\ dp E delta Q P <-> Num.max (hockey E P Q) (hockey E Q P) <= delta.
Proof.
rewrite le_maxl; split=> [[/dp_iff_hockey -> /dp_iff_hockey ->] //|/andP[first second]].
by split; apply/dp_iff_hockey.
Qed.

Theorem advanced_joint_convexity (R : realFieldType) (A : finType) (P_0 P_1 Q_1 : A -> R) (q a : R)
    (a' := 1 + q * (a - 1)) (theta := a' / a) : 0 <= q <= 1 -> 1 <= a ->
  hockey a' (fun x => (1 - q) * P_0 x + q * P_1 x) (fun x => (1 - q) * P_0 x + q * Q_1 x) =
    q * hockey a P_1 (fun x => (1 - theta) * P_0 x + theta * Q_1 x) /\
  hockey a P_1 (fun x => (1 - theta) * P_0 x + theta * Q_1 x) <= Num.max (hockey a P_1 P_0) (hockey a P_1 Q_1).
Proof.
move=> /andP[q0 q1] a1; have a0 : 0 < a := lt_le_trans ltr01 a1; have a_neq0 : a != 0 by rewrite gt_eqF.
have gap : 0 <= q * (a - 1) by rewrite mulr_ge0 ?subr_ge0.
have theta0 : 0 <= theta by rewrite divr_ge0 ?(ltW a0) // addr_ge0 ?ler01.
have theta1 : 0 <= 1 - theta.
  by rewrite subr_ge0 ler_pdivr_mulr // mul1r -ler_subr_addl -[leRHS]mul1r ler_wpmul2r ?subr_ge0.
split.
  rewrite mulr_sumr; apply: eq_bigr => x _; rewrite -positive_part_scale //; congr Num.max.
  by rewrite /theta /a'; field.
apply: (@le_trans _ _ ((1 - theta) * hockey a P_1 P_0 + theta * hockey a P_1 Q_1)).
  rewrite !mulr_sumr -big_split /=; apply: ler_sum => x _; rewrite -!positive_part_scale //.
  by apply: le_trans (positive_part_add _ _); rewrite le_eqVlt; apply/orP; left; apply/eqP; congr Num.max; ring.
set larger := Num.max _ _; rewrite [leRHS](_ : larger = (1 - theta) * larger + theta * larger); last by ring.
by apply: ler_add; rewrite ler_wpmul2l // le_maxr lexx ?orbT.
Qed.

Theorem shuffling_commutes (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S) n (w : n.-tuple D) :
  shuffle (messages randomizer w) =1 shuffled (fun=> randomizer) w.
Proof. exact: shuffle_messages. Qed.

Theorem clipped_randomizer (R : realFieldType) (D : Type) (S : finType) (T delta : R) (randomizer : D -> dist R S) (rho : dist R S) :
    1 <= T -> 0 <= delta -> (forall x, dp T delta (randomizer x) rho /\ dp T delta rho (randomizer x)) ->
  exists pure : D -> dist R S, forall x,
    [/\ forall s, rho s <= T * pure x s, forall s, pure x s <= T * rho s & hockey 1 (randomizer x) (pure x) <= delta].
Proof.
move=> T1 delta0 near; exists (fun x => clipped_law T1 (randomizer x) rho) => x; have [first second] := near x; exact: clipped_nearby.
Qed.

Theorem divergence_outside (R : realFieldType) (A : finType) (P Q : A -> R) : is_law P -> is_law Q ->
  (forall p E, (forall x, P x <= p * Q x) -> p <= E -> hockey E P Q = 0) /\
  (forall E, 0 < E -> hockey E P Q = 1 - E + E * hockey E^-1 Q P).
Proof.
move=> lawP lawQ; split=> [p E ratio pE|E]; last exact: hockey_below_one.
apply: big1 => x _; apply/max_idPr; rewrite subr_le0; apply: le_trans (ratio x) _.
by rewrite ler_wpmul2r //; case: lawQ.
Qed.

Theorem total_variation_bounds (R : realFieldType) (S : finType) (R_0 R_1 : S -> R) : is_law R_0 -> is_law R_1 ->
  (forall p_inv, 0 <= p_inv <= 1 -> (forall s, p_inv * R_0 s <= R_1 s) -> (forall s, p_inv * R_1 s <= R_0 s) ->
     hockey 1 R_0 R_1 <= (1 - p_inv) / (1 + p_inv)) /\
  (forall q (R_k : S -> R), is_law R_k -> (forall s, R_0 s <= q * R_k s) -> (forall s, R_1 s <= q * R_k s) -> hockey 1 R_0 R_1 <= q - 1).
Proof.
move=> law_0 law_1; split=> [p_inv /andP[p0 p1]|q R_k]; first exact: total_variation_ratio.
exact: total_variation_shared.
Qed.

Theorem spread_above (R : realFieldType) :
  (forall (x : R * R) (low high : R), 0 <= x.2 -> low <= x.1 <= high -> low < high ->
     below [:: x] (spread x low high) /\ \sum_(y <- spread x low high) y.2 * y.1 = x.2 * x.1) /\
  forall (ls ls' : seq (loss R)) t, (forall a, a \in ls -> measure a) -> (forall a, a \in ls' -> measure a) -> all_below ls ls' ->
    positives ls t <= positives ls' t.
Proof.
split=> [x low high x0 between apart|]; last by move=> *; apply: positives_le.
split; first exact: below_spread.
by rewrite /spread !big_cons big_nil addr0 /=; field; rewrite subr_eq0 gt_eqF.
Qed.
