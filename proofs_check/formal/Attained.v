(* V is reached: an adaptive sequence of epsilon0-DP randomizers, one per step, whose shuffled hockey-stick divergence is V_n(0) / n exactly.
   All others hold x_2; step i uses the triple of laws that is best at V_(n - i) and the sum of the losses so far, a function of the history.

     one_special          the permanent of one special user and n others who are alike;
     same_others          where all others' numbers are alike, the permanent is n! times the product of these and the sum of the losses;
     controlled_attained  the controlled sum with the best law at each step is V, with equality;
     attained             Theorem D for every finite family of triples of laws;
     corners_attained     Theorem D for the five corner laws: T-LDP randomizers on three data and three messages. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition OneMessage AnotherPlace ConvexOrder ControlledSum
  FiveCorners AdaptivePlace.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Each of n + 1 steps serves the special user equally often. *)
Lemma average_place (R : realFieldType) n (i0 : 'I_n.+1) (F : 'I_n.+1 -> R) :
  n.+1`!%:R^-1 * (\sum_(rho : 'S_n.+1) F (rho i0)) = (\sum_i F i) / n.+1%:R.
Proof.
have same i : \sum_(rho : 'S_n.+1) F (rho i) = \sum_(rho : 'S_n.+1) F (rho i0).
  rewrite (reindex_inj (mulgI (tperm i i0))) /=; apply: eq_bigr => rho _.
  by rewrite permM tpermL.
have total : \sum_i \sum_(rho : 'S_n.+1) F (rho i) = n.+1`!%:R * \sum_i F i.
  rewrite exchange_big /= (eq_bigr (fun=> \sum_i F i)) => [|rho _]; last by rewrite [RHS](reindex_inj (@perm_inj _ rho)).
  by rewrite sumr_const card_Sn mulr_natl.
have -> : \sum_i F i = n.+1`!%:R^-1 * (n.+1%:R * \sum_(rho : 'S_n.+1) F (rho i0)).
  rewrite -[LHS](mulKf (factorial_neq0 R n.+1)) -total; congr (_ * _).
  by rewrite (eq_bigr _ (fun i _ => same i)) sumr_const card_ord mulr_natl.
by rewrite mulrCA mulrAC mulfV ?mul1r // pnatr_eq0.
Qed.

Lemma one_special (R : realFieldType) n (i0 : 'I_n.+1) (m d : 'I_n.+1 -> R) (M : 'I_n.+1 -> 'I_n.+1 -> R) :
    (forall k i, M k i = if k == i0 then d i else m i) ->
  n.+1`!%:R^-1 * permanent M (ord_tuple n.+1) = (\sum_i d i * \prod_(j | j != i) m j) / n.+1%:R.
Proof.
move=> M_is; rewrite permanent_orders (reindex_inj invg_inj) /= -(average_place i0 (fun i => d i * \prod_(j | j != i) m j)); congr (_ * _).
apply: eq_bigr => rho _; rewrite (bigD1 (rho i0)) //= [X in X * _ = _]M_is permK eqxx; congr (_ * _).
apply: eq_bigr => i off; rewrite M_is ifN //; apply: contraNneq off => <-.
by rewrite permKV.
Qed.

