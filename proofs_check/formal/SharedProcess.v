(* Bounds on sums over transcripts by backward induction over the steps, and the bound on a shuffled adaptive sequence that they give.

     process_bounded     let step i put itself into B with the sub-law m^(i), or serve the next user of rho with l^(i); if one step never raises
                         G_k, then the expected positive part of t + sum over B of L^(i) is at most G_n(t);
     shuffled_bounded    D_E(shuffled(w) || shuffled(w')) <= G_n(0)/n, for neighbouring w, w' and every shared part m^(i) <= R^(i)(x_u), u != i0,
                         with m^(i) L^(i) = R^(i)(x_i0) - E R^(i)(x'_i0). *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition SharedPart.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Process.
Variables (R : realFieldType) (S : finType) (U : Type).
Implicit Types (m L : seq S -> S -> R) (l : seq S -> U -> S -> R) (rho : nat -> U) (t : R).

(* The mass of the outputs s and the set of steps b. *)
Definition process m l rho n (s : n.-tuple S) (b : n.-tuple bool) : R :=
  \prod_(i < n) (if tnth b i then m (take i s) (tnth s i) else l (take i s) (rho (rank b i)) (tnth s i)).

Definition scores L n (s : n.-tuple S) (b : n.-tuple bool) : R := \sum_(i < n | tnth b i) L (take i s) (tnth s i).

Lemma take_cons_lift n (s : n.-tuple S) x (i : 'I_n) : take (lift ord0 i) (x :: s) = x :: take i s.
Proof. by []. Qed.

Lemma process_cons m l rho n x (s : n.-tuple S) c (b : n.-tuple bool) :
  process m l rho [tuple of x :: s] [tuple of c :: b] =
  (if c then m [::] x else l [::] (rho 0%N) x) *
  process (fun z => m (x :: z)) (fun z => l (x :: z)) (fun k => rho (~~ c + k)%N) s b.
Proof.
rewrite /process big_ord_recl !tnth0 /rank /=; congr (_ * _).
by apply: eq_bigr => i _; rewrite !tnthS.
Qed.

Lemma scores_cons L n x (s : n.-tuple S) c (b : n.-tuple bool) :
  scores L [tuple of x :: s] [tuple of c :: b] = (if c then L [::] x else 0) + scores (fun z => L (x :: z)) s b.
Proof.
rewrite /scores [LHS]big_mkcond [in RHS]big_mkcond big_ord_recl !tnth0 /=; congr (_ + _).
by apply: eq_bigr => i _; rewrite !tnthS.
Qed.

Variable G : nat -> R -> R.
Hypothesis G_start : forall t, Num.max t 0 <= G 0 t.

Theorem process_bounded m l L rho n t :
    (forall z s, 0 <= m z s) -> (forall z u s, 0 <= l z u s) ->
    (forall z u k t, \sum_s m z s * G k (t + L z s) + (\sum_s l z u s) * G k t <= G k.+1 t) ->
  \sum_(s : n.-tuple S) \sum_(b : n.-tuple bool) process m l rho s b * Num.max (t + scores L s b) 0 <= G n t.
Proof.
elim: n m l L rho t => [|n IH] m l L rho t m0 l0 step.
  rewrite (bigD1 [tuple]) //= [X in _ + X]big1 ?addr0 => [|s]; last by rewrite [s]tuple0 => /eqP.
  rewrite (bigD1 [tuple]) //= [X in _ + X]big1 ?addr0 => [|b]; last by rewrite [b]tuple0 => /eqP.
  by rewrite /process /scores !big_ord0 mul1r addr0.
apply: le_trans (step [::] (rho 0%N) n t); rewrite sum_tuples mulr_suml -big_split /=.
apply: ler_sum => x _; under eq_bigr do rewrite sum_tuples big_bool /=.
rewrite big_split /= ler_add //.
  under eq_bigr do under eq_bigr do rewrite process_cons scores_cons /= addrA -mulrA.
  under eq_bigr do rewrite -mulr_sumr.
  by rewrite -mulr_sumr ler_wpmul2l // IH // => z; apply: step.
under eq_bigr do under eq_bigr do rewrite process_cons scores_cons /= add0r -mulrA.
under eq_bigr do rewrite -mulr_sumr.
by rewrite -mulr_sumr ler_wpmul2l // IH // => z; apply: step.
Qed.

End Process.

Section Shuffled.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S).
Variables (n : nat) (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (E : R) (m L : seq S -> S -> R) (G : nat -> R -> R).
Hypothesis others_equal : forall j, j != i0 -> tnth w j = tnth w' j.
Hypothesis m_ge0 : forall z s, 0 <= m z s.
Hypothesis m_shared : forall z j s, j != i0 -> m z s <= randomizers z (tnth w j) s.
Hypothesis m_score : forall z s, m z s * L z s = randomizers z (tnth w i0) s - E * randomizers z (tnth w' i0) s.
Hypothesis G_start : forall t, Num.max t 0 <= G 0 t.
Hypothesis G_ge0 : forall k t, 0 <= G k t.
Hypothesis G_step : forall z k t, \sum_s m z s * G k (t + L z s) + (1 - \sum_s m z s) * G k t <= G k.+1 t.
Hypothesis m_mass : forall z, \sum_s m z s <= 1.

Definition left_over (z : seq S) (j : 'I_n.+1) (s : S) : R := if j == i0 then 0 else randomizers z (tnth w j) s - m z s.

Lemma left_over_ge0 z j s : 0 <= left_over z j s.
Proof. by rewrite /left_over; case: eqVneq => // ji; rewrite subr_ge0 m_shared. Qed.

Lemma left_over_mass z j : \sum_s left_over z j s <= 1 - \sum_s m z s.
Proof.
rewrite /left_over; case: eqP => _; first by rewrite big1_eq subr_ge0.
by rewrite sumrB mass_sum1.
Qed.

Lemma difference_of_orders (s : n.+1.-tuple S) :
  shuffled randomizers w s - E * shuffled randomizers w' s =
  n.+1`!%:R^-1 * \sum_(sigma : 'S_n.+1) L (take ((sigma^-1)%g i0) s) (tnth s ((sigma^-1)%g i0)) *
     \prod_(i < n.+1) (m (take i s) (tnth s i) + left_over (take i s) (sigma i) (tnth s i)).
Proof.
rewrite !shuffled_order_average /order_average mulrCA -mulrBr mulr_sumr -sumrB; congr (_ * _).
apply: eq_bigr => sigma _; set j := (sigma^-1)%g i0.
have sigma_j : sigma j = i0 by rewrite permKV.
have off (i : 'I_n.+1) : i != j -> sigma i != i0 by apply: contraNneq => sigma_i; rewrite /j -sigma_i permK.
rewrite (bigD1 j) //= [in X in _ - X](bigD1 j) //= [in RHS](bigD1 j) //= sigma_j.
rewrite {1}/left_over eqxx addr0 [E * _]mulrA mulrA [L _ _ * _]mulrC m_score mulrBl.
congr (_ * _ - _ * _); apply: eq_bigr => i /off ij; rewrite /left_over (negPf ij) addrC subrK //.
by rewrite others_equal.
Qed.

Lemma orders_ending_with : \sum_(rho : 'S_n.+1 | rho ord_max == i0) (1 : R) = n.+1`!%:R / n.+1%:R.
Proof.
apply: (@mulIf _ n.+1%:R); first by rewrite pnatr_eq0.
rewrite divfK ?pnatr_eq0 //.
have -> : n.+1`!%:R = \sum_(rho : 'S_n.+1) (1 : R) by rewrite sumr_const card_Sn.
rewrite [RHS](partition_big (fun rho : 'S_n.+1 => rho ord_max) predT) //=.
rewrite [RHS](eq_bigr (fun=> \sum_(rho : 'S_n.+1 | rho ord_max == i0) (1 : R))) => [|j _].
  by rewrite [RHS]sumr_const card_ord mulr_natr.
rewrite (reindex_inj (mulIg (tperm i0 j))) /=; apply: eq_bigl => rho.
by rewrite permM -[X in _ == X](tpermL i0 j) (inj_eq perm_inj).
Qed.

Theorem shuffled_bounded : hockey E (shuffled randomizers w) (shuffled randomizers w') <= G n.+1 0 / n.+1%:R.
Proof.
apply: (@le_trans _ _ (\sum_(s : n.+1.-tuple S) n.+1`!%:R^-1 * \sum_(rho : 'S_n.+1 | rho ord_max == i0)
    \sum_(b : n.+1.-tuple bool) process m left_over (fun k => rho (inord k)) s b * Num.max (0 + scores L s b) 0)).
  apply: ler_sum => s _; rewrite difference_of_orders positive_part_scale ?factorial_inv_ge0 // ler_wpmul2l ?factorial_inv_ge0 //.
  apply: le_trans (@positive_average_of_shared _ _ (fun i => m (take i s) (tnth s i)) (fun i => L (take i s) (tnth s i))
    (fun i j => left_over (take i s) j (tnth s i)) i0 _ _ _) _ => // [i|i j|].
  - by rewrite /left_over eqxx.
  - exact: left_over_ge0.
  by apply: ler_sum => rho _; apply: ler_sum => b _; rewrite add0r.
rewrite -mulr_sumr exchange_big /=.
apply: (@le_trans _ _ (n.+1`!%:R^-1 * \sum_(rho : 'S_n.+1 | rho ord_max == i0) 1 * G n.+1 0)).
  rewrite ler_wpmul2l ?factorial_inv_ge0 //; apply: ler_sum => rho _; rewrite mul1r.
  apply: process_bounded => // [z u s|z u k t]; first exact: left_over_ge0.
  by apply: le_trans (G_step z k t); rewrite ler_add2l ler_wpmul2r // left_over_mass.
by rewrite -mulr_suml orders_ending_with !mulrA mulVf ?factorial_neq0 // mul1r mulrC.
Qed.

End Shuffled.
