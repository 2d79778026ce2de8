(* Programs on integers that Coq's kernel runs (vm_compute). What they compute is stated and proved in ExactNumbers.v and WindowNumbers.v.

   T = t/u, p = cu/ct (how often another user is a clone: u/t in FMT21, Theorem 3.2, 2u/(t + u) in stronger clones) and E = e/f. With A = (t - u)(e + f) and B = e t - f u the outcome k of a slice c is on P's side where A k >= B (c + 1). *)

From Coq Require Import ZArith List.
Import ListNotations.
Local Open Scope bool_scope.
Local Open Scope Z_scope.

(* The least integer of at least x/y, where y > 0; x / y is the greatest of at most. *)
Definition quotient_up (x y : Z) : Z := - ((- x) / y).

Section Program.
Variables n t u cu ct e f : Z.

Definition slope : Z := (t - u) * (e + f).
Definition offset : Z := e * t - f * u.

(* 1. Exactly: delta is exact_numerator / exact_denominator. *)

Definition sum (l : list Z) : Z := fold_right Z.add 0 l.

Definition next_row (row : list Z) : list Z := map (fun ab => fst ab + snd ab) (combine (0 :: row) (row ++ [0])).

Fixpoint pascal (c : nat) : list Z := match c with O => [1] | S c' => next_row (pascal c') end.

Definition exact_slice (row : list Z) (c : nat) : Z :=
  sum (map (fun k => nth k row 0 * Z.max 0 (slope * Z.of_nat k - offset * Z.of_nat (S c))) (seq 0 (S (S c)))).

Definition exact_numerator : Z :=
  let users := Z.to_nat n in
  let row := pascal users in
  sum (map (fun c => nth (S c) row 0 * (cu ^ Z.of_nat c * (2 * (ct - cu)) ^ (n - 1 - Z.of_nat c) * exact_slice (pascal (S c)) c)) (seq 0 users)).

Definition exact_denominator : Z := n * (2 * ct) ^ (n - 1) * ((t + u) * f).

Definition exact_valid : bool := (1 <=? n) && (0 <? u) && (u <=? t) && (0 <=? cu) && (cu <=? ct) && (0 <? ct) && (0 <? f) && (0 <=? e).

Definition exact_delta_is (numerator denominator : Z) : bool :=
  exact_valid && (0 <? denominator) && (exact_numerator * denominator =? numerator * exact_denominator).

(* 2. In a window of c, with numbers of fixed point that are rounded outwards. *)

(* Going up in a, at one c: low <= g b_c(a) <= high for an unknown scale g > 0, and below <= g times the mass passed. *)
Record climb := Climb { climb_a : Z; climb_low : Z; climb_high : Z; climb_below : Z }.

Definition climb_step (c : Z) (s : climb) : climb :=
  let left := Z.max 0 (c - climb_a s) in
  let next := climb_a s + 1 in
  Climb next (climb_low s * left / next) (quotient_up (climb_high s * left) next) (climb_below s + climb_low s).

(* Going up in c: low and high ends of h Bin(n-1, p)(c), g b_c(a) and a low end of g U_c(a); `total` is at least
   h g f (t + u) times the sum of Bin(c) B(c) so far, `weight` at most h times the sum of Bin(c). *)
Record walk := Walk {
  at_c : Z; at_a : Z; mass_low : Z; mass_high : Z; fair_low : Z; fair_high : Z; upper_low : Z; total : Z; weight : Z; valid : bool }.

Definition walk_step (s : walk) : walk :=
  let c := at_c s in
  let a := at_a s in
  let value := (t * f - e * u) * fair_high s - (e - f) * (t + u) * upper_low s in
  let ok := valid s && (c <? n) && (a <=? c) && (slope * a <=? offset * (c + 1)) && (offset * (c + 1) <=? slope * (a + 1)) in
  let up := (n - 1 - c) * cu in
  let down := (c + 1) * (ct - cu) in
  let stay := offset * (c + 2) <=? slope * (a + 1) in
  let over := if stay then 2 * (c + 1 - a) else 2 * (a + 1) in
  Walk (c + 1) (if stay then a else a + 1)
       (mass_low s * up / down) (quotient_up (mass_high s * up) down)
       (fair_low s * (c + 1) / over) (quotient_up (fair_high s * (c + 1)) over)
       (if stay then upper_low s + fair_low s / 2 else upper_low s - quotient_up (fair_high s * (c - a)) over)
       (total s + mass_high s * value) (weight s + mass_low s) ok.

(* delta <= delta_numerator / delta_denominator, shown with c from first_c (steps of them), and a from first_a: to_threshold steps up to the
   threshold of first_c, and above beyond it; 2^bits is the unit where each climb begins. *)
Definition window_delta_le (delta_numerator delta_denominator first_c steps first_a to_threshold above bits : Z) : bool :=
  let one := 2 ^ bits in
  let s0 := Climb first_a one one 0 in
  let s1 := Nat.iter (Z.to_nat to_threshold) (climb_step first_c) s0 in
  let s2 := climb_step first_c s1 in
  let s3 := Nat.iter (Z.to_nat above) (climb_step first_c) (Climb (climb_a s2) (climb_low s2) (climb_high s2) 0) in
  let scale := climb_below s2 + climb_below s3 in
  let w := Nat.iter (Z.to_nat steps) walk_step
             (Walk first_c (climb_a s1) one one (climb_low s1) (climb_high s1) (climb_below s3) 0 0 true) in
  let c := at_c w in
  let below_up := first_c * (ct - cu) in
  let below_down := (n - first_c) * cu in
  let above_up := Z.max 0 (n - 1 - c) * cu in
  let above_down := (c + 1) * (ct - cu) in
  let x0 := below_down - below_up in
  let x1 := above_down - above_up in
  let unit := (t + u) * f * scale in
  valid w && (0 <=? bits) && (0 <=? first_c) && (first_c <? n) && (0 <=? first_a) && (first_a <=? first_c)
  && (0 <? u) && (u <? t) && (0 <? cu) && (cu <? ct) && (0 <? f) && (f <=? e) && (e * u <=? t * f) && (0 <? x0) && (0 <? x1) && (0 <? scale) && (0 <? weight w)
  && (0 <? delta_denominator)
  && (((one * below_up * x1 + mass_high w * above_down * x0) * unit + total w * (x0 * x1)) * delta_denominator
      <=? delta_numerator * (weight w * unit * (x0 * x1))).

End Program.
