(* Sums of independent losses of three values: alpha and -beta with probability p/2 each, else 0; and a program for their mean positive part.

     sliding_mean       E (t + Y_1 + ... + Y_m)_+ is the sum over c of Bin(m, p)(c) slide(c), slide(c) the same for c fair losses alpha and -beta;
     slide_threshold    slide(c) = (alpha + beta)/2 (c - a) b_c(a) - ((beta - alpha) c/2 - t) U_c(a), where a + 1 is the least number of losses
                        alpha for which the sum is positive;
     sliding_le_sound   where the program answers true, the mean positive part at t = -s is at most alpha m times the stated number.

   The clones pairs' program (WindowNumbers.v) walks in the same way, but its slices end where its special user's message ends them, and they have
   no s; it stays by itself because two numbers that rest on it take the kernel, without its virtual machine, 40 minutes. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ zify ring.
From Shuffleproof Require Import Definitions Divergence Composition PairCounts ClonesProfile Programs Integers WindowNumbers OptimalPairExact.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Section Program.
Local Open Scope Z_scope.
Local Open Scope bool_scope.
Variables m alpha beta cu ct s : Z.

(* As `walk_step` of Programs.v; `total` is at least 2 h g times the sum of Bin(c) slide(c) so far. *)
Definition sliding_step (w : walk) : walk :=
  let c := at_c w in
  let a := at_a w in
  let value := (alpha + beta) * (c - a) * fair_high w - ((beta - alpha) * c + 2 * s) * upper_low w in
  let ok := valid w && (c <=? m) && (a <=? c) && ((alpha + beta) * a <=? beta * c + s) && (beta * c + s <=? (alpha + beta) * (a + 1)) in
  let up := (m - c) * cu in
  let down := (c + 1) * (ct - cu) in
  let stay := beta * (c + 1) + s <=? (alpha + beta) * (a + 1) in
  let over := if stay then 2 * (c + 1 - a) else 2 * (a + 1) in
  Walk (c + 1) (if stay then a else a + 1)
       (mass_low w * up / down) (quotient_up (mass_high w * up) down)
       (fair_low w * (c + 1) / over) (quotient_up (fair_high w * (c + 1)) over)
       (if stay then upper_low w + fair_low w / 2 else upper_low w - quotient_up (fair_high w * (c - a)) over)
       (total w + mass_high w * value) (weight w + mass_low w) ok.

(* The window is chosen as that of `window_delta_le`; below it is nothing where even first_c losses alpha do not reach s. *)
Record sliding_window := SlidingWindow { first_c : Z; steps : Z; first_a : Z; to_threshold : Z; above : Z; bits : Z }.

Definition sliding_le (numerator denominator : Z) (window : sliding_window) : bool :=
  let 'SlidingWindow first_c steps first_a to_threshold above bits := window in
  let one := 2 ^ bits in
  let s0 := Climb first_a one one 0 in
  let s1 := Nat.iter (Z.to_nat to_threshold) (climb_step first_c) s0 in
  let s2 := climb_step first_c s1 in
  let s3 := Nat.iter (Z.to_nat above) (climb_step first_c) (Climb (climb_a s2) (climb_low s2) (climb_high s2) 0) in
  let scale := climb_below s2 + climb_below s3 in
  let w := Nat.iter (Z.to_nat steps) sliding_step
             (Walk first_c (climb_a s1) one one (climb_low s1) (climb_high s1) (climb_below s3) 0 0 true) in
  let c := at_c w in
  let nothing := alpha * first_c <=? s in
  let below_up := if nothing then 0 else first_c * (ct - cu) in
  let below_down := if nothing then 1 else (m + 1 - first_c) * cu in
  let above_up := Z.max 0 (m - c) * cu in
  let above_down := (c + 1) * (ct - cu) in
  let x0 := below_down - below_up in
  let x1 := above_down - above_up in
  let unit := 2 * alpha * m * scale in
  valid w && (0 <=? bits) && (0 <=? first_c) && (first_c <=? m) && (0 <=? first_a) && (first_a <=? first_c)
  && (0 <? cu) && (cu <? ct) && (0 <? alpha) && (alpha <=? beta) && (0 <=? s) && (0 <? m) && (0 <? x0) && (0 <? x1) && (0 <? scale) && (0 <? weight w)
  && (0 <? denominator)
  && (((one * below_up * x1 + mass_high w * above_down * x0) * unit + total w * (x0 * x1)) * denominator
      <=? numerator * (weight w * unit * (x0 * x1))).

End Program.

Section Means.
Variable R : realFieldType.

Definition binomial_mean (n : nat) (p : R) (g : nat -> R) : R := \sum_(c < n.+1) binomial_mass n p c * g c.

Lemma binomial_mean_step n p g :
  binomial_mean n.+1 p g = p * binomial_mean n p (fun c => g c.+1) + (1 - p) * binomial_mean n p g.
Proof.
rewrite /binomial_mean /binomial_mass.
transitivity (\sum_(c < n.+2) 'C(n.+1, c)%:R * (p ^+ c * (1 - p) ^+ (n.+1 - c) * g c)); first by apply: eq_bigr => c _; rewrite !mulrA.
rewrite -(pascal_sum n (fun c => p ^+ c * (1 - p) ^+ (n.+1 - c) * g c)) !mulr_sumr; congr (_ + _); apply: eq_bigr => c _.
  by rewrite subSS exprS; ring.
by rewrite subSn -1?ltnS // exprS; ring.
Qed.

Lemma binomial_mean_le n p g g' : 0 <= p -> p <= 1 -> (forall c, g c <= g' c) -> binomial_mean n p g <= binomial_mean n p g'.
Proof.
move=> p0 p1 gg; apply: ler_sum => c _; rewrite ler_wpmul2l ?gg //.
by rewrite /binomial_mass !mulr_ge0 ?ler0n ?exprn_ge0 ?subr_ge0.
Qed.

Lemma binomial_mean_scale n p x g : binomial_mean n p (fun c => x * g c) = x * binomial_mean n p g.
Proof. by rewrite /binomial_mean mulr_sumr; apply: eq_bigr => c _; rewrite mulrCA. Qed.

Lemma binomial_mean_add n p g g' : binomial_mean n p (fun c => g c + g' c) = binomial_mean n p g + binomial_mean n p g'.
Proof. by rewrite /binomial_mean -big_split; apply: eq_bigr => c _; rewrite mulrDr. Qed.

