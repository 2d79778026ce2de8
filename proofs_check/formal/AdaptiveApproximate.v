(* Adaptive sequences of (epsilon0, delta0)-DP local randomizers in another user's place: delta0 is paid once.
   (docs/mathematics/any-law.md, "Without pure local privacy, from above", step by step with histories) *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition AnotherPlace ConvexOrder ControlledSum FiveCorners Blocks
  AdaptivePlace AdaptiveAll Perspective.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Numbers.
Variables (R : realFieldType) (T r0 r1 rk : R).
Hypotheses (T_ge1 : 1 <= T) (r0_ge0 : 0 <= r0) (r1_ge0 : 0 <= r1) (rk_ge0 : 0 <= rk).

Definition clip (x : R) : R := Num.min x (T * rk).
Definition leak : R := Num.max (clip r0 - T * clip r1) 0.
Definition inner (x y : R) : R := Num.min (clip x) (T * clip y).
Definition core : R := Num.min (rk - leak / T) (Num.min (T * inner r0 r1) (T * inner r1 r0)).

Let T0 : 0 < T := lt_le_trans ltr01 T_ge1.

Lemma le_T x : 0 <= x -> x <= T * x.
Proof. by move=> x0; rewrite -[X in X <= _]mul1r ler_wpmul2r. Qed.

Lemma clip_ge0 x : 0 <= x -> 0 <= clip x.
Proof. by move=> x0; rewrite le_minr x0 mulr_ge0 // ltW. Qed.

Lemma clip_le x : clip x <= x. Proof. by rewrite le_minl lexx. Qed.
Lemma clip_le_T x : clip x <= T * rk. Proof. by rewrite le_minl lexx orbT. Qed.

Lemma inner_ge0 x y : 0 <= x -> 0 <= y -> 0 <= inner x y.
Proof. by move=> x0 y0; rewrite le_minr clip_ge0 // mulr_ge0 ?clip_ge0 // ltW. Qed.

Lemma inner_le x y : inner x y <= clip x. Proof. by rewrite le_minl lexx. Qed.
Lemma inner_le_T x y : inner x y <= T * clip y. Proof. by rewrite le_minl lexx orbT. Qed.

Lemma leak_ge0 : 0 <= leak. Proof. exact: positive_part_ge0. Qed.

Lemma clip_split : clip r0 = inner r0 r1 + leak.
Proof.
rewrite /inner /leak; case: (leP (clip r0) (T * clip r1)) => h; last by rewrite (max_idPl _) ?subr_ge0 ?(ltW h) // addrC subrK.
by rewrite (max_idPr _) ?subr_le0 // addr0.
Qed.

Lemma leak_share : leak / T <= rk.
Proof.
rewrite ler_pdivr_mulr // mulrC le_maxl mulr_ge0 ?(ltW T0) // andbT.
by apply: le_trans (clip_le_T r0); rewrite ler_subl_addr ler_addl mulr_ge0 ?clip_ge0 // ltW.
Qed.

Lemma inner_ratio x y : 0 <= x -> 0 <= y -> inner x y <= T * inner y x.
Proof.
move=> x0 y0; rewrite {2}/inner minr_pmulr ?(ltW T0) // le_minr inner_le_T /=.
apply: le_trans (inner_le x y) _; apply: le_trans (le_T (clip_ge0 x0)) _.
by apply: le_T; rewrite mulr_ge0 ?clip_ge0 // ltW.
Qed.

Lemma core_ge0 : 0 <= core.
Proof. by rewrite !le_minr subr_ge0 leak_share !mulr_ge0 ?inner_ge0 // ltW. Qed.

Lemma core_le_0 : core <= T * inner r0 r1. Proof. by rewrite /core !le_minl lexx !orbT. Qed.
Lemma core_le_1 : core <= T * inner r1 r0. Proof. by rewrite /core !le_minl lexx !orbT. Qed.
Lemma core_le_rest : core <= rk - leak / T. Proof. by rewrite /core le_minl lexx. Qed.

Lemma T_core : T * core = Num.min (T * rk - leak) (Num.min (T * (T * inner r0 r1)) (T * (T * inner r1 r0))).
Proof. by rewrite /core !minr_pmulr ?(ltW T0) // mulrBr [T * (leak / T)]mulrC divfK // gt_eqF. Qed.

Lemma inner_le_TT x y : 0 <= x -> 0 <= y -> inner x y <= T * (T * inner x y).
Proof. by move=> x0 y0; apply: le_trans (le_T (inner_ge0 x0 y0)) _; rewrite ler_wpmul2l ?le_T ?inner_ge0 // ltW. Qed.

Lemma inner_le_TT' x y : 0 <= x -> 0 <= y -> inner x y <= T * (T * inner y x).
Proof. by move=> x0 y0; apply: le_trans (inner_ratio x0 y0) _; rewrite ler_wpmul2l ?le_T ?inner_ge0 // ltW. Qed.

Lemma inner_le_core_0 : inner r0 r1 <= T * core.
Proof.
rewrite T_core !le_minr inner_le_TT // inner_le_TT' // !andbT.
by rewrite ler_subr_addr -clip_split clip_le_T.
Qed.

Lemma inner_le_core_1 : inner r1 r0 <= T * core.
Proof.
rewrite T_core !le_minr inner_le_TT // inner_le_TT' // !andbT /leak.
have low : inner r1 r0 <= clip r1 by apply: inner_le.
case: (leP (clip r0 - T * clip r1) 0) => _; first by rewrite subr0; apply: le_trans low (clip_le_T r1).
apply: (@le_trans _ _ (T * clip r1)); first by apply: le_trans low _; rewrite le_T ?clip_ge0.
by rewrite opprB addrCA ler_addl subr_ge0 clip_le_T.
Qed.

(* How much is lost. *)
Lemma clip_lost x : x - clip x = Num.max (x - T * rk) 0.
Proof.
rewrite /clip; case: (leP x (T * rk)) => h; first by rewrite subrr (max_idPr _) ?subr_le0.
by rewrite (max_idPl _) ?subr_ge0 // ltW.
Qed.

Lemma beyond x y : 0 <= y -> Num.max (clip x - T * clip y) 0 <= Num.max (x - T * y) 0.
Proof.
move=> y0; rewrite le_maxl positive_part_ge0 andbT {2}/clip; case: (leP y (T * rk)) => h.
  by apply: le_trans (positive_part_ge _); rewrite ler_add2r clip_le.
apply: le_trans (positive_part_ge0 _); rewrite subr_le0; apply: le_trans (clip_le_T x) _.
by rewrite le_T // mulr_ge0 // ltW.
Qed.

Lemma inner_lost x y : 0 <= y -> x - inner x y <= Num.max (x - T * rk) 0 + Num.max (x - T * y) 0.
Proof.
move=> y0; rewrite -clip_lost.
have -> : x - inner x y = (x - clip x) + (clip x - inner x y) by ring.
rewrite ler_add2l; apply: le_trans (beyond x y0); rewrite /inner.
case: (leP (clip x) (T * clip y)) => h; first by rewrite subrr positive_part_ge0.
exact: positive_part_ge.
Qed.

Definition core_lost_bound : R := Num.max (rk - T * r0) 0 + Num.max (rk - T * r1) 0.

Lemma clip_low x : 0 <= x -> rk - T * clip x <= Num.max (rk - T * x) 0.
Proof.
move=> x0; rewrite /clip; case: (leP x (T * rk)) => h; first exact: positive_part_ge.
apply: le_trans (positive_part_ge0 _); rewrite subr_le0; apply: le_trans (le_T rk_ge0) _.
by rewrite le_T // mulr_ge0 // ltW.
Qed.

Lemma inner_low x y : 0 <= x -> 0 <= y -> rk - T * inner x y <= Num.max (rk - T * x) 0 + Num.max (rk - T * y) 0.
Proof.
move=> x0 y0; rewrite /inner; case: (leP (clip x) (T * clip y)) => h.
  by apply: le_trans (clip_low x0) _; rewrite ler_addl positive_part_ge0.
apply: (@le_trans _ _ (rk - T * clip y)).
  by rewrite ler_add2l ler_opp2 ler_wpmul2l ?(ltW T0) // le_T ?clip_ge0.
by apply: le_trans (clip_low y0) _; rewrite ler_addr positive_part_ge0.
Qed.

Lemma core_lost : rk - leak / T - core <= core_lost_bound.
Proof.
have share0 : 0 <= leak / T by rewrite divr_ge0 ?leak_ge0 // ltW.
have drop x : rk - leak / T - x <= rk - x by rewrite ler_add2r ler_subl_addr ler_addl.
rewrite /core; case: (leP (rk - leak / T) _) => _; first by rewrite subrr addr_ge0 ?positive_part_ge0.
case: (leP (T * inner r0 r1) _) => _; apply: le_trans (drop _) _; first exact: inner_low.
by rewrite /core_lost_bound [X in _ <= X]addrC inner_low.
Qed.

End Numbers.

Section Leaky.
Variables (R : realFieldType).

(* With probability share the loss T, with probability kappa the loss over kappa, else 0. *)
Definition leaky (T share kappa : R) (a : loss R) : loss R :=
  [:: (T, share), (0, 1 - kappa - share) & [seq (x.1 / kappa, kappa * x.2) | x <- a]].

Lemma mean_leaky (T share kappa : R) f a :
  mean f (leaky T share kappa a) = share * f T + ((1 - kappa - share) * f 0 + kappa * mean (fun x => f (x / kappa)) a).
Proof.
rewrite /mean /leaky !big_cons big_map /=; congr (_ + (_ + _)).
by rewrite mulr_sumr; apply: eq_bigr => x _ /=; rewrite mulrA.
Qed.

Lemma measure_leaky T share kappa a : 0 <= share -> 0 <= kappa -> share <= 1 - kappa -> measure a -> measure (leaky T share kappa a).
Proof.
move=> share0 kappa0 le1 a0 x; rewrite !inE => /or3P[/eqP ->|/eqP ->|/mapP[y y_in ->]] //=; first by rewrite subr_ge0.
by rewrite mulr_ge0 ?a0.
Qed.

Lemma total_mass_leaky T share kappa a : total_mass a = 1 -> total_mass (leaky T share kappa a) = 1.
Proof.
move=> a1; rewrite /total_mass /leaky !big_cons big_map /= -mulr_sumr -/(total_mass a) a1; ring.
Qed.

Lemma test_scale (f : R -> R) theta : 0 < theta -> test f -> test (fun x => f (x / theta)).
Proof.
move=> theta0 [convex_f mono f0]; split=> //; first exact: convex_scale.
by move=> x y xy /=; apply: mono; rewrite ler_wpmul2r // invr_ge0 ltW.
Qed.

(* The same where the losses have less mass than 1. *)
Definition leaky_left (far share kappa : R) (a : loss R) : loss R :=
  [:: (far, share), (0, 1 - kappa * total_mass a - share) & [seq (x.1 / kappa, kappa * x.2) | x <- a]].

Lemma mean_leaky_left (far share kappa : R) f a : mean f (leaky_left far share kappa a) =
  share * f far + ((1 - kappa * total_mass a - share) * f 0 + kappa * mean (fun x => f (x / kappa)) a).
Proof.
rewrite /mean /leaky_left !big_cons big_map /=; congr (_ + (_ + _)).
by rewrite mulr_sumr; apply: eq_bigr => x _ /=; rewrite mulrA.
Qed.

Lemma total_mass_leaky_left far share kappa a : total_mass (leaky_left far share kappa a) = 1.
Proof. by rewrite /total_mass /leaky_left !big_cons big_map /= -mulr_sumr -/(total_mass a); ring. Qed.

(* Less mass with larger losses is above. *)
Lemma less_mass_in (f : R -> R) kappa mu (a : loss R) : convex f -> 0 < kappa -> kappa <= mu -> measure a ->
  mu * mean (fun x => f (x / mu)) a <= kappa * mean (fun x => f (x / kappa)) a + (mu - kappa) * (total_mass a * f 0).
Proof.
move=> convex_f kappa0 kappa_mu a0; have mu0 : 0 < mu := lt_le_trans kappa0 kappa_mu.
have -> : (mu - kappa) * (total_mass a * f 0) = \sum_(x <- a) x.2 * ((mu - kappa) * f 0) by rewrite -mulr_suml -/(total_mass a) mulrCA.
rewrite /mean !mulr_sumr -big_split /= big_seq [leRHS]big_seq.
apply: ler_sum => x x_in; rewrite !(mulrCA _ x.2) -mulrDr ler_wpmul2l ?a0 //.
have h := @perspective _ f convex_f kappa (mu - kappa) (x.1 / kappa) 0 (x.1 / mu) (ltW kappa0).
rewrite [kappa + _]addrC subrK in h; apply: h; first by rewrite subr_ge0.
by rewrite mulr0 addr0 ![_ * (x.1 / _)]mulrC !divfK ?gt_eqF.
Qed.

Lemma less_mass (f : R -> R) kappa mu (a : loss R) : convex f -> 0 < kappa -> kappa <= mu -> measure a -> total_mass a = 1 ->
  mu * mean (fun x => f (x / mu)) a <= kappa * mean (fun x => f (x / kappa)) a + (mu - kappa) * f 0.
Proof. by move=> convex_f kappa0 kappa_mu a0 a1; apply: le_trans (less_mass_in convex_f kappa0 kappa_mu a0) _; rewrite a1 mul1r. Qed.

End Leaky.

(* kappa, T' and E' of an (epsilon0, delta0)-DP randomizer, and five laws with leaks, relative to what is left: of the leaks the share hides, of the
   rest the density with o0, o1, o2. *)
Section Widened.
Variables (R : realFieldType) (T E delta0 : R).
Definition kappa : R := 1 - 3%:R * delta0.
Definition T' : R := T / kappa.
Definition E' : R := E * (1 - 2%:R * delta0).
Definition leaking_laws (far hides o0 o1 o2 eta : R) : seq (loss R) :=
  [seq leaky_left (far / hides) (hides * (delta0 / T)) kappa c | c <- perspective_laws T' E' o0 o1 o2 eta].
End Widened.

Section OneStep.
Variables (R : realFieldType) (S : finType) (R_0 R_1 R_k : dist R S) (T E delta0 : R).
Hypotheses (T_gt1 : 1 < T) (E_ge0 : 0 <= E) (delta_ge0 : 0 <= delta0) (delta_small : 3%:R * delta0 < 1).
Hypotheses (h0k : hockey T R_0 R_k <= delta0) (h1k : hockey T R_1 R_k <= delta0) (h01 : hockey T R_0 R_1 <= delta0).
Hypotheses (h10 : hockey T R_1 R_0 <= delta0) (hk0 : hockey T R_k R_0 <= delta0) (hk1 : hockey T R_k R_1 <= delta0).

Local Notation kappa := (kappa delta0).
Local Notation T' := (T' T delta0).
Local Notation E' := (E' E delta0).

