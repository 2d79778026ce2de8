(* The controlled sum: losses whose laws may depend on all that came before, each below a mixture of the laws of a finite set C.

     V_test             V_j is convex, nondecreasing and nonnegative;
     controlled_sum     E (t + sum of the losses)_+ <= V_j(t), j the number of losses, for every sequential process. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition ConvexOrder.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Functions.
Variable R : realFieldType.
Implicit Types (f g : R -> R) (a c : loss R) (C : seq (loss R)) (t : R).

Definition convex f : Prop := forall p x y, 0 <= p <= 1 -> f (p * x + (1 - p) * y) <= p * f x + (1 - p) * f y.

(* What the convex order is tested with: convex, nondecreasing, nonnegative. *)
Definition test f : Prop := [/\ convex f, {homo f : x y / x <= y} & forall x, 0 <= f x].

(* E f(X), X of the law a. *)
Definition mean f a : R := \sum_(x <- a) x.2 * f x.1.

(* The largest E f(X) over the laws of C. (0 where C is empty.) *)
Fixpoint best C f : R := if C is c :: C' then Num.max (mean f c) (best C' f) else 0.

(* V_0(t) = t_+, V_(j+1)(t) = max over c in C of E V_j(t + X), X of the law c. *)
Fixpoint V C (j : nat) t : R := if j is j'.+1 then best C (fun x => V C j' (t + x)) else Num.max t 0.

(* The law a is below C: no test function has a larger mean under a than under the law of C that is best for it. *)
Definition under C a : Prop := forall f, test f -> mean f a <= best C f.

Definition measures C : Prop := forall c, c \in C -> measure c.

Lemma measures_cons c C : measures (c :: C) -> measure c /\ measures C.
Proof. by move=> h; split=> [|b b_in]; apply: h; rewrite inE ?eqxx // b_in orbT. Qed.

Lemma mean_le f g a : measure a -> (forall x, f x <= g x) -> mean f a <= mean g a.
Proof. by move=> a0 fg; rewrite /mean big_seq [leRHS]big_seq; apply: ler_sum => x x_in; rewrite ler_wpmul2l ?a0. Qed.

Lemma mean_ge0 f a : measure a -> (forall x, 0 <= f x) -> 0 <= mean f a.
Proof. by move=> a0 f0; rewrite /mean big_seq; apply: sumr_ge0 => x x_in; rewrite mulr_ge0 ?a0. Qed.

Lemma best_le C f g : measures C -> (forall x, f x <= g x) -> best C f <= best C g.
Proof.
elim: C => [|c C IH] //= /measures_cons[c0 C0] fg.
by rewrite le_maxl !le_maxr mean_le //= IH ?orbT.
Qed.

Lemma best_ge0 C f : 0 <= best C f.
Proof. by elim: C => [|c C IH] //=; rewrite le_maxr IH orbT. Qed.

Lemma best_ge C f c : c \in C -> mean f c <= best C f.
Proof. by elim: C => [|b C IH] //=; rewrite inE le_maxr => /orP[/eqP ->|/IH ->]; rewrite ?lexx ?orbT. Qed.

(* Where C is not empty and f is not negative it is one of them. *)
Lemma best_attained C f : C != [::] -> measures C -> (forall x, 0 <= f x) -> exists2 c, c \in C & best C f = mean f c.
Proof.
elim: C => [|c C IH] //= _ /measures_cons[c0 C0] f0; case: C IH C0 => [|b C] IH C0.
  by exists c; rewrite ?mem_head //= (max_idPl _) // mean_ge0.
have [d d_in d_is] := IH isT C0 f0; case: leP => _; last by exists c; rewrite ?mem_head.
by exists d; rewrite // inE d_in orbT.
Qed.

Lemma mean_combination p q f g a : mean (fun x => p * f x + q * g x) a = p * mean f a + q * mean g a.
Proof. by rewrite /mean !mulr_sumr -big_split /=; apply: eq_bigr => x _; ring. Qed.

Lemma best_combination p q C f g : 0 <= p -> 0 <= q -> best C (fun x => p * f x + q * g x) <= p * best C f + q * best C g.
Proof.
move=> p0 q0; elim: C => [|c C IH] /=; first by rewrite !mulr0 addr0.
rewrite le_maxl mean_combination ler_add ?ler_wpmul2l ?le_maxr ?lexx //=.
by apply: le_trans IH _; rewrite ler_add // ler_wpmul2l // le_maxr lexx orbT.
Qed.

Lemma test_shift f t : test f -> test (fun x => f (t + x)).
Proof.
case=> convex_f mono f0; split=> // [p x y p01|x y xy]; last by apply: mono; rewrite ler_add2l.
by apply: le_trans (convex_f p (t + x) (t + y) p01); apply: mono; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

Lemma V_test C j : measures C -> test (V C j).
Proof.
move=> C0; elim: j => [|j [IHc IHm IH0]] /=.
  split=> [p x y /andP[p0 p1]|x y xy|x]; last exact: positive_part_ge0.
    by rewrite -!positive_part_scale ?subr_ge0 //; apply: positive_part_add.
  by rewrite le_maxl !le_maxr xy lexx orbT.
split=> [p x y p01|x y xy|x]; last exact: best_ge0.
  have /andP[p0 p1] := p01; apply: le_trans (best_combination C _ _ p0 _); last by rewrite subr_ge0.
  apply: best_le => // l; apply: le_trans (IHc p (x + l) (y + l) p01).
  by apply: IHm; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
