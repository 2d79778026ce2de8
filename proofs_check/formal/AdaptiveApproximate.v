(* Adaptive sequences of (epsilon0, delta0)-DP local randomizers in another user's place: delta0 is paid once.
   (docs/mathematics/any-law.md, "Without pure local privacy, from above", step by step with histories) *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition AnotherPlace ConvexOrder ControlledSum FiveCorners Blocks
  AdaptivePlace AdaptiveAll.

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

(* Less mass with larger losses is above. *)
Lemma less_mass (f : R -> R) kappa mu (a : loss R) : convex f -> 0 < kappa -> kappa <= mu -> measure a -> total_mass a = 1 ->
  mu * mean (fun x => f (x / mu)) a <= kappa * mean (fun x => f (x / kappa)) a + (mu - kappa) * f 0.
Proof.
move=> convex_f kappa0 kappa_mu a0 a1; have mu0 : 0 < mu := lt_le_trans kappa0 kappa_mu.
have -> : (mu - kappa) * f 0 = \sum_(x <- a) x.2 * ((mu - kappa) * f 0) by rewrite -mulr_suml -/(total_mass a) a1 mul1r.
rewrite /mean !mulr_sumr -big_split /= big_seq [leRHS]big_seq.
apply: ler_sum => x x_in; rewrite !(mulrCA _ x.2) -mulrDr ler_wpmul2l ?a0 //.
have h := @perspective _ f convex_f kappa (mu - kappa) (x.1 / kappa) 0 (x.1 / mu) (ltW kappa0).
rewrite [kappa + _]addrC subrK in h; apply: h; first by rewrite subr_ge0.
by rewrite mulr0 addr0 ![_ * (x.1 / _)]mulrC !divfK ?gt_eqF.
Qed.

End Leaky.

Section OneStep.
Variables (R : realFieldType) (S : finType) (R_0 R_1 R_k : dist R S) (T E delta0 : R).
Hypotheses (T_gt1 : 1 < T) (E_ge0 : 0 <= E) (delta_ge0 : 0 <= delta0) (delta_small : 3%:R * delta0 < 1).
Hypotheses (h0k : hockey T R_0 R_k <= delta0) (h1k : hockey T R_1 R_k <= delta0) (h01 : hockey T R_0 R_1 <= delta0).
Hypotheses (h10 : hockey T R_1 R_0 <= delta0) (hk0 : hockey T R_k R_0 <= delta0) (hk1 : hockey T R_k R_1 <= delta0).

Definition kappa : R := 1 - 3%:R * delta0.
Definition T' : R := T / kappa.
Definition E' : R := E * (1 - 2%:R * delta0).

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

Let core_mixture : exists pr : 'I_5 -> R, [/\ forall i, 0 <= pr i, \sum_i pr i = 1 & forall f, test f ->
  \sum_s core_ s * f ((inner_0 s - E * inner_1 s) / core_ s) <=
  mu * (\sum_i pr i * mean (fun x => f (x / mu)) (nth [::] (corner_laws T' E') i))].
Proof.
have [s|||| s|pr [pr0 pr1 bound]] := @every_loss_mixture R T' E' T'1 S (fun s => core_ s / mu) u v.
- by rewrite divr_ge0 // ltW.
- by rewrite -mulr_suml mulfV // gt_eqF.
- under eq_bigr do rewrite mulrAC core_u -mulrA mulrAC mulfV ?gt_eqF // mul1r.
  by rewrite -mulr_suml mulfV // gt_eqF.
- under eq_bigr do rewrite mulrAC core_v -mulrA mulrAC mulfV ?gt_eqF // mul1r.
  by rewrite -mulr_suml mulfV // gt_eqF.
- rewrite /u /v; case: eqVneq => [_|neq0]; first by rewrite mulr1 invf_le1 ?(ltW T'1) // (lt_trans ltr01).
  have c0 : 0 < core_ s by rewrite lt_def neq0 core_ge0'.
  split; [split | split].
  + by apply: low_le => //; apply: core_le_0.
  + by apply: low_le => //; apply: core_le_1.
  + by apply: ratio_le => //; apply: ltW.
  + by apply: ratio_le => //; apply: ltW.
  + by apply: cross_le => //; [apply: inner_ratio => //; apply: g0 | apply: ltW].
  + by apply: cross_le => //; [apply: inner_ratio => //; apply: g0 | apply: ltW].
exists pr; split=> // f test_f; have [convex_f mono _] := test_f.
have test_mu := test_scale mu0 test_f; have [convex_mu _ _] := test_mu.
apply: le_trans (ler_wpmul2l (ltW mu0) (bound _ convex_mu)); rewrite mulr_sumr; apply: ler_sum => s _.
rewrite mulrA [mu * _]mulrC divfK ?gt_eqF //.
have [zero|neq0] := eqVneq (core_ s) 0; first by rewrite zero !mul0r.
rewrite ler_wpmul2l //; apply: mono; rewrite /u /v (negPf neq0).
have c0 : 0 < core_ s by rewrite lt_def neq0 core_ge0'.
have -> : (inner_0 s / core_ s * (mu / p) - E' * (inner_1 s / core_ s * (mu / q))) / mu = (inner_0 s / p - E' * (inner_1 s / q)) / core_ s.
  by move: (gt_eqF mu0) (gt_eqF p0) (gt_eqF q0) => m p_ q_; field; rewrite neq0 m p_ q_.
rewrite ler_wpmul2r ?invr_ge0 //; apply: ler_add.
  by rewrite ler_pdivl_mulr // -[X in _ <= X]mulr1 ler_wpmul2l.
rewrite ler_opp2 /E' -mulrA ler_wpmul2l // mulrCA -[X in _ <= X]mulr1 ler_wpmul2l //.
by rewrite ler_pdivr_mulr // mul1r.
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
