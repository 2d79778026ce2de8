(* What is computed from the controlled sum.

     hinges_are_enough   a test function is a constant and a nonnegative combination of positive parts, on finitely many points: so that
     below_mean          the order by positive parts (below) is the order by all test functions, and
     below_mixture       a law below a mixture of the laws of C, by positive parts, is under C;
     blocked_bound       g steps may be replaced by one law whose positive parts are V_g or above, any number of times;
     V_on_a_grid         linear interpolation on a grid, where it is above V at the start and in every pass, is above V;
     V_mean_antitone     V_j(0)/j does not grow with j. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition ConvexOrder ControlledSum FiveCorners.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Hinges.
Variables (R : realFieldType) (f : R -> R).
Hypothesis test_f : test f.

(* A convex function is above its chord's continuation. *)
Lemma above_chord x0 x1 x : x0 < x1 -> x1 <= x -> f x0 + (f x1 - f x0) / (x1 - x0) * (x - x0) <= f x.
Proof.
case: test_f => convex_f _ _ x01 x1x; have d0 : 0 < x1 - x0 by rewrite subr_gt0.
have sum_is : (x - x1) + (x1 - x0) = x - x0 by ring.
have h : (x - x0) * f x1 <= (x - x1) * f x0 + (x1 - x0) * f x.
  rewrite -sum_is; apply: (perspective convex_f); rewrite ?subr_ge0 ?(ltW x01) //; ring.
rewrite -(ler_pmul2l d0) -subr_ge0; rewrite -subr_ge0 in h; apply: le_trans h _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite subr_eq0 gt_eqF.
Qed.

Lemma hinges_from (xs : seq R) (x0 slope : R) (g : R -> R) : path <%R x0 xs ->
    g x0 = f x0 -> (forall x, x0 <= x -> g x = g x0 + slope * (x - x0)) -> (forall x, x0 <= x -> g x <= f x) ->
  exists c : loss R, [/\ measure c, forall y, y \in c -> y.1 <= - x0 & forall x, x \in xs -> f x = g x + positive c x].
Proof.
elim: xs x0 slope g => [|x1 xs IH] x0 slope g /=.
  by move=> _ _ _ _; exists [::].
case/andP=> x01 sorted_xs g0 affine lower; have d0 : 0 < x1 - x0 by rewrite subr_gt0.
pose kappa := (f x1 - g x1) / (x1 - x0).
have kappa0 : 0 <= kappa by rewrite divr_ge0 ?(ltW d0) // subr_ge0 lower // ltW.
pose g' x := g x + kappa * Num.max (x - x0) 0.
have g'_from x : x0 <= x -> g' x = f x0 + (f x1 - f x0) / (x1 - x0) * (x - x0).
  move=> x0x; rewrite /g' /kappa (max_idPl _) ?subr_ge0 // (affine x x0x) (affine x1 (ltW x01)) g0.
  by field; rewrite subr_eq0 gt_eqF.
have g'1 : g' x1 = f x1 by rewrite g'_from ?(ltW x01) // divfK ?gt_eqF // addrC subrK.
have [] := IH x1 ((f x1 - f x0) / (x1 - x0)) g' sorted_xs g'1.
- by move=> x x1x; rewrite !g'_from ?(le_trans (ltW x01)) ?(ltW x01) //; ring.
- by move=> x x1x; rewrite g'_from ?(le_trans (ltW x01)) // above_chord.
move=> c [c0 knots c_is]; exists ((- x0, kappa) :: c); split.
- by move=> y; rewrite inE => /orP[/eqP ->|/c0].
- move=> y; rewrite inE => /orP[/eqP -> //|/knots h]; apply: le_trans h _; by rewrite ler_opp2 ltW.
move=> x; rewrite inE /positive big_cons /= addrA -/(g' x) => /orP[/eqP ->|/c_is //].
rewrite g'1 big1_seq ?addr0 // => y /= y_in; rewrite (max_idPr _) ?mulr0 //.
by rewrite -ler_subr_addl sub0r knots.
Qed.

Lemma hinges_are_enough (xs : seq R) :
  exists2 k : R, 0 <= k & exists2 c : loss R, measure c & forall x, x \in xs -> f x = k + positive c x.
Proof.
have [_ mono f0] := test_f.
have := sort_sorted (@le_total _ R) (undup xs).
have : uniq (sort <=%R (undup xs)) by rewrite sort_uniq undup_uniq.
have mem x : (x \in xs) = (x \in sort <=%R (undup xs)) by rewrite mem_sort mem_undup.
case: (sort _ _) mem => [|x0 ys] mem.
  by move=> _ _; exists 0 => //; exists [::] => // x; rewrite mem.
rewrite -[X in is_true X -> _]/(uniq (x0 :: ys)) => uniq_ys sorted_ys.
have path_ys : path <%R x0 ys by have := lt_sorted_uniq_le (x0 :: ys); rewrite /= in uniq_ys sorted_ys *; rewrite uniq_ys sorted_ys => ->.
have affine x : x0 <= x -> f x0 = f x0 + 0 * (x - x0) by rewrite mul0r addr0.
have [c [c0 knots c_is]] := @hinges_from ys x0 0 (fun=> f x0) path_ys erefl affine (fun x => mono x0 x).
exists (f x0) => //; exists c => // x; rewrite mem inE => /orP[/eqP ->|/c_is //].
rewrite /positive big1_seq ?addr0 // => y /= y_in; rewrite (max_idPr _) ?mulr0 //.
by rewrite -ler_subr_addl sub0r knots.
Qed.

End Hinges.

Section Order.
Variable R : realFieldType.
Implicit Types (a b c : loss R) (C : seq (loss R)) (f g : R -> R) (t : R).

Definition total_mass a : R := \sum_(x <- a) x.2.

Lemma mean_eq f g a : (forall x, x \in a -> f x.1 = g x.1) -> mean f a = mean g a.
Proof. by move=> fg; rewrite /mean big_seq [RHS]big_seq; apply: eq_bigr => x x_in; rewrite fg. Qed.

Lemma mean_hinges k c a : mean (fun x => k + positive c x) a = k * total_mass a + \sum_(y <- c) y.2 * positive a y.1.
Proof.
rewrite /mean /total_mass mulr_sumr; under eq_bigr do rewrite mulrDr; rewrite big_split /=; congr (_ + _).
  by apply: eq_bigr => x _; rewrite mulrC.
under eq_bigr do rewrite /positive mulr_sumr; rewrite exchange_big /=; apply: eq_bigr => y _.
by rewrite mulr_sumr; apply: eq_bigr => x _; rewrite mulrCA [x.1 + _]addrC.
Qed.

(* The order by positive parts is the order by test functions. *)
Theorem below_mean f a b : total_mass a <= total_mass b -> below a b -> test f -> mean f a <= mean f b.
Proof.
move=> masses ab test_f; have [k k0 [c c0 c_is]] := hinges_are_enough test_f [seq x.1 | x <- a ++ b].
rewrite (@mean_eq f (fun x => k + positive c x) a) => [|x x_in]; last by rewrite c_is // map_f // mem_cat x_in.
rewrite (@mean_eq f (fun x => k + positive c x) b) => [|x x_in]; last by rewrite c_is // map_f // mem_cat x_in orbT.
rewrite !mean_hinges ler_add ?ler_wpmul2l //; rewrite big_seq [leRHS]big_seq; apply: ler_sum => y y_in.
by rewrite ler_wpmul2l ?c0.
Qed.

(* Laws with weights. *)
Definition mixture (ps : seq (R * loss R)) : loss R := flatten [seq [seq (x.1, y.1 * x.2) | x <- y.2] | y <- ps].

Lemma mean_mixture f ps : mean f (mixture ps) = \sum_(y <- ps) y.1 * mean f y.2.
Proof.
rewrite /mean /mixture big_flatten /= big_map; apply: eq_bigr => y _.
by rewrite big_map mulr_sumr; apply: eq_bigr => x _; rewrite mulrA.
Qed.

Theorem below_mixture C ps a : (forall y, y \in ps -> 0 <= y.1 /\ y.2 \in C) -> \sum_(y <- ps) y.1 <= 1 ->
  total_mass a <= total_mass (mixture ps) -> below a (mixture ps) -> under C a.
Proof.
move=> ps_in ps1 masses a_below f test_f; apply: le_trans (below_mean masses a_below test_f) _.
rewrite mean_mixture; apply: (@le_trans _ _ ((\sum_(y <- ps) y.1) * best C f)); last first.
  by rewrite -[leRHS]mul1r ler_wpmul2r ?best_ge0.
rewrite mulr_suml [leLHS]big_seq [leRHS]big_seq; apply: ler_sum => y y_in; have [y0 yC] := ps_in y y_in.
by rewrite ler_wpmul2l ?best_ge.
Qed.

Section Passes.
Variable C : seq (loss R).
Hypotheses (C_ge0 : measures C) (C_le1 : forall c, c \in C -> total_mass c <= 1).

Lemma best_eq f g : (forall c x, c \in C -> x \in c -> f x.1 = g x.1) -> best C f = best C g.
Proof.
elim: (C) => [|c D IH] //= fg; congr Num.max; last by apply: IH => d x d_in; apply: fg; rewrite inE d_in orbT.
by apply: mean_eq => x; apply: fg; rewrite mem_head.
Qed.

Lemma best_const k : 0 <= k -> best C (fun=> k) <= k.
Proof.
move=> k0; elim: (C) C_le1 => [|c D IH] //= le1; rewrite le_maxl IH => [|d d_in]; last by apply: le1; rewrite inE d_in orbT.
by rewrite andbT /mean -mulr_suml -[leRHS]mul1r ler_wpmul2r // le1 // mem_head.
Qed.

Lemma best_scale k f : 0 <= k -> k * best C f = best C (fun x => k * f x).
Proof.
move=> k0; elim: (C) => [|c D IH] /=; first by rewrite mulr0.
by rewrite maxr_pmulr // IH; congr Num.max; rewrite /mean mulr_sumr; apply: eq_bigr => x _; rewrite mulrCA.
Qed.

Lemma best_sum (I : eqType) (r : seq I) (p : I -> R) (F : I -> R -> R) k : 0 <= k -> (forall i, i \in r -> 0 <= p i) ->
  best C (fun x => k + \sum_(i <- r) p i * F i x) <= k + \sum_(i <- r) p i * best C (F i).
Proof.
move=> k0; elim: r => [|i r IH] p0.
  rewrite big_nil addr0 (@best_eq _ (fun=> k)) ?best_const // => c x _ _; by rewrite big_nil addr0.
rewrite big_cons (@best_eq _ (fun x => 1 * (k + \sum_(j <- r) p j * F j x) + p i * F i x)) => [|c x _ _]; last first.
  by rewrite big_cons; ring.
apply: le_trans (best_combination _ _ _ ler01 (p0 i (mem_head i r))) _; rewrite mul1r [X in _ <= _ + X]addrC addrA ler_add2r.
by apply: IH => j j_in; apply: p0; rewrite inE j_in orbT.
Qed.

(* j passes from any f. *)
Fixpoint passes f (j : nat) t : R := if j is j'.+1 then best C (fun x => passes f j' (t + x)) else f t.

Lemma V_passes i j t : V C (i + j) t = passes (V C j) i t.
Proof. by elim: i t => [|i IH] t //=; apply: best_eq => c x _ _; apply: IH. Qed.

(* Where f is asked. *)
Fixpoint reached (j : nat) t : seq R := if j is j'.+1 then flatten [seq reached j' (t + x.1) | c <- C, x <- c] else [:: t].

Lemma passes_eq f g j t : (forall x, x \in reached j t -> f x = g x) -> passes f j t = passes g j t.
Proof.
elim: j t => [|j IH] t fg /=; first by apply: fg; rewrite mem_head.
apply: best_eq => c x c_in x_in; apply: IH => y y_in; apply: fg => /=.
by apply/flattenP; exists (reached j (t + x.1)) => //; apply/allpairsPdep; exists c, x.
Qed.

Lemma passes_hinges k c j t : 0 <= k -> measure c ->
  passes (fun x => k + positive c x) j t <= k + \sum_(y <- c) y.2 * V C j (t + y.1).
Proof.
move=> k0 c0; elim: j t => [|j IH] t //=; apply: le_trans (best_le C_ge0 (fun x => IH (t + x))) _.
apply: le_trans (best_sum _ k0 c0) _; rewrite ler_add2l big_seq [leRHS]big_seq; apply: ler_sum => y y_in.
rewrite ler_wpmul2l ?c0 //; apply: best_le => // x.
by rewrite addrAC.
Qed.

Section Block.
Variables (Lambda : loss R) (g : nat).
Hypotheses (Lambda_ge0 : measure Lambda) (Lambda_ge1 : 1 <= total_mass Lambda) (Lambda_above : forall t, V C g t <= positive Lambda t).

(* g steps replaced by one law whose positive parts are above V_g. *)
Theorem block_bound j t : V C (g + j) t <= mean (fun x => V C j (t + x)) Lambda.
Proof.
have [k k0 [c c0 c_is]] := hinges_are_enough (V_test j C_ge0) (reached g t ++ [seq t + x.1 | x <- Lambda]).
rewrite V_passes (@passes_eq _ (fun x => k + positive c x)) => [|x x_in]; last by rewrite c_is // mem_cat x_in.
apply: le_trans (passes_hinges g t k0 c0) _.
rewrite (@mean_eq _ (fun x => k + positive [seq (t + y.1, y.2) | y <- c] x) Lambda) => [|x x_in]; last first.
  rewrite c_is; last by rewrite mem_cat (map_f (fun x => t + x.1) x_in) orbT.
  by congr (_ + _); rewrite /positive big_map; apply: eq_bigr => y _ /=; rewrite addrCA addrA.
rewrite mean_hinges big_map /= ler_add //; first by rewrite -[X in X <= _]mulr1 ler_wpmul2l.
by rewrite big_seq [leRHS]big_seq; apply: ler_sum => y y_in; rewrite ler_wpmul2l ?c0.
Qed.

(* B independent blocks, then f. *)
Fixpoint blocked (B : nat) f t : R := if B is B'.+1 then mean (fun x => blocked B' f (t + x)) Lambda else f t.

Theorem blocked_bound B j t : V C (B * g + j) t <= blocked B (V C j) t.
Proof.
elim: B t => [|B IH] t //=; rewrite mulSn -addnA; apply: le_trans (block_bound _ _) _.
by apply: mean_le => // x; apply: IH.
Qed.

Corollary blocks_bound B t : V C (B * g) t <= positives (nseq B Lambda) t.
Proof.
rewrite -[(B * g)%N]addn0; apply: le_trans (blocked_bound B 0 t) _.
rewrite le_eqVlt; apply/orP; left; apply/eqP; elim: B t => [|B IH] t //=.
by rewrite /mean; apply: eq_bigr => x _; rewrite IH.
Qed.

End Block.

(* One law above all of C: the sum of independent losses. *)
Corollary one_law_bound (Lambda : loss R) B t : measure Lambda -> 1 <= total_mass Lambda -> (forall c, c \in C -> below c Lambda) ->
  V C B t <= positives (nseq B Lambda) t.
Proof.
move=> Lambda0 Lambda1 above; rewrite -[B in V C B t]muln1; apply: blocks_bound => // x /=.
have Lambda_x : 0 <= positive Lambda x by rewrite /positive big_seq; apply: sumr_ge0 => y y_in; rewrite mulr_ge0 ?Lambda0 ?positive_part_ge0.
elim: (C) above => [|c D IH] //= above; rewrite le_maxl (above c (mem_head c D) x) IH // => d d_in.
by apply: above; rewrite inE d_in orbT.
Qed.

(* Interpolation on a grid (or whatever is above V elsewhere) rounds to the safe side. *)
Theorem V_on_a_grid (grid : nat -> R -> Prop) (F : nat -> R -> R) :
    (forall j t, V C j t <= F j t \/ exists p low high, [/\ 0 <= p <= 1, grid j low, grid j high, p * low + (1 - p) * high = t &
       p * F j low + (1 - p) * F j high <= F j t]) ->
    (forall t, grid 0%N t -> Num.max t 0 <= F 0%N t) ->
    (forall j t, grid j.+1 t -> best C (fun x => F j (t + x)) <= F j.+1 t) ->
  forall j t, V C j t <= F j t.
Proof.
move=> interpolated start pass; elim=> [|j IH] t.
  case: (interpolated 0%N t) => [//|[p [low [high [p01 low_in high_in <- h]]]]]; apply: le_trans h.
  have [convex_V _ _] := V_test 0 C_ge0; have /andP[p0 p1] := p01; apply: le_trans (convex_V p low high p01) _.
  by apply: ler_add; rewrite ler_wpmul2l ?subr_ge0 //; apply: start.
case: (interpolated j.+1 t) => [//|[p [low [high [p01 low_in high_in <- h]]]]]; apply: le_trans h.
have [convex_V _ _] := V_test j.+1 C_ge0; have /andP[p0 p1] := p01; apply: le_trans (convex_V p low high p01) _.
have at_grid x : grid j.+1 x -> V C j.+1 x <= F j.+1 x.
  by move=> x_in; apply: le_trans (pass j x x_in); apply: best_le => // y; apply: IH.
by apply: ler_add; rewrite ler_wpmul2l ?subr_ge0 ?at_grid.
Qed.

(* Beyond the ends of a grid: 0 <= V' <= 1. *)
Lemma V_slope j t d : 0 <= d -> V C j t <= V C j (t + d) <= V C j t + d.
Proof.
move=> d0; have [_ mono _] := V_test j C_ge0; rewrite mono ?ler_addl //=; elim: j t {mono} => [|j IH] t /=.
  apply: le_trans (positive_part_add _ _) _; by rewrite (max_idPl d0).
apply: (@le_trans _ _ (best C (fun x => 1 * V C j (t + x) + d * 1))).
  by apply: best_le => // x; rewrite mul1r mulr1 addrAC.
apply: le_trans (best_combination _ _ _ ler01 d0) _.
by rewrite mul1r ler_add2l -[leRHS]mulr1 ler_wpmul2l ?best_const.
Qed.

Lemma natr1 n : n%:R + 1 = n.+1%:R :> R.
Proof. by rewrite mulrSr. Qed.

(* The sum without one of its terms, for every term. *)
Lemma leave_one_out j (ys : seq R) s : \sum_(y <- ys) y = ((size ys)%:R - 1) * s ->
  ((size ys + j)%:R - 1) * V C j s <= \sum_(y <- ys) V C j y + j%:R * V C j.-1 s.
Proof.
elim: j ys s => [|j IH] ys s ys_sum.
  rewrite addn0 mul0r addr0 /=; case: ys ys_sum => [|y0 ys] ys_sum.
    by rewrite big_nil /= sub0r mulN1r oppr_le0 positive_part_ge0.
  have k0 : 0 <= (size (y0 :: ys))%:R - 1 :> R by rewrite /= -natr1 addrK ler0n.
  rewrite -positive_part_scale // -ys_sum le_maxl; apply/andP; split; first by apply: ler_sum => y _; apply: positive_part_ge.
  by apply: sumr_ge0 => y _; apply: positive_part_ge0.
have k0 : 0 <= (size ys + j.+1)%:R - 1 :> R by rewrite addnS -natr1 addrK ler0n.
rewrite /= best_scale //.
apply: (@le_trans _ _ (best C (fun x => 1 * (V C j s + \sum_(y <- ys) 1 * V C j (y + x)) + j%:R * V C j.-1 (s + x)))).
  apply: best_le => // x; have := IH (s :: [seq y + x | y <- ys]) (s + x).
  rewrite /= size_map !big_cons !big_map big_split /= ys_sum -natr1 addrK addSnnS.
  rewrite big_const_seq count_predT iter_addr_0 mul1r (eq_bigr (fun y => 1 * V C j (y + x))) => [|y _]; last by rewrite mul1r.
  by apply; rewrite -[x *+ _]mulr_natl; ring.
apply: le_trans (best_combination _ _ _ ler01 (ler0n _ j)) _; rewrite mul1r.
have sum_bound := @best_sum R ys (fun=> 1) (fun y x => V C j (y + x)) (V C j s) (V_ge0 j s C_ge0) (fun _ _ => ler01).
have last_bound : j%:R * best C (fun x => V C j.-1 (s + x)) <= j%:R * V C j s by case: j {IH sum_bound k0} => [|j] //=; rewrite !mul0r.
apply: le_trans (ler_add sum_bound last_bound) _.
rewrite (eq_bigr (fun y => best C (fun x => V C j (y + x)))) => [|y _]; last by rewrite mul1r.
by rewrite -natr1 mulrDl mul1r [X in _ <= _ + X]addrC addrA [V C j s + _]addrC.
Qed.

Theorem V_mean_nonincreasing n : (0 < n)%N -> V C n.+1 0 / n.+1%:R <= V C n 0 / n%:R.
Proof.
move=> n0; have n_gt0 : 0 < n%:R :> R by rewrite ltr0n.
have h : n%:R * V C n.+1 0 <= n.+1%:R * V C n 0.
  have := @leave_one_out n.+1 [::] 0; rewrite !big_nil mulr0 add0r add0n => /(_ erefl).
  by rewrite -{1}natr1 addrK.
by rewrite ler_pdivr_mulr ?ltr0n // mulrAC ler_pdivl_mulr // ![V C _ 0 * _]mulrC.
Qed.

Corollary V_mean_antitone i j : (0 < i <= j)%N -> V C j 0 / j%:R <= V C i 0 / i%:R.
Proof.
case/andP=> i0; elim: j => [|j IH]; first by rewrite leqNgt i0.
rewrite leq_eqVlt => /orP[/eqP -> //|]; rewrite ltnS => ij.
by apply: le_trans (V_mean_nonincreasing (leq_trans i0 ij)) (IH ij).
Qed.

End Passes.
End Order.
