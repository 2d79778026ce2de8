(* What the theorems of this folder speak about. A reader has to believe this file, and Coq's kernel; nothing else.

   R is any ordered field: T = e^epsilon0, E = e^epsilon and delta are elements of it, so no logarithm is needed. Messages come from a finite
   set S; data come from any type D, finite or not. Sources: FMT21 (Feldman, McMillan, Talwar, "Hiding Among the Clones"), sections 2 and 3. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Laws.
Variable R : realFieldType.

(* A law on a finite set: what is nonnegative and sums to 1. *)
Definition is_law (A : finType) (P : A -> R) : Prop := (forall x, 0 <= P x) /\ \sum_x P x = 1.

(* The same as one object; `mass P x` is written `P x`. A kernel from A to B is a function A -> dist B. *)
Record dist (A : finType) := Dist { mass :> A -> R; mass_is_law : is_law mass }.

(* The law of the output of a kernel whose input has the law P. *)
Definition push (A B : finType) (K : A -> dist B) (P : A -> R) : B -> R := fun y => \sum_x P x * K x y.

(* The law of f(x) where x has the law P. *)
Definition image_law (A B : finType) (f : A -> B) (P : A -> R) : B -> R := fun y => \sum_(x | f x == y) P x.

(* Hockey-stick divergence of order E: sum over x of max(0, P(x) - E Q(x)).  (FMT21, section 2) *)
Definition hockey (A : finType) (E : R) (P Q : A -> R) : R := \sum_x Num.max (P x - E * Q x) 0.

(* (epsilon, delta)-indistinguishability in one direction, by its definition over all events.  (FMT21, section 2) *)
Definition dp (A : finType) (E delta : R) (P Q : A -> R) : Prop :=
  forall event : {set A}, \sum_(x in event) P x <= E * (\sum_(x in event) Q x) + delta.

End Laws.

Section ShuffleModel.
Variables (R : realFieldType) (D : Type) (S : finType).

(* An adaptive sequence of local randomizers: the randomizer of a step depends on all earlier outputs z, and the step is their number.
   Outputs of different steps may differ in kind: S is then their union.  (FMT21, section 2) *)
Definition adaptive_randomizers := seq S -> D -> dist R S.

(* Every one of them is an epsilon0-DP local randomizer, T = e^epsilon0.  (FMT21, Definition 2.2) *)
Definition ldp (T : R) (randomizers : adaptive_randomizers) : Prop :=
  forall (z : seq S) (x x' : D) (s : S), randomizers z x s <= T * randomizers z x' s.

(* Every one of them is an (epsilon0, delta0)-DP local randomizer.  (FMT21, section 2) *)
Definition approximately_ldp (T delta0 : R) (randomizers : adaptive_randomizers) : Prop :=
  forall (z : seq S) (x x' : D), dp T delta0 (randomizers z x) (randomizers z x').

(* The law of the outputs s_1, ..., s_n of one pass over the data w_1, ..., w_n in the given order: step i sees s_1, ..., s_(i-1) and w_i. *)
Definition transcript (randomizers : adaptive_randomizers) n (w : n.-tuple D) (s : n.-tuple S) : R :=
  \prod_(i < n) randomizers (take i s) (tnth w i) (tnth s i).

(* The data in the order sigma. *)
Definition permuted (A : Type) n (w : n.-tuple A) (sigma : 'S_n) : n.-tuple A := [tuple tnth w (sigma i) | i < n].

(* A_s(w): a uniform permutation of the data, then one adaptive pass; the outputs keep their order.  (FMT21, Theorem 3.1) *)
Definition shuffled (randomizers : adaptive_randomizers) n (w : n.-tuple D) : n.-tuple S -> R :=
  fun s => (n`!)%:R^-1 * \sum_(sigma : 'S_n) transcript randomizers (permuted w sigma) s.

(* Neighbouring datasets: they differ in the value of one user at most. *)
Definition neighbours n (w w' : n.-tuple D) : Prop := exists i, forall j, j != i -> tnth w j = tnth w' j.

(* A mechanism on the data of n users is (epsilon, delta)-DP. The relation is symmetric, so both directions are meant. *)
Definition private n (B : finType) (E delta : R) (mechanism : n.-tuple D -> B -> R) : Prop :=
  forall w w', neighbours w w' -> dp E delta (mechanism w) (mechanism w').

(* One randomizer for everybody: every user randomizes ... *)
Definition messages (randomizer : D -> dist R S) n (w : n.-tuple D) : n.-tuple S -> R :=
  fun m => \prod_(i < n) randomizer (tnth w i) (tnth m i).

(* ... then the messages are put in a uniformly random order ... *)
Definition shuffle n (P : n.-tuple S -> R) : n.-tuple S -> R :=
  fun s => (n`!)%:R^-1 * \sum_(sigma : 'S_n) image_law (fun m => permuted m sigma) P s.

(* ... so that what an analyzer learns is how often each message was sent. *)
Definition histogram n (m : n.-tuple S) : {ffun S -> 'I_n.+1} := [ffun y => inord (count_mem y m)].

End ShuffleModel.

Section ClonesPair.
Variable R : realFieldType.

Definition binomial_mass (n : nat) (p : R) (k : nat) : R := 'C(n, k)%:R * p ^+ k * (1 - p) ^+ (n - k).
Definition bernoulli_mass (p : R) (b : bool) : R := if b then p else 1 - p.

(* C ~ Bin(n - 1, p), A ~ Bin(C, 1/2), Delta ~ Bern(T/(T + 1)); the law of f(C, A, Delta). p: how often another user is a clone. *)
Definition clones_law n (p T : R) (f : nat -> nat -> bool -> nat * nat) (y : 'I_n.+1 * 'I_n.+1) : R :=
  \sum_(c < n) \sum_(a < c.+1) \sum_(delta : bool)
     (if f c a delta == (y.1 : nat, y.2 : nat)
      then binomial_mass n.-1 p c * binomial_mass c 2%:R^-1 a * bernoulli_mass (T / (T + 1)) delta else 0).

(* P is the law of (A + Delta, C - A + 1 - Delta), and Q the law of (A + 1 - Delta, C - A + Delta). *)
Definition counts_P (c a : nat) (delta : bool) : nat * nat := (a + delta, c - a + (1 - delta))%N.
Definition counts_Q (c a : nat) (delta : bool) : nat * nat := (a + (1 - delta), c - a + delta)%N.

(* The clones pair: p = 1/T.  (FMT21, Theorem 3.2) *)
Definition clones_P n (T : R) := @clones_law n T^-1 T counts_P.
Definition clones_Q n (T : R) := @clones_law n T^-1 T counts_Q.

(* The stronger clones pair: p = 2/(T + 1).  (Feldman, McMillan, Talwar, "Stronger Privacy Amplification by Shuffling") *)
Definition stronger_clones_P n (T : R) := @clones_law n (2%:R / (T + 1)) T counts_P.
Definition stronger_clones_Q n (T : R) := @clones_law n (2%:R / (T + 1)) T counts_Q.

End ClonesPair.