Definition part_0 s := clip T (R_k s) (R_0 s).
Definition part_1 s := clip T (R_k s) (R_1 s).
Let inner_0 s := inner T (R_k s) (R_0 s) (R_1 s).
Let inner_1 s := inner T (R_k s) (R_1 s) (R_0 s).
Let leak_ s := leak T (R_0 s) (R_1 s) (R_k s).
Let core_ s := core T (R_0 s) (R_1 s) (R_k s).

Let T1 : 1 <= T := ltW T_gt1.
Let T0 : 0 < T := lt_trans ltr01 T_gt1.
Let kappa0 : 0 < kappa. Proof. by rewrite subr_gt0. Qed.
Let kappa1 : kappa <= 1. Proof. by rewrite ler_subl_addr ler_addl mulr_ge0 ?ler0n. Qed.
Let kappa2 : kappa <= 1 - 2%:R * delta0. Proof. by rewrite ler_add2l ler_opp2 ler_wpmul2r // ler_nat. Qed.
Let T'1 : 1 < T'. Proof. by rewrite ltr_pdivl_mulr // mul1r; apply: le_lt_trans kappa1 _. Qed.
Let g0 P s : 0 <= (P : dist R S) s. Proof. exact: mass_ge0. Qed.

Let p := \sum_s inner_0 s.
Let q := \sum_s inner_1 s.
Let mu := \sum_s core_ s.

Let p_le1 : p <= 1.
Proof. by rewrite -(mass_sum1 R_0); apply: ler_sum => s _; apply: le_trans (inner_le _ _ _ _) (clip_le _ _ _). Qed.
Let q_le1 : q <= 1.
Proof. by rewrite -(mass_sum1 R_1); apply: ler_sum => s _; apply: le_trans (inner_le _ _ _ _) (clip_le _ _ _). Qed.

Let p_ge : 1 - 2%:R * delta0 <= p.
Proof.
rewrite ler_subl_addr -ler_subl_addl -[X in X - _](mass_sum1 R_0) /p -sumrB.
apply: (@le_trans _ _ (\sum_s (Num.max (R_0 s - T * R_k s) 0 + Num.max (R_0 s - T * R_1 s) 0))).
  by apply: ler_sum => s _; apply: inner_lost => //; apply: g0.
by rewrite big_split /= -[2%:R]/(1 + 1) mulrDl mul1r ler_add.
Qed.

