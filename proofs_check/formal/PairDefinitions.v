(* What the theorems on the optimal pair of (p, beta, q) speak about, beside Definitions.v; p_inv = 1/p, and p_inv = 0 is p = infinity.

   The hypotheses: n users, of whom user i0 has another value in w' than in w; R_0 and R_1 are the laws of a step's randomizer, after any
   outputs before it, on these two values, R_j on the value of another user. R_0 <= p R_1, R_1 <= p R_0, TV(R_0, R_1) <= beta, R_0 <= q R_j,
   R_1 <= q R_j.

   The pair: one special user sends 0, 1, d, none with probabilities (p alpha, alpha, rho, 0) under P and (alpha, p alpha, rho, 0) under Q,
   alpha = beta/(p - 1), rho = 1 - alpha (p + 1); every other user with probabilities (r, r, rho/q, 1 - 2 r - rho/q), r = p alpha/q. Observed
   is how often each message was sent. (A correction of the variation-ratio pair of Wang et al., VLDB 2024, which hides d; it holds FMT23's
   general pair as the case p = q = T, beta = (T - 1)/(T + 1).) *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition variation_ratio (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S)
    n (p_inv beta q : R) (w w' : n.-tuple D) (i0 : 'I_n) : Prop := forall z,
  [/\ forall s, p_inv * randomizers z (tnth w i0) s <= randomizers z (tnth w' i0) s,
      forall s, p_inv * randomizers z (tnth w' i0) s <= randomizers z (tnth w i0) s,
      hockey 1 (randomizers z (tnth w i0)) (randomizers z (tnth w' i0)) <= beta
    & forall j s, j != i0 -> randomizers z (tnth w i0) s <= q * randomizers z (tnth w j) s /\
                             randomizers z (tnth w' i0) s <= q * randomizers z (tnth w j) s].

(* The messages of one special user and of n others, the special user's first. *)
Definition pair_messages (R : realFieldType) (special others : 'I_4 -> R) n (m : n.+1.-tuple 'I_4) : R :=
  special (thead m) * \prod_(i < n) others (tnth m (lift ord0 i)).

(* How often each message was sent. *)
Definition pair_counts (R : realFieldType) (special others : 'I_4 -> R) n : {ffun 'I_4 -> 'I_n.+2} -> R :=
  image_law (@histogram _ n.+1) (pair_messages special others (n := n)).

Arguments pair_counts {R} special others n _.

Section Pair.
Variables (R : realFieldType) (p_inv beta q : R).

(* p alpha = beta p/(p - 1) *)
Definition corner : R := beta / (1 - p_inv).

(* The probabilities of the messages 0, 1, d, none, in this order. *)
Definition special_0 (z : 'I_4) : R := nth 0 [:: corner; p_inv * corner; 1 - (1 + p_inv) * corner; 0] z.
Definition special_1 (z : 'I_4) : R := nth 0 [:: p_inv * corner; corner; 1 - (1 + p_inv) * corner; 0] z.
Definition another (z : 'I_4) : R := nth 0 [:: corner / q; corner / q; (1 - (1 + p_inv) * corner) / q; 1 - (1 + beta) / q] z.

(* Where these are laws. *)
Definition pair_domain : Prop := [/\ 0 <= p_inv < 1, 1 <= q, 0 <= beta, beta * (1 + p_inv) <= 1 - p_inv & beta <= q - 1].

Definition pair_P n := pair_counts special_0 another n.
Definition pair_Q n := pair_counts special_1 another n.

End Pair.

Arguments pair_P {R} p_inv beta q n _.
Arguments pair_Q {R} p_inv beta q n _.
