(* Local privacy of small randomizers, decided by Coq's kernel on integers: what Definitions.v says is the same as what the executable
   specification computes. The probability of the message s on the input x is table x s / den.

     small_ldp_iff             ldp (t/u) randomizers, that is, T-LDP with T = t/u, exactly where the program `small_ldp` answers true;
     small_approximately_iff   approximately_ldp (t/u) (a/b) randomizers exactly where `small_approximately` does. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ zify ring.
From Shuffleproof Require Import Definitions Divergence Composition Integers SmallCases.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Section LocalPrograms.
Local Open Scope Z_scope.
Variables (table : nat -> nat -> Z) (den : Z) (m k : nat) (t u : Z).

Definition small_ldp : bool :=
  all (fun x => all (fun x' => all (fun s => u * table x s <=? t * table x' s) (iota 0 k)) (iota 0 m)) (iota 0 m).

Definition small_approximately (a b : Z) : bool :=
  all (fun x => all (fun x' => total [seq Z.max (u * table x s - t * table x' s) 0 | s <- iota 0 k] * b <=? a * (u * den)) (iota 0 m)) (iota 0 m).

End LocalPrograms.

Section LocalCases.
Variables (R : realFieldType) (m k : nat) (randomizers : adaptive_randomizers R 'I_m [finType of 'I_k]).
Variables (table : nat -> nat -> Z) (den t u : Z).
Local Notation inR := (of_Z R).
Hypotheses (den_gt0 : (0 < den)%Z) (u_gt0 : (0 < u)%Z).
Hypothesis tabulated : forall z x s, randomizers z x s = inR (table x s) / inR den.

Let den0 : 0 < inR den. Proof. exact: of_Z_gt0. Qed.
Let u0 : 0 < inR u. Proof. exact: of_Z_gt0. Qed.

Lemma of_Z_leE x y : (inR x <= inR y) = (x <=? y)%Z.
Proof.
case: Z.leb_spec => [xy|yx]; first exact: of_Z_le.
by apply/negbTE; rewrite -ltNge -subr_gt0 -of_ZB of_Z_gt0 //; lia.
Qed.

Lemma all_iota n (P : nat -> bool) : reflect (forall i : 'I_n, P i) (all P (iota 0 n)).
Proof.
apply: (iffP allP) => [h i|h i]; first by apply: h; rewrite mem_iota add0n ltn_ord.
by rewrite mem_iota add0n => /andP[_ i_n]; apply: (h (Ordinal i_n)).
Qed.

Theorem small_ldp_iff : ldp (inR t / inR u) randomizers <-> small_ldp table m k t u.
Proof.
have one z x x' s : (randomizers z x s <= inR t / inR u * randomizers z x' s) = (u * table x s <=? t * table x' s)%Z.
  rewrite !tabulated mulrA ler_pmul2r ?invr_gt0 // mulrAC ler_pdivl_mulr //.
  by rewrite [_ * inR u]mulrC -!of_ZM of_Z_leE.
split=> [h|/all_iota h z x x' s]; last by rewrite one; move/all_iota/(_ x')/all_iota: (h x).
by apply/all_iota => x; apply/all_iota => x'; apply/all_iota => s; rewrite -(one [::]).
Qed.

Theorem small_approximately_iff a b : (0 < b)%Z ->
  approximately_ldp (inR t / inR u) (inR a / inR b) randomizers <-> small_approximately table den m k t u a b.
Proof.
move=> b_gt0; have b0 : 0 < inR b := of_Z_gt0 R b_gt0.
have value z x x' : hockey (inR t / inR u) (randomizers z x) (randomizers z x') =
    inR (total [seq Z.max (u * table x s - t * table x' s) 0 | s <- iota 0 k]) / inR (u * den)%Z.
  rewrite of_Z_total (_ : iota 0 k = index_iota 0 k) ?big_mkord; last by rewrite /index_iota subn0.
  rewrite /hockey mulr_suml; apply: eq_bigr => s _.
  rewrite of_Z_max of_Z0 of_ZB !of_ZM !tabulated.
  have scale : 0 <= (inR u * inR den)^-1 by rewrite invr_ge0 mulr_ge0 // ltW.
  rewrite [RHS]mulrC -positive_part_scale //; congr (Num.max _ 0); move: (inR (table x s)) (inR (table x' s)) => y y'.
  by field; rewrite !gt_eqF.
have one z x x' : (hockey (inR t / inR u) (randomizers z x) (randomizers z x') <= inR a / inR b) =
    (total [seq Z.max (u * table x s - t * table x' s) 0 | s <- iota 0 k] * b <=? a * (u * den))%Z.
  have ud0 : 0 < inR (u * den)%Z by rewrite of_ZM mulr_gt0.
  by rewrite value ler_pdivr_mulr // mulrAC ler_pdivl_mulr // -!of_ZM of_Z_leE.
split=> [h|/all_iota h z x x'].
  by apply/all_iota => x; apply/all_iota => x'; rewrite -(one [::]); apply/dp_iff_hockey.
by apply/dp_iff_hockey; rewrite one; move/all_iota: (h x).
Qed.

End LocalCases.