Let q_ge : 1 - 2%:R * delta0 <= q.
Proof.
rewrite ler_subl_addr -ler_subl_addl -[X in X - _](mass_sum1 R_1) /q -sumrB.
apply: (@le_trans _ _ (\sum_s (Num.max (R_1 s - T * R_k s) 0 + Num.max (R_1 s - T * R_0 s) 0))).
  by apply: ler_sum => s _; apply: inner_lost => //; apply: g0.
by rewrite big_split /= -[2%:R]/(1 + 1) mulrDl mul1r ler_add.
Qed.

Let leak_total : \sum_s leak_ s <= delta0.
Proof. by apply: le_trans h01; apply: ler_sum => s _; apply: beyond => //; apply: g0. Qed.

Let mu_le1 : mu <= 1 - (\sum_s leak_ s) / T.
Proof.
rewrite -[X in X - _](mass_sum1 R_k) mulr_suml -sumrB; apply: ler_sum => s _; exact: core_le_rest.
Qed.

Let mu_ge : kappa <= mu.
Proof.
have rest : 1 - (\sum_s leak_ s) / T - mu <= 2%:R * delta0.
  rewrite -[X in X - _ - _](mass_sum1 R_k) mulr_suml -!sumrB.
  apply: (@le_trans _ _ (\sum_s (Num.max (R_k s - T * R_0 s) 0 + Num.max (R_k s - T * R_1 s) 0))).
    by apply: ler_sum => s _; apply: core_lost => //; apply: g0.
  by rewrite big_split /= -[2%:R]/(1 + 1) mulrDl mul1r ler_add.
have share : (\sum_s leak_ s) / T <= delta0.
  rewrite ler_pdivr_mulr //; apply: le_trans leak_total _; by rewrite -[X in X <= _]mulr1 ler_wpmul2l.
rewrite /kappa ler_subl_addr -ler_subl_addl; apply: le_trans (_ : _ <= 2%:R * delta0 + delta0) _.
  by apply: le_trans (ler_add rest share); rewrite addrAC subrK.
by rewrite -[X in _ + X]mul1r -mulrDl -(natrD _ 2 1).
Qed.

Let p0 : 0 < p. Proof. by apply: lt_le_trans p_ge; apply: lt_le_trans kappa2. Qed.
Let q0 : 0 < q. Proof. by apply: lt_le_trans q_ge; apply: lt_le_trans kappa2. Qed.
Let mu0 : 0 < mu. Proof. exact: lt_le_trans mu_ge. Qed.
Let mu1 : mu <= 1.
Proof. by apply: le_trans mu_le1 _; rewrite ler_subl_addr ler_addl divr_ge0 ?(ltW T0) ?sumr_ge0 // => s _; apply: leak_ge0. Qed.
Let kp : kappa <= p. Proof. exact: le_trans kappa2 p_ge. Qed.
Let kq : kappa <= q. Proof. exact: le_trans kappa2 q_ge. Qed.

Let u s := if core_ s == 0 then 1 else inner_0 s / core_ s * (mu / p).
Let v s := if core_ s == 0 then 1 else inner_1 s / core_ s * (mu / q).

Let inner_0_ge0 s : 0 <= inner_0 s. Proof. by apply: inner_ge0 => //; apply: g0. Qed.
Let inner_1_ge0 s : 0 <= inner_1 s. Proof. by apply: inner_ge0 => //; apply: g0. Qed.
Let core_ge0' s : 0 <= core_ s. Proof. by apply: core_ge0 => //; apply: g0. Qed.
Let inner_0_core s : inner_0 s <= T * core_ s. Proof. by apply: inner_le_core_0 => //; apply: g0. Qed.
Let inner_1_core s : inner_1 s <= T * core_ s. Proof. by apply: inner_le_core_1 => //; apply: g0. Qed.

Let core_u s : core_ s * u s = inner_0 s * (mu / p).
Proof.
rewrite /u; case: eqVneq => [zero|neq0]; last by rewrite mulrA [core_ s * _]mulrC divfK.
have : inner_0 s <= 0 by rewrite -(mulr0 T) -zero.
by move=> h; have -> : inner_0 s = 0 by [apply/eqP; rewrite eq_le h inner_0_ge0]; rewrite zero !mul0r.
Qed.

Let core_v s : core_ s * v s = inner_1 s * (mu / q).
Proof.
rewrite /v; case: eqVneq => [zero|neq0]; last by rewrite mulrA [core_ s * _]mulrC divfK.
have : inner_1 s <= 0 by rewrite -(mulr0 T) -zero.
by move=> h; have -> : inner_1 s = 0 by [apply/eqP; rewrite eq_le h inner_1_ge0]; rewrite zero !mul0r.
Qed.

