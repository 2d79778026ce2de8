(* The law of a shuffled adaptive sequence, and the divergence of two, as programs for the kernel: what Definitions.v says of small cases is
   compared with what the executable specification computes (SmallExamples.v, written from it).

     permanent_expand      the sum over orders, by who comes first;
     passes_sound          n! den^n shuffled(w)(s) = passes, where all randomizers' probabilities are integers over den;
     shuffled_hockey       the hockey-stick divergence of two datasets' outputs, the sum over all outputs. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Integers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Section SmallPrograms.
Local Open Scope Z_scope.

Definition total (l : seq Z) : Z := foldr Z.add 0 l.

Definition without (j : nat) (d : seq nat) : seq nat := take j d ++ drop j.+1 d.

(* The sum, over all orders of the data d, of the weights of the outputs `out` after the outputs z. *)
Fixpoint passes (table : seq nat -> nat -> nat -> Z) (z d out : seq nat) : Z :=
  if out is s :: rest
  then total [seq table z (nth O d j) s * passes table (rcons z s) (without j d) rest | j <- iota 0 (size d)]
  else 1.

(* All outputs of n steps, of k kinds of messages. *)
Fixpoint outputs (n k : nat) : seq (seq nat) :=
  if n is m.+1 then [seq s :: rest | s <- iota 0 k, rest <- outputs m k] else [:: [::]].

(* The sum over outputs of max(0, f P - e Q), times what P and Q are divided by. *)
Definition small_hockey (table : seq nat -> nat -> nat -> Z) (n k : nat) (e f : Z) (d d' : seq nat) : Z :=
  total [seq Z.max (f * passes table [::] d s - e * passes table [::] d' s) 0 | s <- outputs n k].

End SmallPrograms.

(* That the divergence of order e/f is numerator/denominator, for n steps of k kinds of messages with probabilities over den. *)
Definition small_case (table : seq nat -> nat -> nat -> Z) (den : Z) (n k : nat) (e f : Z) (d d' : seq nat) (numerator denominator : Z) : bool :=
  [&& 0 <? den, 0 <? f, 0 <? denominator &
      small_hockey table n k e f d d' * denominator =? numerator * (f * (Z.of_nat n`! * den ^ Z.of_nat n))]%Z.

Section Permanent.
Variable R : comRingType.

Definition permanent n (M : 'I_n -> 'I_n -> R) : R := \sum_(sigma : 'S_n) \prod_(i < n) M i (sigma i).

Lemma lift_perm_onto n (j : 'I_n.+1) (sigma : 'S_n.+1) : sigma ord0 = j -> exists tau, sigma = lift_perm ord0 j tau.
Proof.
move=> <-; pose down k := odflt k (unlift (sigma ord0) (sigma (lift ord0 k))).
have downK k : lift (sigma ord0) (down k) = sigma (lift ord0 k).
  rewrite /down; have := neq_lift ord0 k; rewrite -(can_eq (permK sigma)) => /unlift_some[] ? ? ->.
  by [].
have down_inj : injective down.
  move=> k k' /(congr1 (lift (sigma ord0))); rewrite !downK => /perm_inj.
  exact: lift_inj.
exists (perm down_inj); apply/permP => k; case: (unliftP ord0 k) => [k'|] ->.
  by rewrite lift_perm_lift permE downK.
by rewrite lift_perm_id.
Qed.

Lemma lift_perm_injective n (j : 'I_n.+1) : injective (lift_perm ord0 j).
Proof.
move=> tau tau' same; apply/permP => k; apply: (@lift_inj _ j).
by rewrite -!(lift_perm_lift ord0) same.
Qed.

Lemma permanent_expand n (M : 'I_n.+1 -> 'I_n.+1 -> R) :
  permanent M = \sum_j M ord0 j * permanent (fun i k => M (lift ord0 i) (lift j k)).
Proof.
rewrite /permanent (partition_big (fun sigma : 'S_n.+1 => sigma ord0) predT) //=; apply: eq_bigr => j _.
rewrite mulr_sumr (reindex_onto (lift_perm ord0 j) (fun sigma => odflt 1%g [pick tau | sigma == lift_perm ord0 j tau])) /=.
  apply: eq_big => [tau|tau _]; last first.
    by rewrite big_ord_recl lift_perm_id; congr (_ * _); apply: eq_bigr => i _; rewrite lift_perm_lift.
  rewrite lift_perm_id eqxx /=; case: pickP => [tau' /eqP|/(_ tau)]; last by rewrite eqxx.
  by move/lift_perm_injective => ->; rewrite eqxx.
move=> sigma /eqP /lift_perm_onto [tau ->]; case: pickP => [tau' /eqP -> //|/(_ tau)].
by rewrite eqxx.
Qed.

End Permanent.

Section SmallCases.
Variables (R : realFieldType) (m k : nat) (randomizers : adaptive_randomizers R 'I_m [finType of 'I_k]).
Variables (table : seq nat -> nat -> nat -> Z) (den : Z).
Local Notation inR := (of_Z R).
Local Notation numbers := (map (@nat_of_ord _)).
Hypothesis den_gt0 : (0 < den)%Z.
Hypothesis tabulated : forall z x s, randomizers z x s = inR (table (numbers z) x s) / inR den.

Lemma of_Z_total (J : Type) (F : J -> Z) (l : seq J) : inR (total [seq F j | j <- l]) = \sum_(j <- l) inR (F j).
Proof. by elim: l => [|j l IH] /=; rewrite ?big_nil ?of_Z0 // big_cons of_ZD IH. Qed.

Lemma nth_without j d i : nth O (without j d) i = nth O d (bump j i).
Proof.
rewrite /without /bump nth_cat size_take; case: (ltnP j (size d)) => [jd|dj].
  case: (ltnP i j) => ij; first by rewrite nth_take.
  by rewrite nth_drop addSn subnKC.
rewrite drop_oversize ?leqW // nth_nil; case: (ltnP i (size d)) => id.
  by rewrite take_oversize // leqNgt (leq_trans id dj).
by rewrite nth_default // (leq_trans id) // leq_addl.
Qed.

Lemma size_without j n d : (j < n.+1)%N -> size d = n.+1 -> size (without j d) = n.
Proof.
move=> jn sized; rewrite /without size_cat size_take size_drop sized jn.
by rewrite subSS subnKC.
Qed.

Lemma passes_permanent n z d out : size d = n -> size out = n ->
  inR (passes table z d out) =
  permanent (fun i j : 'I_n => inR (table (z ++ take i out) (nth O d j) (nth O out i))).
Proof.
elim: n z d out => [|n IH] z d [|s rest] // sized.
  by move=> _; rewrite /permanent /= (eq_bigr (fun=> 1)) => [|sigma _]; rewrite ?big_ord0 // sumr_const card_Sn.
case=> size_rest; rewrite [passes _ _ _ _]/= of_Z_total permanent_expand sized -[iota 0 n.+1]/(index_iota 0 n.+1) big_mkord.
apply: eq_bigr => j _; rewrite of_ZM cats0; congr (_ * _); rewrite (IH _ _ _ (size_without (ltn_ord j) sized) size_rest).
rewrite /permanent; apply: eq_bigr => sigma _; apply: eq_bigr => i _.
by rewrite nth_without cat_rcons.
Qed.

Lemma passes_sound n (w : n.-tuple 'I_m) (s : n.-tuple 'I_k) :
  shuffled randomizers w s = inR (passes table [::] (numbers w) (numbers s)) / (n`!%:R * inR den ^+ n).
Proof.
have den0 : inR den != 0 by rewrite lt0r_neq0 // of_Z_gt0.
rewrite (@passes_permanent n) ?size_map ?size_tuple // /permanent invfM mulrCA; congr (_ * _).
rewrite mulr_suml; apply: eq_bigr => sigma _; rewrite /transcript.
rewrite (eq_bigr (fun i : 'I_n => inR (table (take i (numbers s)) (nth O (numbers w) (sigma i)) (nth O (numbers s) i)) / inR den)).
  by rewrite big_split /= prodr_const card_ord exprVn.
move=> i _; rewrite tabulated map_take tnth_mktuple.
by rewrite -!(tnth_nth O (map_tuple _ _)) !tnth_map.
Qed.

Lemma sum_outputs n (F : seq nat -> R) : \sum_(s : n.-tuple 'I_k) F (numbers s) = \sum_(s <- outputs n k) F s.
Proof.
elim: n F => [|n IH] F.
  by rewrite big_seq1 (bigD1 [tuple]) //= big1 ?addr0 // => s; rewrite [s]tuple0 => /eqP.
rewrite sum_tuples big_allpairs_dep /= (_ : iota 0 k = index_iota 0 k) ?big_mkord; last by rewrite /index_iota subn0.
apply: eq_bigr => s _.
by rewrite -(IH (fun rest => F ((s : nat) :: rest))); apply: eq_bigr.
Qed.

Theorem shuffled_hockey n (w w' : n.-tuple 'I_m) (e f : Z) : (0 < f)%Z ->
  hockey (inR e / inR f) (shuffled randomizers w) (shuffled randomizers w') =
  inR (small_hockey table n k e f (numbers w) (numbers w')) / (inR f * (n`!%:R * inR den ^+ n)).
Proof.
move=> f_gt0; have f0 : 0 < inR f by apply: of_Z_gt0.
have common0 : 0 < n`!%:R * inR den ^+ n :> R by rewrite mulr_gt0 ?exprn_gt0 ?of_Z_gt0 // ltr0n fact_gt0.
pose term s := Z.max (f * passes table [::] (numbers w) s - e * passes table [::] (numbers w') s) 0.
rewrite /small_hockey of_Z_total -(sum_outputs n (fun s => inR (term s))) /hockey mulr_suml.
apply: eq_bigr => s _; rewrite /term of_Z_max of_Z0 of_ZB !of_ZM !passes_sound.
move: (inR (passes table [::] (numbers w) (numbers s))) (inR (passes table [::] (numbers w') (numbers s))) (n`!%:R * inR den ^+ n) common0 => x y z z0.
have fz0 : 0 <= (inR f * z)^-1 by rewrite invr_ge0 mulr_ge0 // ltW.
have -> : x / z - inR e / inR f * (y / z) = (inR f * x - inR e * y) * (inR f * z)^-1.
  by field; rewrite !lt0r_neq0.
by rewrite -[X in Num.max _ X](mul0r (inR f * z)^-1) -maxr_pmull.
Qed.

End SmallCases.

Theorem small_case_sound (R : realFieldType) (m k : nat) (randomizers : adaptive_randomizers R 'I_m [finType of 'I_k]) table den
    n (w w' : n.-tuple 'I_m) e f numerator denominator :
  small_case table den n k e f (map (@nat_of_ord m) w) (map (@nat_of_ord m) w') numerator denominator ->
  (forall z x s, randomizers z x s = of_Z R (table (map (@nat_of_ord k) z) x s) / of_Z R den) ->
  hockey (of_Z R e / of_Z R f) (shuffled randomizers w) (shuffled randomizers w') = of_Z R numerator / of_Z R denominator.
Proof.
case/and4P => /Z.ltb_lt den0 /Z.ltb_lt f0 /Z.ltb_lt denominator0 /Z.eqb_eq answer tabulated.
rewrite (shuffled_hockey den0 tabulated w w' e f0) -of_Z_nat -of_Z_pow -!of_ZM.
have common0 : (0 < f * (Z.of_nat n`! * den ^ Z.of_nat n))%Z.
  apply: Z.mul_pos_pos => //; apply: Z.mul_pos_pos; last by apply: Z.pow_pos_nonneg.
  by rewrite -(prednK (fact_gt0 n)).
by apply/eqP; rewrite eqr_div ?lt0r_neq0 ?of_Z_gt0 // -!of_ZM answer.
Qed.
