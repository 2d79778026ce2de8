(* Finite facts about (epsilon, delta)-indistinguishability that everybody relies on. D_E is the hockey-stick divergence, E = e^epsilon.

     hockey_joint_convexity        D_E(sum_c l_c P_c || sum_c l_c Q_c) <= sum_c l_c D_E(P_c || Q_c), for weights l_c >= 0;
     hockey_triangle               D_EE'(P || N) <= D_E(P || Q) + E D_E'(Q || N);
     hockey_product_dominated      if D_E(P || Q) <= D_E(A || B) for all E >= 0 and every D_E(K_y || L_y) <= D_E(C || D), then
                                   D_E(P, K || Q, L) <= D_E(A x C || B x D): dominating pairs compose, adaptively;
     basic_composition             (epsilon, delta) and then (epsilon', delta'), chosen adaptively, give (epsilon + epsilon', delta + delta');
     group_privacy                 (epsilon, delta) for one user gives (k epsilon, delta (1 + e^epsilon + ... + e^((k-1) epsilon))) for k users;
     replacement_of_deletion       (epsilon, delta) under deletion of a user gives (2 epsilon, (1 + e^epsilon) delta) under replacement. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section PositivePart.
Variable R : realFieldType.
Implicit Types x y c : R.

Lemma positive_part_ge0 x : 0 <= Num.max x 0.
Proof. by rewrite le_maxr lexx orbT. Qed.

Lemma positive_part_ge x : x <= Num.max x 0.
Proof. by rewrite le_maxr lexx. Qed.

Lemma positive_part_scale c x : 0 <= c -> Num.max (c * x) 0 = c * Num.max x 0.
Proof. by move=> c0; rewrite maxr_pmulr // mulr0. Qed.

Lemma positive_part_sum (I : finType) (A : pred I) (F : I -> R) :
  Num.max (\sum_(i | A i) F i) 0 <= \sum_(i | A i) Num.max (F i) 0.
Proof.
rewrite le_maxl; apply/andP; split; first by apply: ler_sum => i _; apply: positive_part_ge.
by apply: sumr_ge0 => i _; apply: positive_part_ge0.
Qed.

Lemma positive_part_add x y : Num.max (x + y) 0 <= Num.max x 0 + Num.max y 0.
Proof.
by rewrite le_maxl ler_add ?positive_part_ge // addr_ge0 ?positive_part_ge0.
Qed.

End PositivePart.

Section Divergences.
Variables (R : realFieldType) (A : finType).
Implicit Types (E delta : R) (P Q N : A -> R).

Theorem hockey_joint_convexity (C : finType) E (weight : C -> R) (P Q : C -> A -> R) :
    (forall c, 0 <= weight c) ->
  hockey E (fun y => \sum_c weight c * P c y) (fun y => \sum_c weight c * Q c y) <= \sum_c weight c * hockey E (P c) (Q c).
Proof.
move=> weight0; rewrite /hockey.
under [leRHS]eq_bigr do rewrite mulr_sumr.
rewrite exchange_big /=; apply: ler_sum => y _.
rewrite mulr_sumr -sumrB; apply: le_trans (positive_part_sum _ _) _.
by apply: ler_sum => c _; rewrite mulrCA -mulrBr positive_part_scale.
Qed.

Theorem hockey_triangle E E' P Q N : 0 <= E -> hockey (E * E') P N <= hockey E P Q + E * hockey E' Q N.
Proof.
move=> E0; rewrite mulr_sumr -big_split /=; apply: ler_sum => x _.
rewrite -positive_part_scale //; apply: le_trans (positive_part_add _ _).
by rewrite mulrBr mulrA addrA subrK.
Qed.

Lemma hockey_self E P : is_law P -> 1 <= E -> hockey E P P = 0.
Proof.
case=> P0 _ E1; apply: big1 => x _; apply/max_idPr.
by rewrite -{1}[P x]mul1r -mulrBl mulr_le0_ge0 ?subr_le0.
Qed.

(* 1 - E is a lower bound, and the divergence at E below 1 follows from the one at 1/E the other way round. *)
Lemma hockey_ge_mass E P Q : is_law P -> is_law Q -> 1 - E <= hockey E P Q.
Proof.
case=> _ P1 [_ Q1]; rewrite -{1}P1 -[E]mulr1 -{1}Q1 mulr_sumr -sumrB.
by apply: ler_sum => x _; rewrite mulr1 positive_part_ge.
Qed.

Lemma hockey_below_one E P Q : is_law P -> is_law Q -> 0 < E -> hockey E P Q = 1 - E + E * hockey E^-1 Q P.
Proof.
move=> [_ P1] [_ Q1] E0.
have -> : 1 - E = \sum_x (P x - E * Q x) by rewrite sumrB P1 -mulr_sumr Q1 mulr1.
rewrite mulr_sumr -big_split /=; apply: eq_bigr => x _.
rewrite -positive_part_scale ?ltW // mulrBr mulVKf ?gt_eqF // -(opprB (P x)).
by case: (ltgtP (P x - E * Q x) 0) => h; rewrite /Num.max ?oppr_lt0 ?oppr_gt0 ?h ?(lt_gtF h) ?addr0 ?subrr ?oppr0 ?ltxx ?addr0.
Qed.

