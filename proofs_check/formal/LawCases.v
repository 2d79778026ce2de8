(* The laws of first arrival, and of clones with what is left, are the rationals that are listed.

     arrival_laws_is_sound, clone_laws_is_sound   for T = t/u, E = e/f, eta = a/b.  (spec/bounds/swap/controlled_sum.py, corner_losses, clones_losses) *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ.
From Shuffleproof Require Import Definitions ConvexOrder Perspective ArrivalAll ClonesLeft Programs Integers GridLaws ArrivalAtoms.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Section Programs.
Local Open Scope Z_scope.

Definition same_fraction (x y : Z * Z) : bool := [&& 0 <? x.2, 0 <? y.2 & x.1 * y.2 =? y.1 * x.2].
Fixpoint same_law (c d : seq rational_atom) : bool :=
  match c, d with
  | [::], [::] => true
  | x :: c', y :: d' => [&& same_fraction x.1 y.1, same_fraction x.2 y.2 & same_law c' d']
  | _, _ => false
  end.
Fixpoint same_laws (C D : seq (seq rational_atom)) : bool :=
  match C, D with
  | [::], [::] => true
  | c :: C', d :: D' => same_law c d && same_laws C' D'
  | _, _ => false
  end.

Definition level_is_valid (t u f a b : Z) : bool := [&& 0 <? u, u <? t, 0 <? f, 0 <? a & a * (t + u) <? b * u].
Definition arrival_laws_is (t u e f a b : Z) (C : seq (seq rational_atom)) : bool := level_is_valid t u f a b && same_laws (arrival_atoms t u e f a b) C.
Definition clone_laws_is (t u e f a b : Z) (C : seq (seq rational_atom)) : bool := level_is_valid t u f a b && same_laws (clone_atoms t u e f a b) C.

End Programs.

Section Same.
Variable R : realFieldType.

Lemma same_fraction_is x y : same_fraction x y -> fraction R x = fraction R y.
Proof.
case/and3P=> /Z.ltb_lt x0 /Z.ltb_lt y0 /Z.eqb_eq same; have [x1 y1] : of_Z R x.2 != 0 /\ of_Z R y.2 != 0 by rewrite !gt_eqF ?of_Z_gt0.
by apply/eqP; rewrite /fraction eqr_div // -!of_ZM same.
Qed.

Lemma same_law_is c d : same_law c d -> atoms_law R c = atoms_law R d.
Proof.
elim: c d => [|x c IH] [|y d] //= /and3P[/same_fraction_is value /same_fraction_is mass /IH rest].
by rewrite /atoms_law /= value mass; congr (_ :: _).
Qed.

Lemma same_laws_is C D : same_laws C D -> [seq atoms_law R c | c <- C] = [seq atoms_law R c | c <- D].
Proof. by elim: C D => [|c C IH] [|d D] //= /andP[/same_law_is -> /IH ->]. Qed.

Theorem arrival_laws_is_sound t u e f a b C : arrival_laws_is t u e f a b C ->
  arrival_laws (of_Z R t / of_Z R u) (of_Z R e / of_Z R f) (of_Z R a / of_Z R b) = [seq atoms_law R c | c <- C].
Proof.
case/andP=> /and5P[/Z.ltb_lt u0 /Z.ltb_lt ut /Z.ltb_lt f0 /Z.ltb_lt a0 /Z.ltb_lt small] /same_laws_is <-.
exact: arrival_laws_atoms.
Qed.

Theorem clone_laws_is_sound t u e f a b C : clone_laws_is t u e f a b C ->
  clone_laws (of_Z R t / of_Z R u) (of_Z R e / of_Z R f) (of_Z R a / of_Z R b) = [seq atoms_law R c | c <- C].
Proof.
case/andP=> /and5P[/Z.ltb_lt u0 /Z.ltb_lt ut /Z.ltb_lt f0 /Z.ltb_lt a0 /Z.ltb_lt small] /same_laws_is <-.
exact: clone_laws_atoms.
Qed.

End Same.
