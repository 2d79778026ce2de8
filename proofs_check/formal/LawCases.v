(* The laws of first arrival, of clones with what is left, and of leaks are the rationals that are listed.

     arrival_laws_is_sound, clone_laws_is_sound   for T = t/u, E = e/f, eta = a/b;  (spec/bounds/swap/controlled_sum.py, corner_losses, clones_losses)
     approximate_corners_is_sound   for delta0 = d/g as well.  (spec/bounds/swap/first_arrival_approximate.py, leaking_losses, thinned) *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ ring.
From Shuffleproof Require Import Definitions ConvexOrder FiveCorners Perspective AdaptiveAll AdaptiveApproximate ArrivalAll ClonesLeft Programs Integers
  ControlledCases GridLaws ArrivalAtoms.

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

(* x / y, and y x. *)
Definition divided (y x : Z * Z) : Z * Z := (x.1 * y.2, x.2 * y.1).
Definition times (y x : Z * Z) : Z * Z := (y.1 * x.1, y.2 * x.2).
Definition thinned_atoms (theta rest : Z * Z) (c : seq rational_atom) : seq rational_atom :=
  rcons [seq (divided theta x.1, times theta x.2) | x <- c] ((0, 1), rest).
Definition leaky_atoms (T share rest kappa : Z * Z) (c : seq rational_atom) : seq rational_atom :=
  [:: (T, share), ((0, 1), rest) & [seq (divided kappa x.1, times kappa x.2) | x <- c]].

Definition approximate_atoms (t u e f a b d g : Z) (n : nat) : seq (seq rational_atom) :=
  let k := g - 3 * d in let r := g - Z.of_nat n * d in let t' := t * g in let u' := u * k in let f' := f * g in
  let theta := (b * u * r - a * t * g, u * r * (b - a)) in
  [seq thinned_atoms theta (theta.2 - theta.1, theta.2) (leaky_atoms (t, u) (d * u, g * t) (d * (3 * t - u), g * t) (k, g)
     [seq ((x.1, t' * u' * f'), (x.2, (t' + u') * (t' + 2 * u') * (2 * t' + u'))) | x <- c]) | c <- corner_numbers t' u' (e * (g - 2 * d)) f'].

Definition approximate_corners_is (t u e f a b d g : Z) (n : nat) (C : seq (seq rational_atom)) : bool :=
  [&& [&& 0 <? u, 0 <? t, 0 <? f & 0 <? g], [&& 0 <? b, a <? b, 0 <? g - 3 * d & 0 <? g - Z.of_nat n * d]
    & same_laws (approximate_atoms t u e f a b d g n) C].

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

Lemma fraction_divided y x : fraction R (divided y x) = fraction R x / fraction R y.
Proof. by rewrite /fraction /= !of_ZM invf_div mulf_div. Qed.

Lemma fraction_times y x : fraction R (times y x) = fraction R y * fraction R x.
Proof. by rewrite /fraction /= !of_ZM mulf_div. Qed.

Lemma fraction_zero : fraction R (0%Z, 1%Z) = 0.
Proof. by rewrite /fraction /= of_Z0 mul0r. Qed.

Lemma fraction_rest (y : Z * Z) : of_Z R y.2 != 0 -> fraction R (y.2 - y.1, y.2)%Z = 1 - fraction R y.
Proof. by move=> y0; rewrite /fraction /= of_ZB mulrBl divff. Qed.

Lemma thinned_atoms_is theta rest c : fraction R rest = 1 - fraction R theta ->
  atoms_law R (thinned_atoms theta rest c) = thinned (fraction R theta) (atoms_law R c).
Proof.
move=> rest_is; rewrite /atoms_law /thinned map_rcons [(_, _).1]/= [(_, _).2]/= rest_is fraction_zero -!map_comp; congr rcons.
by apply: eq_map => x /=; rewrite -fraction_divided -fraction_times.
Qed.

Lemma leaky_atoms_is T share rest kappa c : fraction R rest = 1 - fraction R kappa - fraction R share ->
  atoms_law R (leaky_atoms T share rest kappa c) = leaky (fraction R T) (fraction R share) (fraction R kappa) (atoms_law R c).
Proof.
move=> rest_is; rewrite /atoms_law /leaky; cbn [map fst snd leaky_atoms]; rewrite rest_is fraction_zero -!map_comp; congr [:: _, _ & _].
by apply: eq_map => x /=; rewrite -fraction_divided -fraction_times.
Qed.

Theorem approximate_corners_is_sound t u e f a b d g n C : approximate_corners_is t u e f a b d g n C ->
  approximate_corners (of_Z R t / of_Z R u) (of_Z R e / of_Z R f) (of_Z R a / of_Z R b) (of_Z R d / of_Z R g) n = [seq atoms_law R c | c <- C].
Proof.
case/and3P=> /and4P[/Z.ltb_lt u0 /Z.ltb_lt t0 /Z.ltb_lt f0 /Z.ltb_lt g0] /and4P[/Z.ltb_lt b0 /Z.ltb_lt ab /Z.ltb_lt k0 /Z.ltb_lt r0] /same_laws_is <-.
have pos (z : Z) : (0 < z)%Z -> of_Z R z != 0 by move=> z0; rewrite gt_eqF // of_Z_gt0.
have [[u1 t1 f1 g1] [b1 k1 r1]] : [/\ of_Z R u != 0, of_Z R t != 0, of_Z R f != 0 & of_Z R g != 0] /\
    [/\ of_Z R b != 0, of_Z R (g - 3 * d)%Z != 0 & of_Z R (g - Z.of_nat n * d)%Z != 0] by split; split; apply: pos.
have ba : of_Z R (b - a)%Z != 0 by apply: pos; apply/Z.lt_0_sub.
have three : of_Z R 3 = 3%:R := of_Z_nat R 3.
have k_is : of_Z R (g - 3 * d)%Z = of_Z R g - 3%:R * of_Z R d by rewrite of_ZB of_ZM three.
have r_is : of_Z R (g - Z.of_nat n * d)%Z = of_Z R g - n%:R * of_Z R d by rewrite of_ZB of_ZM of_Z_nat.
have kappa_is : kappa (of_Z R d / of_Z R g) = fraction R (g - 3 * d, g)%Z by rewrite /kappa /fraction /= k_is; field.
have T'_is : T' (of_Z R t / of_Z R u) (of_Z R d / of_Z R g) = of_Z R (t * g)%Z / of_Z R (u * (g - 3 * d))%Z.
  by rewrite /T' kappa_is /fraction /= !of_ZM invf_div mulf_div.
have E'_is : E' (of_Z R e / of_Z R f) (of_Z R d / of_Z R g) = of_Z R (e * (g - 2 * d))%Z / of_Z R (f * g)%Z.
  by rewrite /E' !of_ZM of_ZB of_ZM of_Z2; field; rewrite f1 g1.
have share_is : of_Z R d / of_Z R g / (of_Z R t / of_Z R u) = fraction R (d * u, g * t)%Z by rewrite /fraction /= !of_ZM invf_div mulf_div.
set theta := (b * u * (g - Z.of_nat n * d) - a * t * g, u * (g - Z.of_nat n * d) * (b - a))%Z.
have theta_is : approximate_share (of_Z R t / of_Z R u) (of_Z R a / of_Z R b) (of_Z R d / of_Z R g) n = fraction R theta.
  have room_is : room (of_Z R d / of_Z R g) n = of_Z R (g - Z.of_nat n * d)%Z / of_Z R g by rewrite /room r_is; field.
  rewrite /approximate_share room_is /theta /fraction; cbn [fst snd]; move: (g - Z.of_nat n * d)%Z r1 => r r1.
  rewrite !(of_ZB, of_ZM) in ba *; move: (of_Z R r) (of_Z R t) (of_Z R u) (of_Z R a) (of_Z R b) (of_Z R g) r1 u1 b1 g1 ba => r' x y v w h r1 u1 b1 g1 ba.
  by field; rewrite u1 b1 g1 r1 ?mulN1r ba.
rewrite /approximate_corners theta_is T'_is E'_is kappa_is share_is corner_laws_scaled; [|exact: Z.mul_pos_pos..].
have theta2 : of_Z R theta.2 != 0 by rewrite /theta; cbn [snd]; rewrite !of_ZM !mulf_neq0.
have rest_is : fraction R (d * (3 * t - u), g * t)%Z = 1 - fraction R (g - 3 * d, g)%Z - fraction R (d * u, g * t)%Z.
  by rewrite /fraction; cbn [fst snd]; rewrite k_is !of_ZM of_ZB of_ZM three; field; rewrite g1 t1.
rewrite /approximate_atoms /scaled -!map_comp; apply: eq_map => c; symmetry.
etransitivity; first exact: (thinned_atoms_is _ (fraction_rest theta2)).
congr thinned; etransitivity; first exact: (leaky_atoms_is _ _ rest_is).
by congr leaky; rewrite /atoms_law -map_comp.
Qed.

End Same.
