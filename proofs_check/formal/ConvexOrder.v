(* Expected positive parts of sums of independent losses, and the convex order: a loss may be replaced by one above it.
   (docs/mathematics/any-law.md: "Alike users in blocks", "On a grid" 1, "A given law in another user's place" 2) *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Losses.
Variable R : realFieldType.

(* A loss of finitely many values: value and mass. *)
Definition loss := seq (R * R).
Implicit Types (a b : loss) (ls : seq loss) (t : R).

Definition measure a : Prop := forall x, x \in a -> 0 <= x.2.

(* E (t + X)_+ and E (t + X_1 + ... + X_k)_+, independent. *)
Definition positive a t : R := \sum_(x <- a) x.2 * Num.max (t + x.1) 0.
Fixpoint positives ls t : R := if ls is a :: ls' then \sum_(x <- a) x.2 * positives ls' (t + x.1) else Num.max t 0.

(* The increasing convex order (with equal means, the convex order). *)
Definition below a b : Prop := forall t, positive a t <= positive b t.

(* The sum of two independent losses. *)
Definition convolved a b : loss := [seq (x.1 + y.1, x.2 * y.2) | x <- a, y <- b].

(* Such an expectation is a nonnegative combination of positive parts. *)
Lemma positives_combination ls : (forall a, a \in ls -> measure a) ->
  exists c : loss, measure c /\ forall t, positives ls t = positive c t.
Proof.
elim: ls => [|a ls IH] all_measures.
  exists [:: (0, 1)]; split=> [x|t]; first by rewrite inE => /eqP ->; rewrite ler01.
  by rewrite /positive big_seq1 mul1r addr0.
have [c [c0 c_is]] : exists c : loss, measure c /\ forall t, positives ls t = positive c t.
  by apply: IH => b b_in; apply: all_measures; rewrite inE b_in orbT.
exists (convolved a c); split=> [x /allpairsP[[y z] [y_in z_in ->]]|t] /=.
  by rewrite mulr_ge0 //; [exact: (all_measures a (mem_head a ls) y y_in) | exact: c0].
rewrite /positive big_allpairs_dep /=; apply: eq_bigr => x _; rewrite c_is mulr_sumr; apply: eq_bigr => y _.
by rewrite /= mulrA addrA.
Qed.

Lemma positives_le_head a b ls t : (forall c, c \in ls -> measure c) -> below a b -> positives (a :: ls) t <= positives (b :: ls) t.
Proof.
move=> measures ab; have [c [c0 c_is]] := positives_combination measures.
have expand d : positives (d :: ls) t = \sum_(y <- c) y.2 * positive d (t + y.1).
  rewrite /=; under eq_bigr do rewrite c_is mulr_sumr.
  rewrite exchange_big /=; apply: eq_bigr => y _; rewrite mulr_sumr; apply: eq_bigr => x _.
  by rewrite mulrCA addrAC.
rewrite !expand big_seq [leRHS]big_seq; apply: ler_sum => y y_in.
by rewrite ler_wpmul2l ?c0.
Qed.

Fixpoint all_below ls ls' : Prop :=
  match ls, ls' with
  | [::], [::] => True
  | a :: ls1, b :: ls2 => below a b /\ all_below ls1 ls2
  | _, _ => False
  end.

(* Every loss replaced by one above it. *)
Theorem positives_le ls ls' t : (forall a, a \in ls -> measure a) -> (forall a, a \in ls' -> measure a) -> all_below ls ls' ->
  positives ls t <= positives ls' t.
Proof.
elim: ls ls' t => [|a ls IH] [|b ls'] t // m m' [ab rest].
have ms c : c \in ls -> measure c by move=> c_in; apply: m; rewrite inE c_in orbT.
have ms' c : c \in ls' -> measure c by move=> c_in; apply: m'; rewrite inE c_in orbT.
apply: le_trans (positives_le_head t ms ab) _; rewrite /= big_seq [leRHS]big_seq; apply: ler_sum => x x_in.
by rewrite ler_wpmul2l ?IH //; exact: (m' b (mem_head b ls') x x_in).
Qed.

(* Two neighbouring points of a grid, the mean kept: a law whose atoms are so spread is above it. *)
Definition spread (x : R * R) (low high : R) : loss :=
  [:: (low, x.2 * ((high - x.1) / (high - low))); (high, x.2 * ((x.1 - low) / (high - low)))].

Lemma below_spread (x : R * R) low high : 0 <= x.2 -> low <= x.1 <= high -> low < high -> below [:: x] (spread x low high).
Proof.
case: x => x p /= p0 /andP[lx xh] lh t; rewrite /positive big_seq1 /spread !big_cons big_nil addr0 /=.
have d0 : 0 < high - low by rewrite subr_gt0.
set u := (high - x) / _; set v := (x - low) / _.
rewrite -(mulrA p u) -(mulrA p v) -mulrDr ler_wpmul2l //.
have u0 : 0 <= u by rewrite divr_ge0 ?subr_ge0 // ltW // -subr_gt0.
have v0 : 0 <= v by rewrite divr_ge0 ?subr_ge0 // ltW // -subr_gt0.
have -> : t + x = u * (t + low) + v * (t + high) by rewrite /u /v; field; rewrite gt_eqF.
apply: le_trans (positive_part_add _ _) _.
by rewrite !positive_part_scale.
Qed.

End Losses.

Section Atoms.
Variables (R : realFieldType) (S : finType).
Implicit Types (f L : S -> R).

(* The loss L of a report of the law f. *)
Definition atoms f L : loss R := [seq (L s, f s) | s <- enum S].

Lemma sum_atoms f L (G : R -> R) : \sum_(x <- atoms f L) x.2 * G x.1 = \sum_s f s * G (L s).
Proof. by rewrite /atoms big_map big_enum /=; apply: eq_bigl. Qed.

Lemma measure_atoms f L : (forall s, 0 <= f s) -> measure (atoms f L).
Proof. by move=> f0 x /mapP[s _ ->]; apply: f0. Qed.

End Atoms.
