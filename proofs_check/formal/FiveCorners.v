(* All epsilon0-DP randomizers together: under R_k the point (u, v) = (R_0/R_k, R_1/R_k) lies where 1/T <= u, v, u/v <= T, has the mean (1, 1), and
   the law of u - E v is below a mixture of five laws at the corners, whatever the convex function: the form that a controlled sum needs.  (docs/mathematics/any-law.md, "All randomizers together" 4, 5;
   spec/bounds/another_place.py, corner_laws) *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Composition ConvexOrder ControlledSum.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Jensen.
Variables (R : realFieldType) (f : R -> R).
Hypothesis convex_f : convex f.

Lemma perspective (a b x y z : R) : 0 <= a -> 0 <= b -> (a + b) * z = a * x + b * y -> (a + b) * f z <= a * f x + b * f y.
Proof.
move=> a0 b0 z_is; have [ab|ab] := eqVneq (a + b) 0.
  have /andP[/eqP -> /eqP ->] : (a == 0) && (b == 0) by rewrite -paddr_eq0 // ab.
  by rewrite add0r !mul0r addr0.
have ab0 : 0 < a + b by rewrite lt_def ab addr_ge0.
have p01 : 0 <= a / (a + b) <= 1 by rewrite divr_ge0 ?(ltW ab0) //= ler_pdivr_mulr // mul1r ler_addl.
have := convex_f x y p01; have -> : a / (a + b) * x + (1 - a / (a + b)) * y = z.
  by apply: (mulfI ab); rewrite z_is; field.
move/(ler_wpmul2l (ltW ab0)) => h; apply: le_trans h _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
Qed.

Lemma between (a b x y : R) : 0 <= a -> 0 <= b -> exists2 z, (a + b) * z = a * x + b * y & (a + b) * f z <= a * f x + b * f y.
Proof.
move=> a0 b0; suff [z z_is] : exists z, (a + b) * z = a * x + b * y by exists z => //; apply: perspective.
have [ab|ab] := eqVneq (a + b) 0; last by exists ((a * x + b * y) / (a + b)); rewrite mulrC divfK.
have /andP[/eqP -> /eqP ->] : (a == 0) && (b == 0) by rewrite -paddr_eq0 // ab.
by exists 0; rewrite mulr0 !mul0r addr0.
Qed.

End Jensen.

Section Corners.
Variables (R : realFieldType) (T E : R).
Hypothesis T_gt1 : 1 < T.

(* f(u - E v), f convex *)
Definition at_point (f : R -> R) (u v : R) : R := f (u - E * v).

Definition corner_mean f (low high a b c d : R) : R :=
  low * at_point f T^-1 T^-1 + high * at_point f T T + a * at_point f T 1 + b * at_point f 1 T + c * at_point f 1 T^-1 + d * at_point f T^-1 1.

Let T0 : 0 < T. Proof. exact: lt_trans ltr01 T_gt1. Qed.
Let Tneq0 : T != 0. Proof. by rewrite gt_eqF. Qed.
Let T1 : 0 < T - 1. Proof. by rewrite subr_gt0. Qed.

Lemma point_four f u v (p1 p2 p3 p4 u1 v1 u2 v2 u3 v3 u4 v4 : R) : convex f ->
    0 <= p1 -> 0 <= p2 -> 0 <= p3 -> 0 <= p4 -> p1 + p2 + p3 + p4 = 1 ->
    p1 * u1 + p2 * u2 + p3 * u3 + p4 * u4 = u -> p1 * v1 + p2 * v2 + p3 * v3 + p4 * v4 = v ->
  at_point f u v <= p1 * at_point f u1 v1 + p2 * at_point f u2 v2 + p3 * at_point f u3 v3 + p4 * at_point f u4 v4.
Proof.
move=> convex_f h1 h2 h3 h4 total mean_u mean_v; rewrite /at_point.
have [x x_is x_le] := between convex_f (u1 - E * v1) (u2 - E * v2) h1 h2.
have [y y_is y_le] := between convex_f (u3 - E * v3) (u4 - E * v4) h3 h4.
have := @perspective _ f convex_f (p1 + p2) (p3 + p4) x y (u - E * v) (addr_ge0 h1 h2) (addr_ge0 h3 h4).
rewrite x_is y_is addrA total !mul1r => z_le; apply: le_trans (z_le _) _; first by rewrite -mean_u -mean_v; ring.
by rewrite -addrA ler_add.
Qed.

(* One point, spread to four corners. *)
Lemma spread_to_corners u v : T^-1 <= u -> T^-1 <= v -> u <= T -> v <= T -> u <= T * v -> v <= T * u ->
  exists low high a b c d : R, [/\ [/\ 0 <= low, 0 <= high & 0 <= a], [/\ 0 <= b, 0 <= c & 0 <= d],
     low + high + a + b + c + d = 1,
     low * T^-1 + high * T + a * T + b + c + d * T^-1 = u /\ low * T^-1 + high * T + a + b * T + c * T^-1 + d = v
   & forall f, convex f -> at_point f u v <= corner_mean f low high a b c d].
Proof.
move=> u_low v_low u_high v_high uv vu.
have Tinv1 : T^-1 < 1 by rewrite invf_lt1.
have [v1|v1] := leP v 1.
  pose mu : R := (v - T^-1) / (1 - T^-1); pose theta : R := (u - T^-1) / (T * v - T^-1).
  have den_mu : 0 < 1 - T^-1 by rewrite subr_gt0.
  have den_theta : 0 < T * v - T^-1.
    by rewrite subr_gt0; apply: lt_le_trans Tinv1 _; rewrite -(mulfV Tneq0) ler_wpmul2l // ltW.
  have mu0 : 0 <= mu by rewrite divr_ge0 ?subr_ge0 // ltW.
  have mu1 : 0 <= 1 - mu by rewrite subr_ge0 ler_pdivr_mulr // mul1r ler_add2r.
  have theta0 : 0 <= theta by rewrite divr_ge0 ?(ltW den_theta) // subr_ge0.
  have theta1 : 0 <= 1 - theta by rewrite subr_ge0 ler_pdivr_mulr // mul1r ler_add2r.
  have v_is : T^-1 + mu * (1 - T^-1) = v by rewrite divfK ?gt_eqF //; ring.
  have u_is : T^-1 + theta * (T * v - T^-1) = u by rewrite divfK ?gt_eqF //; ring.
  have Tv_is : T * v = 1 + mu * (T - 1) by rewrite -v_is mulrDr mulfV // mulrCA mulrBr mulr1 mulfV.
  exists ((1 - theta) * (1 - mu)), 0, (theta * mu), 0, (theta * (1 - mu)), ((1 - theta) * mu).
  have mean_u : (1 - theta) * (1 - mu) * T^-1 + theta * mu * T + theta * (1 - mu) * 1 + (1 - theta) * mu * T^-1 = u.
    by rewrite -u_is Tv_is; ring.
  have mean_v : (1 - theta) * (1 - mu) * T^-1 + theta * mu * 1 + theta * (1 - mu) * T^-1 + (1 - theta) * mu * 1 = v.
    by rewrite -v_is; ring.
  split; [by split=> //; apply: mulr_ge0 | by split=> //; apply: mulr_ge0 | by ring | by split; [rewrite -[RHS]mean_u | rewrite -[RHS]mean_v]; ring |].
  move=> f convex_f; rewrite /corner_mean !mul0r !addr0; apply: point_four; [by [] |by apply: mulr_ge0 | by apply: mulr_ge0 | by apply: mulr_ge0 | by apply: mulr_ge0 | by ring | |].
    by rewrite -mean_u; ring.
  by rewrite -mean_v; ring.
pose mu : R := (v - 1) / (T - 1); pose theta : R := (u - v / T) / (T - v / T).
have den_theta : 0 < T - v / T.
  rewrite subr_gt0; apply: (@le_lt_trans _ _ 1) => //; by rewrite ler_pdivr_mulr // mul1r.
have mu0 : 0 <= mu by rewrite divr_ge0 ?subr_ge0 ?(ltW v1) // ltW.
have mu1 : 0 <= 1 - mu by rewrite subr_ge0 ler_pdivr_mulr // mul1r ler_add2r.
have theta0 : 0 <= theta by rewrite divr_ge0 ?(ltW den_theta) // subr_ge0 ler_pdivr_mulr // mulrC.
have theta1 : 0 <= 1 - theta by rewrite subr_ge0 ler_pdivr_mulr // mul1r ler_add2r.
have v_is : 1 + mu * (T - 1) = v by rewrite divfK ?gt_eqF //; ring.
have u_is : v / T + theta * (T - v / T) = u by rewrite divfK ?gt_eqF //; ring.
have vT_is : v / T = T^-1 + mu * (1 - T^-1) by rewrite -v_is mulrDl mul1r -mulrA mulrBl mul1r mulfV.
exists 0, (theta * mu), (theta * (1 - mu)), ((1 - theta) * mu), 0, ((1 - theta) * (1 - mu)).
have mean_u : theta * mu * T + theta * (1 - mu) * T + (1 - theta) * mu * 1 + (1 - theta) * (1 - mu) * T^-1 = u.
  by rewrite -u_is vT_is; ring.
have mean_v : theta * mu * T + theta * (1 - mu) * 1 + (1 - theta) * mu * T + (1 - theta) * (1 - mu) * 1 = v.
  by rewrite -v_is; ring.
split; [by split=> //; apply: mulr_ge0 | by split=> //; apply: mulr_ge0 | by ring | by split; [rewrite -[RHS]mean_u | rewrite -[RHS]mean_v]; ring |].
move=> f convex_f; rewrite /corner_mean !mul0r !addr0 add0r; apply: point_four; [by [] |by apply: mulr_ge0 | by apply: mulr_ge0 | by apply: mulr_ge0 | by apply: mulr_ge0 | by ring | |].
  by rewrite -mean_u; ring.
by rewrite -mean_v; ring.
Qed.


(* Sums of points, spread to the corners. *)
Lemma sum_spread (S : eqType) (g u v : S -> R) (r : seq S) : (forall s, 0 <= g s) ->
    (forall s, [/\ T^-1 <= u s, T^-1 <= v s, u s <= T & v s <= T] /\ (u s <= T * v s /\ v s <= T * u s)) ->
  exists low high a b c d : R, [/\ [/\ 0 <= low, 0 <= high & 0 <= a], [/\ 0 <= b, 0 <= c & 0 <= d],
     low + high + a + b + c + d = \sum_(s <- r) g s,
     low * T^-1 + high * T + a * T + b + c + d * T^-1 = \sum_(s <- r) g s * u s /\
     low * T^-1 + high * T + a + b * T + c * T^-1 + d = \sum_(s <- r) g s * v s
   & forall f, convex f -> \sum_(s <- r) g s * at_point f (u s) (v s) <= corner_mean f low high a b c d].
Proof.
move=> g0 hexagon; elim: r => [|s r [low [high [a [b [c [d [[l0 h0 a0] [b0 c0 d0] total [mean_u mean_v] bound]]]]]]]].
  exists 0, 0, 0, 0, 0, 0; rewrite !big_nil; split; [by [] | by [] | by rewrite !addr0 | by rewrite !mul0r !addr0 |].
  by move=> f _; rewrite big_nil /corner_mean !mul0r !addr0.
have [[u_low v_low u_high v_high] [uv vu]] := hexagon s.
have [low' [high' [a' [b' [c' [d' [[l0' h0' a0'] [b0' c0' d0'] total' [mean_u' mean_v'] bound']]]]]]] :=
  spread_to_corners u_low v_low u_high v_high uv vu.
