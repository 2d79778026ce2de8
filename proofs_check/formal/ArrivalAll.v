(* First arrival for every adaptive sequence of T-LDP randomizers, T = e^epsilon0: omega = (T R_0 - R_1) / (T - 1) of the step and its
   history, levels 0 = eta_0 <= eta_1 <= ... with eta_l (T + 1) < 1, nothing thinned: the perspective of five laws.

     arrival_up_to      Theorem A with Lemma B and this omega, adaptive sequences included, up to what is left after the last level. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition AnotherPlace ConvexOrder ControlledSum FiveCorners
  AdaptivePlace FirstArrival Perspective.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Density.
Variables (R : realFieldType) (T eta : R).
Hypotheses (T_gt1 : 1 < T) (eta_ge0 : 0 <= eta) (eta_small : eta * (T + 1) < 1).

Let T0 : 0 < T. Proof. exact: lt_trans ltr01 T_gt1. Qed.
Let Tneq0 : T != 0. Proof. by rewrite gt_eqF. Qed.
Let T1 : 0 < T - 1. Proof. by rewrite subr_gt0. Qed.

Definition share_0 : R := T / (T - 1).
Definition share_1 : R := - (T - 1)^-1.

Lemma shares_sum1 : 0 + share_0 + share_1 = 1.
Proof. by rewrite add0r /share_0 /share_1 -[X in _ - X]mul1r -mulrBl mulfV // gt_eqF. Qed.

Lemma level_lt1 : eta < 1.
Proof. by apply: le_lt_trans eta_small; rewrite -[X in X <= _]mulr1 ler_wpmul2l // ler_addr ltW. Qed.

Let eta1 : 0 < 1 - eta. Proof. by rewrite subr_gt0 level_lt1. Qed.

(* What is hidden of R_k at least. *)
Definition arrival_share : R := (1 - eta * (T + 1)) / (1 - eta).

Lemma arrival_share_range : 0 < arrival_share <= 1.
Proof.
have small : 0 < 1 - eta * (T + 1) by rewrite subr_gt0.
have le1 : arrival_share <= 1.
  rewrite /arrival_share ler_pdivr_mulr // mul1r ler_add2l ler_opp2 -[X in X <= _]mulr1 ler_wpmul2l //.
  by rewrite ler_addr ltW.
by rewrite le1 andbT; apply: divr_gt0.
Qed.

Lemma left_density_ge u v : hexagon T u v -> arrival_share <= left_density 0 share_0 share_1 eta u v.
Proof.
case=> [[_ _ u_high _] [uv _]]; rewrite /arrival_share /left_density ler_wpmul2r ?invr_ge0 ?(ltW eta1) // ler_add2l ler_opp2 ler_wpmul2l //.
have -> : density 0 share_0 share_1 u v = (T * u - v) / (T - 1) by rewrite /density /share_0 /share_1; ring.
rewrite ler_pdivr_mulr // -(ler_pmul2l T0).
have -> : T * ((T + 1) * (T - 1)) = (T * T - 1) * T by ring.
have TT : 0 <= T * T - 1 by rewrite subr_ge0 mulr_ege1 // ltW.
apply: le_trans (ler_wpmul2l TT u_high).
have -> : T * (T * u - v) = T * T * u - T * v by ring.
by rewrite mulrBl mul1r ler_add2l ler_opp2.
Qed.

Lemma density_corners_gt0 : [/\ 0 < left_density 0 share_0 share_1 eta T^-1 T^-1, 0 < left_density 0 share_0 share_1 eta T T & 0 < left_density 0 share_0 share_1 eta T 1] /\
  [/\ 0 < left_density 0 share_0 share_1 eta 1 T, 0 < left_density 0 share_0 share_1 eta 1 T^-1 & 0 < left_density 0 share_0 share_1 eta T^-1 1].
Proof.
have /andP[share0 _] := arrival_share_range.
have Tinv1 : T^-1 <= 1 by rewrite invf_le1 // ltW.
have T1' : 1 <= T := ltW T_gt1.
have TinvT : T^-1 <= T := le_trans Tinv1 T1'.
have TT : 1 <= T * T by rewrite mulr_ege1.
have TT' : T <= T * T := ler_pemulr (ltW T0) T1'.
have TT'' : T^-1 <= T * T := le_trans Tinv1 TT.
by do !split; apply: (lt_le_trans share0); apply: left_density_ge; rewrite /hexagon ?mulfV ?mulr1.
Qed.

End Density.

Section ArrivalAll.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) (eta : nat -> R).
Hypotheses (T_gt1 : 1 < T) (eta_0 : eta 0%N = 0) (eta_le : forall l, eta l <= eta l.+1) (eta_small : forall l, eta l * (T + 1) < 1).
Hypothesis locally_private : ldp T randomizers.

