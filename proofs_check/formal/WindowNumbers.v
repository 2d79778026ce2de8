(* The program `window_delta_le` of Programs.v is sound: where it answers true, the clones pair's D_E(P || Q) is at most the stated number.

   It sums over a window of c; binomial masses and U_c(a) come from ratios of neighbours, up to unknown scales g, h > 0 that the sums themselves
   bound; all numbers are integers, rounded outwards; the masses outside the window are bounded by geometric series, the slices there by 1. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ zify ring.
From Shuffleproof Require Import Definitions Divergence ClonesPair ClonesProfile Programs Integers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Section Climb.
Variables (R : realFieldType) (g : R) (c : nat).
Hypothesis g_ge0 : 0 <= g.
Local Notation inR := (of_Z R).

Record climbed (first a : nat) (s : climb) : Prop := Climbed {
  climbed_a : climb_a s = Z.of_nat a;
  climbed_le : (first <= a)%N;
  climbed_low : inR (climb_low s) <= g * fair R c a;
  climbed_high : g * fair R c a <= inR (climb_high s);
  climbed_below : inR (climb_below s) <= g * \sum_(first <= x < a) fair R c x }.

Lemma climb_step_climbed first a s : climbed first a s -> climbed first a.+1 (climb_step (Z.of_nat c) s).
Proof.
case=> eqa le_a low high below; rewrite /climb_step eqa.
rewrite Z_minus_max Z_next.
have next : fair R c a.+1 = fair R c a * (inR (Z.of_nat (c - a)%N) / inR (Z.of_nat a.+1)).
  by rewrite fair_next !of_Z_nat mulrA.
split=> //=; first by rewrite leqW.
- by rewrite next mulrA rounded_down //.
- by rewrite next mulrA rounded_up //.
by rewrite of_ZD big_nat_recr //= mulrDr ler_add.
Qed.

Lemma climb_steps_climbed first a s k : climbed first a s -> climbed first (a + k) (Nat.iter k (climb_step (Z.of_nat c)) s).
Proof.
move=> start; elim: k => [|k IH] /=; first by rewrite addn0.
by rewrite addnS; apply: climb_step_climbed.
Qed.

End Climb.

Section Walk.
Variables (R : realFieldType) (n : nat) (t u e f : Z).
Hypotheses (u_gt0 : (0 < u)%Z) (ut : (u < t)%Z) (f_gt0 : (0 < f)%Z) (fe : (f <= e)%Z) (eutf : (e * u <= t * f)%Z).
Local Notation inR := (of_Z R).
Local Notation T := (inR t / inR u).
Local Notation E := (inR e / inR f).
Local Notation w c := (binomial_mass n.-1 T^-1 c).

Let u0 : 0 < inR u. Proof. exact: of_Z_gt0. Qed.
Let f0 : 0 < inR f. Proof. exact: of_Z_gt0. Qed.
Let t0 : 0 < inR t. Proof. exact: of_Z_gt0 (Z.lt_trans _ _ _ u_gt0 ut). Qed.
Let tu0 : 0 < inR t - inR u. Proof. by rewrite -of_ZB of_Z_gt0 //; apply: Z_sub_gt0. Qed.
Let u_neq0 : inR u != 0. Proof. exact: lt0r_neq0. Qed.
Let f_neq0 : inR f != 0. Proof. exact: lt0r_neq0. Qed.
Let t_neq0 : inR t != 0. Proof. exact: lt0r_neq0. Qed.
Let tu_neq0 : inR t - inR u != 0. Proof. exact: lt0r_neq0. Qed.

Lemma ratio_T_ge1 : 1 <= T. Proof. by rewrite ler_pdivl_mulr // mul1r of_Z_le //; apply: Z.lt_le_incl. Qed.
Lemma ratio_E_ge1 : 1 <= E. Proof. by rewrite ler_pdivl_mulr // mul1r of_Z_le. Qed.

Let E0 : 0 <= E. Proof. exact: le_trans ler01 ratio_E_ge1. Qed.

Lemma mass_ge0 c : 0 <= w c.
Proof.
rewrite !mulr_ge0 ?ler0n ?exprn_ge0 // ?invr_ge0 ?(le_trans ler01 ratio_T_ge1) //.
by rewrite subr_ge0 invf_le1 ?ratio_T_ge1 // (lt_le_trans ltr01 ratio_T_ge1).
Qed.

Lemma mass_next c : (c < n)%N ->
  w c.+1 = w c * (inR ((Z.of_nat n - 1 - Z.of_nat c) * u)%Z / inR ((Z.of_nat c + 1) * (t - u))%Z).
Proof.
move=> cn; rewrite Z_minus_one // Z_next !of_ZM of_ZB !of_Z_nat; have c0 : c.+1%:R != 0 :> R by rewrite pnatr_eq0.
have binE : 'C(n.-1, c.+1)%:R = (n.-1 - c)%:R * 'C(n.-1, c)%:R / c.+1%:R :> R.
  by rewrite -natrM -(mul_bin_left n.-1 c) natrM mulrAC mulfV ?mul1r.
rewrite /binomial_mass binE; have [cn1|] := ltnP c n.-1; last first.
  by rewrite -subn_eq0 => /eqP ->; rewrite !(mul0r, mulr0).
rewrite -(subnSK cn1).
rewrite !exprSr invf_div (_ : 1 - inR u / inR t = (inR t - inR u) / inR t); last by rewrite mulrBl mulfV.
move: ((n.-1 - c.+1).+1%:R) (c.+1%:R) c0 ((inR u / inR t) ^+ c) (((inR t - inR u) / inR t) ^+ _) => x y y0 z v.
by field; rewrite t_neq0 y0 tu_neq0.
Qed.

Lemma gain_slope c a : gain T E c a = (inR (slope t u e f * Z.of_nat a)%Z - inR (offset t u e f * (Z.of_nat c + 1))%Z) / (inR u * inR f).
Proof.
rewrite Z_next /gain /slope /offset !of_ZM !of_ZB of_ZD !of_ZM !of_Z_nat.
by move: (c.+1%:R) => x; field; rewrite u_neq0 f_neq0.
Qed.

Definition unit_of_value : R := (inR t + inR u) * inR f.

Lemma unit_gt0 : 0 < unit_of_value. Proof. by rewrite mulr_gt0 ?addr_gt0. Qed.

Lemma slice_value c a : (a <= c)%N ->
  (slope t u e f * Z.of_nat a <= offset t u e f * (Z.of_nat c + 1))%Z ->
  (offset t u e f * (Z.of_nat c + 1) <= slope t u e f * (Z.of_nat a + 1))%Z ->
  unit_of_value * slice T E c = inR (t * f - e * u)%Z * fair R c a - inR ((e - f) * (t + u))%Z * upper R c a.
Proof.
move=> ac below above; have uf0 : 0 < inR u * inR f by rewrite mulr_gt0.
rewrite (slice_threshold ratio_T_ge1 E0 ac); last 2 first.
- by rewrite gain_slope pmulr_lle0 ?invr_gt0 // subr_le0 of_Z_le.
- by rewrite gain_slope pmulr_lge0 ?invr_gt0 // subr_ge0 of_Z_le // -Z_next.
have tu_plus : inR t + inR u != 0 by rewrite lt0r_neq0 ?addr_gt0.
rewrite /unit_of_value of_ZM !of_ZB of_ZD !of_ZM.
by field; rewrite tu_plus u_neq0 f_neq0.
Qed.

Variables (g h : R) (first : nat).
Hypotheses (g_ge0 : 0 <= g) (h_ge0 : 0 <= h).

Record walked (c a : nat) (s : walk) : Prop := Walked {
  walked_c : at_c s = Z.of_nat c;
  walked_a : at_a s = Z.of_nat a;
  walked_le : (first <= c)%N;
  walked_mass_low : inR (mass_low s) <= h * w c;
  walked_mass_high : h * w c <= inR (mass_high s);
  walked_fair_low : inR (fair_low s) <= g * fair R c a;
  walked_fair_high : g * fair R c a <= inR (fair_high s);
  walked_upper_low : inR (upper_low s) <= g * upper R c a;
  walked_total : h * (g * unit_of_value) * (\sum_(first <= x < c) w x * slice T E x) <= inR (total s);
  walked_weight : inR (weight s) <= h * \sum_(first <= x < c) w x }.

Lemma walk_step_walked c a s : valid (walk_step (Z.of_nat n) t u e f s) -> walked c a s ->
  valid s /\ (c < n)%N /\ exists a', walked c.+1 a' (walk_step (Z.of_nat n) t u e f s).
Proof.
move=> ok [eqc eqa le_c m_low m_high f_low f_high u_low tot wei].
move: ok; rewrite /= eqc eqa => /andP[/andP[/andP[/andP[valid_s /Z.ltb_lt cn]] /Z.leb_le ac] /Z.leb_le below] /Z.leb_le above.
have {}cn : (c < n)%N := Z_lt cn.
have {}ac : (a <= c)%N := Z_le ac.
split=> //; split=> //.
have tu_plus : (0 <= t + u)%Z by clear -u_gt0 ut; lia.
have value : g * (unit_of_value * slice T E c) <= inR ((t * f - e * u) * fair_high s - (e - f) * (t + u) * upper_low s)%Z.
  rewrite (slice_value ac below above) [leRHS]of_ZB [inR (_ * fair_high s)%Z]of_ZM [inR (_ * upper_low s)%Z]of_ZM mulrBr.
    by rewrite ler_sub // mulrCA ler_wpmul2l // of_Z_ge0 //; [apply: Z_sub_ge0 | apply: Z.mul_nonneg_nonneg (Z_sub_ge0 fe) tu_plus].
have value_ge0 : 0 <= g * (unit_of_value * slice T E c).
  by rewrite mulr_ge0 // mulr_ge0 ?slice_ge0 // ltW ?unit_gt0.
have next := mass_next cn.
have up_ge0 : (0 <= (Z.of_nat n - 1 - Z.of_nat c) * u)%Z.
  by rewrite Z_minus_one //; apply: Z.mul_nonneg_nonneg => //; apply: Z.lt_le_incl.
have down_gt0 : (0 < (Z.of_nat c + 1) * (t - u))%Z by rewrite Z_next; apply: Z.mul_pos_pos => //; apply: Z_sub_gt0.
have common a' b_low b_high up ok : a' = a \/ a' = a.+1 -> inR b_low <= g * fair R c.+1 a' -> g * fair R c.+1 a' <= inR b_high ->
    inR up <= g * upper R c.+1 a' ->
    walked c.+1 a' (Walk (Z.of_nat c + 1) (Z.of_nat a')
      (mass_low s * ((Z.of_nat n - 1 - Z.of_nat c) * u) / ((Z.of_nat c + 1) * (t - u)))
      (quotient_up (mass_high s * ((Z.of_nat n - 1 - Z.of_nat c) * u)) ((Z.of_nat c + 1) * (t - u)))
      b_low b_high up (total s + mass_high s * ((t * f - e * u) * fair_high s - (e - f) * (t + u) * upper_low s))
      (weight s + mass_low s) ok).
  move=> _ bl bh ul; split=> //=.
  - exact: Z_next.
  - by rewrite leqW.
  - by rewrite next mulrA rounded_down.
  - by rewrite next mulrA rounded_up.
  - rewrite of_ZD big_nat_recr //= mulrDr ler_add // of_ZM.
    apply: le_trans (_ : (h * w c) * (g * (unit_of_value * slice T E c)) <= _); first by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
    by rewrite ler_pmul // mulr_ge0 ?mass_ge0.
  by rewrite of_ZD big_nat_recr //= mulrDr ler_add.
