(* One randomizer for all users, another user's item being any: the random-swap bound in levels, and the blanket where nobody has drawn from omega.
   (docs/mathematics/controlled-sum.md, "One randomizer")

     swap_in_levels     D_E at most the sum over levels of the losses of independent users outside the pool, whatever the users hold, and what is
                        left of the privacy blanket;
     unlike_antitone    the mean of E(sum of S losses)_+/S over S users, however unlike, does not grow with S. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition OneMessage SharedPart SharedProcess AnotherPlace ConvexOrder
  ControlledSum AdaptivePlace FirstArrival AnyBlanket.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* E (sum of the losses of the users outside A)_+, all reports independent: of those in A they are drawn from omega, of the others k from m_k. *)
Definition unlike_sum (R : realFieldType) (S : finType) n (omega : S -> R) (m L : 'I_n.+1 -> S -> R) (A : {set 'I_n.+1}) : R :=
  \sum_(s : n.+1.-tuple S) (\prod_k (if k \in A then omega (tnth s k) else m k (tnth s k))) * Num.max (\sum_(j | j \notin A) L j (tnth s j)) 0.

Theorem swap_in_levels (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S) n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (E : R) :
    (forall j, j != i0 -> tnth w j = tnth w' j) ->
  forall (eta gamma : nat -> R) (omega : dist R S) (m : nat -> 'I_n.+1 -> dist R S) (L given : nat -> 'I_n.+1 -> S -> R) (G : nat -> nat -> R)
    (levels : nat) (least loss rest : S -> R) (gamma_left : R),
    eta 0%N = 0 -> (forall l, (l < levels)%N -> eta l <= eta l.+1) -> (forall l, (l <= levels)%N -> eta l < 1) ->
    (forall l k s, (l <= levels)%N -> k != i0 -> randomizer (tnth w k) s = eta l * omega s + (1 - eta l) * m l k s) ->
    (forall l k s, (l < levels)%N -> k != i0 -> randomizer (tnth w i0) s - E * randomizer (tnth w' i0) s = m l.+1 k s * L l k s + given l k s) ->
    (forall l, G l 0%N = 0) ->
    (forall l (A : {set 'I_n.+1}), (l < levels)%N -> i0 \in A -> unlike_sum omega (m l.+1) (L l) A <= G l (n.+1 - #|A|)%N) ->
    (forall l, (l < levels)%N -> 0 <= gamma l) ->
    (forall l k, (l < levels)%N -> k != i0 -> \sum_s Num.max (given l k s) 0 <= gamma l) ->
    (forall s, 0 <= least s) -> \sum_s least s <= 1 -> (forall k s, k != i0 -> least s <= m levels k s) ->
    (forall s, randomizer (tnth w i0) s - E * randomizer (tnth w' i0) s = least s * loss s + rest s) ->
    0 <= gamma_left -> \sum_s Num.max (rest s) 0 <= gamma_left ->
  hockey E (shuffle (messages randomizer w)) (shuffle (messages randomizer w')) <=
  \sum_(l < levels) (1 - eta l) ^+ n *
    (\sum_(1 <= r < n.+1) binomial_mass n ((eta l.+1 - eta l) / (1 - eta l)) r * (G l (n.+1 - r)%N / (n.+1 - r)%:R + gamma l)) +
  (1 - eta levels) ^+ n * (blanket_sum least loss n.+1 0 / n.+1%:R + gamma_left).
Proof.
move=> others eta gamma omega m L given G levels least loss rest gamma_left eta_0 eta_le eta_lt1 left_over split_losses G_0 bounded gamma0 given_le
  least0 least1 least_le score gamma_left0 rest_le.
rewrite (eq_hockey E (shuffle_messages randomizer w) (shuffle_messages randomizer w')).
apply: le_trans (levels_in_general others eta_0 eta_le eta_lt1 (omega := fun=> omega) (m := fun l k _ => m l k) (L := fun l k _ => L l k)
  (given := fun l k _ => given l k) (fun l k _ => left_over l k) (fun l k _ => split_losses l k) gamma0 (fun l k _ => given_le l k) G_0 _) _.
  move=> l l_lt A rho iA; rewrite (order_sum_independent (omega' := omega) (m' := fun k => m l.+1 k) (L' := L l)) //; exact: bounded.
rewrite ler_add2l ler_wpmul2l ?exprn_ge0 ?subr_ge0 ?(ltW (eta_lt1 _ (leqnn _))) //.
apply: (blanket_in_full least0 least1 (i0 := i0) (given := fun=> rest)) => // [j j0|z j s j0|z s].
- by rewrite !tnth_mktuple (negPf j0).
- by rewrite tnth_mktuple (negPf j0); apply: least_le.
by rewrite !tnth_mktuple eqxx; apply: score.
Qed.

Section Antitone.
Variables (R : realFieldType) (S : finType) (n : nat).
Implicit Types (s : n.+1.-tuple S) (h : 'I_n.+1 -> S -> R) (j : 'I_n.+1).

Definition set_at s j (y : S) : n.+1.-tuple S := [tuple if k == j then y else tnth s k | k < n.+1].

(* A report that is not looked at may be drawn from anything. *)
Lemma forget_one h h' j (f : n.+1.-tuple S -> R) : (forall k, k != j -> h k =1 h' k) -> \sum_y h j y = 1 -> \sum_y h' j y = 1 ->
    (forall s y, f (set_at s j y) = f s) ->
  \sum_s (\prod_k h k (tnth s k)) * f s = \sum_s (\prod_k h' k (tnth s k)) * f s.
Proof.
move=> same h1 h1' blind; pose others s := \prod_(k | k != j) h k (tnth s k).
have others_blind s y : others (set_at s j y) = others s.
  by apply: eq_bigr => k kj; rewrite tnth_mktuple (negPf kj).
have split_h s : \prod_k h k (tnth s k) = h j (tnth s j) * others s by rewrite (bigD1 j).
have split_h' s : \prod_k h' k (tnth s k) = h' j (tnth s j) * others s.
  by rewrite (bigD1 j) //=; congr (_ * _); apply: eq_bigr => k kj; rewrite same.
pose swapped (x : n.+1.-tuple S * S) := (set_at x.1 j x.2, tnth x.1 j).
have swap_inv : involutive swapped.
  move=> [s y]; rewrite /swapped /= !tnth_mktuple eqxx; congr (_, _).
  by apply: eq_from_tnth => k; rewrite !tnth_mktuple; case: eqVneq => // ->.
rewrite (eq_bigr (fun s => \sum_y h j (tnth s j) * others s * f s * h' j y)) => [|s _]; last by rewrite -mulr_sumr h1' mulr1 split_h.
rewrite [RHS](eq_bigr (fun s => \sum_y h' j (tnth s j) * others s * f s * h j y)) => [|s _]; last by rewrite -mulr_sumr h1 mulr1 split_h'.
rewrite (pair_bigA _ (fun s y => h j (tnth s j) * others s * f s * h' j y)) /=.
rewrite [RHS](pair_bigA _ (fun s y => h' j (tnth s j) * others s * f s * h j y)) /= (reindex_inj (inv_inj swap_inv)) /=.
by apply: eq_bigr => [[s y]] _ /=; rewrite others_blind blind tnth_mktuple eqxx; ring.
Qed.

(* Each user outside left out in turn. *)
Theorem unlike_antitone (omega : dist R S) (m : 'I_n.+1 -> dist R S) (L : 'I_n.+1 -> S -> R) (A : {set 'I_n.+1}) (g : R) :
    (1 < n.+1 - #|A|)%N -> (forall j, j \notin A -> unlike_sum omega m L (j |: A) <= g) ->
  unlike_sum omega m L A / (n.+1 - #|A|)%:R <= g / (n.+1 - #|A|).-1%:R.
Proof.
move=> many fewer; set N := (n.+1 - #|A|)%N in many *.
have outside : #|[predC A]| = N by rewrite /N -[X in (X - _)%N](card_ord n.+1) -(cardsC A) addKn; apply: eq_card => k; rewrite !inE.
have N0 : 0 < N%:R :> R by rewrite ltr0n ltnW.
have N1 : 0 < N.-1%:R :> R by rewrite ltr0n -subn1 subn_gt0.
rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr // [g * _]mulrC -outside mulr_natl -sumr_const.
apply: (@le_trans _ _ (\sum_(j | j \notin A) unlike_sum omega m L (j |: A))); last by apply: ler_sum => j; apply: fewer.
pose hid (k : 'I_n.+1) (y : S) : R := if k \in A then omega y else m k y.
have hid_sum k : \sum_y hid k y = 1 by rewrite /hid; case: (k \in A); apply: mass_sum1.
have each j : j \notin A -> unlike_sum omega m L (j |: A) =
    \sum_s (\prod_k hid k (tnth s k)) * Num.max (\sum_(k | (k \notin A) && (k != j)) L k (tnth s k)) 0.
  move=> jA; rewrite /unlike_sum [RHS](@forget_one _ (fun k y => if k \in j |: A then omega y else m k y) j) // => [|k kj y||s y].
  - apply: eq_bigr => s _; congr (_ * Num.max _ _); apply: eq_bigl => k.
    by rewrite !inE negb_or andbC.
  - by rewrite /hid !inE (negPf kj).
  - by rewrite !inE eqxx /= mass_sum1.
  by congr Num.max; apply: eq_bigr => k /andP[_ kj]; rewrite tnth_mktuple (negPf kj).
rewrite (eq_bigr _ each) exchange_big /= /unlike_sum mulr_suml; apply: ler_sum => s _.
have hid0 : 0 <= \prod_k hid k (tnth s k) by apply: prodr_ge0 => k _; rewrite /hid; case: ifP => _; apply: mass_ge0.
rewrite -mulr_sumr -mulrA ler_wpmul2l // mulrC -positive_part_scale ?ler0n //.
apply: le_trans (positive_part_sum _ _); rewrite le_eqVlt; apply/orP; left; apply/eqP; congr Num.max.
rewrite (exchange_big_dep (fun k => k \notin A)) /= => [|j k jA /andP[] //]; rewrite mulr_sumr; apply: eq_bigr => k kA.
rewrite sumr_const -[RHS]mulr_natl; congr (_%:R * _).
rewrite (cardD1 k [predC A]) !inE kA add1n /=; apply: eq_card => j; rewrite !inE unfold_in eq_sym andbC //.
Qed.

End Antitone.
