(* FMT21, Theorem 4.1's pair, and the corner laws one by one, as programs for the kernel, for a few users: what ThreeParts.v and FiveCorners.v define
   is compared with what the executable specification computes (PartExamples.v, written from it). p = a/b, q = c/d, T = t/u, E = e/f.

     stop_loss_V         the mean positive part of a sum of scores is V of one law;
     parts_V_is_sound    where the program answers true, the pair's divergence is the given fraction;
     corner_mean_sound   the mean positive part of a sum of losses of one corner law;
     blocks_V_is_sound   the controlled sum of blocks of users of several types, V_steps of TypeBlocks.v, whose sets of laws are the numbers of a type
                         and, in pairs, of the sums of two of them (doubled_numbers);
     unlike_is_sound     the mean positive part of the losses of the users outside a set, no two of them alike: unlike_sum of OneRandomizer.v. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ zify ring.
From Shuffleproof Require Import Definitions Divergence Composition PairDefinitions PairCounts ThreeParts ConvexOrder ControlledSum Integers
  FiveCorners SmallCases ControlledCases OneRandomizer TypeBlocks.

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

(* The sums of two losses, their masses over q^2. *)
Definition doubled_numbers (C : seq (seq (Z * Z))) : seq (seq (Z * Z)) := [seq [seq (x.1 + y.1, x.2 * y.2) | x <- c, y <- c] | c <- C].

(* Each step's masses are over a number of its own, which stands beside its laws. *)
Fixpoint V_steps_total (steps : seq (Z * seq (seq (Z * Z)))) (s : Z) : Z :=
  if steps is C :: steps' then foldr Z.max 0 [seq total [seq x.2 * V_steps_total steps' (s + x.1) | x <- c] | c <- C.2] else Z.max s 0.
Definition masses_over (steps : seq (Z * seq (seq (Z * Z)))) : Z := foldr (fun C m => C.1 * m) 1 steps.
Definition blocks_V_is (h : Z) (steps : seq (Z * seq (seq (Z * Z)))) (numerator denominator : Z) : bool :=
  [&& 0 <? h, all (fun C => 0 <? C.1) steps, 0 <? denominator & V_steps_total steps 0 * denominator =? numerator * (h * masses_over steps)].

(* Of each user: whether they are told, and the value of their loss with its mass over q at each report; told users report by omega. *)
Definition unlike_is (h q : Z) (omega : seq Z) (users : seq (bool * seq (Z * Z))) (numerator denominator : Z) : bool :=
  (0 <? q) && (total omega =? q) && all (fun u => (size u.2 == size omega) && (total [seq x.2 | x <- u.2] =? q) && all (fun x => 0 <=? x.2) u.2) users &&
  blocks_V_is h [seq (q, [:: u.2]) | u <- users & ~~ u.1] numerator denominator.

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

Lemma measures_scaled (h q : Z) C : (0 < q)%Z -> all (all (fun x => (0 <=? x.2)%Z)) C -> measures (scaled R h q C).
Proof.
move=> q0 /allP all0 c /mapP[a /all0/allP a0 ->] x /mapP[y /a0/Z.leb_le y0 ->] /=.
by apply: divr_ge0; apply: of_Z_ge0 => //; apply: Z.lt_le_incl.
Qed.

Lemma doubled_scaled (h q : Z) C : doubled (scaled R h q C) (scaled R h (q * q) (doubled_numbers C)).
Proof.
move=> c /mapP[a a_in ->]; exists [seq (inR x.1 / inR h, inR x.2 / inR (q * q)) | x <- [seq (x.1 + y.1, x.2 * y.2)%Z | x <- a, y <- a]].
  by rewrite /scaled /doubled_numbers -map_comp; apply/mapP; exists a.
move=> s; rewrite le_eqVlt; apply/orP; left; apply/eqP.
rewrite /positive /= !big_map big_allpairs_dep /=; apply: eq_bigr => x _; rewrite big_map mulr_sumr; apply: eq_bigr => y _ /=.
by rewrite of_ZD !of_ZM invfM mulrDl addrA mulrA; congr (_ * _); rewrite mulrACA.
Qed.

Lemma V_steps_scaled (h : Z) steps s : (0 < h)%Z -> all (fun C : Z * seq (seq (Z * Z)) => (0 <? C.1)%Z) steps ->
  V_steps [seq scaled R h C.1 C.2 | C <- steps] (inR s / inR h) = inR (V_steps_total steps s) / (inR h * inR (masses_over steps)) /\
  0 < inR (masses_over steps).
Proof.
move=> /(of_Z_gt0 R) h0; elim: steps s => [|[q C] steps IH] s /=.
  move=> _; rewrite of_Z1 mulr1; split; last exact: ltr01.
  by rewrite of_Z_max of_Z0 maxr_pmull ?invr_ge0 ?(ltW h0) // mul0r.
case/andP => /Z.ltb_lt/(of_Z_gt0 R) q0 all0; have [_ over0] := IH 0%Z all0.
rewrite of_ZM; split; last by rewrite mulr_gt0.
rewrite [inR q * _]mulrC mulrA.
apply: (@best_scaled R h q C (V_steps [seq scaled R h C.1 C.2 | C <- steps]) (V_steps_total steps)) => // [|r]; first by rewrite mulr_gt0.
by have [-> _] := IH r all0.
Qed.

Theorem blocks_V_is_sound (h : Z) steps (Cs : seq (seq (loss R))) (numerator denominator : Z) : blocks_V_is h steps numerator denominator ->
  Cs = [seq scaled R h C.1 C.2 | C <- steps] -> V_steps Cs 0 = inR numerator / inR denominator.