Lemma hockey_zero P Q : is_law P -> hockey 0 P Q = 1.
Proof. by case=> P0 <-; apply: eq_bigr => x _; rewrite mul0r subr0; apply/max_idPl. Qed.

End Divergences.

Section Composition.
Variables (R : realFieldType) (A B : finType).

(* The joint law of y ~ P and then z ~ K_y; the product law where K does not depend on y. *)
Definition joint (P : A -> R) (K : A -> B -> R) : A * B -> R := fun yz => P yz.1 * K yz.1 yz.2.
Definition product (P : A -> R) (Q : B -> R) : A * B -> R := joint P (fun=> Q).

Lemma joint_is_law (P : A -> R) (K : A -> B -> R) : is_law P -> (forall y, is_law (K y)) -> is_law (joint P K).
Proof.
case=> P0 P1 lawK; split=> [[y z]|]; first by rewrite mulr_ge0 ?P0 //; case: (lawK y).
rewrite -(pair_bigA _ (fun y z => P y * K y z)) -[RHS]P1 /=; apply: eq_bigr => y _.
by rewrite -mulr_sumr; case: (lawK y) => _ ->; rewrite mulr1.
Qed.

End Composition.

Section CompositionTheorems.
Variable R : realFieldType.

(* (P, Q) is dominated by (A, B) at every order. *)
Definition dominated (A B : finType) (P Q : A -> R) (P' Q' : B -> R) : Prop :=
  forall E, 0 <= E -> hockey E P Q <= hockey E P' Q'.

Lemma hockey_joint (A B : finType) E (P Q : A -> R) (K L : A -> B -> R) :
    (forall y, 0 <= P y) -> (forall y, 0 <= Q y) -> (forall y z, 0 <= L y z) -> 0 <= E ->
  hockey E (joint P K) (joint Q L) = \sum_y P y * hockey (E * Q y / P y) (K y) (L y).
Proof.
move=> P0 Q0 L0 E0; rewrite /hockey -(pair_bigA _ (fun y z => Num.max (P y * K y z - E * (Q y * L y z)) 0)) /=.
apply: eq_bigr => y _; rewrite mulr_sumr; apply: eq_bigr => z _.
rewrite -positive_part_scale ?P0 // mulrBr.
have [Py|Py] := eqVneq (P y) 0; last first.
  by rewrite [P y * (_ * L y z)]mulrA [P y * (_ / _)]mulrC divfK // [E * (_ * _)]mulrA.
by rewrite Py !mul0r subr0 sub0r maxxx; apply/max_idPr; rewrite oppr_le0 !mulr_ge0.
Qed.

Theorem hockey_product_dominated (A B A' B' : finType) (P Q : A -> R) (K L : A -> B -> R) (P' Q' : A' -> R) (C D : B' -> R) :
    is_law P -> is_law Q -> (forall y, is_law (L y)) -> is_law P' -> is_law Q' -> is_law C -> is_law D ->
    dominated P Q P' Q' -> (forall y, dominated (K y) (L y) C D) ->
  dominated (joint P K) (joint Q L) (product P' C) (product Q' D).
