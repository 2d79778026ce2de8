(* The optimal pair of (T, (T - 1)/(T + 1), T) is the stronger clones pair in the form of two counts that everybody knows: C ~ Bin(n - 1, 2/(T + 1)),
   A ~ Bin(C, 1/2), Delta ~ Bern(T/(T + 1)), and what is compared is (A + Delta, C - A + 1 - Delta) and (A + 1 - Delta, C - A + Delta).

     expected_scores         n users of whom each sends 0, 1 or none with probabilities r, r, 1 - 2 r: E[(t + sum of scores)_+] is an expectation
                             over C ~ Bin(n, 2 r) and A ~ Bin(C, 1/2);
     stronger_clones_profile so the divergences of the two forms are the same number, at every order E.

   (Feldman, McMillan, Talwar, "Stronger Privacy Amplification by Shuffling", the general pair) *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Composition ClonesPair ClonesProfile PairDefinitions PairCounts CornerLaw PairProfile.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Binomials.
Variable R : realFieldType.
Implicit Types (F : nat -> R) (p r t : R).

Definition expected_binomial n p F : R := \sum_(c < n.+1) binomial_mass n p c * F c.

Lemma binomial_mass_beyond n p c : (n < c)%N -> binomial_mass n p c = 0.
Proof. by move=> nc; rewrite /binomial_mass bin_small // !mul0r. Qed.

Lemma binomial_mass_first n p : binomial_mass n.+1 p 0 = (1 - p) * binomial_mass n p 0.
Proof. by rewrite /binomial_mass !bin0 !subn0 !expr0 !mul1r exprS. Qed.

Lemma binomial_mass_next n p c : (c <= n)%N -> binomial_mass n.+1 p c.+1 = p * binomial_mass n p c + (1 - p) * binomial_mass n p c.+1.
Proof.
rewrite leq_eqVlt => /predU1P[->|cn].
  by rewrite [binomial_mass n p n.+1]binomial_mass_beyond // mulr0 addr0 /binomial_mass !binn !subnn !expr0 !mulr1 !mul1r exprS.
rewrite /binomial_mass binS natrD subSS -(subnSK cn) !exprS.
by move: ((1 - p) ^+ _) (p ^+ c) => x y; ring.
Qed.

Lemma expected_binomial_next n p F :
  expected_binomial n.+1 p F = p * expected_binomial n p (fun c => F c.+1) + (1 - p) * expected_binomial n p F.
Proof.
rewrite /expected_binomial big_ord_recl binomial_mass_first.
rewrite (eq_bigr (fun c : 'I_n.+1 => p * (binomial_mass n p c * F c.+1) + (1 - p) * (binomial_mass n p c.+1 * F c.+1))) => [|c _]; last first.
  by rewrite lift0 binomial_mass_next ?mulrDl ?mulrA //; rewrite -ltnS.
rewrite big_split /= -!mulr_sumr addrCA -mulrA -mulrDr; congr (_ + _ * _).
by rewrite [in LHS]big_ord_recr [RHS]big_ord_recl /= [binomial_mass n p n.+1]binomial_mass_beyond // mul0r addr0.
Qed.

Lemma eq_expected_binomial n p F G : (forall c, (c <= n)%N -> F c = G c) -> expected_binomial n p F = expected_binomial n p G.
Proof. by move=> FG; apply: eq_bigr => c _; rewrite FG // -ltnS. Qed.

Lemma expected_binomial_add n p x F G :
  expected_binomial n p (fun c => x * (F c + G c)) = x * (expected_binomial n p F + expected_binomial n p G).
Proof. by rewrite /expected_binomial -big_split mulr_sumr; apply: eq_bigr => c _; rewrite mulrCA mulrDr. Qed.

Variables (others scores : 'I_4 -> R) (r : R).
Hypotheses (side_0 : others (inord 0) = r) (side_1 : others (inord 1) = r) (center : others (inord 2) = 0).
Hypotheses (none : others (inord 3) = 1 - 2%:R * r) (no_score : scores (inord 3) = 0).

(* c users send 0 or 1, as likely each. *)
Definition expected_side (t : R) (c : nat) : R :=
  expected_binomial c 2%:R^-1 (fun k => Num.max (t + k%:R * scores (inord 0) + (c - k)%N%:R * scores (inord 1)) 0).

Lemma expected_side_next t c :
  expected_side t c.+1 = 2%:R^-1 * (expected_side (t + scores (inord 0)) c + expected_side (t + scores (inord 1)) c).
Proof.
have half : 1 - 2%:R^-1 = 2%:R^-1 :> R by rewrite [X in X - _](splitr 1) div1r addrK.
rewrite {1}/expected_side expected_binomial_next half -mulrDr; congr (_ * (_ + _)); apply: eq_expected_binomial => k kc; congr (Num.max _ 0).
  by rewrite subSS mulrS; ring.
by rewrite subSn // mulrS; ring.
Qed.

Theorem expected_scores n t : stop_loss others scores n t = expected_binomial n (2%:R * r) (expected_side t).
Proof.
elim: n t => [|n IH] t.
  rewrite /= /expected_binomial big_ord1 /expected_side /expected_binomial big_ord1 /binomial_mass !bin0 !expr0 !mul1r.
  by rewrite !mul0r !addr0.
rewrite /= sum_messages side_0 side_1 center none no_score addr0 mul0r addr0 !IH expected_binomial_next; congr (_ + _).
rewrite (@eq_expected_binomial n _ (fun c => expected_side t c.+1) _ (fun c _ => expected_side_next t c)).
by rewrite expected_binomial_add -mulrDr mulrA [2%:R * r]mulrC mulfK ?pnatr_eq0.
Qed.

End Binomials.

Section Symmetry.
Variables (R : realFieldType) (n : nat) (p T : R).

Lemma fair_symmetric a b c : (a + b)%N = c -> binomial_mass c 2%:R^-1 a = binomial_mass c 2%:R^-1 b :> R.
Proof.
move=> <-; rewrite !fair_binomial_mass ?leq_addr ?leq_addl //; congr (_%:R * _).
by rewrite -bin_sub ?leq_addr // addKn.
Qed.

Lemma clones_exchanged like (y : 'I_n.+1 * 'I_n.+1) : clones p T like (y.2, y.1) = clones p T (~~ like) y.
Proof.
case: y => k m; rewrite !clones_two_ways /= [(m + k)%N]addnC addrC.
have own b : own_bit T (~~ like) b = own_bit T like (~~ b) by rewrite /own_bit; case: like b => [] [].
rewrite !own; congr (_ + _); case: ifP => // /andP[positive _]; congr (_ * _ * _); apply: fair_symmetric.
  by rewrite addnC -{2}(prednK positive) addSn.
by rewrite addnC -{2}(prednK positive) addnS.
Qed.

(* Both directions are the same. *)
Theorem clones_law_symmetric (E : R) :
  hockey E (@clones_law R n p T counts_Q) (@clones_law R n p T counts_P) = hockey E (@clones_law R n p T counts_P) (@clones_law R n p T counts_Q).
Proof.
rewrite /hockey [LHS](reindex (fun y : 'I_n.+1 * 'I_n.+1 => (y.2, y.1))); last by exists (fun y => (y.2, y.1)) => -[].
by apply: eq_bigr => y _; rewrite -/(clones p T false _) -/(clones p T true _) !clones_exchanged.
Qed.

End Symmetry.

Section StrongerClonesPair.
Variables (R : realFieldType) (T : R).
Hypothesis T_gt1 : 1 < T.

Let T_gt0 : 0 < T := lt_trans ltr01 T_gt1.
Let T_neq0 : T != 0. Proof. by rewrite gt_eqF. Qed.
Let T1_gt0 : 0 < T + 1. Proof. by rewrite addr_gt0 ?ltr01. Qed.
Let T1_neq0 : T + 1 != 0. Proof. by rewrite gt_eqF. Qed.
Let Tm1_neq0 : T - 1 != 0. Proof. by rewrite subr_eq0 gt_eqF. Qed.

Definition stronger_clones_variation : R := (T - 1) / (T + 1).

Lemma stronger_clones_domain : pair_domain T^-1 stronger_clones_variation T.
Proof.
split; first by rewrite invr_ge0 ltW //= invf_lt1.
- exact: ltW.
- by rewrite divr_ge0 ?subr_ge0 ?ltW.
- rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /stronger_clones_variation; field.
  by rewrite ?T_neq0 ?T1_neq0.
by rewrite ler_pdivr_mulr // ler_pmulr ?subr_gt0 // ler_addr ltW.
Qed.

Lemma stronger_clones_corner : corner T^-1 stronger_clones_variation = T / (T + 1).
Proof. by rewrite /corner /stronger_clones_variation; field; rewrite ?T_neq0 ?T1_neq0 ?Tm1_neq0. Qed.

(* The four messages: the special user sends 0 or 1 with probabilities T/(T + 1), 1/(T + 1), another 1/(T + 1) each, none otherwise. *)
Lemma stronger_clones_masses :
  [/\ special_0 T^-1 stronger_clones_variation =1 (fun z => nth 0 [:: T / (T + 1); 1 / (T + 1); 0; 0] z),
      special_1 T^-1 stronger_clones_variation =1 (fun z => nth 0 [:: 1 / (T + 1); T / (T + 1); 0; 0] z)
    & another T^-1 stronger_clones_variation T =1 (fun z => nth 0 [:: 1 / (T + 1); 1 / (T + 1); 0; 1 - 2%:R / (T + 1)] z)].
Proof.
split=> z; rewrite /special_0 /special_1 /another stronger_clones_corner /stronger_clones_variation.
all: by case: z => [] [|[|[|[]]]] //= _; field; rewrite ?T_neq0 ?T1_neq0.
Qed.

Theorem stronger_clones_profile n E :
  hockey E (pair_P T^-1 stronger_clones_variation T n) (pair_Q T^-1 stronger_clones_variation T n) =
  hockey E (@stronger_clones_P R n.+1 T) (@stronger_clones_Q R n.+1 T).
Proof.
have p_ge0 : 0 <= 2%:R / (T + 1) by rewrite divr_ge0 ?ler0n // ltW.
have p_le1 : 2%:R / (T + 1) <= 1 by rewrite ler_pdivr_mulr // mul1r -[2%:R]/(1 + 1) ler_add2r ltW.
have [_ _ masses] := stronger_clones_masses.
rewrite (pair_profile stronger_clones_domain) (clones_profile T E p_ge0 p_le1).
rewrite (@expected_scores _ _ _ (1 / (T + 1))) ?masses ?inordK //=; [|by rewrite mulrA mulr1|by rewrite /score inordK].
rewrite mulrA mulr1 /expected_binomial big_ord_recl {1}/expected_side {1}/expected_binomial big_ord1 !mul0r !addr0 maxxx !mulr0 add0r mulr_suml.
apply: eq_bigr => c _; rewrite lift0; have cn : (c <= n)%N by rewrite -ltnS.
have n0 : n.+1%:R != 0 :> R by rewrite pnatr_eq0.
have c0 : c.+1%:R != 0 :> R by rewrite pnatr_eq0.
have -> : binomial_mass n.+1 (2%:R / (T + 1)) c.+1 = binomial_mass n (2%:R / (T + 1)) c * (n.+1%:R * (2%:R / (T + 1)) / c.+1%:R).
  rewrite /binomial_mass subSS exprS (_ : 'C(n.+1, c.+1)%:R = n.+1%:R * 'C(n, c)%:R / c.+1%:R); last first.
    by rewrite -natrM mul_bin_diag natrM [c.+1%:R * _]mulrC mulfK.
  move: ((2%:R / (T + 1)) ^+ c) ((1 - 2%:R / (T + 1)) ^+ _) ('C(n, c)%:R) (c.+1%:R) c0 (n.+1%:R) => x y z v v0 u.
  by field; rewrite v0 T1_neq0.
rewrite -!mulrA; congr (_ * _); rewrite /slice /expected_side /expected_binomial mulr_suml !mulr_sumr; apply: eq_bigr => k _.
have kc : (k <= c.+1)%N by rewrite -ltnS.
rewrite gain_given ?(ltW T_gt1) // fair_binomial // /fair.
have two0 : 2%:R ^+ c != 0 :> R by rewrite expf_neq0 // pnatr_eq0.
have -> : 0 + k%:R * score T^-1 T E (inord 0) + (c.+1 - k)%N%:R * score T^-1 T E (inord 1) = gain T E c k.
  rewrite /score !inordK //= natrB // /gain; move: (c.+1%:R) (k%:R) => x y; field; exact: T_neq0.
rewrite positive_part_scale; last by rewrite !divr_ge0 ?ler0n ?exprn_ge0 ?ler0n ?(ltW T1_gt0).
rewrite exprS; move: (Num.max _ 0) ('C(c.+1, k)%:R) (2%:R ^+ c) two0 (c.+1%:R) c0 (n.+1%:R) n0 => x y z z0 v v0 w w0.
by field; rewrite ?T1_neq0 ?z0 ?v0 ?w0.
Qed.

End StrongerClonesPair.