Proof.
case/and4P => /Z.ltb_lt h0 all0 /Z.ltb_lt denominator0 /Z.eqb_eq answer ->.
have [V_is over0] := V_steps_scaled 0 h0 all0; have h1 := of_Z_gt0 R h0; have d1 := of_Z_gt0 R denominator0.
rewrite (_ : 0 = inR 0 / inR h); last by rewrite of_Z0 mul0r.
by rewrite V_is; apply/eqP; rewrite eqr_div ?lt0r_neq0 ?mulr_gt0 // -!of_ZM answer.
Qed.

Lemma positives_V_steps (ls : seq (loss R)) t : measures ls -> positives ls t = V_steps [seq [:: a] | a <- ls] t.
Proof.
have V_ge0 Cs r : 0 <= V_steps Cs r :> R by case: Cs => [|C Cs] /=; [apply: positive_part_ge0 | apply: best_ge0].
elim: ls t => [|a ls IH] t //= /measures_cons[a0 ls0]; rewrite (max_idPl _); first by apply: eq_bigr => x _; rewrite IH.
by apply: mean_ge0.
Qed.

Theorem unlike_is_sound (h q : Z) (omega : seq Z) n (users : seq (bool * seq (Z * Z))) (numerator denominator : Z)
    (of_user := fun k : 'I_n.+1 => nth (false, [::]) users k) (at_report := fun k (s : 'I_(size omega)) => nth (0%Z, 0%Z) (of_user k).2 s) :
    size users = n.+1 -> unlike_is h q omega users numerator denominator ->
  unlike_sum (fun s : 'I_(size omega) => inR (nth 0%Z omega s) / inR q) (fun k s => inR (at_report k s).2 / inR q)
    (fun k s => inR (at_report k s).1 / inR h) [set k | (of_user k).1] = inR numerator / inR denominator.
Proof.
move=> size_users /andP[/andP[/andP[/Z.ltb_lt/(of_Z_gt0 R) q0 /Z.eqb_eq omega_is] /allP users_ok] answer].
have q1 : inR q != 0 by rewrite gt_eqF.
have over_q (l : seq Z) N : size l = N -> total l = q -> \sum_(s < N) inR (nth 0%Z l s) / inR q = 1.
  move=> <- l_is; rewrite -mulr_suml -(big_mkord predT (fun s => inR (nth 0%Z l s))) -(big_nth 0%Z predT inR) -[X in _ / inR X]l_is.
  have -> : \sum_(x <- l) inR x = inR (total l) by elim: (l) => [|x l' IH]; rewrite ?big_nil ?big_cons ?of_Z0 //= of_ZD IH.
  by rewrite l_is mulfV.
have user_ok k : [/\ size (of_user k).2 = size omega, total [seq x.2 | x <- (of_user k).2] = q & all (fun x => (0 <=? x.2)%Z) (of_user k).2].
  by have /users_ok/andP[/andP[/eqP ? /Z.eqb_eq ?] ?] : of_user k \in users by rewrite mem_nth // size_users.
pose mass k (s : 'I_(size omega)) := if k \in [set k | (of_user k).1] then inR (nth 0%Z omega s) / inR q else inR (at_report k s).2 / inR q.
have mass1 k : \sum_s mass k s = 1.
  rewrite /mass; case: (k \in [set k | (of_user k).1]); first exact: (over_q omega _ erefl omega_is).
  have [sizes masses _] := user_ok k; rewrite -(over_q [seq x.2 | x <- (of_user k).2] (size omega) _ masses) ?size_map //.
  by apply: eq_bigr => s _; rewrite (nth_map (0%Z, 0%Z)) // sizes.
rewrite -(blocks_V_is_sound answer (erefl _)).
have alike : [seq atoms (mass k) (fun s => inR (at_report k s).1 / inR h) | k <- enum [predC [set k | (of_user k).1]]] =
    [seq [seq (inR x.1 / inR h, inR x.2 / inR q) | x <- u.2] | u <- users & ~~ u.1].
  have -> : users = [seq of_user k | k <- enum 'I_n.+1].
    by rewrite -[LHS](mkseq_nth (false, [::])) /mkseq size_users -val_enum_ord -map_comp.
  rewrite filter_map -map_comp (_ : enum _ = [seq k <- enum 'I_n.+1 | ~~ (of_user k).1]); last first.
    by rewrite enumT; apply: eq_filter => k; rewrite !inE.
  apply/eq_in_map => k; rewrite mem_filter => /andP[outside _] /=; have [sizes _ _] := user_ok k.
  rewrite /atoms /mass inE (negPf outside) -[(of_user k).2 in RHS](mkseq_nth (0%Z, 0%Z)) /mkseq sizes -val_enum_ord -!map_comp.
  exact: eq_map.
transitivity (positives [seq [seq (inR x.1 / inR h, inR x.2 / inR q) | x <- u.2] | u <- users & ~~ u.1] 0).
  rewrite -alike -(independent_positives _ _ _ mass1); apply: eq_bigr => s _; congr (_ * Num.max _ 0).
  by rewrite add0r; apply: eq_bigl => k; rewrite !inE.
rewrite positives_V_steps => [|a /mapP[u]]; first by rewrite -!map_comp.
rewrite mem_filter => /andP[_ /users_ok/andP[_ /allP masses]] -> x /mapP[y /masses/Z.leb_le/(of_Z_ge0 R) y0 ->] /=.
by rewrite divr_ge0 // ltW.
Qed.

End Soundness.