exists (g s * low' + low), (g s * high' + high), (g s * a' + a), (g s * b' + b), (g s * c' + c), (g s * d' + d).
have gs := g0 s; rewrite !big_cons -total -mean_u -mean_v.
split; [by split; rewrite addr_ge0 // mulr_ge0 | by split; rewrite addr_ge0 // mulr_ge0 | | |].
- by rewrite -[g s in RHS]mulr1 -total'; ring.
- by split; [rewrite -[in RHS]mean_u' | rewrite -[in RHS]mean_v']; ring.
move=> f convex_f; rewrite big_cons; apply: le_trans (ler_add (ler_wpmul2l gs (bound' f convex_f)) (bound f convex_f)) _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /corner_mean; ring.
Qed.

(* The five laws at the corners whose means are 1. *)
Definition corner_laws : seq (loss R) :=
  [:: [:: (T^-1 - E * T^-1, T / (T + 1)); (T - E * T, (T + 1)^-1)];
      [:: (T^-1 - E * T^-1, T / (T + 2%:R)); (T - E * 1, (T + 2%:R)^-1); (1 - E * T, (T + 2%:R)^-1)];
      [:: (T - E * 1, (T + 1)^-1); (T^-1 - E * 1, T / (T + 1))];
      [:: (1 - E * T, (T + 1)^-1); (1 - E * T^-1, T / (T + 1))];
      [:: (T - E * T, (2%:R * T + 1)^-1); (1 - E * T^-1, T / (2%:R * T + 1)); (T^-1 - E * 1, T / (2%:R * T + 1))]].

(* What the corners hold is a mixture of these five, the same for all f. *)
Lemma corners_mixture low high a b c d :
    0 <= low -> 0 <= high -> 0 <= a -> 0 <= b -> 0 <= c -> 0 <= d -> low + high + a + b + c + d = 1 ->
    low * T^-1 + high * T + a * T + b + c + d * T^-1 = 1 -> low * T^-1 + high * T + a + b * T + c * T^-1 + d = 1 ->
  exists p : 'I_5 -> R, [/\ forall i, 0 <= p i, \sum_i p i = 1 &
    forall f, corner_mean f low high a b c d = \sum_i p i * mean f (nth [::] corner_laws i)].
Proof.
move=> l0 h0 a0 b0 c0 d0 total mean_u mean_v.
have d_is : d = T * (high + a) - low.
  have : (T - 1) * (d - (T * (high + a) - low)) = 0.
    transitivity (T * ((low + high + a + b + c + d) - (low * T^-1 + high * T + a * T + b + c + d * T^-1))); last by rewrite total mean_u subrr mulr0.
    by field.
  by move/eqP; rewrite mulf_eq0 (gt_eqF T1) /= subr_eq0 => /eqP.
have c_is : c = T * (high + b) - low.
  have : (T - 1) * (c - (T * (high + b) - low)) = 0.
    transitivity (T * ((low + high + a + b + c + d) - (low * T^-1 + high * T + a + b * T + c * T^-1 + d))); last by rewrite total mean_v subrr mulr0.
    by field.
  by move/eqP; rewrite mulf_eq0 (gt_eqF T1) /= subr_eq0 => /eqP.
pose alpha : R := Num.min high (low / T); pose beta : R := low / T - alpha.
have lowT0 : 0 <= low / T by rewrite divr_ge0 // ltW.
have alpha0 : 0 <= alpha by rewrite le_minr h0 lowT0.
have beta0 : 0 <= beta by rewrite subr_ge0 le_minl lexx orbT.
have high0 : 0 <= high - alpha by rewrite subr_ge0 le_minl lexx.
have beta_le x : 0 <= x -> 0 <= T * (high + x) - low -> 0 <= x - beta.
  move=> x0; rewrite !subr_ge0 /beta /alpha => le_x; rewrite ler_subl_addl; case: (leP high (low / T)) => _; last by rewrite ler_addl.
  by rewrite ler_pdivr_mulr // mulrC.
have a_beta : 0 <= a - beta by apply: beta_le => //; rewrite -d_is.
have b_beta : 0 <= b - beta by apply: beta_le => //; rewrite -c_is.
have p1 : 0 < T + 1 by rewrite ltr_paddl ?ltr01 // ltW.
have p2 : 0 < T + 2%:R by rewrite ltr_paddl ?ltr0n // ltW.
have p3 : 0 < 2%:R * T + 1 by rewrite ltr_paddl ?ltr01 // mulr_ge0 ?ler0n // ltW.
have low_is : low = T * (alpha + beta) by rewrite /beta addrC subrK mulrC divfK.
exists (fun i : 'I_5 => nth 0 [:: alpha * (T + 1); beta * (T + 2%:R); (a - beta) * (T + 1); (b - beta) * (T + 1);
  (high - alpha) * (2%:R * T + 1)] i); split.
- by case=> -[|[|[|[|[|//]]]]] /= _; rewrite mulr_ge0 // ltW.
- rewrite !big_ord_recl big_ord0 /= -[RHS]total c_is d_is low_is.
  by move: alpha beta {alpha0 beta0 high0 beta_le a_beta b_beta low_is} => al be; ring.
move=> f; rewrite !big_ord_recl big_ord0 /= /corner_mean /at_point /mean /= !big_cons !big_nil /= !addr0 c_is d_is low_is.
set x1 := f (T^-1 - E * T^-1); set x2 := f (T - E * T); set x3 := f (T - E * 1).
set x4 := f (1 - E * T); set x5 := f (1 - E * T^-1); set x6 := f (T^-1 - E * 1).
have n1 := lt0r_neq0 p1; have n2 := lt0r_neq0 p2; have n3 := lt0r_neq0 p3.
move: x1 x2 x3 x4 x5 x6 => x1 x2 x3 x4 x5 x6; move: alpha beta {alpha0 beta0 high0 beta_le a_beta b_beta low_is} => al be.
by field; rewrite n1 n2 n3.
Qed.

(* Of every epsilon0-DP randomizer the loss is below a mixture of these five. *)
Theorem every_loss_mixture (S : finType) (g u v : S -> R) : (forall s, 0 <= g s) ->
    \sum_s g s = 1 -> \sum_s g s * u s = 1 -> \sum_s g s * v s = 1 ->
    (forall s, [/\ T^-1 <= u s, T^-1 <= v s, u s <= T & v s <= T] /\ (u s <= T * v s /\ v s <= T * u s)) ->
  exists p : 'I_5 -> R, [/\ forall i, 0 <= p i, \sum_i p i = 1 &
    forall f, convex f -> \sum_s g s * f (u s - E * v s) <= \sum_i p i * mean f (nth [::] corner_laws i)].
Proof.
move=> g0 total mean_u mean_v hexagon.
have [low [high [a [b [c [d [[l0 h0 a0] [b0 c0 d0] total' [mean_u' mean_v'] bound]]]]]]] := sum_spread (enum S) g0 hexagon.
have enumerated (F : S -> R) : \sum_(s <- enum S) F s = \sum_s F s by rewrite big_enum /=; apply: eq_bigl.
have [|||p [p0 p1 p_is]] := corners_mixture l0 h0 a0 b0 c0 d0; rewrite ?total' ?mean_u' ?mean_v' ?enumerated //.
exists p; split=> // f convex_f; rewrite -p_is; apply: le_trans (bound f convex_f).
by rewrite enumerated.
Qed.

End Corners.
