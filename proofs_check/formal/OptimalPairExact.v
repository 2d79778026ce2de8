(* The divergence of the optimal pair of (p, beta, q) for up to about a hundred users, exactly, by a program whose number of steps is a cubic
   polynomial in n where `pair_total` of OptimalPairNumbers.v takes 4^n.

     binomial_recursion   P(k + 1, a, b) = x P(k, a + 1, b) + y P(k, a, b + 1) gives
                          P(k, a, b) = sum_i C(k, i) x^i y^(k - i) P(0, a + i, b + k - i);
     pair_total_sums      so that with the masses side, side, d, none and the scores s_0, s_1, s_d, 0 of another user's messages
                          E[(s + sum of n scores)_+] = sum_m C(n, m) none^(n - m) sum_j C(m, j) d^(m - j) side^j
                                                         sum_i C(j, i) (s + i s_0 + (j - i) s_1 + (m - j) s_d)_+;
     pair_sum_is_total    the program pair_sum computes it;
     pair_sum_is_sound    where the program answers true, D_E(P || Q) is the given fraction. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ zify ring.
From Shuffleproof Require Import Definitions PairDefinitions Programs Integers ExactNumbers OptimalPairNumbers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Section Binomial.
Variable V : comRingType.

Lemma pascal_sum k (T : nat -> V) :
  \sum_(i < k.+1) 'C(k, i)%:R * T i.+1 + \sum_(i < k.+1) 'C(k, i)%:R * T i = \sum_(i < k.+2) 'C(k.+1, i)%:R * T i.
Proof.
have -> : \sum_(i < k.+1) 'C(k, i)%:R * T i = T 0%N + \sum_(i < k.+1) 'C(k, i.+1)%:R * T i.+1.
  transitivity (\sum_(i < k.+2) 'C(k, i)%:R * T i); last by rewrite big_ord_recl /= bin0 mul1r.
  by rewrite [RHS]big_ord_recr /= bin_small // mul0r addr0.
rewrite [RHS]big_ord_recl /= bin0 mul1r addrCA -big_split /=; congr (_ + _); apply: eq_bigr => i _.
by rewrite binS natrD mulrDl addrC.
Qed.

Lemma binomial_recursion (x y : V) (P : nat -> nat -> nat -> V) :
    (forall k a b, P k.+1 a b = x * P k a.+1 b + y * P k a b.+1) ->
  forall k a b, P k a b = \sum_(i < k.+1) 'C(k, i)%:R * (x ^+ i * y ^+ (k - i) * P 0%N (a + i)%N (b + (k - i))%N).
Proof.
move=> step; elim=> [|k IH] a b; first by rewrite big_ord_recl big_ord0 addr0 bin0 !mul1r !addn0.
rewrite step !IH !mulr_sumr -(pascal_sum k (fun i => x ^+ i * y ^+ (k.+1 - i) * P 0%N (a + i)%N (b + (k.+1 - i))%N)).
congr (_ + _); apply: eq_bigr => i _; rewrite mulrCA; congr (_ * _).
  by rewrite subSS exprS addSnnS !mulrA.
by rewrite subSn -1?ltnS // exprS addSnnS !mulrA [y * x ^+ i]mulrC.
Qed.

End Binomial.

Section Program.
Local Open Scope Z_scope.

(* The sum of c_i max(s + i step, 0) over a row c. *)
Fixpoint slice (row : seq Z) (s step : Z) : Z := if row is c :: rest then c * Z.max s 0 + slice rest (s + step) step else 0.

(* The sum of l_j x^j y^(k - j) over a row l of k + 1, and y^(k + 1). *)
Fixpoint horner (x y : Z) (l : seq Z) : Z * Z := if l is a :: rest then let (v, w) := horner x y rest in (a * w + x * v, y * w) else (0, 1).

(* c_j times the slice of the j-th row of Pascal's triangle, where s moves by `move` from one to the next. *)
Fixpoint weighted_slices (row : seq Z) (rows : seq (seq Z)) (s move step : Z) : seq Z :=
  if row is c :: rest then if rows is r :: rest_rows then c * slice r s step :: weighted_slices rest rest_rows (s + move) move step else [::] else [::].

Fixpoint weighted_middles (row : seq Z) (all rows : seq (seq Z)) (side d s_d s_1 step s : Z) : seq Z :=
  if row is c :: rest then
    if rows is r :: rest_rows
    then c * fst (horner side d (weighted_slices r all s (s_1 - s_d) step)) :: weighted_middles rest all rest_rows side d s_d s_1 step (s + s_d)
    else [::]
  else [::].

Fixpoint triangle (row : seq Z) (n : nat) : seq (seq Z) := if n is m.+1 then row :: triangle (next_row row) m else [::].

Variables t u b c g h e f : Z.

Definition pair_sum (n : nat) : Z :=
  let rows := triangle [:: 1] n.+1 in
  fst (horner 1 (mass_none t u b c g h)
    (weighted_middles (last [::] rows) rows rows (mass_side t b h) (mass_center t u b c h) (score_d t g e f) (score_1 t u g e f)
       (score_0 t u g e f - score_1 t u g e f) 0)).

Definition pair_sum_is (n : nat) (numerator denominator : Z) : bool :=
  [&& pair_valid t u b c g h f, 0 <? denominator & pair_sum n * denominator =? numerator * pair_denominator t u c g h f n].

End Program.

Section Sums.
Variables t u b c g h e f : Z.
Local Notation side := (mass_side t b h).
Local Notation center := (mass_center t u b c h).
Local Notation none := (mass_none t u b c g h).
Local Notation s_0 := (score_0 t u g e f).
Local Notation s_1 := (score_1 t u g e f).
Local Notation s_d := (score_d t g e f).
Local Notation total := (pair_total t u b c g h e f).

(* m messages that are not `none`, then n of any kind. *)
Fixpoint not_none (m n : nat) (s : Z) : Z :=
  if m is m'.+1 then side * (not_none m' n (s + s_0) + not_none m' n (s + s_1)) + center * not_none m' n (s + s_d) else total n s.

(* j messages 0 or 1, by their number. *)
Fixpoint sided (j m : nat) (s : Z) : Z := if j is j'.+1 then sided j' m (s + s_0) + sided j' m (s + s_1) else not_none m 0 s.

Lemma not_none_step m n s : not_none m n.+1 s = not_none m.+1 n s + none * not_none m n s.
Proof.
elim: m s => [|m IH] s; first by rewrite /=; ring.
by rewrite [LHS]/= !IH /=; ring.
Qed.

Lemma sided_step j m s : sided j m.+1 s = side * sided j.+1 m s + center * sided j m (s + s_d).
Proof.
elim: j s => [|j IH] s; first by rewrite /=; ring.
rewrite [LHS]/= !IH /= -!Z.add_assoc ![Z.add s_d _]Z.add_comm; ring.
Qed.

Lemma pair_total_sums n s : total n s =
  \sum_(m < n.+1) 'C(n, m)%:R * (none ^+ (n - m) *
    \sum_(j < m.+1) 'C(m, j)%:R * (side ^+ j * center ^+ (m - j) *
      \sum_(i < j.+1) 'C(j, i)%:R * Z.max (s + s_d *+ (m - j) + s_0 *+ i + s_1 *+ (j - i)) 0)).
Proof.
pose P n a (_ : nat) := not_none a n s.
have stepP k a z : P k.+1 a z = 1 * P k a.+1 z + none * P k a z.+1 by rewrite mul1r /P not_none_step.
transitivity (P n 0%N 0%N); first by [].
rewrite (binomial_recursion stepP); apply: eq_bigr => m _; rewrite expr1n mul1r add0n /P; congr (_ * (_ * _)) => {P stepP}.
have moved x y k : (x + y *+ k + y = x + y *+ k.+1)%Z.
  by rewrite mulrS -[(y + y *+ k)%R]/(Z.add y (y *+ k)) -Z.add_assoc [Z.add (y *+ k) y]Z.add_comm.
pose P m a z := sided a m (s + s_d *+ z).
have stepP k a z : P k.+1 a z = side * P k a.+1 z + center * P k a z.+1.
  by rewrite /P sided_step moved.
transitivity (P m 0%N 0%N); first by rewrite /P mulr0n Z.add_0_r.
rewrite (binomial_recursion stepP); apply: eq_bigr => j _; rewrite !add0n /P; congr (_ * (_ * _)) => {P stepP}.
set s' := (s + _)%Z; pose P j a z := sided j 0 (s' + s_0 *+ a + s_1 *+ z).
have stepP k a z : P k.+1 a z = 1 * P k a.+1 z + 1 * P k a z.+1.
  have swap : (s' + s_0 *+ a + s_1 *+ z + s_0 = s' + s_0 *+ a.+1 + s_1 *+ z)%Z by rewrite -moved -!Z.add_assoc [Z.add s_0 _]Z.add_comm.
  by rewrite !mul1r /P /= swap moved.
transitivity (P j 0%N 0%N); first by rewrite /P !mulr0n !Z.add_0_r.
rewrite (binomial_recursion stepP); apply: eq_bigr => i _; rewrite !add0n !expr1n !mul1r /P; congr (_ * _).
Qed.

(* The program's parts. *)
Lemma slice_sum (F : nat -> Z) a n s step :
  slice [seq F k | k <- iota a n] s step = \sum_(i < n) F (a + i)%N * Z.max (s + step *+ i) 0.
Proof.
elim: n a s => [|n IH] a s; first by rewrite big_ord0.
rewrite big_ord_recl /= IH addn0 mulr0n Z.add_0_r; congr (_ + _); apply: eq_bigr => i _.
by rewrite addSnnS mulrS -[(step + step *+ i)%R]/(Z.add step (step *+ i)) Z.add_assoc.
Qed.

Lemma horner_sum (F : nat -> Z) (x y : Z) a n :
  fst (horner x y [seq F k | k <- iota a n]) = \sum_(j < n) F (a + j)%N * (x ^+ j * y ^+ (n.-1 - j)) /\
  snd (horner x y [seq F k | k <- iota a n]) = y ^+ n.
Proof.
elim: n a => [|n IH] a; first by rewrite big_ord0.
have [first second] := IH a.+1; rewrite [iota _ _]/= [map _ _]/= [horner _ _ _]/=.
case: (horner _ _ _) first second => v w /= -> ->; split; last by rewrite exprS.
rewrite big_ord_recl /= addn0 subn0 mul1r; congr (_ + _).
rewrite -[LHS]/(x * \sum_(j < n) F (a.+1 + j)%N * (x ^+ j * y ^+ (n.-1 - j))) mulr_sumr; apply: eq_bigr => j _.
rewrite mulrCA addSnnS exprS -mulrA; congr (_ * (_ * (_ * _ ^+ _))).
by rewrite /bump /= add1n -subn1 -subnDA add1n.
Qed.

Lemma weighted_slices_map (F : nat -> Z) (r : nat -> seq Z) a n n' s move step : (n <= n')%N ->
  weighted_slices [seq F k | k <- iota a n] [seq r k | k <- iota a n'] s move step =
  [seq F k * slice (r k) (s + move *+ (k - a)) step | k <- iota a n]%Z.
Proof.
elim: n n' a s => [|n IH] [|n'] a s //= nn'; rewrite subnn mulr0n Z.add_0_r IH //; congr cons; apply/eq_in_map => k.
rewrite mem_iota => /andP[ak _]; congr (_ * slice _ _ _)%Z.
by rewrite -[in RHS](subnSK ak) mulrS -[(move + move *+ _)%R]/(Z.add move (move *+ (k - a.+1))) Z.add_assoc.
Qed.

Lemma weighted_middles_map (F : nat -> Z) (r : nat -> seq Z) all a n side' d sd s1 step s :
  weighted_middles [seq F k | k <- iota a n] all [seq r k | k <- iota a n] side' d sd s1 step s =
  [seq F k * fst (horner side' d (weighted_slices (r k) all (s + sd *+ (k - a)) (s1 - sd) step)) | k <- iota a n]%Z.
Proof.
elim: n a s => [|n IH] a s //=; rewrite subnn mulr0n Z.add_0_r IH //; congr cons; apply/eq_in_map => k.
rewrite mem_iota => /andP[ak _]; congr (_ * fst (horner _ _ (weighted_slices _ _ _ _ _)))%Z.
by rewrite -[in RHS](subnSK ak) mulrS -[(sd + sd *+ _)%R]/(Z.add sd (sd *+ (k - a.+1))) Z.add_assoc.
Qed.

Lemma nth_list (A : Type) (x : A) l k : List.nth k l x = nth x l k.
Proof. by elim: l k => [|y l IH] [|k] /=. Qed.

Lemma pascal_map m : pascal m = [seq 'C(m, k)%:R | k <- iota 0 m.+1].
Proof.
have size_pascal : size (pascal m) = m.+1 by rewrite -[size _]/(List.length (pascal m)) length_pascal.
apply: (@eq_from_nth _ 0%Z) => [|k]; rewrite size_pascal ?size_map ?size_iota // => k_small.
by rewrite -nth_list nth_pascal (nth_map 0%N) ?size_iota // nth_iota // add0n; lia.
Qed.

Lemma triangle_map k n : triangle (pascal k) n = [seq pascal i | i <- iota k n].
Proof. by elim: n k => //= n IH k; rewrite -[next_row (pascal k)]/(pascal k.+1) IH. Qed.

Lemma multiple (x : Z) k : x *+ k = (x * Z.of_nat k)%Z.
Proof.
elim: k => [|k IH]; first by rewrite mulr0n Z.mul_0_r.
by rewrite mulrS IH Nat2Z.inj_succ -Z.add_1_r Z.mul_add_distr_l Z.mul_1_r [RHS]Z.add_comm.
Qed.

Theorem pair_sum_is_total n : pair_sum t u b c g h e f n = total n 0.
Proof.
rewrite /pair_sum -[[:: 1%Z]]/(pascal 0) triangle_map pair_total_sums.
set rows := [seq pascal i | i <- iota 0 n.+1]; have -> : last [::] rows = [seq 'C(n, k)%:R | k <- iota 0 n.+1].
  by rewrite -pascal_map /rows -nth_last size_map size_iota (nth_map 0%N) ?size_iota // nth_iota.
rewrite /rows weighted_middles_map (horner_sum _ _ _ _ _).1; apply: eq_bigr => m _.
have product (x y : Z) : Z.mul x y = (x * y)%R by [].
rewrite add0n expr1n mul1r subn0 {1}pascal_map weighted_slices_map //.
rewrite (horner_sum (fun j => 'C(m, j)%:R * slice (pascal j) _ _)%Z _ _ 0 m.+1).1 product -mulrA [X in _ * X]mulrC.
congr (_ * (_ * _)); apply: eq_bigr => j _; rewrite add0n subn0 product -mulrA [X in _ * X]mulrC; congr (_ * (_ * _)).
rewrite pascal_map slice_sum; apply: eq_bigr => i _; rewrite add0n; congr (_ * Z.max _ _).
have [jm ij] := (ltn_ord j, ltn_ord i); rewrite !multiple.
have -> : Z.of_nat m = (Z.of_nat (m - j) + Z.of_nat j)%Z by lia.
have -> : Z.of_nat j = (Z.of_nat (j - i) + Z.of_nat i)%Z by lia.
move: (Z.of_nat _) (Z.of_nat _) (Z.of_nat _) => x y z.
move: s_0 s_1 s_d => a_0 a_1 a_d.
by rewrite !Z.mul_sub_distr_r !Z.mul_add_distr_l; lia.
Qed.

End Sums.

Section Soundness.
Variables (R : realFieldType) (t u b c g h e f : Z).
Local Notation inR := (of_Z R).
Local Notation p_inv := (inR u / inR t).
Local Notation beta := (inR b / inR c).
Local Notation q := (inR g / inR h).
Local Notation E := (inR e / inR f).

Theorem pair_sum_is_sound n numerator denominator : pair_sum_is t u b c g h e f n.+1 numerator denominator ->
  hockey E (pair_P p_inv beta q n) (pair_Q p_inv beta q n) = inR numerator / inR denominator.
Proof.
rewrite /pair_sum_is pair_sum_is_total => answer; have valid : pair_valid t u b c g h f by case/and3P: answer.
exact: pair_delta_is_sound answer.
Qed.

End Soundness.
