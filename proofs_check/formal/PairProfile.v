(* The profile of the optimal pair: P and Q are the counts of the messages of one special and n - 1 other users.

     pair_profile        D_E(P || Q) = E[(sum of n independent scores of other users)_+]/n;
     pair_profile_swapped  D_E(Q || P) is the same number. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition PairDefinitions PairCounts CornerLaw.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Profile.
Variables (R : realFieldType) (p_inv beta q : R).
Local Notation another := (another p_inv beta q).
Local Notation stop_loss := (stop_loss another).
Local Notation pair_P := (pair_P p_inv beta q).
Local Notation pair_Q := (pair_Q p_inv beta q).
Hypothesis domain : pair_domain p_inv beta q.

(* P - E Q and Q - E P differ in the order of the messages 0 and 1. *)
Definition swapped_score (E : R) (z : 'I_4) : R := nth 0 [:: q * (p_inv - E); q * (1 - p_inv * E); q * (1 - E); 0] z.

Lemma special_swapped_score E z : special_1 p_inv beta z - E * special_0 p_inv beta z = swapped_score E z * another z.
Proof.
have q0 : q != 0 by rewrite gt_eqF ?(q_gt0 domain).
by rewrite /special_0 /special_1 /swapped_score /PairDefinitions.another; case: z => [] [|[|[|[]]]] //= _; field.
Qed.

Lemma stop_loss_swapped E n t : stop_loss (swapped_score E) n t = stop_loss (score p_inv q E) n t.
Proof.
elim: n t => //= n IH t; rewrite !sum_messages !IH.
by rewrite /swapped_score /score /PairDefinitions.another !inordK //= [X in X + _ + _]addrC.
Qed.

Theorem pair_profile E n : hockey E (pair_P n) (pair_Q n) = stop_loss (score p_inv q E) n.+1 0 / n.+1%:R.
Proof. by apply: (counts_profile (another_is_law domain)) => z; apply: special_score. Qed.

Theorem pair_profile_swapped E n : hockey E (pair_Q n) (pair_P n) = hockey E (pair_P n) (pair_Q n).
Proof.
rewrite pair_profile -stop_loss_swapped.
by apply: (counts_profile (another_is_law domain)) => z; apply: special_swapped_score.
Qed.

Lemma pair_P_is_law n : is_law (pair_P n).
Proof. by apply: pair_counts_is_law; [apply: another_is_law domain | apply: special_0_is_law domain]. Qed.

Lemma pair_Q_is_law n : is_law (pair_Q n).
Proof. by apply: pair_counts_is_law; [apply: another_is_law domain | apply: special_1_is_law domain]. Qed.

End Profile.
