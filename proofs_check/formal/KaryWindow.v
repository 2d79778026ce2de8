(* The divergence of the blanket's pair of k-ary randomized response for many users, bounded by Coq's kernel on integers.

   It is at most sum_d Bin(n, rho)(d) V(-kappa d) over n (KaryLosses.v), and V is convex: it is bounded at points some distance apart
   (`sliding_le` of SlidingNumbers.v), and between these its chords are above it.

     kary_delta_le_sound     where the program answers true, D_E is at most the stated number;
     private_by_kary_window  so k-ary randomized response to any functions of the data, adaptive too, shuffled, is (E, delta)-DP. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ zify ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition PairDefinitions PairCounts ThreeParts Programs Integers WindowNumbers SlidingNumbers KaryLosses.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Section Chords.
Local Open Scope Z_scope.
Variables n cu ct stretch : Z.

(* Going up in d: low and high ends of h Bin(n, cu/ct)(d), what `stretch` times the chord is at d, and the sums so far. *)
Record chords := Chords { at_d : Z; low_d : Z; high_d : Z; value_d : Z; total_d : Z; weight_d : Z }.

Definition chord_step (rise : Z) (s : chords) : chords :=
  let up := Z.max 0 (n - at_d s) * cu in
  let down := (at_d s + 1) * (ct - cu) in
  Chords (at_d s + 1) (low_d s * up / down) (quotient_up (high_d s * up) down) (value_d s + rise) (total_d s + high_d s * value_d s) (weight_d s + low_d s).

(* The points at which V is bounded, `stretch` apart: a numerator and its window for each. *)
Definition points := list (Z * sliding_window).

Fixpoint along (l : points) (s : chords) : chords :=
  match l with
  | cons (low, _) rest =>
      match rest with
      | cons (high, _) _ => along rest (Nat.iter (Z.to_nat stretch) (chord_step (high - low)) s)
      | nil => s
      end
  | nil => s
  end.

Definition first_value (l : points) : Z := match l with cons (v, _) _ => stretch * v | nil => 0 end.

End Chords.

Section Program.
Local Open Scope Z_scope.
Local Open Scope bool_scope.
Variables n t u k e f : Z.

(* The losses times other_unit; rho = (k - 2) u / other_weight. *)
Definition other_weight : Z := t + (k - 3) * u.
Definition own_loss : Z := (t * f - e * u) * other_weight + (e - f) * ((k - 2) * u) * u.
Definition other_loss : Z := (e * t - f * u) * other_weight - (e - f) * ((k - 2) * u) * u.
Definition common_loss : Z := (e - f) * u * other_weight.
Definition other_unit : Z := u * f * other_weight.

Fixpoint bounded_at (denominator stretch d : Z) (l : points) : bool :=
  match l with
  | cons (numerator, window) rest =>
      sliding_le n own_loss other_loss (2 * u) (t + (k - 1) * u) (common_loss * d) numerator denominator window
      && bounded_at denominator stretch (d + stretch) rest
  | nil => true
  end.

Definition kary_delta_le (numerator denominator first_d stretch unit_of_values bits : Z) (l : points) : bool :=
  let one := 2 ^ bits in
  let cu := (k - 2) * u in
  let ct := other_weight in
  let s := along n cu ct stretch l (Chords first_d one one (first_value stretch l) 0 0) in
  let below_up := first_d * (ct - cu) in
  let below_down := (n + 1 - first_d) * cu in
  let above_up := Z.max 0 (n - at_d s) * cu in
  let above_down := (at_d s + 1) * (ct - cu) in
  let x0 := below_down - below_up in
  let x1 := above_down - above_up in
  let unit := stretch * unit_of_values in
  bounded_at unit_of_values stretch first_d l
  && (0 <=? bits) && (0 <=? first_d) && (first_d <=? n) && (0 <? n) && (0 <? u) && (u <? t) && (2 <? k) && (0 <? f) && (f <=? e) && (e * u <? t * f)
  && (0 <? stretch) && (0 <? unit_of_values) && (0 <? x0) && (0 <? x1) && (0 <? weight_d s) && (0 <? denominator)
  && (((one * below_up * x1 + high_d s * above_down * x0) * unit + total_d s * (x0 * x1)) * (denominator * own_loss)
      <=? numerator * other_unit * (weight_d s * unit * (x0 * x1))).

End Program.

Section Walk.
Variables (R : realFieldType) (n : nat) (cu ct : Z) (L : nat).
Hypotheses (cu_gt0 : (0 < cu)%Z) (cu_ct : (cu < ct)%Z) (L_gt0 : (0 < L)%N).
Local Notation inR := (of_Z R).
Local Notation p := (inR cu / inR ct).
Local Notation w d := (binomial_mass n p d).
Variables (h : R) (first : nat) (psi : nat -> R).
Hypotheses (h_ge0 : 0 <= h) (psi_ge0 : forall d, 0 <= psi d).
Hypothesis psi_convex : forall d i, (i <= L)%N -> L%:R * psi (d + i)%N <= (L - i)%:R * psi d + i%:R * psi (d + L)%N.

Let w_ge0 d : 0 <= w d. Proof. exact: (binomial_mass_ge0 R n.+1). Qed.

Record chorded (d : nat) (s : chords) : Prop := Chorded {
  chorded_d : at_d s = Z.of_nat d;
  chorded_first : (first <= d)%N;
  chorded_low : inR (low_d s) <= h * w d;
  chorded_high : h * w d <= inR (high_d s);
  chorded_total : h * L%:R * (\sum_(first <= x < d) w x * psi x) <= inR (total_d s);
  chorded_weight : inR (weight_d s) <= h * \sum_(first <= x < d) w x }.

Lemma next_mass_max d : w d.+1 = w d * (inR (Z.max 0 (Z.of_nat n - Z.of_nat d) * cu)%Z / inR ((Z.of_nat d + 1) * (ct - cu))%Z).
Proof.
have [dn|nd] := leqP d n; last first.
  rewrite Z.max_l; last by clear -nd; lia.
  by rewrite /binomial_mass bin_small ?ltnS ?(ltnW nd) // of_Z0 !mul0r mulr0.
by rewrite next_mass // Z.max_r //; clear -dn; lia.
Qed.

Lemma chord_step_chorded rise d s : L%:R * psi d <= inR (value_d s) -> chorded d s -> chorded d.+1 (chord_step (Z.of_nat n) cu ct rise s).
Proof.
move=> value_le [eqd le_d low high tot wei]; rewrite /chord_step eqd.
have down_gt0 : (0 < (Z.of_nat d + 1) * (ct - cu))%Z by clear -cu_ct; nia.
have up_ge0 : (0 <= Z.max 0 (Z.of_nat n - Z.of_nat d) * cu)%Z by clear -cu_gt0; nia.
split=> //=.
- exact: Z_next.
- by rewrite leqW.
- by rewrite next_mass_max mulrA rounded_down.
- by rewrite next_mass_max mulrA rounded_up.
- rewrite of_ZD of_ZM big_nat_recr //= mulrDr ler_add //.
  apply: le_trans (_ : (h * w d) * (L%:R * psi d) <= _); first by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
  by rewrite ler_pmul // mulr_ge0 // ler0n.
by rewrite of_ZD big_nat_recr //= mulrDr ler_add.
Qed.

Lemma stretch_chorded a b d s i : psi d <= inR a -> psi (d + L)%N <= inR b -> value_d s = (Z.of_nat L * a)%Z -> chorded d s -> (i <= L)%N ->
  chorded (d + i) (Nat.iter i (chord_step (Z.of_nat n) cu ct (b - a)) s) /\
  value_d (Nat.iter i (chord_step (Z.of_nat n) cu ct (b - a)) s) = (Z.of_nat L * a + Z.of_nat i * (b - a))%Z.
Proof.
move=> psi_a psi_b start chorded_s; elim: i => [_|i IH iL]; first by rewrite addn0 /= start; split=> //; ring.
have [chorded_i value_i] := IH (ltnW iL).
split; last by rewrite [value_d _]/= value_i -Z_next Z.mul_add_distr_r Z.mul_1_l Z.add_assoc.
rewrite addnS; apply: chord_step_chorded chorded_i; rewrite value_i; apply: le_trans (psi_convex d (ltnW iL)) _.
have -> : inR (Z.of_nat L * a + Z.of_nat i * (b - a))%Z = (L - i)%:R * inR a + i%:R * inR b.
  by rewrite of_ZD !of_ZM of_ZB !of_Z_nat natrB ?(ltnW iL) //; ring.
by rewrite ler_add // ler_wpmul2l ?ler0n.
Qed.

Fixpoint bounds (d : nat) (l : points) : Prop := if l is (v, _) :: rest then psi d <= inR v /\ bounds (d + L) rest else True.

Lemma along_chorded l d s : bounds d l -> value_d s = first_value (Z.of_nat L) l -> chorded d s ->
  exists d', chorded d' (along (Z.of_nat n) cu ct (Z.of_nat L) l s).
Proof.
elim: l d s => [|[a ?] l IH] d s; first by exists d.
move=> [psi_a rest] value_s chorded_s; case: l value_s IH rest => [|[b s1] l] value_s IH rest; first by exists d.
have [chorded_L value_L] := stretch_chorded psi_a (proj1 rest) value_s chorded_s (leqnn L).
have value_next : value_d (Nat.iter L (chord_step (Z.of_nat n) cu ct (b - a)) s) = first_value (Z.of_nat L) ((b, s1) :: l).
  by rewrite value_L -Z.mul_add_distr_l /first_value; congr (_ * _)%Z; clear; lia.
by have := IH _ _ rest value_next chorded_L; rewrite -[in Nat.iter L _ s](Nat2Z.id L).
Qed.

End Walk.

(* The losses as integers over other_unit. *)
Section Rationals.
Variables (R : realFieldType) (t u e f k y : R).
Hypotheses (u0 : u != 0) (f0 : f != 0) (y0 : y != 0) (yE : y = t + (k - 3%:R) * u).

Lemma weight_rational : t / u + k - 3%:R = y / u.
Proof. by rewrite yE; field. Qed.

Lemma rho_rational : (k - 2%:R) / (t / u + k - 3%:R) = (k - 2%:R) * u / y.
Proof. by rewrite weight_rational; field; rewrite u0 y0. Qed.

Lemma own_rational : (t * f - e * u) * y + (e - f) * ((k - 2%:R) * u) * u =
  u * f * y * (t / u - e / f + (e / f - 1) * ((k - 2%:R) / (t / u + k - 3%:R))).
Proof. by rewrite rho_rational; field; rewrite ?u0 ?f0 ?y0. Qed.

Lemma other_rational : (e * t - f * u) * y - (e - f) * ((k - 2%:R) * u) * u =
  u * f * y * (e / f * (t / u) - 1 - (e / f - 1) * ((k - 2%:R) / (t / u + k - 3%:R))).
Proof. by rewrite rho_rational; field; rewrite ?u0 ?f0 ?y0. Qed.

Lemma common_rational : (e - f) * u * y = u * f * y * (e / f - 1).
Proof. by field. Qed.

Lemma two_rational : t + (k - 1) * u != 0 -> (t / u + k - 1)^-1 *+ 2 = 2%:R * u / (t + (k - 1) * u).
Proof.
move=> w0; have -> : t / u + k - 1 = (t + (k - 1) * u) / u by field.
by rewrite -[_ *+ 2]mulr_natl; move: (t + _) w0 => w w0; field; rewrite u0 w0.
Qed.

End Rationals.

Section Sound.
Variables (R : realFieldType) (K : finType) (t u e f : Z).
Local Notation inR := (of_Z R).
Local Notation k := (Z.of_nat #|K|).

Theorem kary_delta_le_sound n T numerator denominator first_d stretch unit_of_values bits l :
    1 <= T -> T <= inR t / inR u -> (1 < #|K|)%N ->
    kary_delta_le (Z.of_nat n.+1) t u k e f numerator denominator first_d stretch unit_of_values bits l ->
  hockey (inR e / inR f) (pair_counts (k_rr_special_0 K T) (k_rr_others K T) n) (pair_counts (k_rr_special_1 K T) (k_rr_others K T) n) <=
  inR numerator / inR denominator.
Proof.
move=> T1 T_le k_ge2; set E := inR e / inR f.
rewrite (@counts_profile _ _ (k_rr_others_is_law T1 k_ge2) n _ _ (k_rr_score T E) E); last first.
  by rewrite /k_rr_special_0 /k_rr_special_1 /k_rr_others /k_rr_score; case=> [] [|[|[|[]]]] //= _; ring.
rewrite /kary_delta_le; set one := (2 ^ bits)%Z; set cu := ((k - 2) * u)%Z; set ct := other_weight t u k.
set own := own_loss t u k e f; set other := other_loss t u k e f; set common := common_loss t u k e f; set unit := other_unit t u k f.
set s0 := Chords _ _ _ _ _ _; set last := along _ _ _ _ _ _; cbv zeta; set x0 := (_ - first_d * (ct - cu))%Z; set x1 := (_ - Z.max 0 _ * cu)%Z.
do 17![case/andP]; move=> bounded /Z.leb_le bits0 /Z.leb_le d_ge0 /Z.leb_le d0n /Z.ltb_lt n_gt0 /Z.ltb_lt u_gt0 /Z.ltb_lt ut /Z.ltb_lt k_gt2.
move=> /Z.ltb_lt f_gt0 /Z.leb_le fe /Z.ltb_lt eutf /Z.ltb_lt stretch0 /Z.ltb_lt values0 /Z.ltb_lt x0_gt0 /Z.ltb_lt x1_gt0 /Z.ltb_lt weight0 /Z.ltb_lt denominator0 /Z.leb_le answer.
set m := n.+1 in bounded d0n answer *.
have cu_gt0 : (0 < cu)%Z by rewrite /cu; clear -k_gt2 u_gt0; nia.
have ct_cu : (ct - cu = t - u)%Z by rewrite /ct /cu /other_weight; clear; lia.
have cu_ct : (cu < ct)%Z by clear -ct_cu ut; lia.
have ct_gt0 : (0 < ct)%Z by clear -cu_ct cu_gt0; lia.
have unit_gt0 : (0 < unit)%Z by rewrite /unit /other_unit -/ct; apply: Z.mul_pos_pos => //; apply: Z.mul_pos_pos.
have [kE u0 f0 ct0] : [/\ inR k = #|K|%:R, 0 < inR u, 0 < inR f & 0 < inR ct] by rewrite of_Z_nat !of_Z_gt0.
have ctE : inR ct = inR t + (#|K|%:R - 3%:R) * inR u by rewrite /ct /other_weight of_ZD of_ZM of_ZB kE.
have cuE : inR cu = (#|K|%:R - 2%:R) * inR u by rewrite /cu of_ZM of_ZB kE.
pose T' := inR t / inR u; have T'1 : 1 < T' by rewrite ltr_pdivl_mulr // mul1r -subr_gt0 -of_ZB of_Z_gt0 //; apply: Z_sub_gt0.
have [p0 p1 rho0 rho1] := r_range k_ge2 T'1.
have [u_neq0 f_neq0 ct_neq0] : [/\ inR u != 0, inR f != 0 & inR ct != 0] by rewrite !gt_eqF.
have rhoE : (#|K|%:R - 2%:R) / (T' + #|K|%:R - 3%:R) = inR cu / inR ct by rewrite cuE (rho_rational u_neq0 ct_neq0 ctE).
pose r := (T' + #|K|%:R - 1)^-1.
have rE : r *+ 2 = inR (2 * u)%Z / inR (t + (k - 1) * u)%Z.
  rewrite of_ZM of_ZD of_ZM of_ZB kE of_Z2 of_Z1 /r /T' two_rational //.
  rewrite gt_eqF // ltr_paddr ?(of_Z_gt0 R (Z.lt_trans _ _ _ u_gt0 ut)) // mulr_ge0 ?(ltW u0) // subr_ge0 ler1n; exact: ltnW.
pose a := T' - E + (E - 1) * ((#|K|%:R - 2%:R) / (T' + #|K|%:R - 3%:R)); pose b := E * T' - 1 - (E - 1) * ((#|K|%:R - 2%:R) / (T' + #|K|%:R - 3%:R)).
have unitE : inR unit = inR u * inR f * inR ct by rewrite /unit /other_unit -/ct !of_ZM.
have ownE : inR own = inR unit * a.
  rewrite unitE /a /E /T' -(own_rational _ u_neq0 f_neq0 ct_neq0 ctE) -cuE /own /own_loss -/ct -/cu of_ZD !of_ZM !of_ZB !of_ZM.
  by [].
have otherE : inR other = inR unit * b.
  rewrite unitE /b /E /T' -(other_rational _ u_neq0 f_neq0 ct_neq0 ctE) -cuE /other /other_loss -/ct -/cu of_ZB !of_ZM !of_ZB !of_ZM.
  by [].
have commonE : inR common = inR unit * (E - 1).
  by rewrite unitE /E -common_rational // /common /common_loss -/ct !of_ZM of_ZB.
have unit0 := of_Z_gt0 R unit_gt0.
pose V d := sliding (inR own) (inR other) (r *+ 2) m (- (inR common * d%:R)).
have V_scaled d : V d = inR unit * sliding a b (r *+ 2) m (0 - (E - 1) * d%:R).
  by rewrite (sliding_scale _ _ _ _ _ (ltW unit0)) -ownE -otherE sub0r mulrN mulrA -commonE.
have own_gt0 : (0 < own)%Z.
  rewrite /own /own_loss; apply: Z.add_pos_nonneg; first by apply: Z.mul_pos_pos => //; clear -eutf; lia.
  by apply: Z.mul_nonneg_nonneg; [apply: Z.mul_nonneg_nonneg; [clear -fe; lia | apply: Z.lt_le_incl] | apply: Z.lt_le_incl].
have E1 : 1 <= E by rewrite ler_pdivl_mulr // mul1r of_Z_le.
have other_ge0 : 0 <= inR other.
  rewrite otherE mulr_ge0 ?(ltW unit0) // /b subr_ge0; apply: (@le_trans _ _ (E - 1)); first by rewrite ler_pimulr // subr_ge0.
  by rewrite ler_sub // ler_pmulr ?(ltW T'1) // (lt_le_trans ltr01).
have common_ge0 : (0 <= common)%Z.
  by rewrite /common /common_loss -/ct; apply: Z.mul_nonneg_nonneg; [apply: Z.mul_nonneg_nonneg; [clear -fe; lia | apply: Z.lt_le_incl] | apply: Z.lt_le_incl].
have own0 := of_Z_gt0 R own_gt0; have m0 : 0 < m%:R :> R by rewrite ltr0n.
pose whole := inR own * m%:R; have whole0 : 0 < whole by rewrite mulr_gt0.
pose v d := V d / whole.
have v_ge0 d : 0 <= v d by rewrite divr_ge0 ?(ltW whole0) // sliding_ge0.
have v_le1 d : v d <= 1.
  rewrite ler_pdivr_mulr // mul1r; apply: le_trans (sliding_at_most _ _ (ltW own0) other_ge0 p0 p1) _.
  by rewrite max_r ?add0r // oppr_le0 mulr_ge0 ?ler0n ?of_Z_ge0.
have answer_le : stop_loss (k_rr_others K T) (k_rr_score T E) m 0 / m%:R <= inR own / inR unit * binomial_mean m (inR cu / inR ct) v.
  rewrite ler_pdivr_mulr //; apply: le_trans (k_rr_two_sums k_ge2 E m 0 T1 T_le T'1) _.
  rewrite /two_sums rhoE -/r [leRHS]mulrAC -binomial_mean_scale le_eqVlt; apply/orP; left; apply/eqP.
  apply: eq_bigr => d _; congr (_ * _); rewrite /v V_scaled -rhoE -/a -/b /whole.
  by move: (sliding _ _ _ _ _) => x; field; rewrite !gt_eqF ?of_Z_gt0.
have [L L0 LE] : exists2 L, (0 < L)%N & stretch = Z.of_nat L.
  by exists (Z.to_nat stretch); [clear -stretch0; lia | rewrite Z2Nat.id //; apply: Z.lt_le_incl].
have [d0 d0E] : exists d0, first_d = Z.of_nat d0 by exists (Z.to_nat first_d); rewrite Z2Nat.id.
subst stretch first_d; move: d0n => /Z_le d0n.
pose w d := binomial_mass m (inR cu / inR ct) d.
have w_ge0 d : 0 <= w d by apply: (binomial_mass_ge0 R m.+1).
have one0 : 0 < inR one by apply: of_Z_gt0; apply: Z.pow_pos_nonneg.
have w0 : 0 < w d0.
  have p_lt1 : inR cu / inR ct < 1 by rewrite ltr_pdivr_mulr // mul1r -subr_gt0 -of_ZB of_Z_gt0 //; apply: Z_sub_gt0.
  by rewrite /w /binomial_mass !mulr_gt0 ?exprn_gt0 ?subr_gt0 ?divr_gt0 ?of_Z_gt0 // ltr0n bin_gt0.
pose h := inR one / w d0; have h0 : 0 <= h by rewrite divr_ge0 ?ltW.
have hE : h * w d0 = inR one by rewrite divfK // gt_eqF.
have values_gt0 := of_Z_gt0 R values0.
pose psi d := inR unit_of_values * v d.
have psi_ge0 d : 0 <= psi d by rewrite mulr_ge0 // ltW.
have L_neq0 : L%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have psi_convex d i : (i <= L)%N -> L%:R * psi (d + i)%N <= (L - i)%:R * psi d + i%:R * psi (d + L)%N.
  move=> iL; pose theta : R := (L - i)%:R / L%:R.
  have theta0 : 0 <= theta by rewrite divr_ge0 ?ler0n.
  have theta1 : theta <= 1 by rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat leq_subr.
  have := sliding_convex (inR own) (inR other) m p0 p1 (- (inR common * d%:R)) (- (inR common * (d + L)%N%:R)) theta0 theta1.
  have -> : theta * - (inR common * d%:R) + (1 - theta) * - (inR common * (d + L)%N%:R) = - (inR common * (d + i)%N%:R).
    by rewrite /theta natrB // !natrD; field.
  rewrite -/(V _) -/(V d) -/(V (d + L)%N) => chord.
  have scale0 : 0 <= L%:R * (inR unit_of_values / whole) by rewrite mulr_ge0 ?ler0n // divr_ge0 ?ltW.
  have := ler_wpmul2l scale0 chord; rewrite (_ : L%:R * _ * V _ = L%:R * psi (d + i)%N); last by rewrite /psi /v; ring.
  move/le_trans; apply; rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /theta natrB // /psi /v.
  by move: (V _) (V _) (gt_eqF whole0) => x y whole_neq0; field; rewrite L_neq0 whole_neq0.
have V_at d x window : sliding_le (Z.of_nat m) own other (2 * u) (t + (k - 1) * u) (common * Z.of_nat d) x unit_of_values window ->
    psi d <= inR x.
  move=> at_d'; have := sliding_le_sound R at_d'; rewrite (of_ZM _ common) of_Z_nat -rE -/(V d) -/whole => V_le.
  by rewrite /psi /v mulrC -ler_pdivl_mulr // ler_pdivr_mulr // [_ * whole]mulrC.
have all_bounds : bounds L psi d0 l.
  move: (l) (d0) bounded; elim=> [//|[x window] rest IH] d /andP[/V_at at_d' rest']; split=> //.
  by apply: IH; rewrite Nat2Z.inj_add.
have start : chorded m cu ct L h d0 psi d0 s0.
  by split=> //=; rewrite -/(w d0) ?hE // big_geq // mulr0 of_Z0.
have value_0 : value_d s0 = first_value (Z.of_nat L) l by [].
have [d1 chorded_last] := along_chorded cu_gt0 cu_ct h0 psi_ge0 psi_convex all_bounds value_0 start.
apply: le_trans answer_le _; rewrite mulrC -ler_pdivl_mulr ?divr_gt0 //.
have -> : inR numerator / inR denominator / (inR own / inR unit) = inR (numerator * unit)%Z / inR (denominator * own)%Z.
  by rewrite !of_ZM; field; rewrite !gt_eqF ?of_Z_gt0.
have -> : binomial_mean m (inR cu / inR ct) v = \sum_(0 <= d < m.+1) w d * v d by rewrite big_mkord.
have d0d1 := chorded_first chorded_last.
have beyond0 d : (m < d)%N -> w d = 0 by move=> md; rewrite /w /binomial_mass bin_small ?mul0r.
have wider (F : nat -> R) : \sum_(0 <= d < m.+1) w d * F d = \sum_(0 <= d < maxn d1 m.+1) w d * F d.
  rewrite [RHS](big_cat_nat _ _ _ (leq0n m.+1)) ?leq_maxr //= [X in _ = _ + X]big1_seq ?addr0 // => d /andP[_].
  by rewrite mem_index_iota => /andP[md _]; rewrite beyond0 ?mul0r.
rewrite wider.
have d1_max : (d1 <= maxn d1 m.+1)%N := leq_maxl _ _.
rewrite (big_cat_nat _ _ _ (leq0n d0) (leq_trans d0d1 d1_max)) /= [X in _ + X](big_cat_nat _ _ _ d0d1 d1_max) /= addrA.
have part_le i j : \sum_(i <= d < j) w d * v d <= \sum_(i <= d < j) w d by apply: ler_sum => d _; rewrite ler_pimulr.
have part_ge0 i j : 0 <= \sum_(i <= d < j) w d * v d by apply: sumr_ge0 => d _; rewrite mulr_ge0.
have masses_ge0 i j : 0 <= \sum_(i <= d < j) w d by apply: sumr_ge0.
have x1E : inR x1 = d1.+1%:R * inR (ct - cu)%Z - (m - d1)%:R * inR cu.
  rewrite /x1 (chorded_d chorded_last) Z_next of_ZB !of_ZM of_Z_nat; congr (_ - _ * _).
  by rewrite -of_Z_nat; congr (inR _); clear; lia.
have x0E : inR x0 = (m.+1 - d0)%:R * inR cu - d0%:R * inR (ct - cu)%Z.
  by rewrite /x0 of_ZB !of_ZM of_Z_nat -[(m.+1 - d0)%:R]of_Z_nat; congr (inR _ * _ - _); clear -d0n; lia.
apply: (@three_parts _ _ _ _ h 1 (inR (Z.of_nat L * unit_of_values)%Z) (inR one) (inR (Z.of_nat d0 * (ct - cu))%Z) (inR x0) (inR x1)
  (inR (high_d last)) (inR ((at_d last + 1) * (ct - cu))%Z) (inR (total_d last)) (inR (weight_d last)) 1).
- exact: part_ge0.
- exact: part_ge0.
- exact: part_ge0.
- exact: of_Z_gt0.
- exact: of_Z_gt0.
- by rewrite of_ZM of_Z_nat mulr_gt0 // ltr0n.
- exact: ltr01.
- exact: of_Z_gt0.
- by apply: of_Z_gt0; apply: Z.mul_pos_pos.
- rewrite (le_trans (chorded_weight chorded_last)) // ler_pimulr //.
  have <- : \sum_(0 <= d < maxn d1 m.+1) w d * 1 = 1.
    rewrite -(wider (fun=> 1)) -[RHS](@sum_masses R m.+1 cu ct isT) big_mkord; apply: eq_bigr => d _; exact: mulr1.
  under [leRHS]eq_bigr do rewrite mulr1.
  rewrite (big_cat_nat _ _ _ (leq0n d0) (leq_trans d0d1 d1_max)) /= [X in _ <= _ + X](big_cat_nat _ _ _ d0d1 d1_max) /=.
  by rewrite addrCA ler_addl addr_ge0.
- exact: lexx.
- rewrite -hE -mulrA ler_wpmul2l // x0E of_ZM of_Z_nat; apply: le_trans (tail_below R cu_gt0 cu_ct (n := m.+1) _); last by rewrite ltnS.
  by rewrite ler_wpmul2r // -x0E ltW // of_Z_gt0.
- apply: le_trans (_ : h * w d1 * (d1.+1%:R * inR (ct - cu)%Z) <= _).
    rewrite -mulrA ler_wpmul2l // x1E; have [d1m|md1] := leqP d1 m.+1; last first.
      by rewrite big_geq // mul0r; apply: mulr_ge0 (w_ge0 _) _; apply: mulr_ge0; [exact: ler0n | apply: of_Z_ge0; clear -cu_ct; lia].
    apply: le_trans (tail_above R cu_gt0 cu_ct (n := m.+1) d1m).
    by apply: ler_wpmul2r; [rewrite -x1E ltW // of_Z_gt0 | exact: part_le].
  rewrite (chorded_d chorded_last) Z_next of_ZM of_Z_nat ler_wpmul2r ?(chorded_high chorded_last) //.
  by apply: mulr_ge0; [exact: ler0n | apply: of_Z_ge0; clear -cu_ct; lia].
- apply: le_trans (chorded_total chorded_last); rewrite le_eqVlt; apply/orP; left; apply/eqP.
  have -> : \sum_(d0 <= d < d1) w d * psi d = inR unit_of_values * \sum_(d0 <= d < d1) w d * v d.
    by rewrite mulr_sumr; apply: eq_bigr => d _; rewrite /psi mulrCA.
  by rewrite of_ZM of_Z_nat mul1r; move: (\sum_(_ <= _ < _) _) => x; ring.
have := of_Z_le R answer.
by rewrite !(of_ZM, of_ZD) -/x0 !mulr1.
Qed.

End Sound.

Theorem private_by_kary_window (R : realFieldType) (K : finType) (T E : R) (T_ge1 : 1 <= T) (k_ge2 : (1 < #|K|)%N) (D : Type) (F : seq K -> D -> K)
    users t u k e f numerator denominator first_d stretch unit_of_values bits l :
  kary_delta_le users t u k e f numerator denominator first_d stretch unit_of_values bits l ->
  Z.of_nat #|K| = k -> T <= of_Z R t / of_Z R u -> of_Z R e / of_Z R f <= E ->
  private E (of_Z R numerator / of_Z R denominator) (fun w : (Z.to_nat users).-tuple D => shuffled (k_rr_of T_ge1 k_ge2 F) w).
Proof.
move=> answer kE T_le E_ge; subst k.
have [n usersE] : exists n, users = Z.of_nat n.+1.
  move: answer; rewrite /kary_delta_le; cbv zeta; do 17![case/andP]; move=> _ _ _ _ /Z.ltb_lt users0 *.
  by exists (Z.to_nat users).-1; rewrite prednK ?Z2Nat.id //; clear -users0; lia.
have [f0 e0] : (0 < f)%Z /\ (0 <= e)%Z.
  move: answer; rewrite /kary_delta_le; cbv zeta; do 17![case/andP]; move=> _ _ _ _ _ _ _ _ /Z.ltb_lt f0 /Z.leb_le fe *.
  by split=> //; apply: Z.le_trans fe; apply: Z.lt_le_incl.
rewrite usersE Nat2Z.id in answer *; apply: private_weaken E_ge (lexx _) _; first by move=> w s; case: (shuffled_is_law (k_rr_of T_ge1 k_ge2 F) w).
apply: k_rr_private; first by rewrite divr_ge0 ?of_Z_ge0 //; apply: Z.lt_le_incl.
exact: kary_delta_le_sound T_ge1 T_le k_ge2 answer.
Qed.
