(* What is done to every message by itself can as well be done after the shuffler; so more randomness of the bit sum only helps.

     shuffle_of_changed      the shuffled messages of "randomize, then change the message by a kernel F" are the shuffled messages of the
                             randomizer, each of them changed by F;
     bit_sum_monotone        let every user send a uniform bit with probability lambda/n and the own bit otherwise. For every n >= 1 and
                             0 <= lambda < lambda' <= n one kernel takes the law of the number of ones at lambda to that at lambda', for all data
                             at once: flip every message with probability f, 1 - 2f = (n - lambda')/(n - lambda);
     bit_sum_profile_falls   so D_E between any two datasets' views is no larger at lambda' than at lambda, for every E: what a search for the
                             least lambda rests on, and CSUZZ19, Theorem 5.4. bit_sum_monotone_in_full says both. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling OneMessage.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Changed.
Variables (R : realFieldType) (D : Type) (S S' : finType) (randomizer : D -> dist R S) (F : S -> dist R S').

Lemma messages_is_law n (m : n.-tuple S) : is_law (messages F m).
Proof.
split=> [s|]; first exact: messages_ge0.
rewrite /messages (sum_of_products (fun i => F (tnth m i))); apply: big1 => i _; exact: mass_sum1.
Qed.

(* Every message changed by itself. *)
Definition each_changed n (m : n.-tuple S) : dist R [finType of n.-tuple S'] := Dist (messages_is_law m).

Variable randomizer' : D -> dist R S'.
Hypothesis changed : forall x, randomizer' x =1 push F (randomizer x).

Lemma messages_changed n (w : n.-tuple D) : messages randomizer' w =1 push (@each_changed n) (messages randomizer w).
Proof.
move=> s; rewrite /push /messages /=.
rewrite (eq_bigr (fun i => \sum_y randomizer (tnth w i) y * F y (tnth s i))) => [|i _]; last by rewrite changed.
rewrite -(sum_of_products (fun i y => randomizer (tnth w i) y * F y (tnth s i))).
by apply: eq_bigr => m _; rewrite big_split.
Qed.

Theorem shuffle_of_changed n (w : n.-tuple D) :
  shuffle (messages randomizer' w) =1 push (@each_changed n) (shuffle (messages randomizer w)).
Proof.
move=> s; rewrite shuffle_messages /shuffled; under eq_bigr do rewrite -[transcript _ _ _]/(messages randomizer' (permuted w _) s) messages_changed.
rewrite /push exchange_big mulr_sumr; apply: eq_bigr => m _ /=.
by rewrite -mulr_suml mulrA shuffle_messages.
Qed.

End Changed.

Section BitSum.
Variables (R : realFieldType) (n : nat).
Implicit Types lambda : R.

(* A uniform bit with probability lambda/n, the own bit otherwise.  (CSUZZ19, Algorithm 1) *)
Definition noisy_bit_mass lambda (x b : bool) : R := lambda / n%:R / 2%:R + (1 - lambda / n%:R) * (b == x)%:R.

(* The number of ones, which is all that an analyzer sees. *)
Definition ones (m : n.-tuple bool) : 'I_n.+1 := inord (count id m).

Hypothesis n_gt0 : (0 < n)%N.

Lemma noisy_bit_is_law lambda x : 0 <= lambda <= n%:R -> is_law (noisy_bit_mass lambda x).
Proof.
have n0 : 0 < n%:R :> R by rewrite ltr0n.
move=> /andP[l0 ln]; split=> [b|].
  by rewrite addr_ge0 ?mulr_ge0 ?invr_ge0 ?ler0n ?subr_ge0 // ler_pdivr_mulr ?mul1r.
by rewrite big_bool /noisy_bit_mass; case: x; rewrite /= mulr1 mulr0; field; rewrite gt_eqF.
Qed.

Definition noisy_bit lambda (range : 0 <= lambda <= n%:R) (x : bool) : dist R [finType of bool] := Dist (noisy_bit_is_law x range).

(* The law of the number of ones on the data w. *)
Definition bit_sum_view lambda (range : 0 <= lambda <= n%:R) (w : n.-tuple bool) : 'I_n.+1 -> R :=
  image_law ones (shuffle (messages (noisy_bit range) w)).

(* A bit that is flipped with probability f. *)
Definition flip_mass (f : R) (x b : bool) : R := if b == x then 1 - f else f.

Lemma flip_is_law f x : 0 <= f <= 1 -> is_law (flip_mass f x).
Proof.
move=> /andP[f0 f1]; split=> [b|]; first by rewrite /flip_mass; case: ifP => _; rewrite ?subr_ge0.
by rewrite big_bool /flip_mass; case: x; rewrite /= ?subrK // addrC subrK.
Qed.

Definition flip f (range : 0 <= f <= 1) (x : bool) : dist R [finType of bool] := Dist (flip_is_law x range).

(* k ones, then zeros. *)
Definition with_ones (k : 'I_n.+1) : n.-tuple bool := [tuple (i < k)%N | i < n].

(* The number of ones, after each of n messages with k ones was flipped with probability f. *)
Definition flipped_ones f (range : 0 <= f <= 1) (k : 'I_n.+1) : dist R [finType of 'I_n.+1] :=
  Dist (image_law_is_law ones (messages_is_law (flip range) (with_ones k))).

Lemma ones_val (m : n.-tuple bool) : ones m = count id m :> nat.
Proof. by rewrite inordK // ltnS -[X in (_ <= X)%N](size_tuple m) count_size. Qed.

Lemma ones_permuted (m : n.-tuple bool) (sigma : 'S_n) : ones (permuted m sigma) = ones m.
Proof.
apply: val_inj; rewrite /= !ones_val; apply/seq.permP.
by apply/tuple_permP; exists sigma.
Qed.

Lemma ones_perm_eq (m m' : n.-tuple bool) : ones m = ones m' -> perm_eq m m'.
Proof.
move=> /(congr1 val); rewrite /= !ones_val => same; apply/allP => b _ /=.
have id_true (s : seq bool) : count_mem true s = count id s by apply: eq_count => -[].
have id_false (s : seq bool) : count_mem false s = (size s - count id s)%N.
  by rewrite -[size s](count_predC id) addKn; apply: eq_count => -[].
by case: b; rewrite ?id_true ?id_false ?size_tuple same.
Qed.

Lemma ones_with_ones k : ones (with_ones k) = k.
Proof.
apply: val_inj; rewrite /= ones_val /with_ones /= count_map (eq_count (a2 := preim val (fun i => i < k)%N)) // -count_map val_enum_ord.
by rewrite -size_filter -[RHS](size_iota 0) -(@filter_iota_ltn 0 n k) ?add0n // -ltnS.
Qed.

Lemma ones_of_changed (F : bool -> dist R [finType of bool]) (m m' : n.-tuple bool) :
  ones m = ones m' -> image_law ones (messages F m) =1 image_law ones (messages F m').
Proof.
move=> /ones_perm_eq/tuple_permP[tau /val_inj ->] k; rewrite -/(permuted m' tau) /image_law.
have injective_permuted : injective (fun s : n.-tuple bool => permuted s tau).
  by apply: (can_inj (g := fun s : n.-tuple bool => permuted s tau^-1%g)) => s; rewrite permuted_permuted mulVg permuted1.
rewrite [LHS](reindex_inj injective_permuted) /=; apply: eq_big => [s|s _]; first by rewrite ones_permuted.
rewrite /messages [RHS](reindex_inj (@perm_inj _ tau)) /=.
by apply: eq_bigr => i _; rewrite !tnth_mktuple.
Qed.

Section Monotone.
Variables (lambda lambda' : R) (range : 0 <= lambda <= n%:R) (range' : 0 <= lambda' <= n%:R).
Hypothesis lambda_le : lambda <= lambda'.

Definition flip_probability : R := (1 - (n%:R - lambda') / (n%:R - lambda)) / 2%:R.

Lemma flip_probability_range : 0 <= flip_probability <= 1.
Proof.
case/andP: (range) => _ l_le; case/andP: (range') => _ l'_le; rewrite /flip_probability.
have ratio0 : 0 <= (n%:R - lambda') / (n%:R - lambda) by rewrite divr_ge0 ?subr_ge0.
have ratio1 : (n%:R - lambda') / (n%:R - lambda) <= 1.
  have [->|neq] := eqVneq lambda n%:R; first by rewrite subrr invr0 mulr0 ler01.
  by rewrite ler_pdivr_mulr ?mul1r ?ler_add2l ?ler_opp2 // subr_gt0 lt_def eq_sym neq l_le.
rewrite divr_ge0 ?subr_ge0 ?ler0n //= ler_pdivr_mulr ?ltr0n // mul1r (le_trans _ (ler1n _ 2)) //.
by rewrite ler_subl_addr ler_addl.
Qed.

Lemma noisier_bit x : noisy_bit range' x =1 push (flip flip_probability_range) (noisy_bit range x).
Proof.
move=> b; have n0 : n%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
rewrite /push big_bool /= /noisy_bit_mass /flip_mass /flip_probability.
have [le|neq] := eqVneq lambda n%:R.
  have -> : lambda' = n%:R by apply/eqP; rewrite eq_le; case/andP: (range') => _ ->; rewrite -le lambda_le.
  by rewrite le subrr mul0r; case: x b => -[] /=; rewrite mulfV //; field.
have neq' : n%:R - lambda != 0 by rewrite subr_eq0 eq_sym.
by case: x b => -[] /=; field; rewrite n0 neq'.
Qed.

Theorem bit_sum_monotone w : bit_sum_view range' w =1 push (flipped_ones flip_probability_range) (bit_sum_view range w).
Proof.
move=> k; rewrite /bit_sum_view /image_law (eq_bigr _ (fun s _ => shuffle_of_changed noisier_bit w s)) /push /=.
rewrite exchange_big [RHS](eq_bigr (fun y => \sum_(m | ones m == y) shuffle (messages (noisy_bit range) w) m *
    image_law ones (messages (flip flip_probability_range) m) k)) => [|y _]; last first.
  by rewrite mulr_suml; apply: eq_bigr => m /eqP my; congr (_ * _); apply: ones_of_changed; rewrite ones_with_ones.
rewrite [LHS](partition_big ones predT) //=; apply: eq_bigr => y _; apply: eq_bigr => m _.
by rewrite mulr_sumr.
Qed.

Corollary bit_sum_profile_falls E (w w' : n.-tuple bool) :
  hockey E (bit_sum_view range' w) (bit_sum_view range' w') <= hockey E (bit_sum_view range w) (bit_sum_view range w').
Proof. by rewrite (eq_hockey E (bit_sum_monotone w) (bit_sum_monotone w')); apply: hockey_post_processing. Qed.

Corollary bit_sum_private_monotone E delta :
  private E delta (bit_sum_view range) -> private E delta (bit_sum_view range').
Proof.
move=> privacy w w' near; apply/dp_iff_hockey; apply: le_trans (bit_sum_profile_falls E w w') _.
by apply/dp_iff_hockey; apply: privacy.
Qed.

(* CSUZZ19, Section 5.3: the same map serves all data, so every pair's profile falls, and with them the whole one. *)
Theorem bit_sum_monotone_in_full :
  [/\ forall w, bit_sum_view range' w =1 push (flipped_ones flip_probability_range) (bit_sum_view range w),
      forall E w w', hockey E (bit_sum_view range' w) (bit_sum_view range' w') <= hockey E (bit_sum_view range w) (bit_sum_view range w')
    & forall E delta, private E delta (bit_sum_view range) -> private E delta (bit_sum_view range')].
Proof. by split; [exact: bit_sum_monotone | exact: bit_sum_profile_falls | exact: bit_sum_private_monotone]. Qed.

End Monotone.
End BitSum.