rewrite /walk_step eqc eqa; cbv zeta; case: ifP => [_|_].
  have over_gt0 : (0 < 2 * Z.of_nat (c.+1 - a)%N)%Z by apply: Z.mul_pos_pos; rewrite // subSn //; apply: Z_succ_gt0.
  have overE : (Z.of_nat c + 1 - Z.of_nat a)%Z = Z.of_nat (c.+1 - a)%N by rewrite Z_next Z_minus // leqW.
  have stayE : fair R c.+1 a = fair R c a * (inR (Z.of_nat c + 1)%Z / inR (2 * Z.of_nat (c.+1 - a)%N)%Z).
    by rewrite fair_stay // of_ZM of_Z2 Z_next !of_Z_nat mulrA.
  exists a; apply: common; first by left.
  - by rewrite overE stayE mulrA Z_next rounded_down.
  - by rewrite overE stayE mulrA Z_next rounded_up.
  rewrite upper_stay // mulrDr of_ZD ler_add // mulrA (le_trans (of_Z_quotient_le _ _ _)) // of_Z2.
  by rewrite ler_wpmul2r // invr_ge0 ler0n.
have over_gt0 : (0 < 2 * Z.of_nat a.+1)%Z by apply: Z.mul_pos_pos; last exact: Z_succ_gt0.
have shiftE : fair R c.+1 a.+1 = fair R c a * (inR (Z.of_nat c.+1) / inR (2 * Z.of_nat a.+1)%Z).
  by rewrite fair_shift of_ZM of_Z2 !of_Z_nat mulrA.
