(* The program `exact_numerator` of Programs.v computes the clones pair's divergence: D_E(P || Q) = exact_numerator / exact_denominator. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ zify ring.
From Shuffleproof Require Import Definitions Divergence ClonesPair ClonesProfile Programs Integers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Lemma length_pascal c : List.length (pascal c) = c.+1.
Proof.
elim: c => //= c IH; rewrite List.map_length List.combine_length /= List.app_length IH /=.
by rewrite PeanoNat.Nat.add_1_r PeanoNat.Nat.min_id.
Qed.

Lemma nth_next_row row k :
  List.nth k (next_row row) 0%Z = (List.nth k (0%Z :: row)%list 0%Z + List.nth k row 0%Z)%Z.
Proof.
rewrite /next_row -[X in List.nth k _ X = _]/((fun ab : Z * Z => (fst ab + snd ab)%Z) (0%Z, 0%Z)) List.map_nth List.combine_nth; last first.
  by rewrite List.app_length /= PeanoNat.Nat.add_1_r.
rewrite /fst /snd; congr Z.add; have [small|large] := PeanoNat.Nat.lt_ge_cases k (List.length row).
  by rewrite List.app_nth1.
rewrite List.app_nth2 // [RHS]List.nth_overflow //.
by case: (k - List.length row)%coq_nat => [|[]].
Qed.

Lemma nth_pascal c k : List.nth k (pascal c) 0%Z = Z.of_nat 'C(c, k).
Proof.
elim: c k => [|c IH] k; first by case: k => [|[]].
rewrite [pascal _]/= nth_next_row; case: k => [|k]; first by rewrite [List.nth _ _ _]/= IH !bin0.
by rewrite [List.nth _ (_ :: _)%list _]/= !IH binS Nat2Z.inj_add Z.add_comm.
Qed.

Section Exact.
Variable R : realFieldType.
Local Notation inR := (of_Z R).

Lemma of_Z_sum (F : nat -> Z) m : inR (sum (List.map F (List.seq 0 m))) = \sum_(k < m) inR (F k).
Proof.
suff sum_from s : inR (sum (List.map F (List.seq s m))) = \sum_(k < m) inR (F (s + k)%N) by rewrite sum_from.
elim: m s => [|m IH] s; first by rewrite big_ord0.
rewrite big_ord_recl addn0 [List.seq _ _]/= [List.map _ _]/= [sum _]/= of_ZD IH; congr (_ + _).
by apply: eq_bigr => k _; rewrite /= addSnnS.
Qed.

Variables (t u cu ct e f : Z).
Hypotheses (u_gt0 : (0 < u)%Z) (ut : (u <= t)%Z) (cu_ge0 : (0 <= cu)%Z) (cu_ct : (cu <= ct)%Z) (ct_gt0 : (0 < ct)%Z) (f_gt0 : (0 < f)%Z).
Local Notation T := (inR t / inR u).
Local Notation E := (inR e / inR f).
Local Notation p := (inR cu / inR ct).

Let u0 : 0 < inR u. Proof. exact: of_Z_gt0. Qed.
Let f0 : 0 < inR f. Proof. exact: of_Z_gt0. Qed.
Let t0 : 0 < inR t. Proof. exact: of_Z_gt0 (Z.lt_le_trans _ _ _ u_gt0 ut). Qed.
Let u_neq0 : inR u != 0. Proof. exact: lt0r_neq0. Qed.
Let f_neq0 : inR f != 0. Proof. exact: lt0r_neq0. Qed.
Let t_neq0 : inR t != 0. Proof. exact: lt0r_neq0. Qed.
Let ct_neq0 : inR ct != 0. Proof. exact/lt0r_neq0/of_Z_gt0. Qed.
Let p_ge0 : 0 <= p. Proof. by rewrite divr_ge0 ?of_Z_ge0 //; apply: Z.lt_le_incl. Qed.
Let p_le1 : p <= 1. Proof. by rewrite ler_pdivr_mulr ?of_Z_gt0 // mul1r of_Z_le. Qed.
Let tu_neq0 : inR t + inR u != 0. Proof. by rewrite lt0r_neq0 // addr_gt0. Qed.
Let T_ge1 : 1 <= T. Proof. by rewrite ler_pdivl_mulr // mul1r of_Z_le. Qed.

Lemma exact_sliceE c : slice T E c = inR (exact_slice t u e f (pascal c.+1) c) * inR u / (2%:R ^+ c * c.+1%:R * (inR t + inR u) * (inR u * inR f)).
Proof.
rewrite /exact_slice of_Z_sum -mulrA mulr_suml; apply: eq_bigr => k _.
rewrite gain_given ?T_ge1 //; last exact: (ltn_ord k).
have -> : gain T E c k = inR (slope t u e f * Z.of_nat k - offset t u e f * Z.of_nat c.+1)%Z / (inR u * inR f).
  rewrite /gain /slope /offset !(of_ZB, of_ZM, of_ZD) !of_Z_nat.
  by move: (c.+1%:R) => x; field; rewrite u_neq0 f_neq0.
rewrite nth_pascal of_ZM of_Z_nat of_Z_max of_Z0 [Num.max 0 _]maxC; move: (inR (_ - _)%Z) => x.
have two_neq0 : 2%:R ^+ c != 0 :> R by rewrite expf_neq0 // pnatr_eq0.
have c_neq0 : c.+1%:R != 0 :> R by rewrite pnatr_eq0.
have -> : 'C(c.+1, k)%:R / 2%:R ^+ c / (T + 1) / c.+1%:R * (x / (inR u * inR f)) =
    x * ('C(c.+1, k)%:R * inR u / (2%:R ^+ c * c.+1%:R * (inR t + inR u) * (inR u * inR f))).
  move: (2%:R ^+ c) (c.+1%:R) two_neq0 c_neq0 => y z y0 z0.
  by field; rewrite tu_neq0 y0 z0 u_neq0 f_neq0.
set k0 := 'C(_, _)%:R * _ / _; have k0_ge0 : 0 <= k0.
  by rewrite /k0 divr_ge0 ?mulr_ge0 ?exprn_ge0 ?ler0n ?addr_ge0 ?(ltW u0) ?(ltW t0) ?(ltW f0).
have -> : Num.max (x * k0) 0 = Num.max x 0 * k0 by rewrite maxr_pmull // mul0r.
by rewrite /k0 !mulrA [_ * 'C(_, _)%:R]mulrC.
Qed.

Lemma exact_sound n : (0 < n)%N ->
  hockey E (@clones_law R n p T counts_P) (@clones_law R n p T counts_Q) =
  inR (exact_numerator (Z.of_nat n) t u cu ct e f) / inR (exact_denominator (Z.of_nat n) t u ct f).
Proof.
case: n => // m _; rewrite (clones_profile T E p_ge0 p_le1) /exact_numerator /exact_denominator Nat2Z.id of_Z_sum mulr_suml.
have -> : (Z.of_nat m.+1 - 1)%Z = Z.of_nat m by clear; lia.
apply: eq_bigr => c _; have cm : (c <= m)%N := ltn_ord c.
have -> : (Z.of_nat m - Z.of_nat c)%Z = Z.of_nat (m - c)%N by rewrite Z_minus.
rewrite nth_pascal exact_sliceE !of_ZM !of_Z_pow !of_ZM !of_Z_nat of_ZB of_ZD of_Z2 /=.
have m0 : m.+1%:R != 0 :> R by rewrite pnatr_eq0.
have c0 : c.+1%:R != 0 :> R by rewrite pnatr_eq0.
have binE : 'C(m.+1, c.+1)%:R = m.+1%:R * 'C(m, c)%:R / c.+1%:R :> R.
  by rewrite -natrM (mul_bin_diag m.+1 c) natrM mulrAC mulfV ?mul1r.
rewrite binE /binomial_mass (_ : 1 - inR cu / inR ct = (inR ct - inR cu) / inR ct); last by rewrite mulrBl mulfV.
have splitE (x : R) : x ^+ m = x ^+ c * x ^+ (m - c) by rewrite -exprD subnKC.
rewrite !exprMn !exprVn (splitE 2%:R) (splitE (inR ct)).
have two0 k : 2%:R ^+ k != 0 :> R by rewrite expf_neq0 // pnatr_eq0.
have t0' k : inR ct ^+ k != 0 by rewrite expf_neq0.
move: (exact_slice _ _ _ _ _ _) => x.
move: (2%:R ^+ c) (2%:R ^+ (m - c)) (two0 c) (two0 (m - c)%N) (inR ct ^+ c) (inR ct ^+ (m - c)) (t0' c) (t0' (m - c)%N) => a1 a2 a10 a20 b1 b2 b10 b20.
move: (inR cu ^+ c) ((inR ct - inR cu) ^+ (m - c)) (m.+1%:R) (c.+1%:R) m0 c0 => a3 b3 a4 b4 a40 b40.
by field; rewrite ?tu_neq0 ?u_neq0 ?f_neq0 ?a10 ?a20 ?b10 ?b20 ?a40 ?b40.
Qed.

End Exact.

Theorem exact_delta_is_sound (R : realFieldType) (users t u cu ct e f numerator denominator : Z)
    (T := of_Z R t / of_Z R u) (p := of_Z R cu / of_Z R ct) :
  exact_delta_is users t u cu ct e f numerator denominator ->
  hockey (of_Z R e / of_Z R f) (@clones_law R (Z.to_nat users) p T counts_P) (@clones_law R (Z.to_nat users) p T counts_Q) =
  of_Z R numerator / of_Z R denominator.
Proof.
rewrite /exact_delta_is /exact_valid => /andP[/andP[]].
do 7![case/andP]; move=> /Z.leb_le users1 /Z.ltb_lt u_gt0 /Z.leb_le ut /Z.leb_le cu_ge0 /Z.leb_le cu_ct /Z.ltb_lt ct_gt0 /Z.ltb_lt f_gt0 _.
move=> /Z.ltb_lt denominator0 /Z.eqb_eq answer.
have usersE : Z.of_nat (Z.to_nat users) = users by apply: Z2Nat.id; clear -users1; lia.
have users0 : (0 < Z.to_nat users)%N by clear -users1; lia.
rewrite (exact_sound R e u_gt0 ut cu_ge0 cu_ct ct_gt0 f_gt0 users0) usersE.
have exact0 : (0 < exact_denominator users t u ct f)%Z.
  apply: Z.mul_pos_pos; last by apply: Z.mul_pos_pos => //; clear -u_gt0 ut; lia.
  apply: Z.mul_pos_pos; first by clear -users1; lia.
  by apply: Z.pow_pos_nonneg; clear -users1 ct_gt0; lia.
apply/eqP; rewrite eqr_div ?lt0r_neq0 ?of_Z_gt0 // -!of_ZM answer.
by rewrite Z.mul_comm.
Qed.