Section Losses.
Variables (alpha beta p : R).

(* The mean positive part of t and m losses, and of c fair ones. *)
Fixpoint sliding (m : nat) (t : R) : R :=
  if m is m'.+1 then p / 2%:R * sliding m' (t + alpha) + p / 2%:R * sliding m' (t - beta) + (1 - p) * sliding m' t else Num.max t 0.
Definition sum_of (c a : nat) : R := alpha * a%:R - beta * (c%:R - a%:R).
Definition slide (c : nat) (t : R) : R := \sum_(a < c.+1) fair R c a * Num.max (t + sum_of c a) 0.

Lemma slide_step c t : slide c.+1 t = (slide c (t + alpha) + slide c (t - beta)) / 2%:R.
Proof.
have next k : k.+1%:R = k%:R + 1 :> R by rewrite mulrSr.
have fairs k (F : nat -> R) : \sum_(a < k.+1) fair R k a * F a = (\sum_(a < k.+1) 'C(k, a)%:R * F a) / 2%:R ^+ k.
  by rewrite mulr_suml; apply: eq_bigr => a _; rewrite /fair mulrAC.
rewrite /slide (fairs c.+1 (fun a => Num.max (t + sum_of c.+1 a) 0)) (fairs c (fun a => Num.max (t + alpha + sum_of c a) 0))
  (fairs c (fun a => Num.max (t - beta + sum_of c a) 0)) -(pascal_sum c (fun a => Num.max (t + sum_of c.+1 a) 0)) -mulrDl exprSr invfM mulrA.
congr ((_ + _) / _ / _); apply: eq_bigr => a _; congr (_ * Num.max _ _); rewrite /sum_of ?next; ring.
Qed.

Lemma sliding_mean m t : sliding m t = binomial_mean m p (slide^~ t).
Proof.
elim: m t => [|m IH] t.
  rewrite /binomial_mean big_ord_recl big_ord0 addr0 /binomial_mass bin0 !expr0 !mulr1 mul1r.
  by rewrite /slide big_ord_recl big_ord0 addr0 /fair bin0 expr0 divr1 mul1r /sum_of subrr !mulr0 subrr addr0.
rewrite /= !IH binomial_mean_step; congr (_ + _).
rewrite -mulrDr -binomial_mean_add -mulrA; congr (_ * _); rewrite /binomial_mean mulr_sumr; apply: eq_bigr => c _.
by rewrite slide_step; field.
Qed.

Lemma slide_ge0 c t : 0 <= slide c t.
Proof. by apply: sumr_ge0 => a _; rewrite mulr_ge0 ?fair_ge0 // le_maxr lexx orbT. Qed.

Hypotheses (alpha_ge0 : 0 <= alpha) (beta_ge0 : 0 <= beta).

Lemma sum_of_le c a : (a <= c)%N -> sum_of c a <= alpha * c%:R.
Proof.
move=> ac; rewrite /sum_of -natrB // ler_subl_addr (le_trans (_ : _ <= alpha * c%:R)) ?ler_wpmul2l ?ler_nat //.
by rewrite ler_addl mulr_ge0 ?ler0n.
Qed.

Lemma slide_le c t : t <= 0 -> slide c t <= alpha * c%:R.
Proof.
move=> t0; apply: (@le_trans _ _ (\sum_(a < c.+1) fair R c a * (alpha * c%:R))).
  apply: ler_sum => a _; rewrite ler_wpmul2l ?fair_ge0 // le_maxl mulr_ge0 ?ler0n // andbT.
  by rewrite ler_naddl // sum_of_le // -ltnS.
by rewrite -mulr_suml sum_fair mul1r.
Qed.

Lemma slide_nothing c t : t + alpha * c%:R <= 0 -> slide c t = 0.
Proof.
move=> none; rewrite /slide big1 // => a _; rewrite max_r ?mulr0 //.
by apply: le_trans none; rewrite ler_add2l sum_of_le // -ltnS.
Qed.

Lemma sum_above c a (F : nat -> R) : (a < c)%N ->
  \sum_(x < c.+1 | (a < x)%N) F x = F a.+1 + \sum_(x < c.+1 | (a.+1 < x)%N) F x.
Proof.
move=> ac; rewrite (bigD1 (Ordinal (ac : a.+1 < c.+1)%N)) //=; congr (_ + _); apply: eq_bigl => x.
by rewrite -val_eqE /= andbC eq_sym -ltn_neqAle.
Qed.

(* The partial mean of a fair binomial distribution. *)
Lemma fair_moment c a : (a <= c)%N -> \sum_(x < c.+1 | (a < x)%N) fair R c x * (2%:R * x%:R - c%:R) = (c - a)%:R * fair R c a.
Proof.
move=> ac; rewrite -(subKn ac); move: (c - a)%N (leq_subr a c) => k {a ac}; elim: k => [|k IH] kc.
  rewrite subn0 subnn mul0r big_pred0 // => x; apply/negbTE; rewrite -leqNgt -ltnS; exact: ltn_ord.
have step : (c - k.+1).+1 = (c - k)%N by rewrite subnSK.
rewrite (sum_above (fun x => fair R c x * (2%:R * x%:R - c%:R))); last by rewrite ltn_subrL /= (leq_trans _ kc).
rewrite step IH ?(ltnW kc) // !subKn ?(ltnW kc) // -step fair_next subKn // step.
have ck0 : (c - k)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n subn_gt0.
have -> : (c - k)%:R = c%:R - k%:R :> R by rewrite natrB // ltnW.
rewrite natrB ?(ltnW kc) // in ck0; move: (fair R c _) (c%:R) (k%:R) ck0 => F x y xy.
by field.
Qed.

Lemma slide_threshold c a t : (a <= c)%N -> t + sum_of c a <= 0 -> 0 <= t + sum_of c a.+1 ->
  slide c t = (alpha + beta) / 2%:R * ((c - a)%:R * fair R c a) - ((beta - alpha) / 2%:R * c%:R - t) * upper R c a.
Proof.
move=> ac below above.
have rising x y : (x <= y)%N -> sum_of c x <= sum_of c y.
  by move=> xy; rewrite /sum_of ler_sub ?ler_wpmul2l ?ler_nat // ler_sub // ler_nat.
have -> : slide c t = \sum_(x < c.+1 | (a < x)%N) fair R c x * (t + sum_of c x).
  rewrite [RHS]big_mkcond; apply: eq_bigr => x _; case: ltnP => [ax|xa].
    by rewrite max_l // (le_trans above) // ler_add2l rising.
  by rewrite max_r ?mulr0 // (le_trans _ below) // ler_add2l rising.
rewrite -fair_moment // /upper !mulr_sumr -sumrB; apply: eq_bigr => x _; rewrite /sum_of.
by field.
Qed.

End Losses.

Lemma sliding_scale x alpha beta p m t : 0 <= x -> x * sliding alpha beta p m t = sliding (x * alpha) (x * beta) p m (x * t).
Proof.
move=> x0; elim: m t => [|m IH] t /=; first by rewrite positive_part_scale // mulr0.
by rewrite -(mulrDr x t alpha) -(mulrBr x t beta) -!IH; move: (sliding _ _ _ _ _) (sliding _ _ _ _ _) (sliding _ _ _ _ _) => *; field.
Qed.

End Means.

Section Walk.
Variables (R : realFieldType) (m : nat) (alpha beta cu ct s : Z).
Hypotheses (cu_gt0 : (0 < cu)%Z) (cu_ct : (cu < ct)%Z) (alpha_gt0 : (0 < alpha)%Z) (alpha_beta : (alpha <= beta)%Z) (s_ge0 : (0 <= s)%Z).
Local Notation inR := (of_Z R).
Local Notation p := (inR cu / inR ct).
Local Notation w c := (binomial_mass m p c).
Local Notation slide c := (slide (inR alpha) (inR beta) c (- inR s)).

Let beta_gt0 : (0 < beta)%Z. Proof. exact: Z.lt_le_trans alpha_gt0 alpha_beta. Qed.
Let w_ge0 c : 0 <= w c. Proof. exact: (binomial_mass_ge0 R m.+1). Qed.

Lemma sum_of_Z c a : - inR s + sum_of (inR alpha) (inR beta) c a = inR ((alpha + beta) * Z.of_nat a - (beta * Z.of_nat c + s))%Z.
Proof. by rewrite /sum_of of_ZB of_ZD !of_ZM of_ZD !of_Z_nat; ring. Qed.

Lemma slide_value c a : (a <= c)%N ->
  ((alpha + beta) * Z.of_nat a <= beta * Z.of_nat c + s)%Z -> (beta * Z.of_nat c + s <= (alpha + beta) * (Z.of_nat a + 1))%Z ->
  2%:R * slide c = inR ((alpha + beta) * (Z.of_nat c - Z.of_nat a))%Z * fair R c a - inR ((beta - alpha) * Z.of_nat c + 2 * s)%Z * upper R c a.
Proof.
move=> ac below above.
have [alpha0 beta0] : 0 <= inR alpha /\ 0 <= inR beta by split; apply: of_Z_ge0; apply: Z.lt_le_incl.
rewrite (@slide_threshold R _ _ alpha0 beta0 c a) //; last 2 first.
- by rewrite sum_of_Z of_ZB subr_le0 of_Z_le.
- by rewrite sum_of_Z of_ZB subr_ge0 of_Z_le // -Z_next.
rewrite (of_ZM _ (alpha + beta)) (of_ZD _ (_ * _)%Z) !of_ZM of_ZD !of_ZB !of_Z_nat of_Z2 natrB //.
by field.
Qed.

Variables (g h : R) (first : nat).
Hypotheses (g_ge0 : 0 <= g) (h_ge0 : 0 <= h).

Record slid (c a : nat) (v : walk) : Prop := Slid {
  slid_c : at_c v = Z.of_nat c;
  slid_a : at_a v = Z.of_nat a;
  slid_le : (first <= c)%N;
  slid_mass_low : inR (mass_low v) <= h * w c;
  slid_mass_high : h * w c <= inR (mass_high v);
  slid_fair_low : inR (fair_low v) <= g * fair R c a;
  slid_fair_high : g * fair R c a <= inR (fair_high v);
  slid_upper_low : inR (upper_low v) <= g * upper R c a;
  slid_total : h * (g * 2%:R) * (\sum_(first <= x < c) w x * slide x) <= inR (total v);
  slid_weight : inR (weight v) <= h * \sum_(first <= x < c) w x }.

Lemma next_mass c : (c <= m)%N -> w c.+1 = w c * (inR ((Z.of_nat m - Z.of_nat c) * cu)%Z / inR ((Z.of_nat c + 1) * (ct - cu))%Z).
Proof.
move=> cm; rewrite -[m]/(m.+1.-1) mass_next //; congr (_ * (inR (_ * _)%Z / _)); clear -cm; lia.
Qed.

Lemma sliding_step_slid c a v : valid (sliding_step (Z.of_nat m) alpha beta cu ct s v) -> slid c a v ->
  valid v /\ (c <= m)%N /\ exists a', slid c.+1 a' (sliding_step (Z.of_nat m) alpha beta cu ct s v).
Proof.
move=> ok [eqc eqa le_c m_low m_high f_low f_high u_low tot wei].
move: ok; rewrite /= eqc eqa => /andP[/andP[/andP[/andP[valid_v /Z.leb_le cm] /Z.leb_le ac]] /Z.leb_le below] /Z.leb_le above.
have {}cm : (c <= m)%N := Z_le cm.
have {}ac : (a <= c)%N := Z_le ac.
split=> //; split=> //.
set value := ((alpha + beta) * (Z.of_nat c - Z.of_nat a) * fair_high v - ((beta - alpha) * Z.of_nat c + 2 * s) * upper_low v)%Z.
have value_le : g * (2%:R * slide c) <= inR value.
  rewrite (slide_value ac below above) /value (of_ZB _ (_ * fair_high v)%Z) (of_ZM _ _ (fair_high v)) (of_ZM _ _ (upper_low v)) mulrBr.
  rewrite ler_sub // mulrCA ler_wpmul2l // of_Z_ge0 //; clear -ac alpha_gt0 alpha_beta s_ge0; nia.
have value_ge0 : 0 <= g * (2%:R * slide c) by rewrite !mulr_ge0 ?ler0n ?slide_ge0.
have next := next_mass cm.
have up_ge0 : (0 <= (Z.of_nat m - Z.of_nat c) * cu)%Z by clear -cm cu_gt0; nia.
have down_gt0 : (0 < (Z.of_nat c + 1) * (ct - cu))%Z by clear -cu_ct; nia.
have common a' b_low b_high up ok : inR b_low <= g * fair R c.+1 a' -> g * fair R c.+1 a' <= inR b_high ->
    inR up <= g * upper R c.+1 a' ->
    slid c.+1 a' (Walk (Z.of_nat c + 1) (Z.of_nat a')
      (mass_low v * ((Z.of_nat m - Z.of_nat c) * cu) / ((Z.of_nat c + 1) * (ct - cu)))
      (quotient_up (mass_high v * ((Z.of_nat m - Z.of_nat c) * cu)) ((Z.of_nat c + 1) * (ct - cu)))
      b_low b_high up (total v + mass_high v * value) (weight v + mass_low v) ok).
  move=> bl bh ul; split=> //=.
  - exact: Z_next.
  - by rewrite leqW.
  - by rewrite next mulrA rounded_down.
  - by rewrite next mulrA rounded_up.
  - rewrite of_ZD big_nat_recr //= mulrDr ler_add // of_ZM.
    apply: le_trans (_ : (h * w c) * (g * (2%:R * slide c)) <= _); first by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
    by rewrite ler_pmul // mulr_ge0.
  by rewrite of_ZD big_nat_recr //= mulrDr ler_add.