Lemma same_others (R : realFieldType) n (i0 : 'I_n.+1) (m L : 'I_n.+1 -> R) (M : 'I_n.+1 -> 'I_n.+1 -> R) :
    (forall k i, M k i = if k == i0 then m i * L i else m i) ->
  n.+1`!%:R^-1 * permanent M (ord_tuple n.+1) = (\prod_i m i) * (\sum_i L i) / n.+1%:R.
Proof.
move/one_special->; congr (_ / _); rewrite mulr_sumr; apply: eq_bigr => i _.
by rewrite [in RHS](bigD1 i) //= mulrAC.
Qed.

Section Attained.
Variables (R : realFieldType) (S K : finType) (k0 : K) (E : R).
(* The triples: the laws of x_0 = Some true, x_1 = Some false, x_2 = None. *)
Variables (triple : K -> option bool -> dist R S) (L : K -> S -> R).
Hypothesis losses_are : forall k s, triple k (Some true) s - E * triple k (Some false) s = triple k None s * L k s.

Definition law_of k : loss R := atoms (triple k None) (L k).
Definition laws : seq (loss R) := [seq law_of k | k <- enum K].

Lemma measures_laws : measures laws.
Proof. by move=> c /mapP[k _ ->]; apply: measure_atoms => s; apply: mass_ge0. Qed.

Definition choice (f : R -> R) : K := nth k0 (enum K) (find (fun k => mean f (law_of k) == best laws f) (enum K)).

Lemma choice_best f : (forall x, 0 <= f x) -> mean f (law_of (choice f)) = best laws f.
Proof.
move=> f0; apply/eqP; apply: (nth_find k0 (a := fun k => mean f (law_of k) == best laws f)).
have [|c /mapP[k k_in ->] best_is] := @best_attained R laws f _ measures_laws f0.
  by have := mem_enum K k0; rewrite /laws; case: (enum K).
by apply/hasP; exists k => //; rewrite best_is.
Qed.

(* With j steps to go and the sum t so far, what is sent at the history z (of these steps). *)
Fixpoint strategy (j : nat) (t : R) (z : seq S) : K :=
  let k := choice (fun x => V laws j.-1 (t + x)) in
  if z is x :: z' then strategy j.-1 (t + L k x) z' else k.

Theorem controlled_attained j t :
  \sum_(s : j.-tuple S) sequential (fun z x => triple (strategy j t z) None x) s *
    Num.max (t + losses (fun z x => L (strategy j t z) x) (fun=> true) s) 0 = V laws j t.
Proof.
elim: j t => [|j IH] t.
  rewrite (bigD1 [tuple]) //= [X in _ + X]big1 ?addr0 => [|s]; last by rewrite [s]tuple0 => /eqP.
  by rewrite /sequential /losses !big_ord0 mul1r addr0.
rewrite sum_tuples [RHS]/= -choice_best => [|x]; last by apply: V_ge0; apply: measures_laws.
rewrite /mean (sum_atoms _ _ (fun y => V laws j (t + y))); apply: eq_bigr => x _.
under eq_bigr do rewrite sequential_cons losses_cons addrA -mulrA.
by rewrite -mulr_sumr /= IH.
Qed.

Definition worst_sequence n : adaptive_randomizers R (option bool) S := fun z x => triple (strategy n 0 z) x.
Definition worst_data n (i0 : 'I_n) (b : bool) : n.-tuple (option bool) := [tuple if k == i0 then Some b else None | k < n].

Lemma worst_neighbours n (i0 : 'I_n) : neighbours (worst_data i0 true) (worst_data i0 false).
Proof. by exists i0 => j j0; rewrite !tnth_mktuple (negPf j0). Qed.

Lemma worst_ldp T n : (forall k x x' s, triple k x s <= T * triple k x' s) -> ldp T (worst_sequence n).
Proof. by move=> private_triples z x x' s; apply: private_triples. Qed.

Theorem attained n (i0 : 'I_n.+1) :
  hockey E (shuffled (worst_sequence n.+1) (worst_data i0 true)) (shuffled (worst_sequence n.+1) (worst_data i0 false)) =
  V laws n.+1 0 / n.+1%:R.
Proof.
rewrite -controlled_attained mulr_suml; apply: eq_bigr => s _.
pose m (i : 'I_n.+1) := triple (strategy n.+1 0 (take i s)) None (tnth s i).
pose loss_at (i : 'I_n.+1) := L (strategy n.+1 0 (take i s)) (tnth s i).
pose M (k i : 'I_n.+1) := if k == i0 then m i * loss_at i else m i.
rewrite (@shuffled_difference R S n i0 E _ _ _ _ M) => [|j j0|i|k i k0'].
- rewrite (same_others (i0 := i0) (m := m) (L := loss_at)) // -mulrA.
  have n1 : 0 <= n.+1%:R^-1 :> R by rewrite invr_ge0 ler0n.
  have m0 : 0 <= \prod_i m i by apply: prodr_ge0 => i _; apply: mass_ge0.
  rewrite positive_part_scale // -[RHS]mulrA; congr (_ * _).
  by rewrite add0r [in LHS]mulrC positive_part_scale // mulrC.
- by rewrite !tnth_mktuple (negPf j0).
- by rewrite /M eqxx !tnth_mktuple eqxx losses_are.
by rewrite /M (negPf k0') tnth_mktuple (negPf k0').
Qed.

End Attained.

Section SameMeans.
Variables (R : realFieldType) (I : Type) (F G : I -> loss R).
Hypothesis same : forall i f, mean f (F i) = mean f (G i).

Lemma best_ext (C : seq (loss R)) (f g : R -> R) : f =1 g -> best C f = best C g.
Proof.
move=> fg; elim: C => [|c C IH] //=; rewrite IH; congr Num.max.
by apply: eq_bigr => x _; rewrite fg.
Qed.

Lemma V_same (r : seq I) j t : V (map F r) j t = V (map G r) j t.
Proof.
elim: j t => [|j IH] t //=.
rewrite (best_ext _ (fun x => IH (t + x))); move: (fun x => _) => f.
by elim: r {IH} => [|i r IHr] //=; rewrite same IHr.
Qed.

End SameMeans.

Section FiveCorners.
Variables (R : realFieldType) (T E : R).
Hypothesis T_gt1 : 1 < T.

Let T0 : 0 < T. Proof. exact: lt_trans ltr01 T_gt1. Qed.
Let p1 : 0 < T + 1. Proof. by rewrite addr_gt0 ?ltr01. Qed.
Let p2 : 0 < T + 2%:R. Proof. by rewrite addr_gt0 ?ltr0n. Qed.
Let p3 : 0 < 2%:R * T + 1. Proof. by rewrite addr_gt0 ?mulr_gt0 ?ltr0n ?ltr01. Qed.

(* 1/T, 1, T *)
Definition level (a : nat) : R := nth 0 [:: T^-1; 1; T] a.

Lemma level_le a b : (a < 3)%N -> (b < 3)%N -> (a <= b.+1)%N -> level a <= T * level b.
Proof.
have Tinv : T^-1 <= 1 by rewrite invf_le1 // ltW.
have TT : 1 <= T * T by rewrite mulr_ege1 // ltW.
have T1 := ltW T_gt1.
case: a => [|[|[|//]]] _; case: b => [|[|[|//]]] _ // _; rewrite /level /= ?mulfV ?mulr1 ?gt_eqF //.
- exact: le_trans Tinv T1.
- exact: le_trans Tinv TT.
- exact: (ler_pemulr (ltW T0) T1).
Qed.

(* u and v of the messages. *)
Definition point_at (i : 'I_5) (s : 'I_3) : nat * nat :=
  nth (1, 1)%N (nth [::] [:: [:: (0, 0); (2, 2)]; [:: (0, 0); (2, 1); (1, 2)]; [:: (2, 1); (0, 1)]; [:: (1, 2); (1, 0)]; [:: (2, 2); (1, 0); (0, 1)]]%N i) s.
Definition chance (i : 'I_5) (s : 'I_3) : R :=
  nth 0 (nth [::] [:: [:: T / (T + 1); (T + 1)^-1]; [:: T / (T + 2%:R); (T + 2%:R)^-1; (T + 2%:R)^-1]; [:: (T + 1)^-1; T / (T + 1)];
    [:: (T + 1)^-1; T / (T + 1)]; [:: (2%:R * T + 1)^-1; T / (2%:R * T + 1); T / (2%:R * T + 1)]] i) s.
Definition index_of (x : option bool) (c : nat * nat) : nat := match x with Some true => c.1 | Some false => c.2 | None => 1%N end.
Definition corner_mass (i : 'I_5) (x : option bool) (s : 'I_3) : R := chance i s * level (index_of x (point_at i s)).

Lemma chance_ge0 i s : 0 <= chance i s.
Proof. by case: i => -[|[|[|[|[|//]]]]] ?; case: s => -[|[|[|//]]] ?; rewrite /chance /= ?divr_ge0 ?invr_ge0 // ltW. Qed.

Lemma corner_mass_is_law i x : is_law (corner_mass i x).
Proof.
split=> [s|].
  rewrite mulr_ge0 ?chance_ge0 //; case: x => [[]|]; rewrite /= /level ?ler01 //.
    by case: (point_at i s).1 => [|[|[|k]]]; rewrite /= ?nth_nil ?invr_ge0 ?ler01 // ltW.
  by case: (point_at i s).2 => [|[|[|k]]]; rewrite /= ?nth_nil ?invr_ge0 ?ler01 // ltW.
have n0 : T != 0 by rewrite gt_eqF.
have n1 := lt0r_neq0 p1; have n2 := lt0r_neq0 p2; have n3 := lt0r_neq0 p3.
rewrite /corner_mass !big_ord_recl big_ord0 /chance /point_at /level.
by case: i => -[|[|[|[|[|//]]]]] ?; case: x => [[]|] /=; field; rewrite ?n0 ?n1 ?n2 ?n3.
Qed.

Definition corner_triple (i : 'I_5) (x : option bool) : dist R [finType of 'I_3] := Dist (corner_mass_is_law i x).
Definition corner_loss (i : 'I_5) (s : 'I_3) : R := level (point_at i s).1 - E * level (point_at i s).2.

Lemma corner_triple_private i x x' s : corner_triple i x s <= T * corner_triple i x' s.
Proof.
rewrite /= /corner_mass mulrCA ler_wpmul2l ?chance_ge0 //; apply: level_le.
- by case: i => -[|[|[|[|[|//]]]]] ?; case: s => -[|[|[|//]]] ?; case: x => [[]|].
- by case: i => -[|[|[|[|[|//]]]]] ?; case: s => -[|[|[|//]]] ?; case: x' => [[]|].
by case: i => -[|[|[|[|[|//]]]]] ?; case: s => -[|[|[|//]]] ?; case: x => [[]|]; case: x' => [[]|].
Qed.

Lemma corner_means i f : mean f (law_of corner_triple corner_loss i) = mean f (nth [::] (corner_laws T E) i).
Proof.
rewrite /law_of /mean sum_atoms !big_ord_recl big_ord0 /= /corner_mass /corner_loss /chance /point_at /level.
by case: i => -[|[|[|[|[|//]]]]] ?; rewrite /= !big_cons big_nil /= ?mul0r ?mulr1 ?addr0.
Qed.

Definition worst_randomizers n := worst_sequence ord0 corner_triple corner_loss n.

Theorem corners_attained n (i0 : 'I_n.+1) : [/\ ldp T (worst_randomizers n.+1), neighbours (worst_data i0 true) (worst_data i0 false) &
  hockey E (shuffled (worst_randomizers n.+1) (worst_data i0 true)) (shuffled (worst_randomizers n.+1) (worst_data i0 false)) =
  V (corner_laws T E) n.+1 0 / n.+1%:R].
Proof.
split; [by apply: worst_ldp => k x x' s; apply: corner_triple_private | exact: worst_neighbours |].
rewrite (attained _ (L := corner_loss)) => [|i s]; last first.
  by rewrite /= /corner_mass /corner_loss /= /level /= mulr1; ring.
congr (_ / _); rewrite /laws (V_same corner_means).
by congr (V _ _ _); rewrite !enum_ordSl enum_ord0.
Qed.

Corollary worst_case_attained n :
  exists (randomizers : adaptive_randomizers R (option bool) [finType of 'I_3]) (w w' : n.+1.-tuple (option bool)),
  [/\ ldp T randomizers, neighbours w w' &
      hockey E (shuffled randomizers w) (shuffled randomizers w') = V (corner_laws T E) n.+1 0 / n.+1%:R].
Proof. by exists (worst_randomizers n.+1), (worst_data ord0 true), (worst_data ord0 false); apply: corners_attained. Qed.

(* No bound for all adaptive sequences of epsilon0-DP randomizers is below it. *)
Corollary no_bound_below n (delta : R) :
    (forall (randomizers : adaptive_randomizers R (option bool) [finType of 'I_3]), ldp T randomizers ->
      private E delta (fun w : n.+1.-tuple (option bool) => shuffled randomizers w)) ->
  V (corner_laws T E) n.+1 0 / n.+1%:R <= delta.
Proof.
move=> all_private; have [private_ near <-] := corners_attained (@ord0 n).
by apply/dp_iff_hockey; apply: all_private.
Qed.

End FiveCorners.
