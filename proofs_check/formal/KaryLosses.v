(* The losses of k-ary randomized response's blanket as sums of two independent ones.

   D_E is the mean positive part of n independent losses over n: T - E, 1 - E T, (k - 2) times 1 - E with probability r = 1/(T + k - 1) each, else 0
   (ThreeParts.v). Let kappa = E - 1 and rho = (k - 2)/(T + k - 3), how often a report that is neither of the two values is one of the others.

     k_rr_loss_monotone  what is sent at a smaller T bounds the mean of every convex function by that at a larger one;
     k_rr_loss_apart     each loss is below, in the convex order, the sum of two independent ones: T - E + kappa rho and 1 - E T + kappa rho with
                         probability r each, else 0; and -kappa with probability rho, else 0;
     k_rr_two_sums       so the mean is at most sum_d Bin(n, rho)(d) V(-kappa d), V(t) the mean positive part of t and n losses of the first
                         kind (`sliding`); V is convex (`sliding_convex`).

   The second step is not exact: it adds kappa^2 rho (1 - rho) times 2 r to a loss's variance. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From Shuffleproof Require Import Definitions Divergence Composition PairDefinitions PairCounts ThreeParts SlidingNumbers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Losses.
Variables (R : realFieldType) (K : finType).
Hypothesis k_ge2 : (1 < #|K|)%N.
Local Notation k := (#|K|%:R : R).
Implicit Types (g : R -> R) (T E t : R).

Let k2 : 2%:R <= k. Proof. by rewrite ler_nat. Qed.

Lemma k_rr_mean g T E : \sum_z k_rr_others K T z * g (k_rr_score T E z) =
  (T + k - 1)^-1 * (g (T - E) + g (1 - E * T) + (k - 2%:R) * g (1 - E) + (T - 1) * g 0).
Proof.
rewrite sum_messages /k_rr_others /k_rr_score !inordK //= natrB //.
by move: (_^-1) (g _) (g _) (g _) (g _) => r g0 g1 gd gn; ring.
Qed.

Lemma denominator_gt0 T : 1 <= T -> 0 < T + k - 1.
Proof. by move=> T1; rewrite -addrA ltr_paddr ?(lt_le_trans ltr01) // subr_ge0 (le_trans _ k2) // ler1n. Qed.

Lemma k_rr_loss_monotone g T T' E : convex g -> 1 <= T -> T <= T' ->
  \sum_z k_rr_others K T z * g (k_rr_score T E z) <= \sum_z k_rr_others K T' z * g (k_rr_score T' E z).
Proof.
move=> g_convex T1 TT'; have [->|T_neq] := eqVneq T T'; first exact: lexx.
have T'1 : 1 < T' by rewrite (le_lt_trans T1) // lt_neqAle T_neq.
have [d0 d0'] := (denominator_gt0 T1, denominator_gt0 (ltW T'1)).
have e0 : 0 < T' - 1 by rewrite subr_gt0.
pose a := (T - 1) / (T' - 1); have a0 : 0 <= a by rewrite divr_ge0 ?subr_ge0 // ltW.
have a1 : a <= 1 by rewrite ler_pdivr_mulr // mul1r ler_add2r.
have own : g (T - E) <= a * g (T' - E) + (1 - a) * g (1 - E).
  by rewrite (_ : T - E = a * (T' - E) + (1 - a) * (1 - E)) ?g_convex // /a; field; rewrite gt_eqF.
have other : g (1 - E * T) <= a * g (1 - E * T') + (1 - a) * g (1 - E).
  by rewrite (_ : 1 - E * T = a * (1 - E * T') + (1 - a) * (1 - E)) ?g_convex // /a; field; rewrite gt_eqF.
rewrite !k_rr_mean; set M := (T' + k - 1)^-1 * _.
have middle : g (1 - E) <= M.
  pose l := (1 - E) * (T' + k - 1) / k; have k0 : 0 < k by rewrite (lt_le_trans _ k2) // ltr0n.
  have two : (k + (T' - 1)) * g (1 - E) <= k * g l + (T' - 1) * g 0.
    by apply: jensen_two; rewrite ?(ltW k0) ?(ltW e0) // /l; field; rewrite gt_eqF.
  have three : (1 + 1 + (k - 2%:R)) * g l <= 1 * g (T' - E) + 1 * g (1 - E * T') + (k - 2%:R) * g (1 - E).
    by apply: jensen_three; rewrite ?ler01 ?subr_ge0 // /l; field; rewrite gt_eqF.
  rewrite /M mulrC ler_pdivl_mulr // mulrC (_ : T' + k - 1 = k + (T' - 1)); last by ring.
  apply: le_trans two _; rewrite ler_add2r; move: three; rewrite !mul1r (_ : 1 + 1 + (k - 2%:R) = k) //; by ring.
pose c := (T - 1) * (T' + k - 1) / ((T' - 1) * (T + k - 1)).
have c1 : 1 - c = k * (1 - a) / (T + k - 1) by rewrite /c /a; field; rewrite !gt_eqF.
have rest0 : 0 <= 1 - c.
  by rewrite c1; apply: divr_ge0 (ltW d0); rewrite mulr_ge0 ?ler0n ?subr_ge0.
have r0 : 0 <= (T + k - 1)^-1 by rewrite invr_ge0 ltW.
apply: (@le_trans _ _ (c * M + (1 - c) * g (1 - E))); last first.
  by rewrite -ler_subr_addl -{1}[M]mul1r -mulrBl ler_wpmul2l.
apply: le_trans (ler_wpmul2l r0 (ler_add (ler_add (ler_add own other) (lexx ((k - 2%:R) * g (1 - E)))) (lexx ((T - 1) * g 0)))) _.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite c1 /c /M /a.
move: (g _) (g _) (g _) (g _) => g0 g1 gd gn; field; by rewrite !gt_eqF.
Qed.

Lemma k_rr_loss_apart g T E (r := (T + k - 1)^-1) (rho := (k - 2%:R) / (T + k - 3%:R)) (kappa := E - 1) (v := kappa * rho)
    (h := fun x => rho * g (x - kappa) + (1 - rho) * g x) : convex g -> 1 < T ->
  \sum_z k_rr_others K T z * g (k_rr_score T E z) <= r * h (T - E + v) + r * h (- (E * T - 1 - v)) + (1 - r *+ 2) * h 0.
Proof.
move=> g_convex T1; have d0 := denominator_gt0 (ltW T1).
have o0 : 0 < T + k - 3%:R.
  by rewrite (_ : T + k - 3%:R = (T - 1) + (k - 2%:R)); [rewrite ltr_paddr ?subr_ge0 ?subr_gt0 | ring].
have rho0 : 0 <= rho by apply: divr_ge0 (ltW o0); rewrite subr_ge0.
have rho1 : rho <= 1.
  by rewrite ler_pdivr_mulr // mul1r -subr_ge0 (_ : _ - _ = T - 1); [rewrite subr_ge0 ltW | ring].
have r0 : 0 <= r by rewrite invr_ge0 ltW.
have at_ends x : g (x - v) <= h x.
  rewrite /h (_ : x - v = rho * (x - kappa) + (1 - rho) * x); first exact: g_convex.
  by rewrite /v; ring.
rewrite k_rr_mean -/r; apply: (@le_trans _ _ (r * (h (T - E + v) + h (- (E * T - 1 - v)) + (k - 2%:R) * g (1 - E) + (T - 1) * g 0))).
  rewrite ler_wpmul2l // !ler_add2r ler_add //.
    by have := at_ends (T - E + v); rewrite addrK.
  by have := at_ends (- (E * T - 1 - v)); rewrite (_ : _ - v = 1 - E * T) //; ring.
rewrite le_eqVlt; apply/orP; left; apply/eqP; move: (h (T - E + v)) (h _) => h0 h1.
rewrite /h add0r (_ : 1 - E = - kappa); last by rewrite opprB.
by move: (g _) (g _) => gd gn; rewrite /r /rho; field; rewrite !gt_eqF.
Qed.

(* The mean positive part of t and the two sums. *)
Definition two_sums T E (n : nat) t (r := (T + k - 1)^-1) (rho := (k - 2%:R) / (T + k - 3%:R)) (kappa := E - 1) (v := kappa * rho) : R :=
  binomial_mean n rho (fun d => sliding (T - E + v) (E * T - 1 - v) (r *+ 2) n (t - kappa * d%:R)).

Lemma sliding_convex a b p n : 0 <= p -> p <= 1 -> convex (sliding a b p n : R -> R).
Proof.
move=> p0 p1; elim: n => [|n IH] theta x y theta0 theta1 /=; first exact: convex_positive_part.
have half0 : 0 <= p / 2%:R by rewrite divr_ge0 ?ler0n.
have moved c : sliding a b p n (theta * x + (1 - theta) * y + c) <= theta * sliding a b p n (x + c) + (1 - theta) * sliding a b p n (y + c).
  by rewrite (_ : theta * x + (1 - theta) * y + c = theta * (x + c) + (1 - theta) * (y + c)) ?IH //; ring.
have q0 : 0 <= 1 - p by rewrite subr_ge0.
have := ler_add (ler_add (ler_wpmul2l half0 (moved a)) (ler_wpmul2l half0 (moved (- b)))) (ler_wpmul2l q0 (IH theta x y theta0 theta1)).
move/le_trans; apply; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by move: (sliding _ _ _ _ _) (sliding _ _ _ _ _) (sliding _ _ _ _ _) (sliding _ _ _ _ _) (sliding _ _ _ _ _) (sliding _ _ _ _ _) (p / _) => *; ring.
Qed.

Lemma r_range T : 1 < T -> [/\ 0 <= (T + k - 1)^-1 *+ 2, (T + k - 1)^-1 *+ 2 <= 1, 0 <= (k - 2%:R) / (T + k - 3%:R) & (k - 2%:R) / (T + k - 3%:R) <= 1].
Proof.
move=> T1; have d0 := denominator_gt0 (ltW T1).
have o0 : 0 < T + k - 3%:R.
  by rewrite (_ : T + k - 3%:R = (T - 1) + (k - 2%:R)); [rewrite ltr_paddr ?subr_ge0 ?subr_gt0 | ring].
split; first by rewrite mulrn_wge0 // invr_ge0 ltW.
- rewrite -[_ *+ 2]mulr_natl ler_pdivr_mulr // mul1r -subr_ge0 (_ : _ - _ = (k - 2%:R) + (T - 1)); last by ring.
  by rewrite addr_ge0 // subr_ge0 // ltW.
- by apply: divr_ge0 (ltW o0); rewrite subr_ge0.
by rewrite ler_pdivr_mulr // mul1r -subr_ge0 (_ : _ - _ = T - 1); [rewrite subr_ge0 ltW | ring].
Qed.

Theorem k_rr_two_sums T T' E n t : 1 <= T -> T <= T' -> 1 < T' ->
  stop_loss (k_rr_others K T) (k_rr_score T E) n t <= two_sums T' E n t.
Proof.
move=> T1 TT' T'1; have [p0 p1 rho0 rho1] := r_range T'1.
have law := k_rr_others_is_law T1 k_ge2.
rewrite /two_sums; set rho := (_ - _) / _ in rho0 rho1 *; set kappa := E - 1; set v := kappa * rho; set r := _^-1 in p0 p1 *.
set a := T' - E + v; set b := E * T' - 1 - v.
elim: n t => [|n IH] t.
  by rewrite /binomial_mean big_ord_recl big_ord0 addr0 /binomial_mass bin0 !expr0 !mul1r /= mulr0 subr0.
pose W x := binomial_mean n rho (fun d => sliding a b (r *+ 2) n (x - kappa * d%:R)).
have W_convex : convex W.
  move=> theta x y theta0 theta1; rewrite /W -!binomial_mean_scale -binomial_mean_add; apply: binomial_mean_le => // d.
  rewrite (_ : _ - _ = theta * (x - kappa * d%:R) + (1 - theta) * (y - kappa * d%:R)); last by ring.
  exact: sliding_convex.
rewrite [stop_loss _ _ _ _]/=; apply: (@le_trans _ _ (\sum_z k_rr_others K T z * W (t + k_rr_score T E z))).
  by apply: ler_sum => z _; rewrite ler_wpmul2l ?IH //; case: law.
pose g x := W (t + x); have g_convex : convex g.
  move=> theta x y theta0 theta1; have := W_convex theta (t + x) (t + y) theta0 theta1.
  by rewrite (_ : theta * (t + x) + (1 - theta) * (t + y) = t + (theta * x + (1 - theta) * y)) //; ring.
apply: le_trans (k_rr_loss_monotone E g_convex T1 TT') _; apply: le_trans (k_rr_loss_apart E g_convex T'1) _.
rewrite binomial_mean_step le_eqVlt; apply/orP; left; apply/eqP.
have step x (c := fun d : nat => x - kappa * d%:R) : binomial_mean n rho (fun d => sliding a b (r *+ 2) n.+1 (c d)) =
    r * W (x + a) + r * W (x - b) + (1 - r *+ 2) * W x.
  rewrite /W -!binomial_mean_scale -!binomial_mean_add; apply: eq_bigr => d _; congr (_ * _).
  have half : r *+ 2 / 2%:R = r by rewrite -[r *+ 2]mulr_natr mulfK // pnatr_eq0.
  by rewrite /= half; congr (_ * sliding _ _ _ _ _ + _ * sliding _ _ _ _ _ + _); rewrite /c; ring.
rewrite (step t) (_ : binomial_mean n rho _ = r * W (t - kappa + a) + r * W (t - kappa - b) + (1 - r *+ 2) * W (t - kappa)); last first.
  by rewrite -step; apply: eq_bigr => d _; congr (_ * sliding _ _ _ _ _); rewrite mulrSr; ring.
rewrite /g -/r -/rho -/kappa -/v -/a -/b !add0r addr0 [t + (a - _)]addrA [t + (- b - _)]addrA.
rewrite [t + a - _]addrAC [t - b - _]addrAC.
by move: (W _) (W _) (W _) (W _) (W _) (W _) => *; ring.
Qed.

End Losses.

Section Sliding.
Variable R : realFieldType.

(* The mean positive part of t <= 0 and m losses is at most that of the losses alone. *)
Lemma sliding_at_most (a b p : R) m x : 0 <= a -> 0 <= b -> 0 <= p -> p <= 1 -> sliding a b p m x <= Num.max x 0 + a * m%:R.
Proof.
move=> a0 b0 p0 p1; elim: m x => [|m IH] x; first by rewrite /= mulr0 addr0.
have half0 : 0 <= p / 2%:R by rewrite divr_ge0 ?ler0n.
have top c : c <= a -> sliding a b p m (x + c) <= Num.max x 0 + a * m.+1%:R.
  move=> ca; apply: le_trans (IH _) _; rewrite mulrSr mulrDr mulr1 addrA [leRHS]addrAC ler_add2r.
  rewrite le_maxl; apply/andP; split; first by rewrite ler_add // le_maxr lexx.
  by rewrite addr_ge0 // le_maxr lexx orbT.
have q0 : 0 <= 1 - p by rewrite subr_ge0.
have middle : sliding a b p m x <= Num.max x 0 + a * m.+1%:R by rewrite -[x in sliding _ _ _ _ x]addr0 top.
have lower : sliding a b p m (x - b) <= Num.max x 0 + a * m.+1%:R by rewrite top // (le_trans _ a0) // oppr_le0.
have := ler_add (ler_add (ler_wpmul2l half0 (top a (lexx a))) (ler_wpmul2l half0 lower)) (ler_wpmul2l q0 middle).
move/le_trans; apply; rewrite le_eqVlt; apply/orP; left; apply/eqP; move: (Num.max x 0 + a * m.+1%:R) => y; by field.
Qed.

Lemma sliding_ge0 (a b p : R) m x : 0 <= p -> p <= 1 -> 0 <= sliding a b p m x.
Proof.
move=> p0 p1; elim: m x => [|m IH] x /=; first by rewrite le_maxr lexx orbT.
have half0 : 0 <= p / 2%:R by rewrite divr_ge0 ?ler0n.
by apply: addr_ge0; [apply: addr_ge0; apply: mulr_ge0 | apply: mulr_ge0; rewrite ?subr_ge0].
Qed.

End Sliding.
