(* Randomizers that are (epsilon0, delta0)-DP: FMT21, Lemma 3.7 and Theorem 3.8, for messages from a finite set.

     clipped_nearby            let R(x) be (epsilon0, delta0)-indistinguishable from a law rho, both ways round. Then R(x) clipped to
                               [e^-epsilon0 rho, e^epsilon0 rho] and balanced is a law within these bounds, at total variation at most delta0 from
                               R(x)                                                                                     (FMT21, Lemma 3.7);
     approximate_clones_dominate
                               for every n, T = e^epsilon0 >= 1, every adaptive sequence of (epsilon0, delta0)-DP local randomizers, every two
                               neighbouring datasets and every E >= 0,
                                 D_E(A_s(w) || A_s(w')) <= D_E(P || Q) + delta0 + (E + 1) (3/2) e^-epsilon0 (n - 1) delta0,
                               (P, Q) the clones pair;
     approximate_clones_private
                               so A_s is (epsilon, delta)-DP with that delta, and with D_E(P || Q) + (e^epsilon + 1) (1 + e^-epsilon0/2) n delta0,
                               which is no less: FMT21, Theorem 3.8, the clones pair's own delta in the place of its closed form.

   Proof. Clip user i0's law a on w to b, the law on w': a is replaced by a' with ratio T to b, at total variation delta0, and a' <= max(a, b).
   Where another user's law c is below h = (a' + b)/(2T) raise it to h, and take what was added from where c exceeds h: that costs
   sum of max(h - c, 0) <= (sum of max(a' - T c, 0) + max(b - T c, 0))/(2T) <= (3/2) delta0/T. Then Theorem 3.2's kernel is there. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition ClonesPair HidingAmongTheClones NearbyRandomizers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Balance.
Variables (R : realFieldType) (S : finType).
Implicit Types (c rho : S -> R).

Let above c rho := \sum_s Num.max (rho s - c s) 0.

(* c moved towards rho until its masses sum to 1. *)
Definition balanced c rho (s : S) : R :=
  if \sum_s c s <= 1 then c s + (1 - \sum_s c s) / above c rho * Num.max (rho s - c s) 0
  else c s - (\sum_s c s - 1) / above rho c * Num.max (c s - rho s) 0.

Lemma above_ge0 c rho : 0 <= above c rho.
Proof. by apply: sumr_ge0 => s _; apply: positive_part_ge0. Qed.

Lemma above_ge c rho : \sum_s rho s - \sum_s c s <= above c rho.
Proof. by rewrite -sumrB; apply: ler_sum => s _; apply: positive_part_ge. Qed.

(* It gets there. *)
Definition reachable c rho : Prop := 1 - \sum_s c s <= above c rho /\ \sum_s c s - 1 <= above rho c.

Lemma reachable_law c rho : \sum_s rho s = 1 -> reachable c rho.
Proof. by move=> rho1; split; rewrite -{1}rho1 above_ge. Qed.

Section Reached.
Variables (c rho : S -> R).
Hypothesis reached : reachable c rho.

Let share (x y : R) : 0 <= x -> x <= y -> 0 <= x / y <= 1 /\ x / y * y = x.
Proof.
move=> x0 xy; have [y0|y0] := eqVneq y 0.
  have -> : x = 0 by apply/eqP; rewrite eq_le x0 -y0 xy.
  by rewrite !mul0r lexx ler01.
have y_gt0 : 0 < y by rewrite lt_def y0 (le_trans x0).
by rewrite divr_ge0 ?(ltW y_gt0) // ler_pdivr_mulr ?mul1r // divfK.
Qed.

Lemma balanced_up : \sum_s c s <= 1 -> forall s, c s <= balanced c rho s /\ balanced c rho s <= Num.max (c s) (rho s).
Proof.
move=> small s; rewrite /balanced small; have below : 0 <= 1 - \sum_s c s by rewrite subr_ge0.
have [/andP[theta0 theta1] _] := share below reached.1; split; first by rewrite ler_addl mulr_ge0 ?positive_part_ge0.
rewrite [leRHS](_ : _ = c s + Num.max (rho s - c s) 0); last by rewrite addr_maxr addr0 addrC subrK maxC.
by rewrite ler_add2l ler_pimull ?positive_part_ge0.
Qed.

Lemma balanced_down : 1 <= \sum_s c s -> forall s, balanced c rho s <= c s /\ Num.min (c s) (rho s) <= balanced c rho s.
Proof.
move=> large s; rewrite /balanced; case: (leP (\sum_s c s) 1) => [small|_].
  have -> : 1 - \sum_s c s = 0 by apply/eqP; rewrite subr_eq0 eq_le small large.
  by rewrite !mul0r addr0 le_minl lexx.
have below : 0 <= \sum_s c s - 1 by rewrite subr_ge0.
have [/andP[theta0 theta1] _] := share below reached.2; split; first by rewrite ler_subl_addr ler_addl mulr_ge0 ?positive_part_ge0.
rewrite [leLHS](_ : _ = c s - Num.max (c s - rho s) 0); last by rewrite oppr_max opprB oppr0 addr_minr addr0 addrC subrK minC.
by rewrite ler_add2l ler_opp2 ler_pimull ?positive_part_ge0.
Qed.

Lemma balanced_sum : \sum_s balanced c rho s = 1.
Proof.
rewrite /balanced; case: (leP (\sum_s c s) 1) => [small|/ltW large].
  have below : 0 <= 1 - \sum_s c s by rewrite subr_ge0.
  by rewrite big_split /= -mulr_sumr -/(above c rho) (share below reached.1).2 addrC subrK.
have below : 0 <= \sum_s c s - 1 by rewrite subr_ge0.
by rewrite sumrB -mulr_sumr -/(above rho c) (share below reached.2).2 opprB addrC subrK.
Qed.

Lemma balanced_is_law : (forall s, 0 <= c s) -> (forall s, 0 <= rho s) -> is_law (balanced c rho).
Proof.
move=> c0 rho0; split=> [s|]; last exact: balanced_sum.
have [small|/ltW large] := leP (\sum_s c s) 1; first by have [+ _] := balanced_up small s; apply: le_trans.
by have [_] := balanced_down large s; apply: le_trans; rewrite le_minr c0 rho0.
Qed.

End Reached.
End Balance.

Section Clipping.
Variables (R : realFieldType) (S : finType) (T delta0 : R).
Hypotheses (T_ge1 : 1 <= T) (delta0_ge0 : 0 <= delta0).
Implicit Types a b c rho : dist R S.

Let T_gt0 : 0 < T := lt_le_trans ltr01 T_ge1.

Lemma total_variation_symmetric (P Q : S -> R) : is_law P -> is_law Q -> hockey 1 P Q = hockey 1 Q P.
Proof. by move=> lawP lawQ; rewrite (hockey_below_one lawP lawQ ltr01) subrr add0r invr1 mul1r. Qed.

Definition between a rho (s : S) : R := Num.max (rho s / T) (Num.min (a s) (T * rho s)).
Definition clipped_mass a rho : S -> R := balanced (between a rho) rho.

Let rho_between rho s : rho s / T <= rho s <= T * rho s.
Proof. by rewrite ler_pdivr_mulr // ler_pemulr ?ler_pemull ?mass_ge0. Qed.

Lemma between_bounds a rho s : rho s / T <= between a rho s <= T * rho s.
Proof.
have /andP[low high] := rho_between rho s.
by rewrite /between le_maxr lexx /= le_maxl (le_trans low high) le_minl lexx orbT.
Qed.

Lemma clipped_is_law a rho : is_law (clipped_mass a rho).
Proof.
apply: balanced_is_law; first by apply: reachable_law; apply: mass_sum1.
  by move=> s; have /andP[+ _] := between_bounds a rho s; apply: le_trans; rewrite divr_ge0 ?mass_ge0 ?(ltW T_gt0).
by move=> s; apply: mass_ge0.
Qed.

Definition clipped_law a rho : dist R S := Dist (clipped_is_law a rho).

Lemma clipped_bounds a rho s : rho s / T <= clipped_law a rho s <= T * rho s.
Proof.
have /andP[low high] := between_bounds a rho s; have /andP[low' high'] := rho_between rho s.
have reached := reachable_law (between a rho) (mass_sum1 rho).
rewrite /= /clipped_mass; have [small|/ltW large] := leP (\sum_s between a rho s) 1.
  have [ge le] := balanced_up reached small s.
  by rewrite (le_trans low ge) (le_trans le) // le_maxl high high'.
have [le ge] := balanced_down reached large s.
by rewrite (le_trans le high) andbT (le_trans _ ge) // le_minr low low'.
Qed.

Lemma clipped_le_max a rho s : clipped_law a rho s <= Num.max (a s) (rho s).
Proof.
have between_le : between a rho s <= Num.max (a s) (rho s).
  have /andP[low' _] := rho_between rho s.
  by rewrite le_maxl; apply/andP; split; rewrite le_maxr ?low' ?orbT // le_minl lexx.
have reached := reachable_law (between a rho) (mass_sum1 rho).
rewrite /= /clipped_mass; have [small|/ltW large] := leP (\sum_s between a rho s) 1.
  by have [_ le] := balanced_up reached small s; rewrite (le_trans le) // le_maxl between_le le_maxr lexx orbT.
by have [le _] := balanced_down reached large s; apply: le_trans between_le.
Qed.

Lemma clipped_variation a rho : hockey T a rho <= delta0 -> hockey T rho a <= delta0 -> hockey 1 a (clipped_law a rho) <= delta0.
Proof.
move=> a_rho rho_a; have reached := reachable_law (between a rho) (mass_sum1 rho).
have [small|/ltW large] := leP (\sum_s between a rho s) 1.
  apply: le_trans a_rho; apply: ler_sum => s _; have [ge _] := balanced_up reached small s.
  rewrite mul1r le_maxl positive_part_ge0 andbT; apply: (@le_trans _ _ (a s - between a rho s)); first by rewrite ler_add2l ler_opp2.
  rewrite /between; case: (leP (a s) (T * rho s)) => [le|/ltW ge'].
    by rewrite (@le_trans _ _ 0) ?positive_part_ge0 // subr_le0 le_maxr lexx orbT.
  by rewrite le_maxr; apply/orP; left; rewrite ler_add2l ler_opp2 le_maxr lexx orbT.
rewrite total_variation_symmetric; try exact: mass_is_law.
apply: (@le_trans _ _ (hockey T rho a / T)); last first.
  by rewrite ler_pdivr_mulr // (le_trans rho_a) // ler_pemulr.
rewrite /hockey mulr_suml; apply: ler_sum => s _; have [le _] := balanced_down reached large s.
have T_inv : 0 <= T^-1 by rewrite invr_ge0 ltW.
rewrite mul1r [_ / T]mulrC -positive_part_scale // mulrBr mulKf ?gt_eqF // [T^-1 * _]mulrC.
rewrite le_maxl positive_part_ge0 andbT; apply: (@le_trans _ _ (between a rho s - a s)); first by rewrite ler_add2r.
rewrite /between ler_subl_addr le_maxl; apply/andP; split; first by rewrite -ler_subl_addr positive_part_ge.
by rewrite (@le_trans _ _ (a s)) ?le_minl ?lexx // ler_addr positive_part_ge0.
Qed.

(* FMT21, Lemma 3.7: the same clipping for every input, the reference being rho. *)
Theorem clipped_nearby a rho : dp T delta0 a rho -> dp T delta0 rho a ->
  [/\ forall s, rho s <= T * clipped_law a rho s, forall s, clipped_law a rho s <= T * rho s & hockey 1 a (clipped_law a rho) <= delta0].
Proof.
move=> /dp_iff_hockey a_rho /dp_iff_hockey rho_a; split=> [s|s|]; last exact: clipped_variation.
  by have /andP[+ _] := clipped_bounds a rho s; rewrite ler_pdivr_mulr // mulrC.
by have /andP[] := clipped_bounds a rho s.
Qed.

(* Raised to h, where h has mass at most 1: what was added is taken from where the law exceeds h. *)
Definition raised_mass c (h : S -> R) : S -> R := balanced (fun s => Num.max (c s) (h s)) h.

Section Raised.
Variables (c : dist R S) (h : S -> R).
Hypotheses (h_ge0 : forall s, 0 <= h s) (h_le1 : \sum_s h s <= 1).

Let raised_large : 1 <= \sum_s Num.max (c s) (h s).
Proof. by rewrite -(mass_sum1 c); apply: ler_sum => s _; rewrite le_maxr lexx. Qed.

Let raised_reachable : reachable (fun s => Num.max (c s) (h s)) h.
Proof.
split; first by rewrite (@le_trans _ _ 0) ?above_ge0 // subr_le0.
by apply: le_trans (above_ge _ _); rewrite ler_add2l ler_opp2.
Qed.

Lemma raised_is_law : is_law (raised_mass c h).
Proof. by apply: balanced_is_law => // s; rewrite le_maxr h_ge0 orbT. Qed.

Definition raised_law : dist R S := Dist raised_is_law.

Lemma raised_ge s : h s <= raised_law s.
Proof.
have [_] := balanced_down raised_reachable raised_large s; apply: le_trans.
by rewrite le_minr lexx le_maxr lexx orbT.
Qed.

Lemma raised_variation : hockey 1 c raised_law <= \sum_s Num.max (h s - c s) 0.
Proof.
rewrite total_variation_symmetric; try exact: mass_is_law.
apply: ler_sum => s _; have [le _] := balanced_down raised_reachable raised_large s.
rewrite mul1r le_maxl positive_part_ge0 andbT ler_subl_addr; apply: le_trans le _.
rewrite le_maxl; apply/andP; split; first by rewrite ler_addr positive_part_ge0.
by rewrite -ler_subl_addr positive_part_ge.
Qed.

End Raised.

(* Another user's law, raised to h = (clipped a + b)/(2T). *)
Definition cover a b (s : S) : R := (clipped_law a b s + b s) / (T *+ 2).

Let T2_gt0 : 0 < T *+ 2. Proof. by rewrite pmulrn_lgt0. Qed.

Lemma cover_ge0 a b s : 0 <= cover a b s.
Proof. by apply: divr_ge0; [rewrite addr_ge0 ?mass_ge0 | apply: ltW]. Qed.

Lemma cover_sum a b : \sum_s cover a b s <= 1.
Proof.
have [_ sum_clipped] := clipped_is_law a b.
by rewrite -mulr_suml big_split /= sum_clipped mass_sum1 ler_pdivr_mulr // mul1r mulr2n ler_add.
Qed.

Lemma cover_variation a b c : hockey T a c <= delta0 -> hockey T b c <= delta0 ->
  \sum_s Num.max (cover a b s - c s) 0 <= 3%:R / 2%:R / T * delta0.
Proof.
move=> ac bc; have T_neq0 : T != 0 by rewrite gt_eqF.
have half : 0 <= (T *+ 2)^-1 by rewrite invr_ge0 ltW.
apply: (@le_trans _ _ ((T *+ 2)^-1 * (hockey T a c + hockey T b c + hockey T b c))); last first.
  rewrite [leRHS](_ : _ = (T *+ 2)^-1 * (delta0 + delta0 + delta0)); first by rewrite ler_wpmul2l // !ler_add.
  by rewrite -[T *+ 2]mulr_natr; move: delta0 => x; field.
rewrite /hockey -!big_split mulr_sumr; apply: ler_sum => s _ /=.
have -> : cover a b s - c s = (T *+ 2)^-1 * ((clipped_law a b s - T * c s) + (b s - T * c s)).
  rewrite /cover -[T *+ 2]mulr_natr; move: (mass (clipped_law a b) s) (mass b s) (mass c s) => x y z.
  by field.
rewrite positive_part_scale // ler_wpmul2l //; apply: le_trans (positive_part_add _ _) _; rewrite ler_add2r le_maxl.
rewrite (addr_ge0 (positive_part_ge0 _) (positive_part_ge0 _)) andbT ler_subl_addr; apply: le_trans (clipped_le_max a b s) _.
rewrite le_maxl; apply/andP; split.
  by rewrite addrAC -[X in X <= _]addr0 ler_add ?positive_part_ge0 // -ler_subl_addr positive_part_ge.
by rewrite -addrA -[X in X <= _]add0r ler_add ?positive_part_ge0 // -ler_subl_addr positive_part_ge.
Qed.

End Clipping.

Section Reduction.
Variables (R : realFieldType) (D : Type) (S : finType) (T delta0 : R) (n : nat) (randomizers : adaptive_randomizers R D S).
Variables (w w' : n.-tuple D) (i0 : 'I_n).
Hypotheses (T_ge1 : 1 <= T) (delta0_ge0 : 0 <= delta0) (same_others : forall j, j != i0 -> tnth w j = tnth w' j).
Hypothesis local_privacy : forall z x x', dp T delta0 (randomizers z x) (randomizers z x').
Local Notation data like := (if like then w else w').
Local Notation user := (bool + 'I_n)%type.

Let a z := randomizers z (tnth w i0).
Let b z := randomizers z (tnth w' i0).

(* The same sequence, and the private one beside it, on users instead of their values: inl true is user i0 with the value of w, inl false
   with that of w'. *)
Definition on_users : adaptive_randomizers R user S :=
  fun z u => match u with inl like => randomizers z (tnth (data like) i0) | inr j => randomizers z (tnth w j) end.

Definition private_nearby : adaptive_randomizers R user S :=
  fun z u => match u with
  | inl true => clipped_law T_ge1 (a z) (b z)
  | inl false => b z
  | inr j => raised_law (randomizers z (tnth w j)) (cover_ge0 T_ge1 (a z) (b z)) (cover_sum T_ge1 (a z) (b z))
  end.

Definition users like : n.-tuple user := [tuple if j == i0 then inl like else inr j | j < n].

Lemma users_special like : tnth (users like) i0 = inl like.
Proof. by rewrite tnth_mktuple eqxx. Qed.

Lemma users_other like j : j != i0 -> tnth (users like) j = inr j.
Proof. by move=> ji; rewrite tnth_mktuple (negPf ji). Qed.

Lemma shuffled_on_users like : shuffled randomizers (data like) =1 shuffled on_users (users like).
Proof.
move=> s; congr (_ * _); apply: eq_bigr => sigma _; apply: eq_bigr => i _; rewrite !tnth_mktuple /=.
by case: eqP => [->|/eqP ji] //; case: like => //=; rewrite same_others.
Qed.

Definition distance (u : user) : R := match u with inl true => delta0 | inl false => 0 | inr _ => 3%:R / 2%:R / T * delta0 end.

Lemma private_nearby_distance z u : hockey 1 (on_users z u) (private_nearby z u) <= distance u.
Proof.
have near x x' : hockey T (randomizers z x) (randomizers z x') <= delta0 by apply/dp_iff_hockey.
case: u => [[]|j].
- exact: (clipped_variation T_ge1 delta0_ge0 (near (tnth w i0) (tnth w' i0)) (near (tnth w' i0) (tnth w i0))).
- by rewrite [leLHS](hockey_self (mass_is_law _)).
apply: le_trans (raised_variation _ _ _) _.
exact: (cover_variation T_ge1 (near (tnth w i0) (tnth w j)) (near (tnth w' i0) (tnth w j))).
Qed.

Lemma sum_distance like : \sum_(i < n) distance (tnth (users like) i) = (if like then delta0 else 0) + n.-1%:R * (3%:R / 2%:R / T * delta0).
Proof.
rewrite (bigD1 i0) //= users_special; congr (_ + _).
rewrite (eq_bigr (fun=> 3%:R / 2%:R / T * delta0)) => [|j ji]; last by rewrite users_other.
by rewrite sumr_const cardC1 card_ord -mulr_natl.
Qed.

Lemma private_nearby_dominated E :
  hockey E (shuffled private_nearby (users true)) (shuffled private_nearby (users false)) <= hockey E (@clones_P R n T) (@clones_Q R n T).
Proof.
have near z x x' : dp T delta0 (randomizers z x) (randomizers z x') := local_privacy z x x'.
have [] // := @hiding_under_cover R _ S T n T_ge1 private_nearby (users true) (users false) i0.
- by move=> j ji; rewrite !users_other.
- move=> z s; rewrite !users_special.
  by have [_ + _] := clipped_nearby T_ge1 delta0_ge0 (near z (tnth w i0) (tnth w' i0)) (near z (tnth w' i0) (tnth w i0)); apply.
- move=> z s; rewrite !users_special.
  by have [+ _ _] := clipped_nearby T_ge1 delta0_ge0 (near z (tnth w i0) (tnth w' i0)) (near z (tnth w' i0) (tnth w i0)); apply.
- by move=> z j s ji; rewrite !users_special users_other //; apply: raised_ge.
by move=> K [eqP eqQ]; rewrite (eq_hockey E eqP eqQ); apply: hockey_post_processing.
Qed.

Theorem reduced E : 0 <= E ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  hockey E (@clones_P R n T) (@clones_Q R n T) + delta0 + (E + 1) * (3%:R / 2%:R / T) * (n.-1%:R * delta0).
Proof.
move=> E0; rewrite (eq_hockey E (shuffled_on_users true) (shuffled_on_users false)).
apply: le_trans (hockey_nearby _ (shuffled private_nearby (users true)) _ (shuffled private_nearby (users false)) E0) _.
have back z u : hockey 1 (private_nearby z u) (on_users z u) <= distance u.
  by rewrite (total_variation_symmetric (mass_is_law _) (mass_is_law _)) private_nearby_distance.
have first := shuffled_nearby (users true) private_nearby_distance; have second := shuffled_nearby (users false) back.
rewrite !sum_distance add0r in first second.
apply: le_trans (ler_add (ler_add (private_nearby_dominated E) first) (ler_wpmul2l E0 second)) _.
rewrite le_eqVlt; apply/orP; left; apply/eqP; move: (hockey _ _ _) (3%:R / 2%:R / T) (n.-1%:R) delta0 => x y z v.
by ring.
Qed.

End Reduction.

Section Statements.
Variables (R : realFieldType) (D : Type) (S : finType) (T delta0 : R) (n : nat).
Hypothesis T_ge1 : 1 <= T.
Implicit Types (randomizers : adaptive_randomizers R D S) (E delta : R).

Lemma approximately_ldp_ge0 randomizers (x : D) : approximately_ldp T delta0 randomizers -> 0 <= delta0.
Proof. by move=> h; have := h [::] x x set0; rewrite !big_set0 mulr0 add0r. Qed.

Theorem approximate_clones_dominate randomizers (w w' : n.-tuple D) E : approximately_ldp T delta0 randomizers -> neighbours w w' -> 0 <= E ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  hockey E (@clones_P R n T) (@clones_Q R n T) + delta0 + (E + 1) * (3%:R / 2%:R / T) * (n.-1%:R * delta0).
Proof.
move=> private_locally [i0 same_others] E0.
by apply: (reduced T_ge1 _ same_others) => //; apply: approximately_ldp_ge0 (tnth w i0) private_locally.
Qed.

(* The second is FMT21, Theorem 3.8, with the clones pair's own delta. *)
Theorem approximate_clones_private randomizers E delta : approximately_ldp T delta0 randomizers -> 0 <= E ->
    hockey E (@clones_P R n T) (@clones_Q R n T) <= delta ->
  private E (delta + delta0 + (E + 1) * (3%:R / 2%:R / T) * (n.-1%:R * delta0)) (fun w : n.-tuple D => shuffled randomizers w) /\
  private E (delta + (E + 1) * (1 + T^-1 / 2%:R) * (n%:R * delta0)) (fun w : n.-tuple D => shuffled randomizers w).
Proof.
move=> private_locally E0 bound; split=> w w' near.
  by apply/dp_iff_hockey; apply: le_trans (approximate_clones_dominate private_locally near E0) _; rewrite !ler_add2r.
have [i0 _] := near; have delta0_ge0 := approximately_ldp_ge0 (tnth w i0) private_locally.
apply/dp_iff_hockey; apply: le_trans (approximate_clones_dominate private_locally near E0) _; rewrite -[leLHS]addrA; apply: ler_add; first exact: bound.
have T_inv0 : 0 <= T^-1 by rewrite invr_ge0 (le_trans ler01).
have T_inv1 : T^-1 <= 1 by rewrite invf_le1 // (lt_le_trans ltr01).
have step : 3%:R / 2%:R / T <= 1 + T^-1 / 2%:R.
  have -> : 3%:R / 2%:R / T = T^-1 + T^-1 / 2%:R by move: (T^-1) => x; field.
  by rewrite ler_add2r.
have positive : 0 <= n.-1%:R * delta0 by rewrite mulr_ge0 ?ler0n.
have E1 : 0 <= E + 1 by rewrite addr_ge0 ?ler01.
apply: (@le_trans _ _ (delta0 + (E + 1) * (1 + T^-1 / 2%:R) * (n.-1%:R * delta0))).
  by rewrite ler_add2l ler_wpmul2r // ler_wpmul2l.
have n_gt0 : (0 < n)%N by apply: leq_ltn_trans (ltn_ord i0).
have nE : n%:R = 1 + n.-1%:R :> R by rewrite -{1}(prednK n_gt0) mulrS.
rewrite nE mulrDl mul1r mulrDr ler_add2r.
rewrite ler_pemull // -[X in X <= _]mulr1 ler_pmul ?ler01 //; first by rewrite ler_addr.
by rewrite ler_addl divr_ge0 ?ler0n.
Qed.

End Statements.
