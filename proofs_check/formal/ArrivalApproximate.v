(* First arrival for every adaptive sequence of (epsilon0, delta0)-DP local randomizers: delta0 is paid once, whatever the number of levels.
   (docs/mathematics/controlled-sum.md, "Without pure local privacy")

     arrival_of_left      whatever omega is, from what its losses are below;
     arrival_approximate_thinned  omega the least of R_0/T and the others' laws: all losses thinned;
     arrival_approximate  omega in proportion to the least over the others of T' P - Q, which leaks do not enter: nothing is thinned. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition AnotherPlace ConvexOrder ControlledSum FiveCorners Blocks
  AdaptivePlace AdaptiveAll FirstArrival Perspective AdaptiveApproximate.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* One report, shown: D_E <= delta0 + (T - E)/(T + 1). *)
Lemma shown_report (R : realFieldType) (S : finType) (P Q : dist R S) (T E delta0 : R) : 1 < T -> 1 <= E -> E <= T -> 0 <= delta0 ->
    dp T delta0 P Q -> dp T delta0 Q P ->
  hockey E P Q <= delta0 + (T - E) / (T + 1).
Proof.
move=> T_gt1 E_ge1 E_le d0 PQ QP; have T1 : 0 < T + 1 := addr_gt0 (lt_trans ltr01 T_gt1) ltr01.
have [A ->] := hockey_attained_by_an_event E P Q.
have rest (X : dist R S) : \sum_(x in ~: A) X x = 1 - \sum_(x in A) X x.
  rewrite -[in RHS](mass_sum1 X) [in RHS](bigID (mem A)) /= addrAC subrr add0r.
  by apply: eq_bigl => x; rewrite inE.
have := PQ A; have := QP (~: A); rewrite !rest; set p := \sum_(x in A) P x; set q := \sum_(x in A) Q x => second first.
have TT : 0 < (T - 1) * (T + 1) by rewrite mulr_gt0 ?subr_gt0.
rewrite -subr_ge0 -(pmulr_rge0 _ TT).
have -> : (T - 1) * (T + 1) * (delta0 + (T - E) / (T + 1) - (p - E * q)) =
  (E * T - 1) * (T * q + delta0 - p) + (T - E) * (T * (1 - p) + delta0 - (1 - q)) + (T - 1) * (T - E) * delta0.
  by field; rewrite gt_eqF.
have ET : 0 <= E * T - 1 by rewrite subr_ge0 mulr_ege1 // ltW.
have TE : 0 <= T - E by rewrite subr_ge0.
have T_1 : 0 <= T - 1 by rewrite subr_ge0 ltW.
have first0 : 0 <= T * q + delta0 - p by rewrite subr_ge0.
have second0 : 0 <= T * (1 - p) + delta0 - (1 - q) by rewrite subr_ge0.
by apply: addr_ge0; [apply: addr_ge0 | ]; apply: mulr_ge0 => //; apply: mulr_ge0.
Qed.

Lemma total_mass_rest (R : realFieldType) (T E o0 o1 o2 eta : R) c : 1 < T -> eta < 1 -> c \in perspective_laws T E o0 o1 o2 eta -> total_mass c = (1 - eta * (o0 + o1 + o2)) / (1 - eta).
Proof.
move=> T_gt1 eta_lt1; have T0 : 0 < T := lt_trans ltr01 T_gt1.
have n0 : T != 0 by rewrite gt_eqF.
have n1 : T + 1 != 0 by rewrite gt_eqF // addr_gt0 ?ltr01.
have n2 : T + 2%:R != 0 by rewrite gt_eqF // addr_gt0 ?ltr0n.
have n3 : 2%:R * T + 1 != 0 by rewrite gt_eqF // addr_gt0 ?mulr_gt0 ?ltr0n ?ltr01.
have n4 : 1 - eta != 0 by rewrite gt_eqF // subr_gt0.
case/mapP=> l l_in ->; rewrite /total_mass big_map; move: l_in; rewrite !inE => l_in.
by case/or4P: l_in => [/eqP->|/eqP->|/eqP->|/orP[/eqP->|/eqP->]]; rewrite !big_cons big_nil /left_density /density /=; field;
  rewrite ?n0 ?n1 ?n2 ?n3 ?n4.
Qed.

