(* Blocks of users of several types. Of S independent losses every one is below a law of C, one of K types, in whatever numbers. Put users of one type into
   a block, of the first size that is wanted, then of the second, and so on: as long as more than K (g - 1) users are left, some type has g of them.
   Whoever controls a sum chooses the type of every block anew, which is no less.

     type_blocks     E (t + L_1 + ... + L_S)_+ is at most the controlled sum of the blocks, whose laws are above those of as many users of one type;
     unlike_blocks   so are the losses of users outside the pool, which the random-swap bound in levels asks for. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions Divergence Composition Shuffling ConvexOrder ControlledSum OneRandomizer.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section TypeBlocks.
Variable R : realFieldType.
Implicit Types (C : seq (loss R)) (ls : seq (loss R)) (sizes : seq nat) (t : R).

(* The controlled sum where every step has a set of laws of its own. *)
Fixpoint V_steps (Cs : seq (seq (loss R))) t : R := if Cs is C :: Cs' then best C (fun x => V_steps Cs' (t + x)) else Num.max t 0.

(* Sizes of blocks that are found whatever the types of the users are: K (g - 1) users are not enough to be without g of one type. *)
Fixpoint always_found (K users : nat) sizes : bool :=
  if sizes is g :: rest then (K * g.-1 < users)%N && always_found K (users - g) rest else users == 0%N.

Lemma positives_block C (blocks : seq (loss R)) g c rest t :
    measures C -> measures blocks -> {subset rest <= C} -> c \in C -> (exists2 b, b \in blocks & forall s, positives (nseq g c) s <= positive b s) ->
  positives (nseq g c ++ rest) t <= best blocks (fun x => positives rest (t + x)).
Proof.
move=> C0 blocks0 rest_in c_in [b b_in above].
have rest0 a : a \in rest -> measure a by move=> /rest_in; exact: C0.
have [d [d0 d_is]] := positives_combination rest0.
apply: le_trans (best_ge _ b_in).
have expand xs s : positives (xs ++ rest) s = \sum_(y <- d) y.2 * positives xs (s + y.1).
  elim: xs s => [|a xs IH] s /=; first by rewrite d_is.
  under eq_bigr do rewrite IH mulr_sumr.
  rewrite exchange_big /=; apply: eq_bigr => y _; rewrite mulr_sumr; apply: eq_bigr => x _.
  by rewrite mulrCA addrAC.
rewrite expand /mean; under [leRHS]eq_bigr do rewrite d_is mulr_sumr.
rewrite exchange_big /= big_seq [leRHS]big_seq; apply: ler_sum => y y_in.
rewrite [leRHS](_ : _ = y.2 * positive b (t + y.1)); first by rewrite ler_wpmul2l ?d0.
by rewrite mulr_sumr; apply: eq_bigr => x _; rewrite mulrCA addrAC.
Qed.

(* Which losses come first does not matter. *)
Lemma positives_perm ls ls' t : perm_eq ls ls' -> positives ls t = positives ls' t.
Proof.
have middle pre a s : forall u, positives (pre ++ a :: s) u = positives (a :: pre ++ s) u.
  elim: pre => [|b pre IH] u //=; under eq_bigr do rewrite IH /= mulr_sumr.
  rewrite exchange_big /=; apply: eq_bigr => y _; rewrite mulr_sumr; apply: eq_bigr => x _.
  by rewrite mulrCA addrAC.
elim: ls ls' t => [|a ls IH] ls' t; first by rewrite perm_sym => /perm_nilP ->.
move=> same; have a_in : a \in ls' by rewrite -(perm_mem same) mem_head.
case/splitPr: a_in same => pre s; rewrite middle => same /=; apply: eq_bigr => x _; congr (_ * _).
by apply: IH; move: same; rewrite perm_sym -cat1s perm_catCA /= perm_cons perm_sym.
Qed.

(* A type that as many users have. *)
Lemma enough_of_one C ls g : {subset ls <= C} -> (size C * g.-1 < size ls)%N -> exists2 c, c \in C & (g <= count_mem c ls)%N.
Proof.
move=> ls_in many; case: (altP (@hasP _ (fun c => g <= count_mem c ls)%N (undup C))) => [[c]|/hasPn few].
  by rewrite mem_undup; exists c.