by apply: best_le => // l; apply: IHm; rewrite ler_add2r.
Qed.

Lemma V_ge0 C j t : measures C -> 0 <= V C j t.
Proof. by move=> C0; case: (V_test j C0). Qed.

(* A mixture of the laws of C is below C. *)
Lemma mixture_under C (p : loss R -> R) f (r : seq (loss R)) : {subset r <= C} -> (forall c, 0 <= p c) -> \sum_(c <- r) p c <= 1 ->
  \sum_(c <- r) p c * mean f c <= best C f.
Proof.
move=> rC p0 p1; apply: (@le_trans _ _ ((\sum_(c <- r) p c) * best C f)); last first.
  by rewrite -[leRHS]mul1r ler_wpmul2r ?best_ge0.
by rewrite mulr_suml big_seq [leRHS]big_seq; apply: ler_sum => c c_in; rewrite ler_wpmul2l // best_ge ?rC.
Qed.

End Functions.

Section Process.
Variables (R : realFieldType) (S : finType).
Implicit Types (K L : seq S -> S -> R).

(* The mass of the outputs s where step i has the law K of its history. *)
Definition sequential K n (s : n.-tuple S) : R := \prod_(i < n) K (take i s) (tnth s i).

Lemma sequential_cons K n x (s : n.-tuple S) :
  sequential K [tuple of x :: s] = K [::] x * sequential (fun z => K (x :: z)) s.
Proof. by rewrite /sequential big_ord_recl !tnth0 /=; congr (_ * _); apply: eq_bigr => i _; rewrite !tnthS. Qed.

Lemma sequential_ge0 K n (s : n.-tuple S) : (forall z x, 0 <= K z x) -> 0 <= sequential K s.
Proof. by move=> K0; apply: prodr_ge0. Qed.

(* The steps i with u i have losses. *)
Definition losses L (u : nat -> bool) n (s : n.-tuple S) : R := \sum_(i < n | u i) L (take i s) (tnth s i).

Lemma losses_cons L (u : nat -> bool) n x (s : n.-tuple S) :
  losses L u [tuple of x :: s] = (if u 0%N then L [::] x else 0) + losses (fun z => L (x :: z)) (fun i => u i.+1) s.
Proof.
rewrite /losses [LHS]big_mkcond [in RHS]big_mkcond big_ord_recl !tnth0 /=; congr (_ + _).
by apply: eq_bigr => i _; rewrite !tnthS.
Qed.

Lemma sequential_mass K (d : nat -> R) n : (forall z x, 0 <= K z x) -> (forall k, 0 <= d k) ->
    (forall z, \sum_x K z x <= d (size z)) ->
  \sum_(s : n.-tuple S) sequential K s <= \prod_(i < n) d i.
Proof.
elim: n K d => [|n IH] K d K0 d0 mass.
  rewrite (bigD1 [tuple]) //= [X in _ + X]big1 ?addr0 => [|s]; last by rewrite [s]tuple0 => /eqP.
  by rewrite /sequential !big_ord0.
rewrite sum_tuples big_ord_recl.
apply: (@le_trans _ _ (\sum_x K [::] x * \prod_(i < n) d i.+1)); last first.
  by rewrite -mulr_suml ler_wpmul2r ?prodr_ge0 //; apply: (mass [::]).
apply: ler_sum => x _; under eq_bigr do rewrite sequential_cons.
rewrite -mulr_sumr ler_wpmul2l //; apply: (IH (fun z => K (x :: z)) (fun k => d k.+1)) => // z; exact: (mass (x :: z)).
Qed.

Variable C : seq (loss R).
Hypothesis C_ge0 : measures C.

Theorem controlled_sum K L (u : nat -> bool) n t : (forall z x, 0 <= K z x) ->
    (forall z, u (size z) -> under C (atoms (K z) (L z))) -> (forall z, ~~ u (size z) -> \sum_x K z x <= 1) ->
  \sum_(s : n.-tuple S) sequential K s * Num.max (t + losses L u s) 0 <= V C (\sum_(i < n) u i)%N t.
Proof.
elim: n K L u t => [|n IH] K L u t K0 controlled law.
  rewrite (bigD1 [tuple]) //= [X in _ + X]big1 ?addr0 => [|s]; last by rewrite [s]tuple0 => /eqP.
  by rewrite /sequential /losses !big_ord0 mul1r addr0.
rewrite sum_tuples big_ord_recl.
set k := (\sum_(i < n) _)%N; rewrite (_ : (_ + k)%N = if u 0%N then k.+1 else k) /=; last by case: (u 0%N).
apply: (@le_trans _ _ (\sum_x K [::] x * V C k (t + (if u 0%N then L [::] x else 0)))).
  apply: ler_sum => x _; under eq_bigr do rewrite sequential_cons losses_cons addrA -mulrA.
  rewrite -mulr_sumr ler_wpmul2l //.
  by apply: (IH (fun z => K (x :: z)) (fun z => L (x :: z)) (fun i => u i.+1)) => // z; [apply: (controlled (x :: z)) | apply: (law (x :: z))].
have [u0|u0] := boolP (u 0%N); rewrite ?u0 ?(negPf u0) /=.
  apply: le_trans (controlled [::] u0 _ (test_shift t (V_test k C_ge0))).
  by rewrite /mean (sum_atoms _ _ (fun y => V C k (t + y))).
rewrite addr0 -mulr_suml -[leRHS]mul1r ler_wpmul2r ?V_ge0 //; exact: (law [::] u0).
Qed.

End Process.
