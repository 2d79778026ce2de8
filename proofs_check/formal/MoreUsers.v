(* More users hide no less: what every shuffled adaptive sequence of n users satisfies, every one of more users does, if randomizers of a class may be
   chosen at every step. Reveal the step of a user in whom neighbours do not differ, and what that user sends there: the other steps are a sequence
   of one user less, on shuffled data.

     order_average_without   an average over the orders of all, by the step of the first user;
     more_users              (epsilon, delta)-DP for n + 1 users and any sequence of the class is so for n + 1 + k users: of eps0-DP randomizers,
                             of (eps0, delta0)-DP ones, or of one randomizer alone. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition SmallCases.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Expansion.
Variable R : realFieldType.

Lemma order_average_permanent n (X : Type) (M : 'I_n -> X -> R) (w : n.-tuple X) :
  order_average M w = n`!%:R^-1 * permanent (fun j p => M p (tnth w j)).
Proof.
congr (_ * _); rewrite /permanent (reindex_inj invg_inj) /=; apply: eq_bigr => sigma _.
by rewrite (reindex_inj (@perm_inj _ sigma)) /=; apply: eq_bigr => j _; rewrite permK.
Qed.

Lemma order_average_without n (X : Type) (M : 'I_n.+1 -> X -> R) (w : n.-tuple X) x :
  order_average M [tuple of x :: w] = n.+1%:R^-1 * \sum_p M p x * order_average (fun k => M (lift p k)) w.
Proof.
rewrite order_average_permanent permanent_expand factS natrM invfM -mulrA; congr (_ * _).
rewrite mulr_sumr; apply: eq_bigr => p _; rewrite tnth0 mulrCA order_average_permanent; congr (_ * (_ * _)).
rewrite /permanent; apply: eq_bigr => sigma _; apply: eq_bigr => i _.
by rewrite tnthS.
Qed.

End Expansion.

Lemma bump_lt p k : bump p k = if (k < p)%N then k else k.+1.
Proof. by rewrite /bump; case: leqP. Qed.

Section Insertion.
Variables (S : Type) (n : nat) (p : 'I_n.+2).

(* The outputs t with y at step p. *)
Definition with_at (t : n.+1.-tuple S) (y : S) : n.+2.-tuple S := [tuple if unlift p i is Some k then tnth t k else y | i < n.+2].

Lemma with_at_own t y : tnth (with_at t y) p = y.
Proof. by rewrite tnth_mktuple unlift_none. Qed.

Lemma with_at_other t y k : tnth (with_at t y) (lift p k) = tnth t k.
Proof. by rewrite tnth_mktuple liftK. Qed.

Lemma with_at_val t y : with_at t y = take p t ++ y :: drop p t :> seq S.
Proof.
have p_le : (p <= size t)%N by rewrite size_tuple -ltnS.
apply: (@eq_from_nth _ y) => [|i].
  by rewrite size_tuple size_cat /= size_takel // size_drop addnS subnKC // size_tuple.
rewrite size_tuple => i_lt; rewrite -[i]/(nat_of_ord (Ordinal i_lt)); move: (Ordinal i_lt) => j.
rewrite -tnth_nth nth_cat size_takel //; case: (unliftP p j) => [k|] ->; last by rewrite with_at_own ltnn subnn.
rewrite with_at_other (tnth_nth y) /= bump_lt; case: (ltnP k p) => pk; first by rewrite pk nth_take.
by rewrite ltnNge leqW //= subSn //= nth_drop subnKC.
Qed.

Lemma take_with_at t y : take p (with_at t y) = take p t.
Proof. by rewrite with_at_val take_size_cat // size_takel // size_tuple -ltnS. Qed.

Lemma take_with_at_other t y (k : 'I_n.+1) :
  take (lift p k) (with_at t y) = if (k < p)%N then take k t else take p (take k t) ++ y :: drop p (take k t).
Proof.
have p_le : (p <= size t)%N by rewrite size_tuple -ltnS.
rewrite with_at_val take_cat size_takel //= bump_lt; case: (ltnP k p) => kp; first by rewrite kp take_take // ltnW.
rewrite ltnNge leqW //= subSn //= take_take //; congr (_ ++ _ :: _).
by rewrite take_drop subnK.
Qed.

End Insertion.

Section MoreUsers.
Variables (R : realFieldType) (D : Type) (S : finType) (step : (D -> dist R S) -> Prop) (E delta : R).

(* The sequence of all but one step p, at which the output is f of those before. *)
Definition with_output (p : nat) (f : seq S -> S) (randomizers : adaptive_randomizers R D S) : adaptive_randomizers R D S :=
  fun z => if (size z < p)%N then randomizers z else randomizers (take p z ++ f (take p z) :: drop p z).

Lemma one_more_user n (randomizers : adaptive_randomizers R D S) x (w w' : n.+1.-tuple D) :
    (forall p f, hockey E (shuffled (with_output p f randomizers) w) (shuffled (with_output p f randomizers) w') <= delta) ->
  hockey E (shuffled randomizers [tuple of x :: w]) (shuffled randomizers [tuple of x :: w']) <= delta.
Proof.
move=> fewer.
pose given (v : n.+1.-tuple D) (p : 'I_n.+2) (s : n.+2.-tuple S) :=
  order_average (fun k y => randomizers (take (lift p k) s) y (tnth s (lift p k))) v.
pose part p s := Num.max (given w p s - E * given w' p s) 0.
apply: (@le_trans _ _ (\sum_(s : n.+2.-tuple S) n.+2%:R^-1 * \sum_(p < n.+2) randomizers (take p s) x (tnth s p) * part p s)).
  apply: ler_sum => s _; rewrite !shuffled_order_average !order_average_without.
  rewrite [E * _]mulrCA -mulrBr positive_part_scale ?invr_ge0 ?ler0n // ler_wpmul2l ?invr_ge0 ?ler0n //.
  rewrite mulr_sumr -sumrB; apply: le_trans (positive_part_sum _ _) _; apply: ler_sum => p _.
  by rewrite [E * _]mulrCA -mulrBr positive_part_scale ?mass_ge0.
rewrite -mulr_sumr exchange_big /= mulrC ler_pdivr_mulr ?ltr0n // mulr_natr -[X in delta *+ X]card_ord -sumr_const.
apply: ler_sum => p _.
have [y0 _|none] := pickP (fun _ : S => true); last first.
  have := mass_sum1 (randomizers [::] x); rewrite big_pred0 // => /esym/eqP; by rewrite oner_eq0.
pose part_at t y := part p (with_at p t y).
pose all_parts (z : seq S) y := \sum_(t : n.+1.-tuple S | take p t == z) part_at t y.
pose f z := [arg max_(y > y0) all_parts z y]%O.
have f_largest z y : all_parts z y <= all_parts z (f z).
  by rewrite /f; case: Order.TotalTheory.arg_maxP => // y1 _; apply.
apply: le_trans (fewer p f).
rewrite (reindex (fun ty : n.+1.-tuple S * S => with_at p ty.1 ty.2)) /=; last first.
  exists (fun s => ([tuple tnth s (lift p k) | k < n.+1], tnth s p)) => [[t y] _|s _] /=.
    rewrite with_at_own; congr (_, _); apply: eq_from_tnth => k.
    by rewrite tnth_mktuple with_at_other.
  apply: eq_from_tnth => i; case: (unliftP p i) => [k|] ->; last by rewrite with_at_own.
  by rewrite with_at_other tnth_mktuple.
rewrite -(pair_bigA _ (fun t y => randomizers (take p (with_at p t y)) x (tnth (with_at p t y) p) * part p (with_at p t y))) /=.
apply: (@le_trans _ _ (\sum_t part_at t (f (take p t)))); last first.
  rewrite /hockey; apply: ler_sum => t _; rewrite !shuffled_order_average.
  have same v : order_average (fun i y => with_output p f randomizers (take i t) y (tnth t i)) v = given v p (with_at p t (f (take p t))).
    congr (_ * _); apply: eq_bigr => sigma _; apply: eq_bigr => k _.
    rewrite with_at_other take_with_at_other /with_output size_takel ?size_tuple ?(ltnW (ltn_ord k)) //.
    by case: ltnP => // pk; rewrite take_take.
  by rewrite !same.
rewrite (partition_big (fun t : n.+1.-tuple S => [tuple of take p t]) predT) //= [leRHS](partition_big (fun t : n.+1.-tuple S => [tuple of take p t]) predT) //=.
apply: ler_sum => u _.
have same_prefix (t : n.+1.-tuple S) : ([tuple of take p t] == u) = (take p t == u :> seq S) by [].
apply: (@le_trans _ _ (\sum_y randomizers u x y * all_parts u y)).
  rewrite exchange_big /=; apply: ler_sum => y _; rewrite mulr_sumr le_eqVlt; apply/orP; left; apply/eqP.
  apply: eq_big => [t|t /eqP <-]; first exact: same_prefix.
  by rewrite take_with_at with_at_own.
apply: (@le_trans _ _ (\sum_y randomizers u x y * all_parts u (f u))).
  by apply: ler_sum => y _; rewrite ler_wpmul2l ?mass_ge0.
rewrite -mulr_suml mass_sum1 mul1r le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_big => [t|t /eqP <-].
Qed.

Theorem more_users n k :
    (forall randomizers : adaptive_randomizers R D S, (forall z, step (randomizers z)) ->
       private E delta (fun w : n.+1.-tuple D => shuffled randomizers w)) ->
  forall randomizers : adaptive_randomizers R D S, (forall z, step (randomizers z)) ->
    private E delta (fun w : (k + n.+1).-tuple D => shuffled randomizers w).
Proof.
move=> fewer; elim: k => [|k IH] randomizers class; first exact: fewer.
rewrite addSn; move: IH; rewrite addnS => IH w w' [i0 others_equal]; apply/dp_iff_hockey.
have [j ji] : exists j : 'I_(k + n).+2, j != i0.
  by have [->|i00] := eqVneq i0 ord0; [exists ord_max | exists ord0; rewrite eq_sym].
pose tau := tperm ord0 j.
have moved (v : (k + n).+2.-tuple D) : shuffled randomizers v =1 shuffled randomizers (permuted v tau).
  by move=> s; rewrite !shuffled_order_average order_average_permuted.
rewrite (eq_hockey E (moved w) (moved w')) (tuple_eta (permuted w tau)) (tuple_eta (permuted w' tau)).
have -> : thead (permuted w' tau) = thead (permuted w tau).
  by rewrite /thead !tnth_mktuple tpermL others_equal.
apply: one_more_user => p f; apply/dp_iff_hockey; apply: IH => [z|]; first by rewrite /with_output; case: ifP.
have [i eq_i] : exists i, tau i0 = lift ord0 i.
  case: (unliftP ord0 (tau i0)) => [i|] eq_i; first by exists i.
  by move: ji; rewrite -(inj_eq (@perm_inj _ tau)) eq_i tpermR eqxx.
exists i => l li; rewrite !tnth_behead !tnth_mktuple others_equal //.
apply: contraNneq li => back; apply/eqP/(@lift_inj _ ord0); rewrite -eq_i -back tpermK.
by apply: val_inj; rewrite /= inordK // ltnS.
Qed.

End MoreUsers.