Proof.
move=> [P0 _] [Q0 _] lawL [P'0 _] [Q'0 _] [C0 _] [D0 _] firstdom seconddom E E0.
have swapped (X : finType) (U V : X -> R) :
    (forall x, 0 <= U x) -> (forall x, 0 <= V x) -> hockey E (product U C) (product V D) = \sum_z C z * hockey (E * D z / C z) U V.
  move=> U0 V0; rewrite -(@hockey_joint _ _ E C D (fun=> U) (fun=> V)) // /hockey.
  rewrite (reindex (fun zy : B' * X => (zy.2, zy.1))); last by exists (fun yz => (yz.2, yz.1)) => -[].
  by apply: eq_bigr => -[z y] _; rewrite /product /joint /= (mulrC (C z)) (mulrC (D z)).
apply: (@le_trans _ _ (hockey E (product P C) (product Q D))).
  rewrite !hockey_joint //; last by move=> y; case: (lawL y).
  by apply: ler_sum => y _; rewrite ler_wpmul2l // seconddom // mulr_ge0 ?invr_ge0 // mulr_ge0.
rewrite !swapped //.
by apply: ler_sum => z _; rewrite ler_wpmul2l // firstdom // mulr_ge0 ?invr_ge0 // mulr_ge0.
Qed.

(* Against every event: whatever the first output, the second may be lost with probability delta'. *)
Theorem basic_composition (A B : finType) E E' delta delta' (P Q : A -> R) (K L : A -> B -> R) :
    is_law P -> is_law Q -> (forall y, is_law (K y)) -> (forall y, is_law (L y)) -> 0 <= E -> 0 <= E' ->
    dp E delta P Q -> (forall y, dp E' delta' (K y) (L y)) ->
  dp (E * E') (delta + delta') (joint P K) (joint Q L).
Proof.
move=> [P0 P1] [Q0 _] lawK lawL E0 E'0 /dp_iff_hockey firstdp seconddp; apply/dp_iff_hockey.
have second y : hockey E' (K y) (L y) <= delta' by apply/dp_iff_hockey.
apply: (@le_trans _ _ (\sum_y (Num.max (P y - E * Q y) 0 + P y * hockey E' (K y) (L y)))); last first.
  rewrite big_split /= ler_add // -[delta']mul1r -{1}P1 mulr_suml.
  by apply: ler_sum => y _; rewrite ler_wpmul2l.
rewrite /hockey -(pair_bigA _ (fun y z => Num.max (P y * K y z - E * E' * (Q y * L y z)) 0)) /=.
apply: ler_sum => y _; have [[K0 K1] [L0 _]] := (lawK y, lawL y).
rewrite -[X in X + _]mulr1 -K1 !mulr_sumr -big_split /=; apply: ler_sum => z _.
rewrite -[X in _ <= _ + X]positive_part_scale // le_maxl addr_ge0 ?mulr_ge0 ?positive_part_ge0 // andbT.
have [PQ|/ltW QP] := leP (P y - E * Q y) 0.
  rewrite mul0r add0r; apply: le_trans (positive_part_ge _); rewrite mulrBr ler_add2l ler_opp2 !mulrA.
  by rewrite [E * E']mulrC -!mulrA [P y * _]mulrCA ler_wpmul2l // !mulrA ler_wpmul2r // -subr_le0.
apply: (@le_trans _ _ ((P y - E * Q y) * K y z + (E * Q y) * Num.max (K y z - E' * L y z) 0)).
  apply: (@le_trans _ _ ((P y - E * Q y) * K y z + E * Q y * (K y z - E' * L y z))); last first.
    by rewrite ler_add2l ler_wpmul2l ?mulr_ge0 ?positive_part_ge.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
by rewrite ler_add2l positive_part_scale // ler_wpmul2r ?positive_part_ge0 // -subr_ge0.
Qed.

Theorem hockey_group E delta k (A : finType) (P : nat -> A -> R) :
    1 <= E -> (forall i, (i < k)%N -> hockey E (P i) (P i.+1) <= delta) -> is_law (P 0%N) ->
  hockey (E ^+ k) (P 0%N) (P k) <= delta * \sum_(i < k) E ^+ i.
Proof.
move=> E1 steps lawP; have E0 : 0 <= E := le_trans ler01 E1.
elim: k steps => [|k IH] steps; first by rewrite big_ord0 mulr0 expr0 hockey_self.
rewrite exprSr; apply: le_trans (hockey_triangle _ _ (P k) _ (exprn_ge0 k E0)) _.
rewrite big_ord_recr /= mulrDr ler_add ?IH ?[delta * _]mulrC ?ler_wpmul2l ?exprn_ge0 ?steps // => i ik.
by rewrite steps // ltnW.
Qed.

End CompositionTheorems.

Section GroupsAndDeletion.
Variables (R : realFieldType) (D : Type) (B : finType).

Theorem group_privacy n E delta (mechanism : n.-tuple D -> B -> R) k (w : nat -> n.-tuple D) :
    1 <= E -> is_law (mechanism (w 0%N)) -> private E delta mechanism -> (forall i, (i < k)%N -> neighbours (w i) (w i.+1)) ->
  dp (E ^+ k) (delta * \sum_(i < k) E ^+ i) (mechanism (w 0%N)) (mechanism (w k)).
Proof.
move=> E1 law0 privacy steps; apply/dp_iff_hockey.
by apply: (hockey_group (P := fun i => mechanism (w i))) => // i ik; apply/dp_iff_hockey; apply: privacy; apply: steps.
Qed.

(* The data of a user may be absent; both directions are meant.  (FMT21, section 2: "deletion") *)
Definition deletion_private E delta (mechanism : seq D -> B -> R) : Prop :=
  forall before x after, dp E delta (mechanism (before ++ x :: after)) (mechanism (before ++ after)) /\
                         dp E delta (mechanism (before ++ after)) (mechanism (before ++ x :: after)).

Definition replacement_private E delta (mechanism : seq D -> B -> R) : Prop :=
  forall before x x' after, dp E delta (mechanism (before ++ x :: after)) (mechanism (before ++ x' :: after)).

Theorem replacement_of_deletion E delta (mechanism : seq D -> B -> R) :
  0 <= E -> deletion_private E delta mechanism -> replacement_private (E ^+ 2) ((1 + E) * delta) mechanism.
Proof.
move=> E0 deletion before x x' after; apply/dp_iff_hockey; rewrite expr2.
apply: le_trans (hockey_triangle _ _ (mechanism (before ++ after)) _ E0) _.
have [/dp_iff_hockey deleted _] := deletion before x after; have [_ /dp_iff_hockey added] := deletion before x' after.
by rewrite mulrDl mul1r ler_add // ler_wpmul2l.
Qed.

End GroupsAndDeletion.