Lemma measures_leaking (R : realFieldType) (T E delta0 far hides o0 o1 o2 eta : R) : 1 < T -> 1 < T' T delta0 -> 0 <= delta0 -> 0 < kappa delta0 -> 0 < hides -> eta < 1 ->
    (let W := left_density o0 o1 o2 eta in
     [/\ 0 < W (T' T delta0)^-1 (T' T delta0)^-1, 0 < W (T' T delta0) (T' T delta0) & 0 < W (T' T delta0) 1] /\
     [/\ 0 < W 1 (T' T delta0), 0 < W 1 (T' T delta0)^-1 & 0 < W (T' T delta0)^-1 1]) ->
    kappa delta0 * ((1 - eta * (o0 + o1 + o2)) / (1 - eta)) + hides * (delta0 / T) <= 1 ->
  measures (leaking_laws T E delta0 far hides o0 o1 o2 eta).
Proof.
move=> T_gt1 T'1 delta_ge0 kappa0 hides0 eta_lt1 corners room c /mapP[a a_in ->] x.
have T0 : 0 < T := lt_trans ltr01 T_gt1.
rewrite !inE => /or3P[/eqP ->|/eqP ->|/mapP[y y_in ->]] /=.
- by rewrite mulr_ge0 ?divr_ge0 // ltW.
- by rewrite -addrA -opprD subr_ge0 (total_mass_rest T'1 eta_lt1 a_in).
by rewrite mulr_ge0 ?(ltW kappa0) // (measures_perspective_laws T'1 corners a_in).
Qed.

Section Levels.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E delta0 far : R).
Variables (n : nat) (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (eta : nat -> R) (levels : nat).
Hypotheses (T_gt1 : 1 < T) (E_ge1 : 1 <= E) (E_le : E <= T) (delta_ge0 : 0 <= delta0) (delta_small : 3%:R * delta0 < 1).
Hypotheses (far_ge0 : 0 <= far) (far_le : far <= T).
Hypothesis locally_private : approximately_ldp T delta0 randomizers.
Hypothesis others : forall j, j != i0 -> tnth w j = tnth w' j.
Hypotheses (eta_0 : eta 0%N = 0) (eta_le : forall l, eta l <= eta l.+1) (eta_lt1 : forall l, eta l < 1).

Let T0 : 0 < T := lt_trans ltr01 T_gt1.
Let E_ge0 : 0 <= E := le_trans ler01 E_ge1.
Let dp_hockey z x x' : hockey T (randomizers z x) (randomizers z x') <= delta0.
Proof. by apply/dp_iff_hockey; apply: locally_private. Qed.

