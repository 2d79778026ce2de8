(* Randomizers that share three parts, and k-ary randomized response: pairs by the sum of SharedProcess.v, for every n >= 1 and every E.

     three_parts_dominated   where R_0 = q Q_0 + (1 - q) Q and R_1 = q Q_1 + (1 - q) Q at every step, and every other user's R_j is
                             p Q_0 + p Q_1 + p Q + (1 - 3p) times a law of its own, 0 < p <= 1/3, D_E(shuffled(w) || shuffled(w')) is at most
                             D_E of the counts of: a special user who sends 0 (under Q: 1) with probability q, else d, and n - 1 others who send
                             0, 1, d with probability p each                             (FMT21, Theorem 4.1, as domination at every order);
     k_rr_blanket            k-ary randomized response sends a uniform value with probability gamma = k r, r = 1/(T + k - 1), and its input
                             otherwise                                                                          (BBGN19, the privacy blanket);
     k_rr_blanket_dominates  so for any functions of the data, adaptive too, D_E is at most that of the counts of: a special user who sends 0, 1, d
                             with probabilities (T r, r, (k - 2) r) under P and (r, T r, (k - 2) r) under Q, and n - 1 others with
                             (r, r, (k - 2) r), none otherwise; k_rr_private, the same as (epsilon, delta)-DP. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition PairDefinitions PairCounts SharedProcess.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Jensen.
Variable R : realFieldType.
Implicit Types (g : R -> R) (a b c x y z : R).

Lemma jensen_two g a b x y l : convex g -> 0 <= a -> 0 <= b -> (a + b) * l = a * x + b * y ->
  (a + b) * g l <= a * g x + b * g y.
Proof.
move=> g_convex a0 b0 mean; have [sum0|sum_neq0] := eqVneq (a + b) 0.
  have a_eq0 : a = 0 by apply/eqP; rewrite eq_le a0 -sum0 ler_addl b0.
  by move: sum0; rewrite a_eq0 add0r => ->; rewrite !mul0r addr0.
have sum_gt0 : 0 < a + b by rewrite lt_def sum_neq0 addr_ge0.
have -> : l = a / (a + b) * x + (1 - a / (a + b)) * y.
  by apply: (mulfI sum_neq0); rewrite mean; field.
apply: le_trans (ler_wpmul2l (ltW sum_gt0) (g_convex _ _ _ _ _)) _.
- by rewrite divr_ge0 // ltW.
- by rewrite ler_pdivr_mulr // mul1r ler_addl.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
Qed.

Lemma jensen_three g a b c x y z l : convex g -> 0 <= a -> 0 <= b -> 0 <= c -> (a + b + c) * l = a * x + b * y + c * z ->
  (a + b + c) * g l <= a * g x + b * g y + c * g z.
Proof.
move=> g_convex a0 b0 c0 mean; pose l' := (a * x + b * y) / (a + b).
have mean' : (a + b) * l' = a * x + b * y.
  rewrite /l'; have [sum0|sum_neq0] := eqVneq (a + b) 0; last by rewrite mulrC divfK.
  have a_eq0 : a = 0 by apply/eqP; rewrite eq_le a0 -sum0 ler_addl b0.
  by move: sum0; rewrite a_eq0 add0r => ->; rewrite !mul0r addr0.
apply: le_trans (jensen_two g_convex (addr_ge0 a0 b0) c0 (_ : _ = (a + b) * l' + c * z)) _; first by rewrite mean'.
by rewrite ler_add2r; apply: jensen_two.
Qed.

End Jensen.

Section ThreeParts.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S).
Variables (n : nat) (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (p q : R) (Q_0 Q_1 Q : seq S -> dist R S).
Hypothesis others_equal : forall j, j != i0 -> tnth w j = tnth w' j.
Hypotheses (p_gt0 : 0 < p) (p_le : p *+ 3 <= 1) (q_ge0 : 0 <= q) (q_le1 : q <= 1).
Hypothesis parts_0 : forall z s, randomizers z (tnth w i0) s = q * Q_0 z s + (1 - q) * Q z s.
Hypothesis parts_1 : forall z s, randomizers z (tnth w' i0) s = q * Q_1 z s + (1 - q) * Q z s.
Hypothesis parts : forall z j s, j != i0 -> p * Q_0 z s + p * Q_1 z s + p * Q z s <= randomizers z (tnth w j) s.

Definition part_special_0 (y : 'I_4) : R := nth 0 [:: q; 0; 1 - q; 0] y.
Definition part_special_1 (y : 'I_4) : R := nth 0 [:: 0; q; 1 - q; 0] y.
Definition part_others (y : 'I_4) : R := nth 0 [:: p; p; p; 1 - p *+ 3] y.
Definition part_score (E : R) (y : 'I_4) : R := nth 0 [:: q / p; - (E * q / p); (1 - q) * (1 - E) / p; 0] y.

Lemma part_others_is_law : is_law part_others.
Proof.
split; last by rewrite sum_messages /part_others !inordK //=; ring.
rewrite /part_others; case=> [] [|[|[|[]]]] //= _.
all: first [exact: ltW | by rewrite subr_ge0].
Qed.

Theorem three_parts_dominated E :
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  hockey E (pair_counts part_special_0 part_others n) (pair_counts part_special_1 part_others n).
Proof.
have p_neq0 : p != 0 by rewrite gt_eqF.
rewrite (@counts_profile _ _ part_others_is_law n part_special_0 part_special_1 (part_score E) E); last first.
  by rewrite /part_special_0 /part_special_1 /part_others /part_score; case=> [] [|[|[|[]]]] //= _; field.
pose m z s := p * Q_0 z s + p * Q_1 z s + p * Q z s.
pose L z s := (randomizers z (tnth w i0) s - E * randomizers z (tnth w' i0) s) / m z s.
have m_ge0 z s : 0 <= m z s by rewrite !addr_ge0 ?mulr_ge0 ?mass_ge0 ?ltW.
have m_sum z : \sum_s m z s = p *+ 3 by rewrite /m !big_split -!mulr_sumr !mass_sum1 /=; ring.
have m_score z s : m z s * L z s = randomizers z (tnth w i0) s - E * randomizers z (tnth w' i0) s.
  have [m0|m_neq0] := eqVneq (m z s) 0; last by rewrite /L mulrC divfK.
  have zero (a b : R) : 0 <= a -> 0 <= b -> a + b = 0 -> a = 0 /\ b = 0.
    by move=> a0 b0 ab; split; apply/eqP; move/eqP: ab; rewrite paddr_eq0 // => /andP[].
  have nonneg (P : dist R S) : 0 <= p * P s by rewrite mulr_ge0 ?mass_ge0 ?ltW.
  have [m01 Qs] := zero _ _ (addr_ge0 (nonneg _) (nonneg _)) (nonneg _) m0; have [Q_0s Q_1s] := zero _ _ (nonneg _) (nonneg _) m01.
  have cancel (P : dist R S) : p * P s = 0 -> P s = 0 by move/eqP; rewrite mulf_eq0 (negPf p_neq0) => /eqP.
  by rewrite m0 mul0r parts_0 parts_1 (cancel _ Qs) (cancel _ Q_0s) (cancel _ Q_1s); ring.
apply: (@shuffled_bounded _ _ _ randomizers n w w' i0 E m L (stop_loss part_others (part_score E))) => //.
- by move=> k t; apply: stop_loss_ge0 part_others_is_law _ _ _.
- move=> z k t; have g_convex := convex_stop_loss part_others_is_law (part_score E) k.
  have none : part_score E (inord 3) = 0 by rewrite /part_score inordK.
  have at_p : [/\ part_others (inord 0) = p, part_others (inord 1) = p, part_others (inord 2) = p & part_others (inord 3) = 1 - p *+ 3].
    by rewrite /part_others !inordK.
  rewrite m_sum /=; set g := stop_loss _ _ k in g_convex *; case: at_p => at0 at1 at2 at3.
  rewrite sum_messages none addr0 at0 at1 at2 at3 ler_add2r.
  set a := part_score E (inord 0); set b := part_score E (inord 1); set d := part_score E (inord 2).
  have step s : m z s * g (t + L z s) <= p * Q_0 z s * g (t + a) + p * Q_1 z s * g (t + b) + p * Q z s * g (t + d).
    apply: jensen_three; rewrite ?mulr_ge0 ?mass_ge0 ?(ltW p_gt0) // -/(m z s) mulrDr m_score parts_0 parts_1.
    by rewrite /a /b /d /part_score !inordK //= /m; field.
  apply: le_trans (ler_sum _ (fun s _ => step s)) _.
  by rewrite !big_split -!mulr_suml -!mulr_sumr !mass_sum1 /= !mulr1.
by move=> z; rewrite m_sum.
Qed.

End ThreeParts.

Section KaryRandomizedResponse.
Variables (R : realFieldType) (K : finType) (T : R).
Hypothesis T_ge1 : 1 <= T.
Let k := #|K|.
Hypothesis k_ge2 : (1 < k)%N.

Let r : R := (T + k%:R - 1)^-1.
Let denominator_gt0 : 0 < T + k%:R - 1.
Proof. by rewrite -addrA addrC ltr_paddl ?subr_ge0 ?ler1n ?(ltnW k_ge2) // (lt_le_trans ltr01). Qed.
Let r_gt0 : 0 < r. Proof. by rewrite invr_gt0. Qed.

(* The input with probability T r, every other value with r. *)
Definition k_rr_mass (x s : K) : R := if s == x then T * r else r.

Lemma k_rr_is_law x : is_law (k_rr_mass x).
Proof.
split=> [s|]; first by rewrite /k_rr_mass; case: ifP => _; rewrite ?mulr_ge0 ?(ltW r_gt0) // (le_trans ler01).
rewrite (bigD1 x) //= {1}/k_rr_mass eqxx (eq_bigr (fun=> r)) => [|s /negPf sx]; last by rewrite /k_rr_mass sx.
by rewrite sumr_const cardC1 -/k -mulr_natl -subn1 natrB ?(ltnW k_ge2) // -mulrDl addrA mulfV // gt_eqF.
Qed.

Definition k_rr (x : K) : dist R K := Dist (k_rr_is_law x).

Let rest : 1 - k%:R * r = (T - 1) * r.
Proof.
have one : (T + k%:R - 1) * r = 1 by rewrite mulfV // gt_eqF.
by rewrite -{1}one; ring.
Qed.

(* A uniform value with probability k r, else the input. *)
Lemma k_rr_blanket x s : k_rr x s = (k%:R * r) * k%:R^-1 + (1 - k%:R * r) * (s == x)%:R.
Proof.
have k0 : k%:R != 0 :> R by rewrite pnatr_eq0 -lt0n ltnW.
rewrite rest [k%:R * r]mulrC mulfK // /k_rr /= /k_rr_mass.
by case: ifP => _; rewrite ?mulr0 ?addr0 // mulr1; ring.
Qed.

Definition k_rr_special_0 (y : 'I_4) : R := nth 0 [:: T * r; r; (k - 2)%N%:R * r; 0] y.
Definition k_rr_special_1 (y : 'I_4) : R := nth 0 [:: r; T * r; (k - 2)%N%:R * r; 0] y.
Definition k_rr_others (y : 'I_4) : R := nth 0 [:: r; r; (k - 2)%N%:R * r; (T - 1) * r] y.
Definition k_rr_score (E : R) (y : 'I_4) : R := nth 0 [:: T - E; 1 - E * T; 1 - E; 0] y.

Lemma k_rr_others_is_law : is_law k_rr_others.
Proof.
split; last first.
  have one : (T + k%:R - 1) * r = 1 by rewrite mulfV // gt_eqF.
  by rewrite sum_messages /k_rr_others !inordK //= natrB // -[RHS]one; ring.
rewrite /k_rr_others; case=> [] [|[|[|[]]]] //= _.
all: first [exact: ltW | by rewrite mulr_ge0 ?ler0n ?subr_ge0 ?(ltW r_gt0)].
Qed.

(* Moving the ends in: T (1 - E) and 1 - E have the mean of T - E and 1 - E T and lie between them. *)
Lemma ends_and_middle g E t : 0 <= E -> convex g -> g (t + T * (1 - E)) + g (t + (1 - E)) <= g (t + (T - E)) + g (t + (1 - E * T)).
Proof.
move=> E0 g_convex; have E1 : 0 < 1 + E by rewrite ltr_paddr ?ltr01.
have E1_neq0 : 1 + E != 0 by rewrite gt_eqF.
have theta0 : 0 <= (1 + E)^-1 by rewrite invr_ge0 ltW.
have theta1 : (1 + E)^-1 <= 1 by rewrite invf_le1 // ler_addl.
have upper : g (t + T * (1 - E)) <= (1 + E)^-1 * g (t + (T - E)) + (1 - (1 + E)^-1) * g (t + (1 - E * T)).
  by rewrite (_ : t + T * (1 - E) = (1 + E)^-1 * (t + (T - E)) + (1 - (1 + E)^-1) * (t + (1 - E * T))); [apply: g_convex | field].
have lower : g (t + (1 - E)) <= (1 + E)^-1 * g (t + (1 - E * T)) + (1 - (1 + E)^-1) * g (t + (T - E)).
  by rewrite (_ : t + (1 - E) = (1 + E)^-1 * (t + (1 - E * T)) + (1 - (1 + E)^-1) * (t + (T - E))); [apply: g_convex | field].
apply: le_trans (ler_add upper lower) _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

Lemma sum_by_value (F : K -> R) x y c : x != y -> (forall s, s != x -> s != y -> F s = c) ->
  \sum_s F s = F x + F y + (k - 2)%N%:R * c.
Proof.
move=> xy same; rewrite (bigD1 x) //= (bigD1 y) /=; last by rewrite eq_sym.
rewrite (eq_bigr (fun=> c)) => [|s /andP[]]; last exact: same.
have -> : (k - 2)%N = #|[pred s | (s != x) && (s != y)]|.
  rewrite /k (cardD1 x) (cardD1 y) !inE eq_sym xy /= addnA addKn.
  by apply: eq_card => s; rewrite !inE andbT andbC.
by rewrite sumr_const addrA -(mulr_natl c).
Qed.

Lemma another_value (x : K) : exists y, x != y.
Proof.
have [y yx|none] := pickP (predC1 x); first by exists y; rewrite eq_sym.
by move: k_ge2; rewrite /k (cardD1 x) inE (eq_card0 (A := [predD1 K & x])) => // y; rewrite !inE andbT; exact: none.
Qed.

(* Randomized response to any function of the data, which may depend on what was sent before. *)
Definition k_rr_of (D : Type) (f : seq K -> D -> K) : adaptive_randomizers R D K := fun z x => k_rr (f z x).

Theorem k_rr_blanket_dominates (D : Type) (f : seq K -> D -> K) n (w w' : n.+1.-tuple D) E : neighbours w w' -> 0 <= E ->
  hockey E (shuffled (k_rr_of f) w) (shuffled (k_rr_of f) w') <=
  hockey E (pair_counts k_rr_special_0 k_rr_others n) (pair_counts k_rr_special_1 k_rr_others n).
Proof.
move=> [i0 others_equal] E0.
rewrite (@counts_profile _ _ k_rr_others_is_law n k_rr_special_0 k_rr_special_1 (k_rr_score E) E); last first.
  by rewrite /k_rr_special_0 /k_rr_special_1 /k_rr_others /k_rr_score; case=> [] [|[|[|[]]]] //= _; ring.
have r_neq0 : r != 0 by rewrite gt_eqF.
pose x_0 z := f z (tnth w i0); pose x_1 z := f z (tnth w' i0).
apply: (@shuffled_bounded _ _ _ (k_rr_of f) n w w' i0 E (fun _ _ => r)
  (fun z s => (k_rr_mass (x_0 z) s - E * k_rr_mass (x_1 z) s) / r) (stop_loss k_rr_others (k_rr_score E))) => //.
- by move=> _ s; apply: ltW.
- by move=> z j s _; rewrite /= /k_rr_mass; case: ifP => // _; rewrite ler_pemull // ltW.
- by move=> z s; rewrite mulrC divfK.
- by move=> l t; apply: stop_loss_ge0 k_rr_others_is_law _ _ _.
- move=> z l t; set g := stop_loss _ _ l.
  have g_convex : convex g := convex_stop_loss k_rr_others_is_law (k_rr_score E) l.
  have [at0 at1 at2 at3] : [/\ k_rr_others (inord 0) = r, k_rr_others (inord 1) = r, k_rr_others (inord 2) = (k - 2)%N%:R * r
      & k_rr_others (inord 3) = (T - 1) * r] by rewrite /k_rr_others !inordK.
  have [score0 score1 score2 score3] : [/\ k_rr_score E (inord 0) = T - E, k_rr_score E (inord 1) = 1 - E * T,
      k_rr_score E (inord 2) = 1 - E & k_rr_score E (inord 3) = 0] by rewrite /k_rr_score !inordK.
  rewrite /= -/g sum_messages at0 at1 at2 at3 score0 score1 score2 score3 addr0.
  rewrite sumr_const -/k -(mulr_natl r) rest ler_add2r; have [same|differ] := eqVneq (x_0 z) (x_1 z).
    have [y xy] := another_value (x_1 z).
    rewrite same (sum_by_value (c := r * g (t + (1 - E))) xy) => [|s s0 s1]; last first.
      by rewrite /k_rr_mass (negPf s0); congr (_ * g (_ + _)); field.
    rewrite /k_rr_mass eqxx [y == _]eq_sym (negPf xy) mulrA ler_add2r -!mulrDr ler_wpmul2l ?(ltW r_gt0) //.
    apply: le_trans (ends_and_middle t E0 g_convex); rewrite le_eqVlt; apply/orP; left; apply/eqP.
    by congr (g (_ + _) + g (_ + _)); field.
  rewrite (sum_by_value (c := r * g (t + (1 - E))) differ) => [|s s0 s1]; last first.
    by rewrite /k_rr_mass (negPf s0) (negPf s1); congr (_ * g (_ + _)); field.
  rewrite /k_rr_mass !eqxx (negPf differ) eq_sym (negPf differ) !mulrA.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; congr (_ * g (_ + _) + _ * g (_ + _) + _); by field.
by move=> _; rewrite sumr_const -/k -(mulr_natl r) -subr_ge0 rest mulr_ge0 ?subr_ge0 ?(ltW r_gt0).
Qed.

Corollary k_rr_private (D : Type) (f : seq K -> D -> K) n E delta : 0 <= E ->
    hockey E (pair_counts k_rr_special_0 k_rr_others n) (pair_counts k_rr_special_1 k_rr_others n) <= delta ->
  private E delta (fun w : n.+1.-tuple D => shuffled (k_rr_of f) w).
Proof.
move=> E0 bound w w' near; apply/dp_iff_hockey; apply: le_trans bound; exact: k_rr_blanket_dominates.
Qed.

End KaryRandomizedResponse.
