(* First arrival: the pool in levels, for adaptive randomizers.  omega is a law of the step and its history, a share eta_l of it is taken out up to level l.

     one_level          from what the others send at one level to the next: "in another user's place" applied to what is left;
     first_arrival      Theorem A with a share d_l of each level;
     levels_in_general  Theorem A with the cumulative levels 0 = eta_0 <= eta_1 <= ... < 1 and one omega;
     first_arrival_eta  the same with V of a controlled sum at every level. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition OneMessage AnotherPlace ConvexOrder ControlledSum
  AdaptivePlace.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Levels.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S).
Variables (n : nat) (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (E : R).

(* G(S) is at least the mean positive part of the losses of S users outside a pool, in every order. *)
Definition mean_bounded (omega : seq S -> dist R S) (m : 'I_n.+1 -> seq S -> dist R S) (L : 'I_n.+1 -> seq S -> S -> R) (G : nat -> R) : Prop :=
  forall (A : {set 'I_n.+1}) rho, i0 \in A -> order_sum (fun z => omega z) (fun k z => m k z) L A rho <= G (n.+1 - #|A|)%N.

Local Notation divergence_left m := (nobody_in_pool_divergence randomizers w w' i0 E m).

(* The shuffled sequences of what is left, as a hockey divergence with other names for the data. *)
Lemma eq_divergence (X Y : Type) (K : adaptive_randomizers R X S) (K' : adaptive_randomizers R Y S) (v v' : n.+1.-tuple X) (y y' : n.+1.-tuple Y) :
    (forall z k, K z (tnth v k) =1 K' z (tnth y k)) -> (forall z k, K z (tnth v' k) =1 K' z (tnth y' k)) ->
  hockey E (shuffled K v) (shuffled K v') = hockey E (shuffled K' y) (shuffled K' y').
Proof.
move=> same same'; apply: eq_hockey => s; congr (_ * _); apply: eq_bigr => sigma _; apply: eq_bigr => i _; rewrite !tnth_mktuple.
  exact: same.
exact: same'.
Qed.

Section OneLevel.
Variables (d gamma : R) (omega : seq S -> dist R S) (m m' : 'I_n.+1 -> seq S -> dist R S) (L given : 'I_n.+1 -> seq S -> S -> R) (G : nat -> R).
Hypothesis d_range : 0 <= d <= 1.
Hypothesis pooled : forall k z s, k != i0 -> m k z s = d * omega z s + (1 - d) * m' k z s.
Hypothesis split_losses : forall k z s, k != i0 ->
  randomizers z (tnth w i0) s - E * randomizers z (tnth w' i0) s = m' k z s * L k z s + given k z s.
Hypotheses (G_0 : G 0%N = 0) (bounded : mean_bounded omega m' L G).
Hypotheses (gamma_ge0 : 0 <= gamma) (given_le : forall k z, k != i0 -> \sum_s Num.max (given k z s) 0 <= gamma).

Lemma one_level :
  divergence_left m <= (1 - d) ^+ n * divergence_left m' +
    \sum_(1 <= r < n.+1) binomial_mass n d r * (G (n.+1 - r)%N / (n.+1 - r)%:R + gamma).
Proof.
have place := @place_in_general R (bool + 'I_n.+1)%type S (outside_pool randomizers w w' i0 m) n
  (outside_data i0 true) (outside_data i0 false) i0 E d gamma omega m' L given.
apply: le_trans (place _ d_range _ _ gamma_ge0 given_le G G_0 bounded) _ => [j j0|k z s k0|k z s k0|].
- by rewrite !tnth_mktuple (negPf j0).
- by rewrite tnth_mktuple (negPf k0) /=; apply: pooled.
- by rewrite !tnth_mktuple eqxx /=; apply: split_losses.
rewrite ler_add2r le_eqVlt; apply/orP; left; apply/eqP; congr (_ * _).
apply: eq_divergence => z k; rewrite !tnth_mktuple; case: (k == i0) => //= s.
  by rewrite tnth_mktuple eqxx.
by rewrite tnth_mktuple eqxx.
Qed.

End OneLevel.

Hypothesis others_equal : forall j, j != i0 -> tnth w j = tnth w' j.

(* What the others send at level 0 is all they send. *)
Lemma level_zero (m : 'I_n.+1 -> seq S -> dist R S) : (forall k z s, k != i0 -> randomizers z (tnth w k) s = m k z s) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') = divergence_left m.
Proof.
move=> all; apply: eq_divergence => z k s; rewrite tnth_mktuple.
  by have [->|k0] := eqVneq k i0; rewrite //= all.
by have [->|k0] := eqVneq k i0; rewrite //= -others_equal // all.
Qed.

Section FirstArrival.
Variables (d gamma : nat -> R) (omega : nat -> seq S -> dist R S) (m : nat -> 'I_n.+1 -> seq S -> dist R S).
Variables (L given : nat -> 'I_n.+1 -> seq S -> S -> R) (levels : nat).
Hypothesis start : forall k z s, k != i0 -> randomizers z (tnth w k) s = m 0 k z s.
Hypothesis d_range : forall l, (l < levels)%N -> 0 <= d l <= 1.
Hypothesis pooled : forall l k z s, (l < levels)%N -> k != i0 -> m l k z s = d l * omega l z s + (1 - d l) * m l.+1 k z s.
Hypothesis split_losses : forall l k z s, (l < levels)%N -> k != i0 ->
  randomizers z (tnth w i0) s - E * randomizers z (tnth w' i0) s = m l.+1 k z s * L l k z s + given l k z s.
Variable G : nat -> nat -> R.
Hypotheses (G_0 : forall l, G l 0%N = 0) (bounded : forall l, (l < levels)%N -> mean_bounded (omega l) (m l.+1) (L l) (G l)).
Hypothesis gamma_ge0 : forall l, (l < levels)%N -> 0 <= gamma l.
Hypothesis given_le : forall l k z, (l < levels)%N -> k != i0 -> \sum_s Num.max (given l k z s) 0 <= gamma l.

(* What level l adds once it is reached: r of the n others in the pool, r at least 1. *)
Definition level_value (l : nat) : R :=
  \sum_(1 <= r < n.+1) binomial_mass n (d l) r * (G l (n.+1 - r)%N / (n.+1 - r)%:R + gamma l).

Theorem first_arrival :
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (\prod_(j < l) (1 - d j)) ^+ n * level_value l + (\prod_(j < levels) (1 - d j)) ^+ n * divergence_left (m levels).
Proof.
rewrite (level_zero start).
suff up_to l : (l <= levels)%N -> divergence_left (m 0) <=
    \sum_(j < l) (\prod_(j' < j) (1 - d j')) ^+ n * level_value j + (\prod_(j < l) (1 - d j)) ^+ n * divergence_left (m l).
  exact: up_to.
elim: l => [_|l IH l_lt]; first by rewrite !big_ord0 expr1n mul1r add0r.
apply: le_trans (IH (ltnW l_lt)) _; rewrite big_ord_recr /= -addrA ler_add2l [X in _ <= _ + X ^+ n * _]big_ord_recr /= exprMn -mulrA -mulrDr.
rewrite ler_wpmul2l ?exprn_ge0 ?prodr_ge0 // => [j _|].
  by rewrite subr_ge0; case/andP: (d_range (ltn_trans (ltn_ord j) l_lt)).
rewrite addrC; apply: (one_level (omega := omega l) (L := L l) (given := given l)) => [|k z s|k z s||||k z].
- exact: d_range.
- exact: pooled.
- exact: split_losses.
- exact: G_0.
- exact: bounded.
- exact: gamma_ge0.
- exact: given_le.
Qed.

End FirstArrival.

Section Cumulative.
Variables (eta gamma : nat -> R) (omega : seq S -> dist R S) (m : nat -> 'I_n.+1 -> seq S -> dist R S).
Variables (L given : nat -> 'I_n.+1 -> seq S -> S -> R) (levels : nat).
Hypotheses (eta_0 : eta 0%N = 0) (eta_le : forall l, (l < levels)%N -> eta l <= eta l.+1) (eta_lt1 : forall l, (l <= levels)%N -> eta l < 1).
Hypothesis left_over : forall l k z s, (l <= levels)%N -> k != i0 ->
  randomizers z (tnth w k) s = eta l * omega z s + (1 - eta l) * m l k z s.
Hypothesis split_losses : forall l k z s, (l < levels)%N -> k != i0 ->
  randomizers z (tnth w i0) s - E * randomizers z (tnth w' i0) s = m l.+1 k z s * L l k z s + given l k z s.
Hypothesis gamma_ge0 : forall l, (l < levels)%N -> 0 <= gamma l.
Hypothesis given_le : forall l k z, (l < levels)%N -> k != i0 -> \sum_s Num.max (given l k z s) 0 <= gamma l.

(* Of those who are not below level l, the share at level l + 1. *)
Definition step_share (l : nat) : R := (eta l.+1 - eta l) / (1 - eta l).

Lemma eta_gap l : (l <= levels)%N -> 0 < 1 - eta l.
Proof. by move=> l_le; rewrite subr_gt0 eta_lt1. Qed.

Lemma step_left l : (l < levels)%N -> 1 - step_share l = (1 - eta l.+1) / (1 - eta l).
Proof.
move=> l_lt; have gap : 1 - eta l != 0 by rewrite gt_eqF // eta_gap // ltnW.
by apply: (mulIf gap); rewrite mulrBl !divfK // mul1r opprB addrA subrK.
Qed.

Lemma step_range l : (l < levels)%N -> 0 <= step_share l <= 1.
Proof.
move=> l_lt; rewrite divr_ge0 ?subr_ge0 ?eta_le //=; last by rewrite ltW // -subr_gt0 eta_gap // ltnW.
by rewrite -subr_ge0 step_left // divr_ge0 // ltW // eta_gap // ltnW.
Qed.

Lemma left_by_levels l : (l <= levels)%N -> \prod_(j < l) (1 - step_share j) = 1 - eta l.
Proof.
elim: l => [_|l IH l_lt]; first by rewrite big_ord0 eta_0 subr0.
by rewrite big_ord_recr /= IH ?(ltnW l_lt) // step_left // mulrCA mulfV ?mulr1 // gt_eqF // eta_gap // ltnW.
Qed.

Theorem levels_in_general (G : nat -> nat -> R) : (forall l, G l 0%N = 0) ->
    (forall l, (l < levels)%N -> mean_bounded omega (m l.+1) (L l) (G l)) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n *
    (\sum_(1 <= r < n.+1) binomial_mass n (step_share l) r * (G l (n.+1 - r)%N / (n.+1 - r)%:R + gamma l)) +
  (1 - eta levels) ^+ n * divergence_left (m levels).
Proof.
move=> G_0 bounded.
apply: le_trans (@first_arrival step_share gamma (fun=> omega) m L given levels _ step_range _ split_losses G G_0 bounded gamma_ge0 given_le) _.
- by move=> k z s k0; rewrite (left_over z s (leq0n _) k0) eta_0 mul0r add0r subr0 mul1r.
- move=> l k z s l_lt k0; have gap : 1 - eta l != 0 by rewrite gt_eqF // eta_gap // ltnW.
  have := left_over z s (ltnW l_lt) k0; rewrite (left_over z s l_lt k0) => two.
  have -> : m l k z s = (1 - eta l)^-1 * ((eta l.+1 - eta l) * omega z s + (1 - eta l.+1) * m l.+1 k z s).
    apply: (mulfI gap); rewrite mulrA mulfV // mul1r; apply: (addrI (eta l * omega z s)); rewrite -two; ring.
  by rewrite step_left // /step_share mulrDr !mulrA ![_^-1 * _]mulrC.
rewrite left_by_levels // ler_add2r; apply: ler_sum => l _.
by rewrite left_by_levels // ltnW.
Qed.

End Cumulative.

End Levels.

Theorem first_arrival_eta (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) n (w w' : n.+1.-tuple D)
    (i0 : 'I_n.+1) (E : R) : (forall j, j != i0 -> tnth w j = tnth w' j) ->
  forall (eta gamma : nat -> R) (omega : seq S -> dist R S) (m : nat -> 'I_n.+1 -> seq S -> dist R S)
    (L given : nat -> 'I_n.+1 -> seq S -> S -> R) (C : nat -> seq (loss R)) (levels : nat),
    eta 0%N = 0 -> (forall l, (l < levels)%N -> eta l <= eta l.+1) -> (forall l, (l <= levels)%N -> eta l < 1) ->
    (forall l k z s, (l <= levels)%N -> k != i0 -> randomizers z (tnth w k) s = eta l * omega z s + (1 - eta l) * m l k z s) ->
    (forall l k z s, (l < levels)%N -> k != i0 ->
       randomizers z (tnth w i0) s - E * randomizers z (tnth w' i0) s = m l.+1 k z s * L l k z s + given l k z s) ->
    (forall l, (l < levels)%N -> measures (C l)) ->
    (forall l k z, (l < levels)%N -> k != i0 -> under (C l) (atoms (m l.+1 k z) (L l k z))) ->
    (forall l, (l < levels)%N -> 0 <= gamma l) ->
    (forall l k z, (l < levels)%N -> k != i0 -> \sum_s Num.max (given l k z s) 0 <= gamma l) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n *
    (\sum_(1 <= r < n.+1) binomial_mass n (step_share eta l) r * (V (C l) (n.+1 - r) 0 / (n.+1 - r)%:R + gamma l)) +
  (1 - eta levels) ^+ n * nobody_in_pool_divergence randomizers w w' i0 E (m levels).
Proof.
move=> others eta gamma omega m L given C levels eta_0 eta_le eta_lt1 left_over split_losses C_ge0 controlled gamma_ge0 given_le.
apply: (levels_in_general others eta_0 eta_le eta_lt1 left_over split_losses gamma_ge0 given_le (G := fun l S => V (C l) S 0)) => [l|l l_lt A rho iA].
  by rewrite /= maxxx.
apply: (order_sum_controlled (fun z => mass_ge0 (omega z)) (fun z => mass_sum1 (omega z)) (fun k z => mass_ge0 (m l.+1 k z))
  (fun k z => mass_sum1 (m l.+1 k z)) rho (C_ge0 l l_lt)) => k z kA.
by apply: controlled => //; apply: contraNneq kA => ->.
Qed.
