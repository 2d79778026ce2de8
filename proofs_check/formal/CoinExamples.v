(* Users who come at random, at parameters that were drawn (seed 20), as the executable specification has them.
   Written by `proofs_check/formal/coins.py`. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions Integers SmallCases RandomParticipation CoinCases.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Definition coins_0_counted_table (s : seq nat) (y : nat) : Z :=
  nth 0%Z (nth [::] [:: [:: 9; 3]; [:: 7; 5]; [:: 5; 7]; [:: 9; 3]; [:: 4; 8]; [:: 11; 1]; [:: 10; 2]; [:: 2; 10]; [:: 8; 4]; [:: 3; 9]; [:: 11; 1]; [:: 6; 6]; [:: 8; 4]; [:: 6; 6]; [:: 9; 3]; [:: 5; 7]]%Z (count_mem 0%N s + 4 * count_mem 1%N s)) y.

Lemma coins_0_counted_computed : participation_is coins_0_counted_table 12 2 2 7 3 2 1 [:: 1; 1]%N [:: 0; 1]%N 5 294.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem coins_0_counted (R : realFieldType) (seen : forall m, m.-tuple 'I_2 -> 'I_2 -> R)
    (w : 2.-tuple 'I_2) (w' : 2.-tuple 'I_2) :
  unordered seen -> (forall m (v : m.-tuple 'I_2) y, seen m v y = of_Z R (coins_0_counted_table (map (@nat_of_ord 2) v) y) / of_Z R 12) ->
  map (@nat_of_ord 2) w = [:: 1; 1]%N -> map (@nat_of_ord 2) w' = [:: 0; 1]%N ->
  hockey (of_Z R 3 / of_Z R 2) (participation (of_Z R 2 / of_Z R 7) 1 seen w) (participation (of_Z R 2 / of_Z R 7) 1 seen w') =
  (of_Z R 5 / of_Z R 294).
Proof.
move=> order tabulated w_is w'_is.
apply: (participation_is_sound order (erefl : (0 < 12)%Z) (erefl : (0 < 7)%Z) tabulated).
by rewrite w_is w'_is; apply: coins_0_counted_computed.
Qed.

Definition coins_0_uncounted_table (s : seq nat) (y : nat) : Z :=
  nth 0%Z (nth [::] [:: [:: 2; 4; 6]; [:: 6; 2; 4]; [:: 5; 4; 3]; [:: 6; 4; 2]; [:: 5; 6; 1]; [:: 2; 3; 7]; [:: 1; 5; 6]; [:: 6; 2; 4]; [:: 2; 1; 9]; [:: 4; 1; 7]; [:: 3; 1; 8]; [:: 3; 3; 6]; [:: 7; 2; 3]; [:: 1; 6; 5]; [:: 3; 1; 8]; [:: 2; 3; 7]]%Z (count_mem 0%N s + 4 * count_mem 1%N s)) y.

Lemma coins_0_uncounted_computed : uncounted_is coins_0_uncounted_table 12 3 2 7 1 1 [:: 0; 1]%N [:: 1]%N 8 147.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem coins_0_uncounted (R : realFieldType) (seen : forall m, m.-tuple 'I_2 -> 'I_3 -> R)
    (w : 2.-tuple 'I_2) (w' : 1.-tuple 'I_2) :
  unordered seen -> (forall m (v : m.-tuple 'I_2) y, seen m v y = of_Z R (coins_0_uncounted_table (map (@nat_of_ord 2) v) y) / of_Z R 12) ->
  map (@nat_of_ord 2) w = [:: 0; 1]%N -> map (@nat_of_ord 2) w' = [:: 1]%N ->
  hockey (of_Z R 1 / of_Z R 1) (uncounted (of_Z R 2 / of_Z R 7) seen w) (uncounted (of_Z R 2 / of_Z R 7) seen w') =
  (of_Z R 8 / of_Z R 147).
Proof.
move=> order tabulated w_is w'_is.
apply: (uncounted_is_sound order (erefl : (0 < 12)%Z) (erefl : (0 < 7)%Z) tabulated).
by rewrite w_is w'_is; apply: coins_0_uncounted_computed.
Qed.

Definition coins_1_counted_table (s : seq nat) (y : nat) : Z :=
  nth 0%Z (nth [::] [:: [:: 5; 4; 3]; [:: 4; 5; 3]; [:: 8; 1; 3]; [:: 5; 5; 2]; [:: 4; 6; 2]; [:: 5; 2; 5]; [:: 6; 3; 3]; [:: 1; 10; 1]; [:: 6; 5; 1]; [:: 9; 2; 1]; [:: 3; 2; 7]; [:: 3; 4; 5]; [:: 1; 8; 3]; [:: 3; 3; 6]; [:: 5; 5; 2]; [:: 5; 2; 5]]%Z (count_mem 0%N s + 4 * count_mem 1%N s)) y.

Lemma coins_1_counted_computed : participation_is coins_1_counted_table 12 3 3 7 9 5 0 [:: 1; 0; 0]%N [:: 0; 0; 0]%N 0 1.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem coins_1_counted (R : realFieldType) (seen : forall m, m.-tuple 'I_2 -> 'I_3 -> R)
    (w : 3.-tuple 'I_2) (w' : 3.-tuple 'I_2) :
  unordered seen -> (forall m (v : m.-tuple 'I_2) y, seen m v y = of_Z R (coins_1_counted_table (map (@nat_of_ord 2) v) y) / of_Z R 12) ->
  map (@nat_of_ord 2) w = [:: 1; 0; 0]%N -> map (@nat_of_ord 2) w' = [:: 0; 0; 0]%N ->
  hockey (of_Z R 9 / of_Z R 5) (participation (of_Z R 3 / of_Z R 7) 0 seen w) (participation (of_Z R 3 / of_Z R 7) 0 seen w') =
  (of_Z R 0 / of_Z R 1).
Proof.
move=> order tabulated w_is w'_is.
apply: (participation_is_sound order (erefl : (0 < 12)%Z) (erefl : (0 < 7)%Z) tabulated).
by rewrite w_is w'_is; apply: coins_1_counted_computed.
Qed.

Definition coins_1_uncounted_table (s : seq nat) (y : nat) : Z :=
  nth 0%Z (nth [::] [:: [:: 3; 9]; [:: 3; 9]; [:: 3; 9]; [:: 6; 6]; [:: 3; 9]; [:: 9; 3]; [:: 6; 6]; [:: 3; 9]; [:: 11; 1]; [:: 5; 7]; [:: 4; 8]; [:: 8; 4]; [:: 2; 10]; [:: 10; 2]; [:: 9; 3]; [:: 1; 11]]%Z (count_mem 0%N s + 4 * count_mem 1%N s)) y.

Lemma coins_1_uncounted_computed : uncounted_is coins_1_uncounted_table 12 2 1 7 1 1 [:: 0; 1; 0]%N [:: 1; 0]%N 11 1372.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem coins_1_uncounted (R : realFieldType) (seen : forall m, m.-tuple 'I_2 -> 'I_2 -> R)
    (w : 3.-tuple 'I_2) (w' : 2.-tuple 'I_2) :
  unordered seen -> (forall m (v : m.-tuple 'I_2) y, seen m v y = of_Z R (coins_1_uncounted_table (map (@nat_of_ord 2) v) y) / of_Z R 12) ->
  map (@nat_of_ord 2) w = [:: 0; 1; 0]%N -> map (@nat_of_ord 2) w' = [:: 1; 0]%N ->
  hockey (of_Z R 1 / of_Z R 1) (uncounted (of_Z R 1 / of_Z R 7) seen w) (uncounted (of_Z R 1 / of_Z R 7) seen w') =
  (of_Z R 11 / of_Z R 1372).
Proof.
move=> order tabulated w_is w'_is.
apply: (uncounted_is_sound order (erefl : (0 < 12)%Z) (erefl : (0 < 7)%Z) tabulated).
by rewrite w_is w'_is; apply: coins_1_uncounted_computed.
Qed.

Definition coins_2_counted_table (s : seq nat) (y : nat) : Z :=
  nth 0%Z (nth [::] [:: [:: 5; 6; 1]; [:: 2; 1; 9]; [:: 7; 4; 1]; [:: 5; 1; 6]; [:: 2; 6; 4]; [:: 9; 1; 2]; [:: 5; 1; 6]; [:: 4; 5; 3]; [:: 1; 2; 9]; [:: 3; 2; 7]; [:: 6; 5; 1]; [:: 7; 4; 1]; [:: 7; 2; 3]; [:: 2; 3; 7]; [:: 1; 8; 3]; [:: 8; 3; 1]]%Z (count_mem 0%N s + 4 * count_mem 1%N s)) y.

Lemma coins_2_counted_computed : participation_is coins_2_counted_table 12 3 1 7 9 4 2 [:: 0; 0]%N [:: 1; 0]%N 1 336.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem coins_2_counted (R : realFieldType) (seen : forall m, m.-tuple 'I_2 -> 'I_3 -> R)
    (w : 2.-tuple 'I_2) (w' : 2.-tuple 'I_2) :
  unordered seen -> (forall m (v : m.-tuple 'I_2) y, seen m v y = of_Z R (coins_2_counted_table (map (@nat_of_ord 2) v) y) / of_Z R 12) ->
  map (@nat_of_ord 2) w = [:: 0; 0]%N -> map (@nat_of_ord 2) w' = [:: 1; 0]%N ->
  hockey (of_Z R 9 / of_Z R 4) (participation (of_Z R 1 / of_Z R 7) 2 seen w) (participation (of_Z R 1 / of_Z R 7) 2 seen w') =
  (of_Z R 1 / of_Z R 336).
Proof.
move=> order tabulated w_is w'_is.
apply: (participation_is_sound order (erefl : (0 < 12)%Z) (erefl : (0 < 7)%Z) tabulated).
by rewrite w_is w'_is; apply: coins_2_counted_computed.
Qed.

Definition coins_2_uncounted_table (s : seq nat) (y : nat) : Z :=
  nth 0%Z (nth [::] [:: [:: 4; 2; 6]; [:: 2; 5; 5]; [:: 7; 4; 1]; [:: 2; 8; 2]; [:: 6; 5; 1]; [:: 2; 2; 8]; [:: 3; 1; 8]; [:: 3; 4; 5]; [:: 7; 2; 3]; [:: 5; 6; 1]; [:: 1; 3; 8]; [:: 1; 3; 8]; [:: 1; 3; 8]; [:: 1; 1; 10]; [:: 4; 1; 7]; [:: 6; 5; 1]]%Z (count_mem 0%N s + 4 * count_mem 1%N s)) y.

Lemma coins_2_uncounted_computed : uncounted_is coins_2_uncounted_table 12 3 2 7 7 6 [:: 0; 0; 1]%N [:: 0; 1]%N 0 1.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem coins_2_uncounted (R : realFieldType) (seen : forall m, m.-tuple 'I_2 -> 'I_3 -> R)
    (w : 3.-tuple 'I_2) (w' : 2.-tuple 'I_2) :
  unordered seen -> (forall m (v : m.-tuple 'I_2) y, seen m v y = of_Z R (coins_2_uncounted_table (map (@nat_of_ord 2) v) y) / of_Z R 12) ->
  map (@nat_of_ord 2) w = [:: 0; 0; 1]%N -> map (@nat_of_ord 2) w' = [:: 0; 1]%N ->
  hockey (of_Z R 7 / of_Z R 6) (uncounted (of_Z R 2 / of_Z R 7) seen w) (uncounted (of_Z R 2 / of_Z R 7) seen w') =
  (of_Z R 0 / of_Z R 1).
Proof.
move=> order tabulated w_is w'_is.
apply: (uncounted_is_sound order (erefl : (0 < 12)%Z) (erefl : (0 < 7)%Z) tabulated).
by rewrite w_is w'_is; apply: coins_2_uncounted_computed.
Qed.
