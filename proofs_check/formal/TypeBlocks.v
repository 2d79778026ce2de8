(* Blocks of users of several types. Of S independent losses every one is below a law of C, one of K types, in whatever numbers. Users of one type are put
   in pairs, for which a law of the next set stands, above the sum of two of them; pairs of one law again, and so on. Of each law one may be left over,
   so that as many blocks of each size are kept as there are laws for that size, or more: where one law is above those of two types from some size on,
   it stands for both, and fewer are kept. Whoever controls a sum chooses the type of every block anew, which is no less.

     paired_blocks   E (t + L_1 + ... + L_S)_+ is at most the controlled sum of the blocks, in any order;
     unlike_blocks   so are the losses of users outside the pool, which the random-swap bound in levels asks for, from fewer users too: more losses are
                     added, and their mean taken away. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Composition Shuffling ConvexOrder ControlledSum OneRandomizer.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section TypeBlocks.
Variable R : realFieldType.
Implicit Types (C : seq (loss R)) (ls : seq (loss R)) (t : R).

(* The controlled sum where every step has a set of laws of its own. *)
Fixpoint V_steps (Cs : seq (seq (loss R))) t : R := if Cs is C :: Cs' then best C (fun x => V_steps Cs' (t + x)) else Num.max t 0.

(* Of every law of C, two such losses are below one of the laws of the next size. *)
Definition doubled C C' : Prop := forall c, c \in C -> exists2 b, b \in C' & forall s, positives [:: c; c] s <= positive b s.