(* a / b * (c / d) <= T' * ... *)
Let ratio_le (a b c d : R) : 0 <= a -> 0 < b -> a <= T * b -> kappa <= d -> 0 <= c -> c <= 1 -> a / b * (c / d) <= T'.
Proof.
move=> a0 b0 ab kd c0 c1; have d0 : 0 < d := lt_le_trans kappa0 kd.
apply: ler_pmul; rewrite ?divr_ge0 ?(ltW b0) ?(ltW d0) //; first by rewrite ler_pdivr_mulr.
rewrite -[kappa^-1]mul1r; apply: ler_pmul; rewrite ?invr_ge0 ?(ltW d0) //.
by rewrite lef_pinv ?posrE.
Qed.

Let low_le (a b c d : R) : 0 <= a -> 0 < b -> b <= T * a -> kappa <= c -> 0 < d -> d <= 1 -> T'^-1 <= a / b * (c / d).
Proof.
move=> a0 b0 ba kc d0 d1; rewrite /T' invf_div mulrC; apply: ler_pmul; rewrite ?invr_ge0 ?(ltW T0) ?(ltW kappa0) //.
  by rewrite ler_pdivl_mulr // mulrC ler_pdivr_mulr // mulrC.
by rewrite ler_pdivl_mulr //; apply: le_trans kc; rewrite -[X in _ <= X]mulr1 ler_wpmul2l // ltW.
Qed.

Let cross_le (a1 a2 b c d1 d2 : R) : a1 <= T * a2 -> 0 <= a1 -> 0 < b -> 0 <= c -> kappa <= d1 -> 0 < d2 -> d2 <= 1 ->
  a1 / b * (c / d1) <= T' * (a2 / b * (c / d2)).
Proof.
move=> a12 a10 b0 c0 kd d20 d21; have d10 : 0 < d1 := lt_le_trans kappa0 kd.
rewrite /T' [X in _ <= X]mulrACA; apply: ler_pmul; rewrite ?divr_ge0 ?(ltW b0) ?(ltW d10) //.
  by rewrite mulrA ler_wpmul2r // invr_ge0 ltW.
rewrite mulrCA ler_wpmul2l // -invfM lef_pinv ?posrE ?mulr_gt0 //.
by apply: le_trans kd; rewrite -[X in _ <= X]mulr1 ler_wpmul2l // ltW.
Qed.

Let hex s : hexagon T' (u s) (v s).
Proof.
rewrite /hexagon /u /v; case: eqVneq => [_|neq0]; first by rewrite mulr1 invf_le1 ?(ltW T'1) // (lt_trans ltr01).
have c0 : 0 < core_ s by rewrite lt_def neq0 core_ge0'.
split; [split | split].
- by apply: low_le => //; apply: core_le_0.
- by apply: low_le => //; apply: core_le_1.
- by apply: ratio_le => //; apply: ltW.
- by apply: ratio_le => //; apply: ltW.
- by apply: cross_le => //; [apply: inner_ratio => //; apply: g0 | apply: ltW].
- by apply: cross_le => //; [apply: inner_ratio => //; apply: g0 | apply: ltW].
Qed.

Let loss_le s : core_ s != 0 -> (inner_0 s - E * inner_1 s) / core_ s <= (u s - E' * v s) / mu.
Proof.
move=> neq0; rewrite /u /v (negPf neq0).
have c0 : 0 < core_ s by rewrite lt_def neq0 core_ge0'.
have -> : (inner_0 s / core_ s * (mu / p) - E' * (inner_1 s / core_ s * (mu / q))) / mu = (inner_0 s / p - E' * (inner_1 s / q)) / core_ s.
  by move: (gt_eqF mu0) (gt_eqF p0) (gt_eqF q0) => m p_ q_; field; rewrite neq0 m p_ q_.
rewrite ler_wpmul2r ?invr_ge0 //; apply: ler_add.
  by rewrite ler_pdivl_mulr // -[X in _ <= X]mulr1 ler_wpmul2l.
rewrite ler_opp2 /E' -mulrA ler_wpmul2l // mulrCA -[X in _ <= X]mulr1 ler_wpmul2l //.
by rewrite ler_pdivr_mulr // mul1r.
Qed.

Let core_sum1 : \sum_s core_ s / mu = 1.
Proof. by rewrite -mulr_suml mulfV // gt_eqF. Qed.

Let core_mean_u : \sum_s core_ s / mu * u s = 1.
Proof.
under eq_bigr do rewrite mulrAC core_u -mulrA mulrAC mulfV ?gt_eqF // mul1r.
by rewrite -mulr_suml mulfV // gt_eqF.
Qed.

Let core_mean_v : \sum_s core_ s / mu * v s = 1.
Proof.
under eq_bigr do rewrite mulrAC core_v -mulrA mulrAC mulfV ?gt_eqF // mul1r.
by rewrite -mulr_suml mulfV // gt_eqF.
Qed.

Let core_part s : 0 <= core_ s / mu.
Proof. by rewrite divr_ge0 // ltW. Qed.

Let core_mixture : exists pr : 'I_5 -> R, [/\ forall i, 0 <= pr i, \sum_i pr i = 1 & forall f, test f ->
  \sum_s core_ s * f ((inner_0 s - E * inner_1 s) / core_ s) <=
  mu * (\sum_i pr i * mean (fun x => f (x / mu)) (nth [::] (corner_laws T' E') i))].
Proof.
have [pr [pr0 pr1 bound]] := @every_loss_mixture R T' E' T'1 S (fun s => core_ s / mu) u v core_part core_sum1 core_mean_u core_mean_v hex.
exists pr; split=> // f test_f; have [convex_f mono _] := test_f.
have test_mu := test_scale mu0 test_f; have [convex_mu _ _] := test_mu.
apply: le_trans (ler_wpmul2l (ltW mu0) (bound _ convex_mu)); rewrite mulr_sumr; apply: ler_sum => s _.
rewrite mulrA [mu * _]mulrC divfK ?gt_eqF //.
have [zero|neq0] := eqVneq (core_ s) 0; first by rewrite zero !mul0r.
by rewrite ler_wpmul2l //; apply: mono; apply: loss_le.
Qed.

(* The losses of a step: below a mixture of five laws that leak. *)
Theorem step_mixture : exists pr : 'I_5 -> R, [/\ forall i, 0 <= pr i, \sum_i pr i = 1 & forall f, test f ->
  \sum_s R_k s * f ((part_0 s - E * part_1 s) / R_k s) <=
  \sum_i pr i * mean f (leaky T (delta0 / T) kappa (nth [::] (corner_laws T' E') i))].
Proof.
have [pr [pr0 pr1 bound]] := core_mixture; exists pr; split=> // f test_f; have [convex_f mono f0] := test_f.
have f0T : f 0 <= f T by apply: mono; apply: ltW.
apply: (@le_trans _ _ (\sum_s (leak_ s / T * f T + core_ s * f ((inner_0 s - E * inner_1 s) / core_ s) + (R_k s - leak_ s / T - core_ s) * f 0))).
  apply: ler_sum => s _; set y := (inner_0 s - E * inner_1 s) / core_ s.
  have share0 : 0 <= leak_ s / T by rewrite divr_ge0 ?leak_ge0 // ltW.
  have rest0 : 0 <= R_k s - leak_ s / T - core_ s by rewrite subr_ge0; apply: core_le_rest.
  have [z z_is z_le] := between convex_f T y share0 (core_ge0' s).
  have core_y : core_ s * y = inner_0 s - E * inner_1 s.
    rewrite /y; have [zero|neq0] := eqVneq (core_ s) 0; last by rewrite mulrC divfK.
    have -> : inner_0 s = 0 by apply/eqP; rewrite eq_le inner_0_ge0 andbT -(mulr0 T) -zero.
    have -> : inner_1 s = 0 by apply/eqP; rewrite eq_le inner_1_ge0 andbT -(mulr0 T) -zero.
    by rewrite mulr0 subr0 mul0r mulr0.
  rewrite -addrA; have [zero|neq0] := eqVneq (R_k s) 0.
    rewrite [X in X * _ <= _]zero mul0r; apply: addr_ge0; first exact: mulr_ge0.
    by apply: addr_ge0; apply: mulr_ge0.
  have k0 : 0 < R_k s by rewrite lt_def neq0 g0.
  pose x := (leak_ s + (inner_0 s - E * inner_1 s)) / R_k s.
  apply: (@le_trans _ _ (R_k s * f x)).
    rewrite ler_wpmul2l ?g0 //; apply: mono; rewrite ler_wpmul2r ?invr_ge0 ?g0 //.
    rewrite /part_0 (clip_split T (R_0 s) (R_1 s) (R_k s)) -/(inner_0 s) -/(leak_ s) [inner_0 s + _]addrC -addrA !ler_add2l ler_opp2 ler_wpmul2l //.
    exact: inner_le.
  have := @perspective _ f convex_f (leak_ s / T + core_ s) (R_k s - leak_ s / T - core_ s) z 0 x (addr_ge0 share0 (core_ge0' s)) rest0.
  have -> : leak_ s / T + core_ s + (R_k s - leak_ s / T - core_ s) = R_k s by ring.
  rewrite z_is core_y divfK ?gt_eqF // mulr0 addr0 /x [R_k s * _]mulrC divfK // => /(_ erefl) h.
  by apply: le_trans h _; rewrite addrA ler_add2r.
rewrite !big_split /= -!mulr_suml !sumrB mass_sum1 -mulr_suml -/mu.
under [leRHS]eq_bigr do rewrite mean_leaky !mulrDr.
rewrite !big_split /= -!mulr_suml pr1 !mul1r.
have corner_bound : \sum_s core_ s * f ((inner_0 s - E * inner_1 s) / core_ s) <=
    \sum_i pr i * (kappa * mean (fun x => f (x / kappa)) (nth [::] (corner_laws T' E') i)) + (mu - kappa) * f 0.
  apply: le_trans (bound f test_f) _.
  have -> : (mu - kappa) * f 0 = \sum_i pr i * ((mu - kappa) * f 0) by rewrite -mulr_suml pr1 mul1r.
  rewrite mulr_sumr -big_split /=; apply: ler_sum => i _; rewrite mulrCA -mulrDr ler_wpmul2l //.
  apply: less_mass => //; first by apply: (measures_corner_laws (E := E') T'1); apply: mem_nth.
  by apply: (total_mass_corners (E := E') T'1); apply: mem_nth.
have leaks_le := leak_total; set leaks := \sum_s leak_ s in leaks_le *; set C := \sum_i pr i * (kappa * _) in corner_bound *.
have leak_bound : leaks / T * (f T - f 0) <= delta0 / T * (f T - f 0).
  by rewrite ler_wpmul2r ?subr_ge0 // ler_wpmul2r // invr_ge0 ltW.
have -> : delta0 / T * f T + ((1 - kappa - delta0 / T) * f 0 + C) = delta0 / T * (f T - f 0) + (C + (mu - kappa) * f 0) + (1 - mu) * f 0 by ring.
have shape (a b c x y : R) : a * b + x + (1 - a - y) * c = a * (b - c) + x + (1 - y) * c by ring.
by rewrite shape ler_add2r ler_add.
Qed.

(* The losses that a step keeps, of leaks the part up to far. *)
Definition arrival_kept (far : R) s : R := part_0 s - leak T (R_0 s) (R_1 s) (R_k s) * (1 - far / T) - E * part_1 s.

(* What omega may take of the core, at most, and at least. *)
Definition arrival_room s : R := core_ s * (T' * u s - v s).

Lemma arrival_room_ge0 s : 0 <= arrival_room s.
Proof. by rewrite mulr_ge0 // subr_ge0; case: (hex s) => _ []. Qed.

Let room_corner x y : hexagon T' x y -> T' * x - y <= (T' + 1) * (T' - 1).
Proof.
have T'0 : 0 < T' := lt_trans ltr01 T'1.
case=> [[_ _ x_high _] [xy _]]; rewrite -(ler_pmul2l T'0).
have -> : T' * ((T' + 1) * (T' - 1)) = (T' * T' - 1) * T' by ring.
have TT : 0 <= T' * T' - 1 by rewrite subr_ge0 mulr_ege1 // ltW.
apply: le_trans (ler_wpmul2l TT x_high).
have -> : T' * (T' * x - y) = T' * T' * x - T' * y by ring.
by rewrite mulrBl mul1r ler_add2l ler_opp2.
Qed.

Let share_ge0 s : 0 <= leak_ s / T. Proof. by rewrite divr_ge0 ?leak_ge0 // ltW. Qed.

Let core_le s : core_ s <= R_k s.
Proof. by apply: le_trans (core_le_rest _ _ _ _) _; rewrite ler_subl_addr ler_addl share_ge0. Qed.

Lemma arrival_room_le s : arrival_room s <= (T' + 1) * (T' - 1) * R_k s.
Proof.
have big : 0 <= (T' + 1) * (T' - 1) by rewrite mulr_ge0 ?subr_ge0 ?addr_ge0 ?ler01 ?(ltW T'1) // ltW // (lt_trans ltr01).
apply: le_trans (ler_wpmul2l (core_ge0' s) (room_corner (hex s))) _.
by rewrite mulrC ler_wpmul2l.
Qed.

Lemma arrival_room_ge s : T * inner T (R_k s) (R_0 s) (R_1 s) - R_1 s / (1 - 2%:R * delta0) <= arrival_room s.
Proof.
have d0 : 0 < 1 - 2%:R * delta0 := lt_le_trans kappa0 kappa2.
have -> : arrival_room s = T' * (inner_0 s * (mu / p)) - inner_1 s * (mu / q) by rewrite -core_u -core_v /arrival_room; ring.
apply: ler_add.
  rewrite -/(inner_0 s) [T * _]mulrC mulrCA ler_wpmul2l // /T' -[X in X <= _]mulr1 -mulrA ler_wpmul2l ?(ltW T0) //.
  rewrite mulrC -mulrA -invfM ler_pdivl_mulr ?mulr_gt0 // mul1r; apply: le_trans mu_ge.
  by rewrite -[X in _ <= X]mul1r ler_wpmul2r // ltW.
rewrite ler_opp2; apply: ler_pmul => //; first by rewrite divr_ge0 // ltW.
  by apply: le_trans (inner_le _ _ _ _) (clip_le _ _ _).
rewrite ler_pdivr_mulr // mulrC ler_pdivl_mulr //; apply: (@le_trans _ _ (1 - 2%:R * delta0)); last exact: q_ge.
by rewrite ger_pmull.
Qed.

Lemma inner_lost_total : \sum_s (R_0 s - inner T (R_k s) (R_0 s) (R_1 s)) <= 2%:R * delta0.
Proof. by rewrite sumrB mass_sum1 ler_subl_addr -ler_subl_addl. Qed.

Lemma leak_total_le : \sum_s leak T (R_0 s) (R_1 s) (R_k s) <= delta0.
Proof. exact: leak_total. Qed.

Section Left.
Variables (m : dist R S) (o0 o1 o2 eta hides far : R).
Local Notation W := (left_density o0 o1 o2 eta).
Hypotheses (hides0 : 0 < hides) (far0 : 0 <= far).
Hypothesis corners_gt0 : [/\ 0 < W T'^-1 T'^-1, 0 < W T' T' & 0 < W T' 1] /\ [/\ 0 < W 1 T', 0 < W 1 T'^-1 & 0 < W T'^-1 1].
Hypothesis what_stays : forall s, hides * (leak_ s / T) + core_ s * W (u s) (v s) <= m s.

Let kept_ s := arrival_kept far s.
Let W0 s : 0 < W (u s) (v s). Proof. exact: (left_density_gt0 T'1 corners_gt0 (hex s)). Qed.
Let stays_ge0 s : 0 <= core_ s * W (u s) (v s). Proof. by rewrite mulr_ge0 // ltW. Qed.
Let hidden_ge0 s : 0 <= hides * (leak_ s / T). Proof. by rewrite mulr_ge0 // ltW. Qed.

Let kept_le s : kept_ s <= leak_ s * (far / T) + (inner_0 s - E * inner_1 s).
Proof.
rewrite /kept_ /arrival_kept /part_0 (clip_split T (R_0 s) (R_1 s) (R_k s)) -/(inner_0 s) -/(leak_ s) -subr_ge0.
have -> : leak_ s * (far / T) + (inner_0 s - E * inner_1 s) - (inner_0 s + leak_ s - leak_ s * (1 - far / T) - E * part_1 s) =
  E * part_1 s - E * inner_1 s by ring.
by rewrite subr_ge0 ler_wpmul2l // inner_le.
Qed.

(* Where nothing is left there is no loss. *)
Lemma kept_nowhere s : m s = 0 -> arrival_kept far s <= 0.
Proof.
move=> zero; apply: le_trans (kept_le s) _; have := what_stays s; rewrite zero => none.
have h0 : hides * (leak_ s / T) = 0 by apply/eqP; rewrite eq_le hidden_ge0 andbT; apply: le_trans none; rewrite ler_addl.
have c0 : core_ s * W (u s) (v s) = 0 by apply/eqP; rewrite eq_le stays_ge0 andbT; apply: le_trans none; rewrite ler_addr.
have -> : leak_ s = 0 by apply/eqP; move/eqP: h0; rewrite !mulf_eq0 invr_eq0 (gt_eqF hides0) (gt_eqF T0) orbF.
have core0 : core_ s = 0 by apply/eqP; move/eqP: c0; rewrite mulf_eq0 (gt_eqF (W0 s)) orbF.
have -> : inner_0 s = 0 by apply/eqP; rewrite eq_le inner_0_ge0 andbT -(mulr0 T) -core0.
by rewrite mul0r !add0r oppr_le0 mulr_ge0.
Qed.

(* The losses of a step against what is left: below a mixture of five laws that leak. *)
Theorem step_left : exists pr : 'I_5 -> R, [/\ forall i, 0 <= pr i, \sum_i pr i = 1 & forall f, test f ->
  \sum_s m s * f (arrival_kept far s / m s) <=
  \sum_i pr i * mean f (leaky_left (far / hides) (hides * (delta0 / T)) kappa (nth [::] (perspective_laws T' E' o0 o1 o2 eta) i))].
Proof.
have [pr [pr0 pr1 bound]] := @every_rest_mixture R T' E' o0 o1 o2 eta T'1 corners_gt0 S (fun s => core_ s / mu) u v core_part
  core_sum1 core_mean_u core_mean_v hex.
set law := fun i : 'I_5 => nth [::] (perspective_laws T' E' o0 o1 o2 eta) i in bound *.
exists pr; split=> // f test_f; have [convex_f mono f0] := test_f.
have f0_far : f 0 <= f (far / hides) by apply: mono; rewrite divr_ge0 // ltW.
pose share s := hides * (leak_ s / T); pose stays s := core_ s * W (u s) (v s); pose y s := (inner_0 s - E * inner_1 s) / core_ s.
have core_y s : stays s * (y s / W (u s) (v s)) = inner_0 s - E * inner_1 s.
  rewrite /stays -mulrA [W _ _ * _]mulrC divfK ?gt_eqF // /y.
  have [zero|neq0] := eqVneq (core_ s) 0; last by rewrite mulrC divfK.
  have -> : inner_0 s = 0 by apply/eqP; rewrite eq_le inner_0_ge0 andbT -(mulr0 T) -zero.
  have -> : inner_1 s = 0 by apply/eqP; rewrite eq_le inner_1_ge0 andbT -(mulr0 T) -zero.
  by rewrite mulr0 subr0 mul0r mulr0.
apply: (@le_trans _ _ (\sum_s (share s * f (far / hides) + stays s * f (y s / W (u s) (v s)) + (m s - share s - stays s) * f 0))).
  apply: ler_sum => s _; have share0 : 0 <= share s := hidden_ge0 s; have stays0 : 0 <= stays s := stays_ge0 s.
  have rest0 : 0 <= m s - share s - stays s by rewrite -addrA -opprD subr_ge0; apply: what_stays.
  have [z z_is z_le] := between convex_f (far / hides) (y s / W (u s) (v s)) share0 stays0.
  have [zero|neq0] := eqVneq (m s) 0.
    rewrite [X in X * _ <= _]zero mul0r; apply: addr_ge0; last exact: mulr_ge0.
    by apply: addr_ge0; apply: mulr_ge0.
  have m0 : 0 < m s by rewrite lt_def neq0 g0.
  pose x := (leak_ s * (far / T) + (inner_0 s - E * inner_1 s)) / m s.
  apply: (@le_trans _ _ (m s * f x)).
    by rewrite ler_wpmul2l ?g0 //; apply: mono; rewrite ler_wpmul2r ?invr_ge0 ?g0 //; apply: kept_le.
  have := @perspective _ f convex_f (share s + stays s) (m s - share s - stays s) z 0 x (addr_ge0 share0 stays0) rest0.
  have -> : share s + stays s + (m s - share s - stays s) = m s by ring.
  have far_is : share s * (far / hides) = leak_ s * (far / T) by rewrite /share; field; rewrite !gt_eqF.
  rewrite z_is core_y far_is mulr0 addr0 /x [m s * _]mulrC divfK // => /(_ erefl) h.
  by apply: le_trans h _; rewrite ler_add2r.
rewrite !big_split /= -!mulr_suml !sumrB mass_sum1.
pose tau := \sum_i pr i * total_mass (law i).
have stays_total : \sum_s stays s = mu * tau.
  have one a : mean (fun=> 1) a = total_mass a by apply: eq_bigr => x _; rewrite mulr1.
  have minus a : mean (fun=> - 1) a = - total_mass a by rewrite /mean /total_mass -sumrN; apply: eq_bigr => x _; rewrite mulrN1.
  have const k : convex (fun=> k : R) by move=> x0 x1 x2 _; rewrite -mulrDl addrC subrK mul1r.
  apply: (mulIf (invr_neq0 (lt0r_neq0 mu0))); rewrite [mu * tau]mulrC mulfK ?gt_eqF // mulr_suml; apply/eqP; rewrite eq_le; apply/andP; split.
    have := bound _ (const 1); under [X in _ <= X -> _]eq_bigr do rewrite one; apply: le_trans.
    by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => s _; rewrite mulr1 mulrAC.
  have := bound _ (const (- 1)); under [X in _ <= X -> _]eq_bigr do rewrite minus mulrN; rewrite sumrN -/tau ler_oppr; move/le_trans; apply.
  by rewrite -sumrN le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => s _; rewrite mulrN1 opprK mulrAC.
set X := \sum_s stays s * f _; set sh := \sum_s share s; set K := \sum_i pr i * (kappa * mean (fun x => f (x / kappa)) (law i)).
have measure_law i : measure (law i).
  by apply: (@measures_perspective_laws R T' E' o0 o1 o2 eta T'1 corners_gt0); apply: mem_nth; rewrite size_map; apply: ltn_ord.
have X_le : X <= K + (mu - kappa) * (tau * f 0).
  have [convex_mu _ _] := test_scale mu0 test_f.
  apply: (@le_trans _ _ (mu * (\sum_i pr i * mean (fun x => f (x / mu)) (law i)))).
    apply: le_trans (ler_wpmul2l (ltW mu0) (bound _ convex_mu)); rewrite mulr_sumr; apply: ler_sum => s _.
    have -> : forall a b c : R, mu * (a / mu * b * c) = a * b * c by move=> a b c; field; rewrite gt_eqF.
    have [zero|neq0] := eqVneq (core_ s) 0; first by rewrite /stays zero !mul0r.
    rewrite ler_wpmul2l ?stays_ge0 //; apply: mono; rewrite [X in _ <= X]mulrAC ler_wpmul2r ?invr_ge0 ?(ltW (W0 s)) //.
    exact: loss_le.
  have -> : (mu - kappa) * (tau * f 0) = \sum_i pr i * ((mu - kappa) * (total_mass (law i) * f 0)).
    by rewrite /tau mulr_suml mulr_sumr; apply: eq_bigr => i _; ring.
  rewrite mulr_sumr /K -big_split /=; apply: ler_sum => i _; rewrite mulrCA -mulrDr ler_wpmul2l //.
  by apply: less_mass_in.
have sh_le : sh <= hides * (delta0 / T).
  by rewrite /sh /share -mulr_sumr ler_wpmul2l ?(ltW hides0) // -mulr_suml ler_wpmul2r ?invr_ge0 ?(ltW T0) //; apply: leak_total.
rewrite [X in _ <= X](_ : _ = hides * (delta0 / T) * (f (far / hides) - f 0) + (K - kappa * tau * f 0) + f 0); last first.
  under eq_bigr do rewrite mean_leaky_left.
  have term i : pr i * (hides * (delta0 / T) * f (far / hides) + ((1 - kappa * total_mass (law i) - hides * (delta0 / T)) * f 0 +
      kappa * mean (fun x => f (x / kappa)) (law i))) =
    pr i * (hides * (delta0 / T) * (f (far / hides) - f 0) + f 0) + (pr i * (kappa * mean (fun x => f (x / kappa)) (law i)) -
      kappa * f 0 * (pr i * total_mass (law i))) by ring.
  rewrite (eq_bigr _ (fun i _ => term i)) big_split /= sumrB -mulr_suml pr1 mul1r -/K -mulr_sumr -/tau; ring.
rewrite stays_total.
have -> : sh * f (far / hides) + X + (1 - sh - mu * tau) * f 0 = sh * (f (far / hides) - f 0) + (X - mu * tau * f 0) + f 0 by ring.
rewrite ler_add2r; apply: ler_add; first by rewrite ler_wpmul2r // subr_ge0.
rewrite ler_subl_addr; apply: le_trans X_le _; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

(* So is every loss of them, for whoever takes the largest of the five. *)
Theorem left_leaks : under (leaking_laws T E delta0 far hides o0 o1 o2 eta) (atoms m (fun s => arrival_kept far s / m s)).
Proof.
move=> f test_f; have [pr [pr0 pr1 bound]] := step_left; rewrite /mean sum_atoms; apply: le_trans (bound f test_f) _.
rewrite -[leRHS]mul1r -pr1 mulr_suml; apply: ler_sum => i _; rewrite ler_wpmul2l //; apply: best_ge.
by rewrite /leaking_laws; apply: map_f; apply: mem_nth; rewrite size_map; apply: ltn_ord.
Qed.

End Left.

(* omega against T' P - Q, c times it in the room that there is: leaks are left as they are. *)
Section Relative.
Variables (m : dist R S) (om : S -> R) (eta c far : R).
Hypotheses (eta0 : 0 <= eta) (eta_lt1 : eta < 1) (c0 : 0 < c) (eta_c : eta * ((T' + 1) * (T' - 1)) < c) (far0 : 0 <= far).
Hypotheses (m_is : forall s, (1 - eta) * m s = R_k s - eta * om s) (om_le : forall s, c * om s <= arrival_room s).

Let e1 : 0 < 1 - eta. Proof. by rewrite subr_gt0. Qed.

Let relative_gt0 x y : hexagon T' x y -> 0 < left_density 0 (T' / c) (- c^-1) eta x y.
Proof.
move=> in_hex; rewrite /left_density divr_gt0 // subr_gt0 /density.
have -> : eta * (0 + T' / c * x + - c^-1 * y) = eta * (T' * x - y) / c by ring.
rewrite ltr_pdivr_mulr // mul1r; apply: le_lt_trans eta_c; rewrite ler_wpmul2l //; exact: room_corner.
Qed.

Lemma relative_corners : let W := left_density 0 (T' / c) (- c^-1) eta in
  [/\ 0 < W T'^-1 T'^-1, 0 < W T' T' & 0 < W T' 1] /\ [/\ 0 < W 1 T', 0 < W 1 T'^-1 & 0 < W T'^-1 1].
Proof.
rewrite /=; have Tinv1 : T'^-1 <= 1 by rewrite invf_le1 ?(ltW T'1) // (lt_trans ltr01).
have T'1' : 1 <= T' := ltW T'1.
have TinvT : T'^-1 <= T' := le_trans Tinv1 T'1'.
have TT : 1 <= T' * T' by rewrite mulr_ege1.
have TT' : T' <= T' * T' := ler_pemulr (ltW (lt_trans ltr01 T'1)) T'1'.
have TT'' : T'^-1 <= T' * T' := le_trans Tinv1 TT.
have T'n0 : T' != 0 by rewrite gt_eqF // (lt_trans ltr01 T'1).
by do !split; apply: relative_gt0; rewrite /hexagon ?mulfV ?mulr1.
Qed.

Let relative_stays s : (1 - eta)^-1 * (leak_ s / T) + core_ s * left_density 0 (T' / c) (- c^-1) eta (u s) (v s) <= m s.
Proof.
rewrite -(ler_pmul2l e1) m_is mulrDr mulVKf ?gt_eqF // /left_density /density.
have -> : (1 - eta) * (core_ s * ((1 - eta * (0 + T' / c * u s + - c^-1 * v s)) / (1 - eta))) = core_ s - eta * (arrival_room s / c).
  by rewrite /arrival_room; field; rewrite !gt_eqF.
have room : eta * om s <= eta * (arrival_room s / c) by rewrite ler_wpmul2l // ler_pdivl_mulr // mulrC.
have rest := core_le_rest T (R_0 s) (R_1 s) (R_k s); rewrite -/(core_ s) -/(leak_ s) ler_subr_addr in rest.
by rewrite addrA; apply: ler_sub => //; rewrite addrC.
Qed.

Lemma relative_under : under (leaking_laws T E delta0 far (1 - eta)^-1 0 (T' / c) (- c^-1) eta) (atoms m (fun s => arrival_kept far s / m s)).
Proof.
have h : 0 < (1 - eta)^-1 by rewrite invr_gt0.
exact: (@left_leaks m 0 (T' / c) (- c^-1) eta (1 - eta)^-1 far h far0 relative_corners relative_stays).
Qed.

Lemma relative_nowhere s : m s = 0 -> arrival_kept far s <= 0.
Proof.
have h : 0 < (1 - eta)^-1 by rewrite invr_gt0.
by move=> zero; apply: (@kept_nowhere m 0 (T' / c) (- c^-1) eta (1 - eta)^-1 far h relative_corners relative_stays s zero).
Qed.

End Relative.

(* At least the share theta of R_k is left everywhere. *)
Section Thinned.
Variables (m : dist R S) (eta theta o0 far : R).
Hypotheses (eta_lt1 : eta < 1) (theta0 : 0 < theta) (theta_is : (1 - eta * o0) / (1 - eta) = theta) (far0 : 0 <= far).
Hypothesis m_ge : forall s, theta * R_k s <= m s.

Let thinned_is x y : left_density o0 0 0 eta x y = theta.
Proof. by rewrite /left_density /density !mul0r !addr0. Qed.

Lemma thinned_positive : let W := left_density o0 0 0 eta in
  [/\ 0 < W T'^-1 T'^-1, 0 < W T' T' & 0 < W T' 1] /\ [/\ 0 < W 1 T', 0 < W 1 T'^-1 & 0 < W T'^-1 1].
Proof. by rewrite /= !thinned_is. Qed.

Let thinned_stays s : theta * (leak_ s / T) + core_ s * left_density o0 0 0 eta (u s) (v s) <= m s.
Proof.
rewrite thinned_is [core_ s * _]mulrC -mulrDr; apply: le_trans (m_ge s); rewrite ler_wpmul2l ?(ltW theta0) //.
by have rest := core_le_rest T (R_0 s) (R_1 s) (R_k s); rewrite -/(core_ s) -/(leak_ s) ler_subr_addr addrC in rest.
Qed.

Lemma thinned_under : under (leaking_laws T E delta0 far theta o0 0 0 eta) (atoms m (fun s => arrival_kept far s / m s)).
Proof. exact: (@left_leaks m o0 0 0 eta theta far theta0 far0 thinned_positive thinned_stays). Qed.

Lemma thinned_nowhere s : m s = 0 -> arrival_kept far s <= 0.
Proof. by move=> zero; apply: (@kept_nowhere m o0 0 0 eta theta far theta0 thinned_positive thinned_stays s zero). Qed.

End Thinned.

End OneStep.

Section AdaptiveApproximate.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E eta delta0 : R) (n : nat).
Variables (w w' : n.+1.-tuple D) (i0 : 'I_n.+1).
Hypotheses (T_gt1 : 1 < T) (E_ge0 : 0 <= E) (delta_ge0 : 0 <= delta0) (delta_small : 3%:R * delta0 < 1).
Hypotheses (eta_ge0 : 0 <= eta) (eta_lt : eta * T < 1 - n%:R * delta0).
Hypothesis locally_private : approximately_ldp T delta0 randomizers.
Hypothesis others : forall j, j != i0 -> tnth w j = tnth w' j.

Let T0 : 0 < T := lt_trans ltr01 T_gt1.
Let T1 : 1 <= T := ltW T_gt1.
Let dp_hockey z x x' : hockey T (randomizers z x) (randomizers z x') <= delta0.
Proof. by apply/dp_iff_hockey; apply: locally_private. Qed.

(* omega: the least of R_0/T and the others' laws, with mass 1. *)
Let floor_of (ks : seq 'I_n.+1) z s : R :=
  foldr (fun k b => Num.min (randomizers z (tnth w k) s) b) (randomizers z (tnth w i0) s / T) ks.
Let least := floor_of [seq k <- enum 'I_n.+1 | k != i0].

Let floor_ge0 ks z s : 0 <= floor_of ks z s.
Proof. by elim: ks => [|k ks IH] /=; [rewrite divr_ge0 ?mass_ge0 // ltW | rewrite le_minr mass_ge0]. Qed.

Let floor_le_first ks z s : floor_of ks z s <= randomizers z (tnth w i0) s / T.
Proof. by elim: ks => [|k ks IH] //=; rewrite le_minl IH orbT. Qed.

Let least_le z k s : k != i0 -> least z s <= randomizers z (tnth w k) s.
Proof.
move=> k0; have : k \in [seq k <- enum 'I_n.+1 | k != i0] by rewrite mem_filter k0 mem_enum.
by rewrite /least; elim: [seq _ <- _ | _] => [|j ks IH] //=; rewrite inE le_minl => /orP[/eqP <-|/IH ->]; rewrite ?lexx ?orbT.
Qed.

Let floor_mass ks z : (1 - (size ks)%:R * delta0) / T <= \sum_s floor_of ks z s.
Proof.
elim: ks => [|k ks IH] /=; first by rewrite mul0r subr0 -mulr_suml mass_sum1.
have lost : \sum_s (floor_of ks z s - Num.min (randomizers z (tnth w k) s) (floor_of ks z s)) <= delta0 / T.
  apply: le_trans (_ : _ <= hockey T (randomizers z (tnth w i0)) (randomizers z (tnth w k)) / T) _; last by rewrite ler_wpmul2r ?invr_ge0 // ltW.
  rewrite mulr_suml; apply: ler_sum => s _; case: (leP (randomizers z (tnth w k) s) _) => _; last first.
    by rewrite subrr divr_ge0 ?positive_part_ge0 // ltW.
  rewrite ler_pdivl_mulr //; apply: le_trans (positive_part_ge _); rewrite mulrBl [_ * T]mulrC [randomizers z (tnth w k) s * T]mulrC ler_add2r.
  by rewrite mulrC -ler_pdivl_mulr.
rewrite sumrB in lost; rewrite ler_subl_addl -ler_subl_addr in lost; apply: le_trans lost.
rewrite ler_subr_addr; apply: le_trans IH; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by rewrite -mulrDl; congr (_ / _); rewrite mulrSr; ring.
Qed.

Definition room : R := 1 - n%:R * delta0.
Let room0 : 0 < room. Proof. by apply: le_lt_trans eta_lt; rewrite mulr_ge0 // ltW. Qed.
Let room1 : room <= 1. Proof. by rewrite ler_subl_addr ler_addl mulr_ge0 ?ler0n. Qed.

Let least_mass z : room / T <= \sum_s least z s.
Proof.
have size_is : size [seq k <- enum 'I_n.+1 | k != i0] = n.
  apply/eqP; rewrite size_filter -eqSS -[X in _ == X](size_enum_ord n.+1) -(count_predC (pred1 i0)) -add1n eqn_add2r.
  by rewrite count_uniq_mem ?enum_uniq // mem_enum.
by have := floor_mass [seq k <- enum 'I_n.+1 | k != i0] z; rewrite size_is.
Qed.

Let mass_gt0 z : 0 < \sum_s least z s.
Proof. by apply: lt_le_trans (least_mass z); rewrite divr_gt0. Qed.

Let omega_mass z s : R := least z s / \sum_s least z s.
Let omega_is_law z : is_law (omega_mass z).
Proof.
split=> [s|]; first by rewrite divr_ge0 ?floor_ge0 // ltW.
by rewrite -mulr_suml mulfV // gt_eqF.
Qed.
Let omega z : dist R S := Dist (omega_is_law z).

Definition approximate_share : R := (1 - eta * T / room) / (1 - eta).
Let c1 : eta * T / room < 1. Proof. by rewrite ltr_pdivr_mulr // mul1r. Qed.
Let eta_c : eta <= eta * T / room.
Proof.
rewrite -mulrA -[X in X <= _]mulr1 ler_wpmul2l // ler_pdivl_mulr // mul1r; exact: le_trans room1 T1.
Qed.
Let eta1 : 0 < 1 - eta. Proof. by rewrite subr_gt0; apply: le_lt_trans eta_c c1. Qed.
Local Notation theta := approximate_share.
Let theta0 : 0 < theta. Proof. by rewrite divr_gt0 // subr_gt0. Qed.
Let theta1 : theta <= 1. Proof. by rewrite ler_pdivr_mulr // mul1r ler_add2l ler_opp2. Qed.

Let omega_le z k s : k != i0 -> eta * omega z s <= eta * T / room * randomizers z (tnth w k) s.
Proof.
move=> k0; rewrite -[eta * T / room]mulrA -mulrA ler_wpmul2l //= /omega_mass mulrC.
apply: ler_pmul; rewrite ?invr_ge0 ?floor_ge0 ?(ltW (mass_gt0 z)) ?least_le //.
by rewrite -invf_div lef_pinv ?posrE ?divr_gt0.
Qed.

Let left_mass (k : 'I_n.+1) z s : R := if k == i0 then omega z s else (randomizers z (tnth w k) s - eta * omega z s) / (1 - eta).

Let left_ge z k s : k != i0 -> theta * randomizers z (tnth w k) s <= left_mass k z s.
Proof.
move=> k0; rewrite /left_mass (negPf k0) /approximate_share mulrAC ler_wpmul2r ?invr_ge0 ?(ltW eta1) // mulrBl mul1r ler_add2l ler_opp2.
exact: omega_le.
Qed.

Let left_is_law k z : is_law (left_mass k z).
Proof.
rewrite /left_mass; case: eqP => [_|/eqP k0]; first exact: (mass_is_law (omega z)).
split=> [s|]; last by rewrite -mulr_suml sumrB -mulr_sumr !mass_sum1 mulr1 divff // gt_eqF.
by have := left_ge z s k0; rewrite /left_mass (negPf k0); apply: le_trans; rewrite mulr_ge0 ?mass_ge0 // ltW.
Qed.
Let left_over k z : dist R S := Dist (left_is_law k z).

Let law_0 z := randomizers z (tnth w i0).
Let law_1 z := randomizers z (tnth w' i0).
Let law_k z k := randomizers z (tnth w k).

Let kept k z s : R := part_0 (law_0 z) (law_k z k) T s - E * part_1 (law_1 z) (law_k z k) T s.
Let loss_at (k : 'I_n.+1) z s : R := kept k z s / left_mass k z s.
Let given (k : 'I_n.+1) z s : R := (law_0 z s - E * law_1 z s) - kept k z s.

Let kept_zero k z s : law_k z k s = 0 -> kept k z s = 0.
Proof.
move=> zero; rewrite /kept /part_0 /part_1 zero /clip mulr0.
by rewrite !(min_idPr _) ?mass_ge0 // mulr0 subrr.
Qed.

Let left_loss k z s : k != i0 -> left_mass k z s * loss_at k z s = kept k z s.
Proof.
move=> k0; rewrite /loss_at; have [zero|neq0] := eqVneq (law_k z k s) 0; first by rewrite kept_zero // mul0r mulr0.
rewrite mulrC divfK // gt_eqF //; apply: lt_le_trans (left_ge z s k0).
by rewrite mulr_gt0 // lt_def neq0 mass_ge0.
Qed.

(* Five laws at the corners for T/kappa and E (1 - 2 delta0), leaking, thinned. *)
Definition approximate_corners : seq (loss R) :=
  [seq thinned theta (leaky T (delta0 / T) (kappa delta0) c) | c <- corner_laws (T' T delta0) (E' E delta0)].

Let kappa0 : 0 < kappa delta0. Proof. by rewrite subr_gt0. Qed.
Let T'1 : 1 < T' T delta0.
Proof. by rewrite ltr_pdivl_mulr // mul1r; apply: le_lt_trans T_gt1; rewrite ler_subl_addr ler_addl mulr_ge0 ?ler0n. Qed.

Let measures_approximate : measures approximate_corners.
Proof.
move=> c /mapP[b b_in ->]; apply: measure_thinned; first by rewrite theta0.
have share0 : 0 <= delta0 / T by rewrite divr_ge0 // ltW.
apply: measure_leaky => //; [exact: ltW | | exact: (measures_corner_laws T'1 b_in)].
rewrite /kappa opprB addrC subrK ler_pdivr_mulr // mulrAC -[X in X <= _]mul1r ler_wpmul2r //.
by apply: (@le_trans _ _ (3%:R * 1)); [rewrite mulr1 ler1n | rewrite ler_wpmul2l ?ler0n].
Qed.

Let step_under k z : k != i0 -> under approximate_corners (atoms (left_over k z) (loss_at k z)).
Proof.
move=> k0 f test_f; have [convex_f _ f0] := test_f; have test_theta := test_scale theta0 test_f.
have [pr [pr0 pr1 bound]] := step_mixture T_gt1 E_ge0 delta_ge0 delta_small (dp_hockey z (tnth w i0) (tnth w k))
  (dp_hockey z (tnth w' i0) (tnth w k)) (dp_hockey z (tnth w i0) (tnth w' i0)) (dp_hockey z (tnth w' i0) (tnth w i0))
  (dp_hockey z (tnth w k) (tnth w i0)) (dp_hockey z (tnth w k) (tnth w' i0)).
set largest := best _ f; rewrite /mean sum_atoms /=.
apply: (@le_trans _ _ (\sum_s (theta * (law_k z k s * f (kept k z s / law_k z k s / theta)) + (left_mass k z s - theta * law_k z k s) * f 0))).
  apply: ler_sum => s _; have gap0 : 0 <= left_mass k z s - theta * law_k z k s by rewrite subr_ge0; apply: left_ge.
  have := @perspective _ f convex_f (theta * law_k z k s) (left_mass k z s - theta * law_k z k s) (kept k z s / law_k z k s / theta) 0 (loss_at k z s).
  rewrite addrCA subrr addr0 mulr0 addr0 => h; rewrite [theta * (_ * f _)]mulrA; apply: h => //; first by rewrite mulr_ge0 ?mass_ge0 // ltW.
  rewrite left_loss //; have [zero|neq0] := eqVneq (law_k z k s) 0; first by rewrite kept_zero // !(mul0r, mulr0).
  have theta_neq0 : theta != 0 by rewrite gt_eqF.
  by field; rewrite neq0 theta_neq0.
rewrite big_split /= -mulr_suml sumrB (mass_sum1 (left_over k z)) -mulr_sumr (mass_sum1 (law_k z k)) mulr1 -mulr_sumr.
apply: le_trans (ler_add (ler_wpmul2l (ltW theta0) (bound _ test_theta)) (lexx _)) _.
apply: (@le_trans _ _ (\sum_(i < 5) pr i * mean f (nth [::] approximate_corners i))).
  rewrite [leRHS](eq_bigr (fun i : 'I_5 => pr i * (theta * mean (fun x => f (x / theta)) (leaky T (delta0 / T) (kappa delta0) (nth [::] (corner_laws (T' T delta0) (E' E delta0)) i))
    + (1 - theta) * f 0))) => [|i _]; last first.
    by rewrite /approximate_corners (nth_map [::]); [rewrite mean_thinned | exact: (ltn_ord i)].
  under [leRHS]eq_bigr do rewrite mulrDr.
  rewrite big_split /= -mulr_suml pr1 mul1r ler_add2r mulr_sumr le_eqVlt; apply/orP; left; apply/eqP.
  by apply: eq_bigr => i _; rewrite mulrCA.
rewrite -[leRHS]mul1r -pr1 mulr_suml; apply: ler_sum => i _; rewrite ler_wpmul2l //.
by apply: best_ge; apply: mem_nth; rewrite size_map.
Qed.

Theorem adaptive_approximate (d : R) : 0 <= d -> (forall z, hockey E (randomizers z (tnth w i0)) (randomizers z (tnth w' i0)) <= d) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  (1 - eta) ^+ n * d + \sum_(1 <= r < n.+1) binomial_mass n eta r * (V approximate_corners (n.+1 - r) 0 / (n.+1 - r)%:R + delta0).
Proof.
move=> d0 told; have eta_range : 0 <= eta <= 1 by rewrite eta_ge0 -subr_ge0 ltW.
have place := @adaptive_in_another_users_place R D S randomizers n w w' i0 E eta delta0 omega left_over loss_at given approximate_corners
  others eta_range.
apply: le_trans (place _ _ measures_approximate _ delta_ge0 _) _ => [k z s k0|k z s k0|k z k0|k z k0|].
- by rewrite /= /left_mass (negPf k0) [X in _ + X]mulrC divfK ?gt_eqF // addrC subrK.
- by rewrite [X in _ = X + _](left_loss z s k0) /given [RHS]addrC subrK.
- exact: step_under.
- apply: le_trans (dp_hockey z (tnth w i0) (tnth w k)); apply: ler_sum => s _.
  rewrite le_maxl positive_part_ge0 andbT -clip_lost /given /kept.
  have -> : law_0 z s - E * law_1 z s - (part_0 (law_0 z) (law_k z k) T s - E * part_1 (law_1 z) (law_k z k) T s) =
    (law_0 z s - part_0 (law_0 z) (law_k z k) T s) - E * (law_1 z s - part_1 (law_1 z) (law_k z k) T s) by ring.
  by rewrite ler_subl_addr ler_addl mulr_ge0 // subr_ge0 clip_le.
rewrite ler_add2r ler_wpmul2l ?exprn_ge0 ?(ltW eta1) //; exact: nobody_in_pool_told.
Qed.

End AdaptiveApproximate.