rewrite /sliding_step eqc eqa; cbv zeta; case: ifP => [_|_].
  have over_gt0 : (0 < 2 * Z.of_nat (c.+1 - a)%N)%Z by apply: Z.mul_pos_pos; rewrite // subSn //; apply: Z_succ_gt0.
  have overE : (Z.of_nat c + 1 - Z.of_nat a)%Z = Z.of_nat (c.+1 - a)%N by rewrite Z_next Z_minus // leqW.
  have stayE : fair R c.+1 a = fair R c a * (inR (Z.of_nat c + 1)%Z / inR (2 * Z.of_nat (c.+1 - a)%N)%Z).
    by rewrite fair_stay // of_ZM of_Z2 Z_next !of_Z_nat mulrA.
  exists a; apply: common.
  - by rewrite overE stayE mulrA Z_next rounded_down.
  - by rewrite overE stayE mulrA Z_next rounded_up.
  rewrite upper_stay // mulrDr of_ZD ler_add // mulrA (le_trans (of_Z_quotient_le _ _ _)) // of_Z2.
  by rewrite ler_wpmul2r // invr_ge0 ler0n.
have over_gt0 : (0 < 2 * Z.of_nat a.+1)%Z by apply: Z.mul_pos_pos; last exact: Z_succ_gt0.
have shiftE : fair R c.+1 a.+1 = fair R c a * (inR (Z.of_nat c.+1) / inR (2 * Z.of_nat a.+1)%Z).
  by rewrite fair_shift of_ZM of_Z2 !of_Z_nat mulrA.
