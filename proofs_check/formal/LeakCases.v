(* The laws of first arrival with leaks are the rationals that are listed: the definitions are evaluated on Coq's own rationals, whose denominators are
   positive, so that nothing has to be known of them.  (spec/bounds/swap/first_arrival_approximate.py, leaking_losses)

     relative_laws_is_sound, thinned_laws_is_sound   for rational T, E, delta0, far and eta. *)

From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ ring.
From Shuffleproof Require Import Definitions ConvexOrder ControlledSum Blocks FiveCorners Perspective AdaptiveApproximate ArrivalApproximate Integers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.
Delimit Scope Q_scope with Q.

(* A rational as it is written. *)
Definition written_q (a : Z) (b : BinNums.positive) : Q := Qmake a b.

Section Programs.
Local Open Scope Q_scope.

Definition corners_q (T : Q) : seq (seq (Q * Q * Q)) :=
  let a := / (T + 1) in let b := / (T + 2) in let c := / (2 * T + 1) in
  [:: [:: (/ T, / T, T * a); (T, T, a)];
      [:: (/ T, / T, T * b); (T, 1, b); (1, T, b)];
      [:: (T, 1, a); (/ T, 1, T * a)];
      [:: (1, T, a); (1, / T, T * a)];
      [:: (T, T, c); (1, / T, T * c); (/ T, 1, T * c)]].

Definition leaking_q (T E delta0 far hides o0 o1 o2 eta : Q) : seq (seq (Q * Q)) :=
  let kappa := 1 - 3 * delta0 in let wide := T / kappa in let order := E * (1 - 2 * delta0) in
  let left u v := (1 - eta * (o0 + o1 * u + o2 * v)) / (1 - eta) in
  [seq let rest := [seq ((x.1.1 - order * x.1.2) / left x.1.1 x.1.2, x.2 * left x.1.1 x.1.2) | x <- c] in
       let total := foldr (fun x s => x.2 + s) 0 rest in let share := hides * (delta0 / T) in
       [:: (far / hides, share), (0, 1 - kappa * total - share) & [seq (x.1 / kappa, kappa * x.2) | x <- rest]]
  | c <- corners_q wide].

Definition relative_q (T E delta0 far : Q) (n : nat) (eta : Q) : seq (seq (Q * Q)) :=
  let c := T - 1 - 2 * T * inject_Z (Z.of_nat n) * delta0 - 2 * delta0 / (1 - 2 * delta0) in
  leaking_q T E delta0 far (/ (1 - eta)) 0 (T / (1 - 3 * delta0) / c) (- / c) eta.

Definition thinned_q (T E delta0 far : Q) (n : nat) (eta : Q) : seq (seq (Q * Q)) :=
  let room := 1 - inject_Z (Z.of_nat n) * delta0 in
  leaking_q T E delta0 far ((1 - eta * (T / room)) / (1 - eta)) (T / room) 0 0 eta.

Definition same_law_q (c d : seq (Q * Q)) : bool := all2 (fun x y => Qeq_bool x.1 y.1 && Qeq_bool x.2 y.2) c d.
Definition relative_laws_is T E delta0 far n eta C : bool := all2 same_law_q (relative_q T E delta0 far n eta) C.
Definition thinned_laws_is T E delta0 far n eta C : bool := all2 same_law_q (thinned_q T E delta0 far n eta) C.

End Programs.

Section Soundness.
Variable R : realFieldType.

Definition of_Q (q : Q) : R := of_Z R (Qnum q) / of_Z R (Zpos (Qden q)).
Definition law_q (c : seq (Q * Q)) : loss R := [seq (of_Q x.1, of_Q x.2) | x <- c].

Let den q : of_Z R (Zpos (Qden q)) != 0. Proof. by rewrite gt_eqF // of_Z_gt0. Qed.

