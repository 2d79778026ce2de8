(* Statements of Statements.v, each proved by the theorem of its name and by nothing else. Written by `proofs_check/formal/statements.py`. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import ThousandUsers Statements.

Theorem shuffled_1000_adaptive : Statements.shuffled_1000_adaptive.
Proof. exact: (@ThousandUsers.shuffled_1000_adaptive). Qed.
