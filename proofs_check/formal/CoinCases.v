(* Users who come at random, as programs for the kernel, for a few users: what RandomParticipation.v defines is compared with what the executable
   specification computes (CoinExamples.v, written from it). What is seen of those who come is given by a table of integers over `den`.

     participation_is_sound   where the program answers true, the divergence of what is seen of two datasets is the given fraction;
     uncounted_is_sound       the same where nothing tells how many come. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ zify ring.
From Shuffleproof Require Import Definitions Divergence Composition Integers SmallCases RandomParticipation.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Section Programs.
Local Open Scope Z_scope.
Variables (table : seq nat -> nat -> Z) (den : Z) (k : nat) (a b : Z).

(* The mean of F over those who come, each with probability a/b, times b for every user. *)
Fixpoint tossed (F : seq nat -> Z) (w : seq nat) : Z :=
  if w is x :: rest then (b - a) * tossed F rest + a * tossed (fun s => F (x :: s)) rest else F [::].

Definition few (least : nat) : seq nat -> Z := tossed (fun s => if (size s < least)%N then den else 0).
Definition counted (least m y : nat) (w : seq nat) : Z :=
  if (least <= m)%N then tossed (fun s => if size s == m then table s y else 0) w else 0.

(* Each positive part of the divergence of order e/f, times f, den and b for every user. *)
Definition participation_sum (e f : Z) (least : nat) (w w' : seq nat) : Z :=
  Z.max (f * few least w - e * few least w') 0 +
  total [seq total [seq Z.max (f * counted least m y w - e * counted least m y w') 0 | y <- iota 0 k] | m <- iota 0 (size w).+1].

Definition participation_is (e f : Z) (least : nat) (w w' : seq nat) (numerator denominator : Z) : bool :=
  [&& 0 <? den, 0 <? b, 0 <? f, 0 <? denominator &
      participation_sum e f least w w' * denominator =? numerator * (f * (den * b ^ Z.of_nat (size w)))].

(* The datasets may differ in size. *)
Definition uncounted_sum (e f : Z) (w w' : seq nat) : Z :=
  total [seq Z.max (f * b ^ Z.of_nat (size w') * tossed (table^~ y) w - e * b ^ Z.of_nat (size w) * tossed (table^~ y) w') 0 | y <- iota 0 k].

Definition uncounted_is (e f : Z) (w w' : seq nat) (numerator denominator : Z) : bool :=
  [&& 0 <? den, 0 <? b, 0 <? f, 0 <? denominator &
      uncounted_sum e f w w' * denominator =? numerator * (f * (den * b ^ Z.of_nat (size w) * b ^ Z.of_nat (size w')))].

End Programs.

Section Unordered.
Variables (R : realFieldType) (D : eqType) (B : finType) (seen : forall m, m.-tuple D -> B -> R).
Hypothesis order : unordered seen.

Lemma unordered_perm_eq m (v v' : m.-tuple D) : perm_eq v v' -> seen v =1 seen v'.
Proof. by case/tuple_permP => sigma /val_inj -> y; rewrite -[in RHS](order v' sigma). Qed.

Lemma unordered_cons x : unordered (fun m (v : m.-tuple D) => seen [tuple of x :: v]).
Proof.
move=> m v sigma; apply: unordered_perm_eq; rewrite /= perm_cons.
by apply/tuple_permP; exists sigma.
Qed.

End Unordered.

Section Soundness.
Variables (R : realFieldType) (d k : nat) (seen : forall m, m.-tuple 'I_d -> 'I_k -> R) (table : seq nat -> nat -> Z) (den a b : Z).
Local Notation inR := (of_Z R).
Local Notation numbers := (map (@nat_of_ord d)).
Hypotheses (order : unordered seen) (den_gt0 : (0 < den)%Z) (b_gt0 : (0 < b)%Z).
Hypothesis tabulated : forall m (v : m.-tuple 'I_d) y, seen v y = inR (table (numbers v) y) / inR den.
Let g := inR a / inR b.

Lemma tossed_sound n (w : n.-tuple 'I_d) (view : forall m, m.-tuple 'I_d -> unit -> R) F : unordered view ->
    (forall m (v : m.-tuple 'I_d), view m v tt = inR (F (numbers v)) / inR den) ->
  uncounted g view w tt = inR (tossed a b F (numbers w)) / (inR den * inR b ^+ n).
Proof.
elim: n w view F => [|n IH] w view F order_view given.
  by rewrite [w]tuple0 uncounted_nobody given expr0 mulr1.
rewrite (tuple_eta w) uncounted_cons // (IH _ _ F order_view given).
rewrite (IH _ _ (fun s => F ((thead w : nat) :: s)) (unordered_cons order_view (thead w))) => [|m v]; last by rewrite given.
have den0 : inR den != 0 by rewrite gt_eqF ?of_Z_gt0.
have b0 : inR b != 0 by rewrite gt_eqF ?of_Z_gt0.
rewrite [numbers _]/= /= of_ZD !of_ZM of_ZB exprS /g.
have bn0 : inR b ^+ n != 0 by rewrite expf_neq0.
by field; rewrite den0 b0 bn0.
Qed.

Lemma few_sound n (w : n.-tuple 'I_d) least :
  \sum_(P : {set 'I_n} | (#|P| < least)%N) come g P = inR (few den a b least (numbers w)) / (inR den * inR b ^+ n).
Proof.
rewrite -(@tossed_sound n w (fun m _ _ => if (m < least)%N then 1 else 0)) // => [|m v]; last first.
  rewrite size_map size_tuple; case: ifP => _; last by rewrite of_Z0 mul0r.
  by rewrite divff // gt_eqF ?of_Z_gt0.
rewrite /uncounted big_mkcond; apply: eq_bigr => P _.
by case: ifP => _; rewrite ?mulr1 ?mulr0.
Qed.

Lemma counted_sound n (w : n.-tuple 'I_d) least (m : 'I_n.+1) (y : 'I_k) :
  participation g least seen w (Some (m, y)) = inR (counted table a b least m y (numbers w)) / (inR den * inR b ^+ n).
Proof.
rewrite /= /counted; case: ifP => _; last by rewrite of_Z0 mul0r.
rewrite -(@tossed_sound n w (fun m' v _ => if m' == m :> nat then seen v y else 0)) => [|m' v sigma []|m' v].
- rewrite /uncounted big_mkcond; apply: eq_bigr => P _.
  by case: ifP => _; rewrite ?mulr0.
- by case: ifP => // _; exact: order.
rewrite size_map size_tuple; case: ifP => _; first exact: tabulated.
by rewrite of_Z0 mul0r.
Qed.

Lemma scaled_part e f x y z : (0 < f)%Z -> 0 < z -> Num.max (inR x / z - inR e / inR f * (inR y / z)) 0 =
  inR (Z.max (f * x - e * y) 0) / (inR f * z).
Proof.
move=> f_gt0 z0; have f0 : 0 < inR f by apply: of_Z_gt0.
rewrite of_Z_max of_Z0 of_ZB !of_ZM.
have fz0 : 0 <= (inR f * z)^-1 by rewrite invr_ge0 mulr_ge0 // ltW.
have -> : inR x / z - inR e / inR f * (inR y / z) = (inR f * inR x - inR e * inR y) * (inR f * z)^-1.
  by field; rewrite !lt0r_neq0.
by rewrite -[X in Num.max _ X](mul0r (inR f * z)^-1) -maxr_pmull.
Qed.

Lemma sum_iota c (F : nat -> Z) : inR (total [seq F i | i <- iota 0 c]) = \sum_(i < c) inR (F i).
Proof. by rewrite of_Z_total (_ : iota 0 c = index_iota 0 c) ?big_mkord // /index_iota subn0. Qed.

Theorem participation_is_sound n (w w' : n.-tuple 'I_d) e f least numerator denominator :
  participation_is table den k a b e f least (numbers w) (numbers w') numerator denominator ->
  hockey (inR e / inR f) (participation g least seen w) (participation g least seen w') = inR numerator / inR denominator.
Proof.
case/and5P => _ _ /Z.ltb_lt f_gt0 /Z.ltb_lt denominator0 /Z.eqb_eq answer.
have z0 : 0 < inR den * inR b ^+ n by rewrite mulr_gt0 ?exprn_gt0 ?of_Z_gt0.
have -> : hockey (inR e / inR f) (participation g least seen w) (participation g least seen w') =
    inR (participation_sum table den k a b e f least (numbers w) (numbers w')) / (inR f * (inR den * inR b ^+ n)).
  rewrite /hockey sum_option /participation_sum of_ZD mulrDl; congr (_ + _).
    by rewrite -scaled_part // -!few_sound.
  rewrite size_map size_tuple sum_iota mulr_suml; apply: eq_bigr => m _.
  by rewrite sum_iota mulr_suml; apply: eq_bigr => y _; rewrite !counted_sound scaled_part.
move: answer; rewrite size_map size_tuple => answer; apply/eqP; rewrite -of_Z_pow -!of_ZM.
rewrite eqr_div ?lt0r_neq0 ?of_Z_gt0 //; first by rewrite -!of_ZM answer.
by do 2![apply: Z.mul_pos_pos => //]; apply: Z.pow_pos_nonneg => //; apply: Zle_0_nat.
Qed.

Theorem uncounted_is_sound n n' (w : n.-tuple 'I_d) (w' : n'.-tuple 'I_d) e f numerator denominator :
  uncounted_is table den k a b e f (numbers w) (numbers w') numerator denominator ->
  hockey (inR e / inR f) (uncounted g seen w) (uncounted g seen w') = inR numerator / inR denominator.
Proof.
case/and5P => _ _ /Z.ltb_lt f_gt0 /Z.ltb_lt denominator0 /Z.eqb_eq answer.
have b0 : 0 < inR b by apply: of_Z_gt0.
have den0 : 0 < inR den by apply: of_Z_gt0.
have by_tossing m (v : m.-tuple 'I_d) y : uncounted g seen v y = inR (tossed a b (table^~ y) (numbers v)) / (inR den * inR b ^+ m).
  rewrite -(@tossed_sound m v (fun _ v' _ => seen v' y)) // => m' v' sigma [].
  exact: order.
have -> : hockey (inR e / inR f) (uncounted g seen w) (uncounted g seen w') =
    inR (uncounted_sum table k a b e f (numbers w) (numbers w')) / (inR f * (inR den * inR b ^+ n * inR b ^+ n')).
  rewrite /uncounted_sum sum_iota mulr_suml; apply: eq_bigr => y _; rewrite !by_tossing !size_map !size_tuple.
  have z0 : 0 < inR den * inR b ^+ n * inR b ^+ n' by rewrite !mulr_gt0 ?exprn_gt0.
  rewrite -[(f * _ * _)%Z]Z.mul_assoc -[(e * _ * _)%Z]Z.mul_assoc -scaled_part // !of_ZM !of_Z_pow.
  have bn0 : inR b ^+ n != 0 by rewrite expf_neq0 ?gt_eqF.
  have bn0' : inR b ^+ n' != 0 by rewrite expf_neq0 ?gt_eqF.
  congr (Num.max (_ - _ * _) 0); by field; rewrite bn0 bn0' !gt_eqF.
move: answer; rewrite !size_map !size_tuple => answer; apply/eqP; rewrite -!of_Z_pow -!of_ZM.
rewrite eqr_div ?lt0r_neq0 ?of_Z_gt0 //; first by rewrite -!of_ZM answer.
apply: Z.mul_pos_pos => //; apply: Z.mul_pos_pos; last by apply: Z.pow_pos_nonneg => //; apply: Zle_0_nat.
by apply: Z.mul_pos_pos => //; apply: Z.pow_pos_nonneg => //; apply: Zle_0_nat.
Qed.

End Soundness.