exists a.+1; rewrite [(Z.of_nat a + 1)%Z]Z_next; apply: common; first by right.
- by rewrite shiftE mulrA Z_next rounded_down //.
- by rewrite shiftE mulrA Z_next rounded_up //.
rewrite upper_shift // mulrBr of_ZB ler_sub //.
have -> : fair R c a.+1 / 2%:R = fair R c a * (inR (Z.of_nat c - Z.of_nat a)%Z / inR (2 * Z.of_nat a.+1)%Z).
  by rewrite Z_minus // fair_next of_ZM of_Z2 !of_Z_nat invfM [2%:R^-1 * _]mulrC !mulrA.
by rewrite mulrA Z_minus // rounded_up.
Qed.

Lemma walk_steps_walked c a s k : (c <= n)%N -> walked c a s -> valid (Nat.iter k (walk_step (Z.of_nat n) t u e f) s) ->
  (c + k <= n)%N /\ exists a', walked (c + k) a' (Nat.iter k (walk_step (Z.of_nat n) t u e f) s).
Proof.
move=> cn start; elim: k => [|k IH] /=; first by rewrite addn0; split=> //; exists a.
move=> ok; have valid_k : valid (Nat.iter k (walk_step (Z.of_nat n) t u e f) s) by move: ok => /= /andP[/andP[/andP[/andP[]]]].
have [_ [a' walked_k]] := IH valid_k.
by have [_ [lt_n next]] := walk_step_walked ok walked_k; rewrite addnS.
Qed.

End Walk.
