(* What the programs of GridLaws.v hold is above the controlled sum, and their answer a delta for every adaptive sequence.

     run_above              what is held after j steps is V_j or above, at every grid_point of the window;
     masses_above           the binomial masses, rounded up;
     arrival_by_grid        where the program answers true, every adaptive sequence is (epsilon, delta)-DP.  (docs/mathematics/controlled-sum.md) *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ zify ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition ConvexOrder ControlledSum FiveCorners Blocks AdaptivePlace FirstArrival Perspective
  ArrivalAll ClonesLeft ArrivalBlocks Programs Integers Numbers GridLaws ArrivalAtoms.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Local Arguments Z.add : simpl never.
Local Arguments Z.mul : simpl never.
Local Arguments Z.sub : simpl never.
Local Arguments Z.shiftr : simpl never.

Section Run.
Variables (R : realFieldType) (m bits unit : Z) (reach : nat) (atoms_of : seq (seq rational_atom)) (given : seq (seq (Z * Z))).
Local Notation inR := (of_Z R).
Local Notation one := (2 ^ bits)%Z.
Local Notation laws := [seq grid_law reach l | l <- given].
Local Notation C := [seq atoms_law R c | c <- atoms_of].
Hypotheses (m_gt0 : (0 < m)%Z) (bits_ge0 : (0 <= bits)%Z) (unit_gt0 : (0 < unit)%Z).
Hypotheses (C_ge0 : measures C) (held_laws : laws_held m one reach atoms_of given) (C_le1 : forall c, c \in C -> total_mass c <= 1).

Let one_gt0 : (0 < one)%Z. Proof. exact: Z.pow_pos_nonneg. Qed.
Let m0 : 0 < inR m. Proof. exact: of_Z_gt0. Qed.
Let scale : R := inR (m * unit)%Z.
Let scale0 : 0 < scale. Proof. by apply: of_Z_gt0; apply: Z.mul_pos_pos. Qed.

(* What is held, from the point `base` on, is V_j or above. *)
Definition above (j : nat) (base : Z) (held : seq Z) : Prop :=
  forall i, (i < size held)%N -> V C j (grid_point R m (base + Z.of_nat i)) <= inR (nth 0%Z held i) / scale.

Lemma above_start (below above_zero : nat) : above 0 (- Z.of_nat below) (at_start unit below above_zero).
Proof.
move=> i; rewrite size_mkseq => i_lt; rewrite nth_mkseq // /grid_point /=.
have -> : (- Z.of_nat below + Z.of_nat i = Z.of_nat i - Z.of_nat below)%Z by lia.
have u0 : inR unit != 0 by rewrite gt_eqF // of_Z_gt0.
have -> : inR (Z.max 0 (Z.of_nat i - Z.of_nat below) * unit) / scale = inR (Z.max 0 (Z.of_nat i - Z.of_nat below)) / inR m.
  by rewrite /scale !of_ZM; field; rewrite u0 gt_eqF.
by rewrite of_Z_max of_Z0 maxr_pmull ?invr_ge0 ?(ltW m0) // mul0r maxC.
Qed.

Lemma above_extended j base held : (0 < size held)%N -> above j base held -> above j (base - Z.of_nat reach) (extended unit reach held).
Proof.
move=> held0 held_above i; rewrite /extended !size_cat size_nseq size_mkseq => i_lt.
have [V_convex V_mono V0] := V_test j C_ge0.
rewrite nth_cat size_nseq; case: ltnP => i_reach.
  rewrite nth_nseq i_reach; have := held_above 0%N held0; rewrite nth0; apply: le_trans; apply: V_mono; apply: point_le => //; lia.
rewrite nth_cat; case: ltnP => i_held.
  have := held_above _ i_held; rewrite (_ : (base + Z.of_nat (i - reach) = base - Z.of_nat reach + Z.of_nat i)%Z) //; lia.
have d_lt : (i - reach - size held < reach)%N by lia.
rewrite nth_mkseq //; set d := (i - reach - size held)%N in d_lt *.
have last_above := held_above (size held).-1; rewrite nth_last prednK // leqnn in last_above.
have d0 : 0 <= inR (Z.of_nat d.+1) / inR m by rewrite divr_ge0 ?(ltW m0) // of_Z_ge0.
have /andP[_ rise] := V_slope C_ge0 C_le1 j (grid_point R m (base + Z.of_nat (size held).-1)) d0.
rewrite (_ : grid_point R m (base - _ + _) = grid_point R m (base + Z.of_nat (size held).-1) + inR (Z.of_nat d.+1) / inR m); last first.
  rewrite /grid_point -mulrDl -of_ZD; congr (of_Z R _ / _); rewrite /d; lia.
apply: le_trans rise _; rewrite of_ZD mulrDl ler_add ?last_above //.
rewrite of_ZM /scale of_ZM le_eqVlt; apply/orP; left; apply/eqP.
by field; rewrite !gt_eqF // of_Z_gt0.
Qed.

Lemma mean_held_above (F : R -> R) base held i (l : seq (Z * Z)) : on_grid (Z.of_nat reach) l -> (i + reach + reach < size held)%N ->
    (forall k, (k < size held)%N -> F (grid_point R m (base + Z.of_nat k)) <= inR (nth 0%Z held k) / scale) ->
  \sum_(y <- l) inR y.2 * F (grid_point R m (base + Z.of_nat (i + reach)) + grid_point R m y.1) <= inR (mean_held (drop i held) (grid_law reach l)) / scale.
Proof.
move=> near room held_above; rewrite /grid_law; elim: l near => [|y l IH] /=; first by rewrite big_nil of_Z0 mul0r.
case/andP=> /and3P[/Z.leb_le low /Z.leb_le high /Z.leb_le mass0] near.
rewrite big_cons of_ZD mulrDl ler_add ?IH // of_ZM -mulrA ler_wpmul2l ?of_Z_ge0 // nth_drop.
set o := Z.to_nat _; have o_is : (Z.of_nat o = y.1 + Z.of_nat reach)%Z by apply: Z2Nat.id; clear -low; lia.
have o_lt : (i + o < size held)%N by clear -o_is high room; move: high o_is; set z := y.1; lia.
have := held_above (i + o)%N o_lt; rewrite /grid_point -mulrDl -of_ZD.
by rewrite (_ : (base + Z.of_nat (i + o) = base + Z.of_nat (i + reach) + y.1)%Z) //; clear -o_is; move: o_is; set z := y.1; lia.
Qed.

Lemma best_held_ge (ls : seq (seq (nat * Z))) (values : seq Z) l : l \in ls -> (1 + Z.shiftr (mean_held values l) bits <= best_held bits ls values)%Z.
Proof.
rewrite /best_held; elim: ls => [//|k ls IH] /=; rewrite inE => /orP[/eqP <-|/IH le_ls]; first exact: Z.le_max_l.
exact: Z.le_trans le_ls (Z.le_max_r _ _).
Qed.

Lemma best_held_ge0 (ls : seq (seq (nat * Z))) (values : seq Z) : (0 <= best_held bits ls values)%Z.
Proof. by rewrite /best_held; elim: ls => [//|l ls IH] /=; apply: Z.le_trans IH (Z.le_max_r _ _). Qed.

Lemma best_least (D : seq (loss R)) f x : 0 <= x -> (forall c, c \in D -> mean f c <= x) -> best D f <= x.
Proof.
move=> x0; elim: D => [//|c D IH] below_x /=; rewrite le_maxl below_x ?mem_head //= IH // => d d_in.
by apply: below_x; rewrite inE d_in orbT.
Qed.

Lemma best_above j base held i : above j base held -> (i + reach + reach < size held)%N ->
  best C (fun x => V C j (grid_point R m (base + Z.of_nat (i + reach)) + x)) <= inR (best_held bits laws (drop i held)) / scale.
Proof.
move=> held_above room; have scale_inv : 0 <= scale^-1 by rewrite invr_ge0 ltW.
have test_V := test_shift (grid_point R m (base + Z.of_nat (i + reach))) (V_test j C_ge0).
have V_held : forall k, (k < size held)%N -> V C j (grid_point R m (base + Z.of_nat k)) <= inR (nth 0%Z held k) / scale := held_above.
move: (V C j) test_V V_held => F test_F F_held {held_above}.
apply: best_least => [|c /mapP[c' c_in ->]]; first by apply: mulr_ge0 scale_inv; apply: of_Z_ge0; apply: best_held_ge0.
have /andP[grids /allP/(_ c' c_in)/hasP[l l_in below_l]] := held_laws; have grid := allP grids l l_in.
have := le_trans (held_mean m_gt0 one_gt0 test_F grid below_l) (mean_held_above grid room F_held).
have := @best_held_ge laws (drop i held) _ (map_f (grid_law reach) l_in).
set S := mean_held _ _ => le_best bound; have one0 : 0 < inR one by apply: of_Z_gt0.
rewrite -(ler_pmul2l one0); apply: le_trans bound _; rewrite mulrA ler_wpmul2r // -of_ZM of_Z_le //.
have := Z.mul_succ_div_gt S one one_gt0; rewrite -Z.shiftr_div_pow2 //; move: one one_gt0 (Z.shiftr S bits) (best_held _ _ _) le_best => o o0 q z q_lt S_lt.
by clear -o0 q_lt S_lt; apply: Z.le_trans (Z.lt_le_incl _ _ S_lt) _; apply: Z.mul_le_mono_nonneg_l; lia.
Qed.

Lemma nth_pass points held i : (i < points)%N -> nth 0%Z (pass bits laws points held) i = best_held bits laws (drop i held).
Proof.
elim: points held i => [//|points IH] held [|i] /= i_lt; first by rewrite drop0.
by rewrite IH // -drop1 drop_drop addn1.
Qed.

Lemma size_pass points held : size (pass bits laws points held) = points.
Proof. by elim: points held => [|points IH] held //=; rewrite IH. Qed.

Lemma above_pass j base held : (0 < size held)%N -> above j base held -> above j.+1 base (pass bits laws (size held) (extended unit reach held)).
Proof.
move=> held0 held_above i; rewrite size_pass => i_lt; rewrite nth_pass //.
have := best_above (i := i) (above_extended held0 held_above).
rewrite (_ : (base - Z.of_nat reach + Z.of_nat (i + reach) = base + Z.of_nat i)%Z); last by lia.
by apply; rewrite /extended !size_cat size_nseq size_mkseq; lia.
Qed.

Lemma run_above j below held steps k : (below < size held)%N -> above j (- Z.of_nat below) held -> (k < steps)%N ->
  V C (j + k.+1) 0 <= inR (nth 0%Z (run bits unit reach below laws steps held) k) / scale.
Proof.
elim: steps j held k => [//|steps IH] j held k below_lt held_above.
have held0 : (0 < size held)%N by apply: leq_ltn_trans below_lt.
have next_above := above_pass held0 held_above; case: k => [|k] k_lt /=.
  rewrite addn1; have := next_above below; rewrite size_pass => /(_ below_lt).
  by rewrite (_ : (- Z.of_nat below + Z.of_nat below = 0)%Z) ?/grid_point ?of_Z0 ?mul0r //; lia.
by have := IH j.+1 _ k _ next_above k_lt; rewrite size_pass addSnnS; apply.
Qed.

Lemma size_run below held steps : size (run bits unit reach below laws steps held) = steps.
Proof. by elim: steps held => [|steps IH] held //=; rewrite IH. Qed.

End Run.

Section Masses.
Variables (R : realFieldType) (n : nat) (a b whole : Z).
Local Notation inR := (of_Z R).
Hypotheses (a_gt0 : (0 < a)%Z) (ab : (a < b)%Z) (whole_gt0 : (0 < whole)%Z).
Local Notation eta := (inR a / inR b).

Let b_gt0 : (0 < b)%Z. Proof. lia. Qed.
Let b0 : 0 < inR b. Proof. exact: of_Z_gt0. Qed.
Let whole0 : 0 < inR whole. Proof. exact: of_Z_gt0. Qed.
Let left_is : 1 - eta = inR (b - a)%Z / inR b. Proof. by rewrite of_ZB mulrBl divff ?gt_eqF. Qed.
Let left_gt0 : (0 < b - a)%Z. Proof. lia. Qed.
Let left_ge0 : (0 <= b - a)%Z. Proof. lia. Qed.

Lemma nobody_above : (1 - eta) ^+ n * inR whole <= inR (nobody n a b whole).
Proof.
rewrite /nobody; elim: n => [|k IH] /=; first by rewrite expr0 mul1r.
rewrite exprS -mulrA mulrC [X in _ * X <= _]left_is; exact: rounded_up.
Qed.

Lemma masses_above steps r mass i : (r + i <= n)%N -> (i < steps)%N -> binomial_mass n eta r * inR whole <= inR mass ->
  binomial_mass n eta (r + i) * inR whole <= inR (nth 0%Z (masses (Z.of_nat n) a b steps (Z.of_nat r) mass) i).
Proof.
elim: steps r mass i => [//|steps IH] r mass [|i] r_le i_lt above_r /=; first by rewrite addn0.
rewrite addnS -addSn; have -> : (Z.of_nat r + 1 = Z.of_nat r.+1)%Z by lia.
apply: IH; [lia | by [] |].
have -> : binomial_mass n eta r.+1 * inR whole =
    binomial_mass n eta r * inR whole * (inR ((Z.of_nat n - Z.of_nat r) * a) / inR (Z.of_nat r.+1 * (b - a))).
  have r_lt : (r < n)%N by lia.
  have r1 : r.+1%:R != 0 :> R by rewrite pnatr_eq0.
  have bin : r.+1%:R * 'C(n, r.+1)%:R = (n - r)%:R * 'C(n, r)%:R :> R by rewrite -!natrM mul_bin_left.
  have l0 : inR (b - a)%Z != 0 by rewrite gt_eqF ?of_Z_gt0.
  have -> : (Z.of_nat n - Z.of_nat r = Z.of_nat (n - r))%Z by lia.
  rewrite /binomial_mass !of_ZM !of_Z_nat (_ : 'C(n, r.+1)%:R = (n - r)%:R * 'C(n, r)%:R / r.+1%:R :> R); last by rewrite -bin mulrC mulKf.
  have nr : (n - r = (n - r.+1).+1)%N by lia.
  have -> : (1 - eta) ^+ (n - r) = (1 - eta) * (1 - eta) ^+ (n - r.+1) by rewrite nr exprS.
  rewrite [eta ^+ r.+1]exprS left_is.
  move: (_ ^+ r) (_ ^+ (n - r.+1)) (r.+1%:R : R) ((n - r)%:R : R) ('C(n, r)%:R : R) r1 => x y z v w z0.
  have b1 : inR b != 0 by rewrite gt_eqF.
  by move: (inR (b - a)%Z) (inR a) (inR b) (inR whole) l0 b1 => c d g h c0 g0; field; rewrite ?z0 ?c0 ?g0.
by apply: rounded_up => //; [apply: Z.mul_pos_pos | apply: Z.mul_nonneg_nonneg]; lia.
Qed.

End Masses.

(* Sums over the pool's size. *)
Lemma pooled_above (R : realFieldType) (scale whole : R) (mass value : nat -> R) (ms vs : seq Z) : 0 < scale -> 0 < whole -> (forall r, 0 <= mass r) ->
    (forall i, (i < size ms)%N -> mass i * whole <= of_Z R (nth 0%Z ms i)) -> size vs = size ms ->
    (forall i, (i < size ms)%N -> 0 <= value i <= of_Z R (nth 0%Z vs i) / scale) -> (forall i, 0 <= value i) ->
  \sum_(i < size ms) mass i * (value i / (size ms - i)%:R) <= of_Z R (pooled ms vs (Z.of_nat (size ms))) / (whole * scale).
Proof.
move=> scale0 whole0 mass0; elim: ms vs mass value mass0 => [|y ms IH] [|v vs] mass value mass0 //= masses_le sizes values_le value0.
  by rewrite big_ord0 of_Z0 mul0r.
rewrite big_ord_recl /= subn0 of_ZD mulrDl; apply: ler_add.
  have m_le := masses_le 0%N isT; have /andP[_ v_le] := values_le 0%N isT; rewrite /= in m_le v_le.
  have s0 : (0 < Z.of_nat (size ms).+1)%Z by lia.
  rewrite ler_pdivl_mulr ?mulr_gt0 //; apply: le_trans (of_Z_quotient_up_ge R _ s0).
  rewrite of_ZM of_Z_nat mulrA mulrAC ler_wpmul2r ?invr_ge0 ?ler0n // mulrACA; apply: ler_pmul => //.
  - by rewrite mulr_ge0 // ltW.
  - by rewrite mulr_ge0 // ltW.
  by rewrite -ler_pdivl_mulr.
have -> : (Z.of_nat (size ms).+1 - 1 = Z.of_nat (size ms))%Z by lia.
rewrite (eq_bigr (fun i : 'I_(size ms) => mass i.+1 * (value i.+1 / (size ms - i)%:R))) => [|i _]; last by rewrite /bump /= add1n subSS.
apply: (IH vs (fun i => mass i.+1) (fun i => value i.+1)) => // [i i_lt||i i_lt]; first exact: (masses_le i.+1).
  by case: sizes.
exact: (values_le i.+1).
Qed.


Local Arguments V : simpl never.

Section Answer.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) (n : nat) (t u e f a b : Z).
Local Notation inR := (of_Z R).
Local Notation pool := (arrival_atoms t u e f a b).
Local Notation rest := (clone_atoms t u e f a b).
Hypotheses (T_le : T <= inR t / inR u) (E_ge : inR e / inR f <= E) (local_privacy : ldp T randomizers).
Hypotheses (u_gt0 : (0 < u)%Z) (ut : (u < t)%Z) (f_gt0 : (0 < f)%Z) (a_gt0 : (0 < a)%Z) (small : (a * (t + u) < b * u)%Z).
Local Notation eta := (inR a / inR b).
Local Notation levels := (fun l : nat => if l is 0%N then 0 else eta).

(* First arrival with the one level a/b. *)
Lemma one_level_bound (w w' : n.+1.-tuple D) : neighbours w w' ->
  hockey (inR e / inR f) (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(i < n) binomial_mass n eta i.+1 * (V [seq atoms_law R c | c <- pool] (n - i) 0 / (n - i)%:R) +
  (1 - eta) ^+ n * (V [seq atoms_law R c | c <- rest] n.+1 0 / n.+1%:R).
Proof.
move=> near; have [_ _ _ [[b0 ab eta0 T1] eta_small]] := denominators R u_gt0 ut f_gt0 a_gt0 small.
have levels_le l : levels l <= levels l.+1 by case: l => [|l] /=; rewrite ?lexx ?(ltW eta0).
have levels_small l : levels l * (inR t / inR u + 1) < 1 by case: l => [|l] //=; rewrite mul0r ltr01.
have := arrival_clones (inR e / inR f) T1 (erefl : levels 0%N = 0) levels_le levels_small (ldp_weaken T_le local_privacy) 1 near.
rewrite big_ord_recl big_ord0 addr0 /step_share /= !subr0 expr1n mul1r divr1.
by rewrite (arrival_laws_atoms R e u_gt0 ut f_gt0 a_gt0 small) (clone_laws_atoms R e u_gt0 ut f_gt0 a_gt0 small) big_add1 big_mkord.
Qed.

Section Above.
Variables (scale whole : Z) (ms values : seq Z) (first value_left total numerator denominator : Z) (steps_left : nat).
Hypothesis steps_room : (0 < steps_left <= n.+1)%N.
Hypotheses (scale_gt0 : (0 < scale)%Z) (whole_gt0 : (0 < whole)%Z) (denominator_gt0 : (0 < denominator)%Z).
Hypotheses (pool_measures : measures [seq atoms_law R c | c <- pool]) (rest_measures : measures [seq atoms_law R c | c <- rest]).
Hypothesis rest_le1 : forall c, c \in [seq atoms_law R c | c <- rest] -> total_mass c <= 1.
Hypotheses (size_ms : size ms = n) (size_values : size values = n).
Hypothesis ms_above : forall i, (i < n)%N -> binomial_mass n eta i.+1 * inR whole <= inR (nth 0%Z ms i).
Hypothesis values_above : forall k, (k < n)%N -> V [seq atoms_law R c | c <- pool] k.+1 0 <= inR (nth 0%Z values k) / inR scale.
Hypothesis first_above : (1 - eta) ^+ n * inR whole <= inR first.
Hypothesis left_above : V [seq atoms_law R c | c <- rest] steps_left 0 <= inR value_left / inR scale.
Hypothesis total_is : total = (pooled ms (rev values) (Z.of_nat n) + quotient_up (first * value_left) (Z.of_nat steps_left))%Z.
Hypothesis answer : (total * denominator <= numerator * (whole * scale))%Z.

Let b_gt0 : (0 < b)%Z. Proof. nia. Qed.
Let scale0 : 0 < inR scale := of_Z_gt0 R scale_gt0.
Let whole0 : 0 < inR whole := of_Z_gt0 R whole_gt0.

Let eta01 : 0 <= eta /\ 0 <= 1 - eta.
Proof.
have [_ _ _ [[_ ab eta0 _] _]] := denominators R u_gt0 ut f_gt0 a_gt0 small; split; first exact: ltW.
by rewrite subr_ge0 ltW // ltr_pdivr_mulr ?of_Z_gt0 // mul1r -subr_gt0 -of_ZB of_Z_gt0 //; clear -ab; lia.
Qed.

Lemma pooled_part :
  \sum_(i < n) binomial_mass n eta i.+1 * (V [seq atoms_law R c | c <- pool] (n - i) 0 / (n - i)%:R) <=
  inR (pooled ms (rev values) (Z.of_nat n)) / (inR whole * inR scale).
Proof.
have [h0 h1] := eta01; move: (V _) pool_measures (V_ge0 (C := [seq atoms_law R c | c <- pool])) values_above => F pm F_ge0 F_above.
have := @pooled_above R (inR scale) (inR whole) (fun i => binomial_mass n eta i.+1) (fun i => F (n - i)%N 0) ms (rev values) scale0 whole0.
rewrite size_ms size_rev size_values; apply => // [r|i i_lt|i]; first by rewrite /binomial_mass !mulr_ge0 ?ler0n ?exprn_ge0.
  rewrite F_ge0 //= nth_rev ?size_values //; have k_lt : (n - i.+1 < n)%N by clear -i_lt; lia.
  by have := F_above _ k_lt; rewrite (_ : (n - i.+1).+1 = (n - i)%N) //; clear -i_lt; lia.
exact: F_ge0.
Qed.

Lemma left_part : (1 - eta) ^+ n * (V [seq atoms_law R c | c <- rest] n.+1 0 / n.+1%:R) <=
  inR (quotient_up (first * value_left) (Z.of_nat steps_left)) / (inR whole * inR scale).
Proof.
have [h0 h1] := eta01; have V0 := V_ge0 steps_left 0 rest_measures; have /andP[steps0 _] := steps_room.
apply: (@le_trans _ _ ((1 - eta) ^+ n * (V [seq atoms_law R c | c <- rest] steps_left 0 / steps_left%:R))).
  by rewrite ler_wpmul2l ?exprn_ge0 // (V_mean_antitone rest_measures rest_le1 steps_room).
move: (V _ steps_left 0) V0 left_above => v v0 v_above; have s0 : (0 < Z.of_nat steps_left)%Z by clear -steps0; lia.
rewrite ler_pdivl_mulr ?mulr_gt0 //; apply: le_trans (of_Z_quotient_up_ge R _ s0).
rewrite of_ZM of_Z_nat mulrA mulrAC ler_wpmul2r ?invr_ge0 ?ler0n // mulrACA; apply: ler_pmul => //.
- by rewrite mulr_ge0 ?exprn_ge0 // ltW.
- by rewrite mulr_ge0 // ltW.
by rewrite -ler_pdivl_mulr.
Qed.

Theorem private_above : private E (inR numerator / inR denominator) (fun w : n.+1.-tuple D => shuffled randomizers w).
Proof.
apply: (private_weaken (E := inR e / inR f) (delta := inR numerator / inR denominator)) => //.
  by move=> w s; case: (shuffled_is_law randomizers w).
move=> w w' near; apply/dp_iff_hockey; apply: le_trans (one_level_bound near) _.
apply: le_trans (ler_add pooled_part left_part) _; rewrite -mulrDl -of_ZD -total_is ler_pdivr_mulr ?mulr_gt0 // mulrAC ler_pdivl_mulr ?of_Z_gt0 //.
by rewrite -!of_ZM of_Z_le.
Qed.

End Above.

Lemma size_masses k c d steps r mass : size (masses k c d steps r mass) = steps.
Proof. by elim: steps r mass => [|steps IH] r mass //=; rewrite IH. Qed.

Theorem arrival_by_grid (numerator denominator m bits unit whole : Z) (reach below beyond : nat) (laws laws_left : seq (seq (Z * Z))) (steps_left : nat) :
  arrival_delta_le n t u e f a b numerator denominator m bits unit whole reach below beyond laws laws_left steps_left ->
  private E (inR numerator / inR denominator) (fun w : n.+1.-tuple D => shuffled randomizers w).
Proof.
rewrite /arrival_delta_le; cbv zeta; case/and5P=> _ /and5P[/Z.ltb_lt m_gt0 /Z.leb_le bits_ge0 /Z.ltb_lt unit_gt0 /Z.ltb_lt whole_gt0 /Z.ltb_lt den_gt0].
move=> held_pool held_rest /andP[steps_room /Z.leb_le].
have [_ _ _ [[b_gt0 ab eta0 T1] eta_small]] := denominators R u_gt0 ut f_gt0 a_gt0 small.
have eta1 : inR a / inR b < 1 by rewrite ltr_pdivr_mulr ?of_Z_gt0 // mul1r -subr_gt0 -of_ZB of_Z_gt0 //; clear -ab; lia.
have pool_laws := arrival_laws_atoms R e u_gt0 ut f_gt0 a_gt0 small; have rest_laws := clone_laws_atoms R e u_gt0 ut f_gt0 a_gt0 small.
have pool0 : measures [seq atoms_law R c | c <- pool] by rewrite -pool_laws; apply: measures_perspective_laws => //; apply: density_corners_gt0 => //; exact: ltW.
have rest0 : measures [seq atoms_law R c | c <- rest] by rewrite -rest_laws; apply: measures_clone_laws => //; exact: ltW.
have pool_le1 c : c \in [seq atoms_law R c | c <- pool] -> total_mass c <= 1.
  by rewrite -pool_laws => c_in; rewrite (total_mass_perspective T1 eta1 (shares_sum1 T1) c_in).
have rest_le1 c : c \in [seq atoms_law R c | c <- rest] -> total_mass c <= 1.
  by rewrite -rest_laws => c_in; rewrite (total_mass_clone_laws c_in).
have scale_gt0 : (0 < m * unit)%Z by apply: Z.mul_pos_pos.
have room : (below < size (at_start unit below beyond))%N by rewrite size_mkseq ltnS leq_addr.
have start_above := @above_start R m bits unit reach _ _ m_gt0 unit_gt0 held_pool below beyond.
have start_above_rest := @above_start R m bits unit reach _ _ m_gt0 unit_gt0 held_rest below beyond.
have first_above := @nobody_above R n a b whole a_gt0 ab whole_gt0.
move: (at_start unit below beyond) room start_above start_above_rest => start room start_above start_above_rest.
have values_above := @run_above R m bits unit reach pool laws m_gt0 bits_ge0 unit_gt0 pool0 held_pool pool_le1 0 below start n _ room start_above.
have left_above := @run_above R m bits unit reach rest laws_left m_gt0 bits_ge0 unit_gt0 rest0 held_rest rest_le1 0 below start steps_left steps_left.-1
  room start_above_rest.
have /andP[steps0 _] := steps_room; have left_lt : (steps_left.-1 < steps_left)%N by rewrite prednK.
have {}left_above := left_above left_lt; rewrite prednK // add0n in left_above.
have last_is := nth_last 0%Z (run bits unit reach below [seq grid_law reach l | l <- laws_left] steps_left start).
rewrite size_run in last_is; rewrite last_is in left_above.
move: (size_run bits unit reach laws below start n) values_above left_above {last_is}.
move: (run _ _ _ _ _ n start) (last _ _) => values value_left size_values values_above left_above.
have masses_le i := @masses_above R n a b whole a_gt0 ab whole_gt0 n.+1 0 (nobody n a b whole) i.+1.
move: (nobody n a b whole) first_above masses_le => first first_above masses_le.
move=> answer; apply: (private_above steps_room scale_gt0 whole_gt0 den_gt0 pool0 rest0 rest_le1 _ size_values _ values_above first_above left_above (erefl _) answer).
  by rewrite size_behead size_masses.
move=> i i_lt; rewrite nth_behead; apply: masses_le => //.
by rewrite /binomial_mass bin0 expr0 !mul1r subn0.
Qed.

End Answer.

(* The program looks at its parameters itself. *)
Theorem private_by_arrival (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) n t u e f a b
    numerator denominator m bits unit whole reach below beyond laws laws_left steps_left :
  arrival_delta_le n t u e f a b numerator denominator m bits unit whole reach below beyond laws laws_left steps_left ->
  T <= of_Z R t / of_Z R u -> of_Z R e / of_Z R f <= E -> ldp T randomizers ->
  private E (of_Z R numerator / of_Z R denominator) (fun w : n.+1.-tuple D => shuffled randomizers w).
Proof.
move=> answer T_le E_ge local_privacy; have := answer; rewrite {1}/arrival_delta_le; cbv zeta.
case/and5P=> /and5P[/Z.ltb_lt u_gt0 /Z.ltb_lt ut /Z.ltb_lt f_gt0 /Z.ltb_lt a_gt0 /Z.ltb_lt small] _ _ _ _.
exact: (arrival_by_grid T_le E_ge local_privacy u_gt0 ut f_gt0 a_gt0 small answer).
Qed.