Let law_0 z := randomizers z (tnth w i0).
Let law_1 z := randomizers z (tnth w' i0).
Let law_k z k := randomizers z (tnth w k).
Let kept k z s : R := arrival_kept (law_0 z) (law_1 z) (law_k z k) T E far s.

Lemma levels_ge0' l : 0 <= eta l.
Proof. by elim: l => [|l IH]; rewrite ?eta_0 //; apply: le_trans (eta_le l). Qed.

(* Whatever omega is: what is needed of it. *)
Lemma arrival_of_left (omega : seq S -> dist R S) (m : nat -> 'I_n.+1 -> seq S -> dist R S) (C : nat -> seq (loss R)) :
    (forall l k z s, k != i0 -> law_k z k s = eta l * omega z s + (1 - eta l) * m l k z s) ->
    (forall l, measures (C l)) ->
    (forall l k z, k != i0 -> under (C l) (atoms (m l k z) (fun s => kept k z s / m l k z s))) ->
    (forall l k z s, k != i0 -> m l k z s = 0 -> kept k z s <= 0) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n * (\sum_(1 <= r < n.+1) binomial_mass n (step_share eta l) r *
    (V (C l.+1) (n.+1 - r) 0 / (n.+1 - r)%:R + delta0 * (2%:R - far / T))) +
  (1 - eta levels) ^+ n * (delta0 + (T - E) / (T + 1)).
Proof.
move=> pooled C_ge0 step_under nowhere.
pose L l k z s := kept k z s / m l.+1 k z s.
pose given l k z s := law_0 z s - E * law_1 z s - m l.+1 k z s * L l k z s.
have far1 : 0 <= 1 - far / T by rewrite subr_ge0 ler_pdivr_mulr // mul1r.
have arrival := @first_arrival_eta R D S randomizers n w w' i0 E others eta (fun=> delta0 * (2%:R - far / T)) omega m L given
  (fun l => C l.+1) levels eta_0 (fun l _ => eta_le l) (fun l _ => eta_lt1 l).
apply: le_trans (arrival _ _ _ _ _ _) _ => [l k z s _ k0|l k z s _ k0|l _|l k z _ k0|l _|l k z _ k0|].
- exact: pooled.
- by rewrite /given [RHS]addrC subrK.
- exact: C_ge0.
- exact: step_under.
- by rewrite mulr_ge0 // subr_ge0; apply: le_trans (_ : 1 <= _); [rewrite ler_pdivr_mulr // mul1r | rewrite ler1n].
- have lost := dp_hockey z (tnth w i0) (tnth w k).
  have -> : delta0 * (2%:R - far / T) = delta0 + delta0 * (1 - far / T) by ring.
  apply: le_trans (ler_add lost (ler_wpmul2r far1 (leak_total_le (law_k z k) T_gt1 (dp_hockey z (tnth w i0) (tnth w' i0))))).
  rewrite mulr_suml -big_split /=; apply: ler_sum => s _.
  have leak0 : 0 <= leak T (law_0 z s) (law_1 z s) (law_k z k s) * (1 - far / T) by rewrite mulr_ge0 ?leak_ge0.
  rewrite le_maxl addr_ge0 ?positive_part_ge0 // andbT -clip_lost -/(law_0 z) -/(law_k z k).
  apply: (@le_trans _ _ (law_0 z s - E * law_1 z s - kept k z s)).
    rewrite /given ler_add2l ler_opp2 /L; have [zero|neq0] := eqVneq (m l.+1 k z s) 0; last by rewrite mulrC divfK.
    by rewrite zero mul0r; apply: nowhere zero.
  rewrite /kept /arrival_kept -subr_ge0.
  have -> : law_0 z s - clip T (law_k z k s) (law_0 z s) + leak T (law_0 z s) (law_1 z s) (law_k z k s) * (1 - far / T) -
      (law_0 z s - E * law_1 z s - (part_0 (law_0 z) (law_k z k) T s - leak T (law_0 z s) (law_1 z s) (law_k z k s) * (1 - far / T) -
        E * part_1 (law_1 z) (law_k z k) T s)) = E * (law_1 z s - part_1 (law_1 z) (law_k z k) T s) by rewrite /part_0; ring.
  by rewrite mulr_ge0 // subr_ge0 clip_le.
rewrite ler_add2l ler_wpmul2l ?exprn_ge0 ?subr_ge0 ?(ltW (eta_lt1 _)) //; apply: nobody_in_pool_told => [|z].
  by apply: addr_ge0 => //; apply: divr_ge0; rewrite ?subr_ge0 // addr_ge0 ?ler01 // ltW.
by apply: shown_report => //; apply: locally_private.
Qed.


Section Relative.
(* omega: the least over the others of T' P - Q, with mass 1, at least c before. *)
Definition arrival_norm : R := T - 1 - 2%:R * T * n%:R * delta0 - 2%:R * delta0 / (1 - 2%:R * delta0).
Hypothesis eta_norm : forall l, eta l * ((T' T delta0 + 1) * (T' T delta0 - 1)) < arrival_norm.

Let room_at k z s := arrival_room (law_0 z) (law_1 z) (law_k z k) T delta0 s.
Let floor_of (ks : seq 'I_n.+1) z s : R := foldr (fun k b => Num.min (room_at k z s) b) (T * law_0 z s) ks.
Let least := floor_of [seq k <- enum 'I_n.+1 | k != i0].

Let room_ge0 k z s : 0 <= room_at k z s.
Proof. by apply: arrival_room_ge0; rewrite ?dp_hockey. Qed.

Let floor_ge0 ks z s : 0 <= floor_of ks z s.
Proof. by elim: ks => [|k ks IH] /=; [rewrite mulr_ge0 ?mass_ge0 // ltW | rewrite le_minr room_ge0]. Qed.

Let least_le z k s : k != i0 -> least z s <= room_at k z s.
Proof.
move=> k0; have : k \in [seq k <- enum 'I_n.+1 | k != i0] by rewrite mem_filter k0 mem_enum.
by rewrite /least; elim: [seq _ <- _ | _] => [|j ks IH] //=; rewrite inE le_minl => /orP[/eqP <-|/IH ->]; rewrite ?lexx ?orbT.
Qed.

Let lost k z s : R := law_0 z s - inner T (law_k z k s) (law_0 z s) (law_1 z s).
Let lost_ge0 k z s : 0 <= lost k z s.
Proof. by rewrite subr_ge0; apply: le_trans (inner_le _ _ _ _) (clip_le _ _ _). Qed.

Let floor_ge ks z s : T * law_0 z s - law_1 z s / (1 - 2%:R * delta0) - T * (\sum_(k <- ks) lost k z s) <= floor_of ks z s.
Proof.
have half : 0 < 1 - 2%:R * delta0.
  rewrite subr_gt0; apply: le_lt_trans delta_small; by rewrite ler_wpmul2r // ler_nat.
have share0 : 0 <= law_1 z s / (1 - 2%:R * delta0) by rewrite divr_ge0 ?mass_ge0 // ltW.
elim: ks => [|k ks IH] /=; first by rewrite big_nil mulr0 subr0 ler_subl_addr ler_addl.
have others0 : 0 <= T * (\sum_(j <- ks) lost j z s) by rewrite mulr_ge0 ?(ltW T0) // sumr_ge0 // => j _; apply: lost_ge0.
rewrite big_cons mulrDr opprD addrA le_minr; apply/andP; split.
  apply: le_trans (arrival_room_ge (R_0 := law_0 z) (R_1 := law_1 z) (R_k := law_k z k) T_gt1 delta_ge0 delta_small (dp_hockey z _ _)
    (dp_hockey z _ _) (dp_hockey z _ _) (dp_hockey z _ _) (dp_hockey z _ _) (dp_hockey z _ _) s).
  rewrite ler_subl_addr; apply: le_trans (_ : _ <= T * inner T (law_k z k s) (law_0 z s) (law_1 z s) - law_1 z s / (1 - 2%:R * delta0)) _.
    by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /lost; ring.
  by rewrite ler_addl.
apply: le_trans IH; rewrite addrAC ler_subl_addr ler_addl.
by rewrite mulr_ge0 ?(ltW T0) ?lost_ge0.
Qed.

Let least_mass z : arrival_norm <= \sum_s least z s.
Proof.
have size_is : size [seq k <- enum 'I_n.+1 | k != i0] = n.
  apply/eqP; rewrite size_filter -eqSS -[X in _ == X](size_enum_ord n.+1) -(count_predC (pred1 i0)) -add1n eqn_add2r.
  by rewrite count_uniq_mem ?enum_uniq // mem_enum.
apply: le_trans (ler_sum _ (fun s _ => floor_ge [seq k <- enum 'I_n.+1 | k != i0] z s)).
rewrite !sumrB -!mulr_sumr -mulr_suml !mass_sum1 mulr1 mul1r exchange_big /=.
have total : \sum_(k <- [seq k <- enum 'I_n.+1 | k != i0]) \sum_s lost k z s <= n%:R * (2%:R * delta0).
  rewrite -[in X in _ <= X]size_is; elim: [seq _ <- _ | _] => [|k ks IH] /=; first by rewrite big_nil mul0r.
  rewrite big_cons mulrS mulrDl mul1r; apply: ler_add => //.
  exact: (inner_lost_total (R_k := law_k z k) T_gt1 (dp_hockey z _ _) (dp_hockey z _ _)).
rewrite /arrival_norm.
have -> : T - 1 - 2%:R * T * n%:R * delta0 - 2%:R * delta0 / (1 - 2%:R * delta0) = T - (1 - 2%:R * delta0)^-1 - T * (n%:R * (2%:R * delta0)).
  by field; rewrite gt_eqF // subr_gt0; apply: le_lt_trans delta_small; rewrite ler_wpmul2r // ler_nat.
by rewrite ler_add2l ler_opp2 ler_wpmul2l // ltW.
Qed.

Let norm0 : 0 < arrival_norm.
Proof.
apply: le_lt_trans (eta_norm 0); rewrite eta_0 mul0r //.
Qed.

Let mass_gt0 z : 0 < \sum_s least z s.
Proof. exact: lt_le_trans norm0 (least_mass z). Qed.

Let omega_mass z s : R := least z s / \sum_s least z s.
Let omega_is_law z : is_law (omega_mass z).
Proof.
split=> [s|]; first by rewrite divr_ge0 ?floor_ge0 // ltW.
by rewrite -mulr_suml mulfV // gt_eqF.
Qed.
Let omega z : dist R S := Dist (omega_is_law z).

Let omega_le z k s : k != i0 -> arrival_norm * omega z s <= room_at k z s.
Proof.
move=> k0; apply: le_trans (least_le z s k0); rewrite /= /omega_mass mulrA ler_pdivr_mulr // mulrC ler_wpmul2l ?floor_ge0 //.
Qed.

Let left_mass_at l k z s : R := if k == i0 then omega z s else (law_k z k s - eta l * omega z s) / (1 - eta l).

Let left_is_law l k z : is_law (left_mass_at l k z).
Proof.
have gap : 0 < 1 - eta l by rewrite subr_gt0.
rewrite /left_mass_at; case: eqP => [_|/eqP k0]; first exact: (mass_is_law (omega z)).
split=> [s|]; last by rewrite -mulr_suml sumrB -mulr_sumr !mass_sum1 mulr1 divff // gt_eqF.
rewrite divr_ge0 ?(ltW gap) // subr_ge0 -(ler_pmul2l norm0) mulrCA.
apply: le_trans (ler_wpmul2l (levels_ge0' l) (omega_le z s k0)) _.
apply: le_trans (ler_wpmul2l (levels_ge0' l) (arrival_room_le (R_0 := law_0 z) (R_1 := law_1 z) (R_k := law_k z k) T_gt1 delta_ge0 delta_small
  (dp_hockey z _ _) (dp_hockey z _ _) (dp_hockey z _ _) (dp_hockey z _ _) (dp_hockey z _ _) (dp_hockey z _ _) s)) _.
by rewrite mulrA ler_wpmul2r ?mass_ge0 // ltW.
Qed.
Let left_at' l k z : dist R S := Dist (left_is_law l k z).

Definition relative_laws (e : R) : seq (loss R) :=
  leaking_laws T E delta0 far (1 - e)^-1 0 (T' T delta0 / arrival_norm) (- arrival_norm^-1) e.

Let T'1 : 1 < T' T delta0.
Proof. by rewrite ltr_pdivl_mulr ?subr_gt0 // mul1r; apply: le_lt_trans T_gt1; rewrite ler_subl_addr ler_addl mulr_ge0 ?ler0n. Qed.

Let norm_le : arrival_norm <= T' T delta0 - 1.
Proof.
have half : 0 < 1 - 2%:R * delta0 by rewrite subr_gt0; apply: le_lt_trans delta_small; rewrite ler_wpmul2r // ler_nat.
apply: (@le_trans _ _ (T - 1)); last first.
  rewrite ler_add2r ler_pdivl_mulr ?subr_gt0 // -[X in _ <= X]mulr1 ler_wpmul2l ?(ltW T0) // ler_subl_addr ler_addl.
  by rewrite mulr_ge0 ?ler0n.
have lost_n : 0 <= 2%:R * T * n%:R * delta0 by rewrite !mulr_ge0 ?ler0n // ltW.
have lost_2 : 0 <= 2%:R * delta0 / (1 - 2%:R * delta0) by rewrite divr_ge0 ?mulr_ge0 ?ler0n // ltW.
rewrite /arrival_norm -subr_ge0; move: lost_n lost_2; set A := 2%:R * T * _ * _; set B := _ / _ => A0 B0.
have -> : T - 1 - (T - 1 - A - B) = A + B by ring.
exact: addr_ge0.
Qed.

Let level_small l : eta l * (T' T delta0 + 1) < 1.
Proof.
have gap : 0 < T' T delta0 - 1 by rewrite subr_gt0.
by rewrite -(ltr_pmul2r gap) mul1r -mulrA; apply: lt_le_trans (eta_norm l) norm_le.
Qed.

Lemma relative_measures l : measures (relative_laws (eta l)).
Proof.
have gap : 0 < 1 - eta l by rewrite subr_gt0.
have kappa0 : 0 < kappa delta0 by rewrite subr_gt0.
apply: measures_leaking => //; first by rewrite invr_gt0.
  exact: (relative_corners T_gt1 delta_ge0 delta_small (levels_ge0' l) (eta_lt1 l) norm0 (eta_norm l)).
have less : (1 - eta l * (0 + T' T delta0 / arrival_norm + - arrival_norm^-1)) / (1 - eta l) <= 1.
  rewrite ler_pdivr_mulr // mul1r ler_add2l ler_opp2 -[X in X <= _]mulr1 ler_wpmul2l ?levels_ge0' // add0r.
  by rewrite -[X in _ - X]mul1r -mulrBl ler_pdivl_mulr // mul1r.
have leaks : (1 - eta l)^-1 * (delta0 / T) <= 3%:R * delta0.
  have -> : (1 - eta l)^-1 * (delta0 / T) = ((1 - eta l) * T)^-1 * delta0 by field; rewrite !gt_eqF.
  have half : eta l * 2%:R <= 1.
    apply: le_trans (ltW (level_small l)); rewrite ler_wpmul2l ?levels_ge0' //.
    by rewrite -[2%:R]/(1 + 1) ler_add2r ltW.
  rewrite ler_wpmul2r // -[_^-1]mul1r ler_pdivr_mulr ?mulr_gt0 //; apply: (@le_trans _ _ (2%:R * (1 - eta l))).
    by rewrite mulrBr mulr1 [2%:R * _]mulrC ler_subr_addr -[X in _ <= X]/(1 + 1) ler_add2l.
  rewrite [leLHS]mulrC [leRHS]mulrCA ler_wpmul2l ?(ltW gap) //; apply: (@le_trans _ _ (3%:R * 1)); first by rewrite mulr1 ler_nat.
  by rewrite ler_wpmul2l ?ler0n // ltW.
by rewrite -[leRHS](subrK (3%:R * delta0)) ler_add // -[leRHS]mulr1 ler_wpmul2l // ltW.
Qed.

(* Theorem A with leaks: nothing is thinned. *)
Theorem arrival_approximate :
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n * (\sum_(1 <= r < n.+1) binomial_mass n (step_share eta l) r *
    (V (relative_laws (eta l.+1)) (n.+1 - r) 0 / (n.+1 - r)%:R + delta0 * (2%:R - far / T))) +
  (1 - eta levels) ^+ n * (delta0 + (T - E) / (T + 1)).
Proof.
have gap l : 1 - eta l != 0 by rewrite subr_eq0 gt_eqF.
have left_is l k z s : k != i0 -> (1 - eta l) * left_at' l k z s = law_k z k s - eta l * omega z s.
  by move=> k0; rewrite /= /left_mass_at (negPf k0) mulrC divfK.
apply: (arrival_of_left (omega := omega) (m := left_at') (C := fun l => relative_laws (eta l))) => [l k z s k0|l|l k z k0|l k z s k0].
- by rewrite left_is // [RHS]addrC subrK.
- exact: relative_measures.
- exact: (relative_under T_gt1 E_ge0 delta_ge0 delta_small (dp_hockey z _ _) (dp_hockey z _ _) (dp_hockey z _ _) (dp_hockey z _ _)
    (dp_hockey z _ _) (dp_hockey z _ _) (levels_ge0' l) (eta_lt1 l) norm0 (eta_norm l) far_ge0 (fun s => left_is l k z s k0) (fun s => omega_le z s k0)).
exact: (relative_nowhere T_gt1 E_ge0 delta_ge0 delta_small (dp_hockey z _ _) (dp_hockey z _ _) (dp_hockey z _ _) (dp_hockey z _ _)
  (dp_hockey z _ _) (dp_hockey z _ _) far (levels_ge0' l) (eta_lt1 l) norm0 (eta_norm l) (fun s => left_is l k z s k0) (fun s => omega_le z s k0)).
Qed.

End Relative.

Section Thinned.
(* omega: the least of R_0/T and the others' laws, with mass 1, at least room/T before. *)
Definition arrival_room_left : R := 1 - n%:R * delta0.
Hypothesis eta_room : forall l, eta l * T < arrival_room_left.

Let low_of (ks : seq 'I_n.+1) z s : R := foldr (fun k b => Num.min (law_k z k s) b) (law_0 z s / T) ks.
Let low := low_of [seq k <- enum 'I_n.+1 | k != i0].

Let low_ge0 ks z s : 0 <= low_of ks z s.
Proof. by elim: ks => [|k ks IH] /=; [rewrite divr_ge0 ?mass_ge0 // ltW | rewrite le_minr mass_ge0]. Qed.

Let low_le_first ks z s : low_of ks z s <= law_0 z s / T.
Proof. by elim: ks => [|k ks IH] //=; rewrite le_minl IH orbT. Qed.

Let low_le z k s : k != i0 -> low z s <= law_k z k s.
Proof.
move=> k0; have : k \in [seq k <- enum 'I_n.+1 | k != i0] by rewrite mem_filter k0 mem_enum.
by rewrite /low; elim: [seq _ <- _ | _] => [|j ks IH] //=; rewrite inE le_minl => /orP[/eqP <-|/IH ->]; rewrite ?lexx ?orbT.
Qed.

Let low_of_mass ks z : (1 - (size ks)%:R * delta0) / T <= \sum_s low_of ks z s.
Proof.
elim: ks => [|k ks IH] /=; first by rewrite mul0r subr0 -mulr_suml mass_sum1.
have lost : \sum_s (low_of ks z s - Num.min (law_k z k s) (low_of ks z s)) <= delta0 / T.
  apply: le_trans (_ : _ <= hockey T (law_0 z) (law_k z k) / T) _; last by rewrite ler_wpmul2r ?invr_ge0 ?dp_hockey // ltW.
  rewrite mulr_suml; apply: ler_sum => s _; case: (leP (law_k z k s) _) => _; last by rewrite subrr divr_ge0 ?positive_part_ge0 // ltW.
  rewrite ler_pdivl_mulr //; apply: le_trans (positive_part_ge _); rewrite mulrBl [_ * T]mulrC [law_k z k s * T]mulrC ler_add2r.
  by rewrite mulrC -ler_pdivl_mulr.
rewrite sumrB in lost; rewrite ler_subl_addl -ler_subl_addr in lost; apply: le_trans lost.
rewrite ler_subr_addr; apply: le_trans IH; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by rewrite -mulrDl; congr (_ / _); rewrite mulrSr; ring.
Qed.

Let room0 : 0 < arrival_room_left.
Proof. by apply: le_lt_trans (eta_room 0); rewrite eta_0 mul0r. Qed.
Let room1 : arrival_room_left <= 1. Proof. by rewrite ler_subl_addr ler_addl mulr_ge0 ?ler0n. Qed.

Let low_mass z : arrival_room_left / T <= \sum_s low z s.
Proof.
have size_is : size [seq k <- enum 'I_n.+1 | k != i0] = n.
  apply/eqP; rewrite size_filter -eqSS -[X in _ == X](size_enum_ord n.+1) -(count_predC (pred1 i0)) -add1n eqn_add2r.
  by rewrite count_uniq_mem ?enum_uniq // mem_enum.
by have := low_of_mass [seq k <- enum 'I_n.+1 | k != i0] z; rewrite size_is.
Qed.

Let low_gt0 z : 0 < \sum_s low z s.
Proof. by apply: lt_le_trans (low_mass z); rewrite divr_gt0. Qed.

Let thin_mass z s : R := low z s / \sum_s low z s.
Let thin_is_law z : is_law (thin_mass z).
Proof.
split=> [s|]; first by rewrite divr_ge0 ?low_ge0 // ltW.
by rewrite -mulr_suml mulfV // gt_eqF.
Qed.
Let thin z : dist R S := Dist (thin_is_law z).

Definition arrival_share_left (e : R) : R := (1 - e * (T / arrival_room_left)) / (1 - e).
Let gap l : 0 < 1 - eta l. Proof. by rewrite subr_gt0. Qed.
Let taken_lt1 l : eta l * (T / arrival_room_left) < 1. Proof. by rewrite mulrA ltr_pdivr_mulr // mul1r. Qed.
Let theta0 l : 0 < arrival_share_left (eta l). Proof. by rewrite divr_gt0 // subr_gt0. Qed.
Let theta_is l : (1 - eta l * (T / arrival_room_left)) / (1 - eta l) = arrival_share_left (eta l). Proof. by []. Qed.
Let theta1 l : arrival_share_left (eta l) <= 1.
Proof.
rewrite ler_pdivr_mulr // mul1r ler_add2l ler_opp2 -[X in X <= _]mulr1 ler_wpmul2l ?levels_ge0' // ler_pdivl_mulr // mul1r.
exact: le_trans room1 (ltW T_gt1).
Qed.

Let thin_le l z k s : k != i0 -> eta l * thin z s <= eta l * (T / arrival_room_left) * law_k z k s.
Proof.
move=> k0; rewrite -mulrA ler_wpmul2l ?levels_ge0' //= /thin_mass mulrC.
apply: ler_pmul; rewrite ?invr_ge0 ?low_ge0 ?(ltW (low_gt0 z)) ?low_le //.
by rewrite -[T / _]invf_div lef_pinv ?posrE ?divr_gt0.
Qed.

Let left_thin_mass l k z s : R := if k == i0 then thin z s else (law_k z k s - eta l * thin z s) / (1 - eta l).

Let left_thin_ge l k z s : k != i0 -> arrival_share_left (eta l) * law_k z k s <= left_thin_mass l k z s.
Proof.
move=> k0; rewrite /left_thin_mass (negPf k0) /arrival_share_left mulrAC ler_wpmul2r ?invr_ge0 ?(ltW (gap l)) // mulrBl mul1r ler_add2l ler_opp2.
exact: thin_le.
Qed.

Let left_thin_is_law l k z : is_law (left_thin_mass l k z).
Proof.
split=> [s|]; last first.
  rewrite /left_thin_mass; case: eqP => [_|_]; first exact: (mass_sum1 (thin z)).
  by rewrite -mulr_suml sumrB -mulr_sumr !mass_sum1 mulr1 divff // gt_eqF.
case: (eqVneq k i0) => [->|k0]; first by rewrite /left_thin_mass eqxx; apply: (mass_ge0 (thin z)).
by apply: le_trans (left_thin_ge l z s k0); rewrite mulr_ge0 ?mass_ge0 // ltW.
Qed.
Let left_thin l k z : dist R S := Dist (left_thin_is_law l k z).

Definition thinned_laws (e : R) : seq (loss R) :=
  leaking_laws T E delta0 far (arrival_share_left e) (T / arrival_room_left) 0 0 e.

Lemma thinned_measures l : measures (thinned_laws (eta l)).
Proof.
have kappa0 : 0 < kappa delta0 by rewrite subr_gt0.
have T'1 : 1 < T' T delta0.
  by rewrite ltr_pdivl_mulr // mul1r; apply: le_lt_trans T_gt1; rewrite ler_subl_addr ler_addl mulr_ge0 ?ler0n.
apply: measures_leaking => //; first exact: (thinned_positive T delta0 (theta0 l) (erefl _)).
rewrite !addr0 -/(arrival_share_left (eta l)) mulrC -mulrDr; apply: le_trans (_ : 1 * 1 <= 1); last by rewrite mulr1.
apply: ler_pmul => //; first exact: ltW.
  by rewrite addr_ge0 ?divr_ge0 ?(ltW kappa0) // ltW.
rewrite /kappa addrAC ler_subl_addr ler_add2l ler_pdivr_mulr // mulrAC -[X in X <= _]mul1r ler_wpmul2r //.
by apply: (@le_trans _ _ (3%:R * 1)); [rewrite mulr1 ler1n | rewrite ler_wpmul2l ?ler0n // ltW].
Qed.

(* Theorem A with leaks, all losses thinned: for many leaks. *)
Theorem arrival_approximate_thinned :
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n * (\sum_(1 <= r < n.+1) binomial_mass n (step_share eta l) r *
    (V (thinned_laws (eta l.+1)) (n.+1 - r) 0 / (n.+1 - r)%:R + delta0 * (2%:R - far / T))) +
  (1 - eta levels) ^+ n * (delta0 + (T - E) / (T + 1)).
Proof.
apply: (arrival_of_left (omega := thin) (m := left_thin) (C := fun l => thinned_laws (eta l))) => [l k z s k0|l|l k z k0|l k z s k0].
- by rewrite /= /left_thin_mass (negPf k0) [X in _ = _ + X]mulrC divfK ?gt_eqF // [RHS]addrC subrK.
- exact: thinned_measures.
- exact: (thinned_under (m := left_thin l k z) T_gt1 E_ge0 delta_ge0 delta_small (dp_hockey z _ _) (dp_hockey z _ _) (dp_hockey z _ _) (dp_hockey z _ _)
    (dp_hockey z _ _) (dp_hockey z _ _) (theta0 l) (theta_is l) far_ge0 (fun s => left_thin_ge l z s k0)).
exact: (thinned_nowhere (m := left_thin l k z) T_gt1 E_ge0 delta_ge0 delta_small (dp_hockey z _ _) (dp_hockey z _ _) (dp_hockey z _ _) (dp_hockey z _ _)
  (dp_hockey z _ _) (dp_hockey z _ _) far (theta0 l) (theta_is l) (fun s => left_thin_ge l z s k0)).
Qed.

End Thinned.

End Levels.