move: many; rewrite ltnNge; case/negP.
apply: (@leq_trans (\sum_(c <- undup C) count_mem c ls)).
  rewrite -(@sum1_size _ ls) (eq_bigr (fun c => \sum_(a <- ls) (a == c : nat))%N) => [|c _]; last by rewrite -sum1_count big_mkcond.
  rewrite exchange_big /= big_seq [leqRHS]big_seq; apply: leq_sum => a a_in.
  by rewrite (big_rem a) ?mem_undup ?ls_in //= eqxx.
apply: (@leq_trans (size (undup C) * g.-1)); last by rewrite leq_mul2r size_undup orbT.
have : forall c, c \in undup C -> (count_mem c ls <= g.-1)%N.
  by move=> c /few; rewrite -ltnNge => below_g; rewrite -ltnS prednK // (leq_ltn_trans (leq0n _) below_g).
elim: (undup C) => [|c s IH] each; first by rewrite big_nil.
rewrite big_cons mulSn leq_add ?each ?mem_head // IH // => a a_in.
by rewrite each // inE a_in orbT.
Qed.

Theorem type_blocks C (blocks : nat -> seq (loss R)) sizes ls t :
    measures C -> (forall g, g \in sizes -> measures (blocks g)) ->
    (forall g c, g \in sizes -> c \in C -> exists2 b, b \in blocks g & forall s, positives (nseq g c) s <= positive b s) ->
    {subset ls <= C} -> always_found (size C) (size ls) sizes ->
  positives ls t <= V_steps [seq blocks g | g <- sizes] t.
Proof.
move=> C0; elim: sizes ls t => [|g sizes IH] ls t blocks0 above ls_in /=; first by rewrite size_eq0 => /eqP ->.
case/andP => many found; have [c c_in enough] := enough_of_one ls_in many.
pose rest := nseq (count_mem c ls - g) c ++ [seq a <- ls | a != c].
have split_ls : perm_eq ls (nseq g c ++ rest).
  have same_type : [seq a <- ls | pred1 c a] = nseq (count_mem c ls) c by rewrite -size_filter; apply/all_pred1P; exact: filter_all.
  by rewrite /rest catA -nseqD subnKC // -same_type perm_sym perm_filterC.
have rest_in : {subset rest <= C}.
  by move=> a a_in; apply: ls_in; rewrite (perm_mem split_ls) mem_cat a_in orbT.
rewrite (positives_perm _ split_ls); apply: le_trans (positives_block _ C0 (blocks0 g (mem_head _ _)) rest_in c_in (above g c (mem_head _ _) c_in)) _.
apply: best_le => [|x]; first exact: blocks0 (mem_head _ _).
apply: IH => // [g' g'_in|g' c' g'_in|]; [apply: blocks0 | apply: above |]; rewrite ?inE ?g'_in ?orbT //.
suff -> : size rest = (size ls - g)%N by [].
by rewrite (perm_size split_ls) size_cat size_nseq addKn.
Qed.

(* Every loss of a type: below a law of C. *)
Lemma losses_of_types C ls : (forall a, a \in ls -> exists2 c, c \in C & below a c) ->
  exists2 ls', {subset ls' <= C} & size ls' = size ls /\ all_below ls ls'.
Proof.
elim: ls => [|a ls IH] each; first by exists [::].
have [c c_in a_below] := each a (mem_head _ _).
have [|ls' ls'_in [sizes below_ls]] := IH; first by move=> b b_in; apply: each; rewrite inE b_in orbT.
by exists (c :: ls') => [b|]; [rewrite inE => /orP[/eqP ->|/ls'_in] | rewrite /= sizes].
Qed.

Lemma sum_recl n (u : pred 'I_n.+1) (F : 'I_n.+1 -> R) :
  \sum_(k | u k) F k = (if u ord0 then F ord0 else 0) + \sum_(k | u (lift ord0 k)) F (lift ord0 k).
Proof. by rewrite big_mkcond big_ord_recl; congr (_ + _); rewrite [RHS]big_mkcond. Qed.

(* The expectation over independent reports, of which some have losses. *)
Lemma independent_positives (S : finType) n (h L : 'I_n -> S -> R) (u : pred 'I_n) t : (forall k, \sum_s h k s = 1) ->
  \sum_(s : n.-tuple S) (\prod_k h k (tnth s k)) * Num.max (t + \sum_(k | u k) L k (tnth s k)) 0 =
  positives [seq atoms (h k) (L k) | k <- enum u] t.
