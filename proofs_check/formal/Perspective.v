(* The perspective: what is left of R_k when a share eta of omega is taken out, omega's density o affine in (u, v) = (R_0 / R_k, R_1 / R_k).
   Nothing is thinned: the loss x / w, x = u - E v, w = (1 - eta o) / (1 - eta), is spread to the corners with the weights p w.

     perspective_at        w f(x / w) is jointly convex: a point, spread to corners with the means of u and v kept;
     every_rest_mixture    Lemma B: one mixture of the five laws with values x / w and masses p w for all convex f. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition ConvexOrder ControlledSum FiveCorners.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section General.
Variables (R : realFieldType) (T : R).
Hypothesis T_gt1 : 1 < T.
Implicit Types g : R -> R -> R.

Let T0 : 0 < T. Proof. exact: lt_trans ltr01 T_gt1. Qed.
Let Tneq0 : T != 0. Proof. by rewrite gt_eqF. Qed.
Let T1 : 0 < T - 1. Proof. by rewrite subr_gt0. Qed.

(* A function of (u, v) at the six corners. *)
Definition corners_of g (low high a b c d : R) : R :=
  low * g T^-1 T^-1 + high * g T T + a * g T 1 + b * g 1 T + c * g 1 T^-1 + d * g T^-1 1.

(* Where (u, v) may be. *)
Definition hexagon (u v : R) : Prop := [/\ T^-1 <= u, T^-1 <= v, u <= T & v <= T] /\ (u <= T * v /\ v <= T * u).

(* What holds the spreading inequality: at most the corners', whenever the weights keep the means. *)
Definition spreads g : Prop := forall u v low high a b c d,
  0 <= low -> 0 <= high -> 0 <= a -> 0 <= b -> 0 <= c -> 0 <= d -> low + high + a + b + c + d = 1 ->
  low * T^-1 + high * T + a * T + b + c + d * T^-1 = u -> low * T^-1 + high * T + a + b * T + c * T^-1 + d = v ->
  g u v <= corners_of g low high a b c d.

Lemma sum_spread_of (S : eqType) (f u v : S -> R) (r : seq S) : (forall s, 0 <= f s) -> (forall s, hexagon (u s) (v s)) ->
  exists low high a b c d : R, [/\ [/\ 0 <= low, 0 <= high & 0 <= a], [/\ 0 <= b, 0 <= c & 0 <= d],
     low + high + a + b + c + d = \sum_(s <- r) f s,
     low * T^-1 + high * T + a * T + b + c + d * T^-1 = \sum_(s <- r) f s * u s /\
     low * T^-1 + high * T + a + b * T + c * T^-1 + d = \sum_(s <- r) f s * v s
   & forall g, spreads g -> \sum_(s <- r) f s * g (u s) (v s) <= corners_of g low high a b c d].
Proof.
move=> f0 hex; elim: r => [|s r [low [high [a [b [c [d [[l0 h0 a0] [b0 c0 d0] total [mean_u mean_v] bound]]]]]]]].
  exists 0, 0, 0, 0, 0, 0; rewrite !big_nil; split; [by [] | by [] | by rewrite !addr0 | by rewrite !mul0r !addr0 |].
  by move=> g _; rewrite big_nil /corners_of !mul0r !addr0.
have [[u_low v_low u_high v_high] [uv vu]] := hex s.
have [low' [high' [a' [b' [c' [d' [[l0' h0' a0'] [b0' c0' d0'] total' [mean_u' mean_v'] _]]]]]]] :=
  spread_to_corners 0 T_gt1 u_low v_low u_high v_high uv vu.
exists (f s * low' + low), (f s * high' + high), (f s * a' + a), (f s * b' + b), (f s * c' + c), (f s * d' + d).
have fs := f0 s; rewrite !big_cons -total -mean_u -mean_v.
split; [by split; rewrite addr_ge0 // mulr_ge0 | by split; rewrite addr_ge0 // mulr_ge0 | | |].
- by rewrite -[f s in RHS]mulr1 -total'; ring.
- by split; [rewrite -[in RHS]mean_u' | rewrite -[in RHS]mean_v']; ring.
move=> g spread; have bound' := spread _ _ _ _ _ _ _ _ l0' h0' a0' b0' c0' d0' total' mean_u' mean_v'.
rewrite big_cons; apply: le_trans (ler_add (ler_wpmul2l fs bound') (bound g spread)) _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /corners_of; ring.
Qed.

(* The five laws of (u, v) at the corners whose means are 1: u, v and mass. *)
Definition corner_points : seq (seq (R * R * R)) :=
  [:: [:: (T^-1, T^-1, T / (T + 1)); (T, T, (T + 1)^-1)];
      [:: (T^-1, T^-1, T / (T + 2%:R)); (T, 1, (T + 2%:R)^-1); (1, T, (T + 2%:R)^-1)];
      [:: (T, 1, (T + 1)^-1); (T^-1, 1, T / (T + 1))];
      [:: (1, T, (T + 1)^-1); (1, T^-1, T / (T + 1))];
      [:: (T, T, (2%:R * T + 1)^-1); (1, T^-1, T / (2%:R * T + 1)); (T^-1, 1, T / (2%:R * T + 1))]].

Definition points_mean g (l : seq (R * R * R)) : R := \sum_(x <- l) x.2 * g x.1.1 x.1.2.

Lemma points_mixture low high a b c d :
    0 <= low -> 0 <= high -> 0 <= a -> 0 <= b -> 0 <= c -> 0 <= d -> low + high + a + b + c + d = 1 ->
    low * T^-1 + high * T + a * T + b + c + d * T^-1 = 1 -> low * T^-1 + high * T + a + b * T + c * T^-1 + d = 1 ->
  exists p : 'I_5 -> R, [/\ forall i, 0 <= p i, \sum_i p i = 1 &
    forall g, corners_of g low high a b c d = \sum_i p i * points_mean g (nth [::] corner_points i)].
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
move=> g; rewrite !big_ord_recl big_ord0 /= /corners_of /points_mean /= !big_cons !big_nil /= !addr0 c_is d_is low_is.
set x1 := g T^-1 T^-1; set x2 := g T T; set x3 := g T 1; set x4 := g 1 T; set x5 := g 1 T^-1; set x6 := g T^-1 1.
have n1 := lt0r_neq0 p1; have n2 := lt0r_neq0 p2; have n3 := lt0r_neq0 p3.
move: x1 x2 x3 x4 x5 x6 => x1 x2 x3 x4 x5 x6; move: alpha beta {alpha0 beta0 high0 beta_le a_beta b_beta low_is} => al be.
by field; rewrite n1 n2 n3.
Qed.

Theorem every_point_mixture (S : finType) (f u v : S -> R) : (forall s, 0 <= f s) ->
    \sum_s f s = 1 -> \sum_s f s * u s = 1 -> \sum_s f s * v s = 1 -> (forall s, hexagon (u s) (v s)) ->
  exists p : 'I_5 -> R, [/\ forall i, 0 <= p i, \sum_i p i = 1 &
    forall g, spreads g -> \sum_s f s * g (u s) (v s) <= \sum_i p i * points_mean g (nth [::] corner_points i)].
Proof.
move=> f0 total mean_u mean_v hex.
have [low [high [a [b [c [d [[l0 h0 a0] [b0 c0 d0] total' [mean_u' mean_v'] bound]]]]]]] := sum_spread_of (enum S) f0 hex.
have enumerated (F : S -> R) : \sum_(s <- enum S) F s = \sum_s F s by rewrite big_enum /=; apply: eq_bigl.
have [|||p [p0 p1 p_is]] := points_mixture l0 h0 a0 b0 c0 d0; rewrite ?total' ?mean_u' ?mean_v' ?enumerated //.
exists p; split=> // g spread; rewrite -p_is; apply: le_trans (bound g spread).
by rewrite enumerated.
Qed.

End General.

Section Perspective.
Variables (R : realFieldType) (T E o0 o1 o2 eta : R).
Hypotheses (T_gt1 : 1 < T) (eta_lt1 : eta < 1).

Let T0 : 0 < T. Proof. exact: lt_trans ltr01 T_gt1. Qed.
Let Tneq0 : T != 0. Proof. by rewrite gt_eqF. Qed.
Let eta1 : 0 < 1 - eta. Proof. by rewrite subr_gt0. Qed.

(* The density of omega, affine in (u, v), and of what is left. *)
Definition density (u v : R) : R := o0 + o1 * u + o2 * v.
Definition left_density (u v : R) : R := (1 - eta * density u v) / (1 - eta).
Definition perspective_of (f : R -> R) (u v : R) : R := left_density u v * f ((u - E * v) / left_density u v).

(* Positive at the six corners, so everywhere. *)
Hypothesis corners_gt0 : [/\ 0 < left_density T^-1 T^-1, 0 < left_density T T & 0 < left_density T 1] /\
  [/\ 0 < left_density 1 T, 0 < left_density 1 T^-1 & 0 < left_density T^-1 1].

(* Jensen for any number of weighted points. *)
Lemma jensen_seq (f : R -> R) (r : seq (R * R)) : convex f -> (forall x, x \in r -> 0 <= x.2) ->
  exists2 z, (\sum_(x <- r) x.2) * z = \sum_(x <- r) x.2 * x.1 & (\sum_(x <- r) x.2) * f z <= \sum_(x <- r) x.2 * f x.1.
Proof.
move=> convex_f; elim: r => [|x r IH] r0; first by exists 0; rewrite !big_nil ?mul0r.
have [|z z_is z_le] := IH; first by move=> y y_in; apply: r0; rewrite inE y_in orbT.
have x0 : 0 <= x.2 by apply: r0; apply: mem_head.
have s0 : 0 <= \sum_(x <- r) x.2 by rewrite big_seq; apply: sumr_ge0 => y y_in; apply: r0; rewrite inE y_in orbT.
have [y y_is y_le] := between convex_f x.1 z x0 s0.
exists y; rewrite !big_cons; first by rewrite y_is z_is.
by apply: le_trans y_le _; rewrite ler_add2l.
Qed.

(* An affine function has the same mean at the corners. *)
Lemma corners_affine (h : R -> R -> R) (h0 h1 h2 u v low high a b c d : R) : (forall x y, h x y = h0 + h1 * x + h2 * y) ->
    low + high + a + b + c + d = 1 ->
    low * T^-1 + high * T + a * T + b + c + d * T^-1 = u -> low * T^-1 + high * T + a + b * T + c * T^-1 + d = v ->
  corners_of T h low high a b c d = h u v.
Proof.
move=> h_is total mean_u mean_v.
transitivity (h0 * (low + high + a + b + c + d) + h1 * (low * T^-1 + high * T + a * T + b + c + d * T^-1) +
  h2 * (low * T^-1 + high * T + a + b * T + c * T^-1 + d)); last by rewrite total mulr1 mean_u mean_v h_is.
by rewrite /corners_of !h_is; ring.
Qed.

Lemma perspective_spreads f : convex f -> spreads T (perspective_of f).
Proof.
have [[g1 g2 g3] [g4 g5 g6]] := corners_gt0.
move=> convex_f u v low high a b c d l0 h0 a0 b0 c0 d0 total mean_u mean_v.
pose W := left_density; pose X (x y : R) := (x - E * y) / W x y.
pose r := [:: (X T^-1 T^-1, low * W T^-1 T^-1); (X T T, high * W T T); (X T 1, a * W T 1); (X 1 T, b * W 1 T);
  (X 1 T^-1, c * W 1 T^-1); (X T^-1 1, d * W T^-1 1)].
have r0 : forall x, x \in r -> 0 <= x.2.
  by move=> x; rewrite !inE => /orP[/eqP->|/orP[/eqP->|/orP[/eqP->|/orP[/eqP->|/orP[/eqP->|/eqP->]]]]];
    apply: mulr_ge0 => //; apply: ltW.
have [z] := jensen_seq convex_f r0.
have sum_w : \sum_(x <- r) x.2 = W u v.
  rewrite -(@corners_affine W ((1 - eta * o0) / (1 - eta)) (- (eta * o1) / (1 - eta)) (- (eta * o2) / (1 - eta)) u v low high a b c d) //.
    by rewrite !big_cons big_nil /= /corners_of; ring.
  by move=> x y; rewrite /W /left_density /density; ring.
have WX p x y : 0 < W x y -> p * W x y * X x y = p * (x - E * y) by move=> W0; rewrite /X -mulrA; congr (_ * _); rewrite mulrC divfK ?gt_eqF.
have sum_x : \sum_(x <- r) x.2 * x.1 = u - E * v.
  rewrite -(@corners_affine (fun x y => x - E * y) 0 1 (- E) u v low high a b c d) //; last by move=> x y; ring.
  rewrite !big_cons big_nil [LHS]/= /corners_of.
  do 6![rewrite WX //]; ring.
rewrite sum_w sum_x => z_is z_le.
have -> : perspective_of f u v = W u v * f z.
  rewrite /perspective_of -/W; have [->|W0] := eqVneq (W u v) 0; first by rewrite !mul0r.
  by rewrite -z_is mulrC [W u v * z]mulrC mulfK // mulrC.
apply: le_trans z_le _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by rewrite !big_cons big_nil /= /corners_of /perspective_of -/W /X; ring.
Qed.

(* The five laws at the corners, with the values x / w and the masses p w. *)
Definition perspective_laws : seq (loss R) :=
  [seq [seq ((x.1.1 - E * x.1.2) / left_density x.1.1 x.1.2, x.2 * left_density x.1.1 x.1.2) | x <- l] | l <- corner_points T].

Lemma perspective_means f i : (i < 5)%N -> mean f (nth [::] perspective_laws i) = points_mean (perspective_of f) (nth [::] (corner_points T) i).
Proof.
move=> i5; rewrite /perspective_laws (nth_map [::]) // /mean big_map; apply: eq_bigr => x _ /=.
by rewrite /perspective_of mulrA.
Qed.

Lemma measures_perspective_laws : measures perspective_laws.
Proof.
have [[g1 g2 g3] [g4 g5 g6]] := corners_gt0.
have q0 : 0 <= T := ltW T0.
have q1 : 0 <= T + 1 by rewrite addr_ge0 ?ler01.
have q2 : 0 <= T + 2%:R by rewrite addr_ge0 ?ler0n.
have q3 : 0 <= 2%:R * T + 1 by rewrite addr_ge0 ?mulr_ge0 ?ler0n ?ler01.
move=> c /mapP[l l_in ->] x /mapP[y y_in ->]; move: l_in; rewrite !inE => l_in.
by case/or4P: l_in y_in => [/eqP->|/eqP->|/eqP->|/orP[/eqP->|/eqP->]]; rewrite !inE;
  do ?[case/orP]; move=> /eqP -> /=; (apply: mulr_ge0; [rewrite ?invr_ge0 ?divr_ge0 | apply: ltW]).
Qed.

(* Lemma B: the same mixture for all convex functions. *)
Theorem every_rest_mixture (S : finType) (g u v : S -> R) : (forall s, 0 <= g s) ->
    \sum_s g s = 1 -> \sum_s g s * u s = 1 -> \sum_s g s * v s = 1 -> (forall s, hexagon T (u s) (v s)) ->
  exists p : 'I_5 -> R, [/\ forall i, 0 <= p i, \sum_i p i = 1 &
    forall f, convex f -> \sum_s g s * left_density (u s) (v s) * f ((u s - E * v s) / left_density (u s) (v s)) <=
      \sum_i p i * mean f (nth [::] perspective_laws i)].
Proof.
move=> g0 total mean_u mean_v hex; have [p [p0 p1 bound]] := every_point_mixture T_gt1 g0 total mean_u mean_v hex.
exists p; split=> // f convex_f; under eq_bigr do rewrite -mulrA.
under [leRHS]eq_bigr do rewrite perspective_means //.
by apply: bound; apply: perspective_spreads.
Qed.

(* Positive on the whole hexagon, being affine. *)
Lemma left_density_gt0 u v : hexagon T u v -> 0 < left_density u v.
Proof.
have [[g1 g2 g3] [g4 g5 g6]] := corners_gt0.
case=> [[u_low v_low u_high v_high] [uv vu]].
have [low [high [a [b [c [d [[l0 h0 a0] [b0 c0 d0] total [mean_u mean_v] _]]]]]]] :=
  spread_to_corners 0 T_gt1 u_low v_low u_high v_high uv vu.
rewrite -(@corners_affine left_density ((1 - eta * o0) / (1 - eta)) (- (eta * o1) / (1 - eta)) (- (eta * o2) / (1 - eta)) u v low high a b c d) //; last first.
  by move=> x y; rewrite /left_density /density; ring.
pose small := Num.min (left_density T^-1 T^-1) (Num.min (left_density T T) (Num.min (left_density T 1)
  (Num.min (left_density 1 T) (Num.min (left_density 1 T^-1) (left_density T^-1 1))))).
have small0 : 0 < small by rewrite !lt_minr g1 g2 g3 g4 g5 g6.
apply: (lt_le_trans small0); rewrite -[leLHS]mul1r -total !mulrDl /corners_of.
by rewrite !ler_add // ler_wpmul2l // !le_minl lexx ?orbT.
Qed.

Section Randomizer.
Variables (D : Type) (S : finType) (randomizer : D -> dist R S).
Hypothesis local_privacy : forall x x' s, randomizer x s <= T * randomizer x' s.

(* R_k = eta omega + (1 - eta) m, omega = o0 R_k + o1 R_0 + o2 R_1. *)
Definition left_mass (x0 x1 x : D) (s : S) : R :=
  (randomizer x s - eta * (o0 * randomizer x s + o1 * randomizer x0 s + o2 * randomizer x1 s)) / (1 - eta).
Definition left_loss (x0 x1 x : D) (s : S) : R := (randomizer x0 s - E * randomizer x1 s) / left_mass x0 x1 x s.

Let ratio (x y : D) s : R := if randomizer x s == 0 then 1 else randomizer y s / randomizer x s.

Lemma zero_all x y s : randomizer x s = 0 -> randomizer y s = 0.
Proof. by move=> x_0; apply/eqP; rewrite eq_le mass_ge0 andbT -(mulr0 T) -x_0 local_privacy. Qed.

Lemma ratio_scaled x y s : randomizer x s * ratio x y s = randomizer y s.
Proof. by rewrite /ratio; case: eqP => [x_0|/eqP x_neq0]; [rewrite x_0 mul0r (zero_all y x_0) | rewrite mulrC divfK]. Qed.

Lemma ratio_hexagon x0 x1 x s : hexagon T (ratio x x0 s) (ratio x x1 s).
Proof.
rewrite /ratio; case: eqP => [_|/eqP x_neq0].
  by split; rewrite ?mulr1 ?invf_le1 // !(ltW T_gt1).
have x_gt0 : 0 < randomizer x s by rewrite lt_def x_neq0 mass_ge0.
rewrite /hexagon !ler_pdivl_mulr // !ler_pdivr_mulr // !mulrA !divfK // !local_privacy.
by rewrite !(mulrC T^-1) !ler_pdivr_mulr // ![_ * T]mulrC !local_privacy.
Qed.

Lemma left_mass_density x0 x1 x s : left_mass x0 x1 x s = randomizer x s * left_density (ratio x x0 s) (ratio x x1 s).
Proof.
rewrite /left_mass -(ratio_scaled x x0 s) -(ratio_scaled x x1 s) /left_density /density.
by ring.
Qed.

Lemma left_mass_ge0 x0 x1 x s : 0 <= left_mass x0 x1 x s.
Proof. by rewrite left_mass_density mulr_ge0 ?mass_ge0 // ltW // left_density_gt0 //; apply: ratio_hexagon. Qed.

Hypothesis o_sum1 : o0 + o1 + o2 = 1.

Lemma left_is_law x0 x1 x : is_law (left_mass x0 x1 x).
Proof.
split=> [s|]; first exact: left_mass_ge0.
rewrite -mulr_suml sumrB -mulr_sumr !big_split /= -!mulr_sumr !mass_sum1 !mulr1 o_sum1 mulr1.
by rewrite mulfV // gt_eqF.
Qed.

Definition what_is_left x0 x1 x : dist R S := Dist (left_is_law x0 x1 x).

Lemma left_mass_loss x0 x1 x s : randomizer x0 s - E * randomizer x1 s = what_is_left x0 x1 x s * left_loss x0 x1 x s.
Proof.
rewrite /left_loss /=; have [x_0|x_neq0] := eqVneq (randomizer x s) 0.
  by rewrite !(zero_all _ x_0) mulr0 subrr mul0r mulr0.
rewrite [RHS]mulrC divfK // left_mass_density mulf_neq0 // gt_eqF // left_density_gt0 //; apply: ratio_hexagon.
Qed.

Theorem left_under x0 x1 x : under perspective_laws (atoms (what_is_left x0 x1 x) (left_loss x0 x1 x)).
Proof.
move=> f [convex_f _ f0].
have [|||| s|p [p0 p1 mixture]] := @every_rest_mixture S (randomizer x) (ratio x x0) (ratio x x1).
- by move=> s; apply: mass_ge0.
- exact: mass_sum1.
- by rewrite -[RHS](mass_sum1 (randomizer x0)); apply: eq_bigr => s _; apply: ratio_scaled.
- by rewrite -[RHS](mass_sum1 (randomizer x1)); apply: eq_bigr => s _; apply: ratio_scaled.
- exact: ratio_hexagon.
rewrite /mean sum_atoms; apply: (@le_trans _ _ (\sum_i p i * mean f (nth [::] perspective_laws i))).
  apply: le_trans (mixture f convex_f); rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => s _.
  rewrite /= /left_loss left_mass_density; have [->|x_neq0] := eqVneq (randomizer x s) 0; first by rewrite !mul0r.
  congr (_ * f _); rewrite -{1}(ratio_scaled x x0 s) -{1}(ratio_scaled x x1 s) mulrCA -mulrBr invfM mulrACA mulfV // mul1r //.
rewrite -[leRHS]mul1r -p1 mulr_suml; apply: ler_sum => i _; rewrite ler_wpmul2l // best_ge //.
by apply: mem_nth.
Qed.

End Randomizer.

End Perspective.
