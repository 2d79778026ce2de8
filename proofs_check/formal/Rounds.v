(* Several rounds, each of which may depend on what came before.

     rounds_dominated    k rounds, each dominated by (C, D) whatever came before, are dominated by k independent copies of (C, D);
     rounds_private      k rounds that are (epsilon, delta)-indistinguishable are (k epsilon, k delta)-indistinguishable together. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition ConvexOrder ControlledSum.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Rounds.
Variable R : realFieldType.
Implicit Types (E delta : R).

Lemma no_rounds (S : finType) (F : 0.-tuple S -> R) : \sum_s F s = F [tuple].
Proof. by rewrite (bigD1 [tuple]) //= big1 ?addr0 // => s; rewrite [s]tuple0 => /eqP. Qed.

Lemma sequential_is_law (S : finType) (K : seq S -> S -> R) n : (forall z, is_law (K z)) -> is_law (@sequential R S K n).
Proof.
elim: n K => [|n IH] K laws.
  by split=> [s|]; [apply: prodr_ge0 => -[] | rewrite no_rounds /sequential big_ord0].
split=> [s|]; first by apply: sequential_ge0 => z x; case: (laws z).
rewrite sum_tuples -[RHS](proj2 (laws [::])); apply: eq_bigr => x _; under eq_bigr do rewrite sequential_cons.
by rewrite -mulr_sumr (proj2 (IH _ (fun z => laws (x :: z)))) mulr1.
Qed.

(* The first round, and the others after it. *)
Lemma hockey_rounds (S : finType) E (K L : seq S -> S -> R) n :
  hockey E (@sequential R S K n.+1) (@sequential R S L n.+1) =
  hockey E (joint (K [::]) (fun x => @sequential R S (fun z => K (x :: z)) n)) (joint (L [::]) (fun x => @sequential R S (fun z => L (x :: z)) n)).
Proof.
rewrite /hockey sum_tuples [RHS](eq_bigr (fun y => Num.max (K [::] y.1 * sequential (fun z => K (y.1 :: z)) y.2 -
  E * (L [::] y.1 * sequential (fun z => L (y.1 :: z)) y.2)) 0)) // -(pair_bigA _ (fun x s => Num.max (K [::] x * sequential (fun z => K (x :: z)) s -
  E * (L [::] x * sequential (fun z => L (x :: z)) s)) 0)) /=.
by apply: eq_bigr => x _; apply: eq_bigr => s _; rewrite !sequential_cons.
Qed.

Theorem rounds_dominated (S B : finType) (K L : seq S -> S -> R) (C D : B -> R) :
    (forall z, is_law (K z)) -> (forall z, is_law (L z)) -> is_law C -> is_law D -> (forall z, dominated (K z) (L z) C D) ->
  forall n, dominated (@sequential R S K n) (@sequential R S L n) (@sequential R B (fun=> C) n) (@sequential R B (fun=> D) n).
Proof.
move=> lawK lawL lawC lawD steps n; elim: n K L lawK lawL steps => [|n IH] K L lawK lawL steps E E0.
  by rewrite /hockey !no_rounds /sequential !big_ord0.
rewrite !hockey_rounds; apply: (hockey_product_dominated (P' := C) (Q' := D)) => //; last by move=> x; apply: IH.
- by move=> x; apply: sequential_is_law.
- exact: sequential_is_law.
exact: sequential_is_law.
Qed.

Theorem rounds_private (S : finType) (K L : seq S -> S -> R) E delta : (forall z, is_law (K z)) -> (forall z, is_law (L z)) -> 1 <= E ->
    (forall z, dp E delta (K z) (L z)) ->
  forall n, dp (E ^+ n) (n%:R * delta) (@sequential R S K n) (@sequential R S L n).
Proof.
move=> lawK lawL E1 steps n; have E0 : 0 <= E := le_trans ler01 E1.
elim: n K L lawK lawL steps => [|n IH] K L lawK lawL steps; apply/dp_iff_hockey.
  by rewrite /hockey no_rounds /sequential !big_ord0 expr0 mulr1 subrr maxxx mul0r.
rewrite hockey_rounds exprS mulrSr mulrDl mul1r [_ * delta + _]addrC; apply/dp_iff_hockey.
apply: basic_composition => //; rewrite ?exprn_ge0 // => x; try exact: sequential_is_law.
exact: IH.
Qed.

End Rounds.