Proof.
rewrite (_ : enum u = [seq k <- enum 'I_n | u k]); last by rewrite enumT.
elim: n h L u t => [|n IH] h L u t sums.
  rewrite (bigD1 [tuple]) //= [X in _ + X]big1 ?addr0 => [|s]; last by rewrite [s]tuple0 => /eqP.
  by rewrite big_ord0 mul1r (size0nil (size_enum_ord 0)) big1 ?addr0 // => -[].
have tails (s : n.-tuple S) x : \prod_k h k (tnth [tuple of x :: s] k) = h ord0 x * \prod_k h (lift ord0 k) (tnth s k).
  by rewrite big_ord_recl tnth0; congr (_ * _); apply: eq_bigr => k _; rewrite tnthS.
rewrite sum_tuples enum_ordSl /= filter_map.
have step r : \sum_(s : n.-tuple S) (\prod_k h (lift ord0 k) (tnth s k)) * Num.max (r + \sum_(k | u (lift ord0 k)) L (lift ord0 k) (tnth s k)) 0 =
    positives [seq atoms (h k) (L k) | k <- [seq lift ord0 k | k <- enum 'I_n & u (lift ord0 k)]] r.
  by rewrite -map_comp (IH (fun k => h (lift ord0 k)) (fun k => L (lift ord0 k)) (fun k => u (lift ord0 k)) r).
case: ifP => u0; rewrite ?map_cons /=.
  rewrite (sum_atoms _ _ (fun r => positives [seq atoms (h k) (L k) | k <- [seq lift ord0 k | k <- enum 'I_n & u (lift ord0 k)]] (t + r))).
  apply: eq_bigr => x _; rewrite -step mulr_sumr; apply: eq_bigr => s _.
  rewrite tails mulrA; congr (_ * Num.max _ 0); rewrite -addrA; congr (_ + _).
  by rewrite sum_recl u0 tnth0; congr (_ + _); apply: eq_bigr => k _; rewrite tnthS.
rewrite -step -[RHS]mul1r -[X in _ = X * _](sums ord0) mulr_suml; apply: eq_bigr => x _; rewrite mulr_sumr; apply: eq_bigr => s _.
rewrite tails mulrA; congr (_ * Num.max (_ + _) 0).
by rewrite sum_recl u0 add0r; apply: eq_bigr => k _; rewrite tnthS.
Qed.

Theorem unlike_blocks (S : finType) n (omega : dist R S) (m : 'I_n.+1 -> dist R S) (L : 'I_n.+1 -> S -> R) (A : {set 'I_n.+1})
    C (blocks : nat -> seq (loss R)) sizes :
    measures C -> (forall g, g \in sizes -> measures (blocks g)) ->
    (forall g c, g \in sizes -> c \in C -> exists2 b, b \in blocks g & forall s, positives (nseq g c) s <= positive b s) ->
    (forall k, k \notin A -> exists2 c, c \in C & below (atoms (m k) (L k)) c) -> always_found (size C) (n.+1 - #|A|) sizes ->
  unlike_sum omega (fun k => m k) L A <= V_steps [seq blocks g | g <- sizes] 0.
Proof.
move=> C0 blocks0 above types found.
pose hid k s := if k \in A then omega s else m k s.
have hid1 k : \sum_s hid k s = 1 by rewrite /hid; case: (k \in A); exact: mass_sum1.
have -> : unlike_sum omega (fun k => m k) L A = positives [seq atoms (m k) (L k) | k <- enum [predC A]] 0.
  transitivity (positives [seq atoms (hid k) (L k) | k <- enum [predC A]] 0).
    rewrite -(independent_positives L [predC A] 0 hid1) /unlike_sum; apply: eq_bigr => s _; congr (_ * Num.max _ 0).
    by rewrite add0r; apply: eq_bigl => k; rewrite inE.
  congr positives; apply/eq_in_map => k; rewrite mem_enum => kA; rewrite /atoms /hid.
  by have /negPf -> : k \notin A by move: kA; rewrite inE.
have [|ls ls_in [size_ls below_ls]] := @losses_of_types C [seq atoms (m k) (L k) | k <- enum [predC A]].
  by move=> a /mapP[k]; rewrite mem_enum inE => /types[c c_in k_below] ->; exists c.
apply: le_trans (positives_le _ _ _ below_ls) _ => [a /mapP[k _ ->]|a /ls_in|]; [|exact: C0|].
  by apply: measure_atoms => s; exact: mass_ge0.
apply: (type_blocks (C := C)) => //; rewrite size_ls size_map -cardE.
suff -> : #|[predC A]| = (n.+1 - #|A|)%N by [].
by rewrite -[X in (X - _)%N](card_ord n.+1) -(cardC (mem A)) addKn.
Qed.

End TypeBlocks.
