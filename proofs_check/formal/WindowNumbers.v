(* The program `window_delta_le` of Programs.v is sound: where it answers true, D_E(P || Q) of the clones pair of (p, T) is at most the stated
   number.

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
Variables (R : realFieldType) (n : nat) (t u cu ct e f : Z).
Hypotheses (u_gt0 : (0 < u)%Z) (ut : (u < t)%Z) (cu_gt0 : (0 < cu)%Z) (cu_ct : (cu < ct)%Z) (f_gt0 : (0 < f)%Z) (fe : (f <= e)%Z) (eutf : (e * u <= t * f)%Z).
Local Notation inR := (of_Z R).
Local Notation T := (inR t / inR u).
Local Notation E := (inR e / inR f).
Local Notation p := (inR cu / inR ct).
Local Notation w c := (binomial_mass n.-1 p c).

Let u0 : 0 < inR u. Proof. exact: of_Z_gt0. Qed.
Let f0 : 0 < inR f. Proof. exact: of_Z_gt0. Qed.
Let t0 : 0 < inR t. Proof. exact: of_Z_gt0 (Z.lt_trans _ _ _ u_gt0 ut). Qed.
Let cu0 : 0 < inR cu. Proof. exact: of_Z_gt0. Qed.
Let ct0 : 0 < inR ct. Proof. exact: of_Z_gt0 (Z.lt_trans _ _ _ cu_gt0 cu_ct). Qed.
Let ctu0 : 0 < inR ct - inR cu. Proof. by rewrite -of_ZB of_Z_gt0 //; apply: Z_sub_gt0. Qed.
Let u_neq0 : inR u != 0. Proof. exact: lt0r_neq0. Qed.
Let f_neq0 : inR f != 0. Proof. exact: lt0r_neq0. Qed.
Let t_neq0 : inR t != 0. Proof. exact: lt0r_neq0. Qed.
Let ct_neq0 : inR ct != 0. Proof. exact: lt0r_neq0. Qed.
Let ctu_neq0 : inR ct - inR cu != 0. Proof. exact: lt0r_neq0. Qed.

Lemma ratio_T_ge1 : 1 <= T. Proof. by rewrite ler_pdivl_mulr // mul1r of_Z_le //; apply: Z.lt_le_incl. Qed.
Lemma ratio_E_ge1 : 1 <= E. Proof. by rewrite ler_pdivl_mulr // mul1r of_Z_le. Qed.

Let E0 : 0 <= E. Proof. exact: le_trans ler01 ratio_E_ge1. Qed.

Lemma clone_ge0 : 0 <= p. Proof. by rewrite divr_ge0 ?ltW. Qed.
Lemma clone_le1 : p <= 1. Proof. by rewrite ler_pdivr_mulr // mul1r of_Z_le //; apply: Z.lt_le_incl. Qed.

Lemma binomial_mass_ge0 c : 0 <= w c.
Proof.
rewrite !mulr_ge0 ?ler0n ?exprn_ge0 // ?clone_ge0 //.
by rewrite subr_ge0 clone_le1.
Qed.

Lemma mass_next c : (c < n)%N ->
  w c.+1 = w c * (inR ((Z.of_nat n - 1 - Z.of_nat c) * cu)%Z / inR ((Z.of_nat c + 1) * (ct - cu))%Z).
Proof.
move=> cn; rewrite Z_minus_one // Z_next !of_ZM of_ZB !of_Z_nat; have c0 : c.+1%:R != 0 :> R by rewrite pnatr_eq0.
have binE : 'C(n.-1, c.+1)%:R = (n.-1 - c)%:R * 'C(n.-1, c)%:R / c.+1%:R :> R.
  by rewrite -natrM -(mul_bin_left n.-1 c) natrM mulrAC mulfV ?mul1r.
rewrite /binomial_mass binE; have [cn1|] := ltnP c n.-1; last first.
  by rewrite -subn_eq0 => /eqP ->; rewrite !(mul0r, mulr0).
rewrite -(subnSK cn1).
rewrite !exprSr (_ : 1 - inR cu / inR ct = (inR ct - inR cu) / inR ct); last by rewrite mulrBl mulfV.
move: ((n.-1 - c.+1).+1%:R) (c.+1%:R) c0 ((inR cu / inR ct) ^+ c) (((inR ct - inR cu) / inR ct) ^+ _) => x y y0 z v.
by field; rewrite ct_neq0 y0 ctu_neq0.
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

Lemma walk_step_walked c a s : valid (walk_step (Z.of_nat n) t u cu ct e f s) -> walked c a s ->
  valid s /\ (c < n)%N /\ exists a', walked c.+1 a' (walk_step (Z.of_nat n) t u cu ct e f s).
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
have up_ge0 : (0 <= (Z.of_nat n - 1 - Z.of_nat c) * cu)%Z.
  by rewrite Z_minus_one //; apply: Z.mul_nonneg_nonneg => //; apply: Z.lt_le_incl.
have down_gt0 : (0 < (Z.of_nat c + 1) * (ct - cu))%Z by rewrite Z_next; apply: Z.mul_pos_pos => //; apply: Z_sub_gt0.
have common a' b_low b_high up ok : a' = a \/ a' = a.+1 -> inR b_low <= g * fair R c.+1 a' -> g * fair R c.+1 a' <= inR b_high ->
    inR up <= g * upper R c.+1 a' ->
    walked c.+1 a' (Walk (Z.of_nat c + 1) (Z.of_nat a')
      (mass_low s * ((Z.of_nat n - 1 - Z.of_nat c) * cu) / ((Z.of_nat c + 1) * (ct - cu)))
      (quotient_up (mass_high s * ((Z.of_nat n - 1 - Z.of_nat c) * cu)) ((Z.of_nat c + 1) * (ct - cu)))
      b_low b_high up (total s + mass_high s * ((t * f - e * u) * fair_high s - (e - f) * (t + u) * upper_low s))
      (weight s + mass_low s) ok).
  move=> _ bl bh ul; split=> //=.
  - exact: Z_next.
  - by rewrite leqW.
  - by rewrite next mulrA rounded_down.
  - by rewrite next mulrA rounded_up.
  - rewrite of_ZD big_nat_recr //= mulrDr ler_add // of_ZM.
    apply: le_trans (_ : (h * w c) * (g * (unit_of_value * slice T E c)) <= _); first by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
    by rewrite ler_pmul // mulr_ge0 ?binomial_mass_ge0.
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

