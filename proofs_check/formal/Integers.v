(* The integers on which the kernel computes, as elements of an ordered field: `of_Z R z` is z times 1. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ zify.
From Shuffleproof Require Import Programs.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

(* Indices, as natural numbers and as integers. *)
Section Indices.
Local Open Scope Z_scope.
Implicit Types (a c k n : nat) (t u : Z).

Lemma Z_next k : Z.of_nat k + 1 = Z.of_nat k.+1. Proof. lia. Qed.
Lemma Z_minus c a : (a <= c)%N -> Z.of_nat c - Z.of_nat a = Z.of_nat (c - a)%N. Proof. lia. Qed.
Lemma Z_minus_max c a : Z.max 0 (Z.of_nat c - Z.of_nat a) = Z.of_nat (c - a)%N. Proof. lia. Qed.
Lemma Z_minus_one n c : (c < n)%N -> Z.of_nat n - 1 - Z.of_nat c = Z.of_nat (n.-1 - c)%N. Proof. lia. Qed.
Lemma Z_minus_one_max n c : Z.max 0 (Z.of_nat n - 1 - Z.of_nat c) = Z.of_nat (n.-1 - c)%N. Proof. lia. Qed.
Lemma Z_lt c n : Z.of_nat c < Z.of_nat n -> (c < n)%N. Proof. lia. Qed.
Lemma Z_le c n : Z.of_nat c <= Z.of_nat n -> (c <= n)%N. Proof. lia. Qed.
Lemma Z_nat_ge0 k : 0 <= Z.of_nat k. Proof. lia. Qed.
Lemma Z_succ_gt0 k : 0 < Z.of_nat k.+1. Proof. lia. Qed.
Lemma Z_sub_gt0 u t : u < t -> 0 < t - u. Proof. lia. Qed.
Lemma Z_sub_ge0 u t : u <= t -> 0 <= t - u. Proof. lia. Qed.

End Indices.

#[export] Hint Resolve Z_nat_ge0 Z_succ_gt0 Z_sub_gt0 Z_sub_ge0 : core.

Definition of_Z (R : ringType) (z : Z) : R := (int_of_Z z)%:~R.

Section OfZ.
Variable R : realFieldType.
Local Notation inR := (of_Z R).

Lemma of_Z0 : inR 0%Z = 0. Proof. by []. Qed.
Lemma of_Z1 : inR 1%Z = 1. Proof. by []. Qed.

Lemma of_ZD x y : inR (x + y)%Z = inR x + inR y.
Proof. by rewrite /of_Z -intrD -raddfD. Qed.

Lemma of_ZN x : inR (- x)%Z = - inR x.
Proof. by rewrite /of_Z -mulrNz -raddfN. Qed.

Lemma of_ZB x y : inR (x - y)%Z = inR x - inR y.
Proof. by rewrite -Z.add_opp_r of_ZD of_ZN. Qed.

Lemma of_ZM x y : inR (x * y)%Z = inR x * inR y.
Proof. by rewrite /of_Z -intrM -rmorphM. Qed.

Lemma of_Z_nat n : inR (Z.of_nat n) = n%:R.
Proof. by rewrite /of_Z (_ : int_of_Z _ = Posz n) //; apply: (Z_of_intK (Posz n)). Qed.

Lemma of_Z2 : inR 2%Z = 2%:R. Proof. exact: (of_Z_nat 2). Qed.

Lemma of_Z_ge0 x : (0 <= x)%Z -> 0 <= inR x.
Proof. by move=> x0; rewrite -(Z2Nat.id x) // of_Z_nat ler0n. Qed.

Lemma of_Z_le x y : (x <= y)%Z -> inR x <= inR y.
Proof. by move=> xy; rewrite -subr_ge0 -of_ZB of_Z_ge0 //; lia. Qed.

Lemma of_Z_gt0 x : (0 < x)%Z -> 0 < inR x.
Proof. by move=> x0; rewrite (lt_le_trans ltr01) // -of_Z1 of_Z_le //; lia. Qed.

Lemma of_Z_max x y : inR (Z.max x y) = Num.max (inR x) (inR y).
Proof.
have [xy|yx] := Z.le_ge_cases x y; first by rewrite Z.max_r // max_r // of_Z_le.
by rewrite Z.max_l // max_l // of_Z_le.
Qed.

Lemma of_Z_pow x k : inR (x ^ Z.of_nat k)%Z = inR x ^+ k.
Proof.
elim: k => [|k IH]; first by rewrite expr0.
by rewrite Nat2Z.inj_succ Z.pow_succ_r ?of_ZM ?IH ?exprS //; lia.
Qed.

Lemma of_Z_quotient_le x y : (0 < y)%Z -> inR (x / y)%Z <= inR x / inR y.
Proof.
move=> y0; rewrite ler_pdivl_mulr ?of_Z_gt0 // -of_ZM of_Z_le // Z.mul_comm.
exact: Z.mul_div_le.
Qed.

Lemma of_Z_quotient_up_ge x y : (0 < y)%Z -> inR x / inR y <= inR (quotient_up x y).
Proof.
move=> y0; rewrite /quotient_up of_ZN ler_oppr -mulNr -of_ZN.
exact: of_Z_quotient_le.
Qed.

(* A rounded product of a bounded number and a known factor p/q. *)
Lemma rounded_down low x p q : (0 < q)%Z -> (0 <= p)%Z -> inR low <= x -> inR (low * p / q)%Z <= x * (inR p / inR q).
Proof.
move=> q0 p0 lx; rewrite (le_trans (of_Z_quotient_le _ q0)) // of_ZM -mulrA ler_wpmul2r // divr_ge0 ?of_Z_ge0 //; lia.
Qed.

Lemma rounded_up high x p q : (0 < q)%Z -> (0 <= p)%Z -> x <= inR high -> x * (inR p / inR q) <= inR (quotient_up (high * p) q).
Proof.
move=> q0 p0 xh; rewrite (le_trans _ (of_Z_quotient_up_ge _ q0)) // of_ZM -mulrA ler_wpmul2r // divr_ge0 ?of_Z_ge0 //; lia.
Qed.

End OfZ.
