(* The hockey-stick divergence D_E(P || Q) = sum over x of max(0, P(x) - E Q(x)) and what privacy needs of it.  (FMT21, section 2)

     hockey_attained_by_an_event   D_E(P || Q) is the largest P(A) - E Q(A) over events A,
     dp_iff_hockey                 so (epsilon, delta)-indistinguishability says D_E(P || Q) <= delta;
     hockey_post_processing        D_E(K P || K Q) <= D_E(P || Q) for every kernel K, and for every function;
     hockey_nonincreasing          it falls in E. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Divergence.
Variable R : realFieldType.

Lemma mass_ge0 (A : finType) (P : dist R A) x : 0 <= P x.
Proof. by case: (mass_is_law P). Qed.

Lemma mass_sum1 (A : finType) (P : dist R A) : \sum_x P x = 1.
Proof. by case: (mass_is_law P). Qed.

Lemma push_is_law (A B : finType) (K : A -> dist R B) (P : A -> R) : is_law P -> is_law (push K P).
Proof.
case=> P0 P1; split=> [y|]; first by apply: sumr_ge0 => x _; rewrite mulr_ge0 ?P0 ?mass_ge0.
rewrite exchange_big -[RHS]P1; apply: eq_bigr => x _.
by rewrite -mulr_sumr mass_sum1 mulr1.
Qed.

Lemma image_law_is_law (A B : finType) (f : A -> B) (P : A -> R) : is_law P -> is_law (image_law f P).
Proof.
case=> P0 P1; split=> [y|]; first by apply: sumr_ge0.
by rewrite -[RHS]P1 [RHS](partition_big f predT).
Qed.

(* The kernel of a function. *)
Lemma point_is_law (B : finType) (b : B) : is_law (fun y : B => (b == y)%:R : R).
Proof.
split=> [y|]; first by rewrite ler0n.
by rewrite (bigD1 b) //= eqxx big1 ?addr0 // => y; rewrite eq_sym => /negPf->.
Qed.

Definition point (B : finType) (b : B) : dist R B := Dist (point_is_law b).

Lemma image_law_push (A B : finType) (f : A -> B) (P : A -> R) : image_law f P =1 push (fun x => point (f x)) P.
Proof.
move=> y; rewrite /image_law /push big_mkcond /=; apply: eq_bigr => x _.
by case: ifP => _; rewrite ?mulr1 ?mulr0.
Qed.

Section Events.
Variable A : finType.
Implicit Types P Q : A -> R.

Lemma eq_hockey E P P' Q Q' : P =1 P' -> Q =1 Q' -> hockey E P Q = hockey E P' Q'.
Proof. by move=> eqP eqQ; apply: eq_bigr => x _; rewrite eqP eqQ. Qed.

Lemma hockey_ge0 E P Q : 0 <= hockey E P Q.
Proof. by apply: sumr_ge0 => x _; rewrite le_maxr lexx orbT. Qed.

Lemma hockey_ge_event E P Q (event : {set A}) :
  \sum_(x in event) P x - E * (\sum_(x in event) Q x) <= hockey E P Q.
Proof.
rewrite mulr_sumr -sumrB /hockey [leRHS](bigID (mem event)) /=.
rewrite ler_paddr //; first by apply: sumr_ge0 => x _; rewrite le_maxr lexx orbT.
by apply: ler_sum => x _; rewrite le_maxr lexx.
Qed.

Lemma hockey_attained_by_an_event E P Q :
  exists event : {set A}, hockey E P Q = \sum_(x in event) P x - E * (\sum_(x in event) Q x).
Proof.
exists [set x | 0 <= P x - E * Q x].
rewrite mulr_sumr -sumrB /hockey big_mkcond [RHS]big_mkcond /=; apply: eq_bigr => x _.
by rewrite inE; case: leP.
Qed.

Theorem dp_iff_hockey E delta P Q : dp E delta P Q <-> hockey E P Q <= delta.
Proof.
split=> [h|h event]; last by rewrite -ler_subl_addl (le_trans (hockey_ge_event E P Q event)).
by have [event ->] := hockey_attained_by_an_event E P Q; rewrite ler_subl_addl.
Qed.

Lemma hockey_nonincreasing E E' P Q : (forall x, 0 <= Q x) -> E <= E' -> hockey E' P Q <= hockey E P Q.
Proof.
move=> Q0 EE'; apply: ler_sum => x _.
rewrite le_maxl le_maxr ler_sub ?ler_wpmul2r ?Q0 //=.
by rewrite le_maxr lexx orbT.
Qed.

End Events.

Theorem hockey_post_processing (A B : finType) (K : A -> dist R B) E (P Q : A -> R) :
  hockey E (push K P) (push K Q) <= hockey E P Q.
Proof.
apply: (@le_trans _ _ (\sum_y \sum_x Num.max (P x - E * Q x) 0 * K x y)).
  apply: ler_sum => y _; rewrite le_maxl; apply/andP; split.
    rewrite /push mulr_sumr -sumrB; apply: ler_sum => x _.
    by rewrite mulrA -mulrBl ler_wpmul2r ?mass_ge0 // le_maxr lexx.
  by apply: sumr_ge0 => x _; rewrite mulr_ge0 ?mass_ge0 // le_maxr lexx orbT.
rewrite exchange_big; apply: ler_sum => x _.
by rewrite -mulr_sumr mass_sum1 mulr1.
Qed.

Corollary hockey_image (A B : finType) (f : A -> B) E (P Q : A -> R) :
  hockey E (image_law f P) (image_law f Q) <= hockey E P Q.
Proof.
rewrite (eq_hockey E (image_law_push f P) (image_law_push f Q)).
exact: hockey_post_processing.
Qed.

End Divergence.

Section Privacy.
Variables (R : realFieldType) (D : Type) (S : finType).

Lemma neighbours_sym n (w w' : n.-tuple D) : neighbours w w' -> neighbours w' w.
Proof. by case=> i h; exists i => j ij; rewrite h. Qed.

(* An irrational E = e^epsilon is covered by every rational below it. *)
Lemma private_weaken n (B : finType) (E E' delta delta' : R) (mechanism : n.-tuple D -> B -> R) :
  (forall w y, 0 <= mechanism w y) -> E <= E' -> delta <= delta' -> private E delta mechanism -> private E' delta' mechanism.
Proof.
move=> M0 EE' dd' h w w' ww'; apply/dp_iff_hockey; apply: le_trans dd'.
have := h w w' ww'; move/dp_iff_hockey; apply: le_trans; exact: hockey_nonincreasing.
Qed.

(* Whatever is computed from the output is as private.  *)
Lemma private_post_processing n (A B : finType) (f : A -> B) (E delta : R) (mechanism : n.-tuple D -> A -> R) :
  private E delta mechanism -> private E delta (fun w => image_law f (mechanism w)).
Proof.
move=> h w w' ww'; apply/dp_iff_hockey; have := h w w' ww'; move/dp_iff_hockey; apply: le_trans; exact: hockey_image.
Qed.

End Privacy.
