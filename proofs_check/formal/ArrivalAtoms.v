(* The laws of first arrival, and of clones with what is left, as integers: what ClonesLeft.v and Perspective.v define, atom by atom.

     clone_laws_atoms, arrival_laws_atoms    for T = t/u, E = e/f, eta = a/b. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ zify ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition ConvexOrder ControlledSum FiveCorners Blocks FirstArrival Perspective
  ArrivalAll ClonesLeft Programs Integers Numbers GridLaws.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Section Corners.
Variables (R : realFieldType) (x y z h c d : R).
Hypotheses (x0 : x != 0) (y0 : y != 0) (h0 : h != 0) (d0 : d != 0) (dc : d - c != 0) (xy : x - y != 0).
Hypotheses (once0 : x + y != 0) (low0 : x + 2%:R * y != 0) (high0 : 2%:R * x + y != 0).
Hypotheses (w1 : d * x - c * y != 0) (w2 : d * y - c * x != 0) (w3 : d * y - c * (x + y) != 0) (w4 : d * x - c * (x + y) != 0).
Local Notation W := (left_density 0 (share_0 (x / y)) (share_1 (x / y)) (c / d)).

Lemma W_is v w : W v w = (d * (x - y) - c * (x * v - y * w)) / ((d - c) * (x - y)).
Proof. by rewrite /left_density /density /share_0 /share_1; field; rewrite y0 d0 dc ?mulN1r xy. Qed.

Lemma W_low : W (x / y)^-1 (x / y)^-1 = (d * x - c * y) / (x * (d - c)). Proof. by rewrite W_is; field; rewrite x0 y0 dc ?mulN1r xy. Qed.
Lemma W_high : W (x / y) (x / y) = (d * y - c * x) / (y * (d - c)). Proof. by rewrite W_is; field; rewrite y0 dc ?mulN1r xy. Qed.
Lemma W_high_one : W (x / y) 1 = (d * y - c * (x + y)) / (y * (d - c)). Proof. by rewrite W_is; field; rewrite y0 dc ?mulN1r xy. Qed.
Lemma W_one_high : W 1 (x / y) = d / (d - c). Proof. by rewrite W_is; field; rewrite y0 dc ?mulN1r xy. Qed.
Lemma W_one_low : W 1 (x / y)^-1 = (d * x - c * (x + y)) / (x * (d - c)). Proof. by rewrite W_is; field; rewrite x0 y0 dc ?mulN1r xy. Qed.
Lemma W_low_one : W (x / y)^-1 1 = d / (d - c). Proof. by rewrite W_is; field; rewrite x0 y0 dc ?mulN1r xy. Qed.

(* What Perspective.v defines, without fractions of fractions. *)
Lemma arrival_laws_are : arrival_laws (x / y) (z / h) (c / d) =
  let left := d - c in let once := (x + y) * left in let twice_low := (x + 2%:R * y) * left in let twice_high := (2%:R * x + y) * left in
  let both_low := y * (h - z) * left in let both_high := x * (h - z) * left in
  let high_one := (x * h - z * y) * left in let one_high := (y * h - z * x) * left in
  let w_low := d * x - c * y in let w_high := d * y - c * x in let w_high_one := d * y - c * (x + y) in let w_one_low := d * x - c * (x + y) in
  [:: [:: (both_low / (h * w_low), w_low / once); (both_high / (h * w_high), w_high / once)];
      [:: (both_low / (h * w_low), w_low / twice_low); (high_one / (h * w_high_one), w_high_one / twice_low); (one_high / (y * h * d), y * d / twice_low)];
      [:: (high_one / (h * w_high_one), w_high_one / once); (one_high / (x * h * d), x * d / once)];
      [:: (one_high / (y * h * d), y * d / once); (high_one / (h * w_one_low), w_one_low / once)];
      [:: (both_high / (h * w_high), w_high / twice_high); (high_one / (h * w_one_low), w_one_low / twice_high);
          (one_high / (x * h * d), x * d / twice_high)]].
Proof.
have pair_eq (v v' w w' : R) : v = v' -> w = w' -> (v, w) = (v', w') by move=> -> ->.
have cons_eq (A : Type) (p q : A) l l' : p = q -> l = l' -> p :: l = q :: l' by move=> -> ->.
rewrite /arrival_laws /perspective_laws /corner_points; cbv beta iota zeta delta [map fst snd].
do ![apply: (@cons_eq (loss R)) | apply: (@cons_eq (R * R)%type) | apply: pair_eq | exact: (erefl [::])]; rewrite ?W_low ?W_high ?W_high_one ?W_one_high ?W_one_low ?W_low_one.
all: by field; rewrite ?x0 ?y0 ?h0 ?d0 ?dc ?once0 ?low0 ?high0 ?w1 ?w2 ?w3 ?w4.
Qed.

End Corners.

Section Atoms.
Variable R : realFieldType.
Local Notation inR := (of_Z R).
Variables t u e f a b : Z.
Hypotheses (u_gt0 : (0 < u)%Z) (ut : (u < t)%Z) (f_gt0 : (0 < f)%Z) (a_gt0 : (0 < a)%Z) (small : (a * (t + u) < b * u)%Z).

Lemma denominators (x := inR t) (y := inR u) (h := inR f) (c := inR a) (d := inR b) :
  [/\ [/\ x != 0, y != 0, h != 0, d != 0 & d - c != 0], [/\ x - y != 0, x + y != 0, x + 2%:R * y != 0 & 2%:R * x + y != 0],
      [/\ d * x - c * y != 0, d * y - c * x != 0, d * y - c * (x + y) != 0 & d * x - c * (x + y) != 0]
    & [/\ (0 < b)%Z, (a < b)%Z, 0 < c / d & 1 < x / y] /\ c / d * (x / y + 1) < 1].
Proof.
have pos (z : Z) : (0 < z)%Z -> inR z != 0 by move=> z0; rewrite gt_eqF // of_Z_gt0.
have ab : (a < b)%Z by nia.
have b_gt0 : (0 < b)%Z by lia.
have two z : 2%:R * inR z = inR (2 * z)%Z by rewrite of_ZM of_Z2.
have [y0 d0] : 0 < inR u /\ 0 < inR b by split; apply: of_Z_gt0.
rewrite /x /y /h /c /d !two -!(of_ZD, of_ZM, of_ZB); split; first 3 last.
- split; last first.
    have -> : inR a / inR b * (inR t / inR u + 1) = inR (a * (t + u)) / inR (b * u).
      by rewrite !of_ZM of_ZD; field; rewrite !gt_eqF.
    have bu0 : (0 < b * u)%Z by apply: Z.mul_pos_pos.
    rewrite ltr_pdivr_mulr ?(of_Z_gt0 R bu0) // mul1r -subr_gt0 -of_ZB; apply: of_Z_gt0; lia.
  split=> //; first by rewrite divr_gt0 // of_Z_gt0.
  rewrite ltr_pdivl_mulr // mul1r -subr_gt0 -of_ZB; apply: of_Z_gt0; lia.
- by split; apply: pos; lia.
- by split; apply: pos; lia.
by split; apply: pos; nia.
Qed.

Lemma clone_laws_atoms :
  clone_laws (inR t / inR u) (inR e / inR f) (inR a / inR b) = [seq atoms_law R c | c <- clone_atoms t u e f a b].
Proof.
have [[t0 u0 f0 b0 ba] [tu t_u t_2u t2_u] [w1 w2 w3 w4] _] := denominators.
cbv beta iota zeta delta [map fst snd atoms_law fraction clone_atoms clone_laws w_a w_b w_d].
rewrite !(of_ZM, of_ZD, of_ZB, of_Z0, of_Z1, of_Z2).
move: (inR t) (inR u) (inR e) (inR f) (inR a) (inR b) t0 u0 f0 b0 ba tu t_u t_2u t2_u w1 w2 w3 w4 => x y z h c d t0 u0 f0 b0 ba tu t_u t_2u t2_u w1 w2 w3 w4.
congr [:: [:: (_, _); (_, _); (_, _)]; [:: (_, _); (_, _)]]; by field; rewrite ?t0 ?u0 ?f0 ?b0 ?ba ?t_u ?w2 ?w3.
Qed.

Lemma arrival_laws_atoms :
  arrival_laws (inR t / inR u) (inR e / inR f) (inR a / inR b) = [seq atoms_law R c | c <- arrival_atoms t u e f a b].
Proof.
have [[t0 u0 f0 b0 ba] [tu t_u t_2u t2_u] [w1 w2 w3 w4] _] := denominators; rewrite arrival_laws_are //.
cbv beta iota zeta delta [map fst snd atoms_law fraction arrival_atoms].
by rewrite !(of_ZM, of_ZD, of_ZB, of_Z2).
Qed.
End Atoms.
