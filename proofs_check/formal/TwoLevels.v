(* Randomizers with two levels of probability: a message has the probability T c where it is in A_x, the set of the value x, and c elsewhere;
   c = 1/(T a + |S| - a), a the size of every A_x. k-ary randomized response is one (a = 1), and so are subset selection (the subsets that hold x),
   Hadamard response (half of a block), and local hashing (A_x: the pairs of a function h and h(x)).

     two_level_parameters    its parameters: p = q = T, and beta = (T - 1) b c where A_x0 has b messages at most that A_x1 has not;
     k_rr_parameters         k-ary randomized response of any functions of the data: (T, (T - 1)/(T + k - 1), T);
     k_rr_three_clones       k-ary randomized response has FMT21, Theorem 4.1's three parts, q = (T - 1)/(T + k - 1),
                             p = k/((k + 1)(T + k - 1)), where the two data points are told apart         (FMT21, Corollary 4.2, as corrected);
     k_rr_pair_dominates     and that pair's divergences are no smaller where they are not. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition PairDefinitions PairCounts ThreeParts ThreeClones.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem two_level_parameters (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) n (w w' : n.+1.-tuple D)
    (i0 : 'I_n.+1) (T : R) (A : seq S -> D -> {set S}) (a b : nat) (c := (T * a%:R + (#|S| - a)%N%:R)^-1) : 1 <= T ->
    (forall z x, #|A z x| = a) -> (forall z x s, randomizers z x s = if s \in A z x then T * c else c) ->
    (forall z, (#|A z (tnth w i0) :\: A z (tnth w' i0)| <= b)%N) ->
  ldp T randomizers /\ variation_ratio randomizers T^-1 ((T - 1) * b%:R * c) T w w' i0.
Proof.
move=> T1 size_A levels apart; have T0 : 0 < T := lt_le_trans ltr01 T1.
have c0 : 0 <= c by rewrite invr_ge0 addr_ge0 ?mulr_ge0 ?ler0n ?(ltW T0).
have low z x s : c <= randomizers z x s by rewrite levels; case: ifP => // _; rewrite ler_pemull.
have high z x s : randomizers z x s <= T * c by rewrite levels; case: ifP => // _; rewrite ler_pemull.
have within z x x' s : randomizers z x s <= T * randomizers z x' s.
  by apply: le_trans (high z x s) _; rewrite ler_wpmul2l ?(ltW T0).
split=> // z; split=> [s|s||j s _]; [by rewrite ler_pdivr_mull | by rewrite ler_pdivr_mull | | by split].
rewrite /hockey (bigID (mem (A z (tnth w i0) :\: A z (tnth w' i0)))) /= [X in _ + X]big1 ?addr0 => [|s]; last first.
  rewrite !inE negb_and negbK !levels mul1r.
  by case: (s \in A z (tnth w i0)); case: (s \in A z (tnth w' i0)) => //= _; rewrite ?subrr ?maxxx //; apply/max_idPr; rewrite subr_le0 ler_pemull.
rewrite (eq_bigr (fun=> (T - 1) * c)) => [|s]; last first.
  rewrite !inE !levels => /andP[/negPf -> ->]; rewrite mul1r (max_idPl _); first by ring.
  by rewrite subr_ge0 ler_pemull.
rewrite sumr_const -[_ *+ _]mulr_natl mulrCA mulrA ler_wpmul2r // ler_wpmul2l ?subr_ge0 // ler_nat.
apply: leq_trans (apart z); rewrite leq_eqVlt; apply/orP; left; apply/eqP; apply: eq_card => s.
by rewrite !inE.
Qed.

Section KaryRandomizedResponse.
Variables (R : realFieldType) (K : finType) (T : R).
Hypotheses (T_ge1 : 1 <= T) (k_ge2 : (1 < #|K|)%N).
Variables (D : Type) (f : seq K -> D -> K).
Let k := #|K|.

Theorem k_rr_parameters n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) :
  ldp T (k_rr_of T_ge1 k_ge2 f) /\ variation_ratio (k_rr_of T_ge1 k_ge2 f) T^-1 ((T - 1) / (T + k%:R - 1)) T w w' i0.
Proof.
have total : T * 1%:R + (k - 1)%N%:R = T + k%:R - 1 by rewrite mulr1 natrB ?(ltnW k_ge2) // addrA.
have [||z|pure ratio] := @two_level_parameters R D K (k_rr_of T_ge1 k_ge2 f) n w w' i0 T (fun z x => [set f z x]) 1 1 T_ge1.
- by move=> z x; rewrite cards1.
- by move=> z x s; rewrite inE -/k total.
- by apply: leq_trans (subset_leq_card (subsetDl _ _)) _; rewrite cards1.
by split=> //; move: ratio; rewrite -/k total mulr1.
Qed.

Let uniform_is_law : is_law (fun _ : K => k%:R^-1 : R).
Proof.
have k0 : k%:R != 0 :> R by rewrite pnatr_eq0 -lt0n ltnW.
by split=> [_|]; rewrite ?invr_ge0 ?ler0n // sumr_const -/k -(mulr_natl k%:R^-1) mulfV.
Qed.

Lemma k_rr_part_range (p := k%:R / ((k%:R + 1) * (T + k%:R - 1))) :
  [/\ 0 < k%:R :> R, 0 < T + k%:R - 1, 0 < k%:R + 1 :> R, 0 < p & p *+ 3 <= 1].
Proof.
have k2 : 2%:R <= k%:R :> R by rewrite ler_nat.
have k0 : 0 < k%:R :> R by apply: lt_le_trans k2; rewrite ltr0n.
have d0 : 0 < T + k%:R - 1 by rewrite -addrA addrC ltr_paddl ?subr_ge0 ?ler1n ?(ltnW k_ge2) // (lt_le_trans ltr01).
have k1 : 0 < k%:R + 1 :> R by rewrite addr_gt0 ?ltr01.
split=> //; first by rewrite divr_gt0 // mulr_gt0.
rewrite -mulr_natl mulrA ler_pdivr_mulr ?mulr_gt0 // mul1r.
apply: (@le_trans _ _ ((k%:R + 1) * k%:R)).
  by rewrite ler_wpmul2r ?(ltW k0) // (_ : 3%:R = 2%:R + 1) ?ler_add2r // mulrSr.
by rewrite ler_wpmul2l ?(ltW k1) // -addrA addrCA ler_addl subr_ge0.
Qed.

Theorem k_rr_three_clones n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (q := (T - 1) / (T + k%:R - 1)) (p := k%:R / ((k%:R + 1) * (T + k%:R - 1))) :
    (forall j, j != i0 -> tnth w j = tnth w' j) -> (forall z, f z (tnth w i0) != f z (tnth w' i0)) ->
  exists kernel : {ffun 'I_4 -> 'I_n.+2} -> dist R [finType of n.+1.-tuple K],
    shuffled (k_rr_of T_ge1 k_ge2 f) w =1 push kernel (pair_counts (part_special_0 q) (part_others p) n) /\
    shuffled (k_rr_of T_ge1 k_ge2 f) w' =1 push kernel (pair_counts (part_special_1 q) (part_others p) n).
Proof.
move=> same apart; have [k0 d0 k1 p0 p3] := k_rr_part_range.
have [k_neq0 d_neq0 k1_neq0] : [/\ k%:R != 0 :> R, T + k%:R - 1 != 0 & k%:R + 1 != 0 :> R] by rewrite !gt_eqF.
have own z x s : k_rr_of T_ge1 k_ge2 f z x s = q * (f z x == s)%:R + (1 - q) * k%:R^-1.
  rewrite /= /k_rr_mass -/k [s == _]eq_sym; case: eqP => _ /=; rewrite ?mulr1 ?mulr0 /q; field; by rewrite k_neq0 d_neq0.
apply: (@three_clones R D K (k_rr_of T_ge1 k_ge2 f) n w w' i0 p q (fun z => point R (f z (tnth w i0))) (fun z => point R (f z (tnth w' i0)))
  (fun=> Dist uniform_is_law)) => //.
- by move=> z s; rewrite own.
- by move=> z s; rewrite own.
move=> z j s _; have r0 : 0 < (T + k%:R - 1)^-1 by rewrite invr_gt0.
apply: (@le_trans _ _ (T + k%:R - 1)^-1); last first.
  by rewrite /= /k_rr_mass -/k; case: ifP => // _; rewrite ler_pemull // ltW.
have at_most_one : (f z (tnth w i0) == s)%:R + (f z (tnth w' i0) == s)%:R <= 1 :> R.
  have := apart z; case: (f z (tnth w i0) =P s) => [<-|_ _].
    by rewrite eq_sym => /negPf ->; rewrite addr0.
  by rewrite add0r; case: (_ == _); rewrite ?lexx ?ler01.
rewrite -mulrDr /= -mulrDr; apply: (@le_trans _ _ (p * (1 + k%:R^-1))).
  by rewrite ler_wpmul2l ?(ltW p0) // ler_add2r.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /p; field; rewrite k_neq0 d_neq0 k1_neq0.
Qed.

(* Told or not told apart: each of k-ary randomized response's scores is a mean of the three parts' scores, k/(k + 1) of one and 1/(k + 1) of the
   common one, so that its sums are below theirs in the convex order. *)
Theorem k_rr_pair_dominates n (w w' : n.+1.-tuple D) (E : R) (q := (T - 1) / (T + k%:R - 1)) (p := k%:R / ((k%:R + 1) * (T + k%:R - 1))) :
    neighbours w w' -> 0 <= E ->
  hockey E (shuffled (k_rr_of T_ge1 k_ge2 f) w) (shuffled (k_rr_of T_ge1 k_ge2 f) w') <=
  hockey E (pair_counts (part_special_0 q) (part_others p) n) (pair_counts (part_special_1 q) (part_others p) n).
Proof.
move=> near E0; have [k0 d0 k1 p0 p3] := k_rr_part_range.
have law := part_others_is_law p0 p3; have k_law := k_rr_others_is_law T_ge1 k_ge2.
have [k_neq0 d_neq0 k1_neq0] : [/\ k%:R != 0 :> R, T + k%:R - 1 != 0 & k%:R + 1 != 0 :> R] by rewrite !gt_eqF.
apply: le_trans (k_rr_blanket_dominates T_ge1 k_ge2 f near E0) _.
rewrite (@counts_profile _ _ k_law n _ _ (k_rr_score T E) E); last first.
  by rewrite /k_rr_special_0 /k_rr_special_1 /k_rr_others /k_rr_score; case=> [] [|[|[|[]]]] //= _; ring.
have scored (a b : R) y : a != 0 -> part_special_0 b y - E * part_special_1 b y = part_score a b E y * part_others a y.
  by rewrite /part_special_0 /part_special_1 /part_others /part_score => a0; case: y => [] [|[|[|[]]]] //= _; field.
rewrite (@counts_profile _ _ law n _ _ (part_score p q E) E); last by move=> y; apply: scored; rewrite gt_eqF.
rewrite ler_wpmul2r ?invr_ge0 ?ler0n //; move: n.+1 0 => l t; elim: l t => [|l IH] t //=.
apply: (@le_trans _ _ (\sum_y k_rr_others K T y * stop_loss (part_others p) (part_score p q E) l (t + k_rr_score T E y))).
  by apply: ler_sum => y _; rewrite ler_wpmul2l //; case: k_law.
have g_convex := convex_stop_loss law (part_score p q E) l; set g := stop_loss _ _ l in g_convex *.
rewrite !sum_messages /k_rr_others /k_rr_score /part_others /part_score !inordK //= -/k.
have mean_of theta c x y : 0 <= theta -> theta <= 1 -> theta * x + (1 - theta) * c = y -> g (t + y) <= theta * g (t + x) + (1 - theta) * g (t + c).
  move=> theta0 theta1 <-; have := g_convex theta (t + x) (t + c) theta0 theta1.
  by rewrite (_ : theta * (t + x) + (1 - theta) * (t + c) = t + (theta * x + (1 - theta) * c)) //; ring.
pose c := (1 - q) * (1 - E) / p; pose theta := k%:R / (k%:R + 1) : R.
have mean x y : theta * x + (1 - theta) * c = y -> g (t + y) <= theta * g (t + x) + (1 - theta) * g (t + c).
  by apply: mean_of; rewrite /theta ?divr_ge0 ?(ltW k0) ?(ltW k1) // ler_pdivr_mulr // mul1r ler_addl ler01.
have r0 : 0 <= (T + k%:R - 1)^-1 by rewrite invr_ge0 ltW.
have [k2 T1] : 0 <= (k - 2)%N%:R :> R /\ 0 <= T - 1 by rewrite ler0n subr_ge0.
have h0 : g (t + (T - E)) <= theta * g (t + q / p) + (1 - theta) * g (t + c).
  by apply: mean; rewrite /theta /c /q /p; field; rewrite ?k_neq0 ?d_neq0 ?k1_neq0.
have h1 : g (t + (1 - E * T)) <= theta * g (t + - (E * q / p)) + (1 - theta) * g (t + c).
  by apply: mean; rewrite /theta /c /q /p; field; rewrite ?k_neq0 ?d_neq0 ?k1_neq0.
have h2 : g (t + (1 - E)) <= theta * g (t + 0) + (1 - theta) * g (t + c).
  by apply: mean; rewrite /theta /c /q /p; field; rewrite ?k_neq0 ?d_neq0 ?k1_neq0.
have := ler_add (ler_add (ler_add (ler_wpmul2l r0 h0) (ler_wpmul2l r0 h1)) (ler_wpmul2l (mulr_ge0 k2 r0) h2)) (lexx ((T - 1) / (T + k%:R - 1) * g (t + 0))).
move/le_trans; apply; rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite -/c /theta /p natrB //.
by move: (g (t + q / p)) (g (t + - (E * q / p))) (g (t + c)) (g (t + 0)) => g0 g1 gc g2; field; rewrite ?k_neq0 ?d_neq0 ?k1_neq0.
Qed.

End KaryRandomizedResponse.