Let T0 : 0 < T. Proof. exact: lt_trans ltr01 T_gt1. Qed.
Let T1 : 0 < T - 1. Proof. by rewrite subr_gt0. Qed.

Lemma levels_ge0 l : 0 <= eta l.
Proof. by elim: l => [|l IH]; rewrite ?eta_0 //; apply: le_trans (eta_le l). Qed.

Lemma levels_lt1 l : eta l < 1.
Proof. exact: (level_lt1 T_gt1 (levels_ge0 l) (eta_small l)). Qed.

Definition arrival_mass (x0 x1 : D) (z : seq S) (s : S) : R := share_0 T * randomizers z x0 s + share_1 T * randomizers z x1 s.

Lemma arrival_is_law x0 x1 z : is_law (arrival_mass x0 x1 z).
Proof.
split=> [s|]; last by rewrite big_split /= -!mulr_sumr !mass_sum1 !mulr1 -[share_0 T]add0r shares_sum1.
have -> : arrival_mass x0 x1 z s = (T * randomizers z x0 s - randomizers z x1 s) / (T - 1) by rewrite /arrival_mass /share_0 /share_1; ring.
by rewrite divr_ge0 ?(ltW T1) // subr_ge0 locally_private.
Qed.

Definition arrival_law x0 x1 z : dist R S := Dist (arrival_is_law x0 x1 z).

(* The five laws at the level eta. *)
Definition arrival_laws (e : R) : seq (loss R) := perspective_laws T E 0 (share_0 T) (share_1 T) e.

Definition left_at (x0 x1 x : D) (l : nat) (z : seq S) : dist R S :=
  what_is_left T_gt1 (levels_lt1 l) (density_corners_gt0 T_gt1 (levels_ge0 l) (eta_small l)) (locally_private z) (shares_sum1 T_gt1) x0 x1 x.

(* With what is left after the last level as a divergence. *)
Theorem arrival_up_to n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (others : forall j, j != i0 -> tnth w j = tnth w' j) (levels : nat) :
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n *
    (\sum_(1 <= r < n.+1) binomial_mass n (step_share eta l) r * (V (arrival_laws (eta l.+1)) (n.+1 - r) 0 / (n.+1 - r)%:R)) +
  (1 - eta levels) ^+ n *
    nobody_in_pool_divergence randomizers w w' i0 E (fun k => left_at (tnth w i0) (tnth w' i0) (tnth w k) levels).
Proof.
set x0 := tnth w i0; set x1 := tnth w' i0.
have arrival := @first_arrival_eta R D S randomizers n w w' i0 E others eta (fun=> 0) (arrival_law x0 x1)
  (fun l k => left_at x0 x1 (tnth w k) l)
  (fun l k z => left_loss E 0 (share_0 T) (share_1 T) (eta l.+1) (randomizers z) x0 x1 (tnth w k)) (fun _ _ _ _ => 0)
  (fun l => arrival_laws (eta l.+1)) levels eta_0 (fun l _ => eta_le l) (fun l _ => levels_lt1 l).
apply: le_trans (arrival _ _ _ _ _ _) _ => [l k z s _ _|l k z s _ _|l _|l k z _ _|l _|l k z _ _|].
- have gap : 1 - eta l != 0 by rewrite subr_eq0 gt_eqF // levels_lt1.
  by rewrite /= /left_mass /arrival_mass mul0r add0r [X in _ + X]mulrC divfK // addrC subrK.
- by rewrite addr0; apply: left_mass_loss.
- by apply: measures_perspective_laws => //; apply: density_corners_gt0 => //; apply: levels_ge0.
- exact: left_under.
- by [].
- by rewrite big1 // => s _; rewrite maxxx.
rewrite ler_add2r; apply: ler_sum => l _; rewrite ler_wpmul2l ?exprn_ge0 ?subr_ge0 ?(ltW (levels_lt1 l)) //.
by apply: ler_sum => r _; rewrite addr0.
Qed.

End ArrivalAll.