Lemma walk_steps_walked c a s k : (c <= n)%N -> walked c a s -> valid (Nat.iter k (walk_step (Z.of_nat n) t u cu ct e f) s) ->
  (c + k <= n)%N /\ exists a', walked (c + k) a' (Nat.iter k (walk_step (Z.of_nat n) t u cu ct e f) s).
Proof.
move=> cn start; elim: k => [|k IH] /=; first by rewrite addn0; split=> //; exists a.
move=> ok; have valid_k : valid (Nat.iter k (walk_step (Z.of_nat n) t u cu ct e f) s) by move: ok => /= /andP[/andP[/andP[/andP[]]]].
have [_ [a' walked_k]] := IH valid_k.
by have [_ [lt_n next]] := walk_step_walked ok walked_k; rewrite addnS.
Qed.

End Walk.

Section Tails.
Variables (R : realFieldType) (n : nat) (cu ct : Z).
Hypotheses (cu_gt0 : (0 < cu)%Z) (cu_ct : (cu < ct)%Z).
Local Notation inR := (of_Z R).
Local Notation p := (inR cu / inR ct).
Local Notation w c := (binomial_mass n.-1 p c).

Let cu0 : 0 < inR cu. Proof. exact: of_Z_gt0. Qed.
Let ctu0 : 0 < inR (ct - cu)%Z. Proof. by apply: of_Z_gt0; apply: Z_sub_gt0. Qed.

(* Neighbouring masses, without a quotient. *)
Lemma mass_balance c : (c < n)%N -> w c.+1 * (c.+1%:R * inR (ct - cu)%Z) = w c * ((n.-1 - c)%:R * inR cu).
Proof.
move=> cn; rewrite mass_next // Z_minus_one // Z_next !of_ZM !of_Z_nat -mulrA divfK //.
by rewrite mulf_neq0 ?pnatr_eq0 // lt0r_neq0.
Qed.

Lemma sum_masses : (0 < n)%N -> \sum_(c < n) w c = 1.
Proof.
case: n => // m _ /=; have := exprDn (1 - p) p m; rewrite subrK expr1n => ->.
by apply: eq_bigr => c _; rewrite /binomial_mass -[in RHS]mulr_natl mulrAC -!mulrA.
Qed.

Lemma tail_below c0 : (c0 < n)%N ->
  (\sum_(0 <= x < c0) w x) * ((n - c0)%:R * inR cu - c0%:R * inR (ct - cu)%Z) <= w c0 * (c0%:R * inR (ct - cu)%Z).
Proof.
move=> c0n; have w0 x := binomial_mass_ge0 R n cu_gt0 cu_ct x.
rewrite mulrBr ler_subl_addr -mulrDl mulr_suml.
apply: (@le_trans _ _ (\sum_(0 <= x < c0) w x.+1 * (c0%:R * inR (ct - cu)%Z))).
  rewrite !big_mkord; apply: ler_sum => x _.
  apply: (@le_trans _ _ (w x * ((n.-1 - x)%:R * inR cu))).
    by rewrite ler_wpmul2l // ler_wpmul2r ?(ltW cu0) // ler_nat; have := ltn_ord x; clear; lia.
  rewrite -mass_balance ?(ltn_trans (ltn_ord x)) //.
  by rewrite ler_wpmul2l // ler_wpmul2r ?(ltW ctu0) // ler_nat.
rewrite -mulr_suml ler_wpmul2r // ?mulr_ge0 ?ler0n ?(ltW ctu0) //.
have shifted : w 0%N + \sum_(0 <= x < c0) w x.+1 = \sum_(0 <= x < c0) w x + w c0.
  by rewrite -(big_nat_recr c0 0%N (fun x => w x)) // (big_nat_recl c0 0%N (fun x => w x)).
by rewrite [X in _ <= X]addrC -shifted ler_addr.
Qed.

Lemma tail_above c1 : (c1 <= n)%N ->
  (\sum_(c1 <= x < n) w x) * (c1.+1%:R * inR (ct - cu)%Z - (n.-1 - c1)%:R * inR cu) <= w c1 * (c1.+1%:R * inR (ct - cu)%Z).
Proof.
move=> c1n; have w0 x := binomial_mass_ge0 R n cu_gt0 cu_ct x.
set D := c1.+1%:R * _; set N := (n.-1 - c1)%:R * _.
have D0 : 0 <= D by rewrite mulr_ge0 ?ler0n ?(ltW ctu0).
rewrite mulrBr ler_subl_addr.
apply: (@le_trans _ _ ((w c1 + \sum_(c1 <= x < n) w x.+1) * D)).
  rewrite ler_wpmul2r // -(big_nat_recl n c1 (fun x => w x)) // (big_nat_recr n c1 (fun x => w x)) //=.
  by rewrite ler_addl.
rewrite mulrDl ler_add2l !mulr_suml !big_nat; apply: ler_sum => x /andP[c1x xn].
apply: (@le_trans _ _ (w x.+1 * (x.+1%:R * inR (ct - cu)%Z))).
  by rewrite ler_wpmul2l // ler_wpmul2r ?(ltW ctu0) // ler_nat.
rewrite mass_balance // ler_wpmul2l // ler_wpmul2r ?(ltW cu0) // ler_nat.
exact: leq_sub2l.
Qed.

End Tails.

Section Sound.
Variable R : realFieldType.
Local Notation inR := (of_Z R).

(* A part below, a window and a part above, each known up to a scale. *)
Lemma three_parts (below window above h g unit one below_up x0 x1 high above_down total weight scale numerator denominator : R) :
  0 <= below -> 0 <= window -> 0 <= above -> 0 < x0 -> 0 < x1 -> 0 < unit -> 0 < scale -> 0 < weight -> 0 < denominator ->
  weight <= h -> scale <= g ->
  h * (below * x0) <= one * below_up -> h * (above * x1) <= high * above_down -> h * (g * unit) * window <= total ->
  ((one * below_up * x1 + high * above_down * x0) * (unit * scale) + total * (x0 * x1)) * denominator
    <= numerator * (weight * (unit * scale) * (x0 * x1)) ->
  below + window + above <= numerator / denominator.
Proof.
move=> below0 window0 above0 x0_gt0 x1_gt0 unit0 scale0 weight0 denominator0 weight_h scale_g below_le above_le window_le answer.
have common0 : 0 < weight * (unit * scale) * (x0 * x1) by rewrite !mulr_gt0.
rewrite ler_pdivl_mulr // -(ler_pmul2r common0); apply: le_trans answer; rewrite mulrAC ler_wpmul2r ?(ltW denominator0) //.
rewrite 2!mulrDl mulrDl -addrA [X in _ + X]addrC addrA ler_add //; last first.
  apply: le_trans (_ : h * (g * unit) * window * (x0 * x1) <= _); last by rewrite ler_wpmul2r // ltW // mulr_gt0.
  have -> : window * (weight * (unit * scale) * (x0 * x1)) = weight * (scale * unit) * (window * (x0 * x1)) by ring.
  rewrite -[leRHS]mulrA ler_wpmul2r ?mulr_ge0 ?(ltW x0_gt0) ?(ltW x1_gt0) //.
  by rewrite ler_pmul ?mulr_ge0 ?(ltW weight0) ?(ltW scale0) ?(ltW unit0) // ler_wpmul2r ?(ltW unit0).
rewrite ler_add //.
  have -> : below * (weight * (unit * scale) * (x0 * x1)) = weight * (below * x0) * (x1 * (unit * scale)) by ring.
  rewrite -[leRHS]mulrA ler_wpmul2r ?mulr_ge0 ?(ltW x1_gt0) ?(ltW scale0) ?(ltW unit0) //.
  by rewrite (le_trans _ below_le) // ler_wpmul2r ?mulr_ge0 ?(ltW x0_gt0).
have -> : above * (weight * (unit * scale) * (x0 * x1)) = weight * (above * x1) * (x0 * (unit * scale)) by ring.
rewrite -[leRHS]mulrA ler_wpmul2r ?mulr_ge0 ?(ltW x0_gt0) ?(ltW scale0) ?(ltW unit0) //.
by rewrite (le_trans _ above_le) // ler_wpmul2r ?mulr_ge0 ?(ltW x1_gt0).
Qed.

Variables (t u cu ct e f : Z).
Local Notation T := (inR t / inR u).
Local Notation E := (inR e / inR f).
Local Notation p := (inR cu / inR ct).

Lemma window_sound (n c0 a0 : nat) delta_numerator delta_denominator steps to_threshold above bits :
  window_delta_le (Z.of_nat n) t u cu ct e f delta_numerator delta_denominator (Z.of_nat c0) steps (Z.of_nat a0) to_threshold above bits ->
  hockey E (@clones_law R n p T counts_P) (@clones_law R n p T counts_Q) <= inR delta_numerator / inR delta_denominator.
Proof.
rewrite /window_delta_le; set one := (2 ^ bits)%Z; set s0 := Climb _ _ _ _; set s1 := Nat.iter _ _ s0; set s2 := climb_step _ s1.
set s3 := Nat.iter _ _ (Climb _ _ _ 0); set scale := (climb_below s2 + climb_below s3)%Z; set last := Nat.iter _ _ (Walk _ _ _ _ _ _ _ _ _ _).
cbv zeta; set x0 := (_ - Z.of_nat c0 * (ct - cu))%Z; set x1 := (_ - Z.max 0 _ * cu)%Z.
do 18![case/andP]; move=> valid_last /Z.leb_le bits0 _ /Z.ltb_lt /Z_lt c0n _ /Z.leb_le /Z_le a0c0.
move=> /Z.ltb_lt u_gt0 /Z.ltb_lt ut /Z.ltb_lt cu_gt0 /Z.ltb_lt cu_ct /Z.ltb_lt f_gt0 /Z.leb_le fe /Z.leb_le eutf /Z.ltb_lt x0_gt0 /Z.ltb_lt x1_gt0.
move=> /Z.ltb_lt scale0 /Z.ltb_lt weight0 /Z.ltb_lt denominator0 /Z.leb_le answer.
pose w c := binomial_mass n.-1 p c.
have w_ge0 c : 0 <= w c by apply: binomial_mass_ge0.
have T_ge1 := ratio_T_ge1 R u_gt0 ut.
have E_ge0 : 0 <= E := le_trans ler01 (ratio_E_ge1 R f_gt0 fe).
have one0 : 0 < inR one by apply: of_Z_gt0; apply: Z.pow_pos_nonneg.
have fair0 : 0 < fair R c0 a0 by rewrite /fair divr_gt0 ?ltr0n ?bin_gt0 // exprn_gt0 // ltr0n.
have w0 : 0 < w c0.
  have cu0 : 0 < inR cu := of_Z_gt0 R cu_gt0; have ct0 : 0 < inR ct := of_Z_gt0 R (Z.lt_trans _ _ _ cu_gt0 cu_ct).
  have p_lt1 : p < 1 by rewrite ltr_pdivr_mulr // mul1r -subr_gt0 -of_ZB of_Z_gt0 //; apply: Z_sub_gt0.
  have p_gt0 : 0 < p by rewrite divr_gt0.
  rewrite /w /binomial_mass !mulr_gt0 ?exprn_gt0 ?subr_gt0 //.
  by rewrite ltr0n bin_gt0 -ltnS prednK // (leq_trans _ c0n).
pose g := inR one / fair R c0 a0; pose h := inR one / w c0.
have g0 : 0 <= g by rewrite divr_ge0 ?ltW.
have h0 : 0 <= h by rewrite divr_ge0 ?ltW.
have gE : g * fair R c0 a0 = inR one by rewrite divfK // gt_eqF.
have hE : h * w c0 = inR one by rewrite divfK // gt_eqF.
have climbed0 : climbed g c0 a0 a0 s0 by split=> //=; rewrite ?gE // big_geq // mulr0 of_Z0.
pose k1 := Z.to_nat to_threshold; pose k3 := Z.to_nat above.
have climbed1 : climbed g c0 a0 (a0 + k1) s1 := climb_steps_climbed k1 climbed0.
set a1 := (a0 + k1)%N in climbed1.
have climbed2 : climbed g c0 a0 a1.+1 s2 := climb_step_climbed climbed1.
have climbed3 : climbed g c0 a1.+1 (a1.+1 + k3) s3.
  apply: climb_steps_climbed => //; case: climbed2 => eqa _ low high _.
  by split=> //=; rewrite big_geq // mulr0 of_Z0.
have above_le : inR (climb_below s3) <= g * upper R c0 a1.
  rewrite (le_trans (climbed_below climbed3)) // ler_wpmul2l //.
  by rewrite -(sum_fair_between R c0 a1 k3) ler_addl upper_ge0.
have scale_g : inR scale <= g.
  rewrite of_ZD -[g]mulr1 -(sum_fair_below R c0 a1) mulrDr ler_add //.
  rewrite (le_trans (climbed_below climbed2)) // ler_wpmul2l //.
  rewrite [leRHS](big_cat_nat _ _ _ (leq0n a0)) /=; last by rewrite leqW // leq_addr.
  by rewrite ler_addr sumr_ge0 // => x _; apply: fair_ge0.
have walked0 : walked n t u cu ct e f g h c0 c0 a1 (Walk (Z.of_nat c0) (climb_a s1) one one (climb_low s1) (climb_high s1) (climb_below s3) 0 0 true).
  case: climbed1 => eqa _ low high _.
  by split=> //=; rewrite -/(w c0) ?hE // big_geq // mulr0 of_Z0.
have [c1n [a' walked_last]] := walk_steps_walked u_gt0 ut cu_gt0 cu_ct f_gt0 fe eutf g0 h0 (ltnW c0n) walked0 valid_last.
set c1 := (c0 + _)%N in c1n walked_last.
have c0c1 : (c0 <= c1)%N := leq_addr _ _.
rewrite (clones_profile T E (clone_ge0 R cu_gt0 cu_ct) (clone_le1 R cu_gt0 cu_ct)) -(big_mkord xpredT (fun c => w c * slice T E c)).
rewrite (big_cat_nat _ _ _ (leq0n c0) (ltnW c0n)) /= [X in _ + X](big_cat_nat _ _ _ c0c1 c1n) /= addrA.
have part_le m k : \sum_(m <= c < k) w c * slice T E c <= \sum_(m <= c < k) w c.
  by apply: ler_sum => c _; rewrite ler_pimulr // slice_le1.
have part_ge0 m k : 0 <= \sum_(m <= c < k) w c by apply: sumr_ge0.
have window_ge0 : 0 <= \sum_(c0 <= c < c1) w c * slice T E c by apply: sumr_ge0 => c _; rewrite mulr_ge0 ?slice_ge0.
apply: le_trans (_ : \sum_(0 <= c < c0) w c + \sum_(c0 <= c < c1) w c * slice T E c + \sum_(c1 <= c < n) w c <= _).
  by rewrite !ler_add.
have x0E : inR x0 = (n - c0)%:R * inR cu - c0%:R * inR (ct - cu)%Z.
  by rewrite /x0 of_ZB !of_ZM Z_minus ?of_Z_nat // ltnW.
have x1E : inR x1 = c1.+1%:R * inR (ct - cu)%Z - (n.-1 - c1)%:R * inR cu.
  by rewrite /x1 (walked_c walked_last) Z_minus_one_max Z_next of_ZB !of_ZM !of_Z_nat.
apply: (@three_parts _ _ _ h g (unit_of_value R t u f) (inR one) (inR (Z.of_nat c0 * (ct - cu))%Z) (inR x0) (inR x1)
  (inR (mass_high last)) (inR ((at_c last + 1) * (ct - cu))%Z) (inR (total last)) (inR (weight last)) (inR scale)) => //.
- exact: of_Z_gt0.
- exact: of_Z_gt0.
- by apply: unit_gt0.
- exact: of_Z_gt0.
- exact: of_Z_gt0.
- exact: of_Z_gt0.
- rewrite (le_trans (walked_weight walked_last)) // ler_pimulr //.
  have := @sum_masses R n cu ct (leq_trans (ltn0Sn _) c0n); rewrite -(big_mkord xpredT w) => <-.
  rewrite (big_cat_nat _ _ _ (leq0n c0) (ltnW c0n)) /= [X in _ + X](big_cat_nat _ _ _ c0c1 c1n) /=.
  by rewrite addrCA ler_addl addr_ge0.
- rewrite -hE -mulrA ler_wpmul2l // x0E of_ZM of_Z_nat; exact: tail_below.
- apply: le_trans (_ : h * w c1 * (c1.+1%:R * inR (ct - cu)%Z) <= _).
    by rewrite -mulrA ler_wpmul2l // x1E; apply: tail_above.
  rewrite (walked_c walked_last) Z_next of_ZM of_Z_nat ler_wpmul2r ?(walked_mass_high walked_last) //.
  by rewrite mulr_ge0 ?ler0n // of_Z_ge0 //; apply: Z_sub_ge0; apply: Z.lt_le_incl.
- exact: (walked_total walked_last).
have := of_Z_le R answer.
by rewrite !(of_ZM, of_ZD) -/x0 /unit_of_value.
Qed.

Theorem window_delta_le_sound users delta_numerator delta_denominator first_c steps first_a to_threshold above bits :
  window_delta_le users t u cu ct e f delta_numerator delta_denominator first_c steps first_a to_threshold above bits ->
  hockey E (@clones_law R (Z.to_nat users) p T counts_P) (@clones_law R (Z.to_nat users) p T counts_Q) <= inR delta_numerator / inR delta_denominator.
Proof.
move=> answer; have [c0 [u0 a0]] : (0 <= first_c /\ 0 <= users /\ 0 <= first_a)%Z.
  move: answer; rewrite /window_delta_le; cbv zeta; do 18![case/andP] => _ _ /Z.leb_le c0 /Z.ltb_lt c0n /Z.leb_le a0 _ _ _ _ _ _ _ _ _ _ _ _ _ _.
  by split=> //; split=> //; apply: Z.le_trans c0 (Z.lt_le_incl _ _ c0n).
apply: (window_sound (c0 := Z.to_nat first_c) (a0 := Z.to_nat first_a)) => //.
by rewrite !Z2Nat.id //; exact: answer.
Qed.

End Sound.
