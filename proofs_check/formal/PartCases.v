(* FMT21, Theorem 4.1's pair, and the corner laws one by one, as programs for the kernel, for a few users: what ThreeParts.v and FiveCorners.v define
   is compared with what the executable specification computes (PartExamples.v, written from it). p = a/b, q = c/d, T = t/u, E = e/f.

     stop_loss_V         the mean positive part of a sum of scores is V of one law;
     parts_V_is_sound    where the program answers true, the pair's divergence is the given fraction;
     corner_mean_sound   the mean positive part of a sum of losses of one corner law. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ zify ring.
From Shuffleproof Require Import Definitions Divergence Composition PairDefinitions PairCounts ThreeParts ConvexOrder ControlledSum Integers
  FiveCorners SmallCases ControlledCases.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Section Programs.
Local Open Scope Z_scope.

(* The scores of three parts, times a d f, and the others' masses, times b. *)
Definition part_numbers (a b c d e f : Z) : seq (seq (Z * Z)) :=
  [:: [:: (c * b * f, a); (- (e * c * b), a); ((d - c) * (f - e) * b, a); (0, b - 3 * a)]].

Definition parts_V_is (a b c d e f : Z) (n : nat) (numerator denominator : Z) : bool :=
  [&& 0 <? a, 3 * a <=? b, 0 <? d, 0 <? f & (0 <? denominator) &&
      (V_total (part_numbers a b c d e f) n 0 * denominator =? numerator * (a * d * f * b ^ Z.of_nat n * Z.of_nat n))].

(* The sum of j losses of the corner law i. *)
Definition corner_mean_is (t u e f : Z) (i j : nat) (numerator denominator : Z) : bool :=
  [&& 0 <? u, 0 <? t, 0 <? f, 0 <? denominator &
      V_total [:: nth [::] (corner_numbers t u e f) i] j 0 * denominator =?
      numerator * (t * u * f * ((t + u) * (t + 2 * u) * (2 * t + u)) ^ Z.of_nat j)].

End Programs.

Section Soundness.
Variable R : realFieldType.
Local Notation inR := (of_Z R).

Definition atoms_of (others score : 'I_4 -> R) : loss R := [seq (score y, others y) | y <- [:: inord 0; inord 1; inord 2; inord 3]].

Lemma mean_atoms (others score : 'I_4 -> R) (F : R -> R) : mean F (atoms_of others score) = \sum_y others y * F (score y).
Proof. by rewrite sum_messages /mean /atoms_of /= !big_cons big_nil addr0 !addrA. Qed.

Lemma stop_loss_V (others score : 'I_4 -> R) n s : (forall y, 0 <= others y) ->
  stop_loss others score n s = V [:: atoms_of others score] n s.
Proof.
move=> others0; elim: n s => [|n IH] s //.
have V0 r : 0 <= V [:: atoms_of others score] n r.
  by apply: V_ge0 => c; rewrite inE => /eqP -> x /mapP[y _ ->]; apply: others0.
rewrite [RHS]/= mean_atoms (max_idPl _); last by apply: sumr_ge0 => y _; rewrite mulr_ge0.
by rewrite /=; apply: eq_bigr => y _; rewrite IH.
Qed.

Theorem parts_V_is_sound (a b c d e f : Z) n (numerator denominator : Z) (p := inR a / inR b) (q := inR c / inR d) :
  parts_V_is a b c d e f n.+1 numerator denominator ->
  hockey (inR e / inR f) (pair_counts (part_special_0 q) (part_others p) n) (pair_counts (part_special_1 q) (part_others p) n) =
  inR numerator / inR denominator.
Proof.
case/and5P => /Z.ltb_lt a_gt0 /Z.leb_le ab /Z.ltb_lt d_gt0 /Z.ltb_lt f_gt0 /andP[/Z.ltb_lt denominator0 /Z.eqb_eq answer].
have b_gt0 : (0 < b)%Z by clear -a_gt0 ab; lia.
have [a0 b0 d0 f0] : [/\ 0 < inR a, 0 < inR b, 0 < inR d & 0 < inR f] by split; apply: of_Z_gt0.
have [a1 b1 d1 f1] : [/\ inR a != 0, inR b != 0, inR d != 0 & inR f != 0] by rewrite !gt_eqF.
have inR3 : inR 3 = 3%:R by apply: (of_Z_nat R 3).
have p0 : 0 < p by rewrite divr_gt0.
have p3 : p *+ 3 <= 1 by rewrite -mulr_natl mulrA ler_pdivr_mulr // mul1r -inR3 -of_ZM of_Z_le.
have law := part_others_is_law p0 p3; pose E := inR e / inR f.
rewrite (@counts_profile _ _ law n _ _ (part_score p q E) E); last first.
  have p1 : p != 0 by rewrite gt_eqF.
  by rewrite /part_special_0 /part_special_1 /part_others /part_score; case=> [] [|[|[|[]]]] //= _; field.
rewrite stop_loss_V; last by case: law.
have -> : [:: atoms_of (part_others p) (part_score p q E)] = scaled R (a * d * f) b (part_numbers a b c d e f).
  have three : p *+ 3 = 3%:R * p by rewrite mulr_natl.
  rewrite /atoms_of /part_score /part_others [LHS]/= !inordK // three [LHS]/=.
  cbv beta iota zeta delta [map fst snd scaled part_numbers]; rewrite !(of_ZM, of_ZB, of_ZN, of_Z0) inR3 /p /q /E.
  by congr [:: [:: (_, _); (_, _); (_, _); (_, _)]]; field; rewrite ?a1 ?b1 ?d1 ?f1.
have h0 : (0 < a * d * f)%Z by do 2![apply: Z.mul_pos_pos => //].
rewrite (_ : V _ _ 0 = V (scaled R (a * d * f) b (part_numbers a b c d e f)) n.+1 (inR 0 / inR (a * d * f))); last by rewrite of_Z0 mul0r.
rewrite V_scaled // -of_Z_pow -of_ZM -of_Z_nat -mulrA -invfM -of_ZM; apply/eqP.
rewrite eqr_div ?lt0r_neq0 ?of_Z_gt0 //; first by rewrite -!of_ZM answer.
apply: Z.mul_pos_pos; last exact: Z_succ_gt0.
by apply: Z.mul_pos_pos => //; apply: Z.pow_pos_nonneg => //; apply: Zle_0_nat.
Qed.

Theorem corner_mean_sound (t u e f : Z) i j (numerator denominator : Z) : (i < 5)%N -> corner_mean_is t u e f i j numerator denominator ->
  V [:: nth [::] (corner_laws (inR t / inR u) (inR e / inR f)) i] j 0 = inR numerator / inR denominator.
Proof.
move=> i5 /and5P[/Z.ltb_lt u0 /Z.ltb_lt t0 /Z.ltb_lt f0 /Z.ltb_lt denominator0 /Z.eqb_eq answer].
have h0 : (0 < t * u * f)%Z by do 2![apply: Z.mul_pos_pos => //].
have q0 : (0 < (t + u) * (t + 2 * u) * (2 * t + u))%Z.
  by apply: Z.mul_pos_pos; first apply: Z.mul_pos_pos; apply: Z.add_pos_pos => //; apply: Z.mul_pos_pos.
rewrite corner_laws_scaled // (_ : 0 = inR 0 / inR (t * u * f)); last by rewrite of_Z0 mul0r.
set h := (t * u * f)%Z; set q := (_ * _)%Z; set C := corner_numbers t u e f.
have -> : [:: nth [::] (scaled R h q C) i] = scaled R h q [:: nth [::] C i] by rewrite /scaled (nth_map [::]).
rewrite V_scaled // -of_Z_pow -of_ZM; apply/eqP.
rewrite eqr_div ?lt0r_neq0 ?of_Z_gt0 //; first by rewrite -!of_ZM answer.
by apply: Z.mul_pos_pos => //; apply: Z.pow_pos_nonneg => //; apply: Zle_0_nat.
Qed.

End Soundness.
