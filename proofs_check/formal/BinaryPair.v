(* What no bound for all epsilon0-DP randomizers can go below: shuffled binary randomized response on (0, ..., 0) and (1, 0, ..., 0), seen by its number
   of ones, Bin(n, 1/(T + 1)) and Bin(n - 1, 1/(T + 1)) + Bern(T/(T + 1)).

     binary_pair_seen    these numbers have the divergences of the shuffled reports, both ways, at every order;          (FMT21, equation (27))
     binary_pair_below   so a delta that holds for the shuffled messages of every epsilon0-DP randomizer is no smaller
                                                                                       (FMT21, appendix G, Proposition G.1). *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition OneMessage BitSum ThreeParts.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section ByOnes.
Variables (R : realFieldType) (n : nat).

Lemma ones_shuffle (P : n.-tuple bool -> R) : image_law (@ones n) (shuffle P) =1 image_law (@ones n) P.
Proof.
move=> k; rewrite /image_law (eq_bigr (fun s => \sum_(sigma : 'S_n) n`!%:R^-1 * P (permuted s sigma))) => [|s _]; last first.
  by rewrite shuffle_messages_sum mulr_sumr.
rewrite exchange_big (eq_bigr (fun=> n`!%:R^-1 * image_law (@ones n) P k)) => [|sigma _] /=.
  by rewrite sumr_const card_Sn -[_ *+ _]mulr_natl mulrA mulfV ?mul1r ?factorial_neq0.
have injective_permuted : injective (fun m : n.-tuple bool => permuted m sigma).
  by apply: (can_inj (g := fun m : n.-tuple bool => permuted m sigma^-1%g)) => m; rewrite permuted_permuted mulVg permuted1.
rewrite -mulr_sumr /image_law [in RHS](reindex_inj injective_permuted) /=; congr (_ * _).
by apply: eq_bigl => s; rewrite ones_permuted.
Qed.

(* After the shuffler only the number of ones matters. *)
Lemma shuffle_of_ones (P : n.-tuple bool -> R) s : shuffle P s = shuffle P (with_ones (ones s)).
Proof.
have /ones_perm_eq/tuple_permP[tau /val_inj {1}->] : ones s = ones (with_ones (ones s)) by rewrite ones_with_ones.
rewrite -/(permuted _ tau) !shuffle_messages_sum; congr (_ * _); rewrite [RHS](reindex_inj (mulIg tau)) /=.
by apply: eq_bigr => sigma _; rewrite permuted_permuted.
Qed.

Lemma hockey_by_ones E (P Q : n.-tuple bool -> R) :
  hockey E (shuffle P) (shuffle Q) = hockey E (image_law (@ones n) P) (image_law (@ones n) Q).
Proof.
rewrite -(eq_hockey E (ones_shuffle P) (ones_shuffle Q)) /hockey (partition_big (@ones n) predT) //=; apply: eq_bigr => k _.
have same (W : n.-tuple bool -> R) : image_law (@ones n) (shuffle W) k = #|[pred s | ones s == k]|%:R * shuffle W (with_ones k).
  rewrite /image_law (eq_bigr (fun=> shuffle W (with_ones k))) => [|s /eqP <-]; last exact: shuffle_of_ones.
  by rewrite sumr_const mulr_natl.
rewrite !same [E * _]mulrCA -mulrBr positive_part_scale ?ler0n //.
rewrite (eq_bigr (fun=> Num.max (shuffle P (with_ones k) - E * shuffle Q (with_ones k)) 0)) => [|s /eqP <-]; last by rewrite -!shuffle_of_ones.
by rewrite sumr_const mulr_natl.
Qed.

End ByOnes.

(* Bits that are flipped with probability p. *)
Section Flipped.
Variables (R : realFieldType) (p : R) (flipped : bool -> dist R bool_finType).
Hypothesis flipped_is : forall x b, flipped x b = if b == x then 1 - p else p.

Lemma all_zeros n k : \sum_(m : n.-tuple bool | count id m == k) messages flipped [tuple false | i < n] m = binomial_mass n p k.
Proof.
pose bits (A : {set 'I_n}) : n.-tuple bool := [tuple i \in A | i < n].
have count_bits A : count id (bits A) = #|A|.
  by rewrite -sum1_count big_tuple big_mkcond -sum1_card [RHS]big_mkcond; apply: eq_bigr => i _; rewrite tnth_mktuple.
rewrite (reindex bits) /=; last first.
  exists (fun m : n.-tuple bool => [set i | tnth m i]) => [A _|m _]; first by apply/setP => i; rewrite inE tnth_mktuple.
  by apply: eq_from_tnth => i; rewrite tnth_mktuple inE.
rewrite (eq_bigl (fun A : {set 'I_n} => #|A| == k)) => [|A]; last by rewrite count_bits.
rewrite (eq_bigr (fun=> p ^+ k * (1 - p) ^+ (n - k))) => [|A /eqP A_k]; last first.
  rewrite /messages (bigID (mem A)) /=; congr (_ * _).
    by rewrite -A_k -prodr_const; apply: eq_bigr => i iA; rewrite !tnth_mktuple iA flipped_is.
  rewrite (_ : (n - k)%N = #|~: A|) -?prodr_const; last by rewrite cardsCs setCK card_ord A_k.
  by apply: eq_big => i; rewrite ?inE // => /negPf iA; rewrite !tnth_mktuple iA flipped_is.
by rewrite sumr_const -mulr_natl mulrA; congr (_%:R * _ * _); rewrite -[in RHS](card_ord n) -card_draws cardsE.
Qed.

Lemma first_user n b k : \sum_(m : n.+1.-tuple bool | count id m == k) messages flipped [tuple b && (i == ord0) | i < n.+1] m =
  flipped b true * (if (0 < k)%N then binomial_mass n p k.-1 else 0) + flipped b false * binomial_mass n p k.
Proof.
rewrite big_mkcond sum_tuples big_bool /=; congr (_ + _).
  case: k => [|k]; first by rewrite mulr0 big1.
  rewrite -all_zeros mulr_sumr [RHS]big_mkcond; apply: eq_bigr => s _; rewrite /= add1n eqSS; case: ifP => // _.
  rewrite /messages big_ord_recl tnth0 tnth_mktuple eqxx andbT; congr (_ * _).
  by apply: eq_bigr => i _; rewrite tnthS !tnth_mktuple andbF.
rewrite -all_zeros mulr_sumr [RHS]big_mkcond; apply: eq_bigr => s _; rewrite /= add0n; case: ifP => // _.
rewrite /messages big_ord_recl tnth0 tnth_mktuple eqxx andbT; congr (_ * _).
by apply: eq_bigr => i _; rewrite tnthS !tnth_mktuple andbF.
Qed.

End Flipped.

Section BinaryPair.
Variables (R : realFieldType) (T : R) (T_ge1 : 1 <= T) (two : (1 < #|bool_finType|)%N).
Local Notation p := ((T + 1)^-1).
Local Notation response := (k_rr T_ge1 two).

(* The numbers of ones of n + 1 users who all hold 0, and of whom one holds 1. *)
Definition ones_of_zeros n (k : 'I_n.+2) : R := binomial_mass n.+1 p k.
Definition ones_of_one n (k : 'I_n.+2) : R := T * p * (if (0 < k)%N then binomial_mass n p k.-1 else 0) + p * binomial_mass n p k.

Let T1 : T + 1 != 0. Proof. by rewrite gt_eqF // addr_gt0 ?ltr01 // (lt_le_trans ltr01). Qed.

Lemma response_is x b : response x b = if b == x then 1 - p else p.
Proof. by rewrite /= /k_rr_mass card_bool (_ : T + 2%:R - 1 = T + 1); [case: ifP => // _; field | ring]. Qed.

Lemma response_local x x' s : response x s <= T * response x' s.
Proof.
have p0 : 0 <= p by rewrite invr_ge0 addr_ge0 ?ler01 // (le_trans ler01).
have Tp : T * p = 1 - p by field.
have pTp : p <= T * p by rewrite ler_pemull.
have TpTTp : T * p <= T * (T * p) by rewrite ler_pemull // (le_trans p0).
by rewrite !response_is -Tp; case: (s == x); case: (s == x') => //; apply: le_trans TpTTp.
Qed.

Theorem binary_pair_seen n (E : R) (seen := fun one : bool => shuffled (fun=> response) [tuple one && (i == ord0) | i < n.+1]) :
  hockey E (seen false) (seen true) = hockey E (@ones_of_zeros n) (@ones_of_one n) /\
  hockey E (seen true) (seen false) = hockey E (@ones_of_one n) (@ones_of_zeros n).
Proof.
pose sent b := messages response [tuple b && (i == ord0) | i < n.+1].
have counted b k : image_law (@ones n.+1) (sent b) k = \sum_(m : n.+1.-tuple bool | count id m == k) sent b m.
  by apply: eq_bigl => m; rewrite -val_eqE /= ones_val.
have zeros : image_law (@ones n.+1) (sent false) =1 @ones_of_zeros n by move=> k; rewrite counted; apply: (all_zeros response_is).
have one : image_law (@ones n.+1) (sent true) =1 @ones_of_one n.
  by move=> k; rewrite counted (first_user response_is) !response_is /ones_of_one; congr (_ * _ + _); field.
have view b : seen b =1 shuffle (sent b) by move=> s; rewrite shuffle_messages.
by rewrite (eq_hockey E (view false) (view true)) (eq_hockey E (view true) (view false)) !hockey_by_ones (eq_hockey E zeros one) (eq_hockey E one zeros).
Qed.

Theorem binary_pair_below n (E delta : R) :
    (forall (D : Type) (S : finType) (randomizer : D -> dist R S), (forall x x' s, randomizer x s <= T * randomizer x' s) ->
      private E delta (fun w : n.+1.-tuple D => shuffle (messages randomizer w))) ->
  hockey E (@ones_of_zeros n) (@ones_of_one n) <= delta /\ hockey E (@ones_of_one n) (@ones_of_zeros n) <= delta.
Proof.
move=> all; have [<- <-] := binary_pair_seen n E.
have near : neighbours [tuple false && (i == ord0) | i < n.+1] [tuple true && (i == ord0) | i < n.+1].
  by exists ord0 => j /negPf j0; rewrite !tnth_mktuple j0.
have same m (w : m.-tuple bool) : shuffled (fun=> response) w =1 shuffle (messages response w) by move=> s; rewrite shuffle_messages.
split; rewrite (eq_hockey E (same _ _) (same _ _)); apply/dp_iff_hockey; apply: (all _ _ response response_local) => //.
exact: neighbours_sym.
Qed.

End BinaryPair.
