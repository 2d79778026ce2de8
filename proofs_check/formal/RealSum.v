(* The real sum, its runs told apart: every user's number is rounded at random to one of 0, ..., r, the first so many of r bits are ones, and each run of
   bits is a bit sum.

     preprocessed_private   what is private for rounded data is private for data that users round at random, each for themselves;
     real_sum_private       the view is as private as r bit sums together, of which each goes from k_j to k_j + 1 ones or back, k_j < n
                                                                                                                        (CSUZZ19, section 5.3). *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition OneMessage BitSum WorstDatasets.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Preprocessed.
Variables (R : realFieldType) (D : Type) (L B : finType) (rounded : D -> dist R L) (n : nat) (V : n.-tuple L -> B -> R).

Definition preprocessed (w : n.-tuple D) : B -> R := fun y => \sum_m messages rounded w m * V m y.

Theorem preprocessed_private (E delta : R) : private E delta V -> private E delta preprocessed.
Proof.
move=> privacy w w' [i others]; apply/dp_iff_hockey.
pose moved (x : n.-tuple L * L) : n.-tuple L * L := ([tuple if k == i then x.2 else tnth x.1 k | k < n], tnth x.1 i).
have moved_back : involutive moved.
  case=> m l; rewrite /moved /= tnth_mktuple eqxx; congr (_, _); apply: eq_from_tnth => k; rewrite !tnth_mktuple.
  by case: eqP => [->|].
pose weight (x : n.-tuple L * L) : R := messages rounded w x.1 * rounded (tnth w' i) x.2.
have weight0 x : 0 <= weight x by rewrite mulr_ge0 ?mass_ge0 ?messages_ge0.
have messages_at (v : n.-tuple D) m : messages rounded v m = rounded (tnth v i) (tnth m i) * \prod_(k | k != i) rounded (tnth v k) (tnth m k).
  by rewrite /messages (bigD1 i).
have weight_moved x : weight (moved x) = messages rounded w' x.1 * rounded (tnth w i) x.2.
  case: x => m l; rewrite /weight /moved /= !messages_at tnth_mktuple eqxx [LHS]mulrAC [RHS]mulrAC; congr (_ * _); first exact: mulrC.
  by apply: eq_bigr => k /[dup] ki /negPf k0; rewrite tnth_mktuple k0 others.
have summed (v : n.-tuple D) (rest : D) (F : n.-tuple L -> R) :
    \sum_(x : n.-tuple L * L) messages rounded v x.1 * rounded rest x.2 * F x.1 = \sum_m messages rounded v m * F m.
  rewrite -(pair_bigA _ (fun m l => messages rounded v m * rounded rest l * F m)) /=; apply: eq_bigr => m _.
  by rewrite -mulr_suml -mulr_sumr mass_sum1 mulr1.
have view y : preprocessed w y = \sum_x weight x * V x.1 y by rewrite /weight (summed w (tnth w' i) (fun m => V m y)).
have view' y : preprocessed w' y = \sum_x weight x * V (moved x).1 y.
  rewrite (reindex_inj (inv_inj moved_back)); under eq_bigr do rewrite weight_moved moved_back.
  by rewrite (summed w' (tnth w i) (fun m => V m y)).
rewrite (eq_hockey E view view'); apply: le_trans (hockey_joint_convexity _ _ _ weight0) _.
have total : \sum_x weight x = 1.
  have <- : \sum_m messages rounded w m * 1 = 1 by under eq_bigr do rewrite mulr1; have [] : is_law (messages rounded w) := transcript_is_law (fun=> rounded) w.
  by rewrite -(summed w (tnth w' i) (fun=> 1)); apply: eq_bigr => x _; rewrite mulr1.
rewrite -[leRHS]mul1r -total mulr_suml; apply: ler_sum => x _; rewrite ler_wpmul2l //; apply/dp_iff_hockey; apply: privacy.
by exists i => k /negPf k0; rewrite tnth_mktuple k0.
Qed.

End Preprocessed.

Section RealSum.
Variables (R : realFieldType) (n : nat) (n_gt0 : (0 < n)%N) (lambda : R) (range : 0 <= lambda <= n%:R) (r : nat).
Local Notation bit := (noisy_bit n_gt0 range).

(* The first l of r bits are ones, each of them sent as by the bit sum; what is seen is the number of ones of every run. *)
Definition run_bits : 'I_r.+1 -> dist R [finType of {ffun 'I_r -> bool}] := parts bit (fun (l : 'I_r.+1) (j : 'I_r) => (j < l)%N).
Definition runs_seen (w : n.-tuple 'I_r.+1) : {ffun 'I_r -> 'I_n.+1} -> R := image_law (counts (@ones n)) (messages run_bits w).

(* k_j ones in run j. *)
Definition runs_of (k : 'I_r -> nat) (c : {ffun 'I_r -> 'I_n.+1}) : R := \prod_j bit_sum_view n_gt0 range (with_ones (inord (k j))) (c j).

Lemma ones_seen (v : n.-tuple bool) : image_law (@ones n) (messages bit v) =1 bit_sum_view n_gt0 range (with_ones (ones v)).
Proof.
move=> y; rewrite -(@bit_sum_view_ones R n n_gt0 lambda range v) ?ones_with_ones //.
rewrite /bit_sum_view /image_law.
have -> : \sum_(s : n.-tuple bool | ones s == y) shuffle (messages bit v) s =
    n`!%:R^-1 * \sum_(sigma : 'S_n) \sum_(s : n.-tuple bool | ones s == y) messages bit v (permuted s sigma).
  by rewrite [in RHS]exchange_big /= mulr_sumr; apply: eq_bigr => s _; apply: shuffle_messages_sum.
rewrite [X in _ = _ * X](eq_bigr (fun=> \sum_(m : n.-tuple bool | ones m == y) messages bit v m)) => [|sigma _]; last first.
  have back : cancel (fun s : n.-tuple bool => permuted s sigma) (fun s => permuted s sigma^-1%g) by move=> s; rewrite permuted_permuted mulVg permuted1.
  by rewrite [RHS](reindex_inj (can_inj back)) /=; apply: eq_bigl => s; rewrite ones_permuted.
by rewrite sumr_const card_Sn -[X in _ = _ * X]mulr_natl mulKf // pnatr_eq0 -lt0n fact_gt0.
Qed.

Lemma runs_seen_is (w : n.-tuple 'I_r.+1) i : runs_seen w =1
  runs_of (fun j => (j < tnth w i)%N + \sum_(k | k != i) (j < tnth w k)%N)%N.
Proof.
move=> c; rewrite /runs_seen counts_seen; apply: eq_bigr => j _; rewrite ones_seen; congr (bit_sum_view _ _ (with_ones _) _).
apply: val_inj; rewrite /= ones_sum inordK; last first.
  rewrite ltnS -[X in (_ <= X)%N]card_ord -sum1_card [X in (_ <= X)%N](bigD1 i) //= leq_add //; first by case: (_ < _)%N.
  by apply: leq_sum => k _; case: (_ < _)%N.
rewrite (bigD1 i) //= tnth_mktuple; congr addn; by apply: eq_bigr => k _; rewrite tnth_mktuple.
Qed.

(* Runs that do not change tell nothing. *)
Lemma runs_that_change (o : 'I_r -> nat) (u v : 'I_r -> bool) E : (forall j, u j ==> v j) ->
  hockey E (runs_of (fun j => u j + o j)%N) (runs_of (fun j => v j + o j)%N) <= hockey E (runs_of o) (runs_of (fun j => (o j).+1)) /\
  hockey E (runs_of (fun j => v j + o j)%N) (runs_of (fun j => u j + o j)%N) <= hockey E (runs_of (fun j => (o j).+1)) (runs_of o).
Proof.
move=> uv; pose law k := bit_sum_view n_gt0 range (with_ones (inord k)).
pose kept j (y z : 'I_n.+1) : R := if u j == v j then law (u j + o j)%N z else (y == z)%:R.
have law1 k : \sum_y law k y = 1 by case: (bit_sum_view_is_law n_gt0 range (with_ones (inord k))).
have kept_is_law (y : {ffun 'I_r -> 'I_n.+1}) : is_law (fun z : {ffun 'I_r -> 'I_n.+1} => \prod_j kept j (y j) (z j)).
  split=> [z|].
    apply: prodr_ge0 => j _; rewrite /kept; case: ifP => _; last by rewrite ler0n.
    by have [law0 _] := bit_sum_view_is_law n_gt0 range (with_ones (inord (u j + o j)%N)); apply: law0.
  rewrite -(bigA_distr_bigA (fun j z => kept j (y j) z)) big1 // => j _; rewrite /kept; case: (u j == v j); first exact: law1.
  by rewrite (bigD1 (y j)) //= eqxx big1 ?addr0 // => z /negPf zy; rewrite eq_sym zy.
have pushed k t : (forall j, u j != v j -> k j = t j) -> (forall j, u j == v j -> t j = (u j + o j)%N) ->
    push (fun y => Dist (kept_is_law y)) (runs_of k) =1 runs_of t.
  move=> changed same z; rewrite /push /runs_of /=; under eq_bigr do rewrite -big_split.
  rewrite -(bigA_distr_bigA (fun j y => law (k j) y * kept j y (z j))); apply: eq_bigr => j _; rewrite /kept.
  have [/eqP uv_j|uv_j] := boolP (u j == v j); first by rewrite -mulr_suml law1 mul1r same ?uv_j.
  by rewrite -changed // (bigD1 (z j)) //= eqxx mulr1 big1 ?addr0 // => y /negPf ->; rewrite mulr0.
have off j : u j != v j -> u j = false /\ v j = true by move: (uv j); case: (u j); case: (v j).
have low : push (fun y => Dist (kept_is_law y)) (runs_of o) =1 runs_of (fun j => u j + o j)%N by apply: pushed => j // /off[-> _].
have high : push (fun y => Dist (kept_is_law y)) (runs_of (fun j => (o j).+1)) =1 runs_of (fun j => v j + o j)%N.
  by apply: pushed => j; [move=> /off[_ ->] | move=> /eqP ->].
by split; [rewrite -(eq_hockey E low high) | rewrite -(eq_hockey E high low)]; apply: hockey_post_processing.
Qed.

(* Every r bit sums of which each goes from k_j to k_j + 1 ones, or each of them back. *)
Definition runs_within (E delta : R) : Prop :=
  forall k : 'I_r -> 'I_n, hockey E (runs_of (fun j => k j)) (runs_of (fun j => (k j).+1)) <= delta /\
                           hockey E (runs_of (fun j => (k j).+1)) (runs_of (fun j => k j)) <= delta.

Lemma runs_private (E delta : R) : runs_within E delta -> private E delta runs_seen.
Proof.
move=> pairs w w' [i others]; apply/dp_iff_hockey; pose o (j : 'I_r) := (\sum_(k | k != i) (j < tnth w k)%N)%N.
have small j : (o j < n)%N.
  apply: (@leq_ltn_trans (\sum_(k < n | k != i) 1)%N); first by apply: leq_sum => k _; case: (_ < _)%N.
  by rewrite sum1_card cardC1 card_ord ltn_predL.
have seen' : runs_seen w' =1 runs_of (fun j => (j < tnth w' i)%N + o j)%N.
  move=> c; rewrite (runs_seen_is w' i); apply: eq_bigr => j _; congr (bit_sum_view _ _ (with_ones (inord (_ + _)%N)) _).
  by apply: eq_bigr => k ki; rewrite others.
rewrite (eq_hockey E (runs_seen_is w i) seen'); have [up down] := pairs (fun j => Ordinal (small j)).
have [ab|/ltnW ba] := leqP (tnth w i) (tnth w' i).
  apply: le_trans up; apply: (proj1 (runs_that_change o (u := fun j : 'I_r => (j < tnth w i)%N) (v := fun j : 'I_r => (j < tnth w' i)%N) E _)) => j.
  by apply/implyP => /leq_trans ->.
apply: le_trans down; apply: (proj2 (runs_that_change o (u := fun j : 'I_r => (j < tnth w' i)%N) (v := fun j : 'I_r => (j < tnth w i)%N) E _)) => j.
by apply/implyP => /leq_trans ->.
Qed.

(* A number, rounded at random by any law. *)
Variables (D : Type) (rounded : D -> dist R [finType of 'I_r.+1]).
Definition real_sum (x : D) : dist R [finType of {ffun 'I_r -> bool}] := Dist (push_is_law run_bits (mass_is_law (rounded x))).
Definition real_sum_seen (w : n.-tuple D) : {ffun 'I_r -> 'I_n.+1} -> R := image_law (counts (@ones n)) (messages real_sum w).

Theorem real_sum_private (E delta : R) : runs_within E delta -> private E delta real_sum_seen.
Proof.
move=> pairs w w' near; apply/dp_iff_hockey.
have seen (v : n.-tuple D) : real_sum_seen v =1 preprocessed rounded runs_seen v.
  move=> c; rewrite /real_sum_seen /image_law (eq_bigr _ (fun m _ => messages_changed (F := run_bits) (randomizer := rounded) (randomizer' := real_sum)
    (fun x => frefl _) v m)) /push exchange_big; apply: eq_bigr => l _.
  by rewrite -mulr_sumr.
rewrite (eq_hockey E (seen w) (seen w')); apply/dp_iff_hockey; exact: (preprocessed_private rounded (runs_private pairs) near).
Qed.

End RealSum.