(* Sets of laws for blocks of 1, 2, 4, ... users; how many blocks are kept of each size but the last, no fewer than its laws; the steps. *)
Fixpoint steps_of (C : seq (loss R)) (rest : seq (nat * seq (loss R))) (users : nat) : seq (seq (loss R)) :=
  if rest is (kept, C') :: rest' then nseq kept C ++ steps_of C' rest' (users - kept)./2 else nseq users C.
Fixpoint enough_kept (C : seq (loss R)) (rest : seq (nat * seq (loss R))) (users : nat) : Prop :=
  if rest is (kept, C') :: rest' then
    [/\ measures C', doubled C C', (size C <= kept <= users)%N, ~~ odd (users - kept) & enough_kept C' rest' (users - kept)./2]
  else True.

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

Lemma cat_combination rest : measures rest ->
  exists2 d : loss R, measure d & forall xs s, positives (xs ++ rest) s = \sum_(y <- d) y.2 * positives xs (s + y.1).
Proof.
move=> rest0; have [d [d0 d_is]] := positives_combination rest0; exists d => //.
elim=> [|a xs IH] s /=; first by rewrite d_is.
under eq_bigr do rewrite IH mulr_sumr.
rewrite exchange_big /=; apply: eq_bigr => y _; rewrite mulr_sumr; apply: eq_bigr => x _.
by rewrite mulrCA addrAC.
Qed.

Lemma cat_le xs ls ls' t : measures xs -> (forall s, positives ls s <= positives ls' s) -> positives (xs ++ ls) t <= positives (xs ++ ls') t.
Proof.
move=> xs0 le; elim: xs t xs0 => [|a xs IH] t //= /measures_cons[a0 xs0].
by rewrite big_seq [leRHS]big_seq; apply: ler_sum => x x_in; rewrite ler_wpmul2l ?a0 ?IH.
Qed.

Lemma pairs_of C C' p ls : measures C -> measures C' -> doubled C C' -> {subset ls <= C} -> (size C + p.*2 <= size ls)%N ->
  exists left pairs, [/\ {subset left <= C}, {subset pairs <= C'}, size left = (size ls - p.*2)%N, size pairs = p
    & forall t, positives ls t <= positives (left ++ pairs) t].
Proof.
move=> C0 C'0 double; elim: p ls => [|p IH] ls ls_in enough.
  by exists ls, [::]; rewrite cats0 subn0; split.
have [|c c_in twice] := @enough_of_one C ls 2 ls_in.
  by rewrite muln1; apply: leq_trans enough; rewrite doubleS !addnS ltnS leqW // leq_addr.
pose ls1 := nseq (count_mem c ls - 2) c ++ [seq a <- ls | a != c].
have split_ls : perm_eq ls (c :: c :: ls1).
  have same_type : [seq a <- ls | pred1 c a] = nseq (count_mem c ls) c by rewrite -size_filter; apply/all_pred1P; exact: filter_all.
  by rewrite -[_ :: _]/(nseq 2 c ++ ls1) /ls1 catA -nseqD subnKC // -same_type perm_sym perm_filterC.
have ls1_in : {subset ls1 <= C} by move=> a a_in; apply: ls_in; rewrite (perm_mem split_ls) !inE a_in !orbT.
have size_ls : size ls = (size ls1).+2 by rewrite (perm_size split_ls).
have [|left [pairs [left_in pairs_in size_left size_pairs above]]] := IH ls1 ls1_in.
  by move: enough; rewrite size_ls doubleS !addnS !ltnS.
have [b b_in b_above] := double c c_in.
exists left, (b :: pairs); split=> [//|a|||t].
- by rewrite inE => /orP[/eqP ->|/pairs_in].
- by rewrite size_left size_ls doubleS !subSS.
- by rewrite /= size_pairs.
have all_measures a : a \in left ++ pairs -> measure a by rewrite mem_cat => /orP[/left_in|/pairs_in]; [exact: C0 | exact: C'0].
rewrite (positives_perm _ split_ls) (_ : positives (left ++ b :: pairs) t = positives (b :: left ++ pairs) t); last first.
  by apply: positives_perm; rewrite -cat1s perm_catCA.
apply: (@le_trans _ _ (positives ([:: c; c] ++ left ++ pairs) t)).
  by apply: (@cat_le [:: c; c]) => // a; rewrite !inE orbb => /eqP ->; exact: C0.
rewrite -[b :: _]/([:: b] ++ left ++ pairs); have [d d0 d_is] := cat_combination all_measures.
by rewrite !d_is big_seq [leRHS]big_seq; apply: ler_sum => y y_in; rewrite ler_wpmul2l ?d0 //; exact: b_above.
Qed.

Lemma assigned C rest ls : measures C -> {subset ls <= C} -> enough_kept C rest (size ls) ->
  exists ls', [/\ size ls' = size (steps_of C rest (size ls)), forall i, (i < size ls')%N -> nth [::] ls' i \in nth [::] (steps_of C rest (size ls)) i
    & forall t, positives ls t <= positives ls' t].
Proof.
elim: rest C ls => [|[kept C'] rest IH] C ls C0 ls_in /=.
  by exists ls; split=> [|i i_lt|t] //; rewrite ?size_nseq // nth_nseq i_lt ls_in ?mem_nth.
case=> C'0 double /andP[kept_enough kept_le] even_left enough.
have size_ls : size ls = (kept + (size ls - kept)./2.*2)%N by rewrite -{1}(subnKC kept_le) -{1}(odd_double_half (size ls - kept)) (negPf even_left).
have [|left [pairs [left_in pairs_in size_left size_pairs above]]] := @pairs_of C C' (size ls - kept)./2 ls C0 C'0 double ls_in.
  by rewrite [X in (_ <= X)%N]size_ls leq_add2r.
have size_left' : size left = kept by rewrite size_left {1}size_ls addnK.
rewrite -size_pairs in enough *; have [ls' [size_ls' ls'_in above']] := IH C' pairs C'0 pairs_in enough.
exists (left ++ ls'); split=> [|i|t]; first by rewrite !size_cat size_nseq size_left' size_ls'.
  rewrite size_cat size_left' !nth_cat size_nseq size_left' nth_nseq => i_lt.
  by case: ltnP => ik; [rewrite left_in // mem_nth ?size_left' | rewrite ls'_in // ltn_subLR].
by apply: le_trans (above t) _; apply: cat_le => // a /left_in; exact: C0.
Qed.

Lemma steps_above steps ls t : size ls = size steps -> (forall C, C \in steps -> measures C) ->
  (forall i, (i < size ls)%N -> nth [::] ls i \in nth [::] steps i) -> positives ls t <= V_steps steps t.
Proof.
elim: steps ls t => [|C steps IH] [|a ls] t //= [sizes] measured each.
apply: le_trans (best_ge _ (each 0%N isT)); rewrite /mean big_seq [leRHS]big_seq; apply: ler_sum => x x_in.
rewrite ler_wpmul2l ?(measured C (mem_head _ _) a (each 0%N isT)) // IH // => [C' C'_in|i i_lt]; first by apply: measured; rewrite inE C'_in orbT.
exact: (each i.+1).
Qed.

Lemma steps_measured C rest users : measures C -> enough_kept C rest users -> forall C', C' \in steps_of C rest users -> measures C'.
Proof.
elim: rest C users => [|[kept C1] rest IH] C users C0 /=; first by move=> _ C' /nseqP[-> _].
by case=> C10 _ _ _ enough C'; rewrite mem_cat => /orP[/nseqP[-> _] //|]; exact: IH.
Qed.

Theorem paired_blocks C rest steps ls t : measures C -> {subset ls <= C} -> enough_kept C rest (size ls) ->
    perm_eq steps (steps_of C rest (size ls)) ->
  positives ls t <= V_steps steps t.
Proof.
move=> C0 ls_in enough same; have [ls' [size_ls' ls'_in above]] := assigned C0 ls_in enough.
apply: le_trans (above t) _; have [Is Is_all steps_is] := perm_iotaP [::] same.
have ->  : positives ls' t = positives [seq nth [::] ls' i | i <- Is] t.
  apply: positives_perm; rewrite perm_sym -{2}(mkseq_nth [::] ls') /mkseq size_ls'; exact: perm_map.
apply: steps_above => [|C'|i]; rewrite ?size_map ?steps_is ?size_map //.
  rewrite -steps_is (perm_mem same); exact: steps_measured.
move=> i_lt; rewrite !(nth_map 0%N) //; apply: ls'_in.
by have := mem_nth 0%N i_lt; rewrite (perm_mem Is_all) mem_iota size_ls'.
Qed.

(* A loss, and by how much it falls in the mean: a convex function's mean grows. *)
Lemma one_more (c : loss R) fallen s : measure c -> \sum_(x <- c) x.2 = 1 -> - fallen <= \sum_(x <- c) x.2 * x.1 ->
  Num.max s 0 <= positive c (s + fallen).
Proof.
move=> c0 c1 falls; rewrite le_maxl; apply/andP; split; last first.
  by rewrite /positive big_seq; apply: sumr_ge0 => x x_in; rewrite mulr_ge0 ?c0 // le_maxr lexx orbT.
apply: (@le_trans _ _ (\sum_(x <- c) x.2 * (s + fallen + x.1))).
  under eq_bigr do rewrite mulrDr.
  by rewrite big_split /= -mulr_suml c1 mul1r -addrA ler_addl -ler_subl_addl sub0r.
by rewrite /positive big_seq [leRHS]big_seq; apply: ler_sum => x x_in; rewrite ler_wpmul2l ?c0 // le_maxr lexx.
Qed.

Lemma users_missing (c : loss R) fallen ls missing t : measure c -> \sum_(x <- c) x.2 = 1 -> - fallen <= \sum_(x <- c) x.2 * x.1 -> measures ls ->
  positives ls t <= positives (nseq missing c ++ ls) (t + missing%:R * fallen).
Proof.
move=> c0 c1 falls ls0; have [d [d0 d_is]] := positives_combination ls0.
elim: missing t => [|missing IH] t; first by rewrite mul0r addr0.
apply: (@le_trans _ _ (\sum_(x <- c) x.2 * positives ls (t + fallen + x.1))).
  under eq_bigr do rewrite d_is mulr_sumr.
  rewrite exchange_big /= d_is /positive big_seq [leRHS]big_seq; apply: ler_sum => y y_in.
  apply: le_trans (ler_wpmul2l (d0 y y_in) (one_more (t + y.1) c0 c1 falls)) _.
  rewrite /positive mulr_sumr le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => x _.
  by rewrite mulrCA (addrAC t y.1) (addrAC (t + fallen) y.1).
rewrite /= big_seq [leRHS]big_seq; apply: ler_sum => x x_in; rewrite ler_wpmul2l ?c0 //; apply: le_trans (IH _) _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; congr positives; rewrite mulrS; ring.
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
    C rest (steps : seq (seq (loss R))) (added : loss R) (fallen : R) (missing : nat) (users := (missing + (n.+1 - #|A|))%N) :
    measures C -> (forall k, k \notin A -> exists2 c, c \in C & below (atoms (m k) (L k)) c) ->
    ((0 < missing)%N -> [/\ measure added, \sum_(x <- added) x.2 = 1, - fallen <= \sum_(x <- added) x.2 * x.1 & exists2 c, c \in C & below added c]) ->
    enough_kept C rest users -> perm_eq steps (steps_of C rest users) ->
  unlike_sum omega (fun k => m k) L A <= V_steps steps (missing%:R * fallen).
Proof.
move=> C0 types more enough same.
pose hid k s := if k \in A then omega s else m k s.
have hid1 k : \sum_s hid k s = 1 by rewrite /hid; case: (k \in A); exact: mass_sum1.
pose ls := [seq atoms (m k) (L k) | k <- enum [predC A]].
have -> : unlike_sum omega (fun k => m k) L A = positives ls 0.
  transitivity (positives [seq atoms (hid k) (L k) | k <- enum [predC A]] 0).
    rewrite -(independent_positives L [predC A] 0 hid1) /unlike_sum; apply: eq_bigr => s _; congr (_ * Num.max _ 0).
    by rewrite add0r; apply: eq_bigl => k; rewrite inE.
  congr positives; apply/eq_in_map => k; rewrite mem_enum => kA; rewrite /atoms /hid.
  by have /negPf -> : k \notin A by move: kA; rewrite inE.
have ls0 : measures ls by move=> a /mapP[k _ ->]; apply: measure_atoms => s; exact: mass_ge0.
have all0 : measures (nseq missing added ++ ls).
  by move=> a; rewrite mem_cat => /orP[/nseqP[-> /more[]] //|]; exact: ls0.
apply: (@le_trans _ _ (positives (nseq missing added ++ ls) (missing%:R * fallen))).
  rewrite -[X in positives (nseq _ _ ++ _) X]add0r; case: missing {users all0 enough same} more => [|missing] more; first by rewrite mul0r addr0.
  by have [] := more isT; move=> added0 added1 falls _; exact: users_missing.
have [|ls' ls'_in [size_ls' below_ls']] := @losses_of_types C (nseq missing added ++ ls).
  move=> a; rewrite mem_cat => /orP[/nseqP[-> /more[]] //|/mapP[k]]; rewrite mem_enum inE => /types[c c_in k_below] ->.
  by exists c.
apply: le_trans (positives_le _ all0 _ below_ls') _ => [a /ls'_in|]; first exact: C0.
have users_is : size ls' = users.
  rewrite size_ls' size_cat size_nseq size_map -cardE /users; congr (_ + _)%N.
  by rewrite -[X in (X - _)%N](card_ord n.+1) -(cardC (mem A)) addKn; apply: eq_card => k; rewrite !inE.
by apply: (paired_blocks _ C0 ls'_in (rest := rest)); rewrite users_is.
Qed.

End TypeBlocks.
