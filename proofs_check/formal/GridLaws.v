(* First arrival in integers that are rounded up on a grid, for Coq's kernel: the programs, and why a law on the grid may stand for another.
   T = t/u, E = e/f, the one level is eta = a/b.

   The grid has m points to a unit, and a window of them. Laws on the grid are given, with masses that are multiples of 2^-bits; the program compares
   them with the exact ones at every hinge, and a law that is below another may be left out.

     held_mean      no convex, nondecreasing, nonnegative function has a larger mean under a law than under one on the grid that passed.
   (docs/mathematics/controlled-sum.md) *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ zify ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition ConvexOrder ControlledSum FiveCorners Blocks Programs Integers Numbers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Section Programs.
Local Open Scope Z_scope.

(* An atom ((x, h), (p, q)): the value x/h with the probability p/q. *)
Definition rational_atom := ((Z * Z) * (Z * Z))%type.

Definition arrival_atoms (t u e f a b : Z) : seq (seq rational_atom) :=
  let left := b - a in
  let both_low := u * (f - e) * left in let both_low_mass := b * t - a * u in
  let both_high := t * (f - e) * left in let both_high_mass := b * u - a * t in
  let high_one := (t * f - e * u) * left in let high_one_mass := b * u - a * (t + u) in
  let one_high := (u * f - e * t) * left in
  let one_low_mass := b * t - a * (t + u) in
  let once := (t + u) * left in let twice_low := (t + 2 * u) * left in let twice_high := (2 * t + u) * left in
  [:: [:: ((both_low, f * both_low_mass), (both_low_mass, once)); ((both_high, f * both_high_mass), (both_high_mass, once))];
      [:: ((both_low, f * both_low_mass), (both_low_mass, twice_low)); ((high_one, f * high_one_mass), (high_one_mass, twice_low));
          ((one_high, u * f * b), (u * b, twice_low))];
      [:: ((high_one, f * high_one_mass), (high_one_mass, once)); ((one_high, t * f * b), (t * b, once))];
      [:: ((one_high, u * f * b), (u * b, once)); ((high_one, f * one_low_mass), (one_low_mass, once))];
      [:: ((both_high, f * both_high_mass), (both_high_mass, twice_high)); ((high_one, f * one_low_mass), (one_low_mass, twice_high));
          ((one_high, t * f * b), (t * b, twice_high))]].

Definition clone_atoms (t u e f a b : Z) : seq (seq rational_atom) :=
  let left := b - a in let once := (t + u) * left in
  let high_one_mass := b * u - a * (t + u) in let both_high_mass := b * u - a * t in
  [:: [:: (((t * f - e * u) * left, f * high_one_mass), (high_one_mass, once)); (((u * f - e * t) * left, u * f * b), (u * b, once));
          ((0, 1), (b * (t - u), once))];
      [:: ((t * (f - e) * left, f * both_high_mass), (both_high_mass, t * left)); ((0, 1), (b * (t - u), t * left))]].

Definition atom_is_valid (x : rational_atom) : bool := [&& 0 <? x.1.2, 0 <=? x.2.1 & 0 <? x.2.2].

Definition add_fractions (x y : Z * Z) : Z * Z := (x.1 * y.2 + y.1 * x.2, x.2 * y.2).

(* The total mass of a law, and m times its mean positive part beyond z/m. *)
Definition total_of (c : seq rational_atom) : Z * Z := foldr (fun x sum => add_fractions x.2 sum) (0, 1) c.
Definition hinge_of (m z : Z) (c : seq rational_atom) : Z * Z :=
  foldr (fun x sum => add_fractions (x.2.1 * Z.max (x.1.1 * m - z * x.1.2) 0, x.2.2 * x.1.2) sum) (0, 1) c.

(* The same of a law on the grid: its points, and its masses times 2^bits. *)
Definition total_held (l : seq (Z * Z)) : Z := foldr (fun y sum => y.2 + sum) 0 l.
Definition hinge_held (z : Z) (l : seq (Z * Z)) : Z := foldr (fun y sum => y.2 * Z.max (y.1 - z) 0 + sum) 0 l.

Definition on_grid (reach : Z) (l : seq (Z * Z)) : bool := all (fun y => [&& - reach <=? y.1, y.1 <=? reach & 0 <=? y.2]) l.

Definition hinge_below (m one z : Z) (c : seq rational_atom) (l : seq (Z * Z)) : bool := one * (hinge_of m z c).1 <=? hinge_held z l * (hinge_of m z c).2.

Definition law_below (m one : Z) (reach : nat) (c : seq rational_atom) (l : seq (Z * Z)) : bool :=
  [&& all atom_is_valid c, one * (total_of c).1 <=? total_held l * (total_of c).2
    & all (fun i => hinge_below m one (Z.of_nat i - Z.of_nat reach) c l) (iota 0 (2 * reach).+1)].

(* Every law of C has one on the grid above it. *)
Definition laws_held (m one : Z) (reach : nat) (C : seq (seq rational_atom)) (laws : seq (seq (Z * Z))) : bool :=
  all (on_grid (Z.of_nat reach)) laws && all (fun c => has (law_below m one reach c) laws) C.

(* Points are counted from `reach` below. *)
Definition grid_law (reach : nat) (l : seq (Z * Z)) : seq (nat * Z) := [seq (Z.to_nat (y.1 + Z.of_nat reach), y.2) | y <- l].

(* The mean under a law of what is held at the points around one, the first of them `reach` below it. *)
Definition mean_held (held : seq Z) (c : seq (nat * Z)) : Z := foldr (fun x sum => x.2 * nth 0 held x.1 + sum) 0 c.

Definition best_held (bits : Z) (laws : seq (seq (nat * Z))) (held : seq Z) : Z :=
  foldr Z.max 0 [seq 1 + Z.shiftr (mean_held held c) bits | c <- laws].

Fixpoint pass (bits : Z) (laws : seq (seq (nat * Z))) (points : nat) (held : seq Z) : seq Z :=
  if points is points'.+1 then best_held bits laws held :: pass bits laws points' (behead held) else [::].

(* Beyond the window. *)
Definition extended (unit : Z) (reach : nat) (held : seq Z) : seq Z :=
  nseq reach (head 0 held) ++ held ++ mkseq (fun d => last 0 held + Z.of_nat d.+1 * unit) reach.

(* What is held at 0 after 1, 2, ... steps. The window begins at -below and has 0 among its points. *)
Fixpoint run (bits unit : Z) (reach below : nat) (laws : seq (seq (nat * Z))) (steps : nat) (held : seq Z) : seq Z :=
  if steps is steps'.+1 then
    let next := pass bits laws (size held) (extended unit reach held) in
    nth 0 next below :: run bits unit reach below laws steps' next
  else [::].

Definition at_start (unit : Z) (below above : nat) : seq Z := mkseq (fun i => Z.max 0 (Z.of_nat i - Z.of_nat below) * unit) (below + above).+1.

(* Bin(n, a/b)(0), Bin(n, a/b)(1), ... times `whole`, rounded up. *)
Fixpoint masses (n a b : Z) (steps : nat) (r mass : Z) : seq Z :=
  if steps is steps'.+1 then mass :: masses n a b steps' (r + 1) (quotient_up (mass * ((n - r) * a)) ((r + 1) * (b - a))) else [::].

Definition nobody (n : nat) (a b whole : Z) : Z := iter n (fun x => quotient_up (x * (b - a)) b) whole.

(* The sum over r = 1, ..., n of Bin(n, a/b)(r) V_(n + 1 - r)(0)/(n + 1 - r). values: V_1(0), ..., V_n(0). *)
Fixpoint pooled (masses values : seq Z) (left : Z) : Z :=
  if masses is mass :: masses' then
    if values is value :: values' then quotient_up (mass * value) left + pooled masses' values' (left - 1) else 0
  else 0.

Definition arrival_delta_le (n : nat) (t u e f a b numerator denominator m bits unit whole : Z) (reach below above : nat)
    (laws laws_left : seq (seq (Z * Z))) (steps_left : nat) : bool :=
  let start := at_start unit below above in
  let values := run bits unit reach below [seq grid_law reach l | l <- laws] n start in
  let value_left := last 0 (run bits unit reach below [seq grid_law reach l | l <- laws_left] steps_left start) in
  let first := nobody n a b whole in
  let total := pooled (behead (masses (Z.of_nat n) a b n.+1 0 first)) (rev values) (Z.of_nat n) + quotient_up (first * value_left) (Z.of_nat steps_left) in
  [&& [&& 0 <? u, u <? t, 0 <? f, 0 <? a & a * (t + u) <? b * u], [&& 0 <? m, 0 <=? bits, 0 <? unit, 0 <? whole & 0 <? denominator],
      laws_held m (2 ^ bits) reach (arrival_atoms t u e f a b) laws, laws_held m (2 ^ bits) reach (clone_atoms t u e f a b) laws_left,
      (0 < steps_left <= n.+1)%N & total * denominator <=? numerator * (whole * (m * unit))].

End Programs.

Section Indices.
Local Open Scope Z_scope.
Lemma Z_after low k : low + Z.of_nat k + 1 = low + Z.of_nat k.+1. Proof. lia. Qed.
Lemma Z_counted reach i : Z.of_nat i - Z.of_nat reach = - Z.of_nat reach + Z.of_nat i. Proof. lia. Qed.
Lemma Z_twice reach : - Z.of_nat reach + Z.of_nat (2 * reach)%N = Z.of_nat reach. Proof. lia. Qed.
End Indices.

Section Held.
Variables (R : realFieldType) (m one : Z).
Hypotheses (m_gt0 : (0 < m)%Z) (one_gt0 : (0 < one)%Z).
Local Notation inR := (of_Z R).

Definition fraction (y : Z * Z) : R := inR y.1 / inR y.2.
Definition atoms_law (c : seq rational_atom) : loss R := [seq (fraction x.1, fraction x.2) | x <- c].
Definition grid_point (z : Z) : R := inR z / inR m.
Definition held_law (l : seq (Z * Z)) : loss R := [seq (grid_point y.1, inR y.2 / inR one) | y <- l].

Let m0 : 0 < inR m. Proof. exact: of_Z_gt0. Qed.
Let m_neq0 : inR m != 0. Proof. by rewrite gt_eqF. Qed.
Let one0 : 0 < inR one. Proof. exact: of_Z_gt0. Qed.
Let one_neq0 : inR one != 0. Proof. by rewrite gt_eqF. Qed.

Lemma point_le y z : (y <= z)%Z -> grid_point y <= grid_point z.
Proof. by move=> yz; rewrite /grid_point ler_wpmul2r ?invr_ge0 ?(ltW m0) // of_Z_le. Qed.

Lemma fraction_add x y : (0 < x.2)%Z -> (0 < y.2)%Z -> fraction (add_fractions x y) = fraction x + fraction y /\ (0 < (add_fractions x y).2)%Z.
Proof.
move=> x0 y0; split; last exact: Z.mul_pos_pos.
have [x1 y1] : inR x.2 != 0 /\ inR y.2 != 0 by rewrite !gt_eqF ?of_Z_gt0.
by rewrite /fraction /add_fractions /= of_ZD !of_ZM; field; rewrite x1 y1.
Qed.

Lemma measure_law_of c : all atom_is_valid c -> measure (atoms_law c).
Proof.
move=> valid x /mapP[y y_in ->] /=; have /and3P[_ /Z.leb_le p0 /Z.ltb_lt q0] := allP valid y y_in.
by apply: divr_ge0; [apply: of_Z_ge0 | apply: ltW; apply: of_Z_gt0].
Qed.

Lemma measure_held_law reach l : on_grid reach l -> measure (held_law l).
Proof.
move=> grid x /mapP[y y_in ->] /=; have /and3P[_ _ /Z.leb_le p0] := allP grid y y_in.
by rewrite divr_ge0 ?(ltW one0) // of_Z_ge0.
Qed.

Lemma total_of_is c : all atom_is_valid c -> fraction (total_of c) = total_mass (atoms_law c) /\ (0 < (total_of c).2)%Z.
Proof.
rewrite /total_mass /atoms_law big_map; elim: c => [|x c IH] /=; first by rewrite big_nil /fraction /= of_Z0 mul0r.
case/andP=> /and3P[_ _ /Z.ltb_lt q0] /IH[total_is den0]; rewrite big_cons -total_is /=; exact: fraction_add.
Qed.

Lemma hinge_of_is z c : all atom_is_valid c -> fraction (hinge_of m z c) = inR m * positive (atoms_law c) (- grid_point z) /\ (0 < (hinge_of m z c).2)%Z.
Proof.
rewrite /positive /atoms_law big_map; elim: c => [|x c IH] /=; first by rewrite big_nil /fraction /= of_Z0 mul0r mulr0.
case/andP=> /and3P[/Z.ltb_lt h0 _ /Z.ltb_lt q0] /IH[hinge_is den0]; rewrite big_cons mulrDr -hinge_is /=.
have [h1 q1] : 0 < inR x.1.2 /\ inR x.2.2 != 0 by rewrite of_Z_gt0 // gt_eqF // of_Z_gt0.
have den : (0 < x.2.2 * x.1.2)%Z by apply: Z.mul_pos_pos.
have [-> den1] := fraction_add (x := (x.2.1 * Z.max (x.1.1 * m - z * x.1.2) 0, x.2.2 * x.1.2)%Z) den den0; split=> //; congr (_ + _).
have -> : - grid_point z + fraction x.1 = inR (x.1.1 * m - z * x.1.2)%Z / (inR m * inR x.1.2).
  by rewrite /grid_point /fraction of_ZB !of_ZM; field; rewrite m_neq0 gt_eqF.
have mh0 : 0 <= (inR m * inR x.1.2)^-1 by rewrite invr_ge0 mulr_ge0 ?ltW.
rewrite -[X in Num.max _ X](mul0r (inR m * inR x.1.2)^-1) -maxr_pmull // -of_Z0 -of_Z_max /fraction /= !of_ZM.
by field; rewrite m_neq0 q1 gt_eqF.
Qed.

Lemma total_held_is l : inR (total_held l) = inR one * total_mass (held_law l).
Proof.
rewrite /total_mass /held_law big_map; elim: l => [|y l IH] /=; first by rewrite big_nil of_Z0 mulr0.
by rewrite of_ZD big_cons mulrDr -IH /=; congr (_ + _); rewrite mulrC divfK.
Qed.

Lemma hinge_held_is z l : inR (hinge_held z l) = inR one * (inR m * positive (held_law l) (- grid_point z)).
Proof.
rewrite /positive /held_law big_map; elim: l => [|y l IH] /=; first by rewrite big_nil of_Z0 !mulr0.
rewrite of_ZD big_cons !mulrDr -IH /=; congr (_ + _); have -> : - grid_point z + grid_point y.1 = inR (y.1 - z)%Z / inR m.
  by rewrite /grid_point of_ZB; field; rewrite m_neq0.
rewrite -[X in Num.max _ X](mul0r (inR m)^-1) -maxr_pmull ?invr_ge0 ?(ltW m0) // -of_Z0 -of_Z_max of_ZM.
by field; rewrite m_neq0 one_neq0.
Qed.

Lemma below_at z c l : all atom_is_valid c -> hinge_below m one z c l -> positive (atoms_law c) (- grid_point z) <= positive (held_law l) (- grid_point z).
Proof.
move=> valid /Z.leb_le; have [hinge_is den0] := hinge_of_is z valid; move/(of_Z_le R); rewrite !of_ZM hinge_held_is.
have d0 := of_Z_gt0 R den0; rewrite -ler_pdivr_mulr // -mulrA ler_pmul2l // -/(fraction (hinge_of m z c)) hinge_is.
by rewrite ler_pmul2l.
Qed.

(* Between two points of the grid what is on the grid is linear, and the other convex. *)
Lemma positive_convex (c : loss R) (theta x y : R) : measure c -> 0 <= theta <= 1 ->
  positive c (theta * x + (1 - theta) * y) <= theta * positive c x + (1 - theta) * positive c y.
Proof.
move=> c0 theta01; have no_laws : measures ([::] : seq (loss R)) by [].
have [convex_max _ _] := @V_test R [::] 0 no_laws.
rewrite /positive !mulr_sumr -big_split /= big_seq [leRHS]big_seq; apply: ler_sum => i i_in.
rewrite !(mulrCA _ i.2) -mulrDr ler_wpmul2l ?c0 //; apply: le_trans (convex_max theta (x + i.1) (y + i.1) theta01).
by rewrite /V le_eqVlt; apply/orP; left; apply/eqP; congr (Num.max _ _); ring.
Qed.

Lemma positive_slope (c : loss R) (t d : R) : measure c -> 0 <= d -> positive c t <= positive c (t + d) <= positive c t + d * total_mass c.
Proof.
move=> c0 d0; rewrite /positive /total_mass mulr_sumr -big_split /= ![X in _ <= X <= _]big_seq big_seq [X in _ && (_ <= X)]big_seq.
apply/andP; split; apply: ler_sum => i i_in; first by rewrite ler_wpmul2l ?c0 // le_maxl !le_maxr lexx orbT andbT -addrA [d + _]addrC addrA ler_addl d0.
rewrite [d * _]mulrC -mulrDr ler_wpmul2l ?c0 //; have := positive_part_add (t + i.1) d; by rewrite (max_idPl d0) addrAC.
Qed.

Lemma below_on_cell z c l t : all atom_is_valid c -> measure (held_law l) -> hinge_below m one z c l -> hinge_below m one (z + 1) c l ->
  grid_point z <= - t <= grid_point (z + 1) -> positive (atoms_law c) t <= positive (held_law l) t.
Proof.
move=> valid l0 at_z at_z1; have next : grid_point (z + 1) = grid_point z + (inR m)^-1 by rewrite /grid_point of_ZD of_Z1 mulrDl mul1r.
move=> /andP[low high]; pose theta := inR m * (grid_point (z + 1) + t).
have theta0 : 0 <= theta by rewrite pmulr_rge0 // -[t]opprK subr_ge0.
have theta1 : theta <= 1.
  have -> : 1 = inR m * (grid_point (z + 1) - grid_point z) by rewrite next; field.
  by rewrite ler_pmul2l // ler_add2l ler_oppr.
have t_is : t = theta * (- grid_point z) + (1 - theta) * (- grid_point (z + 1)) by rewrite /theta next; field.
have theta01 : 0 <= theta <= 1 by rewrite theta0.
have c_le := positive_convex (- grid_point z) (- grid_point (z + 1)) (measure_law_of valid) theta01; rewrite -t_is in c_le.
apply: le_trans c_le _; have left0 : 0 <= 1 - theta by rewrite subr_ge0.
apply: (@le_trans _ _ (theta * positive (held_law l) (- grid_point z) + (1 - theta) * positive (held_law l) (- grid_point (z + 1)))).
  by apply: ler_add; rewrite ler_wpmul2l // below_at.
rewrite /positive !mulr_sumr -big_split /= big_seq [leRHS]big_seq; apply: ler_sum => i i_in.
rewrite !(mulrCA _ i.2) -mulrDr ler_wpmul2l ?l0 //; case/mapP: i_in => y _ -> /=.
have [y_le|y_gt] := Z.le_gt_cases y.1 z.
  have [pz pz1] : grid_point y.1 <= grid_point z /\ grid_point y.1 <= grid_point (z + 1) by split; apply: point_le => //; clear -y_le; lia.
  have max_z : Num.max (- grid_point z + grid_point y.1) 0 = 0 by apply/max_idPr; rewrite addrC subr_le0.
  have max_z1 : Num.max (- grid_point (z + 1) + grid_point y.1) 0 = 0 by apply/max_idPr; rewrite addrC subr_le0.
  by rewrite max_z max_z1 !mulr0 addr0 le_maxr lexx orbT.
have [pz pz1] : grid_point z <= grid_point y.1 /\ grid_point (z + 1) <= grid_point y.1 by split; apply: point_le => //; clear -y_gt; lia.
have max_z : Num.max (- grid_point z + grid_point y.1) 0 = - grid_point z + grid_point y.1 by apply/max_idPl; rewrite addrC subr_ge0.
have max_z1 : Num.max (- grid_point (z + 1) + grid_point y.1) 0 = - grid_point (z + 1) + grid_point y.1 by apply/max_idPl; rewrite addrC subr_ge0.
rewrite max_z max_z1 le_maxr; apply/orP; left; rewrite [X in _ <= X + _]t_is le_eqVlt; apply/orP; left; apply/eqP; move: (theta) (grid_point z) (grid_point (z + 1)) (grid_point y.1) => x0 x1 x2 x3; ring.
Qed.

Lemma on_cells (P : Prop) low x k : (forall i, (i < k)%N -> grid_point (low + Z.of_nat i) <= x <= grid_point (low + Z.of_nat i + 1) -> P) ->
  grid_point low <= x -> x < grid_point (low + Z.of_nat k) -> P.
Proof.
elim: k => [|k IH] cells above below_x.
  by move: (le_lt_trans above below_x); rewrite Z.add_0_r ltxx.
case: (ltP x (grid_point (low + Z.of_nat k))) => [x_lt|x_ge]; first by apply: IH => // i i_lt; apply: cells; rewrite ltnS ltnW.
by apply: (cells k) => //; rewrite x_ge Z_after (ltW below_x).
Qed.

Lemma law_below_is reach c l : on_grid (Z.of_nat reach) l -> law_below m one reach c l ->
  total_mass (atoms_law c) <= total_mass (held_law l) /\ below (atoms_law c) (held_law l).
Proof.
move=> grid /and3P[valid /Z.leb_le totals hinges]; have l0 := measure_held_law grid.
have masses : total_mass (atoms_law c) <= total_mass (held_law l).
  have [<- den0] := total_of_is valid; move/(of_Z_le R): totals; rewrite !of_ZM total_held_is.
  have d0 := of_Z_gt0 R den0; by rewrite -ler_pdivr_mulr // -mulrA ler_pmul2l.
have at_z i : (i <= 2 * reach)%N -> hinge_below m one (- Z.of_nat reach + Z.of_nat i) c l.
  move=> i_le; have /(_ i) := allP hinges; rewrite mem_iota add0n ltnS i_le => /(_ isT).
  by rewrite Z_counted.
split=> // t; have c0 := measure_law_of valid.
have first_is : (- Z.of_nat reach = - Z.of_nat reach + Z.of_nat 0)%Z by rewrite Z.add_0_r.
case: (leP (grid_point (- Z.of_nat reach)) (- t)) => [inside|/ltW beyond]; last first.
  pose d := t + grid_point (- Z.of_nat reach); have d0 : 0 <= d by rewrite /d -[t]opprK addrC subr_ge0.
  have -> : t = - grid_point (- Z.of_nat reach) + d by rewrite /d; ring.
  have /andP[_ c_le] := positive_slope (- grid_point (- Z.of_nat reach)) c0 d0; apply: le_trans c_le _.
  have start := below_at valid (at_z 0%N (leq0n _)); rewrite -first_is in start.
  apply: le_trans (ler_add start (ler_wpmul2l d0 masses)) _.
  rewrite /positive /total_mass mulr_sumr -big_split /= big_seq [leRHS]big_seq; apply: ler_sum => i /mapP[y y_in ->] /=.
  have /and3P[/Z.leb_le y_ge _ /Z.leb_le y0] := allP grid y y_in; have low := point_le y_ge.
  have -> : Num.max (- grid_point (- Z.of_nat reach) + grid_point y.1) 0 = - grid_point (- Z.of_nat reach) + grid_point y.1 by apply/max_idPl; rewrite addrC subr_ge0.
  by rewrite [d * _]mulrC -mulrDr ler_wpmul2l ?divr_ge0 ?(ltW one0) ?of_Z_ge0 // le_maxr addrAC lexx.
case: (ltP (- t) (grid_point (- Z.of_nat reach + Z.of_nat (2 * reach)))) => [below_end|beyond].
  apply: (on_cells _ inside below_end) => i i_lt cell; apply: (below_on_cell valid l0 _ _ cell); first by apply: at_z; rewrite ltnW.
  by rewrite Z_after at_z.
pose d := - t - grid_point (- Z.of_nat reach + Z.of_nat (2 * reach)); have d0 : 0 <= d by rewrite subr_ge0.
have /andP[c_le _] := positive_slope t c0 d0; apply: le_trans c_le _; rewrite /d addrA subrr sub0r.
apply: le_trans (below_at valid (at_z _ (leqnn _))) _; rewrite /positive big1_seq; last first.
  move=> i /andP[_ /mapP[y y_in ->]] /=; have /and3P[_ /Z.leb_le y_le _] := allP grid y y_in.
  by rewrite (max_idPr _) ?mulr0 // addrC subr_le0 Z_twice; apply: point_le.
by rewrite big_seq; apply: sumr_ge0 => i i_in; rewrite mulr_ge0 ?l0 // le_maxr lexx orbT.
Qed.

Theorem held_mean f reach c l : test f -> on_grid (Z.of_nat reach) l -> law_below m one reach c l ->
  inR one * mean f (atoms_law c) <= \sum_(y <- l) inR y.2 * f (grid_point y.1).
Proof.
move=> test_f grid /(law_below_is grid)[masses hinges]; have := below_mean masses hinges test_f.
move/(ler_wpmul2l (ltW one0))/le_trans; apply; rewrite /mean big_map mulr_sumr le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_bigr => y _ /=; field.
Qed.

End Held.
