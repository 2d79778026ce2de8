(* V of the five corner laws as a program for the kernel, for a few steps: what ControlledSum.v and FiveCorners.v define is compared with what the
   executable specification computes (SeenExamples.v, written from it). T = t/u, E = e/f.

     V_scaled             V of laws whose values are integers over h and whose probabilities are integers over q is V_total/(h q^j);
     corner_laws_scaled   the corner laws are such;
     corner_V_is_sound    where the program answers true, V_j(0) of the corner laws is the given fraction. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ ring.
From Shuffleproof Require Import Definitions Divergence Composition ConvexOrder ControlledSum FiveCorners Integers SmallCases.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Section Programs.
Local Open Scope Z_scope.

(* A law is a list of values and probabilities. *)
Fixpoint V_total (C : seq (seq (Z * Z))) (j : nat) (s : Z) : Z :=
  if j is j'.+1 then foldr Z.max 0 [seq total [seq x.2 * V_total C j' (s + x.1) | x <- c] | c <- C] else Z.max s 0.

(* The corner laws' values, times t u f, and their probabilities, times (t + u) (t + 2 u) (2 t + u). *)
Definition corner_numbers (t u e f : Z) : seq (seq (Z * Z)) :=
  let both_low := (f - e) * u * u in let both_high := (f - e) * t * t in
  let high_one := (t * f - e * u) * t in let one_high := (u * f - e * t) * t in
  let one_low := (t * f - e * u) * u in let low_one := (u * f - e * t) * u in
  let a := (t + 2 * u) * (2 * t + u) in let b := (t + u) * (2 * t + u) in let c := (t + u) * (t + 2 * u) in
  [:: [:: (both_low, t * a); (both_high, u * a)];
      [:: (both_low, t * b); (high_one, u * b); (one_high, u * b)];
      [:: (high_one, u * a); (low_one, t * a)];
      [:: (one_high, u * a); (one_low, t * a)];
      [:: (both_high, u * c); (one_low, t * c); (low_one, t * c)]].

Definition corner_V_is (t u e f : Z) (j : nat) (numerator denominator : Z) : bool :=
  [&& 0 <? u, 0 <? t, 0 <? f, 0 <? denominator &
      V_total (corner_numbers t u e f) j 0 * denominator =?
      numerator * (t * u * f * ((t + u) * (t + 2 * u) * (2 * t + u)) ^ Z.of_nat j)].

End Programs.

Section Soundness.
Variable R : realFieldType.
Local Notation inR := (of_Z R).

Definition scaled (h q : Z) (C : seq (seq (Z * Z))) : seq (loss R) := [seq [seq (inR x.1 / inR h, inR x.2 / inR q) | x <- c] | c <- C].

Lemma best_scaled h q C (F : R -> R) (G : Z -> Z) k s : 0 < inR h -> 0 < inR q -> 0 < k -> (forall r, F (inR r / inR h) = inR (G r) / k) ->
  best (scaled h q C) (fun x => F (inR s / inR h + x)) =
  inR (foldr Z.max 0%Z [seq total [seq (x.2 * G (s + x.1))%Z | x <- c] | c <- C]) / (k * inR q).
Proof.
move=> h0 q0 k0 FG; have common0 : 0 <= (k * inR q)^-1 by rewrite invr_ge0 mulr_ge0 ?ltW.
elim: C => [|c C IH] /=; first by rewrite of_Z0 mul0r.
rewrite of_Z_max maxr_pmull // IH; congr Num.max.
rewrite /mean of_Z_total big_map mulr_suml; apply: eq_bigr => x _ /=.
by rewrite -mulrDl -of_ZD FG of_ZM; field; rewrite !gt_eqF.
Qed.

Lemma V_scaled h q C j s : (0 < h)%Z -> (0 < q)%Z ->
  V (scaled h q C) j (inR s / inR h) = inR (V_total C j s) / (inR h * inR q ^+ j).
Proof.
move=> /(of_Z_gt0 R) h0 /(of_Z_gt0 R) q0; elim: j s => [|j IH] s.
  rewrite /= expr0 mulr1 of_Z_max of_Z0 maxr_pmull ?invr_ge0 ?(ltW h0) //.
  by rewrite mul0r.
rewrite exprSr mulrA /=; apply: (@best_scaled h q C (V (scaled h q C) j) (V_total C j)) => //.
by rewrite mulr_gt0 ?exprn_gt0.
Qed.

Lemma corner_laws_scaled (t u e f : Z) : (0 < t)%Z -> (0 < u)%Z -> (0 < f)%Z ->
  corner_laws (inR t / inR u) (inR e / inR f) =
  scaled (t * u * f) ((t + u) * (t + 2 * u) * (2 * t + u)) (corner_numbers t u e f).
Proof.
move=> /(of_Z_gt0 R) t0 /(of_Z_gt0 R) u0 /(of_Z_gt0 R) f0.
have [t1 u1 f1] : [/\ inR t != 0, inR u != 0 & inR f != 0] by rewrite !gt_eqF.
have p1 : inR t + inR u != 0 by rewrite gt_eqF // addr_gt0.
have p2 : inR t + 2%:R * inR u != 0 by rewrite gt_eqF // addr_gt0 ?mulr_gt0 ?ltr0n.
have p3 : 2%:R * inR t + inR u != 0 by rewrite gt_eqF // addr_gt0 ?mulr_gt0 ?ltr0n.
have pair_eq (v v' w w' : R) : v = v' -> w = w' -> (v, w) = (v', w') by move=> -> ->.
have cons_eq (A : Type) (x y : A) l l' : x = y -> l = l' -> x :: l = y :: l' by move=> -> ->.
cbv beta iota zeta delta [map fst snd scaled corner_numbers corner_laws].
do ![apply: (@cons_eq (loss R)) | apply: (@cons_eq (R * R)%type) | apply: pair_eq | exact: (erefl [::])].
(* One number at a time: rewriting all of them together takes ten times as long. *)
all: rewrite !(of_ZM, of_ZD, of_ZB, of_Z2).
all: by field; rewrite ?t1 ?u1 ?f1 ?p1 ?p2 ?p3.
Qed.

Theorem corner_V_is_sound (t u e f : Z) j (numerator denominator : Z) : corner_V_is t u e f j numerator denominator ->
  V (corner_laws (inR t / inR u) (inR e / inR f)) j 0 = inR numerator / inR denominator.
Proof.
case/and5P => /Z.ltb_lt u0 /Z.ltb_lt t0 /Z.ltb_lt f0 /Z.ltb_lt denominator0 /Z.eqb_eq answer.
have h0 : (0 < t * u * f)%Z by do 2![apply: Z.mul_pos_pos => //].
have q0 : (0 < (t + u) * (t + 2 * u) * (2 * t + u))%Z.
  by apply: Z.mul_pos_pos; first apply: Z.mul_pos_pos; apply: Z.add_pos_pos => //; apply: Z.mul_pos_pos.
rewrite corner_laws_scaled // (_ : 0 = inR 0 / inR (t * u * f)); last by rewrite of_Z0 mul0r.
rewrite V_scaled // -of_Z_pow -of_ZM; apply/eqP.
rewrite eqr_div ?lt0r_neq0 ?of_Z_gt0 //; first by rewrite -!of_ZM answer.
by apply: Z.mul_pos_pos => //; apply: Z.pow_pos_nonneg => //; apply: Zle_0_nat.
Qed.

End Soundness.