Lemma of_Q1 : of_Q 1 = 1. Proof. by rewrite /of_Q /= of_Z1 divr1. Qed.
Lemma of_Q0 : of_Q 0 = 0. Proof. by rewrite /of_Q /= of_Z0 mul0r. Qed.
Lemma of_Q2 : of_Q 2 = 2%:R. Proof. by rewrite /of_Q /= of_Z1 divr1 of_Z2. Qed.
Lemma of_Q3 : of_Q 3 = 3%:R. Proof. by rewrite /of_Q /= of_Z1 divr1 (of_Z_nat R 3). Qed.
Lemma of_Q_nat n : of_Q (inject_Z (Z.of_nat n)) = n%:R. Proof. by rewrite /of_Q /= of_Z1 divr1 of_Z_nat. Qed.
Lemma of_QM x y : of_Q (x * y)%Q = of_Q x * of_Q y. Proof. by rewrite /of_Q /= Pos2Z.inj_mul !of_ZM mulf_div. Qed.
Lemma of_QD x y : of_Q (x + y)%Q = of_Q x + of_Q y.
Proof. by rewrite /of_Q /= Pos2Z.inj_mul of_ZD !of_ZM addf_div ?den. Qed.
Lemma of_QN x : of_Q (- x)%Q = - of_Q x. Proof. by rewrite /of_Q /= of_ZN mulNr. Qed.
Lemma of_QB x y : of_Q (x - y)%Q = of_Q x - of_Q y. Proof. exact: etrans (of_QD x (- y)%Q) (congr1 (fun z => of_Q x + z) (of_QN y)). Qed.
Lemma of_QV x : of_Q (/ x)%Q = (of_Q x)^-1.
Proof.
case: x => [[|p|p] q]; rewrite /of_Q /Qinv /=; first by rewrite of_Z0 !mul0r invr0.
  by rewrite invf_div.
have neg z : of_Z R (Z.neg z) = - of_Z R (Z.pos z) := of_ZN R (Z.pos z).
by rewrite !neg !mulNr invrN invf_div.
Qed.
Lemma of_Q_div x y : of_Q (x / y)%Q = of_Q x / of_Q y. Proof. exact: etrans (of_QM x (/ y)%Q) (congr1 (fun z => of_Q x * z) (of_QV y)). Qed.

Lemma of_Q_eq x y : Qeq_bool x y -> of_Q x = of_Q y.
Proof. by move/Qeq_bool_iff; rewrite /Qeq => same; apply/eqP; rewrite /of_Q eqr_div ?den // -!of_ZM same. Qed.

Lemma same_law_q_is c d : same_law_q c d -> law_q c = law_q d.
Proof.
elim: c d => [|x c IH] [|y d] //= /andP[/andP[/of_Q_eq value /of_Q_eq mass] /IH rest].
by rewrite /law_q /= value mass; congr (_ :: _).
Qed.

Lemma same_laws_q_is C D : all2 same_law_q C D -> [seq law_q c | c <- C] = [seq law_q c | c <- D].
Proof. by elim: C D => [|c C IH] [|d D] //= /andP[/same_law_q_is -> /IH ->]. Qed.

Definition of_Qs := (of_Q_div, of_QM, of_QB, of_QD, of_QN, of_QV, of_Q0, of_Q1, of_Q2, of_Q3, of_Q_nat).

Lemma corners_q_is T : [seq [seq (of_Q x.1.1, of_Q x.1.2, of_Q x.2) | x <- c] | c <- corners_q T] = corner_points (of_Q T).
Proof. by rewrite /corners_q /corner_points /= !of_Qs. Qed.

Lemma leaking_q_is T E delta0 far hides o0 o1 o2 eta : [seq law_q c | c <- leaking_q T E delta0 far hides o0 o1 o2 eta] =
  leaking_laws (of_Q T) (of_Q E) (of_Q delta0) (of_Q far) (of_Q hides) (of_Q o0) (of_Q o1) (of_Q o2) (of_Q eta).
Proof.
have wide : T' (of_Q T) (of_Q delta0) = of_Q (T / (1 - 3 * delta0)) by rewrite /T' /kappa !of_Qs.
rewrite /leaking_laws /perspective_laws wide -corners_q_is -!map_comp; apply: eq_map => c /=.
rewrite /leaky_left /law_q /= !of_Qs; congr [:: _, _ & _]; last first.
  by rewrite -!map_comp; apply: eq_map => x /=; rewrite /left_density /density /E' /kappa !of_Qs.
congr (_, 1 - _ * _ - _).
rewrite /total_mass; elim: c => [|x c IH] /=; first by rewrite big_nil of_Q0.
by rewrite big_cons of_QD IH /left_density /density !of_Qs.
Qed.

Theorem relative_laws_is_sound T E delta0 far n eta C : relative_laws_is T E delta0 far n eta C ->
  relative_laws (of_Q T) (of_Q E) (of_Q delta0) (of_Q far) n (of_Q eta) = [seq law_q c | c <- C].
Proof. by move/same_laws_q_is <-; rewrite /relative_q leaking_q_is /relative_laws /arrival_norm /T' /kappa !of_Qs. Qed.

Theorem thinned_laws_is_sound T E delta0 far n eta C : thinned_laws_is T E delta0 far n eta C ->
  thinned_laws (of_Q T) (of_Q E) (of_Q delta0) (of_Q far) n (of_Q eta) = [seq law_q c | c <- C].
Proof. by move/same_laws_q_is <-; rewrite /thinned_q leaking_q_is /thinned_laws /arrival_share_left /arrival_room_left !of_Qs. Qed.

End Soundness.
