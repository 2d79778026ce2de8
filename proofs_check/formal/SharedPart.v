(* One sum for a shuffled adaptive sequence whose randomizers share a part m^(i) between all users: the bound of which BBGN19's blanket
   identity is the case of one randomizer.

   Fix a transcript; write m_i for the shared part, m_i + l_i(u) for user u != i0, and m_i L_i for P - E Q of the special user i0.

     average_of_shared  the average over orders of L_j prod_i (m_i + l_i(sigma i)), j the step of user i0 and l_i(i0) = 0, is the sum over sets B
                        of steps (those that drew from the shared part) and orders rho that end with i0 of
                          prod_(i in B) m_i prod_(i not in B) l_i(rho(number of steps before i not in B)) sum_(i in B) L_i / n!. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The number of entries `false` before the i-th. *)
Definition rank n (b : n.-tuple bool) (i : 'I_n) : nat := count negb (take i b).

Section Ranks.
Variables (n : nat) (b : n.+1.-tuple bool).

Lemma index_filter (T : eqType) (P : pred T) (s : seq T) x : uniq s -> x \in s -> P x ->
  index x (filter P s) = count P (take (index x s) s).
Proof.
elim: s => //= y s IH /andP[ys us]; rewrite inE eq_sym.
case: (eqVneq y x) => [<- _ ->|yx /= xs Px]; first by rewrite /= eqxx.
by case: (P y); rewrite /= ?(negPf yx) ?IH.
Qed.

(* Given j with b_j, the steps with b = false first and j last. *)
Definition order_of (j : 'I_n.+1) : seq 'I_n.+1 :=
  filter (fun i => ~~ tnth b i) (enum 'I_n.+1) ++ rcons (filter (fun i => tnth b i && (i != j)) (enum 'I_n.+1)) j.

Variable j : 'I_n.+1.
Hypothesis bj : tnth b j.

Lemma order_of_uniq : uniq (order_of j).
Proof.
rewrite cat_uniq rcons_uniq !(filter_uniq _ (enum_uniq _)) mem_filter eqxx andbF !andbT /=.
apply/hasPn => i; rewrite mem_rcons inE => i_in; apply: contraTN i_in.
move=> early; have {early} : i \in filter (fun i => ~~ tnth b i) (enum 'I_n.+1) by [].
rewrite mem_filter => /andP[bi _]; rewrite negb_or mem_filter (negPf bi) andbT.
by apply: contraNneq bi => ->.
Qed.

Lemma mem_order_of i : i \in order_of j.
Proof.
have i_in : i \in enum 'I_n.+1 by rewrite mem_enum.
rewrite mem_cat mem_rcons inE; do 2 rewrite (mem_filter _ _ (enum 'I_n.+1)) i_in andbT.
by case: (eqVneq i j) => [->|_]; rewrite ?bj ?orbT //= andbT orNb.
Qed.

Lemma size_order_of : size (order_of j) = n.+1.
Proof.
rewrite -[RHS](size_enum_ord n.+1); apply: perm_size; apply: uniq_perm; rewrite ?order_of_uniq ?enum_uniq //.
by move=> i; rewrite mem_order_of mem_enum.
Qed.

Lemma index_order_of i : (index i (order_of j) < n.+1)%N.
Proof. by rewrite -[X in (_ < X)%N]size_order_of index_mem mem_order_of. Qed.

Lemma position_inj : injective (fun i => inord (index i (order_of j)) : 'I_n.+1).
Proof.
move=> i k /(congr1 val); rewrite /= !inordK ?index_order_of // => ik.
by rewrite -[i](nth_index i (mem_order_of i)) ik nth_index ?mem_order_of.
Qed.

Definition position : 'S_n.+1 := perm position_inj.

Lemma position_last : position j = ord_max.
Proof.
apply: val_inj; rewrite permE /= inordK ?index_order_of //.
have := order_of_uniq; rewrite /order_of cat_uniq => /and3P[_ /hasPn disjoint]; rewrite rcons_uniq => /andP[j_out _].
have j_in : j \in rcons (filter (fun i => tnth b i && (i != j)) (enum 'I_n.+1)) j by rewrite mem_rcons mem_head.
rewrite index_cat ifN ?disjoint // -cats1 index_cat (negPf j_out) /= eqxx addn0.
by apply/eqP; rewrite -eqSS -addnS -(size_rcons _ j) -size_cat size_order_of.
Qed.

Lemma position_rank i : ~~ tnth b i -> position i = rank b i :> nat.
Proof.
move=> bi; rewrite permE /= inordK ?index_order_of // /order_of index_cat mem_filter bi mem_enum /=.
rewrite index_filter ?enum_uniq ?mem_enum // index_enum_ord /rank -[in RHS](map_tnth_enum b) -map_take count_map.
by apply: eq_count => k.
Qed.

End Ranks.

Section Average.
Variables (R : realFieldType) (n : nat) (m L : 'I_n.+1 -> R) (l : 'I_n.+1 -> 'I_n.+1 -> R) (i0 : 'I_n.+1).
Hypothesis special_never_left : forall i, l i i0 = 0.

(* The term of the set of steps b and the order rho in which users are left over. *)
Definition part (rho : 'S_n.+1) (b : n.+1.-tuple bool) : R :=
  \prod_i (if tnth b i then m i else l i (rho (inord (rank b i)))).

Lemma product_of_sums (F G : 'I_n.+1 -> R) :
  \prod_i (F i + G i) = \sum_(b : n.+1.-tuple bool) \prod_i (if tnth b i then F i else G i).
Proof.
rewrite (eq_bigr (fun i => \sum_c (if c then F i else G i))) => [|i _]; last by rewrite big_bool.
rewrite bigA_distr_bigA (reindex (fun b : n.+1.-tuple bool => [ffun i => tnth b i])) /=; last first.
  exists (fun f : {ffun 'I_n.+1 -> bool} => [tuple f i | i < n.+1]) => [b _|f _].
    by apply: eq_from_tnth => i; rewrite tnth_mktuple ffunE.
  by apply/ffunP => i; rewrite ffunE tnth_mktuple.
by apply: eq_bigr => b _; apply: eq_bigr => i _; rewrite ffunE.
Qed.

Lemma orders_of_step (b : n.+1.-tuple bool) j : tnth b j ->
  \sum_(sigma : 'S_n.+1 | (sigma^-1)%g i0 == j) \prod_i (if tnth b i then m i else l i (sigma i)) =
  \sum_(rho : 'S_n.+1 | rho ord_max == i0) part rho b.
Proof.
move=> bj; rewrite (reindex_inj (mulgI (position bj))) /=; apply: eq_big => [rho|rho _].
  have at_j : (position bj * rho)%g j = rho ord_max by rewrite permM position_last.
  by rewrite -at_j (canF_eq (permKV _)) eq_sym.
apply: eq_bigr => i _; case: ifP => // /negbT bi; rewrite permM; congr (l i (rho _)).
by apply: val_inj; rewrite /= -(position_rank bj bi) inordK.
Qed.

Lemma orders_of_other_step (b : n.+1.-tuple bool) j : ~~ tnth b j ->
  \sum_(sigma : 'S_n.+1 | (sigma^-1)%g i0 == j) \prod_i (if tnth b i then m i else l i (sigma i)) = 0.
Proof.
move=> bj; apply: big1 => sigma /eqP sigma_j.
have sigma_at_j : sigma j = i0 by rewrite -sigma_j permKV.
by rewrite (bigD1 j) //= (negPf bj) sigma_at_j special_never_left mul0r.
Qed.

Theorem average_of_shared :
  \sum_(sigma : 'S_n.+1) L ((sigma^-1)%g i0) * \prod_i (m i + l i (sigma i)) =
  \sum_(b : n.+1.-tuple bool) (\sum_(rho : 'S_n.+1 | rho ord_max == i0) part rho b) * (\sum_(i | tnth b i) L i).
Proof.
under eq_bigr do rewrite product_of_sums mulr_sumr.
rewrite exchange_big /=; apply: eq_bigr => b _.
rewrite (partition_big (fun sigma : 'S_n.+1 => (sigma^-1)%g i0) predT) //= mulr_sumr [RHS]big_mkcond /=.
apply: eq_bigr => j _; rewrite (eq_bigr (fun sigma : 'S_n.+1 => L j * \prod_i (if tnth b i then m i else l i (sigma i)))); last first.
  by move=> sigma /eqP ->.
rewrite -mulr_sumr mulrC; case: ifP => [bj|/negbT bj]; first by rewrite orders_of_step.
by rewrite orders_of_other_step // mul0r.
Qed.

Hypotheses (m_ge0 : forall i, 0 <= m i) (l_ge0 : forall i u, 0 <= l i u).

Lemma part_ge0 rho b : 0 <= part rho b.
Proof. by apply: prodr_ge0 => i _; case: ifP. Qed.

Corollary positive_average_of_shared :
  Num.max (\sum_(sigma : 'S_n.+1) L ((sigma^-1)%g i0) * \prod_i (m i + l i (sigma i))) 0 <=
  \sum_(rho : 'S_n.+1 | rho ord_max == i0) \sum_(b : n.+1.-tuple bool) part rho b * Num.max (\sum_(i | tnth b i) L i) 0.
Proof.
rewrite average_of_shared; apply: le_trans (positive_part_sum _ _) _.
rewrite [leRHS]exchange_big /=; apply: ler_sum => b _.
by rewrite -mulr_suml positive_part_scale // sumr_ge0 // => rho _; apply: part_ge0.
Qed.

End Average.
