(* The clones pair in closed form: with k = A + Delta (under P) and m = C - A + 1 - Delta, so that C + 1 = k + m,

     P(k, m) = C(n-1, c) p^c (1 - p)^(n-1-c) 2^-c (C(c, k-1) T/(T+1) + C(c, k) 1/(T+1)),      c = k + m - 1 >= 0, k + m <= n,

   and Q the same with T and 1 exchanged in the last factor (clones_two_ways). In FMT21, Theorem 3.2, p = 1/T: clones_closed_form. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From Shuffleproof Require Import Definitions Divergence.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section ClonesPair.
Variables (R : realFieldType) (n : nat) (p T : R).
Implicit Types (like : bool) (k m : nat).

(* P for like = true, Q for like = false. *)
Definition clones like := @clones_law R n p T (if like then counts_P else counts_Q).

(* The probability that the special user's clone bit is b: T/(T+1) if it is the own one. *)
Definition own_bit like (b : bool) : R := bernoulli_mass (T / (T + 1)) (like == b).

Lemma sum_one_index N (F : nat -> R) j : \sum_(i < N | i == j :> nat) F i = if (j < N)%N then F j else 0.
Proof.
case: ltnP => jN; first by rewrite (big_pred1 (Ordinal jN)).
by rewrite big_pred0 // => i; apply/negP => /eqP ij; have := ltn_ord i; rewrite ij ltnNge jN.
Qed.

Lemma sum_one_place (G : nat -> nat -> R) c0 a0 :
  \sum_(c < n) \sum_(a < c.+1) (if (a == a0 :> nat) && (c == c0 :> nat) then G c a else 0) =
  if (a0 <= c0 < n)%N then G c0 a0 else 0.
Proof.
transitivity (\sum_(c < n | c == c0 :> nat) \sum_(a < c.+1 | a == a0 :> nat) G c a).
  rewrite [RHS]big_mkcond; apply: eq_bigr => c _; case: eqP => [_|_]; last by rewrite big1 // => a _; rewrite andbF.
  by rewrite [RHS]big_mkcond; apply: eq_bigr => a _; rewrite andbT.
rewrite (sum_one_index _ (fun c => \sum_(a < c.+1 | a == a0 :> nat) G c a)).
by rewrite (sum_one_index _ (fun a => G c0 a)) ltnS andbC; case: (_ < n)%N.
Qed.

Lemma fair_binomial_mass c a : (a <= c)%N -> binomial_mass c 2%:R^-1 a = 'C(c, a)%:R * 2%:R^-1 ^+ c :> R.
Proof.
move=> ac; rewrite /binomial_mass -mulrA; congr (_ * _).
by rewrite (_ : 1 - _ = 2%:R^-1) -?exprD ?subnKC // [X in X - _](splitr 1) div1r addrK.
Qed.

Lemma clones_law_bits like (y : 'I_n.+1 * 'I_n.+1) :
  clones like y = \sum_(c < n) \sum_(a < c.+1) \sum_(b : bool)
    (if (a + b, c - a + (1 - b))%N == (y.1 : nat, y.2 : nat)
     then binomial_mass n.-1 p c * binomial_mass c 2%:R^-1 a * own_bit like b else 0).
Proof.
case: like; apply: eq_bigr => c _; apply: eq_bigr => a _; rewrite !big_bool //=.
by rewrite addrC subnn subn0.
Qed.

Lemma clones_two_ways like (y : 'I_n.+1 * 'I_n.+1) (k := y.1 : nat) (m := y.2 : nat) :
  clones like y =
  (if ((0 < k) && (k + m <= n))%N
   then binomial_mass n.-1 p (k + m).-1 * binomial_mass (k + m).-1 2%:R^-1 k.-1 * own_bit like true else 0) +
  (if ((0 < m) && (k + m <= n))%N
   then binomial_mass n.-1 p (k + m).-1 * binomial_mass (k + m).-1 2%:R^-1 k * own_bit like false else 0).
Proof.
pose G b c a := binomial_mass n.-1 p c * binomial_mass c 2%:R^-1 a * own_bit like b.
rewrite clones_law_bits; under eq_bigr do under eq_bigr do rewrite big_bool.
under eq_bigr do rewrite big_split /=.
rewrite big_split /=; congr (_ + _).
  case: (posnP k) => [k0|k0] /=.
    rewrite big1 // => c _; rewrite big1 // => a _; rewrite -/k k0.
    by rewrite xpair_eqE addn1.
  have -> : (k + m <= n)%N = (k.-1 <= (k + m).-1 < n)%N.
    by rewrite -ltnS prednK ?addn_gt0 ?k0 // ltnS -[(_ <= n)%N]ltnS; case: (k) k0 => // k' _; rewrite !addSn /= leq_addr.
  rewrite -(sum_one_place (G true)); apply: eq_bigr => c _; apply: eq_bigr => a _.
  congr (if _ then _ else _); rewrite xpair_eqE -/k -/m subnn addn0 addn1 -{1}(prednK k0) eqSS.
  case: eqP => //= eqa; rewrite -[in RHS](prednK k0) addSn /= -eqa.
  by rewrite -(eqn_add2l a) subnKC // -ltnS.
case: (posnP m) => [m0|m0] /=.
  rewrite big1 // => c _; rewrite big1 // => a _; rewrite -/m m0.
  by rewrite xpair_eqE subn0 addn1 andbF.
have -> : (k + m <= n)%N = (k <= (k + m).-1 < n)%N.
  by case: (m) m0 => // m' _; rewrite addnS /= leq_addr.
rewrite -(sum_one_place (G false)); apply: eq_bigr => c _; apply: eq_bigr => a _.
congr (if _ then _ else _); rewrite xpair_eqE -/k -/m addn0 subn0 addn1 -{1}(prednK m0) eqSS.
case: eqP => //= eqa; rewrite -[in RHS](prednK m0) addnS /= -eqa.
by rewrite -(eqn_add2l a) subnKC // -ltnS.
Qed.

End ClonesPair.

Section ClosedForm.
Variables (R : realFieldType) (n : nat) (T : R).
Implicit Types (like : bool) (k m : nat).
Local Notation own_bit := (own_bit T).

(* The weight of one way to choose. *)
Definition clones_weight like k m : R :=
  (T *+ 2)^-1 ^+ (k + m).-1 * (1 - T^-1) ^+ (n - (k + m)) *
  ((own_bit like true * k%:R + own_bit like false * m%:R) / (k + m)%:R).

Lemma clones_closed_form like (y : 'I_n.+1 * 'I_n.+1) (k := y.1 : nat) (m := y.2 : nat) :
  clones T^-1 T like y =
  if (0 < k + m <= n)%N then clones_weight like k m * ('C(n.-1, (k + m).-1) * 'C(k + m, k))%:R else 0.
Proof.
pose G b c a := binomial_mass n.-1 T^-1 c * binomial_mass c 2%:R^-1 a * own_bit like b.
rewrite clones_two_ways -/k -/m -/(G true _ _) -/(G false _ _).
have [kmn|kmn] := leqP (k + m)%N n; last by rewrite !andbF addr0.
rewrite !andbT; have [km0|km] := posnP (k + m)%N.
  by move/eqP: km0; rewrite addn_eq0 => /andP[/eqP -> /eqP ->]; rewrite addr0.
have km_neq0 : (k + m)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
set c := (k + m).-1; have kmc : (k + m)%N = c.+1 by rewrite prednK.
have true_part : (if (0 < k)%N then G true c k.-1 else 0) =
    binomial_mass n.-1 T^-1 c * 2%:R^-1 ^+ c * ('C(k + m, k)%:R * (own_bit like true * k%:R / (k + m)%:R)).
  case: (posnP k) => [->|k0]; first by rewrite mulr0 mul0r !mulr0.
  have binE : (k + m)%:R * 'C(c, k.-1)%:R = k%:R * 'C(k + m, k)%:R :> R.
    by rewrite -!natrM mul_bin_diag prednK.
  rewrite /G fair_binomial_mass; last by rewrite -ltnS prednK // -kmc leq_addr.
  have -> : 'C(c, k.-1)%:R = k%:R * 'C(k + m, k)%:R / (k + m)%:R :> R by rewrite -binE mulrC mulKf.
  ring.
have false_part : (if (0 < m)%N then G false c k else 0) =
    binomial_mass n.-1 T^-1 c * 2%:R^-1 ^+ c * ('C(k + m, k)%:R * (own_bit like false * m%:R / (k + m)%:R)).
  case: (posnP m) => [->|m0]; first by rewrite mulr0 mul0r !mulr0.
  have binE : (k + m)%:R * 'C(c, k)%:R = m%:R * 'C(k + m, k)%:R :> R.
    by rewrite -!natrM mul_bin_down addKn.
  rewrite /G fair_binomial_mass; last by rewrite -ltnS -kmc -addn1 leq_add2l.
  have -> : 'C(c, k)%:R = m%:R * 'C(k + m, k)%:R / (k + m)%:R :> R by rewrite -binE mulrC mulKf.
  ring.
rewrite true_part false_part /clones_weight natrM -/c -[T *+ 2]mulr_natr invfM exprMn.
rewrite /binomial_mass (_ : n.-1 - c = n - (k + m))%N; last by rewrite kmc -subn1 -subnDA add1n.
move: (T^-1 ^+ c) (2%:R^-1 ^+ c) ((1 - T^-1) ^+ _) ((k + m)%:R^-1) => u v x z.
ring.
Qed.

End ClosedForm.
