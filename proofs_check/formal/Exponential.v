(* e^x without a logarithm or a limit: what lies between the partial sums of its series.

     is_exp           y = e^x for 0 <= x <= 1;
     exp_at_most, exp_at_least
                      rationals above and below it, by a few terms. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ zify ring.
From Shuffleproof Require Import Programs Integers GridLaws.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

(* x^k / k!, and the sum of those up to k. *)
Fixpoint exp_term (R : realFieldType) (x : R) (k : nat) : R := if k is k'.+1 then exp_term x k' * (x / k%:R) else 1.
Definition exp_sum (R : realFieldType) (x : R) (k : nat) : R := \sum_(i < k.+1) exp_term x i.

(* y is e^x, for 0 <= x <= 1: what follows the k-th term is at most twice the next one. *)
Definition is_exp (R : realFieldType) (x y : R) : Prop := forall k, exp_sum x k <= y <= exp_sum x k + 2%:R * exp_term x k.+1.

Section Programs.
Local Open Scope Z_scope.

Fixpoint term_of (p q : Z) (k : nat) : Z * Z := if k is k'.+1 then ((term_of p q k').1 * p, (term_of p q k').2 * (q * Z.of_nat k)) else (1, 1).
Fixpoint sum_of (p q : Z) (k : nat) : Z * Z := if k is k'.+1 then add_fractions (sum_of p q k') (term_of p q k) else (1, 1).

(* e^(p/q) <= t/u, and e/f <= e^(p/q), by k terms. *)
Definition exp_le (p q : Z) (k : nat) (t u : Z) : bool :=
  let above := add_fractions (sum_of p q k) (2 * (term_of p q k.+1).1, (term_of p q k.+1).2) in
  [&& 0 <? q, 0 <? u & above.1 * u <=? t * above.2].
Definition exp_ge (p q : Z) (k : nat) (e f : Z) : bool := [&& 0 <? q, 0 <? f & e * (sum_of p q k).2 <=? (sum_of p q k).1 * f].

End Programs.

Section Enclosed.
Variables (R : realFieldType) (p q : Z).
Hypothesis q_gt0 : (0 < q)%Z.
Local Notation inR := (of_Z R).
Local Notation x := (inR p / inR q).

Lemma term_of_is k : fraction R (term_of p q k) = exp_term x k /\ (0 < (term_of p q k).2)%Z.
Proof.
elim: k => [|k [IH den0]]; first by rewrite /fraction /= of_Z1 divr1.
have den1 : (0 < (term_of p q k).2 * (q * Z.of_nat k.+1))%Z by apply: Z.mul_pos_pos => //; apply: Z.mul_pos_pos.
have [q0 d0 k0] : [/\ inR q != 0, inR (term_of p q k).2 != 0 & inR (Z.of_nat k.+1) != 0] by rewrite !gt_eqF ?of_Z_gt0.
split; last by [].
rewrite [RHS]/= -IH -of_Z_nat -[LHS]/(inR ((term_of p q k).1 * p)%Z / inR ((term_of p q k).2 * (q * Z.of_nat k.+1))%Z) /fraction.
move: (term_of p q k) (Z.of_nat k.+1) d0 k0 => y j d0 k0; rewrite !of_ZM; move: (inR y.1) (inR y.2) (inR j) (inR p) (inR q) q0 d0 k0 => v w i r s s0 w0 i0.
by field; rewrite s0 w0 i0.
Qed.

Lemma sum_of_is k : fraction R (sum_of p q k) = exp_sum x k /\ (0 < (sum_of p q k).2)%Z.
Proof.
elim: k => [|k [IH den0]]; first by rewrite /exp_sum big_ord1 /fraction /= of_Z1 divr1.
have [term_is den1] := term_of_is k.+1; have [sum_is den2] := fraction_add R den0 den1.
by split; [rewrite [LHS]sum_is IH term_is /exp_sum [RHS]big_ord_recr | exact: den2].
Qed.

End Enclosed.

Theorem exp_at_most (R : realFieldType) p q k t u (y : R) : exp_le p q k t u -> is_exp (of_Z R p / of_Z R q) y -> y <= of_Z R t / of_Z R u.
Proof.
rewrite /exp_le; cbv zeta; case/and3P=> /Z.ltb_lt q0 /Z.ltb_lt u0 /Z.leb_le answer /(_ k) /andP[_ below_y]; apply: le_trans below_y _.
have [<- s0] := sum_of_is R p q0 k; have [<- t0] := term_of_is R p q0 k.+1.
have twice : 2%:R * fraction R (term_of p q k.+1) = fraction R (2 * (term_of p q k.+1).1, (term_of p q k.+1).2)%Z.
  by move: (term_of p q k.+1) => z; transitivity (of_Z R (2 * z.1)%Z / of_Z R z.2); rewrite // of_ZM of_Z2 mulrA.
rewrite twice; have [<- d0] := fraction_add R s0 (y := (2 * (term_of p q k.+1).1, (term_of p q k.+1).2)%Z) t0.
move: (add_fractions _ _) answer d0 => z answer d0; rewrite /fraction ler_pdivr_mulr ?of_Z_gt0 // mulrAC ler_pdivl_mulr ?of_Z_gt0 //.
by rewrite -!of_ZM of_Z_le.
Qed.

Theorem exp_at_least (R : realFieldType) p q k e f (y : R) : exp_ge p q k e f -> is_exp (of_Z R p / of_Z R q) y -> of_Z R e / of_Z R f <= y.
Proof.
case/and3P=> /Z.ltb_lt q0 /Z.ltb_lt f0 /Z.leb_le answer /(_ k) /andP[above_y _]; apply: le_trans above_y.
have [<- s0] := sum_of_is R p q0 k; rewrite /fraction ler_pdivr_mulr ?of_Z_gt0 // mulrAC ler_pdivl_mulr ?of_Z_gt0 //.
by rewrite -!of_ZM of_Z_le.
Qed.
