(* "In another user's place" for adaptive randomizers: eta is a constant, omega and what is left over depend on the step and on its history.

     adaptive_places_bound              the pool A told: one sum over the users outside A, in the mean at most G(their number);
     place_in_general                   the bound: nobody in the pool, or G(S)/S with S = n + 1 - r, r ~ Bin(n, eta) in the pool;
     adaptive_in_another_users_place    where G is V of a controlled sum. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition OneMessage AnotherPlace ConvexOrder ControlledSum.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Steps.
Variables (R : realFieldType) (S : finType) (n : nat).
Implicit Types (s : n.+1.-tuple S) (F : seq S -> S -> R).

(* What a function of the history and the output is at step i. *)
Definition at_step F s (i : 'I_n.+1) : R := F (take i s) (tnth s i).

Lemma step_index s (i : 'I_n.+1) : inord (size (take i s)) = i.
Proof. by rewrite size_takel ?inord_val // size_tuple ltnW // ltn_ord. Qed.

(* The users' numbers at the steps, over all orders: step i serves user rho i. *)
Lemma permanent_orders (M : 'I_n.+1 -> 'I_n.+1 -> R) :
  permanent M (ord_tuple n.+1) = \sum_(rho : 'S_n.+1) \prod_i M (rho i) i.
Proof.
rewrite /permanent (reindex_inj invg_inj) /=; apply: eq_bigr => rho _.
rewrite (reindex_inj (@perm_inj _ rho)) /=; apply: eq_bigr => i _.
by rewrite permK tnth_ord_tuple.
Qed.

Lemma sum_of_all_orders (c : R) : n.+1`!%:R^-1 * (\sum_(rho : 'S_n.+1) c) = c.
Proof. by rewrite sumr_const card_Sn -[X in _ * X]mulr_natl mulKf ?factorial_neq0. Qed.

End Steps.

(* The reports outside the pool A, at the steps of the order rho. *)
Section Orders.
Variables (R : realFieldType) (S : finType) (n : nat) (omega : seq S -> S -> R) (m L : 'I_n.+1 -> seq S -> S -> R).

Definition hidden (A : {set 'I_n.+1}) (k : 'I_n.+1) (z : seq S) (s : S) : R := if k \in A then omega z s else m k z s.

(* E (sum of the losses of the users outside A)_+, the order of the users given. *)
Definition order_sum (A : {set 'I_n.+1}) (rho : 'S_n.+1) : R :=
  \sum_(s : n.+1.-tuple S) (\prod_i at_step (hidden A (rho i)) s i) * Num.max (\sum_(i | rho i \notin A) at_step (L (rho i)) s i) 0.

Lemma card_outside (A : {set 'I_n.+1}) (rho : 'S_n.+1) : #|[pred i | rho i \notin A]| = (n.+1 - #|A|)%N.
Proof.
rewrite -[X in (X - _)%N](card_ord n.+1) -(cardsC A) addKn -(card_preimset (~: A) (@perm_inj _ rho)).
by apply: eq_card => k; rewrite !inE.
Qed.

Hypotheses (omega_ge0 : forall z s, 0 <= omega z s) (omega_sum1 : forall z, \sum_s omega z s = 1).
Hypotheses (m_ge0 : forall k z s, 0 <= m k z s) (m_sum1 : forall k z, \sum_s m k z s = 1).

Lemma hidden_ge0 A k z s : 0 <= hidden A k z s.
Proof. by rewrite /hidden; case: ifP. Qed.

Lemma hidden_sum1 A k z : \sum_s hidden A k z s = 1.
Proof. by rewrite /hidden; case: (k \in A); [apply: omega_sum1 | apply: m_sum1]. Qed.

(* Losses that depend on the past: a controlled sum. *)
Lemma order_sum_controlled (C : seq (loss R)) (A : {set 'I_n.+1}) (rho : 'S_n.+1) : measures C ->
    (forall k z, k \notin A -> under C (atoms (m k z) (L k z))) ->
  order_sum A rho <= V C (n.+1 - #|A|) 0.
Proof.
move=> C_ge0 controlled; pose K z x := hidden A (rho (inord (size z))) z x; pose L' z x := L (rho (inord (size z))) z x.
have := @controlled_sum R S C C_ge0 K L' (fun k => rho (inord k) \notin A) n.+1 0.
have -> : (\sum_(i < n.+1) (rho (inord i) \notin A))%N = (n.+1 - #|A|)%N.
  rewrite -(card_outside A rho) -sum1_card [RHS]big_mkcond /=; apply: eq_bigr => i _.
  by rewrite inord_val inE; case: (_ \in _).
move=> bound; apply: le_trans (bound _ _ _) => [|z x|z u|z _].
- apply: ler_sum => s _; rewrite le_eqVlt; apply/orP; left; apply/eqP; congr (_ * Num.max _ _).
    by apply: eq_bigr => i _; rewrite /K step_index.
  rewrite add0r; apply: eq_big => [i|i _]; first by rewrite inord_val.
  by rewrite /L' step_index.
- exact: hidden_ge0.
- have -> : atoms (K z) (L' z) = atoms (m (rho (inord (size z))) z) (L (rho (inord (size z))) z).
    by apply: eq_map => x; rewrite /K /L' /hidden (negPf u).
  exact: controlled.
by rewrite hidden_sum1.
Qed.

(* Losses that do not: independent ones, in whatever order. *)
Lemma order_sum_independent (omega' : S -> R) (m' L' : 'I_n.+1 -> S -> R) (A : {set 'I_n.+1}) (rho : 'S_n.+1) :
    (forall z, omega z =1 omega') -> (forall k z, m k z =1 m' k) -> (forall k z, L k z =1 L' k) ->
  order_sum A rho =
  \sum_(s : n.+1.-tuple S) (\prod_k (if k \in A then omega' (tnth s k) else m' k (tnth s k))) * Num.max (\sum_(j | j \notin A) L' j (tnth s j)) 0.
Proof.
move=> omega_is m_is L_is; pose order (s : n.+1.-tuple S) : n.+1.-tuple S := [tuple tnth s ((rho^-1)%g k) | k < n.+1].
have order_inj : injective order.
  by move=> s s' same; apply: eq_from_tnth => i; have := congr1 (fun x => tnth x (rho i)) same; rewrite !tnth_mktuple permK.
rewrite [RHS](reindex_inj order_inj) /=; apply: eq_bigr => s _; congr (_ * Num.max _ _).
  rewrite [RHS](reindex_inj (@perm_inj _ rho)) /=; apply: eq_bigr => i _; rewrite tnth_mktuple permK /at_step /hidden.
  by case: ifP => _; [apply: omega_is | apply: m_is].
rewrite [RHS](reindex_inj (@perm_inj _ rho)) /=; apply: eq_bigr => i _; rewrite tnth_mktuple permK; exact: L_is.
Qed.

End Orders.

Section Place.
Variables (R : realFieldType) (S : finType) (n : nat) (i0 : 'I_n.+1) (Delta omega : seq S -> S -> R) (eta gamma : R).
Variables (m L given : 'I_n.+1 -> seq S -> S -> R) (G : nat -> R).
Hypotheses (omega_ge0 : forall z s, 0 <= omega z s) (omega_sum1 : forall z, \sum_s omega z s = 1) (eta_range : 0 <= eta <= 1).
Hypotheses (m_ge0 : forall k z s, 0 <= m k z s) (m_sum1 : forall k z, \sum_s m k z s = 1).
Hypothesis Delta_split : forall k z s, k != i0 -> Delta z s = m k z s * L k z s + given k z s.
Hypotheses (G_0 : G 0%N = 0) (bounded : forall (A : {set 'I_n.+1}) rho, i0 \in A -> order_sum omega m L A rho <= G (n.+1 - #|A|)%N).
Hypotheses (gamma_ge0 : 0 <= gamma) (given_le : forall k z, k != i0 -> \sum_s Num.max (given k z s) 0 <= gamma).

Local Notation steps := (ord_tuple n.+1).
Local Notation hidden := (hidden omega m).

(* The numbers of the transcript s: users by steps. *)
Definition all_factors (s : n.+1.-tuple S) := factors i0 (at_step Delta s) (at_step omega s) eta (fun k => at_step (m k) s).
Definition pool_told (s : n.+1.-tuple S) := with_pool i0 (at_step Delta s) (at_step omega s) eta (fun k => at_step (m k) s).
Definition place_told (s : n.+1.-tuple S) := in_place (at_step Delta s) (at_step omega s) (fun k => at_step (m k) s).

Let hidden_ge0' A k z s : 0 <= hidden A k z s := hidden_ge0 omega_ge0 m_ge0 A k z s.
Let hidden_sum1' A k z : \sum_s hidden A k z s = 1 := hidden_sum1 omega_sum1 m_sum1 A k z.

Section OnePool.
Variable A : {set 'I_n.+1}.
Hypothesis A0 : i0 \in A.

Let outside k : k \notin A -> k != i0. Proof. by apply: contraNneq => ->. Qed.

Definition order_bound (rho : 'S_n.+1) (s : n.+1.-tuple S) : R :=
  (\prod_i at_step (hidden A (rho i)) s i) * Num.max (\sum_(i | rho i \notin A) at_step (L (rho i)) s i) 0 +
  \sum_(i | rho i \notin A) (\prod_(i' | i' != i) at_step (hidden A (rho i')) s i') * Num.max (at_step (given (rho i)) s i) 0.

Lemma places_of_orders s :
  Num.max (\sum_(j | j \notin A) permanent (place_told s A j) steps) 0 <= \sum_(rho : 'S_n.+1) order_bound rho s.
Proof.
under eq_bigr do rewrite permanent_orders.
rewrite exchange_big /=; apply: le_trans (positive_part_sum _ _) _; apply: ler_sum => rho _.
rewrite (reindex_inj (@perm_inj _ rho)) /=.
have term (i : 'I_n.+1) : rho i \notin A -> \prod_i' place_told s A (rho i) (rho i') i' =
    (\prod_i' at_step (hidden A (rho i')) s i') * at_step (L (rho i)) s i +
    (\prod_(i' | i' != i) at_step (hidden A (rho i')) s i') * at_step (given (rho i)) s i.
  move=> iA; rewrite (bigD1 i) //= [X in _ = X * _ + _](bigD1 i) //= /place_told /in_place (negPf iA) eqxx.
  have -> : at_step Delta s i = at_step (m (rho i)) s i * at_step (L (rho i)) s i + at_step (given (rho i)) s i.
    by apply: Delta_split; apply: outside.
  have -> : at_step (hidden A (rho i)) s i = at_step (m (rho i)) s i by rewrite /at_step /hidden (negPf iA).
  rewrite (eq_bigr (fun i' => at_step (hidden A (rho i')) s i')) => [|i' i'i]; last first.
    by rewrite (inj_eq perm_inj) (negPf i'i) /at_step /hidden; case: ifP.
  by set p := \prod_(i' | _) _; ring.
rewrite (eq_bigr _ term) big_split /= -mulr_sumr; apply: le_trans (positive_part_add _ _) _; apply: ler_add.
  by rewrite positive_part_scale // prodr_ge0 // => i _; apply: hidden_ge0'.
apply: le_trans (positive_part_sum _ _) _; apply: ler_sum => i _.
by rewrite positive_part_scale // prodr_ge0 // => i' _; apply: hidden_ge0'.
Qed.

Lemma order_bounded (rho : 'S_n.+1) :
  \sum_(s : n.+1.-tuple S) order_bound rho s <= G (n.+1 - #|A|) + (n.+1 - #|A|)%:R * gamma.
Proof.
rewrite big_split /=; apply: ler_add; first exact: bounded.
rewrite exchange_big /= -(card_outside A rho) mulr_natl -sumr_const; apply: ler_sum => i iA.
pose F z x := if size z == i then Num.max (given (rho i) z x) 0 else hidden A (rho (inord (size z))) z x.
apply: (@le_trans _ _ (\sum_(s : n.+1.-tuple S) sequential F s)).
  apply: ler_sum => s _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  have size_step (j : 'I_n.+1) : size (take j s) = j by rewrite size_takel // size_tuple ltnW // ltn_ord.
  have Fi : F (take i s) (tnth s i) = Num.max (at_step (given (rho i)) s i) 0 by rewrite /F size_step eqxx.
  rewrite /sequential [RHS](bigD1 i) //= mulrC Fi; congr (_ * _); apply: eq_bigr => j ji.
  by rewrite /F step_index size_step (negPf (ji : nat_of_ord j != nat_of_ord i)).
apply: le_trans (sequential_mass (d := fun k : nat => if k == i then gamma else 1) _ _ _ _) _ => [z x|k|z|].
- by rewrite /F; case: ifP => _; [apply: positive_part_ge0 | apply: hidden_ge0'].
- by case: (k == i); rewrite ?ler01.
- rewrite /F; case: (size z == i); last by rewrite hidden_sum1'.
  by apply: given_le; apply: outside.
rewrite (bigD1 i) //= eqxx [X in _ * X]big1 ?mulr1 // => j ji.
by rewrite (negPf (ji : nat_of_ord j != nat_of_ord i)).
Qed.

Lemma adaptive_places_bound :
  n.+1`!%:R^-1 * (\sum_(s : n.+1.-tuple S) Num.max (\sum_(j | j \notin A) permanent (place_told s A j) steps) 0) <=
  G (n.+1 - #|A|) + (n.+1 - #|A|)%:R * gamma.
Proof.
rewrite -[leRHS](sum_of_all_orders n) ler_wpmul2l ?factorial_inv_ge0 //.
apply: (@le_trans _ _ (\sum_(s : n.+1.-tuple S) \sum_(rho : 'S_n.+1) order_bound rho s)).
  by apply: ler_sum => s _; apply: places_of_orders.
by rewrite exchange_big /=; apply: ler_sum => rho _; apply: order_bounded.
Qed.

End OnePool.

Theorem adaptive_place_bound :
  n.+1`!%:R^-1 * (\sum_(s : n.+1.-tuple S) Num.max (permanent (all_factors s) steps) 0) <=
  n.+1`!%:R^-1 * (\sum_(s : n.+1.-tuple S) Num.max (permanent (pool_told s set0) steps) 0) +
  \sum_(A : {set 'I_n.+1} | i0 \in A) #|A|%:R^-1 * weight eta A * (G (n.+1 - #|A|) + (n.+1 - #|A|)%:R * gamma).
Proof.
have count_ge0 (A : {set 'I_n.+1}) : 0 <= #|A|%:R^-1 * weight eta A :> R by rewrite mulr_ge0 ?weight_ge0 // invr_ge0 ler0n.
pose told (A : {set 'I_n.+1}) (s : n.+1.-tuple S) := Num.max (\sum_(j | j \notin A) permanent (place_told s A j) steps) 0.
have each : \sum_(A : {set 'I_n.+1} | i0 \in A) #|A|%:R^-1 * weight eta A * (n.+1`!%:R^-1 * (\sum_s told A s)) <=
    \sum_(A : {set 'I_n.+1} | i0 \in A) #|A|%:R^-1 * weight eta A * (G (n.+1 - #|A|) + (n.+1 - #|A|)%:R * gamma).
  by apply: ler_sum => A iA; rewrite ler_wpmul2l ?count_ge0 // adaptive_places_bound.
apply: le_trans (ler_add (lexx _) each).
rewrite (eq_bigr (fun A : {set 'I_n.+1} => n.+1`!%:R^-1 * (\sum_(s : n.+1.-tuple S) #|A|%:R^-1 * weight eta A * told A s))); last first.
  by move=> A _; rewrite mulrCA mulr_sumr.
rewrite -mulr_sumr -mulrDr ler_wpmul2l ?factorial_inv_ge0 // exchange_big /= -big_split /=; apply: ler_sum => s _.
rewrite /all_factors permanent_by_place; apply: le_trans (positive_part_add _ _) _; rewrite ler_add2l.
apply: le_trans (positive_part_sum _ _) _; apply: ler_sum => A _.
by rewrite positive_part_scale.
Qed.

(* By the number r of users in the pool. *)
Lemma sum_by_pool_size :
  \sum_(A : {set 'I_n.+1} | i0 \in A) #|A|%:R^-1 * weight eta A * (G (n.+1 - #|A|) + (n.+1 - #|A|)%:R * gamma) =
  \sum_(1 <= r < n.+1) binomial_mass n eta r * (G (n.+1 - r) / (n.+1 - r)%:R + gamma).
Proof.
pose term (r : nat) := r.+1%:R^-1 * (eta ^+ r.+1 * (1 - eta) ^+ (n - r.+1)) * (G (n - r) + (n - r)%:R * gamma).
have card_gt0' (A : {set 'I_n.+1}) : i0 \in A -> (0 < #|A|)%N by move=> iA; apply/card_gt0P; exists i0.
have small (A : {set 'I_n.+1}) : (#|A|.-1 < n.+1)%N by have := max_card (mem A); rewrite card_ord; case: #|A|.
rewrite (partition_big (fun A : {set 'I_n.+1} => Ordinal (small A)) predT) //=.
rewrite (eq_bigr (fun r : 'I_n.+1 => 'C(n, r)%:R * term r)) => [|r _]; last first.
  rewrite (eq_bigr (fun=> term r)) => [|A /andP[iA /eqP <-]].
    rewrite sumr_const -[LHS]mulr_natl (_ : #|_| = 'C(n, r)) // -(card_pools i0 r).
    apply: eq_card => A; rewrite !inE; apply: andb_id2l => iA; rewrite -val_eqE /=.
    by rewrite -[in RHS](prednK (card_gt0' A iA)) eqSS.
  have [k k_is] : exists k, #|A| = k.+1 by exists #|A|.-1; rewrite prednK ?card_gt0'.
  by rewrite /term /weight /= k_is /= subSS.
rewrite big_ord_recr /= /term subnn G_0 mul0r addr0 !mulr0 addr0 big_add1 big_mkord /=; apply: eq_bigr => r _.
rewrite /binomial_mass subSS.
have nr : (n - r)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n subn_gt0.
have r1 : r.+1%:R != 0 :> R by rewrite pnatr_eq0.
have bin : r.+1%:R * 'C(n, r.+1)%:R = (n - r)%:R * 'C(n, r)%:R :> R by rewrite -!natrM mul_bin_left.
have -> : 'C(n, r.+1)%:R = (n - r)%:R * 'C(n, r)%:R / r.+1%:R :> R by rewrite -bin mulrC mulKf.
move: nr r1 {bin}; set x := (n - r)%:R; set y := r.+1%:R; move: x y => x y x_neq0 y_neq0.
by field; rewrite x_neq0 y_neq0.
Qed.

End Place.

Section InAnotherPlace.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S).
Variables (n : nat) (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (E eta gamma : R).
Variables (omega : seq S -> dist R S) (m : 'I_n.+1 -> seq S -> dist R S) (L given : 'I_n.+1 -> seq S -> S -> R).
Hypothesis others_equal : forall j, j != i0 -> tnth w j = tnth w' j.
Hypothesis eta_range : 0 <= eta <= 1.
Hypothesis pooled : forall k z s, k != i0 -> randomizers z (tnth w k) s = eta * omega z s + (1 - eta) * m k z s.
Hypothesis split_losses : forall k z s, k != i0 ->
  randomizers z (tnth w i0) s - E * randomizers z (tnth w' i0) s = m k z s * L k z s + given k z s.
Hypotheses (gamma_ge0 : 0 <= gamma) (given_le : forall k z, k != i0 -> \sum_s Num.max (given k z s) 0 <= gamma).

(* Nobody in the pool: the special user and what the others send outside it. *)
Definition outside_pool (z : seq S) (x : bool + 'I_n.+1) : dist R S :=
  match x with inl b => randomizers z (tnth (if b then w else w') i0) | inr k => m k z end.
Definition outside_data (b : bool) : n.+1.-tuple (bool + 'I_n.+1) := [tuple if k == i0 then inl b else inr k | k < n.+1].

Definition nobody_in_pool_divergence : R := hockey E (shuffled outside_pool (outside_data true)) (shuffled outside_pool (outside_data false)).

(* The difference of two shuffled laws is a permanent, where their users' laws differ in one. *)
Lemma shuffled_difference (X : Type) (K : adaptive_randomizers R X S) (v v' : n.+1.-tuple X) (M : 'I_n.+1 -> 'I_n.+1 -> R) (s : n.+1.-tuple S) :
    (forall j, j != i0 -> tnth v j = tnth v' j) ->
    (forall i, M i0 i = K (take i s) (tnth v i0) (tnth s i) - E * K (take i s) (tnth v' i0) (tnth s i)) ->
    (forall k i, k != i0 -> M k i = K (take i s) (tnth v k) (tnth s i)) ->
  shuffled K v s - E * shuffled K v' s = n.+1`!%:R^-1 * permanent M (ord_tuple n.+1).
Proof.
move=> same special others; rewrite !shuffled_order_average /order_average permanent_orders mulrCA -mulrBr mulr_sumr -sumrB; congr (_ * _).
apply: eq_bigr => rho _; set j := (rho^-1)%g i0; have rho_j : rho j = i0 by rewrite permKV.
have off (i : 'I_n.+1) : i != j -> rho i != i0 by apply: contraNneq => rho_i; rewrite /j -rho_i permK.
rewrite (bigD1 j) //= [X in _ - _ * X](bigD1 j) //= [RHS](bigD1 j) //= rho_j special mulrA.
rewrite [X in _ - _ * X](eq_bigr (fun i : 'I_n.+1 => K (take i s) (tnth v (rho i)) (tnth s i))) => [|i /off ij]; last by rewrite same.
by rewrite -mulrBl; congr (_ * _); apply: eq_bigr => i /off ij; rewrite others.
Qed.

(* Everything told but the special user's output, whose law or difference of laws is F: at most what F gives away, whatever the history. *)
Lemma special_told (X : Type) (K : adaptive_randomizers R X S) (v : n.+1.-tuple X) (F : seq S -> S -> R) (d : R) : 0 <= d ->
    (forall z, \sum_s Num.max (F z s) 0 <= d) ->
  \sum_(s : n.+1.-tuple S) Num.max (n.+1`!%:R^-1 * permanent (fun k i : 'I_n.+1 => if k == i0 then F (take i s) (tnth s i)
    else K (take i s) (tnth v k) (tnth s i)) (ord_tuple n.+1)) 0 <= d.
Proof.
move=> d0 told; pose M (s : n.+1.-tuple S) (k i : 'I_n.+1) : R := if k == i0 then F (take i s) (tnth s i) else K (take i s) (tnth v k) (tnth s i).
rewrite (eq_bigr (fun s => n.+1`!%:R^-1 * Num.max (permanent (M s) (ord_tuple n.+1)) 0)) => [|s _]; last first.
  by rewrite positive_part_scale ?factorial_inv_ge0.
rewrite -mulr_sumr -[leRHS](sum_of_all_orders n) ler_wpmul2l ?factorial_inv_ge0 //.
apply: (@le_trans _ _ (\sum_(s : n.+1.-tuple S) \sum_(rho : 'S_n.+1) Num.max (\prod_i M s (rho i) i) 0)).
  by apply: ler_sum => s _; rewrite permanent_orders; apply: positive_part_sum.
rewrite exchange_big /=; apply: ler_sum => rho _; set j := (rho^-1)%g i0; have rho_j : rho j = i0 by rewrite permKV.
have off (i : 'I_n.+1) : i != j -> rho i != i0 by apply: contraNneq => rho_i; rewrite /j -rho_i permK.
pose H (z : seq S) x := if size z == j then Num.max (F z x) 0 else K z (tnth v (rho (inord (size z)))) x.
apply: (@le_trans _ _ (\sum_(s : n.+1.-tuple S) sequential H s)).
  apply: ler_sum => s _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  have size_step (i : 'I_n.+1) : size (take i s) = i by rewrite size_takel // size_tuple ltnW // ltn_ord.
  have Hj : H (take j s) (tnth s j) = Num.max (M s (rho j) j) 0 by rewrite /H size_step eqxx /M rho_j eqxx.
  rewrite /sequential (bigD1 j) //= [RHS](bigD1 j) //= Hj mulrC positive_part_scale; last first.
    by apply: prodr_ge0 => i /off ij; rewrite /M (negPf ij) mass_ge0.
  rewrite mulrC; congr (_ * _); apply: eq_bigr => i ij.
  by rewrite /H step_index size_step (negPf (ij : nat_of_ord i != nat_of_ord j)) /M (negPf (off i ij)).
apply: le_trans (sequential_mass (d := fun k : nat => if k == j then d else 1) _ _ _ _) _ => [z x|k|z|].
- by rewrite /H; case: ifP => _; [apply: positive_part_ge0 | apply: mass_ge0].
- by case: (k == j); rewrite ?ler01.
- by rewrite /H; case: (size z == j); [apply: told | rewrite mass_sum1].
rewrite (bigD1 j) //= eqxx [X in _ * X]big1 ?mulr1 // => i ij.
by rewrite (negPf (ij : nat_of_ord i != nat_of_ord j)).
Qed.

Lemma shuffled_told (X : Type) (K : adaptive_randomizers R X S) (v v' : n.+1.-tuple X) (d : R) : 0 <= d ->
    (forall j, j != i0 -> tnth v j = tnth v' j) -> (forall z, hockey E (K z (tnth v i0)) (K z (tnth v' i0)) <= d) ->
  hockey E (shuffled K v) (shuffled K v') <= d.
Proof.
move=> d0 same told; apply: le_trans (special_told K v (F := fun z s => K z (tnth v i0) s - E * K z (tnth v' i0) s) d0 told).
apply: ler_sum => s _; rewrite -(@shuffled_difference _ K v v' _ s) // => [i|k i /negPf k0]; first by rewrite eqxx.
by rewrite k0.
Qed.

Lemma nobody_in_pool_told (d : R) : 0 <= d -> (forall z, hockey E (randomizers z (tnth w i0)) (randomizers z (tnth w' i0)) <= d) ->
  nobody_in_pool_divergence <= d.
Proof.
move=> d0 told; apply: shuffled_told => // [j j0|z]; first by rewrite !tnth_mktuple (negPf j0).
by rewrite !tnth_mktuple eqxx; apply: told.
Qed.

Theorem place_in_general (G : nat -> R) : G 0%N = 0 ->
    (forall (A : {set 'I_n.+1}) rho, i0 \in A -> order_sum (fun z => omega z) (fun k z => m k z) L A rho <= G (n.+1 - #|A|)%N) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  (1 - eta) ^+ n * nobody_in_pool_divergence +
  \sum_(1 <= r < n.+1) binomial_mass n eta r * (G (n.+1 - r)%N / (n.+1 - r)%:R + gamma).
Proof.
move=> G_0 bounded; pose Delta z s := randomizers z (tnth w i0) s - E * randomizers z (tnth w' i0) s.
have place := @adaptive_place_bound R S n i0 Delta (fun z => omega z) eta gamma (fun k z => m k z) L given G
  (fun z => mass_ge0 (omega z)) (fun z => mass_sum1 (omega z)) eta_range (fun k z => mass_ge0 (m k z)) (fun k z => mass_sum1 (m k z))
  split_losses bounded gamma_ge0 given_le.
rewrite (sum_by_pool_size i0 eta gamma G_0) in place.
have eta1 : 0 <= 1 - eta by rewrite subr_ge0; case/andP: eta_range.
have -> : hockey E (shuffled randomizers w) (shuffled randomizers w') = n.+1`!%:R^-1 *
    (\sum_(s : n.+1.-tuple S) Num.max (permanent (all_factors i0 Delta (fun z => omega z) eta (fun k z => m k z) s) (ord_tuple n.+1)) 0).
  rewrite mulr_sumr; apply: eq_bigr => s _; rewrite -positive_part_scale ?factorial_inv_ge0 //; congr Num.max.
  apply: shuffled_difference => // [i|k i k0]; first by rewrite /all_factors /factors eqxx.
  by rewrite /all_factors /factors (negPf k0) pooled.
apply: le_trans place _; rewrite ler_add2r le_eqVlt; apply/orP; left; apply/eqP.
rewrite mulr_sumr [in RHS]mulr_sumr; apply: eq_bigr => s _.
rewrite -!positive_part_scale ?factorial_inv_ge0 ?exprn_ge0 //; congr Num.max.
pose M (k i : 'I_n.+1) : R := if k == i0 then at_step Delta s i else m k (take i s) (tnth s i).
rewrite (@shuffled_difference _ outside_pool (outside_data true) (outside_data false) M) => [|j j0|i|k i k0].
- have -> : permanent (pool_told i0 Delta (fun z => omega z) eta (fun k z => m k z) s set0) (ord_tuple n.+1) =
      permanent (fun k i => (if k == i0 then 1 else 1 - eta) * M k i) (ord_tuple n.+1).
    apply: eq_permanent => k i; rewrite /pool_told /with_pool inE /M.
    by case: ifP => _; rewrite ?mul1r.
  rewrite permanent_scaled (bigD1 i0) //= eqxx mul1r (eq_bigr (fun=> 1 - eta)) => [|k /negPf -> //].
  rewrite prodr_const (_ : #|_| = n); first by rewrite mulrCA.
  by apply: etrans (eq_card _) (etrans (cardC1 i0) _) => //=; rewrite card_ord.
- by rewrite !tnth_mktuple (negPf j0).
- by rewrite /M eqxx !tnth_mktuple eqxx.
by rewrite /M (negPf k0) tnth_mktuple (negPf k0).
Qed.

End InAnotherPlace.

Theorem adaptive_in_another_users_place (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) n
    (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (E eta gamma : R) (omega : seq S -> dist R S) (m : 'I_n.+1 -> seq S -> dist R S)
    (L given : 'I_n.+1 -> seq S -> S -> R) (C : seq (loss R)) :
    (forall j, j != i0 -> tnth w j = tnth w' j) -> 0 <= eta <= 1 ->
    (forall k z s, k != i0 -> randomizers z (tnth w k) s = eta * omega z s + (1 - eta) * m k z s) ->
    (forall k z s, k != i0 -> randomizers z (tnth w i0) s - E * randomizers z (tnth w' i0) s = m k z s * L k z s + given k z s) ->
    measures C -> (forall k z, k != i0 -> under C (atoms (m k z) (L k z))) ->
    0 <= gamma -> (forall k z, k != i0 -> \sum_s Num.max (given k z s) 0 <= gamma) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  (1 - eta) ^+ n * nobody_in_pool_divergence randomizers w w' i0 E m +
  \sum_(1 <= r < n.+1) binomial_mass n eta r * (V C (n.+1 - r) 0 / (n.+1 - r)%:R + gamma).
Proof.
move=> others eta_range pooled split_losses C_ge0 controlled gamma_ge0 given_le.
apply: (place_in_general others eta_range pooled split_losses gamma_ge0 given_le (G := fun S => V C S 0)) => [|A rho iA]; first by rewrite /= maxxx.
apply: (order_sum_controlled (fun z => mass_ge0 (omega z)) (fun z => mass_sum1 (omega z)) (fun k z => mass_ge0 (m k z))
  (fun k z => mass_sum1 (m k z)) rho C_ge0) => k z kA.
by apply: controlled; apply: contraNneq kA => ->.
Qed.
