(* FMT21, Theorem 3.2, for every n >= 1, every T = e^epsilon0 >= 1, every adaptive sequence of epsilon0-DP local randomizers and every two
   neighbouring datasets w, w':

     hiding_among_the_clones   there is one kernel K with  A_s(w) ~ K(P)  and  A_s(w') ~ K(Q),  (P, Q) the clones pair;
     clones_dominate           so D_E(A_s(w) || A_s(w')) <= D_E(P || Q) for every E, and the same with both sides exchanged;
     clones_private            and A_s is (epsilon, delta)-DP as soon as D_(e^epsilon)(P || Q) <= delta;
     randomize_then_shuffle_private, histogram_private
                               in particular one randomizer for all, its messages shuffled, and the histogram of the messages.

   Proof. Let a, b be the laws of a step's output on the two values of user i0. By local privacy U = (T a - b)/(T - 1), V = (T b - a)/(T - 1)
   and, for every other user's law c, L = (c - (a + b)/(2T))/(1 - 1/T) are laws; a = (T U + V)/(T + 1), b = (U + T V)/(T + 1) and
   c = (U + V)/(2T) + (1 - 1/T) L. So every user first chooses U, V or the own rest L, and A_s is the mixture over all users' choices.
   Given how many chose U and V, who did is exchangeable, i0 among them: the rest of the randomness is the kernel K, the same for w and w'. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Counting ClonesPair.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Decomposition.
Variables (R : realFieldType) (S : finType) (T : R).
Hypothesis T_ge1 : 1 <= T.
Implicit Types a b c : dist R S.

Let T_gt0 : 0 < T. Proof. exact: lt_le_trans ltr01 T_ge1. Qed.
Let T1_gt0 : 0 < T + 1. Proof. by rewrite addr_gt0 ?ltr01. Qed.

(* U = (T a - b)/(T - 1), and V = towards b a. *)
Definition towards a b (s : S) : R := if T == 1 then a s else (T * a s - b s) / (T - 1).

(* L = (c - (a + b)/(2T))/(1 - 1/T). *)
Definition leftover a b c (s : S) : R := if T == 1 then c s else (c s - (a s + b s) / (T *+ 2)) / (1 - T^-1).

Let T_sub1_gt0 : T != 1 -> 0 < T - 1. Proof. by move=> T1; rewrite subr_gt0 lt_neqAle eq_sym T1. Qed.
Let inv_sub1_gt0 : T != 1 -> 0 < 1 - T^-1.
Proof. by move=> T1; rewrite subr_gt0 invf_lt1 // lt_neqAle eq_sym T1. Qed.

Lemma towards_is_law a b : (forall s, b s <= T * a s) -> is_law (towards a b).
Proof.
move=> ba; rewrite /towards; case: (eqVneq T 1) => [_|T1]; first exact: mass_is_law.
split=> [s|]; first by rewrite divr_ge0 ?subr_ge0 // ltW ?T_sub1_gt0.
by rewrite -mulr_suml sumrB -mulr_sumr !mass_sum1 mulr1 mulfV // gt_eqF ?T_sub1_gt0.
Qed.

Lemma leftover_is_law a b c : (forall s, (a s + b s) / (T *+ 2) <= c s) -> is_law (leftover a b c).
Proof.
move=> covered; rewrite /leftover; case: (eqVneq T 1) => [_|T1]; first exact: mass_is_law.
split=> [s|].
  by rewrite divr_ge0 ?(ltW (inv_sub1_gt0 T1)) // subr_ge0.
rewrite -mulr_suml sumrB -mulr_suml big_split /= !mass_sum1 -[1 + 1]mulr2n -[T *+ 2]mulr_natl invfM mulrA mulfV ?pnatr_eq0 // mul1r.
by rewrite mulfV // gt_eqF ?inv_sub1_gt0.
Qed.

Lemma equal_at_1 a b : T = 1 -> (forall s, a s <= T * b s) -> (forall s, b s <= T * a s) -> forall s, a s = b s.
Proof.
move=> T1 ab ba s; apply/le_anti.
by have := ab s; have := ba s; rewrite T1 !mul1r => -> ->.
Qed.

Lemma equal_of_le a c : (forall s, a s <= c s) -> forall s, a s = c s.
Proof.
move=> ac s; apply/esym/eqP; rewrite -subr_eq0; apply/eqP; apply: (psumr_eq0P (P := predT) (F := fun s' => c s' - a s')) => // [s' _|].
  by rewrite subr_ge0.
by rewrite sumrB !mass_sum1 subrr.
Qed.

Lemma special_decomposition a b : (forall s, a s <= T * b s) -> (forall s, b s <= T * a s) ->
  forall s, a s = T / (T + 1) * towards a b s + (1 - T / (T + 1)) * towards b a s.
Proof.
move=> ab ba s; rewrite /towards; case: (eqVneq T 1) => [T1|T1].
  by rewrite (equal_at_1 T1 ab ba) -mulrDl addrCA subrr addr0 mul1r.
have T1_neq0 := lt0r_neq0 T1_gt0; have T_sub1_neq0 := lt0r_neq0 (T_sub1_gt0 T1).
by field; rewrite T1_neq0 T_sub1_neq0.
Qed.

Lemma clone_decomposition a b c : (forall s, a s <= T * b s) -> (forall s, b s <= T * a s) ->
  (forall s, (a s + b s) / (T *+ 2) <= c s) ->
  forall s, c s = (T *+ 2)^-1 * towards a b s + (T *+ 2)^-1 * towards b a s + (1 - T^-1) * leftover a b c s.
Proof.
move=> ab ba covered s; rewrite /towards /leftover; case: (eqVneq T 1) => [T1|T1].
  have ac s' : a s' <= c s'.
    by apply: le_trans (covered s'); rewrite -(equal_at_1 T1 ab ba) T1 -[a s' + _]mulr2n -[a s' *+ 2]mulr_natr mulfK // pnatr_eq0.
  rewrite -(equal_at_1 T1 ab ba) -(equal_of_le ac) T1 invr1 subrr mul0r addr0 -mulrDl.
  by rewrite -mulr2n -[_ *+ 2]mulr_natr mulVf ?mul1r // pnatr_eq0.
have T_neq0 := lt0r_neq0 T_gt0; have T_sub1_neq0 := lt0r_neq0 (T_sub1_gt0 T1).
have -> : 1 - T^-1 = (T - 1) / T by field.
by field; rewrite T_neq0 T_sub1_neq0.
Qed.

End Decomposition.

Section HidingKernel.
Variables (R : realFieldType) (D : Type) (S : finType) (T : R) (n : nat) (randomizers : adaptive_randomizers R D S).
Variables (w w' : n.-tuple D) (i0 : 'I_n).
Hypotheses (T_ge1 : 1 <= T) (same_others : forall j, j != i0 -> tnth w j = tnth w' j).

(* What is used of local privacy: the two laws of user i0 have ratio T, and everybody else covers their average, over T. *)
Hypothesis (first_ratio : forall z s, randomizers z (tnth w i0) s <= T * randomizers z (tnth w' i0) s).
Hypothesis (second_ratio : forall z s, randomizers z (tnth w' i0) s <= T * randomizers z (tnth w i0) s).
Hypothesis (others_cover : forall z j s, j != i0 ->
  (randomizers z (tnth w i0) s + randomizers z (tnth w' i0) s) / (T *+ 2) <= randomizers z (tnth w j) s).
Local Notation choices := {ffun 'I_n -> option bool}.
Local Notation data like := (if like then w else w').

Lemma all_cover z j s : (randomizers z (tnth w i0) s + randomizers z (tnth w' i0) s) / (T *+ 2) <= randomizers z (tnth w j) s.
Proof.
have T_gt0 : 0 < T := lt_le_trans ltr01 T_ge1.
have [->|] := eqVneq j i0; last exact: others_cover.
rewrite ler_pdivr_mulr ?pmulrn_lgt0 // mulrnAr mulr2n mulrC ler_add ?second_ratio //.
by rewrite ler_pemull // mass_ge0.
Qed.

(* The step's laws on the two values of user i0, and the laws U, V, L that they are made of. *)
Let U z : dist R S := Dist (towards_is_law T_ge1 (second_ratio z)).
Let V z : dist R S := Dist (towards_is_law T_ge1 (first_ratio z)).
Let L z (j : 'I_n) : dist R S := Dist (leftover_is_law T_ge1 (all_cover z j)).

(* The same sequence on hidden data: inl true for U, inl false for V, inr j for what is left of user j. *)
Definition hidden : adaptive_randomizers R [finType of bool + 'I_n] S :=
  fun z d => match d with inl true => U z | inl false => V z | inr j => L z j end.

Definition choice (j : 'I_n) (c : option bool) : bool + 'I_n := if c is Some b then inl b else inr j.

Definition choice_weight like (j : 'I_n) (c : option bool) : R :=
  if j == i0 then if c is Some b then own_bit T like b else 0 else if c is Some _ then (T *+ 2)^-1 else 1 - T^-1.

Lemma sum_option_bool (F : option bool -> R) : \sum_c F c = F (Some true) + F (Some false) + F None.
Proof.
rewrite (bigD1 None) //= (bigD1 (Some true)) //= (bigD1 (Some false)) //= big1 => [|[[]|]] //.
by rewrite addr0 addrC.
Qed.

Lemma mixture_of_choices like z j s :
  randomizers z (tnth (data like) j) s = \sum_c choice_weight like j c * hidden z (choice j c) s.
Proof.
have ab := first_ratio z; have ba := second_ratio z.
rewrite sum_option_bool /choice_weight /=; case: (eqVneq j i0) => [->|j_i0].
  rewrite mul0r addr0; case: like; rewrite /own_bit /=; first exact: (special_decomposition T_ge1 ab ba).
  by rewrite addrC; apply: (special_decomposition T_ge1 ba ab).
have -> : tnth (data like) j = tnth w j by case: like; rewrite // same_others.
exact: (clone_decomposition T_ge1 ab ba (all_cover z j)).
Qed.

(* The law of the transcript, given all choices. *)
Definition given (f : choices) : n.-tuple S -> R := shuffled hidden [tuple choice j (f j) | j < n].

Lemma given_is_law f : is_law (given f).
Proof. exact: shuffled_is_law. Qed.

Lemma shuffled_mixture like s :
  shuffled randomizers (data like) s = \sum_(f : choices) (\prod_j choice_weight like j (f j)) * given f s.
Proof.
rewrite shuffled_order_average.
rewrite (order_average_expand (N := fun i d => hidden (take i s) d (tnth s i)) (choice := choice) (weight := choice_weight like)).
  by apply: eq_bigr => f _; rewrite /given shuffled_order_average.
by move=> i j; apply: mixture_of_choices.
Qed.

(* Who chose what does not matter. *)
Lemma given_exchanged (f : choices) j s : f i0 -> f j -> given (exchanged i0 f j) s = given f s.
Proof.
move=> f0 fj; rewrite /given !shuffled_order_average -[RHS](order_average_permuted _ _ (tperm i0 j)).
congr (order_average _ _); apply: eq_from_tnth => i; rewrite !tnth_mktuple ffunE.
by case: tpermP => [->|->|//]; [move: fj | move: f0]; case: (f _).
Qed.

Lemma prod_choice_weight like (f : choices) b : f i0 = Some b ->
  \prod_j choice_weight like j (f j) =
  own_bit T like b * ((T *+ 2)^-1 ^+ #|deciders f|.-1 * (1 - T^-1) ^+ (n - #|deciders f|)).
Proof.
move=> f0; rewrite (bigD1 i0) //= {1}/choice_weight eqxx f0; congr (_ * _).
rewrite (bigID (mem (deciders f))) /=; congr (_ * _).
  rewrite (eq_bigl (mem (deciders f :\ i0))); last by move=> j; rewrite !inE.
  rewrite (eq_bigr (fun=> (T *+ 2)^-1)) => [|j]; last first.
    by rewrite !inE /choice_weight => /andP[/negPf->]; case: (f j).
  by rewrite prodr_const (cardsD1 i0 (deciders f)) inE f0 add1n.
rewrite (eq_bigl (mem (~: deciders f))); last first.
  by move=> j; rewrite !inE; case: eqP => // ->; rewrite f0.
rewrite (eq_bigr (fun=> 1 - T^-1)) => [|j]; last first.
  rewrite !inE /choice_weight; case: eqP => [->|_]; first by rewrite f0.
  by case: (f j).
by rewrite prodr_const cardsCs setCK card_ord.
Qed.

Lemma weighted_sum like k m (summand : choices -> R) :
  (forall (f : choices) j, f i0 -> f j -> summand (exchanged i0 f j) = summand f) ->
  \sum_(f | has_counts k m f) (\prod_j choice_weight like j (f j)) * summand f =
  clones_weight n T like k m * \sum_(f | has_counts k m f && f i0) summand f.
Proof.
move=> invariant; rewrite (bigID (fun f : choices => f i0 == Some true)) /=.
rewrite [X in _ + X](bigID (fun f : choices => f i0 == Some false)) /=.
rewrite [X in _ + (_ + X)]big1 ?addr0; last first.
  move=> f /andP[/andP[_ f_true] f_false]; rewrite (bigD1 i0) //= /choice_weight eqxx.
  by case: (f i0) f_true f_false => [[]|] //; rewrite !mul0r.
rewrite [X in _ + X](eq_bigl (fun f : choices => has_counts k m f && (f i0 == Some false))); last first.
  by move=> f; case: (has_counts _ _ _) => //=; case: (f i0) => [[]|].
have part b : \sum_(f | has_counts k m f && (f i0 == Some b)) (\prod_j choice_weight like j (f j)) * summand f =
    (T *+ 2)^-1 ^+ (k + m).-1 * (1 - T^-1) ^+ (n - (k + m)) * own_bit T like b *
    ((if b then k else m)%:R / (k + m)%:R * \sum_(f | has_counts k m f && f i0) summand f).
  rewrite -(exchange k m b invariant) mulr_sumr; apply: eq_bigr => f /andP[hf /eqP f0].
  by rewrite (prod_choice_weight _ f0) (has_counts_deciders hf) [own_bit _ _ _ * _]mulrC.
rewrite !part /clones_weight -!mulrA -mulrDr; congr (_ * _); rewrite -mulrDr; congr (_ * _).
by rewrite !mulrA -mulrDl -mulrDl.
Qed.

(* The kernel: the law of the transcript given the counts, the special user being one of those who chose U or V. *)
Definition hiding_mass (y : 'I_n.+1 * 'I_n.+1) (s : n.-tuple S) : R :=
  let ways := [set f | has_counts y.1 y.2 f && f i0] in
  if ways == set0 then shuffled randomizers w s else (\sum_(f in ways) given f s) / #|ways|%:R.

Lemma hiding_mass_is_law y : is_law (hiding_mass y).
Proof.
rewrite /hiding_mass; case: eqP => [_|/eqP ways]; first exact: shuffled_is_law.
split=> [s|]; first by rewrite divr_ge0 ?ler0n // sumr_ge0 // => f _; case: (given_is_law f).
rewrite -mulr_suml exchange_big /= (eq_bigr (fun=> 1)) => [|f _]; last by case: (given_is_law f).
by rewrite sumr_const mulfV // pnatr_eq0 cards_eq0.
Qed.

Definition hiding_kernel y : dist R [finType of n.-tuple S] := Dist (hiding_mass_is_law y).

Definition counts (f : choices) : 'I_n.+1 * 'I_n.+1 := (inord (number f (Some true)), inord (number f (Some false))).

Lemma counts_has_counts f (y : 'I_n.+1 * 'I_n.+1) : (counts f == y) = has_counts y.1 y.2 f.
Proof.
have number_le c : (number f c < n.+1)%N by rewrite ltnS (leq_trans (max_card _)) ?card_ord.
by case: y => k m; rewrite xpair_eqE /has_counts -!val_eqE /= !inordK.
Qed.

Theorem shuffled_as_hiding like : shuffled randomizers (data like) =1 push hiding_kernel (clones T^-1 T like).
Proof.
move=> s; rewrite shuffled_mixture (partition_big counts predT) //=; apply: eq_bigr => y _.
rewrite (eq_bigl _ _ (fun f => counts_has_counts f y)) weighted_sum; last by move=> f j; apply: given_exchanged.
rewrite clones_closed_form /= /hiding_mass.
have [none|/set0Pn [f]] := eqVneq [set f | has_counts y.1 y.2 f && f i0] set0.
  rewrite big_pred0 => [|f]; last by have /setP/(_ f) := none; rewrite !inE.
  rewrite mulr0; case: ifP => [/andP[km _]|_]; last by rewrite mul0r.
  by rewrite -(card_counts i0 km) none cards0 mulr0 mul0r.
rewrite inE => /andP[hf f0].
have km : (0 < y.1 + y.2 <= n)%N.
  rewrite -(has_counts_deciders hf) (leq_trans (max_card _)) ?card_ord // andbT card_gt0.
  by apply/set0Pn; exists i0; rewrite inE.
rewrite km; case/andP: km => km _; rewrite -(card_counts i0 km).
rewrite [X in _ = _ * (X / _)](eq_bigl (fun f : choices => has_counts y.1 y.2 f && f i0)); last by move=> g; rewrite inE.
rewrite -[RHS]mulrA; congr (_ * _); rewrite [RHS]mulrC divfK // pnatr_eq0 cards_eq0; apply/set0Pn; exists f.
by rewrite inE hf.
Qed.

End HidingKernel.

Section Statements.
Variables (R : realFieldType) (D : Type) (S : finType) (T : R) (n : nat).
Hypothesis T_ge1 : 1 <= T.

(* From what is used of local privacy only. *)
Theorem hiding_under_cover (randomizers : adaptive_randomizers R D S) (w w' : n.-tuple D) (i0 : 'I_n) :
    (forall j, j != i0 -> tnth w j = tnth w' j) ->
    (forall z s, randomizers z (tnth w i0) s <= T * randomizers z (tnth w' i0) s) ->
    (forall z s, randomizers z (tnth w' i0) s <= T * randomizers z (tnth w i0) s) ->
    (forall z j s, j != i0 -> (randomizers z (tnth w i0) s + randomizers z (tnth w' i0) s) / (T *+ 2) <= randomizers z (tnth w j) s) ->
  exists K : 'I_n.+1 * 'I_n.+1 -> dist R [finType of n.-tuple S],
    shuffled randomizers w =1 push K (clones_P T) /\ shuffled randomizers w' =1 push K (clones_Q T).
Proof.
move=> same_others ab ba cover; exists (hiding_kernel T_ge1 ab ba cover).
by split; [move: (shuffled_as_hiding T_ge1 same_others ab ba cover true) | move: (shuffled_as_hiding T_ge1 same_others ab ba cover false)].
Qed.

Theorem hiding_among_the_clones (randomizers : adaptive_randomizers R D S) (w w' : n.-tuple D) :
  ldp T randomizers -> neighbours w w' ->
  exists K : 'I_n.+1 * 'I_n.+1 -> dist R [finType of n.-tuple S],
    shuffled randomizers w =1 push K (clones_P T) /\ shuffled randomizers w' =1 push K (clones_Q T).
Proof.
move=> private_locally [i0 same_others]; have T_gt0 : 0 < T := lt_le_trans ltr01 T_ge1.
apply: (hiding_under_cover same_others) => [z s|z s|z j s _]; try exact: private_locally.
by rewrite ler_pdivr_mulr ?pmulrn_lgt0 // mulrnAr mulr2n mulrC ler_add // private_locally.
Qed.

Theorem clones_dominate (randomizers : adaptive_randomizers R D S) (w w' : n.-tuple D) (E : R) :
  ldp T randomizers -> neighbours w w' ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <= hockey E (@clones_P R n T) (@clones_Q R n T) /\
  hockey E (shuffled randomizers w') (shuffled randomizers w) <= hockey E (@clones_Q R n T) (@clones_P R n T).
Proof.
move=> private_locally near; have [K [wK w'K]] := hiding_among_the_clones private_locally near.
by rewrite (eq_hockey E wK w'K) (eq_hockey E w'K wK); split; apply: hockey_post_processing.
Qed.

Theorem clones_private (randomizers : adaptive_randomizers R D S) (E delta : R) :
  ldp T randomizers -> hockey E (@clones_P R n T) (@clones_Q R n T) <= delta ->
  private E delta (fun w : n.-tuple D => shuffled randomizers w).
Proof.
move=> private_locally bound w w' near; apply/dp_iff_hockey; apply: le_trans bound.
by have [] := clones_dominate E private_locally near.
Qed.

Corollary randomize_then_shuffle_private (randomizer : D -> dist R S) (E delta : R) :
  (forall x x' s, randomizer x s <= T * randomizer x' s) -> hockey E (@clones_P R n T) (@clones_Q R n T) <= delta ->
  private E delta (fun w : n.-tuple D => shuffle (messages randomizer w)).
Proof.
move=> private_locally bound w w' near; apply/dp_iff_hockey.
rewrite (eq_hockey E (shuffle_messages randomizer w) (shuffle_messages randomizer w')); apply/dp_iff_hockey.
by apply: (clones_private (randomizers := fun=> randomizer) _ bound) near => z; apply: private_locally.
Qed.

Corollary histogram_private (randomizer : D -> dist R S) (E delta : R) :
  (forall x x' s, randomizer x s <= T * randomizer x' s) -> hockey E (@clones_P R n T) (@clones_Q R n T) <= delta ->
  private E delta (fun w : n.-tuple D => image_law (@histogram S n) (messages randomizer w)).
Proof.
move=> private_locally bound w w' near; apply/dp_iff_hockey.
rewrite (eq_hockey E (histogram_shuffle (messages randomizer w)) (histogram_shuffle (messages randomizer w'))).
apply/dp_iff_hockey; have := randomize_then_shuffle_private private_locally bound.
by move/(private_post_processing (@histogram S n)); apply.
Qed.

End Statements.