exists a.+1; rewrite [(Z.of_nat a + 1)%Z]Z_next; apply: common.
- by rewrite shiftE mulrA Z_next rounded_down //.
- by rewrite shiftE mulrA Z_next rounded_up //.
rewrite upper_shift // mulrBr of_ZB ler_sub //.
have -> : fair R c a.+1 / 2%:R = fair R c a * (inR (Z.of_nat c - Z.of_nat a)%Z / inR (2 * Z.of_nat a.+1)%Z).
  by rewrite Z_minus // fair_next of_ZM of_Z2 !of_Z_nat invfM [2%:R^-1 * _]mulrC !mulrA.
by rewrite mulrA Z_minus // rounded_up.
Qed.

Lemma sliding_steps_slid c a v k : (c <= m.+1)%N -> slid c a v -> valid (Nat.iter k (sliding_step (Z.of_nat m) alpha beta cu ct s) v) ->
  (c + k <= m.+1)%N /\ exists a', slid (c + k) a' (Nat.iter k (sliding_step (Z.of_nat m) alpha beta cu ct s) v).
Proof.
move=> cm start; elim: k => [|k IH] /=; first by rewrite addn0; split=> //; exists a.
move=> ok; have valid_k : valid (Nat.iter k (sliding_step (Z.of_nat m) alpha beta cu ct s) v) by move: ok => /= /andP[/andP[/andP[/andP[]]]].
have [_ [a' slid_k]] := IH valid_k.
by have [_ [le_m next]] := sliding_step_slid ok slid_k; rewrite addnS.
Qed.

End Walk.

Section Sound.
Variable R : realFieldType.
Local Notation inR := (of_Z R).
Variables (alpha beta cu ct s : Z).
Local Notation p := (inR cu / inR ct).

Theorem sliding_le_sound m numerator denominator window : sliding_le (Z.of_nat m) alpha beta cu ct s numerator denominator window ->
  sliding (inR alpha) (inR beta) p m (- inR s) <= inR alpha * m%:R * (inR numerator / inR denominator).
Proof.
case: window => first_c steps first_a to_threshold above bits.
rewrite /sliding_le; set one := (2 ^ bits)%Z; set s0 := Climb _ _ _ _; set s1 := Nat.iter _ _ s0; set s2 := climb_step _ s1.
set s3 := Nat.iter _ _ (Climb _ _ _ 0); set scale := (climb_below s2 + climb_below s3)%Z; set last := Nat.iter _ _ (Walk _ _ _ _ _ _ _ _ _ _).
cbv zeta; set nothing := (alpha * first_c <=? s)%Z; set x0 := (_ - (if nothing then 0 else _))%Z; set x1 := (_ - Z.max 0 _ * cu)%Z.
do 17![case/andP]; move=> valid_last /Z.leb_le bits0 /Z.leb_le c_ge0 /Z.leb_le c0m /Z.leb_le a_ge0 /Z.leb_le a0c0.
move=> /Z.ltb_lt cu_gt0 /Z.ltb_lt cu_ct /Z.ltb_lt alpha_gt0 /Z.leb_le alpha_beta /Z.leb_le s_ge0 /Z.ltb_lt m_gt0 /Z.ltb_lt x0_gt0 /Z.ltb_lt x1_gt0.
move=> /Z.ltb_lt scale0 /Z.ltb_lt weight0 /Z.ltb_lt denominator0 /Z.leb_le answer.
have [c0 c0E] : exists c0, first_c = Z.of_nat c0 by exists (Z.to_nat first_c); rewrite Z2Nat.id.
have [a0 a0E] : exists a0, first_a = Z.of_nat a0 by exists (Z.to_nat first_a); rewrite Z2Nat.id.
subst first_c first_a; move: c0m a0c0 => /Z_le c0m /Z_le a0c0.
pose w c := binomial_mass m p c; pose f c := slide (inR alpha) (inR beta) c (- inR s).
have w_ge0 c : 0 <= w c by apply: (binomial_mass_ge0 R m.+1).
have [alpha0 beta0] : 0 < inR alpha /\ 0 <= inR beta.
  by split; [apply: of_Z_gt0 | apply/of_Z_ge0/Z.lt_le_incl/(Z.lt_le_trans _ _ _ alpha_gt0)].
have m0 : 0 < m%:R :> R by rewrite -of_Z_nat of_Z_gt0.
have one0 : 0 < inR one by apply: of_Z_gt0; apply: Z.pow_pos_nonneg.
have fair0 : 0 < fair R c0 a0 by rewrite /fair divr_gt0 ?ltr0n ?bin_gt0 // exprn_gt0 // ltr0n.
have w0 : 0 < w c0.
  have cu0 : 0 < inR cu := of_Z_gt0 R cu_gt0; have ct0 : 0 < inR ct := of_Z_gt0 R (Z.lt_trans _ _ _ cu_gt0 cu_ct).
  have p_lt1 : p < 1 by rewrite ltr_pdivr_mulr // mul1r -subr_gt0 -of_ZB of_Z_gt0 //; apply: Z_sub_gt0.
  by rewrite /w /binomial_mass !mulr_gt0 ?exprn_gt0 ?subr_gt0 ?divr_gt0 // ltr0n bin_gt0.
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
have slid0 : slid m alpha beta cu ct s g h c0 c0 a1 (Walk (Z.of_nat c0) (climb_a s1) one one (climb_low s1) (climb_high s1) (climb_below s3) 0 0 true).
  case: climbed1 => eqa _ low high _.
  by split=> //=; rewrite -/(w c0) ?hE // big_geq // mulr0 of_Z0.
have [c1m [a' slid_last]] := sliding_steps_slid cu_gt0 cu_ct alpha_gt0 alpha_beta s_ge0 g0 h0 (leqW c0m) slid0 valid_last.
set c1 := (c0 + _)%N in c1m slid_last.
have c0c1 : (c0 <= c1)%N := leq_addr _ _.
have f_le c : (c <= m)%N -> f c <= inR alpha * m%:R.
  move=> cm; apply: le_trans (slide_le (ltW alpha0) beta0 _ _) _; first by rewrite oppr_le0 of_Z_ge0.
  by rewrite ler_wpmul2l ?(ltW alpha0) // ler_nat.
have f0 c : 0 <= f c := slide_ge0 _ _ _ _.
pose unit := inR alpha * m%:R; have unit0 : 0 < unit by rewrite mulr_gt0.
rewrite sliding_mean -/unit [unit * _]mulrC -ler_pdivr_mulr //.
have -> : binomial_mean m p (slide (inR alpha) (inR beta) ^~ (- inR s)) = \sum_(0 <= c < m.+1) w c * f c by rewrite big_mkord.
rewrite (big_cat_nat _ _ _ (leq0n c0) (leqW c0m)) /= [X in _ + X](big_cat_nat _ _ _ c0c1 c1m) /= addrA.
rewrite !mulrDl; set below := _ / unit; set inside := (\sum_(c0 <= c < c1) _) / unit; set beyond := _ / unit.
have part_le i k : (k <= m.+1)%N -> (\sum_(i <= c < k) w c * f c) / unit <= \sum_(i <= c < k) w c.
  move=> km; rewrite ler_pdivr_mulr // mulr_suml !big_nat; apply: ler_sum => c /andP[_ ck].
  by rewrite ler_wpmul2l // f_le // -ltnS (leq_trans ck).
have part_ge0 i k : 0 <= (\sum_(i <= c < k) w c * f c) / unit by rewrite divr_ge0 ?(ltW unit0) ?sumr_ge0 // => c _; rewrite mulr_ge0.
have masses0 i k : 0 <= \sum_(i <= c < k) w c by rewrite sumr_ge0.
have tail : below * inR x0 <= w c0 * inR (if nothing then 0 else Z.of_nat c0 * (ct - cu))%Z.
  move: x0_gt0; rewrite /below /x0; case: (boolP nothing) => [/Z.leb_le none _|_ x0_gt0].
    rewrite big1_seq ?mul0r ?of_Z0 ?mulr0 // => c; rewrite mem_index_iota => /andP[_ cc0].
    rewrite [f c](slide_nothing (ltW alpha0) beta0) ?mulr0 // addrC subr_le0 -of_Z_nat -of_ZM of_Z_le //.
    by clear -none cc0 alpha_gt0; nia.
  apply: (@le_trans _ _ ((\sum_(0 <= c < c0) w c) * inR ((Z.of_nat m + 1 - Z.of_nat c0) * cu - Z.of_nat c0 * (ct - cu))%Z)).
    by rewrite ler_wpmul2r ?(ltW (of_Z_gt0 R x0_gt0)) // part_le // leqW.
  have -> : inR ((Z.of_nat m + 1 - Z.of_nat c0) * cu - Z.of_nat c0 * (ct - cu))%Z = (m.+1 - c0)%:R * inR cu - c0%:R * inR (ct - cu)%Z.
    by rewrite of_ZB !of_ZM of_Z_nat -[(m.+1 - c0)%:R]of_Z_nat; congr (inR _ * _ - _); clear -c0m; lia.
  by rewrite [inR (_ * _)%Z]of_ZM of_Z_nat; exact: (tail_below R cu_gt0 cu_ct (n := m.+1)).
have x1E : inR x1 = c1.+1%:R * inR (ct - cu)%Z - (m - c1)%:R * inR cu.
  rewrite /x1 (slid_c slid_last) Z_next of_ZB !of_ZM of_Z_nat; congr (_ - _ * _).
  by rewrite -of_Z_nat; congr (inR _); clear; lia.
apply: (@three_parts _ _ _ _ h g (2%:R * unit) (inR one) (inR (if nothing then 0 else Z.of_nat c0 * (ct - cu))%Z) (inR x0) (inR x1)
  (inR (mass_high last)) (inR ((at_c last + 1) * (ct - cu))%Z) (inR (total last)) (inR (weight last)) (inR scale)).
- exact: part_ge0.
- exact: part_ge0.
- exact: part_ge0.
- exact: of_Z_gt0.
- exact: of_Z_gt0.
- by rewrite mulr_gt0 // ltr0n.
- exact: of_Z_gt0.
- exact: of_Z_gt0.
- exact: of_Z_gt0.
- rewrite (le_trans (slid_weight slid_last)) // ler_pimulr //.
  have := @sum_masses R m.+1 cu ct isT; rewrite -(big_mkord xpredT w) => <-.
  rewrite (big_cat_nat _ _ _ (leq0n c0) (leqW c0m)) /= [X in _ + X](big_cat_nat _ _ _ c0c1 c1m) /=.
  by rewrite addrCA ler_addl addr_ge0.
- exact: scale_g.
- by rewrite -hE -mulrA ler_wpmul2l.
- apply: le_trans (_ : h * w c1 * (c1.+1%:R * inR (ct - cu)%Z) <= _).
    rewrite -mulrA ler_wpmul2l // x1E; apply: le_trans (tail_above R cu_gt0 cu_ct (n := m.+1) c1m).
    apply: ler_wpmul2r; first by rewrite -x1E ltW // of_Z_gt0.
    exact: part_le.
  rewrite (slid_c slid_last) Z_next of_ZM of_Z_nat ler_wpmul2r ?(slid_mass_high slid_last) //.
  by rewrite mulr_ge0 ?ler0n // of_Z_ge0 //; apply: Z_sub_ge0; apply: Z.lt_le_incl.
- apply: le_trans (slid_total slid_last); rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /inside.
  by move: (\sum_(c0 <= c < c1) _) => x; field; rewrite gt_eqF.
have := of_Z_le R answer.
by rewrite !(of_ZM, of_ZD) -/x0 of_Z_nat of_Z2 /unit !mulrA.
Qed.

End Sound.
